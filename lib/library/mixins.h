/* mixins.h: the methods that classes of collections.abc give to subclasses
   that define only the abstract ones.  They work with any object, as functions
   in Python would: their self need not be of the class. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_LIBRARY_MIXINS_H
#define PYB_LIBRARY_MIXINS_H

#include "Python.h"

/* Of the class that each is named after. */
extern PyMethodDef pyb_mixins_iterator[];
extern PyMethodDef pyb_mixins_asynciterator[];
extern PyMethodDef pyb_mixins_generator[];
extern PyMethodDef pyb_mixins_coroutine[];
extern PyMethodDef pyb_mixins_sequence[];
extern PyMethodDef pyb_mixins_mutablesequence[];
extern PyMethodDef pyb_mixins_set[];
extern PyMethodDef pyb_mixins_mutableset[];
extern PyMethodDef pyb_mixins_mapping[];
extern PyMethodDef pyb_mixins_mutablemapping[];
extern PyMethodDef pyb_mixins_mappingview[];
extern PyMethodDef pyb_mixins_keysview[];
extern PyMethodDef pyb_mixins_itemsview[];
extern PyMethodDef pyb_mixins_valuesview[];

/* pyb_mixins_call: self.name(*args); the format is Py_BuildValue's.  1 if the
   result was true, 0 if not, -1 with an exception. */
int pyb_mixins_call(PyObject *self, const char *name, const char *format, ...);

/* pyb_mixins_drain: self.name() until it raises the exception; None, or NULL
   with another exception. */
PyObject *pyb_mixins_drain(PyObject *self, const char *name, PyObject *end);

/* pyb_mixins_is: is op an instance of the class of that name in
   collections.abc?  1, 0, or -1 with an exception. */
int pyb_mixins_is(PyObject *op, const char *name);

/* pyb_mixins_same: is it the same object, or an equal one?  1, 0, or -1. */
static inline int
pyb_mixins_same(PyObject *a, PyObject *b)
{
    return PyObject_RichCompareBool(a, b, Py_EQ);
}

/* clang-format off */
/* PYB_MIXINS_EACH: a loop over the items of an iterator (NULL: none); item has
   to be released in it.  The caller looks for an exception after it. */
#define PYB_MIXINS_EACH(ITEM, IT)                                             \
    for (PyObject *ITEM; (IT) != NULL && ((ITEM) = PyIter_Next(IT)) != NULL; )
/* clang-format on */

#endif /* PYB_LIBRARY_MIXINS_H */
