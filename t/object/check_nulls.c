/* check_nulls.c: the functions of the abstract protocols refuse NULL: they are
   called with what another function returned, without a check. */

#include "../support/suite.h"

/* What was called, for the message. */
static void
refused(int good, const char *call)
{
    ck_assert_msg(good, "%s succeeded", call);
    ck_assert_msg(PyErr_Occurred() != NULL, "%s raised nothing", call);
    suite_exception(PyExc_SystemError, "null argument to internal routine");
}

#define NO_OBJECT(call) refused((call) == NULL, #call)
#define NO_NUMBER(call) refused((call) == -1, #call)

START_TEST(sequences)
{
    PyObject *list = PyList_New(0);

    NO_NUMBER(PySequence_Size(NULL));
    NO_OBJECT(PySequence_Concat(NULL, list));
    NO_OBJECT(PySequence_Concat(list, NULL));
    NO_OBJECT(PySequence_InPlaceConcat(NULL, list));
    NO_OBJECT(PySequence_InPlaceConcat(list, NULL));
    NO_OBJECT(PySequence_Repeat(NULL, 1));
    NO_OBJECT(PySequence_InPlaceRepeat(NULL, 1));
    NO_OBJECT(PySequence_GetItem(NULL, 0));
    NO_OBJECT(PySequence_GetSlice(NULL, 0, 1));
    NO_NUMBER(PySequence_SetItem(NULL, 0, list));
    NO_NUMBER(PySequence_DelItem(NULL, 0));
    NO_NUMBER(PySequence_SetSlice(NULL, 0, 1, list));
    NO_NUMBER(PySequence_DelSlice(NULL, 0, 1));
    NO_OBJECT(PySequence_List(NULL));
    NO_OBJECT(PySequence_Tuple(NULL));
    NO_OBJECT(PySequence_Fast(NULL, "text"));
    NO_NUMBER(PySequence_Count(NULL, list));
    NO_NUMBER(PySequence_Count(list, NULL));
    NO_NUMBER(PySequence_Index(NULL, list));
    NO_NUMBER(PySequence_Index(list, NULL));
    ck_assert_int_eq(PySequence_Check(list), 1);
    Py_DECREF(list);
}

START_TEST(mappings)
{
    PyObject *dict = PyDict_New();

    NO_NUMBER(PyMapping_Size(NULL));
    NO_NUMBER(PyObject_Size(NULL));
    NO_OBJECT(PyObject_GetItem(NULL, dict));
    NO_OBJECT(PyObject_GetItem(dict, NULL));
    NO_NUMBER(PyObject_SetItem(NULL, dict, dict));
    NO_NUMBER(PyObject_SetItem(dict, NULL, dict));
    NO_NUMBER(PyObject_SetItem(dict, dict, NULL));
    NO_NUMBER(PyObject_DelItem(NULL, dict));
    NO_NUMBER(PyObject_DelItem(dict, NULL));
    NO_NUMBER(PyObject_DelItemString(NULL, "key"));
    NO_NUMBER(PyObject_DelItemString(dict, NULL));
    NO_OBJECT(PyMapping_GetItemString(dict, NULL));
    NO_NUMBER(PyMapping_SetItemString(dict, NULL, dict));
    NO_OBJECT(PyMapping_Keys(NULL));
    NO_OBJECT(PyMapping_Values(NULL));
    NO_OBJECT(PyMapping_Items(NULL));
    ck_assert_int_eq(PyMapping_Check(NULL), 0);
    Py_DECREF(dict);
}

/* CPython looks at the operand of a unary operator; of the others it dies. */
START_TEST(numbers)
{
    PyObject *one = PyLong_FromLong(1);

    NO_OBJECT(PyNumber_Add(NULL, one));
    NO_OBJECT(PyNumber_Add(one, NULL));
    NO_OBJECT(PyNumber_InPlaceMultiply(one, NULL));
    NO_OBJECT(PyNumber_Power(NULL, one, Py_None));
    NO_OBJECT(PyNumber_InPlacePower(one, NULL, Py_None));
    NO_OBJECT(PyNumber_Negative(NULL));
    NO_OBJECT(PyNumber_Positive(NULL));
    NO_OBJECT(PyNumber_Absolute(NULL));
    NO_OBJECT(PyNumber_Invert(NULL));
    NO_OBJECT(PyNumber_Index(NULL));
    NO_OBJECT(PyNumber_Long(NULL));
    NO_OBJECT(PyNumber_Float(NULL));
    ck_assert_int_eq(PyNumber_Check(NULL), 0);
    Py_DECREF(one);
}

/* These have an answer, or a message of their own. */
START_TEST(other_objects)
{
    suite_new_text(PyObject_Repr(NULL), "<NULL>");
    suite_new_text(PyObject_Str(NULL), "<NULL>");
    suite_new_text(PyObject_ASCII(NULL), "<NULL>");
    suite_new_repr(PyObject_Bytes(NULL), "b'<NULL>'");
    NO_OBJECT(PyObject_Type(NULL));
    NO_NUMBER(PyObject_CopyData(NULL, Py_None));
    NO_NUMBER(PyObject_CopyData(Py_None, NULL));
    NO_OBJECT(PyPickleBuffer_FromObject(NULL));
    NO_OBJECT(PyPickleBuffer_GetBuffer(NULL));
    NO_NUMBER(PyPickleBuffer_Release(NULL));
}
