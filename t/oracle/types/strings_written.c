/* strings_written.c: _PyUnicodeWriter, piece by piece, with characters of each
   width; what PyUnicodeWriter of 3.14 does by other names.
   Manual: "Unicode Objects and Codecs". */

#include "oracle.h"

static _PyUnicodeWriter writer;

static void
finish(void)
{
    PyObject *text = _PyUnicodeWriter_Finish(&writer);

    if (text != NULL)
        say("%zd characters, up to U+%04lx", PyUnicode_GET_LENGTH(text),
            (unsigned long)PyUnicode_MAX_CHAR_VALUE(text));
    show("text", text);
}

static void
characters(Py_UCS4 last)
{
    _PyUnicodeWriter_Init(&writer);
    writer.overallocate = 1;
    for (Py_UCS4 c = 'a'; c < 'f'; c++)
        RESULT(_PyUnicodeWriter_WriteChar(&writer, c));
    RESULT(_PyUnicodeWriter_WriteChar(&writer, last));
    RESULT(_PyUnicodeWriter_WriteASCIIString(&writer, "after", -1));
    finish();
}

static void
pieces(PyObject *text)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);

    _PyUnicodeWriter_Init(&writer);
    finish();
    _PyUnicodeWriter_Init(&writer);
    RESULT(_PyUnicodeWriter_WriteStr(&writer, text));
    finish();
    _PyUnicodeWriter_Init(&writer);
    writer.min_length = 100;
    RESULT(_PyUnicodeWriter_WriteSubstring(&writer, text, 0, 0));
    RESULT(_PyUnicodeWriter_WriteSubstring(&writer, text, 1, n));
    RESULT(_PyUnicodeWriter_WriteSubstring(&writer, text, 0, 2));
    RESULT(_PyUnicodeWriter_WriteASCIIString(&writer, "ascii and more", 5));
    RESULT(_PyUnicodeWriter_WriteLatin1String(&writer, "latin", 5));
    RESULT(_PyUnicodeWriter_WriteStr(&writer, text));
    finish();
}

static void
many(void)
{
    PyObject *text = need(PyUnicode_FromString("\u00e9t\u00e9 "));

    _PyUnicodeWriter_Init(&writer);
    for (int i = 0; i < 1000; i++)
        if (_PyUnicodeWriter_WriteStr(&writer, text) < 0)
            error();
    PyObject *all = need(_PyUnicodeWriter_Finish(&writer));
    say("%zd characters, %zd times", PyUnicode_GET_LENGTH(all),
        PyUnicode_Count(all, text, 0, PY_SSIZE_T_MAX));
    drop_all(all, text);
}

/* Only in a writer of such characters: in wider ones 3.11 extends the sign. */
static void
prepared(void)
{
    _PyUnicodeWriter_Init(&writer);
    RESULT(_PyUnicodeWriter_Prepare(&writer, 3, 0xff));
    RESULT(_PyUnicodeWriter_WriteLatin1String(&writer, "\xe0\xe1", 2));
    RESULT(_PyUnicodeWriter_PrepareKind(&writer, PyUnicode_2BYTE_KIND));
    RESULT(_PyUnicodeWriter_WriteChar(&writer, 0x20ac));
    finish();
    _PyUnicodeWriter_Init(&writer);
    RESULT(_PyUnicodeWriter_WriteChar(&writer, 0x1f600));
    _PyUnicodeWriter_Dealloc(&writer);
}

void
oracle_program(void)
{
    static const char *const texts[] = {"plain", "caf\u00e9", "\u20ac 100",
                                        "\U0001f600 smile", "ab"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++) {
        PyObject *text = need(PyUnicode_FromString(texts[i]));

        pieces(text);
        Py_DECREF(text);
    }
    characters('z');
    characters(0xff);
    characters(0x100);
    characters(0xffff);
    characters(0x10ffff);
    many();
    prepared();
}
