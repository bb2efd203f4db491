/* audit.h: the audits that the environment asks for. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_AUDIT_H
#define PYB_WATCH_AUDIT_AUDIT_H

/* The functions behind pyb_watch_begin, and of pyb_events; see
   gc/base/events.h. */
void pyb_audit_begin(void);
void pyb_audit_report(void);

/* pyb_audit_report_noticed: prints only the findings that were noticed while
   the program ran. */
void pyb_audit_report_noticed(void);

/* pyb_audit_sum_up: at the end: that there was an audit, and what it found. */
void pyb_audit_sum_up(void);

/* pyb_audit_now: an audit in between, with that line; PYBOEHM_AUDIT asks for
   audits. */
void pyb_audit_now(void);

#endif /* PYB_WATCH_AUDIT_AUDIT_H */
