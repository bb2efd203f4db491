/* check_watch_stats.c: what PyBoehm_GetStats counts and measures, and the
   table made of that. */

#include "../support/node.h"
#include "../support/suite.h"

#include <gc/gc.h>
#include <pyboehm.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static PyBoehm_Stats before, after;

static PyBoehm_GenerationStats
difference(int generation)
{
    PyBoehm_GenerationStats a = before.generations[generation],
                            b = after.generations[generation];

    return (PyBoehm_GenerationStats){
        .collections = b.collections - a.collections,
        .collected = b.collected - a.collected,
        .uncollectable = b.uncollectable - a.uncollectable,
        .candidates = b.candidates - a.candidates,
        .duration = b.duration - a.duration,
        .longest = b.longest,
        .bytes = b.bytes - a.bytes,
    };
}

/* What a collection of a generation adds to its figures. */
static PyBoehm_GenerationStats
collect(int generation)
{
    PyBoehm_GetStats(&before, sizeof before);
    PyBoehm_GC_Collect(generation);
    PyBoehm_GetStats(&after, sizeof after);
    return difference(generation);
}

/* No collection but those that are asked for; nothing is garbage. */
static void
begin(void)
{
    node_reset();
    PyGC_Disable();
    PyBoehm_GC_Collect(2);
}

/* ------------------------------------------------------------------ */
/* Counts                                                              */

START_TEST(each_generation_counts_its_own)
{
    begin();
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        node_drop_ring(&node_type, 3);
        struct node *alive = node_ring(&node_type, 4);
        PyBoehm_GenerationStats found = collect(i);

        ck_assert_int_eq(found.collections, 1);
        ck_assert_int_eq(found.collected, 3);
        ck_assert_int_eq(found.uncollectable, 0);
        ck_assert_int_ge(found.candidates, 3 + 4);
        for (int j = 0; j < PyBoehm_GC_GENERATIONS; j++)
            if (j != i)
                ck_assert_int_eq(difference(j).collections, 0);
        Py_DECREF(alive);
        PyBoehm_GC_Collect(2);
    }
}

START_TEST(candidates_are_what_was_looked_at)
{
    begin();
    PyBoehm_GenerationStats none = collect(2);
    struct node *alive = node_ring(&node_type, 100);

    ck_assert_int_eq(collect(0).candidates, 100);
    ck_assert_int_eq(collect(0).candidates, 0);
    ck_assert_int_eq(collect(1).candidates, 100);
    ck_assert_int_eq(collect(1).candidates, 0);
    ck_assert_int_eq(collect(2).candidates, none.candidates + 100);
    Py_DECREF(alive);
    ck_assert_int_eq(collect(2).collected, 100);
}

START_TEST(bytes_of_the_blocks_that_were_freed)
{
    begin();
    node_drop_ring(&node_type, 1);
    Py_ssize_t one = collect(0).bytes;
    node_drop_ring(&node_type, 10);

    ck_assert_int_ge(one, (Py_ssize_t)sizeof(struct node));
    ck_assert_int_lt(one, (Py_ssize_t)sizeof(struct node) + 64);
    ck_assert_int_eq(collect(2).bytes, 10 * one);
    ck_assert_int_eq(collect(2).bytes, 0);

    /* A block that Boehm has back at once. */
    PyObject *tuple = PyTuple_New(1000), *list = PyList_New(0);
    PyList_Append(list, tuple);
    PyTuple_SET_ITEM(tuple, 0, list);
    Py_DECREF(tuple);
    PyBoehm_GenerationStats large = collect(0);
    ck_assert_int_eq(large.collected, 2);
    ck_assert_int_ge(large.bytes, 1000 * (Py_ssize_t)sizeof(PyObject *));
    ck_assert_int_lt(large.bytes, 3 * 4096);
}

static struct node *back;

static void
come_back(struct node *node)
{
    back = node;
    Py_INCREF(node);
}

START_TEST(what_comes_back_to_life_is_not_counted)
{
    begin();
    node_log.on_finalize = come_back;
    node_drop_ring(&node_final_type, 1);
    PyBoehm_GenerationStats found = collect(0);
    ck_assert_int_eq(found.candidates, 1);
    ck_assert_int_eq(found.collected, 0);
    ck_assert_int_eq(found.bytes, 0);
    node_log.on_finalize = NULL;
    Py_CLEAR(back);
    ck_assert_int_eq(collect(2).collected, 1);
}

START_TEST(what_is_kept_is_uncollectable)
{
    begin();
    PyTypeObject *type = &node_type;
    type->tp_del = (destructor)Py_DecRef; /* not to be called */
    node_drop_ring(type, 2);
    PyBoehm_GenerationStats found = collect(2);
    ck_assert_int_eq(found.collected, 0);
    ck_assert_int_eq(found.uncollectable, 2);
    ck_assert_int_eq(found.bytes, 0);
    type->tp_del = NULL;
    PyBoehm_GC_ClearGarbage();
    ck_assert_int_eq(collect(2).collected, 2);
}

/* What python's gc.get_stats says is part of it. */
START_TEST(the_shorter_statistics_are_the_same)
{
    PyBoehm_GC_Stats shorter[PyBoehm_GC_GENERATIONS];

    begin();
    node_drop_ring(&node_type, 3);
    collect(1);
    PyBoehm_GC_GetStats(shorter);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        PyBoehm_GenerationStats *g = &after.generations[i];

        ck_assert_int_eq(shorter[i].collections, g->collections);
        ck_assert_int_eq(shorter[i].collected, g->collected);
        ck_assert_int_eq(shorter[i].uncollectable, g->uncollectable);
        ck_assert_int_eq(shorter[i].candidates, g->candidates);
        ck_assert_double_eq(shorter[i].duration, g->duration);
    }
}

START_TEST(all_begins_with_py_initialize)
{
    begin();
    node_drop_ring(&node_type, 3);
    collect(2);
    ck_assert_int_gt(after.generations[2].collections, 0);
    Py_Finalize();
    Py_Initialize();
    PyBoehm_GetStats(&before, sizeof before);
    if (getenv("PYBOEHM_STRESS") == NULL)
        ck_assert_int_eq(before.generations[2].collections, 0);
    ck_assert_double_lt(before.elapsed, after.elapsed + 60);
    PyGC_Disable();
    ck_assert_int_eq(collect(2).collections, 1);
    ck_assert_double_gt(after.elapsed, before.elapsed);
}

/* ------------------------------------------------------------------ */
/* Time                                                                */

static void
take_a_while(struct node *Py_UNUSED(node))
{
    usleep(20000);
}

START_TEST(finalizers_are_part_of_a_collection)
{
    begin();
    node_log.on_finalize = take_a_while;
    node_drop_ring(&node_final_type, 1);
    PyBoehm_GenerationStats slow = collect(1);
    ck_assert_double_ge(slow.duration, 0.02);
    ck_assert_double_ge(slow.longest, 0.02);

    PyBoehm_GenerationStats quick = collect(1);
    ck_assert_double_gt(quick.duration, 0);
    ck_assert_double_ge(quick.longest, slow.longest);
    PyBoehm_GenerationStats *all = &after.generations[1];
    ck_assert_double_ge(all->duration, all->longest);
    ck_assert_double_lt(all->duration, after.elapsed);
}

static void
pause_callback(const char *Py_UNUSED(phase),
               const PyBoehm_GC_Info *Py_UNUSED(info), void *Py_UNUSED(arg))
{
    usleep(300000);
}

START_TEST(callbacks_are_not)
{
    begin();
    PyBoehm_GC_AddCallback(pause_callback, NULL);
    ck_assert_double_lt(collect(0).duration, 0.3);
}

/* ------------------------------------------------------------------ */
/* Boehm's figures                                                     */

static size_t
boehms(size_t figure)
{
    PyBoehm_GetStats(&after, sizeof after);
    return *(size_t *)(void *)((char *)&after.boehm + figure);
}
#define BOEHMS(field) boehms(offsetof(PyBoehm_BoehmStats, field))

START_TEST(boehms_figures_are_boehms)
{
    begin();
    void *block = suite_require(GC_MALLOC_ATOMIC(1000000));
    ck_assert_uint_eq(BOEHMS(heap_bytes), GC_get_heap_size());
    ck_assert_uint_eq(BOEHMS(free_bytes), GC_get_free_bytes());
    ck_assert_uint_eq(BOEHMS(unmapped_bytes), GC_get_unmapped_bytes());
    ck_assert_uint_eq(BOEHMS(allocated_bytes), GC_get_bytes_since_gc());
    ck_assert_uint_eq(BOEHMS(total_bytes), GC_get_total_bytes());
    ck_assert_uint_eq(BOEHMS(non_gc_bytes), GC_get_non_gc_bytes());
    ck_assert_uint_eq(BOEHMS(collections), GC_get_gc_no());
    ck_assert_uint_ge(BOEHMS(total_bytes), 1000000);
    GC_reachable_here(block);
}

START_TEST(boehms_collections_are_timed)
{
    begin();
    PyBoehm_GetStats(&before, sizeof before);
    GC_gcollect();
    PyBoehm_GC_CollectAll(); /* takes back what a rude host took */
    PyBoehm_GetStats(&after, sizeof after);
    if (after.boehm.collections == before.boehm.collections)
        return; /* a host that forbids them */
    ck_assert_double_gt(after.boehm.duration, before.boehm.duration);
    ck_assert_double_gt(after.boehm.longest, 0);
    ck_assert_double_ge(after.boehm.duration, after.boehm.longest);
    ck_assert_double_lt(after.boehm.duration, after.elapsed);
    Py_Finalize();
    Py_Initialize();
    PyBoehm_GetStats(&before, sizeof before);
    ck_assert_double_lt(before.boehm.duration, before.elapsed);
}

/* ------------------------------------------------------------------ */
/* The structure's size                                                */

START_TEST(a_caller_that_knows_less_or_more)
{
    struct {
        PyBoehm_Stats stats;
        char more[64];
    } wide;
    static const char zeros[sizeof wide.more];

    begin();
    PyBoehm_GC_Collect(2);
    memset(&wide, 0xCD, sizeof wide);
    PyBoehm_GetStats(&wide.stats, sizeof wide);
    ck_assert_int_gt(wide.stats.generations[2].collections, 0);
    ck_assert_double_gt(wide.stats.elapsed, 0);
    ck_assert_mem_eq(wide.more, zeros, sizeof zeros);

    memset(&before, 0xCD, sizeof before);
    PyBoehm_Stats untouched = before;
    size_t narrow = offsetof(PyBoehm_Stats, boehm);
    PyBoehm_GetStats(&before, narrow);
    ck_assert_int_eq(before.generations[2].collections,
                     wide.stats.generations[2].collections);
    ck_assert_mem_eq((char *)&before + narrow, (char *)&untouched + narrow,
                     sizeof before - narrow);
}

/* ------------------------------------------------------------------ */
/* The table                                                           */

/* The numbers of a table's row. */
struct row {
    long collections, candidates, collected, bytes;
    double total, longest;
};

static struct row
row_of(const char *table, const char *name)
{
    struct row row;
    char head[20];

    snprintf(head, sizeof head, "\n%10s ", name);
    const char *line = strstr(table, head);
    ck_assert_msg(line != NULL, "no row '%s' in:\n%s", name, table);
    ck_assert_int_eq(sscanf(line + strlen(head), "%ld %ld %ld %ld %lf %lf",
                            &row.collections, &row.candidates, &row.collected,
                            &row.bytes, &row.total, &row.longest),
                     6);
    return row;
}

static char *
table(void)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    PyBoehm_WriteStats(file);
    fclose(file);
    return text;
}

START_TEST(the_table_has_the_figures)
{
    begin();
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        node_drop_ring(&node_type, i + 1);
        PyBoehm_GC_Collect(i);
    }
    PyBoehm_GetStats(&after, sizeof after);
    char *text = table(), head[80];
    struct row all = row_of(text, "all");
    long collections = 0, bytes = 0;

    snprintf(head, sizeof head, "pyboehm: process %ld, ", (long)getpid());
    ck_assert_int_eq(strncmp(text, head, strlen(head)), 0);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        struct row row = row_of(text, (const char *[]){"0", "1", "2"}[i]);
        PyBoehm_GenerationStats *g = &after.generations[i];

        ck_assert_int_eq(row.collections, g->collections);
        ck_assert_int_eq(row.candidates, g->candidates);
        ck_assert_int_eq(row.collected, g->collected);
        ck_assert_int_eq(row.bytes, g->bytes);
        ck_assert_double_eq_tol(row.total, g->duration * 1e3, 1e-3);
        ck_assert_double_eq_tol(row.longest, g->longest * 1e3, 1e-3);
        ck_assert_double_le(row.longest, all.longest);
        collections += row.collections;
        bytes += row.bytes;
    }
    ck_assert_int_eq(all.collections, collections);
    ck_assert_int_eq(all.bytes, bytes);
    ck_assert_ptr_nonnull(strstr(text, "\nBoehm's heap: "));
    ck_assert_ptr_nonnull(strstr(text, "\nBoehm's collections: "));
    ck_assert_ptr_null(strstr(text, "uncollectable"));
    free(text);
}

/* Leaves one # of each number, and one space of several. */
static void
reduce(char *text)
{
    char *to = text;

    for (char last = 0; *text != 0; text++) {
        char c = *text;
        if ((c >= '0' && c <= '9') || (c == '.' && last == '#'))
            c = '#';
        if (c != last || (c != '#' && c != ' '))
            *to++ = c;
        last = c;
    }
    *to = 0;
}

/* The manual's table has the lines of this one, but for the numbers. */
START_TEST(the_manual_shows_the_same_table)
{
    const char *top = getenv("srcdir");
    char path[4096], page[32768], *text = table();
    FILE *file;
    int lines = 0;

    snprintf(path, sizeof path, "%s/doc/statistics.md", top ? top : ".");
    file = suite_require(fopen(path, "r"));
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    reduce(page);
    reduce(text);
    for (char *line = strtok(text, "\n"); line != NULL;
         line = strtok(NULL, "\n")) {
        lines++;
        ck_assert_msg(strstr(page, line) != NULL, "%s lacks: %s", path, line);
    }
    ck_assert_int_ge(lines, 2 + PyBoehm_GC_GENERATIONS + 1);
    free(text);
}

/* How many tables there are in a text; frees it. */
static int
count_tables(char *text)
{
    int n = 0;

    for (char *at = text; (at = strstr(at, "pyboehm: process ")) != NULL; at++)
        n++;
    free(text);
    return n;
}

START_TEST(py_finalize_writes_it_where_it_is_wanted)
{
    static const char *const wishes[] = {"1", "0", "", NULL, "yes", "1"};
    static const int tables[] = {1, 0, 0, 0, 0, 1};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(wishes); i++) {
        Py_Finalize();
        if (wishes[i] != NULL)
            setenv("PYBOEHM_STATS", wishes[i], 1);
        else
            unsetenv("PYBOEHM_STATS");
        Py_Initialize();
        suite_catch_stderr();
        Py_Finalize();
        ck_assert_int_eq(count_tables(suite_caught_stderr()), tables[i]);
        Py_Initialize();
    }
    unsetenv("PYBOEHM_STATS");
    Py_Finalize();
    Py_Initialize();
}

/* A child that leaves; how many tables it writes. */
static int
tables_of_child(int finalize)
{
    suite_catch_stderr();
    pid_t child = fork();
    int status;

    if (child == 0) {
        PyOS_AfterFork_Child();
        if (finalize)
            Py_Finalize();
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    return count_tables(suite_caught_stderr());
}

START_TEST(a_process_that_just_ends_writes_it)
{
    Py_Finalize();
    setenv("PYBOEHM_STATS", "1", 1);
    Py_Initialize();
    unsetenv("PYBOEHM_STATS");
    ck_assert_int_eq(tables_of_child(0), 1);
    ck_assert_int_eq(tables_of_child(1), 1);
    suite_catch_stderr();
    Py_Finalize();
    ck_assert_int_eq(count_tables(suite_caught_stderr()), 1);
    Py_Initialize();
    ck_assert_int_eq(tables_of_child(0), 0);
}
