# bench/steps/local.mk: make bench-steps: the tables of doc/performance.md.

EXTRA_DIST += \
	bench/steps/functions.txt \
	bench/steps/profile.awk \
	bench/steps/steps.sh \
	bench/steps/table.awk

EXTRA_PROGRAMS += bench/steps/bandwidth bench/steps/steps
CLEANFILES += bench/steps/bandwidth bench/steps/steps
bench_steps_steps_LDADD = libpyboehm.la

.PHONY: bench-steps
bench-steps: bench/steps/bandwidth bench/steps/steps
	@srcdir='$(srcdir)' builddir='$(abs_builddir)' AWK='$(AWK)' \
		STRIP='$(STRIP)' $(SHELL) $(srcdir)/bench/steps/steps.sh
