/* check_watch_why.c: PyBoehm_WhyAlive: who holds an object.

   Texts are compared with all addresses masked.  Built with -export-dynamic,
   so that variables have names. */

#include "suite.h"

#include <gc/gc.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "pyboehm.h"
#include "watch_text.h"

/* Owners with a name. */
#define NAMED __attribute__((visibility("default")))
extern PyObject *why_registry, *why_pair[2];
NAMED PyObject *why_registry;
NAMED PyObject *why_pair[2];

/* What keeps the compiler from leaving memory out that nobody reads. */
static uintptr_t *volatile block;

static char text[8000];

/* What is said of an object, with its result. */
__attribute__((noinline)) static const char *
why(PyObject *op, int expected)
{
    FILE *file = tmpfile();
    int result = PyBoehm_WhyAlive(op, file);
    size_t n;

    rewind(file);
    n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    ck_assert_int_eq(PyBoehm_WhyAlive(op, NULL), result);
    if (getenv("WHY_SHOW") != NULL)
        fprintf(stderr, "%s\n", text);
    mask_addresses(text);
    ck_assert_msg(result == expected, "%d: %s", result, text);
    return text;
}

static void
says(PyObject *op, int result, const char *part)
{
    const char *all = why(op, result);

    ck_assert_msg(strstr(all, part) != NULL, "no \"%s\" in:\n%s", part, all);
}

/* Hides an address from those who look through memory. */
static uintptr_t
hide(PyObject *op)
{
    return ~(uintptr_t)op;
}

static PyObject *
show(uintptr_t hidden)
{
    return (PyObject *)~hidden;
}

START_TEST(chains_lead_from_variables)
{
    PyObject *inner = PyList_New(0);

    why_registry = Py_BuildValue("{s:[i,O]}", "x", 1, inner);
    Py_DECREF(inner);
    says(inner, 1,
         "list at 0x#, 1 reference, 0 from outside\n"
         "  held by dict at 0x#, 1 reference from outside\n"
         "        0x# in data of ");
    says(inner, 1,
         ": why_registry\n"
         "    ['x']: list at 0x#\n"
         "    [1]: the object\n");
    Py_CLEAR(why_registry);
}
END_TEST

START_TEST(variables_have_names_and_offsets)
{
    why_pair[1] = PyList_New(0);
    says(why_pair[1], 1,
         "list at 0x#, 1 reference, 1 from outside\n"
         "    0x# in data of ");
    says(why_pair[1], 1, ": why_pair+8\n");
    Py_CLEAR(why_pair[1]);
}
END_TEST

/* Not in a function, whose name compilers may put before it. */
static PyObject *volatile why_static;

START_TEST(so_have_static_ones)
{
    why_static = PyList_New(0);
    says(why_static, 1, ": why_static");
    Py_DECREF(why_static);
    why_static = NULL;
}
END_TEST

START_TEST(stacks_are_looked_at)
{
    PyObject *volatile local = PyList_New(0);

    says(local, 1,
         "1 reference, 1 from outside\n"
         "    0x# on the stack of this thread\n");
    Py_DECREF(local);
}
END_TEST

/* Another thread waits with the only address. */
static int at_rest[2], go_on[2];

static void *
wait_with_address(void *hidden)
{
    PyObject *volatile op = show((uintptr_t)hidden);
    char c = '.';

    ck_assert_int_eq(write(at_rest[1], &c, 1), 1);
    ck_assert_int_eq(read(go_on[0], &c, 1), 1);
    return (void *)hide(op);
}

START_TEST(so_are_those_of_other_threads)
{
    uintptr_t hidden = hide(PyList_New(0));
    pthread_t thread;
    char c;

    ck_assert_int_eq(pipe(at_rest) + pipe(go_on), 0);
    pthread_create(&thread, NULL, wait_with_address, (void *)hidden);
    ck_assert_int_eq(read(at_rest[0], &c, 1), 1);
    /* It waits as soon as it sleeps; until then its stack has no name. */
    for (int i = 0; i < 1000; i++) {
        if (strstr(why(show(hidden), 1), "on the stack of thread ") != NULL)
            break;
        usleep(1000);
    }
    says(show(hidden), 1, "on the stack of thread ");
    ck_assert_int_eq(write(go_on[1], &c, 1), 1);
    pthread_join(thread, NULL);
    Py_DECREF(show(hidden));
}
END_TEST

/* Not with the allocators of sanitizers and valgrind. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static int
malloc_is_known(void)
{
    return !SANITIZED && !suite_is_slow();
}

START_TEST(blocks_of_malloc)
{
    uintptr_t hidden = hide(PyList_New(0));

    block = malloc(100);
    memset(block, 0, 100);
    block[2] = (uintptr_t)show(hidden);
    if (malloc_is_known())
        says(show(hidden), 1, "    0x# in malloc memory, +16 of 104 bytes\n");
    free(block);
    Py_DECREF(show(hidden));
}
END_TEST

START_TEST(blocks_of_the_host)
{
    uintptr_t hidden = hide(PyList_New(0));

    block = GC_MALLOC(64);
    block[3] = (uintptr_t)show(hidden);
    says(show(hidden), 1, "    0x# in a block of Boehm's heap, +24 of ");
    block[3] = 0;
    GC_reachable_here(block);
    Py_DECREF(show(hidden));
}
END_TEST

START_TEST(the_shortest_chain_comes_first)
{
    PyObject *op = PyList_New(0);
    PyObject *shortest = PyTuple_Pack(1, op), *longest;

    longest = Py_BuildValue("[[[O]]]", op);
    why_pair[0] = longest;
    why_registry = shortest;
    Py_DECREF(op);
    const char *all = why(op, 1);
    ck_assert_ptr_nonnull(strstr(all, "held by tuple"));
    ck_assert(strstr(all, "held by tuple") < strstr(all, "held by list"));
    ck_assert_ptr_nonnull(strstr(all, "    [0]: list at 0x#\n"
                                      "    [0]: list at 0x#\n"
                                      "    [0]: the object\n"));
    Py_CLEAR(why_pair[0]);
    Py_CLEAR(why_registry);
}
END_TEST

/* However long: garbage that is kept by mistake comes last. */
START_TEST(owners_outside_come_first)
{
    PyObject *op = PySet_New(NULL), *tuple = PyTuple_Pack(1, op);
    PyObject *cycle = Py_BuildValue("[N]", tuple);

    PyObject_GC_UnTrack(tuple);
    PyList_Append(cycle, cycle);
    Py_DECREF(cycle);
    why_registry = Py_BuildValue("[[N]]", op);
    const char *all = why(op, 1);
    ck_assert_ptr_nonnull(strstr(all, "held by tuple"));
    ck_assert(strstr(all, "held by list") < strstr(all, "held by tuple"));
    Py_CLEAR(why_registry);
    PyObject_GC_Track(tuple);
    ck_assert_int_eq(PyGC_Collect(), 3);
}
END_TEST

START_TEST(long_chains_are_cut)
{
    PyObject *op = PyList_New(0), *outer = Py_NewRef(op);

    for (int i = 0; i < 100; i++) {
        PyObject *next = PyList_New(0);

        PyList_Append(next, outer);
        Py_DECREF(outer);
        outer = next;
    }
    Py_DECREF(op);
    why_registry = outer;
    says(op, 1, "    ... 88 more ...\n");
    Py_CLEAR(why_registry);
}
END_TEST

START_TEST(plain_objects_have_owners)
{
    PyObject *text_object = PyUnicode_FromString("a text of its own");

    why_registry = Py_BuildValue("[O]", text_object);
    Py_DECREF(text_object);
    says(text_object, 1,
         "str at 0x#, 1 reference, 0 from outside\n"
         "  held by list at 0x#, 1 reference from outside\n");
    says(Py_None, 1, "NoneType at 0x#, immortal\n");
    Py_CLEAR(why_registry);
}
END_TEST

START_TEST(garbage_has_none)
{
    PyObject *list = PyList_New(0), *tuple = PyTuple_Pack(1, list);

    PyList_Append(list, tuple);
    Py_DECREF(tuple);
    Py_DECREF(list);
    says(list, 0,
         "list at 0x#, 1 reference, 0 from outside\n"
         "  referred to by tuple at 0x#, [0]: the object\n"
         "  nothing outside leads to it: ");
    says(tuple, 0, "nothing outside leads to it: ");
    PyBoehm_GC_Freeze();
    says(list, 1, "list at 0x#, frozen: no collection looks at it");
    PyBoehm_GC_Unfreeze();
    PyObject_GC_UnTrack(tuple);
    says(list, 1,
         "held by tuple at 0x#, not tracked: collections do not see"
         " what it refers to\n"
         "    [0]: the object\n");
    says(tuple, 1, "held by tuple at 0x#, not tracked: ");
    PyObject_GC_Track(tuple);
    ck_assert_int_eq(PyGC_Collect(), 2);
}
END_TEST

START_TEST(what_untracked_objects_have_dies_with_them)
{
    PyObject *list = PyList_New(0), *tuple = PyTuple_Pack(1, Py_None);

    PyObject_GC_UnTrack(tuple);
    PyList_Append(list, tuple);
    PyList_Append(list, list);
    Py_DECREF(tuple);
    Py_DECREF(list);
    says(tuple, 0, "referred to by list at 0x#, [0]: the object\n");
    ck_assert_int_eq(PyGC_Collect(), 1);
}
END_TEST

START_TEST(adopted_objects_are_boehms)
{
    PyObject *op = PyList_New(0);

    why_registry = op;
    PyBoehm_Adopt(op);
    says(op, 1,
         "list at 0x#, adopted: Boehm keeps it while it sees it, 0"
         " references, 0 from outside\n"
         "    0x# in data of ");
    why_registry = NULL;
}
END_TEST

START_TEST(modules_and_garbage_have_names)
{
    PyObject *module = PyImport_AddModule("why_module");
    PyObject *list = PyList_New(0);

    PyModule_AddObjectRef(module, "made", list);
    Py_DECREF(list);
    says(list, 1, ", sys.modules");
    says(list, 1, "    ['why_module']: module 'why_module' at 0x#\n");
    PyDict_Clear(PyModule_GetDict(module));
}
END_TEST

/* Has a reference that it does not visit. */
struct mute {
    PyObject_HEAD
    PyObject *held, **array;
};

static int
mute_traverse(PyObject *op, visitproc visit, void *arg)
{
    (void)op, (void)visit, (void)arg;
    return 0;
}

static PyMemberDef mute_members[] = {
    {"held", Py_T_OBJECT_EX, offsetof(struct mute, held), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject mute_type = {
    .tp_name = "mute",
    .tp_basicsize = sizeof(struct mute),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = mute_traverse,
    .tp_members = mute_members,
};

START_TEST(owners_that_do_not_visit_are_named)
{
    uintptr_t hidden = hide(PyList_New(0)), *padding;
    struct mute *mute;

    ck_assert_int_eq(PyType_Ready(&mute_type), 0);
    mute = PyObject_GC_New(struct mute, &mute_type);
    mute->held = show(hidden);
    mute->array = NULL;
    says(show(hidden), 1,
         "in mute at 0x#, +16 (held), which does not visit it\n");
    mute->held = NULL;
    mute->array = malloc(40);
    padding = malloc(40);
    mute->array[1] = show(hidden);
    if (malloc_is_known())
        says(show(hidden), 1,
             "in malloc memory, +8 of 40 bytes that mute at 0x# has, which"
             " does not visit it\n");
    Py_DECREF(show(hidden));
    free(padding);
    free(mute->array);
    PyObject_GC_Del(mute);
}
END_TEST

/* What is visited is no owner outside, nor is a weak reference. */
START_TEST(what_is_accounted_for_is_left_out)
{
    PyObject *op = PySet_New(NULL), *weak = PyWeakref_NewRef(op, NULL);

    why_registry = Py_BuildValue("[{s:O}]", "x", op);
    Py_DECREF(op);
    const char *all = why(op, 1);
    ck_assert_ptr_null(strstr(all, "malloc"));
    ck_assert_ptr_null(strstr(all, "weakref"));
    Py_CLEAR(why_registry);
    Py_DECREF(weak);
}
END_TEST

/* The tuple has the address in its body, the list in malloc memory. */
START_TEST(who_visits_is_no_owner_outside)
{
    PyObject *op, *tuple, *list;

    why_registry = op = PySet_New(NULL);
    tuple = PyTuple_Pack(1, op);
    list = Py_BuildValue("[O]", op);
    says(op, 1,
         "set at 0x#, 3 references, 1 from outside\n"
         "    0x# in data of ");
    ck_assert_ptr_null(strstr(text, "visit"));
    Py_DECREF(tuple);
    Py_DECREF(list);
    Py_CLEAR(why_registry);
}
END_TEST

START_TEST(freed_memory_has_no_owner)
{
    uintptr_t hidden = hide(PyList_New(0));

    block = calloc(1, 100);
    block[4] = (uintptr_t)show(hidden);
    if (malloc_is_known())
        says(show(hidden), 1, "in malloc memory, +32 of 104 bytes");
    free(block);
    why(show(hidden), 1);
    ck_assert_ptr_null(strstr(text, "malloc"));
    Py_DECREF(show(hidden));
}
END_TEST

START_TEST(attributes_are_named)
{
    PyObject *type =
        PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "T");
    PyObject *op = PyObject_CallNoArgs(type), *list = PyList_New(0);

    PyObject_SetAttrString(op, "list", list);
    why_registry = op;
    Py_DECREF(list);
    says(list, 1, "held by T at 0x#, 1 reference from outside\n");
    says(list, 1, "    .list: the object\n");
    ck_assert_ptr_null(strstr(text, "malloc"));
    Py_CLEAR(why_registry);
    Py_DECREF(type);
}
END_TEST

static void
ask_meanwhile(const char *Py_UNUSED(phase),
              const PyBoehm_GC_Info *Py_UNUSED(info), void *op)
{
    ck_assert_int_eq(PyBoehm_WhyAlive(op, NULL), -1);
    ck_assert(PyErr_ExceptionMatches(PyExc_RuntimeError));
    PyErr_Clear();
    why_registry = op;
}

START_TEST(not_in_the_middle_of_a_collection)
{
    PyObject *op = PyList_New(0);

    PyBoehm_GC_AddCallback(ask_meanwhile, op);
    PyGC_Collect();
    ck_assert_ptr_eq(why_registry, op);
    why_registry = NULL;
    Py_DECREF(op);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {chains_lead_from_variables, 0},
        {variables_have_names_and_offsets, 0},
        {so_have_static_ones, 0},
        {stacks_are_looked_at, 0},
        {so_are_those_of_other_threads, 0},
        {blocks_of_malloc, 0},
        {blocks_of_the_host, 0},
        {the_shortest_chain_comes_first, 0},
        {owners_outside_come_first, 0},
        {long_chains_are_cut, 0},
        {plain_objects_have_owners, 0},
        {garbage_has_none, 0},
        {what_untracked_objects_have_dies_with_them, 0},
        {adopted_objects_are_boehms, 0},
        {modules_and_garbage_have_names, 0},
        {owners_that_do_not_visit_are_named, 0},
        {what_is_accounted_for_is_left_out, 0},
        {who_visits_is_no_owner_outside, 0},
        {freed_memory_has_no_owner, 0},
        {attributes_are_named, 0},
        {not_in_the_middle_of_a_collection, 0},
        {NULL, 0},
    };

    return suite_run("watch_why", tests);
}
