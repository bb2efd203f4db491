/* slice.c: slice objects and the arithmetic of slices. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "types/int/int.h"
#include "types/slice.h"
#include "object/protocol/sequence.h"

#define SLICE(op) PYB_CAST(PySliceObject, PySlice_Check, op)

PyObject *
PySlice_New(PyObject *start, PyObject *stop, PyObject *step)
{
    PySliceObject *slice = PyObject_GC_New(PySliceObject, &PySlice_Type);

    if (slice == NULL)
        return NULL;
    slice->start = Py_NewRef(start == NULL ? Py_None : start);
    slice->stop = Py_NewRef(stop == NULL ? Py_None : stop);
    slice->step = Py_NewRef(step == NULL ? Py_None : step);
    PyObject_GC_Track((PyObject *)slice);
    return (PyObject *)slice;
}

/* ------------------------------------------------------------------ */
/* From objects to C integers                                          */

int
PySlice_Unpack(PyObject *slice, Py_ssize_t *start, Py_ssize_t *stop,
               Py_ssize_t *step)
{
    PySliceObject *self = (PySliceObject *)slice;

    *step = 1;
    if (pyb_sequence_bound(self->step, 1, step) < 0)
        return -1;
    if (*step == 0)
        return pyb_fail(PyExc_ValueError, "slice step cannot be zero");
    if (*step < -PY_SSIZE_T_MAX)
        *step = -PY_SSIZE_T_MAX; /* so that -step exists */

    *start = *step < 0 ? PY_SSIZE_T_MAX : 0;
    *stop = *step < 0 ? PY_SSIZE_T_MIN : PY_SSIZE_T_MAX;
    if (pyb_sequence_bound(self->start, 1, start) < 0 ||
        pyb_sequence_bound(self->stop, 1, stop) < 0)
        return -1;
    return 0;
}

/* The index counted from the front, moved between least and most. */
static Py_ssize_t
fit_index(Py_ssize_t index, Py_ssize_t length, Py_ssize_t least,
          Py_ssize_t most)
{
    if (index < 0)
        index += length;
    return index < least ? least : index > most ? most : index;
}

Py_ssize_t
PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t *start, Py_ssize_t *stop,
                      Py_ssize_t step)
{
    /* With a negative step, the ends are one place further down. */
    Py_ssize_t down = step < 0 ? 1 : 0;

    *start = fit_index(*start, length, -down, length - down);
    *stop = fit_index(*stop, length, -down, length - down);
    if (step < 0)
        return *stop < *start ? (*start - *stop - 1) / -step + 1 : 0;
    return *start < *stop ? (*stop - *start - 1) / step + 1 : 0;
}

int
PySlice_GetIndicesEx(PyObject *slice, Py_ssize_t length, Py_ssize_t *start,
                     Py_ssize_t *stop, Py_ssize_t *step,
                     Py_ssize_t *slicelength)
{
    if (PySlice_Unpack(slice, start, stop, step) < 0)
        return -1;
    *slicelength = PySlice_AdjustIndices(length, start, stop, *step);
    return 0;
}

/* Converts a part as the old function does: it must be an int. */
static int
old_part(PyObject *part, Py_ssize_t length, Py_ssize_t *value)
{
    if (part == Py_None)
        return 0;
    if (!PyLong_Check(part))
        return -1;
    *value = PyLong_AsSsize_t(part);
    if (*value == -1 && PyErr_Occurred())
        return -1;
    if (*value < 0)
        *value += length;
    return 0;
}

int
PySlice_GetIndices(PyObject *slice, Py_ssize_t length, Py_ssize_t *start,
                   Py_ssize_t *stop, Py_ssize_t *step)
{
    PySliceObject *self = (PySliceObject *)slice;

    *step = 1;
    if (old_part(self->step, 0, step) < 0)
        return -1;
    *start = *step < 0 ? length - 1 : 0;
    *stop = *step < 0 ? -1 : length;
    if (old_part(self->start, length, start) < 0 ||
        old_part(self->stop, length, stop) < 0)
        return -1;
    return *stop > length || *start >= length || *step == 0 ? -1 : 0;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static PyObject *
slice_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    PyObject *start = NULL, *stop = NULL, *step = NULL;

    if (!pyb_getargs_no_keywords("slice", kwargs) ||
        !PyArg_UnpackTuple(args, "slice", 1, 3, &start, &stop, &step))
        return NULL;
    if (PyTuple_GET_SIZE(args) == 1)
        return PySlice_New(NULL, start, NULL);
    return PySlice_New(start, stop, step);
}

static void
slice_dealloc(PyObject *op)
{
    PySliceObject *self = SLICE(op);

    PyObject_GC_UnTrack(op);
    Py_DECREF(self->start);
    Py_DECREF(self->stop);
    Py_DECREF(self->step);
    PyObject_GC_Del(op);
}

static int
slice_traverse(PyObject *op, visitproc visit, void *arg)
{
    PySliceObject *self = SLICE(op);

    Py_VISIT(self->start);
    Py_VISIT(self->stop);
    Py_VISIT(self->step);
    return 0;
}

static PyObject *
slice_repr(PyObject *op)
{
    PySliceObject *self = SLICE(op);

    return PyUnicode_FromFormat("slice(%R, %R, %R)", self->start, self->stop,
                                self->step);
}

/* The tuple of the parts, by which slices are compared and hashed. */
static PyObject *
as_tuple(PyObject *op)
{
    PySliceObject *self = SLICE(op);

    return PyTuple_Pack(3, self->start, self->stop, self->step);
}

static PyObject *
slice_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PySlice_Check(a) || !PySlice_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    if (a == b) /* even if the parts do not equal themselves */
        return PyBool_FromLong(op == Py_EQ || op == Py_LE || op == Py_GE);

    PyObject *left = as_tuple(a), *right = NULL, *result = NULL;
    if (left != NULL && (right = as_tuple(b)) != NULL)
        result = PyObject_RichCompare(left, right, op);
    Py_XDECREF(right);
    Py_XDECREF(left);
    return result;
}

static Py_hash_t
slice_hash(PyObject *op)
{
    PyObject *tuple = as_tuple(op);

    if (tuple == NULL)
        return -1;
    Py_hash_t hash = PyObject_Hash(tuple);
    Py_DECREF(tuple);
    return hash;
}

static PyObject *
slice_indices(PyObject *op, PyObject *arg)
{
    struct pyb_slice_parts parts;
    PyObject *length = pyb_slice_exact(arg), *result = NULL;

    if (length == NULL)
        return NULL;
    if (pyb_int_sign(length) < 0) {
        PyErr_SetString(PyExc_ValueError, "length should not be negative");
    } else if (pyb_slice_parts(op, length, &parts) == 0) {
        result = PyTuple_Pack(3, parts.start, parts.stop, parts.step);
        pyb_slice_drop(&parts);
    }
    Py_DECREF(length);
    return result;
}

PyDoc_STRVAR(slice_doc, "slice(stop)\n"
                        "slice(start, stop[, step])\n"
                        "\n"
                        "The start:stop:step of a subscript.");

PyDoc_STRVAR(indices_doc, "S.indices(len) -> (start, stop, stride)\n"
                          "\n"
                          "The slice's indices in a sequence of that length.");

static PyObject *
slice_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    PySliceObject *self = (PySliceObject *)op;

    return pyb_reduce_type(
        op, PyTuple_Pack(3, self->start, self->stop, self->step), NULL);
}

static PyMethodDef slice_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"__reduce__", slice_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {"indices", slice_indices, METH_O, indices_doc},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef slice_members[] = {
    {"start", _Py_T_OBJECT, offsetof(PySliceObject, start), Py_READONLY, NULL},
    {"stop", _Py_T_OBJECT, offsetof(PySliceObject, stop), Py_READONLY, NULL},
    {"step", _Py_T_OBJECT, offsetof(PySliceObject, step), Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PySlice_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "slice",
    .tp_basicsize = sizeof(PySliceObject),
    .tp_dealloc = slice_dealloc,
    .tp_repr = slice_repr,
    .tp_hash = slice_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = slice_doc,
    .tp_traverse = slice_traverse,
    .tp_richcompare = slice_richcompare,
    .tp_methods = slice_methods,
    .tp_members = slice_members,
    .tp_new = slice_new,
};
