/* spec.c: fuzzes PyType_FromSpec: the slots, in any order and number, the
   sizes, flags, bases, members and doc strings come from the input.

   Promised: NULL with an exception, or a type without; a type can be used as
   its slots permit; and when it is dropped nothing keeps it alive. */

#include "fuzz.h"

enum { SLOTS = 12, MEMBERS = 4, TEXT = 48 };

static int
traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return PyObject_VisitManagedDict(self, visit, arg);
}

static int
clear(PyObject *self)
{
    PyObject_ClearManagedDict(self);
    return 0;
}

static PyObject *
unary(PyObject *self)
{
    return Py_NewRef(self);
}

static PyObject *
binary(PyObject *Py_UNUSED(left), PyObject *Py_UNUSED(right))
{
    Py_RETURN_NOTIMPLEMENTED;
}

static Py_ssize_t
length(PyObject *Py_UNUSED(self))
{
    return 3;
}

static PyObject *
item(PyObject *Py_UNUSED(self), Py_ssize_t i)
{
    return PyLong_FromSsize_t(i);
}

static PyObject *
text(PyObject *Py_UNUSED(self))
{
    return PyUnicode_FromString("text");
}

static Py_hash_t
hash(PyObject *Py_UNUSED(self))
{
    return 7;
}

static PyObject *
compare(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b), int Py_UNUSED(how))
{
    Py_RETURN_NOTIMPLEMENTED;
}

static void
finalize(PyObject *Py_UNUSED(self))
{
}

static int
initialize(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args),
           PyObject *Py_UNUSED(kwargs))
{
    return 0;
}

static PyObject *
method(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arg))
{
    Py_RETURN_NONE;
}

static char doc[TEXT], method_doc[TEXT];
static PyMethodDef methods[] = {
    {"none", method, METH_NOARGS, method_doc},
    {"one", method, METH_O, NULL},
    {"made", method, METH_O | METH_CLASS, ""},
    {"still", method, METH_O | METH_STATIC, method_doc},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef getset[] = {
    {"got", NULL, NULL, method_doc, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyMemberDef members[MEMBERS + 1];
static PyObject *bases;

/* What a slot may have; 0 is a slot that does not exist. */
static const PyType_Slot choices[] = {
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_doc, doc},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_getset, getset},
    {Py_tp_repr, text},
    {Py_tp_str, text},
    {Py_tp_hash, hash},
    {Py_tp_richcompare, compare},
    {Py_tp_finalize, finalize},
    {Py_tp_init, initialize},
    {Py_tp_iter, unary},
    {Py_tp_iternext, unary},
    {Py_nb_add, binary},
    {Py_nb_negative, unary},
    {Py_sq_length, length},
    {Py_sq_item, item},
    {Py_mp_length, length},
    {Py_mp_subscript, binary},
    {Py_sq_concat, binary},
    {Py_tp_base, &PyBaseObject_Type},
    {Py_tp_base, &PyList_Type},
    {Py_tp_base, &PyDict_Type},
    {Py_tp_base, &PyLong_Type},
    {Py_tp_base, &PyUnicode_Type},
    {Py_tp_base, &PyTuple_Type},
    {Py_tp_base, &PyType_Type},
    {Py_tp_base, &PyBool_Type}, /* not a base */
    {Py_tp_bases, NULL},        /* bases */
    {Py_tp_traverse, NULL},
    {Py_tp_doc, NULL},
    {999, unary},
    {-3, unary},
};

static void
fill_slots(PyType_Slot *slots, struct fuzz_input *in)
{
    unsigned n = fuzz_below(in, SLOTS);

    for (; n > 0; n--, slots++) {
        *slots = choices[fuzz_below(in, Py_ARRAY_LENGTH(choices))];
        if (slots->slot == Py_tp_bases)
            slots->pfunc = bases;
    }
    *slots = (PyType_Slot){0, NULL};
}

/* Is there a slot that only a container has?  Without the flag, on a base that
   has it, that is a type for whose objects no deallocator is right; that is
   not checked when the type is made. */
static int
is_container(const PyType_Slot *slots)
{
    for (; slots->slot != 0; slots++)
        if (slots->slot == Py_tp_traverse || slots->slot == Py_tp_clear)
            return 1;
    return 0;
}

/* Numbers that are read only, at places that every instance has, and the three
   members that say where something is. */
static void
fill_members(struct fuzz_input *in, int basicsize)
{
    static const char *const names[] = {"x", "y", "__dictoffset__",
                                        "__weaklistoffset__", "x"};
    static const int types[] = {Py_T_INT,   Py_T_LONG, Py_T_DOUBLE,
                                Py_T_UBYTE, Py_T_BOOL, Py_T_PYSSIZET};
    unsigned n = basicsize >= 64 ? fuzz_below(in, MEMBERS + 1) : 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned name = fuzz_below(in, Py_ARRAY_LENGTH(names));
        int special = *names[name] == '_';
        members[i] = (PyMemberDef){
            .name = names[name],
            .type = special ? Py_T_PYSSIZET : types[fuzz_below(in, 6)],
            .offset = special ? (Py_ssize_t)(16 + 8 * name) : 48,
            .flags = Py_READONLY |
                     (fuzz_below(in, 8) == 7 ? Py_RELATIVE_OFFSET : 0),
        };
    }
    members[n] = (PyMemberDef){0};
}

/* With '$' for the ends of its lines. */
static void
fill_doc(struct fuzz_input *in, char *out)
{
    size_t n = fuzz_text(in, out, TEXT);

    for (size_t i = 0; i < n; i++)
        if (out[i] == '$')
            out[i] = '\n';
}

static unsigned
make_flags(struct fuzz_input *in)
{
    static const unsigned long flags[] = {
        Py_TPFLAGS_BASETYPE,        Py_TPFLAGS_HAVE_GC,
        Py_TPFLAGS_MANAGED_DICT,    Py_TPFLAGS_MANAGED_WEAKREF,
        Py_TPFLAGS_IMMUTABLETYPE,   Py_TPFLAGS_DISALLOW_INSTANTIATION,
        Py_TPFLAGS_HAVE_VECTORCALL,
    };
    unsigned choice = fuzz_below(in, 128), result = Py_TPFLAGS_DEFAULT;

    for (unsigned i = 0; i < Py_ARRAY_LENGTH(flags); i++)
        if (choice >> i & 1)
            result |= (unsigned)flags[i];
    return result & ~(unsigned)Py_TPFLAGS_HAVE_VECTORCALL;
}

static void
drop(PyObject *op)
{
    Py_XDECREF(op);
    PyErr_Clear();
}

/* Can the collector find a cycle through the instances' dict?  A dict at an
   offset is not one that traverse visits. */
static int
visits_dict(PyTypeObject *type)
{
    for (const PyMemberDef *m = members; m->name != NULL; m++)
        if (strcmp(m->name, "__dictoffset__") == 0)
            return 0;
    return PyType_IS_GC(type) && type->tp_traverse == traverse;
}

static void
use_instance(PyObject *op)
{
    drop(PyObject_Repr(op));
    drop(PyObject_Str(op));
    (void)PyObject_Hash(op);
    PyErr_Clear();
    (void)PyObject_Size(op);
    PyErr_Clear();
    drop(PyObject_GetIter(op));
    drop(PyNumber_Add(op, op));
    drop(PySequence_GetItem(op, 1));
    drop(PyObject_GetAttrString(op, "x"));
    drop(PyObject_GetAttrString(op, "__dict__"));
    drop(PyObject_CallMethod(op, "none", NULL));
    drop(PyObject_Dir(op));
    if (visits_dict(Py_TYPE(op)))
        (void)PyObject_SetAttrString(op, "cycle", op);
    PyErr_Clear();
    PyObject *reference = PyWeakref_NewRef(op, NULL);
    PyErr_Clear();
    Py_DECREF(op);
    drop(reference);
}

static void
use_type(PyObject *type)
{
    static const char *const names[] = {
        "__doc__",  "__text_signature__", "__mro__", "__module__",
        "__base__", "__qualname__",       "none",    "__dict__"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        drop(PyObject_GetAttrString(type, names[i]));
    drop(PyObject_Repr(type));
    PyObject *op = PyObject_CallNoArgs(type);
    fuzz_check((op == NULL) == (PyErr_Occurred() != NULL));
    PyErr_Clear();
    if (op != NULL)
        use_instance(op);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int sizes[] = {0, 16, 64, 64, 128, 24, 8, -64, -16, 4096};
    struct fuzz_input in = fuzz_begin(data, size);
    PyType_Slot slots[SLOTS + 1];
    char name[TEXT];
    PyType_Spec spec = {
        .name = name,
        .basicsize = sizes[fuzz_below(&in, Py_ARRAY_LENGTH(sizes))],
        .itemsize = fuzz_below(&in, 8) == 7 ? 8 : 0,
        .flags = make_flags(&in),
        .slots = slots,
    };

    fuzz_text(&in, name, sizeof(name));
    fill_doc(&in, doc);
    fill_doc(&in, method_doc);
    bases = PyTuple_Pack(2, &PyList_Type, &PyBaseObject_Type);
    fill_slots(slots, &in);
    fill_members(&in, spec.basicsize);
    if (is_container(slots))
        spec.flags |= Py_TPFLAGS_HAVE_GC;

    PyObject *type = PyType_FromSpec(&spec);
    fuzz_raised(type == NULL);
    if (type != NULL) {
        PyObject *reference = PyWeakref_NewRef(type, NULL), *there;
        fuzz_check(reference != NULL);
        use_type(type);
        Py_DECREF(type);
        PyGC_Collect();
        fuzz_check(PyWeakref_GetRef(reference, &there) == 0);
        Py_DECREF(reference);
    }
    Py_DECREF(bases);
    fuzz_end();
    return 0;
}
