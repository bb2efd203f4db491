/* kept.c: garbage that is still owned when all of it has been cleared.  See
   kept.h.

   When the members of a set were found to be garbage, each of their references
   was accounted for by a visit of another member.  So who owns one from
   outside when they have been cleared was not outside then, or was not
   counted: a tp_clear or tp_dealloc has given the member to somebody, or has
   forgotten a field without giving up its reference; or some tp_traverse
   visited a member that it does not own, and the real owner, who is outside,
   was not missed. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/kept.h"
#include "gc/check/overvisit.h"
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

/* Who has it may have got it in the right way: from a tp_clear that gives
   references up later, for instance. */
static void
fail_if_overvisited(PyObject *op)
{
    const struct pyb_suspicion *suspicion = pyb_overvisit_suspected(op);
    char text[PYB_SUSPICION_BYTES];

    if (suspicion != NULL)
        pyb_fatal_type("tp_traverse", suspicion->type, op,
                       "%s\n"
                       "the object was cleared as garbage, and has an owner, "
                       "whose reference did not count",
                       pyb_suspicion_text(suspicion, text));
}

void
pyb_kept_check(const struct pyb_set *set)
{
    pyb_kept_each(set, fail_if_overvisited);
}
