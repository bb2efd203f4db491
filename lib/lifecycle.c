/* lifecycle.c: starting and ending the library.  It stands above all layers,
   which it starts from below and ends from above.

   Manual: "Initialization, Finalization, and Threads". */

#include "Python.h"
#include "pyboehm.h"

#include "gc/base/fatal.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "gc/waiting.h"
#include "object/error/exceptions.h"
#include "runtime/freelist.h"
#include "gclink.h"
#include "library/library.h"
#include "object/error/unraisable.h"
#include "object/error/warnings.h"
#include "object/module/gcmodule.h"
#include "object/module/import.h"
#include "object/module/importlock.h"
#include "object/module/module.h"
#include "object/module/sys.h"
#include "object/type/statictypes.h"
#include "runtime/pending.h"
#include "runtime/threadstate.h"
#include "types/codec/natives.h"
#include "types/context/context.h"
#include "types/int/int.h"
#include "types/sysinfo.h"
#include "watch/watch.h"

/* Both are 1 while Py_Finalize runs. */
static int initialized, finalizing;

/* ------------------------------------------------------------------ */
/* Beginning                                                           */

/* Ends the process with a message unless the step succeeded. */
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
    must(pyb_importlock_init(), "threads");
    pyb_pending_init();
    pyb_freelist_init();
    initialized = 1;
    must(pyb_statictypes_init(), "types");
    must(pyb_exceptions_init(), "exceptions");
    must(pyb_import_init(), "importing");
    must(pyb_sys_init(), "sys");
    must(pyb_int_init(), "int");
    must(pyb_sysinfo_init(), "sys");
    must(pyb_context_init(), "context variables");
    must(pyb_builtins_init(), "builtins");
    must(pyb_library_init(), "the library");
    pyb_watch_begin();
    pyb_guards_open();
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

/* A call that PyUnstable_AtExit was asked for, and those before it. */
static struct exit_call {
    void (*func)(void *);
    void *data;
    struct exit_call *before;
} * exit_calls;

int
PyUnstable_AtExit(PyInterpreterState *Py_UNUSED(interp), void (*func)(void *),
                  void *data)
{
    struct exit_call *call = PyMem_Malloc(sizeof *call);

    pyb_control_require(__func__);
    if (call == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    *call = (struct exit_call){func, data, exit_calls};
    exit_calls = call;
    return 0;
}

static void
make_exit_calls(void)
{
    while (exit_calls != NULL) {
        struct exit_call call = *exit_calls;
        PyMem_Free(exit_calls);
        exit_calls = call.before;
        call.func(call.data);
        if (PyErr_Occurred())
            PyErr_FormatUnraisable("Exception ignored in atexit callback");
    }
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

/* Reports an exception during Py_Finalize. */
static void
report(void)
{
    PyErr_FormatUnraisable("Exception ignored in Py_Finalize");
}

/* Weak references to all modules, in the order of their import; a new list, or
   NULL with an exception.  sys and builtins, which are dropped last, are left
   out. */
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

/* Drops all modules.  Most die with their entries in sys.modules; those that
   remain are emptied, so that functions and types no longer keep each other
   alive through them. */
static void
drop_modules(void)
{
    PyObject *modules = PyImport_GetModuleDict();

    pyb_sys_finalizing();
    PyObject *watched = watch_modules(modules);
    if (watched == NULL)
        report();
    PyDict_Clear(modules);
    pyb_module_forget_states();
    pyb_collect_generation(PYB_OLD);
    pyb_modulecache_forget();
    PyGC_Collect();
    if (watched != NULL)
        wipe_survivors(watched);
    Py_XDECREF(watched);
    pyb_collect_generation(PYB_OLD);
}

/* Finalizers may enable the collector and make more, and put it into the
   thread's dictionary.  What they make dies here, too, and not in another
   life; but not for ever. */
static void
collect_the_rest(void)
{
    enum { ROUNDS = 8 };

    for (int i = 0; i < ROUNDS; i++) {
        PyThreadState_Clear(PyThreadState_Get());
        Py_ssize_t found = pyb_collect_generation(PYB_OLD);

        PyGC_Disable();
        if (found == 0 && !pyb_waiting_any())
            return;
        pyb_waiting_tear_down();
    }
}

int
Py_FinalizeEx(void)
{
    if (!initialized || finalizing)
        return 0;
    if (pyb_collect_is_under_way())
        Py_FatalError("called in the middle of a collection");
    pyb_control_require(__func__);
    pyb_guards_close();
    finalizing = 1;
    PyErr_Clear();
    PyErr_SetHandledException(NULL);
    pyb_pending_finish();
    make_exit_calls();
    pyb_threadstate_close();
    pyb_importlock_forget(PyThreadState_Get());
    pyb_threadstate_forget_others();

    /* From here on no automatic collection leaves a set waiting. */
    PyGC_Disable();
    pyb_waiting_tear_down();
    pyb_watch_finalizing();
    PyBoehm_GC_Unfreeze();
    drop_modules();
    pyb_interpreter_clear();
    pyb_gcmodule_warn_garbage();
    pyb_codecs_fini();
    pyb_builtins_fini();
    pyb_sys_fini();
    collect_the_rest();
    pyb_import_fini();

    PyThreadState_Clear(PyThreadState_Get());
    pyb_watch_end();
    pyb_exceptions_fini();
    pyb_unraisable_fini();
    pyb_context_fini();
    pyb_warnings_fini();
    PyType_ClearCache(); /* a static type may be filled anew */
    pyb_gclink_fini();
    pyb_freelist_fini();
    pyb_sys_forget_hooks();
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

void
Py_Exit(int status)
{
    exit(Py_FinalizeEx() < 0 ? 120 : status);
}
