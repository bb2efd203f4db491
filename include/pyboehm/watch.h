/* watch.h: what people look at: is a type's tp_traverse right, what holds an
   object, what does the heap look like, what does the collector do.

   Part of pyboehm; included by pyboehm.h.  Nothing here is CPython's.  The
   functions need an initialised library and are called from the attached
   thread; those that look at the heap run tp_traverse of all containers.

   Manual: doc/audit.md, doc/gdb.md, doc/holders.md, doc/pictures.md,
   doc/report.md, doc/statistics.md. */

#ifndef PYBOEHM_WATCH_H
#define PYBOEHM_WATCH_H

#include <stdio.h>

#include "../pyboehm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* What holds an object                                                */

/* PyBoehm_WhyAlive: writes to file what holds op (borrowed, any object): where
   the references are that no container answers for, and the shortest chains
   of containers that lead to it, each from an owner outside, one line for each
   step.  NULL: nothing is written.  Returns 1 if something keeps op alive, the
   caller's own reference for instance; 0 if it is garbage that the next
   collection finds; -1 with RuntimeError in the middle of a collection,
   SystemError if op is NULL, or MemoryError.  Locks: runs tp_traverse, and
   nothing else; reads all memory of the process.  Manual: doc/holders.md. */
PyAPI_FUNC(int) PyBoehm_WhyAlive(PyObject *op, FILE *file);

/* ------------------------------------------------------------------ */
/* Pictures                                                            */

/* Formats: DOT is for Graphviz, see pyboehm-graph(1); JSON for programs, see
   doc/pictures.md. */
#define PyBoehm_GRAPH_DOT 1
#define PyBoehm_GRAPH_JSON 2

/* PyBoehm_WriteGraph: writes the containers that the n roots (borrowed) lead
   to in at most depth steps, any number if that is negative, with what they
   own; all there are if roots is NULL, in DOT without those of pyboehm's own.
   In DOT long containers are folded, and if there are more than 200 nodes, a
   node stands for all objects of a type; JSON has everything.  0; -1 with
   TypeError if a root is no container, ValueError for another format,
   RuntimeError in the middle of a collection, OSError if the file cannot be
   written, or MemoryError.  Locks: runs tp_traverse, and nothing else. Manual:
   doc/pictures.md. */
PyAPI_FUNC(int) PyBoehm_WriteGraph(FILE *file, PyObject *const *roots,
                                   Py_ssize_t n, int depth, int format);

/* ------------------------------------------------------------------ */
/* The heap as a page                                                  */

/* Formats: HTML is a page for browsers; FOLDED has a line for each chain of
   calls that allocated living objects, for tools that draw flame graphs. */
#define PyBoehm_REPORT_HTML 1
#define PyBoehm_REPORT_FOLDED 2

/* PyBoehm_WriteReport: writes what is in the heap: a page that needs no other
   file and no network, with types and objects, what they retain and what owns
   them; or, as FOLDED, the bytes of living objects by the calls that allocated
   them, which PYBOEHM_TRACE has recorded.  With PYBOEHM_REPORT=file in the
   environment, Py_Finalize does so, or the process when it ends; as FOLDED if
   the file's name ends with ".folded".  0; -1 with ValueError for another
   format, RuntimeError in the middle of a collection, or for FOLDED if nothing
   was recorded, OSError if the file cannot be written, or MemoryError.  Locks:
   runs tp_traverse, and nothing else.  Manual: doc/report.md. */
PyAPI_FUNC(int) PyBoehm_WriteReport(FILE *file, int format);

/* PyBoehm_Growth: writes to file what grew since the last call: a line for
   each type that has more objects or more bytes, those with the most new bytes
   first, without what is pyboehm's own; NULL: nothing is written.  Returns how
   many types those are; 0 at the first call, which only counts; -1 with
   RuntimeError in the middle of a collection, or MemoryError.  Locks: runs
   tp_traverse, and nothing else.  Manual: doc/report.md. */
PyAPI_FUNC(int) PyBoehm_Growth(FILE *file);

/* PyBoehm_WriteLeaks: writes to file what PYBOEHM_LEAKS has written at the
   end: what is alive now, by types and by how it is held, without what is
   pyboehm's own; NULL: nothing is written.  Returns how many objects those
   are, of which strings and others that no container has are counted with
   PYBOEHM_TRACE only; -1 with RuntimeError in the middle of a collection,
   OSError if the file cannot be written, or MemoryError.  Locks: runs
   tp_traverse, and nothing else; reads all memory of the process.  Manual:
   doc/holders.md. */
PyAPI_FUNC(Py_ssize_t) PyBoehm_WriteLeaks(FILE *file);

/* ------------------------------------------------------------------ */
/* Debuggers                                                           */

/* PyBoehm_Layout: where things lie in memory, for programs that read the
   memory of another one, or a core file, and call nothing in it: names, each
   with an address, an offset, a size or another number; a NULL name ends the
   table.  Which names there are, and what they mean, may change with every
   version: it is for pyboehm's own support of gdb, which comes with the
   library.  Constant. */
struct PyBoehm_LayoutItem {
    const char *name;
    const void *value;
};
PyAPI_DATA(const struct PyBoehm_LayoutItem) PyBoehm_Layout[];

/* ------------------------------------------------------------------ */
/* Watching it run                                                     */

/* Of the collections of a generation since Py_Initialize.  The first five are
   those of PyBoehm_GC_GetStats, which says of the collector what Python's
   gc.get_stats() does. */
typedef struct {
    Py_ssize_t collections;
    Py_ssize_t collected;     /* objects found unreachable, and torn down */
    Py_ssize_t uncollectable; /* found unreachable, and kept */
    Py_ssize_t candidates;    /* objects looked at */
    double duration;          /* seconds, in all */
    double longest;           /* seconds, the longest collection */
    Py_ssize_t bytes;         /* of the containers that were freed */
} PyBoehm_GenerationStats;

/* Boehm's own figures, of its whole heap and since the process began; seconds
   since Py_Initialize, as far as Boehm's events were heard.  What it collects
   while we do is in both durations. */
typedef struct {
    size_t collections;
    size_t heap_bytes; /* what it has from the system and has not unmapped */
    size_t free_bytes; /* of these; what has died since the last collection
                          is not free */
    size_t unmapped_bytes;  /* beside these */
    size_t allocated_bytes; /* since its last collection */
    size_t total_bytes;     /* allocated, in all */
    size_t non_gc_bytes;    /* what it cannot gain by collecting: containers,
                               used or not, and the host's */
    double duration;        /* from the mark's beginning to the sweep's end */
    double longest;
} PyBoehm_BoehmStats;

/* Sets of dead objects that were torn down since Py_Initialize, by where that
   was done.  A set is what one collection has found, or several that had to
   wait. */
typedef struct {
    Py_ssize_t by_finalizer; /* in Boehm's finalizer */
    Py_ssize_t by_collector; /* by the collection itself, or a later one */
    Py_ssize_t waiting;      /* 1: one is left to Boehm, and not done */
    Py_ssize_t starved;      /* collections that left something undone for lack
                                of memory: see PyBoehm_GC_Info */
} PyBoehm_TeardownStats;

/* Full collections beside the program since Py_Initialize. */
typedef struct {
    Py_ssize_t taken;
    Py_ssize_t failed;  /* could not be taken, or came to nothing: there was a
                           collection in place */
    Py_ssize_t dropped; /* of those taken: not wanted any more, since another
                           full collection came */
    double duration;    /* seconds that the program waited until they were
                           taken, in all */
    double longest;
} PyBoehm_SnapshotStats;

/* Once there is a release it grows at its end alone: the structs in it stay as
   they are, and what is added for generations, or of Boehm's, stands behind
   all that was there. */
typedef struct {
    PyBoehm_GenerationStats generations[PyBoehm_GC_GENERATIONS];
    PyBoehm_BoehmStats boehm;
    double elapsed; /* seconds since Py_Initialize */
    PyBoehm_TeardownStats teardowns;
    PyBoehm_SnapshotStats snapshots;
} PyBoehm_Stats;

/* PyBoehm_GetStats: fills in *stats, of which the caller knows size bytes,
   sizeof *stats: there may be more fields in other versions of the library,
   and what it does not know is 0.  The duration of a collection is that
   between its callbacks: the finalizers and deallocators that it runs take
   part of it, and in one that was asked for, giving memory back.  Locks: runs
   nothing.  Manual: doc/statistics.md. */
PyAPI_FUNC(void) PyBoehm_GetStats(PyBoehm_Stats *stats, size_t size);

/* PyBoehm_WriteStats: the same as a table for people.  With PYBOEHM_STATS=1 in
   the environment it is written to standard error in Py_Finalize; at exit, if
   Py_Finalize is not called.  Locks: runs nothing. */
PyAPI_FUNC(void) PyBoehm_WriteStats(FILE *file);

/* ------------------------------------------------------------------ */
/* The audit                                                           */

/* PyBoehm_Audit: compares what the instances of all types refer to with what
   their tp_traverse visits, and both with the reference counts, and writes to
   file a line for each type that does not do what it should: most instances
   first; NULL: nothing is written.  Returns how many lines those are; -1 with
   MemoryError, or with RuntimeError in the middle of a collection.  flags: 0,
   or PyBoehm_AUDIT_NEWS: only what no audit has reported yet, or of half as
   many instances.

   Proof is asked for: what is reported, leaks or crashes; what is not, may.
   All memory of the process is read; other threads may run meanwhile.

   With PYBOEHM_AUDIT=1 in the environment the news are written to standard
   error before each collection of everything that is asked for, in Py_Finalize
   and at exit; with PYBOEHM_AUDIT=error the process then exits with status 3
   if there were any.

   Thread: the attached one.  Locks: allocates.  Manual: doc/audit.md. */
#define PyBoehm_AUDIT_NEWS 1
PyAPI_FUNC(int) PyBoehm_Audit(FILE *file, int flags);

#ifdef __cplusplus
}
#endif

#endif /* PYBOEHM_WATCH_H */
