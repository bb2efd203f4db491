/* audit.h: when audits are made that the environment asks for. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_H
#define PYB_WATCH_AUDIT_H

/* As the members of pyb_watching: see gc/watching.h. */
void pyb_audit_begun(void);
void pyb_audit_report(void);

/* pyb_audit_report_noticed: only what was noticed while it happened. */
void pyb_audit_report_noticed(void);

#endif /* PYB_WATCH_AUDIT_H */
