/* oracle.h: what the programs of the oracle have in common.

   Each program is one source of CPython's API, compiled twice: against our
   headers and against CPython's.  It defines oracle_program(); what that says
   on standard output, the transcript, must be the same on both sides.

   Automatic collections are off, what was garbage at the start is gone, and
   all that lives is frozen.  The order of objects within one phase of one
   collection (weak references' callbacks, finalizers, clearing) is promised
   nowhere: ours is that of addresses, CPython's that of tracking.  While a
   collection runs, what happens is therefore kept back, and printed phase by
   phase, in each the names in alphabetical order.  Which objects are cleared
   before they are freed depends on that order, too: see tell_clears. */

#ifndef T_ORACLE_H
#define T_ORACLE_H

#define PY_SSIZE_T_CLEAN /* 3.11 asks for it where a format has "#" */
#include <Python.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* oracle_program: the program, called between Py_Initialize and
   Py_Finalize. */
void oracle_program(void);

/* ------------------------------------------------------------------ */
/* The transcript                                                      */

/* say: a line; the format is printf's.  An address, "0x" and more than four
   digits, is shown as "0x?". */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* event: "WHO: WHAT"; kept back while a collection runs.  WHAT begins a phase
   of its own, but "clear" and "dealloc", which alternate, share one.  Both are
   copied. */
void event(const char *who, const char *what);

/* tell_clears: 0 leaves out a "clear" that the same object's "dealloc" follows
   in a collection.  A program may set it to 1 where each cycle is one object,
   so that the order has no say. */
extern int tell_clears;

/* collect, collect_generation: a collection; says what happened in it and how
   many were unreachable. */
void collect(void);
void collect_generation(int generation);

/* error: says "TYPE: TEXT" of the pending exception, which is cleared, or "no
   exception".  A place in a source before the text is shown as "FILE:LINE". */
void error(void);
const char *error_text(void); /* the same buffer each time */

/* result: says "LABEL: VALUE" and, if there is one, the pending exception,
   which is cleared.  RESULT, SHOW: the label is the call itself. */
void result(const char *label, long value);
#define RESULT(call) result(#call, (long)(call))
#define SHOW(call) show(#call, call)

/* show: says "LABEL: REPR" of an object, whose reference it takes away; if it
   is NULL, the error.  show_kept: the same; the reference stays. */
void show(const char *label, PyObject *op);
void show_kept(const char *label, PyObject *op);

/* show_inner, SHOW_INNER: the same as show; but of an exception that 3.11 puts
   into another one, "encoding with 'X' codec failed (ValueError: why)", what
   is in the parentheses; later versions add a note instead. */
void show_inner(const char *label, PyObject *op);
#define SHOW_INNER(call) show_inner(#call, call)

/* visits: says what op's tp_traverse visits, in this order: an actor or a type
   by its name, another object by that of its type. */
void visits(const char *label, PyObject *op);

/* state: says of op whether it is tracked and finalized, and its reference
   count. */
void state(const char *label, PyObject *op);

/* stderr_begin, stderr_end: what is written to standard error between them is
   said, line by line, without the time that a collection took and without the
   numbers of "objects in each generation". */
void stderr_begin(void);
void stderr_end(void);
void stderr_drop(void); /* the same, but nothing is said */

/* differs: a place where the two sides say different things on purpose.  On
   each side what was observed must be what is written for that side; then both
   say "differs: WHY".  The reason names the sentence that ours follows. */
void differs(const char *why, const char *ours, const char *cpython,
             const char *observed);

/* Text for differs; the same buffer each time. */
const char *text(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* ------------------------------------------------------------------ */
/* Help                                                                */

/* need: op, or the end of the program if it is NULL. */
void *need(void *op);

/* need_ready: readies the type. */
void need_ready(PyTypeObject *type);

/* call_type: type(...), a new reference; the format is Py_BuildValue's, for a
   tuple. */
PyObject *call_type(void *type, const char *format, ...);

/* drop_all: gives references up, in the order of the objects, of which none is
   NULL. */
#define drop_all(...) drop_until(__VA_ARGS__, &no_object)
void drop_until(void *op, ...);
extern PyObject no_object;

/* unraisable_to_transcript: from now on sys.unraisablehook says "unraisable
   TYPE: TEXT" as an event. */
void unraisable_to_transcript(void);

/* fatal: calls function() in a child process, which it is expected to kill
   with SIGABRT; says so, and what of its last words has neither line numbers
   nor addresses in it: the assertion that failed, the object's reference count
   and its type's name, or else the fatal error. */
void fatal(const char *label, void (*function)(void));

/* gc_call: gc.NAME(...), a new reference; the format is Py_BuildValue's, for a
   tuple: "()", "(i)", "(O)". */
PyObject *gc_call(const char *name, const char *format, ...);

/* none_def: a function without arguments that returns None. */
extern PyMethodDef none_def;

/* ref_life: of a weak reference, "alive" or "dead"; "none" if it is NULL. */
const char *ref_life(PyObject *ref);

/* pick: the next number from 0 to below n of a generator that gives the same
   ones on both sides, from the seed on that the program sets. */
int pick(int n);
extern unsigned pick_seed;

/* ------------------------------------------------------------------ */
/* Actors: objects with a name that tell what is done to them          */

enum { ACTOR_REFS = 3 };

struct actor {
    PyObject_HEAD
    char name[16];
    PyObject *refs[ACTOR_REFS]; /* owned; visited in this order */
    PyObject *weaklist;
    void (*on_finalize)(struct actor *); /* NULL: nothing more */
    void (*on_clear)(struct actor *);    /* before the references go */
    void (*on_dealloc)(struct actor *);  /* after untracking */
};

/* The slots, for types that share some of them. */
int actor_traverse(PyObject *op, visitproc visit, void *arg);
int actor_clear(PyObject *op);
void actor_finalize(PyObject *op);
void actor_dealloc(PyObject *op);

/* ACTOR_TYPE: begins the initializer of another type. */
#define ACTOR_TYPE(name, dealloc, traverse, clear)                            \
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = name,                            \
                                .tp_basicsize = sizeof(struct actor),         \
                                .tp_flags =                                   \
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,  \
                                .tp_dealloc = dealloc,                        \
                                .tp_traverse = traverse, .tp_clear = clear

extern PyTypeObject Actor_Type;      /* tp_traverse, tp_clear */
extern PyTypeObject FinalActor_Type; /* and tp_finalize */
extern PyTypeObject FixedActor_Type; /* tp_traverse only */
/* Actor_Type's subtype with a tp_del, which no collection calls; the program
   has to make it ready. */
extern PyTypeObject LegacyActor_Type;

/* actor_new: a tracked actor of the type; a new reference. */
struct actor *actor_new(PyTypeObject *type, const char *name);

/* actor_set: gives the actor's i-th reference a new value, which stays the
   caller's; the old one is given up. */
void actor_set(struct actor *actor, int i, void *value);

/* actor_save: for on_finalize: keeps the actor, by a reference of its own. */
void actor_save(struct actor *actor);
extern struct actor *actor_saved;

/* watch: a weak reference to op with a callback that says the event "NAME:
   called, dead", or "alive", which it should not be; a new reference. */
PyObject *watch(void *op, const char *name);

/* actor_ring: actors "a", "b", ... each of which refers to the next one by its
   first reference, the last to the first; a new reference to "a". */
struct actor *actor_ring(PyTypeObject *type, int n);

#endif /* T_ORACLE_H */
