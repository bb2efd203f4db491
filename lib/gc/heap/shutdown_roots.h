/* shutdown_roots.h: what lives on after Py_Finalize.

   The program may still own objects then, and static types have dicts.  Boehm
   does not ask for our roots any more.  Until the next Py_Initialize an array,
   which it knows for a root, names all blocks that are ours.  The array is the
   C allocator's: allocating from Boehm would run the host's finalizers. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_HEAP_SHUTDOWN_ROOTS_H
#define PYB_GC_HEAP_SHUTDOWN_ROOTS_H

/* pyb_shutdown_roots_begin: the roots hook may go.  0, or -1 if there is no
   memory: it has to stay. */
int pyb_shutdown_roots_begin(void);

/* pyb_shutdown_roots_end: the hook is back. */
void pyb_shutdown_roots_end(void);

#endif /* PYB_GC_HEAP_SHUTDOWN_ROOTS_H */
