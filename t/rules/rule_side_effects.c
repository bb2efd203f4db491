/* rule_side_effects.c: breaks "the traversal function must not have any side
   effects: it may not modify the reference counts of any objects nor create or
   destroy any".

   With checks each of them is fatal and names the type.  Without, a count too
   high or too low is taken for what it says. */

#include "../support/node.h"
#include "../support/suite.h"

static void (*effect)(struct node *);

static int
loud_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (effect != NULL)
        effect((struct node *)op);
    return node_traverse(op, visit, arg);
}

static PyTypeObject loud_type = {
    NODE_TYPE("t.Loud", node_dealloc, loud_traverse, node_clear)};

static void
gain_a_reference(struct node *self)
{
    Py_INCREF(self);
}

static void
lose_a_reference(struct node *self)
{
    Py_SET_REFCNT(self, Py_REFCNT(self) - 1);
}

static void
hold_a_member(struct node *self)
{
    Py_XINCREF(self->left); /* none yet: no deed */
}

static void
create(struct node *Py_UNUSED(self))
{
    PyObject_GC_New(struct node, &node_type);
}

static void
create_and_destroy(struct node *Py_UNUSED(self))
{
    Py_XDECREF(PyList_New(0));
}

static void
create_what_is_acyclic(struct node *Py_UNUSED(self))
{
    Py_XDECREF(PyLong_FromLong(123456));
}

static void
destroy(struct node *self)
{
    Py_CLEAR(self->left);
}

static void
track(struct node *self)
{
    PyObject_GC_UnTrack(self);
    PyObject_GC_Track((PyObject *)self);
}

static void
raise_an_exception(struct node *Py_UNUSED(self))
{
    PyErr_SetString(PyExc_ValueError, "from tp_traverse");
}

static void
ask_in_vain(struct node *Py_UNUSED(self))
{
    PyType_GetModule(&PyLong_Type); /* its _DuringGC twin would be silent */
}

static void
make_types(void)
{
    node_reset();
    ck_assert_int_eq(PyType_Ready(&loud_type), 0);
}

static void
collect_checked(void)
{
    void (*wanted)(struct node *) = effect;

    effect = NULL;
    suite_with_checks();
    struct node *loud = node_new(&loud_type);
    loud->left = (PyObject *)node_new(&node_type);
    effect = wanted;
    PyGC_Collect();
}

static void
expect_fatal(void (*wanted)(struct node *), const char *deed)
{
    make_types();
    effect = wanted;
    SUITE_FATAL(collect_checked(),
                "Fatal Python error: tp_traverse: type t.Loud: ", deed,
                ", object at 0x");
}

START_TEST(reference_counts)
{
    expect_fatal(gain_a_reference, "changed a reference count");
    expect_fatal(lose_a_reference, "changed a reference count");
    expect_fatal(hold_a_member, "changed a reference count");
}

START_TEST(creation)
{
    expect_fatal(create, "allocated, freed or tracked an object");
    expect_fatal(create_and_destroy, "allocated, freed or tracked an object");
    expect_fatal(create_what_is_acyclic,
                 "allocated, freed or tracked an object");
}

START_TEST(destruction)
{
    expect_fatal(destroy, "allocated, freed or tracked an object");
}

START_TEST(tracking)
{
    expect_fatal(track, "allocated, freed or tracked an object");
}

START_TEST(exceptions)
{
    expect_fatal(raise_an_exception, "raised an exception");
}

START_TEST(functions_that_raise)
{
    expect_fatal(ask_in_vain, "raised an exception");
}

/* Each traversal leaves a reference behind that will not be released. */
START_TEST(a_count_that_grows_is_a_leak)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown above */
    make_types();
    struct node *ring = node_ring(&loud_type, 1);

    effect = gain_a_reference;
    ck_assert_int_eq(PyGC_Collect(), 0);
    effect = NULL;
    ck_assert_int_gt(Py_REFCNT(ring), 2);
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
#endif
}
