/* number_text.c: what int, float and complex read from texts.  Manual:
   "Integer Objects", PyLong_FromString; "Floating-Point Objects",
   PyFloat_FromString. */

#include "oracle.h"

static void
from_string(const char *text, int base)
{
    char *end = NULL;
    PyObject *op = PyLong_FromString(text, &end, base);

    say("'%s' in base %d: as far as %d", text, base, (int)(end - text));
    show("PyLong_FromString", op);
}

/* Where 3.13 tells of another base than 3.11, check_int has it: "0a". */
static void
bases(void)
{
    static const char *const texts[] = {
        "0xg", "",   "12z", "0b2",  "010",  "0_",      " 0x",   "0x",
        "+",   "-0", "zz",  "1__2", "-0o8", "\u00e9f", "0x1 1", " 0B_1 ",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++) {
        from_string(texts[i], 0);
        from_string(texts[i], 10);
        from_string(texts[i], 16);
        PyObject *str = need(PyUnicode_FromString(texts[i]));
        show("int", PyLong_FromUnicodeObject(str, 0));
        show("int of bytes", PyObject_CallFunction((PyObject *)&PyLong_Type,
                                                   "yi", texts[i], 0));
        Py_DECREF(str);
    }
}

static void
numbers(PyObject *str)
{
    show_kept("text", str);
    SHOW(PyNumber_Long(str));
    SHOW(PyLong_FromUnicodeObject(str, 16));
    SHOW(PyFloat_FromString(str));
    SHOW(PyObject_CallOneArg((PyObject *)&PyComplex_Type, str));
    Py_DECREF(str);
}

static void
scripts(void)
{
    static const char *const texts[] = {
        "\0341",
        "\x1c\uff11",
        "\uff11\uff12",
        "\u30001\u3000",
        "\u0661_\u0662",
        "1\u00b2",
        "\uff11.\uff15e-\uff11",
        "\u00a0nan",
        "\u00a0-infinity\u00a0",
        "\u0661\u2028",
        "\uff4ean",
        "1\u00e9",
        "_1\u00e9",
        "\u00e9_1",
        "\uff11f",
        "(\uff11+\u0662j)",
        "\u00a0( \uff11 )\u00a0",
        "\U0001d7d8\U0001d7d9\U0001d7da",
        "0x\uff11",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++)
        numbers(need(PyUnicode_FromString(texts[i])));
    numbers(need(PyUnicode_FromStringAndSize("1\0", 2)));
    numbers(need(PyUnicode_FromStringAndSize("\uff11\0", 4)));
    numbers(need(PyUnicode_FromStringAndSize("1\0z", 3)));
    numbers(need(PyUnicode_FromOrdinal(0xd800)));
}

/* Bytes that are not side by side are no text, nor the end of one. */
static void
scattered(void)
{
    PyObject *bytes = need(PyBytes_FromString("1_2_3"));
    PyObject *array = need(PyByteArray_FromStringAndSize("xyz", 3));
    PyObject *all = need(PyMemoryView_FromObject(bytes));
    PyObject *two = need(PyLong_FromLong(2));
    PyObject *step = need(PySlice_New(NULL, NULL, two));
    PyObject *view = need(PyObject_GetItem(all, step));

    SHOW(PyNumber_Long(all));
    SHOW(PyNumber_Long(view));
    SHOW(PyNumber_Float(view));
    SHOW(PyFloat_FromString(view));
    SHOW(PyUnicode_FromEncodedObject(view, NULL, NULL));
    SHOW(PyNumber_Add(bytes, view));
    SHOW(PyNumber_Add(array, view));
    SHOW(PyObject_CallFunction((PyObject *)&PyLong_Type, "Oi", array, 5));
    SHOW(PyObject_CallFunction((PyObject *)&PyLong_Type, "Oi", bytes, 0));
    drop_all(view, step, two, all, array, bytes);
}

void
oracle_program(void)
{
    bases();
    scattered();
    scripts();
}
