/* why.h: what PyBoehm_WhyAlive says, for tests that look at it. */

#ifndef T_WHY_H
#define T_WHY_H

#include <stdint.h>

#include <Python.h>

/* What was said last, with all addresses masked. */
extern char why_text[8000];

/* why_told: what is said of an object; the test fails if the result is another
   one. */
const char *why_told(PyObject *op, int expected);

/* why_says: the same; this is a part of it. */
void why_says(PyObject *op, int expected, const char *part);

/* why_is_nowhere: the address of an object, which is hidden, is nowhere in
   memory, and not in a register of the caller's either. */
void why_is_nowhere(uintptr_t hidden);

/* why_is_on_stack: the same, but it is on the stack of this thread. */
void why_is_on_stack(uintptr_t hidden);

/* why_hide: an address in a form that a search through memory does not find;
   why_show: the object. */
static inline uintptr_t
why_hide(PyObject *op)
{
    return ~(uintptr_t)op;
}

static inline PyObject *
why_show(uintptr_t hidden)
{
    return (PyObject *)~hidden;
}

#endif /* T_WHY_H */
