/* check_gc_validate.c: each function that is fatal where a structure
   contradicts itself is seen to be, and has nothing to say of one that is in
   order; assertions do as they are configured. */

#include "../support/suite.h"

#include "gc/base/extent.h"
#include "gc/base/fatal.h"
#include "gc/check/ownwords.h"
#include "gc/check/validate.h"
#include "gc/control.h"
#include "gc/waiting.h"

/* ------------------------------------------------------------------ */
/* What is in order                                                    */

/* Blocks of the least size, two of which are free at least. */
static struct pyb_size *
some_size(void)
{
    struct pyb_size *s = &pyb_heap.sizes[PYB_GRANULES_MIN + 2];
    void *blocks[2] = {pyb_heap_alloc(64), pyb_heap_alloc(64)};

    for (int i = 0; i < 2; i++) {
        ((struct pyb_block *)blocks[i])->refcnt = 1;
        pyb_heap_free(pyb_line_of(blocks[i]), blocks[i]);
    }
    return s;
}

/* A list of three, young and tracked. */
static PyObject *
some_list(void)
{
    return Py_BuildValue("[iii]", 1, 2, 3);
}

static struct pyb_region *
some_region(void)
{
    return pyb_region_of(some_list());
}

/* The current set; a list is its only member. */
static struct pyb_set
some_set(void)
{
    struct pyb_set set = {
        .generation = PYB_OLD, .state = PYB_STATE_CURRENT, .n = 1};
    PyObject *op = some_list();
    struct pyb_line *line = pyb_line_of(op);

    pyb_sidetable.states |= PYB_STATE_BIT(PYB_STATE_CURRENT);
    pyb_line_set_age(line, pyb_bit_of(op), PYB_FROZEN);
    pyb_fact_set(&line->condemned, pyb_bit_of(op));
    return set;
}

static PyObject *
member(const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_batch batch;

    if (!pyb_walk_next(&walk, &batch))
        _exit(1);
    return pyb_batch_take(&batch);
}

static void
region_freed(void)
{
    suite_with_checks();
    PyObject *op = some_list();
    struct pyb_region *region = pyb_region_of(op);
    *pyb_region_word(region->freed, op) = ~AO_load(&pyb_line_of(op)->held);
    pyb_region_check(region);
}

/* All pages there are, and those that Boehm will hand out, are of one other
   size. */
static void
pages_of_two_sizes(void)
{
    struct pyb_region *region = some_region();

    memset(region->pages, PYB_LARGE, sizeof region->pages);
    PyGC_Disable(); /* a collection would check the region */
    for (;;)
        some_list();
}

static void
recent_circle(void)
{
    struct pyb_line *line;

    PyGC_Disable(); /* they stay recent */
    for (int i = 0; i < 100; i++)
        some_list(); /* on more than one line */
    for (line = pyb_sidetable.recent; line->next_recent != line;)
        line = line->next_recent;
    line->next_recent = pyb_sidetable.recent;
    pyb_recent_check();
}

/* The line of a copy of its region. */
static void
recent_foreign(void)
{
    struct pyb_region *region = some_region();
    struct pyb_region *copy =
        aligned_alloc(PYB_REGION_ALIGN, PYB_REGION_ALIGN);

    memcpy(copy, region, sizeof *copy);
    pyb_sidetable.recent =
        pyb_region_line(copy, pyb_line_base(pyb_sidetable.recent));
    pyb_recent_check();
}

static void
two_sets_wait(void)
{
    struct pyb_set set = some_set(), other = set;

    pyb_waiting_leave(&set); /* what is allocated here may end the wait */
    pyb_waiting_collect(&other);
}

/* Py_Finalize may find another set. */
static void
rescue(struct pyb_set *set)
{
    pyb_condemned_rescue(set, member(set));
    pyb_condemned_rescue_rest(set);
}

static __attribute__((noinline)) void
hold_member(const struct pyb_set *set)
{
    PyObject *volatile op = member(set);

    pyb_ownwords_check(set);
    Py_DECREF(op);
}

static void
own_frame(void)
{
    struct pyb_set set = some_set();
    struct pyb_extent extent;

    pyb_control_begin(&extent);
    hold_member(&set);
}

/* ------------------------------------------------------------------ */
/* Each is broken in a process of its own                              */

START_TEST(regions_that_contradict_themselves_are_fatal)
{
    struct pyb_region *region = some_region();
    PyObject *op = some_list();
    struct pyb_line *line = pyb_line_of(op);
    size_t page = region->pages_end < PYB_REGION_PAGES
                      ? region->pages_end
                      : region->pages_begin - 1;

    SUITE_FATAL((region->pages_begin = region->pages_end + 1,
                 pyb_region_check(region)),
                "pyb_region_check: a region's bounds are none");
    SUITE_FATAL(
        pyb_region_check(
            (void *)&region->lines[PYB_SYSTEM_PAGE / sizeof(struct pyb_line)]),
        "pyb_region_check: lines do not lead to their region");
    SUITE_FATAL(
        (pyb_sidetable.regions[pyb_region_place((void *)region->base)] = NULL,
         pyb_region_check(region)),
        "a region is not where the table looks for it");
    SUITE_FATAL(
        (region->pages[page] = PYB_GRANULES_MIN, pyb_region_check(region)),
        "pyb_region_check: a page is ours outside");
    SUITE_FATAL((*pyb_region_page(region, op) = 0, pyb_region_check(region)),
                "a block is held in a page that is not ours");
    SUITE_FATAL((*pyb_region_page(region, op) = PYB_GRANULES_MIN - 1,
                 pyb_region_check(region)),
                "a page has blocks of no size that there is");
    SUITE_FATAL((*pyb_region_word(region->adopted, op) = ~AO_load(&line->held),
                 pyb_region_check(region)),
                "an adopted object is not held");
    SUITE_FATAL((line->size = &pyb_heap.large, pyb_region_check(region)),
                "a line's size is not its page's");
    SUITE_FATAL((*pyb_region_gcref(region, op) = PYB_GRANULE_BYTES,
                 pyb_gcrefs_check()),
                "a gcref is left over");
    SUITE_FATAL(
        (pyb_fact_set(&line->held, pyb_bit_of(op) << 1 | pyb_bit_of(op) >> 1),
         pyb_region_check(region)),
        "a block begins in the middle of another one");
    SUITE_FATAL(pages_of_two_sizes(), "two sizes of blocks in one page");
    SUITE_FATAL(region_freed(), "a freed block is not held");
}

START_TEST(lines_that_contradict_themselves_are_fatal)
{
    PyObject *op = some_list();
    struct pyb_line *line = pyb_line_of(op);

    SUITE_FATAL((line->age1 |= pyb_bit_of(op),
                 line->tracked &= ~pyb_bit_of(op), pyb_line_check(line)),
                "an object has a generation and is not tracked");
    SUITE_FATAL(
        (pyb_fact_clear(&line->held, pyb_bit_of(op)), pyb_line_check(line)),
        "the side table knows an object that is not held");
    SUITE_FATAL((line->next_recent = NULL, pyb_line_check(line)),
                "a line with young objects is not on the list");
    SUITE_FATAL((pyb_sidetable.recent = NULL, pyb_recent_check()),
                "pyb_recent_check: a line is not on the list of recent");
    SUITE_FATAL((pyb_sidetable.recent->next_recent = NULL, pyb_recent_check()),
                "a line is on the list of recent ones and does not");
    SUITE_FATAL(recent_circle(), "the list of recent lines does not end");
    SUITE_FATAL(recent_foreign(),
                "what is on the list of recent lines is no line");
}

START_TEST(sizes_that_contradict_themselves_are_fatal)
{
    struct pyb_size *s = some_size();
    static struct pyb_block block;

    SUITE_FATAL((s->free->next = s->free, pyb_size_check(s)),
                "pyb_size_check: a free list is too long");
    SUITE_FATAL((s->free = s->free->next, pyb_size_check(s)),
                "pyb_size_check: a free list is too short");
    SUITE_FATAL((pyb_line_of(s->free)->tracked |= pyb_bit_of(s->free),
                 pyb_size_check(s)),
                "the side table knows an object in a free block");
    SUITE_FATAL((s->free->refcnt = 1, pyb_size_check(s)),
                "a block on a free list holds an object");
    SUITE_FATAL(
        (pyb_line_of(s->free)->size = &pyb_heap.large, pyb_size_check(s)),
        "a block is on another size's list");
    SUITE_FATAL((s->nheld = 0, pyb_size_check(s)),
                "pyb_size_check: more blocks are free than held");
    SUITE_FATAL((s->granules++, pyb_size_check(s)),
                "pyb_size_check: a size is not its own");
    SUITE_FATAL(
        (block.next = s->free->next, s->free = &block, pyb_size_check(s)),
        "a block on a free list is not held");
    SUITE_FATAL((s->nheld++, pyb_heap_check()),
                "pyb_heap_check: not as many blocks are held");
    SUITE_FATAL((pyb_heap.held_bytes++, pyb_heap_check()),
                "pyb_heap_check: not as many bytes are held");
    SUITE_FATAL((pyb_boehm_count_live(PYB_GRANULE_BYTES), pyb_heap_check()),
                "Boehm was told of other bytes than are held");
}

START_TEST(sets_that_contradict_themselves_are_fatal)
{
    struct pyb_set set = some_set();
    PyObject *op = member(&set);

    SUITE_FATAL((pyb_sidetable.states = 0, pyb_condemned_check(&set)),
                "pyb_condemned_check: the side table does not know of a set");
    SUITE_FATAL((set.rescued = 1, pyb_condemned_check(&set)),
                "pyb_condemned_check: a set has more members");
    SUITE_FATAL((op->ob_refcnt = PYB_DEAD_REFCNT, pyb_condemned_check(&set)),
                "a member of a set is a free block");
    SUITE_FATAL(pyb_condemned_done_check(&set),
                "pyb_condemned_done_check: a set is done and has members");
    SUITE_FATAL((Py_SET_TYPE(op, &PyLong_Type), pyb_condemned_check(&set)),
                "a member of a set is no container");
    SUITE_FATAL((set.state = PYB_STATE_APART, pyb_condemned_check(&set)),
                "pyb_condemned_check: no set is in such a state");
    SUITE_FATAL((set.generation = PYB_FROZEN, pyb_condemned_check(&set)),
                "pyb_condemned_check: a set was found in no generation");
    SUITE_FATAL((pyb_condemned.busy = 1, pyb_condemned_tear_down(&set)),
                "begin_work: a set is being torn down already");
    SUITE_FATAL((pyb_sidetable.states = PYB_STATE_BIT(PYB_STATE_WAITING),
                 pyb_line_check(pyb_line_of(op))),
                "pyb_line_check: a condemned object is in a set that");
    SUITE_FATAL((pyb_line_of(op)->tracked &= ~pyb_bit_of(op),
                 pyb_condemned_check(&set)),
                "pyb_condemned_check: a member of a set is not tracked");
    rescue(&set);
}

START_TEST(what_contradicts_a_set_is_fatal)
{
    SUITE_FATAL(two_sets_wait(), "pyb_waiting_collect: a set waits already");
    SUITE_FATAL(own_frame(), "a word in the library's frames, at 0x");
}

START_TEST(what_is_in_order_is_not)
{
    struct pyb_region *region = some_region();
    struct pyb_set set;

    pyb_region_check(region);
    pyb_size_check(some_size());
    pyb_recent_check();
    pyb_gcrefs_check();
    pyb_heap_check();
    set = some_set();
    pyb_condemned_check(&set);
    pyb_heap_check();
    pyb_line_check(pyb_line_of(member(&set)));
    rescue(&set);
    pyb_condemned_done_check(&set);
    ck_assert_uint_eq(set.rescued, 1);
}

/* ------------------------------------------------------------------ */
/* Assertions                                                          */

static int evaluated;

static int
evaluate(int result)
{
    evaluated++;
    return result;
}

static void
fail_assertion(void)
{
    PYB_ASSERT(evaluate(0));
}

static void
fail_object_assertion(void)
{
    PYB_ASSERT_OBJECT(evaluate(0), some_list());
}

START_TEST(assertions_are_as_configured)
{
    PYB_ASSERT(evaluate(1));
    ck_assert_int_eq(evaluated, pyb_assertions > 0);
    PYB_EXPENSIVE(evaluate(0));
    ck_assert_int_eq(evaluated, pyb_assertions);
    if (pyb_assertions == 0) {
        fail_assertion();
        fail_object_assertion();
        ck_assert_int_eq(evaluated, 0);
        return;
    }
    SUITE_FATAL(fail_assertion(), "check_gc_validate.c:",
                ": fail_assertion: Assertion failed: evaluate(0)\n",
                "Fatal Python error: fail_assertion: evaluate(0)\n");
    SUITE_FATAL(fail_object_assertion(), "object type name: list\n",
                "Fatal Python error: fail_object_assertion: type list: "
                "evaluate(0), object at 0x");
}
