/* dictiter.c: the iterators over a dictionary's keys, values and items, in
   both directions. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "types/dict/dict.h"
#include "types/iter/iterators.h"
#include "types/iter/row.h"

/* There is no tp_clear, as in CPython: a cycle through an iterator also
   contains an object that has one. */
struct dict_iter {
    PyObject ob_base;
    PyDictObject *dict; /* NULL at the end */
    Py_ssize_t used;    /* its ma_used at the start */
    Py_ssize_t pos;     /* for pyb_dict_next or pyb_dict_previous */
    Py_ssize_t left;    /* the number of keys left */
    PyObject *pair;     /* see row.h; NULL in iterators of other things */
};

#define IS_ITER(op) (Py_TYPE(op)->tp_dealloc == iter_dealloc)
#define ITER(op) PYB_CAST(struct dict_iter, IS_ITER, op)

static void iter_dealloc(PyObject *op);

static int
gives_items(const PyTypeObject *type)
{
    return type == &PyDictIterItem_Type || type == &PyDictRevIterItem_Type;
}

static int
goes_back(const PyTypeObject *type)
{
    return type == &PyDictRevIterKey_Type ||
           type == &PyDictRevIterValue_Type || type == &PyDictRevIterItem_Type;
}

PyObject *
pyb_dict_iter(PyObject *mp, PyTypeObject *type)
{
    PyObject *pair = NULL;

    if (gives_items(type) && (pair = pyb_row_new(2)) == NULL)
        return NULL;
    struct dict_iter *it = PyObject_GC_New(struct dict_iter, type);
    if (it == NULL) {
        Py_XDECREF(pair);
        return NULL;
    }
    PYB_ASSERT(type->tp_dealloc == iter_dealloc);
    PYB_ASSERT_OBJECT(PyAnyDict_Check(mp), mp);
    it->dict = (PyDictObject *)Py_NewRef(mp);
    it->used = it->left = it->dict->ma_used;
    it->pos = goes_back(type) ? PY_SSIZE_T_MAX : 0;
    it->pair = pair;
    PyObject_GC_Track((PyObject *)it);
    return (PyObject *)it;
}

static void
iter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(ITER(op)->dict);
    Py_XDECREF(ITER(op)->pair);
    PyObject_GC_Del(op);
}

static int
iter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(ITER(op)->dict);
    Py_VISIT(ITER(op)->pair);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Steps                                                               */

/* May another step be made?  0 at the end, or with RuntimeError. */
static int
may_step(struct dict_iter *it)
{
    PYB_ASSERT(it->dict == NULL || PyAnyDict_Check(it->dict));
    PYB_ASSERT(it->pos >= 0);
    if (it->dict == NULL)
        return 0;
    if (it->used == it->dict->ma_used)
        return 1;
    PyErr_SetString(PyExc_RuntimeError,
                    "dictionary changed size during iteration");
    it->used = -1; /* stays so */
    return 0;
}

/* The next entry, or NULL at the end, or with RuntimeError. */
static struct pyb_dict_entry *
forth(PyObject *op)
{
    struct dict_iter *it = ITER(op);

    if (!may_step(it))
        return NULL;
    struct pyb_dict_entry *entry = pyb_dict_next(it->dict, &it->pos);
    if (entry != NULL && it->left-- > 0)
        return entry;
    if (entry != NULL)
        PyErr_SetString(PyExc_RuntimeError,
                        "dictionary keys changed during iteration");
    Py_CLEAR(it->dict);
    return NULL;
}

/* The entry before; NULL as in forth. */
static struct pyb_dict_entry *
back(PyObject *op)
{
    struct dict_iter *it = ITER(op);

    if (!may_step(it))
        return NULL;
    struct pyb_dict_entry *entry = pyb_dict_previous(it->dict, &it->pos);
    if (entry != NULL)
        it->left--;
    else
        Py_CLEAR(it->dict);
    return entry;
}

static PyObject *
key_of(struct pyb_dict_entry *entry)
{
    return entry == NULL ? NULL : Py_NewRef(entry->key);
}

static PyObject *
value_of(struct pyb_dict_entry *entry)
{
    return entry == NULL ? NULL : Py_NewRef(entry->value);
}

static PyObject *
item_of(PyObject *op, struct pyb_dict_entry *entry)
{
    if (entry == NULL)
        return NULL;
    PYB_ASSERT_OBJECT(gives_items(Py_TYPE(op)), op);
    PYB_ASSERT_OBJECT(ITER(op)->pair != NULL, op);
    return pyb_row_pair(ITER(op)->pair, Py_NewRef(entry->key),
                        Py_NewRef(entry->value));
}

#define STEP(NAME, RESULT)                                                    \
    static PyObject *NAME(PyObject *op)                                       \
    {                                                                         \
        return RESULT;                                                        \
    }

STEP(next_key, key_of(forth(op)))
STEP(next_value, value_of(forth(op)))
STEP(next_item, item_of(op, forth(op)))
STEP(previous_key, key_of(back(op)))
STEP(previous_value, value_of(back(op)))
STEP(previous_item, item_of(op, back(op)))

/* ------------------------------------------------------------------ */
/* The types                                                           */

static PyObject *
iter_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct dict_iter *it = ITER(op);
    int valid = it->dict != NULL && it->used == it->dict->ma_used;

    return PyLong_FromSsize_t(valid ? Py_MAX(it->left, 0) : 0);
}

static PyObject *
iter_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct dict_iter *it = ITER(op);
    PyObject *copy;

    if (it->dict == NULL)
        return pyb_reduce_call("iter", NULL, "([])");
    copy = pyb_dict_iter((PyObject *)it->dict, Py_TYPE(op));
    if (copy != NULL) {
        ITER(copy)->used = it->used;
        ITER(copy)->pos = it->pos;
        ITER(copy)->left = it->left;
    }
    return pyb_iterator_reduce_rest(copy);
}

static PyMethodDef iter_methods[] = {
    PYB_LENGTH_HINT(iter_length_hint),
    {"__reduce__", iter_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {NULL, NULL, 0, NULL},
};

/* clang-format off */
#define ITER_TYPE(NAME, NEXT)                                                 \
    {                                                                         \
        PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = (NAME),              \
        .tp_basicsize = sizeof(struct dict_iter),                             \
        .tp_dealloc = iter_dealloc,                                           \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,                  \
        .tp_traverse = iter_traverse,                                         \
        .tp_iter = PyObject_SelfIter,                                         \
        .tp_iternext = (NEXT),                                                \
        .tp_methods = iter_methods,                                           \
    }
/* clang-format on */

PyTypeObject PyDictIterKey_Type = ITER_TYPE("dict_keyiterator", next_key);
PyTypeObject PyDictIterValue_Type =
    ITER_TYPE("dict_valueiterator", next_value);
PyTypeObject PyDictIterItem_Type = ITER_TYPE("dict_itemiterator", next_item);
PyTypeObject PyDictRevIterKey_Type =
    ITER_TYPE("dict_reversekeyiterator", previous_key);
PyTypeObject PyDictRevIterValue_Type =
    ITER_TYPE("dict_reversevalueiterator", previous_value);
PyTypeObject PyDictRevIterItem_Type =
    ITER_TYPE("dict_reverseitemiterator", previous_item);
