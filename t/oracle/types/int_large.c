/* int_large.c: ints of any size, made by chance, in all operations and
   conversions.  Manual: "Numeric Types", "Integer Objects", "Integer string
   conversion length limitation". */

#include "oracle.h"

#include <math.h>
#include <stdint.h>

static PyObject *int_type = (PyObject *)&PyLong_Type;

/* ------------------------------------------------------------------ */
/* Numbers                                                             */

static uint64_t seed = 88172645463325252;

static unsigned
chance(unsigned limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 20) % limit;
}

/* 2 ** k - 1, 2 ** k or 2 ** k + 1, where limbs and digits end. */
static PyObject *
edge(void)
{
    static const int exponents[] = {0,   1,   15,  30,  31,  53,  54,  59,
                                    60,  61,  62,  63,  64,  65,  90,  126,
                                    127, 128, 129, 191, 192, 193, 320, 1023};
    PyObject *one = need(PyLong_FromLong(1));
    PyObject *by = need(PyLong_FromLong(exponents[chance(24)]));
    PyObject *away = need(PyLong_FromLong((long)chance(3) - 1));
    PyObject *power = need(PyNumber_Lshift(one, by));
    PyObject *op = need(PyNumber_Add(power, away));

    drop_all(one, by, away, power);
    return op;
}

/* Of bytes, half of which are all zeros or all ones. */
static PyObject *
of_bytes(unsigned most)
{
    unsigned char bytes[64];
    unsigned n = 1 + chance(most);

    for (unsigned i = 0; i < n; i++)
        bytes[i] = chance(2)   ? (unsigned char)chance(256)
                   : chance(2) ? 0xff
                               : 0;
    return need(_PyLong_FromByteArray(bytes, n, 1, 0));
}

static PyObject *
number(void)
{
    unsigned kind = chance(8);
    PyObject *op = kind == 0   ? need(PyLong_FromLong((long)chance(300)))
                   : kind == 1 ? of_bytes(8)
                   : kind < 4  ? edge()
                               : of_bytes(40);

    if (chance(2)) {
        PyObject *negative = need(PyNumber_Negative(op));
        Py_DECREF(op);
        op = negative;
    }
    return op;
}

static PyObject *
small(long limit)
{
    return need(PyLong_FromLong((long)chance((unsigned)limit)));
}

/* ------------------------------------------------------------------ */
/* Operations                                                          */

static void
show_operations(PyObject *a, PyObject *b)
{
    SHOW(PyNumber_Add(a, b));
    SHOW(PyNumber_Subtract(a, b));
    SHOW(PyNumber_Multiply(a, b));
    SHOW(PyNumber_FloorDivide(a, b));
    SHOW(PyNumber_Remainder(a, b));
    SHOW(PyNumber_Divmod(a, b));
    SHOW(PyNumber_TrueDivide(a, b));
    SHOW(PyNumber_And(a, b));
    SHOW(PyNumber_Or(a, b));
    SHOW(PyNumber_Xor(a, b));
    for (int op = Py_LT; op <= Py_GE; op++)
        say("%d: %d", op, PyObject_RichCompareBool(a, b, op));
}

static void
operations(void)
{
    for (int i = 0; i < 1000; i++) {
        PyObject *a = number(), *b = i % 50 == 0 ? Py_NewRef(a) : number();
        show_kept("a", a);
        show_kept("b", b);
        show_operations(a, b);
        drop_all(a, b);
    }
}

/* a == b * q + r: quotients of every kind. */
static void
divisions(void)
{
    for (int i = 0; i < 500; i++) {
        PyObject *b = number(), *q = number(), *r = number();
        PyObject *product = need(PyNumber_Multiply(b, q));
        PyObject *a = need(PyNumber_Add(product, r));
        SHOW(PyNumber_Divmod(a, b));
        SHOW(PyNumber_Divmod(product, b));
        SHOW(PyNumber_TrueDivide(a, b));
        SHOW(PyNumber_TrueDivide(product, b));
        drop_all(a, b, q, r, product);
    }
}

/* Quotients at the ends of the doubles, and in the middle of two of them. */
static void
true_divisions(void)
{
    for (int i = 0; i < 600; i++) {
        PyObject *a = of_bytes(16), *b = of_bytes(i % 3 == 0 ? 16 : 1);
        PyObject *by = need(PyLong_FromLong(880 + chance(400)));
        PyObject *far = need(PyNumber_Lshift(i % 2 ? a : b, by));
        SHOW(PyNumber_TrueDivide(far, i % 2 ? b : a));
        SHOW(PyNumber_TrueDivide(i % 2 ? b : a, far));
        SHOW(PyNumber_Float(far));
        drop_all(a, b, by, far);
    }
}

static void
shifts(void)
{
    for (int i = 0; i < 500; i++) {
        PyObject *op = number(), *by = small(300);
        SHOW(PyNumber_Lshift(op, by));
        SHOW(PyNumber_Rshift(op, by));
        drop_all(op, by);
    }
    PyObject *far =
        need(PyLong_FromString("1180591620717411303424", NULL, 10));
    PyObject *back = need(PyNumber_Negative(far));
    PyObject *zero = need(PyLong_FromLong(0)), *one = need(PyLong_FromLong(1));
    PyObject *most = need(PyLong_FromSsize_t(PY_SSIZE_T_MAX));
    SHOW(PyNumber_Lshift(zero, far));
    SHOW(PyNumber_Lshift(one, far));
    SHOW(PyNumber_Lshift(one, most));
    SHOW(PyNumber_Lshift(one, back));
    SHOW(PyNumber_Rshift(back, far));
    SHOW(PyNumber_Rshift(far, far));
    SHOW(PyNumber_Rshift(far, back));
    drop_all(far, back, zero, one, most);
}

static void
powers(void)
{
    for (int i = 0; i < 400; i++) {
        PyObject *a = number(), *b = number(), *c = number();
        PyObject *base = need(PyNumber_Negative(i % 2 ? of_bytes(4) : a));
        PyObject *exponent = small(40);
        SHOW(PyNumber_Power(base, exponent, Py_None));
        SHOW(PyNumber_Power(a, b, c));
        SHOW(PyNumber_Power(base, exponent, c));
        drop_all(a, b, c, base, exponent);
    }
}

static void
ask(PyObject *op, const char *name)
{
    show(name, PyObject_CallMethod(op, name, NULL));
}

static void
singles(void)
{
    for (int i = 0; i < 500; i++) {
        PyObject *op = number();
        show_kept("op", op);
        SHOW(PyNumber_Negative(op));
        SHOW(PyNumber_Absolute(op));
        SHOW(PyNumber_Invert(op));
        SHOW(PyNumber_Positive(op));
        SHOW(PyNumber_Float(op));
        RESULT(PyObject_IsTrue(op));
        RESULT(PyObject_Hash(op));
        RESULT(_PyLong_Sign(op));
        RESULT(_PyLong_NumBits(op));
        ask(op, "bit_length");
        ask(op, "bit_count");
        ask(op, "as_integer_ratio");
        ask(op, "conjugate");
        for (int digits = 2; digits > -40; digits -= 1 + (int)chance(9))
            show("round", PyObject_CallMethod(op, "__round__", "i", digits));
        Py_DECREF(op);
    }
}

/* ------------------------------------------------------------------ */
/* Doubles                                                             */

static void
show_beside(PyObject *op, double d)
{
    PyObject *real = need(PyFloat_FromDouble(d));

    show_kept("double", real);
    for (int sign = Py_LT; sign <= Py_GE; sign++)
        say("%d: %d %d", sign, PyObject_RichCompareBool(op, real, sign),
            PyObject_RichCompareBool(real, op, sign));
    SHOW(PyNumber_Add(op, real));
    SHOW(PyLong_FromDouble(d));
    if (isfinite(d))
        ask(real, "as_integer_ratio");
    Py_DECREF(real);
}

/* The next double away from 0, or towards it. */
static double
neighbour(double d, int step)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    bits += d == 0.0 ? 1 : (uint64_t)(int64_t)step;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static void
doubles(void)
{
    for (int i = 0; i < 400; i++) {
        PyObject *op = number();
        double near = PyLong_AsDouble(op);
        show_kept("op", op);
        show_beside(op, near);
        show_beside(op, neighbour(near, 1));
        show_beside(op, neighbour(near, -1));
        show_beside(
            op, ldexp((double)chance(1000) + 0.5, (int)chance(1900) - 1000));
        Py_DECREF(op);
    }
    PyObject *op = need(PyLong_FromString("9"
                                          "00000000000000000000",
                                          NULL, 36));
    show_beside(op, INFINITY);
    show_beside(op, -INFINITY);
    show_beside(op, NAN);
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* Bytes and C numbers                                                 */

static void
show_array(PyObject *op, size_t n, int little, int is_signed)
{
    unsigned char bytes[64] = {0};
    char hex[2 * sizeof bytes + 1] = "";
#if PY_VERSION_HEX < 0x030D0000
    int result =
        _PyLong_AsByteArray((PyLongObject *)op, bytes, n, little, is_signed);
#else
    int result = _PyLong_AsByteArray((PyLongObject *)op, bytes, n, little,
                                     is_signed, 1);
#endif
    if (result < 0) {
        error();
        return;
    }
    for (size_t i = 0; i < n; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    say("array: %s", hex);
    show("back", _PyLong_FromByteArray(bytes, n, little, is_signed));
}

static void
arrays(void)
{
    for (int i = 0; i < 500; i++) {
        PyObject *op = number();
        size_t enough = _PyLong_NumBits(op) / 8 + 1;
        show_kept("op", op);
        for (int kind = 0; kind < 4; kind++) {
            show_array(op, chance(50), kind & 1, kind >> 1);
            if (enough <= 42)
                for (size_t n = enough - 1; n <= enough + 1; n++)
                    show_array(op, n, kind & 1, kind >> 1);
        }
        PyObject *length = need(PyLong_FromSize_t(chance(48)));
        show("to_bytes",
             PyObject_CallMethod(op, "to_bytes", "Os", length, "little"));
        drop_all(op, length);
    }
    show("from_bytes", PyObject_CallMethod(int_type, "from_bytes", "ys",
                                           "0123456789abcdef", "big"));
}

static void
c_numbers(void)
{
    for (int i = 0; i < 500; i++) {
        PyObject *op = number();
        int overflow = 7;
        show_kept("op", op);
        RESULT(PyLong_AsLong(op));
        RESULT(PyLong_AsLongLong(op));
        RESULT(PyLong_AsSsize_t(op));
        RESULT(PyLong_AsSize_t(op));
        RESULT(PyLong_AsUnsignedLong(op));
        RESULT(PyLong_AsUnsignedLongLong(op));
        RESULT(PyLong_AsUnsignedLongMask(op));
        RESULT(PyLong_AsUnsignedLongLongMask(op));
        RESULT(PyLong_AsVoidPtr(op));
        RESULT(PyLong_AsLongAndOverflow(op, &overflow));
        say("overflow %d", overflow);
        RESULT(PyLong_AsLongLongAndOverflow(op, &overflow));
        say("overflow %d", overflow);
        RESULT(PyNumber_AsSsize_t(op, NULL));
        RESULT(PyNumber_AsSsize_t(op, PyExc_IndexError));
        say("double %a", PyLong_AsDouble(op));
        Py_DECREF(op);
    }
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

static void
digits_in_bases(void)
{
    for (int i = 0; i < 1500; i++) {
        int base = 2 + (int)chance(35);
        unsigned length = 1 + chance(90);
        char text[256], *p = text, *end;
        if (chance(4) == 0)
            *p++ = "+-"[chance(2)];
        for (unsigned n = 0; n < length; n++) {
            *p++ = "0123456789abcdefghijklmnopqrstuvwxyz"[chance(
                (unsigned)base + (chance(500) == 0))];
            if (chance(30) == 0)
                *p++ = '_';
        }
        *p = '\0';
        PyObject *op = PyLong_FromString(text, &end, base);
        say("base %d: %s: %d", base, text, (int)(end - text));
        show("int", op);
    }
}

static void
show_percent(const char *format, PyObject *op)
{
    PyObject *text = need(PyUnicode_FromString(format));
    PyObject *args = need(PyTuple_Pack(1, op));

    show(format, PyUnicode_Format(text, args));
    drop_all(text, args);
}

static void
texts(void)
{
    static const char *const formats[] = {"%d",  "%x",     "%#X",    "%o",
                                          "%#o", "%+.90d", "%0120d", "%-99x|",
                                          "% i", "%s",     "%r"};

    for (int i = 0; i < 200; i++) {
        PyObject *op = number();
        SHOW(PyNumber_ToBase(op, 2));
        SHOW(PyNumber_ToBase(op, 8));
        SHOW(PyNumber_ToBase(op, 10));
        SHOW(PyNumber_ToBase(op, 16));
        for (size_t k = 0; k < Py_ARRAY_LENGTH(formats); k++)
            show_percent(formats[k], op);
        Py_DECREF(op);
    }
}

static PyObject *
sys_call(const char *name, const char *format, long v)
{
    PyObject *function = need(Py_NewRef(PySys_GetObject(name)));
    PyObject *result = PyObject_CallFunction(function, format, v);

    Py_DECREF(function);
    return result;
}

/* A text of that many digits, and what may stand behind it. */
static void
show_long_text(size_t digits, int base, const char *behind)
{
    char *text = need(PyMem_Malloc(digits + 20));

    memset(text, '1', digits);
    strcpy(text + digits, behind);
    PyObject *op = PyLong_FromString(text, NULL, base), *shown = NULL;
    say("%d digits, base %d", (int)digits, base);
    if (op == NULL)
        error();
    else {
        RESULT(PyObject_Hash(op));
        shown = PyObject_Repr(op);
        if (shown == NULL)
            error();
        else
            RESULT(PyUnicode_GetLength(shown));
        show_percent("%.0s", op);
    }
    Py_XDECREF(shown);
    Py_XDECREF(op);
    PyMem_Free(text);
}

static void
show_limits(void)
{
    show_long_text(640, 10, "");
    show_long_text(641, 10, "");
    show_long_text(4300, 10, "");
    show_long_text(4300, 10, "_0");
    show_long_text(4301, 10, "");
    show_long_text(4301, 10, "x");
    show_long_text(4301, 10, "__0");
    show_long_text(4301, 9, "");
    show_long_text(4301, 16, "");
    show_long_text(20000, 32, "");
    show_long_text(20000, 36, "");
}

static void
limits(void)
{
    show("limit", sys_call("get_int_max_str_digits", NULL, 0));
    show_limits();
    show("set", sys_call("set_int_max_str_digits", "(l)", 640));
    show_limits();
    show("set", sys_call("set_int_max_str_digits", "(l)", 0));
    show("limit", sys_call("get_int_max_str_digits", NULL, 0));
    show_limits();
    show("set", sys_call("set_int_max_str_digits", "(l)", 639));
    show("set", sys_call("set_int_max_str_digits", "(l)", -1));
    show("set", sys_call("set_int_max_str_digits", "(l)", 1L << 40));
    show("set", sys_call("set_int_max_str_digits", NULL, 0));
}

/* ------------------------------------------------------------------ */
/* Large ones                                                          */

/* Thousands of digits: GMP has other algorithms for them. */
static void
huge(void)
{
    for (int i = 0; i < 6; i++) {
        PyObject *three = need(PyLong_FromLong(3 + i));
        PyObject *power = need(PyLong_FromLong(20000 + 3000 * i));
        PyObject *a = need(PyNumber_Power(three, power, Py_None));
        PyObject *b = need(PyNumber_Power(power, three, Py_None));
        PyObject *product = need(PyNumber_Multiply(a, a));
        PyObject *quotient = need(PyNumber_FloorDivide(product, b));
        RESULT(PyObject_Hash(a));
        RESULT(PyObject_Hash(product));
        RESULT(PyObject_Hash(quotient));
        SHOW(PyNumber_Remainder(product, b));
        SHOW(PyNumber_TrueDivide(a, product));
        SHOW(PyNumber_TrueDivide(product, a));
        SHOW(PyNumber_Float(a));
        PyObject *text = need(PyObject_Str(product));
        PyObject *back = need(PyLong_FromUnicodeObject(text, 10));
        RESULT(PyObject_Hash(back));
        RESULT(PyObject_RichCompareBool(back, product, Py_EQ));
        drop_all(three, power, a, b, product, quotient, text, back);
    }
}

void
oracle_program(void)
{
    operations();
    divisions();
    true_divisions();
    shifts();
    powers();
    singles();
    doubles();
    arrays();
    c_numbers();
    digits_in_bases();
    texts();
    limits();
    huge();
}
