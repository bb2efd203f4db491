/* check_threads_stress.c: sixteen threads at a time, for a few seconds, or for
   as many as PYBOEHM_TEST_SECONDS says (make soak-threads SECONDS=n).

   Half of them attach and detach, and make, link, drop, exchange and adopt
   items, collect, fork, raise_one, let others in, from finalizers, too.  The
   other half are plain threads of Boehm's that allocate, and hold adopted
   items in what they allocate.  Each lives for some hundred deeds; another one
   takes its seat.  One life in eight ends without its PyGILState_Release.

   An item knows whether it is alive, and whoever meets one asks.  Whoever is
   attached is the only one, and nobody is while tp_traverse runs.  In the end
   all counted items are gone, and nearly all adopted ones, of which a stale
   word may hold some.

   What chance does depends on the seed, which is printed, and on the
   scheduler. */

#include "suite.h"

#include <pthread.h>
#include <pyboehm.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <time.h>

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

enum { SEATS = 16, OWN = 24, POOL = 200, SLOTS = 64 };

#ifdef __SANITIZE_THREAD__
/* It delivers signals when a thread calls something next: one that waits for
   the mutex of another that Boehm has stopped never does.  It knows nothing of
   a child's threads.  Boehm's lock is not instrumented: memory that changes
   hands in its heap seems to be written by two. */
enum { FORKS = 0, BOEHM_COLLECTS = 0 };
#define BOEHMS_MEMORY __attribute__((no_sanitize("thread")))
#else
enum { FORKS = 1, BOEHM_COLLECTS = 1 };
#define BOEHMS_MEMORY
#endif

/* Check's assertions are for one thread. */
#define must(condition) ((condition) ? (void)0 : broken(__LINE__, #condition))
static void
broken(int line, const char *text)
{
    fprintf(stderr, "check_threads_stress.c:%d: %s\n", line, text);
    abort();
}

/* One thread's life. */
struct life {
    unsigned long long random;
    int seat;
    int deeds;
    pthread_t thread;
    PyObject *own[OWN]; /* counted references, or NULL */
};

static struct life lives[SEATS];
static struct life *attached; /* of the lock's holder */
static int traversing;        /* tp_traverse calls under way */
static sem_t ended;
static int ended_seats[SEATS], n_ended;
static pthread_mutex_t ended_mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned
chance(struct life *life, unsigned n)
{
    life->random ^= life->random << 13;
    life->random ^= life->random >> 7;
    life->random ^= life->random << 17;
    return (unsigned)(life->random >> 11) % n;
}

/* ------------------------------------------------------------------ */
/* Items                                                               */

#define MAGIC ((uintptr_t)0x5a5a5a5a5a5a5a)

struct item {
    PyObject_HEAD
    uintptr_t alive; /* the address and MAGIC */
    PyObject *refs[2];
    void *host; /* GC_MALLOC memory */
    int counted;
};

/* Of counted items and of those that may be adopted. */
static long made[2], freed[2], finalized;

/* A thread that comes in checks that it is alone. */
static void
come_in(struct life *life)
{
    must(PyGILState_Check());
    must(attached == NULL);
    must(__atomic_load_n(&traversing, __ATOMIC_ACQUIRE) == 0);
    attached = life;
}

static void
go_out(struct life *life)
{
    must(attached == life);
    attached = NULL;
}

/* Whoever is attached. */
static void
let_others_in(void)
{
    struct life *life = attached;

    go_out(life);
    Py_BEGIN_ALLOW_THREADS
    Py_END_ALLOW_THREADS
    come_in(life);
}

static int
is_alive(const void *op)
{
    return ((const struct item *)op)->alive == ((uintptr_t)op ^ MAGIC);
}

static int
item_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct item *self = (struct item *)op;

    must(is_alive(op));
    __atomic_add_fetch(&traversing, 1, __ATOMIC_ACQ_REL);
    Py_VISIT(self->refs[0]);
    Py_VISIT(self->refs[1]);
    __atomic_sub_fetch(&traversing, 1, __ATOMIC_ACQ_REL);
    return 0;
}

static int
item_clear(PyObject *op)
{
    struct item *self = (struct item *)op;

    must(is_alive(op));
    Py_CLEAR(self->refs[0]);
    Py_CLEAR(self->refs[1]);
    return 0;
}

static void
item_finalize(PyObject *op)
{
    must(is_alive(op));
    must(attached != NULL);
    if (++finalized % 16 == 0)
        let_others_in();
}

static void
item_dealloc(PyObject *op)
{
    struct item *self = (struct item *)op;

    must(is_alive(op));
    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    if (self->counted && freed[1] % 64 == 0)
        let_others_in();
    Py_CLEAR(self->refs[0]);
    Py_CLEAR(self->refs[1]);
    must(is_alive(op));
    self->alive = 0;
    freed[self->counted]++;
    PyObject_GC_Del(op);
}

static PyTypeObject item_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Item",
    .tp_basicsize = sizeof(struct item),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_dealloc = item_dealloc,
    .tp_traverse = item_traverse,
    .tp_clear = item_clear,
};

static PyTypeObject final_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.FinalItem",
    .tp_basicsize = sizeof(struct item),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_base = &item_type,
    .tp_dealloc = item_dealloc,
    .tp_traverse = item_traverse,
    .tp_clear = item_clear,
    .tp_finalize = item_finalize,
};

static PyObject *
item_new(struct life *life, int counted)
{
    PyTypeObject *type = chance(life, 4) == 0 ? &final_type : &item_type;
    struct item *self = PyObject_GC_New(struct item, type);

    must(self != NULL);
    self->alive = (uintptr_t)self ^ MAGIC;
    self->refs[0] = self->refs[1] = NULL;
    self->host = chance(life, 4) == 0 ? GC_MALLOC(40) : NULL;
    self->counted = counted;
    made[counted]++;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

/* ------------------------------------------------------------------ */
/* What attached threads do                                            */

static PyObject *pool[POOL]; /* counted references, of nobody's thread */
static void **slots;         /* a root of Boehm's: adopted items, or NULL */

static void *
slot_load(unsigned i)
{
    return __atomic_load_n(&slots[i], __ATOMIC_ACQUIRE);
}

static void
slot_store(unsigned i, void *op)
{
    __atomic_store_n(&slots[i], op, __ATOMIC_RELEASE);
}

static void
make(struct life *life)
{
    PyObject *op = item_new(life, (int)chance(life, 2));

    Py_XSETREF(life->own[chance(life, OWN)], op);
}

/* What is counted may own what may be adopted, not the other way round, so
   that no stale word keeps it. */
static void
link_items(struct life *life)
{
    struct item *from = (struct item *)life->own[chance(life, OWN)];
    PyObject *to = life->own[chance(life, OWN)];

    if (from == NULL || to == NULL ||
        (!from->counted && ((struct item *)to)->counted))
        return;
    must(is_alive(from) && is_alive(to));
    Py_XSETREF(from->refs[chance(life, 2)], Py_NewRef(to));
}

static void
drop(struct life *life)
{
    Py_CLEAR(life->own[chance(life, OWN)]);
}

static void
exchange(struct life *life)
{
    unsigned i = chance(life, OWN), j = chance(life, POOL);
    PyObject *op = life->own[i];

    life->own[i] = pool[j];
    pool[j] = op;
}

static void
adopt(struct life *life)
{
    PyObject *op = item_new(life, 0);
    PyObject *next = slot_load(chance(life, SLOTS));

    if (next != NULL) {
        must(is_alive(next));
        ((struct item *)op)->refs[0] = Py_NewRef(next);
    }
    must(PyBoehm_Adopt(op) == op);
    slot_store(chance(life, SLOTS), op);
}

/* What Boehm holds may be counted as well. */
static void
take_from_slot(struct life *life)
{
    PyObject *op = slot_load(chance(life, SLOTS));

    if (op == NULL)
        return;
    must(is_alive(op));
    Py_XSETREF(life->own[chance(life, OWN)], Py_NewRef(op));
}

static void
collect(struct life *life)
{
    unsigned n = chance(life, 40);

    if (n == 0)
        PyBoehm_GC_CollectAll();
    else
        PyBoehm_GC_Collect(n < 4 ? 2 : (int)n % 2);
}

static void
raise_one(struct life *life)
{
    int error = chance(life, 2) ? 1 : 0;
    PyObject *types[2] = {PyExc_ValueError, PyExc_TypeError};

    must(PyErr_Occurred() == NULL);
    PyErr_Format(types[error], "of seat %d", life->seat);
    let_others_in();
    must(PyErr_ExceptionMatches(types[error]));
    PyErr_Clear();
}

static int
count_call(void *n)
{
    must(PyGILState_Check());
    ++*(int *)n;
    return 0;
}

static void
make_calls(struct life *life)
{
    static int calls;

    (void)Py_AddPendingCall(count_call, &calls);
    go_out(life);
    must(Py_MakePendingCalls() == 0);
    come_in(life);
}

static void
wait_for_child(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    must(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The child goes on alone. */
static void
fork_attached(struct life *life)
{
    if (!FORKS || chance(life, 200) != 0)
        return;
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) {
        PyOS_AfterFork_Child();
        for (int i = 0; i < 500; i++)
            make(life);
        PyGC_Collect();
        _exit(0);
    }
    go_out(life);
    Py_BEGIN_ALLOW_THREADS
    wait_for_child(child);
    Py_END_ALLOW_THREADS
    come_in(life);
}

static void
nest(struct life *life)
{
    PyGILState_STATE state = PyGILState_Ensure();

    must(state == PyGILState_LOCKED);
    make(life);
    PyGILState_Release(state);
    must(PyGILState_Check());
}

static void (*const deeds[])(struct life *) = {
    make,           make,    make,      link_items, link_items,    link_items,
    link_items,     drop,    drop,      adopt,      exchange,      exchange,
    take_from_slot, collect, raise_one, make_calls, fork_attached, nest};

static void
do_some(struct life *life)
{
    for (unsigned n = 1 + chance(life, 20); n > 0; n--)
        deeds[chance(life, (unsigned)Py_ARRAY_LENGTH(deeds))](life);
}

static void
end_life(struct life *life)
{
    pthread_mutex_lock(&ended_mutex);
    ended_seats[n_ended++] = life->seat;
    pthread_mutex_unlock(&ended_mutex);
    sem_post(&ended);
}

static void *
live_attached(void *arg)
{
    struct life *life = arg;

    for (; life->deeds > 0; life->deeds -= 10) {
        PyGILState_STATE state = PyGILState_Ensure();
        come_in(life);
        do_some(life);
        if (life->deeds <= 10) {
            for (int i = 0; i < OWN; i++)
                Py_CLEAR(life->own[i]);
            PyDict_SetItemString(PyThreadState_GetDict(), "left", Py_None);
        }
        go_out(life);
        if (life->deeds > 10 || chance(life, 8) != 0)
            PyGILState_Release(state);
        else if (chance(life, 2) == 0)
            PyEval_SaveThread();
    }
    end_life(life);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* What plain threads do                                               */

/* A list in Boehm's heap. */
struct block {
    struct block *next;
    void *item; /* adopted, or NULL */
    uintptr_t filled[6];
};

BOEHMS_MEMORY static struct block *
block_new(struct block *next, void *item)
{
    struct block *block = GC_MALLOC(sizeof *block);

    must(block != NULL && block->next == NULL);
    block->next = next;
    block->item = item;
    for (int i = 0; i < 6; i++)
        block->filled[i] = ~(uintptr_t)block;
    return block;
}

BOEHMS_MEMORY static void
blocks_check(const struct block *block)
{
    for (; block != NULL; block = block->next) {
        must(block->item == NULL || is_alive(block->item));
        for (int i = 0; i < 6; i++)
            must(block->filled[i] == ~(uintptr_t)block);
    }
}

static void
fork_plain(void)
{
    pid_t child = fork();

    must(child >= 0);
    if (child == 0) {
        for (int i = 0; i < 1000; i++)
            (void)GC_MALLOC(64);
        _exit(0);
    }
    wait_for_child(child);
}

static void *
live_plain(void *arg)
{
    struct life *life = arg;
    struct block *blocks = NULL;
    int length = 0;

    for (; life->deeds > 0; life->deeds--) {
        unsigned deed = chance(life, 400);

        blocks = block_new(blocks, slot_load(chance(life, SLOTS)));
        length++;
        if (deed < 20)
            slot_store(chance(life, SLOTS), NULL);
        if (deed == 20)
            GC_gcollect();
        if (deed == 21 && FORKS && chance(life, 20) == 0)
            fork_plain();
        if (deed > 390 || length > 100) {
            blocks_check(blocks);
            blocks = NULL;
            length = 0;
        }
    }
    blocks_check(blocks);
    end_life(life);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* The test                                                            */

/* Attached ones are unknown to Boehm, or not. */
static void
begin_life(int seat, unsigned long long seed)
{
    struct life *life = &lives[seat];

    life->seat = seat;
    life->random = seed * 0x9e3779b97f4a7c15u + (unsigned)seat + 1;
    life->deeds = 100 + (int)chance(life, 400);
    if (seat % 2 == 1)
        must(GC_pthread_create(&life->thread, NULL, live_plain, life) == 0);
    else if (seat % 4 == 0)
        must(pthread_create(&life->thread, NULL, live_attached, life) == 0);
    else
        must(GC_pthread_create(&life->thread, NULL, live_attached, life) == 0);
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

/* How many lives there were. */
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
        if (now() < end)
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
        Py_CLEAR(pool[i]);
    for (unsigned i = 0; i < SLOTS; i++)
        slot_store(i, NULL);
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

START_TEST(sixteen_threads)
{
    const char *wish = getenv("PYBOEHM_TEST_SEED");
    unsigned long long seed =
        wish != NULL ? strtoull(wish, NULL, 10) : (unsigned)time(NULL);
    long n;

    must(PyType_Ready(&item_type) == 0 && PyType_Ready(&final_type) == 0);
    slots = GC_MALLOC_UNCOLLECTABLE(SLOTS * sizeof *slots);
    printf("# PYBOEHM_TEST_SEED=%llu\n", seed);
    fflush(stdout);
    Py_BEGIN_ALLOW_THREADS
    n = live_for(seconds_to_run(), seed);
    Py_END_ALLOW_THREADS
    attached = &lives[0]; /* finalizers ask for somebody */
    drop_everything();
    printf("# %ld lives; of %ld counted items %ld are left, of %ld others "
           "%ld; %ld finalized\n",
           n, made[1], made[1] - freed[1], made[0], made[0] - freed[0],
           finalized);
    ck_assert_int_gt(n, SEATS);
    ck_assert_int_gt(made[1], 100);
    ck_assert_int_eq(made[1], freed[1]);
    if (!GC_is_disabled())
        ck_assert_int_lt(made[0] - freed[0], 200 + made[0] / 20);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {sixteen_threads, 0},
        {NULL, 0},
    };

    setenv("PYBOEHM_MARKERS", "2,500", 0); /* helpers, for small heaps, too */
    if (!BOEHM_COLLECTS)
        setenv("GC_DONT_GC", "1", 0);
    return suite_run("threads: sixteen at a time", tests);
}
