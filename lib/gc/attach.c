/* attach.c: which thread may use the library.  See attach.h. */

#include "Python.h"

#include "gc/attach.h"
#include "gc/fatal.h"
#include "gc/upcalls.h"

#include <pthread.h>

/* One who waits, on its own stack. */
struct waiter {
    pthread_cond_t turn;
    int granted;
    struct waiter *next;
};

static struct {
    pthread_mutex_t mutex; /* for all of this; never held for long, and no
                              other code runs meanwhile */
    int taken;    /* somebody is attached, or has been granted the lock */
    int closed;   /* the library ends, has ended, or has not begun */
    int orphaned; /* who was attached stayed behind at a fork */
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
pyb_attach_open(void)
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
pyb_attach_close(void)
{
    pthread_mutex_lock(&lock.mutex);
    lock.closed = closer = 1;
    pthread_mutex_unlock(&lock.mutex);
}

void
pyb_attach_end(void)
{
    closer = 0;
    pyb_attach_give();
}

/* With the mutex held: takes the lock if that is possible now. */
static int
take_free(void)
{
    if (lock.taken || (lock.closed && !closer))
        return 0;
    lock.taken = mine = 1;
    return 1;
}

/* With the mutex held: waits for somebody to hand it over. */
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
    mine = 1;
    pthread_setcancelstate(cancelling, NULL);
}

void
pyb_attach_take(void)
{
    if (lock.orphaned)
        pyb_fatal_format("fork", "another thread was attached; this process "
                                 "cannot use the library");
    pthread_mutex_lock(&lock.mutex);
    if (!take_free())
        wait_for_turn();
    pthread_mutex_unlock(&lock.mutex);
}

int
pyb_attach_try(void)
{
    int taken;

    pthread_mutex_lock(&lock.mutex);
    taken = take_free();
    pthread_mutex_unlock(&lock.mutex);
    return taken;
}

/* With the mutex held: the one who has waited longest is attached from here
   on, whenever it wakes up. */
static void
hand_over(struct waiter *next)
{
    lock.first = next->next;
    if (lock.first == NULL)
        lock.last = &lock.first;
    next->granted = 1;
    pthread_cond_signal(&next->turn);
}

void
pyb_attach_give(void)
{
    pthread_mutex_lock(&lock.mutex);
    mine = 0;
    if (lock.first != NULL && !lock.closed)
        hand_over(lock.first);
    else
        lock.taken = 0;
    pthread_mutex_unlock(&lock.mutex);
}

int
pyb_attach_holds(void)
{
    return mine;
}

int
pyb_attach_waiting(void)
{
    int n = 0;

    pthread_mutex_lock(&lock.mutex);
    if (!lock.closed)
        for (struct waiter *w = lock.first; w != NULL; w = w->next)
            n++;
    pthread_mutex_unlock(&lock.mutex);
    return n;
}

/* ------------------------------------------------------------------ */
/* Errands                                                             */

/* Changed by one store with the mutex held, so that a child after fork finds
   it in order. */
AO_t pyb_attach_errands;

static void
put(struct pyb_errand *errand)
{
    pthread_mutex_lock(&lock.mutex);
    errand->next = (struct pyb_errand *)pyb_attach_errands;
    AO_store_release(&pyb_attach_errands, (AO_t)errand);
    pthread_mutex_unlock(&lock.mutex);
}

static struct pyb_errand *
take_one(void)
{
    struct pyb_errand *errand;

    pthread_mutex_lock(&lock.mutex);
    errand = (struct pyb_errand *)pyb_attach_errands;
    if (errand != NULL)
        AO_store(&pyb_attach_errands, (AO_t)errand->next);
    pthread_mutex_unlock(&lock.mutex);
    return errand;
}

void
pyb_attach_run_errands(void)
{
    struct pyb_errand *errand;

    while (pyb_attach_has_errands() && (errand = take_one()) != NULL)
        errand->run(errand->arg);
}

/* Who is attached looks for errands after giving the lock up, too: either that
   one sees this, or this thread finds the lock free. */
void
pyb_attach_send(struct pyb_errand *errand)
{
    if (mine) {
        errand->run(errand->arg);
        return;
    }
    put(errand);
    pyb_upcalls.attach_for_errands();
}
