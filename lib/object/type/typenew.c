/* typenew.c: type(name, bases, dict), and functions that all makers of heap
   types share.

   Special methods in dict, or in a base's, fill slots (slotdefs.c; __del__:
   subtype.c).  Instances get a managed dictionary and a managed weak list,
   unless a base has them already or __slots__ says otherwise.

   Manual: "Type Objects"; the language reference, "Customizing class
   creation". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "object/slot/slotdefs.h"
#include "object/slot/slotnames.h"
#include "object/type/bases.h"
#include "object/type/classhooks.h"
#include "object/type/subtype.h"
#include "object/type/typeattrs.h"
#include "object/type/typedata.h"
#include "object/type/typenew.h"

PyHeapTypeObject *
pyb_typenew_alloc(PyTypeObject *metatype, Py_ssize_t n)
{
    PyHeapTypeObject *heap;
    PyTypeObject *type;

    PYB_ASSERT(PyType_IsSubtype(metatype, &PyType_Type) && n >= 0);
    heap = (PyHeapTypeObject *)metatype->tp_alloc(metatype, n);
    if (heap == NULL)
        return NULL;
    type = &heap->ht_type;
    PYB_ASSERT(type->tp_dict == NULL && type->tp_flags == 0);
    type->tp_flags = Py_TPFLAGS_HEAPTYPE;
    type->tp_as_async = &heap->as_async;
    type->tp_as_number = &heap->as_number;
    type->tp_as_sequence = &heap->as_sequence;
    type->tp_as_mapping = &heap->as_mapping;
    type->tp_as_buffer = &heap->as_buffer;
    return heap;
}

void
pyb_typenew_abandon(PyHeapTypeObject *heap)
{
    PyObject *error = PyErr_GetRaisedException();

    PYB_ASSERT(error != NULL);
    PyType_Type.tp_clear((PyObject *)heap);
    Py_DECREF(heap);
    PyErr_SetRaisedException(error);
}

char *
pyb_typenew_copy_string(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = PyMem_Malloc(size);

    if (copy == NULL)
        PyErr_NoMemory();
    else
        memcpy(copy, text, size);
    return copy;
}

/* ------------------------------------------------------------------ */
/* Attributes of instances                                             */

static PyObject *
get_weakref(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *ref = PyWeakref_NewRef(self, NULL);

    /* The plain weak reference is shared; if it has no other owner, None is
       returned. */
    if (ref == NULL || Py_REFCNT(ref) > 1)
        return ref;
    Py_DECREF(ref);
    Py_RETURN_NONE;
}

/* Unlike PyObject_GenericSetDict, this function also deletes the
   dictionary. */
static int
set_dict(PyObject *self, PyObject *value, void *closure)
{
    if (value != NULL)
        return PyObject_GenericSetDict(self, value, closure);
    PyObject_ClearManagedDict(self);
    return 0;
}

static PyGetSetDef dict_getset[] = {
    {"__dict__", PyObject_GenericGetDict, set_dict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef weakref_getset[] = {
    {"__weakref__", get_weakref, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef both_getset[] = {
    {"__dict__", PyObject_GenericGetDict, set_dict, NULL, NULL},
    {"__weakref__", get_weakref, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static void
add_managed(PyTypeObject *type, const struct pyb_slotnames *slots)
{
    PYB_ASSERT(type->tp_getset == NULL && pyb_typedata_is_heap(type));
    if (slots->dict) {
        type->tp_flags |= Py_TPFLAGS_MANAGED_DICT;
        type->tp_getset = dict_getset;
    }
    if (slots->weakref) {
        type->tp_flags |= Py_TPFLAGS_MANAGED_WEAKREF;
        type->tp_getset =
            type->tp_getset == NULL ? weakref_getset : both_getset;
    }
}

/* ------------------------------------------------------------------ */

/* The arguments of a call and the values derived from them.  All are borrowed
   but bases and the contents of slots. */
struct request {
    PyObject *name, *bases, *dict, *kwds;
    PyTypeObject *base;
    struct pyb_slotnames slots;
};

static void
set_slots(PyTypeObject *type, const struct request *r)
{
    /* Even an instance without members is a container: it owns its type. */
    type->tp_flags |=
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
    add_managed(type, &r->slots);
    type->tp_dealloc = pyb_subtype_dealloc;
    type->tp_alloc = PyType_GenericAlloc;
    type->tp_traverse = pyb_subtype_traverse;
    type->tp_clear = pyb_subtype_clear;
    type->tp_free = PyObject_GC_Del;
}

/* Takes __qualname__ out of the new type's dictionary. */
static int
set_qualname(PyHeapTypeObject *heap)
{
    PyObject *name;

    PYB_ASSERT(PyDict_Check(heap->ht_type.tp_dict));
    if (PyDict_PopString(heap->ht_type.tp_dict, "__qualname__", &name) < 0)
        return -1;
    if (name != NULL && !PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError,
                     "type __qualname__ must be a str, not %s",
                     Py_TYPE(name)->tp_name);
        Py_DECREF(name);
        return -1;
    }
    heap->ht_qualname = name != NULL ? name : Py_NewRef(heap->ht_name);
    return 0;
}

/* A str as __doc__ also becomes tp_doc. */
static int
set_doc(PyTypeObject *type)
{
    PyObject *doc;
    const char *text;

    PYB_ASSERT(type->tp_doc == NULL);
    if (PyDict_GetItemStringRef(type->tp_dict, "__doc__", &doc) < 0)
        return -1;
    if (doc != NULL && PyUnicode_Check(doc)) {
        text = PyUnicode_AsUTF8(doc);
        if (text != NULL)
            type->tp_doc = pyb_typenew_copy_string(text);
        if (type->tp_doc == NULL) {
            Py_DECREF(doc);
            return -1;
        }
    }
    Py_XDECREF(doc);
    return 0;
}

/* Takes __classcell__ out of the dictionary, and puts the class there: it is
   what methods call super() with. */
static int
set_classcell(PyTypeObject *type)
{
    PyObject *cell;
    int result = 0;

    PYB_ASSERT(PyDict_Check(type->tp_dict));
    if (PyDict_PopString(type->tp_dict, "__classcell__", &cell) < 0)
        return -1;
    if (cell != NULL)
        result = PyCell_Check(cell)
                     ? PyCell_Set(cell, (PyObject *)type)
                     : pyb_failf(PyExc_TypeError,
                                 "__classcell__ must be a nonlocal cell, not "
                                 "%.200R",
                                 Py_TYPE(cell));
    Py_XDECREF(cell);
    return result;
}

static int
fill(PyHeapTypeObject *heap, struct request *r)
{
    PyTypeObject *type = &heap->ht_type;

    type->tp_name = pyb_typeattrs_c_name(r->name);
    if (type->tp_name == NULL)
        return -1;
    PYB_ASSERT(PyUnicode_Check(r->name) && PyTuple_Check(r->bases));
    heap->ht_name = Py_NewRef(r->name);
    type->tp_base = (PyTypeObject *)Py_NewRef(r->base);
    type->tp_bases = Py_NewRef(r->bases);
    type->tp_dict = PyDict_Copy(r->dict);
    if (type->tp_dict == NULL || set_qualname(heap) < 0 || set_doc(type) < 0 ||
        pyb_slotnames_set(heap, r->base, &r->slots) < 0 ||
        set_classcell(type) < 0)
        return -1;
    set_slots(type, r);
    return PyType_Ready(type) < 0 ? -1 : pyb_slotdefs_fill(type);
}

/* Finishes the class. */
static int
finish(PyTypeObject *type, const struct request *r)
{
    PyObject *del = PyUnicode_InternFromString("__del__");

    PYB_ASSERT(PyType_HasFeature(type, Py_TPFLAGS_READY));
    if (del == NULL)
        return -1;
    pyb_subtype_set_finalize(type, del);
    Py_DECREF(del);
    return pyb_classhooks_set_names(type) < 0 ||
                   pyb_classhooks_init_subclass(type, r->kwds) < 0
               ? -1
               : 0;
}

static PyObject *
make(PyTypeObject *metatype, struct request *r)
{
    PyHeapTypeObject *heap;

    heap = pyb_typenew_alloc(metatype, pyb_slotnames_count(&r->slots));
    if (heap == NULL)
        return NULL;
    if (fill(heap, r) < 0) {
        pyb_typenew_abandon(heap);
        return NULL;
    }
    if (finish(&heap->ht_type, r) < 0) {
        Py_DECREF(heap);
        return NULL;
    }
    return (PyObject *)heap;
}

/* A base that is no type may stand for others: that is for types.new_class. */
static int
check_entries(PyObject *bases)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        int found =
            PyType_Check(base)
                ? 0
                : PyObject_HasAttrStringWithError(base, "__mro_entries__");

        if (found > 0)
            return pyb_fail(PyExc_TypeError,
                            "type() doesn't support MRO entry resolution; "
                            "use types.new_class()");
        if (found < 0)
            return -1;
    }
    return 0;
}

PyObject *
pyb_typenew_new(PyTypeObject *metatype, PyObject *args, PyObject *kwds)
{
    struct request r = {.kwds = kwds};
    PyTypeObject *winner;
    PyObject *result = NULL;

    if (!PyArg_ParseTuple(args, "UO!O!:type.__new__", &r.name, &PyTuple_Type,
                          &r.bases, &PyDict_Type, &r.dict))
        return NULL;
    if (check_entries(r.bases) < 0)
        return NULL;
    winner = pyb_bases_metatype(metatype, r.bases);
    if (winner == NULL)
        return NULL;
    if (winner != metatype && winner->tp_new != pyb_typenew_new &&
        winner->tp_new != NULL)
        return winner->tp_new(winner, args, kwds);
    if (PyTuple_GET_SIZE(r.bases) == 0)
        r.bases = PyTuple_Pack(1, (PyObject *)&PyBaseObject_Type);
    else
        Py_INCREF(r.bases);
    if (r.bases == NULL)
        return NULL;
    r.base = pyb_bases_best(r.bases);
    if (r.base != NULL &&
        pyb_slotnames_read(r.name, r.dict, r.bases, r.base, &r.slots) == 0)
        result = make(winner, &r);
    Py_XDECREF(r.slots.names);
    Py_DECREF(r.bases);
    return result;
}

int
pyb_typenew_init(PyObject *Py_UNUSED(self), PyObject *args, PyObject *kwds)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);

    if (n == 1 && !pyb_getargs_no_keywords("type.__init__", kwds))
        return -1;
    if (n != 1 && n != 3)
        return pyb_fail(PyExc_TypeError,
                        "type.__init__() takes 1 or 3 arguments");
    return 0;
}
