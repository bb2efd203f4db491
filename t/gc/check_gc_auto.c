/* check_gc_auto.c: when the collector works by itself, and when it does not.
 */

#include "../support/node.h"
#include "../support/suite.h"

#include <pthread.h>
#include <pyboehm.h>
#include <string.h>
#include <unistd.h>

START_TEST(enable_and_disable)
{
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
    ck_assert_int_eq(PyGC_Disable(), 1);
    ck_assert_int_eq(PyGC_Disable(), 0);
    ck_assert_int_eq(PyGC_IsEnabled(), 0);
    ck_assert_int_eq(PyGC_Enable(), 0);
    ck_assert_int_eq(PyGC_Enable(), 1);
    ck_assert_int_eq(PyGC_IsEnabled(), 1);
}

START_TEST(disabled_collects_nothing)
{
    enum { N = 100000 };
    node_reset();
    PyGC_Disable();
    for (int i = 0; i < N; i++)
        node_drop_ring(&node_type, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    PyGC_Enable();
    ck_assert_int_eq(PyGC_Collect(), N);
}

/* Garbage is collected while it is made; never much of it is there. */
START_TEST(young_garbage_is_collected)
{
    long most = 0;

    node_reset();
    for (int i = 0; i < 1000000; i++) {
        node_drop_ring(&node_type, 2);
        most = Py_MAX(most, node_log.made - node_log.freed);
    }
    ck_assert_int_lt(most, 10000);
}

/* A ring that has grown old is found by a full collection in time. */
START_TEST(old_garbage_is_collected)
{
    enum { OLD = 50000 };
    node_reset();
    struct node *ring = node_ring(&node_type, OLD);
    PyGC_Collect();
    Py_DECREF(ring);
    ck_assert_int_eq(node_log.freed, 0);

    struct node *head = NULL;
    for (int i = 0; i < 10 * OLD && node_log.freed < OLD; i++) {
        struct node *next = node_new(&node_type);
        next->left = (PyObject *)head;
        head = next;
    }
    ck_assert_int_eq(node_log.freed, OLD);
    Py_DECREF(head);
}

/* What only an old object refers to is not young garbage. */
START_TEST(old_objects_keep_young_ones)
{
    node_reset();
    PyObject *list = PyList_New(0);
    PyGC_Collect(); /* the list is old now */
    for (int i = 0; i < 20000; i++) {
        struct node *ring = node_ring(&node_type, 2);
        ck_assert_int_eq(PyList_Append(list, (PyObject *)ring), 0);
        Py_DECREF(ring);
    }
    ck_assert_int_eq(node_log.freed, 0);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 40000);
    ck_assert_int_eq(node_log.freed, 40000);
}

/* A collection begins only where PyObject_GC_New is entered: an object is
   safe, untracked and half made, until the next one. */
START_TEST(half_made_objects_are_safe)
{
    node_reset();
    for (int i = 0; i < 50000; i++) {
        struct node *node = PyObject_GC_New(struct node, &node_type);
        node->left = node->right = (PyObject *)0x1; /* not to be visited */
        node_drop_ring(&node_type, 1);
        node->left = node->right = NULL;
        PyObject_GC_Track((PyObject *)node);
        Py_DECREF(node);
    }
    ck_assert_int_gt(node_log.freed, 90000);
}

static void
disable_me(struct node *Py_UNUSED(self))
{
    PyGC_Disable();
}

START_TEST(disabled_by_a_finalizer)
{
    node_reset();
    node_log.on_finalize = disable_me;
    for (int i = 0; i < 100000; i++)
        node_drop_ring(&node_final_type, 1);
    ck_assert_int_eq(PyGC_IsEnabled(), 0);
    ck_assert_int_lt(node_log.finalized, 10000);
    ck_assert_int_gt(node_log.finalized, 0);
    PyGC_Enable();
    PyGC_Collect();
    ck_assert_int_eq(node_log.freed, 100000);
}

/* An automatic collection saves and restores the pending exception. */
static void
raise_and_clear(struct node *Py_UNUSED(self))
{
    ck_assert_ptr_null(PyErr_Occurred());
}

START_TEST(automatic_collection_with_an_exception_pending)
{
    node_reset();
    node_log.on_finalize = raise_and_clear;
    PyErr_SetString(PyExc_ValueError, "pending");
    for (int i = 0; i < 10000; i++)
        node_drop_ring(&node_final_type, 1);
    ck_assert_int_gt(node_log.finalized, 0);
    suite_exception(PyExc_ValueError, "pending");
}

/* ------------------------------------------------------------------ */

/* t/gc/check_gc_early.c has the calls to the collector. */
START_TEST(calls_need_an_initialised_library)
{
    SUITE_FATAL((Py_Finalize(), PyBoehm_SetWarningHook(NULL, NULL)),
                "PyBoehm_SetWarningHook: called before Py_Initialize()");
    SUITE_FATAL((Py_Finalize(), PyObject_New(PyObject, &PyBaseObject_Type)),
                "called before Py_Initialize()");
}

static void
tuple_before_start(void)
{
    PyTuple_New(0);
}

static void
int_before_start(void)
{
    PyLong_FromLong(5);
}

static void
str_before_start(void)
{
    PyUnicode_FromString("");
}

static void
bytes_before_start(void)
{
    PyBytes_FromString("");
}

static void
error_before_start(void)
{
    PyErr_Occurred();
}

static void
sys_before_start(void)
{
    PySys_GetObject("path");
}

static void
garbage_before_start(void)
{
    PyBoehm_GC_ClearGarbage();
}

/* So do those that have their answer ready. */
START_TEST(quick_answers_need_an_initialised_library)
{
    static void (*const calls[])(void) = {
        tuple_before_start,  int_before_start,   str_before_start,
        bytes_before_start,  error_before_start, sys_before_start,
        garbage_before_start};

    Py_Finalize();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(calls); i++)
        SUITE_FATAL(calls[i](), "called before Py_Initialize()");
    Py_Initialize();
}

/* So does a process in which the library never was; this program begins
   another one. */
static const char track_first[] = "track first";
static const char *program;

static int
run_track_first(void)
{
    static PyObject op = {1, &PyList_Type};

    PyObject_GC_Track(&op);
    return EXIT_SUCCESS;
}

START_TEST(tracking_needs_a_library_that_began)
{
    SUITE_FATAL(execl(program, program, track_first, NULL),
                "PyObject_GC_Track: called before Py_Initialize()");
}

/* ------------------------------------------------------------------ */
/* Threads that are not attached                                       */

static PyObject *shared;

static void *
collect(void *Py_UNUSED(arg))
{
    PyGC_Collect();
    return NULL;
}

static void *
make_container(void *Py_UNUSED(arg))
{
    PyList_New(0);
    return NULL;
}

static void *
make_plain_object(void *Py_UNUSED(arg))
{
    PyObject_New(PyObject, &PyBaseObject_Type);
    return NULL;
}

static void *
untrack(void *Py_UNUSED(arg))
{
    PyObject_GC_UnTrack(shared);
    return NULL;
}

static void *
track(void *Py_UNUSED(arg))
{
    PyObject_GC_Track(shared);
    return NULL;
}

static void *
resize(void *Py_UNUSED(arg))
{
    _PyObject_GC_Resize((PyVarObject *)shared, 1);
    return NULL;
}

static void *(*elsewhere)(void *);

static void
run_elsewhere(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, elsewhere, NULL) == 0)
        pthread_join(thread, NULL);
}

static FILE *output;

static void
print_and_die(void)
{
    dup2(fileno(output), STDOUT_FILENO);
    fputs("printed before", stdout);
    Py_FatalError("the end");
}

START_TEST(fatal_errors_lose_no_output)
{
    char text[20] = "";

    output = suite_require(tmpfile());
    SUITE_FATAL(print_and_die(), "print_and_die: the end");
    rewind(output);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, output));
    ck_assert_str_eq(text, "printed before");
    fclose(output);
}

START_TEST(other_threads_are_not_attached)
{
    static const char text[] = ": called from a thread that is not attached";

    suite_with_checks();
    shared = suite_require(PyList_New(0));
    elsewhere = collect;
    SUITE_FATAL(run_elsewhere(), "PyGC_Collect", text);
    elsewhere = make_container;
    SUITE_FATAL(run_elsewhere(), "PyObject_GC_New", text);
    elsewhere = make_plain_object;
    SUITE_FATAL(run_elsewhere(), "PyObject_Init", text);
    elsewhere = untrack;
    SUITE_FATAL(run_elsewhere(), "PyObject_GC_UnTrack", text);
    PyObject_GC_UnTrack(shared);
    elsewhere = resize;
    SUITE_FATAL(run_elsewhere(), "PyObject_GC_Resize", text);
    elsewhere = track;
    SUITE_FATAL(run_elsewhere(), "PyObject_GC_Track", text);
    Py_DECREF(shared);
}

int
main(int argc, char *argv[])
{
    if (argc > 1 && strcmp(argv[1], track_first) == 0)
        return run_track_first();
    program = argv[0];

    return suite_run("gc: automatic collections");
}
