/* search.c: searches over the graph of containers.

   tp_traverse runs in them, and no other code of the program's: results grow
   in the C allocator's memory, so that no collection can begin.

   Manual of Python's library: "gc"; manual: "Traversal". */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/check/traverse.h"
#include "gc/control.h"
#include "gc/heap/generations.h"
#include "gc/heap/walk.h"

struct list {
    PyBoehm_GC_Objects *objects;
    Py_ssize_t room;
    int failed; /* there was no memory */
};

/* Begins a search. */
static struct list
list_start(PyBoehm_GC_Objects *objects)
{
    *objects = (PyBoehm_GC_Objects){0, NULL};
    return (struct list){objects, 0, 0};
}

static void
list_grow(struct list *list)
{
    Py_ssize_t room = 2 * list->room + 16;
    PyObject **grown =
        realloc(list->objects->items, (size_t)room * sizeof(PyObject *));

    PYB_ASSERT(list->objects->n == list->room);
    if (grown == NULL) {
        list->failed = 1;
        return;
    }
    list->objects->items = grown;
    list->room = room;
}

static void
list_add(struct list *list, PyObject *op)
{
    PyBoehm_GC_Objects *objects = list->objects;

    PYB_ASSERT(objects->n <= list->room && Py_REFCNT(op) > 0);
    if (objects->n == list->room)
        list_grow(list);
    if (!list->failed)
        objects->items[objects->n++] = Py_NewRef(op);
}

/* The result of a search: 0, or -1 with MemoryError. */
static int
list_end(struct list *list)
{
    PYB_ASSERT(list->objects->n <= list->room);
    if (!list->failed)
        return 0;
    PyBoehm_GC_FreeObjects(list->objects);
    pyb_upcalls.no_memory();
    return -1;
}

void
PyBoehm_GC_FreeObjects(PyBoehm_GC_Objects *objects)
{
    PyBoehm_GC_Objects gone = *objects;

    *objects = (PyBoehm_GC_Objects){0, NULL};
    PYB_ASSERT(gone.n == 0 || gone.items != NULL);
    while (gone.n > 0)
        Py_DECREF(gone.items[--gone.n]);
    free(gone.items);
}

/* Finds each object of the generations for which wanted(op, arg) says so.
   What is on its way out, its deallocation put off, is not found. */
static int
search(int (*wanted)(PyObject *op, void *arg), void *arg,
       PyBoehm_GC_Objects *objects)
{
    struct list list = list_start(objects);

    PYB_FOR_EACH (op, i, pyb_walk_generation(PYB_OLD)) {
        if (list.failed)
            break;
        if (op->ob_refcnt > 0 && wanted(op, arg))
            list_add(&list, op);
    }
    return list_end(&list);
}

static int
is_of_generation(PyObject *op, void *arg)
{
    int generation = *(int *)arg;

    PYB_ASSERT_OBJECT(PyObject_GC_IsTracked(op), op);
    return generation < 0 || (int)pyb_generations_of(op) == generation;
}

int
PyBoehm_GC_GetObjects(int generation, PyBoehm_GC_Objects *objects)
{
    pyb_control_require(__func__);
    if (generation >= PYB_GENERATIONS) {
        *objects = (PyBoehm_GC_Objects){0, NULL};
        pyb_upcalls.value_error("generation parameter must be less than the "
                                "number of available generations (3)");
        return -1;
    }
    return search(is_of_generation, &generation, objects);
}

/* ------------------------------------------------------------------ */
/* Referrers                                                           */

struct targets {
    PyObject *const *ops;
    Py_ssize_t n;
};

/* Ends the traversal, with 1, at an object that is looked for. */
static int
visit_target(PyObject *op, void *arg)
{
    const struct targets *targets = arg;

    for (Py_ssize_t i = 0; i < targets->n; i++)
        if (targets->ops[i] == op)
            return 1;
    return 0;
}

/* With checks or an audit: is the call what it should be? */
static void
try_traverse(PyObject *op)
{
    if (pyb_checks)
        pyb_traverse_try(op);
    if (pyb_control.audit)
        pyb_events->traversing(op);
}

/* A tp_traverse that loses the visitor's result hides what it refers to. */
static int
refers(PyObject *op, void *targets)
{
    try_traverse(op);
    return Py_TYPE(op)->tp_traverse(op, visit_target, targets) != 0;
}

int
PyBoehm_GC_GetReferrers(PyObject *const *ops, Py_ssize_t n,
                        PyBoehm_GC_Objects *objects)
{
    struct targets targets = {ops, n};

    pyb_control_require(__func__);
    PYB_ASSERT(n >= 0 && (ops != NULL || n == 0));
    return search(refers, &targets, objects);
}

/* ------------------------------------------------------------------ */
/* Referents                                                           */

static int
visit_add(PyObject *op, void *arg)
{
    struct list *list = arg;

    list_add(list, op);
    return list->failed;
}

int
PyBoehm_GC_GetReferents(PyObject *const *ops, Py_ssize_t n,
                        PyBoehm_GC_Objects *objects)
{
    struct list list = list_start(objects);

    pyb_control_require(__func__);
    for (Py_ssize_t i = 0; i < n && !list.failed; i++)
        if (PyObject_IS_GC(ops[i])) {
            try_traverse(ops[i]);
            Py_TYPE(ops[i])->tp_traverse(ops[i], visit_add, &list);
        }
    return list_end(&list);
}
