/* kept.c: garbage that is still owned when all of it has been cleared.  See
   kept.h.

   When the members of a set were found to be garbage, the visits of the
   members were as many as the references to them.  A reference from outside
   that is left when the members have been cleared is a new one, or did not
   count then: a tp_clear or tp_dealloc has handed the member out, or has set a
   field to NULL without Py_DECREF; or some tp_traverse visited a member
   without a reference, and that visit stood for the reference from outside. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/kept.h"
#include "gc/check/visits.h"
#include "gc/cycle.h"

void
pyb_kept_each(const struct pyb_set *set, void (*tell)(PyObject *op))
{
    struct pyb_walk walk = pyb_condemned_walk(set);

    PYB_ASSERT(pyb_condemned.busy && !set->uncleared);
    if (pyb_walk_count(walk) == 0)
        return;
    (void)pyb_cycle_deduce(walk, PYB_UNTRACK_NONE);
    PYB_FOR_EACH (op, i, walk)
        if (pyb_cycle_is_owned(op))
            tell(op);
    pyb_cycle_forget(walk);
}

/* An owner alone is no mistake: a tp_clear may queue references, for instance,
   to be released later. */
static void
fail_if_overvisited(PyObject *op)
{
    const struct pyb_visits *suspicion = pyb_visits_suspected(op);
    char text[PYB_VISITS_BYTES];

    if (suspicion != NULL)
        pyb_fatal_type("tp_traverse", suspicion->type, op,
                       "%s\n"
                       "the object was cleared as garbage, and has an owner, "
                       "whose reference did not count",
                       pyb_visits_text(suspicion, text));
}

void
pyb_kept_check(const struct pyb_set *set)
{
    pyb_kept_each(set, fail_if_overvisited);
}
