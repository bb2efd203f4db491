/* audit.c: whether types do what they should.  See watch.h.

   The parts of the audit are in files of their own; here it is put together
   and made when it is due. */

#include "Python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gc/attach.h"
#include "gc/control.h"
#include "gc/environment.h"
#include "gc/inspect.h"
#include "gc/upcalls.h"
#include "watch/audit.h"
#include "watch/effects.h"
#include "watch/evidence.h"
#include "watch/findings.h"
#include "watch/flawed.h"
#include "watch/misvisited.h"
#include "watch/overvisited.h"
#include "watch/unvisited.h"

enum { EXIT_AUDIT = 3 };

#define PREFIX "pyboehm audit: "

static struct {
    struct pyb_findings told; /* in this process */
    enum { OFF, REPORT, ERROR } wish;
    int at_exit;     /* at_exit is going to be called */
    PyObject *error; /* pending, while an audit is made: here it is seen */
} audit;

/* An audit that cannot see must not look like one that found nothing. */
static int
tell_blind(struct pyb_findings *findings)
{
    const struct pyb_finding finding = {
        .what = "the memory of this process cannot be read",
        .n = 1,
        .so = "what tp_traverse does not visit is not found"};

    return pyb_findings_add(findings, &finding);
}

/* What there is now, and what was noticed before. */
static int
find_all(struct pyb_findings *findings, uintptr_t ground)
{
    struct pyb_evidence evidence;
    int result;

    if (pyb_effects_find(findings) < 0 || /* of each type's first call */
        pyb_evidence_take(&evidence, ground) < 0)
        return -1;
    pyb_inspect_recheck();
    result = evidence.blind ? tell_blind(findings) : 0;
    if (result == 0)
        result = pyb_misvisited_find(&evidence, findings);
    if (result == 0)
        result = pyb_unvisited_find(&evidence, findings);
    if (result == 0)
        result = pyb_overvisited_find(&evidence, findings);
    if (result == 0)
        result = pyb_flawed_find(findings);
    pyb_evidence_end(&evidence);
    if (result == 0)
        result = pyb_findings_join(findings, &pyb_findings_noticed);
    return result;
}

/* How many were told. */
static int
tell(struct pyb_findings *findings, int flags, const char *prefix, FILE *file)
{
    return (int)pyb_findings_print(findings, &audit.told,
                                   (flags & PyBoehm_AUDIT_NEWS) != 0, prefix,
                                   file);
}

/* The caller's registers are on the stack, and in use is what lies above this
   function's frame.  What tp_traverse raises is not kept. */
__attribute__((noinline)) static int
audit_now(int flags, const char *prefix, FILE *file)
{
    struct pyb_findings findings = {NULL, 0};
    int n;

    audit.error = pyb_upcalls.take_error();
    n = find_all(&findings, (uintptr_t)__builtin_frame_address(0));
    if (n == 0)
        n = tell(&findings, flags, prefix, file);
    pyb_findings_end(&findings);
    PyErr_Clear();
    pyb_upcalls.put_error(audit.error);
    audit.error = NULL;
    return n;
}

int
PyBoehm_Audit(FILE *file, int flags)
{
    int n;

    pyb_control_require(__func__);
    if (pyb_control.collecting > 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "PyBoehm_Audit in the middle of a collection");
        return -1;
    }
    __builtin_unwind_init();
    n = audit_now(flags, "", file);
    if (n < 0)
        pyb_upcalls.no_memory();
    return n;
}

/* ------------------------------------------------------------------ */
/* What the environment asks for                                       */

void
pyb_audit_report(void)
{
    if (audit.wish == OFF || pyb_control.collecting > 0)
        return;
    __builtin_unwind_init();
    if (audit_now(PyBoehm_AUDIT_NEWS, PREFIX, stderr) < 0)
        fputs(PREFIX "there is no memory for it\n", stderr);
}

void
pyb_audit_report_noticed(void)
{
    if (audit.wish != OFF)
        tell(&pyb_findings_noticed, PyBoehm_AUDIT_NEWS, PREFIX, stderr);
}

/* The last one, if Py_Finalize has not made it; the status cannot be changed
   but by an end that leaves out what else there is to be done at exit. */
static void
at_exit(void)
{
    if (pyb_control.initialized && pyb_attach_holds())
        pyb_audit_report();
    if (audit.wish == ERROR && audit.told.n > 0) {
        fflush(NULL);
        _Exit(EXIT_AUDIT);
    }
}

void
pyb_audit_begun(void)
{
    const char *wish = pyb_environment("PYBOEHM_AUDIT");

    audit.wish = wish == NULL || strcmp(wish, "0") == 0 ? OFF
                 : strcmp(wish, "error") == 0           ? ERROR
                                                        : REPORT;
    if (audit.wish != OFF && !audit.at_exit)
        audit.at_exit = atexit(at_exit) == 0;
}
