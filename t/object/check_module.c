/* check_module.c: module objects and their definitions. */

#include "../support/suite.h"

/* ------------------------------------------------------------------ */
/* Plain modules                                                       */

START_TEST(a_new_module_has_the_usual_attributes)
{
    PyObject *module = suite_require(PyModule_New("m"));
    ck_assert(PyModule_Check(module));
    ck_assert(PyModule_CheckExact(module));
    ck_assert(PyObject_GC_IsTracked(module));
    ck_assert_int_eq(Py_REFCNT(module), 1);
    ck_assert_str_eq(PyModule_GetName(module), "m");
    ck_assert_ptr_null(PyModule_GetDef(module));
    ck_assert_ptr_null(PyModule_GetState(module));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_new_text(PyObject_Repr(module), "<module 'm'>");

    PyObject *dict = PyModule_GetDict(module);
    ck_assert_ptr_eq(PyDict_GetItemString(dict, "__doc__"), Py_None);
    ck_assert_ptr_eq(PyDict_GetItemString(dict, "__spec__"), Py_None);
    Py_DECREF(module);
}

START_TEST(names_and_files_may_be_missing)
{
    PyObject *module = PyModule_New("m");

    suite_refused(PyModule_GetFilenameObject(module), PyExc_SystemError,
                  "module filename missing");
    ck_assert_int_eq(PyModule_AddStringConstant(module, "__file__", "/f"), 0);
    ck_assert_str_eq(PyModule_GetFilename(module), "/f");
    suite_new_text(PyObject_Repr(module), "<module 'm' from '/f'>");

    ck_assert_int_eq(PyObject_DelAttrString(module, "__name__"), 0);
    suite_refused(PyModule_GetNameObject(module), PyExc_SystemError,
                  "nameless module");
    suite_refused(PyModule_GetName(module), PyExc_SystemError,
                  "nameless module");
    Py_DECREF(module);
}

START_TEST(other_objects_are_refused)
{
    const char *text = "bad argument type for built-in operation";

    suite_refused(PyModule_GetNameObject(Py_None), PyExc_TypeError, text);
    suite_refused(PyModule_GetFilenameObject(Py_None), PyExc_TypeError, text);
    suite_refused(PyModule_GetDef(Py_None), PyExc_TypeError, text);
    suite_refused(PyModule_GetState(Py_None), PyExc_TypeError, text);
    suite_refused(PyModule_GetDict(Py_None), PyExc_SystemError, NULL);
    suite_failed(PyModule_AddObjectRef(Py_None, "a", Py_None), PyExc_TypeError,
                 "PyModule_AddObjectRef() first argument must be a module");
}

START_TEST(a_missing_attribute_names_the_module)
{
    PyObject *module = PyModule_New("m");

    suite_refused(PyObject_GetAttrString(module, "x"), PyExc_AttributeError,
                  "module 'm' has no attribute 'x'");
    ck_assert_int_eq(PyObject_DelAttrString(module, "__name__"), 0);
    suite_refused(PyObject_GetAttrString(module, "x"), PyExc_AttributeError,
                  "module has no attribute 'x'");
    Py_DECREF(module);
}

static PyObject *
echo(PyObject *Py_UNUSED(self), PyObject *name)
{
    return Py_NewRef(name);
}

static PyMethodDef echo_def = {"__getattr__", echo, METH_O, NULL};

START_TEST(a_module_can_answer_for_missing_attributes)
{
    PyObject *module = PyModule_New("m");
    PyObject *function = PyCFunction_New(&echo_def, NULL);

    ck_assert_int_eq(PyModule_Add(module, "__getattr__", function), 0);
    suite_new_text(PyObject_GetAttrString(module, "anything"), "anything");
    Py_DECREF(module);
}

START_TEST(the_type_makes_modules)
{
    PyObject *module =
        PyObject_CallFunction((PyObject *)&PyModule_Type, "ss", "m", "doc");
    ck_assert_ptr_nonnull(module);
    suite_new_text(PyObject_GetAttrString(module, "__doc__"), "doc");
    Py_DECREF(module);
    suite_refused(PyObject_CallFunction((PyObject *)&PyModule_Type, "i", 1),
                  PyExc_TypeError, NULL);
}

/* ------------------------------------------------------------------ */
/* Filling                                                             */

START_TEST(adding_counts_references_as_documented)
{
    PyObject *module = PyModule_New("m");
    PyObject *list = PyList_New(0);

    ck_assert_int_eq(PyModule_AddObjectRef(module, "a", list), 0);
    ck_assert_int_eq(Py_REFCNT(list), 2);
    ck_assert_int_eq(PyModule_AddObject(module, "b", Py_NewRef(list)), 0);
    ck_assert_int_eq(Py_REFCNT(list), 3);
    ck_assert_int_eq(PyModule_Add(module, "c", Py_NewRef(list)), 0);
    ck_assert_int_eq(Py_REFCNT(list), 4);

    suite_failed(PyModule_AddObject(Py_None, "b", list), PyExc_TypeError,
                 NULL);
    ck_assert_int_eq(Py_REFCNT(list), 4);
    suite_failed(PyModule_Add(Py_None, "b", Py_NewRef(list)), PyExc_TypeError,
                 NULL);
    ck_assert_int_eq(Py_REFCNT(list), 4);

    Py_DECREF(module);
    ck_assert_int_eq(Py_REFCNT(list), 1);
    Py_DECREF(list);
}

START_TEST(adding_null_passes_the_exception_on)
{
    PyObject *module = PyModule_New("m");

    PyErr_SetString(PyExc_KeyError, "why");
    suite_failed(PyModule_AddObjectRef(module, "a", NULL), PyExc_KeyError,
                 "'why'");
    suite_failed(PyModule_Add(module, "a", NULL), PyExc_SystemError,
                 "PyModule_AddObjectRef() must be called with an exception "
                 "raised if value is NULL");
    Py_DECREF(module);
}

#define ANSWER 42
#define GREETING "hello"

static PyTypeObject added_type = {SUITE_TYPE("m.sub.Added")};

START_TEST(a_cleared_module_takes_nothing)
{
    PyObject *module = suite_require(PyModule_New("gone"));
    ck_assert_int_eq(PyModule_Type.tp_clear(module), 0);
    suite_failed(PyModule_AddObjectRef(module, "x", Py_None),
                 PyExc_SystemError, "module 'gone' has no __dict__");
    Py_DECREF(module);
}

START_TEST(constants_and_types_are_added)
{
    PyObject *module = PyModule_New("m");

    ck_assert_int_eq(PyModule_AddIntMacro(module, ANSWER), 0);
    ck_assert_int_eq(PyModule_AddStringMacro(module, GREETING), 0);
    ck_assert_int_eq(PyModule_AddType(module, &added_type), 0);
    ck_assert_int_eq(PyModule_SetDocString(module, "doc"), 0);

    suite_new_int(PyObject_GetAttrString(module, "ANSWER"), 42);
    suite_new_text(PyObject_GetAttrString(module, "GREETING"), "hello");
    suite_new_text(PyObject_GetAttrString(module, "__doc__"), "doc");
    PyObject *value = PyObject_GetAttrString(module, "Added");
    ck_assert_ptr_eq(value, (PyObject *)&added_type);
    ck_assert(added_type.tp_flags & Py_TPFLAGS_READY);
    suite_drop(value, module);
}

static PyObject *
whose(PyObject *self, PyObject *Py_UNUSED(args))
{
    return Py_NewRef(self);
}

static PyMethodDef functions[] = {
    {"whose", whose, METH_NOARGS, "Returns the module."},
    {NULL, NULL, 0, NULL},
};
static PyMethodDef class_functions[] = {
    {"whose", whose, METH_NOARGS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

START_TEST(functions_get_the_module_as_self)
{
    PyObject *module = PyModule_New("m");
    ck_assert_int_eq(PyModule_AddFunctions(module, functions), 0);

    suite_new_same(PyObject_CallMethod(module, "whose", NULL), module);
    PyObject *function = PyObject_GetAttrString(module, "whose");
    suite_new_text(PyObject_GetAttrString(function, "__module__"), "m");
    Py_DECREF(function);

    suite_failed(PyModule_AddFunctions(module, class_functions),
                 PyExc_ValueError,
                 "module functions cannot set METH_CLASS or METH_STATIC");
    Py_DECREF(module);
    ck_assert_int_gt(PyGC_Collect(), 0); /* function and module: a cycle */
}

/* ------------------------------------------------------------------ */
/* Definitions, one phase                                              */

struct state {
    PyObject *member;
    int zero;
};

static int traversed, cleared, freed;

static int
state_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = suite_require(PyModule_GetState(module));
    traversed++;
    Py_VISIT(state->member);
    return 0;
}

static int
state_clear(PyObject *module)
{
    cleared++;
    Py_CLEAR(((struct state *)PyModule_GetState(module))->member);
    return 0;
}

static void
state_free(void *module)
{
    freed++;
    Py_CLEAR(((struct state *)PyModule_GetState(module))->member);
}

static PyModuleDef stateful = {
    PyModuleDef_HEAD_INIT,  .m_name = "stateful",
    .m_doc = "Has state.",  .m_size = sizeof(struct state),
    .m_methods = functions, .m_traverse = state_traverse,
    .m_clear = state_clear, .m_free = state_free,
};

START_TEST(create_makes_a_complete_module)
{
    PyObject *module = suite_require(PyModule_Create(&stateful));
    ck_assert_ptr_eq(PyModule_GetDef(module), &stateful);
    ck_assert(Py_IS_TYPE(&stateful, &PyModuleDef_Type));
    ck_assert_int_gt(stateful.m_base.m_index, 0);
    ck_assert_str_eq(PyModule_GetName(module), "stateful");
    suite_new_text(PyObject_GetAttrString(module, "__doc__"), "Has state.");

    struct state *state = suite_require(PyModule_GetState(module));
    ck_assert_ptr_null(state->member);
    ck_assert_int_eq(state->zero, 0);
    Py_DECREF(module);
    PyGC_Collect();
    ck_assert_int_eq(freed, 1);
}

START_TEST(a_cycle_through_the_state_is_collected)
{
    PyObject *module = PyModule_Create(&stateful);
    PyObject *list = PyList_New(0);
    ck_assert_int_eq(PyList_Append(list, module), 0);
    ((struct state *)PyModule_GetState(module))->member = list;

    PyGC_Collect();
    ck_assert_int_gt(traversed, 0);
    ck_assert_int_eq(freed, 0);
    Py_DECREF(module);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(freed, 1);
}

START_TEST(modules_can_be_found_by_definition)
{
    PyObject *module = PyModule_Create(&stateful);

    ck_assert_ptr_null(PyState_FindModule(&stateful));
    ck_assert_int_eq(PyState_AddModule(module, &stateful), 0);
    ck_assert_ptr_eq(PyState_FindModule(&stateful), module);
    ck_assert_int_eq(Py_REFCNT(module), 3); /* with its function's */
    ck_assert_int_eq(PyState_RemoveModule(&stateful), 0);
    ck_assert_ptr_null(PyState_FindModule(&stateful));
    Py_DECREF(module);
}

/* ------------------------------------------------------------------ */
/* Definitions, several phases                                         */

static int exec_result, exec_raises, execs;

static int
exec_module(PyObject *module)
{
    execs++;
    ck_assert_ptr_nonnull(PyModule_GetState(module));
    if (exec_raises)
        PyErr_SetString(PyExc_KeyError, "exec");
    return exec_result;
}

static PyModuleDef_Slot exec_slots[] = {
    {Py_mod_exec, (void *)exec_module},
    {Py_mod_exec, (void *)exec_module},
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_SUPPORTED},
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
    {0, NULL},
};

static PyModuleDef phased = {
    PyModuleDef_HEAD_INIT,  .m_name = "ignored",   .m_size = 0,
    .m_methods = functions, .m_slots = exec_slots,
};

/* Anything with a name will do for a spec. */
static PyObject *
make_spec(const char *name)
{
    PyObject *spec = PyModule_New("spec");
    ck_assert_int_eq(PyModule_AddStringConstant(spec, "name", name), 0);
    return spec;
}

/* PyModule_FromDefAndSpec with a spec of the name s. */
static PyObject *
from_def(PyModuleDef *def)
{
    PyObject *spec = make_spec("s");
    PyObject *module = PyModule_FromDefAndSpec(def, spec);
    Py_DECREF(spec);
    return module;
}

START_TEST(slots_make_a_module_in_phases)
{
    PyObject *module = suite_require(from_def(&phased));
    ck_assert_str_eq(PyModule_GetName(module), "s");
    ck_assert_ptr_null(PyModule_GetState(module));
    ck_assert_int_eq(execs, 0);

    ck_assert_int_eq(PyModule_ExecDef(module, &phased), 0);
    ck_assert_int_eq(execs, 2);
    ck_assert_ptr_nonnull(PyModule_GetState(module));
    ck_assert_ptr_null(PyState_FindModule(&phased));
    Py_DECREF(module);
}

START_TEST(exec_slots_must_agree_with_the_exception)
{
    PyObject *module = from_def(&phased);

    exec_result = -1;
    suite_failed(PyModule_ExecDef(module, &phased), PyExc_SystemError,
                 "execution of module s failed without setting an exception");
    exec_raises = 1;
    suite_failed(PyModule_ExecDef(module, &phased), PyExc_KeyError, "'exec'");
    exec_result = 0;
    ck_assert_int_eq(PyModule_ExecDef(module, &phased), -1);
    PyObject *exc = PyErr_GetRaisedException();
    PyObject *cause = PyException_GetCause(exc);
    ck_assert(PyErr_GivenExceptionMatches(cause, PyExc_KeyError));
    Py_DECREF(cause);
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_SystemError,
                    "execution of module s raised unreported exception");
    Py_DECREF(module);
}

START_TEST(slots_and_create_exclude_each_other)
{
    suite_refused(
        PyModule_Create(&phased), PyExc_SystemError,
        "module ignored: PyModule_Create is incompatible with m_slots");
    PyObject *module = PyModule_New("m");
    suite_failed(PyState_AddModule(module, &phased), PyExc_SystemError,
                 "PyState_AddModule called on module with slots");
    suite_failed(PyState_RemoveModule(&phased), PyExc_SystemError,
                 "PyState_RemoveModule called on module with slots");
    Py_DECREF(module);
}

static PyObject *created;
static int create_raises;

static PyObject *
create_module(PyObject *Py_UNUSED(spec), PyModuleDef *Py_UNUSED(def))
{
    if (create_raises)
        PyErr_SetString(PyExc_KeyError, "create");
    return Py_XNewRef(created);
}

static PyModuleDef_Slot create_slots[] = {
    {Py_mod_create, (void *)create_module},
    {0, NULL},
};
static PyModuleDef creating = {
    PyModuleDef_HEAD_INIT,
    .m_name = "creating",
    .m_slots = create_slots,
};

START_TEST(create_slots_may_return_any_object)
{
    created = PyModule_New("own");
    PyObject *module = from_def(&creating);
    ck_assert_ptr_eq(module, created);
    ck_assert_ptr_eq(PyModule_GetDef(module), &creating);
    Py_DECREF(module);
    Py_CLEAR(created);

    created = PyList_New(0);
    module = from_def(&creating);
    ck_assert_ptr_eq(module, created);
    Py_DECREF(module);

    creating.m_size = 8;
    suite_refused(
        from_def(&creating), PyExc_SystemError,
        "module s is not a module object, but requests module state");
    ck_assert_int_eq(Py_REFCNT(created), 1);
    Py_CLEAR(created);
}

START_TEST(create_slots_must_agree_with_the_exception)
{
    created = NULL;
    suite_refused(from_def(&creating), PyExc_SystemError,
                  "creation of module s failed without setting an exception");
    create_raises = 1;
    suite_refused(from_def(&creating), PyExc_KeyError, "'create'");
    created = PyList_New(0);
    suite_refused(from_def(&creating), PyExc_SystemError,
                  "creation of module s raised unreported exception");
    ck_assert_int_eq(Py_REFCNT(created), 1);
    Py_CLEAR(created);
}

/* Fails unless a definition with such slots is refused with the text. */
static void
assert_bad_slots(PyModuleDef_Slot *slots, const char *text)
{
    PyModuleDef *def = suite_require(PyMem_Calloc(1, sizeof *def));
    def->m_base = (PyModuleDef_Base)PyModuleDef_HEAD_INIT;
    def->m_name = "bad";
    def->m_slots = slots;
    suite_refused(from_def(def), PyExc_SystemError, text);
    PyMem_Free(def);
}

START_TEST(bad_slots_are_refused)
{
    PyModuleDef_Slot two_creates[] = {{Py_mod_create, (void *)create_module},
                                      {Py_mod_create, (void *)create_module},
                                      {0, NULL}};
    PyModuleDef_Slot unknown[] = {{999, NULL}, {0, NULL}};
    PyModuleDef_Slot of_types[] = {{99, NULL}, {0, NULL}};
    PyModuleDef_Slot two_gils[] = {
        {Py_mod_gil, NULL}, {Py_mod_gil, NULL}, {0, NULL}};

    assert_bad_slots(two_creates,
                     "module s has multiple Py_mod_create (84) slots");
    assert_bad_slots(unknown, "unknown module slot ID 999");
    assert_bad_slots(of_types, "invalid module slot 99 (Py_tp_flags)");
    assert_bad_slots(two_gils, "module s has multiple Py_mod_gil (87) slots");

    static PyModuleDef negative = {
        PyModuleDef_HEAD_INIT,
        .m_name = "negative",
        .m_size = -1,
        .m_slots = exec_slots,
    };
    suite_refused(
        from_def(&negative), PyExc_SystemError,
        "module s: m_size may not be negative for multi-phase initialization");
}

/* ------------------------------------------------------------------ */
/* From an entry function                                              */

static int executed;

static int
note_execution(PyObject *Py_UNUSED(module))
{
    executed++;
    return 0;
}

static PyModuleDef_Slot phases[] = {{Py_mod_exec, (void *)note_execution},
                                    {0, NULL}};
static PyModuleDef in_phases = {PyModuleDef_HEAD_INIT, .m_name = "in_phases",
                                .m_slots = phases};
static PyModuleDef at_once = {PyModuleDef_HEAD_INIT, .m_name = "at_once",
                              .m_size = -1};

static PyObject *
enter_phases(void)
{
    return PyModuleDef_Init(&in_phases);
}

static PyObject *
enter_at_once(void)
{
    return PyModule_Create(&at_once);
}

static PyObject *
enter_nothing(void)
{
    return NULL;
}

static PyObject *
spec_of(const char *name)
{
    PyObject *dict = Py_BuildValue("{s:s}", "name", name);
    PyObject *spec = _PyNamespace_New(dict);

    Py_DECREF(dict);
    return suite_require(spec);
}

START_TEST(a_module_of_an_entry_function)
{
    PyObject *spec = spec_of("spam"), *none = _PyNamespace_New(NULL);
    PyObject *module =
        suite_require(PyImport_CreateModuleFromInitfunc(spec, enter_phases));

    ck_assert_str_eq(PyModule_GetName(module), "spam");
    ck_assert_int_eq(executed, 0);
    ck_assert_int_eq(PyModule_Exec(module), 0);
    ck_assert_int_eq(executed, 1);
    Py_DECREF(module);
    module =
        suite_require(PyImport_CreateModuleFromInitfunc(spec, enter_at_once));
    ck_assert_ptr_eq(PyModule_GetDef(module), &at_once);
    Py_DECREF(module);
    suite_refused(PyImport_CreateModuleFromInitfunc(spec, enter_nothing),
                  PyExc_SystemError,
                  "initialization of spam failed without raising an "
                  "exception");
    suite_refused(PyImport_CreateModuleFromInitfunc(none, enter_phases),
                  PyExc_AttributeError, NULL);
    suite_refused(PyImport_CreateModuleFromInitfunc(NULL, enter_phases),
                  PyExc_SystemError, "null argument to internal routine");
    suite_drop(spec, none);
}
