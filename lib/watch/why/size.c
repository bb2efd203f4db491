/* size.c: how many bytes an object takes.  See size.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "object/attr/instancedict.h"
#include "types/dict/dict.h"
#include "watch/why/edges.h"
#include "watch/why/size.h"

size_t
pyb_size_plain(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    size_t size = (size_t)type->tp_basicsize;

    if (PyUnicode_Check(op))
        return size + (size_t)PyUnicode_GET_LENGTH(op);
    if (type->tp_itemsize > 0 && !PyLong_Check(op) && Py_SIZE(op) > 0)
        size += (size_t)(Py_SIZE(op) * type->tp_itemsize);
    return size;
}

/* The table of a dict, or of a set, which contains one.  That of an empty one
   is static. */
static size_t
table_size(const PyDictObject *mp)
{
    const struct pyb_dict_table *t = mp->_pyb_table;

    if (t == NULL || t->left + t->nentries == 0)
        return 0;
    PYB_ASSERT((const char *)t->slots > (const char *)t);
    return (size_t)((const char *)t->slots - (const char *)t) +
           ((size_t)t->width << t->bits);
}

/* The dictionary of an instance, where it has not been asked for, is counted
   with the instance. */
static size_t
unseen_size(PyObject *op)
{
    PyObject *dict = pyb_edge_dict(op);

    if (dict == NULL || !pyb_instancedict_is_unseen(dict))
        return 0;
    return pyb_heap_block_size(dict) + table_size((PyDictObject *)dict);
}

size_t
pyb_size_container(PyObject *op)
{
    PYB_ASSERT_OBJECT(pyb_sidetable_holds(op), op);
    size_t size = pyb_heap_block_size(op);

    if (PyList_Check(op))
        size += (size_t)((PyListObject *)op)->allocated * sizeof(PyObject *);
    else if (PyAnyDict_Check(op))
        size += table_size((PyDictObject *)op);
    else if (PyAnySet_Check(op))
        size += table_size(&((PySetObject *)op)->_pyb_elements);
    return size + unseen_size(op);
}
