/* weakref.c: the lists of weak references, the C functions for them, and their
   part in collections.  The types are in weakreftype.c and weakproxy.c. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "object/error/errors.h"
#include "object/weakref/weakref.h"

PyObject **
pyb_weakref_list_ptr(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    if (type->tp_flags & Py_TPFLAGS_MANAGED_WEAKREF)
        return pyb_heap_managed_weaklist(op);
    if (type->tp_weaklistoffset > 0)
        return (PyObject **)((char *)op + type->tp_weaklistoffset);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* The list                                                            */

/* An object with a count below 1 is dying, or its deallocation is deferred. */
static int
is_alive(PyObject *op)
{
    return Py_REFCNT(op) > 0;
}

static int
in_list(const PyWeakReference *self)
{
    return self->wr_hidden != 0;
}

/* What Boehm does not take for a pointer. */
static uintptr_t
hide(const void *address)
{
    return address != NULL ? ~(uintptr_t)address : 0;
}

static void *
reveal(uintptr_t hidden)
{
    return hidden != 0 ? (void *)~hidden : NULL;
}

static PyObject *
referent(const PyWeakReference *self)
{
    PYB_ASSERT(in_list(self));
    return reveal(self->wr_hidden);
}

static PyWeakReference *
next_of(const PyWeakReference *self)
{
    return reveal(self->wr_hidden_next);
}

static PyWeakReference *
prev_of(const PyWeakReference *self)
{
    return reveal(self->wr_hidden_prev);
}

/* The first weak reference to op, or NULL. */
static PyWeakReference *
first_of(PyObject *op)
{
    PyObject **list = pyb_weakref_list_ptr(op);

    return list != NULL ? reveal((uintptr_t)*list) : NULL;
}

/* Has two of op's weak references follow one another; without prev, next
   becomes the first. */
static void
join(PyObject *op, PyWeakReference *prev, PyWeakReference *next)
{
    if (next != NULL)
        next->wr_hidden_prev = hide(prev);
    if (prev != NULL)
        prev->wr_hidden_next = hide(next);
    else
        *pyb_weakref_list_ptr(op) = (PyObject *)hide(next);
}

/* Inserts self into op's list, behind prev or, if that is NULL, at the
   beginning. */
static void
insert_after(PyObject *op, PyWeakReference *prev, PyWeakReference *self)
{
    PyWeakReference *next = prev != NULL ? next_of(prev) : first_of(op);

    PYB_ASSERT_OBJECT(!in_list(self), op);
    PYB_ASSERT(prev == NULL || referent(prev) == op);
    self->wr_hidden = hide(op);
    join(op, prev, self);
    join(op, self, next);
}

void
pyb_weakref_forget(PyWeakReference *self)
{
    if (!in_list(self))
        return;

    PyObject *op = referent(self);
    PyWeakReference *prev = prev_of(self), *next = next_of(self);
    PYB_ASSERT((prev != NULL ? next_of(prev) : first_of(op)) == self);
    PYB_ASSERT(next == NULL || prev_of(next) == self);
    join(op, prev, next);
    self->wr_hidden = self->wr_hidden_prev = self->wr_hidden_next = 0;
}

/* The basic kinds come first in the list, in this order. */
enum kind { BASIC_REF, BASIC_PROXY, OTHER };

static enum kind
kind_of(PyTypeObject *type, PyObject *callback)
{
    if (callback != NULL)
        return OTHER;
    if (type == &_PyWeakref_RefType)
        return BASIC_REF;
    if (type == &_PyWeakref_ProxyType || type == &_PyWeakref_CallableProxyType)
        return BASIC_PROXY;
    return OTHER;
}

void
pyb_weakref_check(PyObject *op)
{
    const PyWeakReference *before = NULL, *self = first_of(op);
    enum kind last = BASIC_REF;

    PYB_ALWAYS(pyb_weakref_list_ptr(op) != NULL, op,
               "it can have no weak references");
    for (; self != NULL; before = self, self = next_of(self)) {
        enum kind kind = kind_of(Py_TYPE(self), self->wr_callback);

        PYB_ALWAYS(PyWeakref_Check(self), op,
                   "its list of weak references has another object");
        PYB_ALWAYS(in_list(self) && referent(self) == op, op,
                   "it has another one's weak reference in its list");
        PYB_ALWAYS(prev_of(self) == before, op,
                   "its list of weak references is broken");
        PYB_ALWAYS(kind >= last, op,
                   "a shared weak reference is not at the head of its list");
        last = kind;
    }
}

/* Finds the place for a weak reference to op: the last one of its kind or an
   earlier kind, NULL if there is none.  *found becomes 1 if that is a live
   basic reference of this kind.  A dying one, which stays in the list until
   its deallocation, may precede it. */
static PyWeakReference *
find_place(PyObject *op, enum kind kind, int *found)
{
    PyWeakReference *place = NULL;
    PyWeakReference *next = first_of(op);

    *found = 0;
    for (; next != NULL; next = next_of(next)) {
        enum kind here = kind_of(Py_TYPE(next), next->wr_callback);
        if (here == OTHER || here > kind)
            break;
        place = next;
        if (here == kind && is_alive((PyObject *)next)) {
            *found = 1;
            break;
        }
    }
    return place;
}

/* ------------------------------------------------------------------ */
/* Making weak references                                              */

/* A new reference to a weak reference that is shared. */
static PyObject *
share(PyWeakReference *found)
{
    pyb_adoption_note((PyObject *)found);
    return Py_NewRef(found);
}

PyObject *
pyb_weakref_new(PyTypeObject *type, PyObject *op, PyObject *callback)
{
    int found;

    if (pyb_weakref_list_ptr(op) == NULL) {
        pyb_dead_given(PyType_IsSubtype(type, &_PyWeakref_RefType)
                           ? "PyWeakref_NewRef"
                           : "PyWeakref_NewProxy",
                       op);
        return PyErr_Format(PyExc_TypeError,
                            "cannot create weak reference to '%s' object",
                            Py_TYPE(op)->tp_name);
    }
    if (callback == Py_None)
        callback = NULL;

    enum kind kind = kind_of(type, callback);
    PyWeakReference *place = find_place(op, kind, &found);
    if (found)
        return share(place);

    PyWeakReference *self = (PyWeakReference *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    PYB_ASSERT_OBJECT(PyWeakref_Check(self) && !in_list(self), op);
    place = find_place(op, kind, &found);
    if (found) { /* made during a collection in the allocation */
        Py_DECREF(self);
        return share(place);
    }
    self->wr_callback = Py_XNewRef(callback);
    self->hash = -1;
    insert_after(op, place, self);
    if (kind != OTHER)
        PYB_EXPENSIVE(pyb_weakref_check(op));
    return (PyObject *)self;
}

PyObject *
PyWeakref_NewRef(PyObject *ob, PyObject *callback)
{
    return pyb_weakref_new(&_PyWeakref_RefType, ob, callback);
}

PyObject *
PyWeakref_NewProxy(PyObject *ob, PyObject *callback)
{
    PyTypeObject *type = PyCallable_Check(ob) ? &_PyWeakref_CallableProxyType
                                              : &_PyWeakref_ProxyType;

    return pyb_weakref_new(type, ob, callback);
}

/* ------------------------------------------------------------------ */
/* Queries                                                             */

static PyObject *
living_referent(PyObject *ref)
{
    PyWeakReference *self = (PyWeakReference *)ref;

    PYB_ASSERT_OBJECT(PyWeakref_Check(ref), ref);
    return in_list(self) && is_alive(referent(self)) ? referent(self) : NULL;
}

PyObject *
pyb_weakref_referent(PyObject *ref)
{
    PyObject *op = living_referent(ref);

    if (op != NULL)
        pyb_adoption_note(op);
    return op;
}

/* 1 if ref is a weak reference, 0 if it is another object; -1 with SystemError
   for NULL. */
static int
check_reference(PyObject *ref)
{
    if (ref == NULL)
        return PYB_BAD_CALL(-1);
    return PyWeakref_Check(ref);
}

int
PyWeakref_GetRef(PyObject *ref, PyObject **pobj)
{
    int is_reference = check_reference(ref);

    *pobj = NULL;
    if (is_reference == 0)
        PyErr_SetString(PyExc_TypeError, "expected a weakref");
    if (is_reference <= 0)
        return -1;
    *pobj = Py_XNewRef(pyb_weakref_referent(ref));
    return *pobj != NULL;
}

int
PyWeakref_IsDead(PyObject *ref)
{
    int is_reference = check_reference(ref);

    if (is_reference == 0)
        PyErr_Format(PyExc_TypeError, "expected a weakref, got %.200s",
                     Py_TYPE(ref)->tp_name);
    if (is_reference <= 0)
        return -1;
    return living_referent(ref) == NULL;
}

PyObject *
PyWeakref_GetObject(PyObject *ref)
{
    if (ref == NULL || !PyWeakref_Check(ref))
        return PYB_BAD_CALL(NULL);

    PyObject *op = pyb_weakref_referent(ref);
    return op != NULL ? op : Py_None;
}

/* ------------------------------------------------------------------ */
/* The end of a referent                                               */

void
pyb_weakref_clear_all(PyObject *op)
{
    PyWeakReference *self = first_of(op);

    if (self != NULL)
        PYB_EXPENSIVE(pyb_weakref_check(op));
    for (; self != NULL; self = first_of(op)) {
        PYB_ASSERT_OBJECT(PyWeakref_Check(self), op);
        pyb_weakref_forget(self);
    }
}

void
pyb_weakref_clear_dead(PyObject *op)
{
    if (PyWeakref_Check(op))
        pyb_weakref_forget((PyWeakReference *)op);
    pyb_weakref_clear_all(op);
}

void
pyb_weakref_detach_callbacks(PyObject *op, int (*condemned)(PyObject *),
                             PyObject **pending)
{
    PyWeakReference *self = first_of(op), *next;
    uintptr_t first = 0, *end = &first;

    if (self == NULL)
        return;
    PYB_EXPENSIVE(pyb_weakref_check(op));
    for (; self != NULL; self = next) {
        next = next_of(self);
        if (self->wr_callback == NULL)
            continue;
        pyb_weakref_forget(self);
        if (is_alive((PyObject *)self) && !condemned((PyObject *)self)) {
            *end = hide(Py_NewRef(self));
            end = &self->wr_hidden_next;
        }
    }
    if (first_of(op) != NULL)
        PYB_EXPENSIVE(pyb_weakref_check(op));
    *end = hide(*pending);
    *pending = reveal(first);
}

static void
call_back(PyWeakReference *self)
{
    PyObject *callback = self->wr_callback;

    PYB_ASSERT(!in_list(self));
    if (callback == NULL) /* tp_clear has run in the meantime */
        return;
    self->wr_callback = NULL;
    PyObject *result = PyObject_CallOneArg(callback, (PyObject *)self);
    if (result == NULL)
        PyErr_FormatUnraisable(
            "Exception ignored while calling weakref callback %R", callback);
    Py_XDECREF(result);
    Py_DECREF(callback);
}

void
pyb_weakref_run_callbacks(PyObject *pending)
{
    PyWeakReference *self = (PyWeakReference *)pending;
    PyObject *exception = PyErr_GetRaisedException();

    while (self != NULL) {
        PyWeakReference *next = next_of(self);
        PYB_ASSERT_OBJECT(PyWeakref_Check(self) && is_alive((PyObject *)self),
                          (PyObject *)self);
        self->wr_hidden_next = 0;
        call_back(self);
        Py_DECREF(self);
        self = next;
    }
    PyErr_SetRaisedException(exception);
}

/* Where the weak references of an object that dies are; NULL with SystemError
   if it is alive, or cannot have any. */
static PyObject **
dying_list(PyObject *object)
{
    PyObject **list = object != NULL ? pyb_weakref_list_ptr(object) : NULL;

    return list != NULL && !is_alive(object) ? list : PYB_BAD_CALL(NULL);
}

static int
nothing_condemned(PyObject *Py_UNUSED(op))
{
    return 0;
}

void
PyObject_ClearWeakRefs(PyObject *object)
{
    PyObject **list = dying_list(object), *pending = NULL;

    if (list == NULL || *list == NULL)
        return;
    pyb_weakref_detach_callbacks(object, nothing_condemned, &pending);
    pyb_weakref_clear_all(object);
    if (pending != NULL)
        pyb_weakref_run_callbacks(pending);
}

void
PyUnstable_Object_ClearWeakRefsNoCallbacks(PyObject *object)
{
    pyb_weakref_clear_all(object);
}
