/* strpercent.c: the % operator of str. */

#include "Python.h"

#include "types/str.h"
#include "types/text.h"
#include "types/utf8.h"

/* struct percent: the state of one operation.  next is the number of the
   argument that comes next; the arguments are the items of args, or args
   itself if single. */
struct percent {
    struct pyb_text out;
    PyObject *format;
    const char *p, *end; /* what is left of the format */
    PyObject *args;      /* borrowed, or owned: see owns_args */
    int owns_args;
    int single;
    Py_ssize_t size, next;
    PyObject *mapping; /* the argument if it can be used as one; borrowed */
};

/* struct conversion: what stands between '%' and the letter. */
struct conversion {
    int left, plus, blank, alternate, zero;
    Py_ssize_t width, precision; /* -1: none */
    Py_UCS4 letter;
    const char *place; /* of the letter */
};

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
next_argument(struct percent *self)
{
    if (self->next < self->size) {
        Py_ssize_t i = self->next++;
        return self->single ? self->args : PyTuple_GET_ITEM(self->args, i);
    }
    PyErr_SetString(PyExc_TypeError, "not enough arguments for format string");
    return NULL;
}

static void
start(struct percent *self, PyObject *format, PyObject *args)
{
    *self = (struct percent){.format = format, .args = args};
    self->p = pyb_str_text(format);
    self->end = pyb_str_end(format);
    if (PyTuple_Check(args)) {
        self->size = PyTuple_GET_SIZE(args);
    } else {
        self->single = 1;
        self->size = 1;
        if (PyMapping_Check(args) && !PyUnicode_Check(args))
            self->mapping = args;
    }
}

/* The next character of the format; 0 with ValueError at its end. */
static Py_UCS4
next_char(struct percent *self)
{
    if (self->p < self->end)
        return pyb_utf8_next(&self->p);
    PyErr_SetString(PyExc_ValueError, "incomplete format");
    return 0;
}

/* "(key)", behind the parenthesis that opens: the only argument is now what
   the mapping has for the key. */
static int
read_key(struct percent *self)
{
    const char *key = self->p;
    int depth = 1;

    if (self->mapping == NULL) {
        PyErr_SetString(PyExc_TypeError, "format requires a mapping");
        return -1;
    }
    for (; depth > 0 && self->p < self->end; self->p++)
        depth += (*self->p == '(') - (*self->p == ')');
    if (depth > 0) {
        PyErr_SetString(PyExc_ValueError, "incomplete format key");
        return -1;
    }
    PyObject *name = pyb_str_new(key, self->p - 1 - key);
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

/* A number in the format or, for '*', an argument.  ch is its first
   character; becomes the one behind.  -1 with an exception. */
static int
read_number(struct percent *self, Py_UCS4 *ch, Py_ssize_t *number,
            const char *too_big)
{
    *number = 0;
    if (*ch == '*') {
        PyObject *op = next_argument(self);
        if (op == NULL)
            return -1;
        if (!PyLong_Check(op)) {
            PyErr_SetString(PyExc_TypeError, "* wants int");
            return -1;
        }
        *number = PyLong_AsSsize_t(op);
        if (*number == -1 && PyErr_Occurred())
            return -1;
        *ch = next_char(self);
        return *ch == 0 && PyErr_Occurred() ? -1 : 0;
    }
    while (*ch >= '0' && *ch <= '9') {
        Py_ssize_t digit = (Py_ssize_t)(*ch - '0');
        if (*number > (PY_SSIZE_T_MAX - digit) / 10) {
            PyErr_SetString(PyExc_ValueError, too_big);
            return -1;
        }
        *number = 10 * *number + digit;
        *ch = next_char(self);
        if (*ch == 0 && PyErr_Occurred())
            return -1;
    }
    return 0;
}

static int
read_flag(struct conversion *conversion, Py_UCS4 ch)
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
read_conversion(struct percent *self, struct conversion *conversion)
{
    Py_UCS4 ch;

    *conversion = (struct conversion){.precision = -1};
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
    if (read_number(self, &ch, &conversion->width, "width too big") < 0)
        return -1;
    if (conversion->width < 0) {
        conversion->left = 1;
        conversion->width = -Py_MAX(conversion->width, -PY_SSIZE_T_MAX);
    }
    if (ch == '.') {
        ch = next_char(self);
        if ((ch == 0 && PyErr_Occurred()) ||
            read_number(self, &ch, &conversion->precision,
                        "precision too big") < 0)
            return -1;
        conversion->precision = Py_MAX(conversion->precision, 0);
    }
    if (ch == 'h' || ch == 'l' || ch == 'L') {
        ch = next_char(self);
        if (ch == 0 && PyErr_Occurred())
            return -1;
    }
    conversion->letter = ch;
    conversion->place = pyb_utf8_skip_back(self->p, 1);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Writing                                                             */

/* Appends text, filled up to the width. */
static int
write_text(struct percent *self, const struct conversion *conversion,
           const char *text, Py_ssize_t size)
{
    Py_ssize_t fill = conversion->width - pyb_utf8_count(text, size);

    if (!conversion->left && pyb_text_repeat(&self->out, ' ', fill) < 0)
        return -1;
    if (pyb_text_bytes(&self->out, text, size) < 0)
        return -1;
    return conversion->left ? pyb_text_repeat(&self->out, ' ', fill) : 0;
}

/* Appends a str, cut off to the precision, and gives up the reference; NULL
   is passed on as an error. */
static int
write_str(struct percent *self, const struct conversion *conversion,
          PyObject *str)
{
    if (str == NULL)
        return -1;
    const char *end = pyb_str_end(str);
    if (conversion->precision >= 0 &&
        conversion->precision < PyUnicode_GET_LENGTH(str))
        end = pyb_str_at(str, conversion->precision);
    int result = write_text(self, conversion, pyb_str_text(str),
                            end - pyb_str_text(str));
    Py_DECREF(str);
    return result;
}

/* Appends a number: fill, sign, prefix, zeros, digits. */
static int
write_number(struct percent *self, const struct conversion *conversion,
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

/* The int that an argument of an integer conversion stands for; a new
   reference, or NULL with TypeError. */
static PyObject *
to_int(PyObject *op, Py_UCS4 letter)
{
    int whole = strchr("xXo", (int)letter) != NULL;
    PyObject *number = NULL;

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
               const struct conversion *conversion)
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
write_integer(struct percent *self, const struct conversion *conversion,
              PyObject *op)
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
write_float(struct percent *self, const struct conversion *conversion,
            PyObject *op)
{
    Py_ssize_t precision =
        conversion->precision < 0 ? 6 : conversion->precision;
    struct number number = {.prefix = ""};
    double value = PyFloat_AsDouble(op);

    if (value == -1 && PyErr_Occurred())
        return -1;
    if (precision > INT_MAX) {
        PyErr_SetString(PyExc_ValueError, "precision too large");
        return -1;
    }
    char *text =
        PyOS_double_to_string(value, (char)conversion->letter, (int)precision,
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

/* %c: a number, or a str of one character. */
static int
write_char(struct percent *self, const struct conversion *conversion,
           PyObject *op)
{
    char bytes[PYB_UTF8_LONGEST];

    if (PyUnicode_Check(op) && PyUnicode_GET_LENGTH(op) == 1)
        return write_text(self, conversion, pyb_str_text(op),
                          pyb_str_size(op));
    if (PyUnicode_Check(op) || !PyIndex_Check(op)) {
        PyErr_SetString(PyExc_TypeError, "%c requires int or char");
        return -1;
    }
    PyObject *number = PyNumber_Index(op);
    if (number == NULL)
        return -1;
    int overflow;
    long ordinal = PyLong_AsLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (overflow || ordinal < 0 || ordinal >= (long)PYB_UNICODE_END) {
        PyErr_SetString(PyExc_OverflowError, "%c arg not in range(0x110000)");
        return -1;
    }
    return write_text(self, conversion, bytes,
                      pyb_utf8_put(bytes, (Py_UCS4)ordinal));
}

static int
write_argument(struct percent *self, const struct conversion *conversion,
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
    default:
        PyErr_Format(PyExc_ValueError,
                     "unsupported format character '%c' (0x%x) at index %zd",
                     conversion->letter > 31 && conversion->letter < 127
                         ? (int)conversion->letter
                         : '?',
                     (unsigned)conversion->letter,
                     pyb_str_index(self->format, conversion->place));
        return -1;
    }
}

/* ------------------------------------------------------------------ */
/* The whole                                                           */

static int
write_all(struct percent *self)
{
    struct conversion conversion;

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
        if (read_conversion(self, &conversion) < 0)
            return -1;
        if (conversion.letter == '%') {
            if (pyb_text_repeat(&self->out, '%', 1) < 0)
                return -1;
            continue;
        }
        PyObject *op = next_argument(self);
        if (op == NULL || write_argument(self, &conversion, op) < 0)
            return -1;
    }
    if (self->next == self->size || self->mapping != NULL)
        return 0;
    PyErr_SetString(PyExc_TypeError,
                    "not all arguments converted during string formatting");
    return -1;
}

PyObject *
PyUnicode_Format(PyObject *format, PyObject *args)
{
    struct percent self;

    if (format == NULL || args == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (pyb_str_require(format) < 0)
        return NULL;
    start(&self, format, args);
    int result = write_all(&self);
    if (self.owns_args)
        Py_DECREF(self.args);
    if (result < 0) {
        pyb_text_drop(&self.out);
        return NULL;
    }
    return pyb_text_finish(&self.out);
}
