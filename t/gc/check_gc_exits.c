/* check_gc_exits.c: code of the host's that leaves a collection by longjmp, as
   escaping continuations and exceptions of C++ do: the next one is told of it,
   and finds what there was. */

#include "../support/fiber.h"
#include "../support/node.h"
#include "../support/suite.h"
#include "../support/threads.h"

#include <pthread.h>
#include <pyboehm.h>
#include <sched.h>
#include <setjmp.h>

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/gc_mark.h>

enum { RING = 5 };

/* Code whose calls are not noted one by one. */
#define ABOUT_ALL                                                             \
    "a tp_traverse, a tp_dealloc, a callback or a finalizer of Boehm's"

static jmp_buf out;
static volatile int jumps; /* how many more */
static pthread_t jumper;

static void
jump(struct node *Py_UNUSED(node))
{
    if (jumps > 0 && pthread_equal(pthread_self(), jumper)) {
        jumps--;
        longjmp(out, 1);
    }
}

/* ------------------------------------------------------------------ */
/* How deep things are                                                 */

static Py_ssize_t
collect(void)
{
    return PyGC_Collect();
}

/* Calls function below so many bytes of stack, which it overwrites. */
static Py_ssize_t __attribute__((noinline))
deeper(int kilobytes, Py_ssize_t (*function)(void))
{
    volatile char room[1024];
    Py_ssize_t result;

    memset((char *)room, kilobytes, sizeof room);
    result = kilobytes > 0 ? deeper(kilobytes - 1, function) : function();
    room[0] = 0;
    return result;
}

/* Collects, so many KB below, and is left. */
static void
leave_collection(int kilobytes)
{
    jumps = 1;
    jumper = pthread_self();
    if (setjmp(out) == 0) {
        deeper(kilobytes, collect);
        ck_abort_msg("nobody has left");
    }
    ck_assert_int_eq(jumps, 0);
}

/* That the next collection finds n, and tells of what was left, once. */
static void
finds_and_tells(Py_ssize_t n, int kilobytes, const char *where)
{
    char expected[200];
    Py_ssize_t found;
    char *told;

    suite_catch_stderr();
    found = deeper(kilobytes, collect);
    found += PyGC_Collect();
    told = suite_caught_stderr();
    snprintf(expected, sizeof expected,
             "pyboehm: a collection has been left by a jump out of %s; it is "
             "given up\n",
             where);
    ck_assert_str_eq(told, expected);
    ck_assert_int_eq(found, n);
    free(told);
}

/* ------------------------------------------------------------------ */
/* Each slot                                                           */

START_TEST(out_of_tp_clear)
{
    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV"))
        return;
    static const int depths[] = {0, 3, 40};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(depths); i++)
        for (size_t j = 0; j < Py_ARRAY_LENGTH(depths); j++) {
            node_reset();
            node_log.on_clear = jump;
            node_drop_ring(&node_type, RING);
            leave_collection(depths[i]);
            finds_and_tells(RING, depths[j], "tp_clear of a t.Node");
            ck_assert_int_eq(node_log.freed, RING);
        }
}

START_TEST(out_of_tp_finalize)
{
    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV"))
        return;
    node_reset();
    node_log.on_finalize = jump;
    node_drop_ring(&node_final_type, RING);
    leave_collection(0);
    finds_and_tells(RING, 0, "tp_finalize of a t.FinalNode");
    ck_assert_int_eq(node_log.freed, RING);
    ck_assert_int_eq(node_log.finalized, RING);
}

static int
traverse_or_jump(PyObject *op, visitproc visit, void *arg)
{
    if (!pthread_equal(pthread_self(), jumper))
        while (jumps > 0) /* a helper has not done it all by then */
            sched_yield();
    jump((struct node *)op);
    return node_traverse(op, visit, arg);
}

/* Of few objects, and of many, of which a helper may have a part. */
START_TEST(out_of_tp_traverse)
{
    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV"))
        return;
    static const long sizes[] = {RING, 40000};

    node_type.tp_traverse = traverse_or_jump;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(sizes); i++)
        for (int nth = 1; nth < 3; nth++) {
            node_reset();
            node_drop_ring(&node_type, sizes[i]);
            leave_collection(3 * nth);
            finds_and_tells(sizes[i], 0, ABOUT_ALL);
            ck_assert_int_eq(node_log.freed, sizes[i]);
        }
    node_type.tp_traverse = node_traverse;
}

static PyObject *
jump_out(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ref))
{
    jump(NULL);
    Py_RETURN_NONE;
}

static PyMethodDef jump_def = {"jump", jump_out, METH_O, NULL};

START_TEST(out_of_a_callback)
{
    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV"))
        return;
    PyObject *cls = suite_class("s(){}", "Class");
    PyObject *callback = PyCFunction_New(&jump_def, NULL);
    PyObject *ref = PyWeakref_NewRef(cls, callback);
    char *told;

    ck_assert_ptr_nonnull(ref);
    Py_DECREF(cls);
    leave_collection(0);
    suite_catch_stderr();
    ck_assert_int_gt(PyGC_Collect(), 0);
    told = suite_caught_stderr();
    ck_assert_ptr_nonnull(strstr(told, "out of " ABOUT_ALL));
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
    free(told);
    suite_drop(ref, callback);
}

/* ------------------------------------------------------------------ */
/* What comes next                                                     */

START_TEST(the_library_can_end)
{
    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    node_reset();
    node_log.on_clear = jump;
    node_drop_ring(&node_type, RING);
    leave_collection(0);
    suite_catch_stderr();
    Py_Finalize();
    free(suite_caught_stderr());
    Py_Initialize();
}

static int
clear_and_jump(PyObject *op)
{
    node_clear(op);
    jump((struct node *)op);
    return 0;
}

static void
collect_once(struct node *Py_UNUSED(node))
{
    node_log.on_dealloc = NULL;
    PyGC_Collect();
}

/* The object that was being cleared dies as the collection is given up, and
   its deallocation collects. */
START_TEST(it_is_told_before_more_is_called)
{
    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    node_reset();
    node_type.tp_clear = clear_and_jump;
    node_drop_ring(&node_type, 1);
    leave_collection(0);
    node_log.on_dealloc = collect_once;
    finds_and_tells(0, 0, "tp_clear of a t.Node");
    ck_assert_ptr_null(node_log.on_dealloc);
    ck_assert_int_eq(node_log.freed, 1);
    node_type.tp_clear = node_clear;
}

static void
leave_and_collect(struct node *Py_UNUSED(node))
{
    node_log.on_dealloc = NULL;
    node_log.on_clear = jump;
    leave_collection(0);
    finds_and_tells(RING, 0, "tp_clear of a t.Node");
}

/* What a deallocation by count has begun ends there: the deallocation goes
   on. */
START_TEST(a_deallocation_survives_what_it_left)
{
    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    node_reset();
    node_drop_ring(&node_type, RING);
    struct node *node = node_new(&node_type);
    node_log.on_dealloc = leave_and_collect;
    Py_DECREF(node);
    ck_assert_ptr_null(node_log.on_dealloc);
    ck_assert_int_eq(node_log.freed, RING + 1);
}

static void
notice(struct node *Py_UNUSED(node))
{
    node_log.on_dealloc = NULL;
    finds_and_tells(RING, 0, "tp_clear of a t.Node");
}

static void
free_nothing(PyObject *Py_UNUSED(op))
{
}

/* A deallocation that was not under way then notices it: it goes on, and the
   next one is looked at as any other. */
START_TEST(a_later_deallocation_notices_it)
{
    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    node_reset();
    node_log.on_clear = jump;
    node_drop_ring(&node_type, RING);
    struct node *node = node_new(&node_type);
    leave_collection(0);
    node_log.on_dealloc = notice;
    Py_DECREF(node);
    ck_assert_ptr_null(node_log.on_dealloc);
    ck_assert_int_eq(node_log.freed, RING + 1);
    if (getenv("PYBOEHM_CHECK") != NULL)
        SUITE_FATAL((node_type.tp_dealloc = free_nothing,
                     Py_DECREF(node_new(&node_type))),
                    "tp_dealloc", "leaves its object tracked");
}

static Py_ssize_t
collect_young(void)
{
    return PyBoehm_GC_Collect(0);
}

static Py_ssize_t nested;

static void
collect_inside(struct node *Py_UNUSED(node))
{
    nested += PyBoehm_GC_Collect(2) + 1;
}

/* A set waits for the host's call, which finds no trace yet of the collection
   that was left: its frame was not written on.  The teardown is not what was
   left. */
START_TEST(a_set_that_waits_is_torn_down)
{
    long waiting;

    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    node_reset();
    suite_catch_stderr();
    GC_set_finalize_on_demand(1);
    for (waiting = 0; waiting < 1000; waiting++)
        node_drop_ring(&node_type, 1);
    ck_assert_int_eq(node_log.freed, 0);
    PyGC_Disable();
    node_drop_ring(&node_type, 1);
    node_type.tp_traverse = traverse_or_jump;
    jumps = 1;
    jumper = pthread_self();
    if (setjmp(out) == 0)
        deeper(64, collect_young);
    ck_assert_int_eq(jumps, 0);
    node_type.tp_traverse = node_traverse;
    node_log.on_clear = collect_inside;
    GC_gcollect();
    GC_invoke_finalizers();
    node_log.on_clear = NULL;
    ck_assert_int_gt(node_log.freed, 0);
    ck_assert_int_eq(nested, node_log.freed); /* each found nothing */
    PyGC_Enable();
    GC_set_finalize_on_demand(0);
    PyGC_Collect();
    free(suite_caught_stderr());
    ck_assert_int_eq(node_log.freed, waiting + 1);
}

static void GC_CALLBACK
jump_from_finalizer(void *Py_UNUSED(block), void *Py_UNUSED(unused))
{
    jump(NULL);
}

static __attribute__((noinline)) Py_ssize_t
drop_finalizable(void)
{
    for (int i = 0; i < 5; i++)
        GC_register_finalizer(GC_MALLOC(16), jump_from_finalizer, NULL, NULL,
                              NULL);
    return 0;
}

static Py_ssize_t
collect_host(void)
{
    GC_gcollect();
    return 0;
}

static PyObject *adopted; /* where Boehm sees it */

static uintptr_t hidden_item; /* where Boehm does not see it */

static __attribute__((noinline)) Py_ssize_t
adopt_list(void)
{
    struct node *item = node_new(&node_type);

    adopted = PyList_New(0);
    PyList_Append(adopted, (PyObject *)item);
    hidden_item = ~(uintptr_t)item;
    Py_DECREF(item);
    PyBoehm_Adopt(adopted);
    return 0;
}

/* Boehm has been asked about a list and what that refers to from memory of
   malloc's.  Its next collections are of objects that are strong, or are
   kept. */
START_TEST(out_of_a_host_s_finalizer)
{
    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    node_reset();
    deeper(10, adopt_list);
    deeper(10, drop_finalizable);
    leave_collection(0);
    for (int i = 0; i < 4; i++) {
        deeper(20 * i, collect_host);
        ck_assert_int_ne(GC_is_marked((void *)~hidden_item), 0);
    }
    suite_catch_stderr();
    PyGC_Collect();
    free(suite_caught_stderr());
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_uint_eq((uintptr_t)PyList_GetItem(adopted, 0), ~hidden_item);
    ck_assert_ptr_eq(GC_get_await_finalize_proc(), NULL);
}

/* The jump leaves a deallocation that a tp_clear has caused. */
START_TEST(objects_are_freed_by_count_afterwards)
{
    enum { JUMPS = 60 };
    struct node *ring, *last;

    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    node_reset();
    suite_catch_stderr();
    for (int i = 0; i < JUMPS; i++) {
        ring = node_ring(&node_type, 2);
        last = node_new(&node_type);
        node_link(ring, ring->left, last);
        suite_drop(last, ring);
        node_log.on_dealloc = jump;
        leave_collection(0);
        node_log.on_dealloc = NULL;
        PyGC_Collect();
    }
    free(suite_caught_stderr());
    node_reset();
    for (int i = 0; i < JUMPS; i++)
        Py_DECREF(node_new(&node_type));
    ck_assert_int_eq(node_log.freed, JUMPS);
}

/* ------------------------------------------------------------------ */
/* Automatic collections                                               */

static Py_ssize_t
make_garbage(void)
{
    for (int i = 0; i < 5000 && (jumps > 0 || node_log.freed < 1000); i++)
        node_drop_ring(&node_type, 2);
    return 0;
}

/* A jump has left one, and the program asks for none: the next automatic ones
   notice. */
START_TEST(automatic_ones_go_on)
{
    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV"))
        return;
    char *told;

    node_reset();
    node_log.on_clear = jump;
    jumps = 1;
    jumper = pthread_self();
    suite_catch_stderr();
    if (setjmp(out) == 0)
        deeper(2, make_garbage);
    ck_assert_int_eq(jumps, 0);
    deeper(5, make_garbage);
    told = suite_caught_stderr();
    ck_assert_int_ge(node_log.freed, 1000);
    ck_assert_ptr_nonnull(strstr(told, "tp_clear of a t.Node"));
    free(told);
}

/* ------------------------------------------------------------------ */
/* Fibers                                                              */

enum { STACK = 256 * 1024 };
static struct fiber fiber;
static Py_ssize_t found_there;

static void
switch_back(struct node *Py_UNUSED(node))
{
    node_log.on_clear = NULL;
    fiber_leave(&fiber);
}

static void
collect_there(void)
{
    found_there = PyGC_Collect();
}

/* The fiber will go on: nothing was left. */
START_TEST(a_fiber_that_waits_has_left_nothing)
{
    if (!fiber_can())
        return;
    fiber_begin(&fiber, STACK, collect_there);
    node_reset();
    node_log.on_clear = switch_back;
    node_drop_ring(&node_type, RING);
    found_there = -1;
    fiber_enter(&fiber);
    ck_assert_int_eq(found_there, -1);
    for (int depth = 0; depth < 50; depth += 7)
        ck_assert_int_eq(deeper(depth, collect), 0);
    for (int i = 0; i < 5000; i++) /* automatic ones ask, too */
        node_drop_ring(&node_type, 1);
    fiber_enter(&fiber);
    ck_assert_int_eq(found_there, RING);
    ck_assert_int_eq(node_log.freed, RING);
    ck_assert_int_eq(PyGC_Collect(), 5000);
    fiber_end(&fiber);
}

/* It is gone. */
START_TEST(a_fiber_that_ends_has_left_it)
{
    if (!suite_has("PROCESS_VM_READV") || !fiber_can())
        return;
    fiber_begin(&fiber, STACK, collect_there);
    node_reset();
    node_log.on_clear = switch_back;
    node_drop_ring(&node_type, RING);
    fiber_enter(&fiber);
    fiber_end(&fiber);
    finds_and_tells(RING, 0, "tp_clear of a t.Node");
    ck_assert_int_eq(node_log.freed, RING);
}

/* ------------------------------------------------------------------ */
/* Threads                                                             */

static void *
leave_there(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    leave_collection(0);
    finds_and_tells(RING, 0, "tp_clear of a t.Node");
    PyGILState_Release(state);
    return NULL;
}

START_TEST(in_another_thread)
{
    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV"))
        return;
    node_reset();
    node_log.on_clear = jump;
    node_drop_ring(&node_type, RING);
    threads_elsewhere(leave_there, NULL);
    ck_assert_int_eq(node_log.freed, RING);
}

int
main(void)
{
    static const char *const ways[] = {"PYBOEHM_CHECK", "PYBOEHM_AUDIT"};
    int result;

    unsetenv(ways[0]);
    result = suite_run("collections that are left");
    for (size_t i = 0; i < Py_ARRAY_LENGTH(ways); i++) {
        setenv(ways[i], "1", 1);
        result |= suite_run(ways[i]);
        unsetenv(ways[i]);
    }
    return result;
}
