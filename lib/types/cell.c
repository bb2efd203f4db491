/* cell.c: cells.

   Manual: "Cell Objects". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"

PyObject *
PyCell_New(PyObject *obj)
{
    PyCellObject *cell = PyObject_GC_New(PyCellObject, &PyCell_Type);

    if (cell == NULL)
        return NULL;
    pyb_dead_kept(__func__, obj);
    cell->ob_ref = Py_XNewRef(obj);
    PyObject_GC_Track((PyObject *)cell);
    return (PyObject *)cell;
}

PyObject *
PyCell_Get(PyObject *op)
{
    if (!PyCell_Check(op))
        return PYB_BAD_CALL(NULL);
    return Py_XNewRef(PyCell_GET(op));
}

int
PyCell_Set(PyObject *op, PyObject *value)
{
    if (!PyCell_Check(op))
        return PYB_BAD_CALL(-1);
    pyb_dead_kept(__func__, value);
    Py_XSETREF(PyCell_GET(op), Py_XNewRef(value));
    return 0;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static PyObject *
cell_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    PyObject *contents = NULL;

    if (!pyb_getargs_no_keywords("cell", kwargs) ||
        !PyArg_UnpackTuple(args, "cell", 0, 1, &contents))
        return NULL;
    return PyCell_New(contents);
}

static void
cell_dealloc(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyCell_Check(op), op);
    PyObject_GC_UnTrack(op);
    Py_XDECREF(PyCell_GET(op));
    PyObject_GC_Del(op);
}

static int
cell_traverse(PyObject *op, visitproc visit, void *arg)
{
    PYB_ASSERT_OBJECT(PyCell_Check(op), op);
    Py_VISIT(PyCell_GET(op));
    return 0;
}

static int
cell_clear(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyCell_Check(op), op);
    Py_CLEAR(PyCell_GET(op));
    return 0;
}

static PyObject *
cell_repr(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyCell_Check(op), op);
    PyObject *contents = PyCell_GET(op);

    if (contents == NULL)
        return PyUnicode_FromFormat("<cell at %p: empty>", op);
    return PyUnicode_FromFormat("<cell at %p: %.80s object at %p>", op,
                                Py_TYPE(contents)->tp_name, contents);
}

/* Cells compare like their contents; an empty one is less than all others. */
static PyObject *
cell_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyCell_Check(a) || !PyCell_Check(b))
        Py_RETURN_NOTIMPLEMENTED;

    PyObject *left = PyCell_Get(a), *right = PyCell_Get(b), *result;
    int filled = left != NULL, other_filled = right != NULL;
    if (filled && other_filled)
        result = PyObject_RichCompare(left, right, op);
    else
        result = PyObject_RichCompare(filled ? Py_True : Py_False,
                                      other_filled ? Py_True : Py_False, op);
    Py_XDECREF(left);
    Py_XDECREF(right);
    return result;
}

static PyObject *
get_contents(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *contents = PyCell_Get(op);

    if (contents == NULL)
        PyErr_SetString(PyExc_ValueError, "Cell is empty");
    return contents;
}

static int
set_contents(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    return PyCell_Set(op, value);
}

static PyGetSetDef cell_getset[] = {
    {"cell_contents", get_contents, set_contents, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject PyCell_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "cell",
    .tp_basicsize = sizeof(PyCellObject),
    .tp_dealloc = cell_dealloc,
    .tp_repr = cell_repr,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = PyDoc_STR("cell([contents])\n"
                        "\n"
                        "A variable; reading cell_contents of an empty one "
                        "raises ValueError."),
    .tp_traverse = cell_traverse,
    .tp_clear = cell_clear,
    .tp_richcompare = cell_richcompare,
    .tp_getset = cell_getset,
    .tp_new = cell_new,
};
