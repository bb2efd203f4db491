/* field.c: the part of its instances where a type keeps a reference.  See
   field.h. */

#include "Python.h"

#include <stdio.h>

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "object/module/module.h"
#include "runtime/sharedkeys.h"
#include "types/str/str.h"
#include "watch/audit/ledger.h"
#include "watch/why/field.h"

/* Is there an inline value?  The attributes are the dictionary's, whether
   there is one or not. */
static int
is_inline(PyObject *op, uint32_t offset)
{
    PyObject *content = *pyb_heap_managed_dict(op);

    return pyb_inline_is(content) && offset >= sizeof(PyObject) &&
           offset < sizeof(PyObject) +
                        pyb_inline_room(content) * sizeof(PyObject *);
}

static enum pyb_part
part_of(PyObject *op, const struct pyb_word *word)
{
    PyTypeObject *type = Py_TYPE(op);

    if (word->in_block)
        return PyModule_Check(op) &&
                       word->offset == offsetof(struct pyb_module, state)
                   ? PYB_PART_STATE
                   : PYB_PART_MALLOC;
    if (word->offset == offsetof(PyObject, ob_type))
        return PYB_PART_TYPE;
    if (PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT) &&
        (word->offset + sizeof(void *) == pyb_heap_block_size(op) ||
         is_inline(op, word->offset)))
        return PYB_PART_DICT;
    return type->tp_itemsize > 0 && word->offset >= type->tp_basicsize
               ? PYB_PART_ITEMS
               : PYB_PART_BODY;
}

/* The offset of a word within its item. */
static uint32_t
offset_in_item(PyObject *op, uint32_t offset)
{
    PYB_ASSERT_OBJECT(Py_TYPE(op)->tp_itemsize > 0 &&
                          offset >= (size_t)Py_TYPE(op)->tp_basicsize,
                      op);
    return (uint32_t)((offset - (size_t)Py_TYPE(op)->tp_basicsize) %
                      (size_t)Py_TYPE(op)->tp_itemsize);
}

/* Do instances of the type have the field? */
static int
has_field(PyTypeObject *type, const struct pyb_field *field)
{
    Py_ssize_t end = (Py_ssize_t)(field->offset + sizeof(void *));

    switch (field->part) {
    case PYB_PART_ITEMS:
        return type->tp_itemsize > 0;
    case PYB_PART_DICT:
        return PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT);
    case PYB_PART_TYPE:
        return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE);
    default:
        return type->tp_basicsize >= end;
    }
}

/* Should the base have visited the field?  A base that supports the collector
   has a tp_traverse for that.  Without one, the base should support the
   collector if the type does not either. */
static int
is_answerable(PyTypeObject *base, const struct pyb_field *field)
{
    return has_field(base, field) &&
           (base->tp_traverse != NULL || !PyType_IS_GC(field->type));
}

struct pyb_field
pyb_field_of(const struct pyb_evidence *evidence, const struct pyb_word *word)
{
    PYB_ASSERT(word->to < evidence->census.n);
    PyObject *op = pyb_evidence_owner(evidence, word->from);
    PyObject *to = evidence->census.nodes[word->to].op;
    struct pyb_field field = {.type = Py_TYPE(op), .part = part_of(op, word)};
    PyTypeObject *base = field.type->tp_base;

    if (field.part == PYB_PART_BODY || field.part == PYB_PART_MALLOC)
        field.offset = word->offset;
    field.inner = field.part == PYB_PART_ITEMS
                      ? offset_in_item(op, word->offset)
                      : word->inner;
    for (; base != NULL && is_answerable(base, &field) &&
           pyb_ledger_visits(base, op, to) == 0;
         base = base->tp_base)
        field.type = base;
    PYB_ASSERT_OBJECT(PyObject_TypeCheck(op, field.type), op);
    field.traverse = PyType_IS_GC(field.type) ? field.type->tp_traverse : NULL;
    if (field.part == PYB_PART_STATE) {
        field.module = op;
        field.traverse = PYB_MODULE(op)->traverse_state;
    }
    return field;
}

/* Modules made from one definition share the layout of their state. */
static int
same_state(PyObject *a, PyObject *b)
{
    return a == b || (PYB_MODULE(a)->token != NULL &&
                      PYB_MODULE(a)->token == PYB_MODULE(b)->token);
}

int
pyb_field_same(const struct pyb_field *a, const struct pyb_field *b)
{
    return a->type == b->type && a->part == b->part &&
           a->offset == b->offset && a->inner == b->inner &&
           (a->part != PYB_PART_STATE || same_state(a->module, b->module));
}

size_t
pyb_field_instances(const struct pyb_evidence *evidence,
                    const struct pyb_field *field)
{
    size_t n = 0;

    if (field->part != PYB_PART_STATE)
        return pyb_ledger_instances(evidence, field->type);
    for (size_t i = 0; i < evidence->census.n; i++) {
        PyObject *op = evidence->census.nodes[i].op;

        n += PyModule_Check(op) && same_state(op, field->module);
    }
    return n;
}

/* The type's name for the member at an offset; NULL if it has none. */
static const char *
member_name(PyTypeObject *type, Py_ssize_t offset)
{
    const PyMemberDef *member = type->tp_members;

    if (offset == type->tp_dictoffset)
        return "__dict__";
    for (; member != NULL && member->name != NULL; member++)
        if (member->offset == offset)
            return member->name;
    return type->tp_base != NULL ? member_name(type->tp_base, offset) : NULL;
}

static const char *
module_name(PyObject *module)
{
    PyObject *name = PYB_MODULE(module)->name;

    return name != NULL && PyUnicode_Check(name) ? pyb_str_text(name)
                                                 : "without a name";
}

/* " (+8)" if an item has more than one word, or "". */
static const char *
where_in_item(const struct pyb_field *field, char text[20])
{
    if (field->type->tp_itemsize <= (Py_ssize_t)sizeof(PyObject *))
        return "";
    snprintf(text, 20, " (+%u)", field->inner);
    return text;
}

void
pyb_field_print(const struct pyb_field *field, char *text, size_t size)
{
    const char *type = field->type->tp_name;
    const char *name = member_name(field->type, field->offset);
    char in_parentheses[80] = "", in_item[20];

    PYB_ASSERT_OBJECT((field->part == PYB_PART_STATE) ==
                          (field->module != NULL),
                      field->module);
    if (name != NULL)
        snprintf(in_parentheses, sizeof in_parentheses, " (%s)", name);
    switch (field->part) {
    case PYB_PART_BODY:
        snprintf(text, size, "%s+%u%s", type, field->offset, in_parentheses);
        return;
    case PYB_PART_MALLOC:
        snprintf(text, size, "%s+%u%s, in malloc memory,", type, field->offset,
                 in_parentheses);
        return;
    case PYB_PART_ITEMS:
        snprintf(text, size, "%s, among its items%s,", type,
                 where_in_item(field, in_item));
        return;
    case PYB_PART_DICT:
        snprintf(text, size, "%s (managed __dict__)", type);
        return;
    case PYB_PART_STATE:
        snprintf(text, size, "the state of module %s",
                 module_name(field->module));
        return;
    case PYB_PART_TYPE:
        snprintf(text, size, "%s", type);
        return;
    }
}

uint32_t
pyb_field_holding_at(PyObject *op, const void *address)
{
    void *const *words = (void *const *)op;
    size_t n = (size_t)Py_TYPE(op)->tp_basicsize / sizeof *words, found = 0;

    for (size_t i = sizeof(PyObject) / sizeof *words; i < n; i++)
        if (words[i] == address && found != 0)
            return 0;
        else if (words[i] == address)
            found = i;
    return (uint32_t)(found * sizeof *words);
}

void
pyb_field_holding(PyObject *op, const void *address, char *text, size_t size)
{
    struct pyb_field field = {.type = Py_TYPE(op),
                              .part = PYB_PART_BODY,
                              .offset = pyb_field_holding_at(op, address)};

    PYB_ASSERT(size > 0);
    *text = '\0';
    if (field.offset != 0)
        pyb_field_print(&field, text, size);
}
