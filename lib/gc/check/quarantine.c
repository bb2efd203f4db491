/* quarantine.c: with checks: freed objects wait before their memory is used
   again.  See quarantine.h. */

#include "Python.h"

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/check/dead.h"
#include "gc/check/defect.h"
#include "gc/check/quarantine.h"
#include "gc/control.h"
#include "gc/heap/pages.h"

enum {
    SIZE = 16384,    /* objects, unless PYBOEHM_QUARANTINE is set */
    BYTES = 1024,    /* for each of them, in all */
    LARGE = 1 << 20, /* blocks from this size on do not wait */
    RECENT = 512,    /* so many are looked at in a collection */
    NAME_BYTES = 56
};

/* Not malloc's, so that nothing is found here by a search for owners. */
struct grave {
    uintptr_t hidden; /* the complement of the address; 0: empty */
    size_t size;
    void (*give_back)(void *block);
    char type[NAME_BYTES];
};

static struct {
    struct grave *graves; /* a ring; NULL while it is empty */
    size_t size, first, n;
    size_t bytes;
    size_t left, left_bytes; /* of objects that do not wait any more */
    int refused;             /* some have not waited at all */
} quarantine;

/* No address, and as a number none that a program has. */
static const unsigned char junk_byte = 0xdd;

void
pyb_quarantine_init(void)
{
    const char *wish = pyb_environment("PYBOEHM_QUARANTINE");
    long size = wish != NULL ? strtol(wish, NULL, 10) : SIZE;

    PYB_ASSERT(quarantine.n == 0);
    quarantine.size = size > 0 ? (size_t)Py_MIN(size, INT_MAX) : 0;
}

int
pyb_quarantine_is_on(void)
{
    return pyb_checks && !pyb_control.malloc_only && pyb_control.initialized;
}

static struct grave *
grave_at(size_t i)
{
    PYB_ASSERT(i < quarantine.n);
    return &quarantine.graves[(quarantine.first + i) % quarantine.size];
}

static void
check_grave(const struct grave *grave)
{
    PyObject *op = (PyObject *)~grave->hidden;
    const unsigned char *bytes = (const unsigned char *)op;
    int changed = !pyb_is_dead(op);

    PYB_ASSERT(grave->hidden != 0 && grave->size >= sizeof *op);
    if (op->ob_refcnt != 1)
        pyb_fatal_defect(PYB_DEAD_COUNTED, op);
    for (size_t i = sizeof *op; i < grave->size && !changed; i++)
        changed = bytes[i] != junk_byte;
    if (changed)
        pyb_fatal_defect(PYB_DEAD_WRITTEN, op);
}

static void
leave(void)
{
    struct grave grave = *grave_at(0);

    PYB_ASSERT(quarantine.bytes >= grave.size);
    check_grave(&grave);
    *grave_at(0) = (struct grave){.hidden = 0};
    quarantine.first = (quarantine.first + 1) % quarantine.size;
    quarantine.n--;
    quarantine.bytes -= grave.size;
    quarantine.left++;
    quarantine.left_bytes += grave.size;
    grave.give_back((void *)~grave.hidden);
}

/* An object does not wait. */
static int
refuse(void)
{
    quarantine.refused = 1;
    return 0;
}

int
pyb_quarantine_enter(PyObject *op, size_t size, void (*give_back)(void *block))
{
    struct grave *grave;

    PYB_ASSERT(size >= sizeof *op && pyb_quarantine_is_on());
    PYB_ASSERT(!pyb_is_dead(op) && give_back != NULL);
    if (size >= LARGE || size > quarantine.size * BYTES)
        return refuse();
    if (quarantine.graves == NULL)
        quarantine.graves = pyb_pages_map(quarantine.size * sizeof *grave);
    if (quarantine.graves == NULL)
        return refuse();
    while (quarantine.n == quarantine.size ||
           quarantine.bytes + size > quarantine.size * BYTES)
        leave();
    quarantine.n++;
    quarantine.bytes += size;
    grave = grave_at(quarantine.n - 1);
    grave->hidden = ~(uintptr_t)op;
    grave->size = size;
    grave->give_back = give_back;
    snprintf(grave->type, sizeof grave->type, "%s", Py_TYPE(op)->tp_name);
    memset(op + 1, junk_byte, size - sizeof *op);
    op->ob_refcnt = 1;
    op->ob_type = &pyb_dead_type;
    return 1;
}

void
pyb_quarantine_check(void)
{
    for (size_t i = quarantine.n; i-- > 0 && i + RECENT >= quarantine.n;)
        check_grave(grave_at(i));
}

int
pyb_quarantine_empty(void)
{
    if (quarantine.graves == NULL)
        return 0;
    while (quarantine.n > 0)
        leave();
    PYB_ASSERT(quarantine.bytes == 0);
    pyb_pages_unmap(quarantine.graves, quarantine.size * sizeof(struct grave));
    quarantine.graves = NULL;
    quarantine.first = 0;
    return 1;
}

const char *
pyb_quarantine_type(const void *address)
{
    for (size_t i = quarantine.n; i-- > 0;)
        if (grave_at(i)->hidden == ~(uintptr_t)address)
            return grave_at(i)->type;
    return NULL;
}

PyObject *
pyb_quarantine_find(uintptr_t address)
{
    for (size_t i = quarantine.n; i-- > 0;)
        if (address - ~grave_at(i)->hidden < grave_at(i)->size)
            return (PyObject *)~grave_at(i)->hidden;
    return NULL;
}

int
pyb_quarantine_has_all(void)
{
    return pyb_quarantine_is_on() && quarantine.left == 0 &&
           !quarantine.refused;
}

size_t
pyb_quarantine_wanted(void)
{
    size_t objects = quarantine.left + quarantine.n;
    size_t bytes = quarantine.left_bytes + quarantine.bytes;
    size_t wanted = SIZE;

    while (wanted < 2 * Py_MAX(objects, bytes / BYTES))
        wanted *= 2;
    return quarantine.left > 0 ? wanted : 0;
}

int
pyb_quarantine_is_junk(uintptr_t word)
{
    enum {
        FAR = 1 << 16,  /* a field's offset, in either direction */
        TAG = CHAR_BIT, /* bits at the top that some processors leave out */
    };
    uintptr_t junk = UINTPTR_MAX / 0xff * junk_byte;

    return (word << TAG) - (junk << TAG) + ((uintptr_t)FAR << TAG) <
           (uintptr_t)FAR << (TAG + 1);
}
