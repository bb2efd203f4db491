/* check_type.c: types as objects: their orders of resolution, attributes and
   calls, and types made at run time. */

#include "../support/suite.h"

#include <string.h>

/* type(name, bases, dict); steals bases, NULL: (). */
static PyObject *
make_class(const char *name, PyObject *bases)
{
    PyObject *dict = PyDict_New();
    PyObject *result;

    if (bases == NULL)
        bases = PyTuple_New(0);
    ck_assert_ptr_nonnull(bases);
    result = PyObject_CallFunction((PyObject *)&PyType_Type, "sOO", name,
                                   bases, dict);
    suite_drop(bases, dict);
    return result;
}

static void
assert_attribute(PyObject *op, const char *name, const char *repr)
{
    PyObject *value = suite_require(PyObject_GetAttrString(op, name));
    suite_new_text(PyObject_Repr(value), repr);
    Py_DECREF(value);
}

static void
refuse_attribute(PyObject *op, const char *name, PyObject *value,
                 PyObject *exception, const char *text)
{
    suite_failed(PyObject_SetAttrString(op, name, value), exception, text);
}

/* The names of the type's MRO, in order. */
static void
assert_mro(PyObject *type, const char *expected)
{
    PyObject *mro = ((PyTypeObject *)type)->tp_mro;
    char text[200] = "";

    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);

        strcat(text, base->tp_name);
        strcat(text, " ");
    }
    ck_assert_str_eq(text, expected);
}

/* ------------------------------------------------------------------ */
/* Method resolution order                                             */

START_TEST(a_chain_is_searched_from_below)
{
    PyObject *a = make_class("A", NULL);
    PyObject *b = make_class("B", PyTuple_Pack(1, a));

    assert_mro(a, "A object ");
    assert_mro(b, "B A object ");
    assert_mro((PyObject *)&PyBool_Type, "bool int object ");
    assert_mro((PyObject *)&PyBaseObject_Type, "object ");
    assert_mro((PyObject *)&PyType_Type, "type object ");
    suite_drop(b, a);
}

START_TEST(a_diamond_is_searched_breadth_first)
{
    PyObject *top = make_class("T", NULL);
    PyObject *left = make_class("L", PyTuple_Pack(1, top));
    PyObject *right = make_class("R", PyTuple_Pack(1, top));
    PyObject *bottom =
        suite_require(make_class("B", PyTuple_Pack(2, left, right)));
    assert_mro(bottom, "B L R T object ");
    ck_assert(PyType_IsSubtype((PyTypeObject *)bottom, (PyTypeObject *)top));
    ck_assert(!PyType_IsSubtype((PyTypeObject *)left, (PyTypeObject *)right));
    suite_drop(bottom, right, left, top);
}

START_TEST(a_merge_keeps_every_base_s_order)
{
    PyObject *a = make_class("A", NULL), *b = make_class("B", NULL);
    PyObject *c = make_class("C", NULL), *d = make_class("D", NULL);
    PyObject *x = make_class("X", PyTuple_Pack(2, a, b));
    PyObject *y = make_class("Y", PyTuple_Pack(2, c, b));
    PyObject *z = suite_require(make_class("Z", PyTuple_Pack(3, x, y, d)));
    assert_mro(z, "Z X A Y C B D object ");
    suite_drop(z, y, x, d, c, b, a);
}

START_TEST(contradicting_orders_are_refused)
{
    PyObject *a = make_class("A", NULL), *b = make_class("B", NULL);
    PyObject *x = make_class("X", PyTuple_Pack(2, a, b));
    PyObject *y = make_class("Y", PyTuple_Pack(2, b, a));
    PyObject *object = (PyObject *)&PyBaseObject_Type;

    suite_refused(make_class("Z", PyTuple_Pack(2, x, y)), PyExc_TypeError,
                  "Cannot create a consistent method resolution order (MRO) "
                  "for bases A, B");
    suite_refused(make_class("Z", PyTuple_Pack(2, object, a)), PyExc_TypeError,
                  "Cannot create a consistent method resolution order (MRO) "
                  "for bases object, A");
    suite_refused(make_class("Z", PyTuple_Pack(2, a, a)), PyExc_TypeError,
                  "duplicate base class A");
    suite_drop(y, x, b, a);
}

START_TEST(a_type_not_ready_is_a_subtype_of_its_bases)
{
    static PyTypeObject base = {PyVarObject_HEAD_INIT(NULL, 0).tp_name =
                                    "t.Base"};
    static PyTypeObject derived = {PyVarObject_HEAD_INIT(NULL, 0).tp_base =
                                       &base};

    ck_assert(PyType_IsSubtype(&derived, &base));
    ck_assert(PyType_IsSubtype(&derived, &derived));
    ck_assert(PyType_IsSubtype(&derived, &PyBaseObject_Type));
    ck_assert(!PyType_IsSubtype(&base, &derived));
    ck_assert(!PyType_IsSubtype(&derived, &PyLong_Type));
}

/* ------------------------------------------------------------------ */
/* Bases                                                               */

START_TEST(bases_must_be_acceptable)
{
    PyObject *number = PyLong_FromLong(1);

    suite_refused(make_class("X", PyTuple_Pack(1, (PyObject *)&PyBool_Type)),
                  PyExc_TypeError,
                  "type 'bool' is not an acceptable base type");
    suite_refused(make_class("X", PyTuple_Pack(2, &PyList_Type, &PyDict_Type)),
                  PyExc_TypeError,
                  "multiple bases have instance lay-out conflict");
    suite_refused(
        make_class("X", PyTuple_Pack(1, number)), PyExc_TypeError,
        "metaclass conflict: the metaclass of a derived class must be a "
        "(non-strict) subclass of the metaclasses of all its bases");
    Py_DECREF(number);
}

START_TEST(the_base_with_the_larger_layout_becomes_tp_base)
{
    PyObject *plain = make_class("P", NULL);
    PyObject *both =
        make_class("B", PyTuple_Pack(2, plain, (PyObject *)&PyList_Type));
    PyObject *list;

    ck_assert_ptr_nonnull(both);
    ck_assert_ptr_eq(((PyTypeObject *)both)->tp_base, &PyList_Type);
    list = suite_require(PyObject_CallNoArgs(both));
    ck_assert(PyList_Check(list));
    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    ck_assert_int_eq(PyObject_SetAttrString(list, "x", Py_None), 0);
    suite_drop(list, both, plain);
}

/* ------------------------------------------------------------------ */
/* Calls                                                               */

START_TEST(type_of_one_argument_asks_for_the_type)
{
    PyObject *type = (PyObject *)&PyType_Type;
    PyObject *result = PyObject_CallOneArg(type, Py_None);
    PyObject *kwds = Py_BuildValue("{s:i}", "k", 1);
    PyObject *args = PyTuple_Pack(1, Py_None);

    ck_assert_ptr_eq(result, (PyObject *)Py_TYPE(Py_None));
    suite_refused(PyObject_CallNoArgs(type), PyExc_TypeError,
                  "type() takes 1 or 3 arguments");
    suite_refused(PyObject_CallFunction(type, "OO", Py_None, Py_None),
                  PyExc_TypeError, "type() takes 1 or 3 arguments");
    suite_refused(PyObject_Call(type, args, kwds), PyExc_TypeError,
                  "type() takes no keyword arguments");
    suite_refused(
        PyObject_CallFunction(type, "OOO", Py_None, Py_None, Py_None),
        PyExc_TypeError, "type.__new__() argument 1 must be str, not None");
    suite_drop(args, kwds, result);
}

START_TEST(arguments_that_nobody_takes_are_refused)
{
    PyObject *cls = make_class("C", NULL);

    suite_refused(PyObject_CallOneArg(cls, Py_None), PyExc_TypeError,
                  "C() takes no arguments");
    suite_refused(PyObject_CallOneArg((PyObject *)&PyBaseObject_Type, Py_None),
                  PyExc_TypeError, "object() takes no arguments");
    Py_DECREF(cls);
}

static int inits;

static int
count_init(PyObject *Py_UNUSED(self), PyObject *args,
           PyObject *Py_UNUSED(kwds))
{
    inits++;
    if (PyTuple_GET_SIZE(args) == 0)
        return 0;
    PyErr_SetString(PyExc_ValueError, "no, thanks");
    return -1;
}

static PyObject *
new_none(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args),
         PyObject *Py_UNUSED(kwds))
{
    Py_RETURN_NONE;
}

START_TEST(a_call_makes_and_initialises)
{
    PyType_Slot slots[] = {{Py_tp_init, (void *)count_init}, {0, NULL}};
    PyType_Spec spec = {"t.Init", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type = PyType_FromSpec(&spec);
    Py_ssize_t count;
    PyObject *op;

    ck_assert_ptr_nonnull(type);
    count = Py_REFCNT(type);
    op = suite_require(PyObject_CallNoArgs(type));
    ck_assert_int_eq(inits, 1);
    Py_DECREF(op);
    suite_refused(PyObject_CallOneArg(type, Py_None), PyExc_ValueError,
                  "no, thanks");
    ck_assert_int_eq(inits, 2);
    ck_assert_int_eq(Py_REFCNT(type), count);
    Py_DECREF(type);
}

START_TEST(what_is_no_instance_is_not_initialised)
{
    PyType_Slot slots[] = {{Py_tp_init, (void *)count_init},
                           {Py_tp_new, (void *)new_none},
                           {0, NULL}};
    PyType_Spec spec = {"t.None", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type = suite_require(PyType_FromSpec(&spec));
    inits = 0;
    ck_assert_ptr_eq(PyObject_CallNoArgs(type), Py_None);
    ck_assert_int_eq(inits, 0);
    Py_DECREF(type);
}

static PyObject *
fast(PyObject *Py_UNUSED(type), PyObject *const *Py_UNUSED(args),
     size_t nargsf, PyObject *Py_UNUSED(kwnames))
{
    return PyLong_FromSsize_t(PyVectorcall_NARGS(nargsf));
}

START_TEST(a_type_s_own_vectorcall_is_used)
{
    PyType_Slot slots[] = {{Py_tp_vectorcall, (void *)fast}, {0, NULL}};
    PyType_Spec spec = {"t.Fast", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type = PyType_FromSpec(&spec);
    PyObject *result;

    ck_assert_ptr_nonnull(type);
    result = PyObject_CallOneArg(type, Py_None);
    ck_assert_int_eq(PyLong_AsLong(result), 1);
    suite_drop(result, type);
}

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

static PyObject *
get_self(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return self == NULL ? PyUnicode_FromString("no self") : Py_NewRef(self);
}

static PyMethodDef methods[] = {
    {"me", get_self, METH_NOARGS, NULL},
    {"cls", get_self, METH_NOARGS | METH_CLASS, NULL},
    {"nobody", get_self, METH_NOARGS | METH_STATIC, NULL},
    {NULL, NULL, 0, NULL}};

static PyTypeObject documented = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "pack.mod.Documented",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Documented(a, b=1)\n--\n\nSays so.",
    .tp_methods = methods,
    .tp_new = PyType_GenericNew};

START_TEST(a_static_type_tells_its_names)
{
    PyObject *type = (PyObject *)&documented;

    ck_assert_int_eq(PyType_Ready(&documented), 0);
    assert_attribute(type, "__name__", "'Documented'");
    assert_attribute(type, "__qualname__", "'Documented'");
    assert_attribute(type, "__module__", "'pack.mod'");
    assert_attribute(type, "__doc__", "'Says so.'");
    assert_attribute(type, "__text_signature__", "'(a, b=1)'");
    assert_attribute(type, "__bases__", "(<class 'object'>,)");
    assert_attribute(type, "__base__", "<class 'object'>");
    assert_attribute(type, "__mro__",
                     "(<class 'pack.mod.Documented'>, <class 'object'>)");
    assert_attribute(type, "__basicsize__", "16");
    assert_attribute(type, "__itemsize__", "0");
    assert_attribute(type, "__dictoffset__", "0");
    assert_attribute(type, "__class__", "<class 'type'>");
    assert_attribute((PyObject *)&PyLong_Type, "__module__", "'builtins'");
    suite_new_text(PyObject_Repr(type), "<class 'pack.mod.Documented'>");
    suite_new_text(PyType_GetName(&documented), "Documented");
    suite_new_text(PyType_GetQualName(&documented), "Documented");
    suite_new_text(PyType_GetModuleName(&documented), "pack.mod");
    suite_new_text(PyType_GetFullyQualifiedName(&documented),
                   "pack.mod.Documented");
    suite_new_text(PyType_GetFullyQualifiedName(&PyLong_Type), "int");
}

START_TEST(a_static_type_is_immutable)
{
    PyObject *type = (PyObject *)&PyLong_Type;
    const char *const text =
        "cannot set 'x' attribute of immutable type 'int'";

    refuse_attribute(type, "x", Py_None, PyExc_TypeError, text);
    refuse_attribute(type, "x", NULL, PyExc_TypeError, text);
    suite_refused(PyObject_GetAttrString(type, "x"), PyExc_AttributeError,
                  "type object 'int' has no attribute 'x'");
}

START_TEST(methods_are_bound_to_what_their_flags_say)
{
    PyObject *type = (PyObject *)&documented;
    PyObject *op, *result;

    ck_assert_int_eq(PyType_Ready(&documented), 0);
    op = suite_require(PyObject_CallNoArgs(type));
    result = PyObject_CallMethod(op, "me", NULL);
    ck_assert_ptr_eq(result, op);
    Py_SETREF(result, PyObject_CallMethod(op, "cls", NULL));
    ck_assert_ptr_eq(result, type);
    result = PyObject_CallMethod(type, "cls", NULL);
    ck_assert_ptr_eq(result, type);
    suite_new_text(PyObject_CallMethod(type, "nobody", NULL), "no self");
    suite_new_text(PyObject_CallMethod(op, "nobody", NULL), "no self");
    Py_DECREF(op);
}

START_TEST(attributes_of_a_class_can_change)
{
    PyObject *cls = make_class("C", NULL);
    PyObject *derived = make_class("D", PyTuple_Pack(1, cls));
    PyObject *value = PyLong_FromLong(123456789);

    ck_assert_ptr_nonnull(derived);
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", value), 0);
    assert_attribute(derived, "x", "123456789");
    refuse_attribute(derived, "x", NULL, PyExc_AttributeError,
                     "type object 'D' has no attribute 'x'");
    ck_assert_int_eq(PyObject_SetAttrString(cls, "x", NULL), 0);
    suite_refused(PyObject_GetAttrString(derived, "x"), PyExc_AttributeError,
                  "type object 'D' has no attribute 'x'");
    suite_drop(value, derived, cls);
}

START_TEST(the_names_of_a_class_can_change)
{
    PyObject *cls = make_class("C", NULL);
    PyObject *name = PyUnicode_FromString("Renamed");
    PyObject *null = PyUnicode_FromStringAndSize("a\0b", 3);
    PyObject *number = PyLong_FromLong(1);

    refuse_attribute(cls, "__name__", number, PyExc_TypeError,
                     "can only assign string to C.__name__, not 'int'");
    refuse_attribute(cls, "__name__", null, PyExc_ValueError,
                     "type name must not contain null characters");
    refuse_attribute(cls, "__name__", NULL, PyExc_TypeError,
                     "cannot delete '__name__' attribute of immutable type "
                     "'C'");
    refuse_attribute(cls, "__qualname__", number, PyExc_TypeError,
                     "can only assign string to C.__qualname__, not 'int'");
    ck_assert_int_eq(PyObject_SetAttrString(cls, "__name__", name), 0);
    assert_attribute(cls, "__name__", "'Renamed'");
    assert_attribute(cls, "__qualname__", "'C'");
    ck_assert_str_eq(((PyTypeObject *)cls)->tp_name, "Renamed");
    suite_refused(PyObject_GetAttrString(cls, "__module__"),
                  PyExc_AttributeError, "__module__");
    ck_assert_int_eq(PyObject_SetAttrString(cls, "__module__", name), 0);
    suite_new_text(PyObject_Repr(cls), "<class 'Renamed.C'>");
    ck_assert_int_eq(PyObject_SetAttrString(cls, "__doc__", number), 0);
    assert_attribute(cls, "__doc__", "1");
    suite_failed(PyObject_SetAttrString(cls, "__mro__", number),
                 PyExc_AttributeError, NULL);
    suite_drop(number, null, name, cls);
}

START_TEST(the_dictionary_of_a_type_is_read_only)
{
    PyObject *dict;

    ck_assert_int_eq(PyType_Ready(&documented), 0);
    dict = suite_require(
        PyObject_GetAttrString((PyObject *)&documented, "__dict__"));
    ck_assert(Py_IS_TYPE(dict, &PyDictProxy_Type));
    suite_failed(PyMapping_SetItemString(dict, "x", Py_None), PyExc_TypeError,
                 "'mappingproxy' object does not support item assignment");
    Py_SETREF(dict, PyType_GetDict(&documented));
    ck_assert_ptr_eq(dict, documented.tp_dict);
    ck_assert_int_eq(PyDict_ContainsString(dict, "me"), 1);
    Py_DECREF(dict);
}

/* ------------------------------------------------------------------ */
/* type(name, bases, dict)                                             */

START_TEST(a_class_has_dictionaries_and_weak_references)
{
    PyObject *cls = make_class("C", NULL);
    PyObject *op, *ref, *dict;
    Py_ssize_t count;

    ck_assert_ptr_nonnull(cls);
    count = Py_REFCNT(cls);
    op = suite_require(PyObject_CallNoArgs(cls));
    ck_assert_int_eq(Py_REFCNT(cls), count + 1);
    ck_assert_int_eq(PyObject_SetAttrString(op, "x", Py_None), 0);
    dict = suite_require(PyObject_GetAttrString(op, "__dict__"));
    ck_assert_int_eq(PyDict_Size(dict), 1);
    Py_DECREF(dict);
    ref = suite_require(PyWeakref_NewRef(op, NULL));
    assert_attribute(op, "x", "None");
    Py_DECREF(op);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &op), 0);
    ck_assert_int_eq(Py_REFCNT(cls), count);
    suite_drop(ref, cls);
}

START_TEST(a_class_dies_with_its_last_cycle)
{
    PyObject *cls = make_class("C", NULL);
    PyObject *ref = PyWeakref_NewRef(cls, NULL);
    PyObject *op = PyObject_CallNoArgs(cls);

    ck_assert_int_eq(PyObject_SetAttrString(cls, "instance", op), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "self", op), 0);
    suite_drop(op, cls);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &cls), 1);
    Py_DECREF(cls);
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &cls), 0);
    Py_DECREF(ref);
}

START_TEST(a_metatype_can_be_derived)
{
    PyObject *meta =
        make_class("Meta", PyTuple_Pack(1, (PyObject *)&PyType_Type));
    PyObject *cls, *derived;

    ck_assert_ptr_nonnull(meta);
    cls = suite_require(PyObject_CallFunction(meta, "s(){}", "C"));
    ck_assert_ptr_eq(Py_TYPE(cls), meta);
    ck_assert_int_eq(PyObject_SetAttrString(meta, "deep", Py_None), 0);
    assert_attribute(cls, "deep", "None");
    derived = suite_require(make_class("D", PyTuple_Pack(1, cls)));
    ck_assert_ptr_eq(Py_TYPE(derived), meta);
    suite_drop(derived, cls, meta);
    PyGC_Collect();
}

START_TEST(bad_arguments_make_no_class)
{
    PyObject *type = (PyObject *)&PyType_Type;
    PyObject *kwds = Py_BuildValue("{s:i}", "k", 1);
    PyObject *args = Py_BuildValue("s(){}", "C");
    PyObject *null = PyUnicode_FromStringAndSize("a\0b", 3);

    suite_refused(PyObject_Call(type, args, kwds), PyExc_TypeError,
                  "C.__init_subclass__() takes no keyword arguments");
    suite_refused(
        PyObject_CallFunction(type, "s(){s:i}", "C", "__qualname__", 1),
        PyExc_TypeError, "type __qualname__ must be a str, not int");
    suite_refused(PyObject_CallFunction(type, "O(){}", null), PyExc_ValueError,
                  "type name must not contain null characters");
    suite_drop(null, args, kwds);
}

/* ------------------------------------------------------------------ */
/* Specs                                                               */

typedef struct {
    PyObject_HEAD
    int number;
    PyObject *dict;
    PyObject *weaklist;
} Thing;

static int finalized;

static void
thing_finalize(PyObject *Py_UNUSED(self))
{
    finalized++;
}

static PyMemberDef thing_members[] = {
    {"number", Py_T_INT, offsetof(Thing, number), 0, NULL},
    {"__dictoffset__", Py_T_PYSSIZET, offsetof(Thing, dict), Py_READONLY,
     NULL},
    {"__weaklistoffset__", Py_T_PYSSIZET, offsetof(Thing, weaklist),
     Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL}};

START_TEST(a_spec_makes_a_heap_type)
{
    char name[] = "pack.Thing", doc[] = "A thing.";
    PyType_Slot slots[] = {{Py_tp_members, thing_members},
                           {Py_tp_methods, methods},
                           {Py_tp_doc, doc},
                           {Py_tp_finalize, (void *)thing_finalize},
                           {0, NULL}};
    PyType_Spec spec = {name, sizeof(Thing), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *type = PyType_FromSpec(&spec);
    PyObject *op, *ref;
    Py_ssize_t count;

    ck_assert_ptr_nonnull(type);
    memset(name, '?', sizeof(name) - 1);
    memset(doc, '?', sizeof(doc) - 1);
    ck_assert_str_eq(((PyTypeObject *)type)->tp_name, "pack.Thing");
    assert_attribute(type, "__module__", "'pack'");
    assert_attribute(type, "__name__", "'Thing'");
    assert_attribute(type, "__doc__", "'A thing.'");
    ck_assert(!PyObject_HasAttrString(type, "__weaklistoffset__"));

    count = Py_REFCNT(type);
    op = suite_require(PyObject_CallNoArgs(type));
    ck_assert_int_eq(Py_REFCNT(type), count + 1);
    ((Thing *)op)->number = 7;
    assert_attribute(op, "number", "7");
    ck_assert_int_eq(PyObject_SetAttrString(op, "other", type), 0);
    ck_assert_int_eq(Py_REFCNT(type), count + 2);
    ref = suite_require(PyWeakref_NewRef(op, NULL));
    Py_DECREF(op);
    ck_assert_int_eq(finalized, 1);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &op), 0);
    ck_assert_int_eq(Py_REFCNT(type), count);
    suite_drop(ref, type);
}

START_TEST(instances_of_a_subtype_own_one_reference_to_their_type)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"t.Sub", 0, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *base = PyType_FromSpec(&spec);
    PyObject *sub = PyType_FromSpecWithBases(&spec, base);
    PyObject *cls = make_class("C", PyTuple_Pack(1, sub));
    PyObject *const types[] = {base, sub, cls};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        Py_ssize_t base_count = Py_REFCNT(base);
        Py_ssize_t count = Py_REFCNT(types[i]);
        PyObject *op = suite_require(PyObject_CallNoArgs(types[i]));
        ck_assert_int_eq(Py_REFCNT(types[i]), count + 1);
        Py_DECREF(op);
        ck_assert_int_eq(Py_REFCNT(types[i]), count);
        ck_assert_int_eq(Py_REFCNT(base), base_count);
    }
    suite_drop(cls, sub, base);
}

START_TEST(a_heap_type_is_collected)
{
    PyType_Slot slots[] = {
        {Py_tp_methods, methods}, {Py_tp_members, thing_members}, {0, NULL}};
    PyType_Spec spec = {"t.Dies", sizeof(Thing), 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type = PyType_FromSpec(&spec);
    PyObject *ref = suite_require(PyWeakref_NewRef(type, NULL));
    ck_assert(PyObject_GC_IsTracked(type));
    Py_DECREF(type);
    PyGC_Collect();
    ck_assert_int_eq(PyWeakref_GetRef(ref, &type), 0);
    Py_DECREF(ref);
}

static void
refuse_spec(PyType_Spec *spec, PyObject *bases, PyObject *exception,
            const char *text)
{
    Py_ssize_t count = bases != NULL ? Py_REFCNT(bases) : 0;

    PyGC_Collect();
    suite_refused(PyType_FromSpecWithBases(spec, bases), exception, text);
    ck_assert_int_eq(PyGC_Collect(), 0);
    if (bases != NULL)
        ck_assert_int_eq(Py_REFCNT(bases), count);
}

START_TEST(bad_specs_are_refused)
{
    PyType_Slot none[] = {{0, NULL}};
    PyType_Slot unknown[] = {{Py_tp_token + 1, NULL}, {0, NULL}};
    PyType_Slot docs[] = {{Py_tp_doc, "a"}, {Py_tp_doc, "b"}, {0, NULL}};
    PyType_Slot members[] = {{Py_tp_members, thing_members},
                             {Py_tp_members, thing_members},
                             {0, NULL}};
    PyType_Slot bases[] = {{Py_tp_bases, Py_None}, {0, NULL}};
    PyType_Spec spec = {NULL, 0, 0, Py_TPFLAGS_DEFAULT, none};

    refuse_spec(&spec, NULL, PyExc_SystemError,
                "Type spec does not define the name field.");
    spec.name = "t.X";
    spec.slots = unknown;
    refuse_spec(&spec, NULL, PyExc_RuntimeError, "invalid slot offset");
    spec.slots = docs;
    refuse_spec(&spec, NULL, PyExc_SystemError,
                "Multiple Py_tp_doc slots are not supported.");
    spec.slots = members;
    refuse_spec(&spec, NULL, PyExc_SystemError,
                "Multiple Py_tp_members slots are not supported.");
    spec.slots = bases;
    refuse_spec(&spec, NULL, PyExc_SystemError, "Py_tp_bases is not a tuple");
    spec.slots = none;
    refuse_spec(&spec, (PyObject *)&PyBool_Type, PyExc_TypeError,
                "type 'bool' is not an acceptable base type");
    spec.basicsize = 8;
    refuse_spec(&spec, NULL, PyExc_TypeError,
                "tp_basicsize for type 't.X' (8) is too small for base "
                "'object' (16)");
    spec.basicsize = 0;
    spec.flags |= Py_TPFLAGS_HAVE_GC;
    refuse_spec(&spec, NULL, PyExc_SystemError,
                "type t.X has the Py_TPFLAGS_HAVE_GC flag but has no traverse "
                "function");
}

START_TEST(an_immutable_type_needs_immutable_bases)
{
    PyType_Slot none[] = {{0, NULL}};
    PyType_Spec spec = {"t.Mutable", 0, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, none};
    PyObject *mutable = PyType_FromSpec(&spec);
    PyObject *fixed;

    spec.name = "t.Fixed";
    spec.flags |= Py_TPFLAGS_IMMUTABLETYPE;
    suite_refused(
        PyType_FromSpecWithBases(&spec, mutable), PyExc_TypeError,
        "Creating immutable type t.Fixed from mutable base t.Mutable");
    fixed = suite_require(PyType_FromSpec(&spec));
    refuse_attribute(fixed, "x", Py_None, PyExc_TypeError,
                     "cannot set 'x' attribute of immutable type 't.Fixed'");
    suite_drop(fixed, mutable);
}

START_TEST(slots_are_found_by_number)
{
    PyType_Slot slots[] = {{Py_tp_init, (void *)count_init},
                           {Py_nb_add, (void *)PyNumber_Add},
                           {Py_bf_getbuffer, (void *)PyObject_GetBuffer},
                           {Py_tp_token, slots},
                           {0, NULL}};
    PyType_Spec spec = {"t.Slots", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyTypeObject *type = suite_require((PyTypeObject *)PyType_FromSpec(&spec));
    ck_assert(PyType_GetSlot(type, Py_tp_init) == (void *)count_init);
    ck_assert(type->tp_as_number->nb_add == PyNumber_Add);
    ck_assert(PyType_GetSlot(type, Py_nb_add) == (void *)PyNumber_Add);
    ck_assert(PyType_GetSlot(type, Py_bf_getbuffer) ==
              (void *)PyObject_GetBuffer);
    ck_assert_ptr_eq(PyType_GetSlot(type, Py_tp_base), &PyBaseObject_Type);
    ck_assert_ptr_eq(PyType_GetSlot(type, Py_tp_token), slots);
    ck_assert_ptr_null(PyType_GetSlot(&PyBaseObject_Type, Py_nb_add));
    ck_assert_ptr_null(PyType_GetSlot(&PyBaseObject_Type, Py_tp_token));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_refused(PyType_GetSlot(type, 0), PyExc_SystemError, NULL);
    suite_refused(PyType_GetSlot(type, Py_tp_token + 1), PyExc_SystemError,
                  NULL);
    Py_DECREF(type);
}

START_TEST(a_type_knows_its_token)
{
    PyType_Slot slots[] = {{Py_tp_token, Py_TP_USE_SPEC}, {0, NULL}};
    PyType_Slot none[] = {{0, NULL}};
    PyType_Spec spec = {"t.Token", 0, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyType_Spec derived_spec = {"t.D", 0, 0, Py_TPFLAGS_DEFAULT, none};
    PyObject *type = PyType_FromSpec(&spec);
    PyTypeObject *derived =
        (PyTypeObject *)PyType_FromSpecWithBases(&derived_spec, type);
    PyTypeObject *found;

    ck_assert_ptr_nonnull(derived);
    ck_assert_int_eq(PyType_GetBaseByToken(derived, &spec, &found), 1);
    ck_assert_ptr_eq(found, type);
    Py_DECREF(found);
    ck_assert_int_eq(PyType_GetBaseByToken(derived, &spec, NULL), 1);
    ck_assert_int_eq(PyType_GetBaseByToken(derived, none, &found), 0);
    ck_assert_ptr_null(found);
    suite_failed(PyType_GetBaseByToken(derived, NULL, &found),
                 PyExc_SystemError,
                 "PyType_GetBaseByToken called with token=NULL");
    suite_drop(derived, type);
}

START_TEST(a_type_may_add_data_to_a_base_of_any_size)
{
    PyMemberDef members[] = {
        {"far", Py_T_INT, sizeof(int), Py_RELATIVE_OFFSET, NULL},
        {NULL, 0, 0, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_members, members}, {0, NULL}};
    PyType_Spec spec = {"t.Data", -(int)(2 * sizeof(int)), 0,
                        Py_TPFLAGS_DEFAULT, slots};
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpecWithBases(
        &spec, (PyObject *)&PyList_Type);
    PyObject *op;
    int *data;

    ck_assert_ptr_nonnull(type);
    ck_assert_int_ge(PyType_GetTypeDataSize(type), 2 * sizeof(int));
    op = suite_require(PyObject_CallNoArgs((PyObject *)type));
    data = PyObject_GetTypeData(op, type);
    ck_assert_int_ge((char *)data - (char *)op, sizeof(PyListObject));
    data[1] = 42;
    assert_attribute(op, "far", "42");
    suite_drop(op, type);

    members[0].offset = 8;
    refuse_spec(&spec, (PyObject *)&PyList_Type, PyExc_SystemError,
                "Member offset out of range (0..-basicsize)");
    spec.basicsize = 64;
    refuse_spec(&spec, (PyObject *)&PyList_Type, PyExc_SystemError,
                "With Py_RELATIVE_OFFSET, basicsize must be negative.");
    spec.basicsize = -8;
    spec.slots = slots + 1;
    refuse_spec(&spec, (PyObject *)&PyTuple_Type, PyExc_SystemError,
                "Cannot extend variable-size class without "
                "Py_TPFLAGS_ITEMS_AT_END.");
}

START_TEST(a_heap_type_knows_its_module)
{
    static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "mod",
                              .m_size = 16};
    static PyModuleDef other = {PyModuleDef_HEAD_INIT, .m_name = "other"};
    PyType_Slot none[] = {{0, NULL}};
    PyType_Spec spec = {"mod.A", 0, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, none};
    PyObject *module = PyModule_Create(&def);
    PyTypeObject *type, *loose, *derived;

    ck_assert_ptr_nonnull(module);
    type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    loose = (PyTypeObject *)PyType_FromSpec(&spec);
    derived =
        (PyTypeObject *)PyType_FromSpecWithBases(&spec, (PyObject *)type);
    ck_assert_ptr_nonnull(derived);
    ck_assert_ptr_eq(PyType_GetModule(type), module);
    ck_assert_ptr_eq(PyType_GetModuleState(type), PyModule_GetState(module));
    ck_assert_ptr_eq(PyType_GetModuleByDef(derived, &def), module);
    suite_refused(PyType_GetModuleByDef(derived, &other), PyExc_TypeError,
                  "PyType_GetModuleByDef: No superclass of 'mod.A' has the "
                  "given module");
    suite_refused(PyType_GetModule(&PyLong_Type), PyExc_TypeError,
                  "PyType_GetModule: Type 'int' is not a heap type");
    suite_refused(PyType_GetModuleState(loose), PyExc_TypeError,
                  "PyType_GetModule: Type 'mod.A' has no associated module");
    suite_drop(derived, loose, type, module);
}

/* ------------------------------------------------------------------ */
/* object                                                              */

START_TEST(object_compares_and_hashes_by_identity)
{
    PyObject *cls = make_class("C", NULL);
    PyObject *a = PyObject_CallNoArgs(cls), *b = PyObject_CallNoArgs(cls);
    char text[80];

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_NE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, a, Py_EQ), 1);
    ck_assert(PyObject_Hash(a) == PyObject_Hash(a));
    ck_assert(PyObject_Hash(a) != PyObject_Hash(b));
    snprintf(text, sizeof(text), "<C object at %p>", (void *)a);
    suite_new_text(PyObject_Repr(a), text);
    suite_new_text(PyObject_Str(a), text);
    suite_drop(b, a, cls);
}

START_TEST(an_object_s_class_can_change)
{
    PyObject *c = make_class("C", NULL), *d = make_class("D", NULL);
    PyObject *e = make_class("E", PyTuple_Pack(1, (PyObject *)&PyList_Type));
    PyObject *op = PyObject_CallNoArgs(c);
    PyObject *number = PyLong_FromLong(1);
    Py_ssize_t c_count = Py_REFCNT(c), d_count = Py_REFCNT(d);

    refuse_attribute(op, "__class__", NULL, PyExc_TypeError,
                     "can't delete __class__ attribute");
    refuse_attribute(op, "__class__", number, PyExc_TypeError,
                     "__class__ must be set to a class, not 'int' object");
    refuse_attribute(op, "__class__", (PyObject *)&PyLong_Type,
                     PyExc_TypeError,
                     "__class__ assignment only supported for mutable types "
                     "or ModuleType subclasses");
    refuse_attribute(op, "__class__", e, PyExc_TypeError,
                     "__class__ assignment: 'E' object layout differs from "
                     "'C'");
    ck_assert_int_eq(PyObject_SetAttrString(op, "__class__", d), 0);
    ck_assert_ptr_eq(Py_TYPE(op), d);
    ck_assert_int_eq(Py_REFCNT(c), c_count - 1);
    ck_assert_int_eq(Py_REFCNT(d), d_count + 1);
    suite_drop(number, op, e, d, c);
}
