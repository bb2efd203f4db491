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

   After ROUNDS, or if Boehm did not collect, what is adopted lives until a
   later collection. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/boehm.h"
#include "gc/cycle.h"
#include "gc/heap.h"
#include "gc/recount.h"

enum { ROUNDS = 8 };

/* Strikes members that have left: the count knows nothing of them, and what
   they own is owned from outside.  They are alive, or gone with the block
   still ours. */
PYB_APART static void
strike_leavers(struct pyb_set *set)
{
    PyObject **members = set->members;

    for (size_t i = 0; i < set->n; i++) {
        PyObject *op = members[i];

        if (op == NULL || !pyb_member_has_left(op))
            continue;
        if (op->ob_type != NULL) {
            pyb_condemned_spare(set, &members[i]);
        } else {
            set->freed += pyb_heap_block_size(op);
            pyb_condemned_release(op);
            members[i] = NULL;
        }
    }
}

int
pyb_set_any_adopted(const struct pyb_set *set)
{
    PyObject **members = set->members;

    if (pyb_adoption.n == 0)
        return 0;
    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        if (members[i] != NULL && pyb_is_adopted(members[i]))
            return 1;
    return 0;
}

/* What to think of the adopted members that nobody owns by count. */
enum opinion { ALL_DEAD, AS_SEEN, ALL_ALIVE };

/* After pyb_cycle_deduce: takes those of them that live back to the living,
   with all they reach. */
static void
revive_adopted(struct pyb_set *set, enum opinion opinion)
{
    PyObject **members = set->members;

    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        if (members[i] != NULL && pyb_is_adopted(members[i]) &&
            (opinion == ALL_ALIVE || set->seen[i]) &&
            pyb_cycle_is_dead(members[i]))
            pyb_cycle_revive(members[i], pyb_set_walk(set));
}

/* After pyb_cycle_deduce: spares the members that are not dead.  1 if Boehm
   was asked and did not see one of them. */
static int
spare_reached(struct pyb_set *set)
{
    PyObject **members = set->members;
    int unseen = 0;

    for (size_t i = 0; i < pyb_set_collectable(set); i++)
        if (members[i] != NULL && !pyb_cycle_is_dead(members[i])) {
            unseen |= set->seen != NULL && !set->seen[i];
            pyb_cycle_drop(members[i]);
            pyb_condemned_spare(set, &members[i]);
        }
    pyb_cycle_forget(pyb_set_walk(set));
    return unseen;
}

/* Counts the set again.  Returns what spare_reached does. */
PYB_APART static int
spare_living(struct pyb_set *set, enum opinion opinion)
{
    strike_leavers(set);
    pyb_cycle_deduce(pyb_set_walk(set), PYB_SHED_NONE);
    if (opinion != ALL_DEAD)
        revive_adopted(set, opinion);
    return spare_reached(set);
}

/* Post-condition: the adopted members that are left are dead. */
static void
ask_boehm(struct pyb_set *set)
{
    int last = 0;

    for (int round = 0; pyb_set_any_adopted(set); round++) {
        int finalizers = round < ROUNDS ? pyb_condemned_probe(set, last) : -1;
        int unseen, done;

        if (last && finalizers > 0) {
            pyb_condemned_forget_seen(set);
            last = 0;
            continue;
        }
        unseen = spare_living(set, finalizers < 0 ? ALL_ALIVE : AS_SEEN);
        done = last && finalizers == 0 && !unseen;
        last = finalizers == 0 && !unseen;
        pyb_condemned_forget_seen(set);
        if (done)
            return;
    }
}

void
pyb_recount(struct pyb_set *set, int ask)
{
    strike_leavers(set);
    if ((ask || set->late != pyb_adoption.late) && pyb_set_any_adopted(set))
        ask_boehm(set);
    else
        spare_living(set, ALL_DEAD);
    set->late = pyb_adoption.late;
}
