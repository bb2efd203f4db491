# t/cost/local.mk: what the hot paths cost, in instructions.
#
#   make -s cost-bounds  prints a new bounds.txt, with new figures of this
#                        build's compiler; put it in that file's place, and
#                        then do the same in a build of the other one

EXTRA_DIST += \
	t/cost/bounds.awk \
	t/cost/bounds.txt \
	t/cost/cost.awk \
	t/cost/judge.awk

check_PROGRAMS += t/cost/cost
t_cost_cost_LDADD = libpyboehm.la

ordinary_tests += t/cost/cost.sh
t/cost/cost.log: t/cost/cost$(EXEEXT) t/cost/bounds.txt

AM_TESTS_ENVIRONMENT += \
	COST_FLAGS='$(CHECKS_CPPFLAGS) $(SANITIZE_CFLAGS) $(COVERAGE_CFLAGS)'; \
	COST_FLAGS="$$COST_FLAGS "'$(CPPFLAGS) $(CFLAGS)'; export COST_FLAGS;

.PHONY: cost-bounds
cost-bounds: t/cost/cost$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/t/cost/cost.sh bounds
