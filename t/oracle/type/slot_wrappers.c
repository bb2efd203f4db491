/* slot_wrappers.c: the functions in the slots of types as attributes: their
   descriptors, the methods they become, calls, errors, cycles.
   Manual: "Type Object Structures", tp_methods and the table of special
   methods. */

#include "oracle.h"

static PyObject *
attribute(void *op, const char *name)
{
    return PyObject_GetAttrString((PyObject *)op, name);
}

/* Calls op.NAME with arguments as for Py_BuildValue, "()" and the like. */
static void
call(void *op, const char *name, const char *format, ...)
{
    va_list values;
    PyObject *method = attribute(op, name), *args, *value;

    va_start(values, format);
    args = need(Py_VaBuildValue(format, values));
    va_end(values);
    value = method != NULL ? PyObject_Call(method, args, NULL) : NULL;
    show(name, value);
    Py_XDECREF(method);
    Py_DECREF(args);
}

static PyObject *
number(long value)
{
    return need(PyLong_FromLong(value));
}

/* Which of the names does the type's own dictionary have? */
static void
own_names(PyTypeObject *type, ...)
{
    va_list names;
    const char *name;

    va_start(names, type);
    while ((name = va_arg(names, const char *)) != NULL)
        say("%s.%s: %d", type->tp_name, name,
            PyObject_HasAttrString((PyObject *)type, name));
    va_end(names);
}

static void
present(void)
{
    own_names(&PyLong_Type, "__add__", "__radd__", "__len__", "__index__",
              "__bool__", "__iadd__", "__call__", "__new__", NULL);
    own_names(&PyList_Type, "__len__", "__getitem__", "__iadd__", "__next__",
              "__contains__", "__delitem__", "__setitem__", "__init__", NULL);
    own_names(&PyDict_Type, "__len__", "__getitem__", "__or__", "__iter__",
              "__contains__", "__setitem__", "__add__", NULL);
    own_names(&PyTuple_Type, "__add__", "__mul__", "__rmul__", "__hash__",
              "__iter__", "__setitem__", NULL);
    own_names(&PyBytes_Type, "__mod__", "__getitem__", "__eq__", "__str__",
              "__getattribute__", "__setattr__", "__delattr__", NULL);
    own_names(&PyType_Type, "__call__", "__getattribute__", "__init__", NULL);
    own_names(&PyFloat_Type, "__truediv__", "__pow__", "__rpow__",
              "__floordiv__", "__divmod__", "__matmul__", "__neg__", NULL);
    own_names(&PyProperty_Type, "__get__", "__set__", "__delete__", NULL);
    show("list.__hash__", attribute(&PyList_Type, "__hash__"));
}

static void
descriptors(void)
{
    PyObject *add = need(attribute(&PyLong_Type, "__add__"));

    show_kept("int.__add__", add);
    say("its type %s", Py_TYPE(add)->tp_name);
    SHOW(attribute(add, "__name__"));
    SHOW(attribute(add, "__qualname__"));
    SHOW(attribute(add, "__objclass__"));
    SHOW(attribute(add, "__doc__"));
    SHOW(attribute(add, "__text_signature__"));
    SHOW(PyObject_CallFunction(add, "ii", 1, 2));
    SHOW(PyObject_CallFunction(add, "is", 1, "x"));
    SHOW(PyObject_CallFunction(add, "si", "x", 1));
    SHOW(PyObject_CallFunction(add, "i", 1));
    SHOW(PyObject_CallNoArgs(add));
    SHOW(PyObject_CallNoArgs((PyObject *)Py_TYPE(add)));
    Py_DECREF(add);
}

static void
methods(void)
{
    PyObject *three = number(3);
    PyObject *add = need(attribute(three, "__add__"));
    PyObject *again = need(attribute(three, "__add__"));
    PyObject *sub = need(attribute(three, "__sub__"));
    PyObject *kwargs = need(Py_BuildValue("{si}", "k", 1));
    PyObject *none = need(PyTuple_New(0));

    show_kept("(3).__add__", add);
    SHOW(attribute(add, "__self__"));
    SHOW(attribute(add, "__name__"));
    SHOW(attribute(add, "__qualname__"));
    SHOW(attribute(add, "__objclass__"));
    SHOW(attribute(add, "__doc__"));
    RESULT(PyObject_RichCompareBool(add, again, Py_EQ));
    RESULT(PyObject_RichCompareBool(add, sub, Py_EQ));
    RESULT(PyObject_RichCompareBool(add, sub, Py_NE));
    RESULT(PyObject_Hash(add) == PyObject_Hash(again));
    SHOW(PyObject_RichCompare(add, sub, Py_LT));
    SHOW(PyObject_Call(add, none, kwargs));
    SHOW(PyObject_Call(add, none, NULL));
    drop_all(three, add, again, sub, kwargs, none);
}

static void
numbers(void)
{
    PyObject *seven = number(7);

    call(seven, "__radd__", "(i)", 1);
    call(seven, "__rsub__", "(i)", 1);
    call(seven, "__neg__", "()");
    call(seven, "__bool__", "()");
    call(seven, "__pow__", "(i)", 2);
    call(seven, "__pow__", "(ii)", 2, 10);
    call(seven, "__rpow__", "(i)", 2);
    call(seven, "__pow__", "()");
    call(seven, "__divmod__", "(i)", 2);
    call(seven, "__lt__", "(i)", 9);
    call(seven, "__le__", "(i)", 9);
    call(seven, "__gt__", "(i)", 9);
    call(seven, "__ge__", "(i)", 9);
    call(seven, "__ne__", "(i)", 9);
    call(seven, "__gt__", "()");
    call(seven, "__eq__", "(s)", "x");
    call(seven, "__hash__", "()");
    call(seven, "__hash__", "(i)", 1);
    call(seven, "__index__", "()");
    call(seven, "__float__", "()");
    call(seven, "__repr__", "()");
    call(seven, "__str__", "()");
    Py_DECREF(seven);
}

static void
containers(void)
{
    PyObject *list = need(Py_BuildValue("[iii]", 1, 2, 3));
    PyObject *dict = need(Py_BuildValue("{si}", "a", 1));
    PyObject *tuple = need(Py_BuildValue("(ii)", 1, 2));

    call(list, "__len__", "()");
    call(list, "__getitem__", "(i)", -1);
    call(list, "__setitem__", "(is)", 0, "x");
    call(list, "__setitem__", "(i)", 0);
    call(list, "__delitem__", "(i)", 1);
    call(list, "__contains__", "(i)", 3);
    call(list, "__add__", "([i])", 4);
    call(list, "__mul__", "(i)", 2);
    call(list, "__rmul__", "(s)", "x");
    call(list, "__iadd__", "([i])", 5);
    show_kept("list", list);
    call(list, "__init__", "([i])", 9);
    show_kept("list", list);
    call(dict, "__getitem__", "(s)", "a");
    call(dict, "__getitem__", "(s)", "b");
    call(dict, "__setitem__", "(si)", "b", 2);
    call(dict, "__delitem__", "(s)", "zz");
    show_kept("dict", dict);
    call(tuple, "__getitem__", "(i)", 5);
    call(tuple, "__mul__", "(i)", 2);
    drop_all(list, dict, tuple);
}

static void
iterators(void)
{
    PyObject *tuple = need(Py_BuildValue("(i)", 1));
    PyObject *it = need(PyObject_CallMethod(tuple, "__iter__", NULL));

    call(it, "__next__", "()");
    call(it, "__next__", "()");
    drop_all(tuple, it);
}

static void
attributes(void)
{
    PyObject *type = call_type(&PyType_Type, "s(){}", "A");
    PyObject *op = need(PyObject_CallNoArgs(type));
    PyObject *set = need(attribute(&PyBaseObject_Type, "__setattr__"));
    PyObject *property =
        need(PyObject_CallNoArgs((PyObject *)&PyProperty_Type));

    call(op, "__setattr__", "(si)", "x", 1);
    call(op, "__getattribute__", "(s)", "x");
    call(op, "__delattr__", "(s)", "x");
    call(op, "__getattribute__", "(s)", "x");
    SHOW(PyObject_CallFunction(set, "Osi", type, "x", 1));
    call(property, "__get__", "(OO)", Py_None, type);
    call(property, "__get__", "(OO)", Py_None, Py_None);
    call(property, "__set__", "(Oi)", op, 1);
    call(property, "__delete__", "(O)", op);
    drop_all(type, op, set, property);
}

static void
new_instances(void)
{
    show("object.__new__",
         PyObject_CallMethod((PyObject *)&PyBaseObject_Type, "__new__", NULL));
    call(&PyLong_Type, "__new__", "(Os)", &PyLong_Type, "12");
    call(&PyLong_Type, "__new__", "(O)", &PyList_Type);
    call(&PyLong_Type, "__new__", "(i)", 1);
    call(&PyBaseObject_Type, "__new__", "(O)", &PyList_Type);
    call(&PyList_Type, "__new__", "(O)", &PyList_Type);
    call(&PyLong_Type, "__new__", "(O)", &PyBool_Type);
    call(&PyType_Type, "__call__", "(O)", &PyLong_Type);
}

/* A method-wrapper in a cycle with what it is a method of. */
static void
cycles(void)
{
    PyObject *type = call_type(&PyType_Type, "s(){}", "A");
    PyObject *op = need(PyObject_CallNoArgs(type));
    PyObject *list = need(PyList_New(0));

    PyObject *method = need(attribute(list, "__len__"));
    state("method-wrapper", method);
    visits("method-wrapper", method);
    RESULT(PyList_Append(list, method));
    drop_all(method, list);
    method = need(attribute(op, "__repr__"));
    RESULT(PyObject_SetAttrString(op, "method", method));
    drop_all(method, op);
    collect();
    Py_DECREF(type);
    collect();
}

void
oracle_program(void)
{
    present();
    descriptors();
    methods();
    numbers();
    containers();
    iterators();
    attributes();
    new_instances();
    cycles();
}
