/* progress.c: how far long work is, on a terminal.  See progress.h. */

#include "Python.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "watch/log/progress.h"

static struct {
    const char *name; /* NULL: nothing is to be shown */
    int from, to;     /* percentages */
    double begun, shown;
} progress;

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void
pyb_progress_begin(const char *name)
{
    progress.name = isatty(STDERR_FILENO) ? name : NULL;
    progress.from = progress.to = 0;
    progress.begun = progress.name != NULL ? now() : 0;
    progress.shown = 0;
}

void
pyb_progress_part(int from, int to)
{
    PYB_ASSERT(0 <= from && from <= to && to <= 100);
    progress.from = from;
    progress.to = to;
    pyb_progress_slowly(0, 1);
}

void
pyb_progress_slowly(size_t i, size_t n)
{
    double done, time;

    PYB_ASSERT(i <= n || n == 0);
    if (progress.name == NULL || n == 0)
        return;
    time = now();
    done = progress.from +
           (progress.to - progress.from) * ((double)i / (double)n);
    if (time - progress.begun < 1 || time - progress.shown < 0.2 || done < 1)
        return;
    progress.shown = time;
    fprintf(stderr, "\r%s: %d %%, about %d s more  ", progress.name, (int)done,
            (int)((time - progress.begun) * (100 - done) / done + 0.5));
    fflush(stderr);
}

void
pyb_progress_end(void)
{
    if (progress.name != NULL && progress.shown > 0)
        fprintf(stderr, "\r%*s\r", (int)strlen(progress.name) + 32, "");
    progress.name = NULL;
}
