/* sentinel.c: the block by whose finalizer Boehm calls the library.  See
   boehm.h for what the collector calls, sentinel.h for what the hooks do. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/boehm/sentinel.h"

/* The block's address is hidden from Boehm, which would scan it here. */
static struct {
    AO_t hidden; /* the complement of the address; 0: there is none, or its
                    finalizer has been called */
    AO_t queued; /* its finalizer is going to be called */
    AO_t number; /* of the sentinel that is wanted; 0: none is */
    AO_t n;      /* sentinels, ever */
} sentinel;

int
pyb_sentinel_is(const void *block)
{
    return AO_load(&sentinel.hidden) == ~(AO_t)block;
}

void
pyb_sentinel_note_queued(void)
{
    PYB_ASSERT(AO_load(&sentinel.hidden) != 0);
    AO_store(&sentinel.queued, 1);
}

/* A stale word on some stack may have marked the sentinel.  Nothing refers to
   it, so the mark can go, and Boehm queues its finalizer.  From then on Boehm
   keeps it. */
void
pyb_sentinel_unmark(void)
{
    AO_t hidden = AO_load(&sentinel.hidden);

    PYB_ASSERT(pyb_boehm.marked);
    if (hidden != 0 && !AO_load(&sentinel.queued))
        GC_clear_mark_bit((void *)~hidden);
}

/* The number says whether this one is still wanted. */
static void GC_CALLBACK
finalize_sentinel(void *block, void *number)
{
    PYB_ASSERT((AO_t)number != 0 && (AO_t)number <= AO_load(&sentinel.n));
    if (pyb_sentinel_is(block))
        AO_store(&sentinel.hidden, 0);
    if (AO_load(&sentinel.number) == (AO_t)number)
        pyb_boehm.client->found();
}

/* While another thread collects the block is on this one's stack. */
int
pyb_boehm_set_sentinel(void)
{
    AO_t number = ++sentinel.n;
    GC_finalization_proc old = finalize_sentinel;
    void *old_data, *block = pyb_boehm_new_token();

    PYB_ASSERT(AO_load(&sentinel.number) == 0); /* one at a time */
    if (block == NULL)
        return -1;
    AO_store(&sentinel.queued, 0);
    AO_store(&sentinel.number, number);
    /* Boehm reports its lack of memory through the old finalizer: it leaves
       the variable alone then; so it does where it looks for leaks. */
    GC_REGISTER_FINALIZER(block, finalize_sentinel, (void *)number, &old,
                          &old_data);
    if (old == finalize_sentinel) {
        AO_store(&sentinel.number, 0);
        GC_FREE(block);
        return -1;
    }
    AO_store(&sentinel.hidden, ~(AO_t)block);
    return 0;
}

/* If Boehm has queued it this only has the finalizer do nothing. */
void
pyb_boehm_drop_sentinel(void)
{
    AO_t hidden = AO_load(&sentinel.hidden);
    GC_finalization_proc old;
    void *old_data;

    PYB_ASSERT(AO_load(&sentinel.number) == sentinel.n);
    AO_store(&sentinel.number, 0);
    AO_store(&sentinel.hidden, 0);
    if (hidden != 0)
        GC_REGISTER_FINALIZER((void *)~hidden, 0, 0, &old, &old_data);
}
