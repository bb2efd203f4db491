/* alloc_del_tracked.c: a deallocator that forgets to untrack: the collector
   must not see the object again, and the pending exception stays.
   Manual: "PyObject_GC_Del"; rules for the deallocator: "Before fields which
   refer to other containers are invalidated, PyObject_GC_UnTrack() must be
   called". */

#include "oracle.h"

static int
lazy_traverse(PyObject *op, visitproc visit, void *arg)
{
    say("never traversed once it is freed");
    return 0;
}

static void
lazy_dealloc(PyObject *op)
{
    state("in dealloc", op);
    PyObject_GC_Del(op);
}

static PyTypeObject Lazy_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Lazy",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = lazy_dealloc,
    .tp_traverse = lazy_traverse,
};

/* The warnings: ours go to a hook in C, CPython's to warnings.showwarning. */
static int warnings;

#ifdef ORACLE_PYBOEHM
#include <pyboehm.h>

static int
count_warning(PyObject *category, const char *message, void *arg)
{
    warnings += category == PyExc_ResourceWarning;
    return 0;
}

static void
count_warnings(void)
{
    PyBoehm_SetWarningHook(count_warning, NULL);
}
#else
static PyObject *
count_warning(PyObject *self, PyObject *args)
{
    warnings++;
    Py_RETURN_NONE;
}

static PyMethodDef count_def = {"showwarning", count_warning, METH_VARARGS,
                                NULL};

static void
count_warnings(void)
{
    PyObject *module = need(PyImport_ImportModule("warnings"));

    need(PyObject_CallMethod(module, "simplefilter", "s", "always"));
    PyObject_SetAttrString(module, "showwarning",
                           need(PyCFunction_New(&count_def, NULL)));
    if (PyErr_WarnEx(PyExc_ResourceWarning, "a trial", 1) < 0 || warnings != 1)
        need(NULL);
    warnings = 0;
    Py_DECREF(module);
}
#endif

static PyObject *
tracked_one(void)
{
    PyObject *op = need(PyObject_GC_New(PyObject, &Lazy_Type));

    PyObject_GC_Track(op);
    return op;
}

void
oracle_program(void)
{
    PyObject *op;

    need_ready(&Lazy_Type);
    count_warnings();
    op = tracked_one();
    Py_DECREF(op);
    error();
    collect();

    op = tracked_one();
    PyErr_SetString(PyExc_KeyError, "pending");
    Py_DECREF(op);
    error();
    collect();
    differs("the rule for deallocators was broken, \"PyObject_GC_UnTrack() "
            "must be called\"; of CPython only debug builds say so",
            "2 warnings", "0 warnings", text("%d warnings", warnings));
}
