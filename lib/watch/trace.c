/* trace.c: where objects were allocated.  See trace.h.

   Manual: backtrace(3), dl_iterate_phdr(3). */

#include "Python.h"

#include <execinfo.h>
#include <link.h>
#include <stdlib.h>

#include "gc/control.h"
#include "gc/environment.h"
#include "gc/sidetable.h"
#include "watch/lines.h"
#include "watch/memory.h"
#include "watch/symbol.h"
#include "watch/trace.h"

enum {
    FRAMES_MAX = 64, /* that can be asked for */
    OWN_FRAMES = 32  /* of the library itself, at most, that come before */
};

struct record {
    uintptr_t hidden; /* the address, inverted; 0: none */
    PyTypeObject *type;
    size_t chain;
};

struct chain {
    uint64_t hash;
    size_t begin, n; /* in frames */
    size_t next;     /* with the same place in the table, from one on */
};

enum { TABLE = 1 << 12 }; /* of chains */

static struct {
    int depth;           /* frames to be recorded; 0: nothing is */
    uintptr_t low, high; /* where the library is, if it is one of its own */
    struct record *records;
    size_t n_records, room; /* a power of two, more than half of it free */
    struct chain *chains;
    size_t n_chains, chains_room;
    void **frames;
    size_t n_frames, frames_room;
    size_t table[TABLE];
} trace;

/* ------------------------------------------------------------------ */
/* Chains                                                              */

static uint64_t
hash_of(void *const *frames, size_t n)
{
    uint64_t hash = n;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* Makes room for n more of an array; 0, or -1 if there is no memory. */
static int
make_room(void **array, size_t size, size_t used, size_t n, size_t *room)
{
    size_t more_room = 2 * *room + n + 1024;
    void *more;

    if (used + n <= *room)
        return 0;
    more = realloc(*array, more_room * size);
    if (more == NULL)
        return -1;
    *array = more;
    *room = more_room;
    return 0;
}

static size_t
find_chain(void *const *frames, size_t n, uint64_t hash)
{
    size_t i = trace.table[hash % TABLE];

    for (; i != 0; i = trace.chains[i - 1].next) {
        const struct chain *chain = &trace.chains[i - 1];

        if (chain->hash == hash && chain->n == n &&
            memcmp(&trace.frames[chain->begin], frames, n * sizeof *frames) ==
                0)
            break;
    }
    return i;
}

/* The number of a chain, which may be new; 0 if there is no memory. */
static size_t
enter_chain(void *const *frames, size_t n)
{
    uint64_t hash = hash_of(frames, n);
    size_t found = find_chain(frames, n, hash);

    if (found != 0)
        return found;
    if (make_room((void **)&trace.chains, sizeof *trace.chains, trace.n_chains,
                  1, &trace.chains_room) < 0 ||
        make_room((void **)&trace.frames, sizeof *trace.frames, trace.n_frames,
                  n, &trace.frames_room) < 0)
        return 0;
    trace.chains[trace.n_chains++] =
        (struct chain){hash, trace.n_frames, n, trace.table[hash % TABLE]};
    memcpy(&trace.frames[trace.n_frames], frames, n * sizeof *frames);
    trace.n_frames += n;
    trace.table[hash % TABLE] = trace.n_chains;
    return trace.n_chains;
}

/* ------------------------------------------------------------------ */
/* Records                                                             */

/* The record of an address, or the free one where it belongs. */
static struct record *
record_at(struct record *records, size_t room, uintptr_t hidden)
{
    size_t i = (hidden >> 4) * 0x9e3779b97f4a7c15u & (room - 1);

    while (records[i].hidden != 0 && records[i].hidden != hidden)
        i = (i + 1) & (room - 1);
    return &records[i];
}

static int
grow(void)
{
    size_t room = trace.room != 0 ? 2 * trace.room : 1 << 12;
    struct record *records = calloc(room, sizeof *records);

    if (records == NULL)
        return -1;
    for (size_t i = 0; i < trace.room; i++)
        if (trace.records[i].hidden != 0)
            *record_at(records, room, trace.records[i].hidden) =
                trace.records[i];
    free(trace.records);
    trace.records = records;
    trace.room = room;
    return 0;
}

static int
is_own(const void *frame)
{
    return (uintptr_t)frame - trace.low < trace.high - trace.low;
}

/* The innermost frames are the library's, or a sanitizer's who stands between;
   of these the outermost is kept, the function that was called. */
static size_t
own_frames(void *const *frames, size_t n)
{
    size_t own = 0;

    while (own < n && !is_own(frames[own]))
        own++;
    while (own < n && is_own(frames[own]))
        own++;
    return own > 0 && is_own(frames[own - 1]) ? own - 1 : 0;
}

static void
enter(struct record record)
{
    struct record *there;

    if (2 * trace.n_records >= trace.room && grow() < 0)
        return;
    there = record_at(trace.records, trace.room, record.hidden);
    trace.n_records += there->hidden == 0;
    *there = record;
}

void
pyb_trace_made(PyObject *op)
{
    void *frames[FRAMES_MAX + OWN_FRAMES];
    size_t n = (size_t)backtrace(frames, trace.depth + OWN_FRAMES);
    size_t own = own_frames(frames, n);

    enter((struct record){
        ~(uintptr_t)op, Py_TYPE(op),
        enter_chain(frames + own, Py_MIN(n - own, (size_t)trace.depth))});
}

/* An object that has moved was made where it was made. */
void
pyb_trace_freed(void *op, void *moved)
{
    struct record *record, old;

    if (trace.room == 0)
        return;
    record = record_at(trace.records, trace.room, ~(uintptr_t)op);
    old = *record;
    record->type = NULL;
    if (moved != NULL && old.type != NULL)
        enter((struct record){~(uintptr_t)moved, old.type, old.chain});
}

size_t
pyb_trace_of(const void *address)
{
    if (trace.room == 0)
        return 0;
    return record_at(trace.records, trace.room, ~(uintptr_t)address)->chain;
}

size_t
pyb_trace_chains(void)
{
    return trace.n_chains;
}

/* ------------------------------------------------------------------ */
/* What is alive in malloc memory                                      */

static void
take_head(uintptr_t Py_UNUSED(address), const uintptr_t *words, size_t n,
          void *head)
{
    if (n == sizeof(PyObject) / sizeof *words)
        memcpy(head, words, sizeof(PyObject));
}

/* A block may have been given back otherwise, or moved: what malloc has back
   begins with two words of its own. */
static int
looks_alive(uintptr_t address, const PyTypeObject *type)
{
    const Py_ssize_t many = (Py_ssize_t)1 << 29;
    PyObject head = {.ob_refcnt = 0};

    pyb_memory_part(address, address + sizeof head, take_head, &head);
    return head.ob_type == type && head.ob_refcnt > 0 && head.ob_refcnt < many;
}

void
pyb_trace_plain(void (*each)(PyObject *op, void *arg), void *arg)
{
    for (size_t i = 0; i < trace.room; i++) {
        const struct record *record = &trace.records[i];
        uintptr_t address = ~record->hidden;

        if (record->hidden != 0 && record->type != NULL &&
            !pyb_sidetable_holds((void *)address) &&
            looks_alive(address, record->type))
            each((PyObject *)address, arg);
    }
}

/* ------------------------------------------------------------------ */
/* In words                                                            */

/* The call in question, as much as is known of it; object and offset are what
   addr2line takes. */
static void
print_frame(uintptr_t frame, FILE *file)
{
    struct pyb_symbol symbol;
    struct pyb_line line = pyb_lines_find((const void *)frame);

    fputs("    ", file);
    if (pyb_symbol_find(frame, &symbol) < 0) {
        fprintf(file, "0x%" PRIxPTR "\n", frame);
        return;
    }
    if (*symbol.name != '\0')
        fprintf(file, "%s+0x%zx ", symbol.name, symbol.offset);
    fprintf(file, "(%s+0x%" PRIxPTR, symbol.file, symbol.in_file);
    if (line.file != NULL)
        fprintf(file, ", %s:%d", line.file, line.number);
    fputs(")\n", file);
}

void
pyb_trace_print(size_t number, FILE *file)
{
    const struct chain *chain = &trace.chains[number - 1];

    for (size_t i = 0; i < chain->n; i++)
        print_frame((uintptr_t)trace.frames[chain->begin + i] - 1, file);
}

/* ------------------------------------------------------------------ */

/* Is it the object that the library is in?  The program itself has no name. */
static int
find_library(struct dl_phdr_info *info, size_t Py_UNUSED(size),
             void *Py_UNUSED(arg))
{
    uintptr_t low = UINTPTR_MAX, high = 0, here = (uintptr_t)&trace;

    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;

        if (part->p_type == PT_LOAD) {
            low = Py_MIN(low, begin);
            high = Py_MAX(high, begin + part->p_memsz);
        }
    }
    if (here < low || here >= high || *info->dlpi_name == '\0')
        return 0;
    trace.low = low;
    trace.high = high;
    return 1;
}

/* The first backtrace loads what it needs: not in the middle of something. */
void
pyb_trace_begin(void)
{
    const char *wish = pyb_environment("PYBOEHM_TRACE");
    long depth = wish != NULL ? strtol(wish, NULL, 10) : 0;
    void *frame;

    if (depth <= 0)
        return;
    trace.depth = (int)Py_MIN(depth, FRAMES_MAX);
    dl_iterate_phdr(find_library, NULL);
    (void)backtrace(&frame, 1);
    pyb_control_watch(pyb_trace_made, pyb_trace_freed);
}

void
pyb_trace_end(void)
{
    pyb_control_watch(NULL, NULL);
    free(trace.records);
    free(trace.chains);
    free(trace.frames);
    memset(&trace, 0, sizeof trace);
}
