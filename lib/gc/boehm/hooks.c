/* hooks.c: our hooks among those of the host.  See hooks.h.

   Boehm has one slot for each hook, and what stood there before us goes on
   working: the default in the slot for roots pushes the stacks of the threads.
   A host that comes later may do as much for us, or may not.  Without our
   roots Boehm would free every object there is, so the hooks look after each
   other.

   When marking begins, and ours does not stand in the slot for roots, another
   one is put there until the roots are pushed.  It calls the host's hook and
   then pushes our roots, unless that hook has led to our first one.  So a host
   finds in the slot what it left there.  That marking begins an event says,
   with the world stopped; should the host have taken that slot, too, there is
   the start of full collections.

   Roots that are pushed with no event before them: the slot for events is
   lost.  Its setter takes Boehm's lock, which hooks are called with, so this
   is put right when our own code comes to Boehm again.

   A hook that the host's hook calls cannot be taken out.  It stays, and only
   calls the next one once the library has ended.

   Not safe from: a host that takes the slots for roots and for events with
   incremental marking on, which has collections without a start, until our
   code comes to Boehm; one that takes all three. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/boehm/hooks.h"

enum warned { NOT_NEEDED, TO_WARN, WARNED };

/* What the hooks share; Boehm's lock, with which they are called, guards it.
   Those of the next hooks, roots, event and start are written by install and
   uninstall only; host_event before ours stands in the slot. */
static struct {
    const struct pyb_hook_calls *calls; /* NULL: the library has ended */
    /* Of push_roots and push_roots_wrapped, of on_event and on_event_wrapped,
     * of on_start. */
    GC_push_other_roots_proc next_roots, host_roots;
    GC_on_collection_event_proc next_event, host_event;
    GC_start_callback_proc next_start;
    /* Ours is in the slot, or is called by the hook there. */
    int roots, event, start;
    int wrapped;          /* push_roots_wrapped is in the slot for roots */
    int pushed;           /* push_roots has been called */
    int start_seen;       /* the event of a collection's start has come */
    int marking;          /* from the event of the mark's start to that of the
                             collection's end; the world has not run before the
                             mark's end */
    int marked;           /* the mark has ended */
    int started_mid_mark; /* a mark may be under way that began before the
                             hooks were installed, or has been interrupted */
    int in_host_event;    /* on_event_wrapped calls the host's hook */
    AO_t bypassed; /* enum warned: the host's hook has not led to push_roots */
    AO_t missed_event; /* roots were pushed, and no event came before */
} hooks;

static void
push_ours(void)
{
    hooks.pushed = 1;
    if (hooks.calls == NULL)
        return;
    if (!hooks.marking && !hooks.started_mid_mark)
        AO_store(&hooks.missed_event, 1);
    hooks.calls->roots();
}

static void GC_CALLBACK
push_roots(void)
{
    if (hooks.next_roots != NULL)
        hooks.next_roots();
    push_ours();
}

static void GC_CALLBACK push_roots_wrapped(void);

static void
wrap_slot(void)
{
    GC_push_other_roots_proc slot = GC_get_push_other_roots();

    if (hooks.calls == NULL || slot == push_roots ||
        slot == push_roots_wrapped)
        return;
    PYB_ASSERT(!hooks.wrapped);
    hooks.host_roots = slot;
    hooks.wrapped = 1;
    GC_set_push_other_roots(push_roots_wrapped);
}

static void
unwrap_slot(void)
{
    PYB_ASSERT(hooks.wrapped && hooks.host_roots != push_roots_wrapped);
    hooks.wrapped = 0;
    if (GC_get_push_other_roots() == push_roots_wrapped)
        GC_set_push_other_roots(hooks.host_roots);
}

/* Once for each stop of the world is enough: our blocks have their mark bits
   then, and Boehm scans all that is marked when its mark stack overflows. */
static void GC_CALLBACK
push_roots_wrapped(void)
{
    if (!hooks.wrapped) { /* the host took it for a hook to be called next */
        push_roots();
        return;
    }
    unwrap_slot();
    hooks.pushed = 0;
    if (hooks.host_roots != NULL)
        hooks.host_roots();
    if (hooks.pushed)
        return;
    push_ours();
    if (AO_load(&hooks.bypassed) == NOT_NEEDED)
        AO_store(&hooks.bypassed, TO_WARN);
}

static void
handle_event(GC_EventType event)
{
    if (hooks.calls == NULL)
        return;
    if (event == GC_EVENT_START) {
        hooks.start_seen = 1;
    } else if (event == GC_EVENT_MARK_START) {
        hooks.marking = 1;
        hooks.marked = 0;
        wrap_slot();
        hooks.calls->begun();
    } else if (event == GC_EVENT_MARK_END) {
        PYB_ASSERT(!hooks.wrapped); /* the roots have been pushed */
        hooks.started_mid_mark = 0;
        hooks.marked = 1;
        hooks.calls->marked();
    } else if (event == GC_EVENT_RECLAIM_END) {
        hooks.marking = 0;
        hooks.calls->done();
    } else if (event == GC_EVENT_PRE_START_WORLD) {
        if (hooks.wrapped)
            unwrap_slot(); /* Boehm gave up before it came to the roots */
        if (hooks.marking && !hooks.marked) {
            hooks.marking = 0;
            hooks.started_mid_mark = 1;
        }
    }
}

static void GC_CALLBACK
on_event(GC_EventType event)
{
    handle_event(event);
    if (hooks.next_event != NULL)
        hooks.next_event(event);
}

/* On top of a host's hook.  Should that lead to on_event after all, to hear
   twice does no harm. */
static void GC_CALLBACK
on_event_wrapped(GC_EventType event)
{
    if (hooks.in_host_event) { /* the host took it for a hook to be called next
                                */
        on_event(event);
        return;
    }
    hooks.in_host_event = 1;
    if (hooks.host_event != NULL)
        hooks.host_event(event);
    hooks.in_host_event = 0;
    handle_event(event);
}

/* Before any event of the same collection but its start.  If that has come, so
   will that of the mark, and until then Boehm may give the collection up
   without an event: the slot for roots has to be as the host put it. */
static void GC_CALLBACK
on_start(void)
{
    hooks.marking = hooks.started_mid_mark = 0;
    if (!hooks.start_seen)
        wrap_slot();
    hooks.start_seen = 0;
    if (hooks.next_start != NULL)
        hooks.next_start();
}

/* Says something that the host's author should know. */
static void
warn(const char *message)
{
    GC_get_warn_proc()((char *)message, 0);
}

static void
reinstall_event(void)
{
    static int said;
    GC_on_collection_event_proc slot = GC_get_on_collection_event();

    AO_store(&hooks.missed_event, 0);
    if (slot == on_event || slot == on_event_wrapped)
        return;
    PYB_ASSERT(hooks.event); /* else there would be no event to be missed */
    hooks.host_event = slot;
    GC_set_on_collection_event(on_event_wrapped);
    if (!said++)
        warn("pyboehm: GC_set_on_collection_event was called and the hook that"
             " stood there is not; it has been put back\n");
}

void
pyb_hooks_repair(void)
{
    if (AO_load(&hooks.missed_event))
        reinstall_event();
    if (AO_load(&hooks.bypassed) == TO_WARN) {
        AO_store(&hooks.bypassed, WARNED);
        warn("pyboehm: GC_set_push_other_roots was called and the hook that"
             " stood there is not; the objects are kept all the same\n");
    }
}

static void
install(void)
{
    if (!hooks.roots) {
        hooks.next_roots = GC_get_push_other_roots();
        GC_set_push_other_roots(push_roots);
    }
    if (!hooks.event) {
        hooks.next_event = GC_get_on_collection_event();
        GC_set_on_collection_event(on_event);
    }
    if (!hooks.start) {
        hooks.next_start = GC_get_start_callback();
        GC_set_start_callback(on_start);
    }
    hooks.roots = hooks.event = hooks.start = 1;
    PYB_ASSERT(hooks.next_roots != push_roots &&
               hooks.next_event != on_event && hooks.next_start != on_start);
}

static void
uninstall(void)
{
    PYB_ASSERT(hooks.calls == NULL && !hooks.wrapped);
    if (GC_get_push_other_roots() == push_roots) {
        GC_set_push_other_roots(hooks.next_roots);
        hooks.roots = 0;
    }
    if (GC_get_on_collection_event() == on_event_wrapped)
        GC_set_on_collection_event(hooks.host_event);
    if (GC_get_on_collection_event() == on_event) {
        GC_set_on_collection_event(hooks.next_event);
        hooks.event = 0;
    }
    if (GC_get_start_callback() == on_start) {
        GC_set_start_callback(hooks.next_start);
        hooks.start = 0;
    }
}

int
pyb_hooks_see_mark(void)
{
    return hooks.marking;
}

/* Not while another thread collects. */
static void *GC_CALLBACK
use_calls(void *calls)
{
    PYB_ASSERT(calls == NULL || hooks.calls == NULL);
    hooks.calls = calls;
    hooks.marking = 0;
    hooks.started_mid_mark = GC_is_incremental_mode();
    return NULL;
}

void
pyb_hooks_begin(const struct pyb_hook_calls *calls)
{
    PYB_ASSERT(calls->begun != NULL && calls->roots != NULL &&
               calls->marked != NULL && calls->done != NULL);
    GC_call_with_alloc_lock(use_calls, (void *)calls);
    install();
}

void
pyb_hooks_end(void)
{
    GC_call_with_alloc_lock(use_calls, NULL);
    uninstall();
}
