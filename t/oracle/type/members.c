/* members.c: PyMemberDef of each kind: what is read, what may be written,
   ranges, deletion, flags.
   Manual: "Common Object Structures", PyMemberDef. */

#include "oracle.h"
#include <structmember.h>

struct all {
    PyObject_HEAD
    char c, byte, flag;
    unsigned char ubyte;
    short s;
    unsigned short us;
    int i;
    unsigned ui;
    long l;
    unsigned long ul;
    long long ll;
    unsigned long long ull;
    float f;
    double d;
    Py_ssize_t n;
    const char *string, *no_string;
    char inplace[8];
    PyObject *object, *object_ex, *read_only;
};

#define M(NAME, TYPE, FIELD)                                                  \
    {                                                                         \
        NAME, TYPE, offsetof(struct all, FIELD), 0, NULL                      \
    }

static PyMemberDef members[] = {
    M("c", T_CHAR, c),
    M("byte", T_BYTE, byte),
    M("flag", T_BOOL, flag),
    M("ubyte", T_UBYTE, ubyte),
    M("s", T_SHORT, s),
    M("us", T_USHORT, us),
    M("i", T_INT, i),
    M("ui", T_UINT, ui),
    M("l", T_LONG, l),
    M("ul", T_ULONG, ul),
    M("ll", T_LONGLONG, ll),
    M("ull", T_ULONGLONG, ull),
    M("f", T_FLOAT, f),
    M("d", T_DOUBLE, d),
    M("n", T_PYSSIZET, n),
    M("string", T_STRING, string),
    M("no_string", T_STRING, no_string),
    M("inplace", T_STRING_INPLACE, inplace),
    M("object", T_OBJECT, object),
    M("object_ex", T_OBJECT_EX, object_ex),
    {"read_only", T_OBJECT, offsetof(struct all, read_only), READONLY,
     "It is read only."},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject All = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.All",
    .tp_basicsize = sizeof(struct all),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_members = members,
    .tp_new = PyType_GenericNew,
};

static void
set(PyObject *op, const char *name, PyObject *value)
{
    PyObject *repr = value != NULL ? need(PyObject_Repr(value)) : NULL;
    char label[160];

    snprintf(label, sizeof label, "%s = %s", name,
             repr != NULL ? PyUnicode_AsUTF8(repr) : "nothing");
    result(label, PyObject_SetAttrString(op, name, value));
    Py_XDECREF(repr);
    Py_XDECREF(value);
    snprintf(label, sizeof label, "    %s", name);
    show(label, PyObject_GetAttrString(op, name));
}

/* What the warnings about truncation look like is another matter: standard
   error is not part of the transcript. */
static void
each_number(PyObject *op, const char *name)
{
    set(op, name, PyLong_FromLong(5));
    if (strcmp(name, "ull") == 0)
        return;
    set(op, name, PyLong_FromLong(-1));
    set(op, name, PyFloat_FromDouble(2.5));
    if (strcmp(name, "d") == 0)
        return;
    set(op, name, PyUnicode_FromString("x"));
    set(op, name, Py_NewRef(Py_None));
    set(op, name, NULL);
}

static void
differences(struct all *op)
{
    PyObject *minus_one = PyLong_FromLong(-1);
    PyObject *text_x = PyUnicode_FromString("x");

    PyObject_SetAttrString((PyObject *)op, "ull", minus_one);
    differs("Writing a negative value into an unsigned field is a warning; "
            "since 3.13 of this kind, too",
            "no exception",
            "OverflowError: can't convert negative int to unsigned",
            error_text());
    op->d = 2.5;
    RESULT(PyObject_SetAttrString((PyObject *)op, "d", text_x));
    differs("what cannot be set stays as it was", "2.5", "-1.0",
            text("%.1f", op->d));
    drop_all(minus_one, text_x);
}

void
oracle_program(void)
{
    static const char *const numbers[] = {"byte", "ubyte", "s",  "us",   "i",
                                          "ui",   "l",     "ul", "ll",   "ull",
                                          "f",    "d",     "n",  "flag", "c"};
    PyObject *op;

    need_ready(&All);
    op = need(PyObject_CallNoArgs((PyObject *)&All));
    for (int i = 0; members[i].name != NULL; i++)
        show(members[i].name, PyObject_GetAttrString(op, members[i].name));
    stderr_begin();
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        each_number(op, numbers[i]);
    set(op, "byte", PyLong_FromLong(300));
    set(op, "s", PyLong_FromLong(70000));
    set(op, "us", PyLong_FromLong(70000));
    set(op, "i", PyLong_FromLongLong(1LL << 40));
    set(op, "ll", PyLong_FromUnsignedLongLong(~0ULL));
    set(op, "ull", PyLong_FromUnsignedLongLong(~0ULL));
    differences((struct all *)op);
    stderr_drop();
    set(op, "c", PyUnicode_FromString("yz"));
    set(op, "c", PyUnicode_FromString("y"));
    set(op, "flag", Py_NewRef(Py_True));
    set(op, "flag", PyLong_FromLong(1));
    set(op, "d", PyLong_FromLong(3));
    ((struct all *)op)->string = "constant";
    strcpy(((struct all *)op)->inplace, "inside");
    set(op, "string", PyUnicode_FromString("x"));
    set(op, "inplace", PyUnicode_FromString("x"));
    set(op, "string", NULL);
    set(op, "object", PyUnicode_FromString("x"));
    set(op, "object", NULL);
    set(op, "object_ex", PyUnicode_FromString("x"));
    set(op, "object_ex", NULL);
    set(op, "object_ex", NULL);
    set(op, "read_only", PyUnicode_FromString("x"));
    set(op, "read_only", NULL);
    SHOW(PyObject_GetAttrString((PyObject *)&All, "read_only"));
    Py_DECREF(op);
}
