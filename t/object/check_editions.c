/* check_editions.c: extension modules written to the letter of the manual's
   oldest and of its newest edition: t/modules/old_container.c, linked in, and
   t/modules/new_container.c, imported from the directory that the environment
   variable PYBOEHM_TEST_MODULES names.  t/tree/editions.sh has this program
   look at builds of the latter for other languages and API levels. */

#include "../support/suite.h"

void initold(void);

/* ------------------------------------------------------------------ */
/* 2.2                                                                 */

static PyObject *
import_old(void)
{
    initold();
    ck_assert_ptr_null(PyErr_Occurred());
    return suite_require(PyImport_ImportModule("old"));
}

static void
put(PyObject *container, int index, PyObject *value)
{
    PyObject *none = PyObject_CallMethod(container, "put", "iO", index, value);

    ck_assert_ptr_eq(none, Py_None);
}

START_TEST(an_old_container_grows_and_is_tracked)
{
    PyObject *module = import_old();
    PyObject *c = suite_require(
        PyObject_CallMethod(module, "container", "iii", 7, 8, 9));
    ck_assert_str_eq(Py_TYPE(c)->tp_name, "old.Container");
    ck_assert_int_eq(PyObject_GC_IsTracked(c), 1);
    ck_assert_int_eq(Py_SIZE(c), 3);
    ck_assert_int_eq(PySequence_Size(c), 3);
    for (int i = 0; i < 3; i++)
        suite_new_int(PySequence_GetItem(c, i), 7 + i);
    suite_refused(PySequence_GetItem(c, 3), PyExc_IndexError,
                  "container index out of range");
    suite_drop(c, module);
}

START_TEST(old_containers_in_cycles_are_collected)
{
    enum { N = 100 };
    PyObject *module = import_old();
    PyObject *first = PyObject_CallMethod(module, "container", "O", Py_None);
    PyObject *last = Py_NewRef(first);

    PyGC_Collect();
    for (int i = 1; i < N; i++) {
        PyObject *next =
            PyObject_CallMethod(module, "container", "OO", last, Py_None);
        ck_assert_ptr_nonnull(next);
        Py_SETREF(last, next);
    }
    put(first, 0, last);
    Py_DECREF(last);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(first);
    ck_assert_int_eq(PyGC_Collect(), N);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(module);
}

/* ------------------------------------------------------------------ */
/* 3.15                                                                */

static PyObject *
import_new(void)
{
    const char *given = getenv("PYBOEHM_TEST_MODULES");
    PyObject *path =
        Py_BuildValue("[s]", given != NULL ? given : "t/modules/.libs");

    ck_assert_int_eq(PySys_SetObject("path", path), 0);
    Py_DECREF(path);
    PyObject *module = PyImport_ImportModule("new_container");
    if (module == NULL)
        PyErr_Print();
    ck_assert_ptr_nonnull(module);
    return module;
}

static long
ask(PyObject *module, const char *name)
{
    PyObject *number = suite_require(PyObject_CallMethod(module, name, NULL));
    long value = PyLong_AsLong(number);
    Py_DECREF(number);
    return value;
}

/* object.method(argument), without a result */
static void
tell(PyObject *object, const char *method, PyObject *argument)
{
    ck_assert_ptr_eq(PyObject_CallMethod(object, method, "O", argument),
                     Py_None);
}

START_TEST(new_boxes_in_cycles_are_collected)
{
    PyObject *module = import_new();
    PyObject *a = PyObject_CallMethod(module, "Box", NULL);
    PyObject *b = suite_require(PyObject_CallMethod(module, "Box", "O", a));
    ck_assert_ptr_eq(PyObject_CallMethod(module, "is_tracked", "O", b),
                     Py_True);
    tell(a, "put", b);
    PyGC_Collect();
    Py_DECREF(a);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(b);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(ask(module, "deaths"), 2);
    Py_DECREF(module);
}

/* Has the module what the API has from that level on (0: only the whole)?  The
   level it was built for is the environment variable PYBOEHM_TEST_LEVEL. */
static int
has(PyObject *module, const char *name, unsigned long since)
{
    const char *given = getenv("PYBOEHM_TEST_LEVEL");
    unsigned long level =
        given != NULL && *given != '\0' ? strtoul(given, NULL, 16) : 0;
    int expected = level == 0 || (since != 0 && level >= since);

    ck_assert_int_eq(PyObject_HasAttrString(module, name), expected);
    return expected;
}

START_TEST(new_crates_find_their_part)
{
    PyObject *module = import_new();

    if (has(module, "Crate", 0x030F0000)) {
        PyObject *crate =
            suite_require(PyObject_CallMethod(module, "Crate", NULL));
        tell(crate, "label", crate); /* a cycle through the part */
        PyGC_Collect();
        long before = ask(module, "traversals");
        ck_assert_int_gt(before, 0);
        Py_DECREF(crate);
        ck_assert_int_eq(PyGC_Collect(), 1);
        ck_assert_int_gt(ask(module, "traversals"), before);
        ck_assert_int_eq(ask(module, "deaths"), 1);
    }
    Py_DECREF(module);
}

START_TEST(new_sacks_have_zeroed_memory_behind_them)
{
    PyObject *module = import_new();

    if (has(module, "sack", 0)) {
        PyObject *sack =
            suite_require(PyObject_CallMethod(module, "sack", "i", 1000));
        tell(sack, "put", sack);
        Py_DECREF(sack);
        ck_assert_int_eq(PyGC_Collect(), 1);
        ck_assert_int_eq(ask(module, "deaths"), 1);
    }
    Py_DECREF(module);
}

/* Module, state, types and an instance, all in one cycle. */
START_TEST(a_new_module_dies_with_its_types)
{
    PyObject *module = import_new();
    PyObject *box =
        suite_require(PyObject_CallMethod(module, "Box", "O", module));
    ck_assert_int_eq(PyObject_SetAttrString(module, "box", box), 0);
    Py_DECREF(box);
    PyObject *ref = suite_require(PyWeakref_NewRef(module, NULL));
    ck_assert_int_eq(
        PyDict_DelItemString(PyImport_GetModuleDict(), "new_container"), 0);
    PyGC_Collect();
    ck_assert_int_eq(PyWeakref_IsDead(ref), 0);
    Py_DECREF(module);
    ck_assert_int_gt(PyGC_Collect(), 3);
    ck_assert_int_eq(PyWeakref_IsDead(ref), 1);
    Py_DECREF(ref);
}

/* ------------------------------------------------------------------ */

START_TEST(the_newest_edition_is_the_version)
{
    ck_assert_int_eq(PY_VERSION_HEX >> 16, 0x030F);
    ck_assert_int_eq(PY_MAJOR_VERSION, 3);
    ck_assert_int_eq(PY_MINOR_VERSION, 15);
}
