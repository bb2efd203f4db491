/* str.c: the type str: objects, their making, comparison, and the type.

   Other files have the rest: strindex.c subscripts and iteration, strops.c
   searching and splitting, strmethods.c methods, strrepr.c repr, strchars.c
   what characters are, intern.c interning, codecs.c encodings. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/control.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "runtime/freelist.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

#define STR(op) PYB_CAST(PyUnicodeObject, PyUnicode_Check, op)

/* ------------------------------------------------------------------ */
/* Making and freeing                                                  */

static char nothing[] = "";
static PyUnicodeObject empty = {
    _PyB_HEAD_BRACED(&PyUnicode_Type) nothing, 0, 0, -1, nothing,
    PYB_STR_ASCII | 1 << PYB_STR_KIND_SHIFT};

/* Only surrogates begin with the bytes ED A0 to ED BF. */
int
pyb_str_has_surrogates(const char *text, Py_ssize_t size)
{
    const char *end = text + size;

    while ((text = memchr(text, 0xed, (size_t)(end - text))) != NULL) {
        if ((unsigned char)text[1] >= 0xa0)
            return 1;
        text++;
    }
    return 0;
}

/* Sets all fields of op but the header; the text is in place. */
static void
describe(PyUnicodeObject *op, char *text, Py_ssize_t size)
{
    text[size] = '\0';
    op->_pyb_text = text;
    op->_pyb_size = size;
    op->_pyb_length = size;
    op->hash = -1;
    op->_pyb_chars = text;
    op->_pyb_flags = PYB_STR_ASCII | 1 << PYB_STR_KIND_SHIFT;
    if (pyb_utf8_ascii(text, size) < size) {
        op->_pyb_length = pyb_utf8_count(text, size);
        op->_pyb_chars = NULL;
        op->_pyb_flags =
            pyb_str_has_surrogates(text, size) ? PYB_STR_SURROGATES : 0;
    }
    PYB_EXPENSIVE(pyb_str_check_short((PyObject *)op));
}

/* The size of an exact str with that many bytes of text. */
static inline size_t
exact_size(Py_ssize_t size)
{
    PYB_ASSERT(size >= 0);
    return sizeof(PyUnicodeObject) + (size_t)size + 1;
}

PyObject *
pyb_str_new(const char *text, Py_ssize_t size)
{
    pyb_control_need("PyUnicode_FromString");
    if (size == 0)
        return Py_NewRef(&empty);
    PYB_ASSERT(size > 0);
    PyObject *op = pyb_freelist_new(&PyUnicode_Type, exact_size(size));
    if (op == NULL)
        return NULL;
    memcpy(STR(op) + 1, text, (size_t)size);
    describe(STR(op), (char *)(STR(op) + 1), size);
    return op;
}

/* A short one is copied: its block has the size of its class. */
static int
can_grow(PyObject *op)
{
    PyUnicodeObject *str = STR(op);

    return Py_REFCNT(op) == 1 && PyUnicode_CheckExact(op) &&
           !(str->_pyb_flags & (PYB_STR_INTERNED | PYB_STR_STALE)) &&
           str->_pyb_text == (const char *)(str + 1) &&
           exact_size(str->_pyb_size) > PYB_FREELIST_MAX;
}

/* Sets all fields of op but the header: of left, whose text is in place in op,
   with the text of right behind it. */
static void
append(PyUnicodeObject *op, const PyUnicodeObject *left, PyObject *right)
{
    char *text = (char *)(op + 1);
    Py_ssize_t size = pyb_str_size(right);
    unsigned either = left->_pyb_flags | pyb_str_flags(right);

    memcpy(text + left->_pyb_size, pyb_str_text(right), (size_t)size + 1);
    op->_pyb_text = text;
    op->_pyb_length = left->_pyb_length + STR(right)->_pyb_length;
    op->_pyb_size = left->_pyb_size + size;
    op->hash = -1;
    /* A str that PyUnicode_New made for other characters may be ASCII, too,
       and not have the flag. */
    int ascii = op->_pyb_length == op->_pyb_size;
    op->_pyb_chars = ascii ? text : NULL;
    op->_pyb_flags = ascii ? PYB_STR_ASCII | 1 << PYB_STR_KIND_SHIFT
                           : either & PYB_STR_SURROGATES;
    PYB_EXPENSIVE(pyb_str_check_short((PyObject *)op));
}

/* An array of the characters that was made before is none of the new text. */
int
pyb_str_grow(PyObject **p, PyObject *right)
{
    if (*p == right || !can_grow(*p))
        return 0;
    const PyUnicodeObject left = *STR(*p);
    Py_ssize_t right_size = pyb_str_size(right);
    if (STR(*p)->_pyb_chars != STR(*p)->_pyb_text)
        PyMem_Free(STR(*p)->_pyb_chars);
    STR(*p)->_pyb_chars = NULL;
    PyUnicodeObject *grown = NULL;
    if (right_size <= PY_SSIZE_T_MAX / 2 - left._pyb_size)
        grown = PyObject_Realloc(*p, exact_size(left._pyb_size + right_size));
    if (grown == NULL) {
        PyErr_NoMemory();
        Py_CLEAR(*p);
        return -1;
    }
    PYB_ASSERT(grown->_pyb_size == left._pyb_size);
    append(grown, &left, right);
    *p = (PyObject *)grown;
    return 1;
}

PyObject *
pyb_str_concat(PyObject *left, PyObject *right)
{
    Py_ssize_t left_size = pyb_str_size(left);
    Py_ssize_t right_size = pyb_str_size(right);

    if (right_size > PY_SSIZE_T_MAX / 2 - left_size)
        return PYB_MEMORY_ERROR(NULL);
    PyObject *op =
        pyb_freelist_new(&PyUnicode_Type, exact_size(left_size + right_size));
    if (op == NULL)
        return NULL;
    memcpy(STR(op) + 1, pyb_str_text(left), (size_t)left_size);
    append(STR(op), STR(left), right);
    return op;
}

PyObject *
pyb_str_exact(PyObject *op)
{
    if (PyUnicode_CheckExact(op))
        return Py_NewRef(op);
    return pyb_str_new(pyb_str_text(op), pyb_str_size(op));
}

/* An instance of a subtype with the text of a str, which is stolen; NULL is
   passed on. */
static PyObject *
new_of_subtype(PyTypeObject *type, PyObject *str)
{
    if (str == NULL)
        return NULL;
    Py_ssize_t size = pyb_str_size(str);
    char *text = PyMem_Malloc((size_t)size + 1);
    PyObject *op = NULL;

    if (text == NULL) {
        PyErr_NoMemory();
    } else if ((op = type->tp_alloc(type, 0)) == NULL) {
        PyMem_Free(text);
    } else {
        memcpy(text, pyb_str_text(str), (size_t)size);
        describe(STR(op), text, size);
    }
    Py_DECREF(str);
    return op;
}

/* Frees a str whose text and array are not in one block with it. */
__attribute__((noinline)) static void
dealloc_parts(PyUnicodeObject *self)
{
    const void *behind = PyUnicode_CheckExact(self) ? self + 1 : NULL;

    if (self->_pyb_chars != self->_pyb_text && self->_pyb_chars != behind)
        PyMem_Free(self->_pyb_chars);
    if (self->_pyb_text != behind)
        PyMem_Free((void *)(uintptr_t)self->_pyb_text);
    /* Not to the free list: the size of the block is not known any more.  A
       collectable subtype has untracked itself. */
    Py_TYPE(self)->tp_free(self);
}

static void
str_dealloc(PyObject *op)
{
    PyUnicodeObject *self = STR(op);

    PYB_ASSERT_OBJECT(op != (PyObject *)&empty, op);
    PYB_EXPENSIVE(pyb_str_check_short(op));
    if (_PyB_UNLIKELY(self->_pyb_flags & PYB_STR_INTERNED))
        pyb_intern_forget(op);
    if (_PyB_LIKELY(self->_pyb_text == (const char *)(self + 1) &&
                    (self->_pyb_chars == NULL ||
                     self->_pyb_chars == self->_pyb_text) &&
                    PyUnicode_CheckExact(op)))
        pyb_freelist_del(op, exact_size(self->_pyb_size));
    else
        dealloc_parts(self);
}

/* The str for str(object, encoding, errors). */
static PyObject *
make(PyObject *object, const char *encoding, const char *errors)
{
    if (object == NULL)
        return Py_NewRef(&empty);
    if (encoding == NULL && errors == NULL)
        return PyObject_Str(object);
    return PyUnicode_FromEncodedObject(object, encoding, errors);
}

static PyObject *
str_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"object", "encoding", "errors", NULL};
    PyObject *object = NULL;
    const char *encoding = NULL, *errors = NULL;

    if (!pyb_getargs_named(args, kwds, "|Oss:str", names, &object, &encoding,
                           &errors))
        return NULL;
    PyObject *op = make(object, encoding, errors);
    return type == &PyUnicode_Type ? op : new_of_subtype(type, op);
}

/* ------------------------------------------------------------------ */
/* From and to C                                                       */

PyObject *
PyUnicode_FromStringAndSize(const char *u, Py_ssize_t size)
{
    if (size < 0)
        return pyb_raise(
            PyExc_SystemError,
            "Negative size passed to PyUnicode_FromStringAndSize");
    if (u == NULL && size > 0)
        return pyb_raise(PyExc_SystemError,
                         "NULL string with positive size with NULL passed to "
                         "PyUnicode_FromStringAndSize");
    return PyUnicode_DecodeUTF8(u, size, NULL);
}

PyObject *
PyUnicode_FromString(const char *u)
{
    return PyUnicode_DecodeUTF8(u, (Py_ssize_t)strlen(u), NULL);
}

PyObject *
PyUnicode_FromObject(PyObject *obj)
{
    if (!PyUnicode_Check(obj))
        return PyErr_Format(PyExc_TypeError,
                            "Can't convert '%.100s' object to str implicitly",
                            Py_TYPE(obj)->tp_name);
    return pyb_str_exact(obj);
}

int
pyb_str_check(PyObject *op)
{
    if (PyUnicode_Check(op))
        return 0;
    pyb_dead_given("PyUnicode_Check", op);
    PyErr_BadArgument();
    return -1;
}

int
pyb_str_require(PyObject *op)
{
    if (PyUnicode_Check(op))
        return 0;
    return pyb_failf(PyExc_TypeError, "must be str, not %.100s",
                     Py_TYPE(op)->tp_name);
}

Py_ssize_t
PyUnicode_GetLength(PyObject *unicode)
{
    return pyb_str_check(unicode) < 0 ? -1 : PyUnicode_GET_LENGTH(unicode);
}

const char *
PyUnicode_AsUTF8AndSize(PyObject *unicode, Py_ssize_t *size)
{
    if (size != NULL)
        *size = -1;
    if (pyb_str_check(unicode) < 0)
        return NULL;
    if (pyb_str_flags(unicode) & PYB_STR_SURROGATES) {
        /* Fails with the right exception. */
        Py_XDECREF(PyUnicode_AsUTF8String(unicode));
        return NULL;
    }
    if (size != NULL)
        *size = pyb_str_size(unicode);
    return pyb_str_text(unicode);
}

const char *
PyUnicode_AsUTF8(PyObject *unicode)
{
    return PyUnicode_AsUTF8AndSize(unicode, NULL);
}

/* ------------------------------------------------------------------ */
/* Comparison and hash                                                 */

int
pyb_str_equal(PyObject *a, PyObject *b)
{
    if (a == b)
        return 1;
    const PyUnicodeObject *x = pyb_str_settled(a), *y = pyb_str_settled(b);
    return x->_pyb_size == y->_pyb_size &&
           memcmp(x->_pyb_text, y->_pyb_text, (size_t)x->_pyb_size) == 0;
}

/* -1, 0, 1.  UTF-8 is in the order of the characters. */
static int
compare(PyObject *op, const char *text, Py_ssize_t size)
{
    PYB_ASSERT(size >= 0);
    Py_ssize_t common = Py_MIN(pyb_str_size(op), size);
    int order = memcmp(pyb_str_text(op), text, (size_t)common);

    if (order == 0)
        return (pyb_str_size(op) > size) - (pyb_str_size(op) < size);
    return order < 0 ? -1 : 1;
}

int
PyUnicode_Compare(PyObject *left, PyObject *right)
{
    if (!PyUnicode_Check(left) || !PyUnicode_Check(right))
        return pyb_failf(PyExc_TypeError, "Can't compare %.100s and %.100s",
                         Py_TYPE(left)->tp_name, Py_TYPE(right)->tp_name);
    return compare(left, pyb_str_text(right), pyb_str_size(right));
}

/* As in CPython, the bytes of the string are taken as Latin-1. */
int
PyUnicode_CompareWithASCIIString(PyObject *left, const char *right)
{
    pyb_dead_given(__func__, left);
    const char *p = pyb_str_text(left), *end = pyb_str_end(left);

    while (p < end && *right != '\0') {
        Py_UCS4 ch = pyb_utf8_next(&p), other = (unsigned char)*right++;
        if (ch != other)
            return ch < other ? -1 : 1;
    }
    return (p < end) - (*right != '\0');
}

int
PyUnicode_Equal(PyObject *a, PyObject *b)
{
    PyObject *wrong = !PyUnicode_Check(a) ? a : !PyUnicode_Check(b) ? b : NULL;

    if (wrong == NULL)
        return pyb_str_equal(a, b);
    return pyb_failf(PyExc_TypeError, "%s argument must be str, not %T",
                     wrong == a ? "first" : "second", wrong);
}

int
PyUnicode_EqualToUTF8AndSize(PyObject *unicode, const char *string,
                             Py_ssize_t size)
{
    return !(pyb_str_flags(unicode) & PYB_STR_SURROGATES) &&
           compare(unicode, string, size) == 0;
}

int
PyUnicode_EqualToUTF8(PyObject *unicode, const char *string)
{
    return PyUnicode_EqualToUTF8AndSize(unicode, string,
                                        (Py_ssize_t)strlen(string));
}

PyObject *
PyUnicode_RichCompare(PyObject *left, PyObject *right, int op)
{
    if (!PyUnicode_Check(left) || !PyUnicode_Check(right))
        Py_RETURN_NOTIMPLEMENTED;
    if (op == Py_EQ || op == Py_NE)
        return PyBool_FromLong(pyb_str_equal(left, right) == (op == Py_EQ));
    int order = PyUnicode_Compare(left, right);
    Py_RETURN_RICHCOMPARE(order, 0, op);
}

Py_hash_t
pyb_str_hash(PyObject *op)
{
    if (STR(op)->hash == -1)
        STR(op)->hash = Py_HashBuffer(pyb_str_text(op), pyb_str_size(op));
    PYB_ASSERT_OBJECT(STR(op)->hash != -1, op);
    return STR(op)->hash;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static Py_ssize_t
str_length(PyObject *op)
{
    return PyUnicode_GET_LENGTH(op);
}

/* The right operand of nb_remainder may be the str. */
static PyObject *
str_remainder(PyObject *left, PyObject *right)
{
    if (!PyUnicode_Check(left))
        Py_RETURN_NOTIMPLEMENTED;
    return PyUnicode_Format(left, right);
}

/* sq_item does not adjust the index: PySequence_GetItem has added the
   length. */
static PyObject *
str_item(PyObject *op, Py_ssize_t i)
{
    if (i < 0 || i >= PyUnicode_GET_LENGTH(op))
        return pyb_raise(PyExc_IndexError, "string index out of range");
    return pyb_str_char(op, i);
}

static PyNumberMethods as_number = {.nb_remainder = str_remainder};

static PySequenceMethods as_sequence = {
    .sq_length = str_length,
    .sq_concat = PyUnicode_Concat,
    .sq_repeat = pyb_str_repeat,
    .sq_item = str_item,
    .sq_contains = PyUnicode_Contains,
};

static PyMappingMethods as_mapping = {
    .mp_length = str_length,
    .mp_subscript = pyb_str_subscript,
};

PyDoc_STRVAR(doc, "str(object='') -> str\n"
                  "str(bytes_or_buffer[, encoding[, errors]]) -> str\n\n"
                  "Text: an immutable sequence of Unicode characters.");

PyTypeObject PyUnicode_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "str",
    .tp_basicsize = sizeof(PyUnicodeObject),
    .tp_dealloc = str_dealloc,
    .tp_repr = pyb_str_repr,
    .tp_as_number = &as_number,
    .tp_as_sequence = &as_sequence,
    .tp_as_mapping = &as_mapping,
    .tp_hash = pyb_str_hash,
    .tp_str = pyb_str_exact,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_UNICODE_SUBCLASS | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = doc,
    .tp_richcompare = PyUnicode_RichCompare,
    .tp_iter = pyb_str_iter,
    .tp_methods = pyb_str_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = str_new,
    .tp_free = PyObject_Free,
};
