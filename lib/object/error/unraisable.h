/* unraisable.h: the parts of unraisable.c for the library's start and end. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ERROR_UNRAISABLE_H
#define PYB_OBJECT_ERROR_UNRAISABLE_H

#include "Python.h"

/* The type of sys.unraisablehook's argument. */
extern PyTypeObject pyb_unraisable_args_type;

/* pyb_unraisable_fini: forgets the hook set from C. */
void pyb_unraisable_fini(void);

#endif /* PYB_OBJECT_ERROR_UNRAISABLE_H */
