/* strings.c: what it costs that a str is kept as UTF-8 (CPython: as an array
   of characters): to make one, to get its text, a character, and one that is
   looked up by its text in a dictionary.  The size of a row is the bytes of
   each character in UTF-8. */

#include "nodes.h"

enum { OPERATIONS = 100000, LENGTH = 12, AT = 6 };

static char text[4 * LENGTH + 1];
static PyObject *str, *dict;

static void
begin(size_t size)
{
    const char *character = size == 1 ? "a" : size == 2 ? "\u00e9" : "\u20ac";

    for (int i = 0; i < LENGTH; i++)
        memcpy(text + (size_t)i * size, character, size + 1);
    str = PyUnicode_FromString(text);
    dict = PyDict_New();
    if (str == NULL || dict == NULL || PyDict_SetItem(dict, str, str) < 0)
        bench_fail("no memory");
}

/* Nanoseconds for what is done so often. */
#define EACH(operation)                                                       \
    double start = bench_now();                                               \
    for (int i = 0; i < OPERATIONS; i++)                                      \
        operation;                                                            \
    return (bench_now() - start) / OPERATIONS

static void
require(int success)
{
    if (!success)
        bench_fail("a string is not right");
}

static void
make_one(int with_text, int with_character)
{
    PyObject *op = PyUnicode_FromString(text);

    require(op != NULL && (!with_text || PyUnicode_AsUTF8(op) != NULL) &&
            (!with_character || PyUnicode_ReadChar(op, AT) != (Py_UCS4)-1));
    Py_DECREF(op);
}

static double
make(size_t Py_UNUSED(size))
{
    EACH(make_one(0, 0));
}

static double
make_text(size_t Py_UNUSED(size))
{
    EACH(make_one(1, 0));
}

static double
make_read(size_t Py_UNUSED(size))
{
    EACH(make_one(0, 1));
}

static double
get_text(size_t Py_UNUSED(size))
{
    EACH(require(PyUnicode_AsUTF8(str) != NULL));
}

static double
read_character(size_t Py_UNUSED(size))
{
    EACH(require(PyUnicode_ReadChar(str, AT) != (Py_UCS4)-1));
}

static double
look_up(size_t Py_UNUSED(size))
{
    EACH(require(PyDict_GetItemString(dict, text) == str));
}

static void
join_two(void)
{
    PyObject *op = PyUnicode_Concat(str, str);

    require(op != NULL);
    Py_DECREF(op);
}

static double
join(size_t Py_UNUSED(size))
{
    EACH(join_two());
}

static const struct bench_row rows[] = {
    {"make", .begin = begin, .round = make},
    {"make-text", .begin = begin, .round = make_text},
    {"make-read", .begin = begin, .round = make_read},
    {"text", .begin = begin, .round = get_text},
    {"read", .begin = begin, .round = read_character},
    {"look-up", .begin = begin, .round = look_up},
    {"join", .begin = begin, .round = join},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
