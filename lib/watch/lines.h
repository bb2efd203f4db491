/* lines.h: the source line of an address, as far as debugging information is
   there and somebody can read it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LINES_H
#define PYB_WATCH_LINES_H

struct pyb_line {
    const char *function; /* NULL if it is not known */
    const char *file;     /* the same */
    int number;
};

/* pyb_lines_find: what is known of an address of code; the texts are valid
   until pyb_lines_end. */
struct pyb_line pyb_lines_find(const void *address);

/* pyb_lines_find_function: where the function is declared that begins there.
   The line of its first instruction may be that of another one, inlined. */
struct pyb_line pyb_lines_find_function(const void *function);

/* pyb_lines_end: gives back what was read. */
void pyb_lines_end(void);

#endif /* PYB_WATCH_LINES_H */
