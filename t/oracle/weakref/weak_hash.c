/* weak_hash.c: weak references as keys: hash and equality of the living and
   the dead.
   Manual: Python's "weakref": "ref": "They will retain their hash value even
   after the object was deleted"; "If both referents are still alive ... equal
   referents"; "If either referent has been dropped ...". */

#include "oracle.h"

/* Two equal, distinct, hashable objects that can be referred to weakly. */
static PyObject *
frozen(void)
{
    return need(
        PyObject_CallFunction((PyObject *)&PyFrozenSet_Type, "((i))", 5));
}

static void
compare(const char *label, PyObject *a, PyObject *b)
{
    say("%s: equal %d, unequal %d", label,
        PyObject_RichCompareBool(a, b, Py_EQ),
        PyObject_RichCompareBool(a, b, Py_NE));
}

static void
hashes(void)
{
    PyObject *asked = frozen(), *unasked = frozen();
    PyObject *list_like = need(PySet_New(NULL));
    PyObject *first = need(PyWeakref_NewRef(asked, NULL));
    PyObject *second = need(PyWeakref_NewRef(unasked, NULL));
    PyObject *unhashable = need(PyWeakref_NewRef(list_like, NULL));
    Py_hash_t hash = PyObject_Hash(asked);

    say("the referent's hash: %d", PyObject_Hash(first) == hash);
    drop_all(asked, unasked);
    say("kept by the dead: %d", PyObject_Hash(first) == hash);
    say("never asked: %d", (int)PyObject_Hash(second));
    error();
    say("unhashable: %d", (int)PyObject_Hash(unhashable));
    error();
    Py_DECREF(list_like);
    say("unhashable and dead: %d", (int)PyObject_Hash(unhashable));
    error();
    drop_all(first, second, unhashable);
}

static void
equality(void)
{
    PyObject *a = frozen(), *b = frozen();
    PyObject *ref_a = need(PyWeakref_NewRef(a, NULL));
    PyObject *ref_b = need(PyWeakref_NewRef(b, NULL));

    compare("both alive", ref_a, ref_b);
    compare("a reference and its referent", ref_a, a);
    show("order", PyObject_RichCompare(ref_a, ref_b, Py_LT));
    Py_DECREF(a);
    compare("one dead", ref_a, ref_b);
    Py_DECREF(b);
    compare("both dead", ref_a, ref_b);
    compare("a dead one and itself", ref_a, ref_a);
    drop_all(ref_a, ref_b);
}

static void
keys(void)
{
    PyObject *dict = need(PyDict_New()), *a = frozen(), *b = frozen();
    PyObject *ref_a = need(PyWeakref_NewRef(a, NULL));
    PyObject *ref_b = need(PyWeakref_NewRef(b, NULL));

    PyDict_SetItem(dict, ref_a, Py_True);
    say("found by an equal one: %d", PyDict_Contains(dict, ref_b));
    Py_DECREF(a);
    say("dead, found by itself: %d", PyDict_Contains(dict, ref_a));
    say("dead, found by an equal one: %d", PyDict_Contains(dict, ref_b));
    say("deleted: %d", PyDict_DelItem(dict, ref_a));
    drop_all(b, ref_a, ref_b, dict);
}

void
oracle_program(void)
{
    hashes();
    equality();
    keys();
}
