/* edges.c: an object's references, and the names of the places they are in.
   See edges.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "object/attr/instancedict.h"
#include "runtime/sharedkeys.h"
#include "types/str/str.h"
#include "watch/why/edges.h"

/* ------------------------------------------------------------------ */
/* Names of fields                                                     */

/* The fields of types: no PyMemberDef describes them. */
static const struct {
    Py_ssize_t offset;
    const char *name;
} type_fields[] = {
    {offsetof(PyTypeObject, tp_base), "tp_base"},
    {offsetof(PyTypeObject, tp_dict), "tp_dict"},
    {offsetof(PyTypeObject, tp_bases), "tp_bases"},
    {offsetof(PyTypeObject, tp_mro), "tp_mro"},
    {offsetof(PyTypeObject, tp_cache), "tp_cache"},
    {offsetof(PyHeapTypeObject, ht_name), "ht_name"},
    {offsetof(PyHeapTypeObject, ht_qualname), "ht_qualname"},
    {offsetof(PyHeapTypeObject, ht_module), "ht_module"},
};

static const char *
type_field(Py_ssize_t offset)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(type_fields); i++)
        if (type_fields[i].offset == offset)
            return type_fields[i].name;
    return NULL;
}

const char *
pyb_edge_member(const PyTypeObject *type, Py_ssize_t offset)
{
    if (offset == type->tp_dictoffset)
        return "__dict__";
    if (type->tp_flags & Py_TPFLAGS_TYPE_SUBCLASS)
        return type_field(offset);
    for (; type != NULL; type = type->tp_base)
        for (const PyMemberDef *member = type->tp_members;
             member != NULL && member->name != NULL; member++)
            if (member->offset == offset && (member->type == _Py_T_OBJECT ||
                                             member->type == Py_T_OBJECT_EX))
                return member->name;
    return NULL;
}

/* ------------------------------------------------------------------ */
/* Places                                                              */

/* A traversal, and how far it has come in the object's references. */
struct traversal {
    PyObject *op;
    int (*each)(const struct pyb_edge *edge, void *arg);
    void *arg;
    Py_ssize_t items;      /* that have been visited */
    Py_ssize_t position;   /* in the object, which is a dict */
    PyObject *key, *value; /* the entry there that comes next */
    Py_ssize_t attribute;  /* the next one, in an instance's own dict */
    Py_ssize_t word;       /* the next one behind the head */
};

/* Each match_ function: is the child what comes next in places of its kind?
   Then the edge is described, and the traversal goes on behind it.

   Items are visited from the last to the first; empty ones are left out. */
static int
match_item(struct traversal *t, struct pyb_edge *edge)
{
    PyObject **items;
    Py_ssize_t n, i;

    if (!PyList_Check(t->op) && !PyTuple_Check(t->op))
        return 0;
    items = PySequence_Fast_ITEMS(t->op);
    n = Py_SIZE(t->op);
    PYB_ASSERT_OBJECT(t->items >= 0 && t->items <= n, t->op);
    while (t->items < n && items[n - 1 - t->items] == NULL)
        t->items++;
    i = n - 1 - t->items;
    if (i < 0 || items[i] != edge->child)
        return 0;
    t->items++;
    edge->kind = PYB_EDGE_ITEM;
    edge->number = i;
    return 1;
}

/* The value of an entry is visited before its key. */
static int
match_entry(struct traversal *t, PyObject *dict, struct pyb_edge *edge)
{
    if (t->key == NULL && !PyDict_Next(dict, &t->position, &t->key, &t->value))
        return 0;
    if (edge->child == t->value) {
        edge->kind = PYB_EDGE_VALUE;
        edge->key = t->key;
        t->value = NULL;
        return 1;
    }
    if (edge->child != t->key)
        return 0;
    edge->kind = PYB_EDGE_KEY;
    t->key = NULL;
    return 1;
}

/* An instance visits the values, but not the keys, of a dictionary that has
   not been asked for. */
static int
match_attribute(struct traversal *t, PyObject *dict, struct pyb_edge *edge)
{
    PyObject *key, *value;
    Py_ssize_t pos = t->attribute;

    PYB_ASSERT_OBJECT(PyDict_CheckExact(dict), dict);
    while (PyDict_Next(dict, &pos, &key, &value))
        if (value == edge->child) {
            t->attribute = pos;
            edge->kind = PYB_EDGE_ATTRIBUTE;
            edge->key = key;
            return 1;
        }
    return 0;
}

/* The same of values in the instance itself. */
static int
match_inline(struct traversal *t, PyObject *content, struct pyb_edge *edge)
{
    PyObject **values = pyb_inline_values(t->op);
    Py_ssize_t room = (Py_ssize_t)pyb_inline_room(content);
    const struct _dictkeysobject *keys = pyb_inline_keys(Py_TYPE(t->op));

    PYB_ASSERT_OBJECT(keys != NULL && room <= PYB_SHARED_KEYS_MAX, t->op);
    for (Py_ssize_t i = t->attribute; i < room; i++)
        if (values[i] == edge->child) {
            t->attribute = i + 1;
            edge->kind = PYB_EDGE_ATTRIBUTE;
            PYB_ASSERT_OBJECT((size_t)i < keys->n, t->op);
            edge->key = keys->names[i];
            return 1;
        }
    return 0;
}

/* The number of words of the object's body that may be references. */
static Py_ssize_t
words_of(PyObject *op)
{
    struct pyb_line *line = pyb_line_of(op);
    size_t size = line != NULL && (AO_load(&line->held) & pyb_bit_of(op)) != 0
                      ? pyb_heap_block_size(op)
                      : (size_t)Py_TYPE(op)->tp_basicsize;

    return (Py_ssize_t)(size / sizeof(PyObject *));
}

/* The next word with the child's address; most types visit their fields in
   order. */
static int
match_word(struct traversal *t, struct pyb_edge *edge)
{
    enum { HEAD = sizeof(PyObject) / sizeof(PyObject *) };
    PyObject **words = (PyObject **)(void *)t->op;
    Py_ssize_t n = words_of(t->op) - HEAD;

    PYB_ASSERT_OBJECT(n >= 0 && t->word >= 0, t->op);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_ssize_t word = HEAD + (t->word + i) % n;

        if (words[word] == edge->child) {
            t->word = word - HEAD + 1;
            edge->number = word * (Py_ssize_t)sizeof(PyObject *);
            edge->member = pyb_edge_member(Py_TYPE(t->op), edge->number);
            edge->kind =
                edge->member != NULL ? PYB_EDGE_MEMBER : PYB_EDGE_WORD;
            return 1;
        }
    }
    return 0;
}

/* What is in the place of an instance's dictionary: NULL if there is none. */
static PyObject *
dict_or_room(PyObject *op)
{
    Py_ssize_t offset = Py_TYPE(op)->tp_dictoffset;

    if (Py_TYPE(op)->tp_flags & Py_TPFLAGS_MANAGED_DICT)
        return *pyb_heap_managed_dict(op);
    return offset > 0 ? *(PyObject **)(void *)((char *)op + offset) : NULL;
}

PyObject *
pyb_edge_dict(PyObject *op)
{
    PyObject *content = dict_or_room(op);

    return pyb_inline_is(content) ? NULL : content;
}

static int
match_dict(struct traversal *t, struct pyb_edge *edge)
{
    PyObject *dict = dict_or_room(t->op);

    if (dict == NULL)
        return 0;
    if (pyb_inline_is(dict))
        return match_inline(t, dict, edge);
    if (dict != edge->child)
        return pyb_instancedict_is_unseen(dict) &&
               match_attribute(t, dict, edge);
    edge->kind = PYB_EDGE_MEMBER;
    edge->member = "__dict__";
    return 1;
}

static int
match_type(struct traversal *t, struct pyb_edge *edge)
{
    if (edge->child != (PyObject *)Py_TYPE(t->op))
        return 0;
    edge->kind = PYB_EDGE_TYPE;
    return 1;
}

static int
visit(PyObject *child, void *arg)
{
    struct traversal *t = arg;
    struct pyb_edge edge = {.kind = PYB_EDGE_OTHER, .child = child};

    if (!match_item(t, &edge) &&
        !(PyAnyDict_Check(t->op) && match_entry(t, t->op, &edge)) &&
        !match_dict(t, &edge) && !match_type(t, &edge))
        match_word(t, &edge);
    return t->each(&edge, t->arg);
}

int
pyb_edges(PyObject *op, int (*each)(const struct pyb_edge *edge, void *arg),
          void *arg)
{
    struct traversal t = {.op = op, .each = each, .arg = arg};

    if (!PyObject_IS_GC(op) || Py_TYPE(op)->tp_traverse == NULL)
        return 0;
    return Py_TYPE(op)->tp_traverse(op, visit, &t);
}

/* ------------------------------------------------------------------ */
/* Names                                                               */

/* Copies a str; what is not printable ASCII, or could end it, is replaced. */
static void
copy(PyObject *str, char *to, Py_ssize_t room)
{
    Py_ssize_t n = Py_MIN(PyUnicode_GET_LENGTH(str), room);

    PYB_ASSERT_OBJECT(room >= 0 && PyUnicode_Check(str), str);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = pyb_str_read(str, i);

        to[i] = c < ' ' || c > '~' || c == '\'' || c == '\\' ? '_' : (char)c;
    }
    to[n] = '\0';
}

static void
name_key(PyObject *key, char to[PYB_EDGE_NAME])
{
    if (PyLong_CheckExact(key)) {
        int overflow;
        long number = PyLong_AsLongAndOverflow(key, &overflow);

        snprintf(to, PYB_EDGE_NAME, overflow ? "[int]" : "[%ld]", number);
    } else if (PyUnicode_Check(key)) {
        strcpy(to, "['");
        copy(key, to + 2, PYB_EDGE_NAME - 6); /* brackets, quotes, a 0 */
        strcat(to, "']");
    } else {
        snprintf(to, PYB_EDGE_NAME, "[%.40s]", Py_TYPE(key)->tp_name);
    }
}

char *
pyb_edge_name(const struct pyb_edge *edge, char to[PYB_EDGE_NAME])
{
    *to = '\0';
    PYB_ASSERT_OBJECT(
        (edge->kind != PYB_EDGE_VALUE && edge->kind != PYB_EDGE_ATTRIBUTE) ||
            edge->key != NULL,
        edge->child);
    switch (edge->kind) {
    case PYB_EDGE_TYPE:
        return strcpy(to, "type");
    case PYB_EDGE_KEY:
        return strcpy(to, "key");
    case PYB_EDGE_ITEM:
        snprintf(to, PYB_EDGE_NAME, "[%zd]", edge->number);
        break;
    case PYB_EDGE_VALUE:
        name_key(edge->key, to);
        break;
    case PYB_EDGE_ATTRIBUTE:
        *to = '.';
        copy(edge->key, to + 1, PYB_EDGE_NAME - 2);
        break;
    case PYB_EDGE_MEMBER:
        PYB_ASSERT_OBJECT(edge->member != NULL, edge->child);
        snprintf(to, PYB_EDGE_NAME, ".%s", edge->member);
        break;
    case PYB_EDGE_WORD:
        snprintf(to, PYB_EDGE_NAME, "+%zd", edge->number);
        break;
    case PYB_EDGE_OTHER:
        break;
    }
    return to;
}
