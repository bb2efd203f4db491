/* setops.c: operations on a set and an object with elements.

   All are walks over elements with their hashes.  A step may run foreign code,
   by comparing, and that may change the objects walked: the walk then goes on
   with their present contents. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/set/set.h"

/* The tables of a walk's steps: elements are looked up in one table, and
   results go to another, which may be the same. */
struct work {
    PyDictObject *in, *out;
};

/* A step for an element: 0: the walk goes on, 1: it ends here, -1 with an
   exception. */
typedef int (*step)(struct work *work, PyObject *key, Py_hash_t hash);

/* ------------------------------------------------------------------ */
/* Walks                                                               */

/* The table that has the elements of source, or NULL. */
static PyDictObject *
table_of(PyObject *source)
{
    if (PyAnySet_Check(source))
        return PYB_SET_TABLE(source);
    return PyDict_CheckExact(source) ? (PyDictObject *)source : NULL;
}

/* Calls do_step for the keys of a table.  0 at the end, or what the last step
   returned. */
static int
each_key(PyDictObject *mp, step do_step, struct work *work)
{
    struct pyb_dict_entry *entry;
    Py_ssize_t pos = 0;
    int result = 0;

    while (result == 0 && (entry = pyb_dict_next(mp, &pos)) != NULL) {
        PyObject *key = Py_NewRef(entry->key);
        PYB_ASSERT(entry->hash != -1);
        result = do_step(work, key, entry->hash);
        Py_DECREF(key);
    }
    return result;
}

/* Calls do_step for the items of an iterable. */
static int
each_item(PyObject *iterable, step do_step, struct work *work)
{
    PyObject *it = PyObject_GetIter(iterable), *key;
    int result = 0;

    if (it == NULL)
        return -1;
    while (result == 0) {
        int more = PyIter_NextItem(it, &key);
        if (more <= 0) {
            result = more;
            break;
        }
        Py_hash_t hash = pyb_dict_hash(key);
        result = hash == -1 ? -1 : do_step(work, key, hash);
        Py_DECREF(key);
    }
    Py_DECREF(it);
    return result;
}

/* Calls do_step for the elements of source, in the fastest way. */
static int
each(PyObject *source, step do_step, struct work *work)
{
    PyDictObject *mp = table_of(source);

    return mp != NULL ? each_key(mp, do_step, work)
                      : each_item(source, do_step, work);
}

/* ------------------------------------------------------------------ */
/* Steps                                                               */

static int
add(struct work *work, PyObject *key, Py_hash_t hash)
{
    return pyb_dict_insert(work->out, key, hash, Py_None);
}

static int
discard(struct work *work, PyObject *key, Py_hash_t hash)
{
    return pyb_dict_discard(work->out, key, hash) < 0 ? -1 : 0;
}

static int
toggle(struct work *work, PyObject *key, Py_hash_t hash)
{
    int found = pyb_dict_discard(work->out, key, hash);

    if (found == 0)
        return add(work, key, hash);
    return found < 0 ? -1 : 0;
}

static int
add_if_present(struct work *work, PyObject *key, Py_hash_t hash)
{
    int found = pyb_dict_has(work->in, key, hash);

    return found > 0 ? add(work, key, hash) : found;
}

static int
discard_if_present(struct work *work, PyObject *key, Py_hash_t hash)
{
    int found = pyb_dict_has(work->in, key, hash);

    return found > 0 ? discard(work, key, hash) : found;
}

static int
stop_if_present(struct work *work, PyObject *key, Py_hash_t hash)
{
    return pyb_dict_has(work->in, key, hash);
}

static int
stop_if_absent(struct work *work, PyObject *key, Py_hash_t hash)
{
    int found = pyb_dict_has(work->in, key, hash);

    return found < 0 ? -1 : !found;
}

/* ------------------------------------------------------------------ */
/* Operations                                                          */

/* Is other a set or frozenset with more elements than op? */
static int
is_larger_set(PyObject *other, PyObject *op)
{
    return PyAnySet_Check(other) && PySet_GET_SIZE(other) > PySet_GET_SIZE(op);
}

/* Makes the smaller of two sets the one that is walked; the other is looked
   into. */
static void
swap(PyObject **a, PyObject **b)
{
    PyObject *kept = *a;

    *a = *b;
    *b = kept;
}

int
pyb_set_update(PyObject *op, PyObject *other)
{
    PyDictObject *mp = PYB_SET_TABLE(op);

    if (mp->ma_used == 0 && PyAnySet_Check(other)) {
        pyb_dict_clear(mp); /* removed elements leave entries */
        return pyb_dict_clone(mp, PYB_SET_TABLE(other));
    }
    return each(other, add, &(struct work){.out = mp});
}

int
pyb_set_difference_update(PyObject *op, PyObject *other)
{
    PyDictObject *mp = PYB_SET_TABLE(op);

    if (op == other) {
        pyb_dict_clear(mp);
        return 0;
    }
    if (is_larger_set(other, op))
        return each_key(mp, discard_if_present,
                        &(struct work){PYB_SET_TABLE(other), mp});
    return each(other, discard, &(struct work){.out = mp});
}

int
pyb_set_symmetric_update(PyObject *op, PyObject *other)
{
    struct work work = {.out = PYB_SET_TABLE(op)};

    if (op == other) {
        pyb_dict_clear(work.out);
        return 0;
    }
    if (table_of(other) != NULL)
        return each_key(table_of(other), toggle, &work);

    /* An item that occurs twice must be toggled once. */
    PyObject *distinct = PySet_New(other);
    if (distinct == NULL)
        return -1;
    int result = each_key(PYB_SET_TABLE(distinct), toggle, &work);
    Py_DECREF(distinct);
    return result;
}

PyObject *
pyb_set_intersection(PyObject *op, PyObject *other)
{
    if (op == other)
        return pyb_set_like(op, op);

    PyObject *result = pyb_set_like(op, NULL);
    if (result == NULL)
        return NULL;
    if (is_larger_set(other, op))
        swap(&op, &other);
    struct work work = {PYB_SET_TABLE(op), PYB_SET_TABLE(result)};
    if (each(other, add_if_present, &work) < 0)
        Py_CLEAR(result);
    return result;
}

/* ------------------------------------------------------------------ */
/* Relations                                                           */

int
pyb_set_is_disjoint(PyObject *op, PyObject *other)
{
    if (op == other)
        return PySet_GET_SIZE(op) == 0;
    if (is_larger_set(other, op))
        swap(&op, &other);
    int found =
        each(other, stop_if_present, &(struct work){.in = PYB_SET_TABLE(op)});
    return found < 0 ? -1 : !found;
}

int
pyb_set_is_superset(PyObject *op, PyObject *other)
{
    if (is_larger_set(other, op))
        return 0;
    int missing =
        each(other, stop_if_absent, &(struct work){.in = PYB_SET_TABLE(op)});
    return missing < 0 ? -1 : !missing;
}

int
pyb_set_is_subset(PyObject *op, PyObject *other)
{
    PYB_ASSERT_OBJECT(PyAnySet_Check(op), op);
    if (PyAnySet_Check(other))
        return pyb_set_is_superset(other, op);

    PyObject *common = pyb_set_intersection(op, other);
    if (common == NULL)
        return -1;
    int result = PySet_GET_SIZE(common) == PySet_GET_SIZE(op);
    Py_DECREF(common);
    return result;
}

/* A set's own size, even if a subtype defines __len__.  -1 with an
   exception. */
static Py_ssize_t
size_of(PyObject *op)
{
    return PyAnySet_Check(op) ? PySet_GET_SIZE(op) : PyObject_Size(op);
}

/* Can a op b be true for these sizes? */
static int
sizes_allow(Py_ssize_t a, Py_ssize_t b, int op)
{
    switch (op) {
    case Py_LT:
        return a < b;
    case Py_LE:
        return a <= b;
    case Py_GT:
        return a > b;
    case Py_GE:
        return a >= b;
    default:
        PYB_ASSERT(op == Py_EQ || op == Py_NE);
        return a == b;
    }
}

PyObject *
pyb_set_compare(PyObject *a, PyObject *b, int op,
                int (*contained)(PyObject *, PyObject *))
{
    Py_ssize_t na = size_of(a), nb = na < 0 ? -1 : size_of(b);
    int result = 0;

    if (nb < 0)
        return NULL;
    if (sizes_allow(na, nb, op))
        result =
            op == Py_GT || op == Py_GE ? contained(b, a) : contained(a, b);
    if (result < 0)
        return NULL;
    return PyBool_FromLong(op == Py_NE ? !result : result);
}
