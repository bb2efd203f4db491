/* subclasses.c: from a type to the types that inherit from it.

   A type's tp_subclasses is a list of its direct subclasses, in the order of
   their creation, or NULL.  It owns none of them: a subclass owns its bases,
   and removes itself from their lists when it is cleared or dies.  Since a
   hundred thousand subclasses may die one after the other, the place of each
   is found by its address.

   Manual: "Type Object Structures", tp_subclasses. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/type/subclasses.h"

/* An array of types, with holes in place of types that were removed, and
   behind it a hash table with twice as many entries, which are the numbers of
   places, from 1; 0 is none.  The entry of a hole stays, so that searches pass
   over it.  When all places have been used, the list is rebuilt. */
struct subclasses {
    size_t n, holes, room; /* room is a power of 2 */
    PyTypeObject *types[];
};

enum { ROOM_MIN = 4 };

static struct subclasses *
of(PyTypeObject *type)
{
    return type->tp_subclasses;
}

/* The entry with a type's place, or the free entry where it belongs. */
static uint32_t *
find(struct subclasses *list, const PyTypeObject *type)
{
    uint32_t *entries = (uint32_t *)(list->types + list->room);
    size_t mask = 2 * list->room - 1;
    size_t i = ((uintptr_t)type >> 4) * 0x9e3779b97f4a7c15u >> 20 & mask;

    PYB_ASSERT(list->room >= ROOM_MIN && (list->room & (list->room - 1)) == 0);
    while (entries[i] != 0 && list->types[entries[i] - 1] != type)
        i = (i + 1) & mask;
    return &entries[i];
}

void
pyb_subclasses_check(PyTypeObject *type)
{
    struct subclasses *list = of(type);
    size_t holes = 0;

    if (list == NULL)
        return;
    PYB_ALWAYS(list->room >= ROOM_MIN && (list->room & (list->room - 1)) == 0,
               (PyObject *)type, "its list of subclasses has no such room");
    PYB_ALWAYS(list->n <= list->room, (PyObject *)type,
               "it has more subclasses than room");
    for (size_t i = 0; i < list->n; i++) {
        holes += list->types[i] == NULL;
        PYB_ALWAYS(list->types[i] == NULL ||
                       *find(list, list->types[i]) == i + 1,
                   (PyObject *)type, "a subclass is not found");
    }
    PYB_ALWAYS(holes == list->holes, (PyObject *)type,
               "it has not as many subclasses as were counted");
}

/* Appends a type; there must be room. */
static void
append(struct subclasses *list, PyTypeObject *type)
{
    PYB_ASSERT(list->n < list->room && *find(list, type) == 0);
    list->types[list->n++] = type;
    *find(list, type) = (uint32_t)list->n;
}

/* A list without holes that has room; NULL with MemoryError. */
static struct subclasses *
copy_list(const struct subclasses *old)
{
    size_t n = old != NULL ? old->n : 0, room = ROOM_MIN;
    size_t live = old != NULL ? old->n - old->holes : 0;

    while (room < live + live / 2 + 1)
        room *= 2;
    struct subclasses *list =
        PyMem_Calloc(1, sizeof(*list) + room * (sizeof(list->types[0]) +
                                                2 * sizeof(uint32_t)));
    if (list == NULL)
        return PYB_MEMORY_ERROR(NULL);
    list->room = room;
    for (size_t i = 0; i < n; i++)
        if (old->types[i] != NULL)
            append(list, old->types[i]);
    PYB_ASSERT(list->n == live && live < room);
    return list;
}

/* Makes room for one more.  0, or -1 with MemoryError. */
static int
make_room(PyTypeObject *base)
{
    struct subclasses *list = of(base);

    if (list != NULL && list->n < list->room)
        return 0;
    list = copy_list(list);
    if (list == NULL)
        return -1;
    PyMem_Free(base->tp_subclasses);
    base->tp_subclasses = list;
    PYB_EXPENSIVE(pyb_subclasses_check(base));
    return 0;
}

static void
leave(PyTypeObject *base, PyTypeObject *type)
{
    struct subclasses *list = of(base);
    uint32_t place = list != NULL ? *find(list, type) : 0;

    if (place == 0)
        return;
    PYB_ASSERT(place <= list->n && list->types[place - 1] == type);
    list->types[place - 1] = NULL;
    list->holes++;
    PYB_ASSERT(list->holes <= list->n);
}

static PyTypeObject *
base_at(PyTypeObject *type, Py_ssize_t i)
{
    PYB_ASSERT(PyType_Check(PyTuple_GET_ITEM(type->tp_bases, i)));
    return (PyTypeObject *)PyTuple_GET_ITEM(type->tp_bases, i);
}

int
pyb_subclasses_enter(PyTypeObject *type)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_bases); i++)
        if (make_room(base_at(type, i)) < 0)
            return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_bases); i++)
        append(of(base_at(type, i)), type);
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
    PYB_ASSERT(of(type) == NULL || of(type)->n == of(type)->holes);
    PyMem_Free(type->tp_subclasses);
    type->tp_subclasses = NULL;
}

void
pyb_subclasses_each(PyTypeObject *type, void (*visit)(PyTypeObject *, void *),
                    void *arg)
{
    struct subclasses *list = of(type);

    for (size_t i = 0; list != NULL && i < list->n; i++)
        if (list->types[i] != NULL)
            visit(list->types[i], arg);
}

int
pyb_subclasses_has_place(PyTypeObject *type, uintptr_t address)
{
    const struct subclasses *list = of(type);

    return list != NULL && address - (uintptr_t)list->types <
                               list->room * sizeof(list->types[0]);
}

/* Types with a deallocation under way or deferred are left out.  Making the
   list may run a collection, which may add or remove types; new ones are left
   out, too. */
PyObject *
pyb_subclasses_list(PyTypeObject *type)
{
    struct subclasses *list = of(type);
    size_t room = list != NULL ? list->n - list->holes : 0, n = 0;
    PyObject *result = PyList_New((Py_ssize_t)room);

    list = of(type);
    for (size_t i = 0;
         result != NULL && list != NULL && i < list->n && n < room; i++) {
        PyTypeObject *subclass = list->types[i];

        if (subclass == NULL || Py_REFCNT(subclass) <= 0)
            continue;
        pyb_adoption_note((PyObject *)subclass);
        PyList_SET_ITEM(result, (Py_ssize_t)n++, Py_NewRef(subclass));
    }
    if (result != NULL &&
        PyList_SetSlice(result, (Py_ssize_t)n, (Py_ssize_t)room, NULL) < 0)
        Py_CLEAR(result);
    return result;
}
