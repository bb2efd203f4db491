/* watch.c: when those who watch for people are called.  See gc/watching.h. */

#include "Python.h"

#include "gc/watching.h"
#include "watch/graph.h"

static void
begun(void)
{
}

static void
collected(void)
{
}

static void
finalizing(void)
{
    pyb_graph_finalizing();
}

static void
finalized(void)
{
}

const struct pyb_watching pyb_watching = {
    .begun = begun,
    .collected = collected,
    .finalizing = finalizing,
    .finalized = finalized,
};
