/* sys_functions.c: the functions of sys, sys.hash_info and sys.flags.
   Manual: Python's library, "sys". */

#include "oracle.h"

static PyObject *sys;

/* sys.NAME(*args), the arguments in a tuple that Py_BuildValue makes. */
static PyObject *
call(const char *name, const char *format, ...)
{
    va_list values;
    PyObject *function = need(PyObject_GetAttrString(sys, name));

    va_start(values, format);
    PyObject *args = need(Py_VaBuildValue(format, values));
    va_end(values);
    PyObject *result = PyObject_CallObject(function, args);
    drop_all(function, args);
    return result;
}

#define CALL(NAME, ...) show(NAME " " #__VA_ARGS__, call(NAME, __VA_ARGS__))

/* ------------------------------------------------------------------ */
/* Sizes                                                               */

static PyObject *answer; /* of __sizeof__; NULL raises ValueError */

static PyObject *
sized_sizeof(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(none))
{
    if (answer == NULL)
        PyErr_SetString(PyExc_ValueError, "not now");
    return Py_XNewRef(answer);
}

static PyMethodDef sized_methods[] = {
    {"__sizeof__", sized_sizeof, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyType_Slot sized_slots[] = {{Py_tp_methods, sized_methods}, {0, NULL}};
static PyType_Spec sized_spec = {"shop.Sized", sizeof(PyObject), 0,
                                 Py_TPFLAGS_DEFAULT, sized_slots};

/* The answer, which is stolen, without and with a default. */
static void
ask(PyObject *sized, PyObject *wanted)
{
    answer = wanted;
    CALL("getsizeof", "(O)", sized);
    CALL("getsizeof", "(Os)", sized, "default");
    Py_CLEAR(answer);
}

static void
sizes(void)
{
    PyObject *type = need(PyType_FromSpec(&sized_spec));
    PyObject *sized = need(PyObject_CallNoArgs(type));

    ask(sized, PyLong_FromLong(100));
    ask(sized, PyLong_FromLong(-1));
    ask(sized, PyUnicode_FromString("100"));
    ask(sized, PyFloat_FromDouble(1.5));
    ask(sized, need(PyLong_FromString("100000000000000000000", NULL, 10)));
    ask(sized, NULL);
    CALL("getsizeof", "()");
    CALL("getsizeof", "(iii)", 1, 2, 3);
    CALL("getrefcount", "()");
    PyObject *before = call("getrefcount", "(O)", sized);
    PyObject *kept = Py_NewRef(sized);
    PyObject *after = call("getrefcount", "(O)", sized);
    SHOW(PyNumber_Subtract(after, before));
    drop_all(before, after, kept, sized, type);
}

/* ------------------------------------------------------------------ */
/* Exceptions                                                          */

static void
exceptions(void)
{
    CALL("exception", "()");
    CALL("exc_info", "()");
    CALL("exc_info", "(i)", 1);
    PyObject *handled = need(PyObject_CallFunction(PyExc_KeyError, "s", "k"));
    PyErr_SetExcInfo(NULL, Py_NewRef(handled), NULL);
    CALL("exception", "()");
    PyObject *info = call("exc_info", "()");
    show("its type", Py_NewRef(PyTuple_GetItem(info, 0)));
    show("itself", Py_NewRef(PyTuple_GetItem(info, 1)));
    PyErr_SetExcInfo(NULL, NULL, NULL);
    drop_all(info, handled);
    CALL("exit", "()");
    CALL("exit", "(i)", 3);
    CALL("exit", "((ii))", 3, 4);
    CALL("exit", "(ii)", 3, 4);
    CALL("is_finalizing", "()");
}

/* ------------------------------------------------------------------ */
/* Settings, names, facts                                              */

static void
settings(void)
{
    CALL("getrecursionlimit", "()");
    CALL("setrecursionlimit", "(i)", 500);
    CALL("getrecursionlimit", "()");
    CALL("setrecursionlimit", "(i)", 0);
    CALL("setrecursionlimit", "(i)", -1);
    CALL("setrecursionlimit", "(d)", 10.0);
    CALL("setrecursionlimit", "(L)", 1LL << 40);
    for (int i = 0; i < 30; i++)
        result("nested", Py_EnterRecursiveCall(""));
    CALL("setrecursionlimit", "(i)", 20);
    CALL("setrecursionlimit", "(i)", 40);
    for (int i = 0; i < 30; i++)
        Py_LeaveRecursiveCall();
    CALL("setrecursionlimit", "(i)", 1000);
    CALL("getdefaultencoding", "()");
    CALL("getfilesystemencodeerrors", "()"); /* the encoding is the locale's */
}

static void
interned(void)
{
    PyObject *text = need(PyUnicode_FromString("a text of sys_functions"));
    PyObject *same = need(PyUnicode_FromString("a text of sys_functions"));
    PyObject *first = call("intern", "(O)", text);
    PyObject *second = call("intern", "(O)", same);

    result("the same", first == second);
    drop_all(text, same, first, second);
    CALL("intern", "(i)", 1);
    CALL("intern", "(y)", "a");
    CALL("intern", "()");
}

static int
hook(const char *event, PyObject *args, void *Py_UNUSED(data))
{
    if (strncmp(event, "shop.", 5) != 0)
        return 0;
    say("hook: %s", event);
    show_kept("args", args);
    if (strcmp(event, "shop.stop") != 0)
        return 0;
    PyErr_SetString(PyExc_RuntimeError, "stopped");
    return -1;
}

static void
audited(void)
{
    CALL("audit", "()");
    RESULT(PySys_AddAuditHook(hook, NULL));
    CALL("audit", "(s)", "shop.open");
    CALL("audit", "(sis)", "shop.sell", 3, "x");
    CALL("audit", "(s)", "shop.stop");
    CALL("audit", "(i)", 1);
}

static void
facts(void)
{
    static const char *const of_hash[] = {
        "width",     "modulus",   "inf",       "nan",   "imag",
        "algorithm", "hash_bits", "seed_bits", "cutoff"};
    PyObject *hash_info = need(PyObject_GetAttrString(sys, "hash_info"));
    PyObject *flags = need(PyObject_GetAttrString(sys, "flags"));

    for (size_t i = 0; i < Py_ARRAY_LENGTH(of_hash); i++)
        show(of_hash[i], PyObject_GetAttrString(hash_info, of_hash[i]));
    SHOW(PyObject_GetAttrString((PyObject *)Py_TYPE(flags), "__match_args__"));
    SHOW(PyObject_GetAttrString(flags, "debug"));
    SHOW(PyObject_GetAttrString(flags, "dev_mode"));
    SHOW(PyObject_GetAttrString(sys, "maxunicode"));
    SHOW(PyObject_GetAttrString(sys, "float_repr_style"));
    drop_all(hash_info, flags);
}

void
oracle_program(void)
{
    sys = need(PyImport_ImportModule("sys"));
    sizes();
    exceptions();
    settings();
    interned();
    audited();
    facts();
    Py_DECREF(sys);
}
