/* host.c: the host's side; see host.h. */

#include "host.h"

#include <gc/gc.h>
#include <gc/gc_mark.h>

struct host_hooks host_hooks;

static void GC_CALLBACK
final(void *block, void *Py_UNUSED(data))
{
    host_hooks.final(((struct block *)block)->id);
}

struct block *
block_new(struct identity id, enum pending finalizer)
{
    struct block *block = GC_MALLOC(sizeof *block);

    block->id = id;
    if (finalizer == PENDING_NO_ORDER)
        GC_REGISTER_FINALIZER_NO_ORDER(block, final, 0, 0, 0);
    else if (finalizer == PENDING_ORDERED)
        GC_REGISTER_FINALIZER(block, final, 0, 0, 0);
    return block;
}

void
host_watch(void *thing, uintptr_t *hidden)
{
    GC_REGISTER_LONG_LINK((void **)hidden, thing);
}

void
host_unwatch(uintptr_t *hidden)
{
    GC_unregister_long_link((void **)hidden);
}

static void *GC_CALLBACK
read_link(void *hidden)
{
    return *(void **)hidden;
}

uintptr_t
host_watched(uintptr_t *hidden)
{
    return (uintptr_t)GC_call_with_alloc_lock(read_link, hidden);
}

void
host_toggle(void *thing, enum toggle toggle)
{
    if (GC_toggleref_add(thing, toggle == TOGGLE_STRONG) != GC_SUCCESS)
        abort();
}

static GC_ToggleRefStatus GC_CALLBACK
toggled(void *thing)
{
    switch (host_hooks.toggled(thing)) {
    case TOGGLE_WEAK:
        return GC_TOGGLE_REF_WEAK;
    case TOGGLE_STRONG:
        return GC_TOGGLE_REF_STRONG;
    default:
        return GC_TOGGLE_REF_DROP;
    }
}

void *
host_array(size_t n)
{
    return GC_MALLOC(n * sizeof(void *));
}

void **
host_roots(size_t n)
{
    return GC_MALLOC_UNCOLLECTABLE(n * sizeof(void *));
}

void
host_forget(void **roots)
{
    GC_FREE(roots);
}

void
host_collect(void)
{
    GC_gcollect();
}

/* By what Boehm asks for at least. */
void
host_grow(void)
{
    GC_expand_hp(1);
}

static int after_each;

static void GC_CALLBACK
after(void *block, void *Py_UNUSED(data))
{
    if (after_each) {
        GC_REGISTER_FINALIZER_NO_ORDER(block, after, 0, 0, 0);
        host_hooks.after();
    }
}

void
host_after_each(int wish)
{
    if (wish && !after_each)
        GC_REGISTER_FINALIZER_NO_ORDER(GC_MALLOC_ATOMIC(1), after, 0, 0, 0);
    after_each = wish;
}

void
host_run_finalizers(void)
{
    GC_invoke_finalizers();
}

int
host_waits(void)
{
    return GC_should_invoke_finalizers();
}

void
host_on_demand(int wish)
{
    GC_set_finalize_on_demand(wish);
    if (!wish)
        GC_invoke_finalizers();
}

void
host_turn(void)
{
    GC_set_finalize_on_demand(!GC_get_finalize_on_demand());
}

int
host_is_on_demand(void)
{
    return GC_get_finalize_on_demand();
}

/* Locks that are open when it is the other thread's turn, and when it has had
   it. */
static PyThread_type_lock turn, had;
static void (*turns_function)(void);

static void
take_turns(void *Py_UNUSED(arg))
{
    for (;;) {
        PyThread_acquire_lock(turn, WAIT_LOCK);
        PyGILState_STATE state = PyGILState_Ensure();
        turns_function();
        PyGILState_Release(state);
        PyThread_release_lock(had);
    }
}

static void
start_other(void)
{
    turn = PyThread_allocate_lock();
    had = PyThread_allocate_lock();
    if (turn == NULL || had == NULL)
        abort();
    PyThread_acquire_lock(turn, WAIT_LOCK);
    PyThread_acquire_lock(had, WAIT_LOCK);
    if (PyThread_start_new_thread(take_turns, NULL) ==
        PYTHREAD_INVALID_THREAD_ID)
        abort();
}

void
host_let_in(void (*function)(void))
{
    if (turn == NULL)
        start_other();
    turns_function = function;
    Py_BEGIN_ALLOW_THREADS
    PyThread_release_lock(turn);
    PyThread_acquire_lock(had, WAIT_LOCK);
    Py_END_ALLOW_THREADS
}

static void GC_CALLBACK
marking(void)
{
    host_hooks.marking();
}

/* A block that leads to itself and has an ordered finalizer is reported at
   each collection; these reports are dropped. */
void
host_init(void)
{
    GC_set_warn_proc(GC_ignore_warn_proc);
    GC_set_start_callback(marking);
    GC_set_toggleref_func(toggled);
}
