/* check_raise.c: raising what is no exception, the links and texts of
   exceptions, attributes of types with the old slots, sys's streams, and the
   shorter ways to import. */

#include "../support/suite.h"

#include <unistd.h>

static PyObject *
call(PyObject *callable, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    PyObject *args = Py_VaBuildValue(format, list);
    va_end(list);
    PyObject *result = PyObject_Call(callable, args, NULL);
    Py_DECREF(args);
    return result;
}

/* ------------------------------------------------------------------ */
/* Raising                                                             */

static PyObject *
seven_new(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args),
          PyObject *Py_UNUSED(kwargs))
{
    return PyLong_FromLong(7);
}

/* An exception class whose instances are ints. */
static PyObject *
deceiver(void)
{
    static PyType_Slot slots[] = {{Py_tp_new, (void *)seven_new}, {0, NULL}};
    static PyType_Spec spec = {
        "t.Deceiver", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return suite_require(PyType_FromSpecWithBases(&spec, PyExc_Exception));
}

START_TEST(what_cannot_be_raised)
{
    PyObject *type = deceiver();

    PyErr_SetNone(type);
    suite_exception(PyExc_TypeError,
                    "calling <class 't.Deceiver'> should have returned an "
                    "instance of BaseException, not int");
    PyErr_SetString((PyObject *)&PyLong_Type, "x");
    suite_exception(PyExc_SystemError,
                    "_PyErr_SetObject: exception <class 'int'> is not a "
                    "BaseException subclass");
    ck_assert_int_eq(PyErr_GivenExceptionMatches(Py_None, Py_None), 1);
    ck_assert_int_eq(PyErr_GivenExceptionMatches(Py_None, PyExc_KeyError), 0);
    ck_assert_int_eq(PyErr_GivenExceptionMatches(NULL, PyExc_KeyError), 0);
    Py_DECREF(type);
}

START_TEST(normalizing)
{
    PyObject *type = deceiver(), *value = NULL, *traceback = NULL;
    PyObject *fine = PyExc_KeyError;

    Py_INCREF(fine);
    value = Py_BuildValue("(ii)", 1, 2);
    PyErr_NormalizeException(&fine, &value, &traceback);
    ck_assert_ptr_eq(fine, PyExc_KeyError);
    suite_new_repr(value, "KeyError(1, 2)");
    Py_DECREF(fine);

    value = NULL; /* what goes wrong takes its place */
    PyErr_NormalizeException(&type, &value, &traceback);
    ck_assert_ptr_eq(type, PyExc_TypeError);
    ck_assert(PyErr_GivenExceptionMatches(value, PyExc_TypeError));
    suite_drop(type, value);
    Py_XDECREF(traceback);

    type = Py_NewRef((PyObject *)&PyLong_Type); /* is left alone */
    value = NULL;
    traceback = NULL;
    PyErr_NormalizeException(&type, &value, &traceback);
    ck_assert_ptr_eq(type, (PyObject *)&PyLong_Type);
    Py_DECREF(type);
    Py_XDECREF(value);
    ck_assert_ptr_null(PyErr_Occurred());
}

START_TEST(links_of_exceptions)
{
    PyObject *e = call(PyExc_ValueError, "(s)", "a");
    PyObject *other = call(PyExc_KeyError, "(s)", "b");

    ck_assert_int_eq(PyObject_SetAttrString(e, "__context__", other), 0);
    PyObject *found = PyObject_GetAttrString(e, "__context__");
    ck_assert_ptr_eq(found, other);
    Py_DECREF(found);
    ck_assert_int_eq(PyObject_SetAttrString(e, "__cause__", other), 0);
    suite_new_same(PyException_GetCause(e), other);
    suite_new_repr(PyObject_GetAttrString(e, "__suppress_context__"), "True");
    ck_assert_int_eq(PyObject_SetAttrString(e, "__context__", Py_None), 0);
    ck_assert_ptr_null(PyException_GetContext(e));
    suite_failed(PyObject_SetAttrString(e, "__cause__", Py_True),
                 PyExc_TypeError,
                 "exception cause must be None or derive from BaseException");
    suite_failed(
        PyObject_SetAttrString(e, "__context__", Py_True), PyExc_TypeError,
        "exception context must be None or derive from BaseException");
    suite_failed(PyObject_DelAttrString(e, "__context__"), PyExc_TypeError,
                 "__context__ may not be deleted");
    suite_failed(PyObject_DelAttrString(e, "__cause__"), PyExc_TypeError,
                 "__cause__ may not be deleted");
    ck_assert_int_eq(PyObject_SetAttrString(e, "__traceback__", Py_None), 0);
    suite_failed(PyObject_SetAttrString(e, "__traceback__", Py_True),
                 PyExc_TypeError, "__traceback__ must be a traceback or None");
    suite_failed(PyObject_DelAttrString(e, "__traceback__"), PyExc_TypeError,
                 "__traceback__ may not be deleted");
    suite_drop(e, other);
}

START_TEST(notes)
{
    PyObject *e = call(PyExc_ValueError, "()");

    suite_repr(e, "ValueError()");
    suite_new_repr(PyObject_CallMethod(e, "add_note", "s", "one"), "None");
    suite_new_repr(PyObject_CallMethod(e, "add_note", "s", "two"), "None");
    suite_new_repr(PyObject_GetAttrString(e, "__notes__"), "['one', 'two']");
    suite_refused(PyObject_CallMethod(e, "add_note", "i", 1), PyExc_TypeError,
                  "note must be a str, not 'int'");
    ck_assert_int_eq(PyObject_SetAttrString(e, "__notes__", Py_None), 0);
    suite_refused(PyObject_CallMethod(e, "add_note", "s", "x"),
                  PyExc_TypeError, "Cannot add note: __notes__ is not a list");
    Py_DECREF(e);
}

START_TEST(texts_of_unicode_errors)
{
    PyObject *e = call(PyExc_UnicodeDecodeError, "(sy#iis)", "ascii",
                       "a\377bc", (Py_ssize_t)4, 1, 2, "bad");
    suite_new_text(PyObject_Str(e),
                   "'ascii' codec can't decode byte 0xff in position 1: bad");
    Py_SETREF(e, call(PyExc_UnicodeDecodeError, "(sy#iis)", "ascii", "abcd",
                      (Py_ssize_t)4, 1, 3, "bad"));
    suite_new_text(PyObject_Str(e),
                   "'ascii' codec can't decode bytes in position 1-2: bad");
    Py_SETREF(
        e, call(PyExc_UnicodeTranslateError, "(siis)", "abcd", 1, 2, "bad"));
    suite_new_text(PyObject_Str(e),
                   "can't translate character '\\x62' in position 1: bad");
    Py_SETREF(
        e, call(PyExc_UnicodeTranslateError, "(siis)", "abcd", 1, 4, "bad"));
    suite_new_text(PyObject_Str(e),
                   "can't translate characters in position 1-3: bad");
    Py_DECREF(e);
    PyObject *types[] = {PyExc_UnicodeDecodeError, PyExc_UnicodeEncodeError,
                         PyExc_UnicodeTranslateError};
    for (int i = 0; i < 3; i++) { /* made, and never initialized */
        PyObject *none = PyTuple_New(0);
        e = ((PyTypeObject *)types[i])
                ->tp_new((PyTypeObject *)types[i], none, NULL);
        suite_new_text(PyObject_Str(e), "");
        suite_drop(e, none);
        suite_refused(call(types[i], "(i)", 1), PyExc_TypeError, NULL);
    }
}

START_TEST(os_errors)
{
    PyObject *kwargs = Py_BuildValue("{si}", "a", 1);
    PyObject *args = PyTuple_New(0);
    PyObject *e = call(PyExc_OSError, "(isss)", 2, "gone", "one", "");

    ck_assert_ptr_eq(Py_TYPE(e), (PyTypeObject *)PyExc_FileNotFoundError);
    suite_new_text(PyObject_Str(e), "[Errno 2] gone: 'one'");
    Py_SETREF(e, call(PyExc_OSError, "(is)", 99999, "odd"));
    ck_assert_ptr_eq(Py_TYPE(e), (PyTypeObject *)PyExc_OSError);
    suite_new_text(PyObject_Str(e), "[Errno 99999] odd");
    Py_SETREF(e, call(PyExc_OSError, "(ss)", "no number", "odd"));
    suite_new_text(PyObject_Str(e), "[Errno no number] odd");
    Py_DECREF(e);
    suite_refused(PyObject_Call(PyExc_OSError, args, kwargs), PyExc_TypeError,
                  "OSError() takes no keyword arguments");
    suite_drop(args, kwargs);
}

/* ------------------------------------------------------------------ */
/* Attributes through the old slots                                    */

static char last_name[30];
static PyObject *old_problem;

static PyObject *
old_getattr(PyObject *Py_UNUSED(op), char *name)
{
    snprintf(last_name, sizeof last_name, "%s", name);
    if (old_problem != NULL) {
        PyErr_SetString(old_problem, name);
        return NULL;
    }
    return PyLong_FromLong(1);
}

static int
old_setattr(PyObject *Py_UNUSED(op), char *name, PyObject *value)
{
    snprintf(last_name, sizeof last_name, "%s%s", value == NULL ? "del " : "",
             name);
    return 0;
}

static PyTypeObject Old_Type = {SUITE_TYPE("Old"), .tp_getattr = old_getattr,
                                .tp_setattr = old_setattr};

START_TEST(old_slots)
{
    ck_assert_int_eq(PyType_Ready(&Old_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Old_Type);
    PyObject *name = PyUnicode_FromString("name");

    suite_new_int(PyObject_GetAttr(op, name), 1);
    ck_assert_str_eq(last_name, "name");
    suite_new_int(PyObject_GetAttrString(op, "other"), 1);
    ck_assert_str_eq(last_name, "other");
    ck_assert_int_eq(PyObject_SetAttr(op, name, Py_None), 0);
    ck_assert_str_eq(last_name, "name");
    ck_assert_int_eq(PyObject_DelAttr(op, name), 0);
    ck_assert_str_eq(last_name, "del name");
    ck_assert_int_eq(PyObject_DelAttrString(op, "other"), 0);
    ck_assert_str_eq(last_name, "del other");
    ck_assert_int_eq(PyObject_HasAttr(op, name), 1);
    ck_assert_int_eq(PyObject_HasAttrString(op, "x"), 1);
    old_problem = PyExc_AttributeError;
    ck_assert_int_eq(PyObject_HasAttr(op, name), 0);
    ck_assert_int_eq(PyObject_HasAttrString(op, "x"), 0);
    ck_assert_ptr_null(PyErr_Occurred());
    suite_new_repr(PyObject_CallFunction((PyObject *)&PyType_Type, "O", op),
                   "<class 'Old'>");
    suite_drop(name, op);
}

START_TEST(has_attr_reports_other_problems)
{
    ck_assert_int_eq(PyType_Ready(&Old_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Old_Type);
    PyObject *name = PyUnicode_FromString("name");

    old_problem = PyExc_KeyError;
    suite_catch_stderr();
    ck_assert_int_eq(PyObject_HasAttr(op, name), 0);
    ck_assert_int_eq(PyObject_HasAttrString(op, "x"), 0);
    char *said = suite_caught_stderr();
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_ptr_nonnull(
        strstr(said, "Exception ignored in PyObject_HasAttr()"));
    ck_assert_ptr_nonnull(
        strstr(said, "Exception ignored in PyObject_HasAttrString()"));
    free(said);
    suite_drop(name, op);
}

static PyTypeObject Bare_Type = {SUITE_TYPE("Bare")};

START_TEST(types_without_attributes)
{
    ck_assert_int_eq(PyType_Ready(&Bare_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Bare_Type);

    Bare_Type.tp_setattro = NULL;
    suite_failed(PyObject_SetAttrString(op, "x", op), PyExc_TypeError,
                 "'Bare' object has only read-only attributes (assign to .x)");
    suite_failed(PyObject_DelAttrString(op, "x"), PyExc_TypeError,
                 "'Bare' object has only read-only attributes (del .x)");
    Bare_Type.tp_getattro = NULL;
    suite_failed(PyObject_SetAttrString(op, "x", op), PyExc_TypeError,
                 "'Bare' object has no attributes (assign to .x)");
    suite_refused(PyObject_GetAttrString(op, "x"), PyExc_AttributeError,
                  "'Bare' object has no attribute 'x'");
    Bare_Type.tp_getattro = PyObject_GenericGetAttr;
    Bare_Type.tp_setattro = PyObject_GenericSetAttr;
    suite_failed(
        PyObject_SetAttrString(op, "x", op), PyExc_AttributeError,
        "'Bare' object has no attribute 'x' and no __dict__ for setting "
        "new attributes");
    suite_refused(PyObject_GetAttr(op, op), PyExc_TypeError,
                  "attribute name must be string, not 'Bare'");
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* sys and imports                                                     */

/* What write() puts out, read back from a file. */
static void
assert_writes(void (*write)(void), const char *text)
{
    char got[1200];
    FILE *file = tmpfile();

    fflush(stdout);
    int saved = dup(1);
    dup2(fileno(file), 1);
    write();
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    rewind(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    ck_assert_str_eq(got, text);
}

static void
write_short(void)
{
    PySys_WriteStdout("%s %d\n", "a", 5);
}

static void
write_object(void)
{
    PyErr_SetString(PyExc_KeyError, "stays");
    PySys_FormatStdout("%R %d\n", Py_None, 5);
    suite_exception(PyExc_KeyError, "'stays'");
}

static void
write_long(void)
{
    PySys_WriteStdout("%1500s", "x");
}

START_TEST(standard_output)
{
    char text[1100];

    assert_writes(write_short, "a 5\n");
    assert_writes(write_object, "None 5\n");
    snprintf(text, sizeof text, "%1000s... truncated", "");
    assert_writes(write_long, text);
}

START_TEST(shorter_imports)
{
    PyObject *name = PyUnicode_FromString("t_fresh");
    PyObject *module = PyImport_AddModuleObject(name); /* borrowed */

    ck_assert(PyModule_Check(module));
    ck_assert_ptr_eq(PyImport_AddModule("t_fresh"), module);
    PyObject *same = PyImport_ImportModuleNoBlock("t_fresh");
    ck_assert_ptr_eq(same, module);
    Py_SETREF(same, PyImport_Import(name));
    ck_assert_ptr_eq(same, module);
    Py_DECREF(same);
    suite_repr(module, "<module 't_fresh'>");
    Py_DECREF(name);
}

START_TEST(modules_without_names)
{
    PyObject *module = PyModule_New("m"), *key = PyUnicode_FromString("x");

    ck_assert_int_eq(PyObject_DelAttrString(module, "__name__"), 0);
    suite_repr(module, "<module '?'>");
    suite_refused(PyObject_GetAttrString(module, "x"), PyExc_AttributeError,
                  "module has no attribute 'x'");
    suite_new_same(PyObject_GetAttrString(module, "__dict__"),
                   PyModule_GetDict(module));
    suite_refused(PyModule_GetName(module), PyExc_SystemError,
                  "nameless module");
    suite_failed(PyObject_SetAttrString(module, "__dict__", key),
                 PyExc_AttributeError, NULL);
    suite_drop(key, module);
}
