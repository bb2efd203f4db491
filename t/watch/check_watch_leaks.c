/* check_watch_leaks.c: PYBOEHM_LEAKS: what is said at the end of what is still
   alive.  Texts are compared with all addresses masked. */

#include "../support/suite.h"

#include <sys/wait.h>
#include <unistd.h>

#include "../support/leaks.h"
#include "pyboehm.h"

#include "watch/why/census.h"

/* Owners that leak. */
#define NAMED __attribute__((visibility("default")))
extern PyObject *leaks_cache;
NAMED PyObject *leaks_cache;

#define HEAD                                                                  \
    "pyboehm: leaks: objects alive after Py_Finalize, and what holds them\n"  \
    "  objects       bytes   outside    others    cycles   unknown  type\n"

/* ------------------------------------------------------------------ */
/* Programs                                                            */

static PyObject *
new_type(void)
{
    return PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}",
                                 "demo.Node");
}

static PyTypeObject static_type = {
    .tp_name = "demo.Static",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};

/* A bit of everything, and nothing left. */
static void
clean(void)
{
    PyObject *type = new_type(), *op = PyObject_CallNoArgs(type);
    PyObject *module = PyImport_AddModule("demo"), *list = PyList_New(0);

    ck_assert_int_eq(PyType_Ready(&static_type), 0);
    PyList_Append(list, list);
    PyObject_SetAttrString(op, "list", list);
    PyModule_AddObjectRef(module, "node", op);
    PyModule_AddObjectRef(module, "Node", type);
    suite_drop(list, op, type);
    Py_DECREF(PyImport_ImportModule("gc"));
    PyErr_Format(PyExc_ValueError, "%d", 7);
    PyErr_Clear();
}

static void
keep_a_list(void)
{
    PyObject *real = PyFloat_FromDouble(1.5);

    leaks_cache = Py_BuildValue("[NO{}]", real, real);
}

/* The text is the type's. */
static void
keep_what_a_type_has(void)
{
    PyObject *text = PyUnicode_FromString("a text of the type's");

    ck_assert_int_eq(PyType_Ready(&static_type), 0);
    PyDict_SetItemString(static_type.tp_dict, "text", text);
    leaks_cache = Py_BuildValue("[N]", text);
}

static void
keep_a_type(void)
{
    leaks_cache = new_type();
    PyObject_CallNoArgs(leaks_cache);
}

static void
keep_a_named_type(void)
{
    static PyType_Slot none[] = {{0, NULL}};
    static PyType_Spec spec = {"Named", sizeof(PyObject), 0,
                               Py_TPFLAGS_DEFAULT, none};

    leaks_cache = PyType_FromSpec(&spec);
}

static void
keep_a_named_module(void)
{
    leaks_cache = PyModule_New("named");
    PyDict_Clear(PyModule_GetDict(leaks_cache));
}

static void
keep_garbage(void)
{
    PyObject *tuple = PyTuple_New(1);

    PyTuple_SET_ITEM(tuple, 0, tuple);
    PyObject_GC_UnTrack(tuple);
}

static void
keep_adopted(void)
{
    leaks_cache = PyBoehm_Adopt(PyList_New(0));
}

static void
keep_one_behind_adopted(void)
{
    static PyObject *seen[60]; /* more than are looked at */

    for (size_t i = 0; i < Py_ARRAY_LENGTH(seen); i++)
        seen[i] = PyBoehm_Adopt(PyList_New(0));
    PyList_New(0);
}

static void
keep_many(void)
{
    for (int i = 0; i < 8; i++)
        PySet_New(NULL);
}

static void
lose_texts(void)
{
    for (int i = 0; i < 3; i++)
        PyUnicode_FromFormat("nobody has number %d", i);
}

static void
keep_in_gc_garbage(void)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *garbage = PyObject_GetAttrString(gc, "garbage");

    PyList_Append(garbage, garbage);
    suite_drop(gc, garbage);
}

/* ------------------------------------------------------------------ */

START_TEST(a_clean_program_has_none)
{
    char *text = leaks_said("1", clean);

    ck_assert_str_eq(text,
                     suite_has("BACKTRACE")
                         ? "pyboehm: no leaked containers\n"
                           "  strings, numbers and others that no container "
                           "has are not counted; to count them:\n"
                           "  PYBOEHM_LEAKS=1 PYBOEHM_TRACE=8 ./program\n"
                         : "pyboehm: no leaked containers\n"
                           "  strings, numbers and others that no container "
                           "has are not counted\n");
    free(text);
}

/* Those that were lost are not taken for none. */
START_TEST(lost_texts_need_a_trace)
{
    leaks_say(lose_texts, "pyboehm: no leaked containers\n");
    if (!suite_has("BACKTRACE"))
        return;
    setenv("PYBOEHM_TRACE", "3", 1);
    leaks_say(lose_texts, "        3 ###########         0         0         0"
                          "         3  str\n");
}

START_TEST(nothing_is_said_unless_wanted)
{
    char *text = leaks_said("0", keep_a_list);

    ck_assert_str_eq(text, "");
    free(text);
    Py_Initialize();
    Py_DECREF(leaks_cache);
    unsetenv("PYBOEHM_LEAKS");
    Py_Finalize();
}

START_TEST(types_are_counted_and_owners_named)
{
    leaks_say(
        keep_a_list, HEAD
        "        1 ###########         0         1         0         0  dict\n"
        "        1 ###########         1         0         0         0  "
        "list\n");
}

START_TEST(plain_objects_are_what_containers_have)
{
    leaks_say(keep_a_list,
              "        1 ###########         0         1         0    "
              "     0  float\n"
              "        3 ");
}

START_TEST(a_clean_program_that_is_traced_has_none)
{
    if (!suite_has("BACKTRACE"))
        return;
    setenv("PYBOEHM_TRACE", "3", 1);
    leaks_say(clean, "pyboehm: no leaks\n");
}

START_TEST(what_types_have_is_no_leak)
{
    char *text = leaks_said("1", keep_what_a_type_has);

    ck_assert_ptr_nonnull(strstr(text, "  list\n"));
    ck_assert_ptr_null(strstr(text, "  str\n"));
    free(text);
}

START_TEST(owners_are_named)
{
    if (!suite_has("PROCESS_VM_READV") || !suite_has("DLADDR") ||
        !suite_has("LINK_H"))
        return;
    leaks_say(keep_a_list, "  total\n"
                           "list at 0x#, 1 reference, 1 from outside\n"
                           "    0x# in data of ");
    Py_Initialize();
    Py_CLEAR(leaks_cache);
    leaks_say(keep_a_list, ": leaks_cache\n");
}

START_TEST(so_are_types)
{
    leaks_say(keep_a_type, "\ntype 'demo.Node' at 0x#, ");
}

static void
names_are_counted(void (*keep)(void))
{
    if (!suite_has("BACKTRACE"))
        return;
    setenv("PYBOEHM_TRACE", "3", 1);
    leaks_say(keep, "        1 ###########         0         1         0      "
                    "   0  str\n");
}

/* They do not visit their names. */
START_TEST(names_of_types_are_theirs)
{
    names_are_counted(keep_a_named_type);
}

START_TEST(names_of_modules_are_theirs)
{
    names_are_counted(keep_a_named_module);
}

START_TEST(cycles_that_are_not_tracked)
{
    leaks_say(keep_garbage,
              HEAD "        1 ###########         0         0        "
                   " 1         0  tuple\n");
}

START_TEST(adopted_objects)
{
    leaks_say(keep_adopted,
              HEAD "        1 ###########         1         0        "
                   " 0         0  list\n");
}

START_TEST(what_boehm_keeps_comes_last)
{
    leaks_say(keep_one_behind_adopted,
              "  list\n       61 ###########        61         0         0"
              "         0  total\n"
              "list at 0x#, 1 reference, 1 from outside\n");
}

START_TEST(gc_garbage)
{
    leaks_say(keep_in_gc_garbage, "list at 0x#, gc.garbage, ");
}

START_TEST(only_a_few_are_explained)
{
    leaks_say(keep_many, "\n  the same of ");
}

/* One calloc fails, so many after the census was taken. */
static long until_fault = -1, faults_to_come = -1;

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

/* The census is known by the size of its nodes. */
void *
__wrap_calloc(size_t n, size_t size)
{
    if (until_fault >= 0 && until_fault-- == 0)
        return NULL;
    if (size == sizeof(struct pyb_node))
        until_fault = faults_to_come;
    return __real_calloc(n, size);
}

/* Whatever it is that there is no memory for. */
START_TEST(no_memory_is_told_of)
{
    enum { LASTING = 2, CHAINS = 4, WHY = 4 };

    for (faults_to_come = 0; faults_to_come < LASTING + CHAINS + WHY;
         faults_to_come++) {
        char *text = leaks_said("1", keep_a_list);

        ck_assert_msg(strstr(text, "Exception ignored in PYBOEHM_LEAKS") !=
                          NULL,
                      "%ld: %s", faults_to_come, text);
        ck_assert_ptr_nonnull(strstr(text, "MemoryError"));
        ck_assert_int_lt(until_fault, 0);
        free(text);
    }
    faults_to_come = -1;
    leaks_say(keep_a_list, "  total\n");
}

/* How a process ends that wants leaks to be errors. */
static int
status_of(const char *wish, void (*program)(void))
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        free(leaks_said(wish, program));
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

START_TEST(leaks_may_be_errors)
{
    ck_assert_int_eq(status_of("error", keep_a_list), 3);
    ck_assert_int_eq(status_of("error", clean), 0);
    ck_assert_int_eq(status_of("1", keep_a_list), 0);
}

/* ------------------------------------------------------------------ */
/* At any time                                                         */

START_TEST(what_is_alive_now)
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    Py_ssize_t n;

    unsetenv("PYBOEHM_LEAKS");
    Py_Initialize();
    n = PyBoehm_WriteLeaks(NULL);
    ck_assert_int_ge(n, 0);
    keep_a_list();
    ck_assert_int_eq(PyBoehm_WriteLeaks(file), n + 3);
    fclose(file);
    ck_assert_msg(strncmp(text,
                          "pyboehm: objects alive now, and what holds them\n",
                          48) == 0,
                  "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "  list\n"));
    free(text);
    Py_DECREF(leaks_cache);
    ck_assert_int_eq(PyBoehm_WriteLeaks(NULL), n);
    file = fopen("/dev/full", "w");
    keep_a_list();
    if (file != NULL) {
        ck_assert_int_eq(PyBoehm_WriteLeaks(file), -1);
        ck_assert(PyErr_ExceptionMatches(PyExc_OSError));
        PyErr_Clear();
        fclose(file);
    }
    Py_DECREF(leaks_cache);
    Py_Finalize();
}

/* Is there a place below a line about the type?  Other objects' addresses may
   stand where malloc's memory is not in use any more. */
static int
type_has_place(const char *text)
{
    while ((text = strstr(text, "type 'demo.Node' at ")) != NULL) {
        const char *line = strchr(text, '\n') + 1;
        const char *place = strstr(line, " memory");

        if (place != NULL && place < strchr(line, '\n'))
            return 1;
        text = line;
    }
    return 0;
}

/* What the report and the record of allocations note of a type is no owner; it
   has one that the places do not show. */
START_TEST(notes_are_no_owners_of_types)
{
    PyObject *volatile hidden;

    for (int traced = 0; traced < 2; traced++) {
        char *text;
        size_t size;
        FILE *file = open_memstream(&text, &size);

        if (traced)
            setenv("PYBOEHM_TRACE", "4", 1);
        Py_Initialize();
        PyObject *type = new_type();
        for (int i = 0; i < 3; i++)
            PyObject_SetAttrString(type,
                                   i == 0   ? "a"
                                   : i == 1 ? "b"
                                            : "c",
                                   suite_require(PyObject_CallNoArgs(type)));
        hidden = (PyObject *)~(uintptr_t)type;
        type = NULL;
        suite_forget_stack();
        ck_assert_int_gt(PyBoehm_WriteLeaks(file), 0);
        fclose(file);
        ck_assert_ptr_nonnull(strstr(text, "type 'demo.Node' at "));
        if (suite_knows_malloc()) /* else what a dict has is not known */
            ck_assert_msg(!type_has_place(text), "%s", text);
        free(text);
        Py_DECREF((PyObject *)~(uintptr_t)hidden);
        Py_Finalize();
    }
}

static void
ask(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
    void *times)
{
    ck_assert_int_eq(PyBoehm_WriteLeaks(NULL), -1);
    ck_assert(PyErr_ExceptionMatches(PyExc_RuntimeError));
    PyErr_Clear();
    ++*(int *)times;
}

START_TEST(not_in_a_collection)
{
    int times = 0;

    Py_Initialize();
    ck_assert_int_eq(PyBoehm_GC_AddCallback(ask, &times), 0);
    PyGC_Collect();
    ck_assert_int_eq(times, 2);
    Py_Finalize();
}

int
main(void)
{
    return suite_run_early("watch leaks");
}
