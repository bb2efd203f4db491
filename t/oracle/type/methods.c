/* methods.c: methods of each METH_ kind, called rightly and wrongly, bound and
   unbound, of types and of modules.
   Manual: "Common Object Structures", PyMethodDef. */

#include "oracle.h"

static PyObject *
varargs(PyObject *self, PyObject *args)
{
    return PyUnicode_FromFormat("varargs %R", args);
}

static PyObject *
keywords(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return PyUnicode_FromFormat("keywords %R %R", args,
                                kwargs != NULL ? kwargs : Py_None);
}

static PyObject *
noargs(PyObject *self, PyObject *none)
{
    return PyUnicode_FromFormat("noargs, %s",
                                none == NULL ? "NULL" : "not NULL");
}

static PyObject *
one(PyObject *self, PyObject *arg)
{
    return PyUnicode_FromFormat("one %R", arg);
}

static PyObject *
fastcall(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return PyUnicode_FromFormat("fastcall %zd", n);
}

static PyObject *
fast_keywords(PyObject *self, PyObject *const *args, Py_ssize_t n,
              PyObject *names)
{
    return PyUnicode_FromFormat("fastcall %zd %R", n,
                                names != NULL ? names : Py_None);
}

static PyObject *
of_class(PyObject *cls, PyObject *none)
{
    return PyUnicode_FromFormat("class %R", cls);
}

static PyObject *
of_none(PyObject *self, PyObject *none)
{
    return PyUnicode_FromFormat("static %s",
                                self == NULL ? "NULL" : "not NULL");
}

static PyObject *
silent(PyObject *self, PyObject *none)
{
    return NULL;
}

static PyObject *
both(PyObject *self, PyObject *none)
{
    PyErr_SetString(PyExc_ValueError, "left behind");
    return Py_NewRef(Py_None);
}

#define FUNCTION(F) (PyCFunction)(void (*)(void))(F)

static PyMethodDef defs[] = {
    {"varargs", varargs, METH_VARARGS, "varargs($self, /, *args)\n--\n\nDoc."},
    {"keywords", FUNCTION(keywords), METH_VARARGS | METH_KEYWORDS, NULL},
    {"noargs", noargs, METH_NOARGS, NULL},
    {"one", one, METH_O, NULL},
    {"fastcall", FUNCTION(fastcall), METH_FASTCALL, NULL},
    {"fast_keywords", FUNCTION(fast_keywords), METH_FASTCALL | METH_KEYWORDS,
     NULL},
    {"of_class", of_class, METH_NOARGS | METH_CLASS, NULL},
    {"of_none", of_none, METH_NOARGS | METH_STATIC, NULL},
    {"silent", silent, METH_NOARGS, NULL},
    {"both", both, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject WithMethods = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.WithMethods",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = defs,
    .tp_new = PyType_GenericNew,
};

static void
calls(const char *label, PyObject *function)
{
    PyObject *none = PyTuple_New(0), *two = need(Py_BuildValue("(ii)", 1, 2));
    PyObject *kwargs = need(Py_BuildValue("{si}", "k", 1));
    PyObject *first = need(Py_BuildValue("(i)", 1));

    say("%s", label);
    show("    ()", PyObject_CallNoArgs(function));
    show("    (1)", PyObject_Call(function, first, NULL));
    show("    (1, 2)", PyObject_Call(function, two, NULL));
    show("    (k=1)", PyObject_Call(function, none, kwargs));
    drop_all(none, first, two, kwargs);
}

/* What methods say of a keyword; op is stolen. */
static void
refuse_keywords(PyObject *op, const char *names)
{
    PyObject *args = PyTuple_New(0), *kwargs = Py_BuildValue("{si}", "x", 1);
    char name[20];
    int used;

    for (; sscanf(names, " %19s%n", name, &used) == 1; names += used) {
        PyObject *method = need(PyObject_GetAttrString(op, name));
        show(name, PyObject_Call(method, args, kwargs));
        Py_DECREF(method);
    }
    drop_all(op, args, kwargs);
}

static void
unknown_keywords(void)
{
    static const char texts[] = "center ljust rjust lstrip rstrip strip "
                                "replace zfill maketrans find";

    refuse_keywords(PyUnicode_FromString("a"), texts);
    refuse_keywords(PyBytes_FromString("a"), texts);
    refuse_keywords(PyByteArray_FromStringAndSize("a", 1), texts);
    refuse_keywords(PyByteArray_FromStringAndSize("a", 1),
                    "insert pop __reduce_ex__");
    refuse_keywords(PyList_New(0), "append insert pop index");
    refuse_keywords(PyTuple_New(0), "index count");
    refuse_keywords(PyDict_New(), "get pop setdefault fromkeys");
    refuse_keywords(PyLong_FromLong(1), "__round__");
    refuse_keywords(PyFloat_FromDouble(1), "__round__");
    refuse_keywords(PyContextVar_New("v", NULL), "get set");
    refuse_keywords(PyContext_New(), "get copy");
    refuse_keywords(
        PyObject_GetAttrString((PyObject *)&PyDict_Type, "__dict__"),
        "get copy");
}

void
oracle_program(void)
{
    PyObject *op, *type = (PyObject *)&WithMethods;

    need_ready(&WithMethods);
    op = need(PyObject_CallNoArgs(type));
    for (int i = 0; defs[i].ml_name != NULL; i++) {
        PyObject *bound = need(PyObject_GetAttrString(op, defs[i].ml_name));
        PyObject *unbound =
            need(PyObject_GetAttrString(type, defs[i].ml_name));

        calls(defs[i].ml_name, bound);
        if (i == 0 || (defs[i].ml_flags & (METH_CLASS | METH_STATIC)))
            calls("from the type", unbound);
        show_kept("    descriptor", unbound);
        show("    bound", PyObject_Str(bound));
        show("    doc", PyObject_GetAttrString(bound, "__doc__"));
        show("    signature",
             PyObject_GetAttrString(bound, "__text_signature__"));
        show("    qualified name",
             PyObject_GetAttrString(bound, "__qualname__"));
        drop_all(bound, unbound);
    }
    SHOW(PyObject_CallMethod(type, "noargs", NULL));
    SHOW(PyObject_CallMethod(type, "noargs", "i", 7));
    SHOW(PyObject_CallMethod(op, "no such", NULL));
    SHOW(PyObject_CallNoArgs(op));
    RESULT(PyCallable_Check(op));
    Py_DECREF(op);
    unknown_keywords();
}
