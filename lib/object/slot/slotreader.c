/* slotreader.c: reading arrays of slots: three kinds of elements, nested in
   each other, as one stream of slots that their owner knows.

   Manual: "Definition slots". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/slot/slotreader.h"

static const PySlot nothing[] = {PySlot_END};

void
pyb_slotreader_begin(struct pyb_slotreader *reader, const void *array,
                     enum pyb_slotreader_layout layout, int owner)
{
    PYB_ASSERT(owner == PYB_SLOTS_OF_TYPE || owner == PYB_SLOTS_OF_MODULE);
    PYB_ASSERT(layout <= PYB_SLOTS_MODULE);
    memset(reader, 0, sizeof *reader);
    reader->owner = owner;
    reader->levels[0].layout = layout;
    reader->levels[0].plain = array;
    if (array == NULL)
        reader->levels[0] =
            (struct pyb_slotreader_level){PYB_SLOTS_PLAIN, {nothing}};
}

static const char *
owner_name(const struct pyb_slotreader *reader)
{
    return reader->owner == PYB_SLOTS_OF_TYPE ? "type" : "module";
}

/* ------------------------------------------------------------------ */
/* From number to slot                                                 */

/* The slot number of the headers: four numbers of each owner were renumbered
   so that none is used twice, and both numbers are valid. */
static int
resolve(int owner, int id)
{
    enum { OLD = 1, OF_MODULES = 84, OF_TYPES = 88, COUNT = 4 };

    if (owner == PYB_SLOTS_OF_MODULE && id >= OLD && id < OLD + COUNT)
        return id - OLD + OF_MODULES;
    if (owner == PYB_SLOTS_OF_TYPE && id >= OF_TYPES && id < OF_TYPES + COUNT)
        return id - OF_TYPES + OLD;
    return id;
}

/* The properties of a number; NULL if it is not one of the owner's. */
static const struct pyb_slotinfo *
look_up(int owner, int id)
{
    const struct pyb_slotinfo *info = pyb_slotinfo;

    id = resolve(owner, id);
    if (id <= 0 || id >= PYB_SLOT_COUNT || !(info[id].owners & owner))
        return NULL;
    return info + id;
}

static int
refuse_number(const struct pyb_slotreader *reader, int id)
{
    if (id > 0 && id < PYB_SLOT_COUNT && pyb_slotinfo[id].name != NULL)
        PyErr_Format(PyExc_SystemError, "invalid %s slot %d (%s)",
                     owner_name(reader), id, pyb_slotinfo[id].name);
    else if (id == Py_slot_invalid)
        PyErr_Format(PyExc_SystemError, "invalid slot (Py_slot_invalid, %d)",
                     id);
    else
        PyErr_Format(PyExc_SystemError, "unknown %s slot ID %d",
                     owner_name(reader), id);
    return -1;
}

/* ------------------------------------------------------------------ */
/* Moving through the arrays                                           */

/* An entry of the older arrays as a PySlot.  Returns its number, which may be
   too large for one. */
static int
convert(PySlot *slot, int id, void *value)
{
    *slot = (PySlot){.sl_flags = PySlot_INTPTR, .sl_ptr = value};
    return id;
}

/* Copies the element under the cursor, moves on, returns its number. */
static int
fetch(struct pyb_slotreader_level *level, PySlot *slot)
{
    PYB_ASSERT(level->plain != NULL);
    switch (level->layout) {
    case PYB_SLOTS_TYPE: {
        const PyType_Slot *entry = level->type++;
        return convert(slot, entry->slot, entry->pfunc);
    }
    case PYB_SLOTS_MODULE: {
        const PyModuleDef_Slot *entry = level->module++;
        return convert(slot, entry->slot, entry->value);
    }
    default:
        PYB_ASSERT(level->layout == PYB_SLOTS_PLAIN);
        *slot = *level->plain++;
        return slot->sl_id;
    }
}

/* Enters the array in the current slot. */
static int
descend(struct pyb_slotreader *reader, const struct pyb_slotinfo *info)
{
    const PySlot *slot = &reader->slot;
    struct pyb_slotreader_level *level = &reader->levels[reader->depth];

    PYB_ASSERT(info->content == PYB_SLOT_ARRAY);
    if (slot->sl_ptr == NULL)
        return 0;
    /* Its exec slots are read again when the module is executed. */
    if (reader->levels[0].layout == PYB_SLOTS_MODULE &&
        level->layout == PYB_SLOTS_PLAIN && !(slot->sl_flags & PySlot_STATIC))
        return pyb_fail(PyExc_SystemError,
                        "slots included from PyModuleDef must be static");
    if (reader->depth + 1 == PYB_SLOTREADER_DEPTH)
        return pyb_failf(PyExc_SystemError,
                         "%s (slot %d): too many levels of nested slots",
                         info->name, slot->sl_id);
    level = &reader->levels[++reader->depth];
    level->layout = slot->sl_id == Py_tp_slots    ? PYB_SLOTS_TYPE
                    : slot->sl_id == Py_mod_slots ? PYB_SLOTS_MODULE
                                                  : PYB_SLOTS_PLAIN;
    level->plain = slot->sl_ptr;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Restrictions                                                        */

/* Was the outermost array made for the newer functions? */
static int
is_new(const struct pyb_slotreader *reader)
{
    return reader->levels[0].layout == PYB_SLOTS_PLAIN;
}

static int
check_null(const struct pyb_slotreader *reader,
           const struct pyb_slotinfo *info)
{
    if (info->null == PYB_SLOT_ALLOW || info->content > PYB_SLOT_FUNCTION ||
        reader->slot.sl_ptr != NULL)
        return 0;
    if (info->null == PYB_SLOT_WARN)
        return !is_new(reader)
                   ? 0
                   : PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                                      "NULL value in slot %s is deprecated",
                                      info->name);
    return pyb_failf(PyExc_SystemError, "NULL not allowed for slot %s",
                     info->name);
}

static int
check_twice(struct pyb_slotreader *reader, const struct pyb_slotinfo *info)
{
    int id = reader->slot.sl_id;
    const char *name = reader->name != NULL ? reader->name : "";
    const char *space = reader->name != NULL ? " " : "";

    PYB_ASSERT(id > 0 && id < PYB_SLOT_COUNT);
    if (!reader->seen[id] || info->twice == PYB_SLOT_ALLOW) {
        reader->seen[id] = 1;
        return 0;
    }
    if (info->twice == PYB_SLOT_WARN)
        return !is_new(reader)
                   ? 0
                   : PyErr_WarnFormat(PyExc_DeprecationWarning, 0,
                                      "%s%s%s has multiple %s (%d) slots. "
                                      "This is deprecated.",
                                      owner_name(reader), space, name,
                                      info->name, id);
    return pyb_failf(PyExc_SystemError, "%s%s%s has multiple %s (%d) slots",
                     owner_name(reader), space, name, info->name, id);
}

static int
check(struct pyb_slotreader *reader, const struct pyb_slotinfo *info)
{
    if (info->must_be_static && !(reader->slot.sl_flags & PySlot_STATIC) &&
        reader->levels[reader->depth].layout == PYB_SLOTS_PLAIN)
        return pyb_failf(PyExc_SystemError, "%s requires PySlot_STATIC",
                         info->name);
    if (check_null(reader, info) < 0)
        return -1;
    return check_twice(reader, info);
}

/* Moves a value from sl_ptr to the member for its kind. */
static void
settle(PySlot *slot, const struct pyb_slotinfo *info)
{
    PYB_ASSERT(info->content != PYB_SLOT_ARRAY);
    if (!(slot->sl_flags & PySlot_INTPTR))
        return;
    if (info->content == PYB_SLOT_SIZE)
        slot->sl_size = (Py_ssize_t)(intptr_t)slot->sl_ptr;
    else if (info->content == PYB_SLOT_NUMBER)
        slot->sl_uint64 = (uint64_t)(uintptr_t)slot->sl_ptr;
}

/* ------------------------------------------------------------------ */

/* An entry with the number 0: the end of the innermost array.  1 if there is
   an outer array to go on with. */
static int
ascend(struct pyb_slotreader *reader)
{
    PYB_ASSERT(reader->depth >= 0);
    if (reader->slot.sl_flags & PySlot_OPTIONAL)
        return pyb_failf(PyExc_SystemError,
                         "invalid flags for Py_slot_end: 0x%x",
                         (unsigned)reader->slot.sl_flags);
    return reader->depth-- > 0;
}

int
pyb_slotreader_next(struct pyb_slotreader *reader)
{
    PySlot *slot = &reader->slot;

    for (;;) {
        PYB_ASSERT(reader->depth >= 0 && reader->depth < PYB_SLOTREADER_DEPTH);
        int id = fetch(&reader->levels[reader->depth], slot);
        if (id == Py_slot_end) {
            int result = ascend(reader);
            if (result <= 0)
                return result;
            continue;
        }
        const struct pyb_slotinfo *info = look_up(reader->owner, id);
        if (info == NULL) {
            if (!(slot->sl_flags & PySlot_OPTIONAL))
                return refuse_number(reader, id);
            continue;
        }
        slot->sl_id = (uint16_t)(info - pyb_slotinfo);
        if (info->content != PYB_SLOT_ARRAY) {
            settle(slot, info);
            return check(reader, info) < 0 ? -1 : 1;
        }
        if (descend(reader, info) < 0)
            return -1;
    }
}
