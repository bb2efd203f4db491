/* suite.h: how every test program here is put together.

   A program is its tests.  Each runs in a child process of its own, between
   Py_Initialize and Py_Finalize; it fails if it leaves an exception behind.
   The main of a program that has none is that of main.c, which calls
   suite_run. */

#ifndef T_SUITE_H
#define T_SUITE_H

#include <Python.h>
#include <check.h>
#include <stdlib.h>

/* Check writes the place of each assertion that holds to a file, and copies
   all notes whenever there is a new one; half of the suite's time went there.
   So a process, which is a test, has its first ones noted, and then one
   whenever their number has doubled: a crash comes after the place that is
   told, if not at once.  Under memcheck none are. */
#define _mark_point(file, line) suite_mark(file, line)
void suite_mark(const char *file, int line);

/* START_TEST: as Check's, but nothing follows a test's last brace; and before
   main the test joins the program's tests, which keep the order of their
   text. */
#undef START_TEST
#define START_TEST(name)                                                      \
    static void name##_fn(int);                                               \
    __attribute__((constructor)) static void name##_joins(void)               \
    {                                                                         \
        static struct suite_test test = {                                     \
            {#name, name##_fn, __FILE__, __LINE__}, NULL};                    \
        suite_add(&test);                                                     \
    }                                                                         \
    static void name##_fn(int _i CK_ATTRIBUTE_UNUSED)

struct suite_test {
    TTest test;
    struct suite_test *next;
};
void suite_add(struct suite_test *test);

/* suite_run: runs the program's tests; returns the exit status for main.  Each
   is a case of its own, so CK_RUN_CASE=NAME in the environment runs one
   alone. */
int suite_run(const char *name);

/* suite_run_early: the same without Py_Initialize and Py_Finalize, which the
   tests call themselves. */
int suite_run_early(const char *name);

/* suite_run_unquarantined: suite_run, where freed memory is used again at
   once, in checked builds, too. */
int suite_run_unquarantined(const char *name);

/* suite_abort_message: what function() writes to standard error in a
   child process that it is expected to kill with SIGABRT; the caller frees
   it.  The test fails if the child ends in another way. */
char *suite_abort_message(void (*function)(void));

/* suite_catch_stderr: has standard error go to a file from now on.
   suite_caught_stderr: ends that; returns what was written, which the caller
   frees. */
void suite_catch_stderr(void);
char *suite_caught_stderr(void);

/* SUITE_FATAL: the expression kills a child process with SIGABRT, and standard
   error has a line "Fatal Python error: ..." and each of the texts. */
#define SUITE_FATAL(expression, ...)                                          \
    do {                                                                      \
        if (suite_fork()) {                                                   \
            (void)(expression);                                               \
            suite_survived();                                                 \
        }                                                                     \
        suite_was_fatal(#expression, __VA_ARGS__, NULL);                      \
    } while (0)

/* SUITE_FATAL's: suite_fork returns 1 in a new process, 0 in this one;
   suite_survived ends the new one; suite_was_fatal looks at its end, of which
   the test's message says what it did. */
int suite_fork(void);
_Noreturn void suite_survived(void);
void suite_was_fatal(const char *what, ...) __attribute__((sentinel));

/* suite_forget_stack: overwrites what was left on the stack below, which Boehm
   might find there. */
void suite_forget_stack(void);

/* suite_free_adopted: gives up Boehm's references, to what a stale pointer
   keeps, for instance. */
void suite_free_adopted(void);

/* suite_is_slow: 1 under make check-valgrind and in the gate's step
   sanitizers, where everything takes up to thirty times as long: what a test
   does very often it may do less often. */
int suite_is_slow(void);

/* suite_is_valgrind: 1 under make check-valgrind. */
int suite_is_valgrind(void);

/* suite_has: has this system what configure asks for by that name, in
   capitals? If not, the log says that the test, or the rest of it, is left
   out.  What is there is also tried, for emulators do not have all that they
   declare. */
int suite_has(const char *name);

/* suite_is_there: the same for what a test has found out itself. */
int suite_is_there(int there, const char *what);

/* suite_knows_malloc: is malloc glibc's?  Sanitizers, valgrind and other
   systems have their own. */
int suite_knows_malloc(void);

/* suite_malloc_survives_fork: may the child of a process with threads
   allocate?  A sanitizer's (clang's before 18) has locks that stay held there
   if another thread, one that begins or ends say, held them. */
int suite_malloc_survives_fork(void);

/* suite_malloc_in_use: the bytes that malloc has in use; 0 where that is not
   known. */
size_t suite_malloc_in_use(void);

/* suite_with_checks: starts the library anew, to behave from here on as a
   checked build does, whatever this build is. */
void suite_with_checks(void);

/* SUITE_TYPE: begins the initializer of a static type of objects without
   fields. */
#define SUITE_TYPE(name)                                                      \
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = name,                            \
                                .tp_basicsize = sizeof(PyObject),             \
                                .tp_flags = Py_TPFLAGS_DEFAULT

/* suite_require: the pointer; fails, and says in which line and with which
   exception, if that is NULL. */
#define suite_require(pointer)                                                \
    ((__typeof__(pointer))suite_require_at(SUITE_HERE, (pointer)))
void *suite_require_at(const char *file, int line, void *pointer);

/* suite_class: type(...), a class; the format is Py_BuildValue's, "s(O){}" for
   a name and a base.  Fails as suite_require does. */
#define suite_class(...)                                                      \
    suite_require(PyObject_CallFunction((PyObject *)&PyType_Type, __VA_ARGS__))

/* suite_drop: gives references up, in the order of the objects, of which none
   is NULL. */
#define suite_drop(...) suite_drop_until(__VA_ARGS__, &suite_no_object)
void suite_drop_until(void *op, ...);
extern PyObject suite_no_object;

/* suite_repr: op's repr is the text. */
void suite_repr(PyObject *op, const char *text);

/* suite_new_repr, suite_new_text, suite_new_int: op's repr, the str op or the
   int op is that; they take the reference away.  The test fails, and says why,
   if op is NULL. */
void suite_new_repr(PyObject *op, const char *text);
void suite_new_text(PyObject *op, const char *text);
void suite_new_int(PyObject *op, long value);

/* suite_new_same: op is that object, and not NULL; takes the reference away.
 */
#define suite_new_same(...) suite_new_same_at(SUITE_HERE, __VA_ARGS__)
void suite_new_same_at(const char *file, int line, PyObject *op,
                       const void *other);

/* suite_exception: takes the pending exception away; fails, and says in which
   line, unless it is of the type and says exactly the text (NULL: any). */
#define suite_exception(...) suite_exception_at(SUITE_HERE, __VA_ARGS__)
void suite_exception_at(const char *file, int line, PyObject *type,
                        const char *text);

/* suite_refused, suite_failed, suite_rejected: the same of a call whose result
   must be NULL, or -1, or 0. */
#define suite_refused(...) suite_refused_at(SUITE_HERE, __VA_ARGS__)
#define suite_failed(...) suite_failed_at(SUITE_HERE, -1, __VA_ARGS__)
#define suite_rejected(...) suite_failed_at(SUITE_HERE, 0, __VA_ARGS__)
void suite_refused_at(const char *file, int line, const void *result,
                      PyObject *type, const char *text);
void suite_failed_at(const char *file, int line, intmax_t failure,
                     intmax_t result, PyObject *type, const char *text);

#define SUITE_HERE __FILE__, __LINE__

#endif /* T_SUITE_H */
