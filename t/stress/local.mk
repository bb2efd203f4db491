# t/stress/local.mk: the suite with a collection at every allocation; and
# sixteen threads for as long as one likes: make soak-threads SECONDS=n.

EXTRA_DIST += t/stress/judge.awk t/stress/stress.sh t/stress/table.txt

.PHONY: check-stress
check-stress: all
	$(MAKE) $(AM_MAKEFLAGS) $(stress_tests) $(check_LTLIBRARIES)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/t/stress/stress.sh \
		$(stress_tests)

# Of each test, what an automatic collection could change.
stress_tests = $(api_tests) $(rule_tests) $(core_tests)

# SEED, or another one each time.  The last line of a program without a fault
# says how many lives there were.
soak-threads: t/runtime/check_threads_stress$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) PYBOEHM_TEST_SECONDS=$(SECONDS) \
		PYBOEHM_TEST_SEED=$${SEED-$$(date +%s)} \
		CK_TIMEOUT_MULTIPLIER=$$(($(SECONDS) / 100 + 1)) \
		t/runtime/check_threads_stress$(EXEEXT)
.PHONY: soak-threads
