/* twins.c: the functions of what the headers define as macros or as inline
   functions, and of second names.  Modules made for CPython's stable ABI ask
   for them, and so do pointers to functions. */

#include "Python.h"

#include "gc/adoption.h"

/* ------------------------------------------------------------------ */
/* Objects                                                             */

#undef Py_REFCNT
Py_ssize_t
Py_REFCNT(PyObject *op)
{
    return _PyB_REFCNT(op);
}

#undef Py_TYPE
PyTypeObject *
Py_TYPE(PyObject *op)
{
    return _PyB_TYPE(op);
}

#undef Py_SIZE
Py_ssize_t
Py_SIZE(PyObject *op)
{
    return _PyB_SIZE(op);
}

#undef Py_IS_TYPE
int
Py_IS_TYPE(PyObject *op, PyTypeObject *type)
{
    return _PyB_IS_TYPE(op, type);
}

#undef Py_SET_SIZE
void
Py_SET_SIZE(PyVarObject *op, Py_ssize_t size)
{
    _PyB_SET_SIZE(op, size);
}

void
_Py_SetRefcnt(PyObject *op, Py_ssize_t refcnt)
{
    Py_SET_REFCNT(op, refcnt);
}

#undef Py_NewRef
PyObject *
Py_NewRef(PyObject *op)
{
    return _PyB_NewRef(op);
}

#undef Py_XNewRef
PyObject *
Py_XNewRef(PyObject *op)
{
    return _PyB_XNewRef(op);
}

void
_Py_IncRef(PyObject *op)
{
    Py_INCREF(op);
}

void
_Py_DecRef(PyObject *op)
{
    Py_DECREF(op);
}

int
PyUnstable_Object_IsUniquelyReferenced(PyObject *op)
{
    return _PyB_REFCNT(op) == 1;
}

int
PyUnstable_Object_IsUniqueReferencedTemporary(PyObject *Py_UNUSED(op))
{
    return 0;
}

int
PyUnstable_SetImmortal(PyObject *op)
{
    if (_PyB_REFCNT(op) != 1 || PyUnicode_Check(op))
        return 0;
    PyObject_GC_UnTrack(op);
    Py_SET_REFCNT(op, _Py_IMMORTAL_REFCNT);
    return 1;
}

int
PyUnstable_IsImmortal(PyObject *op)
{
    return _Py_IsImmortal(op);
}

int
PyUnstable_Object_EnableDeferredRefcount(PyObject *Py_UNUSED(op))
{
    return 0;
}

int
PyUnstable_TryIncRef(PyObject *op)
{
    if (_PyB_REFCNT(op) <= 0)
        return 0;
    Py_INCREF(op);
    pyb_adoption_note(op);
    return 1;
}

void
PyUnstable_EnableTryIncRef(PyObject *Py_UNUSED(op))
{
}

int _Py_SwappedOp[] = {
    [Py_LT] = Py_GT, [Py_LE] = Py_GE, [Py_EQ] = Py_EQ,
    [Py_NE] = Py_NE, [Py_GT] = Py_LT, [Py_GE] = Py_LE,
};

/* ------------------------------------------------------------------ */
/* Protocols                                                           */

#undef PyObject_Length
Py_ssize_t
PyObject_Length(PyObject *o)
{
    return PyObject_Size(o);
}

#undef PySequence_Length
Py_ssize_t
PySequence_Length(PyObject *o)
{
    return PySequence_Size(o);
}

#undef PyMapping_Length
Py_ssize_t
PyMapping_Length(PyObject *o)
{
    return PyMapping_Size(o);
}

#undef PySequence_In
int
PySequence_In(PyObject *o, PyObject *value)
{
    return PySequence_Contains(o, value);
}

#undef PyUnicode_GetSize
Py_ssize_t
PyUnicode_GetSize(PyObject *unicode)
{
    return PyUnicode_GetLength(unicode);
}

#undef PyVectorcall_NARGS
Py_ssize_t
PyVectorcall_NARGS(size_t nargsf)
{
    return _PyB_VectorcallNargs(nargsf);
}

PyObject *
PyCFunction_Call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    return PyObject_Call(op, args, kwargs);
}

#undef PyOS_mystricmp
int
PyOS_mystricmp(const char *s1, const char *s2)
{
    return PyOS_stricmp(s1, s2);
}

#undef PyOS_mystrnicmp
int
PyOS_mystrnicmp(const char *s1, const char *s2, Py_ssize_t size)
{
    return PyOS_strnicmp(s1, s2, size);
}

/* ------------------------------------------------------------------ */
/* Versions, fatal errors, critical sections                           */

const unsigned long Py_Version = PY_VERSION_HEX;
int Py_UTF8Mode = 1;

#undef Py_PACK_FULL_VERSION
uint32_t
Py_PACK_FULL_VERSION(int major, int minor, int micro, int level, int serial)
{
    return _PyB_PACK_VERSION((uint32_t)major, (uint32_t)minor, (uint32_t)micro,
                             (uint32_t)level, (uint32_t)serial);
}

#undef Py_PACK_VERSION
uint32_t
Py_PACK_VERSION(int major, int minor)
{
    return Py_PACK_FULL_VERSION(major, minor, 0, 0, 0);
}

#undef Py_FatalError
void
Py_FatalError(const char *message)
{
    _Py_FatalErrorFunc("<unknown>", message);
}

void
PyCriticalSection_Begin(PyCriticalSection *Py_UNUSED(c),
                        PyObject *Py_UNUSED(op))
{
}

void
PyCriticalSection_End(PyCriticalSection *Py_UNUSED(c))
{
}

void
PyCriticalSection2_Begin(PyCriticalSection2 *Py_UNUSED(c),
                         PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b))
{
}

void
PyCriticalSection2_End(PyCriticalSection2 *Py_UNUSED(c))
{
}

void
PyCriticalSection_BeginMutex(PyCriticalSection *Py_UNUSED(c),
                             PyMutex *Py_UNUSED(m))
{
}

void
PyCriticalSection2_BeginMutex(PyCriticalSection2 *Py_UNUSED(c),
                              PyMutex *Py_UNUSED(m1), PyMutex *Py_UNUSED(m2))
{
}
