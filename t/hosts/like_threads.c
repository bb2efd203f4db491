/* like_threads.c: threads that allocate, that start threads, that register
   themselves, that leave something behind as they end; and a fork. */

#include "like.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, LONG = 100, ROUNDS = 200 };

/* A list of this thread's, turned around often; its only holder is the
   stack. */
static void *
turn(void *data)
{
    long base = *(long *)data;
    struct like_cell *list = NULL;

    for (long i = LONG; i > 0; i--)
        list = like_cons(base + i, list);
    long before = like_sum(list);
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 50 == 0)
            GC_gcollect();
        list = like_reversed(list);
    }
    like_need(like_sum(list) == before);
    *(long *)data = before;
    return list;
}

static void
start(pthread_t *thread, void *(*function)(void *), void *data)
{
    like_need(pthread_create(thread, NULL, function, data) == 0);
}

static void
test_lists(void)
{
    pthread_t threads[THREADS];
    long sums[THREADS], total = 0;

    for (long i = 0; i < THREADS; i++) {
        sums[i] = 1000 * i;
        start(&threads[i], turn, &sums[i]);
    }
    for (int i = 0; i < 5; i++)
        like_collect();
    for (int i = 0; i < THREADS; i++) {
        void *list;

        like_need(pthread_join(threads[i], &list) == 0);
        like_need(like_sum(list) == sums[i]);
        total += sums[i];
    }
    printf("lists: %ld\n", total);
}

/* ------------------------------------------------------------------ */

/* Threads that start threads, detached, down to a depth. */
static atomic_int started, ended;

static void *
spread(void *data)
{
    long depth = *((struct like_cell *)data)->number;
    pthread_t thread;

    atomic_fetch_add(&started, 1);
    GC_FREE(GC_MALLOC_ATOMIC(1000));
    for (int i = 0; depth > 0 && i < 2; i++) {
        start(&thread, spread, like_cons(depth - 1, NULL));
        pthread_detach(thread);
    }
    atomic_fetch_add(&ended, 1);
    return NULL;
}

static void
test_spreading(void)
{
    enum { DEPTH = 4, ALL = (2 << DEPTH) - 1 };
    pthread_t thread;

    start(&thread, spread, like_cons(DEPTH, NULL));
    pthread_join(thread, NULL);
    while (atomic_load(&ended) < ALL) {
        GC_gcollect();
        sched_yield();
    }
    printf("spread: %d\n", atomic_load(&started));
}

/* ------------------------------------------------------------------ */

/* A destructor that allocates as its thread ends: Boehm has forgotten the
   thread by then or not. */
static pthread_key_t key;
static atomic_int destroyed;

static void *GC_CALLBACK
registered(struct GC_stack_base *base, void *data)
{
    int result = GC_register_my_thread(base);

    like_need(GC_thread_is_registered());
    struct like_cell *list = like_cons(7, like_cons(5, NULL));
    GC_gcollect();
    like_need(like_sum(list) == 17 && data == &key);
    atomic_fetch_add(&destroyed, 1);
    if (result == GC_SUCCESS)
        GC_unregister_my_thread();
    return NULL;
}

static void
destroy(void *value)
{
    GC_call_with_stack_base(registered, value);
}

static void *
set_key(void *data)
{
    like_need(pthread_setspecific(key, &key) == 0);
    return data;
}

static void
test_keys(void)
{
    like_need(pthread_key_create(&key, destroy) == 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;

        start(&thread, set_key, NULL);
        pthread_join(thread, NULL);
    }
    printf("keys: %d\n", atomic_load(&destroyed));
}

/* ------------------------------------------------------------------ */

/* A thread that Boehm did not start, and one that stands apart from it while
   the others collect. */
static void *GC_CALLBACK
wait_apart(void *data)
{
    usleep(1000);
    return data;
}

static void *
stand_alone(void *data)
{
    struct GC_stack_base base;

    like_need(GC_get_stack_base(&base) == GC_SUCCESS);
    like_need(GC_register_my_thread(&base) == GC_SUCCESS);
    struct like_cell *list = like_cons(3, like_cons(4, NULL));
    like_need(GC_do_blocking(wait_apart, data) == data);
    GC_gcollect();
    *(long *)data = like_sum(list);
    GC_unregister_my_thread();
    return NULL;
}

#undef pthread_create
#undef pthread_join

static void
test_registered(void)
{
    long result = 0;
    pthread_t thread;

    GC_allow_register_threads();
    like_need(pthread_create(&thread, NULL, stand_alone, &result) == 0);
    for (int i = 0; i < 5; i++)
        like_collect();
    pthread_join(thread, NULL);
    printf("registered: %ld\n", result);
}

/* The child allocates and collects. */
static void
test_fork(void)
{
    struct like_cell *list = like_cons(1, like_cons(2, NULL));
    int status = 0;

    GC_atfork_prepare();
    pid_t child = fork();
    if (child == 0) {
        GC_atfork_child();
        for (int i = 0; i < 1000; i++)
            list = like_reversed(list);
        GC_gcollect();
        _exit(like_sum(list) == 5 ? 42 : 1);
    }
    GC_atfork_parent();
    like_need(child > 0 && waitpid(child, &status, 0) == child);
    printf("forked: %d, %ld\n", WEXITSTATUS(status), like_sum(list));
}

int
main(void)
{
    GC_INIT();
    like_test(test_fork);
    like_test(test_lists);
    like_test(test_spreading);
    like_test(test_keys);
    like_test(test_registered);
    like_test(test_lists);
    return 0;
}
