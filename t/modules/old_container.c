/* old_container.c: an extension module as the manual of 2.2 describes one, to
   be compiled as it is: old.container(...) gives a container of its arguments
   that can be indexed and assigned to.

   By the letter of "10.8 Supporting Cyclic Garbage Collection": memory from
   PyObject_GC_VarNew, the two-argument PyObject_GC_Resize, the macros
   _PyObject_GC_TRACK and _PyObject_GC_UNTRACK, sizes in ints, and a type that
   is initialised by position. */

#include "Python.h"

typedef struct {
    PyObject_VAR_HEAD
    PyObject *ob_item[1];
} containerobject;

staticforward PyTypeObject Container_Type;

#define SIZE(op) (((PyVarObject *)(op))->ob_size)

static PyObject *ErrorObject;

static containerobject *
newcontainerobject(int size)
{
    containerobject *self;
    int i;

    self = PyObject_GC_VarNew(containerobject, &Container_Type, size);
    if (self == NULL)
        return NULL;
    for (i = 0; i < size; i++)
        self->ob_item[i] = NULL;
    return self;
}

/* Container methods */

static void
container_dealloc(containerobject *self)
{
    int i;

    _PyObject_GC_UNTRACK(self);
    for (i = SIZE(self); --i >= 0;)
        Py_XDECREF(self->ob_item[i]);
    PyObject_GC_Del(self);
}

static int
container_traverse(containerobject *self, visitproc visit, void *arg)
{
    int i, err;

    for (i = SIZE(self); --i >= 0;) {
        if (self->ob_item[i] != NULL) {
            err = visit(self->ob_item[i], arg);
            if (err)
                return err;
        }
    }
    return 0;
}

static int
container_clear(containerobject *self)
{
    int i;
    PyObject *tmp;

    for (i = SIZE(self); --i >= 0;) {
        tmp = self->ob_item[i];
        self->ob_item[i] = NULL;
        Py_XDECREF(tmp);
    }
    return 0;
}

static int
container_length(containerobject *self)
{
    return SIZE(self);
}

static PyObject *
container_item(containerobject *self, int i)
{
    if (i < 0 || i >= SIZE(self)) {
        PyErr_SetString(PyExc_IndexError, "container index out of range");
        return NULL;
    }
    if (self->ob_item[i] == NULL) {
        PyErr_SetString(ErrorObject, "container item was cleared");
        return NULL;
    }
    Py_INCREF(self->ob_item[i]);
    return self->ob_item[i];
}

static PyObject *
container_put(PyObject *self, PyObject *args)
{
    containerobject *c = (containerobject *)self;
    PyObject *value, *tmp;
    int i;

    if (!PyArg_ParseTuple(args, "iO:put", &i, &value))
        return NULL;
    if (i < 0 || i >= SIZE(c)) {
        PyErr_SetString(PyExc_IndexError, "container index out of range");
        return NULL;
    }
    tmp = c->ob_item[i];
    Py_INCREF(value);
    c->ob_item[i] = value;
    Py_XDECREF(tmp);
    Py_INCREF(Py_None);
    return Py_None;
}

static PyMethodDef container_methods[] = {
    {"put", container_put, METH_VARARGS, "put(index, value)"},
    {NULL, NULL} /* sentinel */
};

static PySequenceMethods container_as_sequence = {
    (lenfunc)container_length,  /*sq_length*/
    0,                          /*sq_concat*/
    0,                          /*sq_repeat*/
    (intargfunc)container_item, /*sq_item*/
};

static PyTypeObject Container_Type = {
    PyObject_HEAD_INIT(NULL) 0,                   /*ob_size*/
    "old.Container",                              /*tp_name*/
    sizeof(containerobject) - sizeof(PyObject *), /*tp_basicsize*/
    sizeof(PyObject *),                           /*tp_itemsize*/
    /* methods */
    (destructor)container_dealloc,           /*tp_dealloc*/
    0,                                       /*tp_print*/
    0,                                       /*tp_getattr*/
    0,                                       /*tp_setattr*/
    0,                                       /*tp_compare*/
    0,                                       /*tp_repr*/
    0,                                       /*tp_as_number*/
    &container_as_sequence,                  /*tp_as_sequence*/
    0,                                       /*tp_as_mapping*/
    0,                                       /*tp_hash*/
    0,                                       /*tp_call*/
    0,                                       /*tp_str*/
    PyObject_GenericGetAttr,                 /*tp_getattro*/
    0,                                       /*tp_setattro*/
    0,                                       /*tp_as_buffer*/
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, /*tp_flags*/
    "An old container.",                     /*tp_doc*/
    (traverseproc)container_traverse,        /*tp_traverse*/
    (inquiry)container_clear,                /*tp_clear*/
    0,                                       /*tp_richcompare*/
    0,                                       /*tp_weaklistoffset*/
    0,                                       /*tp_iter*/
    0,                                       /*tp_iternext*/
    container_methods,                       /*tp_methods*/
    0,                                       /*tp_members*/
    0,                                       /*tp_getset*/
    0,                                       /*tp_base*/
    0,                                       /*tp_dict*/
    0,                                       /*tp_descr_get*/
    0,                                       /*tp_descr_set*/
    0,                                       /*tp_dictoffset*/
    0,                                       /*tp_init*/
    0,                                       /*tp_alloc*/
    0,                                       /*tp_new*/
    _PyObject_GC_Del,                        /*tp_free*/
};

/* Module functions */

/* Takes one argument after the other, and grows before each. */
static PyObject *
old_container(PyObject *self, PyObject *args)
{
    containerobject *c;
    PyVarObject *grown;
    int i, n = PyTuple_Size(args);

    c = newcontainerobject(0);
    if (c == NULL)
        return NULL;
    for (i = 0; i < n; i++) {
        grown = PyObject_GC_Resize((PyVarObject *)c, i + 1);
        if (grown == NULL) {
            Py_DECREF(c);
            return NULL;
        }
        c = (containerobject *)grown;
        c->ob_item[i] = PyTuple_GetItem(args, i);
        Py_INCREF(c->ob_item[i]);
    }
    _PyObject_GC_TRACK(c);
    return (PyObject *)c;
}

static PyMethodDef old_methods[] = {
    {"container", old_container, METH_VARARGS, "container(...)"},
    {NULL, NULL} /* sentinel */
};

DL_EXPORT(void)
initold(void)
{
    PyObject *m, *d;

    if (PyType_Ready(&Container_Type) < 0)
        return;
    m = Py_InitModule3("old", old_methods, "Containers of 2.2.");
    if (m == NULL)
        return;
    d = PyModule_GetDict(m);
    ErrorObject = PyErr_NewException("old.error", NULL, NULL);
    PyDict_SetItemString(d, "error", ErrorObject);
}
