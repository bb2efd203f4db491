/* plain.c: threads of Boehm's that allocate, and hold adopted items in what
   they allocate; see crowd.h. */

#include "crowd.h"

#include <unistd.h>

/* A list in Boehm's heap. */
struct block {
    struct block *next;
    void *item; /* adopted, or NULL */
    uintptr_t filled[6];
};

BOEHMS_MEMORY static struct block *
block_new(struct block *next, void *item)
{
    struct block *block = GC_MALLOC(sizeof *block);

    must(block != NULL && block->next == NULL);
    block->next = next;
    block->item = item;
    for (int i = 0; i < 6; i++)
        block->filled[i] = ~(uintptr_t)block;
    return block;
}

/* It may be called in an attached thread, in the middle of a collection. */
static void GC_CALLBACK
detach(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    if (PyGILState_Check())
        life_let_others_in();
}

static void
make_finalizer(struct life *life)
{
    void *block = life_chance(life, 2) ? GC_MALLOC_ATOMIC(16) : GC_MALLOC(16);

    GC_REGISTER_FINALIZER_NO_ORDER(block, detach, NULL, NULL, NULL);
}

BOEHMS_MEMORY static void
blocks_check(const struct block *block)
{
    for (; block != NULL; block = block->next) {
        must(block->item == NULL || item_is_alive(block->item));
        for (int i = 0; i < 6; i++)
            must(block->filled[i] == ~(uintptr_t)block);
    }
}

static void
fork_plain(void)
{
    pid_t child = fork();

    must(child >= 0);
    if (child == 0) {
        for (int i = 0; i < 1000; i++)
            (void)GC_MALLOC(64);
        _exit(0);
    }
    life_wait_for_child(child);
}

void *
life_plain(void *arg)
{
    struct life *life = arg;
    struct block *blocks = NULL;
    int length = 0;

    for (; life->deeds > 0; life->deeds--) {
        unsigned deed = life_chance(life, 400);

        blocks = block_new(blocks, slot_load(life_chance(life, SLOTS)));
        length++;
        if (deed < 20)
            slot_store(life_chance(life, SLOTS), NULL);
        if (deed < 4)
            make_finalizer(life);
        if (deed == 20)
            GC_gcollect();
        if (deed == 21 && crowd_forks && life_chance(life, 20) == 0)
            fork_plain();
        if (deed >= 22 && deed < 30)
            GC_set_finalize_on_demand(deed == 22);
        if (deed > 390 || length > 100) {
            blocks_check(blocks);
            blocks = NULL;
            length = 0;
        }
    }
    blocks_check(blocks);
    life_end(life);
    return NULL;
}
