/* registry.c: codecs by name: what search functions find.

   The library's own encodings are found before any search function is asked,
   as CPython's package encodings is; what the system alone knows comes last.
 */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/once.h"
#include "types/codec/codecinfo.h"
#include "types/codec/handlers.h"
#include "types/codec/natives.h"

/* The search functions, a list; what they found, a dict of normalized names.
   Both are NULL before the first use. */
static PyObject *search_path, *found;

/* The places of a codec's functions in what a search function returns. */
enum { ENCODER, DECODER, STREAM_READER, STREAM_WRITER, FUNCTIONS };

/* Whatever uses the registry begins here, so that programs without codecs pay
   nothing for them. */
static int
prepare(void)
{
    if (search_path != NULL && found != NULL)
        return 0;
    if (PyType_Ready(&pyb_codecinfo_type) < 0 ||
        PyType_Ready(&pyb_incremental_encoder_type) < 0 ||
        PyType_Ready(&pyb_incremental_decoder_type) < 0)
        return -1;
    if (search_path == NULL && pyb_once(&search_path, PyList_New(0)) < 0)
        return -1;
    return found == NULL ? pyb_once(&found, PyDict_New()) : 0;
}

void
pyb_codecs_fini(void)
{
    Py_CLEAR(search_path);
    Py_CLEAR(found);
    pyb_handlers_fini();
    pyb_charset_fini();
}

int
PyCodec_Register(PyObject *search_function)
{
    if (search_function == NULL) {
        PyErr_BadArgument();
        return -1;
    }
    if (!PyCallable_Check(search_function))
        return pyb_fail(PyExc_TypeError, "argument must be callable");
    return prepare() < 0 ? -1 : PyList_Append(search_path, search_function);
}

int
PyCodec_Unregister(PyObject *search_function)
{
    if (search_path == NULL)
        return 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(search_path); i++)
        if (PyList_GET_ITEM(search_path, i) == search_function) {
            int result = PyList_SetSlice(search_path, i, i + 1, NULL);
            PyDict_Clear(found); /* last: what is released may look one up */
            return result;
        }
    return 0;
}

/* ------------------------------------------------------------------ */
/* Looking up                                                          */

/* Asks the search functions in turn.  NULL without an exception if none of
   them knows the name. */
static PyObject *
search(PyObject *name)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(search_path); i++) {
        PyObject *function = Py_NewRef(PyList_GET_ITEM(search_path, i));
        PyObject *codec = PyObject_CallOneArg(function, name);
        Py_DECREF(function);
        if (codec == NULL)
            return NULL;
        if (codec != Py_None) {
            if (PyTuple_Check(codec) && PyTuple_GET_SIZE(codec) == FUNCTIONS)
                return codec;
            PyErr_SetString(PyExc_TypeError,
                            "codec search functions must return 4-tuples");
            Py_DECREF(codec);
            return NULL;
        }
        Py_DECREF(codec);
    }
    return NULL;
}

/* The codec of a normalized name; encoding is the name as it was given.  A new
   reference, or NULL with an exception. */
static PyObject *
look_up_name(PyObject *name, const char *encoding)
{
    PyObject *codec;
    PYB_ASSERT(found != NULL && search_path != NULL);
    int there = PyDict_GetItemRef(found, name, &codec);

    if (there != 0)
        return codec;
    const struct pyb_native *native = pyb_native_find(encoding);
    codec = native != NULL ? NULL : search(name);
    if (native == NULL && codec == NULL && PyErr_Occurred() == NULL)
        native = pyb_charset_find(encoding);
    if (native != NULL)
        codec = pyb_codecinfo_new(native);
    if (codec == NULL && PyErr_Occurred() == NULL)
        PyErr_Format(PyExc_LookupError, "unknown encoding: %s", encoding);
    if (codec != NULL && PyDict_SetItem(found, name, codec) < 0)
        Py_CLEAR(codec);
    return codec;
}

static PyObject *
look_up(const char *encoding)
{
    PyObject *codec = NULL, *name = NULL;

    if (encoding == NULL) {
        PyErr_BadArgument();
        return NULL;
    }
    if (prepare() < 0)
        return NULL;
    size_t room = strlen(encoding) + 1;
    char *lower = PyMem_Malloc(room);
    if (lower == NULL)
        return PYB_MEMORY_ERROR(NULL);
    if (pyb_codec_normalize(encoding, lower, room))
        name = PyUnicode_FromString(lower);
    PyMem_Free(lower);
    if (name != NULL)
        codec = look_up_name(name, encoding);
    Py_XDECREF(name);
    return codec;
}

int
PyCodec_KnownEncoding(const char *encoding)
{
    PyObject *codec = look_up(encoding);

    if (codec == NULL)
        PyErr_Clear();
    Py_XDECREF(codec);
    return codec != NULL;
}

/* ------------------------------------------------------------------ */
/* A codec's functions                                                 */

static PyObject *
function_of(PyObject *codec, int place)
{
    PYB_ASSERT_OBJECT(
        PyTuple_Check(codec) && PyTuple_GET_SIZE(codec) == FUNCTIONS, codec);
    PYB_ASSERT(place >= 0 && place < FUNCTIONS);
    return PyTuple_GET_ITEM(codec, place);
}

static PyObject *
get_function(const char *encoding, int place)
{
    PyObject *codec = look_up(encoding);

    if (codec == NULL)
        return NULL;
    PyObject *function = Py_NewRef(function_of(codec, place));
    Py_DECREF(codec);
    return function;
}

PyObject *
PyCodec_Encoder(const char *encoding)
{
    return get_function(encoding, ENCODER);
}

PyObject *
PyCodec_Decoder(const char *encoding)
{
    return get_function(encoding, DECODER);
}

/* function(object) or function(object, errors); function is stolen and may be
   NULL. */
static PyObject *
call_stolen(PyObject *function, PyObject *object, const char *errors)
{
    if (function == NULL)
        return NULL;
    PyObject *result =
        errors != NULL ? PyObject_CallFunction(function, "Os", object, errors)
                       : PyObject_CallOneArg(function, object);
    Py_DECREF(function);
    return result;
}

PyObject *
PyCodec_StreamReader(const char *encoding, PyObject *stream,
                     const char *errors)
{
    return call_stolen(get_function(encoding, STREAM_READER), stream, errors);
}

PyObject *
PyCodec_StreamWriter(const char *encoding, PyObject *stream,
                     const char *errors)
{
    return call_stolen(get_function(encoding, STREAM_WRITER), stream, errors);
}

/* A codec's attribute, called with errors if that is not NULL. */
static PyObject *
make_incremental(const char *encoding, const char *attribute,
                 const char *errors)
{
    PyObject *codec = look_up(encoding);

    if (codec == NULL)
        return NULL;
    PyObject *class = PyObject_GetAttrString(codec, attribute);
    Py_DECREF(codec);
    if (class == NULL)
        return NULL;
    PyObject *result = errors != NULL
                           ? PyObject_CallFunction(class, "s", errors)
                           : PyObject_CallNoArgs(class);
    Py_DECREF(class);
    return result;
}

PyObject *
PyCodec_IncrementalEncoder(const char *encoding, const char *errors)
{
    return make_incremental(encoding, "incrementalencoder", errors);
}

PyObject *
PyCodec_IncrementalDecoder(const char *encoding, const char *errors)
{
    return make_incremental(encoding, "incrementaldecoder", errors);
}

/* ------------------------------------------------------------------ */
/* Encoding and decoding                                               */

/* struct work: what is done with a codec, for messages. */
struct work {
    int place;
    const char *doing, *function, *contract;
};
static const struct work encoding_work = {
    ENCODER, "encoding", "codecs.encode()",
    "encoder must return a tuple (object, integer)"};
static const struct work decoding_work = {
    DECODER, "decoding", "codecs.decode()",
    "decoder must return a tuple (object,integer)"};

/* Calls the codec's function; codec is stolen and may be NULL. */
static PyObject *
call(PyObject *codec, const struct work *work, PyObject *object,
     const char *encoding, const char *errors)
{
    if (codec == NULL)
        return NULL;
    PyObject *result = call_stolen(Py_NewRef(function_of(codec, work->place)),
                                   object, errors);
    Py_DECREF(codec);
    if (result == NULL) {
        pyb_errors_note("%s with '%s' codec failed", work->doing, encoding);
        return NULL;
    }
    PyObject *value = NULL;
    if (PyTuple_Check(result) && PyTuple_GET_SIZE(result) == 2)
        value = Py_NewRef(PyTuple_GET_ITEM(result, 0));
    else
        PyErr_SetString(PyExc_TypeError, work->contract);
    Py_DECREF(result);
    return value;
}

PyObject *
PyCodec_Encode(PyObject *object, const char *encoding, const char *errors)
{
    return call(look_up(encoding), &encoding_work, object, encoding, errors);
}

PyObject *
PyCodec_Decode(PyObject *object, const char *encoding, const char *errors)
{
    return call(look_up(encoding), &decoding_work, object, encoding, errors);
}

/* Is the codec one between str and bytes?  Only what is more than a tuple can
   say that it is not.  1, 0, or -1 with an exception. */
static int
is_text(PyObject *codec)
{
    PyObject *attribute;

    if (PyTuple_CheckExact(codec))
        return 1;
    int there =
        PyObject_GetOptionalAttrString(codec, "_is_text_encoding", &attribute);
    if (there <= 0)
        return there < 0 ? -1 : 1;
    return pyb_truth_stolen(attribute);
}

static PyObject *
call_text(PyObject *object, const struct work *work, const char *encoding,
          const char *errors)
{
    PyObject *codec = look_up(encoding);

    if (codec == NULL)
        return NULL;
    int text = is_text(codec);
    if (text == 1)
        return call(codec, work, object, encoding, errors);
    Py_DECREF(codec);
    if (text == 0)
        PyErr_Format(PyExc_LookupError,
                     "'%.400s' is not a text encoding; use %s to handle "
                     "arbitrary codecs",
                     encoding, work->function);
    return NULL;
}

PyObject *
pyb_codecs_encode_text(PyObject *object, const char *encoding,
                       const char *errors)
{
    return call_text(object, &encoding_work, encoding, errors);
}

PyObject *
pyb_codecs_decode_text(PyObject *object, const char *encoding,
                       const char *errors)
{
    return call_text(object, &decoding_work, encoding, errors);
}
