/* findings.h: the findings of an audit, in words.

   A finding is one line:

       custom.Custom+24 (first) refers to list in 812 of 812 instances;
       tp_traverse never visits it: cycles through it leak
       [custom_traverse in custom.so, custom.c:45]

   that is, WHAT (DETAIL) in N of OF; SO [where SLOT is].  Two findings are the
   same if they have the same WHAT and the same slot.  No function here
   allocates objects. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_FINDINGS_H
#define PYB_WATCH_AUDIT_FINDINGS_H

#include <stddef.h>
#include <stdio.h>

struct pyb_finding {
    const char *what; /* "custom.Custom+24 (first) refers to list" */
    size_t n, of; /* Instances affected and examined.  of == 0: n occurrences;
                     a single one is not printed */
    const char *detail; /* of one instance */
    const char *so;     /* the fault and its consequence; a literal */
    const void *slot;   /* the function to be mended; NULL if there is none */
};

/* The so of a count that is too small. */
#define PYB_FINDING_SMALL_COUNT                                               \
    "one Py_DECREF too many, or a Py_INCREF was forgotten: PYBOEHM_CHECK=1 "  \
    "may tell where"

/* A list of findings; a list of zero bytes is empty. */
struct pyb_findings {
    struct pyb_finding *all; /* the list owns each what and detail */
    size_t n;
};

/* pyb_findings_add: enters a copy of a finding (only the text of so is not
   copied).  If the list has the finding already, the higher number of
   instances stays.  Returns 0, or -1 (without an exception) if there is no
   memory. */
int pyb_findings_add(struct pyb_findings *findings,
                     const struct pyb_finding *finding);

/* pyb_findings_count: as pyb_findings_add; but if the list has the finding
   already, n is added to its number. */
int pyb_findings_count(struct pyb_findings *findings,
                       const struct pyb_finding *finding);

/* pyb_findings_print: prints the findings, a line each, most instances first,
   with prefix before each line; file may be NULL.  Findings that are not in
   told, or only with half the number of instances, are entered there; if news
   is set, only those are printed.  Returns the number of findings printed. */
size_t pyb_findings_print(struct pyb_findings *findings,
                          struct pyb_findings *told, int news,
                          const char *prefix, FILE *file);

/* pyb_findings_join: adds all findings of another list, as pyb_findings_add
   does. */
int pyb_findings_join(struct pyb_findings *findings,
                      const struct pyb_findings *others);

/* pyb_findings_check: fatal if a list has a finding twice, or one of no
   instances, see gc/base/fatal.h. */
void pyb_findings_check(const struct pyb_findings *findings);

/* pyb_findings_end: frees the list's memory, and makes the list empty. */
void pyb_findings_end(struct pyb_findings *findings);

/* The findings that were noticed while the program ran; an audit reports them
   with its own.  n is the number of instances so far, and may grow. */
extern struct pyb_findings pyb_findings_noticed;

#endif /* PYB_WATCH_AUDIT_FINDINGS_H */
