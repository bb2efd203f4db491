/* check_gc_leave.c: behind the API: what a host finds as it was while the
   library is there, and what Py_Finalize leaves behind. */

#include "../support/node.h"
#include "../support/suite.h"

#include <dirent.h>
#include <pyboehm.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef GC_THREADS
#define GC_THREADS
#endif
#include <gc/gc.h>
#include <gc/gc_mark.h>

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"

/* ------------------------------------------------------------------ */
/* Switches                                                            */

#if GC_VERSION_MAJOR > 8 || GC_VERSION_MINOR >= 2
#define SINCE_8_2(expression) (expression)
#else
#define SINCE_8_2(expression) 0
#endif

/* All that has a getter and is not a figure. */
struct switches {
    long numbers[24];
    void (*functions[8])(void);
};

static void
read_switches(struct switches *s)
{
    const long numbers[] = {
        GC_get_find_leak(),
        GC_get_all_interior_pointers(),
        GC_get_finalize_on_demand(),
        GC_get_java_finalization(),
        GC_get_dont_expand(),
        GC_get_full_freq(),
        GC_get_no_dls(),
        (long)GC_get_free_space_divisor(),
        (long)GC_get_max_retries(),
        GC_get_dont_precollect(),
        (long)GC_get_time_limit(),
        SINCE_8_2((long)GC_get_time_limit_tv().tv_nsec),
        SINCE_8_2((long)GC_get_allocd_bytes_per_finalizer()),
        GC_get_pages_executable(),
        (long)GC_get_min_bytes_allocd(),
        GC_get_rate(),
        GC_get_max_prior_attempts(),
        SINCE_8_2(GC_get_disable_automatic_collection()),
        GC_get_suspend_signal(),
        GC_get_thr_restart_signal(),
        GC_get_force_unmap_on_gcollect(),
        GC_get_manual_vdb_allowed(),
        GC_is_incremental_mode(),
        GC_is_disabled(),
    };
    _Static_assert(sizeof numbers == sizeof s->numbers, "all of them");
    memcpy(s->numbers, numbers, sizeof numbers);

    void (*const functions[])(void) = {
        (void (*)(void))GC_get_stop_func(),
        (void (*)(void))GC_get_oom_fn(),
        (void (*)(void))GC_get_on_heap_resize(),
        (void (*)(void))GC_get_on_thread_event(),
        (void (*)(void))GC_get_finalizer_notifier(),
        (void (*)(void))GC_get_toggleref_func(),
        (void (*)(void))GC_get_warn_proc(),
        (void (*)(void))GC_get_abort_func(),
    };
    memcpy(s->functions, functions, sizeof functions);
}

static struct switches before;

static void
switches_are_what_they_were(void)
{
    struct switches now;

    read_switches(&now);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(now.numbers); i++)
        if (now.numbers[i] != before.numbers[i])
            ck_abort_msg("switch %zu: %ld, was %ld", i, now.numbers[i],
                         before.numbers[i]);
    ck_assert_mem_eq(now.functions, before.functions, sizeof now.functions);
}

static void
look_at_switches(struct node *Py_UNUSED(node))
{
    if (node_log.freed == 0)
        switches_are_what_they_were();
}

/* While the library is started, collects in each of its ways, and ends. */
static void
no_switch_moves(void)
{
    read_switches(&before);
    Py_Initialize();
    switches_are_what_they_were();
    node_reset();
    node_log.on_clear = look_at_switches;
    PyObject *live = PyList_New(0);
    for (int i = 0; i < 20000; i++) {
        PyObject *item = PyList_New(0);
        ck_assert_int_eq(PyList_Append(live, item), 0);
        Py_DECREF(item);
        node_drop_ring(&node_type, 1 + i % 3);
    }
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        PyBoehm_GC_Collect(i);
    node_drop_ring(&node_type, 1000);
    PyBoehm_GC_CollectAll();
    switches_are_what_they_were();
    GC_invoke_finalizers();
    Py_DECREF(live);
    PyGC_Collect();
    switches_are_what_they_were();
    Py_Finalize();
    switches_are_what_they_were();
}

START_TEST(no_switch_of_a_usual_host_moves)
{
    GC_INIT();
    no_switch_moves();
    no_switch_moves();
}

static void GC_CALLBACK
notify(void)
{
}

static void *GC_CALLBACK
no_memory(size_t Py_UNUSED(size))
{
    return NULL;
}

START_TEST(no_switch_of_an_unusual_host_moves)
{
    GC_set_all_interior_pointers(0);
    GC_INIT();
    GC_set_finalize_on_demand(1);
    GC_set_java_finalization(0);
    GC_set_full_freq(7);
    GC_set_free_space_divisor(5);
    GC_set_max_retries(3);
    (void)SINCE_8_2((GC_set_allocd_bytes_per_finalizer(12345), 0));
    GC_set_rate(13);
    GC_set_max_prior_attempts(2);
    GC_set_finalizer_notifier(notify);
    GC_set_oom_fn(no_memory);
    GC_set_warn_proc(GC_ignore_warn_proc);
    GC_set_force_unmap_on_gcollect(1);
    no_switch_moves();
}

/* ------------------------------------------------------------------ */
/* What lives on                                                       */

enum { OBJECTS = 5000, TEXT = 24 };
static struct node *objects[OBJECTS];

/* Every third one is large; what they are linked to is owned by them alone,
   and each has a block of the host's. */
static void
make_objects(void)
{
    static PyTypeObject large_type = {
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.LargeNode",
        .tp_base = &node_type,
        .tp_basicsize = 3000,
    };

    node_reset();
    ck_assert_int_eq(PyType_Ready(&large_type), 0);
    for (int i = 0; i < OBJECTS; i++) {
        struct node *next = node_new(&node_type);

        objects[i] = node_new(i % 3 == 0 ? &large_type : &node_type);
        objects[i]->label = next->label = i;
        objects[i]->host = GC_MALLOC_ATOMIC(TEXT);
        snprintf(objects[i]->host, TEXT, "node %d", i);
        objects[i]->left = (PyObject *)next;
    }
}

static void
objects_are_intact(void)
{
    char text[TEXT];

    for (int i = 0; i < OBJECTS; i++) {
        struct node *next = (struct node *)objects[i]->left;

        snprintf(text, sizeof text, "node %d", i);
        if (strcmp(objects[i]->host, text) != 0 || objects[i]->label != i ||
            next->label != i)
            ck_abort_msg("object %d is lost", i);
    }
}

static void
use_boehms_heap(void)
{
    for (int round = 0; round < 2; round++) {
        GC_gcollect();
        for (int i = 0; i < 4 * OBJECTS; i++) {
            memset(GC_MALLOC(sizeof(struct node)), 0x5a, sizeof(struct node));
            memset(GC_MALLOC_ATOMIC(TEXT), 0x5a, TEXT);
        }
    }
}

static void
drop_objects(int from)
{
    for (int i = from; i < OBJECTS; i++)
        Py_DECREF(objects[i]);
}

/* objects[] is in our data segment, so this hides the pointers there. */
static void
flip_objects(void)
{
    for (int i = 0; i < OBJECTS; i++)
        objects[i] = (struct node *)~(uintptr_t)objects[i];
}

START_TEST(objects_outlive_the_library)
{
    GC_INIT();
    Py_Initialize();
    make_objects();
    Py_Finalize();
    flip_objects();
    use_boehms_heap();
    flip_objects();
    objects_are_intact();
    Py_Initialize();
    objects_are_intact();
    flip_objects();
    use_boehms_heap();
    flip_objects();
    objects_are_intact();
    drop_objects(0);
    ck_assert_int_eq(node_log.freed, 2 * OBJECTS);
    Py_Finalize();
}

/* How many of the blocks in the complement of objects[] Boehm keeps. */
static int
kept_by_boehm(void)
{
    int n = 0;

    GC_gcollect();
    for (int i = 0; i < OBJECTS; i++) {
        void *block = (void *)~(uintptr_t)objects[i];

        n += GC_base(block) != NULL && GC_is_marked(block);
    }
    return n;
}

/* Those that die after the library are no longer kept by the next one. */
START_TEST(objects_die_after_the_library)
{
    GC_INIT();
    Py_Initialize();
    make_objects(); /* readies the types */
    drop_objects(0);
    Py_Finalize();
    size_t held = pyb_heap.held_bytes;
    Py_Initialize();
    make_objects();
    Py_Finalize();
    ck_assert_uint_gt(pyb_heap.held_bytes, held + OBJECTS * 1000);
    if (!pyb_checks) /* to them it is an error */
        drop_objects(OBJECTS / 2);
    use_boehms_heap();
    for (int i = 0; i < OBJECTS / 2; i++)
        ck_assert_int_eq(objects[i]->label, i);
    Py_Initialize();
    flip_objects();
    ck_assert_int_ge(kept_by_boehm(), OBJECTS / 2);
    flip_objects();
    for (int i = 0; i < (pyb_checks ? OBJECTS : OBJECTS / 2); i++)
        Py_DECREF(objects[i]);
    ck_assert_int_eq(node_log.freed, 2 * OBJECTS);
    flip_objects();
    Py_Finalize();
    ck_assert_uint_eq(pyb_heap.held_bytes, held);
    ck_assert_int_lt(kept_by_boehm(), OBJECTS / 10); /* stale pointers may */
}

/* So many that free pages go back to Boehm. */
START_TEST(many_objects_die_after_the_library)
{
    enum { MANY = 100000 };

    if (pyb_checks) /* to them it is an error */
        return;
    GC_INIT();
    Py_Initialize();
    PyObject **many = suite_require(malloc(MANY * sizeof *many));
    for (int i = 0; i < MANY; i++)
        many[i] = suite_require(PyList_New(0));
    Py_Finalize();
    size_t held = pyb_heap.held_bytes;
    for (int i = 0; i < MANY; i++)
        Py_DECREF(many[i]);
    free(many);
    Py_Initialize();
    PyGC_Collect();
    ck_assert_uint_lt(pyb_heap.held_bytes, held);
    Py_Finalize();
}

/* ------------------------------------------------------------------ */
/* What goes back                                                      */

START_TEST(figures_are_what_they_were)
{
    GC_INIT();
    GC_word least = GC_get_non_gc_bytes(), after = 0;

    for (int round = 0; round < 4; round++) {
        Py_Initialize();
        make_objects();
        drop_objects(0);
        node_drop_ring(&node_type, 5000);
        PyGC_Collect();
        Py_Finalize();
        if (round == 0)
            after = GC_get_non_gc_bytes();
        ck_assert_uint_eq(GC_get_non_gc_bytes(), after);
        ck_assert_uint_eq(after - least, pyb_heap.held_bytes);
    }
}

/* Of what is held after Py_Finalize all is in use. */
START_TEST(no_free_block_is_held)
{
    GC_INIT();
    Py_Initialize();
    make_objects();
    for (int i = 0; i < OBJECTS; i++)
        if (i % 10 != 0) /* leaves holes */
            Py_DECREF(objects[i]);
    Py_Finalize();
    for (size_t i = 0; i < PYB_SIZES; i++) {
        ck_assert_uint_eq(pyb_heap.sizes[i].nfree, 0);
        ck_assert_ptr_null(pyb_heap.sizes[i].free);
    }
    Py_Initialize();
    for (int i = 0; i < OBJECTS; i += 10)
        Py_DECREF(objects[i]);
    Py_Finalize();
}

/* Boehm's list of what is to be finalized, as it prints it. */
static char *
finalizers(void)
{
    FILE *file = tmpfile();
    static char text[4096];
    int out = dup(1);

    ck_assert_ptr_nonnull(file);
    fflush(stdout);
    dup2(fileno(file), 1);
    GC_dump_finalization();
    dup2(out, 1);
    close(out);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, "Finalizers:"));
    return strstr(text, "Finalizable object");
}

/* A set that waits for its host, and others that Boehm had to do with. */
START_TEST(no_finalizer_is_left)
{
    GC_INIT();
    GC_set_finalize_on_demand(1);
    Py_Initialize();
    node_reset();
    for (int i = 0; i < 5; i++) {
        node_drop_ring(&node_type, 3);
        ck_assert_int_eq(PyBoehm_GC_CollectAll(), 3);
        GC_disable(); /* it does not find them */
        node_drop_ring(&node_type, 3);
        ck_assert_int_eq(PyBoehm_GC_CollectAll(), 3);
        GC_enable();
    }
    PyBoehm_GC_SetThreshold((const int[]){10, 0, 0});
    for (int i = 0; i < 20; i++)
        node_drop_ring(&node_final_type, 1);
    GC_invoke_finalizers(); /* those that are due; their sets are no more */
    ck_assert_ptr_nonnull(finalizers());
    Py_Finalize();
    ck_assert_ptr_null(finalizers());
    ck_assert_int_eq(node_log.freed, node_log.made);
    GC_gcollect();
    ck_assert(!GC_should_invoke_finalizers());
}

/* Blocks that are given back one by one, as a host that looks for leaks wants,
   do not stand in lists of Boehm's when it gives their pages away. */
START_TEST(a_host_that_looks_for_leaks_goes_on)
{
    GC_set_find_leak(1);
    GC_INIT();
    for (int round = 0; round < 3; round++) {
        Py_Initialize();
        Py_Finalize();
        for (int i = 0; i < 3; i++)
            GC_gcollect();
    }
    ck_assert(!Py_IsInitialized());
}

/* A host that looks for leaks hears of none. */
START_TEST(no_leak_is_ours)
{
    GC_set_find_leak(1);
    GC_INIT();
    suite_catch_stderr();
    for (int round = 0; round < 3; round++) {
        Py_Initialize();
        node_reset();
        for (int i = 0; i < OBJECTS; i++)
            objects[i] = node_new(&node_type);
        for (int i = 0; i < OBJECTS; i++)
            node_drop_ring(&node_type, 3);
        PyBoehm_GC_CollectAll();
        ck_assert_int_eq(node_log.freed, 3 * OBJECTS);
        for (int i = 0; i < 100; i++) /* they stay */
            ck_assert_ptr_nonnull(
                PyBoehm_Adopt((PyObject *)node_new(&node_type)));
        drop_objects(0);
        PyGC_Collect();
        Py_Finalize();
        GC_gcollect();
        GC_gcollect();
    }
    char *said = suite_caught_stderr();
    ck_assert_str_eq(said, "");
    free(said);
}

static void *host_object;
static int toggles;

static GC_ToggleRefStatus GC_CALLBACK
toggle(void *object)
{
    toggles += object == host_object;
    return object == host_object ? GC_TOGGLE_REF_STRONG
                                 : (GC_ToggleRefStatus)-1; /* aborts */
}

static void GC_CALLBACK
await(void *Py_UNUSED(object))
{
}

static void
adopt_and_collect(void)
{
    Py_Initialize();
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_nonnull(PyBoehm_Adopt(PyList_New(0)));
        PyGC_Collect();
    }
    suite_free_adopted();
    ck_assert(GC_get_await_finalize_proc() == await);
    ck_assert(GC_get_toggleref_func() != toggle);
}

/* What Boehm is asked about adopted objects with.  A toggle reference goes
   when Boehm collects, and then our function does. */
START_TEST(the_host_has_toggle_references)
{
    GC_INIT();
    host_object = GC_MALLOC(16);
    GC_set_toggleref_func(toggle);
    GC_set_await_finalize_proc(await);
    ck_assert_int_eq(GC_toggleref_add(host_object, 1), GC_SUCCESS);
    adopt_and_collect();
    Py_Finalize();
    toggles = 0;
    for (int i = 0; i < 3; i++)
        GC_gcollect();
    ck_assert_int_eq(toggles, 3);
    adopt_and_collect(); /* there is a new one */
    Py_Finalize();
    GC_gcollect();
    Py_Initialize();
    Py_Finalize();
    ck_assert(GC_get_toggleref_func() == toggle);
    GC_gcollect();
    ck_assert_int_gt(toggles, 3);
}

static int
count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int n = 0;

    ck_assert_ptr_nonnull(tasks);
    while (readdir(tasks) != NULL)
        n++;
    closedir(tasks);
    return n;
}

START_TEST(no_thread_is_made)
{
    setenv("GC_MARKERS", "1", 1);
    GC_INIT();
    int n = count_threads();
    for (int round = 0; round < 3; round++) {
        Py_Initialize();
        node_reset();
        node_drop_ring(&node_type, 1000);
        ck_assert_int_eq(PyGC_Collect(), 1000);
        ck_assert_int_eq(count_threads(), n);
        Py_Finalize();
        ck_assert_int_eq(count_threads(), n);
    }
}

/* How many bytes of a region's facts are in memory. */
static size_t
resident(struct pyb_region *region)
{
    static unsigned char pages[offsetof(struct pyb_region, pages) / 4096];
    size_t n = 0;

    ck_assert_int_eq(mincore(region, sizeof pages * 4096, pages), 0);
    for (size_t i = 0; i < sizeof pages; i++)
        n += (pages[i] & 1) * (size_t)4096;
    return n;
}

static int
is_empty(const struct pyb_region *region)
{
    for (size_t page = 0; page < PYB_REGION_PAGES; page++)
        if (region->pages[page] != 0)
            return 0;
    return 1;
}

/* As many objects as need some regions; those of them that hold nothing in the
   end take no memory, and take objects again. */
START_TEST(facts_of_empty_regions_go)
{
    enum { MANY = 2500000 }; /* of 48 bytes; a region has 64 MiB */
    size_t used = 0, left = 0;

    GC_INIT();
    for (int round = 0; round < 2; round++) {
        Py_Initialize();
        node_reset();
        node_drop_ring(&node_type, MANY);
        used = left = 0;
        for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
             region = region->next)
            used += resident(region);
        ck_assert_int_eq(PyGC_Collect(), MANY);
        Py_Finalize();
        for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
             region = region->next)
            if (is_empty(region))
                left += resident(region);
            else
                used -= resident(region);
        ck_assert_uint_gt(used, 0);
        if (suite_has("MADVISE"))
            ck_assert_uint_eq(left, 0);
    }
}

int
main(void)
{
    return suite_run_early("gc: what a host finds afterwards");
}
