/* charset.c: encodings of one byte for a character that the system knows:
   cp1252, koi8-r, iso8859-15.  iconv says once what each byte is, and the rest
   is that of a charmap, as in CPython.

   Manual: Python's library, "Standard Encodings"; iconv_open(3). */

#include "Python.h"

#include <errno.h>
#include <iconv.h>

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/codec/natives.h"

enum { BYTES = 256 };

/* What a charmap has for a byte without a character. */
#define NO_CHAR ((Py_UCS2)0xfffe)

/* It stays, since a codec may know it.  The two objects, owned, go with the
   library, and are NULL before they are needed. */
struct pyb_charset {
    struct pyb_native native;
    char name[PYB_NATIVE_NAME_BYTES];
    Py_UCS2 chars[BYTES];
    PyObject *table; /* a str of chars */
    PyObject *map;   /* from characters to bytes */
    struct pyb_charset *next;
};

static struct pyb_charset *charsets;

void
pyb_charset_fini(void)
{
    for (struct pyb_charset *cs = charsets; cs != NULL; cs = cs->next) {
        Py_CLEAR(cs->table);
        Py_CLEAR(cs->map);
    }
}

/* ------------------------------------------------------------------ */
/* What the system knows                                               */

/* The character of a byte alone; 0 for success, -1 if bytes do not stand for
   characters one by one. */
static int
ask_byte(iconv_t cd, unsigned byte, Py_UCS2 *ch)
{
    char in = (char)byte, *from = &in;
    unsigned char out[8];
    char *to = (char *)out;
    size_t in_left = 1, out_left = sizeof out;

    iconv(cd, NULL, NULL, NULL, NULL);
    *ch = NO_CHAR;
    if (iconv(cd, &from, &in_left, &to, &out_left) == (size_t)-1)
        return errno == EILSEQ ? 0 : -1;
    /* It may have waited for another that is to be combined with it. */
    if (iconv(cd, NULL, NULL, &to, &out_left) == (size_t)-1 ||
        out_left != sizeof out - 2)
        return -1;
    *ch = (Py_UCS2)(out[0] | out[1] << 8);
    return 0;
}

/* Fills in chars.  0, or -1: it is no such encoding; or OSError is raised. */
static int
ask(const char *name, Py_UCS2 *chars)
{
    iconv_t cd = iconv_open("UTF-16LE", name);
    int result = 0;

    if (cd == (iconv_t)-1) {
        if (errno != EINVAL)
            PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    for (unsigned byte = 0; result == 0 && byte < BYTES; byte++)
        result = ask_byte(cd, byte, &chars[byte]);
    iconv_close(cd);
    return result;
}

/* The system's name: "iso8859_15" is ISO8859-15. */
static void
name_of_system(const char *name, char *out)
{
    for (; *name != '\0'; name++)
        *out++ = *name == '_' ? '-' : Py_TOUPPER(*name);
    *out = '\0';
}

/* A new one, or NULL, with an exception if the system has failed. */
static struct pyb_charset *
make(const char *name)
{
    char system[PYB_NATIVE_NAME_BYTES];
    Py_UCS2 chars[BYTES];

    PYB_ASSERT(strlen(name) < PYB_NATIVE_NAME_BYTES);
    name_of_system(name, system);
    if (*name == '\0' || ask(system, chars) < 0)
        return NULL;
    struct pyb_charset *made = calloc(1, sizeof *made);
    if (made == NULL)
        return PYB_MEMORY_ERROR(NULL);
    strcpy(made->name, name);
    memcpy(made->chars, chars, sizeof chars);
    made->native = (struct pyb_native){.name = made->name, .charset = made};
    made->next = charsets;
    charsets = made;
    return made;
}

const struct pyb_native *
pyb_charset_known(const char *name)
{
    for (struct pyb_charset *cs = charsets; cs != NULL; cs = cs->next)
        if (strcmp(cs->name, name) == 0)
            return &cs->native;
    return NULL;
}

const struct pyb_native *
pyb_charset_find(const char *encoding)
{
    char name[PYB_NATIVE_NAME_BYTES];

    if (!pyb_native_name(encoding, name))
        return NULL;
    PYB_ASSERT(pyb_charset_known(name) == NULL);
    struct pyb_charset *made = make(name);
    return made != NULL ? &made->native : NULL;
}

/* ------------------------------------------------------------------ */
/* Coding                                                              */

/* 0, or -1 with MemoryError. */
static int
prepare(struct pyb_charset *cs)
{
    if (cs->table == NULL)
        cs->table =
            PyUnicode_FromKindAndData(PyUnicode_2BYTE_KIND, cs->chars, BYTES);
    if (cs->map == NULL && cs->table != NULL)
        cs->map = PyUnicode_BuildEncodingMap(cs->table);
    return cs->map != NULL ? 0 : -1;
}

PyObject *
pyb_charset_encode(struct pyb_charset *charset, PyObject *str,
                   const char *errors)
{
    return prepare(charset) < 0
               ? NULL
               : pyb_charmap_encode(str, charset->map, errors);
}

PyObject *
pyb_charset_decode(struct pyb_charset *charset, const char *bytes,
                   Py_ssize_t size, const char *errors, Py_ssize_t *consumed)
{
    if (prepare(charset) < 0)
        return NULL;
    if (consumed != NULL)
        *consumed = size;
    return PyUnicode_DecodeCharmap(bytes, size, charset->table, errors);
}
