/* format_specs.c: __format__ of the built-in types: specifiers by hand and by
   chance.  Python: "Format Specification Mini-Language". */

#include "oracle.h"

#include <math.h>

enum { VALUES = 24 };
static PyObject *values[VALUES];

static void
make_values(void)
{
    int n = 0;

    values[n++] = PyLong_FromLong(0);
    values[n++] = PyLong_FromLong(7);
    values[n++] = PyLong_FromLong(-42);
    values[n++] = PyLong_FromLong(1234);
    values[n++] = PyLong_FromLong(123456789);
    values[n++] = PyLong_FromLong(0x20ac);
    values[n++] =
        PyLong_FromString("-12345678901234567890123456789", NULL, 10);
    values[n++] = Py_NewRef(Py_True);
    values[n++] = PyFloat_FromDouble(0.0);
    values[n++] = PyFloat_FromDouble(-0.0);
    values[n++] = PyFloat_FromDouble(-0.001);
    values[n++] = PyFloat_FromDouble(1.5);
    values[n++] = PyFloat_FromDouble(-12345.678);
    values[n++] = PyFloat_FromDouble(1e20);
    values[n++] = PyFloat_FromDouble(1e-7);
    values[n++] = PyFloat_FromDouble(9999999.5);
    values[n++] = PyFloat_FromDouble(Py_HUGE_VAL);
    values[n++] = PyFloat_FromDouble(Py_NAN);
    values[n++] = PyComplex_FromDoubles(0.0, 1.5);
    values[n++] = PyComplex_FromDoubles(-0.0, -2.0);
    values[n++] = PyComplex_FromDoubles(1234.5, -Py_HUGE_VAL);
    values[n++] = PyUnicode_FromString("");
    values[n++] = PyUnicode_FromString("h\u00e9llo");
    values[n++] = Py_NewRef(Py_None);
    for (int i = 0; i < n; i++)
        need(values[i]);
}

/* Texts of one value with all that it is asked for, a line each. */
static void
format_one(PyObject *value, const char *spec)
{
    PyObject *text = need(PyUnicode_FromString(spec));
    char label[64];

    snprintf(label, sizeof label, "%s '%s'", Py_TYPE(value)->tp_name, spec);
    show(label, PyObject_Format(value, text));
    Py_DECREF(text);
}

static void
format_all(const char *spec)
{
    for (int i = 0; i < VALUES; i++)
        format_one(values[i], spec);
}

static void
by_hand(void)
{
    static const char *const specs[] = {
        "",
        "d",
        "5",
        "<5",
        ">5",
        "^6",
        "=6",
        "06",
        "-06",
        "+",
        " ",
        "*^9",
        "<06",
        "x=+8",
        "#x",
        "#X",
        "#b",
        "#o",
        "#010x",
        "#_b",
        "_x",
        "_d",
        ",",
        "010,",
        "011,",
        "012,",
        "013_",
        "08_b",
        "#012_X",
        "+,.2f",
        ".0f",
        "#.0f",
        "#.3g",
        "#",
        "z.1f",
        "z",
        "zd",
        "+z.0f",
        ".3",
        ".30f",
        "e",
        ".2E",
        "g",
        "G",
        "n",
        "010n",
        "%",
        ".1%",
        ",.1%",
        "F",
        "c",
        "5c",
        "^5c",
        "=5c",
        "05c",
        "+c",
        "#c",
        "s",
        ".2s",
        "10.3s",
        "+s",
        " s",
        "zs",
        "#s",
        "=5s",
        "05s",
        ",s",
        "_c",
        ",b",
        ",n",
        "_n",
        "k",
        "\u00e9",
        "\u00e9<6",
        "\u20ac^9",
        "<<5",
        "==7",
        "{<4",
        ",_",
        "_,",
        ",,",
        "__",
        ".",
        "5.",
        "5.x",
        "5.2.1",
        "5d5",
        "dd",
        "\x01",
        ",\x01",
        ".2d",
        "+-",
        "0",
        "00",
        "0<5",
        "000005",
        "\u0665",
        "\u0661\u0662",
        "5\u00e9",
        "zz",
        "##",
        "- ",
        "99999999999999999999",
        ".99999999999999999999",
        ".2147483648f",
        ".9999999999",
        "r",
        "a",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(specs); i++)
        format_all(specs[i]);
}

/* A specifier of parts that are each there or not, and now and then of any
   characters. */
static void
by_chance(char spec[32])
{
    static const char any[] = "<>=^+- z#0123456789,_.bcdeEfFgGnosxX%*!";
    char *p = spec;

    *p = '\0';
    if (pick(8) == 0) {
        for (unsigned n = pick(7); n > 0; n--)
            *p++ = any[pick(sizeof any - 1)];
        *p = '\0';
        return;
    }
    if (pick(4) == 0)
        *p++ = any[pick(sizeof any - 1)];
    if (p > spec || pick(3) == 0)
        *p++ = "<>=^"[pick(4)];
    if (pick(3) == 0)
        *p++ = "+- "[pick(3)];
    if (pick(8) == 0)
        *p++ = 'z';
    if (pick(4) == 0)
        *p++ = '#';
    if (pick(3) == 0)
        *p++ = '0';
    if (pick(2) == 0)
        p += snprintf(p, 8, "%d", pick(pick(4) ? 12 : 40));
    if (pick(3) == 0)
        *p++ = ",_"[pick(2)];
    if (pick(3) == 0)
        p += snprintf(p, 8, ".%d", pick(20));
    if (pick(4) != 0)
        *p++ = "bcdeEfFgGnosxX%"[pick(15)];
    *p = '\0';
}

static PyObject *
returns_int(PyObject *self, PyObject *spec)
{
    return PyLong_FromLong(5);
}

static PyObject *
returns_repr(PyObject *self, PyObject *spec)
{
    return PyObject_Repr(spec);
}

static void
own_types(PyCFunction function)
{
    PyMethodDef methods[] = {{"__format__", function, METH_O, NULL},
                             {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, NULL}};
    PyType_Spec spec = {"m.Own", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT,
                        slots};
    PyObject *type = need(PyType_FromSpec(&spec));
    PyObject *op = need(PyObject_CallNoArgs(type));

    SHOW(PyObject_Format(op, NULL));
    format_one(op, "");
    format_one(op, "any thing");
    drop_all(op, type);
}

static void
arguments(void)
{
    PyObject *plain =
        need(PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type));

    SHOW(PyObject_Format(values[1], NULL));
    SHOW(PyObject_Format(Py_None, NULL));
    SHOW(PyObject_Format(values[1], Py_True));
    for (int i = 0; i < VALUES; i++) {
        SHOW(PyObject_CallMethod(values[i], "__format__", "i", 5));
        SHOW(PyObject_CallMethod(values[i], "__format__", "O", Py_None));
        SHOW(PyObject_CallMethod(values[i], "__format__", NULL));
    }
    format_one(plain, "5");
    SHOW(PyObject_CallMethod(plain, "__format__", "i", 5));
    SHOW(PyObject_CallMethod(plain, "__format__", "O", Py_None));
    Py_DECREF(plain);
    own_types(returns_int);
    own_types(returns_repr);
}

/* Subclasses of the built-in types, which str() may override. */
static void
subclasses(void)
{
    static PyTypeObject *const types[] = {&PyLong_Type, &PyFloat_Type,
                                          &PyUnicode_Type, &PyComplex_Type};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        PyObject *type = call_type(&PyType_Type, "s(O){}", "Sub", types[i]);
        PyObject *op = need(PyObject_CallFunction(type, "s", "12"));
        format_one(op, "");
        format_one(op, "k");
        format_one(op, ">6");
        format_one(op, "1!");
        drop_all(op, type);
    }
}

void
oracle_program(void)
{
    pick_seed = 2026;
    char spec[32];

    make_values();
    by_hand();
    for (int i = 0; i < 1500; i++) {
        by_chance(spec);
        format_all(spec);
    }
    arguments();
    subclasses();
    for (int i = 0; i < VALUES; i++)
        Py_DECREF(values[i]);
}
