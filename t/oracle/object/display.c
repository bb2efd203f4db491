/* display.c: what PyErr_Print writes: causes and contexts, notes, groups; and
   PyObject_Dump.
   Manual: "Exception Handling", PyErr_Print; "BaseException", __cause__,
   __context__, add_note(); ExceptionGroup. */

#include "oracle.h"

static PyObject *
make(PyObject *type, const char *text)
{
    return need(PyObject_CallFunction(type, "s", text));
}

/* Steals the members. */
static PyObject *
make_group(const char *text, PyObject *members)
{
    PyObject *group = need(PyObject_CallFunction(PyExc_BaseExceptionGroup,
                                                 "sO", text, need(members)));

    Py_DECREF(members);
    return group;
}

static void
add_note(PyObject *exception, const char *note)
{
    Py_DECREF(need(PyObject_CallMethod(exception, "add_note", "s", note)));
}

static void
print(const char *label, PyObject *exception)
{
    say("%s", label);
    stderr_begin();
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    PyErr_Print();
    stderr_end();
}

static void
chains(void)
{
    PyObject *one = make(PyExc_ValueError, "one");
    PyObject *two = make(PyExc_KeyError, "two\nlines");
    PyObject *three = make(PyExc_OSError, "three");

    PyException_SetCause(two, Py_NewRef(one));
    print("a cause", two);
    PyException_SetContext(three, Py_NewRef(two));
    print("a context", three);
    PyException_SetCause(three, Py_NewRef(one));
    print("both", three);
    PyException_SetCause(three, NULL);
    PyObject_SetAttrString(three, "__suppress_context__", Py_True);
    print("suppressed", three);
    PyObject_SetAttrString(three, "__suppress_context__", Py_False);
    PyException_SetContext(one, Py_NewRef(three));
    print("in a ring", three);
    PyException_SetContext(one, NULL);
    PyException_SetCause(one, need(PyLong_FromLong(5)));
    print("no exception", one);
    PyException_SetCause(one, Py_NewRef(Py_None));
    print("None", one);
    PyException_SetCause(one, NULL);
    PyException_SetContext(one, Py_NewRef(PyExc_KeyError));
    print("a class", one);
    PyException_SetContext(one, NULL);
    drop_all(one, two, three);
}

static PyObject *
no_text(PyObject *Py_UNUSED(self))
{
    PyErr_SetString(PyExc_RuntimeError, "no text");
    return NULL;
}

static PyType_Slot mute_slots[] = {
    {Py_tp_str, (void *)no_text}, {Py_tp_repr, (void *)no_text}, {0, NULL}};
static PyType_Spec mute_spec = {
    .name = "display.Mute", .flags = Py_TPFLAGS_DEFAULT, .slots = mute_slots};

static void
set_notes(PyObject *exception, PyObject *value)
{
    RESULT(PyObject_SetAttrString(exception, "__notes__", need(value)));
    Py_DECREF(value);
}

static void
notes(void)
{
    PyObject *one = make(PyExc_ValueError, "one");
    PyObject *type = need(PyType_FromSpec(&mute_spec));

    add_note(one, "a note");
    add_note(one, "");
    add_note(one, "two\nlines\n");
    print("notes", one);
    set_notes(one, Py_BuildValue("(iOs)", 5, Py_None, "x"));
    print("a tuple of anything", one);
    set_notes(one,
              Py_BuildValue("[sNs]", "x", PyObject_CallNoArgs(type), "y"));
    print("one without a text", one);
    set_notes(one, PyList_New(0));
    print("none", one);
    drop_all(one, type);
}

static PyObject *
deep(int n)
{
    PyObject *group = make(PyExc_ValueError, "deep");
    char text[20];

    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%d", i);
        group = make_group(text, Py_BuildValue("[N]", group));
    }
    return group;
}

static PyObject *
wide(int n)
{
    PyObject *members = need(PyList_New(0));

    for (int i = 0; i < n; i++) {
        PyObject *one = make(PyExc_ValueError, "wide");

        PyList_Append(members, one);
        Py_DECREF(one);
    }
    return make_group("wide", members);
}

static void
groups(void)
{
    PyObject *one = make(PyExc_ValueError, "one");
    PyObject *two = make(PyExc_KeyError, "two"), *group, *outer;

    PyException_SetCause(two, Py_NewRef(one));
    add_note(two, "a note\nof two lines");
    group = make_group("group", Py_BuildValue("[OO]", one, two));
    add_note(group, "of the group");
    print("a group", group);
    outer = make_group("outer", Py_BuildValue("[ONO]", group, wide(2), one));
    print("groups", outer);
    PyException_SetContext(outer, Py_NewRef(two));
    print("a group that came of something", outer);
    PyException_SetContext(one, Py_NewRef(group));
    print("one that came of a group", one);
    print("within a group", outer);
    PyException_SetContext(one, NULL);
    add_note(two, "ends\nhere\n");
    PyException_SetCause(one, wide(2));
    print("the last one came of a group", outer);
    PyException_SetCause(one, NULL);
    PyException_SetContext(one, Py_NewRef(group));
    PyException_SetContext(outer, NULL);
    print("the last one came of another member", outer);
    PyException_SetContext(one, NULL);
    drop_all(one, two, group, outer);
}

static void
limits(void)
{
    static const int widths[] = {15, 16, 18}, depths[] = {9, 10, 11, 13};
    PyObject *group;

    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        group = wide(widths[i]);
        print("wide", group);
        Py_DECREF(group);
    }
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        group = deep(depths[i]);
        print("deep", group);
        Py_DECREF(group);
    }
}

/* A copy of what is written first is not in the group's margin. */
static void
print_place(const char *label, PyObject *exception)
{
    PyObject *group;

    print(label, exception);
    group = make_group("group", PyTuple_Pack(1, exception));
    print("  in a group", group);
    drop_all(group, exception);
}

/* The place that a SyntaxError tells. */
static void
places(void)
{
    static const struct {
        const char *text;
        int line, column, end_line, end_column;
    } all[] = {
        {"a b c", 3, 3, 3, 4},
        {"a b c\n", 3, 3, 3, 6},
        {"  \ta b c", 3, 4, 3, 9},
        {"  \ta b c", 3, 2, 3, 9},
        {"a b c", 3, 0, 3, 0},
        {"a b c", 3, 9, 3, 0},
        {"a b c", 3, 9, 3, 30},
        {"a b c", 3, 3, 4, 1},
        {"a b c", 3, 3, 2, 1},
        {"a\nb\nc d\n", 3, 6, 3, 7},
        {"a\nb\nc d\n", 3, 2, 3, 7},
        {"\303\244 b", 3, 3, 3, 4},
        {"", 3, 1, 3, 1},
        {"\n", 3, 1, 3, 1},
        {"   ", 3, 2, 3, 2},
        {"x", -1, -1, -1, -1},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(all); i++) {
        print_place("a place",
                    need(PyObject_CallFunction(
                        PyExc_SyntaxError, "s(siisii)", "bad", "f.x",
                        all[i].line, all[i].column, all[i].text,
                        all[i].end_line, all[i].end_column)));
        print_place("without an end",
                    need(PyObject_CallFunction(PyExc_TabError, "s(siis)",
                                               "bad", "f.x", all[i].line,
                                               all[i].column, all[i].text)));
    }
    print_place("no text",
                need(PyObject_CallFunction(PyExc_SyntaxError, "s(siiO)", "bad",
                                           "f.x", 3, 4, Py_None)));
    print_place("no file",
                need(PyObject_CallFunction(PyExc_SyntaxError, "s(OiOs)", "bad",
                                           Py_None, 3, Py_None, "a b")));
    print_place("no line",
                need(PyObject_CallFunction(PyExc_SyntaxError, "s(sOOs)", "bad",
                                           "f.x", Py_None, Py_None, "a b")));
    print_place("odd ones",
                need(PyObject_CallFunction(PyExc_SyntaxError, "s(idsi)", "bad",
                                           1, 2.0, "x", 4)));
    print_place("no message",
                need(PyObject_CallFunction(PyExc_SyntaxError, "O(siis)",
                                           Py_None, "f.x", 3, 4, "a b c d")));
    print_place("nothing", need(PyObject_CallNoArgs(PyExc_SyntaxError)));
    /* Whether there is one cannot be asked: int() refuses the exception. */
    PyObject *get = need(PyObject_CallOneArg((PyObject *)&PyProperty_Type,
                                             (PyObject *)&PyLong_Type));
    PyObject *type = need(PyObject_CallFunction(
        (PyObject *)&PyType_Type, "s(O){sOss}", "E", PyExc_SyntaxError,
        "lineno", get, "__module__", "m"));
    print_place("no line can be got",
                need(PyObject_CallFunction(type, "s", "bad")));
    drop_all(type);
    type = need(PyObject_CallFunction(
        (PyObject *)&PyType_Type, "s(O){sOss}", "E", PyExc_Exception,
        "print_file_and_line", get, "__module__", "m"));
    print_place("no place can be asked for",
                need(PyObject_CallFunction(type, "s", "bad")));
    drop_all(type, get);
}

#ifndef ORACLE_PYBOEHM
#define PyObject_Dump _PyObject_Dump /* public since 3.15 */
#endif

static void
dumps(void)
{
    PyObject *op = need(Py_BuildValue("[si]", "a", 1));

    stderr_begin();
    PyObject_Dump(op);
    PyErr_SetString(PyExc_ValueError, "it stays");
    PyObject_Dump(op);
    stderr_end();
    error();
    Py_DECREF(op);
}

void
oracle_program(void)
{
    chains();
    notes();
    groups();
    limits();
    places();
    dumps();
}
