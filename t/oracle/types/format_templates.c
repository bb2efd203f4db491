/* format_templates.c: str.format and str.format_map.  Python: "Format String
   Syntax". */

#include "oracle.h"

/* What the templates name: {0} to {4}, and by name. */
static PyObject *args, *mapping;

static void
make_arguments(void)
{
    PyObject *list = need(Py_BuildValue("[iis]", 10, 20, "x"));
    PyObject *dict =
        need(Py_BuildValue("{s:i,i:s,s:s}", "k", 5, 3, "three", "a b", "ab"));

    args = need(Py_BuildValue("(isdOO)", 42, "text", 2.5, list, dict));
    mapping = need(Py_BuildValue("{s:i,s:O,s:O,s:s,s:i}", "n", 7, "list", list,
                                 "dict", dict, "\u00e9", "acute", "w", 6));
    drop_all(list, dict);
}

static void
expand(const char *template)
{
    PyObject *str = need(PyUnicode_FromString(template));
    PyObject *format = need(PyObject_GetAttrString(str, "format"));

    say("%s", template);
    show("    both", PyObject_Call(format, args, mapping));
    show("    positional", PyObject_Call(format, args, NULL));
    show("    map", PyObject_CallMethod(str, "format_map", "O", mapping));
    drop_all(format, str);
}

static void
by_hand(void)
{
    static const char *const templates[] = {
        "",
        "plain",
        "{}",
        "{} {} {}",
        "{0}{0}{1}",
        "{} {1}",
        "{0} {}",
        "{n} {} {n}",
        "{{}}",
        "{{{}}}",
        "{{{0}}} {{ }} }}{{",
        "{",
        "}",
        "a{",
        "a}",
        "}a",
        "{a",
        "{0",
        "{0!",
        "{0!r",
        "{0!r:",
        "{0!r:5",
        "{0:",
        "{0:5",
        "{0:{",
        "{0:{}",
        "{0!}",
        "{0!rx}",
        "{0!x}",
        "{0!\u00e9}",
        "{0!r}{1!s}{1!r}{1!a}",
        "{\u00e9} {\u00e9!a}",
        "{1:>10}|{1:<10}|{1:^10}|{0:#x}|{2:.3f}",
        "{0:{1}}",
        "{1:{0}}",
        "{n:{w}} {n:0{w}d} {:{}}",
        "{n:{w}{n}}",
        "{n:{w:{n}}}",
        "{n:{{w}}}",
        "{n:{w!r}}",
        "{3[0]} {3[2]} {3[9]}",
        "{3[-1]}",
        "{3[x]}",
        "{4[k]} {4[3]} {4[a b]}",
        "{4[nothing]}",
        "{list[1]} {dict[k]}",
        "{n.real} {n.imag}",
        "{n.nothing}",
        "{.real} {.real}",
        "{[0]}",
        "{3[0]real}",
        "{3[0].real}",
        "{3[0}",
        "{3[]}",
        "{3.}",
        "{3..a}",
        "{3[0]]}",
        "{3[[]}",
        "{dict[{]}",
        "{dict[}]}",
        "{dict[:]}",
        "{dict[!]}",
        "{n[0]}",
        "{nothing}",
        "{9}",
        "{-1}",
        "{+1}",
        "{ }",
        "{ 0}",
        "{0 }",
        "{00}",
        "{\u0660}",
        "{99999999999999999999}",
        "{3[99999999999999999999]}",
        "{0:99999999999999999999}",
        "{{0}",
        "{0}}",
        "{a{b}}",
        "{0:}}",
        "{0:}{1:}",
        "{!r}",
        "{:>5}{:>6}",
        "{:{}} {:{}}",
        "\u20ac{}\u20ac{}\U0001f600",
        "{1:\u20ac^9}",
        "{1:{{}",
        "{1:}}}",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(templates); i++)
        expand(templates[i]);
}

static void
by_chance(void)
{
    static const char *const pieces[] = {
        "{",  "}",   "{",   "}",     "{}",   "{0}",  "!r",  ":",  "[",
        "]",  ".",   "0",   "1",     "n",    "a",    "w",   ">5", "{{",
        "}}", "{n}", "[0]", ".real", "list", "dict", "[k]", "!s", "{:{w}}",
    };
    char template[128];

    for (int i = 0; i < 1500; i++) {
        *template = '\0';
        for (unsigned n = pick(9); n > 0; n--)
            strcat(template, pieces[pick(Py_ARRAY_LENGTH(pieces))]);
        expand(template);
    }
}

static void
others(void)
{
    PyObject *str = need(PyUnicode_FromString("{a} {b}"));
    PyObject *empty = PyDict_New(), *dict = Py_BuildValue("{s:i}", "a", 1);

    SHOW(PyObject_CallMethod(str, "format", NULL));
    SHOW(PyObject_CallMethod(str, "format_map", "O", empty));
    SHOW(PyObject_CallMethod(str, "format_map", "O", dict));
    SHOW(PyObject_CallMethod(str, "format_map", "i", 5));
    SHOW(PyObject_CallMethod(str, "format_map", NULL));
    SHOW(PyObject_CallMethod(str, "format_map", "(ii)", 1, 2));
    drop_all(str, empty, dict);
}

void
oracle_program(void)
{
    pick_seed = 18;
    make_arguments();
    by_hand();
    by_chance();
    others();
    drop_all(args, mapping);
}
