/* type_data.c: since 3.12: a negative basicsize, PyObject_GetTypeData,
   PyType_GetTypeDataSize, PyObject_GetItemData, Py_TPFLAGS_ITEMS_AT_END,
   Py_RELATIVE_OFFSET.
   Manual: "Object Protocol"; PyType_Spec.basicsize. */

#include "oracle.h"

struct data {
    long number;
    PyObject *object;
};

static PyMemberDef members[] = {
    {"number", Py_T_LONG, offsetof(struct data, number), Py_RELATIVE_OFFSET,
     NULL},
    {"object", Py_T_OBJECT_EX, offsetof(struct data, object),
     Py_RELATIVE_OFFSET, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyMemberDef not_relative[] = {
    {"number", Py_T_LONG, offsetof(struct data, number), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyMemberDef outside[] = {
    {"number", Py_T_LONG, 4096, Py_RELATIVE_OFFSET, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot slots[] = {{Py_tp_members, members}, {0, NULL}};
static PyType_Slot bad_slots[] = {{Py_tp_members, not_relative}, {0, NULL}};
static PyType_Slot far_slots[] = {{Py_tp_members, outside}, {0, NULL}};
static PyType_Slot none[] = {{0, NULL}};

#define SPEC(NAME, SIZE, ITEMSIZE, FLAGS, SLOTS)                              \
    &(PyType_Spec)                                                            \
    {                                                                         \
        .name = NAME, .basicsize = SIZE, .itemsize = ITEMSIZE,                \
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | (FLAGS),          \
        .slots = SLOTS                                                        \
    }

static void
over(const char *label, PyObject *base)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpecWithBases(
        SPEC("oracle.Data", -(int)sizeof(struct data), 0, 0, slots), base);
    PyObject *op;
    struct data *data;

    say("over %s", label);
    if (type == NULL) {
        error();
        return;
    }
    op = need(PyObject_CallNoArgs((PyObject *)type));
    data = PyObject_GetTypeData(op, type);
    result("    size",
           PyType_GetTypeDataSize(type) >= (Py_ssize_t)sizeof(struct data));
    result("    after the base's",
           (char *)data >= (char *)op + type->tp_base->tp_basicsize);
    result("    aligned", (size_t)data % sizeof(long double) == 0);
    result("    zeroed", data->number == 0 && data->object == NULL);
    data->number = 42;
    show("    number", PyObject_GetAttrString(op, "number"));
    show("    object", PyObject_GetAttrString(op, "object"));
    result("    set", PyObject_SetAttrString(op, "object", Py_None));
    result("    is there", data->object == Py_None);
    result("    deleted", PyObject_DelAttrString(op, "object"));
    drop_all(op, type);
}

static void
items(void)
{
    PyTypeObject *type = need(PyType_FromSpecWithBases(
        SPEC("oracle.Items", 0, 8, Py_TPFLAGS_ITEMS_AT_END, none), NULL));
    PyTypeObject *plain = need(
        PyType_FromSpecWithBases(SPEC("oracle.Plain", 0, 8, 0, none), NULL));
    PyObject *op = need(type->tp_alloc(type, 3));

    RESULT((char *)PyObject_GetItemData(op) ==
           (char *)op + type->tp_basicsize);
    Py_DECREF(op);
    op = need(plain->tp_alloc(plain, 3));
    RESULT(PyObject_GetItemData(op) != NULL);
    drop_all(op, type, plain);
}

void
oracle_program(void)
{
    PyObject *list = PyList_New(0);

    over("object", NULL);
    over("list", (PyObject *)&PyList_Type);
    over("dict", (PyObject *)&PyDict_Type);
    over("tuple", (PyObject *)&PyTuple_Type);
    SHOW(PyType_FromSpec(SPEC("oracle.Bad", -16, 0, 0, bad_slots)));
    SHOW(PyType_FromSpec(SPEC("oracle.Far", -16, 0, 0, far_slots)));
    SHOW(PyType_FromSpec(SPEC("oracle.Own", 32, 0, 0, slots)));
    items();
    RESULT(PyObject_GetItemData(list) != NULL);
    Py_DECREF(list);
}
