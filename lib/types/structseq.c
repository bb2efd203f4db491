/* structseq.c: types of tuples whose items are attributes too.

   An instance has all fields as a tuple has its items, and the size of a tuple
   of those in the sequence, which come first.  tp_basicsize has room for the
   others, the hidden ones.

   Manual: "Struct Sequence Objects". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "types/structseq.h"

const char *const PyStructSequence_UnnamedField = "unnamed field";

#define FIELDS(op) (((PyTupleObject *)(op))->ob_item)

/* The counts in a type's dictionary. */
#define VISIBLE "n_sequence_fields"
#define ALL "n_fields"
#define UNNAMED "n_unnamed_fields"

/* ------------------------------------------------------------------ */
/* Counts                                                              */

static Py_ssize_t
offset_of(Py_ssize_t i)
{
    return (Py_ssize_t)offsetof(PyTupleObject, ob_item) +
           i * (Py_ssize_t)sizeof(PyObject *);
}

/* How many fields an instance has behind those of the sequence. */
static Py_ssize_t
count_hidden(const PyTypeObject *type)
{
    Py_ssize_t bytes = type->tp_basicsize - offset_of(0);

    PYB_ASSERT_OBJECT(bytes >= 0, type);
    return bytes / (Py_ssize_t)sizeof(PyObject *);
}

/* How many fields an instance has, in the sequence or not.  May be called in
   tp_traverse. */
static Py_ssize_t
count_fields(PyObject *op)
{
    return Py_SIZE(op) + count_hidden(Py_TYPE(op));
}

/* A count of a type's dictionary; -1 with an exception. */
static Py_ssize_t
read_count(PyTypeObject *type, const char *name)
{
    PyObject *dict = PyType_GetDict(type), *count;
    Py_ssize_t value = -1;

    if (dict == NULL)
        return -1;
    if (PyDict_GetItemStringRef(dict, name, &count) == 0)
        PyErr_Format(PyExc_TypeError, "Missed attribute '%s' of type %s", name,
                     type->tp_name);
    else if (count != NULL)
        value = PyLong_AsSsize_t(count);
    Py_XDECREF(count);
    Py_DECREF(dict);
    return value;
}

/* The counts of a type; -1 with an exception. */
struct counts {
    Py_ssize_t visible, all, unnamed;
};

static int
read_counts(PyTypeObject *type, struct counts *counts)
{
    counts->visible = read_count(type, VISIBLE);
    counts->all = counts->visible < 0 ? -1 : read_count(type, ALL);
    counts->unnamed = counts->all < 0 ? -1 : read_count(type, UNNAMED);
    if (counts->unnamed >= 0 &&
        counts->all == counts->visible + count_hidden(type))
        return 0;
    if (!PyErr_Occurred()) /* whoever can set an attribute can set these */
        PyErr_Format(PyExc_TypeError,
                     "the numbers of fields of type %s were changed",
                     type->tp_name);
    return -1;
}

/* ------------------------------------------------------------------ */
/* Instances                                                           */

PyObject *
PyStructSequence_New(PyTypeObject *type)
{
    struct counts counts;

    if (type == NULL)
        return pyb_errors_null_argument();
    if (read_counts(type, &counts) < 0)
        return NULL;
    PyTupleObject *op =
        PyObject_GC_NewVar(PyTupleObject, type, counts.visible);
    if (op == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < counts.all; i++)
        op->ob_item[i] = NULL;
    PyObject_GC_Track((PyObject *)op);
    return (PyObject *)op;
}

void
PyStructSequence_SetItem(PyObject *op, Py_ssize_t i, PyObject *value)
{
    PYB_ASSERT_OBJECT(i >= 0 && i < count_fields(op), op);
    FIELDS(op)[i] = value;
}

PyObject *
PyStructSequence_GetItem(PyObject *op, Py_ssize_t i)
{
    PYB_ASSERT_OBJECT(i >= 0 && i < count_fields(op), op);
    return FIELDS(op)[i];
}

static void
structseq_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    for (Py_ssize_t i = count_fields(op); --i >= 0;)
        Py_XDECREF(FIELDS(op)[i]);
    PyObject_GC_Del(op);
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE)
        Py_DECREF(type);
}

/* There is no tp_clear, as for tuples. */
int
pyb_structseq_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (Py_TYPE(op)->tp_flags & Py_TPFLAGS_HEAPTYPE)
        Py_VISIT(Py_TYPE(op));
    for (Py_ssize_t i = count_fields(op); --i >= 0;)
        Py_VISIT(FIELDS(op)[i]);
    return 0;
}

/* ------------------------------------------------------------------ */
/* From a sequence and a dictionary                                    */

static int
check_length(PyTypeObject *type, const struct counts *counts, Py_ssize_t n)
{
    if (n >= counts->visible && n <= counts->all)
        return 0;
    if (counts->visible == counts->all)
        return pyb_failf(PyExc_TypeError,
                         "%.500s() takes a %zd-sequence (%zd-sequence given)",
                         type->tp_name, counts->visible, n);
    if (n < counts->visible)
        return pyb_failf(
            PyExc_TypeError,
            "%.500s() takes an at least %zd-sequence (%zd-sequence given)",
            type->tp_name, counts->visible, n);
    return pyb_failf(
        PyExc_TypeError,
        "%.500s() takes an at most %zd-sequence (%zd-sequence given)",
        type->tp_name, counts->all, n);
}

/* The name of field i, or NULL. */
static const char *
name_of(PyTypeObject *type, Py_ssize_t i)
{
    for (const PyMemberDef *m = type->tp_members; m->name != NULL; m++)
        if (m->offset == offset_of(i))
            return m->name;
    return NULL;
}

/* Fills the fields from number n on from a dictionary, or with None. */
static int
fill_from_dict(PyObject *op, const struct counts *counts, Py_ssize_t n,
               PyObject *dict)
{
    Py_ssize_t found = 0;

    for (Py_ssize_t i = n; i < counts->all; i++) {
        PyObject *value = NULL;
        const char *name = name_of(Py_TYPE(op), i);
        if (dict != NULL && name != NULL) {
            int is_there = PyDict_GetItemStringRef(dict, name, &value);
            if (is_there < 0)
                return -1;
            found += is_there;
        }
        FIELDS(op)[i] = value != NULL ? value : Py_NewRef(Py_None);
    }
    if (dict != NULL && PyDict_Size(dict) > found)
        return pyb_failf(PyExc_TypeError,
                         "%.500s() got duplicate or unexpected field name(s)",
                         Py_TYPE(op)->tp_name);
    return 0;
}

static PyObject *
make(PyTypeObject *type, PyObject *items, PyObject *dict)
{
    Py_ssize_t n = PyTuple_GET_SIZE(items);
    struct counts counts;

    if (read_counts(type, &counts) < 0 || check_length(type, &counts, n) < 0)
        return NULL;
    PyObject *op = PyStructSequence_New(type);
    if (op == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        FIELDS(op)[i] = Py_NewRef(PyTuple_GET_ITEM(items, i));
    if (fill_from_dict(op, &counts, n, dict) < 0)
        Py_CLEAR(op);
    return op;
}

/* A tuple of the items; PySequence_Fast has the text for what is none. */
static PyObject *
tuple_from(PyObject *sequence)
{
    PyObject *fast =
        PySequence_Fast(sequence, "constructor requires a sequence");
    PyObject *items = fast == NULL ? NULL : PySequence_Tuple(fast);

    Py_XDECREF(fast);
    return items;
}

static PyObject *
structseq_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"sequence", "dict", NULL};
    PyObject *sequence, *dict = NULL, *op = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:structseq", names,
                                     &sequence, &dict))
        return NULL;
    PyObject *items = tuple_from(sequence);
    if (items == NULL)
        return NULL;
    if (dict == NULL || PyDict_Check(dict))
        op = make(type, items, dict);
    else
        PyErr_Format(PyExc_TypeError,
                     "%.500s() takes a dict as second arg, if any",
                     type->tp_name);
    Py_DECREF(items);
    return op;
}

/* ------------------------------------------------------------------ */
/* Text and copies                                                     */

/* "name=repr" for each item; a new list.  The names are those of the members
   in their order, which is not the items' where one of these is unnamed. */
static PyObject *
list_parts(PyObject *op)
{
    const PyMemberDef *member = Py_TYPE(op)->tp_members;
    PyObject *parts = PyList_New(0);

    for (Py_ssize_t i = 0; parts != NULL && i < Py_SIZE(op); i++, member++) {
        PyObject *part = NULL;
        if (member->name == NULL)
            PyErr_Format(PyExc_SystemError,
                         "In structseq_repr(), member %zd name is NULL for "
                         "type %.500s",
                         i, Py_TYPE(op)->tp_name);
        else
            part = PyUnicode_FromFormat("%s=%R", member->name, FIELDS(op)[i]);
        if (pyb_append_stolen(parts, part) < 0)
            Py_CLEAR(parts);
    }
    return parts;
}

static PyObject *
structseq_repr(PyObject *op)
{
    return pyb_sequence_join(Py_TYPE(op)->tp_name, "(", list_parts(op), ")");
}

/* The fields that are not in the sequence, by name; new. */
static PyObject *
dict_of_hidden(PyObject *op, const struct counts *counts)
{
    PyObject *dict = PyDict_New();

    for (Py_ssize_t i = counts->visible; dict != NULL && i < counts->all;
         i++) {
        const char *name = name_of(Py_TYPE(op), i);
        PyObject *value = FIELDS(op)[i] != NULL ? FIELDS(op)[i] : Py_None;
        if (name != NULL && PyDict_SetItemString(dict, name, value) < 0)
            Py_CLEAR(dict);
    }
    return dict;
}

static PyObject *
structseq_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct counts counts;
    PyObject *items, *dict = NULL, *result = NULL;

    if (read_counts(Py_TYPE(op), &counts) < 0)
        return NULL;
    items = PyTuple_FromArray(FIELDS(op), counts.visible);
    if (items != NULL)
        dict = dict_of_hidden(op, &counts);
    if (dict != NULL)
        result = Py_BuildValue("(O(OO))", Py_TYPE(op), items, dict);
    Py_XDECREF(dict);
    Py_XDECREF(items);
    return result;
}

/* Fills the fields of a copy: the changes that have a field are taken out. */
static int
fill_changed(PyObject *copy, PyObject *op, const struct counts *counts,
             PyObject *changes)
{
    for (Py_ssize_t i = 0; i < counts->all; i++) {
        PyObject *value = NULL;
        const char *name = name_of(Py_TYPE(op), i);
        if (changes != NULL && PyDict_PopString(changes, name, &value) < 0)
            return -1;
        FIELDS(copy)[i] = value != NULL ? value : Py_XNewRef(FIELDS(op)[i]);
    }
    if (changes == NULL || PyDict_Size(changes) == 0)
        return 0;
    PyObject *names = PyDict_Keys(changes);
    if (names != NULL)
        PyErr_Format(PyExc_TypeError, "Got unexpected field name(s): %R",
                     names);
    Py_XDECREF(names);
    return -1;
}

static PyObject *
structseq_replace(PyObject *op, PyObject *args, PyObject *kwds)
{
    struct counts counts;

    if (PyTuple_GET_SIZE(args) > 0)
        return pyb_raise(PyExc_TypeError,
                         "__replace__() takes no positional arguments");
    if (read_counts(Py_TYPE(op), &counts) < 0)
        return NULL;
    if (counts.unnamed > 0)
        return PyErr_Format(PyExc_TypeError,
                            "__replace__() is not supported for %.500s "
                            "because it has unnamed field(s)",
                            Py_TYPE(op)->tp_name);
    PyObject *changes = kwds == NULL ? NULL : PyDict_Copy(kwds);
    if (kwds != NULL && changes == NULL)
        return NULL;
    PyObject *copy = PyStructSequence_New(Py_TYPE(op));
    if (copy != NULL && fill_changed(copy, op, &counts, changes) < 0)
        Py_CLEAR(copy);
    Py_XDECREF(changes);
    return copy;
}

static PyMethodDef structseq_methods[] = {
    {"__reduce__", structseq_reduce, METH_NOARGS, NULL},
    {"__replace__", _PyCFunction_CAST(structseq_replace),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("Return a copy with other values of some fields.")},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* Types                                                               */

/* The counts of a description; -1 with SystemError if more fields are to be in
   the sequence than there are. */
static int
count_description(const PyStructSequence_Desc *desc, struct counts *counts)
{
    *counts = (struct counts){.visible = desc->n_in_sequence};
    for (const PyStructSequence_Field *field = desc->fields;
         field->name != NULL; field++) {
        counts->all++;
        counts->unnamed += field->name == PyStructSequence_UnnamedField;
    }
    if (counts->visible < 0 || counts->visible > counts->all)
        return PYB_BAD_CALL(-1);
    return 0;
}

/* The members of the fields that have names, to be freed; NULL with
   MemoryError. */
static PyMemberDef *
make_members(const PyStructSequence_Desc *desc, const struct counts *counts)
{
    PyMemberDef *members = PyMem_Calloc(
        (size_t)(counts->all - counts->unnamed) + 1, sizeof(PyMemberDef));
    PyMemberDef *member = members;

    if (members == NULL)
        return PYB_MEMORY_ERROR(NULL);
    for (Py_ssize_t i = 0; i < counts->all; i++) {
        if (desc->fields[i].name == PyStructSequence_UnnamedField)
            continue;
        member->name = desc->fields[i].name;
        member->type = _Py_T_OBJECT;
        member->offset = offset_of(i);
        member->flags = Py_READONLY;
        member->doc = desc->fields[i].doc;
        member++;
    }
    return members;
}

static Py_ssize_t
basic_size(const struct counts *counts)
{
    return offset_of(counts->all - counts->visible);
}

/* The names of the fields in the sequence, but the unnamed; a new tuple. */
static PyObject *
match_args(const PyStructSequence_Desc *desc)
{
    PyObject *names = PyList_New(0), *result = NULL;

    for (int i = 0; names != NULL && i < desc->n_in_sequence; i++) {
        const char *name = desc->fields[i].name;
        if (name != PyStructSequence_UnnamedField &&
            pyb_append_stolen(names, PyUnicode_FromString(name)) < 0)
            Py_CLEAR(names);
    }
    if (names != NULL)
        result = PyList_AsTuple(names);
    Py_XDECREF(names);
    return result;
}

/* Puts an object, which is stolen, into a dictionary; NULL is passed on. */
static int
put(PyObject *dict, const char *name, PyObject *value)
{
    if (value == NULL)
        return -1;
    int result = PyDict_SetItemString(dict, name, value);
    Py_DECREF(value);
    return result;
}

static int
fill_dict(PyTypeObject *type, const PyStructSequence_Desc *desc,
          const struct counts *counts)
{
    PyObject *dict = PyType_GetDict(type);
    int result = -1;

    if (dict == NULL)
        return -1;
    if (put(dict, VISIBLE, PyLong_FromSsize_t(counts->visible)) == 0 &&
        put(dict, ALL, PyLong_FromSsize_t(counts->all)) == 0 &&
        put(dict, UNNAMED, PyLong_FromSsize_t(counts->unnamed)) == 0)
        result = put(dict, "__match_args__", match_args(desc));
    PyType_Modified(type);
    Py_DECREF(dict);
    return result;
}

static PyTypeObject *
type_of(const PyStructSequence_Desc *desc, const struct counts *counts,
        PyMemberDef *members)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)structseq_dealloc},
        {Py_tp_traverse, (void *)pyb_structseq_traverse},
        {Py_tp_repr, (void *)structseq_repr},
        {Py_tp_doc, (void *)(uintptr_t)desc->doc},
        {Py_tp_methods, structseq_methods},
        {Py_tp_new, (void *)structseq_new},
        {Py_tp_members, members},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = desc->name,
        .basicsize = (int)basic_size(counts),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
        .slots = slots,
    };

    return (PyTypeObject *)PyType_FromSpecWithBases(&spec,
                                                    (PyObject *)&PyTuple_Type);
}

PyTypeObject *
PyStructSequence_NewType(PyStructSequence_Desc *desc)
{
    struct counts counts;

    if (desc == NULL || desc->name == NULL || desc->fields == NULL)
        return PYB_BAD_CALL(NULL);
    if (count_description(desc, &counts) < 0)
        return NULL;
    PyMemberDef *members = make_members(desc, &counts);
    if (members == NULL)
        return NULL;
    PyTypeObject *type = type_of(desc, &counts, members);
    PyMem_Free(members);
    if (type != NULL && fill_dict(type, desc, &counts) < 0)
        Py_CLEAR(type);
    return type;
}

/* A static type keeps its members for good, as descriptors refer to them. */
int
PyStructSequence_InitType2(PyTypeObject *type, PyStructSequence_Desc *desc)
{
    struct counts counts;

    if (type == NULL || desc == NULL || desc->name == NULL ||
        desc->fields == NULL)
        return PYB_BAD_CALL(-1);
    if (count_description(desc, &counts) < 0)
        return -1;
    PyMemberDef *members = make_members(desc, &counts);
    if (members == NULL)
        return -1;
    type->tp_name = desc->name;
    type->tp_basicsize = basic_size(&counts);
    type->tp_itemsize = sizeof(PyObject *);
    type->tp_dealloc = structseq_dealloc;
    type->tp_traverse = pyb_structseq_traverse;
    type->tp_repr = structseq_repr;
    type->tp_doc = desc->doc;
    type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
    type->tp_base = &PyTuple_Type;
    type->tp_methods = structseq_methods;
    type->tp_members = members;
    type->tp_new = structseq_new;
    return PyType_Ready(type) < 0 ? -1 : fill_dict(type, desc, &counts);
}

void
PyStructSequence_InitType(PyTypeObject *type, PyStructSequence_Desc *desc)
{
    (void)PyStructSequence_InitType2(type, desc);
}
