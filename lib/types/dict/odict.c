/* odict.c: the type OrderedDict.  Every dictionary has the order of insertion;
   this one can also move a key to either end, gives its items from both, and
   is equal to another of its kind only if the order is the same.  Its views
   and iterators are those of dict.

   Manual: Python's library, "collections.OrderedDict". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/dict/dict.h"

struct odict {
    PyDictObject base;
    PyObject *attributes; /* __dict__, NULL until it is asked for */
    PyObject *weak_list;
    /* The entries before that number are unused, as long as the table's
       generation is the same.  A queue would look through them each time. */
    Py_ssize_t first;
    size_t first_generation;
};

#define ODICT(op) PYB_CAST(struct odict, PyODict_Check, op)
#define DICT(op) (&ODICT(op)->base)

PyObject *
PyODict_New(void)
{
    return PyObject_CallNoArgs((PyObject *)&PyODict_Type);
}

int
PyODict_SetItem(PyObject *od, PyObject *key, PyObject *value)
{
    return PyDict_SetItem(od, key, value);
}

int
PyODict_DelItem(PyObject *od, PyObject *key)
{
    return PyDict_DelItem(od, key);
}

/* ------------------------------------------------------------------ */
/* Both ends                                                           */

/* For one more entry, before one is taken out to be put elsewhere: without it
   that one would be lost.  0, or -1 with MemoryError. */
static int
make_room(PyDictObject *mp)
{
    if (mp->_pyb_table->left > 0)
        return 0;
    return pyb_dict_resize(mp, mp->ma_used + mp->ma_used / 2 + 1);
}

/* Moves entry i to the beginning: other, which has no keys and room for all of
   them, takes them over in their new order. */
static void
move_to_first(PyDictObject *mp, Py_ssize_t i, PyDictObject *other)
{
    struct pyb_dict_entry entry = mp->_pyb_table->entries[i], *next;
    Py_ssize_t pos = 0;

    PYB_ASSERT(other->ma_used == 0 && other->_pyb_table->left >= mp->ma_used);
    pyb_dict_add(other, entry.key, entry.hash, entry.value);
    while ((next = pyb_dict_next(mp, &pos)) != NULL)
        if (next->key != entry.key)
            pyb_dict_add(other, next->key, next->hash, next->value);
    PYB_ASSERT(other->ma_used == mp->ma_used);
    pyb_dict_swap(mp, other);
}

/* Finds the key, with room for one more entry (make_room).  A comparison may
   take the room away. */
static Py_ssize_t
find_with_room(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    Py_ssize_t i;

    do {
        if (make_room(mp) < 0)
            return PYB_DICT_ERROR;
        i = pyb_dict_lookup(mp, key, hash);
    } while (i >= 0 && mp->_pyb_table->left == 0);
    if (i == PYB_DICT_ABSENT)
        pyb_dict_key_error(key);
    return i;
}

/* The same; other, which is empty, gets room for all keys. */
static Py_ssize_t
find_with_other(PyDictObject *mp, PyObject *key, Py_hash_t hash,
                PyDictObject *other)
{
    Py_ssize_t i;

    do {
        if (pyb_dict_resize(other, mp->ma_used) < 0)
            return PYB_DICT_ERROR;
        i = pyb_dict_lookup(mp, key, hash);
    } while (i >= 0 && other->_pyb_table->left < mp->ma_used);
    if (i == PYB_DICT_ABSENT)
        pyb_dict_key_error(key);
    return i;
}

/* 0, or -1 with an exception.  What it makes may have a collection run, which
   runs any code: so it is made before the key is looked for. */
static int
move_to_beginning(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    PyDictObject *other = (PyDictObject *)PyDict_New();

    if (other == NULL)
        return -1;
    Py_ssize_t i = find_with_other(mp, key, hash, other);
    if (i >= 0)
        move_to_first(mp, i, other);
    Py_DECREF((PyObject *)other);
    return i < 0 ? -1 : 0;
}

static int
move_to_end(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    Py_ssize_t i = find_with_room(mp, key, hash);

    if (i >= 0)
        pyb_dict_move_last(mp, i);
    return i < 0 ? -1 : 0;
}

static PyObject *
odict_move_to_end(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"key", "last", NULL};
    PyObject *key;
    int last = 1;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|p:move_to_end", names,
                                     &key, &last))
        return NULL;
    Py_hash_t hash = pyb_dict_hash(key);
    if (hash == -1)
        return NULL;
    return pyb_result_none(last ? move_to_end(DICT(op), key, hash)
                                : move_to_beginning(DICT(op), key, hash));
}

/* The number of the first entry in use; there is one. */
static Py_ssize_t
find_first(struct odict *od)
{
    Py_ssize_t pos = 0;

    PYB_ASSERT(od->base.ma_used > 0);
    if (od->first_generation == od->base._pyb_generation)
        pos = od->first;
    struct pyb_dict_entry *entry = pyb_dict_next(&od->base, &pos);
    PYB_ASSERT(entry != NULL);
    (void)entry;
    od->first = pos - 1;
    od->first_generation = od->base._pyb_generation;
    return od->first;
}

static PyObject *
odict_popitem(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"last", NULL};
    int last = 1;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|p:popitem", names, &last))
        return NULL;
    PyObject *item = PyTuple_New(2); /* first, since it may collect */
    if (item == NULL)
        return NULL;
    if (DICT(op)->ma_used == 0) {
        Py_DECREF(item);
        return pyb_raise(PyExc_KeyError, "dictionary is empty");
    }
    /* The last entry is in use: pyb_dict_take drops those that are not. */
    struct pyb_dict_entry taken =
        pyb_dict_take(DICT(op), last ? DICT(op)->_pyb_table->nentries - 1
                                     : find_first(ODICT(op)));
    PyTuple_SET_ITEM(item, 0, taken.key);
    PyTuple_SET_ITEM(item, 1, taken.value);
    return item;
}

/* ------------------------------------------------------------------ */
/* Changes, which a subclass may have its own idea of                  */

static int
set_all(PyObject *op, PyObject *dict)
{
    PyObject *items = PyDict_Items(dict);
    int result = items != NULL ? 0 : -1;

    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i);
        result = PyObject_SetItem(op, PyTuple_GET_ITEM(item, 0),
                                  PyTuple_GET_ITEM(item, 1));
    }
    Py_XDECREF(items);
    return result;
}

/* Sets what a pair says, of any two objects. */
static int
set_pair(PyObject *op, PyObject *pair)
{
    PyObject *items = PySequence_Tuple(pair);
    int result = -1;

    if (items == NULL)
        return -1;
    Py_ssize_t size = PyTuple_GET_SIZE(items);
    if (size == 2)
        result = PyObject_SetItem(op, PyTuple_GET_ITEM(items, 0),
                                  PyTuple_GET_ITEM(items, 1));
    else
        PyErr_Format(PyExc_ValueError,
                     size < 2 ? "need more than %zd value%s to unpack"
                              : "too many values to unpack (expected 2)",
                     size, size == 1 ? "" : "s");
    Py_DECREF(items);
    return result;
}

static int
set_key(PyObject *op, PyObject *key, PyObject *mapping)
{
    PyObject *value = PyObject_GetItem(mapping, key);
    int result = value != NULL ? PyObject_SetItem(op, key, value) : -1;

    Py_XDECREF(value);
    return result;
}

/* Sets the keys of a mapping, if mapping is not NULL, or what pairs say, one
   by one. */
static int
set_each(PyObject *op, PyObject *iterable, PyObject *mapping)
{
    PyObject *it = iterable != NULL ? PyObject_GetIter(iterable) : NULL;
    PyObject *item;
    int more = 0, result = it != NULL ? 0 : -1;

    while (result == 0 && (more = PyIter_NextItem(it, &item)) > 0) {
        result =
            mapping != NULL ? set_key(op, item, mapping) : set_pair(op, item);
        Py_DECREF(item);
    }
    Py_XDECREF(it);
    return more < 0 ? -1 : result;
}

/* Sets what source has: a dict, a mapping with keys(), or pairs. */
static int
set_source(PyObject *op, PyObject *source)
{
    if (PyDict_CheckExact(source))
        return set_all(op, source);
    int found = PyObject_HasAttrStringWithError(source, "keys");
    if (found <= 0)
        return found < 0 ? -1 : set_each(op, source, NULL);
    PyObject *keys = PyObject_CallMethod(source, "keys", NULL);
    int result = set_each(op, keys, source);
    Py_XDECREF(keys);
    return result;
}

/* args has one item at most. */
static int
update(PyObject *op, PyObject *args, PyObject *kwds)
{
    if (PyODict_CheckExact(op))
        return pyb_dict_update_from_args(op, "update", args, kwds);
    if (PyTuple_GET_SIZE(args) == 1 &&
        set_source(op, PyTuple_GET_ITEM(args, 0)) < 0)
        return -1;
    return kwds != NULL ? set_all(op, kwds) : 0;
}

static int
odict_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    if (PyTuple_GET_SIZE(args) > 1)
        return pyb_failf(PyExc_TypeError,
                         "expected at most 1 arguments, got %zd",
                         PyTuple_GET_SIZE(args));
    return update(op, args, kwds);
}

static PyObject *
odict_update(PyObject *op, PyObject *args, PyObject *kwds)
{
    if (PyTuple_GET_SIZE(args) > 1)
        return PyErr_Format(PyExc_TypeError,
                            "update() takes at most 1 positional argument "
                            "(%zd given)",
                            PyTuple_GET_SIZE(args));
    return pyb_result_none(update(op, args, kwds));
}

static PyObject *
odict_setdefault(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"key", "default", NULL};
    PyObject *key, *fallback = Py_None, *value;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:setdefault", names, &key,
                                     &fallback))
        return NULL;
    if (PyODict_CheckExact(op)) {
        PyDict_SetDefaultRef(op, key, fallback, &value);
        return value;
    }
    int found = PySequence_Contains(op, key);
    if (found > 0)
        return PyObject_GetItem(op, key);
    if (found < 0 || PyObject_SetItem(op, key, fallback) < 0)
        return NULL;
    return Py_NewRef(fallback);
}

static PyObject *
odict_pop(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"key", "default", NULL};
    PyObject *key, *fallback = NULL, *value;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:pop", names, &key,
                                     &fallback))
        return NULL;
    if (PyDict_Pop(op, key, &value) != 0)
        return value;
    if (fallback == NULL)
        pyb_dict_key_error(key);
    return Py_XNewRef(fallback);
}

static PyObject *
odict_copy(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyObject *copy = PyObject_CallNoArgs((PyObject *)Py_TYPE(op));

    if (copy != NULL && set_all(copy, op) < 0)
        Py_CLEAR(copy);
    return copy;
}

static PyObject *
odict_inplace_or(PyObject *op, PyObject *source)
{
    PyObject *args = PyTuple_Pack(1, source);
    int result = args != NULL ? update(op, args, NULL) : -1;

    Py_XDECREF(args);
    return result < 0 ? NULL : Py_NewRef(op);
}

/* Its class without arguments, its attributes, and its items in order. */
static PyObject *
odict_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyObject *state = PyObject_CallMethod(op, "__getstate__", NULL);
    PyObject *items =
        state != NULL ? PyObject_CallMethod(op, "items", NULL) : NULL;
    PyObject *it = items != NULL ? PyObject_GetIter(items) : NULL;
    PyObject *result = NULL;

    if (it != NULL)
        result = Py_BuildValue("O()OOO", Py_TYPE(op), state, Py_None, it);
    Py_XDECREF(it);
    Py_XDECREF(items);
    Py_XDECREF(state);
    return result;
}

/* Of the type of the operand that is an OrderedDict, of the left one if both
   are. */
static PyObject *
odict_or(PyObject *a, PyObject *b)
{
    PyTypeObject *type = Py_TYPE(PyODict_Check(a) ? a : b);

    if (!PyDict_Check(a) || !PyDict_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *result = PyObject_CallOneArg((PyObject *)type, a);
    PyObject *both = result != NULL ? odict_inplace_or(result, b) : NULL;
    Py_XDECREF(result);
    return both;
}

/* ------------------------------------------------------------------ */
/* Other slots                                                         */

/* 1, 0, or -1 with an exception. */
static int
same_order(PyObject *a, PyObject *b)
{
    PyObject *of_a = PyDict_Keys(a);
    PyObject *of_b = of_a != NULL ? PyDict_Keys(b) : NULL;
    int same = -1;

    if (of_b != NULL)
        same = PyObject_RichCompareBool(of_a, of_b, Py_EQ);
    Py_XDECREF(of_a);
    Py_XDECREF(of_b);
    return same;
}

static PyObject *
odict_richcompare(PyObject *a, PyObject *b, int op)
{
    PyObject *result = pyb_dict_richcompare(a, b, op);

    if (result != (op == Py_EQ ? Py_True : Py_False) || !PyODict_Check(b))
        return result;
    Py_DECREF(result);
    int same = same_order(a, b);
    return same < 0 ? NULL : PyBool_FromLong(same == (op == Py_EQ));
}

static PyObject *
odict_repr(PyObject *op)
{
    int entered = Py_ReprEnter(op);

    if (entered != 0)
        return entered > 0 ? PyUnicode_FromString("...") : NULL;
    PyObject *name = PyType_GetName(Py_TYPE(op)), *text = NULL;
    PyObject *content = name != NULL ? PyDict_Copy(op) : NULL;
    if (content != NULL && PyDict_GET_SIZE(content) == 0)
        text = PyUnicode_FromFormat("%U()", name);
    else if (content != NULL)
        text = PyUnicode_FromFormat("%U(%R)", name, content);
    Py_XDECREF(content);
    Py_XDECREF(name);
    Py_ReprLeave(op);
    return text;
}

static void
odict_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (ODICT(op)->weak_list != NULL)
        PyObject_ClearWeakRefs(op);
    Py_CLEAR(ODICT(op)->attributes);
    pyb_dict_dealloc(op);
}

static int
odict_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(ODICT(op)->attributes);
    return pyb_dict_traverse(op, visit, arg);
}

static int
odict_clear(PyObject *op)
{
    Py_CLEAR(ODICT(op)->attributes);
    return pyb_dict_tp_clear(op);
}

static PyMethodDef odict_methods[] = {
    {"move_to_end", _PyCFunction_CAST(odict_move_to_end),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Move an existing element to the end (or beginning if last is "
               "false).")},
    {"popitem", _PyCFunction_CAST(odict_popitem), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Remove and return a (key, value) pair, the last one or the "
               "first.")},
    {"update", _PyCFunction_CAST(odict_update), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Update the dictionary from a mapping or an iterable of "
               "pairs, and from keywords.")},
    {"setdefault", _PyCFunction_CAST(odict_setdefault),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Insert key with a value of default if key is not in the "
               "dictionary.")},
    {"pop", _PyCFunction_CAST(odict_pop), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Remove specified key and return the corresponding value.")},
    {"__reduce__", odict_reduce, METH_NOARGS,
     PyDoc_STR("Return what a copy is made of.")},
    {"copy", odict_copy, METH_NOARGS,
     PyDoc_STR("Return a shallow copy of the dictionary.")},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef odict_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyNumberMethods odict_as_number = {
    .nb_or = odict_or,
    .nb_inplace_or = odict_inplace_or,
};

PyTypeObject PyODict_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "collections.OrderedDict",
    .tp_base = &PyDict_Type,
    .tp_basicsize = sizeof(struct odict),
    .tp_dealloc = odict_dealloc,
    .tp_repr = odict_repr,
    .tp_as_number = &odict_as_number,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("Dictionary that remembers insertion order."),
    .tp_traverse = odict_traverse,
    .tp_clear = odict_clear,
    .tp_richcompare = odict_richcompare,
    .tp_weaklistoffset = offsetof(struct odict, weak_list),
    .tp_dictoffset = offsetof(struct odict, attributes),
    .tp_methods = odict_methods,
    .tp_getset = odict_getset,
    .tp_init = odict_init,
};
