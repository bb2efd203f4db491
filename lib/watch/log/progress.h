/* progress.h: how far long work is, on a terminal. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LOG_PROGRESS_H
#define PYB_WATCH_LOG_PROGRESS_H

#include <stddef.h>

/* pyb_progress_begin: work begins that may take long.  If standard error is a
   terminal, a line there says from the first second on how much is done, and
   how long the rest will take.  The name is static.
   pyb_progress_part: from here to the next call it goes from one percentage to
   another.
   pyb_progress_end: the line goes. */
void pyb_progress_begin(const char *name);
void pyb_progress_part(int from, int to);
void pyb_progress_end(void);

/* pyb_progress_slowly: i of n steps of the part are done; pyb_progress: the
   same, to be called at each step. */
void pyb_progress_slowly(size_t i, size_t n);

static inline void
pyb_progress(size_t i, size_t n)
{
    if ((i & 0xffff) == 0)
        pyb_progress_slowly(i, n);
}

#endif /* PYB_WATCH_LOG_PROGRESS_H */
