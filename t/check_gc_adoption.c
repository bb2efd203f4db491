/* check_gc_adoption.c: objects that live as long as Boehm sees them.

   Boehm may take a stale word for a pointer.  So where something must die
   there are MANY of it, in no relation to one another, and nearly all must;
   what must live is counted exactly.  Where one thing hangs on many, its
   address is kept complemented. */

#include "node.h"
#include "suite.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/gc_mark.h>
#include <pyboehm.h>

enum { MANY = 1000, NEARLY = MANY - MANY / 50 };

/* What the host refers to: a root of Boehm's. */
static void **host;

static void
begin(void)
{
    node_reset();
    host = GC_MALLOC_UNCOLLECTABLE(MANY * sizeof *host);
    GC_gcollect(); /* which shows us hooks of a host's that came after ours */
    PyGC_Collect();
    PyGC_Disable();
}

static Py_ssize_t
collect(void)
{
    Py_ssize_t n;

    suite_forget_stack();
    n = PyBoehm_GC_Collect(2);
    GC_invoke_finalizers(); /* for hosts that run them on demand */
    return n;
}

/* Has make(i) done MANY times in a frame that is gone afterwards. */
static __attribute__((noinline)) void
do_many(void (*make)(int i))
{
    for (int i = 0; i < MANY; i++)
        make(i);
}

static void
make_many(void (*make)(int i))
{
    do_many(make);
    suite_forget_stack();
}

static Py_ssize_t
collections(int generation)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetStats(stats);
    return stats[generation].collections;
}

/* Allocates until a collection comes by itself: is it a full one? */
static int
next_is_full(void)
{
    Py_ssize_t young = collections(0), full = collections(2);
    PyObject *live = PyList_New(0);

    while (collections(0) == young && collections(2) == full) {
        PyObject *item = PyList_New(0);

        PyList_Append(live, item);
        Py_DECREF(item);
    }
    Py_DECREF(live);
    return collections(2) > full;
}

static struct node *
adopt(struct node *node)
{
    return (struct node *)PyBoehm_Adopt((PyObject *)node);
}

/* ------------------------------------------------------------------ */
/* The calls                                                           */

START_TEST(adoption_takes_the_reference_over)
{
    begin();
    PyObject *op = (PyObject *)node_new(&node_type);

    host[0] = adopt(node_new(&node_type)); /* another one is and stays */
    ck_assert_int_eq(PyBoehm_IsAdopted(op), 0);
    ck_assert_ptr_eq(PyBoehm_Adopt(op), op);
    ck_assert_int_eq(PyBoehm_IsAdopted(op), 1);
    ck_assert_int_gt(Py_REFCNT(op), 1 << 28);
    ck_assert_ptr_eq(PyBoehm_Disown(op), op);
    ck_assert_int_eq(PyBoehm_IsAdopted(op), 0);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
    ck_assert_int_eq(node_log.freed, 1);
}
END_TEST

START_TEST(a_second_adoption_gives_the_reference_up)
{
    begin();
    PyObject *op = (PyObject *)node_new(&node_type);

    Py_INCREF(op);
    PyBoehm_Adopt(op);
    Py_ssize_t before = Py_REFCNT(op);
    ck_assert_ptr_eq(PyBoehm_Adopt(op), op);
    ck_assert_int_eq(Py_REFCNT(op), before - 1);
    PyBoehm_Disown(op);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
    ck_assert_int_eq(node_log.freed, 1);
}
END_TEST

START_TEST(only_containers_are_adopted)
{
    begin();
    PyObject *op = PyFloat_FromDouble(1.5);

    Py_INCREF(op);
    suite_refused(PyBoehm_Adopt(op), PyExc_TypeError,
                  "PyBoehm_Adopt: 'float' object is not a container");
    ck_assert_int_eq(Py_REFCNT(op), 1);
    ck_assert_int_eq(PyBoehm_IsAdopted(op), 0);
    suite_refused(PyBoehm_Disown(op), PyExc_ValueError,
                  "PyBoehm_Disown: object is not adopted");
    Py_DECREF(op);
}
END_TEST

/* Boehm sees no pointers to what is not in its heap. */
START_TEST(static_objects_are_not_adopted)
{
    static struct node node;
    PyObject *op = (PyObject *)&node;

    begin();
    PyObject_Init(op, &node_type);
    Py_INCREF(op);
    suite_refused(PyBoehm_Adopt(op), PyExc_TypeError,
                  "PyBoehm_Adopt: 't.Node' object is not a container");
    ck_assert_int_eq(Py_REFCNT(op), 1);
}
END_TEST

START_TEST(immortal_objects_stay_what_they_are)
{
    begin();
    ck_assert_ptr_eq(PyBoehm_Adopt(Py_None), Py_None);
    ck_assert_ptr_eq(PyBoehm_Adopt((PyObject *)&PyList_Type), &PyList_Type);
    ck_assert_int_eq(PyBoehm_IsAdopted(Py_None), 0);
    ck_assert_ptr_eq(PyBoehm_Disown(Py_None), Py_None);
}
END_TEST

START_TEST(adoption_passes_failures_on)
{
    begin();
    PyErr_SetString(PyExc_KeyError, "the call before");
    ck_assert_ptr_null(PyBoehm_Adopt(NULL));
    suite_exception(PyExc_KeyError, "'the call before'");
}
END_TEST

START_TEST(a_reference_too_many_given_up_frees_nothing)
{
    begin();
    host[0] = adopt(node_new(&node_type));
    Py_DECREF(host[0]);
    collect();
    ck_assert_int_eq(node_log.freed, 0);
    host[0] = NULL;
    collect();
    ck_assert_int_eq(node_log.freed, 0); /* nobody knows any more */
}
END_TEST

/* Only what is tracked is decided about. */
START_TEST(the_adopted_are_tracked)
{
    begin();
    host[0] = PyBoehm_Adopt(PyDict_New());
    host[1] = Py_NewRef(PyTuple_Pack(1, Py_None));
    PyBoehm_Adopt(host[1]);
    ck_assert_int_eq(PyObject_GC_IsTracked(host[0]), 1);
    collect();
    ck_assert_int_eq(PyObject_GC_IsTracked(host[0]), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked(host[1]), 1);
    Py_DECREF(host[1]);
}
END_TEST

START_TEST(the_adopted_keep_their_size)
{
    begin();
    PyObject *op = PyBoehm_Adopt(PyTuple_New(3));
    PyVarObject *same = (PyVarObject *)op;

    PyObject_GC_UnTrack(op);
    suite_refused((PyObject *)PyObject_GC_Resize(PyTupleObject, same, 5),
                  PyExc_SystemError,
                  "PyObject_GC_Resize: object of type tuple is adopted");
    PyObject_GC_Track(op);
    Py_DECREF(PyBoehm_Disown(op));
}
END_TEST

/* ------------------------------------------------------------------ */
/* Who lives                                                           */

static void
make_one(int Py_UNUSED(i))
{
    adopt(node_new(&node_final_type));
}

START_TEST(what_nobody_sees_dies)
{
    begin();
    make_many(make_one);
    ck_assert_int_ge(collect(), NEARLY);
    ck_assert_int_ge(node_log.freed, NEARLY);
    ck_assert_int_ge(node_log.finalized, node_log.freed);
    collect();
    ck_assert_int_le(node_log.finalized, MANY);
}
END_TEST

static void
make_visible(int i)
{
    void **block = GC_MALLOC(4 * sizeof *block);

    host[i] = block;
    block[3] = adopt(node_new(&node_final_type));
}

START_TEST(what_the_host_sees_lives)
{
    begin();
    make_many(make_visible);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(node_log.finalized, 0);
    ck_assert_int_eq(node_log.freed, 0);
    memset(host, 0, MANY * sizeof *host);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}
END_TEST

START_TEST(what_is_counted_lives)
{
    begin();
    PyObject **owned = malloc(MANY * sizeof *owned);

    for (int i = 0; i < MANY; i++) {
        owned[i] = (PyObject *)node_new(&node_type);
        Py_INCREF(owned[i]);
        adopt((struct node *)owned[i]);
    }
    ck_assert_int_eq(collect(), 0);
    for (int i = 0; i < MANY; i++) {
        ck_assert_int_eq(PyBoehm_IsAdopted(owned[i]), 1);
        Py_CLEAR(owned[i]);
    }
    ck_assert_int_eq(node_log.freed, 0);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
    free(owned);
}
END_TEST

/* Host block -> adopted node -> list, whose items are malloc memory -> managed
   dict of an object -> node -> the host block again. */
static PyObject *with_dict;

static void
make_cycle(int i)
{
    void **block = GC_MALLOC(4 * sizeof *block);
    struct node *adopted = node_new(&node_type), *last = node_new(&node_type);
    PyObject *list = PyList_New(0), *op = PyObject_CallNoArgs(with_dict);

    last->host = block;
    PyObject_SetAttrString(op, "node", (PyObject *)last);
    PyList_Append(list, op);
    node_link(adopted, list, NULL);
    Py_DECREF(op);
    Py_DECREF(list);
    Py_DECREF(last);
    block[1] = adopt(adopted);
    if (host != NULL)
        host[i] = block;
}

START_TEST(cycles_through_both_heaps_die)
{
    begin();
    with_dict = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "D");
    ck_assert_ptr_nonnull(with_dict);
    make_many(make_cycle);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    memset(host, 0, MANY * sizeof *host);
    collect();
    ck_assert_int_ge(node_log.freed, 2 * NEARLY);
    Py_DECREF(with_dict);
}
END_TEST

static void
make_small_cycle(int Py_UNUSED(i))
{
    struct node *node = node_new(&node_type);
    void **block = GC_MALLOC(2 * sizeof *block);

    node->host = block;
    block[1] = adopt(node);
}

/* What the set leads to is more than Boehm's mark stack has room for, so it
   scans all that it has marked once more. */
START_TEST(many_of_them_die_at_once)
{
    const int times = 20;

    begin();
    for (int i = 0; i < times; i++)
        make_many(make_small_cycle);
    ck_assert_int_ge(collect(), times * NEARLY);
    ck_assert_int_ge(node_log.freed, times * NEARLY);
}
END_TEST

static long host_finalizers;
enum { CHAIN = 4 }; /* of them, at most, for one of MANY */

static void
count_finalizer(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    host_finalizers++;
}

static void
no_finalizer(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
}

/* As many finalizers as Boehm will need: while its table grows, old tables lie
   about, and a stale word that leads to one leads to all that is in it. */
static __attribute__((noinline)) void
grow_table_of_finalizers(void)
{
    for (int i = 0; i < 2 * CHAIN * MANY; i++)
        GC_REGISTER_FINALIZER(GC_MALLOC(1), no_finalizer, NULL, NULL, NULL);
}

/* Boehm sees the list only; what it owns in malloc memory leads on. */
static void
make_hidden(int i)
{
    void **block = GC_MALLOC(sizeof *block), **second = GC_MALLOC(8);
    PyObject *list = PyList_New(0), *next = PyList_New(0);
    struct node *owned = node_new(&node_type), *last = node_new(&node_type);

    owned->host = block;
    PyList_Append(list, (PyObject *)owned);
    Py_DECREF(owned);
    host[i] = PyBoehm_Adopt(list);
    last->host = second;
    GC_REGISTER_FINALIZER_NO_ORDER(second, count_finalizer, NULL, NULL, NULL);
    PyList_Append(next, (PyObject *)last);
    Py_DECREF(last);
    *block = PyBoehm_Adopt(next);
    *second = adopt(node_new(&node_final_type));
}

START_TEST(what_boehm_cannot_see_lives)
{
    begin();
    grow_table_of_finalizers();
    GC_gcollect();
    make_many(make_hidden);
    for (int round = 0; round < 3; round++) {
        ck_assert_int_eq(collect(), 0);
        ck_assert_int_eq(node_log.freed + node_log.finalized, 0);
        ck_assert_int_eq(host_finalizers, 0);
    }
    memset(host, 0, MANY * sizeof *host);
    for (int round = 0; round < 3; round++)
        collect();
    ck_assert_int_ge(node_log.freed, 3 * NEARLY);
}
END_TEST

/* They are owned from outside there. */
START_TEST(young_collections_leave_the_adopted_alone)
{
    begin();
    make_many(make_one);
    GC_word before = GC_get_gc_no();
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
    ck_assert_uint_eq(GC_get_gc_no(), before);
    ck_assert_int_eq(node_log.finalized, 0);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}
END_TEST

/* Automatic collections follow Boehm's, up to eight of them, where our heap
   has not grown: else 22 of the first generation come before one of all is
   due.
 */
START_TEST(automatic_collections_find_the_adopted)
{
    begin();
    make_many(make_visible);
    collect();
    memset(host, 0, MANY * sizeof *host);
    PyGC_Enable();
    for (int i = 0; i < 3000; i++)
        host[i % MANY] = adopt(node_new(&node_type));
    if (getenv("PYBOEHM_STRESS") == NULL)
        ck_assert_int_eq(node_log.finalized, 0);
    for (int i = 0; i < 8; i++)
        GC_gcollect();
    suite_forget_stack();
    for (int i = 0; i < 3000; i++)
        host[i % MANY] = adopt(node_new(&node_type));
    GC_gcollect();
    GC_invoke_finalizers();
    ck_assert_int_ge(node_log.finalized, NEARLY);
}
END_TEST

/* Boehm, which is disabled, collects n times. */
static void
boehm_collects(unsigned long n)
{
    GC_enable();
    for (unsigned long i = 0; i < n; i++)
        GC_gcollect();
    GC_disable();
}

static void
make_plain(int Py_UNUSED(i))
{
    adopt(node_new(&node_type));
}

static void
asked_after(unsigned long n)
{
    boehm_collects(n - 1);
    ck_assert_int_eq(next_is_full(), 0);
    boehm_collects(1);
    ck_assert_int_eq(next_is_full(), 1);
}

/* After so many collections of Boehm's an automatic one is a full one.  It has
   to collect more often as long as nothing that was adopted has died.  Not
   where a collection of Boehm's takes more than one call, and not where it is
   never asked. */
START_TEST(boehm_is_asked_now_and_then)
{
    if (GC_is_incremental_mode() || GC_get_find_leak() || /* nobody is asked */
        getenv("PYBOEHM_STRESS") != NULL)
        return;
    node_reset();
    host = GC_MALLOC_UNCOLLECTABLE(sizeof *host);
    GC_disable();
    Py_Finalize();
    boehm_collects(3);
    Py_Initialize();
    PyBoehm_GC_SetThreshold((const int[]){100, 10000, 10000});
    host[0] = adopt(node_new(&node_type));
    for (unsigned long n = 1; n <= 8; n *= 2)
        asked_after(n);
    asked_after(8);

    make_many(make_plain); /* after finalizers it is asked again */
    GC_enable();
    ck_assert_int_ge(collect(), NEARLY);
    GC_disable();
    if (GC_get_java_finalization()) /* else Boehm has to find them dead */
        asked_after(1);
    GC_enable();
}
END_TEST

/* Not where nothing is adopted any more. */
START_TEST(boehm_is_not_asked_about_nothing)
{
    begin();
    if (getenv("PYBOEHM_STRESS") != NULL)
        return;
    PyBoehm_GC_SetThreshold((const int[]){100, 10000, 10000});
    PyGC_Enable();
    Py_DECREF(PyBoehm_Disown((PyObject *)adopt(node_new(&node_type))));
    for (int i = 0; i < 10; i++)
        GC_gcollect();
    ck_assert_int_eq(next_is_full(), 0);
}
END_TEST

START_TEST(without_boehms_word_they_live)
{
    begin();
    make_many(make_one);
    GC_disable();
    ck_assert_int_eq(collect(), 0);
    GC_enable();
    ck_assert_int_eq(node_log.finalized, 0);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}
END_TEST

/* ------------------------------------------------------------------ */
/* How they die                                                        */

static long cleared_before;

static void
note_clear(struct node *Py_UNUSED(node))
{
    cleared_before = Py_MAX(cleared_before, MANY - node_log.finalized);
}

static void
make_pair(int Py_UNUSED(i))
{
    struct node *one = node_new(&node_final_type);
    struct node *other = node_new(&node_type);

    node_link(one, other, NULL);
    node_link(other, one, NULL);
    Py_DECREF(other);
    adopt(one);
}

/* Pairs are freed by tp_clear; all finalizers come before. */
START_TEST(finalizers_come_before_clear)
{
    begin();
    node_log.on_clear = note_clear;
    make_many(make_pair);
    collect();
    ck_assert_int_ge(node_log.freed, 2 * NEARLY);
    ck_assert_int_le(cleared_before, MANY - NEARLY);
    node_log.on_clear = NULL;
}
END_TEST

static void
collect_boehms(struct node *Py_UNUSED(node))
{
    if (node_log.cleared <= 10)
        GC_gcollect();
}

START_TEST(boehm_collects_while_they_die)
{
    begin();
    node_log.on_clear = collect_boehms;
    make_many(make_pair);
    collect();
    ck_assert_int_ge(node_log.freed, 2 * NEARLY);
    ck_assert_int_ge(node_log.cleared, 10);
    node_log.on_clear = NULL;
}
END_TEST

static void
make_chain(int Py_UNUSED(i))
{
    struct node *one = node_new(&node_type), *other = node_new(&node_type);

    node_link(one, other, NULL);
    Py_DECREF(other);
    adopt(one);
}

/* What is no cycle dies by count, as it would by Py_DECREF: from tp_dealloc
   tp_clear is called once for each object, by the collector never. */
START_TEST(what_is_no_cycle_dies_by_count)
{
    begin();
    make_many(make_chain);
    collect();
    ck_assert_int_ge(node_log.freed, 2 * NEARLY);
    ck_assert_int_le(node_log.cleared, node_log.freed);
}
END_TEST

/* Puts itself where Boehm sees it, without counting. */
static void
return_to_host(struct node *node)
{
    host[node->label % MANY] = node;
}

static void
make_returning(int i)
{
    struct node *node = node_new(&node_final_type);

    node->label = i;
    adopt(node);
}

START_TEST(finalizers_may_bring_them_back)
{
    begin();
    make_many(make_returning);
    node_log.on_finalize = return_to_host;
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_ge(node_log.finalized, NEARLY);
    ck_assert_int_eq(node_log.freed, 0);
    memset(host, 0, MANY * sizeof *host);
    collect();
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
    ck_assert_int_le(node_log.finalized, MANY);
    node_log.on_finalize = NULL;
}
END_TEST

/* As Boehm promises for its own, and not for what lives. */
static void *links[2 * MANY];

static void
make_linked(int i)
{
    links[i] = (void *)~(GC_word)adopt(node_new(&node_type));
    GC_general_register_disappearing_link(&links[i],
                                          (void *)~(GC_word)links[i]);
    make_hidden(i);
    PyObject *inner = PyList_GET_ITEM((PyObject *)host[i], 0);
    void **block = ((struct node *)inner)->host;
    links[MANY + i] = (void *)~(GC_word)*block;
    GC_general_register_disappearing_link(&links[MANY + i], *block);
}

START_TEST(disappearing_links_to_the_dead_are_cleared)
{
    int dead = 0, living = 0;

    begin();
    make_many(make_linked);
    collect();
    for (int i = 0; i < MANY; i++) {
        dead += links[i] == NULL;
        living += links[MANY + i] != NULL;
    }
    ck_assert_int_ge(dead, NEARLY);
    ck_assert_int_eq(living, MANY);
}
END_TEST

/* Finalizers of the host use what their objects refer to. */
static long broken;

static void
host_finalizer(void *block, void *next)
{
    struct node *node = *(void **)block;

    host_finalizers++;
    broken += Py_TYPE(node) != &node_final_type || node->label != 12345;
    (void)next;
}

/* A chain of blocks that Boehm finalizes one after the other; the last one
   refers to the node. */
static void
make_finalizable(int i)
{
    void **first = NULL;
    struct node *node = node_new(&node_final_type);

    node->label = 12345;
    adopt(node);
    for (int j = 0; j < CHAIN; j++) {
        void **block = GC_MALLOC(2 * sizeof *block);

        block[0] = node;
        block[1] = first;
        first = block;
        if (i % 2 == 0)
            GC_REGISTER_FINALIZER(block, host_finalizer, NULL, NULL, NULL);
        else
            GC_REGISTER_FINALIZER_NO_ORDER(block, host_finalizer, NULL, NULL,
                                           NULL);
    }
}

START_TEST(finalizers_of_the_host_find_them_whole)
{
    begin();
    grow_table_of_finalizers();
    GC_gcollect();
    make_many(make_finalizable);
    for (int round = 0; round < 8; round++)
        collect();
    ck_assert_int_ge(host_finalizers, CHAIN * NEARLY);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_ge(node_log.freed, NEARLY);
}
END_TEST

/* The same of a block that only the dead node leads to, and that leads back to
   it. */
static void
make_behind(int Py_UNUSED(i))
{
    void **block = GC_MALLOC(2 * sizeof *block);
    struct node *node = node_new(&node_final_type);

    node->label = 12345;
    node->host = block;
    block[0] = adopt(node);
    GC_REGISTER_FINALIZER_NO_ORDER(block, host_finalizer, NULL, NULL, NULL);
}

START_TEST(finalizers_behind_the_dead_find_them_whole)
{
    begin();
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_behind);
    for (int round = 0; round < 4; round++)
        collect();
    ck_assert_int_ge(host_finalizers, NEARLY);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_ge(node_log.freed, NEARLY);
}
END_TEST

/* That block leads to another one with an ordered finalizer, and that one to
   more than Boehm's mark stack has room for. */
static void **
make_long_list(void)
{
    void **list = NULL;

    for (int i = 0; i < 20 * MANY; i++) {
        void **cell = GC_MALLOC(3 * sizeof *cell);

        cell[0] = GC_MALLOC(2 * sizeof *cell);
        cell[1] = list;
        cell[2] = GC_MALLOC(2 * sizeof *cell);
        list = cell;
    }
    return list;
}

static void
make_much_behind(int i)
{
    void **block = GC_MALLOC(2 * sizeof *block), **tail = GC_MALLOC(8);
    struct node *node = node_new(&node_final_type);

    node->label = 12345;
    node->host = block;
    block[0] = adopt(node);
    block[1] = tail;
    *tail = i == 0 ? make_long_list() : NULL;
    GC_REGISTER_FINALIZER(tail, no_finalizer, NULL, NULL, NULL);
    GC_REGISTER_FINALIZER_NO_ORDER(block, host_finalizer, NULL, NULL, NULL);
}

/* Where several threads mark, that stack does not grow. */
START_TEST(finalizers_may_lead_to_much)
{
    begin();
    GC_allow_register_threads();
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_much_behind);
    for (int round = 0; round < 4; round++)
        collect();
    ck_assert_int_ge(host_finalizers, NEARLY);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_ge(node_log.freed, NEARLY);
}
END_TEST

/* A host's way to have something done after each collection. */
static long done_again;

static void
do_again(void *block, void *Py_UNUSED(data))
{
    done_again++;
    GC_REGISTER_FINALIZER_NO_ORDER(block, do_again, NULL, NULL, NULL);
}

START_TEST(a_finalizer_may_come_with_each_collection)
{
    begin();
    make_many(make_one);
    do_again(GC_MALLOC_ATOMIC(8), NULL);
    ck_assert_int_ge(collect(), NEARLY);
    ck_assert_int_ge(node_log.freed, NEARLY);
    ck_assert_int_ge(done_again, 2);
}
END_TEST

/* They may bring it back, and with it what Boehm does not see. */
static void
return_list(void *block, void *i)
{
    host[(uintptr_t)i] = *(void **)block;
    GC_REGISTER_FINALIZER_NO_ORDER(block, count_finalizer, NULL, NULL, NULL);
    broken += !PyList_CheckExact((PyObject *)*(void **)block);
}

static void
make_list_behind(int i)
{
    void **block = GC_MALLOC(sizeof *block);
    PyObject *list = PyList_New(0);
    struct node *node = node_new(&node_final_type);

    node->host = block;
    PyList_Append(list, (PyObject *)node);
    Py_DECREF(node);
    *block = PyBoehm_Adopt(list);
    GC_REGISTER_FINALIZER_NO_ORDER(block, return_list, (void *)(uintptr_t)i,
                                   NULL, NULL);
}

START_TEST(finalizers_behind_the_dead_bring_them_back)
{
    int returned = 0;

    begin();
    if (!GC_get_java_finalization())
        return; /* nothing is promised */
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_list_behind);
    collect();
    for (int i = 0; i < MANY; i++)
        returned += host[i] != NULL;
    ck_assert_int_ge(returned, MANY / 2);
    collect();
    ck_assert_int_eq(node_log.freed + node_log.finalized, 0);
    ck_assert_int_eq(host_finalizers + broken, 0);
}
END_TEST

/* Finalizers of the host that untrack what their objects refer to, or have it
   freed, while Boehm is asked about it. */
static void
untrack_or_free(void *block, void *i)
{
    PyObject *op = *(PyObject **)block;

    host_finalizers++;
    if ((uintptr_t)i % 2 == 0)
        PyObject_GC_UnTrack(op);
    else
        Py_DECREF(PyBoehm_Disown(op));
}

static void
make_leaving(int i)
{
    void **block = GC_MALLOC(sizeof *block);
    struct node *node = node_new(&node_type), *owned = node_new(&node_type);

    node_link(node, owned, NULL);
    Py_DECREF(owned);
    *block = adopt(node);
    GC_REGISTER_FINALIZER_NO_ORDER(block, untrack_or_free,
                                   (void *)(uintptr_t)i, NULL, NULL);
}

/* What is untracked may own anything, for all that the collector knows. */
START_TEST(finalizers_of_the_host_take_them_away)
{
    begin();
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_leaving);
    for (int round = 0; round < 3; round++)
        collect();
    ck_assert_int_ge(host_finalizers, MANY / 2);
    ck_assert_int_ge(node_log.freed, MANY / 2);
    ck_assert_int_le(node_log.freed, MANY);
    ck_assert_int_eq(node_log.cleared, 0);
}
END_TEST

/* A finalizer of the host leaves a block to finalize, each time.  It is not
   asked for ever, and what has no answer lives. */
static int endless;

static void
leave_another(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    host_finalizers++;
    if (endless)
        for (int i = 0; i < 10; i++)
            GC_REGISTER_FINALIZER_NO_ORDER(
                GC_MALLOC(8), i == 0 ? leave_another : no_finalizer, NULL,
                NULL, NULL);
}

START_TEST(finalizers_of_the_host_without_end)
{
    int before = GC_get_finalize_on_demand();

    begin();
    GC_set_finalize_on_demand(0);
    make_many(make_one);
    endless = 1;
    leave_another(NULL, NULL);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(node_log.finalized, 0);
    endless = 0;
    for (int round = 0; round < 3; round++)
        collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
    GC_set_finalize_on_demand(before);
}
END_TEST

/* The host is told of its own objects that will be finalized, as ever. */
static long awaited;

static void GC_CALLBACK
count_awaited(void *Py_UNUSED(object))
{
    awaited++;
}

START_TEST(the_host_awaits_finalizers)
{
    GC_await_finalize_proc before = GC_get_await_finalize_proc();

    begin();
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    GC_set_await_finalize_proc(count_awaited);
    make_many(make_finalizable);
    for (int round = 0; round < 8; round++)
        collect();
    ck_assert_int_ge(awaited, CHAIN * NEARLY);
    ck_assert(GC_get_await_finalize_proc() == count_awaited);
    GC_set_await_finalize_proc(before);
}
END_TEST

/* A weak reference says of an adopted object what it says of others, and does
   not keep it, though Boehm looks into it. */
static PyObject *refs[MANY];

static void
make_referenced(int i)
{
    PyObject *list = PyObject_CallNoArgs(with_dict);

    refs[i] = PyWeakref_NewRef(list, NULL);
    PyBoehm_Adopt(list);
}

START_TEST(weak_references_do_not_keep_the_adopted)
{
    int dead = 0;

    begin();
    with_dict = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "D");
    make_many(make_referenced);
    collect();
    for (int i = 0; i < MANY; i++) {
        PyObject *op;

        dead += PyWeakref_GetRef(refs[i], &op) == 0;
        Py_XDECREF(op);
        Py_DECREF(refs[i]);
    }
    ck_assert_int_ge(dead, NEARLY);
    Py_DECREF(with_dict);
}
END_TEST

static void
make_waiting(int i)
{
    make_one(i);
    make_pair(i);
}

/* They come into Boehm's queue like others. */
START_TEST(finalizers_on_demand_finalize_the_adopted)
{
    int before = GC_get_finalize_on_demand();

    begin();
    GC_set_finalize_on_demand(1);
    PyGC_Enable();
    make_many(make_waiting);
    for (int i = 0; i < 100 && node_log.freed < 3 * NEARLY; i++) {
        GC_gcollect();
        suite_forget_stack();
        for (int j = 0; j < 4000; j++)
            host[j % MANY] = adopt(node_new(&node_type));
        GC_invoke_finalizers();
    }
    ck_assert_int_ge(node_log.freed, 3 * NEARLY);
    GC_set_finalize_on_demand(before);
}
END_TEST

static void
make_referenced_ring(int i)
{
    PyObject *op = PyObject_CallNoArgs(with_dict);

    PyObject_SetAttrString(op, "self", op);
    refs[i] = PyWeakref_NewRef(op, NULL);
    Py_DECREF(op);
}

static void
adopt_referenced(int i)
{
    PyObject *op;

    ck_assert_int_eq(PyWeakref_GetRef(refs[i], &op), 1);
    host[i] = PyBoehm_Adopt(op);
}

static int
count_referenced(void)
{
    int n = 0;

    for (int i = 0; i < MANY; i++) {
        PyObject *op, *self = NULL;

        if (PyWeakref_GetRef(refs[i], &op) == 1)
            n += PyObject_GetOptionalAttrString(op, "self", &self) == 1;
        Py_XDECREF(self);
        Py_XDECREF(op);
    }
    return n;
}

/* What has been found dead waits in Boehm's queue, and a weak reference leads
   the host to it, which has it adopted.  Nobody counts it then. */
START_TEST(what_is_adopted_while_it_waits_lives)
{
    int before = GC_get_finalize_on_demand();

    begin();
    if (GC_get_find_leak())
        return; /* nothing waits then */
    GC_set_finalize_on_demand(1);
    with_dict = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "D");
    make_many(make_referenced_ring);
    PyGC_Enable();
    next_is_full();
    PyGC_Disable();
    make_many(adopt_referenced);
    GC_gcollect();
    GC_invoke_finalizers();
    ck_assert_int_eq(count_referenced(), MANY);
    memset(host, 0, MANY * sizeof *host);
    collect();
    ck_assert_int_le(count_referenced(), MANY - NEARLY);
    for (int i = 0; i < MANY; i++)
        Py_DECREF(refs[i]);
    Py_DECREF(with_dict);
    GC_set_finalize_on_demand(before);
}
END_TEST

/* Lists that Boehm sees; it does not see that they lead to the blocks. */
static void
make_owning(int i)
{
    PyObject *list = PyList_New(0);
    struct node *node = node_new(&node_type);

    node->host = GC_MALLOC(16);
    GC_REGISTER_FINALIZER_NO_ORDER(node->host, count_finalizer, NULL, NULL,
                                   NULL);
    PyList_Append(list, (PyObject *)node);
    Py_DECREF(node);
    host[i] = PyBoehm_Adopt(list);
}

/* One set waits for Boehm, which finds it while it is asked about others, and
   is asked about this one then.  That must not decide about the others.  If it
   has found it before, it may call the finalizer before it collects. */
static void
ask_within(int found_before)
{
    int before = GC_get_finalize_on_demand();

    begin();
    if (!GC_get_java_finalization() || GC_get_find_leak())
        return; /* there is no last question; nothing waits */
    GC_set_finalize_on_demand(1);
    with_dict = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "D");
    make_referenced_ring(0);
    PyGC_Enable();
    next_is_full();
    PyGC_Disable();
    adopt_referenced(0);
    make_many(make_owning);
    if (found_before)
        GC_gcollect();
    GC_set_finalize_on_demand(0);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(host_finalizers, 0);
    memset(host, 0, MANY * sizeof *host);
    for (int round = 0; round < 4; round++)
        collect();
    ck_assert_int_ge(host_finalizers, MANY / 2); /* they do come */
    Py_DECREF(refs[0]);
    Py_DECREF(with_dict);
    GC_set_finalize_on_demand(before);
}

START_TEST(a_question_within_a_question)
{
    ask_within(0);
}
END_TEST

START_TEST(a_question_before_a_question)
{
    ask_within(1);
}
END_TEST

static int toggles;

static GC_ToggleRefStatus GC_CALLBACK
host_toggle(void *Py_UNUSED(object))
{
    toggles++;
    return GC_TOGGLE_REF_DROP;
}

static void GC_CALLBACK
take_toggle(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    GC_set_toggleref_func(host_toggle);
}

static void
make_taker(int Py_UNUSED(i))
{
    GC_REGISTER_FINALIZER(GC_MALLOC(1), take_toggle, NULL, NULL, NULL);
}

/* A host's function for toggle references that is put where ours was, when
   Boehm is about to collect for us, is noticed before anything is lost, and
   taken into account from then on. */
START_TEST(the_host_takes_the_slot_for_toggle_references)
{
    int before = GC_get_finalize_on_demand();

    begin();
    make_many(make_visible);
    make_many(make_taker);
    GC_set_finalize_on_demand(1);
    suite_forget_stack();
    PyBoehm_GC_Collect(2); /* finds the takers, and they wait */
    memset(host, 0, MANY * sizeof *host);
    GC_set_finalize_on_demand(0);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(node_log.finalized, 0);
    ck_assert(GC_get_toggleref_func() == host_toggle);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
    GC_set_finalize_on_demand(before);
}
END_TEST

/* It is asked about nothing of ours once Boehm has collected by itself. */
START_TEST(the_host_has_the_slot_for_toggle_references_to_itself)
{
    begin();
    make_many(make_visible);
    collect();
    GC_gcollect();
    GC_set_toggleref_func(host_toggle);
    GC_gcollect();
    ck_assert_int_eq(toggles, 0);
    memset(host, 0, MANY * sizeof *host);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}
END_TEST

/* It is the host's again whenever its code can look. */
static int java;

static void GC_CALLBACK
note_java(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    java |= GC_get_java_finalization();
}

static void
make_noting(int i)
{
    make_behind(i);
    GC_REGISTER_FINALIZER_NO_ORDER(GC_MALLOC(1), note_java, NULL, NULL, NULL);
}

START_TEST(the_switch_for_javas_finalization_stays)
{
    begin();
    GC_set_java_finalization(0);
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_noting);
    for (int round = 0; round < 8; round++)
        collect();
    ck_assert_int_eq(GC_get_java_finalization(), 0);
    ck_assert_int_eq(java, 0);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_ge(node_log.freed, NEARLY);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {adoption_takes_the_reference_over, 0},
        {a_second_adoption_gives_the_reference_up, 0},
        {only_containers_are_adopted, 0},
        {static_objects_are_not_adopted, 0},
        {immortal_objects_stay_what_they_are, 0},
        {adoption_passes_failures_on, 0},
        {a_reference_too_many_given_up_frees_nothing, 0},
        {the_adopted_are_tracked, 0},
        {the_adopted_keep_their_size, 0},
        {what_nobody_sees_dies, 0},
        {what_the_host_sees_lives, 0},
        {what_is_counted_lives, 0},
        {cycles_through_both_heaps_die, 0},
        {many_of_them_die_at_once, 0},
        {what_boehm_cannot_see_lives, 0},
        {young_collections_leave_the_adopted_alone, 0},
        {automatic_collections_find_the_adopted, 0},
        {boehm_is_asked_now_and_then, 0},
        {boehm_is_not_asked_about_nothing, 0},
        {without_boehms_word_they_live, 0},
        {finalizers_come_before_clear, 0},
        {boehm_collects_while_they_die, 0},
        {what_is_no_cycle_dies_by_count, 0},
        {finalizers_may_bring_them_back, 0},
        {disappearing_links_to_the_dead_are_cleared, 0},
        {finalizers_of_the_host_find_them_whole, 0},
        {finalizers_behind_the_dead_find_them_whole, 0},
        {finalizers_may_lead_to_much, 0},
        {a_finalizer_may_come_with_each_collection, 0},
        {weak_references_do_not_keep_the_adopted, 0},
        {finalizers_on_demand_finalize_the_adopted, 0},
        {the_host_takes_the_slot_for_toggle_references, 0},
        {the_host_has_the_slot_for_toggle_references_to_itself, 0},
        {the_switch_for_javas_finalization_stays, 0},
        {finalizers_behind_the_dead_bring_them_back, 0},
        {finalizers_of_the_host_take_them_away, 0},
        {finalizers_of_the_host_without_end, 0},
        {the_host_awaits_finalizers, 0},
        {what_is_adopted_while_it_waits_lives, 0},
        {a_question_within_a_question, 0},
        {a_question_before_a_question, 0},
        {NULL, 0},
    };

    return suite_run("gc adoption", tests);
}
