/* help.h: what the environment can ask for, and what it asks for in vain. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_HELP_H
#define PYB_WATCH_HELP_H

/* pyb_help_begin: with PYBOEHM_HELP=1 writes a table on standard error, of
   what may be wrong and which command says more, and all variables.  Names a
   variable that begins as they do and is none. */
void pyb_help_begin(void);

#endif /* PYB_WATCH_HELP_H */
