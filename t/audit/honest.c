/* honest.c: right types with what may look wrong: borrowed references, words
   that are left over, owners that no tp_traverse tells of. */

#include "audit.h"

#include <stdint.h>
#include <stdlib.h>

static PyObject *
new_list(void)
{
    return audit_must(PyList_New(0));
}

/* A parent owns the child, which knows the parent. */
AUDIT_TYPE(Child, part_traverse, 0, .tp_doc = "");
AUDIT_TYPE(Parent, part_traverse, 0, .tp_doc = "");

static void
borrowed_parents(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *parent = audit_new(&Parent_type);
        struct part *child = audit_new(&Child_type);

        parent->a = Py_NewRef(child);
        child->borrowed = (PyObject *)parent;
    }
}

/* The same, and the program owns the parents, too. */
static PyObject *held[AUDIT_INSTANCES];
AUDIT_TYPE(HeldParent, part_traverse, 0, .tp_doc = "");
AUDIT_TYPE(HeldChild, part_traverse, 0, .tp_doc = "");

static void
parents_in_variables(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        held[i] = Py_NewRef(audit_new(&HeldParent_type));
        audit_new(&HeldChild_type)->borrowed = held[i];
    }
}

/* And in malloc memory that only the program knows, with a tag. */
AUDIT_TYPE(Session, part_traverse, 0, .tp_doc = "");

static void
owners_in_malloc(void)
{
    static PyObject ***table;

    table = audit_must(calloc(AUDIT_INSTANCES, sizeof *table));
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        table[i] = audit_must(malloc(sizeof **table));
        PyObject *list = new_list();

        *table[i] = (PyObject *)((uintptr_t)list | 1);
        audit_new(&Session_type)->borrowed = list;
    }
}

AUDIT_TYPE(Weak, part_traverse, 0,
           .tp_weaklistoffset = offsetof(struct part, weaklist));

static void
weak_lists(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Weak_type);

        part->a = audit_must(PyWeakref_NewRef((PyObject *)part, NULL));
        Py_INCREF(part); /* leaks */
    }
}

/* Some objects that instances know leak; that is not the type's fault. */
AUDIT_TYPE(Knowing, part_traverse, 0, .tp_doc = "");

static void
leaks_of_others(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *known = audit_new(&Parent_type);

        audit_new(&Knowing_type)->borrowed = (PyObject *)known;
        if (i % 7 == 0)
            Py_INCREF(known);
    }
}

/* A block that the instance knows, and the program owns. */
AUDIT_TYPE(Lodger, part_traverse, 0, .tp_doc = "");

static void
blocks_of_others(void)
{
    static PyObject **volatile table[AUDIT_INSTANCES];

    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject **block = audit_must(malloc(sizeof *block));

        *block = new_list();
        table[i] = block;
        audit_new(&Lodger_type)->row = table[i];
    }
}

AUDIT_TYPE(Row, row_traverse, 0, .tp_doc = "");

static void
rows(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++)
        audit_fill_row(audit_new(&Row_type), 3);
}

/* What was taken off the row's end still stands there, and lives. */
AUDIT_TYPE(Stack, row_traverse, 0, .tp_doc = "");

static void
stale_ends(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Stack_type);

        audit_fill_row(part, 3);
        part->a = part->row[--part->n];
    }
}

AUDIT_TYPE(Twin, part_traverse, 0, .tp_doc = "");

static void
one_child_twice(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Twin_type);

        part->a = new_list();
        part->b = Py_NewRef(part->a);
        part->borrowed = part->a;
    }
}

AUDIT_TYPE(Selfish, part_traverse, 0, .tp_doc = "");

static void
own_address(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Selfish_type);

        part->borrowed = (PyObject *)part;
    }
}

/* All of them in a ring; the words between them own nothing. */
AUDIT_TYPE(Ring, part_traverse, 0, .tp_doc = "");

static void
intrusive_lists(void)
{
    struct part *first = audit_new(&Ring_type), *last = first;

    for (int i = 1; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Ring_type);

        last->borrowed = (PyObject *)part;
        part->row = NULL;
        last = part;
    }
    last->borrowed = (PyObject *)first;
}

/* Objects of their own that the tags of are part of the address. */
static int
tagged_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyObject *tagged = PART(op)->borrowed;

    Py_VISIT((PyObject *)((uintptr_t)tagged & ~(uintptr_t)1));
    return part_traverse(op, visit, arg);
}

AUDIT_TYPE(Tagged, tagged_traverse, 0, .tp_doc = "");

static void
tags(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++)
        audit_new(&Tagged_type)->borrowed =
            (PyObject *)((uintptr_t)new_list() | 1);
}

/* A cache that knows what others own. */
AUDIT_TYPE(Cached, part_traverse, 0, .tp_doc = "");
AUDIT_TYPE(Cache, part_traverse, 0, .tp_doc = "");

static void
caches(void)
{
    struct part *cache = audit_new(&Cache_type);

    cache->row = audit_must(calloc(AUDIT_INSTANCES, sizeof *cache->row));
    for (int i = 0; i < AUDIT_INSTANCES; i++)
        cache->row[i] = (PyObject *)audit_new(&Cached_type);
    cache->borrowed = cache->row[0];
}

/* A base with fields, and a subtype with more. */
struct more {
    struct part part;
    PyObject *more;
};

static int
more_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct more *)(void *)op)->more);
    return part_traverse(op, visit, arg);
}

AUDIT_TYPE(Base, part_traverse, Py_TPFLAGS_BASETYPE, .tp_doc = "");
static PyTypeObject Derived_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "audit.Derived",
    .tp_basicsize = sizeof(struct more),
    .tp_base = &Base_type,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = part_dealloc,
    .tp_traverse = more_traverse,
    .tp_clear = part_clear,
};

static void
subtypes(void)
{
    if (PyType_Ready(&Base_type) < 0)
        audit_must(NULL);
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Derived_type);

        part->a = new_list();
        ((struct more *)(void *)part)->more = new_list();
    }
}

/* A class of the program's, with a dictionary that no code has asked for. */
static void
classes(void)
{
    PyObject *cls;

    if (PyType_Ready(&Base_type) < 0)
        audit_must(NULL);
    cls = audit_must(PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){}",
                                           "Program", &Base_type));
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new((PyTypeObject *)cls);
        PyObject *list = new_list();

        part->a = new_list();
        if (PyObject_SetAttrString((PyObject *)part, "list", list) < 0)
            audit_must(NULL);
        Py_DECREF(list);
    }
    Py_DECREF(cls);
}

/* Nothing reads it, and an optimizer that sees the whole program would leave
   out the store. */
PyTypeObject *volatile audit_held_type;

static PyType_Slot part_slots[] = {
    {Py_tp_dealloc, (void *)part_dealloc},
    {Py_tp_traverse, (void *)heap_traverse},
    {Py_tp_clear, (void *)part_clear},
    {0, NULL},
};

static void
heap_types(void)
{
    PyTypeObject *type = audit_type("audit.Heap", part_slots);

    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(type);

        part->a = Py_NewRef(type);
        Py_DECREF(audit_must(PyType_GenericAlloc(type, 0)));
    }
    audit_held_type = type; /* the reference moves there */
}

/* Objects of a heap type that are no containers lie in malloc memory, one
   container knows each. */
static void
plain_heap_types(void)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"audit.Plain", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT,
                        slots};
    PyTypeObject *type = audit_must(PyType_FromSpec(&spec));

    for (int i = 0; i < AUDIT_INSTANCES; i++)
        audit_new(&Row_type)->a = audit_must(PyType_GenericAlloc(type, 0));
    Py_DECREF(type);
}

/* A capsule owns what its block has, and is no container. */
static void
release_context(PyObject *capsule)
{
    PyObject **context = PyCapsule_GetPointer(capsule, NULL);

    Py_DECREF(*context);
    free(context);
}

static void
capsules(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject **context = audit_must(malloc(sizeof *context));

        *context = new_list();
        audit_new(&Row_type)->a =
            audit_must(PyCapsule_New(context, NULL, release_context));
    }
}

static int
managed_traverse(PyObject *op, visitproc visit, void *arg)
{
    int result = PyObject_VisitManagedDict(op, visit, arg);

    return result != 0 ? result : part_traverse(op, visit, arg);
}

AUDIT_TYPE(Managed, managed_traverse,
           (Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_MANAGED_WEAKREF),
           .tp_doc = "");

static void
managed_dicts(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject *op = (PyObject *)audit_new(&Managed_type);
        PyObject *list = new_list();

        if (PyObject_SetAttrString(op, "list", list) < 0)
            audit_must(NULL);
        PART(op)->a = audit_must(PyWeakref_NewRef(op, NULL));
        Py_DECREF(list);
    }
}

static int
dict_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PART(op)->dict);
    return part_traverse(op, visit, arg);
}

AUDIT_TYPE(WithDict, dict_traverse, 0,
           .tp_dictoffset = offsetof(struct part, dict));

static void
dictionaries(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject *op = (PyObject *)audit_new(&WithDict_type);

        if (PyObject_SetAttrString(op, "me", op) < 0)
            audit_must(NULL);
    }
}

/* Items behind the body. */
static int
items_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyObject **items = (PyObject **)(void *)((char *)op + sizeof(PyVarObject));

    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_VISIT(items[i]);
    return 0;
}

static PyTypeObject Items_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "audit.Items",
    .tp_basicsize = sizeof(PyVarObject),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = items_traverse,
};

static void
items(void)
{
    if (PyType_Ready(&Items_type) < 0)
        audit_must(NULL);
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject *op = audit_keep(PyType_GenericAlloc(&Items_type, 3));
        PyObject **row =
            (PyObject **)(void *)((char *)op + sizeof(PyVarObject));

        for (int k = 0; k < 3; k++)
            row[k] = new_list();
    }
}

/* The state of a module has a type and a cache of what the type owns. */
struct state {
    PyObject *type, *borrowed;
};

static int
state_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct state *state = PyModule_GetState(module);

    if (state != NULL)
        Py_VISIT(state->type);
    return 0;
}

static void
module_states(void)
{
    static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "audit_honest",
                              .m_size = sizeof(struct state),
                              .m_traverse = state_traverse};
    PyObject *module;
    struct state *state;

    module = audit_keep(PyModule_Create(&def));
    state = audit_must(PyModule_GetState(module));
    state->type = (PyObject *)audit_type("audit.InState", part_slots);
    state->borrowed = state->type;
    for (int i = 0; i < AUDIT_INSTANCES; i++)
        audit_new((PyTypeObject *)state->type)->a = Py_NewRef(module);
}

/* No collection looks at them; an audit does. */
AUDIT_TYPE(Untracked, part_traverse, 0, .tp_doc = "");

static void
untracked(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Untracked_type);

        part->a = new_list();
        part->b = Py_NewRef(part);
        PyObject_GC_UnTrack(part);
    }
}

/* The next collection frees both. */
static void
untracked_in_garbage(void)
{
    audit_must(PyType_Ready(&Untracked_type) == 0 ? &Untracked_type : NULL);
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *owner =
            audit_must(PyType_GenericAlloc(&Untracked_type, 0));
        struct part *part =
            audit_must(PyType_GenericAlloc(&Untracked_type, 0));

        part->a = new_list();
        PyObject_GC_UnTrack(part);
        owner->a = (PyObject *)owner; /* all that keeps it */
        owner->b = (PyObject *)part;
    }
}

const struct audit_case audit_honest[] = {
    {borrowed_parents, NULL, AUDIT_ANY},
    {parents_in_variables, NULL, AUDIT_ANY},
    {owners_in_malloc, NULL, AUDIT_ANY},
    {weak_lists, NULL, AUDIT_ANY},
    {leaks_of_others, NULL, AUDIT_ANY},
    {blocks_of_others, NULL, AUDIT_ANY},
    {rows, NULL, AUDIT_ANY},
    {stale_ends, NULL, AUDIT_ANY},
    {one_child_twice, NULL, AUDIT_ANY},
    {own_address, NULL, AUDIT_ANY},
    {intrusive_lists, NULL, AUDIT_ANY},
    {tags, NULL, AUDIT_ANY},
    {caches, NULL, AUDIT_ANY},
    {subtypes, NULL, AUDIT_ANY},
    {classes, NULL, AUDIT_ANY},
    {heap_types, NULL, AUDIT_ANY},
    {plain_heap_types, NULL, AUDIT_ANY},
    {capsules, NULL, AUDIT_ANY},
    {managed_dicts, NULL, AUDIT_ANY},
    {dictionaries, NULL, AUDIT_ANY},
    {items, NULL, AUDIT_ANY},
    {module_states, NULL, AUDIT_ANY},
    {untracked, NULL, AUDIT_ANY},
    {untracked_in_garbage, NULL, AUDIT_ANY},
    {audit_owners_inside, NULL, AUDIT_ANY},
    {audit_lost_reference, NULL, AUDIT_ANY},
    {audit_atoms, NULL, AUDIT_ANY},
    {audit_lookalikes, NULL, AUDIT_ANY},
    {NULL, NULL, AUDIT_ANY},
};
