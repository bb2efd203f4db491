/* natives.h: the encodings that the library has by itself. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CODEC_NATIVES_H
#define PYB_TYPES_CODEC_NATIVES_H

#include "Python.h"

/* struct pyb_native: an encoding.  Where it has a charset, see charset.c, it
   has no functions of its own. */
struct pyb_charset;
struct pyb_native {
    const char *name;
    int byteorder; /* -1 little endian, 1 big endian, 0 by the mark */
    int unit;      /* bytes of a lone surrogate with surrogatepass, or 0 */
    PyObject *(*encode)(PyObject *str, const char *errors, int byteorder);
    PyObject *(*decode)(const char *bytes, Py_ssize_t size, const char *errors,
                        int *byteorder, Py_ssize_t *consumed);
    int marked; /* a text begins with a mark */
    struct pyb_charset *charset;
};

/* pyb_native_encode, pyb_native_decode: the bytes of a str, and the str of
   bytes; a new reference, or NULL with an exception.  decode with consumed !=
   NULL leaves an incomplete character at the end alone; *byteorder, which is
   that of the encoding at first, becomes what a mark says. */
PyObject *pyb_native_encode(const struct pyb_native *native, PyObject *str,
                            const char *errors, int byteorder);
PyObject *pyb_native_decode(const struct pyb_native *native, const char *bytes,
                            Py_ssize_t size, const char *errors,
                            int *byteorder, Py_ssize_t *consumed);

/* pyb_native_find: the encoding by any of its names; NULL, without an
   exception, if it is not one of them.

   pyb_charset_find: the same of one that the system knows, and that
   pyb_native_find does not find, but does from now on, by pyb_charset_known;
   NULL with OSError or MemoryError if the system cannot tell.
   pyb_charset_fini: at the end of the library. */
const struct pyb_native *pyb_native_find(const char *encoding);
const struct pyb_native *pyb_charset_find(const char *encoding);
const struct pyb_native *pyb_charset_known(const char *name);
void pyb_charset_fini(void);

/* pyb_codec_normalize: the name in lower case, letters, digits and dots alone,
   with '_' for each run of other characters between them.  0 if it does not
   fit into room, with its NUL. */
int pyb_codec_normalize(const char *name, char *out, size_t room);

/* pyb_native_name: the same for encodings here, without dots.  0: it is too
   long for one of them. */
enum { PYB_NATIVE_NAME_BYTES = 32 };
int pyb_native_name(const char *encoding, char *out);

/* pyb_codecinfo_new: what a search function finds of the encoding; a new
   reference, or NULL with an exception. */
PyObject *pyb_codecinfo_new(const struct pyb_native *native);

/* pyb_codecs_encode_text, pyb_codecs_decode_text: by a codec of the registry
   that is one of text; a new reference of any type, or NULL with an
   exception. */
PyObject *pyb_codecs_encode_text(PyObject *object, const char *encoding,
                                 const char *errors);
PyObject *pyb_codecs_decode_text(PyObject *object, const char *encoding,
                                 const char *errors);

/* pyb_codecs_fini: forgets search functions, what they found, and error
   handlers. */
void pyb_codecs_fini(void);

/* The encoders and decoders that have no public function of their own. */
PyObject *pyb_utf8_encode(PyObject *str, const char *errors);
PyObject *pyb_ascii_encode(PyObject *str, const char *errors);
PyObject *pyb_latin1_encode(PyObject *str, const char *errors);
PyObject *pyb_utf7_encode(PyObject *str);
PyObject *pyb_utf16_encode(PyObject *str, const char *errors, int byteorder);
PyObject *pyb_utf32_encode(PyObject *str, const char *errors, int byteorder);
PyObject *pyb_escape_decode(const char *bytes, Py_ssize_t size,
                            const char *errors, Py_ssize_t *consumed);
PyObject *pyb_rawescape_decode(const char *bytes, Py_ssize_t size,
                               const char *errors, Py_ssize_t *consumed);
PyObject *pyb_charmap_encode(PyObject *str, PyObject *mapping,
                             const char *errors);
PyObject *pyb_charset_encode(struct pyb_charset *charset, PyObject *str,
                             const char *errors);
PyObject *pyb_charset_decode(struct pyb_charset *charset, const char *bytes,
                             Py_ssize_t size, const char *errors,
                             Py_ssize_t *consumed);

#endif /* PYB_TYPES_CODEC_NATIVES_H */
