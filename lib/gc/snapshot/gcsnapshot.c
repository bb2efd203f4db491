/* gcsnapshot.c: full collections beside the program.  See gcsnapshot.h.

   Manual: clone(2), waitpid(2). */

#include "Python.h"

#include <errno.h>
#include <signal.h>
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
#include "gc/control.h"
#include "gc/snapshot/found.h"
#include "gc/snapshot/gcsnapshot.h"
#include "gc/stats.h"

/* From how many objects on; below, a collection takes no longer than making a
   child. */
enum { FROM = 1 << 16 };

/* Of as many dead as that: a group's end takes a fraction of a millisecond. */
enum { GROUPS_AT_LEAST = 16 };

/* The attached thread's. */
static struct {
    size_t from; /* 0: snapshots are off */
    enum pyb_gcsnapshot state;
    pid_t child;  /* not waited for yet; 0: there is none */
    pid_t parent; /* a child of fork has its parent's variables, not the child
                     that made this snapshot */
    struct pyb_found *found; /* of the child's */
    struct pyb_found *taken; /* of one before: some groups may be left */
    size_t next_group;       /* of these */
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

static void
forget_found(void)
{
    PYB_ASSERT(snapshot.state == PYB_GCSNAPSHOT_NONE ||
               snapshot.found != NULL);
    pyb_found_free(snapshot.found);
    snapshot.found = NULL;
    snapshot.state = PYB_GCSNAPSHOT_NONE;
}

/* ------------------------------------------------------------------ */
/* The child                                                           */

#ifdef CAN_CLONE
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
        pyb_found_fill(snapshot.found);
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
        forget_found();
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
    snapshot.found = pyb_found_new(Py_MAX(snapshot.from / GROUPS_AT_LEAST, 1));
    child = snapshot.found != NULL ? make_child() : -1;
    if (child < 0) {
        forget_found();
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
    if (pyb_found_is_filled(snapshot.found))
        snapshot.state = PYB_GCSNAPSHOT_READY;
    else if (gone) {
        forget_found();
        pyb_stats_snapshot_failed();
        return PYB_GCSNAPSHOT_FAILED;
    }
    return snapshot.state;
}

struct pyb_set
pyb_gcsnapshot_take(size_t *candidates)
{
    struct pyb_set set = pyb_found_condemn(snapshot.found, candidates);

    PYB_ASSERT(snapshot.state == PYB_GCSNAPSHOT_READY);
    pyb_gcsnapshot_forget_groups();
    snapshot.taken = snapshot.found;
    snapshot.next_group = 0;
    snapshot.found = NULL;
    snapshot.state = PYB_GCSNAPSHOT_NONE;
    return set;
}

struct pyb_set
pyb_gcsnapshot_next_group(struct pyb_line **lines)
{
    struct pyb_set group = {.n = 0};

    PYB_ASSERT(pyb_gil_is_held());
    if (snapshot.taken != NULL)
        group =
            pyb_found_next_group(snapshot.taken, &snapshot.next_group, lines);
    if (group.n == 0)
        pyb_gcsnapshot_forget_groups();
    return group;
}

void
pyb_gcsnapshot_forget_groups(void)
{
    pyb_found_free(snapshot.taken);
    snapshot.taken = NULL;
}

void
pyb_gcsnapshot_drop(void)
{
    pyb_gcsnapshot_forget_groups();
    forget_in_child_of_fork();
    if (!is_gone(WNOHANG)) {
        kill(snapshot.child, SIGKILL);
        is_gone(0);
    }
    if (snapshot.state != PYB_GCSNAPSHOT_NONE) {
        forget_found();
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
