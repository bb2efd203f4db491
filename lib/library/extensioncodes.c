/* extensioncodes.c: copyreg's registry of extension codes, numbers that stand
   for a module and a name in a pickle.

   The three dictionaries are attributes of the module, which pickle takes from
   there.

   Manual: PEP 307, section "The extension registry". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"

/* What the functions work on; all are owned. */
struct registry {
    PyObject *codes; /* (module, name): code */
    PyObject *keys;  /* code: (module, name) */
    PyObject *cache; /* code: the object */
};

static void
drop_registry(struct registry *self)
{
    Py_CLEAR(self->codes);
    Py_CLEAR(self->keys);
    Py_CLEAR(self->cache);
}

/* 0, or -1 with an exception; the registry has to be dropped in any case. */
static int
get_registry(PyObject *module, struct registry *self)
{
    self->codes = PyObject_GetAttrString(module, "_extension_registry");
    self->keys = PyObject_GetAttrString(module, "_inverted_registry");
    self->cache = PyObject_GetAttrString(module, "_extension_cache");
    return self->codes != NULL && self->keys != NULL && self->cache != NULL
               ? 0
               : -1;
}

/* dict.get(key): a new reference, or NULL with an exception. */
static PyObject *
look_up(PyObject *dict, PyObject *key)
{
    return PyObject_CallMethod(dict, "get", "(O)", key);
}

/* Is code registered for key, and key for code?  1, 0 or -1. */
static int
is_registered(struct registry *self, PyObject *key, PyObject *code)
{
    PyObject *known = look_up(self->codes, key), *back = NULL;
    int result = -1;

    if (known != NULL)
        result = PyObject_RichCompareBool(known, code, Py_EQ);
    if (result > 0) {
        back = look_up(self->keys, code);
        result =
            back != NULL ? PyObject_RichCompareBool(back, key, Py_EQ) : -1;
    }
    Py_XDECREF(known);
    Py_XDECREF(back);
    return result;
}

/* Is what in dict?  If so, ValueError; the format has a %S for what, and one
   for its value.  0, or -1 with an exception. */
static int
check_free(PyObject *dict, PyObject *what, const char *format)
{
    int found = PySequence_Contains(dict, what);

    if (found <= 0)
        return found;
    PyObject *value = PyObject_GetItem(dict, what);
    if (value != NULL)
        PyErr_Format(PyExc_ValueError, format, what, value);
    Py_XDECREF(value);
    return -1;
}

static int
enter(struct registry *self, PyObject *key, PyObject *code)
{
    int known = is_registered(self, key, code);

    if (known != 0)
        return known < 0 ? -1 : 0;
    if (check_free(self->codes, key,
                   "key %S is already registered with code %S") < 0 ||
        check_free(self->keys, code, "code %S is already in use for key %S") <
            0 ||
        PyObject_SetItem(self->codes, key, code) < 0)
        return -1;
    return PyObject_SetItem(self->keys, code, key);
}

/* int(code) if it is in range; a new reference, or NULL with an exception. */
static PyObject *
check_code(PyObject *code)
{
    PyObject *number = PyNumber_Long(code);
    int overflow;

    if (number == NULL)
        return NULL;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0 && value >= 1 && value <= 0x7fffffff)
        return number;
    Py_DECREF(number);
    return pyb_raise(PyExc_ValueError, "code out of range");
}

static PyObject *
add_extension(PyObject *module, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"module", "name", "code", NULL};
    PyObject *of, *name, *code, *key;
    struct registry registry;
    int result = -1;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OOO:add_extension", names,
                                     &of, &name, &code))
        return NULL;
    code = check_code(code);
    if (code == NULL)
        return NULL;
    key = PyTuple_Pack(2, of, name);
    if (get_registry(module, &registry) == 0 && key != NULL)
        result = enter(&registry, key, code);
    drop_registry(&registry);
    Py_XDECREF(key);
    Py_DECREF(code);
    return pyb_result_none(result);
}

static int
take_out(struct registry *self, PyObject *key, PyObject *code)
{
    int known = is_registered(self, key, code);

    if (known == 0)
        PyErr_Format(PyExc_ValueError, "key %S is not registered with code %S",
                     key, code);
    if (known <= 0 || PyObject_DelItem(self->codes, key) < 0 ||
        PyObject_DelItem(self->keys, code) < 0)
        return -1;
    known = PySequence_Contains(self->cache, code);
    return known > 0 ? PyObject_DelItem(self->cache, code) : known;
}

static PyObject *
remove_extension(PyObject *module, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"module", "name", "code", NULL};
    PyObject *of, *name, *code;
    struct registry registry;
    int result = -1;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OOO:remove_extension", names,
                                     &of, &name, &code))
        return NULL;
    PyObject *key = PyTuple_Pack(2, of, name);
    if (get_registry(module, &registry) == 0 && key != NULL)
        result = take_out(&registry, key, code);
    drop_registry(&registry);
    Py_XDECREF(key);
    return pyb_result_none(result);
}

static PyObject *
clear_extension_cache(PyObject *module, PyObject *Py_UNUSED(none))
{
    struct registry registry;
    PyObject *done = NULL;

    if (get_registry(module, &registry) == 0)
        done = PyObject_CallMethod(registry.cache, "clear", NULL);
    drop_registry(&registry);
    return done;
}

PyMethodDef pyb_extensioncodes[] = {
    {"add_extension", _PyCFunction_CAST(add_extension),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("add_extension($module, /, module, name, code)\n--\n\n"
               "Register an extension code.")},
    {"clear_extension_cache", clear_extension_cache, METH_NOARGS,
     PyDoc_STR("clear_extension_cache($module, /)\n--\n\n"
               "Forget the objects that codes stand for.")},
    {"remove_extension", _PyCFunction_CAST(remove_extension),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("remove_extension($module, /, module, name, code)\n--\n\n"
               "Take an extension code out of the registry.")},
    {NULL, NULL, 0, NULL},
};
