/* gil.c: which thread may use the library.  See gil.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/upcalls.h"

#include <pthread.h>

/* A thread that waits; on its own stack. */
struct waiter {
    pthread_cond_t turn;
    int granted;
    struct waiter *next;
};

static struct {
    pthread_mutex_t mutex; /* for all of this; never held for long, and no
                              other code runs meanwhile */
    int taken;    /* a thread is attached, or has been granted the lock */
    int closed;   /* the library ends, has ended, or has not begun */
    int orphaned; /* the attached thread stayed behind at a fork */
    unsigned long turns; /* threads that were attached so far */
    struct waiter *first, **last;
} lock = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .closed = 1, .last = &lock.first};

/* This thread is attached; this thread closed the lock. */
static __thread int mine, closer;

/* ------------------------------------------------------------------ */
/* The lock                                                            */

static void
forget_waiters(void)
{
    lock.first = NULL;
    lock.last = &lock.first;
}

/* In the child there is one thread, attached if it was.  If another one was,
   that is in the middle of something forever. */
static void
after_fork(void)
{
    pthread_mutex_init(&lock.mutex, NULL);
    forget_waiters();
    lock.orphaned = lock.taken && !mine;
}

void
pyb_gil_open(void)
{
    static int watched;

    if (!watched)
        watched = pthread_atfork(NULL, NULL, after_fork) == 0;
    pthread_mutex_lock(&lock.mutex);
    forget_waiters(); /* of an earlier life; they wait forever */
    lock.closed = 0;
    lock.taken = mine = 1;
    closer = 0;
    pthread_mutex_unlock(&lock.mutex);
}

void
pyb_gil_close(void)
{
    pthread_mutex_lock(&lock.mutex);
    PYB_ASSERT(mine && lock.taken);
    lock.closed = closer = 1;
    pthread_mutex_unlock(&lock.mutex);
}

void
pyb_gil_end(void)
{
    PYB_ASSERT(mine);
    closer = 0;
    pyb_gil_release();
}

/* With the mutex held: takes the lock if that is possible now. */
static int
take_free(void)
{
    if (lock.taken || (lock.closed && !closer))
        return 0;
    PYB_ASSERT(!mine);
    lock.taken = mine = 1;
    lock.turns++;
    return 1;
}

/* With the mutex held: waits until the lock is handed over. */
static void
wait_for_turn(void)
{
    struct waiter self = {.turn = PTHREAD_COND_INITIALIZER};
    int cancelling;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    *lock.last = &self;
    lock.last = &self.next;
    while (!self.granted)
        pthread_cond_wait(&self.turn, &lock.mutex);
    PYB_ASSERT(lock.taken && !mine);
    mine = 1;
    pthread_setcancelstate(cancelling, NULL);
}

void
pyb_gil_acquire(void)
{
    PYB_ASSERT(!mine); /* it would wait for itself */
    if (lock.orphaned)
        pyb_fatal_format("fork", "another thread was attached; this process "
                                 "cannot use the library");
    pthread_mutex_lock(&lock.mutex);
    if (!take_free())
        wait_for_turn();
    pthread_mutex_unlock(&lock.mutex);
}

int
pyb_gil_try_acquire(void)
{
    int taken;

    PYB_ASSERT(!mine);
    pthread_mutex_lock(&lock.mutex);
    taken = take_free();
    pthread_mutex_unlock(&lock.mutex);
    return taken;
}

/* With the mutex held: the thread that has waited longest is attached from
   here on, whenever it wakes up. */
static void
hand_over(struct waiter *next)
{
    PYB_ASSERT(next == lock.first && !next->granted);
    PYB_ASSERT(lock.taken);
    lock.first = next->next;
    if (lock.first == NULL)
        lock.last = &lock.first;
    next->granted = 1;
    lock.turns++;
    pthread_cond_signal(&next->turn);
}

void
pyb_gil_release(void)
{
    pthread_mutex_lock(&lock.mutex);
    PYB_ASSERT(mine && lock.taken);
    PYB_ASSERT(lock.first != NULL || lock.last == &lock.first);
    mine = 0;
    if (lock.first != NULL && !lock.closed)
        hand_over(lock.first);
    else
        lock.taken = 0;
    pthread_mutex_unlock(&lock.mutex);
}

int
pyb_gil_is_held(void)
{
    return mine;
}

/* The attached thread's own is the last one until it gives the lock up. */
unsigned long
pyb_gil_turns(void)
{
    PYB_ASSERT(mine);
    return lock.turns;
}

int
pyb_gil_waiting(void)
{
    int n = 0;

    pthread_mutex_lock(&lock.mutex);
    for (struct waiter *w = lock.first; w != NULL; w = w->next)
        n++;
    pthread_mutex_unlock(&lock.mutex);
    return n;
}

/* ------------------------------------------------------------------ */
/* Deferred calls                                                      */

/* Signal handlers add to it, and a child after fork finds it in order: no lock
   is needed for it.  Only the attached thread takes from it, so what it has
   seen at the head stays in the list. */
AO_t pyb_gil_deferred;

static struct pyb_deferred *
take_one(void)
{
    struct pyb_deferred *deferred;

    PYB_ASSERT(mine);
    do
        deferred = (struct pyb_deferred *)AO_load_acquire(&pyb_gil_deferred);
    while (deferred != NULL &&
           !AO_compare_and_swap_full(&pyb_gil_deferred, (AO_t)deferred,
                                     (AO_t)deferred->next));
    return deferred;
}

void
pyb_gil_run_deferred(void)
{
    struct pyb_deferred *deferred;

    while (pyb_gil_has_deferred() && (deferred = take_one()) != NULL)
        deferred->run(deferred->arg);
}

void
pyb_gil_defer_later(struct pyb_deferred *deferred)
{
    AO_t head;

    do {
        head = AO_load_acquire(&pyb_gil_deferred);
        deferred->next = (struct pyb_deferred *)head;
    } while (
        !AO_compare_and_swap_full(&pyb_gil_deferred, head, (AO_t)deferred));
}

/* The attached thread looks for deferred calls after giving the lock up, too:
   either that one sees this, or this thread finds the lock free. */
void
pyb_gil_defer(struct pyb_deferred *deferred)
{
    PYB_ASSERT(deferred->run != NULL);
    if (mine) {
        deferred->run(deferred->arg);
        return;
    }
    pyb_gil_defer_later(deferred);
    pyb_upcalls.attach_for_deferred();
}
