/* cost.c: operations whose instructions cost.sh counts.

   Uses what libpyboehm exports and nothing else.  Run under callgrind, which
   is told to dump its counter at each call of cost_mark: so the run falls into
   segments.  At the end each segment is named on standard output, in their
   order:

     NAME<tab>OPERATIONS

   Two segments have each name; they do the same but for the number of
   operations.  What one operation costs is the difference of their
   instructions divided by that of their operations: all that both do, starting
   a collection for instance, cancels out.  Segments named "-" only get ready.
 */

#include <Python.h>

#include <pyboehm.h>

#include <string.h>

enum {
    HOT = 2000, /* so few that no memory goes back when they are freed */
    YOUNG = 2000,
    SMALL = 10000,
    PAIRS = 15000, /* enough for memory to go back each time */
    LARGE = 1 << 17,
    AGAIN = 8, /* collections, as some do a little more than others */
    MARKS = 200,
    REFS = 2,
    ITEMS = 3
};

/* ------------------------------------------------------------------ */
/* Segments                                                            */

static struct {
    const char *name;
    size_t operations;
} marks[MARKS];
static size_t n_marks;

/* callgrind knows it by its name. */
void cost_mark(void);

__attribute__((noinline)) void
cost_mark(void)
{
    __asm__ volatile("" ::: "memory");
}

static void
fail(const char *what)
{
    fprintf(stderr, "cost: %s\n", what);
    exit(EXIT_FAILURE);
}

/* The end of a segment. */
static void
end(const char *name, size_t operations)
{
    if (n_marks == MARKS)
        fail("too many segments");
    marks[n_marks].name = name;
    marks[n_marks++].operations = operations;
    cost_mark();
}

/* What was done since the last segment is not counted for any. */
static void
begin(void)
{
    end("-", 0);
}

static void
print_marks(void)
{
    for (size_t i = 0; i < n_marks; i++)
        printf("%s\t%zu\n", marks[i].name, marks[i].operations);
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

struct node {
    PyObject_HEAD
    PyObject *refs[REFS];
};

/* Of a collection that is divided: how many objects it is about, how many
   calls of tp_traverse there were, and the segment that is the first pass. */
static struct {
    size_t n, calls, operations;
    const char *name;
} divided;

/* The first pass calls tp_traverse once for each object, the second for each
   one that lives: all of them here. */
static int
node_traverse(struct node *self, visitproc visit, void *arg)
{
    if (divided.calls++ == divided.n && divided.n != 0)
        end(divided.name, divided.operations);
    Py_VISIT(self->refs[0]);
    Py_VISIT(self->refs[1]);
    return 0;
}

static int
node_clear(struct node *self)
{
    for (int i = 0; i < REFS; i++)
        Py_CLEAR(self->refs[i]);
    return 0;
}

static void
node_dealloc(struct node *self)
{
    PyTypeObject *type = Py_TYPE(self);

    PyObject_GC_UnTrack(self);
    for (int i = 0; i < REFS; i++)
        Py_XDECREF(self->refs[i]);
    PyObject_GC_Del(self);
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE)
        Py_DECREF(type);
}

static PyTypeObject node_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cost.Node",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = (destructor)node_dealloc,
    .tp_traverse = (traverseproc)node_traverse,
    .tp_clear = (inquiry)node_clear,
};

static PyType_Slot heap_slots[] = {
    {Py_tp_dealloc, node_dealloc},
    {Py_tp_traverse, node_traverse},
    {Py_tp_clear, node_clear},
    {0, NULL},
};
static PyType_Spec heap_spec = {"cost.HeapNode", sizeof(struct node), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                heap_slots};

/* No other type has blocks of this size. */
struct big {
    PyObject_HEAD
    PyObject *refs[REFS + 3];
};

static PyTypeObject big_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cost.Big",
    .tp_basicsize = sizeof(struct big),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = (destructor)node_dealloc,
    .tp_traverse = (traverseproc)node_traverse,
};

static PyTypeObject row_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cost.Row",
    .tp_basicsize = sizeof(PyVarObject),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = (destructor)node_dealloc,
    .tp_traverse = (traverseproc)node_traverse,
};

static PyObject **objects; /* those of the row that is being measured */

static struct node *
node_new(void)
{
    struct node *self = PyObject_GC_New(struct node, &node_type);

    if (self == NULL)
        fail("no memory");
    memset(self->refs, 0, sizeof self->refs);
    PyObject_GC_Track((PyObject *)self);
    return self;
}

static void
refer(size_t from, int slot, size_t to)
{
    ((struct node *)objects[from])->refs[slot] = Py_NewRef(objects[to]);
}

static int
compare_addresses(const void *a, const void *b)
{
    uintptr_t one = (uintptr_t) * (PyObject *const *)a;
    uintptr_t other = (uintptr_t) * (PyObject *const *)b;

    return (one > other) - (one < other);
}

/* n objects, owned from outside, without references, in the order of their
   addresses: in which order the collector comes to them decides how many wait
   at a time, which costs some instructions. */
static void
build(size_t n)
{
    for (size_t i = 0; i < n; i++)
        objects[i] = (PyObject *)node_new();
    qsort(objects, n, sizeof *objects, compare_addresses);
}

/* From each of n objects a reference to one of the next ones. */
static void
refer_all(size_t n, int slot)
{
    for (size_t i = 0; i < n; i++)
        refer(i, slot, (i + (size_t)slot + 1) % n);
}

/* By hand, as the cycles would keep each other. */
static void
destroy(size_t n)
{
    for (size_t i = 0; i < n; i++)
        node_clear((struct node *)objects[i]);
    for (size_t i = 0; i < n; i++)
        Py_CLEAR(objects[i]);
}

/* ------------------------------------------------------------------ */
/* Single calls                                                        */

typedef PyObject *make(PyTypeObject *type);
typedef PyVarObject *make_row(PyTypeObject *type, Py_ssize_t nitems);
typedef void act(PyObject *op);

static PyObject *
make_nothing(PyTypeObject *Py_UNUSED(type))
{
    return NULL;
}

static PyVarObject *
make_no_row(PyTypeObject *Py_UNUSED(type), Py_ssize_t Py_UNUSED(nitems))
{
    return NULL;
}

static void
do_nothing(PyObject *Py_UNUSED(op))
{
}

/* These are the loops that call what is measured, or else nothing. */
__attribute__((noinline)) static void
make_each(PyObject **into, make *volatile function, PyTypeObject *type,
          size_t n)
{
    for (size_t i = 0; i < n; i++)
        into[i] = function(type);
}

__attribute__((noinline)) static void
make_each_row(make_row *volatile function, size_t n)
{
    for (size_t i = 0; i < n; i++)
        objects[i] = (PyObject *)function(&row_type, ITEMS);
}

__attribute__((noinline)) static void
do_each(act *volatile function, size_t n)
{
    for (size_t i = 0; i < n; i++)
        function(objects[i]);
}

static void
measure_make(const char *name, PyTypeObject *type)
{
    begin();
    make_each(objects, make_nothing, type, HOT);
    end(name, 0);
    make_each(objects, _PyObject_GC_New, type, HOT);
    end(name, HOT);
}

static void
measure_act(const char *name, act *function)
{
    begin();
    do_each(do_nothing, HOT);
    end(name, 0);
    do_each(function, HOT);
    end(name, HOT);
}

static void
delete_each(size_t n)
{
    do_each((act *)PyObject_GC_Del, n);
}

/* Blocks that no free list has; all share what it takes to get them.  So many,
   since how many there are before the first of them depends on all that was
   made before.  This comes last: the lines that had them are looked at by
   later collections. */
static void
measure_fresh(void)
{
    begin();
    make_each(objects, _PyObject_GC_New, &big_type, HOT);
    end("new, memory fresh from Boehm", HOT);
    make_each(objects + HOT, _PyObject_GC_New, &big_type, 8 * HOT);
    end("new, memory fresh from Boehm", 8 * HOT);
    delete_each(9 * HOT);
}

static void
measure_fixed(void)
{
    make_each(objects, _PyObject_GC_New, &node_type, HOT);
    delete_each(HOT); /* fills the free list */
    measure_make("new", &node_type);
    measure_act("track", (act *)PyObject_GC_Track);
    measure_act("untrack", (act *)PyObject_GC_UnTrack);
    measure_act("del", (act *)PyObject_GC_Del);
}

static void
measure_heap_type(void)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpec(&heap_spec);

    if (type == NULL)
        fail("no type");
    measure_make("new, heap type", type);
    delete_each(HOT);
    for (size_t i = 0; i < HOT; i++)
        Py_DECREF(type);
    Py_DECREF(type);
    PyBoehm_GC_Collect(2); /* a type is a cycle */
}

static void
measure_row(void)
{
    make_each_row(_PyObject_GC_NewVar, HOT);
    delete_each(HOT);
    begin();
    make_each_row(make_no_row, HOT);
    end("new, three items", 0);
    make_each_row(_PyObject_GC_NewVar, HOT);
    end("new, three items", HOT);
    measure_act("del, three items", (act *)PyObject_GC_Del);
}

static void
measure_calls(void)
{
    measure_fixed();
    measure_heap_type();
    measure_row();
}

/* ------------------------------------------------------------------ */
/* Collections                                                         */

static void
collect(int generation, size_t expected)
{
    if (PyBoehm_GC_Collect(generation) != (Py_ssize_t)expected)
        fail("a collection returned a wrong number");
}

/* The same rows for heaps of different size, which may be collected in
   different ways. */
struct scale {
    size_t n;
    const char *visit_count, *visit_reach, *object_count, *object_reach, *live;
};

static const struct scale few = {
    SMALL,
    "visit in count, few objects",
    "visit in reach, few objects",
    "object in count, few objects",
    "object in reach, few objects",
    "live object, full collection, few objects",
};
static const struct scale many = {
    LARGE,
    "visit in count, many objects",
    "visit in reach, many objects",
    "object in count, many objects",
    "object in reach, many objects",
    "live object, full collection, many objects",
};

/* A collection of n objects that all live, in two segments: the pass that
   counts, and then the rest. */
static void
collect_divided(const char *count, const char *reach, size_t n,
                size_t operations)
{
    collect(2, 0);
    divided.n = n;
    divided.calls = 0;
    divided.name = count;
    divided.operations = operations;
    begin();
    collect(2, 0);
    end(reach, operations);
    if (divided.calls != 2 * n)
        fail("a collection has not called each tp_traverse twice");
    divided.n = 0;
}

/* The same objects, with one reference each and with all. */
static void
measure_visits(const struct scale *scale)
{
    build(scale->n);
    for (int refs = 1; refs <= REFS; refs++) {
        refer_all(scale->n, refs - 1);
        if (refs == 1 || refs == REFS)
            collect_divided(scale->visit_count, scale->visit_reach, scale->n,
                            scale->n * (size_t)refs);
    }
    destroy(scale->n);
}

/* Objects without references. */
static void
measure_objects(const struct scale *scale)
{
    for (size_t n = scale->n; n <= 2 * scale->n; n += scale->n) {
        build(n);
        collect_divided(scale->object_count, scale->object_reach, n, n);
        destroy(n);
    }
}

/* What a live object costs in all: those of a chain, one reference each. */
static void
measure_live(const struct scale *scale)
{
    for (size_t n = scale->n; n <= 2 * scale->n; n += scale->n) {
        build(n);
        refer_all(n, 0);
        collect(2, 0);
        begin();
        for (int i = 0; i < AGAIN; i++)
            collect(2, 0);
        end(scale->live, AGAIN * n);
        destroy(n);
    }
}

static void
measure_scale(const struct scale *scale)
{
    measure_visits(scale);
    measure_objects(scale);
    measure_live(scale);
}

static void
measure_young(void)
{
    for (size_t length = YOUNG; length <= 2 * YOUNG; length += YOUNG) {
        collect(2, 0);
        build(length);
        refer_all(length, 0);
        begin();
        collect(0, 0);
        end("live object, young collection", length);
        destroy(length);
    }
}

/* Two objects that hold each other, and that nothing else holds. */
static void
make_pairs(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct node *a = node_new(), *b = node_new();

        a->refs[0] = (PyObject *)b;
        b->refs[0] = (PyObject *)a;
    }
}

static void
measure_dead(void)
{
    for (size_t n = PAIRS; n <= 2 * PAIRS; n += PAIRS) {
        make_pairs(n);
        begin();
        collect(2, 2 * n);
        end("dead pair, full collection", n);
    }
}

static void
measure_automatic(void)
{
    PyGC_Enable();
    make_pairs(SMALL);
    begin();
    make_pairs(2 * SMALL);
    end("dead pair, made and collected automatically", 2 * SMALL);
    make_pairs(4 * SMALL);
    end("dead pair, made and collected automatically", 4 * SMALL);
    PyGC_Disable();
    PyBoehm_GC_Collect(2);
}

/* Where there are many, memory goes back on the way. */
static void
measure_chain(const char *name, size_t n)
{
    for (size_t length = n; length <= 2 * n; length += n) {
        collect(2, 0);
        build(length);
        for (size_t i = 0; i + 1 < length; i++)
            ((struct node *)objects[i])->refs[0] = objects[i + 1];
        begin();
        Py_DECREF(objects[0]);
        end(name, length);
    }
}

/* Two keys of many, removed and set again by turns. */
static void
replace_keys(PyObject *dict, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        PyObject *key = objects[i % 2];
        if (PyDict_DelItem(dict, key) < 0 ||
            PyDict_SetItem(dict, key, Py_None) < 0)
            fail("a key is lost");
    }
}

static void
measure_keys(void)
{
    PyObject *dict = PyDict_New();

    for (size_t i = 0; i < LARGE; i++) {
        objects[i] = PyLong_FromSize_t(i);
        if (dict == NULL || PyDict_SetItem(dict, objects[i], Py_None) < 0)
            fail("no memory");
    }
    begin();
    replace_keys(dict, HOT);
    end("key, removed and set again", HOT);
    replace_keys(dict, 8 * HOT);
    end("key, removed and set again", 8 * HOT);
    for (size_t i = 0; i < LARGE; i++)
        Py_CLEAR(objects[i]);
    Py_DECREF(dict);
}

int
main(void)
{
    Py_Initialize();
    PyGC_Disable();
    objects = PyMem_Calloc(2 * LARGE, sizeof *objects);
    if (objects == NULL || PyType_Ready(&node_type) < 0 ||
        PyType_Ready(&big_type) < 0 || PyType_Ready(&row_type) < 0)
        fail("cannot start");
    measure_calls();
    measure_scale(&few);
    measure_scale(&many);
    measure_young();
    measure_dead();
    measure_automatic();
    measure_chain("object of a chain, freed by count", HOT);
    measure_chain("object of a chain, freed by count, many objects", LARGE);
    measure_keys();
    measure_fresh();
    print_marks();
    PyMem_Free(objects);
    return 0;
}
