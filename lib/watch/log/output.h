/* output.h: output files that the environment names. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LOG_OUTPUT_H
#define PYB_WATCH_LOG_OUTPUT_H

#include <stdio.h>
#include <sys/types.h>

/* pyb_output_append: opens a file for appending, and creates it if there is
   none.  A symbolic link is refused, since another user may have put it there;
   /dev/stdout and /dev/stderr, which are links, stand for the descriptors 1
   and 2.  The descriptor is closed by exec.  It is never a standard
   descriptor, since other output would be mixed in.  Returns -1 with errno if
   it fails. */
int pyb_output_append(const char *name);

/* A file that is written under a temporary name and renamed when it is
   complete: readers never find half a file, and the old one stays if writing
   fails. */
struct pyb_output {
    FILE *file;
    const char *name;
    char *beside; /* the temporary name; NULL if the file is written in place,
                     because it is a terminal, a pipe or the like */
};

/* pyb_output_begin: opens the file.  Returns 0, or -1 with errno.  The name is
   borrowed until pyb_output_end. */
int pyb_output_begin(struct pyb_output *output, const char *name);

/* pyb_output_end: renames the temporary file, or, if whole is 0, removes it.
   Returns 0, or -1 with errno if the file could not be written. */
int pyb_output_end(struct pyb_output *output, int whole);

/* pyb_output_ends_in: is that the end of the name, and not all of it? */
int pyb_output_ends_in(const char *name, const char *suffix);

/* pyb_output_numbered: a name for one of several files: heap.1.html for
   heap.html, of another process than the one whose number is given
   heap.PROCESS.1.html; the name itself, if it is that of a terminal, a pipe or
   the like.  In malloc memory; NULL without. */
char *pyb_output_numbered(const char *name, unsigned number, pid_t process);

#endif /* PYB_WATCH_LOG_OUTPUT_H */
