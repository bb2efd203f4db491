/* broken.c: types that are wrong in one way each. */

#include "audit.h"

#include <stdlib.h>
#include <structmember.h>

static PyObject *
new_list(void)
{
    return audit_must(PyList_New(0));
}

static int
first_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PART(op)->a);
    return 0;
}

static int
idle_traverse(PyObject *Py_UNUSED(op), visitproc Py_UNUSED(visit),
              void *Py_UNUSED(arg))
{
    return 0;
}

static PyMemberDef members[] = {
    {"first", T_OBJECT, offsetof(struct part, a), 0, NULL},
    {"second", T_OBJECT, offsetof(struct part, b), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
AUDIT_TYPE(OneOfTwo, first_traverse, 0, .tp_members = members);

/* Some have the same object in both. */
static void
one_of_two(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&OneOfTwo_type);

        part->a = new_list();
        part->b = i % 5 == 0 ? Py_NewRef(part->a) : new_list();
    }
}

/* Both have the same object. */
AUDIT_TYPE(Twins, first_traverse, 0, .tp_doc = "");

static void
twins(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Twins_type);

        part->a = new_list();
        part->b = Py_NewRef(part->a);
    }
}

/* The addresses stand in memory that was freed, of all sizes. */
AUDIT_TYPE(Copied, idle_traverse, 0, .tp_doc = "");

static void
freed_copies(void)
{
    enum { COPIES = 16 };
    PyObject **copies[COPIES];
    void *volatile barrier;

    for (size_t size = AUDIT_INSTANCES; size < 1000; size *= 3) {
        for (int k = 0; k < COPIES; k++) {
            copies[k] = audit_must(calloc(size, sizeof **copies));
            barrier = audit_must(malloc(40));
        }
        for (int i = 0; i < AUDIT_INSTANCES; i++) {
            struct part *part = audit_new(&Copied_type);

            part->a = new_list();
            for (int k = 0; k < COPIES; k++)
                copies[k][(int)size - 1 - i] = part->a;
        }
        for (int k = 0; k < COPIES; k++)
            free(copies[k]);
    }
    (void)barrier;
}

AUDIT_TYPE(NoRow, part_traverse, 0, .tp_doc = "");

/* Rows that grow leave copies behind. */
static void
no_row(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&NoRow_type);

        for (int room = 100; room < 1000; room *= 2) {
            part->row = audit_must(
                realloc(part->row, (size_t)room * sizeof *part->row));
            while (part->n < room / 2)
                part->row[part->n++] = new_list();
        }
    }
}

/* Large enough for a mapping of its own. */
AUDIT_TYPE(NoLongRow, part_traverse, 0, .tp_doc = "");

static void
no_long_row(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject **row = audit_must(calloc(40000, sizeof *row));

        row[1000 * i] = new_list();
        audit_new(&NoLongRow_type)->row = row;
    }
}

/* A stale address at the unused end of a block would hide what another block
   is part of: calloc of glibc clears all of it. */
static void *
new_block(size_t size)
{
    return audit_must(calloc(1, size));
}

struct node {
    struct node *next;
    PyObject *op;
};

AUDIT_TYPE(NoNodes, part_traverse, 0, .tp_doc = "");

static void
no_nodes(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&NoNodes_type);

        for (int k = 0; k < 3; k++) {
            struct node *node = new_block(sizeof *node);

            *node =
                (struct node){(struct node *)(void *)part->row, new_list()};
            part->row = (PyObject **)(void *)node;
        }
    }
}

/* The way on is the last word that a block of malloc's may use. */
struct long_node {
    PyObject *op;
    Py_ssize_t n;
    struct long_node *next;
};

AUDIT_TYPE(NoLongNodes, part_traverse, 0, .tp_doc = "");

static void
no_long_nodes(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&NoLongNodes_type);

        for (int k = 0; k < 2; k++) {
            struct long_node *node = new_block(sizeof *node);

            node->op = k == 0 ? new_list() : NULL;
            node->n = k;
            node->next = (struct long_node *)(void *)part->row;
            part->row = (PyObject **)(void *)node;
        }
    }
}

AUDIT_TYPE(NoManaged, part_traverse, Py_TPFLAGS_MANAGED_DICT, .tp_doc = "");

static void
no_managed_dict(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++)
        if (PyObject_SetAttrString((PyObject *)audit_new(&NoManaged_type), "a",
                                   (PyObject *)&PyType_Type) < 0)
            audit_must(NULL);
}

AUDIT_TYPE(NoDict, part_traverse, 0,
           .tp_dictoffset = offsetof(struct part, dict));

static void
no_dict(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject *op = (PyObject *)audit_new(&NoDict_type);

        if (PyObject_SetAttrString(op, "a", op) < 0)
            audit_must(NULL);
    }
}

static PyTypeObject NoItems_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "audit.NoItems",
    .tp_basicsize = sizeof(PyVarObject),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = idle_traverse,
};

static void
no_items(void)
{
    if (PyType_Ready(&NoItems_type) < 0)
        audit_must(NULL);
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject *op = audit_keep(PyType_GenericAlloc(&NoItems_type, 3));

        for (int k = 0; k < 3; k++)
            ((PyObject **)(void *)((char *)op + sizeof(PyVarObject)))[k] =
                new_list();
    }
}

/* A table that does not own its keys: their references have another owner. */
struct pair {
    PyObject *key, *value;
};

static PyTypeObject NoValues_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "audit.NoValues",
    .tp_basicsize = sizeof(PyVarObject),
    .tp_itemsize = sizeof(struct pair),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = idle_traverse,
};

static void
no_values(void)
{
    if (PyType_Ready(&NoValues_type) < 0)
        audit_must(NULL);
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        char *op = audit_keep(PyType_GenericAlloc(&NoValues_type, 3));
        struct pair *pairs = (void *)(op + sizeof(PyVarObject));

        for (int k = 0; k < 3; k++)
            pairs[k].key = audit_keep(new_list());
        pairs[0].value = new_list();
    }
}

/* They all have the same object, and the program knows it, too. */
AUDIT_TYPE(InContext, idle_traverse, 0, .tp_doc = "");

static void
one_for_all(void)
{
    static PyObject *volatile context;

    context = new_list();
    for (int i = 0; i < AUDIT_INSTANCES; i++)
        audit_new(&InContext_type)->a = Py_NewRef(context);
    Py_DECREF(context);
}

/* The subtype forgets the base. */
AUDIT_TYPE(GoodBase, part_traverse, Py_TPFLAGS_BASETYPE, .tp_doc = "");
AUDIT_TYPE(BadHeir, first_traverse, 0, .tp_base = &GoodBase_type);

static void
forgotten_base(void)
{
    if (PyType_Ready(&GoodBase_type) < 0)
        audit_must(NULL);
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        audit_new(&GoodBase_type)->b = new_list();
        audit_new(&BadHeir_type)->b = new_list();
    }
}

/* The base forgets; its heirs, of a program's class, show it, too. */
AUDIT_TYPE(BadBase, first_traverse, Py_TPFLAGS_BASETYPE, .tp_doc = "");

static void
forgetting_base(void)
{
    PyObject *cls;

    if (PyType_Ready(&BadBase_type) < 0)
        audit_must(NULL);
    cls = audit_must(PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){}",
                                           "Heir", &BadBase_type));
    for (int i = 0; i < AUDIT_INSTANCES / 2; i++) {
        audit_new(&BadBase_type)->b = new_list();
        audit_new((PyTypeObject *)cls)->b = new_list();
    }
    Py_DECREF(cls);
}

static void
no_type(void)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)part_dealloc},
                           {Py_tp_traverse, (void *)first_traverse},
                           {0, NULL}};
    PyTypeObject *type = audit_type("audit.NoType", slots);

    for (int i = 0; i < AUDIT_INSTANCES; i++)
        audit_new(type);
    Py_DECREF(type);
}

/* Adds a field to its base's, and no tp_traverse. */
static void
no_traverse(void)
{
    PyType_Slot slots[] = {{Py_tp_base, &GoodBase_type}, {0, NULL}};
    PyType_Spec spec = {"audit.NoTraverse", sizeof(struct part) + 8, 0,
                        Py_TPFLAGS_DEFAULT, slots};
    PyTypeObject *type;

    if (PyType_Ready(&GoodBase_type) < 0)
        audit_must(NULL);
    type = audit_must(PyType_FromSpec(&spec));
    for (int i = 0; i < AUDIT_INSTANCES; i++)
        *(PyObject **)(void *)(audit_new(type) + 1) = new_list();
    Py_DECREF(type);
}

static int
type_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return 0;
}

/* The attributes lie in the instances, since the class has seen one before. */
static void
no_inline_values(void)
{
    PyType_Slot slots[] = {{Py_tp_traverse, (void *)type_traverse}, {0, NULL}};
    PyType_Spec spec = {"audit.NoInlineValues", sizeof(PyObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                            Py_TPFLAGS_MANAGED_DICT,
                        slots};
    PyTypeObject *type = audit_must(PyType_FromSpec(&spec));

    for (int i = -1; i < AUDIT_INSTANCES; i++) {
        PyObject *list = new_list();
        PyObject *op = audit_must(PyType_GenericAlloc(type, 0));

        if (PyObject_SetAttrString(op, "a", list) < 0)
            audit_must(NULL);
        Py_DECREF(list);
        if (i < 0) {
            PyObject_ClearManagedDict(op);
            Py_DECREF(op);
        } else {
            audit_keep(op);
        }
    }
    Py_DECREF(type);
}

static void
keeping_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_GC_Del(op);
}

static void
kept_type(void)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)keeping_dealloc},
                           {Py_tp_traverse, (void *)heap_traverse},
                           {0, NULL}};
    PyTypeObject *type;

    type = audit_keep(audit_type("audit.KeptType", slots));
    for (int i = 0; i < AUDIT_INSTANCES; i++)
        Py_DECREF(audit_must(PyType_GenericAlloc(type, 0)));
}

static int
twice_traverse(PyObject *op, visitproc visit, void *arg)
{
    int result = part_traverse(op, visit, arg);

    if (result == 0)
        Py_VISIT(PART(op)->b);
    return result;
}

AUDIT_TYPE(Twice, twice_traverse, 0, .tp_doc = "");

static void
twice(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Twice_type);

        part->a = audit_must(PyDict_New());
        part->b = new_list();
        audit_new(&GoodBase_type)->a = Py_NewRef(part->b);
    }
}

/* The list's list belongs to the list. */
static int
deep_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (PART(op)->a != NULL)
        Py_VISIT(PyList_GET_ITEM(PART(op)->a, 0));
    return part_traverse(op, visit, arg);
}

AUDIT_TYPE(Deep, deep_traverse, 0, .tp_doc = "");

static void
child_of_child(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Deep_type);
        PyObject *dict = audit_must(PyDict_New());

        part->a = new_list();
        if (PyList_Append(part->a, dict) < 0)
            audit_must(NULL);
        Py_DECREF(dict);
    }
}

AUDIT_TYPE(Untracked, idle_traverse, 0, .tp_doc = "");

static void
untracked(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Untracked_type);

        part->a = new_list();
        PyObject_GC_UnTrack(part);
    }
}

AUDIT_TYPE(Lost, part_traverse, 0, .tp_doc = "");

/* Untracked; owns the reference. */
static struct part *
make_lost(void *a)
{
    struct part *part = audit_must(PyType_GenericAlloc(&Lost_type, 0));

    part->a = a;
    PyObject_GC_UnTrack(part);
    return part;
}

/* No collection sees them, but only rings of three are never freed, and what
   they own, each the one before: others, which own such a ring, belong to
   garbage that is tracked. */
static void
lost(void)
{
    struct part *before = NULL;

    audit_must(PyType_Ready(&Lost_type) == 0 ? &Lost_type : NULL);
    PyGC_Disable(); /* the garbage is to be there */
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *last = make_lost(NULL);
        struct part *first = make_lost(make_lost(last));
        struct part *owner = audit_must(PyType_GenericAlloc(&Lost_type, 0));

        last->a = (PyObject *)first; /* which has no other reference */
        last->b = (PyObject *)make_lost(make_lost(NULL));
        first->b = (PyObject *)Py_XNewRef(before);
        before = first;
        owner->a = (PyObject *)owner;
        owner->b = Py_NewRef(first);
        for (int k = 0; k < 4; k++)
            owner->b = (PyObject *)make_lost(owner->b);
    }
}

/* The structure in malloc memory looks like an object of that type. */
AUDIT_TYPE(Typed, part_traverse, 0, .tp_doc = "");

static void
typed(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Typed_type);

        part->row = audit_must(calloc(2, sizeof *part->row));
        part->row[0] = new_list();
        part->row[1] = (PyObject *)&PyLong_Type;
    }
}

static void
no_state(void)
{
    static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "audit_broken",
                              .m_size = sizeof(PyObject *[4])};

    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject *module = audit_keep(PyModule_Create(&def));
        PyObject **state = audit_must(PyModule_GetState(module));

        for (int k = 0; k < 4; k++)
            state[k] = new_list();
    }
}

/* Each refers to what has itself as its type; its count does not change. */
static void
stray_content(void)
{
    static struct {
        Py_ssize_t count;
        void *type;
        char rest[sizeof(PyTypeObject)]; /* which is looked at */
    } no_object = {PY_SSIZE_T_MAX, &no_object, ""};

    for (int i = 0; i < AUDIT_INSTANCES; i++)
        audit_keep(PyCell_New((PyObject *)(void *)&no_object));
}

#define LEAK "; tp_traverse never visits it: cycles through it leak"
#define ALL "in 20 of 20 instances"
#define MOST "in # of 20 instances"
#define INHERITED                                                             \
    "; the tp_traverse that the type inherits does not visit it: cycles "     \
    "through it leak"
#define OVER                                                                  \
    "; what it reaches cannot be collected, and CPython may free it in use"
#define NOT_OWNED                                                             \
    "; it does not own that, or one Py_DECREF is too many, or a Py_INCREF "   \
    "was forgotten"

const struct audit_case audit_broken[] = {
    {one_of_two, "audit.OneOfTwo+24 (second) refers to list " ALL LEAK,
     AUDIT_ANY},
    {no_long_nodes,
     "audit.NoLongNodes+40, in malloc memory, refers to list " MOST LEAK,
     AUDIT_MALLOC},
    {twins, "audit.Twins+24 refers to list " ALL LEAK, AUDIT_ANY},
    {freed_copies, "audit.Copied+16 refers to list in 80 of 80 instances" LEAK,
     AUDIT_MALLOC},
    {no_row, "audit.NoRow+40, in malloc memory, refers to list " MOST LEAK,
     AUDIT_MALLOC},
    {no_long_row,
     "audit.NoLongRow+40, in malloc memory, refers to list " MOST LEAK,
     AUDIT_MALLOC},
    {no_nodes, "audit.NoNodes+40, in malloc memory, refers to list " MOST LEAK,
     AUDIT_MALLOC},
    {no_managed_dict,
     "audit.NoManaged (managed __dict__) refers to dict " ALL LEAK, AUDIT_ANY},
    {no_dict, "audit.NoDict+64 (__dict__) refers to dict " ALL LEAK,
     AUDIT_ANY},
    {no_items, "audit.NoItems, among its items, refers to list " ALL LEAK,
     AUDIT_ANY},
    {no_values,
     "audit.NoValues, among its items (+8), refers to list " ALL LEAK,
     AUDIT_ANY},
    {one_for_all, "audit.InContext+16 refers to list " ALL LEAK, AUDIT_ANY},
    {forgotten_base, "audit.BadHeir+24 refers to list " ALL LEAK, AUDIT_ANY},
    {forgetting_base, "audit.BadBase+24 refers to list " ALL LEAK, AUDIT_ANY},
    {no_type,
     "audit.NoType refers to its heap type " ALL
     "; tp_traverse never visits it: cycles through the type leak",
     AUDIT_ANY},
    {no_inline_values,
     "audit.NoInlineValues (managed __dict__) refers to list " ALL LEAK,
     AUDIT_ANY},
    {no_traverse,
     "audit.NoTraverse refers to its heap type " ALL INHERITED
     "\naudit.NoTraverse+72 refers to list " ALL INHERITED,
     AUDIT_ANY},
    {kept_type,
     "audit.KeptType, a heap type, has references that were not found in "
     "memory; tp_dealloc must release its instance's reference to the type, "
     "and tp_new takes none but tp_alloc's; or who made the type has kept "
     "one",
     AUDIT_ANY},
    {twice,
     "tp_traverse of audit.Twice visits list more often than it is "
     "referred to (visit 3 of 3: audit.Twice+24) " ALL OVER,
     AUDIT_OVER},
    {child_of_child,
     "tp_traverse of audit.Deep visits dict more often than "
     "it is referred to (visit 1 of 2) " ALL OVER,
     AUDIT_OVER},
    {audit_long_list,
     "tp_traverse of audit.Upward or audit.Sideward visits tuple more often "
     "than it is referred to (visit 1 of 1: audit.Upward+32) " ALL NOT_OWNED,
     AUDIT_OVER},
    {audit_hidden_owners,
     "tp_traverse of audit.Prier visits list more often than it is referred "
     "to "
     "(visit 1 of 1: audit.Prier+32) " ALL NOT_OWNED,
     AUDIT_OVER},
    {audit_no_support,
     "audit.NoSupport+16 (owned) refers to list " MOST
     "; the type lacks Py_TPFLAGS_HAVE_GC: cycles through it leak",
     AUDIT_MALLOC},
    {audit_no_support_of_items,
     "audit.PlainRow, among its items, refers to list " MOST
     "; the type lacks Py_TPFLAGS_HAVE_GC: cycles through it leak",
     AUDIT_MALLOC},
    {untracked, "audit.Untracked+16 refers to list " ALL LEAK, AUDIT_ANY},
    {lost,
     "audit.Lost is not tracked, and in a cycle that nothing else keeps, in "
     "60 of 200 instances; no collection frees them: call PyObject_GC_Track "
     "when the fields are "
     "set",
     AUDIT_ANY},
    {typed, "audit.Typed+40, in malloc memory, refers to list " MOST LEAK,
     AUDIT_MALLOC},
    {no_state,
     "the state of module audit_broken refers to list " MOST
     "; m_traverse never visits it: cycles through it leak",
     AUDIT_MALLOC},
    {stray_content,
     "cell refers to what is no object (visit 1 of 1: cell+16) " ALL
     "; one Py_DECREF too many, or a Py_INCREF was forgotten: "
     "PYBOEHM_CHECK=1 may tell where",
     AUDIT_OVER},
    {NULL, NULL, AUDIT_ANY},
};
