/* attr.c: attributes of objects: the usual lookup, and the dictionaries of
   instances. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "object/attr/attr.h"
#include "object/attr/inlinevalues.h"
#include "object/attr/instancedict.h"
#include "object/error/errors.h"

/* ------------------------------------------------------------------ */
/* Instance dictionaries                                               */

/* The place of a dictionary with a negative offset, which is counted from the
   end of the object's items. */
static PyObject **
dict_at_end(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    size_t size = (size_t)type->tp_basicsize;
    Py_ssize_t items = Py_ABS(Py_SIZE(op));

    size += (size_t)items * (size_t)type->tp_itemsize;
    size = (size + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
    PYB_ASSERT_OBJECT(type->tp_dictoffset < 0, op);
    PYB_ASSERT_OBJECT((Py_ssize_t)size + type->tp_dictoffset >=
                          (Py_ssize_t)sizeof(PyObject),
                      op);
    return (PyObject **)(void *)((char *)op + size + type->tp_dictoffset);
}

static inline PyObject **
dict_slot(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    if (PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT))
        return pyb_heap_managed_dict(op);
    if (type->tp_dictoffset == 0)
        return NULL;
    if (type->tp_dictoffset < 0)
        return dict_at_end(op);
    PYB_ASSERT_OBJECT(type->tp_dictoffset >= (Py_ssize_t)sizeof(PyObject), op);
    return (PyObject **)(void *)((char *)op + type->tp_dictoffset);
}

PyObject **
pyb_attr_dict_slot(PyObject *op)
{
    return dict_slot(op);
}

/* Other code may see the dictionary from now on, if there is one.  0, or -1
   with MemoryError. */
static int
show_dict(PyObject *op, PyObject **slot)
{
    if (pyb_inline_is(*slot) && pyb_inline_make_dict(op, slot) < 0)
        return -1;
    if (*slot != NULL)
        pyb_instancedict_show(*slot);
    return 0;
}

PyObject **
_PyObject_GetDictPtr(PyObject *op)
{
    PyObject **dict = pyb_attr_dict_slot(op);

    if (dict != NULL && show_dict(op, dict) < 0) {
        PyErr_Clear();
        return NULL;
    }
    return dict;
}

int
pyb_attr_visit_dict(PyObject *op, PyObject *content, visitproc visit,
                    void *arg)
{
    if (pyb_inline_is(content))
        return pyb_inline_visit(op, content, visit, arg);
    return content != NULL ? pyb_instancedict_visit(content, visit, arg) : 0;
}

void
pyb_attr_clear_dict(PyObject *op, PyObject **slot)
{
    if (pyb_inline_is(*slot))
        pyb_inline_clear(op, slot);
    else
        Py_CLEAR(*slot);
}

int
PyObject_VisitManagedDict(PyObject *op, visitproc visit, void *arg)
{
    if (!PyType_HasFeature(Py_TYPE(op), Py_TPFLAGS_MANAGED_DICT))
        return 0;
    return pyb_attr_visit_dict(op, *pyb_heap_managed_dict(op), visit, arg);
}

void
PyObject_ClearManagedDict(PyObject *op)
{
    if (PyType_HasFeature(Py_TYPE(op), Py_TPFLAGS_MANAGED_DICT))
        pyb_attr_clear_dict(op, pyb_heap_managed_dict(op));
}

/* Makes fresh the dictionary, unless the allocation of fresh has collected and
   a finalizer has given the instance one meanwhile.  Steals fresh. */
static void
fill_slot(PyObject **slot, PyObject *fresh)
{
    PYB_ASSERT_OBJECT(PyDict_CheckExact(fresh), fresh);
    PYB_ASSERT_OBJECT(PyDict_GET_SIZE(fresh) == 0, fresh);
    if (*slot == NULL)
        *slot = fresh;
    else
        Py_DECREF(fresh);
}

static PyObject **
dict_ptr_or_error(PyObject *op)
{
    PyObject **dict = pyb_attr_dict_slot(op);

    if (dict == NULL)
        return pyb_raise(PyExc_AttributeError, "This object has no __dict__");
    return show_dict(op, dict) == 0 ? dict : NULL;
}

PyObject *
PyObject_GenericGetDict(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject **dict = dict_ptr_or_error(op);

    if (dict == NULL)
        return NULL;
    if (*dict == NULL) {
        PyObject *fresh = PyDict_New();
        if (fresh == NULL)
            return NULL;
        fill_slot(dict, fresh);
    }
    return Py_NewRef(*dict);
}

int
PyObject_GenericSetDict(PyObject *op, PyObject *value,
                        void *Py_UNUSED(closure))
{
    PyObject **dict = dict_ptr_or_error(op);

    if (dict == NULL)
        return -1;
    if (value == NULL)
        return pyb_fail(PyExc_TypeError, "cannot delete __dict__");
    if (!PyDict_Check(value))
        return pyb_failf(
            PyExc_TypeError,
            "__dict__ must be set to a dictionary, not a '%.200s'",
            Py_TYPE(value)->tp_name);
    Py_XSETREF(*dict, Py_NewRef(value));
    return 0;
}

/* ------------------------------------------------------------------ */
/* The usual lookup                                                    */

/* May the name be used, and is the type ready?  1, or 0 with an exception. */
static int
lookup_ok(PyTypeObject *type, PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError,
                     "attribute name must be string, not '%.200s'",
                     Py_TYPE(name)->tp_name);
        return 0;
    }
    return type->tp_dict != NULL || PyType_Ready(type) == 0;
}

static void
no_attribute(PyObject *op, PyObject *name)
{
    PYB_ASSERT_OBJECT(PyUnicode_Check(name), name);
    PyErr_Format(PyExc_AttributeError, "'%.100s' object has no attribute '%U'",
                 Py_TYPE(op)->tp_name, name);
}

enum found {
    ERROR = -1,
    MISSING, /* without an exception */
    VALUE,
    METHOD /* a method of the type, not bound yet */
};

/* The attribute's value by calling the descriptor's __get__. */
static enum found
call_get(PyObject *descr, PyObject *op, PyObject **result)
{
    PYB_ASSERT_OBJECT(Py_TYPE(descr)->tp_descr_get != NULL, descr);
    *result = Py_TYPE(descr)->tp_descr_get(descr, op, (PyObject *)Py_TYPE(op));
    return *result != NULL ? VALUE : ERROR;
}

/* The lookups are inlined in the functions that others call: a lookup takes
   less time than the calls would. */
#define INLINED __attribute__((always_inline)) static inline

/* The rest of find_in_dict: other code may run. */
static enum found
search_dict(PyObject *op, PyObject **slot, PyObject *name, PyObject **result)
{
    if (pyb_inline_is(*slot) && pyb_inline_make_dict(op, slot) < 0)
        return ERROR;
    /* The lookup may compare keys, and those may replace the dictionary. */
    PyObject *dict = Py_NewRef(*slot);
    int found = PyDict_GetItemRef(dict, name, result);
    Py_DECREF(dict);
    return found < 0 ? ERROR : found ? VALUE : MISSING;
}

/* Looks into the instance's dictionary, if there is one. */
INLINED enum found
find_in_dict(PyObject *op, PyObject *name, PyObject **result)
{
    PyObject **slot = dict_slot(op);

    if (slot == NULL || *slot == NULL)
        return MISSING;
    if (_PyB_LIKELY(PyUnicode_CheckExact(name))) {
        int known = 1;
        if (pyb_inline_is(*slot))
            *result = pyb_inline_find(op, *slot, name);
        else if (PyDict_CheckExact(*slot))
            known = pyb_instancedict_peek(*slot, name, result);
        else
            known = 0;
        if (known && *result != NULL) {
            Py_INCREF(*result);
            return VALUE;
        }
        if (known)
            return MISSING;
    }
    return search_dict(op, slot, name, result);
}

/* Finds op.name in the usual order: data descriptors of the type, the
   instance's dictionary, the type's other attributes.  *result is a new
   reference with VALUE and METHOD, else NULL. */
INLINED enum found
find(PyObject *op, PyObject *name, PyObject **result)
{
    PyTypeObject *type = Py_TYPE(op);

    *result = NULL;
    if (!lookup_ok(type, name))
        return ERROR;
    PyObject *descr = Py_XNewRef(_PyType_Lookup(type, name));
    descrgetfunc get = descr != NULL ? Py_TYPE(descr)->tp_descr_get : NULL;
    enum found found;

    if (get != NULL && Py_TYPE(descr)->tp_descr_set != NULL) {
        found = call_get(descr, op, result);
    } else {
        found = find_in_dict(op, name, result);
        if (found == MISSING && descr != NULL) {
            if (PyType_HasFeature(Py_TYPE(descr),
                                  Py_TPFLAGS_METHOD_DESCRIPTOR)) {
                *result = descr;
                return METHOD;
            }
            if (get == NULL) {
                *result = descr;
                return VALUE;
            }
            found = call_get(descr, op, result);
        }
    }
    Py_XDECREF(descr);
    PYB_ASSERT((found == VALUE) == (*result != NULL));
    return found;
}

/* As find, with methods bound. */
INLINED enum found
find_value(PyObject *op, PyObject *name, PyObject **result)
{
    enum found found = find(op, name, result);

    if (found == METHOD) {
        PyObject *descr = *result;
        found = call_get(descr, op, result);
        Py_DECREF(descr);
    }
    return found;
}

PyObject *
PyObject_GenericGetAttr(PyObject *op, PyObject *name)
{
    PyObject *result;

    if (find_value(op, name, &result) == MISSING)
        no_attribute(op, name);
    return result;
}

int
pyb_attr_method(PyObject *op, PyObject *name, PyObject **method)
{
    if (Py_TYPE(op)->tp_getattro != PyObject_GenericGetAttr) {
        *method = PyObject_GetAttr(op, name);
        return *method != NULL ? 0 : -1;
    }
    enum found found = find(op, name, method);
    PYB_ASSERT((*method != NULL) == (found == METHOD || found == VALUE));
    if (found == MISSING)
        no_attribute(op, name);
    return found == METHOD ? 1 : found == VALUE ? 0 : -1;
}

int
pyb_attr_special(PyObject *op, const char *name, PyObject **method)
{
    PyTypeObject *type = Py_TYPE(op);
    PyObject *string = PyUnicode_FromString(name);

    *method = NULL;
    if (string == NULL)
        return -1;
    PyObject *descr = Py_XNewRef(_PyType_Lookup(type, string));
    Py_DECREF(string);
    if (descr == NULL)
        return 0;
    if (Py_TYPE(descr)->tp_descr_get == NULL) {
        *method = descr;
        return 1;
    }
    enum found found = call_get(descr, op, method);
    Py_DECREF(descr);
    return found == VALUE ? 1 : -1;
}

int
pyb_attr_convert(PyObject *op, const char *name, PyTypeObject *type,
                 PyObject **result)
{
    PyObject *method;
    int found = pyb_attr_special(op, name, &method);

    *result = NULL;
    if (found <= 0)
        return found;
    *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (*result != NULL && !PyObject_TypeCheck(*result, type)) {
        PyErr_Format(PyExc_TypeError, "%s returned non-%s (type %.200s)", name,
                     type->tp_name, Py_TYPE(*result)->tp_name);
        Py_CLEAR(*result);
    }
    return *result != NULL ? 1 : -1;
}

/* ------------------------------------------------------------------ */
/* Setting, as usual                                                   */

/* The error for an attribute that there is no room for; descr is what the
   type has under the name, or NULL. */
static void
no_room(PyObject *op, PyObject *name, PyObject *descr)
{
    PyTypeObject *type = Py_TYPE(op);

    if (descr != NULL)
        PyErr_Format(PyExc_AttributeError,
                     "'%.50s' object attribute '%U' is read-only",
                     type->tp_name, name);
    else if (type->tp_setattro == PyObject_GenericSetAttr)
        PyErr_Format(PyExc_AttributeError,
                     "'%.100s' object has no attribute '%U' and no __dict__ "
                     "for setting new attributes",
                     type->tp_name, name);
    else
        no_attribute(op, name);
}

static int
delete_from_dict(PyObject *op, PyObject *dict, PyObject *name)
{
    int found = dict != NULL ? PyDict_Pop(dict, name, NULL) : 0;

    if (found == 0) {
        if (PyType_Check(op))
            PyErr_Format(PyExc_AttributeError,
                         "type object '%.50s' has no attribute '%U'",
                         ((PyTypeObject *)op)->tp_name, name);
        else
            no_attribute(op, name);
    }
    return found > 0 ? 0 : -1;
}

/* A dictionary for op's first attribute.  It is hidden (see instancedict.h) in
   instances that have only attributes, as in CPython. */
static PyObject *
first_dict(PyObject *op)
{
    return pyb_inline_may(Py_TYPE(op)) ? pyb_instancedict_new(0)
                                       : PyDict_New();
}

/* Sets an inline value, or deletes it.  1; 0 if that is for a dictionary: the
   slot has one now, or is NULL; -1 with an exception. */
static int
set_inline(PyObject *op, PyObject **slot, PyObject *name, PyObject *value)
{
    if (PyUnicode_CheckExact(name)) {
        if (value == NULL && !pyb_inline_delete(op, slot, name))
            return delete_from_dict(op, NULL, name);
        int done = value == NULL ? 1 : pyb_inline_set(op, slot, name, value);
        if (done != 0)
            return done;
    }
    return pyb_inline_is(*slot) ? pyb_inline_make_dict(op, slot) : 0;
}

/* Gives the instance a dictionary for its first attribute.  0, or -1 with an
   exception. */
static int
make_first_dict(PyObject *op, PyObject **slot, PyObject *name)
{
    if (pyb_inline_may(Py_TYPE(op)) && pyb_inline_learn(Py_TYPE(op), name) < 0)
        return -1;
    PyObject *fresh = first_dict(op);
    if (fresh == NULL)
        return -1;
    fill_slot(slot, fresh);
    return 0;
}

/* The rest of set_in_dict. */
static int
change_dict(PyObject *op, PyObject **slot, PyObject *name, PyObject *value)
{
    if (pyb_inline_is(*slot)) {
        int done = set_inline(op, slot, name, value);
        if (done != 0)
            return done < 0 ? -1 : 0;
    }
    if (*slot == NULL && value != NULL && make_first_dict(op, slot, name) < 0)
        return -1;
    PyObject *dict = Py_XNewRef(*slot);
    int result = value != NULL ? PyDict_SetItem(dict, name, value)
                               : delete_from_dict(op, dict, name);
    Py_XDECREF(dict);
    return result;
}

/* Sets or deletes what is at *slot, or in a new dictionary there. */
INLINED int
set_in_dict(PyObject *op, PyObject **slot, PyObject *name, PyObject *value)
{
    if (value != NULL && PyUnicode_CheckExact(name) && *slot != NULL) {
        if (pyb_inline_is(*slot)
                ? pyb_inline_replace(op, *slot, name, value)
                : PyDict_CheckExact(*slot) &&
                      pyb_instancedict_replace(*slot, name, value))
            return 0;
    }
    return change_dict(op, slot, name, value);
}

/* The usual way to set an attribute, once lookup_ok has said so. */
INLINED int
set(PyObject *op, PyObject *name, PyObject *value)
{
    PyObject *descr = Py_XNewRef(_PyType_Lookup(Py_TYPE(op), name));
    int result = -1;

    if (descr != NULL && Py_TYPE(descr)->tp_descr_set != NULL) {
        result = Py_TYPE(descr)->tp_descr_set(descr, op, value);
    } else {
        PyObject **slot = dict_slot(op);
        if (slot != NULL)
            result = set_in_dict(op, slot, name, value);
        else
            no_room(op, name, descr);
    }
    Py_XDECREF(descr);
    return result;
}

int
PyObject_GenericSetAttr(PyObject *op, PyObject *name, PyObject *value)
{
    return lookup_ok(Py_TYPE(op), name) ? set(op, name, value) : -1;
}

/* ------------------------------------------------------------------ */
/* Any object: get                                                     */

PyObject *
PyObject_GetAttr(PyObject *op, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(op);

    if (!lookup_ok(type, name))
        return NULL;
    if (type->tp_getattro != NULL)
        return type->tp_getattro(op, name);
    if (type->tp_getattr != NULL) {
        const char *utf8 = PyUnicode_AsUTF8(name);
        return utf8 != NULL ? type->tp_getattr(op, (char *)utf8) : NULL;
    }
    no_attribute(op, name);
    return NULL;
}

PyObject *
PyObject_GetAttrString(PyObject *op, const char *name)
{
    if (Py_TYPE(op)->tp_getattr != NULL)
        return Py_TYPE(op)->tp_getattr(op, (char *)name);

    PyObject *string = PyUnicode_InternFromString(name);
    if (string == NULL)
        return NULL;
    PyObject *result = PyObject_GetAttr(op, string);
    Py_DECREF(string);
    return result;
}

/* The result of GetOptionalAttr for a value that may be NULL: an
   AttributeError goes, other exceptions stay. */
static int
optional(PyObject *value)
{
    if (value != NULL)
        return 1;
    if (PyErr_Occurred() == NULL)
        return 0;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
        return -1;
    PyErr_Clear();
    return 0;
}

int
PyObject_GetOptionalAttr(PyObject *op, PyObject *name, PyObject **result)
{
    /* The usual lookup does not make an exception just to drop it. */
    if (Py_TYPE(op)->tp_getattro == PyObject_GenericGetAttr)
        (void)find_value(op, name, result);
    else
        *result = PyObject_GetAttr(op, name);
    return optional(*result);
}

int
PyObject_GetOptionalAttrString(PyObject *op, const char *name,
                               PyObject **result)
{
    if (Py_TYPE(op)->tp_getattr != NULL) {
        *result = Py_TYPE(op)->tp_getattr(op, (char *)name);
        return optional(*result);
    }
    PyObject *string = PyUnicode_InternFromString(name);
    if (string == NULL) {
        *result = NULL;
        return -1;
    }
    int found = PyObject_GetOptionalAttr(op, string, result);
    Py_DECREF(string);
    return found;
}

int
PyObject_HasAttrWithError(PyObject *op, PyObject *name)
{
    PyObject *value;
    int found = PyObject_GetOptionalAttr(op, name, &value);

    Py_XDECREF(value);
    return found;
}

int
PyObject_HasAttrStringWithError(PyObject *op, const char *name)
{
    PyObject *value;
    int found = PyObject_GetOptionalAttrString(op, name, &value);

    Py_XDECREF(value);
    return found;
}

int
PyObject_HasAttr(PyObject *op, PyObject *name)
{
    int found = PyObject_HasAttrWithError(op, name);

    if (found < 0)
        PyErr_FormatUnraisable(
            "Exception ignored in PyObject_HasAttr(); consider using "
            "PyObject_HasAttrWithError(), "
            "PyObject_GetOptionalAttr() or PyObject_GetAttr()");
    return found > 0;
}

int
PyObject_HasAttrString(PyObject *op, const char *name)
{
    int found = PyObject_HasAttrStringWithError(op, name);

    if (found < 0)
        PyErr_FormatUnraisable(
            "Exception ignored in PyObject_HasAttrString(); consider using "
            "PyObject_HasAttrStringWithError(), "
            "PyObject_GetOptionalAttrString() or PyObject_GetAttrString()");
    return found > 0;
}

/* ------------------------------------------------------------------ */
/* Any object: set                                                     */

/* The error for a type without a way to set attributes; returns -1. */
static int
cannot_set(PyObject *op, PyObject *name, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(op);
    int readable = type->tp_getattr != NULL || type->tp_getattro != NULL;

    return pyb_failf(
        PyExc_TypeError,
        readable ? "'%.100s' object has only read-only attributes (%s .%U)"
                 : "'%.100s' object has no attributes (%s .%U)",
        type->tp_name, value == NULL ? "del" : "assign to", name);
}

/* The dictionaries of instances share their keys, which are found by address.
 */
INLINED int
set_by_name(PyObject *op, PyObject *name, PyObject *value)
{
    /* The caller's may be the dictionary's, which goes. */
    PyObject *key = Py_NewRef(name);

    if (!PyUnicode_CHECK_INTERNED(key))
        PyUnicode_InternInPlace(&key);
    setattrofunc setattro = Py_TYPE(op)->tp_setattro;
    int result = _PyB_LIKELY(setattro == PyObject_GenericSetAttr)
                     ? set(op, key, value)
                     : setattro(op, key, value);
    Py_DECREF(key);
    return result;
}

int
PyObject_SetAttr(PyObject *op, PyObject *name, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(op);

    pyb_dead_kept(__func__, value);
    if (!lookup_ok(type, name))
        return -1;
    if (type->tp_setattro != NULL)
        return set_by_name(op, name, value);
    if (type->tp_setattr != NULL) {
        const char *utf8 = PyUnicode_AsUTF8(name);
        return utf8 != NULL ? type->tp_setattr(op, (char *)utf8, value) : -1;
    }
    return cannot_set(op, name, value);
}

int
PyObject_SetAttrString(PyObject *op, const char *name, PyObject *value)
{
    if (Py_TYPE(op)->tp_setattr != NULL)
        return Py_TYPE(op)->tp_setattr(op, (char *)name, value);

    PyObject *string = PyUnicode_InternFromString(name);
    if (string == NULL)
        return -1;
    int result = PyObject_SetAttr(op, string, value);
    Py_DECREF(string);
    return result;
}

int(PyObject_DelAttr)(PyObject *op, PyObject *name)
{
    return PyObject_SetAttr(op, name, NULL);
}

int(PyObject_DelAttrString)(PyObject *op, const char *name)
{
    return PyObject_SetAttrString(op, name, NULL);
}
