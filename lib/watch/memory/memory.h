/* memory.h: reads the memory that this process can write to.

   An audit looks for an address in all memory: static data, stacks, the host's
   memory.  All memory that is mapped for writing is read, except for the
   unused part of this thread's stack and mappings of devices.  It is read
   through the kernel, so that memory which other threads unmap meanwhile does
   no harm. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_MEMORY_H
#define PYB_WATCH_MEMORY_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Called with n consecutive words that were read from an address. */
typedef void (*pyb_memory_look)(uintptr_t address, const uintptr_t *words,
                                size_t n, void *arg);

/* pyb_memory_each: reads all memory.  The part of this thread's stack above
   ground is in use.  Returns 0, or -1 if memory cannot be read. */
int pyb_memory_each(uintptr_t ground, pyb_memory_look look, void *arg);

/* pyb_memory_part: reads the memory between two addresses, as far as it is
   mapped. */
void pyb_memory_part(uintptr_t begin, uintptr_t end, pyb_memory_look look,
                     void *arg);

/* pyb_memory_read: reads at most n words; returns the number of words that
   could be read. */
size_t pyb_memory_read(uintptr_t address, uintptr_t *words, size_t n);

/* pyb_memory_is_boehms: does the word at an address begin Boehm's description
   of a page, or of a section of its heap, or is it the side table's?  Such a
   word may equal an object's address, but owns nothing. */
int pyb_memory_is_boehms(uintptr_t address, uintptr_t word);

/* pyb_memory_heap: the beginning of malloc's first heap; 0 if there is
   none. */
uintptr_t pyb_memory_heap(void);

#endif /* PYB_WATCH_MEMORY_MEMORY_H */
