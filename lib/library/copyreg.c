/* copyreg.c: the module copyreg, which __reduce__ methods refer to: how
   instances are made anew, and the table of functions for types that have no
   such method.  The extension codes are in extensioncodes.c.

   Manual: Python's library, "copyreg". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"
#include "object/slot/slotdefs.h"

/* ------------------------------------------------------------------ */
/* Making instances                                                    */

static PyObject *
newobj(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);

    if (n < 1)
        return pyb_raise(PyExc_TypeError, "__newobj__() missing 1 required "
                                          "positional argument: 'cls'");
    PyObject *rest = PyTuple_GetSlice(args, 1, n);
    if (rest == NULL)
        return NULL;
    PyObject *cls = PyTuple_GET_ITEM(args, 0);
    PyObject *result = pyb_slot_call_new(cls, cls, rest, NULL);
    Py_DECREF(rest);
    return result;
}

static PyObject *
newobj_ex(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *cls, *given, *kwds;

    if (!PyArg_ParseTuple(args, "OO!O!:__newobj_ex__", &cls, &PyTuple_Type,
                          &given, &PyDict_Type, &kwds))
        return NULL;
    return pyb_slot_call_new(cls, cls, given, kwds);
}

/* Calls base.__init__(op, state) unless that is object's. */
static int
initialise(PyObject *base, PyObject *op, PyObject *state)
{
    PyObject *method = PyObject_GetAttrString(base, "__init__");
    PyObject *usual =
        PyObject_GetAttrString((PyObject *)&PyBaseObject_Type, "__init__");
    int result = -1;

    if (method != NULL && usual != NULL)
        result = PyObject_RichCompareBool(method, usual, Py_NE);
    if (result > 0) {
        PyObject *done = PyObject_CallFunctionObjArgs(method, op, state, NULL);
        result = done != NULL ? 0 : -1;
        Py_XDECREF(done);
    }
    Py_XDECREF(method);
    Py_XDECREF(usual);
    return result;
}

static PyObject *
reconstructor(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *cls, *base, *state;

    if (!PyArg_ParseTuple(args, "OOO:_reconstructor", &cls, &base, &state))
        return NULL;
    int plain = base == (PyObject *)&PyBaseObject_Type;
    PyObject *rest = plain ? PyTuple_New(0) : PyTuple_Pack(1, state);
    if (rest == NULL)
        return NULL;
    PyObject *op = pyb_slot_call_new(base, cls, rest, NULL);
    Py_DECREF(rest);
    if (op != NULL && !plain && initialise(base, op, state) < 0)
        Py_CLEAR(op);
    return op;
}

/* ------------------------------------------------------------------ */
/* Protocols 0 and 1                                                   */

/* Is the class's __new__ a built-in function of its own? */
static int
has_builtin_new(PyObject *cls)
{
    PyObject *method = PyObject_GetAttrString(cls, "__new__");
    int result = -1;

    if (method != NULL)
        result =
            PyCFunction_Check(method) && PyCFunction_GET_SELF(method) == cls;
    Py_XDECREF(method);
    return result;
}

/* The first class in the mro that no class statement made: what an instance is
   without the attributes of the others.  A new reference. */
static PyObject *
find_builtin_base(PyObject *cls)
{
    PyObject *mro = PyObject_GetAttrString(cls, "__mro__"), *base = NULL;
    int found = mro != NULL ? 0 : -1;

    if (mro != NULL && !PyTuple_Check(mro)) {
        pyb_errors_type("__mro__ must be a tuple, not '%.200s'", mro);
        found = -1;
    }
    for (Py_ssize_t i = 0; found == 0 && i < PyTuple_GET_SIZE(mro); i++) {
        base = PyTuple_GET_ITEM(mro, i);
        found = PyType_Check(base) && !PyType_HasFeature((PyTypeObject *)base,
                                                         Py_TPFLAGS_HEAPTYPE)
                    ? 1
                    : has_builtin_new(base);
    }
    base = found > 0 ? Py_NewRef(base) : NULL;
    Py_XDECREF(mro);
    return found == 0 ? Py_NewRef(&PyBaseObject_Type) : base;
}

/* Is it an instance with slots, and with the __getstate__ of object, which
   does not do for these protocols?  0, or -1 with TypeError. */
static int
check_slots(PyObject *op)
{
    PyObject *of_type = NULL, *of_object = NULL, *slots = NULL;
    int result = PyObject_GetOptionalAttrString(op, "__slots__", &slots);

    if (result > 0)
        result = PyObject_IsTrue(slots);
    if (result > 0) {
        of_type =
            PyObject_GetAttrString((PyObject *)Py_TYPE(op), "__getstate__");
        of_object = PyObject_GetAttrString((PyObject *)&PyBaseObject_Type,
                                           "__getstate__");
        result =
            of_type == NULL || of_object == NULL ? -1 : of_type == of_object;
    }
    if (result > 0)
        PyErr_SetString(PyExc_TypeError,
                        "a class that defines __slots__ without defining "
                        "__getstate__ cannot be pickled");
    Py_XDECREF(slots);
    Py_XDECREF(of_type);
    Py_XDECREF(of_object);
    return result == 0 ? 0 : -1;
}

/* base(op), or None if base is object. */
static PyObject *
get_part(PyObject *op, PyObject *cls, PyObject *base)
{
    if (base == (PyObject *)&PyBaseObject_Type)
        Py_RETURN_NONE;
    if (base != cls)
        return PyObject_CallOneArg(base, op);
    PyObject *name = PyObject_GetAttrString(cls, "__name__");
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "cannot pickle %R object", name);
    Py_XDECREF(name);
    return NULL;
}

/* (copyreg._reconstructor, args), and the state if it is true.  args is
   stolen. */
static PyObject *
with_state(PyObject *module, PyObject *op, PyObject *args)
{
    PyObject *maker = PyObject_GetAttrString(module, "_reconstructor");
    PyObject *state = NULL, *result = NULL;

    if (maker != NULL && args != NULL && check_slots(op) == 0)
        state = PyObject_CallMethod(op, "__getstate__", NULL);
    int truth = state != NULL ? PyObject_IsTrue(state) : -1;
    if (truth >= 0)
        result = truth ? PyTuple_Pack(3, maker, args, state)
                       : PyTuple_Pack(2, maker, args);
    Py_XDECREF(maker);
    Py_XDECREF(args);
    Py_XDECREF(state);
    return result;
}

static PyObject *
reduce_ex(PyObject *module, PyObject *args)
{
    PyObject *op, *base = NULL, *part = NULL, *result = NULL;
    int protocol;

    if (!PyArg_ParseTuple(args, "Oi:_reduce_ex", &op, &protocol))
        return NULL;
    if (protocol >= 2)
        return pyb_raise(PyExc_AssertionError, "");
    PyObject *cls = PyObject_GetAttrString(op, "__class__");
    if (cls != NULL)
        base = find_builtin_base(cls);
    if (base != NULL)
        part = get_part(op, cls, base);
    if (part != NULL)
        result = with_state(module, op, PyTuple_Pack(3, cls, base, part));
    Py_XDECREF(cls);
    Py_XDECREF(base);
    Py_XDECREF(part);
    return result;
}

/* ------------------------------------------------------------------ */
/* The table                                                           */

/* Is it None or callable?  0, or -1 with TypeError. */
static int
check_constructor(PyObject *op)
{
    if (PyCallable_Check(op))
        return 0;
    return pyb_fail(PyExc_TypeError, "constructors must be callable");
}

static PyObject *
constructor(PyObject *Py_UNUSED(module), PyObject *op)
{
    return pyb_result_none(check_constructor(op));
}

static PyObject *
pickle(PyObject *module, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"ob_type", "pickle_function", "constructor_ob",
                            NULL};
    PyObject *type, *function, *maker = Py_None;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO|O:pickle", names, &type,
                                     &function, &maker))
        return NULL;
    if (!PyCallable_Check(function))
        return pyb_raise(PyExc_TypeError,
                         "reduction functions must be callable");
    PyObject *table = PyObject_GetAttrString(module, "dispatch_table");
    if (table == NULL)
        return NULL;
    int result = PyObject_SetItem(table, type, function);
    Py_DECREF(table);
    if (result < 0 || (maker != Py_None && check_constructor(maker) < 0))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *
pickle_complex(PyObject *Py_UNUSED(module), PyObject *op)
{
    Py_complex value = PyComplex_AsCComplex(op);

    if (value.real == -1.0 && PyErr_Occurred())
        return NULL;
    return Py_BuildValue("O(dd)", &PyComplex_Type, value.real, value.imag);
}

/* ------------------------------------------------------------------ */
/* Names of slots                                                      */

/* Appends the name as it is mangled for the class, unless instances have
   something else under it. */
static int
append_slot(PyObject *names, PyTypeObject *type, PyObject *name)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(name, &size);

    if (text == NULL)
        return -1;
    if (strcmp(text, "__dict__") == 0 || strcmp(text, "__weakref__") == 0)
        return 0;
    if (strncmp(text, "__", 2) != 0 || strcmp(text + size - 2, "__") == 0)
        return PyList_Append(names, name);
    PyObject *of_type = PyType_GetName(type);
    const char *owner = of_type != NULL ? PyUnicode_AsUTF8(of_type) : NULL;
    PyObject *mangled = NULL;
    if (owner != NULL) {
        owner += strspn(owner, "_");
        mangled = *owner != '\0' ? PyUnicode_FromFormat("_%s%s", owner, text)
                                 : Py_NewRef(name);
    }
    int result = mangled != NULL ? PyList_Append(names, mangled) : -1;
    Py_XDECREF(of_type);
    Py_XDECREF(mangled);
    return result;
}

/* Appends the names of one class. */
static int
append_slots(PyObject *names, PyTypeObject *type)
{
    PyObject *slots;
    int found = PyDict_GetItemStringRef(type->tp_dict, "__slots__", &slots);

    if (found <= 0)
        return found;
    PyObject *all = PyUnicode_Check(slots) ? PyTuple_Pack(1, slots)
                                           : PySequence_Tuple(slots);
    Py_DECREF(slots);
    int result = all != NULL ? 0 : -1;
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(all); i++)
        result = append_slot(names, type, PyTuple_GET_ITEM(all, i));
    Py_XDECREF(all);
    return result;
}

/* The list is kept as the class's __slotnames__ for the next time. */
static PyObject *
slotnames(PyObject *Py_UNUSED(module), PyObject *cls)
{
    PyTypeObject *type = (PyTypeObject *)cls;
    PyObject *names;

    if (!PyType_Check(cls))
        return pyb_errors_type("_slotnames() argument must be a class, not "
                               "%.200s",
                               cls);
    if (PyDict_GetItemStringRef(type->tp_dict, "__slotnames__", &names) != 0)
        return names;
    names = PyList_New(0);
    for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(type->tp_mro);
         i++)
        if (append_slots(
                names, (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i)) < 0)
            Py_CLEAR(names);
    /* A type that cannot be changed does without. */
    if (names != NULL &&
        PyObject_SetAttrString(cls, "__slotnames__", names) < 0)
        PyErr_Clear();
    return names;
}

/* ------------------------------------------------------------------ */

PyMethodDef pyb_copyreg_methods[] = {
    {"__newobj__", newobj, METH_VARARGS,
     PyDoc_STR("__newobj__(cls, *args)\n\ncls.__new__(cls, *args)")},
    {"__newobj_ex__", newobj_ex, METH_VARARGS,
     PyDoc_STR("__newobj_ex__($module, cls, args, kwargs)\n--\n\n"
               "cls.__new__(cls, *args, **kwargs)")},
    {"_reconstructor", reconstructor, METH_VARARGS,
     PyDoc_STR("_reconstructor($module, cls, base, state)\n--\n\n"
               "An instance of cls whose part of base is made from state.")},
    {"_reduce_ex", reduce_ex, METH_VARARGS,
     PyDoc_STR("_reduce_ex($module, self, proto, /)\n--\n\n"
               "What object.__reduce_ex__ returns for protocols below 2.")},
    {"_slotnames", slotnames, METH_O,
     PyDoc_STR("_slotnames($module, cls, /)\n--\n\n"
               "The names in __slots__ of a class and its bases.")},
    {"constructor", constructor, METH_O,
     PyDoc_STR("constructor($module, object, /)\n--\n\n"
               "Check that the object can be called.")},
    {"pickle", _PyCFunction_CAST(pickle), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("pickle($module, ob_type, pickle_function, "
               "constructor_ob=None)\n--\n\n"
               "Enter a function for a type in dispatch_table.")},
    {"pickle_complex", pickle_complex, METH_O,
     PyDoc_STR("pickle_complex($module, c, /)\n--\n\n"
               "How a complex number is made anew.")},
    {NULL, NULL, 0, NULL},
};

static int
fill_table(PyObject *module)
{
    PyObject *table = PyObject_GetAttrString(module, "dispatch_table");
    PyObject *function = PyObject_GetAttrString(module, "pickle_complex");
    int result = -1;

    if (table != NULL && function != NULL)
        result = PyDict_SetItem(table, (PyObject *)&PyComplex_Type, function);
    Py_XDECREF(table);
    Py_XDECREF(function);
    return result;
}

int
pyb_copyreg_exec(PyObject *module)
{
    static const char *const dicts[] = {
        "dispatch_table", "_extension_registry", "_inverted_registry",
        "_extension_cache"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(dicts); i++)
        if (PyModule_Add(module, dicts[i], PyDict_New()) < 0)
            return -1;
    if (PyModule_AddFunctions(module, pyb_extensioncodes) < 0)
        return -1;
    return fill_table(module);
}
