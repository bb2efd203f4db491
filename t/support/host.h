/* host.h: the kind of Boehm host that a test program plays. */

#ifndef T_HOST_H
#define T_HOST_H

/* host_prepare: before Py_Initialize: starts Boehm as the host would that the
   environment variable PYBOEHM_TEST_HOST names.  t/hosts/hosts.sh has the
   list; without the variable it does nothing. */
void host_prepare(void);

/* host_initialized: after Py_Initialize: the rest of it, and host_check. */
void host_initialized(void);

/* host_check: fails the test unless the switch that makes this host took
   effect, and has not been turned back. */
void host_check(void);

/* host_unmaps: does Boehm ever give memory back to the system?  It can be
   built so that it does not; then the log says that the test is left out. */
int host_unmaps(void);

/* host_collecting: at so many allocations more, one after another, Boehm is to
   collect, and at some of those that follow; see hosts/collecting.c. */
extern long host_collecting;

#endif /* T_HOST_H */
