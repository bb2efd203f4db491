/* faults.c: every allocation of a scenario made to fail, one after another;
   see faults.h. */

#include "faults.h"

#include "gc/boehm/boehm.h"
#include "gc/heap/heap.h"
#include "runtime/freelist.h"

#include <gc/gc.h>
#include <gc/gc_inline.h>
#include <pyboehm.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ */
/* The allocators                                                      */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__real_mmap(void *address, size_t size, int protection, int flags,
                  int fd, off_t offset);
void *__real_GC_malloc(size_t size);
void *__real_GC_generic_malloc(size_t size, int kind);
void __real_GC_register_finalizer_no_order(void *object,
                                           GC_finalization_proc function,
                                           void *data,
                                           GC_finalization_proc *old,
                                           void **old_data);

void __real_GC_register_finalizer(void *object, GC_finalization_proc function,
                                  void *data, GC_finalization_proc *old,
                                  void **old_data);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
void *__wrap_mmap(void *address, size_t size, int protection, int flags,
                  int fd, off_t offset);
void *__wrap_GC_malloc(size_t size);
void *__wrap_GC_generic_malloc(size_t size, int kind);
void __wrap_GC_generic_malloc_many(size_t size, int kind, void **result);
void __wrap_GC_register_finalizer_no_order(void *object,
                                           GC_finalization_proc function,
                                           void *data,
                                           GC_finalization_proc *old,
                                           void **old_data);
void __wrap_GC_register_finalizer(void *object, GC_finalization_proc function,
                                  void *data, GC_finalization_proc *old,
                                  void **old_data);

static struct {
    int on;
    long n;      /* allocations so far */
    long first;  /* the number of the first that fails */
    int all;     /* and all that follow */
    long failed; /* how many did */
    int in_child;
} faults;

static long blocks; /* of the C library, in use */

/* Counts an allocation; 1 if it is to fail. */
static int
fails(void)
{
    if (!faults.on)
        return 0;
    faults.n++;
    if (faults.n != faults.first && !(faults.all && faults.n > faults.first))
        return 0;
    faults.failed++;
    return 1;
}

static void *
counted(void *block)
{
    blocks += block != NULL;
    return block;
}

void *
__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *
__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(n, size));
}

void *
__wrap_realloc(void *block, size_t size)
{
    if (fails())
        return NULL;
    void *moved = __real_realloc(block, size);
    return block == NULL ? counted(moved) : moved;
}

void
__wrap_free(void *block)
{
    blocks -= block != NULL;
    __real_free(block);
}

/* A call for memory at any address may fail; one for a given address does
   not. */
void *
__wrap_mmap(void *address, size_t size, int protection, int flags, int fd,
            off_t offset)
{
    return address == NULL && fails()
               ? MAP_FAILED
               : __real_mmap(address, size, protection, flags, fd, offset);
}

void *
__wrap_GC_malloc(size_t size)
{
    return fails() ? NULL : __real_GC_malloc(size);
}

void *
__wrap_GC_generic_malloc(size_t size, int kind)
{
    return fails() ? NULL : __real_GC_generic_malloc(size, kind);
}

/* Has none, so that the library takes one block at a time, and each container
   is an allocation. */
void
__wrap_GC_generic_malloc_many(size_t Py_UNUSED(size), int Py_UNUSED(kind),
                              void **result)
{
    *result = NULL;
}

/* Boehm leaves *old alone when it has no memory. */
void
__wrap_GC_register_finalizer_no_order(void *object,
                                      GC_finalization_proc function,
                                      void *data, GC_finalization_proc *old,
                                      void **old_data)
{
    if (function != 0 && fails())
        return;
    __real_GC_register_finalizer_no_order(object, function, data, old,
                                          old_data);
}

void
__wrap_GC_register_finalizer(void *object, GC_finalization_proc function,
                             void *data, GC_finalization_proc *old,
                             void **old_data)
{
    if (function != 0 && fails())
        return;
    __real_GC_register_finalizer(object, function, data, old, old_data);
}

/* ------------------------------------------------------------------ */
/* Counting                                                            */

struct figures {
    long blocks;
    size_t containers, large_bytes;
};

/* What is in use, with all garbage gone. */
static struct figures
take_figures(void)
{
    struct figures figures = {0, 0, 0};

    PyErr_NoMemory(); /* the one that is always there forgets what it held */
    PyErr_Clear();
    PyBoehm_GC_Collect(2);
    figures.blocks = blocks;
    for (size_t i = 0; i < PYB_SIZES; i++)
        figures.containers +=
            pyb_heap.sizes[i].nheld - pyb_heap.sizes[i].nfree;
    figures.large_bytes = pyb_heap.large_bytes;
    return figures;
}

/* ------------------------------------------------------------------ */
/* Runs                                                                */

static struct pyb_block *aside[PYB_SIZES];
static size_t n_aside[PYB_SIZES];

/* Takes the free blocks away, so that each container comes from Boehm. */
static void
hide_free_blocks(void)
{
    pyb_heap.forgotten_bytes = 0; /* nor is that room */
    for (size_t i = 0; i < PYB_SIZES; i++) {
        aside[i] = pyb_heap.sizes[i].free;
        pyb_heap.sizes[i].free = NULL;
        n_aside[i] = pyb_heap.sizes[i].nfree;
        pyb_heap.sizes[i].nfree = 0;
    }
}

static void
show_free_blocks(void)
{
    for (size_t i = 0; i < PYB_SIZES; i++) {
        struct pyb_block **end = &pyb_heap.sizes[i].free;

        while (*end != NULL)
            end = &(*end)->next;
        *end = aside[i];
        pyb_heap.sizes[i].nfree += n_aside[i];
    }
}

/* One run, whose allocation number first fails (0: none does). */
static int
run(faults_scenario scenario, long first, int all)
{
    faults.n = faults.failed = 0;
    faults.first = first;
    faults.all = all;
    hide_free_blocks();
    faults.on = 1;
    int result = scenario();
    faults.on = 0;
    show_free_blocks();
    return result;
}

/* What of a run is not as it should be; NULL: nothing. */
static const char *
judge(int result, enum faults_outcome outcome)
{
    PyObject *type = PyErr_Occurred();

    if (result == 0)
        return type != NULL ? "an exception and no error"
               : faults.failed > 0 && outcome == FAULTS_RAISE
                   ? "no MemoryError"
                   : NULL;
    if (type == NULL)
        return "an error and no exception";
    if (faults.failed == 0 || type != PyExc_MemoryError) {
        PyErr_Print();
        return "another exception";
    }
    PyErr_Clear();
    return NULL;
}

static const char *
compare(struct figures before)
{
    struct figures now = take_figures();

    if (now.blocks == before.blocks && now.containers == before.containers &&
        now.large_bytes == before.large_bytes)
        return NULL;
    fprintf(stderr, "blocks %+ld, containers %+ld, large bytes %+ld\n",
            now.blocks - before.blocks,
            (long)(now.containers - before.containers),
            (long)(now.large_bytes - before.large_bytes));
    return "blocks leaked or lost";
}

/* Ends the test; a child that faults_try_once made only tells and dies: Check
   would have it exit as if nothing were wrong. */
static void
demand(const char *wrong, const char *when, long first, int all)
{
    const char *rest = all ? " and all that follow" : "";

    if (wrong == NULL)
        return;
    if (faults.in_child) {
        fprintf(stderr, "%s, %s, allocation %ld%s fails\n", wrong, when, first,
                rest);
        abort();
    }
    ck_abort_msg("%s, %s, allocation %ld%s fails", wrong, when, first, rest);
}

/* Run number first; 0 when there was nothing left to fail. */
static int
try(faults_scenario scenario, enum faults_outcome outcome,
    struct figures before, long first, int all)
{
    demand(judge(run(scenario, first, all), outcome), "in the run", first,
           all);
    int failed = faults.failed > 0;
    demand(compare(before), "after the run", first, all);
    demand(judge(run(scenario, 0, 0), outcome), "in the run after it", first,
           all);
    demand(compare(before), "after that", first, all);
    return failed;
}

void
faults_try(faults_scenario scenario, enum faults_outcome outcome)
{
    node_reset();
    pyb_freelist_fini(); /* blocks that wait would never fail, nor be counted
                          */
    PyGC_Disable();      /* an automatic collection would come at any moment */
    for (int i = 0; i < 2; i++) /* the second time all caches are filled */
        demand(judge(run(scenario, 0, 0), outcome), "at first", 0, 0);
    ck_assert_int_gt(faults.n, 0);
    take_figures(); /* a collection may have left things to the next one */
    struct figures before = take_figures();
    for (int all = 0; all < 2; all++)
        for (long first = 1; try(scenario, outcome, before, first, all);)
            first++;
    PyGC_Enable();
}

/* ------------------------------------------------------------------ */
/* Once                                                                */

/* In a child process.  Exits with 1 if the fault came, with 0 if there was
   nothing left to fail. */
_Py_NO_RETURN static void
try_in_child(faults_scenario scenario, long first, int all)
{
    faults.in_child = 1;
    pyb_freelist_fini();
    take_figures();
    struct figures before = take_figures();
    int result = run(scenario, first, all), failed = faults.failed > 0;

    demand(judge(result, FAULTS_RAISE), "in the run", first, all);
    if (failed) {
        demand(compare(before), "after the run", first, all);
        demand(judge(run(scenario, 0, 0), FAULTS_RAISE), "in the run after it",
               first, all);
    }
    _exit(failed);
}

static int
try_once(faults_scenario scenario, long first, int all)
{
    fflush(NULL);
    pid_t child = fork();
    int status = 0;

    ck_assert_int_ge(child, 0);
    if (child == 0)
        try_in_child(scenario, first, all);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) < 2,
                  "status %#x when allocation %ld%s fails", (unsigned)status,
                  first, all ? " and all that follow" : "");
    return WEXITSTATUS(status);
}

void
faults_try_once(faults_scenario scenario, void (*warm)(void))
{
    node_reset();
    warm();
    PyGC_Disable();
    for (int all = 0; all < 2; all++) {
        long first = 1;

        while (try_once(scenario, first, all))
            first++;
        ck_assert_int_gt(first, 1);
    }
    PyGC_Enable();
}

/* ------------------------------------------------------------------ */

struct node *
faults_node(PyTypeObject *type)
{
    struct node *self = PyObject_GC_New(struct node, type);

    if (self == NULL)
        return NULL;
    self->left = self->right = NULL;
    self->host = NULL;
    self->label = 0;
    PyObject_GC_Track((PyObject *)self);
    return self;
}

void
faults_unexpected(const char *condition)
{
    demand(condition, "which is not so", faults.first, faults.all);
}

int
faults_drop(void *op)
{
    if (op == NULL)
        return -1;
    Py_DECREF((PyObject *)op);
    return 0;
}
