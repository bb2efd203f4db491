/* check_threads_fork.c: fork, by a thread that is attached, or is not; and
   what threads leave that end without their PyGILState_Release. */

#include "../support/node.h"
#include "../support/suite.h"
#include "../support/threads.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's exit status. */
static int
status_of(pid_t child)
{
    int status = 0;

    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void *
use_api(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    long freed = node_log.freed;

    node_drop_ring(&node_type, 3);
    threads_found(0, PyGC_Collect() == 3 && node_log.freed == freed + 3);
    PyGILState_Release(state);
    return NULL;
}

/* In the child: this thread and another one use the library. */
static int
library_works(void)
{
    pthread_t thread;
    int first;

    PyGILState_Ensure();
    use_api(NULL);
    first = threads_findings[0];
    threads_found(0, 0);
    pthread_create(&thread, NULL, use_api, NULL);
    Py_BEGIN_ALLOW_THREADS
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    return first && threads_findings[0];
}

enum { PARENT_IS_READY, PARENT_MAY_END }; /* gates */

static void *
wait_for_the_end(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *dict = PyThreadState_GetDict();
    struct node *node = node_new(&node_type);

    PyDict_SetItemString(dict, "node", (PyObject *)node);
    Py_DECREF(node);
    threads_open_gate(PARENT_IS_READY);
    threads_pass_gate(PARENT_MAY_END);
    PyGILState_Release(state);
    return NULL;
}

/* The attached thread forks while another one has a state: in the child it is
   attached, others may come, and what the state of the one that stayed behind
   owns goes. */
START_TEST(the_attached_thread_forks)
{
    pthread_t thread;
    pid_t child;

    node_reset();
    threads_make_gates();
    thread = threads_start(wait_for_the_end, NULL);
    threads_pass_gate(PARENT_IS_READY);

    PyOS_BeforeFork();
    child = fork();
    if (child == 0) {
        PyOS_AfterFork_Child();
        if (node_log.freed != 1 || !PyGILState_Check())
            _exit(1);
        _exit(library_works() ? 0 : 2);
    }
    PyOS_AfterFork_Parent();
    ck_assert_int_eq(status_of(child), 0);
    threads_open_gate(PARENT_MAY_END);
    threads_join(thread);
    ck_assert_int_eq(node_log.freed, 1);
}

static PyThreadState *state_left;
static sem_t may_end;

/* Ends, while another thread is attached, without its PyGILState_Release. */
static void *
leave_state(void *Py_UNUSED(arg))
{
    PyGILState_Ensure();
    struct node *node = node_new(&node_type);

    PyDict_SetItemString(PyThreadState_GetDict(), "node", (PyObject *)node);
    Py_DECREF(node);
    threads_open_gate(PARENT_IS_READY);
    state_left = PyEval_SaveThread();
    sem_wait(&may_end);
    return NULL;
}

static void
let_thread_leave_state(void)
{
    pthread_t thread;

    node_reset();
    threads_make_gates();
    sem_init(&may_end, 0, 0);
    thread = threads_start(leave_state, NULL);
    threads_pass_gate(PARENT_IS_READY);
    sem_post(&may_end);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_eq(node_log.freed, 0);
}

/* What the child drops is not among the deferred calls any more. */
START_TEST(a_thread_has_ended_before_the_fork)
{
    pid_t child;

    let_thread_leave_state();
    child = fork();
    if (child == 0) {
        PyOS_AfterFork_Child();
        _exit(node_log.freed == 1 && library_works() ? 0 : 2);
    }
    ck_assert_int_eq(status_of(child), 0);
    Py_MakePendingCalls();
    ck_assert_int_eq(node_log.freed, 1);
}

/* Whoever goes through all states may do that. */
START_TEST(the_state_of_an_ended_thread_is_deleted)
{
    let_thread_leave_state();
    PyThreadState_Clear(state_left);
    ck_assert_int_eq(node_log.freed, 1);
    PyThreadState_Delete(state_left);
    Py_MakePendingCalls();
    ck_assert_ptr_eq(PyInterpreterState_ThreadHead(PyInterpreterState_Get()),
                     PyThreadState_Get());
    ck_assert_ptr_null(PyThreadState_Next(PyThreadState_Get()));
}

static void *
fork_detached(void *Py_UNUSED(arg))
{
    pid_t child = fork();

    if (child == 0)
        _exit(library_works() ? 0 : 2);
    threads_found(0, status_of(child));
    return NULL;
}

/* No thread is attached when one forks that never was. */
START_TEST(a_thread_forks_that_is_not_attached)
{
    node_reset();
    Py_BEGIN_ALLOW_THREADS
    threads_beside(fork_detached);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(threads_findings[0], 0);
}

static FILE *said;

static void *
fork_beside(void *Py_UNUSED(arg))
{
    pid_t child = fork();

    if (child == 0) {
        dup2(fileno(said), STDERR_FILENO);
        threads_found(1, PyGILState_Check());
        PyGILState_Ensure();
        _exit(0);
    }
    threads_found(0, status_of(child));
    return NULL;
}

/* Another thread is, in the middle of whatever: the child is told so. */
START_TEST(a_thread_forks_while_another_one_is_attached)
{
    char text[200] = "";

    said = suite_require(tmpfile());
    threads_beside(fork_beside);
    ck_assert_int_eq(threads_findings[0], 128 + SIGABRT);
    rewind(said);
    size_t n = fread(text, 1, sizeof text - 1, said);
    ck_assert_uint_gt(n, 0);
    ck_assert_msg(strstr(text, "another thread was attached") != NULL, "%s",
                  text);
    fclose(said);
}
