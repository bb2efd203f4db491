/* memory.h: what stands in the memory that this process can write to.

   An audit asks who else has an address: static data, stacks, the host's
   memory, whatever it is.  All that is mapped for writing counts, but the part
   of this thread's stack that is not in use, and mappings of devices.  It is
   read through the kernel, so that nothing crashes, whatever other threads
   unmap meanwhile. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_H
#define PYB_WATCH_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* What is called with n words that stand at an address, one after another. */
typedef void (*pyb_memory_look)(uintptr_t address, const uintptr_t *words,
                                size_t n, void *arg);

/* pyb_memory_each: looks at everything.  This thread's stack is in use from
   ground up.  0, or -1 if it cannot be read. */
int pyb_memory_each(uintptr_t ground, pyb_memory_look look, void *arg);

/* pyb_memory_part: looks at what stands between two addresses, as far as there
   is anything. */
void pyb_memory_part(uintptr_t begin, uintptr_t end, pyb_memory_look look,
                     void *arg);

/* pyb_memory_read: reads at most n words, of which fewer may be there; returns
   how many. */
size_t pyb_memory_read(uintptr_t address, uintptr_t *words, size_t n);

/* pyb_memory_is_boehms: does the word at an address begin what Boehm notes of
   a page, or of a section of its heap?  It may be an object's address, and
   owns nothing. */
int pyb_memory_is_boehms(uintptr_t address, uintptr_t word);

/* pyb_memory_heap: where malloc's first heap begins; 0 if there is none. */
uintptr_t pyb_memory_heap(void);

#endif /* PYB_WATCH_MEMORY_H */
