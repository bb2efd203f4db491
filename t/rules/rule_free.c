/* rule_free.c: breaks "the object's memory must be deallocated using
   PyObject_GC_Del".

   PyObject_Free notices and does PyObject_GC_Del's work; memory that is not
   released stays the dead object's.  free() of memory that malloc() did not
   give is undefined. */

#include "../support/node.h"
#include "../support/suite.h"

static void (*release)(PyObject *);

static void
careless_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    node_clear(op);
    release(op);
}

static PyTypeObject careless_type = {
    NODE_TYPE("t.Careless", careless_dealloc, node_traverse, node_clear)};

static void
by_gc_del(PyObject *op)
{
    PyObject_GC_Del(op);
}

static void
by_object_free(PyObject *op)
{
    PyObject_Free(op);
}

static void
by_nothing(PyObject *Py_UNUSED(op))
{
}

/* How often, of a thousand times, is the memory of the object that just died
   given to the next one? */
static int
reused(void (*wanted)(PyObject *))
{
    struct node *before = NULL;
    int same = 0;

    node_reset();
    release = wanted;
    ck_assert_int_eq(PyType_Ready(&careless_type), 0);
    for (int i = 0; i < 1000; i++) {
        struct node *op = node_new(&careless_type);

        same += op == before;
        before = op;
        Py_DECREF(op);
    }
    return same;
}

START_TEST(gc_del_gives_the_memory_back)
{
    ck_assert_int_gt(reused(by_gc_del), 900);
}

START_TEST(object_free_does_so_for_containers)
{
    ck_assert_int_gt(reused(by_object_free), 900);
}

START_TEST(no_release_is_a_leak)
{
    ck_assert_int_eq(reused(by_nothing), 0);
}

int
main(void)
{
    return suite_run_unquarantined("rule: release by PyObject_GC_Del");
}
