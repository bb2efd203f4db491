/* buffercopy.h: copies from buffer to buffer. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_PROTOCOL_BUFFERCOPY_H
#define PYB_OBJECT_PROTOCOL_BUFFERCOPY_H

#include "Python.h"

/* pyb_buffer_copy: copies src's items to dest's first ones; src->len must not
   be greater.  They may overlap.  0, or -1 with MemoryError. */
int pyb_buffer_copy(const Py_buffer *dest, const Py_buffer *src);

/* pyb_buffer_at: steps to item i of dimension dim, from the address that the
   dimensions before it have led to. */
static inline char *
pyb_buffer_at(const Py_buffer *view, char *pointer, int dim, Py_ssize_t i)
{
    pointer += view->strides[dim] * i;
    if (view->suboffsets != NULL && view->suboffsets[dim] >= 0)
        pointer = *(char **)(void *)pointer + view->suboffsets[dim];
    return pointer;
}

#endif /* PYB_OBJECT_PROTOCOL_BUFFERCOPY_H */
