/* main.c: runs one hostile case, or lists them.

     hostile          the names
     hostile --build  of which build it is, "checked" or "ordinary"
     hostile NAME [N] acts N times, once if it is not said; status 0: all as
                      expected; 1: something is damaged, and is told; 2: no
                      such case */

#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct hostile *const hostile_all[] = {
    hostile_visits,   hostile_effects,    hostile_clears,
    hostile_deallocs, hostile_finalizers, hostile_layouts,
    hostile_objects,  hostile_honest,     NULL};

int things_cleared, things_freed;

int
thing_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct thing *)op)->left);
    Py_VISIT(((struct thing *)op)->right);
    return 0;
}

int
thing_clear(PyObject *op)
{
    things_cleared++;
    Py_CLEAR(((struct thing *)op)->left);
    Py_CLEAR(((struct thing *)op)->right);
    return 0;
}

void
thing_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    things_freed++;
    Py_XDECREF(((struct thing *)op)->left);
    Py_XDECREF(((struct thing *)op)->right);
    PyObject_GC_Del(op);
}

PyTypeObject thing_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.Honest",
    .tp_basicsize = sizeof(struct thing),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = thing_dealloc,
    .tp_traverse = thing_traverse,
    .tp_clear = thing_clear,
};

void
hostile_ready(PyTypeObject *type)
{
    if (PyType_Ready(type) < 0) {
        PyErr_Print();
        exit(1);
    }
}

struct thing *
thing_raw(PyTypeObject *type)
{
    hostile_ready(type);
    struct thing *self = PyObject_GC_New(struct thing, type);

    hostile_expect(self != NULL, "there is an object");
    self->left = self->right = self->other = NULL;
    return self;
}

struct thing *
thing_new(PyTypeObject *type)
{
    struct thing *self = thing_raw(type);

    PyObject_GC_Track((PyObject *)self);
    return self;
}

void
thing_link(struct thing *from, void *left, void *right)
{
    from->left = left;
    from->right = right;
    Py_XINCREF(from->left);
    Py_XINCREF(from->right);
}

struct thing *
thing_pair(PyTypeObject *type)
{
    struct thing *first = thing_new(type), *second = thing_new(&thing_type);

    thing_link(second, first, NULL);
    first->left = (PyObject *)second; /* the new reference moves in */
    return first;
}

void
hostile_expect(int so, const char *what)
{
    if (so)
        return;
    fflush(stderr);
    printf("damage: not so: %s\n", what);
    fflush(stdout);
    _Exit(1);
}

void
hostile_collect(Py_ssize_t found)
{
    Py_ssize_t n = PyGC_Collect();

    if (found >= 0 && n != found)
        fprintf(stderr, "found %zd\n", n);
    hostile_expect(found < 0 || n == found, "a collection finds the number");
}

static const struct hostile *
find(const char *name)
{
    for (const struct hostile *const *list = hostile_all; *list; list++)
        for (const struct hostile *one = *list; one->name != NULL; one++)
            if (strcmp(one->name, name) == 0)
                return one;
    return NULL;
}

static void
print_names(void)
{
    for (const struct hostile *const *list = hostile_all; *list; list++)
        for (const struct hostile *one = *list; one->name != NULL; one++)
            puts(one->name);
}

int
main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--build") == 0) {
#ifdef PYBOEHM_CHECKS
        puts("checked");
#else
        puts("ordinary");
#endif
        return 0;
    }
    if (argc < 2) {
        print_names();
        return 0;
    }
    const struct hostile *hostile = find(argv[1]);
    if (hostile == NULL)
        return 2;
    Py_Initialize();
    PyGC_Collect();
    hostile_ready(&thing_type);
    for (int n = argc > 2 ? atoi(argv[2]) : 1; n > 0; n--) {
        things_cleared = things_freed = 0;
        hostile->act();
    }
    PyGC_Collect();
    hostile_expect(PyErr_Occurred() == NULL, "no exception is left");
    Py_Finalize();
    return 0;
}
