/* environment.h: the variables of the environment.  Nothing else in the
   library reads them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_ENVIRONMENT_H
#define PYB_GC_BASE_ENVIRONMENT_H

/* pyb_environment: the value of a variable; borrowed.  NULL if it is not set,
   or empty, and in a process that has gained privileges by being executed, as
   a set-user-ID program does: the caller's environment must not have it load
   modules, write files or behave in other ways. */
const char *pyb_environment(const char *name);

/* pyb_environment_switch: what a variable says that is 0, 1 or error.  With
   another value, of which PYBOEHM_HELP's code complains, it is off. */
enum pyb_switch { PYB_OFF, PYB_ON, PYB_ERROR };
enum pyb_switch pyb_environment_switch(const char *name);

#endif /* PYB_GC_BASE_ENVIRONMENT_H */
