/* check_attr.c: attributes of objects: the order of the lookup, instance
   dictionaries of every kind, and the errors. */

#include "../support/suite.h"

/* An object with one field of C, and room for a dictionary. */
typedef struct {
    PyObject_HEAD
    int number;
    PyObject *dict;
} Thing;

static int
thing_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((Thing *)op)->dict);
    return 0;
}

static int
thing_clear(PyObject *op)
{
    Py_CLEAR(((Thing *)op)->dict);
    return 0;
}

static void
thing_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    thing_clear(op);
    PyObject_GC_Del(op);
}

static PyObject *
thing_method(PyObject *op, PyObject *Py_UNUSED(unused))
{
    return PyLong_FromLong(((Thing *)op)->number);
}

static PyMethodDef thing_methods[] = {
    {"method", thing_method, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef thing_members[] = {
    {"number", Py_T_INT, offsetof(Thing, number), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef thing_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject Thing_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "test.Thing",
    .tp_basicsize = sizeof(Thing),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = thing_dealloc,
    .tp_traverse = thing_traverse,
    .tp_clear = thing_clear,
    .tp_methods = thing_methods,
    .tp_members = thing_members,
    .tp_getset = thing_getset,
    .tp_dictoffset = offsetof(Thing, dict),
    .tp_new = PyType_GenericNew,
};

/* An object with no attributes of its own: no dictionary. */
static PyTypeObject Plain_Type = {SUITE_TYPE("test.Plain"),
                                  .tp_new = PyType_GenericNew};

static PyObject *
make(PyTypeObject *type)
{
    ck_assert_int_eq(PyType_Ready(type), 0);
    return suite_require(PyObject_CallNoArgs((PyObject *)type));
}

static void
set_long(PyObject *op, const char *name, long value)
{
    PyObject *number = suite_require(PyLong_FromLong(value));
    ck_assert_int_eq(PyObject_SetAttrString(op, name, number), 0);
    Py_DECREF(number);
}

START_TEST(instance_dictionary_is_made_at_the_first_assignment)
{
    PyObject *op = make(&Thing_Type);

    ck_assert_ptr_null(((Thing *)op)->dict);
    set_long(op, "colour", 7);
    ck_assert_ptr_nonnull(((Thing *)op)->dict);
    suite_new_int(PyObject_GetAttrString(op, "colour"), 7);

    ck_assert_int_eq(PyObject_DelAttrString(op, "colour"), 0);
    suite_refused(PyObject_GetAttrString(op, "colour"), PyExc_AttributeError,
                  "'test.Thing' object has no attribute 'colour'");
    suite_failed(PyObject_DelAttrString(op, "colour"), PyExc_AttributeError,
                 "'test.Thing' object has no attribute 'colour'");
    Py_DECREF(op);
}

/* Keys that have a name's hash are compared, whatever they are. */
START_TEST(an_attribute_is_found_under_a_key_of_another_type)
{
    PyObject *thing = make(&Thing_Type);
    PyObject *dict = PyObject_GenericGetDict(thing, NULL);
    PyObject *type = suite_class("s(O){}", "Name", &PyUnicode_Type);
    PyObject *key = PyObject_CallFunction(type, "s", "name"), *value;

    ck_assert(!PyUnicode_CheckExact(key));
    for (char other[] = "a"; other[0] <= 'd'; other[0]++)
        ck_assert_int_eq(PyObject_SetAttrString(thing, other, Py_False), 0);
    ck_assert_int_eq(PyDict_SetItem(dict, key, Py_None), 0);
    value = PyObject_GetAttrString(thing, "name");
    ck_assert_ptr_eq(value, Py_None);
    ck_assert_int_eq(PyObject_SetAttrString(thing, "name", Py_True), 0);
    ck_assert_int_eq(PyDict_Size(dict), 5);
    ck_assert_ptr_eq(PyDict_GetItem(dict, key), Py_True);
    for (char other[] = "e"; other[0] <= 'z'; other[0]++) /* of any hash */
        ck_assert_int_eq(PyObject_HasAttrString(thing, other), 0);
    suite_drop(value, key, type, dict, thing);
}

/* The key is the last reference to the name, and borrowed. */
START_TEST(a_name_may_go_with_its_attribute)
{
    PyObject *name = PyUnicode_FromFormat("attribute%d", 7), *key, *value;
    PyObject *type = suite_class("s(){}", "C");
    Py_ssize_t pos = 0;

    PyUnicode_InternInPlace(&name);
    ck_assert_int_eq(PyObject_SetAttr(type, name, Py_None), 0);
    Py_DECREF(name);
    while (PyDict_Next(((PyTypeObject *)type)->tp_dict, &pos, &key, &value))
        if (value == Py_None && PyUnicode_EqualToUTF8(key, "attribute7")) {
            ck_assert_int_eq(PyObject_DelAttr(type, key), 0);
            break;
        }
    ck_assert_int_eq(PyObject_HasAttrString(type, "attribute7"), 0);
    Py_DECREF(type);
}

START_TEST(data_descriptor_goes_before_the_dictionary)
{
    PyObject *op = make(&Thing_Type);
    PyObject *dict = PyObject_GenericGetDict(op, NULL);
    PyObject *value = PyUnicode_FromString("hidden");

    ck_assert_ptr_nonnull(dict);
    ck_assert_int_eq(PyDict_SetItemString(dict, "number", value), 0);
    set_long(op, "number", 12);
    ck_assert_int_eq(((Thing *)op)->number, 12);
    suite_new_int(PyObject_GetAttrString(op, "number"), 12);
    suite_drop(value, dict, op);
}

START_TEST(dictionary_goes_before_a_method)
{
    PyObject *op = make(&Thing_Type);
    PyObject *name = PyUnicode_FromString("method");

    suite_new_int(PyObject_CallMethodNoArgs(op, name), 0);
    PyObject *bound = PyObject_GetAttr(op, name);
    ck_assert(PyCFunction_Check(bound));
    ck_assert_int_eq(PyObject_SetAttr(op, name, (PyObject *)&PyLong_Type), 0);
    suite_new_same(PyObject_GetAttr(op, name), (PyObject *)&PyLong_Type);
    set_long(op, "number", 5);
    suite_new_int(PyObject_CallMethodNoArgs(op, name), 0);
    suite_new_int(PyObject_CallNoArgs(bound), 5);
    suite_drop(bound, name, op);
}

START_TEST(object_without_dictionary_refuses_new_attributes)
{
    PyObject *op = make(&Plain_Type);

    ck_assert_ptr_null(_PyObject_GetDictPtr(op));
    suite_failed(PyObject_SetAttrString(op, "x", Py_None),
                 PyExc_AttributeError,
                 "'test.Plain' object has no attribute 'x' and no __dict__ "
                 "for setting new attributes");
    suite_failed(PyObject_DelAttrString(op, "x"), PyExc_AttributeError,
                 "'test.Plain' object has no attribute 'x' and no __dict__ "
                 "for setting new attributes");
    suite_failed(PyObject_SetAttrString(op, "__doc__", Py_None),
                 PyExc_AttributeError,
                 "'test.Plain' object attribute '__doc__' is read-only");
    suite_refused(PyObject_GenericGetDict(op, NULL), PyExc_AttributeError,
                  "This object has no __dict__");
    suite_failed(PyObject_GenericSetDict(op, Py_None, NULL),
                 PyExc_AttributeError, "This object has no __dict__");
    Py_DECREF(op);
}

START_TEST(attribute_names_must_be_strings)
{
    PyObject *op = make(&Thing_Type);

    suite_refused(PyObject_GetAttr(op, Py_None), PyExc_TypeError,
                  "attribute name must be string, not 'NoneType'");
    suite_failed(PyObject_SetAttr(op, Py_None, Py_None), PyExc_TypeError,
                 "attribute name must be string, not 'NoneType'");
    suite_failed(PyObject_DelAttr(op, Py_None), PyExc_TypeError,
                 "attribute name must be string, not 'NoneType'");
    suite_refused(PyObject_GenericGetAttr(op, Py_None), PyExc_TypeError,
                  "attribute name must be string, not 'NoneType'");
    Py_DECREF(op);
}

START_TEST(dictionary_can_be_replaced_but_not_deleted)
{
    PyObject *op = make(&Thing_Type);
    PyObject *dict = PyDict_New();

    ck_assert_int_eq(PyDict_SetItemString(dict, "x", Py_Ellipsis), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "__dict__", dict), 0);
    ck_assert_int_eq(Py_REFCNT(dict), 2);
    PyObject *x = PyObject_GetAttrString(op, "x");
    ck_assert_ptr_eq(x, Py_Ellipsis);

    suite_failed(PyObject_SetAttrString(op, "__dict__", Py_None),
                 PyExc_TypeError,
                 "__dict__ must be set to a dictionary, not a 'NoneType'");
    suite_failed(PyObject_DelAttrString(op, "__dict__"), PyExc_TypeError,
                 "cannot delete __dict__");
    Py_DECREF(op);
    ck_assert_int_eq(Py_REFCNT(dict), 1);
    Py_DECREF(dict);
}

START_TEST(optional_attribute_tells_missing_from_failing)
{
    PyObject *op = make(&Thing_Type), *value = Py_None;

    ck_assert_int_eq(PyObject_GetOptionalAttrString(op, "x", &value), 0);
    ck_assert_ptr_null(value);
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(PyObject_HasAttrString(op, "x"), 0);
    ck_assert_int_eq(PyObject_HasAttrStringWithError(op, "x"), 0);

    set_long(op, "x", 3);
    ck_assert_int_eq(PyObject_GetOptionalAttrString(op, "x", &value), 1);
    suite_new_int(value, 3);
    ck_assert_int_eq(PyObject_HasAttrString(op, "x"), 1);

    value = Py_None;
    suite_failed(PyObject_GetOptionalAttr(op, Py_None, &value),
                 PyExc_TypeError,
                 "attribute name must be string, not 'NoneType'");
    ck_assert_ptr_null(value);
    suite_failed(PyObject_HasAttrWithError(op, Py_None), PyExc_TypeError,
                 NULL);
    Py_DECREF(op);
}

static PyObject *
failing_getattro(PyObject *Py_UNUSED(op), PyObject *Py_UNUSED(name))
{
    PyErr_SetString(PyExc_ValueError, "not today");
    return NULL;
}

static PyObject *
lacking_getattro(PyObject *Py_UNUSED(op), PyObject *Py_UNUSED(name))
{
    PyErr_SetString(PyExc_AttributeError, "never");
    return NULL;
}

static PyTypeObject Failing_Type = {SUITE_TYPE("test.Failing"),
                                    .tp_getattro = failing_getattro,
                                    .tp_new = PyType_GenericNew};

static PyTypeObject Lacking_Type = {SUITE_TYPE("test.Lacking"),
                                    .tp_getattro = lacking_getattro,
                                    .tp_new = PyType_GenericNew};

START_TEST(own_getattro_may_lack_or_fail)
{
    PyObject *failing = make(&Failing_Type), *lacking = make(&Lacking_Type);
    PyObject *value;

    suite_refused(PyObject_GetAttrString(failing, "x"), PyExc_ValueError,
                  "not today");
    suite_failed(PyObject_GetOptionalAttrString(failing, "x", &value),
                 PyExc_ValueError, "not today");
    ck_assert_ptr_null(value);
    ck_assert_int_eq(PyObject_HasAttrString(failing, "x"), 0);
    ck_assert_ptr_null(PyErr_Occurred());

    ck_assert_int_eq(PyObject_HasAttrStringWithError(lacking, "x"), 0);
    ck_assert_ptr_null(PyErr_Occurred());
    suite_refused(PyObject_GetAttrString(lacking, "x"), PyExc_AttributeError,
                  "never");
    suite_drop(failing, lacking);
}

/* The slots of old: names as C strings. */
static PyObject *
old_getattr(PyObject *Py_UNUSED(op), char *name)
{
    return PyUnicode_FromFormat("<%s>", name);
}

static char old_set[64];

static int
old_setattr(PyObject *Py_UNUSED(op), char *name, PyObject *value)
{
    snprintf(old_set, sizeof(old_set), "%s %s", name,
             value == NULL ? "deleted" : "set");
    return 0;
}

static PyTypeObject Old_Type = {
    SUITE_TYPE("test.Old"), .tp_getattr = old_getattr,
    .tp_setattr = old_setattr, .tp_new = PyType_GenericNew};

START_TEST(slots_with_c_strings_are_used)
{
    PyObject *op = make(&Old_Type);
    PyObject *name = PyUnicode_FromString("size"), *text;

    suite_new_text(PyObject_GetAttr(op, name), "<size>");
    suite_new_text(PyObject_GetAttrString(op, "other"), "<other>");
    ck_assert_int_eq(PyObject_GetOptionalAttr(op, name, &text), 1);
    Py_DECREF(text);

    ck_assert_int_eq(PyObject_SetAttr(op, name, Py_None), 0);
    ck_assert_str_eq(old_set, "size set");
    ck_assert_int_eq(PyObject_DelAttrString(op, "size"), 0);
    ck_assert_str_eq(old_set, "size deleted");
    suite_drop(name, op);
}

/* A dictionary behind items of variable number. */
static PyTypeObject Row_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "test.Row",
    .tp_basicsize = sizeof(PyVarObject) + sizeof(PyObject *),
    .tp_itemsize = 3,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dictoffset = -(Py_ssize_t)sizeof(PyObject *),
};

START_TEST(negative_dictoffset_counts_from_the_end)
{
    ck_assert_int_eq(PyType_Ready(&Row_Type), 0);
    PyObject *op = suite_require(PyType_GenericAlloc(&Row_Type, 3));
    ck_assert_ptr_eq(
        _PyObject_GetDictPtr(op),
        (char *)op +
            ((sizeof(PyVarObject) + sizeof(PyObject *) + 9 + 7) & ~7) -
            sizeof(PyObject *));
    /* It is the object's own: the sanitizers and memcheck watch this. */
    *_PyObject_GetDictPtr(op) = Py_NewRef(Py_None);
    Py_CLEAR(*_PyObject_GetDictPtr(op));
    Py_DECREF(op);
}
