/* check_alias.c: types.GenericAlias, and instance methods. */

#include "../support/suite.h"

static PyObject *
alias(void *origin, PyObject *args)
{
    PyObject *op = suite_require(Py_GenericAlias((PyObject *)origin, args));

    Py_DECREF(args);
    return op;
}

static PyObject *
list_of_int(void)
{
    return alias(&PyList_Type, Py_NewRef(&PyLong_Type));
}

START_TEST(origin_and_args_are_attributes)
{
    PyObject *op = list_of_int();

    suite_new_same(PyObject_GetAttrString(op, "__origin__"), &PyList_Type);
    suite_new_repr(PyObject_GetAttrString(op, "__args__"), "(<class 'int'>,)");
    suite_new_repr(PyObject_GetAttrString(op, "__parameters__"), "()");
    suite_new_repr(PyObject_GetAttrString(op, "__unpacked__"), "False");
    suite_new_same(PyObject_GetAttrString(op, "__class__"),
                   &Py_GenericAliasType);
    suite_new_text(PyObject_GetAttrString(op, "__name__"), "list");
    suite_new_repr(PyObject_CallMethod(op, "__mro_entries__", "i", 0),
                   "(<class 'list'>,)");
    Py_DECREF(op);
}

START_TEST(repr_names_classes_and_nests)
{
    PyObject *op = list_of_int();

    suite_repr(op, "list[int]");
    Py_SETREF(op, alias(&PyDict_Type, PyTuple_Pack(2, &PyUnicode_Type, op)));
    suite_repr(op, "dict[str, list[int]]");
    Py_SETREF(op, alias(&PyTuple_Type, PyTuple_New(0)));
    suite_repr(op, "tuple[()]");
    Py_SETREF(
        op, alias(&PyTuple_Type, PyTuple_Pack(2, &PyLong_Type, Py_Ellipsis)));
    suite_repr(op, "tuple[int, ...]");
    Py_SETREF(op, alias(&PyTuple_Type,
                        Py_BuildValue("([Oi]s)", &PyLong_Type, 1, "x")));
    suite_repr(op, "tuple[[int, 1], 'x']");
    Py_DECREF(op);
}

START_TEST(it_is_called_and_compared_as_its_origin)
{
    PyObject *op = list_of_int(), *same = list_of_int();
    PyObject *other = alias(&PyTuple_Type, Py_NewRef(&PyLong_Type));

    suite_new_repr(PyObject_CallFunction(op, "((ii))", 1, 2), "[1, 2]");
    ck_assert_int_eq(PyObject_RichCompareBool(op, same, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(op, other, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(op, other, Py_NE), 1);
    ck_assert_int_eq(PyObject_Hash(op), PyObject_Hash(same));
    suite_failed(PyObject_IsInstance(other, op), PyExc_TypeError,
                 "isinstance() argument 2 cannot be a parameterized generic");
    suite_failed(PyObject_IsSubclass((PyObject *)&PyList_Type, op),
                 PyExc_TypeError,
                 "issubclass() argument 2 cannot be a parameterized generic");
    suite_refused(PyObject_GetItem(op, Py_None), PyExc_TypeError,
                  "list[int] is not a generic class");
    suite_drop(op, same, other);
}

START_TEST(instances_learn_of_their_alias)
{
    PyObject *type = suite_class("s(){}", "C");
    PyObject *op = alias(type, Py_NewRef(&PyLong_Type));
    PyObject *instance = suite_require(PyObject_CallNoArgs(op));

    ck_assert_ptr_eq(Py_TYPE(instance), type);
    suite_new_same(PyObject_GetAttrString(instance, "__orig_class__"), op);
    suite_drop(instance, op, type);
}

START_TEST(starred_aliases_are_others)
{
    PyObject *op = list_of_int(), *iter = suite_require(PyObject_GetIter(op));
    PyObject *starred = suite_require(PyIter_Next(iter));

    suite_repr(starred, "*list[int]");
    ck_assert_int_eq(PyObject_RichCompareBool(op, starred, Py_EQ), 0);
    ck_assert_ptr_null(PyIter_Next(iter));
    suite_drop(op, iter, starred);
}

START_TEST(builtin_classes_are_subscripted)
{
    PyTypeObject *types[] = {&PyList_Type, &PyDict_Type,      &PyTuple_Type,
                             &PySet_Type,  &PyFrozenSet_Type, &PyType_Type};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        char text[32];
        snprintf(text, sizeof text, "%s[int]", types[i]->tp_name);
        suite_new_repr(
            PyObject_GetItem((PyObject *)types[i], (PyObject *)&PyLong_Type),
            text);
    }
    suite_refused(PyObject_GetItem((PyObject *)&PyLong_Type, Py_None),
                  PyExc_TypeError, "type 'int' is not subscriptable");
    suite_refused(Py_GenericAlias(NULL, Py_None), PyExc_SystemError, NULL);
    suite_refused(Py_GenericAlias(Py_None, NULL), PyExc_SystemError, NULL);
}

START_TEST(cycles_through_aliases_are_collected)
{
    PyObject *type = suite_class("s(){}", "C");
    PyObject *op = alias(type, Py_NewRef(type)), *list = PyList_New(0);

    PyObject_SetAttrString(type, "alias", op);
    PyGC_Collect();
    PyObject *ref = PyWeakref_NewRef(op, NULL);
    suite_drop(op, type);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);

    op = alias(&PyList_Type, PyTuple_Pack(1, list));
    PyList_Append(list, op);
    Py_SETREF(ref, PyWeakref_NewRef(op, NULL));
    suite_drop(op, list);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
    Py_DECREF(ref);
}

/* ------------------------------------------------------------------ */
/* Instance methods                                                    */

static PyObject *
show(PyObject *Py_UNUSED(self), PyObject *args)
{
    return PyObject_Repr(args);
}

static PyMethodDef show_def = {"show", show, METH_VARARGS, "The doc."};

START_TEST(instance_methods_bind_what_functions_do_not)
{
    PyObject *func = suite_require(PyCFunction_New(&show_def, NULL));
    PyObject *op = suite_require(PyInstanceMethod_New(func));
    PyObject *type = suite_class("s(O){sO}", "C", &PyLong_Type, "m", op);
    PyObject *instance = suite_require(PyObject_CallFunction(type, "i", 5));

    ck_assert(PyInstanceMethod_Check(op));
    ck_assert(!PyInstanceMethod_Check(func));
    ck_assert_ptr_eq(PyInstanceMethod_Function(op), func);
    ck_assert_ptr_eq(PyInstanceMethod_GET_FUNCTION(op), func);
    suite_new_text(PyObject_CallMethod(instance, "m", "i", 1), "(5, 1)");
    suite_new_same(PyObject_GetAttrString(type, "m"), func);
    suite_new_text(PyObject_CallFunction(op, "i", 1), "(1,)");
    suite_new_text(PyObject_GetAttrString(op, "__doc__"), "The doc.");
    suite_new_text(PyObject_GetAttrString(op, "__name__"), "show");
    suite_new_same(PyObject_GetAttrString(op, "__func__"), func);
    suite_drop(instance, type, op, func);
}

START_TEST(instance_methods_are_made_compared_and_refused)
{
    PyObject *func = suite_require(PyCFunction_New(&show_def, NULL));
    PyObject *a = PyInstanceMethod_New(func), *b = PyInstanceMethod_New(func);
    PyObject *type = (PyObject *)&PyInstanceMethod_Type;
    char text[64];

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_NE), 0);
    snprintf(text, sizeof text, "<instancemethod show at %p>", (void *)a);
    suite_repr(a, text);
    Py_SETREF(b, PyObject_CallOneArg(type, func));
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 1);
    suite_refused(PyObject_CallOneArg(type, Py_None), PyExc_TypeError,
                  "first argument must be callable");
    suite_refused(PyInstanceMethod_New(NULL), PyExc_SystemError, NULL);
    suite_refused(PyInstanceMethod_Function(func), PyExc_SystemError, NULL);
    suite_drop(a, b, func);
}

START_TEST(cycles_through_instance_methods_are_collected)
{
    PyObject *list = PyList_New(0), *op = PyInstanceMethod_New(list);

    PyGC_Collect();
    PyList_Append(list, op);
    suite_drop(list, op);
    ck_assert_int_eq(PyGC_Collect(), 2);
}
