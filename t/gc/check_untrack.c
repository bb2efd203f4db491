/* check_untrack.c: tuples and dicts that cannot be part of a cycle are not
   tracked.  This is what CPython 3.11 does, to the number, but where tuples
   hold tuples: there it needs a collection more for each of them at times. */

#include "../support/suite.h"

/* A tracked object that is nothing but that. */
static PyObject *
tracked(void)
{
    PyObject *list = PyList_New(0);

    ck_assert_int_eq(PyObject_GC_IsTracked(list), 1);
    return list;
}

static PyObject *
number(void)
{
    return PyLong_FromLong(1234567);
}

/* A tuple of one item, whose reference it steals. */
static PyObject *
tuple_of(PyObject *item)
{
    PyObject *op = suite_require(PyTuple_New(1));
    PyTuple_SET_ITEM(op, 0, item);
    return op;
}

/* mp[key] = value; steals both. */
static void
set(PyObject *mp, PyObject *key, PyObject *value)
{
    ck_assert_int_eq(PyDict_SetItem(mp, key, value), 0);
    suite_drop(key, value);
}

static PyObject *
name(const char *text)
{
    return PyUnicode_FromString(text);
}

static PyObject *
evaluate(PyObject *callable, const char *method, PyObject *arg)
{
    return suite_require(arg ? PyObject_CallMethod(callable, method, "O", arg)
                             : PyObject_CallMethod(callable, method, NULL));
}

#define TRACKED(op) ck_assert_int_eq(PyObject_GC_IsTracked(op), 1)
#define UNTRACKED(op) ck_assert_int_eq(PyObject_GC_IsTracked(op), 0)

/* ------------------------------------------------------------------ */
/* Tuples                                                              */

START_TEST(empty_tuple_is_untracked)
{
    PyObject *op = PyTuple_New(0);

    UNTRACKED(op);
    PyGC_Collect();
    UNTRACKED(op);
    Py_DECREF(op);
}

START_TEST(atomic_tuple_is_untracked_by_a_collection)
{
    PyObject *op = tuple_of(number());

    TRACKED(op);
    ck_assert_int_eq(PyGC_Collect(), 0);
    UNTRACKED(op);
    suite_repr(op, "(1234567,)");
    ck_assert_int_eq(Py_REFCNT(op), 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    UNTRACKED(op);
    Py_DECREF(op);
}

START_TEST(tuple_of_containers_stays_tracked)
{
    PyObject *list = tuple_of(tracked()), *dict = tuple_of(PyDict_New());
    PyObject *bare = PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type);
    PyObject *object = tuple_of(bare);

    PyGC_Collect();
    TRACKED(list);
    TRACKED(dict); /* its dict is not yet, but may be */
    UNTRACKED(PyTuple_GET_ITEM(dict, 0));
    UNTRACKED(object);
    suite_drop(object, dict, list);
}

START_TEST(nested_tuples_go_in_one_collection)
{
    PyObject *op = tuple_of(number());

    for (int i = 0; i < 10; i++)
        op = tuple_of(op);
    TRACKED(op);
    PyGC_Collect();
    for (PyObject *t = op; PyTuple_Check(t); t = PyTuple_GET_ITEM(t, 0))
        UNTRACKED(t);
    Py_DECREF(op);
}

/* The outer one is older than the inner ones. */
START_TEST(nested_tuples_in_any_order)
{
    PyObject *op = PyTuple_New(1), *last = op;

    for (int i = 0; i < 6; i++) {
        PyTuple_SET_ITEM(last, 0, PyTuple_New(1));
        last = PyTuple_GET_ITEM(last, 0);
    }
    PyTuple_SET_ITEM(last, 0, number());
    for (int i = 0; i < 7; i++)
        PyGC_Collect();
    UNTRACKED(op);
    UNTRACKED(last);
    Py_DECREF(op);
}

START_TEST(one_container_far_inside_keeps_all_tracked)
{
    PyObject *op = tuple_of(tracked());

    for (int i = 0; i < 10; i++)
        op = tuple_of(op);
    PyGC_Collect();
    for (PyObject *t = op; PyTuple_Check(t); t = PyTuple_GET_ITEM(t, 0))
        TRACKED(t);
    Py_DECREF(op);
}

START_TEST(tuple_under_construction_is_left_alone)
{
    PyObject *op = PyTuple_New(2), *outer = tuple_of(Py_NewRef(op));

    PyTuple_SET_ITEM(op, 0, number());
    PyGC_Collect();
    TRACKED(op);
    TRACKED(outer);
    PyTuple_SET_ITEM(op, 1, PyList_New(0));
    ck_assert_int_eq(PyList_Append(PyTuple_GET_ITEM(op, 1), outer), 0);
    suite_drop(op, outer);
    ck_assert_int_eq(PyGC_Collect(), 3);
}

START_TEST(resized_tuple_is_tracked_again)
{
    PyObject *op = tuple_of(number());

    PyGC_Collect();
    UNTRACKED(op);
    ck_assert_int_eq(_PyTuple_Resize(&op, 2), 0);
    TRACKED(op);
    PyTuple_SET_ITEM(op, 1, PyList_New(0));
    ck_assert_int_eq(PyList_Append(PyTuple_GET_ITEM(op, 1), op), 0);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

/* Looking inside ends, however wide and deep the tuples are. */
START_TEST(shared_tuples_do_not_multiply)
{
    enum { WIDTH = 1000, DEPTH = 8 };
    PyObject *op = tuple_of(tracked());

    for (int depth = 0; depth < DEPTH; depth++) {
        PyObject *outer = PyTuple_New(WIDTH);
        for (int i = 0; i < WIDTH; i++)
            PyTuple_SET_ITEM(outer, i, Py_NewRef(op));
        Py_DECREF(op);
        op = outer;
    }
    PyGC_Collect();
    TRACKED(op);
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* Dicts                                                               */

START_TEST(dict_is_tracked_once_it_must_be)
{
    PyObject *op = PyDict_New();

    UNTRACKED(op);
    set(op, name("a"), number());
    set(op, number(), name("b"));
    set(op, name("c"), Py_NewRef(Py_None));
    set(op, name("d"), Py_NewRef((PyObject *)&PyList_Type));
    UNTRACKED(op);
    set(op, name("a"), tracked()); /* replaced */
    TRACKED(op);
    Py_DECREF(op);

    op = PyDict_New();
    set(op, name("a"), PyDict_New());
    TRACKED(op);
    Py_DECREF(op);

    op = PyDict_New();
    set(op, tuple_of(number()), name("a")); /* a key not yet untracked */
    TRACKED(op);
    Py_DECREF(op);

    PyObject *atomic = tuple_of(number());
    PyGC_Collect();
    op = PyDict_New();
    set(op, Py_NewRef(atomic), atomic);
    UNTRACKED(op);
    Py_DECREF(op);
}

START_TEST(dict_is_untracked_by_a_full_collection)
{
    PyObject *op = PyDict_New(), *a = name("a");

    set(op, Py_NewRef(a), tracked());
    PyGC_Collect();
    TRACKED(op);
    set(op, Py_NewRef(a), number());
    TRACKED(op);
    PyGC_Collect();
    UNTRACKED(op);
    set(op, Py_NewRef(a), tracked());
    TRACKED(op);
    PyDict_Clear(op);
    TRACKED(op);
    PyGC_Collect();
    UNTRACKED(op);
    suite_drop(a, op);
}

/* The tuples in it first, then the dict: all in one collection. */
START_TEST(dict_of_atomic_tuples_goes_with_them)
{
    PyObject *op = PyDict_New(), *inner = tuple_of(number());

    set(op, tuple_of(number()), tuple_of(inner));
    TRACKED(op);
    PyGC_Collect();
    UNTRACKED(inner);
    UNTRACKED(op);
    Py_DECREF(op);
}

static void
by_setdefault(PyObject *op, PyObject *key, PyObject *value)
{
    ck_assert_ptr_eq(PyDict_SetDefault(op, key, value), value);
}

static void
by_string(PyObject *op, PyObject *key, PyObject *value)
{
    ck_assert_int_eq(PyDict_SetItemString(op, PyUnicode_AsUTF8(key), value),
                     0);
}

static void
by_subscript(PyObject *op, PyObject *key, PyObject *value)
{
    ck_assert_int_eq(PyObject_SetItem(op, key, value), 0);
}

static void
by_update(PyObject *op, PyObject *key, PyObject *value)
{
    PyObject *other = PyDict_New();

    set(other, Py_NewRef(key), Py_NewRef(value));
    ck_assert_int_eq(PyDict_Update(op, other), 0);
    Py_DECREF(other);
}

static void
by_merge_without_override(PyObject *op, PyObject *key, PyObject *value)
{
    PyObject *other = PyDict_New();

    set(other, Py_NewRef(key), Py_NewRef(value));
    ck_assert_int_eq(PyDict_Merge(op, other, 0), 0);
    Py_DECREF(other);
}

static void
by_proxy(PyObject *op, PyObject *key, PyObject *value)
{
    PyObject *other = PyDict_New(), *proxy;

    set(other, Py_NewRef(key), Py_NewRef(value));
    proxy = PyDictProxy_New(other);
    Py_DECREF(other);
    ck_assert_int_eq(PyDict_Update(op, proxy), 0);
    Py_DECREF(proxy);
}

static void
by_pairs(PyObject *op, PyObject *key, PyObject *value)
{
    PyObject *pairs = PyList_New(1);

    PyList_SET_ITEM(pairs, 0, PyTuple_Pack(2, key, value));
    ck_assert_int_eq(PyDict_MergeFromSeq2(op, pairs, 1), 0);
    Py_DECREF(pairs);
}

START_TEST(every_way_in_tracks)
{
    void (*const ways[])(PyObject *, PyObject *, PyObject *) = {
        by_setdefault, by_string, by_subscript,
        by_update,     by_proxy,  by_merge_without_override,
        by_pairs,
    };

    PyGC_Collect();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(ways); i++) {
        PyObject *op = PyDict_New(), *a = name("a"), *b = name("b");
        PyObject *one = number(), *list = tracked();

        set(op, name("first"), number());
        ways[i](op, a, one);
        UNTRACKED(op);
        ways[i](op, b, list);
        TRACKED(op);
        ck_assert_int_eq(PyDict_Size(op), 3);
        ck_assert_int_eq(PyList_Append(list, op), 0);
        suite_drop(list, one, b, a, op);
        ck_assert_int_eq(PyGC_Collect(), 2);
    }
}

START_TEST(copies_are_tracked_as_their_originals)
{
    PyObject *op = PyDict_New(), *copy;

    copy = PyDict_Copy(op);
    UNTRACKED(copy);
    Py_DECREF(copy);

    set(op, name("a"), number());
    copy = PyDict_Copy(op);
    UNTRACKED(copy);
    Py_DECREF(copy);

    set(op, name("b"), tracked());
    copy = evaluate(op, "copy", NULL);
    TRACKED(copy);
    Py_DECREF(copy);

    set(op, name("b"), number());
    copy = evaluate(op, "copy", NULL);
    TRACKED(op);
    TRACKED(copy); /* its contents have not been looked at */
    suite_drop(copy, op);
}

START_TEST(constructors_decide_by_the_content)
{
    PyObject *type = (PyObject *)&PyDict_Type, *keys = PyList_New(2);
    PyObject *op = PyObject_CallNoArgs(type);

    UNTRACKED(op);
    Py_DECREF(op);

    PyList_SET_ITEM(keys, 0, name("a"));
    PyList_SET_ITEM(keys, 1, name("b"));
    op = evaluate(type, "fromkeys", keys);
    UNTRACKED(op);
    Py_DECREF(op);
    op = PyObject_CallMethod(type, "fromkeys", "OO", keys, keys);
    TRACKED(op);
    Py_DECREF(op);

    op = Py_BuildValue("{s:i,s:s}", "a", 1, "b", "c");
    UNTRACKED(op);
    Py_DECREF(op);
    op = Py_BuildValue("{s:O}", "a", keys);
    TRACKED(op);
    suite_drop(op, keys);
}

/* ------------------------------------------------------------------ */
/* Subtypes                                                            */

static PyObject *
subtype_of(PyTypeObject *base)
{
    static PyType_Slot slots[] = {{0, NULL}};
    static PyType_Spec spec = {"check.Subtype", 0, 0, Py_TPFLAGS_DEFAULT,
                               slots};
    return suite_require(PyType_FromSpecWithBases(&spec, (PyObject *)base));
}

START_TEST(instances_of_subtypes_stay_tracked)
{
    PyTypeObject *const bases[] = {&PyTuple_Type, &PyDict_Type};

    for (int i = 0; i < 2; i++) {
        PyObject *type = subtype_of(bases[i]);
        PyObject *op = PyObject_CallNoArgs(type);
        PyObject *holder = tuple_of(Py_NewRef(op));

        TRACKED(op);
        PyGC_Collect();
        TRACKED(op);
        TRACKED(holder);
        suite_drop(holder, op, type);
        PyGC_Collect();
    }
}

/* ------------------------------------------------------------------ */
/* What it changes about the numbers                                   */

START_TEST(the_untracked_are_not_counted)
{
    PyGC_Collect();
    /* A list that holds itself, a tuple and a dict: 3 are tracked. */
    PyObject *list = PyList_New(0);
    PyList_Append(list, list);
    PyObject *tuple = tuple_of(number()), *dict = PyDict_New();
    PyList_Append(list, tuple);
    PyList_Append(list, dict);
    suite_drop(tuple, dict, list);
    ck_assert_int_eq(PyGC_Collect(), 2);

    /* The same after a collection in between, and with a dict that was
       filled and emptied. */
    list = PyList_New(0);
    PyList_Append(list, list);
    tuple = tuple_of(number());
    dict = PyDict_New();
    set(dict, name("a"), tracked());
    PyDict_Clear(dict);
    TRACKED(dict);
    PyList_Append(list, tuple);
    PyList_Append(list, dict);
    suite_drop(tuple, dict);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 1);
}

START_TEST(cycles_through_a_dict_are_found_whatever_came_before)
{
    PyObject *op = PyDict_New();

    PyGC_Collect();
    set(op, name("a"), number());
    PyGC_Collect();
    UNTRACKED(op);
    set(op, name("self"), Py_NewRef(op));
    TRACKED(op);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 1);
}

START_TEST(namespaces_of_modules_are_tracked_with_their_content)
{
    PyObject *module = PyModule_New("check");
    PyObject *dict = PyModule_GetDict(module);

    PyGC_Collect();
    TRACKED(module);
    UNTRACKED(dict);
    ck_assert_int_eq(PyModule_AddObjectRef(module, "self", module), 0);
    TRACKED(dict);
    Py_DECREF(module);
    ck_assert_int_eq(PyGC_Collect(), 2);
}
