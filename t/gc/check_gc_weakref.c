/* check_gc_weakref.c: weak references to what the collector takes, before,
   while and after finalizers run. */

#include "../support/node.h"
#include "../support/suite.h"

#include <pyboehm.h>

static void
weak_node_dealloc(PyObject *op)
{
    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    PyObject_ClearWeakRefs(op);
    node_type.tp_dealloc(op);
}

static PyTypeObject weak_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.WeakNode",
    .tp_base = &node_type,
    .tp_basicsize = sizeof(struct weak_node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_dealloc = weak_node_dealloc,
    .tp_weaklistoffset = offsetof(struct weak_node, weakrefs),
};

static PyTypeObject weak_final_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.WeakFinalNode",
    .tp_base = &weak_type,
};

/* What ran, a letter each: a callback, a finalizer, a tp_clear. */
static char events[32];

static void
note_finalizer(struct node *Py_UNUSED(self))
{
    strcat(events, "f");
}

static void
note_clear(struct node *Py_UNUSED(self))
{
    strcat(events, "t");
}

/* Two nodes that own each other, and weak references to them. */
static struct node *pair[2];
static PyObject *refs[2];

static struct node *
weak_new(PyTypeObject *type)
{
    struct node *node = node_new(type);

    ((struct weak_node *)node)->weakrefs = NULL;
    return node;
}

/* For the caller to fill in; drop_pair leaves it to the collector. */
static void
make_pair(PyTypeObject *type)
{
    node_reset();
    weak_final_type.tp_finalize = node_final_type.tp_finalize;
    ck_assert_int_eq(PyType_Ready(&weak_type), 0);
    ck_assert_int_eq(PyType_Ready(&weak_final_type), 0);
    pair[0] = weak_new(type);
    pair[1] = weak_new(type);
    node_link(pair[0], pair[1], NULL);
    node_link(pair[1], pair[0], NULL);
    node_log.on_finalize = note_finalizer;
    node_log.on_clear = note_clear;
}

static void
drop_pair(void)
{
    suite_drop(pair[0], pair[1]);
}

/* A weak reference to member i; its callback, if any, has no self. */
static PyObject *
new_ref(int i, PyMethodDef *callback)
{
    PyObject *function =
        callback != NULL ? PyCFunction_New(callback, NULL) : NULL;
    PyObject *ref =
        suite_require(PyWeakref_NewRef((PyObject *)pair[i], function));
    Py_XDECREF(function);
    return ref;
}

static void
make_refs(PyMethodDef *callback)
{
    refs[0] = new_ref(0, callback);
    refs[1] = new_ref(1, callback);
}

static void
drop_refs(void)
{
    Py_CLEAR(refs[0]);
    Py_CLEAR(refs[1]);
}

static void
expect_dead(PyObject *ref)
{
    PyObject *op = ref;

    ck_assert_int_eq(PyWeakref_GetRef(ref, &op), 0);
    ck_assert_ptr_null(op);
}

/* ------------------------------------------------------------------ */
/* Callbacks                                                           */

static PyObject *
callback(PyObject *Py_UNUSED(self), PyObject *ref)
{
    ck_assert(ref == refs[0] || ref == refs[1]);
    expect_dead(refs[0]);
    expect_dead(refs[1]);
    strcat(events, "c");
    Py_RETURN_NONE;
}

static PyMethodDef callback_def = {"callback", callback, METH_O, NULL};

START_TEST(callbacks_come_before_finalizers)
{
    make_pair(&weak_final_type);
    make_refs(&callback_def);
    drop_pair();
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_str_eq(events, "ccfft");
    ck_assert_int_eq(node_log.freed, 2);
    drop_refs();
}

static PyObject *
unexpected(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ref))
{
    ck_abort_msg("the weak reference is garbage, too");
    Py_RETURN_NONE;
}

static PyMethodDef unexpected_def = {"unexpected", unexpected, METH_O, NULL};

START_TEST(no_callback_of_a_reference_inside_the_set)
{
    make_pair(&weak_final_type);
    make_refs(&unexpected_def);
    node_link(pair[0], pair[1], refs[0]); /* to its owner */
    node_link(pair[1], pair[0], refs[1]);
    drop_refs();
    drop_pair();
    ck_assert_int_ge(PyGC_Collect(), 4);
    ck_assert_str_eq(events, "fft");
    ck_assert_int_eq(node_log.freed, 2);
}

/* The referent is no member, since it is not tracked, and dies while the
   members are cleared; in the one order or the other before the weak
   reference, which is a member, is freed. */
START_TEST(no_callback_of_a_reference_inside_the_set_to_something_outside)
{
    for (int i = 0; i < 2; i++) {
        make_pair(&weak_type);
        struct node *outside = weak_new(&weak_type);
        PyObject_GC_UnTrack(outside);
        PyObject *callback = PyCFunction_New(&unexpected_def, NULL);
        PyObject *ref =
            suite_require(PyWeakref_NewRef((PyObject *)outside, callback));
        Py_DECREF(callback);
        node_link(pair[i], pair[1 - i], ref);
        node_link(pair[1 - i], pair[i], outside);
        suite_drop(ref, outside);
        drop_pair();
        ck_assert_int_ge(PyGC_Collect(), 3);
        ck_assert_int_eq(node_log.freed, 3);
    }
}

/* The same where no member can be referred to weakly: the callback is kept
   from outside. */
START_TEST(no_callback_of_a_reference_among_plain_members)
{
    make_pair(&weak_type);
    drop_pair();
    PyGC_Collect();
    PyObject *callback = PyCFunction_New(&unexpected_def, NULL);
    for (int i = 0; i < 2; i++) {
        struct node *outside = weak_new(&weak_type);
        PyObject_GC_UnTrack(outside);
        PyObject *ref =
            suite_require(PyWeakref_NewRef((PyObject *)outside, callback));
        pair[0] = node_new(&node_type);
        pair[1] = node_new(&node_type);
        node_link(pair[i], pair[1 - i], ref);
        node_link(pair[1 - i], pair[i], outside);
        suite_drop(ref, outside);
        drop_pair();
        ck_assert_int_eq(PyGC_Collect(), 3);
    }
    ck_assert_int_eq(node_log.freed, 8);
    Py_DECREF(callback);
}

static PyObject *
failing(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ref))
{
    PyErr_SetString(PyExc_ValueError, "from a callback");
    return NULL;
}

static PyMethodDef failing_def = {"failing", failing, METH_O, NULL};

static void
note_unraisable(PyObject *exception, const char *Py_UNUSED(message),
                PyObject *Py_UNUSED(object), void *Py_UNUSED(arg))
{
    ck_assert(PyErr_GivenExceptionMatches(exception, PyExc_ValueError));
    strcat(events, "u");
}

static PyObject *taken;

/* Takes hold of member 0 by its other weak reference, which has no callback
   and lives until the finalizers have run. */
static PyObject *
take_hold(PyObject *Py_UNUSED(self), PyObject *ref)
{
    ck_assert_ptr_eq(ref, refs[0]);
    ck_assert_int_eq(PyWeakref_GetRef(refs[1], &taken), 1);
    Py_RETURN_NONE;
}

static PyMethodDef take_hold_def = {"take_hold", take_hold, METH_O, NULL};

/* No type here has a finalizer: the callback alone has the set counted
   again. */
START_TEST(callback_revives_through_another_reference)
{
    make_pair(&weak_type);
    refs[0] = new_ref(0, &take_hold_def);
    refs[1] = new_ref(0, NULL);
    struct node *first = pair[0];
    drop_pair();
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_ptr_eq(taken, first);
    ck_assert_int_eq(Py_REFCNT(taken), 2);
    ck_assert_int_eq(PyWeakref_IsDead(refs[1]), 0);
    ck_assert_int_eq(node_log.cleared + node_log.freed, 0);
    Py_DECREF(taken);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.freed, 2);
    drop_refs();
}

START_TEST(callback_that_raises)
{
    make_pair(&weak_final_type);
    make_refs(&failing_def);
    drop_pair();
    PyBoehm_SetUnraisableHook(note_unraisable, NULL);
    PyErr_SetString(PyExc_KeyError, "mine");
    ck_assert_int_eq(PyGC_Collect(), 2);
    suite_exception(PyExc_KeyError, "'mine'");
    ck_assert_str_eq(events, "uufft");
    ck_assert_int_eq(node_log.freed, 2);
    drop_refs();
    PyBoehm_SetUnraisableHook(NULL, NULL);
}

/* ------------------------------------------------------------------ */
/* References without callback                                         */

static void
make_the_second_ref(struct node *Py_UNUSED(self))
{
    if (refs[1] == NULL)
        refs[1] = new_ref(1, NULL);
}

/* Both members still are whole. */
static void
expect_dead_refs(struct node *Py_UNUSED(self))
{
    ck_assert_int_eq(node_log.freed, 0);
    expect_dead(refs[0]);
    expect_dead(refs[1]);
    strcat(events, "t");
}

static void
clear_with_dead_refs(void)
{
    node_log.on_clear = expect_dead_refs;
    drop_pair();
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_str_eq(events, "t");
    ck_assert_int_eq(node_log.freed, 2);
    drop_refs();
}

START_TEST(references_are_dead_while_members_are_cleared)
{
    make_pair(&weak_final_type);
    refs[0] = new_ref(0, NULL);
    node_log.on_finalize = make_the_second_ref;
    clear_with_dead_refs();
}

/* Though no code of the host's comes before tp_clear. */
START_TEST(tp_clear_finds_no_weak_reference_alive)
{
    make_pair(&weak_type);
    make_refs(NULL);
    clear_with_dead_refs();
}

/* The same with a callback, which the collector has not seen when it called
   the others: tp_clear calls nothing, for the members are half cleared. */
static void
make_refs_with_callback(struct node *Py_UNUSED(self))
{
    if (refs[0] == NULL)
        make_refs(&unexpected_def);
}

START_TEST(reference_with_callback_made_in_a_finalizer)
{
    make_pair(&weak_final_type);
    node_log.on_finalize = make_refs_with_callback;
    node_log.on_clear = expect_dead_refs;
    drop_pair();
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_str_eq(events, "t");
    ck_assert_int_eq(node_log.freed, 2);
    drop_refs();
}

static struct node *owner;

static void
revive(struct node *Py_UNUSED(self))
{
    if (owner != NULL)
        return;
    owner = node_new(&node_type);
    ck_assert_int_eq(PyWeakref_GetRef(refs[0], &owner->left), 1);
    ck_assert_ptr_eq(owner->left, pair[0]);
}

START_TEST(finalizer_revives_through_a_reference)
{
    make_pair(&weak_final_type);
    make_refs(NULL);
    struct node *held = node_new(&node_type);
    node_link(pair[1], pair[0], held);
    Py_DECREF(held);
    node_log.on_finalize = revive;
    drop_pair();
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.finalized, 2);
    ck_assert_int_eq(node_log.cleared, 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_ptr_eq(pair[0]->left, pair[1]);
    ck_assert_ptr_eq(pair[1]->left, pair[0]);
    ck_assert_ptr_eq(pair[1]->right, held);
    ck_assert_int_eq(Py_REFCNT(pair[0]), 2);
    ck_assert_int_eq(PyWeakref_IsDead(refs[0]), 0);
    ck_assert_int_eq(PyWeakref_IsDead(refs[1]), 0);

    Py_DECREF(owner);
    ck_assert_int_eq(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.finalized, 2);
    ck_assert_int_eq(node_log.freed, 4);
    expect_dead(refs[0]);
    expect_dead(refs[1]);
    drop_refs();
}

/* The list is kept outside the body, and never visited. */
START_TEST(a_managed_list_is_as_good)
{
    static PyTypeObject managed = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Managed",
        .tp_basicsize = sizeof(struct node),
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                    Py_TPFLAGS_MANAGED_WEAKREF,
        .tp_dealloc = weak_node_dealloc,
        .tp_traverse = node_traverse,
        .tp_clear = node_clear,
    };
    PyBoehm_GC_Objects visited;

    node_reset();
    ck_assert_int_eq(PyType_Ready(&managed), 0);
    ck_assert(PyType_SUPPORTS_WEAKREFS(&managed));
    for (int i = 0; i < 2; i++) {
        pair[i] = node_new(&managed);
        refs[i] = PyWeakref_NewRef((PyObject *)pair[i], NULL);
        ck_assert_ptr_nonnull(refs[i]);
    }
    node_link(pair[0], pair[1], NULL);
    node_link(pair[1], pair[0], NULL);
    suite_new_same(PyWeakref_NewRef((PyObject *)pair[0], NULL), refs[0]);
    PyObject *op = (PyObject *)pair[0];
    ck_assert_int_eq(PyBoehm_GC_GetReferents(&op, 1, &visited), 0);
    ck_assert_int_eq(visited.n, 1);
    ck_assert_ptr_eq(visited.items[0], pair[1]);
    PyBoehm_GC_FreeObjects(&visited);

    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(PyWeakref_IsDead(refs[1]), 0);
    drop_pair();
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(node_log.freed, 2);
    expect_dead(refs[0]);
    expect_dead(refs[1]);
    drop_refs();
}
