/* check_zip.c: zip, map and filter. */

#include "../support/suite.h"

/* The iterator gives what the text says; steals it. */
static void
gives(PyObject *it, const char *text)
{
    ck_assert_ptr_nonnull(it);
    suite_new_repr(PySequence_List(it), text);
    Py_DECREF(it);
}

/* type(*args, **kwargs); steals both, kwargs may be NULL. */
static PyObject *
call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *it = PyObject_Call((PyObject *)type, args, kwargs);

    Py_DECREF(args);
    Py_XDECREF(kwargs);
    return it;
}

/* type(*args), args being what the format says. */
#define CALL(type, ...) call(&type, Py_BuildValue(__VA_ARGS__), NULL)

/* zip(*args, strict=True) raises ValueError with the text at its end. */
static void
strict_raises(PyObject *args, const char *text)
{
    PyObject *it =
        call(&PyZip_Type, args, Py_BuildValue("{s:i}", "strict", 1));

    suite_refused(PySequence_List(it), PyExc_ValueError, text);
    Py_DECREF(it);
}

static PyObject *
add(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t n)
{
    PyObject *sum = PyLong_FromLong(0);

    for (Py_ssize_t i = 0; i < n && sum != NULL; i++)
        Py_SETREF(sum, PyNumber_Add(sum, args[i]));
    return sum;
}

static PyObject *
is_small(PyObject *Py_UNUSED(self), PyObject *arg)
{
    long value = PyLong_AsLong(arg);

    return value == -1 && PyErr_Occurred() ? NULL : PyBool_FromLong(value < 2);
}

static PyMethodDef add_def = {"add", (PyCFunction)(void (*)(void))add,
                              METH_FASTCALL, NULL};
static PyMethodDef is_small_def = {"is_small", is_small, METH_O, NULL};

/* ------------------------------------------------------------------ */
/* zip                                                                 */

START_TEST(zip_ends_with_the_first)
{
    gives(CALL(PyZip_Type, "()"), "[]");
    gives(CALL(PyZip_Type, "([ss])", "a", "b"), "[('a',), ('b',)]");
    gives(CALL(PyZip_Type, "([ss][iii])", "a", "b", 1, 2, 3),
          "[('a', 1), ('b', 2)]");
    gives(CALL(PyZip_Type, "([sss][ii])", "a", "b", "c", 1, 2),
          "[('a', 1), ('b', 2)]");
}

START_TEST(strict_zip_tells_which_one_differs)
{
    strict_raises(Py_BuildValue("(ss)", "ab", "c"),
                  "zip() argument 2 is shorter than argument 1");
    strict_raises(Py_BuildValue("(ss)", "a", "bc"),
                  "zip() argument 2 is longer than argument 1");
    strict_raises(Py_BuildValue("(sss)", "ab", "cd", "e"),
                  "zip() argument 3 is shorter than arguments 1-2");
    strict_raises(Py_BuildValue("(sss)", "ab", "cd", "efg"),
                  "zip() argument 3 is longer than arguments 1-2");
    gives(call(&PyZip_Type, Py_BuildValue("(ss)", "ab", "cd"),
               Py_BuildValue("{s:i}", "strict", 1)),
          "[('a', 'c'), ('b', 'd')]");
}

START_TEST(zip_refuses)
{
    suite_refused(CALL(PyZip_Type, "([]i)", 1), PyExc_TypeError,
                  "'int' object is not iterable");
    suite_refused(
        call(&PyZip_Type, PyTuple_New(0), Py_BuildValue("{s:i}", "foo", 1)),
        PyExc_TypeError, NULL);
}

START_TEST(zip_uses_its_tuple_again)
{
    PyObject *list = PyList_New(0),
             *items = Py_BuildValue("[iiO]", 1, 2, list);
    PyObject *it = CALL(PyZip_Type, "(OO)", items, items);
    PyObject *first = PyIter_Next(it), *address = first;

    suite_repr(first, "(1, 1)");
    PyGC_Collect();
    ck_assert_int_eq(PyObject_GC_IsTracked(first), 0);
    PyObject *second = PyIter_Next(it);
    ck_assert_ptr_ne(second, first);
    suite_repr(first, "(1, 1)");
    suite_new_repr(second, "(2, 2)");
    Py_DECREF(first);

    PyObject *third = PyIter_Next(it);
    ck_assert_ptr_eq(third, address);
    ck_assert_int_eq(PyObject_GC_IsTracked(third), 1);
    ck_assert_int_eq(Py_REFCNT(third), 2);
    suite_new_repr(third, "([], [])");
    ck_assert_int_eq(Py_REFCNT(list), 4);
    ck_assert_ptr_null(PyIter_Next(it));
    Py_DECREF(it);
    ck_assert_int_eq(Py_REFCNT(list), 2);
    suite_drop(items, list);
}

/* A step that comes to nothing leaves items in the tuple. */
START_TEST(zip_s_tuple_is_tracked_after_the_end)
{
    PyObject *list = PyList_New(0), *items = Py_BuildValue("[iO]", 1, list);
    PyObject *other = Py_BuildValue("[i]", 1);
    PyObject *it = CALL(PyZip_Type, "(OO)", items, other);

    Py_DECREF(PyIter_Next(it));
    PyGC_Collect(); /* untracks the tuple, which is (1, 1) */
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(PyList_Append(list, it), 0);
    suite_drop(other, items, list, it);
    /* it, its tuples and its iterators, and two of the lists */
    ck_assert_int_eq(PyGC_Collect(), 7);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* ------------------------------------------------------------------ */
/* map and filter                                                      */

START_TEST(map_calls_with_one_item_of_each)
{
    PyObject *function = PyCFunction_New(&add_def, NULL);

    gives(CALL(PyMap_Type, "(O[iii])", function, 1, 2, 3), "[1, 2, 3]");
    gives(CALL(PyMap_Type, "(O[iii][ii])", function, 1, 2, 3, 10, 20),
          "[11, 22]");
    gives(CALL(PyMap_Type, "(O[i][i][i][i][i][i][i][i])", function, 1, 2, 3, 4,
               5, 6, 7, 8),
          "[36]");
    gives(CALL(PyMap_Type, "(O[i][i][i][i][i][i][i][])", function, 1, 2, 3, 4,
               5, 6, 7),
          "[]");
    ck_assert_int_eq(Py_REFCNT(function), 1);
    Py_DECREF(function);
}

START_TEST(map_passes_errors_on)
{
    PyObject *it = CALL(PyMap_Type, "(O[i])", Py_None, 1);

    suite_refused(PyIter_Next(it), PyExc_TypeError,
                  "'NoneType' object is not callable");
    Py_DECREF(it);
    suite_refused(CALL(PyMap_Type, "(O)", Py_None), PyExc_TypeError,
                  "map() must have at least two arguments.");
    suite_refused(CALL(PyMap_Type, "(Oi)", Py_None, 1), PyExc_TypeError,
                  "'int' object is not iterable");
}

START_TEST(filter_gives_what_is_wanted)
{
    PyObject *function = PyCFunction_New(&is_small_def, NULL);

    gives(CALL(PyFilter_Type, "(O[iii])", Py_None, 0, 1, 2), "[1, 2]");
    gives(CALL(PyFilter_Type, "(O[isi])", &PyBool_Type, 0, "x", 2),
          "['x', 2]");
    gives(CALL(PyFilter_Type, "(O[iii])", function, 0, 1, 2), "[0, 1]");

    PyObject *it = CALL(PyFilter_Type, "(O[is])", function, 7, "x");
    suite_refused(PyIter_Next(it), PyExc_TypeError, NULL);
    Py_DECREF(it);
    ck_assert_int_eq(Py_REFCNT(function), 1);
    Py_DECREF(function);
}

START_TEST(filter_refuses)
{
    suite_refused(CALL(PyFilter_Type, "(O)", Py_None), PyExc_TypeError,
                  "filter expected 2 arguments, got 1");
    suite_refused(CALL(PyFilter_Type, "(Oi)", Py_None, 1), PyExc_TypeError,
                  "'int' object is not iterable");
    suite_refused(
        call(&PyFilter_Type, PyTuple_New(0), Py_BuildValue("{s:i}", "x", 1)),
        PyExc_TypeError, "filter() takes no keyword arguments");
}
