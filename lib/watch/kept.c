/* kept.c: garbage that is owned again when its tp_clear has been called.  See
   kept.h.

   When the members of a set are cleared nobody owns them but one another.  So
   one that has more references than the others visit has come by them since.
 */

#include "Python.h"

#include <stdlib.h>

#include "gc/adoption.h"
#include "watch/kept.h"
#include "watch/tally.h"

struct owners {
    const struct pyb_rest *rest;
    Py_ssize_t *visits; /* to each */
};

static int
visit_count(PyObject *op, void *arg)
{
    const struct owners *owners = arg;
    uint32_t place = pyb_rest_place(owners->rest, op);

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

/* An adopted one has Boehm's reference, too. */
void
pyb_kept_look(const struct pyb_rest *rest)
{
    struct owners owners = {rest, calloc(rest->n, sizeof(Py_ssize_t))};

    for (uint32_t i = 0; i < rest->n && owners.visits != NULL; i++)
        Py_TYPE(rest->objects[i])
            ->tp_traverse(rest->objects[i], visit_count, &owners);
    for (uint32_t i = 0; i < rest->n && owners.visits != NULL; i++)
        if (rest->objects[i]->ob_refcnt > owners.visits[i] &&
            !pyb_is_adopted(rest->objects[i]))
            notice(rest->objects[i]);
    free(owners.visits);
}
