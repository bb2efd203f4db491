/* typefromslots.c: heap types from slots, which are sorted into the arguments
   of PyType_FromMetaclass.
   Manual: "Type Objects", "Creating Heap-Allocated Types". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/slot/slotreader.h"

/* The contents of the slots.  All is borrowed but spec.slots, an array of this
   file's, with `room' entries. */
struct sorted {
    PyTypeObject *metaclass;
    PyObject *module;
    PyType_Spec spec;
    size_t count, room;
};

static int
complain(const char *what)
{
    return pyb_fail(PyExc_SystemError, what);
}

/* Appends an entry to the spec's slots. */
static int
append(struct sorted *sorted, int id, void *value)
{
    if (sorted->count == sorted->room) {
        PyType_Slot *grown = sorted->spec.slots;
        size_t room = 2 * sorted->room + 16;

        if (PyMem_Resize(grown, PyType_Slot, room) == NULL)
            return PYB_MEMORY_ERROR(-1);
        sorted->spec.slots = grown;
        sorted->room = room;
    }
    PYB_ASSERT(sorted->count < sorted->room && id >= 0);
    sorted->spec.slots[sorted->count++] = (PyType_Slot){id, value};
    return 0;
}

/* Takes a size, which must be positive, and an int. */
static int
take_size(int *size, const PySlot *slot)
{
    const char *name = pyb_slotinfo[slot->sl_id].name;

    PYB_ASSERT(slot->sl_id < PYB_SLOT_COUNT && name != NULL);
    if (slot->sl_size > 0 && slot->sl_size <= INT_MAX) {
        *size = (int)slot->sl_size;
        return 0;
    }
    if (slot->sl_size > 0)
        PyErr_Format(PyExc_SystemError, "%s is too large", name);
    else
        PyErr_Format(PyExc_SystemError, "%s must be positive", name);
    return -1;
}

/* Takes a basicsize; the size of the type's own data becomes a negative
   basicsize of the spec. */
static int
take_basicsize(PyType_Spec *spec, const PySlot *slot)
{
    int size;

    if (spec->basicsize != 0)
        return complain("Py_tp_basicsize and Py_tp_extra_basicsize cannot be "
                        "used together");
    if (take_size(&size, slot) < 0)
        return -1;
    spec->basicsize = slot->sl_id == Py_tp_basicsize ? size : -size;
    return 0;
}

static int
sort(struct sorted *sorted, struct pyb_slotreader *reader)
{
    const PySlot *slot = &reader->slot;

    PYB_ASSERT(slot->sl_id > 0 && slot->sl_id < PYB_SLOT_COUNT);
    switch (slot->sl_id) {
    case Py_tp_name:
        reader->name = sorted->spec.name = slot->sl_ptr;
        return 0;
    case Py_tp_basicsize:
    case Py_tp_extra_basicsize:
        return take_basicsize(&sorted->spec, slot);
    case Py_tp_itemsize:
        return take_size(&sorted->spec.itemsize, slot);
    case Py_tp_flags:
        sorted->spec.flags = (unsigned)slot->sl_uint64;
        return 0;
    case Py_tp_metaclass:
        sorted->metaclass = slot->sl_ptr;
        return 0;
    case Py_tp_module:
        sorted->module = slot->sl_ptr;
        return 0;
    case Py_tp_token:
        if (slot->sl_ptr == Py_TP_USE_SPEC)
            return complain("Py_tp_token: Py_TP_USE_SPEC needs a PyType_Spec");
        /* fall through */
    default:
        return append(sorted, slot->sl_id, slot->sl_ptr);
    }
}

PyObject *
PyType_FromSlots(const PySlot *slots)
{
    struct sorted sorted = {.count = 0};
    struct pyb_slotreader reader;
    PyObject *type = NULL;
    int more;

    pyb_slotreader_begin(&reader, slots, PYB_SLOTS_PLAIN, PYB_SLOTS_OF_TYPE);
    while ((more = pyb_slotreader_next(&reader)) > 0)
        if (sort(&sorted, &reader) < 0)
            goto done;
    if (more < 0 || append(&sorted, 0, NULL) < 0)
        goto done;
    if (sorted.spec.name == NULL)
        complain("Py_tp_name slot is required");
    else
        type = PyType_FromMetaclass(sorted.metaclass, sorted.module,
                                    &sorted.spec, NULL);
done:
    PyMem_Free(sorted.spec.slots);
    return type;
}
