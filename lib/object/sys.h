/* sys.h: the modules that are always there, sys and builtins. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_SYS_H
#define PYB_OBJECT_SYS_H

#include "Python.h"

/* pyb_sys_init: makes the module sys; sys.modules is there already.  0, or -1
   with an exception. */
int pyb_sys_init(void);

/* pyb_sys_fini: drops the module. */
void pyb_sys_fini(void);

/* pyb_sys_forget_last: forgets the exception that PyErr_Print left in sys. */
void pyb_sys_forget_last(void);

/* pyb_builtins_init, pyb_builtins_fini: the same for builtins. */
int pyb_builtins_init(void);
void pyb_builtins_fini(void);

#endif /* PYB_OBJECT_SYS_H */
