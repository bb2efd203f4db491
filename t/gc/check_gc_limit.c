/* check_gc_limit.c: Boehm's heap is full: MemoryError, nothing is lost, and
   work goes on when there is room again.

   The limit is real, GC_set_max_heap_size; so is the host's function that
   Boehm asks when there is no memory, GC_set_oom_fn. */

#include "../support/node.h"
#include "../support/suite.h"

#include <gc/gc.h>
#include <pyboehm.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROOM = 4 << 20 };

/* From here on the heap may have so many bytes and no more; 0: as many as
   there are.  Boehm would tell each time that it may not grow. */
static void
limit_heap_to(GC_word bytes)
{
    node_reset();
    GC_set_warn_proc(GC_ignore_warn_proc);
    GC_set_max_heap_size(bytes);
}

static void
limit_heap(void)
{
    limit_heap_to(GC_get_heap_size() + ROOM);
}

static void
assert_no_memory(void *op)
{
    suite_refused(op, PyExc_MemoryError, NULL);
}

/* A node in front of a chain, which it takes over; NULL: no memory, and the
   chain is the caller's still. */
static struct node *
grow(struct node *chain)
{
    struct node *node = PyObject_GC_New(struct node, &node_type);

    if (node == NULL)
        return NULL;
    *node = (struct node){.ob_base = node->ob_base,
                          .left = (PyObject *)chain,
                          .label = chain != NULL ? chain->label + 1 : 1};
    PyObject_GC_Track((PyObject *)node);
    return node;
}

/* A chain as long as there is room for; takes the MemoryError. */
static struct node *
fill(void)
{
    struct node *chain = NULL, *next;

    while ((next = grow(chain)) != NULL)
        chain = next;
    assert_no_memory(next);
    ck_assert_ptr_nonnull(chain);
    return chain;
}

static void
assert_chain(struct node *node)
{
    for (long label = node->label; label > 0; label--) {
        ck_assert_int_eq(node->label, label);
        node = (struct node *)node->left;
    }
    ck_assert_ptr_null(node);
}

/* Takes the chain away, the other way round too: the next is as long, but for
   the pages that blocks of other sizes have. */
static void
assert_room_comes_back(struct node *chain)
{
    long length = chain->label, freed = node_log.freed;

    Py_DECREF(chain);
    ck_assert_int_eq(node_log.freed, freed + length);
    chain = fill();
    ck_assert_int_ge(chain->label, length / 2);
    assert_chain(chain);
    Py_DECREF(chain);
}

START_TEST(the_heap_is_full_of_the_living)
{
    limit_heap();
    struct node *chain = fill();
    ck_assert_int_ge(chain->label, ROOM / 2 / (long)sizeof(struct node));
    assert_chain(chain);
    assert_no_memory(grow(NULL));        /* it stays so */
    ck_assert_int_eq(PyGC_Collect(), 0); /* nothing of it is garbage */
    assert_chain(chain);
    ck_assert_int_eq(node_log.freed, 0);
    assert_room_comes_back(chain);
}

/* Without automatic collections cycles fill it.  There is no room for the set
   either, which the collection finds elsewhere. */
START_TEST(the_heap_is_full_of_garbage)
{
    limit_heap();
    PyGC_Disable();
    for (int round = 0; round < 3; round++) {
        node_log.freed = 0;
        struct node *chain = fill(), *end = chain;
        long length = chain->label;

        while (end->left != NULL)
            end = (struct node *)end->left;
        end->left = (PyObject *)chain; /* the reference that was ours */
        ck_assert_int_eq(node_log.freed, 0);
        PyGC_Enable();
        ck_assert_int_eq(PyGC_Collect(), length);
        PyGC_Disable();
        ck_assert_int_eq(node_log.freed, length);
    }
    assert_room_comes_back(fill());
}

/* Adopted nodes, as many as there is room for: each refers to itself, or to
   the next one; nothing of the caller's refers to them.  Returns how many. */
enum shape { RINGS, CHAIN };

static __attribute__((noinline)) long
fill_with_adopted(enum shape shape)
{
    struct node *node, *last = NULL;
    long n = 0;

    while ((node = grow(NULL)) != NULL) {
        if (shape == RINGS)
            node_link(node, node, NULL);
        else if (last != NULL)
            node_link(last, node, NULL);
        last = (struct node *)PyBoehm_Adopt((PyObject *)node);
        n++;
    }
    return n;
}

/* What has to be there for an answer of Boehm's was taken before.  With
   nothing else at hand blocks are taken that Boehm keeps itself, see heap.c:
   few, the last ones, which lead to no others. */
static void
assert_full_of_adopted_goes(enum shape shape, long least)
{
    enum { FEW = 20 };

    PyGC_Disable();
    node_log.freed = 0;
    long n = fill_with_adopted(shape);
    int refused = PyErr_ExceptionMatches(PyExc_MemoryError);
    PyErr_Clear();
    PyGC_Enable();
    suite_forget_stack();
    Py_ssize_t collected = PyGC_Collect();

    ck_assert_int_ne(refused, 0);
    ck_assert_int_ge(n, least);
    ck_assert_int_ge(collected, n - FEW);
    ck_assert_int_ge(node_log.freed, n - FEW);
}

START_TEST(the_heap_is_full_of_what_is_adopted)
{
    limit_heap();
    for (int round = 0; round < 3; round++)
        assert_full_of_adopted_goes(round % 2 == 0 ? RINGS : CHAIN,
                                    ROOM / 2 / (long)sizeof(struct node));
}

/* A counter of Boehm's may look like an address of a large heap that lies low,
   as it does under valgrind. */
static int
lies_high(void)
{
    return (uintptr_t)GC_MALLOC(1) > UINT32_MAX;
}

START_TEST(a_large_heap_is_full_of_what_is_adopted)
{
    static const long sizes[] = {10, 20, 64};

    if (!suite_is_there(lies_high(),
                        "heap at addresses that no counter reaches"))
        return;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(sizes); i++) {
        long bytes = sizes[i] << 20,
             least = bytes / 2 / (long)sizeof(struct node);

        limit_heap_to((GC_word)bytes);
        assert_full_of_adopted_goes(RINGS, least);
        assert_full_of_adopted_goes(CHAIN, least);
    }
}

/* The addresses that this process has. */
static rlim_t
addresses(void)
{
    unsigned long pages;
    FILE *file = suite_require(fopen("/proc/self/statm", "r"));

    ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* From here on the process may have so many more addresses.  0: it is one that
   a sanitizer has, which needs more than there are. */
static int
limit_addresses(rlim_t more)
{
    struct rlimit limit;

    if (!suite_is_there(suite_knows_malloc(), "glibc's malloc"))
        return 0;
    limit_heap_to(0);
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = addresses() + more;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    return 1;
}

/* Each in a process of its own: the last blocks that Boehm gets may lie where
   there is no memory for another region, and are what it gives first when the
   others are free again. */
START_TEST(the_address_space_is_full_of_adopted_rings)
{
    if (limit_addresses(100 << 20))
        assert_full_of_adopted_goes(RINGS, 100000);
}

START_TEST(the_address_space_is_full_of_an_adopted_chain)
{
    if (limit_addresses(100 << 20))
        assert_full_of_adopted_goes(CHAIN, 100000);
}

/* Automatic collections keep it from filling up. */
START_TEST(garbage_alone_never_fills_the_heap)
{
    enum { RING = 100, TIMES = 4 };
    long count = TIMES * ROOM / (long)sizeof(struct node) / RING;

    limit_heap();
    int before = GC_get_finalize_on_demand();
    GC_set_finalize_on_demand(0); /* or the sets are not torn down */
    for (long i = 0; i < count; i++)
        node_drop_ring(&node_type, RING);
    PyGC_Collect();
    ck_assert_int_eq(node_log.freed, count * RING);
    GC_set_finalize_on_demand(before);
}

START_TEST(a_large_object_has_no_room)
{
    enum { ITEMS = 2 * ROOM / sizeof(PyObject *) };

    limit_heap();
    struct node *node = node_new(&node_type);
    assert_no_memory(PyTuple_New(ITEMS));
    PyObject *list = suite_require(PyList_New(0));
    Py_DECREF(list);
    PyObject *tuple = suite_require(PyTuple_New(ITEMS / 8));
    suite_drop(tuple, node);
    ck_assert_int_eq(node_log.freed, 1);
}

START_TEST(a_resize_without_room_keeps_the_object)
{
    enum { ITEMS = 1000 };

    limit_heap();
    PyTupleObject *tuple =
        PyObject_GC_NewVar(PyTupleObject, &PyTuple_Type, ITEMS);
    ck_assert_ptr_nonnull(tuple);
    for (int i = 0; i < ITEMS; i++)
        tuple->ob_item[i] = PyLong_FromLong(1000 + i);
    assert_no_memory(PyObject_GC_Resize(PyTupleObject, tuple, ROOM));
    ck_assert_int_eq(Py_SIZE(tuple), ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        ck_assert_int_eq(PyLong_AsLong(tuple->ob_item[i]), 1000 + i);
        Py_DECREF(tuple->ob_item[i]);
    }
    PyObject_GC_Del(tuple);
}

/* ------------------------------------------------------------------ */
/* What one does when the heap is full                                 */

static PyObject *
make_dict(void)
{
    return Py_BuildValue("{s:[i],s:(O)}", "a", 1, "b", Py_None);
}

static PyObject *
make_class(void)
{
    return PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){s(s)}", "C",
                                 &PyBaseObject_Type, "__slots__", "x");
}

static PyObject *
make_set(void)
{
    PyObject *items = Py_BuildValue("[iii]", 1000, 2000, 3000);
    PyObject *set = items != NULL ? PySet_New(items) : NULL;

    Py_XDECREF(items);
    return set;
}

static PyObject *
make_module(void)
{
    static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "m"};

    return PyModule_Create(&def);
}

static PyObject *
make_exception(void)
{
    return PyErr_NewException("t.Error", NULL, NULL);
}

static PyObject *
call_gc(void)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *list =
        gc != NULL ? PyObject_CallMethod(gc, "get_referents", "O", gc) : NULL;

    Py_XDECREF(gc);
    return list;
}

static PyObject *(*const makers[])(void) = {
    make_dict, make_class, make_set, make_module, make_exception, call_gc,
};

/* Leaves no free block that could serve a maker: the pages of the full heap
   have some of other sizes than the nodes'. */
static PyObject *
fill_the_rest(void)
{
    PyObject *all = NULL;

    for (Py_ssize_t items = 250; items > 0; items--) {
        PyObject *tuple;

        while ((tuple = PyTuple_New(items)) != NULL) {
            PyTuple_SET_ITEM(tuple, 0, all);
            all = tuple;
        }
        suite_exception(PyExc_MemoryError, NULL);
    }
    return all;
}

START_TEST(nothing_can_be_made_in_a_full_heap)
{
    limit_heap();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(makers); i++) {
        PyObject *op = makers[i](); /* so can it when there is room */

        ck_assert_ptr_nonnull(op);
        Py_DECREF(op);
        PyGC_Collect();
        struct node *chain = fill();
        PyObject *rest = fill_the_rest();
        for (int round = 0; round < 3; round++)
            assert_no_memory(makers[i]());
        assert_chain(chain);
        Py_DECREF(chain);
        Py_XDECREF(rest);
        op = suite_require(makers[i]());
        Py_DECREF(op);
    }
}

/* ------------------------------------------------------------------ */
/* The host's function for that                                        */

static long asked;

static void *GC_CALLBACK
give_nothing(size_t Py_UNUSED(size))
{
    asked++;
    return NULL;
}

START_TEST(the_host_is_asked_and_has_nothing)
{
    limit_heap();
    GC_set_oom_fn(give_nothing);
    struct node *chain = fill();
    ck_assert_int_gt(asked, 0);
    long before = asked;
    assert_no_memory(grow(NULL));
    ck_assert_int_gt(asked, before);
    assert_no_memory(PyTuple_New(ROOM));
    assert_chain(chain);
    ck_assert(GC_get_oom_fn() == give_nothing);
    assert_room_comes_back(chain);
}

static PyTypeObject half_page_type = {
    NODE_TYPE("t.HalfPage", node_dealloc, node_traverse, node_clear)};

/* A block that begins a chunk is left out as long as there are others, and the
   host is not asked for another one in its place. */
START_TEST(the_host_is_not_asked_in_vain)
{
    enum { MORE = 300000, SIZE = 2000 };
    struct node *chain = NULL, *next;

    half_page_type.tp_basicsize = SIZE;
    limit_heap();
    ck_assert_int_eq(PyType_Ready(&half_page_type), 0);
    PyGC_Disable();
    GC_set_max_heap_size(GC_get_heap_size() + MORE);
    GC_set_oom_fn(give_nothing);
    asked = 0;
    for (;;) {
        next = (struct node *)PyType_GenericAlloc(&half_page_type, 0);
        if (next == NULL)
            break;
        ck_assert_int_eq(asked, 0);
        next->left = (PyObject *)chain;
        chain = next;
    }
    assert_no_memory(NULL);
    ck_assert_int_gt(asked, 0);
    Py_DECREF(chain);
}

/* Blocks that the host put by; Boehm wants heap objects that exist.  The array
   is a root in every host. */
enum { RESERVED = 200 };
static void **reserve;
static size_t reserved_size;
static int taken;

static void *GC_CALLBACK
give_from_reserve(size_t size)
{
    void *block = NULL;

    asked++;
    if (size > reserved_size || taken == RESERVED)
        return NULL;
    block = reserve[taken];
    reserve[taken++] = NULL;
    return block;
}

static void
put_by(size_t size)
{
    reserved_size = size;
    reserve = GC_MALLOC_UNCOLLECTABLE(RESERVED * sizeof *reserve);
    for (int i = 0; i < RESERVED; i++)
        reserve[i] = GC_MALLOC(size);
    GC_set_oom_fn(give_from_reserve);
}

/* Objects live and die in the host's blocks as in any other.  Blocks of so
   many bytes: of the nodes' size, larger, and with pages of their own. */
static void
live_on_a_reserve(size_t size)
{
    limit_heap();
    put_by(size);
    struct node *chain = fill();
    ck_assert_int_eq(taken, RESERVED);
    GC_gcollect();
    assert_chain(chain);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);

    struct node *end = chain;
    long length = chain->label;
    while (end->left != NULL)
        end = (struct node *)end->left;
    end->left = (PyObject *)chain;
    ck_assert_int_eq(PyGC_Collect(), length);
    ck_assert_int_eq(node_log.freed, length);
    assert_room_comes_back(fill());
}

/* With checks it is more than the node. */
START_TEST(a_reserve_of_the_same_size)
{
    node_reset();
    struct node *node = node_new(&node_type);
    size_t size = GC_size(node);

    Py_DECREF(node);
    live_on_a_reserve(size);
}

START_TEST(a_reserve_of_larger_blocks)
{
    live_on_a_reserve(512);
}

START_TEST(a_reserve_of_large_blocks)
{
    live_on_a_reserve(5000);
}
