/* bytescase.c: the methods of bytes and bytearray that see ASCII letters,
   digits and white space in them, and those that pad. */

#include "Python.h"

#include "object/args/getargs.h"
#include "types/bytes/methods.h"

/* ------------------------------------------------------------------ */
/* Questions                                                           */

static int
is_alpha(int c)
{
    return Py_ISALPHA(c);
}
static int
is_digit(int c)
{
    return Py_ISDIGIT(c);
}
static int
is_alnum(int c)
{
    return Py_ISALNUM(c);
}
static int
is_space(int c)
{
    return Py_ISSPACE(c);
}
static int
is_ascii(int c)
{
    return c < 128;
}

/* Does it hold for each byte?  if_empty is the answer for none. */
static PyObject *
ask_all(PyObject *self, int (*holds)(int), int if_empty)
{
    Py_buffer view;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    int result = bytes.size > 0 ? 1 : if_empty;

    for (Py_ssize_t i = 0; result && i < bytes.size; i++)
        result = holds((unsigned char)bytes.data[i]) != 0;
    PyBuffer_Release(&view);
    return PyBool_FromLong(result);
}

/* Methods that are an expression of self. */
#define METHOD(NAME, RESULT)                                                  \
    PyObject *pyb_bytes_##NAME(PyObject *self, PyObject *Py_UNUSED(args))     \
    {                                                                         \
        return RESULT;                                                        \
    }

METHOD(isalnum, ask_all(self, is_alnum, 0))
METHOD(isalpha, ask_all(self, is_alpha, 0))
METHOD(isascii, ask_all(self, is_ascii, 1))
METHOD(isdigit, ask_all(self, is_digit, 0))
METHOD(isspace, ask_all(self, is_space, 0))

/* Are there letters, all of one case? */
static PyObject *
ask_case(PyObject *self, int want_upper)
{
    Py_buffer view;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    int result = 0;

    for (Py_ssize_t i = 0; i < bytes.size; i++) {
        int c = (unsigned char)bytes.data[i];
        if (want_upper ? Py_ISLOWER(c) : Py_ISUPPER(c)) {
            result = 0;
            break;
        }
        result |= Py_ISALPHA(c) != 0;
    }
    PyBuffer_Release(&view);
    return PyBool_FromLong(result);
}

METHOD(islower, ask_case(self, 0))
METHOD(isupper, ask_case(self, 1))

/* A capital letter begins each word, and only that. */
PyObject *
pyb_bytes_istitle(PyObject *self, PyObject *Py_UNUSED(args))
{
    Py_buffer view;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    int in_word = 0, letters = 0, ok = 1;

    for (Py_ssize_t i = 0; ok && i < bytes.size; i++) {
        int c = (unsigned char)bytes.data[i];
        ok = in_word ? !Py_ISUPPER(c) : !Py_ISLOWER(c);
        in_word = Py_ISALPHA(c) != 0;
        letters |= in_word;
    }
    PyBuffer_Release(&view);
    return PyBool_FromLong(ok && letters);
}

/* ------------------------------------------------------------------ */
/* Cases                                                               */

/* A byte's replacement; in_word tells whether a letter stands before it. */
typedef int (*case_function)(int c, int in_word, Py_ssize_t i);

static PyObject *
change(PyObject *self, case_function function)
{
    struct pyb_text out = {0};
    Py_buffer view;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    char *place = pyb_text_room(&out, bytes.size);
    int in_word = 0;

    for (Py_ssize_t i = 0; place != NULL && i < bytes.size; i++) {
        int c = (unsigned char)bytes.data[i];
        place[i] = (char)function(c, in_word, i);
        in_word = Py_ISALPHA(c) != 0;
    }
    if (place != NULL)
        out.size += bytes.size;
    PyBuffer_Release(&view);
    return pyb_bytes_like_text(self, &out, place == NULL);
}

#define CASE(NAME, RESULT)                                                    \
    static int to_##NAME(int c, int in_word, Py_ssize_t i)                    \
    {                                                                         \
        (void)in_word, (void)i;                                               \
        return RESULT;                                                        \
    }                                                                         \
    METHOD(NAME, change(self, to_##NAME))
CASE(lower, Py_TOLOWER(c))
CASE(upper, Py_TOUPPER(c))
CASE(swapcase, Py_ISLOWER(c) ? Py_TOUPPER(c) : Py_TOLOWER(c))
CASE(title, in_word ? Py_TOLOWER(c) : Py_TOUPPER(c))
CASE(capitalize, i > 0 ? Py_TOLOWER(c) : Py_TOUPPER(c))

/* ------------------------------------------------------------------ */
/* Padding                                                             */

/* self with so many fill bytes on its sides; negative numbers are none. */
static PyObject *
pad(PyObject *self, Py_ssize_t left, Py_ssize_t right, char fill)
{
    struct pyb_text out = {0};
    Py_buffer view;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    int failed = pyb_text_repeat(&out, fill, Py_MAX(left, 0)) < 0 ||
                 pyb_text_bytes(&out, bytes.data, bytes.size) < 0 ||
                 pyb_text_repeat(&out, fill, Py_MAX(right, 0)) < 0;

    PyBuffer_Release(&view);
    return pyb_bytes_like_text(self, &out, failed);
}

/* The missing bytes up to the width of the arguments; -1 with an exception. */
static Py_ssize_t
parse_width(PyObject *self, PyObject *args, const char *format, char *fill)
{
    const char *name = strchr(format, ':') + 1;
    PyObject *width_arg, *fill_arg;
    Py_ssize_t width;

    *fill = ' ';
    if (!PyArg_UnpackTuple(args, name, 1, 2, &width_arg, &fill_arg) ||
        !PyArg_ParseTuple(args, format, &width, fill))
        return -1;
    return Py_MAX(width - Py_SIZE(self), 0);
}

PyObject *
pyb_bytes_ljust(PyObject *self, PyObject *args)
{
    char fill;
    Py_ssize_t missing = parse_width(self, args, "n|c:ljust", &fill);

    return missing < 0 ? NULL : pad(self, 0, missing, fill);
}

PyObject *
pyb_bytes_rjust(PyObject *self, PyObject *args)
{
    char fill;
    Py_ssize_t missing = parse_width(self, args, "n|c:rjust", &fill);

    return missing < 0 ? NULL : pad(self, missing, 0, fill);
}

/* An odd byte goes to the left if the width is odd. */
PyObject *
pyb_bytes_center(PyObject *self, PyObject *args)
{
    char fill;
    Py_ssize_t missing = parse_width(self, args, "n|c:center", &fill);
    Py_ssize_t width = missing + Py_SIZE(self);
    Py_ssize_t left = missing / 2 + (missing & width & 1);

    return missing < 0 ? NULL : pad(self, left, missing - left, fill);
}

/* A sign stays in front of the zeros. */
PyObject *
pyb_bytes_zfill(PyObject *self, PyObject *arg)
{
    Py_ssize_t width = PyNumber_AsSsize_t(arg, PyExc_OverflowError);
    struct pyb_text out = {0};
    Py_buffer view;

    if (width == -1 && PyErr_Occurred())
        return NULL;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    Py_ssize_t sign = width > bytes.size && bytes.size > 0 &&
                      (bytes.data[0] == '+' || bytes.data[0] == '-');
    int failed =
        pyb_text_bytes(&out, bytes.data, sign) < 0 ||
        pyb_text_repeat(&out, '0', Py_MAX(width - bytes.size, 0)) < 0 ||
        pyb_text_bytes(&out, bytes.data + sign, bytes.size - sign) < 0;
    PyBuffer_Release(&view);
    return pyb_bytes_like_text(self, &out, failed);
}

PyObject *
pyb_bytes_expandtabs(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"tabsize", NULL};
    struct pyb_text out = {0};
    int tabsize = 8;
    Py_buffer view;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O&:expandtabs", names,
                                     pyb_getargs_int, &tabsize))
        return NULL;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    int failed = pyb_text_expand(&out, bytes.data, bytes.size, tabsize, 0) < 0;
    PyBuffer_Release(&view);
    return pyb_bytes_like_text(self, &out, failed);
}
