/* check_excgroup.c: exception groups.  What is made of which arguments, and
   the parts by type, are in t/oracle/object/exception_groups.c. */

#include "../support/suite.h"

static PyObject *
made(PyObject *type)
{
    return suite_require(PyObject_CallNoArgs(type));
}

/* A group of a ValueError and a group of a KeyError. */
static PyObject *
nested(void)
{
    return suite_require(PyObject_CallFunction(
        PyExc_BaseExceptionGroup, "s[NN]", "outer", made(PyExc_ValueError),
        suite_require(PyObject_CallFunction(PyExc_BaseExceptionGroup, "s[N]",
                                            "inner", made(PyExc_KeyError)))));
}

static int predicate_calls;

static PyObject *
is_key_error(PyObject *Py_UNUSED(self), PyObject *exc)
{
    predicate_calls++;
    return PyBool_FromLong(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_KeyError));
}

static PyObject *
fails_at_key_error(PyObject *Py_UNUSED(self), PyObject *exc)
{
    if (Py_IS_TYPE(exc, (PyTypeObject *)PyExc_KeyError)) {
        PyErr_SetString(PyExc_RuntimeError, "no");
        return NULL;
    }
    Py_RETURN_FALSE;
}

START_TEST(a_predicate_chooses)
{
    static PyMethodDef method = {"p", is_key_error, METH_O, NULL};
    PyObject *op = nested(), *p = PyCFunction_New(&method, NULL);

    suite_new_repr(PyObject_CallMethod(op, "split", "O", p),
                   "(ExceptionGroup('outer', [ExceptionGroup('inner', "
                   "[KeyError()])]), ExceptionGroup('outer', "
                   "[ValueError()]))");
    ck_assert_int_eq(predicate_calls, 4);
    suite_drop(op, p);
}

START_TEST(a_predicate_may_fail)
{
    static PyMethodDef method = {"p", fails_at_key_error, METH_O, NULL};
    PyObject *op = nested(), *p = PyCFunction_New(&method, NULL);

    suite_refused(PyObject_CallMethod(op, "subgroup", "O", p),
                  PyExc_RuntimeError, "no");
    suite_refused(PyObject_CallMethod(op, "split", "O", p), PyExc_RuntimeError,
                  "no");
    ck_assert_int_eq(Py_REFCNT(op), 1);
    suite_refused(PyObject_CallMethod(op, "split", "O", &PyLong_Type),
                  PyExc_TypeError,
                  "expected an exception type, a tuple of exception types, or "
                  "a callable (other than a class)");
    suite_drop(op, p);
}

START_TEST(groups_within_groups_without_end)
{
    PyObject *op = made(PyExc_ValueError);

    for (int i = 0; i < 100000; i++)
        op = suite_require(
            PyObject_CallFunction(PyExc_BaseExceptionGroup, "s(N)", "m", op));
    suite_refused(PyObject_CallMethod(op, "subgroup", "O", PyExc_KeyError),
                  PyExc_RecursionError, NULL);
    Py_DECREF(op);
}

START_TEST(instances_are_of_the_structure)
{
    PyObject *op = nested();
    PyBaseExceptionGroupObject *group = (PyBaseExceptionGroupObject *)op;

    ck_assert_str_eq(PyUnicode_AsUTF8(group->msg), "outer");
    ck_assert_int_eq(PyTuple_Size(group->excs), 2);
    ck_assert_int_eq(PyErr_GivenExceptionMatches(op, PyExc_Exception), 1);
    Py_TYPE(op)->tp_clear(op);
    suite_new_text(PyObject_Str(op), "");
    suite_new_repr(PyObject_CallMethod(op, "split", "O", PyExc_KeyError),
                   "(None, None)");
    Py_DECREF(op);
}

START_TEST(weak_references_end_with_the_group)
{
    PyObject *op = nested(), *found;
    PyObject *reference = suite_require(PyWeakref_NewRef(op, NULL));

    Py_DECREF(op);
    ck_assert_int_eq(PyWeakref_GetRef(reference, &found), 0);
    op = suite_require(PyObject_CallFunction(PyExc_BaseExceptionGroup, "s[N]",
                                             "m", made(PyExc_SystemExit)));
    suite_refused(PyWeakref_NewRef(op, NULL), PyExc_TypeError,
                  "cannot create weak reference to 'BaseExceptionGroup' "
                  "object");
    suite_drop(op, reference);
}
