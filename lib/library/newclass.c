/* newclass.c: the functions of the module types that make classes as a class
   statement does.

   Manual: Python's library, "types"; the language reference, "Customizing
   class creation". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"
#include "object/type/bases.h"

/* Appends the base, or what stands for it: an alias gives its class.  1 if
   that is something else, 0, or -1 with an exception. */
static int
append_base(PyObject *list, PyObject *base, PyObject *bases)
{
    PyObject *method, *entries;
    int found = 0, result = -1;

    if (!PyType_Check(base))
        found =
            PyObject_GetOptionalAttrString(base, "__mro_entries__", &method);
    if (found <= 0)
        return found < 0 ? -1 : PyList_Append(list, base);
    entries = PyObject_CallOneArg(method, bases);
    Py_DECREF(method);
    if (entries == NULL)
        return -1;
    if (!PyTuple_Check(entries))
        pyb_fail(PyExc_TypeError, "__mro_entries__ must return a tuple");
    else if (PyList_Extend(list, entries) == 0)
        result = 1;
    Py_DECREF(entries);
    return result;
}

/* The bases as they are given if each is a class, else a new tuple. */
static PyObject *
resolve_bases(PyObject *Py_UNUSED(module), PyObject *bases)
{
    PyObject *given = PySequence_Tuple(bases), *list = PyList_New(0);
    PyObject *resolved = NULL;
    int changed = 0, result = given != NULL && list != NULL ? 0 : -1;

    for (Py_ssize_t i = 0; result >= 0 && i < PyTuple_GET_SIZE(given); i++) {
        result = append_base(list, PyTuple_GET_ITEM(given, i), bases);
        changed |= result;
    }
    if (result >= 0)
        resolved = changed ? PyList_AsTuple(list) : Py_NewRef(bases);
    Py_XDECREF(given);
    Py_XDECREF(list);
    return resolved;
}

/* The metaclass that kwds names, which goes from there, or that of the first
   base; of classes the most derived of all bases. */
static PyObject *
take_metaclass(PyObject *bases, PyObject *kwds)
{
    PyObject *meta;
    int found = PyDict_PopString(kwds, "metaclass", &meta);

    if (found < 0)
        return NULL;
    if (found == 0)
        meta = Py_NewRef(PyTuple_GET_SIZE(bases) > 0
                             ? Py_TYPE(PyTuple_GET_ITEM(bases, 0))
                             : &PyType_Type);
    if (!PyType_Check(meta))
        return meta;
    PyTypeObject *best = pyb_bases_metatype((PyTypeObject *)meta, bases);
    Py_XINCREF(best);
    Py_DECREF(meta);
    return (PyObject *)best;
}

static PyObject *
make_namespace(PyObject *meta, PyObject *name, PyObject *bases, PyObject *kwds)
{
    PyObject *method;
    int found = PyObject_GetOptionalAttrString(meta, "__prepare__", &method);

    if (found <= 0)
        return found < 0 ? NULL : PyDict_New();
    PyObject *args = PyTuple_Pack(2, name, bases);
    PyObject *dict = args != NULL ? PyObject_Call(method, args, kwds) : NULL;
    Py_XDECREF(args);
    Py_DECREF(method);
    return dict;
}

/* The tuple of prepare_class; kwds may be NULL or None. */
static PyObject *
prepare(PyObject *name, PyObject *bases, PyObject *kwds)
{
    PyObject *tuple = PySequence_Tuple(bases), *rest = PyDict_New();
    PyObject *meta = NULL, *dict = NULL;

    if (tuple != NULL && rest != NULL &&
        (kwds == NULL || kwds == Py_None || PyDict_Update(rest, kwds) == 0))
        meta = take_metaclass(tuple, rest);
    if (meta != NULL)
        dict = make_namespace(meta, name, tuple, rest);
    Py_XDECREF(tuple);
    if (dict != NULL)
        return Py_BuildValue("NNN", meta, dict, rest);
    Py_XDECREF(meta);
    Py_XDECREF(rest);
    return NULL;
}

static PyObject *
prepare_class(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "bases", "kwds", NULL};
    PyObject *empty = PyTuple_New(0), *name, *bases = empty, *kwds = NULL;
    PyObject *result = NULL;

    if (empty != NULL &&
        PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO:prepare_class", names,
                                    &name, &bases, &kwds))
        result = prepare(name, bases, kwds);
    Py_XDECREF(empty);
    return result;
}

/* Calls the function that fills the namespace, and notes the bases as they
   were given if others took their place.  0, or -1 with an exception. */
static int
fill_namespace(PyObject *dict, PyObject *body, PyObject *given)
{
    PyObject *done =
        body != Py_None ? PyObject_CallOneArg(body, dict) : Py_NewRef(Py_None);

    if (done == NULL)
        return -1;
    Py_DECREF(done);
    return given == NULL
               ? 0
               : PyMapping_SetItemString(dict, "__orig_bases__", given);
}

static PyObject *
make_class(PyObject *name, PyObject *bases, PyObject *kwds, PyObject *body)
{
    PyObject *resolved = resolve_bases(NULL, bases);
    PyObject *made = resolved != NULL ? prepare(name, resolved, kwds) : NULL;
    PyObject *args = NULL, *cls = NULL;

    if (made != NULL && fill_namespace(PyTuple_GET_ITEM(made, 1), body,
                                       resolved != bases ? bases : NULL) == 0)
        args = PyTuple_Pack(3, name, resolved, PyTuple_GET_ITEM(made, 1));
    if (args != NULL)
        cls = PyObject_Call(PyTuple_GET_ITEM(made, 0), args,
                            PyTuple_GET_ITEM(made, 2));
    Py_XDECREF(resolved);
    Py_XDECREF(made);
    Py_XDECREF(args);
    return cls;
}

static PyObject *
new_class(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "bases", "kwds", "exec_body", NULL};
    PyObject *empty = PyTuple_New(0), *name, *bases = empty, *kwds = NULL;
    PyObject *body = Py_None, *cls = NULL;

    if (empty != NULL &&
        PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOO:new_class", names,
                                    &name, &bases, &kwds, &body))
        cls = make_class(name, bases, kwds, body);
    Py_XDECREF(empty);
    return cls;
}

PyMethodDef pyb_types_methods[] = {
    {"new_class", _PyCFunction_CAST(new_class), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("new_class($module, /, name, bases=(), kwds=None, "
               "exec_body=None)\n--\n\n"
               "Make a class as a class statement does.")},
    {"prepare_class", _PyCFunction_CAST(prepare_class),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("prepare_class($module, /, name, bases=(), kwds=None)\n"
               "--\n\n"
               "The metaclass, the namespace and the rest of kwds.")},
    {"resolve_bases", resolve_bases, METH_O,
     PyDoc_STR("resolve_bases($module, bases, /)\n--\n\n"
               "The bases with the classes for which others stand.")},
    {NULL, NULL, 0, NULL},
};
