/* workers.c: threads that share a large collection.  See workers.h. */

#include "Python.h"

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/boehm/boehm.h"
#include "gc/heap/sidetable.h"
#include "gc/workers.h"

#include <pthread.h>
#include <sched.h>

/* From how many objects on a second thread saves more than it costs. */
enum { FROM = 1 << 16 };

/* What can be shared and not stolen yet; a thread steals so many at most. */
enum { SHARED_MAX = 1 << 12, STEAL_MAX = 256 };

struct pyb_workers pyb_workers;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t called; /* there is a task, or the end */
    pthread_cond_t left;   /* a worker is done with its part */
    int size;              /* with the collecting thread */
    size_t from;           /* so many objects are worth more than one thread */
    int n_threads;
    pthread_t threads[PYB_MARKERS];
    unsigned long round; /* of tasks: each worker joins once */
    int open;            /* how many more workers may join the task */
    int joined, working;
    int stop;
} workers = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .called = PTHREAD_COND_INITIALIZER,
             .left = PTHREAD_COND_INITIALIZER};

/* The task that several threads are at. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* something has been shared, or it is done */
    const struct pyb_task *task;
    struct pyb_walk rest; /* the candidates that no thread has taken yet */
    int active, done;
    int several;
    PyObject *shared[SHARED_MAX];
} work = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

/* How many processors this process may use, or else how many there are. */
static long
count_processors(void)
{
#ifdef HAVE_SCHED_GETAFFINITY
    cpu_set_t processors;

    if (sched_getaffinity(0, sizeof processors, &processors) == 0)
        return CPU_COUNT(&processors);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

void
pyb_workers_init(void)
{
    const char *wish = pyb_environment("PYBOEHM_MARKERS");
    char *end = NULL;
    long n = wish != NULL ? strtol(wish, &end, 10) : count_processors();

    workers.from = FROM;
    if (end != NULL && *end == ',')
        workers.from = strtoul(end + 1, NULL, 10);
    workers.size = (int)Py_MAX(Py_MIN(n, PYB_MARKERS), 1);
}

void
pyb_workers_alone(void)
{
    workers.size = 1;
}

int
pyb_workers_count(size_t objects)
{
    PYB_ASSERT(workers.size >= 1 && workers.size <= PYB_MARKERS);
    return objects >= workers.from
               ? Py_MIN(workers.size, pyb_sidetable.markers)
               : 1;
}

/* ------------------------------------------------------------------ */
/* A task                                                              */

static int
take_part(struct pyb_walk *part)
{
    int more;

    pthread_mutex_lock(&work.lock);
    more = pyb_walk_split(&work.rest, part);
    pthread_mutex_unlock(&work.lock);
    return more;
}

/* 0 where the task is done already. */
static int
enter_task(void)
{
    int late;

    pthread_mutex_lock(&work.lock);
    late = work.done;
    work.active += !late;
    PYB_ASSERT(work.active <= PYB_MARKERS);
    pthread_mutex_unlock(&work.lock);
    return !late;
}

static void
do_task(int number)
{
    struct pyb_walk part;

    if (!enter_task())
        return;
    while (take_part(&part))
        work.task->part(number, part);
    work.task->finish(number);
}

/* With the lock held; other threads read them without it. */
static void
set_shared(size_t n)
{
    __atomic_store_n(&pyb_workers.shared, n, __ATOMIC_RELAXED);
}

static void
set_idle(int n)
{
    __atomic_store_n(&pyb_workers.idle, n, __ATOMIC_RELAXED);
}

void
pyb_workers_share(PyObject **stack, size_t *depth)
{
    pthread_mutex_lock(&work.lock);
    PYB_ASSERT(pyb_workers.shared <= SHARED_MAX);
    size_t n = Py_MIN(*depth / 2, SHARED_MAX - pyb_workers.shared);

    memcpy(work.shared + pyb_workers.shared, stack, n * sizeof *stack);
    set_shared(pyb_workers.shared + n);
    *depth -= n;
    PYB_ASSERT(work.several && !work.done);
    memmove(stack, stack + n, *depth * sizeof *stack);
    pthread_cond_broadcast(&work.changed);
    pthread_mutex_unlock(&work.lock);
}

/* The task is done when each of its threads waits here. */
size_t
pyb_workers_steal(PyObject **stack)
{
    size_t n = 0;

    if (!work.several)
        return 0;
    pthread_mutex_lock(&work.lock);
    set_idle(pyb_workers.idle + 1);
    PYB_ASSERT(pyb_workers.idle <= work.active);
    while (pyb_workers.shared == 0 && !work.done) {
        if (pyb_workers.idle == work.active) {
            work.done = 1;
            pthread_cond_broadcast(&work.changed);
        } else {
            pthread_cond_wait(&work.changed, &work.lock);
        }
    }
    if (!work.done) {
        n = Py_MIN(pyb_workers.shared, STEAL_MAX);
        set_shared(pyb_workers.shared - n);
        memcpy(stack, work.shared + pyb_workers.shared, n * sizeof *stack);
        set_idle(pyb_workers.idle - 1);
    }
    pthread_mutex_unlock(&work.lock);
    return n;
}

/* ------------------------------------------------------------------ */
/* The threads                                                         */

/* Joins the task that is open, with the lock held. */
static void
join_task(void)
{
    int number = ++workers.joined;

    PYB_ASSERT(number < PYB_MARKERS && workers.open > 0);
    workers.open--;
    workers.working++;
    pthread_mutex_unlock(&workers.lock);
    do_task(number);
    pthread_mutex_lock(&workers.lock);
    PYB_ASSERT(workers.working > 0);
    if (--workers.working == 0)
        pthread_cond_signal(&workers.left);
}

static void *
worker_main(void *Py_UNUSED(arg))
{
    unsigned long seen = 0;

    pthread_mutex_lock(&workers.lock);
    while (!workers.stop)
        if (workers.open > 0 && workers.round != seen) {
            seen = workers.round;
            join_task();
        } else {
            pthread_cond_wait(&workers.called, &workers.lock);
        }
    pthread_mutex_unlock(&workers.lock);
    return NULL;
}

/* In the child after fork there are no workers; in the parent one may have
   held a lock, for the thread that forks need not be the one that collects. */
static void
forget_threads(void)
{
    workers.n_threads = workers.open = workers.working = workers.stop = 0;
    pthread_mutex_init(&work.lock, NULL);
    pthread_cond_init(&work.changed, NULL);
    pthread_mutex_init(&workers.lock, NULL);
    pthread_cond_init(&workers.called, NULL);
    pthread_cond_init(&workers.left, NULL);
}

/* Starts n workers, or as many as the system gives.  No signal of the host's
   is handled in one; Boehm's are, for in some hosts pthread_create makes Boehm
   know the thread, and then it is stopped with the others. */
static void
start(int n)
{
    static int watched;
    sigset_t most, before;

    if (!watched)
        watched = pthread_atfork(NULL, NULL, forget_threads) == 0;
    sigfillset(&most);
    pyb_boehm_let_signals(&most);
    pthread_sigmask(SIG_BLOCK, &most, &before);
    PYB_ASSERT(n < PYB_MARKERS);
    while (watched && workers.n_threads < n &&
           pthread_create(&workers.threads[workers.n_threads], NULL,
                          worker_main, NULL) == 0)
        workers.n_threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Closes the task, and waits for the workers that have joined it. */
static void
rejoin(void)
{
    pthread_mutex_lock(&workers.lock);
    workers.open = 0;
    PYB_ASSERT(workers.working >= 0);
    while (workers.working > 0)
        pthread_cond_wait(&workers.left, &workers.lock);
    pthread_mutex_unlock(&workers.lock);
}

static void
call_workers(int n)
{
    pthread_mutex_lock(&workers.lock);
    PYB_ASSERT(workers.open == 0 && workers.working == 0);
    workers.open = n;
    workers.joined = 0;
    workers.round++;
    pthread_cond_broadcast(&workers.called);
    pthread_mutex_unlock(&workers.lock);
}

int
pyb_workers_run(int n, const struct pyb_task *task, struct pyb_walk candidates)
{
    PYB_ASSERT(n >= 1 && n <= PYB_MARKERS);
    if (n > 1)
        start(n - 1);
    work.several = n > 1 && workers.n_threads > 0;
    if (!work.several) {
        task->part(0, candidates);
        task->finish(0);
        return 1;
    }
    work.task = task;
    work.rest = candidates;
    work.active = work.done = 0;
    call_workers(n - 1);
    do_task(0);
    rejoin();
    PYB_ASSERT(pyb_workers.shared == 0); /* nothing is left to do */
    set_idle(0);
    memset(work.shared, 0, sizeof work.shared); /* Boehm looks at it */
    return workers.joined + 1; /* constant once the task is closed */
}

void
pyb_workers_abandon(void)
{
    pthread_mutex_lock(&work.lock);
    work.rest = (struct pyb_walk){.kind = PYB_WALK_RECENT}; /* an empty one */
    work.done = 1;
    pthread_cond_broadcast(&work.changed);
    pthread_mutex_unlock(&work.lock);
    rejoin();
    set_shared(0);
    set_idle(0);
    memset(work.shared, 0, sizeof work.shared);
}

void
pyb_workers_stop(void)
{
    pthread_mutex_lock(&workers.lock);
    workers.stop = 1;
    pthread_cond_broadcast(&workers.called);
    pthread_mutex_unlock(&workers.lock);
    while (workers.n_threads > 0)
        pthread_join(workers.threads[--workers.n_threads], NULL);
    workers.stop = 0;
}
