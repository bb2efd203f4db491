/* hostile.h: a library of broken types.

   Each case has a type named hostile.NAME that breaks one rule, and an act in
   which that comes to bear.  The sources use the documented API only, and are
   compiled against CPython's headers, too. */

#ifndef T_HOSTILE_H
#define T_HOSTILE_H

#include <Python.h>

struct hostile {
    const char *name; /* NULL ends a list */
    void (*act)(void);
};

extern const struct hostile hostile_visits[], hostile_effects[],
    hostile_clears[], hostile_deallocs[], hostile_finalizers[],
    hostile_layouts[], hostile_objects[], hostile_honest[];
extern const struct hostile *const hostile_all[]; /* those; NULL ends them */

/* What most types are made of. */
struct thing {
    PyObject_HEAD
    PyObject *left, *right; /* owned, visited, cleared */
    PyObject *other;        /* not owned */
};

/* Slots as they should be, and a type with them. */
int thing_traverse(PyObject *op, visitproc visit, void *arg);
int thing_clear(PyObject *op);
void thing_dealloc(PyObject *op);
extern PyTypeObject thing_type;

/* What these have done. */
extern int things_cleared, things_freed;

/* HOSTILE_TYPE: a static type of things. */
#define HOSTILE_TYPE(NAME, ...)                                               \
    static PyTypeObject NAME##_type = {                                       \
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile." #NAME,            \
        .tp_basicsize = sizeof(struct thing),                                 \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, __VA_ARGS__}

/* hostile_ready: PyType_Ready, which must do. */
void hostile_ready(PyTypeObject *type);

/* thing_raw, thing_new: a new thing of the type, with the fields empty;
   tracked.  thing_link: gives it references. */
struct thing *thing_raw(PyTypeObject *type);
struct thing *thing_new(PyTypeObject *type);
void thing_link(struct thing *from, void *left, void *right);

/* thing_pair: a thing of the type and an honest one hold each other (left);
   the only other reference, to the first, is new. */
struct thing *thing_pair(PyTypeObject *type);

/* hostile_expect: the damage is told, and is the end, unless it is so. */
void hostile_expect(int so, const char *what);

/* hostile_collect: so many objects are found in a collection; -1: any number.
 */
void hostile_collect(Py_ssize_t found);

#endif /* T_HOSTILE_H */
