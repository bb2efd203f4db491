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
/* What is broken, in a process of its own                             */

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

/* ------------------------------------------------------------------ */
/* The collector's                                                     */

static void
region_bounds(void)
{
    struct pyb_region *region = some_region();
    size_t page = region->pages_end < PYB_REGION_PAGES
                      ? region->pages_end
                      : region->pages_begin - 1;

    region->pages[page] = PYB_GRANULES_MIN;
    pyb_region_check(region);
}

static void
region_page(void)
{
    struct pyb_region *region = some_region();
    PyObject *op = some_list();

    *pyb_region_page(region, op) = 0;
    pyb_region_check(region);
}

static void
region_page_size(void)
{
    struct pyb_region *region = some_region();
    PyObject *op = some_list();

    *pyb_region_page(region, op) = PYB_GRANULES_MIN - 1;
    pyb_region_check(region);
}

static void
region_line_size(void)
{
    PyObject *op = some_list();

    pyb_line_of(op)->size = &pyb_heap.large;
    pyb_region_check(pyb_region_of(op));
}

static void
region_ends(void)
{
    struct pyb_region *region = some_region();

    region->pages_begin = region->pages_end + 1;
    pyb_region_check(region);
}

static void
region_aligned(void)
{
    struct pyb_region *region = some_region();

    pyb_region_check(
        (void *)&region->lines[PYB_SYSTEM_PAGE / sizeof(struct pyb_line)]);
}

static void
region_lost(void)
{
    struct pyb_region *region = some_region();

    pyb_sidetable.regions[pyb_region_place((void *)region->base)] = NULL;
    pyb_region_check(region);
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
region_block(void)
{
    struct pyb_region *region = some_region();
    PyObject *op = some_list();
    struct pyb_line *line = pyb_line_of(op);

    pyb_fact_set(&line->held, pyb_bit_of(op) << 1 | pyb_bit_of(op) >> 1);
    pyb_region_check(region);
}

static void
region_adopted(void)
{
    struct pyb_region *region = some_region();
    PyObject *op = some_list();

    *pyb_region_word(region->adopted, op) = ~AO_load(&pyb_line_of(op)->held);
    pyb_region_check(region);
}

static void
size_circle(void)
{
    struct pyb_size *s = some_size();

    s->free->next = s->free;
    pyb_size_check(s);
}

static void
size_short(void)
{
    struct pyb_size *s = some_size();

    s->free = s->free->next;
    pyb_size_check(s);
}

static void
size_tracked(void)
{
    struct pyb_size *s = some_size();

    pyb_line_of(s->free)->tracked |= pyb_bit_of(s->free);
    pyb_size_check(s);
}

static void
size_used(void)
{
    struct pyb_size *s = some_size();

    s->free->refcnt = 1;
    pyb_size_check(s);
}

static void
size_foreign(void)
{
    struct pyb_size *s = some_size();
    static struct pyb_block block;

    block.next = s->free->next;
    s->free = &block;
    pyb_size_check(s);
}

static void
size_other(void)
{
    struct pyb_size *s = some_size();

    pyb_line_of(s->free)->size = &pyb_heap.large;
    pyb_size_check(s);
}

static void
size_held(void)
{
    struct pyb_size *s = some_size();

    s->nheld = 0;
    pyb_size_check(s);
}

static void
size_granules(void)
{
    struct pyb_size *s = some_size();

    s->granules++;
    pyb_size_check(s);
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

static void
recent_lost(void)
{
    some_list();
    pyb_sidetable.recent = NULL;
    pyb_recent_check();
}

static void
recent_ignorant(void)
{
    some_list();
    pyb_sidetable.recent->next_recent = NULL;
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
gcref_left(void)
{
    PyObject *op = some_list();

    *pyb_region_gcref(pyb_region_of(op), op) = PYB_GRANULE_BYTES;
    pyb_gcrefs_check();
}

static void
heap_count(void)
{
    some_size()->nheld++;
    pyb_heap_check();
}

static void
heap_bytes(void)
{
    pyb_heap.held_bytes++;
    pyb_heap_check();
}

static void
set_unknown(void)
{
    struct pyb_set set = some_set();

    pyb_sidetable.states = 0;
    pyb_set_check(&set);
}

static void
set_too_many(void)
{
    struct pyb_set set = some_set();

    set.rescued = 1;
    pyb_set_check(&set);
}

static void
set_untracked(void)
{
    struct pyb_set set = some_set();
    PyObject *op = member(&set);

    pyb_line_of(op)->tracked &= ~pyb_bit_of(op);
    pyb_set_check(&set);
}

static void
set_free_member(void)
{
    struct pyb_set set = some_set();

    member(&set)->ob_refcnt = PYB_DEAD_REFCNT;
    pyb_set_check(&set);
}

static void
set_done(void)
{
    struct pyb_set set = some_set();

    pyb_set_done_check(&set);
}

static void
set_plain_member(void)
{
    struct pyb_set set = some_set();

    Py_SET_TYPE(member(&set), &PyLong_Type);
    pyb_set_check(&set);
}

static void
set_mark(void)
{
    struct pyb_set set = some_set();

    set.state = PYB_STATE_APART;
    pyb_set_check(&set);
}

static void
set_generation(void)
{
    struct pyb_set set = some_set();

    set.generation = PYB_FROZEN;
    pyb_set_check(&set);
}

static void
two_sets_torn_down(void)
{
    struct pyb_set set = some_set();

    pyb_condemned.busy = 1;
    pyb_set_tear_down(&set);
}

static void
two_sets_wait(void)
{
    struct pyb_set set = some_set(), other = set;

    pyb_waiting_leave(&set); /* what is allocated here may end the wait */
    pyb_waiting_collect(&other);
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

static void
boehm_was_told_more(void)
{
    pyb_boehm_count_live(PYB_GRANULE_BYTES);
    pyb_heap_check();
}

static void
line_untracked(void)
{
    PyObject *op = some_list();
    struct pyb_line *line = pyb_line_of(op);

    line->age1 |= pyb_bit_of(op);
    line->tracked &= ~pyb_bit_of(op);
    pyb_line_check(line);
}

static void
line_not_held(void)
{
    PyObject *op = some_list();
    struct pyb_line *line = pyb_line_of(op);

    pyb_fact_clear(&line->held, pyb_bit_of(op));
    pyb_line_check(line);
}

static void
line_not_recent(void)
{
    struct pyb_line *line = pyb_line_of(some_list());

    line->next_recent = NULL;
    pyb_line_check(line);
}

static void
frozen_member(void)
{
    struct pyb_set set = some_set();

    pyb_sidetable.states = PYB_STATE_BIT(PYB_STATE_WAITING);
    pyb_line_check(pyb_line_of(member(&set)));
}

/* ------------------------------------------------------------------ */

static const struct {
    void (*break_it)(void);
    const char *said;
} breaks[] = {
    {region_bounds, "pyb_region_check: a page is ours outside"},
    {region_page, "a block is held in a page that is not ours"},
    {region_page_size, "a page has blocks of no size that there is"},
    {region_line_size, "a line's size is not its page's"},
    {region_ends, "pyb_region_check: a region's bounds are none"},
    {region_aligned, "pyb_region_check: lines do not lead to their region"},
    {region_lost, "a region is not where the table looks for it"},
    {region_freed, "a freed block is not held"},
    {pages_of_two_sizes, "two sizes of blocks in one page"},
    {region_block, "a block begins in the middle of another one"},
    {region_adopted, "an adopted object is not held"},
    {size_circle, "pyb_size_check: a free list is too long"},
    {size_short, "pyb_size_check: a free list is too short"},
    {size_tracked, "the side table knows an object in a free block"},
    {size_used, "a block on a free list holds an object"},
    {size_foreign, "a block on a free list is not held"},
    {size_other, "a block is on another size's list"},
    {size_held, "pyb_size_check: more blocks are free than held"},
    {size_granules, "pyb_size_check: a size is not its own"},
    {recent_circle, "the list of recent lines does not end"},
    {recent_lost, "pyb_recent_check: a line is not on the list of recent"},
    {recent_ignorant, "a line is on the list of recent ones and does not"},
    {recent_foreign, "what is on the list of recent lines is no line"},
    {gcref_left, "a gcref is left over"},
    {heap_count, "pyb_heap_check: not as many blocks are held"},
    {heap_bytes, "pyb_heap_check: not as many bytes are held"},
    {boehm_was_told_more, "Boehm was told of other bytes than are held"},
    {own_frame, "a word in the library's frames, at 0x"},
    {set_unknown, "pyb_set_check: the side table does not know of a set"},
    {set_too_many, "pyb_set_check: a set has more members"},
    {set_untracked, "pyb_set_check: a member of a set is not tracked"},
    {set_free_member, "a member of a set is a free block"},
    {set_done, "pyb_set_done_check: a set is done and has members"},
    {set_plain_member, "a member of a set is no container"},
    {set_mark, "pyb_set_check: no set is in such a state"},
    {set_generation, "pyb_set_check: a set was found in no generation"},
    {two_sets_torn_down, "begin_work: a set is being torn down already"},
    {two_sets_wait, "pyb_waiting_collect: a set waits already"},
    {line_untracked, "an object has a generation and is not tracked"},
    {line_not_held, "the side table knows an object that is not held"},
    {line_not_recent, "a line with young objects is not on the list"},
    {frozen_member, "pyb_line_check: a condemned object is in a set that"},
};

START_TEST(what_contradicts_itself_is_fatal)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(breaks); i++)
        suite_fatal(breaks[i].break_it, breaks[i].said, NULL);
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
    pyb_set_check(&set);
    pyb_heap_check();
    pyb_line_check(pyb_line_of(member(&set)));
    pyb_condemned_rescue(&set, member(&set));
    pyb_condemned_rescue_rest(&set); /* Py_Finalize may find another one */
    pyb_set_done_check(&set);
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
    suite_fatal(fail_assertion, "check_gc_validate.c:",
                ": fail_assertion: Assertion failed: evaluate(0)\n",
                "Fatal Python error: fail_assertion: evaluate(0)\n", NULL);
    suite_fatal(fail_object_assertion, "object type name: list\n",
                "Fatal Python error: fail_object_assertion: type list: "
                "evaluate(0), object at 0x",
                NULL);
}
