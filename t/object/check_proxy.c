/* check_proxy.c: weak proxies and mapping proxies: each operation reaches what
   stands behind them. */

#include "../support/suite.h"

/* ------------------------------------------------------------------ */
/* A type whose slots say which they are                               */

typedef struct {
    PyObject ob_base;
    PyObject *weakrefs;
} Spy;

static void
spy_dealloc(PyObject *op)
{
    PyObject_ClearWeakRefs(op);
    PyObject_Free(op);
}

/* What a slot of a Spy returns: its name, and whether it was asked about the
   Spy itself, and not about the proxy. */
static PyObject *
say(const char *name, PyObject *a, PyObject *b)
{
    return PyUnicode_FromFormat("%s %s %s", name, Py_TYPE(a)->tp_name,
                                Py_TYPE(b)->tp_name);
}

#define SPY_1(name)                                                           \
    static PyObject *spy_##name(PyObject *a)                                  \
    {                                                                         \
        return say(#name, a, a);                                              \
    }
#define SPY_2(name)                                                           \
    static PyObject *spy_##name(PyObject *a, PyObject *b)                     \
    {                                                                         \
        return say(#name, a, b);                                              \
    }
#define SPY_3(name)                                                           \
    static PyObject *spy_##name(PyObject *a, PyObject *b,                     \
                                PyObject *Py_UNUSED(c))                       \
    {                                                                         \
        return say(#name, a, b);                                              \
    }

/* clang-format off */
#define UNARY(X) X(positive) X(negative) X(absolute) X(invert)
#define BINARY(X)                                                             \
    X(add) X(subtract) X(multiply) X(remainder) X(divmod) X(lshift)           \
    X(rshift) X(and) X(xor) X(or) X(floor_divide) X(true_divide)              \
    X(matrix_multiply)
#define IN_PLACE(X)                                                           \
    X(inplace_add) X(inplace_subtract) X(inplace_multiply)                    \
    X(inplace_remainder) X(inplace_lshift) X(inplace_rshift) X(inplace_and)   \
    X(inplace_xor) X(inplace_or) X(inplace_floor_divide)                      \
    X(inplace_true_divide) X(inplace_matrix_multiply)
/* clang-format on */

UNARY(SPY_1)
BINARY(SPY_2)
IN_PLACE(SPY_2)
SPY_3(power)
SPY_3(inplace_power)

static PyObject *
spy_int(PyObject *Py_UNUSED(op))
{
    return PyLong_FromLong(7);
}

static PyObject *
spy_float(PyObject *Py_UNUSED(op))
{
    return PyFloat_FromDouble(0.5);
}

#define SLOT(name) .nb_##name = spy_##name,
static PyNumberMethods spy_as_number = {
    UNARY(SLOT) BINARY(SLOT) IN_PLACE(SLOT) SLOT(power) SLOT(inplace_power)
        .nb_int = spy_int,
    .nb_index = spy_int,
    .nb_float = spy_float,
};

static PyTypeObject Spy_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Spy",
    .tp_basicsize = sizeof(Spy),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_weaklistoffset = offsetof(Spy, weakrefs),
    .tp_dealloc = spy_dealloc,
    .tp_as_number = &spy_as_number,
};

static PyObject *
spy(void)
{
    ck_assert_int_eq(PyType_Ready(&Spy_Type), 0);
    Spy *op = suite_require(PyObject_New(Spy, &Spy_Type));
    op->weakrefs = NULL;
    return (PyObject *)op;
}

static const struct {
    const char *says;
    PyObject *(*function)(PyObject *);
} unary[] = {
    {"positive", PyNumber_Positive},
    {"negative", PyNumber_Negative},
    {"absolute", PyNumber_Absolute},
    {"invert", PyNumber_Invert},
};

static const struct {
    const char *says;
    PyObject *(*function)(PyObject *, PyObject *);
} binary[] = {
    {"add", PyNumber_Add},
    {"subtract", PyNumber_Subtract},
    {"multiply", PyNumber_Multiply},
    {"remainder", PyNumber_Remainder},
    {"divmod", PyNumber_Divmod},
    {"lshift", PyNumber_Lshift},
    {"rshift", PyNumber_Rshift},
    {"and", PyNumber_And},
    {"xor", PyNumber_Xor},
    {"or", PyNumber_Or},
    {"floor_divide", PyNumber_FloorDivide},
    {"true_divide", PyNumber_TrueDivide},
    {"matrix_multiply", PyNumber_MatrixMultiply},
    {"inplace_add", PyNumber_InPlaceAdd},
    {"inplace_subtract", PyNumber_InPlaceSubtract},
    {"inplace_multiply", PyNumber_InPlaceMultiply},
    {"inplace_remainder", PyNumber_InPlaceRemainder},
    {"inplace_lshift", PyNumber_InPlaceLshift},
    {"inplace_rshift", PyNumber_InPlaceRshift},
    {"inplace_and", PyNumber_InPlaceAnd},
    {"inplace_xor", PyNumber_InPlaceXor},
    {"inplace_or", PyNumber_InPlaceOr},
    {"inplace_floor_divide", PyNumber_InPlaceFloorDivide},
    {"inplace_true_divide", PyNumber_InPlaceTrueDivide},
    {"inplace_matrix_multiply", PyNumber_InPlaceMatrixMultiply},
};

/* The text is the name and the types of both operands. */
static void
says(PyObject *result, const char *name, const char *left, const char *right)
{
    char text[100];

    snprintf(text, sizeof text, "%s %s %s", name, left, right);
    suite_new_text(result, text);
}

START_TEST(operators_reach_the_referent)
{
    PyObject *op = spy(), *proxy = PyWeakref_NewProxy(op, NULL);

    for (size_t i = 0; i < Py_ARRAY_LENGTH(unary); i++)
        says(unary[i].function(proxy), unary[i].says, "Spy", "Spy");
    for (size_t i = 0; i < Py_ARRAY_LENGTH(binary); i++) {
        says(binary[i].function(proxy, Py_None), binary[i].says, "Spy",
             "NoneType");
        says(binary[i].function(proxy, proxy), binary[i].says, "Spy", "Spy");
    }
    says(PyNumber_Subtract(Py_None, proxy), "subtract", "NoneType", "Spy");
    says(PyNumber_Power(proxy, Py_True, Py_None), "power", "Spy", "bool");
    says(PyNumber_Power(Py_True, proxy, Py_None), "power", "bool", "Spy");
    says(PyNumber_InPlacePower(proxy, Py_True, Py_None), "inplace_power",
         "Spy", "bool");
    suite_new_repr(PyNumber_Long(proxy), "7");
    suite_new_repr(PyNumber_Index(proxy), "7");
    suite_new_repr(PyNumber_Float(proxy), "0.5");
    ck_assert_int_eq(Py_REFCNT(op), 1);

    Py_DECREF(op);
    static const char gone[] = "weakly-referenced object no longer exists";
    for (size_t i = 0; i < Py_ARRAY_LENGTH(binary); i++)
        suite_refused(binary[i].function(proxy, Py_None), PyExc_ReferenceError,
                      gone);
    suite_refused(PyNumber_Power(Py_True, proxy, Py_None),
                  PyExc_ReferenceError, gone);
    suite_refused(PyNumber_Index(proxy), PyExc_ReferenceError, gone);
    Py_DECREF(proxy);
}

/* An instance of a subclass, which can have weak references. */
static PyObject *
instance(PyTypeObject *base)
{
    PyObject *type = suite_class("s(O){}", "C", (PyObject *)base);
    PyObject *op = PyObject_CallNoArgs(type);
    Py_DECREF(type);
    ck_assert_ptr_nonnull(op);
    return op;
}

START_TEST(containers_behind_proxies)
{
    PyObject *dict = instance(&PyDict_Type), *key = PyLong_FromLong(1);
    PyObject *proxy = PyWeakref_NewProxy(dict, NULL);

    ck_assert_int_eq(PyObject_SetItem(proxy, key, Py_True), 0);
    suite_new_repr(PyObject_GetItem(proxy, key), "True");
    ck_assert_int_eq(PySequence_Contains(proxy, key), 1);
    ck_assert_int_eq(PyObject_DelItem(proxy, key), 0);
    ck_assert_int_eq(PySequence_Contains(proxy, key), 0);
    suite_refused(PyObject_GetItem(proxy, key), PyExc_KeyError, "1");
    suite_failed(PyObject_DelItem(proxy, key), PyExc_KeyError, "1");
    ck_assert_int_eq(PyObject_Size(proxy), 0);

    Py_DECREF(dict);
    suite_failed(PySequence_Contains(proxy, key), PyExc_ReferenceError, NULL);
    suite_failed(PyObject_SetItem(proxy, key, key), PyExc_ReferenceError,
                 NULL);
    suite_refused(PyObject_GetItem(proxy, key), PyExc_ReferenceError, NULL);
    suite_drop(proxy, key);
}

START_TEST(repr_of_a_proxy)
{
    char text[100];
    PyObject *op = spy(), *proxy = PyWeakref_NewProxy(op, NULL);

    snprintf(text, sizeof text, "<weakproxy at %p; to 'Spy' at %p>",
             (void *)proxy, (void *)op);
    suite_repr(proxy, text);
    Py_DECREF(op);
    snprintf(text, sizeof text, "<weakproxy at %p; dead>", (void *)proxy);
    suite_new_repr(proxy, text);
}

/* ------------------------------------------------------------------ */
/* Proxies of iterators                                                */

static PyObject *
generator_next(PyObject *op)
{
    (void)op;
    return PyLong_FromLong(5);
}

static PyTypeObject Gen_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Gen",
    .tp_basicsize = sizeof(Spy),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_weaklistoffset = offsetof(Spy, weakrefs),
    .tp_dealloc = spy_dealloc,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = generator_next,
};

START_TEST(iterators_behind_proxies)
{
    ck_assert_int_eq(PyType_Ready(&Gen_Type), 0);
    Spy *op = PyObject_New(Spy, &Gen_Type);
    op->weakrefs = NULL;
    PyObject *proxy = PyWeakref_NewProxy((PyObject *)op, NULL);

    suite_new_int(PyIter_Next(proxy), 5);
    PyObject *it = PyObject_GetIter(proxy);
    ck_assert_ptr_eq(it, (PyObject *)op);
    suite_drop(it, op);
    suite_refused(PyIter_Next(proxy), PyExc_ReferenceError, NULL);
    Py_DECREF(proxy);
}

/* ------------------------------------------------------------------ */
/* Mapping proxies                                                     */

START_TEST(mapping_proxies)
{
    PyObject *type = (PyObject *)&PyDictProxy_Type;
    PyObject *dict = Py_BuildValue("{sisi}", "a", 1, "b", 2);
    PyObject *proxy = suite_require(PyObject_CallFunction(type, "O", dict));
    suite_repr(proxy, "mappingproxy({'a': 1, 'b': 2})");
    suite_new_text(PyObject_Str(proxy), "{'a': 1, 'b': 2}");
    ck_assert_int_eq(PyObject_RichCompareBool(proxy, dict, Py_EQ), 1);
    suite_failed(PyObject_Hash(proxy), PyExc_TypeError,
                 "unhashable type: 'dict'");
    suite_new_repr(PyObject_CallMethod(proxy, "get", "s", "b"), "2");
    suite_new_repr(PyObject_CallMethod(proxy, "get", "s", "c"), "None");
    suite_new_repr(PyObject_CallMethod(proxy, "get", "si", "c", 3), "3");
    suite_refused(PyObject_CallMethod(proxy, "get", NULL), PyExc_TypeError,
                  NULL);
    suite_new_repr(PyObject_CallMethod(proxy, "keys", NULL),
                   "dict_keys(['a', 'b'])");
    suite_new_repr(PyObject_CallMethod(proxy, "values", NULL),
                   "dict_values([1, 2])");
    suite_new_repr(PyObject_CallMethod(proxy, "items", NULL),
                   "dict_items([('a', 1), ('b', 2)])");
    PyObject *copy = PyObject_CallMethod(proxy, "copy", NULL);
    ck_assert(copy != dict && PyDict_CheckExact(copy));
    Py_DECREF(copy);
    PyObject *it = PyObject_CallMethod(proxy, "__reversed__", NULL);
    suite_new_text(PyIter_Next(it), "b");
    Py_DECREF(it);
    suite_failed(PyObject_SetItem(proxy, Py_None, Py_None), PyExc_TypeError,
                 "'mappingproxy' object does not support item assignment");
    suite_drop(proxy, dict);
}

START_TEST(unions_of_mapping_proxies)
{
    PyObject *a = Py_BuildValue("{si}", "a", 1);
    PyObject *b = Py_BuildValue("{si}", "b", 2);
    PyObject *proxy = PyDictProxy_New(a), *other = PyDictProxy_New(b);

    suite_new_repr(PyNumber_Or(proxy, b), "{'a': 1, 'b': 2}");
    suite_new_repr(PyNumber_Or(b, proxy), "{'b': 2, 'a': 1}");
    suite_new_repr(PyNumber_Or(proxy, other), "{'a': 1, 'b': 2}");
    suite_refused(PyNumber_InPlaceOr(proxy, b), PyExc_TypeError,
                  "'|=' is not supported by mappingproxy; use '|' instead");
    suite_refused(PyNumber_Or(proxy, Py_None), PyExc_TypeError,
                  "unsupported operand type(s) for |: 'dict' and 'NoneType'");
    suite_drop(a, b, proxy, other);
}

START_TEST(what_may_stand_behind_a_mapping_proxy)
{
    PyObject *type = (PyObject *)&PyDictProxy_Type;
    PyObject *dict = instance(&PyDict_Type), *list = PyList_New(0);
    PyObject *one = PyLong_FromLong(1);

    ck_assert_int_eq(PyObject_SetItem(dict, one, one), 0);
    PyObject *proxy = PyObject_CallFunction(type, "O", dict);
    ck_assert_int_eq(PySequence_Contains(proxy, one), 1);
    ck_assert_int_eq(PySequence_Contains(proxy, Py_None), 0);
    Py_DECREF(proxy);
    suite_refused(PyObject_CallFunction(type, "(O)", list), PyExc_TypeError,
                  "mappingproxy() argument must be a mapping, not list");
    suite_refused(PyObject_CallNoArgs(type), PyExc_TypeError, NULL);
    suite_drop(dict, list, one);
}
