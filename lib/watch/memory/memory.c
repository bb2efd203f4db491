/* memory.c: reads the memory that this process can write to.  See memory.h.
   Manual: proc(5), "maps" and "pagemap". */

#include "Python.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "gc/base/peek.h"
#include "gc/base/threadstack.h"
#include "gc/boehm/boehm.h"
#include "gc/heap/heap.h"
#include "gc/marking.h"
#include "watch/log/progress.h"
#include "watch/memory/memory.h"
#include "watch/memory/symbol.h"
#include "watch/rows.h"

enum {
    WORDS = 2048,     /* read at once */
    PAGE = 4096,      /* not larger than the system's pages */
    PAGES = 512,      /* looked up in pagemap at once */
    RESERVE_BITS = 36 /* larger mappings are address space that sanitizers
                         reserve, and not data */
};

#define PAGE_THERE ((uint64_t)3 << 62) /* in memory, or swapped out */

struct mapping {
    uintptr_t begin, end;
    int heap;            /* malloc's first heap */
    size_t before, size; /* of all mappings: bytes before this one, and in
                            all */
};

size_t
pyb_memory_read(uintptr_t address, uintptr_t *words, size_t n)
{
    ssize_t got = pyb_peek(words, (const void *)address, n * sizeof *words);

    PYB_ASSERT(got < 0 || (size_t)got <= n * sizeof *words);
    return got < 0 ? 0 : (size_t)got / sizeof *words;
}

void
pyb_memory_part(uintptr_t begin, uintptr_t end, pyb_memory_look look,
                void *arg)
{
    uintptr_t words[WORDS];
    /* This is memory, too, on a stack whose unused part is not known, and has
       what was read last: that would be found a second time. */
    uintptr_t own = (uintptr_t)words, own_end = own + sizeof words;

    PYB_ASSERT(begin % sizeof *words == 0);
    while (begin < end) {
        if (begin >= own && begin < own_end) {
            begin = own_end;
            continue;
        }
        uintptr_t until = begin < own ? Py_MIN(end, own) : end;
        size_t n = Py_MIN(WORDS, (until - begin) / sizeof *words);
        size_t got = n > 0 ? pyb_memory_read(begin, words, n) : 0;

        if (got > 0)
            look(begin, words, got, arg);
        if (n == 0)
            return;
        /* Pages that cannot be read are skipped. */
        begin += got * sizeof *words;
        if (got < n)
            begin = (begin | (PAGE - 1)) + 1;
    }
}

/* Skips pages that were never touched, of which a process has many. */
static void
look_at_pages(int pagemap, const struct mapping *m, pyb_memory_look look,
              void *arg)
{
    uint64_t there[PAGES];
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);

    for (uintptr_t at = m->begin, end; at < m->end; at = end) {
        uintptr_t page = at;

        end = Py_MIN(m->end, (at | (size - 1)) + 1 + (PAGES - 1) * size);
        if (m->size > 0)
            pyb_progress_slowly(m->before + (at - m->begin), m->size);
        memset(there, -1, sizeof there);
        if (pread(pagemap, there, sizeof there,
                  (off_t)(at / size * sizeof *there)) < 0)
            memset(there, -1, sizeof there);
        for (size_t i = 0; page < end; i++) {
            uintptr_t next = Py_MIN(end, (page | (size - 1)) + 1);

            PYB_ASSERT(i < PAGES);
            if ((there[i] & PAGE_THERE) != 0)
                pyb_memory_part(page, next, look, arg);
            page = next;
        }
    }
}

/* ------------------------------------------------------------------ */
/* Mappings                                                            */

static const char *
skip_fields(const char *line, int n)
{
    for (; n > 0; n--) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return line;
}

/* Parses one line of maps, "BEGIN-END ACCESS OFFSET DEVICE INODE NAME".
   Returns 1 if the mapping may contain addresses.  It may be read-only: Boehm,
   with incremental collections, write-protects parts of its heap for a
   while. */
static int
parse(const char *line, struct mapping *m)
{
    char *rest;

    m->begin = strtoul(line, &rest, 16);
    m->end = *rest == '-' ? strtoul(rest + 1, &rest, 16) : 0;
    if (m->end <= m->begin || *rest != ' ')
        return 0;
    const char *access = rest + 1, *name = skip_fields(access, 4);

    m->heap = strncmp(name, "[heap]", 6) == 0;
    return access[0] == 'r' && (access[1] == 'w' || *name <= '\n') &&
           m->end - m->begin < (uintptr_t)1 << RESERVE_BITS &&
           (strncmp(name, "/dev/", 5) != 0 ||
            strncmp(name, "/dev/zero", 9) == 0);
}

/* Leaves of the mapping all[n] what lies above those before it; is there such
   a part?  The system lists some mappings with each read: one that has grown
   since the last, as malloc's heap may for the array, is listed again. */
static int
is_news(struct mapping *all, size_t n)
{
    if (n > 0)
        all[n].begin = Py_MAX(all[n].begin, all[n - 1].end);
    return all[n].begin < all[n].end;
}

/* Returns an array of all such mappings, which an empty one ends and the
   caller frees; NULL if they cannot be read.  Allocations made later may
   change the mappings. */
static struct mapping *
mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "re");
    struct mapping *all = NULL, *more;
    size_t n = 0, room = 0;
    char line[512];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        more = pyb_rows_grow(all, n + 1, &room, sizeof *all);
        if (more == NULL) {
            free(all);
            fclose(file);
            return NULL;
        }
        all = more;
        n += (size_t)(parse(line, &all[n]) && is_news(all, n));
        memset(&all[n], 0, sizeof *all);
    }
    if (file != NULL)
        fclose(file);
    return all;
}

/* Are the words a page's description: its address, another word, and twice the
   size of its blocks? */
static int
is_page(const uintptr_t *words, size_t n)
{
    return n > 3 && words[2] == words[3] &&
           words[2] == pyb_heap_block_size((const void *)*words);
}

/* Boehm's descriptions are not on this thread's stack, nor among the variables
   of others. */
static int
may_be_boehms(uintptr_t address)
{
    return !pyb_threadstack_has(pyb_threadstack(), address) &&
           (!pyb_symbol_is_loaded(address) ||
            pyb_symbol_same_file(address, pyb_boehm_code()));
}

/* Are the words a section's description: its address and a size in whole
   pages? */
static int
is_section(uintptr_t address, const uintptr_t *words, size_t n)
{
    return n > 1 && words[1] % ((uintptr_t)1 << PYB_PAGE_SHIFT) == 0 &&
           words[1] - 1 < pyb_boehm_heap_bytes() && may_be_boehms(address);
}

/* Does the side table know by the word where a region begins? */
static int
is_region(uintptr_t address, uintptr_t word)
{
    return address == (uintptr_t)&pyb_region_of((const void *)word)->base;
}

int
pyb_memory_is_boehms(uintptr_t address, uintptr_t word)
{
    uintptr_t words[4];
    size_t n;

    if (word % ((uintptr_t)1 << PYB_PAGE_SHIFT) != 0 ||
        !pyb_sidetable_holds((const void *)word))
        return 0;
    if (is_region(address, word))
        return 1;
    n = pyb_memory_read(address, words, 4);
    /* Another thread, or this function, may have changed the word. */
    return n > 0 && words[0] == word &&
           (is_page(words, n) || is_section(address, words, n));
}

uintptr_t
pyb_memory_heap(void)
{
    struct mapping *all = mappings();
    uintptr_t begin = 0;

    for (struct mapping *m = all; m != NULL && m->end != 0; m++)
        if (m->heap && begin == 0)
            begin = m->begin;
    free(all);
    return begin;
}

/* ------------------------------------------------------------------ */
/* All memory                                                          */

/* The unused part of this thread's stack; empty if ground is on another stack,
   such as a fiber's. */
static struct mapping
unused_stack(uintptr_t ground)
{
    struct pyb_threadstack stack = pyb_threadstack();

    return (struct mapping){pyb_threadstack_has(stack, ground) ? stack.low
                                                               : ground,
                            ground, 0, 0, 0};
}

/* Looks at a mapping without the range not: at the part before it, and at the
   part behind it. */
static void
look_around(int pagemap, const struct mapping *m, const struct mapping * not,
            pyb_memory_look look, void *arg)
{
    struct mapping before = *m, after = *m;

    before.end = Py_MIN(m->end, not ->begin);
    after.begin = Py_MAX(m->begin, not ->end);
    after.before += after.begin - m->begin;
    if (before.begin < before.end)
        look_at_pages(pagemap, &before, look, arg);
    if (after.begin < after.end)
        look_at_pages(pagemap, &after, look, arg);
}

static void
note_sizes(struct mapping *all)
{
    size_t before = 0;

    for (struct mapping *m = all; m->end != 0; m++) {
        m->before = before;
        before += m->end - m->begin;
    }
    for (struct mapping *m = all; m->end != 0; m++)
        m->size = before;
}

int
pyb_memory_each(uintptr_t ground, pyb_memory_look look, void *arg)
{
    struct mapping unused = unused_stack(ground);
    PYB_ASSERT(unused.begin <= unused.end);
    struct mapping *all = mappings();
    uintptr_t word;
    int pagemap;

    pyb_marking_clear_stack(); /* or else addresses that collections left
                                   there would be found */
    if (all == NULL || pyb_memory_read((uintptr_t)&unused, &word, 1) != 1) {
        free(all);
        return -1;
    }
    note_sizes(all);
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (const struct mapping *m = all; m->end != 0; m++)
        look_around(pagemap, m, &unused, look, arg);
    if (pagemap >= 0)
        close(pagemap);
    free(all);
    return 0;
}
