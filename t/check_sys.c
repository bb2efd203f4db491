/* check_sys.c: sys and builtins, constants, beginning and end. */

#include "suite.h"

#include <string.h>

/* ------------------------------------------------------------------ */
/* sys and builtins                                                    */

START_TEST(sys_shows_the_library)
{
    PyObject *sys = PyImport_ImportModule("sys");
    ck_assert_ptr_nonnull(sys);
    ck_assert_ptr_eq(PySys_GetObject("modules"), PyImport_GetModuleDict());
    ck_assert_ptr_eq(PySys_GetObject("unraisablehook"), Py_None);
    ck_assert_str_eq(PyUnicode_AsUTF8(PySys_GetObject("version")),
                     Py_GetVersion());
    ck_assert_int_eq(strncmp(Py_GetVersion(), PY_VERSION, 6), 0);
    Py_DECREF(sys);

    ck_assert_ptr_null(PySys_GetObject("mine"));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(PySys_SetObject("mine", Py_True), 0);
    ck_assert_ptr_eq(PySys_GetObject("mine"), Py_True);
    ck_assert_int_eq(PySys_SetObject("mine", NULL), 0);
    ck_assert_ptr_null(PySys_GetObject("mine"));
    ck_assert_int_eq(PySys_SetObject("mine", NULL), 0);
}
END_TEST

START_TEST(attributes_of_sys_may_be_missing)
{
    PyObject *name = PyUnicode_FromString("mine"), *value = Py_None;

    ck_assert_int_eq(PySys_GetOptionalAttr(name, &value), 0);
    ck_assert_ptr_null(value);
    ck_assert_int_eq(PySys_GetOptionalAttrString("modules", &value), 1);
    ck_assert_ptr_eq(value, PyImport_GetModuleDict());
    Py_DECREF(value);
    ck_assert_ptr_null(PySys_GetAttr(name));
    suite_exception(PyExc_RuntimeError, "lost sys.mine");
    ck_assert_ptr_null(PySys_GetAttrString("mine"));
    suite_exception(PyExc_RuntimeError, "lost sys.mine");
    ck_assert_int_eq(PySys_SetObject("mine", name), 0);
    ck_assert_int_eq(Py_REFCNT(name), 2);
    ck_assert_ptr_eq(PySys_GetAttrString("mine"), name);
    ck_assert_int_eq(Py_REFCNT(name), 3);
    Py_DECREF(name);
    Py_DECREF(name);
    ck_assert_int_eq(PySys_GetOptionalAttr(Py_None, &value), -1);
    suite_exception(PyExc_TypeError,
                    "attribute name must be string, not 'NoneType'");
    ck_assert_ptr_null(value);
}
END_TEST

START_TEST(constants_have_numbers)
{
    const char *const reprs[] = {
        "None", "False", "True", "Ellipsis", "NotImplemented",
        "0",    "1",     "''",   "b''",      "()",
    };

    for (unsigned i = 0; i < Py_ARRAY_LENGTH(reprs); i++) {
        PyObject *constant = Py_GetConstant(i);
        suite_repr(constant, reprs[i]);
        ck_assert_ptr_eq(Py_GetConstantBorrowed(i), constant);
        Py_DECREF(constant);
    }
    ck_assert_ptr_null(Py_GetConstant(10));
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_ptr_null(Py_GetConstantBorrowed(10));
    suite_exception(PyExc_SystemError, NULL);
}
END_TEST

START_TEST(sys_path_comes_from_the_environment)
{
    Py_Finalize();
    ck_assert_int_eq(setenv("PYBOEHM_PATH", "/a::/b", 1), 0);
    Py_Initialize();
    PyObject *text = PyObject_Repr(PySys_GetObject("path"));
    ck_assert_str_eq(PyUnicode_AsUTF8(text), "['/a', '.', '/b']");
    Py_DECREF(text);
}
END_TEST

START_TEST(builtins_holds_types_exceptions_and_constants)
{
    PyObject *builtins = PyImport_ImportModule("builtins");
    ck_assert_ptr_nonnull(builtins);
    PyObject *dict = PyModule_GetDict(builtins);
    ck_assert_ptr_eq(PyEval_GetBuiltins(), dict);
    ck_assert_ptr_eq(PyEval_GetFrameBuiltins(), dict);
    Py_DECREF(dict);
    ck_assert_ptr_eq(PyDict_GetItemString(dict, "None"), Py_None);
    ck_assert_ptr_eq(PyDict_GetItemString(dict, "True"), Py_True);
    ck_assert_ptr_eq(PyDict_GetItemString(dict, "dict"),
                     (PyObject *)&PyDict_Type);
    ck_assert_ptr_eq(PyDict_GetItemString(dict, "KeyError"), PyExc_KeyError);
    ck_assert_ptr_eq(PyDict_GetItemString(dict, "IOError"), PyExc_OSError);
    Py_DECREF(builtins);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Beginning and end                                                   */

/* Is there an entry in sys.modules? */
static int
gc_is_entered(void)
{
    return PyDict_ContainsString(PyImport_GetModuleDict(), "gc") > 0;
}

START_TEST(initialize_and_finalize_can_be_repeated)
{
    Py_Initialize();
    ck_assert_int_eq(Py_IsInitialized(), 1);
    ck_assert_int_eq(Py_IsFinalizing(), 0);
    for (int i = 0; i < 3; i++) {
        Py_DECREF(PyImport_ImportModule("gc"));
        ck_assert(gc_is_entered());
        ck_assert_int_eq(Py_FinalizeEx(), 0);
        ck_assert_int_eq(Py_IsInitialized(), 0);
        ck_assert_int_eq(Py_FinalizeEx(), 0);
        Py_Initialize();
        ck_assert(!gc_is_entered());
    }
    PyErr_SetString(PyExc_KeyError, "works");
    suite_exception(PyExc_KeyError, "'works'");
}
END_TEST

static int exits[3], n_exits;

static void
exit_one(void)
{
    ck_assert_int_eq(Py_IsInitialized(), 0);
    ck_assert_ptr_null(PyEval_GetBuiltins());
    ck_assert_ptr_null(PyEval_GetFrameBuiltins());
    exits[n_exits++] = 1;
}

static void
exit_two(void)
{
    exits[n_exits++] = 2;
}

static void
exit_nothing(void)
{
}

START_TEST(exit_functions_run_last_in_first_out)
{
    ck_assert_int_eq(Py_AtExit(exit_one), 0);
    ck_assert_int_eq(Py_AtExit(exit_two), 0);
    Py_Finalize();
    ck_assert_int_eq(n_exits, 2);
    ck_assert_int_eq(exits[0], 2);
    ck_assert_int_eq(exits[1], 1);

    for (int i = 0; i < 32; i++)
        ck_assert_int_eq(Py_AtExit(exit_nothing), 0);
    ck_assert_int_eq(Py_AtExit(exit_nothing), -1);
    Py_Initialize();
}
END_TEST

static int released;

static void
witness_dealloc(PyObject *self)
{
    released++;
    ck_assert_int_eq(Py_IsFinalizing(), 1);
    ck_assert_int_eq(Py_IsInitialized(), 1);
    PyObject_Free(self);
}

static PyTypeObject witness_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Witness",
    .tp_basicsize = sizeof(PyObject),
    .tp_dealloc = witness_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

/* One witness in a module of its own, one in a module that somebody holds,
   one in sys, one in a module cycle. */
START_TEST(finalize_empties_all_modules)
{
    ck_assert_int_eq(PyType_Ready(&witness_type), 0);
    PyObject *own = PyImport_AddModule("own");
    PyObject *held = PyImport_AddModuleRef("held");
    PyObject *cycle = PyImport_AddModule("cycle");
    ck_assert_int_eq(PyModule_AddObjectRef(cycle, "self", cycle), 0);

    PyObject *modules[] = {own, held, cycle, PyImport_AddModule("sys")};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(modules); i++) {
        PyObject *witness = PyObject_New(PyObject, &witness_type);
        ck_assert_int_eq(PyModule_Add(modules[i], "witness", witness), 0);
    }
    Py_Finalize();
    ck_assert_int_eq(released, 4);
    Py_Initialize();
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {sys_shows_the_library, 0},
        {attributes_of_sys_may_be_missing, 0},
        {constants_have_numbers, 0},
        {sys_path_comes_from_the_environment, 0},
        {builtins_holds_types_exceptions_and_constants, 0},
        {initialize_and_finalize_can_be_repeated, 0},
        {exit_functions_run_last_in_first_out, 0},
        {finalize_empties_all_modules, 0},
        {NULL, 0},
    };
    return suite_run("sys", tests);
}
