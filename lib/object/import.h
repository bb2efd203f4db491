/* import.h: the parts of importing.  The public header of that name is
   include/import.h.

     import.c      sys.modules, the table of built-in modules, the driver
     dynload.c     finding and opening shared objects
     moduleload.c  from an entry function to a finished module */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_IMPORT_H
#define PYB_OBJECT_IMPORT_H

#include "Python.h"

typedef PyObject *(*pyb_import_entry)(void);

/* pyb_import_init: makes sys.modules; 0, or -1 with an exception. */
int pyb_import_init(void);

/* pyb_import_fini: drops sys.modules. */
void pyb_import_fini(void);

/* pyb_import_error: raises ImportError, or a subclass, with the formatted text
   and with name and path (may be NULL) as its attributes.  Always NULL. */
PyObject *pyb_import_error(PyObject *type, PyObject *name, PyObject *path,
                           const char *format, ...);

/* pyb_import_forget: takes a module whose import failed out of sys.modules;
   the exception stays. */
void pyb_import_forget(PyObject *name);

/* pyb_import_full_name: the name for a module whose definition says `name':
   the dotted one if its entry function is being run for that, else name. */
const char *pyb_import_full_name(const char *name);

/* pyb_dynload_find: the file that sys.path has for a module: 1 and a new str
   in *path; 0 and NULL if there is none; -1 and NULL with an exception. */
int pyb_dynload_find(PyObject *name, PyObject **path);

/* pyb_dynload_entry: opens the shared object and returns its PyInit function,
   or NULL with ImportError. */
pyb_import_entry pyb_dynload_entry(PyObject *name, PyObject *path);

/* pyb_moduleload_run: runs the entry function of the module `name', which came
   from the file path (NULL: built in), and enters the module in sys.modules.
   A new reference, or NULL with an exception and no entry. */
PyObject *pyb_moduleload_run(PyObject *name, PyObject *path,
                             pyb_import_entry entry);

/* What modules keep as __spec__, with name, origin and the like. */
extern PyTypeObject pyb_modulespec_type;

#endif /* PYB_OBJECT_IMPORT_H */
