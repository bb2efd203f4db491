/* inspect.c: what can be said of one object, or of what is taken for one.
   See inspect.h. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/peek.h"
#include "gc/base/upcalls.h"
#include "gc/check/inspect.h"
#include "gc/check/plains.h"
#include "gc/check/quarantine.h"
#include "gc/check/slotwatch.h"
#include "gc/heap/heap.h"
#include "gc/heap/pages.h"

/* ------------------------------------------------------------------ */
/* Memory that may not be there                                        */

enum { KNOWN = 1 << 16 };

/* Pages that could be read once, by the low bits of their number; 0: none.
   They are in memory of their own, which Boehm does not scan; NULL until there
   are some, or without memory. */
static uintptr_t *known;

static inline int
is_known(uintptr_t page)
{
    return known != NULL && page != 0 && known[page % KNOWN] == page;
}

static void
enter_known(uintptr_t page)
{
    PYB_ASSERT(page != 0 && page < UINTPTR_MAX >> PYB_PAGE_SHIFT);
    if (known == NULL)
        known = pyb_pages_map(KNOWN * sizeof *known);
    if (known != NULL)
        known[page % KNOWN] = page;
}

void
pyb_inspect_recheck(void)
{
    if (known != NULL)
        pyb_pages_clear(known, KNOWN * sizeof *known);
}

/* Can n bytes be read there?  Where the system does not answer, they are taken
   for what they claim to be. */
static int
is_readable(const void *from, size_t n)
{
    char bytes[sizeof(PyTypeObject)];
    int error = errno;
    ssize_t got = pyb_peek(bytes, from, n);
    int refused = got < 0 && errno != EFAULT;

    PYB_ASSERT(n <= sizeof bytes && got <= (ssize_t)n);
    errno = error;
    return got == (ssize_t)n || refused;
}

/* The same, no more than a type, of which pages may be known. */
static int
is_there(const void *from, size_t n)
{
    uintptr_t first = (uintptr_t)from >> PYB_PAGE_SHIFT;
    uintptr_t last = ((uintptr_t)from + n - 1) >> PYB_PAGE_SHIFT;

    PYB_ASSERT(n > 0 && n <= sizeof(PyTypeObject));
    /* A block of ours has more than a head. */
    if ((n <= sizeof(PyObject) && pyb_sidetable_holds(from)) ||
        (is_known(first) && is_known(last)))
        return 1;
    if (!is_readable(from, n))
        return 0;
    enter_known(first);
    enter_known(last);
    return 1;
}

/* ------------------------------------------------------------------ */
/* Is it an object?                                                    */

int
pyb_inspect_is_freed(const void *address)
{
    struct pyb_region *region = pyb_region_of(address);

    if (((uintptr_t)address & 15) != 0)
        return 0;
    return pyb_plains_is_dead(address) ||
           (region != NULL && (*pyb_region_word(region->freed, address) &
                               pyb_bit_of(address)) != 0);
}

/* Could an object stand there?  It may be part of a larger one. */
static int
is_place(const void *address)
{
    return address != NULL &&
           ((uintptr_t)address & (sizeof(void *) - 1)) == 0 &&
           !pyb_inspect_is_freed(address);
}

/* What only may be an object can be memory that AddressSanitizer forbids. */
#define READS_ANYTHING __attribute__((no_sanitize("address")))

/* A type's own type says that it is one; before PyType_Ready there is none,
   but the type is immortal. */
READS_ANYTHING static int
is_type(const PyTypeObject *address)
{
    const PyTypeObject *metatype;

    if (!is_place(address) || !is_there(address, sizeof *address))
        return 0;
    metatype = address->ob_base.ob_base.ob_type;
    if (metatype == NULL)
        return address->ob_base.ob_base.ob_refcnt >= _Py_IMMORTAL_MIN;
    return is_place(metatype) && is_there(metatype, sizeof *metatype) &&
           (metatype->tp_flags & Py_TPFLAGS_TYPE_SUBCLASS) != 0;
}

/* A static type that is not ready is an object whose own type is not known. */
READS_ANYTHING int
pyb_inspect_is_object(const void *address)
{
    const PyObject *op = address;

    return is_place(op) && is_there(op, sizeof *op) &&
           (op->ob_type != NULL ? is_type(op->ob_type)
                                : op->ob_refcnt >= _Py_IMMORTAL_MIN);
}

int
pyb_inspect_is_live(const void *address)
{
    return pyb_inspect_is_object(address) &&
           ((const PyObject *)address)->ob_refcnt > 0;
}

/* Does the system say what can be read? */
static int
can_ask(void)
{
    char byte, own = 0;

    return pyb_peek(&byte, &own, 1) == 1;
}

/* Words of any kind are asked about; where the system does not say which ones
   are addresses, all of them may be. */
int
pyb_inspect_is_opaque(const void *address)
{
    if (address == NULL)
        return 0;
    if (!pyb_sidetable_holds(address) && !can_ask())
        return 1;
    return !pyb_inspect_is_object(address) && !pyb_inspect_is_freed(address) &&
           is_there(address, 1);
}

/* ------------------------------------------------------------------ */
/* The dead                                                            */

enum { GHOSTS = 1024, NAME_BYTES = 56 };

/* The last objects freed; their types may be gone, too.  Boehm, which scans
   this, must not see what is made in their place. */
static struct {
    uintptr_t hidden; /* the complement of the address */
    char type[NAME_BYTES];
} ghosts[GHOSTS];
static unsigned n_ghosts;

static const char *
ghost_type(const void *address)
{
    const char *type = pyb_quarantine_type(address);

    if (type != NULL)
        return type;
    for (unsigned i = 1; i <= GHOSTS; i++)
        if (ghosts[(n_ghosts - i) % GHOSTS].hidden == ~(uintptr_t)address)
            return ghosts[(n_ghosts - i) % GHOSTS].type;
    return "(unknown)";
}

static void
remember_ghost(const PyObject *op)
{
    unsigned i = n_ghosts++ % GHOSTS;

    PYB_ASSERT(Py_TYPE(op) != NULL);
    ghosts[i].hidden = ~(uintptr_t)op;
    snprintf(ghosts[i].type, sizeof ghosts[i].type, "%s",
             Py_TYPE(op)->tp_name);
}

const char *
pyb_inspect_type(const void *address)
{
    if (pyb_inspect_is_freed(address))
        return ghost_type(address);
    if (pyb_inspect_is_object(address) &&
        Py_TYPE((const PyObject *)address) != NULL)
        return Py_TYPE((const PyObject *)address)->tp_name;
    return "(unknown)";
}

/* ------------------------------------------------------------------ */
/* Blocks                                                              */

static const unsigned char junk_byte = 0xcd;

void
pyb_inspect_complain(enum pyb_defect defect, PyObject *op)
{
    char text[PYB_DEFECT_BYTES];

    if (defect == PYB_SOUND)
        return;
    PYB_ASSERT(pyb_inspect_checking());
    if (!pyb_checks) {
        pyb_events->flawed(defect, op);
        return;
    }
    pyb_defect_text(defect, op, text);
    pyb_fatal_type(pyb_defect_slot(defect, op), pyb_inspect_type(op), op, "%s",
                   text);
}

void
pyb_inspect_init(void)
{
    for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
         region = region->next) {
        memset(region->freed, 0, sizeof region->freed);
        memset(region->redzoned, 0, sizeof region->redzoned);
    }
}

/* What was written there is not to be found in the new object. */
void
pyb_inspect_reuse(PyObject *op)
{
    struct pyb_region *region = pyb_region_of(op);

    PYB_ASSERT(pyb_sidetable_holds(op));
    if (pyb_inspect_is_freed(op)) {
        pyb_inspect_complain(pyb_defect_of_dead(op), op);
        pyb_heap_clear(op, pyb_heap_block_size(op) / PYB_GRANULE_BYTES);
    }
    *pyb_region_word(region->freed, op) &= ~pyb_bit_of(op);
}

void
pyb_inspect_layout(PyObject *op)
{
    pyb_inspect_complain(pyb_defect_of_type(Py_TYPE(op)), op);
}

void
pyb_inspect_made(PyObject *op, size_t size, int zero)
{
    PYB_ASSERT(pyb_sidetable_holds(op));
    pyb_inspect_layout(op);
    if (pyb_control.malloc_only)
        return;
    if (pyb_checks && !zero && size > sizeof *op)
        memset(op + 1, junk_byte, size - sizeof *op);
    pyb_redzone_raise(op, Py_MAX(size, sizeof *op));
}

/* The list has the complement of the first one's address.  In an object whose
   constructor has failed the field may not be set. */
int
pyb_inspect_is_weakly_referenced(PyObject *op)
{
    PyObject *const *list = pyb_upcalls.weakref_list_ptr(op);
    PyObject *first =
        list != NULL && *list != NULL ? (PyObject *)~(uintptr_t)*list : NULL;

    return pyb_inspect_is_object(first) && pyb_upcalls.is_weakref(first);
}

/* A constructor that fails frees an object with the one reference it has. */
void
pyb_inspect_freeing(PyObject *op)
{
    const char *slot = pyb_slotwatch_slot(op);

    PYB_ASSERT(pyb_checks);
    if (slot == NULL)
        slot = "PyObject_GC_Del";
    if (pyb_inspect_is_freed(op))
        pyb_fatal_type(slot, ghost_type(op), op,
                       "frees an object that is free already");
    if (op->ob_refcnt != 0 && op->ob_refcnt != 1)
        pyb_fatal_type(slot, Py_TYPE(op)->tp_name, op,
                       "frees an object with a reference count of %zd",
                       op->ob_refcnt);
    if (pyb_slotwatch_is_dying(op) && pyb_inspect_is_weakly_referenced(op))
        pyb_fatal_type(slot, Py_TYPE(op)->tp_name, op,
                       "frees an object with weak references to it: call "
                       "PyObject_ClearWeakRefs first");
}

void
pyb_inspect_freed(PyObject *op)
{
    PYB_ASSERT(pyb_sidetable_holds(op));
    if (pyb_redzone_broken_at(op) >= 0)
        pyb_inspect_complain(PYB_OVERRUN, op);
    remember_ghost(op);
    if (pyb_control.trace)
        pyb_events->freed(op, NULL);
    pyb_slotwatch_freed(op);
    *pyb_region_word(pyb_region_of(op)->freed, op) |= pyb_bit_of(op);
}

/* While a slot of the object's runs, it answers for the count itself. */
void
pyb_inspect_tracked(PyObject *op)
{
    enum pyb_defect defect = pyb_defect_of_tracked(op);
    const char *slot =
        defect == PYB_MISCOUNTED ? pyb_slotwatch_slot(op) : NULL;

    PYB_ASSERT_OBJECT(PyObject_GC_IsTracked(op), op);
    if (slot == NULL)
        pyb_inspect_complain(defect, op);
    else if (op->ob_refcnt == 0 && strcmp(slot, "tp_dealloc") == 0 &&
             pyb_slotwatch_is_dying(op))
        pyb_fatal_type(
            slot, Py_TYPE(op)->tp_name, op,
            "its object is still tracked when a collection begins, which "
            "sees half of it: call PyObject_GC_UnTrack first");
}
