/* stillowned.c: objects that have an owner after they were cleared as garbage.
   See stillowned.h.

   A tp_traverse whose visits were too many is named.  Without one, the
   tp_clear of the object's type may be wrong, or a field that is visited and
   borrowed: all are named in which objects of that type were. */

#include "Python.h"

#include <stdio.h>

#include "gc/check/visits.h"
#include "watch/audit/findings.h"
#include "watch/audit/stillowned.h"
#include "watch/audit/tally.h"

static void
note_excess(const struct pyb_visits *visits)
{
    char text[PYB_VISITS_BYTES], what[PYB_VISITS_BYTES + 80];
    struct pyb_finding finding = {
        .what = what,
        .n = 1,
        .so = "an object in use was taken for garbage, and cleared",
        .slot = visits->traverse};

    snprintf(what, sizeof what, "tp_traverse of %s %s", visits->type,
             pyb_visits_text(visits, text));
    (void)pyb_findings_count(&pyb_findings_noticed, &finding);
}

static void
note_visitors(const PyObject *op, const struct pyb_tally *tally)
{
    char visitors[PYB_VISITORS_BYTES], what[sizeof visitors + 200];
    struct pyb_finding finding = {
        .what = what,
        .n = 1,
        .so = "a tp_traverse visits it without owning a reference, or a "
              "Py_DECREF was left out, or its tp_clear has resurrected it",
        .slot = pyb_tally_culprit(tally, PYB_SLOT_CLEAR)};

    pyb_visits_list(op, visitors);
    snprintf(what, sizeof what,
             "%.120s that was cleared as garbage has an owner%s%s",
             tally->name, *visitors != '\0' ? "; visited by " : "", visitors);
    (void)pyb_findings_count(&pyb_findings_noticed, &finding);
}

void
pyb_stillowned_note(PyObject *op)
{
    const struct pyb_visits *excess = pyb_visits_suspected(op);
    struct pyb_tally *tally =
        Py_TYPE(op)->tp_clear == NULL
            ? NULL
            : pyb_tally_of_slot(Py_TYPE(op), PYB_SLOT_CLEAR);

    if (excess != NULL)
        note_excess(excess);
    else if (tally != NULL)
        note_visitors(op, tally);
}
