/* visit_sequences.c: what built-in rows, sets and dicts visit.
   Manual: "traverseproc": "Implementations must call the visit function for
   each object directly contained by self". */

#include "oracle.h"

static PyObject *a, *b, *c; /* actors */

static void
rows(void)
{
    PyObject *tuple = need(PyTuple_New(3)), *list = need(PyList_New(3));

    visits("tuple of nothing yet", tuple);
    visits("list of nothing yet", list);
    PyTuple_SET_ITEM(tuple, 1, Py_NewRef(b));
    PyList_SET_ITEM(list, 1, Py_NewRef(b));
    visits("tuple of one", tuple);
    visits("list of one", list);
    PyTuple_SET_ITEM(tuple, 0, Py_NewRef(a));
    PyList_SET_ITEM(list, 0, Py_NewRef(a));
    PyTuple_SET_ITEM(tuple, 2, Py_NewRef(c));
    PyList_SET_ITEM(list, 2, Py_NewRef(c));
    visits("tuple", tuple);
    visits("list", list);
    PyList_Append(list, a);
    visits("list with one twice", list);
    PyList_SetSlice(list, 1, 3, NULL);
    visits("list without the middle", list);
    drop_all(tuple, list);
}

static void
sets(void)
{
    PyObject *set = need(PySet_New(NULL)), *frozen;

    visits("empty set", set);
    PySet_Add(set, a);
    PySet_Add(set, a);
    visits("set", set);
    frozen = need(PyFrozenSet_New(set));
    visits("frozenset", frozen);
    PySet_Discard(set, a);
    visits("set without its element", set);
    drop_all(set, frozen);
}

static void
dicts(void)
{
    PyObject *dict = need(PyDict_New());

    visits("empty dict", dict);
    PyDict_SetItem(dict, a, b);
    PyDict_SetItem(dict, c, Py_None);
    visits("dict with keys that are containers", dict);
    PyDict_Clear(dict);
    visits("cleared dict", dict);
    Py_DECREF(dict);
}

/* CPython leaves out the keys of a dict that has only str keys. */
static int
visit_actor(PyObject *op, void *arg)
{
    if (Py_TYPE(op) == &Actor_Type)
        printf(" %s", ((struct actor *)op)->name);
    return 0;
}

static int
visit_str(PyObject *op, void *arg)
{
    *(int *)arg += PyUnicode_Check(op);
    return 0;
}

static void
string_keys(void)
{
    PyObject *dict = need(PyDict_New());
    int strings = 0;

    PyDict_SetItemString(dict, "x", a);
    PyDict_SetItemString(dict, "y", b);
    PyDict_SetItemString(dict, "z", c);
    PyDict_DelItemString(dict, "y");
    PyDict_SetItemString(dict, "x", b);
    printf("containers in a dict with string keys:");
    PyDict_Type.tp_traverse(dict, visit_actor, NULL);
    say(" ");
    PyDict_Type.tp_traverse(dict, visit_str, &strings);
    differs("a member that is part of no cycle may be skipped or visited: "
            "\"as a debugging aid you may want to visit it anyway just so "
            "the gc module's get_referents() function will include it\"",
            "2 keys", "0 keys", text("%d keys", strings));
    Py_DECREF(dict);
}

void
oracle_program(void)
{
    a = (PyObject *)actor_new(&Actor_Type, "a");
    b = (PyObject *)actor_new(&Actor_Type, "b");
    c = (PyObject *)actor_new(&Actor_Type, "c");
    rows();
    sets();
    dicts();
    string_keys();
    drop_all(a, b, c);
}
