# t/local.mk: the tests.

EXTRA_DIST += $(script_tests) $(ordinary_tests) $(text_tests) t/audit/hostile.txt t/tree/conformance.sh \
	t/count.awk t/declared.sh \
	t/tree/documented.txt t/tree/stable-abi.txt \
	t/tree/api.txt t/tree/api-absent.txt t/driver.sh \
	t/tree/limited.c t/limits/limits.c t/tree/links.awk \
	t/tree/listings.awk t/runtime/privileges.c \
	t/tree/session.awk t/tree/uncommented.awk \
	t/tree/unexampled.awk t/tree/unowned.awk

# Test programs take longer to compile than to run; so they are compiled without
# optimization, unless configure was told otherwise.
t/gc/%.o t/object/%.o t/rules/%.o t/runtime/%.o t/support/%.lo t/types/%.o \
t/watch/%.o: CFLAGS = $(TEST_CFLAGS)

# Each line of Check's and of the scripts' counts appears on the screen.
LOG_DRIVER = $(SHELL) $(top_srcdir)/t/driver.sh
SH_LOG_DRIVER = $(SHELL) $(top_srcdir)/t/driver.sh
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)

AM_TESTS_ENVIRONMENT = \
	unset PYBOEHM_CHECK PYBOEHM_LOG PYBOEHM_PATH PYBOEHM_STATS; \
	unset PYBOEHM_STRESS; \
	CK_VERBOSITY=verbose; export CK_VERBOSITY; \
	PYBOEHM_TEST_MODULES='$(abs_builddir)/t/modules/.libs'; \
	srcdir='$(srcdir)'; builddir='$(abs_builddir)'; \
	CC='$(CC) $(SANITIZE_CFLAGS)'; CXX='$(CXX)'; CFLAGS='$(CFLAGS)'; \
	MAKE='$(MAKE)'; NM='$(NM)'; PKG_CONFIG='$(PKG_CONFIG)'; \
	libdir='$(libdir)'; datadir='$(datadir)'; AWK='$(AWK)'; \
	DTRACE='$(have_dtrace)'; VERSION='$(VERSION)'; checks='$(CHECKS_CPPFLAGS)'; \
	functions='$(FUNCTIONS_CPPFLAGS)'; have_html='$(have_html)'; \
	export PYBOEHM_TEST_MODULES srcdir builddir CC CXX CFLAGS MAKE NM \
		PKG_CONFIG libdir datadir AWK DTRACE VERSION checks functions \
		have_html;

# Boehm's heap hides pointers from the leak detector; what waits in the
# quarantine would be taken for growth by tests of the memory resident.
if SANITIZERS
AM_TESTS_ENVIRONMENT += \
	ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16; \
	UBSAN_OPTIONS=print_stacktrace=1; \
	export ASAN_OPTIONS UBSAN_OPTIONS;
endif

# Of what is written, and compiled: nothing that sanitizers would see.  The one
# that takes longest comes first.
text_tests = \
	t/tree/refusals.sh \
	t/tree/lists.sh \
	t/tree/variables.sh \
	t/tree/layers.sh \
	t/tree/tags.sh \
	t/tree/headers.sh \
	t/tree/limited.sh \
	t/tree/man.sh \
	t/tree/mutants.sh \
	t/tree/html.sh \
	t/tree/stableabi.sh \
	t/tree/api.sh \
	t/tree/symbols.sh \
	t/tree/editions.sh

# Limits of memory, core files, a malloc or an environment of the test's own,
# what the audit tells where no check was before it: only of a build without
# sanitizers.
ordinary_tests = \
	t/audit/hostile.sh \
	t/gc/redirect.sh \
	t/gc/throws.sh \
	t/watch/demangled.sh \
	t/gdb/gdb.sh \
	t/limits/limits.sh \
	t/runtime/privileges.sh \
	t/types/hashseed.sh

script_tests = \
	t/bench.sh \
	t/watch/bugs.sh \
	t/watch/graph.sh \
	t/watch/report.sh \
	t/watch/signal.sh \
	t/tree/consumer.sh \
	t/gdb/probes.sh \
	t/hostile/hostile.sh \
	t/rules/rule_visit_names.sh

if HAVE_CHECK

# These use what libpyboehm exports and nothing else.
api_tests = \
	t/types/check_alias \
	t/types/check_arith \
	t/object/check_args \
	t/object/check_args_array \
	t/object/check_args_calls \
	t/object/check_attr \
	t/object/check_buffer \
	t/object/check_buildvalue \
	t/object/check_badcalls \
	t/object/check_binding \
	t/types/check_bytearray \
	t/types/check_bytes \
	t/types/check_byteswriter \
	t/object/check_call \
	t/types/check_capsule \
	t/types/check_cell \
	t/object/check_classes \
	t/types/check_codecs \
	t/types/check_complex \
	t/types/check_context \
	t/object/check_descr \
	t/types/check_dict \
	t/gc/check_duringgc \
	t/types/check_enumerate \
	t/object/check_errors \
	t/object/check_exceptions \
	t/object/check_excgroup \
	t/types/check_float \
	t/types/check_format \
	t/types/check_frozendict \
	t/gc/check_gc_adopted_death \
	t/gc/check_gc_adopted_host \
	t/gc/check_gc_adoption \
	t/gc/check_gc_alloc \
	t/gc/check_gc_auto \
	t/gc/check_gc_chain \
	t/gc/check_gc_cycle \
	t/gc/check_gc_early \
	t/gc/check_gc_finalize \
	t/gc/check_gc_garbage \
	t/gc/check_gc_generations \
	t/gc/check_gc_hooks \
	t/gc/check_gc_host \
	t/gc/check_gc_exits \
	t/gc/check_gc_limit \
	t/gc/check_gc_manners \
	t/gc/check_gc_memory \
	t/object/check_gc_module \
	t/gc/check_gc_places \
	t/gc/check_gc_seam \
	t/gc/check_gc_snapshot \
	t/gc/check_gc_search \
	t/gc/check_gc_stress \
	t/gc/check_gc_teardown \
	t/gc/check_gc_track \
	t/gc/check_gc_unseen \
	t/gc/check_gc_weakref \
	t/object/check_files \
	t/object/check_handled \
	t/object/check_heaptype \
	t/object/check_inherit \
	t/types/check_instancedict \
	t/types/check_int \
	t/types/check_iter \
	t/types/check_leftovers \
	t/types/check_list \
	t/gc/check_local \
	t/library/check_library \
	t/object/check_mapping \
	t/object/check_modcycle \
	t/types/check_memoryview \
	t/object/check_module \
	t/types/check_namespace \
	t/object/check_nulls \
	t/object/check_number \
	t/object/check_object \
	t/object/check_oldsource \
	t/object/check_proxy \
	t/object/check_reduce \
	t/object/check_raise \
	t/object/check_stableabi \
	t/types/check_range \
	t/object/check_seldom \
	t/object/check_sequence \
	t/types/check_set \
	t/types/check_setops \
	t/types/check_slice \
	t/object/check_slotarrays \
	t/object/check_slots \
	t/runtime/check_small_stacks \
	t/types/check_str \
	t/types/check_structseq \
	t/types/check_strdata \
	t/types/check_strformat \
	t/object/check_sys \
	t/types/check_text \
	t/runtime/check_threads \
	t/runtime/check_threads_calls \
	t/runtime/check_threads_end \
	t/runtime/check_threads_fork \
	t/runtime/check_threads_host \
	t/runtime/check_threads_import \
	t/runtime/check_threads_own \
	t/runtime/check_threads_stress \
	t/gc/check_traverse \
	t/gc/check_traverse_safe \
	t/types/check_tuple \
	t/object/check_type \
	t/gc/check_untrack \
	t/watch/check_watch_audit \
	t/watch/check_watch_graph \
	t/watch/check_watch_log \
	t/watch/check_watch_report \
	t/watch/check_watch_stats \
	t/watch/check_watch_trace \
	t/object/check_weakref \
	t/types/check_zip
# These import modules, which libtool makes only if it makes shared libraries.
if SHARED
api_tests += \
	t/object/check_editions \
	t/object/check_import
endif

# Each breaks one rule of the chapter and shows what comes of it.
rule_tests = \
	t/rules/rule_alloc \
	t/rules/rule_alloc_direct \
	t/rules/rule_clear_decref \
	t/rules/rule_clear_idle \
	t/rules/rule_clear_missing \
	t/rules/rule_collect \
	t/rules/rule_del_plain \
	t/rules/rule_errors \
	t/rules/rule_extra_data \
	t/rules/rule_free \
	t/rules/rule_free_direct \
	t/rules/rule_managed_dict \
	t/rules/rule_resize_tracked \
	t/rules/rule_side_effects \
	t/rules/rule_track_early \
	t/rules/rule_track_missing \
	t/rules/rule_track_no_gc \
	t/rules/rule_track_twice \
	t/rules/rule_traverse_missing \
	t/rules/rule_untrack_missing \
	t/rules/rule_visit_borrowed \
	t/rules/rule_visit_missing \
	t/rules/rule_visit_null \
	t/rules/rule_visit_objects \
	t/rules/rule_visit_result \
	t/rules/rule_visit_twice \
	t/rules/rule_visit_type \
	t/rules/rule_visit_weaklist

# These look behind the API.
core_tests = \
	t/gc/check_gc_condemned \
	t/gc/check_gc_trim \
	t/gc/check_gc_heap \
	t/gc/check_gc_quarantine \
	t/gc/check_gc_validate \
	t/gc/check_gc_leave \
	t/gc/check_marking \
	t/object/check_object_validate \
	t/runtime/check_attach \
	t/runtime/check_freelist \
	t/types/check_types_validate \
	t/watch/check_watch_census \
	t/watch/check_watch_clear \
	t/watch/check_watch_dealloc \
	t/watch/check_watch_early \
	t/watch/check_watch_edges \
	t/watch/check_watch_finalize \
	t/watch/check_watch_defects \
	t/watch/check_watch_dominators \
	t/watch/check_watch_leaks \
	t/watch/check_watch_places \
	t/watch/check_watch_right \
	t/watch/check_watch_why
t_watch_check_watch_audit_SOURCES = \
	t/audit/audit.h \
	t/audit/broken.c \
	t/audit/common.c \
	t/audit/honest.c \
	t/audit/owners.c \
	t/audit/plain.c \
	t/watch/check_watch_audit.c
t_runtime_check_attach_CPPFLAGS = $(core_cppflags)
t_runtime_check_attach_LDADD = $(core_ldadd)
t_runtime_check_attach_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_cond_signal \
	-Wl,--wrap=pthread_mutex_lock -Wl,--wrap=pthread_mutex_unlock
t_gc_check_gc_condemned_CPPFLAGS = $(core_cppflags)
t_gc_check_gc_condemned_LDADD = $(core_ldadd)
t_gc_check_gc_condemned_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=madvise
t_gc_check_gc_trim_CPPFLAGS = $(core_cppflags)
t_gc_check_gc_trim_LDADD = $(core_ldadd)
t_gc_check_gc_quarantine_CPPFLAGS = $(core_cppflags)
t_gc_check_gc_quarantine_LDADD = $(core_ldadd)
t_gc_check_gc_validate_CPPFLAGS = $(core_cppflags)
t_gc_check_gc_validate_LDADD = $(core_ldadd)
t_object_check_object_validate_CPPFLAGS = $(core_cppflags)
t_object_check_object_validate_LDADD = $(core_ldadd)
t_types_check_types_validate_CPPFLAGS = $(core_cppflags)
t_types_check_types_validate_LDADD = $(core_ldadd)
t_gc_check_gc_heap_CPPFLAGS = $(core_cppflags)
t_gc_check_gc_heap_LDADD = $(core_ldadd)
t_gc_check_gc_leave_CPPFLAGS = $(core_cppflags)
t_gc_check_gc_leave_LDADD = $(core_ldadd)
t_gc_check_gc_teardown_CPPFLAGS = $(AM_CPPFLAGS) $(FUNCTIONS_CPPFLAGS)
t_gc_check_marking_CPPFLAGS = $(core_cppflags)
t_gc_check_marking_LDADD = $(core_ldadd)
t_runtime_check_freelist_CPPFLAGS = $(core_cppflags)
t_runtime_check_freelist_LDADD = $(core_ldadd)
t_watch_check_watch_census_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_census_LDADD = $(core_ldadd)
t_watch_check_watch_dominators_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_dominators_LDADD = $(core_ldadd)
t_watch_check_watch_edges_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_edges_LDADD = $(core_ldadd)
watched = t/support/watched.c t/support/watched.h
t_watch_check_watch_clear_SOURCES = t/watch/check_watch_clear.c $(watched)
t_watch_check_watch_clear_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_clear_LDADD = $(core_ldadd)
t_watch_check_watch_dealloc_SOURCES = t/watch/check_watch_dealloc.c $(watched)
t_watch_check_watch_dealloc_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_dealloc_LDADD = $(core_ldadd)
t_watch_check_watch_early_SOURCES = t/watch/check_watch_early.c $(watched)
t_watch_check_watch_early_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_early_LDADD = $(core_ldadd)
t_watch_check_watch_finalize_SOURCES = t/watch/check_watch_finalize.c $(watched)
t_watch_check_watch_finalize_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_finalize_LDADD = $(core_ldadd)
t_watch_check_watch_defects_SOURCES = t/watch/check_watch_defects.c $(watched)
t_watch_check_watch_defects_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_defects_LDADD = $(core_ldadd)
t_watch_check_watch_right_SOURCES = t/watch/check_watch_right.c $(watched)
t_watch_check_watch_right_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_right_LDADD = $(core_ldadd)
leaks = t/support/leaks.c t/support/leaks.h t/support/watch_text.h
t_watch_check_watch_leaks_SOURCES = t/watch/check_watch_leaks.c $(leaks)
t_watch_check_watch_leaks_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_leaks_LDADD = $(core_ldadd)
leaks_wraps = -Wl,--wrap=calloc
t_watch_check_watch_leaks_LDFLAGS = $(AM_LDFLAGS) -export-dynamic $(leaks_wraps)
t_watch_check_watch_trace_SOURCES = t/watch/check_watch_trace.c $(leaks)
t_watch_check_watch_trace_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
why = t/support/watch_text.h t/support/why.c t/support/why.h
t_watch_check_watch_places_SOURCES = t/watch/check_watch_places.c $(why)
t_watch_check_watch_places_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_places_LDADD = $(core_ldadd)
t_watch_check_watch_places_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
t_watch_check_watch_why_SOURCES = t/watch/check_watch_why.c $(why)
t_watch_check_watch_why_CPPFLAGS = $(core_cppflags)
t_watch_check_watch_why_LDADD = $(core_ldadd)
t_watch_check_watch_why_LDFLAGS = $(AM_LDFLAGS) -export-dynamic

check_PROGRAMS += $(api_tests) $(rule_tests) $(core_tests)
TESTS += $(api_tests) $(rule_tests) $(core_tests) $(script_tests)
if !SANITIZERS
TESTS += $(ordinary_tests) $(text_tests)
if SHARED
TESTS += t/tree/conformance.sh
endif
endif

# The script has it watched; its functions are to have names.
check_PROGRAMS += t/watch/shop
t_watch_shop_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
t/watch/report.log: t/watch/shop$(EXEEXT)

# This one is sent signals.
check_PROGRAMS += t/watch/signals
t/watch/signal.log: t/watch/signals$(EXEEXT)

# It reads what the others said.
t/tree/conformance.log: $(api_tests:=.log) $(rule_tests:=.log) \
	$(core_tests:=.log) $(script_tests:.sh=.log) \
	$(ordinary_tests:.sh=.log) $(text_tests:.sh=.log)

adopted = t/support/adopted.c t/support/adopted.h
t_gc_check_gc_adopted_death_SOURCES = t/gc/check_gc_adopted_death.c $(adopted)
t_gc_check_gc_adopted_host_SOURCES = t/gc/check_gc_adopted_host.c $(adopted)
t_gc_check_gc_adoption_SOURCES = t/gc/check_gc_adoption.c $(adopted)
t_gc_check_gc_snapshot_SOURCES = t/gc/check_gc_snapshot.c $(adopted)
t_gc_check_gc_unseen_SOURCES = t/gc/check_gc_unseen.c $(adopted)

check_LTLIBRARIES += t/support/libsuite.la
t_support_libsuite_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(FUNCTIONS_CPPFLAGS) \
	-DFUNCTIONS='" $(FUNCTIONS_CPPFLAGS)"'
t_support_libsuite_la_SOURCES = \
	t/support/collector.c \
	t/support/collector.h \
	t/support/fiber.c \
	t/support/fiber.h \
	t/support/host.c \
	t/support/host.h \
	t/support/main.c \
	t/support/node.c \
	t/support/node.h \
	t/support/odd.c \
	t/support/odd.h \
	t/support/sets.c \
	t/support/sets.h \
	t/support/smallstack.c \
	t/support/smallstack.h \
	t/support/suite.c \
	t/support/suite.h \
	t/support/threads.c \
	t/support/threads.h

t_runtime_check_threads_stress_SOURCES = \
	t/runtime/check_threads_stress.c \
	t/crowd/attached.c \
	t/crowd/crowd.c \
	t/crowd/crowd.h \
	t/crowd/items.c \
	t/crowd/plain.c

# What t/object/check_import.c imports.  Libtool makes shared modules only of what is
# to be installed somewhere.
check_LTLIBRARIES += \
	t/modules/mod_export.la \
	t/modules/mod_noentry.la \
	t/modules/mod_phases.la \
	t/modules/mod_reinit.la \
	t/modules/mod_single.la \
	t/modules/new_container.la
module_ldflags = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
t_modules_mod_export_la_SOURCES = t/modules/mod_export.c
t_modules_mod_export_la_LDFLAGS = $(module_ldflags)
t_modules_mod_noentry_la_SOURCES = t/modules/mod_noentry.c
t_modules_mod_noentry_la_LDFLAGS = $(module_ldflags)
t_modules_mod_phases_la_SOURCES = t/modules/mod_phases.c
t_modules_mod_phases_la_LDFLAGS = $(module_ldflags)
t_modules_mod_reinit_la_SOURCES = t/modules/mod_reinit.c
t_modules_mod_reinit_la_LDFLAGS = $(module_ldflags)
t_modules_mod_single_la_SOURCES = t/modules/mod_single.c
t_modules_mod_single_la_LDFLAGS = $(module_ldflags)
t_modules_new_container_la_SOURCES = t/modules/new_container.c
t_modules_new_container_la_LDFLAGS = $(module_ldflags)

# A source of 2.2 as it is; what a compiler of today says of it is not asked.
check_LTLIBRARIES += t/modules/libold.la
t_modules_libold_la_SOURCES = t/modules/old_container.c
t_modules_libold_la_CFLAGS = $(LANG_CFLAGS) $(SANITIZE_CFLAGS) -w
t_object_check_editions_LDADD = t/modules/libold.la $(LDADD)
# It is run by the script as well.
t/tree/editions.log: t/object/check_editions$(EXEEXT)

# Some play a host that uses Boehm itself, and threads.
LDADD = t/support/libsuite.la libpyboehm.la $(test_libs)
core_ldadd = t/support/libsuite.la lib/libcore.la $(test_libs)
core_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/lib -DPYBOEHM_BUILD
test_libs = $(CHECK_LIBS) $(GC_LIBS) -lpthread

else

check-local:
	@echo 'make check needs Check 0.11 or newer, which configure did not' \
		'find; on Debian: apt-get install check' >&2; exit 1

endif

include t/hostile/local.mk
include t/cost/local.mk
include t/gdb/local.mk
include t/oracle/local.mk
include t/random/local.mk
include t/heaps/local.mk
include t/model/local.mk
include t/world/local.mk
include t/mutation/local.mk
include t/faults/local.mk
include t/hosts/local.mk
include t/extensions/local.mk
include t/stress/local.mk
include t/coverage/local.mk
include t/tools/local.mk
include t/fuzz/local.mk
