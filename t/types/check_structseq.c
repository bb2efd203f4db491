/* check_structseq.c: struct sequences.  What their values and types say is in
   t/oracle/types/struct_sequences.c. */

#include "../support/suite.h"

#include <structseq.h>

static PyStructSequence_Field fields[] = {
    {"a", NULL}, {"b", "the second"}, {"c", NULL}, {NULL, NULL}};
static PyStructSequence_Desc desc = {"mod.Triple", "Three.", fields, 2};

static PyObject *
new_of(PyTypeObject *type)
{
    PyObject *op = suite_require(PyStructSequence_New(type));

    for (int i = 0; i < 3; i++)
        PyStructSequence_SetItem(op, i, PyLong_FromLong(i));
    return op;
}

START_TEST(hidden_fields_are_attributes_only)
{
    PyTypeObject *type = suite_require(PyStructSequence_NewType(&desc));
    PyObject *op = new_of(type);

    ck_assert_int_eq(PyTuple_Size(op), 2);
    ck_assert(PyTuple_Check(op));
    suite_repr(op, "mod.Triple(a=0, b=1)");
    suite_new_int(PyObject_GetAttrString(op, "c"), 2);
    suite_new_int(
        PyLong_FromLong(PyLong_AsLong(PyStructSequence_GET_ITEM(op, 2))), 2);
    suite_drop(op, (PyObject *)type);
}

START_TEST(instances_own_their_type_and_values)
{
    PyTypeObject *type = suite_require(PyStructSequence_NewType(&desc));
    Py_ssize_t before = Py_REFCNT(type);
    PyObject *op = suite_require(PyStructSequence_New(type));
    PyObject *list = PyList_New(0);

    ck_assert_int_eq(Py_REFCNT(type), before + 1);
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 1);
    suite_new_same(PyObject_GetAttrString(op, "c"), Py_None);
    PyStructSequence_SET_ITEM(op, 2, Py_NewRef(list));
    Py_DECREF(op);
    ck_assert_int_eq(Py_REFCNT(list), 1);
    ck_assert_int_eq(Py_REFCNT(type), before);
    suite_drop(list, (PyObject *)type);
}

START_TEST(cycles_through_hidden_fields_are_collected)
{
    PyTypeObject *type = suite_require(PyStructSequence_NewType(&desc));

    PyGC_Collect();
    for (int field = 0; field < 3; field += 2) {
        PyObject *op = suite_require(PyStructSequence_New(type));
        PyObject *list = PyList_New(0);
        PyList_Append(list, op);
        PyStructSequence_SetItem(op, field, list);
        ck_assert_int_eq(PyGC_Collect(), 0);
        Py_DECREF(op);
        ck_assert_int_eq(PyGC_Collect(), 2);
    }
    Py_DECREF(type);
}

static PyObject *
replace(PyObject *op, const char *name, int value)
{
    PyObject *method = PyObject_GetAttrString(op, "__replace__");
    PyObject *args = PyTuple_New(0);
    PyObject *kwds = Py_BuildValue("{s:i}", name, value);
    PyObject *result = PyObject_Call(method, args, kwds);

    suite_drop(kwds, args, method);
    return result;
}

START_TEST(replace_makes_a_copy_with_other_values)
{
    PyTypeObject *type = suite_require(PyStructSequence_NewType(&desc));
    PyObject *op = new_of(type), *copy = suite_require(replace(op, "b", 9));

    suite_repr(copy, "mod.Triple(a=0, b=9)");
    suite_new_int(PyObject_GetAttrString(copy, "c"), 2);
    Py_SETREF(copy, suite_require(replace(op, "c", 8)));
    suite_new_int(PyObject_GetAttrString(copy, "c"), 8);
    suite_refused(replace(op, "d", 1), PyExc_TypeError,
                  "Got unexpected field name(s): ['d']");
    suite_refused(PyObject_CallMethod(op, "__replace__", "i", 1),
                  PyExc_TypeError,
                  "__replace__() takes no positional arguments");
    suite_drop(copy, op, (PyObject *)type);
}

START_TEST(unnamed_fields_cannot_be_replaced)
{
    PyStructSequence_Field some[] = {
        {"a", NULL}, {PyStructSequence_UnnamedField, NULL}, {NULL, NULL}};
    PyStructSequence_Desc with_unnamed = {"Odd", NULL, some, 2};
    PyTypeObject *type =
        suite_require(PyStructSequence_NewType(&with_unnamed));
    PyObject *op =
        suite_require(PyObject_CallFunction((PyObject *)type, "((ii))", 1, 2));

    suite_refused(PyObject_Repr(op), PyExc_SystemError,
                  "In structseq_repr(), member 1 name is NULL for type Odd");
    suite_refused(replace(op, "a", 1), PyExc_TypeError,
                  "__replace__() is not supported for Odd because it has "
                  "unnamed field(s)");
    suite_drop(op, (PyObject *)type);
}

START_TEST(names_that_no_field_has_are_refused)
{
    PyTypeObject *type = suite_require(PyStructSequence_NewType(&desc));

    suite_refused(
        PyObject_CallFunction((PyObject *)type, "(ii){s:i}", 1, 2, "d", 3),
        PyExc_TypeError,
        "mod.Triple() got duplicate or unexpected field name(s)");
    suite_refused(
        PyObject_CallFunction((PyObject *)type, "(iii){s:i}", 1, 2, 3, "c", 3),
        PyExc_TypeError,
        "mod.Triple() got duplicate or unexpected field name(s)");
    Py_DECREF(type);
}

START_TEST(static_types_are_made)
{
    static PyTypeObject type;

    PyStructSequence_InitType(&type, &desc);
    ck_assert_ptr_null(PyErr_Occurred());
    PyObject *op = new_of(&type);
    suite_repr(op, "mod.Triple(a=0, b=1)");
    Py_DECREF(op);
}

START_TEST(bad_descriptions_are_refused)
{
    static PyTypeObject type;
    PyStructSequence_Desc many = {"Many", NULL, fields, 4};
    PyStructSequence_Desc nameless = {NULL, NULL, fields, 2};

    suite_refused(PyStructSequence_NewType(NULL), PyExc_SystemError, NULL);
    suite_refused(PyStructSequence_NewType(&many), PyExc_SystemError, NULL);
    suite_refused(PyStructSequence_NewType(&nameless), PyExc_SystemError,
                  NULL);
    suite_failed(PyStructSequence_InitType2(&type, &many), PyExc_SystemError,
                 NULL);
    suite_failed(PyStructSequence_InitType2(NULL, &desc), PyExc_SystemError,
                 NULL);
    suite_refused(PyStructSequence_New(NULL), PyExc_SystemError, NULL);
    suite_refused(PyStructSequence_New(&PyLong_Type), PyExc_TypeError,
                  "Missed attribute 'n_sequence_fields' of type int");
}

/* The numbers are attributes of a class, and what they say is memory. */
START_TEST(numbers_of_fields_that_were_changed_are_refused)
{
    static const char *const names[] = {"n_sequence_fields", "n_fields"};
    PyTypeObject *type = suite_require(PyStructSequence_NewType(&desc));

    for (int i = 0; i < 2; i++)
        for (long number = -1; number < 1000; number += 1000) {
            PyObject *value = PyLong_FromLong(number),
                     *before =
                         PyObject_GetAttrString((PyObject *)type, names[i]);

            PyObject_SetAttrString((PyObject *)type, names[i], value);
            suite_refused(PyStructSequence_New(type), PyExc_TypeError, NULL);
            PyObject_SetAttrString((PyObject *)type, names[i], before);
            suite_drop(before, value);
        }
    Py_DECREF(new_of(type));
    Py_DECREF(type);
}
