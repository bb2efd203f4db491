/* memoryview.c: making memoryviews, giving their memory to others, and their
   end.

   Manual: "MemoryView objects". */

#include "Python.h"

#include "object/error/errors.h"
#include "types/memory/memoryview.h"

/* ------------------------------------------------------------------ */
/* Managed buffers                                                     */

/* A managed buffer without a view; the caller fills master. */
static _PyManagedBufferObject *
new_managed(void)
{
    _PyManagedBufferObject *managed =
        PyObject_GC_New(_PyManagedBufferObject, &_PyManagedBuffer_Type);

    if (managed == NULL)
        return NULL;
    managed->released = 0;
    managed->views = 0;
    managed->master = (Py_buffer){0};
    managed->format = NULL;
    PyObject_GC_Track((PyObject *)managed);
    return managed;
}

static _PyManagedBufferObject *
managed_from(PyObject *base)
{
    _PyManagedBufferObject *managed = new_managed();

    if (managed != NULL &&
        PyObject_GetBuffer(base, &managed->master, PyBUF_FULL_RO) < 0) {
        managed->master.obj = NULL;
        Py_CLEAR(managed);
    }
    return managed;
}

static void
managed_release(_PyManagedBufferObject *managed)
{
    if (managed->released)
        return;
    managed->released = 1;
    PyBuffer_Release(&managed->master);
}

/* One view less. */
static void
managed_drop(_PyManagedBufferObject *managed)
{
    PYB_ASSERT(managed->views > 0);
    if (--managed->views == 0)
        managed_release(managed);
}

static void
managed_dealloc(PyObject *op)
{
    _PyManagedBufferObject *managed = (_PyManagedBufferObject *)op;

    PYB_ASSERT(managed->views == 0);
    PyObject_GC_UnTrack(op);
    managed_release(managed);
    PyMem_Free(managed->format);
    PyObject_GC_Del(op);
}

static int
managed_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((_PyManagedBufferObject *)op)->master.obj);
    return 0;
}

/* There is no tp_clear: memoryviews alone refer to it, and release it when
   they are cleared. */
PyTypeObject _PyManagedBuffer_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "managedbuffer",
    .tp_basicsize = sizeof(_PyManagedBufferObject),
    .tp_dealloc = managed_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = managed_traverse,
};

/* ------------------------------------------------------------------ */
/* Memoryviews                                                         */

/* Copies shape and strides into the object, which has room for so many
   dimensions, and makes them where the exporter left them out: the buffer is
   one block then. */
static void
fill_layout(PyMemoryViewObject *self, const Py_buffer *view, int room)
{
    Py_buffer *own = &self->view;

    own->shape = self->ob_array;
    own->strides = self->ob_array + room;
    own->suboffsets =
        view->suboffsets != NULL ? self->ob_array + 2 * room : NULL;
    for (int i = 0; i < view->ndim; i++) {
        if (view->shape == NULL)
            own->shape[i] =
                view->itemsize > 0 ? view->len / view->itemsize : 0;
        else
            own->shape[i] = view->shape[i];
        if (view->strides != NULL)
            own->strides[i] = view->strides[i];
        if (view->suboffsets != NULL)
            own->suboffsets[i] = view->suboffsets[i];
    }
    if (view->strides == NULL)
        PyBuffer_FillContiguousStrides(view->ndim, own->shape, own->strides,
                                       (int)view->itemsize, 'C');
}

PyObject *
pyb_memory_view_of(_PyManagedBufferObject *managed, const Py_buffer *view,
                   int ndim)
{
    if (ndim > PyBUF_MAX_NDIM)
        return PyErr_Format(PyExc_ValueError,
                            "memoryview: number of dimensions must not "
                            "exceed %d",
                            PyBUF_MAX_NDIM);
    PYB_ASSERT(view->ndim >= 0 && view->ndim <= ndim);
    PYB_ASSERT(!managed->released);
    managed->views++; /* a collection may release what views it now */
    PyMemoryViewObject *self = PyObject_GC_NewVar(
        PyMemoryViewObject, &PyMemoryView_Type, (Py_ssize_t)3 * ndim);
    if (self == NULL) {
        managed_drop(managed);
        return NULL;
    }
    self->hash = -1;
    self->flags = 0;
    self->exports = 0;
    self->weakreflist = NULL;
    self->view = *view;
    self->view.obj = managed->master.obj;
    self->view.internal = NULL;
    if (view->format == NULL)
        self->view.format = (char *)"B";
    fill_layout(self, view, ndim);
    self->mbuf = (_PyManagedBufferObject *)Py_NewRef(managed);
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

PyObject *
pyb_memory_again(PyObject *op)
{
    return pyb_memory_view_of(PYB_MEMORY(op)->mbuf, PYB_MEMORY_VIEW(op),
                              PYB_MEMORY_VIEW(op)->ndim);
}

/* The first memoryview of a managed buffer, which is stolen; NULL is passed
   on. */
static PyObject *
first_view(_PyManagedBufferObject *managed)
{
    if (managed == NULL)
        return NULL;
    PyObject *op =
        pyb_memory_view_of(managed, &managed->master, managed->master.ndim);
    Py_DECREF(managed);
    return op;
}

PyObject *
PyMemoryView_FromObject(PyObject *base)
{
    if (base == NULL)
        return pyb_errors_null_argument();
    if (PyMemoryView_Check(base))
        return pyb_memory_is_usable(base) ? pyb_memory_again(base) : NULL;
    if (PyObject_CheckBuffer(base))
        return first_view(managed_from(base));
    return pyb_errors_type(
        "memoryview: a bytes-like object is required, not '%.200s'", base);
}

PyObject *
PyMemoryView_FromMemory(char *mem, Py_ssize_t size, int flags)
{
    if (mem == NULL || size < 0 ||
        (flags != PyBUF_READ && flags != PyBUF_WRITE))
        return PYB_BAD_CALL(NULL);
    _PyManagedBufferObject *managed = new_managed();
    if (managed != NULL)
        PyBuffer_FillInfo(&managed->master, NULL, mem, size,
                          flags == PyBUF_READ, PyBUF_FULL_RO);
    return first_view(managed);
}

PyObject *
PyMemoryView_FromBuffer(const Py_buffer *info)
{
    if (info == NULL || info->ndim < 0 ||
        (info->ndim > 1 && info->shape == NULL))
        return PYB_BAD_CALL(NULL);
    if (info->buf == NULL)
        return pyb_raise(PyExc_ValueError, "PyMemoryView_FromBuffer(): "
                                           "info->buf must not be NULL");
    _PyManagedBufferObject *managed = new_managed();
    if (managed != NULL) {
        managed->master = *info;
        managed->master.obj = NULL;
    }
    return first_view(managed);
}

/* ------------------------------------------------------------------ */
/* Contiguous copies                                                   */

/* A managed buffer of bytes with the items of view in that order, and its
   format; its layout is that of bytes. */
static _PyManagedBufferObject *
managed_copy(const Py_buffer *view, char order)
{
    _PyManagedBufferObject *managed = NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, view->len);

    if (bytes == NULL)
        return NULL;
    PyBuffer_ToContiguous(PyBytes_AS_STRING(bytes), view, view->len, order);
    managed = managed_from(bytes);
    Py_DECREF(bytes);
    if (managed == NULL)
        return NULL;
    size_t size = strlen(view->format) + 1;
    managed->format = PyMem_Malloc(size);
    if (managed->format == NULL) {
        Py_DECREF(managed);
        return (_PyManagedBufferObject *)PyErr_NoMemory();
    }
    memcpy(managed->format, view->format, size);
    return managed;
}

static PyObject *
contiguous_copy(const Py_buffer *view, char order)
{
    _PyManagedBufferObject *managed = managed_copy(view, order);
    Py_ssize_t strides[PyBUF_MAX_NDIM];

    if (managed == NULL)
        return NULL;
    Py_buffer copy = managed->master;
    copy.format = managed->format;
    copy.itemsize = view->itemsize;
    copy.ndim = view->ndim;
    copy.shape = view->shape;
    copy.strides = strides;
    PyBuffer_FillContiguousStrides(view->ndim, view->shape, strides,
                                   (int)view->itemsize, order);
    PyObject *op = pyb_memory_view_of(managed, &copy, copy.ndim);
    Py_DECREF(managed);
    return op;
}

PyObject *
PyMemoryView_GetContiguous(PyObject *base, int buffertype, char order)
{
    if ((buffertype != PyBUF_READ && buffertype != PyBUF_WRITE) ||
        order == '\0' || strchr("CFA", order) == NULL)
        return PYB_BAD_CALL(NULL);
    PyObject *op = PyMemoryView_FromObject(base), *result = NULL;
    if (op == NULL)
        return NULL;
    Py_buffer *view = PYB_MEMORY_VIEW(op);
    if (buffertype == PyBUF_WRITE && view->readonly)
        PyErr_SetString(PyExc_BufferError,
                        "underlying buffer is not writable");
    else if (PyBuffer_IsContiguous(view, order))
        return op;
    else if (buffertype == PyBUF_WRITE)
        PyErr_SetString(PyExc_BufferError,
                        "writable contiguous buffer requested for a "
                        "non-contiguous object.");
    else
        result = contiguous_copy(view, order);
    Py_DECREF(op);
    return result;
}

/* ------------------------------------------------------------------ */
/* The state                                                           */

int
pyb_memory_is_usable(PyObject *op)
{
    if (!pyb_memory_is_released(op))
        return 1;
    PyErr_SetString(PyExc_ValueError,
                    "operation forbidden on released memoryview object");
    return 0;
}

int
pyb_memory_release(PyObject *op)
{
    PyMemoryViewObject *self = PYB_MEMORY(op);

    if (self->flags & PYB_MEMORY_RELEASED)
        return 0;
    PYB_ASSERT_OBJECT(self->exports >= 0, op);
    if (self->exports > 0)
        return pyb_failf(PyExc_BufferError,
                         "memoryview has %zd exported buffer%s", self->exports,
                         self->exports == 1 ? "" : "s");
    self->flags |= PYB_MEMORY_RELEASED;
    self->view.obj = NULL;
    managed_drop(self->mbuf);
    return 0;
}

int
pyb_memory_is_contiguous(PyObject *op, char order)
{
    const Py_buffer *view = PYB_MEMORY_VIEW(op);

    if (view->ndim == 1 && view->suboffsets == NULL)
        return view->shape[0] == 1 || view->strides[0] == view->itemsize;
    return PyBuffer_IsContiguous(view, order);
}

/* ------------------------------------------------------------------ */
/* The buffer of a memoryview                                          */

/* Requests are sets of bits that share some. */
static int
asked(int flags, int request)
{
    return (flags & request) == request;
}

/* What is asked for, and the memory does not have; NULL if nothing is
   wrong. */
static const char *
find_refusal(PyObject *op, int flags)
{
    const Py_buffer *view = PYB_MEMORY_VIEW(op);
    int in_c = pyb_memory_is_contiguous(op, 'C');
    int in_fortran = pyb_memory_is_contiguous(op, 'F');

    if (asked(flags, PyBUF_WRITABLE) && view->readonly)
        return "memoryview: underlying buffer is not writable";
    if (asked(flags, PyBUF_C_CONTIGUOUS) && !in_c)
        return "memoryview: underlying buffer is not C-contiguous";
    if (asked(flags, PyBUF_F_CONTIGUOUS) && !in_fortran)
        return "memoryview: underlying buffer is not Fortran contiguous";
    if (asked(flags, PyBUF_ANY_CONTIGUOUS) && !in_c && !in_fortran)
        return "memoryview: underlying buffer is not contiguous";
    if (!asked(flags, PyBUF_INDIRECT) && view->suboffsets != NULL)
        return "memoryview: underlying buffer requires suboffsets";
    if (!asked(flags, PyBUF_STRIDES) && !in_c)
        return "memoryview: underlying buffer is not C-contiguous";
    if (!asked(flags, PyBUF_ND) && asked(flags, PyBUF_FORMAT))
        return "memoryview: cannot cast to unsigned bytes if the format flag "
               "is present";
    return NULL;
}

static int
memory_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    view->obj = NULL;
    if (!pyb_memory_is_usable(op))
        return -1;
    const char *refusal = find_refusal(op, flags);
    if (refusal != NULL)
        return pyb_fail(PyExc_BufferError, refusal);

    *view = *PYB_MEMORY_VIEW(op);
    if (!asked(flags, PyBUF_FORMAT))
        view->format = NULL;
    if (!asked(flags, PyBUF_STRIDES) || view->ndim == 0)
        view->strides = NULL;
    if (!asked(flags, PyBUF_ND) || view->ndim == 0)
        view->shape = NULL;
    if (!asked(flags, PyBUF_ND))
        view->ndim = 1;
    view->obj = Py_NewRef(op);
    pyb_memory_hold(op);
    return 0;
}

static void
memory_releasebuffer(PyObject *op, Py_buffer *Py_UNUSED(view))
{
    pyb_memory_let_go(op);
}

PyBufferProcs pyb_memory_as_buffer = {memory_getbuffer, memory_releasebuffer};
