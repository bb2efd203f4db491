/* inspect.c: what can be said of one object, or of what is taken for one.
   See inspect.h. */

#include "Python.h"

#include "gc/fatal.h"
#include "gc/heap.h"
#include "gc/inspect.h"
#include "gc/underway.h"
#include "gc/watching.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

/* ------------------------------------------------------------------ */
/* Memory that may not be there                                        */

enum { KNOWN = 256 };

/* Pages that could be read once, by the low bits of their number; 0: none. */
static uintptr_t known[KNOWN];

static inline int
is_known(uintptr_t page)
{
    return page != 0 && known[page % KNOWN] == page;
}

void
pyb_inspect_recheck(void)
{
    memset(known, 0, sizeof known);
}

int
pyb_inspect_is_readable(const void *from, size_t n)
{
#ifdef HAVE_PROCESS_VM_READV
    char bytes[sizeof(PyTypeObject)];
    struct iovec local = {bytes, n}, remote = {(void *)(uintptr_t)from, n};
    int error = errno;
    ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    int refused = got < 0 && errno != EFAULT;

    errno = error;
    return got == (ssize_t)n || refused;
#else
    (void)from;
    (void)n;
    return 1;
#endif
}

/* Copies n bytes, no more than a type has; -1 if they cannot be read. */
static int
peek(void *to, const void *from, size_t n)
{
    uintptr_t first = (uintptr_t)from >> PYB_PAGE_SHIFT;
    uintptr_t last = ((uintptr_t)from + n - 1) >> PYB_PAGE_SHIFT;

    if (!is_known(first) || !is_known(last)) {
        if (!pyb_inspect_is_readable(from, n))
            return -1;
        known[first % KNOWN] = first;
        known[last % KNOWN] = last;
    }
    memcpy(to, from, n);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Is it an object?                                                    */

int
pyb_inspect_is_freed(const void *address)
{
    struct pyb_region *region = pyb_region_of(address);

    return region != NULL && ((uintptr_t)address & 15) == 0 &&
           (*pyb_region_word(region->freed, address) & pyb_bit_of(address)) !=
               0;
}

/* Could an object stand there?  It may be part of a larger one. */
static int
is_place(const void *address)
{
    return address != NULL &&
           ((uintptr_t)address & (sizeof(void *) - 1)) == 0 &&
           !pyb_inspect_is_freed(address);
}

/* A type's own type says that it is one; before PyType_Ready there is none,
   but the type is immortal. */
static int
is_type(const PyTypeObject *address)
{
    PyTypeObject type, metatype;

    if (!is_place(address) || peek(&type, address, sizeof type) < 0)
        return 0;
    if (Py_TYPE(&type) == NULL)
        return Py_REFCNT(&type) >= _Py_IMMORTAL_MIN;
    return is_place(Py_TYPE(&type)) &&
           peek(&metatype, Py_TYPE(&type), sizeof metatype) == 0 &&
           (metatype.tp_flags & Py_TPFLAGS_TYPE_SUBCLASS) != 0;
}

/* A static type that is not ready is an object whose own type is not known. */
int
pyb_inspect_is_object(const void *address)
{
    PyObject op;

    return is_place(address) && peek(&op, address, sizeof op) == 0 &&
           (op.ob_type != NULL ? is_type(op.ob_type)
                               : op.ob_refcnt >= _Py_IMMORTAL_MIN);
}

int
pyb_inspect_is_live(const void *address)
{
    return pyb_inspect_is_object(address) &&
           ((const PyObject *)address)->ob_refcnt > 0;
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
    for (unsigned i = 1; i <= GHOSTS; i++)
        if (ghosts[(n_ghosts - i) % GHOSTS].hidden == ~(uintptr_t)address)
            return ghosts[(n_ghosts - i) % GHOSTS].type;
    return "(unknown)";
}

static void
remember_ghost(const PyObject *op)
{
    unsigned i = n_ghosts++ % GHOSTS;

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
pyb_inspect_complain(enum pyb_flaw flaw, PyObject *op)
{
    char text[PYB_FLAW_BYTES];

    if (flaw == PYB_SOUND)
        return;
    if (!pyb_checks) {
        pyb_observers->flawed(flaw, op);
        return;
    }
    pyb_flaw_text(flaw, op, text);
    pyb_fatal_type(pyb_flaw_slot(flaw), pyb_inspect_type(op), op, "%s", text);
}

void
pyb_inspect_init(void)
{
    for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
         region = region->next) {
        memset(region->freed, 0, sizeof region->freed);
        memset(region->fenced, 0, sizeof region->fenced);
    }
}

/* What was written there is not to be found in the new object. */
void
pyb_inspect_reuse(PyObject *op)
{
    struct pyb_region *region = pyb_region_of(op);

    if (pyb_inspect_is_freed(op)) {
        pyb_inspect_complain(pyb_flaw_of_dead(op), op);
        pyb_heap_clear(op, pyb_heap_block_size(op) / PYB_GRANULE_BYTES);
    }
    *pyb_region_word(region->freed, op) &= ~pyb_bit_of(op);
}

void
pyb_inspect_layout(PyObject *op)
{
    pyb_inspect_complain(pyb_flaw_of_type(Py_TYPE(op)), op);
}

void
pyb_inspect_made(PyObject *op, int zero)
{
    unsigned char *body = (unsigned char *)(op + 1);

    pyb_inspect_layout(op);
    if (pyb_checks && !zero)
        memset(body, junk_byte, (size_t)(pyb_fence_begin(op) - body));
    pyb_fence_raise(op);
}

/* A constructor that fails frees an object with the one reference it has. */
void
pyb_inspect_freeing(PyObject *op)
{
    const char *slot = pyb_underway_slot(op);

    if (slot == NULL)
        slot = "PyObject_GC_Del";
    if (pyb_inspect_is_freed(op))
        pyb_fatal_type(slot, ghost_type(op), op,
                       "frees an object that is free already");
    if (op->ob_refcnt != 0 && op->ob_refcnt != 1)
        pyb_fatal_type(slot, Py_TYPE(op)->tp_name, op,
                       "frees an object with a reference count of %zd",
                       op->ob_refcnt);
}

void
pyb_inspect_freed(PyObject *op)
{
    if (pyb_fence_is_broken(op))
        pyb_inspect_complain(PYB_OVERRUN, op);
    remember_ghost(op);
    pyb_underway_freed(op);
    *pyb_region_word(pyb_region_of(op)->freed, op) |= pyb_bit_of(op);
}

void
pyb_inspect_forget(struct pyb_card *card, uint64_t bits)
{
    struct pyb_region *region = pyb_card_region(card);

    region->freed[card - region->cards] &= ~bits;
}

void
pyb_inspect_tracked(PyObject *op)
{
    enum pyb_flaw flaw = pyb_flaw_of_tracked(op);

    if (flaw != PYB_MISCOUNTED || pyb_underway_slot(op) == NULL)
        pyb_inspect_complain(flaw, op);
}
