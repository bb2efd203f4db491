/* bases_conflict.c: which bases a class may have together: layouts, the order
   of the mro, repeated and odd bases; which base's layout is taken.
   Manual: "Type Objects", tp_base, tp_bases, tp_mro. */

#include "oracle.h"

static PyObject *
class_of(const char *name, PyObject *bases)
{
    return PyObject_CallFunction((PyObject *)&PyType_Type, "sN{}", name,
                                 bases);
}

static PyObject *
tuple(void *a, void *b)
{
    return b == NULL ? PyTuple_Pack(1, (PyObject *)a)
                     : PyTuple_Pack(2, (PyObject *)a, (PyObject *)b);
}

/* The text was on two lines up to 3.12. */
static void
no_order(const char *label, const char *names, PyObject *bases)
{
    char lines[2][160];
    PyObject *type = class_of("C", bases);

    for (int i = 0; i < 2; i++)
        snprintf(lines[i], sizeof lines[i],
                 "TypeError: Cannot create a consistent method resolution"
                 "%corder (MRO) for bases %s",
                 " \n"[i], names);
    say("%s: %s", label, type == NULL ? "refused" : "made");
    differs("one line, as CPython has it since 3.13", lines[0], lines[1],
            error_text());
}

static void
tell(const char *label, PyObject *type)
{
    if (type == NULL) {
        show_kept(label, type);
        return;
    }
    say("%s: base %s, gc %d, dict %d, weaklist %d", label,
        ((PyTypeObject *)type)->tp_base->tp_name,
        PyType_IS_GC((PyTypeObject *)type),
        PyObject_HasAttrString(type, "__dict__"),
        ((PyTypeObject *)type)->tp_weaklistoffset != 0);
    show_kept("    mro", ((PyTypeObject *)type)->tp_mro);
    Py_DECREF(type);
}

static PyTypeObject Bigger = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Bigger",
    .tp_basicsize = sizeof(struct actor) + 2 * sizeof(void *),
    .tp_base = &Actor_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};

void
oracle_program(void)
{
    PyObject *object = (PyObject *)&PyBaseObject_Type;
    PyObject *a = need(class_of("A", tuple(object, NULL)));
    PyObject *b = need(class_of("B", tuple(object, NULL)));
    PyObject *ab = need(class_of("AB", tuple(a, b)));
    PyObject *ba = need(class_of("BA", tuple(b, a)));
    PyObject *list = need(class_of("L", tuple(&PyList_Type, NULL)));

    need_ready(&Bigger);
    tell("A, B", Py_NewRef(ab));
    tell("A, set", class_of("C", tuple(a, &PySet_Type)));
    tell("A, bytes", class_of("C", tuple(a, &PyBytes_Type)));
    tell("A, L", class_of("C", tuple(a, list)));
    tell("L, dict", class_of("C", tuple(list, &PyDict_Type)));
    tell("int, str", class_of("C", tuple(&PyLong_Type, &PyUnicode_Type)));
    tell("list, dict", class_of("C", tuple(&PyList_Type, &PyDict_Type)));
    no_order("object, A", "object, A", tuple(object, a));
    no_order("A, AB", "A, AB", tuple(a, ab));
    tell("AB, A", class_of("C", tuple(ab, a)));
    no_order("AB, BA", "A, B", tuple(ab, ba));
    tell("A, A", class_of("C", tuple(a, a)));
    no_order("list, L", "list, L", tuple(&PyList_Type, list));
    tell("bool", class_of("C", tuple(&PyBool_Type, NULL)));
    tell("NoneType", class_of("C", tuple(Py_TYPE(Py_None), NULL)));
    tell("None", class_of("C", tuple(Py_None, NULL)));
    tell("A, None", class_of("C", tuple(a, Py_None)));
    no_order("Actor, Bigger", "Actor, Bigger", tuple(&Actor_Type, &Bigger));
    tell("Bigger, Actor", class_of("C", tuple(&Bigger, &Actor_Type)));
    tell("A, Bigger", class_of("C", tuple(a, &Bigger)));
    tell("tuple", class_of("C", tuple(&PyTuple_Type, NULL)));
    tell("no bases", class_of("C", PyTuple_New(0)));
    tell("type", class_of("C", tuple(&PyType_Type, NULL)));
    tell("Exception, A", class_of("C", tuple(PyExc_KeyError, a)));
    tell("two exceptions",
         class_of("C", tuple(PyExc_KeyError, PyExc_OSError)));
    drop_all(a, b, ab, ba, list);
    collect();
}
