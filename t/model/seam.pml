/* seam.pml: the states of condemned sets, and who may move one from one state
   to the next: sentinel, Boehm's finalizers, the attachment, two threads, a
   third one that is never attached, a host that turns finalizers on demand on
   and off at any moment, and a jump out of its code.

   A variable or label has the name that it has in lib/gc/waiting.c and
   collect.c.  Left out: a sentinel for which there is no memory; attached
   threads run deferred calls between what else they do, and in code of the
   host's only those of the queue.

   Some rules can be taken away, and spin finds why they are there.  Two were
   not there once: with OLD_TAKEOVER any thread that is attached when the
   sentinel's finalizer is called tears the set down; with OLD_SWITCH the host's
   switch is trusted twice in one collection.  With NO_DUE a finalizer that comes
   in the middle of something is not noted for later; with NO_LOOK the deferred
   call takes a collection that was left for one that is under way; with
   NO_ABANDON nothing gives that up.  With NO_CAME a host that turns the switch
   before the last step is waited for, though the finalizer has come. */

#ifdef OLD_TAKEOVER
#define ELSEWHERE(me) (under_way > 0 && left_by_collection == NONE)
#else
#define ELSEWHERE(me) (under_way > 0 && (left_by_collection == NONE || extent != me))
#endif

#define NONE 0
#define ROUNDS 2

byte attached = NONE;   /* the thread */
bool on_demand;
byte switches = 2;      /* the host may turn it so often */

byte made, torn, lives; /* sets; those that live on after a jump */
byte waiting;           /* sets that wait for Boehm, joined into one */
bool is_set, is_queued; /* the sentinel; its finalizer */
byte left_by_collection = NONE; /* the thread whose collection has left the set that
                           waits to Boehm, and has not returned */
bool counted;           /* how many it has found is known */
byte under_way;         /* collections and teardowns: pyb_control.collecting */
byte extent = NONE;     /* the thread that began the first of them */
bool busy;              /* a set is torn down, or Boehm asked about one */
bool due;
#define NO_STEP 0
#define COLLECT 1
#define TEAR_DOWN 2
byte step = NO_STEP;    /* the next one, for the set that waits */
bool finalizer_came;    /* since the last one */
bool deferred;          /* the call of a thread that is not attached */
byte jumps = 1;         /* code of the host's may jump so often */
bool left;              /* the frames of what is under way are gone */

inline acquire(me)
{
    atomic { attached == NONE -> attached = me }
}

inline release(me)
{
    assert(attached == me);
    attached = NONE
}

inline note_due()
{
#ifdef NO_DUE
    skip
#else
    due = true
#endif
}

/* collect_is_under_way: the thread that jumped sees it at once, another one by
   and by.  A set that was in hand lives on; the one that waits is in order. */
inline look(me)
{
    if
#ifdef NO_ABANDON
    :: true
#else
    :: left ->
        under_way = 0;
        extent = NONE;
        lives = made - torn - waiting;
        busy = false;
        left_by_collection = NONE;
        step = (waiting == 0 -> NO_STEP : step);
        left = false
    :: !left || extent != me
#endif
    fi
}

inline look_first(me)
{
#ifdef NO_LOOK
    skip
#else
    look(me)
#endif
}

/* Code of the host's may detach, turn the switch, and run Boehm's queue: the
   sentinel's finalizer within whatever is under way. */
inline host_code(me)
{
    if
    :: skip
    :: jumps > 0 && under_way > 0 && extent == me ->
        jumps--;
        left = true;
        goto jumped
    :: release(me); acquire(me)
    :: switches > 0 -> switches--; on_demand = !on_demand
    :: is_queued ->
        is_queued = false;
        look_first(me);
        if
        :: busy || ELSEWHERE(me) -> note_due()
        :: !(busy || ELSEWHERE(me)) && step == TEAR_DOWN -> finalizer_came = true
        :: else -> /* it would tear down, as finalize_waiting does */
            assert(!busy);
            torn = torn + waiting;
            if
            :: waiting > 0 && left_by_collection != NONE -> counted = true
            :: else
            fi;
            waiting = 0;
            due = false;
            step = NO_STEP;
            is_set = false
        fi
    fi
}

inline begin(me)
{
    if
    :: under_way == 0 -> extent = me
    :: else
    fi;
    under_way++
}

inline end()
{
    assert(under_way > 0);
    under_way--;
    if
    :: under_way == 0 -> extent = NONE
    :: else
    fi
}

inline tear_down(me, sets)
{
    begin(me);
    assert(!busy);
    busy = true;
    host_code(me); /* tp_finalize, tp_clear */
    torn = torn + sets;
    end();
    busy = false
}

inline tear_down_waiting(me, sets)
{
    assert(waiting > 0);
    sets = waiting;
    waiting = 0;
    due = false;
    step = NO_STEP;
    is_set = false;
    if
    :: left_by_collection == NONE -> tear_down(me, sets)
    :: else ->
        assert(!left); /* a frame that is there */
        tear_down(me, sets);
        assert(left_by_collection != NONE); /* what it has found goes there */
        counted = true
    fi;
    host_code(me) /* finalizers that were kept back */
}

inline finalize_waiting(me, sets)
{
    look_first(me);
    if
    :: busy || ELSEWHERE(me) -> note_due()
    :: !(busy || ELSEWHERE(me)) && step == TEAR_DOWN -> finalizer_came = true
    :: else ->
        if
        :: waiting > 0 -> tear_down_waiting(me, sets)
        :: else
        fi
    fi
}

/* GC_invoke_finalizers: the host's own come before or after. */
inline invoke_finalizers(me, sets)
{
    host_code(me);
    if
    :: is_queued -> is_queued = false; finalize_waiting(me, sets)
    :: else
    fi;
    host_code(me)
}

/* A collection of Boehm's. */
inline boehm_collects(me, sets)
{
    if
    :: is_set -> is_set = false; is_queued = true
    :: else
    fi;
    if
    :: !on_demand -> invoke_finalizers(me, sets)
    :: else
    fi
}

inline waiting_leave()
{
    if
    :: waiting == 0 -> is_set = true
    :: else
    fi;
    waiting++
}

inline waiting_leave_in_steps()
{
    assert(waiting == 0 && step == NO_STEP);
    waiting_leave();
    step = COLLECT;
    finalizer_came = false
}

#ifdef NO_CAME
#define MOMENT_PASSED false
#else
#define MOMENT_PASSED finalizer_came
#endif

/* At an allocation: where a collection is under way, none is due. */
inline take_step(me, sets)
{
    look(me);
    if
    :: under_way > 0 || busy || step == NO_STEP
    :: else ->
        assert(waiting > 0);
        if
        :: on_demand && !MOMENT_PASSED -> step = NO_STEP
        :: else ->
            if
            :: step == COLLECT -> step = TEAR_DOWN; boehm_collects(me, sets)
            :: step == TEAR_DOWN -> tear_down_waiting(me, sets)
            fi
        fi
    fi
}

inline waiting_collect(me, sets)
{
    assert(waiting == 0); /* "a set waits already" */
    assert(left_by_collection == NONE);
    left_by_collection = me;
    counted = false;
    waiting_leave();
    boehm_collects(me, sets);
    if
    :: waiting > 0 -> tear_down_waiting(me, sets)
    :: else
    fi;
    assert(counted);
    left_by_collection = NONE
}

/* PyGC_Collect, or an automatic collection: that leaves its set where the host
   wants finalizers on demand. */
inline collect(me, sets, automatic)
{
    look(me);
    if
    :: under_way > 0
    :: else ->
        begin(me);
        if
        :: !on_demand && waiting > 0 -> tear_down_waiting(me, sets)
        :: else
        fi;
        made++;
        busy = true;
        host_code(me); /* Boehm is asked about adopted members */
        busy = false;
        if
#ifdef OLD_SWITCH
        :: !on_demand -> waiting_collect(me, sets)
#else
        :: !on_demand && waiting == 0 -> waiting_collect(me, sets)
        :: !on_demand && waiting == 0 && automatic -> waiting_leave_in_steps()
#endif
        :: on_demand && automatic -> waiting_leave()
        :: else -> tear_down(me, 1)
        fi;
        if
        :: due && waiting > 0 -> tear_down_waiting(me, sets)
        :: else -> due = false
        fi;
        end()
    fi
}

active [2] proctype thread()
{
    byte me = _pid + 1;
    byte sets, round;

    do
    :: round < ROUNDS ->
        round++;
        acquire(me);
        if
        :: true -> collect(me, sets, false)
        :: true -> collect(me, sets, true)
        :: true -> boehm_collects(me, sets)
        :: true -> invoke_finalizers(me, sets)
        :: step != NO_STEP -> take_step(me, sets)
        :: deferred -> deferred = false; finalize_waiting(me, sets)
        fi;
jumped:
        release(me)
    :: else -> break
    od;
    (_nr_pr == 1 || _pid == 1); /* the first one ends last */
    if
    :: _pid == 0 ->
        look(me);
        assert(!left || extent != me); /* no collection is off for ever */
        assert(left || made == torn + waiting + lives); /* each once */
        assert(waiting == 0 || is_set || is_queued || deferred || due ||
               step == TEAR_DOWN && finalizer_came);
        assert(left || under_way == 0 && !busy && left_by_collection == NONE)
    :: else
    fi
}

/* A thread that is not attached, and runs Boehm's queue. */
active proctype stranger()
{
    if
    :: atomic { is_queued -> is_queued = false; deferred = true }
    :: true
    fi
}
