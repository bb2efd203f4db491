/* dict_semantics.c: dictionaries: order of insertion, deletion, merging,
   changes while iterating, keys that compare badly, views and their sets.
   Manual: "Dictionary Objects". */

#include "oracle.h"

static PyObject *changing;

static Py_hash_t
same_hash(PyObject *op)
{
    return 77;
}

static PyObject *
compare(PyObject *a, PyObject *b, int op)
{
    const char *name = ((struct actor *)a)->name;

    if (strcmp(name, "raises") == 0 ||
        (Py_TYPE(b) == Py_TYPE(a) &&
         strcmp(((struct actor *)b)->name, "raises") == 0))
        return PyErr_Format(PyExc_ValueError, "cannot compare");
    if (changing != NULL) {
        PyObject *dict = changing;

        changing = NULL;
        PyDict_Clear(dict);
    }
    Py_RETURN_FALSE;
}

static PyTypeObject Key = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Key",
    .tp_base = &Actor_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_hash = same_hash,
    .tp_richcompare = compare,
};

static void
order(void)
{
    PyObject *dict =
        need(Py_BuildValue("{sisisisi}", "z", 1, "a", 2, "m", 3, "b", 4));
    PyObject *other = need(Py_BuildValue("{sisi}", "a", 20, "new", 5));
    PyObject *pairs = need(Py_BuildValue("[(si)(ss)]", "q", 1, "r", "s"));
    PyObject *bad = need(Py_BuildValue("[(si)(sss)]", "x", 1, "a", "b", "c"));

    PyDict_DelItemString(dict, "a");
    show_kept("one gone", dict);
    RESULT(PyDict_Merge(dict, other, 0));
    RESULT(PyDict_SetItemString(dict, "z", Py_None));
    show_kept("merged", dict);
    RESULT(PyDict_Merge(dict, other, 1));
    show_kept("overridden", dict);
    RESULT(PyDict_MergeFromSeq2(dict, pairs, 1));
    RESULT(PyDict_MergeFromSeq2(dict, bad, 1));
    RESULT(PyDict_MergeFromSeq2(dict, other, 1));
    show_kept("more", dict);
    SHOW(PyObject_CallMethod(dict, "popitem", NULL));
    SHOW(PyObject_CallMethod(dict, "pop", "s", "missing"));
    SHOW(PyObject_CallMethod(dict, "pop", "si", "missing", 5));
    SHOW(PyDict_Items(other));
    PyDict_Clear(other);
    SHOW(PyObject_CallMethod(other, "popitem", NULL));
    drop_all(dict, other, pairs, bad);
}

static void
iterate(const char *label, int what)
{
    PyObject *dict = need(Py_BuildValue("{sisisi}", "a", 1, "b", 2, "c", 3));
    PyObject *iter = need(PyObject_GetIter(dict));

    say("%s", label);
    show("    first", PyIter_Next(iter));
    if (what == 0)
        PyDict_SetItemString(dict, "d", Py_None);
    if (what == 1)
        PyDict_SetItemString(dict, "a", Py_None);
    if (what == 2)
        PyDict_DelItemString(dict, "c");
    if (what == 3) {
        PyDict_DelItemString(dict, "b");
        PyDict_SetItemString(dict, "x", Py_None);
    }
    for (int i = 0; i < 4; i++)
        show("    next", PyIter_Next(iter));
    drop_all(iter, dict);
}

static void
keys(void)
{
    PyObject *dict = need(PyDict_New());
    struct actor *one = actor_new(&Key, "one"), *two = actor_new(&Key, "two");
    struct actor *raises = actor_new(&Key, "raises");

    RESULT(PyDict_SetItem(dict, (PyObject *)one, Py_None));
    RESULT(PyDict_SetItem(dict, (PyObject *)two, Py_None));
    RESULT(PyDict_SetItem(dict, (PyObject *)one, Py_True));
    RESULT(PyDict_Size(dict));
    RESULT(PyDict_SetItem(dict, (PyObject *)raises, Py_None));
    RESULT(PyDict_Contains(dict, (PyObject *)raises));
    RESULT(PyDict_DelItem(dict, (PyObject *)raises));
    RESULT(PyDict_Size(dict));
    changing = dict;
    RESULT(PyDict_Contains(dict, (PyObject *)two));
    RESULT(PyDict_Size(dict));
    drop_all(one, two, raises, dict);
}

static PyObject *
sorted(PyObject *set)
{
    PyObject *list = set != NULL ? PySequence_List(set) : NULL;

    Py_XDECREF(set);
    if (list != NULL)
        PyList_Sort(list);
    return list;
}

static void
views(void)
{
    PyObject *a = need(Py_BuildValue("{iiiiii}", 1, 1, 2, 2, 3, 3));
    PyObject *b = need(Py_BuildValue("{iiii}", 3, 3, 4, 4));
    PyObject *k = need(PyObject_CallMethod(a, "keys", NULL));
    PyObject *v = need(PyObject_CallMethod(a, "values", NULL));
    PyObject *i = need(PyObject_CallMethod(a, "items", NULL));
    PyObject *kb = need(PyObject_CallMethod(b, "keys", NULL));

    show_kept("keys", k);
    show_kept("values", v);
    show_kept("items", i);
    SHOW(sorted(PyNumber_And(k, kb)));
    SHOW(sorted(PyNumber_Or(k, kb)));
    SHOW(sorted(PyNumber_Subtract(k, kb)));
    SHOW(sorted(PyNumber_Xor(k, kb)));
    SHOW(PyNumber_And(v, kb));
    SHOW(PyObject_RichCompare(k, kb, Py_LT));
    SHOW(PyObject_RichCompare(v, v, Py_LT));
    RESULT(PySequence_Contains(v, Py_None));
    RESULT(PyObject_Size(i));
    PyDict_SetItemString(a, "x", a);
    show_kept("items", i);
    visits("keys", k);
    PyDict_Clear(a);
    show_kept("items", i);
    drop_all(a, b, k, v, i, kb);
}

/* A subclass has the slots of a sequence that __getitem__ fills. */
static void
subclass(void)
{
    PyObject *type =
        call_type(&PyType_Type, "s(O){}", "D", (PyObject *)&PyDict_Type);
    PyObject *op = need(PyObject_CallNoArgs(type)), *dict = PyDict_New();
    PyObject *one = PyLong_FromLong(1);

    PyObject_SetItem(op, one, Py_None);
    SHOW(PySequence_GetItem(op, 1));
    SHOW(PySequence_GetItem(op, 7));
    SHOW(PySequence_GetItem(dict, 1));
    RESULT(PySequence_Check(op));
    RESULT(PySequence_Contains(op, one));
    SHOW(PyObject_CallMethod(op, "__getitem__", "i", 1));
    SHOW(PyObject_CallMethod(op, "__getitem__", NULL));
    SHOW(PyObject_CallMethod(op, "__contains__", "i", 1));
    SHOW(PyObject_GetAttrString((PyObject *)&PyDict_Type, "__getitem__"));
    SHOW(PyObject_GetAttrString((PyObject *)&PyList_Type, "__getitem__"));
    drop_all(op, dict, one, type);
}

void
oracle_program(void)
{
    need_ready(&Key);
    subclass();
    order();
    iterate("a key is added", 0);
    iterate("a value is changed", 1);
    iterate("a key is taken away", 2);
    iterate("one key for another", 3);
    keys();
    views();
    collect();
}
