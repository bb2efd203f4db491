/* effects.c: side effects of tp_traverse.  See effects.h. */

#include "Python.h"

#include <stdio.h>
#include <stdlib.h>

#include "gc/base/extent.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/control.h"
#include "gc/heap/heap.h"
#include "gc/heap/walk.h"
#include "watch/audit/effects.h"
#include "watch/audit/ledger.h"
#include "watch/rows.h"

static const char *const names[PYB_EFFECTS] = {
    [PYB_EFFECT_RAISES] = "raises an exception",
    [PYB_EFFECT_MAKES] = "makes or frees a container",
    [PYB_EFFECT_TRACKS] = "tracks or untracks a container",
    [PYB_EFFECT_COLLECTS] = "asks for a collection",
    [PYB_EFFECT_COUNTS] = "changes a reference count",
};

/* A type, the number of calls for its instances, and how many of them had
   which effect first. */
struct doer {
    PyTypeObject *type;
    size_t calls, effects[PYB_EFFECTS];
};

static struct {
    int open;       /* a call is under way */
    unsigned noted; /* bits: the effects of this call */
} now;

void
pyb_effects_note(enum pyb_effect effect)
{
    PYB_ASSERT((unsigned)effect < PYB_EFFECTS);
    if (now.open)
        now.noted |= 1u << effect;
}

/* ------------------------------------------------------------------ */
/* One call                                                            */

/* State that a call must not change. */
struct still {
    Py_ssize_t made;
    size_t counts;  /* the sum of the counts of the object and of its
                       referents */
    size_t tracked; /* how many of these are tracked */
};

static void
add(struct still *still, PyObject *op)
{
    still->counts += (size_t)op->ob_refcnt;
    still->tracked += (size_t)PyObject_GC_IsTracked(op);
}

static struct still
look_at(PyObject *op)
{
    struct still still = {.made = pyb_control.made};
    PyObject **words = (PyObject **)(void *)op;
    size_t n = pyb_heap_block_size(op) / sizeof *words;

    add(&still, op);
    for (size_t i = 0; i < n; i++)
        if (((uintptr_t)words[i] & (PYB_GRANULE_BYTES - 1)) == 0 &&
            pyb_sidetable_holds(words[i]))
            add(&still, words[i]);
    return still;
}

static int
visit_nothing(PyObject *Py_UNUSED(op), void *Py_UNUSED(arg))
{
    return 0;
}

/* Calls tp_traverse; returns the bits of its effects. */
static unsigned
effects_of(PyObject *op)
{
    PYB_ASSERT_OBJECT(pyb_sidetable_holds(op), op); /* its size is known */
    struct still before = look_at(op), after;
    PyObject *error;

    now.noted = 0;
    now.open = 1;
    Py_TYPE(op)->tp_traverse(op, visit_nothing, NULL);
    now.open = 0;
    error = pyb_upcalls.take_error();
    after = look_at(op);
    if (after.made != before.made)
        now.noted |= 1u << PYB_EFFECT_MAKES;
    if (after.tracked != before.tracked)
        now.noted |= 1u << PYB_EFFECT_TRACKS;
    if (after.counts != before.counts)
        now.noted |= 1u << PYB_EFFECT_COUNTS;
    if (error == NULL)
        return now.noted;
    Py_DECREF(error); /* the other effects come from raising it */
    return 1u << PYB_EFFECT_RAISES;
}

/* ------------------------------------------------------------------ */
/* All types                                                           */

static int
ask(struct pyb_typerows *doers, PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    struct doer *doer;
    unsigned effects;

    if (type->tp_traverse == NULL)
        return 0;
    doer = pyb_typerows_of(doers, sizeof *doer, pyb_ledger_traverser(type));
    if (doer == NULL)
        return -1;
    effects = effects_of(op);
    doer->calls++;
    PYB_ASSERT_OBJECT(effects < 1u << PYB_EFFECTS, op);
    if (effects != 0)
        doer->effects[__builtin_ctz(effects)]++;
    return 0;
}

static int
ask_all(struct pyb_typerows *doers)
{
    int result;

    PYB_FOR_EACH (op, i, pyb_walk_live())
        if (op->ob_refcnt > 0 && op->ob_type != NULL &&
            (result = ask(doers, op)) != 0)
            return result;
    return 0;
}

static int
tell(const struct doer *doer, int effect, struct pyb_findings *findings)
{
    PYB_ASSERT(effect >= 0 && effect < PYB_EFFECTS);
    PYB_ASSERT(doer->calls == 0 || doer->effects[effect] <= doer->calls);
    char what[256];
    struct pyb_finding finding = {
        .what = what,
        .n = doer->effects[effect],
        .of = doer->calls,
        .so = "it runs in the middle of collections, and must do nothing but "
              "visit",
        .slot = (const void *)(uintptr_t)doer->type->tp_traverse};

    snprintf(what, sizeof what, "tp_traverse of %s %s", doer->type->tp_name,
             names[effect]);
    return pyb_findings_add(findings, &finding);
}

/* Without memory the effect is dropped. */
void
pyb_effects_look(PyObject *op)
{
    struct doer doer = {.calls = 0};
    unsigned effects;

    if (Py_TYPE(op)->tp_traverse == NULL || !pyb_sidetable_holds(op))
        return;
    doer.type = pyb_ledger_traverser(Py_TYPE(op));
    effects = effects_of(op);
    if (effects == 0)
        return;
    doer.effects[__builtin_ctz(effects)] = 1;
    (void)tell(&doer, __builtin_ctz(effects), &pyb_findings_noticed);
}

int
pyb_effects_find(struct pyb_findings *findings)
{
    struct pyb_typerows doers = {NULL, 0, 0};
    struct pyb_extent extent;
    int result;

    pyb_control_begin(&extent);
    result = ask_all(&doers);
    const struct doer *all = doers.all;
    for (size_t i = 0; i < doers.n && result == 0; i++)
        for (int effect = 0; effect < PYB_EFFECTS && result == 0; effect++)
            if (all[i].effects[effect] > 0)
                result = tell(&all[i], effect, findings);
    pyb_control_end(&extent);
    free(doers.all);
    return result;
}
