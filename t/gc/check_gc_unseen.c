/* check_gc_unseen.c: what Boehm does not see goes.

   One word too many that leads to such a structure keeps all of it, in each
   collection anew.  So nothing of the library's may be one while Boehm is
   asked, and no object is where bdwgc itself keeps an address. */

#include "../support/adopted.h"
#include "../support/fiber.h"
#include "../support/smallstack.h"
#include "../support/suite.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <dlfcn.h>
#include <gc/gc.h>
#include <pyboehm.h>

/* The nodes of a structure, in malloc's memory. */
static struct node **nodes;
static long n;

static struct node *
at(long i)
{
    return i >= 0 && i < n ? nodes[i] : NULL;
}

static unsigned long
random_number(void)
{
    static unsigned long state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

static struct node *
any(void)
{
    return at((long)(random_number() % (unsigned long)n));
}

static void
link_list(long i)
{
    node_link(at(i), at(i + 1), NULL);
}

static void
link_both_ways(long i)
{
    node_link(at(i), at(i + 1), at(i - 1));
}

static void
link_tree(long i)
{
    node_link(at(i), at(2 * i + 1), at(2 * i + 2));
}

static void
link_ring(long i)
{
    node_link(at(i), at((i + 1) % n), NULL);
}

static void
link_graph(long i)
{
    node_link(at(i), any(), any());
}

/* From node to block to node. */
static void
link_through_blocks(long i)
{
    void **block = GC_MALLOC(sizeof *block);

    *block = at((i + 1) % n);
    at(i)->host = block;
}

static __attribute__((noinline)) void
build(long size, void (*link)(long i))
{
    n = size;
    nodes = suite_require(malloc((size_t)n * sizeof(struct node *)));
    for (long i = 0; i < n; i++)
        nodes[i] = node_new(&node_type);
    for (long i = 0; i < n; i++)
        link(i);
    for (long i = 0; i < n; i++)
        adopt(nodes[i]);
    memset(nodes, 0, (size_t)n * sizeof(struct node *));
    free(nodes);
}

/* A whole collection, of both heaps. */
static void
collect_all(void)
{
    suite_forget_stack();
    PyGC_Enable();
    PyGC_Collect();
    PyGC_Disable();
}

/* All but what stale words of the test's own may keep. */
enum { STALE = 3 };

static void
goes(void (*link)(long i))
{
    for (long size = 10; size <= (suite_is_slow() ? 1000 : 100000);
         size *= 10) {
        adopted_begin();
        build(size, link);
        collect_all();
        collect_all();
        ck_assert_int_ge(node_log.freed, size - STALE);
        suite_free_adopted();
        GC_FREE(host);
    }
}

START_TEST(lists_go)
{
    goes(link_list);
}

START_TEST(lists_that_are_linked_both_ways_go)
{
    goes(link_both_ways);
}

START_TEST(trees_go)
{
    goes(link_tree);
}

START_TEST(rings_go)
{
    goes(link_ring);
}

START_TEST(graphs_go)
{
    goes(link_graph);
}

/* Where the caller's stack is does not matter. */
static void
shapes_go(void)
{
    goes(link_ring);
    goes(link_both_ways);
    goes(link_graph);
}

static __attribute__((noinline)) void
shapes_go_below(int frames)
{
    volatile char frame[1000] = {0};

    if (frames > 0)
        shapes_go_below(frames - 1);
    else
        shapes_go();
    ck_assert_int_eq(frame[frames % 1000], 0);
}

START_TEST(they_go_deep_in_the_stack)
{
    shapes_go_below(1000);
}

START_TEST(they_go_in_a_thread)
{
    smallstack_thread(256 << 10, shapes_go);
}

START_TEST(they_go_on_a_fiber)
{
    if (suite_is_there(fiber_can(), "fibers"))
        smallstack_fiber(256 << 10, shapes_go);
}

START_TEST(they_go_with_incremental_marking)
{
    GC_enable_incremental();
    if (suite_is_there(GC_is_incremental_mode(), "incremental marking"))
        shapes_go();
}

/* The host's blocks may begin a chunk, and then Boehm keeps them itself: all
   of these lie in one. */
START_TEST(cycles_through_the_host_go)
{
    ck_assert_int_ne(GC_expand_hp(64 << 20), 0);
    goes(link_through_blocks);
}

/* The chunks of Boehm's lie one below the other, and the end of the last one,
   which Boehm keeps in a variable, is where the one before begins. */
START_TEST(what_begins_with_a_chunk_goes)
{
    enum { CHUNK = 1 << 18 };

    for (int i = 0; i < 20; i++) {
        adopted_begin();
        ck_assert_int_ne(GC_expand_hp(CHUNK), 0);
        build(CHUNK / (long)sizeof(struct node) / 2, link_ring);
        collect_all();
        ck_assert_int_eq(node_log.freed, node_log.made);
        GC_FREE(host);
    }
}

static PyObject *referent;

static void
make_weakref(int Py_UNUSED(i))
{
    PyObject *callback = PyLong_FromLong(1000); /* so that it is not shared */

    PyBoehm_Adopt(PyWeakref_NewRef(referent, callback));
    Py_DECREF(callback);
}

static int
count_weakref(PyObject *op, void *count)
{
    *(int *)count += PyWeakref_Check(op);
    return 1;
}

static int
weakrefs(void)
{
    int count = 0;

    PyUnstable_GC_VisitObjects(count_weakref, &count);
    return count;
}

/* Those to one object form a list that begins there. */
START_TEST(weak_references_go)
{
    int before = weakrefs();

    adopted_begin();
    referent = PySet_New(NULL);
    make_many(make_weakref);
    ck_assert_int_eq(weakrefs(), before + MANY);
    collect_all();
    collect_all();
    ck_assert_int_le(weakrefs(), before + STALE);
    suite_free_adopted();
    Py_DECREF(referent);
    GC_FREE(host);
}

static PyTypeObject half_page_type = {
    NODE_TYPE("t.HalfPage", node_dealloc, node_traverse, node_clear)};
static PyTypeObject quarter_page_type = {
    NODE_TYPE("t.QuarterPage", node_dealloc, node_traverse, node_clear)};

static void
ready(PyTypeObject *type, Py_ssize_t size)
{
    type->tp_basicsize = size;
    ck_assert_int_eq(PyType_Ready(type), 0);
}

static __attribute__((noinline)) void
fill(PyTypeObject *type, long count)
{
    while (count-- > 0)
        nodes[n++] = (struct node *)PyType_GenericAlloc(type, 0);
}

static __attribute__((noinline)) void
drop_all(void)
{
    while (n > 0)
        Py_CLEAR(nodes[--n]);
    suite_forget_stack();
}

/* Static data has the address of each second half of a page whose first one
   begins a chunk: that is left out. */
static void *second_halves[100];

static __attribute__((noinline)) long
find_second_halves(Py_ssize_t size)
{
    long found = 0;

    for (long i = 0; i < n; i++) {
        char *half = (char *)nodes[i];
        long j = 0;

        if ((uintptr_t)half % 4096 != (uintptr_t)size)
            continue;
        while (j < n && (char *)nodes[j] != half - size)
            j++;
        if (j == n && found < (long)Py_ARRAY_LENGTH(second_halves))
            second_halves[found++] = half;
    }
    return found;
}

static void
let_boehm_sweep(void)
{
    for (int i = 0; i < 3; i++) {
        suite_forget_stack();
        GC_gcollect();
    }
}

/* The first halves come back, are left out again, and nothing in their pages
   is ours: Boehm may give these to objects of another size. */
START_TEST(a_page_with_the_beginning_of_a_chunk_alone_is_not_ours)
{
    enum { CHUNKS = 12, CHUNK = 1 << 18, HALF = 2000, QUARTER = 1008 };

    ready(&half_page_type, HALF);
    ready(&quarter_page_type, QUARTER);
    nodes = suite_require(calloc(1 << 16, sizeof(struct node *)));
    n = 0;
    for (int i = 0; i < CHUNKS; i++) {
        ck_assert_int_ne(GC_expand_hp(CHUNK), 0);
        fill(&half_page_type, CHUNK / 2048);
    }
    /* With checks blocks have other sizes. */
    (void)suite_is_there(find_second_halves(HALF) > 0, "such a page");
    drop_all();
    PyGC_Collect();
    let_boehm_sweep();
    fill(&half_page_type, 3000);
    memset(second_halves, 0, sizeof second_halves);
    let_boehm_sweep();
    fill(&quarter_page_type, 12000);
    drop_all();
    free(nodes);
}

/* Whatever the host has in its frame is seen. */
START_TEST(a_word_in_the_host_s_frame_keeps_all_of_it)
{
    struct node *volatile seen;
    long size = 1000;

    adopted_begin();
    build(size, link_ring);
    collect_all();
    ck_assert_int_eq(node_log.freed, size);
    seen = adopt(node_ring(&node_type, size));
    for (int i = 0; i < 3; i++) {
        collect_all();
        ck_assert_int_eq(node_log.freed, size);
    }
    ck_assert_int_eq(PyBoehm_IsAdopted((PyObject *)seen), 1);
    seen = NULL;
    suite_free_adopted();
}

/* ------------------------------------------------------------------ */
/* The variables of the library                                        */

enum { BLOCKS = 8 };
static int blocks_gone;

static void GC_CALLBACK
block_gone(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    blocks_gone++;
}

static char *
new_block(void)
{
    char *block = suite_require(GC_MALLOC_ATOMIC(64));

    GC_REGISTER_FINALIZER_NO_ORDER(block, block_gone, NULL, NULL, NULL);
    return strcpy(block, "still here");
}

/* The table of watchers is a variable; none of them is called. */
__attribute__((noinline)) static void
hide_blocks(int *ids)
{
    union {
        char *block;
        PyType_WatchCallback callback;
    } word;

    for (int i = 0; i < BLOCKS; i++) {
        word.block = new_block();
        ids[i] = PyType_AddWatcher(word.callback);
        ck_assert_int_ge(ids[i], 0);
    }
}

START_TEST(variables_are_no_roots)
{
    int ids[BLOCKS];

    if (!suite_has("LINK_H") ||
        !suite_is_there(dlsym(RTLD_DEFAULT, "PyType_AddWatcher") != NULL,
                        "shared library"))
        return;
    hide_blocks(ids);
    suite_forget_stack();
    GC_gcollect();
    GC_gcollect();
    ck_assert_int_ge(blocks_gone, BLOCKS - 2); /* stale words on the stack */
    for (int i = 0; i < BLOCKS; i++)
        ck_assert_int_eq(PyType_ClearWatcher(ids[i]), 0);
}

static int calls_made;

static int
take_block(void *block)
{
    calls_made += strcmp(block, "still here") == 0;
    return 0;
}

static int
hear_warning(PyObject *Py_UNUSED(category), const char *Py_UNUSED(text),
             void *block)
{
    return take_block(block);
}

static void
hear_unraisable(PyObject *Py_UNUSED(exception), const char *Py_UNUSED(message),
                PyObject *Py_UNUSED(object), void *block)
{
    take_block(block);
}

__attribute__((noinline)) static void
give_blocks(void)
{
    for (int i = 0; i < BLOCKS; i++)
        ck_assert_int_eq(Py_AddPendingCall(take_block, new_block()), 0);
    PyBoehm_SetWarningHook(hear_warning, new_block());
    PyBoehm_SetUnraisableHook(hear_unraisable, new_block());
}

START_TEST(what_the_host_leaves_there_is_seen)
{
    give_blocks();
    suite_forget_stack();
    GC_gcollect();
    GC_gcollect();
    ck_assert_int_eq(blocks_gone, 0);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    ck_assert_int_eq(calls_made, BLOCKS);
    ck_assert_int_eq(PyErr_WarnEx(PyExc_UserWarning, "now", 1), 0);
    ck_assert_int_eq(calls_made, BLOCKS + 1);
    PyErr_SetString(PyExc_ValueError, "now");
    PyErr_WriteUnraisable(NULL);
    ck_assert_int_eq(calls_made, BLOCKS + 2);
}
