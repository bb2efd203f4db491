/* check_oldsource.c: a container as one wrote it for 2.2, word for word: type
   and suites initialised by position, fields and functions under the names of
   then.

   What a compiler of today says about such sources is switched off here. */

#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wcast-function-type"

#include "Python.h"

#include "../support/suite.h"

typedef struct {
    PyObject_HEAD
    PyObject *first;
    int number;
} pairobject;

staticforward PyTypeObject Pair_Type;

#define Pair_Check(v) ((v)->ob_type == &Pair_Type)

static long live;

static pairobject *
newpairobject(PyObject *first)
{
    pairobject *self;

    self = PyObject_GC_New(pairobject, &Pair_Type);
    if (self == NULL)
        return NULL;
    Py_XINCREF(first);
    self->first = first;
    self->number = 0;
    live++;
    _PyObject_GC_TRACK(self);
    return self;
}

static void
pair_dealloc(pairobject *self)
{
    _PyObject_GC_UNTRACK(self);
    Py_XDECREF(self->first);
    live--;
    self->ob_type->tp_free((PyObject *)self);
}

static int
pair_traverse(pairobject *self, visitproc visit, void *arg)
{
    int err;

    if (self->first) {
        err = visit(self->first, arg);
        if (err)
            return err;
    }
    return 0;
}

static int
pair_clear(pairobject *self)
{
    PyObject *tmp = self->first;

    self->first = NULL;
    Py_XDECREF(tmp);
    return 0;
}

static PyObject *
pair_repr(pairobject *self)
{
    return PyString_FromFormat("<pair %d>", self->number);
}

static PyObject *
pair_next(pairobject *self, PyObject *args)
{
    if (!PyArg_ParseTuple(args, ":next"))
        return NULL;
    self->number++;
    return PyInt_FromLong(self->number);
}

static PyMethodDef pair_methods[] = {
    {"next", (PyCFunction)pair_next, METH_VARARGS, NULL},
    {NULL, NULL} /* sentinel */
};

static PyObject *
pair_getattr(pairobject *self, char *name)
{
    if (strcmp(name, "first") == 0 && self->first != NULL) {
        Py_INCREF(self->first);
        return self->first;
    }
    return Py_FindMethod(pair_methods, (PyObject *)self, name);
}

static PyObject *
pair_item(pairobject *self, Py_ssize_t i)
{
    return PyInt_FromLong((long)i + self->number);
}

static PySequenceMethods pair_as_sequence = {
    0,                     /*sq_length*/
    0,                     /*sq_concat*/
    0,                     /*sq_repeat*/
    (intargfunc)pair_item, /*sq_item*/
    0,                     /*sq_slice*/
    0,                     /*sq_ass_item*/
    0,                     /*sq_ass_slice*/
};

statichere PyTypeObject Pair_Type = {
    PyObject_HEAD_INIT(NULL) 0, /*ob_size*/
    "pair.pair",                /*tp_name*/
    sizeof(pairobject),         /*tp_basicsize*/
    0,                          /*tp_itemsize*/
    (destructor)pair_dealloc,   /*tp_dealloc*/
    0,                          /*tp_print*/
    (getattrfunc)pair_getattr,  /*tp_getattr*/
    0,                          /*tp_setattr*/
    0,                          /*tp_compare*/
    (reprfunc)pair_repr,        /*tp_repr*/
    0,                          /*tp_as_number*/
    &pair_as_sequence,          /*tp_as_sequence*/
    0,                          /*tp_as_mapping*/
    0,                          /*tp_hash*/
    0,                          /*tp_call*/
    0,                          /*tp_str*/
    0,                          /*tp_getattro*/
    0,                          /*tp_setattro*/
    0,                          /*tp_as_buffer*/
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_CHECKTYPES,
    0,                           /*tp_doc*/
    (traverseproc)pair_traverse, /*tp_traverse*/
    (inquiry)pair_clear,         /*tp_clear*/
    0,                           /*tp_richcompare*/
    0,                           /*tp_weaklistoffset*/
    0,                           /*tp_iter*/
    0,                           /*tp_iternext*/
    0,                           /*tp_methods*/
    0,                           /*tp_members*/
    0,                           /*tp_getset*/
    0,                           /*tp_base*/
    0,                           /*tp_dict*/
    0,                           /*tp_descr_get*/
    0,                           /*tp_descr_set*/
    0,                           /*tp_dictoffset*/
    0,                           /*tp_init*/
    0,                           /*tp_alloc*/
    0,                           /*tp_new*/
    _PyObject_GC_Del,            /*tp_free*/
};

/* A type that knows its own type already. */
static PyTypeObject Named_Type = {
    PyObject_HEAD_INIT(&PyType_Type) 3,
    "pair.named",
    sizeof(PyObject),
};

static pairobject preset = {PyObject_HEAD_INIT(&Pair_Type) NULL, 7};
static PyObject bare = {PyObject_HEAD_INIT(&PyBaseObject_Type)};

static PyObject *
pair_new(PyObject *self, PyObject *args)
{
    PyObject *first = NULL;

    ck_assert_ptr_null(self);
    if (!PyArg_ParseTuple(args, "|O:new", &first))
        return NULL;
    return (PyObject *)newpairobject(first);
}

static PyMethodDef functions[] = {
    {"new", pair_new, METH_VARARGS}, {NULL, NULL} /* sentinel */
};

DL_EXPORT(void) initpair(void);

DL_EXPORT(void) initpair(void)
{
    PyObject *m, *d;

    PyType_Ready(&Pair_Type);
    m = Py_InitModule3("pair", functions, "Pairs.");
    d = PyModule_GetDict(m);
    PyDict_SetItemString(d, "PairType", (PyObject *)&Pair_Type);
}

/* ------------------------------------------------------------------ */

START_TEST(the_initialiser_without_braces_reaches_every_field)
{
    ck_assert_int_eq(Py_SIZE(&Pair_Type), 0);
    ck_assert_int_eq(Py_SIZE(&Named_Type), 3);
    ck_assert_ptr_eq(Py_TYPE(&Named_Type), &PyType_Type);
    ck_assert_str_eq(Named_Type.tp_name, "pair.named");
    ck_assert_int_eq(Named_Type.tp_basicsize, sizeof(PyObject));
    ck_assert(Pair_Type.tp_free == PyObject_GC_Del);
    ck_assert_int_eq(Pair_Type.tp_vectorcall_offset, 0);
    ck_assert_ptr_null(Pair_Type.tp_as_async);
    ck_assert_int_eq(preset.number, 7);
    ck_assert_ptr_eq(preset.ob_type, &Pair_Type);
    ck_assert_ptr_eq(preset.ob_base.ob_type, &Pair_Type);
    ck_assert_int_eq(preset.ob_refcnt, Py_REFCNT(&preset));
    ck_assert_ptr_eq(Py_TYPE(&bare), &PyBaseObject_Type);
}

START_TEST(an_old_container_is_collected)
{
    pairobject *a, *b;

    initpair();
    ck_assert_ptr_null(PyErr_Occurred());
    a = newpairobject(NULL);
    ck_assert(Pair_Check((PyObject *)a));
    b = newpairobject((PyObject *)a);
    a->first = (PyObject *)b;
    Py_INCREF(b);
    Py_DECREF(a);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(b);
    ck_assert_int_eq(live, 2);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(live, 0);
}

START_TEST(an_old_module_works)
{
    PyObject *module, *pair, *other;

    initpair();
    module = suite_require(PyImport_ImportModule("pair"));
    suite_new_text(PyObject_GetAttrString(module, "__doc__"), "Pairs.");
    pair = suite_require(PyObject_CallMethod(module, "new", NULL));
    suite_new_int(PyObject_CallMethod(pair, "next", NULL), 1);
    suite_new_int(PySequence_GetItem(pair, 4), 5);
    suite_repr(pair, "<pair 1>");
    suite_refused(PyObject_GetAttrString(pair, "first"), PyExc_AttributeError,
                  "first");
    other = PyObject_CallMethod(module, "new", "O", pair);
    Py_DECREF(pair);
    suite_new_text(PyObject_Repr(((pairobject *)other)->first), "<pair 1>");
    Py_DECREF(other);
    ck_assert_int_eq(live, 0);
    Py_DECREF(module);
}

START_TEST(old_strings_are_text)
{
    PyObject *text = PyString_FromStringAndSize("h\xc3\xa9", 3);
    PyObject *number = PyInt_FromLong(3);

    ck_assert(PyString_Check(text) && PyInt_Check(number));
    ck_assert_int_eq(PyString_Size(text), 3);
    ck_assert_int_eq(PyString_GET_SIZE(text), 3);
    ck_assert_str_eq(PyString_AS_STRING(text), "h\xc3\xa9");
    ck_assert_int_eq(PyInt_AS_LONG(number), 3);
    suite_refused(PyString_AsString(number), PyExc_TypeError, NULL);
    suite_failed(PyString_Size(number), PyExc_TypeError, NULL);
    suite_drop(number, text);
}
