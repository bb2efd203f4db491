/* check_gc_stress.c: PYBOEHM_STRESS: a full collection wherever an automatic
   one might run, or at each nth such place. */

#include "../support/node.h"
#include "../support/suite.h"

/* Starts the library anew. */
static void
start_with(const char *stress)
{
    Py_Finalize();
    setenv("PYBOEHM_STRESS", stress, 1);
    Py_Initialize();
    node_reset();
}

static void
make_one(void)
{
    Py_DECREF(node_new(&node_type));
}

START_TEST(each_allocation_collects_first)
{
    start_with("1");
    for (long i = 1; i <= 10; i++) {
        node_drop_ring(&node_type, 1);
        ck_assert_int_eq(node_log.freed, 2 * i - 2);
        make_one();
        ck_assert_int_eq(node_log.freed, 2 * i);
    }
}

START_TEST(what_is_old_is_looked_at)
{
    start_with("1");
    struct node *ring = node_ring(&node_type, 2);
    PyGC_Collect();
    Py_DECREF(ring);
    ck_assert_int_eq(node_log.freed, 0);
    make_one();
    ck_assert_int_eq(node_log.freed, 3);
}

START_TEST(each_tenth_allocation_collects)
{
    start_with("10");
    node_drop_ring(&node_type, 1);
    long made = 0;
    for (; node_log.freed == made; made++)
        make_one();
    ck_assert_int_le(made, 10);

    long before = node_log.freed;
    for (int i = 0; i < 9; i++)
        node_drop_ring(&node_type, 1);
    ck_assert_int_eq(node_log.freed, before);
    make_one();
    ck_assert_int_eq(node_log.freed, before + 10);
}

START_TEST(none_while_disabled)
{
    start_with("1");
    PyGC_Disable();
    node_drop_ring(&node_type, 1);
    make_one();
    ck_assert_int_eq(node_log.freed, 1);
    PyGC_Enable();
    make_one();
    ck_assert_int_eq(node_log.freed, 3);
}

START_TEST(other_values_are_none)
{
    const char *const values[] = {"", "0", "-1", "yes"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(values); i++) {
        start_with(values[i]);
        node_drop_ring(&node_type, 1);
        make_one();
        ck_assert_int_eq(node_log.freed, 1);
    }
}

/* A tuple of bases may hold a static type that has no type yet. */
START_TEST(types_that_are_not_ready)
{
    static PyTypeObject raw = {PyVarObject_HEAD_INIT(NULL, 0).tp_name =
                                   "t.Raw"};

    start_with("1");
    PyObject *bases = PyTuple_Pack(1, (PyObject *)&raw);
    make_one();
    ck_assert_int_eq(PyObject_GC_IsTracked(bases), 1);
    Py_DECREF(bases);
}
