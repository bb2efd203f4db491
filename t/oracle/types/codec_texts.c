/* codec_texts.c: every codec and error handler with texts and bytes made by
   chance: what they become, which exceptions say what, and how far a decoder
   gets in input that goes on.  Manual: "Built-in Codecs", "Unicode
   Exceptions". */

#include "oracle.h"

enum { ROUNDS = 120, LONGEST = 12 };

static const char *const handlers[] = {
    NULL,
    "ignore",
    "replace",
    "backslashreplace",
    "xmlcharrefreplace",
    "surrogateescape",
    "surrogatepass",
};
enum { HANDLERS = 7 };

static const char *const encodings[] = {
    "utf-8",     "ascii",     "latin-1",        "utf-7",
    "utf-16",    "utf-16-le", "utf-16-be",      "utf-32",
    "utf-32-le", "utf-32-be", "unicode-escape", "raw-unicode-escape",
};
enum { ENCODINGS = 12 };

/* A generator of the program's own, the same on both sides. */
static unsigned long long seed = 2026;

static unsigned
below(unsigned n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % n;
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

static Py_UCS4
some_char(void)
{
    static const Py_UCS4 chars[] = {
        'a',    'z',    '0',    '+',    '-',    '/',     '\\',    '~',
        '&',    0,      '\n',   '\t',   0x7f,   0x80,    0xe9,    0xff,
        0x100,  0x20ac, 0xd7ff, 0xd800, 0xdbff, 0xdc00,  0xdc80,  0xdcff,
        0xdfff, 0xe000, 0xfeff, 0xfffe, 0xffff, 0x10000, 0x1f600, 0x10ffff,
    };

    return chars[below(Py_ARRAY_LENGTH(chars))];
}

static void
encode(void)
{
    Py_UCS4 text[LONGEST];
    Py_ssize_t length = below(LONGEST);

    for (Py_ssize_t i = 0; i < length; i++)
        text[i] = some_char();
    PyObject *str =
        need(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, length));
    show_kept("text", str);
    for (int i = 0; i < ENCODINGS; i++) {
        int k = (int)below(HANDLERS);
        say("%s, %s", encodings[i], handlers[k] ? handlers[k] : "none");
        SHOW_INNER(PyUnicode_AsEncodedString(str, encodings[i], handlers[k]));
    }
    SHOW(PyUnicode_AsUTF16String(str));
    SHOW(PyUnicode_AsUTF32String(str));
    SHOW(PyUnicode_AsUnicodeEscapeString(str));
    SHOW(PyUnicode_AsRawUnicodeEscapeString(str));
    Py_DECREF(str);
}

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

/* A piece of what some decoder wants: often whole, never \N. */
static size_t
piece(char *out)
{
    static const char *const pieces[] = {
        "a",
        "+",
        "-",
        "+-",
        "+AOk-",
        "+2D3eAA-",
        "+2D0",
        "+AOl-",
        "+AO",
        "AGE",
        "\\",
        "\\\\",
        "\\n",
        "\\x4",
        "\\xe9",
        "\\u20",
        "\\u20ac",
        "\\ud800",
        "\\U0001f600",
        "\\U00110000",
        "\\777",
        "\\0",
        "\\08",
        "\\\n",
        "\xe2\x82\xac",
        "\xe2\x82",
        "\xed\xa0\x80",
        "\xf0\x9f\x98",
        "\xc3",
        "\xff",
        "\xff\xfe",
        "\xfe\xff",
        "\xd8\x3d",
        "\x3d\xd8\x01\xde",
    };
    static const char units[][4] = {
        {0, 0, '\xfe', '\xff'}, {'\xff', '\xfe', 0, 0}, {'a', 0, 0, 0},
        {0, 0, 0, 'a'},         {0, '\xd8', 0, 0},      {0, 0, 0x11, 0},
    };
    unsigned which = below(Py_ARRAY_LENGTH(pieces) + 16);

    if (which >= Py_ARRAY_LENGTH(pieces) + 8) {
        *out = (char)below(256);
        return 1;
    }
    if (which >= Py_ARRAY_LENGTH(pieces)) {
        memcpy(out, units[which % Py_ARRAY_LENGTH(units)], 4);
        return 4;
    }
    strcpy(out, pieces[which]);
    return strlen(out);
}

static void
decode_stateful(const char *text, Py_ssize_t size, const char *errors)
{
    Py_ssize_t consumed = -1;
    int order = (int)below(3) - 1;

    SHOW(PyUnicode_DecodeUTF7Stateful(text, size, errors, &consumed));
    say("consumed %zd", consumed);
    SHOW(PyUnicode_DecodeUTF8Stateful(text, size, errors, &consumed));
    say("consumed %zd", consumed);
    SHOW(PyUnicode_DecodeUTF16Stateful(text, size, errors, &order, &consumed));
    say("consumed %zd, order %d", consumed, order);
    order = (int)below(3) - 1;
    SHOW(PyUnicode_DecodeUTF32Stateful(text, size, errors, &order, &consumed));
    say("consumed %zd, order %d", consumed, order);
}

static void
decode(void)
{
    char text[LONGEST * 12];
    size_t size = 0;

    for (unsigned n = below(LONGEST); n > 0; n--)
        size += piece(text + size);
    PyObject *bytes = need(PyBytes_FromStringAndSize(text, (Py_ssize_t)size));
    show_kept("bytes", bytes);
    for (int i = 0; i < ENCODINGS; i++) {
        int k = (int)below(HANDLERS);
        say("%s, %s", encodings[i], handlers[k] ? handlers[k] : "none");
        SHOW_INNER(
            PyUnicode_FromEncodedObject(bytes, encodings[i], handlers[k]));
    }
    decode_stateful(text, (Py_ssize_t)size, NULL);
    decode_stateful(text, (Py_ssize_t)size, handlers[below(HANDLERS)]);
    Py_DECREF(bytes);
}

/* Names of encodings, well known and less so. */
static void
names(void)
{
    static const char *const spellings[] = {
        "UTF8",           "u8",
        " utf 16 ",       "UTF-16LE",
        "utf_32_BE",      "U7",
        "cp367",          "l1",
        "ISO8859-1",      "iso-ir-6",
        "latin",          "646",
        "utf--8",         "_ascii_",
        "utf-15",         "",
        "unicode escape", "ISO_646.irv:1991",
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(spellings); i++) {
        say("'%s'", spellings[i]);
        SHOW_INNER(PyUnicode_Decode("+AOk-\\u", 7, spellings[i], "ignore"));
    }
}

void
oracle_program(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        encode();
        decode();
    }
    names();
}
