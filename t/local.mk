# t/local.mk: the tests.

EXTRA_DIST += $(script_tests) t/audit/hostile.txt t/conformance.sh \
	t/count.awk t/declared.sh \
	t/documented.txt t/driver.sh t/limited.c t/limits/limits.c t/links.awk \
	t/listings.awk t/privileges.c \
	t/session.awk t/uncommented.awk

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
	DTRACE='$(have_dtrace)'; checks='$(CHECKS_CPPFLAGS)'; \
	export PYBOEHM_TEST_MODULES srcdir builddir CC CXX CFLAGS MAKE NM \
		PKG_CONFIG libdir datadir AWK DTRACE checks;

# Boehm's heap hides pointers from the leak detector; what waits in the
# quarantine would be taken for growth by tests of the memory resident.
if SANITIZERS
AM_TESTS_ENVIRONMENT += \
	ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16; \
	UBSAN_OPTIONS=print_stacktrace=1; \
	export ASAN_OPTIONS UBSAN_OPTIONS;
endif

script_tests = \
	t/bench.sh \
	t/graph.sh \
	t/lists.sh \
	t/variables.sh \
	t/layers.sh \
	t/headers.sh \
	t/limited.sh \
	t/limits/limits.sh \
	t/man.sh \
	t/gdb.sh \
	t/html.sh \
	t/symbols.sh \
	t/consumer.sh \
	t/editions.sh \
	t/audit/hostile.sh \
	t/hashseed.sh \
	t/hostile/hostile.sh \
	t/privileges.sh \
	t/probes.sh \
	t/refusals.sh \
	t/rule_visit_names.sh

if HAVE_CHECK

# These use what libpyboehm exports and nothing else.
api_tests = \
	t/check_arith \
	t/check_args \
	t/check_args_array \
	t/check_args_calls \
	t/check_attr \
	t/check_buffer \
	t/check_buildvalue \
	t/check_badcalls \
	t/check_binding \
	t/check_bytearray \
	t/check_bytes \
	t/check_call \
	t/check_capsule \
	t/check_cell \
	t/check_classes \
	t/check_complex \
	t/check_descr \
	t/check_dict \
	t/check_duringgc \
	t/check_editions \
	t/check_enumerate \
	t/check_errors \
	t/check_exceptions \
	t/check_float \
	t/check_gc_adopted_death \
	t/check_gc_adopted_host \
	t/check_gc_adoption \
	t/check_gc_alloc \
	t/check_gc_auto \
	t/check_gc_chain \
	t/check_gc_cycle \
	t/check_gc_early \
	t/check_gc_finalize \
	t/check_gc_garbage \
	t/check_gc_generations \
	t/check_gc_hooks \
	t/check_gc_host \
	t/check_gc_limit \
	t/check_gc_manners \
	t/check_gc_memory \
	t/check_gc_module \
	t/check_gc_places \
	t/check_gc_search \
	t/check_gc_stress \
	t/check_gc_teardown \
	t/check_gc_track \
	t/check_gc_weakref \
	t/check_heaptype \
	t/check_import \
	t/check_inherit \
	t/check_instancedict \
	t/check_int \
	t/check_iter \
	t/check_list \
	t/check_local \
	t/check_mapping \
	t/check_modcycle \
	t/check_module \
	t/check_namespace \
	t/check_nulls \
	t/check_number \
	t/check_object \
	t/check_oldsource \
	t/check_proxy \
	t/check_raise \
	t/check_range \
	t/check_seldom \
	t/check_sequence \
	t/check_set \
	t/check_setops \
	t/check_slice \
	t/check_slotarrays \
	t/check_slots \
	t/check_small_stacks \
	t/check_str \
	t/check_strformat \
	t/check_sys \
	t/check_text \
	t/check_threads \
	t/check_threads_calls \
	t/check_threads_end \
	t/check_threads_fork \
	t/check_threads_host \
	t/check_threads_import \
	t/check_threads_own \
	t/check_threads_stress \
	t/check_traverse \
	t/check_traverse_safe \
	t/check_tuple \
	t/check_type \
	t/check_untrack \
	t/check_watch_audit \
	t/check_watch_graph \
	t/check_watch_log \
	t/check_watch_stats \
	t/check_watch_trace \
	t/check_weakref \
	t/check_zip

# Each breaks one rule of the chapter and shows what comes of it.
rule_tests = \
	t/rule_alloc \
	t/rule_alloc_direct \
	t/rule_clear_decref \
	t/rule_clear_idle \
	t/rule_clear_missing \
	t/rule_collect \
	t/rule_del_plain \
	t/rule_errors \
	t/rule_extra_data \
	t/rule_free \
	t/rule_free_direct \
	t/rule_managed_dict \
	t/rule_resize_tracked \
	t/rule_side_effects \
	t/rule_track_early \
	t/rule_track_missing \
	t/rule_track_no_gc \
	t/rule_track_twice \
	t/rule_traverse_missing \
	t/rule_untrack_missing \
	t/rule_visit_borrowed \
	t/rule_visit_missing \
	t/rule_visit_null \
	t/rule_visit_objects \
	t/rule_visit_result \
	t/rule_visit_twice \
	t/rule_visit_type \
	t/rule_visit_weaklist

# These look behind the API.
core_tests = \
	t/check_attach \
	t/check_gc_condemned \
	t/check_gc_giveback \
	t/check_gc_heap \
	t/check_gc_leave \
	t/check_marking \
	t/check_spare \
	t/check_watch_census \
	t/check_watch_clear \
	t/check_watch_dealloc \
	t/check_watch_early \
	t/check_watch_edges \
	t/check_watch_finalize \
	t/check_watch_flawed \
	t/check_watch_leaks \
	t/check_watch_places \
	t/check_watch_right \
	t/check_watch_why
t_check_watch_audit_SOURCES = \
	t/audit/audit.h \
	t/audit/broken.c \
	t/audit/common.c \
	t/audit/honest.c \
	t/audit/owners.c \
	t/audit/plain.c \
	t/check_watch_audit.c
t_check_attach_CPPFLAGS = $(core_cppflags)
t_check_attach_LDADD = $(core_ldadd)
t_check_attach_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_cond_signal \
	-Wl,--wrap=pthread_mutex_lock -Wl,--wrap=pthread_mutex_unlock
t_check_gc_condemned_CPPFLAGS = $(core_cppflags)
t_check_gc_condemned_LDADD = $(core_ldadd)
t_check_gc_condemned_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pyb_cycle_forget
t_check_gc_giveback_CPPFLAGS = $(core_cppflags)
t_check_gc_giveback_LDADD = $(core_ldadd)
t_check_gc_heap_CPPFLAGS = $(core_cppflags)
t_check_gc_heap_LDADD = $(core_ldadd)
t_check_gc_leave_CPPFLAGS = $(core_cppflags)
t_check_gc_leave_LDADD = $(core_ldadd)
t_check_marking_CPPFLAGS = $(core_cppflags)
t_check_marking_LDADD = $(core_ldadd)
t_check_marking_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_create \
	-Wl,--wrap=pthread_join
t_check_spare_CPPFLAGS = $(core_cppflags)
t_check_spare_LDADD = $(core_ldadd)
t_check_watch_census_CPPFLAGS = $(core_cppflags)
t_check_watch_census_LDADD = $(core_ldadd)
t_check_watch_edges_CPPFLAGS = $(core_cppflags)
t_check_watch_edges_LDADD = $(core_ldadd)
watched = t/watched.c t/watched.h
t_check_watch_clear_SOURCES = t/check_watch_clear.c $(watched)
t_check_watch_clear_CPPFLAGS = $(core_cppflags)
t_check_watch_clear_LDADD = $(core_ldadd)
t_check_watch_dealloc_SOURCES = t/check_watch_dealloc.c $(watched)
t_check_watch_dealloc_CPPFLAGS = $(core_cppflags)
t_check_watch_dealloc_LDADD = $(core_ldadd)
t_check_watch_early_SOURCES = t/check_watch_early.c $(watched)
t_check_watch_early_CPPFLAGS = $(core_cppflags)
t_check_watch_early_LDADD = $(core_ldadd)
t_check_watch_finalize_SOURCES = t/check_watch_finalize.c $(watched)
t_check_watch_finalize_CPPFLAGS = $(core_cppflags)
t_check_watch_finalize_LDADD = $(core_ldadd)
t_check_watch_flawed_SOURCES = t/check_watch_flawed.c $(watched)
t_check_watch_flawed_CPPFLAGS = $(core_cppflags)
t_check_watch_flawed_LDADD = $(core_ldadd)
t_check_watch_right_SOURCES = t/check_watch_right.c $(watched)
t_check_watch_right_CPPFLAGS = $(core_cppflags)
t_check_watch_right_LDADD = $(core_ldadd)
leaks = t/leaks.c t/leaks.h t/watch_text.h
t_check_watch_leaks_SOURCES = t/check_watch_leaks.c $(leaks)
t_check_watch_leaks_CPPFLAGS = $(core_cppflags)
t_check_watch_leaks_LDADD = $(core_ldadd)
leaks_wraps = -Wl,--wrap=calloc -Wl,--wrap=pyb_census_take
t_check_watch_leaks_LDFLAGS = $(AM_LDFLAGS) -export-dynamic $(leaks_wraps)
t_check_watch_trace_SOURCES = t/check_watch_trace.c $(leaks)
t_check_watch_trace_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
why = t/watch_text.h t/why.c t/why.h
t_check_watch_places_SOURCES = t/check_watch_places.c $(why)
t_check_watch_places_CPPFLAGS = $(core_cppflags)
t_check_watch_places_LDADD = $(core_ldadd)
t_check_watch_places_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
t_check_watch_why_SOURCES = t/check_watch_why.c $(why)
t_check_watch_why_CPPFLAGS = $(core_cppflags)
t_check_watch_why_LDADD = $(core_ldadd)
t_check_watch_why_LDFLAGS = $(AM_LDFLAGS) -export-dynamic

check_PROGRAMS += $(api_tests) $(rule_tests) $(core_tests)
TESTS += $(api_tests) $(rule_tests) $(core_tests) $(script_tests) t/conformance.sh

# The script has it watched.
check_PROGRAMS += t/probes
t/probes.log: t/probes$(EXEEXT)

# It reads what the others said.
t/conformance.log: $(api_tests:=.log) $(rule_tests:=.log) \
	$(core_tests:=.log) $(script_tests:.sh=.log)

adopted = t/adopted.c t/adopted.h
t_check_gc_adopted_death_SOURCES = t/check_gc_adopted_death.c $(adopted)
t_check_gc_adopted_host_SOURCES = t/check_gc_adopted_host.c $(adopted)
t_check_gc_adoption_SOURCES = t/check_gc_adoption.c $(adopted)

check_LTLIBRARIES += t/libsuite.la
t_libsuite_la_SOURCES = \
	t/collector.c \
	t/collector.h \
	t/host.c \
	t/host.h \
	t/node.c \
	t/node.h \
	t/odd.c \
	t/odd.h \
	t/sets.c \
	t/sets.h \
	t/suite.c \
	t/suite.h \
	t/threads.c \
	t/threads.h

t_check_threads_stress_SOURCES = \
	t/check_threads_stress.c \
	t/crowd/attached.c \
	t/crowd/crowd.c \
	t/crowd/crowd.h \
	t/crowd/items.c \
	t/crowd/plain.c

# What t/check_import.c imports.  Libtool makes shared modules only of what is
# to be installed somewhere.
check_LTLIBRARIES += \
	t/modules/mod_export.la \
	t/modules/mod_noentry.la \
	t/modules/mod_phases.la \
	t/modules/mod_reinit.la \
	t/modules/mod_single.la \
	t/modules/new_container.la
module_ldflags = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
t_modules_mod_export_la_SOURCES = t/mod_export.c
t_modules_mod_export_la_LDFLAGS = $(module_ldflags)
t_modules_mod_noentry_la_SOURCES = t/mod_noentry.c
t_modules_mod_noentry_la_LDFLAGS = $(module_ldflags)
t_modules_mod_phases_la_SOURCES = t/mod_phases.c
t_modules_mod_phases_la_LDFLAGS = $(module_ldflags)
t_modules_mod_reinit_la_SOURCES = t/mod_reinit.c
t_modules_mod_reinit_la_LDFLAGS = $(module_ldflags)
t_modules_mod_single_la_SOURCES = t/mod_single.c
t_modules_mod_single_la_LDFLAGS = $(module_ldflags)
t_modules_new_container_la_SOURCES = t/new_container.c
t_modules_new_container_la_LDFLAGS = $(module_ldflags)

# A source of 2.2 as it is; what a compiler of today says of it is not asked.
check_LTLIBRARIES += t/libold.la
t_libold_la_SOURCES = t/old_container.c
t_libold_la_CFLAGS = $(LANG_CFLAGS) $(SANITIZE_CFLAGS) -w
t_check_editions_LDADD = t/libold.la $(LDADD)
# It is run by the script as well.
t/editions.log: t/check_editions$(EXEEXT)

# Some play a host that uses Boehm itself, and threads.
LDADD = t/libsuite.la libpyboehm.la $(test_libs)
core_ldadd = t/libsuite.la lib/libcore.la $(test_libs)
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
include t/world/local.mk
include t/mutation/local.mk
include t/faults/local.mk
include t/hosts/local.mk
include t/stress/local.mk
include t/coverage/local.mk
include t/tools/local.mk
include t/fuzz/local.mk
