/* subclasses.c: the way down from a type to those that inherit from it.

   A type's tp_subclasses is an array of its direct subclasses, or NULL.  It
   owns none of them: a subclass owns its bases, and takes itself out of their
   arrays when it is cleared or dies.

   Manual: "Type Object Structures", tp_subclasses. */

#include "Python.h"

#include "object/subclasses.h"

struct subclasses {
    size_t n, room;
    PyTypeObject *types[];
};

static struct subclasses *
of(PyTypeObject *type)
{
    return type->tp_subclasses;
}

/* Room for one more.  0, or -1 with MemoryError. */
static int
make_room(PyTypeObject *base)
{
    struct subclasses *list = of(base);
    size_t room = list != NULL ? 2 * list->room : 4;

    if (list != NULL && list->n < list->room)
        return 0;
    list = PyMem_Realloc(list, sizeof(*list) + room * sizeof(list->types[0]));
    if (list == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (base->tp_subclasses == NULL)
        list->n = 0;
    list->room = room;
    base->tp_subclasses = list;
    return 0;
}

static void
leave(PyTypeObject *base, PyTypeObject *type)
{
    struct subclasses *list = of(base);

    for (size_t i = list != NULL ? list->n : 0; i-- > 0;)
        if (list->types[i] == type) {
            list->n--;
            memmove(&list->types[i], &list->types[i + 1],
                    (list->n - i) * sizeof(list->types[0]));
            return;
        }
}

static PyTypeObject *
base_at(PyTypeObject *type, Py_ssize_t i)
{
    return (PyTypeObject *)PyTuple_GET_ITEM(type->tp_bases, i);
}

int
pyb_subclasses_enter(PyTypeObject *type)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_bases); i++)
        if (make_room(base_at(type, i)) < 0)
            return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_bases); i++) {
        struct subclasses *list = of(base_at(type, i));

        list->types[list->n++] = type;
    }
    return 0;
}

void
pyb_subclasses_leave(PyTypeObject *type)
{
    PyObject *bases = type->tp_bases;

    for (Py_ssize_t i = 0; bases != NULL && i < PyTuple_GET_SIZE(bases); i++)
        leave(base_at(type, i), type);
}

void
pyb_subclasses_free(PyTypeObject *type)
{
    PyMem_Free(type->tp_subclasses);
    type->tp_subclasses = NULL;
}

void
pyb_subclasses_each(PyTypeObject *type, void (*visit)(PyTypeObject *, void *),
                    void *arg)
{
    struct subclasses *list = of(type);

    for (size_t i = 0; list != NULL && i < list->n; i++)
        visit(list->types[i], arg);
}

int
pyb_subclasses_has_place(PyTypeObject *type, uintptr_t address)
{
    const struct subclasses *list = of(type);

    return list != NULL && address - (uintptr_t)list->types <
                               list->room * sizeof(list->types[0]);
}

/* Types whose deallocation has begun, or is put off, are left out.  Making the
   list may run a collection, after which there may be fewer, or more: those
   that are new are left out, too. */
PyObject *
pyb_subclasses_list(PyTypeObject *type)
{
    Py_ssize_t room = of(type) != NULL ? (Py_ssize_t)of(type)->n : 0, n = 0;
    PyObject *result = PyList_New(room);
    struct subclasses *list = of(type);

    for (size_t i = 0;
         result != NULL && list != NULL && i < list->n && n < room; i++)
        if (Py_REFCNT(list->types[i]) > 0)
            PyList_SET_ITEM(result, n++, Py_NewRef(list->types[i]));
    if (result != NULL && PyList_SetSlice(result, n, room, NULL) < 0)
        Py_CLEAR(result);
    return result;
}
