/* check_threads_import.c: threads that import the same modules. */

#include "../support/suite.h"
#include "../support/threads.h"

static int ready[2], loaded[2];

/* Module 0 lets others in while it is being loaded, until the gate opens. */
static int
exec_slow(PyObject *module)
{
    loaded[0]++;
    ready[0] = 1;
    threads_open_gate(1);
    threads_pass_gate(0);
    return PyModule_AddIntConstant(module, "complete", 1);
}

static PyModuleDef_Slot slow_slots[] = {{Py_mod_exec, (void *)exec_slow},
                                        {0, NULL}};
static PyModuleDef slow_def = {PyModuleDef_HEAD_INIT, .m_name = "slow",
                               .m_slots = slow_slots};

static PyObject *
init_slow(void)
{
    return PyModuleDef_Init(&slow_def);
}

/* Modules "ping" and "pong" import each other. */
static int
exec_ping(PyObject *Py_UNUSED(module))
{
    loaded[0]++;
    threads_open_gate(0);
    threads_pass_gate(1);
    PyObject *other = PyImport_ImportModule("pong");
    Py_XDECREF(other);
    return other != NULL ? 0 : -1;
}

static int
exec_pong(PyObject *Py_UNUSED(module))
{
    loaded[1]++;
    threads_open_gate(1);
    threads_pass_gate(0);
    PyObject *other = PyImport_ImportModule("ping");
    Py_XDECREF(other);
    return other != NULL ? 0 : -1;
}

static PyModuleDef_Slot ping_slots[] = {{Py_mod_exec, (void *)exec_ping},
                                        {0, NULL}};
static PyModuleDef_Slot pong_slots[] = {{Py_mod_exec, (void *)exec_pong},
                                        {0, NULL}};
static PyModuleDef ping_def = {PyModuleDef_HEAD_INIT, .m_name = "ping",
                               .m_slots = ping_slots};
static PyModuleDef pong_def = {PyModuleDef_HEAD_INIT, .m_name = "pong",
                               .m_slots = pong_slots};

static PyObject *
init_ping(void)
{
    return PyModuleDef_Init(&ping_def);
}

static PyObject *
init_pong(void)
{
    return PyModuleDef_Init(&pong_def);
}

static int complete;

static void *
import_slow(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *module = suite_require(PyImport_ImportModule("slow"));
    complete += PyObject_HasAttrString(module, "complete");
    Py_DECREF(module);
    PyGILState_Release(state);
    return NULL;
}

static void *
import_and_open(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    /* A thread that comes now waits for it, or loads it again. */
    threads_open_gate(0);
    PyGILState_Release(state);
    return import_slow(NULL);
}

START_TEST(a_module_is_loaded_once)
{
    pthread_t first, others[4];

    threads_make_gates();
    PyImport_AppendInittab("slow", init_slow);
    first = threads_start(import_slow, NULL);
    threads_pass_gate(1);
    ck_assert_int_eq(ready[0], 1);
    for (int i = 0; i < 3; i++)
        others[i] = threads_start(import_slow, NULL);
    /* All of them have looked for it, and wait. */
    for (int i = 0; i < 1000; i++) {
        Py_BEGIN_ALLOW_THREADS
        Py_END_ALLOW_THREADS
    }
    ck_assert_int_eq(complete, 0);
    others[3] = threads_start(import_and_open, NULL);
    threads_join(first);
    for (int i = 0; i < 4; i++)
        threads_join(others[i]);
    ck_assert_int_eq(loaded[0], 1);
    ck_assert_int_eq(complete, 5);
}

/* A module that another thread is loading.  The gate opens while this thread
   is attached: the other one goes on only if this one waits. */
START_TEST(who_reloads_waits_as_well)
{
    pthread_t first;

    threads_make_gates();
    PyImport_AppendInittab("slow", init_slow);
    first = threads_start(import_slow, NULL);
    threads_pass_gate(1);
    PyObject *module = PyImport_AddModuleRef("slow");
    ck_assert_int_eq(PyObject_HasAttrString(module, "complete"), 0);
    threads_open_gate(0);
    PyObject *again = PyImport_ReloadModule(module);
    ck_assert_ptr_eq(again, module);
    ck_assert_int_eq(PyObject_HasAttrString(module, "complete"), 1);
    suite_drop(again, module);
    threads_join(first);
    ck_assert_int_eq(loaded[0], 1);
}

/* A module in sys.modules that has not been executed. */
static PyObject *
enter_slow(void)
{
    PyObject *modules = PyImport_GetModuleDict(), *spec = PyModule_New("spec");
    ck_assert_int_eq(PyModule_AddStringConstant(spec, "name", "slow"), 0);
    PyObject *module = suite_require(PyModule_FromDefAndSpec(&slow_def, spec));
    ck_assert_int_eq(PyDict_SetItemString(modules, "slow", module), 0);
    Py_DECREF(spec);
    return module;
}

static void *
reload(void *module)
{
    PyGILState_STATE state = PyGILState_Ensure();
    suite_new_same(PyImport_ReloadModule(module), module);
    PyGILState_Release(state);
    return NULL;
}

/* Another thread executes it, by reloading it. */
START_TEST(who_reloads_is_waited_for)
{
    pthread_t first;
    PyObject *module, *again;

    threads_make_gates();
    PyImport_AppendInittab("slow", init_slow);
    module = enter_slow();
    first = threads_start(reload, module);
    threads_pass_gate(1);
    threads_open_gate(0);
    again = PyImport_ImportModule("slow");
    ck_assert_ptr_eq(again, module);
    ck_assert_int_eq(PyObject_HasAttrString(module, "complete"), 1);
    Py_DECREF(again);
    threads_join(first);
    Py_DECREF(module);
    ck_assert_int_eq(loaded[0], 1);
}

static void *
import_one(void *name)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *module = suite_require(PyImport_ImportModule(name));
    Py_DECREF(module);
    PyGILState_Release(state);
    return NULL;
}

/* Each thread has begun its module, and then wants the other's. */
START_TEST(nobody_waits_in_a_circle)
{
    pthread_t ping, pong;

    threads_make_gates();
    PyImport_AppendInittab("ping", init_ping);
    PyImport_AppendInittab("pong", init_pong);
    ping = threads_start(import_one, "ping");
    pong = threads_start(import_one, "pong");
    threads_join(ping);
    threads_join(pong);
    ck_assert_int_eq(loaded[0], 1);
    ck_assert_int_eq(loaded[1], 1);
}
