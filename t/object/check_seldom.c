/* check_seldom.c: branches that few programs take: functions that are macros
   elsewhere, slots that few types have, texts without a name. */

#include "../support/suite.h"

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
    suite_failed((PyObject_DelAttrString)(e, "x"), PyExc_AttributeError, NULL);
    suite_drop(name, function, e);
}

START_TEST(what_the_build_says)
{
    ck_assert_ptr_nonnull(strstr(Py_GetCompiler(), "["));
    ck_assert_ptr_nonnull(strstr(Py_GetCopyright(), "pyboehm"));
    ck_assert_int_eq(Py_GetExecPrefix()[0], L'\0');
    ck_assert_int_eq(Py_GetProgramFullPath()[0], L'\0');
    Py_SetPythonHome(L"/home");
    ck_assert_int_eq(Py_GetPythonHome()[1], L'h');
    Py_SetPythonHome(NULL);
    ck_assert_ptr_null(Py_GetPythonHome());
}

START_TEST(functions_have_names)
{
    PyObject *list = PyList_New(0);
    PyObject *function = PyObject_GetAttrString(list, "append");
    PyObject *method = suite_require(PyMethod_New(function, list));

    ck_assert_str_eq(PyEval_GetFuncName(function), "append");
    ck_assert_str_eq(PyEval_GetFuncName(method), "append");
    ck_assert_str_eq(PyEval_GetFuncName(list), "list");
    suite_drop(method, function, list);
}

START_TEST(errors_in_a_source_have_a_place)
{
    PyErr_SetString(PyExc_SyntaxError, "wrong");
    PyErr_SyntaxLocation("no such file", 3);
    PyObject *e = PyErr_GetRaisedException();
    suite_new_text(PyObject_GetAttrString(e, "filename"), "no such file");
    suite_new_int(PyObject_GetAttrString(e, "lineno"), 3);
    suite_new_same(PyObject_GetAttrString(e, "offset"), Py_None);
    suite_new_same(PyObject_GetAttrString(e, "text"), Py_None);
    Py_DECREF(e);
}

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
static PyTypeObject Long_Type = {SUITE_TYPE("Long"),
                                 .tp_as_sequence = &as_sequence,
                                 .tp_as_async = &as_async};

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
    suite_drop(result, op);
}

/* ------------------------------------------------------------------ */
/* Iterators that raise StopIteration                                  */

static PyObject *problem;

static PyObject *
raise_next(PyObject *Py_UNUSED(op))
{
    PyErr_SetNone(problem);
    return NULL;
}

static PyTypeObject Raising_Type = {SUITE_TYPE("Raising"),
                                    .tp_iter = PyObject_SelfIter,
                                    .tp_iternext = raise_next};

/* zip(a, b, strict=True); both are given away. */
static PyObject *
strict_zip(PyObject *a, PyObject *b)
{
    PyObject *kwargs = Py_BuildValue("{sO}", "strict", Py_True);
    PyObject *args = Py_BuildValue("(NN)", a, b);
    PyObject *it = PyObject_Call((PyObject *)&PyZip_Type, args, kwargs);

    suite_drop(args, kwargs);
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
    Py_SETREF(it, strict_zip(PyObject_New(PyObject, &Raising_Type),
                             Py_BuildValue("[i]", 1)));
    suite_refused(PyIter_Next(it), PyExc_ValueError,
                  "zip() argument 2 is longer than argument 1");
    Py_DECREF(it);
    problem = PyExc_KeyError;
    it = strict_zip(Py_BuildValue("[i]", 1),
                    PyObject_New(PyObject, &Raising_Type));
    suite_refused(PyIter_Next(it), PyExc_KeyError, NULL);
    Py_DECREF(it);
}

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
    suite_failed(PyObject_Hash(c), PyExc_TypeError, "unhashable type: 'list'");
    suite_drop(one, list, a, b, c);
}

START_TEST(methods_of_nameless_callables)
{
    PyObject *type =
        suite_class("s(O){}", "C", (PyObject *)&PyBaseObject_Type);
    PyObject *op = PyObject_CallNoArgs(type);
    PyObject *one = PyLong_FromLong(1), *name = PyUnicode_FromString("n");
    PyObject *method = PyMethod_New(op, one);

    suite_repr(method, "<bound method ? of 1>");
    ck_assert_int_eq(PyObject_SetAttrString(op, "__name__", name), 0);
    suite_repr(method, "<bound method n of 1>");
    ck_assert_int_eq(PyObject_SetAttrString(op, "__qualname__", one), 0);
    suite_new_repr(method, "<bound method ? of 1>");
    PyObject *ref = PyWeakref_NewRef(op, NULL);
    PyObject *repr = PyObject_Repr(ref);
    ck_assert_ptr_nonnull(strstr(PyUnicode_AsUTF8(repr), "(n)>"));
    suite_drop(repr, ref, op, one, name, type);
}

/* A list that holds what shows it, inside of a view. */
START_TEST(views_that_hold_themselves)
{
    PyObject *dict = PyDict_New(), *key = PyLong_FromLong(1);
    PyObject *values = PyObject_CallMethod(dict, "values", NULL);

    ck_assert_int_eq(PyDict_SetItem(dict, key, values), 0);
    suite_repr(values, "dict_values([...])");
    ck_assert_int_eq(PyDict_DelItem(dict, key), 0);
    suite_drop(values, dict, key);
}

START_TEST(rounded_hashes_and_texts)
{
    /* 2^61 - 1 is the modulus of hashes. */
    PyObject *x = PyFloat_FromDouble(2305843009213693952.0 * 2 - 1024);
    PyObject *n = PyNumber_Long(x);

    ck_assert(PyObject_Hash(x) == PyObject_Hash(n));
    suite_drop(x, n);
    suite_new_repr(PyFloat_FromDouble(9.5367431640625e-07),
                   "9.5367431640625e-07");
    x = PyUnicode_FromString("\316\261");
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(x), 0xffff);
    Py_SETREF(x, PyUnicode_FromString("\303\244"));
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(x), 0xff);
    Py_SETREF(x, PyUnicode_FromString("\360\237\230\200"));
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(x), 0x10ffff);
    Py_DECREF(x);
}

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

START_TEST(classes_of_other_layouts)
{
    PyObject *type = (PyObject *)&PyType_Type;
    PyObject *a = PyObject_CallFunction(type, "s(O){}", "A",
                                        (PyObject *)&PyBaseObject_Type);
    PyObject *b =
        PyObject_CallFunction(type, "s(O){}", "B", (PyObject *)&PyDict_Type);
    PyObject *op = PyObject_CallNoArgs(a), *one = PyLong_FromLong(1);

    suite_failed(PyObject_SetAttrString(op, "__class__", b), PyExc_TypeError,
                 "__class__ assignment: 'B' object layout differs from 'A'");
    suite_failed(PyObject_SetAttrString(op, "__class__", one), PyExc_TypeError,
                 "__class__ must be set to a class, not 'int' object");
    suite_failed(PyObject_DelAttrString(op, "__class__"), PyExc_TypeError,
                 "can't delete __class__ attribute");
    suite_failed(
        PyObject_SetAttrString(one, "__class__", (PyObject *)&PyFloat_Type),
        PyExc_TypeError, NULL);
    suite_drop(op, one, a, b);
}

/* ------------------------------------------------------------------ */
/* Names that have little to do here                                   */

START_TEST(an_object_becomes_immortal)
{
    PyObject *op = PyList_New(0), *text = PyUnicode_FromString("some text");

    ck_assert_int_eq(PyUnstable_SetImmortal(text), 0);
    Py_INCREF(op);
    ck_assert_int_eq(PyUnstable_SetImmortal(op), 0);
    Py_DECREF(op);
    ck_assert_int_eq(PyUnstable_IsImmortal(op), 0);
    ck_assert_int_eq(PyUnstable_SetImmortal(op), 1);
    ck_assert_int_eq(PyUnstable_IsImmortal(op), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 0);
    for (int i = 0; i < 10; i++)
        Py_DECREF(op);
    PyGC_Collect();
    ck_assert_int_eq(PyList_Size(op), 0);
    Py_DECREF(text);
}

START_TEST(a_hash_is_kept)
{
    PyObject *text = PyUnicode_FromString("not seen before");

    ck_assert_int_eq(PyUnstable_Unicode_GET_CACHED_HASH(text), -1);
    Py_hash_t hash = PyObject_Hash(text);
    ck_assert_int_eq(PyUnstable_Unicode_GET_CACHED_HASH(text), hash);
    Py_DECREF(text);
}

START_TEST(options_and_traces_are_off)
{
    ck_assert_int_eq(Py_OptimizeFlag + Py_DebugFlag + Py_VerboseFlag, 0);
    ck_assert_int_eq(Py_HashRandomizationFlag, 1);
    setenv("CHECK_SELDOM", "x", 1);
    ck_assert_str_eq(Py_GETENV("CHECK_SELDOM"), "x");
    Py_IgnoreEnvironmentFlag = 1;
    ck_assert_ptr_null(Py_GETENV("CHECK_SELDOM"));
    ck_assert_int_eq(PyTraceMalloc_Track(0, 8, 8), -2);
    ck_assert_int_eq(PyTraceMalloc_Untrack(0, 8), -2);
    ck_assert_uint_eq(ALIGNOF_MAX_ALIGN_T, _Alignof(max_align_t));
}

START_TEST(a_warning_of_objects)
{
    PyObject *text = PyUnicode_FromString("text"),
             *file = PyUnicode_FromString("file.py");

    suite_catch_stderr();
    ck_assert_int_eq(
        PyErr_WarnExplicitObject(PyExc_UserWarning, text, file, 7, NULL, NULL),
        0);
    char *said = suite_caught_stderr();
    ck_assert_str_eq(said, "file.py:7: UserWarning: text\n");
    free(said);
    suite_failed(PyErr_WarnExplicitObject(PyExc_UserWarning, text, Py_None, 7,
                                          NULL, NULL),
                 PyExc_TypeError, NULL);
    suite_drop(text, file);
}

START_TEST(sentinels_have_a_name)
{
    PyObject *op = suite_require(PySentinel_New("MISSING", "shop"));
    PyObject *same = suite_require(PySentinel_New("MISSING", NULL));
    PyObject *builtins = suite_require(PyImport_ImportModule("builtins"));

    ck_assert(PySentinel_Check(op) && PySentinel_CheckExact(op));
    suite_repr(op, "MISSING");
    suite_new_text(PyObject_GetAttrString(op, "__name__"), "MISSING");
    suite_new_text(PyObject_GetAttrString(op, "__module__"), "shop");
    suite_new_same(PyObject_GetAttrString(same, "__module__"), Py_None);
    suite_new_text(PyObject_CallMethod(op, "__reduce__", NULL), "MISSING");
    suite_new_same(PyObject_CallMethod(op, "__deepcopy__", "O", Py_None), op);
    ck_assert_int_eq(PyObject_RichCompareBool(op, same, Py_EQ), 0);
    PyObject *made =
        suite_require(PyObject_CallMethod(builtins, "sentinel", "s", "OTHER"));
    suite_repr(made, "OTHER");
    suite_refused(PyObject_CallMethod(builtins, "sentinel", "i", 1),
                  PyExc_TypeError, NULL);
    suite_drop(op, same, made, builtins);
}

START_TEST(an_object_is_described)
{
    static void *const nothing[8];
    PyObject *op = Py_BuildValue("[i]", 7);

    suite_catch_stderr();
    PyErr_SetString(PyExc_KeyError, "kept");
    PyObject_Dump(op);
    suite_exception(PyExc_KeyError, NULL);
    PyObject_Dump(NULL);
    PyObject_Dump((PyObject *)(void *)nothing);
    char *text = suite_caught_stderr();
    ck_assert_ptr_nonnull(strstr(text, "object refcount : 1\n"));
    ck_assert_ptr_nonnull(strstr(text, "object type name: list\n"));
    ck_assert_ptr_nonnull(strstr(text, "object repr     : [7]\n"));
    ck_assert_ptr_nonnull(strstr(text, "<object at NULL>\n"));
    ck_assert_ptr_nonnull(strstr(text, " is freed>\n"));
    free(text);
    Py_DECREF(op);
}
