/* module_phases.c: multi-phase initialisation: create and exec slots, their
   order, and every way in which a definition or a slot can be wrong.
   Manual: "Module Objects", "Multi-phase initialization". */

#include "oracle.h"

static PyObject *
create(PyObject *spec, PyModuleDef *def)
{
    say("create %s", def->m_name);
    return PyModule_New("made by create");
}

static PyObject *
create_list(PyObject *spec, PyModuleDef *def)
{
    return PyList_New(0);
}

static PyObject *
create_fails(PyObject *spec, PyModuleDef *def)
{
    return PyErr_Format(PyExc_KeyError, "create");
}

static PyObject *
create_null(PyObject *spec, PyModuleDef *def)
{
    return NULL;
}

static PyObject *
create_and_raise(PyObject *spec, PyModuleDef *def)
{
    PyErr_SetString(PyExc_ValueError, "left behind");
    return PyModule_New("m");
}

static int
exec_one(PyObject *module)
{
    say("exec one of %s", PyModule_GetName(module));
    return PyModule_AddIntConstant(module, "one", 1);
}

static int
exec_two(PyObject *module)
{
    say("exec two; one is there: %d", PyObject_HasAttrString(module, "one"));
    return 0;
}

static int
exec_fails(PyObject *module)
{
    PyErr_SetString(PyExc_KeyError, "exec");
    return -1;
}

static int
exec_silent(PyObject *module)
{
    return -1;
}

static int
exec_and_raise(PyObject *module)
{
    PyErr_SetString(PyExc_ValueError, "left behind");
    return 0;
}

#define SLOTS(...) ((PyModuleDef_Slot[]){__VA_ARGS__, {0, NULL}})

/* A definition is remembered: each is memory of its own. */
static PyModuleDef *
definition(PyModuleDef_Slot *slots, Py_ssize_t size)
{
    struct PyModuleDef *def = need(calloc(1, sizeof *def));

    *def = (struct PyModuleDef){PyModuleDef_HEAD_INIT, .m_name = "def",
                                .m_size = size, .m_slots = slots};
    return (PyModuleDef *)need(PyModuleDef_Init(def));
}

/* A spec is any object with the attribute "name". */
static PyObject *
from_def(PyModuleDef *def)
{
    PyObject *spec = call_type(&PyType_Type, "s(){ss}", "S", "name", "spam");
    PyObject *module = PyModule_FromDefAndSpec(def, spec);

    Py_DECREF(spec);
    return module;
}

static void
make(const char *label, PyModuleDef_Slot *slots, Py_ssize_t size)
{
    PyModuleDef *def = definition(slots, size);
    PyObject *module = from_def(def);

    show_kept(label, module);
    if (module != NULL)
        result("    exec", PyModule_ExecDef(module, def));
    Py_XDECREF(module);
}

static void
refused(const char *why, PyModuleDef_Slot *slots, const char *ours,
        const char *cpython)
{
    if (from_def(definition(slots, 0)) != NULL)
        say("not refused");
    differs(why, ours, cpython, error_text());
}

static void
wrong_slots(void)
{
    const char *why =
        "the texts are those of 3.15, which reads all slots in one place";

    refused(why, SLOTS({Py_mod_create, create}, {Py_mod_create, create}),
            "SystemError: module spam has multiple Py_mod_create (84) slots",
            "SystemError: module spam has multiple create slots");
    refused(why, SLOTS({77, exec_one}),
            "SystemError: invalid module slot 77 (Py_am_await)",
            "SystemError: module spam uses unknown slot ID 77");
    refused("the number as it is written: 3.15 reads 16 bits of it and says "
            "\"invalid slot (Py_slot_invalid, 65535)\"",
            SLOTS({-1, exec_one}), "SystemError: unknown module slot ID -1",
            "SystemError: module spam uses unknown slot ID -1");
}

void
oracle_program(void)
{
    make("none", NULL, 0);
    make("exec twice", SLOTS({Py_mod_exec, exec_one}, {Py_mod_exec, exec_two}),
         0);
    make("create", SLOTS({Py_mod_create, create}, {Py_mod_exec, exec_one}), 0);
    wrong_slots();
    make("create a list", SLOTS({Py_mod_create, create_list}), 0);
    make("create a list with exec",
         SLOTS({Py_mod_create, create_list}, {Py_mod_exec, exec_one}), 0);
    make("create a list with state", SLOTS({Py_mod_create, create_list}), 8);
    make("create fails", SLOTS({Py_mod_create, create_fails}), 0);
    make("create fails silently", SLOTS({Py_mod_create, create_null}), 0);
    make("create raises", SLOTS({Py_mod_create, create_and_raise}), 0);
    make("exec fails",
         SLOTS({Py_mod_exec, exec_fails}, {Py_mod_exec, exec_two}), 0);
    make("exec fails silently", SLOTS({Py_mod_exec, exec_silent}), 0);
    make("exec raises", SLOTS({Py_mod_exec, exec_and_raise}), 0);
    make("size -1", SLOTS({Py_mod_exec, exec_one}), -1);
}
