/* facts.c: what the side table and the type say of an object.

   Manual: "Supporting Cyclic Garbage Collection", PyObject_IS_GC,
   PyObject_GC_IsTracked, PyObject_GC_IsFinalized. */

#include "Python.h"

#include "gc/heap/sidetable.h"

int
PyObject_IS_GC(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    return PyType_IS_GC(type) &&
           (type->tp_is_gc == NULL || type->tp_is_gc(op));
}

int
PyObject_GC_IsTracked(PyObject *op)
{
    struct pyb_line *line = pyb_line_of(op);

    return line != NULL && (line->tracked & pyb_bit_of(op)) != 0 &&
           pyb_sidetable_holds(op);
}

int
PyObject_GC_IsFinalized(PyObject *op)
{
    struct pyb_line *line = pyb_line_of(op);

    return line != NULL && (line->finalized & pyb_bit_of(op)) != 0 &&
           pyb_sidetable_holds(op);
}

int
pyb_is_condemned(PyObject *op)
{
    struct pyb_line *line = pyb_line_of(op);

    return line != NULL && (AO_load(&line->condemned) & pyb_bit_of(op)) != 0;
}
