/* flawed.c: objects and types that have a flaw.  See flawed.h. */

#include "Python.h"

#include <stdio.h>

#include "gc/heap.h"
#include "gc/inspect.h"
#include "gc/watching.h"
#include "watch/calls.h"
#include "watch/cards.h"
#include "watch/flawed.h"
#include "watch/tally.h"

static const char not_owned[] =
    "somebody has given up a reference that he did not own";
static const char elsewhere[] = "in CPython that is other memory";
static const char dead[] = "it may be another object's memory by now";

static const char *const consequences[PYB_FLAWS] = {
    [PYB_SMALL] = elsewhere,
    [PYB_FAR_WEAKLIST] = elsewhere,
    [PYB_FAR_DICT] = elsewhere,
    [PYB_OVERRUN] = elsewhere,
    [PYB_NO_TRAVERSE] = "CPython crashes in its next collection",
    [PYB_NO_GC] = "it contradicts PyObject_GC_Track",
    [PYB_MISCOUNTED] = not_owned,
    [PYB_DEAD_COUNTED] = not_owned,
    [PYB_DEAD_WRITTEN] = dead,
    [PYB_DEAD_TRACKED] = dead,
    [PYB_DEAD_UNTRACKED] = dead,
    [PYB_DEAD_FREED] = dead,
};

/* The function to be mended.  Of the dead nothing is known but the name. */
static const void *
culprit(enum pyb_flaw flaw, const PyObject *op)
{
    if (flaw >= PYB_DEAD_COUNTED)
        return NULL;
    return flaw == PYB_NO_GC ? (const void *)Py_TYPE(op)->tp_is_gc
                             : (const void *)Py_TYPE(op)->tp_traverse;
}

static int
tell(enum pyb_flaw flaw, PyObject *op, struct pyb_findings *findings)
{
    char what[256], text[PYB_FLAW_BYTES];
    struct pyb_finding finding = {.what = what,
                                  .n = 1,
                                  .so = consequences[flaw],
                                  .slot = culprit(flaw, op)};

    pyb_flaw_text(flaw, op, text);
    snprintf(what, sizeof what, "%s of %.120s: %s", pyb_flaw_slot(flaw),
             pyb_inspect_type(op), text);
    return pyb_findings_count(findings, &finding);
}

/* Without memory it is not noticed.  A tp_dealloc that is called again
   untracks again: that it is called is told. */
void
pyb_flawed_note(enum pyb_flaw flaw, PyObject *op)
{
    if (flaw != PYB_DEAD_UNTRACKED || !pyb_calls_is_dying(op))
        (void)tell(flaw, op, &pyb_findings_noticed);
}

/* ------------------------------------------------------------------ */
/* All                                                                 */

/* Is there another reason for a count of 0?  The tp_dealloc is under way, as
   far as somebody has looked; or it has left its object as it was, which is
   told. */
static int
is_excused(PyObject *op)
{
    const struct pyb_tally *tally;

    if (op->ob_refcnt < 0)
        return 0;
    if (pyb_observers == NULL || pyb_calls_is_dying(op))
        return 1;
    tally = pyb_tally_of_slot(Py_TYPE(op), PYB_SLOT_DEALLOC);
    return tally != NULL && tally->faults[PYB_FAULT_LEAVES_TRACKED] > 0;
}

static enum pyb_flaw
flaw_of_living(PyObject *op)
{
    enum pyb_flaw flaw = pyb_flaw_of_type(Py_TYPE(op));

    if (flaw == PYB_SOUND && pyb_fence_is_broken(op))
        flaw = PYB_OVERRUN;
    if (flaw == PYB_SOUND && PyObject_GC_IsTracked(op))
        flaw = pyb_flaw_of_tracked(op);
    return flaw == PYB_MISCOUNTED && is_excused(op) ? PYB_SOUND : flaw;
}

/* All that hold something, whatever their counts: a flaw may be that they are
   not taken for living ones.  What is free has no type. */
static enum pyb_flaw
flaw_of(PyObject *block)
{
    if (pyb_inspect_is_freed(block))
        return pyb_flaw_of_dead(block);
    return !pyb_block_is_free(block) && pyb_inspect_is_object(block)
               ? flaw_of_living(block)
               : PYB_SOUND;
}

static int
find_in_card(const struct pyb_card *card, void *findings)
{
    uint64_t bits = AO_load(&card->held);

    for (; bits != 0; bits &= bits - 1) {
        PyObject *block =
            (PyObject *)(void *)pyb_block_at(pyb_card_base(card), bits);
        enum pyb_flaw flaw = flaw_of(block);

        if (flaw != PYB_SOUND && tell(flaw, block, findings) < 0)
            return -1;
    }
    return 0;
}

int
pyb_flawed_find(struct pyb_findings *findings)
{
    return pyb_cards_each(find_in_card, findings);
}
