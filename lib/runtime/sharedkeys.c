/* sharedkeys.c: the names that the instances of a class share.  See
   sharedkeys.h. */

#include "Python.h"

#include "runtime/sharedkeys.h"

_Static_assert(PYB_SHARED_KEYS_MAX % 2 == 0, "whole granules");

struct _dictkeysobject *
pyb_inline_require_keys(PyTypeObject *type)
{
    PyHeapTypeObject *class = (PyHeapTypeObject *)type;

    PYB_ASSERT(pyb_inline_may(type));
    if (class->ht_cached_keys == NULL) {
        struct _dictkeysobject *keys = PyMem_Calloc(1, sizeof *keys);

        if (keys == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        if (class->ht_cached_keys == NULL)
            class->ht_cached_keys = keys;
        else /* what was done for want of memory has made them */
            PyMem_Free(keys);
    }
    return class->ht_cached_keys;
}

PyObject *
pyb_inline_new_first(PyTypeObject *type)
{
    return pyb_inline_require_keys(type) != NULL
               ? pyb_inline_new_with_room(type, PYB_SHARED_KEYS_MAX)
               : NULL;
}
