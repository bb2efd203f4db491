# t/gdb/local.mk: what t/gdb/gdb.sh has gdb look at.

EXTRA_DIST += t/gdb/expected.txt t/gdb/look.gdb

# gdb shall see the program itself, not libtool's script; and its types.
check_PROGRAMS += t/gdb/program
t_gdb_program_SOURCES = t/gdb/program.c
t_gdb_program_CFLAGS = $(AM_CFLAGS) -g
t_gdb_program_LDADD = libpyboehm.la $(GC_LIBS)
t/gdb/gdb.log: t/gdb/program$(EXEEXT)
t_gdb_program_LDFLAGS = $(AM_LDFLAGS) -no-install

# And this one says what each probe should that t/gdb/probes.sh has it watch.
check_PROGRAMS += t/gdb/probes
t_gdb_probes_SOURCES = t/gdb/probes.c
t/gdb/probes.log: t/gdb/probes$(EXEEXT)
