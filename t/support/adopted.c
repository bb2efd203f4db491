/* adopted.c: adopted objects, many at a time.  See adopted.h. */

#include "adopted.h"
#include "suite.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <pyboehm.h>

void **host;
long host_finalizers;

void
adopted_begin(void)
{
    node_reset();
    host = GC_MALLOC_UNCOLLECTABLE(MANY * sizeof *host);
    GC_gcollect(); /* which shows us hooks of a host's that came after ours */
    PyGC_Collect();
    PyGC_Disable();
}

Py_ssize_t
collect(void)
{
    Py_ssize_t n;

    suite_forget_stack();
    n = PyBoehm_GC_Collect(2);
    GC_invoke_finalizers(); /* for hosts that run them on demand */
    return n;
}

static __attribute__((noinline)) void
do_many(void (*make)(int i))
{
    for (int i = 0; i < MANY; i++)
        make(i);
}

void
make_many(void (*make)(int i))
{
    do_many(make);
    suite_forget_stack();
}

struct node *
adopt(struct node *node)
{
    return (struct node *)PyBoehm_Adopt((PyObject *)node);
}

static Py_ssize_t
collections(int generation)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetStats(stats);
    return stats[generation].collections;
}

int
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

void
make_one(int Py_UNUSED(i))
{
    adopt(node_new(&node_final_type));
}

void
make_visible(int i)
{
    void **block = GC_MALLOC(4 * sizeof *block);

    host[i] = block;
    block[3] = adopt(node_new(&node_final_type));
}

void
count_finalizer(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    host_finalizers++;
}

void
no_finalizer(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
}

void
grow_table_of_finalizers(void)
{
    for (int i = 0; i < 2 * CHAIN * MANY; i++)
        GC_REGISTER_FINALIZER(GC_MALLOC(1), no_finalizer, NULL, NULL, NULL);
}

void
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
