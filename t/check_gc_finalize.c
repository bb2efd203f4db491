/* check_gc_finalize.c: finalizers, tp_clear and tp_dealloc, when they behave
   and when they do not. */

#include "node.h"
#include "suite.h"

#include <pyboehm.h>

static PyObject *kept[8];
static int n_kept;

static void
keep(struct node *self)
{
    kept[n_kept++] = Py_NewRef(self);
}

static void
drop_kept(void)
{
    while (n_kept > 0)
        Py_DECREF(kept[--n_kept]);
}

START_TEST(each_finalizer_is_called_once)
{
    node_reset();
    node_drop_ring(&node_final_type, 5);
    ck_assert_int_eq(PyGC_Collect(), 5);
    ck_assert_int_eq(node_log.finalized, 5);
    ck_assert_int_eq(node_log.cleared, 1); /* the counts do the rest */
    ck_assert_int_eq(node_log.freed, 5);
}
END_TEST

/* Every finalizer of the set has run before the first tp_clear. */
static void
no_clear_before_me(struct node *self)
{
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_ptr_nonnull(self->left);
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)self), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)self), 1);
}

START_TEST(finalizers_come_before_clearing)
{
    node_reset();
    node_log.on_finalize = no_clear_before_me;
    node_drop_ring(&node_final_type, 100);
    ck_assert_int_eq(PyGC_Collect(), 100);
    ck_assert_int_eq(node_log.finalized, 100);
}
END_TEST

static void
not_finalized_yet(struct node *self)
{
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)self), 0);
    ck_assert_int_eq(Py_REFCNT(self), 1);
}

START_TEST(finalizer_from_dealloc)
{
    node_reset();
    node_log.on_finalize = not_finalized_yet;
    Py_DECREF(node_new(&node_final_type));
    ck_assert_int_eq(node_log.finalized, 1);
    ck_assert_int_eq(node_log.freed, 1);
}
END_TEST

START_TEST(resurrection_from_dealloc)
{
    node_reset();
    node_log.on_finalize = keep;
    struct node *node = node_new(&node_final_type);
    Py_DECREF(node);
    ck_assert_int_eq(node_log.finalized, 1);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(Py_REFCNT(node), 1);
    ck_assert_int_eq(PyObject_GC_IsFinalized((PyObject *)node), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)node), 1);
    drop_kept();
    ck_assert_int_eq(node_log.finalized, 1);
    ck_assert_int_eq(node_log.freed, 1);
}
END_TEST

static void
keep_the_first(struct node *self)
{
    if (self->label == 0)
        keep(self);
}

/* One member comes back, and with it the ring that it holds. */
START_TEST(one_member_resurrects)
{
    node_reset();
    node_log.on_finalize = keep_the_first;
    node_drop_ring(&node_final_type, 10);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.finalized, 10);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(Py_REFCNT(kept[0]), 2);
    drop_kept();
    ck_assert_int_eq(PyGC_Collect(), 10);
    ck_assert_int_eq(node_log.finalized, 10); /* not called twice */
    ck_assert_int_eq(node_log.freed, 10);
}
END_TEST

START_TEST(all_members_resurrect)
{
    node_reset();
    node_log.on_finalize = keep;
    node_drop_ring(&node_final_type, 8);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(n_kept, 8);
    ck_assert_int_eq(PyGC_Collect(), 0);
    drop_kept();
    ck_assert_int_eq(PyGC_Collect(), 8);
    ck_assert_int_eq(node_log.finalized, 8);
    ck_assert_int_eq(node_log.freed, 8);
}
END_TEST

/* What hangs on a resurrected member lives; what only holds it dies. */
START_TEST(resurrection_divides_the_set)
{
    node_reset();
    struct node *first = node_new(&node_final_type); /* label 0: comes back */
    struct node *held = node_new(&node_type);
    struct node *holder = node_ring(&node_type, 3);

    node_link(first, held, first);
    node_link(holder, holder->left, first);
    Py_DECREF(held);
    Py_DECREF(holder);
    Py_DECREF(first);
    node_log.on_finalize = keep_the_first;
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_ptr_eq(((struct node *)kept[0])->left, held);
    drop_kept();
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.freed, 5);
}
END_TEST

/* ------------------------------------------------------------------ */

static void
raise_error(struct node *Py_UNUSED(self))
{
    PyErr_SetString(PyExc_ValueError, "from a slot");
}

static int unraisable;

static void
count_unraisable(PyObject *exception, const char *message,
                 PyObject *Py_UNUSED(object), void *Py_UNUSED(arg))
{
    ck_assert(PyErr_GivenExceptionMatches(exception, PyExc_ValueError));
    ck_assert_ptr_nonnull(message);
    unraisable++;
}

START_TEST(clear_that_raises)
{
    node_reset();
    PyBoehm_SetUnraisableHook(count_unraisable, NULL);
    node_log.on_clear = raise_error;
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_int_eq(unraisable, 1);
    ck_assert_ptr_null(PyErr_Occurred());
    PyBoehm_SetUnraisableHook(NULL, NULL);
}
END_TEST

START_TEST(finalizer_that_raises)
{
    node_reset();
    PyBoehm_SetUnraisableHook(count_unraisable, NULL);
    node_log.on_finalize = raise_error;
    node_drop_ring(&node_final_type, 4);
    ck_assert_int_eq(PyGC_Collect(), 4);
    ck_assert_int_eq(unraisable, 4);
    ck_assert_ptr_null(PyErr_Occurred());
    PyBoehm_SetUnraisableHook(NULL, NULL);
}
END_TEST

START_TEST(pending_exception_survives)
{
    node_reset();
    PyBoehm_SetUnraisableHook(count_unraisable, NULL);
    node_log.on_clear = raise_error;
    node_drop_ring(&node_type, 2);
    PyErr_SetString(PyExc_KeyError, "mine");
    ck_assert_int_eq(PyGC_Collect(), 2);
    suite_exception(PyExc_KeyError, "'mine'");
    PyBoehm_SetUnraisableHook(NULL, NULL);
}
END_TEST

/* ------------------------------------------------------------------ */

static void
allocate_some(struct node *Py_UNUSED(self))
{
    PyObject *list = PyList_New(0);

    for (int i = 0; i < 50; i++) {
        PyObject *item = PyDict_New();
        ck_assert_int_eq(PyList_Append(list, item), 0);
        Py_DECREF(item);
    }
    Py_DECREF(list);
}

START_TEST(dealloc_that_allocates)
{
    enum { N = 10000 };
    node_reset();
    node_log.on_dealloc = allocate_some;
    node_drop_ring(&node_type, N);
    ck_assert_int_eq(PyGC_Collect(), N);
    ck_assert_int_eq(node_log.freed, N);
    node_reset();
    node_log.on_dealloc = allocate_some;
    for (int i = 0; i < N; i++)
        Py_DECREF(node_new(&node_type));
    ck_assert_int_eq(node_log.freed, N);
    ck_assert_int_eq(PyGC_Collect(), 0);
}
END_TEST

static void
collect_again(struct node *Py_UNUSED(self))
{
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(collection_inside_a_finalizer)
{
    node_reset();
    node_log.on_finalize = collect_again;
    node_log.on_clear = collect_again;
    node_log.on_dealloc = collect_again;
    node_drop_ring(&node_final_type, 20);
    ck_assert_int_eq(PyGC_Collect(), 20);
    ck_assert_int_eq(node_log.finalized, 20);
    ck_assert_int_eq(node_log.freed, 20);
}
END_TEST

/* From a dealloc outside a collection it is a collection like any other. */
static void
collect_a_ring(struct node *self)
{
    if (self->label == 0) {
        node_drop_ring(&node_type, 7);
        ck_assert_int_eq(PyGC_Collect(), 7);
    }
}

START_TEST(collection_inside_a_dealloc)
{
    node_reset();
    node_log.on_dealloc = collect_a_ring;
    Py_DECREF(node_new(&node_type));
    ck_assert_int_eq(node_log.freed, 8);
}
END_TEST

/* A finalizer that breaks the set apart by hand. */
static void
unlink_me(struct node *self)
{
    node_link(self, NULL, NULL);
}

START_TEST(finalizer_that_frees_other_members)
{
    node_reset();
    node_log.on_finalize = unlink_me;
    node_drop_ring(&node_final_type, 50);
    ck_assert_int_ge(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 50);
    ck_assert_int_eq(node_log.finalized, 50);
    ck_assert_int_eq(PyGC_Collect(), 0);
}
END_TEST

/* New garbage made by finalizers waits for the next collection. */
static void
make_garbage(struct node *Py_UNUSED(self))
{
    node_drop_ring(&node_type, 3);
}

START_TEST(finalizer_that_makes_garbage)
{
    node_reset();
    node_log.on_finalize = make_garbage;
    node_drop_ring(&node_final_type, 2);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 6);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 8);
}
END_TEST

/* ------------------------------------------------------------------ */

static void
legacy_del(PyObject *Py_UNUSED(op))
{
    ck_abort_msg("tp_del is not called by the collector");
}

START_TEST(legacy_del_is_uncollectable)
{
    static PyTypeObject legacy_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Legacy",
        .tp_base = &node_type,
        .tp_del = legacy_del,
    };

    node_reset();
    ck_assert_int_eq(PyType_Ready(&legacy_type), 0);
    struct node *legacy = node_new(&legacy_type);
    struct node *held = node_new(&node_type);
    struct node *holder = node_ring(&node_type, 2);

    node_link(legacy, legacy, held);
    node_link(holder, holder->left, legacy);
    Py_DECREF(held);
    Py_DECREF(holder);
    Py_DECREF(legacy);
    /* legacy and held cannot be collected, the holders can. */
    ck_assert_int_eq(PyGC_Collect(), 4);
    ck_assert_int_eq(node_log.freed, 2);
    ck_assert_int_eq(node_log.cleared, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_ptr_eq(legacy->right, held);
    node_link(legacy, NULL, NULL);
}
END_TEST

/* ------------------------------------------------------------------ */

static void
finalizer_of_the_living(void)
{
    struct node *node = node_new(&node_final_type);
    PyObject_CallFinalizerFromDealloc((PyObject *)node);
}

START_TEST(finalizer_from_dealloc_of_the_living)
{
    node_reset();
    char *said = suite_abort_message(finalizer_of_the_living);
    ck_assert_ptr_nonnull(
        strstr(said, "PyObject_CallFinalizerFromDealloc called on object "
                     "with a non-zero refcount"));
    ck_assert_ptr_nonnull(strstr(said, "t.FinalNode"));
    free(said);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {each_finalizer_is_called_once, 0},
        {finalizers_come_before_clearing, 0},
        {finalizer_from_dealloc, 0},
        {resurrection_from_dealloc, 0},
        {one_member_resurrects, 0},
        {all_members_resurrect, 0},
        {resurrection_divides_the_set, 0},
        {clear_that_raises, 0},
        {finalizer_that_raises, 0},
        {pending_exception_survives, 0},
        {dealloc_that_allocates, 0},
        {collection_inside_a_finalizer, 0},
        {collection_inside_a_dealloc, 0},
        {finalizer_that_frees_other_members, 0},
        {finalizer_that_makes_garbage, 0},
        {legacy_del_is_uncollectable, 0},
        {finalizer_from_dealloc_of_the_living, 0},
        {NULL, 0},
    };
    return suite_run("gc: finalizers and clearing", tests);
}
