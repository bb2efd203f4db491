/* typedata.h: what a heap type adds to its base's instances. */

#ifndef PYB_OBJECT_TYPEDATA_H
#define PYB_OBJECT_TYPEDATA_H

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif

#include "pyport.h"

/* pyb_typedata_align: the size, made a multiple of the strictest
   alignment. */
static inline Py_ssize_t
pyb_typedata_align(Py_ssize_t size)
{
    const Py_ssize_t unit = (Py_ssize_t) _Alignof(max_align_t);

    return (size + unit - 1) / unit * unit;
}

#endif /* PYB_OBJECT_TYPEDATA_H */
