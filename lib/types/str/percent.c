/* percent.c: the % operator: reading conversions, writing numbers.  Other
   arguments are handled in strpercent.c and bytespercent.c. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/str/percent.h"
#include "types/str/str.h"

/* struct number: a number as text, in its parts. */
struct number {
    const char *digits;
    Py_ssize_t size;
    char sign; /* 0: none */
    const char *prefix;
};

/* ------------------------------------------------------------------ */
/* Arguments                                                           */

/* The next argument, borrowed; NULL with TypeError. */
static PyObject *
next_argument(struct pyb_percent *self)
{
    PYB_ASSERT(self->next >= 0 && self->next <= self->size);
    PYB_ASSERT(self->single || PyTuple_Check(self->args));
    if (self->next < self->size) {
        Py_ssize_t i = self->next++;
        return self->single ? self->args : PyTuple_GET_ITEM(self->args, i);
    }
    return pyb_raise(PyExc_TypeError,
                     "not enough arguments for format string");
}

static void
start(struct pyb_percent *self, const struct pyb_percent_kind *kind,
      const char *format, Py_ssize_t size, PyObject *args)
{
    *self = (struct pyb_percent){.kind = kind, .format = format, .args = args};
    self->p = format;
    self->end = format + size;
    if (PyTuple_Check(args)) {
        self->size = PyTuple_GET_SIZE(args);
    } else {
        self->single = 1;
        self->size = 1;
        if (kind->is_mapping(args))
            self->mapping = args;
    }
}

/* The next character of the format; 0 with ValueError at its end. */
static Py_UCS4
next_char(struct pyb_percent *self)
{
    PYB_ASSERT(self->p >= self->format && self->p <= self->end);
    self->last = self->p;
    if (self->p < self->end)
        return self->kind->next(&self->p);
    PyErr_SetString(PyExc_ValueError, "incomplete format");
    return 0;
}

/* Reads "(key)" behind its opening parenthesis: the mapping's value for the
   key becomes the only argument. */
static int
read_key(struct pyb_percent *self)
{
    const char *key = self->p;
    int depth = 1;

    if (self->mapping == NULL)
        return pyb_fail(PyExc_TypeError, "format requires a mapping");
    for (; depth > 0 && self->p < self->end; self->p++)
        depth += (*self->p == '(') - (*self->p == ')');
    if (depth > 0)
        return pyb_fail(PyExc_ValueError, "incomplete format key");
    PYB_ASSERT(self->single && self->p > key && self->p[-1] == ')');
    PyObject *name = self->kind->key(key, self->p - 1 - key);
    if (name == NULL)
        return -1;
    PyObject *value = PyObject_GetItem(self->mapping, name);
    Py_DECREF(name);
    if (value == NULL)
        return -1;
    if (self->owns_args)
        Py_DECREF(self->args);
    self->args = value;
    self->owns_args = 1;
    self->next = 0;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Reading a conversion                                                */

/* A number in the format or, for '*', an argument.  ch is its first character,
   and becomes the one behind it.  -1 with an exception. */
static int
read_number(struct pyb_percent *self, Py_UCS4 *ch, Py_ssize_t limit,
            Py_ssize_t *number, const char *too_big)
{
    *number = 0;
    if (*ch == '*') {
        PyObject *op = next_argument(self);
        if (op == NULL)
            return -1;
        if (!PyLong_Check(op))
            return pyb_fail(PyExc_TypeError, "* wants int");
        *number = limit == INT_MAX ? PyLong_AsInt(op) : PyLong_AsSsize_t(op);
        if (*number == -1 && PyErr_Occurred())
            return -1;
        *ch = next_char(self);
        return *ch == 0 && PyErr_Occurred() ? -1 : 0;
    }
    while (*ch >= '0' && *ch <= '9') {
        Py_ssize_t digit = (Py_ssize_t)(*ch - '0');
        if (*number > (limit - digit) / 10)
            return pyb_fail(PyExc_ValueError, too_big);
        *number = 10 * *number + digit;
        *ch = next_char(self);
        if (*ch == 0 && PyErr_Occurred())
            return -1;
    }
    return 0;
}

static int
read_flag(struct pyb_conversion *conversion, Py_UCS4 ch)
{
    switch (ch) {
    case '-':
        return conversion->left = 1;
    case '+':
        return conversion->plus = 1;
    case ' ':
        return conversion->blank = 1;
    case '#':
        return conversion->alternate = 1;
    case '0':
        return conversion->zero = 1;
    default:
        return 0;
    }
}

/* Reads a conversion behind its '%'. */
static int
read_conversion(struct pyb_percent *self, struct pyb_conversion *conversion)
{
    Py_UCS4 ch;

    *conversion = (struct pyb_conversion){.precision = -1};
    if (self->p < self->end && *self->p == '(') {
        self->p++;
        if (read_key(self) < 0)
            return -1;
    }
    do
        ch = next_char(self);
    while (read_flag(conversion, ch));
    if (ch == 0 && PyErr_Occurred())
        return -1;
    if (read_number(self, &ch, PY_SSIZE_T_MAX, &conversion->width,
                    "width too big") < 0)
        return -1;
    if (conversion->width < 0) {
        conversion->left = 1;
        conversion->width = -Py_MAX(conversion->width, -PY_SSIZE_T_MAX);
    }
    if (ch == '.') {
        Py_ssize_t precision;
        ch = next_char(self);
        if ((ch == 0 && PyErr_Occurred()) ||
            read_number(self, &ch, INT_MAX, &precision,
                        self->kind->precision_error) < 0)
            return -1;
        conversion->precision = (int)Py_MAX(precision, 0);
    }
    if (ch == 'h' || ch == 'l' || ch == 'L') {
        ch = next_char(self);
        if (ch == 0 && PyErr_Occurred())
            return -1;
    }
    PYB_ASSERT(conversion->width >= 0 && conversion->precision >= -1);
    conversion->letter = ch;
    conversion->place = self->last;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Writing                                                             */

int
pyb_percent_write(struct pyb_percent *self,
                  const struct pyb_conversion *conversion, const char *text,
                  Py_ssize_t size)
{
    Py_ssize_t fill = conversion->width - self->kind->length(text, size);

    if (!conversion->left && pyb_text_repeat(&self->out, ' ', fill) < 0)
        return -1;
    if (pyb_text_bytes(&self->out, text, size) < 0)
        return -1;
    return conversion->left ? pyb_text_repeat(&self->out, ' ', fill) : 0;
}

/* Appends a number: fill, sign, prefix, zeros, digits. */
static int
write_number(struct pyb_percent *self, const struct pyb_conversion *conversion,
             struct number number)
{
    char sign = number.sign         ? number.sign
                : conversion->plus  ? '+'
                : conversion->blank ? ' '
                                    : '\0';
    Py_ssize_t prefix = (Py_ssize_t)strlen(number.prefix);
    Py_ssize_t fill =
        conversion->width - number.size - prefix - (sign != '\0');
    int zeros = conversion->zero && !conversion->left;

    PYB_ASSERT(number.size > 0);
    if (!zeros && !conversion->left &&
        pyb_text_repeat(&self->out, ' ', fill) < 0)
        return -1;
    if (pyb_text_repeat(&self->out, sign, sign != '\0') < 0 ||
        pyb_text_bytes(&self->out, number.prefix, prefix) < 0 ||
        (zeros && pyb_text_repeat(&self->out, '0', fill) < 0) ||
        pyb_text_bytes(&self->out, number.digits, number.size) < 0)
        return -1;
    return conversion->left ? pyb_text_repeat(&self->out, ' ', fill) : 0;
}

/* Converts an argument of an integer conversion to an int; a new reference, or
   NULL with TypeError. */
static PyObject *
to_int(PyObject *op, Py_UCS4 letter)
{
    int whole = strchr("xXo", (int)letter) != NULL;
    PyObject *number = NULL;

    PYB_ASSERT(letter < 0x80);
    if (PyLong_Check(op))
        return Py_NewRef(op);
    if (PyNumber_Check(op))
        number = whole ? PyNumber_Index(op) : PyNumber_Long(op);
    if (number != NULL ||
        (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)))
        return number;
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError,
                        whole
                            ? "%%%c format: an integer is required, not %.200s"
                            : "%%%c format: a real number is required, "
                              "not %.200s",
                        (int)letter, Py_TYPE(op)->tp_name);
}

/* Appends the digits of a number, in ASCII, with at least precision of them,
   and upper case for X. */
static int
collect_digits(struct pyb_text *digits, const char *p,
               const struct pyb_conversion *conversion)
{
    Py_ssize_t size = (Py_ssize_t)strlen(p);

    if (pyb_text_repeat(digits, '0', conversion->precision - size) < 0 ||
        pyb_text_bytes(digits, p, size) < 0)
        return -1;
    for (Py_ssize_t i = 0; conversion->letter == 'X' && i < digits->size; i++)
        digits->data[i] = (char)Py_TOUPPER(digits->data[i]);
    return 0;
}

static int
write_integer(struct pyb_percent *self,
              const struct pyb_conversion *conversion, PyObject *op)
{
    int base = strchr("xX", (int)conversion->letter) ? 16
               : conversion->letter == 'o'           ? 8
                                                     : 10;
    struct number number = {.prefix = ""};
    struct pyb_text digits = {0};
    PyObject *value = to_int(op, conversion->letter), *text;

    if (value == NULL)
        return -1;
    text = PyNumber_ToBase(value, base);
    Py_DECREF(value);
    if (text == NULL)
        return -1;
    const char *p = pyb_str_text(text);
    if (*p == '-')
        number.sign = *p++;
    PYB_ASSERT_OBJECT(base == 10 || (p[0] == '0' && Py_ISALPHA(p[1])), text);
    if (base != 10)
        p += 2;
    if (conversion->alternate && base != 10)
        number.prefix = base == 8                   ? "0o"
                        : conversion->letter == 'x' ? "0x"
                                                    : "0X";
    int result = collect_digits(&digits, p, conversion);
    Py_DECREF(text);
    number.digits = digits.data;
    number.size = digits.size;
    if (result == 0)
        result = write_number(self, conversion, number);
    pyb_text_drop(&digits);
    return result;
}

static int
write_float(struct pyb_percent *self, const struct pyb_conversion *conversion,
            PyObject *op)
{
    int precision = conversion->precision < 0 ? 6 : conversion->precision;
    struct number number = {.prefix = ""};
    double value = PyFloat_AsDouble(op);

    if (value == -1 && PyErr_Occurred()) {
        self->kind->no_float(op);
        return -1;
    }
    char *text =
        PyOS_double_to_string(value, (char)conversion->letter, precision,
                              conversion->alternate ? Py_DTSF_ALT : 0, NULL);
    if (text == NULL)
        return -1;
    number.digits = text;
    if (*text == '-')
        number.sign = *number.digits++;
    number.size = (Py_ssize_t)strlen(number.digits);
    int result = write_number(self, conversion, number);
    PyMem_Free(text);
    return result;
}

static int
write_argument(struct pyb_percent *self,
               const struct pyb_conversion *conversion, PyObject *op)
{
    switch (conversion->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return write_integer(self, conversion, op);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return write_float(self, conversion, op);
    }
    int result = self->kind->write(self, conversion, op);
    if (result != 1)
        return result;
    return pyb_failf(
        PyExc_ValueError,
        "unsupported format character '%c' (0x%x) at index %zd",
        conversion->letter > 31 && conversion->letter < 127
            ? (int)conversion->letter
            : '?',
        (unsigned)conversion->letter,
        self->kind->length(self->format, conversion->place - self->format));
}

/* ------------------------------------------------------------------ */
/* The whole                                                           */

static int
write_all(struct pyb_percent *self)
{
    struct pyb_conversion conversion;

    while (self->p < self->end) {
        const char *percent =
            memchr(self->p, '%', (size_t)(self->end - self->p));
        const char *stop = percent == NULL ? self->end : percent;
        if (pyb_text_bytes(&self->out, self->p, stop - self->p) < 0)
            return -1;
        self->p = stop;
        if (percent == NULL)
            break;
        self->p++;
        if (self->p < self->end && *self->p == '%') {
            self->p++;
            if (pyb_text_repeat(&self->out, '%', 1) < 0)
                return -1;
            continue;
        }
        if (read_conversion(self, &conversion) < 0)
            return -1;
        PyObject *op = next_argument(self);
        if (op == NULL || write_argument(self, &conversion, op) < 0)
            return -1;
    }
    if (self->next == self->size || self->mapping != NULL)
        return 0;
    return pyb_fail(PyExc_TypeError, self->kind->unused_error);
}

int
pyb_percent_format(struct pyb_percent *self,
                   const struct pyb_percent_kind *kind, const char *format,
                   Py_ssize_t size, PyObject *args)
{
    start(self, kind, format, size, args);
    int result = write_all(self);
    if (self->owns_args)
        Py_DECREF(self->args);
    if (result < 0)
        pyb_text_drop(&self->out);
    return result;
}
