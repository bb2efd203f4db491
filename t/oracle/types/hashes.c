/* hashes.c: hashes that are the same everywhere, given the same seed.  Manual:
   "PyHash API", "PYTHONHASHSEED". */

#include "oracle.h"

static void
hash_of(const char *what, PyObject *op)
{
    say("%s: %zd", what, PyObject_Hash(op));
    Py_DECREF(op);
}

/* Of each length around the words that are hashed at once. */
static void
texts(void)
{
    char text[41] = "";

    for (int n = 0; n <= 40; n++) {
        hash_of("bytes", PyBytes_FromStringAndSize(text, n));
        hash_of("str", PyUnicode_FromStringAndSize(text, n));
        if (n < 40)
            text[n] = (char)(' ' + 2 * n);
    }
    hash_of("bytes above 127", PyBytes_FromString("\377\200\201\376"));
}

static void
numbers(void)
{
    static const double floats[] = {0.5, -0.5, 1e300, -7.25, 1e-310, 2e19};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(floats); i++)
        hash_of("float", PyFloat_FromDouble(floats[i]));
    for (int shift = 0; shift < 60; shift += 3)
        hash_of("int", PyLong_FromLongLong(-(3LL << shift)));
    hash_of("complex", PyComplex_FromDoubles(1.5, -2.5));
}

/* Of each size up to one for which a table grows. */
static void
frozensets(void)
{
    PyObject *ints = PySet_New(NULL);

    for (long i = 0; i < 40; i++) {
        hash_of("frozenset", PyFrozenSet_New(ints));
        PyObject *key = PyLong_FromLong(i * i * i - 5);
        PySet_Add(ints, key);
        Py_DECREF(key);
    }
    PyObject *key = PyFrozenSet_New(ints);
    PySet_Add(ints, key);
    Py_DECREF(key);
    hash_of("frozenset in a frozenset", PyFrozenSet_New(ints));
    Py_DECREF(ints);
}

void
oracle_program(void)
{
    texts();
    numbers();
    frozensets();
}
