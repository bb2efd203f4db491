/* defects.c: objects and types that have a defect.  See defects.h. */

#include "Python.h"

#include <stdio.h>

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "gc/heap/heap.h"
#include "watch/audit/calls.h"
#include "watch/audit/defects.h"
#include "watch/audit/tally.h"
#include "watch/memory/heaplines.h"

static const char not_owned[] =
    "a reference was released that its holder did not own: PYBOEHM_CHECK=1 "
    "may tell where";
static const char elsewhere[] = "in CPython that is other memory";
static const char dead[] = "it may be another object's memory by now: "
                           "PYBOEHM_CHECK=1 may tell where";

/* What the consequence is, and the function whose place is printed: none where
   no function of the type's is wrong, and for dead objects, of whose type only
   the name is known. */
static const struct {
    const char *so;
    enum { NONE, TRAVERSE, IS_GC } culprit;
} consequences[PYB_DEFECTS] = {
    [PYB_SMALL] = {elsewhere, TRAVERSE},
    [PYB_FAR_WEAKLIST] = {elsewhere, TRAVERSE},
    [PYB_FAR_DICT] = {elsewhere, TRAVERSE},
    [PYB_OVERRUN] = {elsewhere, TRAVERSE},
    [PYB_NO_TRAVERSE] = {"CPython crashes in its next collection", NONE},
    [PYB_NO_GC] = {"it contradicts PyObject_GC_Track", IS_GC},
    [PYB_MISCOUNTED] = {not_owned, TRAVERSE},
    [PYB_BOEHMS_RELEASED] = {not_owned, NONE},
    [PYB_DEAD_COUNTED] = {not_owned, NONE},
    [PYB_DEAD_WRITTEN] = {dead, NONE},
    [PYB_DEAD_TRACKED] = {dead, NONE},
    [PYB_DEAD_UNTRACKED] = {dead, NONE},
    [PYB_DEAD_FREED] = {dead, NONE},
};

static const void *
culprit(enum pyb_defect defect, const PyObject *op)
{
    switch (consequences[defect].culprit) {
    case TRAVERSE:
        return (const void *)Py_TYPE(op)->tp_traverse;
    case IS_GC:
        return (const void *)Py_TYPE(op)->tp_is_gc;
    default:
        return NULL;
    }
}

static int
tell(enum pyb_defect defect, PyObject *op, struct pyb_findings *findings)
{
    PYB_ASSERT(defect > PYB_SOUND && defect < PYB_DEFECTS);
    PYB_ASSERT(consequences[defect].so != NULL);
    char what[256], text[PYB_DEFECT_BYTES];
    struct pyb_finding finding = {.what = what,
                                  .n = 1,
                                  .so = consequences[defect].so,
                                  .slot = culprit(defect, op)};

    pyb_defect_text(defect, op, text);
    snprintf(what, sizeof what, "%s of %.120s: %s",
             pyb_defect_slot(defect, op), pyb_inspect_type(op), text);
    return pyb_findings_count(findings, &finding);
}

/* Without memory the defect is dropped.  A tp_dealloc that is called twice
   also untracks twice; the second call is reported, and the untracking is
   not. */
void
pyb_defects_note(enum pyb_defect defect, PyObject *op)
{
    if (defect != PYB_DEAD_UNTRACKED || !pyb_calls_is_dying(op))
        (void)tell(defect, op, &pyb_findings_noticed);
}

/* ------------------------------------------------------------------ */
/* All objects                                                         */

/* Is there another reason for a count of 0?  Either tp_dealloc is under way,
   which is known only while events are watched, or it has left its object as
   it was, which is reported. */
static int
is_excused(PyObject *op)
{
    const struct pyb_tally *tally;

    if (op->ob_refcnt < 0)
        return 0;
    if (!pyb_control.audit || pyb_calls_is_dying(op))
        return 1;
    tally = pyb_tally_of_slot(Py_TYPE(op), PYB_SLOT_DEALLOC);
    return tally != NULL && tally->faults[PYB_FAULT_LEAVES_TRACKED] > 0;
}

static enum pyb_defect
flaw_of_living(PyObject *op)
{
    enum pyb_defect defect = pyb_defect_of_type(Py_TYPE(op));

    if (defect == PYB_SOUND && pyb_redzone_broken_at(op) >= 0)
        defect = PYB_OVERRUN;
    if (defect == PYB_SOUND && PyObject_GC_IsTracked(op))
        defect = pyb_defect_of_tracked(op);
    return defect == PYB_MISCOUNTED && is_excused(op) ? PYB_SOUND : defect;
}

/* Looks at every block in use, whatever its count: the defect may be that a
   living object does not count as one.  A free block has no type. */
static enum pyb_defect
flaw_of(PyObject *block)
{
    if (pyb_inspect_is_freed(block))
        return pyb_defect_of_dead(block);
    return !pyb_block_is_free(block) && pyb_inspect_is_object(block)
               ? flaw_of_living(block)
               : PYB_SOUND;
}

static int
find_in_line(const struct pyb_line *line, void *findings)
{
    uint64_t bits = AO_load(&line->held);

    for (; bits != 0; bits &= bits - 1) {
        PyObject *block =
            (PyObject *)(void *)pyb_block_at(pyb_line_base(line), bits);
        enum pyb_defect defect = flaw_of(block);

        if (defect != PYB_SOUND && tell(defect, block, findings) < 0)
            return -1;
    }
    return 0;
}

int
pyb_defects_find(struct pyb_findings *findings)
{
    return pyb_heaplines_each(find_in_line, findings);
}
