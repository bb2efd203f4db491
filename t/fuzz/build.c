/* build.c: fuzzes Py_BuildValue: the format and the values come from the
   input, laid out by a reading of the format that is written here anew.

   Where a format has f or d, it has at most five other values and eight of
   those: then all travel in registers, of two kinds, so that one call serves
   every order of them.

   Promised: NULL with an exception, or an object without; each N takes one
   reference away unless the format is wrong. */

#include "fuzz.h"

enum { WORDS = 30, REGISTERS = 5, DOUBLES = 8 };

static uint64_t words[WORDS + 2];
static double doubles[DOUBLES];
static int nwords, ndoubles;
static PyObject *token;
static int stolen; /* references to the token that N takes */

static PyObject *
convert(void *value)
{
    if (value == NULL)
        PyErr_SetString(PyExc_ValueError, "nothing to convert");
    return value == NULL ? NULL : PyLong_FromVoidPtr(value);
}

static void
add_pointer(const void *pointer)
{
    words[nwords++] = (uint64_t)(uintptr_t)pointer;
}

static void
add_text(const char *p, const void *text, size_t longest,
         struct fuzz_input *in)
{
    add_pointer(fuzz_below(in, 8) == 7 ? NULL : text);
    if (*p == '#')
        words[nwords++] =
            (uint64_t)fuzz_below(in, (unsigned)longest + 2) - 1; /* or -1 */
}

static void
add_object(const char *p, char unit, struct fuzz_input *in)
{
    if (*p == '&') {
        add_pointer((const void *)convert);
        words[nwords++] = fuzz_below(in, 4);
        return;
    }
    add_pointer(token);
    if (unit == 'N') {
        Py_INCREF(token);
        stolen++;
    }
}

/* Lays out the value of the unit in front of p. */
static void
add(char unit, const char *p, struct fuzz_input *in)
{
    static const Py_complex complex = {1.5, -2};

    if (strchr("bBhiHIlkLKnpcC", unit) != NULL)
        words[nwords++] = fuzz_word(in);
    else if (unit == 'D')
        add_pointer(&complex);
    else if (strchr("szUy", unit) != NULL)
        add_text(p, "t\303\251xt", 5, in);
    else if (unit == 'u')
        add_text(p, L"w\u00efde", 4, in);
    else if (strchr("NOS", unit) != NULL)
        add_object(p, unit, in);
    else if (strchr("fd", unit) != NULL)
        doubles[ndoubles++] = (double)fuzz_word(in);
}

static void
lay_out(char *format, struct fuzz_input *in)
{
    int most = strpbrk(format, "fd") != NULL ? REGISTERS : WORDS;

    nwords = ndoubles = stolen = 0;
    memset(words, 0, sizeof(words));
    for (char *p = format; *p != '\0'; p++) {
        if (*p == '#' || *p == '&') /* the unit in front has its values */
            continue;
        int needed = p[1] == '#' || p[1] == '&' ? 2 : 1;
        if (nwords + needed > most || ndoubles == DOUBLES) {
            *p = '\0';
            return;
        }
        add(*p, p + 1, in);
    }
}

/* Is all of the format units, each mark behind one of those that have it? */
static int
has_units(const char *format)
{
    static const char known[] = "bBhHiIlkLKnpcCDszUyuNOSfd#&()[]{},: \t";

    for (const char *p = format; *p != '\0'; p++)
        if ((*p == '#' && (p == format || !strchr("szUyu", p[-1]))) ||
            (*p == '&' && (p == format || !strchr("NOS", p[-1]))))
            return 0;
    return strspn(format, known) == strlen(format);
}

/* Does each bracket have its like?  Behind a closing one too many the units
   are not seen, here as in CPython, and no error comes of it. */
static int
is_balanced(const char *format)
{
    char open[64];
    int level = 0;

    for (; *format != '\0'; format++) {
        if (strchr("([{", *format) != NULL)
            open[level++] = *format;
        else if (strchr(")]}", *format) != NULL &&
                 (level-- == 0 || (unsigned)(*format - open[level]) > 2))
            return 0; /* ASCII has the two of a kind so near */
    }
    return level == 0;
}

#define W(i) words[i], words[i + 1], words[i + 2], words[i + 3], words[i + 4]
#define D(i) doubles[i], doubles[i + 1], doubles[i + 2], doubles[i + 3]

static PyObject *
build(const char *format)
{
    if (strpbrk(format, "fd") != NULL)
        return Py_BuildValue(format, W(0), D(0), D(4));
    return Py_BuildValue(format, W(0), W(5), W(10), W(15), W(20), W(25));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_begin(data, size);
    char format[48];

    token = PyList_New(0);
    fuzz_text(&in, format, sizeof(format));
    lay_out(format, &in);
    PyObject *result = build(format);
    int wrong_format =
        !has_units(format) || !is_balanced(format) ||
        (result == NULL && PyErr_ExceptionMatches(PyExc_SystemError));
    fuzz_raised(result == NULL);
    Py_XDECREF(result);

    if (wrong_format)
        for (; Py_REFCNT(token) > 1; stolen--) /* what N did not take */
            Py_DECREF(token);
    fuzz_check(stolen >= 0);
    fuzz_check(Py_REFCNT(token) == 1);
    Py_DECREF(token);
    fuzz_end();
    return 0;
}
