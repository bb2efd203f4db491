/* visit_callables.c: what functions, methods, properties and cells visit.
   Manual: "traverseproc". */

#include "oracle.h"

static PyObject *
nothing(PyObject *self, PyObject *args)
{
    Py_RETURN_NONE;
}

static PyMethodDef nothing_def = {"nothing", nothing, METH_NOARGS,
                                  "Does nothing."};

static PyObject *
in_class(PyObject *self, PyTypeObject *defining_class, PyObject *const *args,
         Py_ssize_t nargs, PyObject *kwnames)
{
    Py_RETURN_NONE;
}

static PyMethodDef class_methods[] = {
    {"in_class", (PyCFunction)(void (*)(void))in_class,
     METH_METHOD | METH_FASTCALL | METH_KEYWORDS, NULL},
    {"plain", nothing, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot class_slots[] = {
    {Py_tp_methods, class_methods},
    {0, NULL},
};
static PyType_Spec class_spec = {
    .name = "oracle.Class",
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = class_slots,
};

/* Takes the reference away. */
static void
tell(const char *label, PyObject *op)
{
    visits(label, need(op));
    Py_DECREF(op);
}

static void
functions(PyObject *a, PyObject *b)
{
    PyObject *function = need(PyCFunction_New(&nothing_def, a));

    tell("function", PyCFunction_New(&nothing_def, NULL));
    tell("function with a self", PyCFunction_New(&nothing_def, a));
    tell("function of a module", PyCFunction_NewEx(&nothing_def, a, b));
    tell("method", PyMethod_New(function, b));
    tell("static method", PyStaticMethod_New(function));
    tell("class method", PyClassMethod_New(function));
    tell("property", PyObject_CallNoArgs((PyObject *)&PyProperty_Type));
    tell("property of two",
         PyObject_CallFunctionObjArgs((PyObject *)&PyProperty_Type, function,
                                      b, NULL));
    tell("cell", PyCell_New(a));
    tell("empty cell", PyCell_New(NULL));
    Py_DECREF(function);
}

static void
methods(void)
{
    PyObject *type = need(PyType_FromSpec(&class_spec));
    PyObject *object = need(PyObject_CallNoArgs(type));

    tell("method descriptor", PyObject_GetAttrString(type, "plain"));
    tell("built-in method", PyObject_GetAttrString(object, "plain"));
    tell("method that knows its class",
         PyObject_GetAttrString(object, "in_class"));
    tell("super", PyObject_CallFunctionObjArgs((PyObject *)&PySuper_Type, type,
                                               object, NULL));
    drop_all(object, type);
    collect();
}

void
oracle_program(void)
{
    PyObject *a = (PyObject *)actor_new(&Actor_Type, "a");
    PyObject *b = (PyObject *)actor_new(&Actor_Type, "b");

    functions(a, b);
    methods();
    state("a", a);
    state("b", b);
    drop_all(a, b);
}
