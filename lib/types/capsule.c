/* capsule.c: capsules: objects that carry a C pointer under a name. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"

typedef struct {
    PyObject_HEAD
    void *pointer; /* never NULL */
    const char *name;
    void *context;
    PyCapsule_Destructor destructor;
} Capsule;

#define CAPSULE(op) PYB_CAST(Capsule, PyCapsule_CheckExact, op)

PyObject *
PyCapsule_New(void *pointer, const char *name, PyCapsule_Destructor release)
{
    if (pointer == NULL)
        return pyb_raise(PyExc_ValueError,
                         "PyCapsule_New called with null pointer");

    Capsule *capsule = PyObject_New(Capsule, &PyCapsule_Type);
    if (capsule == NULL)
        return NULL;
    capsule->pointer = pointer;
    capsule->name = name;
    capsule->context = NULL;
    capsule->destructor = release;
    return (PyObject *)capsule;
}

/* The capsule, or NULL with ValueError that names the function. */
static Capsule *
check_capsule(PyObject *op, const char *function)
{
    if (op != NULL && PyCapsule_CheckExact(op))
        return (Capsule *)op;
    PyErr_Format(PyExc_ValueError, "%s called with invalid PyCapsule object",
                 function);
    return NULL;
}

static int
same_name(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

int
PyCapsule_IsValid(PyObject *capsule, const char *name)
{
    return capsule != NULL && PyCapsule_CheckExact(capsule) &&
           same_name(CAPSULE(capsule)->name, name);
}

/* ------------------------------------------------------------------ */
/* Getters and setters                                                 */

void *
PyCapsule_GetPointer(PyObject *capsule, const char *name)
{
    Capsule *self = check_capsule(capsule, "PyCapsule_GetPointer");

    if (self == NULL)
        return NULL;
    if (!same_name(self->name, name))
        return pyb_raise(PyExc_ValueError,
                         "PyCapsule_GetPointer called with incorrect name");
    PYB_ASSERT_OBJECT(self->pointer != NULL, capsule);
    return self->pointer;
}

PyCapsule_Destructor
PyCapsule_GetDestructor(PyObject *capsule)
{
    Capsule *self = check_capsule(capsule, "PyCapsule_GetDestructor");

    return self == NULL ? NULL : self->destructor;
}

const char *
PyCapsule_GetName(PyObject *capsule)
{
    Capsule *self = check_capsule(capsule, "PyCapsule_GetName");

    return self == NULL ? NULL : self->name;
}

void *
PyCapsule_GetContext(PyObject *capsule)
{
    Capsule *self = check_capsule(capsule, "PyCapsule_GetContext");

    return self == NULL ? NULL : self->context;
}

int
PyCapsule_SetPointer(PyObject *capsule, void *pointer)
{
    Capsule *self = check_capsule(capsule, "PyCapsule_SetPointer");

    if (self == NULL)
        return -1;
    if (pointer == NULL)
        return pyb_fail(PyExc_ValueError,
                        "PyCapsule_SetPointer called with null pointer");
    self->pointer = pointer;
    return 0;
}

int
PyCapsule_SetDestructor(PyObject *capsule, PyCapsule_Destructor release)
{
    Capsule *self = check_capsule(capsule, "PyCapsule_SetDestructor");

    if (self == NULL)
        return -1;
    self->destructor = release;
    return 0;
}

int
PyCapsule_SetName(PyObject *capsule, const char *name)
{
    Capsule *self = check_capsule(capsule, "PyCapsule_SetName");

    if (self == NULL)
        return -1;
    self->name = name;
    return 0;
}

int
PyCapsule_SetContext(PyObject *capsule, void *context)
{
    Capsule *self = check_capsule(capsule, "PyCapsule_SetContext");

    if (self == NULL)
        return -1;
    self->context = context;
    return 0;
}

/* ------------------------------------------------------------------ */
/* PyCapsule_Import                                                    */

static PyObject *
import_module(const char *name)
{
    PyObject *module = PyImport_ImportModule(name);

    if (module == NULL)
        PyErr_Format(PyExc_ImportError,
                     "PyCapsule_Import could not import module \"%s\"", name);
    return module;
}

/* The attribute; or the submodule of that name of a package, for no code of a
   package runs, which would have imported it.  A new reference. */
static PyObject *
get_part(PyObject *object, const char *part)
{
    PyObject *found, *name;

    if (PyObject_GetOptionalAttrString(object, part, &found) != 0)
        return found;
    if (!PyModule_Check(object) || !PyObject_HasAttrString(object, "__path__"))
        return PyObject_GetAttrString(object, part);
    name = PyUnicode_FromFormat("%s.%s", PyModule_GetName(object), part);
    found = name != NULL ? PyImport_Import(name) : NULL;
    Py_XDECREF(name);
    return found;
}

/* Imports the part of the path before its first dot, then gets part after
   part; cuts the path at its dots.  A new reference. */
static PyObject *
follow_path(char *path)
{
    PyObject *object = NULL;

    while (path != NULL) {
        char *dot = strchr(path, '.');
        if (dot != NULL)
            *dot++ = '\0';

        PyObject *next =
            object == NULL ? import_module(path) : get_part(object, path);
        Py_XDECREF(object);
        if (next == NULL)
            return NULL;
        object = next;
        path = dot;
    }
    return object;
}

void *
PyCapsule_Import(const char *name, int Py_UNUSED(no_block))
{
    size_t size = strlen(name) + 1;
    char *path = PyMem_Malloc(size);

    if (path == NULL)
        return PYB_MEMORY_ERROR(NULL);
    memcpy(path, name, size);
    PyObject *object = follow_path(path);
    PyMem_Free(path);
    if (object == NULL)
        return NULL;

    void *pointer = NULL;
    if (PyCapsule_IsValid(object, name))
        pointer = CAPSULE(object)->pointer;
    else
        PyErr_Format(PyExc_AttributeError,
                     "PyCapsule_Import \"%s\" is not valid", name);
    Py_DECREF(object);
    return pointer;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static void
capsule_dealloc(PyObject *op)
{
    Capsule *self = CAPSULE(op);

    if (self->destructor != NULL)
        self->destructor(op);
    PyObject_Free(op);
}

static PyObject *
capsule_repr(PyObject *op)
{
    Capsule *self = CAPSULE(op);

    if (self->name == NULL)
        return PyUnicode_FromFormat("<capsule object NULL at %p>", op);
    return PyUnicode_FromFormat("<capsule object \"%s\" at %p>", self->name,
                                op);
}

PyDoc_STRVAR(capsule_doc,
             "An object that carries a C pointer from one module to another.");

PyTypeObject PyCapsule_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "PyCapsule",
    .tp_basicsize = sizeof(Capsule),
    .tp_dealloc = capsule_dealloc,
    .tp_repr = capsule_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = capsule_doc,
    .tp_free = PyObject_Free,
};
