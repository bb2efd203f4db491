/* watch.c: when those who watch for people are called.  See gc/watching.h. */

#include "Python.h"

#include "gc/watching.h"
#include "watch/audit.h"
#include "watch/audit_events.h"
#include "watch/graph.h"
#include "watch/leaks.h"
#include "watch/log.h"
#include "watch/stats.h"

static void
begun(void)
{
    pyb_watch_stats_begin();
    pyb_watch_log_begin();
    pyb_leaks_begun();
    pyb_audit_begun();
    pyb_audit_events_begin();
}

static void
collecting(void)
{
    pyb_audit_report();
}

static void
collected(void)
{
    pyb_audit_events_look();
    pyb_audit_report_noticed();
}

static void
finalizing(void)
{
    pyb_audit_events_look();
    pyb_graph_finalizing();
    pyb_audit_report();
}

static void
finalized(void)
{
    pyb_watch_log_end();
    pyb_watch_stats_end();
    pyb_audit_events_end();
    pyb_audit_report_noticed();
    pyb_leaks_finalized();
}

const struct pyb_watching pyb_watching = {
    .begun = begun,
    .paused = pyb_watch_log,
    .collecting = collecting,
    .collected = collected,
    .finalizing = finalizing,
    .finalized = finalized,
};
