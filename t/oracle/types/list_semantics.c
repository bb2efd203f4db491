/* list_semantics.c: lists: slices with steps, sorting with comparisons that
   raise or change the list, growth, comparison, mutation while iterating.
   Manual: "List Objects", "Slice Objects". */

#include "oracle.h"

static PyObject *victim;
static int raise_at;

static PyObject *
compare(PyObject *a, PyObject *b, int op)
{
    if (raise_at > 0 && --raise_at == 0)
        return PyErr_Format(PyExc_ValueError, "not comparable today");
    if (victim != NULL && PyList_Append(victim, Py_None) < 0)
        return NULL;
    return PyBool_FromLong(
        strcmp(((struct actor *)a)->name, ((struct actor *)b)->name) < 0);
}

static PyObject *
repr(PyObject *op)
{
    return PyUnicode_FromString(((struct actor *)op)->name);
}

static PyTypeObject Ordered = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Ordered",
    .tp_base = &Actor_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_richcompare = compare,
    .tp_repr = repr,
};

static PyObject *
numbers(int n)
{
    PyObject *list = need(PyList_New(n));

    for (int i = 0; i < n; i++)
        PyList_SetItem(list, i, PyLong_FromLong(i));
    return list;
}

static PyObject *
slice(int start, int stop, int step)
{
    PyObject *args = need(Py_BuildValue("(iii)", start, stop, step));
    PyObject *op = PyObject_Call((PyObject *)&PySlice_Type, args, NULL);

    Py_DECREF(args);
    return op;
}

static void
slices(void)
{
    static const int bounds[][3] = {{1, 8, 2}, {8, 1, -3},    {-100, 100, 4},
                                    {3, 3, 1}, {-1, -20, -1}, {5, 2, 1},
                                    {0, 0, -1}};
    PyObject *list = numbers(10), *zero = slice(0, 1, 0);
    PyObject *two = need(Py_BuildValue("[ii]", 77, 88));

    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        PyObject *s = slice(bounds[i][0], bounds[i][1], bounds[i][2]);

        show_kept("slice", s);
        show("    get", PyObject_GetItem(list, s));
        result("    set two", PyObject_SetItem(list, s, two));
        Py_SETREF(list, numbers(10));
        result("    delete", PyObject_DelItem(list, s));
        show_kept("    left", list);
        Py_SETREF(list, numbers(10));
        Py_DECREF(s);
    }
    SHOW(PyObject_GetItem(list, zero));
    RESULT(PyObject_SetItem(list, zero, Py_None));
    RESULT(PyList_SetSlice(list, 2, 5, list));
    show_kept("itself put in", list);
    SHOW(PySequence_InPlaceConcat(list, list));
    SHOW(PySequence_InPlaceRepeat(two, 3));
    drop_all(list, zero, two);
}

static PyObject *
ordered(const char *letters)
{
    PyObject *list = need(PyList_New(0));

    for (; *letters != '\0'; letters++) {
        struct actor *a = actor_new(&Ordered, (char[]){*letters, '\0'});

        PyList_Append(list, (PyObject *)a);
        Py_DECREF(a);
    }
    return list;
}

static void
forget(PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
        if (Py_TYPE(PyList_GET_ITEM(list, i)) == &Ordered)
            ((struct actor *)PyList_GET_ITEM(list, i))->name[0] = '.';
    Py_DECREF(list);
}

static void
sorting(void)
{
    PyObject *list = ordered("dcab");
    PyObject *mixed = need(Py_BuildValue("[isi]", 2, "one", 3));

    RESULT(PyList_Sort(list));
    show_kept("sorted", list);
    RESULT(PyList_Reverse(list));
    raise_at = 1;
    RESULT(PyList_Sort(list));
    show_kept("it raised at once", list);
    raise_at = 0;
    victim = list;
    RESULT(PyList_Sort(list));
    victim = NULL;
    RESULT(PyList_Size(list) >= 4);
    RESULT(PyList_Sort(mixed));
    show_kept("mixed", mixed);
    SHOW(PyObject_CallMethod(mixed, "sort", "i", 1));
    forget(list);
    Py_DECREF(mixed);
}

static void
mutation(void)
{
    PyObject *list = numbers(3), *iter = need(PyObject_GetIter(list)), *item;

    for (int i = 0; i < 6 && (item = PyIter_Next(iter)) != NULL; i++) {
        show("next", item);
        if (i < 2)
            PyList_Append(list, Py_None);
        else
            PyList_SetSlice(list, 0, 1, NULL);
    }
    error();
    SHOW(PyIter_Next(iter));
    PyList_Append(list, Py_True);
    SHOW(PyIter_Next(iter));
    RESULT(PyObject_LengthHint(iter, 9));
    drop_all(iter, list);
}

void
oracle_program(void)
{
    PyObject *a = numbers(3), *b = need(Py_BuildValue("[iid]", 0, 1, 2.5));

    need_ready(&Ordered);
    slices();
    sorting();
    mutation();
    for (int op = Py_LT; op <= Py_GE; op++)
        show("a with b", PyObject_RichCompare(a, b, op));
    SHOW(PyObject_CallMethod(a, "index", "i", 7));
    SHOW(PyObject_CallMethod(a, "remove", "i", 7));
    SHOW(PyObject_CallMethod(a, "pop", "i", 7));
    SHOW(PyObject_CallMethod(a, "pop", "K", ULLONG_MAX));
    SHOW(PyObject_CallMethod(a, "insert", "Ki", ULLONG_MAX, 1));
    SHOW(PyObject_CallMethod(a, "pop", NULL));
    RESULT(PyObject_CallMethod(a, "clear", NULL) == Py_None);
    SHOW(PyObject_CallMethod(a, "pop", NULL));
    drop_all(a, b);
}
