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
END_TEST

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
END_TEST

/* ------------------------------------------------------------------ */
/* Classes                                                             */

static PyObject *
make_class(PyTypeObject *base)
{
    PyObject *type = suite_require(PyObject_CallFunction(
        (PyObject *)&PyType_Type, "s(O){}", "C", (PyObject *)base));
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

START_TEST(attributes_are_visited_as_the_instances_own)
{
    PyObject *type = make_class(&PyBaseObject_Type), *op = make_ring(type);
    PyObject *value = PyList_New(0);
    traverseproc traverse = Py_TYPE(op)->tp_traverse;

    set_new(op, "list", Py_NewRef(value));
    ck_assert_int_eq(traverse(op, find_visited, value), 42);
    ck_assert_int_eq(traverse(op, find_visited, op), 42);
    ck_assert_int_eq(PyObject_DelAttrString(op, "list"), 0);
    ck_assert_int_eq(traverse(op, find_visited, value), 0);
    suite_drop(value, op);
    ck_assert_int_eq(PyGC_Collect(), 1);
    Py_DECREF(type);
}
END_TEST

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
END_TEST

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
END_TEST

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
END_TEST

START_TEST(dictionary_that_is_given_is_counted)
{
    PyObject *type = make_class(&PyBaseObject_Type), *op = make_ring(type);

    set_new(op, "__dict__", PyDict_New());
    ck_assert_int_eq(PyObject_SetAttrString(op, "me", op), 0);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(type);
}
END_TEST

/* As in CPython, where only such instances keep their attributes without a
   dictionary that have nothing else. */
START_TEST(dictionary_of_a_larger_instance_is_counted)
{
    PyObject *type = make_class(&PyList_Type), *op = make_ring(type);

    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(type);
}
END_TEST

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
END_TEST

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
END_TEST

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
END_TEST

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
        set_while_collecting(suite_require(PyType_FromSpec(&managed_spec)),
                             asks);
    }
}
END_TEST

int
main(void)
{
    return suite_run("instancedict");
}
