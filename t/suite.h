/* suite.h: how every test program here is put together.

   A program lists its tests and hands them to suite_run.  Each test runs in a
   child process of its own, between Py_Initialize and Py_Finalize; it fails
   if it leaves an exception behind. */

#ifndef T_SUITE_H
#define T_SUITE_H

#include <Python.h>
#include <check.h>
#include <stdlib.h>

/* Check notes the place of each assertion that holds, and copies all notes
   whenever there is a new one.  Under memcheck that takes longer than the
   tests; without the notes only a crash is told less exactly. */
#define _mark_point(file, line) suite_mark(file, line)
void suite_mark(const char *file, int line);

/* A test and the signal that must end it, 0 for a normal end. */
struct suite_test {
    const TTest *test;
    int signal;
};

/* suite_run: runs the tests, {NULL, 0} ends the list; returns the exit status
   for main.  Each is a case of its own, so CK_RUN_CASE=NAME in the
   environment runs one alone. */
int suite_run(const char *name, const struct suite_test *tests);

/* suite_run_early: the same without Py_Initialize and Py_Finalize, which the
   tests call themselves. */
int suite_run_early(const char *name, const struct suite_test *tests);

/* suite_abort_message: what function() writes to standard error in a
   child process that it is expected to kill with SIGABRT; the caller frees
   it.  The test fails if the child ends in another way. */
char *suite_abort_message(void (*function)(void));

/* suite_catch_stderr: has standard error go to a file from now on.
   suite_caught_stderr: ends that; returns what was written, which the caller
   frees. */
void suite_catch_stderr(void);
char *suite_caught_stderr(void);

/* suite_fatal: function() kills a child process with SIGABRT, and standard
   error has a line "Fatal Python error: ..." and each of the texts; NULL ends
   them. */
void suite_fatal(void (*function)(void), ...) __attribute__((sentinel));

/* suite_forget_stack: overwrites what was left on the stack below, which Boehm
   might find there. */
void suite_forget_stack(void);

/* suite_free_adopted: gives up Boehm's references, to what a stale pointer
   keeps, for instance. */
void suite_free_adopted(void);

/* suite_is_slow: 1 under make check-valgrind, where everything takes thirty
   times as long: what a test does very often it may do less often. */
int suite_is_slow(void);

/* suite_knows_malloc: is malloc glibc's?  Sanitizers, valgrind and other
   systems have their own. */
int suite_knows_malloc(void);

/* suite_with_checks: starts the library anew, to behave from here on as a
   checked build does, whatever this build is. */
void suite_with_checks(void);

/* suite_repr: op's repr is the text. */
void suite_repr(PyObject *op, const char *text);

/* suite_new_repr, suite_new_text, suite_new_int: op's repr, the str op or the
   int op is that; they take the reference away.  The test fails, and says why,
   if op is NULL. */
void suite_new_repr(PyObject *op, const char *text);
void suite_new_text(PyObject *op, const char *text);
void suite_new_int(PyObject *op, long value);

/* suite_exception: takes the pending exception away; fails unless it is of
   the type and says exactly the text (NULL: any). */
void suite_exception(PyObject *type, const char *text);

/* suite_refused, suite_failed: the same of a call whose result must be NULL,
   or -1. */
void suite_refused(PyObject *result, PyObject *type, const char *text);
void suite_failed(int result, PyObject *type, const char *text);

#endif /* T_SUITE_H */
