/* check_memoryview.c: memoryviews: what they own, when they let go of it, and
   what foreign code may do to them meanwhile.  What they say of memory of each
   layout is in t/oracle/types/memory_views.c. */

#include "../support/suite.h"

#include <string.h>

static PyObject *
new_array(const char *text)
{
    return suite_require(
        PyByteArray_FromStringAndSize(text, (Py_ssize_t)strlen(text)));
}

static PyObject *
call(PyObject *op, const char *method)
{
    return PyObject_CallMethod(op, method, NULL);
}

/* ------------------------------------------------------------------ */
/* Ownership                                                           */

START_TEST(a_view_keeps_the_exporter)
{
    PyObject *array = new_array("abc");
    PyObject *view = suite_require(PyMemoryView_FromObject(array));

    ck_assert(PyMemoryView_Check(view));
    ck_assert(!PyMemoryView_Check(array));
    ck_assert_int_eq(PyObject_GC_IsTracked(view), 1);
    ck_assert_int_eq(Py_REFCNT(array), 2);
    ck_assert_ptr_eq(PyMemoryView_GET_BASE(view), array);
    ck_assert_ptr_eq(PyMemoryView_GET_BUFFER(view)->buf,
                     PyByteArray_AsString(array));
    suite_failed(PyByteArray_Resize(array, 99), PyExc_BufferError, NULL);
    Py_DECREF(view);
    ck_assert_int_eq(Py_REFCNT(array), 1);
    ck_assert_int_eq(PyByteArray_Resize(array, 99), 0);
    Py_DECREF(array);
}

START_TEST(views_of_views_share_one_buffer)
{
    PyObject *array = new_array("abc");
    PyObject *a = PyMemoryView_FromObject(array);
    PyObject *b = suite_require(PyMemoryView_FromObject(a));
    PyObject *c = suite_require(PyObject_CallMethod(b, "cast", "s", "c"));

    ck_assert_int_eq(Py_REFCNT(array), 2);
    ck_assert_int_eq(Py_REFCNT(a), 1);
    suite_drop(a, b);
    suite_failed(PyByteArray_Resize(array, 99), PyExc_BufferError, NULL);
    suite_new_repr(call(c, "tolist"), "[b'a', b'b', b'c']");
    Py_DECREF(c);
    ck_assert_int_eq(PyByteArray_Resize(array, 99), 0);
    Py_DECREF(array);
}

START_TEST(released_views_let_go)
{
    PyObject *array = new_array("abc");
    PyObject *view = PyMemoryView_FromObject(array);
    char text[64];

    suite_new_same(call(view, "release"), Py_None);
    ck_assert_int_eq(Py_REFCNT(array), 1);
    ck_assert_ptr_null(PyMemoryView_GET_BASE(view));
    snprintf(text, sizeof text, "<released memory at %p>", (void *)view);
    suite_repr(view, text);
    suite_refused(call(view, "tolist"), PyExc_ValueError,
                  "operation forbidden on released memoryview object");
    suite_new_same(call(view, "release"), Py_None);
    suite_drop(view, array);
}

START_TEST(a_view_in_use_is_not_released)
{
    PyObject *array = new_array("abc");
    PyObject *view = PyMemoryView_FromObject(array);
    Py_buffer one, two;

    ck_assert_int_eq(PyObject_GetBuffer(view, &one, PyBUF_FULL), 0);
    ck_assert_int_eq(PyObject_GetBuffer(view, &two, PyBUF_FULL), 0);
    ck_assert_ptr_eq(one.obj, view);
    suite_refused(call(view, "release"), PyExc_BufferError,
                  "memoryview has 2 exported buffers");
    PyBuffer_Release(&one);
    suite_refused(call(view, "release"), PyExc_BufferError,
                  "memoryview has 1 exported buffer");
    Py_DECREF(view);
    ck_assert_int_eq(((char *)two.buf)[0], 'a');
    PyBuffer_Release(&two);
    ck_assert_int_eq(Py_REFCNT(array), 1);
    Py_DECREF(array);
}

START_TEST(views_have_weak_references)
{
    PyObject *array = new_array("abc");
    PyObject *view = PyMemoryView_FromObject(array), *found;
    PyObject *ref = suite_require(PyWeakref_NewRef(view, NULL));

    ck_assert_int_eq(PyWeakref_GetRef(ref, &found), 1);
    suite_drop(found, view);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &found), 0);
    suite_drop(ref, array);
}

/* ------------------------------------------------------------------ */
/* Cycles                                                              */

/* An exporter with an attribute: a container that exports its own bytes, and
   counts those in use and those deallocated. */
typedef struct {
    PyObject_HEAD
    PyObject *own;
    int exports;
    char bytes[4];
} Exporter;

static int freed;

static int
exporter_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    Exporter *self = (Exporter *)op;

    self->exports++;
    return PyBuffer_FillInfo(view, op, self->bytes, 4, 0, flags);
}

static void
exporter_releasebuffer(PyObject *op, Py_buffer *Py_UNUSED(view))
{
    ((Exporter *)op)->exports--;
}

static int
exporter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((Exporter *)op)->own);
    return 0;
}

static int
exporter_clear(PyObject *op)
{
    Py_CLEAR(((Exporter *)op)->own);
    return 0;
}

static void
exporter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    ck_assert_int_eq(((Exporter *)op)->exports, 0);
    exporter_clear(op);
    freed++;
    PyObject_GC_Del(op);
}

static PyBufferProcs exporter_as_buffer = {exporter_getbuffer,
                                           exporter_releasebuffer};

/* With tp_clear, and without. */
static PyTypeObject Exporter_Types[2] = {
    {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Exporter",
        .tp_basicsize = sizeof(Exporter),
        .tp_dealloc = exporter_dealloc,
        .tp_as_buffer = &exporter_as_buffer,
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
        .tp_traverse = exporter_traverse,
        .tp_clear = exporter_clear,
    },
    {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Unclearable",
        .tp_basicsize = sizeof(Exporter),
        .tp_dealloc = exporter_dealloc,
        .tp_as_buffer = &exporter_as_buffer,
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
        .tp_traverse = exporter_traverse,
    },
};

static Exporter *
new_exporter(int which)
{
    ck_assert_int_eq(PyType_Ready(&Exporter_Types[which]), 0);
    Exporter *self =
        suite_require(PyObject_GC_New(Exporter, &Exporter_Types[which]));
    self->own = NULL;
    self->exports = 0;
    memcpy(self->bytes, "abcd", 4);
    PyObject_GC_Track((PyObject *)self);
    return self;
}

/* A cycle of exporter, view and what is between: 3 containers. */
static void
collect_cycle(int which)
{
    PyGC_Collect();
    Exporter *self = new_exporter(which);
    self->own = suite_require(PyMemoryView_FromObject((PyObject *)self));
    ck_assert_int_eq(self->exports, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(self);
    freed = 0;
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(freed, 1);
}

START_TEST(cycles_through_the_exporter_are_collected)
{
    collect_cycle(0);
}

START_TEST(the_view_breaks_a_cycle_if_the_exporter_does_not)
{
    collect_cycle(1);
}

START_TEST(a_view_whose_buffer_is_in_use_outlives_its_clearing)
{
    Exporter *self = new_exporter(0);
    PyObject *op = suite_require(PyMemoryView_FromObject((PyObject *)self));
    Py_buffer view;

    ck_assert_int_eq(PyObject_GetBuffer(op, &view, PyBUF_FULL), 0);
    ck_assert_int_eq(Py_TYPE(op)->tp_clear(op), 0);
    ck_assert_int_eq(self->exports, 1);
    PyBuffer_Release(&view);
    ck_assert_int_eq(Py_TYPE(op)->tp_clear(op), 0);
    ck_assert_int_eq(self->exports, 0);
    suite_drop(op, (PyObject *)self);
}

/* ------------------------------------------------------------------ */
/* Released by foreign code                                            */

static PyObject *victim;

/* A number whose conversion releases the victim. */
static PyObject *
release_index(PyObject *Py_UNUSED(op))
{
    Py_XDECREF(call(victim, "release"));
    return PyLong_FromLong(1);
}

static PyNumberMethods release_as_number = {.nb_index = release_index};
static PyTypeObject Releaser_Type = {
    SUITE_TYPE("Releaser"),
    .tp_as_number = &release_as_number,
};

static PyObject *
new_releaser(void)
{
    ck_assert_int_eq(PyType_Ready(&Releaser_Type), 0);
    return suite_require(PyObject_New(PyObject, &Releaser_Type));
}

static const char gone[] = "operation forbidden on released memoryview object";

START_TEST(conversions_may_release_the_view)
{
    PyObject *array = new_array("abcd"), *number = new_releaser();
    PyObject *pair = PyTuple_Pack(1, number), *zero = PyLong_FromLong(0);

    victim = PyMemoryView_FromObject(array);
    suite_refused(PyObject_GetItem(victim, number), PyExc_ValueError, gone);
    Py_SETREF(victim, PyMemoryView_FromObject(array));
    suite_refused(PyObject_GetItem(victim, pair), PyExc_ValueError, gone);
    Py_SETREF(victim, PyMemoryView_FromObject(array));
    suite_failed(PyObject_SetItem(victim, zero, number), PyExc_ValueError,
                 gone);
    Py_SETREF(victim, PyMemoryView_FromObject(array));
    suite_failed(PyObject_SetItem(victim, number, zero), PyExc_ValueError,
                 gone);
    suite_repr(array, "bytearray(b'abcd')");
    ck_assert_int_eq(Py_REFCNT(array), 1);
    suite_drop(victim, zero, pair, number, array);
}

static PyObject *
release_in_iter(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    Py_XDECREF(call(victim, "release"));
    return PyLong_FromLong(1);
}

static PyMethodDef release_def = {"__iter__", release_in_iter, METH_VARARGS,
                                  NULL};

/* The items of a list or tuple are read as they are: no __iter__ is called. */
START_TEST(a_shape_runs_no_code)
{
    PyTypeObject *const bases[] = {&PyList_Type, &PyTuple_Type};
    PyObject *array = new_array("abcd");
    PyObject *function = PyCFunction_New(&release_def, NULL);
    PyObject *pair = Py_BuildValue("(ii)", 2, 2);

    for (size_t i = 0; i < Py_ARRAY_LENGTH(bases); i++) {
        PyObject *type =
            suite_class("s(O){sO}", "Shape", bases[i], "__iter__", function);
        PyObject *shape = suite_require(PyObject_CallOneArg(type, pair));

        victim = PyMemoryView_FromObject(array);
        PyObject *view = suite_require(
            PyObject_CallMethod(victim, "cast", "sO", "B", shape));
        suite_new_repr(call(view, "tolist"), "[[97, 98], [99, 100]]");
        suite_drop(view, victim, shape, type);
    }
    suite_drop(pair, function, array);
}

START_TEST(a_slice_keeps_the_memory_that_its_bounds_release)
{
    PyObject *array = new_array("abcd"), *number = new_releaser();
    PyObject *slice = PySlice_New(number, NULL, NULL);

    victim = PyMemoryView_FromObject(array);
    PyObject *part = suite_require(PyObject_GetItem(victim, slice));
    suite_new_repr(call(part, "tobytes"), "b'bcd'");
    suite_refused(call(victim, "tobytes"), PyExc_ValueError, gone);
    suite_drop(part, victim, slice, number, array);
}

START_TEST(iterators_notice_the_release)
{
    PyObject *array = new_array("ab"), *view = PyMemoryView_FromObject(array);
    PyObject *it = suite_require(PyObject_GetIter(view));

    suite_new_int(PyIter_Next(it), 'a');
    Py_XDECREF(call(view, "release"));
    suite_refused(PyIter_Next(it), PyExc_ValueError, gone);
    suite_drop(it, view, array);
}

/* ------------------------------------------------------------------ */
/* What 3.11 has not                                                   */

/* Stores a number in a view of one item, and reads it again. */
static void
check_half(PyObject *view, double number, double expected)
{
    PyObject *zero = PyLong_FromLong(0), *value = PyFloat_FromDouble(number);

    ck_assert_int_eq(PyObject_SetItem(view, zero, value), 0);
    Py_SETREF(value, suite_require(PyObject_GetItem(view, zero)));
    ck_assert_double_eq(PyFloat_AsDouble(value), expected);
    suite_drop(value, zero);
}

START_TEST(half_floats_are_items)
{
    PyObject *array = new_array(".."), *bytes = PyMemoryView_FromObject(array);
    PyObject *view =
        suite_require(PyObject_CallMethod(bytes, "cast", "s", "e"));
    PyObject *zero = PyLong_FromLong(0), *large = PyFloat_FromDouble(65520);

    check_half(view, 0, 0);
    check_half(view, -2.5, -2.5);
    check_half(view, 65504, 65504);
    check_half(view, 65519, 65504);
    check_half(view, Py_INFINITY, Py_INFINITY);
    check_half(view, 0x1p-14, 0x1p-14);
    check_half(view, 0x1p-24, 0x1p-24);
    check_half(view, 0x1p-25, 0);         /* to even */
    check_half(view, 0x1.8p-24, 0x1p-23); /* to even */
    check_half(view, 0x1.ffcp-15, 0x1.ff8p-15 + 0x1p-25 * 2);
    check_half(view, 0x1.ffep+0, 2);
    check_half(view, 0x1.002p+0, 1);
    suite_failed(PyObject_SetItem(view, zero, large), PyExc_ValueError,
                 "memoryview: invalid value for format 'e'");
    suite_drop(large, zero, view, bytes, array);
}

START_TEST(items_are_counted_and_found)
{
    PyObject *array = new_array("abcab"),
             *view = PyMemoryView_FromObject(array);

    suite_new_int(PyObject_CallMethod(view, "count", "i", 'b'), 2);
    suite_new_int(PyObject_CallMethod(view, "index", "i", 'b'), 1);
    suite_new_int(PyObject_CallMethod(view, "index", "ii", 'b', 2), 4);
    suite_refused(PyObject_CallMethod(view, "index", "iii", 'b', 2, 4),
                  PyExc_ValueError, "memoryview.index(x): x not found");
    suite_drop(view, array);
}

START_TEST(scalars_have_no_length)
{
    PyObject *array = new_array("a"), *view = PyMemoryView_FromObject(array);
    PyObject *scalar =
        suite_require(PyObject_CallMethod(view, "cast", "s()", "B"));

    suite_failed(PyObject_Size(scalar), PyExc_TypeError,
                 "0-dim memory has no length");
    suite_refused(PyObject_CallMethod(scalar, "index", "i", 1),
                  PyExc_TypeError, "invalid lookup on 0-dim memory");
    suite_refused(PyObject_GetIter(scalar), PyExc_TypeError,
                  "invalid indexing of 0-dim memory");
    suite_drop(scalar, view, array);
}

/* ------------------------------------------------------------------ */
/* Bad calls                                                           */

START_TEST(bad_arguments_are_refused)
{
    char memory[4] = "abc";
    Py_buffer info = {.buf = memory, .ndim = 2};

    suite_refused(PyMemoryView_FromObject(NULL), PyExc_SystemError,
                  "null argument to internal routine");
    suite_refused(PyMemoryView_FromMemory(NULL, 1, PyBUF_READ),
                  PyExc_SystemError, NULL);
    suite_refused(PyMemoryView_FromMemory(memory, -1, PyBUF_READ),
                  PyExc_SystemError, NULL);
    suite_refused(PyMemoryView_FromMemory(memory, 4, PyBUF_SIMPLE),
                  PyExc_SystemError, NULL);
    suite_refused(PyMemoryView_FromBuffer(NULL), PyExc_SystemError, NULL);
    suite_refused(PyMemoryView_FromBuffer(&info), PyExc_SystemError, NULL);
    info.ndim = -1;
    suite_refused(PyMemoryView_FromBuffer(&info), PyExc_SystemError, NULL);
    suite_refused(PyMemoryView_GetContiguous(Py_None, PyBUF_READ, 'X'),
                  PyExc_SystemError, NULL);
    suite_refused(PyMemoryView_GetContiguous(Py_None, PyBUF_SIMPLE, 'C'),
                  PyExc_SystemError, NULL);
    suite_refused(PyMemoryView_GetContiguous(NULL, PyBUF_READ, 'C'),
                  PyExc_SystemError, NULL);
}

START_TEST(dimensions_are_limited)
{
    Py_ssize_t shape[PyBUF_MAX_NDIM + 1];
    char byte = 7;
    Py_buffer info = {.buf = &byte,
                      .len = 1,
                      .itemsize = 1,
                      .ndim = PyBUF_MAX_NDIM,
                      .shape = shape};

    for (int i = 0; i <= PyBUF_MAX_NDIM; i++)
        shape[i] = 1;
    PyObject *view = suite_require(PyMemoryView_FromBuffer(&info));
    suite_new_repr(call(view, "tobytes"), "b'\\x07'");
    Py_DECREF(view);
    info.ndim++;
    suite_refused(PyMemoryView_FromBuffer(&info), PyExc_ValueError,
                  "memoryview: number of dimensions must not exceed 64");
}

START_TEST(the_type_is_a_builtin)
{
    PyObject *module = suite_require(PyImport_ImportModule("builtins"));

    suite_new_same(PyObject_GetAttrString(module, "memoryview"),
                   &PyMemoryView_Type);
    Py_DECREF(module);
}
