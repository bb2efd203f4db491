/* rest.c: what is left of a condemned set when its members have been cleared.
   See rest.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/adoption.h"
#include "gc/cycle.h"
#include "gc/recount.h"
#include "watch/rest.h"

static uint32_t *
cell_of(const PyObject *op)
{
    return pyb_region_cell(pyb_region_of(op), op);
}

uint32_t
pyb_rest_place(const struct pyb_rest *rest, const PyObject *op)
{
    uint32_t cell;

    if (pyb_region_of(op) == NULL)
        return PYB_NOWHERE;
    cell = *cell_of(op);
    return cell != 0 && cell <= rest->n && rest->objects[cell - 1] == op
               ? cell - 1
               : PYB_NOWHERE;
}

static void
enter_places(const struct pyb_rest *rest)
{
    for (uint32_t i = 0; i < rest->n; i++)
        *cell_of(rest->objects[i]) = i + 1;
}

static void
strike_places(const struct pyb_rest *rest)
{
    for (uint32_t i = 0; i < rest->n; i++)
        *cell_of(rest->objects[i]) = 0;
}

static void
collect_living(struct pyb_rest *rest, const struct pyb_set *set)
{
    struct pyb_walk walk = pyb_condemned_walk(set);
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL)
            if (op->ob_refcnt > 0)
                rest->objects[rest->n++] = op;
}

int
pyb_rest_begin(struct pyb_rest *rest, const struct pyb_set *set)
{
    size_t n = pyb_walk_count(pyb_condemned_walk(set));

    *rest = (struct pyb_rest){NULL, 0, set};
    if (n >= UINT32_MAX)
        return -1;
    rest->objects = calloc(n + 1, sizeof(PyObject *));
    if (rest->objects == NULL)
        return -1;
    collect_living(rest, set);
    enter_places(rest);
    if (rest->n > 0)
        return 0;
    pyb_rest_end(rest);
    return -1;
}

void
pyb_rest_end(struct pyb_rest *rest)
{
    strike_places(rest);
    free(rest->objects);
}

/* Whether they are dead, with the rest's cells zero.  An adopted one lives as
   long as Boehm sees it, which nobody asks here. */
static int
deduce(const struct pyb_rest *rest, struct pyb_walk walk)
{
    int sound = pyb_cycle_deduce(walk, PYB_SHED_NONE).sound;

    for (uint32_t i = 0; i < rest->n; i++) {
        PyObject *op = rest->objects[i];

        if (pyb_is_adopted(op) && pyb_cycle_is_dead(op))
            pyb_cycle_revive(op, walk);
    }
    return sound;
}

void
pyb_rest_narrow(struct pyb_rest *rest)
{
    PyObject **dead = malloc(rest->n * sizeof(PyObject *) + 1);
    uint32_t n = 0;

    strike_places(rest);
    if (dead != NULL) {
        struct pyb_walk walk = pyb_condemned_walk(rest->set);

        if (deduce(rest, walk))
            for (uint32_t i = 0; i < rest->n; i++)
                if (pyb_cycle_is_dead(rest->objects[i]))
                    dead[n++] = rest->objects[i];
        pyb_cycle_forget(walk);
        memcpy(rest->objects, dead, n * sizeof *dead);
    }
    free(dead);
    rest->n = n;
    enter_places(rest);
}
