/* intern.c: one str for each text that serves as a name.

   The table is not a dict, since dicts have these strings as keys.  It owns no
   reference to its entries: a name that nothing else refers to is freed, and
   leaves the table. */

#include "Python.h"

#include <string.h>

#include "gc/base/fatal.h"
#include "types/str/str.h"

/* An open hash table: a NULL entry ends a search.  At most two thirds of the
   room, a power of two, are in use. */
static PyObject **table;
static size_t room, used;

/* What is looked for. */
struct name {
    const char *text;
    size_t size;
    Py_hash_t hash;
};

static struct name
name_of(PyObject *op)
{
    return (struct name){pyb_str_text(op), (size_t)pyb_str_size(op),
                         pyb_str_hash(op)};
}

static int
is_name(PyObject *op, const struct name *name)
{
    return pyb_str_hash(op) == name->hash &&
           (size_t)pyb_str_size(op) == name->size &&
           memcmp(pyb_str_text(op), name->text, name->size) == 0;
}

/* Where the search for a hash begins. */
static size_t
home(Py_hash_t hash)
{
    return (size_t)hash & (room - 1);
}

/* The entry with the name, or the empty one where it belongs. */
static PyObject **
find(struct name name)
{
    size_t i = home(name.hash);

    PYB_ASSERT(room > 0 && (room & (room - 1)) == 0 && used < room);
    while (table[i] != NULL && !is_name(table[i], &name))
        i = (i + 1) & (room - 1);
    return &table[i];
}

/* Makes the table twice as large.  0, or -1 without an exception. */
static int
grow(void)
{
    enum { FIRST_ROOM = 1024 };
    PyObject **old = table;
    size_t old_room = room, new_room = room == 0 ? FIRST_ROOM : 2 * room;
    PyObject **fresh = PyMem_Calloc(new_room, sizeof(*fresh));

    if (fresh == NULL)
        return -1;
    table = fresh;
    room = new_room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i] != NULL)
            *find(name_of(old[i])) = old[i];
    PyMem_Free(old);
    return 0;
}

/* Entries behind the one that goes move up, unless they are at home between
   the hole and where they stand: no search may end too early. */
void
pyb_intern_forget(PyObject *op)
{
    PyObject **entry = find(name_of(op));
    size_t hole = (size_t)(entry - table), i = hole;

    PYB_ASSERT_OBJECT(*entry == op && used > 0, op);
    while (table[i = (i + 1) & (room - 1)] != NULL) {
        size_t wish = home(pyb_str_hash(table[i]));

        if (((i - wish) & (room - 1)) < ((i - hole) & (room - 1)))
            continue;
        table[hole] = table[i];
        hole = i;
    }
    table[hole] = NULL;
    used--;
}

void
PyUnicode_InternInPlace(PyObject **p)
{
    PyObject *op = *p;

    if (op == NULL || !PyUnicode_CheckExact(op) ||
        PyUnicode_CHECK_INTERNED(op))
        return;
    if (used >= room / 3 * 2 && grow() < 0)
        return;
    PyObject **entry = find(name_of(op));
    if (*entry == NULL) {
        ((PyUnicodeObject *)op)->_pyb_flags |= PYB_STR_INTERNED;
        *entry = op;
        used++;
    } else {
        PYB_ASSERT_OBJECT(PyUnicode_CHECK_INTERNED(*entry), *entry);
        *p = Py_NewRef(*entry);
        Py_DECREF(op);
    }
}

void
PyUnicode_InternImmortal(PyObject **p)
{
    PyUnicode_InternInPlace(p);
    if (*p != NULL && PyUnicode_CheckExact(*p) && PyUnicode_CHECK_INTERNED(*p))
        (*p)->ob_refcnt = _Py_IMMORTAL_REFCNT;
}

PyObject *
PyUnicode_InternFromString(const char *u)
{
    size_t size = strlen(u);
    PyObject *op = NULL;

    if (used > 0)
        op = *find((struct name){u, size, Py_HashBuffer(u, (Py_ssize_t)size)});
    if (op != NULL)
        return Py_NewRef(op);
    op = PyUnicode_FromString(u);
    PyUnicode_InternInPlace(&op);
    return op;
}

unsigned int
PyUnicode_CHECK_INTERNED(PyObject *op)
{
    return ((PyUnicodeObject *)op)->_pyb_flags & PYB_STR_INTERNED;
}
