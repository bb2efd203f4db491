/* formatstr.c: str.__format__. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/format/format.h"
#include "types/format/formatspec.h"

/* What is for numbers only.  0, or -1 with ValueError. */
static int
check(const struct pyb_formatspec *spec)
{
    if (spec->sign != 0)
        return pyb_fail(PyExc_ValueError,
                        spec->sign == ' '
                            ? "Space not allowed in string format specifier"
                            : "Sign not allowed in string format specifier");
    if (spec->no_negative_zero)
        return pyb_fail(PyExc_ValueError,
                        "Negative zero coercion (z) not allowed in string "
                        "format specifier");
    if (spec->alternate)
        return pyb_fail(PyExc_ValueError, "Alternate form (#) not allowed in "
                                          "string format specifier");
    if (spec->align == '=')
        return pyb_fail(
            PyExc_ValueError,
            "'=' alignment not allowed in string format specifier");
    return 0;
}

PyObject *
pyb_format_str(PyObject *self, PyObject *spec_text)
{
    struct pyb_formatspec spec;
    int empty = pyb_formatspec_is_empty(spec_text);

    if (empty != 0)
        return empty < 0 ? NULL : PyObject_Str(self);
    if (pyb_formatspec_parse(&spec, spec_text, self, 's', '<') < 0)
        return NULL;
    if (spec.type != 's')
        return pyb_formatspec_unknown(&spec, self);
    if (check(&spec) < 0)
        return NULL;

    Py_ssize_t length = PyUnicode_GET_LENGTH(self);
    if (spec.precision >= 0)
        length = Py_MIN(length, spec.precision);
    return pyb_formatspec_pad(&spec, self, length);
}
