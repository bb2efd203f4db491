/* bugs.c: programs with one mistake each, the commonest ones of authors of
   types; `bugs NAME` runs one, `bugs NAME exit` without Py_Finalize.  bugs.txt
   says which tool names which.

   Each function has one line with the mistake, marked MISTAKE; t/watch/bugs.sh
   holds what a tool says against the function and the line. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pyboehm.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 20 };

/* ------------------------------------------------------------------ */
/* A right type; the mistakes are switched on one at a time            */

typedef struct {
    PyObject ob_base;
    PyObject *name;  /* a str */
    PyObject *items; /* a list */
    PyObject *next;  /* a Node, or what it only borrows */
} Node;

static int
node_traverse(PyObject *op, visitproc visit, void *arg)
{
    Node *node = (Node *)op;

    Py_VISIT(Py_TYPE(op));
    Py_VISIT(node->name);
    Py_VISIT(node->items);
    Py_VISIT(node->next);
    return 0;
}

static int
node_clear(PyObject *op)
{
    Node *node = (Node *)op;

    Py_CLEAR(node->name);
    Py_CLEAR(node->items);
    Py_CLEAR(node->next);
    return 0;
}

static void
node_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    node_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static int
forgetful_traverse(PyObject *op, visitproc visit, void *arg)
{
    Node *node = (Node *)op;

    Py_VISIT(Py_TYPE(op));
    Py_VISIT(node->name);
    Py_VISIT(node->items);
    return 0; /* MISTAKE: next is not visited */
}

static int
typeless_traverse(PyObject *op, visitproc visit, void *arg)
{
    Node *node = (Node *)op;

    Py_VISIT(node->name); /* MISTAKE: the type is not visited */
    Py_VISIT(node->items);
    Py_VISIT(node->next);
    return 0;
}

static int
twice_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((Node *)op)->next); /* MISTAKE: node_traverse does that, too */
    return node_traverse(op, visit, arg);
}

/* What a node owns besides, by its place here. */
static PyObject *shared;

static int
sharing_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(shared);
    return node_traverse(op, visit, arg);
}

static int
leaking_clear(PyObject *op)
{
    ((Node *)op)->next = NULL; /* MISTAKE: Py_CLEAR gives the reference up */
    return 0;
}

static void
tracked_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    node_clear(op); /* MISTAKE: PyObject_GC_UnTrack comes first */
    type->tp_free(op);
    Py_DECREF(type);
}

static void
collecting_dealloc(PyObject *op)
{
    PyGC_Collect(); /* MISTAKE: PyObject_GC_UnTrack comes first */
    PyObject_GC_UnTrack(op);
    tracked_dealloc(op);
}

static int
borrowing_clear(PyObject *op)
{
    Node *node = (Node *)op;

    Py_CLEAR(node->name);
    Py_CLEAR(node->items);
    node->next = NULL; /* it is borrowed: node_traverse is wrong to visit it */
    return 0;
}

static void
borrowing_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    borrowing_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static void
plain_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    node_clear(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot right_slots[] = {
    {Py_tp_traverse, (void *)node_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

static PyType_Slot forgetful_slots[] = {
    {Py_tp_traverse, (void *)forgetful_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

static PyType_Slot typeless_slots[] = {
    {Py_tp_traverse, (void *)typeless_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

static PyType_Slot twice_slots[] = {
    {Py_tp_traverse, (void *)twice_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

static PyType_Slot sharing_slots[] = {
    {Py_tp_traverse, (void *)sharing_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

static PyType_Slot leaking_slots[] = {
    {Py_tp_traverse, (void *)node_traverse},
    {Py_tp_clear, (void *)leaking_clear},
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

static PyType_Slot clearless_slots[] = {
    {Py_tp_traverse, (void *)node_traverse}, /* MISTAKE: no tp_clear */
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

static PyType_Slot tracked_slots[] = {
    {Py_tp_traverse, (void *)node_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)tracked_dealloc},
    {0, NULL},
};

static PyType_Slot collecting_slots[] = {
    {Py_tp_traverse, (void *)node_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)collecting_dealloc},
    {0, NULL},
};

static PyType_Slot borrowing_slots[] = {
    {Py_tp_traverse, (void *)node_traverse}, /* MISTAKE: next is borrowed */
    {Py_tp_clear, (void *)borrowing_clear},
    {Py_tp_dealloc, (void *)borrowing_dealloc},
    {0, NULL},
};

static PyType_Slot plain_slots[] = {
    {Py_tp_dealloc, (void *)plain_dealloc}, /* MISTAKE: no HAVE_GC */
    {0, NULL},
};

static PyTypeObject *
make_type(size_t size, unsigned long flags, PyType_Slot *slots)
{
    PyType_Spec spec = {
        .name = "bugs.Node",
        .basicsize = (int)size,
        .flags = (unsigned int)(Py_TPFLAGS_DEFAULT | flags),
        .slots = slots,
    };
    PyObject *type = PyType_FromSpec(&spec);

    if (type == NULL) {
        PyErr_Print();
        exit(1);
    }
    return (PyTypeObject *)type;
}

static PyTypeObject *
container_type(PyType_Slot *slots)
{
    return make_type(sizeof(Node), Py_TPFLAGS_HAVE_GC, slots);
}

static Node *
make_node(PyTypeObject *type, int number)
{
    Node *node = (Node *)type->tp_alloc(type, 0);

    node->name = PyUnicode_FromFormat("node %d", number);
    node->items = PyList_New(0);
    PyList_Append(node->items, node->name);
    return node;
}

/* Living instances, each with a list that leads back to it. */
static void
make_nodes(PyTypeObject *type, Node *nodes[MANY])
{
    for (int i = 0; i < MANY; i++)
        nodes[i] = make_node(type, i);
}

static void
drop_nodes(Node *nodes[MANY])
{
    for (int i = 0; i < MANY; i++)
        Py_DECREF((PyObject *)nodes[i]);
}

/* Instances whose next is another list, and that are looked at. */
static void
show(PyType_Slot *slots, unsigned long flags)
{
    PyTypeObject *type = make_type(sizeof(Node), flags, slots);
    Node *nodes[MANY];

    make_nodes(type, nodes);
    for (int i = 0; i < MANY; i++)
        nodes[i]->next = PyList_New(0);
    PyGC_Collect();
    drop_nodes(nodes);
    Py_DECREF((PyObject *)type);
}

/* ------------------------------------------------------------------ */
/* The programs                                                        */

static void
forgotten_visit(void)
{
    show(forgetful_slots, Py_TPFLAGS_HAVE_GC);
}

/* So few of them that a stale word for each may be what has the reference. */
static void
forgotten_visit_of_two(void)
{
    static Node *volatile stale[2];
    PyTypeObject *type =
        make_type(sizeof(Node), Py_TPFLAGS_HAVE_GC, forgetful_slots);
    Node *one = make_node(type, 0), *other = make_node(type, 1);

    one->next = (PyObject *)other; /* which have the only reference */
    other->next = (PyObject *)one;
    stale[0] = one;
    stale[1] = other;
    Py_DECREF((PyObject *)type);
    PyGC_Collect();
    (void)stale[1];
}

static void
crash(void)
{
    static volatile char *volatile nowhere;

    (void)*nowhere;
}

static void
no_clear_weakrefs(void)
{
    PyTypeObject *type = make_type(
        sizeof(Node), Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_WEAKREF,
        right_slots); /* MISTAKE: its tp_dealloc does not clear them */
    Node *node = make_node(type, 1);
    PyObject *weakref = PyWeakref_NewRef((PyObject *)node, NULL);

    Py_DECREF((PyObject *)node);
    Py_DECREF(weakref);
    Py_DECREF((PyObject *)type);
}

static void
type_not_visited(void)
{
    show(typeless_slots, Py_TPFLAGS_HAVE_GC);
}

static void
no_have_gc(void)
{
    show(plain_slots, 0);
}

/* The calls are at one place, though a compiler may unroll such loops. */
static volatile int many = MANY;

static void
leaked_in_plain(void)
{
    PyTypeObject *type = make_type(sizeof(Node), 0, plain_slots);

    for (int i = 0; i < many; i++)
        make_node(type, i); /* MISTAKE: it is not kept */
}

static void
leaked_container(void)
{
    for (int i = 0; i < many; i++)
        PyList_New(0); /* MISTAKE: it is not kept */
}

static void
leaked_str(void)
{
    for (int i = 0; i < MANY; i++)
        PyUnicode_FromFormat("text %d", i); /* MISTAKE: it is not kept */
}

static void
decref_str(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *node = make_node(type, 1);

    Py_CLEAR(node->items);
    Py_DECREF(node->name); /* MISTAKE: node owns it */
    Py_DECREF((PyObject *)node);
    Py_DECREF((PyObject *)type);
}

/* The memory is another text's before it is looked at. */
static void
decref_str_long_ago(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *node = make_node(type, 1);

    Py_CLEAR(node->items);
    Py_DECREF(node->name); /* MISTAKE: node owns it */
    for (int i = 0; i < 9; i++)
        Py_DECREF(PyUnicode_FromFormat("customer number %d", i));
    PyGC_Collect();
    Py_DECREF((PyObject *)node);
    Py_DECREF((PyObject *)type);
}

/* Such a large one does not wait in quarantine. */
static void
decref_large(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *node = make_node(type, 1);

    Py_SETREF(node->items, PyBytes_FromStringAndSize(NULL, 3 << 20));
    Py_DECREF(node->items); /* MISTAKE: node owns it */
    PyGC_Collect();
    Py_DECREF((PyObject *)node);
    Py_DECREF((PyObject *)type);
}

static void
decref_of_the_library(void)
{
    Py_DECREF(PySys_GetObject("path")); /* MISTAKE: it is borrowed */
    PyGC_Collect();
}

static void
untracked_cycle(void)
{
    PyTypeObject *type = container_type(right_slots);

    for (int i = 0; i < 20; i++) {
        Node *node = make_node(type, 1);

        node->next = Py_NewRef((PyObject *)node);
        PyObject_GC_UnTrack(node); /* MISTAKE: and never tracked again */
        Py_DECREF((PyObject *)node);
    }
    PyGC_Collect();
    Py_DECREF((PyObject *)type);
}

static void
decref_shared_str(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *node = make_node(type, 1);

    Py_DECREF(node->name); /* MISTAKE: node owns it, and its items another */
    PyGC_Collect();
    Py_DECREF((PyObject *)node);
    Py_DECREF((PyObject *)type);
}

static void
decref_list(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *node = make_node(type, 1);

    Py_DECREF(node->items); /* MISTAKE: node owns it */
    PyGC_Collect();
    Py_DECREF((PyObject *)node);
    Py_DECREF((PyObject *)type);
}

static void
decref_shared_list(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *one = make_node(type, 1), *two = make_node(type, 2);

    Py_SETREF(two->items, Py_NewRef(one->items));
    Py_DECREF(one->items); /* MISTAKE: one and two own it */
    PyGC_Collect();
    Py_DECREF((PyObject *)one);
    Py_DECREF((PyObject *)two);
    Py_DECREF((PyObject *)type);
}

/* The node owns it twice, once in a variable. */
static void
decref_in_variable(void)
{
    PyTypeObject *type = container_type(sharing_slots);
    Node *node = make_node(type, 1);

    shared = Py_NewRef(node->items);
    Py_DECREF(node->items); /* MISTAKE: node owns it */
    PyGC_Collect();
    Py_CLEAR(shared);
    Py_DECREF((PyObject *)node);
    Py_DECREF((PyObject *)type);
}

/* None of the program's own types has it. */
static void
decref_in_lists(void)
{
    PyObject *item = PyList_New(0);
    PyObject *one = Py_BuildValue("[O]", item);
    PyObject *two = Py_BuildValue("[O]", item);

    Py_DECREF(item);
    Py_DECREF(item); /* MISTAKE: one and two own it */
    PyGC_Collect();
    Py_DECREF(one);
    Py_DECREF(two);
}

static void
no_clear(void)
{
    PyTypeObject *type = container_type(clearless_slots);
    Node *nodes[MANY];

    make_nodes(type, nodes);
    for (int i = 0; i < MANY; i++)
        nodes[i]->next = Py_NewRef((PyObject *)nodes[(i + 1) % MANY]);
    drop_nodes(nodes);
    PyGC_Collect();
    Py_DECREF((PyObject *)type);
}

static void
no_untrack(void)
{
    show(tracked_slots, Py_TPFLAGS_HAVE_GC);
}

static void
collects_in_dealloc(void)
{
    show(collecting_slots, Py_TPFLAGS_HAVE_GC);
}

static void
visits_borrowed(void)
{
    PyTypeObject *type = container_type(borrowing_slots);
    PyObject *parent = PyList_New(0);
    Node *nodes[MANY];

    make_nodes(type, nodes);
    for (int i = 0; i < MANY; i++)
        nodes[i]->next = parent;
    PyGC_Collect();
    drop_nodes(nodes);
    Py_DECREF(parent);
    Py_DECREF((PyObject *)type);
}

/* Half of the nodes have a next one. */
static void
visits_twice(void)
{
    PyTypeObject *type = container_type(twice_slots);
    Node *nodes[MANY];

    make_nodes(type, nodes);
    for (int i = 0; i < MANY; i += 2)
        nodes[i]->next = PyList_New(0);
    PyGC_Collect();
    drop_nodes(nodes);
    Py_DECREF((PyObject *)type);
}

/* One is in use, and as many references as visits lead to it. */
static void
visits_twice_in_use(void)
{
    PyTypeObject *type = container_type(twice_slots);
    Node *one = make_node(type, 1), *two = make_node(type, 2);

    two->next = Py_NewRef((PyObject *)one);
    PyList_Append(one->items, (PyObject *)two);
    Py_DECREF((PyObject *)two);
    PyGC_Collect();
    Py_DECREF((PyObject *)one);
    Py_DECREF((PyObject *)type);
}

static void
clears_without_decref(void)
{
    PyTypeObject *type = container_type(leaking_slots);
    Node *nodes[MANY];

    make_nodes(type, nodes);
    for (int i = 0; i < MANY; i++)
        nodes[i]->next = Py_NewRef((PyObject *)nodes[i]);
    drop_nodes(nodes);
    PyGC_Collect();
    Py_DECREF((PyObject *)type);
}

/* A list that refers back. */
static void
clears_list_without_decref(void)
{
    PyTypeObject *type = container_type(leaking_slots);
    Node *nodes[MANY];

    make_nodes(type, nodes);
    for (int i = 0; i < MANY; i++) {
        nodes[i]->next = PyList_New(0);
        PyList_Append(nodes[i]->next, (PyObject *)nodes[i]);
    }
    drop_nodes(nodes);
    PyGC_Collect();
    Py_DECREF((PyObject *)type);
}

/* The structure is longer than tp_basicsize says. */
static void
too_small(size_t size)
{
    PyTypeObject *type = make_type(size, Py_TPFLAGS_HAVE_GC, right_slots);
    Node *node = make_node(type, 1);

    node->next = PyList_New(0); /* MISTAKE: past the end */
    Py_DECREF((PyObject *)node);
    Py_DECREF((PyObject *)type);
}

static void
size_8_short(void)
{
    too_small(offsetof(Node, next));
}

static void
size_24_short(void)
{
    too_small(offsetof(Node, name));
}

typedef struct {
    PyObject ob_base;
    long number, more;
} Plain;

static void
plain_8_short(void)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyTypeObject *type = make_type(offsetof(Plain, more), 0, slots);
    Plain *plain = (Plain *)type->tp_alloc(type, 0);

    plain->number = 1;
    plain->more = 2; /* MISTAKE: past the end */
    Py_DECREF((PyObject *)plain);
    Py_DECREF((PyObject *)type);
}

static void
bytes_overrun(void)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, 5);

    strcpy(PyBytes_AS_STRING(bytes), "more than five"); /* MISTAKE */
    Py_DECREF(bytes);
}

static void
memory_overrun(void)
{
    char *memory = PyMem_Malloc(5);

    ((volatile char *)memory)[5] = 0; /* MISTAKE: past the end */
    PyMem_Free(memory);
}

static void
use_freed_list(void)
{
    PyObject *list = PyList_New(0), *repr;

    Py_DECREF(list);
    repr = PyObject_Repr(list); /* MISTAKE: it is free */
    Py_XDECREF(repr);
}

static void
append_to_freed_list(void)
{
    PyObject *list = PyList_New(0);

    Py_DECREF(list);
    PyList_Append(list, Py_None); /* MISTAKE: it is free */
    PyErr_Clear();
}

static void
append_freed_str(void)
{
    PyObject *list = PyList_New(0);
    PyObject *str = PyUnicode_FromString("a text of its own");

    Py_DECREF(str);
    PyList_Append(list, str); /* MISTAKE: it is free */
    Py_DECREF(list);
}

static void
own_freed_str(void)
{
    PyObject *str = PyUnicode_FromString("a text of its own");

    Py_DECREF(str);
    Py_INCREF(str); /* MISTAKE: it is free */
    Py_DECREF(str);
}

static void
text_of_freed_str(void)
{
    PyObject *str = PyUnicode_FromString("a text of its own");

    Py_DECREF(str);
    PyUnicode_AsUTF8(str); /* MISTAKE: it is free */
    PyErr_Clear();
}

static void
format_freed_str(void)
{
    PyObject *str = PyUnicode_FromString("a text of its own");

    Py_DECREF(str);
    PyUnicode_FromFormat("%U!", str); /* MISTAKE: it is free */
    PyErr_Clear();
}

static void
concat_freed_str(void)
{
    PyObject *str = PyUnicode_FromString("a text of its own");
    PyObject *other = PyUnicode_FromString("another one");

    Py_DECREF(str);
    PyUnicode_Concat(other, str); /* MISTAKE: it is free */
    PyErr_Clear();
    Py_DECREF(other);
}

static void
read_freed_list(void)
{
    PyObject *list = PyList_New(3);
    Py_ssize_t n;

    Py_DECREF(list);
    n = PyList_GET_SIZE(list); /* MISTAKE: it is free */
    printf("%s\n", n == 3 ? "three" : "?");
}

static void
use_freed_node(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *node = make_node(type, 1);
    volatile PyObject *name;

    Py_DECREF((PyObject *)node);
    name = node->name; /* MISTAKE: it is free */
    printf("%s\n", name != NULL ? "a name" : "?");
    Py_DECREF((PyObject *)type);
}

static void
follow_freed_node(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *node = make_node(type, 1);
    Py_ssize_t n;

    Py_DECREF((PyObject *)node);
    n = Py_REFCNT(node->name); /* MISTAKE: it is free */
    printf("%zd\n", n);
    Py_DECREF((PyObject *)type);
}

/* Boehm does not look there. */
static void
adopt_in_malloc(void)
{
    PyObject **there = malloc(MANY * sizeof *there);

    for (int i = 0; i < MANY; i++)
        there[i] = PyBoehm_Adopt(PyList_New(0)); /* MISTAKE: it is malloc's */
    PyGC_Collect();
    for (int i = 0; i < MANY; i++)
        Py_XDECREF(PyObject_Repr(there[i]));
    free(there);
}

static void
decref_adopted(void)
{
    static PyObject *list; /* Boehm sees it */

    list = PyBoehm_Adopt(PyList_New(0));
    Py_DECREF(list); /* MISTAKE: Boehm has that reference now */
    PyGC_Collect();
    Py_XDECREF(PyObject_Repr(list));
}

static void
decref_freed_node(void)
{
    PyTypeObject *type = container_type(right_slots);
    Node *node = make_node(type, 1);

    Py_DECREF((PyObject *)node);
    Py_DECREF((PyObject *)node); /* MISTAKE: it is free */
    Py_DECREF((PyObject *)type);
}

static void
nothing_wrong(void)
{
    show(right_slots, Py_TPFLAGS_HAVE_GC);
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
    {"forgotten_visit", forgotten_visit},
    {"forgotten_visit_of_two", forgotten_visit_of_two},
    {"crash", crash},
    {"leaked_in_plain", leaked_in_plain},
    {"leaked_container", leaked_container},
    {"leaked_str", leaked_str},
    {"decref_list", decref_list},
    {"decref_shared_list", decref_shared_list},
    {"decref_in_variable", decref_in_variable},
    {"decref_in_lists", decref_in_lists},
    {"decref_str", decref_str},
    {"decref_str_long_ago", decref_str_long_ago},
    {"decref_shared_str", decref_shared_str},
    {"decref_large", decref_large},
    {"decref_of_the_library", decref_of_the_library},
    {"untracked_cycle", untracked_cycle},
    {"no_clear", no_clear},
    {"no_have_gc", no_have_gc},
    {"no_clear_weakrefs", no_clear_weakrefs},
    {"type_not_visited", type_not_visited},
    {"no_untrack", no_untrack},
    {"collects_in_dealloc", collects_in_dealloc},
    {"visits_borrowed", visits_borrowed},
    {"visits_twice", visits_twice},
    {"visits_twice_in_use", visits_twice_in_use},
    {"clears_without_decref", clears_without_decref},
    {"clears_list_without_decref", clears_list_without_decref},
    {"size_8_short", size_8_short},
    {"size_24_short", size_24_short},
    {"plain_8_short", plain_8_short},
    {"bytes_overrun", bytes_overrun},
    {"memory_overrun", memory_overrun},
    {"use_freed_list", use_freed_list},
    {"append_to_freed_list", append_to_freed_list},
    {"append_freed_str", append_freed_str},
    {"own_freed_str", own_freed_str},
    {"text_of_freed_str", text_of_freed_str},
    {"format_freed_str", format_freed_str},
    {"concat_freed_str", concat_freed_str},
    {"read_freed_list", read_freed_list},
    {"use_freed_node", use_freed_node},
    {"follow_freed_node", follow_freed_node},
    {"adopt_in_malloc", adopt_in_malloc},
    {"decref_adopted", decref_adopted},
    {"decref_freed_node", decref_freed_node},
    {"nothing_wrong", nothing_wrong},
};

int
main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (argc > 1 && strcmp(argv[1], programs[i].name) == 0) {
            Py_Initialize();
            programs[i].run();
            if (argc == 2)
                Py_Finalize();
            return 0;
        } else if (argc == 1) {
            puts(programs[i].name);
        }
    return argc == 1 ? 0 : 2;
}
