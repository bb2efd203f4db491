/* paths.c: what stands for a file: PyOS_FSPath, PyUnicode_FSConverter,
   PyUnicode_FSDecoder and PyObject_AsFileDescriptor.
   Manual: "Operating System Utilities", "File System Encoding", "File
   Objects". */

#include "oracle.h"

/* What the method of the type under test returns: a new reference, or NULL
   with KeyError. */
static PyObject *answer;

static PyObject *
give_answer(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    if (answer == NULL) {
        PyErr_SetString(PyExc_KeyError, "no answer");
        return NULL;
    }
    return Py_NewRef(answer);
}

static PyMethodDef methods[] = {
    {"__fspath__", give_answer, METH_NOARGS, NULL},
    {"fileno", give_answer, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject file_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.File",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_methods = methods,
};

static void
encode(PyObject *path)
{
    PyObject *bytes = NULL;

    RESULT(PyUnicode_FSConverter(path, &bytes));
    if (bytes == NULL)
        return;
    show_kept("bytes", bytes);
    RESULT(PyUnicode_FSConverter(NULL, &bytes)); /* gives it up */
    RESULT(bytes == NULL);
}

static void
decode(PyObject *path)
{
    PyObject *text = NULL;

    RESULT(PyUnicode_FSDecoder(path, &text));
    if (text != NULL)
        show("text", text);
}

static void
try_path(PyObject *path)
{
    SHOW(PyOS_FSPath(path));
    encode(path);
    decode(path);
}

static void
try_all(PyObject *file, PyObject *op)
{
    say("-- %s", op != NULL ? Py_TYPE(op)->tp_name : "an exception");
    answer = op;
    if (op != NULL) {
        try_path(op);
        RESULT(PyObject_AsFileDescriptor(op));
    }
    say("by its method:");
    try_path(file);
    RESULT(PyObject_AsFileDescriptor(file));
}

/* A method that the class has from Python's side: any callable will do, and
   what is no callable is called all the same. */
static void
classes(void)
{
    PyObject *class =
        call_type(&PyType_Type, "s(){si}", "Numbered", "__fspath__", 3);
    PyObject *op = need(PyObject_CallNoArgs(class));

    SHOW(PyOS_FSPath(op));
    RESULT(PyObject_SetAttrString(op, "fileno", class));
    RESULT(PyObject_AsFileDescriptor(op));
    RESULT(PyObject_SetAttrString(class, "__fspath__", Py_None));
    SHOW(PyOS_FSPath(op));
    drop_all(op, class);
}

void
oracle_program(void)
{
    PyType_Ready(&file_type);
    PyObject *file = need(PyObject_CallNoArgs((PyObject *)&file_type));
    PyObject *all =
        need(Py_BuildValue("[sy#yyiiiLOd[]s#]", "name",
                           "na\xff"
                           "me",
                           (Py_ssize_t)5, "", "plain", 7, -1, -7, 1LL << 40,
                           Py_True, 2.5, "na\0me", (Py_ssize_t)5));

    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(all); i++)
        try_all(file, PyList_GET_ITEM(all, i));
    try_all(file, Py_None);
    try_all(file, file);
    try_all(file, NULL);
    PyObject *huge =
        need(PyLong_FromString("123456789012345678901", NULL, 10));
    try_all(file, huge);
    /* CPython 3.11 decodes other buffers than bytes, but warns. */
    PyObject *array = need(PyByteArray_FromStringAndSize("array", 5));
    SHOW(PyOS_FSPath(array));
    encode(array);
    PyObject *actor = (PyObject *)actor_new(&Actor_Type, "actor");
    try_path(actor);
    RESULT(PyObject_AsFileDescriptor(actor));
    classes();
    Py_DECREF(actor);
    drop_all(array, huge, all, file);
}
