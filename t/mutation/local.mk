# t/mutation/local.mk: make mutation: do the tests notice when lib/gc is wrong
# in one small place?  See run.sh.
#
#     make mutation                                all of it: an hour or two
#     make mutation MUTANTS='heap/heap.c cycle.c:80-120'
#     make mutation SAMPLE=20                      so many, evenly spread
#     make check-mutation                          a few, in a minute

EXTRA_DIST += t/mutation/killed.txt t/mutation/mutants.awk t/mutation/report.awk \
	t/mutation/run.sh t/mutation/survivors.txt

MUTANTS =
SAMPLE = 0
ALL = 0
LONGEST = 0
MUTATION = $(abs_builddir)/mutation
mutation_run = $(AM_TESTS_ENVIRONMENT) \
	MUTATION='$(MUTATION)' SAMPLE='$(SAMPLE)' ALL='$(ALL)' \
	LONGEST='$(LONGEST)' \
	TESTS='$(TESTS)' \
	CORE_TESTS='$(core_tests) $(faults_tests)' \
	FAULTS_LDFLAGS='$(faults_ldflags)' \
	ATTACH_LDFLAGS='$(t_runtime_check_attach_LDFLAGS)' \
	CONDEMNED_LDFLAGS='$(t_gc_check_gc_condemned_LDFLAGS)' \
	LEAKS_LDFLAGS='$(leaks_wraps)' \
	SOURCES='$(lib_libcore_la_SOURCES) $(nodist_lib_libcore_la_SOURCES)' \
	COMPILE_FLAGS='$(lib_libcore_la_CPPFLAGS) $(CPPFLAGS) \
		$(lib_libcore_la_CFLAGS) $(CFLAGS)' \
	LIBS='$(test_libs) $(GMP_LIBS) $(LIBS)' \
	SHELL='$(SHELL)' $(SHELL) $(srcdir)/t/mutation/run.sh

$(MUTATION)/times: $(check_PROGRAMS) $(check_LTLIBRARIES) libpyboehm.la \
		t/world/world$(EXEEXT) t/mutation/run.sh
	@$(mutation_run) times

mutation: $(MUTATION)/times
	@$(mutation_run) $(MUTANTS)

# A few that are known to be noticed, in a minute: tool and tests work.
check-mutation: $(check_PROGRAMS) $(check_LTLIBRARIES) libpyboehm.la \
		t/world/world$(EXEEXT)
	@$(mutation_run) known

clean-mutation:
	rm -rf $(MUTATION)
mostlyclean-local: clean-mutation
.PHONY: check-mutation clean-mutation mutation
