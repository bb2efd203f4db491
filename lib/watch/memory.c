/* memory.c: what stands in the memory that this process can write to.  See
   memory.h.

   Manual: proc(5), "maps" and "pagemap"; process_vm_readv(2). */

#include "Python.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "gc/heap.h"
#include "gc/marking.h"
#include "watch/memory.h"

enum {
    WORDS = 2048,     /* looked at in one go */
    PAGE = 4096,      /* at least as small as the system's */
    PAGES = 512,      /* whose presence is asked in one go */
    RESERVE_BITS = 36 /* mappings as large as that are reservations, and none
                         of a program's data: sanitizers have them */
};

#define PAGE_THERE ((uint64_t)3 << 62) /* in memory, or swapped out */

struct mapping {
    uintptr_t begin, end;
    int heap; /* malloc's first */
};

size_t
pyb_memory_read(uintptr_t address, uintptr_t *words, size_t n)
{
#ifdef HAVE_PROCESS_VM_READV
    struct iovec here = {words, n * sizeof *words};
    struct iovec there = {(void *)address, n * sizeof *words};
    ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

    return got < 0 ? 0 : (size_t)got / sizeof *words;
#else
    (void)address;
    (void)words;
    (void)n;
    return 0;
#endif
}

void
pyb_memory_part(uintptr_t begin, uintptr_t end, pyb_memory_look look,
                void *arg)
{
    uintptr_t words[WORDS];

    while (begin < end) {
        size_t n = Py_MIN(WORDS, (end - begin) / sizeof *words);
        size_t got = n > 0 ? pyb_memory_read(begin, words, n) : 0;

        if (got > 0)
            look(begin, words, got, arg);
        if (n == 0)
            return;
        /* A page that cannot be read is passed over. */
        begin += got * sizeof *words;
        if (got < n)
            begin = (begin | (PAGE - 1)) + 1;
    }
}

/* Much of what is mapped was never touched. */
static void
look_at_pages(int pagemap, const struct mapping *m, pyb_memory_look look,
              void *arg)
{
    uint64_t there[PAGES];
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);

    for (uintptr_t at = m->begin, end; at < m->end; at = end) {
        uintptr_t page = at;

        end = Py_MIN(m->end, (at | (size - 1)) + 1 + (PAGES - 1) * size);
        memset(there, -1, sizeof there);
        if (pread(pagemap, there, sizeof there,
                  (off_t)(at / size * sizeof *there)) < 0)
            memset(there, -1, sizeof there);
        for (size_t i = 0; page < end; i++) {
            uintptr_t next = Py_MIN(end, (page | (size - 1)) + 1);

            if ((there[i] & PAGE_THERE) != 0)
                pyb_memory_part(page, next, look, arg);
            page = next;
        }
    }
}

/* ------------------------------------------------------------------ */
/* What is mapped                                                      */

static const char *
skip_fields(const char *line, int n)
{
    for (; n > 0; n--) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return line;
}

/* Takes one line of maps, "BEGIN-END ACCESS OFFSET DEVICE INODE NAME".  1 if a
   program may keep addresses there: Boehm, with incremental collections, has
   parts of its heap be read-only for a while. */
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

/* All of them, a row that ends with an empty one and that is the caller's to
   free; NULL if they cannot be had.  What is asked for afterwards changes
   them. */
static struct mapping *
mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "re");
    struct mapping *all = NULL, *more;
    size_t n = 0, room = 0;
    char line[512];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (n + 1 >= room) {
            room = room * 2 + 64;
            more = realloc(all, room * sizeof *all);
            if (more == NULL) {
                free(all);
                fclose(file);
                return NULL;
            }
            all = more;
        }
        n += (size_t)parse(line, &all[n]);
        memset(&all[n], 0, sizeof *all);
    }
    if (file != NULL)
        fclose(file);
    return all;
}

/* The address, two other words, and twice the size of the page's blocks. */
static int
is_page(const uintptr_t *words, size_t n)
{
    return n > 3 && words[2] == words[3] &&
           words[2] == pyb_heap_block_size((const void *)*words);
}

/* The address and a size, which is a number of pages. */
static int
is_section(const uintptr_t *words, size_t n)
{
    const uintptr_t large = (uintptr_t)1 << RESERVE_BITS;

    return n > 1 && words[1] % ((uintptr_t)1 << PYB_PAGE_SHIFT) == 0 &&
           words[1] - 1 < large;
}

int
pyb_memory_is_boehms(uintptr_t address, uintptr_t word)
{
    uintptr_t words[4];
    size_t n;

    if (word % ((uintptr_t)1 << PYB_PAGE_SHIFT) != 0 ||
        !pyb_sidetable_holds((const void *)word))
        return 0;
    n = pyb_memory_read(address, words, 4);
    return is_page(words, n) || is_section(words, n);
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
/* All of it                                                           */

/* The part of this thread's stack that is not in use; an empty one where
   ground lies on another: a fiber's. */
static struct mapping
unused_stack(uintptr_t ground)
{
    struct mapping unused = {ground, ground, 0};
    pthread_attr_t attr;
    void *begin;
    size_t size;

    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return unused;
    if (pthread_attr_getstack(&attr, &begin, &size) == 0 &&
        ground - (uintptr_t)begin < size)
        unused.begin = (uintptr_t)begin;
    pthread_attr_destroy(&attr);
    return unused;
}

/* A mapping but for what lies between: the part before it, and the part
   behind it. */
static void
look_around(int pagemap, const struct mapping *m, const struct mapping * not,
            pyb_memory_look look, void *arg)
{
    struct mapping before = {m->begin, Py_MIN(m->end, not ->begin), 0};
    struct mapping after = {Py_MAX(m->begin, not ->end), m->end, 0};

    if (before.begin < before.end)
        look_at_pages(pagemap, &before, look, arg);
    if (after.begin < after.end)
        look_at_pages(pagemap, &after, look, arg);
}

int
pyb_memory_each(uintptr_t ground, pyb_memory_look look, void *arg)
{
    struct mapping unused = unused_stack(ground);
    struct mapping *all = mappings();
    uintptr_t word;
    int pagemap;

    pyb_marking_forget(); /* what collections have left would be places */
    if (all == NULL || pyb_memory_read((uintptr_t)&unused, &word, 1) != 1) {
        free(all);
        return -1;
    }
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (const struct mapping *m = all; m->end != 0; m++)
        look_around(pagemap, m, &unused, look, arg);
    if (pagemap >= 0)
        close(pagemap);
    free(all);
    return 0;
}
