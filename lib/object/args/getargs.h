/* getargs.h: declarations that the parts of the argument parser share.
   getargs.c drives it for positional arguments, getargskw.c for keyword
   arguments; getargsunit.c converts one argument. */

#ifndef PYB_OBJECT_ARGS_GETARGS_H
#define PYB_OBJECT_ARGS_GETARGS_H
#ifndef PYBOEHM_BUILD
#error "internal header"
#endif

#include "Python.h"

/* A converter as O& has it: 0 with an exception, 1, or Py_CLEANUP_SUPPORTED.
   With NULL for the object it releases what it stored at the address. */
typedef int (*pyb_converter)(PyObject *, void *);

enum {
    PYB_GETARGS_DEPTH = 30,    /* parentheses within parentheses */
    PYB_GETARGS_CLEANUPS = 8,  /* held without allocating */
    PYB_GETARGS_PROBLEM = 256, /* bytes of a description */
};

struct pyb_cleanup {
    pyb_converter release;
    void *address;
};

/* One parse.  `format' moves along as units are converted and `va' along with
   it.  `path' holds the indices of the nested items under conversion; it stays
   as it is when one fails, and so names the culprit.  `problem' describes a
   failure without an exception: "must be X, not Y", or in parentheses an error
   of the format. */
struct pyb_getargs {
    const char *format;
    va_list va;
    const char *function; /* behind ':', or NULL */
    const char *message;  /* behind ';', or NULL */
    const char *argument; /* what errors call it in place of its number */

    int path[PYB_GETARGS_DEPTH];
    int depth;
    char problem[PYB_GETARGS_PROBLEM];

    /* Released if the parse fails. */
    struct pyb_cleanup *cleanups, few[PYB_GETARGS_CLEANUPS];
    size_t ncleanups, room;
};

/* The number of units in a format, and of those before the last '|'; and does
   a closing parenthesis follow? */
struct pyb_getargs_count {
    int min, max, closed;
};

/* pyb_getargs_begin, pyb_getargs_end: open and close a parse.  The latter
   returns ok; it releases all that was acquired if that is 0. */
void pyb_getargs_begin(struct pyb_getargs *p, const char *format, va_list va);
int pyb_getargs_end(struct pyb_getargs *p, int ok);

/* pyb_getargs_count: counts the units from format on, to the end or the
   closing parenthesis.  0, or -1 with SystemError. */
int pyb_getargs_count(const char *format, struct pyb_getargs_count *count);

/* pyb_getargs_convert: converts arg as the next unit says, or skips the unit
   and its variables if arg is NULL.  0; or -1 with an exception or a
   problem. */
int pyb_getargs_convert(struct pyb_getargs *p, PyObject *arg);

/* pyb_getargs_report: after a failure: raises the exception for argument
   `number' (0: without a number), with the nested items path[level] and so on,
   unless an exception is set. */
void pyb_getargs_report(const struct pyb_getargs *p, int number, int level);

/* pyb_getargs_function, pyb_getargs_parens: the function's name and "()"; or
   the given name and "" if the format has none. */
const char *pyb_getargs_function(const struct pyb_getargs *p,
                                 const char *otherwise);
const char *pyb_getargs_parens(const struct pyb_getargs *p);

/* pyb_getargs_parse_one: PyArg_Parse with its variables in va. */
int pyb_getargs_parse_one(PyObject *arg, const char *format, va_list va);

/* pyb_getargs_named: PyArg_ParseTupleAndKeywords whose errors have the
   argument's name in place of its number, as those functions of CPython have
   that Argument Clinic made. */
int pyb_getargs_named(PyObject *args, PyObject *kwargs, const char *format,
                      char **names, ...);

/* pyb_getargs_int: for "O&": an int, stored in *value; a number that does not
   fit is told of in the words of Argument Clinic's functions.  1, or 0 with an
   exception. */
int pyb_getargs_int(PyObject *arg, void *value);

/* pyb_getargs_no_keywords: 1 if kwargs is NULL or empty; else 0 with
   TypeError. */
int pyb_getargs_no_keywords(const char *function, PyObject *kwargs);

#endif /* PYB_OBJECT_ARGS_GETARGS_H */
