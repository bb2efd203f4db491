/* check_threads_stress.c: sixteen threads at a time, for a few seconds, or for
   as many as PYBOEHM_TEST_SECONDS says (make soak-threads SECONDS=n).

   Half of them attach and detach, and do what one may do then, from
   finalizers, too: t/crowd/attached.c.  The other half are plain threads of
   Boehm's: t/crowd/plain.c.  Each lives for some hundred deeds; another one
   takes its seat.  One life in eight ends without its PyGILState_Release.

   In the end all counted items are gone, and nearly all adopted ones, of which
   a stale word may hold some.

   What chance does depends on the seed, which is printed, and on the
   scheduler.  PYBOEHM_TEST_FORKS=0 has none of them fork; nor do they where a
   child's malloc could be locked for ever. */

#include "../crowd/crowd.h"

#include <semaphore.h>
#include <time.h>

enum { SEATS = 16 };

static struct life lives[SEATS];
static sem_t ended;
static int ended_seats[SEATS], n_ended;
static pthread_mutex_t ended_mutex = PTHREAD_MUTEX_INITIALIZER;

void
life_end(struct life *life)
{
    pthread_mutex_lock(&ended_mutex);
    ended_seats[n_ended++] = life->seat;
    pthread_mutex_unlock(&ended_mutex);
    sem_post(&ended);
}

/* Attached ones are unknown to Boehm, or not. */
static void
begin_life(int seat, unsigned long long seed)
{
    struct life *life = &lives[seat];

    life->seat = seat;
    life->random = seed * 0x9e3779b97f4a7c15u + (unsigned)seat + 1;
    life->deeds = 100 + (int)life_chance(life, 400);
    if (seat % 2 == 1)
        must(GC_pthread_create(&life->thread, NULL, life_plain, life) == 0);
    else if (seat % 4 == 0)
        must(pthread_create(&life->thread, NULL, life_attached, life) == 0);
    else
        must(GC_pthread_create(&life->thread, NULL, life_attached, life) == 0);
}

/* Waits for a life to end; returns its seat. */
static int
take_ended(void)
{
    int seat;

    while (sem_wait(&ended) < 0)
        ;
    pthread_mutex_lock(&ended_mutex);
    seat = ended_seats[--n_ended];
    pthread_mutex_unlock(&ended_mutex);
    if (seat % 4 == 0)
        must(pthread_join(lives[seat].thread, NULL) == 0);
    else
        must(GC_pthread_join(lives[seat].thread, NULL) == 0);
    return seat;
}

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* How many lives there were: on a slow machine each seat has two, in whatever
   time they take. */
static long
live_for(double seconds, unsigned long long seed)
{
    double end = now() + seconds;
    long n = 0;
    int alive;

    sem_init(&ended, 0, 0);
    for (alive = 0; alive < SEATS; alive++)
        begin_life(alive, seed + (unsigned)++n);
    while (alive > 0) {
        int seat = take_ended();
        if (now() < end || n < 2 * SEATS)
            begin_life(seat, seed + (unsigned)++n);
        else
            alive--;
    }
    return n;
}

static void
drop_everything(void)
{
    for (int i = 0; i < POOL; i++)
        Py_CLEAR(crowd_pool[i]);
    for (unsigned i = 0; i < SLOTS; i++) {
        slot_store(i, NULL);
        Py_CLEAR(crowd_weak[i]);
    }
    GC_set_finalize_on_demand(0);
    for (int i = 0; i < 3; i++) {
        suite_forget_stack();
        PyBoehm_GC_CollectAll();
    }
}

static double
seconds_to_run(void)
{
    const char *wish = getenv("PYBOEHM_TEST_SECONDS");

    return wish != NULL ? strtod(wish, NULL) : 2;
}

static int
they_fork(void)
{
    const char *wish = getenv("PYBOEHM_TEST_FORKS");

    return suite_malloc_survives_fork() &&
           (wish == NULL || strcmp(wish, "0") != 0);
}

START_TEST(sixteen_threads)
{
    const char *wish = getenv("PYBOEHM_TEST_SEED");
    unsigned long long seed = wish != NULL ? strtoull(wish, NULL, 10) : 1;
    long n;

    crowd_forks = they_fork();
    items_init();
    crowd_slots = GC_MALLOC_UNCOLLECTABLE(SLOTS * sizeof *crowd_slots);
    printf("# PYBOEHM_TEST_SEED=%llu\n", seed);
    fflush(stdout);
    Py_BEGIN_ALLOW_THREADS
    n = live_for(seconds_to_run(), seed);
    Py_END_ALLOW_THREADS
    life_come_in(&lives[0]); /* finalizers ask for this */
    drop_everything();
    printf("# %ld lives; of %ld counted items %ld are left, of %ld others "
           "%ld; %ld finalized\n",
           n, items_made[1], items_made[1] - items_freed[1], items_made[0],
           items_made[0] - items_freed[0], items_finalized);
    ck_assert_int_ge(n, 2 * SEATS);
    ck_assert_int_gt(items_made[1], 100);
    ck_assert_int_eq(items_made[1], items_freed[1]);
    if (!GC_is_disabled())
        ck_assert_int_lt(items_made[0] - items_freed[0],
                         200 + items_made[0] / 20);
}

int
main(void)
{
    if (!BOEHM_COLLECTS)
        setenv("GC_DONT_GC", "1", 0);
    return suite_run("threads: sixteen at a time");
}
