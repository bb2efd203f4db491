/* permanent.c: objects that live as long as the process.  See permanent.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "object/module/gcmodule.h"
#include "object/type/subclasses.h"
#include "watch/why/permanent.h"

static int
reach(PyObject *op, void *arg)
{
    struct pyb_permanent *permanent = arg;
    const struct pyb_node *node = pyb_census_find(permanent->census, op);

    if (node == NULL) {
        pyb_objectset_add(&permanent->plain, op);
        return 0;
    }
    size_t number = (size_t)(node - permanent->census->nodes);
    PYB_ASSERT_OBJECT(
        permanent->is[number] || permanent->n < permanent->census->n, op);
    if (!permanent->is[number])
        permanent->queue[permanent->n++] = number;
    permanent->is[number] = 1;
    return 0;
}

static void
reach_type(PyTypeObject *type, void *arg)
{
    PyObject *const parts[] = {type->tp_dict, type->tp_bases, type->tp_mro,
                               type->tp_cache};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(parts); i++)
        if (parts[i] != NULL && !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE))
            reach(parts[i], arg);
    pyb_subclasses_each(type, reach_type, arg);
}

/* Immortal objects, and the gc module's lists while they are empty, which are
   released last. */
static int
is_root(PyObject *op)
{
    return _Py_IsImmortal(op) ||
           (pyb_gcmodule_list(op) != NULL && PyList_GET_SIZE(op) == 0);
}

void
pyb_permanent_check(const struct pyb_permanent *permanent)
{
    size_t n = 0;

    for (size_t i = 0; i < permanent->census->n; i++)
        n += permanent->is[i] != 0;
    PYB_ALWAYS(n == permanent->n, NULL,
               "others are permanent than were found");
    for (size_t i = 0; i < n; i++)
        PYB_ALWAYS(permanent->queue[i] < permanent->census->n &&
                       permanent->is[permanent->queue[i]],
                   NULL, "what was found is not permanent");
    pyb_objectset_check(&permanent->plain);
}

int
pyb_permanent_take(struct pyb_permanent *permanent,
                   const struct pyb_census *census)
{
    size_t n = census->n + 1;

    *permanent = (struct pyb_permanent){.census = census,
                                        .is = calloc(n, 1),
                                        .queue = calloc(n, sizeof(size_t))};
    if (permanent->is == NULL || permanent->queue == NULL) {
        pyb_permanent_end(permanent);
        pyb_upcalls.no_memory();
        return -1;
    }
    reach_type(&PyBaseObject_Type, permanent);
    for (size_t i = 0; i < census->n; i++)
        if (is_root(census->nodes[i].op))
            reach(census->nodes[i].op, permanent);
    for (size_t i = 0; i < permanent->n; i++) {
        PyObject *op = census->nodes[permanent->queue[i]].op;

        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, reach, permanent);
    }
    pyb_objectset_sort(&permanent->plain);
    PYB_EXPENSIVE(pyb_permanent_check(permanent));
    return 0;
}

void
pyb_permanent_end(struct pyb_permanent *permanent)
{
    free(permanent->is);
    free(permanent->queue);
    pyb_objectset_end(&permanent->plain);
}
