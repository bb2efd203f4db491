/* typelookup.c: queries about a type that use its MRO, and the cache of what
   was found. */

#include "Python.h"

#include <string.h>

#include "gc/base/fatal.h"
#include "object/type/typeversion.h"

/* Inheritance through tp_base, for a type without an MRO: one that is not
   ready, or is cleared. */
static int
is_below(PyTypeObject *a, PyTypeObject *b)
{
    for (; a != NULL; a = a->tp_base)
        if (a == b)
            return 1;
    return b == &PyBaseObject_Type;
}

int
PyType_IsSubtype(PyTypeObject *a, PyTypeObject *b)
{
    PyObject *mro = a->tp_mro;

    PYB_ASSERT(mro == NULL || PyTuple_Check(mro));
    if (mro == NULL)
        return is_below(a, b);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++)
        if (PyTuple_GET_ITEM(mro, i) == (PyObject *)b)
            return 1;
    return 0;
}

/* What lookups have found, for types with a version tag.  Nothing is owned: a
   tag is never given again, and a change of the type takes its tag away before
   what was found can go; and another str that comes to lie where the name was
   has the same hash only if it has the same text.  Boehm, should it scan this,
   must not see what was found. */
static struct found {
    unsigned int version;
    PyObject *name;
    Py_hash_t hash;   /* of the name */
    uintptr_t hidden; /* the complement of the address; of NULL for none */
} cache[1 << 11];

static inline struct found *
place_of(const PyTypeObject *type, PyObject *name)
{
    size_t i = ((uintptr_t)name >> 4) ^ (type->tp_version_tag * (size_t)61);

    return &cache[i % Py_ARRAY_LENGTH(cache)];
}

static inline int
is_cached(const struct found *place, const PyTypeObject *type, PyObject *name)
{
    return place->name == name && place->version == type->tp_version_tag &&
           PyUnicode_CheckExact(name) &&
           place->hash == ((PyUnicodeObject *)name)->hash;
}

unsigned int
PyType_ClearCache(void)
{
    memset(cache, 0, sizeof cache);
    return pyb_type_last_tag();
}

/* What the first type in the order has, borrowed, or NULL.  *sure becomes 0 if
   a key could not be compared. */
static PyObject *
look_up(PyTypeObject *type, PyObject *name, int *sure)
{
    PyObject *mro = type->tp_mro;

    *sure = 1;
    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        PyObject *found = NULL;

        PYB_ASSERT(PyType_Check(base));
        if (base->tp_dict == NULL)
            continue;
        PYB_ASSERT(PyDict_Check(base->tp_dict));
        if (PyDict_GetItemRef(base->tp_dict, name, &found) < 0) {
            PyErr_Clear();
            *sure = 0;
        }
        if (found != NULL) {
            Py_DECREF(found); /* the dictionary owns it */
            return found;
        }
    }
    return NULL;
}

/* The type may have been changed, by a key's comparison, since it got the
   tag. */
__attribute__((noinline)) static PyObject *
look_up_anew(PyTypeObject *type, PyObject *name)
{
    int tagged = PyUnstable_Type_AssignVersionTag(type), sure;
    unsigned int version = type->tp_version_tag;
    PyObject *found = look_up(type, name, &sure);

    PYB_ASSERT(!tagged || version != 0);
    if (tagged && sure && version == type->tp_version_tag &&
        PyUnicode_CheckExact(name)) {
        PYB_ASSERT(((PyUnicodeObject *)name)->hash != -1);
        *place_of(type, name) = (struct found){
            version, name, ((PyUnicodeObject *)name)->hash, ~(uintptr_t)found};
    }
    return found;
}

/* With checks: a program that changes tp_dict has to tell. */
__attribute__((noinline)) static void
check_found(PyTypeObject *type, PyObject *name, const PyObject *found)
{
    int sure;

    if (look_up(type, name, &sure) != found && sure)
        pyb_fatal_type("PyType_Modified", type->tp_name, type,
                       "was not called after a change of tp_dict, of the type "
                       "or of a base\n"
                       "lookups of '%s' go on as if there had been none; this "
                       "one has noticed",
                       PyUnicode_AsUTF8(name));
}

PyObject *
_PyType_Lookup(PyTypeObject *type, PyObject *name)
{
    const struct found *place = place_of(type, name);

    if (_PyB_UNLIKELY(!is_cached(place, type, name)))
        return look_up_anew(type, name);
    PyObject *found = (PyObject *)~place->hidden;
    if (_PyB_UNLIKELY(pyb_checks))
        check_found(type, name, found);
    return found;
}

unsigned long
PyType_GetFlags(PyTypeObject *type)
{
    return type->tp_flags;
}

PyObject *
PyType_GetDict(PyTypeObject *type)
{
    return Py_XNewRef(type->tp_dict);
}
