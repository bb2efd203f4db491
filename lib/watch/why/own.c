/* own.c: what is pyboehm's own.  See own.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "object/module/import.h"
#include "watch/why/own.h"

/* Notes an object; its references are followed later. */
static int
reach(PyObject *op, void *arg)
{
    struct pyb_permanent *own = arg;
    const struct pyb_node *node = pyb_census_find(own->census, op);

    if (node == NULL) {
        pyb_objectset_add(&own->plain, op);
        return 0;
    }
    size_t number = (size_t)(node - own->census->nodes);
    if (own->is[number] || PyExceptionInstance_Check(op))
        return 0;
    PYB_ASSERT_OBJECT(own->n < own->census->n, op);
    own->is[number] = 1;
    own->queue[own->n++] = number;
    return 0;
}

/* Follows the references of what has been reached since number done. */
static void
reach_all(struct pyb_permanent *own, size_t done)
{
    for (; done < own->n; done++) {
        PyObject *op = own->census->nodes[own->queue[done]].op;

        if (Py_TYPE(op)->tp_traverse != NULL && !pyb_import_is_modules(op))
            Py_TYPE(op)->tp_traverse(op, reach, own);
    }
}

int
pyb_own_take(struct pyb_permanent *own, const struct pyb_census *census)
{
    if (pyb_permanent_take(own, census) < 0)
        return -1;
    size_t done = own->n;

    for (size_t i = 0; i < census->n; i++)
        if (pyb_import_is_own(census->nodes[i].op))
            reach(census->nodes[i].op, own);
    reach_all(own, done);
    pyb_objectset_sort(&own->plain);
    PYB_EXPENSIVE(pyb_permanent_check(own));
    if (!own->plain.no_memory)
        return 0;
    pyb_own_end(own);
    pyb_upcalls.no_memory();
    return -1;
}
