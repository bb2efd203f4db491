/* check_duringgc.c: the functions for use in tp_traverse, called from there by
   PyGC_Collect.  Every test runs twice: as programs usually run, and with
   PYBOEHM_CHECK=1, where a traverse that raises or changes a count is fatal.

   Manual: "Supporting Cyclic Garbage Collection", section "DuringGC
   functions". */

#include "../support/suite.h"

#include <string.h>

/* ------------------------------------------------------------------ */
/* A type whose tp_traverse asks everything                            */

struct state {
    long mark;
};

static PyModuleDef def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "m",
    .m_size = sizeof(struct state),
};
static PyModuleDef other_def = {PyModuleDef_HEAD_INIT, .m_name = "other"};

/* The part of an instance that is its type's. */
struct data {
    PyObject *member;
};

static char token, other_token;

/* What the last traversal was told; those it set are poisoned before. */
static struct {
    int calls;
    void *data, *items, *type_state, *module_state, *module_token;
    int token_status, base_status, bare_status;
    PyTypeObject *base;
    PyObject *module, *by_token;
} told;

/* What the traversal asks about. */
static PyObject *asked_module;
static PyTypeObject *data_type;
static void *asked_token = &token, *asked_mod_token = &def;

static void
ask(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    told.calls++;
    told.data = PyObject_GetTypeData_DuringGC(op, data_type);
    told.items = PyObject_GetItemData_DuringGC(op);
    told.type_state = PyType_GetModuleState_DuringGC(type);
    told.module_state = PyModule_GetState_DuringGC(asked_module);
    told.module_token = told.base = (void *)&told;
    told.token_status =
        PyModule_GetToken_DuringGC(asked_module, &told.module_token);
    told.base_status =
        PyType_GetBaseByToken_DuringGC(type, asked_token, &told.base);
    told.bare_status = PyType_GetBaseByToken_DuringGC(type, asked_token, NULL);
    told.module = PyType_GetModule_DuringGC(type);
    told.by_token = PyType_GetModuleByToken_DuringGC(type, asked_mod_token);
}

static int
asking_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct data *data = PyObject_GetTypeData_DuringGC(op, data_type);

    ask(op);
    Py_VISIT(data->member);
    Py_VISIT(Py_TYPE(op));
    return 0;
}

static int
asking_clear(PyObject *op)
{
    Py_CLEAR(((struct data *)PyObject_GetTypeData(op, data_type))->member);
    return 0;
}

static void
asking_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    asking_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot clearing_slots[] = {
    {Py_tp_traverse, (void *)asking_traverse},
    {Py_tp_clear, (void *)asking_clear},
    {Py_tp_dealloc, (void *)asking_dealloc},
    {Py_tp_token, &token},
    {0, NULL},
};

static PyTypeObject *
make_type(PyObject *module, PyTypeObject *base, PyType_Slot *slots, int size)
{
    /* A type that adds nothing inherits tp_traverse, and the flag. */
    unsigned gc = size != 0 ? Py_TPFLAGS_HAVE_GC : 0;
    PyType_Spec spec = {"m.Asking", size, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | gc, slots};
    return (PyTypeObject *)suite_require(
        PyType_FromModuleAndSpec(module, &spec, (PyObject *)base));
}

/* Makes the module and the type with its data; an instance of the type. */
static PyObject *
make_asking(PyType_Slot *slots)
{
    asked_module = suite_require(PyModule_Create(&def));
    data_type =
        make_type(asked_module, NULL, slots, -(int)sizeof(struct data));
    return suite_require(PyType_GenericAlloc(data_type, 0));
}

static void
collect_nothing(void)
{
    memset(&told, 0, sizeof told);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_gt(told.calls, 0);
}

/* ------------------------------------------------------------------ */

START_TEST(they_answer_as_their_twins)
{
    PyObject *op = make_asking(clearing_slots);
    Py_ssize_t of_type = Py_REFCNT(data_type);
    Py_ssize_t of_module = Py_REFCNT(asked_module);

    collect_nothing();
    ck_assert_ptr_eq(told.data, PyObject_GetTypeData(op, data_type));
    ck_assert_ptr_nonnull(told.type_state);
    ck_assert_ptr_eq(told.type_state, PyType_GetModuleState(data_type));
    ck_assert_ptr_eq(told.module_state, told.type_state);
    ck_assert_int_eq(told.token_status, 0);
    ck_assert_ptr_eq(told.module_token, &def);
    ck_assert_int_eq(told.base_status, 1);
    ck_assert_int_eq(told.bare_status, 1);
    ck_assert_ptr_eq(told.base, data_type);
    ck_assert_ptr_eq(told.module, asked_module);
    ck_assert_ptr_eq(told.by_token, asked_module);

    /* All of it was borrowed. */
    ck_assert_int_eq(Py_REFCNT(data_type), of_type);
    ck_assert_int_eq(Py_REFCNT(asked_module), of_module);
    suite_drop(op, data_type, asked_module);
    ck_assert_int_gt(PyGC_Collect(), 0);
}

START_TEST(they_find_what_a_base_has)
{
    PyObject *op = make_asking(clearing_slots);
    PyType_Slot none[] = {{0, NULL}};
    PyTypeObject *derived = make_type(NULL, data_type, none, 0);
    PyObject *instance = suite_require(PyType_GenericAlloc(derived, 0));
    Py_DECREF(op);
    collect_nothing();
    ck_assert_ptr_eq(told.data, PyObject_GetTypeData(instance, data_type));
    ck_assert_int_eq(told.base_status, 1);
    ck_assert_ptr_eq(told.base, data_type);
    ck_assert_ptr_eq(told.by_token, asked_module);
    ck_assert_ptr_null(told.module); /* is not inherited */
    ck_assert_ptr_null(told.type_state);
    suite_drop(instance, derived, data_type, asked_module);
}

START_TEST(they_fail_without_an_exception)
{
    PyObject *op = make_asking(clearing_slots);
    PyObject *module = asked_module;

    asked_module = Py_None;
    asked_token = &other_token;
    asked_mod_token = &other_def;
    collect_nothing();
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_ptr_null(told.items);
    ck_assert_ptr_null(told.module_state);
    ck_assert_int_eq(told.token_status, -1);
    ck_assert_ptr_null(told.module_token);
    ck_assert_int_eq(told.base_status, 0);
    ck_assert_ptr_null(told.base);
    ck_assert_ptr_null(told.by_token);

    asked_token = NULL;
    collect_nothing();
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(told.base_status, -1);
    ck_assert_int_eq(told.bare_status, -1);
    ck_assert_ptr_null(told.base);

    PyTypeObject *base = (PyTypeObject *)&told;
    ck_assert_int_eq(
        PyType_GetBaseByToken_DuringGC((PyTypeObject *)Py_None, &token, &base),
        -1);
    ck_assert_ptr_null(base);
    ck_assert_ptr_null(PyType_GetModule_DuringGC(&PyLong_Type));
    ck_assert_ptr_null(PyType_GetModuleState_DuringGC(&PyLong_Type));
    ck_assert_ptr_null(PyType_GetModuleByToken_DuringGC(&PyLong_Type, &def));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_drop(op, data_type, module);
}

START_TEST(a_pending_exception_stays)
{
    PyObject *op = make_asking(clearing_slots);
    PyObject *module = asked_module;

    PyErr_SetString(PyExc_KeyError, "mine");
    collect_nothing();
    asked_module = op; /* fails */
    asked_token = NULL;
    asked_mod_token = NULL;
    collect_nothing();
    suite_failed(told.token_status, PyExc_KeyError, "'mine'");
    suite_drop(op, data_type, module);
}

/* ------------------------------------------------------------------ */
/* Items                                                               */

static int
items_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyObject **items = PyObject_GetItemData_DuringGC(op);

    told.items = items;
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_VISIT(items[i]);
    Py_VISIT(Py_TYPE(op));
    return 0;
}

static int
items_clear(PyObject *op)
{
    PyObject **items = PyObject_GetItemData(op);

    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_CLEAR(items[i]);
    return 0;
}

static void
items_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    items_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

START_TEST(items_can_be_visited)
{
    PyType_Slot slots[] = {{Py_tp_traverse, (void *)items_traverse},
                           {Py_tp_clear, (void *)items_clear},
                           {Py_tp_dealloc, (void *)items_dealloc},
                           {0, NULL}};
    PyType_Spec spec = {"m.Items", sizeof(PyVarObject), sizeof(PyObject *),
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                            Py_TPFLAGS_ITEMS_AT_END,
                        slots};
    PyTypeObject *type = suite_require((PyTypeObject *)PyType_FromSpec(&spec));
    PyObject *op = suite_require(PyType_GenericAlloc(type, 3));
    PyObject **items = PyObject_GetItemData(op);
    items[0] = Py_NewRef(op);
    items[2] = PyList_New(0);

    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_ptr_eq(told.items, items);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2); /* the object and its list */
    Py_DECREF(type);
}

/* ------------------------------------------------------------------ */
/* In cycles                                                           */

START_TEST(a_cycle_through_type_data_is_collected)
{
    PyObject *op = make_asking(clearing_slots);
    PyObject *list = PyList_New(0);

    ck_assert_int_eq(PyList_Append(list, op), 0);
    ((struct data *)PyObject_GetTypeData(op, data_type))->member = list;
    collect_nothing();
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    suite_drop(data_type, asked_module);
}

/* Its instances have no tp_clear: they stay when their type is cleared. */
static PyType_Slot staying_slots[] = {
    {Py_tp_traverse, (void *)asking_traverse},
    {Py_tp_dealloc, (void *)asking_dealloc},
    {Py_tp_token, &token},
    {0, NULL},
};

START_TEST(they_can_be_asked_of_a_cleared_type)
{
    PyObject *base_module = PyModule_Create(&other_def);
    PyType_Slot none[] = {{Py_tp_token, &other_token}, {0, NULL}};
    PyTypeObject *base = make_type(base_module, NULL, none, 0);

    asked_module = PyModule_Create(&def);
    data_type = make_type(asked_module, base, staying_slots,
                          -(int)sizeof(struct data));
    PyObject *op = suite_require(PyType_GenericAlloc(data_type, 0));
    void *data = PyObject_GetTypeData(op, data_type);
    ((struct data *)data)->member = Py_NewRef(op);
    Py_DECREF(op);
    PyTypeObject *type = data_type;
    Py_DECREF(type);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_ptr_null(type->tp_mro); /* cleared it was */

    /* Of what the type had, its own is gone and its base is not. */
    asked_mod_token = &other_def;
    memset(&told, 0, sizeof told);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_gt(told.calls, 0);
    ck_assert_ptr_eq(told.data, data);
    ck_assert_int_eq(told.base_status, 1);
    ck_assert_ptr_eq(told.base, type);
    ck_assert_ptr_null(told.module);
    ck_assert_ptr_null(told.type_state);
    ck_assert_ptr_eq(told.by_token, base_module);

    asked_token = &other_token;
    asked_mod_token = &def;
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_ptr_eq(told.base, base);
    ck_assert_ptr_null(told.by_token);
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(asked_module);
    asked_module = Py_None;
    suite_drop(base, base_module);
}

/* ------------------------------------------------------------------ */
/* Module state                                                        */

static int
module_traverse(PyObject *module, visitproc Py_UNUSED(visit),
                void *Py_UNUSED(arg))
{
    told.calls++;
    told.module_state = PyModule_GetState_DuringGC(module);
    told.token_status = PyModule_GetToken_DuringGC(module, &told.module_token);
    return 0;
}

START_TEST(m_traverse_may_ask_too)
{
    static PyModuleDef traversing = {
        PyModuleDef_HEAD_INIT,
        .m_name = "traversing",
        .m_size = sizeof(struct state),
        .m_traverse = module_traverse,
    };
    PyObject *module = suite_require(PyModule_Create(&traversing));
    collect_nothing();
    ck_assert_ptr_eq(told.module_state, PyModule_GetState(module));
    ck_assert_int_eq(told.token_status, 0);
    ck_assert_ptr_eq(told.module_token, &traversing);
    Py_DECREF(module);
}

int
main(void)
{
    unsetenv("PYBOEHM_CHECK");
    int result = suite_run("duringgc");
    setenv("PYBOEHM_CHECK", "1", 1);
    return suite_run("duringgc, checked") | result;
}
