/* check_slots.c: __slots__ of classes made at run time. */

#include "../support/suite.h"

/* type(name, bases, {"__slots__": slots}); steals bases (NULL: ()) and
   slots. */
static PyObject *
make_class(const char *name, PyObject *bases, PyObject *slots)
{
    PyObject *result;

    if (bases == NULL)
        bases = PyTuple_New(0);
    result = PyObject_CallFunction((PyObject *)&PyType_Type, "sN{sN}", name,
                                   bases, "__slots__", slots);
    return result;
}

/* The same with slots from a format of Py_BuildValue. */
#define CLASS(name, bases, ...)                                               \
    make_class((name), (bases), Py_BuildValue(__VA_ARGS__))

static void
refuse(PyObject *cls, PyObject *exception, const char *text)
{
    suite_refused(cls, exception, text);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

static int
is_member(PyObject *cls, const char *name)
{
    PyObject *dict = PyType_GetDict((PyTypeObject *)cls), *value;
    int found = PyDict_GetItemStringRef(dict, name, &value);

    Py_DECREF(dict);
    if (found == 1) {
        found = Py_IS_TYPE(value, &PyMemberDescr_Type);
        Py_DECREF(value);
    }
    return found;
}

static Py_ssize_t
basicsize(PyObject *cls)
{
    return ((PyTypeObject *)cls)->tp_basicsize;
}

static int
has_flag(PyObject *cls, unsigned long flag)
{
    return PyType_HasFeature((PyTypeObject *)cls, flag);
}

/* ------------------------------------------------------------------ */
/* Members                                                             */

START_TEST(each_name_is_a_member)
{
    PyObject *cls = CLASS("C", NULL, "(ss)", "b", "a");
    PyObject *op, *value;

    ck_assert_ptr_nonnull(cls);
    op = suite_require(PyObject_CallNoArgs(cls));
    ck_assert_int_eq(basicsize(cls),
                     sizeof(PyObject) + 2 * sizeof(PyObject *));
    suite_new_repr(PyObject_GetAttrString(cls, "a"),
                   "<member 'a' of 'C' objects>");
    suite_refused(PyObject_GetAttrString(op, "a"), PyExc_AttributeError,
                  "'C' object has no attribute 'a'");
    value = PyLong_FromLong(1234567);
    ck_assert_int_eq(PyObject_SetAttrString(op, "a", value), 0);
    ck_assert_int_eq(Py_REFCNT(value), 2);
    suite_new_int(PyObject_GetAttrString(op, "a"), 1234567);
    ck_assert_int_eq(PyObject_SetAttrString(op, "b", value), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "a", NULL), 0);
    ck_assert_int_eq(Py_REFCNT(value), 2);
    suite_failed(PyObject_SetAttrString(op, "a", NULL), PyExc_AttributeError,
                 "a");
    Py_DECREF(op);
    ck_assert_int_eq(Py_REFCNT(value), 1);
    suite_drop(value, cls);
}

START_TEST(there_is_no_room_for_other_names)
{
    PyObject *cls = CLASS("C", NULL, "s", "alone");
    PyObject *op = PyObject_CallNoArgs(cls);

    ck_assert(is_member(cls, "alone"));
    suite_failed(PyObject_SetAttrString(op, "other", Py_None),
                 PyExc_AttributeError,
                 "'C' object has no attribute 'other' and no __dict__ for "
                 "setting new attributes");
    suite_refused(PyObject_GetAttrString(op, "__dict__"), PyExc_AttributeError,
                  "'C' object has no attribute '__dict__'");
    suite_refused(PyWeakref_NewRef(op, NULL), PyExc_TypeError,
                  "cannot create weak reference to 'C' object");
    suite_drop(op, cls);
}

START_TEST(private_names_are_mangled)
{
    PyObject *cls = CLASS("_C", NULL, "(ssss)", "__x", "y__", "__z__", "_q");
    PyObject *blank = CLASS("__", NULL, "(s)", "__x");

    ck_assert_ptr_nonnull(cls);
    ck_assert(is_member(cls, "_C__x"));
    ck_assert(!is_member(cls, "__x"));
    ck_assert(is_member(cls, "y__"));
    ck_assert(is_member(cls, "__z__"));
    ck_assert(is_member(cls, "_q"));
    ck_assert(is_member(blank, "__x"));
    suite_drop(blank, cls);
}

START_TEST(slots_may_be_any_iterable)
{
    PyObject *list = CLASS("C", NULL, "[ss]", "b", "a");
    PyObject *dict = CLASS("C", NULL, "{ss}", "a", "what it is");
    PyObject *twice = CLASS("C", NULL, "(ss)", "a", "a");

    ck_assert(is_member(list, "a") && is_member(list, "b"));
    ck_assert(is_member(dict, "a"));
    ck_assert(is_member(twice, "a"));
    suite_drop(twice, dict, list);
}

START_TEST(bad_slots_are_refused)
{
    PyGC_Collect();
    refuse(CLASS("C", NULL, "(i)", 1), PyExc_TypeError,
           "__slots__ items must be strings, not 'int'");
    refuse(CLASS("C", NULL, "(s)", "1a"), PyExc_TypeError,
           "__slots__ must be identifiers");
    refuse(CLASS("C", NULL, "i", 5), PyExc_TypeError,
           "'int' object is not iterable");
    refuse(CLASS("C", NULL, "(ss)", "__dict__", "__dict__"), PyExc_TypeError,
           "__dict__ slot disallowed: we already got one");
    refuse(CLASS("C", NULL, "(ss)", "__weakref__", "__weakref__"),
           PyExc_TypeError,
           "__weakref__ slot disallowed: either we already got one, or "
           "__itemsize__ != 0");
    refuse(CLASS("C", Py_BuildValue("(O)", &PyTuple_Type), "(s)", "a"),
           PyExc_TypeError,
           "nonempty __slots__ not supported for subtype of 'tuple'");
    refuse(CLASS("C", Py_BuildValue("(O)", &PyLong_Type), "(s)", "a"),
           PyExc_TypeError,
           "nonempty __slots__ not supported for subtype of 'int'");
    refuse(CLASS("C", Py_BuildValue("(O)", &PyBytes_Type), "(s)", "a"),
           PyExc_TypeError,
           "nonempty __slots__ not supported for subtype of 'bytes'");
    refuse(PyObject_CallFunction((PyObject *)&PyType_Type, "s(){s(s)si}", "C",
                                 "__slots__", "a", "a", 1),
           PyExc_ValueError, "'a' in __slots__ conflicts with class variable");
}

START_TEST(the_qualified_name_is_no_class_variable)
{
    PyObject *cls = suite_class("s(){s(s)ss}", "C", "__slots__",
                                "__qualname__", "__qualname__", "Q");
    suite_new_text(PyType_GetQualName((PyTypeObject *)cls), "Q");
    ck_assert(is_member(cls, "__qualname__"));
    Py_DECREF(cls);
}

/* ------------------------------------------------------------------ */
/* Dictionary and weak references                                      */

START_TEST(two_names_ask_for_dictionary_and_weak_references)
{
    PyObject *dict = CLASS("D", NULL, "(ss)", "__dict__", "a");
    PyObject *weak = CLASS("W", NULL, "(s)", "__weakref__");
    PyObject *op, *ref;

    op = PyObject_CallNoArgs(dict);
    ck_assert_int_eq(PyObject_SetAttrString(op, "a", Py_None), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "other", Py_True), 0);
    suite_new_repr(PyObject_GetAttrString(op, "__dict__"), "{'other': True}");
    suite_refused(PyWeakref_NewRef(op, NULL), PyExc_TypeError, NULL);
    Py_DECREF(op);

    op = PyObject_CallNoArgs(weak);
    ref = suite_require(PyWeakref_NewRef(op, NULL));
    Py_DECREF(op);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &op), 0);
    suite_drop(ref, weak, dict);
}

START_TEST(another_base_may_have_what_this_one_lacks)
{
    PyObject *empty = CLASS("E", NULL, "()");
    PyObject *weak = CLASS("W", NULL, "(s)", "__weakref__");
    PyObject *both = CLASS("B", PyTuple_Pack(2, empty, weak), "(s)", "q");
    PyObject *op, *ref;

    ck_assert_ptr_nonnull(both);
    op = PyObject_CallNoArgs(both);
    ref = suite_require(PyWeakref_NewRef(op, NULL));
    Py_DECREF(ref);
    suite_refused(PyObject_GetAttrString(op, "__dict__"), PyExc_AttributeError,
                  NULL);
    suite_drop(op, both, weak, empty);
}

START_TEST(a_subclass_without_slots_has_everything)
{
    PyObject *base = CLASS("B", NULL, "(s)", "a");
    PyObject *cls = suite_class("s(O){}", "C", base);
    PyObject *op = PyObject_CallNoArgs(cls);

    ck_assert_int_eq(PyObject_SetAttrString(op, "a", Py_None), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "b", Py_None), 0);
    ck_assert_int_eq(basicsize(cls), basicsize(base));
    suite_drop(op, cls, base);
}

/* ------------------------------------------------------------------ */
/* Layout                                                              */

START_TEST(bases_with_slots_must_agree)
{
    PyObject *a = CLASS("A", NULL, "(s)", "a");
    PyObject *b = CLASS("B", NULL, "(s)", "b");
    PyObject *empty = CLASS("E", NULL, "()");
    PyObject *below = CLASS("D", PyTuple_Pack(1, a), "(s)", "d");
    PyObject *cls;

    suite_refused(CLASS("C", PyTuple_Pack(2, a, b), "()"), PyExc_TypeError,
                  "multiple bases have instance lay-out conflict");
    cls = suite_require(
        CLASS("C", PyTuple_Pack(3, empty, below, a), "(s)", "c"));
    ck_assert_ptr_eq(((PyTypeObject *)cls)->tp_base, below);
    ck_assert_int_eq(basicsize(cls),
                     sizeof(PyObject) + 3 * sizeof(PyObject *));
    suite_drop(cls, below, empty, b, a);
}

START_TEST(classes_with_the_same_slots_can_be_exchanged)
{
    PyObject *a = CLASS("A", NULL, "(ss)", "x", "y");
    PyObject *same = CLASS("S", NULL, "(ss)", "y", "x");
    PyObject *other = CLASS("O", NULL, "(ss)", "x", "z");
    PyObject *op = PyObject_CallNoArgs(a);

    ck_assert_int_eq(PyObject_SetAttrString(op, "x", Py_True), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "__class__", same), 0);
    ck_assert_ptr_eq(Py_TYPE(op), same);
    suite_new_repr(PyObject_GetAttrString(op, "x"), "True");
    suite_failed(PyObject_SetAttrString(op, "__class__", other),
                 PyExc_TypeError,
                 "__class__ assignment: 'O' object layout differs from 'S'");
    suite_drop(op, other, same, a);
}

/* ------------------------------------------------------------------ */
/* Collection                                                          */

START_TEST(classes_without_members_are_containers_too)
{
    PyObject *empty = CLASS("E", NULL, "()");
    PyObject *one = CLASS("C", NULL, "(s)", "a");
    PyObject *op = PyObject_CallNoArgs(empty);

    ck_assert(has_flag(empty, Py_TPFLAGS_HAVE_GC));
    ck_assert(has_flag(one, Py_TPFLAGS_HAVE_GC));
    ck_assert(PyObject_GC_IsTracked(op));
    suite_drop(op, one, empty);
}

START_TEST(cycles_through_slots_are_collected)
{
    PyObject *base = CLASS("B", NULL, "(s)", "a");
    PyObject *cls = CLASS("C", PyTuple_Pack(1, base), "(s)", "b");
    PyObject *first = PyObject_CallNoArgs(cls);
    PyObject *second = PyObject_CallNoArgs(cls);
    PyObject *list = PyList_New(0);

    PyGC_Collect();
    ck_assert_int_eq(PyObject_SetAttrString(first, "a", second), 0);
    ck_assert_int_eq(PyObject_SetAttrString(second, "b", first), 0);
    ck_assert_int_eq(PyObject_SetAttrString(second, "a", list), 0);
    ck_assert_int_eq(Py_REFCNT(list), 2);
    Py_DECREF(second);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(first);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(Py_REFCNT(list), 1);
    suite_drop(list, cls, base);
}

START_TEST(a_class_dies_with_its_slots)
{
    PyObject *cls, *op;

    PyGC_Collect();
    cls = CLASS("C", NULL, "(s)", "a");
    op = PyObject_CallNoArgs(cls);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "instance", op), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "a", cls), 0);
    suite_drop(op, cls);
    /* The class, its dictionary, bases and MRO, the descriptor, __slots__,
       the instance: as many as CPython 3.11 counts. */
    ck_assert_int_eq(PyGC_Collect(), 7);
}

static int
count_one(PyObject *Py_UNUSED(op), void *count)
{
    ++*(long *)count;
    return 1;
}

static long
tracked(void)
{
    long count = 0;

    PyGC_Collect();
    PyUnstable_GC_VisitObjects(count_one, &count);
    return count;
}

START_TEST(a_dead_class_leaves_nothing_behind)
{
    long before;

    Py_DECREF(CLASS("C", NULL, "(ss)", "a", "b"));
    before = tracked();
    Py_DECREF(CLASS("C", NULL, "(ss)", "a", "b"));
    ck_assert_int_eq(tracked(), before);
    suite_refused(CLASS("C", NULL, "(ss)", "a", "1"), PyExc_TypeError, NULL);
    ck_assert_int_eq(tracked(), before);
}
