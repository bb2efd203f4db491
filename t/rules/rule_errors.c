/* rule_errors.c: breaks the expectation that nothing goes wrong in a
   collection: tp_clear, tp_finalize and callbacks that raise.

   "Errors during garbage collection are passed to sys.unraisablehook.  This
   function does not raise exceptions." */

#include "../support/node.h"
#include "pyboehm.h"
#include "../support/suite.h"

static int reports;
static char said[200];

static void
note(PyObject *exception, const char *message, PyObject *Py_UNUSED(object),
     void *Py_UNUSED(arg))
{
    PyObject *text = suite_require(PyObject_Str(exception));
    reports++;
    snprintf(said, sizeof said, "%s|%s", message != NULL ? message : "",
             PyUnicode_AsUTF8(text));
    Py_DECREF(text);
}

static void
raise(struct node *Py_UNUSED(node))
{
    PyErr_SetString(PyExc_ValueError, "oh");
}

static void
collect_one(PyTypeObject *type)
{
    PyBoehm_SetUnraisableHook(note, NULL);
    node_drop_ring(type, 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(reports, 1);
}

START_TEST(clear_that_raises)
{
    node_reset();
    node_log.on_clear = raise;
    collect_one(&node_type);
    ck_assert_str_eq(said, "Exception ignored in tp_clear of t.Node|oh");
}

START_TEST(finalizer_that_raises)
{
    node_reset();
    node_log.on_finalize = raise;
    collect_one(&node_final_type);
    ck_assert_str_eq(said,
                     "Exception ignored in tp_finalize of t.FinalNode|oh");
}

START_TEST(a_pending_exception_survives)
{
    node_reset();
    node_log.on_clear = raise;
    PyBoehm_SetUnraisableHook(note, NULL);
    node_drop_ring(&node_type, 1);
    PyErr_SetString(PyExc_KeyError, "mine");
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(reports, 1);
    suite_exception(PyExc_KeyError, "'mine'");
}

static PyObject *
hook_of_sys(PyObject *Py_UNUSED(self), PyObject *args)
{
    PyObject *value = PyObject_GetAttrString(args, "exc_value");

    reports++;
    ck_assert_ptr_nonnull(value);
    suite_new_repr(value, "ValueError('oh')");
    Py_RETURN_NONE;
}

static PyMethodDef hook_def = {"hook", hook_of_sys, METH_O, NULL};

START_TEST(the_hook_of_sys_is_called)
{
    PyObject *hook = PyCFunction_New(&hook_def, NULL);

    node_reset();
    node_log.on_clear = raise;
    ck_assert_int_eq(PySys_SetObject("unraisablehook", hook), 0);
    node_drop_ring(&node_type, 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    ck_assert_int_eq(reports, 1);
    Py_DECREF(hook);
}
