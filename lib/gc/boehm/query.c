/* query.c: what Boehm's marks say about objects.  See boehm.h.

   A query is a collection in which objects that are asked about are not roots.
   What Boehm finds of them all the same it sees from the host's memory.  They
   are marked after that, so that nothing of them is lost.

   Boehm does that with the world running again.  So only collections of the
   attached thread are queries: while one of those is under way, the set is
   what it was when its members were left out.  In a collection of another
   thread they are roots as all others, and the answer stays what it was.

   Boehm asks about toggle references, and then may not come to mark, or be
   told to stop before the roots: what is known from asking holds for the mark
   that begins next, and for no other. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/threadstack.h"
#include "gc/boehm/hooks.h"
#include "gc/boehm/query.h"
#include "gc/boehm/quiet.h"
#include "gc/boehm/reserve.h"
#include "gc/boehm/sentinel.h"

struct pyb_boehm_marking {
    struct GC_ms_entry *top, *limit; /* of Boehm's stack */
};

/* In which thread the token was asked about, if it was. */
enum asked { NOT_ASKED, BY_ATTACHED, BY_OTHER };

/* What a query and the hooks share.  Hooks write with Boehm's lock, perhaps in
   another thread; the attached thread writes

   - quiet and was_quiet, which concern its calls alone;
   - asking, without the lock when a call is over: one more is noted with it,
     for where none is under way a hook gives the token up;
   - finalizers and answer, while no query is under way;
   - token and entries, without the lock only as long as Boehm does not have
     the token among its toggle references yet, or has it no more: then no hook
     looks at them;
   - final, without the lock when the query is over. */
static struct {
    void *token; /* once there is one */
    void *final; /* the token of a final query, while that is under way */
    unsigned long collections; /* of Boehm's, before the final query */
    int unordered; /* the host's switch was off; it is on until the end */
    GC_toggleref_func next_toggle;
    GC_await_finalize_proc next_await;
    int entries; /* of the token among the toggle references */
    int asking;  /* so many calls of pyb_boehm_mark_query are under way */
    enum asked toggled; /* for the mark to come */
    enum asked mark;    /* for the mark under way, or the last one */
    int keeping;        /* this collection will keep what the query is about */
    int queued;         /* Boehm has queued query.final */
    int again; /* roots have been pushed once more since the mark ended */
    AO_t kept; /* not 0: what the query is about has been kept */
    enum { NO_ANSWER, REFUSED, ANSWERED } answer; /* of the last collection */
    int answers_final; /* that was a final query's */
    int seen; /* the final query became an ordinary one: a member was seen */
    int finalizers; /* some were found */
    int quiet;      /* final ones are to run no finalizers: the last one was in
                       vain for such, and they come again and again */
    int was_quiet;  /* so was the last one */
    int waited;     /* finalizers stood in Boehm's queue already */
    int others;     /* the mark has found something of the host's to queue */
    AO_t invoked;   /* not 0: the queue has been emptied since the mark */
} query;

/* While finalizers are watched. */
static struct {
    int others; /* something of the host's was, or is to be, finalized */
    GC_await_finalize_proc before; /* in the hook's slot */
} awaited;

/* Boehm's switch for finalization as in Java has it mark what objects with
   finalizers without order lead to.  It is on from the end of a final query's
   mark until Boehm gives its lock away, if the host has it off. */
static void
serve_unordered(void)
{
    PYB_ASSERT(pyb_boehm.marked);
    if (GC_get_java_finalization())
        return;
    PYB_ASSERT(!query.unordered);
    query.unordered = 1;
    GC_set_java_finalization(1);
}

static void
serve_host_again(void)
{
    if (query.unordered)
        GC_set_java_finalization(0);
    query.unordered = 0;
}

/* A final query becomes an ordinary one.  The next one can have the token. */
static void
give_final_back(void)
{
    PYB_ASSERT(query.final != NULL && !query.queued && query.keeping);
    GC_set_mark_bit(query.final);
    pyb_reserve_return_final(query.final);
    query.final = NULL;
    query.answers_final = 0;
}

/* The other toggle references have been marked by now: do they lead to what a
   final query is about? */
static void
look_again(void)
{
    if (query.final == NULL || query.queued || !query.keeping || query.again ||
        !pyb_boehm.client->seen())
        return;
    query.seen = 1;
    give_final_back();
    serve_host_again();
}

/* Once in a collection, for this marks the whole set; after it the mark
   bits say nothing about the host.  Boehm may come again, in several threads,
   for it scans all that is marked when its mark stack has overflowed.

   It also looks at the stacks then, and some word there may lead it to the
   token of a final query before that is due: it must be found dead.  An
   unannounced call that comes for another reason may be the only one (a host
   has taken on_await away); then it is not known what is to be finalized. */
static void
keep_queried(void *block, struct pyb_boehm_marking *marking)
{
    int early = query.final != NULL && block == query.final && !query.queued;

    if (!query.keeping)
        return;
    if (early && query.again) {
        GC_clear_mark_bit(block);
        return;
    }
    if (AO_fetch_and_add1_full(&query.kept) != 0)
        return;
    PYB_ASSERT(query.mark == BY_ATTACHED && pyb_boehm.marked);
    query.finalizers |= early;
    pyb_boehm.client->keep(marking);
}

/* Boehm's mark procedure for tokens.  As long as it marks, they keep nothing.
   When the mark is over, what the sentinel refers to, nothing, is marked
   because its finalizer is about to be queued. */
struct GC_ms_entry *
pyb_query_mark_token(GC_word *block, struct GC_ms_entry *top,
                     struct GC_ms_entry *limit, GC_word Py_UNUSED(env))
{
    struct pyb_boehm_marking marking = {top, limit};

    if (!pyb_boehm.marked)
        return top;
    if (block == query.token)
        look_again();
    if (block == (query.final != NULL ? query.final : query.token))
        keep_queried(block, &marking);
    else if (pyb_sentinel_is(block))
        pyb_sentinel_note_queued();
    return marking.top;
}

void
pyb_boehm_keep(struct pyb_boehm_marking *marking, void *begin, size_t bytes)
{
    void **word = begin, **end = word + bytes / sizeof *word;

    PYB_ASSERT(bytes % sizeof *word == 0 && marking->top <= marking->limit);
    for (; word < end; word++)
        marking->top =
            GC_MARK_AND_PUSH(*word, marking->top, marking->limit, word);
}

/* A strong toggle reference is marked when the mark is over, and before
   disappearing links are cleared: the token is one, and so nothing that a
   query is about looks dead to the host.  Boehm asks about it before it stops
   the world.

   It is none any more with the first collection that is no query's: a host
   that puts its own function into the slot must not be asked about it.  Boehm
   marks them in their order: of several entries the last one stays. */
static GC_ToggleRefStatus GC_CALLBACK
on_toggle(void *object)
{
    if (object != query.token)
        return query.next_toggle != NULL ? query.next_toggle(object)
                                         : GC_TOGGLE_REF_STRONG;
    PYB_ASSERT(query.token != NULL && query.entries > 0);
    if (query.entries > 1) {
        query.entries--;
        return GC_TOGGLE_REF_DROP;
    }
    if (query.asking == 0) {
        query.token = NULL;
        query.entries = 0;
        query.toggled = NOT_ASKED;
        return GC_TOGGLE_REF_DROP;
    }
    query.toggled = pyb_gil_is_held() ? BY_ATTACHED : BY_OTHER;
    return GC_TOGGLE_REF_STRONG;
}

int
pyb_boehm_keeps(void)
{
    return query.keeping;
}

/* Finalizers of blocks without pointers in them tell nothing new: they lead to
   what Boehm sees anyhow.  Some hosts have one run after each collection. */
static void GC_CALLBACK
on_await(void *object)
{
    if (object == query.final) {
        query.queued = 1;
    } else if (!pyb_sentinel_is(object)) {
        awaited.others = query.others = 1;
        if (GC_get_kind_and_size(object, NULL) != GC_I_PTRFREE)
            query.finalizers = 1;
    }
    if (query.next_await != NULL)
        query.next_await(object);
}

static void
take_toggle(void)
{
    if (GC_get_toggleref_func() == on_toggle)
        return;
    query.next_toggle = GC_get_toggleref_func();
    GC_set_toggleref_func(on_toggle);
}

/* 0, or -1 if there is no memory.  Another thread may collect as soon as it is
   a toggle reference: on_toggle knows it before. */
static int
make_token(void)
{
    void *token = pyb_reserve_take(PYB_RESERVED_TOKEN);

    PYB_ASSERT(query.token == NULL);
    if (token == NULL)
        token = pyb_boehm_new_token();
    pyb_reserve_keep(PYB_RESERVED_TOKEN, token);
    query.token = token;
    query.entries = 1;
    if (token != NULL && GC_toggleref_add(token, 1) == GC_SUCCESS)
        return 0;
    query.token = NULL;
    query.entries = 0;
    return -1;
}

/* A query begins.  From here on no hook gives the token up.  If there is one,
   it will have one more entry; returns it, or NULL. */
static void *GC_CALLBACK
begin_asking(void *Py_UNUSED(unused))
{
    query.asking++;
    if (query.token != NULL) {
        PYB_ASSERT(query.entries > 0);
        query.entries++;
    }
    return query.token;
}

static void *GC_CALLBACK
expect_none(void *Py_UNUSED(unused))
{
    PYB_ASSERT(query.entries > 0);
    if (--query.entries == 0)
        query.token = NULL;
    return NULL;
}

/* Behind those that the host has added meanwhile.  The entry was noted before
   it is there: another thread may collect in between, and then drops the old
   one.  0, or -1 if there is no memory, and no token either. */
static int
make_token_last(void)
{
    if (GC_toggleref_add(query.token, 1) != GC_SUCCESS)
        GC_call_with_alloc_lock(expect_none, NULL);
    return query.token != NULL ? 0 : -1;
}

/* Puts on_await in its place; end_await puts back what this returns. */
static GC_await_finalize_proc
begin_await(void)
{
    GC_await_finalize_proc before = GC_get_await_finalize_proc();

    if (before != on_await) {
        query.next_await = before;
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
    awaited.before = begin_await();
    awaited.others = GC_should_invoke_finalizers() != 0;
}

/* If the host has taken the slot meanwhile, this cannot be told: it may. */
int
pyb_boehm_host_finalized(void)
{
    return awaited.others || GC_get_await_finalize_proc() != on_await;
}

void
pyb_boehm_unwatch_finalizers(void)
{
    PYB_ASSERT(awaited.before != on_await);
    end_await(awaited.before);
}

void
pyb_boehm_abandon(void)
{
    query.asking = query.quiet = 0;
    pyb_quiet_abandon();
    query.final = NULL;
    if (GC_get_await_finalize_proc() == on_await)
        GC_set_await_finalize_proc(query.next_await);
}

/* On demand Boehm tells the host that there is something in its queue, as
   there is after a final query. */
static int
is_host_told(void)
{
    return GC_get_finalize_on_demand() && GC_get_finalizer_notifier() != 0;
}

/* Before it collects, too, GC_gcollect runs what stands in the queue. */
static int
will_invoke(void)
{
    return GC_should_invoke_finalizers() && !GC_get_finalize_on_demand();
}

/* Finalizers that run may query, too. */
static void
collect_awaiting(void)
{
    GC_await_finalize_proc before;

    PYB_ASSERT(query.asking > 0);
    pyb_hooks_repair();
    query.answer = NO_ANSWER;
    before = begin_await();
    pyb_threadstack_clear();
    query.was_quiet = query.final != NULL &&
                      (query.quiet || is_host_told() || will_invoke()) &&
                      pyb_quiet_collect();
    if (!query.was_quiet && (query.final == NULL || !will_invoke()))
        GC_gcollect();
    end_await(before);
}

/* If there is no answer, the slot for events may have been lost; then it has
   been noticed, and is put right. */
static void
ask(void)
{
    collect_awaiting();
    if (query.answer == NO_ANSWER)
        collect_awaiting();
    if (query.answer == REFUSED)
        query.token = NULL; /* its entries, if any, are the host's to drop */
}

/* A host that takes the slot for toggle references away meanwhile makes the
   query useless, which is noticed in time; the next one takes it back. */
enum pyb_answer
pyb_boehm_mark_query(void)
{
    enum pyb_answer answer = PYB_NO_ANSWER;

    PYB_ASSERT(pyb_gil_is_held());
    if (pyb_boehm_finds_leaks())
        return PYB_NO_ANSWER;
    take_toggle(); /* Boehm takes no toggle references before */
    if ((GC_call_with_alloc_lock(begin_asking, NULL) == NULL
             ? make_token()
             : make_token_last()) < 0) {
        answer = PYB_NO_MEMORY;
    } else {
        query.finalizers = 0;
        ask();
        if (query.answer == ANSWERED)
            answer = query.finalizers ? PYB_FINALIZERS : PYB_SETTLED;
    }
    PYB_ASSERT(query.asking > 0);
    query.asking--;
    return answer;
}

/* GC_gcollect runs the whole queue, or, within a finalizer, sometimes nothing
   of it: ours stands for the others. */
static void GC_CALLBACK
finalize_final(void *final, void *Py_UNUSED(data))
{
    pyb_reserve_cancel_final(
        final); /* the host may run all (GC_finalize_all) */
    AO_store(&query.invoked, 1);
}

/* After a final query: has a finalizer of the host's run since the mark?  If
   there are some, a queue that is empty tells, too: another thread may be
   about to call ours. */
static int
host_ran(void)
{
    int others =
        query.others || GC_get_await_finalize_proc() != on_await; /* or any */

    return (query.waited || others) &&
           (AO_load(&query.invoked) || !GC_should_invoke_finalizers());
}

/* NULL if there is no memory. */
static void *
make_final(void)
{
    void *old_data, *final = pyb_boehm_new_token();
    GC_finalization_proc old = finalize_final;

    if (final == NULL)
        return NULL;
    GC_REGISTER_FINALIZER_NO_ORDER(final, finalize_final, 0, &old, &old_data);
    return old != finalize_final ? final : NULL;
}

void
pyb_boehm_reserve(void)
{
    if ((pyb_reserve_has(PYB_RESERVED_TOKEN) &&
         pyb_reserve_has(PYB_RESERVED_FINAL)) ||
        pyb_boehm_finds_leaks())
        return;
    take_toggle();
    if (query.token == NULL)
        (void)make_token();
    if (!pyb_reserve_has(PYB_RESERVED_FINAL))
        pyb_reserve_keep(PYB_RESERVED_FINAL, make_final());
}

/* A final query that is about to begin. */
struct final_query {
    unsigned long collections; /* when its token was made */
    void *final;
};

/* NULL if Boehm has collected since, and may have queued the token: nothing
   would be kept for it again.  Not while another thread collects. */
static void *GC_CALLBACK
use_final(void *arg)
{
    struct final_query *wanted = arg;

    PYB_ASSERT(query.final == NULL && wanted->final != NULL);
    if (pyb_boehm_collections() != wanted->collections)
        return NULL;
    query.final = wanted->final;
    query.collections = wanted->collections;
    query.queued = query.seen = 0;
    return wanted;
}

/* What has a finalizer without order is queued whatever it is reached from,
   and what it leads to is marked after that.  By then Boehm has marked what
   ordered finalizers wait for.  If it collects too early, or is to run
   finalizers first, it is not known whether this is still the last question.
 */
enum pyb_answer
pyb_boehm_final_mark_query(void)
{
    struct final_query wanted = {pyb_boehm_collections(), NULL};
    unsigned long turns = pyb_gil_turns();
    enum pyb_answer answer = PYB_FINALIZERS;
    GC_await_finalize_proc before;

    PYB_ASSERT(pyb_gil_is_held());
    if (will_invoke() && (!pyb_reserve_has(PYB_RESERVED_FINAL) ||
                          query.token == NULL || !pyb_quiet_can()))
        return PYB_FINALIZERS;
    wanted.final = pyb_reserve_take(PYB_RESERVED_FINAL);
    if (wanted.final == NULL)
        wanted.final = make_final();
    if (wanted.final == NULL)
        return PYB_NO_MEMORY;
    before = begin_await(); /* the next collection may be another thread's */
    if (GC_call_with_alloc_lock(use_final, &wanted) != NULL)
        answer = pyb_boehm_mark_query();
    if (answer == PYB_SETTLED && !query.answers_final)
        answer =
            query.seen && turns == pyb_gil_turns() ? PYB_SEEN : PYB_FINALIZERS;
    if (answer == PYB_SETTLED && (host_ran() || turns != pyb_gil_turns() ||
                                  (!query.was_quiet && is_host_told())))
        answer = PYB_HOST_RAN;
    if (answer == PYB_HOST_RAN || !query.others)
        query.quiet = answer == PYB_HOST_RAN;
    query.final = NULL;
    end_await(before);
    return answer;
}

/* ------------------------------------------------------------------ */
/* In a collection of Boehm's                                          */

void
pyb_query_mark_begins(void)
{
    PYB_ASSERT(query.toggled != BY_ATTACHED || query.asking > 0);
    query.mark = query.toggled;
    query.toggled = NOT_ASKED;
    query.keeping = query.again = 0;
    AO_store(&query.kept, 0);
    if (query.mark == BY_ATTACHED)
        query.others = 0;
}

int
pyb_query_roots(void)
{
    if (pyb_boehm.marked) {
        query.again = 1;
        return 0;
    }
    /* While Boehm looks for leaks it frees what is not marked, and calls no
       hook that could keep members: they are pushed. */
    query.keeping = query.mark == BY_ATTACHED && pyb_hooks_see_mark() &&
                    !pyb_boehm_finds_leaks();
    return 1;
}

/* The token of a final query is to be found dead in a query and in no other
   collection.  One that was queued by a collection that we did not see is not
   queued again, and keeps nothing.

   Since the question before, a member may have been got hold of after all: by
   a weak reference, a long link, in another thread.  Boehm sees that member,
   and not all that it leads to: the host's blocks there would be finalized.
   So all members are kept as in any other query; and so they are where Boehm
   has collected since the query began, for finalizers of the host's may have
   run after that. */
static void
prepare_final(void)
{
    int late = pyb_boehm_collections() != query.collections + 1;

    if (query.final == NULL)
        return;
    if (query.queued) {
        query.final = NULL;
    } else if (!query.keeping) {
        GC_set_mark_bit(query.final);
    } else if (late || pyb_boehm.client->seen()) {
        query.seen = !late;
        give_final_back();
    } else {
        GC_clear_mark_bit(query.final);
        serve_unordered();
    }
}

/* Of several collections the last one answers a query; but finalizers that one
   of them has found may have run since, or be running. */
void
pyb_query_mark_ended(void)
{
    PYB_ASSERT(!query.keeping || query.mark == BY_ATTACHED);
    prepare_final();
    pyb_reserve_mark(query.mark == NOT_ASKED);
    if (query.mark == BY_OTHER)
        return;
    if (query.keeping) {
        query.waited = GC_should_invoke_finalizers();
        AO_store(&query.invoked, 0);
    }
    if (query.mark == NOT_ASKED)
        query.answer = REFUSED;
    else
        query.answer = query.keeping ? ANSWERED : NO_ANSWER;
    query.answers_final = query.final != NULL;
}

void
pyb_query_collection_ended(void)
{
    PYB_ASSERT(!query.keeping || query.mark == BY_ATTACHED);
    if (query.keeping)
        query.final = NULL; /* it has been queued */
    pyb_reserve_collection_ended();
    query.mark = NOT_ASKED;
    query.keeping = 0;
    serve_host_again();
}

/* The token may still be there, and the host's function must not be asked
   about that. */
void
pyb_query_fini(void)
{
    PYB_ASSERT(query.asking == 0 && query.final == NULL);
    if (query.token == NULL && GC_get_toggleref_func() == on_toggle)
        GC_set_toggleref_func(query.next_toggle);
}
