/* object.h: objects, types and reference counts.

   PyTypeObject has the public fields of CPython 3.15 in CPython's order, so
   that static types written for it initialise it by name or by position.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Common Object Structures", "Type Object Structures",
   "Reference Counting". */

#ifndef Py_OBJECT_H
#define Py_OBJECT_H

#include <stdio.h>

#include "pyport.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _object PyObject;
typedef struct _typeobject PyTypeObject;
typedef struct PyModuleDef PyModuleDef;
typedef struct PyCodeObject PyCodeObject;
typedef struct _frame PyFrameObject;

/* PyObject: what every object begins with.  ob_refcnt counts the owned
   references to it; see Py_REFCNT for the values that are not counts. */
struct _object {
    Py_ssize_t ob_refcnt;
    PyTypeObject *ob_type;
};

/* PyVarObject: what every object of variable size begins with.  ob_size
   counts items of the type's tp_itemsize. */
typedef struct {
    PyObject ob_base;
    Py_ssize_t ob_size;
} PyVarObject;

/* PyObject_HEAD, PyObject_VAR_HEAD: the first line of an object's structure,
   the member ob_base.  Sources of 2.2 say self->ob_type for what is now
   Py_TYPE(self); in structures of fixed size they may. */
#define PyObject_HEAD                                                         \
    __extension__ union {                                                     \
        PyObject ob_base;                                                     \
        __extension__ struct {                                                \
            Py_ssize_t ob_refcnt;                                             \
            PyTypeObject *ob_type;                                            \
        };                                                                    \
    };
#define PyObject_VAR_HEAD PyVarObject ob_base;
#define Py_INVALID_SIZE ((Py_ssize_t)-1)

/* A count from _Py_IMMORTAL_MIN up marks an immortal object: Py_INCREF and
   Py_DECREF leave it alone.  Objects that the compiler lays out, static types
   above all, are born so.  No program can own 2^59 references. */
#define _Py_IMMORTAL_MIN ((Py_ssize_t)1 << 59)
#define _Py_IMMORTAL_REFCNT ((Py_ssize_t)1 << 60)
#define _PYB_UPPER_HALF (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* PyObject_HEAD_INIT: without braces, as the manual has it: sources of 2.2
   write ob_size behind it, { PyObject_HEAD_INIT(NULL) 0, "name", ... }.
   PyVarObject_HEAD_INIT has the braces of PyObject_VAR_HEAD, and
   _PyB_HEAD_BRACED those of PyObject_HEAD. */
#define PyObject_HEAD_INIT(type)                                              \
    _PyB_NO_BRACES_BEGIN _Py_IMMORTAL_REFCNT, (type), _PyB_NO_BRACES_END
#define PyVarObject_HEAD_INIT(type, size)                                     \
    {{_Py_IMMORTAL_REFCNT, (type)}, (size)},
#define _PyB_HEAD_BRACED(type) {{_Py_IMMORTAL_REFCNT, (type)}},

/* Only clang lets an initialiser say that its braces are left out on
   purpose; for gcc it is -Wno-missing-braces. */
#ifdef __clang__
#define _PyB_NO_BRACES_BEGIN                                                  \
    _Pragma("clang diagnostic push")                                          \
        _Pragma("clang diagnostic ignored \"-Wmissing-braces\"")
#define _PyB_NO_BRACES_END _Pragma("clang diagnostic pop")
#else
#define _PyB_NO_BRACES_BEGIN
#define _PyB_NO_BRACES_END
#endif

#define _PyObject_CAST(op) ((PyObject *)(op))
#define _PyVarObject_CAST(op) ((PyVarObject *)(op))

/* ------------------------------------------------------------------ */
/* Slot signatures                                                     */

typedef PyObject *(*unaryfunc)(PyObject *);
typedef PyObject *(*binaryfunc)(PyObject *, PyObject *);
typedef PyObject *(*ternaryfunc)(PyObject *, PyObject *, PyObject *);
typedef int (*inquiry)(PyObject *);
typedef Py_ssize_t (*lenfunc)(PyObject *);
typedef PyObject *(*ssizeargfunc)(PyObject *, Py_ssize_t);
typedef PyObject *(*ssizessizeargfunc)(PyObject *, Py_ssize_t, Py_ssize_t);
typedef int (*ssizeobjargproc)(PyObject *, Py_ssize_t, PyObject *);
typedef int (*ssizessizeobjargproc)(PyObject *, Py_ssize_t, Py_ssize_t,
                                    PyObject *);
typedef int (*objobjargproc)(PyObject *, PyObject *, PyObject *);
typedef int (*objobjproc)(PyObject *, PyObject *);

/* visitproc: what tp_traverse calls for each object that its object owns.
   A result other than 0 ends the traversal and is passed on. */
typedef int (*visitproc)(PyObject *object, void *arg);

/* traverseproc: tp_traverse.  Calls visit(member, arg) for each member that
   self owns a reference to, and has no other effect: it neither changes a
   reference count, nor allocates, nor raises. */
typedef int (*traverseproc)(PyObject *self, visitproc visit, void *arg);

typedef void (*freefunc)(void *);
typedef void (*destructor)(PyObject *);
typedef PyObject *(*getattrfunc)(PyObject *, char *);
typedef PyObject *(*getattrofunc)(PyObject *, PyObject *);
typedef int (*setattrfunc)(PyObject *, char *, PyObject *);
typedef int (*setattrofunc)(PyObject *, PyObject *, PyObject *);
typedef PyObject *(*reprfunc)(PyObject *);
typedef Py_hash_t (*hashfunc)(PyObject *);
typedef PyObject *(*richcmpfunc)(PyObject *, PyObject *, int);
typedef PyObject *(*getiterfunc)(PyObject *);
typedef PyObject *(*iternextfunc)(PyObject *);
typedef PyObject *(*descrgetfunc)(PyObject *, PyObject *, PyObject *);
typedef int (*descrsetfunc)(PyObject *, PyObject *, PyObject *);
typedef int (*initproc)(PyObject *, PyObject *, PyObject *);
typedef PyObject *(*newfunc)(PyTypeObject *, PyObject *, PyObject *);
typedef PyObject *(*allocfunc)(PyTypeObject *, Py_ssize_t);
typedef PyObject *(*vectorcallfunc)(PyObject *callable, PyObject *const *args,
                                    size_t nargsf, PyObject *kwnames);

typedef enum {
    PYGEN_RETURN = 0,
    PYGEN_ERROR = -1,
    PYGEN_NEXT = 1
} PySendResult;
typedef PySendResult (*sendfunc)(PyObject *iter, PyObject *value,
                                 PyObject **result);

/* Py_buffer: a view of an object's memory; see PyObject_GetBuffer. */
typedef struct {
    void *buf;
    PyObject *obj;
    Py_ssize_t len;
    Py_ssize_t itemsize;
    int readonly;
    int ndim;
    char *format;
    Py_ssize_t *shape;
    Py_ssize_t *strides;
    Py_ssize_t *suboffsets;
    void *internal;
} Py_buffer;
typedef int (*getbufferproc)(PyObject *, Py_buffer *, int);
typedef void (*releasebufferproc)(PyObject *, Py_buffer *);

/* ------------------------------------------------------------------ */
/* Types                                                               */

/* The suites: what types of numbers, of sequences and so on add. */
typedef struct {
    binaryfunc nb_add;
    binaryfunc nb_subtract;
    binaryfunc nb_multiply;
    binaryfunc nb_remainder;
    binaryfunc nb_divmod;
    ternaryfunc nb_power;
    unaryfunc nb_negative;
    unaryfunc nb_positive;
    unaryfunc nb_absolute;
    inquiry nb_bool;
    unaryfunc nb_invert;
    binaryfunc nb_lshift;
    binaryfunc nb_rshift;
    binaryfunc nb_and;
    binaryfunc nb_xor;
    binaryfunc nb_or;
    unaryfunc nb_int;
    void *nb_reserved;
    unaryfunc nb_float;

    binaryfunc nb_inplace_add;
    binaryfunc nb_inplace_subtract;
    binaryfunc nb_inplace_multiply;
    binaryfunc nb_inplace_remainder;
    ternaryfunc nb_inplace_power;
    binaryfunc nb_inplace_lshift;
    binaryfunc nb_inplace_rshift;
    binaryfunc nb_inplace_and;
    binaryfunc nb_inplace_xor;
    binaryfunc nb_inplace_or;

    binaryfunc nb_floor_divide;
    binaryfunc nb_true_divide;
    binaryfunc nb_inplace_floor_divide;
    binaryfunc nb_inplace_true_divide;

    unaryfunc nb_index;

    binaryfunc nb_matrix_multiply;
    binaryfunc nb_inplace_matrix_multiply;
} PyNumberMethods;

typedef struct {
    lenfunc sq_length;
    binaryfunc sq_concat;
    ssizeargfunc sq_repeat;
    ssizeargfunc sq_item;
    void *was_sq_slice;
    ssizeobjargproc sq_ass_item;
    void *was_sq_ass_slice;
    objobjproc sq_contains;
    binaryfunc sq_inplace_concat;
    ssizeargfunc sq_inplace_repeat;
} PySequenceMethods;

typedef struct {
    lenfunc mp_length;
    binaryfunc mp_subscript;
    objobjargproc mp_ass_subscript;
} PyMappingMethods;

typedef struct {
    unaryfunc am_await;
    unaryfunc am_aiter;
    unaryfunc am_anext;
    sendfunc am_send;
} PyAsyncMethods;

typedef struct {
    getbufferproc bf_getbuffer;
    releasebufferproc bf_releasebuffer;
} PyBufferProcs;

/* PyTypeObject: a type.  The manual says of each field what it means. */
struct _typeobject {
    PyObject_VAR_HEAD
    const char *tp_name; /* "module.Name", for printing */
    Py_ssize_t tp_basicsize, tp_itemsize;

    destructor tp_dealloc;
    Py_ssize_t tp_vectorcall_offset;
    getattrfunc tp_getattr;
    setattrfunc tp_setattr;
    PyAsyncMethods *tp_as_async;
    reprfunc tp_repr;

    PyNumberMethods *tp_as_number;
    PySequenceMethods *tp_as_sequence;
    PyMappingMethods *tp_as_mapping;

    hashfunc tp_hash;
    ternaryfunc tp_call;
    reprfunc tp_str;
    getattrofunc tp_getattro;
    setattrofunc tp_setattro;

    PyBufferProcs *tp_as_buffer;
    unsigned long tp_flags;
    const char *tp_doc;

    traverseproc tp_traverse;
    inquiry tp_clear;

    richcmpfunc tp_richcompare;
    Py_ssize_t tp_weaklistoffset;

    getiterfunc tp_iter;
    iternextfunc tp_iternext;

    struct PyMethodDef *tp_methods;
    struct PyMemberDef *tp_members;
    struct PyGetSetDef *tp_getset;
    PyTypeObject *tp_base; /* owned by a heap type, borrowed by a static one */
    PyObject *tp_dict;
    descrgetfunc tp_descr_get;
    descrsetfunc tp_descr_set;
    Py_ssize_t tp_dictoffset;
    initproc tp_init;
    allocfunc tp_alloc;
    newfunc tp_new;
    freefunc tp_free;
    inquiry tp_is_gc;
    PyObject *tp_bases;
    PyObject *tp_mro;
    PyObject *tp_cache;
    void *tp_subclasses;
    PyObject *tp_weaklist;
    destructor tp_del;
    unsigned int tp_version_tag;
    destructor tp_finalize;
    vectorcallfunc tp_vectorcall;
    unsigned char tp_watched;
    uint16_t tp_versions_used;
};

/* PyHeapTypeObject: a type made at run time.  Its suites stand in the order
   in which slot numbers find them.  It has all the members of CPython's, for
   sources that initialise one. */
struct _specialization_cache {
    PyObject *getitem; /* not used, as the others */
    uint32_t getitem_version;
    PyObject *init;
};
typedef struct _heaptypeobject {
    PyTypeObject ht_type;
    PyAsyncMethods as_async;
    PyNumberMethods as_number;
    PyMappingMethods as_mapping;
    PySequenceMethods as_sequence;
    PyBufferProcs as_buffer;
    PyObject *ht_name, *ht_slots, *ht_qualname;
    struct _dictkeysobject *ht_cached_keys; /* private */
    PyObject *ht_module;
    char *_ht_tpname; /* owns what tp_name points to */
    struct _specialization_cache _spec_cache;
    void *ht_token;
} PyHeapTypeObject;

/* Flags of tp_flags. */
#define _PyB_TPFLAGS_CLEAR_FIRST (1UL << 1) /* see gc/teardown.c */
#define Py_TPFLAGS_INLINE_VALUES (1UL << 2)
#define Py_TPFLAGS_MANAGED_WEAKREF (1UL << 3)
#define Py_TPFLAGS_MANAGED_DICT (1UL << 4)
#define Py_TPFLAGS_SEQUENCE (1UL << 5)
#define Py_TPFLAGS_MAPPING (1UL << 6)
#define Py_TPFLAGS_DISALLOW_INSTANTIATION (1UL << 7)
#define Py_TPFLAGS_IMMUTABLETYPE (1UL << 8)
#define Py_TPFLAGS_HEAPTYPE (1UL << 9)
#define Py_TPFLAGS_BASETYPE (1UL << 10)
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#define _Py_TPFLAGS_HAVE_VECTORCALL Py_TPFLAGS_HAVE_VECTORCALL
#define Py_TPFLAGS_READY (1UL << 12)
#define Py_TPFLAGS_READYING (1UL << 13)
#define Py_TPFLAGS_HAVE_GC (1UL << 14)
#define Py_TPFLAGS_HAVE_STACKLESS_EXTENSION 0UL
#define Py_TPFLAGS_METHOD_DESCRIPTOR (1UL << 17)
#define Py_TPFLAGS_HAVE_VERSION_TAG (1UL << 18)
#define Py_TPFLAGS_VALID_VERSION_TAG (1UL << 19)
#define Py_TPFLAGS_IS_ABSTRACT (1UL << 20)
#define _PyB_TPFLAGS_UNTRACKABLE (1UL << 21) /* see gc/base/upcalls.h */
#define _Py_TPFLAGS_MATCH_SELF (1UL << 22)
#define Py_TPFLAGS_ITEMS_AT_END (1UL << 23)
#define Py_TPFLAGS_LONG_SUBCLASS (1UL << 24)
#define Py_TPFLAGS_LIST_SUBCLASS (1UL << 25)
#define Py_TPFLAGS_TUPLE_SUBCLASS (1UL << 26)
#define Py_TPFLAGS_BYTES_SUBCLASS (1UL << 27)
#define Py_TPFLAGS_UNICODE_SUBCLASS (1UL << 28)
#define Py_TPFLAGS_DICT_SUBCLASS (1UL << 29)
#define Py_TPFLAGS_BASE_EXC_SUBCLASS (1UL << 30)
#define Py_TPFLAGS_TYPE_SUBCLASS (1UL << 31)
#define Py_TPFLAGS_DEFAULT (Py_TPFLAGS_HAVE_STACKLESS_EXTENSION)
#define Py_TPFLAGS_HAVE_FINALIZE (1UL << 0)
/* Flags of older editions; every type has had these features for long. */
#define Py_TPFLAGS_HAVE_RICHCOMPARE 0UL
#define Py_TPFLAGS_HAVE_WEAKREFS 0UL
#define Py_TPFLAGS_HAVE_ITER 0UL
#define Py_TPFLAGS_HAVE_CLASS 0UL

/* Slot numbers and PyType_Spec. */
typedef struct {
    int slot; /* slot number, see typeslots.h */
    void *pfunc;
} PyType_Slot;

typedef struct {
    const char *name;
    int basicsize;
    int itemsize;
    unsigned int flags;
    PyType_Slot *slots;
} PyType_Spec;

/* printfunc: the signature of a slot that is no more. */
typedef int (*printfunc)(PyObject *, FILE *, int);

/* The operators of tp_richcompare. */
#define Py_LT 0
#define Py_LE 1
#define Py_EQ 2
#define Py_NE 3
#define Py_GT 4
#define Py_GE 5

/* _Py_SwappedOp: the operator for exchanged operands, by operator. */
PyAPI_DATA(int) _Py_SwappedOp[];

/* ------------------------------------------------------------------ */
/* Fields                                                              */

/* What the stable ABI also has as functions is an inline function _PyB_NAME
   under a macro NAME, and a function NAME that modules made for CPython, and
   pointers to functions, get. */

/* type, object, int and bool. */
PyAPI_DATA(PyTypeObject) PyType_Type;
PyAPI_DATA(PyTypeObject) PyBaseObject_Type;
PyAPI_DATA(PyTypeObject) PySuper_Type;
PyAPI_DATA(PyTypeObject) PyLong_Type;
PyAPI_DATA(PyTypeObject) PyBool_Type;

/* Py_REFCNT: the object's reference count.  Immortal objects answer with a
   number of at least 2^59; an object that waits for its deallocation with one
   below 1. */
PyAPI_FUNC(Py_ssize_t) Py_REFCNT(PyObject *op);
static inline Py_ssize_t
_PyB_REFCNT(PyObject *op)
{
    return op->ob_refcnt;
}

/* Py_TYPE: the object's type, borrowed. */
PyAPI_FUNC(PyTypeObject *) Py_TYPE(PyObject *op);
static inline PyTypeObject *
_PyB_TYPE(PyObject *op)
{
    return op->ob_type;
}

/* Py_SIZE: ob_size of an object of variable size. */
PyAPI_FUNC(Py_ssize_t) Py_SIZE(PyObject *op);
static inline Py_ssize_t
_PyB_SIZE(PyObject *op)
{
    return ((PyVarObject *)op)->ob_size;
}

/* Py_IS_TYPE: 1 if the object's type is exactly type, else 0.  It, Py_TYPE and
   Py_SIZE may be called in tp_traverse. */
PyAPI_FUNC(int) Py_IS_TYPE(PyObject *op, PyTypeObject *type);
static inline int
_PyB_IS_TYPE(PyObject *op, PyTypeObject *type)
{
    return op->ob_type == type;
}

/* _Py_IsImmortal: 1 if nothing counts the references to op, else 0. */
static inline int
_Py_IsImmortal(PyObject *op)
{
    return op->ob_refcnt >= _Py_IMMORTAL_MIN;
}

/* Py_SET_REFCNT, Py_SET_TYPE, Py_SET_SIZE: set the field, count nothing; an
   immortal object stays one.  _Py_SetRefcnt: the first as a function. */
PyAPI_FUNC(void) _Py_SetRefcnt(PyObject *op, Py_ssize_t refcnt);
PyAPI_FUNC(void) Py_SET_SIZE(PyVarObject *op, Py_ssize_t size);
static inline void
Py_SET_REFCNT(PyObject *op, Py_ssize_t refcnt)
{
    if (!_Py_IsImmortal(op))
        op->ob_refcnt = refcnt;
}

static inline void
Py_SET_TYPE(PyObject *op, PyTypeObject *type)
{
    op->ob_type = type;
}

/* _PyB_SET_SIZE: Py_SET_SIZE. */
static inline void
_PyB_SET_SIZE(PyVarObject *op, Py_ssize_t size)
{
    op->ob_size = size;
}

#define Py_REFCNT(op) (_PyB_REFCNT(_PyObject_CAST(op)))
#define Py_TYPE(op) (_PyB_TYPE(_PyObject_CAST(op)))
#define Py_SIZE(op) (_PyB_SIZE(_PyObject_CAST(op)))
#define Py_IS_TYPE(op, type) (_PyB_IS_TYPE(_PyObject_CAST(op), (type)))
#define _Py_IsImmortal(op) (_Py_IsImmortal(_PyObject_CAST(op)))
#define Py_SET_REFCNT(op, n) (Py_SET_REFCNT(_PyObject_CAST(op), (n)))
#define Py_SET_TYPE(op, type) (Py_SET_TYPE(_PyObject_CAST(op), (type)))
#define Py_SET_SIZE(op, n) (_PyB_SET_SIZE(_PyVarObject_CAST(op), (n)))

/* ------------------------------------------------------------------ */
/* Reference counts                                                    */

/* _Py_Dealloc: releases an object whose count has fallen to zero, through its
   type's tp_dealloc.  Nested releases below a fixed depth are put off until
   the outer ones are done, so chains of any length need little stack. */
PyAPI_FUNC(void) _Py_Dealloc(PyObject *op);

/* Is op's count below _Py_IMMORTAL_MIN?  The upper half of it tells: a compare
   with memory and an add to memory are three instructions, a count in a
   register and a constant of 64 bits six. */
static inline int
_PyB_IsMortal(const PyObject *op)
{
    typedef int _half __attribute__((__may_alias__));
    const _half *halves = (const _half *)(const void *)&op->ob_refcnt;

    return halves[_PYB_UPPER_HALF] < (int)(_Py_IMMORTAL_MIN >> 32);
}

/* Py_INCREF: makes the caller an owner of op, which is not NULL. */
static inline void
Py_INCREF(PyObject *op)
{
    if (_PyB_LIKELY(_PyB_IsMortal(op)))
        op->ob_refcnt++;
}

/* Py_DECREF: gives up the caller's reference to op, which is not NULL, and
   releases the object with the last one.  Any code may run in it. */
static inline void
Py_DECREF(PyObject *op)
{
    if (_PyB_LIKELY(_PyB_IsMortal(op)) && --op->ob_refcnt == 0)
        _Py_Dealloc(op);
}

/* Py_XINCREF, Py_XDECREF: the same; NULL is allowed and ignored. */
static inline void
Py_XINCREF(PyObject *op)
{
    if (op != NULL)
        Py_INCREF(op);
}

static inline void
Py_XDECREF(PyObject *op)
{
    if (op != NULL)
        Py_DECREF(op);
}

/* Py_NewRef, Py_XNewRef: op with a new reference to it. */
PyAPI_FUNC(PyObject *) Py_NewRef(PyObject *op);
PyAPI_FUNC(PyObject *) Py_XNewRef(PyObject *op);
static inline PyObject *
_PyB_NewRef(PyObject *op)
{
    Py_INCREF(op);
    return op;
}
static inline PyObject *
_PyB_XNewRef(PyObject *op)
{
    Py_XINCREF(op);
    return op;
}

#define Py_INCREF(op) (Py_INCREF(_PyObject_CAST(op)))
#define Py_DECREF(op) (Py_DECREF(_PyObject_CAST(op)))
#define Py_XINCREF(op) (Py_XINCREF(_PyObject_CAST(op)))
#define Py_XDECREF(op) (Py_XDECREF(_PyObject_CAST(op)))
#define Py_NewRef(op) (_PyB_NewRef(_PyObject_CAST(op)))
#define Py_XNewRef(op) (_PyB_XNewRef(_PyObject_CAST(op)))

/* Py_CLEAR(lvalue): sets it to NULL, then gives up the reference that it
   held, so that code run by the release finds no half-dead member. */
#define Py_CLEAR(op)                                                          \
    do {                                                                      \
        PyObject **_pyb_member = (PyObject **)(void *)&(op);                  \
        PyObject *_pyb_old = *_pyb_member;                                    \
        if (_pyb_old != NULL) {                                               \
            *_pyb_member = NULL;                                              \
            Py_DECREF(_pyb_old);                                              \
        }                                                                     \
    } while (0)

/* Py_SETREF(lvalue, value), Py_XSETREF: the same with a new value, whose
   reference is stolen. */
#define Py_SETREF(dst, src)                                                   \
    do {                                                                      \
        PyObject **_pyb_member = (PyObject **)(void *)&(dst);                 \
        PyObject *_pyb_old = *_pyb_member;                                    \
        *_pyb_member = _PyObject_CAST(src);                                   \
        Py_DECREF(_pyb_old);                                                  \
    } while (0)
#define Py_XSETREF(dst, src)                                                  \
    do {                                                                      \
        PyObject **_pyb_member = (PyObject **)(void *)&(dst);                 \
        PyObject *_pyb_old = *_pyb_member;                                    \
        *_pyb_member = _PyObject_CAST(src);                                   \
        Py_XDECREF(_pyb_old);                                                 \
    } while (0)

/* Py_IncRef, Py_DecRef: Py_XINCREF and Py_XDECREF as functions; _Py_IncRef,
   _Py_DecRef: Py_INCREF and Py_DECREF, for modules made for the stable ABI. */
PyAPI_FUNC(void) Py_IncRef(PyObject *op);
PyAPI_FUNC(void) Py_DecRef(PyObject *op);
PyAPI_FUNC(void) _Py_IncRef(PyObject *op);
PyAPI_FUNC(void) _Py_DecRef(PyObject *op);

#ifndef Py_LIMITED_API

/* PyUnstable_Object_IsUniquelyReferenced: 1 if the caller's reference is the
   only one, else 0.  PyUnstable_Object_IsUniqueReferencedTemporary: 0: no
   interpreter has such temporaries.  PyUnstable_IsImmortal: 1 if nothing
   counts the references to op, else 0. */
PyAPI_FUNC(int) PyUnstable_Object_IsUniquelyReferenced(PyObject *op);
PyAPI_FUNC(int) PyUnstable_Object_IsUniqueReferencedTemporary(PyObject *op);
PyAPI_FUNC(int) PyUnstable_IsImmortal(PyObject *op);

/* PyObject_Dump: writes to standard error where op is, its count, its type and
   its repr; of NULL, and where no object is seen to be, only the address.  The
   thread need not be attached; a pending exception stays.  For debugging. */
PyAPI_FUNC(void) PyObject_Dump(PyObject *op);
#define _PyObject_Dump PyObject_Dump

/* PyUnstable_SetImmortal: from now on nothing counts the references to op,
   which lives as long as the process.  1; or 0, and nothing happens, if op is
   a str, or the caller's reference is not the only one. */
PyAPI_FUNC(int) PyUnstable_SetImmortal(PyObject *op);

/* PyUnstable_Object_EnableDeferredRefcount: 0: all references are counted at
   once.  PyUnstable_TryIncRef: Py_INCREF and 1, or 0 if the last reference is
   gone.  PyUnstable_EnableTryIncRef: does nothing. */
PyAPI_FUNC(int) PyUnstable_Object_EnableDeferredRefcount(PyObject *op);
PyAPI_FUNC(int) PyUnstable_TryIncRef(PyObject *op);
PyAPI_FUNC(void) PyUnstable_EnableTryIncRef(PyObject *op);

#endif

/* ------------------------------------------------------------------ */
/* Singletons                                                          */

PyAPI_DATA(PyObject) _Py_NoneStruct;
PyAPI_DATA(PyObject) _Py_NotImplementedStruct;
PyAPI_DATA(PyObject) _Py_EllipsisObject;

/* Immortal: borrowed or owned makes no difference. */
#define Py_None (&_Py_NoneStruct)
#define Py_NotImplemented (&_Py_NotImplementedStruct)
#define Py_Ellipsis (&_Py_EllipsisObject)
#define Py_RETURN_NONE return Py_None
#define Py_RETURN_NOTIMPLEMENTED return Py_NotImplemented

/* Py_Is and kin: identity, 1 or 0. */
PyAPI_FUNC(int) Py_Is(PyObject *x, PyObject *y);
PyAPI_FUNC(int) Py_IsNone(PyObject *x);
#define Py_Is(x, y) ((x) == (y))
#define Py_IsNone(x) Py_Is(_PyObject_CAST(x), Py_None)

/* Py_RETURN_RICHCOMPARE(val1, val2, op): returns from the caller with what the
   operator op, one of Py_LT ... Py_GE, says of two C values. */
#define Py_RETURN_RICHCOMPARE(val1, val2, op)                                 \
    do {                                                                      \
        switch (op) {                                                         \
        case Py_EQ:                                                           \
            if ((val1) == (val2))                                             \
                Py_RETURN_TRUE;                                               \
            Py_RETURN_FALSE;                                                  \
        case Py_NE:                                                           \
            if ((val1) != (val2))                                             \
                Py_RETURN_TRUE;                                               \
            Py_RETURN_FALSE;                                                  \
        case Py_LT:                                                           \
            if ((val1) < (val2))                                              \
                Py_RETURN_TRUE;                                               \
            Py_RETURN_FALSE;                                                  \
        case Py_GT:                                                           \
            if ((val1) > (val2))                                              \
                Py_RETURN_TRUE;                                               \
            Py_RETURN_FALSE;                                                  \
        case Py_LE:                                                           \
            if ((val1) <= (val2))                                             \
                Py_RETURN_TRUE;                                               \
            Py_RETURN_FALSE;                                                  \
        case Py_GE:                                                           \
            if ((val1) >= (val2))                                             \
                Py_RETURN_TRUE;                                               \
            Py_RETURN_FALSE;                                                  \
        default:                                                              \
            Py_UNREACHABLE();                                                 \
        }                                                                     \
    } while (0)

/* ------------------------------------------------------------------ */
/* Types, for callers                                                  */

/* PyType_Ready: completes a static type: fills in what it inherits, makes
   tp_dict and tp_mro.  To be called once before the first instance; calling
   it again does nothing.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyType_Ready(PyTypeObject *type);

/* PyType_IsSubtype: 1 if a is b or inherits from it, else 0.  May be called
   in tp_traverse. */
PyAPI_FUNC(int) PyType_IsSubtype(PyTypeObject *a, PyTypeObject *b);

/* PyType_GetFlags: tp_flags. */
PyAPI_FUNC(unsigned long) PyType_GetFlags(PyTypeObject *type);

/* PyType_HasFeature: 1 if tp_flags has one of the flags feature, else 0.  May
   be called in tp_traverse. */
static inline int
PyType_HasFeature(PyTypeObject *type, unsigned long feature)
{
    return (type->tp_flags & feature) != 0;
}
#define PyType_FastSubclass(type, flag) PyType_HasFeature((type), (flag))

/* PyType_Check, PyType_CheckExact: is op a type (of any metaclass; of type
   itself)?  May be called in tp_traverse. */
#define PyType_Check(op)                                                      \
    PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_TYPE_SUBCLASS)
#define PyType_CheckExact(op) Py_IS_TYPE((op), &PyType_Type)

/* PyObject_TypeCheck: 1 if op is an instance of type or of a subtype, else 0.
   May be called in tp_traverse. */
static inline int
PyObject_TypeCheck(PyObject *op, PyTypeObject *type)
{
    return op->ob_type == type || PyType_IsSubtype(op->ob_type, type);
}
#define PyObject_TypeCheck(op, type)                                          \
    (PyObject_TypeCheck(_PyObject_CAST(op), (type)))

/* PyType_GenericAlloc: memory for one object of the type with nitems items:
   zeroed, count 1, header set, and tracked if the type has Py_TPFLAGS_HAVE_GC.
   The default of tp_alloc.  A new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *)
    PyType_GenericAlloc(PyTypeObject *type, Py_ssize_t nitems);

/* PyType_GenericNew: tp_new that only calls tp_alloc.  A new reference, or
   NULL with what that raised. */
PyAPI_FUNC(PyObject *)
    PyType_GenericNew(PyTypeObject *type, PyObject *args, PyObject *kwds);

/* PyType_Modified: drops what is cached of the type and of all that inherit
   from it, and calls the watchers of these types; to be called after its
   dictionary or slots were changed by hand: lookups would go on as before.
   With checks that is fatal. */
PyAPI_FUNC(void) PyType_Modified(PyTypeObject *type);

/* PyUnstable_Type_AssignVersionTag: gives the type a version tag that is in
   tp_version_tag, and valid while Py_TPFLAGS_VALID_VERSION_TAG is set.  1, or
   0 if there is none left for it; no exception. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) PyUnstable_Type_AssignVersionTag(PyTypeObject *type);
#endif

/* PyType_AddWatcher, PyType_ClearWatcher: a function that is called after
   changes of the types that it watches, at most eight at a time; -1 from it,
   with an exception, is unraisable.  Its number, or 0; -1 with RuntimeError if
   there is no number left, with ValueError for a number not in use.
   PyType_Watch, PyType_Unwatch: it watches the type from now on, or no more.
   0, or -1 with ValueError for such a number or if type is none. */
typedef int (*PyType_WatchCallback)(PyTypeObject *type);
PyAPI_FUNC(int) PyType_AddWatcher(PyType_WatchCallback callback);
PyAPI_FUNC(int) PyType_ClearWatcher(int watcher_id);
PyAPI_FUNC(int) PyType_Watch(int watcher_id, PyObject *type);
PyAPI_FUNC(int) PyType_Unwatch(int watcher_id, PyObject *type);

/* PyType_Freeze: makes a type immutable, before its first use; its bases are
   so already.  0, or -1 with TypeError naming a base that is not. */
PyAPI_FUNC(int) PyType_Freeze(PyTypeObject *type);

/* _PyType_Lookup: the attribute that the type's MRO finds first, borrowed, or
   NULL without an exception. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyObject *) _PyType_Lookup(PyTypeObject *type, PyObject *name);
#endif

/* PyType_FromSpec and kin: a new heap type from a description.  bases is a
   tuple of types, a type, or NULL: what the slots Py_tp_bases or Py_tp_base
   say, else object.  The metatype is metaclass (NULL: type) or that of a base
   if it is derived from it.  Name, doc string and member table are copied; the
   spec may be gone afterwards, but not what its other slots and the members'
   names point to.  A new reference, or NULL with an exception: SystemError for
   a bad spec, RuntimeError "invalid slot offset" for a number that is no
   slot's, TypeError for bases or metatype that do not fit. */
PyAPI_FUNC(PyObject *) PyType_FromSpec(PyType_Spec *spec);
PyAPI_FUNC(PyObject *)
    PyType_FromSpecWithBases(PyType_Spec *spec, PyObject *bases);
PyAPI_FUNC(PyObject *)
    PyType_FromModuleAndSpec(PyObject *module, PyType_Spec *spec,
                             PyObject *bases);
#if _PYB_LIMITED_AT_LEAST(0x030C0000)
PyAPI_FUNC(PyObject *)
    PyType_FromMetaclass(PyTypeObject *metaclass, PyObject *module,
                         PyType_Spec *spec, PyObject *bases);
#endif

/* PyType_GetSlot: the content of a slot by number, or NULL; NULL with
   SystemError for a number that is none. */
PyAPI_FUNC(void *) PyType_GetSlot(PyTypeObject *type, int slot);

/* PyType_GetName, PyType_GetQualName, PyType_GetModuleName,
   PyType_GetFullyQualifiedName: the type's names; new references, or NULL with
   an exception. */
PyAPI_FUNC(PyObject *) PyType_GetName(PyTypeObject *type);
PyAPI_FUNC(PyObject *) PyType_GetQualName(PyTypeObject *type);
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(PyObject *) PyType_GetModuleName(PyTypeObject *type);
PyAPI_FUNC(PyObject *) PyType_GetFullyQualifiedName(PyTypeObject *type);
#endif

/* PyType_GetModule, PyType_GetModuleState: the module that a heap type was
   made for, borrowed, and that module's state.  NULL with TypeError if there
   is no module; NULL without an exception if that has no state. */
PyAPI_FUNC(PyObject *) PyType_GetModule(PyTypeObject *type);
PyAPI_FUNC(void *) PyType_GetModuleState(PyTypeObject *type);

/* PyType_GetModuleByToken: the module, of that token (PyModule_GetToken), of
   the first class of the type's MRO that has one; a new reference, or NULL
   with TypeError.  PyType_GetModuleByDef: the same, borrowed from the type;
   the definition's address is the token. */
#if _PYB_LIMITED_AT_LEAST(0x030F0000)
PyAPI_FUNC(PyObject *)
    PyType_GetModuleByToken(PyTypeObject *type, const void *mod_token);
#endif
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(PyObject *)
    PyType_GetModuleByDef(PyTypeObject *type, PyModuleDef *def);
#endif

/* PyType_GetBaseByToken: the first class of the type's MRO whose Py_tp_token
   is the token.  1 with *result set to a new reference, 0 if there is none, -1
   with an exception; *result is NULL then.  result may be NULL. */
#if _PYB_LIMITED_AT_LEAST(0x030E0000)
PyAPI_FUNC(int) PyType_GetBaseByToken(PyTypeObject *type, void *token,
                                      PyTypeObject **result);
#endif

/* PyObject_GetTypeData, PyType_GetTypeDataSize: that part of an instance which
   cls, a type of negative basicsize, added to its base, and how large it is;
   0 if it added nothing.  Whether op is an instance of cls is not checked.
   PyObject_GetItemData: the items of an object whose type has
   Py_TPFLAGS_ITEMS_AT_END; without it NULL with TypeError. */
#if _PYB_LIMITED_AT_LEAST(0x030C0000)
PyAPI_FUNC(void *) PyObject_GetTypeData(PyObject *op, PyTypeObject *cls);
PyAPI_FUNC(Py_ssize_t) PyType_GetTypeDataSize(PyTypeObject *cls);
#endif
#ifndef Py_LIMITED_API
PyAPI_FUNC(void *) PyObject_GetItemData(PyObject *op);
#endif

/* The same for tp_traverse and for nothing else: without exceptions or other
   side effects, on any thread; a pending exception stays.  What they return
   and set is borrowed and good until the handler returns.  A failure is NULL,
   or -1, and nothing more; a type or module that the collector has cleared
   may have lost what is asked for.  moduleobject.h has two more.

   Manual: "Supporting Cyclic Garbage Collection", section "DuringGC
   functions". */
#if _PYB_LIMITED_AT_LEAST(0x030F0000)
PyAPI_FUNC(void *)
    PyObject_GetTypeData_DuringGC(PyObject *op, PyTypeObject *cls);
PyAPI_FUNC(void *) PyObject_GetItemData_DuringGC(PyObject *op);
PyAPI_FUNC(PyObject *) PyType_GetModule_DuringGC(PyTypeObject *type);
PyAPI_FUNC(void *) PyType_GetModuleState_DuringGC(PyTypeObject *type);
PyAPI_FUNC(PyObject *) PyType_GetModuleByToken_DuringGC(PyTypeObject *type,
                                                        const void *mod_token);
PyAPI_FUNC(int)
    PyType_GetBaseByToken_DuringGC(PyTypeObject *type, void *tp_token,
                                   PyTypeObject **result);
#endif

/* PyType_ClearCache: drops all that is cached of lookups in any type;
   returns the last version tag given out. */
PyAPI_FUNC(unsigned int) PyType_ClearCache(void);

/* PyType_GetDict: the type's dictionary, not to be changed; a new
   reference. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyObject *) PyType_GetDict(PyTypeObject *type);
#endif

/* Py_GetConstant: None, False, ..., the empty tuple, by number: a new
   reference, or NULL with SystemError for a number that is none;
   Py_GetConstantBorrowed: the same, borrowed. */
#define Py_CONSTANT_NONE 0
#define Py_CONSTANT_FALSE 1
#define Py_CONSTANT_TRUE 2
#define Py_CONSTANT_ELLIPSIS 3
#define Py_CONSTANT_NOT_IMPLEMENTED 4
#define Py_CONSTANT_ZERO 5
#define Py_CONSTANT_ONE 6
#define Py_CONSTANT_EMPTY_STR 7
#define Py_CONSTANT_EMPTY_BYTES 8
#define Py_CONSTANT_EMPTY_TUPLE 9
PyAPI_FUNC(PyObject *) Py_GetConstant(unsigned int constant_id);
PyAPI_FUNC(PyObject *) Py_GetConstantBorrowed(unsigned int constant_id);

#ifdef __cplusplus
}
#endif

#endif /* Py_OBJECT_H */
