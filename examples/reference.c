/* reference.c: the examples of the manual pages, a program that runs them.

   A comment that begins with names of functions begins an example: these are
   in the code up to the next comment at the start of a line, and both are
   shown in the pages of these functions. */
#include <Python.h>
#include <gc/gc.h>
#include <pyboehm.h>

/* A container with two members. */
typedef struct {
    PyObject_HEAD
    PyObject *first;
    PyObject *second;
    PyObject *weakrefs;
} Pair;

static PyTypeObject PairType;
static PyObject *list_of_100(void);

/* ------------------------------------------------------------------ */
/* The life of an object                                               */

/* PyObject_GC_New, PyObject_GC_Track: a container is tracked when its fields
   are valid, and not before. */
static PyObject *
pair_new(PyObject *first, PyObject *second)
{
    Pair *pair = PyObject_GC_New(Pair, &PairType);

    if (pair == NULL)
        return NULL;
    pair->first = Py_NewRef(first);
    pair->second = Py_NewRef(second);
    pair->weakrefs = NULL;
    PyObject_GC_Track((PyObject *)pair);
    return (PyObject *)pair;
}

/* Py_VISIT: a tp_traverse visits each reference that the object owns, once. */
static int
pair_traverse(PyObject *self, visitproc visit, void *arg)
{
    Pair *pair = (Pair *)self;

    Py_VISIT(pair->first);
    Py_VISIT(pair->second);
    return 0;
}

/* Py_CLEAR: a tp_clear gives up what could be part of a cycle. */
static int
pair_clear(PyObject *self)
{
    Pair *pair = (Pair *)self;

    Py_CLEAR(pair->first);
    Py_CLEAR(pair->second);
    return 0;
}

/* PyObject_GC_UnTrack, PyObject_GC_Del, PyObject_ClearWeakRefs: a tp_dealloc
   hides the object from the collector first, and frees it last. */
static void
pair_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    if (((Pair *)self)->weakrefs != NULL)
        PyObject_ClearWeakRefs(self);
    pair_clear(self);
    PyObject_GC_Del(self);
}

/* PyType_Ready: a static type, before its first object is made. */
static PyTypeObject PairType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "example.Pair",
    .tp_basicsize = sizeof(Pair),
    .tp_weaklistoffset = offsetof(Pair, weakrefs),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = pair_traverse,
    .tp_clear = pair_clear,
    .tp_dealloc = pair_dealloc,
};

static int
pair_ready(void)
{
    return PyType_Ready(&PairType); /* -1 with an exception */
}

/* Py_XSETREF: a field is valid at each moment, also while its old value dies
   and runs code that looks at the object. */
static void
pair_set_first(Pair *pair, PyObject *value)
{
    Py_XSETREF(pair->first, Py_XNewRef(value));
}

/* PyObject_GC_NewVar, PyObject_GC_Resize: a container with items in it, which
   grows.  It may move, so it is not tracked meanwhile. */
typedef struct {
    PyObject_VAR_HEAD
    PyObject *items[1];
} Row;

static Row *
row_of(PyTypeObject *type, Py_ssize_t n)
{
    Row *row = PyObject_GC_NewVar(Row, type, n);

    if (row != NULL)
        memset(row->items, 0, (size_t)n * sizeof *row->items);
    return row;
}

static Row *
row_grow(Row *row)
{
    Py_ssize_t n = Py_SIZE(row);
    Row *grown = PyObject_GC_Resize(Row, row, n + 1);

    if (grown == NULL) {
        Py_DECREF(row); /* it is as it was */
        return NULL;
    }
    grown->items[n] = NULL;
    return grown;
}

/* A type for rows. */
static int
row_traverse(PyObject *self, visitproc visit, void *arg)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++)
        Py_VISIT(((Row *)self)->items[i]);
    return 0;
}

static void
row_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++)
        Py_CLEAR(((Row *)self)->items[i]);
    PyObject_GC_Del(self);
}

static PyTypeObject RowType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "example.Row",
    .tp_basicsize = offsetof(Row, items),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = row_traverse,
    .tp_dealloc = row_dealloc,
};

/* PyType_FromSpec: a heap type.  Its instances own it: they visit it, and
   release it last. */
typedef struct {
    PyObject_HEAD
    PyObject *value;
} Box;

static int
box_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Box *)self)->value);
    return 0;
}

static int
box_clear(PyObject *self)
{
    Py_CLEAR(((Box *)self)->value);
    return 0;
}

static void
box_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    PyObject_GC_UnTrack(self);
    box_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
box_type(void)
{
    PyType_Slot slots[] = {
        {Py_tp_traverse, box_traverse},
        {Py_tp_clear, box_clear},
        {Py_tp_dealloc, box_dealloc},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "example.Box",
        .basicsize = sizeof(Box),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
        .slots = slots,
    };

    return PyType_FromSpec(&spec);
}

/* PyType_GenericAlloc: an instance of any type, zeroed, and tracked if it is a
   container.  It is what tp_alloc mostly is. */
static PyObject *
box_new(PyTypeObject *type, PyObject *value)
{
    PyObject *box = PyType_GenericAlloc(type, 0);

    if (box != NULL)
        ((Box *)box)->value = Py_NewRef(value);
    return box;
}

/* PyErr_GetRaisedException, PyErr_WriteUnraisable, PyErr_SetRaisedException: a
   tp_finalize leaves the pending exception as it was. */
static void
session_finalize(PyObject *self)
{
    PyObject *pending = PyErr_GetRaisedException();
    PyObject *result = PyObject_CallMethod(self, "close", NULL);

    if (result == NULL)
        PyErr_WriteUnraisable(self);
    Py_XDECREF(result);
    PyErr_SetRaisedException(pending);
}

/* PyObject_CallFinalizerFromDealloc: a tp_dealloc calls the tp_finalize of its
   type, and stops if that has resurrected the object. */
static void
session_dealloc(PyObject *self)
{
    if (PyObject_CallFinalizerFromDealloc(self) < 0)
        return;
    PyObject_GC_UnTrack(self);
    PyObject_GC_Del(self);
}

/* A type for sessions. */
static int
session_traverse(PyObject *Py_UNUSED(self), visitproc Py_UNUSED(visit),
                 void *Py_UNUSED(arg))
{
    return 0;
}

static int sessions_closed;

static PyObject *
session_close(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(unused))
{
    sessions_closed++;
    Py_RETURN_NONE;
}

static PyMethodDef session_methods[] = {
    {"close", session_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject SessionType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "example.Session",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = session_traverse,
    .tp_finalize = session_finalize,
    .tp_dealloc = session_dealloc,
    .tp_methods = session_methods,
};

/* PyWeakref_NewRef, PyWeakref_GetRef: a cache that keeps nothing alive. */
static PyObject *cached; /* a weak reference, or NULL */

static int
cache_put(PyObject *pair)
{
    Py_XSETREF(cached, PyWeakref_NewRef(pair, NULL));
    return cached != NULL ? 0 : -1;
}

static PyObject * /* a new reference; NULL: it is gone */
cache_get(void)
{
    PyObject *pair;

    if (cached == NULL || PyWeakref_GetRef(cached, &pair) <= 0)
        return NULL;
    return pair;
}

/* PyWeakref_NewProxy: a proxy is used like its referent, and raises
   ReferenceError when that is dead. */
static int
proxy_is_dead(PyObject *pair)
{
    PyObject *proxy = PyWeakref_NewProxy(pair, NULL);
    PyObject *text;
    int dead;

    Py_DECREF(pair); /* the last reference */
    text = PyObject_Str(proxy);
    dead = text == NULL &&
           PyErr_ExceptionMatches(PyExc_ReferenceError);
    PyErr_Clear();
    Py_XDECREF(text);
    Py_XDECREF(proxy);
    return dead;
}

/* ------------------------------------------------------------------ */
/* Collections                                                         */

/* PyGC_Collect, PyObject_GC_IsTracked: a list that contains itself. */
static void
collect_a_cycle(void)
{
    PyObject *list = PyList_New(0);

    if (list == NULL || PyList_Append(list, list) < 0)
        return;
    printf("tracked: %d\n", PyObject_GC_IsTracked(list));
    Py_DECREF(list); /* garbage, with a count of one */
    printf("found: %zd\n", PyGC_Collect());
}

/* PyGC_Disable, PyGC_Enable: no automatic collection while much is made that
   stays. */
static PyObject *
load(void)
{
    int enabled = PyGC_Disable();
    PyObject *list = list_of_100();

    if (enabled)
        PyGC_Enable();
    return list;
}

/* PyBoehm_GC_Collect: of a server, between requests: the youngest objects
   each time, all of them now and then. */
static void
between_requests(int request)
{
    PyBoehm_GC_Collect(request % 1000 == 0 ? 2 : 0);
}

/* PyBoehm_GC_CollectAll: both heaps, the host's own blocks too. */
static void
give_memory_back(void)
{
    PyBoehm_GC_CollectAll();
    GC_gcollect_and_unmap();
}

/* PyBoehm_GC_GetThreshold, PyBoehm_GC_SetThreshold, PyBoehm_GC_GetCount: of
   the youngest generation there are half as many collections. */
static void
collect_less(void)
{
    int thresholds[PyBoehm_GC_GENERATIONS];
    int counts[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetThreshold(thresholds);
    thresholds[0] *= 2;
    PyBoehm_GC_SetThreshold(thresholds);
    PyBoehm_GC_GetCount(counts);
    printf("next collection in %d containers\n",
           thresholds[0] - counts[0]);
}

/* PyBoehm_GC_SetSnapshots, PyBoehm_GC_GetSnapshots: a server does not wait for
   full collections, while it loads its data it may. */
static void
serve(void (*load)(void))
{
    int wanted = PyBoehm_GC_GetSnapshots();

    PyBoehm_GC_SetSnapshots(0);
    load();
    PyBoehm_GC_SetSnapshots(1);
    /* ... serve ... */
    PyBoehm_GC_SetSnapshots(wanted);
}

/* PyBoehm_GC_Freeze, PyBoehm_GC_GetFreezeCount, PyBoehm_GC_Unfreeze: what is
   there before a fork is not looked at, so that parent and child go on sharing
   its memory. */
static void
prepare_fork(void)
{
    PyBoehm_GC_Freeze();
    printf("frozen: %zd\n", PyBoehm_GC_GetFreezeCount());
    /* ... fork ... */
    PyBoehm_GC_Unfreeze();
}

/* PyBoehm_GC_GetDebug, PyBoehm_GC_SetDebug, PyBoehm_GC_GetGarbage,
   PyBoehm_GC_ClearGarbage: what is in the cycles that a part of the program
   leaves behind? */
static Py_ssize_t
cycles_of(void (*part)(void))
{
    int flags = PyBoehm_GC_GetDebug();
    PyBoehm_GC_Objects garbage;
    Py_ssize_t n;

    PyGC_Collect(); /* what others have left */
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_SAVEALL);
    part();
    PyGC_Collect();
    PyBoehm_GC_SetDebug(flags);
    if (PyBoehm_GC_GetGarbage(&garbage) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < garbage.n; i++)
        printf("garbage: %s\n", Py_TYPE(garbage.items[i])->tp_name);
    n = garbage.n;
    PyBoehm_GC_FreeObjects(&garbage);
    PyBoehm_GC_ClearGarbage();
    return n;
}

/* PyBoehm_GC_AddCallback, PyBoehm_GC_RemoveCallback: how long do collections
   take? */
static void
add_pause(const char *phase, const PyBoehm_GC_Info *info,
          void *arg)
{
    if (strcmp(phase, "stop") == 0)
        *(double *)arg += info->duration;
}

static double
pauses_of(void (*part)(void))
{
    double seconds = 0;

    if (PyBoehm_GC_AddCallback(add_pause, &seconds) < 0)
        return -1;
    part();
    PyBoehm_GC_RemoveCallback(add_pause, &seconds);
    return seconds;
}

/* PyBoehm_GC_GetStats: how many objects have collections found dead? */
static Py_ssize_t
collected_in_all(void)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];
    Py_ssize_t n = 0;

    PyBoehm_GC_GetStats(stats);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        n += stats[i].collected;
    return n;
}

/* ------------------------------------------------------------------ */
/* Objects that live as long as Boehm sees them                        */

/* PyBoehm_Adopt: a block of Boehm's heap refers to an object.  Nothing has to
   be released: when the block is garbage, so is the list. */
struct entry {
    struct entry *next;
    PyObject *list;
};

static struct entry *
entry_new(struct entry *next)
{
    struct entry *entry = GC_MALLOC(sizeof *entry);
    PyObject *list = PyList_New(0);

    if (entry == NULL || list == NULL) {
        Py_XDECREF(list);
        return NULL;
    }
    entry->next = next;
    entry->list = PyBoehm_Adopt(list);
    return entry;
}

/* PyBoehm_IsAdopted, PyBoehm_Disown: the object leaves for memory that Boehm
   does not see.  A reference that counts keeps it alive there. */
static PyObject *
entry_take(struct entry *entry)
{
    PyObject *list = entry->list;

    entry->list = NULL;
    return PyBoehm_IsAdopted(list) ? PyBoehm_Disown(list) : NULL;
}

/* ------------------------------------------------------------------ */
/* What people look at                                                 */

/* PyBoehm_GC_GetObjects, PyBoehm_GC_FreeObjects: how many objects of a type
   are there? */
static Py_ssize_t
count_instances(PyTypeObject *type)
{
    PyBoehm_GC_Objects objects;
    Py_ssize_t n = 0;

    if (PyBoehm_GC_GetObjects(-1, &objects) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < objects.n; i++)
        n += Py_IS_TYPE(objects.items[i], type);
    PyBoehm_GC_FreeObjects(&objects);
    return n;
}

/* PyUnstable_GC_VisitObjects: the same without taking memory. */
static int
count_one(PyObject *op, void *arg)
{
    Py_ssize_t *n = arg;

    *n += Py_IS_TYPE(op, &PairType);
    return 1; /* go on */
}

static Py_ssize_t
count_pairs(void)
{
    Py_ssize_t n = 0;

    PyUnstable_GC_VisitObjects(count_one, &n);
    return n;
}

/* PyBoehm_GC_GetReferrers, PyBoehm_GC_GetReferents: the types of what owns an
   object, and of what it owns. */
static void
print_neighbours(PyObject *op)
{
    PyBoehm_GC_Objects found;

    if (PyBoehm_GC_GetReferrers(&op, 1, &found) == 0)
        for (Py_ssize_t i = 0; i < found.n; i++)
            printf("in a %s\n", Py_TYPE(found.items[i])->tp_name);
    PyBoehm_GC_FreeObjects(&found);
    if (PyBoehm_GC_GetReferents(&op, 1, &found) == 0)
        for (Py_ssize_t i = 0; i < found.n; i++)
            printf("has a %s\n", Py_TYPE(found.items[i])->tp_name);
    PyBoehm_GC_FreeObjects(&found);
}

/* PyBoehm_WhyAlive, PyBoehm_WriteGraph: in a test: the object should be gone.
   If it is not, its owners are told, and a picture is drawn of what it owns,
   for "pyboehm-graph alive.dot". */
static void
expect_dead(PyObject *weakref)
{
    PyObject *op;
    FILE *file;

    if (PyWeakref_GetRef(weakref, &op) != 1)
        return;
    PyBoehm_WhyAlive(op, stdout);
    if ((file = fopen("alive.dot", "w")) != NULL) {
        PyBoehm_WriteGraph(file, &op, 1, -1, PyBoehm_GRAPH_DOT);
        fclose(file);
    }
    Py_DECREF(op);
}

/* PyBoehm_Audit: in a test: is each tp_traverse right?  It takes a few dozen
   instances to say. */
static int
types_are_right(void)
{
    PyObject *list = list_of_100();
    int lines = PyBoehm_Audit(stderr, 0);

    Py_XDECREF(list);
    return lines == 0;
}

/* PyBoehm_Growth: what does a part of the program leave behind?  The first
   call only counts. */
static int
grows(void (*part)(void))
{
    PyBoehm_Growth(NULL);
    part();
    return PyBoehm_Growth(stdout) > 0;
}

/* PyBoehm_WriteReport: a page about the heap, for a browser. */
static int
save_report(const char *name)
{
    FILE *file = fopen(name, "w");
    int result;

    if (file == NULL)
        return -1;
    result = PyBoehm_WriteReport(file, PyBoehm_REPORT_HTML);
    return fclose(file) == 0 ? result : -1;
}

/* PyBoehm_WriteLeaks: what is there before the end, for a program that should
   have nothing left then. */
static int
has_leaks(FILE *file)
{
    PyGC_Collect();
    return PyBoehm_WriteLeaks(file) != 0; /* -1 with an exception */
}

/* PyBoehm_GetStats, PyBoehm_WriteStats: a table for people, if the process has
   spent more than a tenth of its time in collections. */
static void
complain_of_pauses(FILE *file)
{
    PyBoehm_Stats stats;
    double seconds = 0;

    PyBoehm_GetStats(&stats, sizeof stats);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        seconds += stats.generations[i].duration;
    if (seconds > stats.elapsed / 10)
        PyBoehm_WriteStats(file);
}

/* PyBoehm_SetUnraisableHook: errors of finalizers go to a log. */
static void
log_unraisable(PyObject *exception, const char *message,
               PyObject *Py_UNUSED(object), void *arg)
{
    fprintf(arg, "%s: %s\n", message != NULL ? message : "ignored",
            Py_TYPE(exception)->tp_name);
}

static void
keep_log(FILE *file)
{
    PyBoehm_SetUnraisableHook(log_unraisable, file);
}

/* PyBoehm_SetWarningHook: each warning is an error. */
static int
refuse_warning(PyObject *Py_UNUSED(category),
               const char *Py_UNUSED(text), void *Py_UNUSED(arg))
{
    return -1; /* raise category(text) */
}

static void
be_strict(void)
{
    PyBoehm_SetWarningHook(refuse_warning, NULL);
}

/* ------------------------------------------------------------------ */
/* Modules, arguments, results                                         */

/* PyArg_ParseTuple, Py_BuildValue: scale(x, y, factor=2) is a tuple. */
static PyObject *
scale(PyObject *Py_UNUSED(module), PyObject *args)
{
    double x, y;
    int factor = 2;

    if (!PyArg_ParseTuple(args, "dd|i:scale", &x, &y, &factor))
        return NULL;
    return Py_BuildValue("(dd)", x * factor, y * factor);
}

/* PyModule_Create, PyModule_AddObjectRef: a module with a function and a type,
   in a file example.so on PYBOEHM_PATH, or built into the program. */
static PyMethodDef example_methods[] = {
    {"scale", scale, METH_VARARGS, "scale(x, y, factor=2)"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef example_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "example",
    .m_size = -1,
    .m_methods = example_methods,
};

PyMODINIT_FUNC
PyInit_example(void)
{
    PyObject *module = PyModule_Create(&example_module);

    if (module == NULL)
        return NULL;
    if (PyType_Ready(&PairType) < 0 ||
        PyModule_AddObjectRef(module, "Pair",
                              (PyObject *)&PairType) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}

/* PyImport_AppendInittab, PyImport_ImportModule: a module that is part of the
   program.  The table is filled before Py_Initialize. */
static void
add_example(void)
{
    PyImport_AppendInittab("example", PyInit_example);
}

static PyObject *
import_example(void)
{
    return PyImport_ImportModule("example");
}

/* PyObject_CallMethod, PyErr_Print: a call from C, and what to do about an
   exception that has nowhere to go. */
static void
call_scale(PyObject *module)
{
    PyObject *result =
        PyObject_CallMethod(module, "scale", "dd", 1.5, 2.);

    if (result == NULL)
        PyErr_Print();
    else
        PyObject_Print(result, stdout, 0);
    putchar('\n');
    Py_XDECREF(result);
}

/* PyObject_GetIter, PyIter_Next: the sum of what any iterable has.  NULL of
   PyIter_Next is the end, or an exception. */
static double
sum(PyObject *iterable)
{
    PyObject *iterator = PyObject_GetIter(iterable);
    PyObject *item;
    double total = 0;

    if (iterator == NULL)
        return -1;
    while ((item = PyIter_Next(iterator)) != NULL) {
        total += PyFloat_AsDouble(item);
        Py_DECREF(item);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? -1 : total;
}

/* PyDict_GetItemRef, PyDict_SetItemString: a count in a dictionary. */
static int
count_word(PyObject *words, const char *word)
{
    PyObject *key = PyUnicode_FromString(word);
    PyObject *old = NULL, *new = NULL;
    int result = -1;

    if (key != NULL && PyDict_GetItemRef(words, key, &old) >= 0) {
        long count = old != NULL ? PyLong_AsLong(old) : 0;
        new = PyLong_FromLong(count + 1);
        if (new != NULL)
            result = PyDict_SetItemString(words, word, new);
    }
    Py_XDECREF(key);
    Py_XDECREF(old);
    Py_XDECREF(new);
    return result;
}

/* PyCapsule_New, PyCapsule_GetPointer: a C structure as an object, which frees
   it. */
static void
free_point(PyObject *capsule)
{
    free(PyCapsule_GetPointer(capsule, "example.point"));
}

static PyObject *
point_new(double x, double y)
{
    double *point = malloc(2 * sizeof *point);
    PyObject *capsule;

    if (point == NULL)
        return PyErr_NoMemory();
    point[0] = x;
    point[1] = y;
    capsule = PyCapsule_New(point, "example.point", free_point);
    if (capsule == NULL)
        free(point);
    return capsule;
}

/* ------------------------------------------------------------------ */
/* Values                                                              */

/* PyList_New, PyList_SetItem, PyLong_FromLong: a list of which the length is
   known.  Its items are NULL until they are set; each reference is stolen. */
static PyObject *
squares(long n)
{
    PyObject *list = PyList_New(n);

    for (long i = 0; list != NULL && i < n; i++) {
        PyObject *square = PyLong_FromLong(i * i);
        if (square == NULL)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, square);
    }
    return list;
}

/* PyTuple_Pack, PyTuple_GetItem, PyDict_SetItem: a key of two parts.  The
   tuple and the dictionary take references of their own; PyTuple_GetItem's
   result is borrowed. */
static int
add_edge(PyObject *edges, PyObject *from, PyObject *to)
{
    PyObject *edge = PyTuple_Pack(2, from, to);
    int result = edge != NULL ? PyDict_SetItem(edges, edge, Py_None) : -1;

    Py_XDECREF(edge);
    return result;
}

static int
leads_to(PyObject *edge, PyObject *node)
{
    return PyTuple_GetItem(edge, 1) == node;
}

/* PyDict_Next: the keys and values of a dictionary, borrowed, while it does
   not change. */
static int
edges_to(PyObject *edges, PyObject *node)
{
    PyObject *edge, *value;
    Py_ssize_t position = 0;
    int n = 0;

    while (PyDict_Next(edges, &position, &edge, &value))
        n += leads_to(edge, node);
    return n;
}

/* PyUnicode_FromFormat, PyUnicode_AsUTF8: text from C and for C.  The bytes
   are the str's own, and live as long as it does. */
static void
greet(PyObject *name)
{
    PyObject *text = PyUnicode_FromFormat("Good morning, %S", name);
    const char *bytes = text != NULL ? PyUnicode_AsUTF8(text) : NULL;

    if (bytes != NULL)
        puts(bytes);
    else
        PyErr_Print();
    Py_XDECREF(text);
}

/* PyLong_AsLong, PyErr_Occurred, PyErr_Format, PyErr_SetString: -1 is a number
   or an error, and PyErr_Occurred says which. */
static int
port_of(PyObject *number)
{
    long port = PyLong_AsLong(number);

    if (port == -1 && PyErr_Occurred())
        return -1;
    if (port == 0)
        PyErr_SetString(PyExc_ValueError, "0 is no port");
    else if (port < 0 || port > 65535)
        PyErr_Format(PyExc_ValueError, "%ld is no port", port);
    else
        return (int)port;
    return -1;
}

/* PyErr_ExceptionMatches, PyErr_Clear: an exception that is expected. */
static int
port_or(PyObject *number, int otherwise)
{
    int port = port_of(number);

    if (port < 0 && PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        return otherwise;
    }
    return port;
}

/* PyObject_GetOptionalAttrString, PyObject_SetAttrString: an attribute that an
   object may not have. */
static int
number_attribute(PyObject *op, const char *name, PyObject *first)
{
    PyObject *value;
    int found = PyObject_GetOptionalAttrString(op, name, &value);

    if (found <= 0)
        return found < 0 ? -1 : PyObject_SetAttrString(op, name, first);
    Py_DECREF(value);
    return 0;
}

/* PyObject_GetBuffer, PyBuffer_Release: the bytes of whatever has a buffer. */
static long
sum_of_bytes(PyObject *op)
{
    Py_buffer view;
    long sum = 0;

    if (PyObject_GetBuffer(op, &view, PyBUF_SIMPLE) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < view.len; i++)
        sum += ((unsigned char *)view.buf)[i];
    PyBuffer_Release(&view);
    return sum;
}

/* ------------------------------------------------------------------ */
/* Threads                                                             */

/* PyGILState_Ensure, PyGILState_Release: in a callback that any thread of
   Boehm's may call. */
static void
on_event(PyObject *callable)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *result = PyObject_CallNoArgs(callable);

    if (result == NULL)
        PyErr_WriteUnraisable(callable);
    Py_XDECREF(result);
    PyGILState_Release(state);
}

/* Py_BEGIN_ALLOW_THREADS, Py_END_ALLOW_THREADS: other threads run while this
   one waits. */
static size_t
read_line(char *line, size_t size, FILE *file)
{
    size_t n;

    Py_BEGIN_ALLOW_THREADS
    n = fread(line, 1, size, file);
    Py_END_ALLOW_THREADS
    return n;
}

/* ------------------------------------------------------------------ */
/* The program */

/* PyList_Append: a list of pairs.  It takes a reference of its own. */
static PyObject *
list_of_100(void)
{
    PyObject *list = PyList_New(0);

    for (int i = 0; list != NULL && i < 100; i++) {
        PyObject *pair = pair_new(list, Py_None);
        if (pair == NULL || PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

static void
make_cycle(void)
{
    PyObject *list = list_of_100();

    PyList_SetSlice(list, 1, 100, NULL);
    Py_DECREF(list);
}

static int failures;

/* check: what an example should say. */
static void
check(int holds, const char *what)
{
    if (!holds) {
        printf("failed: %s\n", what);
        failures++;
    }
}

static void
run_objects(void)
{
    PyObject *pair = pair_new(Py_None, Py_None);
    PyObject *type = box_type();
    PyObject *box = box_new((PyTypeObject *)type, pair);
    Row *row = row_of(&RowType, 1);
    PyObject *session = PyObject_GC_New(PyObject, &SessionType);

    row->items[0] = Py_NewRef(pair);
    row = row_grow(row);
    PyObject_GC_Track((PyObject *)row);
    check(Py_SIZE(row) == 2 && row->items[0] == pair, "a row grows");
    pair_set_first((Pair *)pair, box);
    Py_DECREF(row);
    PyObject_GC_Track(session);
    Py_DECREF(session);
    check(sessions_closed == 1, "a session is closed");

    cache_put(pair);
    PyObject *again = cache_get();
    check(again == pair, "the cache has it");
    Py_DECREF(again);
    print_neighbours(pair);
    check(count_instances(&PairType) == 1, "one pair is counted");
    check(count_pairs() == 1, "one pair is visited");
    expect_dead(cached);
    Py_DECREF(pair);
    Py_DECREF(box);
    PyGC_Collect();
    check(cache_get() == NULL, "the cache keeps nothing alive");
    Py_CLEAR(cached);
    Py_DECREF(type);
    check(proxy_is_dead(pair_new(Py_None, Py_None)), "a proxy dies");
}

static void
run_collections(void)
{
    PyObject *list = load();

    check(PyList_GET_SIZE(list) == 100, "a list is loaded");
    Py_DECREF(list);
    collect_a_cycle();
    for (int i = 0; i <= 1000; i++)
        between_requests(i);
    give_memory_back();
    collect_less();
    serve(give_memory_back);
    prepare_fork();
    check(cycles_of(make_cycle) == 2, "a list and a pair are a cycle");
    check(pauses_of(give_memory_back) > 0, "a collection takes time");
    check(collected_in_all() > 0, "something was collected");
}

static void
run_adoption(void)
{
    struct entry *entry = entry_new(entry_new(NULL));

    for (; entry != NULL; entry = entry->next) {
        PyObject *list = entry_take(entry);

        check(list != NULL && !PyBoehm_IsAdopted(list), "a list is disowned");
        Py_XDECREF(list);
    }
}

static void
run_tools(const char *report)
{
    FILE *log = tmpfile();
    char line[80];

    check(types_are_right(), "the types are right");
    check(!grows(collect_a_cycle), "a cycle is not growth");
    check(save_report(report) == 0, "a report is written");
    check(!has_leaks(NULL), "nothing is left");
    complain_of_pauses(log);
    keep_log(log);
    on_event(Py_None);
    PyBoehm_SetUnraisableHook(NULL, NULL);
    rewind(log);
    check(read_line(line, sizeof line, log) > 0, "the hook was called");
    fclose(log);
    be_strict();
    check(PyErr_WarnEx(PyExc_UserWarning, "once", 1) < 0,
          "a warning is an error");
    PyErr_Clear();
    PyBoehm_SetWarningHook(NULL, NULL);
}

static void
run_values(PyObject *module)
{
    PyObject *list = squares(5), *edges = PyDict_New();
    PyObject *four = PyList_GetItem(list, 2), *sixteen = PyList_GetItem(list, 4);
    PyObject *bytes = PyBytes_FromString("ab");

    add_edge(edges, four, four);
    add_edge(edges, four, four);
    add_edge(edges, sixteen, four);
    check(edges_to(edges, four) == 2, "two edges lead to 4");
    greet(four);
    check(port_of(sixteen) == 16, "16 is a port");
    check(port_or(PyList_GetItem(list, 0), 80) == 80, "0 is no port");
    check(number_attribute(module, "count", four) == 0 &&
              PyObject_HasAttrString(module, "count"),
          "a module gets an attribute");
    check(sum_of_bytes(bytes) == 'a' + 'b', "two bytes are added");
    check(sum_of_bytes(four) == -1, "an int has no buffer");
    PyErr_Clear();
    Py_DECREF(list);
    Py_DECREF(edges);
    Py_DECREF(bytes);
}

static void
run_modules(void)
{
    PyObject *module = import_example();
    PyObject *words = PyDict_New();
    PyObject *range = Py_BuildValue("[ii]", 1, 2);
    PyObject *point = point_new(1, 2);

    check(module != NULL, "the module is there");
    call_scale(module);
    run_values(module);
    count_word(words, "word");
    count_word(words, "word");
    check(PyLong_AsLong(PyDict_GetItemString(words, "word")) == 2,
          "a word is counted twice");
    check(sum(range) == 3, "1 + 2 = 3");
    Py_DECREF(module);
    Py_DECREF(words);
    Py_DECREF(range);
    Py_DECREF(point);
}

int
main(int argc, char **argv)
{
    add_example();
    Py_Initialize();
    if (pair_ready() < 0 || PyType_Ready(&RowType) < 0 ||
        PyType_Ready(&SessionType) < 0)
        return 1;
    run_objects();
    run_collections();
    run_adoption();
    run_tools(argc > 1 ? argv[1] : "report.html");
    run_modules();
    Py_Finalize();
    return failures > 0;
}
