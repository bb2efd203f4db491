/* unexamined.h: types that have a tp_traverse of their own, which no audit has
   tried, for it found no instance alive.  That an audit has no findings says
   nothing about them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_UNEXAMINED_H
#define PYB_WATCH_AUDIT_UNEXAMINED_H

#include <stdio.h>

/* pyb_unexamined_strike: an audit has tried an instance of the type, and so
   the tp_traverse of its bases. */
void pyb_unexamined_strike(PyTypeObject *type);

/* pyb_unexamined_take: finds the types that are left, among those there are
   now. */
void pyb_unexamined_take(void);

/* pyb_unexamined_print: names what was found last, in a line that begins with
   prefix; writes nothing if there is none. */
void pyb_unexamined_print(const char *prefix, FILE *file);

#endif /* PYB_WATCH_AUDIT_UNEXAMINED_H */
