/* quarantine.h: with checks: freed objects wait before their memory is used
   again.

   A block that was freed is filled with junk, its object has pyb_dead_type and
   one reference; when it leaves, after 16384 others or as many as
   PYBOEHM_QUARANTINE says, or 1 KiB for each of them, where the heap is full,
   and when Py_Finalize ends, it must be so still.  Large blocks are freed at
   once.  With PYBOEHM_MALLOC=plain there is none. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_QUARANTINE_H
#define PYB_GC_CHECK_QUARANTINE_H

#include <stddef.h>

#include "object.h"

/* pyb_quarantine_init: empty, of the size that the environment says. */
void pyb_quarantine_init(void);

/* pyb_quarantine_is_on: do freed objects wait? */
int pyb_quarantine_is_on(void);

/* pyb_quarantine_enter: an object of so many bytes was freed; give_back frees
   its block.  0 if it must not wait, and is as it was. */
int pyb_quarantine_enter(PyObject *op, size_t size,
                         void (*give_back)(void *block));

/* pyb_quarantine_check: fatal if one of the last ones has changed since.
   pyb_quarantine_empty: the same of all, which are given back; 0: there was
   none. */
void pyb_quarantine_check(void);
int pyb_quarantine_empty(void);

/* pyb_quarantine_has_all: do all objects wait that were freed so far?  Else
   what a stale reference leads to may be another one's memory by now.
   pyb_quarantine_wanted: the size with which those below 1 MiB would, and as
   many more; 0 if none has left. */
int pyb_quarantine_has_all(void);
size_t pyb_quarantine_wanted(void);

/* pyb_quarantine_type: the name of the type that a waiting object had; NULL
   if it is none. */
const char *pyb_quarantine_type(const void *address);

/* pyb_quarantine_find: the waiting object to whose block an address belongs,
   or NULL.  pyb_quarantine_is_junk: could a word be what is in one, or the
   address of a field if it is taken for a pointer? */
PyObject *pyb_quarantine_find(uintptr_t address);
int pyb_quarantine_is_junk(uintptr_t word);

#endif /* PYB_GC_CHECK_QUARANTINE_H */
