/* check_threads_end.c: the end of a thread, and of the library. */

#include "../support/node.h"
#include "../support/suite.h"
#include "../support/threads.h"

/* ------------------------------------------------------------------ */
/* Threads that end                                                    */

/* The node goes with the thread state. */
static void
leave_a_node(void)
{
    struct node *node = node_new(&node_type);
    PyObject *dict = suite_require(PyThreadState_GetDict());
    ck_assert_int_eq(PyDict_SetItemString(dict, "node", (PyObject *)node), 0);
    Py_DECREF(node);
    ck_assert_int_eq(node_log.freed, 0);
}

static void *
leave_without_release(void *arg)
{
    PyGILState_Ensure();
    leave_a_node();
    PyErr_SetString(PyExc_ValueError, "lost");
    if (arg != NULL)
        PyEval_SaveThread();
    return NULL;
}

/* It does not take the lock with it, and what its state owned goes. */
START_TEST(a_thread_that_ends_is_detached)
{
    node_reset();
    threads_elsewhere(leave_without_release, NULL);
    ck_assert_int_eq(node_log.freed, 1);
    node_reset();
    threads_elsewhere(leave_without_release, "detached");
    ck_assert_int_eq(node_log.freed, 1);
}

static void *
end_detached(void *Py_UNUSED(arg))
{
    PyGILState_Ensure();
    leave_a_node();
    PyEval_SaveThread();
    threads_open_gate(0);
    PyThread_acquire_lock(threads_gates[1], WAIT_LOCK);
    return NULL;
}

/* Then no thread waits, and the attached one does what is to do. */
START_TEST(a_thread_that_ends_does_not_wait)
{
    node_reset();
    threads_make_gates();
    pthread_t thread = threads_start(end_detached, NULL);
    threads_pass_gate(0);
    threads_open_gate(1);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    ck_assert_int_eq(node_log.freed, 1);
}

/* ------------------------------------------------------------------ */
/* The end                                                             */

static void *
sleep_with_a_node(void *Py_UNUSED(arg))
{
    PyGILState_Ensure();
    leave_a_node();
    threads_open_gate(0);
    threads_pass_gate(1);
    return NULL;
}

/* What the states of others own goes, too. */
START_TEST(states_that_are_left_are_dropped)
{
    node_reset();
    threads_make_gates();
    pthread_detach(threads_start(sleep_with_a_node, NULL));
    threads_pass_gate(0);
    PyObject *dict = PyThreadState_GetDict();
    struct node *node = node_new(&node_type);
    ck_assert_int_eq(PyDict_SetItemString(dict, "node", (PyObject *)node), 0);
    Py_DECREF(node);
    PyErr_SetString(PyExc_ValueError, "lost");
    Py_Finalize();
    ck_assert_int_eq(node_log.freed, 2);
    Py_Initialize();
}
