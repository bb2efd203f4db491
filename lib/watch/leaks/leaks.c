/* leaks.c: objects that are alive after Py_Finalize.  See leaks.h. */

#include "Python.h"
#include "pyboehm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gc/adoption.h"
#include "gc/base/bold.h"
#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "gc/heap/heap.h"
#include "object/attr/descr.h"
#include "object/error/errors.h"
#include "object/module/module.h"
#include "watch/leaks/leaks.h"
#include "watch/leaks/origins.h"
#include "watch/leaks/trace.h"
#include "watch/log/leaving.h"
#include "watch/rows.h"
#include "watch/why/chains.h"
#include "watch/why/own.h"
#include "watch/why/size.h"
#include "watch/why/why.h"

enum {
    ROOTS = 5,      /* so many explanations are printed, */
    LOOKED = 50,    /* and roots looked at: each takes a search of memory */
    EXIT_STATUS = 3 /* of a process that leaks, if leaks are errors */
};

static struct {
    enum pyb_switch wish;
    int at_exit; /* at_exit is registered with atexit */
    int found;
    pid_t due; /* of the process that is to report; 0: none is */
} leaks;

/* How an object is kept: by references from outside, by other leaks, by its
   own cycle only, or by references that are not known. */
enum how { OUTSIDE, HELD, CYCLE, UNKNOWN, HOWS };

/* When: FINALIZED is when Py_Finalize has let go of what it can. */
enum when { NOW, AT_EXIT, FINALIZED };

/* All leaked objects of one type. */
struct row {
    uintptr_t hidden; /* the complement of the type's address: a search of all
                         memory for what holds the type is not to find it */
    size_t n, bytes;
    size_t kept[HOWS]; /* the number of objects kept in each way */
};

struct report {
    struct pyb_census census;
    struct pyb_permanent own; /* no leaks: what is permanent, and before
                                 Py_Finalize all that is pyboehm's own */
    struct pyb_chains chains;
    struct pyb_objectset plain; /* plain objects of leaked containers */
    struct pyb_objectset lost;  /* other plain objects, if allocations were
                               recorded */
    struct pyb_origins origins;
    struct row *rows, total;
    size_t adopted; /* that nothing but Boehm keeps */
    enum when when;
    size_t n_rows, room;
    int unvisited; /* a container does not visit what it may own */
    int no_memory;
};

/* ------------------------------------------------------------------ */
/* Counting by type                                                    */

static PyTypeObject *
type_of(const struct row *row)
{
    PYB_ASSERT(row->hidden != 0);
    return (PyTypeObject *)~row->hidden;
}

static struct row *
row_of(struct report *report, PyTypeObject *type)
{
    static struct row none; /* used without memory; its counts are dropped */
    struct row *more;

    for (size_t i = 0; i < report->n_rows; i++)
        if (type_of(&report->rows[i]) == type)
            return &report->rows[i];
    more = pyb_rows_grow(report->rows, report->n_rows, &report->room,
                         sizeof *more);
    if (more == NULL) {
        report->no_memory = 1;
        return &none;
    }
    report->rows = more;
    more[report->n_rows] = (struct row){.hidden = ~(uintptr_t)type};
    return &more[report->n_rows++];
}

static void
count_row(struct row *row, size_t bytes, enum how how)
{
    PYB_ASSERT((unsigned)how < HOWS);
    row->n++;
    row->bytes += bytes;
    row->kept[how]++;
}

static void
count(struct report *report, PyObject *op, size_t bytes, enum how how)
{
    count_row(row_of(report, Py_TYPE(op)), bytes, how);
    count_row(&report->total, bytes, how);
    pyb_origins_count(&report->origins, op, bytes, how == HELD);
}

/* Has it no reference from outside but the one that Boehm owns? */
static int
is_boehms(const struct pyb_node *node)
{
    return pyb_is_adopted(node->op) && node->left <= 0;
}

static enum how
how_kept(const struct report *report, size_t number)
{
    const struct pyb_node *node = &report->census.nodes[number];

    if (node->left > 0 || pyb_is_adopted(node->op))
        return OUTSIDE;
    return report->chains.root[number] == PYB_CHAIN_OUTSIDE ? HELD : CYCLE;
}

static int
is_leaked(const struct report *report, size_t number)
{
    PYB_ASSERT(number < report->census.n);
    return !report->own.is[number];
}

/* ------------------------------------------------------------------ */
/* Objects of containers                                               */

static int
note_plain(PyObject *op, void *arg)
{
    struct report *report = arg;

    if (!_Py_IsImmortal(op) && !PyType_Check(op) &&
        pyb_census_find(&report->census, op) == NULL &&
        !pyb_objectset_has(&report->own.plain, op))
        pyb_objectset_add(&report->plain, op);
    return 0;
}

static void
note_name(PyObject *name, struct report *report)
{
    if (name != NULL)
        (void)note_plain(name, report);
}

/* Types, modules and methods do not visit their names, which one that is being
   made may lack. */
static void
note_names(PyObject *op, struct report *report)
{
    if (PyType_Check(op) &&
        PyType_HasFeature((PyTypeObject *)op, Py_TPFLAGS_HEAPTYPE)) {
        note_name(((PyHeapTypeObject *)op)->ht_name, report);
        note_name(((PyHeapTypeObject *)op)->ht_qualname, report);
    } else if (PyModule_Check(op)) {
        note_name(PYB_MODULE(op)->name, report);
    } else if (Py_TYPE(op)->tp_dealloc == pyb_descr_dealloc) {
        note_name(PyDescr_NAME(op), report);
        note_name(((PyDescrObject *)op)->d_qualname, report);
    }
}

static void
note_lost(PyObject *op, void *arg)
{
    struct report *report = arg;

    if (!_Py_IsImmortal(op) && !pyb_objectset_has(&report->own.plain, op) &&
        !pyb_objectset_has(&report->plain, op))
        pyb_objectset_add(&report->lost, op);
}

static void
count_plain(struct report *report, struct pyb_objectset *plain, enum how how)
{
    for (size_t i = 0; i < plain->n; i++)
        count(report, plain->all[i], pyb_size_plain(plain->all[i]), how);
}

static void
count_all(struct report *report)
{
    pyb_origins_begin(&report->origins);
    for (size_t i = 0; i < report->census.n; i++) {
        PyObject *op = report->census.nodes[i].op;

        if (!is_leaked(report, i))
            continue;
        report->adopted += is_boehms(&report->census.nodes[i]);
        count(report, op, pyb_heap_block_size(op), how_kept(report, i));
        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, note_plain, report);
        note_names(op, report);
    }
    pyb_objectset_sort(&report->plain);
    pyb_trace_plain(note_lost, report);
    pyb_objectset_sort(&report->lost);
    PYB_EXPENSIVE(pyb_objectset_check(&report->plain));
    PYB_EXPENSIVE(pyb_objectset_check(&report->lost));
    count_plain(report, &report->plain, HELD);
    count_plain(report, &report->lost, UNKNOWN);
}

/* ------------------------------------------------------------------ */
/* The report                                                          */

static int
compare(const void *one, const void *other)
{
    const struct row *a = one, *b = other;

    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return strcmp(type_of(a)->tp_name, type_of(b)->tp_name);
}

static void
print_row(const struct row *row, const char *name, FILE *file)
{
    fprintf(file, "%9zu %11zu", row->n, row->bytes);
    for (size_t how = 0; how < HOWS; how++)
        fprintf(file, " %9zu", row->kept[how]);
    fprintf(file, "  %s\n", name);
}

/* Do the rows add up to the total, and has each type one? */
static int
check_rows(const struct report *report)
{
    size_t n = 0, bytes = 0;

    for (size_t i = 0; i < report->n_rows; i++) {
        const struct row *row = &report->rows[i];

        PYB_ASSERT(row->n > 0);
        for (size_t j = 0; j < i; j++)
            PYB_ASSERT(row->hidden != report->rows[j].hidden);
        PYB_ASSERT(row->n == row->kept[OUTSIDE] + row->kept[HELD] +
                                 row->kept[CYCLE] + row->kept[UNKNOWN]);
        n += row->n;
        bytes += row->bytes;
    }
    PYB_ASSERT(report->no_memory ||
               (n == report->total.n && bytes == report->total.bytes));
    return 1;
}

static void
print_rows(struct report *report, FILE *file)
{
    PYB_EXPENSIVE(check_rows(report));
    qsort(report->rows, report->n_rows, sizeof *report->rows, compare);
    fputs("  objects       bytes   outside    others    cycles   unknown  "
          "type\n",
          file);
    for (size_t i = 0; i < report->n_rows; i++)
        print_row(&report->rows[i], type_of(&report->rows[i])->tp_name, file);
    print_row(&report->total, "total", file);
}

/* What is said of objects that are held from outside. */
struct roots {
    uintptr_t ground; /* see pyb_why_tell */
    struct said {
        char *text;
        size_t n; /* of how many, but for addresses */
    } said[ROOTS];
    size_t n, looked;
};

static const char *
skip_address(const char *text)
{
    for (text += 2; isxdigit((unsigned char)*text); text++)
        ;
    return text;
}

static int
is_same(const char *one, const char *other)
{
    while (*one != '\0' && *one == *other) {
        int address = strncmp(one, "0x", 2) == 0 && other[1] == 'x';

        one = address ? skip_address(one) : one + 1;
        other = address ? skip_address(other) : other + 1;
    }
    return *one == *other;
}

/* NULL without memory. */
static char *
explain(const struct report *report, PyObject *op, uintptr_t ground)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);

    if (memory == NULL)
        return NULL;
    pyb_why_tell(&report->census, op, ground, memory);
    pyb_trace_print_made(op, memory);
    return fclose(memory) == 0 ? text : NULL;
}

/* Counts a text that was said before; else keeps it. */
static void
enter_said(struct roots *roots, char *text)
{
    size_t i = 0;

    PYB_ASSERT(roots->n < ROOTS);
    while (i < roots->n && !is_same(roots->said[i].text, text))
        i++;
    if (i < roots->n)
        free(text);
    else
        roots->said[roots->n++].text = text;
    roots->said[i].n++;
}

static void
print_said(struct said *said, FILE *file)
{
    fputs(said->text, file);
    if (said->n > 1)
        fprintf(file, "  the same of %zu more\n", said->n - 1);
    free(said->text);
}

/* Explains the objects that are held from outside, those that Boehm keeps or
   the others. */
static void
explain_roots(struct report *report, int boehms, struct roots *roots)
{
    for (size_t i = 0;
         i < report->census.n && roots->n < ROOTS && roots->looked < LOOKED;
         i++) {
        const struct pyb_node *node = &report->census.nodes[i];
        char *text;

        if (!is_leaked(report, i) || how_kept(report, i) != OUTSIDE ||
            is_boehms(node) != boehms)
            continue;
        roots->looked++;
        text = explain(report, node->op, roots->ground);
        if (text == NULL)
            continue;
        report->unvisited |= strstr(text, ", which ") != NULL;
        enter_said(roots, text);
    }
}

/* Prints objects that are held from outside: the others depend on them.  What
   Boehm keeps is no error, and comes last. */
static void
print_roots(struct report *report, uintptr_t ground, FILE *file)
{
    struct roots roots = {.ground = ground};
    size_t outside = report->total.kept[OUTSIDE];

    explain_roots(report, 0, &roots);
    explain_roots(report, 1, &roots);
    for (size_t i = 0; i < roots.n; i++)
        print_said(&roots.said[i], file);
    PYB_ASSERT(roots.looked <= outside); /* they were counted */
    if (outside > roots.looked)
        fprintf(file, "and %zu more are held from outside\n",
                outside - roots.looked);
}

/* The commands to be typed next. */
static void
print_advice(const struct report *report, FILE *file)
{
    if (!pyb_trace_is_on() && pyb_trace_is_possible())
        fputs("PYBOEHM_LEAKS=1 PYBOEHM_TRACE=8 ./program says where they were "
              "made, and counts others that no container has\n",
              file);
    if (report->unvisited)
        fputs("PYBOEHM_AUDIT=1 ./program names the types that leave out what "
              "their objects own\n",
              file);
}

/* Objects that Boehm keeps, and what hangs on them, are no error: it sees a
   pointer to them, or has not looked since there was one. */
static int
is_error(const struct report *report)
{
    const size_t *kept = report->total.kept;

    PYB_ASSERT(kept[OUTSIDE] >= report->adopted);
    return report->when == FINALIZED &&
           kept[OUTSIDE] - report->adopted + kept[CYCLE] + kept[UNKNOWN] > 0;
}

/* Plain objects that no container has are known only where allocations are
   recorded. */
static void
print_none(const struct report *report, FILE *file)
{
    fputs(report->when != FINALIZED
              ? "pyboehm: no containers are alive but pyboehm's own\n"
          : pyb_trace_is_on() ? "pyboehm: no leaks\n"
                              : "pyboehm: no leaked containers\n",
          file);
    if (!pyb_trace_is_on())
        fprintf(file,
                "  strings, numbers and others that no container has are not "
                "counted%s\n",
                pyb_trace_is_possible()
                    ? "; to count them:\n"
                      "  PYBOEHM_LEAKS=1 PYBOEHM_TRACE=8 ./program"
                    : "");
}

static const char *const titles[] = {
    [NOW] = "pyboehm: objects alive now, and what holds them",
    [AT_EXIT] = "pyboehm: objects alive at exit, where Py_Finalize was not "
                "called, and what holds them",
    [FINALIZED] = "pyboehm: leaks: objects alive after Py_Finalize, and what "
                  "holds them",
};

static void
print_report(struct report *report, uintptr_t ground, FILE *file)
{
    if (report->total.n == 0) {
        print_none(report, file);
        return;
    }
    fprintf(file, "%s%s%s\n", pyb_bold(file), titles[report->when],
            pyb_regular(file));
    print_rows(report, file);
    if (report->total.kept[CYCLE] > 0)
        fputs("PYBOEHM_AUDIT=1 ./program says why cycles are not collected\n",
              file);
    if (report->no_memory || report->plain.no_memory || report->lost.no_memory)
        fputs("out of memory: some objects are left out\n", file);
    print_roots(report, ground, file);
    pyb_origins_print(&report->origins, file);
    print_advice(report, file);
}

/* ------------------------------------------------------------------ */

static int
take_own(struct report *report)
{
    return report->when == FINALIZED
               ? pyb_permanent_take(&report->own, &report->census)
               : pyb_own_take(&report->own, &report->census);
}

/* Reports on the census.  0, or -1 with MemoryError. */
static int
look(struct report *report, uintptr_t ground, FILE *file)
{
    PYB_ASSERT(report->when != FINALIZED || Py_IsFinalizing());
    if (take_own(report) < 0)
        return -1;
    int result = pyb_chains_take(&report->chains, &report->census, NULL);

    if (result == 0) {
        count_all(report);
        if (file != NULL)
            print_report(report, ground, file);
        free(report->origins.all);
        pyb_chains_end(&report->chains);
    }
    pyb_permanent_end(&report->own);
    pyb_objectset_end(&report->plain);
    pyb_objectset_end(&report->lost);
    free(report->rows);
    return result;
}

/* The caller's registers are on the stack, if they matter.  0, or -1 with
   MemoryError. */
__attribute__((noinline)) static int
take(struct report *report, FILE *file)
{
    int result;

    if (pyb_census_take(&report->census) < 0)
        return -1;
    result = look(report, (uintptr_t)__builtin_frame_address(0), file);
    pyb_census_end(&report->census);
    return result;
}

Py_ssize_t
PyBoehm_WriteLeaks(FILE *file)
{
    struct report report = {.when = NOW};

    pyb_control_require(__func__);
    if (pyb_collect_is_under_way())
        return pyb_fail(PyExc_RuntimeError, "a collection is under way");
    __builtin_unwind_init();
    if (take(&report, file) < 0)
        return -1;
    if (file != NULL && (fflush(file) != 0 || ferror(file))) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return (Py_ssize_t)report.total.n;
}

/* ------------------------------------------------------------------ */
/* PYBOEHM_LEAKS                                                       */

static void
report_leaks(enum when when)
{
    struct report report = {.when = when};

    leaks.due = 0;
    if (take(&report, stderr) == 0)
        leaks.found |= is_error(&report);
    if (PyErr_Occurred() != NULL)
        PyErr_FormatUnraisable("Exception ignored in PYBOEHM_LEAKS");
}

static void
report_alive(void)
{
    __builtin_unwind_init();
    report_leaks(AT_EXIT);
}

/* Reports if the process ends without Py_Finalize.  Uses _exit, since exit
   calls this function. */
static void
at_exit(void)
{
    pyb_leaving("PYBOEHM_LEAKS", leaks.due, report_alive);
    if (leaks.wish == PYB_ERROR && leaks.found) {
        fflush(NULL);
        _exit(EXIT_STATUS);
    }
}

void
pyb_leaks_begin(void)
{
    leaks.wish = pyb_environment_switch("PYBOEHM_LEAKS");
    leaks.due = leaks.wish != PYB_OFF ? getpid() : 0;
    if (leaks.wish != PYB_OFF && !leaks.at_exit)
        leaks.at_exit = atexit(at_exit) == 0;
}

void
pyb_leaks_end(void)
{
    if (leaks.wish != PYB_OFF)
        report_leaks(FINALIZED);
}
