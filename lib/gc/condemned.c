/* condemned.c: sets of objects that are to die together.  See condemned.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/threadstack.h"
#include "gc/boehm/boehm.h"
#include "gc/check/ownwords.h"
#include "gc/check/validate.h"
#include "gc/condemned.h"
#include "gc/cycle.h"
#include "gc/heap/heap.h"

struct pyb_condemned pyb_condemned;

/* Condemns the dead: they are candidates no longer. */
static void
condemn_dead(struct pyb_walk candidates)
{
    struct pyb_walk walk = candidates;
    struct pyb_batch batch;

    PYB_ASSERT(!(pyb_sidetable.states & PYB_STATE_BIT(PYB_STATE_CURRENT)));
    pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_CURRENT);
    while (pyb_walk_next(&walk, &batch)) {
        uint64_t dead = pyb_cycle_take_dead(batch);

        if (dead == 0)
            continue;
        pyb_line_set_age(batch.line, dead,
                         (enum pyb_generation)PYB_STATE_CURRENT);
        pyb_fact_set(&batch.line->condemned, dead);
    }
    pyb_cycle_forget(candidates);
}

PYB_OWN_FRAME struct pyb_set
pyb_condemned_make(enum pyb_generation oldest, struct pyb_cycle_result result)
{
    struct pyb_set set = {.generation = oldest,
                          .state = PYB_STATE_CURRENT,
                          .n = result.dead,
                          .foreign = !result.sound};

    PYB_ASSERT(pyb_gil_is_held());
    PYB_ASSERT(result.dead > 0 && result.dead <= result.candidates);
    condemn_dead(pyb_walk_generation(oldest));
    PYB_EXPENSIVE_WALK(pyb_gcrefs_check());
    PYB_EXPENSIVE(pyb_condemned_check(&set));
    return set;
}

size_t
pyb_condemned_claim(struct pyb_line *line, uint64_t bits)
{
    bits &=
        line->tracked & ~AO_load(&line->condemned) & ~pyb_line_frozen(line);
    if (bits == 0)
        return 0;
    pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_CURRENT);
    pyb_line_set_age(line, bits, (enum pyb_generation)PYB_STATE_CURRENT);
    pyb_fact_set(&line->condemned, bits);
    return (size_t)__builtin_popcountll(bits);
}

/* Takes members in a line back to the living.  What survives a young
   collection is middle-aged. */
void
pyb_condemned_rescue_bits(struct pyb_set *set, struct pyb_line *line,
                          uint64_t bits)
{
    PYB_ASSERT((bits & ~AO_load(&line->condemned)) == 0);
    PYB_ASSERT(set->generation <= PYB_OLD);
    pyb_fact_clear(&line->condemned, bits);
    if (set->generation != PYB_YOUNG) {
        pyb_line_set_age(line, bits, PYB_OLD);
    } else {
        pyb_line_set_age(line, bits, PYB_MIDDLE);
        pyb_line_enter_recent(line);
    }
    set->rescued += (size_t)__builtin_popcountll(bits);
}

void
pyb_condemned_rescue(struct pyb_set *set, PyObject *op)
{
    PYB_ASSERT_OBJECT(pyb_is_condemned(op), op);
    pyb_condemned_rescue_bits(set, pyb_line_held(op), pyb_bit_of(op));
    PYB_ASSERT(set->rescued <= set->n);
}

void
pyb_condemned_freed(size_t granules)
{
    PYB_ASSERT(granules >= PYB_GRANULES_MIN);
    pyb_condemned.freed += granules;
}

/* ------------------------------------------------------------------ */
/* The end of a set                                                    */

/* Post-condition: nothing of this set is condemned; what was not freed lives
   on.  What has left some set is not condemned any longer, either. */
PYB_OWN_FRAME void
pyb_condemned_rescue_rest(struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk_all(set);
    struct pyb_batch batch;

    PYB_ASSERT(set->state != PYB_STATE_NONE);
    while (pyb_walk_next(&walk, &batch)) {
        pyb_fact_clear(&batch.line->condemned,
                       pyb_line_members(batch.line, PYB_STATE_NONE));
        pyb_condemned_rescue_bits(set, batch.line,
                                  pyb_line_members(batch.line, set->state));
    }
    pyb_sidetable.states &=
        ~(PYB_STATE_BIT(set->state) | PYB_STATE_BIT(PYB_STATE_APART));
    PYB_EXPENSIVE_WALK(pyb_condemned_done_check(set));
}

/* The bytes of the blocks of some of a line's objects. */
static size_t
bytes_of(struct pyb_line *line, uint64_t bits)
{
    size_t granules = line->size->granules, bytes = 0;

    PYB_ASSERT((bits & ~AO_load(&line->held)) == 0);
    if (granules != 0)
        return (size_t)__builtin_popcountll(bits) * granules *
               PYB_GRANULE_BYTES;
    for (; bits != 0; bits &= bits - 1) /* of small ones there may be many */
        bytes += pyb_heap_block_size(pyb_block_at(pyb_line_base(line), bits));
    return bytes;
}

PYB_OWN_FRAME size_t
pyb_condemned_bytes(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_batch batch;
    size_t bytes = 0;

    while (pyb_walk_next(&walk, &batch))
        bytes += bytes_of(batch.line, batch.bits);
    return bytes;
}

/* ------------------------------------------------------------------ */
/* Boehm is asked                                                      */

/* Is Boehm asked, and about which set?  Read in Boehm's hook.  It is a copy:
   finalizers of the host's may jump out of the frame that has the set, and
   Boehm may collect once more before that is noticed. */
static AO_t asking;
static struct pyb_set asked;
static unsigned long given_out; /* before the question */

void
pyb_condemned_stop_asking(void)
{
    pyb_heap_weaken(PYB_STATE_NONE);
    AO_store_full(&asking, 0);
}

enum pyb_answer
pyb_condemned_ask(struct pyb_set *set, int final)
{
    enum pyb_answer answer;

    PYB_ASSERT(pyb_gil_is_held() && set->state != PYB_STATE_NONE);
    PYB_ASSERT(AO_load(&asking) == 0 && set->n > set->rescued);
    PYB_EXPENSIVE(pyb_ownwords_check(set));
    pyb_condemned.busy++;
    asked = *set;
    given_out = pyb_adoption.given_out;
    AO_store_full(&asking, 1);
    pyb_heap_weaken(set->state);
    answer = final ? pyb_boehm_final_mark_query() : pyb_boehm_mark_query();
    pyb_condemned_stop_asking();
    pyb_condemned.busy--;
    return answer;
}

static void
note_seen(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_batch batch;
    PyObject *op;

    while (pyb_walk_next(&walk, &batch)) {
        uint64_t *seen =
            pyb_line_word(batch.line, pyb_line_region(batch.line)->seen);

        *seen = 0;
        while ((op = pyb_batch_take(&batch)) != NULL)
            if (pyb_boehm_is_marked(op))
                *seen |= pyb_bit_of(op);
    }
}

/* The world is stopped, or Boehm is about to finalize.  What a hook of the
   host's has just been given is not marked. */
int
pyb_condemned_is_seen(void)
{
    struct pyb_walk walk = pyb_condemned_walk(&asked);
    struct pyb_batch batch;
    PyObject *op;

    PYB_ASSERT(AO_load(&asking) != 0);
    if (pyb_adoption.given_out != given_out)
        return 1;
    while (pyb_walk_next(&walk, &batch)) {
        batch.bits &=
            *pyb_line_word(batch.line, pyb_line_region(batch.line)->adopted);
        while ((op = pyb_batch_take(&batch)) != NULL)
            if (pyb_boehm_is_marked(op))
                return 1;
    }
    return 0;
}

/* Most of what members refer to are members: these are marked first, as in
   pyb_heap_push_roots. */
static void
keep_members(const struct pyb_set *set, struct pyb_boehm_marking *marking)
{
    PYB_FOR_EACH (op, i, pyb_condemned_walk(set))
        pyb_boehm_mark(op);
    PYB_FOR_EACH (op, i, pyb_condemned_walk(set))
        pyb_boehm_keep(marking, op, pyb_heap_block_size(op));
}

void
pyb_condemned_keep(struct pyb_boehm_marking *marking)
{
    if (AO_load(&asking) == 0)
        return;
    note_seen(&asked);
    keep_members(&asked, marking);
}
