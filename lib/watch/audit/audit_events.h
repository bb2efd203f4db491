/* audit_events.h: the part of the audit that watches events as they happen.
   Its findings go into pyb_findings_noticed. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_AUDIT_EVENTS_H
#define PYB_WATCH_AUDIT_AUDIT_EVENTS_H

/* pyb_audit_events_begin: starts to watch if the environment has PYBOEHM_AUDIT
   and its value is not 0. */
void pyb_audit_events_begin(void);

/* pyb_audit_events_look: adds the findings that need a look at all objects, if
   events are watched at all.  Does nothing in the middle of a collection. */
void pyb_audit_events_look(void);

/* pyb_audit_events_end: stops watching. */
void pyb_audit_events_end(void);

#endif /* PYB_WATCH_AUDIT_AUDIT_EVENTS_H */
