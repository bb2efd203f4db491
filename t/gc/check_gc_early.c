/* check_gc_early.c: each call to the collector says, before Py_Initialize,
   that it came too early. */

#include "../support/suite.h"

#include <pyboehm.h>

static PyBoehm_GC_Objects objects;
static int counts[PyBoehm_GC_GENERATIONS];
static PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];
static PyBoehm_Stats all_stats;

static void
callback(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
         void *Py_UNUSED(arg))
{
}

/* The calls, with their arguments. */
#define CALLS(X)                                                              \
    X(PyGC_Collect)                                                           \
    X(PyGC_Enable)                                                            \
    X(PyGC_Disable)                                                           \
    X(PyGC_IsEnabled)                                                         \
    X(PyUnstable_GC_VisitObjects, NULL, NULL)                                 \
    X(PyBoehm_GC_Collect, 3)                                                  \
    X(PyBoehm_GC_CollectAll)                                                  \
    X(PyBoehm_GC_GetCount, counts)                                            \
    X(PyBoehm_GC_GetThreshold, counts)                                        \
    X(PyBoehm_GC_SetThreshold, counts)                                        \
    X(PyBoehm_GC_GetStats, stats)                                             \
    X(PyBoehm_GC_Freeze)                                                      \
    X(PyBoehm_GC_Unfreeze)                                                    \
    X(PyBoehm_GC_GetFreezeCount)                                              \
    X(PyBoehm_GC_GetDebug)                                                    \
    X(PyBoehm_GC_SetDebug, 0)                                                 \
    X(PyBoehm_GC_GetObjects, 0, &objects)                                     \
    X(PyBoehm_GC_GetReferrers, NULL, 0, &objects)                             \
    X(PyBoehm_GC_GetReferents, NULL, 0, &objects)                             \
    X(PyBoehm_GC_AddCallback, callback, NULL)                                 \
    X(PyBoehm_GC_RemoveCallback, callback, NULL)                              \
    X(PyBoehm_Adopt, NULL)                                                    \
    X(PyBoehm_IsAdopted, NULL)                                                \
    X(PyBoehm_Disown, NULL)                                                   \
    X(PyBoehm_WhyAlive, NULL, stderr)                                         \
    X(PyBoehm_WriteGraph, stderr, NULL, 0, -1, PyBoehm_GRAPH_DOT)             \
    X(PyBoehm_GetStats, &all_stats, sizeof all_stats)                         \
    X(PyBoehm_WriteStats, stderr)                                             \
    X(PyBoehm_Audit, stderr, 0)

#define MAKER(name, ...)                                                      \
    static void call_##name(void)                                             \
    {                                                                         \
        name(__VA_ARGS__);                                                    \
    }
CALLS(MAKER)

#define NAMED(name, ...) {#name, call_##name},
static const struct {
    const char *name;
    void (*call)(void);
} calls[] = {CALLS(NAMED)};

START_TEST(each_call_names_itself)
{
    Py_Finalize();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(calls); i++) {
        char text[120];

        snprintf(text, sizeof text,
                 "Fatal Python error: %s: called before Py_Initialize()",
                 calls[i].name);
        SUITE_FATAL(calls[i].call(), text);
    }
    Py_Initialize();
}

static PyTypeObject plain_type = {SUITE_TYPE("t.Plain")};

static int
no_traverse(PyObject *Py_UNUSED(op), visitproc Py_UNUSED(visit),
            void *Py_UNUSED(arg))
{
    return 0;
}

static PyTypeObject container_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Container",
    .tp_basicsize = sizeof(PyVarObject),
    .tp_itemsize = 8,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = no_traverse,
};

/* Allocation looks where it is slow, or fails, in any case. */
START_TEST(allocation_says_so_where_it_fails)
{
    Py_Finalize();
    SUITE_FATAL(PyObject_GC_New(PyObject, &plain_type),
                "PyObject_GC_New: called before Py_Initialize()");
    SUITE_FATAL(
        PyObject_GC_NewVar(PyVarObject, &container_type, PY_SSIZE_T_MAX),
        "PyObject_GC_New: called before Py_Initialize()");
    SUITE_FATAL(PyObject_GC_NewVar(PyVarObject, &container_type, 200),
                "PyObject_GC_New: called before Py_Initialize()");
    SUITE_FATAL(PyObject_GC_NewVar(PyVarObject, &container_type, -1),
                "PyObject_GC_NewVar: called before Py_Initialize()");
    Py_Initialize();
}
