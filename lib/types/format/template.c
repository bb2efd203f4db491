/* template.c: str.format and str.format_map.  Python: "Format String Syntax".

   A template is text with fields: {name!conversion:specifier}.  The name is a
   number, a key or nothing, and .attributes and [items] may follow it.  The
   specifier may have fields of its own, but these may not. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/format/format.h"
#include "types/format/formatspec.h"

enum numbering { NOT_YET, AUTOMATIC, MANUAL };

/* struct template: one call of str.format. */
struct template
{
    PyObject *str;
    Py_UCS4 *chars;    /* those of str */
    PyObject *args;    /* a tuple; NULL for format_map */
    PyObject *mapping; /* for names that are no numbers, or NULL */
    enum numbering numbering;
    Py_ssize_t next; /* the number of the next field without a name */
};

/* struct span: a part of the template, from p up to end.  What reads it moves
   p. */
struct span {
    Py_ssize_t p, end;
};

/* struct field: what stands between '{' and '}'. */
struct field {
    struct span name, spec;
    Py_UCS4 conversion; /* 0: none */
    int nested;         /* the specifier has fields */
};

static int expand(struct template *self, struct span span, int depth,
                  PyUnicodeWriter *out);

static PyObject *
substring(const struct template *self, struct span span)
{
    return PyUnicode_Substring(self->str, span.p, span.end);
}

/* ------------------------------------------------------------------ */
/* Reading a field                                                     */

/* Reads the name behind '{' and what ends it: '}', ':' or '!', which is the
   result; 0 with ValueError. */
static Py_UCS4
read_name(const struct template *self, struct span *in, struct field *field)
{
    field->name.p = in->p;
    while (in->p < in->end) {
        Py_UCS4 ch = self->chars[in->p++];
        if (ch == '{') {
            PyErr_SetString(PyExc_ValueError, "unexpected '{' in field name");
            return 0;
        }
        if (ch == '[')
            while (in->p < in->end && self->chars[in->p] != ']')
                in->p++;
        if (ch == '}' || ch == ':' || ch == '!') {
            field->name.end = in->p - 1;
            return ch;
        }
    }
    PyErr_SetString(PyExc_ValueError, "expected '}' before end of string");
    return 0;
}

/* Reads the conversion behind '!' and what ends it: '}', or ':' also for the
   end of the template; 0 with ValueError. */
static Py_UCS4
read_conversion(const struct template *self, struct span *in,
                struct field *field)
{
    if (in->p == in->end) {
        PyErr_SetString(
            PyExc_ValueError,
            "end of string while looking for conversion specifier");
        return 0;
    }
    field->conversion = self->chars[in->p++];
    Py_UCS4 ch = in->p < in->end ? self->chars[in->p++] : ':';
    if (ch == '}' || ch == ':')
        return ch;
    PyErr_SetString(PyExc_ValueError,
                    "expected ':' after conversion specifier");
    return 0;
}

/* Reads the specifier behind ':' and the '}' that ends it.  0, or -1 with
   ValueError. */
static int
read_spec(const struct template *self, struct span *in, struct field *field)
{
    int depth = 1;

    field->spec.p = in->p;
    while (in->p < in->end) {
        Py_UCS4 ch = self->chars[in->p++];
        if (ch == '{')
            field->nested = 1;
        depth += (ch == '{') - (ch == '}');
        if (depth == 0) {
            field->spec.end = in->p - 1;
            return 0;
        }
    }
    return pyb_fail(PyExc_ValueError, "unmatched '{' in format spec");
}

static int
read_field(const struct template *self, struct span *in, struct field *field)
{
    *field = (struct field){.conversion = 0};
    Py_UCS4 ch = read_name(self, in, field);
    if (ch == '!')
        ch = read_conversion(self, in, field);
    if (ch == ':')
        return read_spec(self, in, field);
    return ch == 0 ? -1 : 0;
}

/* ------------------------------------------------------------------ */
/* The object that a field names                                       */

/* The number that the span is; -1 if it is none, -2 with ValueError. */
static Py_ssize_t
as_number(const struct template *self, struct span span)
{
    Py_ssize_t number = 0;

    if (span.p == span.end)
        return -1;
    for (; span.p < span.end; span.p++) {
        int result = pyb_formatspec_digit(self->chars[span.p], &number);
        if (result <= 0)
            return result - 1;
    }
    return number;
}

/* Numbers are given in all fields or in none.  0, or -1 with ValueError. */
static int
check_numbering(struct template *self, enum numbering wanted)
{
    if (self->numbering == NOT_YET)
        self->numbering = wanted;
    if (self->numbering == wanted)
        return 0;
    return pyb_fail(PyExc_ValueError,
                    wanted == AUTOMATIC
                        ? "cannot switch from manual field specification to "
                          "automatic field numbering"
                        : "cannot switch from automatic field numbering to "
                          "manual field specification");
}

static PyObject *
argument(struct template *self, Py_ssize_t number)
{
    if (self->args == NULL)
        return pyb_raise(PyExc_ValueError,
                         "Format string contains positional fields");
    if (number >= PyTuple_GET_SIZE(self->args))
        return PyErr_Format(PyExc_IndexError,
                            "Replacement index %zd out of range for "
                            "positional args tuple",
                            number);
    return Py_NewRef(PyTuple_GET_ITEM(self->args, number));
}

static PyObject *
named(struct template *self, struct span name)
{
    PyObject *key = substring(self, name), *result = NULL;

    if (key == NULL)
        return NULL;
    if (self->mapping == NULL)
        PyErr_SetObject(PyExc_KeyError, key);
    else
        result = PyObject_GetItem(self->mapping, key);
    Py_DECREF(key);
    return result;
}

/* The object of the name's first part, up to '.' or '['; in is moved there. */
static PyObject *
first_object(struct template *self, struct span *in)
{
    struct span first = *in;

    while (in->p < in->end && self->chars[in->p] != '.' &&
           self->chars[in->p] != '[')
        in->p++;
    first.end = in->p;
    const int empty = first.p == first.end;
    Py_ssize_t number = as_number(self, first);
    if (number == -2)
        return NULL;
    if ((empty || number >= 0) &&
        check_numbering(self, empty ? AUTOMATIC : MANUAL) < 0)
        return NULL;
    if (empty)
        number = self->next++;
    return number >= 0 ? argument(self, number) : named(self, first);
}

static PyObject *
get_item(struct template *self, PyObject *op, struct span name)
{
    Py_ssize_t number = as_number(self, name);

    if (number == -2)
        return NULL;
    if (number >= 0 && PySequence_Check(op))
        return PySequence_GetItem(op, number);
    PyObject *key =
        number >= 0 ? PyLong_FromSsize_t(number) : substring(self, name);
    PyObject *result = key == NULL ? NULL : PyObject_GetItem(op, key);
    Py_XDECREF(key);
    return result;
}

static PyObject *
get_attribute(struct template *self, PyObject *op, struct span name)
{
    PyObject *key = substring(self, name);
    PyObject *result = key == NULL ? NULL : PyObject_GetAttr(op, key);

    Py_XDECREF(key);
    return result;
}

/* Reads ".name" or "[name]"; *name gets the name.  '.' or '[', or 0 with
   ValueError. */
static Py_UCS4
read_step(struct template *self, struct span *in, struct span *name)
{
    const Py_UCS4 kind = self->chars[in->p++];
    const char *error = NULL;

    *name = (struct span){in->p, in->p};
    if (kind == '[') {
        while (in->p < in->end && self->chars[in->p] != ']')
            in->p++;
        name->end = in->p++;
        if (name->end == in->end)
            error = "Missing ']' in format string";
    } else if (kind == '.') {
        while (in->p < in->end && self->chars[in->p] != '.' &&
               self->chars[in->p] != '[')
            in->p++;
        name->end = in->p;
    } else {
        error = "Only '.' or '[' may follow ']' in format field specifier";
    }
    if (error == NULL && name->p == name->end)
        error = "Empty attribute in format string";
    if (error == NULL)
        return kind;
    PyErr_SetString(PyExc_ValueError, error);
    return 0;
}

/* The object that the name stands for.  A new reference, or NULL with an
   exception. */
static PyObject *
field_object(struct template *self, struct span name)
{
    PyObject *op = first_object(self, &name);

    while (op != NULL && name.p < name.end) {
        struct span part;
        Py_UCS4 kind = read_step(self, &name, &part);
        PyObject *next = kind == 0     ? NULL
                         : kind == '.' ? get_attribute(self, op, part)
                                       : get_item(self, op, part);
        Py_SETREF(op, next);
    }
    return op;
}

/* ------------------------------------------------------------------ */
/* Writing                                                             */

static PyObject *
convert(PyObject *op, Py_UCS4 conversion)
{
    switch (conversion) {
    case 0:
        return Py_NewRef(op);
    case 'r':
        return PyObject_Repr(op);
    case 's':
        return PyObject_Str(op);
    case 'a':
        return PyObject_ASCII(op);
    default:
        return conversion > 32 && conversion < 127
                   ? PyErr_Format(PyExc_ValueError,
                                  "Unknown conversion specifier %c",
                                  (int)conversion)
                   : PyErr_Format(PyExc_ValueError,
                                  "Unknown conversion specifier \\x%x",
                                  (unsigned)conversion);
    }
}

/* The specifier with its fields replaced.  A new reference, or NULL with an
   exception. */
static PyObject *
expand_spec(struct template *self, const struct field *field, int depth)
{
    if (!field->nested)
        return substring(self, field->spec);
    PyUnicodeWriter *out = PyUnicodeWriter_Create(0);
    if (out == NULL)
        return NULL;
    if (expand(self, field->spec, depth - 1, out) == 0)
        return PyUnicodeWriter_Finish(out);
    PyUnicodeWriter_Discard(out);
    return NULL;
}

static int
write_field(struct template *self, const struct field *field, int depth,
            PyUnicodeWriter *out)
{
    PyObject *op = field_object(self, field->name), *spec = NULL;
    PyObject *text = NULL;
    int result = -1;

    if (op != NULL)
        Py_SETREF(op, convert(op, field->conversion));
    if (op != NULL)
        spec = expand_spec(self, field, depth);
    if (spec != NULL)
        text = PyObject_Format(op, spec);
    if (text != NULL)
        result = PyUnicodeWriter_WriteStr(out, text);
    Py_XDECREF(op);
    Py_XDECREF(spec);
    Py_XDECREF(text);
    return result;
}

/* Reads text up to and including the next brace, of which two stand for one.
   *text gets what is to be written.  1 if a field follows, 0 if not, -1 with
   ValueError. */
static int
read_text(const struct template *self, struct span *in, struct span *text)
{
    Py_UCS4 ch = 0;

    text->p = in->p;
    while (in->p < in->end && ch != '{' && ch != '}')
        ch = self->chars[in->p++];
    text->end = in->p;
    if (ch != '{' && ch != '}')
        return 0;
    if (in->p < in->end && self->chars[in->p] == ch) {
        in->p++;
        return 0;
    }
    if (ch == '}' || in->p == in->end)
        return pyb_failf(PyExc_ValueError,
                         "Single '%c' encountered in format string", (int)ch);
    text->end--;
    return 1;
}

/* Writes a part of the template with its fields replaced; fields may be nested
   so deep.  0, or -1 with an exception. */
static int
expand(struct template *self, struct span span, int depth,
       PyUnicodeWriter *out)
{
    if (depth == 0)
        return pyb_fail(PyExc_ValueError, "Max string recursion exceeded");
    while (span.p < span.end) {
        struct span text;
        struct field field;
        int follows = read_text(self, &span, &text);
        if (follows < 0 || (follows && read_field(self, &span, &field) < 0) ||
            PyUnicodeWriter_WriteSubstring(out, self->str, text.p, text.end) <
                0 ||
            (follows && write_field(self, &field, depth, out) < 0))
            return -1;
    }
    return 0;
}

static PyObject *
format(PyObject *str, PyObject *args, PyObject *mapping)
{
    struct template self = {.str = str, .args = args, .mapping = mapping};
    struct span all = {0, PyUnicode_GET_LENGTH(str)};
    PyUnicodeWriter *out = PyUnicodeWriter_Create(all.end);

    if (out == NULL)
        return NULL;
    self.chars = PyUnicode_AsUCS4Copy(str);
    int failed = self.chars == NULL || expand(&self, all, 2, out) < 0;
    PyMem_Free(self.chars);
    if (!failed)
        return PyUnicodeWriter_Finish(out);
    PyUnicodeWriter_Discard(out);
    return NULL;
}

PyObject *
pyb_template_format(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return format(self, args, kwargs);
}

PyObject *
pyb_template_format_map(PyObject *self, PyObject *mapping)
{
    return format(self, NULL, mapping);
}
