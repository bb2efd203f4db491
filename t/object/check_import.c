/* check_import.c: importing.

   Shared modules are looked for in the directory that the environment variable
   PYBOEHM_TEST_MODULES names, else in t/modules/.libs. */

#include "../support/suite.h"

#include <limits.h>
#include <pyboehm.h>
#include <string.h>
#include <unistd.h>

/* Is there an entry in sys.modules?  1 or 0. */
static int
is_entered(const char *name)
{
    int found = PyDict_ContainsString(PyImport_GetModuleDict(), name);
    ck_assert_int_ge(found, 0);
    return found;
}

static void
assert_attribute(PyObject *op, const char *name, const char *text)
{
    PyObject *value = suite_require(PyObject_GetAttrString(op, name));
    ck_assert_str_eq(PyUnicode_AsUTF8(value), text);
    Py_DECREF(value);
}

/* ------------------------------------------------------------------ */
/* Built-in modules                                                    */

static int plain_runs;

static PyModuleDef plain_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "plain",
    .m_size = -1,
};

static PyObject *
init_plain(void)
{
    plain_runs++;
    return PyModule_Create(&plain_def);
}

/* A module that leaves garbage, whose finalizer imports "plain" when the next
   container is made. */
static PyModuleDef littering_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "littering",
    .m_size = -1,
};

static void
import_plain(PyObject *Py_UNUSED(op))
{
    Py_XDECREF(PyImport_ImportModule("plain"));
}

static PyType_Slot litter_slots[] = {
    {Py_tp_finalize, (void *)import_plain},
    {0, NULL},
};

static PyType_Spec litter_spec = {
    .name = "test.Litter",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = litter_slots,
};

static PyObject *
init_littering(void)
{
    PyObject *module = PyModule_Create(&littering_def);
    PyObject *base = suite_require(PyType_FromSpec(&litter_spec));
    PyObject *type = suite_class("s(O){}", "L", base);
    PyObject *op = suite_require(PyObject_CallNoArgs(type));

    ck_assert_int_eq(PyObject_SetAttrString(op, "self", op), 0);
    suite_drop(op, type, base);
    PyBoehm_GC_SetThreshold((const int[]){1, 0, 0});
    return module;
}

static PyModuleDef inner_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "inner",
    .m_size = -1,
};

static PyObject *
init_inner(void)
{
    return PyModule_Create(&inner_def);
}

static PyObject *
init_silent(void)
{
    return NULL;
}

static PyObject *
init_raising(void)
{
    PyErr_SetString(PyExc_KeyError, "init");
    return NULL;
}

static PyObject *
init_unreported(void)
{
    PyErr_SetString(PyExc_KeyError, "init");
    return PyModule_New("unreported");
}

static PyObject *
init_list(void)
{
    return PyList_New(0);
}

static PyModuleDef uninitialized_def = {PyModuleDef_HEAD_INIT, .m_name = "u"};

static PyObject *
init_uninitialized(void)
{
    return (PyObject *)&uninitialized_def;
}

static int
exec_failing(PyObject *Py_UNUSED(module))
{
    ck_assert(is_entered("failing"));
    PyErr_SetString(PyExc_ValueError, "exec");
    return -1;
}

static PyModuleDef_Slot failing_slots[] = {
    {Py_mod_exec, (void *)exec_failing},
    {0, NULL},
};
static PyModuleDef failing_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "failing",
    .m_slots = failing_slots,
};

static PyObject *
init_failing(void)
{
    return PyModuleDef_Init(&failing_def);
}

static struct _inittab more[] = {
    {"silent", init_silent},
    {"raising", init_raising},
    {"unreported", init_unreported},
    {"list", init_list},
    {"uninitialized", init_uninitialized},
    {"failing", init_failing},
    {"plain.inner", init_inner},
    {NULL, NULL},
};

START_TEST(a_builtin_module_is_initialised_once)
{
    PyObject *module = suite_require(PyImport_ImportModule("plain"));
    ck_assert_int_eq(plain_runs, 1);
    ck_assert_str_eq(PyModule_GetName(module), "plain");
    ck_assert_ptr_eq(PyState_FindModule(&plain_def), module);
    PyObject *spec = PyObject_GetAttrString(module, "__spec__");
    assert_attribute(spec, "name", "plain");
    assert_attribute(spec, "origin", "built-in");
    assert_attribute(spec, "parent", "");
    Py_DECREF(spec);

    PyObject *name = PyUnicode_FromString("plain");
    PyObject *again = PyImport_Import(name);
    ck_assert_ptr_eq(again, module);
    ck_assert_int_eq(plain_runs, 1);
    Py_DECREF(again);
    again = PyImport_GetModule(name);
    ck_assert_ptr_eq(again, module);
    suite_drop(again, name, module);
}

START_TEST(a_submodule_gets_its_full_name_and_its_parent)
{
    PyObject *parent = PyImport_ImportModule("plain");
    PyObject *module = suite_require(PyImport_ImportModule("plain.inner"));
    ck_assert_str_eq(PyModule_GetName(module), "plain.inner");
    assert_attribute(module, "__package__", "plain");
    PyObject *attribute = PyObject_GetAttrString(parent, "inner");
    ck_assert_ptr_eq(attribute, module);
    suite_drop(attribute, module, parent);
}

/* Fails unless the import raises the exception and leaves no entry. */
static void
assert_import_fails(const char *name, PyObject *type, const char *text)
{
    suite_refused(PyImport_ImportModule(name), type, text);
    ck_assert(!is_entered(name));
}

START_TEST(a_note_says_where_it_was_looked_for)
{
    PyObject *path = suite_require(Py_BuildValue("[ss]", "/no/such", "/"));

    ck_assert_int_eq(PySys_SetObject("path", path), 0);
    ck_assert_ptr_null(PyImport_ImportModule("nowhere"));
    PyObject *exc = PyErr_GetRaisedException();
    PyObject *notes = PyObject_GetAttrString(exc, "__notes__");
    suite_repr(notes, "['there is no directory /no/such', "
                      "'there is no file of it in /']");
    suite_drop(path, notes);
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_ModuleNotFoundError, "No module named 'nowhere'");
}

START_TEST(an_unknown_module_is_not_found)
{
    ck_assert_ptr_null(PyImport_ImportModule("nowhere"));
    PyObject *exc = PyErr_GetRaisedException();
    assert_attribute(exc, "name", "nowhere");
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_ModuleNotFoundError,
                    "No module named 'nowhere': PYBOEHM_PATH is not set");
    assert_import_fails("", PyExc_ValueError, "Empty module name");
    suite_refused(PyImport_Import(Py_None), PyExc_TypeError,
                  "module name must be a string");
}

START_TEST(none_in_sys_modules_halts_an_import)
{
    PyObject *modules = PyImport_GetModuleDict();
    ck_assert_int_eq(PyDict_SetItemString(modules, "plain", Py_None), 0);
    suite_refused(PyImport_ImportModule("plain"), PyExc_ModuleNotFoundError,
                  "import of plain halted; None in sys.modules");
}

START_TEST(misbehaving_entry_functions_are_told_of)
{
    assert_import_fails("silent", PyExc_SystemError,
                        "initialization of silent failed without raising an "
                        "exception");
    assert_import_fails("raising", PyExc_KeyError, "'init'");
    assert_import_fails("unreported", PyExc_SystemError,
                        "initialization of unreported raised unreported "
                        "exception");
    assert_import_fails("list", PyExc_SystemError,
                        "initialization of list did not return an extension "
                        "module");
    assert_import_fails("uninitialized", PyExc_SystemError,
                        "init function of uninitialized returned "
                        "uninitialized object");
    assert_import_fails("failing", PyExc_ValueError, "exec");
}

START_TEST(add_module_makes_an_empty_one_once)
{
    PyObject *module = suite_require(PyImport_AddModuleRef("fresh"));
    ck_assert(is_entered("fresh"));
    ck_assert_int_eq(Py_REFCNT(module), 2);
    ck_assert_ptr_eq(PyImport_AddModule("fresh"), module);
    ck_assert_int_eq(Py_REFCNT(module), 2);
    Py_DECREF(module);

    PyObject *name = PyUnicode_FromString("missing");
    ck_assert_ptr_null(PyImport_GetModule(name));
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(name);
}

START_TEST(attributes_can_be_imported)
{
    suite_new_same(PyImport_ImportModuleAttrString("builtins", "int"),
                   (PyObject *)&PyLong_Type);
    suite_refused(PyImport_ImportModuleAttrString("builtins", "no"),
                  PyExc_AttributeError,
                  "module 'builtins' has no attribute 'no'");
}

/* ------------------------------------------------------------------ */
/* Shared modules                                                      */

static void
modules_directory(char path[PATH_MAX])
{
    const char *given = getenv("PYBOEHM_TEST_MODULES");

    ck_assert_msg(realpath(given ? given : "t/modules/.libs", path) != NULL,
                  "no test modules; set PYBOEHM_TEST_MODULES");
}

/* sys.path becomes that directory alone. */
static void
search_in(const char *directory)
{
    PyObject *path = suite_require(Py_BuildValue("[s]", directory));
    ck_assert_int_eq(PySys_SetObject("path", path), 0);
    Py_DECREF(path);
}

static void
search_test_modules(void)
{
    char path[PATH_MAX];

    modules_directory(path);
    search_in(path);
}

static long
call_runs(PyObject *module)
{
    PyObject *result =
        suite_require(PyObject_CallMethod(module, "runs", NULL));
    long runs = PyLong_AsLong(result);
    Py_DECREF(result);
    return runs;
}

START_TEST(a_shared_module_of_one_phase_is_loaded)
{
    search_test_modules();
    PyObject *module = suite_require(PyImport_ImportModule("mod_single"));
    assert_attribute(module, "__doc__", "One phase.");
    ck_assert_int_eq(call_runs(module), 1);

    char file[PATH_MAX + 32];
    modules_directory(file);
    strcat(file, "/mod_single.so");
    ck_assert_str_eq(PyModule_GetFilename(module), file);

    PyObject *again = PyImport_ImportModule("mod_single");
    ck_assert_ptr_eq(again, module);
    ck_assert_int_eq(call_runs(module), 1);
    suite_drop(again, module);
}

START_TEST(a_shared_module_of_several_phases_is_loaded)
{
    search_test_modules();
    PyObject *module = suite_require(PyImport_ImportModule("mod_phases"));
    PyObject *list = suite_require(PyObject_GetAttrString(module, "list"));
    ck_assert_ptr_eq(*(PyObject **)PyModule_GetState(module), list);
    suite_drop(list, module);
}

/* A directory whose name is not in the file system's encoding, before another
   one or as the place of the module. */
START_TEST(a_directory_that_cannot_be_decoded)
{
    char modules[PATH_MAX], top[] = "/tmp/pyboehm.XXXXXX", odd[60],
                            both[PATH_MAX + 100];

    modules_directory(modules);
    ck_assert_ptr_nonnull(mkdtemp(top));
    snprintf(odd, sizeof odd, "%s/bad\xff", top);
    snprintf(both, sizeof both, "%s:%s", odd, modules);
    for (int round = 0; round < 2; round++) {
        if (round == 1)
            ck_assert_int_eq(symlink(modules, odd), 0);
        Py_Finalize();
        setenv("PYBOEHM_PATH", round == 0 ? both : odd, 1);
        Py_Initialize();
        PyObject *module = suite_require(PyImport_ImportModule("mod_single"));
        Py_DECREF(module);
    }
    ck_assert_int_eq(unlink(odd), 0);
    ck_assert_int_eq(rmdir(top), 0);
    unsetenv("PYBOEHM_PATH");
}

static char package_top[64], package_link[64];

/* A directory "pkg" with the modules in it is found from here on. */
static void
make_package(void)
{
    char modules[PATH_MAX];

    strcpy(package_top, "/tmp/check_import.XXXXXX");
    modules_directory(modules);
    ck_assert_ptr_nonnull(mkdtemp(package_top));
    snprintf(package_link, sizeof package_link, "%.50s/pkg", package_top);
    ck_assert_int_eq(symlink(modules, package_link), 0);
    search_in(package_top);
}

static void
remove_package(void)
{
    unlink(package_link);
    rmdir(package_top);
}

START_TEST(a_dotted_name_is_a_path)
{
    make_package();
    PyObject *module = PyImport_ImportModule("pkg.mod_single");
    remove_package();
    ck_assert_ptr_nonnull(module);
    ck_assert_str_eq(PyModule_GetName(module), "pkg.mod_single");
    Py_DECREF(module);
}

START_TEST(a_directory_is_a_package)
{
    char path[100];

    make_package();
    PyObject *module = suite_require(PyImport_ImportModule("pkg.mod_single"));
    remove_package();
    PyObject *package = suite_require(PyImport_ImportModule("pkg"));
    snprintf(path, sizeof path, "['%s']", package_link);
    suite_new_repr(PyObject_GetAttrString(package, "__path__"), path);
    suite_new_text(PyObject_GetAttrString(package, "__package__"), "pkg");
    suite_new_same(PyObject_GetAttrString(package, "mod_single"), module);
    suite_drop(module, package);
}

START_TEST(a_capsule_is_found_in_a_package)
{
    make_package();
    suite_refused(PyCapsule_Import("pkg.mod_single.missing", 0),
                  PyExc_AttributeError, NULL);
    suite_refused(PyCapsule_Import("pkg.no_such.missing", 0),
                  PyExc_ModuleNotFoundError, "No module named 'pkg.no_such'");
    remove_package();
    ck_assert_int_eq(
        PyMapping_HasKeyString(PyImport_GetModuleDict(), "pkg.mod_single"), 1);
}

START_TEST(a_shared_object_without_entry_is_no_module)
{
    search_test_modules();
    ck_assert_ptr_null(PyImport_ImportModule("mod_noentry"));
    PyObject *exc = PyErr_GetRaisedException();
    PyObject *notes = PyObject_GetAttrString(exc, "__notes__");
    assert_attribute(exc, "name", "mod_noentry");
    ck_assert_ptr_nonnull(
        strstr(PyUnicode_AsUTF8(PyList_GetItem(notes, 0)), "/mod_noentry"));
    Py_DECREF(notes);
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_ImportError,
                    "dynamic module does not define module export function "
                    "(PyModExport_mod_noentry or PyInit_mod_noentry)");
    ck_assert(!is_entered("mod_noentry"));
}

START_TEST(a_file_for_another_implementation_is_an_import_error)
{
    char top[] = "/tmp/check_import.XXXXXX", file[80], other[80];

    ck_assert_ptr_nonnull(mkdtemp(top));
    snprintf(file, sizeof file, "%s/foreign.cpython-311-x86_64-linux-gnu.so",
             top);
    snprintf(other, sizeof other, "%s/foreigner.txt", top);
    fclose(suite_require(fopen(file, "w")));
    fclose(suite_require(fopen(other, "w")));
    search_in(top);
    ck_assert_ptr_null(PyImport_ImportModule("foreign"));
    ck_assert(PyErr_ExceptionMatches(PyExc_ImportError));
    ck_assert(!PyErr_ExceptionMatches(PyExc_ModuleNotFoundError));
    PyObject *exc = PyErr_GetRaisedException();
    assert_attribute(exc, "path", file);
    assert_attribute(exc, "name", "foreign");
    PyObject *text = PyObject_Str(exc);
    ck_assert_ptr_nonnull(strstr(PyUnicode_AsUTF8(text), file));
    ck_assert_ptr_nonnull(
        strstr(PyUnicode_AsUTF8(text), "without Py_LIMITED_API"));
    suite_drop(text, exc);
    /* The name is whole. */
    suite_refused(PyImport_ImportModule("foreigner"),
                  PyExc_ModuleNotFoundError, NULL);
    suite_refused(PyImport_ImportModule("fore"), PyExc_ModuleNotFoundError,
                  NULL);
    unlink(file);
    unlink(other);
    rmdir(top);
}

START_TEST(a_file_that_is_no_shared_object_is_an_import_error)
{
    char top[] = "/tmp/check_import.XXXXXX", file[64];

    ck_assert_ptr_nonnull(mkdtemp(top));
    snprintf(file, sizeof file, "%s/text.so", top);
    FILE *out = suite_require(fopen(file, "w"));
    fputs("text\n", out);
    fclose(out);
    search_in(top);
    ck_assert_ptr_null(PyImport_ImportModule("text"));
    unlink(file);
    rmdir(top);

    PyObject *exc = PyErr_GetRaisedException();
    assert_attribute(exc, "path", file);
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_ImportError, NULL);
    ck_assert(!is_entered("text"));
}

/* ------------------------------------------------------------------ */
/* Export hooks                                                        */

/* Imports the file of that name under another one, from a directory made for
   that; NULL with what the import raised. */
static PyObject *
import_as(const char *file, const char *name)
{
    char modules[PATH_MAX], from[PATH_MAX + 32], to[PATH_MAX];
    char top[] = "/tmp/check_import.XXXXXX";

    modules_directory(modules);
    snprintf(from, sizeof from, "%s/%s.so", modules, file);
    ck_assert_ptr_nonnull(mkdtemp(top));
    snprintf(to, sizeof to, "%s/%s.so", top, name);
    ck_assert_int_eq(symlink(from, to), 0);
    search_in(top);
    PyObject *module = PyImport_ImportModule(name);
    unlink(to);
    rmdir(top);
    return module;
}

START_TEST(an_export_hook_goes_before_an_init_function)
{
    void *token, *state;

    search_test_modules();
    PyObject *module = suite_require(PyImport_ImportModule("mod_export"));
    assert_attribute(module, "__doc__", "Exported.");
    suite_new_int(PyObject_GetAttrString(module, "answer"), 42);
    ck_assert_ptr_null(PyModule_GetDef(module));
    ck_assert_ptr_null(PyErr_Occurred());
    state = PyModule_GetState(module);
    ck_assert_int_eq(*(long *)state, 42);
    ck_assert_int_eq(PyModule_GetToken(module, &token), 0);
    ck_assert_int_eq(((PySlot *)token)->sl_id, Py_mod_abi); /* the slots */

    /* Another import, another module: the old one is garbage. */
    PyObject *reference = PyWeakref_NewRef(module, NULL), *again, *old;
    void *second;
    ck_assert_int_eq(
        PyDict_DelItemString(PyImport_GetModuleDict(), "mod_export"), 0);
    again = suite_require(PyImport_ImportModule("mod_export"));
    ck_assert_ptr_ne(again, module);
    ck_assert_ptr_ne(PyModule_GetState(again), state);
    ck_assert_int_eq(PyModule_GetToken(again, &second), 0);
    ck_assert_ptr_eq(second, token);
    Py_DECREF(module);
    ck_assert_int_eq(PyWeakref_GetRef(reference, &old), 0);
    suite_drop(reference, again);
}

START_TEST(a_name_that_is_not_ascii_is_in_punycode)
{
    PyObject *module =
        suite_require(import_as("mod_export", "gr\303\266\303\237e"));
    ck_assert_str_eq(PyModule_GetName(module), "gr\303\266\303\237e");
    suite_new_int(PyObject_GetAttrString(module, "answer"), 42);
    Py_DECREF(module);

    const char *japan = "\346\227\245\346\234\254";
    suite_refused(import_as("mod_export", japan), PyExc_SystemError,
                  "initialization of \346\227\245\346\234\254 did not return "
                  "PyModuleDef");
    ck_assert(!is_entered(japan));
}

START_TEST(a_hyphen_is_an_underscore_in_a_symbol)
{
    PyObject *module =
        suite_require(import_as("mod_export", "mod-with-hyphens"));
    ck_assert_str_eq(PyModule_GetName(module), "mod-with-hyphens");
    Py_DECREF(module);
}

START_TEST(misbehaving_export_hooks_are_told_of)
{
    suite_refused(import_as("mod_export", "mod_export_null"),
                  PyExc_SystemError,
                  "module export hook for module 'mod_export_null' failed "
                  "without setting an exception");
    suite_refused(import_as("mod_export", "mod_export_raising"),
                  PyExc_SystemError,
                  "module export hook for module 'mod_export_raising' raised "
                  "unreported exception");
    ck_assert(!is_entered("mod_export_raising"));
}

/* ------------------------------------------------------------------ */
/* Importing again                                                     */

/* Takes the entry out of sys.modules and imports again. */
static PyObject *
import_again(const char *name)
{
    ck_assert_int_eq(PyDict_DelItemString(PyImport_GetModuleDict(), name), 0);
    return suite_require(PyImport_ImportModule(name));
}

START_TEST(a_module_with_global_state_is_initialised_once)
{
    search_test_modules();
    PyObject *first = suite_require(PyImport_ImportModule("mod_single"));
    PyObject *function = PyObject_GetAttrString(first, "runs");
    ck_assert_int_eq(PyModule_AddStringConstant(first, "late", "x"), 0);

    PyObject *second = import_again("mod_single");
    ck_assert_ptr_ne(second, first);
    ck_assert_int_eq(call_runs(second), 1);
    assert_attribute(second, "__doc__", "One phase.");
    suite_new_same(PyObject_GetAttrString(second, "runs"), function);
    /* What came later is not in the copy, and the dictionaries are two. */
    ck_assert_int_eq(PyObject_HasAttrString(second, "late"), 0);
    ck_assert_ptr_ne(PyModule_GetDict(second), PyModule_GetDict(first));
    PyObject *spec = PyObject_GetAttrString(second, "__spec__");
    assert_attribute(spec, "name", "mod_single");
    Py_DECREF(spec);

    suite_drop(function, second, first);
    /* Until the library ends. */
    Py_Finalize();
    Py_Initialize();
    search_test_modules();
    first = PyImport_ImportModule("mod_single");
    ck_assert_int_eq(call_runs(first), 2);
    Py_DECREF(first);
}

START_TEST(a_copied_module_is_the_one_that_is_found)
{
    PyObject *first = PyImport_ImportModule("plain");
    ck_assert_ptr_eq(PyState_FindModule(&plain_def), first);
    PyObject *second = import_again("plain");
    ck_assert_ptr_ne(second, first);
    ck_assert_ptr_eq(PyState_FindModule(&plain_def), second);
    ck_assert_int_eq(plain_runs, 1);
    suite_drop(first, second);
}

START_TEST(a_module_of_one_phase_with_state_is_initialised_again)
{
    search_test_modules();
    PyObject *first = PyImport_ImportModule("mod_reinit");
    PyObject *reference = PyWeakref_NewRef(first, NULL), *old;
    suite_new_int(PyObject_GetAttrString(first, "runs"), 1);
    void *state = PyModule_GetState(first);

    PyObject *second = import_again("mod_reinit");
    suite_new_int(PyObject_GetAttrString(second, "runs"), 2);
    ck_assert_ptr_ne(PyModule_GetState(second), state);
    ck_assert_int_eq(Py_REFCNT(first), 1); /* PyState has the second now */
    Py_DECREF(first);
    ck_assert_int_eq(PyWeakref_GetRef(reference, &old), 0);
    suite_drop(reference, second);
}

/* The first one that is kept, and a finalizer keeps another one before it. */
START_TEST(a_module_is_kept_though_another_is_imported_meanwhile)
{
    PyObject *module = suite_require(PyImport_ImportModule("littering"));

    PyGC_Disable();
    ck_assert(is_entered("plain"));
    ck_assert_int_eq(plain_runs, 1);
    PyObject *again = import_again("plain");
    ck_assert_int_eq(plain_runs, 1);
    suite_drop(again, module);
}

START_TEST(a_module_of_several_phases_has_its_own_state)
{
    search_test_modules();
    PyObject *first = PyImport_ImportModule("mod_phases");
    PyObject *second = import_again("mod_phases");
    ck_assert_ptr_ne(first, second);
    PyObject *list = *(PyObject **)PyModule_GetState(first);
    PyObject *other = *(PyObject **)PyModule_GetState(second);
    ck_assert_ptr_ne(list, other);
    ck_assert_int_eq(PyList_Append(list, first), 0);
    ck_assert_int_eq(PyList_Append(other, second), 0);

    /* Each goes with what is its own. */
    PyObject *reference = PyWeakref_NewRef(first, NULL), *old;
    Py_DECREF(first);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(PyWeakref_GetRef(reference, &old), 0);
    ck_assert_ptr_eq(*(PyObject **)PyModule_GetState(second), other);
    ck_assert_int_eq(PyList_GET_SIZE(other), 1);
    suite_drop(reference, second);
}

START_TEST(reloading_keeps_a_module_and_its_state)
{
    search_test_modules();
    PyObject *module = PyImport_ImportModule("mod_phases");
    PyObject *list = *(PyObject **)PyModule_GetState(module);
    PyObject *spec = PyObject_GetAttrString(module, "__spec__");
    PyObject *again = PyImport_ReloadModule(module);

    ck_assert_ptr_eq(again, module);
    ck_assert_ptr_eq(*(PyObject **)PyModule_GetState(module), list);
    Py_DECREF(again);
    again = PyObject_GetAttrString(module, "__spec__");
    ck_assert_ptr_ne(again, spec); /* was looked for again */
    suite_drop(again, spec, module);

    module = PyImport_ImportModule("mod_single");
    again = PyImport_ReloadModule(module);
    ck_assert_ptr_eq(again, module);
    ck_assert_int_eq(call_runs(module), 1);
    suite_drop(again, module);
    module = PyImport_AddModuleRef("sys");
    again = PyImport_ReloadModule(module);
    ck_assert_ptr_eq(again, module);
    suite_drop(again, module);
}

START_TEST(what_is_not_imported_is_not_reloaded)
{
    PyObject *module = PyModule_New("fresh");

    suite_refused(PyImport_ReloadModule(Py_None), PyExc_TypeError,
                  "reload() argument must be a module");
    suite_refused(PyImport_ReloadModule(NULL), PyExc_TypeError,
                  "reload() argument must be a module");
    suite_refused(PyImport_ReloadModule(module), PyExc_ImportError,
                  "module fresh not in sys.modules");
    Py_DECREF(module);
    module = PyImport_AddModule("added");
    suite_refused(PyImport_ReloadModule(module), PyExc_ModuleNotFoundError,
                  "spec not found for the module 'added'");
    ck_assert_int_eq(PyObject_DelAttrString(module, "__spec__"), 0);
    ck_assert_int_eq(PyObject_DelAttrString(module, "__name__"), 0);
    suite_refused(PyImport_ReloadModule(module), PyExc_TypeError,
                  "reload() argument must be a module");
}

/* ------------------------------------------------------------------ */
/* As the statement does                                               */

static PyObject *
import_level(const char *name, PyObject *globals, PyObject *fromlist,
             int level)
{
    return PyImport_ImportModuleLevel(name, globals, NULL, fromlist, level);
}

START_TEST(a_dotted_name_gives_its_first_part_or_the_module)
{
    PyObject *names = Py_BuildValue("(s)", "x"), *none = PyList_New(0);
    PyObject *parent = PyImport_ImportModule("plain");
    PyObject *module = import_level("plain.inner", NULL, NULL, 0);

    ck_assert_ptr_eq(module, parent);
    Py_DECREF(module);
    suite_new_same(import_level("plain.inner", NULL, none, 0), parent);
    module = PyImport_ImportModuleEx("plain.inner", NULL, NULL, names);
    ck_assert_str_eq(PyModule_GetName(module), "plain.inner");
    Py_DECREF(module);
    suite_refused(import_level("plain.none", NULL, names, 0),
                  PyExc_ModuleNotFoundError,
                  "No module named 'plain.none': PYBOEHM_PATH is not set");
    suite_drop(parent, names, none);
}

START_TEST(a_fromlist_imports_submodules_of_a_package)
{
    PyObject *names = Py_BuildValue("[sss]", "inner", "none", "*");
    PyObject *module = PyImport_ImportModule("plain");

    Py_DECREF(import_level("plain", NULL, names, 0));
    ck_assert(!is_entered("plain.inner"));
    ck_assert_int_eq(PyModule_AddStringConstant(module, "__path__", "p"), 0);
    Py_DECREF(import_level("plain", NULL, names, 0));
    ck_assert(is_entered("plain.inner"));
    ck_assert_int_eq(PyObject_HasAttrString(module, "inner"), 1);
    Py_DECREF(names);
    names = Py_BuildValue("[i]", 1);
    suite_refused(import_level("plain", NULL, names, 0), PyExc_TypeError,
                  "Item in ``from list'' must be str, not int");
    suite_drop(names, module);
}

START_TEST(relative_names_begin_at_the_package)
{
    PyObject *globals = Py_BuildValue("{ss}", "__package__", "plain");
    PyObject *names = Py_BuildValue("(s)", "x");
    PyObject *module = suite_require(import_level("inner", globals, NULL, 1));
    ck_assert_str_eq(PyModule_GetName(module), "plain.inner");

    PyObject *dict = PyModule_GetDict(module), *other;
    other = import_level("", dict, names, 1);
    ck_assert_str_eq(PyModule_GetName(other), "plain");
    Py_DECREF(other);
    /* By __spec__, by __name__. */
    ck_assert_int_eq(PyDict_DelItemString(dict, "__package__"), 0);
    other = import_level("", dict, NULL, 1);
    ck_assert_str_eq(PyModule_GetName(other), "plain");
    Py_DECREF(other);
    ck_assert_int_eq(PyDict_DelItemString(dict, "__spec__"), 0);
    other = import_level("inner", dict, NULL, 1);
    ck_assert_ptr_eq(other, module);
    suite_drop(other, module);
    suite_refused(import_level("x", globals, NULL, 2), PyExc_ImportError,
                  "attempted relative import beyond top-level package");
    suite_drop(globals, names);
}

/* Fails unless a relative import with such globals raises that. */
static void
assert_not_relative(const char *key, PyObject *value, PyObject *type,
                    const char *text)
{
    PyObject *globals = PyDict_New();

    if (key != NULL)
        ck_assert_int_eq(PyDict_SetItemString(globals, key, value), 0);
    suite_refused(import_level("x", globals, NULL, 1), type, text);
    Py_DECREF(globals);
}

START_TEST(bad_arguments_of_an_import_are_refused)
{
    PyObject *text = PyUnicode_FromString("alone"),
             *number = PyLong_FromLong(1);

    suite_refused(PyImport_ImportModuleLevelObject(NULL, NULL, NULL, NULL, 0),
                  PyExc_ValueError, "Empty module name");
    suite_refused(
        PyImport_ImportModuleLevelObject(Py_None, NULL, NULL, NULL, 0),
        PyExc_TypeError, "module name must be a string");
    suite_refused(import_level("x", NULL, NULL, -1), PyExc_ValueError,
                  "level must be >= 0");
    suite_refused(import_level("", NULL, NULL, 0), PyExc_ValueError,
                  "Empty module name");
    suite_refused(import_level("x", NULL, NULL, 1), PyExc_KeyError,
                  "\"'__name__' not in globals\"");
    suite_refused(import_level("x", Py_None, NULL, 1), PyExc_TypeError,
                  "globals must be a dict");
    assert_not_relative(NULL, NULL, PyExc_KeyError,
                        "\"'__name__' not in globals\"");
    assert_not_relative("__name__", number, PyExc_TypeError,
                        "__name__ must be a string");
    assert_not_relative("__package__", number, PyExc_TypeError,
                        "package must be a string");
    assert_not_relative("__name__", text, PyExc_ImportError,
                        "attempted relative import with no known parent "
                        "package");
    suite_drop(text, number);
}

int
main(void)
{
    if (PyImport_AppendInittab("plain", init_plain) < 0 ||
        PyImport_AppendInittab("littering", init_littering) < 0 ||
        PyImport_ExtendInittab(more) < 0)
        return EXIT_FAILURE;
    return suite_run("import");
}
