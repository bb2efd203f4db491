/* subtype.c: the slots of heap types that bring none of their own: each does
   what the type added and hands over to the nearest base with another
   function in that slot. */

#include "Python.h"

#include "object/subtype.h"
#include "object/typedata.h"

/* Moves type to that base.  It starts where the function was found: a slot of
   a type further down may have handed over to it. */
#define BASE_WITH_OTHER(type, SLOT, function)                                 \
    do {                                                                      \
        while ((type)->SLOT != (function))                                    \
            (type) = (type)->tp_base;                                         \
        while ((type)->SLOT == (function))                                    \
            (type) = (type)->tp_base;                                         \
    } while (0)

/* The place of the dictionary that the instance has and base does not know
   of; NULL if there is none. */
static PyObject **
added_dict(PyObject *self, PyTypeObject *base)
{
    if (Py_TYPE(self)->tp_dictoffset == base->tp_dictoffset)
        return NULL;
    return _PyObject_GetDictPtr(self);
}

int
pyb_subtype_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = Py_TYPE(self), *base = type;
    PyObject **dict;

    BASE_WITH_OTHER(base, tp_traverse, pyb_subtype_traverse);
    dict = added_dict(self, base);
    if (dict != NULL)
        Py_VISIT(*dict);
    /* A heap type's own tp_traverse visits the type already. */
    if (base->tp_traverse == NULL || !pyb_typedata_is_heap(base))
        Py_VISIT(type);
    return base->tp_traverse != NULL ? base->tp_traverse(self, visit, arg) : 0;
}

int
pyb_subtype_clear(PyObject *self)
{
    PyTypeObject *base = Py_TYPE(self);
    PyObject **dict;

    BASE_WITH_OTHER(base, tp_clear, pyb_subtype_clear);
    dict = added_dict(self, base);
    if (dict != NULL)
        Py_CLEAR(*dict);
    return base->tp_clear != NULL ? base->tp_clear(self) : 0;
}

/* Calls tp_finalize and tp_del.  -1 if one of them resurrected self. */
static int
finalize(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    if (type->tp_finalize != NULL) {
        if (PyType_IS_GC(type))
            PyObject_GC_Track(self);
        if (PyObject_CallFinalizerFromDealloc(self) < 0)
            return -1;
        if (PyType_IS_GC(type))
            PyObject_GC_UnTrack(self);
    }
    if (type->tp_del != NULL) {
        type->tp_del(self);
        if (Py_REFCNT(self) > 0) {
            if (PyType_IS_GC(type) && !PyObject_GC_IsTracked(self))
                PyObject_GC_Track(self);
            return -1;
        }
    }
    return 0;
}

void
pyb_subtype_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self), *base = type;
    PyObject **dict;
    int owns_type;

    if (PyType_IS_GC(type))
        PyObject_GC_UnTrack(self);
    BASE_WITH_OTHER(base, tp_dealloc, pyb_subtype_dealloc);
    if (finalize(self) < 0)
        return;
    type = Py_TYPE(self); /* a finalizer may have changed it */
    if (type->tp_weaklistoffset != 0 && base->tp_weaklistoffset == 0)
        PyObject_ClearWeakRefs(self);
    dict = added_dict(self, base);
    if (dict != NULL)
        Py_CLEAR(*dict);
    /* A container's tp_dealloc expects a tracked object. */
    if (PyType_IS_GC(base))
        PyObject_GC_Track(self);
    /* A heap type's own tp_dealloc gives up the reference to the type. */
    owns_type = pyb_typedata_is_heap(type) && !pyb_typedata_is_heap(base);
    base->tp_dealloc(self);
    if (owns_type)
        Py_DECREF(type);
}
