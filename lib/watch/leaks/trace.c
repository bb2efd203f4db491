/* trace.c: the chains of calls that allocated objects.  See trace.h.
   Manual: backtrace(3). */

#include "Python.h"

#ifdef HAVE_BACKTRACE
#include <execinfo.h>
#endif
#include <stdlib.h>

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/boehm/boehm.h"
#include "gc/check/plains.h"
#include "gc/check/slotwatch.h"
#include "gc/control.h"
#include "gc/heap/sidetable.h"
#include "watch/leaks/trace.h"
#include "watch/memory/elf.h"
#include "watch/memory/memory.h"
#include "watch/memory/srclines.h"
#include "watch/memory/symbol.h"

enum {
    FRAMES_MAX = 64,  /* the most that a user can ask for */
    CHECK_FRAMES = 8, /* recorded with PYBOEHM_CHECK=1 alone */
    OWN_FRAMES = 32   /* of the library itself, which come before those; at
                         most */
};

struct record {
    uintptr_t hidden; /* the complement of the address; 0: free */
    uintptr_t type;   /* of its type's; 0: the object is dead.  Reports look
                         through all memory for what holds a type */
    size_t chain;
    size_t freed; /* the chain that freed it, with checks; 0: it is alive, or
                     that is not known */
    int unseen;   /* it was adopted, and Boehm saw no pointer to it */
};

struct chain {
    uint64_t hash;
    size_t begin, n; /* its part of trace.frames */
    size_t next;     /* the next chain with this place in the table, counted
                        from one */
};

enum { TABLE = 1 << 12 }; /* of chains */

static struct {
    int depth;   /* frames to be recorded; 0: recording is off */
    int history; /* deaths are recorded, too */
    int asked;   /* something has asked for what is recorded */
    struct code {
        uintptr_t low, high; /* empty in a static program */
    } own, boehm, c;         /* the library's, Boehm's, the C library's */
    struct record *records;
    size_t n_records, room; /* room is a power of two, and more than half of it
                               is free */
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

/* Makes room for n more elements; returns 0, or -1 if there is no memory. */
static int
make_room(void **array, size_t size, size_t used, size_t n, size_t *room)
{
    size_t more_room = 2 * *room + n + 1024;
    void *more;

    PYB_ASSERT(used <= *room);
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
        PYB_ASSERT(i <= trace.n_chains);
        const struct chain *chain = &trace.chains[i - 1];

        if (chain->hash == hash && chain->n == n &&
            memcmp(&trace.frames[chain->begin], frames, n * sizeof *frames) ==
                0)
            break;
    }
    return i;
}

/* The number of a chain, which is entered if it is new; 0 if there is no
   memory. */
static size_t
enter_chain(void *const *frames, size_t n)
{
    uint64_t hash = hash_of(frames, n);
    size_t found = find_chain(frames, n, hash);

    PYB_ASSERT(n <= FRAMES_MAX);
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

/* The record of an address, or the free record where it belongs. */
static struct record *
record_at(struct record *records, size_t room, uintptr_t hidden)
{
    size_t i = (hidden >> 4) * 0x9e3779b97f4a7c15u & (room - 1);

    PYB_ASSERT(room > 0 && (room & (room - 1)) == 0);
    while (records[i].hidden != 0 && records[i].hidden != hidden)
        i = (i + 1) & (room - 1);
    return &records[i];
}

/* Are the chains one behind the other, and each on the list of its hash, older
   ones behind it? */
static int
check_chains(void)
{
    size_t begin = 0;

    for (size_t i = 0; i < trace.n_chains; i++) {
        const struct chain *chain = &trace.chains[i];

        PYB_ASSERT(chain->begin == begin && chain->n <= FRAMES_MAX);
        PYB_ASSERT(chain->next <= i);
        PYB_ASSERT(chain->next == 0 ||
                   chain->hash % TABLE ==
                       trace.chains[chain->next - 1].hash % TABLE);
        begin += chain->n;
    }
    PYB_ASSERT(begin == trace.n_frames);
    for (size_t i = 0; i < TABLE; i++)
        PYB_ASSERT(trace.table[i] == 0 ||
                   (trace.table[i] <= trace.n_chains &&
                    trace.chains[trace.table[i] - 1].hash % TABLE == i));
    return 1;
}

/* Is each record where it is found, and at least half of the table free? */
static int
check_records(void)
{
    size_t n = 0;

    for (size_t i = 0; i < trace.room; i++) {
        struct record *record = &trace.records[i];

        if (record->hidden == 0)
            continue;
        PYB_ASSERT(record_at(trace.records, trace.room, record->hidden) ==
                   record);
        PYB_ASSERT(record->chain <= trace.n_chains);
        PYB_ASSERT(record->freed <= trace.n_chains);
        n++;
    }
    PYB_ASSERT(n == trace.n_records && 2 * n <= trace.room);
    return 1;
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
    PYB_EXPENSIVE(check_records());
    PYB_EXPENSIVE(check_chains());
    return 0;
}

static int
is_of(struct code code, const void *frame)
{
    PYB_ASSERT(code.low <= code.high);
    return (uintptr_t)frame - code.low < code.high - code.low;
}

static int
is_own(const void *frame)
{
    return is_of(trace.own, frame);
}

/* Takes out what is not the program's: the library's own functions but for the
   one that the program called last, Boehm's and those of the C library.  A
   sanitizer's may come before all of them.  Returns how many are left. */
static size_t
leave_own_out(void **frames, size_t n)
{
    size_t i = 0, kept = 0;

    while (i < n && !is_own(frames[i]))
        i++;
    if (i == n)
        i = 0; /* the library is part of the program */
    while (i + 1 < n && is_own(frames[i]) && is_own(frames[i + 1]))
        i++;
    for (; i < n; i++)
        if (kept == 0 ||
            (!is_own(frames[i]) && !is_of(trace.boehm, frames[i]) &&
             !is_of(trace.c, frames[i])))
            frames[kept++] = frames[i];
    return kept;
}

static void
enter(struct record record)
{
    struct record *there;

    if (2 * trace.n_records >= trace.room && grow() < 0)
        return;
    PYB_ASSERT(2 * trace.n_records < trace.room);
    there = record_at(trace.records, trace.room, record.hidden);
    PYB_ASSERT(record.chain <= trace.n_chains && record.hidden != 0);
    trace.n_records += there->hidden == 0;
    *there = record;
}

/* Stores at most n return addresses, the innermost first; returns their
   number, which is 0 on systems without backtrace. */
static int
take_frames(void **frames, int n)
{
#ifdef HAVE_BACKTRACE
    return backtrace(frames, n);
#else
    (void)frames;
    (void)n;
    return 0;
#endif
}

/* The chain of the calls that are under way. */
__attribute__((noinline)) static size_t
chain_here(void)
{
    PYB_ASSERT(trace.depth <= FRAMES_MAX);
    void *frames[FRAMES_MAX + OWN_FRAMES];
    size_t n = (size_t)take_frames(frames, trace.depth + OWN_FRAMES);
    size_t kept = leave_own_out(frames, n);

    PYB_ASSERT(trace.depth > 0 && kept <= n);
    return enter_chain(frames, Py_MIN(kept, (size_t)trace.depth));
}

void
pyb_trace_made(PyObject *op)
{
    enter((struct record){~(uintptr_t)op, ~(uintptr_t)Py_TYPE(op),
                          chain_here(), 0, 0});
}

/* A moved object keeps the chain that made it. */
void
pyb_trace_freed(void *op, void *moved)
{
    struct record *record = NULL, old;

    if (trace.room > 0)
        record = record_at(trace.records, trace.room, ~(uintptr_t)op);
    if (record == NULL || record->hidden == 0) {
        /* An object was made before all that; other memory has no history. */
        if (moved == NULL && trace.history &&
            (pyb_sidetable_holds(op) || pyb_plains_has(op)))
            enter((struct record){~(uintptr_t)op, 0, 0, chain_here(), 0});
        return;
    }
    old = *record;
    record->type = 0;
    if (moved != NULL && old.type != 0)
        enter((struct record){~(uintptr_t)moved, old.type, old.chain, 0, 0});
    else if (trace.history)
        record->freed = chain_here();
}

void
pyb_trace_unseen(const PyObject *op)
{
    struct record *record;

    if (trace.room == 0)
        return;
    record = record_at(trace.records, trace.room, ~(uintptr_t)op);
    record->unseen = record->hidden != 0;
}

size_t
pyb_trace_of(const void *address)
{
    trace.asked = 1;
    if (trace.room == 0)
        return 0;
    size_t chain =
        record_at(trace.records, trace.room, ~(uintptr_t)address)->chain;
    PYB_ASSERT(chain <= trace.n_chains);
    return chain;
}

size_t
pyb_trace_chains(void)
{
    return trace.n_chains;
}

/* ------------------------------------------------------------------ */
/* Living objects in malloc memory                                     */

static void
take_head(uintptr_t Py_UNUSED(address), const uintptr_t *words, size_t n,
          void *head)
{
    if (n == sizeof(PyObject) / sizeof *words)
        memcpy(head, words, sizeof(PyObject));
}

/* Does the memory still look like the object?  It may have been freed or moved
   without a record; in a freed block malloc overwrites the first two words. */
static int
looks_alive(uintptr_t address, uintptr_t hidden_type)
{
    const Py_ssize_t many = (Py_ssize_t)1 << 29;
    PyObject head = {.ob_refcnt = 0};

    pyb_memory_part(address, address + sizeof head, take_head, &head);
    return ~(uintptr_t)head.ob_type == hidden_type && head.ob_refcnt > 0 &&
           head.ob_refcnt < many;
}

void
pyb_trace_plain(void (*each)(PyObject *op, void *arg), void *arg)
{
    trace.asked = 1;
    for (size_t i = 0; i < trace.room; i++) {
        const struct record *record = &trace.records[i];
        uintptr_t address = ~record->hidden;

        if (record->hidden != 0 && record->type != 0 &&
            !pyb_sidetable_holds((void *)address) &&
            looks_alive(address, record->type))
            each((PyObject *)address, arg);
    }
}

/* ------------------------------------------------------------------ */
/* Printing                                                            */

enum { INLINED_MAX = 8 }; /* calls at one address */

/* The calls at an address, as pyb_srclines_find; what is inlined within the
   library is no concern of the program's. */
static int
find_lines(uintptr_t frame, struct pyb_srcline lines[INLINED_MAX])
{
    return pyb_srclines_find((const void *)frame, lines,
                             is_own((const void *)frame) ? 1 : INLINED_MAX);
}

/* Prints a call, and those inlined there, as far as they are known; file and
   offset are the arguments of addr2line.  Returns 0 after main's. */
static int
print_frame(uintptr_t frame, FILE *file)
{
    struct pyb_srcline lines[INLINED_MAX], *line = lines;
    int n = find_lines(frame, lines);
    struct pyb_symbol symbol;

    for (; line < lines + n - 1; line++)
        fprintf(file, "    %s (inlined, %s:%d)\n",
                line->function != NULL ? line->function : "?",
                line->file != NULL ? line->file : "?", line->number);
    fputs("    ", file);
    if (pyb_symbol_find(frame, &symbol) < 0) {
        fprintf(file, "0x%" PRIxPTR "\n", frame);
        return 1;
    }
    if (*symbol.name != '\0')
        fprintf(file, "%s+0x%zx ", symbol.name, symbol.offset);
    fprintf(file, "(%s+0x%" PRIxPTR, symbol.file, symbol.in_file);
    if (line->file != NULL)
        fprintf(file, ", %s:%d", line->file, line->number);
    fputs(")\n", file);
    return strcmp(symbol.name, "main") != 0;
}

/* Is it in a function of our headers that was not inlined: Py_DECREF, in a
   program compiled without optimization? */
static int
is_of_header(uintptr_t frame)
{
    struct pyb_symbol symbol;
    struct pyb_srcline line;

    pyb_srclines_find((const void *)frame, &line, 1);
    return pyb_srclines_is_header(line.file) &&
           pyb_symbol_find(frame, &symbol) == 0 &&
           (strncmp(symbol.name, "Py", 2) == 0 ||
            strncmp(symbol.name, "_Py", 3) == 0);
}

/* How many calls at the beginning of a chain are the library's, if others
   follow. */
static size_t
count_own(const struct chain *chain)
{
    void *const *frames = trace.frames + chain->begin;
    size_t n = chain->n > 1 && is_own(frames[0]);

    while (n + 1 < chain->n && is_of_header((uintptr_t)frames[n] - 1))
        n++;
    return n;
}

/* Prints a chain up to main. */
static void
print_chain(size_t number, int without_own, FILE *file)
{
    PYB_ASSERT(number > 0 && number <= trace.n_chains);
    const struct chain *chain = &trace.chains[number - 1];
    size_t begin = without_own ? count_own(chain) : 0;

    PYB_ASSERT(chain->begin + chain->n <= trace.n_frames);
    for (size_t i = begin; i < chain->n; i++) {
        uintptr_t frame = (uintptr_t)trace.frames[chain->begin + i] - 1;

        if ((i == begin || !is_of_header(frame)) && !print_frame(frame, file))
            return;
    }
}

static void
name_frame(uintptr_t frame, const char *function, char *name, size_t room)
{
    struct pyb_symbol symbol;

    if (pyb_symbol_find(frame, &symbol) < 0)
        snprintf(name, room, "0x%" PRIxPTR, frame);
    else if (*symbol.name != '\0')
        snprintf(name, room, "%s", symbol.name);
    else if (function != NULL)
        snprintf(name, room, "%s", function);
    else
        snprintf(name, room, "%s+0x%" PRIxPTR, symbol.file, symbol.in_file);
}

void
pyb_trace_each(size_t number, void (*each)(const char *name, void *arg),
               void *arg)
{
    PYB_ASSERT(number > 0 && number <= trace.n_chains);
    const struct chain *chain = &trace.chains[number - 1];
    struct pyb_srcline lines[INLINED_MAX];
    char name[120];

    for (size_t i = chain->n; i-- > 0;) {
        uintptr_t frame = (uintptr_t)trace.frames[chain->begin + i] - 1;
        int n = find_lines(frame, lines);

        name_frame(frame, lines[n - 1].function, name, sizeof name);
        if (i > 0 && i == chain->n - 1 && strcmp(name, "_start") == 0)
            continue; /* it calls main by way of the system's library */
        each(name, arg);
        while (--n > 0)
            if (lines[n - 1].function != NULL)
                each(lines[n - 1].function, arg);
    }
}

void
pyb_trace_print(size_t number, FILE *file)
{
    PYB_EXPENSIVE(check_records());
    PYB_EXPENSIVE(check_chains());
    print_chain(number, 0, file);
}

static void
print_part(const char *title, size_t chain, FILE *file)
{
    if (chain == 0)
        return;
    fprintf(file, "  %s here:\n", title);
    print_chain(chain, 1, file);
}

void
pyb_trace_print_made(const void *op, FILE *file)
{
    print_part("made", pyb_trace_of(op), file);
}

static void
tell_more(const struct record *record, const void *op, FILE *file)
{
    if (record->unseen)
        fputs("  it was adopted, and Boehm saw no pointer to it: none in its "
              "heap, in variables or on stacks\n"
              "  if it should have an owner: PyBoehm_Adopt takes over the "
              "caller's reference, and no Py_DECREF comes after it\n",
              file);
    else if (record->freed != 0)
        fprintf(file,
                "  gdb's pyboehm-count %p tells where its count has changed\n",
                op);
}

/* Is a collection under way, and none of the program's slots in it? */
static int
is_passing(void)
{
    const PyObject *op;
    const char *type;

    return pyb_control.collecting > 0 && pyb_gil_is_held() &&
           pyb_slotwatch_innermost(&op, &type) == NULL;
}

void
pyb_trace_history(const void *op, FILE *file)
{
    const struct record *record;

    if (trace.depth == 0) {
        fputs("  PYBOEHM_CHECK=1 PYBOEHM_TRACE=16 tells where it was made and "
              "freed\n",
              file);
        return;
    }
    if (trace.room > 0) {
        record = record_at(trace.records, trace.room, ~(uintptr_t)op);
        if (record->chain == 0 && record->freed != 0)
            fputs("  made before anything was recorded\n", file);
        print_part("made", record->chain, file);
        print_part("freed", record->freed, file);
        tell_more(record, op, file);
    }
    print_part(is_passing() ? "noticed by a collection" : "used", chain_here(),
               file);
}

/* ------------------------------------------------------------------ */

/* That of the library which has an address. */
static struct code
code_with(uintptr_t address)
{
    struct code code;

    pyb_elf_library(address, &code.low, &code.high);
    return code;
}

/* Empty where Boehm is a part of another library, whose calls count. */
static struct code
boehm_library(void)
{
    struct pyb_symbol symbol;
    uintptr_t address = pyb_boehm_code();

    if (pyb_symbol_find(address, &symbol) < 0 ||
        strncmp(symbol.file, "libgc", 5) != 0)
        return (struct code){0, 0};
    return code_with(address);
}

/* The first call of backtrace loads a library, so it is made here and not
   within an allocation. */
void
pyb_trace_begin(void)
{
    const char *wish = pyb_environment("PYBOEHM_TRACE");
    int checking = pyb_environment("PYBOEHM_CHECK") != NULL && pyb_checks;
    long depth = wish != NULL ? strtol(wish, NULL, 10) : 0;

    /* What an earlier life has recorded is dropped. */
    PYB_ASSERT(trace.depth == 0 && trace.room == 0 && trace.n_chains == 0);
    if (wish == NULL && checking)
        depth = CHECK_FRAMES;
    if (depth <= 0)
        return;
    if (!pyb_trace_is_possible()) {
        fputs("pyboehm: PYBOEHM_TRACE: nothing is recorded: this system has "
              "no backtrace()\n",
              stderr);
        return;
    }
    trace.depth = (int)Py_MIN(depth, FRAMES_MAX);
    trace.history = pyb_checks;
    trace.own = code_with((uintptr_t)pyb_trace_begin);
    trace.boehm = boehm_library();
    trace.c = code_with((uintptr_t)abort);
    pyb_control_set_trace(1);
}

int
pyb_trace_is_possible(void)
{
    void *frame;

    return take_frames(&frame, 1) > 0;
}

int
pyb_trace_is_on(void)
{
    return trace.depth > 0;
}

void
pyb_trace_end(void)
{
    if (pyb_trace_is_on() && !trace.asked && !trace.history)
        fputs("pyboehm: PYBOEHM_TRACE: nothing has asked for what was "
              "recorded: PYBOEHM_LEAKS=1 or PYBOEHM_REPORT=heap.html beside "
              "it does\n",
              stderr);
    pyb_control_set_trace(0);
    free(trace.records);
    free(trace.chains);
    free(trace.frames);
    memset(&trace, 0, sizeof trace);
}
