/* check_local.c: the chapter's example, local_traverse, as a real type, and
   what the chapter says of its variants: subtypes that delegate to it or do
   not, and a managed dict.

   Manual: "Supporting Cyclic Garbage Collection", section "Traversal". */

#include "../support/suite.h"

#ifndef GC_THREADS
#define GC_THREADS /* Boehm knows the threads made here */
#endif
#include <gc/gc.h>
#include <pthread.h>

typedef struct {
    PyObject_HEAD
    PyObject *key;
    PyObject *args;
    PyObject *kw;
    PyObject *dict;
} localobject;

/* As the chapter has it. */
/* clang-format off */
static int
local_traverse(PyObject *op, visitproc visit, void *arg)
{
    localobject *self = (localobject *) op;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->args);
    Py_VISIT(self->kw);
    Py_VISIT(self->dict);
    return 0;
}
/* clang-format on */

static int
local_clear(PyObject *op)
{
    localobject *self = (localobject *)op;

    Py_CLEAR(self->args);
    Py_CLEAR(self->kw);
    Py_CLEAR(self->dict);
    return 0;
}

static int freed;

static void
local_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    freed++;
    local_clear(op);
    Py_CLEAR(((localobject *)op)->key);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyTypeObject *
make_type(const char *name, size_t size, PyTypeObject *base,
          traverseproc traverse, inquiry clear)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)local_dealloc},
                           {Py_tp_traverse, (void *)traverse},
                           {Py_tp_clear, (void *)clear},
                           {0, NULL}};
    PyType_Spec spec = {
        name, (int)size, 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots};
    return (PyTypeObject *)suite_require(
        PyType_FromSpecWithBases(&spec, (PyObject *)base));
}

static PyTypeObject *
make_local_type(void)
{
    return make_type("t.local", sizeof(localobject), NULL, local_traverse,
                     local_clear);
}

/* An instance whose members are all NULL but the key. */
static localobject *
make_local(PyTypeObject *type)
{
    localobject *self = suite_require((localobject *)type->tp_alloc(type, 0));
    self->key = PyUnicode_FromString("thread.local.1");
    ck_assert_ptr_nonnull(self->key);
    return self;
}

/* Gives up the type and collects; it must die, or live. */
static void
expect_type(PyTypeObject *type, int dies)
{
    PyObject *ref = suite_require(PyWeakref_NewRef((PyObject *)type, NULL));
    Py_DECREF(type);
    PyGC_Collect();
    ck_assert_int_eq(PyWeakref_IsDead(ref), dies);
    Py_DECREF(ref);
}

/* Hangs an instance on its own type, as an attribute, and gives it up. */
static void
hang_on_type(localobject *self)
{
    ck_assert_int_eq(PyObject_SetAttrString((PyObject *)Py_TYPE(self),
                                            "instance", (PyObject *)self),
                     0);
    Py_DECREF(self);
}

/* ------------------------------------------------------------------ */
/* The example                                                         */

struct seen {
    PyObject *objects[8];
    int n, stop_at;
};

static int
note(PyObject *op, void *arg)
{
    struct seen *seen = arg;

    seen->objects[seen->n++] = op;
    return seen->n == seen->stop_at ? 42 : 0;
}

START_TEST(visits_what_it_owns_but_the_key)
{
    PyTypeObject *type = make_local_type();
    localobject *self = make_local(type);
    struct seen seen = {.stop_at = -1};

    self->args = PyTuple_New(0);
    self->dict = PyDict_New();
    ck_assert_int_eq(type->tp_traverse((PyObject *)self, note, &seen), 0);
    ck_assert_int_eq(seen.n, 3); /* kw is NULL */
    ck_assert_ptr_eq(seen.objects[0], type);
    ck_assert_ptr_eq(seen.objects[1], self->args);
    ck_assert_ptr_eq(seen.objects[2], self->dict);

    seen = (struct seen){.stop_at = 2};
    ck_assert_int_eq(type->tp_traverse((PyObject *)self, note, &seen), 42);
    ck_assert_int_eq(seen.n, 2);
    suite_drop(self, type);
}

START_TEST(cycles_through_each_member_are_found)
{
    PyTypeObject *type = make_local_type();

    PyGC_Collect();
    for (int member = 0; member < 3; member++) {
        localobject *self = make_local(type);
        PyObject *dict = PyDict_New();

        if (member == 0)
            self->args = PyTuple_Pack(1, self);
        else if (member == 1)
            self->kw = Py_NewRef(dict);
        else
            self->dict = Py_NewRef(dict);
        ck_assert_int_eq(PyDict_SetItemString(dict, "me", (PyObject *)self),
                         0);
        if (member == 0)
            PyDict_Clear(dict);
        suite_drop(dict, self);
        ck_assert_int_eq(PyGC_Collect(), 2);
        ck_assert_int_eq(freed, member + 1);
    }
    Py_DECREF(type);
}

START_TEST(type_and_instance_are_one_cycle)
{
    PyTypeObject *type = make_local_type();

    hang_on_type(make_local(type));
    expect_type(type, 1);
    ck_assert_int_eq(freed, 1);
}

static pthread_t traversed_by;

static int
thread_traverse(PyObject *op, visitproc visit, void *arg)
{
    traversed_by = pthread_self();
    return local_traverse(op, visit, arg);
}

/* An instance is traversed by the thread that collects, this one. */
static void
traverse_here(void)
{
    PyTypeObject *type = make_type("t.local", sizeof(localobject), NULL,
                                   thread_traverse, local_clear);
    localobject *self = make_local(type);

    PyGC_Collect();
    ck_assert(pthread_equal(traversed_by, pthread_self()));
    suite_drop(self, type);
}

static void *
traverse_elsewhere(void *Py_UNUSED(arg))
{
    Py_Initialize();
    traverse_here();
    Py_Finalize();
    return NULL;
}

/* One thread at a time is attached, the one that called Py_Initialize; the
   handler alone needs none. */
START_TEST(any_thread_may_traverse)
{
    pthread_t thread;

    traverse_here();
    Py_Finalize();
    ck_assert_int_eq(pthread_create(&thread, NULL, traverse_elsewhere, NULL),
                     0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(pthread_equal(traversed_by, thread));
    Py_Initialize();
}

/* ------------------------------------------------------------------ */
/* Subtypes                                                            */

typedef struct {
    localobject base;
    PyObject *more;
} sublocal;

static PyTypeObject *super; /* what sublocals delegate to */

/* The superclass visits Py_TYPE(self), the subtype. */
static int
delegating_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((sublocal *)op)->more);
    return super->tp_traverse(op, visit, arg);
}

static int
selfish_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((sublocal *)op)->more);
    return 0;
}

static int
sublocal_clear(PyObject *op)
{
    Py_CLEAR(((sublocal *)op)->more);
    return super->tp_clear(op);
}

static PyTypeObject *
make_subtype(traverseproc traverse)
{
    super = make_local_type();
    return make_type("t.sublocal", sizeof(sublocal), super, traverse,
                     sublocal_clear);
}

START_TEST(a_subtype_may_delegate)
{
    PyTypeObject *type = make_subtype(delegating_traverse);
    localobject *self = make_local(type);

    self->args = PyTuple_Pack(1, self);
    ((sublocal *)self)->more = Py_NewRef(self);
    hang_on_type(self);
    expect_type(type, 1);
    ck_assert_int_eq(freed, 1);
    Py_DECREF(super);
}

START_TEST(another_heap_type_will_do)
{
    super = make_local_type(); /* not the base */
    PyTypeObject *type = make_type("t.other", sizeof(sublocal), NULL,
                                   delegating_traverse, sublocal_clear);

    hang_on_type(make_local(type));
    expect_type(type, 1);
    ck_assert_int_eq(freed, 1);
    Py_DECREF(super);
}

START_TEST(one_that_does_not_keeps_its_type)
{
    PyTypeObject *type = make_subtype(selfish_traverse);

    hang_on_type(make_local(type));
    expect_type(type, 0);
    ck_assert_int_eq(freed, 0);
    Py_DECREF(super);
}

START_TEST(an_inherited_traverse_visits_the_subtype)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"t.plain", 0, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyTypeObject *base = make_local_type();
    PyObject *type =
        suite_require(PyType_FromSpecWithBases(&spec, (PyObject *)base));
    PyObject *self = suite_require(PyObject_CallNoArgs(type));
    hang_on_type((localobject *)self);
    expect_type((PyTypeObject *)type, 1);
    ck_assert_int_eq(freed, 1);
    Py_DECREF(base);
}

/* ------------------------------------------------------------------ */
/* A managed dict                                                      */

static int
bag_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    int err = PyObject_VisitManagedDict((PyObject *)self, visit, arg);
    if (err) {
        return err;
    }
    return 0;
}

static int
bag_clear(PyObject *self)
{
    PyObject_ClearManagedDict(self);
    return 0;
}

static void
bag_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    PyObject_GC_UnTrack(self);
    freed++;
    PyObject_ClearManagedDict(self);
    type->tp_free(self);
    Py_DECREF(type);
}

START_TEST(a_managed_dict_is_visited)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)bag_dealloc},
                           {Py_tp_traverse, (void *)bag_traverse},
                           {Py_tp_clear, (void *)bag_clear},
                           {0, NULL}};
    PyType_Spec spec = {"t.bag", sizeof(PyObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                            Py_TPFLAGS_MANAGED_DICT,
                        slots};
    PyObject *type = suite_require(PyType_FromSpec(&spec));
    PyObject *bag = PyObject_CallNoArgs(type);
    struct seen seen = {.stop_at = 2};
    ck_assert_ptr_nonnull(bag);
    ck_assert_int_eq(PyObject_SetAttrString(bag, "me", bag), 0);
    ck_assert_int_eq(bag_traverse(bag, note, &seen), 42);
    ck_assert_ptr_eq(seen.objects[1], bag); /* no dict was asked for */
    Py_DECREF(bag);
    expect_type((PyTypeObject *)type, 1);
    ck_assert_int_eq(freed, 1);
}
