/* slotdefs.h: special methods and slots: __repr__ is tp_repr, and so on.

     slotdefs.c  the table, and what follows from it for a type
     slotwrap.c  a slot's function called as a method
     slotcall.c  a method called as a slot's function */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_SLOT_SLOTDEFS_H
#define PYB_OBJECT_SLOT_SLOTDEFS_H

#include "Python.h"

/* pyb_slotdefs_add_wrappers: enters the functions that fill the type's slots
   as methods in its dictionary, where there is no such name; of those that it
   has from its base, none.  To be called before it inherits.  0, or -1 with an
   exception. */
int pyb_slotdefs_add_wrappers(PyTypeObject *type);

/* pyb_slotdefs_fill: gives a class the slots that the special methods in its
   MRO mean.  It has inherited already.  0, or -1 with an exception. */
int pyb_slotdefs_fill(PyTypeObject *type);

/* pyb_slotdefs_update: likewise for the slots that one name means, of the type
   and of all that inherit from it, after the name was set or deleted.  0, or
   -1 with an exception. */
int pyb_slotdefs_update(PyTypeObject *type, PyObject *name);

/* The wrapperfuncs of slotwrap.c, by the kinds of their slots' functions. */
PyObject *pyb_wrap_unary(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_binary(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_reflected(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_ternary(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_ternary_reflected(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_length(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_bool(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_hash(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_next(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_call(PyObject *, PyObject *, void *, PyObject *);
PyObject *pyb_wrap_init(PyObject *, PyObject *, void *, PyObject *);
PyObject *pyb_wrap_setattr(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_delattr(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_get(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_set_key(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_delete_key(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_contains(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_repeat(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_item(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_set_item(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_delete_item(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_lt(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_le(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_eq(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_ne(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_gt(PyObject *, PyObject *, void *);
PyObject *pyb_wrap_ge(PyObject *, PyObject *, void *);

/* pyb_slot_call_new: maker.__new__(cls, *args, **kwds).  args is a tuple, kwds
   a dict or NULL. */
PyObject *pyb_slot_call_new(PyObject *maker, PyObject *cls, PyObject *args,
                            PyObject *kwds);

/* pyb_slot_new: the method __new__ of a type: its tp_new, called with a type
   below it.  A new reference, or NULL with an exception. */
PyObject *pyb_slot_new(PyTypeObject *type);

/* pyb_slot_is_new: was op made by that function? */
int pyb_slot_is_new(PyObject *op);

/* The functions of slotcall.c, each for the slot of its name. */
#define PYB_SLOT_UNARY(F)                                                     \
    F(tp_repr, "__repr__")                                                    \
    F(tp_str, "__str__")                                                      \
    F(tp_iternext, "__next__")                                                \
    F(am_await, "__await__")                                                  \
    F(am_aiter, "__aiter__")                                                  \
    F(am_anext, "__anext__")                                                  \
    F(nb_negative, "__neg__")                                                 \
    F(nb_positive, "__pos__")                                                 \
    F(nb_absolute, "__abs__")                                                 \
    F(nb_invert, "__invert__")                                                \
    F(nb_int, "__int__")                                                      \
    F(nb_float, "__float__")                                                  \
    F(nb_index, "__index__")

#define PYB_SLOT_BINARY(F)                                                    \
    F(nb_add, "__add__", "__radd__")                                          \
    F(nb_subtract, "__sub__", "__rsub__")                                     \
    F(nb_multiply, "__mul__", "__rmul__")                                     \
    F(nb_remainder, "__mod__", "__rmod__")                                    \
    F(nb_divmod, "__divmod__", "__rdivmod__")                                 \
    F(nb_lshift, "__lshift__", "__rlshift__")                                 \
    F(nb_rshift, "__rshift__", "__rrshift__")                                 \
    F(nb_and, "__and__", "__rand__")                                          \
    F(nb_xor, "__xor__", "__rxor__")                                          \
    F(nb_or, "__or__", "__ror__")                                             \
    F(nb_floor_divide, "__floordiv__", "__rfloordiv__")                       \
    F(nb_true_divide, "__truediv__", "__rtruediv__")                          \
    F(nb_matrix_multiply, "__matmul__", "__rmatmul__")

#define PYB_SLOT_INPLACE(F)                                                   \
    F(nb_inplace_add, "__iadd__")                                             \
    F(nb_inplace_subtract, "__isub__")                                        \
    F(nb_inplace_multiply, "__imul__")                                        \
    F(nb_inplace_remainder, "__imod__")                                       \
    F(nb_inplace_lshift, "__ilshift__")                                       \
    F(nb_inplace_rshift, "__irshift__")                                       \
    F(nb_inplace_and, "__iand__")                                             \
    F(nb_inplace_xor, "__ixor__")                                             \
    F(nb_inplace_or, "__ior__")                                               \
    F(nb_inplace_floor_divide, "__ifloordiv__")                               \
    F(nb_inplace_true_divide, "__itruediv__")                                 \
    F(nb_inplace_matrix_multiply, "__imatmul__")

#define PYB_DECLARE_UNARY(SLOT, NAME) PyObject *pyb_slot_##SLOT(PyObject *);
#define PYB_DECLARE_BINARY(SLOT, NAME, ...)                                   \
    PyObject *pyb_slot_##SLOT(PyObject *, PyObject *);

PYB_SLOT_UNARY(PYB_DECLARE_UNARY)
PYB_SLOT_BINARY(PYB_DECLARE_BINARY)
PYB_SLOT_INPLACE(PYB_DECLARE_BINARY)

PyObject *pyb_slot_nb_power(PyObject *, PyObject *, PyObject *);
PyObject *pyb_slot_nb_inplace_power(PyObject *, PyObject *, PyObject *);
int pyb_slot_nb_bool(PyObject *);
Py_ssize_t pyb_slot_length(PyObject *);
PyObject *pyb_slot_mp_subscript(PyObject *, PyObject *);
int pyb_slot_mp_ass_subscript(PyObject *, PyObject *, PyObject *);
PyObject *pyb_slot_sq_item(PyObject *, Py_ssize_t);
int pyb_slot_sq_ass_item(PyObject *, Py_ssize_t, PyObject *);
int pyb_slot_sq_contains(PyObject *, PyObject *);
Py_hash_t pyb_slot_tp_hash(PyObject *);
PyObject *pyb_slot_tp_call(PyObject *, PyObject *, PyObject *);
PyObject *pyb_slot_tp_getattro(PyObject *, PyObject *);
int pyb_slot_tp_setattro(PyObject *, PyObject *, PyObject *);
PyObject *pyb_slot_tp_richcompare(PyObject *, PyObject *, int);
PyObject *pyb_slot_tp_iter(PyObject *);
PyObject *pyb_slot_tp_descr_get(PyObject *, PyObject *, PyObject *);
int pyb_slot_tp_descr_set(PyObject *, PyObject *, PyObject *);
int pyb_slot_tp_init(PyObject *, PyObject *, PyObject *);
PyObject *pyb_slot_tp_new(PyTypeObject *, PyObject *, PyObject *);

#endif /* PYB_OBJECT_SLOT_SLOTDEFS_H */
