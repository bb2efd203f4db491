# t/heaps/local.mk: a random world of two heaps, in which Boehm owns some
# references and the host's blocks have finalizers of their own, and a model.
#
# A few programs belong to make check; make check-heaps runs 10^5 and more,
# with fixed seeds.

EXTRA_PROGRAMS += t/heaps/heaps
CLEANFILES += t/heaps/heaps
t_heaps_heaps_SOURCES = $(random_headers) $(random_sources) $(random_main) \
	t/heaps/between.c \
	t/heaps/deeds.c \
	t/heaps/driver.c \
	t/heaps/heaps.h \
	t/heaps/host.c \
	t/heaps/host.h \
	t/heaps/main.c \
	t/heaps/model.c \
	t/heaps/model.h \
	t/heaps/objects.c \
	t/heaps/objects.h \
	t/heaps/program.c \
	t/heaps/program.h \
	t/heaps/tally.h \
	t/heaps/watch.c
t_heaps_heaps_LDADD = libpyboehm.la $(GC_LIBS)

script_tests += t/heaps/heaps.sh
t/heaps/heaps.log: t/heaps/heaps$(EXEEXT)

# The seeds are fixed, not the time: about a minute on one idle core.
check-heaps: t/heaps/heaps$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/t/heaps/heaps.sh check

.PHONY: check-heaps
