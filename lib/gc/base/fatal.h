/* fatal.h: checks and assertions, and how the library dies.

   A check looks at what the program does with the API, an assertion at what
   the library believes of itself:

     pyb_checks     is the use of the API checked?  In checked builds
                    (--enable-checks), and in the others when the environment
                    has PYBOEHM_CHECK=1
     PYB_ALWAYS     a condition, in every build
     PYB_ASSERT     a condition, with --enable-assertions: what it looks at is
                    close by
     PYB_EXPENSIVE  a call, with --enable-assertions=expensive: of a function
                    that walks over a whole structure

   The conditions are compiled in every build; where they are off they are not
   evaluated and leave no code.  A failure allocates nothing, dumps the object
   concerned, if any, and aborts.

   A function NAME_check of a structure is fatal if that contradicts itself.
   It can be called in every build, and changes nothing. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_FATAL_H
#define PYB_GC_BASE_FATAL_H

#include "object.h"

#ifdef PYBOEHM_CHECKS
enum { pyb_checks = 1 };
#else
extern int pyb_checks;
#endif

#ifndef PYBOEHM_ASSERTIONS
#define PYBOEHM_ASSERTIONS 0
#endif
enum { pyb_assertions = PYBOEHM_ASSERTIONS }; /* 0, 1; 2: expensive ones too */

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

/* pyb_fatal_type: all that is said of a broken type (NULL: that of what is, or
   was, at op), in one line:
   `Fatal Python error: SLOT: type TYPE: TEXT, object at OP`, and the end; of
   nothing in particular (type and op are NULL): `SLOT: TEXT`.
   What stands behind a newline in the text, what it means, gets a line below
   it; then the object's history follows, if it was recorded. */
_Py_NO_RETURN void pyb_fatal_type(const char *slot, const char *type,
                                  const void *op, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* pyb_fatal_tell: all that without the end, which is near. */
void pyb_fatal_tell(const char *slot, const char *type, const void *op,
                    const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* pyb_fatal_about: the same with the history of another object. */
_Py_NO_RETURN void pyb_fatal_about(const void *about, const char *slot,
                                   const char *type, const void *op,
                                   const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* pyb_fatal_seen: of an adopted object that is about to be cleared: Boehm sees
   it, and from where. */
_Py_NO_RETURN void pyb_fatal_seen(PyObject *op);

/* pyb_fatal_defect: pyb_fatal_type with the text of one of enum pyb_defect. */
_Py_NO_RETURN void pyb_fatal_defect(int defect, const void *op);

/* pyb_fatal_dump: the lines of pyb_fatal_object that come before the end. */
void pyb_fatal_dump(const char *file, int line, const char *function,
                    PyObject *op, const char *text);

/* pyb_fatal_dump_object: those of them that are about the object. */
void pyb_fatal_dump_object(PyObject *op);

#define PYB_FAIL(op, text)                                                    \
    pyb_fatal_object(__FILE__, __LINE__, __func__, _PyObject_CAST(op), (text))
#define PYB_ALWAYS(condition, op, text)                                       \
    ((condition) ? (void)0 : PYB_FAIL((op), (text)))
#define PYB_ASSERT(condition) PYB_ASSERT_OBJECT(condition, NULL)
/* The same of something that is wrong with op. */
#define PYB_ASSERT_OBJECT(condition, op)                                      \
    (pyb_assertions < 1 || (condition) ? (void)0 : PYB_FAIL((op), #condition))
/* op as a pointer to that type, which check(op) says it is. */
#define PYB_CAST(type, check, op)                                             \
    (PYB_ASSERT_OBJECT(check(op), op), (type *)(void *)(op))
#define PYB_EXPENSIVE(call) (pyb_assertions < 2 ? (void)0 : (void)(call))

#endif /* PYB_GC_BASE_FATAL_H */
