/* unreleased.c: heap types that dead instances still own.  See unreleased.h.

   Each instance owns a reference to its heap type, and its tp_dealloc gives it
   up.  If not, a reference is left that stands nowhere: not in an object, and
   not elsewhere in memory. */

#include "Python.h"

#include "object/subtype.h"
#include "watch/unreleased.h"

/* The tp_dealloc that has to give the type up; NULL if that is ours. */
static destructor
responsible(PyTypeObject *type)
{
    while (type->tp_dealloc == pyb_subtype_dealloc && type->tp_base != NULL)
        type = type->tp_base;
    return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) ? type->tp_dealloc
                                                        : NULL;
}

static int
tell(PyTypeObject *type, struct pyb_findings *findings)
{
    char what[256];
    struct pyb_finding finding = {
        .what = what,
        .n = 1,
        .so = "tp_dealloc must give up that of its instance: the type leaks",
        .slot = (const void *)(uintptr_t)responsible(type)};

    snprintf(what, sizeof what,
             "%s, a heap type, has references that stand nowhere",
             type->tp_name);
    return pyb_findings_add(findings, &finding);
}

int
pyb_unreleased_find(const struct pyb_evidence *evidence,
                    const uint32_t *slips_to, struct pyb_findings *findings)
{
    for (size_t i = 0; i < evidence->census.n && !evidence->blind; i++) {
        const struct pyb_person *person = &evidence->census.people[i];
        Py_ssize_t lost = person->left - (Py_ssize_t)slips_to[i] -
                          Py_MAX(evidence->elsewhere[i], 0);

        if (!PyType_Check(person->op) || lost <= 0 ||
            responsible((PyTypeObject *)person->op) == NULL)
            continue;
        if (tell((PyTypeObject *)person->op, findings) < 0)
            return -1;
    }
    return 0;
}
