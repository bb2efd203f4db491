/* codecs.h: codecs and error handlers by their names.

   A codec is found by its name in lower case, in which each run of other
   characters than ASCII letters, digits and dots is one '_'.  The library's
   own encodings (unicodeobject.h) come first, then the search functions in the
   order of their registration.  What was found is remembered.

   Encoders and decoders are called with an object and, unless errors is NULL,
   the name of an error handler; they return a tuple of the result and of how
   much was read.

   Unless said otherwise a PyObject * result is a new reference, NULL with an
   exception on failure: LookupError for a name that is not known.  All
   functions here need an initialised library (Py_Initialize) and are called
   from the attached thread.

   Manual: "Codec registry and support functions". */

#ifndef Py_CODECREGISTRY_H
#define Py_CODECREGISTRY_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* Codecs                                                              */

/* PyCodec_Register: adds a search function: called with a name, it returns
   None or a tuple of an encoder, a decoder, a stream reader and a stream
   writer, such as CodecInfo.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyCodec_Register(PyObject *search_function);

/* PyCodec_Unregister: removes a search function, if it is there, and forgets
   what was found.  0, or -1 with an exception. */
#if _PYB_LIMITED_AT_LEAST(0x030A0000)
PyAPI_FUNC(int) PyCodec_Unregister(PyObject *search_function);
#endif

/* PyCodec_KnownEncoding: 1 if there is a codec of that name, else 0. */
PyAPI_FUNC(int) PyCodec_KnownEncoding(const char *encoding);

/* PyCodec_Encode, PyCodec_Decode: the first item of what the codec's encoder
   or decoder returns, a new reference.  An exception of theirs gets a note
   that names the codec. */
PyAPI_FUNC(PyObject *)
    PyCodec_Encode(PyObject *object, const char *encoding, const char *errors);
PyAPI_FUNC(PyObject *)
    PyCodec_Decode(PyObject *object, const char *encoding, const char *errors);

/* PyCodec_Encoder, PyCodec_Decoder: the codec's functions, new references. */
PyAPI_FUNC(PyObject *) PyCodec_Encoder(const char *encoding);
PyAPI_FUNC(PyObject *) PyCodec_Decoder(const char *encoding);

/* PyCodec_IncrementalEncoder, PyCodec_IncrementalDecoder: new objects, each a
   new reference, for a text in pieces, by the attributes incrementalencoder
   and incrementaldecoder of the codec. */
PyAPI_FUNC(PyObject *)
    PyCodec_IncrementalEncoder(const char *encoding, const char *errors);
PyAPI_FUNC(PyObject *)
    PyCodec_IncrementalDecoder(const char *encoding, const char *errors);

/* PyCodec_StreamReader, PyCodec_StreamWriter: new objects, each a new
   reference, around a stream.  The library's own encodings have none:
   NotImplementedError. */
PyAPI_FUNC(PyObject *)
    PyCodec_StreamReader(const char *encoding, PyObject *stream,
                         const char *errors);
PyAPI_FUNC(PyObject *)
    PyCodec_StreamWriter(const char *encoding, PyObject *stream,
                         const char *errors);

/* ------------------------------------------------------------------ */
/* Error handlers                                                      */

/* PyCodec_RegisterError: error is called under this name with a
   UnicodeEncodeError, UnicodeDecodeError or UnicodeTranslateError, and returns
   a tuple: a str (for encoders also bytes) that takes the place of what was
   wrong, and the index to go on from, which is counted from the end if it is
   negative.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyCodec_RegisterError(const char *name, PyObject *error);

/* PyCodec_LookupError: the error handler of that name, a new reference; strict
   for NULL. */
PyAPI_FUNC(PyObject *) PyCodec_LookupError(const char *name);

/* The handlers strict, ignore, replace, xmlcharrefreplace and
   backslashreplace, called with such an exception; the first raises any
   exception.  Others get TypeError, and so does, from xmlcharrefreplace, what
   is not a UnicodeEncodeError.  PyCodec_NameReplaceErrors raises
   NotImplementedError, since the names of characters are not known.  All but
   the first return a new reference. */
PyAPI_FUNC(PyObject *) PyCodec_StrictErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_IgnoreErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_ReplaceErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_XMLCharRefReplaceErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_BackslashReplaceErrors(PyObject *exc);
PyAPI_FUNC(PyObject *) PyCodec_NameReplaceErrors(PyObject *exc);

/* Py_hexdigits: "0123456789abcdef". */
#ifndef Py_LIMITED_API
PyAPI_DATA(const char *) Py_hexdigits;
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_CODECREGISTRY_H */
