/* intern.c: one str for each text that serves as a name.

   The table is not a dict, since dicts have these strings as keys.  Its
   entries are immortal: names are compared by address as long as the library
   lives. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/str/str.h"

/* An open hash table: a NULL entry ends a search.  At most two thirds of the
   room, a power of two, are in use. */
static PyObject **table;
static size_t room, used;

/* The entry with op's text, or the empty one where it belongs. */
static PyObject **
find(PyObject *op)
{
    size_t i = (size_t)pyb_str_hash(op) & (room - 1);

    PYB_ASSERT(room > 0 && (room & (room - 1)) == 0 && used < room);
    while (table[i] != NULL && !pyb_str_equal(table[i], op))
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
            *find(old[i]) = old[i];
    PyMem_Free(old);
    return 0;
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
    PyObject **entry = find(op);
    if (*entry == NULL) {
        ((PyUnicodeObject *)op)->_pyb_flags |= PYB_STR_INTERNED;
        op->ob_refcnt = _Py_IMMORTAL_REFCNT;
        *entry = op;
        used++;
    } else {
        PYB_ASSERT_OBJECT(PyUnicode_CHECK_INTERNED(*entry), *entry);
        *p = Py_NewRef(*entry);
        Py_DECREF(op);
    }
}

PyObject *
PyUnicode_InternFromString(const char *u)
{
    PyObject *op = PyUnicode_FromString(u);

    PyUnicode_InternInPlace(&op);
    return op;
}

unsigned int
PyUnicode_CHECK_INTERNED(PyObject *op)
{
    return ((PyUnicodeObject *)op)->_pyb_flags & PYB_STR_INTERNED;
}
