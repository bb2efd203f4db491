/* sharedkeys.h: the names that the instances of a class share, and where their
   values lie: in the instance, as in CPython.

   An instance is made with room for as many attributes as earlier ones of its
   class had, between its head and its managed slots; the first one, with room
   for all that can be shared.  The class has the shared keys: value number i
   is that of name number i.  The place of the instance's dictionary then has a
   word that is no address: bit 0 is set, bits 1 to 7 are the room, and above
   them are the numbers of the values that are set, of four bits each, the
   newest one lowest; what is left is all ones.

   An attribute that there is no room for, and whoever asks for the dictionary,
   make one, which has the attributes from then on. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_RUNTIME_SHAREDKEYS_H
#define PYB_RUNTIME_SHAREDKEYS_H

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"

enum { PYB_SHARED_KEYS_MAX = 14 };

/* The shared keys of a class: interned strs, which it owns, in the order in
   which they were learned. */
struct _dictkeysobject {
    size_t n;
    PyObject *names[PYB_SHARED_KEYS_MAX];
};

/* pyb_inline_may: can instances of the type have inline values?  As in CPython
   those can that have only attributes. */
static inline int
pyb_inline_may(PyTypeObject *type)
{
    const unsigned long flags = Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_MANAGED_DICT;

    return (type->tp_flags & flags) == flags && type->tp_itemsize == 0 &&
           type->tp_basicsize == (Py_ssize_t)sizeof(PyObject);
}

/* The shared keys of an instance's class; NULL if it has had no instance. */
static inline struct _dictkeysobject *
pyb_inline_keys(PyTypeObject *type)
{
    return type->tp_flags & Py_TPFLAGS_HEAPTYPE
               ? ((PyHeapTypeObject *)type)->ht_cached_keys
               : NULL;
}

/* Is what an instance has in the place of its dictionary such a word? */
static inline int
pyb_inline_is(const PyObject *content)
{
    return ((uintptr_t)content & 1) != 0;
}

/* The room, in values. */
static inline size_t
pyb_inline_room(const PyObject *content)
{
    PYB_ASSERT(pyb_inline_is(content));
    return ((uintptr_t)content & 0xff) >> 1;
}

/* The values of an instance; those that are not set are NULL. */
static inline PyObject **
pyb_inline_values(PyObject *op)
{
    PYB_ASSERT_OBJECT(Py_TYPE(op)->tp_basicsize == sizeof(PyObject), op);
    return (PyObject **)(void *)(op + 1);
}

/* pyb_inline_require_keys: the shared keys, made if there are none; NULL with
   MemoryError. */
struct _dictkeysobject *pyb_inline_require_keys(PyTypeObject *type);

/* A new untracked instance with room for so many values, an even number, for a
   granule has two; NULL with MemoryError. */
static inline PyObject *
pyb_inline_new_with_room(PyTypeObject *type, size_t room)
{
    PyObject *op =
        PyUnstable_Object_GC_NewWithExtraData(type, room * sizeof(PyObject *));

    PYB_ASSERT(room % 2 == 0 && room <= PYB_SHARED_KEYS_MAX);
    if (op != NULL)
        *pyb_heap_managed_dict(op) =
            (PyObject *)(~(uintptr_t)0xff | room << 1 | 1);
    return op;
}

/* The same, with room for what its class has learned. */
static inline PyObject *
pyb_inline_new(PyTypeObject *type)
{
    return pyb_inline_new_with_room(type, (pyb_inline_keys(type)->n + 1) &
                                              ~(size_t)1);
}

/* pyb_inline_new_first: the same for the first instance of the class. */
PyObject *pyb_inline_new_first(PyTypeObject *type);

#endif /* PYB_RUNTIME_SHAREDKEYS_H */
