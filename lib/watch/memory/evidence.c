/* evidence.c: which owner has the address of which container.  See evidence.h.

   All memory is read once.  Bodies are part of that memory, so the addresses
   found in them are subtracted afterwards, and so are those in blocks that are
   parts of containers. */

#include "Python.h"

#include <stdlib.h>
#include <string.h>

#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/boehm/boehm.h"
#include "gc/check/inspect.h"
#include "gc/heap/heap.h"
#include "gc/heap/pages.h"
#include "gc/heap/walk.h"
#include "object/attr/instancedict.h"
#include "object/type/statictypes.h"
#include "object/type/subclasses.h"
#include "watch/log/progress.h"
#include "watch/memory/evidence.h"
#include "watch/memory/mapped.h"
#include "watch/memory/memory.h"
#include "watch/why/plainfind.h"

/* Larger blocks count as arrays, in which the place of a word says nothing. */
enum { STRUCTURE_WORDS = 9 };

/* An address counts also with tags in its low bits. */
#define UNTAGGED(word) ((word) & ~(uintptr_t)(PYB_GRANULE_BYTES - 1))

/* ------------------------------------------------------------------ */
/* Pointers to blocks                                                  */

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

/* Does a plain object stand there?  A structure with a type behind its first
   word looks like one; what that word refers to says that it is no count. */
static int
is_plain_object(const struct pyb_evidence *evidence, uintptr_t begin)
{
    const PyObject *op = (const PyObject *)begin;

    return pyb_inspect_is_object(op) &&
           pyb_evidence_number(evidence, UNTAGGED((uintptr_t)op->ob_refcnt)) ==
               PYB_NO_NUMBER;
}

/* The container that a block is a part of, or PYB_NO_NUMBER; *offset becomes
   the offset of the word in the body that leads to the block.  An object is
   not part of another one: it owns its referents itself. */
static uint32_t
trace_owner(const struct pyb_evidence *evidence, uint32_t block,
            uint32_t *offset)
{
    enum { STEPS = 1000 };

    for (int i = 0; i < STEPS; i++) {
        PYB_ASSERT(block < evidence->blocks.n);
        const struct pyb_holder *holder = &evidence->holders[block];

        if (holder->kind == PYB_BY_SEVERAL || holder->kind == PYB_UNHELD ||
            holder->n != holder->total || !evidence->blocks.all[block].used ||
            is_plain_object(evidence,
                            pyb_blocks_begin(&evidence->blocks, block)))
            return PYB_NO_NUMBER;
        if (holder->kind == PYB_BY_BODY) {
            *offset = holder->offset;
            return holder->from;
        }
        block = holder->from;
    }
    return PYB_NO_NUMBER;
}

/* ------------------------------------------------------------------ */
/* Words of containers                                                 */

struct search {
    const struct pyb_evidence *evidence;
    struct pyb_word word;
    void (*look)(const struct pyb_word *word, void *arg);
    void *arg;
    uintptr_t structure; /* where the block begins; 0 for arrays */
};

static void
search_word(struct search *search, uintptr_t word)
{
    search->word.to = pyb_evidence_number(search->evidence, UNTAGGED(word));
    if (search->word.to != PYB_NO_NUMBER)
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

/* The number of words in a body, the count included. */
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

/* A part of malloc's memory that was read.  Blocks of containers that were
   made one after the other mostly lie side by side: one call of the system
   reads many.  Larger ones are read alone. */
struct pyb_window {
    uintptr_t begin, end;
    uintptr_t words[4096];
};

static int
is_in_window(const struct pyb_window *window, uintptr_t begin, uintptr_t end)
{
    return begin >= window->begin && end <= window->end;
}

static void
search_memory(struct search *search, uintptr_t begin, uintptr_t end)
{
    struct pyb_window *window = search->evidence->window;

    PYB_ASSERT(begin <= end && begin % sizeof *window->words == 0);
    if (!is_in_window(window, begin, end) &&
        end - begin < sizeof window->words / 4) {
        window->begin = begin;
        window->end =
            begin + sizeof *window->words *
                        pyb_memory_read(begin, window->words,
                                        Py_ARRAY_LENGTH(window->words));
    }
    if (is_in_window(window, begin, end))
        search_block(begin,
                     window->words +
                         (begin - window->begin) / sizeof *window->words,
                     (end - begin) / sizeof *window->words, search);
    else
        pyb_memory_part(begin, end, search_block, search);
}

static void
search_container(struct search *search, const PyObject *op)
{
    const struct pyb_evidence *evidence = search->evidence;
    uint32_t block = evidence->first_block[search->word.from];

    for (uint32_t i = 1; i < body_words(op); i++) {
        search->word.offset = (uint32_t)(i * sizeof(uintptr_t));
        search_word(search, body_word(op, i));
    }
    search->word.in_block = 1;
    for (; block != PYB_NO_NUMBER; block = evidence->holders[block].next) {
        PYB_ASSERT_OBJECT(block < evidence->blocks.n &&
                              evidence->holders[block].owner ==
                                  search->word.from,
                          op);
        search->word.offset = evidence->holders[block].offset;
        if (PyType_Check(op) &&
            search->word.offset == offsetof(PyTypeObject, tp_subclasses))
            continue;
        uintptr_t begin = pyb_blocks_begin(&evidence->blocks, block);
        uintptr_t end =
            pyb_blocks_end_of(&evidence->blocks, block) + sizeof(uintptr_t);

        search->structure =
            end - begin <= STRUCTURE_WORDS * sizeof(uintptr_t) ? begin : 0;
        search_memory(search, begin, end);
    }
}

/* Types and modules are left out: they mostly live as long as the program, so
   a cycle through one is no leak of such an object. */
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
    if (to != PYB_NO_NUMBER &&
        may_be_in_cycle(search->evidence->census.nodes[to].op))
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

/* The container that an address points into. */
static uint32_t
number_around(const struct pyb_evidence *evidence, uintptr_t address)
{
    if (pyb_region_of((const void *)address) == NULL)
        return PYB_NO_NUMBER;
    return pyb_evidence_number(
        evidence, (uintptr_t)pyb_boehm_base((const void *)address));
}

/* Counts a pointer into a body.  Objects point into themselves, and pyboehm's
   own types point into others (a descriptor into its type's table): such
   pointers own nothing. */
static void
count_inside(struct pyb_evidence *evidence, uintptr_t address, uintptr_t word)
{
    uint32_t to = number_around(evidence, word);
    uint32_t from =
        to != PYB_NO_NUMBER ? number_around(evidence, address) : PYB_NO_NUMBER;

    if (to != PYB_NO_NUMBER && from != to &&
        (from == PYB_NO_NUMBER ||
         !pyb_statictypes_has(Py_TYPE(evidence->census.nodes[from].op))))
        evidence->inside[to]++;
}

/* Counts a word at an address.  Words in free memory do not count. */
static void
count_word(struct pyb_evidence *evidence, uintptr_t address, uintptr_t word)
{
    uint32_t to = pyb_evidence_number(evidence, UNTAGGED(word));
    ptrdiff_t target = pyb_blocks_target(&evidence->blocks, word), source;

    if (to == PYB_NO_NUMBER && target < 0) {
        count_inside(evidence, address, word);
        return;
    }
    source = pyb_blocks_find(&evidence->blocks, address);
    if (source >= 0 && !evidence->blocks.all[source].used)
        return;
    if (to != PYB_NO_NUMBER)
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

/* Subtracts a body's words, which are not elsewhere. */
static void
note_body(struct pyb_evidence *evidence, uint32_t from)
{
    const PyObject *op = evidence->census.nodes[from].op;

    for (uint32_t i = 0; i < body_words(op); i++) {
        uintptr_t word = body_word(op, i);
        uint32_t to = pyb_evidence_number(evidence, UNTAGGED(word));
        ptrdiff_t block = pyb_blocks_target(&evidence->blocks, word);

        if (to != PYB_NO_NUMBER)
            evidence->elsewhere[to]--;
        if (block >= 0)
            note_holder(&evidence->holders[block], 1, from,
                        (uint32_t)(i * sizeof word));
    }
}

/* The entries in a type's list of subclasses own nothing either;
   pyb_evidence_words skips the list. */
struct relative {
    PyTypeObject *type;
    int32_t *elsewhere; /* the type's counter */
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
    PyTypeObject *type = (PyTypeObject *)evidence->census.nodes[number].op;
    struct relative relative = {type, &evidence->elsewhere[number]};
    PyObject *bases = type->tp_bases;

    PYB_ASSERT_OBJECT(bases == NULL || PyTuple_Check(bases), type);
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

/* The words of an object that is not a container are in a malloc block,
   too. */
static void
take_off_all(const struct pyb_word *word, void *elsewhere)
{
    ((int32_t *)elsewhere)[word->to]--;
}

/* The census contains all addresses and must not become part of a container.
   It could: an address left behind somewhere may point to the memory that the
   census now uses. */
static void
keep_census(struct pyb_evidence *evidence)
{
    ptrdiff_t block =
        pyb_blocks_find(&evidence->blocks, (uintptr_t)evidence->census.nodes);

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
        if (owner == PYB_NO_NUMBER)
            continue;
        PYB_ASSERT(owner < evidence->census.n);
        holder->offset = offset;
        holder->next = evidence->first_block[owner];
        evidence->first_block[owner] = (uint32_t)i;
    }
}

/* How many blocks a container has; fatal if one is not its own. */
static size_t
count_parts(const struct pyb_evidence *evidence, uint32_t owner)
{
    uint32_t block = evidence->first_block[owner];
    size_t n = 0;

    for (; block != PYB_NO_NUMBER; block = evidence->holders[block].next) {
        PYB_ALWAYS(block < evidence->blocks.n &&
                       evidence->holders[block].owner == owner,
                   evidence->census.nodes[owner].op,
                   "a container has another one's block");
        PYB_ALWAYS(n++ < evidence->blocks.n, evidence->census.nodes[owner].op,
                   "a container has a block twice");
    }
    return n;
}

void
pyb_evidence_check(const struct pyb_evidence *evidence)
{
    size_t n = 0;

    for (uint32_t i = 0; i < evidence->census.n; i++)
        n += count_parts(evidence, i);
    for (size_t i = 0; i < evidence->blocks.n; i++)
        n -= evidence->holders[i].owner != PYB_NO_NUMBER;
    PYB_ALWAYS(n == 0, NULL, "a block is not on its container's list");
}

static void
fill(struct pyb_evidence *evidence, uintptr_t ground)
{
    uint32_t n = (uint32_t)evidence->census.n;

    PYB_ASSERT(evidence->census.n + evidence->plain.n < PYB_NO_NUMBER &&
               evidence->blocks.n < PYB_NO_NUMBER);
    for (uint32_t i = 0; i < n; i++) {
        evidence->elsewhere[i] = -1; /* the census has one, too */
        evidence->first_block[i] = PYB_NO_NUMBER;
    }
    pyb_progress_part(5, 15);
    for (uint32_t i = 0; i < n; i++) {
        pyb_progress(i, n);
        note_body(evidence, i);
    }
    pyb_progress_part(15, 50);
    evidence->blind = pyb_memory_each(ground, count_words, evidence) < 0;
    keep_census(evidence);
    give_blocks(evidence);
    PYB_EXPENSIVE(pyb_evidence_check(evidence));
    pyb_progress_part(50, 60);
    for (uint32_t i = 0; i < n; i++) {
        pyb_progress(i, n);
        if (PyType_Check(evidence->census.nodes[i].op))
            know_type(evidence, i);
        if (evidence->first_block[i] != PYB_NO_NUMBER)
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
    pyb_objectset_end(&evidence->plain);
    pyb_blocks_end(&evidence->blocks);
}

/* Dictionaries of instances that have not been asked for count as containers
   here: the instance should visit its dictionary. */
static void
each_container(void (*treat)(PyObject *))
{
    PYB_FOR_EACH (op, i, pyb_walk_live())
        treat(op);
}

/* Finds the blocks of malloc's heap, and others that words of bodies point
   to. */
static int
take_blocks(struct pyb_evidence *evidence)
{
    struct pyb_blocks *blocks = &evidence->blocks;

    if (pyb_blocks_take(blocks) < 0)
        return -1;
    for (size_t i = 0; i < evidence->census.n; i++) {
        const PyObject *op = evidence->census.nodes[i].op;

        for (uint32_t k = 0; k < body_words(op); k++)
            if (pyb_mapped_add(blocks, body_word(op, k)) < 0)
                return -1;
    }
    pyb_mapped_settle(blocks);
    PYB_ASSERT(blocks->heap > 0 || blocks->n == 0);
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
    evidence->plain = (struct pyb_objectset){0, 0, NULL, 0};
    evidence->window = pyb_pages_map(sizeof *evidence->window);
    if (evidence->window == NULL || take_blocks(evidence) < 0 ||
        evidence->elsewhere == NULL || evidence->inside == NULL ||
        evidence->first_block == NULL) {
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
    if (evidence->window != NULL)
        pyb_pages_unmap(evidence->window, sizeof *evidence->window);
    pyb_census_end(&evidence->census);
    each_container(pyb_instancedict_hide);
}
