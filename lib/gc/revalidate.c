/* revalidate.c: a condemned set is looked at again, and what lives is rescued.
   See revalidate.h.

   Whether an adopted object lives is for Boehm to say.  It is asked with the
   whole set weak, again and again while the answer may change, and then by a
   final query.  Finalizers of the host's may have run before that returns, and
   got hold of a member by a weak reference or a long link; so may another
   thread that was attached meanwhile.  Then Boehm is asked again.

   internals: adoption

   What was untracked meanwhile has left the set: it is alive or gone, the
   count knows nothing of it, and what it owns is owned from outside. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/threadstack.h"
#include "gc/boehm/boehm.h"
#include "gc/check/validate.h"
#include "gc/cycle.h"
#include "gc/marking.h"
#include "gc/revalidate.h"

/* Of questions; and of final ones in a row after which code of the host's has
   run. */
enum { ROUNDS = 8, PATIENCE = 3 };

PYB_OWN_FRAME int
pyb_condemned_any_adopted(const struct pyb_set *set)
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
    PYB_FOR_EACH (op, i, pyb_condemned_walk(set))
        if (pyb_is_adopted(op) &&
            (opinion == ALL_ALIVE || was_seen(&i.batch, op)) &&
            pyb_cycle_is_dead(op))
            pyb_marking_resurrect(op, pyb_condemned_walk(set));
}

/* After pyb_cycle_deduce: spares the members that are not dead.  1 if Boehm
   was asked and did not see one of them. */
static int
rescue_reachable(struct pyb_set *set, enum opinion opinion)
{
    int unseen = 0;

    PYB_FOR_EACH (op, i, pyb_condemned_walk(set))
        if (!pyb_cycle_is_dead(op)) {
            unseen |= opinion == AS_SEEN && !was_seen(&i.batch, op);
            pyb_cycle_remove(op);
            pyb_condemned_rescue(set, op);
        }
    pyb_cycle_forget(pyb_condemned_walk(set));
    return unseen;
}

/* Counts the set again.  Returns what rescue_reachable does. */
PYB_OWN_FRAME static int
rescue_living(struct pyb_set *set, enum opinion opinion)
{
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    pyb_cycle_deduce(pyb_condemned_walk(set), PYB_UNTRACK_NONE);
    if (opinion != ALL_DEAD)
        resurrect_adopted(set, opinion);
    return rescue_reachable(set, opinion);
}

/* After an answer: rescues what lives by it. */
PYB_OWN_FRAME static void
rescue(struct pyb_set *set, enum pyb_answer answer)
{
    int unseen = rescue_living(set, answer < 0 ? ALL_ALIVE : AS_SEEN);

    set->starved |= answer == PYB_NO_MEMORY;
    set->settled = answer != PYB_FINALIZERS && !unseen;
}

/* Has Boehm seen an adopted member?  Fatal, unless no more than a dead word on
   a stack may lead there. */
PYB_OWN_FRAME static int
any_seen(const struct pyb_set *set)
{
    int seen = 0;

    PYB_FOR_EACH (op, i, pyb_condemned_walk(set)) {
        if (!pyb_is_adopted(op) || !was_seen(&i.batch, op))
            continue;
        seen = 1;
        if (pyb_events != NULL && pyb_events->places(op, NULL) > 0)
            pyb_fatal_seen(op);
    }
    return seen;
}

/* With checks Boehm is asked once more: only the library's own code has run
   since it saw no member, so it must not see one now.  0 if code of the host's
   has run or got a member in this collection, or a dead word was seen: then
   the set is asked about anew.  A host that would be told of what Boehm has
   queued is not asked for. */
static int
is_confirmed(struct pyb_set *set)
{
    unsigned long before = pyb_boehm_collections();
    unsigned long given_out = pyb_adoption.given_out;
    enum pyb_answer answer;

    if (!pyb_checks || !pyb_condemned_any_adopted(set) ||
        pyb_boehm_tells_host())
        return 1;
    pyb_threadstack_clear();
    answer = pyb_condemned_ask(set, 1);
    if (given_out != pyb_adoption.given_out)
        return 0;
    return ((answer == PYB_SETTLED || answer == PYB_SEEN) && !any_seen(set)) ||
           pyb_boehm_collections() == before;
}

/* Is the answer to a final question the last word?  Not if code of the host's
   has run since, or has got a member while Boehm was asked, from a weak
   reference or a walk over all objects, in one of Boehm's hooks for instance.
   Where some runs each time, it is if that got none, and adopted none; a long
   link would not be noticed. */
static int
is_final(struct pyb_set *set, enum pyb_answer answer, int interrupted,
         int given_out)
{
    if (given_out)
        return 0;
    return answer == PYB_SETTLED ? is_confirmed(set) : interrupted >= PATIENCE;
}

/* Once the answers do not change any more (settled), a final question is the
   last one: it lets finalizers of the host's run.  If some have, the set is
   counted at the next question (uncounted until then), and the answers may
   change again.

   Post-condition: with final, the adopted members that are left are dead, and
   nothing has run since the members were counted. */
static void
ask_boehm(struct pyb_set *set, int final)
{
    int interrupted = 0, uncounted = 0;

    for (int round = 0; pyb_condemned_any_adopted(set); round++) {
        int last = final && set->settled;
        enum pyb_answer answer = PYB_NO_ANSWER;
        unsigned long before = pyb_adoption.given_out;

        PYB_ASSERT(round <= ROUNDS);
        pyb_threadstack_clear();
        if (round < ROUNDS)
            answer = pyb_condemned_ask(set, last);
        if (last && answer == PYB_FINALIZERS) {
            set->settled = 0;
            uncounted = 1; /* a finalizer may have disowned the last one */
            continue;
        }
        rescue(set, answer);
        uncounted = 0;
        interrupted = answer == PYB_HOST_RAN ? interrupted + 1 : 0;
        if (set->settled &&
            (!final || (last && is_final(set, answer, interrupted,
                                         before != pyb_adoption.given_out))))
            break;
    }
    if (uncounted)
        rescue_living(set, ALL_DEAD);
    pyb_adoption.asked = pyb_boehm_collections();
}

static void
end(struct pyb_set *set)
{
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    PYB_ASSERT(set->rescued <= set->n);
    if (set->rescued == set->n) /* nothing is left to be torn down */
        pyb_sidetable.states &= ~PYB_STATE_BIT(set->state);
}

PYB_OWN_FRAME void
pyb_judge(struct pyb_set *set)
{
    PYB_EXPENSIVE(pyb_condemned_check(set));
    pyb_adoption_clear_stack();
    ask_boehm(set, 0);
    end(set);
}

PYB_OWN_FRAME void
pyb_revalidate(struct pyb_set *set)
{
    PYB_EXPENSIVE(pyb_condemned_check(set));
    if (pyb_condemned_any_adopted(set)) {
        pyb_adoption_clear_stack();
        ask_boehm(set, 1);
    } else {
        rescue_living(set, ALL_DEAD);
    }
    end(set);
}
