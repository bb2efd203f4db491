/* strmethods.c: the methods of str: their arguments, and operations that are
   methods only. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/cfunction.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "types/format/format.h"
#include "types/codec/translate.h"
#include "types/str/str.h"
#include "types/str/strcase.h"
#include "types/str/text.h"

/* ------------------------------------------------------------------ */
/* Searching                                                           */

/* (what[, start[, end]]): the arguments of find and similar methods.  None is
   no bound.  0, or -1 with an exception. */
struct where {
    PyObject *what;
    Py_ssize_t start, end;
};

static int
parse_where(PyObject *args, const char *name, struct where *where)
{
    PyObject *start = Py_None, *end = Py_None;

    where->start = 0;
    where->end = PY_SSIZE_T_MAX;
    if (!PyArg_UnpackTuple(args, name, 1, 3, &where->what, &start, &end) ||
        pyb_sequence_bound(start, 1, &where->start) < 0)
        return -1;
    return pyb_sequence_bound(end, 1, &where->end);
}

/* The index of the first or last occurrence, or -1; -2 with an exception. */
static Py_ssize_t
find(PyObject *self, PyObject *args, const char *name, int direction)
{
    struct where where;

    if (parse_where(args, name, &where) < 0)
        return -2;
    return PyUnicode_Find(self, where.what, where.start, where.end, direction);
}

/* The result of find, or of index, for which -1 is an error. */
static PyObject *
found(Py_ssize_t index, int must)
{
    PYB_ASSERT(index >= -2);
    PYB_ASSERT(index != -2 || PyErr_Occurred() != NULL);
    if (index == -1 && must)
        return pyb_raise(PyExc_ValueError, "substring not found");
    return index == -2 ? NULL : PyLong_FromSsize_t(index);
}

/* Methods that are an expression of self and args, which for METH_O is the
   argument. */
#define METHOD(NAME, RESULT)                                                  \
    static PyObject *str_##NAME(PyObject *self, PyObject *args)               \
    {                                                                         \
        return RESULT;                                                        \
    }

METHOD(find, found(find(self, args, "find", 1), 0))
METHOD(rfind, found(find(self, args, "rfind", -1), 0))
METHOD(index, found(find(self, args, "index", 1), 1))
METHOD(rindex, found(find(self, args, "rindex", -1), 1))

static PyObject *
str_count(PyObject *self, PyObject *args)
{
    struct where where;

    if (parse_where(args, "count", &where) < 0)
        return NULL;
    Py_ssize_t count =
        PyUnicode_Count(self, where.what, where.start, where.end);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

/* Does self begin or end with the str, or with one of the tuple? */
static PyObject *
tail_match(PyObject *self, PyObject *args, const char *name, int direction)
{
    struct where where;

    if (parse_where(args, name, &where) < 0)
        return NULL;
    int many = PyTuple_Check(where.what);
    for (Py_ssize_t i = 0; i < (many ? Py_SIZE(where.what) : 1); i++) {
        PyObject *what = many ? PyTuple_GET_ITEM(where.what, i) : where.what;
        if (!PyUnicode_Check(what))
            return PyErr_Format(
                PyExc_TypeError,
                many ? "tuple for %s must only contain str, not %.100s"
                     : "%s first arg must be str or a tuple of str, "
                       "not %.100s",
                name, Py_TYPE(what)->tp_name);
        if (PyUnicode_Tailmatch(self, what, where.start, where.end, direction))
            Py_RETURN_TRUE;
    }
    Py_RETURN_FALSE;
}

METHOD(startswith, tail_match(self, args, "startswith", -1))
METHOD(endswith, tail_match(self, args, "endswith", 1))

/* ------------------------------------------------------------------ */
/* Splitting and joining                                               */

static PyObject *
split(PyObject *self, PyObject *args, PyObject *kwds, const char *format)
{
    static char *names[] = {"sep", "maxsplit", NULL};
    PyObject *sep = Py_None;
    Py_ssize_t maxsplit = -1;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, format, names, &sep,
                                     &maxsplit))
        return NULL;
    if (sep != Py_None && !PyUnicode_Check(sep))
        return PyErr_Format(PyExc_TypeError, "must be str or None, not %.100s",
                            Py_TYPE(sep)->tp_name);
    if (sep == Py_None)
        sep = NULL;
    return strchr(format, 'r') == NULL ? PyUnicode_Split(self, sep, maxsplit)
                                       : PyUnicode_RSplit(self, sep, maxsplit);
}

static PyObject *
str_split(PyObject *self, PyObject *args, PyObject *kwds)
{
    return split(self, args, kwds, "|On:split");
}

static PyObject *
str_rsplit(PyObject *self, PyObject *args, PyObject *kwds)
{
    return split(self, args, kwds, "|On:rsplit");
}

static PyObject *
str_splitlines(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"keepends", NULL};
    int keepends = 0;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|p:splitlines", names,
                                     &keepends))
        return NULL;
    return PyUnicode_Splitlines(self, keepends);
}

static PyObject *
strip(PyObject *self, PyObject *args, const char *name, int sides)
{
    PyObject *chars = Py_None;

    if (!PyArg_UnpackTuple(args, name, 0, 1, &chars))
        return NULL;
    if (chars == Py_None)
        return pyb_str_strip(self, NULL, sides);
    if (!PyUnicode_Check(chars))
        return PyErr_Format(PyExc_TypeError, "%s arg must be None or str",
                            name);
    return pyb_str_strip(self, chars, sides);
}

METHOD(strip, strip(self, args, "strip", PYB_STRIP_BOTH))
METHOD(lstrip, strip(self, args, "lstrip", PYB_STRIP_LEFT))
METHOD(rstrip, strip(self, args, "rstrip", PYB_STRIP_RIGHT))

static PyObject *
remove_end(PyObject *self, PyObject *end, const char *name, int at_start)
{
    if (!PyUnicode_Check(end))
        return PyErr_Format(PyExc_TypeError,
                            "%s() argument must be str, not %.50s", name,
                            Py_TYPE(end)->tp_name);
    const char *start = pyb_str_text(self), *stop = pyb_str_end(self);
    if (PyUnicode_Tailmatch(self, end, 0, PY_SSIZE_T_MAX, at_start ? -1 : 1)) {
        if (at_start)
            start += pyb_str_size(end);
        else
            stop -= pyb_str_size(end);
    }
    PYB_ASSERT_OBJECT(start <= stop, self);
    return pyb_str_slice(self, start, stop);
}

METHOD(removeprefix, remove_end(self, args, "removeprefix", 1))
METHOD(removesuffix, remove_end(self, args, "removesuffix", 0))

static PyObject *
str_replace(PyObject *self, PyObject *args)
{
    PyObject *old, *new;
    Py_ssize_t count = -1;

    if (!PyArg_ParseTuple(args, "UU|n:replace", &old, &new, &count))
        return NULL;
    return PyUnicode_Replace(self, old, new, count);
}

/* ------------------------------------------------------------------ */
/* Encoding and padding                                                */

static PyObject *
str_encode(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"encoding", "errors", NULL};
    const char *encoding = NULL, *errors = NULL;

    if (!pyb_getargs_named(args, kwds, "|ss:encode", names, &encoding,
                           &errors))
        return NULL;
    return PyUnicode_AsEncodedString(self, encoding, errors);
}

/* self with left and right fill characters at its sides. */
static PyObject *
pad(PyObject *self, Py_ssize_t left, Py_ssize_t right, Py_UCS4 fill)
{
    struct pyb_text out = {0};
    int status = 0;

    if (left <= 0 && right <= 0)
        return pyb_str_exact(self);
    while (status == 0 && left-- > 0)
        status = pyb_text_char(&out, fill);
    if (status == 0)
        status = pyb_text_str(&out, self);
    while (status == 0 && right-- > 0)
        status = pyb_text_char(&out, fill);
    return pyb_text_end(&out, status < 0);
}

/* The character that fills, for O& of PyArg_ParseTuple. */
static int
convert_fill(PyObject *op, void *result)
{
    if (!PyUnicode_Check(op)) {
        PyErr_Format(PyExc_TypeError,
                     "The fill character must be a unicode character, "
                     "not %.100s",
                     Py_TYPE(op)->tp_name);
        return 0;
    }
    if (PyUnicode_GET_LENGTH(op) != 1) {
        PyErr_SetString(PyExc_TypeError, "The fill character must be exactly "
                                         "one character long");
        return 0;
    }
    *(Py_UCS4 *)result = PyUnicode_READ_CHAR(op, 0);
    return 1;
}

/* (width[, fillchar]): *missing becomes the number of characters to be
   added. */
static int
parse_width(PyObject *self, PyObject *args, const char *format,
            Py_ssize_t *missing, Py_UCS4 *fill)
{
    Py_ssize_t width;

    *fill = ' ';
    if (!PyArg_ParseTuple(args, format, &width, convert_fill, fill))
        return -1;
    *missing = width <= 0 ? 0 : width - PyUnicode_GET_LENGTH(self);
    return 0;
}

static PyObject *
str_ljust(PyObject *self, PyObject *args)
{
    Py_ssize_t missing;
    Py_UCS4 fill;

    if (parse_width(self, args, "n|O&:ljust", &missing, &fill) < 0)
        return NULL;
    return pad(self, 0, missing, fill);
}

static PyObject *
str_rjust(PyObject *self, PyObject *args)
{
    Py_ssize_t missing;
    Py_UCS4 fill;

    if (parse_width(self, args, "n|O&:rjust", &missing, &fill) < 0)
        return NULL;
    return pad(self, missing, 0, fill);
}

static PyObject *
str_center(PyObject *self, PyObject *args)
{
    Py_ssize_t missing;
    Py_UCS4 fill;

    if (parse_width(self, args, "n|O&:center", &missing, &fill) < 0)
        return NULL;
    if (missing <= 0)
        return pyb_str_exact(self);
    /* An odd character is added on the left if the width is odd. */
    Py_ssize_t width = missing + PyUnicode_GET_LENGTH(self);
    Py_ssize_t left = missing / 2 + (missing & width & 1);
    return pad(self, left, missing - left, fill);
}

static PyObject *
str_zfill(PyObject *self, PyObject *args)
{
    struct pyb_text out = {0};
    Py_ssize_t missing;
    Py_UCS4 fill;

    if (parse_width(self, args, "n:zfill", &missing, &fill) < 0)
        return NULL;
    if (missing <= 0)
        return pyb_str_exact(self);
    const char *text = pyb_str_text(self);
    int sign = *text == '+' || *text == '-';
    return pyb_text_end(
        &out,
        pyb_text_bytes(&out, text, sign) < 0 ||
            pyb_text_repeat(&out, '0', missing) < 0 ||
            pyb_text_bytes(&out, text + sign, pyb_str_size(self) - sign) < 0);
}

static PyObject *
str_expandtabs(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"tabsize", NULL};
    struct pyb_text out = {0};
    int tabsize = 8;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O&:expandtabs", names,
                                     pyb_getargs_int, &tabsize))
        return NULL;
    int failed = pyb_text_expand(&out, pyb_str_text(self), pyb_str_size(self),
                                 tabsize, 1) < 0;
    return pyb_text_end(&out, failed);
}

static PyObject *
str_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(Py_TYPE(self)->tp_basicsize +
                              pyb_str_size(self) + 1);
}

static PyObject *
str_getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(N)", pyb_str_exact(self));
}

#define KEYWORDS(function)                                                    \
    (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS

PyMethodDef pyb_str_methods[] = {
    {"__format__", pyb_format_str, METH_O, NULL},
    {"capitalize", pyb_strcase_capitalize, METH_NOARGS, NULL},
    {"casefold", pyb_strcase_fold, METH_NOARGS, NULL},
    {"center", str_center, PYB_VARARGS, NULL},
    {"count", str_count, METH_VARARGS, NULL},
    {"encode", KEYWORDS(str_encode), NULL},
    {"endswith", str_endswith, METH_VARARGS, NULL},
    {"expandtabs", KEYWORDS(str_expandtabs), NULL},
    {"find", str_find, METH_VARARGS, NULL},
    {"format", KEYWORDS(pyb_template_format), NULL},
    {"format_map", pyb_template_format_map, METH_O, NULL},
    {"index", str_index, METH_VARARGS, NULL},
    {"isalnum", pyb_strcase_isalnum, METH_NOARGS, NULL},
    {"isalpha", pyb_strcase_isalpha, METH_NOARGS, NULL},
    {"isascii", pyb_strcase_isascii, METH_NOARGS, NULL},
    {"isdecimal", pyb_strcase_isdecimal, METH_NOARGS, NULL},
    {"isdigit", pyb_strcase_isdigit, METH_NOARGS, NULL},
    {"isidentifier", pyb_strcase_isidentifier, METH_NOARGS, NULL},
    {"islower", pyb_strcase_islower, METH_NOARGS, NULL},
    {"isnumeric", pyb_strcase_isnumeric, METH_NOARGS, NULL},
    {"isprintable", pyb_strcase_isprintable, METH_NOARGS, NULL},
    {"isspace", pyb_strcase_isspace, METH_NOARGS, NULL},
    {"istitle", pyb_strcase_istitle, METH_NOARGS, NULL},
    {"isupper", pyb_strcase_isupper, METH_NOARGS, NULL},
    {"join", PyUnicode_Join, METH_O, NULL},
    {"ljust", str_ljust, PYB_VARARGS, NULL},
    {"lower", pyb_strcase_lower, METH_NOARGS, NULL},
    {"lstrip", str_lstrip, PYB_VARARGS, NULL},
    {"maketrans", pyb_str_maketrans, PYB_VARARGS | METH_STATIC, NULL},
    {"partition", PyUnicode_Partition, METH_O, NULL},
    {"removeprefix", str_removeprefix, METH_O, NULL},
    {"removesuffix", str_removesuffix, METH_O, NULL},
    {"replace", str_replace, PYB_VARARGS, NULL},
    {"rfind", str_rfind, METH_VARARGS, NULL},
    {"rindex", str_rindex, METH_VARARGS, NULL},
    {"rjust", str_rjust, PYB_VARARGS, NULL},
    {"rpartition", PyUnicode_RPartition, METH_O, NULL},
    {"rsplit", KEYWORDS(str_rsplit), NULL},
    {"rstrip", str_rstrip, PYB_VARARGS, NULL},
    {"split", KEYWORDS(str_split), NULL},
    {"splitlines", KEYWORDS(str_splitlines), NULL},
    {"startswith", str_startswith, METH_VARARGS, NULL},
    {"strip", str_strip, PYB_VARARGS, NULL},
    {"swapcase", pyb_strcase_swap, METH_NOARGS, NULL},
    {"title", pyb_strcase_title, METH_NOARGS, NULL},
    {"translate", pyb_str_translate, METH_O, NULL},
    {"upper", pyb_strcase_upper, METH_NOARGS, NULL},
    {"zfill", str_zfill, PYB_VARARGS, NULL},
    {"__sizeof__", str_sizeof, METH_NOARGS, NULL},
    {"__getnewargs__", str_getnewargs, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
