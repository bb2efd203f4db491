/* pending.c: calls that wait until the main thread lets them happen.

   They are added from signal handlers, too, which may have interrupted an
   addition or the main thread as it takes one: nothing here waits for a lock.

   Manual: "Asynchronous notifications". */

#include "Python.h"

#include "gc/attach.h"
#include "gc/control.h"
#include "object/pending.h"
#include "object/threadstate.h"

#include <atomic_ops.h>
#include <pthread.h>

enum { PENDING_MAX = 300 };

/* A ring.  Calls are numbered as they are added; call n has place n %
   PENDING_MAX, in round n / PENDING_MAX.  A place's turn is 2 * r when it is
   free for round r, and 2 * r + 1 when the call of that round is in it. */
static struct {
    struct place {
        AO_t turn;
        int (*func)(void *);
        void *arg;
    } places[PENDING_MAX];
    AO_t added;
    size_t taken; /* the main thread's */
    int busy;     /* the main thread is making calls */
} pending;

static inline struct place *
place_of(size_t number)
{
    return &pending.places[number % PENDING_MAX];
}

static inline size_t
free_turn(size_t number)
{
    return 2 * (number / PENDING_MAX);
}

/* In the child no other thread completes its addition: such a place gets a
   call of nothing. */
static void
after_fork(void)
{
    for (size_t n = pending.taken; n < AO_load(&pending.added); n++)
        if (AO_load(&place_of(n)->turn) == free_turn(n)) {
            place_of(n)->func = NULL;
            AO_store_release(&place_of(n)->turn, free_turn(n) + 1);
        }
}

void
pyb_pending_init(void)
{
    static int watched;

    if (!watched)
        watched = pthread_atfork(NULL, NULL, after_fork) == 0;
}

/* The number of a place that is now the caller's to fill.  0, or -1 if there
   is none: the call of the round before is still in the place that is next. */
static int
claim(size_t *number)
{
    for (;;) {
        size_t n = AO_load_acquire(&pending.added);
        size_t turn = AO_load_acquire(&place_of(n)->turn);

        if (turn < free_turn(n))
            return -1;
        if (turn == free_turn(n) &&
            AO_compare_and_swap_full(&pending.added, n, n + 1)) {
            *number = n;
            return 0;
        }
    }
}

int
Py_AddPendingCall(int (*func)(void *), void *arg)
{
    size_t n;

    if (claim(&n) < 0)
        return -1;
    place_of(n)->func = func;
    place_of(n)->arg = arg;
    AO_store_release(&place_of(n)->turn, free_turn(n) + 1);
    return 0;
}

/* The next call; 0 if none is complete. */
static int
take(int (**func)(void *), void **arg)
{
    size_t n = pending.taken;
    struct place *place = place_of(n);

    if (AO_load_acquire(&place->turn) != free_turn(n) + 1)
        return 0;
    *func = place->func;
    *arg = place->arg;
    pending.taken = n + 1;
    AO_store_release(&place->turn, free_turn(n + PENDING_MAX));
    return 1;
}

/* Those that calls add come in the same round, but a round ends. */
static int
make_calls(void)
{
    int (*func)(void *);
    void *arg;
    int result = 0;

    if (pending.busy)
        return 0;
    pending.busy = 1;
    for (int i = 0; i < PENDING_MAX && result == 0 && take(&func, &arg); i++)
        if (func != NULL)
            result = func(arg) < 0 ? -1 : 0;
    pending.busy = 0;
    return result;
}

int
Py_MakePendingCalls(void)
{
    pyb_control_require(__func__);
    pyb_attach_run_errands();
    if (pyb_attach_waiting() > 0)
        PyEval_RestoreThread(PyEval_SaveThread());
    return pyb_threadstate_is_main() ? make_calls() : 0;
}

void
pyb_pending_finish(void)
{
    while (make_calls() < 0)
        PyErr_FormatUnraisable("Exception ignored in a pending call");
}
