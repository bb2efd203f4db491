/* sysinfo.h: what the module sys says of numbers and threads. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_SYSINFO_H
#define PYB_TYPES_SYSINFO_H

/* pyb_sysinfo_init: readies the types of sys.float_info, sys.int_info,
   sys.thread_info, sys.hash_info and sys.flags, and adds these to the module.
   0, or -1 with an exception. */
int pyb_sysinfo_init(void);

#endif /* PYB_TYPES_SYSINFO_H */
