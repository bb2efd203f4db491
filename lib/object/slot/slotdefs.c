/* slotdefs.c: which special method means which slot.

   The functions that fill a type's slots are entered in its dictionary as
   slot wrappers.  The other way, a class (a type made by calling type, or any
   heap type when an attribute is set) gets its slots from what stands under
   the names in its MRO: if that is a wrapper for this very slot, its function,
   else one of slotcall.c, which calls the method.  __del__ is subtype.c's.

   Manual: the language reference, "Special method names"; "Type Object
   Structures". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/slot/slotdefs.h"
#include "object/slot/slots.h"
#include "object/type/subclasses.h"
#include "object/type/typedata.h"

#define ROW(NAME, SLOT, FUNCTION, WRAPPER, DOC, FLAGS)                        \
    {                                                                         \
        NAME, Py_##SLOT, FUNCTION, WRAPPER, NAME DOC, FLAGS, NULL             \
    }
#define DEF(NAME, SLOT, KIND, DOC)                                            \
    ROW(NAME, SLOT, (void *)pyb_slot_##SLOT, pyb_wrap_##KIND, DOC, 0)
/* Another function than that of the slot's name, or none. */
#define WITH(NAME, SLOT, FUNCTION, KIND, DOC)                                 \
    ROW(NAME, SLOT, FUNCTION, pyb_wrap_##KIND, DOC, 0)
#define KEYWORDS(NAME, SLOT, KIND, DOC)                                       \
    ROW(NAME, SLOT, (void *)pyb_slot_##SLOT,                                  \
        (wrapperfunc)(void (*)(void))pyb_wrap_##KIND, DOC,                    \
        PyWrapperFlag_KEYWORDS)
/* Names that mean a slot, but are no wrapper's. */
#define NAME_ONLY(NAME, SLOT)                                                 \
    {                                                                         \
        NAME, Py_##SLOT, (void *)pyb_slot_##SLOT, NULL, NULL, 0, NULL         \
    }
#define UNARY(NAME, SLOT, DOC) DEF(NAME, SLOT, unary, "($self, /)\n--\n\n" DOC)
#define BINARY(NAME, REFLECTED, SLOT, SIGN)                                   \
    DEF(NAME, SLOT, binary,                                                   \
        "($self, value, /)\n--\n\nReturn self" SIGN "value."),                \
        DEF(REFLECTED, SLOT, reflected,                                       \
            "($self, value, /)\n--\n\nReturn value" SIGN "self.")
#define INPLACE(NAME, SLOT, SIGN)                                             \
    DEF(NAME, SLOT, binary,                                                   \
        "($self, value, /)\n--\n\nReturn self" SIGN "value.")
#define COMPARISON(NAME, KIND, SIGN)                                          \
    DEF(NAME, tp_richcompare, KIND,                                           \
        "($self, value, /)\n--\n\nReturn self" SIGN "value.")

/* The rows of one slot follow one another.  Of two slots under one name the
   first is that of mappings and numbers. */
static struct wrapperbase table[] = {
    UNARY("__repr__", tp_repr, "Return repr(self)."),
    DEF("__hash__", tp_hash, hash, "($self, /)\n--\n\nReturn hash(self)."),
    KEYWORDS("__call__", tp_call, call,
             "($self, /, *args, **kwargs)\n--\n\nCall self as a function."),
    UNARY("__str__", tp_str, "Return str(self)."),
    DEF("__getattribute__", tp_getattro, binary,
        "($self, name, /)\n--\n\nReturn getattr(self, name)."),
    NAME_ONLY("__getattr__", tp_getattro),
    DEF("__setattr__", tp_setattro, setattr,
        "($self, name, value, /)\n--\n\nImplement setattr(self, name, "
        "value)."),
    DEF("__delattr__", tp_setattro, delattr,
        "($self, name, /)\n--\n\nImplement delattr(self, name)."),
    COMPARISON("__lt__", lt, "<"),
    COMPARISON("__le__", le, "<="),
    COMPARISON("__eq__", eq, "=="),
    COMPARISON("__ne__", ne, "!="),
    COMPARISON("__gt__", gt, ">"),
    COMPARISON("__ge__", ge, ">="),
    UNARY("__iter__", tp_iter, "Implement iter(self)."),
    DEF("__next__", tp_iternext, next,
        "($self, /)\n--\n\nImplement next(self)."),
    DEF("__get__", tp_descr_get, get,
        "($self, instance, owner=None, /)\n--\n\nReturn an attribute of "
        "instance, which is of type owner."),
    DEF("__set__", tp_descr_set, set_key,
        "($self, instance, value, /)\n--\n\nSet an attribute of instance to "
        "value."),
    DEF("__delete__", tp_descr_set, delete_key,
        "($self, instance, /)\n--\n\nDelete an attribute of instance."),
    KEYWORDS("__init__", tp_init, init,
             "($self, /, *args, **kwargs)\n--\n\nInitialize self.  See "
             "help(type(self)) for accurate signature."),
    NAME_ONLY("__new__", tp_new),

    UNARY("__await__", am_await,
          "Return an iterator to be used in await expression."),
    UNARY("__aiter__", am_aiter,
          "Return an awaitable, that resolves in asynchronous iterator."),
    UNARY("__anext__", am_anext,
          "Return a value or raise StopAsyncIteration."),

    BINARY("__add__", "__radd__", nb_add, "+"),
    BINARY("__sub__", "__rsub__", nb_subtract, "-"),
    BINARY("__mul__", "__rmul__", nb_multiply, "*"),
    BINARY("__mod__", "__rmod__", nb_remainder, "%"),
    DEF("__divmod__", nb_divmod, binary,
        "($self, value, /)\n--\n\nReturn divmod(self, value)."),
    DEF("__rdivmod__", nb_divmod, reflected,
        "($self, value, /)\n--\n\nReturn divmod(value, self)."),
    DEF("__pow__", nb_power, ternary,
        "($self, value, mod=None, /)\n--\n\nReturn pow(self, value, mod)."),
    DEF("__rpow__", nb_power, ternary_reflected,
        "($self, value, mod=None, /)\n--\n\nReturn pow(value, self, mod)."),
    UNARY("__neg__", nb_negative, "-self"),
    UNARY("__pos__", nb_positive, "+self"),
    UNARY("__abs__", nb_absolute, "abs(self)"),
    DEF("__bool__", nb_bool, bool,
        "($self, /)\n--\n\nTrue if self else False"),
    UNARY("__invert__", nb_invert, "~self"),
    BINARY("__lshift__", "__rlshift__", nb_lshift, "<<"),
    BINARY("__rshift__", "__rrshift__", nb_rshift, ">>"),
    BINARY("__and__", "__rand__", nb_and, "&"),
    BINARY("__xor__", "__rxor__", nb_xor, "^"),
    BINARY("__or__", "__ror__", nb_or, "|"),
    UNARY("__int__", nb_int, "int(self)"),
    UNARY("__float__", nb_float, "float(self)"),
    INPLACE("__iadd__", nb_inplace_add, "+="),
    INPLACE("__isub__", nb_inplace_subtract, "-="),
    INPLACE("__imul__", nb_inplace_multiply, "*="),
    INPLACE("__imod__", nb_inplace_remainder, "%="),
    DEF("__ipow__", nb_inplace_power, ternary,
        "($self, value, mod=None, /)\n--\n\nReturn self**=value."),
    INPLACE("__ilshift__", nb_inplace_lshift, "<<="),
    INPLACE("__irshift__", nb_inplace_rshift, ">>="),
    INPLACE("__iand__", nb_inplace_and, "&="),
    INPLACE("__ixor__", nb_inplace_xor, "^="),
    INPLACE("__ior__", nb_inplace_or, "|="),
    BINARY("__floordiv__", "__rfloordiv__", nb_floor_divide, "//"),
    BINARY("__truediv__", "__rtruediv__", nb_true_divide, "/"),
    INPLACE("__ifloordiv__", nb_inplace_floor_divide, "//="),
    INPLACE("__itruediv__", nb_inplace_true_divide, "/="),
    UNARY("__index__", nb_index,
          "Return self converted to an integer, if self is suitable for use "
          "as an index into a list."),
    BINARY("__matmul__", "__rmatmul__", nb_matrix_multiply, "@"),
    INPLACE("__imatmul__", nb_inplace_matrix_multiply, "@="),

    WITH("__len__", mp_length, (void *)pyb_slot_length, length,
         "($self, /)\n--\n\nReturn len(self)."),
    DEF("__getitem__", mp_subscript, binary,
        "($self, key, /)\n--\n\nReturn self[key]."),
    DEF("__setitem__", mp_ass_subscript, set_key,
        "($self, key, value, /)\n--\n\nSet self[key] to value."),
    DEF("__delitem__", mp_ass_subscript, delete_key,
        "($self, key, /)\n--\n\nDelete self[key]."),

    WITH("__len__", sq_length, (void *)pyb_slot_length, length,
         "($self, /)\n--\n\nReturn len(self)."),
    WITH("__add__", sq_concat, NULL, binary,
         "($self, value, /)\n--\n\nReturn self+value."),
    WITH("__mul__", sq_repeat, NULL, repeat,
         "($self, value, /)\n--\n\nReturn self*value."),
    WITH("__rmul__", sq_repeat, NULL, repeat,
         "($self, value, /)\n--\n\nReturn value*self."),
    DEF("__getitem__", sq_item, item,
        "($self, key, /)\n--\n\nReturn self[key]."),
    DEF("__setitem__", sq_ass_item, set_item,
        "($self, key, value, /)\n--\n\nSet self[key] to value."),
    DEF("__delitem__", sq_ass_item, delete_item,
        "($self, key, /)\n--\n\nDelete self[key]."),
    DEF("__contains__", sq_contains, contains,
        "($self, key, /)\n--\n\nReturn key in self."),
    WITH("__iadd__", sq_inplace_concat, NULL, binary,
         "($self, value, /)\n--\n\nImplement self+=value."),
    WITH("__imul__", sq_inplace_repeat, NULL, repeat,
         "($self, value, /)\n--\n\nImplement self*=value."),
};

enum { ROWS = Py_ARRAY_LENGTH(table) };

/* Makes the names' strings.  They stay through Py_Finalize, as those in the
   dictionaries of static types do.  0, or -1 with an exception. */
static int
make_names(void)
{
    if (table[ROWS - 1].name_strobj != NULL)
        return 0;
    for (int i = 0; i < ROWS; i++) {
        if (table[i].name_strobj == NULL)
            table[i].name_strobj = PyUnicode_InternFromString(table[i].name);
        if (table[i].name_strobj == NULL)
            return -1;
        PyUnicode_InternImmortal(&table[i].name_strobj);
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* From slots to methods                                               */

/* The content of the slot if the type itself fills it; else NULL. */
static void *
own_content(PyTypeObject *type, int slot)
{
    void *content = PyType_GetSlot(type, slot);

    if (content == NULL || type->tp_base == NULL ||
        content != PyType_GetSlot(type->tp_base, slot))
        return content;
    return NULL;
}

static int
add_wrapper(PyTypeObject *type, struct wrapperbase *row)
{
    void *content = own_content(type, row->offset);

    if (content == NULL || row->wrapper == NULL)
        return 0;
    if (row->offset == Py_tp_hash &&
        type->tp_hash == PyObject_HashNotImplemented)
        return 0; /* PyType_Ready makes that None */
    int found = PyDict_Contains(type->tp_dict, row->name_strobj);
    if (found != 0)
        return found < 0 ? -1 : 0;
    PyObject *wrapper = PyDescr_NewWrapper(type, row, content);
    if (wrapper == NULL)
        return -1;
    int result = PyDict_SetItem(type->tp_dict, row->name_strobj, wrapper);
    pyb_typedata_untrack(type, wrapper);
    Py_DECREF(wrapper);
    return result;
}

/* __new__ is there if tp_new is. */
static int
add_new(PyTypeObject *type)
{
    if (own_content(type, Py_tp_new) == NULL ||
        PyType_HasFeature(type, Py_TPFLAGS_DISALLOW_INSTANTIATION))
        return 0;
    int found = PyDict_ContainsString(type->tp_dict, "__new__");
    if (found != 0)
        return found < 0 ? -1 : 0;
    PyObject *method = pyb_slot_new(type);
    if (method == NULL)
        return -1;
    int result = PyDict_SetItemString(type->tp_dict, "__new__", method);
    Py_DECREF(method);
    return result;
}

int
pyb_slotdefs_add_wrappers(PyTypeObject *type)
{
    PYB_ASSERT(PyDict_Check(type->tp_dict));
    if (make_names() < 0)
        return -1;
    for (int i = 0; i < ROWS; i++)
        if (add_wrapper(type, &table[i]) < 0)
            return -1;
    return add_new(type);
}

/* ------------------------------------------------------------------ */
/* From methods to slots                                               */

/* What the methods found so far make of one slot. */
struct choice {
    void *own;     /* the function in the wrappers; NULL: none */
    void *general; /* the function that calls methods */
    int calls;     /* is there a method that own does not cover? */
};

/* The only slot of that name which the type has filled; 0 if it is not the
   only one, or there is none. */
static int
only_slot(PyTypeObject *type, const char *name)
{
    int only = 0;

    for (int i = 0; i < ROWS; i++) {
        if (strcmp(table[i].name, name) != 0 ||
            PyType_GetSlot(type, table[i].offset) == NULL)
            continue;
        if (only != 0)
            return 0;
        only = table[i].offset;
    }
    return only;
}

/* Does the one wrapper call a function as the other's slot has it?  Those of
   nb_add get the operands of __radd__ as well, those of sq_concat only a
   sequence as the first. */
static int
same_kind(const struct wrapperbase *a, const struct wrapperbase *b)
{
    return a->wrapper == b->wrapper &&
           (a->offset == Py_sq_concat) == (b->offset == Py_sq_concat);
}

/* Takes a wrapper of that name into account.  Its function is right for the
   slot if the wrapper is of the slot's kind and of a base. */
static void
choose_wrapper(PyTypeObject *type, const struct wrapperbase *row,
               PyWrapperDescrObject *found, struct choice *choice)
{
    int only = only_slot(type, row->name);

    if (only == 0 || only == row->offset)
        choice->general = row->function;
    if ((choice->own == NULL || choice->own == found->d_wrapped) &&
        same_kind(found->d_base, row) &&
        PyType_IsSubtype(type, PyDescr_TYPE(found)))
        choice->own = found->d_wrapped;
    else
        choice->calls = 1;
}

/* Is it a method of a base's by the same function as the base's slot?  A call
   of the method is a call of the slot then. */
static int
is_slot(PyTypeObject *type, const struct wrapperbase *row, PyObject *found)
{
    if (!Py_IS_TYPE(found, &PyMethodDescr_Type))
        return 0;
    const PyMethodDef *method = ((PyMethodDescrObject *)found)->d_method;
    return method->ml_flags == (METH_O | METH_COEXIST) &&
           PyType_IsSubtype(type, PyDescr_TYPE(found)) &&
           (void *)method->ml_meth ==
               PyType_GetSlot(PyDescr_TYPE(found), row->offset);
}

/* Takes what stands under the row's name into account. */
static void
choose(PyTypeObject *type, const struct wrapperbase *row, PyObject *found,
       struct choice *choice)
{
    if (Py_IS_TYPE(found, &PyWrapperDescr_Type) &&
        strcmp(((PyWrapperDescrObject *)found)->d_base->name, row->name) ==
            0) {
        choose_wrapper(type, row, (PyWrapperDescrObject *)found, choice);
    } else if (row->offset == Py_tp_new && pyb_slot_is_new(found)) {
        choice->own = (void *)type->tp_new;
    } else if (row->offset == Py_tp_hash && found == Py_None) {
        choice->own = (void *)PyObject_HashNotImplemented;
    } else if (choice->own == NULL && is_slot(type, row, found)) {
        choice->own =
            (void *)((PyMethodDescrObject *)found)->d_method->ml_meth;
        choice->general = row->function;
    } else {
        choice->calls = 1;
        choice->general = row->function;
    }
}

/* Has the type the older kind of the slot, which takes a C string?  Then
   object's function for the newer kind would hide it. */
static int
has_old_kind(PyTypeObject *type, int slot)
{
    return (slot == Py_tp_getattro && type->tp_getattr != NULL) ||
           (slot == Py_tp_setattro && type->tp_setattr != NULL);
}

/* Sets one slot; i is the number of its first row.  Returns that of the next
   slot's. */
static int
fill_slot(PyTypeObject *type, int i)
{
    struct choice choice = {NULL, NULL, 0};
    int slot = table[i].offset;

    for (; i < ROWS && table[i].offset == slot; i++) {
        PyObject *found = _PyType_Lookup(type, table[i].name_strobj);
        if (found != NULL)
            choose(type, &table[i], found, &choice);
    }
    if (!choice.calls && has_old_kind(type, slot))
        return i;
    pyb_slots_set(type, slot,
                  choice.own != NULL && !choice.calls ? choice.own
                                                      : choice.general);
    return i;
}

/* A call by tp_vectorcall_offset passes a method __call__ by. */
static void
settle_call(PyTypeObject *type)
{
    if (type->tp_call == pyb_slot_tp_call)
        type->tp_flags &= ~Py_TPFLAGS_HAVE_VECTORCALL;
}

int
pyb_slotdefs_fill(PyTypeObject *type)
{
    if (make_names() < 0)
        return -1;
    for (int i = 0; i < ROWS;)
        i = fill_slot(type, i);
    settle_call(type);
    return 0;
}

/* Sets the slots of the type and of its subclasses that the name means. */
static void
update(PyTypeObject *type, void *name)
{
    int done = 0; /* the slot that was set last */

    for (int i = 0; i < ROWS; i++) {
        if (table[i].offset == done || strcmp(table[i].name, name) != 0)
            continue;
        done = table[i].offset;
        int first = i;
        while (first > 0 && table[first - 1].offset == done)
            first--;
        fill_slot(type, first);
    }
    settle_call(type);
    pyb_subclasses_each(type, update, name);
}

int
pyb_slotdefs_update(PyTypeObject *type, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);

    if (text == NULL || make_names() < 0)
        return -1;
    if (strncmp(text, "__", 2) == 0)
        update(type, (void *)text);
    return 0;
}
