/* check_call.c: calls: every calling convention of C functions, every way to
   call an object, bound methods, and callees that break their contract. */

#include <pyboehm.h>

#include "../support/suite.h"

/* ------------------------------------------------------------------ */
/* One function of each convention; all return what they were given.   */

static PyObject *
varargs(PyObject *self, PyObject *args)
{
    return Py_BuildValue("(OO)", self != NULL ? self : Py_None, args);
}

static PyObject *
keywords(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return Py_BuildValue("(OOO)", self != NULL ? self : Py_None, args,
                         kwargs != NULL ? kwargs : Py_None);
}

static PyObject *
fastcall(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t nargs)
{
    return PyTuple_FromArray(args, nargs);
}

/* The positional arguments, then the values of the keyword ones, then their
   names. */
static PyObject *
fastcall_keywords(PyObject *Py_UNUSED(self), PyObject *const *args,
                  Py_ssize_t nargs, PyObject *kwnames)
{
    Py_ssize_t all = nargs + (kwnames != NULL ? PyTuple_GET_SIZE(kwnames) : 0);

    return Py_BuildValue("(NO)", PyTuple_FromArray(args, all),
                         kwnames != NULL ? kwnames : Py_None);
}

static PyObject *
noargs(PyObject *self, PyObject *args)
{
    ck_assert_ptr_null(args);
    return Py_NewRef(self != NULL ? self : Py_None);
}

static PyObject *
one(PyObject *Py_UNUSED(self), PyObject *arg)
{
    return Py_NewRef(arg);
}

static PyObject *
method(PyObject *Py_UNUSED(self), PyTypeObject *cls,
       PyObject *const *Py_UNUSED(args), size_t nargs, PyObject *kwnames)
{
    return Py_BuildValue("(OnO)", cls, (Py_ssize_t)nargs,
                         kwnames != NULL ? kwnames : Py_None);
}

#define ANY(func) _PyCFunction_CAST(func)

static PyMethodDef varargs_def = {"f", varargs, METH_VARARGS, NULL};
static PyMethodDef keywords_def = {"f", ANY(keywords),
                                   METH_VARARGS | METH_KEYWORDS, NULL};
static PyMethodDef fastcall_def = {"f", ANY(fastcall), METH_FASTCALL, NULL};
static PyMethodDef fastcall_keywords_def = {
    "f", ANY(fastcall_keywords), METH_FASTCALL | METH_KEYWORDS, NULL};
static PyMethodDef noargs_def = {"f", noargs, METH_NOARGS,
                                 "f()\n--\n\nTakes nothing."};
static PyMethodDef one_def = {"f", one, METH_O, "f(x) -> x"};
static PyMethodDef method_def = {
    "f", ANY(method), METH_METHOD | METH_FASTCALL | METH_KEYWORDS, NULL};

static PyObject *
make(PyMethodDef *def)
{
    return suite_require(PyCFunction_New(def, NULL));
}

/* function(1, 2, x=3), by way of tuple and dictionary. */
static PyObject *
call_with_keywords(PyObject *function)
{
    PyObject *args = Py_BuildValue("(ii)", 1, 2);
    PyObject *kwargs = Py_BuildValue("{s:i}", "x", 3);
    PyObject *result = PyObject_Call(function, args, kwargs);

    suite_drop(args, kwargs);
    return result;
}

START_TEST(conventions_get_their_arguments)
{
    PyObject *f = make(&varargs_def);
    suite_new_repr(PyObject_CallFunction(f, "ii", 1, 2), "(None, (1, 2))");
    suite_new_repr(PyObject_CallNoArgs(f), "(None, ())");
    Py_DECREF(f);

    f = make(&keywords_def);
    suite_new_repr(PyObject_CallFunction(f, "i", 1), "(None, (1,), None)");
    suite_new_repr(call_with_keywords(f), "(None, (1, 2), {'x': 3})");
    Py_DECREF(f);

    f = make(&fastcall_def);
    suite_new_repr(PyObject_CallFunction(f, "ii", 1, 2), "(1, 2)");
    Py_DECREF(f);

    f = make(&fastcall_keywords_def);
    suite_new_repr(PyObject_CallFunction(f, "ii", 1, 2), "((1, 2), None)");
    suite_new_repr(call_with_keywords(f), "((1, 2, 3), ('x',))");
    Py_DECREF(f);

    f = make(&noargs_def);
    suite_new_repr(PyObject_CallNoArgs(f), "None");
    Py_DECREF(f);

    f = make(&one_def);
    suite_new_repr(PyObject_CallOneArg(f, Py_Ellipsis), "Ellipsis");
    Py_DECREF(f);
}

START_TEST(wrong_numbers_of_arguments_are_refused)
{
    PyObject *f = make(&noargs_def);
    suite_refused(PyObject_CallOneArg(f, Py_None), PyExc_TypeError,
                  "f() takes no arguments (1 given)");
    suite_refused(call_with_keywords(f), PyExc_TypeError,
                  "f() takes no keyword arguments");
    Py_DECREF(f);

    f = make(&one_def);
    suite_refused(PyObject_CallNoArgs(f), PyExc_TypeError,
                  "f() takes exactly one argument (0 given)");
    suite_refused(PyObject_CallFunction(f, "ii", 1, 2), PyExc_TypeError,
                  "f() takes exactly one argument (2 given)");
    Py_DECREF(f);

    f = make(&fastcall_def);
    suite_refused(call_with_keywords(f), PyExc_TypeError,
                  "f() takes no keyword arguments");
    Py_DECREF(f);

    f = make(&varargs_def);
    suite_refused(call_with_keywords(f), PyExc_TypeError,
                  "f() takes no keyword arguments");
    Py_DECREF(f);
}

START_TEST(errors_name_the_module_but_not_with_varargs)
{
    PyObject *module = PyUnicode_FromString("mod");
    PyObject *f = PyCFunction_NewEx(&noargs_def, NULL, module);
    PyObject *g = PyCFunction_NewEx(&varargs_def, NULL, module);

    suite_refused(PyObject_CallOneArg(f, Py_None), PyExc_TypeError,
                  "mod.f() takes no arguments (1 given)");
    suite_refused(call_with_keywords(g), PyExc_TypeError,
                  "f() takes no keyword arguments");
    suite_drop(f, g, module);
}

/* ------------------------------------------------------------------ */
/* Methods of a type                                                   */

static PyMethodDef custom_methods[] = {
    {"name", noargs, METH_NOARGS, NULL},
    {"one", one, METH_O, NULL},
    {"many", varargs, METH_VARARGS, NULL},
    {"method", ANY(method), METH_METHOD | METH_FASTCALL | METH_KEYWORDS, NULL},
    {"stat", varargs, METH_VARARGS | METH_STATIC, NULL},
    {"cls", noargs, METH_NOARGS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot custom_slots[] = {
    {Py_tp_methods, custom_methods},
    {0, NULL},
};

static PyType_Spec custom_spec = {
    .name = "custom.Custom",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = custom_slots,
};

static PyObject *
make_custom(void)
{
    PyObject *type = suite_require(PyType_FromSpec(&custom_spec));
    PyObject *op = suite_require(PyObject_CallNoArgs(type));
    Py_DECREF(type);
    return op;
}

START_TEST(methods_are_named_with_their_type_in_errors)
{
    PyObject *op = make_custom();
    PyObject *arg = PyLong_FromLong(1);
    PyObject *name = PyUnicode_FromString("name");

    suite_refused(PyObject_CallMethodOneArg(op, name, arg), PyExc_TypeError,
                  "Custom.name() takes no arguments (1 given)");
    suite_refused(PyObject_CallMethod(op, "name", "i", 1), PyExc_TypeError,
                  "Custom.name() takes no arguments (1 given)");
    suite_refused(PyObject_CallMethod(op, "one", NULL), PyExc_TypeError,
                  "Custom.one() takes exactly one argument (0 given)");
    suite_drop(name, arg, op);
}

START_TEST(methods_get_self_class_or_nothing)
{
    PyObject *op = make_custom(), *result;
    PyObject *name = PyUnicode_FromString("name");

    result = PyObject_CallMethodNoArgs(op, name);
    ck_assert_ptr_eq(result, op);
    Py_SETREF(result, PyObject_CallMethod(op, "name", ""));
    ck_assert_ptr_eq(result, op);
    Py_SETREF(result, PyObject_CallMethod(op, "cls", NULL));
    ck_assert_ptr_eq(result, (PyObject *)Py_TYPE(op));
    Py_DECREF(result);
    suite_new_repr(PyObject_CallMethod(op, "stat", "i", 5), "(None, (5,))");
    suite_new_repr(PyObject_CallMethod(op, "method", "i", 5),
                   "(<class 'custom.Custom'>, 1, None)");
    suite_drop(name, op);
}

START_TEST(defining_class_is_not_the_class_of_self)
{
    PyObject *op = make_custom();
    PyObject *sub = suite_class("s(O){}", "Sub", Py_TYPE(op));
    PyObject *derived = PyObject_CallNoArgs(sub);

    suite_new_repr(PyObject_CallMethod(derived, "method", NULL),
                   "(<class 'custom.Custom'>, 0, None)");
    PyObject *bound = PyObject_GetAttrString(derived, "method");
    ck_assert(PyCMethod_CheckExact(bound));
    ck_assert_ptr_eq(PyCFunction_GET_CLASS(bound), Py_TYPE(op));
    ck_assert_ptr_eq(PyCFunction_GetSelf(bound), derived);
    suite_new_repr(PyObject_CallNoArgs(bound),
                   "(<class 'custom.Custom'>, 0, None)");
    suite_drop(bound, derived, sub, op);
}

/* ------------------------------------------------------------------ */
/* Function objects                                                    */

static void
assert_attribute(PyObject *op, const char *name, const char *repr)
{
    suite_new_repr(PyObject_GetAttrString(op, name), repr);
}

START_TEST(function_describes_itself)
{
    PyObject *module = PyUnicode_FromString("mod");
    PyObject *f = PyCFunction_NewEx(&noargs_def, NULL, module);
    PyObject *g = make(&one_def);

    assert_attribute(f, "__name__", "'f'");
    assert_attribute(f, "__qualname__", "'f'");
    assert_attribute(f, "__module__", "'mod'");
    assert_attribute(f, "__self__", "None");
    assert_attribute(f, "__doc__", "'Takes nothing.'");
    assert_attribute(f, "__text_signature__", "'()'");
    assert_attribute(g, "__doc__", "'f(x) -> x'");
    assert_attribute(g, "__text_signature__", "None");
    assert_attribute(g, "__module__", "None");
    suite_new_repr(Py_NewRef(f), "<built-in function f>");
    ck_assert_int_eq(PyCFunction_GetFlags(f), METH_NOARGS);
    ck_assert(PyCFunction_GetFunction(f) == noargs);
    ck_assert_ptr_null(PyCFunction_GetSelf(f));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_drop(f, g);
    ck_assert_int_eq(Py_REFCNT(module), 1);
    Py_DECREF(module);
}

START_TEST(bound_function_owns_and_names_its_self)
{
    PyObject *self = PyList_New(0);
    PyObject *f = PyCFunction_New(&noargs_def, self);
    PyObject *again = PyCFunction_New(&noargs_def, self);
    char text[100];

    ck_assert_int_eq(Py_REFCNT(self), 3);
    assert_attribute(f, "__qualname__", "'list.f'");
    snprintf(text, sizeof(text), "<built-in method f of list object at %p>",
             (void *)self);
    suite_new_repr(Py_NewRef(f), text);
    ck_assert_int_eq(PyObject_RichCompareBool(f, again, Py_EQ), 1);
    ck_assert_int_eq(PyObject_Hash(f), PyObject_Hash(again));
    Py_SETREF(again, PyCFunction_New(&noargs_def, Py_None));
    ck_assert_int_eq(PyObject_RichCompareBool(f, again, Py_EQ), 0);
    suite_drop(again, f);
    ck_assert_int_eq(Py_REFCNT(self), 1);
    Py_DECREF(self);
}

START_TEST(bad_definitions_of_functions_are_refused)
{
    PyMethodDef bad = {"bad", noargs, METH_KEYWORDS, NULL};

    suite_refused(PyCFunction_New(&bad, NULL), PyExc_SystemError,
                  "bad() method: bad call flags");
    suite_refused(
        PyCFunction_New(&method_def, NULL), PyExc_SystemError,
        "attempting to create PyCMethod with a METH_METHOD flag but no "
        "class");
    suite_refused(
        PyCMethod_New(&noargs_def, NULL, NULL, &PyLong_Type),
        PyExc_SystemError,
        "attempting to create PyCFunction with class but no METH_METHOD "
        "flag");
    suite_failed(PyCFunction_GetFlags(Py_None), PyExc_SystemError, NULL);
    suite_refused(PyCFunction_GetSelf(Py_None), PyExc_SystemError, NULL);
    suite_refused(PyObject_CallNoArgs((PyObject *)&PyCFunction_Type),
                  PyExc_TypeError,
                  "cannot create 'builtin_function_or_method' instances");
}

START_TEST(function_in_a_cycle_is_collected)
{
    PyObject *self = PyList_New(0);
    PyObject *f = PyCFunction_New(&noargs_def, self);

    PyGC_Collect();
    ck_assert_int_eq(PyList_Append(self, f), 0);
    suite_drop(f, self);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(functions_can_be_referred_to_weakly)
{
    PyObject *f = make(&noargs_def), *found;
    PyObject *ref = suite_require(PyWeakref_NewRef(f, NULL));
    ck_assert_int_eq(PyWeakref_GetRef(ref, &found), 1);
    suite_drop(found, f);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &found), 0);
    Py_DECREF(ref);
}

/* ------------------------------------------------------------------ */
/* Ways to call                                                        */

START_TEST(format_of_one_tuple_is_unpacked)
{
    PyObject *f = make(&varargs_def);
    PyObject *pair = Py_BuildValue("(ii)", 1, 2);

    suite_new_repr(PyObject_CallFunction(f, NULL), "(None, ())");
    suite_new_repr(PyObject_CallFunction(f, ""), "(None, ())");
    suite_new_repr(PyObject_CallFunction(f, " ,"), "(None, ())");
    suite_new_repr(PyObject_CallFunction(f, "i", 7), "(None, (7,))");
    suite_new_repr(PyObject_CallFunction(f, "O", pair), "(None, (1, 2))");
    suite_new_repr(PyObject_CallFunction(f, "(ii)", 3, 4), "(None, (3, 4))");
    suite_new_repr(PyObject_CallFunction(f, "(O)", pair), "(None, ((1, 2),))");
    suite_new_repr(PyObject_CallFunction(f, "Oi", pair, 3),
                   "(None, ((1, 2), 3))");
    suite_new_repr(PyObject_CallFunction(f, "[i]", 3), "(None, ([3],))");
    ck_assert_int_eq(Py_REFCNT(pair), 1);
    suite_drop(pair, f);
}

START_TEST(object_arguments_end_with_null)
{
    PyObject *f = make(&varargs_def), *e = Py_Ellipsis;
    PyObject *op = make_custom(), *name = PyUnicode_FromString("stat");

    suite_new_repr(PyObject_CallFunctionObjArgs(f, NULL), "(None, ())");
    suite_new_repr(PyObject_CallFunctionObjArgs(f, e, NULL),
                   "(None, (Ellipsis,))");
    suite_new_repr(
        PyObject_CallFunctionObjArgs(f, e, e, e, e, e, e, e, e, e, e, NULL),
        "(None, (Ellipsis, Ellipsis, Ellipsis, Ellipsis, Ellipsis, "
        "Ellipsis, Ellipsis, Ellipsis, Ellipsis, Ellipsis))");
    suite_new_repr(PyObject_CallMethodObjArgs(op, name, e, e, NULL),
                   "(None, (Ellipsis, Ellipsis))");
    Py_SETREF(name, PyUnicode_FromString("many"));
    PyObject *result = PyObject_CallMethodObjArgs(op, name, e, NULL);
    ck_assert_ptr_eq(PyTuple_GetItem(result, 0), op);
    suite_drop(result, name, op, f);
}

START_TEST(null_callables_are_refused)
{
    suite_refused(PyObject_CallFunction(NULL, "i", 1), PyExc_SystemError,
                  "null argument to internal routine");
    suite_refused(PyObject_CallFunctionObjArgs(NULL, NULL), PyExc_SystemError,
                  "null argument to internal routine");
    suite_refused(PyObject_CallMethod(NULL, "x", NULL), PyExc_SystemError,
                  "null argument to internal routine");
    suite_refused(PyObject_CallMethodObjArgs(NULL, NULL, NULL),
                  PyExc_SystemError, "null argument to internal routine");
    ck_assert_int_eq(PyCallable_Check(NULL), 0);
    ck_assert_int_eq(PyCallable_Check(Py_None), 0);
    ck_assert_int_eq(PyCallable_Check((PyObject *)&PyLong_Type), 1);
}

/* A function with METH_VARARGS gets the very tuple and dictionary of the call,
   as in CPython. */
START_TEST(varargs_are_the_callers_own)
{
    PyObject *args = Py_BuildValue("(i)", 1);
    PyObject *kwargs = Py_BuildValue("{i:i}", 1, 2);
    PyObject *plain = make(&varargs_def), *f = make(&keywords_def);

    PyObject *got = PyObject_CallObject(plain, args);
    ck_assert_ptr_eq(PyTuple_GetItem(got, 1), args);
    Py_SETREF(got, PyObject_Call(f, args, kwargs));
    ck_assert_ptr_eq(PyTuple_GetItem(got, 1), args);
    ck_assert_ptr_eq(PyTuple_GetItem(got, 2), kwargs);
    Py_DECREF(got);
    ck_assert_ptr_null(PyVectorcall_Function(plain));
    suite_drop(plain, f, args, kwargs);
}

START_TEST(objects_that_cannot_be_called_say_so)
{
    PyObject *empty = PyTuple_New(0), *dict = PyDict_New();
    PyObject *number = Py_BuildValue("{i:i}", 1, 2);
    PyObject *f = make(&keywords_def), *fast = make(&fastcall_keywords_def);

    suite_refused(PyObject_CallNoArgs(Py_None), PyExc_TypeError,
                  "'NoneType' object is not callable");
    suite_refused(PyObject_Call(Py_None, empty, NULL), PyExc_TypeError,
                  "'NoneType' object is not callable");
    suite_refused(PyObject_CallMethod(Py_None, "__doc__", NULL),
                  PyExc_TypeError, NULL);
    suite_refused(PyVectorcall_Call(Py_None, empty, NULL), PyExc_TypeError,
                  "'NoneType' object does not support vectorcall");
    suite_refused(PyObject_CallObject(f, Py_None), PyExc_TypeError,
                  "argument list must be a tuple");
    suite_refused(PyObject_Call(f, empty, Py_None), PyExc_TypeError,
                  "keyword list must be a dictionary");
    suite_refused(PyObject_Call(fast, empty, number), PyExc_TypeError,
                  "keywords must be strings");
    suite_drop(fast, f, number, dict, empty);
}

START_TEST(vectorcall_with_keywords_reaches_every_callable)
{
    PyObject *kwnames = Py_BuildValue("(s)", "x");
    PyObject *kwargs = Py_BuildValue("{s:O}", "x", Py_None);
    PyObject *args[] = {Py_Ellipsis, Py_None};
    PyObject *f = make(&fastcall_keywords_def);
    PyObject *wrapped = PyStaticMethod_New(f);
    const char *all = "((Ellipsis, None), ('x',))";

    ck_assert(PyVectorcall_Function(f) != NULL);
    ck_assert(PyVectorcall_Function(wrapped) == NULL);
    suite_new_repr(PyObject_Vectorcall(f, args, 1, kwnames), all);
    suite_new_repr(PyObject_Vectorcall(wrapped, args, 1, kwnames), all);
    suite_new_repr(PyObject_VectorcallDict(f, args, 1, kwargs), all);
    suite_new_repr(PyObject_VectorcallDict(wrapped, args, 1, kwargs), all);
    suite_new_repr(PyObject_VectorcallDict(f, args, 2, NULL),
                   "((Ellipsis, None), None)");
    suite_drop(wrapped, f);
    ck_assert_int_eq(Py_REFCNT(kwnames), 1);
    ck_assert_int_eq(Py_REFCNT(kwargs), 1);
    suite_drop(kwargs, kwnames);
}

START_TEST(vectorcall_method_takes_self_from_the_arguments)
{
    PyObject *op = make_custom();
    PyObject *name = PyUnicode_FromString("one");
    PyObject *args[] = {Py_None, op, Py_Ellipsis};

    ck_assert_int_eq(PyVectorcall_NARGS(2 | PY_VECTORCALL_ARGUMENTS_OFFSET),
                     2);
    suite_new_repr(
        PyObject_VectorcallMethod(name, args + 1,
                                  2 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL),
        "Ellipsis");
    suite_new_repr(PyObject_VectorcallMethod(name, args + 1, 2, NULL),
                   "Ellipsis");
    ck_assert_ptr_eq(args[0], Py_None);
    ck_assert_ptr_eq(args[1], op);
    Py_SETREF(name, PyUnicode_FromString("absent"));
    suite_refused(PyObject_VectorcallMethod(name, args + 1, 2, NULL),
                  PyExc_AttributeError,
                  "'custom.Custom' object has no attribute 'absent'");
    suite_drop(name, op);
}

/* ------------------------------------------------------------------ */
/* Bound methods                                                       */

START_TEST(bound_method_puts_self_first)
{
    PyObject *f = make(&fastcall_keywords_def), *self = PyList_New(0);
    PyObject *bound = PyMethod_New(f, self);
    PyObject *args[] = {Py_Ellipsis, Py_None, Py_None, Py_None,
                        Py_None,     Py_None, Py_None};

    ck_assert_int_eq(PyMethod_Check(bound), 1);
    ck_assert_ptr_eq(PyMethod_Function(bound), f);
    ck_assert_ptr_eq(PyMethod_Self(bound), self);
    suite_new_repr(PyObject_CallNoArgs(bound), "(([],), None)");
    suite_new_repr(PyObject_CallOneArg(bound, Py_None), "(([], None), None)");
    suite_new_repr(PyObject_Vectorcall(bound, args, 2, NULL),
                   "(([], Ellipsis, None), None)");
    suite_new_repr(
        PyObject_Vectorcall(bound, args, 7, NULL),
        "(([], Ellipsis, None, None, None, None, None, None), None)");
    suite_new_repr(call_with_keywords(bound), "(([], 1, 2, 3), ('x',))");
    ck_assert_ptr_eq(args[0], Py_Ellipsis);

    suite_new_repr(Py_NewRef(bound), "<bound method f of []>");
    assert_attribute(bound, "__name__", "'f'");
    assert_attribute(bound, "__self__", "[]");
    assert_attribute(bound, "__doc__", "None");
    PyObject *again = PyMethod_New(f, self);
    ck_assert_int_eq(PyObject_RichCompareBool(bound, again, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(bound, f, Py_EQ), 0);
    suite_drop(again, bound);
    ck_assert_int_eq(Py_REFCNT(f), 1);
    ck_assert_int_eq(Py_REFCNT(self), 1);
    suite_drop(f, self);
}

START_TEST(bound_method_needs_both_parts)
{
    PyObject *type = (PyObject *)&PyMethod_Type, *f = make(&noargs_def);

    suite_refused(PyMethod_New(f, NULL), PyExc_SystemError, NULL);
    suite_refused(PyMethod_Function(Py_None), PyExc_SystemError, NULL);
    suite_refused(PyMethod_Self(Py_None), PyExc_SystemError, NULL);
    suite_refused(PyObject_CallFunction(type, "OO", Py_None, f),
                  PyExc_TypeError, "first argument must be callable");
    suite_refused(PyObject_CallFunction(type, "OO", f, Py_None),
                  PyExc_TypeError, "instance must not be None");
    suite_refused(PyObject_CallFunction(type, "(O)", f), PyExc_TypeError,
                  "method expected 2 arguments, got 1");
    Py_DECREF(f);
}

/* ------------------------------------------------------------------ */
/* Contracts                                                           */

static PyObject *
fails_silently(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    return NULL;
}

static PyObject *
succeeds_with_error(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    PyErr_SetString(PyExc_ValueError, "left behind");
    return PyLong_FromLong(1);
}

START_TEST(broken_results_become_system_errors)
{
    static PyMethodDef silent = {"silent", fails_silently, METH_NOARGS, NULL};
    static PyMethodDef noisy = {"noisy", succeeds_with_error, METH_NOARGS,
                                NULL};
    PyObject *f = make(&silent);

    suite_refused(
        PyObject_CallNoArgs(f), PyExc_SystemError,
        "<built-in function silent> returned NULL without setting an "
        "exception");
    Py_DECREF(f);

    f = make(&noisy);
    ck_assert_ptr_null(PyObject_CallNoArgs(f));
    PyObject *error = PyErr_GetRaisedException();
    PyObject *cause = suite_require(PyException_GetCause(error));
    ck_assert_int_eq(PyErr_GivenExceptionMatches(cause, PyExc_ValueError), 1);
    Py_DECREF(cause);
    PyErr_SetRaisedException(error);
    suite_exception(PyExc_SystemError, "<built-in function noisy> returned a "
                                       "result with an exception set");
    Py_DECREF(f);
}

static PyObject *endless_self;

static PyObject *
endless(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    return PyObject_CallNoArgs(endless_self);
}

START_TEST(endless_recursion_is_an_error_each_time)
{
    static PyMethodDef def = {"endless", endless, METH_NOARGS, NULL};

    endless_self = make(&def);
    for (int i = 0; i < 3; i++)
        suite_refused(
            PyObject_CallNoArgs(endless_self), PyExc_RecursionError,
            "maximum recursion depth exceeded while calling a Python "
            "object");
    Py_DECREF(endless_self);
}

/* A callback of the collector: grows the dict arg. */
static void
grow(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
     void *arg)
{
    for (int i = 0; i < 50; i++) {
        char name[] = {'k', (char)('0' + i / 10), (char)('0' + i % 10), '\0'};
        ck_assert_int_eq(PyDict_SetItemString(arg, name, Py_None), 0);
    }
}

START_TEST(keyword_arguments_may_grow_in_a_collection)
{
    const int often[PyBoehm_GC_GENERATIONS] = {1, 10, 10};
    PyObject *f = make(&fastcall_keywords_def);
    PyObject *args = PyTuple_New(0), *kwargs = Py_BuildValue("{ss}", "a", "b");

    PyGC_Collect();
    ck_assert_int_eq(PyBoehm_GC_AddCallback(grow, kwargs), 0);
    PyBoehm_GC_SetThreshold(often);
    PyObject *one_new = PyList_New(0); /* the next one collects */
    PyObject *result = suite_require(PyObject_Call(f, args, kwargs));
    PyBoehm_GC_RemoveCallback(grow, kwargs);
    Py_ssize_t n = PyTuple_GET_SIZE(PyTuple_GET_ITEM(result, 1));
    ck_assert_int_eq(PyTuple_GET_SIZE(PyTuple_GET_ITEM(result, 0)), n);
    ck_assert_int_eq(n, 51);
    suite_drop(result, kwargs, args, f, one_new);
}
