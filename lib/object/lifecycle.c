/* lifecycle.c: starting and ending the library. */

#include "Python.h"
#include "pyboehm.h"

#include "gc/condemned.h"
#include "gc/control.h"
#include "gc/fatal.h"
#include "gc/watching.h"
#include "object/lifecycle.h"
#include "object/exceptions.h"
#include "object/gclink.h"
#include "object/gcmodule.h"
#include "object/import.h"
#include "object/module.h"
#include "object/pending.h"
#include "object/spare.h"
#include "object/sys.h"
#include "object/threadstate.h"
#include "object/unraisable.h"
#include "object/warnings.h"

/* Both are set while Py_Finalize runs. */
static int initialized, finalizing;

/* All static types but those of exceptions; object and type first, since all
   others inherit from them. */
static PyTypeObject *const types[] = {
    &PyBaseObject_Type,
    &PyType_Type,

    &_PyNone_Type,
    &_PyNotImplemented_Type,
    &PyEllipsis_Type,

    &PyLong_Type,
    &PyBool_Type,
    &PyFloat_Type,
    &PyComplex_Type,
    &PyUnicode_Type,
    &PyUnicodeIter_Type,
    &PyBytes_Type,
    &PyBytesIter_Type,
    &PyByteArray_Type,
    &PyByteArrayIter_Type,
    &PyTuple_Type,
    &PyTupleIter_Type,
    &PyList_Type,
    &PyListIter_Type,
    &PyListRevIter_Type,
    &PyDict_Type,
    &PyDictProxy_Type,
    &PyDictKeys_Type,
    &PyDictValues_Type,
    &PyDictItems_Type,
    &PyDictIterKey_Type,
    &PyDictIterValue_Type,
    &PyDictIterItem_Type,
    &PyDictRevIterKey_Type,
    &PyDictRevIterValue_Type,
    &PyDictRevIterItem_Type,
    &PySet_Type,
    &PyFrozenSet_Type,
    &PySetIter_Type,
    &PySeqIter_Type,
    &PyCallIter_Type,
    &PyEnum_Type,
    &PyReversed_Type,
    &PyZip_Type,
    &PyMap_Type,
    &PyFilter_Type,
    &PySlice_Type,
    &PyRange_Type,
    &PyRangeIter_Type,
    &PyCapsule_Type,
    &PyCell_Type,
    &_PyNamespace_Type,

    &PyCFunction_Type,
    &PyCMethod_Type,
    &PyMethod_Type,
    &PyMethodDescr_Type,
    &PyClassMethodDescr_Type,
    &PyMemberDescr_Type,
    &PyGetSetDescr_Type,
    &PyClassMethod_Type,
    &PyStaticMethod_Type,
    &PyProperty_Type,
    &PySuper_Type,

    &_PyWeakref_RefType,
    &_PyWeakref_ProxyType,
    &_PyWeakref_CallableProxyType,

    &PyModule_Type,
    &PyModuleDef_Type,
    &pyb_modulespec_type,
    &pyb_unraisable_args_type,
};

int
pyb_lifecycle_is_ours(PyTypeObject *type)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        if (types[i] == type)
            return 1;
    return PyExceptionClass_Check(type) &&
           !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) &&
           strchr(type->tp_name, '.') == NULL;
}

/* ------------------------------------------------------------------ */
/* Beginning                                                           */

/* Ends the process unless the step succeeded, saying what went wrong. */
static void
must(int result, const char *what)
{
    if (result == 0)
        return;
    PyErr_PrintEx(0);
    pyb_fatal_format("Py_Initialize", "can't initialize %s", what);
}

void
Py_InitializeEx(int Py_UNUSED(initsigs))
{
    if (initialized)
        return;
    pyb_threadstate_enter();
    must(pyb_gclink_init(), "the collector");
    must(pyb_threadstate_init(), "threads");
    pyb_pending_init();
    pyb_spare_init();
    initialized = 1;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        must(PyType_Ready(types[i]), types[i]->tp_name);
    must(pyb_exceptions_init(), "exceptions");
    must(pyb_import_init(), "importing");
    must(pyb_sys_init(), "sys");
    must(pyb_builtins_init(), "builtins");
    pyb_watching.begun();
}

void
Py_Initialize(void)
{
    Py_InitializeEx(1);
}

int
Py_IsInitialized(void)
{
    return initialized;
}

int
Py_IsFinalizing(void)
{
    return finalizing;
}

const char *
Py_GetVersion(void)
{
    return PY_VERSION " (pyboehm)";
}

/* ------------------------------------------------------------------ */
/* Exit functions                                                      */

enum { EXIT_FUNCTIONS_MAX = 32 };

static void (*exit_functions[EXIT_FUNCTIONS_MAX])(void);
static int n_exit_functions;

int
Py_AtExit(void (*func)(void))
{
    if (n_exit_functions == EXIT_FUNCTIONS_MAX)
        return -1;
    exit_functions[n_exit_functions++] = func;
    return 0;
}

static void
run_exit_functions(void)
{
    while (n_exit_functions > 0)
        exit_functions[--n_exit_functions]();
    fflush(stdout);
    fflush(stderr);
}

/* ------------------------------------------------------------------ */
/* End                                                                 */

/* Reports what went wrong while the library was taken down. */
static void
report(void)
{
    PyErr_FormatUnraisable("Exception ignored in Py_Finalize");
}

/* Weak references to all modules, in the order of their import; a new list,
   or NULL with an exception.  sys and builtins go last and by themselves. */
static PyObject *
watch_modules(PyObject *modules)
{
    PyObject *watched = PyList_New(0), *name, *module;
    Py_ssize_t pos = 0;

    while (watched != NULL && PyDict_Next(modules, &pos, &name, &module)) {
        if (!PyModule_Check(module) || !PyUnicode_Check(name) ||
            PyUnicode_EqualToUTF8(name, "sys") ||
            PyUnicode_EqualToUTF8(name, "builtins"))
            continue;
        PyObject *reference = PyWeakref_NewRef(module, NULL);
        if (reference == NULL || PyList_Append(watched, reference) < 0)
            Py_CLEAR(watched);
        Py_XDECREF(reference);
    }
    return watched;
}

/* Empties the modules that something still holds, the last import first. */
static void
wipe_survivors(PyObject *watched)
{
    for (Py_ssize_t i = PyList_GET_SIZE(watched); i-- > 0;) {
        PyObject *module;
        if (PyWeakref_GetRef(PyList_GET_ITEM(watched, i), &module) < 0)
            report();
        if (module != NULL) {
            pyb_module_wipe(module);
            Py_DECREF(module);
        }
    }
}

/* Lets go of all modules.  Most die with their entries in sys.modules; what
   remains is emptied, so that functions and types no longer keep each other
   alive through it. */
static void
drop_modules(void)
{
    PyObject *modules = PyImport_GetModuleDict();

    pyb_sys_forget_last();
    PyObject *watched = watch_modules(modules);
    if (watched == NULL)
        report();
    PyDict_Clear(modules);
    pyb_module_forget_states();
    pyb_control_collect(PYB_OLD);
    pyb_modulecache_forget();
    PyGC_Collect();
    if (watched != NULL)
        wipe_survivors(watched);
    Py_XDECREF(watched);
    pyb_control_collect(PYB_OLD);
}

int
Py_FinalizeEx(void)
{
    if (!initialized || finalizing)
        return 0;
    if (pyb_control.collecting > 0)
        Py_FatalError("called in the middle of a collection");
    pyb_control_require(__func__);
    finalizing = 1;
    PyErr_Clear();
    pyb_pending_finish();
    pyb_threadstate_close();

    /* No automatic collection leaves a set waiting from here on. */
    PyGC_Disable();
    pyb_condemned_tear_down_waiting();
    pyb_watching.finalizing();
    PyBoehm_GC_Unfreeze();
    drop_modules();
    pyb_gcmodule_warn_garbage();
    pyb_builtins_fini();
    pyb_sys_fini();
    pyb_control_collect(PYB_OLD);
    pyb_import_fini();

    PyThreadState_Clear(PyThreadState_Get());
    pyb_watching.finalized();
    pyb_exceptions_fini();
    pyb_unraisable_fini();
    pyb_warnings_fini();
    pyb_gclink_fini();
    pyb_spare_fini();
    pyb_threadstate_fini();
    initialized = 0;
    finalizing = 0;
    run_exit_functions();
    return 0;
}

void
Py_Finalize(void)
{
    Py_FinalizeEx();
}
