/* translate.c: a str with its characters replaced by a table;
   str.translate, str.maketrans. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/codec/translate.h"
#include "types/str/str.h"
#include "types/str/text.h"
#include "types/str/utf8.h"

/* struct translation: errors is the name of the error handler. */
struct translation {
    PyObject *str, *table;
    const char *errors;
    Py_UCS4 *chars;
    Py_ssize_t length;
    struct pyb_text out;
    PyObject *handler, *exception; /* owned; NULL before the first fault */
};

/* ------------------------------------------------------------------ */
/* The table                                                           */

/* What the table has for the character: *value is a new reference, NULL for a
   character that stays.  -1 with an exception. */
static int
look_up(PyObject *table, Py_UCS4 ch, PyObject **value)
{
    PyObject *key = PyLong_FromUnsignedLong(ch);

    *value = NULL;
    if (key == NULL)
        return -1;
    *value = PyObject_GetItem(table, key);
    Py_DECREF(key);
    if (*value != NULL)
        return 0;
    if (!PyErr_ExceptionMatches(PyExc_LookupError))
        return -1;
    PyErr_Clear();
    return 0;
}

/* *ch becomes the character of the number; -1 with ValueError if there is
   none. */
static int
number_char(PyObject *number, Py_UCS4 *ch)
{
    int overflow;
    long value = PyLong_AsLongAndOverflow(number, &overflow);

    if (overflow != 0 || value < 0 || value >= (long)PYB_UNICODE_END)
        return pyb_failf(PyExc_ValueError,
                         "character mapping must be in range(0x%x)",
                         (unsigned)PYB_UNICODE_END);
    *ch = (Py_UCS4)value;
    return 0;
}

/* Appends the translated character.  1, or 0 if the table has None for it; -1
   with an exception. */
static int
put(struct translation *self, Py_UCS4 ch)
{
    PyObject *value;
    int status = 0;

    if (look_up(self->table, ch, &value) < 0)
        return -1;
    int result = value != Py_None;
    if (value != NULL && PyUnicode_Check(value)) {
        status = pyb_text_str(&self->out, value);
    } else if (result == 1) {
        if (value != NULL && !PyLong_Check(value))
            status = pyb_fail(PyExc_TypeError,
                              "character mapping must return integer, "
                              "None or str");
        else if (value != NULL)
            status = number_char(value, &ch);
        if (status == 0)
            status = pyb_text_char(&self->out, ch);
    }
    Py_XDECREF(value);
    return status < 0 ? -1 : result;
}

/* The end of the characters without translation of which the one at start is
   the first; -1 with an exception. */
static Py_ssize_t
fault_end(const struct translation *self, Py_ssize_t start)
{
    Py_ssize_t end = start + 1;

    for (; end < self->length; end++) {
        PyObject *value;
        Py_UCS4 ch;
        if (look_up(self->table, self->chars[end], &value) < 0)
            return -1;
        int checked =
            value != NULL && PyLong_Check(value) ? number_char(value, &ch) : 0;
        int none = value == Py_None;
        Py_XDECREF(value);
        if (checked < 0)
            return -1;
        if (!none)
            break;
    }
    return end;
}

/* ------------------------------------------------------------------ */
/* The error handler                                                   */

static int
describe(struct translation *self, Py_ssize_t start, Py_ssize_t end)
{
    static const char reason[] = "character maps to <undefined>";

    if (self->exception != NULL)
        return PyUnicodeTranslateError_SetStart(self->exception, start) < 0 ||
                       PyUnicodeTranslateError_SetEnd(self->exception, end) <
                           0 ||
                       PyUnicodeTranslateError_SetReason(self->exception,
                                                         reason) < 0
                   ? -1
                   : 0;
    self->exception = PyObject_CallFunction(
        PyExc_UnicodeTranslateError, "Onns", self->str, start, end, reason);
    return self->exception == NULL ? -1 : 0;
}

/* Appends the replacement; the position to go on from, or -1. */
static Py_ssize_t
apply(struct translation *self, PyObject *result)
{
    static const char format[] =
        "Un;translating error handler must return (str, int) tuple";
    PyObject *replacement;
    Py_ssize_t next;

    if (!PyTuple_Check(result))
        return pyb_fail(PyExc_TypeError, format + 3);
    if (!PyArg_ParseTuple(result, format, &replacement, &next))
        return -1;
    if (next < 0)
        next += self->length;
    if (next < 0 || next > self->length)
        return pyb_failf(PyExc_IndexError,
                         "position %zd from error handler out of bounds",
                         next);
    return pyb_text_str(&self->out, replacement) < 0 ? -1 : next;
}

static Py_ssize_t
fault(struct translation *self, Py_ssize_t start, Py_ssize_t end)
{
    if (self->errors != NULL && strcmp(self->errors, "ignore") == 0)
        return end;
    if (self->handler == NULL)
        self->handler = PyCodec_LookupError(self->errors);
    if (self->handler == NULL || describe(self, start, end) < 0)
        return -1;
    PyObject *result = PyObject_CallOneArg(self->handler, self->exception);
    if (result == NULL)
        return -1;
    Py_ssize_t next = apply(self, result);
    Py_DECREF(result);
    return next;
}

/* ------------------------------------------------------------------ */
/* Translation                                                         */

static int
translate(struct translation *self)
{
    for (Py_ssize_t i = 0; i < self->length;) {
        int done = put(self, self->chars[i]);
        if (done < 0)
            return -1;
        if (done == 1) {
            i++;
            continue;
        }
        Py_ssize_t end = fault_end(self, i);
        if (end < 0 || (i = fault(self, i, end)) < 0)
            return -1;
    }
    return 0;
}

PyObject *
PyUnicode_Translate(PyObject *str, PyObject *table, const char *errors)
{
    if (pyb_str_require(str) < 0)
        return NULL;
    if (table == NULL) {
        PyErr_BadArgument();
        return NULL;
    }
    struct translation self = {str,
                               table,
                               errors,
                               PyUnicode_AsUCS4Copy(str),
                               PyUnicode_GET_LENGTH(str),
                               .handler = NULL};
    int failed = self.chars == NULL || translate(&self) < 0;
    PyMem_Free(self.chars);
    Py_XDECREF(self.handler);
    Py_XDECREF(self.exception);
    return pyb_text_end(&self.out, failed);
}

PyObject *
pyb_str_translate(PyObject *self, PyObject *table)
{
    return PyUnicode_Translate(self, table, "ignore");
}

/* ------------------------------------------------------------------ */
/* str.maketrans                                                       */

/* table[ch] = value, whose reference is stolen and which may be NULL. */
static int
set(PyObject *table, Py_UCS4 ch, PyObject *value)
{
    PyObject *key = PyLong_FromUnsignedLong(ch);
    int result = -1;

    if (key != NULL && value != NULL)
        result = PyDict_SetItem(table, key, value);
    Py_XDECREF(key);
    Py_XDECREF(value);
    return result;
}

/* The characters of from become those of to. */
static int
pair(PyObject *table, PyObject *from, PyObject *to)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(from);

    if (length != PyUnicode_GET_LENGTH(to))
        return pyb_fail(PyExc_ValueError, "the first two maketrans arguments "
                                          "must have equal length");
    for (Py_ssize_t i = 0; i < length; i++)
        if (set(table, PyUnicode_READ_CHAR(from, i),
                PyLong_FromUnsignedLong(PyUnicode_READ_CHAR(to, i))) < 0)
            return -1;
    return 0;
}

/* The characters are removed. */
static int
remove_all(PyObject *table, PyObject *chars)
{
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(chars); i++)
        if (set(table, PyUnicode_READ_CHAR(chars, i), Py_NewRef(Py_None)) < 0)
            return -1;
    return 0;
}

/* The items of a dict, whose keys are characters or numbers of characters. */
static int
copy(PyObject *table, PyObject *dict)
{
    PyObject *key, *value;
    Py_ssize_t i = 0;

    if (!PyDict_CheckExact(dict))
        return pyb_fail(PyExc_TypeError, "if you give only one argument to "
                                         "maketrans it must be a dict");
    while (PyDict_Next(dict, &i, &key, &value)) {
        int result;
        if (PyLong_Check(key))
            result = PyDict_SetItem(table, key, value);
        else if (!PyUnicode_Check(key))
            return pyb_fail(PyExc_TypeError, "keys in translate table must be "
                                             "strings or integers");
        else if (PyUnicode_GET_LENGTH(key) != 1)
            return pyb_fail(PyExc_ValueError, "string keys in translate table "
                                              "must be of length 1");
        else
            result = set(table, PyUnicode_READ_CHAR(key, 0), Py_NewRef(value));
        if (result < 0)
            return -1;
    }
    return 0;
}

PyObject *
pyb_str_maketrans(PyObject *Py_UNUSED(self), PyObject *args)
{
    PyObject *from, *to = NULL, *removed = NULL;
    int result;

    /* Each of the two knows one half of CPython's messages. */
    if (!PyArg_UnpackTuple(args, "maketrans", 1, 3, &from, &to, &removed) ||
        !PyArg_ParseTuple(args, "O|UU:maketrans", &from, &to, &removed))
        return NULL;
    PyObject *table = PyDict_New();
    if (table == NULL)
        return NULL;
    if (to == NULL)
        result = copy(table, from);
    else if (!PyUnicode_Check(from))
        result = pyb_fail(PyExc_TypeError,
                          "first maketrans argument must be a string if there "
                          "is a second argument");
    else
        result = pair(table, from, to);
    if (result == 0 && removed != NULL)
        result = remove_all(table, removed);
    if (result < 0)
        Py_CLEAR(table);
    return table;
}
