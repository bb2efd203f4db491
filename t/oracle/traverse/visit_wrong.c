/* visit_wrong.c: traverse functions that visit too little or too much.
   Manual: "traverseproc": "Only the members that the instance owns must be
   visited". */

#include "oracle.h"

/* Leaves the first reference out. */
static int
shy_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct actor *self = (struct actor *)op;

    Py_VISIT(self->refs[1]);
    Py_VISIT(self->refs[2]);
    return 0;
}

/* Visits each reference twice. */
static int
eager_traverse(PyObject *op, visitproc visit, void *arg)
{
    int result = actor_traverse(op, visit, arg);

    if (result != 0)
        return result;
    return actor_traverse(op, visit, arg);
}

static PyTypeObject Shy_Type = {
    ACTOR_TYPE("oracle.Shy", actor_dealloc, shy_traverse, actor_clear)};
static PyTypeObject Eager_Type = {
    ACTOR_TYPE("oracle.Eager", actor_dealloc, eager_traverse, actor_clear)};

/* What is not visited seems to be owned from outside. */
static void
too_little(void)
{
    struct actor *a = actor_ring(&Shy_Type, 2), *b;

    say("the ring is not visited");
    b = (struct actor *)a->refs[0];
    collect();
    Py_DECREF(a);
    collect();
    say("b goes by another reference");
    actor_set(b, 1, a);
    actor_set(b, 0, NULL);
    collect(); /* a's reference to b is still hidden */
    actor_set(a, 1, b);
    actor_set(a, 0, NULL);
    collect();
}

/* Visited twice, an object that lives seems to live no more, unless it is
   reached from outside. */
static void
too_much_of_the_living(void)
{
    struct actor *a = actor_new(&Eager_Type, "a");
    struct actor *b = actor_new(&Actor_Type, "b");

    say("an owner that lives visits twice");
    actor_set(a, 0, b);
    collect();
    state("b", (PyObject *)b);
    drop_all(a, b);
}

/* As many visits as references, though one of these is not the visitor's: no
   collector can tell, and the living is cleared with the dead.  It is freed
   when its owner gives it up. */
static void
just_too_much(void)
{
    struct actor *a = actor_new(&Eager_Type, "eager");
    struct actor *b = actor_new(&Actor_Type, "living");

    say("a dead owner visits twice what somebody else has, too");
    actor_set(a, 0, b);
    actor_set(b, 0, a);
    Py_DECREF(a);
    collect();
    state("living", (PyObject *)b);
    visits("living", (PyObject *)b);
    Py_DECREF(b);
}

/* More visits than references: the counts contradict themselves. */
static void
too_much_of_the_dead(void)
{
    struct actor *a = actor_ring(&Eager_Type, 2);

    say("a dead ring visits twice");
    Py_DECREF(a);
    collect();
    collect();
    state("a", (PyObject *)a); /* it has not been freed */
}

void
oracle_program(void)
{
    need_ready(&Shy_Type);
    need_ready(&Eager_Type);
    too_little();
    too_much_of_the_living();
    just_too_much();
    too_much_of_the_dead();
}
