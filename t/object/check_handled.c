/* check_handled.c: the exception that is being handled. */

#include "../support/suite.h"

static PyObject *
make(PyObject *type)
{
    return suite_require(PyObject_CallNoArgs(type));
}

START_TEST(none_is_handled_at_first)
{
    PyObject *type, *value, *traceback;

    ck_assert_ptr_null(PyErr_GetHandledException());
    PyErr_GetExcInfo(&type, &value, &traceback);
    ck_assert_ptr_eq(type, Py_None);
    ck_assert_ptr_eq(value, Py_None);
    ck_assert_ptr_eq(traceback, Py_None);
}

START_TEST(set_gains_a_reference_and_get_hands_one_out)
{
    PyObject *exc = make(PyExc_KeyError);

    PyErr_SetHandledException(exc);
    ck_assert_int_eq(Py_REFCNT(exc), 2);
    suite_new_same(PyErr_GetHandledException(), exc);
    PyErr_SetHandledException(exc);
    ck_assert_int_eq(Py_REFCNT(exc), 2);
    PyErr_SetHandledException(Py_None);
    ck_assert_int_eq(Py_REFCNT(exc), 1);
    ck_assert_ptr_null(PyErr_GetHandledException());
    PyErr_SetHandledException(exc);
    PyErr_SetHandledException(NULL);
    ck_assert_int_eq(Py_REFCNT(exc), 1);
    Py_DECREF(exc);
}

START_TEST(three_parts_are_stolen_and_the_value_counts)
{
    PyObject *exc = make(PyExc_KeyError), *list = PyList_New(0);
    PyObject *type, *value, *traceback;

    PyErr_SetExcInfo(Py_NewRef(list), Py_NewRef(exc), Py_NewRef(list));
    ck_assert_int_eq(Py_REFCNT(list), 1);
    PyErr_GetExcInfo(&type, &value, &traceback);
    ck_assert_ptr_eq(type, PyExc_KeyError);
    ck_assert_ptr_eq(value, exc);
    ck_assert_ptr_eq(traceback, Py_None);
    suite_drop(type, value, traceback, list);
    PyErr_SetExcInfo(NULL, NULL, NULL);
    ck_assert_int_eq(Py_REFCNT(exc), 1);
    Py_DECREF(exc);
}

START_TEST(it_is_the_context_of_what_is_raised_meanwhile)
{
    PyObject *exc = make(PyExc_KeyError);

    PyErr_SetHandledException(exc);
    PyErr_SetString(PyExc_ValueError, "x");
    PyObject *raised = PyErr_GetRaisedException();
    suite_new_same(PyException_GetContext(raised), exc);
    PyErr_SetHandledException(NULL);
    Py_DECREF(raised);
    ck_assert_int_eq(Py_REFCNT(exc), 1);

    PyErr_SetString(PyExc_ValueError, "x");
    raised = PyErr_GetRaisedException();
    ck_assert_ptr_null(PyException_GetContext(raised));
    suite_drop(raised, exc);
}

START_TEST(raising_it_again_makes_no_circle)
{
    PyObject *exc = make(PyExc_KeyError), *first = make(PyExc_ValueError);

    PyException_SetContext(exc, Py_NewRef(first));
    PyErr_SetHandledException(exc);
    PyErr_SetObject(PyExc_KeyError, exc);
    suite_new_same(PyException_GetContext(exc), first);
    PyErr_SetObject(PyExc_ValueError, first); /* exc forgets its context */
    ck_assert_ptr_null(PyException_GetContext(exc));
    suite_new_same(PyException_GetContext(first), exc);
    PyErr_Clear();
    PyErr_SetHandledException(NULL);
    PyException_SetContext(first, NULL);
    ck_assert_int_eq(Py_REFCNT(exc), 1);
    ck_assert_int_eq(Py_REFCNT(first), 1);
    suite_drop(exc, first);
}

START_TEST(a_circle_of_contexts_does_not_hang)
{
    PyObject *chain[5];

    for (int i = 0; i < 5; i++)
        chain[i] = make(PyExc_KeyError);
    for (int i = 0; i < 5; i++) /* 0, 1, 2, 3, 4, 2, 3, 4 ... */
        PyException_SetContext(chain[i], Py_NewRef(chain[i < 4 ? i + 1 : 2]));
    PyErr_SetHandledException(chain[0]);
    PyErr_SetNone(PyExc_ValueError);
    suite_exception(PyExc_ValueError, "");
    PyErr_SetHandledException(NULL);
    for (int i = 0; i < 5; i++)
        Py_DECREF(chain[i]);
    ck_assert_int_eq(PyGC_Collect(), 3);
}

START_TEST(restored_and_static_exceptions_get_no_context)
{
    PyObject *exc = make(PyExc_KeyError);

    PyErr_SetHandledException(exc);
    PyErr_Restore(Py_NewRef(PyExc_ValueError), make(PyExc_ValueError), NULL);
    PyObject *raised = PyErr_GetRaisedException();
    ck_assert_ptr_null(PyException_GetContext(raised));
    Py_SETREF(raised, (PyErr_NoMemory(), PyErr_GetRaisedException()));
    ck_assert_ptr_null(PyException_GetContext(raised));
    PyErr_SetHandledException(NULL);
    suite_drop(raised, exc);
}

START_TEST(what_is_no_exception_is_kept_but_no_context)
{
    PyErr_SetHandledException(Py_True);
    PyErr_SetNone(PyExc_ValueError);
    PyObject *raised = PyErr_GetRaisedException();
    ck_assert_ptr_null(PyException_GetContext(raised));
    suite_new_same(PyErr_GetHandledException(), Py_True);
    Py_DECREF(raised);
    PyErr_SetHandledException(NULL);
}

START_TEST(each_thread_state_has_its_own)
{
    PyObject *exc = make(PyExc_KeyError), *other = make(PyExc_ValueError);
    PyThreadState *first = PyThreadState_Get();
    PyThreadState *second = PyThreadState_New(PyInterpreterState_Get());

    PyErr_SetHandledException(exc);
    PyThreadState_Swap(second);
    ck_assert_ptr_null(PyErr_GetHandledException());
    PyErr_SetHandledException(other);
    PyThreadState_Swap(first);
    suite_new_same(PyErr_GetHandledException(), exc);
    PyThreadState_Clear(second);
    ck_assert_int_eq(Py_REFCNT(other), 1);
    PyThreadState_Delete(second);
    PyThreadState_Clear(first);
    ck_assert_int_eq(Py_REFCNT(exc), 1);
    suite_drop(exc, other);
}

START_TEST(it_lives_while_it_is_handled)
{
    PyObject *exc = make(PyExc_KeyError);

    PyException_SetContext(exc, make(PyExc_ValueError));
    PyErr_SetHandledException(exc);
    Py_DECREF(exc);
    ck_assert_int_eq(PyGC_Collect(), 0);
    suite_new_same(PyErr_GetHandledException(), exc);
    PyErr_SetHandledException(NULL);
}
