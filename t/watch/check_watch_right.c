/* check_watch_right.c: of types that are right an audit says nothing.  See
   lib/watch/audit/audit_events.c. */

#include "../support/suite.h"

#include "pyboehm.h"
#include "../support/watched.h"

START_TEST(good_types_are_good)
{
    PyObject *chain = NULL, *adopted;

    watch();
    for (int i = 0; i < 1000; i++)
        chain = new_thing(&Good_type, chain);
    Py_DECREF(chain);
    kill_three(&Good_type);
    adopted = PyBoehm_Adopt(new_thing(&Good_type, NULL));
    ((struct thing *)adopted)->left =
        new_thing(&Good_type, Py_NewRef(adopted));
    Py_INCREF(adopted);
    PyBoehm_GC_CollectAll();
    Py_DECREF(adopted);
    Py_DECREF(PyBoehm_Disown(adopted));
    make_loop(&Good_type);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_SAVEALL);
    PyGC_Collect();
    PyBoehm_GC_SetDebug(0);
    expect_nothing();
}

/* Once is nothing, and dies in the end. */
START_TEST(resurrects_once)
{
    watch();
    Bad_type.tp_dealloc = finalizing_dealloc;
    Bad_type.tp_finalize = keeping_finalize;
    for (int i = 0; i < 5; i++) {
        kept = PyList_New(0);
        make_loop(&Bad_type);
        PyGC_Collect();
        ck_assert_int_eq(PyList_GET_SIZE(kept), 1);
        Py_CLEAR(kept);
        PyGC_Collect();
    }
    expect_nothing();
}

static struct thing *free_list;

/* Joins the list before it lets go of its members. */
static void
listing_dealloc(PyObject *op)
{
    struct thing *self = (struct thing *)op;
    PyObject *left = self->left;

    PyObject_GC_UnTrack(op);
    self->left = NULL;
    self->right = (PyObject *)free_list;
    free_list = self;
    Py_XDECREF(left);
}

static PyObject *
listed_new(PyObject *left)
{
    struct thing *self = free_list;

    if (self == NULL)
        return new_thing(&Bad_type, left);
    free_list = (struct thing *)self->right;
    PyObject_Init((PyObject *)self, &Bad_type);
    self->left = left;
    self->right = NULL;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

START_TEST(free_list_is_good)
{
    watch();
    Bad_type.tp_dealloc = listing_dealloc;
    for (int i = 0; i < 10; i++)
        Py_DECREF(listed_new(listed_new(listed_new(NULL))));
    for (int i = 0; i < 10; i++)
        make_loop(&Bad_type);
    PyGC_Collect();
    for (int i = 0; i < 20; i++)
        kept = listed_new(i % 10 == 0 ? NULL : kept);
    Py_CLEAR(kept);
    PyGC_Collect();
    expect_nothing();
}

/* Instances with all that a class statement gives them; a finalizer in
   between that raises is reported, and leaves nothing. */
START_TEST(classes_are_good)
{
    PyObject *type, *op, *list;

    watch();
    type = suite_class("s(){}", "T");
    for (int i = 0; i < 10; i++) {
        op = PyObject_CallNoArgs(type);
        list = PyList_New(0);
        ck_assert_int_eq(PyList_Append(list, op), 0);
        ck_assert_int_eq(PyObject_SetAttrString(op, "list", list), 0);
        Py_DECREF(list);
        ck_assert_int_eq(PyObject_SetAttrString(op, "me", op), 0);
        Py_DECREF(op);
    }
    Py_DECREF(type);
    ck_assert_int_ge(PyGC_Collect(), 20);
    expect_nothing();
}

/* Another one may come where a type was. */
START_TEST(types_come_and_go)
{
    watch();
    for (int i = 0; i < 20; i++) {
        char name[20];
        PyObject *type, *op;

        snprintf(name, sizeof name, "T%d", i);
        type = suite_class("s(O){}", name, &Good_type);
        op = suite_require(PyObject_CallNoArgs(type));
        suite_drop(op, type);
        PyGC_Collect();
    }
    expect_nothing();
}

static PyObject *hub;

/* The reference to op goes into the hub. */
static void
hold(PyObject *op)
{
    if (op == NULL)
        PyErr_Print();
    ck_assert_ptr_nonnull(op);
    ck_assert_int_eq(PyList_Append(hub, op), 0);
    Py_DECREF(op);
}

static PyObject *
answer(PyObject *Py_UNUSED(self), PyObject *arg)
{
    return Py_NewRef(arg);
}

static PyMethodDef function = {"answer", answer, METH_O, NULL};

/* What types make of the hub, or of a callable and the hub. */
static void
hold_builtins(PyObject *callable)
{
    PyObject *const of_hub[] = {(PyObject *)&PyTuple_Type,
                                (PyObject *)&PyList_Type,
                                (PyObject *)&PyEnum_Type,
                                (PyObject *)&PyReversed_Type,
                                (PyObject *)&PyZip_Type,
                                (PyObject *)&PyProperty_Type,
                                (PyObject *)&PyStaticMethod_Type,
                                (PyObject *)&PyClassMethod_Type,
                                (PyObject *)&PySlice_Type,
                                PyExc_Exception,
                                PyExc_OSError,
                                PyExc_StopIteration};
    PyObject *const of_both[] = {(PyObject *)&PyMap_Type,
                                 (PyObject *)&PyFilter_Type};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(of_hub); i++)
        hold(PyObject_CallOneArg(of_hub[i], hub));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(of_both); i++)
        hold(PyObject_CallFunctionObjArgs(of_both[i], callable, hub, NULL));
    hold(PyObject_GetIter(hub));
    hold(PyCallIter_New(callable, hub));
}

/* Instances whose class, a weak reference and its callback are in it, too. */
static void
hold_class(PyObject *callable)
{
    PyObject *type = suite_class("s(){sO}", "T", "answer", callable);
    PyObject *op = suite_require(PyObject_CallNoArgs(type));
    ck_assert_int_eq(PyObject_SetAttrString(op, "hub", hub), 0);
    ck_assert_int_eq(PyObject_SetAttrString(type, "hub", hub), 0);
    hold(PyWeakref_NewRef(op, callable));
    hold(PyWeakref_NewProxy(op, callable));
    hold(PyMethod_New(callable, op));
    hold(PySet_New(NULL));
    ck_assert_int_eq(
        PySet_Add(PyList_GET_ITEM(hub, PyList_GET_SIZE(hub) - 1), op), 0);
    hold(op);
    hold(type);
}

static void
hold_dicts(void)
{
    PyObject *dict = Py_BuildValue("{sO}", "hub", hub);

    hold(PyDictProxy_New(dict));
    hold(PyObject_CallMethod(dict, "items", NULL));
    hold(PyObject_CallMethod(dict, "values", NULL));
    hold(PyObject_GetIter(dict));
    hold(dict);
    hold(PyCell_New(hub));
    hold(PyModule_New("m"));
    ck_assert_int_eq(
        PyObject_SetAttrString(PyList_GET_ITEM(hub, PyList_GET_SIZE(hub) - 1),
                               "hub", hub),
        0);
}

/* They die by count, one by one, and all together in a collection. */
START_TEST(our_types_are_good)
{
    watch();
    for (int cycle = 0; cycle < 2; cycle++) {
        hub = PyList_New(0);
        PyObject *callable = PyCFunction_New(&function, hub);

        hold_builtins(callable);
        hold_class(callable);
        hold_dicts();
        hold(callable);
        if (!cycle)
            ck_assert_int_eq(PyList_SetSlice(hub, 0, PY_SSIZE_T_MAX, NULL), 0);
        Py_CLEAR(hub);
        PyGC_Collect();
    }
    expect_nothing();
}

static void
tracked_dealloc(PyObject *op)
{
    thing_clear(op);
    Py_TYPE(op)->tp_free(op);
}

/* The audit does not look if it is not switched on. */
START_TEST(switched_off)
{
    watch();
    Py_Finalize();
    setenv("PYBOEHM_AUDIT", "0", 1);
    Py_Initialize();
    Bad_type.tp_dealloc = tracked_dealloc;
    Py_DECREF(new_thing(&Bad_type, NULL));
    expect_nothing();
}
