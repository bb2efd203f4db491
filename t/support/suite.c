/* suite.c: the frame around every test program; see suite.h. */

#include "suite.h"

#include <pyboehm.h>

#include "host.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMEOUT_SECONDS = 240 };

/* Set before the first test, for tests have threads. */
static int slow;

void
suite_mark(const char *file, int line)
{
    enum { EACH = 200 };
    static atomic_uint marks;
    unsigned n;

    if (slow)
        return;
    n = atomic_fetch_add_explicit(&marks, 1, memory_order_relaxed);
    if (n < EACH || (n & (n - 1)) == 0)
        (_mark_point)(file, line);
}

static void
setup(void)
{
    host_prepare();
    Py_Initialize();
    host_initialized();
}

static void
teardown(void)
{
    if (PyErr_Occurred() != NULL) {
        PyErr_Print();
        ck_abort_msg("the test left an exception behind");
    }
    host_check();
    Py_Finalize();
}

static struct suite_test *first_test, **test_end = &first_test;

void
suite_add(struct suite_test *test)
{
    *test_end = test;
    test_end = &test->next;
}

static int
run(const char *name, SFun before, SFun after)
{
    Suite *suite = suite_create(name);

    slow = suite_is_slow();
    for (struct suite_test *i = first_test; i != NULL; i = i->next) {
        TCase *tcase = tcase_create(i->test.name);

        tcase_set_timeout(tcase, TIMEOUT_SECONDS);
        tcase_add_checked_fixture(tcase, before, after);
        tcase_add_test(tcase, &i->test);
        suite_add_tcase(suite, tcase);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
suite_run(const char *name)
{
    return run(name, setup, teardown);
}

int
suite_run_unquarantined(const char *name)
{
    setenv("PYBOEHM_QUARANTINE", "0", 1);
    return suite_run(name);
}

int
suite_run_early(const char *name)
{
    return run(name, NULL, NULL);
}

/* Reads fd to its end into a fresh string. */
static char *
read_all(int fd)
{
    size_t size = 0, room = 4096;
    char *text = malloc(room);
    ssize_t got;

    ck_assert_ptr_nonnull(text);
    while ((got = read(fd, text + size, room - size - 1)) > 0) {
        size += (size_t)got;
        if (room - size < 1024) {
            room *= 2;
            text = realloc(text, room);
            ck_assert_ptr_nonnull(text);
        }
    }
    text[size] = '\0';
    return text;
}

/* The child process of suite_fork, and its standard error. */
static struct {
    pid_t id;
    int said;
} child;

int
suite_fork(void)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);

    child.id = fork();
    ck_assert_int_ge(child.id, 0);
    if (child.id == 0)
        dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    if (child.id == 0)
        close(ends[0]);
    else
        child.said = ends[0];
    return child.id == 0;
}

/* What the child has said, which SIGABRT has killed in what it did. */
static char *
abort_message(const char *what)
{
    char *text = read_all(child.said);
    close(child.said);

    int status;
    ck_assert_int_eq(waitpid(child.id, &status, 0), child.id);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
                  "%s: expected SIGABRT, got status %#x; standard error: %s",
                  what, (unsigned)status, text);
    return text;
}

char *
suite_abort_message(void (*function)(void))
{
    if (suite_fork()) {
        function();
        suite_survived();
    }
    return abort_message("the function");
}

static int saved_stderr;
static FILE *caught;

void
suite_catch_stderr(void)
{
    fflush(stderr);
    saved_stderr = dup(STDERR_FILENO);
    caught = tmpfile();
    ck_assert_ptr_nonnull(caught);
    ck_assert_int_ge(dup2(fileno(caught), STDERR_FILENO), 0);
}

char *
suite_caught_stderr(void)
{
    fflush(stderr);
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
    lseek(fileno(caught), 0, SEEK_SET);
    char *text = read_all(fileno(caught));
    fclose(caught);
    return text;
}

void
suite_survived(void)
{
    _exit(0);
}

void
suite_was_fatal(const char *what, ...)
{
    char *said = abort_message(what);
    const char *text = "Fatal Python error: ";
    va_list texts;

    va_start(texts, what);
    for (; text != NULL; text = va_arg(texts, const char *))
        ck_assert_msg(strstr(said, text) != NULL, "%s: no '%s' in: %s", what,
                      text, said);
    va_end(texts);
    free(said);
}

/* A sanitizer would leave room between the array and the caller's frame. */
__attribute__((noinline, no_sanitize("address"))) void
suite_forget_stack(void)
{
    volatile char frames[16384];

    for (size_t i = 0; i < sizeof frames; i++)
        frames[i] = 0;
}

static int
find_adopted(PyObject *op, void *found)
{
    if (!PyBoehm_IsAdopted(op))
        return 1;
    *(PyObject **)found = op;
    return 0;
}

void
suite_free_adopted(void)
{
    PyObject *found;

    do {
        found = NULL;
        PyUnstable_GC_VisitObjects(find_adopted, &found);
        if (found != NULL)
            Py_DECREF(PyBoehm_Disown(found));
    } while (found != NULL);
}

int
suite_is_slow(void)
{
    return getenv("PYBOEHM_TEST_SLOW") != NULL;
}

int
suite_is_valgrind(void)
{
    return suite_is_slow() &&
           strcmp(getenv("PYBOEHM_TEST_SLOW"), "valgrind") == 0;
}

static int
can_read_memory(void)
{
    int got = 0;
#ifdef HAVE_PROCESS_VM_READV
    char here, there;
    struct iovec to = {&here, 1}, from = {&there, 1};

    got = (int)process_vm_readv(getpid(), &to, 1, &from, 1, 0);
#endif
    return got == 1;
}

int
suite_is_there(int there, const char *what)
{
    if (!there)
        fprintf(stderr, "# left out: this system has no %s\n", what);
    return there;
}

int
suite_has(const char *name)
{
    char flag[80];
    int there;

    snprintf(flag, sizeof flag, " -DHAVE_%s ", name);
    there = strstr(FUNCTIONS " ", flag) != NULL;
    if (there && strcmp(name, "PROCESS_VM_READV") == 0)
        there = can_read_memory();
    return suite_is_there(there, name);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif
#if IS_SANITIZED || !defined(HAVE_MALLOC_TRIM)
#define HAS_OWN_MALLOC 1
#else
#define HAS_OWN_MALLOC 0
#endif

int
suite_malloc_survives_fork(void)
{
    return !IS_SANITIZED;
}

size_t
suite_malloc_in_use(void)
{
#if defined HAVE_MALLOC_TRIM && defined __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
    return mallinfo2().uordblks;
#endif
#endif
    return 0;
}

int
suite_knows_malloc(void)
{
    return !HAS_OWN_MALLOC && !suite_is_slow();
}

void
suite_with_checks(void)
{
    Py_Finalize();
    setenv("PYBOEHM_CHECK", "1", 1);
    Py_Initialize();
}

void
suite_exception_at(const char *file, int line, PyObject *type,
                   const char *text)
{
    ck_assert_msg(PyErr_Occurred() != NULL, "%s:%d: no exception", file, line);
    ck_assert_msg(PyErr_ExceptionMatches(type), "%s:%d: exception of type %s",
                  file, line, ((PyTypeObject *)PyErr_Occurred())->tp_name);

    PyObject *exception = PyErr_GetRaisedException();
    if (text != NULL) {
        PyObject *said = PyObject_Str(exception);
        ck_assert_ptr_nonnull(said);
        ck_assert_msg(strcmp(PyUnicode_AsUTF8(said), text) == 0,
                      "%s:%d: said \"%s\", not \"%s\"", file, line,
                      PyUnicode_AsUTF8(said), text);
        Py_DECREF(said);
    }
    Py_DECREF(exception);
}

PyObject suite_no_object;

void
suite_drop_until(void *op, ...)
{
    va_list more;

    va_start(more, op);
    for (; op != &suite_no_object; op = va_arg(more, void *))
        Py_DECREF((PyObject *)op);
    va_end(more);
}

void *
suite_require_at(const char *file, int line, void *pointer)
{
    if (pointer == NULL) {
        PyErr_Print();
        ck_abort_msg("%s:%d: NULL", file, line);
    }
    return pointer;
}

void
suite_repr(PyObject *op, const char *text)
{
    suite_require(op);
    suite_new_text(PyObject_Repr(op), text);
}

void
suite_new_repr(PyObject *op, const char *text)
{
    suite_repr(op, text);
    Py_DECREF(op);
}

void
suite_new_text(PyObject *op, const char *text)
{
    suite_require(op);
    ck_assert_str_eq(PyUnicode_AsUTF8(op), text);
    Py_DECREF(op);
}

void
suite_new_int(PyObject *op, long value)
{
    suite_require(op);
    ck_assert_int_eq(PyLong_AsLong(op), value);
    Py_DECREF(op);
}

void
suite_new_same_at(const char *file, int line, PyObject *op, const void *other)
{
    suite_require_at(file, line, op);
    ck_assert_msg(op == other, "%s:%d: another object", file, line);
    Py_DECREF(op);
}

void
suite_refused_at(const char *file, int line, const void *result,
                 PyObject *type, const char *text)
{
    ck_assert_msg(result == NULL, "%s:%d: a result", file, line);
    suite_exception_at(file, line, type, text);
}

void
suite_failed_at(const char *file, int line, intmax_t failure, intmax_t result,
                PyObject *type, const char *text)
{
    ck_assert_msg(result == failure, "%s:%d: %jd, not %jd", file, line, result,
                  failure);
    suite_exception_at(file, line, type, text);
}
