/* probes.h: static probes, for perf, bpftrace, SystemTap and gdb.

   Each is a nop in the code and a note in the ELF file that says where it is
   and where its arguments are: what watches puts a trap there, and nothing
   else pays.  So the arguments are what is at hand anyway.

   configure --with-dtrace puts them in; without, there are none.  Names and
   arguments are in doc/statistics.md, and stay. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_PROBES_H
#define PYB_GC_BASE_PROBES_H

#ifdef WITH_DTRACE
#include <sys/sdt.h>

#define PYB_PROBE(name) DTRACE_PROBE(pyboehm, name)
#define PYB_PROBE1(name, arg) DTRACE_PROBE1(pyboehm, name, arg)
#else
#define PYB_PROBE(name) ((void)0)
#define PYB_PROBE1(name, arg) ((void)(arg))
#endif

#endif /* PYB_GC_BASE_PROBES_H */
