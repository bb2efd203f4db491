/* buildvalue.c: makes objects from C values according to a format string.

   Each unit is built even after another has failed, because N and O& own their
   values. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"

/* One build: the rest of the format and of the values. */
struct build {
    const char *format;
    va_list va;
};

static PyObject *build_unit(struct build *b);

/* ------------------------------------------------------------------ */
/* Single units                                                        */

/* The length that '#' takes from the values, or -1. */
static Py_ssize_t
take_length(struct build *b)
{
    if (*b->format != '#')
        return -1;
    b->format++;
    return va_arg(b->va, Py_ssize_t);
}

/* s z U y. */
static PyObject *
build_text(struct build *b, char unit)
{
    const char *text = va_arg(b->va, const char *);
    Py_ssize_t length = take_length(b);

    PYB_ASSERT(unit != '\0' && strchr("szUy", unit) != NULL);
    if (text == NULL)
        Py_RETURN_NONE;
    if (length < 0)
        length = (Py_ssize_t)strlen(text);
    return unit == 'y' ? PyBytes_FromStringAndSize(text, length)
                       : PyUnicode_FromStringAndSize(text, length);
}

static PyObject *
build_wide(struct build *b)
{
    const wchar_t *text = va_arg(b->va, const wchar_t *);
    Py_ssize_t length = take_length(b);

    if (text == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromWideChar(text, length);
}

/* N O S, alone and with &. */
static PyObject *
build_object(struct build *b, char unit)
{
    PYB_ASSERT(unit != '\0' && strchr("NOS", unit) != NULL);
    if (*b->format == '&') {
        typedef PyObject *(*converter)(void *);
        converter function = va_arg(b->va, converter);
        void *value = va_arg(b->va, void *);
        b->format++;
        return function(value);
    }

    PyObject *op = va_arg(b->va, PyObject *);
    if (op == NULL && !PyErr_Occurred())
        /* The value is most likely the result of a call that failed. */
        PyErr_SetString(PyExc_SystemError,
                        "NULL object passed to Py_BuildValue");
    pyb_dead_kept("Py_BuildValue", op);
    return unit == 'N' ? op : Py_XNewRef(op);
}

static PyObject *
build_byte(struct build *b)
{
    char byte = (char)va_arg(b->va, int);

    return PyBytes_FromStringAndSize(&byte, 1);
}

/* ------------------------------------------------------------------ */
/* () [] {}                                                            */

/* Counts the units up to the closing bracket `end' that belongs to this level
   ('\0' for the top).  -1 with SystemError if there is none. */
static Py_ssize_t
count_units(const char *format, char end)
{
    Py_ssize_t count = 0;
    int level = 0;

    for (; level > 0 || *format != end; format++) {
        switch (*format) {
        case '\0':
            return pyb_fail(PyExc_SystemError, "unmatched paren in format");
        case '(':
        case '[':
        case '{':
            count += level == 0;
            level++;
            break;
        case ')':
        case ']':
        case '}':
            level--;
            break;
        case '#':
        case '&':
        case ',':
        case ':':
        case ' ':
        case '\t':
            break;
        default:
            count += level == 0;
        }
    }
    return count;
}

/* Builds count units and drops them, with an exception pending that stays. */
static void
build_in_vain(struct build *b, Py_ssize_t count)
{
    PyObject *pending = PyErr_GetRaisedException();

    while (count-- > 0) {
        Py_XDECREF(build_unit(b));
        PyErr_Clear();
    }
    PyErr_SetRaisedException(pending);
}

/* Builds count units into a tuple; NULL if one fails. */
static PyObject *
build_items(struct build *b, Py_ssize_t count)
{
    PyObject *items = PyTuple_New(count);

    if (items == NULL)
        build_in_vain(b, count);
    for (Py_ssize_t i = 0; items != NULL && i < count; i++) {
        PyObject *item = build_unit(b);
        if (item != NULL) {
            PyTuple_SET_ITEM(items, i, item);
        } else {
            Py_CLEAR(items);
            build_in_vain(b, count - i - 1);
        }
    }
    return items;
}

static PyObject *
dict_from_items(PyObject *items)
{
    PyObject *dict = PyDict_New();

    if (dict == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); i += 2) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(items, i),
                           PyTuple_GET_ITEM(items, i + 1)) < 0) {
            Py_DECREF(dict);
            return NULL;
        }
    }
    return dict;
}

/* Builds the tuple, list or dict of count units that ends with that
   bracket. */
static PyObject *
build_group(struct build *b, char end, Py_ssize_t count)
{
    PyObject *items = NULL;

    PYB_ASSERT(end == ')' || end == ']' || end == '}' || end == '\0');
    if (end == '}' && count % 2 != 0) {
        PyErr_SetString(PyExc_SystemError, "Bad dict format");
        build_in_vain(b, count);
    } else {
        items = build_items(b, count);
    }

    while (*b->format == ',' || *b->format == ':' || *b->format == ' ' ||
           *b->format == '\t')
        b->format++;
    if (*b->format != end) {
        if (items != NULL)
            PyErr_SetString(PyExc_SystemError, "Unmatched paren in format");
        Py_XDECREF(items);
        return NULL;
    }
    if (end != '\0')
        b->format++;
    if (items == NULL || end == ')' || end == '\0')
        return items;

    PyObject *result =
        end == ']' ? PySequence_List(items) : dict_from_items(items);
    Py_DECREF(items);
    return result;
}

static PyObject *
build_bracket(struct build *b, char end)
{
    Py_ssize_t count = count_units(b->format, end);

    return count < 0 ? NULL : build_group(b, end, count);
}

/* ------------------------------------------------------------------ */

static PyObject *
build_unit(struct build *b)
{
    for (;;) {
        char unit = *b->format++;
        switch (unit) {
        case '(':
            return build_bracket(b, ')');
        case '[':
            return build_bracket(b, ']');
        case '{':
            return build_bracket(b, '}');
        case 'b':
        case 'B':
        case 'h':
        case 'i':
            return PyLong_FromLong(va_arg(b->va, int));
        case 'H':
        case 'I':
            return PyLong_FromUnsignedLong(va_arg(b->va, unsigned int));
        case 'l':
            return PyLong_FromLong(va_arg(b->va, long));
        case 'k':
            return PyLong_FromUnsignedLong(va_arg(b->va, unsigned long));
        case 'L':
            return PyLong_FromLongLong(va_arg(b->va, long long));
        case 'K':
            return PyLong_FromUnsignedLongLong(
                va_arg(b->va, unsigned long long));
        case 'n':
            return PyLong_FromSsize_t(va_arg(b->va, Py_ssize_t));
        case 'p':
            return PyBool_FromLong(va_arg(b->va, int));
        case 'f':
        case 'd':
            return PyFloat_FromDouble(va_arg(b->va, double));
        case 'D':
            return PyComplex_FromCComplex(*va_arg(b->va, const Py_complex *));
        case 'c':
            return build_byte(b);
        case 'C':
            return PyUnicode_FromOrdinal(va_arg(b->va, int));
        case 's':
        case 'z':
        case 'U':
        case 'y':
            return build_text(b, unit);
        case 'u':
            return build_wide(b);
        case 'N':
        case 'O':
        case 'S':
            return build_object(b, unit);
        case ',':
        case ':':
        case ' ':
        case '\t':
            break;
        default:
            b->format--;
            return pyb_raise(PyExc_SystemError,
                             "bad format char passed to Py_BuildValue");
        }
    }
}

static PyObject *
build_all(struct build *b)
{
    Py_ssize_t count = count_units(b->format, '\0');

    if (count < 0)
        return NULL;
    if (count == 0)
        Py_RETURN_NONE;
    return count == 1 ? build_unit(b) : build_group(b, '\0', count);
}

PyObject *
Py_VaBuildValue(const char *format, va_list va)
{
    struct build b = {.format = format};

    va_copy(b.va, va);
    PyObject *result = build_all(&b);
    va_end(b.va);
    return result;
}

PyObject *
Py_BuildValue(const char *format, ...)
{
    va_list va;

    va_start(va, format);
    PyObject *result = Py_VaBuildValue(format, va);
    va_end(va);
    return result;
}
