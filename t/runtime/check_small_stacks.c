/* check_small_stacks.c: calls that nest deeper than the stack allows: on
   stacks of threads, and of fibers, of which only a page that cannot be read
   tells where they end. */

#include "../support/fiber.h"
#include "../support/smallstack.h"
#include "../support/suite.h"

#include <signal.h>
#include <unistd.h>

enum { KB = 1024, DEEP = 8000, KINDS = 6 };

/* ------------------------------------------------------------------ */
/* What nests                                                          */

static PyObject *
wrap(int kind, PyObject *inner)
{
    switch (kind) {
    case 0:
        return Py_BuildValue("{sN}", "k", inner);
    case 1:
        return Py_BuildValue("[N]", inner);
    case 2:
        return Py_BuildValue("(N)", inner);
    case 3:
        return PyObject_CallFunction((PyObject *)&PySlice_Type, "N", inner);
    case 4:
        return PyObject_CallFunction((PyObject *)&_PyNamespace_Type, NULL);
    default:
        return PyObject_CallFunction((PyObject *)&PyDictProxy_Type, "N",
                                     Py_BuildValue("{sN}", "k", inner));
    }
}

static PyObject *
nested(int kind, int depth)
{
    PyObject *op = PyLong_FromLong(kind);

    while (depth-- > 0) {
        PyObject *outer = wrap(kind, op);

        if (kind == 4) {
            PyObject_SetAttrString(outer, "k", op);
            Py_DECREF(op);
        }
        op = suite_require(outer);
    }
    return op;
}

/* ------------------------------------------------------------------ */
/* What is done on the small stack                                     */

static PyObject *deep[KINDS], *same[KINDS];
static int found[2];

static int
is_recursion_error(void)
{
    int is = PyErr_ExceptionMatches(PyExc_RecursionError);

    PyErr_Clear();
    return is;
}

/* Collections come on the way, where there is least room for them. */
static void
nest(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        PyObject *text = PyObject_Repr(deep[kind]);

        found[0] += text == NULL && is_recursion_error();
        Py_XDECREF(text);
        found[1] +=
            PyObject_RichCompareBool(deep[kind], same[kind], Py_EQ) < 0 &&
            is_recursion_error();
        Py_DECREF(nested(kind, DEEP));
    }
    PyGC_Collect();
    if (PyObject_Hash(deep[2]) == -1) /* its frames are small */
        is_recursion_error();
}

/* What is not deep does no harm. */
static void
stay_shallow(void)
{
    PyObject *list = nested(1, 5), *text = PyObject_Repr(list);

    found[0] += text != NULL &&
                PyUnicode_CompareWithASCIIString(text, "[[[[[1]]]]]") == 0;
    found[1] += PyGC_Collect() == 0;
    Py_XDECREF(text);
    Py_DECREF(list);
}

static void
build(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        deep[kind] = nested(kind, DEEP);
        same[kind] = nested(kind, DEEP);
    }
    memset(found, 0, sizeof found);
}

static void
drop(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        Py_CLEAR(deep[kind]);
        Py_CLEAR(same[kind]);
    }
}

/* ------------------------------------------------------------------ */
/* Small stacks                                                        */

static void
all_are_errors(void)
{
    ck_assert_int_eq(found[0], KINDS);
    ck_assert_int_eq(found[1], KINDS);
}

START_TEST(nesting_ends_before_a_threads_stack)
{
    static const size_t sizes[] = {96 * KB, 128 * KB, 256 * KB, 512 * KB};

    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(sizes); i++) {
        build();
        smallstack_thread(sizes[i], nest);
        all_are_errors();
        drop();
    }
}

static void
assert_nesting_ends(void (*call)(size_t size, void (*function)(void)))
{
    static const size_t sizes[] = {64 * KB, 96 * KB, 128 * KB, 256 * KB};

    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV") ||
        !fiber_can())
        return;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(sizes); i++) {
        build();
        call(sizes[i], nest);
        all_are_errors();
        drop();
    }
}

START_TEST(nesting_ends_before_a_fibers_stack)
{
    assert_nesting_ends(smallstack_fiber);
}

START_TEST(nesting_ends_before_an_alternate_signal_stack)
{
    assert_nesting_ends(smallstack_signal);
}

/* ------------------------------------------------------------------ */
/* Iterators over iterators, methods of methods                        */

static PyObject *
iterator_over(int kind, PyObject *inner)
{
    switch (kind) {
    case 0:
        return PyObject_CallFunction((PyObject *)&PyEnum_Type, "N", inner);
    case 1:
        return PyObject_CallFunction((PyObject *)&PyZip_Type, "N", inner);
    case 2:
        return PyObject_CallFunction((PyObject *)&PyMap_Type, "ON",
                                     &PyList_Type, inner);
    default:
        return PyObject_CallFunction((PyObject *)&PyFilter_Type, "ON", Py_None,
                                     inner);
    }
}

enum { ITERATORS = 4 };

static void
build_iterators(int depth)
{
    memset(found, 0, sizeof found);
    for (int kind = 0; kind < ITERATORS; kind++) {
        PyObject *of = Py_BuildValue("([i])", 1);

        deep[kind] = PyObject_GetIter(of);
        Py_DECREF(of);
        for (int i = 0; i < depth; i++)
            deep[kind] = suite_require(iterator_over(kind, deep[kind]));
    }
    deep[ITERATORS] = Py_NewRef((PyObject *)&PyList_Type);
    for (int i = 0; i < depth; i++)
        Py_SETREF(deep[ITERATORS],
                  suite_require(PyMethod_New(deep[ITERATORS], Py_None)));
}

static void
ask_methods(PyObject *method)
{
    PyObject *results[] = {PyObject_CallNoArgs(method),
                           PyObject_GetAttrString(method, "__doc__"),
                           PyObject_GetAttrString(method, "no_such")};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(results); i++) {
        found[1] += results[i] == NULL;
        Py_XDECREF(results[i]);
    }
    PyErr_Clear();
    found[1] += PyObject_Hash(method) == -1 && is_recursion_error();
}

static void
step(void)
{
    for (int kind = 0; kind < ITERATORS; kind++) {
        PyObject *item = PyIter_Next(deep[kind]);

        found[0] += item == NULL && is_recursion_error();
        Py_XDECREF(item);
    }
    ask_methods(deep[ITERATORS]);
}

START_TEST(steps_nest_no_deeper_than_the_stack_allows)
{
    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    for (size_t size = 128 * KB; size <= 512 * KB; size *= 2) {
        build_iterators(DEEP);
        smallstack_thread(size, step);
        ck_assert_int_eq(found[0], ITERATORS);
        ck_assert_int_eq(found[1], 4);
        drop();
    }
    build_iterators(5);
    smallstack_thread(512 * KB, step);
    ck_assert_int_eq(found[0], 0);
    drop();
}

/* ------------------------------------------------------------------ */
/* What is left                                                        */

enum { PAINT = 0x5a, MANY = 20000 };

#ifdef _SC_MINSIGSTKSZ
#define SIGNAL_FRAME sysconf(_SC_MINSIGSTKSZ)
#else
#define SIGNAL_FRAME MINSIGSTKSZ
#endif

static struct fiber painted;
static ptrdiff_t touched, left;

/* The lowest byte of the fiber's stack. */
static char *
end_of_stack(void)
{
    return painted.memory + painted.size - painted.inside.uc_stack.ss_size;
}

/* This function has a frame, but calls none. */
static __attribute__((noinline)) void
paint_stack(void)
{
    char *frame = __builtin_frame_address(0);

    for (volatile char *p = end_of_stack(); p < frame - 512; p++)
        *p = PAINT;
}

static __attribute__((noinline)) void
do_everything(void)
{
    PyObject *kept = PyList_New(0);

    for (int i = 0; i < MANY; i++) {
        PyObject *list = PyList_New(0);

        PyList_Append(i % 3 == 0 ? kept : list, list);
        Py_DECREF(list);
        if (i % 50 == 0)
            PyErr_Format(PyExc_RecursionError, "%d of %R", i, Py_None);
        PyErr_Clear();
        if (i % 2000 == 0)
            PyGC_Collect();
    }
    Py_DECREF(kept);
}

/* As deep as the library lets it: what is left below the last frame. */
static __attribute__((noinline)) void
descend(void)
{
    volatile char large[512]; /* so that the stack ends before the bound */

    large[0] = 0;
    if (Py_EnterRecursiveCall("") < 0 || large[0] != 0) {
        PyErr_Clear();
        return;
    }
    left = (char *)__builtin_frame_address(0) - end_of_stack();
    descend();
    Py_LeaveRecursiveCall();
}

static void
measure(void)
{
    volatile char *lowest = end_of_stack();

    paint_stack();
    do_everything();
    while (*lowest == PAINT)
        lowest++;
    touched = (char *)__builtin_frame_address(0) - (char *)lowest;
    descend();
}

START_TEST(what_is_left_is_enough_for_boehm)
{
    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV") ||
        !fiber_can() ||
        !suite_is_there(suite_knows_malloc(),
                        "stack without a sanitizer's frames"))
        return;
    fiber_begin(&painted, 128 * KB, measure);
    fiber_enter(&painted);
    fiber_end(&painted);
    ck_assert_int_gt(touched, 16 * KB);
    ck_assert_int_ge(left, touched + SIGNAL_FRAME);
    ck_assert_int_lt(left, touched + SIGNAL_FRAME + 16 * KB);
}

/* Boehm clears much of the stack, but not at each allocation, and it is asked
   only if exceptions are kept.  With 24 KiB of reserve, each crash came within
   150 errors. */
enum { OFTEN = 1000 };

static void
fail_often(void)
{
    PyObject *kept = PyList_New(0);

    for (int i = 0; i < OFTEN; i++) {
        ck_assert_ptr_null(PyObject_Repr(deep[1]));
        ck_assert(PyErr_ExceptionMatches(PyExc_RecursionError));
        PyObject *exception = PyErr_GetRaisedException();
        ck_assert_int_eq(PyList_Append(kept, exception), 0);
        Py_DECREF(exception);
    }
    Py_DECREF(kept);
    found[0]++;
}

START_TEST(an_error_leaves_room_for_boehm)
{
    if (!suite_has("PTHREAD_GETATTR_NP") || !suite_has("PROCESS_VM_READV") ||
        !fiber_can())
        return;
    build();
    smallstack_fiber(64 * KB, fail_often);
    smallstack_fiber(96 * KB, fail_often);
    smallstack_signal(64 * KB, fail_often);
    ck_assert_int_eq(found[0], 3);
    drop();
}

START_TEST(small_stacks_do_for_what_is_shallow)
{
    int can = fiber_can();

    memset(found, 0, sizeof found);
    smallstack_thread(32 * KB, stay_shallow);
    if (can)
        smallstack_fiber(64 * KB, stay_shallow);
    ck_assert_int_eq(found[0], 1 + can);
    ck_assert_int_eq(found[1], 1 + can);
}

static void
hash_a_tuple(void)
{
    suite_failed(PyObject_Hash(deep[2]), PyExc_RecursionError,
                 "maximum recursion depth exceeded while hashing a tuple: the "
                 "stack is nearly full");
}

START_TEST(the_error_says_that_it_is_the_stack)
{
    if (!suite_has("PTHREAD_GETATTR_NP"))
        return;
    build();
    smallstack_thread(128 * KB, hash_a_tuple);
    drop();
}
