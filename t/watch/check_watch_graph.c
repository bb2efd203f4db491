/* check_watch_graph.c: pictures of the heap, in DOT and in JSON.  Addresses
   read 0x-. */

#define _GNU_SOURCE /* fopencookie */

#include "../support/node.h"
#include "../support/suite.h"

#include "pyboehm.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

/* The graph of what root leads to, or of all, as text, which the caller
   frees. */
static char *
graph(PyObject *root, int depth, int format)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    ck_assert_int_eq(PyBoehm_WriteGraph(file, root != NULL ? &root : NULL, 1,
                                        depth, format),
                     0);
    fclose(file);
    for (char *c = text; (c = strstr(c, "0x")) != NULL;) {
        size_t n = 2 + strspn(c + 2, "0123456789abcdef");

        memmove(c + 3, c + n, strlen(c + n) + 1);
        c[2] = '-';
        c += 3;
    }
    return text;
}

/* What follows the preamble of DOT. */
static void
is_drawn(PyObject *root, int depth, const char *expected)
{
    char *text = graph(root, depth, PyBoehm_GRAPH_DOT);
    char *body = suite_require(strstr(text, "  n1 ["));
    ck_assert_str_eq(body, expected);
    free(text);
}

static int
count(const char *text, const char *what)
{
    int n = 0;

    while ((text = strstr(text, what)) != NULL) {
        text += strlen(what);
        n++;
    }
    return n;
}

/* The graph has a text so many times. */
static void
has(PyObject *root, int depth, int format, const char *what, int n)
{
    char *text = graph(root, depth, format);

    ck_assert_msg(count(text, what) == n, "not %d times %s: %s", n, what,
                  text);
    free(text);
}

#define SOME "\xef\xbf\xbd" /* stands for what is no character */
#define LOOKS_GARBAGE ", fillcolor=\"#f8d0c8\", color=\"#b03020\""

START_TEST(a_cycle)
{
    PyObject *list = PyList_New(0), *dict = Py_BuildValue("{s:O}", "a", list);

    ck_assert_int_eq(PyList_Append(list, dict), 0);
    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    Py_DECREF(dict);
    is_drawn(list, -1,
             "  n1 [label=\"list at 0x-\\l2 references\\l[1] = None\\l\"];\n"
             "  n2 [label=\"dict at 0x-\\l1 reference\\l\"];\n"
             "  outside1 [label=\"outside\", shape=plaintext, style=\"\"];\n"
             "  outside1 -> n1 [label=\"\xc3\x97"
             "1\"];\n"
             "  n1 -> n2 [label=\"[0]\"];\n"
             "  n2 -> n1 [label=\"['a']\"];\n"
             "}\n");
    Py_DECREF(list);
    is_drawn(list, -1,
             "  n1 [label=\"list at 0x-\\l1 reference\\lgarbage\\l"
             "[1] = None\\l\"" LOOKS_GARBAGE "];\n"
             "  n2 [label=\"dict at 0x-\\l1 reference\\lgarbage\\l"
             "\"" LOOKS_GARBAGE "];\n"
             "  n1 -> n2 [label=\"[0]\"];\n"
             "  n2 -> n1 [label=\"['a']\"];\n"
             "}\n");
    ck_assert_int_eq(PyGC_Collect(), 2);
}

START_TEST(what_is_too_deep_is_said)
{
    PyObject *list = Py_BuildValue("[[[]],[]]");

    has(list, 0, PyBoehm_GRAPH_DOT, " 2 containers not followed", 1);
    has(list, 0, PyBoehm_GRAPH_DOT, "list at", 1);
    has(list, 1, PyBoehm_GRAPH_DOT, "list at", 3);
    has(list, 1, PyBoehm_GRAPH_DOT, " 1 container not followed", 1);
    has(list, 2, PyBoehm_GRAPH_DOT, "list at", 4);
    has(list, 2, PyBoehm_GRAPH_DOT, "not followed", 0);
    Py_DECREF(list);
}

/* Nine items are many. */
START_TEST(long_containers_are_folded)
{
    PyObject *list = PyList_New(0), *dict = PyDict_New();

    for (int i = 0; i < 9; i++) {
        PyObject *item = PyList_New(0), *key = PyLong_FromLong(i);

        if (i == 8)
            has(list, -1, PyBoehm_GRAPH_DOT, "list at", 9);
        ck_assert_int_eq(PyList_Append(list, item), 0);
        ck_assert_int_eq(PyDict_SetItem(dict, key, item), 0);
        suite_drop(item, key);
    }
    has(list, -1, PyBoehm_GRAPH_DOT, "list at", 6);
    has(list, -1, PyBoehm_GRAPH_DOT, "[label=\"[4]\"]", 1);
    has(list, -1, PyBoehm_GRAPH_DOT, "[label=\"[5]\"]", 0);
    has(list, -1, PyBoehm_GRAPH_DOT, " 4 more references", 1);
    has(dict, -1, PyBoehm_GRAPH_DOT, "list at", 5);
    has(dict, -1, PyBoehm_GRAPH_DOT, " 8 more references", 1);
    has(list, -1, PyBoehm_GRAPH_JSON, "\"type\": \"list\", \"references\"",
        10);
    suite_drop(list, dict);
}

/* A dict whose tp_traverse visits the keys alone: it owns no other values than
   None. */
static int
visit_keys(PyObject *op, visitproc visit, void *arg)
{
    PyObject *key;
    Py_ssize_t pos = 0;

    Py_VISIT(Py_TYPE(op));
    while (PyDict_Next(op, &pos, &key, NULL))
        Py_VISIT(key);
    return 0;
}

START_TEST(keys_alone_are_folded)
{
    PyType_Slot slots[] = {{Py_tp_traverse, (void *)visit_keys}, {0, NULL}};
    PyType_Spec spec = {
        .name = "test.Keys",
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
        .slots = slots,
    };
    PyObject *type = suite_require(
        PyType_FromSpecWithBases(&spec, (PyObject *)&PyDict_Type));
    PyObject *dict = suite_require(PyObject_CallNoArgs(type));

    for (int i = 0; i < 9; i++) {
        PyObject *key = Py_BuildValue("(Oi)", type, i);

        ck_assert_int_eq(PyDict_SetItem(dict, key, Py_None), 0);
        Py_DECREF(key);
    }
    has(dict, 1, PyBoehm_GRAPH_DOT, "tuple at", 5);
    has(dict, 1, PyBoehm_GRAPH_DOT, " 4 more references", 1);
    suite_drop(dict, type);
}

/* How many a set has is known; its elements have no names. */
START_TEST(sets_are_folded)
{
    PyObject *set = PySet_New(NULL);

    for (int i = 0; i < 9; i++) {
        PyObject *tuple = Py_BuildValue("(i)", i);

        if (i == 8)
            has(set, -1, PyBoehm_GRAPH_DOT, "tuple at", 8);
        ck_assert_int_eq(PySet_Add(set, tuple), 0);
        Py_DECREF(tuple);
    }
    has(set, -1, PyBoehm_GRAPH_DOT, "tuple at", 5);
    has(set, -1, PyBoehm_GRAPH_DOT, " 4 more references", 1);
    ck_assert_int_eq(PySet_Clear(set), 0);
    ck_assert_int_eq(PySet_Add(set, Py_None), 0);
    has(set, -1, PyBoehm_GRAPH_DOT, "1 reference\\lNone\\l\"", 1);
    Py_DECREF(set);
}

START_TEST(states_are_shown)
{
    PyObject *adopted = PyBoehm_Adopt(PyList_New(0));
    PyObject *untracked = PyList_New(0), *frozen;

    PyObject_GC_UnTrack(untracked);
    has(adopted, 0, PyBoehm_GRAPH_DOT, "0 references\\ladopted\\l\", fill", 1);
    has(untracked, 0, PyBoehm_GRAPH_DOT, "\\luntracked\\l\", style=", 1);
    has(adopted, 0, PyBoehm_GRAPH_JSON, "\"adopted\": true", 1);
    has(untracked, 0, PyBoehm_GRAPH_JSON, "\"tracked\": false", 1);
    frozen = PyList_New(0);
    PyBoehm_GC_Freeze();
    has(frozen, 0, PyBoehm_GRAPH_DOT, "1 reference\\lfrozen\\l\", fill", 1);
    has(frozen, 0, PyBoehm_GRAPH_JSON, "\"frozen\": true", 1);
    PyBoehm_GC_Unfreeze();
    suite_drop(frozen, untracked);
    Py_DECREF(PyBoehm_Disown(adopted));
}

/* Nothing that stands in a text can end it. */
START_TEST(texts_are_escaped)
{
    PyObject *list = Py_BuildValue("[s,y]", "a\"b\\l\n\xc3\xa9", "\x01\"");
    PyObject *lone = PyUnicode_FromOrdinal(0xdc80);

    ck_assert_int_eq(PyList_Append(list, lone), 0);
    has(list, 0, PyBoehm_GRAPH_DOT,
        "[2] = '\xef\xbf\xbd'\\l"
        "[1] = b'.\\\"'\\l"
        "[0] = 'a\\\"b\\\\l\xef\xbf\xbd\xc3\xa9'\\l\"];",
        1);
    has(list, 0, PyBoehm_GRAPH_JSON,
        "\"value\": \"'a\\\"b\\\\l\xef\xbf\xbd\xc3\xa9'\"}", 1);
    suite_drop(lone, list);
}

/* Graphviz takes "&lt;" for "<" and "&#1;" for what no XML may have; that may
   not have U+FFFE either. */
START_TEST(entities_are_none)
{
    PyObject *list = Py_BuildValue("[s,s]", "&lt;&#1;", "\xef\xbf\xbe");

    has(list, 0, PyBoehm_GRAPH_DOT, "'&amp;lt;&amp;#1;'\\l\"];", 1);
    has(list, 0, PyBoehm_GRAPH_JSON, "\"'&lt;&#1;'\"}", 1);
    has(list, 0, PyBoehm_GRAPH_DOT, "'\xef\xbf\xbd'\\l", 1);
    Py_DECREF(list);
}

/* The name of a static type may be anything. */
START_TEST(names_that_are_not_utf_8)
{
    static PyTypeObject type = {
        .ob_base = PyVarObject_HEAD_INIT(NULL, 0).tp_name =
            "\x80\xc0\xaf-\xed\xa0\x80-\xf4\x90\x80\x80-\xc3\xa9\xc3",
        .tp_basicsize = sizeof(PyObject),
    };
    PyObject *list = PyList_New(0);

    ck_assert_int_eq(PyType_Ready(&type), 0);
    ck_assert_int_eq(PyList_Append(list, (PyObject *)&type), 0);
    for (int format = PyBoehm_GRAPH_DOT; format <= PyBoehm_GRAPH_JSON;
         format++)
        has(list, 0, format,
            "<type " SOME SOME SOME "-" SOME "-" SOME "-\xc3\xa9" SOME ">", 1);
    Py_DECREF(list);
}

START_TEST(long_texts_are_cut)
{
    PyObject *list = PyList_New(0);
    PyObject *text = PyUnicode_FromString("abcdefghijklmnopqrstuvwxyz");

    ck_assert_int_eq(PyList_Append(list, text), 0);
    has(list, 0, PyBoehm_GRAPH_DOT,
        "'abcdefghijklmnopqrstuvwx'\xe2\x80\xa6\\l", 1);
    suite_drop(text, list);
}

START_TEST(values_are_shown)
{
    PyObject *list = Py_BuildValue("[i,d,O,O,O]", -5, 1.5, Py_True, Py_None,
                                   (PyObject *)&PyList_Type);

    has(list, 0, PyBoehm_GRAPH_DOT,
        "[4] = <type list>\\l[3] = None\\l[2] = True\\l[1] = 1.5\\l"
        "[0] = -5\\l",
        1);
    Py_DECREF(list);
}

/* So many that a node stands for all of a type. */
START_TEST(many_are_counted_by_type)
{
    PyObject *list = PyList_New(0);

    for (int i = 0; i < 1000; i++) {
        PyObject *dict = Py_BuildValue("{i:(),i:[]}", i, i + 1);

        ck_assert_int_eq(PyList_Append(list, dict), 0);
        Py_DECREF(dict);
    }
    has(NULL, -1, PyBoehm_GRAPH_DOT,
        "[label=\"items \xc3\x97"
        "1000\"]",
        1);
    has(NULL, -1, PyBoehm_GRAPH_DOT, " at 0x", 0);
    PyBoehm_Adopt(list);
    has(NULL, -1, PyBoehm_GRAPH_DOT,
        "\\l1 adopted\\l\", fillcolor=\"#cfe3f7\", color=\"#1f5fa8\", "
        "penwidth=2];",
        1);
    PyBoehm_Disown(list);
    has(NULL, -1, PyBoehm_GRAPH_DOT, "label=\"int\\lnot in Boehm's heap\\l",
        1);
    Py_DECREF(list);
}

/* Ten lists are seen, and not the hundreds of objects that every program
   has. */
START_TEST(what_is_pyboehms_own_is_left_out)
{
    PyObject *lists[10];

    has(NULL, -1, PyBoehm_GRAPH_DOT, "there is nothing but pyboehm's own", 1);
    has(NULL, -1, PyBoehm_GRAPH_DOT, " at 0x", 0);
    for (int i = 0; i < 10; i++)
        lists[i] = Py_BuildValue("[O]", (PyObject *)PyExc_ValueError);
    has(NULL, -1, PyBoehm_GRAPH_DOT, " at 0x", 10);
    has(NULL, -1, PyBoehm_GRAPH_DOT, "list at 0x", 10);
    for (int i = 0; i < 10; i++)
        Py_DECREF(lists[i]);
}

/* Most of them are left out. */
START_TEST(many_types)
{
    PyObject *list = PyList_New(0);
    char name[] = "Type000", *rest;
    int boxes;

    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "Type%d", i);
        PyObject *type = suite_class("s(O){}", name, &PyBaseObject_Type);

        for (int j = 0; j < 10; j++) {
            PyObject *op = PyObject_CallNoArgs(type);

            ck_assert_int_eq(PyList_Append(list, op), 0);
            Py_DECREF(op);
        }
        Py_DECREF(type);
    }
    char *text = graph(NULL, -1, PyBoehm_GRAPH_DOT);
    boxes = count(text, "label=\"Type");
    ck_assert_int_ge(boxes, 20);
    ck_assert_int_le(boxes, 100);
    rest = strstr(text, "  more [label=\"") + strlen("  more [label=\"");
    ck_assert_int_ge(atoi(rest), 300 - boxes);
    ck_assert_int_eq(count(text, " types are not shown\\n"), 1);
    free(text);
    Py_DECREF(list);
}

START_TEST(several_roots)
{
    PyObject *roots[] = {PyList_New(0), PyDict_New()};
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    ck_assert_int_eq(
        PyBoehm_WriteGraph(file, roots, 2, -1, PyBoehm_GRAPH_JSON), 0);
    fclose(file);
    ck_assert_int_eq(count(text, "\"address\""), 2);
    ck_assert(strstr(text, "list") < strstr(text, "dict"));
    free(text);
    suite_drop(roots[0], roots[1]);
}

START_TEST(json_has_all)
{
    PyObject *list = Py_BuildValue("[[],i]", 7);
    char *text = graph(list, -1, PyBoehm_GRAPH_JSON);
    const char *expected =
        "{\"pyboehm_graph\": 1,\n \"nodes\": [\n"
        "  {\"address\": \"0x-\", \"type\": \"list\", \"references\": 1, "
        "\"outside\": 1, \"bytes\": 48,\n"
        "   \"garbage\": false, \"adopted\": false, \"tracked\": true, "
        "\"frozen\": false, \"immortal\": false,\n   \"edges\": [\n"
        "    {\"kind\": \"item\", \"name\": \"[1]\", \"type\": \"int\", "
        "\"value\": \"7\"},\n"
        "    {\"kind\": \"item\", \"name\": \"[0]\", \"to\": 1, "
        "\"type\": \"list\"}]},\n"
        "  {\"address\": \"0x-\", \"type\": \"list\", \"references\": 1, "
        "\"outside\": 0, \"bytes\": 48,\n"
        "   \"garbage\": false, \"adopted\": false, \"tracked\": true, "
        "\"frozen\": false, \"immortal\": false,\n   \"edges\": []}\n]}\n";

    if (strstr(text, "\"bytes\": 48") != NULL) /* checks add a fence */
        ck_assert_str_eq(text, expected);
    else
        ck_assert_int_eq(count(text, "\"kind\": \"item\""), 2);
    free(text);
    Py_DECREF(list);
}

static void
fails(PyObject *root, int format, PyObject *error)
{
    ck_assert_int_eq(PyBoehm_WriteGraph(stdout, &root, 1, 1, format), -1);
    ck_assert(PyErr_ExceptionMatches(error));
    PyErr_Clear();
}

START_TEST(bad_arguments)
{
    PyObject *list = PyList_New(0), *number = PyLong_FromLong(12345);
    FILE *full = fopen("/dev/full", "w");

    fails(Py_None, PyBoehm_GRAPH_DOT, PyExc_TypeError);
    fails(number, PyBoehm_GRAPH_JSON, PyExc_TypeError);
    fails(NULL, PyBoehm_GRAPH_DOT, PyExc_TypeError);
    fails(list, 0, PyExc_ValueError);
    fails(list, 3, PyExc_ValueError);
    if (full != NULL) {
        ck_assert_int_eq(
            PyBoehm_WriteGraph(full, NULL, 0, -1, PyBoehm_GRAPH_JSON), -1);
        ck_assert(PyErr_ExceptionMatches(PyExc_OSError));
        PyErr_Clear();
        fclose(full);
    }
    suite_drop(list, number);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

static void
draw(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
     void *done)
{
    fails(Py_None, PyBoehm_GRAPH_DOT, PyExc_RuntimeError);
    ++*(int *)done;
}

START_TEST(not_in_a_collection)
{
    int done = 0;

    ck_assert_int_eq(PyBoehm_GC_AddCallback(draw, &done), 0);
    PyGC_Collect();
    ck_assert_int_eq(done, 2);
    PyBoehm_GC_RemoveCallback(draw, &done);
}

/* ------------------------------------------------------------------ */
/* What the file's functions do                                        */

#ifdef __GLIBC__
static int writes;

static ssize_t
write_and_collect(void *Py_UNUSED(cookie), const char *Py_UNUSED(text),
                  size_t size)
{
    if (writes++ == 0)
        GC_gcollect();
    return (ssize_t)size;
}

/* A set waits for Boehm, and Boehm collects in the middle of the picture: what
   is being drawn stays until it is done. */
START_TEST(boehm_may_collect_meanwhile)
{
    static const cookie_io_functions_t functions = {
        .write = write_and_collect,
    };
    FILE *file = fopencookie(NULL, "w", functions);

    node_reset();
    GC_set_finalize_on_demand(1);
    for (int i = 0; i < 1000; i++)
        node_drop_ring(&node_type, 2);
    GC_set_finalize_on_demand(0);
    PyGC_Disable();
    ck_assert_int_eq(node_log.freed, 0);
    setvbuf(file, NULL, _IOFBF, 256);
    ck_assert_int_eq(PyBoehm_WriteGraph(file, NULL, 0, -1, PyBoehm_GRAPH_JSON),
                     0);
    ck_assert_int_gt(writes, 1);
    ck_assert_int_eq(node_log.freed, 0);
    fclose(file);
    PyGC_Enable();
    PyGC_Collect();
    ck_assert_int_eq(node_log.freed, 2000);
}
#endif
