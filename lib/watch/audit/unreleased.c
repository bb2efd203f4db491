/* unreleased.c: heap types with references of dead instances.  See
   unreleased.h.

   Each instance owns a reference to its heap type, which its tp_dealloc must
   release.  If it does not, the type's count includes a reference that is
   neither in an object nor elsewhere in memory. */

#include "Python.h"

#include "object/type/subtype.h"
#include "watch/audit/unreleased.h"

/* The tp_dealloc that must release the type; NULL if it is pyboehm's own. */
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
        .so = "tp_dealloc must release its instance's reference to the type, "
              "and tp_new takes none but tp_alloc's; or who made the type has "
              "kept one",
        .slot = (const void *)(uintptr_t)responsible(type)};

    snprintf(what, sizeof what,
             "%s, a heap type, has references that were not found in memory",
             type->tp_name);
    return pyb_findings_add(findings, &finding);
}

int
pyb_unreleased_find(const struct pyb_evidence *evidence,
                    const uint32_t *slips_to, struct pyb_findings *findings)
{
    for (size_t i = 0; i < evidence->census.n && !evidence->blind; i++) {
        const struct pyb_node *node = &evidence->census.nodes[i];
        Py_ssize_t lost = node->left - (Py_ssize_t)slips_to[i] -
                          Py_MAX(evidence->elsewhere[i], 0);

        if (!PyType_Check(node->op) || lost <= 0 ||
            responsible((PyTypeObject *)node->op) == NULL)
            continue;
        if (tell((PyTypeObject *)node->op, findings) < 0)
            return -1;
    }
    return 0;
}
