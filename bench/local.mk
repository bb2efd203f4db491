# bench/local.mk: the benchmarks.
#
#   make bench              all rows of bench/rows.txt: the same source on
#                           pyboehm and on CPython, plain Boehm beside them: a
#                           table, each figure with its goal; about 15 minutes
#   make bench QUICK=1      fewer pairs, no 10^7 objects
#   make bench ROWS='churn live/chain'
#                           only these programs and rows
#   make bench BEFORE=FILE.csv
#                           names the rows that have fallen by a tenth since
#                           that run, whose bench/results.csv it is
#   make bench-curve        the cost of an object from 10^3 to 3*10^7 of them
#   make bench-growth       objects that register with another, 10^5 of them,
#                           and what grows piece by piece
#
# PYTHON_CONFIG=... is the python3-config of the CPython to compare with.
# bench/run.sh says what else can be set.
#
# Where to begin to read: bench/nodes.h, then one of the programs, of which
# each has one idea.

EXTRA_DIST += bench/GOALS.md bench/curve.txt bench/growth.txt bench/median.awk \
	bench/plot.awk bench/rows.txt bench/run.sh bench/table.awk

PYTHON_CONFIG = python3-config

# Those that are compared with CPython, and those with plain Boehm.
bench_programs = \
	bench/attributes \
	bench/build \
	bench/churn \
	bench/containers \
	bench/dead \
	bench/live \
	bench/memory \
	bench/pauses \
	bench/registered \
	bench/release \
	bench/strings \
	bench/trees
bench_boehm_programs = \
	bench/boehm_alloc \
	bench/boehm_collect \
	bench/boehm_idle \
	bench/boehm_text
bench_plain_programs = $(bench_boehm_programs:=-plain)

EXTRA_PROGRAMS += $(bench_programs) $(bench_boehm_programs) \
	bench/boehm_alloc-plain bench/boehm_collect-plain bench/boehm_idle-plain \
	bench/boehm_text-plain
CLEANFILES += $(bench_programs) $(bench_programs:=-cpython) \
	$(bench_boehm_programs) $(bench_plain_programs) bench/*.csv bench/*.svg

bench_base = bench/bench.c bench/bench.h
bench_nodes = $(bench_base) bench/nodes.c bench/nodes.h
bench_attributes_SOURCES = bench/attributes.c $(bench_nodes)
bench_build_SOURCES = bench/build.c $(bench_nodes)
bench_churn_SOURCES = bench/churn.c $(bench_nodes)
bench_containers_SOURCES = bench/containers.c $(bench_nodes)
bench_dead_SOURCES = bench/dead.c $(bench_nodes)
bench_live_SOURCES = bench/live.c $(bench_nodes)
bench_memory_SOURCES = bench/memory.c $(bench_nodes)
bench_pauses_SOURCES = bench/pauses.c $(bench_nodes)
bench_registered_SOURCES = bench/registered.c $(bench_nodes)
bench_release_SOURCES = bench/release.c $(bench_nodes)
bench_strings_SOURCES = bench/strings.c $(bench_nodes)
bench_trees_SOURCES = bench/trees.c $(bench_nodes)
bench_attributes_LDADD = libpyboehm.la
bench_build_LDADD = libpyboehm.la
bench_churn_LDADD = libpyboehm.la
bench_containers_LDADD = libpyboehm.la
bench_dead_LDADD = libpyboehm.la
bench_live_LDADD = libpyboehm.la
bench_memory_LDADD = libpyboehm.la
bench_pauses_LDADD = libpyboehm.la
bench_registered_LDADD = libpyboehm.la
bench_release_LDADD = libpyboehm.la
bench_strings_LDADD = libpyboehm.la
bench_trees_LDADD = libpyboehm.la

bench_boehm_alloc_SOURCES = bench/boehm_alloc.c $(bench_nodes)
bench_boehm_alloc_LDADD = libpyboehm.la $(GC_LIBS)
bench_boehm_collect_SOURCES = bench/boehm_collect.c $(bench_nodes)
bench_boehm_collect_LDADD = libpyboehm.la $(GC_LIBS)
# It is linked with a library that it does not call.
bench_boehm_idle_SOURCES = bench/boehm_idle.c $(bench_base)
bench_boehm_idle_LDFLAGS = $(AM_LDFLAGS) -Wl,--no-as-needed
bench_boehm_idle_LDADD = libpyboehm.la $(GC_LIBS)
bench_text = examples/host/intern.c examples/host/intern.h \
	examples/host/rope.c examples/host/rope.h
bench_boehm_text_SOURCES = bench/boehm_text.c $(bench_nodes) $(bench_text)
bench_boehm_text_LDADD = libpyboehm.la $(GC_LIBS)

bench_plain_cppflags = $(AM_CPPFLAGS) -DBENCH_PLAIN
bench_boehm_alloc_plain_SOURCES = bench/boehm_alloc.c $(bench_base)
bench_boehm_alloc_plain_CPPFLAGS = $(bench_plain_cppflags)
bench_boehm_alloc_plain_LDADD = $(GC_LIBS)
bench_boehm_collect_plain_SOURCES = bench/boehm_collect.c $(bench_base)
bench_boehm_collect_plain_CPPFLAGS = $(bench_plain_cppflags)
bench_boehm_collect_plain_LDADD = $(GC_LIBS)
bench_boehm_idle_plain_SOURCES = bench/boehm_idle.c $(bench_base)
bench_boehm_idle_plain_CPPFLAGS = $(bench_plain_cppflags)
bench_boehm_idle_plain_LDADD = $(GC_LIBS)
bench_boehm_text_plain_SOURCES = bench/boehm_text.c $(bench_base) $(bench_text)
bench_boehm_text_plain_CPPFLAGS = $(bench_plain_cppflags)
bench_boehm_text_plain_LDADD = $(GC_LIBS)

# With the flags that our side has, but for warnings: CPython's headers need
# others.  Always anew, as PYTHON_CONFIG may be another one than before.
bench-cpython:
	@rm -f $(bench_programs:=-cpython)
	@command -v $(PYTHON_CONFIG) >/dev/null || { \
		echo 'no CPython to compare with: install python3-dev, or say' \
			'PYTHON_CONFIG=...'; exit 0; }; \
	echo "compared with `$(PYTHON_CONFIG) --embed --libs`"; \
	for program in $(bench_programs); do \
		$(CC) $(own_cflags) $(CFLAGS) -w `$(PYTHON_CONFIG) --includes` \
			-o $$program-cpython $(srcdir)/$$program.c \
			$(srcdir)/bench/bench.c $(srcdir)/bench/nodes.c \
			`$(PYTHON_CONFIG) --embed --ldflags` || exit; \
	done

bench_run = builddir='$(builddir)' srcdir='$(srcdir)' AWK='$(AWK)' \
	$(SHELL) $(srcdir)/bench/run.sh

bench_made = $(bench_programs) $(bench_boehm_programs) $(bench_plain_programs)

# The test runs our side.
t/bench.log: $(bench_programs) $(bench_boehm_programs)

bench: $(bench_made) bench-cpython
	@$(bench_run)

bench-curve: $(bench_made) bench-cpython
	@PAIRS=$${PAIRS-3} $(bench_run) $(srcdir)/bench/curve.txt

bench-growth: $(bench_made) bench-cpython
	@PAIRS=$${PAIRS-3} $(bench_run) $(srcdir)/bench/growth.txt

.PHONY: bench bench-cpython bench-curve bench-growth
