/* thread_own.c: what each thread has for itself, and what they share: another
   thread comes in while one is in the middle of something.
   Manual: "PyErr_Occurred": "the error indicator is per thread";
   "Py_EnterRecursiveCall", "Py_ReprEnter". */

#include "oracle.h"

#include <pthread.h>

static void (*job)(void);

static void *
do_job(void *arg)
{
    PyGILState_STATE state = PyGILState_Ensure();

    job();
    PyGILState_Release(state);
    return arg;
}

/* Has a thread of its own do it, to the end. */
static void
elsewhere(void (*function)(void))
{
    pthread_t thread;

    job = function;
    Py_BEGIN_ALLOW_THREADS
    pthread_create(&thread, NULL, do_job, NULL);
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
}

static void
raise_another(void)
{
    say("there: %s", error_text());
    PyErr_SetString(PyExc_TypeError, "there");
    say("there: %s", error_text());
}

static void
exceptions(void)
{
    PyErr_SetString(PyExc_ValueError, "here");
    elsewhere(raise_another);
    error();
}

static PyObject *list;

static void
show_list(void)
{
    say("entered there: %d", Py_ReprEnter(list));
    Py_ReprLeave(list);
}

static void
reprs(void)
{
    list = need(PyList_New(0));
    say("entered here: %d", Py_ReprEnter(list));
    elsewhere(show_list);
    say("entered again: %d", Py_ReprEnter(list));
    Py_ReprLeave(list);
    Py_DECREF(list);
}

static void
collect_there(void)
{
    collect();
}

static void
collections(void)
{
    struct actor *a = actor_ring(&FinalActor_Type, 3);

    Py_DECREF(a);
    elsewhere(collect_there);
    collect();
}

static void
look(void)
{
    say("there: attached %d, enabled %d, collected %zd", PyGILState_Check(),
        (int)PyGC_IsEnabled(), PyGC_Collect());
}

/* A finalizer lets another thread in, which collects: nothing, for a
   collection is under way. */
static void
let_another_in(struct actor *Py_UNUSED(a))
{
    elsewhere(look);
}

static void
in_the_middle(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "a");

    actor_set(a, 0, a);
    a->on_finalize = let_another_in;
    Py_DECREF(a);
    PyGC_Enable();
    RESULT(PyGC_Collect());
    a = actor_new(&Actor_Type, "b");
    actor_set(a, 0, a);
    a->on_clear = let_another_in;
    Py_DECREF(a);
    RESULT(PyGC_Collect());
    PyGC_Disable();
}

void
oracle_program(void)
{
    exceptions();
    reprs();
    collections();
    in_the_middle();
}
