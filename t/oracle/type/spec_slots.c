/* spec_slots.c: what PyType_GetSlot gives of heap types and of static ones;
   which number means which slot; names of a heap type.
   Manual: "Type Objects", PyType_GetSlot, PyType_GetName, PyType_GetQualName;
   "Type Object Structures". */

#include "oracle.h"

static PyObject *
repr(PyObject *op)
{
    return PyUnicode_FromString("<spec>");
}

static PyObject *
add(PyObject *a, PyObject *b)
{
    return PyUnicode_FromString("added");
}

static Py_ssize_t
length(PyObject *op)
{
    return 42;
}

static PyObject *
item(PyObject *op, Py_ssize_t i)
{
    return PyLong_FromSsize_t(i);
}

static PyObject *
subscript(PyObject *op, PyObject *key)
{
    return Py_NewRef(key);
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, actor_dealloc},
    {Py_tp_traverse, actor_traverse},
    {Py_tp_clear, actor_clear},
    {Py_tp_repr, repr},
    {Py_nb_add, add},
    {Py_sq_length, length},
    {Py_mp_length, length},
    {Py_sq_item, item},
    {Py_mp_subscript, subscript},
    {Py_tp_doc, "Text."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "package.module.Spec",
    .basicsize = sizeof(struct actor),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

#define IS(SLOT, FUNCTION)                                                    \
    result("slot " #SLOT " is " #FUNCTION,                                    \
           (void *)PyType_GetSlot(type, SLOT) == (void *)(FUNCTION))

static void
numbers(void)
{
    say("%d %d %d %d %d %d %d", Py_bf_getbuffer, Py_mp_ass_subscript,
        Py_nb_add, Py_sq_length, Py_tp_alloc, Py_tp_clear, Py_tp_traverse);
    say("%d %d %d %d %d %d", Py_tp_finalize, Py_tp_members, Py_tp_getset,
        Py_tp_free, Py_am_await, Py_am_send);
}

void
oracle_program(void)
{
    PyTypeObject *type = need(PyType_FromSpec(&spec));
    struct actor *op = actor_new(type, "op");

    numbers();
    IS(Py_tp_dealloc, actor_dealloc);
    IS(Py_tp_traverse, actor_traverse);
    IS(Py_tp_clear, actor_clear);
    IS(Py_tp_repr, repr);
    IS(Py_nb_add, add);
    IS(Py_nb_subtract, NULL);
    IS(Py_sq_length, length);
    IS(Py_mp_length, length);
    IS(Py_sq_item, item);
    IS(Py_sq_ass_item, NULL);
    IS(Py_bf_getbuffer, NULL);
    IS(Py_tp_base, &PyBaseObject_Type);
    IS(Py_tp_bases, type->tp_bases);
    IS(Py_tp_alloc, PyType_GenericAlloc);
    IS(Py_tp_free, PyObject_GC_Del);
    say("doc %s", (char *)PyType_GetSlot(type, Py_tp_doc));
    RESULT(PyType_GetSlot(type, 0) != NULL);
    RESULT(PyType_GetSlot(type, -1) != NULL);
    RESULT(PyType_GetSlot(type, 9999) != NULL);
    RESULT(PyType_GetSlot(&PyLong_Type, Py_nb_add) ==
           (void *)PyLong_Type.tp_as_number->nb_add);
    RESULT(PyType_GetSlot(&PyLong_Type, Py_tp_traverse) == NULL);
    SHOW(PyType_GetName(type));
    SHOW(PyType_GetQualName(type));
    SHOW(PyType_GetName(&PyList_Type));
    SHOW(PyObject_GetAttrString((PyObject *)type, "__module__"));
    say("tp_name %s", type->tp_name);
    RESULT((PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE) != 0);
    show_kept("op", (PyObject *)op);
    SHOW(PyNumber_Add((PyObject *)op, Py_None));
    RESULT(PyObject_Size((PyObject *)op));
    SHOW(PySequence_GetItem((PyObject *)op, 3));
    SHOW(PySequence_GetItem((PyObject *)op, -2));
    SHOW(PyObject_GetItem((PyObject *)op, Py_None));
    SHOW(PyObject_Str((PyObject *)type));
    Py_INCREF(type); /* traversal does not own up to it */
    drop_all(op, type);
}
