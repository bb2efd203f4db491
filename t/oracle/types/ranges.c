/* ranges.c: ranges of numbers of any size: items, slices, searches, text.
   Manual: Python's library, "Ranges", "slice.indices". */

#include "oracle.h"

static PyObject *
number(const char *text)
{
    return strcmp(text, "None") == 0 ? Py_NewRef(Py_None)
                                     : need(PyLong_FromString(text, NULL, 0));
}

static PyObject *
make(void *type, const char *start, const char *stop, const char *step)
{
    PyObject *a = number(start), *b = number(stop), *c = number(step);
    PyObject *op = PyObject_CallFunctionObjArgs(type, a, b, c, NULL);

    drop_all(a, b, c);
    return op;
}

/* Up to four items of an iterator. */
static void
first_items(const char *label, PyObject *it)
{
    PyObject *list = need(PyList_New(0)), *item;

    if (it == NULL) {
        error();
        return;
    }
    for (int i = 0; i < 4 && (item = PyIter_Next(it)) != NULL; i++) {
        PyList_Append(list, item);
        Py_DECREF(item);
    }
    show(label, list);
    show("  left", PyObject_CallMethod(it, "__length_hint__", NULL));
    Py_DECREF(it);
}

static const char *const keys[] = {"0",
                                   "1",
                                   "-1",
                                   "-2",
                                   "3",
                                   "1000000000000000000000",
                                   "-1000000000000000000000"};

static void
items(PyObject *op)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(keys); i++) {
        PyObject *key = number(keys[i]);
        say("key %s", keys[i]);
        show("  item", PyObject_GetItem(op, key));
        say("  in: %d", PySequence_Contains(op, key));
        show("  index", PyObject_CallMethod(op, "index", "O", key));
        show("  count", PyObject_CallMethod(op, "count", "O", key));
        Py_DECREF(key);
    }
}

static const char *const slices[][3] = {
    {"1", "3", "None"},
    {"None", "None", "-1"},
    {"-2", "None", "None"},
    {"None", "-1", "2"},
    {"1000000000000000000000", "None", "-3"},
    {"None", "1000000000000000000000", "1000000000000000000000"},
    {"-1000000000000000000000", "2", "1"},
    {"None", "None", "0"}};

static void
slice_all(PyObject *op)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(slices); i++) {
        const char *const *part = slices[i];
        PyObject *slice = need(make(&PySlice_Type, part[0], part[1], part[2]));
        PyObject *sub = PyObject_GetItem(op, slice);
        show(text("[%s:%s:%s]", part[0], part[1], part[2]), sub);
        Py_DECREF(slice);
    }
}

static void
walk(const char *start, const char *stop, const char *step)
{
    PyObject *op = make(&PyRange_Type, start, stop, step);

    say("range %s %s %s", start, stop, step);
    if (op == NULL) {
        error();
        return;
    }
    show_kept("repr", op);
    RESULT(PyObject_Size(op));
    RESULT(PyObject_IsTrue(op));
    first_items("forth", PyObject_GetIter(op));
    first_items("back", PyObject_CallMethod(op, "__reversed__", NULL));
    SHOW(PyObject_CallMethod(op, "__reduce__", NULL));
    SHOW(PySequence_GetItem(op, 1));
    SHOW(PySequence_GetItem(op, -1));
    items(op);
    slice_all(op);
    Py_DECREF(op);
}

static void
compare(const char *a0, const char *a1, const char *a2, const char *b0,
        const char *b1, const char *b2)
{
    PyObject *a = make(&PyRange_Type, a0, a1, a2);
    PyObject *b = make(&PyRange_Type, b0, b1, b2);

    say("equal: %d, hashes: %d", PyObject_RichCompareBool(a, b, Py_EQ),
        PyObject_Hash(a) == PyObject_Hash(b));
    drop_all(a, b);
}

static void
indices(const char *start, const char *stop, const char *step,
        const char *length)
{
    PyObject *slice = need(make(&PySlice_Type, start, stop, step));
    PyObject *size = number(length);

    show(text("indices %s:%s:%s of %s", start, stop, step, length),
         PyObject_CallMethod(slice, "indices", "O", size));
    drop_all(slice, size);
}

/* The rest of an iterator that was taken apart and made anew.  Advanced by as
   many items before, and set to the index. */
static void
made_anew(PyObject *op, int steps, const char *index)
{
    PyObject *it = need(PyObject_GetIter(op)), *state, *again, *item;

    while (steps-- > 0 && (item = PyIter_Next(it)) != NULL)
        Py_DECREF(item);
    state = need(PyObject_CallMethod(it, "__reduce__", NULL));
    again = need(PyObject_Call(PyTuple_GET_ITEM(state, 0),
                               PyTuple_GET_ITEM(state, 1), NULL));
    if (PyTuple_GET_ITEM(state, 2) != Py_None)
        Py_DECREF(need(PyObject_CallMethod(again, "__setstate__", "O",
                                           PyTuple_GET_ITEM(state, 2))));
    first_items("made anew", again);
    Py_SETREF(it, need(PyObject_GetIter(op)));
    item = number(index);
    show("set to", PyObject_CallMethod(it, "__setstate__", "O", item));
    first_items("the rest", it);
    drop_all(item, state, op);
}

void
oracle_program(void)
{
    walk("0", "5", "1");
    walk("10", "0", "-3");
    walk("3", "3", "1");
    walk("1", "2", "0");
    walk("0", "0x7fffffffffffffff", "1");
    walk("-0x8000000000000000", "0x7fffffffffffffff", "0x7fffffffffffffff");
    walk("0x7fffffffffffffff", "-0x8000000000000000", "-0x7fffffffffffffff");
    walk("0", "0x100000000000000000000000000000000000", "1");
    walk("-0x100000000000000000000000000000000000",
         "0x100000000000000000000000000000000000",
         "0x100000000000000000000000000000000000");
    walk("1000000000000000000000", "-1000000000000000000000",
         "-1000000000000000000000");
    walk("0x100000000000000000000000000000000000",
         "-0x100000000000000000000000000000000000", "-1");
    walk("0x10000000000000000", "0x10000000000000005", "2");
    compare("0", "10", "3", "0", "11", "3");
    compare("0", "0", "1", "5", "0", "7");
    compare("0", "1", "1", "0", "7", "0x100000000000000000000");
    compare("0", "0x100000000000000000000", "1", "0",
            "0x100000000000000000001", "1");
    compare("0", "0x100000000000000000000", "2", "0",
            "0xfffffffffffffffffffff", "2");
    indices("None", "None", "None", "0x100000000000000000000");
    indices("-1", "None", "-1", "0x100000000000000000000");
    indices("1", "-0x100000000000000000000", "0x100000000000000000000", "5");
    indices("None", "None", "None", "-1");
    indices("None", "None", "0", "5");
    indices("7", "-9", "-2", "5");
    made_anew(make(&PyRange_Type, "0", "9", "2"), 2, "3");
    made_anew(make(&PyRange_Type, "0", "9", "2"), 9, "99");
    made_anew(make(&PyRange_Type, "9", "0", "-2"), 1, "-4");
    made_anew(make(&PyRange_Type, "0", "0x100000000000000000000", "2"), 1,
              "0x1000000000000000000");
    made_anew(make(&PyRange_Type, "0", "0x100000000000000000000", "2"), 1,
              "0x1000000000000000000000000");
    made_anew(make(&PyRange_Type, "0", "0x100000000000000000000", "2"), 1,
              "-3");
}
