/* collector.c: what the tests of the module gc have in common; see
   collector.h. */

#include "collector.h"

#include <string.h>

#include "suite.h"

PyObject *gc;
struct collector_noted collector_noted;

void
collector_begin(void)
{
    gc = suite_require(PyImport_ImportModule("gc"));
    node_reset();
    PyGC_Collect();
    node_reset();
}

void
collector_end(void)
{
    Py_CLEAR(gc);
}

Py_ssize_t
collector_count_in(PyObject *list, void *op)
{
    Py_ssize_t count = 0;

    ck_assert_int_eq(PyList_CheckExact(list), 1);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
        count += PyList_GET_ITEM(list, i) == (PyObject *)op;
    return count;
}

Py_ssize_t
collector_take_count(PyBoehm_GC_Objects *objects, void *op)
{
    Py_ssize_t count = 0;

    for (Py_ssize_t i = 0; i < objects->n; i++)
        count += objects->items[i] == (PyObject *)op;
    PyBoehm_GC_FreeObjects(objects);
    ck_assert_int_eq(objects->n, 0);
    ck_assert_ptr_null(objects->items);
    return count;
}

void
collector_assert_lists(PyObject *list, void *op, Py_ssize_t times)
{
    ck_assert_ptr_nonnull(list);
    ck_assert_int_eq(collector_count_in(list, op), times);
    Py_DECREF(list);
}

int
collector_generation_of(void *op)
{
    PyBoehm_GC_Objects objects;
    int found = -1;

    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        ck_assert_int_eq(PyBoehm_GC_GetObjects(i, &objects), 0);
        Py_ssize_t here = collector_take_count(&objects, op);
        collector_assert_lists(GC("get_objects", "i", i), op, here);
        if (here > 0) {
            ck_assert_int_eq(found, -1);
            found = i;
        }
    }
    return found;
}

void
collector_note(const char *phase, const PyBoehm_GC_Info *info, void *arg)
{
    int g = info->generation;

    ck_assert_ptr_eq(arg, &collector_noted);
    if (strcmp(phase, "start") == 0) {
        collector_noted.starts[g]++;
        collector_noted.order_broken |=
            info->collected != 0 || info->uncollectable != 0;
    } else {
        ck_assert_str_eq(phase, "stop");
        collector_noted.stops[g]++;
        collector_noted.collected += info->collected;
        collector_noted.uncollectable += info->uncollectable;
    }
    collector_noted.order_broken |=
        collector_noted.starts[g] - collector_noted.stops[g] !=
        (strcmp(phase, "start") == 0);
}

void
collector_note_all(void)
{
    memset(&collector_noted, 0, sizeof collector_noted);
    ck_assert_int_eq(PyBoehm_GC_AddCallback(collector_note, &collector_noted),
                     0);
}
