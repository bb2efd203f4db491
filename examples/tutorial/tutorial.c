/* tutorial.c: drives the example modules of CPython's manual, "Defining
   Extension Types: Tutorial", through the C API, and has their cycles
   collected.

   run.sh compiles the modules.  They are imported from PYBOEHM_PATH, and one
   of them, under another name, from the table of built-in modules. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <time.h>

enum { OBJECTS = 100000, WARM = 5, ROUNDS = 20 };

PyMODINIT_FUNC PyInit_builtin_custom(void);

/* ------------------------------------------------------------------ */
/* Checks                                                              */

static int passed, failed;

/* Counts a check and says which one failed, with the exception if any. */
static void
expect(int holds, const char *what)
{
    if (holds) {
        passed++;
        return;
    }
    failed++;
    fprintf(stderr, "FAILED: %s\n", what);
    if (PyErr_Occurred())
        PyErr_Print();
}

/* Ends the program: without op there is nothing to go on with. */
static PyObject *
need(PyObject *op, const char *what)
{
    if (op == NULL) {
        expect(0, what);
        printf("%d passed, %d failed\n", passed, failed);
        exit(EXIT_FAILURE);
    }
    return op;
}

/* Is op the str TEXT?  Takes the reference; op may be NULL. */
static int
is_text(PyObject *op, const char *text)
{
    const char *said = op ? PyUnicode_AsUTF8(op) : NULL;
    int equal = said != NULL && strcmp(said, text) == 0;

    Py_XDECREF(op);
    return equal;
}

/* Is op the int NUMBER?  Takes the reference; op may be NULL. */
static int
is_number(PyObject *op, long number)
{
    int equal = op != NULL && PyLong_AsLong(op) == number;

    Py_XDECREF(op);
    return equal;
}

static int
attribute_is(PyObject *op, const char *name, const char *text)
{
    return is_text(PyObject_GetAttrString(op, name), text);
}

static int
attribute_is_number(PyObject *op, const char *name, long number)
{
    return is_number(PyObject_GetAttrString(op, name), number);
}

/* Sets op.name to value, whose reference it takes. */
static int
set(PyObject *op, const char *name, PyObject *value)
{
    int result = PyObject_SetAttrString(op, name, need(value, name));

    Py_DECREF(value);
    return result;
}

/* Did that fail with an exception of the type, saying text (NULL: anything)?
   Takes the exception away. */
static int
raised(int result, PyObject *type, const char *text)
{
    PyObject *kind, *value, *traceback;

    if (result != -1 || !PyErr_ExceptionMatches(type))
        return 0;
    PyErr_Fetch(&kind, &value, &traceback);
    PyErr_NormalizeException(&kind, &value, &traceback);
    int same = text == NULL || is_text(PyObject_Str(value), text);
    Py_XDECREF(kind);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return same;
}

/* Did that return NULL with such an exception?  Takes the reference. */
static int
refused(PyObject *result, PyObject *type, const char *text)
{
    Py_XDECREF(result);
    return raised(result == NULL ? -1 : 0, type, text);
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

/* The type that the module has under the name; a new reference. */
static PyObject *
type_of_module(const char *module_name, const char *name)
{
    PyObject *module = need(PyImport_ImportModule(module_name), module_name);
    PyObject *type = need(PyObject_GetAttrString(module, name), name);

    expect(PyType_Check(type), "the module's attribute is a type");
    Py_DECREF(module);
    return type;
}

/* Calls type with arguments that it owns from now on; kwargs may be NULL. */
static PyObject *
make(PyObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *op = PyObject_Call(type, need(args, "arguments"), kwargs);

    Py_DECREF(args);
    Py_XDECREF(kwargs);
    return op;
}

/* ------------------------------------------------------------------ */
/* The modules, one by one                                             */

static void
drive_custom(const char *module_name)
{
    PyObject *type = type_of_module(module_name, "Custom");
    PyObject *op = need(make(type, PyTuple_New(0), NULL), "Custom()");

    expect(Py_TYPE(op) == (PyTypeObject *)type, "the object has its type");
    expect(PyObject_IsInstance(op, type) == 1, "isinstance(op, Custom)");
    expect(
        raised(set(op, "x", PyLong_FromLong(1)), PyExc_AttributeError, NULL),
        "a Custom without members takes no attribute");
    Py_DECREF(op);
    Py_DECREF(type);
}

/* Construction, the attribute number and name(): the same in custom2 to
   custom4. */
static PyObject *
drive_names(PyObject *type)
{
    PyObject *op = need(make(type, PyTuple_New(0), NULL), "Custom()");
    expect(attribute_is(op, "first", ""), "first is empty");
    expect(attribute_is_number(op, "number", 0), "number is 0");
    Py_DECREF(op);

    op =
        need(make(type, Py_BuildValue("(ssi)", "Ada", "Lovelace", 1815), NULL),
             "positional arguments");
    expect(attribute_is(op, "first", "Ada"), "first by position");
    expect(attribute_is(op, "last", "Lovelace"), "last by position");
    expect(attribute_is_number(op, "number", 1815), "number by position");
    Py_DECREF(op);

    op = need(
        make(type, Py_BuildValue("(s)", "Alan"),
             Py_BuildValue("{s:s,s:i}", "last", "Turing", "number", 1912)),
        "keyword arguments");
    expect(attribute_is(op, "last", "Turing"), "last by keyword");
    expect(attribute_is_number(op, "number", 1912), "number by keyword");
    expect(is_text(PyObject_CallMethod(op, "name", NULL), "Alan Turing"),
           "name()");

    expect(set(op, "first", PyUnicode_FromString("Dermot")) == 0, "set first");
    expect(set(op, "number", PyLong_FromLong(-7)) == 0, "set number");
    expect(attribute_is_number(op, "number", -7), "number was set");
    expect(is_text(PyObject_CallMethod(op, "name", NULL), "Dermot Turing"),
           "name() after a change");

    expect(refused(PyObject_CallMethod(op, "name", "i", 1), PyExc_TypeError,
                   NULL),
           "name() takes no argument");
    expect(raised(set(op, "number", PyUnicode_FromString("many")),
                  PyExc_TypeError, NULL),
           "number must be an int");
    expect(refused(
               make(type, PyTuple_New(0), Py_BuildValue("{s:i}", "colour", 3)),
               PyExc_TypeError, NULL),
           "an unknown keyword");
    expect(refused(make(type, Py_BuildValue("(ssii)", "a", "b", 1, 2), NULL),
                   PyExc_TypeError, NULL),
           "too many arguments");
    return op;
}

/* Members may be deleted, and hold any object. */
static void
drive_custom2(const char *module_name)
{
    PyObject *type = type_of_module(module_name, "Custom");
    PyObject *op = drive_names(type);

    expect(set(op, "last", PyLong_FromLong(42)) == 0, "last may be an int");
    expect(attribute_is_number(op, "last", 42), "last is that int");
    expect(PyObject_DelAttrString(op, "first") == 0, "delete first");
    expect(refused(PyObject_GetAttrString(op, "first"), PyExc_AttributeError,
                   NULL),
           "first is gone");
    expect(refused(PyObject_CallMethod(op, "name", NULL), PyExc_AttributeError,
                   "first"),
           "name() misses first");
    expect(raised(PyObject_DelAttrString(op, "number"), PyExc_TypeError, NULL),
           "number cannot be deleted");
    Py_DECREF(op);
    Py_DECREF(type);
}

/* Getters and setters insist on strings: custom3 and custom4. */
static PyObject *
drive_getsets(PyObject *type)
{
    PyObject *op = drive_names(type);

    expect(raised(PyObject_DelAttrString(op, "last"), PyExc_TypeError,
                  "Cannot delete the last attribute"),
           "last cannot be deleted");
    expect(raised(set(op, "last", PyLong_FromLong(42)), PyExc_TypeError,
                  "The last attribute value must be a string"),
           "last must be a string");
    expect(raised(PyObject_DelAttrString(op, "first"), PyExc_TypeError,
                  "Cannot delete the first attribute"),
           "first cannot be deleted");
    expect(attribute_is(op, "last", "Turing"), "last is as it was");
    expect(refused(make(type, Py_BuildValue("(i)", 42), NULL), PyExc_TypeError,
                   NULL),
           "the constructor wants strings");
    return op;
}

static void
drive_custom3(const char *module_name)
{
    PyObject *type = type_of_module(module_name, "Custom");

    Py_DECREF(drive_getsets(type));
    Py_DECREF(type);
}

static void
drive_custom4(const char *module_name)
{
    PyObject *type = type_of_module(module_name, "Custom");
    PyObject *op = drive_getsets(type);

    expect(PyObject_IS_GC(op), "a Custom is a container");
    expect(PyObject_GC_IsTracked(op), "a Custom is tracked");
    Py_DECREF(op);
    Py_DECREF(type);
}

/* A list in C with a counter of its own. */
static void
drive_sublist(const char *module_name)
{
    PyObject *type = type_of_module(module_name, "SubList");
    PyObject *op = need(make(type, Py_BuildValue("([iii])", 0, 1, 2), NULL),
                        "SubList([0, 1, 2])");

    expect(PyList_Check(op) && !PyList_CheckExact(op), "it is a list");
    expect(PyList_GET_SIZE(op) == 3, "it has the items given");
    PyObject *extended = PyObject_CallMethod(op, "extend", "O", op);
    expect(extended != NULL && PyList_Size(op) == 6, "extend by itself");
    Py_XDECREF(extended);

    PyObject *last = need(PyUnicode_FromString("last"), "a str");
    expect(PyList_Append(op, last) == 0, "append");
    expect(is_text(PySequence_GetItem(op, -1), "last"), "the last item");
    expect(is_number(PySequence_GetItem(op, 4), 1), "an item extended");
    Py_DECREF(last);

    expect(is_number(PyObject_CallMethod(op, "increment", NULL), 1),
           "increment() is 1");
    expect(is_number(PyObject_CallMethod(op, "increment", NULL), 2),
           "increment() is 2");
    Py_DECREF(op);
    Py_DECREF(type);
}

static void
drive_all(void)
{
    static const struct {
        const char *name, *found;
        void (*drive)(const char *module_name);
    } modules[] = {
        {"builtin_custom", "the built-in table", drive_custom},
        {"custom", "PYBOEHM_PATH", drive_custom},
        {"custom2", "PYBOEHM_PATH", drive_custom2},
        {"custom3", "PYBOEHM_PATH", drive_custom3},
        {"custom4", "PYBOEHM_PATH", drive_custom4},
        {"sublist", "PYBOEHM_PATH", drive_sublist},
    };

    printf("%-16s %-20s %s\n", "module", "imported from", "checks");
    for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
        int passed_before = passed, failed_before = failed;

        modules[i].drive(modules[i].name);
        printf("%-16s %-20s %d passed, %d failed\n", modules[i].name,
               modules[i].found, passed - passed_before,
               failed - failed_before);
    }
}

/* ------------------------------------------------------------------ */
/* Cycles                                                              */

/* As custom4 lays it out. */
typedef struct {
    PyObject_HEAD
    PyObject *first;
    PyObject *last;
    int number;
} CustomObject;

/* Makes from.first refer to to.  The setter takes strings only, but the field
   holds any object, and custom4 traverses and clears it: this is what other
   C code of that module might do. */
static void
tie(PyObject *from, PyObject *to)
{
    CustomObject *custom = (CustomObject *)from;
    PyObject *old = custom->first;

    Py_INCREF(to);
    custom->first = to;
    Py_XDECREF(old);
}

/* Makes the objects, alive through the array: of each four, two hold
   themselves and two hold one another. */
static void
make_cycles(PyObject *type, PyObject **objects)
{
    for (int i = 0; i < OBJECTS; i++)
        objects[i] = need(PyObject_CallObject(type, NULL), "Custom()");
    for (int i = 0; i < OBJECTS; i += 4) {
        tie(objects[i], objects[i]);
        tie(objects[i + 1], objects[i + 1]);
        tie(objects[i + 2], objects[i + 3]);
        tie(objects[i + 3], objects[i + 2]);
    }
}

static double
seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The process's resident memory in MiB. */
static double
resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long size, pages;

    if (file == NULL || fscanf(file, "%ld %ld", &size, &pages) != 2)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* How many objects of a type are tracked. */
struct census {
    PyTypeObject *type;
    int count;
};

static int
count_one(PyObject *op, void *arg)
{
    struct census *census = arg;

    census->count += Py_IS_TYPE(op, census->type);
    return 1;
}

static int
tracked(PyObject *type)
{
    struct census census = {(PyTypeObject *)type, 0};

    PyUnstable_GC_VisitObjects(count_one, &census);
    return census.count;
}

/* One round's figures: objects, seconds, and MiB resident. */
struct round {
    Py_ssize_t collected;
    double making, collecting;
    double before, full, after;
};

/* Makes the cycles, drops them, has them collected. */
static struct round
run_round(PyObject *type, PyObject **objects)
{
    struct round round = {.before = resident()};
    double start = seconds();
    make_cycles(type, objects);
    round.making = seconds() - start;
    round.full = resident();

    expect(PyGC_Collect() == 0, "what is held is not collected");
    expect(tracked(type) == OBJECTS, "all objects are tracked");
    for (int i = 0; i < OBJECTS; i++)
        Py_CLEAR(objects[i]);

    start = seconds();
    round.collected = PyGC_Collect();
    round.collecting = seconds() - start;
    expect(round.collected == OBJECTS,
           "PyGC_Collect() returns the exact number");
    expect(tracked(type) == 0, "no object is left");
    expect(PyGC_Collect() == 0, "nothing is left to collect");
    round.after = resident();
    return round;
}

static void
print_pace(const char *what, double time)
{
    printf("  %-10s %6.2f ms %6.0f ns each %7.1f million objects/s\n", what,
           time * 1e3, time * 1e9 / OBJECTS, OBJECTS / time / 1e6);
}

static void
print_memory(int number, const struct round *round)
{
    printf("  time %-5d %11.1f %12.1f %12.1f\n", number, round->before,
           round->full, round->after);
}

static void
print_rounds(const struct round *rounds)
{
    double making = rounds[0].making, collecting = rounds[0].collecting;

    for (int i = 1; i < ROUNDS; i++) {
        making = Py_MIN(making, rounds[i].making);
        collecting = Py_MIN(collecting, rounds[i].collecting);
    }
    printf("\n%d custom4.Custom objects that hold themselves or one "
           "another:\n",
           OBJECTS);
    printf("  made, dropped and collected %d times; PyGC_Collect() returned "
           "%zd\n",
           ROUNDS, rounds[ROUNDS - 1].collected);
    print_pace("made", making);
    print_pace("collected", collecting);

    printf("\nMiB resident  before them    with them   collected\n");
    print_memory(1, &rounds[0]);
    print_memory(WARM, &rounds[WARM - 1]);
    print_memory(ROUNDS, &rounds[ROUNDS - 1]);
}

static void
collect_cycles(void)
{
    static PyObject *objects[OBJECTS];
    static struct round rounds[ROUNDS];
    PyObject *type = type_of_module("custom4", "Custom");

    PyGC_Collect();
    for (int i = 0; i < ROUNDS; i++)
        rounds[i] = run_round(type, objects);
    print_rounds(rounds);
    Py_DECREF(type);

    expect(rounds[0].after - rounds[0].before <
               (rounds[0].full - rounds[0].before) / 2,
           "most of the memory came back to the system");
    /* The heap finds its size in the first rounds.  Were the memory of each
       round lost, the others would add more than 70 MiB. */
    expect(rounds[ROUNDS - 1].full < rounds[WARM - 1].full + 3,
           "the memory came back: later rounds need no more");
}

int
main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (PyImport_AppendInittab("builtin_custom", PyInit_builtin_custom) < 0)
        return EXIT_FAILURE;
    Py_Initialize();
    drive_all();
    collect_cycles();
    expect(Py_FinalizeEx() == 0, "Py_FinalizeEx()");

    printf("\n%d passed, %d failed\n", passed, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
