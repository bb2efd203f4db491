/* folded.c: the bytes of living objects by the calls that allocated them, in
   the format that the tools for flame graphs read: a line for each chain of
   calls, its functions from the outermost to the innermost with ";" between
   them, and the bytes.  See heapreport.h. */

#include "Python.h"

#include "object/error/errors.h"
#include "watch/leaks/trace.h"
#include "watch/memory/srclines.h"
#include "watch/report/heapreport.h"

void
pyb_report_count_origins(const struct pyb_snapshot *snapshot,
                         struct pyb_origins *origins)
{
    pyb_origins_begin(origins);
    for (size_t i = 0; i < snapshot->n; i++) {
        PyObject *op = pyb_snapshot_object(snapshot, i);

        if ((snapshot->state[i] & PYB_THING_OWN) == 0 || pyb_trace_of(op) != 0)
            pyb_origins_count(origins, op, snapshot->bytes[i], 0);
    }
}

struct line {
    FILE *file;
    int n; /* functions written */
};

/* What ends a name, or the line, is replaced. */
static void
write_frame(const char *name, void *arg)
{
    struct line *line = arg;

    if (line->n++ > 0)
        putc(';', line->file);
    for (; *name != '\0'; name++)
        putc(*name == ';' ? ':' : *name == '\n' ? ' ' : *name, line->file);
}

static void
write_line(const struct pyb_origin *origin, FILE *file)
{
    struct line line = {file, 0};

    if (origin->chain == 0)
        write_frame("[not recorded]", &line);
    else
        pyb_trace_each(origin->chain, write_frame, &line);
    fprintf(file, " %zu\n", origin->bytes);
}

int
pyb_report_write_folded(FILE *file)
{
    struct pyb_snapshot snapshot;
    struct pyb_origins origins;

    if (pyb_trace_chains() == 0)
        return pyb_fail(PyExc_RuntimeError,
                        "no allocations were recorded: set PYBOEHM_TRACE");
    if (pyb_snapshot_take(&snapshot) < 0)
        return -1;
    pyb_report_count_origins(&snapshot, &origins);
    pyb_snapshot_end(&snapshot);
    if (origins.all == NULL)
        return PYB_MEMORY_ERROR(-1);
    pyb_origins_sort(&origins);
    for (size_t i = 0; i < origins.n && origins.all[i].n > 0; i++)
        write_line(&origins.all[i], file);
    pyb_srclines_end();
    pyb_origins_end(&origins);
    return 0;
}
