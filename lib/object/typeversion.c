/* typeversion.c: changes of types: the version tags by which others recognise
   a type that is still as it was, and the watchers that are told when it is
   not.

   Lookups are not cached here, so nothing else depends on the tags.  A type
   has a valid one only if all of its bases have: a change of a type takes the
   tags of all that inherit from it.

   Manual: "Type Objects". */

#include "Python.h"

#include "object/subclasses.h"

enum {
    WATCHERS = 8,         /* the bits of tp_watched */
    TAGS_PER_CLASS = 1000 /* of a type that can change */
};

static PyType_WatchCallback watchers[WATCHERS];
static unsigned int last_tag;

/* ------------------------------------------------------------------ */
/* Tags                                                                */

static int
may_have_another_tag(PyTypeObject *type)
{
    return last_tag != UINT_MAX &&
           (PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE) ||
            type->tp_versions_used < TAGS_PER_CLASS);
}

int
PyUnstable_Type_AssignVersionTag(PyTypeObject *type)
{
    PyObject *bases = type->tp_bases;

    if (PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG))
        return 1;
    if (!PyType_HasFeature(type, Py_TPFLAGS_READY) || bases == NULL)
        return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++)
        if (!PyUnstable_Type_AssignVersionTag(
                (PyTypeObject *)PyTuple_GET_ITEM(bases, i)))
            return 0;
    if (!may_have_another_tag(type))
        return 0;
    if (!PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE))
        type->tp_versions_used++;
    type->tp_version_tag = ++last_tag;
    type->tp_flags |= Py_TPFLAGS_VALID_VERSION_TAG;
    return 1;
}

unsigned int
PyType_ClearCache(void)
{
    return last_tag;
}

/* ------------------------------------------------------------------ */
/* Watchers                                                            */

/* Calls those that watch the type.  Nobody waits for an error. */
static void
tell_watchers(PyTypeObject *type)
{
    PyObject *pending = PyErr_GetRaisedException();

    for (int i = 0; i < WATCHERS; i++)
        if ((type->tp_watched & (1u << i)) && watchers[i] != NULL &&
            watchers[i](type) < 0)
            PyErr_FormatUnraisable(
                "Exception ignored in type watcher callback #%d for %R", i,
                (PyObject *)type);
    PyErr_SetRaisedException(pending);
}

/* Is it a watcher's number?  0, or -1 with ValueError. */
static int
check_watcher(int id)
{
    if (id < 0 || id >= WATCHERS)
        PyErr_Format(PyExc_ValueError, "Invalid type watcher ID %d", id);
    else if (watchers[id] == NULL)
        PyErr_Format(PyExc_ValueError, "No type watcher set for ID %d", id);
    else
        return 0;
    return -1;
}

int
PyType_AddWatcher(PyType_WatchCallback callback)
{
    for (int i = 0; i < WATCHERS; i++)
        if (watchers[i] == NULL) {
            watchers[i] = callback;
            return i;
        }
    PyErr_SetString(PyExc_RuntimeError, "no more type watcher IDs available");
    return -1;
}

int
PyType_ClearWatcher(int watcher_id)
{
    if (check_watcher(watcher_id) < 0)
        return -1;
    watchers[watcher_id] = NULL;
    return 0;
}

/* Is op a type, and the number a watcher's?  0, or -1 with ValueError. */
static int
check_watched(int id, PyObject *op)
{
    if (PyType_Check(op))
        return check_watcher(id);
    PyErr_SetString(PyExc_ValueError, "Cannot watch non-type");
    return -1;
}

int
PyType_Watch(int watcher_id, PyObject *type)
{
    if (check_watched(watcher_id, type) < 0)
        return -1;
    ((PyTypeObject *)type)->tp_watched |= (unsigned char)(1u << watcher_id);
    return 0;
}

int
PyType_Unwatch(int watcher_id, PyObject *type)
{
    if (check_watched(watcher_id, type) < 0)
        return -1;
    ((PyTypeObject *)type)->tp_watched &= (unsigned char)~(1u << watcher_id);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Changes                                                             */

/* Where there is no valid tag, there is none below. */
static void
forget_tag(PyTypeObject *type, void *arg)
{
    if (!PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG))
        return;
    type->tp_version_tag = 0;
    type->tp_flags &= ~Py_TPFLAGS_VALID_VERSION_TAG;
    pyb_subclasses_each(type, forget_tag, arg);
}

/* Appends the type and all below it, each once however many ways lead there.
   0, or -1 with an exception. */
static int
append_all(PyObject *list, PyTypeObject *type)
{
    PyObject *below;
    int result;

    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
        if (PyList_GET_ITEM(list, i) == (PyObject *)type)
            return 0;
    result = PyList_Append(list, (PyObject *)type);
    if (result < 0 || type->tp_subclasses == NULL)
        return result;
    below = pyb_subclasses_list(type);
    if (below == NULL)
        return -1;
    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(below); i++)
        result = append_all(list, (PyTypeObject *)PyList_GET_ITEM(below, i));
    Py_DECREF(below);
    return result;
}

/* A callback may do anything, so that types are listed, and so kept alive,
   before the first is called. */
static void
tell_all(PyTypeObject *type)
{
    PyObject *list = PyList_New(0);

    if (list == NULL || append_all(list, type) < 0)
        PyErr_WriteUnraisable((PyObject *)type);
    for (Py_ssize_t i = 0; list != NULL && i < PyList_GET_SIZE(list); i++)
        tell_watchers((PyTypeObject *)PyList_GET_ITEM(list, i));
    Py_XDECREF(list);
}

static int
has_watchers(void)
{
    for (int i = 0; i < WATCHERS; i++)
        if (watchers[i] != NULL)
            return 1;
    return 0;
}

void
PyType_Modified(PyTypeObject *type)
{
    forget_tag(type, NULL);
    if (has_watchers())
        tell_all(type);
}
