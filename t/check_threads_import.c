/* check_threads_import.c: threads that import the same modules. */

#include "suite.h"

#include <pthread.h>

static PyThread_type_lock gates[2];
static int ready[2], loaded[2];

static void
pass_gate(int i)
{
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(gates[i], WAIT_LOCK);
    Py_END_ALLOW_THREADS
}

/* Module 0 lets others in while it is being loaded, until the gate opens. */
static int
exec_slow(PyObject *module)
{
    loaded[0]++;
    ready[0] = 1;
    PyThread_release_lock(gates[1]);
    pass_gate(0);
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
    PyThread_release_lock(gates[0]);
    pass_gate(1);
    PyObject *other = PyImport_ImportModule("pong");
    Py_XDECREF(other);
    return other != NULL ? 0 : -1;
}

static int
exec_pong(PyObject *Py_UNUSED(module))
{
    loaded[1]++;
    PyThread_release_lock(gates[1]);
    pass_gate(0);
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

static void
make_gates(void)
{
    for (int i = 0; i < 2; i++) {
        gates[i] = PyThread_allocate_lock();
        ck_assert_int_eq(PyThread_acquire_lock(gates[i], NOWAIT_LOCK), 1);
    }
}

static int complete;

static void *
import_slow(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *module = PyImport_ImportModule("slow");

    ck_assert_ptr_nonnull(module);
    complete += PyObject_HasAttrString(module, "complete");
    Py_DECREF(module);
    PyGILState_Release(state);
    return NULL;
}

static void *
import_and_open(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    /* Whoever comes now waits for it, or loads it again. */
    PyThread_release_lock(gates[0]);
    PyGILState_Release(state);
    return import_slow(NULL);
}

static void
join(pthread_t thread)
{
    Py_BEGIN_ALLOW_THREADS
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
}

START_TEST(a_module_is_loaded_once)
{
    pthread_t first, others[4];

    make_gates();
    PyImport_AppendInittab("slow", init_slow);
    ck_assert_int_eq(pthread_create(&first, NULL, import_slow, NULL), 0);
    pass_gate(1);
    ck_assert_int_eq(ready[0], 1);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_create(&others[i], NULL, import_slow, NULL),
                         0);
    /* All of them have looked for it, and wait. */
    for (int i = 0; i < 1000; i++) {
        Py_BEGIN_ALLOW_THREADS
        Py_END_ALLOW_THREADS
    }
    ck_assert_int_eq(complete, 0);
    ck_assert_int_eq(pthread_create(&others[3], NULL, import_and_open, NULL),
                     0);
    join(first);
    for (int i = 0; i < 4; i++)
        join(others[i]);
    ck_assert_int_eq(loaded[0], 1);
    ck_assert_int_eq(complete, 5);
}
END_TEST

static void *
import_one(void *name)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *module = PyImport_ImportModule(name);

    ck_assert_ptr_nonnull(module);
    Py_DECREF(module);
    PyGILState_Release(state);
    return NULL;
}

/* Each thread has begun its module, and then wants the other's. */
START_TEST(nobody_waits_in_a_circle)
{
    pthread_t ping, pong;

    make_gates();
    PyImport_AppendInittab("ping", init_ping);
    PyImport_AppendInittab("pong", init_pong);
    ck_assert_int_eq(pthread_create(&ping, NULL, import_one, "ping"), 0);
    ck_assert_int_eq(pthread_create(&pong, NULL, import_one, "pong"), 0);
    join(ping);
    join(pong);
    ck_assert_int_eq(loaded[0], 1);
    ck_assert_int_eq(loaded[1], 1);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {a_module_is_loaded_once, 0},
        {nobody_waits_in_a_circle, 0},
        {NULL, 0},
    };
    return suite_run("threads: importing", tests);
}
