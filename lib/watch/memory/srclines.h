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

/* pyb_srclines_find: the calls at an address of code, at most room of them,
   and returns how many: first what the compiler has inlined there, the
   innermost first, last the function itself.  Inlined functions of headers are
   left out; in their place stands the line that calls them.  The texts are
   valid until pyb_srclines_end. */
int pyb_srclines_find(const void *address, struct pyb_srcline *lines,
                      int room);

/* pyb_srclines_find_function: the declaration of the function that begins at
   an address.  (The line of its first instruction may belong to an inlined
   function.) */
struct pyb_srcline pyb_srclines_find_function(const void *function);

/* pyb_srclines_is_header: is it one, by its name? */
int pyb_srclines_is_header(const char *file);

/* pyb_srclines_end: frees the debugging information. */
void pyb_srclines_end(void);

#endif /* PYB_WATCH_LINES_H */
