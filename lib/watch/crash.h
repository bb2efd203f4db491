/* crash.h: the crash of a program that is looked at, but not with checks. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_CRASH_H
#define PYB_WATCH_CRASH_H

/* pyb_crash_begin: where the environment asks for a report, and not for checks,
   a crash says which command may tell why; unless the program has a handler of
   its own.  pyb_crash_end: takes that back. */
void pyb_crash_begin(void);
void pyb_crash_end(void);

#endif /* PYB_WATCH_CRASH_H */
