/* moduleslots.c: reads the slots of a module.
   Manual: "Module Objects", section "Module definition". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/moduleslots.h"
#include "object/slot/slotreader.h"

struct pyb_moduleplan
pyb_moduleslots_of_def(PyModuleDef *def)
{
    return (struct pyb_moduleplan){
        .def = def,
        .doc = def->m_doc,
        .methods = def->m_methods,
        .size = def->m_size,
        .traverse = def->m_traverse,
        .clear = def->m_clear,
        .free = def->m_free,
        .token = def,
    };
}

/* Raises SystemError.  Always -1. */
static int
complain(const char *name, const char *what)
{
    return pyb_failf(PyExc_SystemError, "module %s%s", name, what);
}

/* ------------------------------------------------------------------ */
/* One slot                                                            */

/* Takes the value of a slot for which a definition has a member too; the two
   must be equal. */
#define TAKE(FIELD, VALUE)                                                    \
    do {                                                                      \
        if (plan->def != NULL && plan->FIELD != (VALUE))                      \
            return conflict(slot, "m_" #FIELD, name);                         \
        plan->FIELD = (VALUE);                                                \
        return 0;                                                             \
    } while (0)

static int
conflict(const PySlot *slot, const char *member, const char *name)
{
    PYB_ASSERT(slot->sl_id > 0 && slot->sl_id < PYB_SLOT_COUNT);
    PYB_ASSERT(pyb_slotinfo[slot->sl_id].name != NULL);
    return pyb_failf(PyExc_SystemError,
                     "module %s: %s conflicts with PyModuleDef.%s", name,
                     pyb_slotinfo[slot->sl_id].name, member);
}

/* A slot for which a definition has a member. */
static int
read_member(struct pyb_moduleplan *plan, const PySlot *slot, const char *name)
{
    switch (slot->sl_id) {
    case Py_mod_name:
        /* The name itself comes from the spec. */
        return plan->def == NULL || plan->def->m_name == slot->sl_ptr
                   ? 0
                   : conflict(slot, "m_name", name);
    case Py_mod_doc:
        TAKE(doc, (const char *)slot->sl_ptr);
    case Py_mod_state_size:
        TAKE(size, slot->sl_size);
    case Py_mod_methods:
        TAKE(methods, (PyMethodDef *)slot->sl_ptr);
    case Py_mod_state_traverse:
        TAKE(traverse, (traverseproc)slot->sl_func);
    case Py_mod_state_clear:
        TAKE(clear, (inquiry)slot->sl_func);
    case Py_mod_state_free:
        TAKE(free, (freefunc)slot->sl_func);
    default:
        return 0; /* accepted, without effect */
    }
}

static int
read_exec(struct pyb_moduleplan *plan, const PySlot *slot, const char *name)
{
    plan->executes = 1;
    if (plan->def != NULL)
        return 0; /* pyb_moduleslots_each_exec will find it */
    if (plan->exec != NULL)
        return complain(name, " has multiple Py_mod_exec slots");
    plan->exec = (pyb_module_exec)slot->sl_func;
    return 0;
}

static int
read_slot(struct pyb_moduleplan *plan, const PySlot *slot, const char *name)
{
    switch (slot->sl_id) {
    case Py_mod_create:
        plan->create = (pyb_module_create)slot->sl_func;
        return 0;
    case Py_mod_exec:
        return read_exec(plan, slot, name);
    case Py_mod_abi:
        return PyABIInfo_Check(slot->sl_ptr, name);
    case Py_mod_token:
        if (plan->def != NULL && slot->sl_ptr != plan->def)
            return complain(name, ": arbitrary Py_mod_token not allowed with "
                                  "PyModuleDef");
        plan->token = slot->sl_ptr;
        return 0;
    default:
        return read_member(plan, slot, name);
    }
}

/* ------------------------------------------------------------------ */
/* All slots                                                           */

static int
read_all(struct pyb_moduleplan *plan, struct pyb_slotreader *reader)
{
    int more;

    while ((more = pyb_slotreader_next(reader)) > 0)
        if (read_slot(plan, &reader->slot, reader->name) < 0)
            return -1;
    if (more == 0 && plan->size < 0)
        return complain(reader->name, ": m_size may not be negative for "
                                      "multi-phase initialization");
    return more;
}

int
pyb_moduleslots_read_def(struct pyb_moduleplan *plan, const char *name)
{
    struct pyb_slotreader reader;

    PYB_ASSERT(plan->def != NULL && name != NULL);
    pyb_slotreader_begin(&reader, plan->def->m_slots, PYB_SLOTS_MODULE,
                         PYB_SLOTS_OF_MODULE);
    reader.name = name;
    return read_all(plan, &reader);
}

int
pyb_moduleslots_read(struct pyb_moduleplan *plan, const PySlot *slots,
                     const char *name)
{
    struct pyb_slotreader reader;

    PYB_ASSERT(plan->def == NULL && name != NULL);
    pyb_slotreader_begin(&reader, slots, PYB_SLOTS_PLAIN, PYB_SLOTS_OF_MODULE);
    reader.name = name;
    if (read_all(plan, &reader) < 0)
        return -1;
    if (!reader.seen[Py_mod_abi])
        return complain(name,
                        " does not define Py_mod_abi, which is mandatory "
                        "for modules defined from slots only.");
    return 0;
}

int
pyb_moduleslots_each_exec(PyModuleDef *def, PyObject *module,
                          int (*run)(PyObject *, pyb_module_exec))
{
    struct pyb_slotreader reader;
    int more;

    pyb_slotreader_begin(&reader, def->m_slots, PYB_SLOTS_MODULE,
                         PYB_SLOTS_OF_MODULE);
    while ((more = pyb_slotreader_next(&reader)) > 0)
        if (reader.slot.sl_id == Py_mod_exec &&
            run(module, (pyb_module_exec)reader.slot.sl_func) < 0)
            return -1;
    return more;
}
