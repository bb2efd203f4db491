/* log.c: writes a line for each collection to the file that PYBOEHM_LOG names.

   Each line is written by one call, to a file opened for appending.  So lines
   of several processes, such as a parent and its child, are not mixed, and no
   line is lost when the process dies.

   Manual: doc/statistics.md, which promises the fields. */

#include "Python.h"

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/boehm/boehm.h"
#include "watch/log/log.h"
#include "watch/log/output.h"

#include <sys/stat.h>
#include <unistd.h>

/* The log file; a negative descriptor means that none is open. */
static struct {
    int fd;
    dev_t device;
    ino_t inode;
} file = {.fd = -1};

/* Is the descriptor still the log's?  Some programs close all descriptors that
   they do not know, and the number may belong to another file. */
static int
is_ours(void)
{
    struct stat status;

    return fstat(file.fd, &status) == 0 && status.st_dev == file.device &&
           status.st_ino == file.inode;
}

void
pyb_watch_log_end(void)
{
    if (file.fd >= 0 && is_ours())
        close(file.fd);
    file.fd = -1;
}

/* Reports why no more lines are written, and closes the log. */
static void
give_up(const char *what, const char *name)
{
    fprintf(stderr, "pyboehm: PYBOEHM_LOG: %s%s: %s\n", what, name,
            strerror(errno));
    pyb_watch_log_end();
}

void
pyb_watch_log_begin(void)
{
    const char *name = pyb_environment("PYBOEHM_LOG");
    struct stat status;

    PYB_ASSERT(file.fd < 0); /* closed when the library ended */
    if (name == NULL)
        return;
    file.fd = pyb_output_append(name);
    if (file.fd < 0 || fstat(file.fd, &status) < 0) {
        give_up("cannot open ", name);
        return;
    }
    file.device = status.st_dev;
    file.inode = status.st_ino;
}

static const char *
name_why(enum pyb_why why)
{
    static const char *const names[] = {
        [PYB_WHY_ALLOCATION] = "allocation", [PYB_WHY_EXPLICIT] = "explicit",
        [PYB_WHY_BOEHM] = "boehm",           [PYB_WHY_STRESS] = "stress",
        [PYB_WHY_SNAPSHOT] = "snapshot",     [PYB_WHY_LATE] = "late",
    };

    PYB_ASSERT((size_t)why < Py_ARRAY_LENGTH(names) && names[why] != NULL);
    return Py_IsFinalizing() ? "exit" : names[why];
}

static const char *
name_by(enum pyb_by by)
{
    static const char *const names[] = {
        [PYB_BY_NONE] = "none",
        [PYB_BY_COLLECTOR] = "collector",
        [PYB_BY_FINALIZER] = "finalizer",
    };

    PYB_ASSERT((size_t)by < Py_ARRAY_LENGTH(names) && names[by] != NULL);
    return names[by];
}

static int
format_line(char *line, size_t size, const struct pyb_pause *pause)
{
    PyBoehm_BoehmStats boehm;
    struct timespec now;

    pyb_boehm_stats(&boehm);
    clock_gettime(CLOCK_REALTIME, &now);
    return snprintf(line, size,
                    "time=%lld.%06ld pid=%ld generation=%d why=%s "
                    "candidates=%zu collected=%zu uncollectable=%zu bytes=%zu "
                    "pause=%.9f heap=%zu free=%zu by=%s starved=%d\n",
                    (long long)now.tv_sec, now.tv_nsec / 1000, (long)getpid(),
                    (int)pause->generation, name_why(pause->why),
                    pause->candidates, pause->collected, pause->uncollectable,
                    pause->bytes, pause->duration, boehm.heap_bytes,
                    boehm.free_bytes, name_by(pause->by), pause->starved);
}

void
pyb_watch_log(const struct pyb_pause *pause)
{
    char line[400];
    int size, error = errno;

    if (file.fd < 0)
        return;
    if (!is_ours()) {
        errno = EBADF;
        give_up("the program has closed it", "");
    } else {
        PYB_ASSERT((unsigned)pause->generation < PYB_GENERATIONS);
        size = format_line(line, sizeof line, pause);
        PYB_ASSERT(size > 0 && (size_t)size < sizeof line); /* a whole one */
        if (write(file.fd, line, (size_t)size) != size)
            give_up("cannot write", "");
    }
    errno = error;
}
