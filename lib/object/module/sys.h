/* sys.h: the modules that always exist, sys and builtins. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_SYS_H
#define PYB_OBJECT_MODULE_SYS_H

#include "Python.h"

/* pyb_sys_init: makes the module sys; sys.modules is there already.  0, or -1
   with an exception. */
int pyb_sys_init(void);

/* pyb_sys_enter: enters one of the library's modules in sys.modules.  0, or -1
   with an exception. */
int pyb_sys_enter(PyObject *module);

/* pyb_sys_fini: drops the module. */
void pyb_sys_fini(void);

/* pyb_sys_finalizing: modules are about to go: forgets the exception that
   PyErr_Print left in sys; sys.stdout and sys.stderr are what they were at the
   beginning. */
void pyb_sys_finalizing(void);

/* pyb_sys_path_set: what Py_SetPath set, or NULL.  pyb_sys_split_path: the
   list of the directories in such a text.  A new reference, or NULL with an
   exception. */
const wchar_t *pyb_sys_path_set(void);
PyObject *pyb_sys_split_path(const wchar_t *path);

/* pyb_sys_forget_hooks: drops the audit hooks. */
void pyb_sys_forget_hooks(void);

/* pyb_builtins_init, pyb_builtins_fini: likewise for builtins. */
int pyb_builtins_init(void);
void pyb_builtins_fini(void);

#endif /* PYB_OBJECT_MODULE_SYS_H */
