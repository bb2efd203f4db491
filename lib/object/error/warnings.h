/* warnings.h: the end of warnings.c's data.  The public header of that name is
   include/warnings.h. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ERROR_WARNINGS_H
#define PYB_OBJECT_ERROR_WARNINGS_H

/* pyb_warnings_fini: forgets the hook. */
void pyb_warnings_fini(void);

#endif /* PYB_OBJECT_ERROR_WARNINGS_H */
