/* check_types_validate.c: each function that is fatal where a str, a list, a
   dictionary ... contradicts itself is seen to be, and has nothing to say of
   one that is in order.  Those of the collector are in
   gc/check_gc_validate.c. */

#include "../support/suite.h"

#include "types/bytes/bytes.h"
#include "types/dict/dict.h"
#include "types/iter/iterators.h"
#include "types/list/list.h"
#include "types/set/set.h"
#include "types/str/str.h"

/* ------------------------------------------------------------------ */
/* What is in order                                                    */

/* A list of three. */
static PyObject *
some_list(void)
{
    return Py_BuildValue("[iii]", 1, 2, 3);
}

static PyDictObject *
some_dict(void)
{
    return (PyDictObject *)Py_BuildValue("{sisisi}", "a", 1, "b", 2, "c", 3);
}

/* The table of a set of one. */
static PyDictObject *
some_set(void)
{
    PyObject *set = PySet_New(NULL);

    PySet_Add(set, Py_None);
    return PYB_SET_TABLE(set);
}

/* A str of six bytes and five characters, all of which one byte can hold, and
   the array of these. */
static PyUnicodeObject *
some_str(void)
{
    PyObject *op = PyUnicode_FromString("caf\303\251!");

    PyObject_Hash(op);
    return PyUnicode_READY(op) == 0 ? (PyUnicodeObject *)op : NULL;
}

static char *
text(PyUnicodeObject *self)
{
    return (char *)(uintptr_t)self->_pyb_text;
}

static PyByteArrayObject *
some_bytearray(void)
{
    return (PyByteArrayObject *)PyByteArray_FromStringAndSize("abc", 3);
}

static struct pyb_iterator *
some_iterator(void)
{
    return PYB_ITERATOR(PyObject_GetIter(some_list()));
}

static void
dict_hash(void)
{
    PyDictObject *mp = some_dict();
    struct pyb_dict_table *t = mp->_pyb_table;
    int lost = 0;

    /* Wherever the slot is, some bits of the hash lead away from it. */
    for (Py_hash_t hash = t->entries[1].hash; lost < 64; lost++) {
        t->entries[1].hash = (Py_hash_t)((size_t)hash ^ (size_t)1 << lost);
        pyb_dict_check(mp);
    }
}

static void
dict_full(void)
{
    PyDictObject *mp = some_dict();

    for (int i = 0; i < 8; i++) {
        char *slot = (char *)mp->_pyb_table->slots + i;
        if (*slot == -1)
            *slot = -2;
    }
    pyb_dict_check(mp);
}

/* ------------------------------------------------------------------ */
/* Each is broken in a process of its own                              */

START_TEST(dictionaries_that_contradict_themselves_are_fatal)
{
    PyDictObject *mp = some_dict();
    PyObject *value = some_list();

    SUITE_FATAL((mp->ma_used++, pyb_dict_check(mp)),
                "pyb_dict_check: a table does not have as many keys");
    SUITE_FATAL((mp->_pyb_table->entries[0].value = NULL, pyb_dict_check(mp)),
                "pyb_dict_check: an entry has one of key and value");
    SUITE_FATAL((memset(mp->_pyb_table->slots, 100, 1), pyb_dict_check(mp)),
                "a slot has the number of no entry");
    SUITE_FATAL((mp->_pyb_table->left = 100, pyb_dict_check(mp)),
                "pyb_dict_check: a table has more entries than room");
    SUITE_FATAL((mp->_pyb_table->entries[2].key = NULL, pyb_dict_check(mp)),
                "pyb_dict_check: a table's last entry is a removed one");
    SUITE_FATAL(
        (((PyUnicodeObject *)mp->_pyb_table->entries[0].key)->hash ^= 1,
         pyb_dict_check(mp)),
        "pyb_dict_check: an entry has not its key's hash");
    SUITE_FATAL((mp->_pyb_table->entries[0].value = value,
                 Py_SET_REFCNT(value, 0), pyb_dict_check(mp)),
                "pyb_dict_check: an entry has not its key's hash");
    SUITE_FATAL(dict_hash(), "pyb_dict_check: an entry");
    SUITE_FATAL(dict_full(), "pyb_dict_check: a table has no empty slot");
    mp = some_set();
    SUITE_FATAL((mp->ma_used--, pyb_dict_check(mp)),
                "pyb_dict_check: a table does not have as many keys");
}

START_TEST(lists_that_contradict_themselves_are_fatal)
{
    PyListObject *list = (PyListObject *)some_list();
    PyObject *item = some_list();

    SUITE_FATAL((list->allocated = 1, pyb_list_check(list)),
                "pyb_list_check: a list has more items than room");
    SUITE_FATAL(
        (Py_SET_SIZE(list, 0), list->ob_item = NULL, pyb_list_check(list)),
        "pyb_list_check: a list has room and no array");
    SUITE_FATAL(
        (list->ob_item[1] = item, item->ob_refcnt = 0, pyb_list_check(list)),
        "pyb_list_check: an item of a list is dead");
}

START_TEST(strings_that_contradict_themselves_are_fatal)
{
    PyUnicodeObject *self = some_str();

    SUITE_FATAL(
        (text(self)[6] = '.', pyb_str_check_consistency((PyObject *)self)),
        "the text of a str has no end");
    SUITE_FATAL(
        (text(self)[4] = '.', pyb_str_check_consistency((PyObject *)self)),
        "the text of a str is not UTF-8");
    SUITE_FATAL(
        (self->_pyb_length--, pyb_str_check_consistency((PyObject *)self)),
        "a str has not as many characters as were counted");
    SUITE_FATAL((self->_pyb_flags |= PYB_STR_ASCII,
                 pyb_str_check_consistency((PyObject *)self)),
                "a str is ASCII, or is not, against its flag");
    SUITE_FATAL((self->_pyb_flags |= PYB_STR_SURROGATES,
                 pyb_str_check_consistency((PyObject *)self)),
                "a str has surrogates, or has not, against its flag");
    SUITE_FATAL((self->hash ^= 1, pyb_str_check_consistency((PyObject *)self)),
                "a str has the hash of another text");
    SUITE_FATAL((self->_pyb_flags |= PYB_STR_STALE, self->_pyb_chars = NULL,
                 pyb_str_check_consistency((PyObject *)self)),
                "a str that needs its array has none");
    SUITE_FATAL((self->_pyb_flags &= ~(unsigned)PYB_STR_KIND,
                 pyb_str_check_consistency((PyObject *)self)),
                "the array of a str has no kind");
    SUITE_FATAL((((char *)self->_pyb_chars)[5] = '.',
                 pyb_str_check_consistency((PyObject *)self)),
                "the array of a str has no end");
    SUITE_FATAL((((char *)self->_pyb_chars)[3] = '.',
                 pyb_str_check_consistency((PyObject *)self)),
                "a str has an array of other characters");
}

START_TEST(bytearrays_that_contradict_themselves_are_fatal)
{
    PyByteArrayObject *self = some_bytearray();

    SUITE_FATAL((self->ob_alloc = 0, pyb_bytearray_check(self)),
                "a bytearray's memory has no size");
    SUITE_FATAL((self->ob_bytes++, pyb_bytearray_check(self)),
                "a bytearray begins before its memory");
    SUITE_FATAL((Py_SET_SIZE(self, self->ob_alloc), pyb_bytearray_check(self)),
                "a bytearray's size does not fit in its memory");
    SUITE_FATAL((self->ob_start[3] = '.', pyb_bytearray_check(self)),
                "a bytearray has no end");
    SUITE_FATAL((self->ob_exports--, pyb_bytearray_check(self)),
                "a bytearray has been released too often");
}

START_TEST(iterators_that_contradict_themselves_are_fatal)
{
    struct pyb_iterator *it = some_iterator();

    SUITE_FATAL((it->index = -2, pyb_iterator_check((PyObject *)it)),
                "an iterator's index is out of range");
    SUITE_FATAL((Py_SET_REFCNT(it->of, 0), pyb_iterator_check((PyObject *)it)),
                "an iterator's object is dead");
}

START_TEST(what_is_in_order_is_not)
{
    pyb_dict_check(some_dict());
    pyb_dict_check(some_set());
    pyb_list_check((PyListObject *)some_list());
    pyb_str_check_consistency((PyObject *)some_str());
    pyb_bytearray_check(some_bytearray());
    pyb_iterator_check((PyObject *)some_iterator());
}

/* Each kind of table, and each change of it. */
START_TEST(dictionaries_stay_in_order)
{
    PyObject *dict = PyDict_New();

    for (long i = 0; i < 1000; i++) {
        PyObject *key = PyLong_FromLong(i * 64);

        ck_assert_int_eq(PyDict_SetItem(dict, key, key), 0);
        if (i % 3 == 0)
            ck_assert_int_eq(PyDict_DelItem(dict, key), 0);
        Py_DECREF(key);
        pyb_dict_check((PyDictObject *)dict);
    }
    while (PyDict_Size(dict) > 0) {
        PyObject *item =
            suite_require(PyObject_CallMethod(dict, "popitem", NULL));
        Py_DECREF(item);
        pyb_dict_check((PyDictObject *)dict);
    }
    PyDict_Clear(dict);
    pyb_dict_check((PyDictObject *)dict);
    Py_DECREF(dict);
}

/* A str that is filled, read, and changed before anything else has it. */
START_TEST(strings_stay_in_order)
{
    static const Py_UCS4 most[] = {'a', 0xe9, 0x20ac, 0x1f600, 0xd800};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(most); i++) {
        PyObject *op = suite_require(PyUnicode_New(3, most[i]));

        pyb_str_check_consistency(op);
        for (Py_ssize_t k = 0; k < 3; k++)
            ck_assert_int_eq(PyUnicode_WriteChar(op, k, most[i]), 0);
        pyb_str_check_consistency(op);
        ck_assert_int_eq(PyUnicode_Find(op, op, 0, 3, 1), 0);
        pyb_str_check_consistency(op);
        ck_assert_int_eq(PyUnicode_WriteChar(op, 1, '.'), 0);
        pyb_str_check_consistency(op);
        ck_assert_int_ne(PyObject_Hash(op), -1);
        pyb_str_check_consistency(op);
        Py_DECREF(op);
    }
}

START_TEST(the_second_character_that_is_read_makes_the_array)
{
    PyObject *op = suite_require(PyUnicode_FromString("caf\303\251!"));
    PyUnicodeObject *self = (PyUnicodeObject *)op;

    ck_assert_uint_eq(PyUnicode_READ_CHAR(op, 3), 0xe9);
    ck_assert_uint_eq(pyb_str_read(op, 3), 0xe9);
    ck_assert_ptr_null(self->_pyb_chars);
    ck_assert_uint_eq(PyUnicode_ReadChar(op, 3), 0xe9);
    ck_assert_ptr_nonnull(self->_pyb_chars);
    ck_assert_uint_eq(pyb_str_read(op, 4), '!');
    pyb_str_check_consistency(op);
    Py_DECREF(op);
}
