/* gc_search.c: get_referents, get_referrers and is_tracked: what containers of
   each kind own, and what owns them.
   Manual: module gc, get_referents, get_referrers, is_tracked. */

#include "oracle.h"

static int
compare(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static const char *
name_of(PyObject *op)
{
    if (Py_TYPE(op)->tp_dealloc == actor_dealloc)
        return ((struct actor *)op)->name;
    return PyType_Check(op) ? ((PyTypeObject *)op)->tp_name
                            : Py_TYPE(op)->tp_name;
}

/* The names of what is in the list, in alphabetical order. */
static void
tell(const char *label, PyObject *list)
{
    const char *names[32];
    size_t n = 0;
    char line[512] = "";

    if (list == NULL) {
        show_kept(label, list);
        return;
    }
    for (; n < (size_t)PyList_GET_SIZE(list) && n < 32; n++)
        names[n] = name_of(PyList_GET_ITEM(list, n));
    qsort(names, n, sizeof names[0], compare);
    for (size_t i = 0; i < n; i++)
        sprintf(line + strlen(line), " %s", names[i]);
    say("%s:%s", label, line);
    Py_DECREF(list);
}

static void
both(const char *label, void *op)
{
    char line[64];

    snprintf(line, sizeof line, "%s owns", label);
    tell(line, gc_call("get_referents", "(O)", op));
    snprintf(line, sizeof line, "%s is owned by", label);
    tell(line, gc_call("get_referrers", "(O)", op));
}

static void
owned_by(PyObject *container, const char *label, struct actor *a)
{
    char line[64];

    snprintf(line, sizeof line, "a %s, tracked %d", label,
             PyObject_GC_IsTracked(container));
    both(line, a);
    tell("    it owns", gc_call("get_referents", "(O)", container));
    Py_DECREF(container);
}

void
oracle_program(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");
    struct actor *b = actor_new(&Actor_Type, "b");
    PyObject *list = need(Py_BuildValue("[OOO]", a, b, a));
    PyObject *iter;

    actor_set(a, 0, b);
    actor_set(a, 1, b);
    both("a", a);
    both("b", b);
    tell("both", gc_call("get_referrers", "(OO)", a, b));
    tell("both own", gc_call("get_referents", "(OO)", a, b));
    both("list", list);
    Py_DECREF(list);
    owned_by(need(Py_BuildValue("(Oi)", a, 1)), "tuple", a);
    owned_by(need(Py_BuildValue("{iO}", 1, a)), "dict's value", a);
    owned_by(need(Py_BuildValue("{OO}", a, Py_None)), "dict's key", a);
    owned_by(need(PyCell_New((PyObject *)a)), "cell", a);
    owned_by(need(PyWeakref_NewRef((PyObject *)a, NULL)), "weakref", a);
    owned_by(need(PySlice_New((PyObject *)a, NULL, NULL)), "slice", a);
    list = gc_call("get_referents", "(N)", Py_BuildValue("{sO}", "key", a));
    differs("tp_traverse visits each object that is owned; CPython leaves out "
            "the keys where all are strings",
            "2", "1", text("%ld", (long)PyList_GET_SIZE(list)));
    Py_DECREF(list);
    list = need(Py_BuildValue("[O]", a));
    iter = need(PyObject_GetIter(list));
    both("its iterator", iter);
    tell("list with an iterator", gc_call("get_referrers", "(O)", list));
    Py_DECREF(iter);
    owned_by(need(PySet_New(list)), "set", a);
    owned_by(need(PyFrozenSet_New(list)), "frozenset", a);
    Py_DECREF(list);
    PyObject_GC_UnTrack((PyObject *)a);
    both("b, a untracked", b);
    PyObject_GC_Track((PyObject *)a);
    both("number", PyLong_FromLong(100000));
    both("string", PyUnicode_FromString("text"));
    drop_all(a, b);
}
