/* check_threads_fork.c: fork, by a thread that is attached, or is not. */

#include "node.h"
#include "suite.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Threads are the system's here; GC_pthread_create makes Boehm's. */
#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

/* Check's assertions are for one thread at a time: the attached one; what
   others find goes here. */
static int findings[8];

static void
found(int i, int finding)
{
    findings[i] = finding;
}

/* To its end, while this thread stays as it is. */
static void
run_beside(void *(*function)(void *))
{
    pthread_t thread;

    ck_assert_int_eq(GC_pthread_create(&thread, NULL, function, NULL), 0);
    ck_assert_int_eq(GC_pthread_join(thread, NULL), 0);
}

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
    found(0, PyGC_Collect() == 3 && node_log.freed == freed + 3);
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
    first = findings[0];
    found(0, 0);
    pthread_create(&thread, NULL, use_api, NULL);
    Py_BEGIN_ALLOW_THREADS
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    return first && findings[0];
}

static PyThread_type_lock parent_is_ready, parent_may_end;

static void *
wait_for_the_end(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *dict = PyThreadState_GetDict();
    struct node *node = node_new(&node_type);

    PyDict_SetItemString(dict, "node", (PyObject *)node);
    Py_DECREF(node);
    PyThread_release_lock(parent_is_ready);
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(parent_may_end, WAIT_LOCK);
    Py_END_ALLOW_THREADS
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
    parent_is_ready = PyThread_allocate_lock();
    parent_may_end = PyThread_allocate_lock();
    PyThread_acquire_lock(parent_is_ready, WAIT_LOCK);
    PyThread_acquire_lock(parent_may_end, WAIT_LOCK);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_the_end, NULL), 0);
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(parent_is_ready, WAIT_LOCK);
    Py_END_ALLOW_THREADS

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
    PyThread_release_lock(parent_may_end);
    Py_BEGIN_ALLOW_THREADS
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(node_log.freed, 1);
}
END_TEST

static void *
fork_detached(void *Py_UNUSED(arg))
{
    pid_t child = fork();

    if (child == 0)
        _exit(library_works() ? 0 : 2);
    found(0, status_of(child));
    return NULL;
}

/* Nobody is attached when a thread forks that never was. */
START_TEST(a_thread_forks_that_is_not_attached)
{
    node_reset();
    Py_BEGIN_ALLOW_THREADS
    run_beside(fork_detached);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(findings[0], 0);
}
END_TEST

static FILE *said;

static void *
fork_beside(void *Py_UNUSED(arg))
{
    pid_t child = fork();

    if (child == 0) {
        dup2(fileno(said), STDERR_FILENO);
        found(1, PyGILState_Check());
        PyGILState_Ensure();
        _exit(0);
    }
    found(0, status_of(child));
    return NULL;
}

/* Somebody else is, in the middle of whatever: the child is told so. */
START_TEST(a_thread_forks_while_another_one_is_attached)
{
    char text[200] = "";

    said = tmpfile();
    ck_assert_ptr_nonnull(said);
    run_beside(fork_beside);
    ck_assert_int_eq(findings[0], 128 + SIGABRT);
    rewind(said);
    size_t n = fread(text, 1, sizeof text - 1, said);
    ck_assert_uint_gt(n, 0);
    ck_assert_msg(strstr(text, "another thread was attached") != NULL, "%s",
                  text);
    fclose(said);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {the_attached_thread_forks, 0},
        {a_thread_forks_that_is_not_attached, 0},
        {a_thread_forks_while_another_one_is_attached, 0},
        {NULL, 0},
    };
    return suite_run("threads: fork", tests);
}
