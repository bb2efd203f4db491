/* attached.c: threads that attach and detach, and make, link, drop, exchange
   and adopt items, ask weak references, collect, run finalizers, fork, raise,
   let others in; see crowd.h. */

#include "crowd.h"

#include <unistd.h>

static void
make(struct life *life)
{
    PyObject *op = item_new(life, (int)life_chance(life, 2));

    Py_XSETREF(life->own[life_chance(life, OWN)], op);
}

/* What is counted may own what may be adopted, not the other way round, so
   that no stale word keeps it. */
static void
link_items(struct life *life)
{
    struct item *from = (struct item *)life->own[life_chance(life, OWN)];
    PyObject *to = life->own[life_chance(life, OWN)];

    if (from == NULL || to == NULL ||
        (!from->counted && ((struct item *)to)->counted))
        return;
    must(item_is_alive(from) && item_is_alive(to));
    Py_XSETREF(from->refs[life_chance(life, 2)], Py_NewRef(to));
}

static void
drop(struct life *life)
{
    Py_CLEAR(life->own[life_chance(life, OWN)]);
}

static void
exchange(struct life *life)
{
    unsigned i = life_chance(life, OWN), j = life_chance(life, POOL);
    PyObject *op = life->own[i];

    life->own[i] = crowd_pool[j];
    crowd_pool[j] = op;
}

static void
adopt(struct life *life)
{
    PyObject *op = item_new(life, 0);
    PyObject *next = slot_load(life_chance(life, SLOTS));

    if (next != NULL) {
        must(item_is_alive(next));
        ((struct item *)op)->refs[0] = Py_NewRef(next);
    }
    must(PyBoehm_Adopt(op) == op);
    slot_store(life_chance(life, SLOTS), op);
}

/* What Boehm holds may be counted as well. */
static void
take_from_slot(struct life *life)
{
    PyObject *op = slot_load(life_chance(life, SLOTS));

    if (op == NULL)
        return;
    must(item_is_alive(op));
    Py_XSETREF(life->own[life_chance(life, OWN)], Py_NewRef(op));
}

static void
refer(struct life *life)
{
    PyObject *op = life->own[life_chance(life, OWN)];

    if (op != NULL)
        Py_XSETREF(crowd_weak[life_chance(life, SLOTS)],
                   PyWeakref_NewRef(op, NULL));
}

/* Of what is adopted the plain pointer is enough. */
static void
ask(struct life *life)
{
    PyObject *weak = crowd_weak[life_chance(life, SLOTS)], *op;

    if (weak == NULL || PyWeakref_GetRef(weak, &op) == 0)
        return;
    must(item_is_alive(op));
    if (PyBoehm_IsAdopted(op)) {
        slot_store(life_chance(life, SLOTS), op);
        Py_DECREF(op);
    } else {
        Py_XSETREF(life->own[life_chance(life, OWN)], op);
    }
}

static void
run_finalizers(struct life *Py_UNUSED(life))
{
    GC_invoke_finalizers();
}

static void
collect(struct life *life)
{
    unsigned n = life_chance(life, 40);

    if (n == 0)
        PyBoehm_GC_CollectAll();
    else
        PyBoehm_GC_Collect(n < 4 ? 2 : (int)n % 2);
}

static void
raise_one(struct life *life)
{
    int error = life_chance(life, 2) ? 1 : 0;
    PyObject *types[2] = {PyExc_ValueError, PyExc_TypeError};

    must(PyErr_Occurred() == NULL);
    PyErr_Format(types[error], "of seat %d", life->seat);
    life_let_others_in();
    must(PyErr_ExceptionMatches(types[error]));
    PyErr_Clear();
}

static int
count_call(void *n)
{
    must(PyGILState_Check());
    ++*(int *)n;
    return 0;
}

static void
make_calls(struct life *life)
{
    static int calls;

    (void)Py_AddPendingCall(count_call, &calls);
    life_go_out(life);
    must(Py_MakePendingCalls() == 0);
    life_come_in(life);
}

/* The child goes on alone. */
static void
fork_attached(struct life *life)
{
    if (!crowd_forks || life_chance(life, 200) != 0)
        return;
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) {
        PyOS_AfterFork_Child();
        for (int i = 0; i < 500; i++)
            make(life);
        PyGC_Collect();
        _exit(0);
    }
    life_go_out(life);
    Py_BEGIN_ALLOW_THREADS
    life_wait_for_child(child);
    Py_END_ALLOW_THREADS
    life_come_in(life);
}

static void
nest(struct life *life)
{
    PyGILState_STATE state = PyGILState_Ensure();

    must(state == PyGILState_LOCKED);
    make(life);
    PyGILState_Release(state);
    must(PyGILState_Check());
}

static void (*const deeds[])(struct life *) = {
    make,           make,          make,
    link_items,     link_items,    link_items,
    link_items,     drop,          drop,
    adopt,          exchange,      exchange,
    take_from_slot, refer,         ask,
    run_finalizers, collect,       raise_one,
    make_calls,     fork_attached, nest};

static void
do_some(struct life *life)
{
    for (unsigned n = 1 + life_chance(life, 20); n > 0; n--)
        deeds[life_chance(life, (unsigned)Py_ARRAY_LENGTH(deeds))](life);
}

void *
life_attached(void *arg)
{
    struct life *life = arg;

    for (; life->deeds > 0; life->deeds -= 10) {
        PyGILState_STATE state = PyGILState_Ensure();
        life_come_in(life);
        do_some(life);
        if (life->deeds <= 10) {
            for (int i = 0; i < OWN; i++)
                Py_CLEAR(life->own[i]);
            PyDict_SetItemString(PyThreadState_GetDict(), "left", Py_None);
        }
        life_go_out(life);
        if (life->deeds > 10 || life_chance(life, 8) != 0)
            PyGILState_Release(state);
        else if (life_chance(life, 2) == 0)
            PyEval_SaveThread();
    }
    life_end(life);
    return NULL;
}
