/* check_capsule.c: capsules: their parts, checks, destructor and import. */

#include "../support/suite.h"

#include <string.h>

static int target;

START_TEST(parts_come_back)
{
    PyObject *capsule =
        suite_require(PyCapsule_New(&target, "some.name", NULL));
    ck_assert(PyCapsule_CheckExact(capsule));
    ck_assert_ptr_eq(PyCapsule_GetPointer(capsule, "some.name"), &target);
    ck_assert_str_eq(PyCapsule_GetName(capsule), "some.name");
    ck_assert(PyCapsule_GetDestructor(capsule) == NULL);
    ck_assert_ptr_null(PyCapsule_GetContext(capsule));
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(capsule);
}

START_TEST(parts_can_be_replaced)
{
    PyObject *capsule = PyCapsule_New(&target, NULL, NULL);
    int other;

    ck_assert_ptr_eq(PyCapsule_GetPointer(capsule, NULL), &target);
    ck_assert_int_eq(PyCapsule_SetPointer(capsule, &other), 0);
    ck_assert_int_eq(PyCapsule_SetName(capsule, "n"), 0);
    ck_assert_int_eq(PyCapsule_SetContext(capsule, &target), 0);
    ck_assert_ptr_eq(PyCapsule_GetPointer(capsule, "n"), &other);
    ck_assert_ptr_eq(PyCapsule_GetContext(capsule), &target);
    suite_failed(PyCapsule_SetPointer(capsule, NULL), PyExc_ValueError,
                 "PyCapsule_SetPointer called with null pointer");
    ck_assert_ptr_eq(PyCapsule_GetPointer(capsule, "n"), &other);
    Py_DECREF(capsule);
}

START_TEST(null_pointers_are_refused)
{
    suite_refused(PyCapsule_New(NULL, "n", NULL), PyExc_ValueError,
                  "PyCapsule_New called with null pointer");
}

START_TEST(names_are_compared_by_content)
{
    char name[] = "n";
    PyObject *capsule = PyCapsule_New(&target, name, NULL);

    ck_assert_int_eq(PyCapsule_IsValid(capsule, "n"), 1);
    ck_assert_int_eq(PyCapsule_IsValid(capsule, "m"), 0);
    ck_assert_int_eq(PyCapsule_IsValid(capsule, NULL), 0);
    ck_assert_int_eq(PyCapsule_IsValid(NULL, "n"), 0);
    ck_assert_int_eq(PyCapsule_IsValid(Py_None, "n"), 0);
    ck_assert_ptr_null(PyErr_Occurred());
    suite_refused(PyCapsule_GetPointer(capsule, "m"), PyExc_ValueError,
                  "PyCapsule_GetPointer called with incorrect name");
    suite_refused(PyCapsule_GetPointer(capsule, NULL), PyExc_ValueError,
                  "PyCapsule_GetPointer called with incorrect name");
    Py_DECREF(capsule);
}

#define CHECK_INVALID(function, call)                                         \
    do {                                                                      \
        ck_assert(call);                                                      \
        suite_exception(PyExc_ValueError,                                     \
                        function " called with invalid PyCapsule object");    \
    } while (0)

START_TEST(other_objects_are_refused)
{
    PyObject *op = Py_None;

    CHECK_INVALID("PyCapsule_GetPointer",
                  PyCapsule_GetPointer(op, NULL) == NULL);
    CHECK_INVALID("PyCapsule_GetName", PyCapsule_GetName(op) == NULL);
    CHECK_INVALID("PyCapsule_GetDestructor",
                  PyCapsule_GetDestructor(op) == NULL);
    CHECK_INVALID("PyCapsule_GetContext", PyCapsule_GetContext(NULL) == NULL);
    CHECK_INVALID("PyCapsule_SetPointer",
                  PyCapsule_SetPointer(op, &target) == -1);
    CHECK_INVALID("PyCapsule_SetName", PyCapsule_SetName(op, "n") == -1);
    CHECK_INVALID("PyCapsule_SetDestructor",
                  PyCapsule_SetDestructor(op, NULL) == -1);
    CHECK_INVALID("PyCapsule_SetContext",
                  PyCapsule_SetContext(op, &target) == -1);
}

static void
count_release(PyObject *capsule)
{
    int *count = suite_require(PyCapsule_GetPointer(capsule, "counter"));
    (*count)++;
}

START_TEST(the_destructor_runs_once)
{
    int count = 0;
    PyObject *capsule = PyCapsule_New(&count, "counter", count_release);

    ck_assert(PyCapsule_GetDestructor(capsule) == count_release);
    Py_INCREF(capsule);
    Py_DECREF(capsule);
    ck_assert_int_eq(count, 0);
    Py_DECREF(capsule);
    ck_assert_int_eq(count, 1);

    capsule = PyCapsule_New(&count, "counter", count_release);
    ck_assert_int_eq(PyCapsule_SetDestructor(capsule, NULL), 0);
    Py_DECREF(capsule);
    ck_assert_int_eq(count, 1);
}

START_TEST(repr_shows_the_name)
{
    PyObject *capsule = PyCapsule_New(&target, "a.b", NULL);
    PyObject *repr = PyObject_Repr(capsule);
    char text[80];

    snprintf(text, sizeof(text), "<capsule object \"a.b\" at %p>",
             (void *)capsule);
    suite_new_text(repr, text);
    PyCapsule_SetName(capsule, NULL);
    repr = PyObject_Repr(capsule);
    snprintf(text, sizeof(text), "<capsule object NULL at %p>",
             (void *)capsule);
    ck_assert_str_eq(PyUnicode_AsUTF8(repr), text);
    suite_drop(repr, capsule);
}

START_TEST(import_follows_the_dotted_name)
{
    PyObject *module = PyImport_AddModule("carrier"); /* borrowed */
    PyObject *capsule = PyCapsule_New(&target, "carrier._API", NULL);

    ck_assert_ptr_nonnull(module);
    ck_assert_int_eq(PyObject_SetAttrString(module, "_API", capsule), 0);
    ck_assert_int_eq(PyObject_SetAttrString(module, "other", capsule), 0);
    Py_DECREF(capsule);

    ck_assert_ptr_eq(PyCapsule_Import("carrier._API", 0), &target);
    suite_refused(PyCapsule_Import("carrier.other", 0), PyExc_AttributeError,
                  "PyCapsule_Import \"carrier.other\" is not valid");
    suite_refused(PyCapsule_Import("carrier.missing", 0), PyExc_AttributeError,
                  NULL);
    suite_refused(
        PyCapsule_Import("no_such_module._API", 0), PyExc_ImportError,
        "PyCapsule_Import could not import module \"no_such_module\"");
}
