/* pycapsule.h: objects that carry a C pointer, with a name to check it by.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Capsules". */

#ifndef Py_CAPSULE_H
#define Py_CAPSULE_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of capsules. */
PyAPI_DATA(PyTypeObject) PyCapsule_Type;

/* PyCapsule_Destructor: called with the capsule when that is released; the
   pointer can still be asked for. */
typedef void (*PyCapsule_Destructor)(PyObject *);

/* PyCapsule_CheckExact: is op a capsule?  May be called in tp_traverse. */
#define PyCapsule_CheckExact(op) Py_IS_TYPE((op), &PyCapsule_Type)

/* PyCapsule_New: a capsule around pointer, which is not NULL.  The name, which
   may be NULL, is not copied.  A new reference, or NULL with ValueError or
   MemoryError. */
PyAPI_FUNC(PyObject *) PyCapsule_New(void *pointer, const char *name,
                                     PyCapsule_Destructor destructor);

/* PyCapsule_GetPointer: the pointer; NULL with ValueError if capsule is none
   or has another name. */
PyAPI_FUNC(void *) PyCapsule_GetPointer(PyObject *capsule, const char *name);

/* PyCapsule_GetDestructor, PyCapsule_GetName, PyCapsule_GetContext: what was
   set, which may be NULL; NULL with ValueError if capsule is none. */
PyAPI_FUNC(PyCapsule_Destructor) PyCapsule_GetDestructor(PyObject *capsule);
PyAPI_FUNC(const char *) PyCapsule_GetName(PyObject *capsule);
PyAPI_FUNC(void *) PyCapsule_GetContext(PyObject *capsule);

/* PyCapsule_IsValid: 1 if capsule (NULL allowed) is a capsule of that name,
   so that no getter can fail; else 0.  Never fails. */
PyAPI_FUNC(int) PyCapsule_IsValid(PyObject *capsule, const char *name);

/* PyCapsule_SetPointer and kin: replace one part.  0, or -1 with ValueError
   if capsule is none or the new pointer NULL. */
PyAPI_FUNC(int) PyCapsule_SetPointer(PyObject *capsule, void *pointer);
PyAPI_FUNC(int) PyCapsule_SetDestructor(PyObject *capsule,
                                        PyCapsule_Destructor destructor);
PyAPI_FUNC(int) PyCapsule_SetName(PyObject *capsule, const char *name);
PyAPI_FUNC(int) PyCapsule_SetContext(PyObject *capsule, void *context);

/* PyCapsule_Import: the pointer of the capsule that is found under the dotted
   name "module.attribute" and bears that name; the module is imported, and
   the submodule if it is "package.module.attribute"; no_block is ignored.
   NULL with an exception. */
PyAPI_FUNC(void *) PyCapsule_Import(const char *name, int no_block);

#ifdef __cplusplus
}
#endif

#endif /* Py_CAPSULE_H */
