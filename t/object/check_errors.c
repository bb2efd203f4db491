/* check_errors.c: the pending exception, raising, reporting, warnings. */

#include "../support/suite.h"

#include <pyboehm.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ends the catching; fails unless exactly the text was written. */
static void
assert_stderr(const char *text)
{
    char *got = suite_caught_stderr();

    ck_assert_str_eq(got, text);
    free(got);
}

/* ------------------------------------------------------------------ */
/* The pending exception                                               */

START_TEST(nothing_is_pending_at_first)
{
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_ptr_null(PyErr_GetRaisedException());
    ck_assert_int_eq(PyErr_ExceptionMatches(PyExc_Exception), 0);
    PyErr_Clear();
    ck_assert_ptr_null(PyErr_Occurred());
}

START_TEST(set_string_makes_an_instance_at_once)
{
    PyErr_SetString(PyExc_ValueError, "caf\xc3\xa9");
    ck_assert_ptr_eq(PyErr_Occurred(), PyExc_ValueError);

    PyObject *exc = PyErr_GetRaisedException();
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_ValueError));
    ck_assert_int_eq(Py_REFCNT(exc), 1);
    ck_assert_ptr_null(PyException_GetTraceback(exc));

    PyErr_SetRaisedException(exc); /* steals */
    ck_assert_int_eq(Py_REFCNT(exc), 1);
    suite_exception(PyExc_ValueError, "caf\xc3\xa9");
}

START_TEST(a_new_exception_replaces_the_pending_one)
{
    PyErr_SetString(PyExc_ValueError, "first");
    PyErr_SetString(PyExc_TypeError, "second");
    PyObject *exc = PyErr_GetRaisedException();
    ck_assert_ptr_null(PyException_GetContext(exc));
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_TypeError, "second");
}

START_TEST(set_object_takes_values_tuples_and_instances)
{
    PyObject *number = PyLong_FromLong(7);
    PyErr_SetObject(PyExc_ValueError, number);
    suite_exception(PyExc_ValueError, "7");

    PyObject *pair = Py_BuildValue("(ii)", 1, 2);
    PyErr_SetObject(PyExc_ValueError, pair);
    suite_exception(PyExc_ValueError, "(1, 2)");

    PyObject *instance = PyObject_CallOneArg(PyExc_KeyError, number);
    PyErr_SetObject(PyExc_LookupError, instance); /* of a subclass */
    PyObject *raised = PyErr_GetRaisedException();
    ck_assert_ptr_eq(raised, instance);
    Py_DECREF(raised);

    PyErr_SetObject(PyExc_ValueError, instance); /* of a strange class */
    raised = PyErr_GetRaisedException();
    ck_assert_ptr_ne(raised, instance);
    ck_assert(Py_IS_TYPE(raised, (PyTypeObject *)PyExc_ValueError));
    Py_DECREF(raised);

    ck_assert_int_eq(Py_REFCNT(instance), 1);
    suite_drop(instance, pair, number);

    PyErr_SetObject(PyExc_ValueError, NULL);
    suite_exception(PyExc_ValueError, "");
    PyErr_SetObject(PyExc_ValueError, Py_None);
    suite_exception(PyExc_ValueError, "");
    PyErr_SetNone(PyExc_StopIteration);
    suite_exception(PyExc_StopIteration, "");
}

START_TEST(only_exception_classes_can_be_raised)
{
    PyErr_SetString((PyObject *)&PyLong_Type, "x");
    suite_exception(PyExc_SystemError,
                    "_PyErr_SetObject: exception <class 'int'> is not a "
                    "BaseException subclass");
}

START_TEST(matching_knows_classes_instances_and_tuples)
{
    PyObject *pair = PyTuple_Pack(2, PyExc_TypeError, PyExc_LookupError);
    PyObject *instance = PyObject_CallNoArgs(PyExc_KeyError);

    ck_assert(PyErr_GivenExceptionMatches(instance, PyExc_KeyError));
    ck_assert(PyErr_GivenExceptionMatches(instance, PyExc_LookupError));
    ck_assert(PyErr_GivenExceptionMatches(instance, pair));
    ck_assert(PyErr_GivenExceptionMatches(PyExc_KeyError, pair));
    ck_assert(!PyErr_GivenExceptionMatches(PyExc_ValueError, pair));
    ck_assert(!PyErr_GivenExceptionMatches(NULL, PyExc_KeyError));
    ck_assert(!PyErr_GivenExceptionMatches(PyExc_LookupError, PyExc_KeyError));

    PyErr_SetRaisedException(instance);
    ck_assert(PyErr_ExceptionMatches(pair));
    ck_assert(!PyErr_ExceptionMatches(PyExc_IndexError));
    PyErr_Clear();
    Py_DECREF(pair);
}

/* On a stack of 8 MiB; what is nested is the last item, or the first. */
START_TEST(matching_goes_deep)
{
    PyObject *nested = Py_NewRef(PyExc_KeyError);

    for (int i = 0; i < 600000; i++) {
        PyObject *tuple = i < 300000
                              ? Py_BuildValue("(ON)", PyExc_ValueError, nested)
                              : Py_BuildValue("(NO)", nested, PyExc_OSError);
        nested = suite_require(tuple);
    }
    ck_assert_int_eq(PyErr_GivenExceptionMatches(PyExc_KeyError, nested), 1);
    ck_assert_int_eq(PyErr_GivenExceptionMatches(PyExc_OSError, nested), 1);
    ck_assert_int_eq(PyErr_GivenExceptionMatches(PyExc_TypeError, nested), 0);
    PyObject *empty = PyTuple_New(0);
    ck_assert_int_eq(PyErr_GivenExceptionMatches(PyExc_KeyError, empty), 0);
    suite_drop(empty, nested);
}

START_TEST(fetch_and_restore_hand_over_three_references)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    ck_assert_ptr_null(type);
    ck_assert_ptr_null(value);
    ck_assert_ptr_null(traceback);
    PyErr_Restore(NULL, NULL, NULL);
    ck_assert_ptr_null(PyErr_Occurred());

    PyErr_SetString(PyExc_KeyError, "k");
    PyErr_Fetch(&type, &value, &traceback);
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_ptr_eq(type, PyExc_KeyError);
    ck_assert(PyExceptionInstance_Check(value));
    ck_assert_int_eq(Py_REFCNT(value), 1);
    PyErr_NormalizeException(&type, &value, &traceback); /* already is */
    ck_assert_int_eq(Py_REFCNT(value), 1);
    PyErr_Restore(type, value, traceback);
    suite_exception(PyExc_KeyError, "'k'");
}

START_TEST(normalize_makes_an_instance_of_a_bare_value)
{
    PyObject *type = Py_NewRef(PyExc_ValueError);
    PyObject *value = PyUnicode_FromString("bare"), *traceback = NULL;

    PyErr_NormalizeException(&type, &value, &traceback);
    ck_assert(Py_IS_TYPE(value, (PyTypeObject *)PyExc_ValueError));
    ck_assert_ptr_null(PyErr_Occurred());
    PyErr_Restore(type, value, traceback);
    suite_exception(PyExc_ValueError, "bare");
}

/* ------------------------------------------------------------------ */
/* The standard errors                                                 */

START_TEST(format_formats)
{
    PyObject *list = Py_BuildValue("[is]", 1, "a");
    suite_refused(PyErr_Format(PyExc_TypeError, "%s %d %zd %R", "x", -3,
                               (Py_ssize_t)4, list),
                  PyExc_TypeError, "x -3 4 [1, 'a']");
    Py_DECREF(list);
}

START_TEST(standard_errors_say_what_cpythons_say)
{
    ck_assert_int_eq(PyErr_BadArgument(), 0);
    suite_exception(PyExc_TypeError,
                    "bad argument type for built-in operation");
    _PyErr_BadInternalCall("a.c", 12);
    suite_exception(PyExc_SystemError,
                    "a.c:12: bad argument to internal function");
    (PyErr_BadInternalCall)();
    suite_exception(PyExc_SystemError, "bad argument to internal function");
    ck_assert_int_eq(PyErr_CheckSignals(), 0);
}

START_TEST(no_memory_always_works_and_starts_clean)
{
    ck_assert_ptr_null(PyErr_NoMemory());
    PyObject *exc = PyErr_GetRaisedException();
    ck_assert(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_MemoryError));
    PyException_SetCause(exc, PyObject_CallNoArgs(PyExc_KeyError));
    Py_DECREF(exc);

    PyErr_NoMemory();
    exc = PyErr_GetRaisedException();
    ck_assert_ptr_null(PyException_GetCause(exc));
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_MemoryError, "");
}

START_TEST(errno_becomes_the_right_class)
{
    errno = ENOENT;
    suite_refused(PyErr_SetFromErrno(PyExc_OSError), PyExc_FileNotFoundError,
                  "[Errno 2] No such file or directory");
    errno = EACCES;
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, "/x");
    suite_exception(PyExc_PermissionError,
                    "[Errno 13] Permission denied: '/x'");

    PyObject *a = PyUnicode_FromString("a"), *b = PyUnicode_FromString("b");
    errno = EEXIST;
    PyErr_SetFromErrnoWithFilenameObjects(PyExc_OSError, a, b);
    suite_exception(PyExc_FileExistsError,
                    "[Errno 17] File exists: 'a' -> 'b'");
    suite_drop(a, b);
    errno = 0;
    PyErr_SetFromErrno(PyExc_OSError);
    suite_exception(PyExc_OSError, "[Errno 0] Error");
}

START_TEST(import_errors_carry_name_and_path)
{
    PyObject *msg = PyUnicode_FromString("m"),
             *name = PyUnicode_FromString("n");

    ck_assert_ptr_null(PyErr_SetImportError(msg, name, NULL));
    PyObject *exc = PyErr_GetRaisedException();
    PyObject *got = PyObject_GetAttrString(exc, "name");
    ck_assert_ptr_eq(got, name);
    Py_SETREF(got, PyObject_GetAttrString(exc, "path"));
    ck_assert_ptr_eq(got, Py_None);
    Py_DECREF(got);
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_ImportError, "m");

    PyErr_SetImportErrorSubclass(PyExc_KeyError, msg, NULL, NULL);
    suite_exception(PyExc_TypeError, "expected a subclass of ImportError");
    PyErr_SetImportError(NULL, NULL, NULL);
    suite_exception(PyExc_TypeError, "expected a message argument");
    suite_drop(msg, name);
}

/* ------------------------------------------------------------------ */
/* Reporting                                                           */

START_TEST(print_writes_name_and_text_and_clears)
{
    suite_catch_stderr();
    PyErr_SetString(PyExc_TypeError, "text");
    PyErr_Print();
    PyErr_SetNone(PyExc_ValueError);
    PyErr_PrintEx(0);
    PyErr_Print(); /* nothing is pending */
    assert_stderr("TypeError: text\nValueError\n");
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert(Py_IS_TYPE(PySys_GetObject("last_exc"),
                         (PyTypeObject *)PyExc_TypeError));
}

START_TEST(print_names_the_module_of_a_class)
{
    PyObject *type =
        suite_require(PyErr_NewException("mod.Error", NULL, NULL));
    suite_catch_stderr();
    PyErr_SetString(type, "x");
    PyErr_PrintEx(0);
    assert_stderr("mod.Error: x\n");
    Py_DECREF(type);
}

START_TEST(display_leaves_the_pending_exception)
{
    PyObject *exc = PyObject_CallFunction(PyExc_KeyError, "s", "k");
    PyErr_SetString(PyExc_TypeError, "stays");
    suite_catch_stderr();
    PyErr_DisplayException(exc);
    assert_stderr("KeyError: 'k'\n");
    suite_exception(PyExc_TypeError, "stays");
    Py_DECREF(exc);
}

static PyObject *
refuse(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(text))
{
    PyErr_SetString(PyExc_OSError, "no room");
    return NULL;
}

/* What is reported is never lost, unless None is there on purpose. */
START_TEST(what_cannot_write_is_no_place_for_reports)
{
    static PyMethodDef methods[] = {{"write", refuse, METH_O, NULL},
                                    {NULL, NULL, 0, NULL}};
    PyObject *err = Py_NewRef(PySys_GetObject("stderr"));
    PyObject *file = suite_require(PyModule_New("file"));

    ck_assert_int_eq(PyModule_AddFunctions(file, methods), 0);
    suite_catch_stderr();
    PySys_SetObject("stderr", file);
    PyErr_SetString(PyExc_TypeError, "printed");
    PyErr_Print();
    PyErr_SetString(PyExc_TypeError, "left");
    PyErr_WriteUnraisable(NULL);
    PySys_SetObject("stderr", Py_None);
    PyErr_SetString(PyExc_TypeError, "dropped");
    PyErr_Print();
    PySys_SetObject("stderr", NULL);
    PyErr_SetString(PyExc_TypeError, "gone");
    PyErr_Print();
    PySys_SetObject("stderr", err);
    assert_stderr("TypeError: printed\nTypeError: left\nTypeError: gone\n");
    suite_drop(file, err);
}

/* What function writes to standard output. */
static char *
stdout_of(void (*function)(void))
{
    FILE *file = suite_require(tmpfile());
    int saved = dup(STDOUT_FILENO);
    static char text[200];

    fflush(stdout);
    ck_assert_int_ge(dup2(fileno(file), STDOUT_FILENO), 0);
    function();
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void
report_on_stdout(void)
{
    PySys_SetObject("stderr", PySys_GetObject("stdout"));
    PyErr_SetString(PyExc_TypeError, "on standard output");
    PyErr_Print();
    PySys_SetObject("stderr", PySys_GetObject("__stderr__"));
}

START_TEST(reports_go_to_the_stream_that_is_stderr)
{
    suite_catch_stderr();
    ck_assert_str_eq(stdout_of(report_on_stdout),
                     "TypeError: on standard output\n");
    assert_stderr("");
}

/* What a process ends with that prints SystemExit(code). */
static int
exit_status(PyObject *code)
{
    int status;
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        PyErr_SetObject(PyExc_SystemExit, code);
        PyErr_Print();
        _exit(99); /* not reached */
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

START_TEST(printing_system_exit_ends_the_process)
{
    PyObject *three = PyLong_FromLong(3), *text = PyUnicode_FromString("bye");

    ck_assert_int_eq(exit_status(three), 3);
    ck_assert_int_eq(exit_status(NULL), 0);
    suite_catch_stderr();
    ck_assert_int_eq(exit_status(text), 1);
    assert_stderr("bye\n");

    /* None is not to be silent about this. */
    PySys_SetObject("stderr", Py_None);
    suite_catch_stderr();
    ck_assert_int_eq(exit_status(text), 1);
    assert_stderr("bye\n");
    PySys_SetObject("stderr", PySys_GetObject("__stderr__"));
    suite_drop(three, text);
}

START_TEST(unraisable_is_written_in_cpythons_form)
{
    PyObject *number = PyLong_FromLong(5);
    suite_catch_stderr();
    PyErr_SetString(PyExc_TypeError, "a");
    PyErr_WriteUnraisable(number);
    PyErr_SetString(PyExc_TypeError, "b");
    PyErr_WriteUnraisable(NULL);
    PyErr_SetString(PyExc_TypeError, "c");
    PyErr_FormatUnraisable("Exception ignored in %s of %R", "x", number);
    PyErr_SetString(PyExc_TypeError, "d");
    PyErr_FormatUnraisable(NULL);
    PyErr_WriteUnraisable(number); /* nothing is pending */
    assert_stderr("Exception ignored in: 5\nTypeError: a\n"
                  "TypeError: b\n"
                  "Exception ignored in x of 5:\nTypeError: c\n"
                  "TypeError: d\n");
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(number);
}

static PyObject *
failing_repr(PyObject *Py_UNUSED(self))
{
    PyErr_SetString(PyExc_ValueError, "no repr");
    return NULL;
}

static PyTypeObject unprintable = {SUITE_TYPE("t.Unprintable"),
                                   .tp_repr = failing_repr,
                                   .tp_new = PyType_GenericNew};

START_TEST(unraisable_survives_a_failing_repr)
{
    ck_assert_int_eq(PyType_Ready(&unprintable), 0);
    PyObject *op =
        suite_require(PyObject_CallNoArgs((PyObject *)&unprintable));
    suite_catch_stderr();
    PyErr_SetObject(PyExc_TypeError, op);
    PyErr_WriteUnraisable(op);
    assert_stderr("Exception ignored in: <object repr() failed>\n"
                  "TypeError: <exception str() failed>\n");
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(op);
}

struct seen {
    int calls;
    int fail;
    PyObject *object;
    char message[64];
};

static void
note_unraisable(PyObject *exception, const char *message, PyObject *object,
                void *arg)
{
    struct seen *seen = arg;

    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert(PyErr_GivenExceptionMatches(exception, PyExc_TypeError));
    seen->calls++;
    seen->object = object;
    snprintf(seen->message, sizeof seen->message, "%s",
             message ? message : "");
    if (seen->fail)
        PyErr_SetString(PyExc_KeyError, "hook");
}

START_TEST(unraisable_goes_to_the_hook_set_from_c)
{
    struct seen seen = {0, 0, NULL, ""};

    PyBoehm_SetUnraisableHook(note_unraisable, &seen);
    PyErr_SetString(PyExc_TypeError, "a");
    PyErr_WriteUnraisable(Py_None);
    ck_assert_int_eq(seen.calls, 1);
    ck_assert_ptr_eq(seen.object, Py_None);
    ck_assert_str_eq(seen.message, "");
    PyErr_SetString(PyExc_TypeError, "a");
    PyErr_FormatUnraisable("in %d", 3);
    ck_assert_int_eq(seen.calls, 2);
    ck_assert_str_eq(seen.message, "in 3");

    seen.fail = 1;
    suite_catch_stderr();
    PyErr_SetString(PyExc_TypeError, "a");
    PyErr_WriteUnraisable(NULL);
    assert_stderr("Exception ignored in sys.unraisablehook:\n"
                  "KeyError: 'hook'\n");
    ck_assert_ptr_null(PyErr_Occurred());

    PyBoehm_SetUnraisableHook(NULL, NULL);
    suite_catch_stderr();
    PyErr_SetString(PyExc_TypeError, "a");
    PyErr_WriteUnraisable(NULL);
    assert_stderr("TypeError: a\n");
}

static PyObject *
python_hook(PyObject *list, PyObject *report)
{
    if (PyList_Append(list, report) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef python_hook_def = {"hook", python_hook, METH_O, NULL};

START_TEST(unraisable_goes_to_the_hook_in_sys)
{
    PyObject *list = PyList_New(0);
    PyObject *hook = PyCFunction_New(&python_hook_def, list);
    ck_assert_int_eq(PySys_SetObject("unraisablehook", hook), 0);

    PyErr_SetString(PyExc_TypeError, "a");
    PyErr_WriteUnraisable(list);
    ck_assert_int_eq(PyList_GET_SIZE(list), 1);
    PyObject *report = PyList_GET_ITEM(list, 0);
    PyObject *type = PyObject_GetAttrString(report, "exc_type");
    PyObject *object = PyObject_GetAttrString(report, "object");
    PyObject *message = PyObject_GetAttrString(report, "err_msg");
    ck_assert_ptr_eq(type, PyExc_TypeError);
    ck_assert_ptr_eq(object, list);
    ck_assert_ptr_eq(message, Py_None);

    ck_assert_int_eq(PySys_SetObject("unraisablehook", Py_None), 0);
    suite_drop(type, object, message, hook, list);
}

/* ------------------------------------------------------------------ */
/* Warnings                                                            */

START_TEST(warnings_are_written_or_ignored_by_category)
{
    suite_catch_stderr();
    ck_assert_int_eq(PyErr_WarnEx(PyExc_UserWarning, "u", 1), 0);
    ck_assert_int_eq(PyErr_WarnEx(NULL, "r", 1), 0);
    ck_assert_int_eq(PyErr_WarnEx(PyExc_DeprecationWarning, "d", 1), 0);
    ck_assert_int_eq(PyErr_WarnEx(PyExc_PendingDeprecationWarning, "p", 1), 0);
    ck_assert_int_eq(PyErr_WarnEx(PyExc_ImportWarning, "i", 1), 0);
    ck_assert_int_eq(PyErr_ResourceWarning(Py_None, 1, "%d", 3), 0);
    ck_assert_int_eq(PyErr_WarnFormat(PyExc_FutureWarning, 1, "f %d", 3), 0);
    ck_assert_int_eq(
        PyErr_WarnExplicit(PyExc_UserWarning, "e", "f.c", 4, NULL, NULL), 0);
    assert_stderr("UserWarning: u\nRuntimeWarning: r\nFutureWarning: f 3\n"
                  "f.c:4: UserWarning: e\n");
    ck_assert_ptr_null(PyErr_Occurred());
}

START_TEST(a_warning_needs_a_warning_category)
{
    suite_failed(PyErr_WarnEx(PyExc_KeyError, "x", 1), PyExc_TypeError,
                 "category must be a Warning subclass, not 'type'");
    suite_failed(PyErr_WarnEx(Py_None, "x", 1), PyExc_TypeError,
                 "category must be a Warning subclass, not 'NoneType'");
}

static int
note_warning(PyObject *Py_UNUSED(category), const char *text, void *arg)
{
    snprintf(arg, 16, "%s", text);
    return strcmp(text, "raise") == 0 ? -1 : 0;
}

START_TEST(a_warning_hook_sees_all_and_can_raise)
{
    char text[16] = "";

    PyBoehm_SetWarningHook(note_warning, text);
    ck_assert_int_eq(PyErr_ResourceWarning(NULL, 1, "res"), 0);
    ck_assert_str_eq(text, "res");
    suite_failed(PyErr_WarnEx(PyExc_UserWarning, "raise", 1),
                 PyExc_UserWarning, "raise");

    PyErr_SetString(PyExc_KeyError, "stays");
    ck_assert_int_eq(PyErr_WarnEx(PyExc_UserWarning, "quiet", 1), 0);
    suite_exception(PyExc_KeyError, "'stays'");

    PyBoehm_SetWarningHook(NULL, NULL);
    suite_catch_stderr();
    ck_assert_int_eq(PyErr_WarnEx(PyExc_UserWarning, "raise", 1), 0);
    assert_stderr("UserWarning: raise\n");
}
