/* fatal.c: how the library dies: with a message that names function, object
   and cause.  See fatal.h. */

#include "Python.h"

#include "gc/environment.h"
#include "gc/fatal.h"
#include "gc/inspect.h"
#include "gc/upcalls.h"

#ifndef PYBOEHM_CHECKS
int pyb_checks;
#endif

void
pyb_fatal_init(void)
{
#ifndef PYBOEHM_CHECKS
    const char *wish = pyb_environment("PYBOEHM_CHECK");

    pyb_checks = wish != NULL && strcmp(wish, "1") == 0;
#endif
}

void
_Py_FatalErrorFunc(const char *func, const char *message)
{
    fflush(stdout);
    fprintf(stderr, "Fatal Python error: %s: %s\n", func, message);
    fflush(stderr);
    abort();
}

void
pyb_fatal_format(const char *function, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    _Py_FatalErrorFunc(function, text);
}

/* Writes what is known of op; its type may be broken, so the repr, which runs
   the type's code, comes last. */
static void
dump(PyObject *op)
{
    PyTypeObject *type = op->ob_type;

    fprintf(stderr, "object address  : %p\n", (void *)op);
    fprintf(stderr, "object refcount : %zd\n", op->ob_refcnt);
    fprintf(stderr, "object type     : %p\n", (void *)type);
    fprintf(stderr, "object type name: %s\n", pyb_inspect_type(op));
    fflush(stderr);
    fprintf(stderr, "object repr     : ");
    if (pyb_inspect_is_object(op) && pyb_upcalls.print_repr != NULL)
        pyb_upcalls.print_repr(op, stderr);
    fprintf(stderr, "\n\n");
    fflush(stderr);
}

void
pyb_fatal_type(const char *slot, const char *type, const void *op,
               const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pyb_fatal_format(slot, "type %s: %s, object at %p", type, text, op);
}

void
pyb_fatal_dump(const char *file, int line, const char *function, PyObject *op,
               const char *text)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s: Assertion failed: %s\n\n", file, line,
            function, text);
    if (op != NULL)
        dump(op);
}

void
pyb_fatal_object(const char *file, int line, const char *function,
                 PyObject *op, const char *text)
{
    pyb_fatal_dump(file, line, function, op, text);
    if (op == NULL)
        _Py_FatalErrorFunc(function, text);
    pyb_fatal_type(function, pyb_inspect_type(op), op, "%s", text);
}
