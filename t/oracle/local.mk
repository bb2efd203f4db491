# t/oracle/local.mk: make check-oracle: the same sources on pyboehm and on
# CPython 3.11 must say the same.

# Sections A to C and E of the chapter: memory, tracking, traversal, the end.
oracle_objects = \
	alloc_del_tracked \
	alloc_generic \
	alloc_heap_type \
	alloc_new \
	alloc_plain \
	alloc_resize \
	alloc_var \
	alloc_wrong_type \
	clear_count \
	clear_missing \
	clear_mixed \
	clear_odd \
	cycle_builtins \
	cycle_order \
	final_attach \
	final_collects \
	final_dealloc \
	final_del_method \
	final_errors \
	final_hook \
	final_late \
	final_legacy \
	final_new_objects \
	final_once \
	final_pending \
	final_resurrect \
	final_state \
	final_trashcan \
	track_again \
	track_anything \
	track_dict \
	track_fatal \
	track_is_gc \
	track_tuple \
	visit_callables \
	visit_dict_offset \
	visit_exceptions \
	visit_order \
	visit_result \
	visit_sequences \
	visit_subclass \
	visit_type \
	visit_views \
	visit_weaklist \
	visit_wrong \
	weak_basic \
	weak_class \
	weak_clear \
	weak_final \
	weak_get \
	weak_hash \
	weak_in_set \
	weak_order \
	weak_plain \
	weak_proxy \
	weak_revive \
	weak_subclass \
	weak_supported

# Section G: threads.
oracle_threads = \
	thread_locks \
	thread_own \
	thread_pending \
	thread_states \
	thread_wrong

# Sections D, F and G: types, modules, containers, control.
oracle_types = \
	aliases \
	args_keywords \
	args_tuple \
	attribute_order \
	bad_dicts \
	bad_lists \
	bad_others \
	bases_conflict \
	buffers \
	build_value \
	capsules \
	characters \
	class_hooks \
	class_slots \
	code_objects \
	codec_maps \
	codec_registry \
	codec_texts \
	codecs \
	collect_chance \
	collect_counts \
	collect_enable \
	context_variables \
	deep_repr \
	descriptors \
	double_text \
	dict_semantics \
	error_format \
	exception_chain \
	exception_classes \
	exception_handled \
	float_packs \
	format_specs \
	format_templates \
	gc_arguments \
	gc_callbacks \
	gc_counts \
	gc_debug \
	gc_freeze \
	gc_generations \
	gc_saveall \
	gc_search \
	gc_shutdown \
	getset \
	hashes \
	instance_dict \
	int_large \
	iterators \
	memory_formats \
	memory_views \
	list_semantics \
	members \
	metaclass \
	methods \
	module_phases \
	module_single \
	module_state \
	module_twice \
	number_methods \
	number_slots \
	number_text \
	old_names \
	bytes_escapes \
	exception_groups \
	sys_infos \
	overflow_memory \
	percent \
	pickle_buffers \
	ranges \
	reduce \
	reduce_builtins \
	references \
	abstract_classes \
	abstract_methods \
	builtin_functions \
	bytes_methods \
	library_modules \
	sequence_slots \
	slot_wrappers \
	special_methods \
	set_semantics \
	spec_errors \
	spec_module \
	spec_slots \
	struct_sequences \
	strings_filled \
	super_lookup \
	type_attributes \
	type_call \
	type_module \
	type_ready_errors \
	type_ready_inherit \
	unraisable

oracle_programs = $(oracle_objects) $(oracle_threads) $(oracle_types)

# These use what 3.11 has not; what they must say stands in NAME.expected.
oracle_newer_programs = \
	alloc_extra_data \
	during_gc \
	final_format \
	item_refs \
	metaclass_spec \
	tokens \
	type_data \
	visit_managed_dict \
	visit_objects \
	weak_getref \
	weak_managed \
	weak_no_callbacks

EXTRA_DIST += t/oracle/oracle.c t/oracle/oracle.h t/oracle/run.sh \
	$(oracle_programs:%=t/oracle/%.c) \
	$(oracle_newer_programs:%=t/oracle/%.c) \
	$(oracle_newer_programs:%=t/oracle/%.expected)

# make check-oracle ORACLE='NAME...' runs these alone.
ORACLE = $(oracle_programs) $(oracle_newer_programs)

check-oracle: libpyboehm.la
	@$(AM_TESTS_ENVIRONMENT) \
	PYTHON_CONFIG='$(PYTHON_CONFIG)'; export PYTHON_CONFIG; \
	$(SHELL) $(srcdir)/t/limits/limits.sh && \
	$(SHELL) $(srcdir)/t/oracle/run.sh $(ORACLE)
.PHONY: check-oracle
