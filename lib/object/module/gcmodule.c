/* gcmodule.c: the module gc: the collector's C functions for objects.

   Manual of Python's library: "gc". */

#include "Python.h"
#include "gc/base/fatal.h"
#include "pyboehm.h"

#include "gc/collect.h"
#include "gc/control.h"
#include "object/error/errors.h"
#include "object/module/gcmodule.h"

/* gc.garbage and gc.callbacks: one list each for all modules gc, made when it
   is needed and owned until Py_Finalize. */
static PyObject *garbage, *callbacks;

/* ------------------------------------------------------------------ */
/* Garbage                                                             */

int
pyb_gcmodule_keep_garbage(PyObject *op)
{
    if (garbage == NULL)
        garbage = PyList_New(0);
    if (garbage != NULL && PyList_Append(garbage, op) == 0)
        return 0;
    PyErr_Clear();
    return -1;
}

const char *
pyb_gcmodule_list(const PyObject *op)
{
    if (op == NULL)
        return NULL;
    if (op == garbage)
        return "gc.garbage";
    return op == callbacks ? "gc.callbacks" : NULL;
}

int
PyBoehm_GC_GetGarbage(PyBoehm_GC_Objects *objects)
{
    return PyBoehm_GC_GetReferents(&garbage, garbage != NULL, objects);
}

void
PyBoehm_GC_ClearGarbage(void)
{
    pyb_control_need(__func__);
    if (garbage != NULL)
        PyList_Clear(garbage);
}

void
pyb_gcmodule_warn_garbage(void)
{
    Py_ssize_t n = garbage != NULL ? PyList_GET_SIZE(garbage) : 0;
    int listed = PyBoehm_GC_GetDebug() & PyBoehm_GC_DEBUG_UNCOLLECTABLE;
    char text[160];

    if (n == 0 || (PyBoehm_GC_GetDebug() & PyBoehm_GC_DEBUG_SAVEALL))
        return;
    snprintf(text, sizeof text, "gc: %zd uncollectable objects at shutdown%s",
             n,
             listed ? ""
                    : "; use gc.set_debug(gc.DEBUG_UNCOLLECTABLE) to list "
                      "them");
    if (PyErr_WarnExplicit(PyExc_ResourceWarning, text, "gc", 0, "gc", NULL) <
        0)
        PyErr_WriteUnraisable(NULL);
    if (listed)
        PySys_FormatStderr("      %R\n", garbage);
}

/* ------------------------------------------------------------------ */
/* Callbacks                                                           */

/* The dict that callbacks are given; new.  CPython has no "starved". */
static PyObject *
make_info(const PyBoehm_GC_Info *info)
{
    PyObject *dict = Py_BuildValue(
        "{sisnsnsnsd}", "generation", info->generation, "collected",
        info->collected, "uncollectable", info->uncollectable, "candidates",
        info->candidates, "duration", info->duration);

    if (dict != NULL && info->starved &&
        PyDict_SetItemString(dict, "starved", Py_True) < 0)
        Py_CLEAR(dict);
    return dict;
}

/* The collector's callback: calls the functions in gc.callbacks.  Meanwhile
   the list may change, and Py_Finalize may drop it. */
static void
call_callbacks(const char *phase, const PyBoehm_GC_Info *info,
               void *Py_UNUSED(arg))
{
    PYB_ASSERT(callbacks != NULL && PyList_CheckExact(callbacks));
    if (PyList_GET_SIZE(callbacks) == 0)
        return;
    PyObject *list = Py_NewRef(callbacks);
    PyObject *dict = make_info(info);
    PyObject *name = PyUnicode_FromString(phase);
    if (dict == NULL || name == NULL) {
        PyErr_WriteUnraisable(NULL);
    } else {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
            PyObject *function = Py_NewRef(PyList_GET_ITEM(list, i));
            PyObject *result =
                PyObject_CallFunctionObjArgs(function, name, dict, NULL);

            if (result == NULL)
                PyErr_WriteUnraisable(function);
            Py_XDECREF(result);
            Py_DECREF(function);
        }
    }
    Py_XDECREF(name);
    Py_XDECREF(dict);
    Py_DECREF(list);
}

/* Makes the lists that do not exist yet. */
static int
make_lists(void)
{
    if (garbage == NULL) {
        PyObject *list = PyList_New(0);
        if (list == NULL)
            return -1;
        if (garbage == NULL)
            garbage = list;
        else /* made by a collection just now */
            Py_DECREF(list);
    }
    if (callbacks != NULL)
        return 0;
    callbacks = PyList_New(0);
    if (callbacks == NULL)
        return -1;
    if (PyBoehm_GC_AddCallback(call_callbacks, NULL) < 0) {
        Py_CLEAR(callbacks);
        return -1;
    }
    return 0;
}

void
pyb_gcmodule_fini(void)
{
    PyBoehm_GC_RemoveCallback(call_callbacks, NULL);
    Py_CLEAR(callbacks);
    Py_CLEAR(garbage);
}

/* ------------------------------------------------------------------ */
/* Switches and numbers                                                */

/* Functions without arguments that are an expression. */
#define FUNCTION(NAME, RESULT)                                                \
    static PyObject *gc_##NAME(PyObject *Py_UNUSED(module),                   \
                               PyObject *Py_UNUSED(ignored))                  \
    {                                                                         \
        return RESULT;                                                        \
    }

FUNCTION(enable, (PyGC_Enable(), Py_NewRef(Py_None)))
FUNCTION(disable, (PyGC_Disable(), Py_NewRef(Py_None)))
FUNCTION(isenabled, PyBool_FromLong(PyGC_IsEnabled()))
FUNCTION(freeze, (PyBoehm_GC_Freeze(), Py_NewRef(Py_None)))
FUNCTION(unfreeze, (PyBoehm_GC_Unfreeze(), Py_NewRef(Py_None)))
FUNCTION(get_freeze_count, PyLong_FromSsize_t(PyBoehm_GC_GetFreezeCount()))
FUNCTION(get_debug, PyLong_FromLong(PyBoehm_GC_GetDebug()))

static int
int_converter(PyObject *op, void *value)
{
    *(int *)value = PyLong_AsInt(op);
    return *(int *)value != -1 || PyErr_Occurred() == NULL;
}

static PyObject *
gc_collect(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"generation", NULL};
    int generation = PyBoehm_GC_GENERATIONS - 1;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O&:collect", keywords,
                                     int_converter, &generation))
        return NULL;
    Py_ssize_t dead = generation == PYB_OLD ? pyb_collect_whole()
                                            : PyBoehm_GC_Collect(generation);
    return dead < 0 ? NULL : PyLong_FromSsize_t(dead);
}

static PyObject *
gc_set_debug(PyObject *Py_UNUSED(module), PyObject *flags)
{
    int value = PyLong_AsInt(flags);

    if (value == -1 && PyErr_Occurred() != NULL)
        return NULL;
    PyBoehm_GC_SetDebug(value);
    Py_RETURN_NONE;
}

static PyObject *
gc_set_threshold(PyObject *Py_UNUSED(module), PyObject *args)
{
    int t[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetThreshold(t);
    if (!PyArg_ParseTuple(args, "i|ii:set_threshold", &t[0], &t[1], &t[2]))
        return NULL;
    PyBoehm_GC_SetThreshold(t);
    Py_RETURN_NONE;
}

static PyObject *
gc_get_threshold(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    int t[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetThreshold(t);
    return Py_BuildValue("(iii)", t[0], t[1], t[2]);
}

static PyObject *
gc_get_count(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    int n[PyBoehm_GC_GENERATIONS];

    PyBoehm_GC_GetCount(n);
    return Py_BuildValue("(iii)", n[0], n[1], n[2]);
}

static PyObject *
gc_get_stats(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];
    PyObject *list = PyList_New(0);

    PyBoehm_GC_GetStats(stats);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS && list != NULL; i++) {
        PyObject *dict = Py_BuildValue(
            "{snsnsnsnsd}", "collections", stats[i].collections, "collected",
            stats[i].collected, "uncollectable", stats[i].uncollectable,
            "candidates", stats[i].candidates, "duration", stats[i].duration);
        if (pyb_append_stolen(list, dict) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

static PyObject *
gc_is_tracked(PyObject *Py_UNUSED(module), PyObject *op)
{
    return PyBool_FromLong(PyObject_GC_IsTracked(op));
}

static PyObject *
gc_is_finalized(PyObject *Py_UNUSED(module), PyObject *op)
{
    return PyBool_FromLong(PyObject_GC_IsFinalized(op));
}

/* A list of the objects but for one, `without', which may be NULL; frees
   them. */
static PyObject *
list_of(PyBoehm_GC_Objects *objects, PyObject *without)
{
    PyObject *list = PyList_New(0);

    for (Py_ssize_t i = 0; i < objects->n && list != NULL; i++)
        if (objects->items[i] != without &&
            PyList_Append(list, objects->items[i]) < 0)
            Py_CLEAR(list);
    PyBoehm_GC_FreeObjects(objects);
    return list;
}

/* Converts get_objects' argument; None is -1, which CPython takes as well. */
static int
generation_converter(PyObject *value, void *generation)
{
    if (Py_IsNone(value))
        return 1;
    if (!PyIndex_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "argument should be integer or None, not '%.200s'",
                     Py_TYPE(value)->tp_name);
        return 0;
    }
    Py_ssize_t number = PyNumber_AsSsize_t(value, PyExc_OverflowError);
    if (number == -1 && PyErr_Occurred() != NULL)
        return 0;
    if (number < -1) {
        PyErr_SetString(PyExc_ValueError,
                        "generation parameter cannot be negative");
        return 0;
    }
    *(int *)generation = (int)Py_MIN(number, INT_MAX);
    return 1;
}

static PyObject *
gc_get_objects(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"generation", NULL};
    PyBoehm_GC_Objects objects;
    int generation = -1;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O&:get_objects", keywords,
                                     generation_converter, &generation))
        return NULL;
    if (PyBoehm_GC_GetObjects(generation, &objects) < 0)
        return NULL;
    return list_of(&objects, NULL);
}

/* The argument tuple itself, which refers to the objects, is left out. */
static PyObject *
gc_get_referrers(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyBoehm_GC_Objects objects;

    if (PyBoehm_GC_GetReferrers(((PyTupleObject *)args)->ob_item,
                                PyTuple_GET_SIZE(args), &objects) < 0)
        return NULL;
    return list_of(&objects, args);
}

static PyObject *
gc_get_referents(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyBoehm_GC_Objects objects;

    if (PyBoehm_GC_GetReferents(((PyTupleObject *)args)->ob_item,
                                PyTuple_GET_SIZE(args), &objects) < 0)
        return NULL;
    return list_of(&objects, NULL);
}

/* ------------------------------------------------------------------ */
/* The module                                                          */

static PyMethodDef methods[] = {
    {"enable", gc_enable, METH_NOARGS,
     PyDoc_STR("enable($module, /)\n--\n\nSwitch automatic collections on.")},
    {"disable", gc_disable, METH_NOARGS,
     PyDoc_STR("disable($module, /)\n--\n\n"
               "Switch automatic collections off.")},
    {"isenabled", gc_isenabled, METH_NOARGS,
     PyDoc_STR("isenabled($module, /)\n--\n\n"
               "Tell whether automatic collections are on.")},
    {"collect", _PyCFunction_CAST(gc_collect), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("collect($module, /, generation=2)\n--\n\n"
               "Collect a generation and the younger ones.  Returns how many "
               "objects\nwere found unreachable.")},
    {"get_count", gc_get_count, METH_NOARGS,
     PyDoc_STR("get_count($module, /)\n--\n\n"
               "The counts that the thresholds are compared with.")},
    {"set_threshold", gc_set_threshold, METH_VARARGS,
     PyDoc_STR("set_threshold(threshold0, [threshold1, threshold2]) -> "
               "None\n\nSet when automatic collections begin; 0 as the first "
               "means never.")},
    {"get_threshold", gc_get_threshold, METH_NOARGS,
     PyDoc_STR("get_threshold($module, /)\n--\n\n"
               "The thresholds of the three generations.")},
    {"get_stats", gc_get_stats, METH_NOARGS,
     PyDoc_STR("get_stats($module, /)\n--\n\n"
               "A dict for each generation: collections, collected, "
               "uncollectable.")},
    {"set_debug", gc_set_debug, METH_O,
     PyDoc_STR("set_debug($module, flags, /)\n--\n\n"
               "Set the DEBUG_ flags, which have collections described on "
               "stderr.")},
    {"get_debug", gc_get_debug, METH_NOARGS,
     PyDoc_STR("get_debug($module, /)\n--\n\nThe DEBUG_ flags.")},
    {"get_objects", _PyCFunction_CAST(gc_get_objects),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("get_objects($module, /, generation=None)\n--\n\n"
               "The tracked objects, all of them or one generation's.")},
    {"get_referrers", gc_get_referrers, METH_VARARGS,
     PyDoc_STR("get_referrers(*objs) -> list\n\n"
               "The tracked objects that refer to one of objs.")},
    {"get_referents", gc_get_referents, METH_VARARGS,
     PyDoc_STR("get_referents(*objs) -> list\n\n"
               "The objects that objs refer to.")},
    {"is_tracked", gc_is_tracked, METH_O,
     PyDoc_STR("is_tracked($module, obj, /)\n--\n\n"
               "Tell whether the collector tracks the object.")},
    {"is_finalized", gc_is_finalized, METH_O,
     PyDoc_STR("is_finalized($module, obj, /)\n--\n\n"
               "Tell whether the collector has finalized the object.")},
    {"freeze", gc_freeze, METH_NOARGS,
     PyDoc_STR("freeze($module, /)\n--\n\n"
               "Have collections ignore all objects tracked now.")},
    {"unfreeze", gc_unfreeze, METH_NOARGS,
     PyDoc_STR("unfreeze($module, /)\n--\n\n"
               "Put the frozen objects into the last generation.")},
    {"get_freeze_count", gc_get_freeze_count, METH_NOARGS,
     PyDoc_STR("get_freeze_count($module, /)\n--\n\n"
               "The number of frozen objects.")},
    {NULL, NULL, 0, NULL},
};

static int
gc_exec(PyObject *module)
{
    static const struct {
        const char *name;
        int flag;
    } flags[] = {
        {"DEBUG_STATS", PyBoehm_GC_DEBUG_STATS},
        {"DEBUG_COLLECTABLE", PyBoehm_GC_DEBUG_COLLECTABLE},
        {"DEBUG_UNCOLLECTABLE", PyBoehm_GC_DEBUG_UNCOLLECTABLE},
        {"DEBUG_SAVEALL", PyBoehm_GC_DEBUG_SAVEALL},
        {"DEBUG_LEAK", PyBoehm_GC_DEBUG_LEAK},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(flags); i++)
        if (PyModule_AddIntConstant(module, flags[i].name, flags[i].flag) < 0)
            return -1;
    if (make_lists() < 0 ||
        PyModule_AddObjectRef(module, "garbage", garbage) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "callbacks", callbacks);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)gc_exec},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gc",
    .m_doc = PyDoc_STR("The collector of reference cycles."),
    .m_methods = methods,
    .m_slots = slots,
};

PyObject *
pyb_gcmodule_entry(void)
{
    return PyModuleDef_Init(&definition);
}
