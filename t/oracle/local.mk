# t/oracle/local.mk: make check-oracle: the same sources on pyboehm and on
# CPython 3.11 must say the same.  The rooms are those of lib; sections A to E of
# the chapter, memory, tracking, traversal and the end, are in gc, traverse,
# finalize and weakref.

oracle_programs = \
	finalize/final_attach \
	finalize/final_collects \
	finalize/final_dealloc \
	finalize/final_del_method \
	finalize/final_errors \
	finalize/final_hook \
	finalize/final_late \
	finalize/final_legacy \
	finalize/final_new_objects \
	finalize/final_once \
	finalize/final_pending \
	finalize/final_resurrect \
	finalize/final_state \
	finalize/final_trashcan \
	gc/alloc_del_tracked \
	gc/alloc_generic \
	gc/alloc_heap_type \
	gc/alloc_new \
	gc/alloc_plain \
	gc/alloc_resize \
	gc/alloc_var \
	gc/alloc_wrong_type \
	gc/clear_count \
	gc/clear_missing \
	gc/clear_mixed \
	gc/clear_odd \
	gc/collect_chance \
	gc/collect_counts \
	gc/collect_enable \
	gc/cycle_builtins \
	gc/cycle_order \
	gc/gc_arguments \
	gc/gc_callbacks \
	gc/gc_counts \
	gc/gc_debug \
	gc/gc_freeze \
	gc/gc_generations \
	gc/gc_saveall \
	gc/gc_search \
	gc/gc_shutdown \
	gc/track_again \
	gc/track_anything \
	gc/track_dict \
	gc/track_fatal \
	gc/track_is_gc \
	gc/track_tuple \
	object/aliases \
	object/args_keywords \
	object/args_tuple \
	object/buffers \
	object/build_value \
	object/builtin_functions \
	object/capsules \
	object/code_files \
	object/code_objects \
	object/context_variables \
	object/display \
	object/error_format \
	object/exception_chain \
	object/exception_classes \
	object/exception_groups \
	object/exception_handled \
	object/library_modules \
	object/module_phases \
	object/module_single \
	object/module_state \
	object/module_twice \
	object/old_names \
	object/overflow_memory \
	object/paths \
	object/reduce \
	object/std_streams \
	object/references \
	object/syntax_errors \
	object/sys_functions \
	object/sys_infos \
	object/unraisable \
	runtime/thread_locks \
	runtime/thread_own \
	runtime/thread_pending \
	runtime/thread_states \
	runtime/thread_wrong \
	traverse/visit_callables \
	traverse/visit_dict_offset \
	traverse/visit_exceptions \
	traverse/visit_order \
	traverse/visit_result \
	traverse/visit_sequences \
	traverse/visit_subclass \
	traverse/visit_type \
	traverse/visit_views \
	traverse/visit_weaklist \
	traverse/visit_wrong \
	type/abstract_classes \
	type/abstract_methods \
	type/attribute_order \
	type/bases_conflict \
	type/classes_by_bases \
	type/class_hooks \
	type/class_slots \
	type/descriptors \
	type/getset \
	type/instance_dict \
	type/members \
	type/metaclass \
	type/methods \
	type/number_slots \
	type/sequence_slots \
	type/slot_wrappers \
	type/spec_errors \
	type/spec_module \
	type/spec_slots \
	type/special_methods \
	type/super_lookup \
	type/type_attributes \
	type/type_call \
	type/type_module \
	type/type_ready_errors \
	type/type_ready_inherit \
	type/unions \
	types/bad_dicts \
	types/bad_lists \
	types/bad_others \
	types/bytes_escapes \
	types/bytes_methods \
	types/characters \
	types/charsets \
	types/codec_maps \
	types/codec_registry \
	types/codec_texts \
	types/codecs \
	types/deep_repr \
	types/dict_semantics \
	types/double_text \
	types/empties \
	types/float_packs \
	types/format_specs \
	types/format_templates \
	types/hashes \
	types/instance_values \
	types/int_large \
	types/iterators \
	types/list_semantics \
	types/memory_formats \
	types/memory_views \
	types/number_methods \
	types/number_text \
	types/ordered_dicts \
	types/percent \
	types/pickle_buffers \
	types/ranges \
	types/reduce_builtins \
	types/set_semantics \
	types/strings_filled \
	types/strings_written \
	types/struct_sequences \
	weakref/weak_basic \
	weakref/weak_class \
	weakref/weak_clear \
	weakref/weak_final \
	weakref/weak_get \
	weakref/weak_hash \
	weakref/weak_in_set \
	weakref/weak_order \
	weakref/weak_plain \
	weakref/weak_proxy \
	weakref/weak_revive \
	weakref/weak_subclass \
	weakref/weak_supported

# These use what 3.11 has not; what they must say stands in NAME.expected.
oracle_newer_programs = \
	finalize/final_format \
	gc/alloc_extra_data \
	gc/during_gc \
	object/item_refs \
	object/tokens \
	traverse/visit_managed_dict \
	traverse/visit_objects \
	type/metaclass_spec \
	type/type_data \
	weakref/weak_getref \
	weakref/weak_managed \
	weakref/weak_no_callbacks

EXTRA_DIST += t/oracle/oracle.c t/oracle/oracle.h t/oracle/run.sh t/oracle/names.sh \
	$(oracle_programs:%=t/oracle/%.c) \
	$(oracle_newer_programs:%=t/oracle/%.c) \
	$(oracle_newer_programs:%=t/oracle/%.expected)

# make check-oracle ORACLE='NAME...' runs these alone.
ORACLE = $(oracle_programs) $(oracle_newer_programs)

check-oracle: libpyboehm.la
	@$(AM_TESTS_ENVIRONMENT) \
	PYTHON_CONFIG='$(PYTHON_CONFIG)'; export PYTHON_CONFIG; \
	$(SHELL) $(srcdir)/t/limits/limits.sh && \
	$(SHELL) $(srcdir)/t/oracle/names.sh && \
	$(SHELL) $(srcdir)/t/oracle/run.sh $(ORACLE)
.PHONY: check-oracle
