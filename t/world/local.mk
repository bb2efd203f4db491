# t/world/local.mk: the random world: programs made by chance, on pyboehm, on
# CPython 3.11 and in a model.
#
# A few of them belong to make check; make check-world runs many, with fixed
# seeds, and make soak SECONDS=n new ones.

world_headers = $(random_headers) \
	t/world/model.h \
	t/world/nodes.h \
	t/world/program.h \
	t/world/side.h \
	t/world/world.h
world_sources = $(random_sources) \
	t/world/collect.c \
	t/world/deeds.c \
	t/world/driver.c \
	t/world/model.c \
	t/world/nodes.c \
	t/world/program.c
world_main = $(random_main) t/world/main.c

EXTRA_PROGRAMS += t/world/world
CLEANFILES += t/world/world t/world/world-cpython
t_world_world_SOURCES = $(world_headers) $(world_sources) $(world_main)
t_world_world_LDADD = libpyboehm.la

script_tests += t/world/world.sh
t/world/world.log: t/world/world$(EXEEXT)

# CPython's headers need other warnings than ours.
t/world/world-cpython: $(world_headers) $(world_sources) $(world_main)
	$(AM_V_CCLD)$(CC) -O2 -g -w -DWORLD_CPYTHON \
		`$(PYTHON_CONFIG) --includes` -o $@ \
		$(world_sources:%=$(srcdir)/%) $(world_main:%=$(srcdir)/%) \
		`$(PYTHON_CONFIG) --embed --ldflags`

world_run = $(AM_TESTS_ENVIRONMENT) \
	if command -v $(PYTHON_CONFIG) >/dev/null; then \
		$(MAKE) t/world/world-cpython || exit; \
	fi; \
	$(SHELL) $(srcdir)/t/world/world.sh

# The seeds are fixed, not the time: about a minute on two idle cores.
check-world: t/world/world$(EXEEXT)
	@$(world_run) check

# New seeds, for so many seconds.
SECONDS = 60
soak: t/world/world$(EXEEXT)
	@$(world_run) soak $(SECONDS)

# Programs that libFuzzer makes: one of the fuzzers of make check-fuzz.
t_world_fuzz_SOURCES = t/world/fuzz.c $(world_headers) $(world_sources)
t_world_fuzz_LDFLAGS = $(fuzz_ldflags)
t_world_fuzz_LDADD = libpyboehm.la

.PHONY: check-world soak
