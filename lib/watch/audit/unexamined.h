/* unexamined.h: types that have a tp_traverse of their own, and of which no
   audit has found an instance, or one of a subclass.  That an audit has no
   findings says nothing about them.  Types that are gone before the last audit
   are not known here. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_UNEXAMINED_H
#define PYB_WATCH_AUDIT_UNEXAMINED_H

#include <stdio.h>

/* pyb_unexamined_begin: none is known. */
void pyb_unexamined_begin(void);

/* pyb_unexamined_strike: an audit has found an instance of the type, which is
   one of its bases, too. */
void pyb_unexamined_strike(PyTypeObject *type);

/* pyb_unexamined_take: finds the types that are left, among those there are
   now.  pyb_unexamined_settle: from now on that stays: types are about to
   go. */
void pyb_unexamined_take(void);
void pyb_unexamined_settle(void);

/* pyb_unexamined_print: names what was found last, in a line that begins with
   prefix; writes nothing if there is none. */
void pyb_unexamined_print(const char *prefix, FILE *file);

#endif /* PYB_WATCH_AUDIT_UNEXAMINED_H */
