/* check_gc_quarantine.c: with checks: what was freed waits, and nothing may be
   done to it; for how long it waits; where objects end; how often they are
   visited. */

#include "../support/suite.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pyboehm.h>

#include "gc/check/quarantine.h"
#include "gc/check/plains.h"

/* As in lib/gc/check/quarantine.c. */
enum { GRAVES = 16384, BYTES_MAX = 16 << 20, LARGE = 1 << 20, RECENT = 512 };

typedef struct {
    PyObject ob_base;
    PyObject *item;
    char text[5]; /* the object does not end where a block might */
} Thing;

enum { EXACT = offsetof(Thing, text) + 5 };

static int
thing_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((Thing *)op)->item);
    return 0;
}

static void
thing_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_CLEAR(((Thing *)op)->item);
    PyObject_GC_Del(op);
}

static void
plain_dealloc(PyObject *op)
{
    PyObject_Free(op);
}

static PyTypeObject container_type = {
    SUITE_TYPE("quarantine.Container"),
};

static PyTypeObject plain_type = {
    SUITE_TYPE("quarantine.Plain"),
};

static void
begin(void)
{
    suite_with_checks();
    container_type.tp_basicsize = plain_type.tp_basicsize = EXACT;
    container_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
    container_type.tp_traverse = thing_traverse;
    container_type.tp_dealloc = thing_dealloc;
    plain_type.tp_dealloc = plain_dealloc;
    suite_require(PyType_Ready(&container_type) == 0 ? &container_type : NULL);
    suite_require(PyType_Ready(&plain_type) == 0 ? &plain_type : NULL);
}

static Thing *
new_container(void)
{
    Thing *thing = suite_require(PyObject_GC_New(Thing, &container_type));

    thing->item = NULL;
    PyObject_GC_Track((PyObject *)thing);
    return thing;
}

static Thing *
new_plain(void)
{
    return suite_require(PyObject_New(Thing, &plain_type));
}

static Thing *
dead(Thing *thing)
{
    Py_DECREF((PyObject *)thing);
    return thing;
}

/* ------------------------------------------------------------------ */
/* What is done to the dead                                            */

START_TEST(the_dead_stay_as_they_are)
{
    begin();
    SUITE_FATAL((dead(new_container())->text[4] = 1, PyGC_Collect()),
                "type quarantine.Container",
                "it was written to after its death");
    SUITE_FATAL((dead(new_plain())->text[4] = 1, PyGC_Collect()),
                "type quarantine.Plain", "it was written to after its death");
    SUITE_FATAL((Py_INCREF((PyObject *)dead(new_container())), PyGC_Collect()),
                "type quarantine.Container",
                "its count was changed after its death");
    SUITE_FATAL((Py_INCREF((PyObject *)dead(new_plain())), PyGC_Collect()),
                "type quarantine.Plain",
                "its count was changed after its death");
}

START_TEST(the_dead_do_not_die_again)
{
    begin();
    SUITE_FATAL(Py_DECREF((PyObject *)dead(new_container())),
                "a reference is released to an object that is free already",
                "type quarantine.Container");
    SUITE_FATAL(Py_DECREF((PyObject *)dead(new_plain())),
                "a reference is released to an object that is free already",
                "type quarantine.Plain");
    SUITE_FATAL(PyObject_GC_Del(dead(new_container())),
                "frees an object that is free already",
                "type quarantine.Container");
    SUITE_FATAL(PyObject_Free(dead(new_plain())),
                "PyObject_Free: type quarantine.Plain: frees an object that "
                "is free already");
}

static Thing *used;

START_TEST(the_dead_have_no_slots)
{
    begin();
    used = dead(new_plain());
    SUITE_FATAL(PyObject_Repr((PyObject *)used),
                "tp_repr: type quarantine.Plain: is called for an");
    SUITE_FATAL(PyObject_Hash((PyObject *)used),
                "tp_hash: type quarantine.Plain");
    SUITE_FATAL(PyObject_GetAttrString((PyObject *)used, "x"),
                "tp_getattro: type quarantine.Plain");
    SUITE_FATAL(PyObject_GetItem((PyObject *)used, Py_None),
                "mp_subscript: type quarantine.Plain");
    SUITE_FATAL(PyNumber_Add(PyLong_FromLong(1), (PyObject *)used),
                "nb_add: type quarantine.Plain");
}

static void
get_next(void)
{
    Py_ssize_t pos = 0;

    PyDict_Next((PyObject *)used, &pos, NULL, NULL);
}

/* So it is in functions that raise nothing, or another exception than those
   that are given no dict or list. */
START_TEST(the_dead_are_given_to_no_function)
{
    begin();
    used = dead(new_plain());
    SUITE_FATAL(PyDict_GetItemString((PyObject *)used, "x"),
                "PyDict_GetItemString: type quarantine.Plain: is given an "
                "object that is free already");
    SUITE_FATAL(PyDict_GetItem((PyObject *)used, Py_None),
                "PyDict_GetItem: type quarantine.Plain");
    SUITE_FATAL(get_next(), "PyDict_Next: type quarantine.Plain");
    SUITE_FATAL(PyDict_Clear((PyObject *)used),
                "PyDict_Clear: type quarantine.Plain");
    SUITE_FATAL(PyList_GetItemRef((PyObject *)used, 0),
                "PyList_GetItemRef: type quarantine.Plain");
    SUITE_FATAL(PyBytes_AsString((PyObject *)used),
                "PyBytes_AsString: type quarantine.Plain");
    SUITE_FATAL(PyWeakref_NewRef((PyObject *)used, NULL),
                "PyWeakref_NewRef: type quarantine.Plain");
    SUITE_FATAL(PyWeakref_NewProxy((PyObject *)used, NULL),
                "PyWeakref_NewProxy: type quarantine.Plain");
    SUITE_FATAL(PyBoehm_WhyAlive((PyObject *)used, stderr),
                "PyBoehm_WhyAlive: type quarantine.Plain");
}

/* A call of the function, which would keep the dead object. */
#define REFUSES(function, call)                                               \
    SUITE_FATAL(call, function ": type quarantine.Plain: is given an object")

/* What would be left of it is a count that has risen and fallen. */
START_TEST(the_dead_are_kept_by_no_function)
{
    begin();
    PyObject *list = suite_require(Py_BuildValue("[i]", 1));
    PyObject *tuple = PyTuple_New(1), *dict = PyDict_New();
    PyObject *zero = PyLong_FromLong(0), *cell = PyCell_New(NULL);
    PyObject *op = (PyObject *)dead(new_plain());

    REFUSES("PyList_Append", PyList_Append(list, op));
    REFUSES("PyList_Insert", PyList_Insert(list, 0, op));
    REFUSES("PyList_SetItem", PyList_SetItem(list, 0, op));
    REFUSES("PyObject_SetItem", PyObject_SetItem(list, zero, op));
    REFUSES("PySequence_SetItem", PySequence_SetItem(list, 0, op));
    REFUSES("PyTuple_SetItem", PyTuple_SetItem(tuple, 0, op));
    REFUSES("PyTuple_Pack", PyTuple_Pack(1, op));
    REFUSES("Py_BuildValue", Py_BuildValue("[O]", op));
    REFUSES("PyDict_SetItem", PyDict_SetItemString(dict, "key", op));
    REFUSES("PyDict_SetDefault", PyDict_SetDefault(dict, zero, op));
    REFUSES("PyObject_SetAttr", PyObject_SetAttrString(list, "name", op));
    REFUSES("PyCell_New", PyCell_New(op));
    REFUSES("PyCell_Set", PyCell_Set(cell, op));
    REFUSES("PyMethod_New", PyMethod_New(list, op));
    REFUSES("PyErr_SetObject", PyErr_SetObject(PyExc_ValueError, op));
    suite_drop(cell, zero, dict, tuple, list);
}

/* ------------------------------------------------------------------ */
/* What they hold                                                      */

/* Is the handler of faults the library's?  That of a sanitizer stays. */
static int
begin_with_handler(void)
{
    int none;

    Py_Finalize();
    none = PyOS_getsig(SIGSEGV) == SIG_DFL;
    Py_Initialize();
    begin();
    return suite_is_there(none, "the default action of SIGSEGV");
}

/* The object's address is still needed. */
static void
follow(Thing *thing)
{
    (void)*(volatile char *)thing->item;
    thing->item = NULL;
}

static __attribute__((noinline)) PyObject *
item_of_two(void)
{
    dead(new_plain());
    return dead(new_container())->item;
}

/* No word of the stack need lead to the object any more. */
static void
follow_later(void)
{
    PyObject *item = item_of_two();

    suite_forget_stack();
    (void)*(volatile char *)item;
}

START_TEST(what_the_dead_hold_is_no_pointer)
{
    if (!begin_with_handler())
        return;
    SUITE_FATAL(
        follow(dead(new_container())),
        "SIGSEGV: type quarantine.Container: a field of an object that "
        "is free already is used as a pointer, object at");
    SUITE_FATAL(follow(dead(new_plain())),
                "SIGSEGV: type quarantine.Plain: a field");
    SUITE_FATAL(follow_later(), "SIGSEGV: ",
                "a field of an object that is free already is used as a");
}

static void *volatile nowhere;

/* What overwrites the dead may leave junk in registers. */
static void
read_nothing(void)
{
    dead(new_container());
    (void)*(volatile char *)nowhere;
}

static void
send_signal(void)
{
    kill(getpid(), SIGSEGV);
}

/* It ends as if there were no handler. */
static void
ends_as_ever(void (*function)(void))
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        function();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_int_eq(WTERMSIG(status), SIGSEGV);
}

START_TEST(other_faults_end_as_ever)
{
    if (!begin_with_handler())
        return;
    ends_as_ever(read_nothing);
    ends_as_ever(send_signal);
}

static void
handle_nothing(int Py_UNUSED(number))
{
}

START_TEST(the_host_s_handler_stays)
{
    Py_Finalize();
    PyOS_sighandler_t before = PyOS_setsig(SIGSEGV, handle_nothing);
    Py_Initialize();
    begin();
    ck_assert(PyOS_getsig(SIGSEGV) == handle_nothing);
    Py_Finalize();
    ck_assert(PyOS_setsig(SIGSEGV, before) == handle_nothing);
    Py_Initialize();
}

/* ------------------------------------------------------------------ */
/* How long they wait                                                  */

static int
waits(const void *op)
{
    return pyb_quarantine_type(op) != NULL;
}

START_TEST(the_first_that_came_is_the_first_to_go)
{
    begin();
    pyb_quarantine_empty();
    Thing *container = dead(new_container()), *plain = dead(new_plain());

    ck_assert_str_eq(pyb_quarantine_type(container), "quarantine.Container");
    for (int i = 2; i < GRAVES; i++)
        dead(i % 2 == 0 ? new_container() : new_plain());
    ck_assert(waits(container) && waits(plain));
    dead(new_plain());
    ck_assert(!waits(container) && waits(plain));
    dead(new_plain());
    ck_assert(!waits(plain));
    ck_assert(!pyb_plains_is_dead(plain));
}

/* Blocks of half a mebibyte: 32 of them are too many, with what is behind
   them. */
START_TEST(large_ones_wait_for_a_shorter_time)
{
    enum { HALF = 1 << 19 };
    PyObject *large, *first;
    int n;

    begin();
    pyb_quarantine_empty();
    large = PyBytes_FromStringAndSize(NULL, LARGE);
    Py_DECREF(large);
    ck_assert(!waits(large));
    first = PyBytes_FromStringAndSize(NULL, HALF);
    Py_DECREF(first);
    ck_assert(waits(first));
    for (n = 1; waits(first); n++)
        Py_DECREF(PyBytes_FromStringAndSize(NULL, HALF));
    ck_assert_int_eq(n, BYTES_MAX / HALF);
}

/* The last ones are looked at in each collection, others when they go. */
static void
write_and_let_go(void)
{
    dead(new_plain())->text[0] = 1;
    for (int i = 0; i < RECENT; i++)
        dead(new_plain());
    PyGC_Collect();
    fputs("collected\n", stderr);
    for (int i = 0; i < GRAVES; i++)
        dead(new_plain());
}

static void
write_and_end(void)
{
    dead(new_plain())->text[0] = 1;
    for (int i = 0; i < RECENT; i++)
        dead(new_plain());
    Py_Finalize();
}

START_TEST(all_are_looked_at_when_they_go)
{
    begin();
    SUITE_FATAL(write_and_let_go(), "it was written to after its death",
                "collected\n");
    SUITE_FATAL(write_and_end(), "it was written to after its death");
}

/* ------------------------------------------------------------------ */
/* Where objects end                                                   */

static Thing *
write_at(void *op, size_t at)
{
    ((char *)op)[at] = 0;
    return op;
}

/* Which gives a little more than was asked for. */
static void
write_past_allocated(void)
{
    dead(write_at(PyType_GenericAlloc(&plain_type, 0), EXACT));
}

START_TEST(one_byte_past_the_end_is_noticed)
{
    char where[40];

    begin();
    dead(write_at(new_container(), EXACT - 1));
    dead(write_at(new_plain(), EXACT - 1));
    dead(write_at(PyType_GenericAlloc(&plain_type, 0), EXACT - 1));
    snprintf(where, sizeof where, "object's end, at +%d", EXACT);
    SUITE_FATAL(dead(write_at(new_container(), EXACT)),
                "tp_basicsize: type quarantine.Cont",
                "something was written past the ", where);
    SUITE_FATAL(dead(write_at(new_plain(), EXACT)),
                "tp_basicsize: type quarantine.Plain",
                "something was written past the ", where);
    SUITE_FATAL(write_past_allocated(), "type quarantine.Plain", where);
    SUITE_FATAL((write_at(new_plain(), EXACT), Py_Finalize()),
                "type quarantine.Plain", where);
    snprintf(where, sizeof where, "object's end, at +%d", EXACT + 15);
    SUITE_FATAL(dead(write_at(new_plain(), EXACT + 15)), where);
}

/* Whose count is not there is no object, whatever the memory was before. */
START_TEST(memory_for_less_than_an_object_has_no_redzone)
{
    begin();
    void *small = suite_require(PyObject_Realloc(new_plain(), 8));

    ck_assert_int_eq(pyb_plains_has(small), 0);
    memset(small, 0, 8);
    small = suite_require(PyObject_Realloc(small, EXACT));
    PyObject_Free(small);
}

/* ------------------------------------------------------------------ */
/* Visits                                                              */

static void
visit_too_often(void)
{
    Thing *plain = new_plain(), *things[] = {new_container(), new_container()};

    things[0]->item = things[1]->item = (PyObject *)plain;
    PyGC_Collect();
}

/* With a reference for each it is right, however often it is looked at. */
START_TEST(visits_of_plain_objects_are_counted)
{
    begin();
    Thing *plain = new_plain(), *things[] = {new_container(), new_container()};

    things[0]->item = (PyObject *)plain;
    things[1]->item = Py_NewRef((PyObject *)plain);
    PyGC_Collect();
    PyGC_Collect();
    dead(things[0]);
    dead(things[1]);
    SUITE_FATAL(visit_too_often(),
                "Py_DECREF: type quarantine.Plain: refcount is too small: it "
                "is 1, and containers visit it 2 times",
                "the last one of type quarantine.Container");
}
