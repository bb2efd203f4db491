/* new_container.c: an extension module as the manual of 3.15 describes one,
   as C11 and as C++17, with the whole API or the limited one.

   Box holds one object.  With 3.15's names there is Crate, a subtype that adds
   to a Box a part of its own and finds it in tp_traverse; and with the whole
   API sacks, Boxes with memory behind them. */

#include <Python.h>

#if !defined(Py_LIMITED_API) || Py_LIMITED_API >= 0x030F0000
#define HAVE_CRATES 1
#endif

typedef struct {
    PyObject_HEAD
    PyObject *item;
} box;

typedef struct {
    PyTypeObject *box_type, *crate_type;
    long deaths, traversals; /* of all Boxes; of Crates */
} module_state;

PyMODINIT_FUNC PyInit_new_container(void);

static module_state *
state_of(PyObject *module)
{
    return (module_state *)PyModule_GetState(module);
}

/* ------------------------------------------------------------------ */
/* Box                                                                 */

static int
box_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((box *)self)->item);
    return 0;
}

static int
box_clear(PyObject *self)
{
    Py_CLEAR(((box *)self)->item);
    return 0;
}

/* The module of the type, or of the base that was made for it, counts. */
static void
count_death(PyTypeObject *type)
{
    module_state *state = (module_state *)PyType_GetModuleState(type);

    if (state != NULL)
        state->deaths++;
    else
        PyErr_Clear();
}

static void
box_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    PyObject_GC_UnTrack(self);
    count_death(type);
    box_clear(self);
    release(self);
    Py_DECREF(type);
}

static PyObject *
box_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kwds))
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *item = NULL, *self;

    if (!PyArg_ParseTuple(args, "|O", &item))
        return NULL;
    self = alloc(type, 0);
    if (self != NULL)
        ((box *)self)->item = Py_XNewRef(item);
    return self;
}

static PyObject *
box_put(PyObject *self, PyObject *item)
{
    Py_INCREF(item);
    Py_CLEAR(((box *)self)->item);
    ((box *)self)->item = item;
    return Py_NewRef(Py_None);
}

static PyMethodDef box_methods[] = {
    {"put", box_put, METH_O, PyDoc_STR("put(item): replaces the item.")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot box_slots[] = {
    {Py_tp_doc, (void *)"A box for one object."},
    {Py_tp_new, (void *)box_new},
    {Py_tp_dealloc, (void *)box_dealloc},
    {Py_tp_traverse, (void *)box_traverse},
    {Py_tp_clear, (void *)box_clear},
    {Py_tp_methods, box_methods},
    {0, NULL},
};

static PyType_Spec box_spec = {
    "new_container.Box",
    sizeof(box),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    box_slots,
};

/* ------------------------------------------------------------------ */
/* Crate                                                               */

#ifdef HAVE_CRATES

typedef struct {
    PyObject *label;
} crate_part;

static char crate_token;
static void *module_token; /* set when a module is executed */

/* Counts itself in the state of the module, if the type still has one. */
static void
count_traversal(PyTypeObject *type)
{
    PyObject *module = PyType_GetModuleByToken_DuringGC(type, module_token);

    if (module != NULL)
        ((module_state *)PyModule_GetState_DuringGC(module))->traversals++;
}

static int
crate_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = Py_TYPE(self), *crate;

    count_traversal(type);
    if (PyType_GetBaseByToken_DuringGC(type, &crate_token, &crate) == 1) {
        void *part = PyObject_GetTypeData_DuringGC(self, crate);
        Py_VISIT(((crate_part *)part)->label);
    }
    return box_traverse(self, visit, arg);
}

static crate_part *
part_of(PyObject *self)
{
    PyTypeObject *crate;

    if (PyType_GetBaseByToken(Py_TYPE(self), &crate_token, &crate) != 1)
        return NULL;
    crate_part *part = (crate_part *)PyObject_GetTypeData(self, crate);
    Py_DECREF(crate);
    return part;
}

static int
crate_clear(PyObject *self)
{
    Py_CLEAR(part_of(self)->label);
    return box_clear(self);
}

static void
crate_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(part_of(self)->label);
    box_dealloc(self);
}

static PyObject *
crate_label(PyObject *self, PyObject *label)
{
    crate_part *part = part_of(self);

    Py_INCREF(label);
    Py_CLEAR(part->label);
    part->label = label;
    return Py_NewRef(Py_None);
}

static PyMethodDef crate_methods[] = {
    {"label", crate_label, METH_O, PyDoc_STR("label(label): replaces it.")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot crate_slots[] = {
    {Py_tp_dealloc, (void *)crate_dealloc},
    {Py_tp_traverse, (void *)crate_traverse},
    {Py_tp_clear, (void *)crate_clear},
    {Py_tp_methods, crate_methods},
    {Py_tp_token, &crate_token},
    {0, NULL},
};

static PyType_Spec crate_spec = {
    "new_container.Crate",
    -(int)sizeof(crate_part),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    crate_slots,
};

#endif

/* ------------------------------------------------------------------ */
/* The module                                                          */

static PyObject *
deaths(PyObject *module, PyObject *Py_UNUSED(none))
{
    return PyLong_FromLong(state_of(module)->deaths);
}

static PyObject *
traversals(PyObject *module, PyObject *Py_UNUSED(none))
{
    return PyLong_FromLong(state_of(module)->traversals);
}

static PyObject *
is_tracked(PyObject *Py_UNUSED(module), PyObject *op)
{
    return PyBool_FromLong(PyObject_GC_IsTracked(op));
}

#ifndef Py_LIMITED_API

/* A Box with so many zeroed bytes behind it. */
static PyObject *
sack(PyObject *module, PyObject *args)
{
    PyTypeObject *type = state_of(module)->box_type;
    Py_ssize_t size;

    if (!PyArg_ParseTuple(args, "n", &size))
        return NULL;
    PyObject *self = PyUnstable_Object_GC_NewWithExtraData(type, (size_t)size);
    if (self == NULL)
        return NULL;
    char *extra = (char *)self + type->tp_basicsize;
    for (Py_ssize_t i = 0; i < size; i++)
        if (extra[i] != 0)
            Py_FatalError("extra data is not zero");
    PyObject_GC_Track(self);
    return self;
}

#endif

static PyMethodDef module_methods[] = {
    {"deaths", deaths, METH_NOARGS, PyDoc_STR("How many have died.")},
    {"traversals", traversals, METH_NOARGS, PyDoc_STR("Of Crates.")},
    {"is_tracked", is_tracked, METH_O, PyDoc_STR("Is it tracked?")},
#ifndef Py_LIMITED_API
    {"sack", sack, METH_VARARGS, PyDoc_STR("sack(size): a large Box.")},
#endif
    {NULL, NULL, 0, NULL},
};

static int
add_type(PyObject *module, PyTypeObject **place, PyType_Spec *spec,
         PyTypeObject *base)
{
    *place = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec,
                                                      (PyObject *)base);
    if (*place == NULL)
        return -1;
    return PyModule_AddType(module, *place);
}

static int
execute(PyObject *module)
{
    module_state *state = state_of(module);

    if (add_type(module, &state->box_type, &box_spec, NULL) < 0)
        return -1;
#ifdef HAVE_CRATES
    if (PyModule_GetToken(module, &module_token) < 0)
        return -1;
    if (add_type(module, &state->crate_type, &crate_spec, state->box_type) < 0)
        return -1;
#endif
    return 0;
}

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(state_of(module)->box_type);
    Py_VISIT(state_of(module)->crate_type);
    return 0;
}

static int
module_clear(PyObject *module)
{
    Py_CLEAR(state_of(module)->box_type);
    Py_CLEAR(state_of(module)->crate_type);
    return 0;
}

static void
module_free(void *module)
{
    module_clear((PyObject *)module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)execute},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "new_container", PyDoc_STR("Containers of 3.15."),
    sizeof(module_state),  module_methods,  module_slots,
    module_traverse,       module_clear,    module_free,
};

PyMODINIT_FUNC
PyInit_new_container(void)
{
    return PyModuleDef_Init(&definition);
}
