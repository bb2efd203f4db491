/* visits.c: types whose tp_traverse visits what it should not, or does not
   visit what it should. */

#include "hostile.h"

#include <string.h>

#define SLOTS(TRAVERSE)                                                       \
    .tp_dealloc = thing_dealloc, .tp_traverse = TRAVERSE,                     \
    .tp_clear = thing_clear

/* A pair of which the first is of the type, and a list that it owns, too, and
   that nothing else owns.  Collects: where more is visited than is referred
   to, nothing is cleared, and all can still be used. */
static void
collect_overvisited(PyTypeObject *type)
{
    struct thing *first = thing_pair(type), *second;
    PyObject *list = PyList_New(0);

    second = (struct thing *)first->left;
    first->right = list; /* moves in */
    first->other = first->left;
    Py_DECREF(first);
    for (int i = 0; i < 3; i++)
        hostile_collect(0);
    hostile_expect(things_cleared == 0 && things_freed == 0,
                   "nothing is cleared or freed");
    hostile_expect(first->left == (PyObject *)second &&
                       second->left == (PyObject *)first &&
                       Py_REFCNT(first) == 1 && Py_REFCNT(second) == 1,
                   "the objects are intact");
    hostile_expect(PyList_Append(list, Py_None) == 0 && PyList_Size(list) == 1,
                   "what they reach can be used");
}

static int
twice_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct thing *)op)->left);
    return thing_traverse(op, visit, arg);
}

HOSTILE_TYPE(TwiceVisitor, SLOTS(twice_traverse));

static void
twice_visitor(void)
{
    collect_overvisited(&TwiceVisitor_type);
}

/* What is visited too often is not what comes first. */
static int
second_traverse(PyObject *op, visitproc visit, void *arg)
{
    int result = thing_traverse(op, visit, arg);

    if (result == 0)
        Py_VISIT(((struct thing *)op)->right);
    return result;
}

HOSTILE_TYPE(SecondVisitor, SLOTS(second_traverse));

/* The counts of the pair agree; only those of the list do not. */
static void
second_visitor(void)
{
    struct thing *first = thing_pair(&SecondVisitor_type);

    first->right = PyList_New(0);
    Py_DECREF(first);
    hostile_collect(-1);
    hostile_expect(things_freed == 2, "the pair is freed");
}

static int
borrower_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct thing *)op)->other);
    return thing_traverse(op, visit, arg);
}

HOSTILE_TYPE(Borrower, SLOTS(borrower_traverse));

static void
borrower(void)
{
    collect_overvisited(&Borrower_type);
}

/* The owner is in use, and keeps what it owns, whatever else visits that. */
static void
borrower_from_the_living(void)
{
    struct thing *owner = thing_new(&thing_type);
    struct thing *owned = thing_new(&thing_type);
    struct thing *envious = thing_pair(&Borrower_type);

    thing_link(owner, owned, NULL);
    Py_DECREF(owned);
    envious->other = (PyObject *)owned;
    Py_DECREF(envious);
    hostile_collect(-1);
    hostile_expect(owner->left == (PyObject *)owned && Py_REFCNT(owned) == 1,
                   "what is owned by the living stays");
    Py_DECREF(owner);
}

/* One visit and one reference: the counts say nothing. */
static void
borrower_from_outside(void)
{
    struct thing *owned = thing_new(&thing_type);
    struct thing *envious = thing_pair(&Borrower_type);

    thing_link(owned, owned, NULL);
    envious->other = (PyObject *)owned;
    Py_DECREF(envious);
    hostile_collect(-1);
    hostile_expect(owned->left == (PyObject *)owned,
                   "what is owned from outside is not cleared");
}

static int
self_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(op);
    return thing_traverse(op, visit, arg);
}

HOSTILE_TYPE(SelfVisitor, SLOTS(self_traverse));

static void
self_visitor(void)
{
    collect_overvisited(&SelfVisitor_type);
}

static int
null_traverse(PyObject *op, visitproc visit, void *arg)
{
    visit(NULL, arg);
    visit(NULL, arg);
    return thing_traverse(op, visit, arg);
}

HOSTILE_TYPE(NullVisitor, SLOTS(null_traverse));

static void
null_visitor(void)
{
    Py_DECREF(thing_pair(&NullVisitor_type));
    hostile_collect(2);
    hostile_expect(things_freed == 2, "the garbage is freed");
}

HOSTILE_TYPE(FreedVisitor, SLOTS(borrower_traverse));

static void
freed_visitor(void)
{
    struct thing *freed = thing_new(&thing_type);
    struct thing *first = thing_pair(&FreedVisitor_type);

    first->other = (PyObject *)freed;
    Py_DECREF(freed);
    hostile_collect(0);
    Py_DECREF(first);
    hostile_collect(2);
    hostile_expect(things_freed == 3, "the garbage is freed");
}

HOSTILE_TYPE(GarbageVisitor, SLOTS(borrower_traverse));

static void
garbage_visitor(void)
{
    struct thing *first = thing_pair(&GarbageVisitor_type);

    first->other = (PyObject *)(uintptr_t)0x5a5a5a5a5a50;
    Py_DECREF(first);
    hostile_collect(2);
    hostile_expect(things_freed == 2, "the garbage is freed");
}

HOSTILE_TYPE(LowVisitor, SLOTS(borrower_traverse));

static void
low_visitor(void)
{
    struct thing *first = thing_pair(&LowVisitor_type);

    first->other = (PyObject *)(uintptr_t)16;
    Py_DECREF(first);
    hostile_collect(2);
    hostile_expect(things_freed == 2, "the garbage is freed");
}

HOSTILE_TYPE(InsideVisitor, SLOTS(borrower_traverse));

static void
inside_visitor(void)
{
    PyObject *spacer = (PyObject *)thing_new(&thing_type);

    /* Two granules share a gcref.  In an object at an even one, the visit
       would count as one of the object itself and keep it alive. */
    if ((uintptr_t)spacer % 32 != 0)
        Py_CLEAR(spacer);
    struct thing *first = thing_pair(&InsideVisitor_type);
    int freed = things_freed;
    first->other = (PyObject *)((PyObject *)first + 1);
    Py_DECREF(first);
    hostile_collect(2);
    hostile_expect(things_freed - freed == 2, "the garbage is freed");
    Py_XDECREF(spacer);
}

HOSTILE_TYPE(OddVisitor, SLOTS(borrower_traverse));

/* Only the address tells that this is no object. */
static void
odd_visitor(void)
{
    static union {
        PyObject align;
        char bytes[2 * sizeof(PyObject)];
    } twins;
    struct thing *first = thing_pair(&OddVisitor_type);

    memcpy(twins.bytes + 2, Py_None, sizeof(PyObject));
    first->other = (PyObject *)(uintptr_t)(twins.bytes + 2);
    Py_DECREF(first);
    hostile_collect(2);
    hostile_expect(things_freed == 2, "the garbage is freed");
}

static int
idle_traverse(PyObject *op, visitproc visit, void *arg)
{
    return 0;
}

HOSTILE_TYPE(IdleVisitor, SLOTS(idle_traverse));

static void
idle_visitor(void)
{
    struct thing *first = thing_pair(&IdleVisitor_type);

    Py_DECREF(first);
    for (int i = 0; i < 3; i++)
        hostile_collect(0);
    hostile_expect(things_cleared == 0 && things_freed == 0,
                   "the cycle leaks and is intact");
}

/* An instance of a heap type that owns its type and does not visit it. */
static void
heap_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    thing_dealloc(op);
    Py_DECREF(type);
}

static void
type_visitor(void)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)heap_dealloc},
                           {Py_tp_traverse, (void *)thing_traverse},
                           {Py_tp_clear, (void *)thing_clear},
                           {0, NULL}};
    PyType_Spec spec = {"hostile.TypeForgetter", sizeof(struct thing), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
    PyObject *type = PyType_FromSpec(&spec);
    hostile_expect(type != NULL, "there is a type");
    struct thing *one = thing_new((PyTypeObject *)type);

    hostile_collect(-1);
    hostile_expect(PyObject_SetAttrString(type, "one", (PyObject *)one) == 0,
                   "the type has it");
    Py_DECREF(one);
    Py_DECREF(type);
    for (int i = 0; i < 3; i++)
        hostile_collect(0);
    hostile_expect(things_freed == 0, "both leak");
}

const struct hostile hostile_visits[] = {
    {"TwiceVisitor", twice_visitor},
    {"SecondVisitor", second_visitor},
    {"Borrower", borrower},
    {"Borrower-living", borrower_from_the_living},
    {"Borrower-outside", borrower_from_outside},
    {"SelfVisitor", self_visitor},
    {"NullVisitor", null_visitor},
    {"FreedVisitor", freed_visitor},
    {"GarbageVisitor", garbage_visitor},
    {"LowVisitor", low_visitor},
    {"InsideVisitor", inside_visitor},
    {"OddVisitor", odd_visitor},
    {"IdleVisitor", idle_visitor},
    {"TypeForgetter", type_visitor},
    {NULL, NULL},
};
