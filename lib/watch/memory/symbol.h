/* symbol.h: the symbol at an address of code or data. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_SYMBOL_H
#define PYB_WATCH_MEMORY_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

struct pyb_symbol {
    const char *file;  /* the program or library, without directories */
    uintptr_t in_file; /* the address in the file, as addr2line takes it */
    char name[120];    /* the function or variable, which may be static; empty
                          if it is not known */
    size_t offset;     /* from the symbol's beginning */
};

/* pyb_symbol_is_loaded: is the address in the program or a library?  0 on
   systems that cannot tell. */
int pyb_symbol_is_loaded(uintptr_t address);

/* pyb_symbol_same_file: are both in the same one? */
int pyb_symbol_same_file(uintptr_t one, uintptr_t other);

/* pyb_symbol_find: returns 0, or -1 if the address is in no program or
   library. */
int pyb_symbol_find(uintptr_t address, struct pyb_symbol *symbol);

#endif /* PYB_WATCH_MEMORY_SYMBOL_H */
