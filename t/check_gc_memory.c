/* check_gc_memory.c: a collection that cannot get its scratch memory collects
   nothing, changes nothing, and finds the same garbage later.

   The program's own calloc stands before the C library's. */

#include "node.h"
#include "suite.h"

#include <pyboehm.h>
#include <string.h>

/* Called through a variable, or compilers make a calloc of it and memset. */
static void *(*volatile allocate)(size_t) = malloc;

/* How many calls succeed until one fails; none fails if negative. */
static int calls_left = -1;
static int failures;

/* The library must see it. */
__attribute__((visibility("default"))) void *
calloc(size_t n, size_t size)
{
    if (calls_left == 0) {
        failures++;
        return NULL;
    }
    if (calls_left > 0)
        calls_left--;
    if (size != 0 && n > SIZE_MAX / size)
        return NULL;

    void *block = allocate(n * size);
    return block != NULL ? memset(block, 0, n * size) : NULL;
}

/* A collection whose call number `calls` for memory fails. */
static Py_ssize_t
collect_in_need(int calls, int generation)
{
    failures = 0;
    calls_left = calls;
    Py_ssize_t found = PyBoehm_GC_Collect(generation);
    calls_left = -1;
    return found;
}

START_TEST(without_memory_nothing_is_collected)
{
    for (int generation = 0; generation < 3; generation++)
        for (int calls = 0; calls < 2; calls++) {
            node_reset();
            node_drop_ring(&node_final_type, 2);
            ck_assert_int_eq(collect_in_need(calls, generation), 0);
            ck_assert_int_eq(failures, 1);
            ck_assert_ptr_null(PyErr_Occurred());
            ck_assert_int_eq(node_log.finalized, 0);
            ck_assert_int_eq(node_log.freed, 0);

            /* It has not grown old: the same generation has it. */
            ck_assert_int_eq(PyBoehm_GC_Collect(generation), 2);
            ck_assert_int_eq(node_log.finalized, 2);
            ck_assert_int_eq(node_log.freed, 2);
        }
}
END_TEST

START_TEST(a_pending_exception_stays)
{
    node_reset();
    node_drop_ring(&node_type, 2);
    PyErr_SetString(PyExc_ValueError, "pending");
    ck_assert_int_eq(collect_in_need(0, 2), 0);
    suite_exception(PyExc_ValueError, "pending");
    ck_assert_int_eq(PyGC_Collect(), 2);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {without_memory_nothing_is_collected, 0},
        {a_pending_exception_stays, 0},
        {NULL, 0},
    };
    return suite_run("gc: collections without memory", tests);
}
