/* chain.c: our hooks among those of the host.  See chain.h.

   All hooks are called with Boehm's lock held, which guards what they share.
 */

#include "Python.h"

#include "gc/chain.h"

#include <atomic_ops.h>
#include <gc/gc.h>
#include <gc/gc_mark.h>

enum said { NOTHING, TO_SAY, SAID };

static struct {
    const struct pyb_chain_calls *calls; /* NULL: the library has ended */
    /* Of push_roots and push_over, of on_event and hear_over, of on_start. */
    GC_push_other_roots_proc next_roots, host_roots;
    GC_on_collection_event_proc next_event, host_event;
    GC_start_callback_proc next_start;
    /* Ours stands in the slot, or under somebody's. */
    int roots, event, start;
    int over;    /* push_over is to be called */
    int pushed;  /* push_roots has been called */
    int marking; /* an event said so */
    int doubt;   /* we came in the middle of marking, perhaps */
    int telling; /* hear_over calls the host's */
    AO_t passed; /* enum said: the host's hook has not led to push_roots */
    AO_t deaf;   /* roots were pushed, and no event came before */
} chain;

static void
push_ours(void)
{
    chain.pushed = 1;
    if (chain.calls == NULL)
        return;
    if (!chain.marking && !chain.doubt)
        AO_store(&chain.deaf, 1);
    chain.calls->roots();
}

static void GC_CALLBACK
push_roots(void)
{
    if (chain.next_roots != NULL)
        chain.next_roots();
    push_ours();
}

static void GC_CALLBACK push_over(void);

static void
put_over(void)
{
    GC_push_other_roots_proc slot = GC_get_push_other_roots();

    if (chain.calls == NULL || slot == push_roots || slot == push_over)
        return;
    chain.host_roots = slot;
    chain.over = 1;
    GC_set_push_other_roots(push_over);
}

static void
take_over_off(void)
{
    chain.over = 0;
    if (GC_get_push_other_roots() == push_over)
        GC_set_push_other_roots(chain.host_roots);
}

/* Once for each stop of the world is enough: our blocks have their mark bits
   then, and Boehm scans all that is marked when its mark stack overflows. */
static void GC_CALLBACK
push_over(void)
{
    if (!chain.over) { /* the host took it for a hook to be called next */
        push_roots();
        return;
    }
    take_over_off();
    chain.pushed = 0;
    if (chain.host_roots != NULL)
        chain.host_roots();
    if (chain.pushed)
        return;
    push_ours();
    if (AO_load(&chain.passed) == NOTHING)
        AO_store(&chain.passed, TO_SAY);
}

static void
hear(GC_EventType event)
{
    if (chain.calls == NULL)
        return;
    if (event == GC_EVENT_MARK_START) {
        chain.marking = 1;
        put_over();
        chain.calls->begun();
    } else if (event == GC_EVENT_MARK_END) {
        chain.marking = chain.doubt = 0;
        chain.calls->marked();
    } else if (event == GC_EVENT_RECLAIM_END) {
        chain.calls->done();
    } else if (event == GC_EVENT_PRE_START_WORLD && chain.over) {
        take_over_off(); /* Boehm gave up before it came to the roots */
    }
}

static void GC_CALLBACK
on_event(GC_EventType event)
{
    hear(event);
    if (chain.next_event != NULL)
        chain.next_event(event);
}

/* On top of a host's hook.  Should that lead to on_event after all, to hear
   twice does no harm. */
static void GC_CALLBACK
hear_over(GC_EventType event)
{
    if (chain.telling) { /* the host took it for a hook to be called next */
        on_event(event);
        return;
    }
    chain.telling = 1;
    if (chain.host_event != NULL)
        chain.host_event(event);
    chain.telling = 0;
    hear(event);
}

/* Before any event of the same collection that hear has an ear for. */
static void GC_CALLBACK
on_start(void)
{
    chain.marking = chain.doubt = 0;
    put_over();
    if (chain.next_start != NULL)
        chain.next_start();
}

/* Says something that the host's author should know. */
static void
warn(const char *message)
{
    GC_get_warn_proc()((char *)message, 0);
}

static void
hear_again(void)
{
    static int said;
    GC_on_collection_event_proc slot = GC_get_on_collection_event();

    AO_store(&chain.deaf, 0);
    if (slot == on_event || slot == hear_over)
        return;
    chain.host_event = slot;
    GC_set_on_collection_event(hear_over);
    if (!said++)
        warn("pyboehm: GC_set_on_collection_event was called and the hook that"
             " stood there is not; it has been put back\n");
}

void
pyb_chain_mend(void)
{
    if (AO_load(&chain.deaf))
        hear_again();
    if (AO_load(&chain.passed) == TO_SAY) {
        AO_store(&chain.passed, SAID);
        warn("pyboehm: GC_set_push_other_roots was called and the hook that"
             " stood there is not; the objects are kept all the same\n");
    }
}

static void
chain_hooks(void)
{
    if (!chain.roots) {
        chain.next_roots = GC_get_push_other_roots();
        GC_set_push_other_roots(push_roots);
    }
    if (!chain.event) {
        chain.next_event = GC_get_on_collection_event();
        GC_set_on_collection_event(on_event);
    }
    if (!chain.start) {
        chain.next_start = GC_get_start_callback();
        GC_set_start_callback(on_start);
    }
    chain.roots = chain.event = chain.start = 1;
}

static void
unchain_event(void)
{
    if (GC_get_on_collection_event() == hear_over)
        GC_set_on_collection_event(chain.host_event);
    if (GC_get_on_collection_event() == on_event) {
        GC_set_on_collection_event(chain.next_event);
        chain.event = 0;
    }
}

static void
unchain_hooks(void)
{
    if (GC_get_push_other_roots() == push_roots) {
        GC_set_push_other_roots(chain.next_roots);
        chain.roots = 0;
    }
    unchain_event();
    if (GC_get_start_callback() == on_start) {
        GC_set_start_callback(chain.next_start);
        chain.start = 0;
    }
}

int
pyb_chain_hears(void)
{
    return chain.marking;
}

/* Not while another thread collects. */
static void *GC_CALLBACK
use_calls(void *calls)
{
    chain.calls = calls;
    chain.marking = 0;
    chain.doubt = GC_is_incremental_mode();
    return NULL;
}

void
pyb_chain_begin(const struct pyb_chain_calls *calls)
{
    GC_call_with_alloc_lock(use_calls, (void *)calls);
    chain_hooks();
}

void
pyb_chain_end(void)
{
    GC_call_with_alloc_lock(use_calls, NULL);
    unchain_hooks();
}
