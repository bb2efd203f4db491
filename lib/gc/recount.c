/* recount.c: a condemned set is looked at again, and what lives is spared.
   See recount.h.

   Whether an adopted object lives is for Boehm to say.  It collects with the
   whole set weak: nothing of it is a root, but all of it is kept intact, from
   the end of the mark on.  What the mark has found is visible to the host.

   Boehm is asked again as long as the answer may change:

     - What is visible owns, through memory that Boehm does not look into,
       something that it did not see, which is strong now, and may lead to
       more.
     - Boehm has found objects of the host to finalize, with pointers in them.
       Their finalizers may use what they refer to.  They run, or wait in
   Boehm's queue, which is a root: either way what they still refer to is seen
   next time.  Ordered finalizers come one after the other, so this may happen
   again.

   Then it is asked a last time.  Up to here the set was kept before anything
   was finalized, so the host's finalizers for what only the set leads to were
   put off, for part of it might have been alive.  They come now, before
   anything that they lead to goes; and what ordered ones lead to that will
   never come, because it leads back to them, counts as visible.

   What was untracked meanwhile has left the set: it is alive or gone, the
   count knows nothing of it, and what it owns is owned from outside.

   After ROUNDS, or if Boehm did not collect, what is adopted lives until a
   later collection. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/boehm.h"
#include "gc/cycle.h"
#include "gc/heap.h"
#include "gc/recount.h"

enum { ROUNDS = 8 };

int
pyb_set_any_adopted(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;

    if (pyb_adoption.n == 0)
        return 0;
    while (pyb_walk_next(&walk, &group)) {
        uint64_t *adopted = pyb_card_region(group.card)->adopted;

        if (*pyb_card_word(group.card, adopted) & group.bits)
            return 1;
    }
    return 0;
}

/* What to think of the adopted members that nobody owns by count. */
enum opinion { ALL_DEAD, AS_SEEN, ALL_ALIVE };

/* Has Boehm seen a member when it was asked last? */
static int
was_seen(const struct pyb_group *group, const PyObject *op)
{
    uint64_t *seen = pyb_card_region(group->card)->seen;

    return (*pyb_card_word(group->card, seen) & pyb_bit_of(op)) != 0;
}

/* After pyb_cycle_deduce: takes those of them that live back to the living,
   with all they reach. */
static void
revive_adopted(struct pyb_set *set, enum opinion opinion)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            if (pyb_is_adopted(op) &&
                (opinion == ALL_ALIVE || was_seen(&group, op)) &&
                pyb_cycle_is_dead(op))
                pyb_cycle_revive(op, pyb_condemned_walk(set));
}

/* After pyb_cycle_deduce: spares the members that are not dead.  1 if Boehm
   was asked and did not see one of them. */
static int
spare_reached(struct pyb_set *set, enum opinion opinion)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;
    int unseen = 0;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            if (!pyb_cycle_is_dead(op)) {
                unseen |= opinion == AS_SEEN && !was_seen(&group, op);
                pyb_cycle_drop(op);
                pyb_condemned_spare(set, op);
            }
    pyb_cycle_forget(pyb_condemned_walk(set));
    return unseen;
}

/* Counts the set again.  Returns what spare_reached does. */
PYB_APART static int
spare_living(struct pyb_set *set, enum opinion opinion)
{
    pyb_cycle_deduce(pyb_condemned_walk(set), PYB_SHED_NONE);
    if (opinion != ALL_DEAD)
        revive_adopted(set, opinion);
    return spare_reached(set, opinion);
}

/* Post-condition: the adopted members that are left are dead. */
static void
ask_boehm(struct pyb_set *set)
{
    int last = 0;

    for (int round = 0; pyb_set_any_adopted(set); round++) {
        int finalizers = round < ROUNDS ? pyb_condemned_ask(set, last) : -1;
        int unseen, done;

        set->starved |= finalizers == PYB_NO_MEMORY;
        if (last && finalizers > 0) {
            last = 0;
            continue;
        }
        unseen = spare_living(set, finalizers < 0 ? ALL_ALIVE : AS_SEEN);
        done = last && finalizers == 0 && !unseen;
        last = finalizers == 0 && !unseen;
        if (done)
            return;
    }
}

void
pyb_recount(struct pyb_set *set, int ask)
{
    if ((ask || set->late != pyb_adoption.late) && pyb_set_any_adopted(set))
        ask_boehm(set);
    else
        spare_living(set, ALL_DEAD);
    set->late = pyb_adoption.late;
}
