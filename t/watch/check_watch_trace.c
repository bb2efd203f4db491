/* check_watch_trace.c: PYBOEHM_TRACE: where what leaks was allocated.  Built
   with -export-dynamic, so that functions have names. */

#define _GNU_SOURCE

#include "../support/suite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/leaks.h"

enum { THREADS = 4, CHURN = 1000 };

/* Functions with a name, which leak.  gcc's clones of them have none. */
#ifdef __clang__
#define NAMED __attribute__((visibility("default"), noinline))
#else
#define NAMED __attribute__((visibility("default"), noinline, noclone))
#endif
void trace_make_sets(int n);
void trace_make_texts(int n);
void trace_make_lists(int n);
void trace_make_bytes(void);
void trace_fill(PyObject *list);
void trace_make_inlined(void);
void trace_resize(PyTupleObject *op);

NAMED void
trace_make_sets(int n)
{
    for (int i = 0; i < n; i++)
        PySet_New(NULL);
}

NAMED void
trace_make_texts(int n)
{
    for (int i = 0; i < n; i++)
        PyUnicode_FromFormat("nobody has number %d", i);
}

NAMED void
trace_make_lists(int n)
{
    for (int i = 0; i < n; i++)
        PyList_New(0);
}

NAMED void
trace_fill(PyObject *list)
{
    for (int i = 0; i < 8; i++) {
        PyObject *set = PySet_New(NULL);

        PyList_Append(list, set);
        Py_DECREF(set);
    }
}

static inline __attribute__((always_inline)) void
make_a_set(void)
{
    PySet_New(NULL);
}

NAMED void
trace_make_inlined(void)
{
    make_a_set();
}

/* They move. */
NAMED void
trace_make_bytes(void)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, 100), *kept;

    kept = PyBytes_FromString("what stands behind");
    ck_assert_int_eq(_PyBytes_Resize(&bytes, 100000), 0);
    Py_DECREF(kept);
}

/* It gets another block. */
NAMED void
trace_resize(PyTupleObject *op)
{
    op = suite_require(PyObject_GC_Resize(PyTupleObject, op, 1000));
    memset(op->ob_item, 0, 1000 * sizeof *op->ob_item);
    PyObject_GC_Track((PyObject *)op);
}

/* A bit of everything that does not leak. */
static void
churn(void)
{
    for (int i = 0; i < CHURN; i++) {
        PyObject *list = PyList_New(0);
        PyObject *text = PyUnicode_FromFormat("a text, number %d", i);

        PyList_Append(list, text);
        PyList_Append(list, list);
        suite_drop(text, list);
    }
}

/* How many objects were made where that function was called, of those that
   have the first such chain of calls. */
static int
made_in(const char *text, const char *function)
{
    char call[80];
    int n = 0;

    snprintf(call, sizeof call, "\n    %s+0x#", function);
    for (text = strstr(text, call); text != NULL && n == 0;
         text = strstr(text + 1, call)) {
        const char *line = text;

        while (line[-1] != '\n' || *line == ' ')
            line--;
        (void)sscanf(line, "%d object", &n); /* not so: it is about a root */
    }
    return n;
}

/* What is said of a program; 20 functions, since the library's own may
   count. */
static char *
traced(void (*program)(void))
{
    setenv("PYBOEHM_TRACE", "20", 1);
    return leaks_said("1", program);
}

/* ------------------------------------------------------------------ */

/* Does this system tell callers, and their names? */
static int
can_trace(void)
{
    return suite_has("BACKTRACE") && suite_has("DLADDR") &&
           suite_has("LINK_H") && suite_has("PROCESS_VM_READV");
}

static void
make_some(void)
{
    trace_make_sets(8);
    trace_make_texts(3);
    churn();
}

START_TEST(equal_chains_come_together)
{
    if (!can_trace())
        return;
    char *text = traced(make_some);

    ck_assert_ptr_nonnull(strstr(text, "\n8 objects, "));
    ck_assert_ptr_nonnull(strstr(text, " bytes, allocated at\n"));
    ck_assert_int_eq(made_in(text, "trace_make_sets"), 8);
    ck_assert_int_eq(made_in(text, "trace_make_texts"), 3);
    ck_assert_int_eq(made_in(text, "churn"), 0);
    free(text);
}

static void
make_a_full_list(void)
{
    trace_fill(PyList_New(0));
}

START_TEST(what_leaks_comes_before_what_it_owns)
{
    if (!can_trace())
        return;
    char *text = traced(make_a_full_list);
    const char *list = strstr(text, "  it is: list at ");
    const char *owned =
        strstr(text, "\nwhat leaked objects own:\n8 objects, ");

    ck_assert_int_eq(made_in(text, "trace_fill"), 8);
    ck_assert_ptr_nonnull(list);
    ck_assert_ptr_nonnull(owned);
    ck_assert(list < owned);
    free(text);
}

static void
resize_one(void)
{
    trace_resize(PyObject_GC_NewVar(PyTupleObject, &PyTuple_Type, 5));
}

START_TEST(a_container_comes_from_where_it_was_resized)
{
    if (!can_trace())
        return;
    char *text = traced(resize_one);

    ck_assert_int_eq(made_in(text, "trace_resize"), 1);
    free(text);
}

/* Is the library an object of its own?  Else its functions count. */
static int
library_is_shared(void)
{
    Dl_info library, program;

    ck_assert_int_ne(dladdr((void *)(uintptr_t)PyList_New, &library), 0);
    ck_assert_int_ne(dladdr((void *)(uintptr_t)trace_make_lists, &program), 0);
    return library.dli_fbase != program.dli_fbase;
}

static void
make_late(PyObject *Py_UNUSED(op))
{
    trace_make_sets(3);
}

/* The finalizer of one in a cycle: a collection's, whose last part is called
   by Boehm. */
static void
make_in_a_collection(void)
{
    PyType_Slot slots[] = {{Py_tp_finalize, (void *)make_late}, {0, NULL}};
    PyType_Spec spec = {"trace.Late", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type = suite_require(PyType_FromSpec(&spec));
    PyObject *list = suite_require(PyList_New(0));
    PyObject *late = suite_require(PyObject_CallNoArgs(type));

    ck_assert_int_eq(PyList_Append(list, late), 0);
    ck_assert_int_eq(PyList_Append(list, list), 0);
    suite_drop(late, list);
    PyGC_Collect();
    Py_DECREF(type);
}

START_TEST(calls_by_boehm_are_left_out)
{
    if (!can_trace() || !library_is_shared())
        return;
    char *text = traced(make_in_a_collection);

    ck_assert_int_eq(made_in(text, "trace_make_sets"), 3);
    ck_assert_ptr_nonnull(strstr(text, "\n    make_late"));
    ck_assert_ptr_nonnull(strstr(text, "\n    make_in_a_collection"));
    ck_assert_ptr_null(strstr(text, "GC_"));
    ck_assert_ptr_null(strstr(text, "libgc"));
    free(text);
}

static void
make_a_list(void)
{
    trace_make_lists(1);
}

START_TEST(so_many_functions_deep)
{
    if (!can_trace())
        return;
    setenv("PYBOEHM_TRACE", "2", 1);
    char *text = leaks_said("1", make_a_list);
    const char *at = strstr(text, " bytes, allocated at\n");
    char one[80] = "", other[80] = "", more[80] = "";

    ck_assert_ptr_nonnull(at);
    sscanf(at, " bytes, allocated at\n %79[^+]%*[^\n]\n %79[^+]%*[^\n]\n%79s",
           one, other, more);
    ck_assert_str_ne(other, "");
    ck_assert_str_eq(more, "it"); /* is a list */
    if (library_is_shared()) {
        ck_assert_str_eq(one, "PyList_New");
        ck_assert_str_eq(other, "trace_make_lists");
    }
    free(text);
}

/* Where lines are known: with -g, and libdw. */
START_TEST(inlined_calls_are_told)
{
    if (!can_trace())
        return;
    char *text = traced(trace_make_inlined);
    char *lines = strstr(text, "/check_watch_trace.c:");
    char *inlined = strstr(text, "\n    make_a_set (inlined, ");

    ck_assert_int_eq(made_in(text, "trace_make_inlined"), 1);
    ck_assert_int_eq(inlined != NULL, lines != NULL);
    if (inlined != NULL)
        ck_assert_ptr_eq(strstr(inlined + 1, "\n    trace_make_inlined+0x"),
                         strstr(inlined + 1, "\n    "));
    free(text);
}

START_TEST(plain_objects_are_known)
{
    if (!can_trace())
        return;
    char *text = traced(make_some);

    ck_assert_ptr_nonnull(
        strstr(text, "         0         0         0         3  str\n"));
    free(text);
}

/* Without backtrace a message says that nothing is recorded. */
START_TEST(nothing_is_recorded_where_nobody_knows)
{
    if (suite_has("BACKTRACE"))
        return;
    setenv("PYBOEHM_LEAKS", "1", 1);
    setenv("PYBOEHM_TRACE", "2", 1);
    suite_catch_stderr();
    Py_Initialize();
    trace_make_lists(1);
    Py_Finalize();
    char *text = suite_caught_stderr();
    const char *first = "pyboehm: PYBOEHM_TRACE: nothing is recorded: this "
                        "system has no backtrace()\n";

    ck_assert_msg(strncmp(text, first, strlen(first)) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "  list\n"));
    ck_assert_ptr_null(strstr(text, "allocated"));
    free(text);
}

START_TEST(nothing_is_recorded_unless_wanted)
{
    static const char *const wishes[] = {"0", "", "-3", "many"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(wishes); i++) {
        setenv("PYBOEHM_TRACE", wishes[i], 1);
        char *text = leaks_said("1", make_some);

        ck_assert_ptr_nonnull(strstr(text, "  total\n"));
        ck_assert_ptr_null(strstr(text, "allocated"));
        free(text);
    }
}

START_TEST(what_moves_was_made_where_it_was_made)
{
    if (!can_trace())
        return;
    char *text = traced(trace_make_bytes);

    ck_assert_int_eq(made_in(text, "trace_make_bytes"), 1);
    ck_assert_int_eq(made_in(text, "PyBytes_FromStringAndSize"), 1);
    ck_assert_ptr_null(strstr(text, "before anything was recorded"));
    free(text);
}

/* ------------------------------------------------------------------ */
/* Threads                                                             */

static void *
run(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    for (int i = 0; i < 10; i++) {
        churn();
        Py_BEGIN_ALLOW_THREADS;
        usleep(100);
        Py_END_ALLOW_THREADS;
    }
    trace_make_lists(2);
    PyGILState_Release(state);
    return NULL;
}

static void
have_threads(void (*meanwhile)(void))
{
    pthread_t threads[THREADS];

    Py_BEGIN_ALLOW_THREADS;
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    Py_END_ALLOW_THREADS;
    meanwhile();
    Py_BEGIN_ALLOW_THREADS;
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    Py_END_ALLOW_THREADS;
}

static void
make_in_threads(void)
{
    have_threads(make_some);
}

START_TEST(threads_are_traced)
{
    if (!can_trace())
        return;
    char *text = traced(make_in_threads);

    ck_assert_int_eq(made_in(text, "trace_make_lists"), 2 * THREADS);
    ck_assert_int_eq(made_in(text, "trace_make_sets"), 8);
    ck_assert_int_eq(made_in(text, "trace_make_texts"), 3);
    free(text);
}

/* ------------------------------------------------------------------ */
/* Processes                                                           */

/* The child has what its parent has made so far, and no threads. */
static void
end_child(void)
{
    char *text;
    int sets, texts;

    PyOS_AfterFork_Child();
    trace_make_texts(5);
    churn();
    suite_catch_stderr();
    Py_Finalize();
    text = suite_caught_stderr();
    if (getenv("LEAKS_SHOW") != NULL)
        fputs(text, stderr);
    leaks_mask(text);
    sets = made_in(text, "trace_make_sets");
    texts = made_in(text, "trace_make_texts");
    _exit(sets == 4 && texts == 5 ? 0 : 1);
}

static void
have_a_child(void)
{
    pid_t child;
    int status;

    trace_make_sets(4);
    child = fork();
    if (child == 0)
        end_child();
    Py_BEGIN_ALLOW_THREADS;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    Py_END_ALLOW_THREADS;
    ck_assert_int_eq(status, 0);
    trace_make_texts(3);
}

START_TEST(a_child_has_its_own)
{
    if (!can_trace())
        return;
    char *text = traced(have_a_child);

    ck_assert_int_eq(made_in(text, "trace_make_sets"), 4);
    ck_assert_int_eq(made_in(text, "trace_make_texts"), 3);
    free(text);
}

static void
have_children_and_threads(void)
{
    have_threads(have_a_child);
}

START_TEST(so_has_one_of_a_process_with_threads)
{
    if (!can_trace() || !suite_malloc_survives_fork())
        return;
    char *text = traced(have_children_and_threads);

    ck_assert_int_eq(made_in(text, "trace_make_sets"), 4);
    ck_assert_int_eq(made_in(text, "trace_make_texts"), 3);
    ck_assert_int_eq(made_in(text, "trace_make_lists"), 2 * THREADS);
    free(text);
}

int
main(void)
{
    return suite_run_early("watch trace");
}
