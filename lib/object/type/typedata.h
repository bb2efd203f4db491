/* typedata.h: heap types, and their own parts of instances. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_TYPEDATA_H
#define PYB_OBJECT_TYPE_TYPEDATA_H

#include "object.h"
#include "objimpl.h"

/* pyb_typedata_is_heap: was the type made at run time? */
static inline int
pyb_typedata_is_heap(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE);
}

/* pyb_typedata_untrack: untracks a value that the type's dictionary has from
   the type's tables, if the type is static.  Such a type is never garbage, so
   neither is the value: collections need not look at hundreds of them. */
static inline void
pyb_typedata_untrack(PyTypeObject *type, PyObject *value)
{
    if (!pyb_typedata_is_heap(type) && PyObject_IS_GC(value))
        PyObject_GC_UnTrack(value);
}

/* pyb_typedata_align: the size, rounded up to the strictest alignment. */
static inline Py_ssize_t
pyb_typedata_align(Py_ssize_t size)
{
    const Py_ssize_t unit = (Py_ssize_t) _Alignof(max_align_t);

    return (size + unit - 1) / unit * unit;
}

/* pyb_type_check: fatal if a type that is ready contradicts itself, see
   gc/base/fatal.h.  In typeready.c. */
void pyb_type_check(PyTypeObject *type);

#endif /* PYB_OBJECT_TYPE_TYPEDATA_H */
