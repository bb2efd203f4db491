/* inherit.c: fills a type's empty slots from its bases.

   A slot counts as defined by a base if it differs from that base's own base.
   A slot that the base only inherited comes from further back in the MRO,
   where it was defined, so that of two bases the one that redefines a slot
   wins.

   The library's own types leave slots to be inherited from object. Exceptions,
   and the types of a type's dictionary, MRO and names, are used before
   PyType_Ready has filled their slots, so these name all.

   Manual: "Type Object Structures", the "Inheritance" paragraphs. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/type/inherit.h"

enum {
    SUBCLASS_FLAGS = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_LIST_SUBCLASS |
                     Py_TPFLAGS_TUPLE_SUBCLASS | Py_TPFLAGS_BYTES_SUBCLASS |
                     Py_TPFLAGS_UNICODE_SUBCLASS | Py_TPFLAGS_DICT_SUBCLASS |
                     Py_TPFLAGS_BASE_EXC_SUBCLASS,
    PATTERN_FLAGS = Py_TPFLAGS_SEQUENCE | Py_TPFLAGS_MAPPING
};

#define INHERITED_FLAGS                                                       \
    (SUBCLASS_FLAGS | Py_TPFLAGS_TYPE_SUBCLASS | _Py_TPFLAGS_MATCH_SELF |     \
     Py_TPFLAGS_ITEMS_AT_END | Py_TPFLAGS_MANAGED_DICT |                      \
     Py_TPFLAGS_MANAGED_WEAKREF | _PyB_TPFLAGS_CLEAR_FIRST)

void
pyb_inherit_special(PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;

    if (base == NULL)
        return;
    /* The three belong together: a type that defines one of them gets none of
       the base's. */
    if (!PyType_IS_GC(type) && PyType_IS_GC(base) &&
        type->tp_traverse == NULL && type->tp_clear == NULL) {
        type->tp_flags |= Py_TPFLAGS_HAVE_GC;
        type->tp_traverse = base->tp_traverse;
        type->tp_clear = base->tp_clear;
    }
    PYB_ASSERT(PyType_HasFeature(base, Py_TPFLAGS_READY));
    type->tp_flags |= base->tp_flags & INHERITED_FLAGS;
    if (type->tp_basicsize == 0)
        type->tp_basicsize = base->tp_basicsize;
    if (type->tp_itemsize == 0)
        type->tp_itemsize = base->tp_itemsize;
    if (type->tp_weaklistoffset == 0)
        type->tp_weaklistoffset = base->tp_weaklistoffset;
    if (type->tp_dictoffset == 0)
        type->tp_dictoffset = base->tp_dictoffset;
    PYB_ASSERT(type->tp_basicsize > 0 && type->tp_itemsize >= 0);
}

/* COPY(type, base, SLOT): the rule of the file's head. */
#define COPY(type, base, SLOT)                                                \
    do {                                                                      \
        if (!(type)->SLOT && (base)->SLOT &&                                  \
            ((base)->tp_base == NULL ||                                       \
             (base)->SLOT != (base)->tp_base->SLOT))                          \
            (type)->SLOT = (base)->SLOT;                                      \
    } while (0)

/* Does the type's dictionary define equality or hashing? */
static int
overrides_hash(PyTypeObject *type)
{
    PYB_ASSERT(PyDict_Check(type->tp_dict));
    int found = PyDict_ContainsString(type->tp_dict, "__eq__");

    if (found == 0)
        found = PyDict_ContainsString(type->tp_dict, "__hash__");
    return found;
}

/* Pairs of slots: a type inherits both or none. */
static int
inherit_pairs(PyTypeObject *type, PyTypeObject *base)
{
    if (type->tp_getattr == NULL && type->tp_getattro == NULL) {
        type->tp_getattr = base->tp_getattr;
        type->tp_getattro = base->tp_getattro;
    }
    if (type->tp_setattr == NULL && type->tp_setattro == NULL) {
        type->tp_setattr = base->tp_setattr;
        type->tp_setattro = base->tp_setattro;
    }
    if (type->tp_richcompare == NULL && type->tp_hash == NULL) {
        int overridden = overrides_hash(type);

        if (overridden < 0)
            return -1;
        if (!overridden) {
            type->tp_richcompare = base->tp_richcompare;
            type->tp_hash = base->tp_hash;
        }
    }
    return 0;
}

static void
inherit_descriptor(PyTypeObject *type, PyTypeObject *base)
{
    COPY(type, base, tp_descr_get);
    if (base->tp_descr_get != NULL &&
        type->tp_descr_get == base->tp_descr_get &&
        PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE))
        type->tp_flags |= base->tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR;
    COPY(type, base, tp_descr_set);
}

/* If only one of the type and its base supports garbage collection, they free
   memory in different ways; only the usual case has a known counterpart. */
static void
inherit_free(PyTypeObject *type, PyTypeObject *base)
{
    if (PyType_IS_GC(type) == PyType_IS_GC(base))
        COPY(type, base, tp_free);
    else if (PyType_IS_GC(type) && type->tp_free == NULL &&
             base->tp_free == PyObject_Free)
        type->tp_free = PyObject_GC_Del;
}

static int
inherit_from(PyTypeObject *type, PyTypeObject *base)
{
    PYB_ASSERT(PyType_Check(base) && base != type);
    COPY(type, base, tp_dealloc);
    COPY(type, base, tp_repr);
    COPY(type, base, tp_str);
    COPY(type, base, tp_iter);
    COPY(type, base, tp_iternext);
    COPY(type, base, tp_dictoffset);
    COPY(type, base, tp_init);
    COPY(type, base, tp_alloc);
    COPY(type, base, tp_is_gc);
    COPY(type, base, tp_finalize);
    COPY(type, base, tp_vectorcall_offset);
    if (type->tp_call == NULL)
        type->tp_flags |= base->tp_flags & Py_TPFLAGS_HAVE_VECTORCALL;
    COPY(type, base, tp_call);
    inherit_descriptor(type, base);
    inherit_free(type, base);
    if (!(type->tp_flags & PATTERN_FLAGS))
        type->tp_flags |= base->tp_flags & PATTERN_FLAGS;
    return inherit_pairs(type, base);
}

int
pyb_inherit_slots(PyTypeObject *type)
{
    PYB_ASSERT(PyTuple_Check(type->tp_mro));
    for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(type->tp_mro); i++)
        if (inherit_from(
                type, (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i)) < 0)
            return -1;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Suites                                                              */

/* Every slot of a suite is one pointer, NULL when empty, so that a suite is
   copied as an array of pointers; by memcpy, as they differ in type. */
static void *
slot_at(const void *suite, size_t i)
{
    void *slot = NULL;

    if (suite != NULL)
        memcpy(&slot, (const char *)suite + i * sizeof(slot), sizeof(slot));
    return slot;
}

static void
copy_suite(void *suite, const void *from, const void *below, size_t size)
{
    PYB_ASSERT(size % sizeof(void *) == 0);
    for (size_t i = 0; i < size / sizeof(void *); i++) {
        void *slot = slot_at(from, i);

        if (slot_at(suite, i) == NULL && slot != slot_at(below, i))
            memcpy((char *)suite + i * sizeof(slot), &slot, sizeof(slot));
    }
}

#define COPY_SUITE(SUITE)                                                     \
    do {                                                                      \
        if (type->SUITE != NULL && base->SUITE != NULL &&                     \
            type->SUITE != base->SUITE)                                       \
            copy_suite(type->SUITE, base->SUITE,                              \
                       base->tp_base != NULL ? base->tp_base->SUITE : NULL,   \
                       sizeof(*type->SUITE));                                 \
    } while (0)

#define SHARE_SUITE(SUITE)                                                    \
    do {                                                                      \
        if (type->SUITE == NULL)                                              \
            type->SUITE = type->tp_base->SUITE;                               \
    } while (0)

void
pyb_inherit_suites(PyTypeObject *type)
{
    for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(type->tp_mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i);

        PYB_ASSERT(PyType_Check(base));
        COPY_SUITE(tp_as_async);
        COPY_SUITE(tp_as_number);
        COPY_SUITE(tp_as_sequence);
        COPY_SUITE(tp_as_mapping);
        COPY_SUITE(tp_as_buffer);
    }
    if (type->tp_base == NULL)
        return;
    PYB_ASSERT(PyType_HasFeature(type->tp_base, Py_TPFLAGS_READY));
    SHARE_SUITE(tp_as_async);
    SHARE_SUITE(tp_as_number);
    SHARE_SUITE(tp_as_sequence);
    SHARE_SUITE(tp_as_mapping);
    SHARE_SUITE(tp_as_buffer);
}
