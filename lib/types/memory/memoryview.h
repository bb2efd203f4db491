/* memoryview.h: declarations that the files of memoryview share.

   A memoryview has one of the references to a managed buffer, and a Py_buffer
   of its own: the managed one at first, or a slice or cast of it.  Views of
   the same exporter made from each other share the managed buffer, which is
   released when the last of them is.  A view is released once, and only while
   no buffer that it has given away is in use (`exports'); then it may not be
   looked into any more. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_MEMORY_MEMORYVIEW_H
#define PYB_TYPES_MEMORY_MEMORYVIEW_H

#include "Python.h"

#include "gc/base/fatal.h"

struct _PyManagedBufferObject {
    PyObject_HEAD
    int released;
    Py_ssize_t views; /* memoryviews that are not released */
    Py_buffer master; /* its obj is owned and visited until it is released */
    char *format;     /* owned: master.format, or NULL if it is another's */
};

enum { PYB_MEMORY_RELEASED = 1 }; /* of flags */

/* PYB_MEMORY, PYB_MEMORY_VIEW: a memoryview, and its buffer. */
#define PYB_MEMORY(op) PYB_CAST(PyMemoryViewObject, PyMemoryView_Check, op)
#define PYB_MEMORY_VIEW(op) (&PYB_MEMORY(op)->view)

/* pyb_memory_is_usable: 1; or 0 with ValueError if the memoryview is
   released.  To be asked again after each call of foreign code. */
int pyb_memory_is_usable(PyObject *op);

/* pyb_memory_is_released: the same without an exception, the other way. */
static inline int
pyb_memory_is_released(PyObject *op)
{
    return (PYB_MEMORY(op)->flags & PYB_MEMORY_RELEASED) != 0;
}

/* pyb_memory_hold, pyb_memory_let_go: in between, as while a buffer of it is
   in use, the memoryview is not released, whatever a collection calls. */
static inline void
pyb_memory_hold(PyObject *op)
{
    PYB_MEMORY(op)->exports++;
}

static inline void
pyb_memory_let_go(PyObject *op)
{
    PYB_ASSERT_OBJECT(PYB_MEMORY(op)->exports > 0, op);
    PYB_MEMORY(op)->exports--;
}

/* pyb_memory_same_shape: 1 if two buffers have the same dimensions, up to one
   without items; else 0. */
int pyb_memory_same_shape(const Py_buffer *a, const Py_buffer *b);

/* pyb_memory_view_of: another memoryview of a view of the managed buffer, with
   room for ndim dimensions, which may be more than view has.  A new reference,
   or NULL with an exception. */
PyObject *pyb_memory_view_of(_PyManagedBufferObject *managed,
                             const Py_buffer *view, int ndim);

/* pyb_memory_again: another memoryview of what op views; the same. */
PyObject *pyb_memory_again(PyObject *op);

/* pyb_memory_is_contiguous: PyBuffer_IsContiguous, but that one dimension
   without items counts only if its stride is the size of an item. */
int pyb_memory_is_contiguous(PyObject *op, char order);

/* pyb_memory_release: releases the memoryview; 0, or -1 with BufferError if
   buffers that it gave away are in use. */
int pyb_memory_release(PyObject *op);

/* pyb_memory_pack: stores value at data, as the C object of that letter; 0, or
   -1 with an exception.  op is the memoryview whose memory that is: it may be
   released while value is converted. */
int pyb_memory_pack(PyObject *op, char letter, char *data, PyObject *value);

/* The parts of the type. */
extern PyMappingMethods pyb_memory_as_mapping;
extern PySequenceMethods pyb_memory_as_sequence;
extern PyBufferProcs pyb_memory_as_buffer;
PyObject *pyb_memory_iter(PyObject *op);
PyObject *pyb_memory_tolist(PyObject *op, PyObject *ignored);
PyObject *pyb_memory_count(PyObject *op, PyObject *value);
PyObject *pyb_memory_index(PyObject *op, PyObject *args);
PyObject *pyb_memory_cast(PyObject *op, PyObject *args, PyObject *kwds);
PyObject *pyb_memory_richcompare(PyObject *a, PyObject *b, int op);
Py_hash_t pyb_memory_hash(PyObject *op);

#endif /* PYB_TYPES_MEMORY_MEMORYVIEW_H */
