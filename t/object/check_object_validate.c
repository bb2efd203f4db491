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
/* What is in order                                                    */

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

/* The list begins with these; behind them are the types. */
struct counts {
    size_t n, holes, room;
};

static struct counts *
counts(PyTypeObject *type)
{
    return (struct counts *)type->tp_subclasses;
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

/* ------------------------------------------------------------------ */
/* Each is broken in a process of its own                              */

START_TEST(types_that_contradict_themselves_are_fatal)
{
    PyTypeObject *type = some_type();

    SUITE_FATAL((type->tp_mro = Py_BuildValue("(OO)", type, Py_None),
                 pyb_type_check(type)),
                "one of its bases is no type");
    SUITE_FATAL((type->tp_base = &PyLong_Type, pyb_type_check(type)),
                "its base is not one of its bases");
    SUITE_FATAL((type->tp_basicsize = 8, pyb_type_check(type)),
                "pyb_type_check: type type: its instances are smaller");
    SUITE_FATAL((type->tp_flags |= Py_TPFLAGS_HAVE_GC,
                 type->tp_traverse = NULL, pyb_type_check(type)),
                "pyb_type_check: type type: its instances cannot be");
    SUITE_FATAL((type->tp_flags &= ~Py_TPFLAGS_READY, pyb_type_check(type)),
                "pyb_type_check: type type: it is not ready");
    SUITE_FATAL((type->tp_dict = NULL, pyb_type_check(type)),
                "pyb_type_check: type type: it has no dictionary");
    SUITE_FATAL((type->tp_mro = NULL, pyb_type_check(type)),
                "it has no bases or no order of them");
    SUITE_FATAL((type->tp_base = NULL, pyb_type_check(type)),
                "pyb_type_check: type type: it has no base");
    SUITE_FATAL((type->tp_itemsize = -1, pyb_type_check(type)),
                "its instances have no room for a header");
    SUITE_FATAL((type->tp_flags |= Py_TPFLAGS_MANAGED_DICT,
                 type->tp_dictoffset = 16, pyb_type_check(type)),
                "its managed dictionary has an offset");
    SUITE_FATAL((type->tp_flags |= Py_TPFLAGS_MANAGED_WEAKREF,
                 type->tp_weaklistoffset = 16, pyb_type_check(type)),
                "its managed weak list has an offset");
    SUITE_FATAL((counts(type)->n++, pyb_subclasses_check(type)),
                "it has not as many subclasses as were counted");
    SUITE_FATAL(
        (counts(type)->n = counts(type)->room + 1, pyb_subclasses_check(type)),
        "it has more subclasses than room");
    SUITE_FATAL((counts(type)->room--, pyb_subclasses_check(type)),
                "its list of subclasses has no such room");
    SUITE_FATAL((counts(type)->holes = 1, pyb_subclasses_check(type)),
                "it has not as many subclasses as were counted");
    SUITE_FATAL(subclasses_lost(), "a subclass is not found");
}

START_TEST(inline_values_that_contradict_themselves_are_fatal)
{
    PyObject *op = some_instance();

    SUITE_FATAL((pyb_inline_values(op)[0] = NULL,
                 pyb_inline_check(op, *pyb_heap_managed_dict(op))),
                "the word does not say which values are set");
    SUITE_FATAL(inline_word(1 << 5),
                "there is room for more values than a class has names");
    SUITE_FATAL(inline_word(1 << 8), "a value is set twice, or has no room");
    SUITE_FATAL(inline_word((uintptr_t)1 << 20),
                "a value is set, and an older one is not");
}

START_TEST(weak_references_that_contradict_themselves_are_fatal)
{
    PyObject *op = some_referent();

    SUITE_FATAL(
        (first_reference(op)->wr_hidden_prev = 1, pyb_weakref_check(op)),
        "its list of weak references is broken");
    SUITE_FATAL((first_reference(op)->wr_hidden = 0, pyb_weakref_check(op)),
                "it has another one's weak reference in its list");
    SUITE_FATAL((first_reference(op)->wr_callback = Py_NewRef(Py_None),
                 pyb_weakref_check(op)),
                "a shared weak reference is not at the head");
    SUITE_FATAL(
        (*pyb_weakref_list_ptr(op) = (PyObject *)~(uintptr_t)&PyType_Type,
         pyb_weakref_check(op)),
        "its list of weak references has another object");
    SUITE_FATAL(pyb_weakref_check(PyLong_FromLong(1000)),
                "it can have no weak references");
}

START_TEST(modules_that_contradict_themselves_are_fatal)
{
    PyObject *op = some_module();

    SUITE_FATAL((PYB_MODULE(op)->dict = Py_None, pyb_module_check(op)),
                "a module's dictionary is none");
    SUITE_FATAL((PYB_MODULE(op)->token = NULL, pyb_module_check(op)),
                "a module has no definition");
    SUITE_FATAL((PYB_MODULE(op)->exec = PyModule_Exec, pyb_module_check(op)),
                "a module with a definition has an exec slot of its own");
    SUITE_FATAL((PYB_MODULE(op)->name = Py_None, pyb_module_check(op)),
                "a module's name is no str");
}

START_TEST(thread_states_that_contradict_themselves_are_fatal)
{
    SUITE_FATAL(
        (PyThreadState_New(PyInterpreterState_Get())->next->link = NULL,
         pyb_threadstate_check()),
        "the list of thread states is broken");
    SUITE_FATAL((PyThreadState_New(PyInterpreterState_Get())->id = 1000,
                 pyb_threadstate_check()),
                "a thread state has no number");
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
        SUITE_FATAL(use_the_dead(),
                    "PyType_Ready: an object is used that was freed");
}
