/* fault.h: with checks: crashes.  Each has a line that says where it was.

   What a freed object holds is junk (quarantine.h), and no address.  A program
   that has read it, and uses it as one, gets SIGSEGV without a word, for it
   has called nothing that could look.  So a handler looks whether the words of
   the interrupted code are such ones; of other crashes it tells the address,
   and the slot that was being called.  A host that has a handler of its own
   when the library is initialized keeps it, and this one is not installed. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_FAULT_H
#define PYB_GC_CHECK_FAULT_H

/* pyb_fault_init: installs the handler.  pyb_fault_fini: takes it back, unless
   another one is there. */
void pyb_fault_init(void);
void pyb_fault_fini(void);

#endif /* PYB_GC_CHECK_FAULT_H */
