/* slotnames.c: __slots__ of a class made by type(name, bases, dict): the
   attributes that its instances keep in fields of their own.

   Two names ask for a dictionary and for weak references; those are managed
   and take no field.  All others become members of kind Py_T_OBJECT_EX behind
   the base's part, in the order of their names, so that classes with the same
   slots have the same layout.

   Manual: the language reference, "__slots__"; "Type Object Structures",
   tp_members. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/slot/slotnames.h"
#include "object/type/typedata.h"

/* The state of reading the names. */
struct reader {
    PyObject *class_name, *dict;
    PyTypeObject *base;
    struct pyb_slotnames *slots;
    PyObject *members; /* a list, owned */
};

/* ------------------------------------------------------------------ */
/* Features that need no name                                          */

static int
may_add_dict(PyTypeObject *base)
{
    return base->tp_dictoffset == 0;
}

static int
may_add_weakref(PyTypeObject *base)
{
    return base->tp_weaklistoffset == 0 && base->tp_itemsize == 0;
}

/* Bases other than the layout's may have what the latter lacks. */
static void
ask_other_bases(PyObject *bases, PyTypeObject *base,
                struct pyb_slotnames *slots)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *other = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);

        PYB_ASSERT(PyType_Check(other));
        if (other == base)
            continue;
        if (may_add_dict(base) && other->tp_dictoffset != 0)
            slots->dict = 1;
        if (may_add_weakref(base) && other->tp_weaklistoffset != 0)
            slots->weakref = 1;
    }
}

/* ------------------------------------------------------------------ */
/* One name                                                            */

/* __x in class C is _C__x.  A new reference, or NULL with an exception. */
static PyObject *
mangle(PyObject *class_name, PyObject *name)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(name, &size);
    const char *owner = PyUnicode_AsUTF8(class_name);

    if (text == NULL || owner == NULL)
        return NULL;
    owner += strspn(owner, "_");
    if (strncmp(text, "__", 2) != 0 || strcmp(text + size - 2, "__") == 0 ||
        *owner == '\0')
        return Py_NewRef(name);
    return PyUnicode_FromFormat("_%s%s", owner, text);
}

static int
check_name(PyObject *name)
{
    int identifier;

    if (!PyUnicode_Check(name))
        return pyb_failf(PyExc_TypeError,
                         "__slots__ items must be strings, not '%.200s'",
                         Py_TYPE(name)->tp_name);
    identifier = PyUnicode_IsIdentifier(name);
    if (identifier == 0)
        PyErr_SetString(PyExc_TypeError, "__slots__ must be identifiers");
    return identifier > 0 ? 0 : -1;
}

/* Sets *wanted; an error if it is impossible or already set. */
static int
want(int *wanted, int possible, const char *problem)
{
    if (!possible || *wanted)
        return pyb_fail(PyExc_TypeError, problem);
    *wanted = 1;
    return 0;
}

/* Are these names removed from the dictionary before the class is complete? */
static int
is_housekeeping(PyObject *name)
{
    return PyUnicode_EqualToUTF8(name, "__qualname__") ||
           PyUnicode_EqualToUTF8(name, "__classcell__");
}

static int
check_conflict(PyObject *dict, PyObject *name)
{
    int found = is_housekeeping(name) ? 0 : PyDict_Contains(dict, name);

    if (found > 0)
        PyErr_Format(PyExc_ValueError,
                     "%R in __slots__ conflicts with class variable", name);
    return found != 0 ? -1 : 0;
}

static int
add_member(struct reader *r, PyObject *name)
{
    PyObject *mangled = mangle(r->class_name, name);
    int result = -1;

    if (mangled != NULL && check_conflict(r->dict, mangled) == 0)
        result = PyList_Append(r->members, mangled);
    Py_XDECREF(mangled);
    return result;
}

static int
read_name(struct reader *r, PyObject *name)
{
    if (check_name(name) < 0)
        return -1;
    if (PyUnicode_EqualToUTF8(name, "__dict__"))
        return want(&r->slots->dict, may_add_dict(r->base),
                    "__dict__ slot disallowed: we already got one");
    if (PyUnicode_EqualToUTF8(name, "__weakref__"))
        return want(&r->slots->weakref, may_add_weakref(r->base),
                    "__weakref__ slot disallowed: either we already got one, "
                    "or __itemsize__ != 0");
    return add_member(r, name);
}

/* ------------------------------------------------------------------ */
/* All names                                                           */

/* The names as a new tuple; a str is one name. */
static PyObject *
as_tuple(PyObject *given)
{
    return PyUnicode_Check(given) ? PyTuple_Pack(1, given)
                                  : PySequence_Tuple(given);
}

/* Is the type variable-length according to the manual?  int and bytes are,
   although their objects here have no items. */
static int
is_variable_length(const PyTypeObject *type)
{
    return type->tp_itemsize != 0 ||
           (type->tp_flags &
            (Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_BYTES_SUBCLASS)) != 0;
}

static int
read_names(struct reader *r, PyObject *names)
{
    if (PyTuple_GET_SIZE(names) > 0 && is_variable_length(r->base))
        return pyb_failf(
            PyExc_TypeError,
            "nonempty __slots__ not supported for subtype of '%s'",
            r->base->tp_name);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++)
        if (read_name(r, PyTuple_GET_ITEM(names, i)) < 0)
            return -1;
    if (PyList_Sort(r->members) < 0)
        return -1;
    r->slots->names = PyList_AsTuple(r->members);
    return r->slots->names != NULL ? 0 : -1;
}

static int
read_given(struct reader *r, PyObject *given)
{
    PyObject *names = as_tuple(given);
    int result = -1;

    r->members = PyList_New(0);
    if (names != NULL && r->members != NULL)
        result = read_names(r, names);
    Py_XDECREF(r->members);
    Py_XDECREF(names);
    return result;
}

int
pyb_slotnames_read(PyObject *name, PyObject *dict, PyObject *bases,
                   PyTypeObject *base, struct pyb_slotnames *slots)
{
    struct reader r = {name, dict, base, slots, NULL};
    PyObject *given;
    int result;

    *slots = (struct pyb_slotnames){NULL, 0, 0};
    if (PyDict_GetItemStringRef(dict, "__slots__", &given) < 0)
        return -1;
    if (given == NULL) {
        slots->dict = may_add_dict(base);
        slots->weakref = may_add_weakref(base);
        return 0;
    }
    PYB_ASSERT(PyUnicode_Check(name) && PyDict_Check(dict));
    result = read_given(&r, given);
    Py_DECREF(given);
    if (result == 0)
        ask_other_bases(bases, base, slots);
    return result;
}

/* ------------------------------------------------------------------ */
/* In the type                                                         */

Py_ssize_t
pyb_slotnames_count(const struct pyb_slotnames *slots)
{
    return slots->names != NULL ? PyTuple_GET_SIZE(slots->names) : 0;
}

int
pyb_slotnames_set(PyHeapTypeObject *heap, PyTypeObject *base,
                  struct pyb_slotnames *slots)
{
    const Py_ssize_t unit = (Py_ssize_t)sizeof(PyObject *);
    Py_ssize_t end = (base->tp_basicsize + unit - 1) / unit * unit;
    Py_ssize_t n = pyb_slotnames_count(slots);
    PyMemberDef *member;

    heap->ht_slots = slots->names;
    slots->names = NULL;
    if (n == 0)
        return 0;
    PYB_ASSERT(n <= Py_ABS(Py_SIZE(heap))); /* there is room for them */
    PYB_ASSERT(end >= base->tp_basicsize);
    member = PyObject_GetItemData((PyObject *)heap);
    heap->ht_type.tp_members = member;
    for (Py_ssize_t i = 0; i < n; i++, member++, end += unit) {
        member->name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(heap->ht_slots, i));
        if (member->name == NULL)
            return -1;
        member->type = Py_T_OBJECT_EX;
        member->offset = end;
    }
    heap->ht_type.tp_basicsize = end;
    return 0;
}

/* The names of the type's own members; NULL if it has no __slots__. */
static PyObject *
own_names(PyTypeObject *type)
{
    return pyb_typedata_is_heap(type) ? ((PyHeapTypeObject *)type)->ht_slots
                                      : NULL;
}

int
pyb_slotnames_same(PyTypeObject *a, PyTypeObject *b)
{
    PyObject *of_a = own_names(a), *of_b = own_names(b);

    if (of_a == NULL || of_b == NULL || a->tp_base != b->tp_base ||
        a->tp_basicsize != b->tp_basicsize)
        return 0;
    return PyObject_RichCompareBool(of_a, of_b, Py_EQ);
}
