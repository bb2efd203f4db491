/* fiber.c: stacks of a host's own.  See fiber.h. */

#include "fiber.h"
#include "suite.h"

#include <signal.h>
#include <sys/mman.h>

#ifndef GC_THREADS
#define GC_THREADS
#endif
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

enum { GUARD = 64 * 1024 };

#if defined HAVE_SWAPCONTEXT && (GC_VERSION_MAJOR > 8 || GC_VERSION_MINOR >= 2)

static struct GC_stack_base
get_bottom(void)
{
    struct GC_stack_base bottom;

    GC_get_my_stackbottom(&bottom);
    return bottom;
}

static void *
set_bottom(void *bottom)
{
    GC_set_stackbottom(NULL, bottom);
    return NULL;
}

int
fiber_can(void)
{
    return 1;
}

/* One that waits is a root, all of it; of one that runs Boehm scans what is in
   use, as of any stack. */
static void
remember(struct fiber *fiber)
{
    GC_add_roots(fiber->memory + GUARD, fiber->memory + fiber->size);
}

static void
forget(struct fiber *fiber)
{
    GC_remove_roots(fiber->memory + GUARD, fiber->memory + fiber->size);
}

void
fiber_begin(struct fiber *fiber, size_t size, void (*function)(void))
{
    fiber->size = GUARD + size;
    fiber->memory = mmap(NULL, GUARD + size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(fiber->memory, MAP_FAILED);
    ck_assert_int_eq(mprotect(fiber->memory, GUARD, PROT_NONE), 0);
    ck_assert_int_eq(getcontext(&fiber->inside), 0);
    fiber->inside.uc_stack.ss_sp = fiber->memory + GUARD;
    fiber->inside.uc_stack.ss_size = fiber->size - GUARD;
    fiber->inside.uc_link = &fiber->outside;
    makecontext(&fiber->inside, function, 0);
    remember(fiber);
}

void
fiber_end(struct fiber *fiber)
{
    forget(fiber);
    munmap(fiber->memory, fiber->size);
}

static void
swap(struct fiber *fiber)
{
    swapcontext(&fiber->outside, &fiber->inside);
}

static void (*in_handler)(void);

static void
handle(int Py_UNUSED(signum))
{
    in_handler();
}

static void
raise_signal(struct fiber *fiber)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK},
                     action_before;
    stack_t stack = {.ss_sp = fiber->inside.uc_stack.ss_sp,
                     .ss_size = fiber->inside.uc_stack.ss_size},
            stack_before;

    ck_assert_int_eq(sigaltstack(&stack, &stack_before), 0);
    ck_assert_int_eq(sigaction(SIGUSR1, &action, &action_before), 0);
    raise(SIGUSR1);
    sigaction(SIGUSR1, &action_before, NULL);
    sigaltstack(&stack_before, NULL);
}

/* What goes there comes back. */
static void
go(struct fiber *fiber, void (*there)(struct fiber *fiber))
{
    struct GC_stack_base before = get_bottom(), bottom = before;

    bottom.mem_base = fiber->memory + fiber->size;
    GC_add_roots(&before, before.mem_base);
    forget(fiber);
    GC_call_with_alloc_lock(set_bottom, &bottom);
    there(fiber);
    GC_call_with_alloc_lock(set_bottom, &before);
    remember(fiber);
    GC_remove_roots(&before, before.mem_base);
}

void
fiber_enter(struct fiber *fiber)
{
    go(fiber, swap);
}

void
fiber_handle(struct fiber *fiber, void (*function)(void))
{
    in_handler = function;
    go(fiber, raise_signal);
}

void
fiber_leave(struct fiber *fiber)
{
    swapcontext(&fiber->inside, &fiber->outside);
}

#else

int
fiber_can(void)
{
    return suite_is_there(0, "swapcontext, or Boehm's GC_set_stackbottom");
}

void
fiber_begin(struct fiber *Py_UNUSED(fiber), size_t Py_UNUSED(size),
            void (*function)(void))
{
    (void)function;
    ck_abort();
}

void
fiber_end(struct fiber *Py_UNUSED(fiber))
{
}

void
fiber_enter(struct fiber *Py_UNUSED(fiber))
{
}

void
fiber_handle(struct fiber *Py_UNUSED(fiber), void (*function)(void))
{
    (void)function;
}

void
fiber_leave(struct fiber *Py_UNUSED(fiber))
{
}

#endif
