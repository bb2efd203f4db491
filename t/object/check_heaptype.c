/* check_heaptype.c: types made from a PyType_Spec: every slot, sizes, what
   outlives the spec, what a refused one leaves behind, and how types, modules
   and instances that hold one another are collected. */

#include "../support/suite.h"

static PyTypeObject *
as_type(PyObject *cls)
{
    return (PyTypeObject *)cls;
}

static PyObject *
from_slots(PyType_Slot *slots, int basicsize, unsigned flags, PyObject *bases)
{
    PyType_Spec spec = {"t.Made", basicsize, 0, flags, slots};

    return PyType_FromSpecWithBases(&spec, bases);
}

static PyType_Slot nothing[] = {{0, NULL}};

/* ------------------------------------------------------------------ */
/* Slots                                                               */

enum { LAST_SLOT = Py_tp_token };

static PyObject *
do_nothing(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"m", do_nothing, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static PyGetSetDef getset[] = {{NULL, NULL, NULL, NULL, NULL}};

/* Something to put into a slot that is never called. */
static void *
content_for(int slot)
{
    static PyMemberDef members[] = {{"type", Py_T_PYSSIZET,
                                     offsetof(PyObject, ob_refcnt),
                                     Py_READONLY, NULL},
                                    {NULL, 0, 0, 0, NULL}};

    switch (slot) {
    case Py_tp_base:
        return &PyBaseObject_Type;
    case Py_tp_bases:
        return PyBaseObject_Type.tp_mro; /* (object,) */
    case Py_tp_doc:
        return "Made.";
    case Py_tp_methods:
        return methods;
    case Py_tp_members:
        return members;
    case Py_tp_getset:
        return getset;
    default:
        return (void *)do_nothing;
    }
}

START_TEST(every_slot_can_be_set_and_read)
{
    PyType_Slot slots[LAST_SLOT + 1];
    PyTypeObject *type;
    PyMemberDef *members;

    for (int i = 0; i < LAST_SLOT; i++)
        slots[i] = (PyType_Slot){i + 1, content_for(i + 1)};
    slots[LAST_SLOT] = (PyType_Slot){0, NULL};
    type =
        suite_require(as_type(from_slots(slots, 0, Py_TPFLAGS_DEFAULT, NULL)));
    for (int i = 1; i <= LAST_SLOT; i++)
        if (i != Py_tp_doc && i != Py_tp_members && i != Py_tp_bases)
            ck_assert_msg(PyType_GetSlot(type, i) == content_for(i), "slot %d",
                          i);
    /* These are the type's own. */
    ck_assert_str_eq(PyType_GetSlot(type, Py_tp_doc), "Made.");
    ck_assert_ptr_ne(PyType_GetSlot(type, Py_tp_doc), content_for(Py_tp_doc));
    ck_assert_ptr_eq(PyType_GetSlot(type, Py_tp_bases), type->tp_bases);
    members = PyType_GetSlot(type, Py_tp_members);
    ck_assert_ptr_ne(members, content_for(Py_tp_members));
    ck_assert_str_eq(members[0].name, "type");
    ck_assert_ptr_null(members[1].name);
    /* Not to be called any more. */
    type->tp_is_gc = NULL;
    Py_DECREF(type);
}

START_TEST(slots_are_where_the_structures_have_them)
{
    PyType_Slot slots[] = {{Py_am_send, (void *)do_nothing},
                           {Py_bf_releasebuffer, (void *)do_nothing},
                           {Py_nb_inplace_matrix_multiply, (void *)do_nothing},
                           {Py_sq_inplace_repeat, (void *)do_nothing},
                           {Py_mp_ass_subscript, (void *)do_nothing},
                           {Py_tp_vectorcall, (void *)do_nothing},
                           {0, NULL}};
    PyTypeObject *type =
        as_type(from_slots(slots, 0, Py_TPFLAGS_DEFAULT, NULL));
    void *const content = (void *)do_nothing;

    ck_assert((void *)type->tp_as_async->am_send == content);
    ck_assert((void *)type->tp_as_buffer->bf_releasebuffer == content);
    ck_assert((void *)type->tp_as_number->nb_inplace_matrix_multiply ==
              content);
    ck_assert((void *)type->tp_as_sequence->sq_inplace_repeat == content);
    ck_assert((void *)type->tp_as_mapping->mp_ass_subscript == content);
    ck_assert((void *)type->tp_vectorcall == content);
    ck_assert_ptr_null(PyType_GetSlot(type, Py_tp_members));
    ck_assert_ptr_null(PyType_GetSlot(type, Py_tp_token));
    Py_DECREF(type);
}

START_TEST(slots_of_static_types_are_found_too)
{
    PyTypeObject *list = &PyList_Type;

    ck_assert(PyType_GetSlot(list, Py_tp_repr) == (void *)list->tp_repr);
    ck_assert(PyType_GetSlot(list, Py_tp_traverse) ==
              (void *)list->tp_traverse);
    ck_assert(PyType_GetSlot(list, Py_sq_length) ==
              (void *)list->tp_as_sequence->sq_length);
    ck_assert(PyType_GetSlot(&PyLong_Type, Py_nb_add) ==
              (void *)PyLong_Type.tp_as_number->nb_add);
    ck_assert_ptr_eq(PyType_GetSlot(list, Py_tp_base), list->tp_base);
    for (int i = 1; i <= LAST_SLOT; i++)
        PyType_GetSlot(list, i);
    ck_assert_ptr_null(PyErr_Occurred());
    suite_refused(PyType_GetSlot(list, -1), PyExc_SystemError, NULL);
    suite_refused(PyType_GetSlot(list, LAST_SLOT + 1), PyExc_SystemError,
                  NULL);
}

START_TEST(of_two_equal_slots_the_last_one_counts)
{
    PyType_Slot slots[] = {{Py_tp_repr, (void *)do_nothing},
                           {Py_tp_repr, (void *)PyObject_Str},
                           {0, NULL}};
    PyTypeObject *type = as_type(from_slots(slots, 0, 0, NULL));

    ck_assert(type->tp_repr == PyObject_Str);
    Py_DECREF(type);
}

/* ------------------------------------------------------------------ */
/* Members of special names                                            */

typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
} Callable;

static PyObject *
answer(PyObject *Py_UNUSED(self), PyObject *const *Py_UNUSED(args),
       size_t nargsf, PyObject *Py_UNUSED(kwnames))
{
    return PyLong_FromSsize_t(PyVectorcall_NARGS(nargsf));
}

START_TEST(a_member_may_say_where_vectorcall_is)
{
    PyMemberDef members[] = {{"__vectorcalloffset__", Py_T_PYSSIZET,
                              offsetof(Callable, call), Py_READONLY, NULL},
                             {NULL, 0, 0, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_members, members},
                           {Py_tp_call, (void *)PyVectorcall_Call},
                           {0, NULL}};
    PyObject *type =
        from_slots(slots, sizeof(Callable),
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, NULL);
    PyObject *op = PyObject_CallNoArgs(type);

    ck_assert_int_eq(as_type(type)->tp_vectorcall_offset,
                     offsetof(Callable, call));
    ((Callable *)op)->call = answer;
    suite_new_int(PyObject_CallOneArg(op, Py_None), 1);
    suite_drop(op, type);
}

START_TEST(a_relative_member_may_be_special)
{
    struct data {
        PyObject *dict;
        PyObject *weaklist;
        int number;
    };
    PyMemberDef members[] = {
        {"__dictoffset__", Py_T_PYSSIZET, offsetof(struct data, dict),
         Py_READONLY | Py_RELATIVE_OFFSET, NULL},
        {"__weaklistoffset__", Py_T_PYSSIZET, offsetof(struct data, weaklist),
         Py_READONLY | Py_RELATIVE_OFFSET, NULL},
        {"number", Py_T_INT, offsetof(struct data, number), Py_RELATIVE_OFFSET,
         NULL},
        {NULL, 0, 0, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_members, members}, {0, NULL}};
    PyTypeObject *type =
        as_type(from_slots(slots, -(int)sizeof(struct data), 0, NULL));
    PyObject *op = PyObject_CallNoArgs((PyObject *)type), *ref;
    struct data *data = PyObject_GetTypeData(op, type);

    ck_assert_int_eq((char *)&data->dict - (char *)op, type->tp_dictoffset);
    ck_assert_int_eq((char *)&data->weaklist - (char *)op,
                     type->tp_weaklistoffset);
    ck_assert_int_ge(PyType_GetTypeDataSize(type), sizeof(struct data));
    data->number = 12;
    suite_new_int(PyObject_GetAttrString(op, "number"), 12);
    ck_assert_int_eq(PyObject_SetAttrString(op, "x", Py_None), 0);
    ck_assert_ptr_nonnull(data->dict);
    ref = PyWeakref_NewRef(op, NULL);
    ck_assert_ptr_nonnull(data->weaklist);
    Py_DECREF(op);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &op), 0);
    suite_drop(ref, type);
}

START_TEST(items_stand_behind_all_data)
{
    PyType_Spec base_spec = {"t.Base", sizeof(PyVarObject), sizeof(int),
                             Py_TPFLAGS_BASETYPE | Py_TPFLAGS_ITEMS_AT_END,
                             nothing};
    PyObject *base = PyType_FromSpec(&base_spec);
    PyTypeObject *type = as_type(from_slots(nothing, -100, 0, base));
    PyObject *op = PyType_GenericAlloc(type, 3), *plain;

    ck_assert_ptr_nonnull(op);
    ck_assert(PyType_HasFeature(type, Py_TPFLAGS_ITEMS_AT_END));
    ck_assert_int_eq(type->tp_itemsize, sizeof(int));
    ck_assert_int_eq((char *)PyObject_GetItemData(op) - (char *)op,
                     type->tp_basicsize);
    ck_assert_int_ge((char *)PyObject_GetItemData(op) -
                         (char *)PyObject_GetTypeData(op, type),
                     100);
    ck_assert_int_eq(Py_SIZE(op), 3);
    plain = PyList_New(0);
    suite_refused(PyObject_GetItemData(plain), PyExc_TypeError,
                  "type 'list' does not have Py_TPFLAGS_ITEMS_AT_END");
    suite_drop(plain, op, type, base);
}

/* ------------------------------------------------------------------ */
/* What is refused                                                     */

static PyObject *
own_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    return PyType_Type.tp_new(type, args, kwds);
}

START_TEST(metatypes_must_fit)
{
    PyType_Slot slots[] = {{Py_tp_new, (void *)own_new}, {0, NULL}};
    PyObject *custom =
        from_slots(slots, 0, Py_TPFLAGS_BASETYPE, (PyObject *)&PyType_Type);
    PyObject *meta =
        from_slots(nothing, 0, Py_TPFLAGS_BASETYPE, (PyObject *)&PyType_Type);
    PyType_Spec spec = {"t.C", 0, 0, Py_TPFLAGS_BASETYPE, nothing};
    PyObject *a, *b;

    ck_assert_ptr_nonnull(custom);
    suite_refused(PyType_FromMetaclass(as_type(custom), NULL, &spec, NULL),
                  PyExc_TypeError,
                  "Metaclasses with custom tp_new are not supported.");
    suite_refused(
        PyType_FromMetaclass(&PyLong_Type, NULL, &spec, NULL), PyExc_TypeError,
        "metaclass conflict: the metaclass of a derived class must be a "
        "(non-strict) subclass of the metaclasses of all its bases");
    a = PyType_FromMetaclass(as_type(meta), NULL, &spec, NULL);
    ck_assert_ptr_eq(Py_TYPE(a), meta);
    b = PyType_FromSpecWithBases(&spec, a);
    ck_assert_ptr_eq(Py_TYPE(b), meta);
    Py_SETREF(b, suite_require(PyObject_CallFunction(custom, "s(){}", "B")));
    suite_refused(from_slots(nothing, 0, 0, PyTuple_Pack(2, a, b)),
                  PyExc_TypeError, NULL);
    suite_refused(from_slots(nothing, 0, 0, b), PyExc_TypeError,
                  "Metaclasses with custom tp_new are not supported.");
    suite_drop(b, a, meta, custom);
}

START_TEST(instances_may_be_forbidden)
{
    PyType_Slot slots[] = {{Py_tp_new, (void *)PyType_GenericNew}, {0, NULL}};
    PyObject *type =
        from_slots(slots, 0, Py_TPFLAGS_DISALLOW_INSTANTIATION, NULL);

    ck_assert_ptr_null(as_type(type)->tp_new);
    suite_refused(PyObject_CallNoArgs(type), PyExc_TypeError,
                  "cannot create 't.Made' instances");
    Py_DECREF(type);
}

/* The C allocator's, in bytes.  A leak in each of ROUNDS rounds would cost
   more than NOISE, as the smallest block has 32 bytes; the collector's tables
   grow a little for some time.  Both halves begin with a collection, so that
   as much garbage comes together in the one as in the other. */
enum { ROUNDS = 200, NOISE = 16 * ROUNDS };

static size_t
memory_in_use(void)
{
    PyGC_Collect();
    return suite_malloc_in_use();
}

/* Specs that come to nothing in every step of their making. */
static void
fail_in_all_ways(PyObject *wide, PyObject *other)
{
    PyMemberDef member[] = {{"x", Py_T_INT, 16, Py_RELATIVE_OFFSET, NULL},
                            {NULL, 0, 0, 0, NULL}};
    PyType_Slot members[] = {{Py_tp_members, member}, {0, NULL}};
    PyType_Slot unknown[] = {{Py_tp_doc, "x"}, {999, NULL}, {0, NULL}};
    PyType_Slot doc[] = {{Py_tp_doc, "A text."}, {0, NULL}};
    PyMethodDef both[] = {
        {"m", do_nothing, METH_NOARGS, NULL},
        {"n", do_nothing, METH_NOARGS | METH_CLASS | METH_STATIC, NULL},
        {NULL, NULL, 0, NULL}};
    PyType_Slot bad_methods[] = {{Py_tp_methods, both}, {0, NULL}};
    PyObject *bases = PyTuple_Pack(2, wide, other);

    suite_refused(from_slots(unknown, 0, 0, NULL), PyExc_RuntimeError,
                  "invalid slot offset");
    suite_refused(from_slots(members, -8, 0, NULL), PyExc_SystemError,
                  "Member offset out of range (0..-basicsize)");
    suite_refused(from_slots(doc, 8, 0, NULL), PyExc_TypeError, NULL);
    suite_refused(from_slots(doc, 0, Py_TPFLAGS_HAVE_GC, NULL),
                  PyExc_SystemError,
                  "type t.Made has the Py_TPFLAGS_HAVE_GC flag but has no "
                  "traverse function");
    suite_refused(from_slots(bad_methods, 0, 0, NULL), PyExc_ValueError, NULL);
    suite_refused(from_slots(doc, 0, 0, bases), PyExc_TypeError,
                  "multiple bases have instance lay-out conflict");
    suite_refused(from_slots(doc, 0, 0, (PyObject *)&PyBool_Type),
                  PyExc_TypeError,
                  "type 'bool' is not an acceptable base type");
    suite_refused(from_slots(doc, 0, Py_TPFLAGS_IMMUTABLETYPE, wide),
                  PyExc_TypeError,
                  "Creating immutable type t.Made from mutable base t.Made");
    Py_DECREF(bases);
}

START_TEST(refused_specs_leave_nothing_behind)
{
    PyObject *wide = from_slots(nothing, 64, Py_TPFLAGS_BASETYPE, NULL);
    PyObject *other = from_slots(nothing, 80, Py_TPFLAGS_BASETYPE, NULL);
    Py_ssize_t wide_count = Py_REFCNT(wide), other_count = Py_REFCNT(other);
    size_t before = 0;

    for (int i = 0; i < 2 * ROUNDS; i++) {
        if (i % ROUNDS == 0)
            before = memory_in_use();
        fail_in_all_ways(wide, other);
    }
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_uint_lt(memory_in_use(), before + NOISE);
    ck_assert_int_eq(Py_REFCNT(wide), wide_count);
    ck_assert_int_eq(Py_REFCNT(other), other_count);
    suite_drop(other, wide);
}

START_TEST(types_leave_nothing_behind)
{
    PyType_Slot slots[] = {{Py_tp_doc, "A text."},
                           {Py_tp_methods, methods},
                           {Py_tp_members, content_for(Py_tp_members)},
                           {0, NULL}};
    size_t before = 0;

    for (int i = 0; i < 2 * ROUNDS; i++) {
        if (i % ROUNDS == 0)
            before = memory_in_use();
        PyObject *type = from_slots(slots, 0, 0, NULL);
        Py_DECREF(PyObject_CallNoArgs(type));
        Py_DECREF(type);
    }
    ck_assert_uint_lt(memory_in_use(), before + NOISE);
}

/* ------------------------------------------------------------------ */
/* What outlives the spec                                              */

START_TEST(a_spec_may_be_gone_after_use)
{
    PyMemberDef *member = calloc(2, sizeof(*member));
    PyType_Slot *slots = calloc(3, sizeof(*slots));
    PyType_Spec *spec = calloc(1, sizeof(*spec));
    char *name = strdup("some.Name"), *doc = strdup("Name()\n--\n\nText.");
    PyObject *type, *op;

    *member = (PyMemberDef){"count", Py_T_INT, sizeof(PyObject), 0, NULL};
    slots[0] = (PyType_Slot){Py_tp_members, member};
    slots[1] = (PyType_Slot){Py_tp_doc, doc};
    *spec = (PyType_Spec){name, sizeof(PyObject) + 8, 0, 0, slots};
    type = PyType_FromSpec(spec);
    free(doc);
    free(name);
    free(spec);
    free(slots);
    free(member);
    op = PyObject_CallNoArgs(type);
    suite_new_int(PyObject_GetAttrString(op, "count"), 0);
    suite_new_repr(type, "<class 'some.Name'>");
    ck_assert_str_eq(Py_TYPE(op)->tp_name, "some.Name");
    ck_assert_str_eq(Py_TYPE(op)->tp_doc, "Name()\n--\n\nText.");
    suite_new_text(PyObject_GetAttrString((PyObject *)Py_TYPE(op), "__doc__"),
                   "Text.");
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* Collection                                                          */

typedef struct {
    PyObject_HEAD
    PyObject *left, *right;
} Pair;

static long live;
static const char *last_name; /* of the type, seen by the last dealloc */

static int
pair_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((Pair *)self)->left);
    Py_VISIT(((Pair *)self)->right);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static int
pair_clear(PyObject *self)
{
    Py_CLEAR(((Pair *)self)->left);
    Py_CLEAR(((Pair *)self)->right);
    return 0;
}

static void
pair_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    PyObject_GC_UnTrack(self);
    pair_clear(self);
    last_name = type->tp_name;
    ck_assert(last_name[0] == 'm' || last_name[0] == 'S');
    live--;
    type->tp_free(self);
    Py_DECREF(type);
}

static PyType_Slot pair_slots[] = {{Py_tp_traverse, (void *)pair_traverse},
                                   {Py_tp_clear, (void *)pair_clear},
                                   {Py_tp_dealloc, (void *)pair_dealloc},
                                   {Py_tp_methods, methods},
                                   {0, NULL}};
static PyType_Spec pair_spec = {"mod.Pair", sizeof(Pair), 0,
                                Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
                                pair_slots};

static int
state_traverse(PyObject *module, visitproc visit, void *arg)
{
    PyObject **state = PyModule_GetState(module);

    if (state != NULL)
        Py_VISIT(*state);
    return 0;
}

static int
state_clear(PyObject *module)
{
    PyObject **state = PyModule_GetState(module);

    if (state != NULL)
        Py_CLEAR(*state);
    return 0;
}

static void
state_free(void *module)
{
    state_clear((PyObject *)module);
}

static PyModuleDef def = {
    PyModuleDef_HEAD_INIT,        .m_name = "mod",
    .m_size = sizeof(PyObject *), .m_traverse = state_traverse,
    .m_clear = state_clear,       .m_free = state_free};

/* left and right are borrowed. */
static Pair *
new_pair(PyObject *type, void *left, void *right)
{
    Pair *pair = suite_require((Pair *)PyObject_CallNoArgs(type));
    live++;
    pair->left = Py_XNewRef(left);
    pair->right = Py_XNewRef(right);
    return pair;
}

/* The number is CPython 3.11's for the same source: module and its
   dictionary; type, its dictionary, bases, MRO and method; subclass, its
   dictionary, bases, MRO and list of slots; two instances, the bound method,
   the property. */
START_TEST(type_module_instances_and_subclass_are_one_cycle)
{
    PyObject *module, *type, *sub, *method, *property;
    Pair *a, *b;

    PyGC_Collect();
    module = PyModule_Create(&def);
    type = suite_require(PyType_FromModuleAndSpec(module, &pair_spec, NULL));
    *(PyObject **)PyModule_GetState(module) = Py_NewRef(type);
    sub = suite_class("s(O){sssN}", "Sub", type, "__module__", "x",
                      "__slots__", PyList_New(0));
    a = new_pair(type, NULL, NULL);
    method = PyObject_GetAttrString((PyObject *)a, "m");
    b = new_pair(sub, a, method);
    a->left = Py_NewRef(b);
    property = PyObject_CallOneArg((PyObject *)&PyProperty_Type, method);
    ck_assert_int_eq(PyObject_SetAttrString(type, "p", property), 0);
    ck_assert_int_eq(PyModule_AddObjectRef(module, "a", (PyObject *)a), 0);
    suite_drop(property, method, b, a, sub, type);
    ck_assert_int_eq(live, 2);
    Py_DECREF(module);
    ck_assert_int_eq(live, 2);
    ck_assert_int_eq(PyGC_Collect(), 16);
    ck_assert_int_eq(live, 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* The instance owns its type; the type is cleared and dies with it, in either
   order, and the instance's tp_dealloc may still look at it. */
START_TEST(a_type_outlives_its_last_instance)
{
    PyObject *type = PyType_FromSpec(&pair_spec);
    PyObject *ref = PyWeakref_NewRef(type, NULL);
    Pair *pair = new_pair(type, type, NULL);

    pair->right = Py_NewRef(pair);
    suite_drop(pair, type);
    ck_assert_int_eq(live, 1);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(live, 0);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &type), 0);
    Py_DECREF(ref);

    type = PyType_FromSpec(&pair_spec);
    pair = new_pair(type, NULL, NULL);
    ck_assert_int_eq(PyObject_SetAttrString(type, "it", (PyObject *)pair), 0);
    suite_drop(pair, type);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(live, 0);
}

/* Instances that are no containers cannot visit their type. */
START_TEST(without_a_visit_of_the_type_it_stays)
{
    PyType_Spec spec = {"mod.Plain", 0, 0, 0, nothing};
    PyObject *type, *ref, *op;

    type = PyType_FromSpec(&spec);
    ref = PyWeakref_NewRef(type, NULL);
    op = PyObject_CallNoArgs(type);
    ck_assert_int_eq(PyObject_SetAttrString(type, "it", op), 0);
    suite_drop(op, type);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &type), 1);
    ck_assert_int_eq(PyObject_SetAttrString(type, "it", NULL), 0);
    Py_DECREF(type);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &type), 0);
    Py_DECREF(ref);
}
