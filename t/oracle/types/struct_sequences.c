/* struct_sequences.c: struct sequences: their types, fields in the sequence,
   hidden and unnamed ones, making them from sequences.
   Manual: "Struct Sequence Objects". */

#include "oracle.h"

#include <structseq.h>

static PyStructSequence_Field plain_fields[] = {
    {"x", "across"}, {"y", NULL}, {NULL, NULL}};
static PyStructSequence_Desc plain = {"shop.Plain", "Two.", plain_fields, 2};

static PyStructSequence_Field hidden_fields[] = {
    {"a", NULL}, {"b", NULL}, {"c", "hidden"}, {"d", NULL}, {NULL, NULL}};
static PyStructSequence_Desc hidden = {"Hidden", NULL, hidden_fields, 2};

static PyStructSequence_Field unnamed_fields[] = {
    {"a", NULL}, {NULL, NULL}, {"c", NULL}, {"d", NULL}, {NULL, NULL}};
static PyStructSequence_Desc unnamed = {"shop.Unnamed", "", unnamed_fields, 3};

static PyTypeObject static_type;

static void
show_attribute(PyObject *op, const char *name)
{
    show(name, PyObject_GetAttrString(op, name));
}

static void
describe(PyObject *type)
{
    static const char *const names[] = {
        "__name__",          "__module__",       "__qualname__",  "n_fields",
        "n_sequence_fields", "n_unnamed_fields", "__match_args__"};

    say("-- %s", ((PyTypeObject *)type)->tp_name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        show_attribute(type, names[i]);
    show_kept("base", (PyObject *)((PyTypeObject *)type)->tp_base);
    result("gc", PyType_IS_GC((PyTypeObject *)type));
    result("basetype",
           PyType_HasFeature((PyTypeObject *)type, Py_TPFLAGS_BASETYPE) != 0);
}

static void
make(PyObject *type, const char *format, ...)
{
    va_list va;

    va_start(va, format);
    PyObject *args = need(Py_VaBuildValue(format, va));
    va_end(va);
    PyObject *op = PyObject_CallObject(type, args);
    printf("    of ");
    show_kept(format, args);
    Py_DECREF(args);
    if (op == NULL) {
        error();
        return;
    }
    show_kept("made", op);
    result("size", PyTuple_Size(op));
    show("reduced", PyObject_CallMethod(op, "__reduce__", NULL));
    show_attribute(op, "a");
    show_attribute(op, "c");
    show_attribute(op, "d");
    show_attribute(op, "x");
    if (PyObject_HasAttrString(op, "a"))
        RESULT(PyObject_SetAttrString(op, "a", Py_None));
    Py_DECREF(op);
}

static void
make_all(PyObject *type)
{
    make(type, "((ii))", 1, 2);
    make(type, "([iii])", 1, 2, 3);
    make(type, "((iiii))", 1, 2, 3, 4);
    make(type, "((iiiii))", 1, 2, 3, 4, 5);
    make(type, "((i))", 1);
    make(type, "((iii){s:i})", 1, 2, 3, "d", 4);
    if (PyObject_HasAttrString(type, "d")) /* 3.11 ignores other names */
        make(type, "((ii){s:i})", 1, 2, "d", 4);
    make(type, "((iii)O)", 1, 2, 3, Py_None);
    make(type, "(i)", 1);
    make(type, "()");
    make(type, "(s)", "text");
}

static void
fill(PyTypeObject *type)
{
    PyObject *op = need(PyStructSequence_New(type));
    PyObject *value = need(Py_BuildValue("[i]", 7));

    PyStructSequence_SetItem(op, 0, value);
    PyStructSequence_SET_ITEM(op, 1, need(PyLong_FromLong(8)));
    RESULT(PyStructSequence_GetItem(op, 0) == value);
    RESULT(PyStructSequence_GET_ITEM(op, 0) == value);
    RESULT(Py_REFCNT(value));
    show_attribute(op, "b");
    show_attribute(op, "c");
    result("size", PyTuple_Size(op));
    show("item", PySequence_GetItem(op, 1));
    show("beyond", PySequence_GetItem(op, 2));
    show("slice", PySequence_GetSlice(op, 0, 2));
    PyObject *tuple = need(Py_BuildValue("(Oi)", value, 8));
    RESULT(PyObject_RichCompareBool(op, tuple, Py_EQ));
    RESULT(PyObject_RichCompareBool(tuple, op, Py_EQ));
    RESULT(PyObject_RichCompareBool(tuple, op, Py_LT));
    show("concatenated", PySequence_Concat(op, tuple));
    drop_all(tuple, op);
}

/* A field, hidden or not, may be part of a cycle. */
static void
cycle(PyTypeObject *type, int field)
{
    PyObject *op = need(PyStructSequence_New(type));
    PyObject *list = need(PyList_New(0));

    for (int i = 0; i < 4; i++)
        PyStructSequence_SetItem(op, i, i == field ? list : Py_NewRef(list));
    PyList_Append(list, op);
    visits("struct sequence", op);
    if (!PyObject_GC_IsTracked(op)) /* CPython leaves that to the caller */
        PyObject_GC_Track(op);
    Py_DECREF(op);
    collect();
}

void
oracle_program(void)
{
    unnamed_fields[1].name = PyStructSequence_UnnamedField;
    RESULT(strcmp(PyStructSequence_UnnamedField, "unnamed field"));
    PyTypeObject *a = need(PyStructSequence_NewType(&plain));
    PyTypeObject *b = need(PyStructSequence_NewType(&hidden));
    PyTypeObject *c = need(PyStructSequence_NewType(&unnamed));

    RESULT(PyStructSequence_InitType2(&static_type, &hidden));
    describe((PyObject *)a);
    make_all((PyObject *)a);
    describe((PyObject *)b);
    make_all((PyObject *)b);
    describe((PyObject *)c);
    make_all((PyObject *)c);
    describe((PyObject *)&static_type);
    make_all((PyObject *)&static_type);
    fill(b);
    fill(&static_type);
    cycle(b, 1);
    cycle(b, 3);
    cycle(&static_type, 2);
    drop_all(a, b, c);
}
