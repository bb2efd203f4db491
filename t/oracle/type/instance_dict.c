/* instance_dict.c: the dictionary of an instance of a class: when it is an
   object that collections count and get_referents shows, and that of an
   exception, which always is.
   Manual: "Object Protocol", PyObject_GenericGetDict; "PyGC_Collect". */

#include "oracle.h"

static PyObject *type;

/* An instance that refers to itself. */
static PyObject *
instance(void)
{
    PyObject *op = need(PyObject_CallNoArgs(type));

    PyObject_SetAttrString(op, "me", op);
    return op;
}

static void
not_asked_for(void)
{
    PyObject *op = instance(), *list;

    list = gc_call("get_referents", "(O)", op);
    RESULT(PyList_GET_ITEM(list, 0) == op);
    drop_all(list, op);
    collect();
}

/* What is more than an object keeps its attributes in a dictionary. */
static void
of_a_list(void)
{
    PyObject *cls = call_type(&PyType_Type, "s(O){}", "L", &PyList_Type);
    PyObject *op = need(PyObject_CallNoArgs(cls));

    PyObject_SetAttrString(op, "me", op);
    Py_DECREF(op);
    collect();
    Py_DECREF(cls);
}

static void
asked_for(void)
{
    PyObject *op = instance();
    PyObject *dict = need(PyObject_GetAttrString(op, "__dict__"));

    RESULT(PyObject_GC_IsTracked(dict));
    RESULT(Py_REFCNT(dict));
    Py_DECREF(op);
    collect(); /* the dictionary is held, and holds the instance */
    PyDict_DelItemString(dict, "me");
    RESULT(Py_REFCNT(dict));
    collect();
    Py_DECREF(dict);
    op = instance();
    Py_DECREF(need(PyObject_GetAttrString(op, "__dict__")));
    Py_DECREF(op);
    collect();
}

static void
of_exceptions(void)
{
    PyObject *op = need(PyObject_CallNoArgs(PyExc_ValueError)), *dict;

    PyObject_SetAttrString(op, "me", op);
    dict = need(PyObject_GetAttrString(op, "__dict__"));
    show_kept("keys", PyMapping_Keys(dict));
    RESULT(PyObject_GC_IsTracked(dict));
    drop_all(dict, op);
    collect();
}

void
oracle_program(void)
{
    type = call_type(&PyType_Type, "s(){}", "C");
    not_asked_for();
    of_a_list();
    asked_for();
    of_exceptions();
    Py_DECREF(type);
    PyGC_Collect();
}
