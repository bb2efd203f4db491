/* getargs.c: parses positional arguments: PyArg_ParseTuple and kin.  Also
   functions around a parse that getargskw.c shares. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"

/* ------------------------------------------------------------------ */
/* A parse from begin to end                                           */

void
pyb_getargs_begin(struct pyb_getargs *p, const char *format, va_list va)
{
    const char *name = strpbrk(format, ":;");

    p->format = format;
    va_copy(p->va, va);
    p->function = name != NULL && *name == ':' ? name + 1 : NULL;
    p->message = name != NULL && *name == ';' ? name + 1 : NULL;
    p->argument = NULL;
    p->depth = 0;
    p->problem[0] = '\0';
    p->cleanups = p->few;
    p->ncleanups = 0;
    p->room = PYB_GETARGS_CLEANUPS;
}

int
pyb_getargs_end(struct pyb_getargs *p, int ok)
{
    PYB_ASSERT(p->ncleanups <= p->room);
    PYB_ASSERT((p->cleanups == p->few) == (p->room == PYB_GETARGS_CLEANUPS));
    if (!ok) {
        for (size_t i = 0; i < p->ncleanups; i++)
            p->cleanups[i].release(NULL, p->cleanups[i].address);
    }
    if (p->cleanups != p->few)
        PyMem_Free(p->cleanups);
    va_end(p->va);
    return ok;
}

const char *
pyb_getargs_function(const struct pyb_getargs *p, const char *otherwise)
{
    return p->function == NULL ? otherwise : p->function;
}

const char *
pyb_getargs_parens(const struct pyb_getargs *p)
{
    return p->function == NULL ? "" : "()";
}

/* Appends to the text of that size, cutting off what does not fit. */
static void
append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list va;

    PYB_ASSERT(used < size);
    va_start(va, format);
    vsnprintf(text + used, size - used, format, va);
    va_end(va);
}

void
pyb_getargs_report(const struct pyb_getargs *p, int number, int level)
{
    PyObject *type =
        p->problem[0] == '(' ? PyExc_SystemError : PyExc_TypeError;
    char text[2 * PYB_GETARGS_PROBLEM + 512] = "";

    PYB_ASSERT(p->depth >= 0 && p->depth <= PYB_GETARGS_DEPTH);
    if (PyErr_Occurred())
        return;
    if (p->message != NULL) {
        PyErr_SetString(type, p->message);
        return;
    }
    if (p->function != NULL)
        append(text, sizeof(text), "%.200s() ", p->function);
    append(text, sizeof(text), "argument");
    if (p->argument != NULL)
        append(text, sizeof(text), " '%.200s'", p->argument);
    else if (number != 0)
        append(text, sizeof(text), " %d", number);
    for (; level < p->depth; level++)
        append(text, sizeof(text), ", item %d", p->path[level]);
    append(text, sizeof(text), " %s", p->problem);
    PyErr_SetString(type, text);
}

/* ------------------------------------------------------------------ */
/* Formats                                                             */

static int
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int
is_end(char c)
{
    return c == '\0' || c == ':' || c == ';';
}

int
pyb_getargs_count(const char *format, struct pyb_getargs_count *count)
{
    int level = 0;

    count->min = -1;
    count->max = 0;
    count->closed = 0;
    for (; !is_end(*format); format++) {
        if (*format == ')') {
            if (level == 0) {
                count->closed = 1;
                break;
            }
            level--;
        } else if (*format == '(') {
            count->max += level == 0;
            if (++level >= PYB_GETARGS_DEPTH)
                return pyb_fail(PyExc_SystemError,
                                "too many tuple nesting levels in argument "
                                "format string");
        } else if (level == 0 && *format == '|') {
            count->min = count->max;
        } else if (level == 0 && is_letter(*format) && *format != 'e') {
            count->max++; /* es and et count by their second letter */
        }
    }
    if (level != 0)
        return pyb_fail(PyExc_SystemError, "missing ')' in getargs format");
    if (count->min < 0)
        count->min = count->max;
    PYB_ASSERT(count->min <= count->max);
    return 0;
}

/* pyb_getargs_count for a whole format. */
static int
count_all(const char *format, struct pyb_getargs_count *count)
{
    if (pyb_getargs_count(format, count) < 0)
        return -1;
    if (!count->closed)
        return 0;
    return pyb_fail(PyExc_SystemError, "excess ')' in getargs format");
}

/* ------------------------------------------------------------------ */
/* Positional arguments                                                */

/* 1 if there are as many arguments as the format asks for. */
static int
check_number(const struct pyb_getargs *p, Py_ssize_t nargs)
{
    struct pyb_getargs_count count;

    if (count_all(p->format, &count) < 0)
        return 0;
    if (count.min <= nargs && nargs <= count.max)
        return 1;
    if (p->message != NULL) {
        PyErr_SetString(PyExc_TypeError, p->message);
        return 0;
    }

    int few = nargs < count.min;
    int limit = few ? count.min : count.max;
    PYB_ASSERT(few || nargs > count.max);
    PyErr_Format(PyExc_TypeError,
                 "%.150s%s takes %s %d argument%s (%zd given)",
                 pyb_getargs_function(p, "function"), pyb_getargs_parens(p),
                 count.min == count.max ? "exactly"
                 : few                  ? "at least"
                                        : "at most",
                 limit, limit == 1 ? "" : "s", nargs);
    return 0;
}

/* 1 if the format goes on, behind the last unit used, in a possible way. */
static int
check_rest(const struct pyb_getargs *p, const char *format)
{
    char next = *p->format;

    if (is_end(next) || is_letter(next) || next == '(' || next == '|')
        return 1;
    PyErr_Format(PyExc_SystemError, "bad format string: %.200s", format);
    return 0;
}

static int
convert_all(struct pyb_getargs *p, PyObject *const *args, Py_ssize_t nargs)
{
    const char *format = p->format;

    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (*p->format == '|')
            p->format++;
        PYB_ASSERT(!is_end(*p->format)); /* there are nargs units */
        if (pyb_getargs_convert(p, args[i]) < 0) {
            pyb_getargs_report(p, (int)i + 1, 0);
            return 0;
        }
        PYB_ASSERT(p->depth == 0);
    }
    return check_rest(p, format);
}

static int
parse_array(PyObject *const *args, Py_ssize_t nargs, const char *format,
            va_list va)
{
    struct pyb_getargs p;

    pyb_getargs_begin(&p, format, va);
    return pyb_getargs_end(&p, check_number(&p, nargs) &&
                                   convert_all(&p, args, nargs));
}

static int
parse_tuple(PyObject *args, const char *format, va_list va)
{
    if (args == NULL || !PyTuple_Check(args)) {
        PyErr_SetString(
            PyExc_SystemError,
            "new style getargs format but argument is not a tuple");
        return 0;
    }
    return parse_array(((PyTupleObject *)args)->ob_item, PyTuple_Size(args),
                       format, va);
}

int
PyArg_ParseTuple(PyObject *args, const char *format, ...)
{
    va_list va;

    va_start(va, format);
    int ok = parse_tuple(args, format, va);
    va_end(va);
    return ok;
}

int
PyArg_VaParse(PyObject *args, const char *format, va_list va)
{
    return parse_tuple(args, format, va);
}

int
PyArg_ParseArray(PyObject *const *args, Py_ssize_t nargs, const char *format,
                 ...)
{
    va_list va;

    va_start(va, format);
    int ok = parse_array(args, nargs, format, va);
    va_end(va);
    return ok;
}

/* ------------------------------------------------------------------ */
/* PyArg_Parse                                                         */

static int
complain(const struct pyb_getargs *p, const char *what)
{
    PyErr_Format(PyExc_TypeError, "%.200s%s %s",
                 pyb_getargs_function(p, "function"), pyb_getargs_parens(p),
                 what);
    return 0;
}

/* The argument stands for itself, so an item of a unit in parentheses is
   called an argument. */
static int
parse_single(struct pyb_getargs *p, PyObject *arg)
{
    struct pyb_getargs_count count;

    if (count_all(p->format, &count) < 0)
        return 0;
    if (count.max == 0)
        return arg == NULL ? 1 : complain(p, "takes no arguments");
    if (count.min != 1 || count.max != 1) {
        PyErr_SetString(PyExc_SystemError,
                        "old style getargs format uses new features");
        return 0;
    }
    if (arg == NULL)
        return complain(p, "takes at least one argument");
    if (pyb_getargs_convert(p, arg) == 0)
        return 1;
    pyb_getargs_report(p, p->depth > 0 ? p->path[0] + 1 : 0, 1);
    return 0;
}

int
pyb_getargs_parse_one(PyObject *arg, const char *format, va_list va)
{
    struct pyb_getargs p;

    pyb_getargs_begin(&p, format, va);
    return pyb_getargs_end(&p, parse_single(&p, arg));
}

int
PyArg_Parse(PyObject *args, const char *format, ...)
{
    va_list va;

    va_start(va, format);
    int ok = pyb_getargs_parse_one(args, format, va);
    va_end(va);
    return ok;
}

/* ------------------------------------------------------------------ */
/* PyArg_UnpackTuple                                                   */

/* 1 if n lies between min and max. */
static int
check_size(const char *name, Py_ssize_t n, Py_ssize_t min, Py_ssize_t max)
{
    if (min <= n && n <= max)
        return 1;

    Py_ssize_t limit = n < min ? min : max;
    const char *bound = min == max ? "" : n < min ? "at least " : "at most ";
    const char *plural = limit == 1 ? "" : "s";
    if (name != NULL)
        PyErr_Format(PyExc_TypeError,
                     "%.200s expected %s%zd argument%s, got %zd", name, bound,
                     limit, plural, n);
    else
        PyErr_Format(PyExc_TypeError,
                     "unpacked tuple should have %s%zd element%s, "
                     "but has %zd",
                     bound, limit, plural, n);
    return 0;
}

int
PyArg_UnpackTuple(PyObject *args, const char *name, Py_ssize_t min,
                  Py_ssize_t max, ...)
{
    va_list va;

    if (args == NULL || !PyTuple_Check(args)) {
        PyErr_SetString(PyExc_SystemError,
                        "PyArg_UnpackTuple() argument list is not a tuple");
        return 0;
    }

    Py_ssize_t n = PyTuple_Size(args);
    if (!check_size(name, n, min, max))
        return 0;
    va_start(va, max);
    for (Py_ssize_t i = 0; i < n; i++)
        *va_arg(va, PyObject **) = ((PyTupleObject *)args)->ob_item[i];
    va_end(va);
    return 1;
}
