/* check_gc_heap.c: behind the API: blocks, lines and regions. */

#include "../support/node.h"
#include "../support/suite.h"

#include <errno.h>
#include <gc/gc.h>
#include <sys/mman.h>

#include "gc/container.h"
#include "gc/control.h"
#include "gc/cycle.h"
#include "gc/base/fatal.h"
#include "gc/heap/generations.h"
#include "gc/heap/heap.h"
#include "gc/check/inspect.h"
#include "pyboehm.h"

enum { N = 20000 };
static void *blocks[N];

static void
free_block(void *block)
{
    pyb_heap_free(pyb_line_of(block), block);
}

/* A block of exactly so many granules: where memory is short Boehm may give a
   larger one, which goes back. */
static void *
alloc_exactly(size_t granules)
{
    size_t size = granules * PYB_GRANULE_BYTES;
    struct pyb_block *block = suite_require(pyb_heap_alloc(size));
    block->refcnt = 1; /* an object has begun */
    if (pyb_heap_block_size(block) == size)
        return block;
    void *right = alloc_exactly(granules);
    free_block(block);
    return right;
}

static size_t
free_list_length(size_t granules)
{
    size_t n = 0;

    for (struct pyb_block *b = pyb_heap.sizes[granules].free; b != NULL;
         b = b->next)
        n++;
    return n;
}

START_TEST(lookup_takes_any_address)
{
    int local;

    ck_assert(!pyb_sidetable_holds(NULL));
    ck_assert(!pyb_sidetable_holds(&local));
    ck_assert(!pyb_sidetable_holds((void *)UINTPTR_MAX));
    ck_assert(!pyb_sidetable_holds((void *)((uintptr_t)1 << 47)));
    void *block = pyb_heap_alloc(40);
    ck_assert(pyb_sidetable_holds(block));
    ck_assert(!pyb_sidetable_holds((char *)block + 8));
    ck_assert(!pyb_sidetable_holds((char *)block + 16));
    ck_assert_ptr_eq(pyb_line_region(pyb_line_of(block)),
                     pyb_region_of(block));
    ck_assert_uint_eq((uintptr_t)pyb_line_base(pyb_line_of(block)),
                      (uintptr_t)block & ~(uintptr_t)(PYB_LINE_BYTES - 1));
    free_block(block);
}

START_TEST(every_size_fits)
{
    for (size_t size = 1; size < 20000; size += size / 16 + 1) {
        char *block = suite_require(pyb_heap_alloc(size));
        ck_assert_uint_ge(pyb_heap_block_size(block), size);
        for (size_t i = sizeof(struct pyb_block);
             i < pyb_heap_block_size(block); i++)
            ck_assert_int_eq(block[i], 0);
        memset(block, 0x5a, pyb_heap_block_size(block));
        free_block(block);
    }
}

/* A free block is zero but for its head. */
START_TEST(free_blocks_are_zero)
{
    for (size_t granules = PYB_GRANULES_MIN; granules < PYB_SIZES;
         granules += 5) {
        uint64_t *block = alloc_exactly(granules);
        memset(block, 0xff, granules * PYB_GRANULE_BYTES);
        free_block(block);
        ck_assert_ptr_eq(pyb_heap.sizes[granules].free, block);
        ck_assert_int_eq((int64_t)block[0], PYB_DEAD_REFCNT);
        for (size_t i = 2; i < 2 * granules; i++)
            ck_assert_uint_eq(block[i], 0);
    }
}

/* The bytes held are those of all blocks, and Boehm knows of them. */
static void
assert_books(GC_word others)
{
    size_t bytes = pyb_heap.large_bytes;

    for (size_t i = 1; i < PYB_SIZES; i++) {
        const struct pyb_size *s = &pyb_heap.sizes[i];

        ck_assert_uint_eq(free_list_length(i), s->nfree);
        ck_assert_uint_le(s->nfree, s->nheld);
        bytes += s->nheld * i * PYB_GRANULE_BYTES;
    }
    ck_assert_uint_eq(pyb_heap.held_bytes, bytes);
    ck_assert_uint_eq(GC_get_non_gc_bytes(), others + bytes);
}

START_TEST(books_are_kept)
{
    GC_word others = GC_get_non_gc_bytes() - pyb_heap.held_bytes;
    void *large;

    assert_books(others);
    large = pyb_heap_alloc(3 * PYB_BLOCK_MAX);
    for (int i = 0; i < N; i++)
        blocks[i] = alloc_exactly((size_t)i % 100 + PYB_GRANULES_MIN);
    assert_books(others);
    for (int i = 0; i < N; i++)
        free_block(blocks[i]);
    free_block(large);
    assert_books(others);
    pyb_heap_trim();
    assert_books(others);
}

/* The list's length is what nfree says, before and after a trim. */
START_TEST(trimming_keeps_the_books)
{
    enum { GRANULES = 7 };
    struct pyb_size *s = &pyb_heap.sizes[GRANULES];
    size_t others = s->nheld - s->nfree;

    for (int i = 0; i < N; i++)
        blocks[i] = alloc_exactly(GRANULES);
    size_t held = s->nheld;
    ck_assert_uint_ge(held, N);
    for (int i = 0; i < N; i++)
        if (i % 1000 != 0)
            free_block(blocks[i]);
    pyb_heap_trim();
    ck_assert_uint_lt(s->nheld, held / 2);
    ck_assert_uint_eq(free_list_length(GRANULES), s->nfree);
    ck_assert_uint_eq(s->nheld - s->nfree, others + N / 1000);
    for (int i = 0; i < N; i += 1000) {
        ck_assert(pyb_sidetable_holds(blocks[i]));
        free_block(blocks[i]);
    }
    ck_assert_uint_eq(s->nheld, others + s->nfree);
}

START_TEST(large_blocks_go_back_at_once)
{
    size_t before = pyb_heap.held_bytes;
    void *block = pyb_heap_alloc(1000000);

    ck_assert_uint_ge(pyb_heap.large_bytes, 1000000);
    ck_assert_uint_ge(pyb_heap.held_bytes, before + 1000000);
    free_block(block);
    ck_assert_uint_eq(pyb_heap.large_bytes, 0);
    ck_assert_uint_eq(pyb_heap.held_bytes, before);
    ck_assert(!pyb_sidetable_holds(block));
    ck_assert_ptr_null(GC_base(block)); /* Boehm knows */
}

/* Forgotten blocks are Boehm's: our links in them are gone. */
START_TEST(forgotten_blocks_are_clean)
{
    enum { GRANULES = 11 };
    for (int i = 0; i < N; i++)
        blocks[i] = alloc_exactly(GRANULES);
    for (int i = 0; i < N; i++)
        free_block(blocks[i]);
    pyb_heap_trim();
    int forgotten = 0;
    for (int i = 0; i < N; i++)
        if (!pyb_sidetable_holds(blocks[i])) {
            struct pyb_region *region = pyb_region_of(blocks[i]);

            ck_assert_uint_eq(*pyb_region_page(region, blocks[i]), 0);
            ck_assert_ptr_null(((struct pyb_block *)blocks[i])->next);
            forgotten++;
        }
    ck_assert_int_gt(forgotten, N / 2);
}

/* The verdict itself, which PyGC_Collect has checked once more: also where
   more is on its way than the collector's stack holds. */
START_TEST(deduce_is_exact)
{
    enum { LEAVES = 200000 };
    size_t counts[PYB_GENERATIONS + 1];
    PyObject *list = PyList_New(LEAVES);

    PyGC_Collect();
    PyGC_Disable();
    for (int i = 0; i < LEAVES; i++) {
        PyObject *leaf = PyList_New(1), *below = PyList_New(1);
        PyList_SET_ITEM(leaf, 0, below);
        PyList_SET_ITEM(below, 0, Py_NewRef(list));
        PyList_SET_ITEM(list, i, leaf);
    }
    struct pyb_cycle_result result =
        pyb_cycle_deduce(pyb_walk_generation(PYB_OLD), PYB_UNTRACK_NONE);
    pyb_generations_count(counts);
    ck_assert_uint_gt(result.alive, 2 * LEAVES);
    ck_assert_uint_eq(result.alive, counts[PYB_YOUNG] + counts[PYB_MIDDLE] +
                                        counts[PYB_OLD]);
    ck_assert_uint_eq(result.dead, 0);
    pyb_cycle_forget(pyb_walk_generation(PYB_OLD));

    Py_DECREF(list);
    result = pyb_cycle_deduce(pyb_walk_generation(PYB_OLD), PYB_UNTRACK_NONE);
    ck_assert_uint_eq(result.dead, 2 * LEAVES + 1);
    ck_assert(pyb_cycle_is_dead(list));
    pyb_cycle_forget(pyb_walk_generation(PYB_OLD));
    ck_assert_uint_eq(*pyb_region_gcref(pyb_region_of(list), list), 0);
    PyGC_Enable();
    ck_assert_int_eq(PyGC_Collect(), 2 * LEAVES + 1);
}

/* An object that is untracked in the middle of a collection is no candidate
   any more. */
START_TEST(untracked_tuples_leave_no_count)
{
    PyObject *tuple = PyTuple_Pack(1, Py_None);

    ck_assert_int_eq(PyObject_GC_IsTracked(tuple), 1);
    PyGC_Collect();
    ck_assert_int_eq(PyObject_GC_IsTracked(tuple), 0);
    ck_assert_uint_eq(*pyb_region_gcref(pyb_region_of(tuple), tuple), 0);
    Py_DECREF(tuple);
}

START_TEST(lines_agree_with_themselves)
{
    PyObject *list = PyList_New(0);

    for (int i = 0; i < 5000; i++) {
        PyObject *item = i % 3 ? PyList_New(0) : PyTuple_New(i % 50);
        ck_assert_int_eq(PyList_Append(list, item), 0);
        Py_DECREF(item);
        if (i % 500 == 0)
            PyGC_Collect();
    }
    size_t tracked = 0;
    for (struct pyb_region *r = pyb_sidetable.first; r != NULL; r = r->next)
        for (size_t i = 0; i < PYB_REGION_LINES; i++) {
            pyb_line_check(&r->lines[i]);
            tracked += (size_t)__builtin_popcountll(r->lines[i].tracked);
        }
    ck_assert_uint_gt(tracked, 5000);
    Py_DECREF(list);
}

/* What a line may not say of one granule: 't'racked, '1' and '2' of its
   generation, 'c'ondemned, fi'n'alized, 'h'eld; 'l'eft out of the list of
   lines with young objects.  And which sets there are: members can be set
   'A'part, in the one that 'W'aits, or in the 'C'urrent one. */
static const char *claim;

static void
check_claim(void)
{
    struct pyb_line *line = pyb_line_of(pyb_heap_alloc(PYB_BLOCK_MAX));
    struct pyb_line said = {.next_recent = line};

    pyb_sidetable.states = 0;

    for (const char *c = claim; *c != '\0'; c++)
        switch (*c) {
        case 't':
            said.tracked = 1;
            break;
        case '1':
            said.age1 = 1;
            break;
        case '2':
            said.age2 = 1;
            break;
        case 'c':
            said.condemned = 1;
            break;
        case 'n':
            said.finalized = 1;
            break;
        case 'h':
            said.held = 1;
            break;
        case 'l':
            said.next_recent = NULL;
            break;
        case 'A':
            pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_APART);
            break;
        case 'W':
            pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_WAITING);
            break;
        case 'C':
            pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_CURRENT);
            break;
        }
    *line = said;
    pyb_line_check(line);
    abort();
}

START_TEST(lines_that_contradict_themselves)
{
    static const char *const wrong[] = {
        "t",    "n",      "c",      "h1",     "h2",   "h12",
        "ht1c", "ht1cWC", "ht12c",  "ht12cW", "htl",  "ht1l",
        "ht2c", "ht2cC",  "h12cAC", "t12cC",  "htcl",
    };
    static const char *const right[] = {
        "",     "h",     "ht",     "ht1",    "ht2",   "ht12",
        "ht2l", "hn",    "ht1n",   "ht12l",  "hc",    "htc",
        "ht2W", "ht2cW", "ht2ncW", "ht12cC", "ht1cA", "ht1clAW",
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(wrong); i++) {
        claim = wrong[i];
        SUITE_FATAL(check_claim(), "Fatal Python error: pyb_line_check: ");
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(right); i++) {
        claim = right[i];
        char *said = suite_abort_message(check_claim);
        ck_assert_str_eq(said, "");
        free(said);
    }
}

/* The first and the last line of a region are walked, and counted, as all are:
   in a region that stands for memory which is not mapped. */
START_TEST(every_line_is_walked)
{
    char *first = (char *)((uintptr_t)1 << 45);
    char *last = first + ((size_t)1 << PYB_REGION_SHIFT) - PYB_GRANULE_BYTES;
    struct pyb_region *region = pyb_sidetable_cover(first);
    size_t before[PYB_GENERATIONS + 1], counts[PYB_GENERATIONS + 1];
    struct pyb_batch batch;
    PyObject *op;
    int found = 0;

    ck_assert_ptr_nonnull(region);
    ck_assert_ptr_eq(pyb_region_of(last), region);
    pyb_sidetable_cover(first + ((size_t)2 << PYB_REGION_SHIFT));
    pyb_generations_count(before);
    *pyb_region_page(region, first) = *pyb_region_page(region, last) = 1;
    pyb_region_widen(region, 7);
    ck_assert_uint_eq(region->pages_begin, 7);
    ck_assert_uint_eq(region->pages_end, 8);
    pyb_region_widen(region, 8);
    ck_assert_uint_eq(region->pages_end, 9);
    pyb_region_widen(region, PYB_REGION_PAGES - 1);
    ck_assert_uint_eq(region->pages_begin, 7);
    pyb_region_widen(region, 0);
    ck_assert_uint_eq(region->pages_begin, 0);
    ck_assert_uint_eq(region->pages_end, PYB_REGION_PAGES);
    pyb_line_of(first)->tracked |= pyb_bit_of(first);
    pyb_line_of(first)->age2 |= pyb_bit_of(first);
    pyb_line_of(last)->tracked |= pyb_bit_of(last);
    pyb_line_of(last)->age2 |= pyb_bit_of(last);

    struct pyb_walk walk = pyb_walk_tracked();
    while (pyb_walk_next(&walk, &batch))
        while ((op = pyb_batch_take(&batch)) != NULL)
            found += (void *)op == first || (void *)op == last;
    pyb_generations_count(counts);
    ck_assert_int_eq(found, 2);
    ck_assert_uint_eq(counts[PYB_OLD], before[PYB_OLD] + 2);

    pyb_line_of(first)->tracked = pyb_line_of(last)->tracked = 0;
    pyb_line_of(first)->age2 = pyb_line_of(last)->age2 = 0;
    *pyb_region_page(region, first) = *pyb_region_page(region, last) = 0;
}

/* Where the best place for the next region is taken, it comes elsewhere, and
   the table is made longer. */
START_TEST(region_finds_another_place)
{
    char *first = (char *)((uintptr_t)1 << 44);
    char *best = (char *)pyb_sidetable.first - PYB_REGION_ALIGN;

    void *taken = mmap(best, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct pyb_region *region = suite_require(pyb_sidetable_cover(first));
    if (taken == best) /* valgrind does as it likes */
        ck_assert_ptr_ne(region, best);
    ck_assert_ptr_eq(pyb_line_region(pyb_line_of(first)), region);
    ck_assert_ptr_null(pyb_region_of(first - PYB_GRANULE_BYTES));
    for (int i = 0; i < PYB_REGION_LINES; i++) /* all of it is there */
        ck_assert_uint_eq(pyb_line_gcrefs(&region->lines[i])[0], 0);
}

/* ------------------------------------------------------------------ */
/* After a collection                                                  */

/* Outside a collection no object has a count. */
static void
assert_no_counts(void)
{
    for (struct pyb_region *r = pyb_sidetable.first; r != NULL; r = r->next)
        for (size_t i = 0; i < PYB_REGION_LINES; i++)
            if (r->pages[i / PYB_PAGE_LINES] != 0)
                for (size_t j = 0; j < PYB_LINE_GCREFS; j++)
                    ck_assert_uint_eq(pyb_line_gcrefs(&r->lines[i])[j], 0);
}

/* The system does not take locked memory back; nothing stays in it all the
   same. */
START_TEST(locked_gcrefs_are_cleared)
{
    struct node *ring = node_ring(&node_type, PYB_CYCLE_FEW + 1);
    uint32_t *gcref = pyb_region_gcref(pyb_region_of(ring), ring);
    char *page = (char *)((uintptr_t)gcref & ~(uintptr_t)4095);

    ck_assert_int_eq(mlock(page, 4096), 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
    assert_no_counts();
    ck_assert_int_eq(munlock(page, 4096), 0);
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), PYB_CYCLE_FEW + 1);
}

static int untracks;

static int
untrack_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (untracks) {
        untracks = 0;
        PyObject_GC_UnTrack(op);
    }
    return node_traverse(op, visit, arg);
}

/* A tp_traverse that untracks its object hides it from the loop that clears
   the gcrefs. */
START_TEST(the_untracked_leave_no_gcref)
{
    static PyTypeObject shy_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Shy",
        .tp_base = &node_type,
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
        .tp_traverse = untrack_traverse,
        .tp_clear = node_clear,
    };
    struct node *shy;

    if (pyb_checks)
        return; /* where that is fatal */
    node_reset();
    ck_assert_int_eq(PyType_Ready(&shy_type), 0);
    shy = node_new(&shy_type);
    untracks = 1;
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked((PyObject *)shy), 0);
    assert_no_counts();
    Py_DECREF(shy);
}

static GC_word non_gc_bytes;

static void
come_back(struct node *node)
{
    non_gc_bytes = GC_get_non_gc_bytes();
    if (node->label == -1) {
        node->label = 0;
        Py_INCREF(node);
    }
}

/* What dies and what comes back, in each generation and in both heaps: no
   gcref stays, and the bytes of a set count as live again when its teardown
   begins.
 */
START_TEST(a_collection_leaves_no_trace)
{
    enum { RING = 100 };
    struct node *live;

    node_reset();
    PyGC_Disable();
    live = node_ring(&node_type, 10);
    node_drop_ring(&node_final_type, 2 * RING);
    PyGC_Collect();
    PyBoehm_GC_Collect(2);
    for (int i = 0; i <= PYB_GENERATIONS; i++) {
        struct node *back = node_ring(&node_final_type, 5);
        GC_word before = GC_get_non_gc_bytes();

        node_drop_ring(&node_final_type, RING);
        ck_assert_uint_eq(GC_get_non_gc_bytes(), before);
        back->label = -1;
        node_log.on_finalize = come_back;
        Py_DECREF(back);
        if (i < PYB_GENERATIONS) {
            ck_assert_int_eq(PyBoehm_GC_Collect(i), RING);
            ck_assert_uint_eq(non_gc_bytes, before);
        } else {
            ck_assert_int_eq(PyBoehm_GC_CollectAll(), RING);
            ck_assert_uint_eq(non_gc_bytes, before);
        }
        ck_assert_uint_eq(GC_get_non_gc_bytes(), before);
        assert_no_counts();
        node_log.on_finalize = NULL;
        Py_DECREF(back);
        ck_assert_int_eq(PyBoehm_GC_Collect(2), 5);
        ck_assert_uint_eq(GC_get_non_gc_bytes(), before);
        node_drop_ring(&node_type, RING); /* is not counted again */
        ck_assert_int_eq(PyBoehm_GC_Collect(i % PYB_GENERATIONS), RING);
        ck_assert_uint_eq(GC_get_non_gc_bytes(), before);
        assert_no_counts();
    }
    Py_DECREF(live);
}

static void
weak_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_ClearWeakRefs(op);
    node_dealloc(op);
}

/* A node whose weak references begin where others have a block. */
static PyTypeObject weak_type = {
    NODE_TYPE("t.WeakNode", weak_dealloc, node_traverse, node_clear),
    .tp_weaklistoffset = offsetof(struct node, host)};

/* A set waits, and its members are freed by count, since weak references have
   brought them back. */
START_TEST(members_that_go_while_they_wait)
{
    enum { MEMBERS = 20000 };
    static PyObject *refs[MEMBERS];
    GC_word others = GC_get_non_gc_bytes() - pyb_heap.held_bytes;
    int now[PyBoehm_GC_GENERATIONS] = {1, 0, 0}, never[] = {0, 0, 0};
    PyObject *op;

    node_reset();
    ck_assert_int_eq(PyType_Ready(&weak_type), 0);
    PyBoehm_GC_SetThreshold(never);
    GC_set_finalize_on_demand(1);
    for (int i = 0; i < MEMBERS; i++) {
        struct node *node = node_ring(&weak_type, 1);
        refs[i] = suite_require(PyWeakref_NewRef((PyObject *)node, NULL));
        Py_DECREF(node);
    }
    PyBoehm_GC_SetThreshold(now);
    node_drop_ring(&node_type, 3);
    PyBoehm_GC_SetThreshold(never);
    ck_assert_uint_lt(GC_get_non_gc_bytes(), others + pyb_heap.held_bytes);
    for (int i = 0; i < MEMBERS; i++) {
        ck_assert_int_eq(PyWeakref_GetRef(refs[i], &op), 1);
        node_clear(op);
        Py_DECREF(op);
        Py_CLEAR(refs[i]);
    }
    PyBoehm_GC_Collect(0); /* pages go back */
    GC_gcollect();
    GC_invoke_finalizers();
    PyBoehm_GC_Collect(2);
    ck_assert_int_eq(node_log.freed, MEMBERS + 3);
    assert_books(others);
    GC_set_finalize_on_demand(0);
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

static size_t
size_of(PyObject *op)
{
    ck_assert_ptr_nonnull(op);
    size_t size = pyb_heap_block_size(op);
    PyObject_GC_Del(op);
    return size - (pyb_checks ? PYB_REDZONE_BYTES : 0);
}

static PyTypeObject even_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Even",
    .tp_basicsize = 64,
    .tp_itemsize = 16,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = node_traverse,
};

static PyTypeObject managed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Managed",
    .tp_base = &even_type,
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_DICT,
    .tp_traverse = node_traverse,
};

/* The size of a block that Boehm has for n bytes; which sizes there are
   depends on what it was asked for before. */
static size_t
block_for(size_t n)
{
    n += pyb_checks ? PYB_REDZONE_BYTES : 0;
    return GC_size(GC_MALLOC(n - (size_t)GC_get_all_interior_pointers())) -
           (pyb_checks ? PYB_REDZONE_BYTES : 0);
}

/* A body of whole granules has a block of its size, and two words for the
   managed slots. */
START_TEST(no_object_is_larger_than_it_must_be)
{
    PyTypeObject *type = &even_type, *managed = &managed_type;

    ck_assert_int_eq(PyType_Ready(type), 0);
    ck_assert_int_eq(PyType_Ready(managed), 0);
    ck_assert_uint_eq(size_of(PyObject_GC_New(PyObject, type)), block_for(64));
    ck_assert_uint_eq(
        size_of((PyObject *)PyObject_GC_NewVar(PyVarObject, type, 2)),
        block_for(96));
    ck_assert_uint_eq(size_of(PyUnstable_Object_GC_NewWithExtraData(type, 16)),
                      block_for(80));
    ck_assert_uint_eq(size_of(pyb_container_new(type, 0)), block_for(64));
    ck_assert_uint_eq(size_of(pyb_container_new(type, 3)), block_for(112));
    ck_assert_uint_eq(size_of(PyObject_GC_New(PyObject, managed)),
                      block_for(80));
    ck_assert_uint_eq(size_of(pyb_container_new(managed, 1)), block_for(96));
    PyVarObject *op = PyObject_GC_NewVar(PyVarObject, type, 1);
    op = PyObject_GC_Resize(PyVarObject, op, 4);
    ck_assert_uint_eq(size_of((PyObject *)op), block_for(128));
}

/* With four attributes, whose names the class has learned, an instance of a
   class takes eight words: head, values, managed slots. */
START_TEST(attributes_take_a_word_each)
{
    PyObject *type = suite_class("s(){}", "C");
    size_t size = 0;
    char name[] = "a";

    for (size_t i = 0; i < 4; i++) {
        PyObject *op = suite_require(PyObject_CallNoArgs(type));
        for (name[0] = 'a'; name[0] < 'e'; name[0]++)
            ck_assert_int_eq(PyObject_SetAttrString(op, name, type), 0);
        size = pyb_heap_block_size(op);
        Py_DECREF(op);
    }
    ck_assert_uint_eq(size, 64 + (pyb_checks ? PYB_REDZONE_BYTES : 0));
    Py_DECREF(type);
}

/* After Py_Finalize nothing is made, where blocks wait neither. */
static void
make_late(void)
{
    Py_DECREF(node_new(&node_type));
    Py_Finalize();
    node_new(&node_type);
}

START_TEST(nothing_is_made_after_the_end)
{
    SUITE_FATAL(make_late(),
                "Fatal Python error: PyObject_GC_New: called before "
                "Py_Initialize()");
}

static Py_ssize_t
collections(void)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetStats(stats);
    return stats[0].collections + stats[1].collections + stats[2].collections;
}

/* Makes objects until there was an automatic collection, at that limit.  They
   are garbage, or form a chain that lives. */
static void
until_collected(Py_ssize_t limit, int garbage)
{
    static struct node *chain;
    Py_ssize_t before = collections();

    ck_assert_int_eq(pyb_control.limit, limit);
    while (pyb_control.made < limit) {
        struct node *node = node_new(&node_type);

        node_link(node, garbage ? node : chain, NULL);
        if (garbage)
            Py_DECREF(node);
        else
            Py_XSETREF(chain, node);
    }
    ck_assert_int_eq(collections(), before);
    Py_DECREF(node_new(&node_type));
    ck_assert_int_eq(collections(), before + 1);
}

START_TEST(collections_that_find_little_wait)
{
    if (pyb_checks || pyb_control.stress > 0)
        return; /* there is no limit */
    const int thresholds[PyBoehm_GC_GENERATIONS] = {300, 10, 10};

    node_reset();
    PyGC_Collect(); /* what has been made till now is no part of it */
    until_collected(pyb_control.limit, 1);
    until_collected(320, 0);
    until_collected(640, 0);
    until_collected(1280, 0);
    until_collected(2560, 0);
    until_collected(2560, 1); /* all of it is garbage */
    until_collected(320, 1);
    until_collected(320, 0);
    until_collected(640, 1);
    until_collected(320, 0);
    PyBoehm_GC_SetThreshold(thresholds); /* the program knows better */
    until_collected(300, 0);
    until_collected(300, 0);
}

/* That the young ones wait does not put off those of all: the second middle
   one makes a full one due, where ten would make it due without. */
START_TEST(full_collections_do_not_wait)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];

    if (pyb_checks || pyb_control.stress > 0)
        return; /* there is no limit */
    node_reset();
    PyGC_Collect();
    PyBoehm_GC_GetStats(stats);
    Py_ssize_t full = stats[2].collections, middle = stats[1].collections;
    for (int i = 0; stats[2].collections == full && i < 200; i++) {
        until_collected(pyb_control.limit, 0);
        PyBoehm_GC_GetStats(stats);
    }
    ck_assert_int_eq(stats[1].collections - middle, 2);
    ck_assert_int_eq(stats[2].collections - full, 1);
}

/* ------------------------------------------------------------------ */
/* What the checks look at                                             */

enum { SPOILS = 5 };
static int spoiled;

/* Writes past the end of one of some objects. */
static void
spoil_one(void)
{
    struct node *nodes[SPOILS];

    suite_with_checks();
    node_reset();
    for (int i = 0; i < SPOILS; i++)
        nodes[i] = node_new(&node_type);
    char *last = (char *)nodes[spoiled];
    last += pyb_heap_block_size(nodes[spoiled]) - 1;
    *last = (char)~*last;
    PyGC_Collect();
}

/* Neither is what begins in memory that can be read, and known to be so, and
   ends in other memory. */
START_TEST(what_cannot_be_read_is_no_object)
{
    const size_t size = 1 << PYB_PAGE_SHIFT;
    char *pages = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(pages, MAP_FAILED);
    char *hole = pages + size;
    ck_assert_int_eq(mprotect(hole, size, PROT_NONE), 0);
    errno = ENOTTY;
    ck_assert(pyb_inspect_is_object(Py_None));
    if (!suite_has("PROCESS_VM_READV"))
        return;
    for (int round = 0; round < 2; round++) {
        ck_assert(!pyb_inspect_is_object((void *)sizeof(void *)));
        ck_assert(!pyb_inspect_is_object(hole - sizeof(PyObject)));
        ck_assert(!pyb_inspect_is_object(hole));
        ck_assert(!pyb_inspect_is_object(pages));
        ck_assert(!pyb_inspect_is_object(hole - sizeof(void *)));
    }
    ck_assert_int_eq(errno, ENOTTY);
    PyObject fake = {.ob_refcnt = 1, .ob_type = (PyTypeObject *)(void *)hole};
    ck_assert(!pyb_inspect_is_object(&fake));
    ck_assert_str_eq(pyb_inspect_type(&fake), "(unknown)");
    munmap(pages, 2 * size);
}

/* What the checks knew of a block is forgotten while they are off.  Without
   them an object has a block of the same size if it is larger itself; of this
   size the library has none. */
START_TEST(checks_begin_anew)
{
    static PyTypeObject watched_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.WatchedNode",
        .tp_base = &node_type,
        .tp_basicsize = 304,
    };
    static PyTypeObject unwatched_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.UnwatchedNode",
        .tp_base = &node_type,
        .tp_basicsize = 304,
    };

    ck_assert_int_ne(GC_expand_hp(1 << 20), 0); /* see alloc_exactly */
    node_reset();
    suite_with_checks();
    ck_assert_int_eq(PyType_Ready(&watched_type), 0);
    void *first = node_new(&watched_type);
    unsetenv("PYBOEHM_CHECK");
    Py_Finalize();
    Py_Initialize();
    Py_DECREF(first); /* free ones would have gone back to Boehm */
    if (!pyb_checks)  /* a checked build goes on checking */
        unwatched_type.tp_basicsize += PYB_REDZONE_BYTES;
    ck_assert_int_eq(PyType_Ready(&unwatched_type), 0);
    int n = 0;
    do
        blocks[n] = node_new(&unwatched_type);
    while (blocks[n++] != first && n < N);
    ck_assert_ptr_eq(blocks[n - 1], first);
    suite_with_checks();
    while (n > 0)
        Py_DECREF(blocks[--n]);
    ck_assert_int_eq(node_log.made, node_log.freed);
}

/* An object that lies where Boehm may put what it likes again is no dead
   object any more. */
START_TEST(checks_forget_what_was_given_back)
{
    static PyTypeObject large_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.LargeNode",
        .tp_base = &node_type,
        .tp_basicsize = 2 << 20,
    };
    int forgotten = 0;

    suite_with_checks();
    node_reset();
    ck_assert_int_eq(PyType_Ready(&large_type), 0);
    void *large = node_new(&large_type);
    for (int i = 0; i < N; i++)
        blocks[i] = node_new(&node_type);
    Py_DECREF(large);
    ck_assert(!pyb_inspect_is_freed(large));
    for (int i = 0; i < N; i++)
        Py_DECREF(blocks[i]);
    pyb_heap_trim();
    for (int i = 0; i < N; i++) {
        int held = pyb_sidetable_holds(blocks[i]);

        ck_assert_int_eq(pyb_inspect_is_freed(blocks[i]), held);
        forgotten += !held;
    }
    ck_assert_int_gt(forgotten, N / 2);
}

static PyTypeObject older_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Older",
    .tp_base = &node_type,
};

/* The last 1024 of the dead are known by their types. */
START_TEST(the_dead_are_known_for_a_while)
{
    enum { GHOSTS = 1024 };

    suite_with_checks();
    node_reset();
    ck_assert_int_eq(PyType_Ready(&older_type), 0);
    for (int i = 0; i < GHOSTS; i++)
        blocks[i] = node_new(&node_type);
    struct node *older = node_new(&older_type);
    Py_DECREF(older);
    for (int i = 0; i < GHOSTS - 1; i++) {
        ck_assert_str_eq(pyb_inspect_type(older), "t.Older");
        Py_DECREF(blocks[i]);
    }
    ck_assert_str_eq(pyb_inspect_type(older), "t.Older");
    Py_DECREF(blocks[GHOSTS - 1]);
}

static void
free_what_is_referred_to(void)
{
    suite_with_checks();
    node_reset();
    struct node *node = node_new(&node_type);
    PyObject_GC_Del(Py_NewRef(node));
}

/* The checks watch the end of an object that has moved. */
static PyVarObject *
make_resized(void)
{
    suite_with_checks();
    ck_assert_int_eq(PyType_Ready(&even_type), 0);
    PyVarObject *op = PyObject_GC_NewVar(PyVarObject, &even_type, 1);
    return PyObject_GC_Resize(PyVarObject, op, 2);
}

static void
spoil_resized(void)
{
    PyVarObject *op = make_resized();
    char *last = (char *)op + pyb_heap_block_size(op) - 1;
    *last = (char)~*last;
    PyObject_GC_Del(op);
}

static void
make_misplaced(void)
{
    static PyTypeObject misplaced_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Misplaced",
        .tp_base = &node_type,
        .tp_basicsize = sizeof(struct node),
    };

    suite_with_checks();
    node_reset();
    ck_assert_int_eq(PyType_Ready(&misplaced_type), 0);
    misplaced_type.tp_weaklistoffset = sizeof(struct node);
    node_new(&misplaced_type);
}

START_TEST(checks_name_the_function_or_the_slot)
{
    SUITE_FATAL(free_what_is_referred_to(),
                "Fatal Python error: PyObject_GC_Del: type t.Node: frees an "
                "object with a reference count of 2, object at 0x");
    SUITE_FATAL(spoil_resized(),
                "Fatal Python error: tp_basicsize + n * tp_itemsize: type "
                "t.Even: something was written past the object's end, at +");
    PyObject_GC_Del(make_resized());
    SUITE_FATAL(make_misplaced(),
                "Fatal Python error: tp_weaklistoffset: type t.Misplaced: ",
                " lies outside its objects, object at 0x");
}

START_TEST(each_candidate_is_looked_at)
{
    for (spoiled = 0; spoiled < SPOILS; spoiled++)
        SUITE_FATAL(spoil_one(),
                    "Fatal Python error: tp_basicsize: type t.Node: something "
                    "was written past the object's end");
}

int
main(void)
{
    return suite_run_unquarantined("gc: behind the API");
}
