/* number_slots.c: the number protocol on types that have some slots only:
   which operand is asked first, what NotImplemented does, texts, in-place
   fallbacks, results of the wrong type.
   Manual: "Number Protocol"; "Number Object Structures". */

#include "oracle.h"

static PyObject *
say_op(const char *op, PyObject *a, PyObject *b)
{
    return PyUnicode_FromFormat("%s(%s, %s)", op, Py_TYPE(a)->tp_name,
                                Py_TYPE(b)->tp_name);
}

static PyObject *
add(PyObject *a, PyObject *b)
{
    return say_op("add", a, b);
}

static PyObject *
sub_add(PyObject *a, PyObject *b)
{
    return say_op("sub's add", a, b);
}

static PyObject *
not_implemented(PyObject *a, PyObject *b)
{
    say("asked %s, %s", Py_TYPE(a)->tp_name, Py_TYPE(b)->tp_name);
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
sub_not_implemented(PyObject *a, PyObject *b)
{
    say("the subclass is asked first");
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
power(PyObject *a, PyObject *b, PyObject *c)
{
    return c == Py_None ? say_op("pow", a, b) : say_op("pow3", a, c);
}

static PyObject *
itself(PyObject *op)
{
    return Py_NewRef(op);
}

static int
bool_fails(PyObject *op)
{
    PyErr_SetString(PyExc_ValueError, "neither");
    return -1;
}

static PyNumberMethods adder_number = {.nb_add = add,
                                       .nb_multiply = not_implemented,
                                       .nb_power = power,
                                       .nb_int = itself,
                                       .nb_float = itself,
                                       .nb_index = itself,
                                       .nb_bool = bool_fails};
static PyNumberMethods sub_number = {.nb_add = sub_add,
                                     .nb_multiply = sub_not_implemented};
static PyNumberMethods other_number = {.nb_multiply = not_implemented,
                                       .nb_inplace_add = add};

#define TYPE(NAME, BASE, NUMBER)                                              \
    static PyTypeObject NAME = {                                              \
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle." #NAME,             \
        .tp_basicsize = sizeof(PyObject),                                     \
        .tp_base = BASE,                                                      \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,                 \
        .tp_as_number = NUMBER,                                               \
        .tp_new = PyType_GenericNew}

TYPE(Adder, NULL, &adder_number);
TYPE(Sub, &Adder, &sub_number);
TYPE(Other, NULL, &other_number);
TYPE(None_, NULL, NULL);

static void
binary(PyObject *a, PyObject *b)
{
    say("%s with %s", Py_TYPE(a)->tp_name, Py_TYPE(b)->tp_name);
    show("    +", PyNumber_Add(a, b));
    show("    +=", PyNumber_InPlaceAdd(a, b));
    show("    *", PyNumber_Multiply(a, b));
    show("    -", PyNumber_Subtract(a, b));
    show("    **", PyNumber_Power(a, b, Py_None));
    show("    pow()", PyNumber_Power(a, b, a));
    show("    divmod()", PyNumber_Divmod(a, b));
    show("    <<=", PyNumber_InPlaceLshift(a, b));
    show("    @", PyNumber_MatrixMultiply(a, b));
    show("    |", PyNumber_Or(a, b));
}

static void
unary(PyObject *op)
{
    say("%s", Py_TYPE(op)->tp_name);
    show("    -", PyNumber_Negative(op));
    show("    +", PyNumber_Positive(op));
    show("    ~", PyNumber_Invert(op));
    show("    abs", PyNumber_Absolute(op));
    show("    int", PyNumber_Long(op));
    show("    float", PyNumber_Float(op));
    show("    index", PyNumber_Index(op));
    show("    hex", PyNumber_ToBase(op, 16));
    result("    ssize_t", PyNumber_AsSsize_t(op, PyExc_OverflowError));
    result("    long", PyLong_AsLong(op));
    result("    true", PyObject_IsTrue(op));
    result("    check", PyNumber_Check(op));
    result("    index check", PyIndex_Check(op));
}

void
oracle_program(void)
{
    PyTypeObject *types[] = {&Adder, &Sub, &Other, &None_};
    PyObject *ops[5] = {NULL, NULL, NULL, NULL, PyLong_FromLong(5)};

    for (int i = 0; i < 4; i++) {
        need_ready(types[i]);
        ops[i] = need(PyObject_CallNoArgs((PyObject *)types[i]));
    }
    binary(ops[0], ops[1]);
    binary(ops[1], ops[0]);
    binary(ops[0], ops[2]);
    binary(ops[2], ops[0]);
    binary(ops[3], ops[3]);
    binary(ops[3], ops[0]);
    binary(ops[4], ops[0]);
    binary(ops[4], ops[3]);
    for (int i = 0; i < 5; i++)
        unary(ops[i]);
    SHOW(PyNumber_Negative(NULL));
    SHOW(PyNumber_Long(NULL));
    RESULT(PyNumber_Check(NULL));
    for (int i = 0; i < 5; i++)
        Py_DECREF(ops[i]);
}
