/* import.h: the parts of importing.  The public header of that name is
   include/import.h.

     import.c      sys.modules, the table of built-in modules, the driver
     dynload.c     finding and opening shared objects
     hookname.c    the names of their hooks
     moduleload.c  from a hook to a finished module
     modulecache.c what a second import needs of the first
     importlevel.c importing as the statement does, reloading */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_IMPORT_H
#define PYB_OBJECT_MODULE_IMPORT_H

#include "Python.h"

typedef PyObject *(*pyb_import_entry)(void);
typedef PySlot *(*pyb_import_export)(void);

/* How a module begins: its definition, if it is the library's, else its
   PyModExport function, else its PyInit function.  NULL: not there. */
struct pyb_import_hooks {
    PyModuleDef *def;
    pyb_import_export export;
    pyb_import_entry init;
};

/* pyb_import_init: makes sys.modules; 0, or -1 with an exception. */
int pyb_import_init(void);

/* pyb_import_fini: drops sys.modules. */
void pyb_import_fini(void);

/* pyb_import_offer: has modules found that are made of code in the library, by
   the names in their definitions: a table that ends with a NULL name and
   stays. */
void pyb_import_offer(PyModuleDef *modules);

/* pyb_import_is_own: is op one of the library's own modules?  Any object may
   be asked about. */
int pyb_import_is_own(PyObject *op);

/* pyb_import_is_modules: is op sys.modules?  0 where there is none. */
int pyb_import_is_modules(const PyObject *op);

/* pyb_import_error: raises ImportError, or a subclass, with the formatted text
   and with name and path (may be NULL) as its attributes.  Always NULL. */
PyObject *pyb_import_error(PyObject *type, PyObject *name, PyObject *path,
                           const char *format, ...);

/* pyb_import_forget: takes a module that could not be imported out of
   sys.modules; the exception stays. */
void pyb_import_forget(PyObject *name);

/* pyb_import_find: looks for a module: 1 with a built-in's entry function or
   definition in hooks, or with its file as a new str in *path; 0 and NULL if
   there is none; -1 with an exception. */
int pyb_import_find(PyObject *name, PyObject **path,
                    struct pyb_import_hooks *hooks);

/* pyb_import_full_name: the name for a module with `name' in its definition:
   the dotted name if its entry function is being run for that one, else
   name. */
const char *pyb_import_full_name(const char *name);

/* pyb_dynload_is_missing: is there nothing of that name?  1 or 0, or -1 with
   an exception. */
int pyb_dynload_is_missing(PyObject *path);

/* pyb_dynload_find: the file that sys.path has for a module: 1 and a new str
   in *path; 0 and NULL if there is none; -1 and NULL with an exception. */
int pyb_dynload_find(PyObject *name, PyObject **path);

/* pyb_dynload_find_package: the directory that sys.path has for a package; the
   same results. */
int pyb_dynload_find_package(PyObject *name, PyObject **path);

/* pyb_dynload_find_foreign: likewise a file with the suffix of modules for
   another implementation of Python and for it alone. */
int pyb_dynload_find_foreign(PyObject *name, PyObject **path);

/* pyb_hookname: PREFIX_NAME for a module; if the name is not ASCII, PREFIXU_
   and the name in punycode; with "_" for "-".  Only the part behind the last
   dot counts.  A new str, or NULL with an exception. */
PyObject *pyb_hookname(const char *prefix, PyObject *module_name);

/* pyb_dynload_open: opens the shared object and looks for the module's hooks;
   0, or -1 with ImportError. */
int pyb_dynload_open(PyObject *name, PyObject *path,
                     struct pyb_import_hooks *hooks);

/* pyb_moduleload_run: makes the module `name', which came from the file path
   (NULL: built in), with the one of the hooks that is there, and enters it in
   sys.modules.  A new reference, or NULL with an exception and no entry. */
PyObject *pyb_moduleload_run(PyObject *name, PyObject *path,
                             const struct pyb_import_hooks *hooks);

/* pyb_moduleload_package: makes the package `name' of that directory: an empty
   module with __path__, and enters it in sys.modules. A new reference, or NULL
   with an exception and no entry. */
PyObject *pyb_moduleload_package(PyObject *name, PyObject *directory);

/* pyb_moduleload_again: completes an existing module: sets its origin, and
   executes it unless that has been done.  0 or -1. */
int pyb_moduleload_again(PyObject *module, PyObject *name, PyObject *path);

/* pyb_modulecache_keep: remembers a module of one phase, just initialised, if
   its definition wants that to happen once.  0 or -1. */
int pyb_modulecache_keep(PyObject *module, PyModuleDef *def, PyObject *name,
                         PyObject *path);

/* pyb_modulecache_again: a new module with the contents of the remembered one
   of that name and file, and its definition; NULL, without an exception if
   there is none. */
PyObject *pyb_modulecache_again(PyObject *name, PyObject *path,
                                PyModuleDef **def);

/* pyb_modulecache_forget: forgets all of these modules. */
void pyb_modulecache_forget(void);

/* The type of modules' __spec__, with name, origin and the like. */
extern PyTypeObject pyb_modulespec_type;

#endif /* PYB_OBJECT_MODULE_IMPORT_H */
