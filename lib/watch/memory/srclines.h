/* srclines.h: the source line of an address, if there is debugging information
   and a library that reads it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LINES_H
#define PYB_WATCH_LINES_H

struct pyb_srcline {
    const char *function; /* NULL if it is not known */
    const char *file;     /* NULL if it is not known */
    int number;
};

/* pyb_srclines_find: the function and line at an address of code; where it is
   in a function of a header that was inlined, the line that calls that.  The
   texts are valid until pyb_srclines_end. */
struct pyb_srcline pyb_srclines_find(const void *address);

/* pyb_srclines_find_function: the declaration of the function that begins at
   an address.  (The line of its first instruction may belong to an inlined
   function.) */
struct pyb_srcline pyb_srclines_find_function(const void *function);

/* pyb_srclines_is_header: is it one, by its name? */
int pyb_srclines_is_header(const char *file);

/* pyb_srclines_end: frees the debugging information. */
void pyb_srclines_end(void);

#endif /* PYB_WATCH_LINES_H */
