/* signals.c: signals WAY: a program to which SIGUSR1 comes, at a moment that
   the way names; t/watch/signal.sh says what it writes then.  Moments are
   marked by lines on standard error. */

#include <Python.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pyboehm.h"

static PyObject *kept;

static void
mark(const char *moment)
{
    fprintf(stderr, "-- %s\n", moment);
}

static void
fill(int n)
{
    for (int i = 0; i < n; i++) {
        PyObject *item = PySet_New(NULL);

        PyList_Append(kept, item);
        Py_DECREF(item);
    }
}

/* Where the free list of lists has one, no collection and nothing else that is
   slow is due. */
static void
make_one(void)
{
    Py_DECREF(PyList_New(0));
}

/* ------------------------------------------------------------------ */

static void
twice(void)
{
    make_one();
    raise(SIGUSR1);
    mark("raised");
    make_one();
    mark("made");
    make_one();
    mark("made");
    fill(7);
    raise(SIGUSR1);
    mark("raised");
    if (PyErr_CheckSignals() < 0)
        exit(1);
    mark("checked");
}

static void
at_end(void)
{
    raise(SIGUSR1);
    mark("raised");
}

static void
note(const char *phase, const PyBoehm_GC_Info *Py_UNUSED(info),
     void *Py_UNUSED(arg))
{
    mark(phase);
    raise(SIGUSR1);
    make_one();
}

static void
collecting(void)
{
    PyBoehm_GC_AddCallback(note, NULL);
    PyGC_Collect();
    PyBoehm_GC_RemoveCallback(note, NULL);
    mark("collected");
    make_one();
    mark("made");
}

static void
detached(void)
{
    PyThreadState *state = PyEval_SaveThread();

    raise(SIGUSR1);
    mark("raised");
    PyEval_RestoreThread(state);
    mark("attached");
}

/* The library's exceptions are where they were. */
static void
failing(void)
{
    PyErr_SetString(PyExc_ValueError, "stays");
    raise(SIGUSR1);
    Py_MakePendingCalls();
    mark(PyErr_ExceptionMatches(PyExc_ValueError) ? "stayed" : "gone");
    PyErr_Clear();
}

static int over;

static void *
send_many(void *Py_UNUSED(arg))
{
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
        kill(getpid(), SIGUSR1);
    return NULL;
}

/* In the middle of anything, and in another thread. */
static void
storm(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, send_many, NULL);
    for (int i = 0; i < 20000 || clock() < CLOCKS_PER_SEC / 2; i++) {
        make_one();
        if (i % 1000 == 0)
            PyEval_RestoreThread(PyEval_SaveThread());
        if (i % 5000 == 0)
            PyGC_Collect();
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    mark("over");
}

static void
child(void)
{
    int status;

    if (fork() == 0) {
        raise(SIGUSR1);
        make_one();
        _exit(0);
    }
    wait(&status);
}

static void
own(int Py_UNUSED(number))
{
    mark("own handler");
}

static void
handled(void)
{
    signal(SIGUSR1, own);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
    {"twice", twice},       {"at_end", at_end},   {"collecting", collecting},
    {"detached", detached}, {"failing", failing}, {"storm", storm},
    {"child", child},       {"later", handled},   {"handled", at_end},
};

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";

    if (strcmp(way, "handled") == 0)
        handled();
    Py_Initialize();
    kept = PyList_New(0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(way, ways[i].name) == 0)
            ways[i].run();
    if (argc > 2) /* without Py_Finalize */
        _exit(0);
    Py_Finalize();
    if (signal(SIGUSR1, SIG_DFL) != SIG_DFL)
        mark("another handler");
    return 0;
}
