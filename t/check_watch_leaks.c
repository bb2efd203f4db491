/* check_watch_leaks.c: PYBOEHM_LEAKS: what is said at the end of what is still
   alive.  Texts are compared with all addresses masked. */

#include "suite.h"

#include <sys/wait.h>
#include <unistd.h>

#include "pyboehm.h"
#include "watch_text.h"

/* Who leaks. */
#define NAMED __attribute__((visibility("default")))
extern PyObject *leaks_cache;
NAMED PyObject *leaks_cache;

#define HEAD                                                                  \
    "pyboehm: leaks: objects alive after Py_Finalize, and who holds them\n"   \
    "  objects       bytes   outside    others    cycles   unknown  type\n"

/* Puts '#' for the bytes of each row, which are more with checks. */
static void
mask_bytes(char *line)
{
    enum { BYTES = 10, END = 21 };

    for (; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strlen(line) > END && line[0] == ' ' && line[BYTES - 2] >= '0' &&
            line[BYTES - 2] <= '9')
            memset(line + BYTES, '#', END - BYTES);
    }
}

/* What is said of a program that does this. */
static char *
said(const char *wish, void (*program)(void))
{
    char *text;

    setenv("PYBOEHM_LEAKS", wish, 1);
    Py_Initialize();
    program();
    suite_catch_stderr();
    Py_Finalize();
    text = suite_caught_stderr();
    if (getenv("LEAKS_SHOW") != NULL)
        fputs(text, stderr);
    mask_addresses(text);
    mask_bytes(text);
    return text;
}

static void
says(void (*program)(void), const char *part)
{
    char *text = said("1", program);

    ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in:\n%s", part, text);
    free(text);
}

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
    Py_DECREF(list);
    Py_DECREF(op);
    Py_DECREF(type);
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
keep_in_gc_garbage(void)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *garbage = PyObject_GetAttrString(gc, "garbage");

    PyList_Append(garbage, garbage);
    Py_DECREF(gc);
    Py_DECREF(garbage);
}

/* A function with a name. */
void leaks_make_sets(int n);
NAMED __attribute__((noinline)) void
leaks_make_sets(int n)
{
    for (int i = 0; i < n; i++)
        PySet_New(NULL);
}

static void
keep_many(void)
{
    leaks_make_sets(8);
}

static void
keep_a_text(void)
{
    PyUnicode_FromString("nobody has this");
}

/* ------------------------------------------------------------------ */

START_TEST(a_clean_program_has_none)
{
    char *text = said("1", clean);

    ck_assert_str_eq(text, "pyboehm: no leaks\n");
    free(text);
}
END_TEST

START_TEST(nothing_is_said_unless_wanted)
{
    char *text = said("0", keep_a_list);

    ck_assert_str_eq(text, "");
    free(text);
    Py_Initialize();
    Py_DECREF(leaks_cache);
    unsetenv("PYBOEHM_LEAKS");
    Py_Finalize();
}
END_TEST

START_TEST(types_are_counted_and_owners_named)
{
    says(
        keep_a_list, HEAD
        "        1 ###########         0         1         0         0  dict\n"
        "        1 ###########         1         0         0         0  "
        "list\n");
}
END_TEST

START_TEST(plain_objects_are_what_containers_have)
{
    says(keep_a_list, "        1 ###########         0         1         0    "
                      "     0  float\n"
                      "        3 ");
}
END_TEST

/* Of the calls that made leaks, equal ones come together. */
START_TEST(origins_are_told)
{
    setenv("PYBOEHM_TRACE", "20", 1);
    says(keep_many, "\n8 objects, ");
    says(keep_many, " bytes, allocated at\n");
    says(keep_a_list, "\n1 object, 24 bytes, allocated at\n");
    says(keep_a_text, "         0         0         0         1  str\n");
    says(keep_many, "    leaks_make_sets+0x#");
}
END_TEST

START_TEST(a_clean_program_that_is_traced_has_none)
{
    setenv("PYBOEHM_TRACE", "3", 1);
    says(clean, "pyboehm: no leaks\n");
}
END_TEST

START_TEST(what_types_have_is_no_leak)
{
    char *text = said("1", keep_what_a_type_has);

    ck_assert_ptr_nonnull(strstr(text, "  list\n"));
    ck_assert_ptr_null(strstr(text, "  str\n"));
    free(text);
}
END_TEST

START_TEST(owners_are_named)
{
    says(keep_a_list, "  total\n"
                      "list at 0x#, 1 reference, 1 from outside\n"
                      "    0x# in data of ");
    Py_Initialize();
    Py_CLEAR(leaks_cache);
    says(keep_a_list, ": leaks_cache\n");
}
END_TEST

START_TEST(so_are_types)
{
    says(keep_a_type, "\ntype 'demo.Node' at 0x#, ");
}
END_TEST

START_TEST(cycles_that_are_not_tracked)
{
    says(keep_garbage, HEAD "        1 ###########         0         0        "
                            " 1         0  tuple\n");
}
END_TEST

START_TEST(adopted_objects)
{
    says(keep_adopted, HEAD "        1 ###########         1         0        "
                            " 0         0  list\n");
}
END_TEST

START_TEST(gc_garbage)
{
    says(keep_in_gc_garbage, "list at 0x#, gc.garbage, ");
}
END_TEST

START_TEST(only_a_few_are_explained)
{
    says(keep_many, "\nand 3 more are held from outside\n");
}
END_TEST

/* How a process ends that wants leaks to be errors. */
static int
status_of(const char *wish, void (*program)(void))
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        free(said(wish, program));
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
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {a_clean_program_has_none, 0},
        {nothing_is_said_unless_wanted, 0},
        {types_are_counted_and_owners_named, 0},
        {plain_objects_are_what_containers_have, 0},
        {origins_are_told, 0},
        {a_clean_program_that_is_traced_has_none, 0},
        {what_types_have_is_no_leak, 0},
        {owners_are_named, 0},
        {so_are_types, 0},
        {cycles_that_are_not_tracked, 0},
        {adopted_objects, 0},
        {gc_garbage, 0},
        {only_a_few_are_explained, 0},
        {leaks_may_be_errors, 0},
        {NULL, 0},
    };

    return suite_run_early("watch leaks", tests);
}
