/* evidence.c: who has whose address.  See evidence.h.

   All memory is read once.  Bodies are part of it, so what stands in them is
   taken off again, and so is what stands in blocks that are parts of
   containers. */

#include "Python.h"

#include <stdlib.h>
#include <string.h>

#include "gc/boehm.h"
#include "gc/heap.h"
#include "gc/inspect.h"
#include "gc/upcalls.h"
#include "gc/walk.h"
#include "object/instancedict.h"
#include "object/lifecycle.h"
#include "object/subclasses.h"
#include "watch/evidence.h"
#include "watch/mapped.h"
#include "watch/memory.h"
#include "watch/plainfind.h"

/* Larger blocks are taken for arrays: what stands where says nothing. */
enum { STRUCTURE_WORDS = 9 };

/* Tags in the low bits do not hide an address. */
#define UNTAGGED(word) ((word) & ~(uintptr_t)(PYB_GRANULE_BYTES - 1))

/* ------------------------------------------------------------------ */
/* Who points to a block                                               */

static void
note_holder(struct pyb_holder *holder, int by_body, uint32_t from,
            uint32_t offset)
{
    if (holder->kind == PYB_UNHELD) {
        holder->kind = by_body ? PYB_BY_BODY : PYB_BY_BLOCK;
        holder->from = from;
        holder->offset = offset;
    }
    if ((holder->kind == PYB_BY_BODY) == by_body && holder->from == from)
        holder->n++;
    else
        holder->kind = PYB_BY_SEVERAL;
}

/* The container that a block is a part of, as it turns out; offset is where
   the way to it begins.  An object is nobody's part: it has what it owns
   itself. */
static uint32_t
trace_owner(const struct pyb_evidence *evidence, uint32_t block,
            uint32_t *offset)
{
    enum { STEPS = 1000 };

    for (int i = 0; i < STEPS; i++) {
        const struct pyb_holder *holder = &evidence->holders[block];

        if (holder->kind == PYB_BY_SEVERAL || holder->kind == PYB_UNHELD ||
            holder->n != holder->total || !evidence->blocks.all[block].used ||
            pyb_inspect_is_object(
                (const void *)pyb_blocks_begin(&evidence->blocks, block)))
            return PYB_NOBODY;
        if (holder->kind == PYB_BY_BODY) {
            *offset = holder->offset;
            return holder->from;
        }
        block = holder->from;
    }
    return PYB_NOBODY;
}

/* ------------------------------------------------------------------ */
/* Words of containers                                                 */

struct search {
    const struct pyb_evidence *evidence;
    struct pyb_word word;
    void (*look)(const struct pyb_word *word, void *arg);
    void *arg;
    uintptr_t structure; /* where the block begins; 0 of an array */
};

static void
search_word(struct search *search, uintptr_t word)
{
    search->word.to = pyb_evidence_number(search->evidence, UNTAGGED(word));
    if (search->word.to != PYB_NOBODY)
        search->look(&search->word, search->arg);
}

static void
search_block(uintptr_t address, const uintptr_t *words, size_t n, void *arg)
{
    struct search *search = arg;

    for (size_t i = 0; i < n; i++) {
        search->word.inner =
            search->structure != 0
                ? (uint32_t)(address + i * sizeof *words - search->structure)
                : 0;
        search_word(search, words[i]);
    }
}

/* A body's words, but for its count. */
static uint32_t
body_words(const PyObject *op)
{
    return (uint32_t)(pyb_heap_block_size(op) / sizeof(uintptr_t));
}

static uintptr_t
body_word(const PyObject *op, uint32_t i)
{
    uintptr_t word;

    memcpy(&word, (const char *)op + i * sizeof word, sizeof word);
    return word;
}

static void
search_container(struct search *search, const PyObject *op)
{
    const struct pyb_evidence *evidence = search->evidence;
    const void *weaklist =
        (const void *)pyb_upcalls.weakref_list((PyObject *)(uintptr_t)op);
    uint32_t block = evidence->first_block[search->word.from];

    for (uint32_t i = 1; i < body_words(op); i++) {
        search->word.offset = (uint32_t)(i * sizeof(uintptr_t));
        if ((const char *)weaklist != (const char *)op + search->word.offset)
            search_word(search, body_word(op, i));
    }
    search->word.in_block = 1;
    for (; block != PYB_NOBODY; block = evidence->holders[block].next) {
        search->word.offset = evidence->holders[block].offset;
        if (PyType_Check(op) &&
            search->word.offset == offsetof(PyTypeObject, tp_subclasses))
            continue;
        uintptr_t begin = pyb_blocks_begin(&evidence->blocks, block);
        uintptr_t end =
            pyb_blocks_end_of(&evidence->blocks, block) + sizeof(uintptr_t);

        search->structure =
            end - begin <= STRUCTURE_WORDS * sizeof(uintptr_t) ? begin : 0;
        pyb_memory_part(begin, end, search_block, search);
    }
}

/* Cycles through types and modules are not what such an object makes: both
   live as long as the program, mostly. */
static int
may_be_in_cycle(PyObject *op)
{
    return PyObject_GC_IsTracked(op) && !PyType_Check(op) &&
           !PyModule_Check(op);
}

static void
search_plain(uint32_t offset, uintptr_t word, void *arg)
{
    struct search *search = arg;
    uint32_t to = pyb_evidence_number(search->evidence, UNTAGGED(word));

    search->word.offset = offset;
    if (to != PYB_NOBODY &&
        may_be_in_cycle(search->evidence->census.people[to].op))
        search_word(search, word);
}

void
pyb_evidence_words(const struct pyb_evidence *evidence, uint32_t from,
                   void (*look)(const struct pyb_word *word, void *arg),
                   void *arg)
{
    const PyObject *op = pyb_evidence_owner(evidence, from);
    struct search search = {evidence, {from, 0, 0, 0, 0}, look, arg, 0};

    if (from < evidence->census.n)
        search_container(&search, op);
    else
        pyb_plain_words((PyObject *)(uintptr_t)op, search_plain, &search);
}

/* ------------------------------------------------------------------ */
/* All memory                                                          */

/* The container that an address lies in. */
static uint32_t
number_around(const struct pyb_evidence *evidence, uintptr_t address)
{
    if (pyb_region_of((const void *)address) == NULL)
        return PYB_NOBODY;
    return pyb_evidence_number(
        evidence, (uintptr_t)pyb_boehm_base((const void *)address));
}

/* The same of an address in a body.  Objects point into themselves, and ours
   into others: a descriptor to its type's table.  They own nothing by that. */
static void
count_inside(struct pyb_evidence *evidence, uintptr_t address, uintptr_t word)
{
    uint32_t to = number_around(evidence, word);
    uint32_t from =
        to != PYB_NOBODY ? number_around(evidence, address) : PYB_NOBODY;

    if (to != PYB_NOBODY && from != to &&
        (from == PYB_NOBODY ||
         !pyb_lifecycle_is_ours(Py_TYPE(evidence->census.people[from].op))))
        evidence->inside[to]++;
}

/* A word that stands somewhere.  Where it stands in memory that is free it
   says nothing. */
static void
count_word(struct pyb_evidence *evidence, uintptr_t address, uintptr_t word)
{
    uint32_t to = pyb_evidence_number(evidence, UNTAGGED(word));
    ptrdiff_t target = pyb_blocks_target(&evidence->blocks, word), source;

    if (to == PYB_NOBODY && target < 0) {
        count_inside(evidence, address, word);
        return;
    }
    source = pyb_blocks_find(&evidence->blocks, address);
    if (source >= 0 && !evidence->blocks.all[source].used)
        return;
    if (to != PYB_NOBODY)
        evidence->elsewhere[to]++;
    if (target < 0 || target == source)
        return;
    evidence->holders[target].total++;
    if (source >= 0)
        note_holder(&evidence->holders[target], 0, (uint32_t)source, 0);
}

static void
count_words(uintptr_t address, const uintptr_t *words, size_t n, void *arg)
{
    for (size_t i = 0; i < n; i++)
        if (!pyb_memory_is_boehms(address + i * sizeof *words, words[i]))
            count_word(arg, address + i * sizeof *words, words[i]);
}

/* A body's words are no places elsewhere. */
static void
note_body(struct pyb_evidence *evidence, uint32_t from)
{
    const PyObject *op = evidence->census.people[from].op;

    for (uint32_t i = 0; i < body_words(op); i++) {
        uintptr_t word = body_word(op, i);
        uint32_t to = pyb_evidence_number(evidence, UNTAGGED(word));
        ptrdiff_t block = pyb_blocks_target(&evidence->blocks, word);

        if (to != PYB_NOBODY)
            evidence->elsewhere[to]--;
        if (block >= 0)
            note_holder(&evidence->holders[block], 1, from,
                        (uint32_t)(i * sizeof word));
    }
}

/* A type's list of subclasses owns nothing either; pyb_evidence_words passes
   it over. */
struct relative {
    PyTypeObject *type;
    int32_t *elsewhere; /* of it */
};

static void
know_subclass(PyTypeObject *type, void *arg)
{
    struct relative *relative = arg;

    *relative->elsewhere -= type == relative->type;
}

static void
know_type(struct pyb_evidence *evidence, uint32_t number)
{
    PyTypeObject *type = (PyTypeObject *)evidence->census.people[number].op;
    struct relative relative = {type, &evidence->elsewhere[number]};
    PyObject *bases = type->tp_bases;

    for (Py_ssize_t i = 0; bases != NULL && i < PyTuple_GET_SIZE(bases); i++)
        pyb_subclasses_each((PyTypeObject *)PyTuple_GET_ITEM(bases, i),
                            know_subclass, &relative);
}

static void
take_off(const struct pyb_word *word, void *elsewhere)
{
    if (word->in_block)
        ((int32_t *)elsewhere)[word->to]--;
}

/* Those of an object that is no container stand in a block of malloc's, too.
 */
static void
take_off_all(const struct pyb_word *word, void *elsewhere)
{
    ((int32_t *)elsewhere)[word->to]--;
}

/* The census has all addresses, and is nobody's part: where a block lay whose
   address was left behind somewhere, there it may lie. */
static void
keep_census(struct pyb_evidence *evidence)
{
    ptrdiff_t block =
        pyb_blocks_find(&evidence->blocks, (uintptr_t)evidence->census.people);

    if (block >= 0)
        evidence->holders[block].kind = PYB_BY_SEVERAL;
}

static void
give_blocks(struct pyb_evidence *evidence)
{
    for (size_t i = 0; i < evidence->blocks.n; i++) {
        struct pyb_holder *holder = &evidence->holders[i];
        uint32_t offset = 0,
                 owner = trace_owner(evidence, (uint32_t)i, &offset);

        holder->owner = owner;
        if (owner == PYB_NOBODY)
            continue;
        holder->offset = offset;
        holder->next = evidence->first_block[owner];
        evidence->first_block[owner] = (uint32_t)i;
    }
}

static void
fill(struct pyb_evidence *evidence, uintptr_t ground)
{
    uint32_t n = (uint32_t)evidence->census.n;

    for (uint32_t i = 0; i < n; i++) {
        evidence->elsewhere[i] = -1; /* its address stands in the census */
        evidence->first_block[i] = PYB_NOBODY;
    }
    for (uint32_t i = 0; i < n; i++)
        note_body(evidence, i);
    evidence->blind = pyb_memory_each(ground, count_words, evidence) < 0;
    keep_census(evidence);
    give_blocks(evidence);
    for (uint32_t i = 0; i < n; i++) {
        if (PyType_Check(evidence->census.people[i].op))
            know_type(evidence, i);
        if (evidence->first_block[i] != PYB_NOBODY)
            pyb_evidence_words(evidence, i, take_off, evidence->elsewhere);
    }
    for (uint32_t i = n; i < pyb_evidence_owners(evidence); i++)
        pyb_evidence_words(evidence, i, take_off_all, evidence->elsewhere);
}

static void
release(struct pyb_evidence *evidence)
{
    free(evidence->elsewhere);
    free(evidence->inside);
    free(evidence->first_block);
    free(evidence->holders);
    pyb_plain_end(&evidence->plain);
    pyb_blocks_end(&evidence->blocks);
}

/* Dictionaries of instances that nobody has seen are containers here: what the
   instance should visit is the dictionary. */
static void
each_container(void (*treat)(PyObject *))
{
    struct pyb_walk walk = pyb_walk_tracked();
    struct pyb_group group;

    while (pyb_walk_next_live(&walk, &group))
        while (group.bits != 0)
            treat(pyb_group_take(&group));
}

/* Those of malloc's heap, and what else bodies lead to. */
static int
take_blocks(struct pyb_evidence *evidence)
{
    struct pyb_blocks *blocks = &evidence->blocks;

    if (pyb_blocks_take(blocks) < 0)
        return -1;
    for (size_t i = 0; i < evidence->census.n; i++) {
        const PyObject *op = evidence->census.people[i].op;

        for (uint32_t k = 0; k < body_words(op); k++)
            if (pyb_mapped_add(blocks, body_word(op, k)) < 0)
                return -1;
    }
    pyb_mapped_settle(blocks);
    pyb_plain_find(&evidence->plain, blocks, &evidence->census);
    evidence->holders = calloc(blocks->n + 1, sizeof *evidence->holders);
    return evidence->holders != NULL && !evidence->plain.no_memory ? 0 : -1;
}

int
pyb_evidence_take(struct pyb_evidence *evidence, uintptr_t ground)
{
    size_t n;

    each_container(pyb_instancedict_lay_open);
    if (pyb_census_take(&evidence->census) < 0) {
        each_container(pyb_instancedict_hide);
        return -1;
    }
    n = evidence->census.n + 1;
    evidence->elsewhere = calloc(n, sizeof *evidence->elsewhere);
    evidence->inside = calloc(n, sizeof *evidence->inside);
    evidence->first_block = calloc(n, sizeof *evidence->first_block);
    evidence->holders = NULL;
    evidence->plain = (struct pyb_plain){0, 0, NULL, 0};
    if (take_blocks(evidence) < 0 || evidence->elsewhere == NULL ||
        evidence->inside == NULL || evidence->first_block == NULL) {
        pyb_evidence_end(evidence);
        pyb_upcalls.no_memory();
        return -1;
    }
    fill(evidence, ground);
    return 0;
}

void
pyb_evidence_end(struct pyb_evidence *evidence)
{
    release(evidence);
    pyb_census_end(&evidence->census);
    each_container(pyb_instancedict_hide);
}
