/* watching.h: what the layers below tell those who watch for people.

   lib/watch stands above all others; watch.c fills this table in. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_WATCHING_H
#define PYB_GC_WATCHING_H

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

#endif /* PYB_GC_WATCHING_H */
