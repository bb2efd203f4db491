/* dict.h: declarations that the files of dictionaries share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_DICT_DICT_H
#define PYB_TYPES_DICT_DICT_H

#include "types/str/str.h"

/* A key and its value, both owned, in the order of insertion; both NULL after
   removal. */
struct pyb_dict_entry {
    Py_hash_t hash; /* of key */
    PyObject *key;
    PyObject *value;
};

/* The table of a dictionary: one block of PyMem memory.  A slot of the index
   has the number of an entry, or marks that there is none; slots are probed
   from the hash's slot to the first empty one.

   There is room for two thirds as many entries as slots, and for nentries +
   left of them at least.  Every key added fills a slot, an empty one or one
   that a key has left, and decrements left, which only a new table restores,
   so there is always an empty slot.  A dictionary counts the slots that were
   filled again: see same_key.  ma_used
   of the entries have a key, and each of these has exactly one slot; the last
   entry always has a key.  One static table without room serves all
   dictionaries that have not been filled. */
struct pyb_dict_table {
    uint8_t bits;    /* there are 2^bits slots */
    uint8_t width;   /* bytes in a slot: 1, 2, 4, 8 */
    uint16_t size;   /* of the block if lib/runtime/freelist has it, else 0 */
    int any_removed; /* has a key left its slot? */
    Py_ssize_t left; /* keys that may be added before the table grows */
    Py_ssize_t nentries; /* entries used so far, removed ones included */
    void *slots;         /* behind the entries */
    struct pyb_dict_entry entries[];
};

/* The results of pyb_dict_lookup other than an entry's number. */
enum { PYB_DICT_ABSENT = -1, PYB_DICT_ERROR = -2 };

/* pyb_dict_init: makes mp, which has no table yet, an empty dictionary. */
void pyb_dict_init(PyDictObject *mp);

/* pyb_dict_check: fatal if the table contradicts itself, see fatal.h; not of a
   dictionary that is being deallocated. */
void pyb_dict_check(const PyDictObject *mp);

/* pyb_dict_dealloc: the slot tp_dealloc. */
void pyb_dict_dealloc(PyObject *op);

/* pyb_dict_hash: the hash of a key; -1 with an exception. */
static inline Py_hash_t
pyb_dict_hash(PyObject *key)
{
    if (_PyB_UNLIKELY(!PyUnicode_CheckExact(key)))
        return PyObject_Hash(key);
    Py_hash_t hash = ((PyUnicodeObject *)key)->hash;
    return _PyB_LIKELY(hash != -1) ? hash : pyb_str_hash(key);
}

/* pyb_dict_lookup: the number of the entry of key, which has that hash; or
   PYB_DICT_ABSENT; or PYB_DICT_ERROR with an exception.  Comparing keys may
   run any code, unless all are exactly str; the result is true when it
   returns. */
Py_ssize_t pyb_dict_lookup(PyDictObject *mp, PyObject *key, Py_hash_t hash);

/* pyb_dict_has: 1 if key, with that hash, is in mp, 0 if not, -1 with an
   exception. */
int pyb_dict_has(PyDictObject *mp, PyObject *key, Py_hash_t hash);

/* pyb_dict_entry: the entry for key, or NULL, with an exception only if there
   was an error. */
struct pyb_dict_entry *pyb_dict_entry(PyDictObject *mp, PyObject *key);

/* pyb_dict_insert: sets the value of key, which has that hash; takes new
   references.  0, or -1 with an exception. */
int pyb_dict_insert(PyDictObject *mp, PyObject *key, Py_hash_t hash,
                    PyObject *value);

/* pyb_dict_add: inserts a key that is known to be absent; runs no other
   code. */
int pyb_dict_add(PyDictObject *mp, PyObject *key, Py_hash_t hash,
                 PyObject *value);

/* pyb_dict_resize: moves the entries to a table with room for n.  0, or -1
   with MemoryError. */
int pyb_dict_resize(PyDictObject *mp, Py_ssize_t n);

/* pyb_dict_maintain_tracking: tracks mp if the rule of acyclic.h requires it
   when mp has this key and this value. */
void pyb_dict_maintain_tracking(PyDictObject *mp, PyObject *key,
                                PyObject *value);

/* pyb_dict_take: removes the entry of that number.  The caller then owns its
   references, and releases them at the end. */
struct pyb_dict_entry pyb_dict_take(PyDictObject *mp, Py_ssize_t i);

/* pyb_dict_move_last: makes the entry of that number the last one; there is
   room for one more. */
void pyb_dict_move_last(PyDictObject *mp, Py_ssize_t i);

/* pyb_dict_discard: removes key, with that hash.  1 if it was in mp, 0 if not,
   -1 with an exception. */
int pyb_dict_discard(PyDictObject *mp, PyObject *key, Py_hash_t hash);

/* pyb_dict_next: the first entry in use from number *pos on, and *pos becomes
   the number after it; NULL at the end. */
static inline struct pyb_dict_entry *
pyb_dict_next(PyDictObject *mp, Py_ssize_t *pos)
{
    struct pyb_dict_table *t = mp->_pyb_table;
    Py_ssize_t i = *pos;

    PYB_ASSERT(t != NULL && t->nentries >= 0);
    while (i >= 0 && i < t->nentries && t->entries[i].key == NULL)
        i++;
    if (i < 0 || i >= t->nentries)
        return NULL;
    *pos = i + 1;
    return &t->entries[i];
}

/* pyb_dict_previous: the last entry in use before number *pos, and *pos
   becomes its number; NULL at the end. */
struct pyb_dict_entry *pyb_dict_previous(PyDictObject *mp, Py_ssize_t *pos);

/* pyb_dict_clear: removes all keys, and frees the table. */
void pyb_dict_clear(PyDictObject *mp);

/* pyb_dict_clone: makes mp, which is empty, equal to other.  0, or -1 with
   MemoryError. */
int pyb_dict_clone(PyDictObject *mp, PyDictObject *other);

/* pyb_dict_swap: exchanges the contents of two dictionaries. */
void pyb_dict_swap(PyDictObject *a, PyDictObject *b);

/* pyb_dict_update: adds the keys of a mapping, or of an iterable of pairs.
   0, or -1 with an exception. */
int pyb_dict_update(PyObject *mp, PyObject *source);

/* pyb_dict_key_error: raises KeyError(key). */
void pyb_dict_key_error(PyObject *key);

/* pyb_dict_iter: an iterator of one of the six types.  A new reference. */
PyObject *pyb_dict_iter(PyObject *mp, PyTypeObject *type);

/* pyb_dict_view: a view of one of the three types.  A new reference. */
PyObject *pyb_dict_view(PyObject *mp, PyTypeObject *type);

/* pyb_dict_update_from_args: adds the arguments of a call, of dict() and of
   update().  0, or -1 with an exception, which has the name. */
int pyb_dict_update_from_args(PyObject *mp, const char *name, PyObject *args,
                              PyObject *kwds);

/* pyb_dict_freeze: an object of frozendict, or of a subtype, with the contents
   of a dict.  Takes the dict's reference, and NULL; NULL with an exception. */
PyObject *pyb_dict_freeze(PyTypeObject *type, PyObject *dict);

/* What dict and frozendict have in common. */
int pyb_dict_traverse(PyObject *op, visitproc visit, void *arg);
int pyb_dict_tp_clear(PyObject *op);
PyObject *pyb_dict_repr(PyObject *op);
PyObject *pyb_dict_richcompare(PyObject *a, PyObject *b, int op);
Py_ssize_t pyb_dict_length(PyObject *op);
PyObject *pyb_dict_subscript(PyObject *op, PyObject *key);
PyObject *pyb_dict_tp_iter(PyObject *op);
PyObject *pyb_dict_or(PyObject *a, PyObject *b);
PyObject *pyb_dict_method_get(PyObject *op, PyObject *args);
PyObject *pyb_dict_method_keys(PyObject *op, PyObject *none);
PyObject *pyb_dict_method_values(PyObject *op, PyObject *none);
PyObject *pyb_dict_method_items(PyObject *op, PyObject *none);
PyObject *pyb_dict_method_reversed(PyObject *op, PyObject *none);

/* Views of keys and of items as sets; the other operand may be any
   iterable. */
extern PyNumberMethods pyb_dict_view_as_number;
PyObject *pyb_dict_view_isdisjoint(PyObject *view, PyObject *other);
PyObject *pyb_dict_view_richcompare(PyObject *a, PyObject *b, int op);

#endif /* PYB_TYPES_DICT_DICT_H */
