/* number_methods.c: the methods of float and int.  Manual: "Additional Methods
   on Float", "Additional Methods on Integer Types". */

#include "oracle.h"

#include <float.h>

static PyObject *float_type = (PyObject *)&PyFloat_Type;
static PyObject *int_type = (PyObject *)&PyLong_Type;

/* Calls the method without arguments. */
static void
ask(PyObject *op, const char *name)
{
    show(name, PyObject_CallMethod(op, name, NULL));
}

static void
show_float(double v)
{
    PyObject *op = need(PyFloat_FromDouble(v));

    show_kept("float", op);
    ask(op, "hex");
    ask(op, "is_integer");
    ask(op, "__round__");
    ask(op, "__trunc__");
    ask(op, "__floor__");
    ask(op, "__ceil__");
    show("back",
         PyObject_CallMethod(float_type, "fromhex", "N",
                             need(PyObject_CallMethod(op, "hex", NULL))));
    for (int digits = -6; digits < 7; digits++)
        show("rounded", PyObject_CallMethod(op, "__round__", "i", digits));
    Py_DECREF(op);
}

static void
show_ratio(double v)
{
    PyObject *op = need(PyFloat_FromDouble(v));

    show_kept("float", op);
    ask(op, "as_integer_ratio");
    Py_DECREF(op);
}

static void
floats(void)
{
    static const double values[] = {
        0.0,     -0.0,    0.5,       -0.5,   1.5,         2.5,
        -2.5,    0.1,     1e-5,      1e16,   123456.5,    55555.5,
        500.0,   5.0,     5.5,       15.0,   250000,      49999.99,
        2.675,   -1.005,  1e22,      999.95, 999999,      5e5,
        1e6,     0.15,    500000.25, 95,     5e-324,      1e-310,
        DBL_MIN, DBL_MAX, -1e300,    1e37,   Py_HUGE_VAL, Py_NAN,
    };
    static const int far[] = {-310, -309, -308, -307, -300, -23, -22,
                              15,   16,   17,   300,  323,  324, 1000};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(values); i++)
        if (fabs(values[i]) < 1e38 || !Py_IS_FINITE(values[i]))
            show_float(values[i]);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(values); i++) {
        PyObject *op = need(PyFloat_FromDouble(values[i]));
        for (size_t k = 0; k < Py_ARRAY_LENGTH(far); k++)
            show("rounded", PyObject_CallMethod(op, "__round__", "i", far[k]));
        Py_DECREF(op);
    }
    show_ratio(0.0);
    show_ratio(-0.75);
    show_ratio(0.1);
    show_ratio(6.0);
    show_ratio(1e37);
    show_ratio(0x1p-126);
    show_ratio(Py_HUGE_VAL);
    show_ratio(Py_NAN);
}

static void
from_hex(void)
{
    static const char *const texts[] = {
        "1",
        "",
        "1 1",
        "0x1.p1",
        ".8",
        ".",
        "0x",
        "0x.",
        "1p",
        "1p+",
        "p1",
        "1e5",
        "1p99999999999999999999",
        "0p99999999999999999999",
        "1p-99999999999999999999",
        "1p1024",
        "0x1.fffffffffffff8p1023",
        "0x1.fffffffffffff7p1023",
        "0x0.00000000000008p-1022",
        "0x0.00000000000008000000001p-1022",
        "0x1.00000000000008p0",
        "0x1.00000000000018p0",
        "-0x1.000000000000080000000000000001p0",
        "-Inf",
        " infinity\t",
        "+nan",
        "nonsense",
        "infinit",
        "- 1",
        "--1",
        "0x1_0",
        "\u00a01",
        "0x1p+ 1",
        "-0x0p0",
        "-0XAbCP-3\n",
        "0xg",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++)
        show(texts[i],
             PyObject_CallMethod(float_type, "fromhex", "s", texts[i]));
    SHOW(PyObject_CallMethod(float_type, "fromhex", "s#", "1\0",
                             (Py_ssize_t)2));
    SHOW(PyObject_CallMethod(float_type, "fromhex", "i", 1));
    SHOW(PyObject_CallMethod(float_type, "fromhex", NULL));
}

static void
wrong_arguments(void)
{
    PyObject *one = need(PyFloat_FromDouble(1.25)), *five = PyLong_FromLong(5);

    SHOW(PyObject_CallMethod(one, "__round__", "s", "a"));
    SHOW(PyObject_CallMethod(one, "__round__", "O", Py_None));
    SHOW(PyObject_CallMethod(one, "__round__", "ii", 1, 2));
    SHOW(PyObject_CallMethod(one, "__round__", "i", INT_MIN));
    SHOW(PyObject_CallMethod(one, "__round__", "i", INT_MAX));
    SHOW(PyObject_CallMethod(five, "__round__", "s", "a"));
    SHOW(PyObject_CallMethod(five, "__round__", "O", Py_None));
    SHOW(PyObject_CallMethod(five, "__round__", "ii", 1, 2));
    SHOW(PyObject_CallMethod(one, "hex", "i", 1));
    drop_all(one, five);
}

static void
ints(void)
{
    static const long values[] = {0,  1,  -1,  5,  15,  25,       -25,
                                  45, 55, 149, 99, 150, LONG_MAX, LONG_MIN};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(values); i++) {
        PyObject *op = need(PyLong_FromLong(values[i]));
        show_kept("int", op);
        ask(op, "__round__");
        ask(op, "__trunc__");
        ask(op, "__floor__");
        ask(op, "__ceil__");
        ask(op, "as_integer_ratio");
        for (int digits = -21; digits < 2; digits++)
            show("rounded", PyObject_CallMethod(op, "__round__", "i", digits));
        SHOW(PyObject_CallMethod(op, "__round__", "i", -1000));
        Py_DECREF(op);
    }
    ask(Py_True, "__round__");
    ask(Py_True, "as_integer_ratio");
}

/* v.to_bytes(length, order, signed=is_signed), and back. */
static void
bytes_of(long v, Py_ssize_t length, const char *order, int is_signed)
{
    PyObject *op = need(PyLong_FromLong(v));
    PyObject *method = need(PyObject_GetAttrString(op, "to_bytes"));
    PyObject *back = need(PyObject_GetAttrString(int_type, "from_bytes"));
    PyObject *args = need(Py_BuildValue("(ns)", length, order));
    PyObject *kwds = need(Py_BuildValue("{s:i}", "signed", is_signed));
    PyObject *bytes = PyObject_Call(method, args, kwds);

    say("%ld in %zd bytes, %s, signed %d", v, length, order, is_signed);
    if (bytes == NULL) {
        error();
    } else {
        show_kept("to_bytes", bytes);
        Py_SETREF(args, need(Py_BuildValue("(Ns)", bytes, order)));
        show("from_bytes", PyObject_Call(back, args, kwds));
    }
    drop_all(op, method, back, args, kwds);
}

static void
bytes(void)
{
    static const long values[] = {0,   1,    -1,  127,    128,      -128,
                                  255, -129, 256, 0x1234, LONG_MAX, LONG_MIN};
    static const Py_ssize_t lengths[] = {-1, 0, 1, 2, 8, 20};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(values); i++)
        for (size_t k = 0; k < Py_ARRAY_LENGTH(lengths); k++)
            for (int is_signed = 0; is_signed < 2; is_signed++) {
                bytes_of(values[i], lengths[k], "big", is_signed);
                bytes_of(values[i], lengths[k], "little", is_signed);
            }
    bytes_of(5, 1, "middle", 0);
    SHOW(PyObject_CallMethod(Py_True, "to_bytes", NULL));
    SHOW(PyObject_CallMethod(Py_True, "to_bytes", "s", "a"));
    SHOW(PyObject_CallMethod(Py_True, "to_bytes", "isi", 1, "big", 1));
    SHOW(PyObject_CallMethod(int_type, "from_bytes", "[ii]", 1, 2));
    SHOW(PyObject_CallMethod(int_type, "from_bytes", "s", "a"));
    SHOW(PyObject_CallMethod(int_type, "from_bytes", "i", 5));
    SHOW(PyObject_CallMethod(int_type, "from_bytes", "ys", "a", "x"));
    SHOW(PyObject_CallMethod(int_type, "from_bytes", NULL));
    SHOW(
        PyObject_CallMethod((PyObject *)&PyBool_Type, "from_bytes", "y", "a"));
}

void
oracle_program(void)
{
    floats();
    from_hex();
    wrong_arguments();
    ints();
    bytes();
}
