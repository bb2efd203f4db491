/* leaks.c: what is alive when all should be gone.  See leaks.h. */

#include "Python.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gc/adoption.h"
#include "gc/environment.h"
#include "gc/heap.h"
#include "watch/chains.h"
#include "watch/lasting.h"
#include "watch/leaks.h"
#include "watch/origins.h"
#include "watch/trace.h"
#include "watch/why.h"

enum {
    ROOTS = 5,      /* are explained */
    EXIT_STATUS = 3 /* of a process that leaks, if that is an error */
};

static struct {
    enum { OFF, SAY, FAIL } wish;
    int at_exit; /* leave is going to be called */
    int found;
} leaks;

/* From outside; by other leaks; by nothing but their cycle; by whom is not
   visited. */
enum how { OUTSIDE, HELD, CYCLE, UNKNOWN, HOWS };

/* All leaked objects of one type. */
struct row {
    PyTypeObject *type;
    size_t n, bytes;
    size_t kept[HOWS]; /* so many of them in each way */
};

struct report {
    struct pyb_census census;
    struct pyb_lasting lasting;
    struct pyb_chains chains;
    struct pyb_plain plain; /* what leaked containers have */
    struct pyb_plain lost;  /* other plain objects, if allocations were
                               recorded */
    struct pyb_origins origins;
    struct row *rows, total;
    size_t n_rows, room;
    int no_memory;
};

/* ------------------------------------------------------------------ */
/* By type                                                             */

static struct row *
row_of(struct report *report, PyTypeObject *type)
{
    static struct row none; /* no memory: what is entered there is lost */

    for (size_t i = 0; i < report->n_rows; i++)
        if (report->rows[i].type == type)
            return &report->rows[i];
    if (report->n_rows == report->room) {
        size_t room = 2 * report->room + 16;
        struct row *more = realloc(report->rows, room * sizeof *more);

        if (more == NULL) {
            report->no_memory = 1;
            return &none;
        }
        report->rows = more;
        report->room = room;
    }
    report->rows[report->n_rows] = (struct row){.type = type};
    return &report->rows[report->n_rows++];
}

static void
count_row(struct row *row, size_t bytes, enum how how)
{
    row->n++;
    row->bytes += bytes;
    row->kept[how]++;
}

static void
count(struct report *report, PyObject *op, size_t bytes, enum how how)
{
    count_row(row_of(report, Py_TYPE(op)), bytes, how);
    count_row(&report->total, bytes, how);
    pyb_origins_count(&report->origins, op, bytes);
}

static enum how
how_kept(const struct report *report, size_t number)
{
    const struct pyb_person *person = &report->census.people[number];

    if (person->left > 0 || pyb_is_adopted(person->op))
        return OUTSIDE;
    return report->chains.root[number] == PYB_CHAIN_OUTSIDE ? HELD : CYCLE;
}

static int
is_leaked(const struct report *report, size_t number)
{
    return !report->lasting.is[number];
}

/* ------------------------------------------------------------------ */
/* What containers have                                                */

static int
note_plain(PyObject *op, void *arg)
{
    struct report *report = arg;

    if (!_Py_IsImmortal(op) && !PyType_Check(op) &&
        pyb_census_find(&report->census, op) == NULL &&
        !pyb_plain_has(&report->lasting.plain, op))
        pyb_plain_add(&report->plain, op);
    return 0;
}

/* What an object takes at least. */
static size_t
plain_size(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    size_t size = (size_t)type->tp_basicsize;

    if (PyUnicode_Check(op))
        return size + (size_t)PyUnicode_GET_LENGTH(op);
    if (type->tp_itemsize > 0 && !PyLong_Check(op) && Py_SIZE(op) > 0)
        size += (size_t)(Py_SIZE(op) * type->tp_itemsize);
    return size;
}

static void
note_lost(PyObject *op, void *arg)
{
    struct report *report = arg;

    if (!_Py_IsImmortal(op) && !pyb_plain_has(&report->lasting.plain, op) &&
        !pyb_plain_has(&report->plain, op))
        pyb_plain_add(&report->lost, op);
}

static void
count_plain(struct report *report, struct pyb_plain *plain, enum how how)
{
    for (size_t i = 0; i < plain->n; i++)
        count(report, plain->all[i], plain_size(plain->all[i]), how);
}

static void
count_all(struct report *report)
{
    pyb_origins_begin(&report->origins);
    for (size_t i = 0; i < report->census.n; i++) {
        PyObject *op = report->census.people[i].op;

        if (!is_leaked(report, i))
            continue;
        count(report, op, pyb_heap_block_size(op), how_kept(report, i));
        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, note_plain, report);
    }
    pyb_plain_sort(&report->plain);
    pyb_trace_plain(note_lost, report);
    pyb_plain_sort(&report->lost);
    count_plain(report, &report->plain, HELD);
    count_plain(report, &report->lost, UNKNOWN);
}

/* ------------------------------------------------------------------ */
/* In words                                                            */

static int
compare(const void *one, const void *other)
{
    const struct row *a = one, *b = other;

    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return strcmp(a->type->tp_name, b->type->tp_name);
}

static void
print_row(const struct row *row, const char *name, FILE *file)
{
    fprintf(file, "%9zu %11zu", row->n, row->bytes);
    for (size_t how = 0; how < HOWS; how++)
        fprintf(file, " %9zu", row->kept[how]);
    fprintf(file, "  %s\n", name);
}

static void
print_rows(struct report *report, FILE *file)
{
    qsort(report->rows, report->n_rows, sizeof *report->rows, compare);
    fputs("  objects       bytes   outside    others    cycles   unknown  "
          "type\n",
          file);
    for (size_t i = 0; i < report->n_rows; i++)
        print_row(&report->rows[i], report->rows[i].type->tp_name, file);
    print_row(&report->total, "total", file);
}

/* Objects that are held from outside come first: the others go with them. */
static void
print_roots(const struct report *report, uintptr_t ground, FILE *file)
{
    size_t shown = 0;

    for (size_t i = 0; i < report->census.n; i++) {
        PyObject *op = report->census.people[i].op;

        if (!is_leaked(report, i) || how_kept(report, i) != OUTSIDE)
            continue;
        if (shown++ >= ROOTS)
            break;
        pyb_why_tell(&report->census, op, ground, file);
    }
    if (report->total.kept[OUTSIDE] > ROOTS)
        fprintf(file, "and %zu more are held from outside\n",
                report->total.kept[OUTSIDE] - ROOTS);
}

static void
print_report(struct report *report, uintptr_t ground, FILE *file)
{
    count_all(report);
    leaks.found |= report->total.n > 0;
    if (report->total.n == 0) {
        free(report->origins.all);
        fputs("pyboehm: no leaks\n", file);
        return;
    }
    fputs("pyboehm: leaks: objects alive after Py_Finalize, and who holds"
          " them\n",
          file);
    print_rows(report, file);
    if (report->no_memory || report->plain.no_memory || report->lost.no_memory)
        fputs("there was no memory for all of them\n", file);
    print_roots(report, ground, file);
    pyb_origins_print(&report->origins, file);
}

/* ------------------------------------------------------------------ */

/* Not exit: it is called by that. */
static void
leave(void)
{
    if (leaks.wish == FAIL && leaks.found) {
        fflush(NULL);
        _exit(EXIT_STATUS);
    }
}

void
pyb_leaks_begun(void)
{
    const char *wish = pyb_environment("PYBOEHM_LEAKS");

    leaks.wish = wish == NULL || strcmp(wish, "0") == 0 ? OFF
                 : strcmp(wish, "error") == 0           ? FAIL
                                                        : SAY;
    if (leaks.wish == FAIL && !leaks.at_exit)
        leaks.at_exit = atexit(leave) == 0;
    if (leaks.wish != OFF)
        pyb_trace_begin();
}

/* Reports on the census that is taken; sets MemoryError. */
static void
look(struct report *report, uintptr_t ground)
{
    if (pyb_lasting_take(&report->lasting, &report->census) < 0)
        return;
    if (pyb_chains_take(&report->chains, &report->census, NULL) == 0) {
        print_report(report, ground, stderr);
        pyb_chains_end(&report->chains);
    }
    pyb_lasting_end(&report->lasting);
    pyb_plain_end(&report->plain);
    pyb_plain_end(&report->lost);
    free(report->rows);
}

void
pyb_leaks_finalized(void)
{
    struct report report = {.n_rows = 0};

    if (leaks.wish == OFF)
        return;
    if (pyb_census_take(&report.census) == 0) {
        look(&report, (uintptr_t)__builtin_frame_address(0));
        pyb_census_end(&report.census);
    }
    pyb_trace_end();
    if (PyErr_Occurred() != NULL)
        PyErr_FormatUnraisable("Exception ignored in PYBOEHM_LEAKS");
}
