/* incremental.c: encoders and decoders that take a text in pieces. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/codec/codecinfo.h"
#include "types/str/text.h"

/* struct coder: an encoder or a decoder.  byteorder is that of the encoding
   until a byte order mark has been written or read.  rest, bytes, is what the
   decoder has of a character without its end. */
struct coder {
    PyObject_HEAD
    const struct pyb_native *native;
    PyObject *errors, *rest; /* owned; a str, bytes */
    int byteorder;
};

static struct coder *
coder_of(PyObject *op)
{
    return (struct coder *)(void *)op;
}

PyObject *
pyb_incremental_new(PyTypeObject *type, const struct pyb_native *native,
                    PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"errors", NULL};
    PyObject *errors = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|U", names, &errors))
        return NULL;
    struct coder *self = PyObject_New(struct coder, type);
    if (self == NULL)
        return NULL;
    self->native = native;
    self->byteorder = native->byteorder;
    self->errors =
        errors != NULL ? Py_NewRef(errors) : PyUnicode_FromString("strict");
    self->rest = PyBytes_FromStringAndSize(NULL, 0);
    if (self->errors == NULL || self->rest == NULL)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void
coder_dealloc(PyObject *op)
{
    Py_XDECREF(coder_of(op)->errors);
    Py_XDECREF(coder_of(op)->rest);
    PyObject_Free(op);
}

/* Does a byte order mark say what the order is? */
static int
is_marked(const struct coder *self)
{
    return self->native->marked;
}

/* Parses (input, final=False). */
static int
parse(PyObject *args, PyObject *kwargs, const char *format, PyObject **input,
      int *final)
{
    static char *names[] = {"input", "final", NULL};

    *final = 0;
    return PyArg_ParseTupleAndKeywords(args, kwargs, format, names, input,
                                       final)
               ? 0
               : -1;
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

static PyObject *
encode(PyObject *op, PyObject *args, PyObject *kwargs)
{
    struct coder *self = coder_of(op);
    PyObject *input;
    int final;

    if (parse(args, kwargs, "U|p:encode", &input, &final) < 0)
        return NULL;
    const char *errors = PyUnicode_AsUTF8(self->errors);
    if (errors == NULL)
        return NULL;
    PyObject *bytes =
        pyb_native_encode(self->native, input, errors, self->byteorder);
    if (bytes != NULL && is_marked(self))
        self->byteorder = PY_BIG_ENDIAN ? 1 : -1;
    return bytes;
}

static PyObject *
reset_encoder(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    coder_of(op)->byteorder = coder_of(op)->native->byteorder;
    Py_RETURN_NONE;
}

/* The state is 2 before the byte order mark, else 0. */
static PyObject *
get_encoder_state(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    struct coder *self = coder_of(op);

    return PyLong_FromLong(is_marked(self) && self->byteorder == 0 ? 2 : 0);
}

static PyObject *
set_encoder_state(PyObject *op, PyObject *state)
{
    struct coder *self = coder_of(op);
    int unmarked = PyObject_IsTrue(state);

    if (unmarked < 0)
        return NULL;
    if (is_marked(self))
        self->byteorder = unmarked ? 0 : PY_BIG_ENDIAN ? 1 : -1;
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

/* A text that must begin with a byte order mark begins without it. */
static int
check_mark(const struct coder *self, int byteorder, Py_ssize_t consumed)
{
    if (!is_marked(self) || byteorder != 0 || consumed < self->native->unit)
        return 0;
    return pyb_failf(PyExc_UnicodeError,
                     "UTF-%d stream does not start with BOM",
                     self->native->unit * 8);
}

/* Decodes the bytes, and keeps what may be continued. */
static PyObject *
decode_bytes(struct coder *self, const char *bytes, Py_ssize_t size, int final)
{
    Py_ssize_t consumed = size;
    int byteorder = self->byteorder;
    const char *errors = PyUnicode_AsUTF8(self->errors);

    if (errors == NULL)
        return NULL;
    PyObject *str = pyb_native_decode(self->native, bytes, size, errors,
                                      &byteorder, final ? NULL : &consumed);
    if (str == NULL)
        return NULL;
    PYB_ASSERT(0 <= consumed && consumed <= size);
    PYB_ASSERT(-1 <= byteorder && byteorder <= 1);
    PyObject *rest = NULL;
    if (check_mark(self, byteorder, consumed) == 0)
        rest = PyBytes_FromStringAndSize(bytes + consumed, size - consumed);
    if (rest == NULL) {
        Py_DECREF(str);
        return NULL;
    }
    Py_SETREF(self->rest, rest);
    self->byteorder = byteorder;
    return str;
}

static PyObject *
decode(PyObject *op, PyObject *args, PyObject *kwargs)
{
    struct coder *self = coder_of(op);
    struct pyb_text all = {0};
    PyObject *input, *str = NULL;
    Py_buffer view;
    int final;

    if (parse(args, kwargs, "O|p:decode", &input, &final) < 0 ||
        PyObject_GetBuffer(input, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    if (pyb_text_bytes(&all, PyBytes_AS_STRING(self->rest),
                       PyBytes_GET_SIZE(self->rest)) == 0 &&
        pyb_text_bytes(&all, view.buf, view.len) == 0)
        str =
            decode_bytes(self, all.size > 0 ? all.data : "", all.size, final);
    pyb_text_drop(&all);
    PyBuffer_Release(&view);
    return str;
}

/* The second half of the state of a decoder whose text begins with a mark: 2
   before it, 0 for the machine's order, 1 for the other one. */
enum { NATIVE_ORDER, OTHER_ORDER, NO_ORDER };

static PyObject *
get_decoder_state(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    struct coder *self = coder_of(op);
    int order = NATIVE_ORDER;

    if (is_marked(self) && self->byteorder == 0)
        order = NO_ORDER;
    else if (is_marked(self) && (self->byteorder > 0) != PY_BIG_ENDIAN)
        order = OTHER_ORDER;
    return Py_BuildValue("(Oi)", self->rest, order);
}

static PyObject *
set_decoder_state(PyObject *op, PyObject *state)
{
    struct coder *self = coder_of(op);
    PyObject *rest;
    int order;

    if (!PyTuple_Check(state))
        return pyb_raise(PyExc_TypeError, "state must be a tuple");
    if (!PyArg_ParseTuple(state, "Si:setstate", &rest, &order))
        return NULL;
    Py_SETREF(self->rest, Py_NewRef(rest));
    if (is_marked(self))
        self->byteorder =
            order == NO_ORDER
                ? 0
                : ((order == OTHER_ORDER) != PY_BIG_ENDIAN ? 1 : -1);
    Py_RETURN_NONE;
}

static PyObject *
reset_decoder(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    struct coder *self = coder_of(op);
    PyObject *nothing = PyBytes_FromStringAndSize(NULL, 0);

    if (nothing == NULL)
        return NULL;
    Py_SETREF(self->rest, nothing);
    self->byteorder = self->native->byteorder;
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ */
/* The types                                                           */

#define KEYWORDS(function)                                                    \
    (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS

static PyMethodDef encoder_methods[] = {
    {"encode", KEYWORDS(encode), NULL},
    {"reset", reset_encoder, METH_NOARGS, NULL},
    {"getstate", get_encoder_state, METH_NOARGS, NULL},
    {"setstate", set_encoder_state, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef decoder_methods[] = {
    {"decode", KEYWORDS(decode), NULL},
    {"reset", reset_decoder, METH_NOARGS, NULL},
    {"getstate", get_decoder_state, METH_NOARGS, NULL},
    {"setstate", set_decoder_state, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"errors", _Py_T_OBJECT, offsetof(struct coder, errors), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

#define CODER(NAME, TP_NAME, METHODS)                                         \
    PyTypeObject NAME = {                                                     \
        PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = TP_NAME,             \
        .tp_basicsize = sizeof(struct coder),                                 \
        .tp_dealloc = coder_dealloc,                                          \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,   \
        .tp_methods = METHODS,                                                \
        .tp_members = members,                                                \
    };
CODER(pyb_incremental_encoder_type, "codecs.IncrementalEncoder",
      encoder_methods)
CODER(pyb_incremental_decoder_type, "codecs.IncrementalDecoder",
      decoder_methods)
