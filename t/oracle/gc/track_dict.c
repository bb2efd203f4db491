/* track_dict.c: a dict is tracked when something is put in that may be part of
   a cycle; a full collection untracks it when that is gone.
   Manual: Python's "gc": "is_tracked": "some type-specific optimizations". */

#include "oracle.h"

static PyObject *dict;

static void
tell(const char *when)
{
    say("%s: %d items, tracked %d", when, (int)PyDict_Size(dict),
        PyObject_GC_IsTracked(dict));
}

static void
put(const char *key, PyObject *value)
{
    if (PyDict_SetItemString(dict, key, need(value)) < 0)
        need(NULL);
    Py_DECREF(value);
    tell(key);
}

static void
copies(void)
{
    PyObject *copy = need(PyDict_Copy(dict));
    PyObject *updated = need(PyDict_New());

    say("copied: tracked %d", PyObject_GC_IsTracked(copy));
    if (PyDict_Update(updated, dict) < 0)
        need(NULL);
    say("updated: tracked %d", PyObject_GC_IsTracked(updated));
    drop_all(copy, updated);
}

/* A dict of the youngest generation is kept tracked by its collection, too. */
static void
young(void)
{
    dict = need(PyDict_New());
    put("a list", PyList_New(0));
    PyDict_Clear(dict);
    collect_generation(0);
    tell("young, collected");
    collect_generation(1);
    tell("older, collected");
    collect_generation(2);
    tell("old, collected");
    Py_DECREF(dict);
}

void
oracle_program(void)
{
    dict = need(PyDict_New());
    tell("new");
    put("an int", PyLong_FromLong(1));
    put("a str", PyUnicode_FromString("x"));
    put("an empty tuple", PyTuple_New(0));
    put("None", Py_NewRef(Py_None));
    copies();
    put("a list", PyList_New(0));
    copies();
    collect();
    tell("collected");
    if (PyDict_DelItemString(dict, "a list") < 0)
        need(NULL);
    tell("without the list");
    collect_generation(1);
    tell("collected but the oldest");
    collect();
    tell("collected");
    put("a dict", PyDict_New());
    put("itself", Py_NewRef(dict));
    PyDict_Clear(dict);
    tell("cleared");
    collect();
    tell("collected");
    put("itself", Py_NewRef(dict));
    Py_DECREF(dict);
    collect();
    young();
}
