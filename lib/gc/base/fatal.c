/* fatal.c: how the library dies: with a message that names function, object
   and cause.  See fatal.h. */

#include "Python.h"

#include "gc/base/bold.h"
#include "gc/base/environment.h"
#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/check/inspect.h"
#include "gc/check/quarantine.h"

void
pyb_fatal_init(void)
{
#ifndef PYBOEHM_CHECKS
    pyb_checks = pyb_environment_switch("PYBOEHM_CHECK") == PYB_ON;
#endif
}

void
_Py_FatalErrorFunc(const char *func, const char *message)
{
    fflush(stdout);
    fprintf(stderr, "%sFatal Python error: %s: %s%s\n", pyb_bold(stderr), func,
            message, pyb_regular(stderr));
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
void
pyb_fatal_dump_object(PyObject *op)
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
    fprintf(stderr, "\n");
    fflush(stderr);
}

static void
write_headline(const char *slot, const char *type, const void *op,
               const char *text)
{
    fprintf(stderr, "%sFatal Python error: %s: ", pyb_bold(stderr), slot);
    if (type != NULL || op != NULL)
        fprintf(stderr, "type %s: %s, object at %p",
                type != NULL ? type : pyb_inspect_type(op), text, op);
    else
        fputs(text, stderr);
    fprintf(stderr, "%s\n", pyb_regular(stderr));
}

/* The function in a slot of an object's type; NULL if it is no slot of these,
   or if there is no object of a type with that name. */
static const void *
slot_function(const char *slot, const char *name, const PyObject *op)
{
    const PyTypeObject *type = pyb_inspect_is_object(op) ? Py_TYPE(op) : NULL;

    if (type == NULL || (name != NULL && strcmp(name, type->tp_name) != 0))
        return NULL;
    if (strcmp(slot, "tp_traverse") == 0)
        return (const void *)(uintptr_t)type->tp_traverse;
    if (strcmp(slot, "tp_clear") == 0)
        return (const void *)(uintptr_t)type->tp_clear;
    if (strcmp(slot, "tp_finalize") == 0)
        return (const void *)(uintptr_t)type->tp_finalize;
    return strcmp(slot, "tp_dealloc") == 0
               ? (const void *)(uintptr_t)type->tp_dealloc
               : NULL;
}

/* Where the slot is, and the history of an object, which with NULL is where
   this is. */
static void
write_places(const void *about, const char *slot, const char *type,
             const void *op)
{
    const void *function = slot_function(slot, type, op);

    PYB_ASSERT(pyb_events != NULL);
    if (function != NULL) {
        fprintf(stderr, "  its %s:", slot);
        pyb_events->where(function, stderr);
        fputc('\n', stderr);
        fflush(stderr);
    }
    if (about != NULL || type == NULL)
        pyb_events->history(about, stderr);
    if (pyb_quarantine_wanted() > 0 && pyb_inspect_is_freed(about))
        fprintf(stderr,
                "  there may have been another object at %p before: "
                "PYBOEHM_QUARANTINE=%zu keeps those below 1 MiB apart\n",
                about, pyb_quarantine_wanted());
}

/* One line, then what follows the newline in the text, and places.  A second
   failure in there ends it. */
static void
tell(const void *about, const char *slot, const char *type, const void *op,
     const char *format, va_list args)
{
    static int failing;
    char text[512], *more;

    vsnprintf(text, sizeof text, format, args);
    more = strchr(text, '\n');
    if (more != NULL)
        *more++ = '\0';
    if (ftrylockfile(stdout) == 0) { /* another thread may have it for long */
        fflush(stdout);
        funlockfile(stdout);
    }
    write_headline(slot, type, op, text);
    if (more != NULL)
        fprintf(stderr, "  %s\n", more);
    fflush(stderr);
    if (!failing++ && pyb_events != NULL)
        write_places(about, slot, type, op);
    fflush(stderr);
}

void
pyb_fatal_tell(const char *slot, const char *type, const void *op,
               const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(op, slot, type, op, format, args);
    va_end(args);
}

void
pyb_fatal_type(const char *slot, const char *type, const void *op,
               const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(op, slot, type, op, format, args);
    va_end(args);
    abort();
}

void
pyb_fatal_about(const void *about, const char *slot, const char *type,
                const void *op, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(about, slot, type, op, format, args);
    va_end(args);
    abort();
}

void
pyb_fatal_seen(PyObject *op)
{
    PYB_ASSERT(pyb_events != NULL && pyb_checks);
    pyb_events->places(op, stderr);
    pyb_fatal_type("PyBoehm_Adopt", NULL, op,
                   "dead by Boehm's word, and Boehm sees it");
}

void
pyb_fatal_defect(int defect, const void *op)
{
    char text[PYB_DEFECT_BYTES];

    pyb_defect_text((enum pyb_defect)defect, op, text);
    pyb_fatal_type(pyb_defect_slot((enum pyb_defect)defect, op), NULL, op,
                   "%s", text);
}

void
pyb_fatal_dump(const char *file, int line, const char *function, PyObject *op,
               const char *text)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s: Assertion failed: %s\n\n", file, line,
            function, text);
    if (op != NULL) {
        pyb_fatal_dump_object(op);
        fputc('\n', stderr);
    }
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
