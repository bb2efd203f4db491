/* fatal.h: the three levels of checks, and how the library dies.

   PYB_ALWAYS   in every build
   PYB_CHECK    in checked builds (--enable-checks), and in the others when the
                environment has PYBOEHM_CHECK=1: what it looks at is close by
   pyb_checks   the switch itself, for checks that walk over everything

   The conditions are compiled in every build.  A failure allocates nothing,
   dumps the object concerned, if any, and aborts. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_FATAL_H
#define PYB_GC_FATAL_H

#include "object.h"

#ifdef PYBOEHM_CHECKS
enum { pyb_checks = 1 };
#else
extern int pyb_checks;
#endif

/* pyb_fatal_init: reads PYBOEHM_CHECK. */
void pyb_fatal_init(void);

/* pyb_fatal_object: `FILE:LINE: FUNCTION: Assertion failed: TEXT`, the dump of
   op unless it is NULL, and the end, with the line of pyb_fatal_type if op is
   an object. */
_Py_NO_RETURN void pyb_fatal_object(const char *file, int line,
                                    const char *function, PyObject *op,
                                    const char *text);

/* pyb_fatal_format: `Fatal Python error: FUNCTION: TEXT`, and the end. */
_Py_NO_RETURN void pyb_fatal_format(const char *function, const char *format,
                                    ...) __attribute__((format(printf, 2, 3)));

/* pyb_fatal_type: all that is said of a broken type, in one line:
   `Fatal Python error: SLOT: type TYPE: TEXT, object at OP`, and the end. */
_Py_NO_RETURN void pyb_fatal_type(const char *slot, const char *type,
                                  const void *op, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* pyb_fatal_dump: the lines of pyb_fatal_object that come before the end. */
void pyb_fatal_dump(const char *file, int line, const char *function,
                    PyObject *op, const char *text);

#define PYB_FAIL(op, text)                                                    \
    pyb_fatal_object(__FILE__, __LINE__, __func__, _PyObject_CAST(op), (text))
#define PYB_ALWAYS(condition, op, text)                                       \
    ((condition) ? (void)0 : PYB_FAIL((op), (text)))
#define PYB_CHECK(condition, op, text)                                        \
    (!pyb_checks || (condition) ? (void)0 : PYB_FAIL((op), (text)))

#endif /* PYB_GC_FATAL_H */
