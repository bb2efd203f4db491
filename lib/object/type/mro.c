/* mro.c: the order in which a type's bases are searched: C3 linearisation.

   A merge has one list per base, the base's own order, and last the bases
   themselves.  heads[i] is the number of classes taken from list i. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "object/type/bases.h"
#include "object/type/mro.h"

struct merge {
    Py_ssize_t n;
    PyObject **lists; /* borrowed tuples */
    Py_ssize_t *heads;
};

/* The next class of list i, borrowed; NULL at its end. */
static PyObject *
head_of(const struct merge *m, Py_ssize_t i)
{
    PYB_ASSERT(i >= 0 && i < m->n && PyTuple_Check(m->lists[i]));
    PYB_ASSERT(m->heads[i] <= PyTuple_GET_SIZE(m->lists[i]));
    if (m->heads[i] >= PyTuple_GET_SIZE(m->lists[i]))
        return NULL;
    return PyTuple_GET_ITEM(m->lists[i], m->heads[i]);
}

/* Is the class in a list behind its head? */
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

/* The first head that is in no list's tail, borrowed; NULL if there is none.
 *left becomes 1 if any list has a head. */
static PyObject *
next_class(const struct merge *m, int *left)
{
    *left = 0;
    for (Py_ssize_t i = 0; i < m->n; i++) {
        PyObject *cls = head_of(m, i);

        if (cls == NULL)
            continue;
        *left = 1;
        PYB_ASSERT(PyType_Check(cls));
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
        Py_ssize_t j = 0;

        while (j < i && head_of(m, j) != cls)
            j++;
        if (cls == NULL || j < i)
            continue;
        if (pyb_append_stolen(names, PyType_GetName((PyTypeObject *)cls)) < 0)
            Py_CLEAR(names);
    }
    return names;
}

static void
raise_no_order(const struct merge *m)
{
    PyObject *text =
        pyb_sequence_join("",
                          "Cannot create a consistent method resolution order "
                          "(MRO) for bases ",
                          head_names(m), "");

    if (text != NULL)
        PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
}

/* Appends the merged lists to order.  0, or -1 with an exception. */
static int
merge_into(PyObject *order, struct merge *m)
{
    PyObject *cls;
    int left;

    PYB_ASSERT_OBJECT(PyList_GET_SIZE(order) == 1, order);
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

        if (base->tp_mro == NULL)
            return pyb_failf(PyExc_TypeError,
                             "Cannot extend an incomplete type '%.100s'",
                             base->tp_name);
        PYB_ASSERT(PyType_Check(base) && PyTuple_Check(base->tp_mro));
        m->lists[i] = base->tp_mro;
    }
    m->lists[m->n - 1] = bases;
    return 0;
}

/* Appends the order without the type itself.  0, or -1 with an exception. */
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
pyb_mro_default(PyTypeObject *type)
{
    PyObject *order, *result = NULL;

    PYB_ASSERT(PyTuple_Check(type->tp_bases));
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

/* ------------------------------------------------------------------ */
/* Metatypes with a method mro of their own                            */

/* Sets *method to that method, bound to the type, or to NULL.  0, or -1 with
   an exception. */
static int
find_method(PyTypeObject *type, PyObject **method)
{
    PyObject *name, *found, *usual;

    *method = NULL;
    if (Py_IS_TYPE(type, &PyType_Type))
        return 0;
    name = PyUnicode_InternFromString("mro");
    if (name == NULL)
        return -1;
    found = _PyType_Lookup(Py_TYPE(type), name);
    usual = _PyType_Lookup(&PyType_Type, name);
    Py_DECREF(name);
    if (found == usual)
        return 0;
    return pyb_attr_special((PyObject *)type, "mro", method) < 0 ? -1 : 0;
}

/* Can methods of all these classes be called with instances of the type?  0,
   or -1 with TypeError. */
static int
check_order(PyTypeObject *type, PyObject *order)
{
    PYB_ASSERT_OBJECT(PyTuple_CheckExact(order), order);
    if (PyTuple_GET_SIZE(order) == 0)
        return pyb_fail(PyExc_TypeError, "type MRO must not be empty");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(order); i++) {
        PyObject *cls = PyTuple_GET_ITEM(order, i);

        if (!PyType_Check(cls))
            return pyb_failf(PyExc_TypeError,
                             "mro() returned a non-class ('%.500s')",
                             Py_TYPE(cls)->tp_name);
        if (cls == (PyObject *)type ||
            PyType_IsSubtype(type, pyb_bases_solid((PyTypeObject *)cls)))
            continue;
        return pyb_failf(
            PyExc_TypeError,
            "mro() returned base with unsuitable layout ('%.500s')",
            ((PyTypeObject *)cls)->tp_name);
    }
    return 0;
}

/* The order that the method returns: a new tuple, or NULL with an exception.
   Steals the method. */
static PyObject *
ask_method(PyTypeObject *type, PyObject *method)
{
    PyObject *answer = PyObject_CallNoArgs(method), *order = NULL;

    Py_DECREF(method);
    if (answer != NULL)
        order = PySequence_Tuple(answer);
    Py_XDECREF(answer);
    if (order != NULL && check_order(type, order) < 0)
        Py_CLEAR(order);
    return order;
}

PyObject *
pyb_mro_of(PyTypeObject *type)
{
    PyObject *method;

    if (find_method(type, &method) < 0)
        return NULL;
    return method != NULL ? ask_method(type, method) : pyb_mro_default(type);
}
