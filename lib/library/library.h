/* library.h: modules of Python's library that extension modules import, as far
   as they make sense without Python code, and the functions of builtins and
   sys.

     builtinfuncs.c   len, getattr, isinstance ...: functions of builtins
     sequencefuncs.c  those that go over an iterable: sorted, min, sum ...
     sysfuncs.c       functions of sys: getsizeof, intern, exc_info ...
     contextvars.c    contextvars
     copyreg.c        copyreg
     extensioncodes.c copyreg: the registry of extension codes
     abc.c            abc.ABCMeta
     collectionsabc.c collections.abc; its methods in abstractstub.c,
                      sequencemixins.c, setmixins.c and mappingmixins.c
     operator.c       operator: functions
     getters.c        operator: itemgetter, attrgetter, methodcaller
     functools.c      functools: partial, reduce, update_wrapper, wraps
     cmptokey.c       functools: cmp_to_key
     names.c          types, inspect, collections: names and numbers alone
     newclass.c       types: new_class, prepare_class, resolve_bases

   This layer stands above lib/types and lib/object, and uses the API as a
   program would. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_LIBRARY_LIBRARY_H
#define PYB_LIBRARY_LIBRARY_H

#include "Python.h"

/* pyb_library_init: has the importer know the modules, and adds the functions
   to builtins and sys.  0, or -1 with an exception. */
int pyb_library_init(void);

/* The functions of builtins, and those of sys; tables for
   PyModule_AddFunctions. */
extern PyMethodDef pyb_builtinfuncs[];
extern PyMethodDef pyb_sequencefuncs[];
extern PyMethodDef pyb_sysfuncs[];

/* The functions of copyreg for extension codes. */
extern PyMethodDef pyb_extensioncodes[];

/* The functions of modules, and what else fills each: 0, or -1 with an
   exception. */
extern PyMethodDef pyb_abc_methods[];
extern PyMethodDef pyb_contextvars_methods[];
extern PyMethodDef pyb_copyreg_methods[];
extern PyMethodDef pyb_functools_methods[];
extern PyMethodDef pyb_operator_methods[];
extern PyMethodDef pyb_types_methods[];
int pyb_abc_exec(PyObject *module);
int pyb_collections_exec(PyObject *module);
int pyb_collectionsabc_exec(PyObject *module);
int pyb_contextvars_exec(PyObject *module);
int pyb_copyreg_exec(PyObject *module);
int pyb_functools_exec(PyObject *module);
int pyb_inspect_exec(PyObject *module);
int pyb_operator_exec(PyObject *module);
int pyb_types_exec(PyObject *module);

/* pyb_cmptokey: functools.cmp_to_key.  pyb_cmptokey_add: adds its type to the
   module.  0, or -1 with an exception. */
PyObject *pyb_cmptokey(PyObject *module, PyObject *args, PyObject *kwds);
int pyb_cmptokey_add(PyObject *module);

/* pyb_getters_add: adds the types of getters.c to the module operator.  0, or
   -1 with an exception. */
int pyb_getters_add(PyObject *module);

/* pyb_library_add_type: adds the type that spec describes, with that base
   (NULL: object), to the module.  0, or -1 with an exception. */
int pyb_library_add_type(PyObject *module, PyType_Spec *spec, PyObject *base);

#endif /* PYB_LIBRARY_LIBRARY_H */
