/* listsort.c: sorting lists: a stable merge sort.

   While the items are compared, the list is empty, and its field allocated is
   -1: changes by other code are detected afterwards, and lost.  A comparison
   that fails ends the sort; every step leaves each item in its array exactly
   once. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/list/list.h"

struct element {
    PyObject *key; /* the object compared: owned if there is a key function */
    PyObject *item;
};

/* Runs up to this length are sorted by insertion. */
enum { SHORT_RUN = 8 };

/* a < b?  1, 0, or -1 with an exception. */
static int
less(const struct element *a, const struct element *b)
{
    return PyObject_RichCompareBool(a->key, b->key, Py_LT);
}

/* Sorts a few elements. */
static int
insertion_sort(struct element *v, size_t n)
{
    PYB_ASSERT(n <= SHORT_RUN);
    for (size_t i = 1; i < n; i++) {
        struct element moved = v[i];
        size_t low = 0, high = i - 1; /* its place is in low ... high */
        int is_less = less(&moved, &v[i - 1]);

        if (is_less == 0)
            continue;
        while (is_less >= 0 && low < high) {
            size_t middle = low + (high - low) / 2;
            is_less = less(&moved, &v[middle]);
            if (is_less > 0)
                high = middle;
            else
                low = middle + 1;
        }
        if (is_less < 0)
            return -1;
        memmove(&v[low + 1], &v[low], (i - low) * sizeof(v[0]));
        v[low] = moved;
    }
    return 0;
}

/* Merges v[0 ... half) and v[half ... n), both sorted; spare has room for the
   first half.  The gap between the merged part and the rest of the second half
   is always as long as the rest in spare. */
static int
merge(struct element *v, size_t half, size_t n, struct element *spare)
{
    size_t left = 0, right = half, out = 0;
    int is_less = 0;

    PYB_ASSERT(half > 0 && half <= n - half);
    memcpy(spare, v, half * sizeof(v[0]));
    while (left < half && right < n) {
        is_less = less(&v[right], &spare[left]);
        if (is_less < 0)
            break;
        v[out++] = is_less ? v[right++] : spare[left++];
    }
    PYB_ASSERT(right - out == half - left); /* the gap */
    memcpy(&v[out], &spare[left], (half - left) * sizeof(v[0]));
    return is_less < 0 ? -1 : 0;
}

/* Sorts v; spare has room for half of it. */
static int
merge_sort(struct element *v, size_t n, struct element *spare)
{
    size_t half = n / 2;

    if (n <= SHORT_RUN)
        return insertion_sort(v, n);
    if (merge_sort(v, half, spare) < 0 ||
        merge_sort(v + half, n - half, spare) < 0)
        return -1;
    int is_less = less(&v[half], &v[half - 1]);
    if (is_less <= 0) /* in order already */
        return is_less;
    return merge(v, half, n, spare);
}

/* Fills in the keys by calling function.  0; or -1 with an exception, and then
   no key is left. */
static int
make_keys(struct element *v, Py_ssize_t n, PyObject *function)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        v[i].key = v[i].item;
        if (function == NULL)
            continue;
        v[i].key = PyObject_CallOneArg(function, v[i].item);
        if (v[i].key == NULL) {
            while (--i >= 0)
                Py_DECREF(v[i].key);
            return -1;
        }
    }
    return 0;
}

/* Sorts an array that no other code can reach. */
static int
sort_items(PyObject **items, Py_ssize_t n, PyObject *function)
{
    struct element *v =
        PyMem_New(struct element, (size_t)n + (size_t)n / 2 + 1);
    int result = -1;

    if (v == NULL)
        return PYB_MEMORY_ERROR(-1);
    for (Py_ssize_t i = 0; i < n; i++)
        v[i].item = items[i];
    if (make_keys(v, n, function) == 0) {
        result = merge_sort(v, (size_t)n, v + n);
        for (Py_ssize_t i = 0; i < n; i++)
            items[i] = v[i].item;
        if (function != NULL)
            for (Py_ssize_t i = 0; i < n; i++)
                Py_DECREF(v[i].key);
    }
    PyMem_Free(v);
    return result;
}

int
pyb_list_sort(PyListObject *self, PyObject *key, int reverse)
{
    PyObject **items = self->ob_item;
    Py_ssize_t n = Py_SIZE(self), allocated = self->allocated;
    PyListObject foreign = {.allocated = 0};
    int result;

    PYB_EXPENSIVE(pyb_list_check(self));
    PYB_ASSERT(n <= Py_MAX(allocated, 0));
    self->ob_item = NULL;
    Py_SET_SIZE(self, 0);
    self->allocated = -1;

    /* Reversed before and after, so that equal items keep their order. */
    if (reverse)
        pyb_list_reverse_items(items, n);
    result = sort_items(items, n, key);
    if (reverse)
        pyb_list_reverse_items(items, n);

    if (self->allocated != -1) {
        foreign.ob_item = self->ob_item;
        foreign.allocated = self->allocated;
        Py_SET_SIZE(&foreign, Py_SIZE(self));
        if (result == 0)
            PyErr_SetString(PyExc_ValueError, "list modified during sort");
        result = -1;
    }
    self->ob_item = items;
    Py_SET_SIZE(self, n);
    self->allocated = allocated;
    PYB_EXPENSIVE(pyb_list_check(self));
    pyb_list_clear(&foreign);
    return result;
}
