/* special_methods.c: special methods in the dictionary given to type(), set
   later, deleted, inherited, as the slots that C code calls.
   Manual: the language reference, "Special method names"; "Type Objects". */

#include "oracle.h"

/* A method that says its name and arguments, and returns the last one, or
   what the class has as "answer". */
static PyObject *
tell(PyObject *self, const char *name, PyObject *args)
{
    PyObject *answer;

    say("  %s%s", name, PyUnicode_AsUTF8(need(PyObject_Repr(args))));
    answer = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "answer");
    if (answer != NULL)
        return answer;
    PyErr_Clear();
    if (PyTuple_GET_SIZE(args) == 0)
        Py_RETURN_NONE;
    return Py_NewRef(PyTuple_GET_ITEM(args, PyTuple_GET_SIZE(args) - 1));
}

/* clang-format off */
#define METHODS(F)                                                            \
    F(repr) F(str) F(hash) F(call) F(getattr) F(getattribute) F(setattr)      \
    F(delattr) F(lt) F(eq) F(ne) F(iter) F(next) F(get) F(set) F(delete)      \
    F(init) F(len) F(getitem) F(setitem) F(delitem) F(contains) F(bool)       \
    F(add) F(radd) F(iadd) F(sub) F(rsub) F(pow) F(rpow) F(ipow) F(neg)       \
    F(int) F(index) F(float) F(divmod) F(matmul) F(abs) F(invert) F(complex)
/* clang-format on */

#define DEFINE(NAME)                                                          \
    static PyObject *NAME##_method(PyObject *self, PyObject *args)            \
    {                                                                         \
        return tell(self, "__" #NAME "__", args);                             \
    }
METHODS(DEFINE)

#define ENTRY(NAME) {"__" #NAME "__", NAME##_method, METH_VARARGS, NULL},
static PyMethodDef defs[] = {METHODS(ENTRY){NULL, NULL, 0, NULL}};

static PyObject *
method(const char *name)
{
    PyMethodDef *def = defs;

    while (strcmp(def->ml_name, name) != 0)
        def++;
    return need(PyDescr_NewMethod(&PyBaseObject_Type, def));
}

/* type(name, (base,), {the methods}). */
static PyObject *
class_of(const char *name, void *base, ...)
{
    PyObject *dict = need(PyDict_New()), *type;
    const char *special;
    va_list names;

    va_start(names, base);
    while ((special = va_arg(names, const char *)) != NULL) {
        PyObject *value = method(special);
        PyDict_SetItemString(dict, special, value);
        Py_DECREF(value);
    }
    va_end(names);
    type = call_type(&PyType_Type, "s(O)O", name, base, dict);
    Py_DECREF(dict);
    return type;
}

static PyObject *
instance(PyObject *type)
{
    return need(PyObject_CallNoArgs(type));
}

static void
answer(PyObject *type, PyObject *value)
{
    PyObject_SetAttrString(type, "answer", value);
    Py_DECREF(value);
}

#define OBJECT (&PyBaseObject_Type)

static void
texts(void)
{
    PyObject *type = class_of("A", OBJECT, "__repr__", "__hash__", NULL);
    PyObject *op = instance(type);

    show("repr", PyObject_Repr(op));
    answer(type, PyUnicode_FromString("an A"));
    show("repr", PyObject_Repr(op));
    show("str", PyObject_Str(op));
    RESULT(PyObject_Hash(op));
    answer(type, PyLong_FromLong(-1));
    RESULT(PyObject_Hash(op));
    answer(type, PyLong_FromLong(77));
    RESULT(PyObject_Hash(op));
    show("repr", PyObject_Repr(op));
    drop_all(op, type);
}

static void
sequences(void)
{
    PyObject *type =
        class_of("S", OBJECT, "__len__", "__getitem__", "__setitem__",
                 "__delitem__", "__contains__", NULL);
    PyObject *op = instance(type), *key = PyUnicode_FromString("key");

    RESULT(PyObject_Size(op));
    answer(type, PyLong_FromLong(-3));
    RESULT(PyObject_Size(op));
    answer(type, PyUnicode_FromString("x"));
    RESULT(PyObject_Size(op));
    answer(type, PyLong_FromLong(3));
    RESULT(PyObject_Size(op));
    RESULT(PyMapping_Size(op));
    RESULT(PyObject_IsTrue(op));
    SHOW(PyObject_GetItem(op, key));
    SHOW(PySequence_GetItem(op, 1));
    SHOW(PySequence_GetItem(op, -1));
    RESULT(PyObject_SetItem(op, key, Py_None));
    RESULT(PyObject_DelItem(op, key));
    RESULT(PySequence_SetItem(op, 2, Py_None));
    RESULT(PySequence_DelItem(op, 2));
    RESULT(PySequence_Contains(op, key));
    RESULT(PySequence_Check(op));
    RESULT(PyMapping_Check(op));
    PyObject_DelAttrString(type, "__len__");
    RESULT(PyObject_Size(op));
    PyObject_DelAttrString(type, "__getitem__");
    SHOW(PyObject_GetItem(op, key));
    RESULT(PySequence_Check(op));
    drop_all(op, key, type);
}

static void
operators(void)
{
    PyObject *type = class_of("N", OBJECT, "__add__", "__radd__", "__sub__",
                              "__pow__", "__neg__", "__int__", "__index__",
                              "__float__", "__iadd__", "__bool__", "__abs__",
                              "__divmod__", "__matmul__", "__invert__", NULL);
    PyObject *sub = class_of("Sub", type, "__radd__", "__rsub__", NULL);
    PyObject *plain = class_of("Plain", type, NULL);
    PyObject *a = instance(type), *b = instance(sub), *c = instance(plain);
    PyObject *one = PyLong_FromLong(1);

    answer(type, PyLong_FromLong(5));
    SHOW(PyNumber_Add(a, one));
    SHOW(PyNumber_Add(one, a));
    SHOW(PyNumber_Subtract(one, a));
    answer(sub, PyUnicode_FromString("sub"));
    SHOW(PyNumber_Positive(a));
    SHOW(PyNumber_Negative(a));
    SHOW(PyNumber_Absolute(a));
    SHOW(PyNumber_Invert(a));
    SHOW(PyNumber_Long(a));
    SHOW(PyNumber_Index(a));
    SHOW(PyNumber_Float(a));
    RESULT(PyObject_IsTrue(a));
    SHOW(PyNumber_InPlaceAdd(a, one));
    SHOW(PyNumber_InPlaceSubtract(a, one));
    SHOW(PyNumber_Power(a, one, Py_None));
    SHOW(PyNumber_Power(a, one, one));
    SHOW(PyNumber_Power(one, a, Py_None));
    SHOW(PyNumber_Divmod(a, one));
    SHOW(PyNumber_MatrixMultiply(a, one));
    answer(type, Py_NewRef(Py_NotImplemented));
    SHOW(PyNumber_Add(a, one));
    answer(sub, PyUnicode_FromString("sub"));
    PyObject_DelAttrString(type, "answer");
    RESULT(PyNumber_Check(a));
    drop_all(a, b, c, one, plain, sub, type);
}

/* Arguments are shown by type: instances have addresses. */
static PyObject *
which(PyObject *self, PyObject *other, const char *name)
{
    say("  %s.%s(%s)", Py_TYPE(self)->tp_name, name, Py_TYPE(other)->tp_name);
    Py_RETURN_NOTIMPLEMENTED;
}
static PyObject *
which_sub(PyObject *self, PyObject *other)
{
    return which(self, other, "__sub__");
}
static PyObject *
which_rsub(PyObject *self, PyObject *other)
{
    return which(self, other, "__rsub__");
}
static PyObject *
which_eq(PyObject *self, PyObject *other)
{
    return which(self, other, "__eq__");
}
static PyMethodDef which_defs[] = {{"__sub__", which_sub, METH_O, NULL},
                                   {"__rsub__", which_rsub, METH_O, NULL},
                                   {"__eq__", which_eq, METH_O, NULL}};

static void
add_which(PyObject *type, int i)
{
    PyObject *value =
        need(PyDescr_NewMethod(&PyBaseObject_Type, &which_defs[i]));

    RESULT(PyObject_SetAttrString(type, which_defs[i].ml_name, value));
    Py_DECREF(value);
}

static void
order(void)
{
    PyObject *a = class_of("A", OBJECT, NULL), *b = class_of("B", a, NULL);
    PyObject *c = class_of("C", OBJECT, NULL);
    PyObject *ops[] = {instance(a), instance(b), instance(c)};

    SHOW(PyNumber_Subtract(ops[0], ops[0]) == NULL ? NULL : Py_None);
    add_which(a, 0);
    add_which(a, 1);
    add_which(c, 1);
    add_which(c, 2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            show("a - b", PyNumber_Subtract(ops[i], ops[j]));
            RESULT(PyObject_RichCompareBool(ops[i], ops[j], Py_EQ));
        }
    add_which(b, 1);
    show("a - b", PyNumber_Subtract(ops[0], ops[1]));
    show("b - a", PyNumber_Subtract(ops[1], ops[0]));
    RESULT(PyObject_Hash(ops[2]) == -1);
    error();
    drop_all(ops[0], ops[1], ops[2], b, c, a);
}

static void
comparison(void)
{
    PyObject *type = class_of("A", OBJECT, "__eq__", "__lt__", NULL);
    PyObject *op = instance(type), *one = PyLong_FromLong(1);

    RESULT(PyObject_Hash(op));
    SHOW(PyObject_GetAttrString(type, "__hash__"));
    RESULT(PyObject_RichCompareBool(op, one, Py_EQ));
    RESULT(PyObject_RichCompareBool(op, one, Py_NE));
    SHOW(PyObject_RichCompare(op, one, Py_LT));
    SHOW(PyObject_RichCompare(one, op, Py_GT));
    SHOW(PyObject_RichCompare(op, one, Py_GE));
    drop_all(op, one, type);
}

static void
attributes(void)
{
    PyObject *type = class_of("A", OBJECT, "__getattr__", NULL);
    PyObject *op = instance(type);

    SHOW(PyObject_GetAttrString(op, "x"));
    RESULT(PyObject_SetAttrString(op, "x", Py_None));
    SHOW(PyObject_GetAttrString(op, "x"));
    RESULT(PyObject_HasAttrString(op, "y"));
    RESULT(PyObject_DelAttrString(type, "__getattr__"));
    SHOW(PyObject_GetAttrString(op, "y"));
    drop_all(op, type);
    type = class_of("B", OBJECT, "__setattr__", "__delattr__",
                    "__getattribute__", NULL);
    op = instance(type);
    RESULT(PyObject_SetAttrString(op, "x", Py_None));
    RESULT(PyObject_DelAttrString(op, "x"));
    SHOW(PyObject_GetAttrString(op, "x"));
    drop_all(op, type);
    type = class_of("C", OBJECT, "__setattr__", NULL);
    op = instance(type);
    RESULT(PyObject_DelAttrString(op, "x"));
    drop_all(op, type);
}

static void
descriptors(void)
{
    PyObject *kind = class_of("D", OBJECT, "__set__", NULL);
    PyObject *descr = instance(kind);
    PyObject *type = class_of("A", OBJECT, NULL);
    PyObject *op = instance(type), *value;

    answer(kind, PyLong_FromLong(8));
    RESULT(PyObject_SetAttrString(type, "d", descr));
    value = PyObject_GetAttrString(op, "d");
    say("itself: %d", value == descr);
    Py_XDECREF(value);
    value = method("__next__");
    RESULT(PyObject_SetAttrString(kind, "__next__", value));
    RESULT(PyIter_Check(descr));
    SHOW(PyIter_Next(descr));
    Py_DECREF(value);
    drop_all(op, type, descr, kind);
}

static PyObject *
count_args(PyObject *Py_UNUSED(self), PyObject *args)
{
    return PyLong_FromSsize_t(PyTuple_GET_SIZE(args));
}
static PyMethodDef count_def = {"count", count_args, METH_VARARGS, NULL};

/* A class with __get__ and __delete__ gets a slot for setting, too. */
static void
own_descriptors(void)
{
    PyObject *kind = class_of("D", OBJECT, "__get__", "__delete__", NULL);
    PyObject *descr = instance(kind);
    PyObject *type = class_of("A", OBJECT, NULL);
    PyObject *op = instance(type);
    PyObject *set = method("__set__");

    answer(kind, PyLong_FromLong(8));
    RESULT(PyObject_SetAttrString(type, "d", descr));
    RESULT(PyObject_SetAttrString(op, "d", Py_None));
    RESULT(PyObject_SetAttrString(kind, "__set__", set));
    RESULT(PyObject_DelAttrString(kind, "__get__"));
    RESULT(PyObject_SetAttrString(kind, "__get__", Py_None));
    SHOW(PyObject_GetAttrString(op, "d"));
    RESULT(PyObject_DelAttrString(kind, "__get__"));
    RESULT(PyObject_DelAttrString(kind, "__delete__"));
    drop_all(set, op, type, descr, kind);
}

/* __get__ is not bound when it is called: a function without __get__ is given
   the descriptor, too. */
static void
unbound_get(void)
{
    PyObject *function = need(PyCFunction_New(&count_def, NULL));
    PyObject *kind =
        call_type(&PyType_Type, "s(){sO}", "D", "__get__", function);
    PyObject *descr = instance(kind);
    PyObject *type = call_type(&PyType_Type, "s(){sO}", "A", "d", descr);
    PyObject *op = instance(type);

    SHOW(PyObject_GetAttrString(op, "d"));
    SHOW(PyObject_GetAttrString(type, "d"));
    drop_all(op, type, descr, kind, function);
}

/* Methods that are there and are None, or return what is not taken. */
static void
odd_answers(void)
{
    PyObject *type = class_of("A", OBJECT, "__hash__", "__bool__", "__len__",
                              "__contains__", "__ipow__", "__int__", NULL);
    PyObject *op = instance(type), *one = PyLong_FromLong(1);

    answer(type, PyLong_FromString("1000000000000000000000000", NULL, 10));
    RESULT(PyObject_Hash(op) != -1);
    RESULT(PyObject_Size(op));
    answer(type, PyLong_FromLong(2));
    RESULT(PyObject_IsTrue(op));
    SHOW(PyNumber_InPlacePower(op, one, Py_None));
    SHOW(PyNumber_InPlacePower(op, one, one));
    RESULT(PySequence_Contains(op, one));
    answer(type, Py_NewRef(Py_None));
    RESULT(PyObject_Hash(op));
    RESULT(PyObject_IsTrue(op));
    RESULT(PySequence_Contains(op, one));
    answer(type, PyBool_FromLong(0));
    RESULT(PyObject_IsTrue(op));
    answer(type, PyFloat_FromDouble(0.5));
    SHOW(PyNumber_Long(op));
    RESULT(PyObject_SetAttrString(type, "__hash__", Py_None));
    RESULT(PyObject_Hash(op));
    RESULT(PyObject_SetAttrString(type, "__contains__", Py_None));
    RESULT(PySequence_Contains(op, one));
    RESULT(PyObject_DelAttrString(type, "__contains__"));
    RESULT(PySequence_Contains(op, one));
    RESULT(PyObject_SetAttrString(type, "__call__", Py_None));
    SHOW(PyObject_CallNoArgs(op));
    drop_all(op, one, type);
}

static void
calls(void)
{
    PyObject *type = class_of("A", OBJECT, "__call__", "__init__", NULL);
    PyObject *op;

    SHOW(PyObject_CallFunction(type, "i", 3));
    answer(type, Py_NewRef(Py_None));
    op = need(PyObject_CallFunction(type, "i", 3));
    SHOW(PyObject_CallFunction(op, "ii", 1, 2));
    RESULT(PyCallable_Check(op));
    RESULT(PyObject_DelAttrString(type, "__call__"));
    RESULT(PyCallable_Check(op));
    RESULT(PyObject_DelAttrString(type, "__init__"));
    SHOW(PyObject_CallFunction(type, "i", 3));
    drop_all(op, type);
}

static void
iteration(void)
{
    PyObject *type = class_of("A", OBJECT, "__iter__", "__next__", NULL);
    PyObject *op = instance(type);

    answer(type, Py_NewRef(op));
    RESULT(PyIter_Check(op));
    SHOW(PyIter_Next(op) == op ? Py_NewRef(Py_True) : NULL);
    PyObject_DelAttrString(type, "answer");
    SHOW(PyObject_GetIter(op));
    RESULT(PyObject_SetAttrString(type, "__iter__", Py_None));
    SHOW(PyObject_GetIter(op) == NULL ? NULL : Py_NewRef(Py_None));
    RESULT(PyObject_SetAttrString(type, "__contains__", Py_None));
    RESULT(PySequence_Contains(op, Py_None));
    Py_DECREF(op);
    drop_all(type);
    collect();
}

/* + of subclasses that do not define it: a sequence's is not a number's, nor
   the other way. */
static void
inherited_sums(void)
{
    PyTypeObject *bases[] = {&PyList_Type,  &PyTuple_Type,     &PyUnicode_Type,
                             &PyBytes_Type, &PyByteArray_Type, &PyLong_Type,
                             &PyFloat_Type, &PyComplex_Type};
    PyObject *right = class_of("R", OBJECT, "__radd__", NULL);
    PyObject *others[] = {PyLong_FromLong(2), PyFloat_FromDouble(0.5),
                          PySet_New(NULL),    PyTuple_New(0),
                          PyList_New(0),      instance(right)};

    answer(right, PyUnicode_FromString("the right one's"));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(bases); i++) {
        PyObject *type = class_of("S", bases[i], NULL), *op = instance(type);

        say("%s", bases[i]->tp_name);
        for (size_t k = 0; k < Py_ARRAY_LENGTH(others); k++) {
            show("  op + other", PyNumber_Add(op, others[k]));
            show("  other + op", PyNumber_Add(others[k], op));
            show("  concat", PySequence_Concat(op, others[k]));
        }
        drop_all(op, type);
    }
    for (size_t k = 0; k < Py_ARRAY_LENGTH(others); k++)
        Py_DECREF(others[k]);
    drop_all(right);
}

/* A class inherits that its base has no hash, and hides no other's. */
static void
inherited_hashes(void)
{
    PyObject *plain = class_of("A", &PyList_Type, NULL), *both, *op;
    PyObject *hashed = class_of("B", &PyList_Type, "__hash__", NULL);

    RESULT(PyObject_HasAttrString(plain, "__hash__"));
    RESULT(PyDict_GetItemString(((PyTypeObject *)plain)->tp_dict,
                                "__hash__") != NULL);
    answer(hashed, PyLong_FromLong(7));
    both = call_type(&PyType_Type, "s(OO){}", "C", plain, hashed);
    op = instance(both);
    RESULT(PyObject_Hash(op));
    drop_all(op, both, hashed);
    op = instance(plain);
    RESULT(PyObject_Hash(op));
    drop_all(op, plain);
}

/* What takes an integer and something else goes on with that where __index__
   raises a TypeError; of complex's second argument __complex__ is no matter.
 */
static void
conversions(void)
{
    PyObject *type = class_of("A", OBJECT, "__index__", NULL);
    PyObject *op = instance(type), *format = PyUnicode_FromString("%c");
    PyObject *zero;

    answer(type, PyUnicode_FromString("no int"));
    SHOW(PyObject_CallOneArg((PyObject *)&PyBytes_Type, op));
    SHOW(PyObject_CallOneArg((PyObject *)&PyByteArray_Type, op));
    SHOW(PyUnicode_Format(format, op));
    PyObject_DelAttrString(type, "answer");
    answer(type, PyLong_FromLong(3));
    SHOW(PyObject_CallOneArg((PyObject *)&PyBytes_Type, op));
    SHOW(PyUnicode_Format(format, op));
    drop_all(op, type, format);
    type = class_of("B", OBJECT, "__complex__", "__float__", NULL);
    op = instance(type);
    zero = PyFloat_FromDouble(0.0);
    answer(type, PyFloat_FromDouble(2.5));
    SHOW(PyObject_CallFunction((PyObject *)&PyComplex_Type, "iO", 1, op));
    SHOW(PyObject_CallFunction((PyObject *)&PyComplex_Type, "OO", zero, op));
    drop_all(op, type, zero);
    type = class_of("C", &PyFloat_Type, "__float__", NULL);
    op = instance(type);
    answer(type, PyFloat_FromDouble(2.5));
    SHOW(PyObject_CallFunction((PyObject *)&PyComplex_Type, "O", op));
    SHOW(PyObject_CallFunction((PyObject *)&PyComplex_Type, "iO", 1, op));
    SHOW(PyObject_CallFunction((PyObject *)&PyComplex_Type, "Os", Py_None,
                               "1"));
    PyObject *named = need(Py_BuildValue("{ss}", "imag", "1"));
    PyObject *none = need(PyTuple_New(0));
    SHOW(PyObject_Call((PyObject *)&PyComplex_Type, none, named));
    drop_all(op, type, named, none);
}

/* Below types made in C, and set on a base, for what inherits from it. */
static void
inherited(void)
{
    PyObject *list = class_of("L", &PyList_Type, "__len__", NULL);
    PyObject *below = class_of("M", list, NULL);
    PyObject *op = need(PyObject_CallFunction(below, "[ii]", 1, 2)), *get;
    PyObject *number = class_of("F", &PyFloat_Type, "__add__", NULL);
    PyObject *one = need(PyObject_CallFunction(number, "i", 1));

    answer(list, PyLong_FromLong(40));
    RESULT(PyObject_Size(op));
    RESULT(PyObject_IsTrue(op));
    SHOW(PySequence_GetItem(op, 0));
    get = method("__getitem__");
    RESULT(PyObject_SetAttrString(list, "__getitem__", get));
    SHOW(PySequence_GetItem(op, 0));
    RESULT(PyObject_DelAttrString(list, "__getitem__"));
    SHOW(PySequence_GetItem(op, 0));
    RESULT(PyObject_DelAttrString(list, "__len__"));
    RESULT(PyObject_Size(op));
    RESULT(PyObject_SetAttrString(below, "__len__", Py_None));
    RESULT(PyObject_Size(op));
    SHOW(PyNumber_Add(one, one));
    SHOW(PyNumber_Subtract(one, one));
    drop_all(get, op, one, number, below, list);
    collect();
}

static void
both_bases(void)
{
    PyObject *a = class_of("A", OBJECT, "__repr__", NULL);
    PyObject *b = class_of("B", OBJECT, "__repr__", "__len__", NULL), *c, *op;

    answer(a, PyUnicode_FromString("of A"));
    answer(b, PyLong_FromLong(2));
    c = call_type(&PyType_Type, "s(OO){}", "C", a, b);
    op = instance(c);
    show_kept("op", op);
    PyObject_DelAttrString(a, "answer");
    RESULT(PyObject_Size(op));
    drop_all(op, c, a, b);
}

static PyObject *
make_new(PyObject *Py_UNUSED(self), PyObject *args)
{
    say("  __new__ of %zd arguments", PyTuple_GET_SIZE(args));
    return PyLong_FromLong(11);
}
static PyMethodDef new_def = {"__new__", make_new, METH_VARARGS, NULL};

static void
making(void)
{
    PyObject *function = need(PyCFunction_New(&new_def, NULL));
    PyObject *wrapped = need(PyStaticMethod_New(function));
    PyObject *type =
        call_type(&PyType_Type, "s(){sO}", "A", "__new__", wrapped);

    SHOW(PyObject_CallFunction(type, "ii", 1, 2));
    PyObject_DelAttrString(type, "__new__");
    SHOW(PyObject_CallFunction(type, "ii", 1, 2));
    drop_all(function, wrapped, type);
}

void
oracle_program(void)
{
    texts();
    sequences();
    operators();
    order();
    comparison();
    attributes();
    descriptors();
    own_descriptors();
    unbound_get();
    odd_answers();
    calls();
    iteration();
    inherited();
    both_bases();
    making();
    collect();
    inherited_sums();
    inherited_hashes();
    conversions();
}
