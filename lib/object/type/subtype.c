/* subtype.c: the slots of heap types that define none: each handles what the
   type added and calls the nearest base's other function in that slot. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/type/subtype.h"
#include "object/type/typedata.h"

/* Moves type to the first base with the function: a slot of a type further
   down may have called this one. */
#define FIND_FUNCTION(type, SLOT, function)                                   \
    do {                                                                      \
        while ((type)->SLOT != (function)) {                                  \
            (type) = (type)->tp_base;                                         \
            PYB_ASSERT((type) != NULL); /* one of them has it */              \
        }                                                                     \
    } while (0)

/* ------------------------------------------------------------------ */
/* Members that the type added, by __slots__ for instance              */

/* The object in a member; NULL if the member is of another kind or empty. */
static PyObject *
member_content(PyObject *self, const PyMemberDef *member)
{
    PyObject *content = NULL;

    if (member->type == Py_T_OBJECT_EX)
        memcpy(&content, (char *)self + member->offset, sizeof(content));
    return content;
}

static int
visit_members(PyObject *self, PyTypeObject *type, visitproc visit, void *arg)
{
    const PyMemberDef *member = type->tp_members;

    for (; member != NULL && member->name != NULL; member++)
        Py_VISIT(member_content(self, member));
    return 0;
}

static void
clear_members(PyObject *self, PyTypeObject *type)
{
    const PyMemberDef *member = type->tp_members;

    for (; member != NULL && member->name != NULL; member++) {
        PyObject *content = member_content(self, member);

        if (content == NULL || (member->flags & Py_READONLY))
            continue;
        memset((char *)self + member->offset, 0, sizeof(content));
        Py_DECREF(content);
    }
}

/* ------------------------------------------------------------------ */
/* Traversal and tp_clear                                              */

/* The place of the instance's dictionary if base does not have one; otherwise
   NULL. */
static PyObject **
added_dict(PyObject *self, PyTypeObject *base)
{
    PYB_ASSERT_OBJECT(PyType_IsSubtype(Py_TYPE(self), base), self);
    if (Py_TYPE(self)->tp_dictoffset == base->tp_dictoffset)
        return NULL;
    return pyb_attr_dict_slot(self);
}

int
pyb_subtype_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = Py_TYPE(self), *base = type;
    PyObject **dict;
    int result = 0;

    FIND_FUNCTION(base, tp_traverse, pyb_subtype_traverse);
    for (; base->tp_traverse == pyb_subtype_traverse; base = base->tp_base) {
        result = visit_members(self, base, visit, arg);
        if (result != 0)
            return result;
    }
    dict = added_dict(self, base);
    if (dict != NULL)
        result = pyb_attr_visit_dict(self, *dict, visit, arg);
    if (result != 0)
        return result;
    /* A heap type's own tp_traverse visits the type already. */
    if (base->tp_traverse == NULL || !pyb_typedata_is_heap(base))
        Py_VISIT(type);
    return base->tp_traverse != NULL ? base->tp_traverse(self, visit, arg) : 0;
}

int
pyb_subtype_clear(PyObject *self)
{
    PyTypeObject *base = Py_TYPE(self);
    PyObject **dict;

    FIND_FUNCTION(base, tp_clear, pyb_subtype_clear);
    for (; base->tp_clear == pyb_subtype_clear; base = base->tp_base)
        clear_members(self, base);
    dict = added_dict(self, base);
    if (dict != NULL)
        pyb_attr_clear_dict(self, dict);
    return base->tp_clear != NULL ? base->tp_clear(self) : 0;
}

/* ------------------------------------------------------------------ */
/* Deallocation                                                        */

/* Calls tp_finalize and tp_del.  -1 if one of them resurrected self. */
static int
call_finalizers(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    if (type->tp_finalize != NULL) {
        if (PyType_IS_GC(type))
            PyObject_GC_Track(self);
        if (PyObject_CallFinalizerFromDealloc(self) < 0)
            return -1;
        if (PyType_IS_GC(type))
            PyObject_GC_UnTrack(self);
    }
    if (type->tp_del != NULL) {
        type->tp_del(self);
        if (Py_REFCNT(self) > 0) {
            if (PyType_IS_GC(type) && !PyObject_GC_IsTracked(self))
                PyObject_GC_Track(self);
            return -1;
        }
    }
    return 0;
}

/* Releases what the types deallocated by this file added to base: weak
   references, members, dictionary. */
static void
release_own(PyObject *self, PyTypeObject *base)
{
    PyTypeObject *type = Py_TYPE(self); /* a finalizer may have changed it */
    PyObject **dict;

    if (type->tp_weaklistoffset != 0 && base->tp_weaklistoffset == 0)
        PyObject_ClearWeakRefs(self);
    if (PyType_IS_GC(type)) {
        FIND_FUNCTION(type, tp_dealloc, pyb_subtype_dealloc);
        for (; type != base; type = type->tp_base) {
            PYB_ASSERT_OBJECT(type->tp_dealloc == pyb_subtype_dealloc, self);
            clear_members(self, type);
        }
    }
    dict = added_dict(self, base);
    if (dict != NULL)
        pyb_attr_clear_dict(self, dict);
}

void
pyb_subtype_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self), *base = type;
    int owns_type;

    if (PyType_IS_GC(type))
        PyObject_GC_UnTrack(self);
    FIND_FUNCTION(base, tp_dealloc, pyb_subtype_dealloc);
    while (base->tp_dealloc == pyb_subtype_dealloc)
        base = base->tp_base;
    if (call_finalizers(self) < 0)
        return;
    release_own(self, base);
    type = Py_TYPE(self);
    /* A container's tp_dealloc expects a tracked object. */
    if (PyType_IS_GC(base))
        PyObject_GC_Track(self);
    /* A heap type's own tp_dealloc releases the type. */
    owns_type = pyb_typedata_is_heap(type) && !pyb_typedata_is_heap(base);
    base->tp_dealloc(self);
    if (owns_type)
        Py_DECREF(type);
}

/* ------------------------------------------------------------------ */
/* __del__                                                             */

/* Calls the method.  Since a finalizer has no caller that handles errors, they
   go to the unraisable hook. */
static void
subtype_finalize(PyObject *self)
{
    PyObject *pending = PyErr_GetRaisedException();
    PyObject *method, *result;
    int found = pyb_attr_special(self, "__del__", &method);

    PYB_ASSERT_OBJECT(pyb_typedata_is_heap(Py_TYPE(self)), self);
    if (found > 0) {
        result = PyObject_CallNoArgs(method);
        if (result == NULL)
            PyErr_FormatUnraisable(
                "Exception ignored while calling deallocator %R", method);
        Py_XDECREF(result);
        Py_DECREF(method);
    } else if (found < 0) {
        PyErr_WriteUnraisable(self);
    }
    PyErr_SetRaisedException(pending);
}

/* The tp_finalize that the class itself defines, or NULL. */
static destructor
own_finalize(PyTypeObject *type, PyObject *del)
{
    PyTypeObject *base = type->tp_base;
    int method = PyDict_Contains(type->tp_dict, del);

    PYB_ASSERT(PyType_Check(type));
    if (method < 0) /* __eq__ of a key that is no str; no lack of memory */
        PyErr_Clear();
    if (method > 0)
        return subtype_finalize;
    if (type->tp_finalize == subtype_finalize ||
        (base != NULL && type->tp_finalize == base->tp_finalize))
        return NULL;
    return type->tp_finalize;
}

void
pyb_subtype_set_finalize(PyTypeObject *type, PyObject *del)
{
    PyObject *mro = type->tp_mro; /* NULL once tp_clear has run */
    destructor first = NULL;

    PYB_ASSERT_OBJECT(PyUnicode_Check(del), del);
    for (Py_ssize_t i = 0;
         first == NULL && mro != NULL && i < PyTuple_GET_SIZE(mro); i++)
        first = own_finalize((PyTypeObject *)PyTuple_GET_ITEM(mro, i), del);
    type->tp_finalize = first;
}
