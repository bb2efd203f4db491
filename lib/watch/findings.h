/* findings.h: what an audit has found, in the words it is reported in.

   A finding is one line:

       custom.Custom+24 (first) refers to list in 812 of 812 instances;
       tp_traverse never visits it: cycles through it leak
       [custom_traverse in custom.so, custom.c:45]

   that is WHAT (DETAIL) in N of OF; SO [where SLOT is].  Two findings are the
   same if they say the same WHAT of the same slot.  Nothing here allocates
   objects. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_FINDINGS_H
#define PYB_WATCH_FINDINGS_H

#include <stddef.h>
#include <stdio.h>

struct pyb_finding {
    const char *what; /* "custom.Custom+24 (first) refers to list" */
    size_t n, of; /* instances that show it, and all there were; of 0: it was
                     seen n times, which is not said of once */
    const char *detail; /* of one of them: "visit 2 of 3"; may be NULL */
    const char *so;   /* what is wrong, and what follows from it; a literal */
    const void *slot; /* the function to be mended; NULL if there is none */
};

/* A list of findings; all zero is an empty one. */
struct pyb_findings {
    struct pyb_finding *all; /* their whats are the list's own */
    size_t n;
};

/* pyb_findings_add: enters a finding; it is copied, but for the text of so.
   If it is there, the one with more instances stays.  0, or -1 (without an
   exception) if there is no memory. */
int pyb_findings_add(struct pyb_findings *findings,
                     const struct pyb_finding *finding);

/* pyb_findings_count: the same; if it is there, it is seen n times more. */
int pyb_findings_count(struct pyb_findings *findings,
                       const struct pyb_finding *finding);

/* pyb_findings_print: all of them, a line each, most instances first, prefix
   before each line; file may be NULL.  Those that told does not have, or with
   half as many instances, are entered there; with news, only they are printed.
   Returns how many that were. */
size_t pyb_findings_print(struct pyb_findings *findings,
                          struct pyb_findings *told, int news,
                          const char *prefix, FILE *file);

/* pyb_findings_join: adds all of another list's.  As pyb_findings_add. */
int pyb_findings_join(struct pyb_findings *findings,
                      const struct pyb_findings *others);

/* pyb_findings_end: gives the memory back; the list is empty. */
void pyb_findings_end(struct pyb_findings *findings);

/* What was noticed while it happened; an audit reports it with the rest.  n is
   how many instances have shown it so far, and may grow. */
extern struct pyb_findings pyb_findings_noticed;

#endif /* PYB_WATCH_FINDINGS_H */
