/* census.c: all containers that are alive, and who owns them.  See census.h.

   While a census is open a container's cell in the side table is its place in
   the array, from one on; no collection is under way, which else has them. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/control.h"
#include "gc/upcalls.h"
#include "gc/walk.h"
#include "object/instancedict.h"
#include "watch/census.h"

static uint32_t *
cell_of(const void *address)
{
    struct pyb_region *region = pyb_region_of(address);

    if (region == NULL || ((uintptr_t)address & (PYB_GRANULE_BYTES - 1)) != 0)
        return NULL;
    return pyb_region_cell(region, address);
}

/* A cell may lie under two addresses, one of which nobody has. */
struct pyb_person *
pyb_census_find(const struct pyb_census *census, const void *address)
{
    const uint32_t *cell = cell_of(address);

    if (cell == NULL || *cell == 0)
        return NULL;
    struct pyb_person *person = &census->people[*cell - 1];
    return person->op == address ? person : NULL;
}

/* The counted references to it. */
static Py_ssize_t
references(const PyObject *op)
{
    if (_Py_IsImmortal(op))
        return 0;
    return pyb_is_adopted(op) ? pyb_adoption_references(op) : op->ob_refcnt;
}

static int
count_visit(PyObject *op, void *census)
{
    struct pyb_person *person = pyb_census_find(census, op);

    if (person != NULL && !_Py_IsImmortal(op))
        person->left--;
    return 0;
}

static size_t
count_all(void)
{
    struct pyb_walk walk = pyb_walk_tracked();
    struct pyb_group group;
    size_t n = 0;

    while (pyb_walk_next_live(&walk, &group))
        n += (size_t)__builtin_popcountll(group.bits);
    return n;
}

/* Enters them all. */
static void
enter(struct pyb_census *census)
{
    struct pyb_walk walk = pyb_walk_tracked();
    struct pyb_person *person = census->people;
    struct pyb_group group;
    PyObject *op;

    while (pyb_walk_next_live(&walk, &group))
        while ((op = pyb_group_take(&group)) != NULL) {
            if (pyb_instancedict_is_unseen(op))
                continue;
            *person++ = (struct pyb_person){op, references(op)};
            *pyb_group_cell(&group, op) = (uint32_t)(person - census->people);
        }
    census->n = (size_t)(person - census->people);
}

static void
count_visits(struct pyb_census *census)
{
    for (size_t i = 0; i < census->n; i++) {
        PyObject *op = census->people[i].op;

        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, count_visit, census);
    }
}

int
pyb_census_take(struct pyb_census *census)
{
    census->n = count_all();
    census->people = calloc(census->n + 1, sizeof *census->people);
    if (census->people == NULL) {
        pyb_upcalls.no_memory();
        return -1;
    }
    pyb_control_begin();
    enter(census);
    count_visits(census);
    return 0;
}

/* No address is left in memory that is free: who looks for owners in all memory
   would take it for one. */
void
pyb_census_end(struct pyb_census *census)
{
    for (size_t i = 0; i < census->n; i++)
        *cell_of(census->people[i].op) = 0;
    explicit_bzero(census->people, census->n * sizeof *census->people);
    free(census->people);
    pyb_control_end();
}
