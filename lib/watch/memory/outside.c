/* outside.c: the places in memory that have an object's address.  See
   outside.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/boehm/boehm.h"
#include "gc/check/inspect.h"
#include "gc/heap/heap.h"
#include "object/attr/instancedict.h"
#include "object/type/statictypes.h"
#include "object/type/subclasses.h"
#include "watch/memory/blocks.h"
#include "watch/memory/memory.h"
#include "watch/memory/outside.h"
#include "watch/memory/stacks.h"
#include "watch/memory/symbol.h"
#include "watch/rows.h"
#include "watch/why/edges.h"

/* A word that is the address of one of the objects. */
struct hit {
    uintptr_t address;
    size_t target;
};

struct search {
    const struct pyb_census *census;
    PyObject *const *objects;
    size_t n;
    uintptr_t low, high; /* the least and the greatest address of an object */
    struct hit *hits;
    size_t n_hits, room;
    int no_memory;
    struct pyb_blocks blocks;
    struct pyb_stacks stacks;
    struct pyb_places *places;
};

/* ------------------------------------------------------------------ */
/* Searching all memory                                                */

static void
add_hit(struct search *search, uintptr_t address, size_t target)
{
    struct hit *more = pyb_rows_grow(search->hits, search->n_hits,
                                     &search->room, sizeof *more);

    if (more == NULL) {
        search->no_memory = 1;
        return;
    }
    search->hits = more;
    more[search->n_hits++] = (struct hit){address, target};
}

static void
look(uintptr_t address, const uintptr_t *words, size_t n, void *arg)
{
    struct search *search = arg;

    for (size_t i = 0; i < n; i++) {
        if (words[i] < search->low || words[i] > search->high ||
            pyb_memory_is_boehms(address + i * sizeof *words, words[i]))
            continue;
        for (size_t target = 0; target < search->n; target++)
            if (words[i] == (uintptr_t)search->objects[target])
                add_hit(search, address + i * sizeof *words, target);
    }
}

static void
set_range(struct search *search)
{
    search->low = UINTPTR_MAX;
    for (size_t i = 0; i < search->n; i++) {
        uintptr_t address = (uintptr_t)search->objects[i];

        search->low = Py_MIN(search->low, address);
        search->high = Py_MAX(search->high, address);
    }
}

/* ------------------------------------------------------------------ */
/* Judging words                                                       */

static int
note_visit(PyObject *child, void *op)
{
    return child == op;
}

static int
visits(PyObject *owner, PyObject *op)
{
    traverseproc traverse = Py_TYPE(owner)->tp_traverse;

    return traverse != NULL && traverse(owner, note_visit, op) != 0;
}

/* A type does not own its subclasses. */
static int
is_subclass(const struct search *search, const struct pyb_place *place)
{
    PyObject *op = search->objects[place->target];
    PyObject *bases = PyType_Check(op) ? ((PyTypeObject *)op)->tp_bases : NULL;

    for (Py_ssize_t i = 0; bases != NULL && i < PyTuple_GET_SIZE(bases); i++)
        if (pyb_subclasses_has_place(
                (PyTypeObject *)PyTuple_GET_ITEM(bases, i), place->address))
            return 1;
    return 0;
}

/* Judges a place in Boehm's heap; returns 0 if it is left out. */
static int
judge_block(struct search *search, void *base, struct pyb_place *place)
{
    struct pyb_node *node = pyb_census_find(search->census, base);

    place->offset = place->address - (uintptr_t)base;
    place->size = pyb_boehm_size(base);
    PYB_ASSERT(place->offset < place->size);
    if (node == NULL) {
        place->kind = PYB_PLACE_HOST;
        return !pyb_sidetable_holds(base);
    }
    place->kind = PYB_PLACE_OBJECT;
    place->owner = node->op;
    return place->offset >= sizeof(PyObject) &&
           !visits(node->op, search->objects[place->target]);
}

/* Are so many bytes what malloc gives for an object of the type, with a
   redzone perhaps? */
static int
fits(const PyTypeObject *type, size_t bytes)
{
    enum { ROUNDED = 64 };

    return type->tp_itemsize != 0 ||
           bytes - (size_t)type->tp_basicsize < ROUNDED;
}

/* Is a block of malloc's an object of the program's, which is no container?  A
   structure with a type behind its first word looks like one, unless that word
   refers to a container and so is no count, or the block has another size. */
static int
is_plain_object(const struct search *search, const PyObject *op, size_t bytes)
{
    return pyb_inspect_is_live(op) && Py_TYPE(op) != NULL &&
           !PyType_IS_GC(Py_TYPE(op)) && !pyb_statictypes_has(Py_TYPE(op)) &&
           fits(Py_TYPE(op), bytes) &&
           pyb_census_find(search->census, (void *)op->ob_refcnt) == NULL;
}

/* Judges a place in malloc's heap; returns 0 if it is left out. */
static int
judge_malloc(const struct search *search, ptrdiff_t block,
             struct pyb_place *place)
{
    uintptr_t begin = pyb_blocks_begin(&search->blocks, (size_t)block);
    PyObject *op = (PyObject *)begin;

    place->kind = PYB_PLACE_MALLOC;
    place->offset = place->address - begin;
    place->size = pyb_blocks_end_of(&search->blocks, (size_t)block) - begin +
                  sizeof(uintptr_t);
    PYB_ASSERT(place->offset < place->size);
    if (!search->blocks.all[block].used)
        return 0;
    if (place->offset > 0 && is_plain_object(search, op, place->size)) {
        place->kind = PYB_PLACE_OBJECT;
        place->owner = op;
    }
    return 1;
}

static int
judge_rest(const struct search *search, struct pyb_place *place)
{
    const struct pyb_stack *stack =
        pyb_stacks_find(&search->stacks, place->address);

    if (stack != NULL) {
        place->kind = PYB_PLACE_STACK;
        place->thread = stack->mine ? 0 : stack->thread;
        return place->address >= stack->top;
    }
    place->kind = pyb_symbol_is_loaded(place->address) ? PYB_PLACE_DATA
                                                       : PYB_PLACE_OTHER;
    return 1;
}

/* Returns 1 if the place is reported. */
static int
judge(struct search *search, struct pyb_place *place)
{
    const struct pyb_census *census = search->census;
    uintptr_t nodes = (uintptr_t)census->nodes;
    void *base;
    ptrdiff_t block;

    if (place->address - nodes < census->n * sizeof *census->nodes ||
        is_subclass(search, place))
        return 0;
    base = pyb_boehm_base((void *)place->address);
    if (base != NULL)
        return judge_block(search, base, place);
    block = pyb_blocks_find(&search->blocks, place->address);
    return block >= 0 ? judge_malloc(search, block, place)
                      : judge_rest(search, place);
}

/* ------------------------------------------------------------------ */
/* Owners of malloc memory                                             */

/* The first place at or behind an address; places are sorted by address
   here. */
static size_t
first_from(const struct pyb_places *places, uintptr_t address)
{
    size_t low = 0, high = places->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (places->all[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Are the places in the order in which memory was read? */
static int
check_places(const struct pyb_places *places)
{
    for (size_t i = 1; i < places->n; i++)
        PYB_ASSERT(places->all[i - 1].address <= places->all[i].address);
    return 1;
}

/* Enters the owner of each place in a malloc block. */
static void
claim_block(struct search *search, PyObject *owner, uintptr_t begin,
            size_t size)
{
    struct pyb_places *places = search->places;

    for (size_t i = first_from(places, begin);
         i < places->n && places->all[i].address - begin < size; i++) {
        struct pyb_place *place = &places->all[i];

        if (place->owner != NULL || (place->kind != PYB_PLACE_MALLOC &&
                                     place->kind != PYB_PLACE_OTHER))
            continue;
        place->kind = PYB_PLACE_MALLOC;
        place->owner = owner;
        place->offset = place->address - begin;
        place->size = size;
    }
}

/* Enters the owner of the places in the block that a word points to.  Blocks
   outside of the first heap, for which there is no list, are looked for only
   if a place of unknown kind follows the address. */
static void
claim(struct search *search, PyObject *owner, uintptr_t word)
{
    const struct pyb_places *places = search->places;
    const struct pyb_blocks *blocks = &search->blocks;
    ptrdiff_t block = pyb_blocks_find(blocks, word);
    size_t next;

    if (block >= 0) {
        uintptr_t begin = pyb_blocks_begin(blocks, (size_t)block);

        claim_block(search, owner, begin,
                    pyb_blocks_end_of(blocks, (size_t)block) - begin +
                        sizeof word);
    } else if (word != 0 && !pyb_sidetable_holds((void *)word) &&
               (next = first_from(places, word)) < places->n &&
               places->all[next].kind == PYB_PLACE_OTHER) {
        claim_block(search, owner, word, pyb_blocks_alone(blocks, word));
    }
}

static void
claim_words(struct search *search, PyObject *owner, PyObject *body)
{
    enum { HEAD = sizeof(PyObject) / sizeof(uintptr_t) };
    const uintptr_t *word = (const uintptr_t *)(const void *)body;
    size_t n = pyb_heap_block_size(body) / sizeof *word;

    for (size_t i = HEAD; i < n; i++)
        claim(search, owner, word[i]);
}

static void
claim_all(struct search *search)
{
    for (size_t i = 0; i < search->census->n; i++) {
        PyObject *op = search->census->nodes[i].op;
        PyObject *dict = pyb_edge_dict(op);

        claim_words(search, op, op);
        if (dict != NULL && pyb_instancedict_is_unseen(dict))
            claim_words(search, op, dict);
    }
}

/* Does pyboehm's own code visit what lies in the object's malloc memory?  Then
   it visits all that it owns there, and the rest is out of use. */
static int
is_own_container(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    while (type != NULL && !pyb_statictypes_has(type))
        type = type->tp_base;
    return type != NULL && type != &PyBaseObject_Type;
}

/* Has the object nothing in malloc memory but items?  Then it visits all that
   are containers, and other words are what items have left. */
static int
has_only_items(PyObject *op)
{
    return PyList_CheckExact(op) || PyAnyDict_CheckExact(op) ||
           PyAnySet_CheckExact(op);
}

static size_t
count_words(PyObject *owner, const PyObject *op)
{
    void *const *word = (void *const *)(void *)(owner + 1);
    void *const *end =
        (void *const *)(void *)((char *)owner + pyb_heap_block_size(owner));
    size_t n = 0;

    for (; word < end; word++)
        n += *word == op;
    return n;
}

/* Of one owner's words in malloc memory with the address of one object. */
struct share {
    PyObject *owner;
    size_t target;
    int visited;      /* the owner visits the object */
    size_t accounted; /* so many are accounted for by visits, behind those in
                         the owner's body */
};

static struct share
share_of(const struct search *search, const struct pyb_place *place)
{
    PyObject *owner = place->owner, *op = search->objects[place->target];
    struct share share = {owner, place->target, visits(owner, op), 0};
    size_t n;

    if (share.visited ? is_own_container(owner)
                      : PyObject_IS_GC(op) && has_only_items(owner)) {
        share.accounted = SIZE_MAX;
    } else if (share.visited) {
        n = pyb_census_visits(owner, op);
        share.accounted = n - Py_MIN(n, count_words(owner, op));
    }
    return share;
}

/* Drops places in malloc memory, as many as their owner's visits account for.
   Those of one owner and object mostly follow one another. */
static void
drop_visited(struct search *search)
{
    struct pyb_places *places = search->places;
    struct share share = {.owner = NULL};
    size_t n = 0;

    for (size_t i = 0; i < places->n; i++) {
        struct pyb_place place = places->all[i];

        if (place.kind == PYB_PLACE_MALLOC && place.owner != NULL) {
            if (place.owner != share.owner || place.target != share.target)
                share = share_of(search, &place);
            if (share.accounted > 0) {
                share.accounted--;
                continue;
            }
            place.visited = share.visited;
        }
        places->all[n++] = place;
    }
    places->n = n;
}

/* ------------------------------------------------------------------ */

static int
compare(const void *one, const void *other)
{
    const struct pyb_place *a = one, *b = other;

    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

static int
judge_hits(struct search *search)
{
    struct pyb_places *places = search->places;

    places->all = calloc(search->n_hits + 1, sizeof *places->all);
    if (places->all == NULL)
        return -1;
    for (size_t i = 0; i < search->n_hits; i++) {
        struct pyb_place place = {.address = search->hits[i].address,
                                  .target = search->hits[i].target};

        if (judge(search, &place))
            places->all[places->n++] = place;
    }
    return 0;
}

int
pyb_outside_find(const struct pyb_census *census, PyObject *const *objects,
                 size_t n, uintptr_t ground, struct pyb_places *places)
{
    struct search search = {
        .census = census, .objects = objects, .n = n, .places = places};
    int result = -1;

    *places = (struct pyb_places){0, NULL, 0};
    set_range(&search);
    pyb_stacks_take(&search.stacks, ground);
    if (pyb_blocks_take(&search.blocks) == 0) {
        places->unknown = pyb_memory_each(ground, look, &search) < 0;
        if (!search.no_memory)
            result = judge_hits(&search);
    }
    if (result == 0 && places->n > 0) {
        PYB_EXPENSIVE(check_places(places));
        claim_all(&search);
        drop_visited(&search);
        qsort(places->all, places->n, sizeof *places->all, compare);
    }
    free(search.hits);
    pyb_blocks_end(&search.blocks);
    if (result < 0)
        pyb_upcalls.no_memory();
    return result;
}

void
pyb_outside_free(struct pyb_places *places)
{
    free(places->all);
    places->all = NULL;
    places->n = 0;
}
