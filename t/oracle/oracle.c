/* oracle.c: the frame around the oracle's programs; see oracle.h. */

#include "oracle.h"

#include <ctype.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EVENTS_MAX = 4096, TEXT_MAX = 96, LINE_SIZE = 4096 };

/* What happened in the collection that runs. */
struct kept {
    char who[TEXT_MAX], what[TEXT_MAX];
    int phase, order;
};
static struct kept events[EVENTS_MAX];
static int n_events, collecting;

int tell_clears;

static PyObject *gc;

/* Replaces the digits of each address in the line. */
static void
strip_addresses(char *line)
{
    for (char *p = line; (p = strstr(p, "0x")) != NULL; p++) {
        size_t n = strspn(p + 2, "0123456789abcdef");

        if (n > 4) {
            p[2] = '?';
            memmove(p + 3, p + 2 + n, strlen(p + 2 + n) + 1);
        }
    }
}

static void
say_line(char *line)
{
    strip_addresses(line);
    puts(line);
    fflush(stdout); /* a crash must not eat what came before it */
}

void
say(const char *format, ...)
{
    char line[LINE_SIZE];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    say_line(line);
}

const char *
text(const char *format, ...)
{
    static char buffer[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    return buffer;
}

void *
need(void *op)
{
    if (op == NULL) {
        PyErr_Print();
        say("something that must not fail did");
        exit(EXIT_FAILURE);
    }
    return op;
}

PyObject no_object;

void
drop_until(void *op, ...)
{
    va_list more;

    va_start(more, op);
    for (; op != &no_object; op = va_arg(more, void *))
        Py_DECREF((PyObject *)op);
    va_end(more);
}

/* ------------------------------------------------------------------ */
/* Events                                                              */

static const char *
phase_of(const char *what)
{
    return strcmp(what, "dealloc") == 0 ? "clear" : what;
}

void
event(const char *who, const char *what)
{
    struct kept *last = n_events > 0 ? &events[n_events - 1] : NULL;
    struct kept *e = &events[n_events];

    if (!collecting) {
        say("%s: %s", who, what);
        return;
    }
    if (n_events == EVENTS_MAX)
        need(NULL);
    snprintf(e->who, sizeof e->who, "%s", who);
    snprintf(e->what, sizeof e->what, "%s", what);
    e->order = n_events++;
    e->phase = 0;
    if (last != NULL)
        e->phase =
            last->phase + (strcmp(phase_of(last->what), phase_of(what)) != 0);
}

static int
compare_events(const void *x, const void *y)
{
    const struct kept *a = x, *b = y;
    int names = strcmp(a->who, b->who);

    if (a->phase != b->phase)
        return a->phase - b->phase;
    return names != 0 ? names : a->order - b->order;
}

/* Of objects that go together, the first ones that are cleared set the others
   free; which these are depends on the order. */
static int
is_told(const struct kept *e)
{
    const struct kept *next = e + 1;

    return tell_clears || strcmp(e->what, "clear") != 0 ||
           next == &events[n_events] || strcmp(next->what, "dealloc") != 0 ||
           strcmp(next->who, e->who) != 0;
}

static void
say_events(void)
{
    qsort(events, (size_t)n_events, sizeof events[0], compare_events);
    for (int i = 0; i < n_events; i++)
        if (is_told(&events[i]))
            say("    %s: %s", events[i].who, events[i].what);
    n_events = 0;
}

static void
collect_by(PyObject *call)
{
    if (call == NULL)
        error();
    collecting = 0;
    say_events();
    if (call != NULL)
        say("    unreachable: %ld", PyLong_AsLong(call));
    Py_XDECREF(call);
}

void
collect(void)
{
    say("collect:");
    collecting = 1;
    collect_by(PyLong_FromSsize_t(PyGC_Collect()));
}

void
collect_generation(int generation)
{
    say("collect generation %d:", generation);
    collecting = 1;
    collect_by(gc_call("collect", "(i)", generation));
}

/* ------------------------------------------------------------------ */
/* Objects and errors                                                  */

/* The text without the "FILE:LINE: " that it may begin with. */
static const char *
without_place(const char *str)
{
    const char *colon = strchr(str, ':');
    const char *end = colon != NULL ? strchr(colon + 1, ':') : NULL;

    if (end == NULL || end == colon + 1 || end[1] != ' ')
        return NULL;
    for (const char *p = colon + 1; p < end; p++)
        if (!isdigit((unsigned char)*p))
            return NULL;
    return end + 2;
}

const char *
error_text(void)
{
    PyObject *type, *value, *traceback, *str;
    const char *utf8, *rest;
    static char all[LINE_SIZE / 2];

    PyErr_Fetch(&type, &value, &traceback);
    if (type == NULL)
        return "no exception";
    PyErr_NormalizeException(&type, &value, &traceback);
    str = PyObject_Str(value);
    utf8 = str != NULL ? PyUnicode_AsUTF8(str) : "(no text)";
    rest = without_place(utf8);
    snprintf(all, sizeof all, "%s: %s%s", Py_TYPE(value)->tp_name,
             rest != NULL ? "FILE:LINE: " : "", rest != NULL ? rest : utf8);
    PyErr_Clear();
    Py_XDECREF(str);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return all;
}

void
error(void)
{
    say("%s", error_text());
}

void
result(const char *label, long value)
{
    if (PyErr_Occurred() != NULL)
        say("%s: %ld, %s", label, value, error_text());
    else
        say("%s: %ld", label, value);
}

void
show_kept(const char *label, PyObject *op)
{
    PyObject *repr = op != NULL ? PyObject_Repr(op) : NULL;

    if (repr != NULL) {
        say("%s: %s", label, PyUnicode_AsUTF8(repr));
        Py_DECREF(repr);
        return;
    }
    say("%s: NULL, %s", label, error_text());
}

void
show(const char *label, PyObject *op)
{
    show_kept(label, op);
    Py_XDECREF(op);
}

void
show_inner(const char *label, PyObject *op)
{
    if (op != NULL) {
        show(label, op);
        return;
    }
    const char *text = error_text();
    const char *inner = strstr(text, "codec failed (");
    if (inner == NULL)
        say("%s: NULL, %s", label, text);
    else
        say("%s: NULL, %.*s", label, (int)strlen(inner) - 15, inner + 14);
}

static int
is_actor(PyObject *op)
{
    return Py_TYPE(op)->tp_dealloc == actor_dealloc;
}

static int
visit_show(PyObject *op, void *arg)
{
    (void)arg;
    if (op == NULL)
        printf(" NULL");
    else if (is_actor(op))
        printf(" %s", ((struct actor *)op)->name);
    else if (PyType_Check(op))
        printf(" type:%s", ((PyTypeObject *)op)->tp_name);
    else
        printf(" %s", Py_TYPE(op)->tp_name);
    return 0;
}

void
visits(const char *label, PyObject *op)
{
    printf("%s visits:", label);
    Py_TYPE(op)->tp_traverse(op, visit_show, NULL);
    putchar('\n');
}

void
state(const char *label, PyObject *op)
{
    say("%s: %s, %s, count %ld", label,
        PyObject_GC_IsTracked(op) ? "tracked" : "untracked",
        PyObject_GC_IsFinalized(op) ? "finalized" : "not finalized",
        (long)Py_REFCNT(op));
}

static FILE *stderr_text;
static int stderr_fd;

void
stderr_begin(void)
{
    stderr_text = need(tmpfile());
    fflush(stderr);
    stderr_fd = dup(STDERR_FILENO);
    if (stderr_fd < 0 || dup2(fileno(stderr_text), STDERR_FILENO) < 0)
        need(NULL);
}

/* Takes away the number before "s elapsed", and how many objects there are. */
static void
strip_numbers(char *line)
{
    char *end = strstr(line, "s elapsed");
    char *start = end;
    char *counts = strstr(line, "objects in ");

    while (start > line && strchr("0123456789.", start[-1]) != NULL)
        start--;
    if (end != NULL)
        memmove(start, end, strlen(end) + 1);
    if (counts != NULL && strchr(counts, ':') != NULL)
        strchr(counts, ':')[1] = '\0';
}

static void
stderr_back(void)
{
    fflush(stderr);
    dup2(stderr_fd, STDERR_FILENO);
    close(stderr_fd);
    rewind(stderr_text);
}

void
stderr_drop(void)
{
    stderr_back();
    fclose(stderr_text);
}

void
stderr_end(void)
{
    char line[LINE_SIZE] = "    stderr: ";
    const size_t n = strlen(line);

    stderr_back();
    while (fgets(line + n, (int)(sizeof line - n), stderr_text) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        strip_numbers(line);
        say_line(line);
    }
    fclose(stderr_text);
}

void
differs(const char *why, const char *ours, const char *cpython,
        const char *observed)
{
#ifdef ORACLE_PYBOEHM
    const char *expected = ours;
    (void)cpython;
#else
    const char *expected = cpython;
    (void)ours;
#endif
    if (strcmp(observed, expected) == 0)
        say("differs: %s", why);
    else
        say("NOT AS WRITTEN: \"%s\" instead of \"%s\"", observed, expected);
}

/* ------------------------------------------------------------------ */
/* Help                                                                */

void
need_ready(PyTypeObject *type)
{
    if (PyType_Ready(type) < 0)
        need(NULL);
}

static PyObject *
return_none(PyObject *self, PyObject *args)
{
    Py_RETURN_NONE;
}

PyMethodDef none_def = {"nothing", return_none, METH_NOARGS, NULL};

const char *
ref_life(PyObject *ref)
{
    return ref == NULL                           ? "none"
           : PyWeakref_GetObject(ref) == Py_None ? "dead"
                                                 : "alive";
}

unsigned pick_seed;

int
pick(int n)
{
    pick_seed = pick_seed * 1103515245 + 12345;
    return (int)(pick_seed >> 16) % n;
}

static PyObject *
say_unraisable(PyObject *self, PyObject *args)
{
    PyObject *value = PyObject_GetAttrString(args, "exc_value");
    PyObject *str = value != NULL ? PyObject_Str(value) : NULL;
    char line[TEXT_MAX];

    (void)self;
    if (str == NULL)
        return NULL;
    snprintf(line, sizeof line, "%s: %s", Py_TYPE(value)->tp_name,
             PyUnicode_AsUTF8(str));
    event("unraisable", line);
    Py_DECREF(str);
    Py_DECREF(value);
    Py_RETURN_NONE;
}

static PyMethodDef unraisable_def = {"unraisablehook", say_unraisable, METH_O,
                                     NULL};

void
unraisable_to_transcript(void)
{
    PyObject *hook = need(PyCFunction_New(&unraisable_def, NULL));

    PySys_SetObject("unraisablehook", hook);
    Py_DECREF(hook);
}

/* What follows one of the words that are told of a line; NULL for others. */
static const char *
last_word(const char *line, int *has_assertion)
{
    const char *found = strstr(line, "Assertion failed: ");

    if (found != NULL) {
        *has_assertion = 1;
        return found;
    }
    if (strncmp(line, "Fatal Python error: ", 20) == 0)
        return *has_assertion ? NULL : line;
    if (strncmp(line, "object refcount ", 16) == 0 ||
        strncmp(line, "object type name", 16) == 0)
        return line;
    return NULL;
}

static void
say_last_words(FILE *from)
{
    char line[512];
    int has_assertion = 0;

    while (fgets(line, sizeof line, from) != NULL) {
        const char *word = last_word(line, &has_assertion);

        if (word != NULL)
            printf("    %s", word);
    }
}

void
fatal(const char *label, void (*function)(void))
{
    FILE *words = tmpfile();
    int status = 0;
    pid_t child;

    fflush(stdout);
    child = words != NULL ? fork() : -1;
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        dup2(fileno(words), STDERR_FILENO);
        function();
        _exit(EXIT_SUCCESS);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        need(NULL);
    say("%s: %s", label,
        WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? "dies" : "lives");
    rewind(words);
    say_last_words(words);
    fclose(words);
}

/* function(...), as of the functions that have these arguments. */
static PyObject *
call_with(void *function, const char *format, va_list values)
{
    PyObject *args = need(Py_VaBuildValue(format, values));
    PyObject *result = PyObject_Call(function, args, NULL);

    Py_DECREF(args);
    return result;
}

PyObject *
call_type(void *type, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    PyObject *op = need(call_with(type, format, values));
    va_end(values);
    return op;
}

PyObject *
gc_call(const char *name, const char *format, ...)
{
    PyObject *function = need(PyObject_GetAttrString(gc, name));
    va_list values;

    va_start(values, format);
    PyObject *result = call_with(function, format, values);
    va_end(values);
    Py_DECREF(function);
    return result;
}

/* ------------------------------------------------------------------ */
/* Actors                                                              */

int
actor_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct actor *self = (struct actor *)op;

    for (int i = 0; i < ACTOR_REFS; i++)
        Py_VISIT(self->refs[i]);
    return 0;
}

static void
give_up_refs(struct actor *self)
{
    for (int i = 0; i < ACTOR_REFS; i++)
        Py_CLEAR(self->refs[i]);
}

int
actor_clear(PyObject *op)
{
    struct actor *self = (struct actor *)op;

    event(self->name, "clear");
    if (self->on_clear != NULL)
        self->on_clear(self);
    give_up_refs(self);
    return 0;
}

void
actor_finalize(PyObject *op)
{
    struct actor *self = (struct actor *)op;

    event(self->name, "finalize");
    if (self->on_finalize != NULL)
        self->on_finalize(self);
}

/* Is it for actor_dealloc to give up the reference to the type?  A class that
   type() made has a deallocator of its own, which does so if this one is that
   of a static type. */
static int
owns_type(PyTypeObject *type)
{
    while (type->tp_dealloc != actor_dealloc)
        type = type->tp_base;
    return (type->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
}

void
actor_dealloc(PyObject *op)
{
    struct actor *self = (struct actor *)op;
    PyTypeObject *type = Py_TYPE(op);

    if (type->tp_finalize != NULL && PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    event(self->name, "dealloc");
    if (self->on_dealloc != NULL)
        self->on_dealloc(self);
    if (self->weaklist != NULL)
        PyObject_ClearWeakRefs(op);
    give_up_refs(self);
    type->tp_free(op);
    if (owns_type(type))
        Py_DECREF(type);
}

#define ACTOR_FLAGS                                                           \
    (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE)

PyTypeObject Actor_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Actor",
    .tp_basicsize = sizeof(struct actor),
    .tp_flags = ACTOR_FLAGS,
    .tp_weaklistoffset = offsetof(struct actor, weaklist),
    .tp_dealloc = actor_dealloc,
    .tp_traverse = actor_traverse,
    .tp_clear = actor_clear,
};

PyTypeObject FinalActor_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.FinalActor",
    .tp_basicsize = sizeof(struct actor),
    .tp_flags = ACTOR_FLAGS,
    .tp_weaklistoffset = offsetof(struct actor, weaklist),
    .tp_dealloc = actor_dealloc,
    .tp_traverse = actor_traverse,
    .tp_clear = actor_clear,
    .tp_finalize = actor_finalize,
};

PyTypeObject FixedActor_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.FixedActor",
    .tp_basicsize = sizeof(struct actor),
    .tp_flags = ACTOR_FLAGS,
    .tp_weaklistoffset = offsetof(struct actor, weaklist),
    .tp_dealloc = actor_dealloc,
    .tp_traverse = actor_traverse,
};

static void
actor_del(PyObject *op)
{
    event(((struct actor *)op)->name, "tp_del");
}

PyTypeObject LegacyActor_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.LegacyActor",
    .tp_base = &Actor_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_del = actor_del,
};

struct actor *
actor_new(PyTypeObject *type, const char *name)
{
    struct actor *self = need(PyType_GenericAlloc(type, 0));

    snprintf(self->name, sizeof self->name, "%s", name);
    return self;
}

void
actor_set(struct actor *actor, int i, void *value)
{
    PyObject *old = actor->refs[i];

    Py_XINCREF((PyObject *)value);
    actor->refs[i] = value;
    Py_XDECREF(old);
}

static PyObject *
called_back(PyObject *name, PyObject *weakref)
{
    event(PyUnicode_AsUTF8(name), PyWeakref_GetObject(weakref) == Py_None
                                      ? "called, dead"
                                      : "called, alive");
    Py_RETURN_NONE;
}

static PyMethodDef called_back_def = {"called_back", called_back, METH_O,
                                      NULL};

PyObject *
watch(void *op, const char *name)
{
    PyObject *str = need(PyUnicode_FromString(name));
    PyObject *callback = need(PyCFunction_New(&called_back_def, str));
    PyObject *weakref = need(PyWeakref_NewRef(op, callback));

    Py_DECREF(callback);
    Py_DECREF(str);
    return weakref;
}

struct actor *actor_saved;

void
actor_save(struct actor *actor)
{
    actor_saved = actor;
    Py_INCREF(actor);
}

struct actor *
actor_ring(PyTypeObject *type, int n)
{
    struct actor *first = actor_new(type, "a"), *last = first;

    for (int i = 1; i < n; i++) {
        struct actor *next = actor_new(type, (char[]){(char)('a' + i), 0});

        last->refs[0] = (PyObject *)next; /* takes the reference over */
        last = next;
    }
    actor_set(last, 0, first);
    return first;
}

/* ------------------------------------------------------------------ */

int
main(void)
{
    Py_Initialize();
    gc = need(PyImport_ImportModule("gc"));
    need_ready(&Actor_Type);
    need_ready(&FinalActor_Type);
    need_ready(&FixedActor_Type);
    Py_DECREF(need(gc_call("set_threshold", "(i)", 0)));
    PyGC_Collect();
    Py_DECREF(need(gc_call("freeze", "()")));

    oracle_program();

    if (PyErr_Occurred() != NULL) {
        say("the program left an exception behind");
        error();
    }
    Py_DECREF(gc);
    Py_Finalize();
    return EXIT_SUCCESS;
}
