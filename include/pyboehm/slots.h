/* slots.h: arrays of slots, which describe a type or a module to be made.

   PyType_FromSlots and PyModule_FromSlotsAndSpec read them, and the importer
   those that a module's export hook returns.  The array, and what it points
   to, may be gone after the call, except functions and what is marked with
   PySlot_STATIC.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Definition slots". */

#ifndef Py_SLOTS_H
#define Py_SLOTS_H

#include "../object.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*_PyB_function)(void);

/* PySlot: one entry; which member of the union counts depends on sl_id.  What
   is not set is zero. */
typedef struct PySlot {
    uint16_t sl_id;
    uint16_t sl_flags;
    union {
        uint32_t sl_reserved; /* 0 */
    };
    union {
        void *sl_ptr;
        _PyB_function sl_func;
        Py_ssize_t sl_size;
        int64_t sl_int64;
        uint64_t sl_uint64;
    };
} PySlot;

/* Flags: ignore the slot if its number is unknown; all it points to is static
   and constant; the value, of whatever type, stands in sl_ptr. */
#define PySlot_OPTIONAL 0x01
#define PySlot_STATIC 0x02
#define PySlot_INTPTR 0x04

/* Initialisers of entries, by the member that they set. */
#define PySlot_DATA(NAME, VALUE)                                              \
    {                                                                         \
        .sl_id = (NAME), .sl_flags = PySlot_INTPTR, .sl_ptr = (void *)(VALUE) \
    }
#define PySlot_FUNC(NAME, VALUE)                                              \
    {                                                                         \
        .sl_id = (NAME), .sl_func = (_PyB_function)(VALUE)                    \
    }
#define PySlot_SIZE(NAME, VALUE)                                              \
    {                                                                         \
        .sl_id = (NAME), .sl_size = (Py_ssize_t)(VALUE)                       \
    }
#define PySlot_INT64(NAME, VALUE)                                             \
    {                                                                         \
        .sl_id = (NAME), .sl_int64 = (int64_t)(VALUE)                         \
    }
#define PySlot_UINT64(NAME, VALUE)                                            \
    {                                                                         \
        .sl_id = (NAME), .sl_uint64 = (uint64_t)(VALUE)                       \
    }
#define PySlot_STATIC_DATA(NAME, VALUE)                                       \
    {                                                                         \
        .sl_id = (NAME), .sl_flags = PySlot_STATIC, .sl_ptr = (void *)(VALUE) \
    }
#ifdef __cplusplus
#define PySlot_END                                                            \
    {                                                                         \
    }
#else
#define PySlot_END                                                            \
    {                                                                         \
        0                                                                     \
    }
#endif

/* The same for C++ before C++20, which has no designated initialisers. */
#define PySlot_PTR(NAME, VALUE)                                               \
    {                                                                         \
        (NAME), PySlot_INTPTR, {0},                                           \
        {                                                                     \
            (void *)(VALUE)                                                   \
        }                                                                     \
    }
#define PySlot_PTR_STATIC(NAME, VALUE)                                        \
    {                                                                         \
        (NAME), PySlot_INTPTR | PySlot_STATIC, {0},                           \
        {                                                                     \
            (void *)(VALUE)                                                   \
        }                                                                     \
    }

/* Numbers for every kind of array: its end; another PySlot array, read as if
   it stood here (five levels at most, NULL: none); a number that is never
   known. */
#define Py_slot_end 0
#define Py_slot_subslots 92
#define Py_slot_invalid 0xffff

/* Numbers for types, besides those of typeslots.h.  None of these may stand in
   a PyType_Spec or be given to PyType_GetSlot.  Py_tp_slots: an array of
   PyType_Slot; Py_tp_extra_basicsize: the size of the type's own data, instead
   of Py_tp_basicsize. */
#define Py_tp_slots 93
#define Py_tp_name 95
#define Py_tp_basicsize 96
#define Py_tp_extra_basicsize 97
#define Py_tp_itemsize 98
#define Py_tp_flags 99
#define Py_tp_metaclass 107
#define Py_tp_module 108

/* PyType_FromSlots: a heap type made from slots; Py_tp_name is required.  A
   new reference, or NULL with SystemError for slots that do not fit together,
   or with the exceptions of PyType_FromMetaclass. */
PyAPI_FUNC(PyObject *) PyType_FromSlots(const PySlot *slots);

/* PyMODEXPORT_FUNC: the declaration of a module's export hook,
   PyModExport_NAME(void).  It returns slots that stay as they are until
   Py_Finalize, or NULL with an exception. */
#define PyMODEXPORT_FUNC                                                      \
    _PyB_EXTERN_C __attribute__((visibility("default"))) PySlot *

#ifdef __cplusplus
}
#endif

#endif /* Py_SLOTS_H */
