/* check_traverse.c: what the built-in containers and iterators visit, whether
   they are tracked and have a tp_clear, and that cycles through them are
   collected.  The table holds for CPython 3.11, to the number. */

#include "../support/suite.h"

#include <string.h>

enum { MOST = 8 };

/* What an instance must visit: these objects, each as often as it stands here,
   in any order; NULL stands for a tuple of its own. */
struct expected {
    PyObject *visited[MOST];
    int n;
};

static void
visits(struct expected *expected, PyObject *op)
{
    ck_assert_int_lt(expected->n, MOST);
    expected->visited[expected->n++] = op;
}

/* Makes an instance that holds list, or what holds list, if it can; a new
   reference. */
typedef PyObject *(*maker)(PyObject *list, struct expected *expected);

struct row {
    const char *name; /* of the type; NULL: not the same everywhere */
    maker make;
    void *with;    /* for makers of several rows */
    int clear;     /* is there a tp_clear? */
    int collected; /* the list, the instance, and what it needs */
};

/* The row of the table below that is made. */
static const struct row *row;

/* A function of the list; the result visits it. */
static PyObject *
make_of_list(PyObject *list, struct expected *e)
{
    PyObject *(*function)(PyObject *) = row->with;

    visits(e, list);
    return function(list);
}

/* ------------------------------------------------------------------ */
/* Tuples, lists, dicts                                                */

static PyObject *
make_tuple(PyObject *list, struct expected *e)
{
    visits(e, list);
    visits(e, Py_None);
    visits(e, list);
    return PyTuple_Pack(3, list, Py_None, list);
}

static PyObject *
make_list(PyObject *list, struct expected *e)
{
    PyObject *op = PyList_New(0);

    PyList_Append(op, list);
    PyList_Append(op, list);
    visits(e, list);
    visits(e, list);
    return op;
}

static PyObject *
new_dict(PyObject *list)
{
    PyObject *dict = PyDict_New();

    ck_assert_int_eq(PyDict_SetItem(dict, Py_None, list), 0);
    return dict;
}

static PyObject *
make_dict(PyObject *list, struct expected *e)
{
    visits(e, Py_None);
    visits(e, list);
    return new_dict(list);
}

/* The result, which visits the intermediate object; steals that one. */
static PyObject *
over(PyObject *between, PyObject *op, struct expected *e)
{
    ck_assert_ptr_nonnull(op);
    visits(e, between);
    Py_DECREF(between);
    return op;
}

static PyObject *
make_tuple_iter(PyObject *list, struct expected *e)
{
    PyObject *tuple = PyTuple_Pack(1, list);

    return over(tuple, PyObject_GetIter(tuple), e);
}

static PyObject *
make_list_reverse_iter(PyObject *list, struct expected *e)
{
    visits(e, list);
    return PyObject_CallMethod(list, "__reversed__", NULL);
}

/* dict.METHOD(), an iterator over that, and one in reverse. */
static PyObject *
make_view(PyObject *list, struct expected *e)
{
    PyObject *dict = new_dict(list);

    return over(dict, PyObject_CallMethod(dict, row->with, NULL), e);
}

static PyObject *
make_view_iter(PyObject *list, struct expected *e)
{
    PyObject *view = make_view(list, e), *it = PyObject_GetIter(view);

    if (strcmp(row->with, "items") == 0)
        visits(e, NULL);
    Py_DECREF(view);
    return it;
}

static PyObject *
reversed(PyObject *of)
{
    PyObject *it = PyObject_CallOneArg((PyObject *)&PyReversed_Type, of);

    Py_DECREF(of);
    return it;
}

static PyObject *
make_view_reverse_iter(PyObject *list, struct expected *e)
{
    if (strcmp(row->with, "items") == 0)
        visits(e, NULL);
    return reversed(make_view(list, e));
}

static PyObject *
make_proxy(PyObject *list, struct expected *e)
{
    PyObject *dict = new_dict(list);

    return over(dict, PyDictProxy_New(dict), e);
}

/* ------------------------------------------------------------------ */
/* Other iterators                                                     */

static PyObject *
make_call_iter(PyObject *list, struct expected *e)
{
    visits(e, list);
    visits(e, Py_None);
    return PyCallIter_New(list, Py_None);
}

static PyObject *
make_enumerate(PyObject *list, struct expected *e)
{
    static PyObject *large;
    PyObject *it = PyObject_GetIter(list);

    if (large == NULL)
        large = PyLong_FromString("100000000000000000000", NULL, 10);
    visits(e, NULL);
    visits(e, large);
    return over(it,
                PyObject_CallFunctionObjArgs((PyObject *)&PyEnum_Type, it,
                                             large, NULL),
                e);
}

static PyObject *
make_reversed(PyObject *list, struct expected *e)
{
    PyObject *tuple = PyTuple_Pack(1, list);

    return over(tuple, reversed(Py_NewRef(tuple)), e);
}

/* Iterators that have iterators; the objects that those need are theirs. */
static PyObject *
make_zip(PyObject *list, struct expected *e)
{
    visits(e, NULL);
    visits(e, NULL);
    return PyObject_CallFunctionObjArgs((PyObject *)&PyZip_Type, list, list,
                                        NULL);
}

static PyObject *
make_map(PyObject *list, struct expected *e)
{
    visits(e, NULL);
    visits(e, Py_None);
    return PyObject_CallFunctionObjArgs((PyObject *)&PyMap_Type, Py_None, list,
                                        list, NULL);
}

static PyObject *
make_filter(PyObject *list, struct expected *e)
{
    PyObject *it = PyObject_GetIter(list);

    visits(e, Py_None);
    return over(it,
                PyObject_CallFunctionObjArgs((PyObject *)&PyFilter_Type,
                                             Py_None, it, NULL),
                e);
}

static PyObject *
make_bytes_iter(PyObject *Py_UNUSED(list), struct expected *e)
{
    PyObject *op = PyBytes_FromString("bytes");

    return over(op, PyObject_GetIter(op), e);
}

static PyObject *
make_bytearray_iter(PyObject *Py_UNUSED(list), struct expected *e)
{
    PyObject *op = PyByteArray_FromStringAndSize("bytes", 5);

    return over(op, PyObject_GetIter(op), e);
}

static PyObject *
make_str_iter(PyObject *Py_UNUSED(list), struct expected *e)
{
    PyObject *op = PyUnicode_FromString("text");

    return over(op, PyObject_GetIter(op), e);
}

/* ------------------------------------------------------------------ */
/* Functions, methods, descriptors                                     */

static PyObject *
nothing(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    Py_RETURN_NONE;
}

static PyObject *
get_nothing(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    Py_RETURN_NONE;
}

static PyMethodDef plain_def = {"plain", nothing, METH_NOARGS, NULL};
static PyMethodDef class_def = {"of_class", nothing, METH_NOARGS | METH_CLASS,
                                NULL};
static PyMethodDef method_def = {
    "method", nothing, METH_METHOD | METH_FASTCALL | METH_KEYWORDS, NULL};
static PyMemberDef member_def = {"member", Py_T_INT, 0, 0, NULL};
static PyGetSetDef getset_def = {"getset", get_nothing, NULL, NULL, NULL};

static PyObject *
make_cfunction(PyObject *list, struct expected *e)
{
    PyObject *module = PyUnicode_FromString("module");

    visits(e, list);
    return over(module, PyCFunction_NewEx(&plain_def, list, module), e);
}

static PyObject *
make_cmethod(PyObject *list, struct expected *e)
{
    visits(e, list);
    visits(e, Py_None);
    visits(e, (PyObject *)&PyList_Type);
    return PyCMethod_New(&method_def, list, Py_None, &PyList_Type);
}

static PyObject *
make_method(PyObject *list, struct expected *e)
{
    PyObject *function = PyCFunction_New(&plain_def, NULL);

    visits(e, list);
    return over(function, PyMethod_New(function, list), e);
}

static PyObject *
make_method_descr(PyObject *Py_UNUSED(list), struct expected *e)
{
    visits(e, (PyObject *)&PyList_Type);
    return PyDescr_NewMethod(&PyList_Type, &plain_def);
}

static PyObject *
make_classmethod_descr(PyObject *Py_UNUSED(list), struct expected *e)
{
    visits(e, (PyObject *)&PyList_Type);
    return PyDescr_NewClassMethod(&PyList_Type, &class_def);
}

static PyObject *
make_member_descr(PyObject *Py_UNUSED(list), struct expected *e)
{
    visits(e, (PyObject *)&PyList_Type);
    return PyDescr_NewMember(&PyList_Type, &member_def);
}

static PyObject *
make_getset_descr(PyObject *Py_UNUSED(list), struct expected *e)
{
    visits(e, (PyObject *)&PyList_Type);
    return PyDescr_NewGetSet(&PyList_Type, &getset_def);
}

static PyObject *
make_property(PyObject *list, struct expected *e)
{
    visits(e, list);
    visits(e, list);
    visits(e, Py_True);
    return PyObject_CallFunction((PyObject *)&PyProperty_Type, "OOOO", Py_None,
                                 list, list, Py_True);
}

/* ------------------------------------------------------------------ */
/* The others                                                          */

static PyObject *
make_slice(PyObject *list, struct expected *e)
{
    visits(e, list);
    visits(e, Py_None);
    visits(e, Py_True);
    return PySlice_New(list, NULL, Py_True);
}

static PyObject *
make_namespace(PyObject *list, struct expected *e)
{
    PyObject *type = (PyObject *)Py_TYPE(PySys_GetObject("implementation"));
    PyObject *op = PyObject_CallNoArgs(type);

    ck_assert_int_eq(PyObject_SetAttrString(op, "list", list), 0);
    return over(PyObject_GetAttrString(op, "__dict__"), op, e);
}

static PyObject *
make_module(PyObject *list, struct expected *e)
{
    PyObject *op = PyModule_New("check");

    ck_assert_int_eq(PyModule_AddObjectRef(op, "list", list), 0);
    visits(e, PyModule_GetDict(op));
    return op;
}

/* What the weak references refer to; it lives for ever. */
static PyObject *
referent(void)
{
    static PyObject *op;

    if (op == NULL)
        op = PyCFunction_New(&plain_def, NULL);
    return op;
}

static PyObject *
make_weakref(PyObject *list, struct expected *e)
{
    visits(e, list);
    return PyWeakref_NewRef(referent(), list);
}

static PyObject *
make_callable_proxy(PyObject *list, struct expected *e)
{
    visits(e, list);
    return PyWeakref_NewProxy(referent(), list);
}

static PyObject *
make_weak_proxy(PyObject *list, struct expected *e)
{
    visits(e, list);
    return PyWeakref_NewProxy(PyImport_AddModule("sys"), list);
}

/* type(list), which visits its args. */
static PyObject *
exception(PyObject *type, PyObject *list, struct expected *e)
{
    PyObject *op = suite_require(PyObject_CallOneArg(type, list));
    return over(PyObject_GetAttrString(op, "args"), op, e);
}

/* With one more field for the list. */
static PyObject *
make_exception_with_field(PyObject *list, struct expected *e)
{
    visits(e, list);
    return exception(*(PyObject **)row->with, list, e);
}

static PyObject *
make_exception(PyObject *list, struct expected *e)
{
    PyObject *op = exception(PyExc_ValueError, list, e);
    PyObject *cause = PyObject_CallNoArgs(PyExc_KeyError);
    PyObject *context = PyObject_CallNoArgs(PyExc_TypeError);

    visits(e, cause);
    visits(e, context);
    PyException_SetCause(op, cause);
    PyException_SetContext(op, context);
    ck_assert_int_eq(PyObject_SetAttrString(op, "list", list), 0);
    return over(PyObject_GetAttrString(op, "__dict__"), op, e);
}

/* ------------------------------------------------------------------ */
/* The table                                                           */

static const struct row rows[] = {
    {"tuple", make_tuple, NULL, 0, 2},
    {"tuple_iterator", make_tuple_iter, NULL, 0, 3},
    {"list", make_list, NULL, 1, 2},
    {"list_iterator", make_of_list, PyObject_GetIter, 0, 2},
    {"list_reverseiterator", make_list_reverse_iter, NULL, 0, 2},
    {"dict", make_dict, NULL, 1, 2},
    {"dict_keys", make_view, "keys", 0, 3},
    {"dict_values", make_view, "values", 0, 3},
    {"dict_items", make_view, "items", 0, 3},
    {"dict_keyiterator", make_view_iter, "keys", 0, 3},
    {"dict_valueiterator", make_view_iter, "values", 0, 3},
    {"dict_itemiterator", make_view_iter, "items", 0, 4},
    {"dict_reversekeyiterator", make_view_reverse_iter, "keys", 0, 3},
    {"dict_reversevalueiterator", make_view_reverse_iter, "values", 0, 3},
    {"dict_reverseitemiterator", make_view_reverse_iter, "items", 0, 4},
    {"mappingproxy", make_proxy, NULL, 0, 3},
    {"iterator", make_of_list, PySeqIter_New, 0, 2},
    {"callable_iterator", make_call_iter, NULL, 0, 2},
    {"enumerate", make_enumerate, NULL, 0, 4},
    {"reversed", make_reversed, NULL, 0, 3},
    {"zip", make_zip, NULL, 0, 6},
    {"map", make_map, NULL, 0, 5},
    {"filter", make_filter, NULL, 0, 3},
    {"bytes_iterator", make_bytes_iter, NULL, 0, 2},
    {"bytearray_iterator", make_bytearray_iter, NULL, 0, 2},
    {NULL, make_str_iter, NULL, 0, 2},
    {"builtin_function_or_method", make_cfunction, NULL, 0, 2},
    {"builtin_method", make_cmethod, NULL, 0, 2},
    {"method", make_method, NULL, 0, 3},
    {"method_descriptor", make_method_descr, NULL, 0, 2},
    {"classmethod_descriptor", make_classmethod_descr, NULL, 0, 2},
    {"member_descriptor", make_member_descr, NULL, 0, 2},
    {"getset_descriptor", make_getset_descr, NULL, 0, 2},
    {"classmethod", make_of_list, PyClassMethod_New, 1, 2},
    {"staticmethod", make_of_list, PyStaticMethod_New, 1, 2},
    {"property", make_property, NULL, 1, 2},
    {"slice", make_slice, NULL, 0, 2},
    {"cell", make_of_list, PyCell_New, 1, 2},
    {"types.SimpleNamespace", make_namespace, NULL, 1, 3},
    {"module", make_module, NULL, 1, 3},
    {NULL, make_weakref, NULL, 1, 2},
    {NULL, make_weak_proxy, NULL, 1, 2},
    {NULL, make_callable_proxy, NULL, 1, 2},
    {"ValueError", make_exception, NULL, 1, 6},
    {"StopIteration", make_exception_with_field, &PyExc_StopIteration, 1, 3},
    {"SystemExit", make_exception_with_field, &PyExc_SystemExit, 1, 3},
    {"ImportError", make_exception_with_field, &PyExc_ImportError, 1, 3},
};

#define CHECK(condition)                                                      \
    ck_assert_msg(condition, "%s: %s", Py_TYPE(op)->tp_name, #condition)

static PyObject *
make(const struct row *wanted, PyObject *list, struct expected *e)
{
    row = wanted;
    return suite_require(row->make(list, e));
}

/* ------------------------------------------------------------------ */

START_TEST(types_are_what_cpythons_are)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rows); i++) {
        PyObject *list = PyList_New(0);
        struct expected e = {{NULL}, 0};
        PyObject *op = make(&rows[i], list, &e);
        if (rows[i].name != NULL)
            ck_assert_str_eq(Py_TYPE(op)->tp_name, rows[i].name);
        CHECK(PyObject_IS_GC(op));
        CHECK(PyObject_GC_IsTracked(op) == 1);
        CHECK(PyObject_GC_IsFinalized(op) == 0);
        CHECK((Py_TYPE(op)->tp_clear != NULL) == rows[i].clear);
        suite_drop(op, list);
    }
}

/* Takes what it is shown off the list of what is expected. */
static int
take(PyObject *op, void *arg)
{
    struct expected *e = arg;
    int own = -1;

    for (int i = 0; i < e->n; i++) {
        if (e->visited[i] == NULL)
            own = i;
        if (e->visited[i] != op)
            continue;
        e->visited[i] = e->visited[--e->n];
        return 0;
    }
    if (own < 0 || !PyTuple_CheckExact(op))
        return -1;
    e->visited[own] = e->visited[--e->n];
    return 0;
}

static int
stop(PyObject *Py_UNUSED(op), void *Py_UNUSED(arg))
{
    return 42;
}

START_TEST(traverse_visits_what_is_owned)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rows); i++) {
        PyObject *list = PyList_New(0);
        struct expected e = {{NULL}, 0};
        PyObject *op = make(&rows[i], list, &e);
        traverseproc traverse = Py_TYPE(op)->tp_traverse;

        CHECK(traverse(op, stop, NULL) == 42);
        CHECK(traverse(op, take, &e) == 0);
        CHECK(e.n == 0);
        suite_drop(op, list);
    }
}

START_TEST(cycles_are_collected_and_counted)
{
    referent();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rows); i++) {
        PyGC_Collect();
        PyObject *list = PyList_New(0);
        struct expected e = {{NULL}, 0};
        PyObject *op = make(&rows[i], list, &e);

        ck_assert_int_eq(PyList_Append(list, op), 0);
        if (Py_REFCNT(list) == 1) /* op cannot hold it */
            ck_assert_int_eq(PyList_Append(list, list), 0);
        PyTypeObject *type = Py_TYPE(op);
        suite_drop(op, list);
        Py_ssize_t collected = PyGC_Collect();
        ck_assert_msg(collected == rows[i].collected,
                      "%s: %zd collected, not %d", type->tp_name, collected,
                      rows[i].collected);
        ck_assert_int_eq(PyGC_Collect(), 0);
    }
}

/* A cycle of nothing that could be cleared is counted each time, and stays. */
START_TEST(cycle_without_clear_stays)
{
    PyObject *tuple = PyTuple_New(1), *it = PyObject_GetIter(tuple);

    PyTuple_SET_ITEM(tuple, 0, it);
    PyGC_Collect();
    Py_DECREF(tuple);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(Py_REFCNT(it), 1);
    ck_assert_int_eq(Py_REFCNT(tuple), 1);
    Py_DECREF(PyIter_Next(it)); /* which ends both */
}
