/* moduleobject.h: modules and their definitions.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Module Objects", "Extension modules". */

#ifndef Py_MODULEOBJECT_H
#define Py_MODULEOBJECT_H

#include "object.h"
#include "objimpl.h"
#include "pyboehm/slots.h"

#ifdef __cplusplus
extern "C" {
#endif

PyAPI_DATA(PyTypeObject) PyModule_Type;
PyAPI_DATA(PyTypeObject) PyModuleDef_Type;

/* PyModule_Check, PyModule_CheckExact: is op a module, exactly a module?
   Never fail; may be called in tp_traverse. */
#define PyModule_Check(op) PyObject_TypeCheck((op), &PyModule_Type)
#define PyModule_CheckExact(op) Py_IS_TYPE((op), &PyModule_Type)

/* ------------------------------------------------------------------ */
/* Definitions                                                         */

typedef struct PyModuleDef_Base {
    PyObject_HEAD
    PyObject *(*m_init)(void);
    Py_ssize_t m_index; /* for PyState_FindModule; 0: not yet given out */
    PyObject *m_copy;
} PyModuleDef_Base;

#define PyModuleDef_HEAD_INIT                                                 \
    {                                                                         \
        _PyB_HEAD_BRACED(NULL) NULL, 0, NULL                                  \
    }

/* A slot of multi-phase initialisation; one with slot 0 ends the array. */
typedef struct PyModuleDef_Slot {
    int slot;
    void *value;
} PyModuleDef_Slot;

/* The numbers of a module's slots, here and in PySlot. */
#define Py_mod_create 84 /* PyObject *(*)(PyObject *spec, PyModuleDef *) */
#define Py_mod_exec 85   /* int (*)(PyObject *module) */
#define Py_mod_multiple_interpreters 86 /* accepted, without effect */
#define Py_mod_gil 87                   /* accepted, without effect */
#define Py_mod_slots 94                 /* an array of PyModuleDef_Slot */

/* What a PyModuleDef has members for; if they stand in its m_slots too, the
   values must agree.  Py_mod_name is not used: the spec has the name. */
#define Py_mod_name 100
#define Py_mod_doc 101
#define Py_mod_state_size 102
#define Py_mod_methods 103 /* outlives the module */
#define Py_mod_state_traverse 104
#define Py_mod_state_clear 105
#define Py_mod_state_free 106

/* A PyABIInfo, required without a PyModuleDef; the module's token. */
#define Py_mod_abi 109
#define Py_mod_token 110

#define Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED ((void *)0)
#define Py_MOD_MULTIPLE_INTERPRETERS_SUPPORTED ((void *)1)
#define Py_MOD_PER_INTERPRETER_GIL_SUPPORTED ((void *)2)
#define Py_MOD_GIL_USED ((void *)0)
#define Py_MOD_GIL_NOT_USED ((void *)1)

/* PyModuleDef: what a module is made from; lives as long as the modules.
   m_size is the size of a module's state; -1 means that it keeps its state in
   static variables.  m_traverse, m_clear and m_free are called for a module
   whose state is not needed (m_size <= 0) or already allocated. */
struct PyModuleDef {
    PyModuleDef_Base m_base;
    const char *m_name;
    const char *m_doc;
    Py_ssize_t m_size;
    struct PyMethodDef *m_methods;
    PyModuleDef_Slot *m_slots;
    traverseproc m_traverse;
    inquiry m_clear;
    freefunc m_free;
};

/* PyModuleDef_Init: makes a definition a proper object; what PyInit_NAME
   returns for multi-phase initialisation.  A borrowed reference. */
PyAPI_FUNC(PyObject *) PyModuleDef_Init(PyModuleDef *def);

/* ------------------------------------------------------------------ */
/* Making modules.  New references, or NULL with an exception.          */

/* PyModule_NewObject, PyModule_New: an empty module of that name.  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyModule_NewObject(PyObject *name);
PyAPI_FUNC(PyObject *) PyModule_New(const char *name);

/* PyModule_Create, PyModule_Create2: a module from a definition without slots,
   complete with functions, doc string and zeroed state.  A new reference, or
   NULL with an exception: SystemError if it has slots.  The version says which
   headers the module was compiled with: PYTHON_API_VERSION, these;
   PYTHON_ABI_VERSION, any with Py_LIMITED_API.  That of CPython's own headers
   without it is an ImportError, since the structures differ; another one gets
   a RuntimeWarning. */
PyAPI_FUNC(PyObject *)
    PyModule_Create2(PyModuleDef *def, int module_api_version);
#define PYTHON_API_VERSION 101300
#define PYTHON_API_STRING "101300"
#define PYTHON_ABI_VERSION 3
#define PYTHON_ABI_STRING "3"
#ifdef Py_LIMITED_API
#define _PyB_MODULE_VERSION PYTHON_ABI_VERSION
#else
#define _PyB_MODULE_VERSION PYTHON_API_VERSION
#endif
#define PyModule_Create(def) PyModule_Create2((def), _PyB_MODULE_VERSION)

/* PyModule_FromDefAndSpec, PyModule_FromDefAndSpec2: the first phase of
   multi-phase initialisation: creation, functions, doc string.  spec is any
   object with an attribute name.  A new reference, or NULL with an exception:
   SystemError for slots that do not fit together or a create slot that
   misbehaves. */
PyAPI_FUNC(PyObject *)
    PyModule_FromDefAndSpec2(PyModuleDef *def, PyObject *spec,
                             int module_api_version);
#define PyModule_FromDefAndSpec(def, spec)                                    \
    PyModule_FromDefAndSpec2((def), (spec), _PyB_MODULE_VERSION)

/* PyModule_FromSlotsAndSpec: the same, a new reference, from slots alone,
   among them Py_mod_abi; they are not needed after the call.  The module has a
   token only if there is a Py_mod_token. */
PyAPI_FUNC(PyObject *)
    PyModule_FromSlotsAndSpec(const PySlot *slots, PyObject *spec);

/* PyModule_Exec: the second phase: allocates the state and runs the
   Py_mod_exec slots; nothing happens to a module that was not made in phases.
   PyModule_ExecDef: the same with a definition's slots.  0, or -1 with an
   exception: TypeError for another object, SystemError for a slot that
   misbehaves, or what it raised. */
PyAPI_FUNC(int) PyModule_Exec(PyObject *module);
PyAPI_FUNC(int) PyModule_ExecDef(PyObject *module, PyModuleDef *def);

/* ------------------------------------------------------------------ */
/* Asking modules                                                      */

/* PyModule_GetDict: the namespace, borrowed; SystemError for another
   object. */
PyAPI_FUNC(PyObject *) PyModule_GetDict(PyObject *module);

/* PyModule_GetNameObject, PyModule_GetName: __name__, a new reference, and as
   UTF-8 that lives as long as it does.  NULL with TypeError for another
   object, SystemError "nameless module" if there is none. */
PyAPI_FUNC(PyObject *) PyModule_GetNameObject(PyObject *module);
PyAPI_FUNC(const char *) PyModule_GetName(PyObject *module);

/* PyModule_GetFilenameObject, PyModule_GetFilename: __file__, likewise a new
   reference, and its text; SystemError "module filename missing". */
PyAPI_FUNC(PyObject *) PyModule_GetFilenameObject(PyObject *module);
PyAPI_FUNC(const char *) PyModule_GetFilename(PyObject *module);

/* PyModule_GetDef: the definition, NULL if it was made without one.
   PyModule_GetState: the state, NULL if there is none.  Both NULL with
   TypeError for another object. */
PyAPI_FUNC(PyModuleDef *) PyModule_GetDef(PyObject *module);
PyAPI_FUNC(void *) PyModule_GetState(PyObject *module);

#if _PYB_LIMITED_AT_LEAST(0x030F0000)
/* PyModule_GetStateSize: sets *result to the size of the state that the
   module's definition or slots ask for.  0, or -1 with TypeError and *result
   -1 for another object. */
PyAPI_FUNC(int) PyModule_GetStateSize(PyObject *module, Py_ssize_t *result);

/* PyModule_GetToken: sets *result to the module's token: the address of its
   definition, the value of its Py_mod_token slot, or the slots its export hook
   returned; NULL if it was made without any of these.  0, or -1 with TypeError
   and *result NULL for another object. */
PyAPI_FUNC(int) PyModule_GetToken(PyObject *module, void **result);

/* PyModule_GetState_DuringGC, PyModule_GetToken_DuringGC: the same for use in
   tp_traverse; see the end of object.h. */
PyAPI_FUNC(void *) PyModule_GetState_DuringGC(PyObject *module);
PyAPI_FUNC(int) PyModule_GetToken_DuringGC(PyObject *module, void **result);
#endif

/* ------------------------------------------------------------------ */
/* Filling modules.  0, or -1 with an exception.                        */

/* PyModule_AddObjectRef: module.name = value.  A NULL value must come with an
   exception set, which then stays: the result of a call can be passed on
   unseen. */
PyAPI_FUNC(int)
    PyModule_AddObjectRef(PyObject *module, const char *name, PyObject *value);

/* PyModule_Add: the same; steals value in any case. */
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(int)
    PyModule_Add(PyObject *module, const char *name, PyObject *value);
#endif

/* PyModule_AddObject: the same; steals value on success only. */
PyAPI_FUNC(int)
    PyModule_AddObject(PyObject *module, const char *name, PyObject *value);

/* PyModule_AddIntConstant, PyModule_AddStringConstant: the same with the int
   or the str made of value. */
PyAPI_FUNC(int)
    PyModule_AddIntConstant(PyObject *module, const char *name, long value);
PyAPI_FUNC(int) PyModule_AddStringConstant(PyObject *module, const char *name,
                                           const char *value);
#define PyModule_AddIntMacro(m, c) PyModule_AddIntConstant((m), #c, (c))
#define PyModule_AddStringMacro(m, c) PyModule_AddStringConstant((m), #c, (c))

/* PyModule_AddType: readies the type and adds it under the last component of
   its name. */
PyAPI_FUNC(int) PyModule_AddType(PyObject *module, PyTypeObject *type);

/* PyModule_AddFunctions: adds the functions of an array that a NULL name
   ends.  They keep the module as self. */
PyAPI_FUNC(int)
    PyModule_AddFunctions(PyObject *module, struct PyMethodDef *functions);

/* PyModule_SetDocString: sets __doc__. */
PyAPI_FUNC(int) PyModule_SetDocString(PyObject *module, const char *doc);

/* ------------------------------------------------------------------ */
/* Modules by definition (single-phase initialisation only)             */

/* PyState_FindModule: the module made from def and imported or added,
   borrowed, or NULL without an exception. */
PyAPI_FUNC(PyObject *) PyState_FindModule(PyModuleDef *def);

/* PyState_AddModule: module becomes what PyState_FindModule(def) finds; adding
   the same one twice is a fatal error.  PyState_RemoveModule: undoes it; a
   definition never added is a fatal error.  0, or -1 with SystemError if the
   definition has slots.  _PyState_AddModule: another name. */
PyAPI_FUNC(int) PyState_AddModule(PyObject *module, PyModuleDef *def);
PyAPI_FUNC(int) _PyState_AddModule(PyObject *module, PyModuleDef *def);
PyAPI_FUNC(int) PyState_RemoveModule(PyModuleDef *def);

#ifdef __cplusplus
}
#endif

#endif /* Py_MODULEOBJECT_H */
