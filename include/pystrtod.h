/* pystrtod.h: C strings and numbers, whatever the locale.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "String conversion and formatting". */

#ifndef Py_PYSTRTOD_H
#define Py_PYSTRTOD_H

#include <stdarg.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyOS_string_to_double: the number that s begins with; no white space.  If
   endptr is NULL, s has to end there; else *endptr gets the end of what was
   read, s if that was nothing.  A number too large is +-HUGE_VAL, or the
   exception overflow_exception if that is not NULL.  -1 with ValueError or
   the exception on failure. */
PyAPI_FUNC(double) PyOS_string_to_double(const char *s, char **endptr,
                                         PyObject *overflow_exception);

/* Flags of PyOS_double_to_string: always a sign; ".0" where a whole number
   would look like an int; the alternate form of printf's #; no minus sign
   before a result that is zero. */
#define Py_DTSF_SIGN 0x01
#define Py_DTSF_ADD_DOT_0 0x02
#define Py_DTSF_ALT 0x04
#define Py_DTSF_NO_NEG_0 0x08

/* What *ptype says the number was. */
#define Py_DTST_FINITE 0
#define Py_DTST_INFINITE 1
#define Py_DTST_NAN 2

/* PyOS_double_to_string: val as text, format_code one of e E f F g G, or r for
   the shortest text that reads back as val (precision must then be 0).  ptype
   may be NULL.  The caller frees the result with PyMem_Free; NULL with
   MemoryError or SystemError. */
PyAPI_FUNC(char *) PyOS_double_to_string(double val, char format_code,
                                         int precision, int flags, int *ptype);

/* PyOS_snprintf, PyOS_vsnprintf: snprintf that always ends str with a NUL.
   Like it they return the length that the whole output would have, and a
   negative number on failure. */
PyAPI_FUNC(int) PyOS_snprintf(char *str, size_t size, const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 3, 4)));
PyAPI_FUNC(int)
    PyOS_vsnprintf(char *str, size_t size, const char *format, va_list va)
        Py_GCC_ATTRIBUTE((format(printf, 3, 0)));

/* PyOS_stricmp, PyOS_strnicmp, PyOS_mystricmp, PyOS_mystrnicmp: strcmp and
   strncmp that ignore the case of ASCII letters. */
PyAPI_FUNC(int) PyOS_stricmp(const char *s1, const char *s2);
PyAPI_FUNC(int) PyOS_strnicmp(const char *s1, const char *s2, Py_ssize_t size);
PyAPI_FUNC(int) PyOS_mystricmp(const char *s1, const char *s2);
PyAPI_FUNC(int)
    PyOS_mystrnicmp(const char *s1, const char *s2, Py_ssize_t size);
#define PyOS_mystricmp PyOS_stricmp
#define PyOS_mystrnicmp PyOS_strnicmp

/* PyOS_strtol, PyOS_strtoul: strtol and strtoul with Python's spelling of
   octal numbers ("0o17") and binary ones ("0b11") when base is 0. */
PyAPI_FUNC(long) PyOS_strtol(const char *str, char **ptr, int base);
PyAPI_FUNC(unsigned long) PyOS_strtoul(const char *str, char **ptr, int base);

/* Py_ISALPHA and kin: isalpha and kin for ASCII; c is a char or a byte. */
#define Py_ISLOWER(c) (Py_CHARMASK(c) >= 'a' && Py_CHARMASK(c) <= 'z')
#define Py_ISUPPER(c) (Py_CHARMASK(c) >= 'A' && Py_CHARMASK(c) <= 'Z')
#define Py_ISALPHA(c) (Py_ISLOWER(c) || Py_ISUPPER(c))
#define Py_ISDIGIT(c) (Py_CHARMASK(c) >= '0' && Py_CHARMASK(c) <= '9')
#define Py_ISXDIGIT(c)                                                        \
    (Py_ISDIGIT(c) || (Py_TOLOWER(c) >= 'a' && Py_TOLOWER(c) <= 'f'))
#define Py_ISALNUM(c) (Py_ISALPHA(c) || Py_ISDIGIT(c))
#define Py_ISSPACE(c)                                                         \
    (Py_CHARMASK(c) == ' ' ||                                                 \
     (Py_CHARMASK(c) >= '\t' && Py_CHARMASK(c) <= '\r'))
#define Py_TOLOWER(c) (Py_ISUPPER(c) ? (c) + ('a' - 'A') : Py_CHARMASK(c))
#define Py_TOUPPER(c) (Py_ISLOWER(c) ? (c) - ('a' - 'A') : Py_CHARMASK(c))

#ifdef __cplusplus
}
#endif

#endif /* Py_PYSTRTOD_H */
