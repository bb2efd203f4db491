/* descrobject.h: attributes of types: descriptions of members and computed
   attributes, and the descriptor objects made from them.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Common Object Structures", part "Accessing attributes of extension
   types"; "Descriptor Objects". */

#ifndef Py_DESCROBJECT_H
#define Py_DESCROBJECT_H

#include "object.h"
#include "methodobject.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* Computed attributes                                                 */

/* getter: returns a new reference, or NULL with an exception.  setter: 0, or
   -1 with an exception; value NULL means: delete. */
typedef PyObject *(*getter)(PyObject *self, void *closure);
typedef int (*setter)(PyObject *self, PyObject *value, void *closure);

/* PyGetSetDef: a computed attribute; get or set may be NULL.  A NULL name
   ends a table. */
struct PyGetSetDef {
    const char *name;
    getter get;
    setter set;
    const char *doc;
    void *closure;
};
typedef struct PyGetSetDef PyGetSetDef;

/* ------------------------------------------------------------------ */
/* Members                                                             */

/* PyMemberDef: an attribute that is a field of the C structure, offset bytes
   from its start.  A NULL name ends a table. */
struct PyMemberDef {
    const char *name;
    int type;
    Py_ssize_t offset;
    int flags;
    const char *doc;
};
typedef struct PyMemberDef PyMemberDef;

/* What a member is in C. */
#define Py_T_SHORT 0
#define Py_T_INT 1
#define Py_T_LONG 2
#define Py_T_FLOAT 3
#define Py_T_DOUBLE 4
#define Py_T_STRING 5  /* const char *, or NULL: None; read-only */
#define _Py_T_OBJECT 6 /* PyObject *; NULL reads as None */
#define Py_T_CHAR 7    /* char: a str of one ASCII character */
#define Py_T_BYTE 8    /* signed char */
#define Py_T_UBYTE 9
#define Py_T_USHORT 10
#define Py_T_UINT 11
#define Py_T_ULONG 12
#define Py_T_STRING_INPLACE 13 /* char[]; read-only */
#define Py_T_BOOL 14           /* char */
#define Py_T_OBJECT_EX 16      /* PyObject *; NULL: AttributeError */
#define Py_T_LONGLONG 17
#define Py_T_ULONGLONG 18
#define Py_T_PYSSIZET 19
#define _Py_T_NONE 20 /* always None */

/* Flags of a member. */
#define Py_READONLY 1
#define Py_AUDIT_READ 2 /* accepted; nothing is audited */
#define _Py_WRITE_RESTRICTED 4
#define Py_RELATIVE_OFFSET 8 /* offset counts from the subclass's data */

/* PyMember_GetOne: the value of the member of the object at obj_addr.  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyMember_GetOne(const char *obj_addr, PyMemberDef *member);

/* PyMember_SetOne: stores value (not stolen); NULL deletes the attribute,
   which only object members allow.  0, or -1 with an exception.  A number
   that does not fit is stored cut off, with a RuntimeWarning, where CPython
   does so. */
PyAPI_FUNC(int)
    PyMember_SetOne(char *obj_addr, PyMemberDef *member, PyObject *value);

/* ------------------------------------------------------------------ */
/* Descriptors                                                         */

/* PyDescrObject: what all descriptors made from tables begin with; d_type and
   d_name are owned.  The others add what they were made from. */
typedef struct {
    PyObject_HEAD
    PyTypeObject *d_type;
    PyObject *d_name;
    PyObject *d_qualname; /* made when first asked for */
} PyDescrObject;

typedef struct {
    PyDescrObject d_common;
    PyMethodDef *d_method;
    vectorcallfunc vectorcall;
} PyMethodDescrObject;

typedef struct {
    PyDescrObject d_common;
    PyMemberDef *d_member;
} PyMemberDescrObject;

typedef struct {
    PyDescrObject d_common;
    PyGetSetDef *d_getset;
} PyGetSetDescrObject;

/* wrapperfunc: calls the function `wrapped' of self's type with the arguments
   of a call from outside; a new reference, or NULL with an exception. */
typedef PyObject *(*wrapperfunc)(PyObject *self, PyObject *args,
                                 void *wrapped);
typedef PyObject *(*wrapperfunc_kwds)(PyObject *self, PyObject *args,
                                      void *wrapped, PyObject *kwds);

/* wrapperbase: a special method that stands for a slot: its name, the slot
   (offset: the number it has in typeslots.h), the function that the slot of a
   class gets which has such a method, and how a slot's function is called.
   With PyWrapperFlag_KEYWORDS wrapper is a wrapperfunc_kwds. */
struct wrapperbase {
    const char *name;
    int offset;
    void *function;
    wrapperfunc wrapper;
    const char *doc;
    int flags;
    PyObject *name_strobj; /* may be NULL; whatever reads it borrows it */
};

#define PyWrapperFlag_KEYWORDS 1

typedef struct {
    PyDescrObject d_common;
    struct wrapperbase *d_base;
    void *d_wrapped; /* the slot's function */
} PyWrapperDescrObject;

/* PyDescr_TYPE, PyDescr_NAME: the two, borrowed, without a check. */
#define PyDescr_COMMON PyDescrObject d_common
#define PyDescr_TYPE(x) (((PyDescrObject *)(void *)(x))->d_type)
#define PyDescr_NAME(x) (((PyDescrObject *)(void *)(x))->d_name)

/* The types of descriptors of methods, class methods, members, computed
   attributes and slots, and of the method that a slot's descriptor becomes for
   one object. */
PyAPI_DATA(PyTypeObject) PyMethodDescr_Type;
PyAPI_DATA(PyTypeObject) PyClassMethodDescr_Type;
PyAPI_DATA(PyTypeObject) PyMemberDescr_Type;
PyAPI_DATA(PyTypeObject) PyGetSetDescr_Type;
PyAPI_DATA(PyTypeObject) PyWrapperDescr_Type;
PyAPI_DATA(PyTypeObject) _PyMethodWrapper_Type;

/* PyDescr_NewMethod and kin: the descriptor of one table entry for type.  The
   entry must outlive it.  A new reference, or NULL with an exception; a
   method of bad flags or a member with Py_RELATIVE_OFFSET: SystemError. */
PyAPI_FUNC(PyObject *)
    PyDescr_NewMethod(PyTypeObject *type, PyMethodDef *method);
PyAPI_FUNC(PyObject *)
    PyDescr_NewClassMethod(PyTypeObject *type, PyMethodDef *method);
PyAPI_FUNC(PyObject *)
    PyDescr_NewMember(PyTypeObject *type, PyMemberDef *member);
PyAPI_FUNC(PyObject *)
    PyDescr_NewGetSet(PyTypeObject *type, PyGetSetDef *getset);

#if !defined(Py_LIMITED_API)
/* PyDescr_NewWrapper: the descriptor of the function `wrapped', which stands
   in a slot of type, under the name of base, which must outlive it.  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyDescr_NewWrapper(PyTypeObject *type, struct wrapperbase *base,
                       void *wrapped);
#endif

/* PyWrapper_New: such a descriptor as a method of self, which is not checked.
   A new reference, or NULL with an exception: SystemError if descr is no
   slot's descriptor. */
PyAPI_FUNC(PyObject *) PyWrapper_New(PyObject *descr, PyObject *self);

/* PyDescr_IsData: non-zero if the descriptor also sets, so that it goes
   before the instance's dictionary.  Never fails. */
PyAPI_FUNC(int) PyDescr_IsData(PyObject *descr);

/* ------------------------------------------------------------------ */
/* property, classmethod, staticmethod                                 */

/* property, classmethod and staticmethod. */
PyAPI_DATA(PyTypeObject) PyProperty_Type;
PyAPI_DATA(PyTypeObject) PyClassMethod_Type;
PyAPI_DATA(PyTypeObject) PyStaticMethod_Type;

/* PyClassMethod_New, PyStaticMethod_New: callable as the class's method, and
   as a function that gets no first argument.  A new reference, or NULL
   with an exception. */
PyAPI_FUNC(PyObject *) PyClassMethod_New(PyObject *callable);
PyAPI_FUNC(PyObject *) PyStaticMethod_New(PyObject *callable);

#ifdef __cplusplus
}
#endif

#endif /* Py_DESCROBJECT_H */
