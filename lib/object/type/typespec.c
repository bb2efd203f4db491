/* typespec.c: heap types from a PyType_Spec.

   The spec may be freed when the type is made: name, doc string and member
   table are copied; the author must keep the targets of the other slots.  The
   members are behind the type object, as its items.

   Manual: "Type Objects", "Creating Heap-Allocated Types". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/slot/slots.h"
#include "object/type/bases.h"
#include "object/type/subtype.h"
#include "object/type/typedata.h"
#include "object/type/typenames.h"
#include "object/type/typenew.h"

/* The contents of a spec.  All are borrowed but bases. */
struct plan {
    PyType_Spec *spec;
    PyObject *module;
    PyObject *bases;
    PyTypeObject *metatype, *base;
    PyMemberDef *members;
    Py_ssize_t nmembers;
    const char *doc;
    Py_ssize_t basicsize;
    Py_ssize_t data; /* the offset of the type's own part of an instance */
};

static int
complain(const char *what)
{
    return pyb_fail(PyExc_SystemError, what);
}

/* ------------------------------------------------------------------ */
/* Reading the spec                                                    */

static int
read_members(struct plan *plan, PyMemberDef *members)
{
    if (plan->members != NULL)
        return complain("Multiple Py_tp_members slots are not supported.");
    plan->members = members;
    for (; members != NULL && members->name != NULL; members++) {
        plan->nmembers++;
        if (!(members->flags & Py_RELATIVE_OFFSET))
            continue;
        if (plan->spec->basicsize > 0)
            return complain(
                "With Py_RELATIVE_OFFSET, basicsize must be negative.");
        if (members->offset < 0 ||
            members->offset >= -(Py_ssize_t)plan->spec->basicsize)
            return complain("Member offset out of range (0..-basicsize)");
    }
    return 0;
}

static int
read_slots(struct plan *plan)
{
    for (PyType_Slot *slot = plan->spec->slots; slot->slot != 0; slot++) {
        if (!pyb_slots_exists(slot->slot))
            return pyb_fail(PyExc_RuntimeError, "invalid slot offset");
        if (slot->slot == Py_tp_members && read_members(plan, slot->pfunc) < 0)
            return -1;
        if (slot->slot != Py_tp_doc)
            continue;
        if (plan->doc != NULL)
            return complain("Multiple Py_tp_doc slots are not supported.");
        plan->doc = slot->pfunc;
    }
    return 0;
}

/* The content of the spec's last slot with that number and a content. */
static PyObject *
find_slot(PyType_Spec *spec, int number)
{
    void *content = NULL;

    for (PyType_Slot *slot = spec->slots; slot->slot != 0; slot++)
        if (slot->slot == number && slot->pfunc != NULL)
            content = slot->pfunc;
    return content;
}

/* The bases as a new tuple that is not empty: those of the call, else those
   of the spec, else object. */
static PyObject *
choose_bases(PyType_Spec *spec, PyObject *bases)
{
    if (bases == NULL) {
        bases = find_slot(spec, Py_tp_bases);
        if (bases != NULL && !PyTuple_Check(bases)) {
            complain("Py_tp_bases is not a tuple");
            return NULL;
        }
    }
    if (bases == NULL)
        bases = find_slot(spec, Py_tp_base);
    if (bases == NULL ||
        (PyTuple_Check(bases) && PyTuple_GET_SIZE(bases) == 0))
        bases = (PyObject *)&PyBaseObject_Type;
    return PyTuple_Check(bases) ? Py_NewRef(bases) : PyTuple_Pack(1, bases);
}

static int
choose_metatype(struct plan *plan, PyTypeObject *asked)
{
    plan->metatype =
        pyb_bases_metatype(asked != NULL ? asked : &PyType_Type, plan->bases);
    if (plan->metatype == NULL)
        return -1;
    if (!PyType_IsSubtype(plan->metatype, &PyType_Type))
        return pyb_failf(PyExc_TypeError,
                         "Metaclass '%R' is not a subclass of 'type'.",
                         (PyObject *)plan->metatype);
    if (plan->metatype->tp_new != NULL &&
        plan->metatype->tp_new != PyType_Type.tp_new)
        return pyb_fail(PyExc_TypeError,
                        "Metaclasses with custom tp_new are not supported.");
    return 0;
}

/* An immutable type must not change through its bases. */
static int
check_immutable(struct plan *plan)
{
    return plan->spec->flags & Py_TPFLAGS_IMMUTABLETYPE
               ? pyb_bases_immutable(plan->bases, 0, plan->spec->name)
               : 0;
}

/* A negative basicsize is the size of the type's own part. */
static int
choose_size(struct plan *plan)
{
    Py_ssize_t own = -(Py_ssize_t)plan->spec->basicsize;
    unsigned long flags = plan->base->tp_flags | plan->spec->flags;

    plan->basicsize = plan->spec->basicsize;
    if (plan->basicsize == 0)
        plan->basicsize = plan->base->tp_basicsize;
    if (plan->basicsize >= 0)
        return 0;
    if (plan->base->tp_itemsize != 0 && !(flags & Py_TPFLAGS_ITEMS_AT_END))
        return complain("Cannot extend variable-size class without "
                        "Py_TPFLAGS_ITEMS_AT_END.");
    PYB_ASSERT(own > 0 && PyType_Check(plan->base));
    plan->data = pyb_typedata_align(plan->base->tp_basicsize);
    plan->basicsize = plan->data + pyb_typedata_align(own);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Filling the type                                                    */

static int
set_name(PyHeapTypeObject *heap, const char *name)
{
    heap->_ht_tpname = pyb_typenew_copy_string(name);
    if (heap->_ht_tpname == NULL)
        return -1;
    heap->ht_type.tp_name = heap->_ht_tpname;
    heap->ht_name = PyUnicode_FromString(pyb_typenames_last(name));
    if (heap->ht_name == NULL)
        return -1;
    heap->ht_qualname = Py_NewRef(heap->ht_name);
    return 0;
}

/* Takes an offset of the type from a member with a special name.  0 if the
   member is an ordinary one. */
static int
take_offset(PyTypeObject *type, const PyMemberDef *member)
{
    PYB_ASSERT(!(member->flags & Py_RELATIVE_OFFSET));
    if (strcmp(member->name, "__weaklistoffset__") == 0)
        type->tp_weaklistoffset = member->offset;
    else if (strcmp(member->name, "__dictoffset__") == 0)
        type->tp_dictoffset = member->offset;
    else if (strcmp(member->name, "__vectorcalloffset__") == 0)
        type->tp_vectorcall_offset = member->offset;
    else
        return 0;
    return 1;
}

/* Copies the members behind the type. */
static void
set_members(PyTypeObject *type, const struct plan *plan)
{
    PyMemberDef *copy = PyObject_GetItemData((PyObject *)type);

    if (plan->members == NULL)
        return;
    type->tp_members = copy;
    for (Py_ssize_t i = 0; i < plan->nmembers; i++) {
        *copy = plan->members[i];
        if (copy->flags & Py_RELATIVE_OFFSET) {
            copy->flags &= ~Py_RELATIVE_OFFSET;
            copy->offset += plan->data;
        }
        if (!take_offset(type, copy))
            copy++;
    }
    PYB_ASSERT(copy - (PyMemberDef *)PyObject_GetItemData((PyObject *)type) <=
               plan->nmembers);
    memset(copy, 0, sizeof(*copy)); /* the item that tp_alloc adds */
}

static void
set_slots(PyTypeObject *type, PyType_Spec *spec)
{
    for (PyType_Slot *slot = spec->slots; slot->slot != 0; slot++)
        switch (slot->slot) {
        case Py_tp_base:
        case Py_tp_bases:
        case Py_tp_doc:
        case Py_tp_members:
            break; /* done elsewhere */
        case Py_tp_token:
            pyb_slots_set(type, slot->slot,
                          slot->pfunc != Py_TP_USE_SPEC ? slot->pfunc : spec);
            break;
        default:
            pyb_slots_set(type, slot->slot, slot->pfunc);
        }
}

/* Sets __module__ from the name's first part. */
static int
set_module_name(PyTypeObject *type, const char *name)
{
    const char *dot = strrchr(name, '.');
    PyObject *key, *module;
    int result = -1;

    if (dot == NULL)
        return PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                                "builtin type %.200s has no __module__ "
                                "attribute",
                                name);
    key = PyUnicode_InternFromString("__module__");
    module = PyUnicode_FromStringAndSize(name, dot - name);
    if (key != NULL && module != NULL)
        result = PyDict_SetDefaultRef(type->tp_dict, key, module, NULL);
    Py_XDECREF(module);
    Py_XDECREF(key);
    return result < 0 ? -1 : 0;
}

static int
fill(PyHeapTypeObject *heap, const struct plan *plan)
{
    PyTypeObject *type = &heap->ht_type;
    PyType_Spec *spec = plan->spec;

    PYB_ASSERT(PyTuple_Check(plan->bases) && PyType_Check(plan->base));
    type->tp_flags = spec->flags | Py_TPFLAGS_HEAPTYPE;
    if (set_name(heap, spec->name) < 0)
        return -1;
    type->tp_base = (PyTypeObject *)Py_NewRef(plan->base);
    type->tp_bases = Py_NewRef(plan->bases);
    heap->ht_module = Py_XNewRef(plan->module);
    if (plan->doc != NULL) {
        type->tp_doc = pyb_typenew_copy_string(plan->doc);
        if (type->tp_doc == NULL)
            return -1;
    }
    type->tp_basicsize = plan->basicsize;
    type->tp_itemsize = spec->itemsize;
    set_slots(type, spec);
    set_members(type, plan);
    if (type->tp_dealloc == NULL)
        type->tp_dealloc = pyb_subtype_dealloc;
    if (PyType_Ready(type) < 0)
        return -1;
    return set_module_name(type, spec->name);
}

/* ------------------------------------------------------------------ */

static PyObject *
make(struct plan *plan, PyTypeObject *metaclass)
{
    PyHeapTypeObject *heap;

    if (choose_metatype(plan, metaclass) < 0)
        return NULL;
    plan->base = pyb_bases_best(plan->bases);
    if (plan->base == NULL || check_immutable(plan) < 0 ||
        choose_size(plan) < 0)
        return NULL;
    PYB_ASSERT(plan->basicsize >= 0 && plan->nmembers >= 0);
    heap = pyb_typenew_alloc(plan->metatype, plan->nmembers);
    if (heap == NULL)
        return NULL;
    if (fill(heap, plan) < 0) {
        pyb_typenew_abandon(heap);
        return NULL;
    }
    return (PyObject *)heap;
}

PyObject *
PyType_FromMetaclass(PyTypeObject *metaclass, PyObject *module,
                     PyType_Spec *spec, PyObject *bases)
{
    struct plan plan = {.spec = spec, .module = module};
    PyObject *type;

    if (spec->name == NULL) {
        complain("Type spec does not define the name field.");
        return NULL;
    }
    if (read_slots(&plan) < 0)
        return NULL;
    plan.bases = choose_bases(spec, bases);
    if (plan.bases == NULL)
        return NULL;
    type = make(&plan, metaclass);
    Py_DECREF(plan.bases);
    return type;
}

PyObject *
PyType_FromModuleAndSpec(PyObject *module, PyType_Spec *spec, PyObject *bases)
{
    return PyType_FromMetaclass(NULL, module, spec, bases);
}

PyObject *
PyType_FromSpecWithBases(PyType_Spec *spec, PyObject *bases)
{
    return PyType_FromMetaclass(NULL, NULL, spec, bases);
}

PyObject *
PyType_FromSpec(PyType_Spec *spec)
{
    return PyType_FromMetaclass(NULL, NULL, spec, NULL);
}
