/* check_watch_why.c: PyBoehm_WhyAlive: what holds an object, and over which
   containers.  Built with -export-dynamic, so that variables have names. */

#include "../support/suite.h"

#include "pyboehm.h"
#include "../support/why.h"

/* Owners with a name. */
#define NAMED __attribute__((visibility("default")))
extern PyObject *why_registry, *why_pair[2];
NAMED PyObject *why_registry;
NAMED PyObject *why_pair[2];

START_TEST(chains_lead_from_variables)
{
    PyObject *inner = PyList_New(0);

    why_registry = Py_BuildValue("{s:[i,O]}", "x", 1, inner);
    Py_DECREF(inner);
    why_says(inner, 1,
             "list at 0x#, 1 reference, 0 from outside\n"
             "  held by dict at 0x#, 1 reference from outside\n"
             "        0x# in data of ");
    why_says(inner, 1,
             ": why_registry\n"
             "    ['x']: list at 0x#\n"
             "    [1]: the object\n");
    Py_CLEAR(why_registry);
}

START_TEST(an_owner_names_all_its_places)
{
    PyObject *inner = PyList_New(0);

    why_registry =
        Py_BuildValue("{s:[O,O,O],s:O}", "x", inner, inner, inner, "y", inner);
    why_says(inner, 1,
             "    ['x']: list at 0x#\n    [2], [1], [0]: the object\n");
    PyList_Append(PyDict_GetItemString(why_registry, "x"), inner);
    why_says(inner, 1, "    [3], [2], [1] and 1 more: the object\n");
    Py_DECREF(inner);
    Py_CLEAR(why_registry);
}

START_TEST(the_shortest_chain_comes_first)
{
    PyObject *op = PyList_New(0);
    PyObject *shortest = PyTuple_Pack(1, op), *longest;

    longest = Py_BuildValue("[[[O]]]", op);
    why_pair[0] = longest;
    why_registry = shortest;
    Py_DECREF(op);
    const char *all = why_told(op, 1);
    ck_assert_ptr_nonnull(strstr(all, "held by tuple"));
    ck_assert(strstr(all, "held by tuple") < strstr(all, "held by list"));
    ck_assert_ptr_nonnull(strstr(all, "    [0]: list at 0x#\n"
                                      "    [0]: list at 0x#\n"
                                      "    [0]: the object\n"));
    Py_CLEAR(why_pair[0]);
    Py_CLEAR(why_registry);
}

/* However long: garbage that is kept by mistake comes last. */
START_TEST(owners_outside_come_first)
{
    PyObject *op = PySet_New(NULL), *tuple = PyTuple_Pack(1, op);
    PyObject *cycle = Py_BuildValue("[N]", tuple);

    PyObject_GC_UnTrack(tuple);
    PyList_Append(cycle, cycle);
    Py_DECREF(cycle);
    why_registry = Py_BuildValue("[[N]]", op);
    const char *all = why_told(op, 1);
    ck_assert_ptr_nonnull(strstr(all, "held by tuple"));
    ck_assert(strstr(all, "held by list") < strstr(all, "held by tuple"));
    Py_CLEAR(why_registry);
    PyObject_GC_Track(tuple);
    ck_assert_int_eq(PyGC_Collect(), 3);
}

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
    why_says(op, 1, "    ... 88 more ...\n");
    Py_CLEAR(why_registry);
}

START_TEST(plain_objects_have_owners)
{
    PyObject *text_object = PyUnicode_FromString("a text of its own");

    why_registry = Py_BuildValue("[O]", text_object);
    Py_DECREF(text_object);
    why_says(text_object, 1,
             "str at 0x#, 1 reference, 0 from outside\n"
             "  held by list at 0x#, 1 reference from outside\n");
    why_says(Py_None, 1, "NoneType at 0x#, immortal\n");
    Py_CLEAR(why_registry);
}

START_TEST(garbage_has_none)
{
    PyObject *list = PyList_New(0), *tuple = PyTuple_Pack(1, list);

    PyList_Append(list, tuple);
    suite_drop(tuple, list);
    why_says(list, 0,
             "list at 0x#, 1 reference, 0 from outside\n"
             "  referred to by tuple at 0x#, [0]: the object\n"
             "  nothing outside leads to it: ");
    why_says(tuple, 0, "nothing outside leads to it: ");
    PyBoehm_GC_Freeze();
    why_says(list, 1, "list at 0x#, frozen: no collection looks at it");
    PyBoehm_GC_Unfreeze();
    PyObject_GC_UnTrack(tuple);
    why_says(list, 1,
             "held by tuple at 0x#, not tracked: collections do not see"
             " what it refers to\n"
             "    [0]: the object\n");
    why_says(tuple, 1, "held by tuple at 0x#, not tracked: ");
    PyObject_GC_Track(tuple);
    ck_assert_int_eq(PyGC_Collect(), 2);
    list = PyList_New(0);
    PyList_Append(list, list);
    Py_DECREF(list);
    PyObject_GC_UnTrack(list);
    why_says(list, 1, "list at 0x#, not tracked: no collection looks at it, ");
    PyObject_GC_Track(list);
    ck_assert_int_eq(PyGC_Collect(), 1);
}

START_TEST(what_untracked_objects_have_dies_with_them)
{
    PyObject *list = PyList_New(0), *tuple = PyTuple_Pack(1, Py_None);

    PyObject_GC_UnTrack(tuple);
    PyList_Append(list, tuple);
    PyList_Append(list, list);
    suite_drop(tuple, list);
    why_says(tuple, 0, "referred to by list at 0x#, [0]: the object\n");
    ck_assert_int_eq(PyGC_Collect(), 1);
}

START_TEST(adopted_objects_are_boehms)
{
    PyObject *op = PyList_New(0);

    why_registry = op;
    PyBoehm_Adopt(op);
    why_says(op, 1,
             "list at 0x#, adopted: Boehm keeps it while it sees it, 0"
             " references, 0 from outside\n"
             "    0x# in data of ");
    why_registry = NULL;
}

START_TEST(modules_and_garbage_have_names)
{
    PyObject *module = PyImport_AddModule("why_module");
    PyObject *list = PyList_New(0);

    PyModule_AddObjectRef(module, "made", list);
    Py_DECREF(list);
    why_says(list, 1, ", sys.modules");
    why_says(list, 1, "    ['why_module']: module 'why_module' at 0x#\n");
    PyDict_Clear(PyModule_GetDict(module));
}

START_TEST(attributes_are_named)
{
    PyObject *type = suite_class("s(){}", "T");
    PyObject *op = PyObject_CallNoArgs(type), *list = PyList_New(0);

    PyObject_SetAttrString(op, "list", list);
    why_registry = op;
    Py_DECREF(list);
    why_says(list, 1, "held by T at 0x#, 1 reference from outside\n");
    why_says(list, 1, "    .list: the object\n");
    ck_assert_ptr_null(strstr(why_text, "malloc"));
    Py_CLEAR(why_registry);
    Py_DECREF(type);
}

/* As str is kept, with what UTF-8 has no room for. */
START_TEST(any_name_of_a_module)
{
    static const Py_UCS4 character = 0xdc80;
    PyObject *name =
        PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, &character, 1);

    why_registry = PyModule_NewObject(name);
    Py_DECREF(name);
    why_says(why_registry, 1, "module '\xed\xb2\x80' at 0x#, ");
    ck_assert_ptr_null(PyErr_Occurred());
    Py_CLEAR(why_registry);
}

START_TEST(null_is_refused)
{
    suite_failed(PyBoehm_WhyAlive(NULL, stderr), PyExc_SystemError, NULL);
}

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
