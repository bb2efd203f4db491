/* tally.c: what types have been seen to do.  See tally.h. */

#include "Python.h"

#include "object/subtype.h"
#include "watch/findings.h"
#include "watch/tally.h"

enum { BUCKETS = 256, WHAT_BYTES = 256 };

static struct pyb_tally *buckets[BUCKETS];

/* ------------------------------------------------------------------ */
/* Where a slot comes from                                             */

static const void *
slot_of(const PyTypeObject *type, enum pyb_slot slot)
{
    switch (slot) {
    case PYB_SLOT_DEALLOC:
        return (const void *)type->tp_dealloc;
    case PYB_SLOT_FINALIZE:
        return (const void *)type->tp_finalize;
    case PYB_SLOT_CLEAR:
        return (const void *)type->tp_clear;
    }
    Py_UNREACHABLE();
}

/* Is it what heap types have that leave the slot to their base? */
static int
is_forwarded(const void *function)
{
    return function == (const void *)pyb_subtype_dealloc ||
           function == (const void *)pyb_subtype_clear;
}

static PyTypeObject *
definer(PyTypeObject *type, enum pyb_slot slot)
{
    PyTypeObject *found = type;

    while (found->tp_base != NULL && is_forwarded(slot_of(found, slot)))
        found = found->tp_base;
    if (slot_of(found, slot) == NULL)
        return type;
    while (found->tp_base != NULL &&
           slot_of(found->tp_base, slot) == slot_of(found, slot))
        found = found->tp_base;
    return found;
}

/* ------------------------------------------------------------------ */
/* Tallies                                                             */

static struct pyb_tally **
bucket_of(const PyTypeObject *type)
{
    return &buckets[((uintptr_t)type >> 4) % BUCKETS];
}

/* A static function's neighbour will do: what counts is the file. */
static const void *
maker_of(const PyTypeObject *type)
{
    if (type->tp_new != NULL && type->tp_new != PyType_GenericNew &&
        (type->tp_base == NULL || type->tp_new != type->tp_base->tp_new))
        return (const void *)type->tp_new;
    return (const void *)type->tp_traverse;
}

static struct pyb_tally *
new_tally(PyTypeObject *type)
{
    size_t length = strlen(type->tp_name);
    struct pyb_tally *tally = calloc(1, sizeof *tally + length + 1);

    if (tally == NULL)
        return NULL;
    tally->hidden = ~(uintptr_t)type;
    tally->maker = maker_of(type);
    for (int slot = 0; slot < PYB_SLOTS; slot++)
        tally->slots[slot] = slot_of(type, (enum pyb_slot)slot);
    memcpy(tally->name, type->tp_name, length);
    return tally;
}

struct pyb_tally *
pyb_tally_find(const PyTypeObject *type)
{
    struct pyb_tally *tally = *bucket_of(type);

    while (tally != NULL && tally->hidden != ~(uintptr_t)type)
        tally = tally->link;
    return tally;
}

struct pyb_tally *
pyb_tally_of(PyTypeObject *type)
{
    struct pyb_tally *tally = pyb_tally_find(type);

    if (tally != NULL)
        return tally;
    tally = new_tally(type);
    if (tally != NULL) {
        tally->bucket = bucket_of(type);
        tally->link = *tally->bucket;
        *tally->bucket = tally;
    }
    return tally;
}

struct pyb_tally *
pyb_tally_of_slot(PyTypeObject *type, enum pyb_slot slot)
{
    return pyb_tally_of(definer(type, slot));
}

void
pyb_tally_each(void (*each)(struct pyb_tally *tally))
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct pyb_tally *tally = buckets[i]; tally != NULL;
             tally = tally->link)
            each(tally);
}

/* Frees a tally that nobody will ask for. */
static void
drop(struct pyb_tally *tally)
{
    struct pyb_tally **link = tally->bucket;

    if (tally->hidden != 0 || tally->users > 0)
        return;
    while (*link != tally)
        link = &(*link)->link;
    *link = tally->link;
    free(tally->early_fields);
    free(tally);
}

void
pyb_tally_forget(const PyTypeObject *type)
{
    struct pyb_tally *tally = pyb_tally_find(type);

    if (tally == NULL)
        return;
    tally->hidden = 0;
    drop(tally);
}

struct pyb_tally *
pyb_tally_use(struct pyb_tally *tally)
{
    if (tally != NULL)
        tally->users++;
    return tally;
}

void
pyb_tally_leave(struct pyb_tally *tally)
{
    if (tally == NULL)
        return;
    tally->users--;
    drop(tally);
}

/* Those that are in use go when they are left. */
void
pyb_tally_end(void)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct pyb_tally *tally = buckets[i], *next; tally != NULL;
             tally = next) {
            next = tally->link;
            tally->hidden = 0;
            drop(tally);
        }
}

/* ------------------------------------------------------------------ */
/* Faults                                                              */

static const char untrack_first[] =
    "a collection in the middle of it sees half an object: "
    "PyObject_GC_UnTrack comes first";
static const char keep_error[] =
    "what was raised before the call must be what is raised after it";
static const char own_only[] = "whoever owns the references goes on to use it";

/* What it is called: BEFORE, the type's name, AFTER. */
static const struct {
    enum pyb_slot slot;
    const char *before, *after, *so;
} faults[PYB_FAULTS] = {
    [PYB_FAULT_FREES_TRACKED] = {PYB_SLOT_DEALLOC, "",
                                 " is tracked when tp_dealloc frees it",
                                 untrack_first},
    [PYB_FAULT_COLLECTS_TRACKED] =
        {PYB_SLOT_DEALLOC, "",
         " is tracked while its tp_dealloc runs code that may collect",
         untrack_first},
    [PYB_FAULT_LEAVES_TRACKED] =
        {PYB_SLOT_DEALLOC, "", " is tracked when tp_dealloc is done",
         "collections go on to look at what nobody refers to"},
    [PYB_FAULT_FREES_TWICE] = {PYB_SLOT_DEALLOC, "",
                               " is freed twice by its tp_dealloc",
                               "the second time it may be another object"},
    [PYB_FAULT_FREES_PLAINLY] =
        {PYB_SLOT_DEALLOC, "", " is freed with PyObject_Free",
         "CPython wants PyObject_GC_Del for a container, or its memory is "
         "damaged"},
    [PYB_FAULT_FREES_OWNED] = {PYB_SLOT_DEALLOC, "",
                               " is freed with a reference count that is not "
                               "0",
                               "somebody has a reference, or has given up one "
                               "too many"},
    [PYB_FAULT_LEAKS] = {PYB_SLOT_DEALLOC, "tp_dealloc of ",
                         " does not free its object, nor is it used again",
                         "the memory leaks"},
    [PYB_FAULT_DEALLOC_RAISES] = {PYB_SLOT_DEALLOC, "tp_dealloc of ",
                                  " leaves an exception set", keep_error},
    [PYB_FAULT_DEALLOC_LOSES] = {PYB_SLOT_DEALLOC, "tp_dealloc of ",
                                 " clears the exception", keep_error},
    [PYB_FAULT_FINALIZE_RAISES] = {PYB_SLOT_FINALIZE, "tp_finalize of ",
                                   " leaves an exception set", keep_error},
    [PYB_FAULT_FINALIZE_LOSES] = {PYB_SLOT_FINALIZE, "tp_finalize of ",
                                  " clears the exception", keep_error},
    [PYB_FAULT_FINALIZE_FREES] = {PYB_SLOT_FINALIZE, "tp_finalize of ",
                                  " frees its object", own_only},
    [PYB_FAULT_FINALIZE_GIVES] = {PYB_SLOT_FINALIZE, "tp_finalize of ",
                                  " gives up references that it does not own",
                                  own_only},
    [PYB_FAULT_REVIVES] = {PYB_SLOT_FINALIZE, "tp_finalize of ",
                           " brings its object back to life",
                           "what always comes back is never freed"},
    [PYB_FAULT_CLEAR_RAISES] = {PYB_SLOT_CLEAR, "tp_clear of ",
                                " leaves an exception set",
                                "there is nobody to handle it"},
    [PYB_FAULT_CLEAR_LOSES] = {PYB_SLOT_CLEAR, "tp_clear of ",
                               " clears the exception", keep_error},
    [PYB_FAULT_CLEAR_FREES] = {PYB_SLOT_CLEAR, "tp_clear of ",
                               " frees its object", own_only},
    [PYB_FAULT_CLEAR_GIVES] = {PYB_SLOT_CLEAR, "tp_clear of ",
                               " gives up references that it does not own",
                               own_only},
    [PYB_FAULT_CLEAR_KEEPS] = {PYB_SLOT_CLEAR, "",
                               " that was cleared as garbage has an owner",
                               "its tp_clear has brought it back to life, or "
                               "some tp_traverse visits it that does not own "
                               "it"},
};

/* Without memory it is not noticed. */
void
pyb_tally_note(const struct pyb_tally *tally, enum pyb_fault fault, size_t n,
               size_t of)
{
    char what[WHAT_BYTES];
    struct pyb_finding finding = {.what = what,
                                  .n = n,
                                  .of = of,
                                  .so = faults[fault].so,
                                  .slot = tally->slots[faults[fault].slot]};

    snprintf(what, sizeof what, "%s%.120s%s", faults[fault].before,
             tally->name, faults[fault].after);
    pyb_findings_add(&pyb_findings_noticed, &finding);
}

void
pyb_tally_fault(struct pyb_tally *tally, enum pyb_fault fault)
{
    pyb_tally_note(tally, fault, ++tally->faults[fault],
                   tally->calls[faults[fault].slot]);
}
