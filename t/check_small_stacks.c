/* check_small_stacks.c: calls that nest deeper than the stack allows: on
   stacks of threads, and of fibers, of which only a page that cannot be read
   tells where they end. */

#include "suite.h"

#include <gc/gc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { KB = 1024, DEEP = 20000, KINDS = 6 };

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
        op = outer;
        ck_assert_ptr_nonnull(op);
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
    }
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

/* Frames are larger with sanitizers, and without optimization. */
static size_t
stack_of(size_t size)
{
    return suite_knows_malloc() ? size : 4 * size;
}

static void *
in_thread(void *function)
{
    PyGILState_STATE state = PyGILState_Ensure();

    ((void (**)(void))function)[0]();
    PyGILState_Release(state);
    return NULL;
}

static void
on_thread(size_t size, void (*function)(void))
{
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    ck_assert_int_eq(pthread_attr_setstacksize(&attr, stack_of(size)), 0);
    Py_BEGIN_ALLOW_THREADS;
    ck_assert_int_eq(pthread_create(&thread, &attr, in_thread, &function), 0);
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS;
    pthread_attr_destroy(&attr);
}

static ucontext_t here, fiber;

static void *
set_bottom(void *bottom)
{
    GC_set_stackbottom(NULL, bottom);
    return NULL;
}

/* Boehm is told of it, as by any host. */
static void
enter_fiber(char *bottom)
{
    struct GC_stack_base before, base;

    GC_get_my_stackbottom(&before);
    base = before;
    base.mem_base = bottom;
    GC_call_with_alloc_lock(set_bottom, &base);
    swapcontext(&here, &fiber);
    GC_call_with_alloc_lock(set_bottom, &before);
}

/* Below it is a page that cannot be read. */
static void
on_fiber(size_t wanted, void (*function)(void))
{
    enum { GUARD = 64 * KB };
    const size_t size = stack_of(wanted);
    char *stack = mmap(NULL, GUARD + size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(stack, MAP_FAILED);
    ck_assert_int_eq(mprotect(stack, GUARD, PROT_NONE), 0);
    fiber.uc_stack.ss_sp = stack + GUARD;
    fiber.uc_stack.ss_size = size;
    fiber.uc_link = &here;
    makecontext(&fiber, function, 0);
    enter_fiber(stack + GUARD + size);
    munmap(stack, GUARD + size);
}

static void
all_are_errors(void)
{
    ck_assert_int_eq(found[0], KINDS);
    ck_assert_int_eq(found[1], KINDS);
}

START_TEST(nesting_ends_before_a_threads_stack)
{
    static const size_t sizes[] = {96 * KB, 128 * KB, 256 * KB, 512 * KB};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(sizes); i++) {
        build();
        on_thread(sizes[i], nest);
        all_are_errors();
        drop();
    }
}
END_TEST

START_TEST(nesting_ends_before_a_fibers_stack)
{
    static const size_t sizes[] = {64 * KB, 128 * KB, 256 * KB};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(sizes); i++) {
        build();
        on_fiber(sizes[i], nest);
        all_are_errors();
        drop();
    }
}
END_TEST

START_TEST(small_stacks_do_for_what_is_shallow)
{
    memset(found, 0, sizeof found);
    on_thread(32 * KB, stay_shallow);
    on_fiber(32 * KB, stay_shallow);
    ck_assert_int_eq(found[0], 2);
    ck_assert_int_eq(found[1], 2);
}
END_TEST

static void
hash_a_tuple(void)
{
    ck_assert_int_eq(PyObject_Hash(deep[2]), -1);
    suite_exception(PyExc_RecursionError,
                    "maximum recursion depth exceeded while hashing a tuple: "
                    "the stack is nearly full");
}

START_TEST(the_error_says_that_it_is_the_stack)
{
    build();
    on_thread(128 * KB, hash_a_tuple);
    drop();
}
END_TEST

int
main(void)
{
    getcontext(&fiber); /* where makecontext begins */
    const struct suite_test tests[] = {
        {nesting_ends_before_a_threads_stack, 0},
        {nesting_ends_before_a_fibers_stack, 0},
        {small_stacks_do_for_what_is_shallow, 0},
        {the_error_says_that_it_is_the_stack, 0},
        {NULL, 0},
    };
    return suite_run("small stacks", tests);
}
