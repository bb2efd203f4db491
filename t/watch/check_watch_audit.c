/* check_watch_audit.c: types that are right and such that are not, before the
   audit.  The types are in t/audit. */

#include "../support/fiber.h"
#include "../support/smallstack.h"
#include "../support/suite.h"

#include <pyboehm.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../audit/audit.h"

/* What an audit writes, without the places in the program; the caller frees
   it.  n is what it returned. */
static char *
audit(int flags, int *n)
{
    char *text = NULL, *place;
    size_t size;
    FILE *file = suite_require(open_memstream(&text, &size));
    *n = PyBoehm_Audit(file, flags);
    fclose(file);
    while ((place = strstr(text, " [")) != NULL)
        memmove(place, strchr(place, ']') + 1,
                strlen(strchr(place, ']') + 1) + 1);
    while ((place = strstr(text, "\n  ")) != NULL) {
        memmove(place + 2, place + 3, strlen(place + 3) + 1);
        memcpy(place, "; ", 2);
    }
    return text;
}

/* Can a case be made here? */
static int
is_possible(const struct audit_case *one)
{
#ifdef PYBOEHM_CHECKS
    if (one->kind == AUDIT_OVER)
        return 0;
#endif
    return one->kind != AUDIT_MALLOC || suite_knows_malloc();
}

static int
lines(const char *text)
{
    int n = 0;

    while ((text = strchr(text, '\n')) != NULL) {
        text++;
        n++;
    }
    return n;
}

/* Does text begin so?  A # stands for a number of instances: a fifth of them
   at least, for their blocks of malloc's were used before, and what was there
   may have been pointed to from elsewhere. */
static int
begins(const char *text, const char *expected)
{
    for (; *expected != '\0'; expected++) {
        if (*expected != '#') {
            if (*text++ != *expected)
                return 0;
            continue;
        }
        char *end;
        long n = strtol(text, &end, 10);

        if (n < AUDIT_INSTANCES / 5 || n > AUDIT_INSTANCES)
            return 0;
        text = end;
    }
    return *text == '\n';
}

static int
contains(const char *text, const char *expected)
{
    for (; *text != '\0'; text = strchr(text, '\n') + 1)
        if (begins(text, expected))
            return 1;
    return 0;
}

static void
expect(int flags, const char *expected)
{
    int n;
    char *text = audit(flags, &n);

    if (expected == NULL)
        ck_assert_str_eq(text, "");
    else if (!begins(text, expected))
        ck_abort_msg("expected: %s; it says: %s", expected, text);
    ck_assert_int_eq(n, lines(text));
    ck_assert_int_eq(n, expected != NULL ? 1 + lines(expected) : 0);
    free(text);
}

START_TEST(honest_types)
{
    if (!suite_has("PROCESS_VM_READV"))
        return;
    for (const struct audit_case *one = audit_honest; one->act; one++) {
        one->act();
        expect(0, NULL);
    }
    PyGC_Collect();
    expect(0, NULL);
}

/* Is it about a module's state?  That is memory of malloc's, and its words
   count only where the same addresses stand nowhere else: not where many other
   cases have left theirs. */
static int
is_of_a_state(const struct audit_case *one)
{
    return strncmp(one->expected, "the state of ", 13) == 0;
}

START_TEST(broken_module_state)
{
    int n = 0;

    if (!suite_has("PROCESS_VM_READV"))
        return;
    for (const struct audit_case *one = audit_broken; one->act; one++)
        if (is_possible(one) && is_of_a_state(one)) {
            one->act();
            expect(PyBoehm_AUDIT_NEWS, one->expected);
            expect(PyBoehm_AUDIT_NEWS, NULL);
            n++;
        }
    ck_assert_int_eq(n, suite_knows_malloc() ? 1 : n);
}

/* Nothing is told twice, unless there is twice as much of it. */
START_TEST(broken_types)
{
    if (!suite_has("PROCESS_VM_READV"))
        return;
    for (const struct audit_case *one = audit_broken; one->act; one++) {
        if (!is_possible(one) || is_of_a_state(one))
            continue;
        one->act();
        expect(PyBoehm_AUDIT_NEWS, one->expected);
        expect(PyBoehm_AUDIT_NEWS, NULL);
    }
    audit_broken[0].act();
    expect(PyBoehm_AUDIT_NEWS, "audit.OneOfTwo+24 (second) refers to list in "
                               "40 of 40 instances; tp_traverse never visits "
                               "it: cycles through it leak");
    audit_broken[0].act();
    expect(PyBoehm_AUDIT_NEWS, NULL);
}

START_TEST(all_of_them_at_once)
{
    int n, expected = 0;
    char *text;

    if (!suite_has("PROCESS_VM_READV"))
        return;
    for (const struct audit_case *one = audit_broken; one->act; one++) {
        if (!is_possible(one))
            continue;
        one->act();
        expected += 1 + lines(one->expected);
    }
    for (const struct audit_case *one = audit_honest; one->act; one++)
        one->act();
    text = audit(0, &n);
    for (const struct audit_case *one = audit_broken; one->act; one++)
        if (is_possible(one) && !contains(text, one->expected))
            ck_abort_msg("%s is missing in %s", one->expected, text);
    ck_assert_int_eq(n, expected);
    ck_assert_int_eq(PyBoehm_Audit(NULL, 0), expected);
    free(text);
}

START_TEST(most_instances_first)
{
    int n;
    char *text, *first, *second;

    if (!suite_has("PROCESS_VM_READV"))
        return;
    audit_broken[0].act();
    audit_broken[0].act();
    audit_broken[2].act();
    text = audit(0, &n);
    first = strstr(text, "audit.OneOfTwo+24 (second) refers to list in 40 of "
                         "40 instances; ");
    second = strstr(text, "audit.Twins");
    ck_assert_int_eq(n, 2);
    ck_assert(first == text && second > first);
    free(text);
}

/* Of the places: the function's, or the library's at least. */
START_TEST(where_it_is)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    if (!suite_has("PROCESS_VM_READV") || !suite_has("DLADDR"))
        return;
    audit_broken[0].act();
    ck_assert_int_eq(PyBoehm_Audit(file, 0), 1);
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, "check_watch_audit"));
    free(text);
}

/* Addresses of lists, hidden from the audit. */
static uintptr_t hidden[4 * AUDIT_INSTANCES];
static size_t n_hidden;

static int
hide_list(PyObject *op, void *Py_UNUSED(arg))
{
    if (PyList_CheckExact(op) && n_hidden < Py_ARRAY_LENGTH(hidden))
        hidden[n_hidden++] = ~(uintptr_t)op;
    return n_hidden < Py_ARRAY_LENGTH(hidden);
}

static void
hide_lists(void)
{
    n_hidden = 0;
    PyUnstable_GC_VisitObjects(hide_list, NULL);
    ck_assert_int_gt(n_hidden, AUDIT_INSTANCES);
}

static char *written; /* by write_audit, of several findings */
static size_t room;   /* on the small stack; 0: on the ordinary one */

static void
write_audit(void)
{
    size_t size;
    FILE *file = open_memstream(&written, &size);
    int n = PyBoehm_Audit(file, 0);

    fclose(file);
    if (n <= 1)
        ck_abort_msg("%d findings with a stack of %zu bytes:\n%s", n, room,
                     written);
}

/* To read debugging information takes more stack than there is. */
static void
write_as_well(void (*on_stack)(size_t size, void (*function)(void)),
              size_t size)
{
    room = 0;
    write_audit();
    char *whole = written;
    room = size;
    suite_forget_stack(); /* what is dead there might own something */
    on_stack(size, write_audit);
    ck_assert_str_eq(written, whole);
    free(written);
    free(whole);
}

START_TEST(places_are_told_on_a_small_stack)
{
    if (!suite_has("PROCESS_VM_READV") || !suite_has("PTHREAD_GETATTR_NP"))
        return;
    for (int i = 0; i < 3; i++)
        audit_broken[i].act();
    for (size_t size = 64 * 1024; size <= 256 * 1024; size += 32 * 1024) {
        if (fiber_can())
            write_as_well(smallstack_fiber, size);
        write_as_well(smallstack_thread, size);
    }
}

/* Frees blocks of all sizes, full of these addresses; others, which stay, keep
   malloc from joining them. */
static void
free_addresses(void)
{
    enum { BLOCKS = 16 };

    for (size_t n = 4; n < 2048; n += 1 + n / 8) {
        volatile uintptr_t *blocks[BLOCKS];

        for (size_t i = 0; i < BLOCKS; i++) {
            blocks[i] = suite_require(malloc(n * sizeof **blocks));
            suite_require(calloc(1, sizeof **blocks));
            for (size_t k = 0; k < n; k++)
                blocks[i][k] = ~hidden[k % n_hidden];
        }
        for (size_t i = 0; i < BLOCKS; i++)
            free((void *)(uintptr_t)blocks[i]);
    }
}

/* Not even where the audit uses it again. */
START_TEST(addresses_in_freed_memory_are_none)
{
    if (!suite_has("PROCESS_VM_READV") || !suite_knows_malloc())
        return;
    audit_broken[0].act();
    hide_lists();
    free_addresses();
    ck_assert_int_eq(PyBoehm_Audit(NULL, 0), 1);
}

static PyObject *
audit_inside(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arg))
{
    suite_failed(PyBoehm_Audit(NULL, 0), PyExc_RuntimeError, NULL);
    Py_RETURN_NONE;
}

static int called;

static void
finalize(PyObject *op)
{
    audit_inside(op, NULL);
    called++;
}

/* In a collection it is refused; an exception that is pending stays. */
START_TEST(when_it_can_be_made)
{
    PyType_Slot slots[] = {{Py_tp_finalize, (void *)finalize},
                           {Py_tp_traverse, (void *)heap_traverse},
                           {Py_tp_clear, (void *)part_clear},
                           {Py_tp_dealloc, (void *)part_dealloc},
                           {0, NULL}};
    PyTypeObject *type = audit_type("audit.Finalized", slots);
    struct part *part = PART(PyType_GenericAlloc(type, 0));

    if (!suite_has("PROCESS_VM_READV"))
        return;
    part->a = (PyObject *)part; /* the new reference moves in */
    Py_DECREF(type);
    PyGC_Collect();
    ck_assert_int_eq(called, 1);
    PyErr_SetString(PyExc_KeyError, "pending");
    ck_assert_int_eq(PyBoehm_Audit(NULL, 0), 0);
    suite_exception(PyExc_KeyError, NULL);
}

/* Runs act in a child with the variable, collects, finalizes and exits with 0;
   returns the status. */
static int
status_of(const char *wish, void (*act)(void), int finalizes)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        Py_Finalize();
        setenv("PYBOEHM_AUDIT", wish, 1);
        Py_Initialize();
        if (act != NULL)
            act();
        if (finalizes) {
            PyGC_Collect();
            Py_Finalize();
        }
        exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
expect_status(int status, const char *wish, void (*act)(void), int finalizes)
{
    char *text;
    const char *line;
    int n = 0;

    suite_catch_stderr();
    ck_assert_int_eq(status_of(wish, act, finalizes), status);
    text = suite_caught_stderr();
    for (line = text; (line = strstr(line, "pyboehm audit: ")) != NULL; line++)
        n++;
    ck_assert_int_eq(n, *wish != '0' ? (act != NULL) + 1 : 0);
    ck_assert(*wish == '0' ||
              strstr(text, act != NULL ? " objects, 1 finding\n"
                                       : " objects, 0 findings\n") != NULL);
    free(text);
}

START_TEST(asked_for_by_the_environment)
{
    if (!suite_has("PROCESS_VM_READV"))
        return;
    expect_status(0, "1", audit_broken[0].act, 1);
    expect_status(0, "1", audit_broken[0].act, 0);
    expect_status(3, "error", audit_broken[0].act, 1);
    expect_status(3, "error", audit_broken[0].act, 0);
    expect_status(0, "error", NULL, 1);
    expect_status(0, "0", audit_broken[0].act, 1);
}

AUDIT_TYPE(Unborn, part_traverse, 0, .tp_doc = "");
AUDIT_TYPE(Gone, part_traverse, 0, .tp_new = PyType_GenericNew);
AUDIT_TYPE(Base, part_traverse, Py_TPFLAGS_BASETYPE,
           .tp_new = PyType_GenericNew);

/* The library's tp_traverse needs no audit. */
static void
make_structseq(void)
{
    static PyStructSequence_Field fields[] = {{"x", NULL}, {NULL, NULL}};
    static PyStructSequence_Desc desc = {"audit.Point", NULL, fields, 1};

    audit_keep(PyStructSequence_NewType(&desc));
}

/* None of a type, one that is gone too early, and one of a subclass, whose
   tp_traverse calls the base's. */
static void
make_one_of_three(void)
{
    PyTypeObject *types[] = {&Unborn_type, &Gone_type, &Base_type};

    make_structseq();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        ck_assert_int_eq(PyType_Ready(types[i]), 0);
    Py_DECREF(audit_must(PyObject_CallNoArgs((PyObject *)&Gone_type)));
    PyObject *sub = audit_keep(PyObject_CallFunction(
        (PyObject *)&PyType_Type, "s(O){}", "Sub", &Base_type));
    audit_keep(PyObject_CallNoArgs(sub));
}

/* Types that go before the end. */
static void
make_types(void)
{
    static const char *const places[] = {"a", "b", "c", "d", "e"};
    PyType_Slot slots[] = {{Py_tp_traverse, part_traverse},
                           {Py_tp_clear, part_clear},
                           {Py_tp_dealloc, part_dealloc},
                           {0, NULL}};
    char name[300];

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    PyObject *sys = PyImport_AddModule("sys");
    for (size_t i = 0; i < Py_ARRAY_LENGTH(places); i++)
        PyModule_Add(sys, places[i], (PyObject *)audit_type(name, slots));
}

START_TEST(names_of_types_are_short)
{
    if (!suite_has("PROCESS_VM_READV"))
        return;
    suite_catch_stderr();
    ck_assert_int_eq(status_of("1", make_types, 1), 0);
    char *text = suite_caught_stderr();
    const char *line = strstr(text, "pyboehm audit: 5 types of which no ");
    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_nonnull(strstr(line, "n and 3 more; call"));
    ck_assert_int_lt(strlen(line), 400);
    free(text);
}

START_TEST(types_without_an_instance_are_named)
{
    if (!suite_has("PROCESS_VM_READV"))
        return;
    for (int finalizes = 0; finalizes < 2; finalizes++) {
        suite_catch_stderr();
        ck_assert_int_eq(status_of("1", make_one_of_three, finalizes), 0);
        char *text = suite_caught_stderr();
        ck_assert_ptr_nonnull(
            strstr(text, "pyboehm audit: 2 types of which no audit found an "
                         "instance: audit.Unborn, audit.Gone; "));
        free(text);
    }
}

/* An instance borrows the exception that is pending. */
AUDIT_TYPE(Witness, part_traverse, 0, .tp_doc = "");

static __attribute__((noinline)) void
raise_before_witness(void)
{
    PyObject *error = audit_must(PyObject_CallNoArgs(PyExc_KeyError));

    audit_new(&Witness_type)->borrowed = error;
    PyErr_SetRaisedException(error);
}

/* What these have left on the stack would be owners. */
static __attribute__((noinline)) void
clean_stack(void)
{
    char volatile rest[4096];

    for (size_t i = 0; i < sizeof rest; i++)
        rest[i] = 0;
}

START_TEST(pending_exceptions_are_owned)
{
    if (!suite_has("PROCESS_VM_READV"))
        return;
    raise_before_witness();
    clean_stack();
    expect(0, NULL);
    PyErr_Clear();
}

/* Where memory cannot be read it says so. */
START_TEST(blind_audits_say_so)
{
    struct rlimit limit, none;

    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    audit_broken[0].act();
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    expect(0, "the memory of this process cannot be read; references that "
              "tp_traverse does not visit are not found");
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}
