/* dicttable.c: the hash table of dictionaries. */

#include "Python.h"

#include "object/quick.h"
#include "object/spare.h"
#include "types/atomic.h"
#include "types/dict.h"

/* What a slot holds when it is not the number of an entry. */
enum { EMPTY = -1, REMOVED = -2 };

enum { MIN_BITS = 3 };

static int8_t empty_slots[2] = {EMPTY, EMPTY};
static struct pyb_dict_table empty_table = {
    .bits = 1, .width = 1, .slots = empty_slots};

/* ------------------------------------------------------------------ */
/* Slots                                                               */

/* Tables of up to 128 slots, whose slots are bytes, are what is made and freed
   in masses. */
static Py_ssize_t
get_wide_slot(const struct pyb_dict_table *t, size_t slot)
{
    switch (t->width) {
    case 2:
        return ((const int16_t *)t->slots)[slot];
    case 4:
        return ((const int32_t *)t->slots)[slot];
    default:
        return ((const int64_t *)t->slots)[slot];
    }
}

static inline Py_ssize_t
get_slot(const struct pyb_dict_table *t, size_t slot)
{
    if (_PyB_LIKELY(t->width == 1))
        return ((const int8_t *)t->slots)[slot];
    return get_wide_slot(t, slot);
}

static void
set_wide_slot(struct pyb_dict_table *t, size_t slot, Py_ssize_t i)
{
    switch (t->width) {
    case 2:
        ((int16_t *)t->slots)[slot] = (int16_t)i;
        break;
    case 4:
        ((int32_t *)t->slots)[slot] = (int32_t)i;
        break;
    default:
        ((int64_t *)t->slots)[slot] = i;
    }
}

static inline void
set_slot(struct pyb_dict_table *t, size_t slot, Py_ssize_t i)
{
    if (_PyB_LIKELY(t->width == 1))
        ((int8_t *)t->slots)[slot] = (int8_t)i;
    else
        set_wide_slot(t, slot, i);
}

/* A walk over the slots for a hash: it comes by every slot.  All bits of the
   hash take part in the first slot, so hashes that are multiples of a power
   of two, as addresses and many integers are, spread as well. */
struct probe {
    size_t slot, step, mask;
};

static inline struct probe
first_probe(const struct pyb_dict_table *t, Py_hash_t hash)
{
    uint64_t spread = (uint64_t)hash * UINT64_C(0x9e3779b97f4a7c15);

    return (struct probe){(size_t)(spread >> (64 - t->bits)), 0,
                          ((size_t)1 << t->bits) - 1};
}

static inline void
next_probe(struct probe *p)
{
    p->slot = (p->slot + ++p->step) & p->mask;
}

/* The slot that has content, for an entry of that hash; it is there. */
static inline size_t
slot_of(const struct pyb_dict_table *t, Py_hash_t hash, Py_ssize_t content)
{
    struct probe p = first_probe(t, hash);

    while (get_slot(t, p.slot) != content)
        next_probe(&p);
    return p.slot;
}

/* ------------------------------------------------------------------ */
/* Tables                                                              */

static Py_ssize_t
room_of(int bits)
{
    return (((Py_ssize_t)1 << bits) * 2) / 3;
}

/* How many bytes a table takes, or 0 if nobody can have so many. */
static inline size_t
table_size(int bits, int width)
{
    size_t entries, size;

    if (__builtin_mul_overflow((size_t)room_of(bits),
                               sizeof(struct pyb_dict_entry), &entries) ||
        __builtin_add_overflow(
            entries, sizeof(struct pyb_dict_table) + ((size_t)width << bits),
            &size) ||
        size > (size_t)PY_SSIZE_T_MAX)
        return 0;
    return size;
}

/* An empty table with room for at least n entries, or NULL with
   MemoryError. */
static struct pyb_dict_table *
new_table(Py_ssize_t n)
{
    int bits = MIN_BITS;

    while (bits < 58 && room_of(bits) < n)
        bits++;
    int width = bits <= 7 ? 1 : bits <= 15 ? 2 : bits <= 31 ? 4 : 8;
    size_t size = table_size(bits, width);
    struct pyb_dict_table *t = size != 0 ? pyb_spare_alloc(size) : NULL;
    if (t == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    t->bits = (uint8_t)bits;
    t->width = (uint8_t)width;
    t->size = size <= PYB_SPARE_MAX ? (uint16_t)size : 0;
    t->left = room_of(bits);
    t->nentries = 0;
    t->slots = &t->entries[t->left];
    memset(t->slots, 0xff, (size_t)width << bits); /* EMPTY in every width */
    return t;
}

static void
free_table(struct pyb_dict_table *t)
{
    if (t->size != 0)
        pyb_spare_free(t, t->size);
    else if (t != &empty_table)
        PyMem_Free(t);
}

/* Gives mp another table, whose entries are its keys.  The generation tells a
   lookup that is under way that the old one is gone. */
static void
set_table(PyDictObject *mp, struct pyb_dict_table *t)
{
    mp->_pyb_table = t;
    mp->_pyb_generation++;
}

/* Moves the entries to a table with room for n.  0, or -1 with
   MemoryError. */
static int
move_entries(PyDictObject *mp, Py_ssize_t n)
{
    struct pyb_dict_table *old = mp->_pyb_table, *t = new_table(n);

    if (t == NULL)
        return -1;
    struct pyb_dict_entry *to = t->entries;
    for (Py_ssize_t i = 0; i < old->nentries; i++) {
        if (_PyB_UNLIKELY(old->entries[i].key == NULL))
            continue;
        *to = old->entries[i];
        set_slot(t, slot_of(t, to->hash, EMPTY), to - t->entries);
        to++;
    }
    t->nentries = to - t->entries;
    t->left -= t->nentries;
    set_table(mp, t);
    free_table(old);
    return 0;
}

void
pyb_dict_init(PyDictObject *mp)
{
    mp->ma_used = 0;
    mp->_pyb_generation = 0;
    mp->_pyb_unseen = 0;
    mp->_pyb_table = &empty_table;
}

/* Gives up what is in a table, and the table. */
static void
drop_table(struct pyb_dict_table *t)
{
    for (Py_ssize_t i = 0; i < t->nentries; i++) {
        PyObject *key = t->entries[i].key, *value = t->entries[i].value;

        if (_PyB_UNLIKELY(key == NULL))
            continue;
        Py_DECREF(key);
        Py_DECREF(value);
    }
    free_table(t);
}

void
pyb_dict_clear(PyDictObject *mp)
{
    struct pyb_dict_table *t = mp->_pyb_table;

    /* The dictionary is empty and in order before the first release. */
    mp->ma_used = 0;
    set_table(mp, &empty_table);
    drop_table(t);
}

PyObject *
PyDict_New(void)
{
    PyObject *op = pyb_quick_new(&PyDict_Type, 0, sizeof(PyDictObject));

    if (op == NULL)
        return NULL;
    ((PyDictObject *)op)->_pyb_table = &empty_table; /* the rest is zero */
    return op; /* untracked while it is empty: see atomic.h */
}

/* The end of instances of subtypes, of finalized dictionaries and of others
   that the collector has marked. */
__attribute__((noinline)) static void
dealloc_slowly(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    pyb_dict_clear((PyDictObject *)op);
    Py_TYPE(op)->tp_free(op);
}

void
pyb_dict_dealloc(PyObject *op)
{
    PyDictObject *mp = (PyDictObject *)op;

    if (_PyB_UNLIKELY(!PyDict_CheckExact(op) ||
                      !pyb_quick_untrack(op, sizeof(PyDictObject)))) {
        dealloc_slowly(op);
        return;
    }
    if (mp->_pyb_table != &empty_table)
        pyb_dict_clear(mp);
    mp->_pyb_table = NULL;
    mp->_pyb_generation = 0;
    mp->_pyb_unseen = 0;
    pyb_quick_del(op, sizeof(PyDictObject));
}

int
pyb_dict_clone(PyDictObject *mp, PyDictObject *other)
{
    struct pyb_dict_table *from = other->_pyb_table, *t;
    size_t entries_size;

    if (other->ma_used == 0)
        return 0;
    t = new_table(room_of(from->bits));
    if (t == NULL)
        return -1;
    entries_size = (size_t)from->nentries * sizeof(t->entries[0]);
    memcpy(t->entries, from->entries, entries_size);
    memcpy(t->slots, from->slots, (size_t)from->width << from->bits);
    t->nentries = from->nentries;
    t->left = from->left;
    for (Py_ssize_t i = 0; i < t->nentries; i++) {
        Py_XINCREF(t->entries[i].key);
        Py_XINCREF(t->entries[i].value);
    }
    mp->ma_used = other->ma_used;
    set_table(mp, t);
    /* If nothing in it may be tracked, a full collection sees to that. */
    if (pyb_atomic_is_tracked(other) && !pyb_atomic_is_tracked(mp))
        PyObject_GC_Track((PyObject *)mp);
    return 0;
}

void
pyb_dict_swap(PyDictObject *a, PyDictObject *b)
{
    struct pyb_dict_table *table = a->_pyb_table;
    Py_ssize_t used = a->ma_used;

    a->ma_used = b->ma_used;
    b->ma_used = used;
    set_table(a, b->_pyb_table);
    set_table(b, table);
}

/* ------------------------------------------------------------------ */
/* Keys                                                                */

/* What same_key and scan say when mp has changed under them. */
enum { CHANGED = -3 };

/* Is the key of an entry, whose hash is that of key, equal to it?  1, 0, -1
   with an exception, or CHANGED. */
static int
same_key(PyDictObject *mp, struct pyb_dict_entry *entry, PyObject *key)
{
    PyObject *mine = entry->key;
    size_t generation = mp->_pyb_generation;

    if (PyUnicode_CheckExact(mine) && PyUnicode_CheckExact(key))
        return pyb_str_equal(mine, key);
    Py_INCREF(mine);
    int same = PyObject_RichCompareBool(mine, key, Py_EQ);
    /* The entry is there only if the table is; in that order. */
    if (same >= 0 && (generation != mp->_pyb_generation || entry->key != mine))
        same = CHANGED;
    Py_DECREF(mine);
    return same;
}

/* A lookup that gives up when mp changes.  *slot becomes where the walk
   ended: for a key that is absent, where it is to be entered. */
static inline Py_ssize_t
scan(PyDictObject *mp, PyObject *key, Py_hash_t hash, size_t *slot)
{
    struct pyb_dict_table *t = mp->_pyb_table;
    struct probe p = first_probe(t, hash);

    for (;; next_probe(&p)) {
        Py_ssize_t i = get_slot(t, p.slot);
        *slot = p.slot;
        if (i == EMPTY)
            return PYB_DICT_ABSENT;
        if (i == REMOVED)
            continue;
        struct pyb_dict_entry *entry = &t->entries[i];
        if (entry->key == key)
            return i;
        if (_PyB_LIKELY(entry->hash != hash))
            continue;
        int same = same_key(mp, entry, key);
        if (same > 0)
            return i;
        if (same < 0)
            return same == CHANGED ? CHANGED : PYB_DICT_ERROR;
    }
}

/* pyb_dict_lookup that also says, of a key that is absent, in which slot it
   is to be entered. */
static inline Py_ssize_t
lookup(PyDictObject *mp, PyObject *key, Py_hash_t hash, size_t *slot)
{
    Py_ssize_t i;

    do
        i = scan(mp, key, hash, slot);
    while (_PyB_UNLIKELY(i == CHANGED));
    return i;
}

Py_ssize_t
pyb_dict_lookup(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    size_t slot;

    return lookup(mp, key, hash, &slot);
}

int
pyb_dict_has(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    Py_ssize_t i = pyb_dict_lookup(mp, key, hash);

    return i >= 0 ? 1 : i == PYB_DICT_ABSENT ? 0 : -1;
}

struct pyb_dict_entry *
pyb_dict_entry(PyDictObject *mp, PyObject *key)
{
    Py_hash_t hash = pyb_dict_hash(key);

    if (hash == -1)
        return NULL;
    Py_ssize_t i = pyb_dict_lookup(mp, key, hash);
    return i < 0 ? NULL : &mp->_pyb_table->entries[i];
}

/* The rest of it where one of them is a container. */
static void
track_for(PyDictObject *mp, PyObject *key, PyObject *value)
{
    if (_PyB_UNLIKELY(!pyb_atomic_is_tracked(mp)) && !mp->_pyb_unseen &&
        (pyb_atomic_may_be_tracked(value) || pyb_atomic_may_be_tracked(key)))
        PyObject_GC_Track((PyObject *)mp);
}

static inline void
maintain_tracking(PyDictObject *mp, PyObject *key, PyObject *value)
{
    if (PyType_IS_GC(Py_TYPE(value)) || PyType_IS_GC(Py_TYPE(key)))
        track_for(mp, key, value);
}

void
pyb_dict_maintain_tracking(PyDictObject *mp, PyObject *key, PyObject *value)
{
    maintain_tracking(mp, key, value);
}

/* Makes room for one key more: twice the slots, or fewer if many of the keys
   were removed. */
static int
grow(PyDictObject *mp)
{
    return move_entries(mp, mp->ma_used + mp->ma_used / 2 + 1);
}

/* Enters a key that is absent into that slot; steals both references. */
static inline void
enter(PyDictObject *mp, size_t slot, struct pyb_dict_entry entry)
{
    struct pyb_dict_table *t = mp->_pyb_table;

    maintain_tracking(mp, entry.key, entry.value);
    set_slot(t, slot, t->nentries);
    t->entries[t->nentries++] = entry;
    t->left--;
    mp->ma_used++;
}

int
pyb_dict_add(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject *value)
{
    if (mp->_pyb_table->left == 0 && grow(mp) < 0)
        return -1;
    enter(mp, slot_of(mp->_pyb_table, hash, EMPTY),
          (struct pyb_dict_entry){hash, Py_NewRef(key), Py_NewRef(value)});
    return 0;
}

/* Gives the entry of that number a value; steals the reference. */
static void
replace(PyDictObject *mp, Py_ssize_t i, PyObject *key, PyObject *value)
{
    maintain_tracking(mp, key, value);
    Py_SETREF(mp->_pyb_table->entries[i].value, value);
}

int
pyb_dict_insert(PyDictObject *mp, PyObject *key, Py_hash_t hash,
                PyObject *value)
{
    size_t slot;

    /* What the dictionary is to own is its own at once: a comparison may take
       the caller's references away. */
    Py_INCREF(key);
    Py_INCREF(value);
    Py_ssize_t i = lookup(mp, key, hash, &slot);
    if (_PyB_LIKELY(i == PYB_DICT_ABSENT)) {
        if (_PyB_UNLIKELY(mp->_pyb_table->left == 0)) {
            if (grow(mp) < 0)
                goto fail;
            slot = slot_of(mp->_pyb_table, hash, EMPTY);
        }
        enter(mp, slot, (struct pyb_dict_entry){hash, key, value});
        return 0;
    }
    if (i >= 0) {
        replace(mp, i, key, value);
        Py_DECREF(key);
        return 0;
    }
fail:
    Py_DECREF(key);
    Py_DECREF(value);
    return -1;
}

struct pyb_dict_entry
pyb_dict_take(PyDictObject *mp, Py_ssize_t i)
{
    struct pyb_dict_table *t = mp->_pyb_table;
    struct pyb_dict_entry taken = t->entries[i];

    set_slot(t, slot_of(t, taken.hash, i), REMOVED);
    t->entries[i].key = NULL;
    t->entries[i].value = NULL;
    while (t->nentries > 0 && t->entries[t->nentries - 1].key == NULL)
        t->nentries--; /* so that popitem finds the last one at once */
    mp->ma_used--;
    return taken;
}

int
pyb_dict_discard(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    Py_ssize_t i = pyb_dict_lookup(mp, key, hash);

    if (i < 0)
        return i == PYB_DICT_ABSENT ? 0 : -1;
    struct pyb_dict_entry taken = pyb_dict_take(mp, i);
    Py_DECREF(taken.key);
    Py_DECREF(taken.value);
    return 1;
}

struct pyb_dict_entry *
pyb_dict_previous(PyDictObject *mp, Py_ssize_t *pos)
{
    struct pyb_dict_table *t = mp->_pyb_table;
    Py_ssize_t i = Py_MIN(*pos, t->nentries);

    do
        i--;
    while (i >= 0 && t->entries[i].key == NULL);
    if (i < 0)
        return NULL;
    *pos = i;
    return &t->entries[i];
}
