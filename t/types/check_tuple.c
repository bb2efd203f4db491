/* check_tuple.c: tuples and their iterator. */

#include "../support/suite.h"

#include <pyboehm.h>

/* (first, first + 1, ...): n numbers. */
static PyObject *
numbers(long first, Py_ssize_t n)
{
    PyObject *t = suite_require(PyTuple_New(n));
    for (Py_ssize_t i = 0; i < n; i++)
        PyTuple_SET_ITEM(t, i, PyLong_FromLong(first + i));
    return t;
}

/* An object of which the caller has the only reference. */
static PyObject *
fresh(void)
{
    return PyList_New(0);
}

START_TEST(new_is_tracked_and_empty_is_one_object)
{
    PyObject *t = PyTuple_New(3);

    ck_assert(PyTuple_CheckExact(t));
    ck_assert_int_eq(PyTuple_GET_SIZE(t), 3);
    ck_assert_ptr_null(PyTuple_GET_ITEM(t, 2));
    ck_assert(PyObject_GC_IsTracked(t));
    Py_DECREF(t);

    PyObject *a = PyTuple_New(0), *b = PyTuple_New(0);
    ck_assert_ptr_eq(a, b);
    ck_assert(_Py_IsImmortal(a));
    suite_drop(a, b);

    suite_refused(PyTuple_New(-1), PyExc_SystemError, NULL);
}

START_TEST(pack_and_from_array_gain_references)
{
    PyObject *x = fresh(), *pair[2] = {x, x};
    PyObject *t = PyTuple_Pack(2, x, x);

    ck_assert_int_eq(Py_REFCNT(x), 3);
    Py_DECREF(t);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    t = PyTuple_FromArray(pair, 2);
    ck_assert_int_eq(Py_REFCNT(x), 3);
    ck_assert_ptr_eq(PyTuple_GET_ITEM(t, 1), x);
    Py_DECREF(t);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    Py_DECREF(x);
}

START_TEST(get_item_checks_type_and_index)
{
    PyObject *t = numbers(5, 2), *list = PyList_New(0);

    ck_assert_int_eq(PyLong_AsLong(PyTuple_GetItem(t, 1)), 6);
    suite_refused(PyTuple_GetItem(t, 2), PyExc_IndexError,
                  "tuple index out of range");
    suite_refused(PyTuple_GetItem(t, -1), PyExc_IndexError,
                  "tuple index out of range");
    suite_refused(PyTuple_GetItem(list, 0), PyExc_SystemError, NULL);
    ck_assert_int_eq(PyTuple_Size(t), 2);
    suite_failed(PyTuple_Size(list), PyExc_SystemError, NULL);
    suite_drop(list, t);
}

START_TEST(set_item_steals_even_when_it_fails)
{
    PyObject *t = PyTuple_New(1), *x = fresh(), *y = fresh();

    ck_assert_int_eq(PyTuple_SetItem(t, 0, Py_NewRef(x)), 0);
    ck_assert_int_eq(Py_REFCNT(x), 2);
    ck_assert_int_eq(PyTuple_SetItem(t, 0, Py_NewRef(y)), 0);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    suite_failed(PyTuple_SetItem(t, 1, Py_NewRef(x)), PyExc_IndexError,
                 "tuple assignment index out of range");
    ck_assert_int_eq(Py_REFCNT(x), 1);

    Py_INCREF(t); /* it has another owner now */
    suite_failed(PyTuple_SetItem(t, 0, Py_NewRef(x)), PyExc_SystemError, NULL);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    ck_assert_ptr_eq(PyTuple_GET_ITEM(t, 0), y);
    suite_drop(t, t);
    ck_assert_int_eq(Py_REFCNT(y), 1);
    suite_drop(x, y);
}

START_TEST(get_slice_is_cut_to_what_there_is)
{
    PyObject *t = numbers(0, 4);

    suite_new_repr(PyTuple_GetSlice(t, 1, 3), "(1, 2)");
    suite_new_repr(PyTuple_GetSlice(t, -5, 1), "(0,)");
    suite_new_repr(PyTuple_GetSlice(t, 3, 99), "(3,)");
    suite_new_repr(PyTuple_GetSlice(t, 3, 1), "()");
    suite_new_repr(PyTuple_GetSlice(t, 50, 60), "()");
    PyObject *whole = PyTuple_GetSlice(t, 0, 4);
    ck_assert_ptr_eq(whole, t);
    suite_drop(whole, t);
}

START_TEST(resize_grows_shrinks_and_refuses)
{
    PyObject *x = fresh(), *t = PyTuple_Pack(3, x, x, x);

    ck_assert_int_eq(_PyTuple_Resize(&t, 1), 0);
    ck_assert_int_eq(Py_REFCNT(x), 2);
    ck_assert_int_eq(PyTuple_GET_SIZE(t), 1);
    ck_assert(PyObject_GC_IsTracked(t));
    ck_assert_int_eq(_PyTuple_Resize(&t, 100), 0);
    ck_assert_int_eq(PyTuple_GET_SIZE(t), 100);
    ck_assert_ptr_eq(PyTuple_GET_ITEM(t, 0), x);
    ck_assert_ptr_null(PyTuple_GET_ITEM(t, 1));
    ck_assert_ptr_null(PyTuple_GET_ITEM(t, 99));

    Py_INCREF(t); /* it has another owner now */
    PyObject *same = t;
    suite_failed(_PyTuple_Resize(&t, 2), PyExc_SystemError, NULL);
    ck_assert_ptr_null(t);
    ck_assert_int_eq(Py_REFCNT(same), 1);
    ck_assert_int_eq(_PyTuple_Resize(&same, 0), 0);
    ck_assert_int_eq(PyTuple_GET_SIZE(same), 0);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    ck_assert_int_eq(_PyTuple_Resize(&same, 2), 0);
    ck_assert_int_eq(PyTuple_GET_SIZE(same), 2);
    ck_assert_ptr_null(PyTuple_GET_ITEM(same, 1));
    suite_drop(same, x);
}

START_TEST(repr_knows_one_item_and_recursion)
{
    suite_new_repr(PyTuple_New(0), "()");
    suite_new_repr(numbers(1, 1), "(1,)");
    suite_new_repr(numbers(1, 2), "(1, 2)");

    PyObject *list = PyList_New(0), *t = PyTuple_Pack(1, list);
    ck_assert_int_eq(PyList_Append(list, t), 0);
    suite_repr(t, "([(...)],)");
    suite_repr(list, "[([...],)]");
    ck_assert_int_eq(PyList_Clear(list), 0);
    suite_drop(t, list);
}

START_TEST(hash_follows_the_items)
{
    PyObject *a = numbers(1, 3), *b = numbers(1, 3), *c = numbers(2, 3);
    PyObject *bad = Py_BuildValue("(i[])", 1);

    ck_assert(PyObject_Hash(a) == PyObject_Hash(b));
    ck_assert(PyObject_Hash(a) != PyObject_Hash(c));
    ck_assert(PyObject_Hash(bad) == -1);
    suite_exception(PyExc_TypeError, "unhashable type: 'list'");
    suite_drop(a, b, c, bad);
}

START_TEST(comparison_is_lexicographic)
{
    PyObject *a = numbers(1, 2), *b = numbers(1, 3), *c = numbers(2, 1);
    PyObject *list = PyList_New(0);

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_LT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(b, a, Py_GE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(b, c, Py_LT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(c, b, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(c, b, Py_NE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, list, Py_EQ), 0);
    suite_failed(PyObject_RichCompareBool(a, list, Py_LT), PyExc_TypeError,
                 "'<' not supported between instances of 'tuple' and 'list'");
    suite_drop(a, b, c, list);
}

START_TEST(concat_and_repeat)
{
    PyObject *a = numbers(1, 2), *none = PyTuple_New(0);
    PyObject *list = PyList_New(0);

    suite_new_repr(PySequence_Concat(a, a), "(1, 2, 1, 2)");
    suite_new_same(PySequence_Concat(none, a), a);
    suite_refused(PySequence_Concat(a, list), PyExc_TypeError,
                  "can only concatenate tuple (not \"list\") to tuple");
    suite_new_repr(PySequence_Repeat(a, 2), "(1, 2, 1, 2)");
    suite_new_repr(PySequence_Repeat(a, -1), "()");
    suite_new_same(PySequence_Repeat(a, 1), a);
    suite_refused(PySequence_Repeat(a, PY_SSIZE_T_MAX), PyExc_MemoryError,
                  NULL);
    suite_drop(list, a);
}

/* op[start:stop:step]; 99 stands for None. */
static PyObject *
sliced(PyObject *op, long start, long stop, long step)
{
    PyObject *a = start == 99 ? Py_None : PyLong_FromLong(start);
    PyObject *b = stop == 99 ? Py_None : PyLong_FromLong(stop);
    PyObject *c = PyLong_FromLong(step);
    PyObject *key = PySlice_New(a, b, c);
    PyObject *result = PyObject_GetItem(op, key);

    suite_drop(key, a, b, c);
    return result;
}

START_TEST(subscripts)
{
    PyObject *t = numbers(0, 5), *key = PyLong_FromLong(-1);

    suite_new_int(PyObject_GetItem(t, key), 4);
    Py_SETREF(key, PyLong_FromLong(5));
    suite_refused(PyObject_GetItem(t, key), PyExc_IndexError,
                  "tuple index out of range");
    Py_SETREF(key, PyUnicode_FromString("a"));
    suite_refused(PyObject_GetItem(t, key), PyExc_TypeError,
                  "tuple indices must be integers or slices, not str");
    suite_new_repr(sliced(t, 99, 99, 2), "(0, 2, 4)");
    suite_new_repr(sliced(t, 99, 99, -1), "(4, 3, 2, 1, 0)");
    suite_new_repr(sliced(t, -2, 99, 1), "(3, 4)");
    suite_new_repr(sliced(t, 4, 1, 1), "()");
    suite_refused(sliced(t, 99, 99, 0), PyExc_ValueError,
                  "slice step cannot be zero");
    suite_failed(PyObject_SetItem(t, key, key), PyExc_TypeError,
                 "'tuple' object does not support item assignment");
    suite_drop(key, t);
}

START_TEST(index_and_count_methods)
{
    PyObject *t = Py_BuildValue("(iiii)", 7, 8, 7, 9), *r;

    suite_new_int(PyObject_CallMethod(t, "index", "i", 7), 0);
    suite_new_int(PyObject_CallMethod(t, "index", "ii", 7, 1), 2);
    suite_refused(PyObject_CallMethod(t, "index", "iii", 9, 0, -1),
                  PyExc_ValueError, "tuple.index(x): x not in tuple");
    suite_refused(
        PyObject_CallMethod(t, "index", "is", 9, "a"), PyExc_TypeError,
        "slice indices must be integers or have an __index__ method");
    suite_refused(PyObject_CallMethod(t, "index", NULL), PyExc_TypeError,
                  "index expected at least 1 argument, got 0");
    r = PyObject_CallMethod(t, "count", "i", 7);
    ck_assert_int_eq(PyLong_AsLong(r), 2);
    suite_drop(r, t);
}

START_TEST(iterator_ends_and_stays_at_the_end)
{
    PyObject *t = numbers(1, 2), *it = PyObject_GetIter(t), *item;
    Py_ssize_t count = Py_REFCNT(t);

    ck_assert(Py_IS_TYPE(it, &PyTupleIter_Type));
    ck_assert_int_eq(PyObject_LengthHint(it, 99), 2);
    suite_new_int(PyIter_Next(it), 1);
    ck_assert_int_eq(PyObject_LengthHint(it, 99), 1);
    item = PyIter_Next(it);
    Py_DECREF(item);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(Py_REFCNT(t), count - 1);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(PyObject_LengthHint(it, 99), 0);
    suite_drop(it, t);
}

START_TEST(type_makes_tuples_of_iterables)
{
    PyObject *type = (PyObject *)&PyTuple_Type, *list, *t, *same;

    list = Py_BuildValue("[ii]", 1, 2);
    t = PyObject_CallOneArg(type, list);
    suite_repr(t, "(1, 2)");
    same = PyObject_CallOneArg(type, t);
    ck_assert_ptr_eq(same, t);
    suite_drop(same, t);
    suite_new_repr(PyObject_CallNoArgs(type), "()");
    suite_refused(PyObject_CallFunction(type, "i", 5), PyExc_TypeError,
                  "'int' object is not iterable");
    suite_refused(PyObject_CallFunction(type, "ii", 5, 6), PyExc_TypeError,
                  "tuple expected at most 1 argument, got 2");
    Py_DECREF(list);
}

static PyType_Slot point_slots[] = {{0, NULL}};
static PyType_Spec point_spec = {"check.Point", 0, 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                 point_slots};

START_TEST(subtype_is_made_by_its_tp_alloc)
{
    PyObject *bases = PyTuple_Pack(1, &PyTuple_Type);
    PyObject *type = PyType_FromSpecWithBases(&point_spec, bases);
    PyObject *list = Py_BuildValue("[ii]", 1, 2);

    ck_assert_ptr_nonnull(type);
    PyObject *p = suite_require(PyObject_CallOneArg(type, list));
    ck_assert(Py_IS_TYPE(p, (PyTypeObject *)type));
    ck_assert(PyTuple_Check(p) && !PyTuple_CheckExact(p));
    ck_assert(PyObject_GC_IsTracked(p));
    suite_repr(p, "(1, 2)");
    PyObject *slice = PyTuple_GetSlice(p, 0, 2);
    ck_assert(PyTuple_CheckExact(slice));
    ck_assert_int_eq(PyObject_RichCompareBool(p, slice, Py_EQ), 1);
    suite_drop(slice, p);

    PyObject *none = PyTuple_New(0), *kwds = Py_BuildValue("{s:i}", "a", 1);
    suite_refused(PyObject_Call(type, none, kwds), PyExc_TypeError,
                  "tuple() takes no keyword arguments");
    suite_drop(none, kwds, list, type, bases);
}

START_TEST(cycle_through_a_tuple_is_collected)
{
    PyGC_Collect();
    PyObject *list = PyList_New(0), *t = PyTuple_Pack(1, list);

    ck_assert_int_eq(PyList_Append(list, t), 0);
    suite_drop(t, list);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* The memory of dead tuples is used again. */
START_TEST(new_holds_nulls_where_others_lay)
{
    enum { TUPLES = 600 }; /* from 254 items on blocks are large ones */
    static PyObject *tuples[TUPLES];

    for (int round = 0; round < 3; round++) {
        for (Py_ssize_t n = 1; n < TUPLES; n++) {
            tuples[n] = PyTuple_New(n);
            ck_assert_int_eq(PyTuple_GET_SIZE(tuples[n]), n);
            ck_assert_int_eq(PyObject_GC_IsTracked(tuples[n]), 1);
            for (Py_ssize_t i = 0; i < n; i++) {
                ck_assert_ptr_null(PyTuple_GET_ITEM(tuples[n], i));
                if (i % 2 == round % 2)
                    PyTuple_SET_ITEM(tuples[n], i, Py_NewRef(Py_True));
            }
        }
        if (round == 1)
            PyBoehm_GC_Collect(0);
        for (Py_ssize_t n = 1; n < TUPLES; n++)
            Py_CLEAR(tuples[n]);
    }
}
