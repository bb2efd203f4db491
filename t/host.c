/* host.c: the kind of Boehm host that a test program plays; see host.h. */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "host.h"

#include "suite.h"

#include <dlfcn.h>
#include <gc/gc.h>
#include <gc/gc_inline.h>
#include <gc/gc_mark.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ */
/* Modes                                                               */

static void
no_interior_pointers(void)
{
    GC_set_all_interior_pointers(0);
}

static void
no_data_segments(void)
{
    GC_set_no_dls(1);
}

static void
four_markers(void)
{
    setenv("GC_MARKERS", "4", 1);
}

static void
may_fork(void)
{
    GC_set_handle_fork(1);
}

static void
incremental(void)
{
    GC_enable_incremental();
}

static void
on_demand(void)
{
    GC_set_finalize_on_demand(1);
}

static void
limited(void)
{
    GC_set_max_heap_size((size_t)512 << 20);
}

/* The test goes on in a child; this process collects, too, and ends as that
   does. */
static void
forked(void)
{
    pid_t child = fork();
    int status = 0;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        GC_gcollect();
        return;
    }
    PyGC_Collect();
    GC_gcollect();
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

/* ------------------------------------------------------------------ */
/* Collections at every allocation                                     */

static int collecting;

/* At each of the first allocations, and at some of the others. */
static void
collect_often(void)
{
    enum { ALL = 1000, SOME = 1000 };
    static unsigned long n;

    if (collecting && (++n < ALL || n % SOME == 0))
        GC_gcollect();
}

static void
collect_at_allocations(void)
{
    collecting = 1;
}

typedef void *(*generic_malloc)(size_t, int);
typedef void (*generic_malloc_many)(size_t, int, void **);

/* The library's calls come here first. */
__attribute__((visibility("default"))) void *
GC_generic_malloc(size_t size, int kind)
{
    static generic_malloc next;

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "GC_generic_malloc");
    collect_often();
    return next(size, kind);
}

/* One block at a time, where each is to be an allocation. */
__attribute__((visibility("default"))) void
GC_generic_malloc_many(size_t size, int kind, void **result)
{
    static generic_malloc_many next;

    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "GC_generic_malloc_many");
    if (collecting)
        *result = GC_generic_malloc(size, kind);
    else
        next(size, kind, result);
}

/* ------------------------------------------------------------------ */

/* What a host does before GC_INIT, after it, and when the library is there. */
static const struct mode {
    const char *name;
    void (*before)(void), (*after)(void), (*last)(void);
} modes[] = {
    {"no-interior-pointers", no_interior_pointers, NULL, NULL},
    {"no-data-segments", no_data_segments, NULL, NULL},
    {"four-markers", four_markers, NULL, NULL},
    {"incremental", NULL, incremental, NULL},
    {"finalizers-on-demand", NULL, on_demand, NULL},
    {"no-collections", NULL, GC_disable, NULL},
    {"limited", limited, NULL, NULL},
    {"collecting", NULL, collect_at_allocations, NULL},
    {"forked", may_fork, NULL, forked},
};

/* The mode that is asked for, or NULL. */
static const struct mode *
wanted(void)
{
    const char *name = getenv("PYBOEHM_TEST_HOST");

    if (name == NULL)
        return NULL;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(modes); i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    ck_abort_msg("PYBOEHM_TEST_HOST=%s", name);
}

void
host_prepare(void)
{
    const struct mode *mode = wanted();

    if (mode == NULL)
        return;
    if (mode->before != NULL)
        mode->before();
    GC_INIT();
    if (mode->after != NULL)
        mode->after();
}

void
host_initialized(void)
{
    const struct mode *mode = wanted();

    if (mode != NULL && mode->last != NULL)
        mode->last();
}
