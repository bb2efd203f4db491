/* reportdata.c: the data of a report, in JSON.  See heapreport.h.

   doc/report.md describes the fields.  Rows are arrays, since there are many
   of them. */

#include "Python.h"

#include <time.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "gc/stats.h"
#include "object/module/module.h"
#include "watch/graph/graph.h"
#include "watch/leaks/trace.h"
#include "watch/memory/srclines.h"
#include "watch/report/heapreport.h"

enum { SITES = 200 };

static void
write_string(FILE *file, const char *text)
{
    putc('"', file);
    pyb_graph_escape(file, PYB_GRAPH_SCRIPT, text);
    putc('"', file);
}

/* ------------------------------------------------------------------ */
/* Head and sums                                                       */

static void
write_program(FILE *file)
{
    char path[1024];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *name;

    path[Py_MAX(n, 0)] = '\0';
    name = strrchr(path, '/');
    write_string(file, name != NULL ? name + 1 : "program");
}

static void
write_head(const struct pyb_report *report, FILE *file)
{
    const struct pyb_snapshot *snapshot = &report->snapshot;
    PyBoehm_Stats stats = pyb_stats_get();
    size_t bytes = 0;

    for (size_t i = 0; i < snapshot->n; i++)
        bytes += snapshot->bytes[i];
    fputs("{\"pyboehm_report\": 1,\n\"program\": ", file);
    write_program(file);
    fprintf(file,
            ", \"pid\": %ld, \"time\": %lld, \"elapsed\": %.3f,\n"
            "\"objects\": %zu, \"containers\": %zu, \"references\": %zu, "
            "\"bytes\": %zu, \"boehm\": %zu",
            (long)getpid(), (long long)time(NULL), stats.elapsed, snapshot->n,
            snapshot->census.n, snapshot->flow.first[snapshot->n], bytes,
            stats.boehm.heap_bytes);
}

static void
write_type(const struct pyb_report *report, size_t i, FILE *file)
{
    const struct pyb_retained_row *row = &report->retained.rows[2 * i];

    fprintf(file, "%s\n[", i > 0 ? "," : "");
    write_string(file, pyb_snapshot_type(&report->snapshot, i)->tp_name);
    for (int own = 0; own < 2; own++, row++)
        fprintf(file, ",%zu,%zu,%zu,%zu,%zu,%zu", row->n, row->bytes,
                row->retained, row->outside, row->garbage, row->adopted);
    putc(']', file);
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

/* Writes a few words on an object beside its type. */
static void
write_value(PyObject *op, FILE *file)
{
    char text[PYB_GRAPH_VALUE] = "";
    Py_ssize_t n = PyAnyDict_Check(op)  ? PyDict_GET_SIZE(op)
                   : PyAnySet_Check(op) ? PySet_GET_SIZE(op)
                   : PyList_Check(op) || PyTuple_Check(op) ? Py_SIZE(op)
                                                           : -1;

    if (n >= 0)
        snprintf(text, sizeof text, "%zd item%s", n, n == 1 ? "" : "s");
    else if (PyModule_Check(op) && PYB_MODULE(op)->name != NULL)
        pyb_graph_value(PYB_MODULE(op)->name, text);
    else if (PyType_Check(op) || !PyObject_IS_GC(op))
        pyb_graph_value(op, text);
    write_string(file, text);
}

/* An owner that is not listed is told by its type and address. */
static void
write_owner(const struct pyb_report *report,
            const struct pyb_listed_owner *owner, FILE *file)
{
    const struct pyb_snapshot *snapshot = &report->snapshot;
    size_t i = owner->owner - 1;

    PYB_ASSERT(owner->owner > 0 && i < snapshot->n);
    if (report->listed.place[i] != 0)
        fprintf(file, "[%u,", report->listed.place[i] - 1);
    else
        fprintf(file, "[-1,");
    write_string(file, owner->name);
    if (report->listed.place[i] == 0)
        fprintf(file, ",%u,\"%p\"", snapshot->type[i],
                (void *)pyb_snapshot_object(snapshot, i));
    putc(']', file);
}

static void
write_owners(const struct pyb_report *report, size_t place, FILE *file)
{
    const struct pyb_listed_owner *owners =
        &report->listed.owners[place * PYB_LISTED_OWNERS];

    putc('[', file);
    for (size_t i = 0; i < PYB_LISTED_OWNERS && owners[i].owner != 0; i++) {
        if (i > 0)
            putc(',', file);
        write_owner(report, &owners[i], file);
    }
    putc(']', file);
}

/* The references that no container answers for. */
static Py_ssize_t
outside_of(const struct pyb_snapshot *snapshot, size_t i, PyObject *op)
{
    if (i < snapshot->census.n)
        return snapshot->census.nodes[i].left;
    return op->ob_refcnt - (Py_ssize_t)(snapshot->flow.turned[i + 1] -
                                        snapshot->flow.turned[i]);
}

/* The place in the list of what keeps an object. */
static ptrdiff_t
keeper_of(const struct pyb_report *report, size_t i)
{
    uint32_t keeper = report->retained.dominators.parent[i];

    if (keeper == 0)
        return -1; /* no object does */
    PYB_ASSERT(keeper <= report->snapshot.n);
    keeper = report->listed.place[keeper - 1];
    return keeper == 0 ? -2 : (ptrdiff_t)keeper - 1; /* -2: not listed */
}

static void
write_object(const struct pyb_report *report, size_t place, FILE *file)
{
    const struct pyb_snapshot *snapshot = &report->snapshot;
    size_t i = report->listed.objects[place];
    PyObject *op = pyb_snapshot_object(snapshot, i);

    fprintf(file, "%s\n[\"%p\",%u,%zu,%zu,%zd,%zd,%u,%td,%zu,",
            place > 0 ? "," : "", (void *)op, snapshot->type[i],
            snapshot->bytes[i], report->retained.bytes[i],
            i < snapshot->census.n ? pyb_graph_references(op) : op->ob_refcnt,
            outside_of(snapshot, i, op), snapshot->state[i],
            keeper_of(report, i),
            snapshot->flow.turned[i + 1] - snapshot->flow.turned[i]);
    write_value(op, file);
    putc(',', file);
    write_owners(report, place, file);
    putc(']', file);
}

/* ------------------------------------------------------------------ */
/* Allocation sites                                                    */

struct frames {
    FILE *file;
    int n;
};

static void
write_frame(const char *name, void *arg)
{
    struct frames *frames = arg;

    if (frames->n++ > 0)
        putc(',', frames->file);
    write_string(frames->file, name);
}

static void
write_site(const struct pyb_origin *origin, int i, FILE *file)
{
    struct frames frames = {file, 0};

    fprintf(file, "%s\n[%zu,%zu,[", i > 0 ? "," : "", origin->bytes,
            origin->n);
    if (origin->chain != 0)
        pyb_trace_each(origin->chain, write_frame, &frames);
    fputs("]]", file);
}

/* The first ones of those with the most bytes. */
static void
write_sites(struct pyb_report *report, FILE *file)
{
    struct pyb_origins *origins = &report->origins;
    size_t n = 0;

    pyb_origins_sort(origins);
    for (; n < origins->n && n < SITES && origins->all[n].n > 0; n++)
        write_site(&origins->all[n], (int)n, file);
    pyb_srclines_end();
    pyb_origins_end(origins);
}

void
pyb_report_write_data(struct pyb_report *report, FILE *file)
{
    write_head(report, file);
    fputs(",\n\"types\": [", file);
    for (size_t i = 0; i < report->snapshot.types.n; i++)
        write_type(report, i, file);
    fputs("],\n\"listed\": [", file);
    for (size_t i = 0; i < report->listed.n; i++)
        write_object(report, i, file);
    fputs("],\n\"sites\": [", file);
    write_sites(report, file);
    fputs("]}\n", file);
}
