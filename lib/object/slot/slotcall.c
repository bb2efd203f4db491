/* slotcall.c: special methods of classes, called as the functions of slots.

   The method is looked up in the type at each call, as an attribute of the
   instance would not be found. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/slot/slotdefs.h"

/* A special method of an object.  An unbound one gets the object as its first
   argument. */
struct method {
    PyObject *callable; /* owned */
    int unbound;
};

/* 1 with the method as the type has it; 0 if it has none; -1 with an
   exception. */
static int
find(PyObject *self, const char *name, struct method *method)
{
    PyObject *text = PyUnicode_InternFromString(name);

    if (text == NULL)
        return -1;
    method->callable = Py_XNewRef(_PyType_Lookup(Py_TYPE(self), text));
    Py_DECREF(text);
    method->unbound = 1;
    return method->callable != NULL;
}

/* The same with the method bound, or to be called as if it were. */
static int
look_up(PyObject *self, const char *name, struct method *method)
{
    int found = find(self, name, method);

    if (found <= 0)
        return found;
    PyTypeObject *type = Py_TYPE(method->callable);
    method->unbound = PyType_HasFeature(type, Py_TPFLAGS_METHOD_DESCRIPTOR);
    if (!method->unbound && type->tp_descr_get != NULL)
        Py_SETREF(method->callable,
                  type->tp_descr_get(method->callable, self,
                                     (PyObject *)Py_TYPE(self)));
    return method->callable != NULL ? 1 : -1;
}

enum { ARGS_MAX = 3 };

/* Calls the method with n arguments, and drops it. */
static PyObject *
finish_call(struct method *method, PyObject *self, PyObject *const *args,
            size_t n)
{
    PyObject *stack[1 + ARGS_MAX] = {self};

    PYB_ASSERT(n <= ARGS_MAX);
    for (size_t i = 0; i < n; i++)
        stack[1 + i] = args[i];
    PyObject *result =
        method->unbound
            ? PyObject_Vectorcall(method->callable, stack, 1 + n, NULL)
            : PyObject_Vectorcall(method->callable, stack + 1,
                                  n | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    Py_DECREF(method->callable);
    return result;
}

/* self.NAME(*args), or NULL; *found tells whether there is such a method. */
static PyObject *
call_if_there(PyObject *self, const char *name, PyObject *const *args,
              size_t n, int *found)
{
    struct method method;

    *found = look_up(self, name, &method);
    return *found > 0 ? finish_call(&method, self, args, n) : NULL;
}

/* self.NAME(*args). */
static PyObject *
call(PyObject *self, const char *name, PyObject *const *args, size_t n)
{
    int found;
    PyObject *result = call_if_there(self, name, args, n, &found);

    if (found == 0)
        PyErr_SetString(PyExc_AttributeError, name);
    return result;
}

#define CALL(self, name, ...)                                                 \
    call(self, name, (PyObject *[]){__VA_ARGS__},                             \
         sizeof((PyObject *[]){__VA_ARGS__}) / sizeof(PyObject *))

/* -1 for NULL, else 0; drops the result. */
static int
status_of(PyObject *result)
{
    Py_XDECREF(result);
    return result != NULL ? 0 : -1;
}

/* self.NAME(*args), or NotImplemented if there is no such method. */
static PyObject *
call_or_not(PyObject *self, const char *name, PyObject *const *args, size_t n)
{
    int found;
    PyObject *result = call_if_there(self, name, args, n, &found);

    return found == 0 ? Py_NewRef(Py_NotImplemented) : result;
}

/* ------------------------------------------------------------------ */
/* Operators                                                           */

#define UNARY(SLOT, NAME)                                                     \
    PyObject *pyb_slot_##SLOT(PyObject *self)                                 \
    {                                                                         \
        return call(self, NAME, NULL, 0);                                     \
    }
PYB_SLOT_UNARY(UNARY)

#define INPLACE(SLOT, NAME)                                                   \
    PyObject *pyb_slot_##SLOT(PyObject *self, PyObject *other)                \
    {                                                                         \
        return CALL(self, NAME, other);                                       \
    }
PYB_SLOT_INPLACE(INPLACE)

/* A binary operator: its slot, the names of its methods, and the function that
   classes have in the slot. */
struct binop {
    int slot;
    const char *name, *reflected;
    void *function;
};

static int
has_methods(PyObject *self, const struct binop *op)
{
    return PyType_GetSlot(Py_TYPE(self), op->slot) == op->function;
}

/* Has b's type another method than a's?  1, 0, or -1 with an exception. */
static int
is_overridden(PyObject *a, PyObject *b, const char *name)
{
    PyObject *of_a, *of_b;
    int result = -1;

    if (PyObject_GetOptionalAttrString((PyObject *)Py_TYPE(b), name, &of_b) <
        0)
        return -1;
    if (of_b == NULL)
        return 0;
    if (PyObject_GetOptionalAttrString((PyObject *)Py_TYPE(a), name, &of_a) >=
        0)
        result =
            of_a == NULL ? 1 : PyObject_RichCompareBool(of_a, of_b, Py_NE);
    Py_XDECREF(of_a);
    Py_DECREF(of_b);
    return result;
}

/* a's method is tried first, but for a reflected one of b that a subtype
   overrides. */
static PyObject *
binary(PyObject *a, PyObject *b, const struct binop *op)
{
    int reflect = !Py_IS_TYPE(a, Py_TYPE(b)) && has_methods(b, op);
    PyObject *result;

    if (has_methods(a, op)) {
        if (reflect && PyType_IsSubtype(Py_TYPE(b), Py_TYPE(a))) {
            int overridden = is_overridden(a, b, op->reflected);
            if (overridden < 0)
                return NULL;
            if (overridden) {
                result = call_or_not(b, op->reflected, &a, 1);
                if (result != Py_NotImplemented)
                    return result;
                reflect = 0;
            }
        }
        result = call_or_not(a, op->name, &b, 1);
        if (result != Py_NotImplemented || Py_IS_TYPE(a, Py_TYPE(b)))
            return result;
    }
    if (reflect)
        return call_or_not(b, op->reflected, &a, 1);
    Py_RETURN_NOTIMPLEMENTED;
}

#define BINARY(SLOT, NAME, REFLECTED)                                         \
    PyObject *pyb_slot_##SLOT(PyObject *a, PyObject *b)                       \
    {                                                                         \
        return binary(a, b,                                                   \
                      &(struct binop){Py_##SLOT, NAME, REFLECTED,             \
                                      (void *)pyb_slot_##SLOT});              \
    }
PYB_SLOT_BINARY(BINARY)

PyObject *
pyb_slot_nb_power(PyObject *self, PyObject *other, PyObject *modulus)
{
    const struct binop op = {Py_nb_power, "__pow__", "__rpow__",
                             (void *)pyb_slot_nb_power};

    if (modulus == Py_None)
        return binary(self, other, &op);
    /* With three arguments there is no reflected one. */
    if (has_methods(self, &op))
        return CALL(self, "__pow__", other, modulus);
    Py_RETURN_NOTIMPLEMENTED;
}

PyObject *
pyb_slot_nb_inplace_power(PyObject *self, PyObject *other,
                          PyObject *Py_UNUSED(modulus))
{
    return CALL(self, "__ipow__", other);
}

static const char *const comparisons[] = {"__lt__", "__le__", "__eq__",
                                          "__ne__", "__gt__", "__ge__"};

PyObject *
pyb_slot_tp_richcompare(PyObject *self, PyObject *other, int op)
{
    PYB_ASSERT(op >= Py_LT && op <= Py_GE);
    return call_or_not(self, comparisons[op], &other, 1);
}

/* ------------------------------------------------------------------ */
/* Numbers                                                             */

/* The value of what __len__ returned, which is stolen. */
static Py_ssize_t
as_length(PyObject *result)
{
    PyObject *index = result != NULL ? PyNumber_Index(result) : NULL;
    Py_ssize_t length = -1;

    Py_XDECREF(result);
    if (index == NULL)
        return -1;
    int sign = PyObject_RichCompareBool(index, Py_False, Py_LT);
    if (sign > 0)
        PyErr_SetString(PyExc_ValueError, "__len__() should return >= 0");
    else if (sign == 0)
        length = PyNumber_AsSsize_t(index, PyExc_OverflowError);
    Py_DECREF(index);
    return length;
}

Py_ssize_t
pyb_slot_length(PyObject *self)
{
    return as_length(call(self, "__len__", NULL, 0));
}

int
pyb_slot_nb_bool(PyObject *self)
{
    int found, truth = -1;
    PyObject *result = call_if_there(self, "__bool__", NULL, 0, &found);

    if (found == 0)
        return 1;
    if (result == NULL)
        return -1;
    if (PyBool_Check(result))
        truth = result == Py_True;
    else
        PyErr_Format(PyExc_TypeError,
                     "__bool__ should return bool, returned %s",
                     Py_TYPE(result)->tp_name);
    Py_DECREF(result);
    return truth;
}

Py_hash_t
pyb_slot_tp_hash(PyObject *self)
{
    struct method method;
    int found = look_up(self, "__hash__", &method);

    if (found > 0 && method.callable == Py_None) {
        Py_DECREF(method.callable);
        found = 0;
    }
    if (found == 0)
        return PyObject_HashNotImplemented(self);
    PyObject *result = found > 0 ? finish_call(&method, self, NULL, 0) : NULL;
    if (result == NULL)
        return -1;
    if (!PyLong_Check(result)) {
        Py_DECREF(result);
        return pyb_fail(PyExc_TypeError,
                        "__hash__ method should return an integer");
    }
    Py_hash_t hash = PyLong_AsSsize_t(result);
    if (hash == -1 && PyErr_Occurred()) { /* too large; so it is mixed */
        PyErr_Clear();
        hash = PyLong_Type.tp_hash(result);
    }
    Py_DECREF(result);
    return hash != -1 ? hash : -2;
}

/* ------------------------------------------------------------------ */
/* Items and keys                                                      */

PyObject *
pyb_slot_mp_subscript(PyObject *self, PyObject *key)
{
    return CALL(self, "__getitem__", key);
}

int
pyb_slot_mp_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    return status_of(value != NULL ? CALL(self, "__setitem__", key, value)
                                   : CALL(self, "__delitem__", key));
}

PyObject *
pyb_slot_sq_item(PyObject *self, Py_ssize_t i)
{
    PyObject *index = PyLong_FromSsize_t(i);
    if (index == NULL)
        return NULL;
    PyObject *item = pyb_slot_mp_subscript(self, index);
    Py_DECREF(index);
    return item;
}

int
pyb_slot_sq_ass_item(PyObject *self, Py_ssize_t i, PyObject *value)
{
    PyObject *index = PyLong_FromSsize_t(i);
    if (index == NULL)
        return -1;
    int result = pyb_slot_mp_ass_subscript(self, index, value);
    Py_DECREF(index);
    return result;
}

int
pyb_slot_sq_contains(PyObject *self, PyObject *item)
{
    struct method method;
    int found = look_up(self, "__contains__", &method);

    if (found > 0 && method.callable == Py_None) {
        Py_DECREF(method.callable);
        return pyb_failf(PyExc_TypeError, "'%.200s' object is not a container",
                         Py_TYPE(self)->tp_name);
    }
    if (found <= 0) {
        if (found == 0)
            PyErr_SetString(PyExc_AttributeError, "__contains__");
        return -1;
    }
    return pyb_truth_stolen(finish_call(&method, self, &item, 1));
}

PyObject *
pyb_slot_tp_iter(PyObject *self)
{
    struct method method;
    int found = look_up(self, "__iter__", &method);

    if (found > 0 && method.callable == Py_None) {
        Py_DECREF(method.callable);
        return PyErr_Format(PyExc_TypeError, "'%.200s' object is not iterable",
                            Py_TYPE(self)->tp_name);
    }
    if (found == 0)
        PyErr_SetString(PyExc_AttributeError, "__iter__");
    return found > 0 ? finish_call(&method, self, NULL, 0) : NULL;
}

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

PyObject *
pyb_slot_tp_getattro(PyObject *self, PyObject *name)
{
    PyObject *value = CALL(self, "__getattribute__", name);
    int found;

    if (value != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    PyObject *error = PyErr_GetRaisedException();
    value = call_if_there(self, "__getattr__", &name, 1, &found);
    if (found == 0)
        PyErr_SetRaisedException(error);
    else
        Py_DECREF(error);
    return value;
}

int
pyb_slot_tp_setattro(PyObject *self, PyObject *name, PyObject *value)
{
    return status_of(value != NULL ? CALL(self, "__setattr__", name, value)
                                   : CALL(self, "__delattr__", name));
}

/* As in CPython the method is called as the class has it, with self: to bind
   it would ask for a __get__ again. */
PyObject *
pyb_slot_tp_descr_get(PyObject *self, PyObject *op, PyObject *type)
{
    PyObject *args[] = {op != NULL ? op : Py_None,
                        type != NULL ? type : Py_None};
    struct method method;
    int found = find(self, "__get__", &method);

    if (found > 0)
        return finish_call(&method, self, args, 2);
    return found == 0 ? Py_NewRef(self) : NULL;
}

int
pyb_slot_tp_descr_set(PyObject *self, PyObject *op, PyObject *value)
{
    return status_of(value != NULL ? CALL(self, "__set__", op, value)
                                   : CALL(self, "__delete__", op));
}

/* ------------------------------------------------------------------ */
/* Calls                                                               */

/* self.NAME(*args, **kwds). */
static PyObject *
call_with(PyObject *self, const char *name, PyObject *args, PyObject *kwds)
{
    struct method method;
    int found = look_up(self, name, &method);
    PyObject *result = NULL;

    if (found == 0)
        PyErr_SetString(PyExc_AttributeError, name);
    if (found <= 0)
        return NULL;
    if (!method.unbound) {
        result = PyObject_Call(method.callable, args, kwds);
    } else {
        PyObject *bound = PyMethod_New(method.callable, self);
        if (bound != NULL)
            result = PyObject_Call(bound, args, kwds);
        Py_XDECREF(bound);
    }
    Py_DECREF(method.callable);
    return result;
}

PyObject *
pyb_slot_tp_call(PyObject *self, PyObject *args, PyObject *kwds)
{
    return call_with(self, "__call__", args, kwds);
}

int
pyb_slot_tp_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    PyObject *result = call_with(self, "__init__", args, kwds);

    if (result != NULL && result != Py_None) {
        PyErr_Format(PyExc_TypeError,
                     "__init__() should return None, not '%.200s'",
                     Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return status_of(result);
}

/* __new__ is a static method: the class is an argument like any other. */
PyObject *
pyb_slot_call_new(PyObject *maker, PyObject *cls, PyObject *args,
                  PyObject *kwds)
{
    PyObject *method = PyObject_GetAttrString(maker, "__new__");
    PyObject *class_alone = PyTuple_Pack(1, cls);
    PyObject *all = NULL, *result = NULL;

    if (method != NULL && class_alone != NULL)
        all = PySequence_Concat(class_alone, args);
    if (all != NULL)
        result = PyObject_Call(method, all, kwds);
    Py_XDECREF(all);
    Py_XDECREF(class_alone);
    Py_XDECREF(method);
    return result;
}

PyObject *
pyb_slot_tp_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    return pyb_slot_call_new((PyObject *)type, (PyObject *)type, args, kwds);
}
