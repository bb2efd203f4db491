/* events.h: what the collector tells lib/watch, as it happens.
   internals: layers

   lib/watch stands above all others; lib/watch/watch.c has the one table of
   this kind, and Py_Initialize installs it.  The events of a collection are
   told whenever there is a table.  Those of objects take the slow paths, so
   that they are told only while something listens: those of PYBOEHM_AUDIT
   where pyb_control.audit says so, births and deaths where pyb_control.trace
   does. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_EVENTS_H
#define PYB_GC_BASE_EVENTS_H

#include <stddef.h>
#include <stdio.h>

#include "gc/check/defect.h"
#include "object.h"

struct pyb_pause;
struct pyb_set;

/* Slots that may end an object's life. */
enum pyb_slot { PYB_SLOT_DEALLOC, PYB_SLOT_FINALIZE, PYB_SLOT_CLEAR };

struct pyb_events {
    /* --- Collections --- */

    /* A collection is over but for its callbacks, or a late teardown, see
       stats.h; nothing of the API but PyBoehm_GetStats may be called. */
    void (*paused)(const struct pyb_pause *pause);

    /* A full collection that was asked for is about to begin. */
    void (*collecting)(void);

    /* A full collection that was asked for is over, and what it found is
       gone. */
    void (*collected)(void);

    /* Nothing is under way any more: the last collection or teardown is over,
       or what else none may begin in.  Nothing of the API may be called. */
    void (*idle)(void);

    /* --- Objects, while they are traced: nothing of these may make, free or
       collect an object --- */

    /* An object has its head now. */
    void (*born)(PyObject *op);

    /* An object is dead, a plain one or, with checks or an audit, a
       container; moved, if it is not NULL, has taken its place. */
    void (*freed)(void *op, void *moved);

    /* With checks: Boehm has seen no pointer to an adopted object, which goes.
     */
    void (*unseen)(const PyObject *op);

    /* Fatal: writes where the object that is or was at an address was made and
       freed, and what is calling now, as far as that was recorded. */
    void (*history)(const void *op, FILE *file);

    /* Writes " [NAME in LIBRARY, FILE:LINE]", where a function is. */
    void (*where)(const void *function, FILE *file);

    /* Writes ": custom.Custom+24 (first)" to text: the one field of op's body
       that has the address; or nothing. */
    void (*field)(PyObject *op, const void *address, char *text, size_t size);

    /* Writes the places in memory that have an object's address, unless file
       is NULL.  Returns how many of them no dead word leads to: those in
       static data.  Stacks grow over dead words. */
    size_t (*places)(PyObject *op, FILE *file);

    /* --- Objects, while they are audited --- */

    /* A container was made, and of so many bytes of it nothing was promised to
       its maker.  With checks, which fill them in themselves, there are none.
     */
    void (*made)(PyObject *op, size_t size);

    /* op, which is in order, is about to be tracked. */
    void (*tracking)(PyObject *op);

    /* A block, which may be free already, is about to be freed.  0: it must
       not be. */
    int (*deleting)(PyObject *op);

    /* A container is given to PyObject_Free; deleting comes next. */
    void (*freeing)(PyObject *op);

    /* An automatic collection may begin, or one that was asked for. */
    void (*may_collect)(void);

    /* A slot of op's is due: calls call. */
    void (*calling)(PyObject *op, enum pyb_slot slot,
                    void (*call)(PyObject *op, enum pyb_slot slot));

    /* The slots that are under way will not return. */
    void (*left)(void);

    /* op, or what was there, has a defect. */
    void (*flawed)(enum pyb_defect defect, PyObject *op);

    /* tp_traverse of op is about to be called, in no collection. */
    void (*traversing)(PyObject *op);

    /* The members of a set have been cleared; what is left of it is to go back
       to the living. */
    void (*cleared)(struct pyb_set *set);
};

extern const struct pyb_events *pyb_events; /* NULL: nothing listens */

#endif /* PYB_GC_BASE_EVENTS_H */
