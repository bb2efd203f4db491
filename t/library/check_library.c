/* check_library.c: the modules of lib/library: what belongs to this library
   alone; the rest is compared with CPython by t/oracle. */

#include "../support/suite.h"

static const char *const modules[] = {
    "abc",     "collections.abc", "copyreg", "functools",
    "inspect", "operator",        "types"};

START_TEST(modules_come_and_go)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(modules); i++) {
        PyObject *first = suite_require(PyImport_ImportModule(modules[i]));
        PyObject *again = suite_require(PyImport_ImportModule(modules[i]));

        ck_assert_ptr_eq(first, again);
        ck_assert_str_eq(PyModule_GetName(first), modules[i]);
        suite_drop(first, again);
    }
    PyDict_Clear(PyImport_GetModuleDict());
    ck_assert_int_gt(PyGC_Collect(), 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

static PyModuleDef own_operator = {PyModuleDef_HEAD_INIT, .m_name = "operator",
                                   .m_size = -1};

static PyObject *
make_own_operator(void)
{
    return PyModule_Create(&own_operator);
}

START_TEST(a_program_s_module_goes_before_the_library_s)
{
    ck_assert_int_eq(PyImport_AppendInittab("operator", make_own_operator), 0);
    PyObject *module = suite_require(PyImport_ImportModule("operator"));
    ck_assert(!PyObject_HasAttrString(module, "add"));
    ck_assert_ptr_eq(PyModule_GetDef(module), &own_operator);
    Py_DECREF(module);
}

/* The object that NAME(*args) of a module makes. */
static PyObject *
make(const char *module_name, const char *name, PyObject *args)
{
    PyObject *type =
        suite_require(PyImport_ImportModuleAttrString(module_name, name));
    PyObject *op = suite_require(PyObject_Call(type, args, NULL));

    suite_drop(type, args);
    return op;
}

START_TEST(a_partial_in_a_cycle_is_collected)
{
    PyObject *list = PyList_New(0);
    PyObject *op = make("functools", "partial",
                        Py_BuildValue("(OO)", &PyList_Type, list));

    ck_assert(PyObject_GC_IsTracked(op));
    ck_assert_int_eq(PyList_Append(list, op), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "self", op), 0);
    PyGC_Collect();
    suite_drop(op, list);
    /* The list, the partial, its tuple, its attributes; there are no keywords,
       and an empty dict is not tracked. */
    ck_assert_int_eq(PyGC_Collect(), 4);
}

/* A peer's tp_dealloc may do so, or a walk over all objects. */
START_TEST(a_partial_that_was_cleared_can_be_called)
{
    PyObject *op = make("functools", "partial",
                        Py_BuildValue("(OO)", &PyList_Type, Py_None));

    ck_assert_int_eq(Py_TYPE(op)->tp_clear(op), 0);
    suite_refused(PyObject_CallNoArgs(op), PyExc_TypeError,
                  "'NoneType' object is not callable");
    suite_repr(op, "functools.partial(None)");
    suite_drop(op);
}

START_TEST(getters_in_a_cycle_are_collected)
{
    static const struct {
        const char *name, *format;
        int found;
    } rows[] = {
        {"itemgetter", "(O)", 2},
        {"itemgetter", "(OO)", 3},
        {"methodcaller", "(sO)", 3},
    };

    PyGC_Collect();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rows); i++) {
        PyObject *list = PyList_New(0);
        PyObject *args = i == 2 ? Py_BuildValue(rows[i].format, "name", list)
                                : Py_BuildValue(rows[i].format, list, list);
        PyObject *op = make("operator", rows[i].name, args);
        ck_assert_int_eq(PyList_Append(list, op), 0);
        suite_drop(op, list);
        ck_assert_int_eq(PyGC_Collect(), rows[i].found);
    }
}

START_TEST(a_method_wrapper_in_a_cycle_is_collected)
{
    PyObject *list = PyList_New(0);
    PyObject *method = suite_require(PyObject_GetAttrString(list, "__len__"));

    ck_assert(PyObject_GC_IsTracked(method));
    ck_assert_int_eq(PyList_Append(list, method), 0);
    suite_drop(method, list);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

START_TEST(a_class_and_its_abc_are_collected)
{
    PyObject *meta =
        suite_require(PyImport_ImportModuleAttrString("abc", "ABCMeta"));
    PyObject *kind =
        suite_require(PyObject_CallFunction(meta, "s(){}", "Kind"));
    PyObject *type = suite_class("s(){}", "T");
    PyObject *done =
        suite_require(PyObject_CallMethod(kind, "register", "O", type));
    Py_ssize_t owners = Py_REFCNT(meta);

    ck_assert_ptr_eq(done, type);
    Py_DECREF(done);
    PyObject *watched = PyWeakref_NewRef(type, NULL);
    Py_DECREF(type);
    PyGC_Collect();
    ck_assert_ptr_eq(PyWeakref_GetObject(watched), Py_None);
    ck_assert_int_eq(PyObject_IsInstance(Py_None, kind), 0);
    Py_DECREF(kind);
    PyGC_Collect();
    ck_assert_int_eq(Py_REFCNT(meta), owners - 1);
    suite_drop(watched, meta);
}

START_TEST(print_writes_to_the_c_librarys_stdout)
{
    PyObject *print =
        suite_require(PyImport_ImportModuleAttrString("builtins", "print"));
    PyObject *done;
    char line[40] = "";

    FILE *saved = stdout;
    FILE *file = suite_require(tmpfile());
    stdout = file;
    done = PyObject_CallFunction(print, "si", "text", 7);
    stdout = saved;
    rewind(file);
    ck_assert_ptr_eq(done, Py_None);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, "text 7\n");
    fclose(file);
    suite_drop(done, print);
}

START_TEST(bad_wrappers_are_refused)
{
    PyObject *wrapper = suite_require(
        PyObject_GetAttrString((PyObject *)&PyLong_Type, "__add__"));

    suite_refused(PyWrapper_New(NULL, Py_None), PyExc_SystemError, NULL);
    suite_refused(PyWrapper_New(wrapper, NULL), PyExc_SystemError, NULL);
    suite_refused(PyWrapper_New(Py_None, Py_None), PyExc_SystemError, NULL);
    Py_DECREF(wrapper);
}

static PyObject *
wrap(PyObject *self, PyObject *args, void *wrapped)
{
    return Py_BuildValue("(OOi)", self, args, *(int *)wrapped);
}

START_TEST(a_wrapper_of_one_s_own_is_called)
{
    static int wrapped = 7;
    static struct wrapperbase base = {
        .name = "own", .wrapper = wrap, .doc = "own($self)\n--\n\nText."};
    PyObject *descr =
        suite_require(PyDescr_NewWrapper(&PyList_Type, &base, &wrapped));
    PyObject *list = PyList_New(0);
    PyObject *method = suite_require(PyWrapper_New(descr, list));
    PyObject *result = suite_require(PyObject_CallFunction(method, "i", 3));
    PyObject *expected = Py_BuildValue("(O(i)i)", list, 3, 7);

    ck_assert(Py_IS_TYPE(descr, &PyWrapperDescr_Type));
    ck_assert_int_eq(PyObject_RichCompareBool(result, expected, Py_EQ), 1);
    suite_drop(descr, list, method, result, expected);
}

/* Mapping(...) with one method more, __getitem__; "inner" is the dict behind
   it. */
static PyObject *
get_inner(PyObject *self, PyObject *key)
{
    PyObject *inner = suite_require(PyObject_GetAttrString(self, "inner"));
    PyObject *value = PyObject_GetItem(inner, key);

    Py_DECREF(inner);
    return value;
}

static PyMethodDef inner_getter = {"__getitem__", get_inner, METH_O, NULL};

START_TEST(an_abstract_class_gives_methods_and_is_not_called)
{
    PyObject *mapping = suite_require(
        PyImport_ImportModuleAttrString("collections.abc", "Mapping"));
    PyObject *meta = (PyObject *)Py_TYPE(mapping);
    PyObject *method = PyDescr_NewMethod(&PyBaseObject_Type, &inner_getter);
    PyObject *type = suite_require(
        PyObject_CallFunction(meta, "s(O){sOs{si}}", "M", mapping,
                              "__getitem__", method, "inner", "a", 1));

    suite_refused(PyObject_CallNoArgs(type), PyExc_TypeError,
                  "Can't instantiate abstract class M without an "
                  "implementation for abstract methods '__iter__', '__len__'");
    ck_assert_int_eq(
        PyObject_SetAttrString(type, "__abstractmethods__", Py_None), 0);
    PyObject *op = suite_require(PyObject_CallNoArgs(type));
    suite_new_int(PyObject_CallMethod(op, "get", "s", "a"), 1);
    suite_new_int(PyObject_CallMethod(op, "get", "si", "b", 2), 2);
    suite_refused(PyObject_CallMethod(op, "get", NULL), PyExc_TypeError, NULL);
    ck_assert_int_eq(PyObject_Size(op), 0); /* the abstract method */
    ck_assert_int_eq(PyObject_SetAttrString(op, "self", op), 0);
    suite_drop(op, type, method, mapping);
    ck_assert_int_gt(PyGC_Collect(), 1);
}
