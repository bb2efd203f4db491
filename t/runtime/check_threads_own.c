/* check_threads_own.c: what each thread has for itself, though another one
   comes in between. */

#include <pyboehm.h>

#include "../support/node.h"
#include "../support/suite.h"
#include "../support/threads.h"

/* ------------------------------------------------------------------ */
/* What each thread has for itself                                     */

static void *
raise_another(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    ck_assert_ptr_null(PyErr_Occurred());
    PyErr_SetString(PyExc_ValueError, "there");
    threads_open_gate(0);
    threads_pass_gate(1);
    suite_exception(PyExc_ValueError, "there");
    PyGILState_Release(state);
    return NULL;
}

START_TEST(exceptions_are_a_threads_own)
{
    threads_make_gates();
    PyErr_SetString(PyExc_TypeError, "here");
    pthread_t thread = threads_start(raise_another, NULL);
    threads_pass_gate(0);
    suite_exception(PyExc_TypeError, "here");
    threads_open_gate(1);
    threads_join(thread);
    ck_assert_ptr_null(PyErr_Occurred());
}

/* How deep calls may nest here. */
static int
depth_left(void)
{
    int depth = 0;

    while (Py_EnterRecursiveCall("") == 0)
        depth++;
    suite_exception(PyExc_RecursionError, NULL);
    for (int i = 0; i < depth; i++)
        Py_LeaveRecursiveCall();
    return depth;
}

static void *
measure_depth(void *depth)
{
    PyGILState_STATE state = PyGILState_Ensure();

    *(int *)depth = depth_left();
    PyGILState_Release(state);
    return NULL;
}

START_TEST(depth_is_a_threads_own)
{
    int here = depth_left(), there = 0;

    ck_assert_int_eq(Py_EnterRecursiveCall(""), 0);
    ck_assert_int_eq(depth_left(), here - 1);
    threads_elsewhere(measure_depth, &there);
    ck_assert_int_eq(there, here);
    ck_assert_int_eq(depth_left(), here - 1);
    Py_LeaveRecursiveCall();
}

static PyObject *shown;

static void *
show(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    ck_assert_int_eq(Py_ReprEnter(shown), 0);
    Py_ReprLeave(shown);
    PyGILState_Release(state);
    return NULL;
}

/* One thread is in the middle of an object's repr, another one begins. */
START_TEST(reprs_are_a_threads_own)
{
    shown = PyList_New(0);
    ck_assert_int_eq(Py_ReprEnter(shown), 0);
    threads_elsewhere(show, NULL);
    ck_assert_int_eq(Py_ReprEnter(shown), 1);
    Py_ReprLeave(shown);
    Py_DECREF(shown);
}

enum { CHAIN = 200 };

/* A chain of which each node owns the next. */
static struct node *
chain(void)
{
    struct node *first = node_new(&node_type);

    for (int i = 1; i < CHAIN; i++) {
        struct node *node = node_new(&node_type);
        node->left = (PyObject *)first;
        first = node;
    }
    return first;
}

static void *
free_a_chain(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    long before = node_log.freed;

    Py_DECREF(chain());
    ck_assert_int_eq(node_log.freed - before, CHAIN);
    PyGILState_Release(state);
    return NULL;
}

static void
let_another_in(struct node *Py_UNUSED(self))
{
    node_log.on_dealloc = NULL;
    threads_elsewhere(free_a_chain, NULL);
}

/* In the last nested deallocation before they are put off. */
static void
let_another_in_deep(struct node *Py_UNUSED(self))
{
    if (node_log.freed == 49)
        let_another_in(NULL);
}

/* A tp_dealloc lets another thread in: what that frees goes at once, and not
   with what waits here; this here goes on where it was. */
START_TEST(deallocations_are_a_threads_own)
{
    node_reset();
    node_log.on_dealloc = let_another_in_deep;
    Py_DECREF(chain());
    ck_assert_ptr_null(node_log.on_dealloc);
    ck_assert_int_eq(node_log.freed, 2 * CHAIN);

    node_reset();
    node_log.on_dealloc = let_another_in;
    Py_DECREF(chain());
    ck_assert_int_eq(node_log.freed, 2 * CHAIN);
}

static void *
look_at_dict(void *other)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *dict = suite_require(PyThreadState_GetDict());
    ck_assert_ptr_ne(dict, other);
    ck_assert_int_eq(PyDict_Size(dict), 0);
    struct node *node = node_new(&node_type);
    ck_assert_int_eq(PyDict_SetItemString(dict, "node", (PyObject *)node), 0);
    Py_DECREF(node);
    ck_assert_int_eq(node_log.freed, 0);
    PyGILState_Release(state);
    return NULL;
}

/* A callback of the collector. */
static void
fill_dict(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
          void *Py_UNUSED(arg))
{
    PyObject *dict = suite_require(PyThreadState_GetDict());
    ck_assert_int_eq(PyDict_SetItemString(dict, "early", Py_None), 0);
}

/* The dict's allocation collects, and the collection runs code that asks for
   the dict. */
START_TEST(dict_made_by_a_collection_stays)
{
    const int often[PyBoehm_GC_GENERATIONS] = {1, 10, 10};

    PyGC_Collect();
    ck_assert_int_eq(PyBoehm_GC_AddCallback(fill_dict, NULL), 0);
    PyBoehm_GC_SetThreshold(often);
    PyObject *one_new = PyList_New(0); /* the next one collects */
    PyObject *dict = suite_require(PyThreadState_GetDict());
    PyBoehm_GC_RemoveCallback(fill_dict, NULL);
    ck_assert_int_eq(PyDict_Size(dict), 1);
    Py_DECREF(one_new);
}

START_TEST(dicts_are_a_threads_own)
{
    PyObject *dict = PyThreadState_GetDict();

    node_reset();
    ck_assert_ptr_eq(PyThreadState_GetDict(), dict);
    ck_assert_int_eq(PyDict_SetItemString(dict, "here", Py_None), 0);
    threads_elsewhere(look_at_dict, dict);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(PyDict_Size(PyThreadState_GetDict()), 1);
}

/* ------------------------------------------------------------------ */
/* Collections and threads                                             */

static void
count_attached(struct node *Py_UNUSED(self))
{
    ck_assert_int_eq(PyGILState_Check(), 1);
    threads_elsewhere(measure_depth, &(int){0});
}

/* Finalizers and tp_clear run attached, and may let others in. */
START_TEST(a_collection_lets_others_in)
{
    node_reset();
    node_log.on_finalize = count_attached;
    node_log.on_clear = count_attached;
    PyGC_Disable();
    for (int i = 0; i < 10; i++)
        node_drop_ring(&node_final_type, 3);
    PyGC_Enable();
    ck_assert_int_eq(PyGC_Collect(), 30);
    ck_assert_int_eq(node_log.freed, 30);
    ck_assert_int_eq(node_log.finalized, 30);
}
