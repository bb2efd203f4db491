/* check_traverse_safe.c: what a tp_traverse may call, called in one while the
   library checks that it has no side effects.

   Manual: "Supporting Cyclic Garbage Collection", section "Traversal-safe
   functions". */

#include "../support/node.h"
#include "../support/suite.h"

/* What the next traversal asks, and how often it did. */
static void (*question)(struct node *self, visitproc visit, void *arg);
static int asked;

static int
curious_traverse(PyObject *op, visitproc visit, void *arg)
{
    if (question != NULL) {
        question((struct node *)op, visit, arg);
        asked++;
    }
    return node_traverse(op, visit, arg);
}

static PyTypeObject curious_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Curious",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_dealloc = node_dealloc,
    .tp_traverse = curious_traverse,
    .tp_clear = node_clear,
};

/* Asks in the passes of a collection, alive and dead. */
static void
ask(void (*wanted)(struct node *, visitproc, void *))
{
    struct node *op = node_ring(&curious_type, 1);

    question = wanted;
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 1);
    question = NULL;
    ck_assert_int_ge(asked, 3);
    ck_assert_ptr_null(PyErr_Occurred());
}

static void
begin(void)
{
    suite_with_checks();
    node_reset();
    ck_assert_int_eq(PyType_Ready(&curious_type), 0);
}

/* ------------------------------------------------------------------ */

static PyObject *tuple, *bag;

static void
visit_nothing_new(struct node *Py_UNUSED(self), visitproc visit, void *arg)
{
    ck_assert_int_eq(visit(Py_None, arg), 0); /* not owned */
}

START_TEST(visit_is_safe)
{
    begin();
    ask(visit_nothing_new);
}

static void
ask_for_size(struct node *Py_UNUSED(self), visitproc Py_UNUSED(visit),
             void *Py_UNUSED(arg))
{
    ck_assert_int_eq(Py_SIZE(tuple), 3);
}

START_TEST(size_is_safe)
{
    begin();
    tuple = PyTuple_Pack(3, Py_None, Py_None, Py_None);
    ask(ask_for_size);
    Py_DECREF(tuple);
}

static void
ask_for_type(struct node *self, visitproc Py_UNUSED(visit),
             void *Py_UNUSED(arg))
{
    ck_assert_ptr_eq(Py_TYPE(self), &curious_type);
    ck_assert_str_eq(Py_TYPE(self)->tp_name, "t.Curious");
    if (self->left != NULL) /* it is not cleared yet */
        ck_assert_ptr_eq(Py_TYPE(self->left), &curious_type);
}

START_TEST(type_is_safe)
{
    begin();
    ask(ask_for_type);
}

/* A heap type that dies in the same collection is valid all the same. */
static int names_read;

static int
heap_traverse(PyObject *op, visitproc visit, void *arg)
{
    names_read += strcmp(Py_TYPE(op)->tp_name, "t.Mortal") == 0;
    Py_VISIT(Py_TYPE(op));
    return node_traverse(op, visit, arg);
}

static void
heap_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    node_dealloc(op);
    Py_DECREF(type);
}

START_TEST(type_is_valid_during_the_call)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)heap_dealloc},
                           {Py_tp_traverse, (void *)heap_traverse},
                           {Py_tp_clear, (void *)node_clear},
                           {0, NULL}};
    PyType_Spec spec = {"t.Mortal", sizeof(struct node), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

    begin();
    PyTypeObject *type = suite_require((PyTypeObject *)PyType_FromSpec(&spec));
    node_drop_ring(type, 3);
    Py_DECREF(type);
    ck_assert_int_gt(PyGC_Collect(), 3);
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_int_ge(names_read, 3);
}

static int
visit_none(PyObject *Py_UNUSED(op), void *Py_UNUSED(arg))
{
    return 0;
}

static void
visit_managed_dict(struct node *self, visitproc Py_UNUSED(visit),
                   void *Py_UNUSED(arg))
{
    ck_assert_int_eq(PyObject_VisitManagedDict(bag, visit_none, NULL), 0);
    ck_assert_int_eq(
        PyObject_VisitManagedDict((PyObject *)self, visit_none, NULL), 0);
}

START_TEST(visit_managed_dict_is_safe)
{
    begin();
    PyObject *type = suite_class("s(){}", "Bag");
    bag = PyObject_CallNoArgs(type);
    ck_assert_int_eq(PyObject_SetAttrString(bag, "a", Py_None), 0);
    ask(visit_managed_dict);
    suite_drop(bag, type);
}

static void
ask_for_kind(struct node *self, visitproc Py_UNUSED(visit),
             void *Py_UNUSED(arg))
{
    ck_assert(PyObject_TypeCheck(self, &curious_type));
    ck_assert(!PyObject_TypeCheck(self, &node_type));
    ck_assert(PyType_IsSubtype(&PyBool_Type, &PyLong_Type));
    ck_assert(!PyType_IsSubtype(Py_TYPE(self), &node_type));
    ck_assert(PyType_HasFeature(Py_TYPE(self), Py_TPFLAGS_HAVE_GC));
    ck_assert(!PyType_HasFeature(&PyLong_Type, Py_TPFLAGS_HAVE_GC));
}

START_TEST(type_queries_are_safe)
{
    begin();
    ask(ask_for_kind);
}

/* ------------------------------------------------------------------ */
/* Py<type>_Check and Py<type>_CheckExact                              */

static PyObject *
do_nothing(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arg))
{
    Py_RETURN_NONE;
}

static PyObject *
do_nothing_in_class(PyObject *Py_UNUSED(self), PyTypeObject *Py_UNUSED(cls),
                    PyObject *const *Py_UNUSED(args),
                    Py_ssize_t Py_UNUSED(nargs), PyObject *Py_UNUSED(names))
{
    Py_RETURN_NONE;
}

static PyMethodDef function_def = {"f", do_nothing, METH_O, NULL};
static PyMethodDef method_def = {
    "m", (PyCFunction)(void (*)(void))do_nothing_in_class,
    METH_METHOD | METH_FASTCALL | METH_KEYWORDS, NULL};

static PyObject *function, *list, *dict, *object, *bytes, *variable;

/* Every check macro of the headers, and how to make what it is true of. */
#define CHECKS(X)                                                             \
    X(PyAnySet_Check, PySet_New(NULL))                                        \
    X(PyAnySet_CheckExact, PySet_New(NULL))                                   \
    X(PyBool_Check, PyBool_FromLong(1))                                       \
    X(PyByteArray_Check, PyByteArray_FromStringAndSize("a", 1))               \
    X(PyByteArray_CheckExact, PyByteArray_FromStringAndSize("a", 1))          \
    X(PyBytes_Check, PyBytes_FromString("a"))                                 \
    X(PyBytes_CheckExact, PyBytes_FromString("a"))                            \
    X(PyCFunction_Check, Py_NewRef(function))                                 \
    X(PyCFunction_CheckExact, Py_NewRef(function))                            \
    X(PyCMethod_Check, PyCMethod_New(&method_def, NULL, NULL, &node_type))    \
    X(PyCMethod_CheckExact,                                                   \
      PyCMethod_New(&method_def, NULL, NULL, &node_type))                     \
    X(PyCallIter_Check, PyCallIter_New(function, Py_None))                    \
    X(PyCapsule_CheckExact, PyCapsule_New(&asked, "n", NULL))                 \
    X(PyCell_Check, PyCell_New(Py_None))                                      \
    X(PyComplex_Check, PyComplex_FromDoubles(1, 2))                           \
    X(PyComplex_CheckExact, PyComplex_FromDoubles(1, 2))                      \
    X(PyContext_CheckExact, PyContext_New())                                  \
    X(PyContextToken_CheckExact, PyContextVar_Set(variable, Py_None))         \
    X(PyContextVar_CheckExact, Py_NewRef(variable))                           \
    X(PyDict_Check, PyDict_New())                                             \
    X(PyDict_CheckExact, PyDict_New())                                        \
    X(PyDictItems_Check, PyObject_CallMethod(dict, "items", NULL))            \
    X(PyDictKeys_Check, PyObject_CallMethod(dict, "keys", NULL))              \
    X(PyDictProxy_Check, PyDictProxy_New(dict))                               \
    X(PyDictValues_Check, PyObject_CallMethod(dict, "values", NULL))          \
    X(PyDictViewSet_Check, PyObject_CallMethod(dict, "keys", NULL))           \
    X(PyExceptionClass_Check, Py_NewRef(PyExc_KeyError))                      \
    X(PyExceptionInstance_Check, PyObject_CallNoArgs(PyExc_KeyError))         \
    X(PyFloat_Check, PyFloat_FromDouble(1))                                   \
    X(PyFloat_CheckExact, PyFloat_FromDouble(1))                              \
    X(PyFrozenSet_Check, PyFrozenSet_New(NULL))                               \
    X(PyFrozenSet_CheckExact, PyFrozenSet_New(NULL))                          \
    X(PyList_Check, PyList_New(0))                                            \
    X(PyList_CheckExact, PyList_New(0))                                       \
    X(PyLong_Check, PyLong_FromLong(1))                                       \
    X(PyLong_CheckExact, PyLong_FromLong(1))                                  \
    X(PyMethod_Check, PyMethod_New(function, Py_None))                        \
    X(PyModule_Check, PyModule_New("m"))                                      \
    X(PyModule_CheckExact, PyModule_New("m"))                                 \
    X(PyPickleBuffer_Check, PyPickleBuffer_FromObject(bytes))                 \
    X(PyRange_Check,                                                          \
      PyObject_CallFunction((PyObject *)&PyRange_Type, "i", 3))               \
    X(PySentinel_Check, PySentinel_New("S", "m"))                             \
    X(PySentinel_CheckExact, PySentinel_New("S", "m"))                        \
    X(PySeqIter_Check, PySeqIter_New(list))                                   \
    X(PySet_Check, PySet_New(NULL))                                           \
    X(PySet_CheckExact, PySet_New(NULL))                                      \
    X(PySlice_Check, PySlice_New(NULL, NULL, NULL))                           \
    X(PyTuple_Check, PyTuple_New(0))                                          \
    X(PyTuple_CheckExact, PyTuple_New(0))                                     \
    X(PyType_Check, Py_NewRef(&node_type))                                    \
    X(PyType_CheckExact, Py_NewRef(&node_type))                               \
    X(PyUnicode_Check, PyUnicode_FromString("a"))                             \
    X(PyUnicode_CheckExact, PyUnicode_FromString("a"))                        \
    X(PyWeakref_Check, PyWeakref_NewRef(object, NULL))                        \
    X(PyWeakref_CheckProxy, PyWeakref_NewProxy(object, NULL))                 \
    X(PyWeakref_CheckRef, PyWeakref_NewRef(object, NULL))                     \
    X(PyWeakref_CheckRefExact, PyWeakref_NewRef(object, NULL))

#define FUNCTION(NAME, MAKE)                                                  \
    static int is_##NAME(PyObject *op)                                        \
    {                                                                         \
        return NAME(op);                                                      \
    }
CHECKS(FUNCTION)

static struct {
    int (*is)(PyObject *);
    PyObject *op;
    const char *name;
} kinds[80];
static int nkinds;

static void
make_kind(const char *name, int (*is)(PyObject *), PyObject *op)
{
    ck_assert_msg(op != NULL, "%s: nothing to ask of", name);
    kinds[nkinds].name = name;
    kinds[nkinds].is = is;
    kinds[nkinds++].op = op;
}

static void
ask_for_kinds(struct node *self, visitproc Py_UNUSED(visit),
              void *Py_UNUSED(arg))
{
    for (int i = 0; i < nkinds; i++) {
        ck_assert_msg(kinds[i].is(kinds[i].op), "%s denies", kinds[i].name);
        ck_assert_msg(!kinds[i].is(Py_None), "%s(None)", kinds[i].name);
        ck_assert_msg(!kinds[i].is((PyObject *)self), "%s(node)",
                      kinds[i].name);
    }
}

START_TEST(type_checks_are_safe)
{
    begin();
    function = PyCFunction_New(&function_def, NULL);
    list = PyList_New(0);
    dict = PyDict_New();
    bytes = PyBytes_FromString("a");
    variable = PyContextVar_New("v", NULL);
    PyObject *type = suite_class("s(){}", "C");
    object = PyObject_CallNoArgs(type);
#define KIND(NAME, MAKE) make_kind(#NAME, is_##NAME, MAKE);
    CHECKS(KIND)
    ask(ask_for_kinds);
    for (int i = 0; i < nkinds; i++)
        Py_DECREF(kinds[i].op);
    suite_drop(object, type, dict, list, function, bytes, variable);
}
