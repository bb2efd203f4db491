/* pages.h: whole pages of memory, from the system and back. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_HEAP_PAGES_H
#define PYB_GC_HEAP_PAGES_H

#include <stddef.h>

/* pyb_pages_map: fresh memory, all zeros, that costs nothing until it is
   touched; NULL if there is none.  pyb_pages_map_shared: the same, that child
   processes share.  pyb_pages_unmap: gives it up. */
void *pyb_pages_map(size_t size);
void *pyb_pages_map_shared(size_t size);
void pyb_pages_unmap(void *memory, size_t size);

/* pyb_pages_map_at: the same at the address, or NULL. */
void *pyb_pages_map_at(void *address, size_t size);

/* pyb_pages_clear: makes memory that was mapped all zeros again.  Where the
   system does that, with fresh pages, what it took is given back. */
void pyb_pages_clear(void *memory, size_t size);

#endif /* PYB_GC_HEAP_PAGES_H */
