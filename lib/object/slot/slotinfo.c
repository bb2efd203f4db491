/* slotinfo.c: the properties of each slot number: name, owner, content, and
   restrictions.  The slots of types that PyType_Spec has always had may be
   NULL or repeated, with a warning if the array is of the newer kind. */

#include "Python.h"

#include "object/slot/slotreader.h"

/* A function of a type; data of a type. */
#define FUNCTION(NAME)                                                        \
    [Py_##NAME] = {"Py_" #NAME,   PYB_SLOTS_OF_TYPE, PYB_SLOT_FUNCTION,       \
                   PYB_SLOT_WARN, PYB_SLOT_WARN,     0}
#define DATA(NAME, NULL_RULE, TWICE, STATIC)                                  \
    [Py_##NAME] = {                                                           \
        "Py_" #NAME, PYB_SLOTS_OF_TYPE, PYB_SLOT_POINTER, NULL_RULE, TWICE,   \
        STATIC}

/* A new slot: neither NULL nor repeated. */
#define NEW(NAME, OWNERS, CONTENT)                                            \
    [Py_##NAME] = {"Py_" #NAME,     OWNERS,          CONTENT,                 \
                   PYB_SLOT_REFUSE, PYB_SLOT_REFUSE, 0}
#define TYPE(NAME, CONTENT) NEW(NAME, PYB_SLOTS_OF_TYPE, CONTENT)
#define MODULE(NAME, CONTENT) NEW(NAME, PYB_SLOTS_OF_MODULE, CONTENT)

/* A slot that contains more slots. */
#define ARRAY(NAME, OWNERS)                                                   \
    [Py_##NAME] = {"Py_" #NAME,    OWNERS,         PYB_SLOT_ARRAY,            \
                   PYB_SLOT_ALLOW, PYB_SLOT_ALLOW, 0}

const struct pyb_slotinfo pyb_slotinfo[PYB_SLOT_COUNT] = {
    FUNCTION(bf_getbuffer),
    FUNCTION(bf_releasebuffer),
    FUNCTION(mp_ass_subscript),
    FUNCTION(mp_length),
    FUNCTION(mp_subscript),
    FUNCTION(nb_absolute),
    FUNCTION(nb_add),
    FUNCTION(nb_and),
    FUNCTION(nb_bool),
    FUNCTION(nb_divmod),
    FUNCTION(nb_float),
    FUNCTION(nb_floor_divide),
    FUNCTION(nb_index),
    FUNCTION(nb_inplace_add),
    FUNCTION(nb_inplace_and),
    FUNCTION(nb_inplace_floor_divide),
    FUNCTION(nb_inplace_lshift),
    FUNCTION(nb_inplace_multiply),
    FUNCTION(nb_inplace_or),
    FUNCTION(nb_inplace_power),
    FUNCTION(nb_inplace_remainder),
    FUNCTION(nb_inplace_rshift),
    FUNCTION(nb_inplace_subtract),
    FUNCTION(nb_inplace_true_divide),
    FUNCTION(nb_inplace_xor),
    FUNCTION(nb_int),
    FUNCTION(nb_invert),
    FUNCTION(nb_lshift),
    FUNCTION(nb_multiply),
    FUNCTION(nb_negative),
    FUNCTION(nb_or),
    FUNCTION(nb_positive),
    FUNCTION(nb_power),
    FUNCTION(nb_remainder),
    FUNCTION(nb_rshift),
    FUNCTION(nb_subtract),
    FUNCTION(nb_true_divide),
    FUNCTION(nb_xor),
    FUNCTION(sq_ass_item),
    FUNCTION(sq_concat),
    FUNCTION(sq_contains),
    FUNCTION(sq_inplace_concat),
    FUNCTION(sq_inplace_repeat),
    FUNCTION(sq_item),
    FUNCTION(sq_length),
    FUNCTION(sq_repeat),
    FUNCTION(tp_alloc),
    DATA(tp_base, PYB_SLOT_WARN, PYB_SLOT_WARN, 0),
    DATA(tp_bases, PYB_SLOT_WARN, PYB_SLOT_WARN, 0),
    FUNCTION(tp_call),
    FUNCTION(tp_clear),
    FUNCTION(tp_dealloc),
    FUNCTION(tp_del),
    FUNCTION(tp_descr_get),
    FUNCTION(tp_descr_set),
    DATA(tp_doc, PYB_SLOT_ALLOW, PYB_SLOT_REFUSE, 0),
    FUNCTION(tp_getattr),
    FUNCTION(tp_getattro),
    FUNCTION(tp_hash),
    FUNCTION(tp_init),
    FUNCTION(tp_is_gc),
    FUNCTION(tp_iter),
    FUNCTION(tp_iternext),
    DATA(tp_methods, PYB_SLOT_WARN, PYB_SLOT_WARN, 1),
    FUNCTION(tp_new),
    FUNCTION(tp_repr),
    FUNCTION(tp_richcompare),
    FUNCTION(tp_setattr),
    FUNCTION(tp_setattro),
    FUNCTION(tp_str),
    FUNCTION(tp_traverse),
    DATA(tp_members, PYB_SLOT_REFUSE, PYB_SLOT_REFUSE, 1),
    DATA(tp_getset, PYB_SLOT_WARN, PYB_SLOT_WARN, 1),
    FUNCTION(tp_free),
    FUNCTION(nb_matrix_multiply),
    FUNCTION(nb_inplace_matrix_multiply),
    FUNCTION(am_await),
    FUNCTION(am_aiter),
    FUNCTION(am_anext),
    FUNCTION(tp_finalize),
    FUNCTION(am_send),
    FUNCTION(tp_vectorcall),
    DATA(tp_token, PYB_SLOT_ALLOW, PYB_SLOT_WARN, 0),

    [Py_mod_create] = {"Py_mod_create", PYB_SLOTS_OF_MODULE, PYB_SLOT_FUNCTION,
                       PYB_SLOT_WARN, PYB_SLOT_REFUSE, 0},
    /* A PyModuleDef may have several. */
    [Py_mod_exec] = {"Py_mod_exec", PYB_SLOTS_OF_MODULE, PYB_SLOT_FUNCTION,
                     PYB_SLOT_REFUSE, PYB_SLOT_ALLOW, 0},
    MODULE(mod_multiple_interpreters, PYB_SLOT_NUMBER),
    MODULE(mod_gil, PYB_SLOT_NUMBER),
    ARRAY(slot_subslots, PYB_SLOTS_OF_TYPE | PYB_SLOTS_OF_MODULE),
    ARRAY(tp_slots, PYB_SLOTS_OF_TYPE),
    ARRAY(mod_slots, PYB_SLOTS_OF_MODULE),
    TYPE(tp_name, PYB_SLOT_POINTER),
    TYPE(tp_basicsize, PYB_SLOT_SIZE),
    TYPE(tp_extra_basicsize, PYB_SLOT_SIZE),
    TYPE(tp_itemsize, PYB_SLOT_SIZE),
    TYPE(tp_flags, PYB_SLOT_NUMBER),
    MODULE(mod_name, PYB_SLOT_POINTER),
    MODULE(mod_doc, PYB_SLOT_POINTER),
    MODULE(mod_state_size, PYB_SLOT_SIZE),
    [Py_mod_methods] = {"Py_mod_methods", PYB_SLOTS_OF_MODULE,
                        PYB_SLOT_POINTER, PYB_SLOT_REFUSE, PYB_SLOT_REFUSE, 1},
    MODULE(mod_state_traverse, PYB_SLOT_FUNCTION),
    MODULE(mod_state_clear, PYB_SLOT_FUNCTION),
    MODULE(mod_state_free, PYB_SLOT_FUNCTION),
    TYPE(tp_metaclass, PYB_SLOT_POINTER),
    TYPE(tp_module, PYB_SLOT_POINTER),
    [Py_mod_abi] = {"Py_mod_abi", PYB_SLOTS_OF_MODULE, PYB_SLOT_POINTER,
                    PYB_SLOT_REFUSE, PYB_SLOT_ALLOW, 0},
    MODULE(mod_token, PYB_SLOT_POINTER),
};
