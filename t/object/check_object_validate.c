/* check_object_validate.c: each function that is fatal where a type, a module,
   a weak reference ... contradicts itself is seen to be, and has nothing to
   say of one that is in order. */

#include "../support/suite.h"

#include "gc/base/fatal.h"
#include "object/attr/inlinevalues.h"
#include "object/module/module.h"
#include "object/type/subclasses.h"
#include "object/type/typedata.h"
#include "object/weakref/weakref.h"
#include "runtime/threadstate.h"

/* ------------------------------------------------------------------ */
/* What is broken, in a process of its own                             */

/* A class, and one that inherits from it. */
static PyTypeObject *
some_type(void)
{
    PyObject *base = suite_class("s(){}", "Base"),
             *type = suite_class("s(O){}", "Type", base);

    return type != NULL ? (PyTypeObject *)base : NULL;
}

/* An object with a weak reference and a proxy, both without callbacks. */
static PyObject *
some_referent(void)
{
    PyObject *op = PySet_New(NULL);

    PyWeakref_NewRef(op, NULL);
    PyWeakref_NewProxy(op, NULL);
    return op;
}

static PyWeakReference *
first_reference(PyObject *op)
{
    return (PyWeakReference *)~(uintptr_t)*pyb_weakref_list_ptr(op);
}

/* A module with a definition. */
static PyObject *
some_module(void)
{
    static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "some"};

    return PyModule_Create(&def);
}

/* ------------------------------------------------------------------ */
/* Types                                                               */

static void
type_order(void)
{
    PyTypeObject *type = some_type();

    type->tp_mro = Py_BuildValue("(OO)", type, Py_None);
    pyb_type_check(type);
}

static void
type_base(void)
{
    PyTypeObject *type = some_type();

    type->tp_base = &PyLong_Type;
    pyb_type_check(type);
}

static void
type_size(void)
{
    PyTypeObject *type = some_type();

    type->tp_basicsize = 8;
    pyb_type_check(type);
}

static void
type_flags(void)
{
    PyTypeObject *type = some_type();

    type->tp_flags |= Py_TPFLAGS_HAVE_GC;
    type->tp_traverse = NULL;
    pyb_type_check(type);
}

static void
type_ready(void)
{
    PyTypeObject *type = some_type();

    type->tp_flags &= ~Py_TPFLAGS_READY;
    pyb_type_check(type);
}

static void
type_dict(void)
{
    PyTypeObject *type = some_type();

    type->tp_dict = NULL;
    pyb_type_check(type);
}

static void
type_no_order(void)
{
    PyTypeObject *type = some_type();

    type->tp_mro = NULL;
    pyb_type_check(type);
}

static void
type_no_base(void)
{
    PyTypeObject *type = some_type();

    type->tp_base = NULL;
    pyb_type_check(type);
}

static void
type_itemsize(void)
{
    PyTypeObject *type = some_type();

    type->tp_itemsize = -1;
    pyb_type_check(type);
}

static void
type_dictoffset(void)
{
    PyTypeObject *type = some_type();

    type->tp_flags |= Py_TPFLAGS_MANAGED_DICT;
    type->tp_dictoffset = 16;
    pyb_type_check(type);
}

static void
type_weaklistoffset(void)
{
    PyTypeObject *type = some_type();

    type->tp_flags |= Py_TPFLAGS_MANAGED_WEAKREF;
    type->tp_weaklistoffset = 16;
    pyb_type_check(type);
}

/* The list begins with these; behind them are the types. */
struct counts {
    size_t n, holes, room;
};

static struct counts *
counts(PyTypeObject *type)
{
    return (struct counts *)type->tp_subclasses;
}

static void
subclasses_none(void)
{
    PyTypeObject *type = some_type();

    counts(type)->n++;
    pyb_subclasses_check(type);
}

static void
subclasses_many(void)
{
    PyTypeObject *type = some_type();

    counts(type)->n = counts(type)->room + 1;
    pyb_subclasses_check(type);
}

static void
subclasses_room(void)
{
    PyTypeObject *type = some_type();

    counts(type)->room--;
    pyb_subclasses_check(type);
}

/* Nothing is left in the table behind the types. */
static void
subclasses_lost(void)
{
    PyTypeObject *type = some_type();
    struct counts *list = counts(type);

    memset((PyTypeObject **)(list + 1) + list->room, 0,
           2 * list->room * sizeof(uint32_t));
    pyb_subclasses_check(type);
}

static void
subclasses_hole(void)
{
    PyTypeObject *type = some_type();

    counts(type)->holes = 1;
    pyb_subclasses_check(type);
}

/* ------------------------------------------------------------------ */
/* Inline values                                                       */

/* An instance with two attributes, and room for them. */
static PyObject *
some_instance(void)
{
    PyObject *type = suite_class("s(){}", "Plain");
    PyObject *op = NULL;

    for (int i = 0; i < 2; i++) { /* the second one: the class has learned */
        op = PyObject_CallNoArgs(type);
        PyObject_SetAttrString(op, "a", Py_None);
        PyObject_SetAttrString(op, "b", Py_None);
    }
    return op;
}

/* The word with other bits. */
static void
inline_word(uintptr_t bits)
{
    PyObject *op = some_instance();

    pyb_inline_check(
        op, (PyObject *)((uintptr_t)*pyb_heap_managed_dict(op) ^ bits));
}

static void
inline_room(void)
{
    inline_word(1 << 5);
}

static void
inline_twice(void)
{
    inline_word(1 << 8);
}

static void
inline_older(void)
{
    inline_word((uintptr_t)1 << 20);
}

static void
inline_missing(void)
{
    PyObject *op = some_instance();

    pyb_inline_values(op)[0] = NULL;
    pyb_inline_check(op, *pyb_heap_managed_dict(op));
}

/* ------------------------------------------------------------------ */
/* Weak references                                                     */

static void
weakref_link(void)
{
    PyObject *op = some_referent();

    first_reference(op)->wr_hidden_prev = 1;
    pyb_weakref_check(op);
}

static void
weakref_referent(void)
{
    PyObject *op = some_referent();

    first_reference(op)->wr_hidden = 0;
    pyb_weakref_check(op);
}

static void
weakref_order(void)
{
    PyObject *op = some_referent();

    first_reference(op)->wr_callback = Py_NewRef(Py_None);
    pyb_weakref_check(op);
}

static void
weakref_plain(void)
{
    pyb_weakref_check(PyLong_FromLong(1000));
}

static void
weakref_type(void)
{
    PyObject *op = some_referent();

    *pyb_weakref_list_ptr(op) = (PyObject *)~(uintptr_t)&PyType_Type;
    pyb_weakref_check(op);
}

/* ------------------------------------------------------------------ */
/* Modules and thread states                                           */

static void
module_dict(void)
{
    PyObject *op = some_module();

    PYB_MODULE(op)->dict = Py_None;
    pyb_module_check(op);
}

static void
module_token(void)
{
    PyObject *op = some_module();

    PYB_MODULE(op)->token = NULL;
    pyb_module_check(op);
}

static void
module_exec(void)
{
    PyObject *op = some_module();

    PYB_MODULE(op)->exec = PyModule_Exec;
    pyb_module_check(op);
}

static void
module_name(void)
{
    PyObject *op = some_module();

    PYB_MODULE(op)->name = Py_None;
    pyb_module_check(op);
}

static void
threadstate_link(void)
{
    PyThreadState_New(PyInterpreterState_Get())->next->link = NULL;
    pyb_threadstate_check();
}

static void
threadstate_number(void)
{
    PyThreadState_New(PyInterpreterState_Get())->id = 1000;
    pyb_threadstate_check();
}

/* ------------------------------------------------------------------ */

static const struct {
    void (*break_it)(void);
    const char *said;
} breaks[] = {
    {type_order, "one of its bases is no type"},
    {type_base, "its base is not one of its bases"},
    {type_size, "pyb_type_check: type type: its instances are smaller"},
    {type_flags, "pyb_type_check: type type: its instances cannot be"},
    {type_ready, "pyb_type_check: type type: it is not ready"},
    {type_dict, "pyb_type_check: type type: it has no dictionary"},
    {type_no_order, "it has no bases or no order of them"},
    {type_no_base, "pyb_type_check: type type: it has no base"},
    {type_itemsize, "its instances have no room for a header"},
    {type_dictoffset, "its managed dictionary has an offset"},
    {type_weaklistoffset, "its managed weak list has an offset"},
    {subclasses_none, "it has not as many subclasses as were counted"},
    {subclasses_many, "it has more subclasses than room"},
    {subclasses_room, "its list of subclasses has no such room"},
    {subclasses_lost, "a subclass is not found"},
    {subclasses_hole, "it has not as many subclasses as were counted"},
    {inline_room, "there is room for more values than a class has names"},
    {inline_twice, "a value is set twice, or has no room"},
    {inline_older, "a value is set, and an older one is not"},
    {inline_missing, "the word does not say which values are set"},
    {weakref_link, "its list of weak references is broken"},
    {weakref_referent, "it has another one's weak reference in its list"},
    {weakref_order, "a shared weak reference is not at the head"},
    {weakref_plain, "it can have no weak references"},
    {weakref_type, "its list of weak references has another object"},
    {module_dict, "a module's dictionary is none"},
    {module_token, "a module has no definition"},
    {module_exec, "a module with a definition has an exec slot of its own"},
    {module_name, "a module's name is no str"},
    {threadstate_link, "the list of thread states is broken"},
    {threadstate_number, "a thread state has no number"},
};

START_TEST(what_contradicts_itself_is_fatal)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(breaks); i++)
        suite_fatal(breaks[i].break_it, breaks[i].said, NULL);
}

START_TEST(what_is_in_order_is_not)
{
    pyb_type_check(some_type());
    pyb_type_check(&PyBaseObject_Type);
    pyb_type_check(&PyType_Type);
    pyb_type_check(&PyBool_Type);
    pyb_subclasses_check(&PyBaseObject_Type);
    PyObject *instance = some_instance();
    pyb_inline_check(instance, *pyb_heap_managed_dict(instance));
    pyb_weakref_check(some_referent());
    pyb_module_check(some_module());
    pyb_threadstate_check();
}

/* Of two free blocks the one that was freed last refers to the other. */
static void
use_the_dead(void)
{
    PyObject *one = PyTuple_New(100), *other = PyTuple_New(100);

    Py_DECREF(other);
    Py_DECREF(one);
    PyObject_Hash(one);
}

START_TEST(a_dead_object_has_no_type)
{
    if (!pyb_checks) /* which tell which object it was */
        suite_fatal(use_the_dead,
                    "PyType_Ready: an object is used that was freed", NULL);
}
