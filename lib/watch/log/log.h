/* log.h: writes a line for each collection to the file that PYBOEHM_LOG
   names. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LOG_LOG_H
#define PYB_WATCH_LOG_LOG_H

#include "gc/stats.h"

/* pyb_watch_log_begin: opens the file if PYBOEHM_LOG is set; reports a failure
   on standard error.
   pyb_watch_log_end: closes the file. */
void pyb_watch_log_begin(void);
void pyb_watch_log_end(void);

/* pyb_watch_log: appends the line for a pause. */
void pyb_watch_log(const struct pyb_pause *pause);

#endif /* PYB_WATCH_LOG_LOG_H */
