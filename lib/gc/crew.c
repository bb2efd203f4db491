/* crew.c: threads that help a large collection.  See crew.h. */

#include "Python.h"

#include "gc/boehm.h"
#include "gc/crew.h"
#include "gc/environment.h"
#include "gc/sidetable.h"

#include <pthread.h>
#include <sched.h>

/* From how many objects on a second thread saves more than it costs. */
enum { FROM = 1 << 16 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t called; /* there is a job, or the end */
    pthread_cond_t left;   /* a helper is done with its part */
    int size;              /* with the collecting thread */
    size_t from;           /* from so many objects on they help */
    int n_threads;
    pthread_t threads[PYB_MARKERS];
    /* The job: helpers may join while it is open. */
    void (*job)(int number, void *arg);
    void *arg;
    unsigned long round; /* of jobs: each helper joins once */
    int open;            /* how many more may join */
    int joined, working;
    int stop;
} crew = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .called = PTHREAD_COND_INITIALIZER,
          .left = PTHREAD_COND_INITIALIZER};

void
pyb_crew_init(void)
{
    const char *wish = pyb_environment("PYBOEHM_MARKERS");
    cpu_set_t processors;
    char *end = NULL;
    long n = 1;

    crew.from = FROM;
    if (wish != NULL)
        n = strtol(wish, &end, 10);
    else if (sched_getaffinity(0, sizeof processors, &processors) == 0)
        n = CPU_COUNT(&processors);
    if (end != NULL && *end == ',')
        crew.from = strtoul(end + 1, NULL, 10);
    crew.size = (int)Py_MAX(Py_MIN(n, PYB_MARKERS), 1);
}

int
pyb_crew_size(size_t objects)
{
    return objects >= crew.from ? Py_MIN(crew.size, pyb_sidetable.markers) : 1;
}

/* Takes part in a job that is open, with the lock held. */
static void
take_part(void)
{
    int number = ++crew.joined;

    crew.open--;
    crew.working++;
    pthread_mutex_unlock(&crew.lock);
    crew.job(number, crew.arg);
    pthread_mutex_lock(&crew.lock);
    if (--crew.working == 0)
        pthread_cond_signal(&crew.left);
}

static void *
help(void *Py_UNUSED(arg))
{
    unsigned long seen = 0;

    pthread_mutex_lock(&crew.lock);
    while (!crew.stop)
        if (crew.open > 0 && crew.round != seen) {
            seen = crew.round;
            take_part();
        } else {
            pthread_cond_wait(&crew.called, &crew.lock);
        }
    pthread_mutex_unlock(&crew.lock);
    return NULL;
}

/* In the child after fork there are no helpers; in the parent one may have
   held the lock. */
static void
forget_threads(void)
{
    crew.n_threads = crew.open = crew.working = crew.stop = 0;
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.called, NULL);
    pthread_cond_init(&crew.left, NULL);
}

/* Has n helpers, or as many as the system gives.  No signal of the host's ends
   up in one; Boehm's do, for in some hosts pthread_create makes Boehm know the
   thread, and then it is stopped with the others. */
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
    while (watched && crew.n_threads < n &&
           pthread_create(&crew.threads[crew.n_threads], NULL, help, NULL) ==
               0)
        crew.n_threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int
pyb_crew_run(int n, void (*job)(int number, void *arg), void *arg)
{
    if (n > 1)
        start(n - 1);
    if (n <= 1 || crew.n_threads == 0) {
        job(0, arg);
        return 1;
    }
    pthread_mutex_lock(&crew.lock);
    crew.job = job;
    crew.arg = arg;
    crew.open = n - 1;
    crew.joined = 0;
    crew.round++;
    pthread_cond_broadcast(&crew.called);
    pthread_mutex_unlock(&crew.lock);

    job(0, arg);

    pthread_mutex_lock(&crew.lock);
    crew.open = 0; /* who has not come by now is not waited for */
    while (crew.working > 0)
        pthread_cond_wait(&crew.left, &crew.lock);
    int n_joined = crew.joined;
    pthread_mutex_unlock(&crew.lock);
    return n_joined + 1;
}

void
pyb_crew_stop(void)
{
    pthread_mutex_lock(&crew.lock);
    crew.stop = 1;
    pthread_cond_broadcast(&crew.called);
    pthread_mutex_unlock(&crew.lock);
    while (crew.n_threads > 0)
        pthread_join(crew.threads[--crew.n_threads], NULL);
    crew.stop = 0;
}
