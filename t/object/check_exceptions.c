/* check_exceptions.c: exception classes and what their instances carry. */

#include "../support/suite.h"

#include <errno.h>

/* type(*args), args built from a format as of Py_BuildValue. */
#define MAKE(type, ...) make((type), Py_BuildValue(__VA_ARGS__))

static PyObject *
make(PyObject *type, PyObject *args)
{
    ck_assert_ptr_nonnull(args);
    PyObject *exc = suite_require(PyObject_Call(type, args, NULL));
    Py_DECREF(args);
    return exc;
}

/* Fails unless make_text(op) is the text. */
static void
assert_text(PyObject *(*make_text)(PyObject *), PyObject *op, const char *text)
{
    suite_new_text(make_text(op), text);
}

/* Fails unless repr(op.name) is the text. */
static void
assert_attribute(PyObject *op, const char *name, const char *text)
{
    PyObject *value = suite_require(PyObject_GetAttrString(op, name));
    assert_text(PyObject_Repr, value, text);
    Py_DECREF(value);
}

START_TEST(classes_form_cpythons_tree)
{
    static const struct {
        PyObject **type, **base;
    } pairs[] = {
        {&PyExc_Exception, &PyExc_BaseException},
        {&PyExc_SystemExit, &PyExc_BaseException},
        {&PyExc_KeyboardInterrupt, &PyExc_BaseException},
        {&PyExc_GeneratorExit, &PyExc_BaseException},
        {&PyExc_KeyError, &PyExc_LookupError},
        {&PyExc_IndexError, &PyExc_LookupError},
        {&PyExc_OverflowError, &PyExc_ArithmeticError},
        {&PyExc_ModuleNotFoundError, &PyExc_ImportError},
        {&PyExc_UnboundLocalError, &PyExc_NameError},
        {&PyExc_RecursionError, &PyExc_RuntimeError},
        {&PyExc_NotImplementedError, &PyExc_RuntimeError},
        {&PyExc_PythonFinalizationError, &PyExc_RuntimeError},
        {&PyExc_TabError, &PyExc_IndentationError},
        {&PyExc_UnicodeError, &PyExc_ValueError},
        {&PyExc_UnicodeDecodeError, &PyExc_UnicodeError},
        {&PyExc_BrokenPipeError, &PyExc_ConnectionError},
        {&PyExc_ConnectionError, &PyExc_OSError},
        {&PyExc_ResourceWarning, &PyExc_Warning},
        {&PyExc_Warning, &PyExc_Exception},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(pairs); i++) {
        PyTypeObject *type = (PyTypeObject *)*pairs[i].type;
        ck_assert_ptr_eq(type->tp_base, *pairs[i].base);
        ck_assert(PyExceptionClass_Check((PyObject *)type));
        ck_assert(type->tp_flags & Py_TPFLAGS_READY);
    }
    ck_assert_ptr_eq(PyExc_IOError, PyExc_OSError);
    ck_assert_ptr_eq(PyExc_EnvironmentError, PyExc_OSError);
    ck_assert(!PyExceptionClass_Check((PyObject *)&PyLong_Type));
    PyObject *volatile none = Py_None;
    ck_assert(!PyExceptionClass_Check(none));
    ck_assert_str_eq(PyExceptionClass_Name(PyExc_KeyError), "KeyError");
}

START_TEST(str_and_repr_depend_on_the_number_of_arguments)
{
    PyObject *exc = MAKE(PyExc_ValueError, "()");
    assert_text(PyObject_Str, exc, "");
    assert_text(PyObject_Repr, exc, "ValueError()");
    assert_attribute(exc, "args", "()");
    Py_DECREF(exc);

    exc = MAKE(PyExc_ValueError, "(s)", "a");
    assert_text(PyObject_Str, exc, "a");
    assert_text(PyObject_Repr, exc, "ValueError('a')");
    Py_DECREF(exc);

    exc = MAKE(PyExc_ValueError, "(si)", "a", 1);
    assert_text(PyObject_Str, exc, "('a', 1)");
    assert_text(PyObject_Repr, exc, "ValueError('a', 1)");
    assert_attribute(exc, "args", "('a', 1)");
    Py_DECREF(exc);

    exc = MAKE(PyExc_KeyError, "(s)", "a");
    assert_text(PyObject_Str, exc, "'a'");
    Py_SETREF(exc, MAKE(PyExc_KeyError, "(si)", "a", 1));
    assert_text(PyObject_Str, exc, "('a', 1)");
    Py_DECREF(exc);
}

START_TEST(keywords_are_refused)
{
    PyObject *args = PyTuple_New(0), *kwargs = Py_BuildValue("{si}", "a", 1);

    suite_refused(PyObject_Call(PyExc_ValueError, args, kwargs),
                  PyExc_TypeError, "ValueError() takes no keyword arguments");
    suite_refused(PyObject_Call(PyExc_OSError, args, kwargs), PyExc_TypeError,
                  "OSError() takes no keyword arguments");
    suite_drop(args, kwargs);
}

START_TEST(args_can_be_set_to_any_iterable)
{
    PyObject *exc = MAKE(PyExc_ValueError, "(i)", 1);
    PyObject *list = Py_BuildValue("[ii]", 2, 3);

    ck_assert_int_eq(PyObject_SetAttrString(exc, "args", list), 0);
    assert_attribute(exc, "args", "(2, 3)");
    suite_failed(PyObject_SetAttrString(exc, "args", Py_None), PyExc_TypeError,
                 NULL);
    suite_failed(PyObject_DelAttrString(exc, "args"), PyExc_TypeError,
                 "args may not be deleted");

    PyObject *args = PyTuple_Pack(1, list);
    PyException_SetArgs(exc, args);
    PyObject *got = PyException_GetArgs(exc);
    ck_assert_ptr_eq(got, args);
    suite_drop(got, args, list, exc);
}

START_TEST(any_attribute_goes_to_the_dictionary)
{
    PyObject *exc = MAKE(PyExc_ValueError, "()");

    ck_assert_int_eq(PyObject_SetAttrString(exc, "extra", Py_True), 0);
    assert_attribute(exc, "extra", "True");
    assert_attribute(exc, "__dict__", "{'extra': True}");
    Py_DECREF(exc);
}

START_TEST(cause_and_context_are_exceptions_or_none)
{
    PyObject *exc = MAKE(PyExc_ValueError, "()");
    PyObject *other = MAKE(PyExc_KeyError, "(i)", 1);

    ck_assert_ptr_null(PyException_GetCause(exc));
    ck_assert_ptr_null(PyException_GetContext(exc));
    assert_attribute(exc, "__suppress_context__", "False");

    PyException_SetContext(exc, Py_NewRef(other));
    assert_attribute(exc, "__context__", "KeyError(1)");
    assert_attribute(exc, "__suppress_context__", "False");
    PyException_SetCause(exc, Py_NewRef(other));
    assert_attribute(exc, "__cause__", "KeyError(1)");
    assert_attribute(exc, "__suppress_context__", "True");

    PyObject *cause = PyException_GetCause(exc);
    ck_assert_ptr_eq(cause, other);
    Py_DECREF(cause);
    ck_assert_int_eq(PyObject_SetAttrString(exc, "__cause__", Py_None), 0);
    ck_assert_ptr_null(PyException_GetCause(exc));
    PyException_SetContext(exc, NULL);
    ck_assert_int_eq(Py_REFCNT(other), 1);

    suite_failed(PyObject_SetAttrString(exc, "__cause__", Py_True),
                 PyExc_TypeError,
                 "exception cause must be None or derive from BaseException");
    suite_failed(
        PyObject_SetAttrString(exc, "__context__", Py_True), PyExc_TypeError,
        "exception context must be None or derive from BaseException");
    suite_failed(PyObject_DelAttrString(exc, "__context__"), PyExc_TypeError,
                 "__context__ may not be deleted");
    suite_drop(other, exc);
}

START_TEST(tracebacks_are_none)
{
    PyObject *exc = MAKE(PyExc_ValueError, "()");

    assert_attribute(exc, "__traceback__", "None");
    ck_assert_int_eq(PyException_SetTraceback(exc, Py_None), 0);
    suite_failed(PyException_SetTraceback(exc, Py_True), PyExc_TypeError,
                 "__traceback__ must be a traceback or None");
    PyObject *same = PyObject_CallMethod(exc, "with_traceback", "O", Py_None);
    ck_assert_ptr_eq(same, exc);
    suite_drop(same, exc);
}

START_TEST(notes_are_collected_in_a_list)
{
    PyObject *exc = MAKE(PyExc_ValueError, "()");

    for (int i = 0; i < 2; i++) {
        PyObject *none = PyObject_CallMethod(exc, "add_note", "s", "n");
        ck_assert_ptr_eq(none, Py_None);
    }
    assert_attribute(exc, "__notes__", "['n', 'n']");
    suite_refused(PyObject_CallMethod(exc, "add_note", "i", 1),
                  PyExc_TypeError, "note must be a str, not 'int'");
    Py_DECREF(exc);
}

START_TEST(a_cycle_through_an_exception_is_collected)
{
    PyObject *exc = MAKE(PyExc_StopIteration, "([])");
    PyObject *list = PyObject_GetAttrString(exc, "value");

    PyGC_Collect();
    ck_assert_int_eq(PyList_Append(list, exc), 0);
    suite_drop(list, exc);
    ck_assert_int_ge(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(fields_are_filled_from_arguments)
{
    PyObject *exc = MAKE(PyExc_StopIteration, "(ii)", 1, 2);
    assert_attribute(exc, "value", "1");
    Py_SETREF(exc, MAKE(PyExc_StopIteration, "()"));
    assert_attribute(exc, "value", "None");
    Py_DECREF(exc);

    exc = MAKE(PyExc_SystemExit, "()");
    assert_attribute(exc, "code", "None");
    Py_SETREF(exc, MAKE(PyExc_SystemExit, "(i)", 3));
    assert_attribute(exc, "code", "3");
    Py_SETREF(exc, MAKE(PyExc_SystemExit, "(ii)", 3, 4));
    assert_attribute(exc, "code", "(3, 4)");
    Py_DECREF(exc);
}

START_TEST(name_errors_take_keywords)
{
    PyObject *args = Py_BuildValue("(s)", "text");
    PyObject *kwargs = Py_BuildValue("{sssi}", "name", "n", "obj", 5);

    PyObject *exc =
        suite_require(PyObject_Call(PyExc_AttributeError, args, kwargs));
    assert_attribute(exc, "name", "'n'");
    assert_attribute(exc, "obj", "5");
    assert_text(PyObject_Str, exc, "text");
    Py_DECREF(exc);

    ck_assert_int_eq(PyDict_DelItemString(kwargs, "obj"), 0);
    exc = suite_require(PyObject_Call(PyExc_NameError, args, kwargs));
    assert_attribute(exc, "name", "'n'");
    Py_DECREF(exc);

    exc = suite_require(PyObject_Call(PyExc_ImportError, args, kwargs));
    assert_attribute(exc, "name", "'n'");
    assert_attribute(exc, "path", "None");
    assert_attribute(exc, "msg", "'text'");
    assert_text(PyObject_Str, exc, "text");
    Py_DECREF(exc);

    ck_assert_int_eq(PyDict_SetItemString(kwargs, "bad", Py_None), 0);
    suite_refused(PyObject_Call(PyExc_ImportError, args, kwargs),
                  PyExc_TypeError, NULL);
    suite_drop(args, kwargs);
}

START_TEST(oserror_finds_its_subclass)
{
    PyObject *exc = MAKE(PyExc_OSError, "(iss)", ENOENT, "gone", "f");
    ck_assert(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_FileNotFoundError));
    assert_attribute(exc, "errno", "2");
    assert_attribute(exc, "strerror", "'gone'");
    assert_attribute(exc, "filename", "'f'");
    assert_attribute(exc, "filename2", "None");
    assert_attribute(exc, "args", "(2, 'gone')");
    assert_text(PyObject_Str, exc, "[Errno 2] gone: 'f'");
    Py_DECREF(exc);

    exc = MAKE(PyExc_OSError, "(s)", "only text");
    ck_assert(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_OSError));
    assert_attribute(exc, "errno", "None");
    assert_text(PyObject_Str, exc, "only text");
    Py_DECREF(exc);

    exc = MAKE(PyExc_OSError, "(is)", 99999, "odd");
    ck_assert(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_OSError));
    assert_text(PyObject_Str, exc, "[Errno 99999] odd");
    Py_DECREF(exc);

    exc = MAKE(PyExc_TimeoutError, "(is)", ENOENT, "kept");
    ck_assert(Py_IS_TYPE(exc, (PyTypeObject *)PyExc_TimeoutError));
    Py_DECREF(exc);
}

START_TEST(unicode_errors_describe_the_culprit)
{
    PyObject *exc = suite_require(PyUnicodeDecodeError_Create(
        "utf-8", "a\xff", 2, 1, 2, "invalid start byte"));
    assert_text(PyObject_Str, exc,
                "'utf-8' codec can't decode byte 0xff in position 1: "
                "invalid start byte");
    assert_attribute(exc, "object", "b'a\\xff'");
    assert_attribute(exc, "start", "1");
    Py_DECREF(exc);

    exc = PyUnicodeDecodeError_Create("utf-8", "abc", 3, 0, 3, "r");
    assert_text(PyObject_Str, exc,
                "'utf-8' codec can't decode bytes in position 0-2: r");
    Py_DECREF(exc);

    exc = MAKE(PyExc_UnicodeEncodeError, "(ssiis)", "ascii", "a\xc3\xa9", 1, 2,
               "ordinal not in range(128)");
    assert_text(PyObject_Str, exc,
                "'ascii' codec can't encode character '\\xe9' in position 1: "
                "ordinal not in range(128)");
    Py_DECREF(exc);

    exc = MAKE(PyExc_UnicodeTranslateError, "(siis)", "abc", 0, 2, "r");
    assert_text(PyObject_Str, exc,
                "can't translate characters in position 0-1: r");
    Py_DECREF(exc);

    suite_refused(PyObject_CallNoArgs(PyExc_UnicodeDecodeError),
                  PyExc_TypeError, NULL);
}

START_TEST(new_exceptions_derive_from_what_is_asked_for)
{
    PyObject *type =
        suite_require(PyErr_NewException("mod.sub.Error", NULL, NULL));
    ck_assert_ptr_eq(((PyTypeObject *)type)->tp_base, PyExc_Exception);
    assert_attribute(type, "__module__", "'mod.sub'");
    assert_attribute(type, "__name__", "'Error'");

    PyObject *bases = PyTuple_Pack(2, type, PyExc_KeyError);
    PyObject *dict = Py_BuildValue("{si}", "level", 3);
    PyObject *both =
        PyErr_NewExceptionWithDoc("mod.Both", "The doc.", bases, dict);
    ck_assert_ptr_nonnull(both);
    assert_attribute(both, "__doc__", "'The doc.'");
    assert_attribute(both, "level", "3");
    assert_text(PyObject_Repr, dict, "{'level': 3}"); /* not changed */

    PyErr_SetString(both, "x");
    ck_assert(PyErr_ExceptionMatches(PyExc_KeyError));
    ck_assert(PyErr_ExceptionMatches(type));
    PyErr_Clear();

    suite_refused(PyErr_NewException("nodot", NULL, NULL), PyExc_SystemError,
                  "PyErr_NewException: name must be module.class");
    suite_drop(both, dict, bases, type);
}

START_TEST(instances_keep_their_new_class_alive)
{
    PyObject *type =
        suite_require(PyErr_NewException("mod.Error", NULL, NULL));
    Py_ssize_t count = Py_REFCNT(type);

    PyErr_SetString(type, "x");
    ck_assert_int_eq(Py_REFCNT(type), count + 1);
    PyErr_Clear();
    ck_assert_int_eq(Py_REFCNT(type), count);
    Py_DECREF(type);
}

/* A static subclass as extensions write it. */
typedef struct {
    PyBaseExceptionObject base;
    int level;
} own_error;

static PyTypeObject own_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.OwnError",
    .tp_basicsize = sizeof(own_error),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

START_TEST(static_subclasses_inherit_everything)
{
    own_type.tp_base = (PyTypeObject *)PyExc_ValueError;
    ck_assert_int_eq(PyType_Ready(&own_type), 0);
    ck_assert(PyType_IS_GC(&own_type));
    PyObject *exc = MAKE((PyObject *)&own_type, "(s)", "mine");
    ck_assert(PyExceptionInstance_Check(exc));
    ck_assert_int_eq(((own_error *)exc)->level, 0);
    assert_text(PyObject_Repr, exc, "OwnError('mine')");
    PyErr_SetRaisedException(exc);
    suite_exception(PyExc_ValueError, "mine");
}
