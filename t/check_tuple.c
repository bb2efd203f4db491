/* check_tuple.c: tuples and their iterator. */

#include "suite.h"

#include <pyboehm.h>

/* (first, first + 1, ...): n numbers. */
static PyObject *
numbers(long first, Py_ssize_t n)
{
    PyObject *t = PyTuple_New(n);

    ck_assert_ptr_nonnull(t);
    for (Py_ssize_t i = 0; i < n; i++)
        PyTuple_SET_ITEM(t, i, PyLong_FromLong(first + i));
    return t;
}

/* An object that nobody else owns. */
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
    Py_DECREF(a);
    Py_DECREF(b);

    ck_assert_ptr_null(PyTuple_New(-1));
    suite_exception(PyExc_SystemError, NULL);
}
END_TEST

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
END_TEST

START_TEST(get_item_checks_type_and_index)
{
    PyObject *t = numbers(5, 2), *list = PyList_New(0);

    ck_assert_int_eq(PyLong_AsLong(PyTuple_GetItem(t, 1)), 6);
    ck_assert_ptr_null(PyTuple_GetItem(t, 2));
    suite_exception(PyExc_IndexError, "tuple index out of range");
    ck_assert_ptr_null(PyTuple_GetItem(t, -1));
    suite_exception(PyExc_IndexError, "tuple index out of range");
    ck_assert_ptr_null(PyTuple_GetItem(list, 0));
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_int_eq(PyTuple_Size(t), 2);
    ck_assert_int_eq(PyTuple_Size(list), -1);
    suite_exception(PyExc_SystemError, NULL);
    Py_DECREF(list);
    Py_DECREF(t);
}
END_TEST

START_TEST(set_item_steals_even_when_it_fails)
{
    PyObject *t = PyTuple_New(1), *x = fresh(), *y = fresh();

    ck_assert_int_eq(PyTuple_SetItem(t, 0, Py_NewRef(x)), 0);
    ck_assert_int_eq(Py_REFCNT(x), 2);
    ck_assert_int_eq(PyTuple_SetItem(t, 0, Py_NewRef(y)), 0);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    ck_assert_int_eq(PyTuple_SetItem(t, 1, Py_NewRef(x)), -1);
    suite_exception(PyExc_IndexError, "tuple assignment index out of range");
    ck_assert_int_eq(Py_REFCNT(x), 1);

    Py_INCREF(t); /* somebody else owns it now */
    ck_assert_int_eq(PyTuple_SetItem(t, 0, Py_NewRef(x)), -1);
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    ck_assert_ptr_eq(PyTuple_GET_ITEM(t, 0), y);
    Py_DECREF(t);
    Py_DECREF(t);
    ck_assert_int_eq(Py_REFCNT(y), 1);
    Py_DECREF(x);
    Py_DECREF(y);
}
END_TEST

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
    Py_DECREF(whole);
    Py_DECREF(t);
}
END_TEST

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

    Py_INCREF(t); /* somebody else owns it now */
    PyObject *same = t;
    ck_assert_int_eq(_PyTuple_Resize(&t, 2), -1);
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_ptr_null(t);
    ck_assert_int_eq(Py_REFCNT(same), 1);
    ck_assert_int_eq(_PyTuple_Resize(&same, 0), 0);
    ck_assert_int_eq(PyTuple_GET_SIZE(same), 0);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    ck_assert_int_eq(_PyTuple_Resize(&same, 2), 0);
    ck_assert_int_eq(PyTuple_GET_SIZE(same), 2);
    ck_assert_ptr_null(PyTuple_GET_ITEM(same, 1));
    Py_DECREF(same);
    Py_DECREF(x);
}
END_TEST

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
    Py_DECREF(t);
    Py_DECREF(list);
}
END_TEST

START_TEST(hash_follows_the_items)
{
    PyObject *a = numbers(1, 3), *b = numbers(1, 3), *c = numbers(2, 3);
    PyObject *bad = Py_BuildValue("(i[])", 1);

    ck_assert(PyObject_Hash(a) == PyObject_Hash(b));
    ck_assert(PyObject_Hash(a) != PyObject_Hash(c));
    ck_assert(PyObject_Hash(bad) == -1);
    suite_exception(PyExc_TypeError, "unhashable type: 'list'");
    Py_DECREF(a);
    Py_DECREF(b);
    Py_DECREF(c);
    Py_DECREF(bad);
}
END_TEST

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
    ck_assert_int_eq(PyObject_RichCompareBool(a, list, Py_LT), -1);
    suite_exception(PyExc_TypeError, "'<' not supported between instances of "
                                     "'tuple' and 'list'");
    Py_DECREF(a);
    Py_DECREF(b);
    Py_DECREF(c);
    Py_DECREF(list);
}
END_TEST

START_TEST(concat_and_repeat)
{
    PyObject *a = numbers(1, 2), *none = PyTuple_New(0), *same;
    PyObject *list = PyList_New(0);

    suite_new_repr(PySequence_Concat(a, a), "(1, 2, 1, 2)");
    same = PySequence_Concat(none, a);
    ck_assert_ptr_eq(same, a);
    Py_DECREF(same);
    ck_assert_ptr_null(PySequence_Concat(a, list));
    suite_exception(PyExc_TypeError,
                    "can only concatenate tuple (not \"list\") to tuple");
    suite_new_repr(PySequence_Repeat(a, 2), "(1, 2, 1, 2)");
    suite_new_repr(PySequence_Repeat(a, -1), "()");
    same = PySequence_Repeat(a, 1);
    ck_assert_ptr_eq(same, a);
    Py_DECREF(same);
    ck_assert_ptr_null(PySequence_Repeat(a, PY_SSIZE_T_MAX));
    suite_exception(PyExc_MemoryError, NULL);
    Py_DECREF(list);
    Py_DECREF(a);
}
END_TEST

/* op[start:stop:step]; 99 stands for None. */
static PyObject *
sliced(PyObject *op, long start, long stop, long step)
{
    PyObject *a = start == 99 ? Py_None : PyLong_FromLong(start);
    PyObject *b = stop == 99 ? Py_None : PyLong_FromLong(stop);
    PyObject *c = PyLong_FromLong(step);
    PyObject *key = PySlice_New(a, b, c);
    PyObject *result = PyObject_GetItem(op, key);

    Py_DECREF(key);
    Py_DECREF(a);
    Py_DECREF(b);
    Py_DECREF(c);
    return result;
}

START_TEST(subscripts)
{
    PyObject *t = numbers(0, 5), *key = PyLong_FromLong(-1), *item;

    item = PyObject_GetItem(t, key);
    ck_assert_int_eq(PyLong_AsLong(item), 4);
    Py_DECREF(item);
    Py_SETREF(key, PyLong_FromLong(5));
    ck_assert_ptr_null(PyObject_GetItem(t, key));
    suite_exception(PyExc_IndexError, "tuple index out of range");
    Py_SETREF(key, PyUnicode_FromString("a"));
    ck_assert_ptr_null(PyObject_GetItem(t, key));
    suite_exception(PyExc_TypeError,
                    "tuple indices must be integers or slices, not str");
    suite_new_repr(sliced(t, 99, 99, 2), "(0, 2, 4)");
    suite_new_repr(sliced(t, 99, 99, -1), "(4, 3, 2, 1, 0)");
    suite_new_repr(sliced(t, -2, 99, 1), "(3, 4)");
    suite_new_repr(sliced(t, 4, 1, 1), "()");
    ck_assert_ptr_null(sliced(t, 99, 99, 0));
    suite_exception(PyExc_ValueError, "slice step cannot be zero");
    ck_assert_int_eq(PyObject_SetItem(t, key, key), -1);
    suite_exception(PyExc_TypeError,
                    "'tuple' object does not support item assignment");
    Py_DECREF(key);
    Py_DECREF(t);
}
END_TEST

START_TEST(index_and_count_methods)
{
    PyObject *t = Py_BuildValue("(iiii)", 7, 8, 7, 9), *r;

    r = PyObject_CallMethod(t, "index", "i", 7);
    ck_assert_int_eq(PyLong_AsLong(r), 0);
    Py_DECREF(r);
    r = PyObject_CallMethod(t, "index", "ii", 7, 1);
    ck_assert_int_eq(PyLong_AsLong(r), 2);
    Py_DECREF(r);
    ck_assert_ptr_null(PyObject_CallMethod(t, "index", "iii", 9, 0, -1));
    suite_exception(PyExc_ValueError, "tuple.index(x): x not in tuple");
    ck_assert_ptr_null(PyObject_CallMethod(t, "index", "is", 9, "a"));
    suite_exception(PyExc_TypeError, "slice indices must be integers or have "
                                     "an __index__ method");
    ck_assert_ptr_null(PyObject_CallMethod(t, "index", NULL));
    suite_exception(PyExc_TypeError,
                    "index expected at least 1 argument, got 0");
    r = PyObject_CallMethod(t, "count", "i", 7);
    ck_assert_int_eq(PyLong_AsLong(r), 2);
    Py_DECREF(r);
    Py_DECREF(t);
}
END_TEST

START_TEST(iterator_ends_and_stays_at_the_end)
{
    PyObject *t = numbers(1, 2), *it = PyObject_GetIter(t), *item;
    Py_ssize_t count = Py_REFCNT(t);

    ck_assert(Py_IS_TYPE(it, &PyTupleIter_Type));
    ck_assert_int_eq(PyObject_LengthHint(it, 99), 2);
    item = PyIter_Next(it);
    ck_assert_int_eq(PyLong_AsLong(item), 1);
    Py_DECREF(item);
    ck_assert_int_eq(PyObject_LengthHint(it, 99), 1);
    item = PyIter_Next(it);
    Py_DECREF(item);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(Py_REFCNT(t), count - 1);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(PyObject_LengthHint(it, 99), 0);
    Py_DECREF(it);
    Py_DECREF(t);
}
END_TEST

START_TEST(type_makes_tuples_of_iterables)
{
    PyObject *type = (PyObject *)&PyTuple_Type, *list, *t, *same;

    list = Py_BuildValue("[ii]", 1, 2);
    t = PyObject_CallOneArg(type, list);
    suite_repr(t, "(1, 2)");
    same = PyObject_CallOneArg(type, t);
    ck_assert_ptr_eq(same, t);
    Py_DECREF(same);
    Py_DECREF(t);
    suite_new_repr(PyObject_CallNoArgs(type), "()");
    ck_assert_ptr_null(PyObject_CallFunction(type, "i", 5));
    suite_exception(PyExc_TypeError, "'int' object is not iterable");
    ck_assert_ptr_null(PyObject_CallFunction(type, "ii", 5, 6));
    suite_exception(PyExc_TypeError,
                    "tuple expected at most 1 argument, got 2");
    Py_DECREF(list);
}
END_TEST

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
    PyObject *p = PyObject_CallOneArg(type, list);
    ck_assert_ptr_nonnull(p);
    ck_assert(Py_IS_TYPE(p, (PyTypeObject *)type));
    ck_assert(PyTuple_Check(p) && !PyTuple_CheckExact(p));
    ck_assert(PyObject_GC_IsTracked(p));
    suite_repr(p, "(1, 2)");
    PyObject *slice = PyTuple_GetSlice(p, 0, 2);
    ck_assert(PyTuple_CheckExact(slice));
    ck_assert_int_eq(PyObject_RichCompareBool(p, slice, Py_EQ), 1);
    Py_DECREF(slice);
    Py_DECREF(p);

    PyObject *none = PyTuple_New(0), *kwds = Py_BuildValue("{s:i}", "a", 1);
    ck_assert_ptr_null(PyObject_Call(type, none, kwds));
    suite_exception(PyExc_TypeError, "tuple() takes no keyword arguments");
    Py_DECREF(none);
    Py_DECREF(kwds);
    Py_DECREF(list);
    Py_DECREF(type);
    Py_DECREF(bases);
}
END_TEST

START_TEST(cycle_through_a_tuple_is_collected)
{
    PyGC_Collect();
    PyObject *list = PyList_New(0), *t = PyTuple_Pack(1, list);

    ck_assert_int_eq(PyList_Append(list, t), 0);
    Py_DECREF(t);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
}
END_TEST

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
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {new_holds_nulls_where_others_lay, 0},
        {new_is_tracked_and_empty_is_one_object, 0},
        {pack_and_from_array_gain_references, 0},
        {get_item_checks_type_and_index, 0},
        {set_item_steals_even_when_it_fails, 0},
        {get_slice_is_cut_to_what_there_is, 0},
        {resize_grows_shrinks_and_refuses, 0},
        {repr_knows_one_item_and_recursion, 0},
        {hash_follows_the_items, 0},
        {comparison_is_lexicographic, 0},
        {concat_and_repeat, 0},
        {subscripts, 0},
        {index_and_count_methods, 0},
        {iterator_ends_and_stays_at_the_end, 0},
        {type_makes_tuples_of_iterables, 0},
        {subtype_is_made_by_its_tp_alloc, 0},
        {cycle_through_a_tuple_is_collected, 0},
        {NULL, 0}};

    return suite_run("tuple", tests);
}
