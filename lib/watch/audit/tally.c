/* tally.c: what types have been observed to do.  See tally.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/type/statictypes.h"
#include "object/type/subtype.h"
#include "watch/audit/findings.h"
#include "watch/audit/tally.h"

enum { BUCKETS = 256, WHAT_BYTES = 256 };

static struct pyb_tally *buckets[BUCKETS];

/* ------------------------------------------------------------------ */
/* The type that defines a slot                                        */

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

/* Is it the function that forwards a heap type's slot to its base? */
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

    PYB_ASSERT((unsigned)slot < PYB_SLOTS);
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

/* A function near the constructor will do, since only its file matters. */
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
    PYB_ASSERT_OBJECT(type->tp_name != NULL, type);
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
    PYB_EXPENSIVE(pyb_tally_check());
    for (int i = 0; i < BUCKETS; i++)
        for (struct pyb_tally *tally = buckets[i]; tally != NULL;
             tally = tally->link)
            each(tally);
}

static void
check_tally(const struct pyb_tally *tally, struct pyb_tally **bucket)
{
    const PyTypeObject *type = (const PyTypeObject *)~tally->hidden;

    PYB_ALWAYS(tally->bucket == bucket, NULL, "a tally is on another list");
    PYB_ALWAYS(tally->hidden != 0 || tally->users > 0, NULL,
               "a tally is of no type, and nothing uses it");
    PYB_ALWAYS(tally->hidden == 0 || (bucket_of(type) == bucket &&
                                      pyb_tally_find(type) == tally),
               NULL, "a type's tally is not found");
}

void
pyb_tally_check(void)
{
    for (int i = 0; i < BUCKETS; i++)
        for (const struct pyb_tally *tally = buckets[i]; tally != NULL;
             tally = tally->link)
            check_tally(tally, &buckets[i]);
}

/* Frees a tally if its type is gone and it is not in use. */
static void
drop(struct pyb_tally *tally)
{
    struct pyb_tally **link = tally->bucket;

    if (tally->hidden != 0 || tally->users > 0)
        return;
    while (*link != tally) {
        PYB_ASSERT(*link != NULL); /* it is in its bucket */
        link = &(*link)->link;
    }
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
    PYB_ASSERT(tally->users > 0);
    tally->users--;
    drop(tally);
}

/* Tallies in use are freed when they are left. */
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

static const char untrack_first[] = "a collection meanwhile sees half an "
                                    "object: call PyObject_GC_UnTrack first";
static const char keep_error[] =
    "a call must leave the exception as it was before";
static const char own_only[] =
    "other references to the object remain and will be used";

/* A fault reads: BEFORE, the type's name, AFTER; SO. */
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
         "collections go on to visit an object that nothing refers to"},
    [PYB_FAULT_FREES_TWICE] = {PYB_SLOT_DEALLOC, "",
                               " is freed twice by its tp_dealloc",
                               "the second time it may be another object"},
    [PYB_FAULT_FREES_PLAINLY] =
        {PYB_SLOT_DEALLOC, "", " is freed with PyObject_Free",
         "CPython wants PyObject_GC_Del for a container, or its memory is "
         "damaged"},
    [PYB_FAULT_FREES_OWNED] =
        {PYB_SLOT_DEALLOC, "",
         " is freed with a reference count that is not "
         "0",
         "it is still referred to, or one reference too many was released"},
    [PYB_FAULT_FREES_REFERRED] =
        {PYB_SLOT_DEALLOC, "", " is freed with weak references to it",
         "they are to be None: call PyObject_ClearWeakRefs first"},
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
    [PYB_FAULT_REVIVES] =
        {PYB_SLOT_FINALIZE, "tp_finalize of ", " resurrects its object",
         "an object that is resurrected every time is never freed"},
    [PYB_FAULT_CLEAR_RAISES] = {PYB_SLOT_CLEAR, "tp_clear of ",
                                " leaves an exception set",
                                "no caller handles it"},
    [PYB_FAULT_CLEAR_LOSES] = {PYB_SLOT_CLEAR, "tp_clear of ",
                               " clears the exception", keep_error},
    [PYB_FAULT_CLEAR_FREES] = {PYB_SLOT_CLEAR, "tp_clear of ",
                               " frees its object", own_only},
    [PYB_FAULT_CLEAR_GIVES] = {PYB_SLOT_CLEAR, "tp_clear of ",
                               " gives up references that it does not own",
                               own_only},
};

const void *
pyb_tally_culprit(const struct pyb_tally *tally, enum pyb_slot slot)
{
    PyTypeObject *type = (PyTypeObject *)~tally->hidden;

    return tally->hidden != 0 && pyb_statictypes_has(type)
               ? NULL
               : tally->slots[slot];
}

/* Without memory the fault is dropped. */
void
pyb_tally_note(const struct pyb_tally *tally, enum pyb_fault fault, size_t n,
               size_t of)
{
    PYB_ASSERT((unsigned)fault < PYB_FAULTS && faults[fault].so != NULL);
    char what[WHAT_BYTES];
    struct pyb_finding finding = {
        .what = what,
        .n = n,
        .of = of,
        .so = faults[fault].so,
        .slot = pyb_tally_culprit(tally, faults[fault].slot)};

    snprintf(what, sizeof what, "%s%.120s%s", faults[fault].before,
             tally->name, faults[fault].after);
    pyb_findings_add(&pyb_findings_noticed, &finding);
}

void
pyb_tally_fault(struct pyb_tally *tally, enum pyb_fault fault)
{
    PYB_ASSERT((unsigned)fault < PYB_FAULTS);
    pyb_tally_note(tally, fault, ++tally->faults[fault],
                   tally->calls[faults[fault].slot]);
}
