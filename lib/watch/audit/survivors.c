/* survivors.c: members of a condemned set that are alive after tp_clear.  See
   survivors.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/cycle.h"
#include "gc/marking.h"
#include "watch/audit/survivors.h"

static uint32_t *
gcref_of(const PyObject *op)
{
    PYB_ASSERT_OBJECT(pyb_region_of(op) != NULL, op);
    return pyb_region_gcref(pyb_region_of(op), op);
}

uint32_t
pyb_survivors_place(const struct pyb_survivors *survivors, const PyObject *op)
{
    uint32_t gcref;

    if (pyb_region_of(op) == NULL)
        return PYB_NOWHERE;
    gcref = *gcref_of(op);
    return gcref != 0 && gcref <= survivors->n &&
                   survivors->objects[gcref - 1] == op
               ? gcref - 1
               : PYB_NOWHERE;
}

static void
enter_places(const struct pyb_survivors *survivors)
{
    for (uint32_t i = 0; i < survivors->n; i++) {
        uint32_t *gcref = gcref_of(survivors->objects[i]);

        PYB_ASSERT_OBJECT(*gcref == 0, survivors->objects[i]);
        *gcref = i + 1;
    }
}

static void
strike_places(const struct pyb_survivors *survivors)
{
    for (uint32_t i = 0; i < survivors->n; i++) {
        uint32_t *gcref = gcref_of(survivors->objects[i]);

        PYB_ASSERT_OBJECT(*gcref == i + 1, survivors->objects[i]);
        *gcref = 0;
    }
}

static void
collect_living(struct pyb_survivors *survivors, const struct pyb_set *set)
{
    PYB_FOR_EACH (op, i, pyb_condemned_walk(set))
        if (op->ob_refcnt > 0) {
            PYB_ASSERT_OBJECT(Py_TYPE(op)->tp_traverse != NULL, op);
            survivors->objects[survivors->n++] = op;
        }
}

int
pyb_survivors_begin(struct pyb_survivors *survivors, const struct pyb_set *set)
{
    size_t n = pyb_walk_count(pyb_condemned_walk(set));

    *survivors = (struct pyb_survivors){NULL, 0, set};
    if (n >= UINT32_MAX)
        return -1;
    survivors->objects = calloc(n + 1, sizeof(PyObject *));
    if (survivors->objects == NULL)
        return -1;
    collect_living(survivors, set);
    PYB_ASSERT(survivors->n <= n);
    enter_places(survivors);
    if (survivors->n > 0)
        return 0;
    pyb_survivors_end(survivors);
    return -1;
}

void
pyb_survivors_end(struct pyb_survivors *survivors)
{
    strike_places(survivors);
    free(survivors->objects);
}

/* Deduces which survivors are dead; their gcrefs must be zero.  Adopted
   objects count as alive, since Boehm, which is not asked here, decides about
   them. */
static int
deduce(const struct pyb_survivors *survivors, struct pyb_walk walk)
{
    int sound = pyb_cycle_deduce(walk, PYB_UNTRACK_NONE).sound;

    for (uint32_t i = 0; i < survivors->n; i++) {
        PyObject *op = survivors->objects[i];

        if (pyb_is_adopted(op) && pyb_cycle_is_dead(op))
            pyb_marking_resurrect(op, walk);
    }
    return sound;
}

void
pyb_survivors_narrow(struct pyb_survivors *survivors)
{
    PyObject **dead = malloc(survivors->n * sizeof(PyObject *) + 1);
    uint32_t n = 0;

    PYB_ASSERT(pyb_condemned.busy); /* the set is as it was */
    strike_places(survivors);
    if (dead != NULL) {
        struct pyb_walk walk = pyb_condemned_walk(survivors->set);

        if (deduce(survivors, walk))
            for (uint32_t i = 0; i < survivors->n; i++)
                if (pyb_cycle_is_dead(survivors->objects[i]))
                    dead[n++] = survivors->objects[i];
        pyb_cycle_forget(walk);
        memcpy(survivors->objects, dead, n * sizeof *dead);
    }
    free(dead);
    PYB_ASSERT(n <= survivors->n);
    survivors->n = n;
    enter_places(survivors);
}
