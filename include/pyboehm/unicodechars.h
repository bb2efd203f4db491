/* unicodechars.h: the characters of a str as an array, and strings that are
   filled in.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   A str keeps its text as UTF-8.  The array that PyUnicode_DATA gives has
   characters of one, two or four bytes, the least that holds them all; it ends
   with a NUL and lives as long as the str.  For ASCII it is the text itself;
   else it is made when it is first asked for, and kept.

   A str from PyUnicode_New or PyUnicode_Resize may be written to through
   PyUnicode_DATA until it is first used in another way than by the functions
   of this header; PyUnicode_WriteChar, PyUnicode_Fill and
   PyUnicode_CopyCharacters work for any str that is not shared, as said there.
   Until all of it has been written its other characters are arbitrary.  Its
   kind and PyUnicode_MAX_CHAR_VALUE stay as they were promised.

   The macros take any pointer to an object, and check nothing.

   Manual: "Unicode Objects and Codecs". */

#ifndef Py_UNICODECHARS_H
#define Py_UNICODECHARS_H

#include "../unicodeobject.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyUnicode_WriteChar: replaces the character at an index.  0, or -1 with
   IndexError, ValueError if it is beyond PyUnicode_MAX_CHAR_VALUE, TypeError,
   or SystemError if unicode is shared: if there is a second reference, if it
   has been hashed or interned, or is an instance of a subtype. */
PyAPI_FUNC(int) PyUnicode_WriteChar(PyObject *unicode, Py_ssize_t index,
                                    Py_UCS4 character);

/* PyUnicode_Resize: *p, whose reference is stolen, becomes a str of that
   length, which may be written to, with as much of the text as fits; a new
   object unless the length is the same.  0; or -1 with MemoryError, or
   SystemError if *p is no str or the length negative, and *p is unchanged. */
PyAPI_FUNC(int) PyUnicode_Resize(PyObject **p, Py_ssize_t length);

#ifndef Py_LIMITED_API

/* PyUnicode_New: a str of that many characters to be filled in; maxchar is the
   greatest of them, or a bound.  A new reference, or NULL with an exception:
   SystemError for a negative size or a maxchar beyond 0x10ffff. */
PyAPI_FUNC(PyObject *) PyUnicode_New(Py_ssize_t size, Py_UCS4 maxchar);

/* PyUnicode_CopyCharacters: copies up to how_many characters of from, from
   from_start on, to to, as many as there are.  Their number, or -1 with an
   exception: SystemError if to is too short, too narrow for one of them, or
   shared (see PyUnicode_WriteChar). */
PyAPI_FUNC(Py_ssize_t)
    PyUnicode_CopyCharacters(PyObject *to, Py_ssize_t to_start, PyObject *from,
                             Py_ssize_t from_start, Py_ssize_t how_many);

/* PyUnicode_Fill: fills length characters from start on, or up to the end.
   Their number, or -1 with an exception: ValueError for a character beyond
   PyUnicode_MAX_CHAR_VALUE, SystemError if unicode is shared. */
PyAPI_FUNC(Py_ssize_t) PyUnicode_Fill(PyObject *unicode, Py_ssize_t start,
                                      Py_ssize_t length, Py_UCS4 fill_char);

/* PyUnicode_READY, _PyUnicode_Ready: makes the array of characters, so that
   PyUnicode_DATA, which cannot report an error, does not have to.  0, or -1
   with MemoryError. */
PyAPI_FUNC(int) _PyUnicode_Ready(PyObject *op);
#define PyUnicode_READY(op)                                                   \
    (PyUnicode_IS_ASCII(op) ? 0 : _PyUnicode_Ready(_PyObject_CAST(op)))
#define PyUnicode_IS_READY(op) 1

/* PyUnicode_KIND: the bytes of a character in the array, PyUnicode_1BYTE_KIND,
   PyUnicode_2BYTE_KIND or PyUnicode_4BYTE_KIND.  PyUnicode_DATA: the array,
   which belongs to the str; without memory for it the program ends. */
PyAPI_FUNC(int) _PyUnicode_Kind(PyObject *op);
PyAPI_FUNC(void *) _PyUnicode_Data(PyObject *op);
static inline int
PyUnicode_KIND(PyObject *op)
{
    return PyUnicode_IS_ASCII(op) ? PyUnicode_1BYTE_KIND : _PyUnicode_Kind(op);
}
static inline void *
PyUnicode_DATA(PyObject *op)
{
    void *chars = ((PyUnicodeObject *)op)->_pyb_chars;

    return chars != NULL ? chars : _PyUnicode_Data(op);
}
#define PyUnicode_KIND(op) (PyUnicode_KIND(_PyObject_CAST(op)))
#define PyUnicode_DATA(op) (PyUnicode_DATA(_PyObject_CAST(op)))
#define PyUnicode_1BYTE_DATA(op) ((Py_UCS1 *)PyUnicode_DATA(op))
#define PyUnicode_2BYTE_DATA(op) ((Py_UCS2 *)PyUnicode_DATA(op))
#define PyUnicode_4BYTE_DATA(op) ((Py_UCS4 *)PyUnicode_DATA(op))

/* PyUnicode_IS_COMPACT: is op exactly a str?  PyUnicode_IS_COMPACT_ASCII: and
   one of ASCII characters? */
#define PyUnicode_IS_COMPACT(op) PyUnicode_CheckExact(op)
#define PyUnicode_IS_COMPACT_ASCII(op)                                        \
    (PyUnicode_CheckExact(op) && PyUnicode_IS_ASCII(op))

/* PyUnicode_READ, PyUnicode_WRITE: a character of an array of that kind. */
static inline Py_UCS4
PyUnicode_READ(int kind, const void *data, Py_ssize_t index)
{
    if (kind == PyUnicode_1BYTE_KIND)
        return ((const Py_UCS1 *)data)[index];
    if (kind == PyUnicode_2BYTE_KIND)
        return ((const Py_UCS2 *)data)[index];
    return ((const Py_UCS4 *)data)[index];
}
static inline void
PyUnicode_WRITE(int kind, void *data, Py_ssize_t index, Py_UCS4 value)
{
    if (kind == PyUnicode_1BYTE_KIND)
        ((Py_UCS1 *)data)[index] = (Py_UCS1)value;
    else if (kind == PyUnicode_2BYTE_KIND)
        ((Py_UCS2 *)data)[index] = (Py_UCS2)value;
    else
        ((Py_UCS4 *)data)[index] = value;
}
#define PyUnicode_READ(kind, data, index)                                     \
    (PyUnicode_READ((int)(kind), (const void *)(data), (index)))
#define PyUnicode_WRITE(kind, data, index, value)                             \
    (PyUnicode_WRITE((int)(kind), (void *)(data), (index), (Py_UCS4)(value)))

/* PyUnicode_READ_CHAR: the character at an index, from the array if there is
   one. */
PyAPI_FUNC(Py_UCS4) PyUnicode_READ_CHAR(PyObject *unicode, Py_ssize_t index);
#define PyUnicode_READ_CHAR(op, index)                                        \
    (PyUnicode_READ_CHAR(_PyObject_CAST(op), (index)))

/* PyUnicode_MAX_CHAR_VALUE: a bound of the characters in op: 0x7f, 0xff,
   0xffff or 0x10ffff. */
PyAPI_FUNC(Py_UCS4) PyUnicode_MAX_CHAR_VALUE(PyObject *op);
#define PyUnicode_MAX_CHAR_VALUE(op)                                          \
    (PyUnicode_MAX_CHAR_VALUE(_PyObject_CAST(op)))

#endif /* Py_LIMITED_API */

#ifdef __cplusplus
}
#endif

#endif /* Py_UNICODECHARS_H */
