/* call.c: calling objects, through vectorcall if the type has it, otherwise
   through tp_call. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/error/errors.h"
#include "object/protocol/call.h"
#include "runtime/threadstate.h"

/* ------------------------------------------------------------------ */
/* Results                                                             */

/* A callee has broken its contract; steals the result. */
static PyObject *
complain(PyObject *callable, PyObject *result)
{
    if (result != NULL) {
        Py_DECREF(result);
        pyb_errors_from_cause(PyExc_SystemError,
                              "%R returned a result with an exception set",
                              callable);
    } else {
        PyErr_Format(PyExc_SystemError,
                     "%R returned NULL without setting an exception",
                     callable);
    }
    return NULL;
}

/* Holds callees to their contract: a result, or NULL and an exception.  Steals
   the result and returns it, or NULL with SystemError. */
static inline PyObject *
check_result(PyObject *callable, PyObject *result)
{
    int raised = pyb_threadstate_error != NULL;

    return _PyB_LIKELY(raised == (result == NULL))
               ? result
               : complain(callable, result);
}

/* ------------------------------------------------------------------ */
/* Two forms of arguments                                              */

PyObject *
pyb_call_kwargs(PyObject *const *values, PyObject *kwnames)
{
    PyObject *kwargs = PyDict_New();

    if (kwargs == NULL)
        return NULL;
    PYB_ASSERT(PyTuple_Check(kwnames));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); i++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, i);
        if (PyDict_SetItem(kwargs, name, values[i]) < 0) {
            Py_DECREF(kwargs);
            return NULL;
        }
    }
    return kwargs;
}

/* Arguments as vectorcall wants them: args points to nargs borrowed ones, then
   one owned one for each of kwnames, which is owned; args[-1] is free. */
struct stack {
    PyObject **args;
    PyObject *kwnames;
    PyObject **room;
    PyObject *few[8];
};

/* Room for a number of arguments.  0, or -1 with MemoryError. */
static int
stack_init(struct stack *stack, Py_ssize_t n)
{
    PYB_ASSERT(n >= 0);
    stack->kwnames = NULL;
    stack->room = stack->few;
    if (n >= (Py_ssize_t)Py_ARRAY_LENGTH(stack->few)) {
        stack->room = PyMem_New(PyObject *, n + 1);
        if (stack->room == NULL)
            return PYB_MEMORY_ERROR(-1);
    }
    stack->args = stack->room + 1;
    return 0;
}

/* Frees the room and, if the names are there, releases the arguments from
   number nargs on. */
static void
stack_fini(struct stack *stack, Py_ssize_t nargs)
{
    PYB_ASSERT(stack->args == stack->room + 1 && nargs >= 0);
    if (stack->kwnames != NULL) {
        Py_ssize_t n = PyTuple_GET_SIZE(stack->kwnames);
        for (Py_ssize_t i = 0; i < n; i++)
            Py_DECREF(stack->args[nargs + i]);
        Py_DECREF(stack->kwnames);
    }
    if (stack->room != stack->few)
        PyMem_Free(stack->room);
}

/* Fills in the arguments; kwargs is a dictionary that is not empty.  0, or -1
   with an exception; then stack_fini must not be called. */
static int
stack_unpack(struct stack *stack, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwargs)
{
    Py_ssize_t pos = 0, n = PyDict_Size(kwargs);
    PyObject *name, *value, *kwnames = PyTuple_New(n);

    if (kwnames == NULL)
        return -1;
    if (n != PyDict_Size(kwargs)) { /* changed by a collection just now */
        Py_DECREF(kwnames);
        return stack_unpack(stack, args, nargs, kwargs);
    }
    if (!PyArg_ValidateKeywordArguments(kwargs) ||
        stack_init(stack, nargs + n) < 0) {
        Py_DECREF(kwnames);
        return -1;
    }
    if (nargs > 0)
        memcpy(stack->args, args, (size_t)nargs * sizeof(*args));
    for (Py_ssize_t i = 0; PyDict_Next(kwargs, &pos, &name, &value); i++) {
        PYB_ASSERT(i < n);
        PyTuple_SET_ITEM(kwnames, i, Py_NewRef(name));
        stack->args[nargs + i] = Py_NewRef(value);
    }
    stack->kwnames = kwnames;
    return 0;
}

/* ------------------------------------------------------------------ */
/* The two ways to call                                                */

/* Calls tp_call.  The arguments are a tuple, and a dictionary or NULL. */
static PyObject *
call_slot(PyObject *callable, PyObject *args, PyObject *kwargs)
{
    ternaryfunc call = Py_TYPE(callable)->tp_call;

    PYB_ASSERT_OBJECT(PyTuple_Check(args), args);
    PYB_ASSERT(kwargs == NULL || PyDict_Check(kwargs));
    if (call == NULL)
        return PyErr_Format(PyExc_TypeError, "'%.200s' object is not callable",
                            Py_TYPE(callable)->tp_name);
    if (pyb_recursion_enter(" while calling a Python object"))
        return NULL;
    PyObject *result = call(callable, args, kwargs);
    pyb_recursion_leave();
    return check_result(callable, result);
}

/* Calls tp_call with arguments from an array; kwargs is a dictionary or
   NULL. */
static PyObject *
call_slot_array(PyObject *callable, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwargs)
{
    PyObject *tuple = PyTuple_FromArray(args, nargs);

    if (tuple == NULL)
        return NULL;
    PyObject *result = call_slot(callable, tuple, kwargs);
    Py_DECREF(tuple);
    return result;
}

/* Calls the vectorcall function; kwargs is a dictionary or NULL. */
static PyObject *
call_vector(vectorcallfunc function, PyObject *callable, PyObject *const *args,
            size_t nargsf, PyObject *kwargs)
{
    if (kwargs == NULL || PyDict_Size(kwargs) == 0)
        return check_result(callable, function(callable, args, nargsf, NULL));

    struct stack stack;
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (stack_unpack(&stack, args, nargs, kwargs) < 0)
        return NULL;
    PyObject *result = function(callable, stack.args,
                                (size_t)nargs | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                stack.kwnames);
    stack_fini(&stack, nargs);
    return check_result(callable, result);
}

/* ------------------------------------------------------------------ */
/* Vectorcall                                                          */

static inline vectorcallfunc
function_of(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    vectorcallfunc function;

    if (!PyType_HasFeature(type, Py_TPFLAGS_HAVE_VECTORCALL))
        return NULL;
    memcpy(&function, (char *)op + type->tp_vectorcall_offset,
           sizeof(function));
    return function;
}

vectorcallfunc
PyVectorcall_Function(PyObject *op)
{
    return function_of(op);
}

PyObject *
PyVectorcall_Call(PyObject *callable, PyObject *tuple, PyObject *dict)
{
    vectorcallfunc function = PyVectorcall_Function(callable);

    if (function == NULL)
        return PyErr_Format(PyExc_TypeError,
                            "'%.200s' object does not support vectorcall",
                            Py_TYPE(callable)->tp_name);
    return call_vector(function, callable, ((PyTupleObject *)tuple)->ob_item,
                       (size_t)PyTuple_GET_SIZE(tuple), dict);
}

/* PyObject_Vectorcall for a type that does not have it. */
static PyObject *
vectorcall_slot(PyObject *callable, PyObject *const *args, size_t nargsf,
                PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    PyObject *kwargs = NULL;
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0) {
        kwargs = pyb_call_kwargs(args + nargs, kwnames);
        if (kwargs == NULL)
            return NULL;
    }
    PyObject *result = call_slot_array(callable, args, nargs, kwargs);
    Py_XDECREF(kwargs);
    return result;
}

static inline PyObject *
vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf,
           PyObject *kwnames)
{
    vectorcallfunc function = function_of(callable);

    if (_PyB_LIKELY(function != NULL))
        return check_result(callable,
                            function(callable, args, nargsf, kwnames));
    return vectorcall_slot(callable, args, nargsf, kwnames);
}

PyObject *
PyObject_Vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf,
                    PyObject *kwnames)
{
    return vectorcall(callable, args, nargsf, kwnames);
}

PyObject *
PyObject_VectorcallDict(PyObject *callable, PyObject *const *args,
                        size_t nargsf, PyObject *kwargs)
{
    vectorcallfunc function = PyVectorcall_Function(callable);

    if (function != NULL)
        return call_vector(function, callable, args, nargsf, kwargs);
    return call_slot_array(callable, args, PyVectorcall_NARGS(nargsf), kwargs);
}

PyObject *
PyObject_VectorcallMethod(PyObject *name, PyObject *const *args, size_t nargsf,
                          PyObject *kwnames)
{
    PyObject *method;
    int unbound = pyb_attr_method(args[0], name, &method);

    if (unbound < 0)
        return NULL;
    if (unbound) {
        /* The caller permits changes of args[0], but not of args[-1]. */
        nargsf &= ~PY_VECTORCALL_ARGUMENTS_OFFSET;
    } else {
        args++;
        nargsf--;
    }
    PyObject *result = vectorcall(method, args, nargsf, kwnames);
    Py_DECREF(method);
    return result;
}

/* ------------------------------------------------------------------ */
/* A tuple and a dictionary                                            */

int
PyCallable_Check(PyObject *op)
{
    return op != NULL && Py_TYPE(op)->tp_call != NULL;
}

PyObject *
PyObject_Call(PyObject *callable, PyObject *args, PyObject *kwargs)
{
    if (!PyTuple_Check(args))
        return pyb_raise(PyExc_TypeError, "argument list must be a tuple");
    if (kwargs != NULL && !PyDict_Check(kwargs))
        return pyb_raise(PyExc_TypeError, "keyword list must be a dictionary");
    if (PyVectorcall_Function(callable) != NULL)
        return PyVectorcall_Call(callable, args, kwargs);
    return call_slot(callable, args, kwargs);
}

PyObject *
PyObject_CallObject(PyObject *callable, PyObject *args)
{
    if (args == NULL)
        return PyObject_CallNoArgs(callable);
    return PyObject_Call(callable, args, NULL);
}

/* ------------------------------------------------------------------ */
/* C arguments                                                         */

PyObject *
PyObject_CallNoArgs(PyObject *callable)
{
    PyObject *args[1] = {NULL};

    return PyObject_Vectorcall(callable, args + 1,
                               PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

PyObject *
PyObject_CallOneArg(PyObject *callable, PyObject *arg)
{
    PyObject *args[2] = {NULL, arg};

    return PyObject_Vectorcall(callable, args + 1,
                               1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

PyObject *
PyObject_CallMethodNoArgs(PyObject *obj, PyObject *name)
{
    PyObject *args[2] = {NULL, obj};

    return PyObject_VectorcallMethod(name, args + 1,
                                     1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

PyObject *
PyObject_CallMethodOneArg(PyObject *obj, PyObject *name, PyObject *arg)
{
    PyObject *args[3] = {NULL, obj, arg};

    if (arg == NULL)
        return pyb_errors_null_argument();
    return PyObject_VectorcallMethod(name, args + 1,
                                     2 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

/* Calls with the arguments of a format for Py_BuildValue. */
static PyObject *
call_format(PyObject *callable, const char *format, va_list va)
{
    if (format == NULL || format[strspn(format, " \t,:")] == '\0')
        return PyObject_CallNoArgs(callable);

    PyObject *value = Py_VaBuildValue(format, va);
    if (value == NULL)
        return NULL;
    PyObject *result = PyTuple_Check(value)
                           ? PyObject_Call(callable, value, NULL)
                           : PyObject_CallOneArg(callable, value);
    Py_DECREF(value);
    return result;
}

PyObject *
pyb_call_function(PyObject *callable, const char *format, va_list va)
{
    return callable == NULL ? pyb_errors_null_argument()
                            : call_format(callable, format, va);
}

PyObject *
PyObject_CallFunction(PyObject *callable, const char *format, ...)
{
    va_list va;

    va_start(va, format);
    PyObject *result = pyb_call_function(callable, format, va);
    va_end(va);
    return result;
}

PyObject *
pyb_call_method(PyObject *obj, const char *name, const char *format,
                va_list va)
{
    PyObject *result = NULL;

    if (obj == NULL || name == NULL)
        return pyb_errors_null_argument();
    PyObject *method = PyObject_GetAttrString(obj, name);
    if (method == NULL)
        return NULL;
    if (!PyCallable_Check(method))
        PyErr_Format(PyExc_TypeError,
                     "attribute of type '%.200s' is not callable",
                     Py_TYPE(method)->tp_name);
    else
        result = call_format(method, format, va);
    Py_DECREF(method);
    return result;
}

PyObject *
PyObject_CallMethod(PyObject *obj, const char *name, const char *format, ...)
{
    va_list va;

    va_start(va, format);
    PyObject *result = pyb_call_method(obj, name, format, va);
    va_end(va);
    return result;
}

/* Calls with the arguments first, unless it is NULL, and all objects up to a
   NULL. */
static PyObject *
call_objects(PyObject *callable, PyObject *first, va_list va)
{
    Py_ssize_t nargs = first != NULL;
    struct stack stack;
    va_list again;

    va_copy(again, va);
    while (va_arg(again, PyObject *) != NULL)
        nargs++;
    va_end(again);
    if (stack_init(&stack, nargs) < 0)
        return NULL;
    for (Py_ssize_t i = 0; i < nargs; i++) {
        int is_first = i == 0 && first != NULL;
        stack.args[i] = is_first ? first : va_arg(va, PyObject *);
    }
    PyObject *result = PyObject_Vectorcall(
        callable, stack.args, (size_t)nargs | PY_VECTORCALL_ARGUMENTS_OFFSET,
        NULL);
    stack_fini(&stack, nargs);
    return result;
}

PyObject *
PyObject_CallFunctionObjArgs(PyObject *callable, ...)
{
    va_list va;

    if (callable == NULL)
        return pyb_errors_null_argument();
    va_start(va, callable);
    PyObject *result = call_objects(callable, NULL, va);
    va_end(va);
    return result;
}

PyObject *
PyObject_CallMethodObjArgs(PyObject *obj, PyObject *name, ...)
{
    PyObject *method;
    va_list va;

    if (obj == NULL || name == NULL)
        return pyb_errors_null_argument();
    int unbound = pyb_attr_method(obj, name, &method);
    if (unbound < 0)
        return NULL;
    va_start(va, name);
    PyObject *result = call_objects(method, unbound ? obj : NULL, va);
    va_end(va);
    Py_DECREF(method);
    return result;
}
