/* check_slotarrays.c: modules and types made from arrays of slots.

   Manual: "Definition slots"; "Module Objects", section "Module definition";
   "C API and ABI Stability", section "ABI Checking". */

#include <pyboehm.h>

#include "../support/suite.h"

#include <string.h>

PyABIInfo_VAR(abi_info);

/* Anything with a name will do for a spec. */
static PyObject *
make_spec(void)
{
    PyObject *spec = PyModule_New("spec");
    ck_assert_int_eq(PyModule_AddStringConstant(spec, "name", "s"), 0);
    return spec;
}

static PyObject *
from_slots(const PySlot *slots)
{
    PyObject *spec = make_spec();
    PyObject *module = PyModule_FromSlotsAndSpec(slots, spec);
    Py_DECREF(spec);
    return module;
}

static void
refuse(const PySlot *slots, PyObject *type, const char *text)
{
    suite_refused(from_slots(slots), type, text);
}

#define ABI PySlot_STATIC_DATA(Py_mod_abi, &abi_info)

/* ------------------------------------------------------------------ */
/* Modules                                                             */

struct state {
    PyObject *member;
};

static int executed, traversed, freed;

static int
execute(PyObject *module)
{
    struct state *state = PyModule_GetState(module);

    executed++;
    ck_assert_ptr_nonnull(state);
    ck_assert_ptr_null(state->member);
    return 0;
}

static int
state_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = suite_require(PyModule_GetState_DuringGC(module));
    traversed++;
    Py_VISIT(state->member);
    return 0;
}

static int
state_clear(PyObject *module)
{
    Py_CLEAR(((struct state *)PyModule_GetState(module))->member);
    return 0;
}

static void
state_free(void *module)
{
    freed++;
    state_clear(module);
}

static PyObject *
whose(PyObject *self, PyObject *Py_UNUSED(args))
{
    return Py_NewRef(self);
}

static PyMethodDef functions[] = {
    {"whose", whose, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static char token;

static const PySlot state_slots[] = {
    PySlot_SIZE(Py_mod_state_size, sizeof(struct state)),
    PySlot_FUNC(Py_mod_state_traverse, state_traverse),
    PySlot_FUNC(Py_mod_state_clear, state_clear),
    PySlot_FUNC(Py_mod_state_free, state_free),
    PySlot_END,
};

static const PySlot full_slots[] = {
    ABI,
    PySlot_STATIC_DATA(Py_mod_name, "ignored"),
    PySlot_DATA(Py_mod_doc, "Doc."),
    PySlot_STATIC_DATA(Py_mod_methods, functions),
    PySlot_DATA(Py_slot_subslots, state_slots),
    PySlot_DATA(Py_mod_token, &token),
    PySlot_FUNC(Py_mod_exec, execute),
    PySlot_DATA(Py_mod_gil, Py_MOD_GIL_NOT_USED),
    PySlot_UINT64(Py_mod_multiple_interpreters, 2),
    PySlot_END,
};

START_TEST(slots_make_a_module)
{
    PySlot slots[Py_ARRAY_LENGTH(full_slots)];
    void *found;
    Py_ssize_t size;

    memcpy(slots, full_slots, sizeof slots);
    PyObject *module = from_slots(slots);
    memset(slots, 0xff, sizeof slots); /* are not needed any more */
    ck_assert_ptr_nonnull(module);
    ck_assert_str_eq(PyModule_GetName(module), "s");
    suite_new_text(PyObject_GetAttrString(module, "__doc__"), "Doc.");
    ck_assert_ptr_null(PyModule_GetDef(module));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(PyModule_GetToken(module, &found), 0);
    ck_assert_ptr_eq(found, &token);
    ck_assert_int_eq(PyModule_GetStateSize(module, &size), 0);
    ck_assert_int_eq(size, sizeof(struct state));

    /* There is no state yet, and it is not looked at. */
    ck_assert_ptr_null(PyModule_GetState(module));
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(traversed, 0);
    ck_assert_int_eq(PyModule_Exec(module), 0);
    ck_assert_int_eq(executed, 1);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_gt(traversed, 0);

    PyObject *list = PyList_New(0);
    ck_assert_int_eq(PyList_Append(list, module), 0);
    ((struct state *)PyModule_GetState(module))->member = list;
    Py_DECREF(module);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(freed, 1);
}

START_TEST(a_module_never_executed_has_no_state_to_free)
{
    PyObject *module = suite_require(from_slots(full_slots));
    Py_DECREF(module);
    ck_assert_int_gt(PyGC_Collect(), 0); /* with its function */
    ck_assert_int_eq(traversed, 0);
    ck_assert_int_eq(freed, 0);
}

START_TEST(without_a_token_there_is_none)
{
    const PySlot slots[] = {ABI, PySlot_END};
    PyObject *module = from_slots(slots);
    void *found = &found;

    ck_assert_int_eq(PyModule_GetToken(module, &found), 0);
    ck_assert_ptr_null(found);
    ck_assert_int_eq(PyModule_Exec(module), 0);
    Py_DECREF(module);
}

START_TEST(exec_does_nothing_to_a_module_not_made_in_phases)
{
    static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "d"};
    PyObject *plain = PyModule_New("plain"), *made = PyModule_Create(&def);

    ck_assert_int_eq(PyModule_Exec(plain), 0);
    ck_assert_ptr_null(PyModule_GetState(plain));
    ck_assert_int_eq(PyModule_Exec(made), 0);
    ck_assert_ptr_null(PyModule_GetState(made));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_drop(plain, made);
}

START_TEST(other_objects_are_refused)
{
    const char *text = "bad argument type for built-in operation";
    void *found = &found;
    Py_ssize_t size = 0;

    suite_failed(PyModule_GetToken(Py_None, &found), PyExc_TypeError, text);
    ck_assert_ptr_null(found);
    suite_failed(PyModule_GetStateSize(Py_None, &size), PyExc_TypeError, text);
    ck_assert_int_eq(size, -1);
    suite_failed(PyModule_Exec(Py_None), PyExc_TypeError, text);
    refuse(NULL, PyExc_SystemError,
           "PyModule_FromSlotsAndSpec called with NULL slots");
    suite_refused(PyModule_FromSlotsAndSpec(full_slots, Py_None),
                  PyExc_AttributeError, NULL);
}

static PyObject *created, *got_spec;
static PyModuleDef *got_def = (PyModuleDef *)&token;

static PyObject *
create(PyObject *spec, PyModuleDef *def)
{
    got_spec = spec;
    got_def = def;
    return Py_NewRef(created);
}

START_TEST(a_create_slot_gets_the_spec_and_no_definition)
{
    const PySlot slots[] = {ABI, PySlot_FUNC(Py_mod_create, create),
                            PySlot_END};
    const PySlot with_token[] = {ABI, PySlot_FUNC(Py_mod_create, create),
                                 PySlot_DATA(Py_mod_token, &token),
                                 PySlot_END};
    const PySlot with_exec[] = {ABI, PySlot_FUNC(Py_mod_create, create),
                                PySlot_FUNC(Py_mod_exec, execute), PySlot_END};
    const PySlot with_state[] = {ABI, PySlot_FUNC(Py_mod_create, create),
                                 PySlot_SIZE(Py_mod_state_size, 1),
                                 PySlot_END};
    PyObject *spec = make_spec();

    created = PyList_New(0);
    PyObject *op = PyModule_FromSlotsAndSpec(slots, spec);
    ck_assert_ptr_eq(op, created);
    ck_assert_ptr_eq(got_spec, spec);
    ck_assert_ptr_null(got_def);
    suite_drop(op, spec);

    refuse(with_token, PyExc_SystemError,
           "module s specifies a token, but did not create a ModuleType "
           "instance");
    refuse(with_exec, PyExc_SystemError,
           "module s specifies execution slots, but did not create a "
           "ModuleType instance");
    refuse(with_state, PyExc_SystemError,
           "module s is not a module object, but requests module state");
    ck_assert_int_eq(Py_REFCNT(created), 1);
    Py_DECREF(created);
}

START_TEST(a_module_created_again_keeps_the_state_of_its_token)
{
    PySlot slots[] = {ABI, PySlot_FUNC(Py_mod_create, create),
                      PySlot_DATA(Py_mod_token, &token),
                      PySlot_DATA(Py_slot_subslots, state_slots), PySlot_END};

    created = PyModule_New("single");
    Py_DECREF(from_slots(slots));
    ck_assert_int_eq(PyModule_Exec(created), 0);
    void *state = PyModule_GetState(created);
    Py_DECREF(from_slots(slots));
    ck_assert_ptr_eq(PyModule_GetState(created), state);

    /* Another owner's state is not its own. */
    slots[2].sl_ptr = &created;
    Py_DECREF(from_slots(slots));
    ck_assert_ptr_null(PyModule_GetState(created));
    ck_assert_int_eq(freed, 1);
    Py_DECREF(created);
    ck_assert_int_eq(freed, 1);
}

/* ------------------------------------------------------------------ */
/* Slots that do not fit                                               */

START_TEST(bad_module_slots_are_refused)
{
    const PySlot no_abi[] = {PySlot_END};
    const PySlot unknown[] = {ABI, PySlot_DATA(200, ""), PySlot_END};
    const PySlot invalid[] = {ABI, PySlot_DATA(Py_slot_invalid, ""),
                              PySlot_END};
    const PySlot of_types[] = {ABI, PySlot_DATA(Py_tp_repr, ""), PySlot_END};
    const PySlot null[] = {ABI, PySlot_DATA(Py_mod_doc, NULL), PySlot_END};
    const PySlot two_docs[] = {ABI, PySlot_DATA(Py_mod_doc, ""),
                               PySlot_DATA(Py_mod_doc, ""), PySlot_END};
    const PySlot two_execs[] = {ABI, PySlot_FUNC(Py_mod_exec, execute),
                                PySlot_FUNC(Py_mod_exec, execute), PySlot_END};
    const PySlot negative[] = {ABI, PySlot_SIZE(Py_mod_state_size, -1),
                               PySlot_END};
    const PySlot on_stack[] = {ABI, PySlot_DATA(Py_mod_methods, functions),
                               PySlot_END};
    const PySlot end[] = {{.sl_flags = PySlot_OPTIONAL}};

    refuse(no_abi, PyExc_SystemError,
           "module s does not define Py_mod_abi, which is mandatory for "
           "modules defined from slots only.");
    refuse(unknown, PyExc_SystemError, "unknown module slot ID 200");
    refuse(invalid, PyExc_SystemError,
           "invalid slot (Py_slot_invalid, 65535)");
    refuse(of_types, PyExc_SystemError, "invalid module slot 66 (Py_tp_repr)");
    refuse(null, PyExc_SystemError, "NULL not allowed for slot Py_mod_doc");
    refuse(two_docs, PyExc_SystemError,
           "module s has multiple Py_mod_doc (101) slots");
    refuse(two_execs, PyExc_SystemError,
           "module s has multiple Py_mod_exec slots");
    refuse(negative, PyExc_SystemError,
           "module s: m_size may not be negative for multi-phase "
           "initialization");
    refuse(on_stack, PyExc_SystemError,
           "Py_mod_methods requires "
           "PySlot_STATIC");
    refuse(end, PyExc_SystemError, "invalid flags for Py_slot_end: 0x1");
}

START_TEST(unknown_slots_may_be_optional)
{
    const PySlot slots[] = {
        ABI,
        {.sl_id = Py_slot_invalid, .sl_flags = PySlot_OPTIONAL},
        {.sl_id = 5000, .sl_flags = PySlot_OPTIONAL},
        PySlot_DATA(Py_slot_subslots, NULL),
        PySlot_PTR(Py_mod_doc, "after"),
        PySlot_END,
    };
    PyObject *module = suite_require(from_slots(slots));
    suite_new_text(PyObject_GetAttrString(module, "__doc__"), "after");
    Py_DECREF(module);
}

START_TEST(arrays_are_nested_to_five_levels)
{
    const PySlot four[] = {ABI, PySlot_END};
    const PySlot three[] = {PySlot_DATA(Py_slot_subslots, four), PySlot_END};
    const PySlot two[] = {PySlot_DATA(Py_slot_subslots, three), PySlot_END};
    const PySlot one[] = {PySlot_DATA(Py_slot_subslots, two), PySlot_END};
    const PySlot zero[] = {PySlot_DATA(Py_slot_subslots, one),
                           PySlot_DATA(Py_mod_doc, "d"), PySlot_END};
    const PySlot deep[] = {PySlot_DATA(Py_slot_subslots, zero), PySlot_END};
    PyObject *module = suite_require(from_slots(zero));
    suite_new_text(PyObject_GetAttrString(module, "__doc__"), "d");
    Py_DECREF(module);
    refuse(deep, PyExc_SystemError,
           "Py_slot_subslots (slot 92): too many levels of nested slots");
}

/* ------------------------------------------------------------------ */
/* New slots in a PyModuleDef                                          */

static PyObject *
from_def(PyModuleDef *def)
{
    PyObject *spec = make_spec();
    PyObject *module = PyModule_FromDefAndSpec(def, spec);
    Py_DECREF(spec);
    return module;
}

START_TEST(a_definition_and_its_slots_must_agree)
{
    static PyModuleDef_Slot slots[] = {
        {Py_mod_doc, "doc"}, {Py_mod_abi, &abi_info}, {0, NULL}};
    static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "d",
                              .m_slots = slots};
    void *found;

    suite_refused(from_def(&def), PyExc_SystemError,
                  "module s: Py_mod_doc conflicts with PyModuleDef.m_doc");
    def.m_doc = slots[0].value;
    PyObject *module = suite_require(from_def(&def));
    ck_assert_int_eq(PyModule_GetToken(module, &found), 0);
    ck_assert_ptr_eq(found, &def);
    Py_DECREF(module);

    slots[1] = (PyModuleDef_Slot){Py_mod_token, &def};
    Py_DECREF(from_def(&def));
    slots[1].value = &token;
    suite_refused(
        from_def(&def), PyExc_SystemError,
        "module s: arbitrary Py_mod_token not allowed with PyModuleDef");
    slots[1] = (PyModuleDef_Slot){Py_mod_name, "other"};
    suite_refused(from_def(&def), PyExc_SystemError,
                  "module s: Py_mod_name conflicts with PyModuleDef.m_name");
    slots[1] = (PyModuleDef_Slot){Py_mod_state_size, (void *)8};
    suite_refused(
        from_def(&def), PyExc_SystemError,
        "module s: Py_mod_state_size conflicts with PyModuleDef.m_size");
}

START_TEST(a_definition_may_have_the_old_numbers_and_static_subslots)
{
    static PySlot more[] = {PySlot_FUNC(Py_mod_exec, execute), PySlot_END};
    static PySlot outer[] = {PySlot_STATIC_DATA(Py_slot_subslots, more),
                             PySlot_END};
    static PyModuleDef_Slot slots[] = {{2, (void *)execute},
                                       {3, NULL},
                                       {4, NULL},
                                       {Py_slot_subslots, outer},
                                       {0, NULL}};
    static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "d",
                              .m_size = sizeof(struct state),
                              .m_slots = slots};
    PyObject *module = suite_require(from_def(&def));
    ck_assert_int_eq(PyModule_Exec(module), 0);
    ck_assert_int_eq(executed, 2);
    Py_DECREF(module);
    outer[0].sl_flags = 0;
    suite_refused(from_def(&def), PyExc_SystemError,
                  "slots included from PyModuleDef must be static");
}

/* ------------------------------------------------------------------ */
/* ABI                                                                 */

static void
refuse_abi(PyABIInfo info, const char *text)
{
    char named[100];

    suite_failed(PyABIInfo_Check(&info, NULL), PyExc_ImportError, text);
    snprintf(named, sizeof named, "mod: %s", text);
    suite_failed(PyABIInfo_Check(&info, "mod"), PyExc_ImportError, named);
}

START_TEST(the_abi_is_checked)
{
    const uint32_t us = PY_VERSION_HEX;
    PyABIInfo any = {0, 9, 0xffff, us, Py_PACK_VERSION(9, 9)};
    PyABIInfo stable = {1, 0, PyABIInfo_STABLE, us, Py_PACK_VERSION(3, 2)};
    PyABIInfo both = {1, 0, PyABIInfo_DEFAULT_FLAGS | PyABIInfo_FREETHREADED,
                      us, us};
    PyABIInfo unsaid = {1, 0, 0, 0, 0};

    ck_assert_int_eq(PyABIInfo_Check(&abi_info, "mod"), 0);
    ck_assert_int_eq(PyABIInfo_Check(&any, "mod"), 0);
    ck_assert_int_eq(PyABIInfo_Check(&stable, "mod"), 0);
    ck_assert_int_eq(PyABIInfo_Check(&both, "mod"), 0);
    ck_assert_int_eq(PyABIInfo_Check(&unsaid, "mod"), 0);

    suite_failed(PyABIInfo_Check(NULL, "mod"), PyExc_ImportError,
                 "mod: NULL PyABIInfo");
    refuse_abi((PyABIInfo){2, 0, 0, us, us}, "PyABIInfo version too high");
    refuse_abi((PyABIInfo){1, 0, 0, us, Py_PACK_VERSION(3, 14)},
               "incompatible ABI version (3.14)");
    refuse_abi((PyABIInfo){1, 0, PyABIInfo_STABLE, us, Py_PACK_VERSION(3, 16)},
               "incompatible future stable ABI version (3.16)");
    refuse_abi((PyABIInfo){1, 0, PyABIInfo_STABLE, us, Py_PACK_VERSION(3, 1)},
               "invalid stable ABI version (3.1)");
    refuse_abi((PyABIInfo){1, 0, PyABIInfo_FREETHREADED, us, us},
               "only compatible with free-threaded CPython");
    refuse_abi((PyABIInfo){1, 0, PyABIInfo_GIL, us, us},
               "compiled with CPython's own headers and without "
               "Py_LIMITED_API");
    refuse_abi((PyABIInfo){1, 0, PyABIInfo_INTERNAL, us, 0x030f0001},
               "incompatible internal ABI (0x30f0001 != 0x30f00f0)");
    refuse_abi(
        (PyABIInfo){1, 0, PyABIInfo_INTERNAL | PyABIInfo_STABLE, us, us},
        "cannot use both internal and stable ABI");
}

START_TEST(a_module_for_another_abi_is_not_made)
{
    PyABIInfo old = {1, 0, PyABIInfo_GIL, 0, Py_PACK_VERSION(3, 14)};
    const PySlot slots[] = {PySlot_DATA(Py_mod_abi, &old), PySlot_END};

    refuse(slots, PyExc_ImportError, "s: incompatible ABI version (3.14)");
}

/* ------------------------------------------------------------------ */
/* Types                                                               */

static PyObject *
type_repr(PyObject *Py_UNUSED(op))
{
    return PyUnicode_FromString("<made from slots>");
}

static PyMemberDef members[] = {
    {"member", Py_T_INT, 0, Py_RELATIVE_OFFSET, NULL},
    {NULL, 0, 0, 0, NULL},
};

START_TEST(slots_make_a_type)
{
    PyType_Slot old[] = {{Py_tp_repr, (void *)type_repr}, {0, NULL}};
    PyObject *module = PyModule_New("m");
    const PySlot slots[] = {
        PySlot_STATIC_DATA(Py_tp_name, "m.Made"),
        PySlot_SIZE(Py_tp_extra_basicsize, sizeof(int)),
        PySlot_UINT64(Py_tp_flags, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE),
        PySlot_STATIC_DATA(Py_tp_members, members),
        PySlot_DATA(Py_tp_slots, old),
        PySlot_DATA(Py_tp_module, module),
        PySlot_DATA(Py_tp_token, &token),
        PySlot_DATA(Py_tp_doc, NULL),
        PySlot_END,
    };
    PyTypeObject *type = (PyTypeObject *)PyType_FromSlots(slots), *base;

    ck_assert_ptr_nonnull(type);
    ck_assert_str_eq(type->tp_name, "m.Made");
    ck_assert_int_ge(PyType_GetTypeDataSize(type), sizeof(int));
    ck_assert_ptr_eq(PyType_GetModule(type), module);
    ck_assert_int_eq(PyType_GetBaseByToken(type, &token, &base), 1);
    ck_assert_ptr_eq(base, type);
    Py_DECREF(base);
    PyObject *op = PyObject_CallNoArgs((PyObject *)type);
    suite_repr(op, "<made from slots>");
    *(int *)PyObject_GetTypeData(op, type) = 42;
    suite_new_int(PyObject_GetAttrString(op, "member"), 42);
    suite_drop(op, type, module);
}

static PyTypeObject meta_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Meta",
    .tp_base = &PyType_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

START_TEST(types_have_bases_metaclasses_and_items)
{
    PyObject *bases = PyTuple_Pack(1, &PyLong_Type);
    ck_assert_int_eq(PyType_Ready(&meta_type), 0);
    const PySlot derived_slots[] = {
        PySlot_DATA(Py_tp_name, "m.Int"),
        PySlot_DATA(Py_tp_base, &PyBaseObject_Type),
        PySlot_DATA(Py_tp_bases, bases),
        PySlot_DATA(Py_tp_metaclass, &meta_type),
        PySlot_END,
    };
    const PySlot sized_slots[] = {
        PySlot_DATA(Py_tp_name, "m.Sized"),
        PySlot_SIZE(Py_tp_basicsize, sizeof(PyVarObject) + 16),
        PySlot_SIZE(Py_tp_itemsize, 4),
        PySlot_END,
    };
    PyTypeObject *type =
        suite_require((PyTypeObject *)PyType_FromSlots(derived_slots));
    ck_assert(Py_IS_TYPE(type, &meta_type));
    ck_assert_ptr_eq(type->tp_base, &PyLong_Type);
    Py_SETREF(type,
              suite_require((PyTypeObject *)PyType_FromSlots(sized_slots)));
    ck_assert_int_eq(type->tp_basicsize, sizeof(PyVarObject) + 16);
    ck_assert_int_eq(type->tp_itemsize, 4);
    suite_drop(type, bases);
}

/* Refuses a type with the name and these two slots. */
static void
refuse_type(PySlot first, PySlot second, const char *text)
{
    const PySlot slots[] = {PySlot_DATA(Py_tp_name, "m.T"), first, second,
                            PySlot_END};

    suite_refused(PyType_FromSlots(slots), PyExc_SystemError, text);
}

START_TEST(bad_type_slots_are_refused)
{
    const PySlot nothing[] = {PySlot_END};
    const PySlot end = PySlot_END;

    suite_refused(PyType_FromSlots(nothing), PyExc_SystemError,
                  "Py_tp_name slot is required");
    refuse_type((PySlot)PySlot_SIZE(Py_tp_basicsize, 0), end,
                "Py_tp_basicsize must be positive");
    refuse_type((PySlot)PySlot_SIZE(Py_tp_extra_basicsize, -1), end,
                "Py_tp_extra_basicsize must be positive");
    refuse_type((PySlot)PySlot_SIZE(Py_tp_itemsize, 0), end,
                "Py_tp_itemsize must be positive");
    refuse_type((PySlot)PySlot_SIZE(Py_tp_basicsize, 32),
                (PySlot)PySlot_SIZE(Py_tp_extra_basicsize, 8),
                "Py_tp_basicsize and Py_tp_extra_basicsize cannot be used "
                "together");
    refuse_type((PySlot)PySlot_DATA(Py_tp_token, Py_TP_USE_SPEC), end,
                "Py_tp_token: Py_TP_USE_SPEC needs a PyType_Spec");
    refuse_type((PySlot)PySlot_DATA(Py_tp_members, members), end,
                "Py_tp_members requires PySlot_STATIC");
    refuse_type((PySlot)PySlot_DATA(Py_tp_doc, "a"),
                (PySlot)PySlot_DATA(Py_tp_doc, "b"),
                "type m.T has multiple Py_tp_doc (56) slots");
    refuse_type((PySlot)PySlot_DATA(Py_mod_doc, "a"), end,
                "invalid type slot 101 (Py_mod_doc)");
    refuse_type((PySlot)PySlot_DATA(Py_tp_name, "b"), end,
                "type m.T has multiple Py_tp_name (95) slots");
}

static int
note_warning(PyObject *category, const char *text, void *warned)
{
    ck_assert_ptr_eq(category, PyExc_DeprecationWarning);
    strcpy(warned, text);
    return 0;
}

/* Makes a type of those slots with that warning. */
static void
assert_warned(const PySlot *slots, const char *text)
{
    char warned[100] = "";

    PyBoehm_SetWarningHook(note_warning, warned);
    PyObject *type = PyType_FromSlots(slots);
    PyBoehm_SetWarningHook(NULL, NULL);
    ck_assert_ptr_nonnull(type);
    ck_assert_str_eq(warned, text);
    Py_DECREF(type);
}

START_TEST(doubtful_type_slots_are_warned_of)
{
    const PySlot null[] = {PySlot_DATA(Py_tp_name, "m.T"),
                           PySlot_FUNC(Py_tp_repr, NULL), PySlot_END};
    const PySlot twice[] = {PySlot_DATA(Py_tp_name, "m.T"),
                            PySlot_FUNC(Py_tp_repr, type_repr),
                            PySlot_FUNC(Py_tp_repr, type_repr), PySlot_END};

    assert_warned(null, "NULL value in slot Py_tp_repr is deprecated");
    assert_warned(twice, "type m.T has multiple Py_tp_repr (66) slots. This "
                         "is deprecated.");
}
