/* census.c: all containers that are alive, and their references.  See
   census.h.

   While a census is open, a container's gcref in the side table is its number
   in the array, counted from one.  No collection, which otherwise uses the
   gcrefs, can be under way. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/control.h"
#include "gc/heap/walk.h"
#include "object/attr/instancedict.h"
#include "watch/why/census.h"

static uint32_t *
gcref_of(const void *address)
{
    struct pyb_region *region = pyb_region_of(address);

    if (region == NULL || ((uintptr_t)address & (PYB_GRANULE_BYTES - 1)) != 0)
        return NULL;
    return pyb_region_gcref(region, address);
}

/* Two addresses may share a gcref; only one of them is the object's.  An empty
   census finds nothing, in a collection, too, whose gcrefs are not numbers. */
struct pyb_node *
pyb_census_find(const struct pyb_census *census, const void *address)
{
    const uint32_t *gcref = gcref_of(address);

    if (census->n == 0 || gcref == NULL || *gcref == 0)
        return NULL;
    PYB_ASSERT(*gcref <= census->n);
    struct pyb_node *node = &census->nodes[*gcref - 1];
    return node->op == address ? node : NULL;
}

/* The number of counted references to an object; 0 for immortal ones. */
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
    struct pyb_node *node = pyb_census_find(census, op);

    if (node != NULL && !_Py_IsImmortal(op))
        node->left--;
    return 0;
}

static size_t
count_all(void)
{
    return pyb_walk_count(pyb_walk_live());
}

/* Enters all containers. */
static void
enter(struct pyb_census *census)
{
    struct pyb_node *node = census->nodes;

    PYB_FOR_EACH (op, i, pyb_walk_live()) {
        if (pyb_instancedict_is_unseen(op))
            continue;
        PYB_ASSERT_OBJECT(node < census->nodes + census->n, op);
        *node++ = (struct pyb_node){op, references(op)};
        PYB_ASSERT_OBJECT(*pyb_batch_gcref(&i.batch, op) == 0, op);
        *pyb_batch_gcref(&i.batch, op) = (uint32_t)(node - census->nodes);
    }
    census->n = (size_t)(node - census->nodes);
}

static void
count_visits(struct pyb_census *census)
{
    for (size_t i = 0; i < census->n; i++) {
        PyObject *op = census->nodes[i].op;

        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, count_visit, census);
    }
}

struct visits {
    PyObject *op;
    size_t n;
};

static int
count_those(PyObject *child, void *arg)
{
    struct visits *visits = arg;

    visits->n += child == visits->op;
    return 0;
}

size_t
pyb_census_visits(PyObject *owner, PyObject *op)
{
    traverseproc traverse = Py_TYPE(owner)->tp_traverse;
    struct visits visits = {op, 0};

    if (traverse != NULL)
        (void)traverse(owner, count_those, &visits);
    return visits.n;
}

void
pyb_census_check(const struct pyb_census *census)
{
    const PyObject *before = NULL;

    for (size_t i = 0; i < census->n; i++) {
        PyObject *op = census->nodes[i].op;

        PYB_ALWAYS(pyb_census_find(census, op) == &census->nodes[i], op,
                   "a container is not found in the census");
        PYB_ALWAYS(pyb_region_of(op) != pyb_region_of(before) ||
                       (uintptr_t)op > (uintptr_t)before,
                   op, "a container is out of order in the census");
        PYB_ALWAYS(!_Py_IsImmortal(op) || census->nodes[i].left == 0, op,
                   "an immortal object has references that count");
        before = op;
    }
}

int
pyb_census_take(struct pyb_census *census)
{
    census->n = count_all();
    census->nodes = calloc(census->n + 1, sizeof *census->nodes);
    if (census->nodes == NULL) {
        pyb_upcalls.no_memory();
        return -1;
    }
    PYB_ASSERT(pyb_control.collecting == 0 && census->n <= UINT32_MAX);
    pyb_control_begin(&census->extent);
    enter(census);
    count_visits(census);
    PYB_EXPENSIVE(pyb_census_check(census));
    return 0;
}

/* Overwrites memory that is freed next.  It is volatile, since a compiler
   would leave out stores that are not read again. */
static void
forget(void *memory, size_t size)
{
    volatile unsigned char *bytes = memory;

    for (size_t i = 0; i < size; i++)
        bytes[i] = 0;
}

/* Freed memory must not contain addresses: a search of all memory for owners
   would take them for references. */
void
pyb_census_end(struct pyb_census *census)
{
    for (size_t i = 0; i < census->n; i++) {
        uint32_t *gcref = gcref_of(census->nodes[i].op);

        PYB_ASSERT(gcref != NULL && *gcref == i + 1);
        *gcref = 0;
    }
    forget(census->nodes, census->n * sizeof *census->nodes);
    free(census->nodes);
    pyb_control_end(&census->extent);
}
