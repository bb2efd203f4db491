/* dead.c: the type that freed objects have while they are in quarantine.  See
   dead.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/dead.h"

_Py_NO_RETURN static void
used(const char *slot, PyObject *op)
{
    PYB_ASSERT(pyb_is_dead(op));
    pyb_fatal_type(slot, NULL, op,
                   "is called for an object that is free already");
}

void
pyb_dead_released(PyObject *op)
{
    pyb_fatal_type("Py_DECREF", NULL, op,
                   "a reference is released to an object that is free "
                   "already\n"
                   "one Py_DECREF too many, here, where it was freed, or "
                   "before, or a Py_INCREF was forgotten");
}

void
pyb_dead_given(const char *function, PyObject *op)
{
    PYB_ASSERT(function != NULL);
    if (op != NULL && pyb_is_dead(op))
        pyb_fatal_type(function, NULL, op,
                       "is given an object that is free already");
}

void
pyb_dead_named(const char *text)
{
    PYB_ASSERT(text != NULL);
    if (pyb_checks && text == pyb_dead_type.tp_name)
        pyb_fatal_type("Py_TYPE", NULL, NULL,
                       "a message has the type of an object that is free "
                       "already");
}

static PyObject *
dead_repr(PyObject *op)
{
    used("tp_repr", op);
}

static PyObject *
dead_str(PyObject *op)
{
    used("tp_str", op);
}

static Py_hash_t
dead_hash(PyObject *op)
{
    used("tp_hash", op);
}

static PyObject *
dead_call(PyObject *op, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwds))
{
    used("tp_call", op);
}

static PyObject *
dead_getattro(PyObject *op, PyObject *Py_UNUSED(name))
{
    used("tp_getattro", op);
}

static int
dead_setattro(PyObject *op, PyObject *Py_UNUSED(name),
              PyObject *Py_UNUSED(value))
{
    used("tp_setattro", op);
}

static PyObject *
dead_richcompare(PyObject *op, PyObject *other, int Py_UNUSED(operation))
{
    used("tp_richcompare", pyb_is_dead(op) ? op : other);
}

static PyObject *
dead_iter(PyObject *op)
{
    used("tp_iter", op);
}

static PyObject *
dead_iternext(PyObject *op)
{
    used("tp_iternext", op);
}

static int
dead_traverse(PyObject *op, visitproc Py_UNUSED(visit), void *Py_UNUSED(arg))
{
    used("tp_traverse", op);
}

static int
dead_clear(PyObject *op)
{
    used("tp_clear", op);
}

static Py_ssize_t
dead_length(PyObject *op)
{
    used("sq_length", op);
}

static PyObject *
dead_item(PyObject *op, Py_ssize_t Py_UNUSED(i))
{
    used("sq_item", op);
}

static int
dead_ass_item(PyObject *op, Py_ssize_t Py_UNUSED(i),
              PyObject *Py_UNUSED(value))
{
    used("sq_ass_item", op);
}

static int
dead_contains(PyObject *op, PyObject *Py_UNUSED(value))
{
    used("sq_contains", op);
}

static PyObject *
dead_subscript(PyObject *op, PyObject *Py_UNUSED(key))
{
    used("mp_subscript", op);
}

static int
dead_ass_subscript(PyObject *op, PyObject *Py_UNUSED(key),
                   PyObject *Py_UNUSED(value))
{
    used("mp_ass_subscript", op);
}

static int
dead_bool(PyObject *op)
{
    used("nb_bool", op);
}

static PyObject *
dead_number(PyObject *op)
{
    used("nb_index", op);
}

static PyObject *
dead_binary(PyObject *op, PyObject *other)
{
    used("nb_add", pyb_is_dead(op) ? op : other);
}

static int
dead_getbuffer(PyObject *op, Py_buffer *Py_UNUSED(view), int Py_UNUSED(flags))
{
    used("bf_getbuffer", op);
}

static PyNumberMethods as_number = {
    .nb_bool = dead_bool,
    .nb_index = dead_number,
    .nb_int = dead_number,
    .nb_float = dead_number,
    .nb_negative = dead_number,
    .nb_positive = dead_number,
    .nb_absolute = dead_number,
    .nb_invert = dead_number,
    .nb_add = dead_binary,
    .nb_subtract = dead_binary,
    .nb_multiply = dead_binary,
    .nb_remainder = dead_binary,
    .nb_floor_divide = dead_binary,
    .nb_true_divide = dead_binary,
    .nb_and = dead_binary,
    .nb_or = dead_binary,
    .nb_xor = dead_binary,
};

static PySequenceMethods as_sequence = {
    .sq_length = dead_length,
    .sq_item = dead_item,
    .sq_ass_item = dead_ass_item,
    .sq_contains = dead_contains,
};

static PyMappingMethods as_mapping = {
    .mp_length = dead_length,
    .mp_subscript = dead_subscript,
    .mp_ass_subscript = dead_ass_subscript,
};

static PyBufferProcs as_buffer = {.bf_getbuffer = dead_getbuffer};

/* It has no type of its own, and is not immortal: what has it is not taken for
   an object, see pyb_inspect_is_object. */
PyTypeObject pyb_dead_type = {
    .ob_base = {.ob_base = {.ob_refcnt = 1}},
    .tp_name = "freed object",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = pyb_dead_released,
    .tp_repr = dead_repr,
    .tp_str = dead_str,
    .tp_hash = dead_hash,
    .tp_call = dead_call,
    .tp_getattro = dead_getattro,
    .tp_setattro = dead_setattro,
    .tp_richcompare = dead_richcompare,
    .tp_iter = dead_iter,
    .tp_iternext = dead_iternext,
    .tp_traverse = dead_traverse,
    .tp_clear = dead_clear,
    .tp_as_number = &as_number,
    .tp_as_sequence = &as_sequence,
    .tp_as_mapping = &as_mapping,
    .tp_as_buffer = &as_buffer,
};
