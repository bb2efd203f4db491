/* instancedict.h: dictionaries of instances that have not been asked for.

   As long as only its instance refers to it, such a dictionary is part of the
   instance: it is not tracked, collections do not count it, and its values are
   visited as the instance's own.  Code that hands it out must show it first;
   then it is an object like others.  CPython makes no dictionary until then,
   and keeps the attributes in the instance; the counts are the same. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_INSTANCEDICT_H
#define PYB_OBJECT_ATTR_INSTANCEDICT_H

#include "Python.h"

/* Defined in lib/types, next to dict.  _visit takes the content of an
   instance's slot, which may be any object. */

/* pyb_instancedict_new: an empty hidden dictionary with room for n attributes;
   NULL with MemoryError. */
PyObject *pyb_instancedict_new(Py_ssize_t n);

/* pyb_instancedict_add: adds an attribute that there is room for; runs no
   other code.  The name is a str, the value's reference is stolen. */
void pyb_instancedict_add(PyObject *dict, PyObject *name, PyObject *value);

/* As long as no keys but strs have to be compared, no other code runs.  The
   name is exactly a str, dict exactly a dict.
   pyb_instancedict_peek: 1, and *value is borrowed, or NULL if it is absent;
   0: it has to be looked up.
   pyb_instancedict_replace: 1; 0: it has to be set in another way. */
int pyb_instancedict_peek(PyObject *dict, PyObject *name, PyObject **value);
int pyb_instancedict_replace(PyObject *dict, PyObject *name, PyObject *value);

/* pyb_instancedict_show: makes dict an ordinary object; it must be called
   before other code gets dict. */
void pyb_instancedict_show(PyObject *dict);

/* pyb_instancedict_is_unseen: is op a hidden dictionary? */
int pyb_instancedict_is_unseen(PyObject *op);

/* pyb_instancedict_lay_open: until pyb_instancedict_hide, a hidden dictionary
   is visited as others are; both functions leave other objects alone.  For
   code that examines all containers. */
void pyb_instancedict_lay_open(PyObject *op);
void pyb_instancedict_hide(PyObject *op);

/* pyb_instancedict_visit: visits dict for tp_traverse of the instance. */
int pyb_instancedict_visit(PyObject *dict, visitproc visit, void *arg);

#endif /* PYB_OBJECT_ATTR_INSTANCEDICT_H */
