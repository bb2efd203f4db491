/* check_binding.c: what binds functions to objects: super, properties, bound
   methods, classmethod and staticmethod; and what object itself defines. */

#include "../support/suite.h"

/* A function of the classes below: the repr of its arguments. */
static PyObject *
show(PyObject *Py_UNUSED(self), PyObject *args)
{
    return PyObject_Repr(args);
}

static PyMethodDef show_def = {"show", show, METH_VARARGS, "The doc."};

static PyObject *
show_function(void)
{
    return suite_require(PyCFunction_New(&show_def, NULL));
}

/* A class; its dictionary is given away. */
static PyObject *
new_class(const char *name, PyObject *base, PyObject *dict)
{
    return suite_class("s(O)N", name, base, dict);
}

static PyObject *
plain_class(const char *name)
{
    return new_class(name, (PyObject *)&PyBaseObject_Type, PyDict_New());
}

/* ------------------------------------------------------------------ */
/* super                                                               */

static PyObject *
call2(void *callable, PyObject *a, PyObject *b)
{
    return PyObject_CallFunctionObjArgs(callable, a, b, NULL);
}

START_TEST(super_goes_on_from_a_class)
{
    PyObject *object = (PyObject *)&PyBaseObject_Type;
    PyObject *a = new_class("A", object, Py_BuildValue("{si}", "x", 1));
    PyObject *b = new_class("B", a, Py_BuildValue("{si}", "x", 2));
    PyObject *c = new_class("C", b, Py_BuildValue("{si}", "x", 3));
    PyObject *op = PyObject_CallNoArgs(c);

    PyObject *proxy = call2(&PySuper_Type, c, op);
    suite_new_int(PyObject_GetAttrString(proxy, "x"), 2);
    Py_SETREF(proxy, call2(&PySuper_Type, b, op)); /* not at the beginning */
    suite_new_int(PyObject_GetAttrString(proxy, "x"), 1);
    PyObject *type = PyObject_GetAttrString(proxy, "__class__");
    ck_assert_ptr_eq(type, (PyObject *)&PySuper_Type);
    suite_drop(type, proxy);
    proxy = call2(&PySuper_Type, a, op);
    suite_refused(PyObject_GetAttrString(proxy, "x"), PyExc_AttributeError,
                  "'super' object has no attribute 'x'");
    suite_drop(proxy, op, a, b, c);
}

START_TEST(super_without_an_object)
{
    PyObject *object = (PyObject *)&PyBaseObject_Type;
    PyObject *a = new_class("A", object, Py_BuildValue("{si}", "x", 1));
    PyObject *b = new_class("B", a, PyDict_New());
    PyObject *op = PyObject_CallNoArgs(b);
    PyObject *loose = call2(&PySuper_Type, b, Py_None);

    suite_repr(loose, "<super: <class 'B'>, NULL>");
    suite_refused(PyObject_GetAttrString(loose, "x"), PyExc_AttributeError,
                  "'super' object has no attribute 'x'");
    descrgetfunc bind = PySuper_Type.tp_descr_get;
    PyObject *same = bind(loose, NULL, b);
    ck_assert_ptr_eq(same, loose);
    Py_DECREF(same);
    PyObject *bound = bind(loose, op, b);
    suite_repr(bound, "<super: <class 'B'>, <B object>>");
    suite_new_int(PyObject_GetAttrString(bound, "x"), 1);
    same = bind(bound, op, b); /* is bound for good */
    ck_assert_ptr_eq(same, bound);
    Py_DECREF(same);
    suite_refused(bind(loose, loose, NULL), PyExc_TypeError, NULL);
    suite_drop(bound, loose, op, a, b);
}

static PyObject *reinitialized; /* a super */

/* A callback of a weak reference. */
static PyObject *
look_at_super(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ref))
{
    suite_repr(reinitialized, "<super: <class 'B'>, <B object>>");
    return Py_NewRef(Py_None);
}

static PyMethodDef look_def = {"look", look_at_super, METH_O, NULL};

/* What it was bound to is released last: that may run code that uses it. */
START_TEST(super_may_be_initialized_again)
{
    PyObject *a = plain_class("A"), *b = plain_class("B");
    PyObject *old = suite_require(PyObject_CallNoArgs(a));
    PyObject *op = suite_require(PyObject_CallNoArgs(b));
    PyObject *look = PyCFunction_New(&look_def, NULL);
    PyObject *of_type = PyWeakref_NewRef(a, look);
    PyObject *of_old = PyWeakref_NewRef(old, look);

    reinitialized = call2(&PySuper_Type, a, old);
    suite_drop(look, old, a);
    PyObject *args = suite_require(PyTuple_Pack(2, b, op));
    ck_assert_int_eq(
        Py_TYPE(reinitialized)->tp_init(reinitialized, args, NULL), 0);
    ck_assert_ptr_eq(PyWeakref_GetObject(of_old), Py_None);
    suite_drop(args, of_old, of_type, reinitialized, op, b);
}

static PyObject *claimed; /* what the property below returns */

static PyObject *
claim(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(op))
{
    return Py_XNewRef(claimed);
}

static PyMethodDef claim_def = {"claim", claim, METH_O, NULL};

/* An object of another class may claim to be of one. */
START_TEST(super_believes_what_an_object_claims)
{
    PyObject *object = (PyObject *)&PyBaseObject_Type;
    PyObject *a = new_class("A", object, Py_BuildValue("{si}", "x", 1));
    PyObject *b = new_class("B", a, PyDict_New());
    PyObject *property = PyObject_CallFunction(
        (PyObject *)&PyProperty_Type, "N", PyCFunction_New(&claim_def, NULL));
    PyObject *liar = new_class("Liar", object,
                               Py_BuildValue("{sN}", "__class__", property));
    PyObject *op = PyObject_CallNoArgs(liar);

    claimed = b;
    PyObject *proxy = call2(&PySuper_Type, b, op);
    suite_new_int(PyObject_GetAttrString(proxy, "x"), 1);
    Py_DECREF(proxy);
    claimed = liar;
    suite_refused(call2(&PySuper_Type, b, op), PyExc_TypeError, NULL);
    suite_drop(op, liar, a, b);
}

/* ------------------------------------------------------------------ */
/* Properties                                                          */

START_TEST(properties_are_copied_with_another_function)
{
    PyObject *empty = PyObject_CallNoArgs((PyObject *)&PyProperty_Type);
    PyObject *function = show_function(), *prop, *op;

    op = PyObject_CallMethod(empty, "getter", "O", function);
    prop = PyObject_CallMethod(op, "deleter", "O", function);
    Py_DECREF(op);
    PyObject *type = new_class("T", (PyObject *)&PyBaseObject_Type,
                               Py_BuildValue("{sNsO}", "p", prop, "q", empty));
    op = PyObject_CallNoArgs(type);
    PyObject *text = PyObject_GetAttrString(op, "p"); /* "(<T object ...>,)" */
    ck_assert_int_eq(strncmp(PyUnicode_AsUTF8(text), "(<T object", 10), 0);
    Py_DECREF(text);
    ck_assert_int_eq(PyObject_DelAttrString(op, "p"), 0);
    suite_failed(PyObject_SetAttrString(op, "p", Py_None),
                 PyExc_AttributeError,
                 "property 'p' of 'T' object has no setter");
    suite_refused(PyObject_GetAttrString(op, "q"), PyExc_AttributeError,
                  "property 'q' of 'T' object has no getter");
    suite_failed(PyObject_DelAttrString(op, "q"), PyExc_AttributeError,
                 "property 'q' of 'T' object has no deleter");
    suite_drop(op, type);

    prop = PyObject_CallMethod(empty, "setter", "O", function);
    suite_new_same(PyObject_GetAttrString(prop, "fset"), function);
    suite_new_repr(PyObject_GetAttrString(prop, "fget"), "None");
    suite_drop(prop, empty, function);
}

/* Since 3.13. */
START_TEST(names_of_properties)
{
    PyObject *function = show_function();
    PyObject *prop = PyObject_CallNoArgs((PyObject *)&PyProperty_Type);
    PyObject *name = PyUnicode_FromString("other");

    suite_refused(PyObject_GetAttrString(prop, "__name__"),
                  PyExc_AttributeError,
                  "'property' object has no attribute '__name__'");
    PyObject *named = PyObject_CallMethod(prop, "getter", "O", function);
    suite_new_text(PyObject_GetAttrString(named, "__name__"), "show");
    ck_assert_int_eq(PyObject_SetAttrString(named, "__name__", name), 0);
    suite_new_text(PyObject_GetAttrString(named, "__name__"), "other");
    suite_new_repr(
        PyObject_CallMethod(named, "__set_name__", "Os", Py_None, "third"),
        "None");
    suite_new_text(PyObject_GetAttrString(named, "__name__"), "third");
    suite_refused(PyObject_CallMethod(named, "__set_name__", "s", "x"),
                  PyExc_TypeError, NULL);
    suite_drop(name, named, prop, function);
}

/* ------------------------------------------------------------------ */
/* Bound methods                                                       */

START_TEST(methods_put_their_object_first)
{
    PyObject *function = show_function();
    PyObject *args = Py_BuildValue("(ii)", 1, 2);
    PyObject *method = PyMethod_New(function, args);

    suite_new_text(PyObject_CallFunction(method, "i", 3), "((1, 2), 3)");
    suite_new_text(PyObject_CallNoArgs(method), "((1, 2),)");
    suite_new_text(
        PyObject_CallFunction(method, "iiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9),
        "((1, 2), 1, 2, 3, 4, 5, 6, 7, 8, 9)");
    PyObject *kwargs = Py_BuildValue("{si}", "key", 1);
    suite_refused(PyObject_Call(method, args, kwargs), PyExc_TypeError,
                  "show() takes no keyword arguments");
    Py_DECREF(kwargs);
    suite_new_repr(method, "<bound method show of (1, 2)>");
    suite_drop(args, function);
}

START_TEST(methods_are_equal_by_function_and_object)
{
    PyObject *function = show_function(), *other = PyList_New(0);
    PyObject *list = PyList_New(0); /* equal, and another */
    PyObject *m = PyMethod_New(function, list);
    PyObject *same = PyMethod_New(function, list);
    PyObject *differs = PyMethod_New(function, other);
    PyObject *unlike = PyMethod_New((PyObject *)&PyList_Type, list);

    ck_assert_int_eq(PyObject_RichCompareBool(m, same, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(m, differs, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(m, differs, Py_NE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(m, unlike, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(m, Py_None, Py_EQ), 0);
    suite_refused(
        PyObject_RichCompare(m, same, Py_LT), PyExc_TypeError,
        "'<' not supported between instances of 'method' and 'method'");
    ck_assert(PyObject_Hash(m) == PyObject_Hash(same));
    ck_assert(PyObject_Hash(m) != -1);
    Py_SETREF(unlike, PyMethod_New(list, list)); /* not hashable */
    suite_failed(PyObject_Hash(unlike), PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_drop(m, same, differs, unlike, function, list, other);
}

START_TEST(methods_are_bound_for_good)
{
    PyObject *function = show_function(), *list = PyList_New(0);
    PyObject *type = (PyObject *)&PyMethod_Type;
    PyObject *m = call2(type, function, list);

    ck_assert(PyMethod_Check(m));
    PyObject *holder = new_class("T", (PyObject *)&PyBaseObject_Type,
                                 Py_BuildValue("{sO}", "m", m));
    PyObject *op = PyObject_CallNoArgs(holder);
    PyObject *same = PyObject_GetAttrString(op, "m");
    ck_assert_ptr_eq(same, m);
    suite_drop(same, op, holder);
    PyGC_Collect(); /* the class is in cycles */
    suite_new_text(PyObject_GetAttrString(m, "__name__"), "show");
    suite_new_text(PyObject_GetAttrString(m, "__doc__"), "The doc.");
    PyObject *ref = PyWeakref_NewRef(m, NULL);
    Py_DECREF(m);
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
    Py_DECREF(ref);
    suite_refused(call2(type, list, list), PyExc_TypeError,
                  "first argument must be callable");
    suite_refused(call2(type, function, Py_None), PyExc_TypeError, NULL);
    suite_refused(PyObject_CallOneArg(type, function), PyExc_TypeError, NULL);
    suite_drop(function, list);
}

/* ------------------------------------------------------------------ */
/* classmethod and staticmethod                                        */

START_TEST(wrappers)
{
    PyObject *function = show_function();
    PyObject *c =
        PyObject_CallOneArg((PyObject *)&PyClassMethod_Type, function);
    PyObject *s =
        PyObject_CallOneArg((PyObject *)&PyStaticMethod_Type, function);

    suite_new_text(PyObject_GetAttrString(c, "__name__"), "show");
    suite_new_text(PyObject_GetAttrString(s, "__doc__"), "The doc.");
    PyObject *inner = PyObject_GetAttrString(c, "__func__");
    ck_assert_ptr_eq(inner, function);
    Py_SETREF(inner, PyObject_GetAttrString(s, "__wrapped__"));
    ck_assert_ptr_eq(inner, function);
    Py_DECREF(inner);
    PyObject *type = new_class("T", (PyObject *)&PyBaseObject_Type,
                               Py_BuildValue("{sNsN}", "c", c, "s", s));
    PyObject *op = PyObject_CallNoArgs(type);
    suite_new_text(PyObject_CallMethod(op, "c", "i", 1), "(<class 'T'>, 1)");
    suite_new_text(PyObject_CallMethod(type, "c", "i", 1), "(<class 'T'>, 1)");
    suite_new_text(PyObject_CallMethod(op, "s", "i", 1), "(1,)");
    suite_new_text(PyObject_CallMethod(type, "s", "i", 1), "(1,)");
    suite_drop(op, type);
    suite_refused(PyObject_CallNoArgs((PyObject *)&PyClassMethod_Type),
                  PyExc_TypeError, "classmethod expected 1 argument, got 0");
    Py_DECREF(function);
}

START_TEST(wrappers_without_a_function)
{
    PyObject *none = PyTuple_New(0);
    PyObject *c = PyClassMethod_Type.tp_new(&PyClassMethod_Type, none, NULL);
    PyObject *s = PyStaticMethod_Type.tp_new(&PyStaticMethod_Type, none, NULL);

    suite_refused(PyClassMethod_Type.tp_descr_get(c, none, NULL),
                  PyExc_RuntimeError, "uninitialized classmethod object");
    suite_refused(PyStaticMethod_Type.tp_descr_get(s, none, NULL),
                  PyExc_RuntimeError, "uninitialized staticmethod object");
    suite_drop(c, s, none);
}

/* ------------------------------------------------------------------ */
/* object                                                              */

START_TEST(arguments_of_object)
{
    PyObject *object = (PyObject *)&PyBaseObject_Type;
    PyObject *type = plain_class("T"), *args = Py_BuildValue("(i)", 1);

    suite_refused(PyObject_CallOneArg(object, Py_None), PyExc_TypeError,
                  "object() takes no arguments");
    suite_refused(PyObject_CallOneArg(type, Py_None), PyExc_TypeError,
                  "T() takes no arguments");
    PyObject *op = PyObject_CallNoArgs(type);
    suite_failed(PyBaseObject_Type.tp_init(op, args, NULL), PyExc_TypeError,
                 "T.__init__() takes exactly one argument (the instance to "
                 "initialize)");
    suite_refused(PyBaseObject_Type.tp_new(&PyList_Type, args, NULL),
                  PyExc_TypeError,
                  "object.__new__() takes exactly one argument (the type to "
                  "instantiate)");
    PyObject *list = PyList_New(0);
    suite_failed(PyBaseObject_Type.tp_init(list, args, NULL), PyExc_TypeError,
                 "object.__init__() takes exactly one argument (the instance "
                 "to initialize)");
    suite_drop(list, op, args, type);
}

static PyObject *verdict; /* of the comparison below */

static PyObject *
judge(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b), int op)
{
    if (op == Py_NE)
        return PyBaseObject_Type.tp_richcompare(Py_None, Py_None, op);
    return Py_XNewRef(verdict);
}

static PyTypeObject Judge_Type = {SUITE_TYPE("Judge"),
                                  .tp_richcompare = judge};

/* object's "not equal" asks the type's "equal". */
START_TEST(comparisons_of_object)
{
    richcmpfunc compare = PyBaseObject_Type.tp_richcompare;
    ck_assert_int_eq(PyType_Ready(&Judge_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Judge_Type);
    PyObject *list = PyList_New(0);

    suite_new_repr(compare(op, op, Py_EQ), "True");
    suite_new_repr(compare(op, list, Py_EQ), "NotImplemented");
    suite_new_repr(compare(op, list, Py_LT), "NotImplemented");
    verdict = list; /* false */
    suite_new_repr(compare(op, list, Py_NE), "True");
    verdict = Py_True;
    suite_new_repr(compare(op, list, Py_NE), "False");
    verdict = Py_NotImplemented;
    suite_new_repr(compare(op, list, Py_NE), "NotImplemented");
    verdict = NULL;
    PyErr_SetString(PyExc_KeyError, "x");
    suite_refused(compare(op, list, Py_NE), PyExc_KeyError, NULL);
    suite_drop(op, list);
}

START_TEST(hooks_of_object)
{
    PyObject *type = plain_class("T");

    suite_new_repr(PyObject_CallMethod(type, "__subclasshook__", "O", Py_None),
                   "NotImplemented");
    suite_new_repr(PyObject_CallMethod(type, "__init_subclass__", NULL),
                   "None");
    suite_refused(PyObject_CallMethod(type, "__init_subclass__", "i", 1),
                  PyExc_TypeError, NULL);
    PyObject *op = PyObject_CallNoArgs(type);
    suite_new_repr(PyObject_GetAttrString(op, "__weakref__"), "None");
    PyObject *ref = PyWeakref_NewRef(op, NULL);
    PyObject *found = PyObject_GetAttrString(op, "__weakref__");
    ck_assert_ptr_eq(found, ref);
    suite_drop(found, ref, op, type);
}

/* ------------------------------------------------------------------ */
/* Attributes of classes                                               */

START_TEST(names_and_texts_of_classes)
{
    PyObject *type = plain_class("T"), *name = PyUnicode_FromString("X.Y");
    PyObject *one = PyLong_FromLong(1);

    ck_assert_int_eq(PyObject_SetAttrString(type, "__qualname__", name), 0);
    suite_new_text(PyObject_GetAttrString(type, "__qualname__"), "X.Y");
    suite_new_text(PyObject_GetAttrString(type, "__name__"), "T");
    suite_failed(PyObject_SetAttrString(type, "__qualname__", one),
                 PyExc_TypeError,
                 "can only assign string to T.__qualname__, not 'int'");
    suite_failed(PyObject_SetAttrString(type, "__name__", one),
                 PyExc_TypeError,
                 "can only assign string to T.__name__, not 'int'");
    suite_new_repr(PyObject_GetAttrString(type, "__doc__"), "None");
    ck_assert_int_eq(PyObject_SetAttrString(type, "__doc__", name), 0);
    suite_new_text(PyObject_GetAttrString(type, "__doc__"), "X.Y");
    Py_DECREF(type);

    PyObject *property = PyObject_CallFunction((PyObject *)&PyProperty_Type,
                                               "N", show_function());
    type = new_class("T", (PyObject *)&PyBaseObject_Type,
                     Py_BuildValue("{sO}", "__doc__", property));
    PyObject *doc = PyObject_GetAttrString(type, "__doc__");
    ck_assert_ptr_eq(doc, property); /* bound to no instance */
    suite_drop(doc, property, type, name, one);
}

START_TEST(arguments_of_type)
{
    PyObject *type = (PyObject *)&PyType_Type;

    suite_refused(PyObject_CallFunction(type, "si", "T", 1), PyExc_TypeError,
                  NULL);
    suite_refused(
        PyObject_CallFunction(type, "s(i){}", "T", 1), PyExc_TypeError,
        "metaclass conflict: the metaclass of a derived class must be a "
        "(non-strict) subclass of the metaclasses of all its bases");
    suite_refused(PyObject_CallFunction(type, "s()i", "T", 1), PyExc_TypeError,
                  "type.__new__() argument 3 must be dict, not int");
    suite_new_repr(PyObject_CallMethod(type, "__prepare__", NULL), "{}");
    PyObject *args = PyTuple_New(0), *fresh = plain_class("T");
    suite_failed(PyType_Type.tp_init(fresh, args, NULL), PyExc_TypeError,
                 "type.__init__() takes 1 or 3 arguments");
    suite_drop(args, fresh);
}
