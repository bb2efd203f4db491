/* output.c: the files that the environment names.  See output.h. */

#include "Python.h"

#include "watch/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* fd, or a copy of it that is no standard file's. */
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

/* A descriptor for writing. */
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
    return open_output(name, O_CREAT | O_APPEND);
}

/* ------------------------------------------------------------------ */
/* Beside its place                                                    */

/* Is it to be written in its place?  What is no regular file must not be
   replaced; a link is refused there. */
static int
is_written_in_place(const char *name)
{
    struct stat status;

    return lstat(name, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The name of a file beside another one; from malloc. */
static char *
name_beside(const char *name)
{
    size_t room = strlen(name) + 32;
    char *beside = malloc(room);

    if (beside != NULL)
        snprintf(beside, room, "%s.%ld.part", name, (long)getpid());
    return beside;
}

/* Gives up what output_begin has taken; errno stays. */
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
        /* Of an earlier process with this number, that died meanwhile. */
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
    int failed = ferror(output->file);

    failed |= fclose(output->file) != 0;
    if (whole && !failed && output->beside != NULL)
        failed = rename(output->beside, output->name) != 0;
    if (!whole || failed)
        forget(output);
    free(output->beside);
    return failed ? -1 : 0;
}
