/* strpercent.c: the % operator of str. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/str/percent.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

static int
is_mapping(PyObject *args)
{
    return PyMapping_Check(args) && !PyUnicode_Check(args);
}

/* Appends a str, cut to the precision, and releases it; NULL is passed on as
   an error. */
static int
write_str(struct pyb_percent *self, const struct pyb_conversion *conversion,
          PyObject *str)
{
    if (str == NULL)
        return -1;
    PYB_ASSERT(conversion->precision >= -1);
    const char *end = pyb_str_end(str);
    if (conversion->precision >= 0 &&
        conversion->precision < PyUnicode_GET_LENGTH(str))
        end = pyb_str_at(str, conversion->precision);
    int result = pyb_percent_write(self, conversion, pyb_str_text(str),
                                   end - pyb_str_text(str));
    Py_DECREF(str);
    return result;
}

/* %c: a number, or a str of one character. */
static int
write_char(struct pyb_percent *self, const struct pyb_conversion *conversion,
           PyObject *op)
{
    char bytes[PYB_UTF8_LONGEST];

    if (PyUnicode_Check(op) && PyUnicode_GET_LENGTH(op) == 1)
        return pyb_percent_write(self, conversion, pyb_str_text(op),
                                 pyb_str_size(op));
    PyObject *number = PyUnicode_Check(op) ? NULL : PyNumber_Index(op);
    if (number == NULL &&
        (PyUnicode_Check(op) || PyErr_ExceptionMatches(PyExc_TypeError)))
        return pyb_fail(PyExc_TypeError, "%c requires int or char");
    if (number == NULL)
        return -1;
    int overflow;
    long ordinal = PyLong_AsLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (overflow || ordinal < 0 || ordinal >= (long)PYB_UNICODE_END)
        return pyb_fail(PyExc_OverflowError, "%c arg not in range(0x110000)");
    return pyb_percent_write(self, conversion, bytes,
                             pyb_utf8_put(bytes, (Py_UCS4)ordinal));
}

static int
write_other(struct pyb_percent *self, const struct pyb_conversion *conversion,
            PyObject *op)
{
    switch (conversion->letter) {
    case 's':
        return write_str(self, conversion, PyObject_Str(op));
    case 'r':
        return write_str(self, conversion, PyObject_Repr(op));
    case 'a':
        return write_str(self, conversion, PyObject_ASCII(op));
    case 'c':
        return write_char(self, conversion, op);
    default:
        return 1;
    }
}

/* Keeps the exception of PyFloat_AsDouble. */
static void
no_float(PyObject *Py_UNUSED(op))
{
}

PyObject *
PyUnicode_Format(PyObject *format, PyObject *args)
{
    static const struct pyb_percent_kind kind = {
        .is_mapping = is_mapping,
        .next = pyb_utf8_next,
        .length = pyb_utf8_count,
        .key = pyb_str_new,
        .write = write_other,
        .no_float = no_float,
        .precision_error = "precision too big",
        .unused_error = "not all arguments converted during string formatting",
    };
    struct pyb_percent self;

    if (format == NULL || args == NULL)
        return PYB_BAD_CALL(NULL);
    if (pyb_str_require(format) < 0 ||
        pyb_percent_format(&self, &kind, pyb_str_text(format),
                           pyb_str_size(format), args) < 0)
        return NULL;
    return pyb_text_finish(&self.out);
}
