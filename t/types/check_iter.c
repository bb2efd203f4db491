/* check_iter.c: the iterator protocol and the two general iterators. */

#include "../support/suite.h"

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

static PyTypeObject Row_Type = {SUITE_TYPE("check.Row"),
                                .tp_as_sequence = &row_as_sequence};

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
    suite_drop(it, op);
}

START_TEST(sequence_iterator_passes_other_errors_on)
{
    PyObject *op = row(), *it = PySeqIter_New(op), *item;

    row_end = &PyExc_RuntimeError;
    suite_new_int(PyIter_Next(it), 0);
    suite_new_int(PyIter_Next(it), 1);
    suite_failed(PyIter_NextItem(it, &item), PyExc_RuntimeError, "end of row");
    ck_assert_ptr_null(item);
    suite_refused(PyIter_Next(it), PyExc_RuntimeError, "end of row");
    suite_drop(it, op);
    suite_refused(PySeqIter_New(Py_None), PyExc_SystemError, NULL);
}

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
    suite_drop(it, three, function);
}

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
    suite_drop(it, function);
}

/* ------------------------------------------------------------------ */
/* The protocol                                                        */

static PyObject *
iter_is_none(PyObject *Py_UNUSED(op))
{
    Py_RETURN_NONE;
}

static PyTypeObject Liar_Type = {SUITE_TYPE("check.Liar"),
                                 .tp_iter = iter_is_none};

START_TEST(get_iter_says_what_is_wrong)
{
    suite_refused(PyObject_GetIter(Py_None), PyExc_TypeError,
                  "'NoneType' object is not iterable");
    ck_assert_int_eq(PyType_Ready(&Liar_Type), 0);
    PyObject *liar = PyObject_New(PyObject, &Liar_Type);
    suite_refused(PyObject_GetIter(liar), PyExc_TypeError,
                  "iter() returned non-iterator of type 'NoneType'");
    Py_DECREF(liar);
}

START_TEST(iterator_is_its_own_iterator)
{
    PyObject *list = PyList_New(0), *it = PyObject_GetIter(list);
    PyObject *same = PyObject_GetIter(it);

    ck_assert_ptr_eq(same, it);
    suite_drop(same, it, list);
}

START_TEST(next_item_tells_end_from_error)
{
    PyObject *list = Py_BuildValue("[i]", 7), *it = PyObject_GetIter(list);
    PyObject *item = list;

    ck_assert_int_eq(PyIter_NextItem(it, &item), 1);
    suite_new_int(item, 7);
    ck_assert_int_eq(PyIter_NextItem(it, &item), 0);
    ck_assert_ptr_null(item);
    item = list;
    suite_failed(PyIter_NextItem(list, &item), PyExc_TypeError,
                 "expected an iterator, got 'list'");
    ck_assert_ptr_null(item);
    suite_drop(it, list);
}

START_TEST(send_yields_and_returns)
{
    PyObject *list = Py_BuildValue("[i]", 7), *it = PyObject_GetIter(list);
    PyObject *result;

    ck_assert_int_eq(PyIter_Send(it, Py_None, &result), PYGEN_NEXT);
    suite_new_int(result, 7);
    ck_assert_int_eq(PyIter_Send(it, Py_None, &result), PYGEN_RETURN);
    ck_assert_ptr_eq(result, Py_None);
    ck_assert_int_eq(PyIter_Send(it, Py_True, &result), PYGEN_ERROR);
    suite_refused(result, PyExc_AttributeError,
                  "'list_iterator' object has no attribute 'send'");
    suite_drop(it, list);
}

/* Gen: an iterator that returns a value at once. */
static PyObject *
gen_next(PyObject *Py_UNUSED(op))
{
    PyObject *value = PyLong_FromLong(42);

    PyErr_SetObject(PyExc_StopIteration, value);
    Py_DECREF(value);
    return NULL;
}

static PyTypeObject Gen_Type = {SUITE_TYPE("check.Gen"),
                                .tp_iter = PyObject_SelfIter,
                                .tp_iternext = gen_next};

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

START_TEST(cycles_through_iterators_are_collected)
{
    PyGC_Collect();
    PyObject *list = PyList_New(0), *it = PySeqIter_New(list);
    PyObject *call = PyCallIter_New(list, list), *own = PyObject_GetIter(list);

    ck_assert_int_eq(PyList_Append(list, it), 0);
    ck_assert_int_eq(PyList_Append(list, call), 0);
    ck_assert_int_eq(PyList_Append(list, own), 0);
    suite_drop(it, call, own);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 4);
}
