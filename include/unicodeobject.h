/* unicodeobject.h: str, immutable sequences of Unicode code points.

   A str keeps its text as UTF-8, so that PyUnicode_AsUTF8 costs nothing;
   unicodechars.h has its characters as an array, which is made on demand.
   Lone surrogates are allowed in a str, not in its encoded forms.

   Encodings known are utf-8, ascii, latin-1, utf-7, utf-16 and utf-32 (also
   with -le and -be), unicode-escape and raw-unicode-escape; error handlers
   strict, ignore, replace, backslashreplace, xmlcharrefreplace,
   surrogateescape and surrogatepass, and NULL for strict.  codecs.h adds
   others.  Other names raise LookupError; namereplace raises
   NotImplementedError, since the names of characters are not known.

   Unless said otherwise a PyObject * result is a new reference, NULL with an
   exception on failure, and an argument that should be a str and is not gets
   TypeError.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Unicode Objects and Codecs". */

#ifndef Py_UNICODEOBJECT_H
#define Py_UNICODEOBJECT_H

#include <stdarg.h>
#include <wchar.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* There is Unicode; sources of Python 2's time ask. */
#define Py_USING_UNICODE
#define Py_UNICODE_WIDE
#define Py_UNICODE_SIZE SIZEOF_WCHAR_T

/* str, and its iterators. */
PyAPI_DATA(PyTypeObject) PyUnicode_Type;
PyAPI_DATA(PyTypeObject) PyUnicodeIter_Type;

/* PyUnicodeObject: public only so that types can embed it, and for its hash,
   which is -1 until it is asked for. */
typedef struct {
    PyObject_HEAD
    const char *_pyb_text;
    Py_ssize_t _pyb_size;
    Py_ssize_t _pyb_length;
    Py_hash_t hash;
    void *_pyb_chars;
    unsigned int _pyb_flags;
} PyUnicodeObject;
typedef PyUnicodeObject PyASCIIObject;
typedef PyUnicodeObject PyCompactUnicodeObject;

/* PyUnicode_Check, PyUnicode_CheckExact: is op a str (of any subtype;
   exactly)?  May be called in tp_traverse. */
#define PyUnicode_Check(op)                                                   \
    PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_UNICODE_SUBCLASS)
#define PyUnicode_CheckExact(op) Py_IS_TYPE((op), &PyUnicode_Type)

#ifndef Py_LIMITED_API
/* PyUnstable_Unicode_GET_CACHED_HASH: the hash of what is known to be a str,
   or -1 if nothing has asked for it yet. */
static inline Py_hash_t
PyUnstable_Unicode_GET_CACHED_HASH(PyObject *op)
{
    return ((PyASCIIObject *)op)->hash;
}
#endif

/* ------------------------------------------------------------------ */
/* Making strings                                                      */

/* PyUnicode_FromStringAndSize, PyUnicode_FromString: a str from UTF-8.  A new
   reference, or NULL with an exception: UnicodeDecodeError if it is not. */
PyAPI_FUNC(PyObject *)
    PyUnicode_FromStringAndSize(const char *u, Py_ssize_t size);
PyAPI_FUNC(PyObject *) PyUnicode_FromString(const char *u);

/* PyUnicode_FromFormat, PyUnicode_FromFormatV: a str formatted in the manner
   of printf, a new reference.  Units, with a size l, ll, j, z or t for
   integers: %% %c %d %i %u %o %x %X %p %s %ls; and for objects %A %R %S %U, %V
   and %lV (a str that may be NULL, then what replaces it), %T (an object whose
   type's name is wanted), %N (a type).  A format that is not this raises
   SystemError, one that is not ASCII ValueError. */
PyAPI_FUNC(PyObject *) PyUnicode_FromFormat(const char *format, ...);
PyAPI_FUNC(PyObject *)
    PyUnicode_FromFormatV(const char *format, va_list vargs);

/* PyUnicode_FromObject: obj itself if it is exactly a str, a plain str of the
   same text if it is an instance of a subtype; a new reference. */
PyAPI_FUNC(PyObject *) PyUnicode_FromObject(PyObject *obj);

/* PyUnicode_FromOrdinal: the str of one character, a new reference; ValueError
   if it is not in range(0x110000). */
PyAPI_FUNC(PyObject *) PyUnicode_FromOrdinal(int ordinal);

/* PyUnicode_FromKindAndData: a str from size characters of one, two or four
   bytes each; a new reference.  PyUnicode_WCHAR_KIND is the kind of strings
   before 3.12 that have no array yet; here none has it. */
enum PyUnicode_Kind {
    PyUnicode_WCHAR_KIND = 0,
    PyUnicode_1BYTE_KIND = 1,
    PyUnicode_2BYTE_KIND = 2,
    PyUnicode_4BYTE_KIND = 4
};
PyAPI_FUNC(PyObject *)
    PyUnicode_FromKindAndData(int kind, const void *buffer, Py_ssize_t size);

/* PyUnicode_FromWideChar: a str from wide characters, up to the first NUL if
   size is -1; a new reference. */
PyAPI_FUNC(PyObject *)
    PyUnicode_FromWideChar(const wchar_t *w, Py_ssize_t size);

/* PyUnicode_AsWideChar: copies at most size wide characters, with a NUL if
   there is room; returns how many without it, or -1 with an exception.  For
   w == NULL: how many it takes, with the NUL. */
PyAPI_FUNC(Py_ssize_t)
    PyUnicode_AsWideChar(PyObject *unicode, wchar_t *w, Py_ssize_t size);

/* PyUnicode_AsWideCharString: the text as wide characters, to be freed with
   PyMem_Free.  *size, if size is not NULL, gets their number; if it is, a NUL
   among them raises ValueError. */
PyAPI_FUNC(wchar_t *)
    PyUnicode_AsWideCharString(PyObject *unicode, Py_ssize_t *size);

/* PyUnicode_AsUCS4: copies the characters to buffer, which has room for
   buflen, with a NUL if copy_null.  buffer, or NULL with an exception
   (SystemError if there is not enough room).  PyUnicode_AsUCS4Copy: into new
   memory, with a NUL, to be freed with PyMem_Free. */
PyAPI_FUNC(Py_UCS4 *) PyUnicode_AsUCS4(PyObject *unicode, Py_UCS4 *buffer,
                                       Py_ssize_t buflen, int copy_null);
PyAPI_FUNC(Py_UCS4 *) PyUnicode_AsUCS4Copy(PyObject *unicode);

/* PyUnicode_InternInPlace: replaces *p, whose reference it takes and gives
   back, by the one interned str with its text, which lives as long as there
   are references to it.  Subtypes and NULL are left alone; so is everything if
   memory is short.  PyUnicode_InternFromString: the interned str of a UTF-8
   text, a new reference.  PyUnicode_InternImmortal: PyUnicode_InternInPlace,
   and the str is never freed. */
PyAPI_FUNC(void) PyUnicode_InternInPlace(PyObject **p);
PyAPI_FUNC(PyObject *) PyUnicode_InternFromString(const char *u);
PyAPI_FUNC(void) PyUnicode_InternImmortal(PyObject **p);

/* PyUnicode_CHECK_INTERNED: not 0 if op, a str, is interned. */
PyAPI_FUNC(unsigned int) PyUnicode_CHECK_INTERNED(PyObject *op);

/* ------------------------------------------------------------------ */
/* Their text                                                          */

/* PyUnicode_AsUTF8AndSize: the text as UTF-8, which ends with a NUL and lives
   as long as the str; *size, if size is not NULL, gets its length in bytes.
   NULL with TypeError or, for a lone surrogate, UnicodeEncodeError; *size is
   then -1. */
PyAPI_FUNC(const char *)
    PyUnicode_AsUTF8AndSize(PyObject *unicode, Py_ssize_t *size);

/* PyUnicode_AsUTF8: the same without the size. */
PyAPI_FUNC(const char *) PyUnicode_AsUTF8(PyObject *unicode);
#define _PyUnicode_AsString PyUnicode_AsUTF8

/* PyUnicode_GetLength, of old PyUnicode_GetSize: how many code points; -1 with
   TypeError. */
PyAPI_FUNC(Py_ssize_t) PyUnicode_GetLength(PyObject *unicode);
PyAPI_FUNC(Py_ssize_t) PyUnicode_GetSize(PyObject *unicode);

/* PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII: without checks. */
static inline Py_ssize_t
PyUnicode_GET_LENGTH(PyObject *op)
{
    return ((PyUnicodeObject *)op)->_pyb_length;
}
static inline unsigned int
PyUnicode_IS_ASCII(PyObject *op)
{
    return ((PyUnicodeObject *)op)->_pyb_flags & 1U;
}
#define PyUnicode_GET_LENGTH(op) (PyUnicode_GET_LENGTH(_PyObject_CAST(op)))
#define PyUnicode_IS_ASCII(op) (PyUnicode_IS_ASCII(_PyObject_CAST(op)))

/* PyUnicode_ReadChar: the character at an index; (Py_UCS4)-1 with IndexError
   or TypeError. */
PyAPI_FUNC(Py_UCS4) PyUnicode_ReadChar(PyObject *unicode, Py_ssize_t index);

/* PyUnicode_Substring: the characters from start up to end, which may be
   beyond the end.  A new reference, or NULL with an exception: IndexError if
   either is negative. */
PyAPI_FUNC(PyObject *)
    PyUnicode_Substring(PyObject *str, Py_ssize_t start, Py_ssize_t end);

/* PyUnicode_IsIdentifier: 1 if it is one by the language's rules, else 0. */
PyAPI_FUNC(int) PyUnicode_IsIdentifier(PyObject *s);

/* ------------------------------------------------------------------ */
/* Operations                                                          */

/* PyUnicode_Concat: left + right, a new reference. */
PyAPI_FUNC(PyObject *) PyUnicode_Concat(PyObject *left, PyObject *right);

/* PyUnicode_Append: *p, whose reference is stolen, becomes *p + right; NULL
   with an exception on failure.  Nothing happens if it is NULL.
   PyUnicode_AppendAndDel steals right as well, which may be NULL. */
PyAPI_FUNC(void) PyUnicode_Append(PyObject **p, PyObject *right);
PyAPI_FUNC(void) PyUnicode_AppendAndDel(PyObject **p, PyObject *right);

/* PyUnicode_Join: separator.join(seq), a new reference; a NULL separator is a
   space. */
PyAPI_FUNC(PyObject *) PyUnicode_Join(PyObject *separator, PyObject *seq);

/* PyUnicode_Split, PyUnicode_RSplit: the list s.split(sep, maxsplit) or
   s.rsplit(...), a new reference; NULL splits at white space, a negative
   maxsplit is no limit. */
PyAPI_FUNC(PyObject *)
    PyUnicode_Split(PyObject *s, PyObject *sep, Py_ssize_t maxsplit);
PyAPI_FUNC(PyObject *)
    PyUnicode_RSplit(PyObject *s, PyObject *sep, Py_ssize_t maxsplit);

/* PyUnicode_Splitlines: the list of lines, a new reference, with their ends if
   keepends. */
PyAPI_FUNC(PyObject *) PyUnicode_Splitlines(PyObject *s, int keepends);

/* PyUnicode_Partition, PyUnicode_RPartition: the tuple (before, sep, after), a
   new reference; ValueError for an empty separator. */
PyAPI_FUNC(PyObject *) PyUnicode_Partition(PyObject *s, PyObject *sep);
PyAPI_FUNC(PyObject *) PyUnicode_RPartition(PyObject *s, PyObject *sep);

/* PyUnicode_Find: the index of the first (direction 1) or last (-1)
   occurrence of substr in str[start:end]; -1 if there is none, -2 with an
   exception.  PyUnicode_FindChar: the same of a character. */
PyAPI_FUNC(Py_ssize_t)
    PyUnicode_Find(PyObject *str, PyObject *substr, Py_ssize_t start,
                   Py_ssize_t end, int direction);
PyAPI_FUNC(Py_ssize_t)
    PyUnicode_FindChar(PyObject *str, Py_UCS4 ch, Py_ssize_t start,
                       Py_ssize_t end, int direction);

/* PyUnicode_Count: how often substr is in str[start:end] without overlaps;
   -1 with an exception. */
PyAPI_FUNC(Py_ssize_t) PyUnicode_Count(PyObject *str, PyObject *substr,
                                       Py_ssize_t start, Py_ssize_t end);

/* PyUnicode_Tailmatch: 1 if str[start:end] begins (direction -1) or ends (1)
   with substr, else 0; -1 with an exception. */
PyAPI_FUNC(Py_ssize_t)
    PyUnicode_Tailmatch(PyObject *str, PyObject *substr, Py_ssize_t start,
                        Py_ssize_t end, int direction);

/* PyUnicode_Replace: str with the first maxcount (-1: all) occurrences of
   substr replaced; a new reference. */
PyAPI_FUNC(PyObject *)
    PyUnicode_Replace(PyObject *str, PyObject *substr, PyObject *replstr,
                      Py_ssize_t maxcount);

/* PyUnicode_Contains: 1 if substr is in str, else 0; -1 with TypeError. */
PyAPI_FUNC(int) PyUnicode_Contains(PyObject *str, PyObject *substr);

/* PyUnicode_Compare: -1, 0, 1; -1 with TypeError if one is not a str. */
PyAPI_FUNC(int) PyUnicode_Compare(PyObject *left, PyObject *right);

/* PyUnicode_CompareWithASCIIString: the same with an ASCII string; never
   fails. */
PyAPI_FUNC(int)
    PyUnicode_CompareWithASCIIString(PyObject *left, const char *right);

/* PyUnicode_Equal: 1 or 0; -1 with TypeError.  PyUnicode_EqualToUTF8,
   PyUnicode_EqualToUTF8AndSize: does the str have this UTF-8 text?  1 or 0,
   also for bytes that are not UTF-8; never fails. */
#if _PYB_LIMITED_AT_LEAST(0x030E0000)
PyAPI_FUNC(int) PyUnicode_Equal(PyObject *a, PyObject *b);
#endif
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(int) PyUnicode_EqualToUTF8(PyObject *unicode, const char *string);
PyAPI_FUNC(int)
    PyUnicode_EqualToUTF8AndSize(PyObject *unicode, const char *string,
                                 Py_ssize_t size);
#endif
#define _PyUnicode_EqualToASCIIString(u, s) PyUnicode_EqualToUTF8((u), (s))

/* PyUnicode_RichCompare: True, False, or NotImplemented if one of them is not
   a str; a new reference. */
PyAPI_FUNC(PyObject *)
    PyUnicode_RichCompare(PyObject *left, PyObject *right, int op);

/* PyUnicode_Format: format % args, a new reference; args is a tuple, a mapping
   or the only argument. */
PyAPI_FUNC(PyObject *) PyUnicode_Format(PyObject *format, PyObject *args);

/* ------------------------------------------------------------------ */
/* Codecs                                                              */

/* PyUnicode_Decode: size bytes decoded, a new reference; a NULL encoding is
   UTF-8. */
PyAPI_FUNC(PyObject *)
    PyUnicode_Decode(const char *s, Py_ssize_t size, const char *encoding,
                     const char *errors);

/* PyUnicode_FromEncodedObject: the same, a new reference, with the bytes of an
   object that offers a buffer; TypeError for a str. */
PyAPI_FUNC(PyObject *)
    PyUnicode_FromEncodedObject(PyObject *obj, const char *encoding,
                                const char *errors);

/* PyUnicode_AsEncodedString: the str encoded, a bytes object, a new
   reference. */
PyAPI_FUNC(PyObject *)
    PyUnicode_AsEncodedString(PyObject *unicode, const char *encoding,
                              const char *errors);

/* One encoding each; a new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUTF8(const char *s, Py_ssize_t size, const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeASCII(const char *s, Py_ssize_t size, const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeLatin1(const char *s, Py_ssize_t size, const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsUTF8String(PyObject *unicode);
PyAPI_FUNC(PyObject *) PyUnicode_AsASCIIString(PyObject *unicode);
PyAPI_FUNC(PyObject *) PyUnicode_AsLatin1String(PyObject *unicode);

/* PyUnicode_DecodeUTF8Stateful: from UTF-8, a new reference; if consumed is
   not NULL, an incomplete character at the end is left alone; *consumed gets
   the number of bytes that were decoded. */
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUTF8Stateful(const char *s, Py_ssize_t size,
                                 const char *errors, Py_ssize_t *consumed);

/* UTF-16 and UTF-32; a new reference.  Decoding: *byteorder is -1 for little
   endian, 1 for big endian, 0 for what a byte order mark at the beginning
   says, or else the machine's; it becomes -1 or 1 if there was a mark, which
   is left out.  NULL is 0.  Encoding: in the machine's order, with a mark.
   With a consumed that is not NULL, an incomplete character at the end is left
   alone, and *consumed gets the number of bytes that were decoded. */
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUTF16(const char *s, Py_ssize_t size, const char *errors,
                          int *byteorder);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUTF16Stateful(const char *s, Py_ssize_t size,
                                  const char *errors, int *byteorder,
                                  Py_ssize_t *consumed);
PyAPI_FUNC(PyObject *) PyUnicode_AsUTF16String(PyObject *unicode);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUTF32(const char *s, Py_ssize_t size, const char *errors,
                          int *byteorder);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUTF32Stateful(const char *s, Py_ssize_t size,
                                  const char *errors, int *byteorder,
                                  Py_ssize_t *consumed);
PyAPI_FUNC(PyObject *) PyUnicode_AsUTF32String(PyObject *unicode);

/* PyUnicode_DecodeUTF7, PyUnicode_DecodeUTF7Stateful: from UTF-7, a new
   reference; with a consumed that is not NULL, a run in base 64 at the end
   that may go on is left alone. */
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUTF7(const char *s, Py_ssize_t size, const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUTF7Stateful(const char *s, Py_ssize_t size,
                                 const char *errors, Py_ssize_t *consumed);

/* Escapes; a new reference.  unicode-escape: those of string literals, and
   ASCII; \N{...} raises UnicodeError, since the names of characters are not
   known, and a backslash before another character gives a DeprecationWarning.
   raw-unicode-escape: \uXXXX and \UXXXXXXXX alone, and Latin-1. */
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeUnicodeEscape(const char *string, Py_ssize_t length,
                                  const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsUnicodeEscapeString(PyObject *unicode);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeRawUnicodeEscape(const char *string, Py_ssize_t length,
                                     const char *errors);
PyAPI_FUNC(PyObject *) PyUnicode_AsRawUnicodeEscapeString(PyObject *unicode);

/* PyUnicode_DecodeCharmap: a new reference; each byte becomes mapping[byte],
   an int, a str, or None for no character; so does a byte for which that
   raises LookupError.  If the mapping is a str, U+FFFE says that there is
   none.  NULL is Latin-1.  PyUnicode_AsCharmapString: a new reference; each
   character becomes mapping[ordinal], an int, bytes, or None.
   PyUnicode_BuildEncodingMap: the second mapping for what a str of at most 256
   characters is for the first one; a new reference. */
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeCharmap(const char *string, Py_ssize_t length,
                            PyObject *mapping, const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_AsCharmapString(PyObject *unicode, PyObject *mapping);
PyAPI_FUNC(PyObject *) PyUnicode_BuildEncodingMap(PyObject *string);

/* PyUnicode_Translate: str with each character replaced by table[ordinal]: an
   int or a str; where that raises LookupError the character stays, and None is
   an error for the handler.  A new reference. */
PyAPI_FUNC(PyObject *)
    PyUnicode_Translate(PyObject *str, PyObject *table, const char *errors);

/* PyUnicode_AsDecodedObject and kin: PyCodec_Decode and PyCodec_Encode of a
   str, of which the last two require a str as the result; a new reference.
   They give a DeprecationWarning; a NULL encoding is UTF-8. */
PyAPI_FUNC(PyObject *)
    PyUnicode_AsDecodedObject(PyObject *unicode, const char *encoding,
                              const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_AsEncodedObject(PyObject *unicode, const char *encoding,
                              const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_AsDecodedUnicode(PyObject *unicode, const char *encoding,
                               const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_AsEncodedUnicode(PyObject *unicode, const char *encoding,
                               const char *errors);

/* PyUnicode_GetDefaultEncoding: "utf-8". */
PyAPI_FUNC(const char *) PyUnicode_GetDefaultEncoding(void);

/* File names and the locale: UTF-8, file names with surrogateescape.  errors
   is strict (or NULL), surrogateescape or surrogatepass, else ValueError.  A
   new reference. */
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeFSDefaultAndSize(const char *s, Py_ssize_t size);
PyAPI_FUNC(PyObject *) PyUnicode_DecodeFSDefault(const char *s);
PyAPI_FUNC(PyObject *) PyUnicode_EncodeFSDefault(PyObject *unicode);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeLocaleAndSize(const char *str, Py_ssize_t len,
                                  const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_DecodeLocale(const char *str, const char *errors);
PyAPI_FUNC(PyObject *)
    PyUnicode_EncodeLocale(PyObject *unicode, const char *errors);

/* PyUnicode_FSConverter, PyUnicode_FSDecoder: for O& of PyArg_ParseTuple: a
   file name (str, bytes, or what has __fspath__) as bytes, as str; the result
   has to be released.  A NUL in it raises ValueError. */
PyAPI_FUNC(int) PyUnicode_FSConverter(PyObject *arg, void *result);
PyAPI_FUNC(int) PyUnicode_FSDecoder(PyObject *arg, void *result);

/* ------------------------------------------------------------------ */
/* Characters                                                          */

/* Properties of a character, 1 or 0; outside ASCII as good as the C library
   knows them. */
PyAPI_FUNC(int) Py_UNICODE_ISSPACE(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISLOWER(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISUPPER(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISTITLE(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISLINEBREAK(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISDECIMAL(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISDIGIT(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISNUMERIC(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISALPHA(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISALNUM(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_ISPRINTABLE(Py_UCS4 ch);

/* The character in another case, itself if there is no such character. */
PyAPI_FUNC(Py_UCS4) Py_UNICODE_TOLOWER(Py_UCS4 ch);
PyAPI_FUNC(Py_UCS4) Py_UNICODE_TOUPPER(Py_UCS4 ch);
PyAPI_FUNC(Py_UCS4) Py_UNICODE_TOTITLE(Py_UCS4 ch);

/* The value of a digit, or -1. */
PyAPI_FUNC(int) Py_UNICODE_TODECIMAL(Py_UCS4 ch);
PyAPI_FUNC(int) Py_UNICODE_TODIGIT(Py_UCS4 ch);
PyAPI_FUNC(double) Py_UNICODE_TONUMERIC(Py_UCS4 ch);

/* Surrogates, and the pairs that UTF-16 makes of other characters. */
#define Py_UNICODE_REPLACEMENT_CHARACTER ((Py_UCS4)0xFFFD)
#define Py_UNICODE_IS_SURROGATE(ch) (0xD800 <= (ch) && (ch) <= 0xDFFF)
#define Py_UNICODE_IS_HIGH_SURROGATE(ch) (0xD800 <= (ch) && (ch) <= 0xDBFF)
#define Py_UNICODE_IS_LOW_SURROGATE(ch) (0xDC00 <= (ch) && (ch) <= 0xDFFF)
#define Py_UNICODE_HIGH_SURROGATE(ch) (0xD800 - (0x10000 >> 10) + ((ch) >> 10))
#define Py_UNICODE_LOW_SURROGATE(ch) (0xDC00 + ((ch)&0x3FF))
#define Py_UNICODE_JOIN_SURROGATES(high, low)                                 \
    (((((Py_UCS4)(high)) & 0x03FF) << 10 | (((Py_UCS4)(low)) & 0x03FF)) +     \
     0x10000)

/* ------------------------------------------------------------------ */
/* Writing a string piece by piece                                     */

/* PyUnicodeWriter_Create: a writer that expects about length characters; NULL
   with ValueError (length < 0) or MemoryError.  PyUnicodeWriter_Finish: the
   str, a new reference, or NULL with an exception; frees the writer.
   PyUnicodeWriter_Discard: only frees it; NULL is allowed. */
typedef struct PyUnicodeWriter PyUnicodeWriter;
PyAPI_FUNC(PyUnicodeWriter *) PyUnicodeWriter_Create(Py_ssize_t length);
PyAPI_FUNC(PyObject *) PyUnicodeWriter_Finish(PyUnicodeWriter *writer);
PyAPI_FUNC(void) PyUnicodeWriter_Discard(PyUnicodeWriter *writer);

/* Append: a character (ValueError if out of range); UTF-8 or ASCII text (size
   -1: up to its NUL); wide characters; str(obj), repr(obj), str[start:end]; a
   formatted text.  0; or -1 with an exception, the writer unchanged. */
PyAPI_FUNC(int) PyUnicodeWriter_WriteChar(PyUnicodeWriter *writer, Py_UCS4 ch);
PyAPI_FUNC(int) PyUnicodeWriter_WriteUTF8(PyUnicodeWriter *writer,
                                          const char *str, Py_ssize_t size);
PyAPI_FUNC(int) PyUnicodeWriter_WriteASCII(PyUnicodeWriter *writer,
                                           const char *str, Py_ssize_t size);
PyAPI_FUNC(int)
    PyUnicodeWriter_WriteWideChar(PyUnicodeWriter *writer, const wchar_t *str,
                                  Py_ssize_t size);
PyAPI_FUNC(int)
    PyUnicodeWriter_WriteStr(PyUnicodeWriter *writer, PyObject *obj);
PyAPI_FUNC(int)
    PyUnicodeWriter_WriteRepr(PyUnicodeWriter *writer, PyObject *obj);
PyAPI_FUNC(int)
    PyUnicodeWriter_WriteSubstring(PyUnicodeWriter *writer, PyObject *str,
                                   Py_ssize_t start, Py_ssize_t end);
PyAPI_FUNC(int)
    PyUnicodeWriter_Format(PyUnicodeWriter *writer, const char *format, ...);

/* Append characters of four bytes (ValueError if size is negative or one is
   out of range); bytes (size -1: up to their NUL) decoded as by
   PyUnicode_DecodeUTF8Stateful. */
PyAPI_FUNC(int) PyUnicodeWriter_WriteUCS4(PyUnicodeWriter *writer,
                                          const Py_UCS4 *str, Py_ssize_t size);
PyAPI_FUNC(int)
    PyUnicodeWriter_DecodeUTF8Stateful(PyUnicodeWriter *writer,
                                       const char *string, Py_ssize_t length,
                                       const char *errors,
                                       Py_ssize_t *consumed);

#ifdef __cplusplus
}
#endif

#include "pyboehm/unicodechars.h"

#endif /* Py_UNICODEOBJECT_H */
