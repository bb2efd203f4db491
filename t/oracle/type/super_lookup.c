/* super_lookup.c: super(type, object): where the search begins, binding, and
   what it refuses; it is a container.
   Manual: "Type Objects", PySuper_Type; "Cooperative multiple inheritance". */

#include "oracle.h"

static PyObject *
class_of(const char *name, const char *format, ...)
{
    va_list values;
    PyObject *bases, *type;

    va_start(values, format);
    bases = need(Py_VaBuildValue(format, values));
    va_end(values);
    type = call_type(&PyType_Type, "sN{ss}", name, bases, "who", name);
    return type;
}

static PyObject *
super_of(PyObject *type, PyObject *op)
{
    return PyObject_CallFunctionObjArgs((PyObject *)&PySuper_Type, type, op,
                                        NULL);
}

static PyObject *
who(PyObject *type, PyObject *op)
{
    PyObject *super = super_of(type, op);
    PyObject *result =
        super != NULL ? PyObject_GetAttrString(super, "who") : NULL;

    Py_XDECREF(super);
    return result;
}

static int
visit_count(PyObject *op, void *arg)
{
    ++*(int *)arg;
    return 0;
}

static int
count_visits(PyObject *op)
{
    int n = 0;

    Py_TYPE(op)->tp_traverse(op, visit_count, &n);
    return n;
}

void
oracle_program(void)
{
    PyObject *a = class_of("A", "()");
    PyObject *b = class_of("B", "(O)", a), *c = class_of("C", "(O)", a);
    PyObject *d = class_of("D", "(OO)", b, c);
    PyObject *op = need(PyObject_CallNoArgs(d));
    PyObject *super;

    SHOW(who(d, op));
    SHOW(who(b, op));
    SHOW(who(c, op));
    SHOW(who(a, op));
    SHOW(who(b, d));
    SHOW(who(b, Py_None));
    SHOW(who(Py_None, op));
    who(b, c);
    differs("the text is that of 3.13",
            "TypeError: super(type, obj): obj (type C) is not an instance or "
            "subtype of type (B).",
            "TypeError: super(type, obj): obj must be an instance or subtype "
            "of type",
            error_text());
    SHOW(PyObject_CallNoArgs((PyObject *)&PySuper_Type));
    SHOW(PyObject_CallFunction((PyObject *)&PySuper_Type, "OOO", b, op, op));
    super = need(super_of(b, op));
    show_kept("super", super);
    RESULT(PyObject_GC_IsTracked(super));
    RESULT(count_visits(super));
    SHOW(PyObject_GetAttrString(super, "__thisclass__"));
    SHOW(PyObject_GetAttrString(super, "__self_class__"));
    SHOW(PyObject_GetAttrString(super, "__class__"));
    SHOW(PyObject_GetAttrString(super, "nothing"));
    RESULT(PyObject_SetAttrString(op, "who", Py_None));
    SHOW(PyObject_GetAttrString(super, "who"));
    PyObject_SetAttrString(super, "who", Py_None);
    differs("the text is that of 3.13",
            "AttributeError: 'super' object has no attribute 'who' and no "
            "__dict__ for setting new attributes",
            "AttributeError: 'super' object has no attribute 'who'",
            error_text());
    Py_DECREF(need(PyObject_GetAttrString(op, "__dict__")));
    RESULT(PyObject_SetAttrString(op, "super", super));
    Py_DECREF(super);
    super = need(super_of(b, NULL));
    show_kept("unbound", super);
    SHOW(PyObject_GetAttrString(super, "who"));
    drop_all(super, op);
    collect();
    drop_all(a, b, c, d);
    collect();
}
