# t/stress/local.mk: the suite with a collection at every allocation.

EXTRA_DIST += t/stress/judge.awk t/stress/stress.sh t/stress/table.txt

.PHONY: check-stress
check-stress: all
	$(MAKE) $(AM_MAKEFLAGS) $(stress_tests) $(check_LTLIBRARIES)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/t/stress/stress.sh \
		$(stress_tests)

# Of each test, what an automatic collection could change.
stress_tests = $(api_tests) $(rule_tests) $(core_tests)
