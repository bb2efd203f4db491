/* sequence_slots.c: the sequence and mapping protocols on types that have some
   slots only: negative indices, fallbacks, texts, bad lengths.
   Manual: "Sequence Protocol", "Mapping Protocol"; "Sequence Object
   Structures". */

#include "oracle.h"

static Py_ssize_t
three(PyObject *op)
{
    return 3;
}

static Py_ssize_t
fails(PyObject *op)
{
    PyErr_SetString(PyExc_ValueError, "no length");
    return -1;
}

static PyObject *
item(PyObject *op, Py_ssize_t i)
{
    say("item %ld", (long)i);
    if (i < 0 || i >= 3)
        return PyErr_Format(PyExc_IndexError, "no item %zd", i);
    return PyLong_FromSsize_t(i);
}

static int
set_item(PyObject *op, Py_ssize_t i, PyObject *value)
{
    say("%s item %ld", value == NULL ? "delete" : "set", (long)i);
    return 0;
}

static PyObject *
subscript(PyObject *op, PyObject *key)
{
    return PyUnicode_FromFormat("[%R]", key);
}

static PySequenceMethods items_only = {.sq_item = item};
static PySequenceMethods with_length = {
    .sq_item = item, .sq_length = three, .sq_ass_item = set_item};
static PySequenceMethods failing_length = {
    .sq_item = item, .sq_length = fails, .sq_ass_item = set_item};
static PyMappingMethods map_only = {.mp_subscript = subscript,
                                    .mp_length = three};

#define TYPE(NAME, ...)                                                       \
    static PyTypeObject NAME = {                                              \
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle." #NAME,             \
        .tp_basicsize = sizeof(PyObject), .tp_flags = Py_TPFLAGS_DEFAULT,     \
        .tp_new = PyType_GenericNew, __VA_ARGS__}

TYPE(ItemsOnly, .tp_as_sequence = &items_only);
TYPE(WithLength, .tp_as_sequence = &with_length);
TYPE(FailingLength, .tp_as_sequence = &failing_length);
TYPE(MapOnly, .tp_as_mapping = &map_only);
TYPE(Both, .tp_as_mapping = &map_only, .tp_as_sequence = &with_length);
TYPE(Neither, .tp_doc = "Nothing.");

/* The same as methods. */
static void
call_methods(PyObject *op)
{
    show("    __getitem__(1)", PyObject_CallMethod(op, "__getitem__", "i", 1));
    show("    __getitem__(-1)",
         PyObject_CallMethod(op, "__getitem__", "i", -1));
    show("    __getitem__('k')",
         PyObject_CallMethod(op, "__getitem__", "s", "k"));
    show("    __getitem__()", PyObject_CallMethod(op, "__getitem__", NULL));
    show("    __setitem__(-1, 1)",
         PyObject_CallMethod(op, "__setitem__", "ii", -1, 1));
    show("    __setitem__('k', 1)",
         PyObject_CallMethod(op, "__setitem__", "si", "k", 1));
    show("    __setitem__(1)", PyObject_CallMethod(op, "__setitem__", "i", 1));
    show("    __delitem__(-1)",
         PyObject_CallMethod(op, "__delitem__", "i", -1));
    show("    __delitem__(1, 1)",
         PyObject_CallMethod(op, "__delitem__", "ii", 1, 1));
    show("    __len__()", PyObject_CallMethod(op, "__len__", NULL));
}

static void
ask(PyObject *op)
{
    PyObject *one = PyLong_FromLong(1);
    PyObject *minus = PyLong_FromLong(-1), *key = PyUnicode_FromString("k");

    say("%s", Py_TYPE(op)->tp_name);
    result("    sequence", PySequence_Check(op));
    result("    mapping", PyMapping_Check(op));
    result("    true", PyObject_IsTrue(op));
    show("    [1] as a sequence", PySequence_GetItem(op, 1));
    show("    [-1] as a sequence", PySequence_GetItem(op, -1));
    show("    [-5] as a sequence", PySequence_GetItem(op, -5));
    show("    [1]", PyObject_GetItem(op, one));
    show("    [-1]", PyObject_GetItem(op, minus));
    show("    ['k']", PyObject_GetItem(op, key));
    result("    [-1] = as a sequence", PySequence_SetItem(op, -1, one));
    result("    [-1] =", PyObject_SetItem(op, minus, one));
    result("    del [1] as a sequence", PySequence_DelItem(op, 1));
    result("    del [1]", PyObject_DelItem(op, one));
    result("    del ['k']", PyObject_DelItem(op, key));
    show("    slice", PySequence_GetSlice(op, 0, 2));
    show("    list", PySequence_List(op));
    result("    contains 1", PySequence_Contains(op, one));
    result("    index of 2", PySequence_Index(op, one));
    result("    hint", PyObject_LengthHint(op, 9));
    show("    + ", PySequence_Concat(op, op));
    show("    * 2", PySequence_Repeat(op, 2));
    show("    iter", PySeqIter_New(op));
    show("    reversed",
         PyObject_CallOneArg((PyObject *)&PyReversed_Type, op));
    call_methods(op);
    drop_all(one, minus, key, op);
}

void
oracle_program(void)
{
    PyTypeObject *types[] = {&ItemsOnly, &WithLength, &FailingLength,
                             &MapOnly,   &Both,       &Neither};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        need_ready(types[i]);
        ask(need(PyObject_CallNoArgs((PyObject *)types[i])));
    }
}
