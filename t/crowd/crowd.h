/* crowd.h: what t/runtime/check_threads_stress.c has many threads at a time
 * do. */

#ifndef T_CROWD_H
#define T_CROWD_H

#include "../support/suite.h"

#include <pthread.h>
#include <pyboehm.h>

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

#ifdef __SANITIZE_THREAD__
/* It delivers signals when a thread calls something next: one that waits for
   the mutex of another that Boehm has stopped never does.  Boehm's lock is not
   instrumented: memory that changes hands in its heap seems to be written by
   two. */
enum { BOEHM_COLLECTS = 0 };
#define BOEHMS_MEMORY __attribute__((no_sanitize("thread")))
#else
enum { BOEHM_COLLECTS = 1 };
#define BOEHMS_MEMORY
#endif

/* Do lives fork?  PYBOEHM_TEST_FORKS=0 says that they do not. */
extern int crowd_forks;

/* Check's assertions are for one thread. */
#define must(condition)                                                       \
    ((condition) ? (void)0 : crowd_broken(__FILE__, __LINE__, #condition))
_Noreturn void crowd_broken(const char *file, int line, const char *text);

/* ------------------------------------------------------------------ */
/* Lives                                                               */

enum { OWN = 24 };

/* One thread's life. */
struct life {
    unsigned long long random;
    int seat;
    int deeds;
    pthread_t thread;
    PyObject *own[OWN]; /* counted references, or NULL */
};

/* life_attached, life_plain: what a thread runs; the argument is its life.
   They end with life_end, which is the test's. */
void *life_attached(void *life);
void *life_plain(void *life);
void life_end(struct life *life);

/* life_chance: a number below n. */
unsigned life_chance(struct life *life, unsigned n);

/* One thread at most is attached, and none attaches while tp_traverse runs.
   life_come_in: a thread that is attached now checks that.  life_go_out: it is
   about to detach.  life_let_others_in: the attached thread detaches for a
   moment; it may be about to come in. */
void life_come_in(struct life *life);
void life_go_out(struct life *life);
void life_let_others_in(void);
extern struct life *crowd_attached;
extern int crowd_traversing; /* calls under way */

/* life_wait_for_child: it must end well. */
void life_wait_for_child(pid_t child);

/* ------------------------------------------------------------------ */
/* Items                                                               */

/* How many there were of those that may be adopted, and of counted ones. */
extern long items_made[2], items_freed[2], items_finalized;

struct item {
    PyObject_HEAD
    uintptr_t alive; /* tells whether it is */
    PyObject *weakrefs;
    PyObject *refs[2];
    void *host; /* GC_MALLOC memory */
    int counted;
};

/* items_init: readies their types. */
void items_init(void);

PyObject *item_new(struct life *life, int counted);
int item_is_alive(const void *op);

/* ------------------------------------------------------------------ */
/* What all have in common                                             */

enum { POOL = 200, SLOTS = 64 };

extern PyObject *crowd_pool[POOL];  /* counted references, or NULL */
extern PyObject *crowd_weak[SLOTS]; /* weak references, or NULL */
extern void **crowd_slots; /* a root of Boehm's: adopted items, or NULL */

static inline void *
slot_load(unsigned i)
{
    return __atomic_load_n(&crowd_slots[i], __ATOMIC_ACQUIRE);
}

static inline void
slot_store(unsigned i, void *op)
{
    __atomic_store_n(&crowd_slots[i], op, __ATOMIC_RELEASE);
}

#endif /* T_CROWD_H */
