/* check_faults_once.c: no memory for what can be done once in a process only:
   static types made ready, shared modules loaded.

   Each run has a child process: the work with a fault, which must leave
   nothing behind; then the same without, which must succeed. */

#include "faults.h"

#include <stddef.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ */
/* Static types                                                        */

static PyObject *
get_one(PyObject *Py_UNUSED(self), void *Py_UNUSED(arg))
{
    return PyLong_FromLong(1);
}

static PyObject *
nothing(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arg))
{
    Py_RETURN_NONE;
}

static PyMethodDef thing_methods[] = {
    {"plain", nothing, METH_NOARGS, "plain()\n--\n\nIs called."},
    {"of_class", nothing, METH_NOARGS | METH_CLASS, NULL},
    {"of_none", nothing, METH_NOARGS | METH_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef thing_members[] = {
    {"left", Py_T_OBJECT_EX, offsetof(struct node, left), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef thing_getset[] = {
    {"one", get_one, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *
thing_repr(PyObject *Py_UNUSED(self))
{
    return PyUnicode_FromString("thing");
}

/* Compares and has no hash: __hash__ is None. */
static PyObject *
thing_compare(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b), int Py_UNUSED(o))
{
    Py_RETURN_NOTIMPLEMENTED;
}

#define THING(type_name, ...)                                                 \
    {                                                                         \
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = type_name,                   \
                                    .tp_basicsize = sizeof(struct node),      \
                                    .tp_dealloc = node_dealloc,               \
                                    .tp_flags = Py_TPFLAGS_DEFAULT |          \
                                                Py_TPFLAGS_HAVE_GC |          \
                                                Py_TPFLAGS_BASETYPE,          \
                                    .tp_traverse = node_traverse,             \
                                    .tp_clear = node_clear,                   \
                                    .tp_repr = thing_repr,                    \
                                    .tp_richcompare = thing_compare,          \
                                    .tp_doc = "Thing(x)\n--\n\nA thing.",     \
                                    .tp_methods = thing_methods,              \
                                    .tp_members = thing_members,              \
                                    .tp_getset = thing_getset, __VA_ARGS__    \
    }

/* The first two fill the caches, with all the names; the others are new. */
static PyTypeObject known = THING("t.Known", .tp_itemsize = 0);
static PyTypeObject known_derived = THING("t.KnownToo", .tp_base = &known);
static PyTypeObject fresh = THING("t.Fresh", .tp_itemsize = 0);
static PyTypeObject fresh_derived = THING("t.FreshToo", .tp_base = &fresh);

static void
warm_types(void)
{
    ck_assert_int_eq(PyType_Ready(&known_derived), 0);
}

/* A failed call leaves a type that is not ready. */
static int
ready(PyTypeObject *type)
{
    int result = PyType_Ready(type);

    FAULTS_EXPECT((result == 0) == PyType_HasFeature(type, Py_TPFLAGS_READY));
    FAULTS_EXPECT((result == 0) == (type->tp_dict != NULL));
    FAULTS_EXPECT((result == 0) == (type->tp_mro != NULL));
    FAULTS_EXPECT(!PyType_HasFeature(type, Py_TPFLAGS_READYING));
    return result;
}

static int
static_type(void)
{
    return ready(&fresh);
}

static void
warm_base(void)
{
    warm_types();
    ck_assert_int_eq(PyType_Ready(&fresh), 0);
}

static int
derived_type(void)
{
    return ready(&fresh_derived);
}

/* ------------------------------------------------------------------ */
/* Shared modules                                                      */

static int
import(const char *name)
{
    return faults_drop(PyImport_ImportModule(name));
}

static void
warm_import(void)
{
    const char *given = getenv("PYBOEHM_TEST_MODULES");
    PyObject *path = PySys_GetObject("path");
    PyObject *directory =
        PyUnicode_FromString(given != NULL ? given : "t/modules/.libs");

    ck_assert_int_eq(PyList_Insert(path, 0, directory), 0);
    Py_DECREF(directory);
    ck_assert_int_eq(import("mod_single"), 0);
}

/* Without global state: with one, the first import keeps a copy of its
   dictionary as soon as the init function has run, whatever happens then. */
static int
shared_module_of_one_phase(void)
{
    return import("mod_reinit");
}

static int
shared_module_of_several_phases(void)
{
    return import("mod_phases");
}

static int
shared_module_with_export_hook(void)
{
    return import("mod_export");
}

/* ------------------------------------------------------------------ */

FAULTS_ONCE_TEST(static_type, warm_types)
FAULTS_ONCE_TEST(derived_type, warm_base)
FAULTS_ONCE_TEST(shared_module_of_one_phase, warm_import)
FAULTS_ONCE_TEST(shared_module_of_several_phases, warm_import)
FAULTS_ONCE_TEST(shared_module_with_export_hook, warm_import)

int
main(void)
{
    return suite_run_unquarantined("faults: what is done once");
}
