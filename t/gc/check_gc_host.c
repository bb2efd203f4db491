/* check_gc_host.c: seen from a program that uses Boehm itself: exactness, and
   the host's memory. */

#include "../support/host.h"
#include "../support/node.h"
#include "../support/suite.h"

#include <pyboehm.h>

#ifndef GC_THREADS
#define GC_THREADS
#endif
#include <gc/gc.h>

/* ------------------------------------------------------------------ */
/* Exactness                                                           */

enum { STALE = 200 };
static void *stale_static[STALE];

/* Pointers to what is dead, wherever a conservative collector looks. */
START_TEST(stale_pointers_change_no_count)
{
    node_reset();
    void *volatile on_stack[STALE];
    void **in_heap = GC_MALLOC(STALE * sizeof *in_heap);
    struct node *last = NULL; /* with optimization in a register */

    for (int round = 0; round < 20; round++) {
        node_reset();
        PyGC_Disable();
        for (int i = 0; i < STALE; i++) {
            struct node *pair = node_ring(&node_type, 2);
            on_stack[i] = stale_static[i] = in_heap[i] = pair;
            last = pair;
            Py_DECREF(pair);
        }
        PyGC_Enable();
        ck_assert_int_eq(PyGC_Collect(), 2 * STALE);
        ck_assert_int_eq(node_log.freed, 2 * STALE);
        ck_assert_ptr_eq(on_stack[STALE - 1], last);
        ck_assert_int_eq(PyGC_Collect(), 0);
    }
    GC_reachable_here(in_heap);
}

/* The frames below ours are full of pointers to what is about to die. */
static __attribute__((noinline)) Py_ssize_t
drop_at_depth(int depth)
{
    void *volatile frame[32];
    Py_ssize_t below = 0;

    PyGC_Disable();
    for (int i = 0; i < 32; i++) {
        struct node *ring = node_ring(&node_type, 3);
        frame[i] = ring;
        Py_DECREF(ring);
    }
    PyGC_Enable();
    if (depth > 0)
        below = drop_at_depth(depth - 1);
    else
        below = PyGC_Collect();
    return frame[31] != NULL ? below : -1;
}

START_TEST(stale_frames_change_no_count)
{
    node_reset();
    for (int depth = 1; depth < 20; depth++)
        ck_assert_int_eq(drop_at_depth(depth), 3 * 32 * (depth + 1));
}

/* ------------------------------------------------------------------ */
/* Host memory                                                         */

enum { BLOCKS = 2000 };
static int blocks_gone;
static PyObject *holder; /* a list that owns the nodes */

static void GC_CALLBACK
block_gone(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    blocks_gone++;
}

/* Not at the beginning of a page: Boehm's own frames refer to pages, and it
   scans them. */
static void *
host_block(void)
{
    void *block;

    do
        block = GC_MALLOC(48);
    while (((uintptr_t)block & 4095) == 0);
    return block;
}

static void
make_holder(void)
{
    holder = PyList_New(0);
    for (int i = 0; i < BLOCKS; i++) {
        struct node *node = node_new(&node_type);
        ck_assert_int_eq(PyList_Append(holder, (PyObject *)node), 0);
        Py_DECREF(node);
    }
}

/* In a thread of its own, so that no stack and no register of a living thread
   has ever seen the blocks.  It is not attached: it only looks at fields. */
static void *
give_blocks(void *Py_UNUSED(arg))
{
    for (int i = 0; i < BLOCKS; i++) {
        struct node *node = (struct node *)PyList_GET_ITEM(holder, i);
        node->host = host_block();
        strcpy(node->host, "still here");
        GC_REGISTER_FINALIZER_NO_ORDER(node->host, block_gone, 0, 0, 0);
    }
    return NULL;
}

static void *
check_blocks(void *Py_UNUSED(arg))
{
    for (int i = 0; i < BLOCKS; i++) {
        PyObject *node = PyList_GET_ITEM(holder, i);
        ck_assert_str_eq(((struct node *)node)->host, "still here");
    }
    return NULL;
}

static void
drop_nodes(void)
{
    Py_CLEAR(holder);
}

static void
drop_nodes_in_a_cycle(void)
{
    PyList_Append(holder, holder);
    Py_CLEAR(holder);
    PyGC_Collect();
}

static void
in_a_thread(void *(*function)(void *))
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, function, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* Boehm's frames have slots that are not initialised; let them contain zeros,
   not what an earlier collection looked at in the same place. */
static __attribute__((noinline)) void
collect_on_a_clean_stack(void)
{
    volatile char below[64 * 1024];

    for (size_t i = 0; i < sizeof below; i++)
        below[i] = 0;
    GC_gcollect();
}

/* The dying bodies keep their pointers to the end: node_dealloc does not touch
   the host field. */
static void
body_is_the_only_holder(void (*drop)(void))
{
    node_reset();
    blocks_gone = 0;
    make_holder();
    in_a_thread(give_blocks);
    for (int i = 0; i < 5; i++)
        GC_gcollect();
    ck_assert_int_eq(blocks_gone, 0);
    in_a_thread(check_blocks);
    drop();
    ck_assert_int_eq(node_log.freed, BLOCKS);
    collect_on_a_clean_stack();
    ck_assert_int_eq(blocks_gone, BLOCKS);
}

START_TEST(host_memory_freed_by_count)
{
    body_is_the_only_holder(drop_nodes);
}

START_TEST(host_memory_freed_in_a_cycle)
{
    body_is_the_only_holder(drop_nodes_in_a_cycle);
}

START_TEST(objects_survive_boehm)
{
    enum { N = 3000, ROUNDS = 100 };
    static struct node *nodes[N];
    node_reset();
    srand(7);
    for (int i = 0; i < N; i++) {
        nodes[i] = node_new(&node_type);
        nodes[i]->host = GC_MALLOC_ATOMIC(16);
        *(long *)nodes[i]->host = nodes[i]->label;
    }
    memset(stale_static, 0, sizeof stale_static);
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = rand() % 500; k > 0; k--) {
            int i = rand() % N, j = rand() % N;
            switch (rand() % 4) {
            case 0:
                node_link(nodes[i], nodes[j], nodes[i]->right);
                break;
            case 1:
                Py_DECREF(nodes[i]); /* its owners may keep it */
                nodes[i] = node_new(&node_type);
                nodes[i]->host = GC_MALLOC_ATOMIC(16);
                *(long *)nodes[i]->host = nodes[i]->label;
                break;
            default:
                node_link(nodes[i], nodes[i]->left, nodes[j]);
            }
        }
        GC_gcollect();
        for (int i = 0; i < N; i++) {
            struct node *left = (struct node *)nodes[i]->left;
            ck_assert_int_eq(*(long *)nodes[i]->host, nodes[i]->label);
            if (left != NULL)
                ck_assert_int_eq(*(long *)left->host, left->label);
        }
        if (round % 10 == 0)
            PyGC_Collect();
    }
    for (int i = 0; i < N; i++)
        Py_DECREF(nodes[i]);
    PyGC_Collect();
    ck_assert_int_eq(node_log.freed, node_log.made);
}

static void
look_at_host_memory(struct node *node)
{
    ck_assert_str_eq(node->host, "still here");
}

static void
collect_and_look(struct node *node)
{
    GC_gcollect();
    look_at_host_memory(node);
}

/* Many small cycles die together; none leads to another, and Boehm collects
   while the first of them are torn down. */
START_TEST(the_condemned_keep_host_memory)
{
    enum { RINGS = 200 };

    for (int generation = 0; generation < 3; generation++) {
        node_reset();
        PyGC_Disable();
        for (int i = 0; i < RINGS; i++) {
            struct node *ring = node_ring(&node_final_type, 2);
            struct node *other = (struct node *)ring->left;

            ring->host = strcpy(GC_MALLOC_ATOMIC(16), "still here");
            other->host = strcpy(GC_MALLOC_ATOMIC(16), "still here");
            Py_DECREF(ring);
        }
        node_log.on_finalize = collect_and_look;
        node_log.on_clear = look_at_host_memory;
        node_log.on_dealloc = look_at_host_memory;
        ck_assert_int_eq(PyBoehm_GC_Collect(generation), 2 * RINGS);
        ck_assert_int_eq(node_log.finalized, 2 * RINGS);
        ck_assert_int_eq(node_log.freed, 2 * RINGS);
        PyGC_Enable();
    }
}

/* References in a list's malloc'ed items are enough: the host gets no memory
   that is in use. */
START_TEST(objects_held_by_malloc_memory_survive)
{
    enum { N = 1000, BYTES = 48 };
    PyObject *list = PyList_New(0);

    for (int i = 0; i < N; i++) {
        PyObject *tuple = Py_BuildValue("(iN)", i, PyDict_New());
        ck_assert_int_eq(PyList_Append(list, tuple), 0);
        Py_DECREF(tuple);
    }
    for (int i = 0; i < 3; i++)
        GC_gcollect();
    for (int i = 0; i < 50 * N; i++)
        memset(GC_MALLOC(BYTES), 0xff, BYTES);
    for (int i = 0; i < N; i++) {
        PyObject *tuple = PyList_GET_ITEM(list, i);
        ck_assert_int_eq(PyLong_AsLong(PyTuple_GET_ITEM(tuple, 0)), i);
        ck_assert(PyDict_CheckExact(PyTuple_GET_ITEM(tuple, 1)));
    }
    Py_DECREF(list);
}

/* ------------------------------------------------------------------ */
/* Memory comes back                                                   */

static long
resident_pages(void)
{
    long size, resident;
    FILE *file = suite_require(fopen("/proc/self/statm", "r"));
    ck_assert_int_eq(fscanf(file, "%ld %ld", &size, &resident), 2);
    fclose(file);
    return resident;
}

enum { MANY = 1000000 };

static void
build_and_drop_chain(void)
{
    struct node *head = NULL;

    for (int i = 0; i < MANY; i++) {
        struct node *next = node_new(&node_type);
        next->left = (PyObject *)head;
        head = next;
    }
    Py_DECREF(head);
}

static void
build_and_drop_ring(void)
{
    node_drop_ring(&node_type, MANY);
    PyGC_Collect();
}

static void
memory_does_not_grow(void (*build_and_drop)(void))
{
    const int rounds = suite_is_slow() ? 4 : 10;
    long settled = 0;

    node_reset();
    for (int round = 0; round < rounds; round++) {
        build_and_drop();
        if (round == 2)
            settled = resident_pages();
    }
    /* A quarter of what one round takes, 48 MB, is the slack: the counts of a
       collection come and go.  Seven rounds that leak a tenth exceed it. */
    ck_assert_int_le(resident_pages(), settled + MANY * 48L / 4 / 4096);
    ck_assert_int_eq(node_log.freed, (long)rounds * MANY);
}

START_TEST(memory_does_not_grow_by_count)
{
    memory_does_not_grow(build_and_drop_chain);
}

START_TEST(memory_does_not_grow_in_cycles)
{
    memory_does_not_grow(build_and_drop_ring);
}

/* After PyGC_Collect most of the memory of the dead is the system's. */
START_TEST(memory_goes_back_to_the_system)
{
    if (!host_unmaps())
        return;
    node_reset();
    long before = resident_pages();
    struct node *ring = node_ring(&node_type, MANY);
    long full = resident_pages();
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), MANY);
    long after = resident_pages();
    ck_assert_int_gt(full - before, MANY * 32L / 4096);
    ck_assert_int_lt(after - before, (full - before) / 2);
}

/* Free blocks scattered over pages that live are used again first. */
START_TEST(holes_are_filled)
{
    enum { N = 200000 };
    static struct node *nodes[N];
    node_reset();
    for (int i = 0; i < N; i++)
        nodes[i] = node_new(&node_type);
    long full = resident_pages();
    for (int round = 0; round < (suite_is_slow() ? 2 : 10); round++) {
        for (int i = 0; i < N; i++)
            if ((i + round) % 10 != 0)
                Py_CLEAR(nodes[i]);
        PyGC_Collect();
        for (int i = 0; i < N; i++)
            if (nodes[i] == NULL)
                nodes[i] = node_new(&node_type);
    }
    ck_assert_int_le(resident_pages(), full + N * 48L / 4 / 4096);
    for (int i = 0; i < N; i++)
        Py_DECREF(nodes[i]);
}

/* ------------------------------------------------------------------ */

START_TEST(works_after_the_library_started_again)
{
    node_reset();
    struct node *ring = node_ring(&node_type, 5);
    Py_Finalize();
    ck_assert_int_eq(Py_IsInitialized(), 0);
    Py_Initialize();
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), 5);
    node_drop_ring(&node_type, 6);
    ck_assert_int_eq(PyGC_Collect(), 6);
}

static void
track_host_memory(void)
{
    struct node *neighbour = node_new(&node_type);
    struct node *fake = GC_MALLOC(sizeof *fake);

    PyObject_Init((PyObject *)fake, &node_type);
    PyObject_GC_Track((PyObject *)fake);
    Py_DECREF(neighbour);
}

/* It lies where objects lie, and is none. */
START_TEST(host_memory_is_no_container)
{
    node_reset();
    SUITE_FATAL(track_host_memory(), "PyObject_GC_Track: ",
                "object was not allocated with PyObject_GC_New");
}

/* ------------------------------------------------------------------ */
/* The addresses of windows                                            */

/* The passes of a collection remember where the last object was by the
   beginning of 64 KiB.  Something of the host's may stand there. */
enum { WINDOW = 1 << 16, PAGE = 4096, PAGES = 32 * WINDOW / PAGE };

static int windows_died;

static void
note_window(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    windows_died++;
}

/* Pages of the host's and of our nodes in turn.  The node that is returned
   stands in a window that begins with a page of the host's, which nothing
   refers to any more; all others are freed. */
__attribute__((noinline)) static struct node *
make_window(void)
{
    static struct node *nodes[PAGES][PAGE / sizeof(struct node)];
    struct node *found = NULL;

    for (int page = 0; page < PAGES; page++) {
        void *host = GC_MALLOC_ATOMIC(PAGE - 100);
        int first = (uintptr_t)host % WINDOW == 0;

        for (size_t i = 0; i < PAGE / sizeof(struct node); i++) {
            nodes[page][i] = node_new(&node_type);
            if (found != NULL || !first ||
                (uintptr_t)nodes[page][i] / WINDOW != (uintptr_t)host / WINDOW)
                continue;
            GC_REGISTER_FINALIZER_NO_ORDER(host, note_window, NULL, NULL,
                                           NULL);
            found = nodes[page][i];
        }
    }
    for (int page = 0; page < PAGES; page++)
        for (size_t i = 0; i < PAGE / sizeof(struct node); i++)
            if (nodes[page][i] != found)
                Py_DECREF(nodes[page][i]);
    memset(nodes, 0, sizeof nodes);
    return found;
}

START_TEST(windows_keep_nothing_of_the_hosts)
{
    node_reset();
    PyGC_Disable();
    PyBoehm_GC_Collect(2); /* nothing else is young */
    struct node *node = make_window();
    ck_assert_ptr_nonnull(node);
    suite_forget_stack();
    PyBoehm_GC_Collect(0);
    suite_forget_stack();
    GC_gcollect();
    ck_assert_int_eq(windows_died, 1);
    Py_DECREF(node);
}

int
main(void)
{
    return suite_run_unquarantined("gc: in a Boehm host");
}
