/* rule_alloc_direct.c: breaks "do not call this directly to allocate memory
   for an object; call the type's tp_alloc slot instead".

   A tp_new that knows only its own type makes no instances of subtypes. */

#include "../support/node.h"
#include "../support/suite.h"

static PyObject *
stubborn_new(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args),
             PyObject *Py_UNUSED(kwds))
{
    return (PyObject *)node_new(&node_type);
}

static int allocated;

static PyObject *
counting_alloc(PyTypeObject *type, Py_ssize_t nitems)
{
    allocated++;
    return PyType_GenericAlloc(type, nitems);
}

static PyTypeObject obedient_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Obedient",
    .tp_base = &node_type,
    .tp_new = PyType_GenericNew,
    .tp_alloc = counting_alloc,
};

static PyTypeObject stubborn_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Stubborn",
    .tp_base = &node_type,
    .tp_new = stubborn_new,
    .tp_alloc = counting_alloc,
};

static void
make_types(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&obedient_type), 0);
    ck_assert_int_eq(PyType_Ready(&stubborn_type), 0);
}

START_TEST(tp_alloc_makes_instances_of_the_type_called)
{
    make_types();
    PyObject *op =
        suite_require(PyObject_CallNoArgs((PyObject *)&obedient_type));
    ck_assert(Py_IS_TYPE(op, &obedient_type));
    ck_assert_int_eq(allocated, 1);
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 1);
    Py_DECREF(op);
}

START_TEST(direct_allocation_does_not)
{
    make_types();
    PyObject *op =
        suite_require(PyObject_CallNoArgs((PyObject *)&stubborn_type));
    ck_assert(Py_IS_TYPE(op, &node_type));
    ck_assert_int_eq(allocated, 0);
    Py_DECREF(op);
}
