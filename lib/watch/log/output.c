/* output.c: output files that the environment names.  See output.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "watch/log/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns fd, or a copy of it that is not one of the standard descriptors. */
static int
leave_standard_files(int fd)
{
    int copy;

    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    copy = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return copy;
}

/* Opens a file for writing. */
static int
open_output(const char *name, int flags)
{
    const int always = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;

    if (strcmp(name, "/dev/stdout") == 0)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (strcmp(name, "/dev/stderr") == 0)
        return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return leave_standard_files(open(name, always | flags, 0666));
}

int
pyb_output_append(const char *name)
{
    int fd = open_output(name, O_CREAT | O_APPEND);

    PYB_ASSERT(fd < 0 || fd > STDERR_FILENO);
    return fd;
}

/* ------------------------------------------------------------------ */
/* Files that replace others                                           */

/* Must the file be written in place?  Only regular files may be replaced; a
   symbolic link is refused when it is opened. */
static int
is_written_in_place(const char *name)
{
    struct stat status;

    return lstat(name, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The name of the temporary file, in malloc memory. */
static char *
name_beside(const char *name)
{
    size_t room = strlen(name) + 32;
    char *beside = malloc(room);

    if (beside != NULL)
        snprintf(beside, room, "%s.%ld.part", name, (long)getpid());
    PYB_ASSERT(beside == NULL || strlen(beside) + 1 < room); /* it is whole */
    return beside;
}

/* Removes the temporary file; errno stays. */
static void
forget(struct pyb_output *output)
{
    int error = errno;

    if (output->beside != NULL)
        unlink(output->beside);
    free(output->beside);
    output->beside = NULL;
    errno = error;
}

int
pyb_output_begin(struct pyb_output *output, const char *name)
{
    int fd;

    *output = (struct pyb_output){.name = name};
    if (is_written_in_place(name)) {
        fd = open_output(name, 0);
    } else {
        output->beside = name_beside(name);
        if (output->beside == NULL)
            return -1;
        /* Left by an earlier process with this number, which died. */
        unlink(output->beside);
        fd = open_output(output->beside, O_CREAT | O_EXCL);
    }
    output->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (output->file != NULL)
        return 0;
    if (fd >= 0)
        close(fd);
    forget(output);
    return -1;
}

int
pyb_output_end(struct pyb_output *output, int whole)
{
    PYB_ASSERT(output->file != NULL && output->name != NULL);
    int failed = ferror(output->file);

    failed |= fclose(output->file) != 0;
    if (whole && !failed && output->beside != NULL)
        failed = rename(output->beside, output->name) != 0;
    if (!whole || failed)
        forget(output);
    free(output->beside);
    return failed ? -1 : 0;
}

/* The file's type, ".html": where a name ends that a number is to be put
   into. */
static const char *
suffix_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *start = slash != NULL ? slash + 1 : name;
    const char *dot = strrchr(start, '.');

    return dot != NULL && dot != start ? dot : name + strlen(name);
}

int
pyb_output_ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), length = strlen(suffix);

    return n > length && strcmp(name + n - length, suffix) == 0;
}

char *
pyb_output_numbered(const char *name, unsigned number, pid_t process)
{
    const char *suffix = suffix_of(name);
    int length = (int)(suffix - name);
    size_t room = strlen(name) + 48;
    char *numbered = malloc(room);

    PYB_ASSERT(length >= 0 && (size_t)length <= strlen(name));
    if (numbered == NULL)
        return NULL;
    if (is_written_in_place(name))
        snprintf(numbered, room, "%s", name);
    else if (getpid() == process)
        snprintf(numbered, room, "%.*s.%u%s", length, name, number, suffix);
    else
        snprintf(numbered, room, "%.*s.%ld.%u%s", length, name, (long)getpid(),
                 number, suffix);
    PYB_ASSERT(strlen(numbered) + 1 < room); /* it is whole */
    return numbered;
}
