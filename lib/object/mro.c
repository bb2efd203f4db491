/* mro.c: in which order a type's bases are searched: C3 linearisation.

   A merge has one list per base, the base's own order, and last the bases
   themselves.  heads[i] counts what list i has given away. */

#include "Python.h"

#include "object/mro.h"
#include "object/sequence.h"

struct merge {
    Py_ssize_t n;
    PyObject **lists; /* borrowed tuples */
    Py_ssize_t *heads;
};

/* The next class of list i, borrowed; NULL at its end. */
static PyObject *
head_of(const struct merge *m, Py_ssize_t i)
{
    if (m->heads[i] >= PyTuple_GET_SIZE(m->lists[i]))
        return NULL;
    return PyTuple_GET_ITEM(m->lists[i], m->heads[i]);
}

/* Does the class stand in a list behind its head? */
static int
in_a_tail(const struct merge *m, PyObject *cls)
{
    for (Py_ssize_t i = 0; i < m->n; i++)
        for (Py_ssize_t j = m->heads[i] + 1; j < PyTuple_GET_SIZE(m->lists[i]);
             j++)
            if (PyTuple_GET_ITEM(m->lists[i], j) == cls)
                return 1;
    return 0;
}

/* The first head that no list wants later, borrowed; NULL if there is none.
 *left says whether any list has a head. */
static PyObject *
next_class(const struct merge *m, int *left)
{
    *left = 0;
    for (Py_ssize_t i = 0; i < m->n; i++) {
        PyObject *cls = head_of(m, i);

        if (cls == NULL)
            continue;
        *left = 1;
        if (!in_a_tail(m, cls))
            return cls;
    }
    return NULL;
}

static void
take(struct merge *m, PyObject *cls)
{
    for (Py_ssize_t i = 0; i < m->n; i++)
        if (head_of(m, i) == cls)
            m->heads[i]++;
}

/* The names of the heads that block each other, each once; a new list. */
static PyObject *
head_names(const struct merge *m)
{
    PyObject *names = PyList_New(0);

    for (Py_ssize_t i = 0; names != NULL && i < m->n; i++) {
        PyObject *cls = head_of(m, i);
        PyObject *name;
        Py_ssize_t j = 0;

        while (j < i && head_of(m, j) != cls)
            j++;
        if (cls == NULL || j < i)
            continue;
        name = PyType_GetName((PyTypeObject *)cls);
        if (name == NULL || PyList_Append(names, name) < 0)
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

static void
raise_no_order(const struct merge *m)
{
    PyObject *names = head_names(m), *text = NULL;

    if (names != NULL)
        text = pyb_sequence_join("Cannot create a consistent method "
                                 "resolution order (MRO) for bases %U",
                                 names);
    if (text != NULL)
        PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
    Py_XDECREF(names);
}

/* Appends the merged lists to order.  0, or -1 with an exception. */
static int
merge_into(PyObject *order, struct merge *m)
{
    PyObject *cls;
    int left;

    while ((cls = next_class(m, &left)) != NULL) {
        if (PyList_Append(order, cls) < 0)
            return -1;
        take(m, cls);
    }
    if (left)
        raise_no_order(m);
    return left ? -1 : 0;
}

static int
check_duplicates(PyObject *bases)
{
    for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(bases); i++)
        for (Py_ssize_t j = 0; j < i; j++) {
            PyObject *cls = PyTuple_GET_ITEM(bases, i);
            PyObject *name;

            if (PyTuple_GET_ITEM(bases, j) != cls)
                continue;
            name = PyType_GetName((PyTypeObject *)cls);
            if (name != NULL)
                PyErr_Format(PyExc_TypeError, "duplicate base class %U", name);
            Py_XDECREF(name);
            return -1;
        }
    return 0;
}

/* Fills in the lists of a merge for the bases. */
static int
set_lists(struct merge *m, PyObject *bases)
{
    for (Py_ssize_t i = 0; i < m->n - 1; i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);

        if (base->tp_mro == NULL) {
            PyErr_Format(PyExc_TypeError,
                         "Cannot extend an incomplete type '%.100s'",
                         base->tp_name);
            return -1;
        }
        m->lists[i] = base->tp_mro;
    }
    m->lists[m->n - 1] = bases;
    return 0;
}

/* Appends what follows the type itself.  0, or -1 with an exception. */
static int
append_bases(PyObject *order, PyObject *bases)
{
    struct merge m = {PyTuple_GET_SIZE(bases) + 1, NULL, NULL};
    int result = -1;

    m.lists = PyMem_Calloc((size_t)m.n, sizeof(*m.lists));
    m.heads = PyMem_Calloc((size_t)m.n, sizeof(*m.heads));
    if (m.lists == NULL || m.heads == NULL)
        PyErr_NoMemory();
    else if (set_lists(&m, bases) == 0)
        result = merge_into(order, &m);
    PyMem_Free(m.heads);
    PyMem_Free(m.lists);
    return result;
}

PyObject *
pyb_mro_of(PyTypeObject *type)
{
    PyObject *order, *result = NULL;

    if (check_duplicates(type->tp_bases) < 0)
        return NULL;
    order = PyList_New(0);
    if (order == NULL)
        return NULL;
    if (PyList_Append(order, (PyObject *)type) == 0 &&
        append_bases(order, type->tp_bases) == 0)
        result = PyList_AsTuple(order);
    Py_DECREF(order);
    return result;
}
