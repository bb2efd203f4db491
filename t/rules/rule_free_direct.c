/* rule_free_direct.c: breaks "do not call this directly to free an object's
   memory; call the type's tp_free slot instead".

   A tp_dealloc that subtypes inherit goes past the tp_free of these. */

#include "../support/node.h"
#include "../support/suite.h"

static int direct, freed;

static void
some_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    node_clear(op);
    if (direct)
        PyObject_GC_Del(op);
    else
        Py_TYPE(op)->tp_free(op);
}

static void
counting_free(void *op)
{
    freed++;
    PyObject_GC_Del(op);
}

static PyTypeObject base_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Base",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_dealloc = some_dealloc,
    .tp_traverse = node_traverse,
    .tp_clear = node_clear,
};

static PyTypeObject sub_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Sub",
    .tp_base = &base_type,
    .tp_free = counting_free,
};

static void
make_and_drop(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&base_type), 0);
    ck_assert_int_eq(PyType_Ready(&sub_type), 0);
    ck_assert(base_type.tp_free == PyObject_GC_Del);
    Py_DECREF(node_new(&sub_type));
}

START_TEST(the_slot_is_called)
{
    make_and_drop();
    ck_assert_int_eq(freed, 1);
}

START_TEST(the_slot_is_passed_by)
{
    direct = 1;
    make_and_drop();
    ck_assert_int_eq(freed, 0);
}
