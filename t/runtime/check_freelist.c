/* check_freelist.c: small blocks that wait for their next use. */

#include "../support/suite.h"

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "runtime/freelist.h"

/* How many blocks of that size wait. */
static size_t
waiting(const struct pyb_freelist_class *classes, size_t size)
{
    size_t n = 0;

    for (const struct pyb_freelist_block *block =
             classes[pyb_freelist_class_of(size)].first;
         block != NULL; block = block->next)
        n++;
    return n;
}

START_TEST(blocks_wait_up_to_a_limit)
{
    enum { BLOCKS = PYB_FREELIST_BYTES / 24 + 100 };
    static void *blocks[BLOCKS];

    pyb_freelist_fini();
    pyb_freelist_init();
    size_t room = pyb_freelist_any[pyb_freelist_class_of(24)].room;
    for (int i = 0; i < BLOCKS; i++)
        ck_assert_ptr_nonnull(blocks[i] = pyb_freelist_alloc(24));
    for (int i = 0; i < BLOCKS; i++)
        pyb_freelist_free(blocks[i], 24);
    /* None with checks. */
    ck_assert_uint_eq(waiting(pyb_freelist_any, 24), room);
    ck_assert_uint_eq(pyb_freelist_any[pyb_freelist_class_of(24)].room, 0);
    if (room > 0) {
        ck_assert_ptr_eq(pyb_freelist_alloc(17), blocks[room - 1]);
        ck_assert_uint_eq(waiting(pyb_freelist_any, 24), room - 1);
        pyb_freelist_free(blocks[room - 1], 17);
    }
    pyb_freelist_fini();
    ck_assert_uint_eq(waiting(pyb_freelist_any, 24), 0);
    pyb_freelist_free(pyb_freelist_alloc(24), 24);
    ck_assert_uint_eq(waiting(pyb_freelist_any, 24), 0);
    pyb_freelist_init();
}

START_TEST(cleared_blocks_are_zero)
{
    for (int round = 0; round < 2; round++)
        for (size_t size = 8; size < PYB_FREELIST_MAX + 100; size += 8) {
            unsigned char *any = pyb_freelist_alloc(size);
            unsigned char *zero = pyb_freelist_calloc(size);

            memset(any, 0xff, size);
            for (size_t i = 0; i < size; i++)
                ck_assert_uint_eq(zero[i], 0);
            pyb_freelist_free(any, size);
            pyb_freelist_free_zero(zero, size);
        }
}

START_TEST(blocks_keep_their_content_when_resized)
{
    static const size_t sizes[] = {8,   16,  24,   32,   1104, 1112,
                                   900, 64,  1120, 4096, 1128, 40,
                                   8,   640, 2048, 2040, 1112, 24};
    unsigned char *block = NULL;
    size_t size = 0;

    for (size_t i = 0; i < Py_ARRAY_LENGTH(sizes); i++) {
        block = suite_require(pyb_freelist_resize(block, size, sizes[i]));
        for (size_t k = 0; k < Py_MIN(size, sizes[i]); k++)
            ck_assert_uint_eq(block[k], (unsigned char)k);
        size = sizes[i];
        for (size_t k = 0; k < size; k++)
            block[k] = (unsigned char)k;
    }
    pyb_freelist_free(block, size);
}

/* Lists and dictionaries keep up with what they gave back. */
START_TEST(finalize_gives_all_back)
{
    PyObject *list = PyList_New(5);

    Py_DECREF(list);
    if (!pyb_checks && pyb_freelist_zero[pyb_freelist_class_of(40)].room > 0)
        ck_assert_uint_gt(waiting(pyb_freelist_zero, 40), 0);
    ck_assert_int_eq(Py_FinalizeEx(), 0);
    for (size_t size = 8; size <= PYB_FREELIST_MAX; size += 8) {
        ck_assert_uint_eq(waiting(pyb_freelist_any, size), 0);
        ck_assert_uint_eq(waiting(pyb_freelist_zero, size), 0);
    }
    Py_Initialize();
}

/* 505 to 507 items take as many granules as the page of a large block says. */
START_TEST(large_tuples_do_not_wait)
{
    size_t before = pyb_heap.large_bytes;

    for (Py_ssize_t n = 200; n < 600; n++) {
        PyObject *tuple = PyTuple_New(n);
        ck_assert_int_eq(pyb_heap.large_bytes > before,
                         n > 253 - 2 * (pyb_checks != 0));
        Py_DECREF(tuple);
        ck_assert_uint_eq(pyb_heap.large_bytes, before);
    }
}

static void
free_what_is_not_zero(void)
{
    char *block = pyb_freelist_calloc(40);

    block[39] = 1;
    pyb_freelist_check_zero(block, 0, 39);
    if (pyb_assertions > 1) /* then it is noticed here, too */
        pyb_freelist_free_zero(block, 40);
    pyb_freelist_check_zero(block, 39, 40);
}

START_TEST(what_is_zero_again_is_looked_at)
{
    SUITE_FATAL(free_what_is_not_zero(),
                "pyb_freelist_check_zero: memory to be zero has a content");
}

/* A class that keeps one block. */
static struct pyb_freelist_class *
some_class(void)
{
    pyb_freelist_free(pyb_freelist_alloc(40), 40);
    return &pyb_freelist_any[pyb_freelist_class_of(40)];
}

START_TEST(each_block_takes_room)
{
    pyb_freelist_check();
    if (pyb_checks || pyb_freelist_any[1].room == 0)
        return; /* none are kept */
    SUITE_FATAL((some_class()->room += 2, pyb_freelist_check()),
                "a free list has too much room");
    SUITE_FATAL((some_class()->first->next = some_class()->first,
                 pyb_freelist_check()),
                "a free list has more blocks than room");
    SUITE_FATAL((some_class()->first = NULL, pyb_freelist_check()),
                "a free list has lost blocks");
}

int
main(void)
{
    return suite_run_unquarantined("spare");
}
