/* member.c: attributes that are fields of a C structure. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"

/* ------------------------------------------------------------------ */
/* Reading                                                             */

static int
bad_member(const PyMemberDef *member)
{
    return pyb_failf(PyExc_SystemError, "bad memberdescr type for %s",
                     member->name);
}

static PyObject *
get_object(const char *obj_addr, const PyMemberDef *member)
{
    PyObject *value =
        *(PyObject *const *)(const void *)(obj_addr + member->offset);

    if (value != NULL)
        return Py_NewRef(value);
    if (member->type == _Py_T_OBJECT)
        Py_RETURN_NONE;
    PYB_ASSERT(member->type == Py_T_OBJECT_EX);
    return PyErr_Format(
        PyExc_AttributeError, "'%.200s' object has no attribute '%s'",
        ((const PyObject *)(const void *)obj_addr)->ob_type->tp_name,
        member->name);
}

static PyObject *
get_string(const char *const *addr)
{
    if (*addr == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(*addr);
}

PyObject *
PyMember_GetOne(const char *obj_addr, PyMemberDef *member)
{
    const void *addr = obj_addr + member->offset;

    if (member->flags & Py_RELATIVE_OFFSET)
        return pyb_raise(PyExc_SystemError,
                         "PyMember_GetOne used with Py_RELATIVE_OFFSET");
    switch (member->type) {
    case Py_T_BOOL:
        return PyBool_FromLong(*(const char *)addr);
    case Py_T_BYTE:
        return PyLong_FromLong(*(const signed char *)addr);
    case Py_T_UBYTE:
        return PyLong_FromLong(*(const unsigned char *)addr);
    case Py_T_SHORT:
        return PyLong_FromLong(*(const short *)addr);
    case Py_T_USHORT:
        return PyLong_FromLong(*(const unsigned short *)addr);
    case Py_T_INT:
        return PyLong_FromLong(*(const int *)addr);
    case Py_T_UINT:
        return PyLong_FromUnsignedLong(*(const unsigned *)addr);
    case Py_T_LONG:
        return PyLong_FromLong(*(const long *)addr);
    case Py_T_ULONG:
        return PyLong_FromUnsignedLong(*(const unsigned long *)addr);
    case Py_T_LONGLONG:
        return PyLong_FromLongLong(*(const long long *)addr);
    case Py_T_ULONGLONG:
        return PyLong_FromUnsignedLongLong(*(const unsigned long long *)addr);
    case Py_T_PYSSIZET:
        return PyLong_FromSsize_t(*(const Py_ssize_t *)addr);
    case Py_T_FLOAT:
        return PyFloat_FromDouble((double)*(const float *)addr);
    case Py_T_DOUBLE:
        return PyFloat_FromDouble(*(const double *)addr);
    case Py_T_CHAR:
        return PyUnicode_FromStringAndSize(addr, 1);
    case Py_T_STRING:
        return get_string(addr);
    case Py_T_STRING_INPLACE:
        return PyUnicode_FromString(addr);
    case _Py_T_OBJECT:
    case Py_T_OBJECT_EX:
        return get_object(obj_addr, member);
    case _Py_T_NONE:
        Py_RETURN_NONE;
    default:
        bad_member(member);
        return NULL;
    }
}

/* ------------------------------------------------------------------ */
/* Writing                                                             */

static int
warn(const char *message)
{
    return PyErr_WarnEx(PyExc_RuntimeWarning, message, 1);
}

/* The value for a signed field, not cut; the caller stores the part that
   fits. */
static int
as_long(PyObject *value, long *result)
{
    *result = PyLong_AsLong(value);
    return *result == -1 && PyErr_Occurred() ? -1 : 0;
}

/* The value for an unsigned field.  Negative numbers are accepted, wrapped
   round, with *negative set: old sources rely on it. */
static int
as_unsigned(PyObject *value, int type, unsigned long long *result,
            int *negative)
{
    PyObject *number = PyNumber_Index(value);
    int overflow, status = -1;

    if (number == NULL)
        return -1;
    long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (small == -1 && overflow == 0 && PyErr_Occurred())
        goto done;
    *negative = overflow == 0 && small < 0;
    if (overflow < 0) {
        PyErr_SetString(PyExc_OverflowError,
                        "Python int too large to convert to C long");
        goto done;
    }
    if (overflow == 0)
        *result = (unsigned long long)small;
    else if (type == Py_T_ULONGLONG)
        *result = PyLong_AsUnsignedLongLong(number);
    else
        *result = PyLong_AsUnsignedLong(number);
    status = overflow > 0 && PyErr_Occurred() ? -1 : 0;
done:
    Py_DECREF(number);
    return status;
}

/* The types up to short, and int: they take a long, and warn when it does not
   fit. */
static int
set_short_integer(void *addr, int type, PyObject *value)
{
    long wide;

    if (as_long(value, &wide) < 0)
        return -1;
    switch (type) {
    case Py_T_BYTE:
        *(signed char *)addr = (signed char)wide;
        return wide == (signed char)wide ? 0
                                         : warn("Truncation of value to char");
    case Py_T_UBYTE:
        *(unsigned char *)addr = (unsigned char)wide;
        return wide == (unsigned char)wide
                   ? 0
                   : warn("Truncation of value to unsigned char");
    case Py_T_SHORT:
        *(short *)addr = (short)wide;
        return wide == (short)wide ? 0 : warn("Truncation of value to short");
    case Py_T_USHORT:
        *(unsigned short *)addr = (unsigned short)wide;
        return wide == (unsigned short)wide
                   ? 0
                   : warn("Truncation of value to unsigned short");
    default:
        PYB_ASSERT(type == Py_T_INT);
        *(int *)addr = (int)wide;
        return wide == (int)wide ? 0 : warn("Truncation of value to int");
    }
}

static int
set_unsigned(void *addr, int type, PyObject *value)
{
    unsigned long long wide;
    int negative, truncated = 0;

    if (as_unsigned(value, type, &wide, &negative) < 0)
        return -1;
    if (type == Py_T_UINT) {
        *(unsigned *)addr = (unsigned)wide;
        truncated = wide > UINT_MAX;
    } else if (type == Py_T_ULONG) {
        *(unsigned long *)addr = (unsigned long)wide;
    } else {
        PYB_ASSERT(type == Py_T_ULONGLONG);
        *(unsigned long long *)addr = wide;
    }
    if (negative)
        return warn("Writing negative value into unsigned field");
    return truncated ? warn("Truncation of value to unsigned int") : 0;
}

static int
set_long(long *addr, PyObject *value)
{
    long whole;

    if (as_long(value, &whole) < 0)
        return -1;
    *addr = whole;
    return 0;
}

static int
set_longlong(long long *addr, PyObject *value)
{
    long long whole = PyLong_AsLongLong(value);

    if (whole == -1 && PyErr_Occurred())
        return -1;
    *addr = whole;
    return 0;
}

static int
set_ssize(Py_ssize_t *addr, PyObject *value)
{
    Py_ssize_t whole = PyLong_AsSsize_t(value);

    if (whole == -1 && PyErr_Occurred())
        return -1;
    *addr = whole;
    return 0;
}

static int
set_floating(void *addr, int type, PyObject *value)
{
    double number = PyFloat_AsDouble(value);

    if (number == -1 && PyErr_Occurred())
        return -1;
    PYB_ASSERT(type == Py_T_FLOAT || type == Py_T_DOUBLE);
    if (type == Py_T_FLOAT)
        *(float *)addr = (float)number;
    else
        *(double *)addr = number;
    return 0;
}

static int
set_bool(char *addr, PyObject *value)
{
    if (!PyBool_Check(value))
        return pyb_fail(PyExc_TypeError, "attribute value type must be bool");
    *addr = value == Py_True;
    return 0;
}

static int
set_char(char *addr, PyObject *value)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(value, &size);

    if (text == NULL || size != 1) {
        PyErr_BadArgument();
        return -1;
    }
    *addr = text[0];
    return 0;
}

/* May the attribute be set to the value, or deleted?  0, or -1 with an
   exception. */
static int
check_set(PyObject *const *addr, const PyMemberDef *member, PyObject *value)
{
    if (member->flags & Py_RELATIVE_OFFSET)
        return pyb_fail(PyExc_SystemError,
                        "PyMember_SetOne used with Py_RELATIVE_OFFSET");
    if (member->flags & Py_READONLY)
        return pyb_fail(PyExc_AttributeError, "readonly attribute");
    if (value != NULL || member->type == _Py_T_OBJECT)
        return 0;
    if (member->type != Py_T_OBJECT_EX)
        return pyb_fail(PyExc_TypeError,
                        "can't delete numeric/char attribute");
    if (*addr == NULL)
        return pyb_fail(PyExc_AttributeError, member->name);
    return 0;
}

int
PyMember_SetOne(char *obj_addr, PyMemberDef *member, PyObject *value)
{
    void *addr = obj_addr + member->offset;
    PyObject **object = addr;

    if (check_set(object, member, value) < 0)
        return -1;
    /* Only objects are deleted. */
    PYB_ASSERT(value != NULL || member->type == _Py_T_OBJECT ||
               (member->type == Py_T_OBJECT_EX && *object != NULL));
    switch (member->type) {
    case Py_T_BOOL:
        return set_bool(addr, value);
    case Py_T_BYTE:
    case Py_T_UBYTE:
    case Py_T_SHORT:
    case Py_T_USHORT:
    case Py_T_INT:
        return set_short_integer(addr, member->type, value);
    case Py_T_UINT:
    case Py_T_ULONG:
    case Py_T_ULONGLONG:
        return set_unsigned(addr, member->type, value);
    case Py_T_LONG:
        return set_long(addr, value);
    case Py_T_LONGLONG:
        return set_longlong(addr, value);
    case Py_T_PYSSIZET:
        return set_ssize(addr, value);
    case Py_T_FLOAT:
    case Py_T_DOUBLE:
        return set_floating(addr, member->type, value);
    case Py_T_CHAR:
        return set_char(addr, value);
    case _Py_T_OBJECT:
    case Py_T_OBJECT_EX:
        Py_XSETREF(*object, Py_XNewRef(value));
        return 0;
    case Py_T_STRING:
    case Py_T_STRING_INPLACE:
        return pyb_fail(PyExc_TypeError, "readonly attribute");
    default:
        return bad_member(member);
    }
}
