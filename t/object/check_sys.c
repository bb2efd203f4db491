/* check_sys.c: sys and builtins, constants, beginning and end. */

#include "../support/suite.h"

#include <string.h>
#include <time.h>

/* ------------------------------------------------------------------ */
/* sys and builtins                                                    */

START_TEST(sys_shows_the_library)
{
    PyObject *sys = suite_require(PyImport_ImportModule("sys"));
    ck_assert_ptr_eq(PySys_GetObject("modules"), PyImport_GetModuleDict());
    ck_assert_ptr_eq(PySys_GetObject("unraisablehook"), Py_None);
    ck_assert_str_eq(PyUnicode_AsUTF8(PySys_GetObject("version")),
                     Py_GetVersion());
    ck_assert_int_eq(strncmp(Py_GetVersion(), PY_VERSION, 6), 0);
    suite_new_text(PyObject_CallMethod(sys, "getfilesystemencoding", NULL),
                   Py_FileSystemDefaultEncoding);
    Py_DECREF(sys);

    ck_assert_ptr_null(PySys_GetObject("mine"));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(PySys_SetObject("mine", Py_True), 0);
    ck_assert_ptr_eq(PySys_GetObject("mine"), Py_True);
    ck_assert_int_eq(PySys_SetObject("mine", NULL), 0);
    ck_assert_ptr_null(PySys_GetObject("mine"));
    ck_assert_int_eq(PySys_SetObject("mine", NULL), 0);
}

START_TEST(numbers_and_threads_are_described)
{
    PyObject *info = suite_require(PyFloat_GetInfo());
    PyTypeObject *type = Py_TYPE(info);

    ck_assert_ptr_eq(type, Py_TYPE(PySys_GetObject("float_info")));
    suite_new_int(PyObject_GetAttrString(info, "mant_dig"), DBL_MANT_DIG);
    Py_DECREF(info);
    info = suite_require(PyLong_GetInfo());
    suite_new_int(PyObject_GetAttrString(info, "bits_per_digit"),
                  PyLong_GetNativeLayout()->bits_per_digit);
    Py_DECREF(info);
    info = suite_require(PyThread_GetInfo());
    suite_new_text(PyObject_GetAttrString(info, "name"), "pthread");
    Py_DECREF(info);

    Py_Finalize();
    Py_Initialize();
    ck_assert_ptr_eq(type, Py_TYPE(PySys_GetObject("float_info")));
    info = suite_require(PyFloat_GetInfo());
    suite_new_int(PyObject_GetAttrString(info, "radix"), FLT_RADIX);
    Py_DECREF(info);
}

START_TEST(attributes_of_sys_may_be_missing)
{
    PyObject *name = PyUnicode_FromString("mine"), *value = Py_None;

    ck_assert_int_eq(PySys_GetOptionalAttr(name, &value), 0);
    ck_assert_ptr_null(value);
    ck_assert_int_eq(PySys_GetOptionalAttrString("modules", &value), 1);
    ck_assert_ptr_eq(value, PyImport_GetModuleDict());
    Py_DECREF(value);
    suite_refused(PySys_GetAttr(name), PyExc_RuntimeError, "lost sys.mine");
    suite_refused(PySys_GetAttrString("mine"), PyExc_RuntimeError,
                  "lost sys.mine");
    ck_assert_int_eq(PySys_SetObject("mine", name), 0);
    ck_assert_int_eq(Py_REFCNT(name), 2);
    ck_assert_ptr_eq(PySys_GetAttrString("mine"), name);
    ck_assert_int_eq(Py_REFCNT(name), 3);
    suite_drop(name, name);
    suite_failed(PySys_GetOptionalAttr(Py_None, &value), PyExc_TypeError,
                 "attribute name must be string, not 'NoneType'");
    ck_assert_ptr_null(value);
}

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
    suite_refused(Py_GetConstant(10), PyExc_SystemError, NULL);
    suite_refused(Py_GetConstantBorrowed(10), PyExc_SystemError, NULL);
}

START_TEST(sys_path_comes_from_the_environment)
{
    Py_Finalize();
    ck_assert_int_eq(setenv("PYBOEHM_PATH", "/a::/b", 1), 0);
    Py_Initialize();
    suite_new_text(PyObject_Repr(PySys_GetObject("path")),
                   "['/a', '.', '/b']");
}

START_TEST(builtins_holds_types_exceptions_and_constants)
{
    PyObject *builtins = suite_require(PyImport_ImportModule("builtins"));
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

static int released;

static void
witness_dealloc(PyObject *self)
{
    released++;
    ck_assert_int_eq(Py_IsFinalizing(), 1);
    ck_assert_int_eq(Py_IsInitialized(), 1);
    PyObject_Free(self);
}

static PyTypeObject witness_type = {SUITE_TYPE("t.Witness"),
                                    .tp_dealloc = witness_dealloc};

/* One witness in a module of its own, one in a module that the test holds, one
   in sys, one in a module cycle. */
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

static int exit_order[4], exit_count;

static void
note_exit(void *data)
{
    PyObject *list = PyList_New(0); /* the API can be used */

    ck_assert_ptr_nonnull(list);
    Py_DECREF(list);
    exit_order[exit_count++] = *(int *)data;
}

static void
exit_badly(void *Py_UNUSED(data))
{
    PyErr_SetString(PyExc_ValueError, "at the end");
}

START_TEST(calls_at_exit_may_use_the_api)
{
    static int numbers[] = {1, 2, 3};
    PyInterpreterState *interp = PyInterpreterState_Get();

    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PyUnstable_AtExit(interp, note_exit, numbers + i), 0);
    ck_assert_int_eq(PyUnstable_AtExit(interp, exit_badly, NULL), 0);
    suite_catch_stderr();
    Py_Finalize();
    char *text = suite_caught_stderr();
    ck_assert_ptr_nonnull(strstr(text, "ValueError: at the end"));
    free(text);
    ck_assert_int_eq(exit_count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(exit_order[i], 3 - i);
    Py_Initialize();
    Py_Finalize();
    ck_assert_int_eq(exit_count, 3);
    Py_Initialize();
}

START_TEST(all_states_can_be_gone_over)
{
    PyInterpreterState *interp = PyInterpreterState_Get();
    PyThreadState *other = PyThreadState_New(interp);
    int found = 0;

    ck_assert_ptr_eq(PyInterpreterState_Head(), interp);
    ck_assert_ptr_null(PyInterpreterState_Next(interp));
    for (PyThreadState *ts = PyInterpreterState_ThreadHead(interp); ts != NULL;
         ts = PyThreadState_Next(ts))
        found += ts == other || ts == PyThreadState_Get() ? 1 : 10;
    ck_assert_int_eq(found, 2);
    PyThreadState_Clear(other);
    PyThreadState_Delete(other);
}

START_TEST(clocks_go_forward)
{
    PyTime_t early, late, raw, now;

    ck_assert_int_eq(PyTime_Monotonic(&early), 0);
    ck_assert_int_eq(PyTime_MonotonicRaw(&raw), 0);
    ck_assert_int_eq(PyTime_PerfCounter(&late), 0);
    ck_assert_int_le(early, raw);
    ck_assert_int_le(raw, late);
    ck_assert_int_eq(PyTime_PerfCounterRaw(&late), 0);
    ck_assert_int_lt(late - early, 1000000000);

    ck_assert_int_eq(PyTime_Time(&now), 0);
    ck_assert_int_eq(PyTime_TimeRaw(&late), 0);
    ck_assert_int_lt(imaxabs(now / 1000000000 - time(NULL)), 2);
    ck_assert_int_lt(imaxabs(late - now), 1000000000);
    ck_assert_double_eq(PyTime_AsSecondsDouble(1500000000), 1.5);
    ck_assert_double_eq(PyTime_AsSecondsDouble(PyTime_MIN),
                        -9223372036.854775808);
    ck_assert_int_eq(PyTime_MAX, INT64_MAX);
}
