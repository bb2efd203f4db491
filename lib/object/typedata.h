/* typedata.h: heap types, and what they add to their base's instances. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPEDATA_H
#define PYB_OBJECT_TYPEDATA_H

#include "object.h"

/* pyb_typedata_is_heap: was the type made at run time? */
static inline int
pyb_typedata_is_heap(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE);
}

/* pyb_typedata_align: the size, made a multiple of the strictest
   alignment. */
static inline Py_ssize_t
pyb_typedata_align(Py_ssize_t size)
{
    const Py_ssize_t unit = (Py_ssize_t) _Alignof(max_align_t);

    return (size + unit - 1) / unit * unit;
}

#endif /* PYB_OBJECT_TYPEDATA_H */
