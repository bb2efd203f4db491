/* inlinevalues.c: attributes that lie in their instance.  See
   inlinevalues.h. */

#include "Python.h"

#include "object/attr/inlinevalues.h"
#include "object/attr/instancedict.h"
#include "object/error/errors.h"

/* ------------------------------------------------------------------ */
/* Shared keys                                                         */

/* number_of for a name that is none of the shared keys itself, nor
   interned. */
__attribute__((noinline)) static Py_ssize_t
number_of_equal(const struct _dictkeysobject *keys, PyObject *name)
{
    for (size_t i = 0; i < keys->n; i++)
        if (PyUnicode_Equal(keys->names[i], name))
            return (Py_ssize_t)i;
    return -1;
}

/* The number of an attribute, or -1.  Interned strs that are not the same are
   not equal.  Inlined, and what is seldom asked for apart: so the usual lookup
   saves no registers. */
__attribute__((always_inline)) static inline Py_ssize_t
number_of(const struct _dictkeysobject *keys, PyObject *name)
{
    PYB_ASSERT_OBJECT(PyUnicode_CheckExact(name), name);
    if (keys == NULL)
        return -1;
    PYB_ASSERT(keys->n <= PYB_SHARED_KEYS_MAX);
    for (size_t i = 0; i < keys->n; i++)
        if (keys->names[i] == name)
            return (Py_ssize_t)i;
    return _PyB_LIKELY(PyUnicode_CHECK_INTERNED(name))
               ? -1
               : number_of_equal(keys, name);
}

int
pyb_inline_learn(PyTypeObject *type, PyObject *name)
{
    struct _dictkeysobject *keys = pyb_inline_require_keys(type);

    if (keys == NULL)
        return -1;
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    if (keys->n < PYB_SHARED_KEYS_MAX && PyUnicode_CHECK_INTERNED(name) &&
        number_of(keys, name) < 0)
        keys->names[keys->n++] = name; /* never another one's number */
    else
        Py_DECREF(name);
    return 0;
}

void
pyb_inline_forget(PyTypeObject *type)
{
    struct _dictkeysobject *keys = pyb_inline_keys(type);

    for (size_t i = 0; keys != NULL && i < keys->n; i++)
        Py_DECREF(keys->names[i]);
    PyMem_Free(keys);
}

/* ------------------------------------------------------------------ */
/* Values                                                              */

/* The number of the value after which n others were set; 15 if there is
   none. */
static size_t
entered(PyObject *content, size_t n)
{
    return (uintptr_t)content >> (8 + 4 * n) & 0xf;
}

void
pyb_inline_check(PyObject *op, PyObject *content)
{
    PyObject **values = pyb_inline_values(op);
    size_t room = pyb_inline_room(content), n = 0;
    unsigned set = 0;

    PYB_ALWAYS(room <= PYB_SHARED_KEYS_MAX, op,
               "there is room for more values than a class has names");
    for (size_t i; n < PYB_SHARED_KEYS_MAX && (i = entered(content, n)) != 15;
         n++) {
        PYB_ALWAYS(i < room && (set >> i & 1) == 0, op,
                   "a value is set twice, or has no room");
        set |= 1U << i;
    }
    PYB_ALWAYS(n == PYB_SHARED_KEYS_MAX ||
                   (intptr_t)content >> (8 + 4 * n) == -1,
               op, "a value is set, and an older one is not");
    for (size_t i = 0; i < room; i++)
        PYB_ALWAYS((values[i] != NULL) == (set >> i & 1), op,
                   "the word does not say which values are set");
}

/* The place of the attribute's value; NULL if the name has no number, or the
   instance no room for it. */
static PyObject **
place_of(PyObject *op, PyObject *content, PyObject *name)
{
    Py_ssize_t i = number_of(pyb_inline_keys(Py_TYPE(op)), name);

    return i >= 0 && (size_t)i < pyb_inline_room(content)
               ? pyb_inline_values(op) + i
               : NULL;
}

PyObject *
pyb_inline_find(PyObject *op, PyObject *content, PyObject *name)
{
    PyObject **place = place_of(op, content, name);

    return place != NULL ? *place : NULL;
}

int
pyb_inline_replace(PyObject *op, PyObject *content, PyObject *name,
                   PyObject *value)
{
    PyObject **place = place_of(op, content, name);

    if (place == NULL || *place == NULL)
        return 0;
    Py_SETREF(*place, Py_NewRef(value));
    return 1;
}

/* The word with number i as the newest one. */
static PyObject *
enter(PyObject *content, size_t i)
{
    uintptr_t word = (uintptr_t)content;

    PYB_ASSERT(i < PYB_SHARED_KEYS_MAX && word >> 60 == 0xf);
    return (PyObject *)(((word >> 8 << 4 | i) << 8) | (word & 0xff));
}

/* The word without number i, which it has. */
static PyObject *
leave(PyObject *content, size_t i)
{
    uintptr_t word = (uintptr_t)content;
    size_t n = 0;

    while (entered(content, n) != i) {
        n++;
        PYB_ASSERT(n < PYB_SHARED_KEYS_MAX);
    }
    uintptr_t newer = word & (((uintptr_t)1 << (8 + 4 * n)) - 1);
    uintptr_t older = (word ^ newer) >> 4 | (uintptr_t)0xf << 60;
    return (PyObject *)(newer | (older >> (8 + 4 * n) << (8 + 4 * n)));
}

/* Sets a value where there is room for it. */
static void
set_at(PyObject *op, PyObject **slot, PyObject **place, PyObject *value)
{
    size_t i = (size_t)(place - pyb_inline_values(op));
    PyObject *old = *place;

    PYB_ASSERT_OBJECT(i < pyb_inline_room(*slot), op);
    if (old == NULL)
        *slot = enter(*slot, i);
    *place = Py_NewRef(value);
    PYB_EXPENSIVE(pyb_inline_check(op, *slot));
    Py_XDECREF(old);
}

int
pyb_inline_set(PyObject *op, PyObject **slot, PyObject *name, PyObject *value)
{
    PyObject **place = place_of(op, *slot, name);

    if (place == NULL) {
        if (pyb_inline_learn(Py_TYPE(op), name) < 0)
            return -1;
        if (!pyb_inline_is(*slot)) /* what was done for want of memory */
            return 0;
        place = place_of(op, *slot, name);
    }
    if (place != NULL)
        set_at(op, slot, place, value);
    return place != NULL;
}

int
pyb_inline_delete(PyObject *op, PyObject **slot, PyObject *name)
{
    PyObject **place = place_of(op, *slot, name);

    if (place == NULL || *place == NULL)
        return 0;
    PyObject *old = *place;

    *slot = leave(*slot, (size_t)(place - pyb_inline_values(op)));
    *place = NULL;
    PYB_EXPENSIVE(pyb_inline_check(op, *slot));
    Py_DECREF(old);
    return 1;
}

/* An empty hidden dictionary with room for what an instance may have: no more
   than there are shared keys, which the making of it can add to.  NULL with
   MemoryError. */
static PyObject *
dict_for(PyTypeObject *type)
{
    const struct _dictkeysobject *keys = pyb_inline_keys(type);
    PyObject *dict = NULL;
    size_t n;

    PYB_ASSERT(keys != NULL);
    do {
        n = keys->n;
        Py_XDECREF(dict);
        dict = pyb_instancedict_new((Py_ssize_t)n);
    } while (dict != NULL && keys->n > n);
    return dict;
}

/* A collection that the new dictionary begins may do the same, or take the
   attributes away. */
int
pyb_inline_make_dict(PyObject *op, PyObject **slot)
{
    PyObject *dict = dict_for(Py_TYPE(op));

    if (dict == NULL)
        return -1;
    if (!pyb_inline_is(*slot)) {
        Py_DECREF(dict);
        return 0;
    }
    const struct _dictkeysobject *keys = pyb_inline_keys(Py_TYPE(op));
    PyObject *content = *slot, **values = pyb_inline_values(op);

    PYB_EXPENSIVE(pyb_inline_check(op, content));
    *slot = dict;
    for (size_t n = PYB_SHARED_KEYS_MAX; n-- > 0;) {
        size_t i = entered(content, n);
        if (i < PYB_SHARED_KEYS_MAX) {
            PYB_ASSERT_OBJECT(i < keys->n && values[i] != NULL, op);
            pyb_instancedict_add(dict, keys->names[i], values[i]);
            values[i] = NULL;
        }
    }
    return 0;
}

int
pyb_inline_visit(PyObject *op, PyObject *content, visitproc visit, void *arg)
{
    PyObject **values = pyb_inline_values(op);
    size_t room = pyb_inline_room(content);

    for (size_t i = 0; i < room; i++)
        Py_VISIT(values[i]);
    return 0;
}

void
pyb_inline_clear(PyObject *op, PyObject **slot)
{
    PyObject **values = pyb_inline_values(op);
    size_t room = pyb_inline_room(*slot);

    PYB_EXPENSIVE(pyb_inline_check(op, *slot));
    *slot = NULL; /* what is released may set attributes: in a dictionary */
    for (size_t i = 0; i < room; i++)
        Py_CLEAR(values[i]);
}
