/* check_dict.c: dictionaries, their views and proxies. */

#include "../support/odd.h"
#include "../support/suite.h"

#include <pyboehm.h>

/* {0: 0, 1: 1, ...}: n keys. */
static PyObject *
numbers(long n)
{
    PyObject *d = suite_require(PyDict_New());
    for (long i = 0; i < n; i++) {
        PyObject *k = PyLong_FromLong(i);
        ck_assert_int_eq(PyDict_SetItem(d, k, k), 0);
        Py_DECREF(k);
    }
    return d;
}

/* d[key] for a number as the key, or -1. */
static long
number_at(PyObject *d, long key)
{
    PyObject *k = PyLong_FromLong(key);
    PyObject *value = PyDict_GetItemWithError(d, k);

    Py_DECREF(k);
    return value == NULL ? -1 : PyLong_AsLong(value);
}

static void
delete_number(PyObject *d, long key)
{
    PyObject *k = PyLong_FromLong(key);

    ck_assert_int_eq(PyDict_DelItem(d, k), 0);
    Py_DECREF(k);
}

/* ------------------------------------------------------------------ */
/* Odd keys                                                            */

/* A dictionary with n odd keys of the same hash. */
static PyObject *
odds(Py_hash_t hash, int n)
{
    PyObject *d = PyDict_New();

    for (int i = 0; i < n; i++) {
        PyObject *k = odd(hash);
        ck_assert_int_eq(PyDict_SetItem(d, k, Py_None), 0);
        Py_DECREF(k);
    }
    return d;
}

/* ------------------------------------------------------------------ */
/* Single items                                                        */

START_TEST(new_is_untracked_and_empty)
{
    PyObject *d = PyDict_New();

    ck_assert(PyDict_CheckExact(d));
    ck_assert(!PyObject_GC_IsTracked(d));
    ck_assert_int_eq(PyDict_Size(d), 0);
    ck_assert_ptr_null(PyDict_GetItemWithError(d, Py_None));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(PyDict_Contains(d, Py_None), 0);
    suite_new_repr(d, "{}");
}

START_TEST(set_and_get_count_references)
{
    PyObject *d = PyDict_New(), *k = odd(1), *v = odd(2), *r = NULL;

    ck_assert_int_eq(PyDict_SetItem(d, k, v), 0);
    ck_assert_int_eq(Py_REFCNT(k), 2);
    ck_assert_int_eq(Py_REFCNT(v), 2);
    ck_assert_ptr_eq(PyDict_GetItem(d, k), v);
    ck_assert_ptr_eq(PyDict_GetItemWithError(d, k), v);
    ck_assert_int_eq(Py_REFCNT(v), 2);
    ck_assert_int_eq(PyDict_GetItemRef(d, k, &r), 1);
    ck_assert_ptr_eq(r, v);
    ck_assert_int_eq(Py_REFCNT(v), 3);
    Py_DECREF(r);
    ck_assert_int_eq(PyDict_SetItem(d, k, Py_None), 0);
    ck_assert_int_eq(Py_REFCNT(k), 2);
    ck_assert_int_eq(Py_REFCNT(v), 1);
    ck_assert_int_eq(PyDict_GetItemRef(d, v, &r), 0);
    ck_assert_ptr_null(r);
    ck_assert_int_eq(PyDict_DelItem(d, k), 0);
    ck_assert_int_eq(Py_REFCNT(k), 1);
    suite_drop(d, k, v);
}

START_TEST(string_functions_find_equal_strings)
{
    PyObject *d = PyDict_New(), *k = PyUnicode_FromString("k\xc3\xa4se"), *r;

    ck_assert_int_eq(PyDict_SetItem(d, k, Py_True), 0);
    ck_assert_int_eq(PyDict_SetItemString(d, "b", Py_False), 0);
    ck_assert_ptr_eq(PyDict_GetItemString(d, "k\xc3\xa4se"), Py_True);
    ck_assert_ptr_null(PyDict_GetItemString(d, "c"));
    ck_assert_int_eq(PyDict_ContainsString(d, "b"), 1);
    ck_assert_int_eq(PyDict_ContainsString(d, "c"), 0);
    ck_assert_int_eq(PyDict_GetItemStringRef(d, "b", &r), 1);
    ck_assert_ptr_eq(r, Py_False);
    ck_assert_int_eq(PyDict_PopString(d, "b", &r), 1);
    ck_assert_ptr_eq(r, Py_False);
    ck_assert_int_eq(PyDict_PopString(d, "b", NULL), 0);
    suite_failed(PyDict_DelItemString(d, "b"), PyExc_KeyError, "'b'");
    ck_assert_int_eq(PyDict_DelItemString(d, "k\xc3\xa4se"), 0);
    ck_assert_int_eq(PyDict_Size(d), 0);
    suite_drop(k, d);
}

START_TEST(set_default_keeps_what_is_there)
{
    PyObject *d = PyDict_New(), *k = odd(1), *r;

    ck_assert_int_eq(PyDict_SetDefaultRef(d, k, Py_True, &r), 0);
    ck_assert_ptr_eq(r, Py_True);
    ck_assert_int_eq(PyDict_SetDefaultRef(d, k, Py_False, &r), 1);
    ck_assert_ptr_eq(r, Py_True);
    ck_assert_int_eq(PyDict_SetDefaultRef(d, k, Py_False, NULL), 1);
    ck_assert_ptr_eq(PyDict_SetDefault(d, k, Py_False), Py_True);
    ck_assert_ptr_eq(PyDict_SetDefault(d, Py_None, Py_False), Py_False);
    ck_assert_int_eq(PyDict_Size(d), 2);
    Py_DECREF(d);
    ck_assert_int_eq(Py_REFCNT(k), 1);
    Py_DECREF(k);
}

START_TEST(pop_gives_the_value_away)
{
    PyObject *d = PyDict_New(), *v = odd(1), *r;

    ck_assert_int_eq(PyDict_SetItem(d, Py_None, v), 0);
    ck_assert_int_eq(PyDict_Pop(d, Py_True, &r), 0);
    ck_assert_ptr_null(r);
    ck_assert_int_eq(PyDict_Pop(d, Py_None, &r), 1);
    ck_assert_ptr_eq(r, v);
    ck_assert_int_eq(Py_REFCNT(v), 2);
    Py_DECREF(r);
    ck_assert_int_eq(PyDict_Pop(d, Py_None, NULL), 0);
    suite_drop(v, d);
}

START_TEST(key_errors_carry_the_key)
{
    PyObject *d = PyDict_New(), *pair = Py_BuildValue("(ii)", 1, 2);

    ck_assert_int_eq(PyDict_DelItem(d, pair), -1);
    PyObject *exc = PyErr_GetRaisedException();
    ck_assert(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_KeyError));
    PyObject *args = PyException_GetArgs(exc);
    ck_assert_int_eq(PyTuple_GET_SIZE(args), 1);
    ck_assert_ptr_eq(PyTuple_GET_ITEM(args, 0), pair);
    suite_drop(args, exc);
    suite_refused(PyObject_GetItem(d, pair), PyExc_KeyError, "(1, 2)");
    suite_drop(pair, d);
}

START_TEST(unhashable_keys_and_wrong_types)
{
    PyObject *d = numbers(1), *list = PyList_New(0), *r = list;

    suite_failed(PyDict_SetItem(d, list, list), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_refused(PyDict_GetItemWithError(d, list), PyExc_TypeError,
                  "unhashable type: 'list'");
    suite_failed(PyDict_GetItemRef(d, list, &r), PyExc_TypeError,
                 "unhashable type: 'list'");
    ck_assert_ptr_null(r);
    suite_failed(PyDict_Contains(d, list), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_failed(PyDict_Pop(d, list, NULL), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_failed(PyDict_SetItem(list, d, d), PyExc_SystemError, NULL);
    suite_failed(PyDict_Size(list), PyExc_SystemError, NULL);
    ck_assert_ptr_null(PyDict_GetItem(list, d));
    suite_drop(list, d);
}

START_TEST(get_item_keeps_a_pending_exception)
{
    PyObject *d = numbers(2), *k = PyLong_FromLong(1);

    PyErr_SetString(PyExc_ValueError, "mine");
    ck_assert_ptr_nonnull(PyDict_GetItem(d, k));
    ck_assert_ptr_null(PyDict_GetItem(d, Py_None));
    suite_refused(PyDict_GetItemString(d, "x"), PyExc_ValueError, "mine");
    suite_drop(k, d);
}

/* ------------------------------------------------------------------ */
/* The table                                                           */

START_TEST(many_keys_in_every_width)
{
    const long n = 100000;
    PyObject *d = numbers(n), *key, *value;
    Py_ssize_t pos = 0;
    long i = 0;

    ck_assert_int_eq(PyDict_Size(d), n);
    while (PyDict_Next(d, &pos, &key, &value)) {
        ck_assert_int_eq(PyLong_AsLong(key), i);
        ck_assert_ptr_eq(key, value);
        i++;
    }
    ck_assert_int_eq(i, n);
    for (i = 0; i < n; i += 2)
        delete_number(d, i);
    for (i = 0; i < n; i++)
        ck_assert_int_eq(number_at(d, i), i % 2 ? i : -1);
    ck_assert_int_eq(PyDict_Size(d), n / 2);
    Py_DECREF(d);
}

START_TEST(size_grows_key_by_key)
{
    for (long n = 0; n < 300; n++) {
        PyObject *d = numbers(n);
        for (long i = 0; i < n; i++)
            ck_assert_int_eq(number_at(d, i), i);
        ck_assert_int_eq(number_at(d, n), -1);
        Py_DECREF(d);
    }
}

START_TEST(keys_that_come_and_go_do_not_fill_the_table)
{
    PyObject *d = numbers(5);

    for (long i = 5; i < 100000; i++) {
        PyObject *k = PyLong_FromLong(i);
        ck_assert_int_eq(PyDict_SetItem(d, k, k), 0);
        Py_DECREF(k);
        delete_number(d, i - 5);
        ck_assert_int_eq(PyDict_Size(d), 5);
    }
    for (long i = 99995; i < 100000; i++)
        ck_assert_int_eq(number_at(d, i), i);
    Py_DECREF(d);
}

START_TEST(equal_hashes_are_told_apart)
{
    PyObject *d = PyDict_New(), *keys[50];

    for (int i = 0; i < 50; i++) {
        PyObject *n = PyLong_FromLong(i);
        keys[i] = odd(7);
        ck_assert_int_eq(PyDict_SetItem(d, keys[i], n), 0);
        Py_DECREF(n);
    }
    for (int i = 0; i < 50; i += 3)
        ck_assert_int_eq(PyDict_DelItem(d, keys[i]), 0);
    for (int i = 0; i < 50; i++) {
        PyObject *value = PyDict_GetItemWithError(d, keys[i]);
        if (i % 3 == 0)
            ck_assert_ptr_null(value);
        else
            ck_assert_int_eq(PyLong_AsLong(value), i);
        Py_DECREF(keys[i]);
    }
    Py_DECREF(d);
}

START_TEST(order_is_that_of_the_first_insertion)
{
    PyObject *d = numbers(4);

    delete_number(d, 1);
    PyObject *k = PyLong_FromLong(1), *zero = PyLong_FromLong(0);
    ck_assert_int_eq(PyDict_SetItem(d, k, Py_None), 0);
    ck_assert_int_eq(PyDict_SetItem(d, zero, Py_None), 0);
    suite_repr(d, "{0: None, 2: 2, 3: 3, 1: None}");
    suite_new_repr(PyDict_Keys(d), "[0, 2, 3, 1]");
    suite_new_repr(PyDict_Values(d), "[None, 2, 3, None]");
    suite_new_repr(PyDict_Items(d), "[(0, None), (2, 2), (3, 3), (1, None)]");
    suite_drop(k, zero, d);
}

START_TEST(next_allows_new_values_and_null_results)
{
    PyObject *d = numbers(3), *key;
    Py_ssize_t pos = 0;
    int n = 0;

    while (PyDict_Next(d, &pos, &key, NULL))
        ck_assert_int_eq(PyDict_SetItem(d, key, Py_None), 0);
    suite_repr(d, "{0: None, 1: None, 2: None}");
    for (pos = 0; PyDict_Next(d, &pos, NULL, NULL);)
        n++;
    ck_assert_int_eq(n, 3);
    ck_assert_int_eq(PyDict_Next(d, &pos, &key, NULL), 0);
    pos = 0;
    ck_assert_int_eq(PyDict_Next(Py_None, &pos, &key, NULL), 0);
    Py_DECREF(d);
}

START_TEST(copy_is_independent)
{
    PyObject *d = numbers(20), *empty = PyDict_New();

    delete_number(d, 3);
    PyObject *copy = PyDict_Copy(d);
    ck_assert_int_eq(PyObject_RichCompareBool(copy, d, Py_EQ), 1);
    delete_number(d, 4);
    ck_assert_int_eq(number_at(copy, 4), 4);
    ck_assert_int_eq(number_at(copy, 3), -1);
    for (long i = 20; i < 100; i++) {
        PyObject *k = PyLong_FromLong(i);
        ck_assert_int_eq(PyDict_SetItem(copy, k, k), 0);
        Py_DECREF(k);
    }
    ck_assert_int_eq(PyDict_Size(copy), 99);
    ck_assert_int_eq(PyDict_Size(d), 18);
    suite_new_repr(PyDict_Copy(empty), "{}");
    suite_drop(empty, copy, d);
}

/* ------------------------------------------------------------------ */
/* Code that runs in comparisons and releases                          */

static PyObject *victim;

static PyObject *
compare_raises(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
               int Py_UNUSED(op))
{
    PyErr_SetString(PyExc_RuntimeError, "no");
    return NULL;
}

START_TEST(errors_in_comparisons_come_out)
{
    PyObject *d = odds(7, 1), *k = odd(7), *r;

    compare_hook = compare_raises;
    suite_failed(PyDict_SetItem(d, k, k), PyExc_RuntimeError, "no");
    suite_failed(PyDict_Contains(d, k), PyExc_RuntimeError, "no");
    suite_failed(PyDict_DelItem(d, k), PyExc_RuntimeError, "no");
    suite_failed(PyDict_GetItemRef(d, k, &r), PyExc_RuntimeError, "no");
    suite_failed(PyDict_SetDefaultRef(d, k, k, &r), PyExc_RuntimeError, "no");
    ck_assert_ptr_null(r);
    ck_assert_int_eq(PyDict_Size(d), 1);
    ck_assert_int_eq(Py_REFCNT(k), 1);
    suite_drop(k, d);
}

static PyObject *
compare_clears(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
               int Py_UNUSED(op))
{
    PyDict_Clear(victim);
    Py_RETURN_FALSE;
}

START_TEST(comparison_may_clear_the_dictionary)
{
    PyObject *k = odd(7);

    compare_hook = compare_clears;
    victim = PyDict_New();
    ck_assert_int_eq(PyDict_SetItem(victim, k, Py_None), 0);
    PyObject *other = odd(7);
    ck_assert_int_eq(PyDict_Contains(victim, other), 0);
    ck_assert_int_eq(PyDict_Size(victim), 0);
    ck_assert_int_eq(PyDict_SetItem(victim, k, Py_None), 0);
    ck_assert_int_eq(PyDict_SetItem(victim, other, Py_True), 0);
    ck_assert_int_eq(PyDict_Size(victim), 1);
    ck_assert_ptr_eq(PyDict_GetItem(victim, other), Py_True);
    suite_drop(victim, k, other);
}

static PyObject *
compare_fills(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
              int Py_UNUSED(op))
{
    for (long i = 0; i < 100 && PyDict_Size(victim) < 100; i++) {
        PyObject *n = PyLong_FromLong(1000 + i);
        ck_assert_int_eq(PyDict_SetItem(victim, n, n), 0);
        Py_DECREF(n);
    }
    Py_RETURN_FALSE;
}

START_TEST(comparison_may_move_the_table)
{
    PyObject *k = odd(7);

    victim = odds(7, 3);
    compare_hook = compare_fills;
    ck_assert_int_eq(PyDict_SetItem(victim, k, Py_True), 0);
    ck_assert_int_eq(PyDict_Size(victim), 101);
    ck_assert_ptr_eq(PyDict_GetItem(victim, k), Py_True);
    suite_drop(victim, k);
}

static PyObject *late;
static int inserted;

static PyObject *
compare_inserts(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
                int Py_UNUSED(op))
{
    if (!inserted) {
        inserted = 1;
        ck_assert_int_eq(PyDict_SetItem(victim, late, Py_False), 0);
    }
    Py_RETURN_FALSE;
}

/* The insertion would take the slot of the first key, and so does the one
   during its comparison with the second. */
START_TEST(comparison_may_insert_the_key)
{
    PyObject *first = odd(7), *second = odd(7);

    late = odd(7);
    victim = PyDict_New();
    ck_assert_int_eq(PyDict_SetItem(victim, first, Py_None), 0);
    ck_assert_int_eq(PyDict_SetItem(victim, second, Py_None), 0);
    ck_assert_int_eq(PyDict_DelItem(victim, first), 0);
    compare_hook = compare_inserts;
    ck_assert_int_eq(PyDict_SetItem(victim, late, Py_True), 0);
    compare_hook = NULL;
    ck_assert(inserted);
    ck_assert_int_eq(PyDict_Size(victim), 2);
    ck_assert_ptr_eq(PyDict_GetItemWithError(victim, late), Py_True);
    ck_assert_int_eq(PyDict_DelItem(victim, late), 0);
    ck_assert_int_eq(PyDict_Contains(victim, late), 0);
    suite_drop(first, second, late, victim);
}

START_TEST(ordered_ones_are_dictionaries)
{
    PyObject *od = suite_require(PyODict_New()), *d = PyDict_New();
    PyTypeObject *below =
        (PyTypeObject *)suite_class("s(O){}", "Below", &PyODict_Type);
    PyObject *op = suite_require(PyObject_CallNoArgs((PyObject *)below));

    ck_assert(PyODict_Check(od) && PyODict_CheckExact(od));
    ck_assert(PyDict_Check(od) && !PyDict_CheckExact(od));
    ck_assert(PyODict_Check(op) && !PyODict_CheckExact(op));
    ck_assert(!PyODict_Check(d) && !PyODict_Check(Py_None));
    ck_assert_int_eq(PyODict_SetItem(od, Py_None, Py_True), 0);
    ck_assert_int_eq(PyODict_DelItem(od, Py_None), 0);
    suite_failed(PyODict_DelItem(od, Py_None), PyExc_KeyError, "None");
    suite_failed(PyODict_SetItem(Py_None, od, od), PyExc_SystemError, NULL);
    suite_drop(od, d, op, below);
}

static PyObject *
compare_adds_one(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
                 int Py_UNUSED(op))
{
    PyObject *n = PyLong_FromSsize_t(1000 + PyDict_Size(victim));

    ck_assert_int_eq(PyDict_SetItem(victim, n, n), 0);
    Py_DECREF(n);
    Py_RETURN_TRUE;
}

/* Both ends: there is room for the key that moves whatever was added. */
START_TEST(comparison_may_take_the_room)
{
    PyObject *k = odd(7), *other = odd(7), *last;

    victim = suite_require(PyODict_New());
    ck_assert_int_eq(PyODict_SetItem(victim, k, Py_True), 0);
    compare_hook = compare_adds_one;
    for (int i = 0; i < 100; i++) {
        suite_new_same(PyObject_CallMethod(victim, "move_to_end", "Oi", other,
                                           i % 8 != 7),
                       Py_None);
        PyObject *keys = PyDict_Keys(victim);
        last =
            PyList_GET_ITEM(keys, i % 8 != 7 ? PyList_GET_SIZE(keys) - 1 : 0);
        ck_assert_ptr_eq(last, k);
        Py_DECREF(keys);
    }
    compare_hook = NULL;
    ck_assert_int_ge(PyODict_Size(victim), 101);
    suite_drop(victim, k, other);
}

static void
release_adds(void)
{
    ck_assert_int_eq(PyDict_SetItem(victim, Py_None, Py_None), 0);
}

static void
release_clears(void)
{
    PyDict_Clear(victim);
}

/* What move_to_end makes has a collection run, which empties the dictionary.
 */
START_TEST(collection_may_clear_what_moves)
{
    int often[PyBoehm_GC_GENERATIONS] = {1, 0, 0}, before[3];
    PyObject *k = PyLong_FromLong(3), *o = odd(7), *list = PyList_New(0);
    PyObject *args = Py_BuildValue("(Oi)", k, 0), *move;

    victim = suite_require(PyODict_New());
    move = suite_require(PyObject_GetAttrString(victim, "move_to_end"));
    for (int i = 0; i < 5; i++) {
        PyObject *n = PyLong_FromLong(i);
        ck_assert_int_eq(PyODict_SetItem(victim, n, n), 0);
        Py_DECREF(n);
    }
    ck_assert(PyList_Append(list, list) == 0 && PyList_Append(list, o) == 0);
    suite_drop(o, list);
    dealloc_hook = release_clears;
    PyBoehm_GC_GetThreshold(before);
    PyBoehm_GC_SetThreshold(often);
    for (int i = 0; i < 4 && PyODict_Size(victim) > 0; i++)
        Py_XDECREF(PyObject_Call(move, args, NULL));
    PyErr_Clear();
    PyBoehm_GC_SetThreshold(before);
    dealloc_hook = NULL;
    ck_assert_int_eq(PyODict_Size(victim), 0);
    suite_drop(move, args, k, victim);
}

START_TEST(release_of_keys_may_change_the_dictionary)
{
    victim = odds(7, 5);
    dealloc_hook = release_adds;
    PyDict_Clear(victim);
    ck_assert_int_eq(PyDict_Size(victim), 1);
    ck_assert_ptr_eq(PyDict_GetItem(victim, Py_None), Py_None);
    PyObject *k = odd(7);
    ck_assert_int_eq(PyDict_SetItem(victim, Py_True, k), 0);
    Py_DECREF(k);
    delete_number(victim, 1); /* 1 == True */
    ck_assert_int_eq(PyDict_Size(victim), 1);
    dealloc_hook = NULL;
    Py_DECREF(victim);
}

/* ------------------------------------------------------------------ */
/* Many keys at once                                                   */

START_TEST(merge_of_dictionaries)
{
    PyObject *a = numbers(2), *b = Py_BuildValue("{i:s,i:s}", 1, "x", 2, "y");

    ck_assert_int_eq(PyDict_Merge(a, b, 0), 0);
    suite_repr(a, "{0: 0, 1: 1, 2: 'y'}");
    ck_assert_int_eq(PyDict_Update(a, b), 0);
    suite_repr(a, "{0: 0, 1: 'x', 2: 'y'}");
    ck_assert_int_eq(PyDict_Update(a, a), 0);
    ck_assert_int_eq(PyDict_Size(a), 3);
    PyObject *proxy = PyDictProxy_New(b), *empty = PyDict_New();
    ck_assert_int_eq(PyDict_Merge(empty, proxy, 0), 0);
    suite_repr(empty, "{1: 'x', 2: 'y'}");
    suite_failed(PyDict_Merge(empty, Py_None, 1), PyExc_AttributeError,
                 "'NoneType' object has no attribute 'keys'");
    suite_drop(empty, proxy, a, b);
}

START_TEST(merge_from_pairs)
{
    PyObject *d = PyDict_New(), *pairs;

    pairs = Py_BuildValue("[(is)[is]]", 1, "a", 1, "b");
    ck_assert_int_eq(PyDict_MergeFromSeq2(d, pairs, 1), 0);
    suite_repr(d, "{1: 'b'}");
    PyDict_Clear(d);
    ck_assert_int_eq(PyDict_MergeFromSeq2(d, pairs, 0), 0);
    suite_repr(d, "{1: 'a'}");
    Py_SETREF(pairs, Py_BuildValue("[(ii)(iii)]", 1, 2, 1, 2, 3));
    suite_failed(
        PyDict_MergeFromSeq2(d, pairs, 1), PyExc_ValueError,
        "dictionary update sequence element #1 has length 3; 2 is required");
    Py_SETREF(pairs, Py_BuildValue("[i]", 1));
    suite_failed(
        PyDict_MergeFromSeq2(d, pairs, 1), PyExc_TypeError,
        "cannot convert dictionary update sequence element #0 to a sequence");
    suite_drop(pairs, d);
}

START_TEST(type_makes_dictionaries)
{
    PyObject *type = (PyObject *)&PyDict_Type, *none = PyTuple_New(0);
    PyObject *kwds = PyDict_New(), *args;

    suite_new_repr(PyObject_CallNoArgs(type), "{}");
    ck_assert_int_eq(PyDict_SetItemString(kwds, "a", Py_None), 0);
    suite_new_repr(PyObject_Call(type, none, kwds), "{'a': None}");
    args = Py_BuildValue("([(si)])", "b", 1);
    suite_new_repr(PyObject_Call(type, args, kwds), "{'b': 1, 'a': None}");
    suite_refused(PyObject_CallFunction(type, "i", 5), PyExc_TypeError,
                  "'int' object is not iterable");
    suite_refused(PyObject_CallFunction(type, "ii", 5, 6), PyExc_TypeError,
                  "dict expected at most 1 argument, got 2");
    suite_new_repr(PyObject_CallMethod(type, "fromkeys", "[ii]i", 1, 2, 3),
                   "{1: 3, 2: 3}");
    suite_drop(args, kwds);
}

/* ------------------------------------------------------------------ */
/* Operators and methods                                               */

START_TEST(comparison_ignores_the_order)
{
    PyObject *a = Py_BuildValue("{i:i,i:i}", 1, 2, 3, 4);
    PyObject *b = Py_BuildValue("{i:i,i:i}", 3, 4, 1, 2);
    PyObject *c = Py_BuildValue("{i:i,i:i}", 3, 4, 1, 5);

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_NE), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(a, c, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(a, c, Py_NE), 1);
    suite_failed(PyObject_RichCompareBool(a, c, Py_LT), PyExc_TypeError,
                 "'<' not supported between instances of 'dict' and 'dict'");
    ck_assert(PyObject_Hash(a) == -1);
    suite_exception(PyExc_TypeError, "unhashable type: 'dict'");
    suite_drop(a, b, c);
}

START_TEST(union_operators)
{
    PyObject *a = numbers(1), *b = Py_BuildValue("{i:s}", 0, "x");

    suite_new_repr(PyNumber_Or(a, b), "{0: 'x'}");
    suite_repr(a, "{0: 0}");
    suite_refused(PyNumber_Or(a, Py_None), PyExc_TypeError,
                  "unsupported operand type(s) for |: 'dict' and 'NoneType'");
    suite_new_same(PyNumber_InPlaceOr(a, b), a);
    suite_new_repr(a, "{0: 'x'}");
    Py_DECREF(b);
}

START_TEST(methods)
{
    PyObject *d = numbers(3), *r;

    suite_new_repr(PyObject_CallMethod(d, "get", "i", 2), "2");
    suite_new_repr(PyObject_CallMethod(d, "get", "i", 5), "None");
    suite_new_repr(PyObject_CallMethod(d, "get", "ii", 5, 6), "6");
    suite_new_repr(PyObject_CallMethod(d, "setdefault", "ii", 5, 6), "6");
    suite_new_repr(PyObject_CallMethod(d, "popitem", NULL), "(5, 6)");
    suite_new_repr(PyObject_CallMethod(d, "pop", "i", 2), "2");
    suite_new_repr(PyObject_CallMethod(d, "pop", "ii", 2, 9), "9");
    suite_refused(PyObject_CallMethod(d, "pop", "i", 2), PyExc_KeyError, "2");
    suite_new_repr(PyObject_CallMethod(d, "keys", NULL), "dict_keys([0, 1])");
    suite_new_repr(PyObject_CallMethod(d, "values", NULL),
                   "dict_values([0, 1])");
    suite_new_repr(PyObject_CallMethod(d, "items", NULL),
                   "dict_items([(0, 0), (1, 1)])");
    suite_new_repr(PyObject_CallMethod(d, "update", "{i:i}", 7, 8), "None");
    r = PyObject_CallMethod(d, "copy", NULL);
    suite_new_repr(PyObject_CallMethod(d, "clear", NULL), "None");
    suite_repr(d, "{}");
    suite_new_repr(r, "{0: 0, 1: 1, 7: 8}");
    suite_refused(PyObject_CallMethod(d, "popitem", NULL), PyExc_KeyError,
                  "'popitem(): dictionary is empty'");
    suite_refused(PyObject_CallMethod(d, "get", NULL), PyExc_TypeError,
                  "get expected at least 1 argument, got 0");
    Py_DECREF(d);
}

START_TEST(popitem_empties_a_large_dictionary)
{
    PyObject *d = numbers(50000);

    for (long i = 50000; i-- > 0;) {
        PyObject *item = PyObject_CallMethod(d, "popitem", NULL);
        ck_assert_int_eq(PyLong_AsLong(PyTuple_GET_ITEM(item, 0)), i);
        Py_DECREF(item);
    }
    ck_assert_int_eq(PyDict_Size(d), 0);
    Py_DECREF(d);
}

START_TEST(repr_knows_recursion)
{
    PyObject *d = PyDict_New();

    ck_assert_int_eq(PyDict_SetItem(d, Py_None, d), 0);
    suite_repr(d, "{None: {...}}");
    PyDict_Clear(d);
    Py_DECREF(d);
}

/* ------------------------------------------------------------------ */
/* Iterators, views, proxies                                           */

START_TEST(iterators_notice_changes)
{
    PyObject *d = numbers(3), *it = PyObject_GetIter(d);

    ck_assert(Py_IS_TYPE(it, &PyDictIterKey_Type));
    ck_assert_int_eq(PyObject_LengthHint(it, 99), 3);
    suite_new_repr(PyIter_Next(it), "0");
    delete_number(d, 2);
    suite_refused(PyIter_Next(it), PyExc_RuntimeError,
                  "dictionary changed size during iteration");
    suite_refused(PyIter_Next(it), PyExc_RuntimeError,
                  "dictionary changed size during iteration");

    Py_SETREF(it, PyObject_GetIter(d));
    suite_new_repr(PyIter_Next(it), "0");
    suite_new_repr(PyIter_Next(it), "1");
    delete_number(d, 0);
    ck_assert_int_eq(PyDict_SetItem(d, Py_None, Py_None), 0);
    suite_refused(PyIter_Next(it), PyExc_RuntimeError,
                  "dictionary keys changed during iteration");
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(it);
    ck_assert_int_eq(Py_REFCNT(d), 1);
    Py_DECREF(d);
}

START_TEST(views_are_live)
{
    PyObject *d = numbers(1);
    PyObject *keys = PyObject_CallMethod(d, "keys", NULL);
    PyObject *items = PyObject_CallMethod(d, "items", NULL);
    PyObject *values = PyObject_CallMethod(d, "values", NULL), *pair;

    ck_assert_int_eq(PyDict_SetItem(d, Py_None, Py_True), 0);
    ck_assert_int_eq(PyObject_Size(keys), 2);
    ck_assert_int_eq(PyObject_Size(values), 2);
    ck_assert_int_eq(PySequence_Contains(keys, Py_None), 1);
    ck_assert_int_eq(PySequence_Contains(keys, Py_True), 0);
    ck_assert_int_eq(PySequence_Contains(values, Py_True), 1);
    pair = PyTuple_Pack(2, Py_None, Py_True);
    ck_assert_int_eq(PySequence_Contains(items, pair), 1);
    Py_SETREF(pair, PyTuple_Pack(2, Py_None, Py_None));
    ck_assert_int_eq(PySequence_Contains(items, pair), 0);
    ck_assert_int_eq(PySequence_Contains(items, Py_None), 0);
    suite_repr(items, "dict_items([(0, 0), (None, True)])");

    PyObject *copy = PyDict_Copy(d);
    PyObject *same = PyObject_CallMethod(copy, "keys", NULL);
    ck_assert_int_eq(PyObject_RichCompareBool(keys, same, Py_EQ), 1);
    delete_number(copy, 0);
    ck_assert_int_eq(PyObject_RichCompareBool(keys, same, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(same, keys, Py_LT), 1);
    suite_drop(same, copy, pair, values, items, keys);
    ck_assert_int_eq(Py_REFCNT(d), 1);
    Py_DECREF(d);
}

START_TEST(proxy_reads_and_does_not_write)
{
    PyObject *d = numbers(2), *proxy = PyDictProxy_New(d);
    PyObject *k = PyLong_FromLong(1);

    ck_assert(PyDictProxy_Check(proxy));
    suite_repr(proxy, "mappingproxy({0: 0, 1: 1})");
    ck_assert_int_eq(PyObject_Size(proxy), 2);
    suite_new_repr(PyObject_GetItem(proxy, k), "1");
    ck_assert_int_eq(PySequence_Contains(proxy, k), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(proxy, d, Py_EQ), 1);
    suite_new_repr(PyObject_CallMethod(proxy, "get", "i", 7), "None");
    suite_new_repr(PyMapping_Keys(proxy), "[0, 1]");
    suite_new_repr(PySequence_List(proxy), "[0, 1]");
    suite_new_repr(PyNumber_Or(proxy, d), "{0: 0, 1: 1}");
    suite_failed(PyObject_SetItem(proxy, k, k), PyExc_TypeError,
                 "'mappingproxy' object does not support item assignment");
    suite_failed(PyObject_DelItem(proxy, k), PyExc_TypeError,
                 "'mappingproxy' object doesn't support item deletion");
    suite_refused(PyDictProxy_New(k), PyExc_TypeError,
                  "mappingproxy() argument must be a mapping, not int");
    suite_drop(k, proxy);
    ck_assert_int_eq(Py_REFCNT(d), 1);
    Py_DECREF(d);
}

/* ------------------------------------------------------------------ */
/* Subtypes and the collector                                          */

static PyObject *
missing(PyObject *Py_UNUSED(self), PyObject *key)
{
    return PyTuple_Pack(1, key);
}

static PyMethodDef counter_methods[] = {{"__missing__", missing, METH_O, NULL},
                                        {NULL, NULL, 0, NULL}};
static PyType_Slot counter_slots[] = {{Py_tp_methods, counter_methods},
                                      {0, NULL}};
static PyType_Spec counter_spec = {"check.Counter", 0, 0, Py_TPFLAGS_DEFAULT,
                                   counter_slots};

START_TEST(subtype_may_define_missing)
{
    PyObject *bases = PyTuple_Pack(1, &PyDict_Type);
    PyObject *type =
        suite_require(PyType_FromSpecWithBases(&counter_spec, bases));
    PyObject *d = PyObject_CallNoArgs(type);
    ck_assert(PyDict_Check(d) && !PyDict_CheckExact(d));
    suite_new_repr(PyObject_GetItem(d, Py_None), "(None,)");
    ck_assert_ptr_null(PyDict_GetItemWithError(d, Py_None));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(PyDict_SetItem(d, Py_None, Py_True), 0);
    suite_new_repr(PyObject_GetItem(d, Py_None), "True");
    suite_new_repr(d, "{None: True}");
    suite_drop(type, bases);
}

START_TEST(cycles_through_keys_values_and_views_are_collected)
{
    PyGC_Collect();
    PyObject *d = PyDict_New(), *key = PyTuple_Pack(1, &PyDict_Type);
    PyObject *view = PyObject_CallMethod(d, "keys", NULL);

    ck_assert_int_eq(PyDict_SetItem(d, key, view), 0);
    ck_assert_int_eq(PyDict_SetItem(d, Py_None, d), 0);
    suite_drop(view, key);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert(!PyObject_GC_IsTracked(key)); /* and it is not counted */
    Py_DECREF(d);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* The memory of dead dictionaries and of their tables is used again. */
START_TEST(new_is_empty_where_others_lay)
{
    PyObject *keys[200], *list = PyList_New(0);

    for (long i = 0; i < 200; i++)
        keys[i] = PyLong_FromLong(1000 + i);
    for (int n = 0; n < 200; n += 7) {
        PyObject *dict = PyDict_New();
        ck_assert_int_eq(PyDict_Size(dict), 0);
        ck_assert_int_eq(PyObject_GC_IsTracked(dict), 0);
        for (int i = 0; i < n; i++) {
            ck_assert_int_eq(PyDict_Contains(dict, keys[i]), 0);
            ck_assert_int_eq(PyDict_SetItem(dict, keys[i], Py_None), 0);
        }
        ck_assert_int_eq(PyObject_GC_IsTracked(dict), 0);
        ck_assert_int_eq(PyDict_SetItem(dict, Py_None, list), 0);
        ck_assert_int_eq(PyObject_GC_IsTracked(dict), 1);
        ck_assert_int_eq(PyDict_Size(dict), n + 1);
        if (n % 2)
            PyBoehm_GC_Collect(0);
        Py_DECREF(dict);
    }
    for (int i = 0; i < 200; i++)
        Py_DECREF(keys[i]);
    Py_DECREF(list);
}
