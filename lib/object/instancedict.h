/* instancedict.h: dictionaries of instances that nobody has asked for.

   As long as nobody but its instance has it, such a dictionary is a part of
   the instance: it is not tracked, no collection counts it, and what it holds
   is visited as the instance's own.  Whoever hands it out shows it first; from
   then on it is an object like others.  CPython makes no dictionary until
   then, and keeps the attributes in the instance; the counts are the same. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_INSTANCEDICT_H
#define PYB_OBJECT_INSTANCEDICT_H

#include "Python.h"

/* Defined where dict is.  _visit takes what stands in an instance's slot,
   which may be any object. */

/* pyb_instancedict_new: an empty one that nobody has seen; NULL with
   MemoryError. */
PyObject *pyb_instancedict_new(void);

/* pyb_instancedict_show: to be called before anybody sees dict. */
void pyb_instancedict_show(PyObject *dict);

/* pyb_instancedict_is_unseen: is op such a dictionary? */
int pyb_instancedict_is_unseen(PyObject *op);

/* pyb_instancedict_lay_open: has such a dictionary be visited as others are,
   until pyb_instancedict_hide; neither does anything to others.  For those who
   look at all containers there are. */
void pyb_instancedict_lay_open(PyObject *op);
void pyb_instancedict_hide(PyObject *op);

/* pyb_instancedict_visit: what tp_traverse of the instance does for dict. */
int pyb_instancedict_visit(PyObject *dict, visitproc visit, void *arg);

#endif /* PYB_OBJECT_INSTANCEDICT_H */
