/* host.c: the kind of Boehm host that a test program plays; see host.h. */

#define GC_THREADS /* GC_get_parallel */

#include "host.h"

#include "suite.h"

#include <gc/gc.h>
#include <gc/gc_mark.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ */
/* Modes, and what only such a host sees                               */

static void
no_interior_pointers(void)
{
    GC_set_all_interior_pointers(0);
}

static int
has_no_interior_pointers(void)
{
    return GC_get_all_interior_pointers() == 0;
}

static void
no_data_segments(void)
{
    GC_set_no_dls(1);
}

static int
has_no_data_segments(void)
{
    return GC_get_no_dls();
}

enum { MARKERS = 4 };

static void
four_markers(void)
{
    setenv("GC_MARKERS", "4", 1);
}

/* They would begin with the first thread only. */
static void
start_markers(void)
{
    GC_start_mark_threads();
}

/* Boehm counts the helpers. */
static int
has_four_markers(void)
{
    return GC_get_parallel() == MARKERS - 1;
}

static int
is_incremental(void)
{
    return GC_is_incremental_mode();
}

static void
on_demand(void)
{
    GC_set_finalize_on_demand(1);
}

static int
is_on_demand(void)
{
    return GC_get_finalize_on_demand();
}

static void
no_java(void)
{
    GC_set_java_finalization(0);
}

static int
has_no_java(void)
{
    return GC_get_java_finalization() == 0;
}

static void
find_leaks(void)
{
    GC_set_find_leak(1);
}

static int
finds_leaks(void)
{
    return GC_get_find_leak();
}

/* Does Boehm collect when it is asked to? */
static int
collects(void)
{
    GC_word before = GC_get_gc_no();

    GC_gcollect();
    return GC_get_gc_no() > before;
}

static int
never_collects(void)
{
    return GC_is_disabled() && !collects();
}

enum { LIMIT = 64 << 20 };

/* That it cannot have more Boehm would tell each time. */
static void
limited(void)
{
    GC_set_max_heap_size(LIMIT);
    GC_set_warn_proc(GC_ignore_warn_proc);
}

static int
is_limited(void)
{
    return GC_MALLOC_ATOMIC(LIMIT) == NULL;
}

long host_collecting;

/* The library asks hosts/collecting.c at each allocation then, and no
   automatic collection comes of it. */
static void
collect_at_allocations(void)
{
    setenv("PYBOEHM_STRESS", "1000000000", 1);
}

/* Those that free lists serve are allocations, too. */
static int
collects_at_allocations(void)
{
    host_collecting = 2000;
    for (int i = 0; i < 3; i++) {
        GC_word before = GC_get_gc_no();

        Py_XDECREF(PyList_New(0));
        if (GC_get_gc_no() == before)
            return 0;
    }
    return 1;
}

static pid_t parent;

static void
may_fork(void)
{
    GC_set_handle_fork(1);
    parent = getpid();
}

/* The test goes on in a child; this process collects, too, and ends as that
   does. */
static void
forked(void)
{
    pid_t child = fork();
    int status = 0;

    ck_assert_int_ge(child, 0);
    if (child == 0)
        return;
    PyGC_Collect();
    GC_gcollect();
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

static int
is_forked_and_collects(void)
{
    return getppid() == parent && collects();
}

/* Hooks that come after the library's. */
static GC_push_other_roots_proc default_push, next_push;
static GC_on_collection_event_proc next_event;

static void
note_default(void)
{
    default_push = GC_get_push_other_roots();
}

static void GC_CALLBACK
push(void)
{
    next_push();
}

static void GC_CALLBACK
note_event(GC_EventType event)
{
    if (next_event != NULL)
        next_event(event);
}

static void
set_hooks(void)
{
    GC_set_push_other_roots(push);
    GC_set_on_collection_event(note_event);
}

static void
hook_politely(void)
{
    next_push = GC_get_push_other_roots();
    next_event = GC_get_on_collection_event();
    set_hooks();
}

/* The hook that stood there is not called, and the message about that is
   dropped. */
static void
hook_rudely(void)
{
    next_push = default_push;
    GC_set_warn_proc(GC_ignore_warn_proc);
    set_hooks();
}

static int
has_hooks(void)
{
    return GC_get_push_other_roots() == push;
}

/* ------------------------------------------------------------------ */

/* What a host does before GC_INIT, after it, and when the library is there;
   and whether it is such a host then. */
static const struct mode {
    const char *name;
    void (*before)(void), (*after)(void), (*last)(void);
    int (*holds)(void);
} modes[] = {
    {"no-interior-pointers", no_interior_pointers, NULL, NULL,
     has_no_interior_pointers},
    {"no-data-segments", no_data_segments, GC_clear_roots, NULL,
     has_no_data_segments},
    {"no-java-finalization", no_java, NULL, NULL, has_no_java},
    {"finding-leaks", find_leaks, NULL, NULL, finds_leaks},
    {"polite", NULL, note_default, hook_politely, has_hooks},
    {"rude", NULL, note_default, hook_rudely, has_hooks},
    {"four-markers", four_markers, start_markers, NULL, has_four_markers},
    {"incremental", NULL, GC_enable_incremental, NULL, is_incremental},
    {"finalizers-on-demand", NULL, on_demand, NULL, is_on_demand},
    {"no-collections", NULL, GC_disable, NULL, never_collects},
    {"limited", limited, NULL, NULL, is_limited},
    {"collecting", NULL, collect_at_allocations, NULL,
     collects_at_allocations},
    {"forked", may_fork, NULL, forked, is_forked_and_collects},
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

/* hosts.sh counts the line. */
void
host_initialized(void)
{
    const struct mode *mode = wanted();

    if (mode == NULL)
        return;
    if (mode->last != NULL)
        mode->last();
    host_check();
    fprintf(stderr, "\nhost: %s\n", mode->name);
}

void
host_check(void)
{
    const struct mode *mode = wanted();

    if (mode != NULL && !mode->holds())
        ck_abort_msg("this is no host of the kind %s", mode->name);
}

/* ------------------------------------------------------------------ */
/* Questions to Boehm                                                  */

int
host_unmaps(void)
{
    ck_assert_int_ne(GC_expand_hp(4 << 20), 0);
    for (int i = 0; i < 3; i++) /* what is new has to age */
        GC_gcollect_and_unmap();
    return suite_is_there(GC_get_unmapped_bytes() > 0,
                          "Boehm collector that unmaps memory");
}
