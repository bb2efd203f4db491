/* check_descr.c: descriptors: members of every type, computed attributes,
   methods in a type's dictionary, property, classmethod and staticmethod. */

#include "../support/suite.h"

#include <pyboehm.h>

/* The names of old must work beside those of descrobject.h. */
#include "structmember.h"

typedef struct {
    PyObject_HEAD
    char flag;
    signed char byte;
    unsigned char ubyte;
    short shortint;
    unsigned short ushort_;
    int integer;
    unsigned uinteger;
    long longint;
    unsigned long ulongint;
    long long longlong;
    unsigned long long ulonglong;
    Py_ssize_t ssize;
    float single;
    double whole;
    char letter;
    const char *text;
    char inplace[8];
    PyObject *object;
    PyObject *object_ex;
} All;

static PyMemberDef all_members[] = {
    {"flag", T_BOOL, offsetof(All, flag), 0, "a flag"},
    {"byte", Py_T_BYTE, offsetof(All, byte), 0, NULL},
    {"ubyte", Py_T_UBYTE, offsetof(All, ubyte), 0, NULL},
    {"short", Py_T_SHORT, offsetof(All, shortint), 0, NULL},
    {"ushort", Py_T_USHORT, offsetof(All, ushort_), 0, NULL},
    {"int", T_INT, offsetof(All, integer), 0, NULL},
    {"uint", Py_T_UINT, offsetof(All, uinteger), 0, NULL},
    {"long", Py_T_LONG, offsetof(All, longint), 0, NULL},
    {"ulong", Py_T_ULONG, offsetof(All, ulongint), 0, NULL},
    {"longlong", Py_T_LONGLONG, offsetof(All, longlong), 0, NULL},
    {"ulonglong", Py_T_ULONGLONG, offsetof(All, ulonglong), 0, NULL},
    {"ssize", Py_T_PYSSIZET, offsetof(All, ssize), 0, NULL},
    {"float", Py_T_FLOAT, offsetof(All, single), 0, NULL},
    {"double", T_DOUBLE, offsetof(All, whole), 0, NULL},
    {"char", T_CHAR, offsetof(All, letter), 0, NULL},
    {"string", T_STRING, offsetof(All, text), 0, NULL},
    {"inplace", T_STRING_INPLACE, offsetof(All, inplace), 0, NULL},
    {"object", T_OBJECT, offsetof(All, object), 0, NULL},
    {"object_ex", T_OBJECT_EX, offsetof(All, object_ex), 0, NULL},
    {"none", T_NONE, 0, 0, NULL},
    {"fixed", T_INT, offsetof(All, integer), READONLY, NULL},
    {"odd", 99, 0, 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyObject *
get_double(PyObject *op, void *closure)
{
    return PyLong_FromLong(((All *)op)->integer * *(int *)closure);
}

static int
set_double(PyObject *op, PyObject *value, void *closure)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "twice can not go");
        return -1;
    }
    ((All *)op)->integer = (int)PyLong_AsLong(value) / *(int *)closure;
    return 0;
}

static int two = 2;

static PyGetSetDef all_getset[] = {
    {"twice", get_double, set_double, "twice the int", &two},
    {"readable", get_double, NULL, NULL, &two},
    {"writable", NULL, set_double, NULL, &two},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *
all_self(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return Py_NewRef(self);
}

static PyMethodDef all_methods[] = {
    {"me", all_self, METH_NOARGS, "me($self)\n--\n\nThe object itself."},
    {"cls", all_self, METH_NOARGS | METH_CLASS, "The class."},
    {NULL, NULL, 0, NULL},
};

static void
all_dealloc(PyObject *op)
{
    Py_XDECREF(((All *)op)->object);
    Py_XDECREF(((All *)op)->object_ex);
    Py_TYPE(op)->tp_free(op);
}

static PyTypeObject All_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "test.All",
    .tp_basicsize = sizeof(All),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = all_dealloc,
    .tp_methods = all_methods,
    .tp_members = all_members,
    .tp_getset = all_getset,
    .tp_new = PyType_GenericNew,
};

static All *
make(void)
{
    ck_assert_int_eq(PyType_Ready(&All_Type), 0);
    return (All *)suite_require(PyObject_CallNoArgs((PyObject *)&All_Type));
}

/* Sets a member to the value, a new reference that is given up. */
static int
set(All *op, const char *name, PyObject *value)
{
    ck_assert_ptr_nonnull(value);
    int result = PyObject_SetAttrString((PyObject *)op, name, value);
    Py_DECREF(value);
    return result;
}

static void
assert_member(All *op, const char *name, const char *repr)
{
    suite_new_repr(PyObject_GetAttrString((PyObject *)op, name), repr);
}

START_TEST(integer_members_keep_their_extremes)
{
    All *op = make();

    ck_assert_int_eq(set(op, "byte", PyLong_FromLong(-128)), 0);
    assert_member(op, "byte", "-128");
    ck_assert_int_eq(set(op, "ubyte", PyLong_FromLong(255)), 0);
    assert_member(op, "ubyte", "255");
    ck_assert_int_eq(set(op, "short", PyLong_FromLong(-32768)), 0);
    assert_member(op, "short", "-32768");
    ck_assert_int_eq(set(op, "ushort", PyLong_FromLong(65535)), 0);
    assert_member(op, "ushort", "65535");
    ck_assert_int_eq(set(op, "int", PyLong_FromLong(INT_MIN)), 0);
    assert_member(op, "int", "-2147483648");
    ck_assert_int_eq(set(op, "uint", PyLong_FromUnsignedLong(UINT_MAX)), 0);
    assert_member(op, "uint", "4294967295");
    ck_assert_int_eq(set(op, "long", PyLong_FromLong(LONG_MIN)), 0);
    ck_assert_int_eq(op->longint, LONG_MIN);
    ck_assert_int_eq(set(op, "ulong", PyLong_FromUnsignedLong(ULONG_MAX)), 0);
    assert_member(op, "ulong", "18446744073709551615");
    ck_assert_int_eq(set(op, "longlong", PyLong_FromLongLong(LLONG_MAX)), 0);
    assert_member(op, "longlong", "9223372036854775807");
    ck_assert_int_eq(
        set(op, "ulonglong", PyLong_FromUnsignedLongLong(ULLONG_MAX)), 0);
    assert_member(op, "ulonglong", "18446744073709551615");
    ck_assert_int_eq(set(op, "ssize", PyLong_FromSsize_t(PY_SSIZE_T_MIN)), 0);
    assert_member(op, "ssize", "-9223372036854775808");
    Py_DECREF(op);
}

/* Warnings that the library sends to its hook. */
static char warned[200];

static int
record_warning(PyObject *category, const char *message, void *Py_UNUSED(arg))
{
    ck_assert_ptr_eq(category, PyExc_RuntimeWarning);
    snprintf(warned, sizeof(warned), "%s", message);
    return 0;
}

static void
assert_warns(All *op, const char *name, PyObject *value, const char *message)
{
    warned[0] = '\0';
    ck_assert_int_eq(set(op, name, value), 0);
    ck_assert_str_eq(warned, message);
}

START_TEST(integers_that_do_not_fit_are_cut_off_with_a_warning)
{
    All *op = make();

    PyBoehm_SetWarningHook(record_warning, NULL);
    assert_warns(op, "byte", PyLong_FromLong(300),
                 "Truncation of value to char");
    assert_member(op, "byte", "44");
    assert_warns(op, "ubyte", PyLong_FromLong(-1),
                 "Truncation of value to unsigned char");
    assert_member(op, "ubyte", "255");
    assert_warns(op, "short", PyLong_FromLong(70000),
                 "Truncation of value to short");
    assert_member(op, "short", "4464");
    assert_warns(op, "ushort", PyLong_FromLong(65536),
                 "Truncation of value to unsigned short");
    assert_member(op, "ushort", "0");
    assert_warns(op, "int", PyLong_FromLong(1L << 33),
                 "Truncation of value to int");
    assert_member(op, "int", "0");
    assert_warns(op, "uint", PyLong_FromLong(1L << 33),
                 "Truncation of value to unsigned int");
    assert_member(op, "uint", "0");
    assert_warns(op, "uint", PyLong_FromLong(-1),
                 "Writing negative value into unsigned field");
    assert_member(op, "uint", "4294967295");
    assert_warns(op, "ulong", PyLong_FromLong(-1),
                 "Writing negative value into unsigned field");
    assert_warns(op, "ulonglong", PyLong_FromLong(-2),
                 "Writing negative value into unsigned field");
    assert_member(op, "ulonglong", "18446744073709551614");
    Py_DECREF(op);
}

static void
refuse(All *op, const char *name, PyObject *value, PyObject *type,
       const char *text)
{
    suite_failed(set(op, name, value), type, text);
}

/* 2 to the power of 65, or its negative. */
static PyObject *
huge(int negative)
{
    return PyLong_FromString(
        negative ? "-36893488147419103232" : "36893488147419103232", NULL, 10);
}

START_TEST(huge_integers_overflow)
{
    All *op = make();

    op->uinteger = 17;
    refuse(op, "int", huge(0), PyExc_OverflowError,
           "Python int too large to convert to C long");
    refuse(op, "long", huge(0), PyExc_OverflowError,
           "Python int too large to convert to C long");
    refuse(op, "uint", huge(0), PyExc_OverflowError,
           "Python int too large to convert to C unsigned long");
    refuse(op, "uint", huge(1), PyExc_OverflowError,
           "Python int too large to convert to C long");
    refuse(op, "ulong", huge(0), PyExc_OverflowError,
           "Python int too large to convert to C unsigned long");
    refuse(op, "ssize", huge(0), PyExc_OverflowError,
           "Python int too large to convert to C ssize_t");
    refuse(op, "longlong", huge(0), PyExc_OverflowError, NULL);
    refuse(op, "ulonglong", huge(0), PyExc_OverflowError, NULL);
    refuse(op, "ulonglong", huge(1), PyExc_OverflowError,
           "Python int too large to convert to C long");
    ck_assert_uint_eq(op->uinteger, 17);
    Py_DECREF(op);
}

START_TEST(members_refuse_values_of_the_wrong_type)
{
    All *op = make();

    refuse(op, "int", PyUnicode_FromString("1"), PyExc_TypeError,
           "'str' object cannot be interpreted as an integer");
    refuse(op, "uint", PyFloat_FromDouble(1.5), PyExc_TypeError,
           "'float' object cannot be interpreted as an integer");
    refuse(op, "double", PyUnicode_FromString("1"), PyExc_TypeError,
           "must be real number, not str");
    refuse(op, "flag", PyLong_FromLong(1), PyExc_TypeError,
           "attribute value type must be bool");
    refuse(op, "char", PyUnicode_FromString("ab"), PyExc_TypeError,
           "bad argument type for built-in operation");
    refuse(op, "char", PyLong_FromLong(65), PyExc_TypeError,
           "bad argument type for built-in operation");
    refuse(op, "string", PyUnicode_FromString("x"), PyExc_TypeError,
           "readonly attribute");
    refuse(op, "inplace", PyUnicode_FromString("x"), PyExc_TypeError,
           "readonly attribute");
    refuse(op, "fixed", PyLong_FromLong(1), PyExc_AttributeError,
           "readonly attribute");
    refuse(op, "odd", PyLong_FromLong(1), PyExc_SystemError,
           "bad memberdescr type for odd");
    suite_refused(PyObject_GetAttrString((PyObject *)op, "odd"),
                  PyExc_SystemError, "bad memberdescr type for odd");
    Py_DECREF(op);
}

START_TEST(other_members_are_read_and_written)
{
    All *op = make();

    ck_assert_int_eq(set(op, "flag", Py_NewRef(Py_True)), 0);
    assert_member(op, "flag", "True");
    ck_assert_int_eq(set(op, "float", PyFloat_FromDouble(0.5)), 0);
    assert_member(op, "float", "0.5");
    ck_assert_int_eq(set(op, "double", PyFloat_FromDouble(-1.0)), 0);
    assert_member(op, "double", "-1.0");
    ck_assert_int_eq(set(op, "char", PyUnicode_FromString("Z")), 0);
    assert_member(op, "char", "'Z'");
    assert_member(op, "string", "None");
    op->text = "words";
    assert_member(op, "string", "'words'");
    strcpy(op->inplace, "here");
    assert_member(op, "inplace", "'here'");
    assert_member(op, "none", "None");
    Py_DECREF(op);
}

START_TEST(object_members_own_their_value)
{
    All *op = make();
    PyObject *self = (PyObject *)op, *value = PyList_New(0);

    assert_member(op, "object", "None");
    suite_refused(PyObject_GetAttrString(self, "object_ex"),
                  PyExc_AttributeError,
                  "'test.All' object has no attribute 'object_ex'");

    ck_assert_int_eq(set(op, "object", Py_NewRef(value)), 0);
    ck_assert_int_eq(set(op, "object_ex", Py_NewRef(value)), 0);
    ck_assert_int_eq(Py_REFCNT(value), 3);
    assert_member(op, "object_ex", "[]");

    ck_assert_int_eq(PyObject_DelAttrString(self, "object"), 0);
    ck_assert_int_eq(PyObject_DelAttrString(self, "object"), 0);
    ck_assert_int_eq(PyObject_DelAttrString(self, "object_ex"), 0);
    ck_assert_int_eq(Py_REFCNT(value), 1);
    suite_failed(PyObject_DelAttrString(self, "object_ex"),
                 PyExc_AttributeError, "object_ex");
    suite_failed(PyObject_DelAttrString(self, "int"), PyExc_TypeError,
                 "can't delete numeric/char attribute");
    suite_drop(value, op);
}

START_TEST(relative_offset_is_refused_outside_of_specs)
{
    static PyMemberDef relative = {"x", Py_T_INT, 0, Py_RELATIVE_OFFSET, NULL};
    All *op = make();

    suite_refused(PyMember_GetOne((char *)op, &relative), PyExc_SystemError,
                  "PyMember_GetOne used with Py_RELATIVE_OFFSET");
    suite_failed(PyMember_SetOne((char *)op, &relative, Py_None),
                 PyExc_SystemError,
                 "PyMember_SetOne used with Py_RELATIVE_OFFSET");
    suite_refused(PyDescr_NewMember(&All_Type, &relative), PyExc_SystemError,
                  "PyDescr_NewMember used with Py_RELATIVE_OFFSET");
    Py_DECREF(op);
}

START_TEST(getset_calls_its_functions_with_the_closure)
{
    All *op = make();

    ck_assert_int_eq(set(op, "twice", PyLong_FromLong(14)), 0);
    ck_assert_int_eq(op->integer, 7);
    assert_member(op, "twice", "14");
    suite_failed(PyObject_DelAttrString((PyObject *)op, "twice"),
                 PyExc_TypeError, "twice can not go");
    refuse(op, "readable", PyLong_FromLong(1), PyExc_AttributeError,
           "attribute 'readable' of 'test.All' objects is not writable");
    suite_refused(
        PyObject_GetAttrString((PyObject *)op, "writable"),
        PyExc_AttributeError,
        "attribute 'writable' of 'test.All' objects is not readable");
    Py_DECREF(op);
}

/* What the type's dictionary has under the name, borrowed. */
static PyObject *
in_dict(const char *name)
{
    return suite_require(PyDict_GetItemString(All_Type.tp_dict, name));
}

static void
assert_attribute(PyObject *op, const char *name, const char *repr)
{
    suite_new_repr(PyObject_GetAttrString(op, name), repr);
}

START_TEST(descriptors_describe_themselves)
{
    Py_DECREF(make());

    suite_new_repr(Py_NewRef(in_dict("me")),
                   "<method 'me' of 'test.All' objects>");
    suite_new_repr(Py_NewRef(in_dict("cls")),
                   "<method 'cls' of 'test.All' objects>");
    suite_new_repr(Py_NewRef(in_dict("int")),
                   "<member 'int' of 'test.All' objects>");
    suite_new_repr(Py_NewRef(in_dict("twice")),
                   "<attribute 'twice' of 'test.All' objects>");

    assert_attribute(in_dict("me"), "__doc__", "'The object itself.'");
    assert_attribute(in_dict("me"), "__text_signature__", "'($self)'");
    assert_attribute(in_dict("cls"), "__doc__", "'The class.'");
    assert_attribute(in_dict("cls"), "__text_signature__", "None");
    assert_attribute(in_dict("flag"), "__doc__", "'a flag'");
    assert_attribute(in_dict("int"), "__doc__", "None");
    assert_attribute(in_dict("twice"), "__doc__", "'twice the int'");
    assert_attribute(in_dict("twice"), "__name__", "'twice'");
    assert_attribute(in_dict("me"), "__qualname__", "'All.me'");
    assert_attribute(in_dict("int"), "__objclass__", "<class 'test.All'>");

    ck_assert_int_eq(PyDescr_IsData(in_dict("me")), 0);
    ck_assert_int_ne(PyDescr_IsData(in_dict("int")), 0);
    ck_assert_int_ne(PyDescr_IsData(in_dict("twice")), 0);
}

START_TEST(descriptors_apply_to_their_type_only)
{
    All *op = make();
    static const char *const names[] = {"me", "int", "twice"};

    for (int i = 0; i < 3; i++) {
        PyObject *descr = in_dict(names[i]);
        descrgetfunc get = Py_TYPE(descr)->tp_descr_get;
        char text[120];
        snprintf(text, sizeof(text),
                 "descriptor '%s' for 'test.All' objects doesn't apply to a "
                 "'NoneType' object",
                 names[i]);
        suite_refused(get(descr, Py_None, NULL), PyExc_TypeError, text);
        suite_new_same(get(descr, NULL, (PyObject *)&All_Type), descr);
        descrsetfunc set_ = Py_TYPE(descr)->tp_descr_set;
        if (set_ != NULL) {
            suite_failed(set_(descr, Py_None, Py_None), PyExc_TypeError, text);
        }
    }
    suite_refused(PyObject_CallNoArgs(in_dict("me")), PyExc_TypeError,
                  "unbound method All.me() needs an argument");
    suite_refused(PyObject_CallOneArg(in_dict("me"), Py_None), PyExc_TypeError,
                  "descriptor 'me' for 'test.All' objects doesn't apply to a "
                  "'NoneType' object");
    PyObject *me = PyObject_CallOneArg(in_dict("me"), (PyObject *)op);
    ck_assert_ptr_eq(me, op);
    suite_drop(me, op);
}

START_TEST(class_method_is_bound_to_the_class)
{
    All *op = make();
    PyObject *descr = in_dict("cls"), *type = (PyObject *)&All_Type;
    descrgetfunc get = Py_TYPE(descr)->tp_descr_get;

    PyObject *cls = PyObject_CallMethod((PyObject *)op, "cls", NULL);
    ck_assert_ptr_eq(cls, type);
    cls = PyObject_CallMethod(type, "cls", NULL);
    ck_assert_ptr_eq(cls, type);
    cls = PyObject_CallOneArg(descr, type);
    ck_assert_ptr_eq(cls, type);

    suite_refused(PyObject_CallNoArgs(descr), PyExc_TypeError,
                  "descriptor 'cls' of 'test.All' object needs an argument");
    suite_refused(get(descr, NULL, NULL), PyExc_TypeError,
                  "descriptor 'cls' for type 'test.All' needs either an "
                  "object or a type");
    suite_refused(get(descr, NULL, Py_None), PyExc_TypeError,
                  "descriptor 'cls' for type 'test.All' needs a type, not a "
                  "'NoneType' as arg 2");
    suite_refused(get(descr, NULL, (PyObject *)&PyLong_Type), PyExc_TypeError,
                  "descriptor 'cls' requires a subtype of 'test.All' but "
                  "received 'int'");
    Py_DECREF(op);
}

START_TEST(methods_with_bad_flags_are_refused)
{
    static PyMethodDef bad = {"bad", all_self, METH_NOARGS | METH_O, NULL};

    suite_refused(PyDescr_NewMethod(&All_Type, &bad), PyExc_SystemError,
                  "bad() method: bad call flags");
    suite_refused(PyDescr_NewClassMethod(&All_Type, &bad), PyExc_SystemError,
                  "bad() method: bad call flags");
}

/* ------------------------------------------------------------------ */
/* property, classmethod, staticmethod                                 */

static PyObject *
first(PyObject *Py_UNUSED(self), PyObject *args)
{
    return Py_NewRef(PyTuple_GET_ITEM(args, 0));
}

static PyMethodDef first_def = {"first", first, METH_VARARGS,
                                "first(x)\n--\n\nThe first."};

START_TEST(property_calls_its_functions)
{
    PyObject *get = PyCFunction_New(&first_def, NULL);
    PyObject *prop = PyObject_CallOneArg((PyObject *)&PyProperty_Type, get);
    descrgetfunc fget = PyProperty_Type.tp_descr_get;
    descrsetfunc fset = PyProperty_Type.tp_descr_set;

    suite_new_repr(fget(prop, Py_Ellipsis, NULL), "Ellipsis");
    suite_new_same(fget(prop, NULL, (PyObject *)&PyLong_Type), prop);
    assert_attribute(prop, "__doc__", "'The first.'");
    assert_attribute(prop, "fset", "None");

    suite_failed(fset(prop, Py_Ellipsis, Py_None), PyExc_AttributeError,
                 "property 'first' of 'ellipsis' object has no setter");
    suite_failed(fset(prop, Py_Ellipsis, NULL), PyExc_AttributeError,
                 "property 'first' of 'ellipsis' object has no deleter");

    PyObject *both =
        suite_require(PyObject_CallMethod(prop, "setter", "O", get));
    ck_assert_int_eq(fset(both, Py_Ellipsis, Py_None), 0);
    suite_new_repr(fget(both, Py_Ellipsis, NULL), "Ellipsis");
    suite_drop(both, prop);
    ck_assert_int_eq(Py_REFCNT(get), 1);
    Py_DECREF(get);
}

START_TEST(empty_property_has_nothing)
{
    PyObject *prop = PyObject_CallNoArgs((PyObject *)&PyProperty_Type);

    suite_refused(PyProperty_Type.tp_descr_get(prop, Py_Ellipsis, NULL),
                  PyExc_AttributeError,
                  "property of 'ellipsis' object has no getter");
    suite_new_repr(
        PyObject_CallMethod(prop, "__set_name__", "Os", Py_None, "x"), "None");
    suite_refused(PyProperty_Type.tp_descr_get(prop, Py_Ellipsis, NULL),
                  PyExc_AttributeError,
                  "property 'x' of 'ellipsis' object has no getter");
    Py_DECREF(prop);
}

START_TEST(classmethod_passes_the_class)
{
    PyObject *function = PyCFunction_New(&first_def, NULL);
    PyObject *wrapped = PyClassMethod_New(function);
    PyObject *bound = PyClassMethod_Type.tp_descr_get(
        wrapped, Py_Ellipsis, (PyObject *)&PyLong_Type);

    ck_assert(PyMethod_Check(bound));
    suite_new_repr(PyObject_CallNoArgs(bound), "<class 'int'>");
    Py_DECREF(bound);
    bound = PyClassMethod_Type.tp_descr_get(wrapped, Py_Ellipsis, NULL);
    suite_new_repr(PyObject_CallNoArgs(bound), "<class 'ellipsis'>");
    Py_DECREF(bound);
    suite_refused(PyObject_CallNoArgs(wrapped), PyExc_TypeError,
                  "'classmethod' object is not callable");
    suite_new_repr(wrapped, "<classmethod(<built-in function first>)>");
    ck_assert_int_eq(Py_REFCNT(function), 1);
    Py_DECREF(function);
}

START_TEST(staticmethod_passes_nothing)
{
    PyObject *function = PyCFunction_New(&first_def, NULL);
    PyObject *wrapped =
        PyObject_CallOneArg((PyObject *)&PyStaticMethod_Type, function);
    PyObject *plain = PyStaticMethod_Type.tp_descr_get(
        wrapped, Py_Ellipsis, (PyObject *)&PyLong_Type);

    ck_assert_ptr_eq(plain, function);
    Py_DECREF(plain);
    suite_new_repr(PyObject_CallOneArg(wrapped, Py_Ellipsis), "Ellipsis");
    assert_attribute(wrapped, "__doc__", "'The first.'");
    assert_attribute(wrapped, "__name__", "'first'");
    suite_new_repr(wrapped, "<staticmethod(<built-in function first>)>");
    ck_assert_int_eq(Py_REFCNT(function), 1);
    Py_DECREF(function);

    suite_refused(PyObject_CallNoArgs((PyObject *)&PyStaticMethod_Type),
                  PyExc_TypeError, "staticmethod expected 1 argument, got 0");
}
