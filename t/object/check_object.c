/* check_object.c: what any object can do: text, comparison, hash, truth, type
   tests, dir; None and the other singletons; the guards against endless
   recursion. */

#include "../support/suite.h"

/* ------------------------------------------------------------------ */
/* A type whose slots do what the test says                            */

static PyObject *told_text, *told_comparison;
static char asked[64];

static PyObject *
told_str(PyObject *Py_UNUSED(op))
{
    return Py_XNewRef(told_text);
}

/* Writes down "NAME OP;" and answers what it was told. */
static PyObject *
told_compare(PyObject *v, PyObject *Py_UNUSED(w), int op)
{
    static const char *const names[] = {"<", "<=", "==", "!=", ">", ">="};
    size_t used = strlen(asked);

    snprintf(asked + used, sizeof(asked) - used, "%s %s;", Py_TYPE(v)->tp_name,
             names[op]);
    return Py_NewRef(told_comparison);
}

static PyTypeObject A_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "A",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_repr = told_str,
    .tp_str = told_str,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_richcompare = told_compare,
    .tp_new = PyType_GenericNew,
};

static PyTypeObject B_Type = {SUITE_TYPE("B"), .tp_hash = PyObject_GenericHash,
                              .tp_richcompare = told_compare,
                              .tp_new = PyType_GenericNew};

static PyTypeObject SubA_Type = {SUITE_TYPE("SubA"), .tp_base = &A_Type};

static PyObject *
make(PyTypeObject *type)
{
    ck_assert_int_eq(PyType_Ready(type), 0);
    return suite_require(PyObject_CallNoArgs((PyObject *)type));
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

START_TEST(repr_and_str_must_make_strings)
{
    PyObject *a = make(&A_Type);

    told_text = Py_None;
    suite_refused(PyObject_Repr(a), PyExc_TypeError,
                  "__repr__ returned non-string (type NoneType)");
    suite_refused(PyObject_Str(a), PyExc_TypeError,
                  "__str__ returned non-string (type NoneType)");

    told_text = PyUnicode_FromString("caf\xc3\xa9 \xe2\x82\xac "
                                     "\xf0\x9d\x84\x9e");
    suite_new_text(PyObject_Str(a),
                   "caf\xc3\xa9 \xe2\x82\xac \xf0\x9d\x84\x9e");
    suite_new_text(PyObject_ASCII(a), "caf\\xe9 \\u20ac \\U0001d11e");
    PyObject *same = PyObject_Str(told_text);
    ck_assert_ptr_eq(same, told_text);
    suite_drop(same, told_text, a);
}

START_TEST(null_has_a_text)
{
    suite_new_text(PyObject_Repr(NULL), "<NULL>");
    suite_new_text(PyObject_Str(NULL), "<NULL>");
    PyObject *bytes = PyObject_Bytes(NULL);
    ck_assert_str_eq(PyBytes_AsString(bytes), "<NULL>");
    Py_DECREF(bytes);
}

static PyObject *
my_bytes(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(unused))
{
    return Py_NewRef(told_text);
}

static PyMethodDef bytes_methods[] = {
    {"__bytes__", my_bytes, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject Bytes_Type = {SUITE_TYPE("Bytes"),
                                  .tp_methods = bytes_methods,
                                  .tp_new = PyType_GenericNew};

START_TEST(bytes_come_from_the_special_method)
{
    PyObject *op = make(&Bytes_Type), *number = PyLong_FromLong(3);
    PyObject *list = Py_BuildValue("[ii]", 104, 105);

    told_text = PyBytes_FromString("abc");
    PyObject *bytes = PyObject_Bytes(op);
    ck_assert_ptr_eq(bytes, told_text);
    suite_drop(bytes, told_text);
    told_text = Py_None;
    suite_refused(PyObject_Bytes(op), PyExc_TypeError,
                  "__bytes__ returned non-bytes (type NoneType)");
    bytes = PyObject_Bytes(list);
    ck_assert_str_eq(PyBytes_AsString(bytes), "hi");
    Py_DECREF(bytes);
    suite_refused(PyObject_Bytes(number), PyExc_TypeError,
                  "cannot convert 'int' object to bytes");
    suite_drop(list, number, op);
}

START_TEST(print_writes_repr_or_str)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    PyObject *str = PyUnicode_FromString("x");

    ck_assert_int_eq(PyObject_Print(str, file, 0), 0);
    ck_assert_int_eq(PyObject_Print(str, file, Py_PRINT_RAW), 0);
    ck_assert_int_eq(PyObject_Print(NULL, file, 0), 0);
    fclose(file);
    ck_assert_str_eq(text, "'x'x<nil>");
    free(text);

    file = fopen("/dev/null", "r");
    suite_failed(PyObject_Print(str, file, 0), PyExc_OSError, NULL);
    fclose(file);
    Py_DECREF(str);
}

/* ------------------------------------------------------------------ */
/* Comparison                                                          */

START_TEST(comparison_asks_left_then_right_reflected)
{
    PyObject *a = make(&A_Type), *b = make(&B_Type);

    told_comparison = Py_NotImplemented;
    asked[0] = '\0';
    suite_refused(PyObject_RichCompare(a, b, Py_LT), PyExc_TypeError,
                  "'<' not supported between instances of 'A' and 'B'");
    ck_assert_str_eq(asked, "A <;B >;");
    asked[0] = '\0';
    suite_refused(PyObject_RichCompare(a, b, Py_GE), PyExc_TypeError,
                  "'>=' not supported between instances of 'A' and 'B'");
    ck_assert_str_eq(asked, "A >=;B <=;");

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_NE), 1);

    told_comparison = Py_True;
    asked[0] = '\0';
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_LE), 1);
    ck_assert_str_eq(asked, "A <=;");
    suite_drop(a, b);
}

START_TEST(comparison_asks_a_subtype_first)
{
    PyObject *a = make(&A_Type), *sub = make(&SubA_Type);

    told_comparison = Py_NotImplemented;
    asked[0] = '\0';
    suite_refused(PyObject_RichCompare(a, sub, Py_LT), PyExc_TypeError,
                  "'<' not supported between instances of 'A' and 'SubA'");
    ck_assert_str_eq(asked, "SubA >;A <;");
    suite_drop(a, sub);
}

START_TEST(identity_settles_equality_unasked)
{
    PyObject *a = make(&A_Type);

    told_comparison = Py_False;
    asked[0] = '\0';
    ck_assert_int_eq(PyObject_RichCompareBool(a, a, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, a, Py_NE), 0);
    ck_assert_str_eq(asked, "");
    ck_assert_int_eq(PyObject_RichCompareBool(a, a, Py_LE), 0);
    ck_assert_str_eq(asked, "A <=;");
    Py_DECREF(a);
}

START_TEST(comparison_with_null_is_an_internal_error)
{
    suite_refused(PyObject_RichCompare(NULL, Py_None, Py_EQ),
                  PyExc_SystemError, NULL);
    suite_failed(PyObject_RichCompareBool(NULL, NULL, Py_EQ),
                 PyExc_SystemError, NULL);
    suite_refused(PyObject_RichCompare(Py_None, Py_None, 6), PyExc_SystemError,
                  NULL);
}

/* ------------------------------------------------------------------ */
/* Hash, truth, type                                                   */

START_TEST(hash_is_refused_or_by_identity)
{
    PyObject *a = make(&A_Type), *b = make(&B_Type), *list = PyList_New(0);

    suite_failed(PyObject_Hash(a), PyExc_TypeError, "unhashable type: 'A'");
    suite_failed(PyObject_Hash(list), PyExc_TypeError,
                 "unhashable type: 'list'");
    ck_assert_int_eq(PyObject_Hash(b), PyObject_GenericHash(b));
    ck_assert_int_eq(PyObject_Hash(b), PyObject_Hash(b));
    suite_drop(list, a, b);
}

static int told_truth;

static int
truth_bool(PyObject *Py_UNUSED(op))
{
    if (told_truth < 0)
        PyErr_SetString(PyExc_ValueError, "neither");
    return told_truth;
}

static PyNumberMethods truth_number = {.nb_bool = truth_bool};

static PyTypeObject Truth_Type = {SUITE_TYPE("Truth"),
                                  .tp_as_number = &truth_number,
                                  .tp_new = PyType_GenericNew};

START_TEST(truth_comes_from_bool_or_length)
{
    PyObject *op = make(&Truth_Type), *plain = make(&B_Type);
    PyObject *list = PyList_New(0);

    told_truth = 0;
    ck_assert_int_eq(PyObject_IsTrue(op), 0);
    ck_assert_int_eq(PyObject_Not(op), 1);
    told_truth = 1;
    ck_assert_int_eq(PyObject_IsTrue(op), 1);
    ck_assert_int_eq(PyObject_Not(op), 0);
    told_truth = -1;
    suite_failed(PyObject_IsTrue(op), PyExc_ValueError, "neither");
    suite_failed(PyObject_Not(op), PyExc_ValueError, "neither");

    ck_assert_int_eq(PyObject_IsTrue(plain), 1);
    ck_assert_int_eq(PyObject_IsTrue(list), 0);
    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    ck_assert_int_eq(PyObject_IsTrue(list), 1);
    suite_drop(list, plain, op);
}

START_TEST(instances_and_subclasses_are_recognised)
{
    PyObject *sub = make(&SubA_Type), *b = (PyObject *)&B_Type;
    PyObject *a_type = (PyObject *)&A_Type, *sub_type = (PyObject *)&SubA_Type;
    ck_assert_int_eq(PyType_Ready(&B_Type), 0);
    PyObject *types = Py_BuildValue("(O(O))", b, a_type);

    ck_assert_int_eq(PyObject_IsInstance(sub, sub_type), 1);
    ck_assert_int_eq(PyObject_IsInstance(sub, a_type), 1);
    ck_assert_int_eq(PyObject_IsInstance(sub, b), 0);
    ck_assert_int_eq(PyObject_IsInstance(sub, types), 1);
    ck_assert_int_eq(PyObject_IsInstance(Py_None, types), 0);
    suite_failed(
        PyObject_IsInstance(sub, Py_None), PyExc_TypeError,
        "isinstance() arg 2 must be a type, a tuple of types, or a union");

    ck_assert_int_eq(PyObject_IsSubclass(sub_type, a_type), 1);
    ck_assert_int_eq(PyObject_IsSubclass(a_type, sub_type), 0);
    ck_assert_int_eq(PyObject_IsSubclass(sub_type, types), 1);
    suite_failed(PyObject_IsSubclass(Py_None, a_type), PyExc_TypeError,
                 "issubclass() arg 1 must be a class");
    suite_failed(
        PyObject_IsSubclass(a_type, Py_None), PyExc_TypeError,
        "issubclass() arg 2 must be a class, a tuple of classes, or a union");
    suite_drop(types, sub);
}

/* An object that says for everything but None that it is an instance. */
static PyObject *
check_instance(PyObject *Py_UNUSED(self), PyObject *op)
{
    return PyBool_FromLong(op != Py_None);
}

static PyMethodDef checker_methods[] = {
    {"__instancecheck__", check_instance, METH_O, NULL},
    {"__subclasscheck__", check_instance, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject Checker_Type = {SUITE_TYPE("Checker"),
                                    .tp_methods = checker_methods,
                                    .tp_new = PyType_GenericNew};

START_TEST(class_like_objects_are_asked)
{
    PyObject *checker = make(&Checker_Type);

    ck_assert_int_eq(PyObject_IsInstance(Py_Ellipsis, checker), 1);
    ck_assert_int_eq(PyObject_IsInstance(Py_None, checker), 0);
    ck_assert_int_eq(PyObject_IsSubclass(Py_Ellipsis, checker), 1);
    ck_assert_int_eq(PyObject_IsSubclass(Py_None, checker), 0);
    Py_DECREF(checker);
}

START_TEST(type_is_a_new_reference)
{
    suite_new_same(PyObject_Type(Py_None), &_PyNone_Type);
    suite_refused(PyObject_Type(NULL), PyExc_SystemError,
                  "null argument to internal routine");
}

START_TEST(counting_functions_do_as_the_macros)
{
    PyObject *list = PyList_New(0);

    Py_IncRef(list);
    ck_assert_int_eq(Py_REFCNT(list), 2);
    Py_DecRef(list);
    ck_assert_int_eq(Py_REFCNT(list), 1);
    Py_IncRef(NULL);
    Py_DecRef(NULL);
    ck_assert_int_eq((Py_Is)(list, list), 1);
    ck_assert_int_eq((Py_IsNone)(list), 0);
    ck_assert_int_eq((Py_IsNone)(Py_None), 1);
    PyObject *self = PyObject_SelfIter(list);
    ck_assert_ptr_eq(self, list);
    ck_assert_int_eq(Py_REFCNT(list), 2);
    suite_drop(self, list);
}

static int
has_name(PyObject *names, const char *name)
{
    PyObject *string = PyUnicode_FromString(name);
    int found = PySequence_Contains(names, string);

    Py_DECREF(string);
    return found;
}

START_TEST(dir_lists_names_in_order)
{
    PyObject *checker = make(&Checker_Type);
    PyObject *names = suite_require(PyObject_Dir(checker));
    ck_assert_int_eq(has_name(names, "__instancecheck__"), 1);
    ck_assert_int_eq(has_name(names, "__class__"), 1);
    ck_assert_int_eq(has_name(names, "absent"), 0);
    for (Py_ssize_t i = 1; i < PyList_GET_SIZE(names); i++)
        ck_assert_int_eq(PyObject_RichCompareBool(PyList_GetItem(names, i - 1),
                                                  PyList_GetItem(names, i),
                                                  Py_LT),
                         1);
    Py_DECREF(names);

    names = PyObject_Dir((PyObject *)&Checker_Type);
    ck_assert_int_eq(has_name(names, "__subclasscheck__"), 1);
    Py_DECREF(names);
    suite_refused(PyObject_Dir(NULL), PyExc_SystemError,
                  "frame does not exist");
    Py_DECREF(checker);
}

/* ------------------------------------------------------------------ */
/* Singletons                                                          */

static void
assert_singleton(PyObject *op, const char *name, const char *error)
{
    PyObject *type = (PyObject *)Py_TYPE(op);

    ck_assert(_Py_IsImmortal(op));
    suite_new_text(PyObject_Repr(op), name);
    PyObject *made = PyObject_CallNoArgs(type);
    ck_assert_ptr_eq(made, op);
    suite_refused(PyObject_CallOneArg(type, Py_None), PyExc_TypeError, error);
    suite_failed(PyObject_SetAttrString(op, "x", op), PyExc_AttributeError,
                 NULL);
}

START_TEST(singletons_are_the_only_ones_of_their_type)
{
    assert_singleton(Py_None, "None", "NoneType takes no arguments");
    assert_singleton(Py_NotImplemented, "NotImplemented",
                     "NotImplementedType takes no arguments");
    assert_singleton(Py_Ellipsis, "Ellipsis",
                     "EllipsisType takes no arguments");

    ck_assert_int_eq(PyObject_IsTrue(Py_None), 0);
    ck_assert_int_eq(PyObject_IsTrue(Py_Ellipsis), 1);
    suite_failed(PyObject_IsTrue(Py_NotImplemented), PyExc_TypeError,
                 "NotImplemented should not be used in a boolean context");
    ck_assert_int_ne(PyObject_Hash(Py_None), -1);
    ck_assert_int_eq(PyObject_RichCompareBool(Py_None, Py_Ellipsis, Py_EQ), 0);
    suite_refused(
        PyObject_RichCompare(Py_None, Py_None, Py_LT), PyExc_TypeError,
        "'<' not supported between instances of 'NoneType' and 'NoneType'");
}

/* ------------------------------------------------------------------ */
/* Recursion                                                           */

START_TEST(repr_guard_knows_what_is_being_printed)
{
    PyObject *objects[20];

    for (int i = 0; i < 20; i++) {
        objects[i] = PyList_New(0);
        ck_assert_int_eq(Py_ReprEnter(objects[i]), 0);
    }
    ck_assert_int_eq(Py_ReprEnter(objects[0]), 1);
    ck_assert_int_eq(Py_ReprEnter(objects[19]), 1);
    Py_ReprLeave(objects[5]);
    ck_assert_int_eq(Py_ReprEnter(objects[6]), 1);
    ck_assert_int_eq(Py_ReprEnter(objects[5]), 0);
    for (int i = 0; i < 20; i++) {
        Py_ReprLeave(objects[i]);
        Py_ReprLeave(objects[i]);
    }
    ck_assert_int_eq(Py_ReprEnter(objects[0]), 0);
    Py_ReprLeave(objects[0]);
    for (int i = 0; i < 20; i++)
        Py_DECREF(objects[i]);
}

START_TEST(list_in_itself_has_a_repr)
{
    PyObject *list = PyList_New(0);

    ck_assert_int_eq(PyList_Append(list, list), 0);
    suite_new_text(PyObject_Repr(list), "[[...]]");
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 1);
}

START_TEST(recursion_is_bounded_and_recovers)
{
    for (int round = 0; round < 2; round++) {
        int levels = 0;
        while (Py_EnterRecursiveCall(" in a test") == 0)
            levels++;
        ck_assert_int_gt(levels, 500);
        while (levels-- > 0)
            Py_LeaveRecursiveCall();
        suite_exception(PyExc_RecursionError,
                        "maximum recursion depth exceeded in a test");
        ck_assert_int_eq(Py_EnterRecursiveCall(""), 0);
        Py_LeaveRecursiveCall();
    }
}

START_TEST(deep_nesting_is_an_error_in_repr_and_comparison)
{
    PyObject *one = PyList_New(0), *other = PyList_New(0);

    for (int i = 0; i < 5000; i++) {
        PyObject *outer = suite_require(Py_BuildValue("[N]", one));
        one = outer;
        outer = suite_require(Py_BuildValue("[N]", other));
        other = outer;
    }
    suite_refused(PyObject_Repr(one), PyExc_RecursionError,
                  "maximum recursion depth exceeded while getting the repr of "
                  "an object");
    suite_failed(PyObject_RichCompareBool(one, other, Py_EQ),
                 PyExc_RecursionError,
                 "maximum recursion depth exceeded in comparison");
    suite_drop(one, other);
}

/* ------------------------------------------------------------------ */
/* What sources expect of Python.h besides the API                     */

Py_LOCAL(int) local_sum(int a, int b)
{
    return a + b;
}

Py_LOCAL_INLINE(int) local_sum_of_three(int a, int b, int c)
{
    return local_sum(a, local_sum(b, c));
}

START_TEST(macros_of_the_platform)
{
    static Py_ALIGNED(64) char buffer[1];
    const union {
        uint16_t number;
        unsigned char first;
    } one = {.number = 1};

    Py_BUILD_ASSERT(sizeof(int) >= 2);
    ck_assert_int_eq(Py_BUILD_ASSERT_EXPR(sizeof(char) == 1), 0);
    ck_assert_int_eq(local_sum_of_three(1, 2, 4), 7);
    ck_assert_uint_eq((uintptr_t)buffer % 64, 0);
    ck_assert_int_eq(one.first, PY_LITTLE_ENDIAN);
    ck_assert_int_eq(PY_BIG_ENDIAN, !PY_LITTLE_ENDIAN);
    ck_assert(PY_SIZE_MAX == SIZE_MAX && PY_ULLONG_MAX == ULLONG_MAX);
    ck_assert(PY_LLONG_MIN == LLONG_MIN && PY_LLONG_MAX == LLONG_MAX);
    ck_assert_int_eq(Py_ARITHMETIC_RIGHT_SHIFT(int, -8, 1), -4);
}
