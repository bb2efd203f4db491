/* containers.c: the churn of lists, tuples and dicts.

   Lists and tuples are made of a size and filled, dicts grow as they are
   filled; the items are None.  The size of a row is the number of items; in
   the rows "-mixed" it goes round from 0 to the size, and 1000 objects are
   alive.  CPython keeps up to 80 lists and dicts, and 2000 tuples of each
   size up to 20, in free lists of its own. */

#include "nodes.h"

enum { OPERATIONS = 30000, WINDOW = 1000, KEYS = 30 };

static PyObject *keys[KEYS];

static inline PyObject *
list_new(size_t items)
{
    PyObject *list = PyList_New((Py_ssize_t)items);

    if (list == NULL)
        bench_fail("no memory");
    for (size_t i = 0; i < items; i++)
        PyList_SET_ITEM(list, (Py_ssize_t)i, Py_NewRef(Py_None));
    return list;
}

static inline PyObject *
tuple_new(size_t items)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)items);

    if (tuple == NULL)
        bench_fail("no memory");
    for (size_t i = 0; i < items; i++)
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, Py_NewRef(Py_None));
    return tuple;
}

static inline PyObject *
dict_new(size_t items)
{
    PyObject *dict = PyDict_New();

    if (dict == NULL)
        bench_fail("no memory");
    for (size_t i = 0; i < items; i++)
        if (PyDict_SetItem(dict, keys[i], Py_None) < 0)
            bench_fail("no memory");
    return dict;
}

/* Nanoseconds for the making and the end of an object. */
#define CHURN(make)                                                           \
    double start = bench_now();                                               \
    for (int i = 0; i < OPERATIONS; i++)                                      \
        Py_DECREF(make);                                                      \
    return (bench_now() - start) / OPERATIONS

/* The same, of all sizes; an object lives until so many others were made. */
#define CHURN_MIXED(make)                                                     \
    static PyObject *alive[WINDOW];                                           \
    double start = bench_now();                                               \
    for (size_t i = 0; i < OPERATIONS; i++)                                   \
        Py_XSETREF(alive[i % WINDOW], make(i % (size + 1)));                  \
    return (bench_now() - start) / OPERATIONS

static double
list(size_t size)
{
    CHURN(list_new(size));
}

static double
tuple(size_t size)
{
    CHURN(tuple_new(size));
}

static double
dict(size_t size)
{
    CHURN(dict_new(size));
}

static double
list_mixed(size_t size)
{
    CHURN_MIXED(list_new);
}

static double
tuple_mixed(size_t size)
{
    CHURN_MIXED(tuple_new);
}

static double
dict_mixed(size_t size)
{
    CHURN_MIXED(dict_new);
}

static void
make_keys(size_t size)
{
    if (size > KEYS)
        bench_fail("at most %d keys", KEYS);
    for (int i = 0; i < KEYS; i++)
        if ((keys[i] = PyUnicode_FromFormat("key%d", i)) == NULL)
            bench_fail("no memory");
}

static const struct bench_row rows[] = {
    {"list", .round = list},
    {"tuple", .round = tuple},
    {"dict", .begin = make_keys, .round = dict},
    {"list-mixed", .round = list_mixed},
    {"tuple-mixed", .round = tuple_mixed},
    {"dict-mixed", .begin = make_keys, .round = dict_mixed},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
