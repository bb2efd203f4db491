/* output.h: the files that the environment names. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_OUTPUT_H
#define PYB_WATCH_OUTPUT_H

#include <stdio.h>

/* pyb_output_append: opens a file for appending, and makes it if need be.  A
   symbolic link is refused, for it may have been put there by another user;
   /dev/stdout and /dev/stderr, which are links, stand for the descriptors 1
   and 2.  The descriptor is closed by exec, and no standard file's: what is
   written to such a one would come in between.  -1 with errno. */
int pyb_output_append(const char *name);

/* A file that is written beside its place and renamed when it is whole: a
   reader never finds half of it, and what was there stays if it fails. */
struct pyb_output {
    FILE *file;
    const char *name;
    char *beside; /* NULL: the file is written in its place, since that is a
                     terminal, a pipe or the like */
};

/* pyb_output_begin: 0, or -1 with errno.  The name is borrowed until
   pyb_output_end. */
int pyb_output_begin(struct pyb_output *output, const char *name);

/* pyb_output_end: has the file appear in its place, or, if whole is 0, removes
   it.  0, or -1 with errno if it could not be written. */
int pyb_output_end(struct pyb_output *output, int whole);

#endif /* PYB_WATCH_OUTPUT_H */
