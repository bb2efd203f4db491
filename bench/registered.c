/* registered.c: many objects that each enter something that one other keeps:
   a base its subclasses, an object its weak references, the process its
   modules, names and threads.  What is measured is their whole life.  And what
   grows piece by piece.  The cost of one must not grow with their number. */

#include "nodes.h"

/* Makes size objects, and lets them go again: the first ones first, or the
   last ones. */
static double
lives(size_t size, PyObject *(*make)(size_t i), int last_first)
{
    PyObject **all = bench_array(size, sizeof *all);
    double start = bench_now();

    for (size_t i = 0; i < size; i++)
        if ((all[i] = make(i)) == NULL)
            bench_fail("no object");
    for (size_t i = 0; i < size; i++)
        Py_CLEAR(all[last_first ? size - 1 - i : i]);
    PyGC_Collect();
    start = bench_now() - start;
    free(all);
    return start / (double)size;
}

static PyObject *base;

static PyObject *
make_class(size_t Py_UNUSED(i))
{
    return PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){}", "Sub",
                                 base);
}

static void
make_base(size_t Py_UNUSED(size))
{
    base = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "Base");
}

static double
subclasses(size_t size)
{
    return lives(size, make_class, 0);
}

static PyObject *
say_nothing(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ref))
{
    Py_RETURN_NONE;
}

static PyObject *referent, *callback;

/* Those without a callback are one and the same. */
static PyObject *
make_weakref(size_t Py_UNUSED(i))
{
    return PyWeakref_NewRef(referent, callback);
}

static void
make_referent(size_t Py_UNUSED(size))
{
    static PyMethodDef def = {"say_nothing", say_nothing, METH_O, NULL};

    referent = PySet_New(NULL);
    callback = PyCFunction_New(&def, NULL);
}

static double
weakrefs(size_t size)
{
    return lives(size, make_weakref, 0);
}

static double
weakrefs_back(size_t size)
{
    return lives(size, make_weakref, 1);
}

/* The referent goes first: all are cleared, and called. */
static double
weakrefs_cleared(size_t size)
{
    PyObject **all = bench_array(size, sizeof *all);
    double start = bench_now();

    make_referent(size);
    for (size_t i = 0; i < size; i++)
        all[i] = make_weakref(i);
    Py_CLEAR(referent);
    start = bench_now() - start;
    for (size_t i = 0; i < size; i++)
        Py_DECREF(all[i]);
    free(all);
    return start / (double)size;
}

/* Under a name of its own each; they leave sys.modules again. */
static double
modules(size_t size)
{
    double start = bench_now();
    char name[32];

    for (size_t i = 0; i < size; i++) {
        snprintf(name, sizeof name, "m%zu", i);
        if (PyImport_AddModule(name) == NULL)
            bench_fail("no module");
    }
    for (size_t i = 0; i < size; i++) {
        snprintf(name, sizeof name, "m%zu", i);
        PyDict_DelItemString(PyImport_GetModuleDict(), name);
    }
    PyGC_Collect();
    return (bench_now() - start) / (double)size;
}

static PyObject *
make_name(size_t i)
{
    PyObject *name = PyUnicode_FromFormat("name%zu", i);

    PyUnicode_InternInPlace(&name);
    return name;
}

static double
names(size_t size)
{
    return lives(size, make_name, 0);
}

/* Of one instance, set and deleted. */
static double
attributes(size_t size)
{
    PyObject *cls =
        PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "Class");
    PyObject *instance = PyObject_CallNoArgs(cls);
    double start = bench_now();
    char name[32];

    for (size_t i = 0; i < size; i++) {
        snprintf(name, sizeof name, "a%zu", i);
        PyObject_SetAttrString(instance, name, Py_None);
    }
    for (size_t i = 0; i < size; i++) {
        snprintf(name, sizeof name, "a%zu", i);
        PyObject_DelAttrString(instance, name);
    }
    start = bench_now() - start;
    Py_DECREF(instance);
    Py_DECREF(cls);
    return start / (double)size;
}

static int
do_nothing(void *Py_UNUSED(arg))
{
    return 0;
}

/* As many at a time as there is room for. */
static double
pending(size_t size)
{
    double start = bench_now();

    for (size_t i = 0; i < size; i++)
        if (Py_AddPendingCall(do_nothing, NULL) < 0) {
            Py_MakePendingCalls();
            Py_AddPendingCall(do_nothing, NULL);
        }
    Py_MakePendingCalls();
    return (bench_now() - start) / (double)size;
}

/* States of threads, which are there all at once. */
static double
threads(size_t size)
{
    PyThreadState **all = bench_array(size, sizeof *all);
    PyInterpreterState *interpreter = PyInterpreterState_Get();
    double start = bench_now();

    for (size_t i = 0; i < size; i++)
        all[i] = PyThreadState_New(interpreter);
    for (size_t i = 0; i < size; i++) {
        PyThreadState_Clear(all[i]);
        PyThreadState_Delete(all[i]);
    }
    start = bench_now() - start;
    free(all);
    return start / (double)size;
}

/* Classes that one function watches, each changed once. */
#if PY_VERSION_HEX >= 0x030c0000
static int changes_seen;

static int
see_change(PyTypeObject *Py_UNUSED(type))
{
    changes_seen++;
    return 0;
}

static double
watched(size_t size)
{
    int watcher = PyType_AddWatcher(see_change);
    PyObject **all = bench_array(size, sizeof *all);
    double start = bench_now();

    changes_seen = 0;
    for (size_t i = 0; i < size; i++) {
        all[i] = make_class(i);
        /* Of a type without a version no change is told. */
        PyUnstable_Type_AssignVersionTag((PyTypeObject *)all[i]);
        if (PyType_Watch(watcher, all[i]) < 0 ||
            PyObject_SetAttrString(all[i], "attribute", Py_None) < 0)
            bench_fail("a class cannot be watched");
    }
    for (size_t i = 0; i < size; i++) {
        PyType_Unwatch(watcher, all[i]);
        Py_CLEAR(all[i]);
    }
    PyGC_Collect();
    start = bench_now() - start;
    if (changes_seen < (int)size)
        bench_fail("%d changes of %zu were seen", changes_seen, size);
    PyType_ClearWatcher(watcher);
    free(all);
    return start / (double)size;
}
#else
static double
watched(size_t Py_UNUSED(size))
{
    bench_skip("watchers are since CPython 3.12");
}
#endif

/* Appends the part, which is stolen, so many times to a copy of it. */
static double
grow(size_t size, PyObject *part, void (*append)(PyObject **, PyObject *))
{
    PyObject *all = Py_NewRef(part);
    double start = bench_now();

    for (size_t i = 0; i < size; i++)
        append(&all, part);
    start = bench_now() - start;
    if (all == NULL)
        bench_fail("no memory");
    Py_DECREF(all);
    Py_DECREF(part);
    return start / (double)size;
}

static double
text(size_t size)
{
    return grow(size, PyUnicode_FromString("a few words"), PyUnicode_Append);
}

static double
wide_text(size_t size)
{
    return grow(size, PyUnicode_FromString("\xc3\xa9t\xc3\xa9"),
                PyUnicode_Append);
}

static double
bytes(size_t size)
{
    return grow(size, PyBytes_FromString("a few words"), PyBytes_Concat);
}

static double
tuple(size_t size)
{
    PyObject *all = PyTuple_New(1);
    double start = bench_now();

    for (size_t i = 1; i <= size; i++)
        if (_PyTuple_Resize(&all, (Py_ssize_t)i + 1) < 0)
            bench_fail("no tuple");
    start = bench_now() - start;
    Py_DECREF(all);
    return start / (double)size;
}

int
main(int argc, char **argv)
{
    static const struct bench_row rows[] = {
        {"subclasses", make_base, subclasses, NULL},
        {"weakrefs", make_referent, weakrefs, NULL},
        {"weakrefs-back", make_referent, weakrefs_back, NULL},
        {"weakrefs-cleared", NULL, weakrefs_cleared, NULL},
        {"modules", NULL, modules, NULL},
        {"names", NULL, names, NULL},
        {"attributes", NULL, attributes, NULL},
        {"pending", NULL, pending, NULL},
        {"threads", NULL, threads, NULL},
        {"watched", make_base, watched, NULL},
        {"text", NULL, text, NULL},
        {"wide-text", NULL, wide_text, NULL},
        {"bytes", NULL, bytes, NULL},
        {"tuple", NULL, tuple, NULL},
        {NULL, NULL, NULL, NULL},
    };

    nodes_start();
    return bench_main(argc, argv, rows);
}
