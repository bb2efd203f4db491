/* pyboehm.h: the part of the API that is pyboehm's own.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread (pystate.h); never
   from one of Boehm's hooks, which hold its lock, or from a signal handler.

   What is said of locks: a function that "runs nothing" may be called with any
   lock of the host's held.  One that "allocates" may, like GC_MALLOC, have
   Boehm collect and run the host's finalizers.  One that "collects" also runs
   tp_finalize, tp_clear, tp_dealloc and callbacks of weak references, which
   may detach the thread: hold no lock that these, or another thread that is to
   be attached, need.  Making a container, and giving up the last reference to
   an object, are calls of that kind.  No function holds a lock of Boehm's or
   of pyboehm's while it runs code of others, but that the thread is attached.

   Manual: Python's library, for the counterparts of these: "gc: Garbage
   Collector interface", "sys", part "unraisablehook", "warnings". */

#ifndef PYBOEHM_H
#define PYBOEHM_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Locks: to set a hook runs nothing; the hook may do anything. */

/* PyBoehm_SetUnraisableHook: hook is called for each unraisable exception in
   place of the default report; NULL brings that back.  exception is the
   exception; message is NULL or replaces "Exception ignored in"; object is
   NULL or where it came from; all borrowed; arg is what was given here.  An
   exception that the hook leaves is reported in the default way. */
PyAPI_FUNC(void)
    PyBoehm_SetUnraisableHook(void (*hook)(PyObject *exception,
                                           const char *message,
                                           PyObject *object, void *arg),
                              void *arg);

/* PyBoehm_SetWarningHook: hook is called for each warning in place of filter
   and output; NULL brings those back.  category (borrowed) is a class and text
   is UTF-8.  With -1 the hook turns the warning into an exception: its own if
   it raised one, else category(text).  Other results mean that all is done. */
PyAPI_FUNC(void) PyBoehm_SetWarningHook(
    int (*hook)(PyObject *category, const char *text, void *arg), void *arg);

/* ------------------------------------------------------------------ */
/* Adoption: objects that live as long as Boehm sees them              */

/* An adopted object lives while Boehm sees a pointer to its beginning, on a
   stack, in a register, in scanned memory, in the body of another object, or
   there is a counted reference to it.  No call of Py_DECREF is needed.  Full
   collections find those that neither holds for, cycles through both heaps
   included: Boehm collects, and the host's finalizers run; the finalizers of
   the dead are called and their weak references and the host's (short)
   disappearing links cleared, in the order of PEP 442.  What Boehm does not
   scan, malloc memory for instance, must own what it refers to by count.

   Only containers can be adopted, the objects of types with
   Py_TPFLAGS_HAVE_GC: the others live in malloc memory.  An adopted object is
   tracked; Py_REFCNT of it is large.  Immortal objects (None, True, static
   types) are given back as they are, adopted or not.

   Thread: the attached one.  Manual: doc/hosts.md. */

/* PyBoehm_Adopt: takes over the caller's reference, even if it fails, and
   gives it to Boehm.  Returns op, a borrowed reference from now on, which
   lasts while Boehm sees the pointer.  NULL with TypeError if op is no
   container; NULL, the exception left as it is, if op is.  If op is adopted
   already, the reference is merely given up.  Locks: runs nothing, unless it
   fails and the reference was the last. */
PyAPI_FUNC(PyObject *) PyBoehm_Adopt(PyObject *op);

/* PyBoehm_IsAdopted: 1 or 0, of any object.  Locks: runs nothing. */
PyAPI_FUNC(int) PyBoehm_IsAdopted(PyObject *op);

/* PyBoehm_Disown: takes Boehm's reference away and gives it to the caller as a
   counted one (a new reference).  Returns op; NULL with ValueError if it is
   not adopted.  Locks: runs nothing, unless it fails, when it allocates. */
PyAPI_FUNC(PyObject *) PyBoehm_Disown(PyObject *op);

/* ------------------------------------------------------------------ */
/* The collector: Python's module gc, for C                            */

/* Generations: an object is tracked in 0, and moves on to 1 and to 2 as
   collections find it alive.  A collection of a generation takes the younger
   ones with it.  Frozen objects are in none. */
#define PyBoehm_GC_GENERATIONS 3

/* PyBoehm_GC_Collect: collects a generation, whether the collector is enabled
   or not: our heap alone, at once.  It costs what our objects cost, however
   large Boehm's heap is; PyGC_Collect has Boehm collect that, too.  Returns
   how many objects were found unreachable, collected and uncollectable ones
   together; 0 if a collection is under way; -1 with ValueError if there is no
   such generation.  Locks: collects; of 2, the host's finalizers may run as
   well. */
PyAPI_FUNC(Py_ssize_t) PyBoehm_GC_Collect(int generation);

/* PyBoehm_GC_CollectAll: collects both heaps, whether the collector is enabled
   or not: as PyGC_Collect, but Boehm collects in any case.  What has a
   finalizer of Boehm's and is not reached is finalized, the set of dead
   containers among others, from whose finalizer their tp_finalize and tp_clear
   run.  Unless the host runs finalizers on demand all that is done when it
   returns; our set is in any case.  What of Boehm's heap only the dead
   containers referred to is found by its next collection.  Returns how many
   containers were found unreachable; 0 if a collection is under way.  Locks:
   collects, and runs the host's finalizers.
 */
PyAPI_FUNC(Py_ssize_t) PyBoehm_GC_CollectAll(void);

/* Locks: the functions for counts, thresholds, statistics, frozen objects and
   flags run nothing. */

/* PyBoehm_GC_GetCount: the containers made less those freed since the last
   collection; the collections of 0 since one of 1; those of 1 since one of
   2. */
PyAPI_FUNC(void) PyBoehm_GC_GetCount(int counts[PyBoehm_GC_GENERATIONS]);

/* PyBoehm_GC_GetThreshold, PyBoehm_GC_SetThreshold: when automatic collections
   begin: of 0 when the first count exceeds the first threshold, which must not
   be 0; then of 1 in its place when the second count exceeds the second
   threshold; of 2 when the third does, and the last generation has doubled
   since it was last collected.  Unless the program sets them, the first one
   counts up to eight times while collections find little. */
PyAPI_FUNC(void)
    PyBoehm_GC_GetThreshold(int thresholds[PyBoehm_GC_GENERATIONS]);
PyAPI_FUNC(void)
    PyBoehm_GC_SetThreshold(const int thresholds[PyBoehm_GC_GENERATIONS]);

/* PyBoehm_GC_SetSnapshots: may automatic full collections of large heaps be
   done by a child process, on a snapshot of memory, while the program runs on?
   0, the default, says no, and ends one that is under way;
   PYBOEHM_SNAPSHOTS=1 in the environment says yes.
   PyBoehm_GC_GetSnapshots: may they?  Manual: doc/hosts.md, "Full collections
   beside the program". */
PyAPI_FUNC(void) PyBoehm_GC_SetSnapshots(int on);
PyAPI_FUNC(int) PyBoehm_GC_GetSnapshots(void);

/* PyBoehm_GC_GetStats: what Python's gc.get_stats() says of each generation,
   since Py_Initialize: how many collections there were, how many objects they
   collected, or found unreachable and could not collect, how many they looked
   at, and how many seconds they took.  PyBoehm_GetStats knows more. */
typedef struct {
    Py_ssize_t collections;
    Py_ssize_t collected;
    Py_ssize_t uncollectable;
    Py_ssize_t candidates;
    double duration;
} PyBoehm_GC_Stats;
PyAPI_FUNC(void)
    PyBoehm_GC_GetStats(PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS]);

/* PyBoehm_GC_Freeze: takes all tracked objects out of the generations, so that
   no collection looks at them; before a fork, for instance.
   PyBoehm_GC_Unfreeze: puts them into the last generation.
   PyBoehm_GC_GetFreezeCount: how many are frozen. */
PyAPI_FUNC(void) PyBoehm_GC_Freeze(void);
PyAPI_FUNC(void) PyBoehm_GC_Unfreeze(void);
PyAPI_FUNC(Py_ssize_t) PyBoehm_GC_GetFreezeCount(void);

/* Debug flags: collections are described on standard error, with their time
   (STATS); collectable and uncollectable objects are named there; unreachable
   objects are kept in the garbage in place of being cleared (SAVEALL).  LEAK
   is all but STATS. */
#define PyBoehm_GC_DEBUG_STATS 1
#define PyBoehm_GC_DEBUG_COLLECTABLE 2
#define PyBoehm_GC_DEBUG_UNCOLLECTABLE 4
#define PyBoehm_GC_DEBUG_SAVEALL 32
#define PyBoehm_GC_DEBUG_LEAK                                                 \
    (PyBoehm_GC_DEBUG_COLLECTABLE | PyBoehm_GC_DEBUG_UNCOLLECTABLE |          \
     PyBoehm_GC_DEBUG_SAVEALL)

/* PyBoehm_GC_GetDebug, PyBoehm_GC_SetDebug: the flags, or'ed. */
PyAPI_FUNC(int) PyBoehm_GC_GetDebug(void);
PyAPI_FUNC(void) PyBoehm_GC_SetDebug(int flags);

/* Objects that were looked for: owned references in an array, which
   PyBoehm_GC_FreeObjects drops and frees; it may be called on the result of a
   search that failed. */
typedef struct {
    Py_ssize_t n;
    PyObject **items;
} PyBoehm_GC_Objects;
PyAPI_FUNC(void) PyBoehm_GC_FreeObjects(PyBoehm_GC_Objects *objects);

/* Searches; each returns 0, or -1 with MemoryError.  Locks: they run
   tp_traverse; PyBoehm_GC_FreeObjects gives references up.
   PyBoehm_GC_GetObjects: the tracked objects of a generation, or of all three
   if it is negative; ValueError if there is no such generation.
   PyBoehm_GC_GetReferrers: the tracked objects whose tp_traverse visits one of
   the n ops.
   PyBoehm_GC_GetReferents: what the tp_traverse of each of the n ops visits,
   in that order. */
PyAPI_FUNC(int)
    PyBoehm_GC_GetObjects(int generation, PyBoehm_GC_Objects *objects);
PyAPI_FUNC(int) PyBoehm_GC_GetReferrers(PyObject *const *ops, Py_ssize_t n,
                                        PyBoehm_GC_Objects *objects);
PyAPI_FUNC(int) PyBoehm_GC_GetReferents(PyObject *const *ops, Py_ssize_t n,
                                        PyBoehm_GC_Objects *objects);

/* PyBoehm_GC_GetGarbage: what collections could not collect, or kept for
   SAVEALL, to be freed as the results of searches are; 0, or -1 with
   MemoryError.  It is Python's gc.garbage.  Locks: runs nothing.
   PyBoehm_GC_ClearGarbage: drops the references to it, which may be the last
   ones. */
PyAPI_FUNC(int) PyBoehm_GC_GetGarbage(PyBoehm_GC_Objects *objects);
PyAPI_FUNC(void) PyBoehm_GC_ClearGarbage(void);

/* A callback is called before and after each collection, with phase "start" or
   "stop".  At the start all numbers but the first are 0.  At the stop those of
   the objects found are, too, where they are left to Boehm and its finalizer
   has not been called; candidates is how many objects the collection looked
   at, and duration how many seconds it took. No collection begins in a
   callback.  An exception that it leaves is reported as unraisable.
   starved is 1 where there was no memory to ask Boehm about adopted objects,
   which live on then, or to put objects into gc.garbage: the next full
   collection tries again.  Garbage that is neither needs none. */
typedef struct {
    int generation;
    Py_ssize_t collected;
    Py_ssize_t uncollectable;
    Py_ssize_t candidates;
    double duration;
    int starved;
} PyBoehm_GC_Info;
typedef void (*PyBoehm_GC_Callback)(const char *phase,
                                    const PyBoehm_GC_Info *info, void *arg);

/* PyBoehm_GC_AddCallback: has callback(phase, info, arg) called; 0, or -1 with
   MemoryError.  arg is not looked at, and not seen by Boehm: a block of
   Boehm's must be kept elsewhere.  PyBoehm_GC_RemoveCallback: not any more; 1,
   or 0 if there was no such callback.  Py_Finalize removes all.  Locks: both
   run nothing; the callbacks are part of what collects. */
PyAPI_FUNC(int)
    PyBoehm_GC_AddCallback(PyBoehm_GC_Callback callback, void *arg);
PyAPI_FUNC(int)
    PyBoehm_GC_RemoveCallback(PyBoehm_GC_Callback callback, void *arg);

#ifdef __cplusplus
}
#endif

#include "pyboehm/watch.h"

#endif /* PYBOEHM_H */
