/* smallstack.c: calls on stacks that are small.  See smallstack.h. */

#include "smallstack.h"

#include "fiber.h"
#include "suite.h"

#include <pthread.h>
#include <unistd.h>

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

void
smallstack_thread(size_t size, void (*function)(void))
{
    pthread_attr_t attr;
    pthread_t thread;
    long least = sysconf(_SC_THREAD_STACK_MIN);

    size = stack_of(size);
    if (least > 0 && size < (size_t)least) /* 128 KB, on aarch64 */
        size = (size_t)least;
    pthread_attr_init(&attr);
    ck_assert_int_eq(pthread_attr_setstacksize(&attr, size), 0);
    Py_BEGIN_ALLOW_THREADS;
    ck_assert_int_eq(pthread_create(&thread, &attr, in_thread, &function), 0);
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS;
    pthread_attr_destroy(&attr);
}

void
smallstack_fiber(size_t size, void (*function)(void))
{
    struct fiber fiber;

    fiber_begin(&fiber, stack_of(size), function);
    fiber_enter(&fiber);
    fiber_end(&fiber);
}

void
smallstack_signal(size_t size, void (*function)(void))
{
    struct fiber fiber;

    fiber_begin(&fiber, stack_of(size), function);
    fiber_handle(&fiber, function);
    fiber_end(&fiber);
}
