/* rule_track_early.c: breaks "once all the fields which may contain references
   to other containers are initialized, it must call PyObject_GC_Track".

   The collector can run at each allocation of a container: an object that is
   tracked before its fields are valid is traversed with what stands there. */

#include "../support/node.h"
#include "../support/suite.h"

enum { MANY = 5000, HALF_MADE = -1 };

static long traversed, half_made;

/* A real type would follow fields that were never set. */
static int
watchful_traverse(PyObject *op, visitproc visit, void *arg)
{
    traversed++;
    if (((struct node *)op)->label == HALF_MADE) {
        half_made++;
        return 0;
    }
    return node_traverse(op, visit, arg);
}

static PyTypeObject watchful_type = {
    NODE_TYPE("t.Watchful", node_dealloc, watchful_traverse, node_clear)};

static PyObject *
make(int early)
{
    struct node *self =
        suite_require(PyObject_GC_New(struct node, &watchful_type));
    self->label = HALF_MADE;
    if (early)
        PyObject_GC_Track((PyObject *)self);
    self->left = (PyObject *)node_new(&node_type); /* may collect */
    self->right = NULL;
    self->label = 0;
    if (!early)
        PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

/* Makes so many that collections begin by themselves. */
static void
make_many(int early)
{
    static PyObject *made[MANY];

    node_reset();
    ck_assert_int_eq(PyType_Ready(&watchful_type), 0);
    for (int i = 0; i < MANY; i++)
        made[i] = make(early);
    ck_assert_int_gt(traversed, 0);
    for (int i = 0; i < MANY; i++)
        Py_DECREF(made[i]);
    ck_assert_int_eq(node_log.freed, 2 * MANY);
}

START_TEST(tracked_last_is_never_seen_half_made)
{
    make_many(0);
    ck_assert_int_eq(half_made, 0);
}

START_TEST(tracked_early_is_seen_half_made)
{
    make_many(1);
    ck_assert_int_gt(half_made, 0);
}
