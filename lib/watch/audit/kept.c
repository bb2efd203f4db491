/* kept.c: garbage that has an owner again after its tp_clear.  See kept.h.

   When the members of a set of garbage are cleared, only the members have
   references to one another.  So a member with more references than the others
   visit has got them since. */

#include "Python.h"

#include <stdlib.h>

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "watch/audit/kept.h"
#include "watch/audit/tally.h"

struct owners {
    const struct pyb_survivors *survivors;
    Py_ssize_t *visits; /* to each survivor */
};

static int
visit_count(PyObject *op, void *arg)
{
    const struct owners *owners = arg;
    uint32_t place = pyb_survivors_place(owners->survivors, op);

    PYB_ASSERT_OBJECT(place == PYB_NOWHERE || place < owners->survivors->n,
                      op);
    if (place != PYB_NOWHERE)
        owners->visits[place]++;
    return 0;
}

static void
notice(PyObject *op)
{
    struct pyb_tally *tally =
        Py_TYPE(op)->tp_clear == NULL
            ? NULL
            : pyb_tally_of_slot(Py_TYPE(op), PYB_SLOT_CLEAR);

    if (tally != NULL)
        pyb_tally_fault(tally, PYB_FAULT_CLEAR_KEEPS);
}

/* Adopted objects are left out, since Boehm has a reference to them, too. */
void
pyb_kept_look(const struct pyb_survivors *survivors)
{
    struct owners owners = {survivors,
                            calloc(survivors->n, sizeof(Py_ssize_t))};

    PYB_ASSERT(survivors->n > 0); /* or there is no memory, as it seems */
    for (uint32_t i = 0; i < survivors->n && owners.visits != NULL; i++)
        Py_TYPE(survivors->objects[i])
            ->tp_traverse(survivors->objects[i], visit_count, &owners);
    for (uint32_t i = 0; i < survivors->n && owners.visits != NULL; i++)
        if (survivors->objects[i]->ob_refcnt > owners.visits[i] &&
            !pyb_is_adopted(survivors->objects[i]))
            notice(survivors->objects[i]);
    free(owners.visits);
}
