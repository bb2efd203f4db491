/* oldnames.h: names that sources of 2.2 to 2.7 use and later editions took
   away, as far as they still have a meaning.

   New sources need none of them.  What counted in ints counts in Py_ssize_t.
   PyInt is the one int type and PyString is str, since that is what tp_repr
   and attribute names want; a text with bytes that are not UTF-8 needs
   PyBytes.  What tp_print and tp_compare did has no slot any more: such
   functions stay out of the type's initialiser, 0 in their place is fine.
   A type's own ob_type is set with Py_SET_TYPE.

   Not here: buffers of the old protocol, coercion, METH_OLDARGS, classic
   classes, and all that belongs to the interpreter.

   Manual, 2.2: "Defining New Types", "Supporting Cyclic Garbage
   Collection". */

#ifndef Py_OLDNAMES_H
#define Py_OLDNAMES_H

#include "../import.h"
#include "../longobject.h"
#include "../methodobject.h"
#include "../moduleobject.h"
#include "../objimpl.h"
#include "../pyerrors.h"
#include "../unicodeobject.h"

#include <stdarg.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* Declarations                                                        */

#define DL_EXPORT(RTYPE) PyAPI_FUNC(RTYPE)
#define DL_IMPORT(RTYPE) RTYPE
#define staticforward static
#define statichere static

/* Slots under their old names.  cmpfunc is not among them: today it is a
   name that programs use for something of their own. */
typedef ssizeargfunc intargfunc;
typedef ssizessizeargfunc intintargfunc;
typedef ssizeobjargproc intobjargproc;
typedef ssizessizeobjargproc intintobjargproc;

/* Flags for what every type has today. */
#define Py_TPFLAGS_HAVE_GETCHARBUFFER 0UL
#define Py_TPFLAGS_HAVE_SEQUENCE_IN 0UL
#define Py_TPFLAGS_HAVE_INPLACEOPS 0UL
#define Py_TPFLAGS_HAVE_INDEX 0UL
#define Py_TPFLAGS_HAVE_NEWBUFFER 0UL
#define Py_TPFLAGS_CHECKTYPES 0UL
#define Py_TPFLAGS_GC 0UL

/* What 2.2 wrote into tp_free. */
#define _PyObject_Del PyObject_Free
#define _PyObject_GC_Del PyObject_GC_Del

#define PyExc_StandardError PyExc_Exception

/* ------------------------------------------------------------------ */
/* int and str                                                         */

/* PyInt_Check, PyInt_FromLong, PyInt_AsLong, PyInt_AS_LONG, PyString_Check,
   PyString_FromString, PyString_FromStringAndSize, PyString_FromFormat: as
   PyLong_Check and kin and PyUnicode_Check and kin, with a new reference where
   those give one.  Functions, so that sources which define such names as
   macros may do so. */
#define PyInt_Type PyLong_Type
#define PyString_Type PyUnicode_Type

static inline int
PyInt_Check(PyObject *op)
{
    return PyLong_Check(op);
}

static inline PyObject *
PyInt_FromLong(long value)
{
    return PyLong_FromLong(value);
}

static inline long
PyInt_AsLong(PyObject *op)
{
    return PyLong_AsLong(op);
}

static inline long
PyInt_AS_LONG(PyObject *op)
{
    return PyLong_AsLong(op);
}

static inline int
PyString_Check(PyObject *op)
{
    return PyUnicode_Check(op);
}

static inline PyObject *
PyString_FromString(const char *text)
{
    return PyUnicode_FromString(text);
}

static inline PyObject *
PyString_FromStringAndSize(const char *text, Py_ssize_t size)
{
    return PyUnicode_FromStringAndSize(text, size);
}

static inline PyObject *
PyString_FromFormat(const char *format, ...)
{
    PyObject *result;
    va_list args;

    va_start(args, format);
    result = PyUnicode_FromFormatV(format, args);
    va_end(args);
    return result;
}

/* PyString_AsString, PyString_AS_STRING: the text as UTF-8, which lives as
   long as the str and is not to be changed.  NULL with an exception. */
static inline char *
PyString_AsString(PyObject *op)
{
    return (char *)PyUnicode_AsUTF8(op);
}

static inline char *
PyString_AS_STRING(PyObject *op)
{
    return PyString_AsString(op);
}

/* PyString_Size, PyString_GET_SIZE: how many bytes that is, or -1 with an
   exception. */
static inline Py_ssize_t
PyString_Size(PyObject *op)
{
    Py_ssize_t size;

    return PyUnicode_AsUTF8AndSize(op, &size) != NULL ? size : -1;
}

static inline Py_ssize_t
PyString_GET_SIZE(PyObject *op)
{
    return PyString_Size(op);
}

/* ------------------------------------------------------------------ */
/* Methods and modules                                                 */

/* Py_FindMethod: what a tp_getattr returns for names that are not its own:
   the method of the table, bound to self.  A new reference, or NULL with
   AttributeError. */
static inline PyObject *
Py_FindMethod(PyMethodDef *methods, PyObject *self, const char *name)
{
    for (; methods != NULL && methods->ml_name != NULL; methods++)
        if (strcmp(name, methods->ml_name) == 0)
            return PyCFunction_New(methods, self);
    PyErr_SetString(PyExc_AttributeError, name);
    return NULL;
}

/* Py_InitModule4: the module of that name in sys.modules, made if need be,
   with the functions of the table, which get self first.  Borrowed, or NULL
   with an exception.  api_version is not looked at. */
static inline PyObject *
Py_InitModule4(const char *name, PyMethodDef *methods, const char *doc,
               PyObject *self, int Py_UNUSED(api_version))
{
    PyObject *module = PyImport_AddModule(name);

    if (module == NULL)
        return NULL;
    for (; methods != NULL && methods->ml_name != NULL; methods++) {
        PyObject *function = PyCFunction_New(methods, self);

        if (PyModule_Add(module, methods->ml_name, function) < 0)
            return NULL;
    }
    if (doc != NULL && PyModule_SetDocString(module, doc) < 0)
        return NULL;
    return module;
}
#define Py_InitModule3(name, methods, doc)                                    \
    Py_InitModule4((name), (methods), (doc), NULL, _PyB_MODULE_VERSION)
#define Py_InitModule(name, methods) Py_InitModule3((name), (methods), NULL)

#ifdef __cplusplus
}
#endif

#endif /* Py_OLDNAMES_H */
