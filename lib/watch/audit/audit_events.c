/* audit_events.c: the part of the audit that watches events.  See
   audit_events.h. */

#include "Python.h"

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "gc/heap/walk.h"
#include "watch/audit/audit_events.h"
#include "watch/audit/tally.h"
#include "watch/memory/heaplines.h"

/* The number of cases needed before a finding says "always" or "never". */
enum { ALWAYS = 3 };

void
pyb_audit_events_begin(void)
{
    if (pyb_environment_switch("PYBOEHM_AUDIT") != PYB_OFF)
        pyb_control_set_audit(1);
}

void
pyb_audit_events_end(void)
{
    if (!pyb_control.audit)
        return;
    pyb_control_set_audit(0);
    pyb_tally_end();
}

/* ------------------------------------------------------------------ */
/* Findings that need a look at all objects                            */

static void
forget_counts(struct pyb_tally *tally)
{
    tally->revived = 0;
    tally->unused = 0;
}

/* Counts the objects that were finalized and are alive again. */
static void
count_revived(void)
{
    PYB_FOR_EACH (op, i, pyb_walk_live()) {
        struct pyb_tally *tally =
            PyObject_GC_IsFinalized(op)
                ? pyb_tally_of_slot(Py_TYPE(op), PYB_SLOT_FINALIZE)
                : NULL;

        if (tally != NULL)
            tally->revived++;
    }
}

/* Counts the objects of a line that have died and were not freed.  Their types
   may be gone. */
static int
count_unused_of(const struct pyb_line *line, void *Py_UNUSED(arg))
{
    uint64_t bits = AO_load(&line->held) & ~line->tracked;

    for (; bits != 0; bits &= bits - 1) {
        const PyObject *op =
            (PyObject *)(void *)(pyb_line_base(line) +
                                 (size_t)__builtin_ctzll(bits) *
                                     PYB_GRANULE_BYTES);
        struct pyb_tally *tally =
            op->ob_refcnt == 0 ? pyb_tally_find(op->ob_type) : NULL;

        if (tally != NULL)
            tally->unused++;
    }
    return 0;
}

/* Every object that the finalizer was called for is alive. */
static void
judge_revived(struct pyb_tally *tally)
{
    if (tally->finalized >= ALWAYS && !tally->stuck &&
        tally->revived == tally->finalized)
        pyb_tally_note(tally, PYB_FAULT_REVIVES, tally->revived,
                       tally->finalized);
}

/* Every object that tp_dealloc did not free is still there, although new
   objects of the type were needed: no free list keeps them. */
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
    if (!pyb_control.audit || pyb_collect_is_under_way())
        return;
    PYB_ASSERT(pyb_gil_is_held());
    pyb_tally_each(forget_counts);
    count_revived();
    (void)pyb_heaplines_each(count_unused_of, NULL);
    pyb_tally_each(judge_revived);
    pyb_tally_each(judge_unused);
}
