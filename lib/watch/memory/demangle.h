/* demangle.h: names of C++ as people write them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_DEMANGLE_H
#define PYB_WATCH_MEMORY_DEMANGLE_H

#include <stddef.h>

/* pyb_demangle: writes a function's or a variable's name of n bytes to text,
   as it is in the source if it is one of C++ and the program has the library
   of that; cut off where there is no more room. */
void pyb_demangle(const char *name, size_t n, char *text, size_t room);

#endif /* PYB_WATCH_MEMORY_DEMANGLE_H */
