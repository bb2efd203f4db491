/* leaving.h: reports when the process ends and Py_Finalize was not called. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LOG_LEAVING_H
#define PYB_WATCH_LOG_LEAVING_H

#include <unistd.h>

/* pyb_leaving: in an exit handler: calls report, with this thread attached, if
   that can be done: the library is in use, no other thread is attached, and no
   collection is under way.  what names the report in the message that it
   cannot.  due is the process that is to report, 0 if none is. */
void pyb_leaving(const char *what, pid_t due, void (*report)(void));

#endif /* PYB_WATCH_LOG_LEAVING_H */
