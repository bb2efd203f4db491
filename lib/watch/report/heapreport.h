/* heapreport.h: the heap as a page: PyBoehm_WriteReport, PYBOEHM_REPORT.

     flow.c        a graph in arrays
     numbers.c     numbers for addresses
     snapshot.c    the whole heap in such arrays
     dominators.c  what keeps what
     retained.c    the bytes that each object keeps
     listed.c      the objects that are listed one by one
     heapreport.c  when a report is written, and to which file
     reportdata.c  its data, in JSON
     page.html     the page that shows them; reportpage.awk makes C of it
     folded.c      bytes by the calls that allocated them
     growth.c      what grew since the last time */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REPORT_HEAPREPORT_H
#define PYB_WATCH_REPORT_HEAPREPORT_H

#include <stdio.h>

#include "watch/leaks/origins.h"
#include "watch/report/listed.h"

struct pyb_report {
    struct pyb_snapshot snapshot;
    struct pyb_retained retained;
    struct pyb_listed listed;
    struct pyb_origins origins;
};

/* pyb_report_write_data: writes the data as JSON that may stand in an element
   <script> of HTML. */
void pyb_report_write_data(struct pyb_report *report, FILE *file);

/* pyb_report_write_folded: writes the bytes of living objects by the calls
   that allocated them.  Returns 0, or -1 with MemoryError, or RuntimeError if
   nothing was recorded. */
int pyb_report_write_folded(FILE *file);

/* pyb_report_count_origins: counts the objects by the calls that allocated
   them; those of pyboehm's own that were made before are left out. */
void pyb_report_count_origins(const struct pyb_snapshot *snapshot,
                              struct pyb_origins *origins);

/* The page, before its data and behind. */
extern const char pyb_report_head[], pyb_report_tail[];
extern const size_t pyb_report_head_size, pyb_report_tail_size;

/* pyb_report_begin: reads PYBOEHM_REPORT, at the end of Py_Initialize.
   pyb_report_finalizing: Py_Finalize begins; writes the report if it is
   wanted.
   pyb_report_write_to: writes it to a file of that name; 0, or -1 after a line
   on standard error. */
void pyb_report_begin(void);
void pyb_report_finalizing(void);
int pyb_report_write_to(const char *name);

/* pyb_growth_end: forgets the last call of PyBoehm_Growth. */
void pyb_growth_end(void);

#endif /* PYB_WATCH_REPORT_HEAPREPORT_H */
