/* import.h: finding, loading and remembering modules.

   A module is looked for in sys.modules, then in the table of built-in
   modules, then as a shared object NAME.so or NAME.abi3.so in the directories
   of sys.path, which begins as the colon-separated environment variable
   PYBOEHM_PATH.  "a.b" is a/b.so with an export hook PyModExport_b, which
   returns slots, or else an entry PyInit_b; a name that is not ASCII is looked
   for as PyModExportU_ or PyInitU_ and its punycode.  Shared objects stay
   loaded.  A failed import leaves nothing in sys.modules.

   A module that is taken out of sys.modules and imported again is a new one
   with its own state; but one of a single phase and with m_size -1 is not
   initialised twice: the new module gets a copy of the dictionary that the
   first one had after its import.

   A thread that imports or reloads what another one is loading or reloading
   waits until that is done, detached meanwhile.  Where two would wait for each
   other, one gets the module as it is.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Importing Modules". */

#ifndef Py_IMPORT_H
#define Py_IMPORT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A built-in module; one with a NULL name ends an array. */
struct _inittab {
    const char *name;
    PyObject *(*initfunc)(void);
};

/* PyImport_CreateModuleFromInitfunc: the module that the function makes, or
   describes; spec has its name as an attribute.  One of several phases is to
   be executed with PyModule_Exec, one of a single phase has been, and is in
   sys.modules.  A new reference, or NULL with an exception. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyObject *)
    PyImport_CreateModuleFromInitfunc(PyObject *spec,
                                      PyObject *(*initfunc)(void));
#endif

/* PyImport_AppendInittab, PyImport_ExtendInittab: add built-in modules; the
   names are not copied.  At any time, but before Py_Initialize in programs
   that also run on CPython.  0, or -1 if there is no memory. */
PyAPI_FUNC(int)
    PyImport_AppendInittab(const char *name, PyObject *(*initfunc)(void));
PyAPI_FUNC(int) PyImport_ExtendInittab(struct _inittab *newtab);

/* PyImport_Inittab: the table that they make longer, a copy of it.  Empty at
   first: the library's own modules are not in it.  A program may put a table
   of its own there. */
#ifndef Py_LIMITED_API
PyAPI_DATA(struct _inittab *) PyImport_Inittab;
#endif

/* PyImport_ImportModule, PyImport_Import: the module of that name, loaded if
   need be.  A new reference, or NULL with an exception: ModuleNotFoundError,
   ImportError, SystemError if its entry function misbehaves, or what that
   raised. */
PyAPI_FUNC(PyObject *) PyImport_ImportModule(const char *name);
PyAPI_FUNC(PyObject *) PyImport_ImportModuleNoBlock(const char *name);
PyAPI_FUNC(PyObject *) PyImport_Import(PyObject *name);

/* PyImport_ImportModuleLevelObject, PyImport_ImportModuleLevel,
   PyImport_ImportModuleEx: as the function __import__: of a dotted name the
   module of its first part, or, with a fromlist that is not empty, the module
   itself.  level > 0 is for a relative import: globals is the dictionary of
   the module that imports; locals is ignored.  A new reference, or NULL with
   an exception: those above, ValueError for an empty name or a negative level,
   ImportError or KeyError if the package is not known. */
PyAPI_FUNC(PyObject *)
    PyImport_ImportModuleLevelObject(PyObject *name, PyObject *globals,
                                     PyObject *locals, PyObject *fromlist,
                                     int level);
PyAPI_FUNC(PyObject *)
    PyImport_ImportModuleLevel(const char *name, PyObject *globals,
                               PyObject *locals, PyObject *fromlist,
                               int level);
#define PyImport_ImportModuleEx(n, g, l, f)                                   \
    PyImport_ImportModuleLevel((n), (g), (l), (f), 0)

/* PyImport_ReloadModule: looks for an imported module again and executes it if
   that has not been done: a module of C code keeps its state.  A new reference
   to what sys.modules then has, or NULL with an exception: TypeError for
   another object, ImportError if it is not in sys.modules,
   ModuleNotFoundError. */
PyAPI_FUNC(PyObject *) PyImport_ReloadModule(PyObject *module);

/* PyImport_ImportModuleAttr, PyImport_ImportModuleAttrString: an attribute of
   a module to be imported.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyImport_ImportModuleAttr(PyObject *mod_name, PyObject *attr_name);
PyAPI_FUNC(PyObject *) PyImport_ImportModuleAttrString(const char *mod_name,
                                                       const char *attr_name);

/* PyImport_AddModuleRef: the module of that name in sys.modules; an empty one
   is put there if there is none.  Nothing is loaded.  A new reference;
   PyImport_AddModule and PyImport_AddModuleObject: a borrowed one.  NULL with
   an exception. */
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(PyObject *) PyImport_AddModuleRef(const char *name);
#endif
PyAPI_FUNC(PyObject *) PyImport_AddModule(const char *name);
PyAPI_FUNC(PyObject *) PyImport_AddModuleObject(PyObject *name);

/* PyImport_GetModule: the module of that name in sys.modules, a new reference,
   or NULL: without an exception if it is not there. */
PyAPI_FUNC(PyObject *) PyImport_GetModule(PyObject *name);

/* PyImport_GetModuleDict: sys.modules, borrowed.  Never fails. */
PyAPI_FUNC(PyObject *) PyImport_GetModuleDict(void);

/* PyImport_GetImporter: None, a new reference: sys.path has no hooks. */
PyAPI_FUNC(PyObject *) PyImport_GetImporter(PyObject *path);

/* PyImport_ExecCodeModule and kin: NULL or -1 with NotImplementedError: there
   is no interpreter for a module's code. */
PyAPI_FUNC(PyObject *)
    PyImport_ExecCodeModule(const char *name, PyObject *code);
PyAPI_FUNC(PyObject *)
    PyImport_ExecCodeModuleEx(const char *name, PyObject *code,
                              const char *pathname);
PyAPI_FUNC(PyObject *)
    PyImport_ExecCodeModuleWithPathnames(const char *name, PyObject *code,
                                         const char *pathname,
                                         const char *cpathname);
#if _PYB_LIMITED_AT_LEAST(0x03070000)
PyAPI_FUNC(PyObject *)
    PyImport_ExecCodeModuleObject(PyObject *name, PyObject *code,
                                  PyObject *pathname, PyObject *cpathname);
#endif
PyAPI_FUNC(long) PyImport_GetMagicNumber(void);
PyAPI_FUNC(const char *) PyImport_GetMagicTag(void);
PyAPI_FUNC(int) PyImport_ImportFrozenModule(const char *name);
#if _PYB_LIMITED_AT_LEAST(0x03070000)
PyAPI_FUNC(int) PyImport_ImportFrozenModuleObject(PyObject *name);
#endif

/* PyEval_GetBuiltins: the dictionary of the module builtins, borrowed;
   PyEval_GetFrameBuiltins: the same, a new reference.  NULL once Py_Finalize
   has dropped the module.  Manual: "Reflection". */
PyAPI_FUNC(PyObject *) PyEval_GetBuiltins(void);
PyAPI_FUNC(PyObject *) PyEval_GetFrameBuiltins(void);

#ifdef __cplusplus
}
#endif

#endif /* Py_IMPORT_H */
