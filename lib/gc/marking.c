/* marking.c: the two passes of cycle.c where there are many candidates.  See
   marking.h. */

#include "Python.h"

#include "gc/crew.h"
#include "gc/marking.h"

#include <pthread.h>
#include <sys/mman.h>

enum {
    QUEUE_SIZE = 16, /* memory fetches under way; a power of two */
    POOL_SIZE = 1 << 12,
    SHARE_MIN = 64, /* who has as much on the stack gives half of it */
    TAKE_MAX = 256,
    LITTLE = 8, /* on the stack: not worth a detour through a queue */
};

/* What somebody visited, and nobody has looked at since. */
struct sight {
    PyObject *op;
    uint32_t *cell;
};

struct marker {
    size_t own; /* from the first marker's cell to its own */
    struct pyb_window window;
    /* Reached objects whose references wait, and those of them whose bodies
       are being fetched. */
    PyObject *opened[QUEUE_SIZE];
    unsigned n_opened; /* it only grows until the queue is emptied */
    PyObject **stack;
    size_t depth;
    int overflow; /* some object is pending */
    /* Visits that wait for a cell to be fetched. */
    unsigned tail, n_seen; /* tail only grows */
    struct sight seen[QUEUE_SIZE];
    uint32_t *counted[QUEUE_SIZE];
} __attribute__((aligned(64)));

static struct marker markers[PYB_MARKERS];

/* What the markers of a pass share. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* there is something in the pool, or the end */
    int n;                  /* markers that may take part */
    int resuming;           /* from what is pending, in place of the roots */
    struct pyb_walk rest;   /* candidates that nobody has taken yet */
    PyObject *pool[POOL_SIZE];
    size_t n_pool;
    int active, idle, done;
} work = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .changed = PTHREAD_COND_INITIALIZER};

int
pyb_marking_init(void)
{
    const size_t bytes = PYB_STACK_SIZE * sizeof(PyObject *);

    for (int i = 0; i < PYB_MARKERS; i++) {
        void *memory =
            mmap(NULL, bytes + PYB_STACK_GUARD, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (memory == MAP_FAILED)
            return -1;
        /* An object too many meets no memory, in place of somebody's. */
        (void)mprotect((char *)memory + bytes, PYB_STACK_GUARD, PROT_NONE);
        markers[i].stack = memory;
        markers[i].window = PYB_WINDOW_NOWHERE;
        markers[i].own = (size_t)i * PYB_REGION_CELLS;
    }
    return 0;
}

PyObject **
pyb_marking_stack(void)
{
    return markers[0].stack;
}

void
pyb_marking_close_windows(void)
{
    for (int i = 0; i < PYB_MARKERS; i++)
        markers[i].window = PYB_WINDOW_NOWHERE;
}

/* Clean pages in place of those that were used cost nothing. */
void
pyb_marking_forget(void)
{
    for (int i = 0; i < PYB_MARKERS && markers[i].stack != NULL; i++) {
        struct marker *m = &markers[i];

        (void)madvise(m->stack, PYB_STACK_SIZE * sizeof(PyObject *),
                      MADV_DONTNEED);
        memset(m->opened, 0, sizeof m->opened);
        memset(m->seen, 0, sizeof m->seen);
    }
    memset(work.pool, 0, sizeof work.pool);
}

/* ------------------------------------------------------------------ */
/* Candidates, a piece at a time                                       */

static int
take_piece(struct pyb_walk *piece)
{
    int more;

    pthread_mutex_lock(&work.lock);
    more = pyb_walk_split(&work.rest, piece);
    pthread_mutex_unlock(&work.lock);
    return more;
}

/* Has the markers do the job; returns how many took part. */
static int
run(void (*job)(int number, void *arg), struct pyb_walk candidates, int n)
{
    work.rest = candidates;
    work.n = n;
    work.active = work.done = 0;
    n = pyb_crew_run(n, job, NULL);
    work.idle = 0; /* whom pyb_marking_revive would leave something to do */
    return n;
}

/* ------------------------------------------------------------------ */
/* Step 1: count                                                       */

/* A cell that is not near comes out of the queue when it has gone round. */
static int
visit_count(PyObject *op, void *arg)
{
    struct marker *m = arg;
    uint32_t *cell = pyb_window_cell(&m->window, op);

    if (_PyB_LIKELY(cell != NULL)) {
        cell[m->own] -= PYB_CELL_ONE;
        return 0;
    }
    struct pyb_region *region = pyb_region_of(op);
    if (_PyB_UNLIKELY(region == NULL))
        return 0;
    uint32_t **place = &m->counted[m->tail++ % QUEUE_SIZE];

    cell = pyb_region_cell(region, op) + m->own;
    __builtin_prefetch(cell, 1);
    **place -= PYB_CELL_ONE;
    *place = cell;
    return 0;
}

static void
count_piece(struct marker *m, struct pyb_walk piece)
{
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&piece, &group)) {
        pyb_window_move(&m->window, pyb_group_first(&group));
        while ((op = pyb_group_take(&group)) != NULL) {
            pyb_group_cell(&group, op)[m->own] += pyb_cell_begin(op);
            Py_TYPE(op)->tp_traverse(op, visit_count, m);
        }
    }
}

static void
count_job(int number, void *Py_UNUSED(arg))
{
    struct marker *m = &markers[number];
    struct pyb_walk piece;
    uint32_t nobody = 0;

    for (int i = 0; i < QUEUE_SIZE; i++)
        m->counted[i] = &nobody;
    while (take_piece(&piece))
        count_piece(m, piece);
    for (int i = 0; i < QUEUE_SIZE; i++)
        *m->counted[i] -= PYB_CELL_ONE;
}

/* Has the first marker's cells say what n markers have counted. */
static void
join(struct pyb_walk walk, int n)
{
    struct pyb_group group;

    while (n > 1 && pyb_walk_next(&walk, &group))
        pyb_cells_join(group.cells, n);
}

/* Post-condition: the number of each candidate is that of the references to it
   that no candidate's tp_traverse has shown. */
void
pyb_marking_count(struct pyb_walk candidates, int n)
{
    join(candidates, run(count_job, candidates, n));
}

/* ------------------------------------------------------------------ */
/* Step 2: reach                                                       */

/* All markers write to the same cells here: REACHED and PENDING are all that
   changes in one.  Whoever stores REACHED follows the object, or leaves it
   pending.  Two may do so at the same time, and one store undo the other's
   PENDING; but then that one follows the object.  So no atomic exchange is
   needed, only a load and a store; an object that is followed twice does no
   harm. */

/* A candidate that somebody visits is reached. */
static inline void
mark(struct marker *m, struct sight sight)
{
    uint32_t cell = pyb_cell_load(sight.cell);

    if (!pyb_cell_is_unreached(cell))
        return;
    cell |= PYB_CELL_REACHED;
    if (_PyB_LIKELY(m->depth < PYB_STACK_SIZE)) {
        m->stack[m->depth++] = sight.op;
    } else {
        cell |= PYB_CELL_PENDING;
        m->overflow = 1;
    }
    pyb_cell_store(sight.cell, cell);
}

/* A visit waits until its cell is there, unless that is near. */
static int
visit_reach(PyObject *op, void *arg)
{
    struct marker *m = arg;
    struct sight sight = {op, pyb_window_cell(&m->window, op)};

    if (_PyB_LIKELY(sight.cell != NULL)) {
        mark(m, sight);
        return 0;
    }
    struct pyb_region *region = pyb_region_of(op);
    if (_PyB_UNLIKELY(region == NULL))
        return 0;
    struct sight *place = &m->seen[m->tail++ % QUEUE_SIZE];
    struct sight oldest = *place;

    sight.cell = pyb_region_cell(region, op);
    __builtin_prefetch(sight.cell, 1);
    *place = sight;
    if (_PyB_LIKELY(m->n_seen == QUEUE_SIZE))
        mark(m, oldest);
    else
        m->n_seen++;
    return 0;
}

/* With the lock held; others look without it. */
static void
pool_resize(size_t n)
{
    __atomic_store_n(&work.n_pool, n, __ATOMIC_RELAXED);
}

/* Gives the older half of the stack to those who have nothing to do. */
static void
give(struct marker *m)
{
    pthread_mutex_lock(&work.lock);
    size_t n = Py_MIN(m->depth / 2, POOL_SIZE - work.n_pool);

    memcpy(work.pool + work.n_pool, m->stack, n * sizeof *m->stack);
    pool_resize(work.n_pool + n);
    m->depth -= n;
    memmove(m->stack, m->stack + n, m->depth * sizeof *m->stack);
    pthread_cond_broadcast(&work.changed);
    pthread_mutex_unlock(&work.lock);
}

/* For something that nobody has given yet. */
static inline int
somebody_waits(void)
{
    return __atomic_load_n(&work.idle, __ATOMIC_RELAXED) > 0 &&
           __atomic_load_n(&work.n_pool, __ATOMIC_RELAXED) == 0;
}

/* Has the body of an object fetched, and returns one that has been on its way
   for a while, or NULL. */
static inline PyObject *
fetch(struct marker *m, PyObject *op)
{
    PyObject **place = &m->opened[m->n_opened++ % QUEUE_SIZE];
    PyObject *oldest = *place;

    __builtin_prefetch(op);
    *place = op;
    return oldest;
}

static inline void
open(struct marker *m, PyObject *op)
{
    pyb_window_move(&m->window, op);
    Py_TYPE(op)->tp_traverse(op, visit_reach, m);
    if (_PyB_UNLIKELY(m->depth >= SHARE_MIN) && somebody_waits())
        give(m);
}

/* Follows what is on the stack.  Where that is a lot, the last few objects
   stay in the queue; with little under way, a chain for instance, an object
   goes straight to its traversal. */
static void
follow(struct marker *m)
{
    while (m->depth > 0) {
        PyObject *op = m->stack[--m->depth];

        if (m->depth < LITTLE || (op = fetch(m, op)) != NULL)
            open(m, op);
    }
}

/* Follows what is in the queue of bodies. */
static void
follow_opened(struct marker *m)
{
    m->n_opened = 0;
    for (int i = 0; i < QUEUE_SIZE; i++) {
        PyObject *op = m->opened[i];

        m->opened[i] = NULL;
        if (op != NULL)
            open(m, op);
    }
}

/* Follows all that is under way.  Post-condition: queues and stack are empty.
 */
static void
drain(struct marker *m)
{
    for (;;) {
        follow(m);
        if (m->n_opened > 0)
            follow_opened(m);
        else if (m->n_seen > 0)
            mark(m, m->seen[(m->tail - m->n_seen--) % QUEUE_SIZE]);
        else
            return;
    }
}

/* Takes what was pending up again. */
static inline void
resume(struct marker *m, PyObject *op, uint32_t *cell)
{
    pyb_cell_store(cell, *cell & ~(uint32_t)PYB_CELL_PENDING);
    m->stack[m->depth++] = op;
    follow(m);
}

static void
reach_piece(struct marker *m, struct pyb_walk piece)
{
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&piece, &group))
        if (work.n > 1 || pyb_cells_root(group.cells))
            while ((op = pyb_group_take(&group)) != NULL) {
                uint32_t *cell = pyb_group_cell(&group, op);

                if (!pyb_cell_is_root(pyb_cell_load(cell)))
                    continue;
                mark(m, (struct sight){op, cell});
                follow(m);
            }
}

static void
resume_piece(struct marker *m, struct pyb_walk piece)
{
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&piece, &group))
        while ((op = pyb_group_take(&group)) != NULL) {
            uint32_t *cell = pyb_group_cell(&group, op);

            if (pyb_cell_load(cell) & PYB_CELL_PENDING)
                resume(m, op, cell);
        }
}

/* Waits until there is something in the pool, and takes some of it.  0 when
   nobody has anything left. */
static int
take_some(struct marker *m)
{
    size_t n = 0;

    pthread_mutex_lock(&work.lock);
    __atomic_store_n(&work.idle, work.idle + 1, __ATOMIC_RELAXED);
    while (work.n_pool == 0 && !work.done) {
        if (work.idle == work.active) {
            work.done = 1;
            pthread_cond_broadcast(&work.changed);
        } else {
            pthread_cond_wait(&work.changed, &work.lock);
        }
    }
    if (!work.done) {
        n = Py_MIN(work.n_pool, TAKE_MAX);
        pool_resize(work.n_pool - n);
        memcpy(m->stack, work.pool + work.n_pool, n * sizeof *m->stack);
        m->depth = n;
        __atomic_store_n(&work.idle, work.idle - 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&work.lock);
    return n > 0;
}

/* 0 where the pass is over already. */
static int
enter(void)
{
    int late;

    pthread_mutex_lock(&work.lock);
    late = work.done;
    work.active += !late;
    pthread_mutex_unlock(&work.lock);
    return !late;
}

static void
reach_job(int number, void *Py_UNUSED(arg))
{
    struct marker *m = &markers[number];
    struct pyb_walk piece;

    if (!enter())
        return;
    while (take_piece(&piece))
        if (work.resuming)
            resume_piece(m, piece);
        else
            reach_piece(m, piece);
    do
        drain(m);
    while (work.n > 1 && take_some(m));
}

/* Is some object pending?  No longer, as far as the markers remember. */
static int
take_overflow(void)
{
    int overflow = 0;

    for (int i = 0; i < PYB_MARKERS; i++) {
        overflow |= markers[i].overflow;
        markers[i].overflow = 0;
    }
    return overflow;
}

static void
resume_pending(struct pyb_walk candidates, int n)
{
    work.resuming = 1;
    while (take_overflow())
        run(reach_job, candidates, n);
    work.resuming = 0;
}

/* Post-condition: of the candidates that are owned from outside, or that such
   a one reaches, each is a root or marked. */
void
pyb_marking_reach(struct pyb_walk candidates, int n)
{
    run(reach_job, candidates, n);
    resume_pending(candidates, n);
}

void
pyb_marking_revive(PyObject *op, struct pyb_walk candidates)
{
    struct marker *m = &markers[0];

    work.n = 1;
    mark(m, (struct sight){op, pyb_region_cell(pyb_region_of(op), op)});
    drain(m);
    resume_pending(candidates, 1);
}
