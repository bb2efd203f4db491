/* watching.h: what the layers below tell those who watch for people.

   lib/watch stands above all others; watch.c fills this table in. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_WATCHING_H
#define PYB_GC_WATCHING_H

#include <stddef.h>

#include "gc/flaw.h"
#include "object.h"

struct pyb_pause;

struct pyb_watching {
    /* Py_Initialize is at its end. */
    void (*begun)(void);

    /* A collection is over but for its callbacks, or a late teardown, see
       stats.h; nothing of the API but PyBoehm_GetStats may be called. */
    void (*paused)(const struct pyb_pause *pause);

    /* A full collection that was asked for is about to begin. */
    void (*collecting)(void);

    /* A full collection that was asked for is over, and what it found is
       gone. */
    void (*collected)(void);

    /* Py_Finalize begins; nothing is gone yet. */
    void (*finalizing)(void);

    /* What Py_Finalize lets go of is gone, and what it cannot do without is
       not: whatever else is alive leaks. */
    void (*finalized)(void);
};

extern const struct pyb_watching pyb_watching;

/* Slots that may end an object's life. */
enum pyb_slot { PYB_SLOT_DEALLOC, PYB_SLOT_FINALIZE, PYB_SLOT_CLEAR };

struct pyb_set;

/* What can be seen only while it happens.  Where somebody looks no quick path
   is taken, as with checks. */
struct pyb_observers {
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

    /* op, or what was there, has a flaw. */
    void (*flawed)(enum pyb_flaw flaw, PyObject *op);

    /* tp_traverse of op is about to be called, in no collection. */
    void (*traversing)(PyObject *op);

    /* The members of a set have been cleared; what is left of it is to go back
       to the living. */
    void (*cleared)(struct pyb_set *set);
};

extern const struct pyb_observers *pyb_observers; /* NULL: nobody looks */

#endif /* PYB_GC_WATCHING_H */
