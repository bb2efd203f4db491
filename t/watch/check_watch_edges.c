/* check_watch_edges.c: what people call the places where references stand; it
   looks behind the API.  See lib/watch/why/edges.h. */

#include "../support/suite.h"

#include "watch/why/edges.h"

/* Text of all edges, each "NAME TYPE-OF-CHILD;". */
static char text[2000];

static int
note(const struct pyb_edge *edge, void *Py_UNUSED(arg))
{
    char name[PYB_EDGE_NAME];
    size_t n = strlen(text);

    snprintf(text + n, sizeof text - n, "%s %s;", pyb_edge_name(edge, name),
             Py_TYPE(edge->child)->tp_name);
    return 0;
}

static void
are(PyObject *op, const char *expected)
{
    *text = '\0';
    ck_assert_int_eq(pyb_edges(op, note, NULL), 0);
    ck_assert_str_eq(text, expected);
    Py_DECREF(op);
}

START_TEST(items_have_numbers)
{
    PyObject *tuple = PyTuple_New(3);

    PyTuple_SET_ITEM(tuple, 0, PyLong_FromLong(7));
    PyTuple_SET_ITEM(tuple, 2, PyList_New(0));
    are(Py_BuildValue("[i,(),i]", 1, 1), "[2] int;[1] tuple;[0] int;");
    are(tuple, "[2] list;[0] int;");
}

START_TEST(entries_have_keys)
{
    PyObject *dict = Py_BuildValue("{s:[],i:s}", "a'\n", 7, "v");
    PyObject *key = Py_BuildValue("(i)", 1);

    ck_assert_int_eq(PyDict_SetItem(dict, key, dict), 0);
    Py_DECREF(key);
    *text = '\0';
    pyb_edges(dict, note, NULL);
    ck_assert_str_eq(text, "['a__'] list;key str;[7] str;key int;"
                           "[tuple] dict;key tuple;");
    PyDict_Clear(dict);
    Py_DECREF(dict);
}

START_TEST(long_keys_are_cut)
{
    char name[PYB_EDGE_NAME];
    PyObject *key = PyUnicode_FromFormat("%0100d", 5);
    struct pyb_edge edge = {.kind = PYB_EDGE_VALUE, .key = key};

    pyb_edge_name(&edge, name);
    ck_assert_uint_eq(strlen(name), PYB_EDGE_NAME - 2);
    ck_assert_str_eq(name + strlen(name) - 3, "0']");
    Py_DECREF(key);
}

struct thing {
    PyObject_HEAD
    PyObject *named, *twice, *nameless;
    PyObject **array;
    PyObject *dict;
};

static int
thing_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct thing *thing = (struct thing *)op;

    Py_VISIT(Py_TYPE(op));
    Py_VISIT(thing->named);
    Py_VISIT(thing->twice);
    Py_VISIT(thing->nameless);
    Py_VISIT(*thing->array);
    Py_VISIT(thing->dict);
    return 0;
}

static PyMemberDef thing_members[] = {
    {"named", Py_T_OBJECT_EX, offsetof(struct thing, named), 0, NULL},
    {"twice", _Py_T_OBJECT, offsetof(struct thing, twice), 0, NULL},
    {"number", Py_T_LONG, offsetof(struct thing, nameless), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject thing_type = {
    .tp_name = "thing",
    .tp_basicsize = sizeof(struct thing),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = thing_traverse,
    .tp_members = thing_members,
    .tp_dictoffset = offsetof(struct thing, dict),
};

START_TEST(fields_have_the_names_of_members)
{
    PyObject *list = PyList_New(0), *array[] = {PyTuple_Pack(1, list)};

    ck_assert_int_eq(PyType_Ready(&thing_type), 0);
    struct thing *thing = PyObject_GC_New(struct thing, &thing_type);
    thing->named = thing->twice = list;
    thing->nameless = list;
    thing->array = array;
    thing->dict = PyDict_New();
    *text = '\0';
    pyb_edges((PyObject *)thing, note, NULL);
    ck_assert_str_eq(text, "type type;.named list;.twice list;+32 list; "
                           "tuple;.__dict__ dict;");
    suite_drop(thing->dict, array[0], list);
    PyObject_GC_Del(thing);
}

START_TEST(types_have_fields)
{
    PyObject *type = suite_class("s(){}", "T");

    *text = '\0';
    pyb_edges(type, note, NULL);
    ck_assert_str_eq(text, ".__dict__ dict;.tp_mro tuple;"
                           ".tp_bases tuple;.tp_base type;");
    Py_DECREF(type);
}

/* A list has its items, and the fields that its class has added. */
START_TEST(items_and_members_have_their_own_order)
{
    PyObject *type =
        suite_class("s(O){s(ss)}", "L", &PyList_Type, "__slots__", "a", "b");
    PyObject *op = suite_require(PyObject_CallNoArgs(type));

    ck_assert_int_eq(PyObject_SetAttrString(op, "a", Py_None), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "b", Py_Ellipsis), 0);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(PyList_Append(op, i == 1 ? Py_None : Py_False), 0);
    are(op, ".a NoneType;.b ellipsis;type type;"
            "[2] bool;[1] NoneType;[0] bool;");
    Py_DECREF(type);
}

START_TEST(inline_values_have_names)
{
    PyObject *type = suite_class("s(){}", "T");

    for (int i = 0; i < 2; i++) {
        PyObject *op = suite_require(PyObject_CallNoArgs(type));
        PyObject *list = PyList_New(0);

        ck_assert_int_eq(PyObject_SetAttrString(op, "a", list), 0);
        ck_assert_int_eq(PyObject_SetAttrString(op, "b", list), 0);
        Py_DECREF(list);
        are(op, ".a list;.b list;type type;");
    }
    Py_DECREF(type);
}

START_TEST(instances_have_a_dict)
{
    PyObject *type = suite_class("s(){}", "T");
    PyObject *op = PyObject_CallNoArgs(type), *one = PyLong_FromLong(1);

    ck_assert_int_eq(PyObject_SetAttrString(op, "a", one), 0);
    *text = '\0';
    pyb_edges(op, note, NULL);
    ck_assert_str_eq(text, ".a int;type type;");
    Py_DECREF(PyObject_GenericGetDict(op, NULL)); /* it has been seen now */
    are(op, ".__dict__ dict;type type;");
    suite_drop(one, type);
}

START_TEST(others_refer_to_nothing)
{
    are(PyLong_FromLong(1000), "");
    are(PyUnicode_FromString("x"), "");
}

static int
stop(const struct pyb_edge *edge, void *n)
{
    ++*(int *)n;
    return edge->number == 1 ? 7 : 0;
}

START_TEST(the_search_may_end)
{
    PyObject *list = Py_BuildValue("[i,i,i]", 1, 2, 3);
    int n = 0;

    ck_assert_int_eq(pyb_edges(list, stop, &n), 7);
    ck_assert_int_eq(n, 2);
    Py_DECREF(list);
}
