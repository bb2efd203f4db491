/* class_slots.c: __slots__ of a class made by type(): which attributes its
   instances have, which names are refused, and that slots are traversed.
   Manual: "Type Objects", tp_dictoffset, tp_weaklistoffset; __slots__. */

#include "oracle.h"

static PyObject *
with_slots(PyObject *base, const char *format, ...)
{
    va_list values;
    PyObject *names, *type;

    va_start(values, format);
    names = need(Py_VaBuildValue(format, values));
    va_end(values);
    type = PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){sN}", "S",
                                 base, "__slots__", names);
    return type;
}

static void
refused(PyObject *object)
{
    show("int", with_slots((PyObject *)&PyLong_Type, "(s)", "a"));
    show("7", with_slots(object, "i", 7));
    show("(7,)", with_slots(object, "(i)", 7));
    show("('',)", with_slots(object, "(s)", ""));
    show("('1a',)", with_slots(object, "(s)", "1a"));
    show("('a b',)", with_slots(object, "(s)", "a b"));
    show("dict twice", with_slots(object, "(ss)", "__dict__", "__dict__"));
    show("weak twice",
         with_slots(object, "(ss)", "__weakref__", "__weakref__"));
    show("conflict",
         PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){s(s)si}", "S",
                               object, "__slots__", "x", "x", 1));
}

static void
tell(const char *label, PyObject *type)
{
    PyTypeObject *t = (PyTypeObject *)type;

    if (type == NULL) {
        show_kept(label, type);
        return;
    }
    say("%s: %ld words more, dict %d, weaklist %d, gc %d", label,
        (long)(t->tp_basicsize - t->tp_base->tp_basicsize) /
            (long)sizeof(void *),
        t->tp_dictoffset != 0, t->tp_weaklistoffset != 0, PyType_IS_GC(t));
    Py_DECREF(type);
}

static void
no_attribute(PyObject *op, const char *name)
{
    char old[120], new[200];

    snprintf(old, sizeof old,
             "AttributeError: 'S' object has no attribute '%s'", name);
    snprintf(new, sizeof new, "%s and no __dict__ for setting new attributes",
             old);
    PyObject_SetAttrString(op, name, Py_None);
    differs("the text is that of 3.13", new, old, error_text());
}

static void
use(PyObject *type)
{
    PyObject *op = need(PyObject_CallNoArgs(type));
    PyObject *other = need(PyObject_CallNoArgs(type));

    SHOW(PyObject_GetAttrString(op, "b"));
    RESULT(PyObject_SetAttrString(op, "b", op));
    RESULT(PyObject_SetAttrString(op, "a", other));
    RESULT(PyObject_SetAttrString(other, "a", op));
    no_attribute(op, "c");
    SHOW(PyObject_GetAttrString(op, "c"));
    RESULT(PyObject_HasAttrString(op, "__dict__"));
    SHOW(PyWeakref_NewRef(op, NULL));
    visits("op", op);
    RESULT(PyObject_DelAttrString(op, "b"));
    RESULT(PyObject_DelAttrString(op, "b"));
    SHOW(PyObject_GetAttrString(type, "a"));
    SHOW(PyObject_GetAttrString(type, "__slots__"));
    state("op", op);
    drop_all(op, other);
    collect();
}

void
oracle_program(void)
{
    PyObject *object = (PyObject *)&PyBaseObject_Type;
    PyObject *type;

    refused(object);
    tell("()", with_slots(object, "()"));
    tell("'one'", with_slots(object, "s", "one"));
    tell("['a', 'b']", with_slots(object, "[ss]", "a", "b"));
    tell("dict", with_slots(object, "(s)", "__dict__"));
    type = need(with_slots(object, "(ss)", "__weakref__", "a"));
    RESULT(((PyTypeObject *)type)->tp_weaklistoffset != 0);
    Py_DECREF(type);
    tell("none over Actor", with_slots((PyObject *)&Actor_Type, "()"));
    tell("a over list", with_slots((PyObject *)&PyList_Type, "(s)", "a"));
    tell("none over str", with_slots((PyObject *)&PyUnicode_Type, "()"));
    collect();
    type = need(with_slots(object, "(ss)", "a", "b"));
    use(type);
    Py_DECREF(type);
    collect();
}
