/* check_modcycle.c: a heap type, its module, the module's state and the type's
   instances hold one another; how they are collected, several times from one
   definition, and what of them can still be used at the end.

   Manual: "Module Objects", "Type Objects", "Supporting Cyclic Garbage
   Collection".  The numbers are CPython's. */

#include <pyboehm.h>

#include "../support/suite.h"

#include <string.h>

/* ------------------------------------------------------------------ */
/* The module: "cyc", with a type and one instance in its state         */

struct state {
    PyObject *type, *instance, *error;
};

struct object {
    PyObject_HEAD
    PyObject *member;
};

/* What its functions have been called for, and what the last instance said in
   its tp_dealloc. */
static struct {
    int traversed, cleared, freed, deallocated;
    char name[40], doc[40], repr[80];
} seen;

/* Bases that stay, so that the types' tuples of bases are containers. */
static PyObject *base, *error_base;

static int
object_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct object *)op)->member);
    Py_VISIT(Py_TYPE(op));
    return 0;
}

static int
object_clear(PyObject *op)
{
    Py_CLEAR(((struct object *)op)->member);
    return 0;
}

static void
keep_text(char text[80], PyObject *op)
{
    PyObject *repr = PyObject_Repr(op);

    if (repr != NULL)
        strncpy(text, PyUnicode_AsUTF8(repr), 79);
    Py_XDECREF(repr);
}

static void
object_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    seen.deallocated++;
    strcpy(seen.name, type->tp_name);
    strcpy(seen.doc, type->tp_doc);
    keep_text(seen.repr, (PyObject *)type);
    PyObject_GC_UnTrack(op);
    object_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyObject *
answer(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"answer", answer, METH_NOARGS, "Nothing."},
    {NULL, NULL, 0, NULL},
};

/* A type whose spec is gone when it is made: names and doc strings are its
   own. */
static PyObject *
make_type(PyObject *module)
{
    char name[] = "cyc.Object", doc[] = "An object.";
    PyType_Slot slots[] = {{Py_tp_traverse, (void *)object_traverse},
                           {Py_tp_clear, (void *)object_clear},
                           {Py_tp_dealloc, (void *)object_dealloc},
                           {Py_tp_doc, doc},
                           {Py_tp_methods, functions},
                           {0, NULL}};
    PyType_Spec spec = {name, sizeof(struct object), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, base);

    memset(name, 'x', sizeof name - 1);
    memset(doc, 'x', sizeof doc - 1);
    return type;
}

static struct state *
state_of(PyObject *module)
{
    return (struct state *)PyModule_GetState(module);
}

static int exec_fails;

static int
execute(PyObject *module)
{
    struct state *state = state_of(module);

    state->type = make_type(module);
    ck_assert_ptr_nonnull(state->type);
    if (PyModule_AddObjectRef(module, "Object", state->type) < 0)
        return -1;
    state->instance = PyType_GenericAlloc((PyTypeObject *)state->type, 0);
    ck_assert_ptr_nonnull(state->instance);
    ((struct object *)state->instance)->member = Py_NewRef(module);
    if (!exec_fails)
        return 0;
    PyErr_SetString(PyExc_KeyError, "exec");
    return -1;
}

static int
state_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = PyModule_GetState_DuringGC(module);

    seen.traversed++;
    Py_VISIT(state->type);
    Py_VISIT(state->instance);
    Py_VISIT(state->error);
    return 0;
}

static void
drop_state(PyObject *module)
{
    struct state *state = state_of(module);

    Py_CLEAR(state->type);
    Py_CLEAR(state->instance);
    Py_CLEAR(state->error);
}

static int
state_clear(PyObject *module)
{
    seen.cleared++;
    drop_state(module);
    return 0;
}

static void
state_free(void *module)
{
    seen.freed++;
    drop_state((PyObject *)module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)execute},
    {0, NULL},
};

static PyModuleDef def = {
    PyModuleDef_HEAD_INIT,  .m_name = "cyc",
    .m_doc = "A cycle.",    .m_size = sizeof(struct state),
    .m_slots = slots,       .m_traverse = state_traverse,
    .m_clear = state_clear, .m_free = state_free,
};

static PyObject *
create(void)
{
    PyObject *spec = PyModule_New("spec");

    ck_assert_int_eq(PyModule_AddStringConstant(spec, "name", "cyc"), 0);
    PyObject *module = suite_require(PyModule_FromDefAndSpec(&def, spec));
    Py_DECREF(spec);
    return module;
}

static PyObject *
create_and_execute(void)
{
    PyObject *module = create();

    ck_assert_int_eq(PyModule_ExecDef(module, &def), 0);
    return module;
}

static void
make_bases(void)
{
    PyType_Slot none[] = {{0, NULL}};
    PyType_Spec spec = {"cyc.Base", 0, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, none};

    base = PyType_FromSpec(&spec);
    error_base = PyErr_NewException("cyc.ErrorBase", NULL, NULL);
    ck_assert_ptr_nonnull(base);
    ck_assert_ptr_nonnull(error_base);
    PyGC_Collect();
}

static void
drop_bases(void)
{
    Py_CLEAR(base);
    Py_CLEAR(error_base);
}

/* ------------------------------------------------------------------ */
/* Without m_free                                                      */

/* Its tp_dealloc frees the state and gives up nothing that is in it: that is
   for m_clear, which the collector has to call while the module is there. */
static PyModuleDef def_without_free = {
    PyModuleDef_HEAD_INIT,          .m_name = "cyc",
    .m_size = sizeof(struct state), .m_traverse = state_traverse,
    .m_clear = state_clear,
};

enum { MODULES = 50 };

/* Modules of which each has a type in its state only; every other one is made
   where an object of that size was, below its type or above. */
static void
make_modules(PyObject *types[MODULES])
{
    PyObject *holes[MODULES], *module;

    for (int i = 0; i < MODULES; i++)
        holes[i] = PyModule_Create(&def_without_free);
    for (int i = 0; i < MODULES; i += 2)
        Py_CLEAR(holes[i]);
    for (int i = 0; i < MODULES; i++) {
        module = suite_require(PyModule_Create(&def_without_free));
        state_of(module)->type = make_type(module);
        types[i] = PyWeakref_NewRef(state_of(module)->type, NULL);
        Py_DECREF(module);
    }
    for (int i = 1; i < MODULES; i += 2)
        Py_CLEAR(holes[i]);
}

/* Is some module above its type, and some below? */
static void
assert_places(PyObject *types[MODULES])
{
    int below = 0;

    for (int i = 0; i < MODULES; i++) {
        PyObject *type, *module;

        ck_assert_int_eq(PyWeakref_GetRef(types[i], &type), 1);
        module = PyType_GetModule((PyTypeObject *)type);
        below += (uintptr_t)type < (uintptr_t)module;
        Py_DECREF(type);
    }
    ck_assert_int_gt(below, 0); /* else this shows nothing */
}

START_TEST(modules_are_cleared_before_their_types)
{
    PyObject *types[MODULES], *gone;

    PyGC_Disable();
    make_bases();
    for (int way = 0; way < 2; way++) {
        make_modules(types);
        assert_places(types);
        seen.cleared = 0;
        ck_assert_int_gt(way == 0 ? PyBoehm_GC_Collect(2)
                                  : PyBoehm_GC_CollectAll(),
                         2 * MODULES);
        ck_assert_int_eq(seen.cleared, MODULES);
        for (int i = 0; i < MODULES; i++) {
            ck_assert_int_eq(PyWeakref_GetRef(types[i], &gone), 0);
            Py_DECREF(types[i]);
        }
    }
    drop_bases();
}

/* ------------------------------------------------------------------ */
/* Finalizers                                                          */

/* Of modules, and of others, which are theirs. */
static int modules_finalized, others_finalized;

static void
module_finalize(PyObject *Py_UNUSED(module))
{
    ck_assert_int_eq(others_finalized, 0);
    modules_finalized++;
}

static void
other_finalize(PyObject *Py_UNUSED(op))
{
    others_finalized++;
}

static PyObject *
final_module_type(void)
{
    PyType_Slot final[] = {{Py_tp_finalize, (void *)module_finalize},
                           {0, NULL}};
    PyType_Spec spec = {"cyc.Module", 0, 0, Py_TPFLAGS_DEFAULT, final};

    return PyType_FromSpecWithBases(&spec, (PyObject *)&PyModule_Type);
}

static void
other_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    object_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyObject *
final_object_type(void)
{
    PyType_Slot final[] = {{Py_tp_traverse, (void *)object_traverse},
                           {Py_tp_clear, (void *)object_clear},
                           {Py_tp_finalize, (void *)other_finalize},
                           {Py_tp_dealloc, (void *)other_dealloc},
                           {0, NULL}};
    /* As large as a module, and so from the same pages. */
    PyType_Spec spec = {"cyc.Final", (int)PyModule_Type.tp_basicsize, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, final};

    return PyType_FromSpec(&spec);
}

/* Each module has an object that has the module; the object is made first. */
static int
make_final_modules(PyObject *module_type, PyObject *object_type)
{
    int below = 0;

    for (int i = 0; i < MODULES; i++) {
        PyObject *op = PyType_GenericAlloc((PyTypeObject *)object_type, 0);
        PyObject *module =
            suite_require(PyObject_CallFunction(module_type, "s", "final"));
        below += (uintptr_t)op < (uintptr_t)module;
        ck_assert_int_eq(PyObject_SetAttrString(module, "o", op), 0);
        ((struct object *)op)->member = module;
        Py_DECREF(op);
    }
    return below;
}

START_TEST(modules_are_finalized_before_their_objects)
{
    PyObject *module_type = final_module_type(),
             *object_type = final_object_type();

    ck_assert_ptr_nonnull(module_type);
    ck_assert_ptr_nonnull(object_type);
    PyGC_Disable();
    ck_assert_int_gt(make_final_modules(module_type, object_type), 0);
    PyGC_Enable();
    ck_assert_int_gt(PyGC_Collect(), MODULES);
    ck_assert_int_eq(modules_finalized, MODULES);
    ck_assert_int_eq(others_finalized, MODULES);
    suite_drop(module_type, object_type);
}

/* ------------------------------------------------------------------ */
/* One cycle                                                           */

/* Module and dictionary; type, dictionary, MRO, bases and method; instance. */
enum { MEMBERS = 8 };

START_TEST(type_module_state_and_instance_are_one_cycle)
{
    make_bases();
    PyObject *module = create_and_execute(), *gone;
    PyObject *of_module = PyWeakref_NewRef(module, NULL);
    PyObject *of_type = PyWeakref_NewRef(state_of(module)->type, NULL);

    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_gt(seen.traversed, 0);
    Py_DECREF(module);
    ck_assert_int_eq(seen.freed, 0);
    ck_assert_int_eq(PyGC_Collect(), MEMBERS);
    ck_assert_int_eq(seen.freed, 1);
    ck_assert_int_eq(seen.deallocated, 1);
    ck_assert_int_eq(PyWeakref_GetRef(of_module, &gone), 0);
    ck_assert_int_eq(PyWeakref_GetRef(of_type, &gone), 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
    suite_drop(of_module, of_type);
    drop_bases();
}

START_TEST(a_function_and_an_exception_class_belong_to_it)
{
    make_bases();
    def.m_methods = functions;
    PyObject *module = create_and_execute();
    Py_DECREF(module);
    ck_assert_int_eq(PyGC_Collect(), MEMBERS + 1);

    /* The class with its dictionary, MRO and bases, and the list. */
    module = create_and_execute();
    PyObject *dict = Py_BuildValue("{s[]}", "list");
    PyObject *error =
        suite_require(PyErr_NewException("cyc.Error", error_base, dict));
    Py_DECREF(dict);
    state_of(module)->error = error;
    ck_assert_int_eq(PyModule_AddObjectRef(module, "Error", error), 0);
    Py_DECREF(module);
    ck_assert_int_eq(PyGC_Collect(), MEMBERS + 1 + 5);
    ck_assert_int_eq(seen.freed, 2);
    def.m_methods = NULL;
    drop_bases();
}

START_TEST(an_instance_holds_all_of_it)
{
    make_bases();
    PyObject *module = create_and_execute();
    PyObject *instance = Py_NewRef(state_of(module)->instance);

    Py_DECREF(module);
    ck_assert_int_eq(PyGC_Collect(), 0);
    PyTypeObject *type = Py_TYPE(instance);
    ck_assert_ptr_eq(PyType_GetModuleByDef(type, &def), module);
    ck_assert_ptr_eq(PyType_GetModuleState(type), state_of(module));
    ck_assert_str_eq(type->tp_name, "cyc.Object");
    suite_new_text(PyObject_GetAttrString((PyObject *)type, "__doc__"),
                   "An object.");
    Py_DECREF(instance);
    ck_assert_int_eq(PyGC_Collect(), MEMBERS);
    drop_bases();
}

START_TEST(one_definition_makes_modules_that_share_nothing)
{
    make_bases();
    PyObject *first = create_and_execute(), *second = create_and_execute();
    struct state *state = state_of(second);

    ck_assert_ptr_ne(state_of(first), state);
    ck_assert_ptr_ne(state_of(first)->type, state->type);
    ck_assert_ptr_eq(PyType_GetModule((PyTypeObject *)state->type), second);
    Py_DECREF(first);
    ck_assert_int_eq(PyGC_Collect(), MEMBERS);
    ck_assert_int_eq(seen.freed, 1);
    ck_assert_ptr_eq(state_of(second), state);
    ck_assert_ptr_eq(Py_TYPE(state->instance), state->type);
    ck_assert_ptr_eq(PyModule_GetDef(second), &def);
    Py_DECREF(second);
    ck_assert_int_eq(PyGC_Collect(), MEMBERS);
    ck_assert_int_eq(seen.freed, 2);
    drop_bases();
}

/* ------------------------------------------------------------------ */
/* At the end                                                          */

START_TEST(the_last_tp_dealloc_knows_its_type)
{
    make_bases();
    PyObject *module = create_and_execute();
    PyTypeObject *type = (PyTypeObject *)state_of(module)->type;
    PyObject *last = PyType_GenericAlloc(type, 0);

    /* By counting: the type is whole. */
    ck_assert_ptr_nonnull(last);
    Py_DECREF(last);
    ck_assert_str_eq(seen.name, "cyc.Object");
    ck_assert_str_eq(seen.doc, "An object.");
    ck_assert_str_eq(seen.repr, "<class 'cyc.Object'>");

    /* By the collector: the type may have lost its dictionary, which has its
       module's name, but never its own. */
    memset(&seen, 0, sizeof seen);
    Py_DECREF(module);
    ck_assert_int_eq(PyGC_Collect(), MEMBERS);
    ck_assert_str_eq(seen.name, "cyc.Object");
    ck_assert_str_eq(seen.doc, "An object.");
    ck_assert_ptr_nonnull(strstr(seen.repr, "Object'>"));
    drop_bases();
}

static char reported[200], report_message[200];

static void
note_report(PyObject *exception, const char *message,
            PyObject *Py_UNUSED(object), void *Py_UNUSED(arg))
{
    keep_text(reported, exception);
    if (message != NULL)
        strncpy(report_message, message, sizeof report_message - 1);
}

START_TEST(an_exception_class_outlives_its_module)
{
    PyObject *module = PyModule_New("gone");
    char name[] = "gone.Error", doc[] = "Doc.";
    PyObject *error = PyErr_NewExceptionWithDoc(name, doc, NULL, NULL);

    memset(name, 'x', sizeof name - 1);
    memset(doc, 'x', sizeof doc - 1);
    ck_assert_int_eq(PyModule_AddObjectRef(module, "Error", error), 0);
    PyObject *exception = PyObject_CallFunction(error, "s", "why");
    suite_drop(error, module);
    PyGC_Collect();

    error = (PyObject *)Py_TYPE(exception);
    suite_repr(error, "<class 'gone.Error'>");
    suite_repr(exception, "Error('why')");
    suite_new_text(PyObject_GetAttrString(error, "__doc__"), "Doc.");
    suite_new_text(PyObject_GetAttrString(error, "__module__"), "gone");
    ck_assert_str_eq(((PyTypeObject *)error)->tp_name, "Error");

    PyBoehm_SetUnraisableHook(note_report, NULL);
    PyErr_SetRaisedException(exception); /* was the last reference */
    PyErr_WriteUnraisable(NULL);
    PyBoehm_SetUnraisableHook(NULL, NULL);
    ck_assert_str_eq(reported, "Error('why')");
    PyGC_Collect();
}

/* ------------------------------------------------------------------ */
/* When the definition's functions are called                          */

START_TEST(state_functions_wait_for_the_state)
{
    make_bases();
    PyObject *module = create();

    ck_assert_ptr_null(PyModule_GetState(module));
    PyGC_Collect();
    Py_DECREF(module);
    ck_assert_int_eq(seen.traversed, 0);
    ck_assert_int_eq(seen.freed, 0);

    /* In a cycle, too. */
    module = create();
    ck_assert_int_eq(PyModule_AddObjectRef(module, "self", module), 0);
    Py_DECREF(module);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(seen.traversed + seen.cleared + seen.freed, 0);
    drop_bases();
}

static int
count_traverse(PyObject *Py_UNUSED(module), visitproc Py_UNUSED(visit),
               void *Py_UNUSED(arg))
{
    seen.traversed++;
    return 0;
}

static int
count_clear(PyObject *Py_UNUSED(module))
{
    seen.cleared++;
    return 0;
}

static void
count_free(void *Py_UNUSED(module))
{
    seen.freed++;
}

/* A module with a state of that size: its functions are all called, whether it
   has one or not. */
static void
assert_functions_run(Py_ssize_t size)
{
    PyModuleDef *counting = PyMem_Calloc(1, sizeof *counting);
    Py_ssize_t said;

    ck_assert_ptr_nonnull(counting);
    *counting = (PyModuleDef){
        PyModuleDef_HEAD_INIT,  .m_name = "counting",
        .m_size = size,         .m_traverse = count_traverse,
        .m_clear = count_clear, .m_free = count_free,
    };
    memset(&seen, 0, sizeof seen);
    PyObject *module = PyModule_Create(counting);
    ck_assert_int_eq(PyModule_GetState(module) != NULL, size > 0);
    ck_assert_int_eq(PyModule_GetStateSize(module, &said), 0);
    ck_assert_int_eq(said, size);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_gt(seen.traversed, 0);
    ck_assert_int_eq(PyModule_Type.tp_clear(module), 0);
    ck_assert_int_eq(seen.cleared, 1);
    Py_DECREF(module);
    ck_assert_int_eq(seen.freed, 1);
    PyMem_Free(counting);
}

START_TEST(without_a_state_they_are_called_at_once)
{
    assert_functions_run(-1);
    assert_functions_run(0);
    assert_functions_run(8);
}

static int
failing_clear(PyObject *Py_UNUSED(module))
{
    PyErr_SetString(PyExc_KeyError, "clear");
    return 0;
}

START_TEST(an_error_in_m_clear_is_reported)
{
    static PyModuleDef failing = {
        PyModuleDef_HEAD_INIT,
        .m_name = "failing",
        .m_clear = failing_clear,
    };
    PyObject *module = PyModule_Create(&failing);

    PyBoehm_SetUnraisableHook(note_report, NULL);
    ck_assert_int_eq(PyModule_Type.tp_clear(module), 0);
    PyBoehm_SetUnraisableHook(NULL, NULL);
    ck_assert_str_eq(reported, "KeyError('clear')");
    ck_assert_str_eq(report_message,
                     "Exception ignored in m_clear of module failing");
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(module);
}

/* ------------------------------------------------------------------ */
/* Failures                                                            */

static int
count_object(PyObject *Py_UNUSED(op), void *count)
{
    ++*(int *)count;
    return 1;
}

static int
tracked(void)
{
    int count = 0;

    PyGC_Collect();
    PyUnstable_GC_VisitObjects(count_object, &count);
    return count;
}

START_TEST(a_failed_execution_leaves_nothing)
{
    make_bases();
    int before = tracked();
    PyObject *module = create();

    exec_fails = 1;
    suite_failed(PyModule_ExecDef(module, &def), PyExc_KeyError, "'exec'");
    Py_DECREF(module);
    ck_assert_int_eq(tracked(), before);
    ck_assert_int_eq(seen.freed, 1);
    ck_assert_int_eq(seen.deallocated, 1);
    drop_bases();
}

START_TEST(failed_creations_leave_nothing)
{
    static PyMethodDef bad_functions[] = {
        {"good", answer, METH_NOARGS, NULL},
        {"bad", answer, METH_NOARGS | METH_STATIC, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyModuleDef bad = {
        PyModuleDef_HEAD_INIT,      .m_name = "bad",      .m_size = 8,
        .m_methods = bad_functions, .m_free = count_free,
    };
    PyObject *spec = PyModule_New("spec");
    ck_assert_int_eq(PyModule_AddStringConstant(spec, "name", "bad"), 0);
    int before = tracked();

    for (int round = 0; round < 2; round++) {
        suite_refused(PyModule_Create(&bad), PyExc_ValueError,
                      "module functions cannot set METH_CLASS or METH_STATIC");
        suite_refused(PyModule_FromDefAndSpec(&bad, spec), PyExc_ValueError,
                      NULL);
    }
    ck_assert_int_eq(tracked(), before);
    ck_assert_int_eq(seen.freed, 0); /* there was no state */
    Py_DECREF(spec);
}

static char warned[200];

static int
note_warning(PyObject *category, const char *text, void *Py_UNUSED(arg))
{
    ck_assert_ptr_eq(category, PyExc_RuntimeWarning);
    strncpy(warned, text, sizeof warned - 1);
    return -1;
}

START_TEST(another_api_version_is_warned_of)
{
    static PyModuleDef plain = {PyModuleDef_HEAD_INIT, .m_name = "plain"};
    PyObject *module = PyModule_Create2(&plain, PYTHON_ABI_VERSION);
    const char *text =
        "Python C API version mismatch for module plain: This Python has API "
        "version 101300, module plain has version 1012.";

    ck_assert_ptr_nonnull(module);
    Py_DECREF(module);
    PyBoehm_SetWarningHook(note_warning, NULL);
    suite_refused(PyModule_Create2(&plain, 1012), PyExc_RuntimeWarning, text);
    ck_assert_str_eq(warned, text);
    PyBoehm_SetWarningHook(NULL, NULL);
}

START_TEST(a_module_for_cpython_alone_is_refused)
{
    static PyModuleDef plain = {PyModuleDef_HEAD_INIT, .m_name = "plain"};
    const char *text = "module plain was compiled with CPython's own headers "
                       "and without Py_LIMITED_API";
    PyObject *spec = PyModule_New("spec");

    ck_assert_int_eq(PyModule_AddStringConstant(spec, "name", "plain"), 0);
    suite_refused(PyModule_Create2(&plain, 1013), PyExc_ImportError, text);
    suite_refused(PyModule_FromDefAndSpec2(&plain, spec, 1013),
                  PyExc_ImportError, text);
    Py_DECREF(spec);
}

/* ------------------------------------------------------------------ */
/* PyState                                                             */

static PyModuleDef found_def = {PyModuleDef_HEAD_INIT, .m_name = "found"};

START_TEST(a_module_added_later_replaces_the_first)
{
    PyObject *first = PyModule_Create(&found_def);
    PyObject *second = PyModule_Create(&found_def);

    ck_assert_int_eq(PyState_AddModule(first, &found_def), 0);
    ck_assert_int_eq(Py_REFCNT(first), 2);
    ck_assert_int_eq(PyState_AddModule(second, &found_def), 0);
    ck_assert_int_eq(Py_REFCNT(first), 1);
    ck_assert_ptr_eq(PyState_FindModule(&found_def), second);
    Py_DECREF(second); /* still held */
    ck_assert_ptr_eq(PyState_FindModule(&found_def), second);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(PyState_RemoveModule(&found_def), 0);
    ck_assert_ptr_null(PyState_FindModule(&found_def));
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(first);
}

static void
add_twice(void)
{
    PyObject *module = PyModule_Create(&found_def);

    PyState_AddModule(module, &found_def);
    PyState_AddModule(module, &found_def);
}

static void
remove_unknown(void)
{
    static PyModuleDef never = {PyModuleDef_HEAD_INIT, .m_name = "never"};

    PyState_RemoveModule(&never);
}

START_TEST(misuse_of_the_list_of_modules_is_fatal)
{
    SUITE_FATAL(add_twice(),
                "Fatal Python error: PyState_AddModule: module 0x",
                " already added");
    SUITE_FATAL(remove_unknown(),
                "PyState_RemoveModule: invalid module index");
    SUITE_FATAL(PyState_AddModule(Py_None, NULL),
                "PyState_AddModule: module definition is NULL");
}
