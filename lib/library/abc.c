/* abc.c: the module abc: a metaclass for classes that others are subclasses
   of because they were registered, or because they have the methods.

   The metaclass notes which methods are abstract, and object.__new__ refuses
   to make instances of a class that has some.

   Manual: Python's library, "abc"; PEP 3119. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "library/library.h"
#include "object/error/errors.h"
#include "object/type/subclasses.h"

/* The list of weak references to registered classes, in the class's
   dictionary. */
static const char registry_name[] = "_abc_registry";

/* The class's own list; 1 with a new reference, 0 and NULL, or -1. */
static int
get_registry(PyObject *cls, PyObject **list)
{
    int found = PyDict_GetItemStringRef(((PyTypeObject *)cls)->tp_dict,
                                        registry_name, list);

    if (found > 0 && !PyList_Check(*list)) {
        Py_CLEAR(*list);
        return 0;
    }
    return found;
}

/* ------------------------------------------------------------------ */
/* issubclass                                                          */

/* What __subclasshook__ answers: 1, 0, -1 with an exception, or UNDECIDED. */
enum { UNDECIDED = 2 };

static int
ask_hook(PyObject *cls, PyObject *sub)
{
    PyObject *answer = PyObject_CallMethod(cls, "__subclasshook__", "O", sub);
    int result = UNDECIDED;

    if (answer == Py_True || answer == Py_False)
        result = answer == Py_True;
    else if (answer == NULL)
        result = -1;
    else if (answer != Py_NotImplemented)
        result = pyb_fail(PyExc_AssertionError,
                          "__subclasshook__ must return either False, True, "
                          "or NotImplemented");
    Py_XDECREF(answer);
    return result;
}

/* Is sub a subclass of a registered class?  The list may change meanwhile. */
static int
is_registered(PyObject *cls, PyObject *sub)
{
    PyObject *list, *registered;
    int found = get_registry(cls, &list);

    if (found <= 0)
        return found;
    found = 0;
    for (Py_ssize_t i = 0; found == 0 && i < PyList_GET_SIZE(list); i++) {
        found = PyWeakref_GetRef(PyList_GET_ITEM(list, i), &registered);
        if (found > 0) {
            found = PyObject_IsSubclass(sub, registered);
            Py_DECREF(registered);
        }
    }
    Py_DECREF(list);
    return found;
}

static int
is_below_subclass(PyObject *cls, PyObject *sub)
{
    PyObject *list = PyObject_CallMethod(cls, "__subclasses__", NULL);
    int found = list != NULL && PyList_Check(list) ? 0 : -1;

    for (Py_ssize_t i = 0; found == 0 && i < PyList_GET_SIZE(list); i++)
        found = PyObject_IsSubclass(sub, PyList_GET_ITEM(list, i));
    Py_XDECREF(list);
    return found;
}

static int
is_subclass(PyObject *cls, PyObject *sub)
{
    PYB_ASSERT_OBJECT(PyType_Check(cls), cls);
    if (!PyType_Check(sub))
        return pyb_fail(PyExc_TypeError, "issubclass() arg 1 must be a class");
    int result = ask_hook(cls, sub);
    if (result != UNDECIDED)
        return result;
    if (PyType_IsSubtype((PyTypeObject *)sub, (PyTypeObject *)cls))
        return 1;
    result = is_registered(cls, sub);
    return result != 0 ? result : is_below_subclass(cls, sub);
}

static PyObject *
subclasscheck(PyObject *cls, PyObject *sub)
{
    return pyb_result_bool(is_subclass(cls, sub));
}

/* By what it claims as its class, or by its type. */
static PyObject *
instancecheck(PyObject *cls, PyObject *op)
{
    PyObject *claimed = PyObject_GetAttrString(op, "__class__");
    PyObject *type = (PyObject *)Py_TYPE(op);

    if (claimed == NULL)
        return NULL;
    int result = PyObject_IsSubclass(claimed, cls);
    if (result == 0 && claimed != type)
        result = PyObject_IsSubclass(type, cls);
    Py_DECREF(claimed);
    return pyb_result_bool(result);
}

/* ------------------------------------------------------------------ */
/* Sequences and mappings                                              */

#define COLLECTION (Py_TPFLAGS_SEQUENCE | Py_TPFLAGS_MAPPING)

/* Gives a class and its subclasses the flag, which arg points to, but not
   static types. */
static void
set_collection_flag(PyTypeObject *type, void *arg)
{
    unsigned long flag = *(const unsigned long *)arg;

    PYB_ASSERT(flag != 0 && (flag & ~COLLECTION) == 0);
    if (PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE) ||
        (type->tp_flags & COLLECTION) == flag)
        return;
    type->tp_flags = (type->tp_flags & ~COLLECTION) | flag;
    pyb_subclasses_each(type, set_collection_flag, arg);
}

/* A class with this name in its dictionary, which goes, has these flags.  0,
   or -1 with an exception. */
static int
take_flags(PyTypeObject *type)
{
    static const char name[] = "__abc_tpflags__";
    PyObject *value;
    int found = PyDict_GetItemStringRef(type->tp_dict, name, &value);

    if (found <= 0)
        return found;
    long flags = PyLong_CheckExact(value) ? PyLong_AsLong(value) : 0;
    Py_DECREF(value);
    flags &= COLLECTION;
    if (PyErr_Occurred())
        return -1;
    if (flags == COLLECTION)
        return pyb_fail(PyExc_TypeError,
                        "__abc_tpflags__ cannot be both Py_TPFLAGS_SEQUENCE "
                        "and Py_TPFLAGS_MAPPING");
    if (PyDict_DelItemString(type->tp_dict, name) < 0)
        return -1;
    PyType_Modified(type);
    type->tp_flags |= (unsigned long)flags;
    return 0;
}

/* ------------------------------------------------------------------ */
/* register                                                            */

static int
add_to_registry(PyObject *cls, PyObject *sub)
{
    PyObject *list, *reference;
    int result = get_registry(cls, &list);

    if (result < 0)
        return -1;
    if (result == 0) {
        list = PyList_New(0);
        if (list == NULL ||
            PyObject_SetAttrString(cls, registry_name, list) < 0) {
            Py_XDECREF(list);
            return -1;
        }
    }
    reference = PyWeakref_NewRef(sub, NULL);
    result = reference != NULL ? PyList_Append(list, reference) : -1;
    Py_XDECREF(reference);
    Py_DECREF(list);
    return result;
}

/* How many classes were registered. */
static Py_ssize_t registrations;

static PyObject *
abc_register(PyObject *cls, PyObject *sub)
{
    if (!PyType_Check(sub))
        return pyb_raise(PyExc_TypeError, "Can only register classes");
    int result = PyObject_IsSubclass(sub, cls);
    if (result > 0)
        return Py_NewRef(sub);
    /* Or each would be a subclass of the other. */
    if (result == 0)
        result = PyObject_IsSubclass(cls, sub);
    if (result > 0)
        return pyb_raise(PyExc_RuntimeError,
                         "Refusing to create an inheritance cycle");
    if (result < 0 || add_to_registry(cls, sub) < 0)
        return NULL;
    registrations++;
    unsigned long flag = PyType_GetFlags((PyTypeObject *)cls) & COLLECTION;
    if (flag != 0)
        set_collection_flag((PyTypeObject *)sub, &flag);
    return Py_NewRef(sub);
}

static PyMethodDef meta_methods[] = {
    {"register", abc_register, METH_O,
     PyDoc_STR("register($cls, subclass, /)\n--\n\n"
               "Make a class a subclass for isinstance and issubclass.")},
    {"__instancecheck__", instancecheck, METH_O,
     PyDoc_STR("__instancecheck__($cls, instance, /)\n--\n\n"
               "isinstance(instance, cls)")},
    {"__subclasscheck__", subclasscheck, METH_O,
     PyDoc_STR("__subclasscheck__($cls, subclass, /)\n--\n\n"
               "issubclass(subclass, cls)")},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* Abstract methods                                                    */

/* Adds the name to the set if value is marked as abstract; value may be NULL.
   0, or -1 with an exception. */
static int
add_abstract(PyObject *names, PyObject *name, PyObject *value)
{
    PyObject *mark = NULL;
    int result = 0;

    if (value != NULL)
        result = PyObject_GetOptionalAttrString(value, "__isabstractmethod__",
                                                &mark);
    if (result > 0)
        result = PyObject_IsTrue(mark);
    if (result > 0)
        result = PySet_Add(names, name);
    Py_XDECREF(mark);
    return result;
}

/* Those that the class defines. */
static int
add_own(PyObject *names, PyObject *cls)
{
    PyObject *items = PyDict_Items(((PyTypeObject *)cls)->tp_dict);
    int result = items != NULL ? 0 : -1;

    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i);
        result = add_abstract(names, PyTuple_GET_ITEM(item, 0),
                              PyTuple_GET_ITEM(item, 1));
    }
    Py_XDECREF(items);
    return result;
}

/* Of the names those that are still abstract in the class. */
static int
add_each(PyObject *names, PyObject *cls, PyObject *inherited)
{
    PyObject *list = PySequence_List(inherited), *value;
    int result = list != NULL ? 0 : -1;

    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(list); i++) {
        PyObject *name = PyList_GET_ITEM(list, i);
        if (PyObject_GetOptionalAttr(cls, name, &value) < 0)
            result = -1;
        else
            result = add_abstract(names, name, value);
        Py_XDECREF(value);
    }
    Py_XDECREF(list);
    return result;
}

static int
add_inherited(PyObject *names, PyObject *cls)
{
    PyObject *bases = ((PyTypeObject *)cls)->tp_bases, *inherited;
    int result = 0;

    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(bases); i++) {
        result = PyObject_GetOptionalAttrString(
            PyTuple_GET_ITEM(bases, i), "__abstractmethods__", &inherited);
        if (result > 0)
            result = add_each(names, cls, inherited);
        Py_XDECREF(inherited);
    }
    return result;
}

/* Sets __abstractmethods__.  0, or -1 with an exception. */
static int
note_abstract(PyObject *cls)
{
    PyObject *names = PySet_New(NULL), *frozen = NULL;
    int result = -1;

    if (names != NULL && add_own(names, cls) == 0 &&
        add_inherited(names, cls) == 0)
        frozen = PyFrozenSet_New(names);
    if (frozen != NULL)
        result = PyObject_SetAttrString(cls, "__abstractmethods__", frozen);
    Py_XDECREF(names);
    Py_XDECREF(frozen);
    return result;
}

static PyObject *
meta_new(PyTypeObject *meta, PyObject *args, PyObject *kwds)
{
    PyObject *cls = PyType_Type.tp_new(meta, args, kwds);

    /* The __new__ of another metaclass may have made something else. */
    if (cls != NULL && PyType_Check(cls) &&
        (note_abstract(cls) < 0 || take_flags((PyTypeObject *)cls) < 0))
        Py_CLEAR(cls);
    return cls;
}

/* ------------------------------------------------------------------ */
/* ABCMeta                                                             */

/* A class owns its metaclass, which is a heap type here. */
static int
meta_traverse(PyObject *cls, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(cls));
    return PyType_Type.tp_traverse(cls, visit, arg);
}

static int
meta_clear(PyObject *cls)
{
    return PyType_Type.tp_clear(cls);
}

static PyType_Slot meta_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("The metaclass of abstract base classes.")},
    {Py_tp_new, (void *)meta_new},
    {Py_tp_methods, meta_methods},
    {Py_tp_traverse, (void *)meta_traverse},
    {Py_tp_clear, (void *)meta_clear},
    {0, NULL},
};

static PyType_Spec meta_spec = {
    .name = "abc.ABCMeta",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = meta_slots,
};

/* ------------------------------------------------------------------ */
/* The module                                                          */

static PyObject *
abstractmethod(PyObject *Py_UNUSED(module), PyObject *function)
{
    if (PyObject_SetAttrString(function, "__isabstractmethod__", Py_True) < 0)
        return NULL;
    return Py_NewRef(function);
}

static PyObject *
get_cache_token(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(registrations);
}

PyMethodDef pyb_abc_methods[] = {
    {"abstractmethod", abstractmethod, METH_O,
     PyDoc_STR("abstractmethod($module, funcobj, /)\n--\n\n"
               "Mark a method as one that subclasses have to define.")},
    {"get_cache_token", get_cache_token, METH_NOARGS,
     PyDoc_STR("get_cache_token($module, /)\n--\n\n"
               "A number that changes when a class is registered.")},
    {NULL, NULL, 0, NULL},
};

int
pyb_abc_exec(PyObject *module)
{
    if (pyb_library_add_type(module, &meta_spec, (PyObject *)&PyType_Type) < 0)
        return -1;
    PyObject *meta = PyObject_GetAttrString(module, "ABCMeta");
    if (meta == NULL)
        return -1;
    PyObject *abc = PyObject_CallFunction(meta, "s(){s()ss}", "ABC",
                                          "__slots__", "__module__", "abc");
    Py_DECREF(meta);
    return PyModule_Add(module, "ABC", abc);
}
