/* characters.c: what is known of each character.  Manual: "Unicode Character
   Properties"; "String Methods".  Characters of which Unicode 15.1, that is
   CPython 3.13, says other things than 14.0, that is 3.11, are left out. */

#include "oracle.h"

static const Py_UCS4 newer[][2] = {
    {0xcf3, 0xcf3},     {0xece, 0xece},     {0x10fc, 0x10fc},
    {0x200c, 0x200d},   {0x2ffc, 0x2fff},   {0x30fb, 0x30fb},
    {0x31ef, 0x31ef},   {0x4e24, 0x4e24},   {0x4eac, 0x4eac},
    {0x4fe9, 0x4fe9},   {0x5006, 0x5006},   {0x62d0, 0x62d0},
    {0x6d1e, 0x6d1e},   {0x7695, 0x7695},   {0x79ed, 0x79ed},
    {0x920e, 0x920e},   {0x94a9, 0x94a9},   {0xa7f2, 0xa7f4},
    {0xab69, 0xab69},   {0xff65, 0xff65},   {0x10efd, 0x10eff},
    {0x1123f, 0x11241}, {0x11b00, 0x11b09}, {0x11f00, 0x11f10},
    {0x11f12, 0x11f3a}, {0x11f3e, 0x11f59}, {0x1342f, 0x1342f},
    {0x13439, 0x13455}, {0x1b132, 0x1b132}, {0x1b155, 0x1b155},
    {0x1d2c0, 0x1d2d3}, {0x1df25, 0x1df2a}, {0x1e030, 0x1e06d},
    {0x1e08f, 0x1e08f}, {0x1e4d0, 0x1e4f9}, {0x1f6dc, 0x1f6dc},
    {0x1f774, 0x1f776}, {0x1f77b, 0x1f77f}, {0x1f7d9, 0x1f7d9},
    {0x1fa75, 0x1fa77}, {0x1fa87, 0x1fa88}, {0x1faad, 0x1faaf},
    {0x1fabb, 0x1fabd}, {0x1fabf, 0x1fabf}, {0x1face, 0x1facf},
    {0x1fada, 0x1fadb}, {0x1fae8, 0x1fae8}, {0x1faf7, 0x1faf8},
    {0x2b739, 0x2b739}, {0x2ebf0, 0x2ee5d}, {0x31350, 0x323af},
};

static int
is_newer(Py_UCS4 ch)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(newer); i++)
        if (ch >= newer[i][0] && ch <= newer[i][1])
            return 1;
    return 0;
}

/* What has been asked of the characters of a block, as one number (FNV-1a). */
static unsigned long long sum;

static void
add(long value)
{
    sum = (sum ^ (unsigned long long)value) * 0x100000001b3;
}

/* The text of s.method() is added; the reference to s stays. */
static void
add_method(PyObject *s, const char *method)
{
    PyObject *result = need(PyObject_CallMethod(s, method, NULL));
    Py_ssize_t size = PyUnicode_GetLength(result);

    for (Py_ssize_t i = 0; i < size; i++)
        add((long)PyUnicode_ReadChar(result, i));
    add(-1);
    Py_DECREF(result);
}

static PyObject *
text_of(Py_UCS4 first, Py_UCS4 second, Py_UCS4 third, Py_UCS4 fourth)
{
    Py_UCS4 text[] = {first, second, third, fourth};
    Py_ssize_t length = 4;

    while (length > 1 && text[length - 1] == 0)
        length--;
    return need(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, length));
}

static void
ask_alone(Py_UCS4 ch)
{
    static const char *const methods[] = {
        "upper", "lower", "title", "casefold", "swapcase", "capitalize"};
    PyObject *s = text_of(ch, 0, 0, 0), *behind = text_of('a', ch, 0, 0);

    add(Py_UNICODE_ISSPACE(ch) != 0);
    add(Py_UNICODE_ISALPHA(ch) != 0);
    add(Py_UNICODE_ISALNUM(ch) != 0);
    add(Py_UNICODE_ISLOWER(ch) != 0);
    add(Py_UNICODE_ISUPPER(ch) != 0);
    add(Py_UNICODE_ISTITLE(ch) != 0);
    add(Py_UNICODE_ISLINEBREAK(ch) != 0);
    add(Py_UNICODE_ISDECIMAL(ch) != 0);
    add(Py_UNICODE_ISDIGIT(ch) != 0);
    add(Py_UNICODE_ISNUMERIC(ch) != 0);
    add(Py_UNICODE_ISPRINTABLE(ch) != 0);
    add(Py_UNICODE_TODECIMAL(ch));
    add(Py_UNICODE_TODIGIT(ch));
    add((long)Py_UNICODE_TOLOWER(ch));
    add((long)Py_UNICODE_TOUPPER(ch));
    add((long)Py_UNICODE_TOTITLE(ch));
    add(PyUnicode_IsIdentifier(s));
    add(PyUnicode_IsIdentifier(behind));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(methods); i++)
        add_method(s, methods[i]);
    drop_all(s, behind);
}

/* Beside a sigma, of which the lower case depends on where a word ends. */
static void
ask_in_words(Py_UCS4 ch)
{
    static const Py_UCS4 frames[][2] = {{'A', 0}, {'.', 0}, {0x3a3, 'a'}};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(frames); i++) {
        PyObject *s = frames[i][1] == 0
                          ? text_of(frames[i][0], ch, 0x3a3, 0)
                          : text_of('A', frames[i][0], ch, frames[i][1]);
        add_method(s, "lower");
        add_method(s, "title");
        add_method(s, "swapcase");
        Py_DECREF(s);
    }
}

static void
ask(Py_UCS4 from, Py_UCS4 to)
{
    for (Py_UCS4 ch = from; ch < to; ch++) {
        if (ch % 0x100 == 0)
            sum = 0;
        if (!is_newer(ch)) {
            ask_alone(ch);
            ask_in_words(ch);
        }
        if (ch % 0x100 == 0xff)
            say("%04x: %016llx", ch - 0xff, sum);
    }
}

static void
words(void)
{
    static const char *const texts[] = {
        "\u039f\u03a3 \u039f\u03a3\u039f \u03a3 \u0391.\u03a3",
        "\u039f\u03a3' '\u03a3",
        "stra\u00dfe \ufb01n \u0149 \u01c6 \u0130",
        "DON'T o'neill",
        "\u1f80\u1f88 \u1fb7",
        "",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++) {
        PyObject *s = need(PyUnicode_FromString(texts[i]));
        show_kept("text", s);
        SHOW(PyObject_CallMethod(s, "upper", NULL));
        SHOW(PyObject_CallMethod(s, "lower", NULL));
        SHOW(PyObject_CallMethod(s, "title", NULL));
        SHOW(PyObject_CallMethod(s, "swapcase", NULL));
        SHOW(PyObject_CallMethod(s, "capitalize", NULL));
        SHOW(PyObject_CallMethod(s, "casefold", NULL));
        Py_DECREF(s);
    }
}

void
oracle_program(void)
{
    words();
    ask(0, 0x33400);
    ask(0xe0000, 0xe0200);
    ask(0x10ff00, 0x110000);
}
