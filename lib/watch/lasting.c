/* lasting.c: what lives as long as the process.  See lasting.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/upcalls.h"
#include "object/gcmodule.h"
#include "object/subclasses.h"
#include "watch/lasting.h"

static int
reach(PyObject *op, void *arg)
{
    struct pyb_lasting *lasting = arg;
    const struct pyb_person *person = pyb_census_find(lasting->census, op);

    if (person == NULL) {
        pyb_plain_add(&lasting->plain, op);
        return 0;
    }
    size_t number = (size_t)(person - lasting->census->people);
    if (!lasting->is[number])
        lasting->queue[lasting->n++] = number;
    lasting->is[number] = 1;
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

/* What nobody can take away; what is dropped at the very end. */
static int
is_root(PyObject *op)
{
    return _Py_IsImmortal(op) ||
           (pyb_gcmodule_list(op) != NULL && PyList_GET_SIZE(op) == 0);
}

int
pyb_lasting_take(struct pyb_lasting *lasting, const struct pyb_census *census)
{
    size_t n = census->n + 1;

    *lasting = (struct pyb_lasting){.census = census,
                                    .is = calloc(n, 1),
                                    .queue = calloc(n, sizeof(size_t))};
    if (lasting->is == NULL || lasting->queue == NULL) {
        pyb_lasting_end(lasting);
        pyb_upcalls.no_memory();
        return -1;
    }
    reach_type(&PyBaseObject_Type, lasting);
    for (size_t i = 0; i < census->n; i++)
        if (is_root(census->people[i].op))
            reach(census->people[i].op, lasting);
    for (size_t i = 0; i < lasting->n; i++) {
        PyObject *op = census->people[lasting->queue[i]].op;

        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, reach, lasting);
    }
    pyb_plain_sort(&lasting->plain);
    return 0;
}

void
pyb_lasting_end(struct pyb_lasting *lasting)
{
    free(lasting->is);
    free(lasting->queue);
    pyb_plain_end(&lasting->plain);
}
