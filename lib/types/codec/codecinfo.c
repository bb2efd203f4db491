/* codecinfo.c: codecs of the library's own encodings as the registry has them:
   CodecInfo, a tuple with the functions as attributes, too.  Each function is
   bound to the name of its encoding. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/codec/codecinfo.h"

/* ------------------------------------------------------------------ */
/* The functions                                                       */

static const struct pyb_native *
native_of(PyObject *name)
{
    const struct pyb_native *native = pyb_native_find(PyUnicode_AsUTF8(name));

    PYB_ASSERT(native != NULL);
    return native;
}

/* (result, size), which steals the result; NULL for NULL. */
static PyObject *
with_size(PyObject *result, Py_ssize_t size)
{
    return result == NULL ? NULL : Py_BuildValue("(Nn)", result, size);
}

static PyObject *
encode(PyObject *self, PyObject *args)
{
    const struct pyb_native *native = native_of(self);
    PyObject *str;
    const char *errors = NULL;

    if (!PyArg_ParseTuple(args, "U|z:encode", &str, &errors))
        return NULL;
    return with_size(pyb_native_encode(native, str, errors, native->byteorder),
                     PyUnicode_GET_LENGTH(str));
}

static PyObject *
decode(PyObject *self, PyObject *args)
{
    const struct pyb_native *native = native_of(self);
    int byteorder = native->byteorder;
    Py_buffer view;
    const char *errors = NULL;

    if (!PyArg_ParseTuple(args, "y*|z:decode", &view, &errors))
        return NULL;
    PyObject *result = with_size(pyb_native_decode(native, view.buf, view.len,
                                                   errors, &byteorder, NULL),
                                 view.len);
    PyBuffer_Release(&view);
    return result;
}

static PyObject *
no_stream(PyObject *self, PyObject *Py_UNUSED(args))
{
    return PyErr_Format(PyExc_NotImplementedError,
                        "there are no stream readers and writers for %U",
                        self);
}

static PyObject *
incremental_encoder(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return pyb_incremental_new(&pyb_incremental_encoder_type, native_of(self),
                               args, kwargs);
}

static PyObject *
incremental_decoder(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return pyb_incremental_new(&pyb_incremental_decoder_type, native_of(self),
                               args, kwargs);
}

/* In the order of the tuple; the last two are attributes alone. */
enum { ENCODER, DECODER, READER, WRITER, ITEMS };
enum { INCREMENTAL_ENCODER = ITEMS, INCREMENTAL_DECODER, FUNCTIONS };
#define KEYWORDS(function)                                                    \
    (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS
static PyMethodDef functions[FUNCTIONS] = {
    [ENCODER] = {"encode", encode, METH_VARARGS, NULL},
    [DECODER] = {"decode", decode, METH_VARARGS, NULL},
    [READER] = {"StreamReader", no_stream, METH_VARARGS, NULL},
    [WRITER] = {"StreamWriter", no_stream, METH_VARARGS, NULL},
    [INCREMENTAL_ENCODER] = {"IncrementalEncoder",
                             KEYWORDS(incremental_encoder), NULL},
    [INCREMENTAL_DECODER] = {"IncrementalDecoder",
                             KEYWORDS(incremental_decoder), NULL},
};

/* ------------------------------------------------------------------ */
/* The type                                                            */

PyObject *
pyb_codecinfo_new(const struct pyb_native *native)
{
    PyObject *name = PyUnicode_FromString(native->name), *info = NULL;
    PyObject *items = PyTuple_New(ITEMS);

    for (int i = 0; name != NULL && items != NULL && i < ITEMS; i++) {
        PyObject *function = PyCFunction_New(&functions[i], name);
        if (function == NULL)
            Py_CLEAR(items);
        else
            PyTuple_SET_ITEM(items, i, function);
    }
    if (name != NULL && items != NULL)
        info = PyObject_CallOneArg((PyObject *)&pyb_codecinfo_type, items);
    Py_XDECREF(name);
    Py_XDECREF(items);
    return info;
}

static PyObject *
get_name(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(PyCFunction_GetSelf(PyTuple_GET_ITEM(self, ENCODER)));
}

/* An attribute: the item, or a function like the items. */
static PyObject *
get_function(PyObject *self, void *closure)
{
    Py_ssize_t place = (PyMethodDef *)closure - functions;

    if (place < ITEMS)
        return Py_NewRef(PyTuple_GET_ITEM(self, place));
    PyObject *name = get_name(self, NULL);
    PyObject *function = PyCFunction_New(&functions[place], name);
    Py_DECREF(name);
    return function;
}

static PyObject *
get_true(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    Py_RETURN_TRUE;
}

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, NULL, NULL},
    {"encode", get_function, NULL, NULL, &functions[ENCODER]},
    {"decode", get_function, NULL, NULL, &functions[DECODER]},
    {"streamreader", get_function, NULL, NULL, &functions[READER]},
    {"streamwriter", get_function, NULL, NULL, &functions[WRITER]},
    {"incrementalencoder", get_function, NULL, NULL,
     &functions[INCREMENTAL_ENCODER]},
    {"incrementaldecoder", get_function, NULL, NULL,
     &functions[INCREMENTAL_DECODER]},
    {"_is_text_encoding", get_true, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *
codecinfo_repr(PyObject *self)
{
    PyObject *name = get_name(self, NULL);
    PyObject *repr = PyUnicode_FromFormat(
        "<codecs.CodecInfo object for encoding %U at %p>", name, self);

    Py_DECREF(name);
    return repr;
}

PyTypeObject pyb_codecinfo_type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "codecs.CodecInfo",
    .tp_doc = PyDoc_STR("The functions of a codec."),
    .tp_base = &PyTuple_Type,
    .tp_repr = codecinfo_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_getset = attributes,
};
