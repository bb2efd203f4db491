/* check_weakref.c: weak references, proxies, their callbacks, and what the
   collector does with them. */

#include <pyboehm.h>

#include "../support/suite.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ */
/* A container that can be referred to weakly                          */

typedef struct {
    PyObject_HEAD
    PyObject *member;
    PyObject *weaklist;
    long value;
} Node;

static int
node_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((Node *)op)->member);
    return 0;
}

static int
node_clear(PyObject *op)
{
    Py_CLEAR(((Node *)op)->member);
    return 0;
}

static void
node_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (((Node *)op)->weaklist != NULL)
        PyObject_ClearWeakRefs(op);
    node_clear(op);
    PyObject_GC_Del(op);
}

static Py_hash_t
node_hash(PyObject *op)
{
    return ((Node *)op)->value;
}

/* Nodes are equal if their values are. */
static PyObject *
node_richcompare(PyObject *a, PyObject *b, int op)
{
    if (Py_TYPE(a) != Py_TYPE(b) || (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    int equal = ((Node *)a)->value == ((Node *)b)->value;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *
node_str(PyObject *op)
{
    return PyUnicode_FromFormat("node %ld", ((Node *)op)->value);
}

/* node + int, and int + node. */
static PyObject *
node_add(PyObject *a, PyObject *b)
{
    int a_is_node = strcmp(Py_TYPE(a)->tp_name, "Node") == 0;
    PyObject *node = a_is_node ? a : b, *number = a_is_node ? b : a;

    return PyLong_FromLong(((Node *)node)->value + PyLong_AsLong(number));
}

static Py_ssize_t
node_length(PyObject *op)
{
    return ((Node *)op)->value;
}

static PyNumberMethods node_as_number = {
    .nb_add = node_add,
};

static PyMappingMethods node_as_mapping = {
    .mp_length = node_length,
};

static PyTypeObject Node_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Node",
    .tp_basicsize = sizeof(Node),
    .tp_dealloc = node_dealloc,
    .tp_as_number = &node_as_number,
    .tp_as_mapping = &node_as_mapping,
    .tp_hash = node_hash,
    .tp_str = node_str,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = node_traverse,
    .tp_clear = node_clear,
    .tp_richcompare = node_richcompare,
    .tp_weaklistoffset = offsetof(Node, weaklist),
};

static PyObject *
new_node(long value)
{
    ck_assert_int_eq(PyType_Ready(&Node_Type), 0);
    Node *self = suite_require(PyObject_GC_New(Node, &Node_Type));
    self->member = NULL;
    self->weaklist = NULL;
    self->value = value;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

/* Stores a reference of its own. */
static void
set_member(PyObject *node, PyObject *member)
{
    Py_XSETREF(((Node *)node)->member, Py_NewRef(member));
}

/* ------------------------------------------------------------------ */
/* Callbacks                                                           */

/* What the callbacks were called with: the arguments' `self', a string. */
static char calls[100];
static PyObject *called_with;

static PyObject *
note_call(PyObject *self, PyObject *ref)
{
    strcat(calls, PyUnicode_AsUTF8(self));
    called_with = ref;
    if (!PyWeakref_Check(ref) || PyWeakref_GetObject(ref) != Py_None)
        strcat(calls, "!");
    Py_RETURN_NONE;
}

static PyObject *
raise(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ref))
{
    PyErr_SetString(PyExc_KeyError, "in a callback");
    return NULL;
}

static PyMethodDef note_def = {"note", note_call, METH_O, NULL};
static PyMethodDef raise_def = {"raise", raise, METH_O, NULL};

/* A callback that appends that letter to calls. */
static PyObject *
new_callback(const char *letter)
{
    PyObject *self = PyUnicode_FromString(letter);
    PyObject *callback = suite_require(PyCFunction_New(&note_def, self));
    Py_DECREF(self);
    return callback;
}

/* A weak reference with such a callback. */
static PyObject *
new_ref(PyObject *op, const char *letter)
{
    PyObject *callback = new_callback(letter);
    PyObject *ref = suite_require(PyWeakref_NewRef(op, callback));
    Py_DECREF(callback);
    return ref;
}

/* ------------------------------------------------------------------ */
/* References                                                          */

START_TEST(a_reference_does_not_own)
{
    PyObject *node = new_node(1), *ref = PyWeakref_NewRef(node, NULL), *got;

    ck_assert_int_eq(Py_REFCNT(node), 1);
    ck_assert(PyWeakref_CheckRef(ref) && PyWeakref_CheckRefExact(ref));
    ck_assert(PyWeakref_Check(ref) && !PyWeakref_CheckProxy(ref));
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), node);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &got), 1);
    ck_assert_ptr_eq(got, node);
    ck_assert_int_eq(Py_REFCNT(node), 2);
    Py_DECREF(got);
    ck_assert_int_eq(PyWeakref_IsDead(ref), 0);

    Py_DECREF(node);
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
    ck_assert_int_eq(PyWeakref_GetRef(ref, &got), 0);
    ck_assert_ptr_null(got);
    ck_assert_int_eq(PyWeakref_IsDead(ref), 1);
    ck_assert_int_eq(Py_REFCNT(ref), 1);
    Py_DECREF(ref);
}

/* How much garbage a class in a cycle is, with a weak reference to it, or
   without. */
static Py_ssize_t
class_in_a_cycle(int weakly)
{
    PyObject *list = PyList_New(0);
    PyObject *class = suite_class("s(){}", "C");

    ck_assert_int_eq(PyObject_SetAttrString(class, "list", list), 0);
    ck_assert_int_eq(PyList_Append(list, class), 0);
    if (weakly) {
        PyObject *reference = PyWeakref_NewRef(class, NULL);
        ck_assert_int_eq(PyList_Append(list, reference), 0);
        Py_DECREF(reference);
    }
    suite_drop(list, class);
    return PyBoehm_GC_Collect(2);
}

/* In CPython the class's base owns the reference: the two are the same. */
START_TEST(a_reference_to_a_class_is_garbage_with_it)
{
    PyGC_Disable();
    PyBoehm_GC_Collect(2);
    ck_assert_int_eq(class_in_a_cycle(1), class_in_a_cycle(0) + 1);
}

START_TEST(references_without_callback_are_shared)
{
    PyObject *node = new_node(1);
    PyObject *a = PyWeakref_NewRef(node, NULL);
    PyObject *b = PyWeakref_NewRef(node, Py_None);
    PyObject *p = PyWeakref_NewProxy(node, NULL);
    PyObject *q = PyWeakref_NewProxy(node, NULL);
    PyObject *c = new_ref(node, "c"), *d = new_ref(node, "d");

    ck_assert_ptr_eq(a, b);
    ck_assert_int_eq(Py_REFCNT(a), 2);
    ck_assert_ptr_eq(p, q);
    ck_assert_ptr_ne(a, p);
    ck_assert_ptr_ne(c, d);
    Py_DECREF(b);
    b = PyWeakref_NewRef(node, NULL);
    ck_assert_ptr_eq(a, b);
    suite_drop(a, b, p, q, c, d);
    ck_assert_ptr_null(((Node *)node)->weaklist);
    Py_DECREF(node);
    ck_assert_str_eq(calls, "");
}

START_TEST(types_without_weak_list_are_refused)
{
    PyObject *number = PyLong_FromLong(5);

    suite_refused(PyWeakref_NewRef(number, NULL), PyExc_TypeError,
                  "cannot create weak reference to 'int' object");
    suite_refused(PyWeakref_NewProxy(number, NULL), PyExc_TypeError,
                  "cannot create weak reference to 'int' object");
    ck_assert(!PyType_SUPPORTS_WEAKREFS(&PyLong_Type));
    ck_assert(PyType_SUPPORTS_WEAKREFS(&PyType_Type));
    Py_DECREF(number);
}

START_TEST(other_objects_are_no_references)
{
    PyObject *number = PyLong_FromLong(5), *got = number;

    ck_assert_int_eq(PyWeakref_Check(number), 0);
    suite_refused(PyWeakref_GetObject(number), PyExc_SystemError, NULL);
    suite_failed(PyWeakref_GetRef(number, &got), PyExc_TypeError,
                 "expected a weakref");
    ck_assert_ptr_null(got);
    suite_failed(PyWeakref_IsDead(number), PyExc_TypeError,
                 "expected a weakref, got int");
    suite_failed(PyWeakref_IsDead(NULL), PyExc_SystemError, NULL);
    Py_DECREF(number);
}

START_TEST(a_call_gives_the_referent)
{
    PyObject *node = new_node(1), *ref = PyWeakref_NewRef(node, NULL);
    PyObject *got = PyObject_CallNoArgs(ref);

    ck_assert_ptr_eq(got, node);
    Py_DECREF(got);
    suite_refused(PyObject_CallOneArg(ref, node), PyExc_TypeError,
                  "weakref expected 0 arguments, got 1");
    Py_DECREF(node);
    got = PyObject_CallNoArgs(ref);
    ck_assert_ptr_eq(got, Py_None);
    suite_drop(got, ref);
}

START_TEST(references_hash_and_compare_as_their_referents)
{
    PyObject *a = new_node(7), *b = new_node(7), *c = new_node(8);
    PyObject *ra = PyWeakref_NewRef(a, NULL), *rb = PyWeakref_NewRef(b, NULL);
    PyObject *rc = PyWeakref_NewRef(c, NULL), *other = new_ref(a, "x");

    ck_assert_int_eq(PyObject_Hash(ra), 7);
    ck_assert_int_eq(PyObject_RichCompareBool(ra, rb, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(ra, rb, Py_NE), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(ra, rc, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(ra, rc, Py_NE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(ra, other, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(ra, a, Py_EQ), 0);
    suite_refused(PyObject_RichCompare(ra, rb, Py_LT), PyExc_TypeError, NULL);

    suite_drop(a, c);
    ck_assert_int_eq(PyObject_Hash(ra), 7);
    suite_failed(PyObject_Hash(rc), PyExc_TypeError,
                 "weak object has gone away");
    ck_assert_int_eq(PyObject_RichCompareBool(ra, ra, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(ra, other, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(ra, rb, Py_NE), 1);
    suite_drop(ra, rb, rc, other, b);
}

START_TEST(repr_tells_dead_from_alive)
{
    PyObject *node = new_node(1), *ref = PyWeakref_NewRef(node, NULL);
    char text[100];

    snprintf(text, sizeof(text), "<weakref at %p; to 'Node' at %p>",
             (void *)ref, (void *)node);
    suite_repr(ref, text);
    Py_DECREF(node);
    snprintf(text, sizeof(text), "<weakref at %p; dead>", (void *)ref);
    suite_new_repr(ref, text);
}

START_TEST(the_type_can_be_called)
{
    PyObject *type = (PyObject *)&_PyWeakref_RefType, *node = new_node(1);
    PyObject *callback = new_callback("x");
    PyObject *a = PyObject_CallOneArg(type, node);
    PyObject *b = PyObject_CallFunctionObjArgs(type, node, callback, NULL);
    PyObject *got = PyObject_GetAttrString(b, "__callback__");

    ck_assert_ptr_eq(PyWeakref_GetObject(a), node);
    ck_assert_ptr_eq(PyWeakref_GetObject(b), node);
    ck_assert_ptr_eq(got, callback);
    Py_DECREF(got);
    got = PyObject_GetAttrString(a, "__callback__");
    ck_assert_ptr_eq(got, Py_None);
    Py_DECREF(got);
    suite_refused(PyObject_CallNoArgs(type), PyExc_TypeError,
                  "__new__ expected at least 1 argument, got 0");
    suite_drop(callback, node);
    ck_assert_str_eq(calls, "x");
    got = PyObject_GetAttrString(b, "__callback__");
    ck_assert_ptr_eq(got, Py_None);
    suite_drop(got, a, b);
}

START_TEST(subtypes_are_not_shared)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"Ref", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type =
        PyType_FromSpecWithBases(&spec, (PyObject *)&_PyWeakref_RefType);
    ck_assert_ptr_nonnull(type);
    PyObject *node = new_node(1), *plain = PyWeakref_NewRef(node, NULL);
    PyObject *a = PyObject_CallOneArg(type, node);
    PyObject *b = PyObject_CallOneArg(type, node);

    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_ne(a, b);
    ck_assert_ptr_ne(a, plain);
    ck_assert(PyWeakref_CheckRef(a) && !PyWeakref_CheckRefExact(a));
    ck_assert_ptr_eq(PyWeakref_GetObject(a), node);
    suite_drop(a, node);
    ck_assert_ptr_eq(PyWeakref_GetObject(b), Py_None);
    suite_drop(b, plain, type);
}

/* A reference with a member of its own, as those of weak dictionaries. */
struct keyed {
    PyWeakReference ref;
    PyObject *key;
};

static int
keyed_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct keyed *)op)->key);
    return _PyWeakref_RefType.tp_traverse(op, visit, arg);
}

static int
keyed_clear(PyObject *op)
{
    Py_CLEAR(((struct keyed *)op)->key);
    return _PyWeakref_RefType.tp_clear(op);
}

static void
keyed_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_CLEAR(((struct keyed *)op)->key);
    _PyWeakref_RefType.tp_dealloc(op);
}

static PyTypeObject keyed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Keyed",
    .tp_basicsize = sizeof(struct keyed),
    .tp_base = &_PyWeakref_RefType,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = keyed_traverse,
    .tp_clear = keyed_clear,
    .tp_dealloc = keyed_dealloc,
};

/* Takes the key out of the dictionary self. */
static PyObject *
forget_key(PyObject *self, PyObject *ref)
{
    ck_assert_int_eq(PyDict_DelItem(self, ((struct keyed *)ref)->key), 0);
    Py_RETURN_NONE;
}

START_TEST(c_types_extend_references)
{
    static PyMethodDef forget_def = {"forget_key", forget_key, METH_O, NULL};
    PyObject *dict = PyDict_New(), *key = PyUnicode_FromString("key");
    PyObject *callback = PyCFunction_New(&forget_def, dict);
    PyObject *node = new_node(1);

    ck_assert_int_eq(PyType_Ready(&keyed_type), 0);
    struct keyed *ref =
        suite_require((struct keyed *)PyObject_CallFunctionObjArgs(
            (PyObject *)&keyed_type, node, callback, NULL));
    ref->key = Py_NewRef(key);
    ck_assert_int_eq(PyDict_SetItem(dict, key, (PyObject *)ref), 0);
    Py_DECREF(ref);
    Py_DECREF(node); /* the callback takes ref out of the dictionary */
    ck_assert_int_eq(PyDict_GET_SIZE(dict), 0);
    suite_drop(callback, dict, key);

    /* A cycle through the member. */
    PyObject *list = PyList_New(0);
    node = new_node(2);
    ref = (struct keyed *)PyObject_CallOneArg((PyObject *)&keyed_type, node);
    ref->key = list;
    PyList_Append(list, (PyObject *)ref);
    Py_DECREF(ref);
    ck_assert_int_eq(PyGC_Collect(), 2);
    Py_DECREF(node);
}

START_TEST(references_can_be_made_to_types_and_functions)
{
    PyObject *function = new_callback("f");
    PyObject *a = PyWeakref_NewRef((PyObject *)&PyList_Type, NULL);
    PyObject *b = PyWeakref_NewRef(function, NULL);

    ck_assert_ptr_eq(PyWeakref_GetObject(a), (PyObject *)&PyList_Type);
    ck_assert_ptr_eq(PyWeakref_GetObject(b), function);
    Py_DECREF(function);
    ck_assert_ptr_eq(PyWeakref_GetObject(b), Py_None);
    suite_drop(a, b);
}

/* ------------------------------------------------------------------ */
/* Callbacks                                                           */

START_TEST(callbacks_run_from_the_youngest_on)
{
    PyObject *node = new_node(1), *plain = PyWeakref_NewRef(node, NULL);
    PyObject *a = new_ref(node, "a"), *b = new_ref(node, "b");
    PyObject *c = new_ref(node, "c");

    Py_DECREF(b); /* with the reference goes its callback */
    Py_DECREF(node);
    ck_assert_str_eq(calls, "ca");
    ck_assert_ptr_eq(called_with, a);
    ck_assert_int_eq(Py_REFCNT(a), 1);
    suite_drop(a, c, plain);
}

START_TEST(callbacks_are_owned_until_called)
{
    PyObject *node = new_node(1), *callback = new_callback("x");
    PyObject *ref = PyWeakref_NewRef(node, callback);

    ck_assert_int_eq(Py_REFCNT(callback), 2);
    Py_DECREF(node);
    ck_assert_str_eq(calls, "x");
    ck_assert_int_eq(Py_REFCNT(callback), 1);
    suite_drop(ref, callback);
}

START_TEST(errors_in_callbacks_stay_inside)
{
    PyObject *node = new_node(1);
    PyObject *bad = PyCFunction_New(&raise_def, NULL);
    PyObject *a = new_ref(node, "a"), *b = PyWeakref_NewRef(node, bad);
    PyObject *c = new_ref(node, "c");

    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    PyErr_SetString(PyExc_ValueError, "pending");
    Py_DECREF(node);
    suite_exception(PyExc_ValueError, "pending");
    ck_assert_str_eq(calls, "ca");
    suite_drop(a, b, c, bad);
}

START_TEST(live_objects_keep_their_references)
{
    PyObject *node = new_node(1), *ref = new_ref(node, "x");

    PyObject_ClearWeakRefs(node);
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), node);
    Py_DECREF(node);
    ck_assert_str_eq(calls, "x");
    Py_DECREF(ref);
}

START_TEST(clearing_without_callbacks_calls_nothing)
{
    PyObject *node = new_node(1), *a = new_ref(node, "a");
    PyObject *b = PyWeakref_NewRef(node, NULL);

    PyUnstable_Object_ClearWeakRefsNoCallbacks(node);
    ck_assert_ptr_eq(PyWeakref_GetObject(a), Py_None);
    ck_assert_ptr_eq(PyWeakref_GetObject(b), Py_None);
    Py_DECREF(node);
    ck_assert_str_eq(calls, "");
    suite_drop(a, b);
}

/* ------------------------------------------------------------------ */
/* Proxies                                                             */

START_TEST(proxies_pass_operations_on)
{
    PyObject *node = new_node(7), *proxy = PyWeakref_NewProxy(node, NULL);
    PyObject *one = PyLong_FromLong(1);

    ck_assert(PyWeakref_CheckProxy(proxy) && !PyWeakref_CheckRef(proxy));
    ck_assert(!PyCallable_Check(proxy));
    suite_new_text(PyObject_Str(proxy), "node 7");
    suite_new_int(PyNumber_Add(proxy, one), 8);
    suite_new_int(PyNumber_Add(one, proxy), 8);
    ck_assert_int_eq(PyObject_Size(proxy), 7);
    ck_assert_int_eq(PyObject_IsTrue(proxy), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(proxy, node, Py_EQ), 1);
    suite_new_same(PyObject_GetAttrString(proxy, "__class__"),
                   (PyObject *)&Node_Type);
    suite_failed(PyObject_SetAttrString(proxy, "nothing", one),
                 PyExc_AttributeError, NULL);
    suite_failed(PyObject_Hash(proxy), PyExc_TypeError,
                 "unhashable type: 'weakref.ProxyType'");
    ck_assert_int_eq(Py_REFCNT(node), 1);
    suite_drop(one, proxy, node);
}

START_TEST(dead_proxies_raise)
{
    static const char text[] = "weakly-referenced object no longer exists";
    PyObject *node = new_node(7), *callback = new_callback("p");
    PyObject *proxy = PyWeakref_NewProxy(node, callback);

    suite_drop(callback, node);
    ck_assert_str_eq(calls, "p");
    suite_refused(PyObject_Str(proxy), PyExc_ReferenceError, text);
    suite_refused(PyObject_GetAttrString(proxy, "x"), PyExc_ReferenceError,
                  text);
    suite_refused(PyNumber_Negative(proxy), PyExc_ReferenceError, text);
    suite_failed(PyObject_Size(proxy), PyExc_ReferenceError, text);
    suite_failed(PyObject_IsTrue(proxy), PyExc_ReferenceError, text);
    suite_refused(PyObject_GetIter(proxy), PyExc_ReferenceError, text);
    Py_DECREF(proxy);
}

START_TEST(proxies_of_callables_can_be_called)
{
    PyObject *function = new_callback("c");
    PyObject *proxy = PyWeakref_NewProxy(function, NULL);
    PyObject *node = new_node(1);

    ck_assert(PyWeakref_CheckProxy(proxy));
    ck_assert(PyCallable_Check(proxy));
    suite_new_same(PyObject_CallOneArg(proxy, node), Py_None);
    ck_assert_str_eq(calls, "c!"); /* the node is no weak reference */
    Py_DECREF(function);
    suite_refused(PyObject_CallOneArg(proxy, node), PyExc_ReferenceError,
                  "weakly-referenced object no longer exists");
    suite_drop(proxy, node);
}

START_TEST(proxies_iterate_over_the_referent)
{
    PyObject *node = new_node(1), *proxy = PyWeakref_NewProxy(node, NULL);

    suite_refused(PyObject_GetIter(proxy), PyExc_TypeError,
                  "'Node' object is not iterable");
    suite_refused(PyIter_Next(proxy), PyExc_TypeError,
                  "Weakref proxy referenced a non-iterator 'Node' object");
    suite_drop(proxy, node);
}

/* ------------------------------------------------------------------ */
/* The collector                                                       */

/* A node that owns itself. */
static PyObject *
new_cycle(void)
{
    PyObject *node = new_node(1);

    set_member(node, node);
    return node;
}

START_TEST(collection_calls_callbacks_from_outside)
{
    PyObject *node = new_cycle(), *ref = new_ref(node, "x");
    PyObject *plain = PyWeakref_NewRef(node, NULL);

    Py_DECREF(node);
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), node);
    ck_assert_int_ge(PyGC_Collect(), 1);
    ck_assert_str_eq(calls, "x");
    ck_assert_ptr_eq(called_with, ref);
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
    ck_assert_ptr_eq(PyWeakref_GetObject(plain), Py_None);
    ck_assert_int_eq(Py_REFCNT(ref), 1);
    suite_drop(ref, plain);
}

START_TEST(collection_drops_callbacks_of_the_dead)
{
    PyObject *node = new_node(1), *ref = new_ref(node, "x");

    set_member(node, ref);
    Py_DECREF(ref);
    PyObject *other = new_node(2);
    set_member(other, node);
    PyObject *list = PyList_New(0);
    PyList_Append(list, other);
    PyList_Append(list, list); /* the cycle */
    suite_drop(other, node, list);
    ck_assert_int_ge(PyGC_Collect(), 4);
    ck_assert_str_eq(calls, "");
}

START_TEST(a_callback_that_owns_its_reference_is_collected)
{
    PyObject *node = new_node(1), *holder = PyList_New(0);
    PyObject *callback = PyObject_GetAttrString(holder, "append");
    PyObject *ref = PyWeakref_NewRef(node, callback);

    PyList_Append(holder, ref); /* holder -> ref -> callback -> holder */
    PyObject *probe = PyWeakref_NewRef(ref, NULL);
    suite_exception(PyExc_TypeError, NULL);
    ck_assert_ptr_null(probe);
    suite_drop(callback, holder, ref);
    ck_assert_ptr_nonnull(((Node *)node)->weaklist);
    ck_assert_int_ge(PyGC_Collect(), 3);
    ck_assert_ptr_null(((Node *)node)->weaklist);
    Py_DECREF(node);
}

START_TEST(references_outlive_long_chains)
{
    enum { N = 100000 };
    PyObject *head = new_node(0), *last = head;
    PyObject *ref = NULL;

    for (long i = 1; i < N; i++) {
        PyObject *next = new_node(i);
        set_member(last, next);
        Py_DECREF(next);
        last = next;
    }
    ref = new_ref(last, "z");
    Py_DECREF(head);
    ck_assert_str_eq(calls, "z");
    ck_assert_ptr_eq(PyWeakref_GetObject(ref), Py_None);
    Py_DECREF(ref);
}

/* A callback on one of two objects that looks at the other one, through the
   weak reference in the list self. */
static int looks, found_dead;

static PyObject *
look(PyObject *self, PyObject *Py_UNUSED(ref))
{
    PyObject *op = PyWeakref_GetObject(PyList_GetItem(self, 0));

    ck_assert_int_gt(Py_REFCNT(op), 0);
    if (++looks == 1 && op == Py_None)
        found_dead++;
    Py_RETURN_NONE;
}

/* A weak reference to op whose callback looks at other. */
static PyObject *
new_looking_ref(PyObject *op, PyObject *other)
{
    static PyMethodDef def = {"look", look, METH_O, NULL};
    PyObject *plain = PyWeakref_NewRef(other, NULL), *self = PyList_New(0);

    ck_assert_int_eq(PyList_Append(self, plain), 0);
    PyObject *callback = PyCFunction_New(&def, self);
    PyObject *ref = PyWeakref_NewRef(op, callback);
    suite_drop(callback, self, plain);
    return ref;
}

/* Releases a list of two objects from the end of a chain of n. */
static void
release_pair_at(int n)
{
    PyObject *a = new_node(1), *b = new_node(2), *head = PyList_New(0);
    PyObject *at_a = new_looking_ref(a, b), *at_b = new_looking_ref(b, a);

    PyList_Append(head, a);
    PyList_Append(head, b);
    suite_drop(a, b);
    while (n-- > 0) {
        PyObject *node = new_node(0);
        set_member(node, head);
        Py_DECREF(head);
        head = node;
    }
    looks = 0;
    Py_DECREF(head);
    ck_assert_int_eq(looks, 2);
    suite_drop(at_a, at_b);
}

/* At some depth both have to wait for their deallocation, and the second one
   still waits when the first one's callback is called. */
START_TEST(objects_that_wait_for_deallocation_are_dead)
{
    for (int n = 0; n < 200; n++)
        release_pair_at(n);
    ck_assert_int_gt(found_dead, 0);
}
