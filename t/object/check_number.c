/* check_number.c: the number protocol: which slot is asked, in which order,
   and what is said when none knows. */

#include "../support/suite.h"

/* ------------------------------------------------------------------ */
/* Types with slots that tell which object was asked                   */

static char asked[100];

/* Adds a name to the list of those asked. */
static void
note(const char *name)
{
    strcat(asked, name);
}

static PyObject *
base_add(PyObject *Py_UNUSED(x), PyObject *Py_UNUSED(y))
{
    note("base ");
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
sub_add(PyObject *Py_UNUSED(x), PyObject *Py_UNUSED(y))
{
    note("sub ");
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
base_inplace_add(PyObject *Py_UNUSED(x), PyObject *Py_UNUSED(y))
{
    note("inplace ");
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
base_power(PyObject *Py_UNUSED(x), PyObject *Py_UNUSED(y),
           PyObject *Py_UNUSED(z))
{
    note("power ");
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
other_power(PyObject *Py_UNUSED(x), PyObject *Py_UNUSED(y),
            PyObject *Py_UNUSED(z))
{
    note("other ");
    return PyLong_FromLong(42);
}

static PyObject *
other_index(PyObject *Py_UNUSED(self))
{
    return PyLong_FromLong(77);
}

static PyObject *
bad_index(PyObject *Py_UNUSED(self))
{
    return PyUnicode_FromString("77");
}

static PyObject *
bad_float(PyObject *Py_UNUSED(self))
{
    return PyLong_FromLong(77);
}

/* A heap type "m.NAME" with the slots. */
static PyObject *
new_type(const char *name, PyObject *base, PyType_Slot *slots)
{
    PyType_Spec spec = {name, 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                        slots};
    return suite_require(PyType_FromSpecWithBases(&spec, base));
}

static PyObject *base_type, *sub_type, *other_type, *bad_type;
static PyObject *base, *sub, *other, *bad;

/* Makes the types above and an instance of each.  The children that the tests
   run in do not free them. */
static void
make_types(void)
{
    PyType_Slot base_slots[] = {{Py_nb_add, (void *)base_add},
                                {Py_nb_inplace_add, (void *)base_inplace_add},
                                {Py_nb_power, (void *)base_power},
                                {0, NULL}};
    PyType_Slot sub_slots[] = {{Py_nb_add, (void *)sub_add}, {0, NULL}};
    PyType_Slot other_slots[] = {{Py_nb_power, (void *)other_power},
                                 {Py_nb_index, (void *)other_index},
                                 {0, NULL}};
    PyType_Slot bad_slots[] = {{Py_nb_index, (void *)bad_index},
                               {Py_nb_int, (void *)bad_index},
                               {Py_nb_float, (void *)bad_float},
                               {0, NULL}};

    base_type = new_type("m.Base", NULL, base_slots);
    sub_type = new_type("m.Sub", base_type, sub_slots);
    other_type = new_type("m.Other", NULL, other_slots);
    bad_type = new_type("m.Bad", NULL, bad_slots);
    ck_assert_ptr_nonnull(base = PyObject_CallNoArgs(base_type));
    ck_assert_ptr_nonnull(sub = PyObject_CallNoArgs(sub_type));
    ck_assert_ptr_nonnull(other = PyObject_CallNoArgs(other_type));
    ck_assert_ptr_nonnull(bad = PyObject_CallNoArgs(bad_type));
    asked[0] = '\0';
}

/* These were asked, in this order, since the last call. */
static void
assert_asked(const char *names)
{
    ck_assert_str_eq(asked, names);
    asked[0] = '\0';
}

/* ------------------------------------------------------------------ */

START_TEST(order_of_binary_slots)
{
    make_types();
    PyObject *one = PyLong_FromLong(1);

    suite_refused(PyNumber_Add(base, base), PyExc_TypeError,
                  "unsupported operand type(s) for +: 'm.Base' and 'm.Base'");
    assert_asked("base ");
    suite_refused(PyNumber_Add(base, sub), PyExc_TypeError, NULL);
    assert_asked("sub base ");
    suite_refused(PyNumber_Add(sub, base), PyExc_TypeError, NULL);
    assert_asked("sub base ");
    suite_refused(PyNumber_Add(one, base), PyExc_TypeError,
                  "unsupported operand type(s) for +: 'int' and 'm.Base'");
    assert_asked("base ");
    suite_refused(PyNumber_InPlaceAdd(base, one), PyExc_TypeError,
                  "unsupported operand type(s) for +=: 'm.Base' and 'int'");
    assert_asked("inplace base ");
}

START_TEST(order_of_power_slots)
{
    make_types();
    PyObject *two = PyLong_FromLong(2);

    suite_new_repr(PyNumber_Power(base, other, Py_None), "42");
    assert_asked("power other ");
    suite_new_repr(PyNumber_Power(two, two, other), "42");
    assert_asked("other ");
    suite_refused(
        PyNumber_Power(base, two, Py_None), PyExc_TypeError,
        "unsupported operand type(s) for ** or pow(): 'm.Base' and 'int'");
    assert_asked("power ");
    suite_refused(PyNumber_InPlacePower(base, two, Py_None), PyExc_TypeError,
                  "unsupported operand type(s) for **=: 'm.Base' and 'int'");
    assert_asked("power ");
    PyObject *text = PyUnicode_FromString("a");
    suite_refused(
        PyNumber_Power(two, text, text), PyExc_TypeError,
        "unsupported operand type(s) for ** or pow(): 'int', 'str', 'str'");
    Py_DECREF(text);
}

START_TEST(unsupported_operands)
{
    static const struct {
        binaryfunc function;
        const char *sign;
    } cases[] = {
        {PyNumber_Subtract, "-"},
        {PyNumber_MatrixMultiply, "@"},
        {PyNumber_FloorDivide, "//"},
        {PyNumber_TrueDivide, "/"},
        {PyNumber_Remainder, "%"},
        {PyNumber_Divmod, "divmod()"},
        {PyNumber_Lshift, "<<"},
        {PyNumber_Rshift, ">>"},
        {PyNumber_And, "&"},
        {PyNumber_Xor, "^"},
        {PyNumber_Or, "|"},
        {PyNumber_Add, "+"},
        {PyNumber_Multiply, "*"},
        {PyNumber_InPlaceSubtract, "-="},
        {PyNumber_InPlaceMatrixMultiply, "@="},
        {PyNumber_InPlaceFloorDivide, "//="},
        {PyNumber_InPlaceTrueDivide, "/="},
        {PyNumber_InPlaceRemainder, "%="},
        {PyNumber_InPlaceLshift, "<<="},
        {PyNumber_InPlaceRshift, ">>="},
        {PyNumber_InPlaceAnd, "&="},
        {PyNumber_InPlaceXor, "^="},
        {PyNumber_InPlaceOr, "|="},
        {PyNumber_InPlaceAdd, "+="},
        {PyNumber_InPlaceMultiply, "*="},
    };
    PyObject *one = PyLong_FromLong(1);

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        char expected[100];
        snprintf(expected, sizeof expected,
                 "unsupported operand type(s) for %s: 'int' and 'NoneType'",
                 cases[i].sign);
        suite_refused(cases[i].function(one, Py_None), PyExc_TypeError,
                      expected);
        suite_refused(cases[i].function(NULL, one), PyExc_SystemError,
                      "null argument to internal routine");
    }
}

START_TEST(bad_operand_of_unary)
{
    PyObject *text = PyUnicode_FromString("a");

    suite_refused(PyNumber_Negative(text), PyExc_TypeError,
                  "bad operand type for unary -: 'str'");
    suite_refused(PyNumber_Positive(text), PyExc_TypeError,
                  "bad operand type for unary +: 'str'");
    suite_refused(PyNumber_Invert(text), PyExc_TypeError,
                  "bad operand type for unary ~: 'str'");
    suite_refused(PyNumber_Absolute(text), PyExc_TypeError,
                  "bad operand type for abs(): 'str'");
    Py_DECREF(text);
}

START_TEST(sequences_add_and_repeat)
{
    make_types();
    PyObject *list = Py_BuildValue("[ii]", 1, 2), *two = PyLong_FromLong(2);
    PyObject *half = PyFloat_FromDouble(0.5);

    suite_new_repr(PyNumber_Add(list, list), "[1, 2, 1, 2]");
    suite_new_repr(PyNumber_Multiply(list, two), "[1, 2, 1, 2]");
    suite_new_repr(PyNumber_Multiply(two, list), "[1, 2, 1, 2]");
    PyObject *same = PyNumber_InPlaceMultiply(list, two);
    ck_assert_ptr_eq(same, list);
    ck_assert_int_eq(PyList_Size(list), 4);
    Py_DECREF(same);
    ck_assert_ptr_eq(same = PyNumber_InPlaceAdd(list, list), list);
    ck_assert_int_eq(PyList_Size(list), 8);
    Py_DECREF(same);
    suite_refused(PyNumber_Multiply(list, half), PyExc_TypeError,
                  "can't multiply sequence by non-int of type 'float'");
    suite_refused(PyNumber_Multiply(list, list), PyExc_TypeError,
                  "can't multiply sequence by non-int of type 'list'");
    PyObject *large = PyLong_FromUnsignedLongLong(ULLONG_MAX);
    suite_refused(PyNumber_Multiply(list, large), PyExc_OverflowError,
                  "cannot fit 'int' into an index-sized integer");
    suite_drop(large, half, list);
}

START_TEST(what_is_a_number)
{
    make_types();
    PyObject *z = PyComplex_FromDoubles(0, 1);

    ck_assert_int_eq(PyNumber_Check(Py_True), 1);
    ck_assert_int_eq(PyNumber_Check(z), 1);
    ck_assert_int_eq(PyNumber_Check(other), 1);
    ck_assert_int_eq(PyNumber_Check(base), 0);
    ck_assert_int_eq(PyNumber_Check(Py_None), 0);
    ck_assert_int_eq(PyNumber_Check(NULL), 0);
    ck_assert_int_eq(PyIndex_Check(other), 1);
    ck_assert_int_eq(PyIndex_Check(z), 0);
    Py_DECREF(z);
}

START_TEST(indexing)
{
    make_types();

    suite_new_repr(PyNumber_Index(other), "77");
    suite_new_repr(PyNumber_Index(Py_True), "1");
    suite_new_repr(PyNumber_ToBase(other, 16), "'0x4d'");
    ck_assert_int_eq(PyLong_AsLong(other), 77);
    ck_assert(PyFloat_AsDouble(other) == 77.0);
    suite_refused(PyNumber_Index(bad), PyExc_TypeError,
                  "__index__ returned non-int (type str)");
    suite_refused(PyNumber_Index(Py_None), PyExc_TypeError,
                  "'NoneType' object cannot be interpreted as an integer");
}

START_TEST(as_ssize_t)
{
    PyObject *large = PyLong_FromUnsignedLongLong(ULLONG_MAX);
    PyObject *least = PyNumber_Negative(large);

    ck_assert(PyNumber_AsSsize_t(large, NULL) == PY_SSIZE_T_MAX);
    ck_assert(PyNumber_AsSsize_t(least, NULL) == PY_SSIZE_T_MIN);
    ck_assert_ptr_null(PyErr_Occurred());
    suite_failed(PyNumber_AsSsize_t(large, PyExc_IndexError), PyExc_IndexError,
                 "cannot fit 'int' into an index-sized integer");
    suite_failed(PyNumber_AsSsize_t(Py_None, NULL), PyExc_TypeError, NULL);
    suite_drop(large, least);
}

START_TEST(long_and_float)
{
    make_types();
    PyObject *text = PyUnicode_FromString(" 12 ");
    PyObject *bytes = PyBytes_FromStringAndSize("12\0", 3);

    suite_new_repr(PyNumber_Long(text), "12");
    suite_new_repr(PyNumber_Float(text), "12.0");
    suite_new_repr(PyNumber_Long(other), "77");
    suite_new_repr(PyNumber_Float(other), "77.0");
    suite_refused(PyNumber_Long(bytes), PyExc_ValueError,
                  "invalid literal for int() with base 10: b'12\\x00'");
    PyObject *array = PyByteArray_FromObject(bytes);
    suite_refused(PyNumber_Long(array), PyExc_ValueError,
                  "invalid literal for int() with base 10: b'12\\x00'");
    Py_DECREF(array);
    suite_refused(PyNumber_Long(bad), PyExc_TypeError,
                  "__int__ returned non-int (type str)");
    suite_refused(PyNumber_Float(bad), PyExc_TypeError,
                  "m.Bad.__float__ returned non-float (type int)");
    suite_refused(PyNumber_Long(Py_None), PyExc_TypeError,
                  "int() argument must be a string, a bytes-like object or a "
                  "real number, not 'NoneType'");
    suite_drop(text, bytes);
}
