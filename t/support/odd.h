/* odd.h: an object that hashes as the test says, and whose comparison and
   release run a hook of the test. */

#ifndef T_ODD_H
#define T_ODD_H

#include <Python.h>

/* Called when two of them are compared, for the result, and when one is freed;
   NULL: they differ; nothing. */
extern richcmpfunc compare_hook;
extern void (*dealloc_hook)(void);

/* odd: a new one with that hash. */
PyObject *odd(Py_hash_t hash);

#endif /* T_ODD_H */
