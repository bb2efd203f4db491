/* check_files.c: file descriptors, paths, started threads and old keys. */

#include "../support/suite.h"

#include <fcntl.h>
#include <unistd.h>

static PyObject *result;

static PyObject *
get_result(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return result == NULL ? PyErr_Format(PyExc_KeyError, "none")
                          : Py_NewRef(result);
}

/* AsFileDescriptor of an object whose fileno() returns op, which is given
   up. */
static int
fileno_is(PyObject *op)
{
    static PyMethodDef def = {"fileno", get_result, METH_NOARGS, NULL};
    PyObject *type = suite_class("s(){}", "File");
    PyObject *file = suite_require(PyObject_CallNoArgs(type));
    PyObject *method = suite_require(PyCFunction_New(&def, NULL));

    result = op;
    PyObject_SetAttrString(file, "fileno", method);
    int fd = PyObject_AsFileDescriptor(file);
    suite_drop(method, file, type);
    Py_CLEAR(result);
    return fd;
}

START_TEST(descriptors_are_ints_or_come_from_fileno)
{
    PyObject *five = PyLong_FromLong(5), *negative = PyLong_FromLong(-5);
    PyObject *huge = PyLong_FromLongLong(1LL << 40);

    ck_assert_int_eq(PyObject_AsFileDescriptor(five), 5);
    ck_assert_int_eq(PyObject_AsFileDescriptor(Py_True), 1);
    suite_failed(PyObject_AsFileDescriptor(negative), PyExc_ValueError,
                 "file descriptor cannot be a negative integer (-5)");
    suite_failed(PyObject_AsFileDescriptor(huge), PyExc_OverflowError, NULL);
    suite_failed(PyObject_AsFileDescriptor(Py_None), PyExc_TypeError,
                 "argument must be an int, or have a fileno() method.");
    suite_failed(PyObject_AsFileDescriptor(NULL), PyExc_SystemError, NULL);
    ck_assert_int_eq(fileno_is(Py_NewRef(five)), 5);
    suite_failed(fileno_is(PyFloat_FromDouble(5)), PyExc_TypeError,
                 "fileno() returned a non-integer");
    suite_failed(fileno_is(NULL), PyExc_KeyError, NULL);
    suite_drop(five, negative, huge);
}

/* GetLine of an object whose readline() returns op, which is given up. */
static PyObject *
line_is(PyObject *op, int n)
{
    static PyMethodDef methods[] = {
        {"readline", get_result, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
    PyObject *file = suite_require(PyModule_New("file"));

    PyModule_AddFunctions(file, methods);
    result = op;
    PyObject *line = PyFile_GetLine(file, n);
    Py_DECREF(file);
    Py_CLEAR(result);
    return line;
}

START_TEST(lines_are_texts_or_bytes)
{
    suite_new_text(line_is(PyUnicode_FromString("a\n"), 0), "a\n");
    suite_new_text(line_is(PyUnicode_FromString("a\n"), 1), "a\n");
    suite_new_text(line_is(PyUnicode_FromString("a\n"), -1), "a");
    suite_new_text(line_is(PyUnicode_FromString("a"), -1), "a");
    suite_new_text(line_is(PyUnicode_FromString(""), 0), "");
    suite_refused(line_is(PyUnicode_FromString(""), -1), PyExc_EOFError,
                  "EOF when reading a line");
    suite_new_repr(line_is(PyBytes_FromString("a\n"), 0), "b'a\\n'");
    suite_new_repr(line_is(PyBytes_FromString("a\n"), -1), "b'a'");
    suite_refused(line_is(PyBytes_FromString(""), -1), PyExc_EOFError,
                  "EOF when reading a line");
    suite_refused(line_is(PyLong_FromLong(1), 0), PyExc_TypeError,
                  "object.readline() returned non-string");
    suite_refused(line_is(PyLong_FromLong(1), -1), PyExc_TypeError,
                  "object.readline() returned non-string");
    suite_refused(line_is(NULL, -1), PyExc_KeyError, NULL);
    suite_refused(PyFile_GetLine(Py_None, 0), PyExc_AttributeError, NULL);
    suite_refused(PyFile_GetLine(NULL, 0), PyExc_SystemError, NULL);
}

/* io.open says its arguments. */
static PyObject *
io_open(PyObject *Py_UNUSED(module), PyObject *args)
{
    return PyObject_Repr(args);
}

START_TEST(files_are_those_of_the_programs_module_io)
{
    static PyMethodDef methods[] = {{"open", io_open, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};

    suite_refused(PyFile_FromFd(1, NULL, "w", -1, NULL, NULL, NULL, 0),
                  PyExc_ModuleNotFoundError, NULL);
    PyObject *io = suite_require(PyImport_AddModuleRef("io"));
    PyModule_AddFunctions(io, methods);
    suite_new_text(PyFile_FromFd(1, "name", "w", -1, "ascii", NULL, "", 0),
                   "(1, 'w', -1, 'ascii', None, '', False)");
    suite_new_text(PyFile_FromFd(0, NULL, NULL, 1, NULL, "strict", NULL, 1),
                   "(0, 'r', 1, None, 'strict', None, True)");
    Py_DECREF(io);
}

START_TEST(paths_are_texts_or_have_fspath)
{
    PyObject *text = PyUnicode_FromString("x");
    suite_new_same(PyOS_FSPath(text), text);

    PyMethodDef methods[] = {{"__fspath__", get_result, METH_NOARGS, NULL},
                             {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, NULL}};
    PyType_Spec spec = {"m.Path", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT,
                        slots};
    PyObject *type = suite_require(PyType_FromSpec(&spec));
    PyObject *path = suite_require(PyObject_CallNoArgs(type));
    result = text;
    suite_new_same(PyOS_FSPath(path), text);
    result = Py_None;
    suite_refused(PyOS_FSPath(path), PyExc_TypeError,
                  "expected Path.__fspath__() to return str or bytes, not "
                  "NoneType");
    suite_refused(PyOS_FSPath(Py_None), PyExc_TypeError,
                  "expected str, bytes or os.PathLike object, not NoneType");
    suite_refused(PyOS_FSPath(NULL), PyExc_SystemError, NULL);
    result = NULL;
    suite_drop(path, type, text);
}

START_TEST(file_names_are_utf8)
{
    ck_assert_str_eq(Py_FileSystemDefaultEncoding, "utf-8");
    ck_assert_str_eq(Py_FileSystemDefaultEncodeErrors, "surrogateescape");
    ck_assert_int_eq(Py_HasFileSystemDefaultEncoding, 1);
}

/* ------------------------------------------------------------------ */
/* Threads                                                             */

static PyThread_type_lock done;
static int key;

/* Attaches, makes a cycle, and ends. */
static void
work(void *arg)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *list = arg;

    PyList_Append(list, list);
    PyList_Append(list, Py_True);
    ck_assert_ptr_null(PyThread_get_key_value(key));
    ck_assert_int_eq(PyThread_set_key_value(key, &done), 0);
    ck_assert_ptr_eq(PyThread_get_key_value(key), &done);
    PyThread_delete_key_value(key);
    ck_assert_ptr_null(PyThread_get_key_value(key));
    PyGILState_Release(state);
    PyThread_release_lock(done);
    PyThread_exit_thread();
}

START_TEST(started_threads_attach_and_end)
{
    PyObject *list = PyList_New(0);
    unsigned long id;

    done = PyThread_allocate_lock();
    key = PyThread_create_key();
    ck_assert_int_ge(key, 0);
    PyThread_acquire_lock(done, WAIT_LOCK);
    PyThread_init_thread();
    id = PyThread_start_new_thread(work, list);
    ck_assert(id != PYTHREAD_INVALID_THREAD_ID);
    ck_assert(id != PyThread_get_thread_ident());
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(done, WAIT_LOCK);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(PyList_GET_SIZE(list), 2);
    PyThread_delete_key(key);
    PyThread_ReInitTLS();
    PyThread_release_lock(done);
    PyThread_free_lock(done);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 1);
}

START_TEST(stacks_have_the_size_that_was_set)
{
    ck_assert_uint_eq(PyThread_get_stacksize(), 0);
    ck_assert_int_eq(PyThread_set_stacksize(1), -1);
    ck_assert_uint_eq(PyThread_get_stacksize(), 0);
    ck_assert_int_eq(PyThread_set_stacksize(1 << 20), 0);
    ck_assert_uint_eq(PyThread_get_stacksize(), 1 << 20);
    ck_assert_int_eq(PyThread_set_stacksize(0), 0);
}

START_TEST(files_are_opened_by_names_of_python)
{
    char name[] = "check_files.XXXXXX", read[10] = "";
    int fd = mkstemp(name);
    PyObject *path = suite_require(PyUnicode_FromString(name));
    PyObject *bytes = suite_require(PyBytes_FromString(name));

    ck_assert_int_ge(fd, 0);
    close(fd);
    FILE *file = Py_fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fcntl(fileno(file), F_GETFD), FD_CLOEXEC);
    ck_assert_int_eq(Py_FdIsInteractive(file, "name"), 0);
    ck_assert_int_ge(fputs("line", file), 0);
    ck_assert_int_eq(Py_fclose(file), 0);
    file = Py_fopen(bytes, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(read, sizeof read, file));
    ck_assert_str_eq(read, "line");
    ck_assert_int_eq(Py_fclose(file), 0);
    unlink(name);

    suite_refused(Py_fopen(path, "r"), PyExc_FileNotFoundError, NULL);
    suite_refused(Py_fopen(path, "?"), PyExc_OSError, NULL);
    suite_refused(Py_fopen(Py_None, "r"), PyExc_TypeError,
                  "expected str, bytes or os.PathLike object, not NoneType");
    suite_refused(Py_fopen(NULL, "r"), PyExc_SystemError,
                  "null argument to internal routine");
    suite_drop(path, bytes);
}
