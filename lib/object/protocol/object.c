/* object.c: operations on any object: printing, comparing, hashing, tests of
   truth and type. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/error/errors.h"
#include "object/protocol/classtest.h"

/* ------------------------------------------------------------------ */
/* Functions of the same name as macros                                */

int(Py_Is)(PyObject *x, PyObject *y)
{
    return x == y;
}

int(Py_IsNone)(PyObject *x)
{
    return x == Py_None;
}

void
Py_IncRef(PyObject *op)
{
    Py_XINCREF(op);
}

void
Py_DecRef(PyObject *op)
{
    Py_XDECREF(op);
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

/* Calls a slot that makes a str; method and where are for the errors. */
static PyObject *
call_for_str(PyObject *op, reprfunc slot, const char *method,
             const char *where)
{
    if (Py_EnterRecursiveCall(where))
        return NULL;
    PyObject *result = slot(op);
    Py_LeaveRecursiveCall();
    if (result == NULL || PyUnicode_Check(result))
        return result;
    PyErr_Format(PyExc_TypeError, "%s returned non-string (type %.200s)",
                 method, Py_TYPE(result)->tp_name);
    Py_DECREF(result);
    return NULL;
}

PyObject *
PyObject_Repr(PyObject *op)
{
    if (op == NULL)
        return PyUnicode_FromString("<NULL>");
    if (Py_TYPE(op)->tp_repr == NULL)
        return PyUnicode_FromFormat("<%s object at %p>", Py_TYPE(op)->tp_name,
                                    op);
    return call_for_str(op, Py_TYPE(op)->tp_repr, "__repr__",
                        " while getting the repr of an object");
}

PyObject *
PyObject_Str(PyObject *op)
{
    if (op == NULL)
        return PyUnicode_FromString("<NULL>");
    if (PyUnicode_CheckExact(op))
        return Py_NewRef(op);
    if (Py_TYPE(op)->tp_str == NULL)
        return PyObject_Repr(op);
    return call_for_str(op, Py_TYPE(op)->tp_str, "__str__",
                        " while getting the str of an object");
}

const char *Py_hexdigits = "0123456789abcdef";

/* Writes the escape for a character that is not ASCII, at most 10 bytes;
   returns where it ends. */
static char *
write_escape(char *to, Py_UCS4 c)
{
    int shift = c < 0x100 ? 4 : c < 0x10000 ? 12 : 28;

    PYB_ASSERT(c >= 128 && c < 0x110000);
    *to++ = '\\';
    *to++ = c < 0x100 ? 'x' : c < 0x10000 ? 'u' : 'U';
    for (; shift >= 0; shift -= 4)
        *to++ = Py_hexdigits[c >> shift & 15];
    return to;
}

PyObject *
PyObject_ASCII(PyObject *op)
{
    PyObject *repr = PyObject_Repr(op);

    if (repr == NULL || PyUnicode_IS_ASCII(repr))
        return repr;
    Py_ssize_t length = PyUnicode_GET_LENGTH(repr);
    char *text = NULL;
    if (length <= PY_SSIZE_T_MAX / 10)
        text = (char *)PyMem_Malloc((size_t)length * 10);
    if (text == NULL) {
        Py_DECREF(repr);
        return PyErr_NoMemory();
    }
    char *end = text;
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(repr, i);
        if (c < 128)
            *end++ = (char)c;
        else
            end = write_escape(end, c);
    }
    PYB_ASSERT(end - text <= length * 10);
    PyObject *ascii = PyUnicode_FromStringAndSize(text, end - text);
    PyMem_Free(text);
    Py_DECREF(repr);
    return ascii;
}

PyObject *
PyObject_Bytes(PyObject *op)
{
    PyObject *result;

    if (op == NULL)
        return PyBytes_FromString("<NULL>");
    if (PyBytes_CheckExact(op))
        return Py_NewRef(op);
    int found = pyb_attr_convert(op, "__bytes__", &PyBytes_Type, &result);
    return found == 0 ? PyBytes_FromObject(op) : result;
}

/* Writes a str to the file.  0, or -1 with an exception. */
static int
write_str(PyObject *str, FILE *file)
{
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(str, &size);

    if (utf8 == NULL)
        return -1;
    fwrite(utf8, 1, (size_t)size, file);
    return 0;
}

int
PyObject_Print(PyObject *op, FILE *file, int flags)
{
    int status = 0;

    clearerr(file);
    if (op == NULL) {
        fprintf(file, "<nil>");
    } else if (Py_REFCNT(op) <= 0) {
        fprintf(file, "<refcnt %zd at %p>", Py_REFCNT(op), (void *)op);
    } else {
        PyObject *str =
            flags & Py_PRINT_RAW ? PyObject_Str(op) : PyObject_Repr(op);
        if (str == NULL)
            return -1;
        status = write_str(str, file);
        Py_DECREF(str);
    }
    if (status == 0 && ferror(file)) {
        PyErr_SetFromErrno(PyExc_OSError);
        clearerr(file);
        return -1;
    }
    return status;
}

/* ------------------------------------------------------------------ */
/* Comparison                                                          */

/* a OP b is b REFLECTED[OP] a. */
static const int reflected[] = {
    [Py_LT] = Py_GT, [Py_LE] = Py_GE, [Py_EQ] = Py_EQ,
    [Py_NE] = Py_NE, [Py_GT] = Py_LT, [Py_GE] = Py_LE,
};

static const char *const operators[] = {
    [Py_LT] = "<",  [Py_LE] = "<=", [Py_EQ] = "==",
    [Py_NE] = "!=", [Py_GT] = ">",  [Py_GE] = ">=",
};

/* The result of v's type; Py_NotImplemented if it does not support this. */
static PyObject *
ask(PyObject *v, PyObject *w, int op)
{
    richcmpfunc compare = Py_TYPE(v)->tp_richcompare;

    return compare != NULL ? compare(v, w, op) : Py_NotImplemented;
}

/* v's type is tried first, unless w's type is a subtype of it. */
static PyObject *
compare(PyObject *v, PyObject *w, int op)
{
    int w_first = Py_TYPE(v) != Py_TYPE(w) &&
                  PyType_IsSubtype(Py_TYPE(w), Py_TYPE(v)) &&
                  Py_TYPE(w)->tp_richcompare != NULL;
    PyObject *result = Py_NotImplemented;

    PYB_ASSERT(op >= Py_LT && op <= Py_GE);
    if (w_first)
        result = ask(w, v, reflected[op]);
    if (result == Py_NotImplemented)
        result = ask(v, w, op);
    if (result == Py_NotImplemented && !w_first)
        result = ask(w, v, reflected[op]);
    if (result != Py_NotImplemented)
        return result;

    if (op == Py_EQ || op == Py_NE)
        return PyBool_FromLong((v == w) == (op == Py_EQ));
    return PyErr_Format(PyExc_TypeError,
                        "'%s' not supported between instances of '%.100s' and "
                        "'%.100s'",
                        operators[op], Py_TYPE(v)->tp_name,
                        Py_TYPE(w)->tp_name);
}

PyObject *
PyObject_RichCompare(PyObject *v, PyObject *w, int op)
{
    if (v == NULL || w == NULL || op < Py_LT || op > Py_GE) {
        if (!PyErr_Occurred())
            PyErr_BadInternalCall();
        return NULL;
    }
    if (Py_EnterRecursiveCall(" in comparison"))
        return NULL;
    PyObject *result = compare(v, w, op);
    Py_LeaveRecursiveCall();
    return result;
}

int
PyObject_RichCompareBool(PyObject *v, PyObject *w, int op)
{
    if (v == w && v != NULL && (op == Py_EQ || op == Py_NE))
        return op == Py_EQ;
    return pyb_truth_stolen(PyObject_RichCompare(v, w, op));
}

/* ------------------------------------------------------------------ */
/* Hash and truth                                                      */

Py_hash_t
PyObject_HashNotImplemented(PyObject *op)
{
    return pyb_failf(PyExc_TypeError, "unhashable type: '%.200s'",
                     Py_TYPE(op)->tp_name);
}

Py_hash_t
PyObject_GenericHash(PyObject *op)
{
    return Py_HashPointer(op);
}

Py_hash_t
PyObject_Hash(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    if (_PyB_LIKELY(type->tp_hash != NULL))
        return type->tp_hash(op);
    /* A static type without a PyType_Ready call inherits its hash here. */
    if (type->tp_dict == NULL && PyType_Ready(type) < 0)
        return -1;
    if (type->tp_hash == NULL)
        return PyObject_HashNotImplemented(op);
    return type->tp_hash(op);
}

int
PyObject_IsTrue(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    Py_ssize_t truth = 1;

    if (op == Py_True || op == Py_False || op == Py_None)
        return op == Py_True;
    if (type->tp_as_number != NULL && type->tp_as_number->nb_bool != NULL)
        truth = type->tp_as_number->nb_bool(op);
    else if (type->tp_as_mapping != NULL &&
             type->tp_as_mapping->mp_length != NULL)
        truth = type->tp_as_mapping->mp_length(op);
    else if (type->tp_as_sequence != NULL &&
             type->tp_as_sequence->sq_length != NULL)
        truth = type->tp_as_sequence->sq_length(op);
    return truth > 0 ? 1 : truth < 0 ? -1 : 0;
}

int
PyObject_Not(PyObject *op)
{
    int truth = PyObject_IsTrue(op);

    return truth < 0 ? -1 : !truth;
}

PyObject *
PyObject_SelfIter(PyObject *op)
{
    return Py_NewRef(op);
}

/* ------------------------------------------------------------------ */
/* Types                                                               */

PyObject *
PyObject_Type(PyObject *op)
{
    if (op == NULL)
        return pyb_errors_null_argument();
    return Py_NewRef(Py_TYPE(op));
}

/* isinstance and issubclass differ in these. */
struct class_test {
    int (*test)(PyObject *op, PyObject *cls);
    const char *method; /* of cls, called first */
    const char *where;
};

static const struct class_test isinstance_test = {
    pyb_classtest_instance, "__instancecheck__", " in __instancecheck__"};
static const struct class_test issubclass_test = {
    pyb_classtest_subclass, "__subclasscheck__", " in __subclasscheck__"};

static int test_class(const struct class_test *test, PyObject *op,
                      PyObject *cls);

/* The truth of method(op).  Steals the method. */
static int
ask_class(PyObject *method, PyObject *op)
{
    PyObject *answer = PyObject_CallOneArg(method, op);

    Py_DECREF(method);
    return pyb_truth_stolen(answer);
}

static int
test_class_deeper(const struct class_test *test, PyObject *op, PyObject *cls)
{
    PyObject *method;
    int result = 0;

    if (PyTuple_Check(cls)) {
        for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(cls); i++)
            result = test_class(test, op, PyTuple_GET_ITEM(cls, i));
        return result;
    }
    result = pyb_attr_special(cls, test->method, &method);
    if (result < 0)
        return -1;
    return result > 0 ? ask_class(method, op) : test->test(op, cls);
}

static int
test_class(const struct class_test *test, PyObject *op, PyObject *cls)
{
    if (PyType_CheckExact(cls))
        return test->test(op, cls);
    if (Py_EnterRecursiveCall(test->where))
        return -1;
    int result = test_class_deeper(test, op, cls);
    Py_LeaveRecursiveCall();
    return result;
}

int
PyObject_IsInstance(PyObject *inst, PyObject *cls)
{
    if (Py_IS_TYPE(inst, (PyTypeObject *)cls))
        return 1;
    return test_class(&isinstance_test, inst, cls);
}

int
PyObject_IsSubclass(PyObject *derived, PyObject *cls)
{
    return test_class(&issubclass_test, derived, cls);
}
