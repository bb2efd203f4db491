/* pending.c: calls that are queued until the main thread makes them.

   They are also added by signal handlers, which may have interrupted an
   addition, or the main thread as it takes a call: nothing here waits for a
   lock.

   Manual: "Asynchronous notifications". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/ownlibrary.h"
#include "gc/control.h"
#include "runtime/pending.h"
#include "runtime/threadstate.h"

#include <atomic_ops.h>
#include <pthread.h>

/* A ring.  Calls are numbered as they are added; call n has place n %
   PYB_PENDING_MAX, in round n / PYB_PENDING_MAX.  A place's turn is 2 * r when
   it is free for round r, and 2 * r + 1 when the call of that round is in it.
   The argument is in the same place of pyb_host_words. */
static struct {
    struct place {
        AO_t turn;
        int (*func)(void *);
    } places[PYB_PENDING_MAX];
    AO_t added;
    size_t taken; /* used by the main thread only */
    int busy;     /* the main thread is making calls */
} pending;

static inline struct place *
place_of(size_t number)
{
    return &pending.places[number % PYB_PENDING_MAX];
}

static inline void **
argument_of(size_t number)
{
    return &pyb_host_words.pending[number % PYB_PENDING_MAX];
}

static inline size_t
free_turn(size_t number)
{
    return 2 * (number / PYB_PENDING_MAX);
}

/* In the child process no other thread completes its addition: the places of
   incomplete additions get an empty call. */
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

/* Claims a place, for the caller to fill, and stores its number.  0, or -1 if
   there is none: the next place still has the call of the round before. */
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
    *argument_of(n) = arg;
    AO_store_release(&place_of(n)->turn, free_turn(n) + 1);
    return 0;
}

/* Takes the next call; 0 if none is complete. */
static int
take(int (**func)(void *), void **arg)
{
    size_t n = pending.taken;
    struct place *place = place_of(n);

    if (AO_load_acquire(&place->turn) != free_turn(n) + 1)
        return 0;
    *func = place->func;
    *arg = *argument_of(n);
    *argument_of(n) = NULL; /* keeps nothing any more */
    PYB_ASSERT(n < AO_load(&pending.added));
    pending.taken = n + 1;
    AO_store_release(&place->turn, free_turn(n + PYB_PENDING_MAX));
    return 1;
}

/* Calls that are added meanwhile are made in the same round, which has a
   bound. */
static int
make_calls(void)
{
    PYB_ASSERT(pending.taken <= AO_load(&pending.added));
    PYB_ASSERT(AO_load(&pending.added) - pending.taken <= PYB_PENDING_MAX);
    int (*func)(void *);
    void *arg;
    int result = 0;

    if (pending.busy)
        return 0;
    pending.busy = 1;
    for (int i = 0; i < PYB_PENDING_MAX && result == 0 && take(&func, &arg);
         i++)
        if (func != NULL)
            result = func(arg) < 0 ? -1 : 0;
    pending.busy = 0;
    return result;
}

int
Py_MakePendingCalls(void)
{
    pyb_control_require(__func__);
    pyb_gil_run_deferred();
    if (pyb_gil_waiting() > 0)
        PyEval_RestoreThread(PyEval_SaveThread());
    return pyb_threadstate_is_main() ? make_calls() : 0;
}

void
pyb_pending_finish(void)
{
    PYB_ASSERT(pyb_gil_is_held());
    while (make_calls() < 0)
        PyErr_FormatUnraisable("Exception ignored in a pending call");
}
