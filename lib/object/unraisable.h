/* unraisable.h: the beginning and end of what unraisable.c keeps. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_UNRAISABLE_H
#define PYB_OBJECT_UNRAISABLE_H

#include "Python.h"

/* What sys.unraisablehook is called with. */
extern PyTypeObject pyb_unraisable_args_type;

/* pyb_unraisable_fini: forgets the hook set from C. */
void pyb_unraisable_fini(void);

#endif /* PYB_OBJECT_UNRAISABLE_H */
