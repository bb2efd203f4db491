/* plains.c: with checks: objects in malloc memory, which are no containers.
   See plains.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/defect.h"
#include "gc/check/plains.h"
#include "gc/check/quarantine.h"
#include "gc/control.h"
#include "gc/heap/pages.h"

struct plain {
    uintptr_t hidden;    /* the complement of the address; 0: none was here */
    size_t size;         /* 0: it was freed, and its memory is malloc's */
    unsigned collection; /* the one whose visits are counted */
    int dead;            /* it waits in quarantine */
    Py_ssize_t visits;
};

/* A hash table by address, in pages of its own; a free place ends a search.
   Places are never freed but when the table grows. */
static struct {
    struct plain *all;
    size_t n, room; /* a power of two */
    unsigned collection;
} plains;

enum { ROOM_MIN = 1 << 12 };

static struct plain *
place_of(struct plain *all, size_t room, uintptr_t hidden)
{
    size_t i = (hidden >> 4) * 0x9e3779b97f4a7c15u >> 20 & (room - 1);

    PYB_ASSERT(hidden != 0 && (room & (room - 1)) == 0);
    while (all[i].hidden != 0 && all[i].hidden != hidden)
        i = (i + 1) & (room - 1);
    return &all[i];
}

/* NULL: nothing is known of it. */
static struct plain *
find(const void *ptr)
{
    struct plain *plain;

    if (plains.room == 0)
        return NULL;
    plain = place_of(plains.all, plains.room, ~(uintptr_t)ptr);
    return plain->size != 0 ? plain : NULL;
}

/* Twice the room, or as much if most that is there is freed. */
static int
grow(void)
{
    size_t living = 0, room;
    struct plain *more;

    for (size_t i = 0; i < plains.room; i++)
        living += plains.all[i].size != 0;
    room = Py_MAX(ROOM_MIN, plains.room);
    while (living * 4 > room)
        room *= 2;
    more = pyb_pages_map(room * sizeof *more);
    if (more == NULL)
        return -1;
    for (size_t i = 0; i < plains.room; i++)
        if (plains.all[i].size != 0)
            *place_of(more, room, plains.all[i].hidden) = plains.all[i];
    if (plains.all != NULL)
        pyb_pages_unmap(plains.all, plains.room * sizeof *more);
    plains.all = more;
    plains.room = room;
    plains.n = living;
    PYB_ASSERT(plains.n * 2 < plains.room);
    return 0;
}

/* Room for one more; -1: no memory. */
static int
make_room(void)
{
    return plains.n * 2 < plains.room ? 0 : grow();
}

/* There is room. */
static void
enter(const void *ptr, size_t size)
{
    struct plain *plain;

    PYB_ASSERT(plains.n * 2 < plains.room);
    plain = place_of(plains.all, plains.room, ~(uintptr_t)ptr);
    plains.n += plain->hidden == 0;
    *plain = (struct plain){.hidden = ~(uintptr_t)ptr, .size = size};
}

/* ------------------------------------------------------------------ */
/* The redzone                                                         */

enum { REDZONE = 16 };
static const unsigned char fence_byte = 0xfe, junk_byte = 0xcd;

static void
check_redzone(const struct plain *plain)
{
    PyObject *op = (PyObject *)~plain->hidden;
    const unsigned char *end = (const unsigned char *)op + plain->size;

    PYB_ASSERT(plain->size >= sizeof *op && !plain->dead);
    for (size_t i = 0; i < REDZONE; i++)
        if (end[i] != fence_byte)
            pyb_fatal_type(pyb_defect_size(op), NULL, op,
                           "something was written past the object's end, at "
                           "+%zu",
                           plain->size + i);
}

/* Writes the redzone, of so many bytes, behind an object of that size, and
   enters it.  Memory with no room for a count and a type is no object. */
static void
set_redzone(char *op, size_t size, size_t redzone)
{
    if (size < sizeof(PyObject))
        return;
    memset(op + size, fence_byte, redzone);
    enter(op, size);
}

void *
pyb_plains_alloc(size_t size, size_t bytes, int zero)
{
    char *op;

    PYB_ASSERT(size <= bytes && pyb_quarantine_is_on());
    if (bytes > (size_t)PY_SSIZE_T_MAX - REDZONE || make_room() < 0)
        return NULL;
    op = malloc(bytes + REDZONE);
    if (op == NULL)
        return NULL;
    memset(op, zero ? 0 : junk_byte, bytes);
    set_redzone(op, size, bytes + REDZONE - size);
    return op;
}

void *
pyb_plains_realloc(void *ptr, size_t size)
{
    struct plain *plain;
    char *moved;

    PYB_ASSERT(pyb_plains_has(ptr));
    check_redzone(find(ptr));
    if (size > (size_t)PY_SSIZE_T_MAX - REDZONE || make_room() < 0)
        return NULL;
    plain = find(ptr); /* the table may be another one */
    moved = realloc(ptr, size + REDZONE);
    if (moved == NULL)
        return NULL;
    plain->size = 0;
    set_redzone(moved, size, REDZONE);
    return moved;
}

/* ------------------------------------------------------------------ */
/* Life and death                                                      */

int
pyb_plains_has(const void *ptr)
{
    const struct plain *plain = find(ptr);

    return plain != NULL && !plain->dead;
}

int
pyb_plains_is_dead(const void *ptr)
{
    const struct plain *plain = find(ptr);

    return plain != NULL && plain->dead;
}

/* It leaves the quarantine. */
static void
give_back(void *ptr)
{
    struct plain *plain = find(ptr);

    if (plain != NULL)
        plain->size = 0;
    free(ptr);
}

void
pyb_plains_freeing(const void *ptr)
{
    const struct plain *plain = find(ptr);

    if (plain == NULL)
        return;
    if (plain->dead)
        pyb_fatal_type("PyObject_Free", NULL, ptr,
                       "frees an object that is free already");
    check_redzone(plain);
}

void
pyb_plains_free(void *ptr)
{
    struct plain *plain = find(ptr);

    PYB_ASSERT(plain != NULL && !plain->dead);
    plain->dead = pyb_quarantine_is_on() &&
                  pyb_quarantine_enter(ptr, plain->size, give_back);
    if (!plain->dead)
        give_back(ptr);
}

void
pyb_plains_begin_visits(void)
{
    plains.collection++;
}

void
pyb_plains_visit(PyObject *parent, PyObject *op)
{
    struct plain *plain = _Py_IsImmortal(op) ? NULL : find(op);

    if (plain == NULL)
        return;
    if (plain->collection != plains.collection)
        plain->visits = 0;
    plain->collection = plains.collection;
    if (++plain->visits > op->ob_refcnt)
        pyb_fatal_type(
            "Py_DECREF", Py_TYPE(op)->tp_name, op,
            "refcount is too small: it is %zd, and containers visit it %zd "
            "times, the last one of type %s\n"
            "one Py_DECREF too many, or a Py_INCREF was forgotten; or they "
            "visit what they do not own; with PYBOEHM_STRESS=1 this comes "
            "sooner after it",
            op->ob_refcnt, plain->visits, Py_TYPE(parent)->tp_name);
}

void
pyb_plains_check(void)
{
    for (size_t i = 0; i < plains.room; i++)
        if (plains.all[i].size != 0 && !plains.all[i].dead)
            check_redzone(&plains.all[i]);
}
