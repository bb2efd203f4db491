/* audit_events.c: what has to be watched while it happens.  See
   audit_events.h. */

#include "Python.h"

#include <stdlib.h>
#include <string.h>

#include "gc/control.h"
#include "gc/environment.h"
#include "gc/walk.h"
#include "watch/audit_events.h"
#include "watch/calls.h"
#include "watch/cards.h"
#include "watch/effects.h"
#include "watch/flawed.h"
#include "watch/kept.h"
#include "watch/tally.h"
#include "watch/unbroken.h"
#include "watch/unset.h"

/* So many before something is called always, or never. */
enum { ALWAYS = 3 };

static void
made(PyObject *op, size_t size)
{
    pyb_effects_note(PYB_EFFECT_MAKES);
    pyb_calls_made(op);
    pyb_unset_made(op, size);
}

static void
tracking(PyObject *op)
{
    pyb_effects_note(PYB_EFFECT_TRACKS);
    if (Py_TYPE(op)->tp_traverse == NULL)
        pyb_flawed_note(PYB_NO_TRAVERSE, op);
    pyb_unset_tracking(op);
}

static int
deleting(PyObject *op)
{
    pyb_effects_note(PYB_EFFECT_MAKES);
    return pyb_calls_deleting(op);
}

static void
may_collect(void)
{
    pyb_effects_note(PYB_EFFECT_COLLECTS);
    pyb_calls_may_collect();
}

static void
cleared(struct pyb_set *set)
{
    struct pyb_rest rest;

    if (pyb_rest_begin(&rest, set) < 0)
        return;
    pyb_kept_look(&rest);
    pyb_rest_narrow(&rest);
    if (rest.n > 0)
        pyb_unbroken_look(&rest);
    pyb_rest_end(&rest);
}

static const struct pyb_observers observers = {
    .made = made,
    .tracking = tracking,
    .deleting = deleting,
    .freeing = pyb_calls_freeing,
    .may_collect = may_collect,
    .calling = pyb_calls_calling,
    .flawed = pyb_flawed_note,
    .traversing = pyb_effects_look,
    .cleared = cleared,
};

void
pyb_audit_events_begin(void)
{
    const char *wish = pyb_environment("PYBOEHM_AUDIT");

    if (wish != NULL && strcmp(wish, "0") != 0)
        pyb_control_observe(&observers);
}

void
pyb_audit_events_end(void)
{
    if (pyb_observers != &observers)
        return;
    pyb_control_observe(NULL);
    pyb_tally_end();
}

/* ------------------------------------------------------------------ */
/* What can only be told from all there is                             */

static void
forget_counts(struct pyb_tally *tally)
{
    tally->revived = 0;
    tally->unused = 0;
}

/* Those that came back from their finalizer. */
static void
count_revived(void)
{
    struct pyb_walk walk = pyb_walk_tracked();
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next_live(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL) {
            struct pyb_tally *tally =
                PyObject_GC_IsFinalized(op)
                    ? pyb_tally_of_slot(Py_TYPE(op), PYB_SLOT_FINALIZE)
                    : NULL;

            if (tally != NULL)
                tally->revived++;
        }
}

/* The objects of a card that have died and were not freed.  What their types
   were may be gone. */
static int
count_unused_of(const struct pyb_card *card, void *Py_UNUSED(arg))
{
    uint64_t bits = AO_load(&card->held) & ~card->tracked;

    for (; bits != 0; bits &= bits - 1) {
        const PyObject *op =
            (PyObject *)(void *)(pyb_card_base(card) +
                                 (size_t)__builtin_ctzll(bits) *
                                     PYB_GRANULE_BYTES);
        struct pyb_tally *tally =
            op->ob_refcnt == 0 ? pyb_tally_find(op->ob_type) : NULL;

        if (tally != NULL)
            tally->unused++;
    }
    return 0;
}

/* All that were finalized are there, and nobody else is. */
static void
judge_revived(struct pyb_tally *tally)
{
    if (tally->finalized >= ALWAYS && !tally->stuck &&
        tally->revived == tally->finalized)
        pyb_tally_note(tally, PYB_FAULT_REVIVES, tally->revived,
                       tally->finalized);
}

/* All that tp_dealloc has left are still there, though there was need of
   them: no free list keeps them. */
static void
judge_unused(struct pyb_tally *tally)
{
    if (tally->unfreed >= ALWAYS && tally->unused == tally->unfreed &&
        tally->made_since >= ALWAYS)
        pyb_tally_note(tally, PYB_FAULT_LEAKS, tally->unused,
                       tally->calls[PYB_SLOT_DEALLOC]);
}

void
pyb_audit_events_look(void)
{
    if (pyb_observers != &observers || pyb_control.collecting > 0)
        return;
    pyb_tally_each(forget_counts);
    count_revived();
    (void)pyb_cards_each(count_unused_of, NULL);
    pyb_tally_each(judge_revived);
    pyb_tally_each(judge_unused);
}
