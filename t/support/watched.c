/* watched.c: types that an audit watches.  See watched.h. */

#include "suite.h"

#include "watch/audit/findings.h"
#include "watched.h"

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
    Py_CLEAR(((struct thing *)op)->left);
    Py_CLEAR(((struct thing *)op)->right);
    return 0;
}

void
thing_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    thing_clear(op);
    Py_TYPE(op)->tp_free(op);
}

void
finalizing_dealloc(PyObject *op)
{
    if (PyObject_CallFinalizerFromDealloc(op) == 0)
        thing_dealloc(op);
}

static PyMemberDef thing_members[] = {
    {"first", Py_T_OBJECT_EX, offsetof(struct thing, left), 0, NULL},
    {NULL, 0, 0, 0, NULL}};

PyTypeObject Good_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "events.Good",
    .tp_basicsize = sizeof(struct thing),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_dealloc = thing_dealloc,
    .tp_traverse = thing_traverse,
    .tp_clear = thing_clear,
    .tp_members = thing_members,
    .tp_new = PyType_GenericNew,
};
PyTypeObject Bad_type;

void
watch(void)
{
    Py_Finalize();
    setenv("PYBOEHM_AUDIT", "1", 1);
    Py_Initialize();
    ck_assert_int_eq(PyType_Ready(&Good_type), 0);
    Bad_type = (PyTypeObject){
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "events.Bad",
        .tp_basicsize = sizeof(struct thing),
        .tp_flags =
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
        .tp_dealloc = thing_dealloc,
        .tp_traverse = thing_traverse,
        .tp_clear = thing_clear,
        .tp_members = thing_members,
        .tp_new = PyType_GenericNew,
    };
}

struct thing *
raw_thing(PyTypeObject *type)
{
    ck_assert_int_eq(PyType_Ready(type), 0);
    return PyObject_GC_New(struct thing, type);
}

PyObject *
new_thing(PyTypeObject *type, PyObject *left)
{
    struct thing *self = raw_thing(type);

    self->left = left;
    self->right = NULL;
    self->n = 0;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

void
make_loop(PyTypeObject *type)
{
    struct thing *self = (struct thing *)new_thing(type, NULL);

    self->left = (PyObject *)self;
}

/* For the reader, to see why a test has failed. */
static void
print_noticed(void)
{
    for (size_t i = 0; i < pyb_findings_noticed.n; i++)
        fprintf(stderr, "# %s\n", pyb_findings_noticed.all[i].what);
}

void
expect(const char *what, size_t n, size_t of, const void *slot)
{
    const struct pyb_finding *one = pyb_findings_noticed.all;

    if (pyb_findings_noticed.n != 1)
        print_noticed();
    ck_assert_uint_eq(pyb_findings_noticed.n, 1);
    ck_assert_str_eq(one->what, what);
    ck_assert_uint_eq(one->n, n);
    ck_assert_uint_eq(one->of, of);
    ck_assert(one->slot == slot);
}

void
expect_nothing(void)
{
    print_noticed();
    ck_assert_uint_eq(pyb_findings_noticed.n, 0);
}

void
kill_three(PyTypeObject *type)
{
    PyObject *one;

    Py_DECREF(new_thing(type, NULL));
    one = new_thing(type, new_thing(&Good_type, NULL));
    ((struct thing *)((struct thing *)one)->left)->left = one;
    make_loop(type);
    PyGC_Collect();
}

PyObject *kept;

void
keeping_finalize(PyObject *op)
{
    ck_assert_int_eq(PyList_Append(kept, op), 0);
}
