/* check_stableabi.c: the names of the stable ABI that CPython's headers hide
   behind macros, and the functions that need an interpreter or nearly so.
   t/tree/stableabi.sh looks whether all of the names are there. */

#include "../support/suite.h"

#include <frameobject.h>
#include <marshal.h>
#include <pthread.h>
#include <signal.h>

/* The str, whose reference is taken away, has this text. */
static void
is_str(PyObject *op, const char *text)
{
    ck_assert_str_eq(PyUnicode_AsUTF8(suite_require(op)), text);
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* What needs an interpreter                                           */

/* The exception that a function of that name raises. */
static void
absent(int failed, const char *name)
{
    char text[200];

    snprintf(text, sizeof text,
             "%s needs an interpreter of Python, which pyboehm does not have",
             name);
    ck_assert_msg(failed, "%s succeeded", name);
    suite_exception(PyExc_NotImplementedError, text);
}

#define ABSENT(NAME, ...) absent(NAME(__VA_ARGS__) == NULL, #NAME)

START_TEST(what_needs_an_interpreter_raises_with_its_name)
{
    ABSENT(Py_CompileString, "1", "file", Py_eval_input);
    ABSENT(Py_CompileStringExFlags, "1", "file", Py_eval_input, NULL, -1);
    ABSENT(Py_CompileStringObject, "1", Py_None, Py_eval_input, NULL, -1);
    ABSENT(PyRun_StringFlags, "1", Py_eval_input, NULL, NULL, NULL);
    ABSENT(PyRun_FileExFlags, stdin, "f", Py_file_input, NULL, NULL, 0, NULL);
    ABSENT(PyEval_EvalCode, Py_None, Py_None, Py_None);
    ABSENT(PyEval_EvalCodeEx, Py_None, Py_None, Py_None, NULL, 0, NULL, 0,
           NULL, 0, NULL, NULL);
    ABSENT(PyEval_EvalFrame, NULL);
    ABSENT(PyEval_EvalFrameEx, NULL, 0);
    ABSENT(PyFunction_New, Py_None, Py_None);
    ABSENT(PyImport_ExecCodeModule, "name", Py_None);
    ABSENT(PyImport_GetMagicTag);
    ABSENT(PyMarshal_ReadObjectFromString, "", 0);
    ABSENT(PyMarshal_WriteObjectToString, Py_None, Py_MARSHAL_VERSION);
    absent(PyImport_GetMagicNumber() == -1, "PyImport_GetMagicNumber");
    absent(PyImport_ImportFrozenModule("zipimport") == -1,
           "PyImport_ImportFrozenModule");
}

START_TEST(simple_runs_print_that)
{
    suite_catch_stderr();
    int result = PyRun_SimpleString("pass");
    char *text = suite_caught_stderr();

    ck_assert_int_eq(result, -1);
    ck_assert_ptr_nonnull(strstr(text, "NotImplementedError: PyRun_Simple"));
    free(text);
}

START_TEST(main_is_an_exit_status)
{
    char *argv[] = {NULL};

    suite_catch_stderr();
    int result = Py_BytesMain(0, argv);
    char *text = suite_caught_stderr();

    ck_assert_int_eq(result, 1);
    ck_assert_ptr_nonnull(strstr(text, "Py_BytesMain needs an interpreter"));
    free(text);
}

START_TEST(no_frame_is_current)
{
    ck_assert_ptr_null(PyEval_GetFrame());
    ck_assert_ptr_null(PyThreadState_GetFrame(PyThreadState_Get()));
    ck_assert_ptr_null(PyEval_GetGlobals());
    ck_assert_ptr_null(PyEval_GetFrameGlobals());
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_ptr_null(PyEval_GetLocals());
    suite_exception(PyExc_SystemError, "frame does not exist");
    ck_assert_ptr_null(PyEval_GetFrameLocals());
    suite_exception(PyExc_SystemError, "frame does not exist");
    ck_assert_ptr_null(Py_NewInterpreter());
}

/* ------------------------------------------------------------------ */
/* Code objects, frames                                                */

START_TEST(an_exception_passes_a_place)
{
    PyCodeObject *code = PyCode_NewEmpty("m.pyx", "f", 7);
    PyObject *globals = PyDict_New();
    PyFrameObject *frame =
        PyFrame_New(PyThreadState_Get(), code, globals, NULL);

    PyErr_SetString(PyExc_ValueError, "text");
    ck_assert_int_eq(PyTraceBack_Here(frame), 0);
    suite_exception(PyExc_ValueError, "text");
    ck_assert_int_eq(PyFrame_GetLineNumber(frame), 7);
    PyCodeObject *found = PyFrame_GetCode(frame);
    ck_assert_ptr_eq(found, code);
    Py_DECREF(found);
    ck_assert_ptr_null(PyFrame_GetBack(frame));
    is_str(PyObject_GetAttrString((PyObject *)code, "co_name"), "f");
    is_str(PyObject_GetAttrString((PyObject *)code, "co_filename"), "m.pyx");
    suite_drop(frame, globals, code);
}

START_TEST(frames_in_cycles_are_collected)
{
    PyCodeObject *code = PyCode_NewEmpty("m.pyx", "f", 7);
    PyObject *globals = PyDict_New();
    PyFrameObject *frame =
        PyFrame_New(PyThreadState_Get(), code, globals, NULL);

    ck_assert_int_eq(PyDict_SetItemString(globals, "frame", (PyObject *)frame),
                     0);
    suite_drop(frame, globals, code);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

START_TEST(other_objects_are_no_frames_and_no_code)
{
    ck_assert_ptr_null(PyFrame_GetCode((PyFrameObject *)Py_None));
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_ptr_null(PyFrame_New(NULL, (PyCodeObject *)Py_None, NULL, NULL));
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_ptr_null(PyCode_NewEmpty("m.pyx", NULL, 1));
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_ptr_null(PyCode_NewEmpty("m.pyx", "\xff", 1));
    suite_exception(PyExc_UnicodeDecodeError, NULL);
    ck_assert_int_eq(PyTraceBack_Print(Py_None, Py_None), -1);
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_int_eq(PyTraceBack_Print(NULL, NULL), 0);
}

START_TEST(checks_tell_these_types)
{
    PyCodeObject *code = PyCode_NewEmpty("m.pyx", "f", 7);
    PyObject *dict = PyDict_New(), *other = (PyObject *)code;
    PyFrameObject *frame = PyFrame_New(NULL, code, dict, NULL);

    ck_assert(PyCode_Check(code) && !PyCode_Check(dict));
    ck_assert(PyFrame_Check(frame) && !PyFrame_Check(other));
    ck_assert(PyAnyDict_Check(dict) && PyAnyDict_CheckExact(dict));
    ck_assert(!PyAnyDict_Check(other) && !PyAnyDict_CheckExact(other));
    ck_assert(!PyFunction_Check(other) && !PyTraceBack_Check(other));
    ck_assert(!PyGen_Check(other) && !PyGen_CheckExact(other));
    ck_assert(!PyCoro_CheckExact(other) && !PyAsyncGen_CheckExact(other));
    ck_assert_ptr_null(PyObject_CallNoArgs((PyObject *)&PyFunction_Type));
    suite_exception(PyExc_TypeError, "cannot create 'function' instances");
    suite_drop(frame, dict, code);
}

/* ------------------------------------------------------------------ */
/* Functions behind macros                                             */

START_TEST(macros_are_functions_too)
{
    PyObject *tuple = PyTuple_Pack(2, Py_None, Py_True);
    PyObject *list = PyList_New(3);

    ck_assert_ptr_eq((Py_TYPE)(tuple), &PyTuple_Type);
    ck_assert_int_eq((Py_REFCNT)(tuple), 1);
    ck_assert_int_eq((Py_SIZE)(tuple), 2);
    ck_assert_int_eq((Py_IS_TYPE)(tuple, &PyTuple_Type), 1);
    ck_assert_ptr_eq((Py_NewRef)(tuple), tuple);
    ck_assert_ptr_null((Py_XNewRef)(NULL));
    _Py_IncRef(tuple);
    ck_assert_int_eq(Py_REFCNT(tuple), 3);
    _Py_DecRef(tuple);
    _Py_SetRefcnt(tuple, 1);
    ck_assert_int_eq(Py_REFCNT(tuple), 1);
    ck_assert_int_eq((PyObject_Length)(tuple), 2);
    ck_assert_int_eq((PySequence_Length)(tuple), 2);
    ck_assert_int_eq((PySequence_In)(tuple, Py_True), 1);
    ck_assert_int_eq((PyVectorcall_NARGS)(2 | PY_VECTORCALL_ARGUMENTS_OFFSET),
                     2);
    ck_assert_uint_eq((Py_PACK_VERSION)(3, 15), 0x030f0000);
    ck_assert_uint_eq(Py_Version, PY_VERSION_HEX);
    ck_assert_int_eq(_Py_SwappedOp[Py_LT], Py_GT);
    ck_assert_int_eq((PyOS_mystricmp)("ABC", "abc"), 0);
    suite_drop(list, tuple);
}

START_TEST(names_with_sizet_are_the_functions_without)
{
    int number = 0, other = 0;
    static char *names[] = {"a", "b", NULL};
    PyObject *tuple = _Py_BuildValue_SizeT("(is#)", 5, "abc", (Py_ssize_t)2);
    const char *text;
    Py_ssize_t size;

    ck_assert_int_eq(
        _PyArg_ParseTuple_SizeT(tuple, "is#", &number, &text, &size), 1);
    ck_assert_int_eq(number, 5);
    ck_assert_int_eq(size, 2);
    ck_assert_int_eq(_PyArg_Parse_SizeT(tuple, "(is)", &other, &text), 1);
    ck_assert_int_eq(other, 5);
    PyObject *one = Py_BuildValue("(i)", 8),
             *kwargs = Py_BuildValue("{si}", "b", 9);
    ck_assert_int_eq(_PyArg_ParseTupleAndKeywords_SizeT(
                         one, kwargs, "ii", names, &number, &other),
                     1);
    ck_assert_int_eq(number * 10 + other, 89);
    PyObject *result =
        _PyObject_CallFunction_SizeT((PyObject *)&PyList_Type, "((ii))", 1, 2);
    ck_assert_int_eq(PyList_Size(result), 2);
    PyObject *index = _PyObject_CallMethod_SizeT(result, "index", "i", 2);
    ck_assert_int_eq(PyLong_AsLong(index), 1);
    suite_drop(index, result, kwargs, one, tuple);
}

START_TEST(old_calls_call)
{
    PyObject *args = Py_BuildValue("((ii))", 1, 2);
    PyObject *list =
        PyEval_CallObjectWithKeywords((PyObject *)&PyList_Type, args, NULL);
    PyObject *empty = PyEval_CallObject((PyObject *)&PyList_Type, NULL);
    PyObject *append = PyObject_GetAttrString(list, "append");

    ck_assert_int_eq(PyList_Size(list), 2);
    ck_assert_int_eq(PyList_Size(empty), 0);
    ck_assert_ptr_null(
        PyEval_CallObjectWithKeywords((PyObject *)&PyList_Type, list, NULL));
    suite_exception(PyExc_TypeError, "argument list must be a tuple");
    ck_assert_ptr_null(
        PyEval_CallObjectWithKeywords((PyObject *)&PyList_Type, args, list));
    suite_exception(PyExc_TypeError, "keyword list must be a dictionary");
    ck_assert_str_eq(PyEval_GetFuncName(append), "append");
    ck_assert_str_eq(PyEval_GetFuncDesc(append), "()");
    ck_assert_str_eq(PyEval_GetFuncName(list), "list");
    ck_assert_str_eq(PyEval_GetFuncDesc(list), " object");
    suite_drop(append, empty, list, args);
}

START_TEST(slice_bounds_are_converted)
{
    PyObject *number = PyLong_FromLong(7), *text = PyUnicode_FromString("a");
    Py_ssize_t bound = 3;

    ck_assert_int_eq(_PyEval_SliceIndex(Py_None, &bound), 1);
    ck_assert_int_eq(bound, 3);
    ck_assert_int_eq(_PyEval_SliceIndex(number, &bound), 1);
    ck_assert_int_eq(bound, 7);
    ck_assert_int_eq(_PyEval_SliceIndex(text, &bound), 0);
    suite_exception(PyExc_TypeError, "slice indices must be integers or None "
                                     "or have an __index__ method");
    suite_drop(text, number);
}

/* ------------------------------------------------------------------ */
/* sys                                                                 */

START_TEST(arguments_and_the_programs_directory)
{
    wchar_t *argv[] = {L"/usr/bin/prog", L"\u00e9"};

    PySys_SetArgv(2, argv);
    is_str(PySequence_GetItem(PySys_GetObject("argv"), 1), "\u00e9");
    is_str(PySequence_GetItem(PySys_GetObject("path"), 0), "/usr/bin");
    PySys_SetArgvEx(0, NULL, 0);
    is_str(PySequence_GetItem(PySys_GetObject("argv"), 0), "");
    PySys_SetPath(L"/a:/b");
    ck_assert_int_eq(PyList_Size(PySys_GetObject("path")), 2);
    is_str(PySequence_GetItem(PySys_GetObject("path"), 1), "/b");
}

START_TEST(options_are_kept_in_sys)
{
    ck_assert_int_eq(PySys_HasWarnOptions(), 0);
    PySys_AddWarnOption(L"error");
    ck_assert_int_eq(PySys_HasWarnOptions(), 1);
    PySys_ResetWarnOptions();
    ck_assert_int_eq(PySys_HasWarnOptions(), 0);
    PySys_AddXOption(L"a=b=c");
    PySys_AddXOption(L"flag");
    PyObject *options = PySys_GetXOptions();
    is_str(Py_NewRef(PyDict_GetItemString(options, "a")), "b=c");
    ck_assert_ptr_eq(PyDict_GetItemString(options, "flag"), Py_True);
    ck_assert_ptr_eq(PySys_GetObject("_xoptions"), options);
}

/* Counts the events; refuses "no", and new hooks once it has seen that. */
static int
count_events(const char *event, PyObject *args, void *data)
{
    int *counts = data;

    counts[0]++;
    counts[1] = (int)PyTuple_GET_SIZE(args);
    if (strcmp(event, "no") == 0 ||
        (counts[2] && strcmp(event, "sys.addaudithook") == 0)) {
        PyErr_SetString(PyExc_RuntimeError, "refused");
        return -1;
    }
    return 0;
}

START_TEST(audit_hooks_hear_of_events)
{
    int counts[3] = {0}, others[3] = {0};

    ck_assert_int_eq(PySys_Audit("early", "i", 1), 0);
    ck_assert_int_eq(PySys_AddAuditHook(count_events, counts), 0);
    ck_assert_int_eq(PySys_Audit("yes", "(ii)", 1, 2), 0);
    ck_assert_int_eq(counts[1], 2);
    ck_assert_int_eq(PySys_Audit("yes", "i", 1), 0);
    ck_assert_int_eq(counts[1], 1);
    ck_assert_int_eq(PySys_Audit("yes", NULL), 0);
    ck_assert_int_eq(counts[1], 0);
    ck_assert_int_eq(PySys_Audit("no", NULL), -1);
    suite_exception(PyExc_RuntimeError, "refused");
    ck_assert_int_eq(counts[0], 4);
    ck_assert_int_eq(PySys_AuditTuple("yes", Py_None), -1);
    suite_exception(PyExc_TypeError, "args must be tuple, got NoneType");
    counts[2] = 1;
    ck_assert_int_eq(PySys_AddAuditHook(count_events, others), 0);
    ck_assert_int_eq(PySys_Audit("yes", NULL), 0);
    ck_assert_int_eq(others[0], 0);
}

/* ------------------------------------------------------------------ */
/* The program                                                         */

START_TEST(names_that_are_set_are_told)
{
    int argc = 1;
    wchar_t **argv = NULL;

    Py_SetProgramName(L"name");
    ck_assert(wcscmp(Py_GetProgramName(), L"name") == 0);
    Py_SetProgramName(NULL);
    ck_assert(Py_GetProgramName()[0] == L'\0');
    ck_assert_ptr_null(Py_GetPythonHome());
    ck_assert(Py_GetPrefix()[0] == L'\0');
    Py_GetArgcArgv(&argc, &argv);
    ck_assert_int_eq(argc, 0);
    ck_assert_ptr_null(argv[0]);
    ck_assert_ptr_nonnull(strstr(Py_GetBuildInfo(), "pyboehm"));
}

START_TEST(a_path_holds_for_the_next_life)
{
    Py_SetPath(L"/one:/two");
    Py_Finalize();
    Py_Initialize();
    is_str(PySequence_GetItem(PySys_GetObject("path"), 1), "/two");
    ck_assert(wcscmp(Py_GetPath(), L"/one:/two") == 0);
    Py_SetPath(NULL);
}

START_TEST(bytes_become_wide_characters_and_back)
{
    static const char text[] = "a\xc3\xa9\xf0\x9f\x98\x80\xff\xed\xa0\x80";
    size_t size = 0, position = 0;
    wchar_t *wide = Py_DecodeLocale(text, &size);
    char *bytes = Py_EncodeLocale(wide, NULL);

    ck_assert_uint_eq(size, 7);
    ck_assert_uint_eq((unsigned)wide[2], 0x1f600);
    ck_assert_uint_eq((unsigned)wide[3], 0xdcff);
    ck_assert_str_eq(bytes, text);
    PyMem_Free(bytes);
    wide[1] = 0xd800;
    ck_assert_ptr_null(Py_EncodeLocale(wide, &position));
    ck_assert_uint_eq(position, 1);
    PyMem_RawFree(wide);
}

START_TEST(an_interrupt_waits_for_a_check)
{
    ck_assert_int_eq(PyErr_CheckSignals(), 0);
    PyErr_SetInterrupt();
    ck_assert_int_eq(PyErr_CheckSignals(), -1);
    suite_exception(PyExc_KeyboardInterrupt, NULL);
    ck_assert_int_eq(PyErr_SetInterruptEx(SIGTERM), 0);
    ck_assert_int_eq(PyOS_InterruptOccurred(), 0);
    ck_assert_int_eq(PyErr_SetInterruptEx(-1), -1);
    ck_assert_int_eq(PyErr_SetInterruptEx(SIGINT), 0);
    ck_assert_int_eq(PyOS_InterruptOccurred(), 1);
    ck_assert_int_eq(PyOS_InterruptOccurred(), 0);
    PyOS_sighandler_t before = PyOS_setsig(SIGUSR1, SIG_IGN);
    ck_assert(PyOS_getsig(SIGUSR1) == SIG_IGN);
    ck_assert(PyOS_setsig(SIGUSR1, before) == SIG_IGN);
}

START_TEST(the_recursion_limit_can_be_set)
{
    int levels = 0;

    ck_assert_int_eq(Py_GetRecursionLimit(), 1000);
    Py_SetRecursionLimit(20);
    while (Py_EnterRecursiveCall("") == 0)
        levels++;
    for (int i = 0; i < levels; i++)
        Py_LeaveRecursiveCall();
    suite_exception(PyExc_RecursionError, "maximum recursion depth exceeded");
    Py_SetRecursionLimit(1000);
    ck_assert_int_le(levels, 20);
    ck_assert_int_gt(levels, 10);
    ck_assert_int_eq(_Py_CheckRecursiveCall(PyThreadState_Get(), ""), 0);
}

START_TEST(the_interpreters_dictionary_lasts)
{
    PyObject *dict = PyInterpreterState_GetDict(PyInterpreterState_Get());

    ck_assert_int_eq(PyDict_SetItemString(dict, "self", dict), 0);
    PyGC_Collect();
    ck_assert_ptr_eq(PyInterpreterState_GetDict(PyThreadState_Get()->interp),
                     dict);
    ck_assert_int_eq(PyThreadState_Get()->gilstate_counter, 1);
    ck_assert_ptr_eq(PyThreadState_GET(), PyThreadState_Get());
    ck_assert_uint_eq(PyThreadState_GET()->_status.bound_gilstate, 0);
    ck_assert_int_eq(PyDict_Size(dict), 1);
}

START_TEST(a_place_is_noted_in_the_exception)
{
    char path[] = "/tmp/check_stableabi.XXXXXX";
    int file = mkstemp(path);

    ck_assert_int_eq((int)write(file, "one\ntwo\n", 8), 8);
    close(file);
    PyErr_SetString(PyExc_SyntaxError, "invalid");
    PyErr_SyntaxLocationEx(path, 2, 1);
    PyObject *exc = PyErr_GetRaisedException();
    is_str(PyObject_GetAttrString(exc, "text"), "two\n");
    is_str(PyObject_GetAttrString(exc, "filename"), path);
    PyObject *number = PyObject_GetAttrString(exc, "lineno");
    ck_assert_int_eq(PyLong_AsLong(number), 2);
    ck_assert_ptr_null(PyErr_ProgramText(path, 3));
    ck_assert_ptr_null(PyErr_ProgramText("/nowhere", 1));
    unlink(path);
    suite_drop(number, exc);
}

/* ------------------------------------------------------------------ */
/* Files and asynchronous iterators                                    */

/* A file: write() keeps the last text, readline() gives a line. */
static PyObject *written;

static PyObject *
file_write(PyObject *Py_UNUSED(self), PyObject *text)
{
    Py_XSETREF(written, Py_NewRef(text));
    Py_RETURN_NONE;
}

static PyObject *
file_readline(PyObject *Py_UNUSED(self), PyObject *args)
{
    Py_ssize_t limit = -1;

    if (!PyArg_ParseTuple(args, "|n", &limit))
        return NULL;
    return PyUnicode_FromStringAndSize("line\n", limit < 0 ? 5 : limit);
}

static PyMethodDef file_methods[] = {
    {"write", file_write, METH_O, NULL},
    {"readline", file_readline, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyObject *
same(PyObject *self)
{
    return Py_NewRef(self);
}

static PyType_Slot file_slots[] = {
    {Py_tp_methods, file_methods},
    {Py_am_aiter, (void *)same},
    {0, NULL},
};
static PyType_Spec file_spec = {"t.File", 0, 0, Py_TPFLAGS_DEFAULT,
                                file_slots};

static PyObject *
new_file(void)
{
    PyObject *type = PyType_FromSpec(&file_spec);
    PyObject *file = PyObject_CallNoArgs(type);

    Py_DECREF(type);
    return file;
}

START_TEST(files_are_read_and_written)
{
    PyObject *file = new_file(), *text = PyUnicode_FromString("a");

    is_str(PyFile_GetLine(file, 0), "line\n");
    is_str(PyFile_GetLine(file, 2), "li");
    is_str(PyFile_GetLine(file, -1), "line");
    ck_assert_int_eq(PyFile_WriteObject(text, file, 0), 0);
    is_str(Py_NewRef(written), "'a'");
    ck_assert_int_eq(PyFile_WriteObject(text, file, Py_PRINT_RAW), 0);
    is_str(Py_NewRef(written), "a");
    ck_assert_int_eq(PyFile_WriteString("text", file), 0);
    is_str(Py_NewRef(written), "text");
    ck_assert_int_eq(PyFile_WriteObject(text, NULL, 0), -1);
    suite_exception(PyExc_TypeError, "writeobject with NULL file");
    ck_assert_ptr_null(PyFile_GetLine(NULL, 0));
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_ptr_null(PyFile_FromFd(0, NULL, "r", -1, NULL, NULL, NULL, 0));
    suite_exception(PyExc_ModuleNotFoundError,
                    "No module named 'io': PYBOEHM_PATH is not set");
    Py_CLEAR(written);
    suite_drop(text, file);
}

START_TEST(asynchronous_iterators_need_am_anext)
{
    PyObject *file = new_file();

    ck_assert_int_eq(PyAIter_Check(file), 0);
    ck_assert_ptr_null(PyObject_GetAIter(file));
    suite_exception(PyExc_TypeError,
                    "aiter() returned not an async iterator of type 't.File'");
    ck_assert_ptr_null(PyObject_GetAIter(Py_None));
    suite_exception(PyExc_TypeError,
                    "'NoneType' object is not an async iterable");
    Py_DECREF(file);
}

/* ------------------------------------------------------------------ */
/* Guards                                                              */

static struct {
    PyInterpreterView *view;
    PyInterpreterGuard *guard;
    int begun, done, refused;
} ward;

/* Works attached while the main thread is in Py_Finalize, which waits. */
static void *
work_guarded(void *Py_UNUSED(arg))
{
    PyThreadStateToken *token = PyThreadState_Ensure(ward.guard);
    __atomic_store_n(&ward.begun, 1, __ATOMIC_SEQ_CST);
    /* The guard is refused once Py_Finalize has begun to wait. */
    for (PyInterpreterGuard *more = NULL; !ward.refused;) {
        Py_BEGIN_ALLOW_THREADS
        more = PyInterpreterGuard_FromView(ward.view);
        Py_END_ALLOW_THREADS
        if (more != NULL)
            PyInterpreterGuard_Close(more);
        ward.refused = more == NULL;
    }
    Py_DECREF(PyList_New(0));
    ward.done = 1;
    PyThreadState_Release(token);
    PyInterpreterGuard_Close(ward.guard);
    return NULL;
}

START_TEST(the_end_waits_for_guards)
{
    pthread_t thread;

    ward.view = PyInterpreterView_FromCurrent();
    ward.guard = PyInterpreterGuard_FromCurrent();
    ck_assert_int_eq(pthread_create(&thread, NULL, work_guarded, NULL), 0);
    while (!__atomic_load_n(&ward.begun, __ATOMIC_SEQ_CST)) {
        Py_BEGIN_ALLOW_THREADS
        sched_yield();
        Py_END_ALLOW_THREADS
    }
    Py_Finalize();
    ck_assert_int_eq(ward.done, 1);
    pthread_join(thread, NULL);
    ck_assert_ptr_null(PyThreadState_EnsureFromView(ward.view));
    Py_Initialize();
    ck_assert_ptr_null(PyInterpreterGuard_FromView(ward.view));
    PyInterpreterView_Close(ward.view);
    ward.view = PyInterpreterView_FromMain();
    PyThreadStateToken *token = PyThreadState_EnsureFromView(ward.view);
    ck_assert_ptr_nonnull(token);
    PyThreadState_Release(token);
    PyInterpreterView_Close(ward.view);
}
