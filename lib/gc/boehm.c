/* boehm.c: the Boehm collector, seen from here.  See boehm.h. */

#include "Python.h"

#include "gc/boehm.h"
#include "gc/fatal.h"
#include "gc/probes.h"

#include <atomic_ops.h>

/* Its threads, as far as to ask for their signals. */
#ifndef GC_THREADS
#define GC_THREADS
#endif
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/gc_inline.h>
#include <gc/gc_mark.h>

/* ------------------------------------------------------------------ */
/* Our hooks among those of the host                                   */

/* Boehm has one slot for each hook, and what stood there before us goes on
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

   What stands under somebody's hook cannot be taken out.  It stays, and only
   calls the next one once the library has ended.

   Not safe from: a host that takes the slots for roots and for events with
   incremental marking on, which has collections without a start, until our
   code comes to Boehm; one that takes all three. */

/* All are called with Boehm's lock held. */
struct chain_calls {
    void (*begun)(void);  /* marking begins, or begins again */
    void (*roots)(void);  /* push the roots; perhaps several times */
    void (*marked)(void); /* marking is done, nothing is reclaimed yet */
    void (*done)(void);   /* what is reclaimed is */
};

enum said { NOTHING, TO_SAY, SAID };

/* What the hooks share; Boehm's lock, with which they are called, guards it.
 */
static struct {
    const struct chain_calls *calls; /* NULL: the library has ended */
    /* Of push_roots and push_over, of on_event and hear_over, of on_start. */
    GC_push_other_roots_proc next_roots, host_roots;
    GC_on_collection_event_proc next_event, host_event;
    GC_start_callback_proc next_start;
    /* Ours stands in the slot, or under somebody's. */
    int roots, event, start;
    int over;    /* push_over is to be called */
    int pushed;  /* push_roots has been called */
    int hears;   /* the event of a collection's start has come */
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
    if (event == GC_EVENT_START) {
        chain.hears = 1;
    } else if (event == GC_EVENT_MARK_START) {
        chain.marking = 1;
        put_over();
        chain.calls->begun();
    } else if (event == GC_EVENT_MARK_END) {
        chain.doubt = 0;
        chain.calls->marked();
    } else if (event == GC_EVENT_RECLAIM_END) {
        chain.marking = 0;
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

/* Before any event of the same collection but its start.  If that has come, so
   will that of the mark, and until then Boehm may give the collection up
   without an event: the slot for roots has to be as the host put it. */
static void GC_CALLBACK
on_start(void)
{
    chain.marking = chain.doubt = 0;
    if (!chain.hears)
        put_over();
    chain.hears = 0;
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

/* Before our code has Boehm allocate or collect: puts right what hooks have
   noticed, and tells the host's author, once. */
static void
chain_mend(void)
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

/* In roots: begun has been called, and so will marked be. */
static int
chain_hears(void)
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

/* Has Boehm call these from here on. */
static void
chain_begin(const struct chain_calls *calls)
{
    GC_call_with_alloc_lock(use_calls, (void *)calls);
    chain_hooks();
}

/* No longer.  chain_begin may follow. */
static void
chain_end(void)
{
    GC_call_with_alloc_lock(use_calls, NULL);
    unchain_hooks();
}

/* ------------------------------------------------------------------ */
/* Blocks                                                              */

/* The kinds are made once: Boehm has room for a few. */
static struct {
    const struct pyb_boehm_hooks *hooks;
    unsigned kind;
    unsigned token_kind;
    int marked; /* a mark has ended, and Boehm still has its lock */
} boehm;

static struct GC_ms_entry *mark_token(GC_word *block, struct GC_ms_entry *top,
                                      struct GC_ms_entry *limit, GC_word env);

/* A kind whose blocks are all made by GC_generic_malloc_many has no lists for
   the sweep, and Boehm 8.2 does not clear its free lists then when it
   collects: blocks that were freed stand in them, and their pages are given
   away.  One that is made singly brings the kind to order. */
static void
use_kind(unsigned kind)
{
    GC_FREE(GC_generic_malloc(1, (int)kind));
}

static void
make_kinds(void)
{
    /* Scanned conservatively over its length, cleared when handed out. */
    boehm.kind = GC_new_kind(GC_new_free_list(), 0 | GC_DS_LENGTH, 1, 1);
    boehm.token_kind =
        GC_new_kind(GC_new_free_list(),
                    GC_MAKE_PROC((GC_word)GC_new_proc(mark_token), 0), 0, 1);
    use_kind(boehm.kind);
}

void *
pyb_boehm_alloc(size_t size)
{
    return GC_generic_malloc(size, (int)boehm.kind);
}

void *
pyb_boehm_alloc_many(size_t size)
{
    void *first = NULL;

    chain_mend();
    GC_generic_malloc_many(size, (int)boehm.kind, &first);
    if (first != NULL)
        return first;
    /* That did not ask the host's function for the lack of memory; this does.
     */
    first = pyb_boehm_alloc(size);
    if (first != NULL)
        *(void **)first = NULL;
    return first;
}

void
pyb_boehm_free(void *block)
{
    GC_FREE(block);
}

size_t
pyb_boehm_size(const void *block)
{
    return GC_size(block);
}

void *
pyb_boehm_base(const void *address)
{
    return GC_base((void *)address);
}

void
pyb_boehm_push(void **begin, void **end)
{
    GC_push_all_eager(begin, end);
}

void
pyb_boehm_add_roots(void **begin, void **end)
{
    GC_add_roots(begin, end);
}

void
pyb_boehm_remove_roots(void **begin, void **end)
{
    GC_remove_roots(begin, end);
}

void
pyb_boehm_mark(void *block)
{
    GC_set_mark_bit(block);
}

int
pyb_boehm_is_marked(const void *block)
{
    return GC_is_marked(block);
}

unsigned long
pyb_boehm_collections(void)
{
    return GC_get_gc_no();
}

/* ------------------------------------------------------------------ */
/* Tokens                                                              */

/* Blocks with a mark procedure, the sentinel and what a probe is made with.
   The first word is Boehm's while one is free. */
enum { TOKEN_WORDS = 2 };

/* Cleared, or NULL. */
static GC_word *
new_token(void)
{
    return GC_generic_malloc(TOKEN_WORDS * sizeof(GC_word),
                             (int)boehm.token_kind);
}

/* ------------------------------------------------------------------ */
/* The sentinel                                                        */

/* The block's address is hidden from Boehm, which would scan it here. */
static struct {
    AO_t hidden; /* the complement of the address; 0: there is none, or its
                    finalizer has been called */
    AO_t queued; /* its finalizer is going to be called */
    AO_t number; /* of the sentinel that is wanted; 0: none is */
    AO_t n;      /* sentinels, ever */
    int others;  /* something else was, or is to be, finalized */
    GC_await_finalize_proc
        before; /* in the hook's slot, while it is watched */
} sentinel;

static int
is_sentinel(const void *block)
{
    return AO_load(&sentinel.hidden) == ~(AO_t)block;
}

/* A stale word on some stack may have marked the sentinel.  Nothing refers to
   it, so the mark can go, and Boehm queues its finalizer.  From then on Boehm
   keeps it. */
static void
unmark_sentinel(void)
{
    AO_t hidden = AO_load(&sentinel.hidden);

    if (hidden != 0 && !AO_load(&sentinel.queued))
        GC_clear_mark_bit((void *)~hidden);
}

/* The number says whether this one is still wanted. */
static void GC_CALLBACK
finalize_sentinel(void *block, void *number)
{
    if (is_sentinel(block))
        AO_store(&sentinel.hidden, 0);
    if (AO_load(&sentinel.number) == (AO_t)number)
        boehm.hooks->found();
}

/* While another thread collects the block is on this one's stack. */
int
pyb_boehm_set_sentinel(void)
{
    AO_t number = ++sentinel.n;
    GC_finalization_proc old = finalize_sentinel;
    void *old_data, *block = new_token();

    if (block == NULL)
        return -1;
    AO_store(&sentinel.queued, 0);
    AO_store(&sentinel.number, number);
    /* Boehm reports its lack of memory through the old finalizer: it leaves
       the variable alone then; so it does where it looks for leaks. */
    GC_REGISTER_FINALIZER(block, finalize_sentinel, (void *)number, &old,
                          &old_data);
    if (old == finalize_sentinel) {
        AO_store(&sentinel.number, 0);
        GC_FREE(block);
        return -1;
    }
    AO_store(&sentinel.hidden, ~(AO_t)block);
    return 0;
}

/* If Boehm has queued it this only has the finalizer do nothing. */
void
pyb_boehm_drop_sentinel(void)
{
    AO_t hidden = AO_load(&sentinel.hidden);
    GC_finalization_proc old;
    void *old_data;

    AO_store(&sentinel.number, 0);
    AO_store(&sentinel.hidden, 0);
    if (hidden != 0)
        GC_REGISTER_FINALIZER((void *)~hidden, 0, 0, &old, &old_data);
}

/* ------------------------------------------------------------------ */
/* Probes' marks                                                       */

struct pyb_boehm_marking {
    struct GC_ms_entry *top, *limit; /* of Boehm's stack */
};

/* Asked once in a while; see pyb_boehm_probe. */
static struct {
    void *keeper;  /* a token, once there is one */
    void *last;    /* another one, of a last probe, while that is under way */
    int unordered; /* the host's switch is off, and on meanwhile */
    GC_toggleref_func next_toggle;
    GC_await_finalize_proc next_await;
    int asking;  /* so many calls of pyb_boehm_probe are under way */
    int toggled; /* Boehm has asked about the keeper in this collection */
    int keeping; /* this collection will keep what the probe is about */
    int queued;  /* on_await has been told of the last one */
    int again;   /* roots have been pushed once more since the mark ended */
    AO_t kept;   /* not 0: what the probe is about has been kept */
    enum { NO_ANSWER, REFUSED, ANSWERED } answer; /* of the last collection */
    int finalizers;                               /* some were found */
} probe;

/* Once in a collection, for all of it is marked then; who looked now what
   Boehm sees would see everything.  Boehm may come again, in several threads,
   for it scans all that is marked when its mark stack has overflowed.

   It also looks at the stacks then, and some word there may lead it to the
   token of a last probe before that is due: it must be found dead.  An
   unannounced call that comes for another reason may be the only one (a host
   has taken on_await away); then it is not known what is to be finalized. */
static void
keep_probed(void *block, struct pyb_boehm_marking *marking)
{
    int early = probe.last != NULL && block == probe.last && !probe.queued;

    if (early && probe.again) {
        GC_clear_mark_bit(block);
        return;
    }
    if (AO_fetch_and_add1_full(&probe.kept) != 0)
        return;
    probe.finalizers |= early;
    boehm.hooks->keep(marking);
}

/* Boehm's mark procedure for tokens.  As long as it marks, they keep nothing.
   When the mark is over, what the sentinel refers to, nothing, is marked
   because its finalizer is about to be queued. */
static struct GC_ms_entry *
mark_token(GC_word *block, struct GC_ms_entry *top, struct GC_ms_entry *limit,
           GC_word Py_UNUSED(env))
{
    struct pyb_boehm_marking marking = {top, limit};

    if (!boehm.marked)
        return top;
    if (block == (probe.last != NULL ? probe.last : probe.keeper))
        keep_probed(block, &marking);
    else if (is_sentinel(block))
        AO_store(&sentinel.queued, 1);
    return marking.top;
}

void
pyb_boehm_keep(struct pyb_boehm_marking *marking, void *begin, size_t bytes)
{
    void **word = begin, **end = word + bytes / sizeof *word;

    for (; word < end; word++)
        marking->top =
            GC_MARK_AND_PUSH(*word, marking->top, marking->limit, word);
}

/* ------------------------------------------------------------------ */
/* Probes                                                              */

/* A strong toggle reference is marked when the mark is over, and before
   disappearing links are cleared: the keeper is one, and so nothing that a
   probe is about looks dead to the host.  Boehm asks about it before it stops
   the world.

   The keeper goes with the first collection that is no probe's: a host that
   puts its own function into the slot must not be asked about it. */
static GC_ToggleRefStatus GC_CALLBACK
on_toggle(void *object)
{
    if (object != probe.keeper)
        return probe.next_toggle != NULL ? probe.next_toggle(object)
                                         : GC_TOGGLE_REF_STRONG;
    if (probe.asking == 0) {
        probe.keeper = NULL;
        return GC_TOGGLE_REF_DROP;
    }
    probe.toggled = 1;
    return GC_TOGGLE_REF_STRONG;
}

int
pyb_boehm_keeps(void)
{
    return probe.keeping;
}

/* Finalizers of blocks without pointers in them tell nothing new: they lead to
   what Boehm sees anyhow.  Some hosts have one run after each collection. */
static void GC_CALLBACK
on_await(void *object)
{
    if (object == probe.last) {
        probe.queued = 1;
    } else if (!is_sentinel(object)) {
        sentinel.others = 1;
        if (GC_get_kind_and_size(object, NULL) != GC_I_PTRFREE)
            probe.finalizers = 1;
    }
    if (probe.next_await != NULL)
        probe.next_await(object);
}

static void
take_toggle(void)
{
    if (GC_get_toggleref_func() == on_toggle)
        return;
    probe.next_toggle = GC_get_toggleref_func();
    GC_set_toggleref_func(on_toggle);
}

/* 0, or -1 if there is no memory. */
static int
make_keeper(void)
{
    void *keeper = new_token();

    if (keeper == NULL || GC_toggleref_add(keeper, 1) != GC_SUCCESS) {
        GC_FREE(keeper);
        return -1;
    }
    probe.keeper = keeper;
    return 0;
}

/* Overwrites what calls that have returned left on the stack, for Boehm's own
   frames will lie there, and it looks at them as a whole. */
static __attribute__((noinline)) void
clear_stack(void)
{
    volatile char frames[4096];

    for (size_t i = 0; i < sizeof frames; i++)
        frames[i] = 0;
}

/* Puts on_await in its place; end_await puts back what this returns. */
static GC_await_finalize_proc
begin_await(void)
{
    GC_await_finalize_proc before = GC_get_await_finalize_proc();

    if (before != on_await) {
        probe.next_await = before;
        GC_set_await_finalize_proc(on_await);
    }
    return before;
}

static void
end_await(GC_await_finalize_proc before)
{
    if (before != on_await && GC_get_await_finalize_proc() == on_await)
        GC_set_await_finalize_proc(before);
}

void
pyb_boehm_watch_finalizers(void)
{
    sentinel.before = begin_await();
    sentinel.others = GC_should_invoke_finalizers() != 0;
}

/* If the host has taken the slot meanwhile, this cannot be told: it may. */
int
pyb_boehm_host_finalized(void)
{
    return sentinel.others || GC_get_await_finalize_proc() != on_await;
}

void
pyb_boehm_unwatch_finalizers(void)
{
    end_await(sentinel.before);
}

/* Finalizers that run may probe, too. */
static void
collect_awaiting(void)
{
    GC_await_finalize_proc before;

    chain_mend();
    probe.answer = NO_ANSWER;
    before = begin_await();
    clear_stack();
    GC_gcollect();
    end_await(before);
}

/* If there is no answer, the slot for events may have been lost; then it has
   been noticed, and is put right. */
static void
ask(void)
{
    collect_awaiting();
    if (probe.answer == NO_ANSWER)
        collect_awaiting();
    if (probe.answer == REFUSED)
        probe.keeper = NULL;
}

/* A host that takes the slot for toggle references away meanwhile makes the
   probe useless, which is noticed in time; the next one takes it back. */
int
pyb_boehm_probe(void)
{
    int before = probe.finalizers, finalizers = -1;

    if (pyb_boehm_finds_leaks())
        return -1;
    take_toggle(); /* Boehm takes no toggle references before */
    probe.asking++;
    if (probe.keeper == NULL && make_keeper() < 0) {
        finalizers = PYB_NO_MEMORY;
    } else {
        probe.finalizers = 0;
        ask();
        if (probe.answer == ANSWERED)
            finalizers = probe.finalizers;
        probe.finalizers |= before;
    }
    probe.asking--;
    return finalizers;
}

static void GC_CALLBACK
finalize_last(void *Py_UNUSED(last), void *Py_UNUSED(data))
{
}

/* NULL if there is no memory. */
static void *
make_last(void)
{
    void *old_data, *last = new_token();
    GC_finalization_proc old = finalize_last;

    if (last == NULL)
        return NULL;
    GC_REGISTER_FINALIZER_NO_ORDER(last, finalize_last, 0, &old, &old_data);
    return old != finalize_last ? last : NULL;
}

/* The host may have told Boehm not to mark what objects with finalizers
   without order lead to.  From the end of the last probe's mark on, until
   Boehm gives its lock away, it does all the same. */
static void
serve_unordered(void)
{
    if (GC_get_java_finalization())
        return;
    probe.unordered = 1;
    GC_set_java_finalization(1);
}

static void
serve_as_before(void)
{
    if (probe.unordered)
        GC_set_java_finalization(0);
    probe.unordered = 0;
}

/* A last probe that is about to begin. */
struct last_probe {
    unsigned long collections; /* when its token was made */
    void *last;
};

/* NULL if Boehm has collected since, and may have queued the token: nothing
   would be kept for it again.  Not while another thread collects. */
static void *GC_CALLBACK
use_last(void *arg)
{
    struct last_probe *wanted = arg;

    if (pyb_boehm_collections() != wanted->collections)
        return NULL;
    probe.last = wanted->last;
    return wanted;
}

/* What has a finalizer without order is queued whatever it is reached from,
   and what it leads to is marked after that.  By then Boehm has marked what
   ordered finalizers wait for.  If it collects too early, nobody knows whether
   this is still the last question. */
int
pyb_boehm_last_probe(void)
{
    struct last_probe wanted = {pyb_boehm_collections(), NULL};
    GC_await_finalize_proc before;
    int finalizers = 1;

    wanted.last = make_last();
    if (wanted.last == NULL)
        return PYB_NO_MEMORY;
    before = begin_await(); /* the next collection may be another thread's */
    if (GC_call_with_alloc_lock(use_last, &wanted) != NULL)
        finalizers = pyb_boehm_probe();
    probe.last = NULL;
    end_await(before);
    return finalizers;
}

/* ------------------------------------------------------------------ */
/* Figures                                                             */

/* Boehm's lock guards them. */
static struct {
    struct timespec begun; /* the mark; 0 while there is none */
    double total, longest;
} pauses;

static void
pause_begins(void)
{
    PYB_PROBE(boehm__start);
    clock_gettime(CLOCK_MONOTONIC, &pauses.begun);
}

static void
pause_ends(void)
{
    struct timespec end;
    double duration;

    if (pauses.begun.tv_sec == 0) /* we came in the middle of it */
        return;
    clock_gettime(CLOCK_MONOTONIC, &end);
    duration = (double)(end.tv_sec - pauses.begun.tv_sec) +
               1e-9 * (double)(end.tv_nsec - pauses.begun.tv_nsec);
    pauses.begun.tv_sec = 0;
    pauses.total += duration;
    pauses.longest = Py_MAX(pauses.longest, duration);
    PYB_PROBE(boehm__done);
}

static void *GC_CALLBACK
read_figures(void *figures)
{
    PyBoehm_BoehmStats *stats = figures;
    struct GC_prof_stats_s prof;

    GC_get_prof_stats_unsafe(&prof, sizeof prof);
    *stats = (PyBoehm_BoehmStats){
        .collections = prof.gc_no,
        .heap_bytes = prof.heapsize_full - prof.unmapped_bytes,
        .free_bytes = prof.free_bytes_full - prof.unmapped_bytes,
        .unmapped_bytes = prof.unmapped_bytes,
        .allocated_bytes = prof.bytes_allocd_since_gc,
        .total_bytes =
            prof.allocd_bytes_before_gc + prof.bytes_allocd_since_gc,
        .non_gc_bytes = prof.non_gc_bytes,
        .duration = pauses.total,
        .longest = pauses.longest,
    };
    return NULL;
}

void
pyb_boehm_stats(PyBoehm_BoehmStats *stats)
{
    GC_call_with_alloc_lock(read_figures, stats);
}

static void *GC_CALLBACK
forget_pauses(void *Py_UNUSED(unused))
{
    memset(&pauses, 0, sizeof pauses);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* Beginning and end                                                   */

static void
mark_begins(void)
{
    boehm.marked = 0;
    pause_begins();
}

/* Boehm pushes the roots once more if its mark stack overflows while it marks
   what finalizers need.  The world runs then, and what our roots lead to has
   its mark already.

   While Boehm looks for leaks it frees what is not marked, and asks nobody. */
static void
push_strong(void)
{
    if (boehm.marked) {
        probe.again = 1;
        return;
    }
    probe.keeping = probe.toggled && chain_hears() && !pyb_boehm_finds_leaks();
    boehm.hooks->roots();
}

/* Of several collections the last one answers a probe; but finalizers that one
   of them has found may have run since, or be running. */
static void
mark_ends(void)
{
    boehm.marked = 1;
    probe.queued = probe.again = 0;
    AO_store(&probe.kept, 0);
    if (!probe.toggled)
        probe.answer = REFUSED;
    else
        probe.answer = probe.keeping ? ANSWERED : NO_ANSWER;
    if (probe.last != NULL) {
        GC_clear_mark_bit(probe.last);
        serve_unordered();
    }
    unmark_sentinel();
}

static void
collection_ends(void)
{
    boehm.marked = 0;
    probe.toggled = probe.keeping = 0;
    probe.last = NULL; /* it has been queued */
    serve_as_before();
    pause_ends();
}

static const struct chain_calls calls = {
    .begun = mark_begins,
    .roots = push_strong,
    .marked = mark_ends,
    .done = collection_ends,
};

/* Boehm ends the program if it has no memory for the first finalizer that is
   registered. */
static void
make_finalizer_table(void)
{
    if (pyb_boehm_set_sentinel() == 0)
        pyb_boehm_drop_sentinel();
}

void
pyb_boehm_init(const struct pyb_boehm_hooks *hooks)
{
    if (boehm.kind == 0)
        make_kinds();
    boehm.hooks = hooks;
    make_finalizer_table();
    GC_call_with_alloc_lock(forget_pauses, NULL);
    chain_begin(&calls);
}

/* The keeper may still be there, and the host's function must not be asked
   about that. */
void
pyb_boehm_fini(void)
{
    chain_end();
    if (probe.keeper == NULL && GC_get_toggleref_func() == on_toggle)
        GC_set_toggleref_func(probe.next_toggle);
}

/* ------------------------------------------------------------------ */

/* The first collection frees, and the second one after it unmaps what has been
   free since. */
enum { COLLECTIONS_TO_UNMAP = 3 };

void
pyb_boehm_collect(int give_back)
{
    chain_mend();
    if (!give_back)
        GC_gcollect();
    else
        for (int i = 0; i < COLLECTIONS_TO_UNMAP; i++)
            GC_gcollect_and_unmap();
}

static void *GC_CALLBACK
add_non_gc_bytes(void *bytes)
{
    ptrdiff_t sum = (ptrdiff_t)GC_get_non_gc_bytes() + *(ptrdiff_t *)bytes;

    GC_set_non_gc_bytes(sum > 0 ? (GC_word)sum : 0);
    return NULL;
}

void
pyb_boehm_count_live(ptrdiff_t bytes)
{
    /* Boehm changes the figure too, under its lock. */
    GC_call_with_alloc_lock(add_non_gc_bytes, &bytes);
}

void
pyb_boehm_allow_threads(void)
{
    static int allowed;

    if (allowed)
        return;
    allowed = 1;
    GC_allow_register_threads();
}

/* Boehm is about to end the program.  It does so when it has not been told of
   threads, which only a thread that it knows may do. */
static void GC_CALLBACK
refuse_thread(const char *message)
{
    pyb_fatal_format("Py_Initialize",
                     "Boehm does not know this thread, and expects none (%s): "
                     "call GC_allow_register_threads before, in a thread that "
                     "Boehm knows",
                     message != NULL ? message : "it does not say why");
}

int
pyb_boehm_enter_thread(int ending)
{
    struct GC_stack_base base;
    GC_abort_func before = GC_get_abort_func();
    int entered;

    if (!GC_is_init_called())
        GC_INIT(); /* this thread is Boehm's first */
    if (!ending && GC_thread_is_registered())
        return 0;
    if (GC_get_stack_base(&base) != GC_SUCCESS)
        return 0;
    GC_set_abort_func(refuse_thread);
    entered = GC_register_my_thread(&base) == GC_SUCCESS;
    GC_set_abort_func(before);
    return entered;
}

void
pyb_boehm_leave_thread(void)
{
    GC_unregister_my_thread();
}

void
pyb_boehm_let_signals(sigset_t *set)
{
    int numbers[] = {GC_get_suspend_signal(), GC_get_thr_restart_signal(),
                     SIGSEGV, SIGBUS};

    for (int i = 0; i < 4; i++)
        if (numbers[i] > 0)
            sigdelset(set, numbers[i]);
}

int
pyb_boehm_finds_leaks(void)
{
    return GC_get_find_leak();
}

int
pyb_boehm_calls_back(void)
{
    return !GC_is_disabled() && !GC_get_finalize_on_demand() &&
           !GC_get_find_leak();
}

int
pyb_boehm_finalizers_on_demand(void)
{
    return GC_get_finalize_on_demand();
}

size_t
pyb_boehm_used_bytes(void)
{
    return GC_get_heap_size() - GC_get_free_bytes();
}
