/* help.c: what the environment can ask for, and what it asks for in vain.
   See help.h.  doc/pyboehm.md begins with the same table. */

#include "Python.h"

#include <stdio.h>
#include <string.h>

#include "gc/base/environment.h"
#include "watch/help.h"

extern char **environ;

static const char symptoms[] =
    "What is wrong, and what says more:\n"
    "\n"
    "  crash in Py_DECREF or tp_dealloc, free(): invalid pointer,\n"
    "  an object with another one's contents, \"refcount is too small\"\n"
    "      PYBOEHM_CHECK=1 ./program\n"
    "  a structure larger than tp_basicsize, damaged neighbours\n"
    "      PYBOEHM_CHECK=1 ./program\n"
    "  crash where a field of a freed object is read\n"
    "      PYBOEHM_MALLOC=plain valgrind --num-callers=30 "
    "--suppressions=" PYBOEHM_SUPPRESSIONS " ./program\n"
    "  cycles leak: a forgotten Py_VISIT, a type that is not visited, no\n"
    "  tp_clear, no Py_TPFLAGS_HAVE_GC; tp_traverse visits what is borrowed;\n"
    "  \"is not untracked before destruction\"\n"
    "      PYBOEHM_AUDIT=1 ./program\n"
    "  objects are left at the end\n"
    "      PYBOEHM_LEAKS=1 PYBOEHM_TRACE=8 ./program\n"
    "  one object does not die\n"
    "      PyBoehm_WhyAlive(op, stderr), or pyboehm-referrers in gdb\n"
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

static const struct {
    const char *name, *meaning;
} variables[] = {
    {"PYBOEHM_AUDIT", "1: is each type right?  error: exit status 3"},
    {"PYBOEHM_CHECK", "1: wrong use of the API ends the program"},
    {"PYBOEHM_GRAPH", "a file: what is alive, as .dot or .json"},
    {"PYBOEHM_HASHSEED", "a number: the same order of sets in each run"},
    {"PYBOEHM_HELP", "1: this"},
    {"PYBOEHM_LEAKS", "1: what is left at the end; error: exit status 3"},
    {"PYBOEHM_LIBRARY", "the library that pyboehm.lisp loads"},
    {"PYBOEHM_LOG", "a file: a line for each collection"},
    {"PYBOEHM_MALLOC", "plain: each block is malloc's, for valgrind"},
    {"PYBOEHM_MARKERS", "a number: threads that help to mark"},
    {"PYBOEHM_PATH", "directories of modules"},
    {"PYBOEHM_QUARANTINE", "n: with checks, so many freed objects wait"},
    {"PYBOEHM_REPORT", "a file: the heap as a page, .html; or .folded"},
    {"PYBOEHM_SIGNAL", "USR1 or the like: it has the reports written"},
    {"PYBOEHM_STATS", "1: figures about collections, at the end"},
    {"PYBOEHM_STRESS", "n: a collection at each n-th container"},
    {"PYBOEHM_TRACE", "n: where objects were made, n calls deep"},
};

enum { NAME_MAX_BYTES = 40 };
static const char prefix[] = "PYBOEHM_";

/* How many letters have to be changed, put in or left out. */
static size_t
distance(const char *one, const char *other, size_t length)
{
    size_t row[NAME_MAX_BYTES + 1], n = strlen(other);

    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t changed = diagonal + (one[i - 1] != other[j - 1]);

            diagonal = row[j];
            row[j] = Py_MIN(changed, Py_MIN(row[j], row[j - 1]) + 1);
        }
    }
    return row[n];
}

/* The variable that is most like a name of that length; NULL: none is. */
static const char *
nearest(const char *name, size_t length)
{
    const char *found = NULL;
    size_t least = 4;

    for (size_t i = 0; i < Py_ARRAY_LENGTH(variables); i++) {
        size_t far = distance(name, variables[i].name, length);

        if (far < least) {
            least = far;
            found = variables[i].name;
        }
    }
    return found;
}

static int
is_known(const char *name, size_t length)
{
    static const char of_tests[] = "PYBOEHM_TEST_";

    if (strncmp(name, of_tests, sizeof of_tests - 1) == 0)
        return 1;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(variables); i++)
        if (strlen(variables[i].name) == length &&
            memcmp(name, variables[i].name, length) == 0)
            return 1;
    return 0;
}

static void
look_at(const char *entry)
{
    size_t length = strcspn(entry, "=");
    char name[NAME_MAX_BYTES + 1];
    const char *meant;

    if (strncmp(entry, prefix, sizeof prefix - 1) != 0 ||
        length > NAME_MAX_BYTES || is_known(entry, length))
        return;
    snprintf(name, sizeof name, "%.*s", (int)length, entry);
    if (pyb_environment(name) == NULL)
        return;
    meant = nearest(name, length);
    if (meant != NULL)
        fprintf(stderr,
                "pyboehm: there is no variable %s; is %s meant?\n"
                "  PYBOEHM_HELP=1 lists them\n",
                name, meant);
    else
        fprintf(stderr,
                "pyboehm: there is no variable %s\n"
                "  PYBOEHM_HELP=1 lists them\n",
                name);
}

void
pyb_help_begun(void)
{
    const char *wish = pyb_environment("PYBOEHM_HELP");

    for (char **entry = environ; entry != NULL && *entry != NULL; entry++)
        look_at(*entry);
    if (wish == NULL || strcmp(wish, "0") == 0)
        return;
    fputs(symptoms, stderr);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(variables); i++)
        fprintf(stderr, "  %-17s %s\n", variables[i].name,
                variables[i].meaning);
}
