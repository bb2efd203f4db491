/* metaclass_spec.c: since 3.12: PyType_FromMetaclass; the metaclass that the
   bases ask for; what is refused.
   Manual: "Creating Heap-Allocated Types", PyType_FromMetaclass. */

#include "oracle.h"

static PyObject *
meta_new(PyTypeObject *meta, PyObject *args, PyObject *kwargs)
{
    return PyErr_Format(PyExc_RuntimeError, "tp_new was called");
}

static PyType_Slot meta_slots[] = {{Py_tp_base, NULL}, {0, NULL}};
static PyType_Spec meta_spec = {
    .name = "oracle.Meta",
    .basicsize = -(int)sizeof(long),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = meta_slots,
};
static PyType_Slot bad_slots[] = {
    {Py_tp_base, NULL}, {Py_tp_new, meta_new}, {0, NULL}};
static PyType_Spec bad_spec = {
    .name = "oracle.BadMeta",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = bad_slots,
};
static PyType_Slot none[] = {{0, NULL}};
static PyType_Spec spec = {
    .name = "oracle.A",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = none,
};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "spam",
                                 .m_size = 0};

void
oracle_program(void)
{
    PyTypeObject *meta, *bad;
    PyObject *a, *b, *module = need(PyModule_Create(&def));

    meta_slots[0].pfunc = bad_slots[0].pfunc = &PyType_Type;
    meta = need(PyType_FromSpec(&meta_spec));
    bad = need(PyType_FromSpec(&bad_spec));
    a = need(PyType_FromMetaclass(meta, module, &spec, NULL));
    show_kept("a", a);
    RESULT(Py_TYPE(a) == meta);
    RESULT(PyType_GetModule((PyTypeObject *)a) == module);
    RESULT(*(long *)PyObject_GetTypeData(a, meta));
    *(long *)PyObject_GetTypeData(a, meta) = 42;
    b = need(PyType_FromSpecWithBases(&spec, a));
    say("the subclass's metaclass is %s", Py_TYPE(b)->tp_name);
    RESULT(*(long *)PyObject_GetTypeData(b, meta));
    RESULT(*(long *)PyObject_GetTypeData(a, meta));
    Py_DECREF(b);
    b = need(PyType_FromMetaclass(NULL, NULL, &spec, NULL));
    say("without one: %s", Py_TYPE(b)->tp_name);
    Py_DECREF(b);
    b = need(PyType_FromMetaclass(&PyType_Type, NULL, &spec, a));
    say("type over A: %s", Py_TYPE(b)->tp_name);
    Py_DECREF(b);
    SHOW(PyType_FromMetaclass(bad, NULL, &spec, NULL));
    SHOW(PyType_FromMetaclass(&PyLong_Type, NULL, &spec, NULL));
    drop_all(module, a, meta, bad);
    say("collected: %d", PyGC_Collect() > 0);
}
