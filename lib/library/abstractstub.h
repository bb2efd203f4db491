/* abstractstub.h: abstract methods of the classes of collections.abc. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_LIBRARY_ABSTRACTSTUB_H
#define PYB_LIBRARY_ABSTRACTSTUB_H

#include "Python.h"

/* The methods; a name that stands for two differs in what it raises. */
extern PyMethodDef pyb_stub_hash, pyb_stub_len, pyb_stub_contains,
    pyb_stub_call, pyb_stub_iter, pyb_stub_reversed, pyb_stub_await,
    pyb_stub_aiter, pyb_stub_anext, pyb_stub_next, pyb_stub_send,
    pyb_stub_throw, pyb_stub_asend, pyb_stub_athrow, pyb_stub_add,
    pyb_stub_discard, pyb_stub_getkey, pyb_stub_setkey, pyb_stub_delkey,
    pyb_stub_getitem, pyb_stub_setitem, pyb_stub_delitem, pyb_stub_insert;

/* pyb_abstractstub_type: the type of such methods; a new reference, or NULL
   with an exception. */
PyObject *pyb_abstractstub_type(void);

/* pyb_abstractstub_new: the method as an attribute of a class, marked as
   abstract; type is the one above.  A new reference, or NULL with an
   exception. */
PyObject *pyb_abstractstub_new(PyTypeObject *type, PyMethodDef *def);

#endif /* PYB_LIBRARY_ABSTRACTSTUB_H */
