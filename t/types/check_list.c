/* check_list.c: lists, their slices, sorting and iterator. */

#include "../support/odd.h"
#include "../support/suite.h"

#include <pyboehm.h>

static PyObject *
numbers(Py_ssize_t n)
{
    PyObject *list = suite_require(PyList_New(n));
    for (Py_ssize_t i = 0; i < n; i++)
        PyList_SET_ITEM(list, i, PyLong_FromSsize_t(i));
    return list;
}

/* A list of n odd objects. */
static PyObject *
odds(long n)
{
    PyObject *list = PyList_New(n);

    for (long i = 0; i < n; i++)
        PyList_SET_ITEM(list, i, odd(i));
    return list;
}

/* ------------------------------------------------------------------ */
/* The API                                                             */

START_TEST(new_is_tracked_and_holds_nulls)
{
    PyObject *list = PyList_New(3);

    ck_assert(PyList_CheckExact(list));
    ck_assert(PyObject_GC_IsTracked(list));
    ck_assert_int_eq(PyList_GET_SIZE(list), 3);
    ck_assert_ptr_null(PyList_GET_ITEM(list, 2));
    Py_DECREF(list);
    suite_refused(PyList_New(-1), PyExc_SystemError, NULL);
    suite_refused(PyList_New(PY_SSIZE_T_MAX), PyExc_MemoryError, NULL);
}

START_TEST(get_item_checks_type_and_index)
{
    PyObject *list = numbers(2), *t = PyTuple_New(0);

    ck_assert_int_eq(PyLong_AsLong(PyList_GetItem(list, 1)), 1);
    suite_refused(PyList_GetItem(list, 2), PyExc_IndexError,
                  "list index out of range");
    suite_refused(PyList_GetItem(list, -1), PyExc_IndexError,
                  "list index out of range");
    suite_refused(PyList_GetItem(t, 0), PyExc_SystemError, NULL);
    suite_new_int(PyList_GetItemRef(list, 1), 1);
    suite_refused(PyList_GetItemRef(list, 2), PyExc_IndexError,
                  "list index out of range");
    suite_refused(PyList_GetItemRef(t, 0), PyExc_TypeError, "expected a list");
    suite_failed(PyList_Size(t), PyExc_SystemError, NULL);
    Py_DECREF(list);
}

START_TEST(set_item_steals_even_when_it_fails)
{
    PyObject *list = PyList_New(1), *x = PyList_New(0);

    ck_assert_int_eq(PyList_SetItem(list, 0, Py_NewRef(x)), 0);
    ck_assert_int_eq(Py_REFCNT(x), 2);
    suite_failed(PyList_SetItem(list, 1, Py_NewRef(x)), PyExc_IndexError,
                 "list assignment index out of range");
    ck_assert_int_eq(Py_REFCNT(x), 2);
    suite_failed(PyList_SetItem(x, 0, Py_NewRef(x)), PyExc_IndexError,
                 "list assignment index out of range");
    ck_assert_int_eq(PyList_SetItem(list, 0, NULL), 0);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    suite_drop(list, x);
}

START_TEST(append_and_insert_gain_references)
{
    PyObject *list = PyList_New(0), *x = PyList_New(0);

    ck_assert_int_eq(PyList_Append(list, x), 0);
    ck_assert_int_eq(Py_REFCNT(x), 2);
    for (long i = 0; i < 3; i++) {
        PyObject *n = PyLong_FromLong(i);
        ck_assert_int_eq(PyList_Insert(list, i == 2 ? -100 : 100, n), 0);
        Py_DECREF(n);
    }
    suite_repr(list, "[2, [], 0, 1]");
    ck_assert_int_eq(PyList_Insert(list, -1, x), 0);
    suite_repr(list, "[2, [], 0, [], 1]");
    suite_failed(PyList_Append(list, NULL), PyExc_SystemError, NULL);
    suite_failed(PyList_Append(Py_None, x), PyExc_SystemError, NULL);
    ck_assert_int_eq(PyList_Clear(list), 0);
    ck_assert_int_eq(PyList_Size(list), 0);
    ck_assert_int_eq(Py_REFCNT(x), 1);
    suite_drop(list, x);
}

START_TEST(many_appends_copy_seldom)
{
    PyObject *list = PyList_New(0);
    Py_ssize_t moves = 0, room = 0;

    for (long i = 0; i < 100000; i++) {
        ck_assert_int_eq(PyList_Append(list, Py_None), 0);
        moves += room != ((PyListObject *)list)->allocated;
        room = ((PyListObject *)list)->allocated;
    }
    ck_assert_int_eq(PyList_GET_SIZE(list), 100000);
    ck_assert_int_lt(moves, 100);
    Py_DECREF(list);
}

START_TEST(extend_takes_any_iterable_and_itself)
{
    PyObject *list = numbers(2), *t = Py_BuildValue("(ii)", 7, 8);
    PyObject *it = PyObject_GetIter(t);

    ck_assert_int_eq(PyList_Extend(list, list), 0);
    suite_repr(list, "[0, 1, 0, 1]");
    ck_assert_int_eq(PyList_Extend(list, t), 0);
    ck_assert_int_eq(PyList_Extend(list, it), 0);
    suite_repr(list, "[0, 1, 0, 1, 7, 8, 7, 8]");
    suite_failed(PyList_Extend(list, Py_None), PyExc_TypeError,
                 "'NoneType' object is not iterable");
    suite_failed(PyList_Extend(list, NULL), PyExc_SystemError, NULL);
    suite_drop(it, t, list);
}

START_TEST(slices_of_the_api)
{
    PyObject *list = numbers(5), *two = numbers(2);

    suite_new_repr(PyList_GetSlice(list, 1, 3), "[1, 2]");
    suite_new_repr(PyList_GetSlice(list, -3, 99), "[0, 1, 2, 3, 4]");
    suite_new_repr(PyList_GetSlice(list, 4, 1), "[]");
    ck_assert_int_eq(PyList_SetSlice(list, 1, 4, two), 0);
    suite_repr(list, "[0, 0, 1, 4]");
    ck_assert_int_eq(PyList_SetSlice(list, 1, 1, two), 0);
    suite_repr(list, "[0, 0, 1, 0, 1, 4]");
    ck_assert_int_eq(PyList_SetSlice(list, 4, 99, NULL), 0);
    suite_repr(list, "[0, 0, 1, 0]");
    ck_assert_int_eq(PyList_SetSlice(list, 1, 2, list), 0);
    suite_repr(list, "[0, 0, 0, 1, 0, 1, 0]");
    suite_failed(PyList_SetSlice(list, 0, 1, Py_None), PyExc_TypeError,
                 "can only assign an iterable");
    suite_new_repr(PyList_AsTuple(two), "(0, 1)");
    ck_assert_int_eq(PyList_Reverse(two), 0);
    suite_new_repr(two, "[1, 0]");
    Py_DECREF(list);
}

/* ------------------------------------------------------------------ */
/* Subscripts                                                          */

/* start:stop:step; 99 stands for None. */
static PyObject *
slice(long start, long stop, long step)
{
    PyObject *a = start == 99 ? Py_None : PyLong_FromLong(start);
    PyObject *b = stop == 99 ? Py_None : PyLong_FromLong(stop);
    PyObject *c = PyLong_FromLong(step);
    PyObject *key = suite_require(PySlice_New(a, b, c));
    suite_drop(a, b, c);
    return key;
}

static PyObject *
get(PyObject *list, PyObject *key)
{
    PyObject *result = PyObject_GetItem(list, key);

    Py_DECREF(key);
    return result;
}

/* list[key] = value, or del list[key]; key and value are released. */
static int
set(PyObject *list, PyObject *key, PyObject *value)
{
    int result = value ? PyObject_SetItem(list, key, value)
                       : PyObject_DelItem(list, key);

    Py_DECREF(key);
    Py_XDECREF(value);
    return result;
}

START_TEST(subscripts_read)
{
    PyObject *list = numbers(5);

    suite_new_repr(get(list, PyLong_FromLong(-1)), "4");
    suite_refused(get(list, PyLong_FromLong(5)), PyExc_IndexError,
                  "list index out of range");
    suite_refused(get(list, PyUnicode_FromString("a")), PyExc_TypeError,
                  "list indices must be integers or slices, not str");
    suite_new_repr(get(list, slice(99, 99, 2)), "[0, 2, 4]");
    suite_new_repr(get(list, slice(99, 99, -2)), "[4, 2, 0]");
    suite_new_repr(get(list, slice(1, -1, 1)), "[1, 2, 3]");
    suite_new_repr(get(list, slice(3, 1, 1)), "[]");
    suite_refused(get(list, slice(0, 1, 0)), PyExc_ValueError,
                  "slice step cannot be zero");
    Py_DECREF(list);
}

START_TEST(subscripts_assign)
{
    PyObject *list = numbers(5);

    ck_assert_int_eq(set(list, PyLong_FromLong(-1), Py_NewRef(Py_None)), 0);
    suite_repr(list, "[0, 1, 2, 3, None]");
    suite_failed(set(list, PyLong_FromLong(5), Py_NewRef(Py_None)),
                 PyExc_IndexError, "list assignment index out of range");
    ck_assert_int_eq(set(list, slice(99, 99, 2), numbers(3)), 0);
    suite_repr(list, "[0, 1, 1, 3, 2]");
    ck_assert_int_eq(set(list, slice(99, 99, -2), numbers(3)), 0);
    suite_repr(list, "[2, 1, 1, 3, 0]");
    suite_failed(
        set(list, slice(0, 3, 2), numbers(1)), PyExc_ValueError,
        "attempt to assign sequence of size 1 to extended slice of size 2");
    suite_failed(set(list, slice(0, 3, 2), Py_NewRef(Py_None)),
                 PyExc_TypeError, "must assign iterable to extended slice");
    ck_assert_int_eq(set(list, slice(4, 2, 1), numbers(1)), 0);
    suite_repr(list, "[2, 1, 1, 3, 0, 0]");
    ck_assert_int_eq(set(list, slice(99, 99, -1), Py_NewRef(list)), 0);
    suite_new_repr(list, "[0, 0, 3, 1, 1, 2]");
}

START_TEST(subscripts_delete)
{
    PyObject *list = numbers(10);

    ck_assert_int_eq(set(list, slice(1, 99, 3), NULL), 0);
    suite_repr(list, "[0, 2, 3, 5, 6, 8, 9]");
    ck_assert_int_eq(set(list, slice(99, 99, -3), NULL), 0);
    suite_repr(list, "[2, 3, 6, 8]");
    ck_assert_int_eq(set(list, slice(3, 1, 2), NULL), 0);
    suite_repr(list, "[2, 3, 6, 8]");
    ck_assert_int_eq(set(list, slice(1, 3, 1), NULL), 0);
    suite_repr(list, "[2, 8]");
    ck_assert_int_eq(set(list, PyLong_FromLong(0), NULL), 0);
    suite_repr(list, "[8]");
    suite_failed(set(list, PyLong_FromLong(1), NULL), PyExc_IndexError,
                 "list assignment index out of range");
    Py_DECREF(list);
}

/* ------------------------------------------------------------------ */
/* Operators and methods                                               */

START_TEST(concat_and_repeat)
{
    PyObject *list = numbers(2), *t = PyTuple_New(0);

    suite_new_repr(PySequence_Concat(list, list), "[0, 1, 0, 1]");
    suite_refused(PySequence_Concat(list, t), PyExc_TypeError,
                  "can only concatenate list (not \"tuple\") to list");
    suite_new_repr(PySequence_Repeat(list, 2), "[0, 1, 0, 1]");
    suite_new_repr(PySequence_Repeat(list, -2), "[]");
    suite_refused(PySequence_Repeat(list, PY_SSIZE_T_MAX), PyExc_MemoryError,
                  NULL);

    suite_new_repr(PySequence_InPlaceConcat(list, list), "[0, 1, 0, 1]");
    suite_new_repr(PySequence_InPlaceRepeat(list, 2),
                   "[0, 1, 0, 1, 0, 1, 0, 1]");
    suite_refused(PySequence_InPlaceRepeat(list, PY_SSIZE_T_MAX),
                  PyExc_MemoryError, NULL);
    suite_new_repr(PySequence_InPlaceRepeat(list, 0), "[]");
    Py_DECREF(list);
}

START_TEST(comparison_is_lexicographic)
{
    PyObject *a = numbers(2), *b = numbers(3), *c = Py_BuildValue("[i]", 5);

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_LT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(b, c, Py_LE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(c, b, Py_GT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(c, b, Py_NE), 1);
    PyObject *same = PyList_GetSlice(b, 0, 3);
    ck_assert_int_eq(PyObject_RichCompareBool(same, b, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(same, b, Py_GE), 1);
    ck_assert(PyObject_Hash(a) == -1);
    suite_exception(PyExc_TypeError, "unhashable type: 'list'");
    suite_drop(same, a, b, c);
}

START_TEST(methods_change_the_list)
{
    PyObject *list = numbers(3);

    suite_new_same(PyObject_CallMethod(list, "append", "i", 3), Py_None);
    suite_new_same(PyObject_CallMethod(list, "insert", "ii", 0, 9), Py_None);
    suite_new_same(PyObject_CallMethod(list, "extend", "((ii))", 1, 1),
                   Py_None);
    suite_repr(list, "[9, 0, 1, 2, 3, 1, 1]");
    suite_new_same(PyObject_CallMethod(list, "remove", "i", 1), Py_None);
    suite_repr(list, "[9, 0, 2, 3, 1, 1]");
    suite_new_repr(PyObject_CallMethod(list, "pop", NULL), "1");
    suite_new_repr(PyObject_CallMethod(list, "pop", "i", 0), "9");
    suite_repr(list, "[0, 2, 3, 1]");
    suite_new_same(PyObject_CallMethod(list, "reverse", NULL), Py_None);
    suite_repr(list, "[1, 3, 2, 0]");
    suite_new_repr(PyObject_CallMethod(list, "copy", NULL), "[1, 3, 2, 0]");
    suite_new_same(PyObject_CallMethod(list, "sort", NULL), Py_None);
    suite_repr(list, "[0, 1, 2, 3]");
    suite_new_repr(PyObject_CallMethod(list, "index", "i", 2), "2");
    suite_new_repr(PyObject_CallMethod(list, "count", "i", 2), "1");
    suite_new_same(PyObject_CallMethod(list, "clear", NULL), Py_None);
    suite_new_repr(list, "[]");
}

START_TEST(methods_say_what_is_wrong)
{
    PyObject *list = PyList_New(0);

    suite_refused(PyObject_CallMethod(list, "pop", NULL), PyExc_IndexError,
                  "pop from empty list");
    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    suite_refused(PyObject_CallMethod(list, "pop", "i", 5), PyExc_IndexError,
                  "pop index out of range");
    suite_refused(PyObject_CallMethod(list, "pop", "s", "a"), PyExc_TypeError,
                  "'str' object cannot be interpreted as an integer");
    suite_refused(PyObject_CallMethod(list, "remove", "i", 5),
                  PyExc_ValueError, "list.remove(x): x not in list");
    suite_refused(PyObject_CallMethod(list, "index", "i", 5), PyExc_ValueError,
                  "5 is not in list");
    suite_refused(PyObject_CallMethod(list, "insert", "i", 5), PyExc_TypeError,
                  "insert expected 2 arguments, got 1");
    suite_refused(PyObject_CallMethod(list, "sort", "i", 5), PyExc_TypeError,
                  "sort() takes no positional arguments");
    Py_DECREF(list);
}

START_TEST(repr_knows_recursion)
{
    PyObject *list = numbers(1);

    ck_assert_int_eq(PyList_Append(list, list), 0);
    suite_repr(list, "[0, [...]]");
    ck_assert_int_eq(PyList_Clear(list), 0);
    suite_new_repr(list, "[]");
}

START_TEST(iterator_follows_the_list)
{
    PyObject *list = numbers(1), *it = PyObject_GetIter(list);

    ck_assert(Py_IS_TYPE(it, &PyListIter_Type));
    ck_assert_int_eq(PyObject_LengthHint(it, 99), 1);
    suite_new_repr(PyIter_Next(it), "0");
    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    suite_new_repr(PyIter_Next(it), "None");
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(Py_REFCNT(list), 1);
    suite_drop(it, list);
}

/* ------------------------------------------------------------------ */
/* Sorting                                                             */

/* Odd objects compare by their last digit. */
static PyObject *
by_last_digit(PyObject *a, PyObject *b, int op)
{
    long x = PyObject_Hash(a) % 10, y = PyObject_Hash(b) % 10;

    Py_RETURN_RICHCOMPARE(x, y, op);
}

static PyObject *
scrambled_odds(long n)
{
    PyObject *list = PyList_New(n);

    for (long i = 0; i < n; i++) /* 7919 is prime: each number comes once */
        PyList_SET_ITEM(list, i, odd(i * 10 + i * 7919 % 10));
    return list;
}

static long
number_at(PyObject *list, Py_ssize_t i)
{
    return PyObject_Hash(PyList_GET_ITEM(list, i));
}

START_TEST(sort_is_stable)
{
    compare_hook = by_last_digit;
    for (long n = 0; n < 200; n++) {
        PyObject *list = scrambled_odds(n);
        ck_assert_int_eq(PyList_Sort(list), 0);
        ck_assert_int_eq(PyList_GET_SIZE(list), n);
        for (long i = 1; i < n; i++) {
            long a = number_at(list, i - 1), b = number_at(list, i);
            ck_assert(a % 10 < b % 10 || (a % 10 == b % 10 && a < b));
        }
        Py_DECREF(list);
    }
}

START_TEST(sort_reverse_is_stable_too)
{
    PyObject *list = scrambled_odds(100), *kwds = PyDict_New();
    PyObject *sort = PyObject_GetAttrString(list, "sort");
    PyObject *none = PyTuple_New(0);

    compare_hook = by_last_digit;
    ck_assert_int_eq(PyDict_SetItemString(kwds, "reverse", Py_True), 0);
    suite_new_same(PyObject_Call(sort, none, kwds), Py_None);
    for (long i = 1; i < 100; i++) {
        long a = number_at(list, i - 1), b = number_at(list, i);
        ck_assert(a % 10 > b % 10 || (a % 10 == b % 10 && a < b));
    }
    suite_drop(none, sort, kwds, list);
}

static PyObject *
negative(PyObject *Py_UNUSED(self), PyObject *number)
{
    return PyNumber_Negative(number);
}

static PyMethodDef negative_def = {"negative", negative, METH_O, NULL};

START_TEST(sort_by_a_key_function)
{
    PyObject *list = numbers(20), *kwds = PyDict_New();
    PyObject *sort = PyObject_GetAttrString(list, "sort");
    PyObject *function = PyCFunction_New(&negative_def, NULL);
    PyObject *none = PyTuple_New(0);

    ck_assert_int_eq(PyDict_SetItemString(kwds, "key", function), 0);
    suite_new_same(PyObject_Call(sort, none, kwds), Py_None);
    for (Py_ssize_t i = 0; i < 20; i++)
        ck_assert_int_eq(PyLong_AsLong(PyList_GET_ITEM(list, i)), 19 - i);
    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    suite_refused(PyObject_Call(sort, none, kwds), PyExc_TypeError, NULL);
    ck_assert_int_eq(PyList_GET_SIZE(list), 21);
    suite_drop(none, function, sort, kwds, list);
}

static int comparisons_left;

static PyObject *
fail_after_a_while(PyObject *a, PyObject *b, int op)
{
    if (comparisons_left-- == 0) {
        PyErr_SetString(PyExc_RuntimeError, "enough");
        return NULL;
    }
    return by_last_digit(a, b, op);
}

START_TEST(sort_that_fails_keeps_every_item)
{
    compare_hook = fail_after_a_while;
    for (int limit = 0; limit < 150; limit += 7) {
        PyObject *list = scrambled_odds(40);
        int seen[40] = {0};

        comparisons_left = limit;
        suite_failed(PyList_Sort(list), PyExc_RuntimeError, "enough");
        ck_assert_int_eq(PyList_GET_SIZE(list), 40);
        for (Py_ssize_t i = 0; i < 40; i++) {
            ck_assert_int_eq(Py_REFCNT(PyList_GET_ITEM(list, i)), 1);
            ck_assert_int_eq(seen[number_at(list, i) / 10]++, 0);
        }
        Py_DECREF(list);
    }
}

static PyObject *victim;

static PyObject *
append_to_victim(PyObject *a, PyObject *b, int op)
{
    ck_assert_int_eq(PyList_GET_SIZE(victim) < 100, 1);
    ck_assert_int_eq(PyList_Append(victim, Py_None), 0);
    return by_last_digit(a, b, op);
}

START_TEST(sort_notices_that_the_list_was_modified)
{
    victim = scrambled_odds(20);
    compare_hook = append_to_victim;
    suite_failed(PyList_Sort(victim), PyExc_ValueError,
                 "list modified during sort");
    ck_assert_int_eq(PyList_GET_SIZE(victim), 20);
    Py_DECREF(victim);
}

/* ------------------------------------------------------------------ */
/* Comparisons and releases that change the list                       */

static PyObject *
clear_victim_and_differ(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
                        int Py_UNUSED(op))
{
    ck_assert_int_eq(PyList_Clear(victim), 0);
    Py_RETURN_FALSE;
}

static PyObject *
clear_victim_and_agree(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
                       int Py_UNUSED(op))
{
    ck_assert_int_eq(PyList_Clear(victim), 0);
    Py_RETURN_TRUE;
}

START_TEST(comparison_may_clear_the_list)
{
    PyObject *other = odds(5), *x = odd(7);

    compare_hook = clear_victim_and_differ;
    victim = odds(5);
    ck_assert_int_eq(PySequence_Contains(victim, x), 0);
    Py_SETREF(victim, odds(5));
    suite_refused(PyObject_CallMethod(victim, "remove", "O", x),
                  PyExc_ValueError, "list.remove(x): x not in list");
    Py_SETREF(victim, odds(5));
    suite_new_repr(PyObject_CallMethod(victim, "count", "O", x), "0");
    Py_SETREF(victim, odds(5));
    ck_assert_int_eq(PyObject_RichCompareBool(victim, other, Py_LT), 1);

    compare_hook = clear_victim_and_agree;
    Py_SETREF(victim, odds(5));
    suite_new_same(PyObject_CallMethod(victim, "remove", "O", x), Py_None);
    ck_assert_int_eq(PyList_Size(victim), 0);
    Py_SETREF(victim, odds(5));
    suite_new_repr(PyObject_CallMethod(victim, "index", "O", x), "0");
    suite_drop(victim, other, x);
}

static int releases;

static void
append_on_release(void)
{
    releases++;
    ck_assert_int_eq(PyList_Append(victim, Py_None), 0);
}

START_TEST(release_of_items_may_change_the_list)
{
    dealloc_hook = append_on_release;
    victim = odds(5);
    ck_assert_int_eq(PyList_Clear(victim), 0);
    ck_assert_int_eq(releases, 5);
    ck_assert_int_eq(PyList_Size(victim), 5);

    Py_SETREF(victim, PyList_New(0));
    for (long i = 0; i < 6; i++) {
        PyObject *item = odd(i);
        ck_assert_int_eq(PyList_Append(victim, item), 0);
        Py_DECREF(item);
    }
    ck_assert_int_eq(set(victim, slice(99, 99, 2), NULL), 0);
    ck_assert_int_eq(PyList_Size(victim), 6);
    ck_assert_int_eq(PyList_SetSlice(victim, 0, 3, NULL), 0);
    ck_assert_int_eq(PyList_Size(victim), 6);
    ck_assert_int_eq(releases, 11);
    dealloc_hook = NULL;
    Py_DECREF(victim);
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

START_TEST(type_makes_lists_of_iterables)
{
    PyObject *type = (PyObject *)&PyList_Type, *kwds = PyDict_New();
    PyObject *none = PyTuple_New(0);

    suite_new_repr(PyObject_CallNoArgs(type), "[]");
    suite_new_repr(PyObject_CallFunction(type, "((ii))", 1, 2), "[1, 2]");
    suite_refused(PyObject_CallFunction(type, "i", 1), PyExc_TypeError,
                  "'int' object is not iterable");
    suite_refused(PyObject_CallFunction(type, "ii", 1, 2), PyExc_TypeError,
                  "list expected at most 1 argument, got 2");
    ck_assert_int_eq(PyDict_SetItemString(kwds, "a", Py_None), 0);
    suite_refused(PyObject_Call(type, none, kwds), PyExc_TypeError,
                  "list() takes no keyword arguments");
    suite_drop(none, kwds);
}

/* The sublist of the tutorial: a static type that embeds PyListObject. */
typedef struct {
    PyListObject list;
    int state;
} SubListObject;

static int
sublist_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    if (PyList_Type.tp_init(op, args, kwds) < 0)
        return -1;
    ((SubListObject *)op)->state = 42;
    return 0;
}

static PyTypeObject SubList_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "check.SubList",
    .tp_basicsize = sizeof(SubListObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_init = sublist_init,
    .tp_base = &PyList_Type,
};

START_TEST(subtype_embeds_a_list)
{
    ck_assert_int_eq(PyType_Ready(&SubList_Type), 0);
    PyObject *type = (PyObject *)&SubList_Type;
    PyObject *op = PyObject_CallFunction(type, "((ii))", 1, 2), *args;

    ck_assert_ptr_nonnull(op);
    ck_assert(PyList_Check(op) && !PyList_CheckExact(op));
    ck_assert(PyObject_GC_IsTracked(op));
    ck_assert_int_eq(((SubListObject *)op)->state, 42);
    suite_repr(op, "[1, 2]");
    ck_assert_int_eq(PyList_Append(op, Py_None), 0);
    args = Py_BuildValue("((i))", 7);
    ck_assert_int_eq(Py_TYPE(op)->tp_init(op, args, NULL), 0);
    suite_repr(op, "[7]"); /* what was there is gone */
    Py_DECREF(args);
    suite_new_repr(PySequence_Concat(op, op), "[7, 7]");
    Py_DECREF(op);

    PyObject *none = PyTuple_New(0), *kwds = Py_BuildValue("{s:i}", "a", 1);
    suite_refused(PyObject_Call(type, none, kwds), PyExc_TypeError,
                  "list() takes no keyword arguments");
    suite_drop(none, kwds);
}

START_TEST(cycles_are_collected)
{
    PyGC_Collect();
    ck_assert_int_eq(PyType_Ready(&SubList_Type), 0);
    PyObject *list = PyList_New(0);
    PyObject *sub = PyObject_CallNoArgs((PyObject *)&SubList_Type);

    ck_assert_int_eq(PyList_Append(list, sub), 0);
    ck_assert_int_eq(PyList_Append(sub, list), 0);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(sub);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

/* The arrays of dead lists are used again, those of lists that grew too. */
START_TEST(new_holds_nulls_where_others_lay)
{
    enum { LISTS = 160 };
    static PyObject *lists[LISTS];

    for (Py_ssize_t n = 1; n < LISTS; n++) {
        lists[n] = PyList_New(0);
        for (Py_ssize_t i = 0; i < n; i++)
            ck_assert_int_eq(PyList_Append(lists[n], Py_None), 0);
        if (n % 3 == 0) /* not full any more */
            ck_assert_int_eq(PyList_SetSlice(lists[n], n - 1, n, NULL), 0);
    }
    for (int round = 0; round < 2; round++) {
        for (Py_ssize_t n = 1; n < LISTS; n++)
            Py_CLEAR(lists[n]);
        for (Py_ssize_t n = 1; n < LISTS; n++) {
            lists[n] = PyList_New(n);
            ck_assert_int_eq(PyList_GET_SIZE(lists[n]), n);
            for (Py_ssize_t i = 0; i < n; i++) {
                ck_assert_ptr_null(PyList_GET_ITEM(lists[n], i));
                PyList_SET_ITEM(lists[n], i, Py_NewRef(Py_True));
            }
        }
    }
    for (Py_ssize_t n = 1; n < LISTS; n++)
        Py_CLEAR(lists[n]);
}

/* A list that survived collections, or died in one, is freed as well as a
   young one. */
START_TEST(lists_of_any_age_are_freed)
{
    PyObject *lists[6];

    for (int i = 0; i < 6; i++) {
        lists[i] = PyList_New(1);
        PyList_SET_ITEM(lists[i], 0, odd(i));
        if (i == 2)
            PyBoehm_GC_Collect(0);
        if (i == 4)
            PyGC_Collect();
    }
    ck_assert_int_eq(PyObject_GC_IsTracked(lists[0]), 1);
    for (int i = 0; i < 6; i++)
        Py_DECREF(lists[i]);
    PyObject *self = PyList_New(1);
    PyList_SET_ITEM(self, 0, Py_NewRef(self));
    Py_DECREF(self);
    ck_assert_int_eq(PyGC_Collect(), 1);
    for (int i = 0; i < 6; i++) {
        lists[i] = PyList_New(0);
        ck_assert_int_eq(PyObject_GC_IsTracked(lists[i]), 1);
        ck_assert_int_eq(PyList_Append(lists[i], Py_None), 0);
    }
    for (int i = 0; i < 6; i++)
        Py_DECREF(lists[i]);
    ck_assert_int_eq(PyGC_Collect(), 0);
}
