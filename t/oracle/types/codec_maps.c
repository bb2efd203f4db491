/* codec_maps.c: charmaps and translation: mappings of every kind, with every
   error handler; str.maketrans.  Manual: "Character Map Codecs". */

#include "oracle.h"

static const char *const handlers[] = {
    NULL,
    "strict",
    "ignore",
    "replace",
    "backslashreplace",
    "xmlcharrefreplace",
    "surrogateescape",
    "nonsense",
};

/* A mapping whose subscript raises ValueError for 'x' and KeyError else. */
static PyObject *
picky_get(PyObject *self, PyObject *key)
{
    long ch = PyLong_AsLong(key);

    if (ch == 'x')
        PyErr_SetString(PyExc_ValueError, "no x");
    else
        PyErr_SetObject(PyExc_KeyError, key);
    return NULL;
}

static PyMappingMethods picky_mapping = {.mp_subscript = picky_get};
static PyTypeObject Picky_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Picky",
    .tp_basicsize = sizeof(PyObject),
    .tp_as_mapping = &picky_mapping,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

enum { MAPPINGS = 9 };

/* New references; the last one is no mapping at all. */
static void
make_mappings(PyObject *mappings[MAPPINGS])
{
    static const Py_UCS4 table[] = {'A', 0xe9, 0xfffe, 0x1f600, 'x'};

    mappings[0] = PyDict_New();
    mappings[1] = Py_BuildValue("{iiiiiOiO}", 'a', 'b', 'b', 'a', 'c', Py_None,
                                0x20ac, Py_None);
    mappings[2] = Py_BuildValue("{isiyisisis}", 'a', "<a>", 'b', "<b>", 'c',
                                "", '?', "!", 'x', "\xef\xbf\xbe");
    mappings[3] = Py_BuildValue("{iiiiiiii}", 'a', -1, 'b', 256, 'c', 0x110000,
                                'x', 0xfffe);
    mappings[4] = Py_BuildValue("{iyiyiyi[]i()}", 'a', "", 'b', "bytes", '?',
                                "q", 'c', 'x');
    mappings[5] = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, table, 5);
    mappings[6] = Py_BuildValue("[iiOs]", 'z', 'y', Py_None, "list");
    mappings[7] = PyObject_CallNoArgs((PyObject *)&Picky_Type);
    if (mappings[7] == NULL) {
        PyErr_Clear();
        mappings[7] = PyObject_New(PyObject, &Picky_Type);
    }
    mappings[8] = PyLong_FromLong(5);
}

static void
encode(PyObject *mapping)
{
    static const Py_UCS4 texts[][6] = {
        {'a', 'b'},
        {'c', 'c', 'a'},
        {'x', 'a'},
        {0x20ac, 0x1f600},
        {0xdc80, 'c'},
        {0, 1, 2, 3, 4, 5},
        {'b', 'b', 'c', 'x', 'a', 0xe9},
        {'c', 'x', 'c'},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++) {
        PyObject *str = need(PyUnicode_FromKindAndData(
            PyUnicode_4BYTE_KIND, texts[i], 2 + (Py_ssize_t)i / 2));
        show_kept("text", str);
        SHOW(PyUnicode_AsCharmapString(str, mapping));
        for (size_t k = 0; k < Py_ARRAY_LENGTH(handlers); k++) {
            say("translate, %s", handlers[k] ? handlers[k] : "none");
            SHOW(PyUnicode_Translate(str, mapping, handlers[k]));
        }
        SHOW(PyObject_CallMethod(str, "translate", "O", mapping));
        Py_DECREF(str);
    }
}

static void
decode(PyObject *mapping)
{
    static const char *const texts[] = {
        "", "ab", "abc", "\1\2\3", "xab", "\4\5\6\7", "c\xff\xfe"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++)
        for (size_t k = 0; k < Py_ARRAY_LENGTH(handlers); k++) {
            say("'%s', %s", i < 3 ? texts[i] : "others",
                handlers[k] ? handlers[k] : "none");
            SHOW(PyUnicode_DecodeCharmap(
                texts[i], (Py_ssize_t)strlen(texts[i]), mapping, handlers[k]));
        }
}

/* Encoding by the map that is made for a table of decoding. */
static void
tables(void)
{
    static const char *const texts[] = {"abc",
                                        "\xc3\xa9"
                                        "a",
                                        "xyz", "a"};
    PyObject *table = need(PyUnicode_FromString("abc\xc3\xa9\xe2\x82\xac"));
    PyObject *map = need(PyUnicode_BuildEncodingMap(table));
    PyObject *nothing = need(PyUnicode_FromString(""));

    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++) {
        PyObject *str = need(PyUnicode_FromString(texts[i]));
        SHOW(PyUnicode_AsCharmapString(str, map));
        Py_DECREF(str);
    }
    SHOW(PyUnicode_BuildEncodingMap(nothing));
    SHOW(PyUnicode_BuildEncodingMap(Py_None));
    SHOW(PyUnicode_AsCharmapString(Py_None, map));
    SHOW(PyUnicode_AsCharmapString(table, NULL));
    SHOW(PyUnicode_Translate(Py_None, map, NULL));
    SHOW(PyUnicode_Translate(table, NULL, NULL));
    SHOW(PyUnicode_DecodeCharmap("\xe9", 1, NULL, NULL));
    drop_all(table, map, nothing);
}

#define MAKETRANS(...)                                                        \
    SHOW(PyObject_CallMethod((PyObject *)&PyUnicode_Type, "maketrans",        \
                             __VA_ARGS__))
static void
maketrans(void)
{
    MAKETRANS("ss", "ab", "cd");
    MAKETRANS("sss", "ab", "cd", "xya");
    MAKETRANS("ss", "ab", "cde");
    MAKETRANS("{sisOis}", "a", 5, "b", Py_None, 7, "seven");
    MAKETRANS("({si})", "ab", 5);
    MAKETRANS("({Oi})", Py_None, 5);
    MAKETRANS("i", 5);
    MAKETRANS("s", "ab");
    MAKETRANS("is", 5, "a");
    MAKETRANS("si", "a", 5);
    MAKETRANS("ssi", "a", "b", 5);
    MAKETRANS(NULL);
    MAKETRANS("ssss", "a", "b", "c", "d");
}

void
oracle_program(void)
{
    PyObject *mappings[MAPPINGS];

    if (PyType_Ready(&Picky_Type) < 0)
        abort();
    make_mappings(mappings);
    for (int i = 0; i < MAPPINGS; i++) {
        say("mapping %d", i);
        need(mappings[i]);
        encode(mappings[i]);
        decode(mappings[i]);
        Py_DECREF(mappings[i]);
    }
    tables();
    maketrans();
}
