/* check_inherit.c: what PyType_Ready gives a type from its bases, and what it
   refuses. */

#include "../support/suite.h"

#include <string.h>

typedef struct {
    PyObject_HEAD
    PyObject *member;
    PyObject *dict;
    PyObject *weaklist;
} Holder;

#define STATIC_TYPE(NAME)                                                     \
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = NAME,                            \
                                .tp_basicsize = sizeof(Holder)

static void
ready(PyTypeObject *type)
{
    ck_assert_int_eq(PyType_Ready(type), 0);
    ck_assert(PyType_HasFeature(type, Py_TPFLAGS_READY));
    ck_assert(!PyType_HasFeature(type, Py_TPFLAGS_READYING));
}

/* The type is refused with the exception, and left as it was. */
static void
refused(PyTypeObject *type, PyObject *exception, const char *text)
{
    PyTypeObject before = *type;
    PyTypeObject after;

    suite_failed(PyType_Ready(type), exception, text);
    after = *type;
    after.ob_base.ob_base.ob_refcnt = before.ob_base.ob_base.ob_refcnt;
    ck_assert_mem_eq(&before, &after, sizeof(before));
}

/* Functions to be recognised by their address. */
static PyObject *
one(PyObject *Py_UNUSED(a))
{
    return NULL;
}

static PyObject *
other_one(PyObject *Py_UNUSED(a))
{
    return NULL;
}

static PyObject *
two(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b))
{
    return NULL;
}

static PyObject *
other_two(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b))
{
    return NULL;
}

static PyObject *
three(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b), PyObject *Py_UNUSED(c))
{
    return NULL;
}

static PyObject *
get(PyObject *Py_UNUSED(a), char *Py_UNUSED(b))
{
    return NULL;
}

static int
set(PyObject *Py_UNUSED(a), char *Py_UNUSED(b), PyObject *Py_UNUSED(c))
{
    return -1;
}

static int
seto(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b), PyObject *Py_UNUSED(c))
{
    return -1;
}

static int
truth(PyObject *Py_UNUSED(a))
{
    return 1;
}

static int
clear(PyObject *Py_UNUSED(a))
{
    return 0;
}

static int
traverse(PyObject *Py_UNUSED(a), visitproc Py_UNUSED(b), void *Py_UNUSED(c))
{
    return 0;
}

static int
other_traverse(PyObject *Py_UNUSED(a), visitproc Py_UNUSED(b),
               void *Py_UNUSED(c))
{
    return 0;
}

static void
destroy(PyObject *Py_UNUSED(a))
{
}

static void
release(void *Py_UNUSED(a))
{
}

static Py_hash_t
hash(PyObject *Py_UNUSED(a))
{
    return 1;
}

static Py_ssize_t
length(PyObject *Py_UNUSED(a))
{
    return 7;
}

static PyObject *
item(PyObject *Py_UNUSED(a), Py_ssize_t Py_UNUSED(i))
{
    return NULL;
}

static PyObject *
compare(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b), int Py_UNUSED(op))
{
    return NULL;
}

static PyObject *
make(PyTypeObject *type, PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b))
{
    return type->tp_alloc(type, 0);
}

static PyObject *
allocate(PyTypeObject *type, Py_ssize_t n)
{
    return PyType_GenericAlloc(type, n);
}

static int
buffer(PyObject *Py_UNUSED(a), Py_buffer *Py_UNUSED(b), int Py_UNUSED(c))
{
    return -1;
}

static PySendResult
send(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b), PyObject **Py_UNUSED(c))
{
    return PYGEN_ERROR;
}

/* ------------------------------------------------------------------ */
/* From a single base                                                  */

/* Has something in every slot. */
static PyTypeObject full_base = {
    STATIC_TYPE("t.Base"),
    .tp_itemsize = 4,
    .tp_dealloc = destroy,
    .tp_vectorcall_offset = offsetof(Holder, member),
    .tp_getattr = get,
    .tp_setattr = set,
    .tp_repr = one,
    .tp_hash = hash,
    .tp_call = three,
    .tp_str = one,
    .tp_getattro = two,
    .tp_setattro = seto,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_richcompare = compare,
    .tp_weaklistoffset = offsetof(Holder, weaklist),
    .tp_iter = one,
    .tp_iternext = one,
    .tp_descr_get = three,
    .tp_descr_set = seto,
    .tp_dictoffset = offsetof(Holder, dict),
    .tp_init = seto,
    .tp_alloc = allocate,
    .tp_new = make,
    .tp_free = release,
    .tp_is_gc = truth,
    .tp_del = destroy,
    .tp_finalize = destroy,
};

START_TEST(every_slot_is_inherited_from_a_single_base)
{
    static PyTypeObject derived = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.D", .tp_base = &full_base};

    ready(&derived);
    ck_assert(PyType_HasFeature(&full_base, Py_TPFLAGS_READY));
    ck_assert_ptr_eq(Py_TYPE(&derived), &PyType_Type);
#define SAME(SLOT)                                                            \
    ck_assert(derived.SLOT == full_base.SLOT && derived.SLOT != 0)
    SAME(tp_basicsize);
    SAME(tp_itemsize);
    SAME(tp_dealloc);
    SAME(tp_vectorcall_offset);
    SAME(tp_getattr);
    SAME(tp_setattr);
    SAME(tp_repr);
    SAME(tp_hash);
    SAME(tp_call);
    SAME(tp_str);
    SAME(tp_getattro);
    SAME(tp_setattro);
    SAME(tp_richcompare);
    SAME(tp_weaklistoffset);
    SAME(tp_iter);
    SAME(tp_iternext);
    SAME(tp_descr_get);
    SAME(tp_descr_set);
    SAME(tp_dictoffset);
    SAME(tp_init);
    SAME(tp_alloc);
    SAME(tp_new);
    SAME(tp_free);
    SAME(tp_is_gc);
    SAME(tp_finalize);
    /* Legacy finalizers stay with the type that has them. */
    ck_assert(derived.tp_del == NULL);
    /* The flag says something about the type itself. */
    ck_assert(!PyType_HasFeature(&derived, Py_TPFLAGS_BASETYPE));
    ck_assert(PyType_HasFeature(&derived, Py_TPFLAGS_IMMUTABLETYPE));
    ck_assert(_Py_IsImmortal((PyObject *)&derived));
}

START_TEST(an_empty_type_gets_what_object_has)
{
    static PyTypeObject type = {STATIC_TYPE("t.Empty")};

    ready(&type);
    ck_assert_ptr_eq(type.tp_base, &PyBaseObject_Type);
    ck_assert(type.tp_alloc == PyType_GenericAlloc);
    ck_assert(type.tp_free == PyObject_Free);
    ck_assert(type.tp_getattro == PyObject_GenericGetAttr);
    ck_assert(type.tp_setattro == PyObject_GenericSetAttr);
    ck_assert(type.tp_dealloc == PyBaseObject_Type.tp_dealloc);
    ck_assert(type.tp_hash == PyBaseObject_Type.tp_hash);
    ck_assert(type.tp_init == PyBaseObject_Type.tp_init);
    /* A static type is not made from nothing unless it says so. */
    ck_assert_ptr_null(type.tp_new);
    ck_assert(PyType_HasFeature(&type, Py_TPFLAGS_DISALLOW_INSTANTIATION));
    ck_assert_int_eq(PyType_Ready(&type), 0);
}

START_TEST(attribute_access_is_inherited_in_pairs)
{
    static PyTypeObject base = {STATIC_TYPE("t.Base"), .tp_getattro = two,
                                .tp_setattro = seto};
    static PyTypeObject derived = {STATIC_TYPE("t.Derived"), .tp_base = &base,
                                   .tp_getattr = get, .tp_setattr = set};

    ready(&derived);
    ck_assert(derived.tp_getattr == get);
    ck_assert(derived.tp_getattro == NULL);
    ck_assert(derived.tp_setattr == set);
    ck_assert(derived.tp_setattro == NULL);
}

START_TEST(comparison_and_hash_are_inherited_together)
{
    static PyTypeObject base = {STATIC_TYPE("t.Base"),
                                .tp_richcompare = compare, .tp_hash = hash};
    static PyTypeObject hashed = {STATIC_TYPE("t.H"), .tp_base = &base,
                                  .tp_hash = length};
    static PyTypeObject compared = {STATIC_TYPE("t.C"), .tp_base = &base,
                                    .tp_richcompare = compare};
    static PyTypeObject refuses = {STATIC_TYPE("t.R"), .tp_base = &base,
                                   .tp_hash = PyObject_HashNotImplemented};

    ready(&hashed);
    ck_assert(hashed.tp_richcompare == NULL);
    ready(&compared);
    ck_assert(compared.tp_hash == PyObject_HashNotImplemented);
    ck_assert_ptr_eq(PyDict_GetItemString(compared.tp_dict, "__hash__"),
                     Py_None);
    ready(&refuses);
    ck_assert_ptr_eq(PyDict_GetItemString(refuses.tp_dict, "__hash__"),
                     Py_None);
    ck_assert(Py_IS_TYPE(PyDict_GetItemString(base.tp_dict, "__hash__"),
                         &PyWrapperDescr_Type));
}

START_TEST(a_method_that_compares_counts_as_comparison)
{
    static PyMethodDef methods[] = {{"__eq__", two, METH_O, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyTypeObject type = {STATIC_TYPE("t.Eq"), .tp_methods = methods};

    ready(&type);
    ck_assert(type.tp_richcompare == NULL);
    ck_assert(type.tp_hash == PyObject_HashNotImplemented);
}

START_TEST(vectorcall_is_inherited_unless_call_is_given)
{
    static PyTypeObject base = {STATIC_TYPE("t.Base"), .tp_call = three,
                                .tp_vectorcall_offset =
                                    offsetof(Holder, member),
                                .tp_flags = Py_TPFLAGS_HAVE_VECTORCALL};
    static PyTypeObject plain = {STATIC_TYPE("t.P"), .tp_base = &base};
    static PyTypeObject calls = {STATIC_TYPE("t.C"), .tp_base = &base,
                                 .tp_call = three};

    ready(&plain);
    ck_assert(PyType_HasFeature(&plain, Py_TPFLAGS_HAVE_VECTORCALL));
    ck_assert(plain.tp_call == three);
    ready(&calls);
    ck_assert(!PyType_HasFeature(&calls, Py_TPFLAGS_HAVE_VECTORCALL));
    ck_assert_int_eq(calls.tp_vectorcall_offset, offsetof(Holder, member));
}

START_TEST(a_method_descriptor_stays_one_with_its_descr_get)
{
    static PyTypeObject base = {STATIC_TYPE("t.Base"), .tp_descr_get = three,
                                .tp_flags = Py_TPFLAGS_METHOD_DESCRIPTOR};
    static PyTypeObject derived = {STATIC_TYPE("t.D"), .tp_base = &base};
    static PyTypeObject bad = {STATIC_TYPE("t.Bad"),
                               .tp_flags = Py_TPFLAGS_METHOD_DESCRIPTOR};

    ready(&derived);
    ck_assert(PyType_HasFeature(&derived, Py_TPFLAGS_METHOD_DESCRIPTOR));
    refused(&bad, PyExc_SystemError, NULL);
}

START_TEST(pattern_flags_are_inherited_unless_one_is_given)
{
    static PyTypeObject base = {STATIC_TYPE("t.Base"),
                                .tp_flags = Py_TPFLAGS_SEQUENCE};
    static PyTypeObject derived = {STATIC_TYPE("t.D"), .tp_base = &base};
    static PyTypeObject mapping = {STATIC_TYPE("t.M"), .tp_base = &base,
                                   .tp_flags = Py_TPFLAGS_MAPPING};
    static PyTypeObject both = {STATIC_TYPE("t.B"),
                                .tp_flags =
                                    Py_TPFLAGS_MAPPING | Py_TPFLAGS_SEQUENCE};

    ready(&derived);
    ck_assert(PyType_HasFeature(&derived, Py_TPFLAGS_SEQUENCE));
    ready(&mapping);
    ck_assert(!PyType_HasFeature(&mapping, Py_TPFLAGS_SEQUENCE));
    refused(&both, PyExc_SystemError,
            "type t.B has both the Py_TPFLAGS_SEQUENCE and the "
            "Py_TPFLAGS_MAPPING flag");
}

START_TEST(subclass_flags_are_inherited)
{
    PyTypeObject *const bases[] = {
        &PyList_Type,  &PyTuple_Type,
        &PyDict_Type,  &PyLong_Type,
        &PyBytes_Type, &PyUnicode_Type,
        &PyType_Type,  (PyTypeObject *)PyExc_Exception};
    const unsigned long flags[] = {
        Py_TPFLAGS_LIST_SUBCLASS,  Py_TPFLAGS_TUPLE_SUBCLASS,
        Py_TPFLAGS_DICT_SUBCLASS,  Py_TPFLAGS_LONG_SUBCLASS,
        Py_TPFLAGS_BYTES_SUBCLASS, Py_TPFLAGS_UNICODE_SUBCLASS,
        Py_TPFLAGS_TYPE_SUBCLASS,  Py_TPFLAGS_BASE_EXC_SUBCLASS};

    static PyTypeObject types[Py_ARRAY_LENGTH(bases)];

    for (size_t i = 0; i < Py_ARRAY_LENGTH(bases); i++) {
        PyTypeObject *type = &types[i];

        type->tp_name = "t.Derived";
        type->tp_base = bases[i];
        ready(type);
        ck_assert(PyType_HasFeature(type, flags[i]));
        ck_assert_int_eq(type->tp_basicsize, bases[i]->tp_basicsize);
        ck_assert_int_eq(PyType_IS_GC(type), PyType_IS_GC(bases[i]));
        ck_assert(type->tp_free == bases[i]->tp_free);
    }
}

/* ------------------------------------------------------------------ */
/* Garbage collection                                                  */

#define GC_BASE                                                               \
    {                                                                         \
        STATIC_TYPE("t.Base"),                                                \
            .tp_traverse = traverse, .tp_clear = clear,                       \
            .tp_flags = Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE              \
    }

START_TEST(flag_traverse_and_clear_come_together)
{
    static PyTypeObject base = GC_BASE;
    static PyTypeObject derived = {STATIC_TYPE("t.D"), .tp_base = &base};

    ready(&derived);
    ck_assert(PyType_IS_GC(&derived));
    ck_assert(derived.tp_traverse == traverse);
    ck_assert(derived.tp_clear == clear);
    ck_assert(derived.tp_free == PyObject_GC_Del);
}

START_TEST(a_type_with_a_traverse_of_its_own_gets_none_of_the_three)
{
    static PyTypeObject base = GC_BASE;
    static PyTypeObject derived = {STATIC_TYPE("t.D"), .tp_base = &base,
                                   .tp_traverse = other_traverse};

    ready(&derived);
    ck_assert(!PyType_IS_GC(&derived));
    ck_assert(derived.tp_traverse == other_traverse);
    ck_assert(derived.tp_clear == NULL);
}

START_TEST(a_type_with_a_clear_of_its_own_gets_none_of_the_three)
{
    static PyTypeObject base = GC_BASE;
    static PyTypeObject derived = {STATIC_TYPE("t.D"), .tp_base = &base,
                                   .tp_clear = truth};

    ready(&derived);
    ck_assert(!PyType_IS_GC(&derived));
    ck_assert(derived.tp_traverse == NULL);
    ck_assert(derived.tp_clear == truth);
}

START_TEST(a_type_with_the_flag_inherits_neither_traverse_nor_clear)
{
    static PyTypeObject base = GC_BASE;
    static PyTypeObject own = {STATIC_TYPE("t.Own"), .tp_base = &base,
                               .tp_flags = Py_TPFLAGS_HAVE_GC,
                               .tp_traverse = other_traverse};
    static PyTypeObject none = {STATIC_TYPE("t.None"), .tp_base = &base,
                                .tp_flags = Py_TPFLAGS_HAVE_GC};

    ready(&own);
    ck_assert(own.tp_traverse == other_traverse);
    ck_assert(own.tp_clear == NULL);
    refused(&none, PyExc_SystemError,
            "type t.None has the Py_TPFLAGS_HAVE_GC flag but has no traverse "
            "function");
}

START_TEST(a_type_without_traverse_is_refused_until_it_has_one)
{
    static PyTypeObject type = {STATIC_TYPE("t.X"),
                                .tp_flags = Py_TPFLAGS_HAVE_GC};

    refused(&type, PyExc_SystemError,
            "type t.X has the Py_TPFLAGS_HAVE_GC flag but has no traverse "
            "function");
    type.tp_traverse = traverse;
    type.tp_new = make;
    ready(&type);
    ck_assert(type.tp_new == make);
    ck_assert(!PyType_HasFeature(&type, Py_TPFLAGS_DISALLOW_INSTANTIATION));
    ck_assert(type.tp_free == PyObject_GC_Del);
    ck_assert(type.tp_alloc == PyType_GenericAlloc);
}

START_TEST(a_container_that_is_a_base_must_be_freed_as_one)
{
    static PyTypeObject type = GC_BASE;

    type.tp_free = PyObject_Free;
    refused(&type, PyExc_TypeError,
            "type 't.Base' participates in gc and is a base type but has "
            "inappropriate tp_free slot");
    type.tp_flags &= ~Py_TPFLAGS_BASETYPE;
    ready(&type);
}

START_TEST(managed_flags_need_gc_and_set_the_offsets)
{
    static PyTypeObject dict = {STATIC_TYPE("t.M"),
                                .tp_flags = Py_TPFLAGS_MANAGED_DICT};
    static PyTypeObject weak = {STATIC_TYPE("t.W"),
                                .tp_flags = Py_TPFLAGS_MANAGED_WEAKREF};
    static PyTypeObject derived = {STATIC_TYPE("t.D"), .tp_base = &dict};

    refused(&dict, PyExc_SystemError,
            "type t.M has the Py_TPFLAGS_MANAGED_DICT flag but not "
            "Py_TPFLAGS_HAVE_GC flag");
    refused(&weak, PyExc_SystemError,
            "type t.W has the Py_TPFLAGS_MANAGED_WEAKREF flag but not "
            "Py_TPFLAGS_HAVE_GC flag");
    dict.tp_flags |= Py_TPFLAGS_HAVE_GC;
    dict.tp_traverse = traverse;
    dict.tp_dictoffset = 24;
    refused(&dict, PyExc_TypeError,
            "type t.M has the Py_TPFLAGS_MANAGED_DICT flag but tp_dictoffset "
            "is set");
    dict.tp_dictoffset = 0;
    ready(&dict);
    ck_assert_int_eq(dict.tp_dictoffset, -1);
    ready(&derived);
    ck_assert(PyType_HasFeature(&derived, Py_TPFLAGS_MANAGED_DICT));
    ck_assert_int_eq(derived.tp_dictoffset, -1);
    weak.tp_flags |= Py_TPFLAGS_HAVE_GC;
    weak.tp_traverse = traverse;
    weak.tp_weaklistoffset = 24;
    refused(&weak, PyExc_TypeError,
            "type t.W has the Py_TPFLAGS_MANAGED_WEAKREF flag but "
            "tp_weaklistoffset is set");
    weak.tp_weaklistoffset = 0;
    ready(&weak);
    ck_assert_int_lt(weak.tp_weaklistoffset, 0);
}

/* ------------------------------------------------------------------ */
/* Suites                                                              */

START_TEST(suites_are_inherited_slot_by_slot)
{
    static PyNumberMethods base_number = {
        .nb_add = two, .nb_negative = one, .nb_bool = truth};
    static PySequenceMethods base_sequence = {.sq_length = length,
                                              .sq_item = item};
    static PyMappingMethods base_mapping = {.mp_length = length,
                                            .mp_subscript = two};
    static PyAsyncMethods base_async = {.am_await = one, .am_send = send};
    static PyBufferProcs base_buffer = {.bf_getbuffer = buffer};
    static PyTypeObject base = {STATIC_TYPE("t.Base"),
                                .tp_as_number = &base_number,
                                .tp_as_sequence = &base_sequence,
                                .tp_as_mapping = &base_mapping,
                                .tp_as_async = &base_async,
                                .tp_as_buffer = &base_buffer};
    static PyNumberMethods number = {.nb_add = other_two};
    static PySequenceMethods sequence = {.sq_concat = two};
    static PyMappingMethods mapping = {.mp_subscript = other_two};
    static PyAsyncMethods async = {.am_await = other_one};
    static PyBufferProcs buffers = {NULL, NULL};
    static PyTypeObject derived = {
        STATIC_TYPE("t.D"),        .tp_base = &base,
        .tp_as_number = &number,   .tp_as_sequence = &sequence,
        .tp_as_mapping = &mapping, .tp_as_async = &async,
        .tp_as_buffer = &buffers};

    ready(&derived);
    ck_assert(number.nb_add == other_two);
    ck_assert(number.nb_negative == one);
    ck_assert(number.nb_bool == truth);
    ck_assert(number.nb_subtract == NULL);
    ck_assert(sequence.sq_length == length);
    ck_assert(sequence.sq_item == item);
    ck_assert(sequence.sq_concat == two);
    ck_assert(mapping.mp_length == length);
    ck_assert(mapping.mp_subscript == other_two);
    ck_assert(async.am_await == other_one);
    ck_assert(async.am_send == send);
    ck_assert(buffers.bf_getbuffer == buffer);
}

START_TEST(a_missing_suite_is_the_base_s)
{
    static PyNumberMethods number = {.nb_add = two};
    static PyTypeObject base = {STATIC_TYPE("t.Base"),
                                .tp_as_number = &number};
    static PyTypeObject derived = {STATIC_TYPE("t.D"), .tp_base = &base};

    ready(&derived);
    ck_assert_ptr_eq(derived.tp_as_number, &number);
    ck_assert_ptr_null(derived.tp_as_sequence);
}

/* ------------------------------------------------------------------ */
/* From several bases                                                  */

static PyObject *
type_with(PyType_Slot *slots, PyObject *bases)
{
    PyType_Spec spec = {"t.Made", 0, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return suite_require(PyType_FromSpecWithBases(&spec, bases));
}

START_TEST(slots_come_from_the_whole_mro)
{
    PyType_Slot with_repr[] = {
        {Py_tp_repr, (void *)one}, {Py_nb_add, (void *)two}, {0, NULL}};
    PyType_Slot with_str[] = {
        {Py_tp_str, (void *)one}, {Py_nb_negative, (void *)one}, {0, NULL}};
    PyType_Slot nothing[] = {{0, NULL}};
    PyObject *a = type_with(with_repr, NULL);
    PyObject *b = type_with(with_str, NULL);
    PyObject *bases = PyTuple_Pack(2, a, b);
    PyTypeObject *both = (PyTypeObject *)type_with(nothing, bases);

    ck_assert(both->tp_repr == one);
    ck_assert(both->tp_str == one);
    ck_assert(both->tp_as_number->nb_add == two);
    ck_assert(both->tp_as_number->nb_negative == one);
    ck_assert_ptr_eq(both->tp_base, a);
    suite_drop(both, bases, b, a);
}

START_TEST(in_a_diamond_the_redefined_slot_wins)
{
    PyType_Slot first[] = {
        {Py_tp_repr, (void *)one}, {Py_nb_add, (void *)two}, {0, NULL}};
    PyType_Slot second[] = {{Py_tp_repr, (void *)other_one},
                            {Py_nb_add, (void *)other_two},
                            {0, NULL}};
    PyType_Slot nothing[] = {{0, NULL}};
    PyObject *top = type_with(first, NULL);
    PyObject *left = type_with(nothing, top);
    PyObject *right = type_with(second, top);
    PyObject *bases = PyTuple_Pack(2, left, right);
    PyTypeObject *bottom = (PyTypeObject *)type_with(nothing, bases);

    ck_assert(((PyTypeObject *)left)->tp_repr == one);
    ck_assert(bottom->tp_repr == other_one);
    ck_assert(bottom->tp_as_number->nb_add == other_two);
    suite_drop(bottom, bases, right, left, top);
}

START_TEST(a_static_type_may_have_several_bases)
{
    static PyTypeObject a = {STATIC_TYPE("t.A"),
                             .tp_flags = Py_TPFLAGS_BASETYPE, .tp_repr = one};
    static PyTypeObject b = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.B",
                             .tp_flags = Py_TPFLAGS_BASETYPE, .tp_str = one};
    static PyTypeObject both = {PyVarObject_HEAD_INIT(NULL, 0).tp_name =
                                    "t.Both"};

    both.tp_bases = PyTuple_Pack(2, (PyObject *)&b, (PyObject *)&a);
    ready(&both);
    ck_assert_ptr_eq(both.tp_base, &a);
    ck_assert_int_eq(both.tp_basicsize, sizeof(Holder));
    ck_assert(both.tp_repr == one);
    ck_assert(both.tp_str == one);
}

/* ------------------------------------------------------------------ */
/* Making instances                                                    */

START_TEST(tp_new_is_inherited_unless_forbidden)
{
    static PyTypeObject base = {STATIC_TYPE("t.Base"), .tp_new = make};
    static PyTypeObject derived = {STATIC_TYPE("t.D"), .tp_base = &base};
    static PyTypeObject never = {STATIC_TYPE("t.N"), .tp_base = &base,
                                 .tp_flags =
                                     Py_TPFLAGS_DISALLOW_INSTANTIATION};

    ready(&derived);
    ck_assert(derived.tp_new == make);
    ready(&never);
    ck_assert(never.tp_new == NULL);
    suite_refused(PyObject_CallNoArgs((PyObject *)&never), PyExc_TypeError,
                  "cannot create 't.N' instances");
}

/* As sources of all ages write it: by position, without a metatype. */
static PyTypeObject positional = {
    PyVarObject_HEAD_INIT(NULL, 0) "t.Positional", /* tp_name */
    sizeof(Holder),                                /* tp_basicsize */
    0,                                             /* tp_itemsize */
    destroy,                                       /* tp_dealloc */
    0,                                             /* tp_vectorcall_offset */
    0,                                             /* tp_getattr */
    0,                                             /* tp_setattr */
    0,                                             /* tp_as_async */
    one,                                           /* tp_repr */
    0,                                             /* tp_as_number */
    0,                                             /* tp_as_sequence */
    0,                                             /* tp_as_mapping */
    hash,                                          /* tp_hash */
    three,                                         /* tp_call */
    other_one,                                     /* tp_str */
    PyObject_GenericGetAttr,                       /* tp_getattro */
    seto,                                          /* tp_setattro */
    0,                                             /* tp_as_buffer */
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,       /* tp_flags */
    "Made by position.",                           /* tp_doc */
    traverse,                                      /* tp_traverse */
    clear,                                         /* tp_clear */
    compare,                                       /* tp_richcompare */
    offsetof(Holder, weaklist),                    /* tp_weaklistoffset */
    one,                                           /* tp_iter */
    one,                                           /* tp_iternext */
    0,                                             /* tp_methods */
    0,                                             /* tp_members */
    0,                                             /* tp_getset */
    0,                                             /* tp_base */
    0,                                             /* tp_dict */
    three,                                         /* tp_descr_get */
    seto,                                          /* tp_descr_set */
    offsetof(Holder, dict),                        /* tp_dictoffset */
    seto,                                          /* tp_init */
    allocate,                                      /* tp_alloc */
    make,                                          /* tp_new */
    release,                                       /* tp_free */
    0,                                             /* tp_is_gc */
    0,                                             /* tp_bases */
    0,                                             /* tp_mro */
    0,                                             /* tp_cache */
    0,                                             /* tp_subclasses */
    0,                                             /* tp_weaklist */
    0,                                             /* tp_del */
    0,                                             /* tp_version_tag */
    destroy,                                       /* tp_finalize */
    0,                                             /* tp_vectorcall */
    0,                                             /* tp_watched */
    0,                                             /* tp_versions_used */
};

START_TEST(a_type_may_be_initialised_by_position)
{
    PyObject *doc;

    ready(&positional);
    ck_assert(positional.tp_str == other_one);
    ck_assert(positional.tp_free == release);
    ck_assert(positional.tp_finalize == destroy);
    ck_assert(positional.tp_new == make);
    ck_assert_int_eq(positional.tp_dictoffset, offsetof(Holder, dict));
    doc = suite_require(
        PyObject_GetAttrString((PyObject *)&positional, "__doc__"));
    suite_new_text(doc, "Made by position.");
}

/* ------------------------------------------------------------------ */
/* Bad input                                                           */

START_TEST(sizes_and_offsets_are_checked)
{
    static PyTypeObject base = {STATIC_TYPE("t.Base")};
    static PyTypeObject small = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Small",
        .tp_basicsize = sizeof(PyObject), .tp_base = &base};
    static PyTypeObject negative = {STATIC_TYPE("t.Neg"), .tp_itemsize = -1};
    static PyTypeObject outside = {STATIC_TYPE("t.Out"),
                                   .tp_dictoffset = -100};
    char text[120];

    snprintf(text, sizeof(text),
             "tp_basicsize for type 't.Small' (16) is too small for base "
             "'t.Base' (%zu)",
             sizeof(Holder));
    refused(&small, PyExc_TypeError, text);
    refused(&negative, PyExc_SystemError,
            "type t.Neg has a negative tp_basicsize or tp_itemsize");
    refused(&outside, PyExc_SystemError,
            "type t.Out has a tp_dictoffset that is too small");
}

START_TEST(a_type_needs_a_name)
{
    static PyTypeObject type = {PyVarObject_HEAD_INIT(NULL, 0).tp_doc =
                                    "nameless"};

    refused(&type, PyExc_SystemError,
            "Type does not define the tp_name field.");
    type.tp_name = "t.Named";
    ready(&type);
}

START_TEST(vectorcall_needs_an_offset_and_a_call)
{
    static PyTypeObject type = {STATIC_TYPE("t.V"),
                                .tp_flags = Py_TPFLAGS_HAVE_VECTORCALL};

    refused(&type, PyExc_SystemError,
            "type t.V has the Py_TPFLAGS_HAVE_VECTORCALL flag but no "
            "tp_vectorcall_offset or no tp_call");
}

START_TEST(a_type_that_is_its_own_base_is_refused)
{
    static PyTypeObject a = {STATIC_TYPE("t.A")};
    static PyTypeObject b = {STATIC_TYPE("t.B"), .tp_base = &a};

    a.tp_base = &b;
    refused(&a, PyExc_TypeError,
            "a __bases__ item causes an inheritance cycle");
    refused(&b, PyExc_TypeError,
            "a __bases__ item causes an inheritance cycle");
    a.tp_base = NULL;
    ready(&b);
}

START_TEST(a_static_type_cannot_have_a_heap_type_as_base)
{
    PyType_Slot nothing[] = {{0, NULL}};
    PyObject *base = type_with(nothing, NULL);
    Py_ssize_t count = Py_REFCNT(base);
    static PyTypeObject type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name =
                                    "t.Static"};

    type.tp_base = (PyTypeObject *)base;
    refused(&type, PyExc_TypeError,
            "type 't.Static' is not dynamically allocated but its base type "
            "'t.Made' is dynamically allocated");
    ck_assert_int_eq(Py_REFCNT(base), count);
    Py_DECREF(base);
}

START_TEST(a_method_of_two_kinds_is_refused)
{
    static PyMethodDef methods[] = {
        {"fine", two, METH_O, NULL},
        {"both", two, METH_O | METH_CLASS | METH_STATIC, NULL},
        {NULL, NULL, 0, NULL}};
    static PyTypeObject type = {STATIC_TYPE("t.T"), .tp_methods = methods};

    refused(&type, PyExc_ValueError, "method cannot be both class and static");
    methods[1].ml_flags = METH_O | METH_STATIC;
    ready(&type);
    ck_assert_int_eq(PyDict_ContainsString(type.tp_dict, "both"), 1);
}

static PyObject *
get_item(PyObject *type, PyObject *op, PyObject *key)
{
    binaryfunc slot =
        (binaryfunc)PyType_GetSlot((PyTypeObject *)type, Py_mp_subscript);
    return slot(op, key);
}

/* dict's __getitem__ is a method, by the function of the slot. */
START_TEST(a_method_that_is_the_slot_leaves_it_in_place)
{
    PyObject *cls = suite_class("s(O){}", "D", (PyObject *)&PyDict_Type);
    PyObject *other = suite_class("s(){}", "Other");
    PyObject *method = suite_require(
        PyObject_GetAttrString((PyObject *)&PyDict_Type, "__getitem__"));
    PyObject *op = suite_require(PyObject_CallNoArgs(cls)), *mine;
    void *slot = PyType_GetSlot(&PyDict_Type, Py_mp_subscript);

    ck_assert_ptr_eq(PyType_GetSlot((PyTypeObject *)cls, Py_mp_subscript),
                     slot);
    mine = PyBytes_FromString("");
    ck_assert_int_eq(
        PyObject_SetAttrString(cls, "__getitem__", (PyObject *)&PyLong_Type),
        0);
    suite_refused(get_item(cls, op, mine), PyExc_ValueError, NULL);
    ck_assert_int_eq(PyObject_DelAttrString(cls, "__getitem__"), 0);
    suite_refused(get_item(cls, op, mine), PyExc_KeyError, NULL);
    ck_assert_ptr_eq(PyType_GetSlot((PyTypeObject *)cls, Py_mp_subscript),
                     slot);
    /* It is no base's: the method looks at what it is given. */
    ck_assert_int_eq(PyObject_SetAttrString(other, "__getitem__", method), 0);
    suite_drop(op);
    op = suite_require(PyObject_CallNoArgs(other));
    suite_refused(get_item(other, op, mine), PyExc_TypeError, NULL);
    suite_drop(mine, op, method, other, cls);
}
