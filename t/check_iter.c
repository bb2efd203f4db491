/* check_iter.c: the iterator protocol and the two general iterators. */

#include "suite.h"

/* ------------------------------------------------------------------ */
/* Row: numbered items until an exception of the test's choice         */

static PyObject **row_end; /* the exception's type */

static PyObject *
row_item(PyObject *Py_UNUSED(op), Py_ssize_t i)
{
    if (i < 2)
        return PyLong_FromSsize_t(i);
    PyErr_SetString(*row_end, "end of row");
    return NULL;
}

static PySequenceMethods row_as_sequence = {.sq_item = row_item};

static PyTypeObject Row_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "check.Row",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_as_sequence = &row_as_sequence,
};

static PyObject *
row(void)
{
    ck_assert_int_eq(PyType_Ready(&Row_Type), 0);
    return PyObject_New(PyObject, &Row_Type);
}

START_TEST(sequence_iterator_ends_with_index_error)
{
    PyObject *op = row(), *it = PyObject_GetIter(op);

    row_end = &PyExc_IndexError;
    ck_assert(PySeqIter_Check(it));
    ck_assert(PyIter_Check(it) && !PyIter_Check(op));
    ck_assert(PyObject_GC_IsTracked(it));
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 9);
    suite_new_int(PyIter_Next(it), 0);
    suite_new_int(PyIter_Next(it), 1);
    ck_assert_int_eq(Py_REFCNT(op), 2);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(Py_REFCNT(op), 1);
    ck_assert_ptr_null(PyIter_Next(it));
    Py_DECREF(it);

    it = PySeqIter_New(op);
    row_end = &PyExc_StopIteration;
    suite_new_int(PyIter_Next(it), 0);
    suite_new_int(PyIter_Next(it), 1);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(it);
    Py_DECREF(op);
}
END_TEST

START_TEST(sequence_iterator_passes_other_errors_on)
{
    PyObject *op = row(), *it = PySeqIter_New(op), *item;

    row_end = &PyExc_RuntimeError;
    suite_new_int(PyIter_Next(it), 0);
    suite_new_int(PyIter_Next(it), 1);
    ck_assert_int_eq(PyIter_NextItem(it, &item), -1);
    ck_assert_ptr_null(item);
    suite_exception(PyExc_RuntimeError, "end of row");
    ck_assert_ptr_null(PyIter_Next(it));
    suite_exception(PyExc_RuntimeError, "end of row");
    Py_DECREF(it);
    Py_DECREF(op);
    ck_assert_ptr_null(PySeqIter_New(Py_None));
    suite_exception(PyExc_SystemError, NULL);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Results of a callable                                               */

static long calls;

static PyObject *
count_calls(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(none))
{
    if (++calls > 5) {
        PyErr_SetString(PyExc_StopIteration, "no more");
        return NULL;
    }
    return PyLong_FromLong(calls);
}

static PyMethodDef count_def = {"count", count_calls, METH_NOARGS, NULL};

START_TEST(callable_iterator_ends_with_the_sentinel)
{
    PyObject *function = PyCFunction_New(&count_def, NULL);
    PyObject *three = PyLong_FromLong(3);
    PyObject *it = PyCallIter_New(function, three);
    Py_ssize_t count = Py_REFCNT(function);

    calls = 0;
    ck_assert(PyCallIter_Check(it));
    ck_assert(PyObject_GC_IsTracked(it));
    suite_new_int(PyIter_Next(it), 1);
    suite_new_int(PyIter_Next(it), 2);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(Py_REFCNT(function), count - 1);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(calls, 3);
    Py_DECREF(it);
    Py_DECREF(three);
    Py_DECREF(function);
}
END_TEST

START_TEST(callable_iterator_ends_with_stop_iteration)
{
    PyObject *function = PyCFunction_New(&count_def, NULL);
    PyObject *it = PyCallIter_New(function, Py_None);

    calls = 3;
    suite_new_int(PyIter_Next(it), 4);
    suite_new_int(PyIter_Next(it), 5);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(calls, 6);
    Py_DECREF(it);
    Py_DECREF(function);
}
END_TEST

/* ------------------------------------------------------------------ */
/* The protocol                                                        */

static PyObject *
iter_is_none(PyObject *Py_UNUSED(op))
{
    Py_RETURN_NONE;
}

static PyTypeObject Liar_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "check.Liar",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = iter_is_none,
};

START_TEST(get_iter_says_what_is_wrong)
{
    ck_assert_ptr_null(PyObject_GetIter(Py_None));
    suite_exception(PyExc_TypeError, "'NoneType' object is not iterable");
    ck_assert_int_eq(PyType_Ready(&Liar_Type), 0);
    PyObject *liar = PyObject_New(PyObject, &Liar_Type);
    ck_assert_ptr_null(PyObject_GetIter(liar));
    suite_exception(PyExc_TypeError,
                    "iter() returned non-iterator of type 'NoneType'");
    Py_DECREF(liar);
}
END_TEST

START_TEST(iterator_is_its_own_iterator)
{
    PyObject *list = PyList_New(0), *it = PyObject_GetIter(list);
    PyObject *same = PyObject_GetIter(it);

    ck_assert_ptr_eq(same, it);
    Py_DECREF(same);
    Py_DECREF(it);
    Py_DECREF(list);
}
END_TEST

START_TEST(next_item_tells_end_from_error)
{
    PyObject *list = Py_BuildValue("[i]", 7), *it = PyObject_GetIter(list);
    PyObject *item = list;

    ck_assert_int_eq(PyIter_NextItem(it, &item), 1);
    suite_new_int(item, 7);
    ck_assert_int_eq(PyIter_NextItem(it, &item), 0);
    ck_assert_ptr_null(item);
    item = list;
    ck_assert_int_eq(PyIter_NextItem(list, &item), -1);
    ck_assert_ptr_null(item);
    suite_exception(PyExc_TypeError, "expected an iterator, got 'list'");
    Py_DECREF(it);
    Py_DECREF(list);
}
END_TEST

START_TEST(send_yields_and_returns)
{
    PyObject *list = Py_BuildValue("[i]", 7), *it = PyObject_GetIter(list);
    PyObject *result;

    ck_assert_int_eq(PyIter_Send(it, Py_None, &result), PYGEN_NEXT);
    suite_new_int(result, 7);
    ck_assert_int_eq(PyIter_Send(it, Py_None, &result), PYGEN_RETURN);
    ck_assert_ptr_eq(result, Py_None);
    ck_assert_int_eq(PyIter_Send(it, Py_True, &result), PYGEN_ERROR);
    ck_assert_ptr_null(result);
    suite_exception(PyExc_AttributeError,
                    "'list_iterator' object has no attribute 'send'");
    Py_DECREF(it);
    Py_DECREF(list);
}
END_TEST

/* Gen: an iterator that returns a value at once. */
static PyObject *
gen_next(PyObject *Py_UNUSED(op))
{
    PyObject *value = PyLong_FromLong(42);

    PyErr_SetObject(PyExc_StopIteration, value);
    Py_DECREF(value);
    return NULL;
}

static PyTypeObject Gen_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "check.Gen",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = gen_next,
};

START_TEST(send_returns_the_value_of_stop_iteration)
{
    ck_assert_int_eq(PyType_Ready(&Gen_Type), 0);
    PyObject *gen = PyObject_New(PyObject, &Gen_Type), *result;

    ck_assert_int_eq(PyIter_Send(gen, Py_None, &result), PYGEN_RETURN);
    suite_new_int(result, 42);
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_ptr_null(PyIter_Next(gen));
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(gen);
}
END_TEST

START_TEST(cycles_through_iterators_are_collected)
{
    PyGC_Collect();
    PyObject *list = PyList_New(0), *it = PySeqIter_New(list);
    PyObject *call = PyCallIter_New(list, list), *own = PyObject_GetIter(list);

    ck_assert_int_eq(PyList_Append(list, it), 0);
    ck_assert_int_eq(PyList_Append(list, call), 0);
    ck_assert_int_eq(PyList_Append(list, own), 0);
    Py_DECREF(it);
    Py_DECREF(call);
    Py_DECREF(own);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 4);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {sequence_iterator_ends_with_index_error, 0},
        {sequence_iterator_passes_other_errors_on, 0},
        {callable_iterator_ends_with_the_sentinel, 0},
        {callable_iterator_ends_with_stop_iteration, 0},
        {get_iter_says_what_is_wrong, 0},
        {iterator_is_its_own_iterator, 0},
        {next_item_tells_end_from_error, 0},
        {send_yields_and_returns, 0},
        {send_returns_the_value_of_stop_iteration, 0},
        {cycles_through_iterators_are_collected, 0},
        {NULL, 0}};

    return suite_run("iter", tests);
}
