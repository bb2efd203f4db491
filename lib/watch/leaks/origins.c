/* origins.c: the places where leaked objects were allocated.  See
   origins.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "watch/leaks/origins.h"
#include "watch/leaks/trace.h"
#include "watch/memory/srclines.h"

enum { SHOWN = 10 };

void
pyb_origins_begin(struct pyb_origins *origins)
{
    origins->n = pyb_trace_chains() + 1;
    origins->all =
        origins->n > 1 ? calloc(origins->n, sizeof *origins->all) : NULL;
    for (size_t i = 0; origins->all != NULL && i < origins->n; i++)
        origins->all[i].chain = i;
}

void
pyb_origins_count(struct pyb_origins *origins, PyObject *op, size_t bytes,
                  int held)
{
    if (origins->all == NULL)
        return;
    size_t chain = pyb_trace_of(op);
    PYB_ASSERT_OBJECT(chain < origins->n, op);
    struct pyb_origin *origin = &origins->all[chain];

    PYB_ASSERT_OBJECT(origin->chain == chain, op); /* not sorted yet */
    if (origin->n++ == 0)
        origin->hidden = ~(uintptr_t)op;
    origin->bytes += bytes;
    origin->held += held != 0;
}

/* Would none of its objects be there without others? */
static int
is_held(const struct pyb_origin *origin)
{
    PYB_ASSERT(origin->held <= origin->n);
    return origin->held == origin->n;
}

static int
compare(const void *one, const void *other)
{
    const struct pyb_origin *a = one, *b = other;

    if (is_held(a) != is_held(b))
        return is_held(a) - is_held(b);
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return (a->chain > b->chain) - (a->chain < b->chain);
}

void
pyb_origins_sort(struct pyb_origins *origins)
{
    if (origins->all != NULL)
        qsort(origins->all, origins->n, sizeof *origins->all, compare);
    else
        origins->n = 0;
}

void
pyb_origins_end(struct pyb_origins *origins)
{
    free(origins->all);
    *origins = (struct pyb_origins){0, NULL};
}

/* The beginning of a text, on one line. */
static void
print_text(PyObject *op, FILE *file)
{
    enum { MOST = 40 };
    const char *text = PyUnicode_AsUTF8(op);

    if (text == NULL) {
        PyErr_Clear();
        return;
    }
    fputs(": '", file);
    for (int i = 0; i < MOST && *text != '\0'; i++, text++)
        putc((unsigned char)*text < ' ' ? ' ' : *text, file);
    fprintf(file, "'%s", *text != '\0' ? "..." : "");
}

static void
print_example(const struct pyb_origin *origin, FILE *file)
{
    PyObject *op = (PyObject *)~origin->hidden;
    Py_ssize_t n = pyb_sidetable_holds(op) && pyb_is_adopted(op)
                       ? pyb_adoption_references(op)
                       : op->ob_refcnt;

    fprintf(file, "  %s: %s at %p, %zd reference%s",
            origin->n == 1 ? "it is" : "one of them", Py_TYPE(op)->tp_name,
            (void *)op, n, n == 1 ? "" : "s");
    if (PyUnicode_CheckExact(op))
        print_text(op, file);
    putc('\n', file);
}

static void
print_origin(const struct pyb_origin *origin, FILE *file)
{
    PYB_ASSERT(origin->n > 0);
    fprintf(file, "%zu object%s, %zu bytes, allocated ", origin->n,
            origin->n == 1 ? "" : "s", origin->bytes);
    if (origin->chain == 0) {
        fputs("before anything was recorded\n", file);
        return;
    }
    fputs("at\n", file);
    pyb_trace_print(origin->chain, file);
    print_example(origin, file);
}

void
pyb_origins_print(struct pyb_origins *origins, FILE *file)
{
    size_t i;

    if (origins->all == NULL)
        return;
    pyb_origins_sort(origins);
    for (i = 0; i < origins->n && i < SHOWN && origins->all[i].n > 0; i++) {
        if (is_held(&origins->all[i]) &&
            !(i > 0 && is_held(&origins->all[i - 1])))
            fputs("what leaked objects own:\n", file);
        print_origin(&origins->all[i], file);
    }
    if (i < origins->n && origins->all[i].n > 0)
        fputs("others were allocated elsewhere\n", file);
    pyb_srclines_end();
    pyb_origins_end(origins);
}
