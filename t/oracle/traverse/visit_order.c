/* visit_order.c: Py_VISIT: in the order written, NULL left out, and the first
   result that is not zero ends it.
   Manual: "Py_VISIT", "traverseproc": "If visit returns a non-zero value, that
   value should be returned immediately". */

#include "oracle.h"

static int seen;

/* Counts, and stops with the result *arg at the third object. */
static int
visit_three(PyObject *op, void *arg)
{
    seen++;
    say("    visited %s", ((struct actor *)op)->name);
    return seen == 3 ? *(int *)arg : 0;
}

static void
traverse(struct actor *a, int result)
{
    int returned;

    seen = 0;
    returned = Actor_Type.tp_traverse((PyObject *)a, visit_three, &result);
    say("visitor returned %d at the third: %d visits, traverse returned %d",
        result, seen, returned);
}

static int
visit_twice(PyObject *op, visitproc visit, void *arg)
{
    int first = actor_traverse(op, visit, arg);

    if (first != 0)
        return first;
    return actor_traverse(op, visit, arg);
}

void
oracle_program(void)
{
    struct actor *a = actor_new(&Actor_Type, "a"), *part[ACTOR_REFS];

    visits("empty", (PyObject *)a);
    for (int i = 0; i < ACTOR_REFS; i++)
        part[i] = actor_new(&Actor_Type, (char[]){(char)('x' + i), 0});
    actor_set(a, 1, part[1]);
    visits("the middle one", (PyObject *)a);
    actor_set(a, 2, part[2]);
    visits("the last two", (PyObject *)a);
    actor_set(a, 0, part[0]);
    visits("all", (PyObject *)a);
    actor_set(a, 1, part[0]);
    visits("one twice", (PyObject *)a);
    actor_set(a, 1, a);
    visits("itself", (PyObject *)a);

    traverse(a, 0);
    traverse(a, 1);
    traverse(a, -1);
    traverse(a, 1000);
    seen = 0;
    say("twice: %d", visit_twice((PyObject *)a, visit_three, &(int){7}));

    show("referents", gc_call("get_referents", "(O)", part[0]));
    for (int i = 0; i < ACTOR_REFS; i++)
        Py_DECREF(part[i]);
    Py_DECREF(a);
    collect();
}
