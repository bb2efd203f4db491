/* slots.c: the place in a type of each slot number of typeslots.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/slot/slots.h"
#include "object/type/typedata.h"

/* suite is the offset in PyTypeObject of the pointer to the suite that the
   slot is in, 0 for the type itself; offset is that of the slot in it. */
struct place {
    unsigned short suite, offset;
};

#define TYPE(NAME) [Py_##NAME] = {0, offsetof(PyTypeObject, NAME)}
#define IN_SUITE(NAME, SUITE, STRUCT)                                         \
    [Py_##NAME] = {offsetof(PyTypeObject, SUITE), offsetof(STRUCT, NAME)}
#define NUMBER(NAME) IN_SUITE(NAME, tp_as_number, PyNumberMethods)
#define SEQUENCE(NAME) IN_SUITE(NAME, tp_as_sequence, PySequenceMethods)
#define MAPPING(NAME) IN_SUITE(NAME, tp_as_mapping, PyMappingMethods)
#define ASYNC(NAME) IN_SUITE(NAME, tp_as_async, PyAsyncMethods)
#define BUFFER(NAME) IN_SUITE(NAME, tp_as_buffer, PyBufferProcs)

static const struct place places[] = {
    BUFFER(bf_getbuffer),
    BUFFER(bf_releasebuffer),
    MAPPING(mp_ass_subscript),
    MAPPING(mp_length),
    MAPPING(mp_subscript),
    NUMBER(nb_absolute),
    NUMBER(nb_add),
    NUMBER(nb_and),
    NUMBER(nb_bool),
    NUMBER(nb_divmod),
    NUMBER(nb_float),
    NUMBER(nb_floor_divide),
    NUMBER(nb_index),
    NUMBER(nb_inplace_add),
    NUMBER(nb_inplace_and),
    NUMBER(nb_inplace_floor_divide),
    NUMBER(nb_inplace_lshift),
    NUMBER(nb_inplace_multiply),
    NUMBER(nb_inplace_or),
    NUMBER(nb_inplace_power),
    NUMBER(nb_inplace_remainder),
    NUMBER(nb_inplace_rshift),
    NUMBER(nb_inplace_subtract),
    NUMBER(nb_inplace_true_divide),
    NUMBER(nb_inplace_xor),
    NUMBER(nb_int),
    NUMBER(nb_invert),
    NUMBER(nb_lshift),
    NUMBER(nb_multiply),
    NUMBER(nb_negative),
    NUMBER(nb_or),
    NUMBER(nb_positive),
    NUMBER(nb_power),
    NUMBER(nb_remainder),
    NUMBER(nb_rshift),
    NUMBER(nb_subtract),
    NUMBER(nb_true_divide),
    NUMBER(nb_xor),
    SEQUENCE(sq_ass_item),
    SEQUENCE(sq_concat),
    SEQUENCE(sq_contains),
    SEQUENCE(sq_inplace_concat),
    SEQUENCE(sq_inplace_repeat),
    SEQUENCE(sq_item),
    SEQUENCE(sq_length),
    SEQUENCE(sq_repeat),
    TYPE(tp_alloc),
    TYPE(tp_base),
    TYPE(tp_bases),
    TYPE(tp_call),
    TYPE(tp_clear),
    TYPE(tp_dealloc),
    TYPE(tp_del),
    TYPE(tp_descr_get),
    TYPE(tp_descr_set),
    TYPE(tp_doc),
    TYPE(tp_getattr),
    TYPE(tp_getattro),
    TYPE(tp_hash),
    TYPE(tp_init),
    TYPE(tp_is_gc),
    TYPE(tp_iter),
    TYPE(tp_iternext),
    TYPE(tp_methods),
    TYPE(tp_new),
    TYPE(tp_repr),
    TYPE(tp_richcompare),
    TYPE(tp_setattr),
    TYPE(tp_setattro),
    TYPE(tp_str),
    TYPE(tp_traverse),
    TYPE(tp_members),
    TYPE(tp_getset),
    TYPE(tp_free),
    NUMBER(nb_matrix_multiply),
    NUMBER(nb_inplace_matrix_multiply),
    ASYNC(am_await),
    ASYNC(am_aiter),
    ASYNC(am_anext),
    TYPE(tp_finalize),
    ASYNC(am_send),
    TYPE(tp_vectorcall),
    [Py_tp_token] = {0, offsetof(PyHeapTypeObject, ht_token)},
};

_Static_assert(sizeof(PyHeapTypeObject) <= USHRT_MAX,
               "every offset in a type fits in a place");

int
pyb_slots_exists(int slot)
{
    return slot > 0 && slot < (int)Py_ARRAY_LENGTH(places);
}

/* The slot's address; NULL if its suite is not there. */
static char *
address_of(PyTypeObject *type, int slot)
{
    char *start = (char *)type;

    PYB_ASSERT(pyb_slots_exists(slot));
    if (places[slot].suite != 0)
        /* cppcheck-suppress pointerSize; a pointer is what is read */
        memcpy(&start, start + places[slot].suite, sizeof(start));
    return start != NULL ? start + places[slot].offset : NULL;
}

/* The slot's content; NULL if its suite is not there. */
static void *
get(PyTypeObject *type, int slot)
{
    const char *address = address_of(type, slot);
    void *content = NULL;

    if (slot == Py_tp_token && !pyb_typedata_is_heap(type))
        return NULL;
    if (address != NULL)
        memcpy(&content, address, sizeof(content));
    return content;
}

void
pyb_slots_set(PyTypeObject *type, int slot, void *content)
{
    PYB_ASSERT(address_of(type, slot) != NULL);
    PYB_ASSERT(slot != Py_tp_token || pyb_typedata_is_heap(type));
    memcpy(address_of(type, slot), &content, sizeof(content));
}

void *
PyType_GetSlot(PyTypeObject *type, int slot)
{
    if (!pyb_slots_exists(slot))
        return PYB_BAD_CALL(NULL);
    return get(type, slot);
}
