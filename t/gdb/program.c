/* program.c: objects of all sorts, for t/gdb/gdb.sh to look at.

   gdb stops it in look(), when all is made. */

#include <Python.h>
#include <pyboehm.h>

#include <gc/gc.h>

/* ------------------------------------------------------------------ */
/* A static type with members                                          */

typedef struct {
    PyObject_HEAD
    PyObject *first; /* may be NULL */
    PyObject *next;  /* the same */
    int number;
} Node;

static int
node_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((Node *)op)->first);
    Py_VISIT(((Node *)op)->next);
    return 0;
}

static int
node_clear(PyObject *op)
{
    Py_CLEAR(((Node *)op)->first);
    Py_CLEAR(((Node *)op)->next);
    return 0;
}

static void
node_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    node_clear(op);
    Py_TYPE(op)->tp_free(op);
}

/* A node of number -1 comes back. */
static void
node_finalize(PyObject *op)
{
    if (((Node *)op)->number == -1)
        Py_INCREF(op);
}

static PyMemberDef node_members[] = {
    {"first", Py_T_OBJECT_EX, offsetof(Node, first), 0, NULL},
    {"next", Py_T_OBJECT_EX, offsetof(Node, next), 0, NULL},
    {"number", Py_T_INT, offsetof(Node, number), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject Node_Type = {
    .ob_base = PyVarObject_HEAD_INIT(NULL, 0).tp_name = "family.Node",
    .tp_basicsize = sizeof(Node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = PyType_GenericNew,
    .tp_dealloc = node_dealloc,
    .tp_traverse = node_traverse,
    .tp_clear = node_clear,
    .tp_finalize = node_finalize,
    .tp_members = node_members,
};

/* ------------------------------------------------------------------ */
/* What the script prints                                              */

/* An optimizer of the whole program sees that nothing reads them. */
#define SEEN __attribute__((used))
SEEN PyObject *none, *yes, *small, *large, *below, *real, *number_pair;
SEEN PyObject *word, *umlaut, *quoted, *long_text, *octets, *octet_array;
SEEN PyObject *list, *loop, *nest, *pair, *single, *dict, *set, *frozen;
SEEN PyObject *empty_dict, *empty_set, *full_cell, *empty_cell, *slice;
SEEN PyObject *module, *function, *bound, *method, *error, *error_type;
SEEN PyObject *weak, *dead_weak, *heap_type, *instance, *later, *later_name;
SEEN PyObject *listing;
SEEN PyObject *adopted, *risen, *dropped, *wide, *counted;
SEEN Node *head, *tail;
SEEN PyListObject *as_list;
SEEN char *inside;
SEEN uintptr_t no_object[4];

/* A node that owns what it is given. */
static Node *
make_node(PyObject *first, int number)
{
    Node *node = (Node *)PyObject_CallNoArgs((PyObject *)&Node_Type);

    node->first = first;
    node->number = number;
    return node;
}

static void
make_numbers(void)
{
    none = Py_None;
    yes = Py_True;
    small = PyLong_FromLong(7);
    large = PyNumber_Power(PyLong_FromLong(2), PyLong_FromLong(100), Py_None);
    below = PyLong_FromLong(-1234567);
    real = PyFloat_FromDouble(2.5);
    number_pair = PyComplex_FromDoubles(1, -2);
}

static void
make_texts(void)
{
    word = PyUnicode_FromString("word");
    umlaut = PyUnicode_FromString("gr\303\274n");
    quoted = PyUnicode_FromString("it's\n");
    long_text = PySequence_Repeat(PyUnicode_FromString("0123456789"), 100);
    octets = PyBytes_FromStringAndSize("a\0b", 3);
    octet_array = PyByteArray_FromStringAndSize("xyz", 3);
}

static void
make_containers(void)
{
    list = Py_BuildValue("[iOs]", 1, real, "three");
    as_list = (PyListObject *)list;
    loop = PyList_New(0);
    PyList_Append(loop, loop);
    nest = Py_BuildValue("[[[[[[i]]]]]]", 1);
    pair = Py_BuildValue("(is)", 1, "two");
    single = Py_BuildValue("(i)", 1);
    dict = Py_BuildValue("{s:i,s:[O],s:O}", "a", 1, "b", loop, "c", real);
    PyDict_SetItem(dict, pair, none);
    set = PySet_New(single);
    frozen = PyFrozenSet_New(Py_BuildValue("(O)", pair));
    empty_dict = PyDict_New();
    empty_set = PySet_New(NULL);
    full_cell = PyCell_New(word);
    empty_cell = PyCell_New(NULL);
    slice = PySlice_New(small, NULL, NULL);
    wide = PyTuple_New(1000);
    for (Py_ssize_t i = 0; i < 1000; i++)
        PyTuple_SET_ITEM(wide, i, Py_NewRef(Py_None));
}

static void
make_names(void)
{
    module = PyModule_New("family");
    function = PyObject_GetAttrString(PyImport_ImportModule("gc"), "collect");
    bound = PyObject_GetAttrString(list, "append");
    method = PyObject_GetAttrString((PyObject *)&PyList_Type, "append");
    error = PyObject_CallFunction(PyExc_ValueError, "s", "no good");
    error_type = Py_NewRef(PyExc_ValueError);
    weak = PyWeakref_NewRef(set, NULL);

    PyObject *gone = PySet_New(NULL);
    dead_weak = PyWeakref_NewRef(gone, NULL);
    Py_DECREF(gone);
}

/* type("family.Person", (base,), {}), and instances with attributes. */
static void
make_instances(void)
{
    heap_type = PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){}",
                                      "Person", &PyBaseObject_Type);
    instance = PyObject_CallNoArgs(heap_type);
    PyObject_SetAttrString(instance, "age", small);
    later = PyObject_CallNoArgs(heap_type); /* has them in itself */
    later_name = PyUnicode_FromString("Ada");
    PyObject_SetAttrString(instance, "name", later_name);
    PyObject_SetAttrString(later, "name", later_name);
    PyObject_SetAttrString(later, "age", small);
    PyObject *derived = PyObject_CallFunction(
        (PyObject *)&PyType_Type, "s(O){}", "Listing", &PyList_Type);
    listing = PyObject_CallNoArgs(derived);
    PyList_Append(listing, small);
}

static void
make_nodes(void)
{
    tail = make_node(PyUnicode_FromString("last"), 2);
    head = make_node(PyUnicode_FromString("first"), 1);
    head->next = Py_NewRef(tail);
    tail->next = Py_NewRef(head);
    inside = (char *)&head->next;
    counted = PyList_New(0);
    for (int i = 0; i < 100; i++)
        PyList_Append(counted, (PyObject *)make_node(Py_NewRef(set), i));
}

static void
make_states(void)
{
    Node *node = make_node(NULL, -1);

    node->next = (PyObject *)node;
    risen = (PyObject *)node;
    adopted = PyBoehm_Adopt(PyList_New(0));
    PyGC_Collect();
    dropped = PyList_New(0);
    Py_DECREF(dropped);
    no_object[1] = (uintptr_t)&no_object;
}

void look(PyObject *op);

__attribute__((noinline)) void
look(PyObject *op)
{
    __asm__ volatile("" : : "r"(op) : "memory");
}

/* The count of what it is given changes. */
static __attribute__((noinline)) void
put_aside(PyObject *op)
{
    PyObject *owner = PyList_New(0);

    PyList_Append(owner, op);
    Py_DECREF(owner);
}

int
main(void)
{
    GC_INIT();
    Py_Initialize();
    PyType_Ready(&Node_Type);
    make_numbers();
    make_texts();
    make_containers();
    make_names();
    make_instances();
    make_nodes();
    make_states();
    look(list);
    put_aside((PyObject *)tail);
    return 0;
}
