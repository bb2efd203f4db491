/* check_faults_core.c: no memory in the collector and what it serves. */

#include "faults.h"

#include <pyboehm.h>

/* A ring of two that nothing else refers to. */
static int
lose_ring(PyTypeObject *type)
{
    struct node *a = faults_node(type), *b = faults_node(type);

    if (a != NULL && b != NULL) {
        node_link(a, b, NULL);
        node_link(b, a, NULL);
    }
    Py_XDECREF(a);
    Py_XDECREF(b);
    return a != NULL && b != NULL ? 0 : -1;
}

static int
container(void)
{
    return faults_drop(faults_node(&node_type));
}

static int
row(void)
{
    PyObject *op =
        (PyObject *)PyObject_GC_NewVar(PyTupleObject, &PyTuple_Type, 3);

    if (op == NULL)
        return -1;
    PyObject_GC_Del(op);
    return 0;
}

static int
large_row(void)
{
    return faults_drop(PyTuple_New(100000));
}

static int
extra_data(void)
{
    PyObject *op = PyUnstable_Object_GC_NewWithExtraData(&node_type, 100);

    if (op == NULL)
        return -1;
    PyObject_GC_Del(op);
    return 0;
}

/* The old one stays as it was. */
static int
resize(void)
{
    PyTupleObject *op = PyObject_GC_NewVar(PyTupleObject, &PyTuple_Type, 3);

    if (op == NULL)
        return -1;
    op->ob_item[2] = Py_None;
    PyTupleObject *moved = PyObject_GC_Resize(PyTupleObject, op, 5000);
    PyTupleObject *left = moved != NULL ? moved : op;
    FAULTS_EXPECT(Py_SIZE(left) == (moved != NULL ? 5000 : 3));
    FAULTS_EXPECT(left->ob_item[2] == Py_None);
    PyObject_GC_Del(left);
    return moved != NULL ? 0 : -1;
}

static int
plain_object(void)
{
    return faults_drop(PyFloat_FromDouble(1.5));
}

/* It needs no memory. */
static int
collection(void)
{
    long freed = node_log.freed;

    if (lose_ring(&node_type) < 0)
        return -1;
    PyGC_Enable();
    Py_ssize_t found = PyGC_Collect();
    PyGC_Disable();
    FAULTS_EXPECT(node_log.freed - freed == found);
    FAULTS_EXPECT(found == 2);
    return 0;
}

static Py_ssize_t
times_starved(void)
{
    PyBoehm_Stats stats;

    PyBoehm_GetStats(&stats, sizeof stats);
    return stats.teardowns.starved;
}

static int told;

static void
note_starved(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *info,
             void *Py_UNUSED(arg))
{
    told += info->starved;
}

/* What cannot be put into gc.garbage is not lost, and the statistics and the
   callbacks say that there was no memory. */
static int
saved_garbage(void)
{
    Py_ssize_t starved = times_starved(), saved;
    PyBoehm_GC_Objects garbage;

    if (lose_ring(&node_type) < 0 ||
        PyBoehm_GC_AddCallback(note_starved, NULL) < 0) {
        PyBoehm_GC_Collect(2);
        return -1;
    }
    told = 0;
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_SAVEALL);
    FAULTS_EXPECT(PyBoehm_GC_Collect(2) == 2);
    PyBoehm_GC_SetDebug(0);
    PyBoehm_GC_RemoveCallback(note_starved, NULL);
    FAULTS_EXPECT(told == times_starved() - starved);
    if (PyBoehm_GC_GetGarbage(&garbage) == 0) {
        saved = garbage.n;
        PyBoehm_GC_FreeObjects(&garbage);
        FAULTS_EXPECT((saved == 2) == (told == 0));
    }
    PyErr_Clear();
    PyBoehm_GC_ClearGarbage();
    PyBoehm_GC_Collect(2);
    return 0;
}

static struct node *volatile adopted;

/* Where Boehm cannot be asked it lives on, and that is said. */
static int
adopted_garbage(void)
{
    Py_ssize_t starved = times_starved();
    struct node *node = faults_node(&node_type);
    long freed = node_log.freed;

    if (node == NULL)
        return -1;
    adopted = (struct node *)PyBoehm_Adopt((PyObject *)node);
    PyBoehm_GC_Collect(2); /* visible */
    FAULTS_EXPECT(node_log.freed == freed);
    FAULTS_EXPECT(times_starved() - starved <= 1);
    Py_DECREF(PyBoehm_Disown((PyObject *)adopted));
    adopted = NULL;
    FAULTS_EXPECT(node_log.freed == freed + 1);
    return 0;
}

static int
collection_of_finalizers(void)
{
    long finalized = node_log.finalized;

    if (lose_ring(&node_final_type) < 0)
        return -1;
    for (int generation = 0; generation < 3; generation++)
        PyBoehm_GC_Collect(generation);
    FAULTS_EXPECT(node_log.finalized - finalized == 2);
    return 0;
}

static int
frozen(void)
{
    PyBoehm_GC_Freeze();
    int result = lose_ring(&node_type);
    PyBoehm_GC_Collect(2);
    PyBoehm_GC_Unfreeze();
    return result;
}

static PyObject *
ignore(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arg))
{
    Py_RETURN_NONE;
}

static PyMethodDef ignore_def = {"ignore", ignore, METH_O, NULL};

static int
weak_reference(void)
{
    PyObject *set = PySet_New(NULL);
    PyObject *callback = PyCFunction_New(&ignore_def, NULL);
    PyObject *ref = set != NULL && callback != NULL
                        ? PyWeakref_NewRef(set, callback)
                        : NULL;
    Py_XDECREF(callback);
    Py_XDECREF(set); /* calls it */
    return faults_drop(ref);
}

static int
weak_proxy(void)
{
    PyObject *set = PySet_New(NULL);
    PyObject *proxy = set != NULL ? PyWeakref_NewProxy(set, NULL) : NULL;
    PyObject *text = proxy != NULL ? PyObject_Str(proxy) : NULL;

    Py_XDECREF(set);
    Py_XDECREF(proxy);
    return faults_drop(text);
}

static void
note(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
     void *Py_UNUSED(arg))
{
}

static int
callbacks_in_c(void)
{
    for (int i = 0; i < 3; i++)
        if (PyBoehm_GC_AddCallback(note, NULL) < 0) {
            while (PyBoehm_GC_RemoveCallback(note, NULL) > 0)
                continue;
            return -1;
        }
    while (PyBoehm_GC_RemoveCallback(note, NULL) > 0)
        continue;
    return 0;
}

/* gc.NAME(arg) */
static int
call_gc(const char *name, PyObject *arg)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *function = gc != NULL ? PyObject_GetAttrString(gc, name) : NULL;
    PyObject *result = NULL;

    if (function != NULL)
        result = arg != NULL ? PyObject_CallOneArg(function, arg)
                             : PyObject_CallNoArgs(function);
    Py_XDECREF(function);
    Py_XDECREF(gc);
    return faults_drop(result);
}

static int
get_objects(void)
{
    return call_gc("get_objects", NULL);
}

static int
get_referrers(void)
{
    return call_gc("get_referrers", (PyObject *)&PyList_Type);
}

static int
get_referents(void)
{
    return call_gc("get_referents", (PyObject *)&PyList_Type);
}

static int
get_stats(void)
{
    return call_gc("get_stats", NULL);
}

static int
get_count(void)
{
    return call_gc("get_count", NULL);
}

static int
collect_by_name(void)
{
    return call_gc("collect", NULL);
}

/* The file takes its memory from the C library's inside. */
static int
draw(void)
{
    FILE *file = fopen("/dev/null", "w");
    PyObject *list = file != NULL ? PyList_New(1) : NULL;
    int result = list != NULL ? PyBoehm_WriteGraph(file, &list, 1, -1,
                                                   PyBoehm_GRAPH_JSON)
                              : -1;

    if (file != NULL)
        fclose(file);
    Py_XDECREF(list);
    return result;
}

static int
report(void)
{
    FILE *file = fopen("/dev/null", "w");
    PyObject *list = file != NULL ? Py_BuildValue("[[],i]", 12345) : NULL;
    int result =
        list != NULL ? PyBoehm_WriteReport(file, PyBoehm_REPORT_HTML) : -1;

    if (file != NULL)
        fclose(file);
    Py_XDECREF(list);
    return result;
}

/* What it counted stays for the next call. */
static int
grow(void)
{
    return PyBoehm_Growth(NULL);
}

static void
grow_first(void)
{
    grow();
}

static int
count_leaks(void)
{
    return PyBoehm_WriteLeaks(NULL) < 0 ? -1 : 0;
}

static void
hear(PyObject *Py_UNUSED(exception), const char *Py_UNUSED(message),
     PyObject *Py_UNUSED(object), void *arg)
{
    ++*(long *)arg;
}

/* What cannot raise its MemoryError reports it, once, and needs none for
   that. */
static int
borrowed_from_sys(void)
{
    long heard = 0;

    PyBoehm_SetUnraisableHook(hear, &heard);
    PyObject *path = PySys_GetObject("path");
    FAULTS_EXPECT(PyErr_Occurred() == NULL);
    FAULTS_EXPECT(heard == (path == NULL));
    PyErr_SetNone(PyExc_ValueError);
    PyErr_FormatUnraisable("in %s", "a test");
    FAULTS_EXPECT(PyErr_Occurred() == NULL);
    FAULTS_EXPECT(heard == 1 + (path == NULL));
    PyBoehm_SetUnraisableHook(NULL, NULL);
    return 0;
}

static FILE *nowhere; /* what is written there is lost */

/* Asks of a list in a list, with what it is told written to file. */
static int
ask(FILE *file)
{
    PyObject *list = PyList_New(0), *inner = PyList_New(0);
    int result = -1;

    if (list != NULL && inner != NULL && PyList_Append(list, inner) == 0)
        result = PyBoehm_WhyAlive(inner, file);
    Py_XDECREF(inner);
    Py_XDECREF(list);
    return result < 0 ? -1 : 0;
}

static int
is_it_held(void)
{
    return ask(NULL);
}

static int
who_holds_it(void)
{
    return ask(nowhere);
}

FAULTS_TEST(container, FAULTS_RAISE)
FAULTS_TEST(row, FAULTS_RAISE)
FAULTS_TEST(large_row, FAULTS_RAISE)
FAULTS_TEST(extra_data, FAULTS_RAISE)
FAULTS_TEST(resize, FAULTS_RAISE)
FAULTS_TEST(plain_object, FAULTS_RAISE)
FAULTS_TEST(collection, FAULTS_TOLERATE)
FAULTS_TEST(collection_of_finalizers, FAULTS_TOLERATE)
FAULTS_TEST(saved_garbage, FAULTS_TOLERATE)
FAULTS_TEST(adopted_garbage, FAULTS_TOLERATE)
FAULTS_TEST(frozen, FAULTS_TOLERATE)
FAULTS_TEST(weak_reference, FAULTS_TOLERATE)
FAULTS_TEST(weak_proxy, FAULTS_RAISE)
FAULTS_TEST(callbacks_in_c, FAULTS_RAISE)
FAULTS_TEST(get_objects, FAULTS_RAISE)
FAULTS_TEST(get_referrers, FAULTS_RAISE)
FAULTS_TEST(get_referents, FAULTS_RAISE)
FAULTS_TEST(get_stats, FAULTS_RAISE)
FAULTS_TEST(get_count, FAULTS_RAISE)
FAULTS_TEST(collect_by_name, FAULTS_RAISE)
FAULTS_TEST(draw, FAULTS_RAISE)
FAULTS_TEST(report, FAULTS_RAISE)
FAULTS_ONCE_TEST(grow, grow_first)
FAULTS_TEST(count_leaks, FAULTS_TOLERATE)
FAULTS_TEST(is_it_held, FAULTS_RAISE)
FAULTS_TEST(who_holds_it, FAULTS_TOLERATE)
FAULTS_TEST(borrowed_from_sys, FAULTS_TOLERATE)

int
main(void)
{
    nowhere = fopen("/dev/null", "w");

    return suite_run_unquarantined("faults: the collector");
}
