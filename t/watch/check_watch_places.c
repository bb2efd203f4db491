/* check_watch_places.c: PyBoehm_WhyAlive: where the owners outside are.  Built
   with -export-dynamic, so that variables have names. */

#include "../support/suite.h"

#include <dlfcn.h>
#include <gc/gc.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gc/heap/sidetable.h"
#include "watch/memory/blocks.h"
#include "watch/memory/memory.h"
#include "pyboehm.h"
#include "../support/why.h"

/* Owners with a name. */
#define NAMED __attribute__((visibility("default")))
extern PyObject *places_registry, *places_pair[2];
NAMED PyObject *places_registry;
NAMED PyObject *places_pair[2];

/* Keeps the compiler from leaving memory out that is not read. */
static uintptr_t *volatile block;

START_TEST(variables_have_names_and_offsets)
{
    places_pair[1] = PyList_New(0);
    why_says(places_pair[1], 1,
             "list at 0x#, 1 reference, 1 from outside\n"
             "    0x# in data of ");
    why_says(places_pair[1], 1, ": places_pair+8\n");
    Py_CLEAR(places_pair[1]);
}

/* Not in a function, whose name compilers may put before it. */
static PyObject *volatile places_static;

START_TEST(so_have_static_ones)
{
    places_static = PyList_New(0);
    why_says(places_static, 1, ": places_static");
    Py_DECREF(places_static);
    places_static = NULL;
}

/* The word behind it makes both look like a section of Boehm's heap: an
   address that begins a page, and a number of whole pages. */
extern struct places_numbered {
    PyObject *type;
    int flags, n;
} places_numbered;
NAMED struct places_numbered places_numbered;

/* Its complement; places_numbered has the only reference. */
static __attribute__((noinline)) uintptr_t
make_type_at_a_page(void)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"places.Type", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *others = PyList_New(0);

    do {
        Py_XSETREF(places_numbered.type, PyType_FromSpec(&spec));
        PyList_Append(others, suite_require(places_numbered.type));
    } while ((uintptr_t)places_numbered.type % 4096 != 0);
    Py_DECREF(others);
    PyGC_Collect();
    return why_hide(places_numbered.type);
}

START_TEST(numbers_behind_an_address_do_not_hide_it)
{
    volatile uintptr_t hidden = make_type_at_a_page();

    suite_forget_stack();
    places_numbered.n = 5;
    why_says(why_show(hidden), 1, ": places_numbered\n");
    places_numbered.n = 0;
    places_numbered.flags = 8192;
    why_says(why_show(hidden), 1, ": places_numbered\n");
    Py_CLEAR(places_numbered.type);
}

START_TEST(stacks_are_looked_at)
{
    PyObject *volatile local = PyList_New(0);

    why_says(local, 1,
             "1 reference, 1 from outside\n"
             "    0x# on the stack of this thread\n");
    Py_DECREF(local);
}

/* All are used afterwards: most compilers have some in registers meanwhile. */
START_TEST(so_are_registers)
{
    PyObject *a = PyList_New(0), *b = PyList_New(0), *c = PyList_New(0),
             *d = PyList_New(0), *e = PyList_New(0);
    char said[4000] = "";
    FILE *file = fmemopen(said, sizeof said, "w");

    if (!suite_has("PROCESS_VM_READV"))
        return;
    PyBoehm_WhyAlive(a, file);
    PyBoehm_WhyAlive(b, file);
    PyBoehm_WhyAlive(c, file);
    PyBoehm_WhyAlive(d, file);
    PyBoehm_WhyAlive(e, file);
    fclose(file);
    suite_drop(a, b, c, d, e);
    ck_assert_msg(strstr(said, "no location found") == NULL, "%s", said);
    ck_assert_ptr_nonnull(strstr(said, " on the stack of this thread\n"));
}

/* The page where the next look at a large stack begins. */
__attribute__((noinline)) static void
ask_from_afar(uintptr_t hidden)
{
    enum { PAGE = 4096, FAR = 512 * PAGE };
    char *near = __builtin_frame_address(0);
    volatile uintptr_t *far =
        (volatile uintptr_t *)(((uintptr_t)near & ~(PAGE - 1ul)) + FAR);

    *far = hidden;
    why_is_nowhere(hidden);
    *far = ~*far;
    why_is_on_stack(hidden);
    *far = 0;
}

/* The frame is not at the beginning of its page. */
static char
descend(uintptr_t hidden)
{
    volatile char frames[600 * 4096];
    uintptr_t rest = (uintptr_t)frames % 4096;
    volatile char *more = __builtin_alloca((rest + 2048) % 4096 + 16);

    /* What earlier calls left there may have the address. */
    for (size_t i = 0; i < sizeof frames; i++)
        frames[i] = 0;
    more[0] = 0;
    ask_from_afar(hidden);
    return (char)(frames[0] + more[0]);
}

START_TEST(all_of_a_large_stack_is_looked_at)
{
    volatile uintptr_t hidden = why_hide(PyList_New(0));

    if (!suite_is_valgrind()) /* valgrind knows no such frames */
        descend(hidden);
    Py_DECREF(why_show(hidden));
}

/* Another thread waits with the only address. */
static int at_rest[2], go_on[2];

static void *
wait_with_address(void *hidden)
{
    PyObject *volatile op = why_show((uintptr_t)hidden);
    char c = '.';

    ck_assert_int_eq(write(at_rest[1], &c, 1), 1);
    ck_assert_int_eq(read(go_on[0], &c, 1), 1);
    return (void *)why_hide(op);
}

START_TEST(so_are_those_of_other_threads)
{
    volatile uintptr_t hidden = why_hide(PyList_New(0));
    pthread_t thread;
    char c;

    ck_assert_int_eq(pipe(at_rest) + pipe(go_on), 0);
    pthread_create(&thread, NULL, wait_with_address, (void *)hidden);
    ck_assert_int_eq(read(at_rest[0], &c, 1), 1);
    /* It waits as soon as it sleeps; until then its stack has no name. */
    for (int i = 0; i < 1000; i++) {
        if (strstr(why_told(why_show(hidden), 1), "on the stack of thread ") !=
            NULL)
            break;
        usleep(1000);
    }
    why_says(why_show(hidden), 1, "on the stack of thread ");
    ck_assert_int_eq(write(go_on[1], &c, 1), 1);
    pthread_join(thread, NULL);
    Py_DECREF(why_show(hidden));
}

/* So many that not all stacks are known. */
static void *
wait_for_the_end(void *Py_UNUSED(arg))
{
    char c;

    ck_assert_int_eq(read(go_on[0], &c, 1), 0);
    return NULL;
}

static void *
ask_in_thread(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *volatile local = PyList_New(0);

    why_is_on_stack(why_hide(local));
    Py_DECREF(local);
    PyGILState_Release(state);
    return NULL;
}

START_TEST(one_of_many_threads)
{
    pthread_t threads[100], last;

    ck_assert_int_eq(pipe(go_on), 0);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(threads); i++)
        pthread_create(&threads[i], NULL, wait_for_the_end, NULL);
    Py_BEGIN_ALLOW_THREADS;
    pthread_create(&last, NULL, ask_in_thread, NULL);
    pthread_join(last, NULL);
    Py_END_ALLOW_THREADS;
    close(go_on[1]);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(threads); i++)
        pthread_join(threads[i], NULL);
}

START_TEST(blocks_of_malloc)
{
    volatile uintptr_t hidden = why_hide(PyList_New(0));

    block = malloc(100);
    memset(block, 0, 100);
    block[2] = (uintptr_t)why_show(hidden);
    if (suite_knows_malloc())
        why_says(why_show(hidden), 1,
                 "    0x# in malloc memory, +16 of 104 bytes\n");
    free(block);
    Py_DECREF(why_show(hidden));
}

/* Which is the next block's first one. */
START_TEST(the_last_word_of_a_block)
{
    volatile uintptr_t hidden = why_hide(PyList_New(0));

    block = calloc(1, 104);
    block[12] = (uintptr_t)why_show(hidden);
    if (suite_knows_malloc())
        why_says(why_show(hidden), 1,
                 "    0x# in malloc memory, +96 of 104 bytes\n");
    free(block);
    Py_DECREF(why_show(hidden));
}

START_TEST(blocks_of_the_host)
{
    volatile uintptr_t hidden = why_hide(PyList_New(0));

    block = GC_MALLOC(64);
    block[3] = (uintptr_t)why_show(hidden);
    why_says(why_show(hidden), 1,
             "    0x# in a block of Boehm's heap, +24 of ");
    block[3] = 0;
    GC_reachable_here(block);
    Py_DECREF(why_show(hidden));
}

/* Has a reference that it does not visit. */
struct mute {
    PyObject_HEAD
    PyObject *held, **array;
};

static int
mute_traverse(PyObject *op, visitproc visit, void *arg)
{
    (void)op, (void)visit, (void)arg;
    return 0;
}

static PyMemberDef mute_members[] = {
    {"held", Py_T_OBJECT_EX, offsetof(struct mute, held), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject mute_type = {
    .tp_name = "mute",
    .tp_basicsize = sizeof(struct mute),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = mute_traverse,
    .tp_members = mute_members,
};

START_TEST(owners_that_do_not_visit_are_named)
{
    volatile uintptr_t hidden = why_hide(PyList_New(0));
    void *padding;
    struct mute *mute;

    ck_assert_int_eq(PyType_Ready(&mute_type), 0);
    mute = PyObject_GC_New(struct mute, &mute_type);
    mute->held = why_show(hidden);
    mute->array = NULL;
    why_says(why_show(hidden), 1,
             "in mute at 0x#, +16 (held), which does not visit it\n");
    mute->held = NULL;
    mute->array = malloc(40);
    padding = malloc(40);
    mute->array[1] = why_show(hidden);
    if (suite_knows_malloc())
        why_says(why_show(hidden), 1,
                 "in malloc memory, +8 of 40 bytes of mute at 0x#, which"
                 " does not visit it\n");
    Py_DECREF(why_show(hidden));
    free(padding);
    free(mute->array);
    PyObject_GC_Del(mute);
}

/* What it has in its body is visited, and not what is in its array. */
static int
half_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct mute *)op)->held);
    return 0;
}

START_TEST(one_that_visits_less_often_is_named)
{
    volatile uintptr_t hidden = why_hide(PyList_New(0));
    void *padding;
    struct mute *half;

    if (!suite_knows_malloc())
        return;
    mute_type.tp_traverse = half_traverse;
    ck_assert_int_eq(PyType_Ready(&mute_type), 0);
    half = PyObject_GC_New(struct mute, &mute_type);
    half->held = Py_NewRef(why_show(hidden));
    half->array = malloc(40);
    padding = malloc(40);
    half->array[1] = half->held;
    PyObject_GC_Track(half);
    why_says(why_show(hidden), 1,
             "in malloc memory, +8 of 40 bytes of mute at 0x#, which"
             " visits it less often\n"
             "    no other location found: leaked reference, unless that is "
             "owned\n");
    PyObject_GC_UnTrack(half);
    Py_CLEAR(half->held);
    Py_DECREF(why_show(hidden));
    free(half->array);
    free(padding);
    PyObject_GC_Del(half);
}

/* A list whose items were taken away has their addresses still. */
START_TEST(what_is_out_of_use_owns_nothing)
{
    PyObject *type = suite_class("s(O){}", "List", &PyList_Type);
    PyObject *list = PyObject_CallNoArgs(type);
    volatile uintptr_t hidden = why_hide(PyList_New(0));

    if (!suite_knows_malloc())
        return;
    for (int i = 0; i < 3; i++)
        PyList_Append(list, why_show(hidden));
    PyList_SetSlice(list, 1, 3, NULL);
    why_is_nowhere(hidden);
    Py_DECREF(why_show(hidden));
    suite_drop(list, type);
}

/* The address is there only where items were. */
START_TEST(what_items_leave_is_no_place)
{
    PyObject *list = PyList_New(0);
    volatile uintptr_t hidden = why_hide(PyList_New(0));

    if (!suite_knows_malloc())
        return;
    PyList_Append(list, Py_None);
    for (int i = 0; i < 3; i++)
        PyList_Append(list, why_show(hidden));
    PyList_SetSlice(list, 1, 4, NULL);
    why_is_nowhere(hidden);
    Py_DECREF(why_show(hidden));
    Py_DECREF(list);
}

static size_t read_words;

static void
look(uintptr_t address, const uintptr_t *words, size_t n, void *Py_UNUSED(arg))
{
    read_words += n;
    ck_assert(address + n * sizeof *words <= (uintptr_t)words ||
              address >= (uintptr_t)(words + n));
}

/* The stack below a frame is read by frames that are there. */
START_TEST(a_search_leaves_itself_out)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)7;
    const size_t bytes = 256 * 1024;

    if (!suite_has("PROCESS_VM_READV"))
        return;
    pyb_memory_part(here - bytes, here, look, NULL);
    ck_assert_uint_gt(read_words, 0);
}

/* What is visited is no owner outside, nor is a weak reference. */
START_TEST(what_is_accounted_for_is_left_out)
{
    PyObject *op = PySet_New(NULL), *weak = PyWeakref_NewRef(op, NULL);

    places_registry = Py_BuildValue("[{s:O}]", "x", op);
    Py_DECREF(op);
    const char *all = why_told(op, 1);
    ck_assert_ptr_null(strstr(all, "malloc"));
    ck_assert_ptr_null(strstr(all, "weakref"));
    Py_CLEAR(places_registry);
    Py_DECREF(weak);
}

/* The tuple has the address in its body, the list in malloc memory. */
START_TEST(who_visits_is_no_owner_outside)
{
    PyObject *op, *tuple, *list;

    places_registry = op = PySet_New(NULL);
    tuple = PyTuple_Pack(1, op);
    list = Py_BuildValue("[O]", op);
    why_says(op, 1,
             "set at 0x#, 3 references, 1 from outside\n"
             "    0x# in data of ");
    ck_assert_ptr_null(strstr(why_text, "visit"));
    suite_drop(tuple, list);
    Py_CLEAR(places_registry);
}

START_TEST(weak_references_are_not_owned)
{
    volatile uintptr_t hidden;

    places_registry = PySet_New(NULL);
    hidden = why_hide(PyWeakref_NewRef(places_registry, NULL));
    why_is_nowhere(hidden);
    Py_DECREF(why_show(hidden));
    Py_CLEAR(places_registry);
}

/* Of a static type, and of one that is a container itself. */
START_TEST(subclasses_are_not_owned)
{
    PyObject *base = suite_class("s(){}", "Base");
    volatile uintptr_t hidden = why_hide(PyObject_CallFunction(
        (PyObject *)&PyType_Type, "s(O){}", "Sub", base));

    why_told(why_show(hidden), 1);
    ck_assert_ptr_null(strstr(why_text, "malloc"));
    why_told(base, 1);
    ck_assert_ptr_null(strstr(why_text, "malloc"));
    Py_DECREF(why_show(hidden));
    Py_DECREF(base);
}

/* Boehm has the addresses of its pages, and of what it got from the system, of
   many pages each.  Such a note may lie across two pages.  The side table has
   the addresses of its regions. */
START_TEST(pages_are_not_owners)
{
    enum { N = 200000, PAGE = 4096, REGION = 1 << PYB_REGION_SHIFT };
    static uintptr_t hidden[N];
    volatile uintptr_t *notes = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    volatile uintptr_t *note = &notes[PAGE / sizeof *notes - 1];
    int n = 0, enough = suite_is_slow() ? 1 : 20;

    for (int i = 0; i < N; i++)
        hidden[i] = why_hide(PyTuple_New(1 + i % 20));
    for (int i = 0; i < N; i++)
        if (~hidden[i] % REGION == 0) /* is there, if Boehm's heap has one */
            why_is_nowhere(hidden[i]);
    for (int i = 0; i < N && n < enough; i++)
        if (~hidden[i] % PAGE == 0) {
            note[0] = (uintptr_t)why_show(hidden[i]);
            note[1] = PAGE;
            why_is_nowhere(hidden[i]);
            n++;
        }
    ck_assert_int_eq(n, enough);
    munmap((void *)(uintptr_t)notes, 2 * PAGE);
    for (int i = 0; i < N; i++)
        Py_DECREF(why_show(hidden[i]));
}

/* The memory that a list had waits for the next one. */
START_TEST(spare_memory_has_no_owner)
{
    volatile uintptr_t hidden = why_hide(PySet_New(NULL));
    PyObject *list = PyList_New(0);

    for (int i = 0; i < 20; i++)
        PyList_Append(list, why_show(hidden));
    Py_DECREF(list);
    why_is_nowhere(hidden);
    Py_DECREF(why_show(hidden));
}

/* What malloc does not have in its first heap. */
START_TEST(large_blocks_are_accounted_for)
{
    volatile uintptr_t hidden = why_hide(PySet_New(NULL));

    places_registry = PyList_New(0);
    for (int i = 0; i < 100000; i++)
        PyList_Append(places_registry, why_show(hidden));
    why_is_nowhere(hidden);
    Py_CLEAR(places_registry);
    Py_DECREF(why_show(hidden));
}

static __attribute__((noinline)) void
list_it(uintptr_t hidden)
{
    places_registry = Py_BuildValue("[O]", why_show(hidden));
}

/* The C library keeps the stack of a thread for the next one. */
static void *
list_in_thread(void *hidden)
{
    PyGILState_STATE state = PyGILState_Ensure();

    list_it((uintptr_t)hidden);
    suite_forget_stack();
    PyGILState_Release(state);
    return NULL;
}

START_TEST(so_are_those_of_threads)
{
    volatile uintptr_t hidden = why_hide(PySet_New(NULL));
    pthread_t thread;

    Py_BEGIN_ALLOW_THREADS;
    pthread_create(&thread, NULL, list_in_thread, (void *)hidden);
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS;
    why_is_nowhere(hidden);
    Py_CLEAR(places_registry);
    Py_DECREF(why_show(hidden));
}

/* A process that can open no files. */
START_TEST(memory_that_cannot_be_read)
{
    const struct rlimit none = {0, 0};
    PyObject *list = PyList_New(0);
    char said[400] = "";
    FILE *file = fmemopen(said, sizeof said, "w");

    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    ck_assert_int_eq(PyBoehm_WhyAlive(list, file), 1);
    fclose(file);
    ck_assert_msg(strstr(said, "\n    the memory of this process cannot be "
                               "read: locations unknown\n") != NULL,
                  "%s", said);
    Py_DECREF(list);
}

START_TEST(freed_memory_has_no_owner)
{
    volatile uintptr_t hidden = why_hide(PyList_New(0));

    block = calloc(1, 100);
    block[4] = (uintptr_t)why_show(hidden);
    if (suite_knows_malloc())
        why_says(why_show(hidden), 1, "in malloc memory, +32 of 104 bytes");
    free(block);
    why_told(why_show(hidden), 1);
    ck_assert_ptr_null(strstr(why_text, "malloc"));
    Py_DECREF(why_show(hidden));
}

/* The thread's own list of a size is empty, and the common one is not: malloc
   moves blocks to the former until that is full, and what is freed next goes
   elsewhere. */
static void
make_full_lists(size_t size)
{
    enum { BLOCKS = 30, OWN = 7 };
    void *blocks[BLOCKS], *between[BLOCKS];

    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = suite_require(malloc(size));
        between[i] = suite_require(malloc(40));
    }
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    free(suite_require(malloc(10000))); /* sorts them */
    for (int i = 0; i < OWN; i++)
        blocks[i] = suite_require(malloc(size)); /* kept, as are those */
    (void)between;
}

START_TEST(freed_blocks_are_known_with_full_lists)
{
    volatile uintptr_t freed = (uintptr_t)suite_require(malloc(100));
    struct pyb_blocks blocks;
    ptrdiff_t i;

    if (!suite_knows_malloc())
        return;
    make_full_lists(88);
    free((void *)freed);
    ck_assert_int_eq(pyb_blocks_take(&blocks), 0);
    i = pyb_blocks_find(&blocks, freed);
    ck_assert_int_ge(i, 0);
    ck_assert_int_eq(blocks.all[i].used, 0);
    pyb_blocks_end(&blocks);
}

/* A mapping that grows by a page whenever a line is read. */
static char *grown;
static size_t grown_pages;

char *
fgets(char *line, int size, FILE *file)
{
    static char *(*next)(char *, int, FILE *);

    if (next == NULL)
        next = (char *(*)(char *, int, FILE *))dlsym(RTLD_NEXT, "fgets");
    if (grown != NULL) {
        size_t page = (size_t)getpagesize();

        mprotect(grown, ++grown_pages * page, PROT_READ | PROT_WRITE);
        grown[(grown_pages - 1) * page] = 1; /* what is in use is read */
    }
    return next(line, size, file);
}

static void
expect_news(uintptr_t address, const uintptr_t *Py_UNUSED(words), size_t n,
            void *end)
{
    ck_assert_uint_ge(address, *(uintptr_t *)end);
    *(uintptr_t *)end = address + n * sizeof(uintptr_t);
}

/* The system lists some mappings with each read, a page of text.  Each one
   that is added below the one that grows moves it by a line, up to the end of
   that page and over it. */
START_TEST(memory_that_grows_is_read_once)
{
    enum { LINES = 100, PAGES = 1 << 12, STEP = 0x10000000 };
    const size_t page = (size_t)getpagesize(), distance = 2 * page;
    const size_t below = (LINES + 1) * distance, room = PAGES * page;
    char *low = (char *)STEP, *free_there = NULL;

    /* The heap of a program that is not moved may be in one such place. */
    for (int i = 0; i < 4 && free_there != low; i++) {
        low += free_there != NULL ? STEP : 0;
        free_there = mmap(low, below + room, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ck_assert(free_there != MAP_FAILED);
        if (free_there != low)
            munmap(free_there, below + room);
    }
    ck_assert(free_there == low);
    ck_assert_int_eq(munmap(low, below), 0);
    grown = low + below;
    for (int i = 0; i < LINES; i++, low += distance) {
        uintptr_t end = 0;

        ck_assert_int_eq(pyb_memory_each((uintptr_t)__builtin_frame_address(0),
                                         expect_news, &end),
                         suite_has("PROCESS_VM_READV") ? 0 : -1);
        ck_assert_int_eq(mprotect(grown, room, PROT_NONE), 0);
        grown_pages = 0;
        ck_assert(mmap(low, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                       0) == low);
    }
    ck_assert_int_eq(munmap(grown, room), 0);
    grown = NULL;
}
