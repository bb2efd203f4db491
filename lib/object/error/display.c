/* display.c: an exception as people read it: before it those that it came of,
   after it its notes, and within it those of a group.

   Manual: "Exception Handling", PyErr_DisplayException; "BaseException",
   __cause__, __context__, add_note(); ExceptionGroup. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/stdstream.h"

/* As in CPython. */
enum { DEPTH_MAX = 10, WIDTH_MAX = 15 };

struct display {
    struct pyb_stdstream *out;
    PyObject *seen; /* the set of the addresses of those that were written, or
                       will be; NULL: without memory */
    int depth;      /* of groups in groups; 0: outside */
    int open;       /* a group's last line is due */
};

/* What a group's lines begin with. */
static void
write_margin(const struct display *display)
{
    PYB_ASSERT(display->depth >= 0 && display->depth <= DEPTH_MAX + 1);
    if (display->depth > 0)
        fprintf(display->out->file, "%*s| ", 2 * display->depth, "");
}

static void
write_line(const struct display *display, const char *line)
{
    write_margin(display);
    fprintf(display->out->file, "%s\n", line);
}

/* ------------------------------------------------------------------ */
/* Notes                                                               */

/* Each line of a text gets a margin. */
static void
write_note(const struct display *display, PyObject *note)
{
    PyObject *text = PyObject_Str(note), *lines = NULL;

    if (text != NULL)
        lines = PyUnicode_Splitlines(text, 1);
    PyErr_Clear();
    if (lines == NULL) {
        write_margin(display);
        fputs("<note str() failed>", display->out->file);
    }
    for (Py_ssize_t i = 0; lines != NULL && i < PyList_GET_SIZE(lines); i++) {
        write_margin(display);
        if (pyb_stdstream_put(display->out, PyList_GET_ITEM(lines, i)) < 0)
            fputs("<note str() failed>", display->out->file);
    }
    fputc('\n', display->out->file);
    Py_XDECREF(lines);
    Py_XDECREF(text);
}

static void
write_odd_notes(const struct display *display, PyObject *notes)
{
    write_margin(display);
    pyb_errors_write_text(PyObject_Repr, notes, "<__notes__ repr() failed>",
                          display->out);
    fputc('\n', display->out->file);
}

static void
write_notes(const struct display *display, PyObject *exception)
{
    PyObject *notes, *items = NULL;

    if (PyObject_GetOptionalAttrString(exception, "__notes__", &notes) < 0)
        PyErr_Clear();
    if (notes == NULL)
        return;
    if (PySequence_Check(notes) && !PyUnicode_Check(notes) &&
        !PyBytes_Check(notes))
        items = PySequence_Tuple(notes);
    PyErr_Clear();
    if (items == NULL)
        write_odd_notes(display, notes);
    for (Py_ssize_t i = 0; items != NULL && i < PyTuple_GET_SIZE(items); i++)
        write_note(display, PyTuple_GET_ITEM(items, i));
    Py_XDECREF(items);
    Py_DECREF(notes);
}

/* ------------------------------------------------------------------ */
/* Groups                                                              */

static void write_chain(struct display *display, PyObject *exception);

static void
write_exception(const struct display *display, PyObject *exception)
{
    PyObject *message;

    write_margin(display);
    message = pyb_errors_write_place(exception, display->out);
    if (message != NULL)
        write_margin(display); /* of the line after the place */
    pyb_errors_write(exception, message != NULL ? message : exception,
                     display->out);
    Py_XDECREF(message);
    write_notes(display, exception);
}

/* The line between a group and its first member, or between two members. */
static void
write_separator(const struct display *display, int first, const char *title)
{
    fprintf(display->out->file, "%*s+-%s--------------- %s ----------------\n",
            2 * (first ? display->depth - 1 : display->depth), "",
            first ? "+-" : "", title);
}

static void
write_member(struct display *display, PyObject *members, Py_ssize_t i)
{
    Py_ssize_t n = PyTuple_GET_SIZE(members);
    char text[48];

    PYB_ASSERT(i <= WIDTH_MAX);
    if (i < WIDTH_MAX) {
        snprintf(text, sizeof text, "%zd", i + 1);
        write_separator(display, i == 0, text);
        write_chain(display, PyTuple_GET_ITEM(members, i));
        return;
    }
    write_separator(display, 0, "...");
    snprintf(text, sizeof text, "and %zd more exception%s", n - i,
             n - i == 1 ? "" : "s");
    write_line(display, text);
}

static void
write_members(struct display *display, PyObject *members)
{
    Py_ssize_t n = Py_MIN(PyTuple_GET_SIZE(members), WIDTH_MAX + 1);

    display->depth++;
    for (Py_ssize_t i = 0; i < n; i++) {
        display->open = i == n - 1;
        write_member(display, members, i);
    }
    if (display->open)
        fprintf(display->out->file,
                "%*s+------------------------------------\n",
                2 * display->depth, "");
    display->open = 0;
    display->depth--;
}

static void
write_group(struct display *display, PyObject *group)
{
    PyObject *members = ((PyBaseExceptionGroupObject *)(void *)group)->excs;
    int depth = display->depth;

    PYB_ASSERT_OBJECT(members == NULL || PyTuple_Check(members), members);
    display->depth = Py_MAX(depth, 1);
    if (depth > DEPTH_MAX) {
        write_line(display, "... (max_group_depth is 10)");
    } else {
        write_exception(display, group);
        if (members != NULL)
            write_members(display, members);
    }
    display->depth = depth;
}

/* ------------------------------------------------------------------ */
/* What an exception came of                                           */

/* Notes that it is going to be written.  0 if that was so before, or if there
   is no memory: one that comes of itself has an end, too. */
static int
is_new(const struct display *display, PyObject *exception)
{
    PyObject *address =
        display->seen != NULL ? PyLong_FromVoidPtr(exception) : NULL;
    int fresh = address != NULL &&
                PySet_Contains(display->seen, address) == 0 &&
                PySet_Add(display->seen, address) == 0;

    Py_XDECREF(address);
    PyErr_Clear();
    return fresh;
}

/* What an exception came of, and in which way: a new reference, or NULL. */
static PyObject *
get_origin(PyObject *exception, int *is_cause)
{
    PyObject *cause = NULL;

    *is_cause = 0;
    if (!PyExceptionInstance_Check(exception))
        return NULL;
    cause = PyException_GetCause(exception);
    *is_cause = cause != NULL;
    if (cause != NULL)
        return cause;
    return ((PyBaseExceptionObject *)(void *)exception)->suppress_context
               ? NULL
               : PyException_GetContext(exception);
}

/* The exception and those that it came of, the last one first: a new list;
   NULL without memory. */
static PyObject *
get_chain(const struct display *display, PyObject *exception)
{
    PyObject *chain = PyList_New(0), *next = Py_NewRef(exception);
    int is_cause, failed = chain == NULL;

    while (next != NULL && !failed) {
        PyObject *origin = get_origin(next, &is_cause);

        failed = PyList_Append(chain, next) < 0;
        if (origin != NULL && !is_new(display, origin))
            Py_CLEAR(origin);
        Py_SETREF(next, origin);
    }
    Py_XDECREF(next);
    PyErr_Clear();
    return chain;
}

static void
write_link(const struct display *display, PyObject *exception)
{
    int is_cause;

    Py_XDECREF(get_origin(exception, &is_cause));
    write_line(display, "");
    write_line(display,
               is_cause ? "The above exception was the direct cause of the "
                          "following exception:"
                        : "During handling of the above exception, another "
                          "exception occurred:");
    write_line(display, "");
}

/* What was given as a cause need not be an exception. */
static void
write_one(struct display *display, PyObject *exception)
{
    if (!PyExceptionInstance_Check(exception)) {
        write_margin(display);
        fprintf(display->out->file,
                "TypeError: print_exception(): Exception expected for value, "
                "%s found\n",
                Py_TYPE(exception)->tp_name);
        return;
    }
    if (PyErr_GivenExceptionMatches(exception, PyExc_BaseExceptionGroup))
        write_group(display, exception);
    else
        write_exception(display, exception);
}

static void
write_chain(struct display *display, PyObject *exception)
{
    (void)is_new(display, exception);
    PyObject *chain = get_chain(display, exception);
    Py_ssize_t n = chain != NULL ? PyList_GET_SIZE(chain) : 0;

    for (Py_ssize_t i = n - 1; i > 0; i--) {
        int open = display->open; /* what it came of may be a group */

        write_one(display, PyList_GET_ITEM(chain, i));
        write_link(display, PyList_GET_ITEM(chain, i - 1));
        display->open = open;
    }
    write_one(display, exception);
    Py_XDECREF(chain);
}

void
pyb_errors_display(PyObject *exception, struct pyb_stdstream *out)
{
    struct display display = {.out = out, .seen = PySet_New(NULL)};

    PyErr_Clear();
    write_chain(&display, exception);
    Py_XDECREF(display.seen);
}
