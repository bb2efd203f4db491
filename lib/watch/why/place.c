/* place.c: prints a place in memory that has an object's address.  See
   place.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "watch/memory/symbol.h"
#include "watch/why/edges.h"
#include "watch/why/place.h"

static void
print_data(uintptr_t address, FILE *file)
{
    struct pyb_symbol symbol;

    if (pyb_symbol_find(address, &symbol) < 0) {
        fputs("in static data", file);
        return;
    }
    fprintf(file, "in data of %s: ", symbol.file);
    if (*symbol.name == '\0')
        fprintf(file, "%s+0x%" PRIxPTR, symbol.file, symbol.in_file);
    else if (symbol.offset == 0)
        fputs(symbol.name, file);
    else
        fprintf(file, "%s+%zu", symbol.name, symbol.offset);
}

/* Prints a place in the body of an object that leaves it out of its
   tp_traverse, or has none. */
static void
print_object(const struct pyb_place *place, FILE *file)
{
    PYB_ASSERT(place->owner != NULL && place->offset < place->size);
    PyTypeObject *type = Py_TYPE(place->owner);
    const char *member = pyb_edge_member(type, (Py_ssize_t)place->offset);

    fprintf(file, "in %s at %p, +%zu", type->tp_name, (void *)place->owner,
            place->offset);
    if (place->offset == offsetof(PyObject, ob_type)) {
        fputs(", its type", file);
        return;
    }
    if (member != NULL)
        fprintf(file, " (%s)", member);
    fputs(PyType_IS_GC(type) ? ", which does not visit it"
                             : ", which lacks Py_TPFLAGS_HAVE_GC",
          file);
}

static void
print_malloc(const struct pyb_place *place, FILE *file)
{
    PYB_ASSERT(place->offset < place->size);
    fprintf(file, "in malloc memory, +%zu of %zu bytes", place->offset,
            place->size);
    if (place->owner != NULL)
        fprintf(file, " of %s at %p, which %s", Py_TYPE(place->owner)->tp_name,
                (void *)place->owner,
                place->visited ? "visits it less often" : "does not visit it");
}

void
pyb_place_print(const struct pyb_place *place, FILE *file)
{
    fprintf(file, "%p ", (void *)place->address);
    switch (place->kind) {
    case PYB_PLACE_DATA:
        print_data(place->address, file);
        break;
    case PYB_PLACE_HOST:
        fprintf(file, "in a block of Boehm's heap, +%zu of %zu bytes",
                place->offset, place->size);
        break;
    case PYB_PLACE_MALLOC:
        print_malloc(place, file);
        break;
    case PYB_PLACE_OBJECT:
        print_object(place, file);
        break;
    case PYB_PLACE_STACK:
        if (place->thread == 0)
            fputs("on the stack of this thread", file);
        else
            fprintf(file, "on the stack of thread %ld", place->thread);
        break;
    case PYB_PLACE_OTHER:
        fputs("in other memory", file);
        break;
    }
}
