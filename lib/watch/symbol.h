/* symbol.h: what the program calls an address of its code or data. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_SYMBOL_H
#define PYB_WATCH_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

struct pyb_symbol {
    const char *file;  /* the program's or library's, without directories */
    uintptr_t in_file; /* the address as addr2line takes it */
    char name[80];     /* of the function or variable, static ones too; empty
                          if the file does not say */
    size_t offset;     /* from its beginning */
};

/* pyb_symbol_find: 0, or -1 if the address is in no program or library. */
int pyb_symbol_find(uintptr_t address, struct pyb_symbol *symbol);

#endif /* PYB_WATCH_SYMBOL_H */
