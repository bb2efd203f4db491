/* audit_events.h: the part of the audit that has to watch while things happen.

   What is found goes into pyb_findings_noticed. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_EVENTS_H
#define PYB_WATCH_AUDIT_EVENTS_H

/* pyb_audit_events_begin: watches from now on if the environment has
   PYBOEHM_AUDIT, and it is not 0. */
void pyb_audit_events_begin(void);

/* pyb_audit_events_look: notices what can only be told from all there is, if
   it is watched at all; not in the middle of a collection. */
void pyb_audit_events_look(void);

/* pyb_audit_events_end: watches no longer. */
void pyb_audit_events_end(void);

#endif /* PYB_WATCH_AUDIT_EVENTS_H */
