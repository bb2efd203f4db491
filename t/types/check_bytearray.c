/* check_bytearray.c: bytearray: a row of bytes that changes. */

#include "../support/suite.h"

static PyObject *
array(const char *text)
{
    return PyByteArray_FromStringAndSize(text, (Py_ssize_t)strlen(text));
}

static PyObject *
slice(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    PyObject *bounds = Py_VaBuildValue(format, args);
    va_end(args);
    PyObject *op = PyObject_Call((PyObject *)&PySlice_Type, bounds, NULL);
    Py_DECREF(bounds);
    ck_assert_ptr_nonnull(op);
    return op;
}

/* op[key], which is given away. */
static PyObject *
item(PyObject *op, PyObject *key)
{
    PyObject *result = PyObject_GetItem(op, key);

    Py_DECREF(key);
    return result;
}

/* op[key] = value, both of which are given away; NULL deletes it. */
static int
set_item(PyObject *op, PyObject *key, PyObject *value)
{
    int result = value != NULL ? PyObject_SetItem(op, key, value)
                               : PyObject_DelItem(op, key);

    Py_DECREF(key);
    Py_XDECREF(value);
    return result;
}

START_TEST(items)
{
    static const char out[] = "bytearray index out of range";
    PyObject *op = array("abc");

    suite_new_int(item(op, PyLong_FromLong(0)), 'a');
    suite_new_int(item(op, PyLong_FromLong(-1)), 'c');
    suite_new_int(PySequence_GetItem(op, -3), 'a');
    suite_refused(item(op, PyLong_FromLong(3)), PyExc_IndexError, out);
    suite_refused(item(op, PyLong_FromLong(-4)), PyExc_IndexError, out);
    suite_refused(item(op, PyUnicode_FromString("x")), PyExc_TypeError,
                  "bytearray indices must be integers or slices, not str");
    ck_assert_int_eq(set_item(op, PyLong_FromLong(-3), PyLong_FromLong(255)),
                     0);
    suite_repr(op, "bytearray(b'\\xffbc')");
    suite_failed(set_item(op, PyLong_FromLong(3), PyLong_FromLong(1)),
                 PyExc_IndexError, out);
    suite_failed(set_item(op, PyLong_FromLong(0), PyLong_FromLong(256)),
                 PyExc_ValueError, "byte must be in range(0, 256)");
    suite_failed(set_item(op, PyUnicode_FromString("x"), PyLong_FromLong(1)),
                 PyExc_TypeError,
                 "bytearray indices must be integers or slices, not str");
    ck_assert_int_eq(set_item(op, PyLong_FromLong(1), NULL), 0);
    suite_repr(op, "bytearray(b'\\xffc')");
    ck_assert_int_eq(PySequence_SetItem(op, 0, Py_True), 0);
    suite_failed(PySequence_SetItem(op, 2, Py_True), PyExc_IndexError, out);
    suite_new_repr(op, "bytearray(b'\\x01c')");
}

START_TEST(slices)
{
    PyObject *op = array("abcdef");

    suite_new_repr(item(op, slice("(ii)", 1, 3)), "bytearray(b'bc')");
    suite_new_repr(item(op, slice("(OOi)", Py_None, Py_None, -2)),
                   "bytearray(b'fdb')");
    suite_new_repr(item(op, slice("(ii)", 4, 1)), "bytearray(b'')");
    suite_refused(item(op, slice("(iii)", 0, 1, 0)), PyExc_ValueError,
                  "slice step cannot be zero");
    suite_new_repr(op, "bytearray(b'abcdef')");
}

START_TEST(slices_are_replaced)
{
    PyObject *op = array("abcdef");

    ck_assert_int_eq(set_item(op, slice("(ii)", 1, 3), array("12345")), 0);
    suite_repr(op, "bytearray(b'a12345def')");
    ck_assert_int_eq(set_item(op, slice("(ii)", 1, 6), NULL), 0);
    suite_repr(op, "bytearray(b'adef')");
    ck_assert_int_eq(
        set_item(op, slice("(iii)", 0, 4, 2), Py_BuildValue("[ii]", 65, 66)),
        0);
    suite_repr(op, "bytearray(b'AdBf')");
    ck_assert_int_eq(set_item(op, slice("(OOi)", Py_None, Py_None, -2), NULL),
                     0);
    suite_repr(op, "bytearray(b'AB')");
    ck_assert_int_eq(set_item(op, slice("(iii)", 2, 4, 2), NULL), 0);
    ck_assert_int_eq(set_item(op, slice("(ii)", 2, 9), Py_NewRef(op)), 0);
    suite_repr(op, "bytearray(b'ABAB')");
    suite_failed(
        set_item(op, slice("(iii)", 0, 4, 2), array("123")), PyExc_ValueError,
        "attempt to assign bytes of size 3 to extended slice of size 2");
    suite_failed(
        set_item(op, slice("(ii)", 0, 1), PyLong_FromLong(3)), PyExc_TypeError,
        "can assign only bytes, buffers, or iterables of ints in range(0, "
        "256)");
    suite_failed(set_item(op, slice("(iii)", 0, 1, 0), NULL), PyExc_ValueError,
                 "slice step cannot be zero");
    ck_assert_int_eq(set_item(op, slice("(iii)", 3, 0, -2), array("")), 0);
    suite_repr(op, "bytearray(b'AA')");
    ck_assert_int_eq(set_item(op, slice("(iii)", 2, 1, 2), array("")), 0);
    suite_new_repr(op, "bytearray(b'AA')");
}

/* What is read from the front and filled at the end, as protocols do it. */
START_TEST(read_from_the_front)
{
    PyObject *op = array("0123456789"), *one = slice("(zi)", NULL, 1);
    const char *start = PyByteArray_AsString(op);

    ck_assert_int_eq(PyObject_DelItem(op, one), 0);
    ck_assert_ptr_eq(PyByteArray_AsString(op), start + 1);
    ck_assert_str_eq(PyByteArray_AsString(op), "123456789");
    ck_assert_int_eq(
        set_item(op, slice("(zi)", NULL, 3), PyBytes_FromString("x")), 0);
    ck_assert_str_eq(PyByteArray_AsString(op), "x456789");
    ck_assert_int_eq(
        set_item(op, slice("(zi)", NULL, 1), PyBytes_FromString("yz")), 0);
    ck_assert_str_eq(PyByteArray_AsString(op), "yz456789");
    for (int i = 0; i < 1000; i++) {
        PyObject *bytes = PyBytes_FromFormat("%d", 100 + i % 900);

        ck_assert_int_eq(
            set_item(op, slice("(nz)", PyByteArray_Size(op), NULL), bytes), 0);
        ck_assert_int_eq(set_item(op, slice("(zi)", NULL, i % 4), NULL), 0);
    }
    ck_assert_int_eq(PyByteArray_Size(op), 8 + 3 * 1000 - 6 * 250);
    ck_assert_str_eq(PyByteArray_AsString(op) + PyByteArray_Size(op) - 6,
                     "198199");
    ck_assert_int_eq(
        set_item(op, slice("(zi)", NULL, PyByteArray_Size(op) - 3), NULL), 0);
    ck_assert_str_eq(PyByteArray_AsString(op), "199");
    ck_assert_int_eq(set_item(op, slice("(zz)", NULL, NULL), NULL), 0);
    ck_assert_str_eq(PyByteArray_AsString(op), "");
    suite_drop(op, one);
}

/* While there is a view of the bytes they stay where they are. */
START_TEST(exported)
{
    static const char fixed[] =
        "Existing exports of data: object cannot be re-sized";
    PyObject *op = array("abcd");
    Py_buffer view;

    ck_assert_int_eq(PyObject_GetBuffer(op, &view, PyBUF_SIMPLE), 0);
    suite_failed(PyByteArray_Resize(op, 9), PyExc_BufferError, fixed);
    ck_assert_int_eq(PyByteArray_Resize(op, 4), 0);
    suite_failed(set_item(op, PyLong_FromLong(0), NULL), PyExc_BufferError,
                 fixed);
    suite_failed(set_item(op, slice("(iii)", 0, 4, 2), NULL),
                 PyExc_BufferError, fixed);
    suite_refused(PyObject_CallMethod(op, "append", "i", 1), PyExc_BufferError,
                  fixed);
    suite_refused(PyObject_CallMethod(op, "pop", NULL), PyExc_BufferError,
                  fixed);
    suite_refused(PyObject_CallMethod(op, "clear", NULL), PyExc_BufferError,
                  fixed);
    ck_assert_int_eq(set_item(op, slice("(ii)", 0, 2), array("xy")), 0);
    ck_assert_int_eq(memcmp(view.buf, "xycd", 4), 0);
    PyBuffer_Release(&view);
    ck_assert_int_eq(set_item(op, PyLong_FromLong(0), NULL), 0);
    suite_new_repr(op, "bytearray(b'ycd')");
}

START_TEST(methods)
{
    PyObject *op = array("abc");

    suite_new_repr(PyObject_CallMethod(op, "insert", "ii", -1, 'x'), "None");
    suite_new_repr(PyObject_CallMethod(op, "insert", "ii", -9, 'y'), "None");
    suite_new_repr(PyObject_CallMethod(op, "insert", "ii", 99, 'z'), "None");
    suite_repr(op, "bytearray(b'yabxcz')");
    suite_new_int(PyObject_CallMethod(op, "pop", NULL), 'z');
    suite_new_int(PyObject_CallMethod(op, "pop", "i", -5), 'y');
    suite_refused(PyObject_CallMethod(op, "pop", "i", 4), PyExc_IndexError,
                  "pop index out of range");
    suite_refused(PyObject_CallMethod(op, "pop", "i", -5), PyExc_IndexError,
                  "pop index out of range");
    PyObject *copy = PyObject_CallMethod(op, "copy", NULL);
    suite_new_repr(PyObject_CallMethod(op, "extend", "[ii]", 'p', 'q'),
                   "None");
    suite_new_repr(PyObject_CallMethod(op, "extend", "N", array("!")), "None");
    suite_repr(op, "bytearray(b'abxcpq!')");
    suite_new_repr(copy, "bytearray(b'abxc')");
    suite_refused(PyObject_CallMethod(op, "extend", "s", "text"),
                  PyExc_TypeError,
                  "expected iterable of integers; got: 'str'");
    suite_refused(PyObject_CallMethod(op, "extend", "i", 3), PyExc_TypeError,
                  "can't extend bytearray with int");
    suite_refused(PyObject_CallMethod(op, "append", "s", "x"), PyExc_TypeError,
                  "'str' object cannot be interpreted as an integer");
    suite_refused(PyObject_CallMethod(op, "append", "i", -1), PyExc_ValueError,
                  "byte must be in range(0, 256)");
    suite_new_repr(PyObject_CallMethod(op, "clear", NULL), "None");
    suite_refused(PyObject_CallMethod(op, "pop", NULL), PyExc_IndexError,
                  "pop from empty bytearray");
    suite_new_repr(op, "bytearray(b'')");
}

START_TEST(joined_and_repeated)
{
    PyObject *op = array("ab"), *more = PyBytes_FromString("c"), *same;

    suite_new_repr(PyNumber_Add(op, more), "bytearray(b'abc')");
    suite_new_repr(PyNumber_Add(more, op), "b'cab'");
    suite_new_repr(PySequence_Repeat(op, 2), "bytearray(b'abab')");
    suite_new_repr(PySequence_Repeat(op, -1), "bytearray(b'')");
    suite_refused(PySequence_Repeat(op, PY_SSIZE_T_MAX), PyExc_MemoryError,
                  NULL);
    same = PyNumber_InPlaceAdd(op, more);
    ck_assert_ptr_eq(same, op);
    Py_SETREF(same, PySequence_InPlaceRepeat(op, 2));
    ck_assert_ptr_eq(same, op);
    Py_DECREF(same);
    suite_refused(PyNumber_InPlaceAdd(op, Py_None), PyExc_TypeError,
                  "can't concat NoneType to bytearray");
    suite_refused(PyNumber_Add(op, Py_None), PyExc_TypeError,
                  "can't concat NoneType to bytearray");
    suite_new_repr(op, "bytearray(b'abcabc')");
    Py_DECREF(more);
}

START_TEST(comparing)
{
    PyObject *a = array("ab"), *b = PyBytes_FromString("b");
    PyObject *text = PyUnicode_FromString("ab");

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_LT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(b, a, Py_GT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_NE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, text, Py_EQ), 0);
    suite_refused(
        PyObject_RichCompare(a, text, Py_LT), PyExc_TypeError,
        "'<' not supported between instances of 'bytearray' and 'str'");
    suite_failed((int)PyObject_Hash(a), PyExc_TypeError,
                 "unhashable type: 'bytearray'");
    ck_assert_int_eq(PySequence_Contains(a, b), 1);
    suite_failed(PySequence_Contains(a, text), PyExc_TypeError,
                 "a bytes-like object is required, not 'str'");
    suite_drop(a, b, text);
}

START_TEST(making)
{
    PyObject *type = (PyObject *)&PyByteArray_Type;

    suite_new_repr(PyObject_CallNoArgs(type), "bytearray(b'')");
    suite_new_repr(PyObject_CallFunction(type, "i", 2),
                   "bytearray(b'\\x00\\x00')");
    suite_refused(PyObject_CallFunction(type, "i", -1), PyExc_ValueError,
                  "negative count");
    suite_new_repr(PyObject_CallFunction(type, "ss", "x\303\244", "latin-1"),
                   "bytearray(b'x\\xe4')");
    suite_refused(PyObject_CallFunction(type, "s", "x"), PyExc_TypeError,
                  "string argument without an encoding");
    suite_refused(PyObject_CallFunction(type, "is", 1, "ascii"),
                  PyExc_TypeError, "encoding without a string argument");
    suite_refused(PyObject_CallFunction(type, "O", Py_None), PyExc_TypeError,
                  "cannot convert 'NoneType' object to bytearray");
    suite_new_repr(PyObject_CallFunction(type, "[ii]", 1, 2),
                   "bytearray(b'\\x01\\x02')");
    suite_refused(PyByteArray_FromStringAndSize("", -1), PyExc_SystemError,
                  "Negative size passed to PyByteArray_FromStringAndSize");
    suite_new_repr(array("a'\"\t\\"), "bytearray(b'a\\'\"\\t\\\\')");
}

START_TEST(iterators)
{
    PyObject *op = array("ab"), *it = PyObject_GetIter(op);

    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 2);
    suite_new_int(PyIter_Next(it), 'a');
    suite_new_repr(PyObject_CallMethod(op, "clear", NULL), "None");
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 0);
    ck_assert_ptr_null(PyIter_Next(it));
    suite_new_repr(PyObject_CallMethod(op, "append", "i", 1), "None");
    ck_assert_ptr_null(PyIter_Next(it));
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 0);
    suite_drop(it, op);

    op = PyBytes_FromString("xyz");
    it = PyObject_GetIter(op);
    suite_new_int(PyIter_Next(it), 'x');
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 2);
    suite_drop(it, op);
}
