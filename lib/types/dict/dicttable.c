/* dicttable.c: the hash table of dictionaries. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/instancedict.h"
#include "object/error/errors.h"
#include "runtime/fastpath.h"
#include "runtime/freelist.h"
#include "types/acyclic.h"
#include "types/dict/dict.h"

/* The contents of a slot that has no entry's number. */
enum { EMPTY = -1, REMOVED = -2 };

enum { MIN_BITS = 3 };

static int8_t empty_slots[2] = {EMPTY, EMPTY};
static struct pyb_dict_table empty_table = {
    .bits = 1, .width = 1, .slots = empty_slots};

static Py_ssize_t
room_of(int bits)
{
    return (((Py_ssize_t)1 << bits) * 2) / 3;
}

/* ------------------------------------------------------------------ */
/* Slots                                                               */

/* A slot of a table with more than 128 slots; most tables are smaller. */
static Py_ssize_t
get_wide_slot(const struct pyb_dict_table *t, size_t slot)
{
    switch (t->width) {
    case 2:
        return ((const int16_t *)t->slots)[slot];
    case 4:
        return ((const int32_t *)t->slots)[slot];
    default:
        PYB_ASSERT(t->width == 8);
        return ((const int64_t *)t->slots)[slot];
    }
}

static inline Py_ssize_t
get_slot(const struct pyb_dict_table *t, size_t slot)
{
    PYB_ASSERT(slot >> t->bits == 0);
    if (_PyB_LIKELY(t->width == 1))
        return ((const int8_t *)t->slots)[slot];
    return get_wide_slot(t, slot);
}

static void
set_wide_slot(struct pyb_dict_table *t, size_t slot, Py_ssize_t i)
{
    switch (t->width) {
    case 2:
        PYB_ASSERT(i <= INT16_MAX);
        ((int16_t *)t->slots)[slot] = (int16_t)i;
        break;
    case 4:
        PYB_ASSERT(i <= INT32_MAX);
        ((int32_t *)t->slots)[slot] = (int32_t)i;
        break;
    default:
        PYB_ASSERT(t->width == 8);
        ((int64_t *)t->slots)[slot] = i;
    }
}

static inline void
set_slot(struct pyb_dict_table *t, size_t slot, Py_ssize_t i)
{
    PYB_ASSERT(slot >> t->bits == 0 && i >= REMOVED && i < room_of(t->bits));
    if (_PyB_LIKELY(t->width == 1))
        ((int8_t *)t->slots)[slot] = (int8_t)i;
    else
        set_wide_slot(t, slot, i);
}

/* A probe sequence for a hash; it visits every slot.  All bits of the hash
   determine the first slot, so hashes that are multiples of a power of two, as
   addresses and many integers are, are spread as well. */
struct probe {
    size_t slot, step, mask;
};

static inline struct probe
first_probe(const struct pyb_dict_table *t, Py_hash_t hash)
{
    uint64_t spread = (uint64_t)hash * UINT64_C(0x9e3779b97f4a7c15);

    PYB_ASSERT(t->bits > 0 && t->bits < 64);
    return (struct probe){(size_t)(spread >> (64 - t->bits)), 0,
                          ((size_t)1 << t->bits) - 1};
}

static inline void
next_probe(struct probe *p)
{
    p->slot = (p->slot + ++p->step) & p->mask;
}

/* The slot with this content, for an entry of that hash; it must exist. */
static inline size_t
slot_of(const struct pyb_dict_table *t, Py_hash_t hash, Py_ssize_t content)
{
    struct probe p = first_probe(t, hash);

    while (get_slot(t, p.slot) != content) {
        PYB_ASSERT(p.step <= p.mask); /* every slot has been probed */
        next_probe(&p);
    }
    return p.slot;
}

/* The slot for an absent key of that hash: the first that no entry has. */
static size_t
free_slot(const struct pyb_dict_table *t, Py_hash_t hash)
{
    struct probe p = first_probe(t, hash);

    while (get_slot(t, p.slot) >= 0) {
        PYB_ASSERT(p.step <= p.mask); /* there is an empty slot */
        next_probe(&p);
    }
    return p.slot;
}

/* ------------------------------------------------------------------ */
/* Tables                                                              */

/* Is an entry found from its slot, on the way that a lookup takes? */
static int
is_found(const struct pyb_dict_table *t, Py_ssize_t i)
{
    struct probe p = first_probe(t, t->entries[i].hash);

    for (; p.step <= p.mask; next_probe(&p)) {
        Py_ssize_t content = get_slot(t, p.slot);

        if (content == i || content == EMPTY)
            return content == i;
    }
    return 0;
}

/* How many slots are empty, and how many have the number of an entry. */
static void
count_slots(const struct pyb_dict_table *t, Py_ssize_t *n_empty,
            Py_ssize_t *n_used)
{
    *n_empty = *n_used = 0;
    for (size_t slot = 0; slot < (size_t)1 << t->bits; slot++) {
        Py_ssize_t content = get_slot(t, slot);

        PYB_ALWAYS(content >= REMOVED && content < t->nentries, NULL,
                   "a slot has the number of no entry");
        *n_empty += content == EMPTY;
        *n_used += content >= 0;
    }
}

/* Has an entry its key's hash, as far as the key tells without running code?
   A str that is hashed keeps its hash. */
static int
has_hash(const struct pyb_dict_entry *entry)
{
    if (entry->key->ob_refcnt <= 0 || entry->value->ob_refcnt <= 0)
        return 0;
    return !PyUnicode_CheckExact(entry->key) ||
           ((PyUnicodeObject *)entry->key)->hash == entry->hash;
}

void
pyb_dict_check(const PyDictObject *mp)
{
    const struct pyb_dict_table *t = mp->_pyb_table;
    Py_ssize_t n_empty, n_used, n = 0;

    PYB_ALWAYS(t != NULL && t->left >= 0 && t->nentries >= 0 &&
                   t->nentries + t->left <= room_of(t->bits),
               NULL, "a table has more entries than room");
    PYB_ALWAYS(t->nentries == 0 || t->entries[t->nentries - 1].key != NULL,
               NULL, "a table's last entry is a removed one");
    count_slots(t, &n_empty, &n_used);
    PYB_ALWAYS(n_empty > 0, NULL, "a table has no empty slot");
    for (Py_ssize_t i = 0; i < t->nentries; i++) {
        const struct pyb_dict_entry *entry = &t->entries[i];

        PYB_ALWAYS((entry->key == NULL) == (entry->value == NULL), NULL,
                   "an entry has one of key and value");
        PYB_ALWAYS(entry->key == NULL || is_found(t, i), NULL,
                   "an entry is not found from its hash");
        PYB_ALWAYS(entry->key == NULL || has_hash(entry), NULL,
                   "an entry has not its key's hash");
        n += entry->key != NULL;
    }
    PYB_ALWAYS(n == mp->ma_used && n == n_used, NULL,
               "a table does not have as many keys as were counted");
}

/* Of a small table, at each change; of others, when they are made, cleared or
   exchanged. */
static void
check_small(const PyDictObject *mp)
{
    if (mp->_pyb_table->bits <= 5)
        pyb_dict_check(mp);
}

/* The size of a table in bytes; 0 if it is too large. */
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
    struct pyb_dict_table *t = size != 0 ? pyb_freelist_alloc(size) : NULL;
    if (t == NULL)
        return PYB_MEMORY_ERROR(NULL);
    t->bits = (uint8_t)bits;
    t->width = (uint8_t)width;
    t->size = size <= PYB_FREELIST_MAX ? (uint16_t)size : 0;
    t->left = room_of(bits);
    t->any_removed = 0;
    t->nentries = 0;
    t->slots = &t->entries[t->left];
    PYB_ASSERT(t->left >= n && t->left < (Py_ssize_t)1 << bits);
    memset(t->slots, 0xff, (size_t)width << bits); /* EMPTY in every width */
    return t;
}

static void
free_table(struct pyb_dict_table *t)
{
    PYB_ASSERT(t->size == table_size(t->bits, t->width) || t->size == 0);
    if (t->size != 0)
        pyb_freelist_free(t, t->size);
    else if (t != &empty_table)
        PyMem_Free(t);
}

/* Sets mp's table, which must have mp's keys.  The generation tells a lookup
   under way that the old table is gone. */
static void
set_table(PyDictObject *mp, struct pyb_dict_table *t)
{
    mp->_pyb_table = t;
    mp->_pyb_generation++;
}

int
pyb_dict_resize(PyDictObject *mp, Py_ssize_t n)
{
    struct pyb_dict_table *old = mp->_pyb_table, *t = new_table(n);

    PYB_ASSERT(n >= mp->ma_used);
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
    PYB_EXPENSIVE(pyb_dict_check(mp));
    free_table(old);
    return 0;
}

void
pyb_dict_init(PyDictObject *mp)
{
    PYB_ASSERT(mp->_pyb_table == NULL);
    mp->ma_used = 0;
    mp->_pyb_generation = 0;
    mp->_pyb_unseen = 0;
    mp->_pyb_reuses = 0;
    mp->_pyb_table = &empty_table;
}

/* Releases the contents of a table, and frees it. */
static void
drop_table(struct pyb_dict_table *t)
{
    for (Py_ssize_t i = 0; i < t->nentries; i++) {
        PyObject *key = t->entries[i].key, *value = t->entries[i].value;

        if (_PyB_UNLIKELY(key == NULL))
            continue;
        PYB_ASSERT(value != NULL);
        Py_DECREF(key);
        Py_DECREF(value);
    }
    free_table(t);
}

void
pyb_dict_clear(PyDictObject *mp)
{
    struct pyb_dict_table *t = mp->_pyb_table;

    PYB_EXPENSIVE(pyb_dict_check(mp));
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
    return op; /* untracked while it is empty: see acyclic.h */
}

/* Deallocates instances of subtypes, finalized dictionaries and others that
   the collector has marked. */
__attribute__((noinline)) static void
dealloc_slow(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyAnyDict_Check(op), op);
    PyObject_GC_UnTrack(op);
    pyb_dict_clear((PyDictObject *)op);
    Py_TYPE(op)->tp_free(op);
}

void
pyb_dict_dealloc(PyObject *op)
{
    PyDictObject *mp = (PyDictObject *)op;

    PYB_ASSERT_OBJECT(PyAnyDict_Check(op), op);
    if (_PyB_UNLIKELY(!PyDict_CheckExact(op) ||
                      !pyb_quick_untrack(op, sizeof(PyDictObject)))) {
        dealloc_slow(op);
        return;
    }
    if (mp->_pyb_table != &empty_table)
        pyb_dict_clear(mp);
    mp->_pyb_table = NULL;
    mp->_pyb_generation = 0;
    mp->_pyb_unseen = 0;
    mp->_pyb_reuses = 0;
    pyb_quick_del(op, sizeof(PyDictObject));
}

int
pyb_dict_clone(PyDictObject *mp, PyDictObject *other)
{
    struct pyb_dict_table *from = other->_pyb_table, *t;
    size_t entries_size;

    PYB_ASSERT(mp->_pyb_table == &empty_table);
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
    t->any_removed = from->any_removed;
    PYB_ASSERT(t->bits == from->bits && t->width == from->width);
    for (Py_ssize_t i = 0; i < t->nentries; i++) {
        Py_XINCREF(t->entries[i].key);
        Py_XINCREF(t->entries[i].value);
    }
    mp->ma_used = other->ma_used;
    set_table(mp, t);
    PYB_EXPENSIVE(pyb_dict_check(mp));
    /* If none of the contents may be tracked, a full collection untracks
       mp. */
    if (pyb_acyclic_is_tracked(other) && !pyb_acyclic_is_tracked(mp))
        PyObject_GC_Track((PyObject *)mp);
    return 0;
}

void
pyb_dict_swap(PyDictObject *a, PyDictObject *b)
{
    struct pyb_dict_table *table = a->_pyb_table;
    Py_ssize_t used = a->ma_used;

    PYB_ASSERT(a != b);
    a->ma_used = b->ma_used;
    b->ma_used = used;
    set_table(a, b->_pyb_table);
    set_table(b, table);
    PYB_EXPENSIVE(pyb_dict_check(a));
    PYB_EXPENSIVE(pyb_dict_check(b));
}

/* ------------------------------------------------------------------ */
/* Keys                                                                */

/* Results of scan: mp has changed meanwhile (of same_key, too); a key of
   another type has the hash of a str. */
enum { CHANGED = -3, UNDECIDED = -4 };

/* Is the key of an entry, with the same hash as key, equal to key?  1, 0, -1
   with an exception, or CHANGED: after a new table, without that entry, or if
   a key may have come into a slot that the lookup has passed. */
static int
same_key(PyDictObject *mp, struct pyb_dict_entry *entry, PyObject *key)
{
    PyObject *mine = entry->key;
    size_t generation = mp->_pyb_generation;
    unsigned reuses = mp->_pyb_reuses;

    if (PyUnicode_CheckExact(mine) && PyUnicode_CheckExact(key))
        return pyb_str_equal(mine, key);
    Py_INCREF(mine);
    int same = PyObject_RichCompareBool(mine, key, Py_EQ);
    /* The entry exists only if the table does, which is tested first. */
    if (same >= 0 && (generation != mp->_pyb_generation ||
                      reuses != mp->_pyb_reuses || entry->key != mine))
        same = CHANGED;
    Py_DECREF(mine);
    return same;
}

/* A lookup that ends when mp changes or, where only strs are compared, at a
   key of another type with that hash.  *slot becomes the last slot probed: for
   a key that is absent, the empty one. */
__attribute__((always_inline)) static inline Py_ssize_t
scan(PyDictObject *mp, PyObject *key, Py_hash_t hash, size_t *slot,
     int only_strs)
{
    struct pyb_dict_table *t = mp->_pyb_table;
    struct probe p = first_probe(t, hash);

    for (;; next_probe(&p)) {
        Py_ssize_t i = get_slot(t, p.slot);
        PYB_ASSERT(p.step <= p.mask); /* there is an empty slot */
        *slot = p.slot;
        if (i == EMPTY)
            return PYB_DICT_ABSENT;
        if (i == REMOVED)
            continue;
        struct pyb_dict_entry *entry = &t->entries[i];
        PYB_ASSERT(i < t->nentries && entry->key != NULL);
        if (entry->key == key)
            return i;
        if (_PyB_LIKELY(entry->hash != hash))
            continue;
        if (only_strs && !PyUnicode_CheckExact(entry->key))
            return UNDECIDED;
        int same = same_key(mp, entry, key);
        if (same > 0)
            return i;
        if (same < 0)
            return same == CHANGED ? CHANGED : PYB_DICT_ERROR;
    }
}

/* pyb_dict_lookup; for an absent key *slot becomes the empty one at the end of
   its way. */
static inline Py_ssize_t
lookup(PyDictObject *mp, PyObject *key, Py_hash_t hash, size_t *slot)
{
    Py_ssize_t i;

    do
        i = scan(mp, key, hash, slot, 0);
    while (_PyB_UNLIKELY(i == CHANGED));
    return i;
}

Py_ssize_t
pyb_dict_lookup(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    const struct pyb_dict_table *t = mp->_pyb_table;
    size_t slot = first_probe(t, hash).slot;
    Py_ssize_t i = get_slot(t, slot);

    PYB_ASSERT(hash != -1 && key != NULL);
    /* Most lookups end here. */
    if (i == EMPTY)
        return PYB_DICT_ABSENT;
    if (i >= 0 && t->entries[i].key == key)
        return i;
    return lookup(mp, key, hash, &slot);
}

/* For a key that is exactly a str; no code of a type runs. */
__attribute__((noinline)) static Py_ssize_t
scan_names(PyDictObject *mp, PyObject *name, Py_hash_t hash)
{
    size_t slot;

    return scan(mp, name, hash, &slot, 1);
}

/* The first look is here, as in pyb_dict_lookup. */
static inline Py_ssize_t
find_name(PyObject *dict, PyObject *name)
{
    const struct pyb_dict_table *t = ((PyDictObject *)dict)->_pyb_table;
    Py_hash_t hash = ((PyUnicodeObject *)name)->hash;

    PYB_ASSERT_OBJECT(PyDict_CheckExact(dict), dict);
    PYB_ASSERT_OBJECT(PyUnicode_CheckExact(name), name);
    if (_PyB_UNLIKELY(hash == -1))
        return UNDECIDED; /* it has to be hashed */
    Py_ssize_t i = get_slot(t, first_probe(t, hash).slot);
    if (i == EMPTY)
        return PYB_DICT_ABSENT;
    if (i >= 0 && t->entries[i].key == name)
        return i;
    return scan_names((PyDictObject *)dict, name, hash);
}

int
pyb_instancedict_peek(PyObject *dict, PyObject *name, PyObject **value)
{
    Py_ssize_t i = find_name(dict, name);

    *value =
        i >= 0 ? ((PyDictObject *)dict)->_pyb_table->entries[i].value : NULL;
    return i != UNDECIDED;
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

/* The slow part of maintain_tracking, if the key or the value is a
   container. */
static void
track_for(PyDictObject *mp, PyObject *key, PyObject *value)
{
    PYB_ASSERT(key != NULL && value != NULL);
    if (_PyB_UNLIKELY(!pyb_acyclic_is_tracked(mp)) && !mp->_pyb_unseen &&
        (pyb_acyclic_may_be_tracked(value) || pyb_acyclic_may_be_tracked(key)))
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

/* Makes room for one more key: twice the slots, or fewer if many of the keys
   were removed. */
static int
grow(PyDictObject *mp)
{
    return pyb_dict_resize(mp, mp->ma_used + mp->ma_used / 2 + 1);
}

/* The slot for an absent key whose lookup has ended at that empty slot: one on
   the way that a key has left, so that keys which come and go do not make it
   longer each time. */
static size_t
reuse_slot(PyDictObject *mp, Py_hash_t hash, size_t empty)
{
    size_t slot = free_slot(mp->_pyb_table, hash);

    mp->_pyb_reuses += slot != empty;
    return slot;
}

/* Inserts an absent key into that slot; steals both references.  Inlined, as
   scan is: gcc 12 would not, and a dictionary of five keys took 1.6 times as
   long when an entry was passed in memory. */
__attribute__((always_inline)) static inline void
enter(PyDictObject *mp, size_t slot, Py_hash_t hash, PyObject *key,
      PyObject *value)
{
    struct pyb_dict_table *t = mp->_pyb_table;

    PYB_ASSERT(t->left > 0 && get_slot(t, slot) < 0);
    PYB_ASSERT(key != NULL && value != NULL);
    maintain_tracking(mp, key, value);
    set_slot(t, slot, t->nentries);
    t->entries[t->nentries++] = (struct pyb_dict_entry){hash, key, value};
    t->left--;
    mp->ma_used++;
    PYB_EXPENSIVE(check_small(mp));
}

int
pyb_dict_add(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject *value)
{
    PYB_ASSERT(hash != -1);
    if (mp->_pyb_table->left == 0 && grow(mp) < 0)
        return -1;
    size_t slot = slot_of(mp->_pyb_table, hash, EMPTY);
    if (mp->_pyb_table->any_removed)
        slot = reuse_slot(mp, hash, slot);
    enter(mp, slot, hash, Py_NewRef(key), Py_NewRef(value));
    return 0;
}

/* Sets the value of the entry with that number; steals the reference.  The key
   that is there has been looked at. */
static inline void
replace(PyDictObject *mp, Py_ssize_t i, PyObject *value)
{
    PYB_ASSERT(i >= 0 && i < mp->_pyb_table->nentries);
    struct pyb_dict_entry *entry = &mp->_pyb_table->entries[i];

    PYB_ASSERT(entry->key != NULL);
    if (PyType_IS_GC(Py_TYPE(value)))
        track_for(mp, entry->key, value);
    Py_SETREF(entry->value, value);
}

int
pyb_instancedict_replace(PyObject *dict, PyObject *name, PyObject *value)
{
    Py_ssize_t i = find_name(dict, name);

    if (i >= 0)
        replace((PyDictObject *)dict, i, Py_NewRef(value));
    return i >= 0;
}

int
pyb_dict_insert(PyDictObject *mp, PyObject *key, Py_hash_t hash,
                PyObject *value)
{
    size_t slot;

    PYB_ASSERT(hash != -1);
    /* References are taken at once: a comparison may release the caller's. */
    Py_INCREF(key);
    Py_INCREF(value);
    Py_ssize_t i = lookup(mp, key, hash, &slot);
    if (_PyB_LIKELY(i == PYB_DICT_ABSENT)) {
        if (_PyB_UNLIKELY(mp->_pyb_table->left == 0)) {
            if (grow(mp) < 0)
                goto fail;
            slot = slot_of(mp->_pyb_table, hash, EMPTY);
        }
        if (_PyB_UNLIKELY(mp->_pyb_table->any_removed))
            slot = reuse_slot(mp, hash, slot);
        enter(mp, slot, hash, key, value);
        return 0;
    }
    if (i >= 0) {
        replace(mp, i, value);
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

    PYB_ASSERT(i >= 0 && i < t->nentries && t->entries[i].key != NULL);
    PYB_ASSERT(mp->ma_used > 0);
    struct pyb_dict_entry taken = t->entries[i];
    set_slot(t, slot_of(t, taken.hash, i), REMOVED);
    t->any_removed = 1;
    t->entries[i].key = NULL;
    t->entries[i].value = NULL;
    while (t->nentries > 0 && t->entries[t->nentries - 1].key == NULL)
        t->nentries--; /* so that popitem finds the last entry at once */
    if (--mp->ma_used == 0)
        mp->_pyb_generation++; /* the numbers begin anew */
    PYB_EXPENSIVE(check_small(mp));
    return taken;
}

void
pyb_dict_move_last(PyDictObject *mp, Py_ssize_t i)
{
    struct pyb_dict_table *t = mp->_pyb_table;

    PYB_ASSERT(t->left > 0 && i >= 0 && i < t->nentries);
    PYB_ASSERT(t->entries[i].key != NULL);
    if (i == t->nentries - 1)
        return;
    struct pyb_dict_entry entry = t->entries[i];
    set_slot(t, slot_of(t, entry.hash, i), t->nentries);
    t->entries[i].key = NULL;
    t->entries[i].value = NULL;
    t->entries[t->nentries++] = entry;
    t->left--;
    PYB_EXPENSIVE(check_small(mp));
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

    PYB_ASSERT(*pos >= 0);
    do
        i--;
    while (i >= 0 && t->entries[i].key == NULL);
    if (i < 0)
        return NULL;
    *pos = i;
    return &t->entries[i];
}
