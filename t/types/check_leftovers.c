/* check_leftovers.c: what makes objects for a while, to format a text or to
   call a method, leaves none behind.

   Each operation is repeated, and the objects of all types are counted. */

#include "../support/suite.h"

#include <pyboehm.h>
#include <stdarg.h>

enum { TIMES = 50 };

/* ------------------------------------------------------------------ */
/* What is operated on                                                 */

/* A class whose attribute is made anew by each call of the method. */
static PyObject *
method_result(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return PyBytes_FromStringAndSize("some bytes", 10);
}

static PyObject *
wrong_result(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return PyList_New(0);
}

static PyObject *
compare(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(other),
        int Py_UNUSED(op))
{
    return PyList_New(0);
}

static PyObject *
call(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args),
     PyObject *Py_UNUSED(kwargs))
{
    return PyList_New(0);
}

static PyMethodDef methods[] = {
    {"__bytes__", method_result, METH_NOARGS, NULL},
    {"__complex__", wrong_result, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject giver_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Giver",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_call = call,
    .tp_hash = PyObject_GenericHash,
    .tp_richcompare = compare,
    .tp_methods = methods,
};

static PyObject *giver, *items, *row, *table, *bag, *space;

static void
make_operands(void)
{
    ck_assert_int_eq(PyType_Ready(&giver_type), 0);
    giver = suite_require(PyObject_CallNoArgs((PyObject *)&giver_type));
    items = suite_require(Py_BuildValue("[idsy]", 100000, 1.5, "text", "b"));
    row = suite_require(Py_BuildValue("(id)", 100000, 1.5));
    table = suite_require(Py_BuildValue("{sisi}", "one", 100000, "two", 2));
    bag = suite_require(PySet_New(row));
    space = suite_require(
        PyObject_Call((PyObject *)&_PyNamespace_Type, PyTuple_New(0), table));
}

/* ------------------------------------------------------------------ */
/* Operations                                                          */

/* What is made goes, and what fails is forgotten. */
static void
drop(PyObject *op)
{
    Py_XDECREF(op);
    PyErr_Clear();
}

static void
formats(void)
{
    PyObject *const operands[] = {items, row, table, bag, space, giver};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(operands); i++) {
        drop(PyObject_Repr(operands[i]));
        drop(PyObject_Str(operands[i]));
        drop(PyObject_ASCII(operands[i]));
    }
}

static void
formats_descriptors(void)
{
    PyObject *wrapped = PyClassMethod_New(giver);

    drop(PyObject_Repr(wrapped));
    Py_DECREF(wrapped);
    drop(PyObject_Repr(PyDict_GetItemString(PyLong_Type.tp_dict, "__add__")));
    drop(PyObject_Repr(PyDict_GetItemString(PyLong_Type.tp_dict, "real")));
}

static void
converts(void)
{
    drop(PyObject_Bytes(giver));
    drop(PyObject_CallFunction((PyObject *)&PyBytes_Type, "O", giver));
    drop(PyObject_CallFunction((PyObject *)&PyComplex_Type, "O", giver));
}

static void
asks(void)
{
    PyObject *pair = Py_BuildValue("[OO]", giver, Py_None);

    PyObject_RichCompareBool(giver, Py_None, Py_EQ);
    PySequence_Contains(pair, Py_True);
    PySequence_Index(pair, Py_True);
    PyErr_Clear();
    drop(PyObject_CallFunction((PyObject *)&PyFilter_Type, "OO", giver, pair));
    PyObject *some =
        PyObject_CallFunction((PyObject *)&PyFilter_Type, "OO", giver, pair);
    drop(PySequence_List(some));
    Py_DECREF(some);
    Py_DECREF(pair);
}

static void
splits(void)
{
    PyObject *text = PyUnicode_FromString("a b,c d\ne"), *comma, *parts;

    comma = PyUnicode_FromString(",");
    drop(PyUnicode_Split(text, NULL, -1));
    drop(PyUnicode_Partition(text, comma));
    drop(PyUnicode_Splitlines(text, 0));
    parts = PyUnicode_Split(text, comma, -1);
    drop(PyUnicode_Join(comma, parts));
    Py_DECREF(parts);
    Py_DECREF(comma);
    Py_DECREF(text);
    PyObject *bytes = PyBytes_FromString("a b c");
    drop(PyObject_CallMethod(bytes, "split", NULL));
    Py_DECREF(bytes);
}

static void
encodes(void)
{
    static const char *const names[] = {"utf-16", "utf-32-be", "latin-1",
                                        "utf-7", "no such"};
    PyObject *text = PyUnicode_FromString("text \xe2\x82\xac");

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        PyObject *bytes = PyUnicode_AsEncodedString(text, names[i], "strict");

        if (bytes != NULL)
            drop(PyUnicode_FromEncodedObject(bytes, names[i], "strict"));
        drop(bytes);
    }
    Py_DECREF(text);
}

static void
makes_classes(void)
{
    PyObject *cls =
        PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "Short");

    drop(PyObject_CallFunction((PyObject *)&PyType_Type, "s(OO){}", "Wrong",
                               cls, cls));
    Py_XDECREF(cls);
    PyGC_Collect();
}

/* ------------------------------------------------------------------ */
/* The count                                                           */

static void (*const operations[])(void) = {
    formats, formats_descriptors, converts, asks, splits,
    encodes, makes_classes,
};

static void
repeat(void (*operation)(void), int times)
{
    while (times-- > 0)
        operation();
    PyGC_Collect();
}

/* What an operation makes once, such as a cached name, it has made before. */
START_TEST(nothing_is_left)
{
    make_operands();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(operations); i++) {
        repeat(operations[i], 3);
        ck_assert_int_ge(PyBoehm_Growth(NULL), 0);
        repeat(operations[i], TIMES);
        if (PyBoehm_Growth(NULL) != 0)
            ck_abort_msg("operation %d leaves something behind", (int)i);
        ck_assert_ptr_null(PyErr_Occurred());
    }
}

/* ------------------------------------------------------------------ */
/* Every method                                                        */

static PyObject *
make(const char *format, ...)
{
    va_list arguments;
    PyObject *type, *args = NULL, *op = NULL;

    va_start(arguments, format);
    type = va_arg(arguments, PyObject *);
    args = Py_VaBuildValue(format, arguments);
    va_end(arguments);
    if (args != NULL)
        op = PyObject_Call(type, args, NULL);
    Py_XDECREF(args);
    return suite_require(op);
}

enum { KINDS = 41 };

/* A new object of the kind; NULL: there are no more. */
static PyObject *
make_one(int kind)
{
    switch (kind) {
    case 0:
        return make("([iii])", &PyList_Type, 3, 1, 2);
    case 1:
        return make("([is])", &PyTuple_Type, 1000, "s");
    case 2:
        return make("({s:i})", &PyDict_Type, "k", 1000);
    case 3:
        return make("([iii])", &PySet_Type, 1, 2, 1000);
    case 4:
        return make("([iii])", &PyFrozenSet_Type, 1, 2, 1000);
    case 5:
        return PyUnicode_FromString("some Text\xc3\xa9");
    case 6:
        return PyBytes_FromString("some Bytes");
    case 7:
        return PyByteArray_FromStringAndSize("some Bytes", 10);
    case 8:
        return PyLong_FromLong(123456);
    case 9:
        return PyLong_FromString("123456789012345678901234567890", NULL, 10);
    case 10:
        return PyFloat_FromDouble(1.5);
    case 11:
        return PyComplex_FromDoubles(1.5, 2.5);
    case 12:
        return PyBool_FromLong(1);
    case 13:
        return PySlice_New(NULL, NULL, NULL);
    case 14:
        return make("(ii)", &PyRange_Type, 1000, 1010);
    case 15:
        return make("(y)", &PyMemoryView_Type, "some bytes");
    case 16:
        return make("()", &_PyNamespace_Type);
    case 17:
        return make("({s:i})", &PyDictProxy_Type, "k", 1000);
    case 18:
        return make("([i])", &PyEnum_Type, 1000);
    case 19:
        return make("([i][i])", &PyZip_Type, 1000, 1);
    case 20:
        return make("(O[i])", &PyMap_Type, &PyFloat_Type, 1000);
    case 21:
        return make("(O[i])", &PyFilter_Type, Py_None, 1000);
    case 22:
        return make("((ii))", &PyReversed_Type, 1000, 1);
    case 23:
        return make("(O)", &PyProperty_Type, &PyFloat_Type);
    case 24:
        return make("(O)", &PyClassMethod_Type, &PyFloat_Type);
    case 25:
        return make("(O)", &PyStaticMethod_Type, &PyFloat_Type);
    case 26:
        return make("(s)", PyExc_ValueError, "wrong");
    case 27:
        return make("(is)", PyExc_OSError, 2, "missing");
    case 28:
        return make("(s[N])", PyExc_BaseExceptionGroup, "some",
                    make("(s)", PyExc_ValueError, "wrong"));
    case 29:
        return PyCell_New(Py_None);
    case 30:
        return PyModule_New("m");
    case 31:
        return PyMethod_New((PyObject *)&PyFloat_Type, Py_None);
    case 32:
        return make("(s(){s:i})", &PyType_Type, "Short", "k", 1000);
    case 33:
        return PyWeakref_NewRef((PyObject *)&giver_type, NULL);
    case 34:
        return PyObject_GetIter(items);
    case 35:
        return PyObject_GetIter(table);
    case 36:
        return PyObject_GetAttrString(items, "index");
    case 37:
        return PyDict_Items(table);
    case 38:
        return PyObject_CallMethod(table, "items", NULL);
    case 39:
        return Py_GenericAlias((PyObject *)&PyList_Type,
                               (PyObject *)&PyLong_Type);
    case 40:
        return make("(NN)", &PyRange_Type,
                    PyLong_FromString("1000000000000000000000", NULL, 10),
                    PyLong_FromString("1000000000000000009999", NULL, 10));
    default:
        return NULL;
    }
}

/* Arguments, right and wrong ones; NULL: there are no more. */
static PyObject *
make_arguments(int which, PyObject *self)
{
    switch (which) {
    case 0:
        return PyTuple_New(0);
    case 1:
        return PyTuple_Pack(1, self);
    case 2:
        return PyTuple_Pack(2, self, self);
    case 3:
        return Py_BuildValue("(i)", 1);
    case 4:
        return Py_BuildValue("(s)", "s");
    case 5:
        return Py_BuildValue("([i])", 1000);
    case 6:
        return Py_BuildValue("(y)", "s");
    case 7:
        return Py_BuildValue("(ii)", 1, 2);
    case 8:
        return Py_BuildValue("(ss)", "s", "ss");
    default:
        return NULL;
    }
}

/* Calls the method of new objects of the kind, with each of the arguments. */
static void
call_method(int kind, PyObject *name)
{
    for (int which = 0;; which++) {
        PyObject *self = suite_require(make_one(kind));
        PyObject *method = PyObject_GetAttr(self, name);
        PyObject *args = make_arguments(which, self);

        PyErr_Clear();
        if (args != NULL && method != NULL)
            drop(PyObject_Call(method, args, NULL));
        Py_XDECREF(method);
        Py_DECREF(self);
        if (args == NULL)
            break;
        Py_DECREF(args);
    }
}

/* Calls the methods, counts, and calls them again.  What is made once, they
   have made before.  Returns how many types have more objects. */
static int
leftovers(int kind, PyObject *names)
{
    for (int round = 0; round < 2; round++) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names); i++)
            call_method(kind, PyList_GET_ITEM(names, i));
        PyGC_Collect();
        if (round == 0)
            PyBoehm_Growth(NULL);
    }
    return PyBoehm_Growth(NULL);
}

/* The first of the methods that leaves something behind. */
static const char *
culprit(int kind, PyObject *names)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names); i++) {
        PyObject *one = Py_BuildValue("[O]", PyList_GET_ITEM(names, i));
        int found = leftovers(kind, one);

        Py_DECREF(one);
        if (found != 0)
            return PyUnicode_AsUTF8(PyList_GET_ITEM(names, i));
    }
    return "several together";
}

START_TEST(no_method_leaves_anything)
{
    make_operands();
    for (int kind = 0; kind < KINDS; kind++) {
        PyObject *self = suite_require(make_one(kind));
        PyObject *names = suite_require(PyObject_Dir(self));

        ck_assert_int_ge(PyList_GET_SIZE(names), 5);
        if (leftovers(kind, names) != 0)
            ck_abort_msg("%s: %s leaves something behind",
                         Py_TYPE(self)->tp_name, culprit(kind, names));
        Py_DECREF(names);
        Py_DECREF(self);
    }
}

int
main(void)
{
    setenv("PYBOEHM_CHECK", "1", 1); /* plain objects are counted, too */
    return suite_run("leftovers");
}
