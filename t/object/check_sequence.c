/* check_sequence.c: the sequence and mapping protocols, and items of any
   object. */

#include "../support/suite.h"

static PyObject *number, *list, *tuple, *dict;

/* What most tests use: 5, [1, 2, 1], (1, 2, 1), {'a': 1}. */
static void
make_objects(void)
{
    number = PyLong_FromLong(5);
    list = Py_BuildValue("[iii]", 1, 2, 1);
    tuple = Py_BuildValue("(iii)", 1, 2, 1);
    dict = Py_BuildValue("{s:i}", "a", 1);
    ck_assert(number && list && tuple && dict);
}

static void
drop_objects(void)
{
    suite_drop(number, list, tuple, dict);
}

/* The call has failed with TypeError and the text. */
#define assert_type_error(call, text) suite_failed(call, PyExc_TypeError, text)
#define assert_null_type_error(call, text)                                    \
    suite_refused(call, PyExc_TypeError, text)

/* ------------------------------------------------------------------ */
/* Digits: a C type with nothing but numbered items                    */

static Py_ssize_t
digits_length(PyObject *Py_UNUSED(op))
{
    return 4;
}

static PyObject *
digits_item(PyObject *Py_UNUSED(op), Py_ssize_t i)
{
    if (i < 0 || i >= 4) {
        PyErr_SetString(PyExc_IndexError, "no such digit");
        return NULL;
    }
    return PyLong_FromSsize_t(i);
}

static Py_ssize_t assigned_index;
static PyObject *assigned_value;

static int
digits_ass_item(PyObject *Py_UNUSED(op), Py_ssize_t i, PyObject *value)
{
    assigned_index = i;
    assigned_value = value;
    return 0;
}

static PySequenceMethods digits_as_sequence = {
    .sq_length = digits_length,
    .sq_item = digits_item,
    .sq_ass_item = digits_ass_item,
};

static PyTypeObject Digits_Type = {SUITE_TYPE("check.Digits"),
                                   .tp_as_sequence = &digits_as_sequence};

static PyObject *
digits(void)
{
    ck_assert_int_eq(PyType_Ready(&Digits_Type), 0);
    return PyObject_New(PyObject, &Digits_Type);
}

/* ------------------------------------------------------------------ */
/* Sequences                                                           */

START_TEST(check_tells_sequences_and_mappings)
{
    make_objects();
    ck_assert_int_eq(PySequence_Check(list), 1);
    ck_assert_int_eq(PySequence_Check(tuple), 1);
    ck_assert_int_eq(PySequence_Check(dict), 0);
    ck_assert_int_eq(PySequence_Check(number), 0);
    ck_assert_int_eq(PyMapping_Check(dict), 1);
    ck_assert_int_eq(PyMapping_Check(list), 1);
    ck_assert_int_eq(PyMapping_Check(number), 0);
    ck_assert_int_eq(PyMapping_Check(NULL), 0);
    drop_objects();
}

START_TEST(sizes)
{
    make_objects();
    ck_assert_int_eq(PySequence_Size(list), 3);
    ck_assert_int_eq(PySequence_Length(tuple), 3);
    ck_assert_int_eq(PyObject_Size(dict), 1);
    ck_assert_int_eq(PyObject_Length(tuple), 3);
    ck_assert_int_eq(PyMapping_Size(dict), 1);
    ck_assert_int_eq(PyMapping_Length(list), 3);
    assert_type_error(PySequence_Size(number),
                      "object of type 'int' has no len()");
    assert_type_error(PySequence_Size(dict), "dict is not a sequence");
    assert_type_error(PyObject_Size(number),
                      "object of type 'int' has no len()");
    assert_type_error(PyMapping_Size(number),
                      "object of type 'int' has no len()");
    PyObject *op = digits();
    assert_type_error(PyMapping_Size(op), "check.Digits is not a mapping");
    suite_failed(PyObject_Size(NULL), PyExc_SystemError,
                 "null argument to internal routine");
    Py_DECREF(op);
    drop_objects();
}

START_TEST(items_by_number)
{
    make_objects();
    suite_new_repr(PySequence_GetItem(list, 1), "2");
    suite_new_repr(PySequence_GetItem(list, -2), "2");
    suite_new_repr(PySequence_ITEM(list, 0), "1");
    suite_refused(PySequence_GetItem(list, 3), PyExc_IndexError,
                  "list index out of range");
    assert_null_type_error(PySequence_GetItem(number, 0),
                           "'int' object does not support indexing");
    assert_null_type_error(PySequence_GetItem(dict, 0),
                           "dict is not a sequence");
    ck_assert_int_eq(PySequence_SetItem(list, -1, number), 0);
    suite_repr(list, "[1, 2, 5]");
    ck_assert_int_eq(PySequence_DelItem(list, 0), 0);
    suite_repr(list, "[2, 5]");
    assert_type_error(PySequence_SetItem(tuple, 0, number),
                      "'tuple' object does not support item assignment");
    assert_type_error(PySequence_DelItem(tuple, 0),
                      "'tuple' object doesn't support item deletion");
    assert_type_error(PySequence_DelItem(dict, 0), "dict is not a sequence");
    drop_objects();
}

START_TEST(slices)
{
    make_objects();
    suite_new_repr(PySequence_GetSlice(list, -2, 9), "[2, 1]");
    assert_null_type_error(PySequence_GetSlice(number, 0, 1),
                           "'int' object is unsliceable");
    ck_assert_int_eq(PySequence_SetSlice(list, 0, 1, tuple), 0);
    suite_repr(list, "[1, 2, 1, 2, 1]");
    ck_assert_int_eq(PySequence_DelSlice(list, 1, 4), 0);
    suite_repr(list, "[1, 1]");
    assert_type_error(PySequence_SetSlice(tuple, 0, 1, list),
                      "'tuple' object doesn't support slice assignment");
    assert_type_error(PySequence_DelSlice(tuple, 0, 1),
                      "'tuple' object doesn't support slice deletion");
    drop_objects();
}

START_TEST(concat_and_repeat)
{
    make_objects();
    suite_new_repr(PySequence_Concat(tuple, tuple), "(1, 2, 1, 1, 2, 1)");
    assert_null_type_error(PySequence_Concat(number, number),
                           "'int' object can't be concatenated");
    assert_null_type_error(PySequence_InPlaceConcat(dict, dict),
                           "'dict' object can't be concatenated");
    assert_null_type_error(PySequence_Repeat(number, 2),
                           "'int' object can't be repeated");
    assert_null_type_error(PySequence_InPlaceRepeat(dict, 2),
                           "'dict' object can't be repeated");
    suite_new_repr(PySequence_InPlaceRepeat(tuple, 2), "(1, 2, 1, 1, 2, 1)");
    suite_repr(tuple, "(1, 2, 1)");
    suite_refused(PySequence_Concat(NULL, list), PyExc_SystemError,
                  "null argument to internal routine");
    drop_objects();
}

START_TEST(searching)
{
    make_objects();
    PyObject *one = PyLong_FromLong(1), *it;

    ck_assert_int_eq(PySequence_Count(list, one), 2);
    ck_assert_int_eq(PySequence_Index(list, one), 0);
    ck_assert_int_eq(PySequence_Contains(list, one), 1);
    ck_assert_int_eq(PySequence_In(list, number), 0);
    suite_failed(PySequence_Index(list, number), PyExc_ValueError,
                 "sequence.index(x): x not in sequence");
    it = PyObject_GetIter(list);
    ck_assert_int_eq(PySequence_Contains(it, number), 0);
    Py_DECREF(it);
    assert_type_error(PySequence_Contains(number, one),
                      "argument of type 'int' is not iterable");
    assert_type_error(PySequence_Count(number, one),
                      "argument of type 'int' is not iterable");
    assert_type_error(PySequence_Index(number, one),
                      "argument of type 'int' is not iterable");
    PyObject *op = digits();
    ck_assert_int_eq(PySequence_Contains(op, one), 1);
    ck_assert_int_eq(PySequence_Contains(op, number), 0);
    suite_drop(op, one);
    drop_objects();
}

START_TEST(lists_and_tuples_of_iterables)
{
    make_objects();
    PyObject *op = digits(), *same;

    suite_new_repr(PySequence_List(op), "[0, 1, 2, 3]");
    suite_new_repr(PySequence_Tuple(op), "(0, 1, 2, 3)");
    suite_new_repr(PySequence_List(dict), "['a']");
    suite_new_repr(PySequence_Tuple(list), "(1, 2, 1)");
    same = PySequence_Tuple(tuple);
    ck_assert_ptr_eq(same, tuple);
    Py_SETREF(same, PySequence_List(list));
    ck_assert_ptr_ne(same, list);
    Py_DECREF(same);
    assert_null_type_error(PySequence_List(number),
                           "'int' object is not iterable");
    assert_null_type_error(PySequence_Tuple(number),
                           "'int' object is not iterable");
    Py_DECREF(op);
    drop_objects();
}

START_TEST(fast_gives_lists_and_tuples)
{
    make_objects();
    PyObject *op = digits(), *fast = PySequence_Fast(list, "no");

    ck_assert_ptr_eq(fast, list);
    ck_assert_int_eq(PySequence_Fast_GET_SIZE(fast), 3);
    ck_assert_ptr_eq(PySequence_Fast_ITEMS(fast)[1],
                     PySequence_Fast_GET_ITEM(fast, 1));
    Py_SETREF(fast, PySequence_Fast(tuple, "no"));
    ck_assert_ptr_eq(fast, tuple);
    ck_assert_int_eq(PyLong_AsLong(PySequence_Fast_GET_ITEM(fast, 1)), 2);
    Py_SETREF(fast, PySequence_Fast(op, "no"));
    suite_repr(fast, "[0, 1, 2, 3]");
    assert_null_type_error(PySequence_Fast(number, "no"), "no");
    suite_drop(fast, op);
    drop_objects();
}

/* ------------------------------------------------------------------ */
/* Items of any object                                                 */

START_TEST(items_of_a_type_with_numbers_only)
{
    PyObject *op = digits(), *key = PyLong_FromLong(-1);

    suite_new_repr(PyObject_GetItem(op, key), "3");
    ck_assert_int_eq(PyObject_SetItem(op, key, Py_None), 0);
    ck_assert_int_eq(assigned_index, 3);
    ck_assert_ptr_eq(assigned_value, Py_None);
    ck_assert_int_eq(PyObject_DelItem(op, key), 0);
    ck_assert_ptr_null(assigned_value);
    Py_SETREF(key, PyUnicode_FromString("a"));
    assert_null_type_error(PyObject_GetItem(op, key),
                           "sequence index must be integer, not 'str'");
    assert_type_error(PyObject_SetItem(op, key, key),
                      "sequence index must be integer, not 'str'");
    suite_drop(key, op);
}

START_TEST(items_of_what_has_none)
{
    make_objects();
    assert_null_type_error(PyObject_GetItem(number, number),
                           "'int' object is not subscriptable");
    assert_null_type_error(PyObject_GetItem((PyObject *)&PyLong_Type, number),
                           "type 'int' is not subscriptable");
    assert_type_error(PyObject_SetItem(number, number, number),
                      "'int' object does not support item assignment");
    assert_type_error(PyObject_DelItem(number, number),
                      "'int' object does not support item deletion");
    assert_type_error(PyObject_DelItem(tuple, number),
                      "'tuple' object doesn't support item deletion");
    assert_type_error(PyObject_DelItem(tuple, tuple),
                      "'tuple' object does not support item deletion");
    suite_refused(PyObject_GetItem(list, NULL), PyExc_SystemError,
                  "null argument to internal routine");
    drop_objects();
}

/* ------------------------------------------------------------------ */
/* Mappings                                                            */

START_TEST(mapping_functions_with_strings)
{
    make_objects();
    PyObject *r;

    suite_new_repr(PyMapping_GetItemString(dict, "a"), "1");
    suite_refused(PyMapping_GetItemString(dict, "b"), PyExc_KeyError, "'b'");
    ck_assert_int_eq(PyMapping_SetItemString(dict, "b", number), 0);
    suite_repr(dict, "{'a': 1, 'b': 5}");
    ck_assert_int_eq(PyMapping_GetOptionalItemString(dict, "b", &r), 1);
    suite_new_repr(r, "5");
    ck_assert_int_eq(PyMapping_DelItemString(dict, "b"), 0);
    ck_assert_int_eq(PyMapping_GetOptionalItemString(dict, "b", &r), 0);
    ck_assert_ptr_null(r);
    suite_failed(PyObject_DelItemString(dict, "b"), PyExc_KeyError, "'b'");
    ck_assert_int_eq(PyMapping_HasKeyString(dict, "a"), 1);
    ck_assert_int_eq(PyMapping_HasKeyStringWithError(dict, "b"), 0);
    drop_objects();
}

START_TEST(optional_items_of_other_mappings)
{
    make_objects();
    PyObject *proxy = PyDictProxy_New(dict), *r = list;

    ck_assert_int_eq(PyMapping_GetOptionalItem(proxy, number, &r), 0);
    ck_assert_ptr_null(r);
    suite_failed(PyMapping_GetOptionalItem(proxy, list, &r), PyExc_TypeError,
                 "unhashable type: 'list'");
    ck_assert_ptr_null(r);
    ck_assert_int_eq(PyMapping_HasKey(proxy, number), 0);
    assert_type_error(PyMapping_HasKeyWithError(number, number),
                      "'int' object is not subscriptable");
    Py_DECREF(proxy);
    drop_objects();
}

START_TEST(keys_values_and_items)
{
    make_objects();
    PyObject *proxy = PyDictProxy_New(dict);

    suite_new_repr(PyMapping_Keys(dict), "['a']");
    suite_new_repr(PyMapping_Values(dict), "[1]");
    suite_new_repr(PyMapping_Items(dict), "[('a', 1)]");
    suite_new_repr(PyMapping_Items(proxy), "[('a', 1)]");
    suite_new_repr(PyMapping_Values(proxy), "[1]");
    suite_refused(PyMapping_Keys(number), PyExc_AttributeError,
                  "'int' object has no attribute 'keys'");
    Py_DECREF(proxy);
    drop_objects();
}

START_TEST(length_hints)
{
    make_objects();
    PyObject *it = PyObject_GetIter(list);

    ck_assert_int_eq(PyObject_LengthHint(list, 9), 3);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 3);
    ck_assert_int_eq(PyObject_LengthHint(number, 9), 9);
    Py_DECREF(it);
    drop_objects();
}

/* ------------------------------------------------------------------ */
/* Sums: a type with items that adds and multiplies as numbers do      */

static const char *asked; /* of the slots below, the last; what they say */
static PyObject *sum_answer;

#define SUMS_SLOT(name)                                                       \
    static PyObject *sums_##name(PyObject *a, PyObject *b)                    \
    {                                                                         \
        (void)a;                                                              \
        (void)b;                                                              \
        asked = #name;                                                        \
        return Py_NewRef(sum_answer);                                         \
    }
SUMS_SLOT(add)
SUMS_SLOT(multiply)
SUMS_SLOT(inplace_add)
SUMS_SLOT(inplace_multiply)

static PyNumberMethods sums_as_number = {
    .nb_add = sums_add,
    .nb_multiply = sums_multiply,
    .nb_inplace_add = sums_inplace_add,
    .nb_inplace_multiply = sums_inplace_multiply,
};

static PySequenceMethods sums_as_sequence = {.sq_item = digits_item};

static PyTypeObject Sums_Type = {SUITE_TYPE("Sums"),
                                 .tp_as_number = &sums_as_number,
                                 .tp_as_sequence = &sums_as_sequence};

/* The call returned the answer of that slot. */
#define assert_asked(call, name)                                              \
    do {                                                                      \
        PyObject *result_ = (call);                                           \
        ck_assert_ptr_eq(result_, sum_answer);                                \
        ck_assert_str_eq(asked, name);                                        \
        Py_DECREF(result_);                                                   \
    } while (0)

START_TEST(sequences_that_add_as_numbers)
{
    make_objects();
    ck_assert_int_eq(PyType_Ready(&Sums_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Sums_Type);

    sum_answer = Py_True;
    assert_asked(PySequence_Concat(op, tuple), "add");
    assert_asked(PySequence_Repeat(op, 2), "multiply");
    assert_asked(PySequence_InPlaceConcat(op, tuple), "inplace_add");
    assert_asked(PySequence_InPlaceRepeat(op, 2), "inplace_multiply");
    sums_as_number.nb_inplace_add = NULL;
    sums_as_number.nb_inplace_multiply = NULL;
    assert_asked(PySequence_InPlaceConcat(op, tuple), "add");
    assert_asked(PySequence_InPlaceRepeat(op, 2), "multiply");
    assert_null_type_error(PySequence_Concat(op, number),
                           "'Sums' object can't be concatenated");
    assert_null_type_error(PySequence_Concat(number, op),
                           "'int' object can't be concatenated");
    sums_as_number.nb_inplace_add = sums_inplace_add;
    sums_as_number.nb_inplace_multiply = sums_inplace_multiply;

    sum_answer = Py_NotImplemented;
    assert_null_type_error(PySequence_Concat(op, tuple),
                           "'Sums' object can't be concatenated");
    assert_null_type_error(PySequence_Repeat(op, 2),
                           "'Sums' object can't be repeated");
    assert_null_type_error(PySequence_InPlaceConcat(op, tuple),
                           "'Sums' object can't be concatenated");
    assert_null_type_error(PySequence_InPlaceRepeat(op, 2),
                           "'Sums' object can't be repeated");
    Py_DECREF(op);
    drop_objects();
}
