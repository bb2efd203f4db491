/* check_gc_memory.c: a collection needs no memory of the C allocator's,
   however much is garbage, and leaves none behind.

   The program's own calloc stands before the C library's.  t/limits has the
   whole of it. */

#include "../support/node.h"
#include "../support/suite.h"

#include <errno.h>
#include <gc/gc.h>
#include <pyboehm.h>
#include <string.h>

/* Called through a variable, or compilers make a calloc of it and memset. */
static void *(*volatile allocate)(size_t) = malloc;

static int in_need; /* no call succeeds */
static int failures;

/* The library must see it. */
__attribute__((visibility("default"))) void *
calloc(size_t n, size_t size)
{
    if (in_need || (size != 0 && n > SIZE_MAX / size)) {
        failures++;
        errno = ENOMEM;
        return NULL;
    }

    void *block = allocate(n * size);
    return block != NULL ? memset(block, 0, n * size) : NULL;
}

static Py_ssize_t
collect_in_need(int generation)
{
    Py_ssize_t found;

    failures = 0;
    in_need = 1;
    found = generation < 0 ? PyBoehm_GC_CollectAll()
                           : PyBoehm_GC_Collect(generation);
    in_need = 0;
    return found;
}

START_TEST(without_memory_all_is_collected)
{
    enum { N = 50000 };

    for (int generation = -1; generation < 3; generation++) {
        node_reset();
        PyGC_Disable();
        node_drop_ring(&node_final_type, N);
        ck_assert_int_eq(collect_in_need(generation), N);
        ck_assert_int_eq(failures, 0);
        ck_assert_int_eq(node_log.finalized, N);
        ck_assert_int_eq(node_log.freed, N);
        PyGC_Enable();
    }
}

START_TEST(a_pending_exception_stays)
{
    node_reset();
    PyGC_Disable();
    node_drop_ring(&node_type, 2);
    PyErr_SetString(PyExc_ValueError, "pending");
    ck_assert_int_eq(collect_in_need(2), 2);
    suite_exception(PyExc_ValueError, "pending");
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);
}

/* Boehm's answer needs none, either. */
START_TEST(without_memory_the_adopted_are_judged)
{
    void **host = GC_MALLOC_UNCOLLECTABLE(sizeof *host);

    node_reset();
    *host = PyBoehm_Adopt((PyObject *)node_new(&node_final_type));
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(collect_in_need(2), 0);
        ck_assert_int_eq(failures, 0);
        ck_assert_int_eq(node_log.finalized, 0);
    }
    Py_DECREF(PyBoehm_Disown(*host));
    ck_assert_int_eq(node_log.freed, 1);
    GC_FREE(host);
}

static void
note_nothing(const char *Py_UNUSED(phase),
             const PyBoehm_GC_Info *Py_UNUSED(info), void *Py_UNUSED(arg))
{
}

/* Makes an automatic collection due, which the host is to finish. */
static void
collect_for_the_host(void)
{
    PyBoehm_GC_SetThreshold((const int[]){1, 100, 100});
    PyGC_Enable();
    Py_DECREF(node_new(&node_type));
    Py_DECREF(node_new(&node_type));
    PyGC_Disable();
}

/* Boehm does not find it: it may not collect, or looks for leaks and has no
   finalizers then. */
static void
collect_without_boehm(void)
{
    int before = GC_get_find_leak();

    GC_disable();
    node_drop_ring(&node_final_type, 3);
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 3);
    GC_set_find_leak(1);
    node_drop_ring(&node_final_type, 3);
    collect_for_the_host();
    GC_set_find_leak(before);
    GC_enable();
}

static void
no_finalizer(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
}

/* With a block that only the dead leads to, and that leads back to it. */
static void
adopt_with_a_block(void)
{
    struct node *node = node_new(&node_type);

    node->host = GC_MALLOC(sizeof(void *));
    *(void **)node->host = PyBoehm_Adopt((PyObject *)node);
    GC_REGISTER_FINALIZER_NO_ORDER(node->host, no_finalizer, NULL, NULL, NULL);
}

/* What is adopted: Boehm is asked, and may not be there to answer. */
static void
collect_the_adopted(void **host)
{
    if (GC_get_find_leak())
        return; /* they would stay */
    adopt_with_a_block();
    *host = PyBoehm_Adopt((PyObject *)node_new(&node_type));
    PyBoehm_GC_Collect(2);
    GC_disable();
    ck_assert_int_eq(PyBoehm_GC_Collect(2), 0);
    GC_enable();
    Py_DECREF(PyBoehm_Disown(*host));
    suite_free_adopted(); /* what a stale word keeps would be found later */
}

/* Sets of every kind: torn down at once; left to Boehm; waiting for the host.
 */
static void
collect_in_each_way(void **host)
{
    for (int generation = 0; generation < 3; generation++) {
        node_drop_ring(&node_final_type, 3);
        ck_assert_int_eq(PyBoehm_GC_Collect(generation), 3);
    }
    node_drop_ring(&node_final_type, 3);
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 3);
    int before = GC_get_finalize_on_demand();
    GC_set_finalize_on_demand(1);
    node_drop_ring(&node_final_type, 3);
    collect_for_the_host();
    GC_gcollect();
    GC_invoke_finalizers();
    collect_without_boehm();
    GC_set_finalize_on_demand(before);
    collect_the_adopted(host);
}

START_TEST(collections_leave_no_block_behind)
{
    enum { WARM = 20, ROUNDS = 100 };
    void **host = GC_MALLOC_UNCOLLECTABLE(sizeof *host);
    size_t before = 0;

    node_reset();
    PyGC_Disable();
    for (int i = 0; i < WARM + ROUNDS; i++) {
        if (i == WARM)
            before = suite_malloc_in_use();
        collect_in_each_way(host);
        PyBoehm_GC_AddCallback(note_nothing, NULL);
        PyBoehm_GC_RemoveCallback(note_nothing, NULL);
    }
    ck_assert_int_eq(node_log.freed, node_log.made);
    ck_assert_uint_le(suite_malloc_in_use(), before + ROUNDS);
}
