# t/hostile/local.mk: broken types, and what the library says to them.

hostile_sources = \
	t/hostile/clears.c \
	t/hostile/deallocs.c \
	t/hostile/effects.c \
	t/hostile/finalizers.c \
	t/hostile/honest.c \
	t/hostile/hostile.h \
	t/hostile/layouts.c \
	t/hostile/main.c \
	t/hostile/objects.c \
	t/hostile/visits.c

EXTRA_DIST += t/hostile/table.txt
check_PROGRAMS += t/hostile/hostile
t_hostile_hostile_SOURCES = $(hostile_sources)
t_hostile_hostile_LDADD = libpyboehm.la
t/hostile/hostile.log: t/hostile/hostile$(EXEEXT) t/hostile/table.txt
t/audit/hostile.log: t/hostile/hostile$(EXEEXT) t/audit/hostile.txt

# The same sources on CPython, which must not fare better.
CLEANFILES += t/hostile/hostile-cpython
t/hostile/hostile-cpython: $(hostile_sources)
	$(AM_V_CCLD)$(CC) -w -O1 `$(PYTHON_CONFIG) --cflags` -o $@ \
		`for f in $(hostile_sources); do \
			case $$f in *.c) echo $(srcdir)/$$f ;; esac; done` \
		`$(PYTHON_CONFIG) --embed --ldflags`

check-hostile: t/hostile/hostile t/hostile/hostile-cpython
	@srcdir='$(srcdir)' builddir='$(abs_builddir)' \
		CPYTHON_HOSTILE=t/hostile/hostile-cpython \
		$(SHELL) $(srcdir)/t/hostile/hostile.sh
.PHONY: check-hostile

# Programs with one mistake each; which tool names which.
EXTRA_DIST += t/watch/bugs/bugs.txt
check_PROGRAMS += t/watch/bugs/bugs
t_watch_bugs_bugs_SOURCES = t/watch/bugs/bugs.c
t_watch_bugs_bugs_LDADD = libpyboehm.la
t/watch/bugs.log: t/watch/bugs/bugs$(EXEEXT) t/watch/bugs/bugs.txt
