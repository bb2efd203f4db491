/* builtin_functions.c: the functions of the module builtins.
   Manual: Python's library, "Built-in Functions". */

#include "oracle.h"

static PyObject *builtins;

/* builtins.NAME(*args, **kwargs); the format is Py_BuildValue's, for args
   alone or for a tuple of both. */
static PyObject *
call(const char *name, const char *format, ...)
{
    va_list values;
    PyObject *function = need(PyObject_GetAttrString(builtins, name));
    PyObject *made, *args, *kwargs = NULL, *result;

    va_start(values, format);
    made = need(Py_VaBuildValue(format, values));
    va_end(values);
    args = made;
    if (PyTuple_GET_SIZE(made) == 2 &&
        PyTuple_Check(PyTuple_GET_ITEM(made, 0)) &&
        PyDict_Check(PyTuple_GET_ITEM(made, 1))) {
        args = PyTuple_GET_ITEM(made, 0);
        kwargs = PyTuple_GET_ITEM(made, 1);
    }
    result = PyObject_Call(function, args, kwargs);
    drop_all(function, made);
    return result;
}

#define CALL(NAME, ...) show(NAME " " #__VA_ARGS__, call(NAME, __VA_ARGS__))

static void
attributes(PyObject *op)
{
    CALL("getattr", "(Os)", op, "x");
    CALL("getattr", "(Osi)", op, "x", 3);
    CALL("getattr", "(O)", op);
    CALL("getattr", "(Oi)", op, 3);
    CALL("hasattr", "(Os)", op, "x");
    CALL("hasattr", "(Oi)", op, 1);
    CALL("setattr", "(Osi)", op, "x", 7);
    CALL("setattr", "(Os)", op, "x");
    CALL("hasattr", "(Os)", op, "x");
    CALL("getattr", "(Os)", op, "x");
    CALL("vars", "(O)", op);
    CALL("vars", "(i)", 3);
    CALL("vars", "(ii)", 1, 2);
    CALL("setattr", "(OsO)", &PyLong_Type, "x", op);
    CALL("delattr", "(Os)", op, "x");
    CALL("delattr", "(Os)", op, "x");
    CALL("delattr", "(O)", op);
    CALL("dir", "(ii)", 1, 2);
}

static void
questions(PyObject *op)
{
    CALL("callable", "(O)", &PyLong_Type);
    CALL("callable", "(i)", 1);
    CALL("callable", "()");
    CALL("hash", "(i)", 77);
    CALL("hash", "([])");
    CALL("isinstance", "(iO)", 1, &PyLong_Type);
    CALL("isinstance", "(i(OO))", 1, &PyList_Type, &PyLong_Type);
    CALL("isinstance", "(ii)", 1, 1);
    CALL("isinstance", "(i)", 1);
    CALL("issubclass", "(OO)", &PyBool_Type, &PyLong_Type);
    CALL("issubclass", "(iO)", 1, &PyLong_Type);
    PyObject *id = need(call("id", "(O)", op));
    say("id: %d", PyLong_AsVoidPtr(id) == op);
    Py_DECREF(id);
}

static void
text_functions(void)
{
    CALL("repr", "(s)", "a\n");
    CALL("ascii", "(s)", "\303\251");
    CALL("ord", "(s)", "\303\251");
    CALL("ord", "(y)", "a");
    CALL("ord", "(s)", "ab");
    CALL("ord", "(y)", "");
    CALL("ord", "(i)", 3);
    CALL("chr", "(i)", 0x20ac);
    CALL("chr", "(i)", -1);
    CALL("chr", "(i)", 0x110000);
    CALL("chr", "(L)", 1LL << 40);
    CALL("chr", "(L)", -(1LL << 40));
    CALL("chr", "(s)", "a");
    CALL("hex", "(i)", -255);
    CALL("oct", "(i)", 8);
    CALL("bin", "(i)", 5);
    CALL("hex", "(s)", "x");
}

static void
number_functions(void)
{
    CALL("abs", "(i)", -3);
    CALL("abs", "(s)", "x");
    CALL("divmod", "(ii)", -7, 2);
    CALL("divmod", "(ii)", 1, 0);
    CALL("divmod", "(i)", 1);
    CALL("pow", "(ii)", 2, 10);
    CALL("pow", "(iii)", 2, 10, 7);
    CALL("pow", "((){sisi})", "base", 2, "exp", 3);
    CALL("pow", "(i)", 2);
    CALL("round", "(d)", 2.5);
    CALL("round", "(di)", 2.567, 2);
    CALL("round", "(dO)", 2.567, Py_None);
    CALL("round", "(i)", 7);
    CALL("round", "(s)", "x");
    CALL("round", "()");
    /* What binds to nothing gets the digits alone. */
    PyObject *type =
        call_type(&PyType_Type, "s(){sO}", "R", "__round__", &PyTuple_Type);
    PyObject *op = need(PyObject_CallNoArgs(type));
    CALL("round", "(O)", op);
    CALL("round", "(Os)", op, "ab");
    drop_all(op, type);
    CALL("sum", "((iii))", 1, 2, 3);
    CALL("sum", "(((ii)){si})", 1, 2, "start", 10);
    CALL("sum", "((dd)d)", 1.5, 2.5, 1.0);
    CALL("sum", "((ss)s)", "a", "b", "");
    CALL("sum", "((s))", "a");
    CALL("sum", "(i)", 3);
    CALL("sum", "(()y)", "");
}

static void
iterables(PyObject *list)
{
    CALL("len", "(O)", list);
    CALL("len", "(i)", 1);
    CALL("len", "()");
    CALL("any", "(O)", list);
    CALL("any", "(())");
    CALL("any", "(i)", 1);
    CALL("all", "(O)", list);
    CALL("all", "((ii))", 1, 0);
    CALL("all", "(())");
    CALL("sorted", "(O)", list);
    CALL("sorted", "((O){sO})", list, "reverse", Py_True);
    CALL("sorted", "((O){sO})", list, "key", &PyUnicode_Type);
    CALL("sorted", "((O){si})", list, "other", 1);
    CALL("sorted", "()");
    CALL("sorted", "(OO)", list, list);
    CALL("sorted", "(i)", 1);
    CALL("min", "(O)", list);
    CALL("max", "(O)", list);
    CALL("max", "(iii)", 1, 5, 2);
    CALL("min", "(())");
    CALL("max", "((()){si})", "default", 9);
    CALL("min", "((O){sO})", list, "key", &PyUnicode_Type);
    CALL("max", "((ii){si})", 1, 2, "default", 9);
    CALL("max", "()");
    CALL("min", "(i)", 1);
    CALL("min", "(is)", 1, "x");
    CALL("min", "((O){sO})", list, "key", Py_None);
    CALL("min", "((O){si})", list, "key", 3);
    CALL("sum", "(OO)", list, need(PyByteArray_FromStringAndSize("", 0)));
}

/* An iterator that ends as its first use has it: nothing more, StopIteration,
   another exception. */
static PyObject *end_of;
static PyObject *
ends_next(PyObject *Py_UNUSED(self))
{
    if (end_of != NULL)
        PyErr_SetString(end_of, "the end");
    return NULL;
}
static PyTypeObject ends = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Ends",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = ends_next,
    .tp_new = PyType_GenericNew,
};

static void
last_items(void)
{
    PyObject *of[] = {NULL, PyExc_StopIteration, PyExc_KeyError}, *it;

    need_ready(&ends);
    it = need(PyObject_CallNoArgs((PyObject *)&ends));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(of); i++) {
        end_of = of[i];
        CALL("next", "(O)", it);
        CALL("next", "(Os)", it, "default");
        CALL("any", "(O)", it);
        CALL("sum", "(O)", it);
        CALL("max", "((O){ss})", it, "default", "none");
        CALL("sorted", "(O)", it);
    }
    Py_DECREF(it);
}

static void
importing(void)
{
    PyObject *fromlist = need(Py_BuildValue("[s]", "add")), *module;

    module = need(call("__import__", "(s)", "operator"));
    SHOW(PyObject_GetAttrString(module, "__name__"));
    Py_DECREF(module);
    module = need(call("__import__", "((s){sO})", "collections.abc",
                       "fromlist", fromlist));
    SHOW(PyObject_GetAttrString(module, "__name__"));
    drop_all(module, fromlist);
    CALL("__import__", "(i)", 1);
    CALL("__import__", "()");
    CALL("__import__", "((s){si})", "operator", "level", -1);
    CALL("__import__", "((s){ss})", "operator", "level", "x");
}

static void
iterators(PyObject *list)
{
    PyObject *it = need(call("iter", "(O)", list));

    show("its type",
         PyObject_GetAttrString((PyObject *)Py_TYPE(it), "__name__"));
    for (int i = 0; i < 5; i++)
        CALL("next", "(O)", it);
    CALL("next", "(Os)", it, "end");
    CALL("next", "(O)", list);
    CALL("next", "()");
    Py_DECREF(it);
    CALL("iter", "(i)", 1);
    CALL("iter", "(ii)", 1, 2);
    it = need(call("iter", "(Oi)", &PyLong_Type, 0));
    CALL("next", "(Os)", it, "end");
    Py_DECREF(it);
}

/* A file with write and flush. */
static PyObject *
file_write(PyObject *Py_UNUSED(self), PyObject *text)
{
    say("write %s", PyUnicode_AsUTF8(need(PyObject_Repr(text))));
    Py_RETURN_NONE;
}
static PyObject *
file_flush(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    say("flush");
    Py_RETURN_NONE;
}
static PyMethodDef file_methods[] = {
    {"write", file_write, METH_O, NULL},
    {"flush", file_flush, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static void
printing(void)
{
    PyObject *file = need(PyModule_New("file"));

    PyModule_AddFunctions(file, file_methods);
    CALL("print", "((is){sO})", 1, "a", "file", file);
    CALL("print", "((is){sOsssssi})", 1, "a", "file", file, "sep", "-", "end",
         "!", "flush", 1);
    CALL("print", "((i){sOsO})", 1, "file", file, "sep", Py_None);
    CALL("print", "((i){sOsi})", 1, "file", file, "sep", 2);
    CALL("print", "((i){si})", 1, "file", 3);
    CALL("print", "((i){si})", 1, "what", 3);
    PySys_SetObject("stdout", file);
    CALL("print", "(s)", "to sys.stdout");
    CALL("print", "((s){si})", "now", "flush", 1);
    PySys_SetObject("stdout", Py_None);
    CALL("print", "(s)", "to nothing");
    Py_DECREF(file);
}

void
oracle_program(void)
{
    PyObject *type, *op, *list;

    builtins = need(PyImport_ImportModule("builtins"));
    type = call_type(&PyType_Type, "s(){}", "A");
    op = need(PyObject_CallNoArgs(type));
    list = need(Py_BuildValue("[iiii]", 3, 1, 10, 2));
    attributes(op);
    questions(op);
    text_functions();
    number_functions();
    iterables(list);
    iterators(list);
    printing();
    last_items();
    importing();
    drop_all(op, type, list, builtins);
}
