/* check_seldom.c: branches that few programs take: functions that are macros
   elsewhere, slots that few types have, texts without a name. */

#include "suite.h"

START_TEST(functions_behind_macros)
{
    PyObject *function = PyObject_GetAttrString((PyObject *)&PyBaseObject_Type,
                                                "__init_subclass__");
    PyObject *e = PyObject_CallNoArgs(PyExc_ValueError);
    PyObject *name = PyUnicode_FromString("x");

    ck_assert_int_eq((Py_IsTrue)(Py_True), 1);
    ck_assert_int_eq((Py_IsTrue)(Py_False), 0);
    ck_assert_int_eq((Py_IsFalse)(Py_False), 1);
    ck_assert_int_eq((Py_IsFalse)(Py_None), 0);
    ck_assert_int_eq(PyObject_SetAttr(e, name, Py_None), 0);
    ck_assert_int_eq((PyObject_DelAttr)(e, name), 0);
    ck_assert_int_eq(PyObject_SetAttr(e, name, Py_None), 0);
    ck_assert_int_eq((PyObject_DelAttrString)(e, "x"), 0);
    ck_assert_int_eq(PyObject_HasAttr(e, name), 0);
    ck_assert_int_eq((PyObject_DelAttrString)(e, "x"), -1);
    suite_exception(PyExc_AttributeError, NULL);
    Py_DECREF(name);
    Py_DECREF(function);
    Py_DECREF(e);
}
END_TEST

/* ------------------------------------------------------------------ */
/* A type with a length in the sequence suite and a sender             */

static Py_ssize_t length;

static Py_ssize_t
get_length(PyObject *Py_UNUSED(op))
{
    return length;
}

static PySendResult
send(PyObject *Py_UNUSED(op), PyObject *value, PyObject **result)
{
    *result = Py_NewRef(value);
    return value == Py_None ? PYGEN_RETURN : PYGEN_NEXT;
}

static PySequenceMethods as_sequence = {.sq_length = get_length};
static PyAsyncMethods as_async = {.am_send = send};
static PyTypeObject Long_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Long",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_as_sequence = &as_sequence,
    .tp_as_async = &as_async,
};

START_TEST(slots_that_few_types_have)
{
    ck_assert_int_eq(PyType_Ready(&Long_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Long_Type), *result;

    length = 2;
    ck_assert_int_eq(PyObject_IsTrue(op), 1);
    ck_assert_int_eq(PyObject_Not(op), 0);
    length = 0;
    ck_assert_int_eq(PyObject_IsTrue(op), 0);
    ck_assert_int_eq(PyIter_Send(op, Py_None, &result), PYGEN_RETURN);
    ck_assert_ptr_eq(result, Py_None);
    Py_DECREF(result);
    ck_assert_int_eq(PyIter_Send(op, op, &result), PYGEN_NEXT);
    ck_assert_ptr_eq(result, op);
    Py_DECREF(result);
    Py_DECREF(op);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Iterators that raise StopIteration                                  */

static PyObject *problem;

static PyObject *
raise_next(PyObject *Py_UNUSED(op))
{
    PyErr_SetNone(problem);
    return NULL;
}

static PyTypeObject Raising_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Raising",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = raise_next,
};

/* zip(a, b, strict=True); both are given away. */
static PyObject *
strict_zip(PyObject *a, PyObject *b)
{
    PyObject *kwargs = Py_BuildValue("{sO}", "strict", Py_True);
    PyObject *args = Py_BuildValue("(NN)", a, b);
    PyObject *it = PyObject_Call((PyObject *)&PyZip_Type, args, kwargs);

    Py_DECREF(args);
    Py_DECREF(kwargs);
    ck_assert_ptr_nonnull(it);
    return it;
}

START_TEST(strict_zips_of_iterators_that_raise)
{
    ck_assert_int_eq(PyType_Ready(&Raising_Type), 0);

    problem = PyExc_StopIteration;
    PyObject *it = strict_zip(Py_BuildValue("[i]", 1),
                              PyObject_New(PyObject, &Raising_Type));
    suite_refused(PyIter_Next(it), PyExc_ValueError,
                  "zip() argument 2 is shorter than argument 1");
    Py_DECREF(it);
    it = strict_zip(PyObject_New(PyObject, &Raising_Type),
                    Py_BuildValue("[i]", 1));
    suite_refused(PyIter_Next(it), PyExc_ValueError,
                  "zip() argument 2 is longer than argument 1");
    Py_DECREF(it);
    problem = PyExc_KeyError;
    it = strict_zip(Py_BuildValue("[i]", 1),
                    PyObject_New(PyObject, &Raising_Type));
    suite_refused(PyIter_Next(it), PyExc_KeyError, NULL);
    Py_DECREF(it);
}
END_TEST

/* ------------------------------------------------------------------ */

/* Since 3.12 slices have hashes, equal ones the same. */
START_TEST(hashes_of_slices)
{
    PyObject *one = PyLong_FromLong(1), *list = PyList_New(0);
    PyObject *a = PySlice_New(one, Py_None, one);
    PyObject *b = PySlice_New(one, NULL, one);
    PyObject *c = PySlice_New(list, NULL, NULL);

    ck_assert(PyObject_Hash(a) != -1);
    ck_assert(PyObject_Hash(a) == PyObject_Hash(b));
    ck_assert_int_eq(PyObject_Hash(c), -1);
    suite_exception(PyExc_TypeError, "unhashable type: 'list'");
    Py_DECREF(one);
    Py_DECREF(list);
    Py_DECREF(a);
    Py_DECREF(b);
    Py_DECREF(c);
}
END_TEST

START_TEST(methods_of_nameless_callables)
{
    PyObject *type =
        PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){}", "C",
                              (PyObject *)&PyBaseObject_Type);
    PyObject *op = PyObject_CallNoArgs(type);
    PyObject *one = PyLong_FromLong(1), *name = PyUnicode_FromString("n");
    PyObject *method = PyMethod_New(op, one);

    suite_repr(method, "<bound method ? of 1>");
    ck_assert_int_eq(PyObject_SetAttrString(op, "__name__", name), 0);
    suite_repr(method, "<bound method n of 1>");
    ck_assert_int_eq(PyObject_SetAttrString(op, "__qualname__", one), 0);
    suite_repr(method, "<bound method ? of 1>");
    Py_DECREF(method);
    PyObject *ref = PyWeakref_NewRef(op, NULL);
    PyObject *repr = PyObject_Repr(ref);
    ck_assert_ptr_nonnull(strstr(PyUnicode_AsUTF8(repr), "(n)>"));
    Py_DECREF(repr);
    Py_DECREF(ref);
    Py_DECREF(op);
    Py_DECREF(one);
    Py_DECREF(name);
    Py_DECREF(type);
}
END_TEST

/* A list that holds what shows it, inside of a view. */
START_TEST(views_that_hold_themselves)
{
    PyObject *dict = PyDict_New(), *key = PyLong_FromLong(1);
    PyObject *values = PyObject_CallMethod(dict, "values", NULL);

    ck_assert_int_eq(PyDict_SetItem(dict, key, values), 0);
    suite_repr(values, "dict_values([...])");
    ck_assert_int_eq(PyDict_DelItem(dict, key), 0);
    Py_DECREF(values);
    Py_DECREF(dict);
    Py_DECREF(key);
}
END_TEST

START_TEST(rounded_hashes_and_texts)
{
    /* 2^61 - 1 is the modulus of hashes. */
    PyObject *x = PyFloat_FromDouble(2305843009213693952.0 * 2 - 1024);
    PyObject *n = PyNumber_Long(x);

    ck_assert(PyObject_Hash(x) == PyObject_Hash(n));
    Py_DECREF(x);
    Py_DECREF(n);
    x = PyFloat_FromDouble(9.5367431640625e-07);
    suite_new_repr(x, "9.5367431640625e-07");
    x = PyUnicode_FromString("\316\261");
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(x), 0xffff);
    Py_DECREF(x);
    x = PyUnicode_FromString("\303\244");
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(x), 0xff);
    Py_DECREF(x);
    x = PyUnicode_FromString("\360\237\230\200");
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(x), 0x10ffff);
    Py_DECREF(x);
}
END_TEST

START_TEST(objects_that_are_printed)
{
    PyObject *bytes = PyBytes_FromString("x");
    FILE *file = tmpfile();
    char got[100];

    ck_assert_int_eq(PyObject_Print(NULL, file, 0), 0);
    ck_assert_int_eq(PyObject_Print(bytes, file, Py_PRINT_RAW), 0);
    ck_assert_int_eq(PyObject_Print(bytes, file, 0), 0);
    rewind(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    ck_assert_str_eq(got, "<nil>b'x'b'x'");
    fclose(file);
    Py_DECREF(bytes);
}
END_TEST

START_TEST(classes_of_other_layouts)
{
    PyObject *type = (PyObject *)&PyType_Type;
    PyObject *a = PyObject_CallFunction(type, "s(O){}", "A",
                                        (PyObject *)&PyBaseObject_Type);
    PyObject *b =
        PyObject_CallFunction(type, "s(O){}", "B", (PyObject *)&PyDict_Type);
    PyObject *op = PyObject_CallNoArgs(a), *one = PyLong_FromLong(1);

    ck_assert_int_eq(PyObject_SetAttrString(op, "__class__", b), -1);
    suite_exception(PyExc_TypeError,
                    "__class__ assignment: 'B' object layout differs from "
                    "'A'");
    ck_assert_int_eq(PyObject_SetAttrString(op, "__class__", one), -1);
    suite_exception(PyExc_TypeError,
                    "__class__ must be set to a class, not 'int' object");
    ck_assert_int_eq(PyObject_DelAttrString(op, "__class__"), -1);
    suite_exception(PyExc_TypeError, "can't delete __class__ attribute");
    ck_assert_int_eq(
        PyObject_SetAttrString(one, "__class__", (PyObject *)&PyFloat_Type),
        -1);
    suite_exception(PyExc_TypeError, NULL);
    Py_DECREF(op);
    Py_DECREF(one);
    Py_DECREF(a);
    Py_DECREF(b);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {functions_behind_macros, 0},
        {slots_that_few_types_have, 0},
        {strict_zips_of_iterators_that_raise, 0},
        {hashes_of_slices, 0},
        {methods_of_nameless_callables, 0},
        {views_that_hold_themselves, 0},
        {rounded_hashes_and_texts, 0},
        {objects_that_are_printed, 0},
        {classes_of_other_layouts, 0},
        {NULL, 0},
    };
    return suite_run("seldom", tests);
}
