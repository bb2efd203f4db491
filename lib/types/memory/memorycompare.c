/* memorycompare.c: equality and hashes of memoryviews.

   Two views are equal if their shapes are and all items in them; items of
   different formats are compared as Python's values. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/protocol/buffercopy.h"
#include "object/error/errors.h"
#include "types/memory/itemformat.h"
#include "types/memory/memoryview.h"

int
pyb_memory_same_shape(const Py_buffer *a, const Py_buffer *b)
{
    if (a->ndim != b->ndim)
        return 0;
    if (a->ndim > 0 && (a->shape == NULL || b->shape == NULL))
        return 0;
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] != b->shape[i])
            return 0;
        if (a->shape[i] == 0)
            break;
    }
    return 1;
}

/* ------------------------------------------------------------------ */
/* Items                                                               */

/* A comparison: letter is the one native format of both sides, or '\0' if they
   have different ones or others. */
struct comparison {
    const Py_buffer *a, *b;
    char letter;
    int size; /* of the items of the native format */
};

static struct comparison
begin(const Py_buffer *a, const Py_buffer *b)
{
    struct comparison both = {.a = a, .b = b};
    char letter;

    both.size = pyb_itemformat_native(a->format, &both.letter);
    if (both.size < 0 || pyb_itemformat_native(b->format, &letter) < 0 ||
        letter != both.letter)
        both.letter = '\0';
    return both;
}

static PyObject *
unpack(const Py_buffer *view, const char *data)
{
    return pyb_itemformat_unpack(view->format != NULL ? view->format : "B",
                                 data, view->itemsize);
}

/* 1, 0, or -1 with an exception. */
static int
equal_values(const struct comparison *both, const char *a, const char *b)
{
    PyObject *left = unpack(both->a, a);
    PyObject *right = left == NULL ? NULL : unpack(both->b, b);
    int equal =
        right == NULL ? -1 : PyObject_RichCompareBool(left, right, Py_EQ);

    Py_XDECREF(right);
    Py_XDECREF(left);
    return equal;
}

/* Equal bytes are equal values and the other way round, but for floats (two
   zeros, and NaN) and truth values. */
static int
equal_items(const struct comparison *both, const char *a, const char *b)
{
    double x, y;
    float f, g;

    switch (both->letter) {
    case '\0':
    case 'e':
    case '?':
        return equal_values(both, a, b);
    case 'd':
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return x == y;
    case 'f':
        memcpy(&f, a, sizeof f);
        memcpy(&g, b, sizeof g);
        return f == g;
    default:
        return memcmp(a, b, (size_t)both->size) == 0;
    }
}

static int
equal_from(const struct comparison *both, int dim, char *a, char *b)
{
    int equal = 1;

    PYB_ASSERT(dim <= both->a->ndim && both->a->ndim == both->b->ndim);
    if (dim == both->a->ndim)
        return equal_items(both, a, b);
    for (Py_ssize_t i = 0; equal > 0 && i < both->a->shape[dim]; i++)
        equal = equal_from(both, dim + 1, pyb_buffer_at(both->a, a, dim, i),
                           pyb_buffer_at(both->b, b, dim, i));
    return equal;
}

/* ------------------------------------------------------------------ */
/* The slots                                                           */

/* Items whose format is unknown are not equal to any. */
static int
is_known(const Py_buffer *view)
{
    if (pyb_itemformat_size(view->format != NULL ? view->format : "B") >= 0)
        return 1;
    PyErr_Clear();
    return 0;
}

static int
equal_buffers(const Py_buffer *a, const Py_buffer *b)
{
    struct comparison both = begin(a, b);

    if (!pyb_memory_same_shape(a, b))
        return 0;
    if (both.letter == '\0' && (!is_known(a) || !is_known(b)))
        return 0;
    return equal_from(&both, 0, a->buf, b->buf);
}

/* Is op a released memoryview? */
static int
is_gone(PyObject *op)
{
    return PyMemoryView_Check(op) && pyb_memory_is_released(op);
}

/* The strides of a plain exporter's buffer are not NULL, since they are asked
   for. */
PyObject *
pyb_memory_richcompare(PyObject *a, PyObject *b, int op)
{
    Py_buffer other;
    int equal;

    if ((op != Py_EQ && op != Py_NE) || !PyMemoryView_Check(a))
        Py_RETURN_NOTIMPLEMENTED;
    if (is_gone(a) || is_gone(b))
        return PyBool_FromLong((a == b) == (op == Py_EQ));
    if (PyObject_GetBuffer(b, &other, PyBUF_FULL_RO) < 0) {
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    pyb_memory_hold(a);
    equal = equal_buffers(PYB_MEMORY_VIEW(a), &other);
    pyb_memory_let_go(a);
    PyBuffer_Release(&other);
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

/* The hash of the items as bytes; -1 with an exception. */
static Py_hash_t
hash_items(const Py_buffer *view)
{
    if (PyBuffer_IsContiguous(view, 'C'))
        return Py_HashBuffer(view->buf, view->len);
    char *block = PyMem_Malloc((size_t)view->len);
    if (block == NULL)
        return PYB_MEMORY_ERROR(-1);
    PyBuffer_ToContiguous(block, view, view->len, 'C');
    Py_hash_t hash = Py_HashBuffer(block, view->len);
    PyMem_Free(block);
    return hash;
}

/* Only bytes: those of equal items of other formats may be different. */
static int
check_hashable(const Py_buffer *view)
{
    char letter;

    if (!view->readonly)
        return pyb_fail(PyExc_ValueError,
                        "cannot hash writable memoryview object");
    if (pyb_itemformat_native(view->format, &letter) != 1 || letter == '?')
        return pyb_fail(PyExc_ValueError,
                        "memoryview: hashing is restricted to formats 'B', "
                        "'b' or 'c'");
    return 0;
}

/* The object whose memory it is must be hashable, too: its memory does not
   change then. */
Py_hash_t
pyb_memory_hash(PyObject *op)
{
    PyMemoryViewObject *self = PYB_MEMORY(op);

    if (self->hash != -1)
        return self->hash;
    if (!pyb_memory_is_usable(op) || check_hashable(&self->view) < 0)
        return -1;
    pyb_memory_hold(op);
    if (self->view.obj == NULL || PyObject_Hash(self->view.obj) != -1)
        self->hash = hash_items(&self->view);
    pyb_memory_let_go(op);
    return self->hash;
}
