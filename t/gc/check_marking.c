/* check_marking.c: behind the API: collections by two markers, and the threads
   for them.

   The verdict on graphs made by chance is compared with a simple model's, by
   the way of few candidates, by the way of many with one marker, and with
   two.  So that two take part, each waits for the other when it traverses its
   first object. */

#define _GNU_SOURCE /* CPU_SET */
#include "../support/node.h"
#include "../support/suite.h"

#ifndef GC_THREADS
#define GC_THREADS
#endif
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gc/cycle.h"
#include "gc/base/fatal.h"
#include "gc/gcref.h"
#include "gc/marking.h"
#include "gc/check/traverse.h"
#include "gc/workers.h"
#include "pyboehm.h"

/* ------------------------------------------------------------------ */
/* Threads                                                             */

int __real_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);
int __real_pthread_join(pthread_t, void **);

/* Where libc's functions have no versions, as in musl, the linker has
   libraries refer to these, too, and they must be visible; what the libraries
   call is libc's. */
#pragma GCC visibility push(default)
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);
int __wrap_pthread_join(pthread_t, void **);
#pragma GCC visibility pop

static int no_threads; /* to be had */
static int n_created, n_joined;

int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                      void *(*start)(void *), void *arg)
{
    if (no_threads)
        return EAGAIN;
    n_created++;
    return __real_pthread_create(thread, attributes, start, arg);
}

int
__wrap_pthread_join(pthread_t thread, void **result)
{
    n_joined++;
    return __real_pthread_join(thread, result);
}

/* ------------------------------------------------------------------ */
/* Nodes that see to it that two markers are at work                   */

static pthread_t collector;
static int meeting;
static int came[2];       /* this thread, another one */
static sigset_t its_mask; /* the other one's */

static void
meet(void)
{
    int me = !pthread_equal(pthread_self(), collector);

    if (!meeting || __atomic_load_n(&came[me], __ATOMIC_RELAXED))
        return;
    if (me == 1)
        pthread_sigmask(SIG_BLOCK, NULL, &its_mask);
    __atomic_store_n(&came[me], 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&came[!me], __ATOMIC_ACQUIRE))
        sched_yield();
}

/* With checks this thread tries each slot before the markers begin, with visit
   functions of its own. */
static visitproc checking[4];
static int n_checking, learning;

static int
is_marking(visitproc visit)
{
    for (int i = 0; i < n_checking; i++)
        if (visit == checking[i])
            return 0;
    return 1;
}

static int
meeter_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (!is_marking(visit))
        return node_traverse(op, visit, arg);
    if (learning)
        checking[n_checking++] = visit;
    else
        meet();
    return node_traverse(op, visit, arg);
}

static PyTypeObject meeter_type = {
    NODE_TYPE("t.Meeter", node_dealloc, meeter_traverse, node_clear)};

/* More than fit into two parts of a walk: what the first to come leaves is
   enough for the other. */
enum { N = 8000 };
static struct node *nodes[N];

static void
begin(void)
{
    setenv("PYBOEHM_MARKERS", "1", 1);
    Py_Initialize();
    node_reset();
    ck_assert_int_eq(PyType_Ready(&meeter_type), 0);
    collector = pthread_self();
    PyGC_Disable();
    for (int i = 0; i < N; i++)
        nodes[i] = node_new(&meeter_type);
    learning = 1;
    n_checking = 0;
    pyb_traverse_try((PyObject *)nodes[0]);
    pyb_traverse_try_all(pyb_walk_generation(PYB_OLD));
    learning = 0;
}

/* Takes the nodes apart again. */
static void
end(void)
{
    for (int i = 0; i < N; i++) {
        nodes[i]->left = nodes[i]->right = NULL;
        Py_SET_REFCNT((PyObject *)nodes[i], 1);
        Py_DECREF(nodes[i]);
    }
    Py_Finalize();
}

static void
set_markers(const char *wish)
{
    setenv("PYBOEHM_MARKERS", wish, 1);
    pyb_workers_init();
    meeting = came[0] = came[1] = 0;
}

/* ------------------------------------------------------------------ */
/* Graphs, and the model                                               */

static uint64_t seed;

static unsigned
chance(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % n);
}

static long outside[N]; /* references that no node has; -1: one too few */
static char alive[N];

/* Where an edge of a graph of the kind leads. */
static PyObject *
target(unsigned kind, int i)
{
    switch (chance(8) == 0 ? chance(6) : kind) {
    case 0:
        return NULL;
    case 1:
        return (PyObject *)nodes[(i + 1) % N];
    case 2:
        return (PyObject *)nodes[chance(N)];
    case 3: /* near by */
        return (PyObject *)nodes[(i + N - 8 + (int)chance(17)) % N];
    case 4: /* a node that many refer to */
        return (PyObject *)nodes[N / 2];
    default: /* a ring of its own, of up to eight */
        return (PyObject *)nodes[i % 8 < 7 && i + 1 < N ? i + 1 : i & ~7];
    }
}

/* The number of references from outside, seldom an odd one. */
static long
owned(unsigned rarity)
{
    if (chance(rarity) != 0)
        return 0;
    switch (chance(20)) {
    case 0:
        return pyb_checks ? 1 : -1;
    case 1:
        return PYB_GCREF_MAX + (long)chance(100);
    default:
        return 1 + (long)chance(3);
    }
}

static void
make_graph(void)
{
    unsigned left = chance(6), right = chance(6);
    unsigned rarity = (unsigned[]){2, 50, 1000, 2 * N}[chance(4)];

    for (int i = 0; i < N; i++)
        Py_SET_REFCNT((PyObject *)nodes[i], 0);
    for (int i = 0; i < N; i++) {
        nodes[i]->label = i;
        nodes[i]->left = target(left, i);
        nodes[i]->right = target(right, i);
        Py_XINCREF(nodes[i]->left);
        Py_XINCREF(nodes[i]->right);
    }
    for (int i = 0; i < N; i++) {
        Py_ssize_t inside = Py_REFCNT((PyObject *)nodes[i]);

        outside[i] = owned(rarity);
        if (inside + outside[i] > 0) {
            Py_SET_REFCNT((PyObject *)nodes[i], inside + outside[i]);
        } else { /* some are being deallocated just now */
            outside[i] = 1;
            Py_SET_REFCNT((PyObject *)nodes[i], chance(4) ? inside + 1 : 0);
        }
    }
}

/* Which nodes live; returns how many do not. */
static size_t
model(void)
{
    static int stack[N];
    int depth = 0;
    size_t dead = N;

    memset(alive, 0, sizeof alive);
    for (int i = 0; i < N; i++) {
        if (outside[i] != 0 && !alive[i]) {
            alive[i] = 1;
            stack[depth++] = i;
        }
        while (depth > 0) {
            struct node *node = nodes[stack[--depth]];
            PyObject *next[2] = {node->left, node->right};

            dead--;
            for (int j = 0; j < 2; j++)
                if (next[j] != NULL &&
                    !alive[((struct node *)next[j])->label]) {
                    alive[((struct node *)next[j])->label] = 1;
                    stack[depth++] = (int)((struct node *)next[j])->label;
                }
        }
    }
    return dead;
}

/* The collector says the same. */
static void
judge(enum pyb_generation oldest, size_t dead)
{
    struct pyb_walk walk = pyb_walk_generation(oldest);
    struct pyb_cycle_result result = pyb_cycle_deduce(walk, PYB_UNTRACK_NONE);

    ck_assert_uint_eq(result.dead, dead);
    ck_assert_uint_eq(result.alive, pyb_walk_count(walk) - dead);
    ck_assert_int_eq(result.sound, 1);
    for (int i = 0; i < N; i++)
        if (pyb_cycle_is_dead((PyObject *)nodes[i]) == alive[i])
            ck_abort_msg("node %d is %s", i, alive[i] ? "alive" : "dead");
    pyb_cycle_forget(walk);
}

static void
judge_with_two(enum pyb_generation oldest, size_t dead)
{
    set_markers("2,0");
    meeting = 1;
    judge(oldest, dead);
    ck_assert_int_eq(came[1], 1);
}

/* By marking.c, with this thread alone. */
static void
judge_alone(enum pyb_generation oldest, size_t dead)
{
    pyb_workers_stop();
    set_markers("2,0");
    no_threads = 1;
    judge(oldest, dead);
    no_threads = 0;
    set_markers("1");
}

/* Under ThreadSanitizer all takes ten times as long, as with checks, and a
   process that others have forked off cannot start threads. */
static int
is_watched(void)
{
    return getenv("TSAN_OPTIONS") != NULL;
}

START_TEST(graphs_by_chance)
{
    int rounds = 1500;

    begin();
    if (pyb_checks || is_watched())
        rounds = 100;
    if (suite_is_slow())
        rounds = 10;
    for (int round = 0; round < rounds; round++) {
        enum pyb_generation oldest = round % 2 ? PYB_YOUNG : PYB_OLD;

        seed = (uint64_t)round;
        make_graph();
        size_t dead = model();
        set_markers("1");
        judge(oldest, dead);
        judge_with_two(oldest, dead);
        if (round % 8 == 0)
            judge_alone(oldest, dead);
    }
    end();
}

/* Nodes that all hang on one list: more than the stacks hold. */
START_TEST(wide_lists)
{
    enum { WIDE = 100000 };
    PyObject *list;
    struct pyb_walk walk;

    begin();
    list = PyList_New(0);
    for (int i = 0; i < WIDE; i++) {
        struct node *first = node_new(&node_type);
        struct node *second = node_new(&node_type);

        node_link(first, second, i % 100 == 0 ? list : NULL);
        node_link(second, first, nodes[i % N]);
        Py_DECREF(second);
        ck_assert_int_eq(PyList_Append(list, (PyObject *)first), 0);
        Py_DECREF(first);
    }
    for (int i = 0; i < N; i++) {
        alive[i] = 1;
        Py_DECREF(nodes[i]);
    }
    for (int i = 0; i < 3; i++) {
        judge_with_two(PYB_OLD, 0);
        judge_alone(PYB_OLD, 0);
    }
    /* All at once is dead, and revived. */
    memset(alive, 0, sizeof alive);
    Py_SET_REFCNT(list, Py_REFCNT(list) - 1);
    judge_with_two(PYB_OLD, 2 * WIDE + N + 1);
    judge_alone(PYB_OLD, 2 * WIDE + N + 1);
    set_markers("2,0");
    walk = pyb_walk_generation(PYB_OLD);
    ck_assert_uint_eq(pyb_cycle_deduce(walk, PYB_UNTRACK_NONE).dead,
                      2 * WIDE + N + 1);
    pyb_marking_resurrect(list, walk);
    for (int i = 0; i < N; i++)
        ck_assert(!pyb_cycle_is_dead((PyObject *)nodes[i]));
    pyb_cycle_forget(walk);
    PyGC_Enable();
    ck_assert_int_eq(PyGC_Collect(), 2 * WIDE + N + 1);
    ck_assert_int_eq(node_log.freed, node_log.made);
    Py_Finalize();
}

/* ------------------------------------------------------------------ */
/* Whole collections                                                   */

/* The same by two markers, or by one. */
static void
collect(const char *markers, Py_ssize_t dead)
{
    set_markers(markers);
    PyGC_Enable();
    ck_assert_int_eq(PyGC_Collect(), dead);
    PyGC_Disable();
}

static const char *const both[] = {"1", "2,0"};

START_TEST(untracked)
{
    enum { M = 10000 };
    static PyObject *tuples[M], *dicts[M];

    begin();
    for (int i = 0; i < M; i++) {
        tuples[i] = Py_BuildValue("(iO)", i, i % 3 ? Py_None : Py_Ellipsis);
        dicts[i] = i % 7 ? PyTuple_Pack(1, tuples[i])
                         : Py_BuildValue("(N)", PyList_New(0));
        ck_assert(tuples[i] != NULL && dicts[i] != NULL);
    }
    collect("2,0", 0);
    collect("2,0", 0);
    for (int i = 0; i < M; i++) {
        ck_assert(!PyObject_GC_IsTracked(tuples[i]));
        ck_assert_int_eq(PyObject_GC_IsTracked(dicts[i]), i % 7 == 0);
        suite_drop(tuples[i], dicts[i]);
    }
    end();
}

static PyObject *rescued;

static void
rescue(struct node *node)
{
    if (node->label % 10 == 0)
        ck_assert_int_eq(PyList_Append(rescued, (PyObject *)node), 0);
}

/* Pairs with finalizers; every tenth finalizer brings its node back to life,
   and so the other one of the pair. */
START_TEST(resurrected)
{
    enum { M = 40000 };

    begin();
    for (int k = 0; k < 2; k++) {
        node_log.on_finalize = rescue;
        rescued = PyList_New(0);
        long freed = node_log.freed;
        for (int i = 0; i < M; i++) {
            struct node *ring = node_ring(&node_final_type, 2);

            ring->label = 1 + i % 10;
            ((struct node *)ring->left)->label = 1;
            Py_DECREF(ring);
        }
        collect(both[k], 2 * M - 2 * M / 10);
        ck_assert_int_eq(node_log.freed - freed, 2 * M - 2 * M / 10);
        ck_assert_int_eq(PyList_GET_SIZE(rescued), M / 10);
        node_log.on_finalize = NULL;
        Py_DECREF(rescued);
        collect(both[k], 2 * M / 10);
        ck_assert_int_eq(node_log.freed - freed, 2 * M);
    }
    end();
}

static void
legacy_del(PyObject *Py_UNUSED(op))
{
}

static PyTypeObject legacy_type = {
    NODE_TYPE("t.Legacy", node_dealloc, node_traverse, node_clear),
    .tp_del = legacy_del};

/* Pairs, every other one with a node that has tp_del: neither goes. */
START_TEST(legacy)
{
    enum { M = 5000 };
    static struct node *kept[M];

    begin();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    for (int k = 0; k < 2; k++) {
        long freed = node_log.freed;
        for (int i = 0; i < M; i++) {
            node_drop_ring(&node_type, 2);
            kept[i] = node_new(&node_type);
            struct node *other = node_new(&legacy_type);
            node_link(kept[i], other, NULL);
            node_link(other, kept[i], NULL);
            suite_drop(other, kept[i]);
        }
        collect(both[k], 4 * M);
        ck_assert_int_eq(node_log.freed - freed, 2 * M);
        for (int i = 0; i < M; i++)
            Py_CLEAR(kept[i]->left);
    }
    end();
}

/* Instances with a managed dict, of heap types. */
static int
instance_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return PyObject_VisitManagedDict(op, visit, arg);
}

static int
instance_clear(PyObject *op)
{
    PyObject_ClearManagedDict(op);
    return 0;
}

static void
instance_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    PyObject_ClearWeakRefs(op);
    PyObject_ClearManagedDict(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot instance_slots[] = {
    {Py_tp_traverse, instance_traverse},
    {Py_tp_clear, instance_clear},
    {Py_tp_dealloc, instance_dealloc},
    {0, NULL},
};

static PyType_Spec instance_spec = {
    .name = "t.Instance",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
             Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_MANAGED_WEAKREF,
    .slots = instance_slots,
};

/* An instance that refers to the list, of a type of its own. */
static PyObject *
make_instance(PyObject *box)
{
    PyObject *type = suite_require(PyType_FromSpec(&instance_spec));
    PyObject *self = PyObject_CallNoArgs(type);
    Py_DECREF(type);
    ck_assert_ptr_nonnull(self);
    ck_assert_int_eq(PyObject_SetAttrString(self, "box", box), 0);
    return self;
}

static PyObject *
call_nothing(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    Py_RETURN_NONE;
}

static PyMethodDef nothing = {"nothing", call_nothing, METH_NOARGS, NULL};

static PyObject *
make_module(PyObject *box)
{
    PyObject *module = suite_require(PyModule_New("m"));
    ck_assert_int_eq(PyModule_AddObjectRef(module, "box", box), 0);
    return module;
}

static PyObject *
make_proxy(PyObject *box)
{
    PyObject *dict = suite_require(Py_BuildValue("{s:O}", "box", box));
    PyObject *proxy = PyDictProxy_New(dict);
    Py_DECREF(dict);
    return proxy;
}

static PyObject *
make_set(PyObject *box)
{
    PyObject *instance = make_instance(box), *set = PySet_New(NULL);

    ck_assert_int_eq(PySet_Add(set, instance), 0);
    Py_DECREF(instance);
    return set;
}

/* Its referent lives on in the list. */
static PyObject *
make_weakref(PyObject *box, PyObject *callback)
{
    PyObject *instance = make_instance(box);

    ck_assert_int_eq(PyList_Append(box, instance), 0);
    Py_DECREF(instance);
    return PyWeakref_NewRef(instance, callback);
}

static PyObject *
make_iterator(PyObject *box)
{
    PyObject *pair = PyTuple_Pack(2, box, box), *iterator;

    ck_assert_ptr_nonnull(pair);
    iterator = PyObject_GetIter(pair);
    Py_DECREF(pair);
    return iterator;
}

/* Fills the list with one object of each kind that refers to the list. */
static void
fill(PyObject *box)
{
    PyObject *function = PyCFunction_New(&nothing, box);

    ck_assert_int_eq(PyList_Append(box, function), 0);
    PyObject *made[] = {
        function,
        PyTuple_Pack(1, box),
        Py_BuildValue("[O]", box),
        Py_BuildValue("{s:O}", "box", box),
        make_iterator(box),
        PyObject_GetIter(box),
        PySeqIter_New(box),
        PyCallIter_New(function, box),
        PyMethod_New(function, box),
        PyCell_New(box),
        PySlice_New(box, box, box),
        make_module(box),
        PyObject_CallOneArg((PyObject *)&PyEnum_Type, box),
        PyObject_CallOneArg((PyObject *)&PyZip_Type, box),
        PyObject_CallOneArg((PyObject *)&PyProperty_Type, box),
        make_proxy(box),
        make_instance(box),
        make_set(box),
        make_weakref(box, function),
        PyObject_CallOneArg(PyExc_ValueError, box),
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(made); i++) {
        suite_require(made[i]);
        if (i > 0)
            ck_assert_int_eq(PyList_Append(box, made[i]), 0);
        Py_DECREF(made[i]);
    }
}

/* Lists with one of each kind, which refer to the lists.  Their tp_traverse
   run on both threads; ThreadSanitizer looks on. */
START_TEST(all_kinds)
{
    enum { M = 500 };
    static PyObject *boxes[M];

    begin();
    for (int i = 0; i < M; i++) {
        boxes[i] = PyList_New(0);
        fill(boxes[i]);
        if (i > 0)
            ck_assert_int_eq(PyList_Append(boxes[i], boxes[i / 2]), 0);
    }
    set_markers("2,0");
    struct pyb_walk walk = pyb_walk_generation(PYB_OLD);
    for (int i = 0; i < 4; i++) {
        meeting = 1;
        came[0] = came[1] = 0;
        ck_assert_uint_eq(pyb_cycle_deduce(walk, PYB_UNTRACK_NONE).dead, 0);
        pyb_cycle_forget(walk);
    }
    for (int i = 0; i < M; i++)
        Py_DECREF(boxes[i]);
    meeting = 0;
    PyGC_Enable();
    ck_assert_int_gt(PyGC_Collect(), 20 * M);
    ck_assert_ptr_null(PyErr_Occurred());
    end();
}

/* ------------------------------------------------------------------ */
/* The workers                                                            */

/* A verdict on one more graph, with two markers or alone. */
static void
judge_one(int with_two)
{
    seed++;
    make_graph();
    (with_two ? judge_with_two : judge_alone)(PYB_OLD, model());
}

/* What PYBOEHM_MARKERS may say, and how many helpers come of it. */
START_TEST(wishes_of_the_user)
{
    static const struct {
        const char *wish;
        int helpers;
    } wishes[] = {
        {"1", 0},    {"1,0", 0},       {"0,0", 0},
        {"-1,0", 0}, {"garbage", 0},   {"2", 0},
        {",0", 0},   {"2,8000000", 0}, {"2,0", 1},
        {"2x,0", 0}, {"999,0", 1},     {"2,garbage", 1},
        {" 2,1", 1}, {"2,-1", 0},      {"99999999999999999999,7", 1},
        {"1a,0", 0}, {"2,800a", 1},
    };

    begin();
    seed = 4;
    make_graph();
    size_t dead = model();
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        pyb_workers_stop();
        n_created = 0;
        set_markers(wishes[i].wish);
        judge(PYB_OLD, dead);
        ck_assert_msg(n_created == wishes[i].helpers, "%s: %d helpers",
                      wishes[i].wish, n_created);
    }
    end();
}

START_TEST(no_thread_to_be_had)
{
    begin();
    n_created = 0;
    judge_one(0);
    ck_assert_int_eq(n_created, 0);
    judge_one(1); /* the next one may have it */
    judge_one(1);
    ck_assert_int_eq(n_created, 1);
    end();
    ck_assert_int_eq(n_joined, 1);
}

START_TEST(signals_are_blocked)
{
    static const int ours[] = {SIGHUP,  SIGINT,  SIGTERM, SIGUSR1,
                               SIGALRM, SIGCHLD, SIGPROF, SIGUSR2};
    sigset_t before, after;

    begin();
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    judge_one(1);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        ck_assert_int_eq(sigismember(&its_mask, ours[i]), 1);
        ck_assert_int_eq(sigismember(&after, ours[i]),
                         sigismember(&before, ours[i]));
    }
    ck_assert_int_eq(sigismember(&its_mask, GC_get_suspend_signal()), 0);
    ck_assert_int_eq(sigismember(&its_mask, GC_get_thr_restart_signal()), 0);
    /* An incremental Boehm's, in the handler of the others, too. */
    ck_assert_int_eq(sigismember(&its_mask, SIGSEGV), 0);
    ck_assert_int_eq(sigismember(&its_mask, SIGBUS), 0);
    end();
}

START_TEST(initialized_again)
{
    for (int i = 1; i <= 5; i++) {
        begin();
        judge_one(1);
        judge_one(1);
        end();
        ck_assert_int_eq(n_created, i);
        ck_assert_int_eq(n_joined, i);
    }
}

/* The child of a fork ends well; returns in the parent. */
static void
expect_end(pid_t child)
{
    int status;

    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                  "the child ended with status %#x", (unsigned)status);
}

START_TEST(forked)
{
    begin();
    for (int i = 0; i < 5; i++) {
        judge_one(1);
        n_created = n_joined = 0;
        pid_t child = fork();
        if (child == 0) {
            judge_one(!is_watched());
            end();
            _exit(n_created != !is_watched() || n_joined != n_created);
        }
        expect_end(child);
        judge_one(1);
        ck_assert_int_eq(n_created, 0);
    }
    end();
}

static int forks_done;

static void *
fork_often(void *Py_UNUSED(arg))
{
    for (int i = 0; i < 40; i++) {
        pid_t child = fork();

        if (child == 0)
            _exit(0);
        expect_end(child);
    }
    __atomic_store_n(&forks_done, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* Another thread forks while collections run here. */
START_TEST(forked_meanwhile)
{
    pthread_t thread;

    begin();
    ck_assert_int_eq(__real_pthread_create(&thread, NULL, fork_often, NULL),
                     0);
    do
        judge_one(1);
    while (!__atomic_load_n(&forks_done, __ATOMIC_ACQUIRE));
    ck_assert_int_eq(__real_pthread_join(thread, NULL), 0);
    end();
}

/* As many threads as the process may use processors, from many objects on. */
START_TEST(processors_of_the_process)
{
    static const char *const no_wishes[] = {NULL, ""};
    enum { MANY = 1000000 };
    cpu_set_t before, one;

    if (!suite_has("SCHED_GETAFFINITY"))
        return;
    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    for (int i = 0; i < 2; i++) {
        unsetenv("PYBOEHM_MARKERS");
        if (no_wishes[i] != NULL)
            setenv("PYBOEHM_MARKERS", no_wishes[i], 1);
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
        pyb_workers_init();
        ck_assert_int_eq(pyb_workers_count(MANY), 1);
        ck_assert_int_eq(sched_setaffinity(0, sizeof before, &before), 0);
        pyb_workers_init();
        ck_assert_int_eq(pyb_workers_count(MANY),
                         CPU_COUNT(&before) > 1 ? 2 : 1);
        ck_assert_int_eq(pyb_workers_count(100), 1);
    }
}

START_TEST(limits_of_the_workers)
{
    setenv("PYBOEHM_MARKERS", "2,10", 1);
    pyb_workers_init();
    ck_assert_int_eq(pyb_workers_count(9), 1);
    ck_assert_int_eq(pyb_workers_count(10), 2);
    setenv("PYBOEHM_MARKERS", "0,10", 1);
    pyb_workers_init();
    ck_assert_int_eq(pyb_workers_count(9), 1);
    ck_assert_int_eq(pyb_workers_count(10), 1);
}

/* A list of more than the stack holds: what was pending is untracked like the
   rest, and what is dead beside it stays so. */
START_TEST(wide_lists_beside_garbage)
{
    enum { WIDE = 100000, RINGS = 1000 };

    begin();
    for (int i = 0; i < 2; i++) {
        PyObject *list = PyList_New(0);

        for (int j = 0; j < WIDE; j++) {
            PyObject *tuple = Py_BuildValue("(i)", j);
            ck_assert_int_eq(PyList_Append(list, tuple), 0);
            Py_DECREF(tuple);
            if (j % (WIDE / RINGS) == 0)
                node_drop_ring(&node_type, 2);
        }
        collect(both[i], 2 * RINGS);
        for (int j = 0; j < WIDE; j++)
            ck_assert(!PyObject_GC_IsTracked(PyList_GET_ITEM(list, j)));
        Py_DECREF(list);
    }
    end();
}

/* What has been untracked is not counted among the living. */
START_TEST(the_living_are_counted)
{
    begin();
    for (int i = 0; i < 2; i++) {
        PyObject *tuple = Py_BuildValue("(i)", i);
        PyObject *outer = PyTuple_Pack(2, tuple, nodes[0]);

        node_drop_ring(&node_type, 3);
        set_markers(both[i]);
        struct pyb_walk walk = pyb_walk_generation(PYB_OLD);
        size_t n = pyb_walk_count(walk);
        struct pyb_cycle_result result =
            pyb_cycle_deduce(walk, PYB_UNTRACK_ALL);
        ck_assert_uint_le(pyb_walk_count(walk), n - 1);
        ck_assert_uint_eq(result.dead, 3);
        ck_assert_uint_eq(result.alive, pyb_walk_count(walk) - 3);
        ck_assert_int_eq(result.sound, 1);
        pyb_cycle_forget(walk);
        collect(both[i], 3);
        suite_drop(tuple, outer);
    }
    end();
}

/* A traversal goes on after an object that is not in Boehm's heap. */
START_TEST(strangers_hide_nobody)
{
    begin();
    for (int i = 0; i < N; i++)
        node_link(nodes[i], &node_type, nodes[(i + 1) % N]);
    for (int i = 0; i < N; i++)
        Py_DECREF(nodes[i]);
    for (int k = 0; k < 2; k++) {
        Py_SET_REFCNT((PyObject *)nodes[0], 1 + k);
        memset(alive, k, sizeof alive);
        set_markers("1");
        judge(PYB_OLD, k ? 0 : N);
        judge_with_two(PYB_OLD, k ? 0 : N);
        judge_alone(PYB_OLD, k ? 0 : N);
    }
    end();
}

/* One marker alone, which the system gives no helper, or which is asked for no
   more: neither way's stack overflows. */
START_TEST(wide_list_for_one)
{
    enum { WIDE = PYB_CYCLE_FEW + PYB_CYCLE_FEW / 2 };
    PyObject *list;

    begin();
    list = PyList_New(0);
    for (int i = 0; i < WIDE; i++) {
        PyObject *item = PyList_New(0);
        ck_assert_int_eq(PyList_Append(list, item), 0);
        Py_DECREF(item);
    }
    node_drop_ring(&node_type, 2);
    collect("1", 2);
    Py_DECREF(list);
    end();
}

/* ------------------------------------------------------------------ */
/* Sharing                                                             */

static int traversed, others;

/* Counts what is not this thread's once all have been traversed, for the
   references, and lets others run. */
static int
shared_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (__atomic_add_fetch(&traversed, 1, __ATOMIC_RELAXED) > N) {
        if (!pthread_equal(pthread_self(), collector))
            __atomic_add_fetch(&others, 1, __ATOMIC_RELAXED);
        sched_yield();
    }
    return node_traverse(op, visit, arg);
}

/* One list has all: the marker that finds it has everything to do, unless it
   gives some away. */
START_TEST(work_is_shared)
{
    PyObject *list;

    begin();
    list = suite_require(PyList_New(0));
    meeter_type.tp_traverse = shared_traverse;
    for (int i = 0; i < N; i++) {
        nodes[i]->label = i;
        outside[i] = 1;
        ck_assert_int_eq(PyList_Append(list, (PyObject *)nodes[i]), 0);
        Py_SET_REFCNT((PyObject *)nodes[i], 1);
    }
    do {
        set_markers("2,0");
        traversed = others = 0;
        judge(PYB_OLD, model());
    } while (others == 0 || others == traversed - N);
    for (int i = 0; i < N; i++)
        Py_SET_REFCNT((PyObject *)nodes[i], 2);
    Py_DECREF(list);
    meeter_type.tp_traverse = meeter_traverse;
    end();
}

int
main(void)
{
    return suite_run_early("gc: markers");
}
