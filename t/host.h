/* host.h: the kind of Boehm host that a test program plays. */

#ifndef T_HOST_H
#define T_HOST_H

/* host_prepare: before Py_Initialize: starts Boehm as the host would that the
   environment variable PYBOEHM_TEST_HOST names.  t/hosts/hosts.sh has the
   list; without the variable it does nothing. */
void host_prepare(void);

/* host_initialized: after Py_Initialize: the rest of it. */
void host_initialized(void);

#endif /* T_HOST_H */
