/* elf.h: reads the files of programs and libraries, if they are ELF files. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_ELF_H
#define PYB_WATCH_MEMORY_ELF_H

#include <stdint.h>

#include "watch/memory/symbol.h"

/* pyb_elf_search: symbol->in_file is an address in the object loaded at
   loaded; it becomes the address in the file with this name, and the symbol's
   name is looked up there. */
void pyb_elf_search(const char *name, const void *loaded,
                    struct pyb_symbol *symbol);

/* pyb_elf_library: the addresses of the library that has this code; 0 and 0 if
   it is part of the program, or if they cannot be found. */
void pyb_elf_library(uintptr_t code, uintptr_t *low, uintptr_t *high);

#endif /* PYB_WATCH_MEMORY_ELF_H */
