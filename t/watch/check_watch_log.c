/* check_watch_log.c: the lines that PYBOEHM_LOG asks for. */

#include "../support/node.h"
#include "../support/suite.h"

#include <fcntl.h>
#include <gc/gc.h>
#include <limits.h>
#include <pyboehm.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A line of the log. */
struct line {
    double time;
    long pid;
    int generation;
    char why[20];
    long candidates, collected, uncollectable, bytes;
    double pause;
    long heap, free;
    char by[20];
    int starved;
};

enum { LINES_MAX = 1000 };

static struct line lines[LINES_MAX];
static int n;
static char path[] = "/tmp/pyboehm-log-XXXXXX";

/* All fields, in their order, and nothing else. */
static struct line
parse(const char *text)
{
    struct line line;
    int end = -1;

    ck_assert_int_eq(
        sscanf(text,
               "time=%lf pid=%ld generation=%d why=%19s candidates=%ld "
               "collected=%ld uncollectable=%ld bytes=%ld pause=%lf heap=%ld "
               "free=%ld by=%19s starved=%d%n",
               &line.time, &line.pid, &line.generation, line.why,
               &line.candidates, &line.collected, &line.uncollectable,
               &line.bytes, &line.pause, &line.heap, &line.free, line.by,
               &line.starved, &end),
        13);
    ck_assert_int_gt(end, 0);
    ck_assert_str_eq(text + end, "\n");
    return line;
}

static void
read_log(void)
{
    char text[1000];
    FILE *file = suite_require(fopen(path, "r"));
    for (n = 0; fgets(text, sizeof text, file) != NULL; n++) {
        ck_assert_int_lt(n, LINES_MAX);
        lines[n] = parse(text);
    }
    fclose(file);
}

/* The last line. */
static const struct line *
last(void)
{
    read_log();
    ck_assert_int_gt(n, 0);
    return &lines[n - 1];
}

static void
restart(const char *log)
{
    Py_Finalize();
    if (log != NULL)
        setenv("PYBOEHM_LOG", log, 1);
    else
        unsetenv("PYBOEHM_LOG");
    Py_Initialize();
    node_reset();
    PyGC_Disable();
}

static void
begin(void)
{
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    close(fd);
    restart(path);
    PyBoehm_GC_Collect(2);
}

/* It is not asked for any more; the file is gone. */
static void
end(void)
{
    unlink(path);
    restart(NULL);
    PyGC_Enable();
}

/* ------------------------------------------------------------------ */
/* What the fields say                                                 */

START_TEST(a_line_for_each_collection)
{
    PyBoehm_Stats stats;

    begin();
    int before = (read_log(), n);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++) {
        node_drop_ring(&node_type, i + 1);
        ck_assert_int_eq(PyBoehm_GC_Collect(i), i + 1);
        ck_assert_int_eq(last()->generation, i);
        ck_assert_int_eq(n, before + i + 1);
        ck_assert_str_eq(last()->why, "explicit");
        ck_assert_int_eq(last()->collected, i + 1);
        ck_assert_int_eq(last()->uncollectable, 0);
        ck_assert_int_ge(last()->candidates, i + 1);
        ck_assert_int_ge(last()->bytes, (i + 1) * (long)sizeof(struct node));
        ck_assert_int_eq(last()->pid, getpid());
        ck_assert_str_eq(last()->by, "collector");
        ck_assert_int_eq(last()->starved, 0);
        PyBoehm_GC_Collect(i);
        ck_assert_str_eq(last()->by, "none");
        before++;
    }
    PyBoehm_GetStats(&stats, sizeof stats);
    ck_assert_int_eq(last()->heap, (long)stats.boehm.heap_bytes);
    ck_assert_int_eq(last()->free, (long)stats.boehm.free_bytes);
    end();
}

START_TEST(the_lines_add_up_to_the_statistics)
{
    PyBoehm_Stats stats;
    double pause = 0;
    long collected = 0, candidates = 0, bytes = 0;

    unsetenv("PYBOEHM_STRESS");
    begin();
    PyGC_Enable();
    for (int i = 0; i < 2000; i++)
        node_drop_ring(&node_type, 2);
    PyGC_Disable();
    PyGC_Collect();
    PyBoehm_GC_Collect(2);
    PyBoehm_GetStats(&stats, sizeof stats);
    read_log();
    for (int i = 0; i < n; i++)
        if (lines[i].generation == 2) {
            pause += lines[i].pause;
            collected += lines[i].collected;
            candidates += lines[i].candidates;
            bytes += lines[i].bytes;
        }
    ck_assert_int_eq(candidates, stats.generations[2].candidates);
    ck_assert_int_eq(collected, stats.generations[2].collected);
    ck_assert_int_eq(bytes, stats.generations[2].bytes);
    ck_assert_double_eq_tol(pause, stats.generations[2].duration, 1e-6);
    end();
}

START_TEST(what_is_kept_is_uncollectable)
{
    begin();
    node_type.tp_del = (destructor)Py_DecRef; /* not to be called */
    node_drop_ring(&node_type, 2);
    PyBoehm_GC_Collect(2);
    ck_assert_int_eq(last()->collected, 0);
    ck_assert_int_eq(last()->uncollectable, 2);
    ck_assert_int_eq(last()->bytes, 0);
    node_type.tp_del = NULL;
    PyBoehm_GC_ClearGarbage();
    end();
}

START_TEST(time_goes_on)
{
    begin();
    for (int i = 0; i < 5; i++)
        PyBoehm_GC_Collect(0);
    time_t now = time(NULL); /* this clock may be late by some milliseconds */
    read_log();
    for (int i = 1; i < n; i++)
        ck_assert_double_ge(lines[i].time, lines[i - 1].time);
    ck_assert_double_le(lines[n - 1].time, (double)now + 2);
    ck_assert_double_gt(lines[n - 1].time, (double)now - 600);
    end();
}

/* ------------------------------------------------------------------ */
/* Why                                                                 */

/* How many lines say so. */
static int
count_why(const char *why)
{
    int found = 0;

    read_log();
    for (int i = 0; i < n; i++)
        found += strcmp(lines[i].why, why) == 0;
    return found;
}

START_TEST(why_allocation)
{
    unsetenv("PYBOEHM_STRESS");
    begin();
    ck_assert_int_eq(count_why("allocation"), 0);
    PyGC_Enable();
    for (int i = 0; i < 2000; i++)
        node_drop_ring(&node_type, 1);
    PyGC_Disable();
    ck_assert_int_ge(count_why("allocation"), 2);
    ck_assert_int_eq(count_why("stress"), 0);
    end();
}

START_TEST(why_stress)
{
    setenv("PYBOEHM_STRESS", "1", 1);
    begin();
    int before = count_why("stress");
    PyGC_Enable();
    node_drop_ring(&node_type, 5);
    PyGC_Disable();
    ck_assert_int_eq(count_why("stress"), before + 5);
    ck_assert_int_eq(last()->generation, 2);
    unsetenv("PYBOEHM_STRESS");
    end();
}

/* The set of an automatic collection waits for the host. */
START_TEST(why_late)
{
    unsetenv("PYBOEHM_STRESS");
    begin();
    GC_set_finalize_on_demand(1);
    PyGC_Enable();
    node_drop_ring(&node_type, 20);
    for (int i = 0; i < 2000 && count_why("allocation") == 0; i++)
        node_drop_ring(&node_type, 1);
    PyGC_Disable();
    ck_assert_int_eq(last()->collected, 0);
    long waiting = last()->candidates;
    unsigned long collections = GC_get_gc_no();
    GC_gcollect();
    int collects =
        GC_get_gc_no() != collections; /* else the host forbids it */
    while (GC_invoke_finalizers() > 0)
        ;
    ck_assert_int_eq(count_why("late"), collects);
    if (collects) {
        ck_assert_str_eq(last()->why, "late");
        ck_assert_str_eq(last()->by, "finalizer");
        ck_assert_int_eq(last()->candidates, 0);
        ck_assert_int_gt(last()->collected, 20);
        ck_assert_int_le(last()->collected, waiting);
        ck_assert_double_gt(last()->pause, 0);
    }
    end();
}

START_TEST(why_boehm)
{
    unsetenv("PYBOEHM_STRESS");
    begin();
    PyObject *op = PyBoehm_Adopt((PyObject *)node_new(&node_type));
    ck_assert_int_eq(count_why("boehm"), 0);
    for (int i = 0; i < 20; i++)
        GC_gcollect();
    PyGC_Enable();
    for (int i = 0; i < 2000; i++)
        node_drop_ring(&node_type, 1);
    PyGC_Disable();
    unsigned long collections = GC_get_gc_no();
    GC_gcollect();
    if (GC_get_gc_no() != collections) /* else the host forbids it */
        ck_assert_int_ge(count_why("boehm"), 1);
    ck_assert_ptr_nonnull(PyBoehm_Disown(op));
    Py_DECREF(op);
    end();
}

START_TEST(why_exit)
{
    begin();
    ck_assert_int_eq(count_why("exit"), 0);
    Py_Finalize();
    int before = n;
    ck_assert_int_ge(count_why("exit"), 1);
    for (int i = before; i < n; i++)
        ck_assert_str_eq(lines[i].why, "exit");
    Py_Initialize();
    end();
}

/* ------------------------------------------------------------------ */
/* The file                                                            */

START_TEST(it_is_appended_to)
{
    begin();
    PyBoehm_GC_Collect(1);
    int before = (read_log(), n);
    restart(path);
    PyBoehm_GC_Collect(1);
    ck_assert_int_gt(last()->generation, 0);
    ck_assert_int_gt(n, before);
    restart(NULL);
    PyBoehm_GC_Collect(1);
    before = (read_log(), n);
    PyBoehm_GC_Collect(1);
    ck_assert_int_eq((read_log(), n), before);
    end();
}

START_TEST(a_child_writes_its_own)
{
    int status;

    begin();
    int before = (read_log(), n);
    pid_t child = fork();
    if (child == 0) {
        PyOS_AfterFork_Child();
        PyBoehm_GC_Collect(0);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(last()->pid, child);
    PyBoehm_GC_Collect(1);
    ck_assert_int_eq(last()->pid, getpid());
    ck_assert_int_eq(n, before + 2);
    end();
}

/* What is said while the library starts with such a log and collects. */
static char *
said_with(const char *log)
{
    Py_Finalize();
    setenv("PYBOEHM_LOG", log, 1);
    suite_catch_stderr();
    Py_Initialize();
    PyBoehm_GC_Collect(0);
    PyBoehm_GC_Collect(1);
    char *said = suite_caught_stderr();
    unsetenv("PYBOEHM_LOG");
    return said;
}

START_TEST(a_file_that_cannot_be_opened_is_told_of)
{
    char *said = said_with("/nowhere/at/all");
    ck_assert_str_eq(said, "pyboehm: PYBOEHM_LOG: cannot open "
                           "/nowhere/at/all: No such file or directory\n");
    free(said);
    said = said_with("");
    ck_assert_str_eq(said, "");
    free(said);
}

/* Another user may have put it there. */
START_TEST(a_link_is_not_followed)
{
    char directory[] = "/tmp/pyboehm.XXXXXX", link[40], target[40],
         expected[200];

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(link, sizeof link, "%s/link", directory);
    snprintf(target, sizeof target, "%s/target", directory);
    ck_assert_int_eq(symlink(target, link), 0);
    char *said = said_with(link);
    snprintf(expected, sizeof expected,
             "pyboehm: PYBOEHM_LOG: cannot open %s: %s\n", link,
             strerror(ELOOP));
    ck_assert_str_eq(said, expected);
    free(said);
    ck_assert_int_eq(access(target, F_OK), -1);
    ck_assert_int_eq(unlink(link), 0);
    ck_assert_int_eq(rmdir(directory), 0);
}

START_TEST(programs_that_are_started_do_not_have_it)
{
    char name[] = "/tmp/pyboehm-log-XXXXXX";
    struct stat file, other;
    int found = 0;

    close(mkstemp(name));
    free(said_with(name));
    ck_assert_int_eq(stat(name, &file), 0);
    for (int fd = 0; fd < 256; fd++)
        if (fstat(fd, &other) == 0 && other.st_ino == file.st_ino &&
            other.st_dev == file.st_dev) {
            ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
            found++;
        }
    ck_assert_int_eq(found, 1);
    unlink(name);
}

START_TEST(standard_error_is_a_file_too)
{
    char *said = said_with("/dev/stderr");

    ck_assert_ptr_eq(strstr(said, "time="), said);
    free(said);
}

START_TEST(a_file_that_is_full_is_told_of_once)
{
    char *said = said_with("/dev/full");
    ck_assert_str_eq(
        said, "pyboehm: PYBOEHM_LOG: cannot write: No space left on device\n");
    free(said);
}

/* A program that closes what it does not know, and opens something else. */
START_TEST(nothing_is_written_to_another_file)
{
    char other[] = "/tmp/pyboehm-log-XXXXXX";
    int log = dup(STDERR_FILENO); /* the number that begin's open gets */

    close(log);
    begin();
    int before = (read_log(), n);
    close(log);
    int fd = mkstemp(other);
    ck_assert_int_eq(fd, log);
    suite_catch_stderr();
    PyBoehm_GC_Collect(0);
    PyBoehm_GC_Collect(0);
    char *said = suite_caught_stderr();
    ck_assert_str_eq(said, "pyboehm: PYBOEHM_LOG: the program has closed it: "
                           "Bad file descriptor\n");
    free(said);
    ck_assert_int_eq(lseek(fd, 0, SEEK_END), 0);
    unlink(other);
    Py_Finalize();
    ck_assert_int_eq(fcntl(fd, F_GETFD) >= 0, 1);
    Py_Initialize();
    ck_assert_int_ge((read_log(), n), before);
    end();
}

/* What a program without standard files writes to them. */
START_TEST(it_takes_no_standard_files_place)
{
    int error = dup(STDERR_FILENO);

    close(STDERR_FILENO);
    begin();
    int before = (read_log(), n);
    fputs("not for the log\n", stderr);
    fflush(stderr);
    PyBoehm_GC_Collect(0);
    ck_assert_int_eq((read_log(), n), before + 1);
    ck_assert_int_eq(fcntl(STDERR_FILENO, F_GETFD), -1);
    dup2(error, STDERR_FILENO);
    close(error);
    end();
}

START_TEST(errno_stays)
{
    Py_Finalize();
    setenv("PYBOEHM_LOG", "/dev/full", 1);
    suite_catch_stderr();
    Py_Initialize();
    errno = EDOM;
    PyBoehm_GC_Collect(0);
    int error = errno;
    free(suite_caught_stderr());
    ck_assert_int_eq(error, EDOM);
}
