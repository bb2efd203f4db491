/* gcsnapshot.c: full collections beside the program.  See gcsnapshot.h.

   Manual: clone(2), waitpid(2). */

#include "Python.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined __linux__ && defined _GNU_SOURCE
#define CAN_CLONE
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/check/validate.h"
#include "gc/control.h"
#include "gc/cycle.h"
#include "gc/gcsnapshot.h"
#include "gc/stats.h"
#include "gc/workers.h"

/* From how many objects on; below, a collection takes no longer than making a
   child. */
enum { FROM = 1 << 16 };

/* What the child hands back, in memory that both have. */
struct found {
    struct pyb_region *region; /* written by the parent */
    uint64_t dead[PYB_REGION_LINES];
};
struct result {
    AO_t done; /* the child's last word: all else has been written */
    size_t candidates, n_regions;
    struct found regions[];
};

/* The attached thread's. */
static struct {
    size_t from; /* 0: snapshots are off */
    enum pyb_gcsnapshot state;
    pid_t child;  /* not waited for yet; 0: there is none */
    pid_t parent; /* a child of fork has its parent's variables, not the child
                     that made this snapshot */
    struct result *result;
    size_t size; /* of the memory */
} snapshot;

void
pyb_gcsnapshot_init(void)
{
    const char *wish = pyb_environment("PYBOEHM_SNAPSHOTS");
    long n = wish != NULL ? strtol(wish, NULL, 10) : 0;

    PYB_ASSERT(snapshot.state == PYB_GCSNAPSHOT_NONE);
    snapshot.from = n == 1 ? FROM : n > 1 ? (size_t)n : 0;
}

int
pyb_gcsnapshot_wanted(size_t objects)
{
    return snapshot.from != 0 && objects >= snapshot.from;
}

/* ------------------------------------------------------------------ */
/* The result                                                          */

static void
forget_result(void)
{
    PYB_ASSERT(snapshot.state == PYB_GCSNAPSHOT_NONE ||
               snapshot.result != NULL);
    if (snapshot.result != NULL)
        munmap(snapshot.result, snapshot.size);
    snapshot.result = NULL;
    snapshot.state = PYB_GCSNAPSHOT_NONE;
}

/* Memory for a result, with all regions that there are.  0, or -1. */
static int
make_result(void)
{
    size_t n = 0;
    void *memory;

    PYB_ASSERT(snapshot.result == NULL);
    for (struct pyb_region *r = pyb_sidetable.first; r != NULL; r = r->next)
        n++;
    snapshot.size = sizeof(struct result) + n * sizeof(struct found);
    memory = mmap(NULL, snapshot.size, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    snapshot.result = memory;
    for (struct pyb_region *r = pyb_sidetable.first; r != NULL; r = r->next)
        snapshot.result->regions[snapshot.result->n_regions++].region = r;
    PYB_ASSERT(snapshot.result->n_regions == n);
    return 0;
}

/* ------------------------------------------------------------------ */
/* The child                                                           */

#ifdef CAN_CLONE
/* In the child the regions are those of the result, in their order. */
static void
look_for_dead(struct result *result)
{
    struct pyb_walk walk = pyb_walk_generation(PYB_OLD);
    struct found *found = result->regions;
    struct pyb_batch batch;

    result->candidates = pyb_cycle_deduce(walk, PYB_UNTRACK_NONE).candidates;
    while (pyb_walk_next(&walk, &batch)) {
        struct pyb_region *region = pyb_line_region(batch.line);
        uint64_t dead = pyb_cycle_take_dead(batch);

        for (; found->region != region; found++)
            PYB_ASSERT(found < result->regions + result->n_regions);
        if (dead != 0)
            *pyb_line_word(batch.line, found->dead) = dead;
    }
    AO_store_full(&result->done, 1);
}

/* Signals are blocked.  What else is the program's is not to be kept open by
   this process, nor written to if a tp_traverse is found wrong. */
_Py_NO_RETURN static void
be_child(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) { /* else it has ended before that */
#ifdef SYS_close_range
        syscall(SYS_close_range, 0u, ~0u, 0u);
#endif
        pyb_workers_alone();
        look_for_dead(snapshot.result);
    }
    for (;;)
        syscall(SYS_exit_group, 0);
}

/* As fork, but nothing of the program's hears of it: there are no handlers,
   and no signal comes when the child ends. */
static pid_t
make_child(void)
{
    pid_t parent = getpid(), child;
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    child = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
    if (child == 0)
        be_child(parent);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    snapshot.parent = parent;
    return child;
}

/* Has the child been waited for?  Its end takes a while where memory is large:
   with WNOHANG this does not wait for it. */
static int
is_gone(int flags)
{
    pid_t got;

    if (snapshot.child == 0)
        return 1;
    do
        got = waitpid(snapshot.child, NULL, flags | __WCLONE);
    while (got < 0 && errno == EINTR);
    if (got == 0)
        return 0;
    snapshot.child = 0;
    return 1;
}
#else
static pid_t
make_child(void)
{
    return -1;
}

static int
is_gone(int Py_UNUSED(flags))
{
    return 1;
}
#endif

/* A child of fork has neither the child nor its result. */
static void
forget_in_child_of_fork(void)
{
    if (snapshot.parent != 0 && snapshot.parent != getpid()) {
        snapshot.child = snapshot.parent = 0;
        forget_result();
    }
}

int
pyb_gcsnapshot_begin(void)
{
    struct timespec begun = pyb_stats_now();
    pid_t child;

    PYB_ASSERT(pyb_gil_is_held() && pyb_control.collecting > 0);
    PYB_ASSERT(snapshot.state == PYB_GCSNAPSHOT_NONE);
    is_gone(0); /* the one before */
    child = make_result() == 0 ? make_child() : -1;
    if (child < 0) {
        forget_result();
        pyb_stats_snapshot_failed();
        return -1;
    }
    snapshot.child = child;
    snapshot.state = PYB_GCSNAPSHOT_OUT;
    pyb_stats_snapshot_taken(begun);
    return 0;
}

enum pyb_gcsnapshot
pyb_gcsnapshot_look(void)
{
    int gone;

    if (snapshot.state == PYB_GCSNAPSHOT_NONE && snapshot.child == 0)
        return PYB_GCSNAPSHOT_NONE;
    forget_in_child_of_fork();
    gone = is_gone(WNOHANG); /* looked at first: it may be done by then */
    if (snapshot.state == PYB_GCSNAPSHOT_NONE)
        return PYB_GCSNAPSHOT_NONE;
    if (AO_load_full(&snapshot.result->done))
        snapshot.state = PYB_GCSNAPSHOT_READY;
    else if (gone) {
        forget_result();
        pyb_stats_snapshot_failed();
        return PYB_GCSNAPSHOT_FAILED;
    }
    return snapshot.state;
}

struct pyb_set
pyb_gcsnapshot_take(size_t *candidates)
{
    struct pyb_set set = {
        .generation = PYB_OLD, .state = PYB_STATE_CURRENT, .foreign = 1};
    const struct result *result = snapshot.result;

    PYB_ASSERT(snapshot.state == PYB_GCSNAPSHOT_READY);
    for (size_t i = 0; i < result->n_regions; i++) {
        const struct found *found = &result->regions[i];

        for (size_t line = 0; line < PYB_REGION_LINES; line++)
            if (found->dead[line] != 0)
                set.n += pyb_condemned_claim(&found->region->lines[line],
                                             found->dead[line]);
    }
    *candidates = result->candidates;
    PYB_ASSERT(set.n <= result->candidates);
    forget_result();
    if (set.n > 0)
        PYB_EXPENSIVE(pyb_set_check(&set));
    return set;
}

void
pyb_gcsnapshot_drop(void)
{
    forget_in_child_of_fork();
    if (!is_gone(WNOHANG)) {
        kill(snapshot.child, SIGKILL);
        is_gone(0);
    }
    if (snapshot.state != PYB_GCSNAPSHOT_NONE) {
        forget_result();
        pyb_stats_snapshot_dropped();
    }
}

/* ------------------------------------------------------------------ */
/* The public calls                                                    */

void
PyBoehm_GC_SetSnapshots(int on)
{
    pyb_control_require(__func__);
    if (!on) {
        snapshot.from = 0;
        pyb_gcsnapshot_drop();
    } else if (snapshot.from == 0) {
        snapshot.from = FROM;
    }
}

int
PyBoehm_GC_GetSnapshots(void)
{
    pyb_control_require(__func__);
    return snapshot.from != 0;
}
