/* audit.h: types for the audit to look at, right and wrong ones. */

#ifndef T_AUDIT_H
#define T_AUDIT_H

#include <Python.h>

enum { AUDIT_INSTANCES = 20 };

/* A case makes AUDIT_INSTANCES instances of its type, which stay alive. */
struct audit_case {
    void (*act)(void); /* NULL ends a list */
    /* The findings up to their places, mostly one; # stands for a number.
       NULL: none. */
    const char *expected;
    enum {
        AUDIT_ANY,
        AUDIT_MALLOC, /* in blocks of glibc's malloc */
        AUDIT_OVER    /* a wrong visit: with checks, the end */
    } kind;
};

extern const struct audit_case audit_honest[], audit_broken[];

/* Of both, in files of their own. */
void audit_owners_inside(void);
void audit_lost_reference(void);
void audit_hidden_owners(void);
void audit_long_list(void);
void audit_no_support(void);
void audit_no_support_of_items(void);
void audit_atoms(void);
void audit_lookalikes(void);

extern PyTypeObject *volatile audit_held_type; /* owned */

/* What most types are made of.  Each type uses the fields that it needs. */
struct part {
    PyObject_HEAD
    PyObject *a, *b;
    PyObject *borrowed;
    PyObject **row; /* n of them, in malloc memory */
    Py_ssize_t n;
    PyObject *weaklist, *dict;
};

#define PART(op) ((struct part *)(void *)(op))

/* Slots for objects that own a and b, and for objects that own a row. */
int part_traverse(PyObject *op, visitproc visit, void *arg);
int heap_traverse(PyObject *op, visitproc visit,
                  void *arg); /* a heap type's */
int part_clear(PyObject *op);
void part_dealloc(PyObject *op);
int row_traverse(PyObject *op, visitproc visit, void *arg);

/* AUDIT_TYPE: a static type of parts, with more flags and slots. */
#define AUDIT_TYPE(NAME, TRAVERSE, FLAGS, ...)                                \
    static PyTypeObject NAME##_type = {                                       \
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "audit." #NAME,              \
        .tp_basicsize = sizeof(struct part),                                  \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | (FLAGS),        \
        .tp_dealloc = part_dealloc,                                           \
        .tp_clear = part_clear,                                               \
        .tp_traverse = TRAVERSE,                                              \
        __VA_ARGS__}

/* audit_new: a new part of the type, tracked; it stays alive, and the result
   is borrowed.  audit_fill_row: n new lists.  audit_type: from a spec. */
struct part *audit_new(PyTypeObject *type);
void audit_fill_row(struct part *part, Py_ssize_t n);
PyTypeObject *audit_type(const char *name, PyType_Slot *slots);

/* audit_keep: has an object stay alive, to which the reference is taken over.
   Returns it, borrowed. */
void *audit_keep(void *op);

/* audit_must: the test ends unless op is there. */
void *audit_must(void *op);

#endif /* T_AUDIT_H */
