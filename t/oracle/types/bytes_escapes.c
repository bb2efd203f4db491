/* bytes_escapes.c: PyBytes_DecodeEscape: bytes written as in a literal. */

#include "oracle.h"

static void
decode(const char *spelled, const char *errors)
{
    printf("%s, %s: ", spelled, errors == NULL ? "NULL" : errors);
    show("bytes", PyBytes_DecodeEscape(spelled, (Py_ssize_t)strlen(spelled),
                                       errors, 0, NULL));
}

/* Escapes that are none: one warning each time. */
static void
warned(const char *spelled)
{
    stderr_begin();
    PyObject *op = PyBytes_DecodeEscape(spelled, (Py_ssize_t)strlen(spelled),
                                        NULL, 0, "");
    stderr_drop();
    show(spelled, op);
}

void
oracle_program(void)
{
    static const char *const spelled[] = {
        "",           "plain",      "\\\\\\'\\\"", "\\b\\f\\t\\n\\r\\v\\a",
        "a\\\nb",     "\\0\\7\\12", "\\101\\1012", "\\377\\08",
        "\\x41\\xfF", "\\",         "a\\",         "\\x",
        "\\x4",       "a\\x4g",     "\\xg4",       "\\x\\x41"};
    static const char *const errors[] = {NULL, "strict", "replace", "ignore",
                                         "other"};

    for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++)
        for (size_t i = 0; i < sizeof spelled / sizeof spelled[0]; i++)
            decode(spelled[i], errors[e]);
    warned("\\q");
    warned("\\8\\9");
    warned("a\\u1234\\N{x}");
    warned("\\777");
    SHOW(PyBytes_DecodeEscape("a\0\\0b", 5, NULL, 1, "latin-1"));
}
