/* statstable.h: the collector's figures as a table. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LOG_STATSTABLE_H
#define PYB_WATCH_LOG_STATSTABLE_H

/* pyb_watch_stats_begin: reads PYBOEHM_STATS.
   pyb_watch_stats_end: writes the table if it is wanted, near the end of
   Py_Finalize. */
void pyb_watch_stats_begin(void);
void pyb_watch_stats_end(void);

#endif /* PYB_WATCH_LOG_STATSTABLE_H */
