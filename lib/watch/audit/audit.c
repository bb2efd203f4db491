/* audit.c: checks whether types do what they should.  See watch.h.

   The parts of the audit are in files of their own; this file puts them
   together and runs an audit when it is due. */

#include "Python.h"

#include <stdio.h>
#include <stdlib.h>

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/upcalls.h"
#include "gc/check/inspect.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "gc/heap/pages.h"
#include "object/error/errors.h"
#include "watch/audit/audit.h"
#include "watch/audit/defects.h"
#include "watch/audit/effects.h"
#include "watch/audit/findings.h"
#include "watch/audit/misvisited.h"
#include "watch/audit/overvisited.h"
#include "watch/audit/unexamined.h"
#include "watch/audit/untracked.h"
#include "watch/audit/unvisited.h"
#include "watch/log/leaving.h"
#include "watch/log/progress.h"
#include "watch/memory/evidence.h"

enum { EXIT_AUDIT = 3 };

#define PREFIX "pyboehm audit: "

static struct {
    struct pyb_findings told; /* in this process */
    enum pyb_switch wish;
    int at_exit;               /* at_exit is registered with atexit */
    pid_t due;                 /* of the process that reports at exit */
    int summed_up;             /* the last line has been written */
    size_t n_types, n_objects; /* that the last audit looked at */
    PyObject *error; /* the caller's exception, kept here (and visible to
                        searches) during an audit */
} audit;

/* An audit that cannot read memory must not look like one that found
   nothing. */
static int
tell_blind(struct pyb_findings *findings)
{
    const struct pyb_finding finding = {
        .what = "the memory of this process cannot be read",
        .n = 1,
        .so = "references that tp_traverse does not visit are not found"};

    return pyb_findings_add(findings, &finding);
}

/* A set of types, by address.  Not in malloc's memory: freed memory must not
   contain addresses, and a free block of that size would have malloc keep
   others that it gives back now. */
enum { ROOM = 1 << 16 };

struct types {
    const PyTypeObject **all; /* NULL: there is no memory */
    size_t n;
};

/* Is the type new there?  Each is, without memory and when half is in use. */
static int
enter_type(struct types *types, const PyTypeObject *type)
{
    size_t at = ((uintptr_t)type >> 4) * 0x9e3779b97f4a7c15u >> 48;

    PYB_ASSERT(at < ROOM);
    if (types->all == NULL || types->n >= ROOM / 2)
        return 1;
    while (types->all[at] != NULL && types->all[at] != type)
        at = (at + 1) % ROOM;
    if (types->all[at] == type)
        return 0;
    types->all[at] = type;
    types->n++;
    return 1;
}

/* Of what types these objects are; how many, or 0 without memory. */
static size_t
note_types(const struct pyb_evidence *evidence)
{
    struct types types = {pyb_pages_map(ROOM * sizeof *types.all), 0};

    for (uint32_t i = 0; i < pyb_evidence_owners(evidence); i++) {
        PyTypeObject *type = Py_TYPE(pyb_evidence_owner(evidence, i));

        if (enter_type(&types, type) && pyb_control.audit)
            pyb_unexamined_strike(type);
    }
    if (pyb_control.audit) /* else nothing would be told of them */
        pyb_unexamined_take();
    if (types.all != NULL)
        pyb_pages_unmap(types.all, ROOM * sizeof *types.all);
    return types.n;
}

/* Adds the findings of this audit, and those that were noticed earlier. */
static int
find_all(struct pyb_findings *findings, uintptr_t ground)
{
    struct pyb_evidence evidence;
    int result;

    PYB_ASSERT(pyb_gil_is_held() && pyb_control.collecting == 0);
    if (pyb_effects_find(findings) < 0 || /* first: it must see each type's
                                             first call */
        pyb_evidence_take(&evidence, ground) < 0)
        return -1;
    pyb_inspect_recheck();
    audit.n_objects = pyb_evidence_owners(&evidence);
    audit.n_types = note_types(&evidence);
    result = evidence.blind ? tell_blind(findings) : 0;
    pyb_progress_part(60, 75);
    if (result == 0)
        result = pyb_misvisited_find(&evidence, findings);
    pyb_progress_part(75, 95);
    if (result == 0)
        result = pyb_unvisited_find(&evidence, findings);
    if (result == 0)
        result = pyb_overvisited_find(&evidence, findings);
    if (result == 0)
        result = pyb_untracked_find(&evidence, findings);
    if (result == 0)
        result = pyb_defects_find(findings);
    pyb_evidence_end(&evidence);
    if (result == 0)
        result = pyb_findings_join(findings, &pyb_findings_noticed);
    return result;
}

/* Prints the findings that are due; returns how many. */
static int
tell(struct pyb_findings *findings, int flags, const char *prefix, FILE *file)
{
    size_t n =
        pyb_findings_print(findings, &audit.told,
                           (flags & PyBoehm_AUDIT_NEWS) != 0, prefix, file);

    PYB_ASSERT(n <= findings->n && n <= INT_MAX);
    return (int)n;
}

/* The caller has saved its registers on the stack; the part of the stack in
   use lies above this function's frame.  Exceptions that tp_traverse raises
   are dropped. */
__attribute__((noinline)) static int
audit_now(int flags, const char *prefix, FILE *file)
{
    struct pyb_findings findings = {NULL, 0};
    int n;

    audit.error = pyb_upcalls.take_error();
    pyb_progress_begin("pyboehm audit");
    n = find_all(&findings, (uintptr_t)__builtin_frame_address(0));
    pyb_progress_end();
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
    if (pyb_collect_is_under_way())
        return pyb_fail(PyExc_RuntimeError,
                        "PyBoehm_Audit in the middle of a collection");
    __builtin_unwind_init();
    n = audit_now(flags, "", file);
    if (n < 0)
        pyb_upcalls.no_memory();
    return n;
}

/* ------------------------------------------------------------------ */
/* Audits that the environment asks for                                */

void
pyb_audit_report(void)
{
    if (audit.wish == PYB_OFF || pyb_collect_is_under_way())
        return;
    __builtin_unwind_init();
    if (audit_now(PyBoehm_AUDIT_NEWS, PREFIX, stderr) < 0)
        fputs(PREFIX "out of memory: no audit is made\n", stderr);
}

void
pyb_audit_report_noticed(void)
{
    if (audit.wish != PYB_OFF)
        tell(&pyb_findings_noticed, PyBoehm_AUDIT_NEWS, PREFIX, stderr);
}

/* What else has been found would be thought the reason. */
static void
tell_undecided(const struct pyb_finding *finding)
{
    fprintf(stderr,
            PREFIX "undecided: %s in %zu of %zu instance%s, and tp_traverse "
                   "does not visit it\n"
                   "  a word elsewhere, a stale one perhaps, may own it; with "
                   "more instances, or PYBOEHM_LEAKS=1, it is known\n",
            finding->what, finding->n, finding->of,
            finding->of == 1 ? "" : "s");
}

static void
sum_up(void)
{
    fprintf(stderr, PREFIX "%zu type%s, %zu object%s, %zu finding%s\n",
            audit.n_types, audit.n_types == 1 ? "" : "s", audit.n_objects,
            audit.n_objects == 1 ? "" : "s", audit.told.n,
            audit.told.n == 1 ? "" : "s");
    if (audit.told.n == 0 && pyb_unvisited_undecided.n > 0)
        tell_undecided(&pyb_unvisited_undecided.all[0]);
    pyb_unexamined_print(PREFIX, stderr);
}

/* Says at the end that there was an audit, and of what. */
void
pyb_audit_sum_up(void)
{
    if (audit.wish == PYB_OFF || audit.summed_up)
        return;
    audit.summed_up = 1;
    sum_up();
}

static void
report_and_sum_up(void)
{
    pyb_audit_report();
    pyb_audit_sum_up();
}

void
pyb_audit_now(void)
{
    pyb_audit_report();
    sum_up();
}

/* The last audit, unless Py_Finalize has made it.  An exit handler can change
   the exit status only with _Exit, which skips the handlers that are left. */
static void
at_exit(void)
{
    if (!audit.summed_up)
        pyb_leaving("PYBOEHM_AUDIT", audit.due, report_and_sum_up);
    if (audit.wish == PYB_ERROR && audit.told.n > 0) {
        fflush(NULL);
        _Exit(EXIT_AUDIT);
    }
}

void
pyb_audit_begin(void)
{
    audit.wish = pyb_environment_switch("PYBOEHM_AUDIT");
    audit.summed_up = 0;
    pyb_unexamined_begin();
    audit.due = audit.wish != PYB_OFF ? getpid() : 0;
    if (audit.wish != PYB_OFF && !audit.at_exit)
        audit.at_exit = atexit(at_exit) == 0;
}
