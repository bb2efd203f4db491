/* check_instancedict.c: the dictionary of an instance, which is a part of the
   instance until code asks for it.
   Manual: "Supporting Cyclic Garbage Collection", PyObject_VisitManagedDict;
   "Object Protocol", PyObject_GenericGetDict. */

#include <pyboehm.h>

#include "../support/suite.h"

/* Sets an attribute; takes the value away. */
static void
set_new(PyObject *op, const char *name, PyObject *value)
{
    ck_assert_ptr_nonnull(value);
    ck_assert_int_eq(PyObject_SetAttrString(op, name, value), 0);
    Py_DECREF(value);
}

/* ------------------------------------------------------------------ */
/* A type of its own                                                   */

static void
managed_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    PyObject_ClearManagedDict(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static int
managed_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return PyObject_VisitManagedDict(op, visit, arg);
}

static int
managed_clear(PyObject *op)
{
    PyObject_ClearManagedDict(op);
    return 0;
}

static PyType_Slot managed_slots[] = {
    {Py_tp_dealloc, (void *)managed_dealloc},
    {Py_tp_traverse, (void *)managed_traverse},
    {Py_tp_clear, (void *)managed_clear},
    {0, NULL},
};

static PyType_Spec managed_spec = {
    .name = "test.Managed",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_DICT,
    .slots = managed_slots,
};

static int
find_visited(PyObject *op, void *wanted)
{
    return op == wanted ? 42 : 0;
}

START_TEST(managed_dictionary_holds_attributes_and_is_visited)
{
    PyObject *type = suite_require(PyType_FromSpec(&managed_spec));
    PyObject *op = suite_require(PyObject_CallNoArgs(type));
    ck_assert_int_eq(PyObject_VisitManagedDict(op, find_visited, NULL), 0);
    set_new(op, "x", PyLong_FromLong(9));
    suite_new_int(PyObject_GetAttrString(op, "x"), 9);
    PyObject *dict = PyObject_GenericGetDict(op, NULL);
    ck_assert_int_eq(PyObject_VisitManagedDict(op, find_visited, dict), 42);
    ck_assert_int_eq(Py_REFCNT(dict), 2);
    PyObject_ClearManagedDict(op);
    ck_assert_int_eq(Py_REFCNT(dict), 1);
    Py_DECREF(dict);
    ck_assert_int_eq(PyObject_HasAttrString(op, "x"), 0);

    PyObject *plain = PyList_New(0); /* has no such flag */
    ck_assert_ptr_nonnull(plain);
    ck_assert_int_eq(PyList_Append(plain, plain), 0);
    ck_assert_int_eq(PyObject_VisitManagedDict(plain, find_visited, plain), 0);
    PyObject_ClearManagedDict(plain);
    PyList_SetSlice(plain, 0, 1, NULL);
    suite_drop(plain, op, type);
}

START_TEST(cycle_through_an_attribute_counts_the_instance_alone)
{
    PyObject *type = PyType_FromSpec(&managed_spec);
    PyObject *op = PyObject_CallNoArgs(type);

    PyGC_Collect();
    ck_assert_int_eq(PyObject_SetAttrString(op, "self", op), 0);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(type);
}

/* ------------------------------------------------------------------ */
/* Classes                                                             */

/* The first instance, which has room for attributes, has come and gone: the
   next one has none. */
static PyObject *
without_first(PyObject *type)
{
    suite_require(type);
    Py_DECREF(suite_require(PyObject_CallNoArgs(type)));
    return type;
}

static PyObject *
make_class(PyTypeObject *base)
{
    PyObject *type =
        without_first(suite_class("s(O){}", "C", (PyObject *)base));

    PyGC_Collect();
    return type;
}

/* An instance that refers to itself. */
static PyObject *
make_ring(PyObject *type)
{
    PyObject *op = suite_require(PyObject_CallNoArgs(type));
    ck_assert_int_eq(PyObject_SetAttrString(op, "me", op), 0);
    return op;
}

/* Takes the type away. */
static void
attributes_are_the_instances_own(PyObject *type)
{
    PyObject *op = make_ring(type), *value = PyList_New(0);
    traverseproc traverse = Py_TYPE(op)->tp_traverse;

    set_new(op, "list", Py_NewRef(value));
    ck_assert_int_eq(traverse(op, find_visited, value), 42);
    ck_assert_int_eq(traverse(op, find_visited, op), 42);
    ck_assert_int_eq(PyObject_DelAttrString(op, "list"), 0);
    ck_assert_int_eq(traverse(op, find_visited, value), 0);
    ck_assert_int_eq(Py_REFCNT(value), 1);
    set_new(op, "list", Py_NewRef(value));
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(Py_REFCNT(value), 1);
    suite_drop(value, type);
}

START_TEST(attributes_are_visited_as_the_instances_own)
{
    attributes_are_the_instances_own(make_class(&PyBaseObject_Type));
}

START_TEST(dictionary_that_was_asked_for_is_counted)
{
    PyObject *type = make_class(&PyBaseObject_Type), *op = make_ring(type);
    PyObject *dict = PyObject_GetAttrString(op, "__dict__");

    ck_assert_int_eq(PyObject_GC_IsTracked(dict), 1);
    ck_assert_int_eq(Py_TYPE(op)->tp_traverse(op, find_visited, dict), 42);
    suite_drop(dict, op);
    ck_assert_int_eq(PyGC_Collect(), 2);

    op = make_ring(type);
    ck_assert_int_eq(PyObject_GC_IsTracked(*_PyObject_GetDictPtr(op)), 1);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(type);
}

START_TEST(dictionary_that_was_asked_for_is_tracked_when_it_must_be)
{
    PyObject *type = make_class(&PyBaseObject_Type);
    PyObject *op = PyObject_CallNoArgs(type);

    set_new(op, "number", PyLong_FromLong(1));
    PyObject *dict = PyObject_GenericGetDict(op, NULL);
    ck_assert_int_eq(PyObject_GC_IsTracked(dict), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "me", op), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked(dict), 1);
    suite_drop(dict, op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(type);
}

START_TEST(dictionary_outlives_its_instance)
{
    PyObject *type = make_class(&PyBaseObject_Type);
    PyObject *op = PyObject_CallNoArgs(type), *dict;

    set_new(op, "list", PyList_New(0));
    dict = PyObject_GenericGetDict(op, NULL);
    Py_DECREF(op);
    ck_assert_int_eq(PyDict_SetItemString(dict, "me", dict), 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(PyDict_Size(dict), 2);
    Py_DECREF(dict);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(type);
}

START_TEST(dictionary_that_is_given_is_counted)
{
    PyObject *type = make_class(&PyBaseObject_Type), *op = make_ring(type);

    set_new(op, "__dict__", PyDict_New());
    ck_assert_int_eq(PyObject_SetAttrString(op, "me", op), 0);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(type);
}

/* As in CPython, where only such instances keep their attributes without a
   dictionary that have nothing else. */
START_TEST(dictionary_of_a_larger_instance_is_counted)
{
    PyObject *type = make_class(&PyList_Type), *op = make_ring(type);

    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(type);
}

/* ------------------------------------------------------------------ */
/* Names that run code                                                 */

/* What is done when such a name is compared; and with which object. */
static void (*on_compare)(PyObject *op);
static PyObject *compared_for;

static PyObject *
name_compare(PyObject *a, PyObject *b, int op)
{
    if (on_compare != NULL) {
        void (*action)(PyObject *) = on_compare;

        on_compare = NULL;
        action(compared_for);
    }
    return PyUnicode_Type.tp_richcompare(a, b, op);
}

static Py_hash_t
name_hash(PyObject *op)
{
    return PyUnicode_Type.tp_hash(op);
}

static PyTypeObject Name_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Name",
    .tp_base = &PyUnicode_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_richcompare = name_compare,
    .tp_hash = name_hash,
};

/* A new name of that kind. */
static PyObject *
make_name(const char *text)
{
    ck_assert_int_eq(PyType_Ready(&Name_Type), 0);
    return suite_require(
        PyObject_CallFunction((PyObject *)&Name_Type, "s", text));
}

static void
drop_and_collect(PyObject *op)
{
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* The instance is garbage from the comparison on, but what the lookup still
   needs stays until that returns. */
START_TEST(collection_in_a_lookup_leaves_the_instance_alone)
{
    PyObject *type = make_class(&PyBaseObject_Type), *op = make_ring(type);
    PyObject *name = make_name("x"), *value;

    ck_assert_int_eq(PyObject_SetAttr(op, name, Py_None), 0);
    compared_for = op;
    on_compare = drop_and_collect;
    value = PyObject_GetAttrString(op, "x");
    ck_assert_ptr_eq(value, Py_None);
    ck_assert_ptr_null(on_compare);
    Py_DECREF(value);
    ck_assert_int_eq(PyGC_Collect(), 1);
    suite_drop(name, type);
}

static PyObject *asked_for;

static void
ask_for_dict(PyObject *op)
{
    asked_for = PyObject_GenericGetDict(op, NULL);
    ck_assert_int_eq(PyObject_GC_IsTracked(asked_for), 0);
}

/* What a name refers to is a part of the cycle. */
START_TEST(cycle_through_a_name_is_collected)
{
    PyObject *cls = make_class(&PyUnicode_Type);
    PyObject *type = make_class(&PyBaseObject_Type);
    PyObject *op = PyObject_CallNoArgs(type);
    PyObject *name = PyObject_CallFunction(cls, "s", "x");

    ck_assert_int_eq(PyObject_SetAttrString(name, "owner", op), 0);
    ck_assert_int_eq(PyObject_SetAttr(op, name, Py_None), 0);
    suite_drop(name, op);
    /* The instance, the name, and its dictionary: it is more than that. */
    ck_assert_int_eq(PyGC_Collect(), 3);
    suite_drop(cls, type);
}

/* The dictionary is seen while a value is on its way into it. */
START_TEST(dictionary_asked_for_while_an_attribute_is_set_is_tracked)
{
    PyObject *type = make_class(&PyBaseObject_Type);
    PyObject *op = PyObject_CallNoArgs(type), *name = make_name("x");

    ck_assert_int_eq(PyObject_SetAttr(op, name, Py_None), 0);
    compared_for = op;
    on_compare = ask_for_dict;
    ck_assert_int_eq(PyObject_SetAttrString(op, "x", op), 0);
    ck_assert_ptr_null(on_compare);
    ck_assert_int_eq(PyObject_GC_IsTracked(asked_for), 1);
    suite_drop(asked_for, op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    suite_drop(name, type);
}

/* A callback of the collector: sets an attribute of arg. */
static void
set_early(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
          void *arg)
{
    set_new(arg, "early", PyLong_FromLong(1));
}

/* The dictionary's allocation collects, and the collection runs code that
   gives the instance one. */
static void
set_while_collecting(PyObject *type, int asks)
{
    const int often[PyBoehm_GC_GENERATIONS] = {1, 10, 10};
    PyObject *op = suite_require(PyObject_CallNoArgs(type));
    PyObject *name = suite_require(PyUnicode_InternFromString("late"));

    PyGC_Collect();
    ck_assert_int_eq(PyBoehm_GC_AddCallback(set_early, op), 0);
    PyBoehm_GC_SetThreshold(often);
    PyObject *one_new = PyList_New(0); /* the next one collects */
    if (asks)
        Py_DECREF(suite_require(PyObject_GenericGetDict(op, NULL)));
    ck_assert_int_eq(PyObject_SetAttr(op, name, Py_None), 0);
    PyBoehm_GC_RemoveCallback(set_early, op);
    suite_new_int(PyObject_GetAttrString(op, "early"), 1);
    ck_assert_int_eq(PyObject_HasAttr(op, name), 1);
    suite_drop(name, op, type, one_new);
}

START_TEST(attributes_set_by_a_collection_stay)
{
    for (int asks = 0; asks < 2; asks++) {
        set_while_collecting(make_class(&PyBaseObject_Type), asks);
        set_while_collecting(without_first(PyType_FromSpec(&managed_spec)),
                             asks);
    }
}

/* ------------------------------------------------------------------ */
/* Inline values: of instances of a class that has seen others          */

static const char *const learned[] = {"me", "list", "early"};

/* A class that has learned the names. */
static PyObject *
make_learned(void)
{
    PyObject *type = make_class(&PyBaseObject_Type);

    for (size_t i = 0; i < Py_ARRAY_LENGTH(learned); i++) {
        PyObject *op = suite_require(PyObject_CallNoArgs(type));
        for (size_t j = 0; j <= i; j++)
            ck_assert_int_eq(PyObject_SetAttrString(op, learned[j], op), 0);
        Py_DECREF(op);
    }
    PyGC_Collect();
    return type;
}

/* Asks for the dictionary. */
static void
attributes_are(PyObject *op, const char *expected)
{
    suite_new_repr(suite_require(PyObject_GenericGetDict(op, NULL)), expected);
}

static void
set_int(PyObject *op, const char *name, long value)
{
    set_new(op, name, PyLong_FromLong(value));
}

START_TEST(inline_values_are_visited_as_the_instances_own)
{
    attributes_are_the_instances_own(make_learned());
}

START_TEST(inline_values_keep_their_order)
{
    PyObject *type = make_learned();
    PyObject *op = PyObject_CallNoArgs(type);

    set_int(op, "early", 2);
    set_int(op, "me", 0);
    set_int(op, "list", 5);
    set_int(op, "list", 1); /* keeps its place */
    ck_assert_int_eq(PyObject_DelAttrString(op, "early"), 0);
    ck_assert_int_eq(PyObject_HasAttrString(op, "early"), 0);
    set_int(op, "early", 2);
    attributes_are(op, "{'me': 0, 'list': 1, 'early': 2}");
    set_int(op, "other", 7);
    attributes_are(op, "{'me': 0, 'list': 1, 'early': 2, 'other': 7}");
    suite_drop(op, type);
}

START_TEST(more_attributes_than_room)
{
    enum { MANY = 20 };
    PyObject *type = make_learned(), *ops[2];
    char name[20];

    for (int i = 0; i < 2; i++) { /* the other one has room for 14 */
        ops[i] = suite_require(PyObject_CallNoArgs(type));
        for (int j = MANY; j > 0; j--) {
            snprintf(name, sizeof name, "a%d", j);
            set_int(ops[i], name, j);
            suite_new_int(PyObject_GetAttrString(ops[i], name), j);
        }
        ck_assert_int_eq(PyDict_Size(*_PyObject_GetDictPtr(ops[i])), MANY);
        suite_new_int(PyObject_GetAttrString(ops[i], "a20"), 20);
    }
    suite_drop(ops[0], ops[1], type);
}

static int
count_made(void)
{
    int counts[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetCount(counts);
    return counts[0];
}

/* Of a class that knows no names yet: as many as a class can know need no
   dictionary. */
START_TEST(the_first_instance_has_room)
{
    enum { ROOM = 14 };
    PyObject *type = suite_class("s(O){}", "C", &PyBaseObject_Type);
    PyObject *first = PyObject_CallNoArgs(type), *dict;
    PyObject *second = PyObject_CallNoArgs(type);
    char name[20];

    PyGC_Disable();
    int made = count_made();
    for (int i = 0; i < ROOM; i++) {
        snprintf(name, sizeof name, "a%d", i);
        set_int(first, name, i);
        suite_new_int(PyObject_GetAttrString(first, name), i);
    }
    ck_assert_int_eq(count_made(), made);
    ck_assert_int_eq(Py_TYPE(first)->tp_traverse(first, find_visited, second),
                     0);
    ck_assert_int_eq(PyObject_SetAttrString(first, "a3", second), 0);
    ck_assert_int_eq(Py_TYPE(first)->tp_traverse(first, find_visited, second),
                     42);
    set_int(first, "more", 9);
    ck_assert_int_eq(count_made(), made + 1);
    dict = suite_require(PyObject_GenericGetDict(first, NULL));
    ck_assert_int_eq(PyDict_Size(dict), ROOM + 1);
    set_int(second, "a0", 7); /* it was made with no room */
    ck_assert_int_eq(count_made(), made + 2);
    PyGC_Enable();
    suite_drop(dict, first, second, type);
}

/* Names are compared, not only their addresses. */
START_TEST(inline_values_have_any_name)
{
    PyObject *type = make_learned(), *op = PyObject_CallNoArgs(type);
    PyObject *cls = make_class(&PyUnicode_Type);
    PyObject *made = PyUnicode_FromFormat("l%s", "ist");
    PyObject *name = PyObject_CallFunction(cls, "s", "list");

    ck_assert_int_eq(PyObject_GenericSetAttr(op, made, Py_None), 0);
    ck_assert_int_eq(PyObject_HasAttrString(op, "list"), 1);
    set_int(op, "list", 1);
    suite_new_int(PyObject_GenericGetAttr(op, made), 1);
    suite_new_int(PyObject_GetAttr(op, name), 1);
    set_int(op, "me", 0);
    attributes_are(op, "{'list': 1, 'me': 0}");
    suite_drop(made, name, cls, op, type);
}

START_TEST(what_is_not_there_cannot_be_deleted)
{
    PyObject *type = make_learned(), *op = PyObject_CallNoArgs(type);

    for (size_t i = 0; i < Py_ARRAY_LENGTH(learned); i++)
        suite_failed(PyObject_DelAttrString(op, learned[i]),
                     PyExc_AttributeError, NULL);
    suite_failed(PyObject_DelAttrString(op, "other"), PyExc_AttributeError,
                 "'C' object has no attribute 'other'");
    attributes_are(op, "{}");
    suite_drop(op, type);
}

/* The other class's values have other names. */
START_TEST(attributes_stay_with_another_class)
{
    PyObject *type = make_learned(), *op = PyObject_CallNoArgs(type);
    PyObject *other = make_class(&PyBaseObject_Type);

    for (int i = 0; i < 2; i++) {
        PyObject *one = suite_require(PyObject_CallNoArgs(other));
        set_int(one, "early", 2);
        set_int(one, "me", 0);
        Py_DECREF(one);
    }
    set_int(op, "list", 1);
    ck_assert_int_eq(PyObject_SetAttrString(op, "__class__", other), 0);
    suite_new_int(PyObject_GetAttrString(op, "list"), 1);
    ck_assert_int_eq(PyObject_HasAttrString(op, "early"), 0);
    set_int(op, "early", 2);
    attributes_are(op, "{'list': 1, 'early': 2}");
    suite_drop(op, other, type);
}

static PyObject *
set_late(PyObject *self, PyObject *Py_UNUSED(ref))
{
    set_int(self, "late", 7);
    Py_RETURN_NONE;
}

static PyMethodDef set_late_def = {"set_late", set_late, METH_O, NULL};

/* What a value's end sets is an attribute like others. */
START_TEST(attributes_set_while_others_are_cleared_stay)
{
    PyObject *type = make_learned(), *op = PyObject_CallNoArgs(type);
    PyObject *value = PyObject_CallNoArgs(type);
    PyObject *callback = PyCFunction_New(&set_late_def, op);
    PyObject *ref = PyWeakref_NewRef(value, callback);

    set_new(op, "me", value);
    set_int(op, "list", 1);
    PyObject_ClearManagedDict(op);
    attributes_are(op, "{'late': 7}");
    suite_drop(ref, callback, op, type);
}

/* The dictionary's allocation collects, and what the collection calls sets an
   attribute for which there is room, or none. */
START_TEST(inline_values_set_by_a_collection_stay)
{
    PyObject *type = make_class(&PyBaseObject_Type);

    for (int i = 0; i < 3; i++) {
        PyObject *op = suite_require(PyObject_CallNoArgs(type));
        ck_assert_int_eq(PyObject_SetAttrString(op, "late", Py_None), 0);
        Py_DECREF(op);
        set_while_collecting(Py_NewRef(type), 1);
    }
    Py_DECREF(type);
    set_while_collecting(make_learned(), 1);
}

/* The same of a first instance, whose class learns one more name just then:
   the dictionary has room for it.  (Built with assertions, it is fatal if not;
   else there is only no memory for it if that ends just then.) */
START_TEST(names_learned_by_a_collection_have_room)
{
    const int often[PyBoehm_GC_GENERATIONS] = {1, 10, 10};
    char name[20];

    for (int n = 0; n < 14; n++) {
        PyObject *type = suite_class("s(O){}", "C", &PyBaseObject_Type);
        PyObject *op = suite_require(PyObject_CallNoArgs(type));

        for (int i = 0; i < n; i++) {
            snprintf(name, sizeof name, "a%d", i);
            set_int(op, name, i);
        }
        PyGC_Collect();
        ck_assert_int_eq(PyBoehm_GC_AddCallback(set_early, op), 0);
        PyBoehm_GC_SetThreshold(often);
        PyObject *one_new = PyList_New(0); /* the next one collects */
        PyObject *dict = suite_require(PyObject_GenericGetDict(op, NULL));
        PyBoehm_GC_RemoveCallback(set_early, op);
        ck_assert_int_eq(PyDict_Size(dict), n + 1);
        suite_new_int(PyObject_GetAttrString(op, "early"), 1);
        suite_drop(dict, one_new, op, type);
    }
}

static void
ask_early(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
          void *op)
{
    Py_DECREF(suite_require(PyObject_GenericGetDict(op, NULL)));
    set_int(op, "early", 2);
}

/* The dictionary that it asks for is the instance's. */
START_TEST(dictionary_made_by_a_collection_stays)
{
    const int often[PyBoehm_GC_GENERATIONS] = {1, 10, 10};
    PyObject *type = make_learned(), *op = PyObject_CallNoArgs(type);

    set_int(op, "me", 0);
    PyGC_Collect();
    ck_assert_int_eq(PyBoehm_GC_AddCallback(ask_early, op), 0);
    PyBoehm_GC_SetThreshold(often);
    PyObject *one_new = PyList_New(0); /* the next one collects */
    attributes_are(op, "{'me': 0, 'early': 2}");
    PyBoehm_GC_RemoveCallback(ask_early, op);
    suite_drop(one_new, op, type);
}

START_TEST(names_die_with_the_class)
{
    PyObject *type = make_learned(), *name = PyUnicode_InternFromString("nm");
    Py_ssize_t count = Py_REFCNT(name);
    PyObject *op = PyObject_CallNoArgs(type);

    ck_assert_int_eq(PyObject_SetAttr(op, name, Py_None), 0);
    ck_assert_int_gt(Py_REFCNT(name), count);
    suite_drop(op, type);
    PyGC_Collect();
    ck_assert_int_eq(Py_REFCNT(name), count);
    Py_DECREF(name);
}
