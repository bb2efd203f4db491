/* typeversion.c: changes of types: the version tags by which typelookup.c and
   other code recognise a type that has not changed, and the watchers that are
   called when it does.

   A type has a valid tag only if all of its bases have: a change of a type
   invalidates the tags of all types that inherit from it.  No two types, and
   no two states of one, have the same tag.

   Manual: "Type Objects". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/type/subclasses.h"
#include "object/type/typeversion.h"

enum {
    WATCHERS = 8,          /* the bits of tp_watched */
    TAGS_PER_CLASS = 1000, /* for a type that can change */
    RETIRED = UINT16_MAX   /* tp_versions_used of a type that gets no other */
};

static PyType_WatchCallback watchers[WATCHERS];
static unsigned int last_tag;

/* ------------------------------------------------------------------ */
/* Tags                                                                */

static int
may_have_another_tag(PyTypeObject *type)
{
    return last_tag != UINT_MAX && type->tp_versions_used != RETIRED &&
           (PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE) ||
            type->tp_versions_used < TAGS_PER_CLASS);
}

/* Is type told of changes of cls?  Each of its bases has a tag, and so is told
   of all in its own order.  A metatype's method mro may have put other classes
   into that of type. */
static int
hears_of(PyTypeObject *type, PyTypeObject *cls)
{
    PyObject *bases = type->tp_bases;

    if (type == cls)
        return 1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);

        PYB_ASSERT(PyType_HasFeature(base, Py_TPFLAGS_VALID_VERSION_TAG));
        if (PyType_IsSubtype(base, cls))
            return 1;
    }
    return 0;
}

static int
hears_of_changes(PyTypeObject *type)
{
    PyObject *mro = type->tp_mro;

    for (Py_ssize_t i = 0; !Py_IS_TYPE(type, &PyType_Type) && mro != NULL &&
                           i < PyTuple_GET_SIZE(mro);
         i++)
        if (!hears_of(type, (PyTypeObject *)PyTuple_GET_ITEM(mro, i)))
            return 0;
    return mro != NULL;
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
    if (!may_have_another_tag(type) || !hears_of_changes(type))
        return 0;
    if (!PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE))
        type->tp_versions_used++;
    PYB_ASSERT(type->tp_version_tag == 0 && last_tag != UINT_MAX);
    type->tp_version_tag = ++last_tag;
    type->tp_flags |= Py_TPFLAGS_VALID_VERSION_TAG;
    return 1;
}

unsigned int
pyb_type_last_tag(void)
{
    return last_tag;
}

/* ------------------------------------------------------------------ */
/* Watchers                                                            */

/* Calls the watchers of the type.  Their errors are unraisable. */
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

/* Is id a watcher's number?  0, or -1 with ValueError. */
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
    return pyb_fail(PyExc_RuntimeError, "no more type watcher IDs available");
}

int
PyType_ClearWatcher(int watcher_id)
{
    if (check_watcher(watcher_id) < 0)
        return -1;
    watchers[watcher_id] = NULL;
    return 0;
}

/* Is op a type, and id a watcher's number?  0, or -1 with ValueError. */
static int
check_watched(int id, PyObject *op)
{
    if (PyType_Check(op))
        return check_watcher(id);
    return pyb_fail(PyExc_ValueError, "Cannot watch non-type");
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

/* If the type's tag is not valid, neither are those of its subclasses. */
static void
forget_tag(PyTypeObject *type, void *arg)
{
    if (!PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG))
        return;
    PYB_ASSERT(type->tp_version_tag != 0 && type->tp_version_tag <= last_tag);
    type->tp_version_tag = 0;
    type->tp_flags &= ~Py_TPFLAGS_VALID_VERSION_TAG;
    pyb_subclasses_each(type, forget_tag, arg);
}

/* Appends the type and all types that inherit from it, each once.  0, or -1
   with an exception. */
static int
append_all(PyObject *list, PyTypeObject *type)
{
    PyObject *below;
    int result;

    PYB_ASSERT(PyList_CheckExact(list) && PyType_Check(type));
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

/* The types are listed, and so kept alive, before the first callback, which
   may do anything. */
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

void
pyb_type_retire(PyTypeObject *type)
{
    PyType_Modified(type);
    type->tp_versions_used = RETIRED;
    forget_tag(type, NULL); /* a watcher may have given it one */
}

/* What was there is released after the change is known: a cached lookup does
   not own what it found. */
int
pyb_type_put(PyTypeObject *type, PyObject *name, PyObject *value)
{
    PyObject *key = Py_NewRef(name), *old = NULL;
    int result;

    PYB_ASSERT(PyUnicode_Check(name) && PyDict_Check(type->tp_dict));
    PyUnicode_InternInPlace(&key);
    if (value == NULL) {
        result = PyDict_Pop(type->tp_dict, key, &old);
    } else {
        result = PyDict_GetItemRef(type->tp_dict, key, &old);
        if (result >= 0)
            result = PyDict_SetItem(type->tp_dict, key, value) < 0 ? -1 : 1;
    }
    PyType_Modified(type);
    Py_XDECREF(old);
    Py_DECREF(key);
    return result;
}

int
pyb_type_put_string(PyTypeObject *type, const char *name, PyObject *value)
{
    PyObject *text = PyUnicode_FromString(name);
    int result = text != NULL ? pyb_type_put(type, text, value) : -1;

    Py_XDECREF(text);
    return result;
}
