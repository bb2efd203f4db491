/* strings_filled.c: strings that are filled in, and what is said of wrong
   calls.  Manual: "Unicode Objects and Codecs". */

#include "oracle.h"

static const Py_UCS4 widths[] = {'a', 0xe9, 0x20ac, 0x1f600};

/* A new str of that many characters around that of the width. */
static PyObject *
filled(int width, Py_ssize_t length)
{
    PyObject *op = need(PyUnicode_New(length, widths[width]));

    for (Py_ssize_t i = 0; i < length; i++)
        PyUnicode_WRITE(PyUnicode_KIND(op), PyUnicode_DATA(op), i,
                        widths[width] - (Py_UCS4)i % 4);
    return op;
}

static void
describe(PyObject *op)
{
    say("kind %d, at most %lx", (int)PyUnicode_KIND(op),
        (long)PyUnicode_MAX_CHAR_VALUE(op));
    show_kept("text", op);
    PyObject *bytes = PyUnicode_AsUTF8String(op);
    show("bytes", bytes);
    Py_DECREF(op);
}

static void
writes(PyObject *op)
{
    for (Py_ssize_t at = -1; at < 5; at++)
        for (size_t w = 0; w < 4; w++) {
            RESULT(PyUnicode_WriteChar(op, at, widths[w]));
            RESULT(PyUnicode_Fill(op, at, 2, widths[w]));
            RESULT(PyUnicode_Fill(op, at, -1, widths[w]));
        }
}

static void
copies(PyObject *to)
{
    for (int width = 0; width < 4; width++) {
        PyObject *from = filled(width, 3);
        for (Py_ssize_t i = -1; i < 5; i++) {
            RESULT(PyUnicode_CopyCharacters(to, i, from, 0, 2));
            RESULT(PyUnicode_CopyCharacters(to, 0, from, i, 2));
            RESULT(PyUnicode_CopyCharacters(to, 1, from, 2, i));
        }
        Py_DECREF(from);
    }
}

static void
resized(PyObject *op, Py_ssize_t length)
{
    RESULT(PyUnicode_Resize(&op, length));
    if (length > 4)
        RESULT(PyUnicode_Fill(op, 4, length, '.'));
    describe(op);
}

static void
refused(void)
{
    PyObject *bytes = need(PyBytes_FromString("x"));
    PyObject *str = need(PyUnicode_FromString("hello"));
    PyObject *second = Py_NewRef(str);

    SHOW(PyUnicode_New(-1, 'a'));
    SHOW(PyUnicode_New(1, 0x110000));
    SHOW(PyUnicode_New(0, 0x110000));
    SHOW(PyUnicode_New(PY_SSIZE_T_MAX, 'a'));
    SHOW(PyUnicode_New(PY_SSIZE_T_MAX / 4, 0xffff));
    RESULT(PyUnicode_WriteChar(bytes, 0, 'x'));
    RESULT(PyUnicode_Fill(bytes, 0, 1, 'x'));
    RESULT(PyUnicode_CopyCharacters(bytes, 0, str, 0, 1));
    RESULT(PyUnicode_CopyCharacters(str, 0, bytes, 0, 1));
    RESULT(PyUnicode_Resize(&bytes, 3));
    RESULT(PyUnicode_Resize(&str, -1));
    writes(str);
    copies(str);
    Py_DECREF(second);
    PyObject_Hash(str);
    writes(str);
    drop_all(bytes, str);
}

void
oracle_program(void)
{
    for (int width = 0; width < 4; width++) {
        describe(filled(width, 4));
        PyObject *op = filled(width, 4);
        writes(op);
        describe(op);
        op = filled(width, 4);
        copies(op);
        describe(op);
        for (Py_ssize_t length = 0; length < 7; length += 2)
            resized(filled(width, 4), length);
    }
    refused();
}
