/* cycle.c: which of some objects are owned by nobody but one another.  See
   cycle.h. */

#include "Python.h"

#include "gc/control.h"
#include "gc/cycle.h"
#include "gc/fatal.h"
#include "gc/traverse.h"
#include "gc/upcalls.h"

#include <sys/mman.h>

enum {
    STACK_SIZE = 1 << 16,  /* objects reached whose references wait */
    GUARD_BYTES = 1 << 16, /* a page at least */
    QUEUE_SIZE = 16,       /* memory fetches under way; a power of two */
    COUNTS_KEPT = 1 << 16  /* candidates whose counts may stay in memory */
};

/* Candidates since the counts' memory was last given back. */
static size_t touched;

/* A traversal that follows references in no order meets cold memory at every
   step.  Both passes therefore look at what they are given QUEUE_SIZE visits
   later, and have it fetched meanwhile. */
struct queue {
    void *entries[QUEUE_SIZE];
    unsigned head, tail; /* they only grow */
};

/* Puts an entry in; takes the oldest out, and returns it, if the queue is
   full; else NULL. */
static inline void *
queue_turn(struct queue *queue, void *entry)
{
    void **place = &queue->entries[queue->tail++ % QUEUE_SIZE];
    void *oldest = *place;

    *place = entry;
    if (_PyB_UNLIKELY(queue->tail - queue->head <= QUEUE_SIZE))
        return NULL;
    queue->head++;
    return oldest;
}

/* Takes the oldest entry out, or returns NULL. */
static inline void *
queue_take(struct queue *queue)
{
    if (queue->head == queue->tail)
        return NULL;
    return queue->entries[queue->head++ % QUEUE_SIZE];
}

/* ------------------------------------------------------------------ */
/* Step 1: count                                                       */

/* Post-condition: every candidate's count is 1 + its reference count.  An
   object that waits for its deallocation (its count is below 1) or is immortal
   is owned from outside, come what may. */
static size_t
set_counts(struct pyb_walk walk)
{
    PyObject *batch[PYB_WALK_BATCH];
    size_t n, candidates = 0;

    while ((n = pyb_walk_next(&walk, batch)) != 0) {
        candidates += n;
        for (size_t i = 0; i < n; i++) {
            Py_ssize_t refcnt = batch[i]->ob_refcnt;
            uint32_t *count =
                pyb_region_count(pyb_region_of(batch[i]), batch[i]);

            if (_PyB_UNLIKELY(refcnt <= 0 || refcnt >= PYB_COUNT_STICKY - 1))
                *count = PYB_COUNT_STICKY;
            else
                *count = (uint32_t)refcnt + 1;
        }
    }
    return candidates;
}

/* Explains one reference.  Where there are more visits than references, some
   tp_traverse visits too much, and nothing that hangs on this object can be
   trusted: it stays, with all it reaches. */
static inline void
explain(uint32_t *count)
{
    uint32_t c = *count;

    if (_PyB_LIKELY(c > 1 && c < PYB_COUNT_STICKY))
        *count = c - 1;
    else if (c == 1)
        *count = PYB_COUNT_STICKY;
}

static int
visit_count(PyObject *op, void *arg)
{
    struct pyb_region *region = pyb_region_of(op);

    if (region == NULL)
        return 0;
    uint32_t *count = pyb_region_count(region, op);
    __builtin_prefetch(count, 1);
    count = queue_turn(arg, count);
    if (count != NULL)
        explain(count);
    return 0;
}

enum { PARTIES = 16 }; /* types; later ones are not suspected */

/* Who visits an object that is visited too often, by type. */
struct blame {
    PyObject *victim;
    size_t visits; /* by the object that is being asked */
    struct party {
        PyObject *one;
        size_t visits;
    } parties[PARTIES];
};

static int
visit_blame(PyObject *op, void *arg)
{
    struct blame *blame = arg;

    blame->visits += op == blame->victim;
    return 0;
}

static void
blame_one(struct blame *blame, PyObject *op)
{
    struct party *party = blame->parties;

    blame->visits = 0;
    Py_TYPE(op)->tp_traverse(op, visit_blame, blame);
    if (blame->visits == 0)
        return;
    fprintf(stderr, "visited %zu times by type %s, object at %p\n",
            blame->visits, Py_TYPE(op)->tp_name, (void *)op);
    while (party->one != NULL && !Py_IS_TYPE(party->one, Py_TYPE(op)))
        if (++party == blame->parties + PARTIES)
            return;
    if (party->one == NULL)
        party->one = op;
    party->visits += blame->visits;
}

/* Names the types that pay the most visits, "A or B"; one object of theirs is
   the result. */
static PyObject *
name_suspects(const struct blame *blame, char *names, size_t size)
{
    const struct party *end = blame->parties, *suspect = NULL;
    size_t most = 0, used = 0;

    for (; end < blame->parties + PARTIES && end->one != NULL; end++)
        most = Py_MAX(most, end->visits);
    for (const struct party *party = blame->parties; party < end; party++) {
        if (party->visits < most || used >= size)
            continue;
        used += (size_t)snprintf(names + used, size - used, "%s%s",
                                 suspect != NULL ? " or " : "",
                                 Py_TYPE(party->one)->tp_name);
        suspect = party;
    }
    return suspect != NULL ? suspect->one : NULL;
}

/* The candidates that are being counted. */
static struct pyb_walk counted;

/* There are more visits to op than references: all visitors are named, and the
   types that pay the most are to blame. */
_Py_NO_RETURN static void
fail_overvisited(PyObject *op)
{
    struct blame blame = {.victim = op};
    struct pyb_walk walk = counted;
    PyObject *batch[PYB_WALK_BATCH], *suspect;
    char names[128] = "";
    size_t n;

    pyb_fatal_dump(__FILE__, __LINE__, __func__, op, "refcount is too small");
    while ((n = pyb_walk_next(&walk, batch)) != 0)
        for (size_t i = 0; i < n; i++)
            blame_one(&blame, batch[i]);
    suspect = name_suspects(&blame, names, sizeof names);
    pyb_fatal_type("tp_traverse", names, suspect,
                   "visits an object of type %s at %p more often than it is "
                   "referred to",
                   Py_TYPE(op)->tp_name, (void *)op);
}

/* The same as visit_count with checks: at once, and fatal where that leaves
   the count alone. */
static int
visit_count_checked(PyObject *op, void *Py_UNUSED(arg))
{
    struct pyb_region *region = pyb_region_of(op);

    if (region == NULL)
        return 0;
    uint32_t *count = pyb_region_count(region, op);
    if (*count == 1)
        fail_overvisited(op);
    explain(count);
    return 0;
}

/* Post-condition: every candidate's count is 1 + the references to it that no
   candidate's tp_traverse has shown, or sticky. */
static void
explain_all(struct pyb_walk walk)
{
    struct queue queue = {{NULL}, 0, 0};
    uint32_t *count;
    PyObject *batch[PYB_WALK_BATCH];
    size_t n;

    counted = walk;
    while ((n = pyb_walk_next(&walk, batch)) != 0)
        for (size_t i = 0; i < n; i++) {
            if (pyb_checks)
                pyb_traverse(batch[i], visit_count_checked, NULL);
            else
                pyb_traverse(batch[i], visit_count, &queue);
        }
    while ((count = queue_take(&queue)) != NULL)
        explain(count);
}

/* ------------------------------------------------------------------ */
/* Step 2: reach                                                       */

/* Objects on their way from "somebody visits it" to "its own references are
   followed": seen, where the count is fetched; the stack; and opened, where
   the body is fetched. */
static struct {
    PyObject **stack;
    size_t depth;
    int overflow; /* some object is pending */
    size_t reached;
    enum pyb_cycle_shed shed;
    size_t n_shed;
    struct queue seen, opened;
} reach;

int
pyb_cycle_init(void)
{
    const size_t bytes = STACK_SIZE * sizeof(PyObject *);
    void *memory = mmap(NULL, bytes + GUARD_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return -1;
    /* An object too many meets no memory, in place of somebody's. */
    (void)mprotect((char *)memory + bytes, GUARD_BYTES, PROT_NONE);
    reach.stack = memory;
    return 0;
}

/* Marks op; 0 if it is marked already, or no candidate. */
static inline int
mark(PyObject *op)
{
    uint32_t *count = pyb_region_count(pyb_region_of(op), op);

    if (*count == 0 || (*count & PYB_COUNT_REACHED))
        return 0;
    *count |= PYB_COUNT_REACHED;
    reach.reached++;
    return 1;
}

/* Has an object that was just marked followed later. */
static inline void
push(PyObject *op)
{
    if (_PyB_LIKELY(reach.depth < STACK_SIZE)) {
        reach.stack[reach.depth++] = op;
        return;
    }
    *pyb_region_count(pyb_region_of(op), op) |= PYB_COUNT_PENDING;
    reach.overflow = 1;
}

static int
visit_reach(PyObject *op, void *Py_UNUSED(arg))
{
    struct pyb_region *region = pyb_region_of(op);

    if (region == NULL)
        return 0;
    __builtin_prefetch(pyb_region_count(region, op), 1);
    op = queue_turn(&reach.seen, op);
    if (op != NULL && mark(op))
        push(op);
    return 0;
}

/* Untracks an object that was reached if it is atomic; it is no candidate any
   more then.  What it refers to is reached all the same. */
static void
shed(PyObject *op)
{
    if (!pyb_upcalls.is_atomic(op, reach.shed == PYB_SHED_ALL))
        return;
    *pyb_region_count(pyb_region_of(op), op) = 0;
    PyObject_GC_UnTrack(op);
    reach.n_shed++;
}

/* Has all that an object refers to reached. */
static inline void
expand(PyObject *op)
{
    if (_PyB_UNLIKELY(
            PyType_HasFeature(Py_TYPE(op), _PyB_TPFLAGS_UNTRACKABLE)) &&
        reach.shed != PYB_SHED_NONE)
        shed(op);
    pyb_traverse(op, visit_reach, NULL);
}

/* Follows what is on the stack; the last few objects stay in the queues. */
static void
follow(void)
{
    while (reach.depth > 0) {
        PyObject *op = reach.stack[--reach.depth];

        __builtin_prefetch(op);
        op = queue_turn(&reach.opened, op);
        if (op != NULL)
            expand(op);
    }
}

/* Follows all that is under way.  Post-condition: queues and stack are empty.
   With little under way, a chain for instance, an object goes straight from
   one queue to its traversal. */
static void
drain(void)
{
    for (;;) {
        follow();
        PyObject *op = queue_take(&reach.opened);
        if (op == NULL) {
            op = queue_take(&reach.seen);
            if (op == NULL)
                return;
            if (!mark(op))
                continue;
        }
        expand(op);
    }
}

/* Takes up again what found the stack full. */
static void
drain_pending(struct pyb_walk candidates)
{
    PyObject *batch[PYB_WALK_BATCH];

    while (reach.overflow) {
        struct pyb_walk walk = candidates;
        size_t n;

        reach.overflow = 0;
        while ((n = pyb_walk_next(&walk, batch)) != 0)
            for (size_t i = 0; i < n; i++) {
                uint32_t *count =
                    pyb_region_count(pyb_region_of(batch[i]), batch[i]);

                if (!(*count & PYB_COUNT_REACHED) ||
                    !(*count & PYB_COUNT_PENDING))
                    continue;
                *count &= ~PYB_COUNT_PENDING;
                reach.stack[reach.depth++] = batch[i];
                follow();
            }
        drain();
    }
}

/* Post-condition: exactly the candidates that are owned from outside, or that
   such a one reaches, are marked. */
static void
reach_all(struct pyb_walk candidates)
{
    struct pyb_walk walk = candidates;
    PyObject *batch[PYB_WALK_BATCH];
    size_t n;

    reach.reached = 0;
    while ((n = pyb_walk_next(&walk, batch)) != 0)
        for (size_t i = 0; i < n; i++) {
            uint32_t *count =
                pyb_region_count(pyb_region_of(batch[i]), batch[i]);

            if (*count > 1 && mark(batch[i])) {
                push(batch[i]);
                follow();
            }
        }
    drain();
    drain_pending(candidates);
}

/* ------------------------------------------------------------------ */

struct pyb_cycle_result
pyb_cycle_deduce(struct pyb_walk candidates, enum pyb_cycle_shed shed)
{
    struct pyb_cycle_result result;
    size_t n = set_counts(candidates);

    touched += n;
    explain_all(candidates);
    reach.shed = shed;
    reach.n_shed = 0;
    reach_all(candidates);
    reach.shed = PYB_SHED_NONE;
    result.dead = n - reach.reached;
    result.alive = reach.reached - reach.n_shed;
    return result;
}

int
pyb_cycle_is_dead(const PyObject *op)
{
    return !(*pyb_region_count(pyb_region_of(op), op) & PYB_COUNT_REACHED);
}

void
pyb_cycle_revive(PyObject *op, struct pyb_walk candidates)
{
    if (mark(op))
        push(op);
    drain();
    drain_pending(candidates);
}

void
pyb_cycle_forget(struct pyb_walk walk)
{
    PyObject *batch[PYB_WALK_BATCH];
    size_t n;

    if (touched > COUNTS_KEPT) {
        pyb_sidetable_drop_counts();
        touched = 0;
        return;
    }
    while ((n = pyb_walk_next(&walk, batch)) != 0)
        for (size_t i = 0; i < n; i++)
            *pyb_region_count(pyb_region_of(batch[i]), batch[i]) = 0;
}
