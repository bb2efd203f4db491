/* check_set.c: the types set and frozenset. */

#include "../support/node.h"
#include "../support/sets.h"

static int
has_number(PyObject *set, long number)
{
    PyObject *key = PyLong_FromLong(number);
    int found = PySet_Contains(set, key);

    Py_DECREF(key);
    return found;
}

/* ------------------------------------------------------------------ */
/* The API                                                             */

START_TEST(new_is_tracked_and_empty)
{
    PyObject *s = PySet_New(NULL), *f = PyFrozenSet_New(NULL);

    ck_assert(PyObject_GC_IsTracked(s) && PyObject_GC_IsTracked(f));
    ck_assert_int_eq(Py_REFCNT(s), 1);
    ck_assert_int_eq(Py_REFCNT(f), 1);
    ck_assert_int_eq(PySet_Size(s), 0);
    ck_assert_int_eq(PySet_Size(f), 0);
    ck_assert_int_eq(PySet_GET_SIZE(f), 0);
    ck_assert_int_eq(PySet_Contains(s, Py_None), 0);
    suite_new_repr(s, "set()");
    suite_new_repr(f, "frozenset()");
}

START_TEST(checks_tell_the_types_apart)
{
    PyObject *s = PySet_New(NULL), *f = PyFrozenSet_New(NULL);

    ck_assert(PySet_Check(s) && PySet_CheckExact(s));
    ck_assert(!PyFrozenSet_Check(s) && !PyFrozenSet_CheckExact(s));
    ck_assert(PyAnySet_Check(s) && PyAnySet_CheckExact(s));
    ck_assert(!PySet_Check(f) && !PySet_CheckExact(f));
    ck_assert(PyFrozenSet_Check(f) && PyFrozenSet_CheckExact(f));
    ck_assert(PyAnySet_Check(f) && PyAnySet_CheckExact(f));
    ck_assert(!PyAnySet_Check(Py_None) && !PyAnySet_CheckExact(Py_None));
    suite_drop(f, s);
}

START_TEST(new_takes_any_iterable)
{
    PyObject *list = sets_list(0x0d), *s = PySet_New(list);
    PyObject *d = PyDict_New(), *key = PyLong_FromLong(5);

    ck_assert_int_eq(PyDict_SetItem(d, key, Py_None), 0);
    sets_expect(PyFrozenSet_New(list), &PyFrozenSet_Type, 0x0d);
    sets_expect(PySet_New(s), &PySet_Type, 0x0d);
    sets_expect(PySet_New(d), &PySet_Type, 0x20);
    sets_expect(PyFrozenSet_New(d), &PyFrozenSet_Type, 0x20);
    suite_refused(PySet_New(key), PyExc_TypeError,
                  "'int' object is not iterable");
    suite_refused(PyFrozenSet_New(Py_None), PyExc_TypeError,
                  "'NoneType' object is not iterable");
    PyObject *f = PyFrozenSet_New(s), *copy = PyFrozenSet_New(f);
    ck_assert_ptr_ne(f, copy);
    suite_drop(copy, f, key, d, s, list);
}

START_TEST(elements_count_references)
{
    PyObject *s = PySet_New(NULL), *key = PyFloat_FromDouble(0.5);

    ck_assert_int_eq(PySet_Add(s, key), 0);
    ck_assert_int_eq(Py_REFCNT(key), 2);
    ck_assert_int_eq(PySet_Add(s, key), 0);
    ck_assert_int_eq(Py_REFCNT(key), 2);
    ck_assert_int_eq(PySet_Contains(s, key), 1);
    ck_assert_int_eq(Py_REFCNT(key), 2);
    PyObject *copy = PySet_New(s);
    ck_assert_int_eq(Py_REFCNT(key), 3);
    ck_assert_int_eq(PySet_Discard(s, key), 1);
    ck_assert_int_eq(PySet_Discard(s, key), 0);
    ck_assert_int_eq(Py_REFCNT(key), 2);
    ck_assert_ptr_eq(PySet_Pop(copy), key);
    ck_assert_int_eq(Py_REFCNT(key), 2);
    Py_DECREF(key);
    ck_assert_int_eq(PySet_Add(s, key), 0);
    ck_assert_int_eq(PySet_Clear(s), 0);
    ck_assert_int_eq(Py_REFCNT(key), 1);
    ck_assert_int_eq(PySet_Add(s, key), 0);
    Py_DECREF(s);
    ck_assert_int_eq(Py_REFCNT(key), 1);
    suite_drop(key, copy);
}

START_TEST(first_of_equal_elements_stays)
{
    PyObject *s = PySet_New(NULL), *one = PyFloat_FromDouble(1);

    ck_assert_int_eq(PySet_Add(s, one), 0);
    ck_assert_int_eq(PySet_Add(s, Py_True), 0);
    sets_add(s, 1);
    ck_assert_int_eq(PySet_Size(s), 1);
    suite_repr(s, "{1.0}");
    ck_assert_int_eq(PySet_Discard(s, Py_True), 1);
    ck_assert_int_eq(PySet_Size(s), 0);
    suite_drop(one, s);
}

START_TEST(frozenset_is_filled_by_its_only_owner)
{
    PyObject *f = PyFrozenSet_New(NULL);

    sets_add(f, 1);
    sets_add(f, 2);
    ck_assert_uint_eq(sets_mask(f), 6);
    PyObject *other = Py_NewRef(f);
    suite_failed(PySet_Add(f, Py_None), PyExc_SystemError, NULL);
    Py_DECREF(other);
    ck_assert_uint_eq(sets_mask(f), 6);
    Py_DECREF(f);
}

START_TEST(adding_to_a_frozenset_renews_its_hash)
{
    PyObject *f = sets_make(&PyFrozenSet_Type, 6);
    PyObject *same = sets_make(&PyFrozenSet_Type, 7);

    ck_assert_int_ne(PyObject_Hash(f), PyObject_Hash(same));
    sets_add(f, 0);
    ck_assert_int_eq(PyObject_Hash(f), PyObject_Hash(same));
    ck_assert_int_eq(PyObject_RichCompareBool(f, same, Py_EQ), 1);
    suite_drop(same, f);
}

START_TEST(functions_refuse_other_types)
{
    PyObject *f = sets_make(&PyFrozenSet_Type, 1), *key, *list = PyList_New(0);
    Py_ssize_t pos = 0;
    Py_hash_t hash;

    suite_failed(PySet_Size(list), PyExc_SystemError, NULL);
    suite_failed(PySet_Contains(list, Py_None), PyExc_SystemError, NULL);
    suite_failed(PySet_Add(list, Py_None), PyExc_SystemError, NULL);
    suite_failed(PySet_Discard(f, Py_None), PyExc_SystemError, NULL);
    suite_refused(PySet_Pop(f), PyExc_SystemError, NULL);
    suite_failed(PySet_Clear(f), PyExc_SystemError, NULL);
    suite_failed(_PySet_Update(f, f), PyExc_SystemError, NULL);
    suite_failed(_PySet_NextEntry(list, &pos, &key, &hash), PyExc_SystemError,
                 NULL);
    sets_expect(f, &PyFrozenSet_Type, 1);
    Py_DECREF(list);
}

START_TEST(unhashable_elements_are_refused)
{
    PyObject *s = sets_new(1), *list = PyList_New(0),
             *t = PyTuple_Pack(1, list);

    suite_failed(PySet_Add(s, list), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_failed(PySet_Contains(s, list), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_failed(PySet_Discard(s, list), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_refused(PySet_New(t), PyExc_TypeError, "unhashable type: 'list'");
    suite_failed(PySequence_Contains(s, list), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_failed(_PySet_Update(s, t), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_failed(PyObject_Hash(s), PyExc_TypeError, "unhashable type: 'set'");
    /* The C functions take no set for a frozenset. */
    suite_failed(PySet_Contains(s, s), PyExc_TypeError,
                 "unhashable type: 'set'");
    suite_failed(PySet_Discard(s, s), PyExc_TypeError,
                 "unhashable type: 'set'");
    suite_drop(t, list);
    sets_expect(s, &PySet_Type, 1);
}

START_TEST(pop_empties_a_large_set)
{
    PyObject *s = PySet_New(NULL), *seen = PySet_New(NULL);

    for (long i = 0; i < 70000; i++)
        sets_add(s, i);
    ck_assert_int_eq(PySet_Size(s), 70000);
    ck_assert(has_number(s, 69999) && !has_number(s, 70000));
    while (PySet_GET_SIZE(s) > 0) {
        PyObject *key = suite_require(PySet_Pop(s));
        ck_assert_int_eq(PySet_Add(seen, key), 0);
        Py_DECREF(key);
    }
    ck_assert_int_eq(PySet_Size(seen), 70000);
    suite_refused(PySet_Pop(s), PyExc_KeyError, "'pop from an empty set'");
    suite_drop(seen, s);
}

START_TEST(next_entry_walks_over_all)
{
    PyObject *s = sets_new(0x92), *key;
    Py_ssize_t pos = 0;
    Py_hash_t hash;
    unsigned mask = 0;
    int more;

    while ((more = _PySet_NextEntry(s, &pos, &key, &hash)) == 1) {
        ck_assert_int_eq(hash, PyObject_Hash(key));
        mask |= 1U << PyLong_AsLong(key);
    }
    ck_assert_int_eq(more, 0);
    ck_assert_uint_eq(mask, 0x92);
    Py_DECREF(s);
}

/* ------------------------------------------------------------------ */
/* The types                                                           */

START_TEST(builtins_have_the_types)
{
    PyObject *builtins = PyImport_ImportModule("builtins");
    PyObject *s = PyObject_GetAttrString(builtins, "set");
    PyObject *f = PyObject_GetAttrString(builtins, "frozenset");

    ck_assert_ptr_eq(s, &PySet_Type);
    ck_assert_ptr_eq(f, &PyFrozenSet_Type);
    suite_repr(s, "<class 'set'>");
    suite_new_repr(f, "<class 'frozenset'>");
    suite_drop(s, builtins);
}

START_TEST(constructors_look_at_their_arguments)
{
    PyObject *set = (PyObject *)&PySet_Type,
             *kwds = Py_BuildValue("{si}", "a", 1);
    PyObject *frozenset = (PyObject *)&PyFrozenSet_Type,
             *none = PyTuple_New(0);

    suite_new_repr(PyObject_CallNoArgs(set), "set()");
    suite_new_repr(PyObject_CallNoArgs(frozenset), "frozenset()");
    suite_refused(PyObject_CallFunction(set, "ii", 1, 2), PyExc_TypeError,
                  "set expected at most 1 argument, got 2");
    suite_refused(PyObject_CallFunction(frozenset, "ii", 1, 2),
                  PyExc_TypeError,
                  "frozenset expected at most 1 argument, got 2");
    suite_refused(PyObject_Call(set, none, kwds), PyExc_TypeError,
                  "set() takes no keyword arguments");
    suite_refused(PyObject_Call(frozenset, none, kwds), PyExc_TypeError,
                  "frozenset() takes no keyword arguments");
    suite_refused(PyObject_CallFunction(set, "i", 1), PyExc_TypeError,
                  "'int' object is not iterable");
    suite_drop(none, kwds);
}

START_TEST(frozenset_of_a_frozenset_is_itself)
{
    PyObject *f = sets_make(&PyFrozenSet_Type, 3),
             *frozenset = (PyObject *)Py_TYPE(f);
    PyObject *same = PyObject_CallOneArg(frozenset, f);

    ck_assert_ptr_eq(same, f);
    Py_SETREF(same, PyObject_CallMethod(f, "copy", NULL));
    ck_assert_ptr_eq(same, f);
    Py_DECREF(same);
    ck_assert_int_eq(Py_REFCNT(f), 1);
    Py_DECREF(f);
}

START_TEST(init_replaces_the_elements)
{
    PyObject *s = sets_new(3), *list = sets_list(8);

    PyObject *args = PyTuple_Pack(1, list);

    ck_assert_int_eq(PySet_Type.tp_init(s, args, NULL), 0);
    ck_assert_uint_eq(sets_mask(s), 8);
    Py_SETREF(args, PyTuple_New(0));
    ck_assert_int_eq(PySet_Type.tp_init(s, args, NULL), 0);
    ck_assert_uint_eq(sets_mask(s), 0);
    suite_drop(args, list, s);
}

START_TEST(repr_tells_type_and_elements)
{
    suite_new_repr(sets_new(2), "{1}");
    suite_new_repr(sets_make(&PyFrozenSet_Type, 2), "frozenset({1})");

    PyObject *s = PySet_New(NULL), *f = sets_make(&PyFrozenSet_Type, 1);
    ck_assert_int_eq(PySet_Add(s, f), 0);
    suite_repr(s, "{frozenset({0})}");
    Py_SETREF(s, sets_new(6));
    PyObject *text = PyObject_Repr(s);
    ck_assert(PyUnicode_EqualToUTF8(text, "{1, 2}") ||
              PyUnicode_EqualToUTF8(text, "{2, 1}"));
    suite_drop(text, f, s);
}

/* A mirror's repr is that of what it shows. */
static PyObject *shown;

static PyObject *
mirror_repr(PyObject *Py_UNUSED(op))
{
    return PyObject_Repr(shown);
}

static PyTypeObject Mirror_Type = {SUITE_TYPE("check.Mirror"),
                                   .tp_repr = mirror_repr};

START_TEST(repr_knows_recursion)
{
    static const char *const texts[] = {"{set(...)}",
                                        "frozenset({frozenset(...)})"};

    ck_assert_int_eq(PyType_Ready(&Mirror_Type), 0);
    for (size_t t = 0; t < Py_ARRAY_LENGTH(sets_types); t++) {
        PyObject *mirror = PyObject_New(PyObject, &Mirror_Type);
        shown = PyObject_CallNoArgs((PyObject *)sets_types[t]);
        ck_assert_int_eq(PySet_Add(shown, mirror), 0);
        Py_DECREF(mirror);
        suite_new_repr(shown, texts[t]);
    }
}

START_TEST(hash_is_that_of_the_elements)
{
    PyObject *f = PyFrozenSet_New(NULL), *g = PyFrozenSet_New(NULL);

    for (long i = 0; i < 20; i++) {
        sets_add(f, i);
        sets_add(g, 19 - i);
    }
    ck_assert_int_ne(PyObject_Hash(f), -1);
    ck_assert_int_eq(PyObject_Hash(f), PyObject_Hash(g));
    ck_assert_int_eq(PyObject_RichCompareBool(f, g, Py_EQ), 1);

    /* Small sets of small numbers have hashes of their own. */
    PyObject *hashes = PySet_New(NULL);
    for (unsigned mask = 0; mask < 1024; mask++) {
        Py_SETREF(f, sets_make(&PyFrozenSet_Type, mask));
        Py_SETREF(g, PyLong_FromSsize_t(PyObject_Hash(f)));
        ck_assert_int_eq(PySet_Add(hashes, g), 0);
    }
    ck_assert_int_eq(PySet_Size(hashes), 1024);
    suite_drop(hashes, g, f);
}

/* ------------------------------------------------------------------ */
/* Other methods                                                       */

START_TEST(methods_of_single_elements)
{
    PyObject *s = sets_new(1), *copy = PyObject_CallMethod(s, "copy", NULL);
    PyObject *pair = Py_BuildValue("(ii)", 7, 8);

    suite_new_repr(PyObject_CallMethod(s, "add", "i", 3), "None");
    ck_assert_uint_eq(sets_mask(s), 9);
    ck_assert_uint_eq(sets_mask(copy), 1);
    suite_new_repr(PyObject_CallMethod(s, "remove", "i", 0), "None");
    suite_new_repr(PyObject_CallMethod(s, "discard", "i", 0), "None");
    ck_assert_uint_eq(sets_mask(s), 8);
    suite_refused(PyObject_CallMethod(s, "remove", "i", 0), PyExc_KeyError,
                  "0");
    suite_refused(sets_call(s, "remove", pair), PyExc_KeyError, "(7, 8)");
    suite_new_int(PyObject_CallMethod(s, "__contains__", "i", 3), 1);
    suite_new_int(PyObject_CallMethod(s, "__contains__", "i", 0), 0);
    suite_new_repr(PyObject_CallMethod(s, "pop", NULL), "3");
    suite_refused(PyObject_CallMethod(s, "pop", NULL), PyExc_KeyError,
                  "'pop from an empty set'");
    suite_new_repr(PyObject_CallMethod(copy, "clear", NULL), "None");
    ck_assert_uint_eq(sets_mask(copy), 0);
    suite_refused(PyObject_CallMethod(s, "add", NULL), PyExc_TypeError,
                  "set.add() takes exactly one argument (0 given)");
    suite_drop(pair, copy, s);
}

START_TEST(frozenset_has_no_methods_that_change_it)
{
    static const char *const names[] = {"add", "remove", "discard",
                                        "pop", "clear",  "update"};
    PyObject *f = PyFrozenSet_New(NULL);

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        ck_assert_int_eq(PyObject_HasAttrString(f, names[i]), 0);
    ck_assert_ptr_null(Py_TYPE(f)->tp_as_number->nb_inplace_or);
    Py_DECREF(f);
}

START_TEST(set_stands_for_the_equal_frozenset)
{
    PyObject *s = PySet_New(NULL), *inner = sets_new(6);
    PyObject *frozen = PyFrozenSet_New(inner);

    ck_assert_int_eq(PySequence_Contains(s, inner), 0);
    ck_assert_int_eq(PySet_Add(s, frozen), 0);
    ck_assert_int_eq(PySequence_Contains(s, inner), 1);
    ck_assert_int_eq(PySequence_Contains(frozen, inner), 0);
    suite_new_repr(sets_call(s, "discard", inner), "None");
    ck_assert_int_eq(PySet_Size(s), 0);
    suite_new_repr(sets_call(s, "discard", inner), "None");
    ck_assert_int_eq(PySet_Add(s, frozen), 0);
    suite_new_repr(sets_call(s, "remove", inner), "None");
    ck_assert_int_eq(PySet_Size(s), 0);
    Py_SETREF(inner, sets_new(2));
    suite_refused(sets_call(s, "remove", inner), PyExc_KeyError, "{1}");
    suite_refused(sets_call(s, "add", inner), PyExc_TypeError,
                  "unhashable type: 'set'");
    ck_assert_int_eq(Py_REFCNT(inner), 1);
    suite_drop(frozen, inner, s);
}

/* ------------------------------------------------------------------ */
/* Iteration                                                           */

START_TEST(iterator_gives_each_element_once)
{
    PyObject *s = sets_new(0x16), *it = PyObject_GetIter(s);

    ck_assert(Py_IS_TYPE(it, &PySetIter_Type));
    ck_assert_str_eq(Py_TYPE(it)->tp_name, "set_iterator");
    ck_assert(PyObject_GC_IsTracked(it));
    ck_assert_int_eq(Py_REFCNT(s), 2);
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 3);
    Py_DECREF(PyIter_Next(it));
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 2);
    Py_DECREF(PyIter_Next(it));
    Py_DECREF(PyIter_Next(it));
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(Py_REFCNT(s), 1);
    sets_add(s, 7);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 0);
    suite_drop(it, s);
}

START_TEST(iterator_notices_a_new_size)
{
    PyObject *s = sets_new(7), *it = PyObject_GetIter(s);

    Py_DECREF(PyIter_Next(it));
    sets_add(s, 7);
    suite_refused(PyIter_Next(it), PyExc_RuntimeError,
                  "Set changed size during iteration");
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 0);
    suite_new_repr(PyObject_CallMethod(s, "remove", "i", 7), "None");
    suite_refused(PyIter_Next(it), PyExc_RuntimeError,
                  "Set changed size during iteration");
    suite_drop(it, s);
}

START_TEST(iteration_ends_though_elements_come_and_go)
{
    PyObject *s = sets_new(31), *it = PyObject_GetIter(s), *key;
    long steps = 0;

    /* Not more than were there at the start: a promise of ours. */
    while ((key = PyIter_Next(it)) != NULL) {
        ck_assert_int_eq(PySet_Discard(s, key), 1);
        Py_DECREF(key);
        sets_add(s, 100 + steps);
        ck_assert_int_le(++steps, 5);
    }
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(PySet_Size(s), 5);
    suite_drop(it, s);
}

/* ------------------------------------------------------------------ */
/* Subtypes, weak references and the collector                         */

static PyType_Slot sub_slots[] = {{0, NULL}};
static PyType_Spec sub_spec = {
    "check.Sub", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, sub_slots};

/* A heap type that inherits from the type. */
static PyTypeObject *
subtype(PyTypeObject *base)
{
    return (PyTypeObject *)suite_require(
        PyType_FromSpecWithBases(&sub_spec, (PyObject *)base));
}

START_TEST(subtypes_are_sets)
{
    for (size_t t = 0; t < Py_ARRAY_LENGTH(sets_types); t++) {
        PyTypeObject *type = subtype(sets_types[t]);
        PyObject *op = sets_make(type, 2);

        ck_assert(PyAnySet_Check(op) && !PyAnySet_CheckExact(op));
        ck_assert_int_eq(PySet_Check(op), t == 0);
        ck_assert_int_eq(PyFrozenSet_Check(op), t == 1);
        ck_assert_int_eq(PySet_Size(op), 1);
        suite_repr(op, "check.Sub({1})");
        suite_new_repr(PyObject_CallNoArgs((PyObject *)type), "check.Sub()");
        suite_refused(PyObject_CallFunction((PyObject *)type, "ii", 1, 2),
                      PyExc_TypeError,
                      "check.Sub expected at most 1 argument, got 2");
        /* What is made from it is of the base type. */
        sets_expect(PyObject_CallMethod(op, "copy", NULL), sets_types[t], 2);
        sets_expect(PyObject_CallMethod(op, "union", NULL), sets_types[t], 2);
        sets_expect(PyNumber_Or(op, op), sets_types[t], 2);
        sets_expect(PyNumber_And(op, op), sets_types[t], 2);
        sets_expect(PyNumber_Xor(op, op), sets_types[t], 0);
        suite_drop(op, type);
    }
}

/* A C type with a set in front. */
struct counted {
    PySetObject set;
    int count;
};

static PyTypeObject Counted_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "check.Counted",
    .tp_basicsize = sizeof(struct counted),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

START_TEST(c_types_embed_sets)
{
    Counted_Type.tp_base = &PySet_Type;
    ck_assert_int_eq(PyType_Ready(&Counted_Type), 0);
    PyObject *op = sets_make(&Counted_Type, 2);

    ((struct counted *)op)->count = -1;
    sets_add(op, 0);
    ck_assert_uint_eq(sets_mask(op), 3);
    ck_assert_int_eq(((struct counted *)op)->count, -1);
    ck_assert_int_eq(PySet_Clear(op), 0);
    suite_new_repr(op, "check.Counted()");
}

static int deaths;

static PyObject *
count_death(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(reference))
{
    deaths++;
    Py_RETURN_NONE;
}

static PyMethodDef count_death_def = {"count_death", count_death, METH_O,
                                      NULL};

START_TEST(sets_can_be_referred_to_weakly)
{
    PyObject *callback = PyCFunction_New(&count_death_def, NULL);

    deaths = 0;
    for (size_t t = 0; t < Py_ARRAY_LENGTH(sets_types); t++) {
        PyObject *op = sets_make(sets_types[t], 1);
        PyObject *ref = suite_require(PyWeakref_NewRef(op, callback));
        ck_assert_ptr_eq(PyWeakref_GetObject(ref), op);
        Py_DECREF(op);
        ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
        ck_assert_int_eq(deaths, (int)t + 1);
        Py_DECREF(ref);
    }
    Py_DECREF(callback);

    PyObject *s = PySet_New(NULL), *it = PyObject_GetIter(s);
    suite_refused(PyWeakref_NewRef(it, NULL), PyExc_TypeError,
                  "cannot create weak reference to 'set_iterator' object");
    suite_drop(it, s);
}

START_TEST(what_a_set_outside_holds_is_no_garbage)
{
    node_reset();
    for (size_t t = 0; t < Py_ARRAY_LENGTH(sets_types); t++) {
        struct node *node = node_new(&node_type);
        PyObject *op = PyObject_CallNoArgs((PyObject *)sets_types[t]), *other;

        ck_assert_int_eq(PySet_Add(op, (PyObject *)node), 0);
        other = PyObject_CallNoArgs((PyObject *)sets_types[t]);
        ck_assert_int_eq(PySet_Add(other, (PyObject *)node), 0);
        node_link(node, op, NULL);
        Py_DECREF(op);
        /* other holds the cycle. */
        Py_DECREF(node);
        ck_assert_int_eq(PyGC_Collect(), 0);
        Py_DECREF(other);
        ck_assert_int_eq(PyGC_Collect(), 2);
    }
}

START_TEST(cycles_through_sets_are_collected)
{
    node_reset();
    for (size_t t = 0; t < Py_ARRAY_LENGTH(sets_types); t++) {
        PyObject *op = PyObject_CallNoArgs((PyObject *)sets_types[t]);
        struct node *node = node_new(&node_fixed_type);

        /* Only the set can be cleared. */
        ck_assert_int_eq(PySet_Add(op, (PyObject *)node), 0);
        node_link(node, op, NULL);
        Py_DECREF(node);
        ck_assert_int_eq(PyGC_Collect(), 0);
        PyObject *ref = PyWeakref_NewRef(op, NULL);
        Py_DECREF(op);
        ck_assert_int_eq(PyGC_Collect(), 2);
        ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
        Py_DECREF(ref);
        ck_assert_int_eq(PyGC_Collect(), 0);
    }
    ck_assert_int_eq(node_log.freed, 2);
}

START_TEST(cycles_through_iterators_are_collected)
{
    node_reset();
    PyObject *s = PySet_New(NULL), *it;
    struct node *node = node_new(&node_type);

    ck_assert_int_eq(PySet_Add(s, (PyObject *)node), 0);
    it = PyObject_GetIter(s);
    node_link(node, it, NULL);
    suite_drop(it, s);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(node);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 1);
}

START_TEST(cycles_through_subtypes_are_collected)
{
    node_reset();
    PyGC_Collect();
    for (size_t t = 0; t < Py_ARRAY_LENGTH(sets_types); t++) {
        PyTypeObject *type = subtype(sets_types[t]);
        PyObject *op = PyObject_CallNoArgs((PyObject *)type);
        struct node *node = node_new(&node_fixed_type);

        ck_assert_int_eq(PySet_Add(op, (PyObject *)node), 0);
        node_link(node, op, NULL);
        Py_DECREF(node);
        ck_assert_int_eq(PyGC_Collect(), 0);
        Py_DECREF(op);
        ck_assert_int_eq(PyGC_Collect(), 2);
        Py_DECREF(type);
        ck_assert_int_gt(PyGC_Collect(), 0); /* the type, its dict and mro */
    }
}
