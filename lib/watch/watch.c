/* watch.c: starts and ends this directory, and passes on what it is told.
   See gc/base/events.h. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/check/kept.h"
#include "gc/control.h"
#include "watch/audit/audit.h"
#include "watch/audit/audit_events.h"
#include "watch/audit/calls.h"
#include "watch/audit/defects.h"
#include "watch/audit/effects.h"
#include "watch/audit/stillowned.h"
#include "watch/audit/survivors.h"
#include "watch/audit/unbroken.h"
#include "watch/audit/unexamined.h"
#include "watch/audit/unset.h"
#include "watch/crash.h"
#include "watch/graph/graph.h"
#include "watch/help.h"
#include "watch/leaks/leaks.h"
#include "watch/leaks/trace.h"
#include "watch/log/log.h"
#include "watch/log/onsignal.h"
#include "watch/log/statstable.h"
#include "watch/memory/where.h"
#include "watch/report/heapreport.h"
#include "watch/watch.h"
#include "watch/why/field.h"
#include "watch/why/why.h"

static void
collected(void)
{
    pyb_audit_events_look();
    pyb_audit_report_noticed();
}

static void
field(PyObject *op, const void *address, char *text, size_t size)
{
    char name[100];

    pyb_field_holding(op, address, name, sizeof name);
    snprintf(text, size, "%s%s", *name != '\0' ? ": " : "", name);
}

static void
made(PyObject *op, size_t size)
{
    pyb_effects_note(PYB_EFFECT_MAKES);
    pyb_calls_made(op);
    pyb_unset_made(op, size);
}

static void
tracking(PyObject *op)
{
    pyb_effects_note(PYB_EFFECT_TRACKS);
    if (Py_TYPE(op)->tp_traverse == NULL)
        pyb_defects_note(PYB_NO_TRAVERSE, op);
    pyb_unset_tracking(op);
}

static int
deleting(PyObject *op)
{
    pyb_effects_note(PYB_EFFECT_MAKES);
    return pyb_calls_deleting(op);
}

static void
may_collect(void)
{
    pyb_effects_note(PYB_EFFECT_COLLECTS);
    pyb_calls_may_collect();
}

static void
cleared(struct pyb_set *set)
{
    struct pyb_survivors survivors;

    PYB_ASSERT(pyb_condemned.busy && set->state != PYB_STATE_APART);
    pyb_kept_each(set, pyb_stillowned_note);
    if (pyb_survivors_begin(&survivors, set) < 0)
        return;
    pyb_survivors_narrow(&survivors);
    if (survivors.n > 0)
        pyb_unbroken_look(&survivors);
    pyb_survivors_end(&survivors);
}

static const struct pyb_events events = {
    .paused = pyb_watch_log,
    .collecting = pyb_audit_report,
    .collected = collected,
    .idle = pyb_onsignal_idle,

    .born = pyb_trace_made,
    .freed = pyb_trace_freed,
    .unseen = pyb_trace_unseen,
    .history = pyb_trace_history,
    .where = pyb_where_print,
    .field = field,
    .places = pyb_why_places,

    .made = made,
    .tracking = tracking,
    .deleting = deleting,
    .freeing = pyb_calls_freeing,
    .may_collect = may_collect,
    .calling = pyb_calls_calling,
    .left = pyb_calls_abandon,
    .flawed = pyb_defects_note,
    .traversing = pyb_effects_look,
    .cleared = cleared,
};

void
pyb_watch_begin(void)
{
    PYB_ASSERT(pyb_control.initialized && pyb_gil_is_held());
    PYB_ASSERT(!pyb_control.audit && !pyb_control.trace); /* an earlier life's
                                                             have ended */
    pyb_events = &events;
    pyb_help_begin();
    pyb_watch_stats_begin();
    pyb_watch_log_begin();
    pyb_graph_begin();
    pyb_leaks_begin();
    pyb_trace_begin();
    pyb_report_begin();
    pyb_audit_begin();
    pyb_audit_events_begin();
    pyb_onsignal_begin();
    pyb_crash_begin();
}

void
pyb_watch_finalizing(void)
{
    PYB_ASSERT(pyb_events == &events);
    pyb_onsignal_end();
    pyb_audit_events_look();
    pyb_graph_finalizing();
    pyb_report_finalizing();
    pyb_audit_report();
    pyb_unexamined_settle();
}

void
pyb_watch_end(void)
{
    PYB_ASSERT(pyb_events == &events && pyb_gil_is_held());
    pyb_watch_log_end();
    pyb_watch_stats_end();
    pyb_audit_events_end();
    pyb_audit_report_noticed();
    pyb_audit_sum_up();
    pyb_leaks_end();
    pyb_trace_end();
    pyb_growth_end();
    pyb_crash_end();
}
