/* exceptions.h: the layout of the standard exception classes, and declarations
   that their files share.

   Classes come in kinds.  A kind is a C structure together with the slots that
   go with it, pyb_exc_KIND_SLOT: traverse, clear, dealloc, new, init, str.
   Every class names all slots of its kind, so that exceptions can be raised
   while types are still being readied.

     exceptions.c    base      BaseException and the accessors of its fields
     excfields.c     stop exit key import name attribute
     syntaxerror.c   syntax
     oserror.c       os
     unicodeerror.c  decode encode translate
     excgroup.c      group
     exctree.c       the classes without fields of their own, the tree */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ERROR_EXCEPTIONS_H
#define PYB_OBJECT_ERROR_EXCEPTIONS_H

#include "Python.h"

#include "gc/base/fatal.h"

/* pyb_exceptions_init: readies the standard exceptions; 0, or -1 with an
   exception. */
int pyb_exceptions_init(void);

/* pyb_excgroup_init: gives ExceptionGroup its two bases; 0, or -1 with
   MemoryError. */
int pyb_excgroup_init(void);

/* pyb_exceptions_each: calls function(name, class, arg) for each standard
   exception, a class before its subclasses; stops at the first result that is
   not 0, and returns it. */
int pyb_exceptions_each(int (*function)(const char *, PyObject *, void *),
                        void *arg);

/* pyb_exceptions_no_memory: the MemoryError that needs no memory; the only one
   of its kind, immortal, with no attributes set. */
PyObject *pyb_exceptions_no_memory(void);

/* pyb_exceptions_fini: drops the attributes of that MemoryError. */
void pyb_exceptions_fini(void);

#define PYB_EXC_BASE(op)                                                      \
    PYB_CAST(PyBaseExceptionObject, PyExceptionInstance_Check, op)

/* op as the structure of its kind: its class may have several bases, but has
   room for that structure. */
#define PYB_EXC_CAST(STRUCTURE, op)                                           \
    (PYB_ASSERT_OBJECT(PyExceptionInstance_Check(op) &&                       \
                           Py_TYPE(op)->tp_basicsize >=                       \
                               (Py_ssize_t)sizeof(STRUCTURE),                 \
                       op),                                                   \
     (STRUCTURE *)(void *)(op))

#define PYB_EXC_FLAGS                                                         \
    (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC |          \
     Py_TPFLAGS_BASE_EXC_SUBCLASS)

/* PYB_EXC_CLASS: defines a class and its PyExc_NAME.  Further slots follow the
   doc string.  A base of NULL stands for object. */
#define PYB_EXC_CLASS(NAME, BASE, KIND, STRUCTURE, ...)                       \
    PyTypeObject pyb_exc_##NAME = {                                           \
        PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = #NAME,               \
        .tp_basicsize = sizeof(STRUCTURE),                                    \
        .tp_dealloc = pyb_exc_##KIND##_dealloc,                               \
        .tp_repr = pyb_exc_base_repr,                                         \
        .tp_hash = PyObject_GenericHash,                                      \
        .tp_str = pyb_exc_##KIND##_str,                                       \
        .tp_getattro = PyObject_GenericGetAttr,                               \
        .tp_setattro = PyObject_GenericSetAttr,                               \
        .tp_flags = PYB_EXC_FLAGS,                                            \
        .tp_traverse = pyb_exc_##KIND##_traverse,                             \
        .tp_clear = pyb_exc_##KIND##_clear,                                   \
        .tp_base = (BASE),                                                    \
        .tp_dictoffset = offsetof(PyBaseExceptionObject, dict),               \
        .tp_init = pyb_exc_##KIND##_init,                                     \
        .tp_alloc = PyType_GenericAlloc,                                      \
        .tp_new = pyb_exc_##KIND##_new,                                       \
        .tp_free = PyObject_GC_Del,                                           \
        .tp_doc = __VA_ARGS__,                                                \
    };                                                                        \
    PyObject *PyExc_##NAME = (PyObject *)&pyb_exc_##NAME;

/* PYB_EXC_GC: defines traverse, clear and dealloc of a kind; FIELDS(F) is
   F(field) for each owned field that the structure adds to the base's.
   PYB_EXC_FIELDS: the first two alone. */
#define PYB_EXC_VISIT(FIELD) Py_VISIT(self->FIELD);
#define PYB_EXC_DROP(FIELD) Py_CLEAR(self->FIELD);
#define PYB_EXC_FIELDS(KIND, STRUCTURE, FIELDS)                               \
    int pyb_exc_##KIND##_traverse(PyObject *op, visitproc visit, void *arg)   \
    {                                                                         \
        STRUCTURE *self = PYB_EXC_CAST(STRUCTURE, op);                        \
        FIELDS(PYB_EXC_VISIT)                                                 \
        return pyb_exc_base_traverse(op, visit, arg);                         \
    }                                                                         \
    int pyb_exc_##KIND##_clear(PyObject *op)                                  \
    {                                                                         \
        STRUCTURE *self = PYB_EXC_CAST(STRUCTURE, op);                        \
        FIELDS(PYB_EXC_DROP)                                                  \
        return pyb_exc_base_clear(op);                                        \
    }
#define PYB_EXC_GC(KIND, STRUCTURE, FIELDS)                                   \
    PYB_EXC_FIELDS(KIND, STRUCTURE, FIELDS)                                   \
    void pyb_exc_##KIND##_dealloc(PyObject *op)                               \
    {                                                                         \
        PyObject_GC_UnTrack(op);                                              \
        pyb_exc_##KIND##_clear(op);                                           \
        Py_TYPE(op)->tp_free(op);                                             \
    }

#define PYB_EXC_KIND(KIND)                                                    \
    int pyb_exc_##KIND##_traverse(PyObject *op, visitproc visit, void *arg);  \
    int pyb_exc_##KIND##_clear(PyObject *op);                                 \
    void pyb_exc_##KIND##_dealloc(PyObject *op);                              \
    PyObject *pyb_exc_##KIND##_new(PyTypeObject *type, PyObject *args,        \
                                   PyObject *kwargs);                         \
    int pyb_exc_##KIND##_init(PyObject *op, PyObject *args,                   \
                              PyObject *kwargs);                              \
    PyObject *pyb_exc_##KIND##_str(PyObject *op);
PYB_EXC_KIND(base)
PYB_EXC_KIND(stop)
PYB_EXC_KIND(exit)
PYB_EXC_KIND(key)
PYB_EXC_KIND(import)
PYB_EXC_KIND(name)
PYB_EXC_KIND(attribute)
PYB_EXC_KIND(syntax)
PYB_EXC_KIND(os)
PYB_EXC_KIND(decode)
PYB_EXC_KIND(encode)
PYB_EXC_KIND(translate)
PYB_EXC_KIND(group)

/* Slots that kinds share with others. */
#define pyb_exc_stop_new pyb_exc_base_new
#define pyb_exc_stop_str pyb_exc_base_str
#define pyb_exc_exit_new pyb_exc_base_new
#define pyb_exc_exit_str pyb_exc_base_str
#define pyb_exc_key_new pyb_exc_base_new
#define pyb_exc_key_init pyb_exc_base_init
#define pyb_exc_key_traverse pyb_exc_base_traverse
#define pyb_exc_key_clear pyb_exc_base_clear
#define pyb_exc_key_dealloc pyb_exc_base_dealloc
#define pyb_exc_import_new pyb_exc_base_new
#define pyb_exc_name_new pyb_exc_base_new
#define pyb_exc_name_str pyb_exc_base_str
#define pyb_exc_attribute_new pyb_exc_base_new
#define pyb_exc_attribute_str pyb_exc_base_str
#define pyb_exc_syntax_new pyb_exc_base_new
#define pyb_exc_decode_new pyb_exc_base_new
#define pyb_exc_encode_new pyb_exc_base_new
#define pyb_exc_encode_traverse pyb_exc_decode_traverse
#define pyb_exc_encode_clear pyb_exc_decode_clear
#define pyb_exc_encode_dealloc pyb_exc_decode_dealloc
#define pyb_exc_translate_new pyb_exc_base_new
#define pyb_exc_translate_traverse pyb_exc_decode_traverse
#define pyb_exc_translate_clear pyb_exc_decode_clear
#define pyb_exc_translate_dealloc pyb_exc_decode_dealloc
#define pyb_exc_group_init pyb_exc_base_init

PyObject *pyb_exc_base_repr(PyObject *op);

/* Classes that other files derive from or compare with. */
extern PyTypeObject pyb_exc_BaseException, pyb_exc_Exception,
    pyb_exc_MemoryError, pyb_exc_LookupError, pyb_exc_ValueError,
    pyb_exc_ImportError, pyb_exc_NameError, pyb_exc_SyntaxError,
    pyb_exc_IndentationError, pyb_exc_OSError, pyb_exc_UnicodeError,
    pyb_exc_BaseExceptionGroup, pyb_exc_ExceptionGroup;

/* ExceptionGroup has no name in C. */
extern PyObject *PyExc_ExceptionGroup;

#endif /* PYB_OBJECT_ERROR_EXCEPTIONS_H */
