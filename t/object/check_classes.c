/* check_classes.c: classes made at run time: what they tell their bases and
   attributes, how they find their subclasses, finalize their instances, and
   which watchers are told of their changes. */

#include "../support/node.h"
#include "../support/odd.h"
#include "../support/suite.h"

#include <pyboehm.h>

/* type(name, bases, dict), all stolen; bases and dict may be NULL: empty. */
static PyObject *
make(PyTypeObject *meta, const char *name, PyObject *bases, PyObject *dict)
{
    return PyObject_CallFunction((PyObject *)meta, "sNN", name,
                                 bases != NULL ? bases : PyTuple_New(0),
                                 dict != NULL ? dict : PyDict_New());
}

static PyObject *
make_class(const char *name, PyObject *base)
{
    return make(&PyType_Type, name,
                base != NULL ? PyTuple_Pack(1, base) : NULL, NULL);
}

/* A class with one attribute, whose reference is stolen. */
static PyObject *
class_with(const char *attribute, PyObject *value)
{
    ck_assert_ptr_nonnull(value);
    return make(&PyType_Type, "C", NULL,
                Py_BuildValue("{sN}", attribute, value));
}

static PyTypeObject *
as_type(PyObject *cls)
{
    return (PyTypeObject *)cls;
}

/* ------------------------------------------------------------------ */
/* Instances                                                           */

/* A class with the base (NULL: object) whose instances have no members. */
static PyObject *
bare_class(PyObject *base)
{
    return make(&PyType_Type, "Bare",
                base != NULL ? PyTuple_Pack(1, base) : NULL,
                Py_BuildValue("{s()}", "__slots__"));
}

/* Has the class hold an instance, and drops both; returns what a collection
   then finds. */
static Py_ssize_t
drop_with_instance(PyObject *cls)
{
    PyObject *op = PyObject_CallNoArgs(cls);
    PyObject *weak = PyWeakref_NewRef(cls, NULL), *alive;
    Py_ssize_t found;

    ck_assert_int_eq(PyObject_GC_IsTracked(op), 1);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "instance", op), 0);
    Py_DECREF(op);
    PyGC_Collect();
    Py_DECREF(cls);
    found = PyGC_Collect();
    ck_assert_int_eq(PyWeakref_GetRef(weak, &alive), 0);
    Py_DECREF(weak);
    return found;
}

START_TEST(instances_without_members_own_their_class)
{
    PyObject *cls = bare_class(NULL), *below;

    below = bare_class(cls);
    Py_DECREF(cls);
    ck_assert_int_gt(drop_with_instance(bare_class(NULL)), 1);
    ck_assert_int_gt(drop_with_instance(bare_class((PyObject *)&PyLong_Type)),
                     1);
    ck_assert_int_gt(drop_with_instance(below), 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* ------------------------------------------------------------------ */
/* __subclasses__                                                      */

START_TEST(subclasses_are_listed_while_they_live)
{
    PyObject *base = make_class("B", NULL);
    PyObject *first = make_class("F", base), *second = make_class("S", base);
    PyObject *below = make_class("G", first);
    Py_ssize_t count = Py_REFCNT(first);

    suite_new_repr(PyObject_CallMethod(base, "__subclasses__", NULL),
                   "[<class 'F'>, <class 'S'>]");
    ck_assert_int_eq(Py_REFCNT(first), count);
    suite_drop(below, first);
    PyGC_Collect();
    suite_new_repr(PyObject_CallMethod(base, "__subclasses__", NULL),
                   "[<class 'S'>]");
    Py_DECREF(second);
    PyGC_Collect();
    suite_new_repr(PyObject_CallMethod(base, "__subclasses__", NULL), "[]");
    Py_DECREF(base);
}

/* Classes of two bases come and go, in all orders; those that live are listed
   in the order of their creation. */
enum { KINDS = 300, ROUNDS = 5 };

static PyObject *many[ROUNDS * KINDS];

static void
assert_listed(PyObject *base, int n)
{
    PyObject *list = PyObject_CallMethod(base, "__subclasses__", NULL);
    Py_ssize_t at = 0;

    for (int i = 0; i < n; i++)
        if (many[i] != NULL)
            ck_assert_ptr_eq(PyList_GetItem(list, at++), many[i]);
    ck_assert_int_eq(PyList_GET_SIZE(list), at);
    Py_DECREF(list);
}

START_TEST(many_subclasses_come_and_go)
{
    PyObject *bases[2] = {make_class("B", NULL), make_class("C", NULL)};
    int n = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < KINDS; i++, n++)
            many[n] = suite_class("s(OO){}", "K", bases[0], bases[1]);
        assert_listed(bases[0], n);
        for (int i = 0; i < n; i++)
            if (many[i] != NULL && (i * 7 + round) % 3 != 0)
                Py_CLEAR(many[i]);
        PyGC_Collect();
        assert_listed(bases[0], n);
        assert_listed(bases[1], n);
    }
    for (int i = 0; i < n; i++)
        Py_CLEAR(many[i]);
    PyGC_Collect();
    assert_listed(bases[1], n);
    suite_drop(bases[0], bases[1]);
}

/* As weak references, the lists forget all classes that a collection has found
   dead before the first member is cleared. */
static PyObject *some_base;
static int n_listed = -1;

static void
count_listed(struct node *Py_UNUSED(self))
{
    PyObject *list = PyObject_CallMethod(some_base, "__subclasses__", NULL);

    n_listed = (int)PyList_GET_SIZE(list);
    node_log.on_dealloc = NULL;
    Py_DECREF(list);
}

static void
give_to(PyObject *list, PyObject *item)
{
    PyList_Append(list, item);
    Py_DECREF(item);
}

START_TEST(dead_classes_are_not_listed)
{
    PyObject *all = PyList_New(0);

    node_reset();
    node_log.on_dealloc = count_listed;
    some_base = make_class("B", NULL);
    for (int i = 0; i < KINDS; i++)
        give_to(all, (PyObject *)node_new(&node_type));
    give_to(all, make_class("C", some_base));
    for (int i = 0; i < KINDS; i++)
        give_to(all, (PyObject *)node_new(&node_type));
    PyList_Append(all, all);
    Py_DECREF(all);
    PyGC_Collect();
    ck_assert_int_eq(n_listed, 0);
    ck_assert_int_eq(node_log.freed, node_log.made);
    Py_DECREF(some_base);
}

START_TEST(static_types_know_their_subclasses)
{
    PyObject *cls;

    suite_new_repr(
        PyObject_CallMethod((PyObject *)&PyLong_Type, "__subclasses__", NULL),
        "[<class 'bool'>]");
    cls = make_class("Mine", (PyObject *)&PyLong_Type);
    suite_new_repr(
        PyObject_CallMethod((PyObject *)&PyLong_Type, "__subclasses__", NULL),
        "[<class 'bool'>, <class 'Mine'>]");
    Py_DECREF(cls);
    PyGC_Collect();
    suite_new_repr(
        PyObject_CallMethod((PyObject *)&PyLong_Type, "__subclasses__", NULL),
        "[<class 'bool'>]");
}

START_TEST(a_class_that_failed_is_nobody_s_subclass)
{
    PyObject *base = make_class("B", NULL);
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"t.X", 0, 0, Py_TPFLAGS_HAVE_GC, slots};

    PyGC_Collect();
    spec.flags |= Py_TPFLAGS_METHOD_DESCRIPTOR;
    suite_refused(PyType_FromSpecWithBases(&spec, base), PyExc_SystemError,
                  NULL);
    suite_new_repr(PyObject_CallMethod(base, "__subclasses__", NULL), "[]");
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(base);
}

START_TEST(many_subclasses_leave_in_any_order)
{
    PyObject *base = make_class("B", NULL), *subs[20];

    for (int i = 0; i < 20; i++)
        subs[i] = make_class("S", base);
    for (int i = 0; i < 20; i++) {
        Py_DECREF(subs[i * 7 % 20]);
        PyGC_Collect();
        PyObject *list = PyObject_CallMethod(base, "__subclasses__", NULL);
        ck_assert_int_eq(PyList_GET_SIZE(list), 19 - i);
        Py_DECREF(list);
    }
    Py_DECREF(base);
}

static PyObject *late[100];
static size_t n_late;

/* A callback of the collector: the class arg gets one more subclass. */
static void
inherit_late(const char *Py_UNUSED(phase),
             const PyBoehm_GC_Info *Py_UNUSED(info), void *arg)
{
    if (n_late < Py_ARRAY_LENGTH(late))
        late[n_late++] = make_class("L", arg);
}

START_TEST(subclasses_may_come_while_they_are_listed)
{
    const int often[PyBoehm_GC_GENERATIONS] = {1, 10, 10};
    PyObject *base = make_class("B", NULL), *none = make_class("N", base);
    PyObject *kept[10];
    size_t before = 0;

    Py_DECREF(none);
    PyGC_Collect();
    ck_assert_int_eq(PyBoehm_GC_AddCallback(inherit_late, base), 0);
    PyBoehm_GC_SetThreshold(often);
    for (int i = 0; i < 10; i++) {
        before = n_late;
        kept[i] = PyObject_CallMethod(base, "__subclasses__", NULL);
        ck_assert_int_ge(PyList_GET_SIZE(kept[i]), (Py_ssize_t)before);
        ck_assert_int_le(PyList_GET_SIZE(kept[i]), (Py_ssize_t)n_late);
        for (Py_ssize_t j = 0; j < PyList_GET_SIZE(kept[i]); j++)
            ck_assert_ptr_eq(PyList_GET_ITEM(kept[i], j), late[j]);
    }
    ck_assert_uint_gt(n_late, before);
    PyBoehm_GC_RemoveCallback(inherit_late, base);
    for (int i = 0; i < 10; i++)
        Py_DECREF(kept[i]);
    while (n_late > 0)
        Py_DECREF(late[--n_late]);
    Py_DECREF(base);
}

/* ------------------------------------------------------------------ */
/* __del__                                                             */

static long deleted;

static PyObject *
del(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    deleted++;
    Py_RETURN_NONE;
}

static PyObject *saved;

static PyObject *
del_saves(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    deleted++;
    saved = Py_NewRef(self);
    Py_RETURN_NONE;
}

static PyObject *
del_raises(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    deleted++;
    PyErr_SetString(PyExc_ValueError, "no one hears this");
    return NULL;
}

static PyMethodDef dels[] = {{"__del__", del, METH_NOARGS, NULL},
                             {"__del__", del_saves, METH_NOARGS, NULL},
                             {"__del__", del_raises, METH_NOARGS, NULL}};

static PyObject *
del_method(int i)
{
    return PyDescr_NewMethod(&PyBaseObject_Type, &dels[i]);
}

/* How often __del__ was called for one more instance of the class. */
static long
deletions(PyObject *cls)
{
    PyObject *op = suite_require(PyObject_CallNoArgs(cls));
    deleted = 0;
    Py_DECREF(op);
    return deleted;
}

START_TEST(a_method_del_finalizes)
{
    PyObject *cls = class_with("__del__", del_method(0));
    PyObject *below = make_class("D", cls);
    Py_ssize_t count = Py_REFCNT(cls);

    ck_assert_int_eq(deletions(cls), 1);
    ck_assert_int_eq(deletions(below), 1);
    ck_assert_int_eq(Py_REFCNT(cls), count);
    suite_drop(below, cls);
}

START_TEST(a_method_del_may_come_and_go)
{
    PyObject *cls = make_class("C", NULL), *below = make_class("D", cls);
    PyObject *method = del_method(0);

    ck_assert_int_eq(deletions(below), 0);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "__del__", method), 0);
    ck_assert_int_eq(deletions(cls), 1);
    ck_assert_int_eq(deletions(below), 1);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "__del__", NULL), 0);
    ck_assert_int_eq(deletions(below), 0);
    ck_assert_ptr_null(as_type(below)->tp_finalize);
    suite_drop(method, below, cls);
}

START_TEST(a_method_del_runs_once_and_may_resurrect)
{
    PyObject *cls = class_with("__del__", del_method(1));
    PyObject *op = PyObject_CallNoArgs(cls);

    ck_assert_int_eq(PyObject_SetAttrString(op, "self", op), 0);
    Py_DECREF(op);
    deleted = 0;
    PyGC_Collect();
    ck_assert_int_eq(deleted, 1);
    ck_assert_ptr_eq(saved, op);
    ck_assert_int_eq(PyObject_SetAttrString(op, "self", NULL), 0);
    Py_CLEAR(saved);
    ck_assert_int_eq(deleted, 1);
    ck_assert_ptr_null(saved);
    Py_DECREF(cls);
}

static long unraisable;

static PyObject *
hook(PyObject *Py_UNUSED(self), PyObject *args)
{
    PyObject *value = PyObject_GetAttrString(args, "exc_value");

    unraisable++;
    ck_assert_ptr_nonnull(value);
    ck_assert(Py_IS_TYPE(value, as_type(PyExc_ValueError)));
    Py_DECREF(value);
    Py_RETURN_NONE;
}

static PyMethodDef hook_def = {"hook", hook, METH_O, NULL};

START_TEST(errors_in_del_are_unraisable)
{
    PyObject *cls = class_with("__del__", del_method(2));
    PyObject *function = PyCFunction_New(&hook_def, NULL);
    PyObject *op = PyObject_CallNoArgs(cls);

    ck_assert_int_eq(PySys_SetObject("unraisablehook", function), 0);
    PyErr_SetString(PyExc_RuntimeError, "pending");
    Py_DECREF(op);
    suite_exception(PyExc_RuntimeError, "pending");
    ck_assert_int_eq(unraisable, 1);
    suite_drop(function, cls);
}

static long finalized;

static void
finalize(PyObject *Py_UNUSED(self))
{
    finalized++;
}

START_TEST(a_finalizer_in_c_goes_before_that_of_its_base)
{
    PyObject *base = class_with("__del__", del_method(0));
    PyType_Slot slots[] = {{Py_tp_finalize, (void *)finalize}, {0, NULL}};
    PyType_Spec spec = {"t.F", 0, 0, Py_TPFLAGS_BASETYPE, slots};
    PyObject *type = PyType_FromSpecWithBases(&spec, base);
    PyObject *below = make_class("D", type);
    PyObject *method = del_method(0);

    ck_assert_int_eq(deletions(type), 0);
    ck_assert_int_eq(finalized, 1);
    ck_assert_int_eq(deletions(below), 0);
    ck_assert_int_eq(finalized, 2);
    /* A new method in the base does not push it aside. */
    ck_assert_int_eq(PyObject_SetAttrString(base, "__del__", method), 0);
    ck_assert_int_eq(deletions(below), 0);
    ck_assert_int_eq(finalized, 3);
    ck_assert_int_eq(PyObject_SetAttrString(below, "__del__", method), 0);
    ck_assert_int_eq(deletions(below), 1);
    ck_assert_int_eq(finalized, 3);
    suite_drop(method, below, type, base);
}

/* ------------------------------------------------------------------ */
/* Hooks of class creation                                             */

static PyObject *called_with; /* a tuple (cls, keywords) */

static PyObject *
init_subclass(PyObject *cls, PyObject *args, PyObject *kwds)
{
    ck_assert_int_eq(PyTuple_GET_SIZE(args), 0);
    Py_XSETREF(called_with,
               PyTuple_Pack(2, cls, kwds != NULL ? kwds : Py_None));
    Py_RETURN_NONE;
}

static PyMethodDef init_subclass_def = {"__init_subclass__",
                                        _PyCFunction_CAST(init_subclass),
                                        METH_VARARGS | METH_KEYWORDS, NULL};

START_TEST(bases_are_told_of_subclasses)
{
    PyObject *base = class_with(
        "__init_subclass__",
        PyDescr_NewClassMethod(&PyBaseObject_Type, &init_subclass_def));
    PyObject *kwds = Py_BuildValue("{si}", "k", 1);
    PyObject *args = Py_BuildValue("s(O){}", "D", base);
    PyObject *cls;

    ck_assert_ptr_null(called_with);
    cls = suite_require(PyObject_Call((PyObject *)&PyType_Type, args, kwds));
    suite_repr(called_with, "(<class 'D'>, {'k': 1})");
    Py_CLEAR(called_with);
    Py_SETREF(cls, make_class("E", base));
    suite_repr(called_with, "(<class 'E'>, None)");
    Py_CLEAR(called_with);
    suite_drop(cls, args, kwds, base);
}

static PyObject *
set_name(PyObject *self, PyObject *args)
{
    PyObject *owner, *name;

    if (!PyArg_ParseTuple(args, "OU:__set_name__", &owner, &name))
        return NULL;
    if (PyUnicode_EqualToUTF8(name, "bad")) {
        PyErr_SetString(PyExc_ValueError, "not this name");
        return NULL;
    }
    if (PyObject_SetAttrString(self, "owner", owner) < 0 ||
        PyObject_SetAttrString(self, "name", name) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef set_name_def = {"__set_name__", set_name, METH_VARARGS,
                                   NULL};

START_TEST(attributes_are_told_their_names)
{
    PyObject *named = class_with(
        "__set_name__", PyDescr_NewMethod(&PyBaseObject_Type, &set_name_def));
    PyObject *value = PyObject_CallNoArgs(named), *cls, *error, *notes;

    cls = suite_require(class_with("here", Py_NewRef(value)));
    suite_new_text(PyObject_GetAttrString(value, "name"), "here");
    suite_new_repr(PyObject_GetAttrString(value, "owner"), "<class 'C'>");
    Py_DECREF(cls);
    ck_assert_int_eq(PyObject_SetAttrString(value, "owner", NULL), 0);

    ck_assert_ptr_null(class_with("bad", Py_NewRef(value)));
    error = PyErr_GetRaisedException();
    ck_assert(Py_IS_TYPE(error, as_type(PyExc_ValueError)));
    notes = PyObject_GetAttrString(error, "__notes__");
    suite_new_repr(notes,
                   "[\"Error calling __set_name__ on 'C' instance 'bad' in "
                   "'C'\"]");
    Py_DECREF(error);
    PyGC_Collect();
    suite_drop(value, named);
}

static PyObject *order; /* what mro returns */

static PyObject *
mro(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *list = PySequence_List(order);

    if (list != NULL && PyList_Insert(list, 0, self) < 0)
        Py_CLEAR(list);
    return list;
}

static PyMethodDef mro_def = {"mro", mro, METH_NOARGS, NULL};

START_TEST(a_metatype_may_order_the_bases)
{
    PyObject *meta =
        make(&PyType_Type, "Meta", PyTuple_Pack(1, &PyType_Type),
             Py_BuildValue("{sN}", "mro",
                           PyDescr_NewMethod(&PyType_Type, &mro_def)));
    PyObject *other = class_with("x", PyLong_FromLong(5));
    PyObject *cls;

    order = PyTuple_Pack(2, other, &PyBaseObject_Type);
    cls = suite_require(make(as_type(meta), "C", NULL, NULL));
    suite_new_int(PyObject_GetAttrString(cls, "x"), 5);
    /* No change of the other class is told to this one. */
    PyObject *six = PyLong_FromLong(6);
    ck_assert_int_eq(PyObject_SetAttrString(other, "x", six), 0);
    suite_new_int(PyObject_GetAttrString(cls, "x"), 6);
    Py_DECREF(six);
    suite_new_repr(PyObject_GetAttrString(cls, "__mro__"),
                   "(<class 'C'>, <class 'C'>, <class 'object'>)");
    Py_DECREF(cls);
    Py_SETREF(order, PyTuple_Pack(1, Py_None));
    suite_refused(make(as_type(meta), "C", NULL, NULL), PyExc_TypeError,
                  "mro() returned a non-class ('NoneType')");
    Py_SETREF(order, PyTuple_Pack(1, &PyList_Type));
    suite_refused(make(as_type(meta), "C", NULL, NULL), PyExc_TypeError,
                  "mro() returned base with unsuitable layout ('list')");
    Py_CLEAR(order);
    suite_new_repr(PyObject_CallMethod((PyObject *)&PyType_Type, "mro", "O",
                                       &PyBool_Type),
                   "[<class 'bool'>, <class 'int'>, <class 'object'>]");
    suite_drop(other, meta);
}

/* ------------------------------------------------------------------ */
/* Changes                                                             */

static int
valid(PyObject *cls)
{
    return PyType_HasFeature(as_type(cls), Py_TPFLAGS_VALID_VERSION_TAG);
}

START_TEST(a_change_takes_the_tags_of_all_below)
{
    PyObject *base = make_class("B", NULL);
    PyObject *cls = make_class("C", base), *below = make_class("D", cls);
    unsigned tag;

    ck_assert_int_eq(PyUnstable_Type_AssignVersionTag(as_type(below)), 1);
    ck_assert(valid(below) && valid(cls) && valid(base));
    tag = as_type(below)->tp_version_tag;
    ck_assert_uint_ne(tag, 0);
    ck_assert_int_eq(PyUnstable_Type_AssignVersionTag(as_type(below)), 1);
    ck_assert_uint_eq(as_type(below)->tp_version_tag, tag);
    ck_assert_uint_eq(PyType_ClearCache(), tag);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", Py_None), 0);
    ck_assert(valid(base) && !valid(cls) && !valid(below));
    ck_assert_int_eq(PyUnstable_Type_AssignVersionTag(as_type(below)), 1);
    ck_assert_uint_gt(as_type(below)->tp_version_tag, tag);
    PyType_Modified(as_type(base));
    ck_assert(!valid(base) && !valid(cls) && !valid(below));
    suite_drop(below, cls, base);
}

static void
check_x(PyObject *op, long expected)
{
    PyObject *value;

    ck_assert_int_eq(PyObject_GetOptionalAttrString(op, "x", &value),
                     expected >= 0);
    if (expected >= 0)
        suite_new_int(value, expected);
}

static void
set_x(PyObject *cls, long value)
{
    PyObject *number = PyLong_FromLong(value);

    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", number), 0);
    Py_DECREF(number);
}

/* Each lookup is made twice, for the second may be answered by what the first
   has found. */
static void
check_twice(PyObject *op, long expected)
{
    check_x(op, expected);
    check_x(op, expected);
}

START_TEST(a_change_is_seen_by_all_below)
{
    PyObject *base = make_class("B", NULL);
    PyObject *cls = make_class("C", base), *below = make_class("D", cls);
    PyObject *op = PyObject_CallNoArgs(below);

    check_twice(op, -1);
    set_x(base, 1);
    check_twice(op, 1);
    check_twice(below, 1);
    set_x(cls, 2);
    check_twice(op, 2);
    set_x(base, 3);
    check_twice(op, 2);
    check_twice(base, 3);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", NULL), 0);
    check_twice(op, 3);
    ck_assert_int_eq(PyObject_SetAttrString(base, "x", NULL), 0);
    check_twice(op, -1);
    PyType_ClearCache();
    check_twice(op, -1);
    suite_drop(op, below, cls, base);
}

/* More changes than a class has tags. */
START_TEST(many_changes_are_seen)
{
    PyObject *cls = make_class("C", NULL), *op = PyObject_CallNoArgs(cls);

    for (long i = 0; i < 1100; i++) {
        set_x(cls, i);
        check_twice(op, i);
    }
    suite_drop(op, cls);
}

static PyObject *looked_at;

static void
look(void)
{
    PyObject *value;

    ck_assert_int_ge(PyObject_GetOptionalAttrString(looked_at, "x", &value),
                     0);
    ck_assert(value == NULL || Py_REFCNT(value) > 1);
    Py_XDECREF(value);
}

/* What was there is released by the change, and looks for the attribute. */
START_TEST(a_value_that_goes_finds_the_next_one)
{
    PyObject *cls = make_class("C", NULL);
    PyObject *value = odd(1), *next = odd(2);

    looked_at = PyObject_CallNoArgs(cls);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", value), 0);
    look();
    Py_DECREF(value);
    dealloc_hook = look;
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", next), 0);
    look();
    Py_DECREF(next);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", NULL), 0);
    dealloc_hook = NULL;
    check_twice(looked_at, -1);
    suite_drop(looked_at, cls);
}

static PyObject *highest;

static void
look_and_change(void)
{
    check_twice(looked_at, 1);
    set_x(highest, 2);
    check_twice(looked_at, 2);
}

/* As in a collection: what its dictionary had is released when the class in
   between is not among the subclasses any more. */
START_TEST(a_cleared_class_between_hides_no_change)
{
    PyObject *between, *below, *value = odd(1);

    highest = make_class("A", NULL);
    between = make_class("B", highest);
    below = make_class("C", between);
    looked_at = PyObject_CallNoArgs(below);
    set_x(highest, 1);
    ck_assert_int_eq(PyObject_SetAttrString(between, "y", value), 0);
    Py_DECREF(value);
    dealloc_hook = look_and_change;
    Py_TYPE(between)->tp_clear(between);
    dealloc_hook = NULL;
    set_x(highest, 3);
    check_twice(looked_at, 3);
    suite_drop(looked_at, below, between, highest);
}

static PyTypeObject static_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Static",
    .tp_basicsize = sizeof(PyObject),
};

/* A module fills its static type in each life. */
START_TEST(the_next_life_looks_anew)
{
    for (long i = 1; i <= 3; i++) {
        PyObject *number = PyLong_FromLong(1000 * i);

        ck_assert_int_eq(PyType_Ready(&static_type), 0);
        ck_assert_int_eq(
            PyDict_SetItemString(static_type.tp_dict, "x", number), 0);
        Py_DECREF(number);
        check_twice((PyObject *)&static_type, 1000 * i);
        Py_Finalize();
        Py_Initialize();
    }
}

static void
change_in_secret(void)
{
    PyObject *cls = make_class("C", NULL), *op = PyObject_CallNoArgs(cls);
    PyObject *dict = PyType_GetDict(as_type(cls));

    set_x(cls, 1);
    check_x(op, 1);
    PyDict_SetItemString(dict, "x", Py_None);
    check_x(op, 1);
}

START_TEST(with_checks_a_change_that_is_not_told_is_fatal)
{
    suite_with_checks();
    SUITE_FATAL(change_in_secret(), "PyType_Modified: type C: was not called",
                "of 'x'");
}

static PyTypeObject *changed;
static long changes;

static int
watch(PyTypeObject *type)
{
    changed = type;
    changes++;
    return 0;
}

static int
watch_badly(PyTypeObject *Py_UNUSED(type))
{
    PyErr_SetString(PyExc_ValueError, "not well");
    return -1;
}

START_TEST(watchers_hear_of_changes)
{
    PyObject *base = make_class("B", NULL), *cls = make_class("C", base);
    int id = PyType_AddWatcher(watch);

    ck_assert_int_ge(id, 0);
    ck_assert_int_eq(PyType_Watch(id, cls), 0);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", Py_None), 0);
    ck_assert_ptr_eq(changed, cls);
    ck_assert_int_eq(changes, 1);
    ck_assert_int_eq(PyObject_SetAttrString(base, "y", Py_None), 0);
    ck_assert_int_eq(changes, 2);
    ck_assert_int_eq(PyType_Unwatch(id, cls), 0);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", Py_None), 0);
    ck_assert_int_eq(changes, 2);
    ck_assert_int_eq(PyType_ClearWatcher(id), 0);
    suite_failed(PyType_ClearWatcher(id), PyExc_ValueError,
                 "No type watcher set for ID 0");
    suite_failed(PyType_Watch(8, cls), PyExc_ValueError,
                 "Invalid type watcher ID 8");
    suite_failed(PyType_Watch(id, Py_None), PyExc_ValueError,
                 "Cannot watch non-type");
    suite_drop(cls, base);
}

START_TEST(a_watcher_hears_once_of_a_change)
{
    PyObject *top = make_class("T", NULL);
    PyObject *left = make_class("L", top), *right = make_class("R", top);
    PyObject *cls =
        make(&PyType_Type, "C", PyTuple_Pack(2, left, right), NULL);
    int id = PyType_AddWatcher(watch);

    ck_assert_int_eq(PyType_Watch(id, cls), 0);
    PyType_Modified(as_type(top));
    ck_assert_ptr_eq(changed, cls);
    ck_assert_int_eq(changes, 1);
    ck_assert_int_eq(PyType_ClearWatcher(id), 0);
    suite_drop(cls, right, left, top);
}

START_TEST(a_watcher_s_error_is_unraisable)
{
    PyObject *cls = make_class("C", NULL);
    PyObject *function = PyCFunction_New(&hook_def, NULL);
    int id = PyType_AddWatcher(watch_badly);

    ck_assert_int_eq(PySys_SetObject("unraisablehook", function), 0);
    ck_assert_int_eq(PyType_Watch(id, cls), 0);
    PyType_Modified(as_type(cls));
    ck_assert_int_eq(unraisable, 1);
    ck_assert_int_eq(PyType_ClearWatcher(id), 0);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(PyType_AddWatcher(watch), i);
    suite_failed(PyType_AddWatcher(watch), PyExc_RuntimeError,
                 "no more type watcher IDs available");
    suite_drop(function, cls);
}

START_TEST(a_frozen_type_changes_no_more)
{
    PyObject *cls = make_class("C", NULL), *below = make_class("D", cls);

    suite_failed(PyType_Freeze(as_type(below)), PyExc_TypeError,
                 "Creating immutable type D from mutable base C");
    ck_assert_int_eq(PyObject_SetAttrString(below, "x", Py_None), 0);
    ck_assert_int_eq(PyType_Freeze(as_type(cls)), 0);
    suite_failed(PyObject_SetAttrString(cls, "x", Py_None), PyExc_TypeError,
                 "cannot set 'x' attribute of immutable type 'C'");
    ck_assert_int_eq(PyType_Freeze(as_type(below)), 0);
    ck_assert_int_eq(PyType_Freeze(&PyLong_Type), 0);
    suite_drop(below, cls);
}

/* ------------------------------------------------------------------ */
/* super                                                               */

START_TEST(super_looks_behind_a_class)
{
    PyObject *super = (PyObject *)&PySuper_Type;
    PyObject *base = class_with("x", PyLong_FromLong(1));
    PyObject *cls = make_class("D", base), *value = PyLong_FromLong(2);
    PyObject *op, *proxy;
    Py_ssize_t count;

    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", value), 0);
    op = PyObject_CallNoArgs(cls);
    count = Py_REFCNT(cls);
    proxy = suite_require(PyObject_CallFunctionObjArgs(super, cls, op, NULL));
    suite_new_int(PyObject_GetAttrString(op, "x"), 2);
    suite_new_int(PyObject_GetAttrString(proxy, "x"), 1);
    suite_repr(proxy, "<super: <class 'D'>, <D object>>");
    suite_refused(PyObject_GetAttrString(proxy, "y"), PyExc_AttributeError,
                  "'super' object has no attribute 'y'");
    Py_DECREF(proxy);
    ck_assert_int_eq(Py_REFCNT(cls), count);
    proxy = PyObject_CallFunctionObjArgs(super, cls, cls, NULL);
    suite_new_int(PyObject_GetAttrString(proxy, "x"), 1);
    Py_SETREF(proxy, PyObject_CallOneArg(super, cls));
    suite_new_repr(proxy, "<super: <class 'D'>, NULL>");
    suite_refused(PyObject_CallFunctionObjArgs(super, cls, value, NULL),
                  PyExc_TypeError,
                  "super(type, obj): obj (instance of int) is not an instance "
                  "or subtype of type (D).");
    suite_refused(PyObject_CallNoArgs(super), PyExc_RuntimeError,
                  "super(): no current frame");
    suite_refused(PyObject_CallOneArg(super, value), PyExc_TypeError,
                  "super() argument 1 must be a type, not int");
    suite_refused(PyObject_CallFunctionObjArgs(super, cls, op, value, NULL),
                  PyExc_TypeError,
                  "super() expected at most 2 arguments, got 3");
    suite_drop(op, value, cls, base);
}

START_TEST(super_is_collected)
{
    PyObject *cls = make_class("C", NULL), *op = PyObject_CallNoArgs(cls);
    PyObject *proxy =
        PyObject_CallFunctionObjArgs((PyObject *)&PySuper_Type, cls, op, NULL);

    PyGC_Collect();
    ck_assert_int_eq(PyObject_SetAttrString(op, "up", proxy), 0);
    suite_drop(proxy, op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(cls);
}
