/* list.h: declarations that the files of lists share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_LIST_LIST_H
#define PYB_TYPES_LIST_LIST_H

#include "Python.h"

/* pyb_list_resize: makes room for size items and sets ob_size.  New items are
   not initialised: the caller must fill them before any other code runs, and
   must have saved those that are cut off.  0, or -1 with MemoryError, the list
   unchanged; making it smaller never fails. */
int pyb_list_resize(PyListObject *self, Py_ssize_t size);

/* pyb_list_check: fatal if the list contradicts itself, see fatal.h. */
void pyb_list_check(const PyListObject *self);

/* pyb_list_clear: removes all items. */
void pyb_list_clear(PyListObject *self);

/* pyb_list_dealloc: the slot tp_dealloc. */
void pyb_list_dealloc(PyObject *self);

/* pyb_list_extend: adds all items of an iterable.  0, or -1 with an
   exception. */
int pyb_list_extend(PyListObject *self, PyObject *iterable);

/* pyb_list_extend_items: adds the items of a list or tuple of any subtype,
   which may be self.  0, or -1 with MemoryError. */
int pyb_list_extend_items(PyListObject *self, PyObject *source);

/* pyb_list_replace: replaces the items from low up to high, cut to the list,
   by those of value; NULL: by none.  0, or -1 with an exception. */
int pyb_list_replace(PyListObject *self, Py_ssize_t low, Py_ssize_t high,
                     PyObject *value);

/* pyb_list_ass_item: self[i] = value, or del self[i] if value is NULL.  0, or
   -1 with IndexError. */
int pyb_list_ass_item(PyObject *self, Py_ssize_t i, PyObject *value);

/* pyb_list_repeated: a list of count times the items of self.  A new
   reference, or NULL with an exception. */
PyObject *pyb_list_repeated(PyListObject *self, Py_ssize_t count);

/* pyb_list_subscript, pyb_list_ass_subscript: self[key], self[key] = value,
   del self[key] if value is NULL. */
PyObject *pyb_list_subscript(PyObject *self, PyObject *key);
int pyb_list_ass_subscript(PyObject *self, PyObject *key, PyObject *value);

/* pyb_list_sort: sorts in place; key may be NULL.  0, or -1 with an exception;
   the list has all its items then, in some order. */
int pyb_list_sort(PyListObject *self, PyObject *key, int reverse);

/* pyb_list_reverse_items: reverses the order of n items. */
void pyb_list_reverse_items(PyObject **items, Py_ssize_t n);

/* pyb_list_iter, pyb_list_reversed: the slot tp_iter and the method
   __reversed__: iterators from the first item and from the last one.  A new
   reference, or NULL with MemoryError. */
PyObject *pyb_list_iter(PyObject *self);
PyObject *pyb_list_reversed(PyObject *self, PyObject *none);

#endif /* PYB_TYPES_LIST_LIST_H */
