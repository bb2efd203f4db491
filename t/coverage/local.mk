# t/coverage/local.mk: make coverage: the library again, in a directory of its
# own, with gcc's counters; how many of its lines the suite runs.

EXTRA_DIST += \
	t/coverage/flush.c \
	t/coverage/lines.awk \
	t/coverage/report.awk \
	t/coverage/run.sh

# run.sh sets it; lib/local.mk uses it.
COVERAGE_CFLAGS =

# What is run.
COVERAGE_TARGETS = check check-oracle

.PHONY: coverage
coverage:
	@abs_srcdir='$(abs_srcdir)' MAKE='$(MAKE)' AWK='$(AWK)' \
		TARGETS='$(COVERAGE_TARGETS)' \
		$(SHELL) '$(srcdir)/t/coverage/run.sh'

clean-local: clean-coverage
.PHONY: clean-coverage
clean-coverage:
	rm -rf coverage
