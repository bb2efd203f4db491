/* reserve.c: what a query needs, taken while there is memory.  See reserve.h.

   Only we know of these blocks: in the collections whose end of mark we see
   they get their mark bits.  What another one may have swept is none any
   more.  Boehm's lock guards them, but for a look. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/boehm/boehm.h"
#include "gc/boehm/reserve.h"

static struct {
    void *blocks[PYB_RESERVES];
    unsigned long collection; /* Boehm's last one that left them alone */
} reserve;

int
pyb_reserve_has(enum pyb_reserved which)
{
    PYB_ASSERT(which < PYB_RESERVES);
    return reserve.blocks[which] != NULL;
}

static void
forget_all(void)
{
    memset(reserve.blocks, 0, sizeof reserve.blocks);
}

struct exchange {
    enum pyb_reserved which;
    void *block;
};

/* Not while another thread collects. */
static void *GC_CALLBACK
take_out(void *arg)
{
    const struct exchange *wanted = arg;
    void *block = reserve.blocks[wanted->which];

    reserve.blocks[wanted->which] = NULL;
    return pyb_boehm_collections() == reserve.collection ? block : NULL;
}

void *
pyb_reserve_take(enum pyb_reserved which)
{
    struct exchange wanted = {which, NULL};

    PYB_ASSERT(which < PYB_RESERVES);
    return GC_call_with_alloc_lock(take_out, &wanted);
}

static void *GC_CALLBACK
put_in(void *arg)
{
    const struct exchange *wanted = arg;

    if (pyb_boehm_collections() != reserve.collection)
        forget_all();
    reserve.collection = pyb_boehm_collections();
    reserve.blocks[wanted->which] = wanted->block;
    return NULL;
}

void
pyb_reserve_keep(enum pyb_reserved which, void *block)
{
    struct exchange wanted = {which, block};

    PYB_ASSERT(which < PYB_RESERVES);
    GC_call_with_alloc_lock(put_in, &wanted);
}

void
pyb_reserve_return_final(void *final)
{
    PYB_ASSERT(final != NULL);
    if (reserve.blocks[PYB_RESERVED_FINAL] == NULL)
        reserve.blocks[PYB_RESERVED_FINAL] = final;
}

/* The end of a mark is when Boehm counts a collection. */
void
pyb_reserve_mark(int token_too)
{
    void *token = reserve.blocks[PYB_RESERVED_TOKEN];

    if (pyb_boehm_collections() != reserve.collection + 1) {
        forget_all();
        return;
    }
    if (reserve.blocks[PYB_RESERVED_FINAL] != NULL)
        GC_set_mark_bit(reserve.blocks[PYB_RESERVED_FINAL]);
    if (token != NULL && token_too)
        GC_set_mark_bit(token);
}

void
pyb_reserve_collection_ended(void)
{
    reserve.collection = pyb_boehm_collections();
}

static void *GC_CALLBACK
cancel(void *final)
{
    if (reserve.blocks[PYB_RESERVED_FINAL] == final)
        reserve.blocks[PYB_RESERVED_FINAL] = NULL;
    return NULL;
}

void
pyb_reserve_cancel_final(void *final)
{
    GC_call_with_alloc_lock(cancel, final);
}
