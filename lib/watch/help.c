/* help.c: what the environment can ask for, and what it asks for in vain.
   See help.h.  doc/pyboehm.md begins with the same table. */

#include "Python.h"

#include <stdio.h>
#include <string.h>

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "watch/help.h"

extern char **environ;

static const char symptoms[] =
    "What is wrong, and what says more:\n"
    "\n"
    "  crash in Py_DECREF, tp_dealloc or tp_traverse, or in a field of a\n"
    "  freed object, free(): invalid pointer, an object with another one's\n"
    "  contents, \"refcount is too small\"; an adopted object is gone, and\n"
    "  malloc's memory has its address\n"
    "      PYBOEHM_CHECK=1 ./program\n"
    "  an attribute of a type is a stale one, or a crash in it: tp_dict was\n"
    "  changed without PyType_Modified\n"
    "      PYBOEHM_CHECK=1 ./program\n"
    "  a structure larger than tp_basicsize, damaged neighbours\n"
    "      PYBOEHM_CHECK=1 ./program\n"
    "  a number in a freed object is read: with PYBOEHM_CHECK=1 it is "
    "0xdd...;\n"
    "  memory of PyMem_Malloc is written to past its end, or when it is free\n"
    "      PYBOEHM_MALLOC=plain valgrind --num-callers=30 "
    "--suppressions=" PYBOEHM_SUPPRESSIONS " ./program\n"
    "  cycles leak: a forgotten Py_VISIT, a type that is not visited, no\n"
    "  tp_clear, no Py_TPFLAGS_HAVE_GC; tp_traverse visits what is borrowed,\n"
    "  or an object in use was cleared; objects that no collection finds;\n"
    "  tp_dealloc without PyObject_GC_UnTrack\n"
    "      PYBOEHM_AUDIT=1 ./program\n"
    "  objects are left at the end\n"
    "      PYBOEHM_LEAKS=1 PYBOEHM_TRACE=8 ./program\n"
    "  one object does not die\n"
    "      PyBoehm_WhyAlive(op, stderr) of pyboehm.h, or pyboehm-referrers in "
    "gdb\n"
    "  what is in the heap, and what keeps it\n"
    "      PYBOEHM_REPORT=heap.html ./program, and open it in a browser\n"
    "      PYBOEHM_GRAPH=heap.dot ./program; pyboehm-graph -o heap.svg "
    "heap.dot\n"
    "  it fails now and then\n"
    "      PYBOEHM_CHECK=1 PYBOEHM_STRESS=1 ./program\n"
    "  it pauses, or is slow\n"
    "      PYBOEHM_STATS=1 ./program, or PYBOEHM_LOG=file\n"
    "\n"
    "Variables:\n"
    "\n";

static const char number[] = "a number", numbers[] = "a number",
                  on_off[] = "0 or 1", on_off_error[] = "0, 1 or error";

static const struct {
    const char *name, *meaning;
    const char *values; /* one of the above; NULL: others look at it */
} variables[] = {
    {"PYBOEHM_AUDIT", "1: is each type right?  error: exit status 3",
     on_off_error},
    {"PYBOEHM_CHECK", "1: wrong use of the API ends the program", on_off},
    {"PYBOEHM_GRAPH", "a file: what is alive, as .dot or .json", NULL},
    {"PYBOEHM_HASHSEED", "a number: the same order of sets in each run", NULL},
    {"PYBOEHM_HELP", "1: this", on_off},
    {"PYBOEHM_LEAKS", "1: what is left at the end; error: exit status 3",
     on_off_error},
    {"PYBOEHM_LIBRARY", "the library that pyboehm.lisp loads", NULL},
    {"PYBOEHM_LOG", "a file: a line for each collection", NULL},
    {"PYBOEHM_MALLOC", "plain: each block is malloc's, for valgrind", NULL},
    {"PYBOEHM_PATH", "directories of modules", NULL},
    {"PYBOEHM_QUARANTINE", "n: with checks, so many freed objects wait",
     number},
    {"PYBOEHM_REPORT", "a file: the heap as a page, .html; or .folded", NULL},
    {"PYBOEHM_SIGNAL", "USR1 or the like: it has the reports written", NULL},
    {"PYBOEHM_SNAPSHOTS",
     "1: full collections of large heaps beside the program", number},
    {"PYBOEHM_STATS", "1: figures about collections, at the end", on_off},
    {"PYBOEHM_STRESS", "n: a collection at each n-th container", number},
    {"PYBOEHM_TRACE", "n: where objects were made, n calls deep", number},
};

enum { NAME_MAX_BYTES = 40 };
static const char prefix[] = "PYBOEHM_";

/* How many letters have to be changed, put in or left out; small ones are as
   good as capitals. */
static size_t
distance(const char *one, const char *other, size_t length)
{
    size_t row[NAME_MAX_BYTES + 1], n = strlen(other);

    PYB_ASSERT(n <= NAME_MAX_BYTES && length <= NAME_MAX_BYTES);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t changed = diagonal + (Py_TOUPPER(one[i - 1]) !=
                                         (unsigned char)other[j - 1]);

            diagonal = row[j];
            row[j] = Py_MIN(changed, Py_MIN(row[j], row[j - 1]) + 1);
        }
    }
    return row[n];
}

/* The variable that is most like a name of that length, which has two of its
   letters at least; NULL: none is. */
static const char *
nearest(const char *name, size_t length)
{
    const char *found = NULL;
    size_t least = 4;

    for (size_t i = 0; i < Py_ARRAY_LENGTH(variables); i++) {
        size_t far = distance(name, variables[i].name, length);
        size_t letters = strlen(variables[i].name) - (sizeof prefix - 1);

        if (far < least && far + 1 < letters) {
            least = far;
            found = variables[i].name;
        }
    }
    return found;
}

/* Names that have a meaning elsewhere: for tests, and for a configure script
   that looks for pyboehm. */
static int
is_of_others(const char *name)
{
    static const char of_tests[] = "PYBOEHM_TEST_";

    return strncmp(name, of_tests, sizeof of_tests - 1) == 0 ||
           strcmp(name, "PYBOEHM_CFLAGS") == 0 ||
           strcmp(name, "PYBOEHM_LIBS") == 0;
}

static int
is_one_of(const char *value, const char *values)
{
    if (values == number)
        return value[strspn(value, "0123456789")] == '\0';
    if (values ==
        numbers) /* the second number is the least number of objects */
        return value[strspn(value, "0123456789,")] == '\0';
    PYB_ASSERT(values == on_off || values == on_off_error);
    return strcmp(value, "0") == 0 || strcmp(value, "1") == 0 ||
           (values == on_off_error && strcmp(value, "error") == 0);
}

static void
look_at_value(size_t variable)
{
    const char *name = variables[variable].name;
    const char *values = variables[variable].values;
    const char *value = pyb_environment(name);

    if (values != NULL && value != NULL && !is_one_of(value, values))
        fprintf(stderr, "pyboehm: %s=%s: give it %s\n", name, value, values);
}

static void
look_at_name(const char *name)
{
    const char *meant = nearest(name, strlen(name));

    if (is_of_others(name) || pyb_environment(name) == NULL)
        return;
    fprintf(stderr, "pyboehm: there is no variable %s", name);
    if (meant != NULL)
        fprintf(stderr, "; is %s meant?", meant);
    fputs("\n  PYBOEHM_HELP=1 lists them\n", stderr);
}

static void
look_at(const char *entry)
{
    size_t length = strcspn(entry, "=");
    char name[NAME_MAX_BYTES + 1];

    if (strncmp(entry, prefix, sizeof prefix - 1) != 0 ||
        length > NAME_MAX_BYTES)
        return;
    snprintf(name, sizeof name, "%.*s", (int)length, entry);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(variables); i++)
        if (strcmp(variables[i].name, name) == 0) {
            look_at_value(i);
            return;
        }
    look_at_name(name);
}

void
pyb_help_begin(void)
{
    const char *wish = pyb_environment("PYBOEHM_HELP");

    for (char **entry = environ; entry != NULL && *entry != NULL; entry++)
        look_at(*entry);
    if (!pyb_checks && pyb_environment("PYBOEHM_QUARANTINE") != NULL)
        fputs("pyboehm: PYBOEHM_QUARANTINE does nothing without "
              "PYBOEHM_CHECK=1\n",
              stderr);
    if (wish == NULL || strcmp(wish, "0") == 0)
        return;
    fputs(symptoms, stderr);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(variables); i++)
        fprintf(stderr, "  %-17s %s\n", variables[i].name,
                variables[i].meaning);
}
