/* revalidate.c: a condemned set is looked at again, and what lives is rescued.
   See revalidate.h.

   Whether an adopted object lives is for Boehm to say.  It is asked with the
   whole set weak, again and again while the answer may change, and then a last
   time.

   internals: adoption

   What was untracked meanwhile has left the set: it is alive or gone, the
   count knows nothing of it, and what it owns is owned from outside. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/boehm/boehm.h"
#include "gc/check/validate.h"
#include "gc/cycle.h"
#include "gc/fatal.h"
#include "gc/heap/heap.h"
#include "gc/marking.h"
#include "gc/revalidate.h"

enum { ROUNDS = 8 };

int
pyb_set_any_adopted(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_batch batch;

    if (pyb_adoption.n == 0)
        return 0;
    while (pyb_walk_next(&walk, &batch)) {
        uint64_t *adopted = pyb_line_region(batch.line)->adopted;

        if (*pyb_line_word(batch.line, adopted) & batch.bits)
            return 1;
    }
    return 0;
}

/* The verdict on adopted members that no counted reference keeps. */
enum opinion { ALL_DEAD, AS_SEEN, ALL_ALIVE };

/* Has Boehm seen a member when it was asked last? */
static int
was_seen(const struct pyb_batch *batch, const PyObject *op)
{
    uint64_t *seen = pyb_line_region(batch->line)->seen;
    PYB_ASSERT(pyb_line_of(op) == batch->line);

    return (*pyb_line_word(batch->line, seen) & pyb_bit_of(op)) != 0;
}

/* After pyb_cycle_deduce: takes those of them that live back to the living,
   with all they reach. */
static void
resurrect_adopted(struct pyb_set *set, enum opinion opinion)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_batch batch;
    PyObject *op;

    while (pyb_walk_next(&walk, &batch))
        while ((op = pyb_batch_take(&batch)) != NULL)
            if (pyb_is_adopted(op) &&
                (opinion == ALL_ALIVE || was_seen(&batch, op)) &&
                pyb_cycle_is_dead(op))
                pyb_marking_resurrect(op, pyb_condemned_walk(set));
}

/* After pyb_cycle_deduce: spares the members that are not dead.  1 if Boehm
   was asked and did not see one of them. */
static int
rescue_reachable(struct pyb_set *set, enum opinion opinion)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_batch batch;
    PyObject *op;
    int unseen = 0;

    while (pyb_walk_next(&walk, &batch))
        while ((op = pyb_batch_take(&batch)) != NULL)
            if (!pyb_cycle_is_dead(op)) {
                unseen |= opinion == AS_SEEN && !was_seen(&batch, op);
                pyb_cycle_remove(op);
                pyb_condemned_rescue(set, op);
            }
    pyb_cycle_forget(pyb_condemned_walk(set));
    return unseen;
}

/* Counts the set again.  Returns what rescue_reachable does. */
PYB_APART static int
rescue_living(struct pyb_set *set, enum opinion opinion)
{
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    pyb_cycle_deduce(pyb_condemned_walk(set), PYB_UNTRACK_NONE);
    if (opinion != ALL_DEAD)
        resurrect_adopted(set, opinion);
    return rescue_reachable(set, opinion);
}

/* Post-condition: the adopted members that are left are dead. */
static void
ask_boehm(struct pyb_set *set)
{
    int last = 0;

    for (int round = 0; pyb_set_any_adopted(set); round++) {
        int finalizers = round < ROUNDS ? pyb_condemned_ask(set, last) : -1;
        int unseen, done;
        PYB_ASSERT(round <= ROUNDS);

        set->starved |= finalizers == PYB_NO_MEMORY;
        if (last && finalizers > 0) {
            last = 0;
            continue;
        }
        unseen = rescue_living(set, finalizers < 0 ? ALL_ALIVE : AS_SEEN);
        done = last && finalizers == 0 && !unseen;
        last = finalizers == 0 && !unseen;
        if (done)
            return;
    }
}

void
pyb_revalidate(struct pyb_set *set, int ask)
{
    PYB_EXPENSIVE(pyb_set_check(set));
    if ((ask || set->late != pyb_adoption.late) && pyb_set_any_adopted(set))
        ask_boehm(set);
    else
        rescue_living(set, ALL_DEAD);
    set->late = pyb_adoption.late;
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    PYB_ASSERT(set->rescued <= set->n);
    if (set->rescued == set->n) /* no teardown will follow */
        pyb_sidetable.marks &= ~PYB_MARK_BIT(set->mark);
}
