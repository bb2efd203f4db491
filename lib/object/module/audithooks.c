/* audithooks.c: hooks that hear of events which modules announce.

   Manual: "Utilities", section "System Functions". */

#include "Python.h"

#include "object/error/errors.h"
#include "object/module/sys.h"

struct hook {
    Py_AuditHookFunction function;
    void *data;
    struct hook *next;
};

/* In the order in which they were added; changed by the attached thread, or
   before Py_Initialize. */
static struct hook *hooks;

int
PySys_AuditTuple(const char *event, PyObject *args)
{
    if (args != NULL && !PyTuple_Check(args))
        return pyb_failf(PyExc_TypeError, "args must be tuple, got %s",
                         Py_TYPE(args)->tp_name);
    if (hooks == NULL)
        return 0;
    PyObject *given = args != NULL ? Py_NewRef(args) : PyTuple_New(0);
    int result = given != NULL ? 0 : -1;
    for (struct hook *h = hooks; result == 0 && h != NULL; h = h->next)
        if (h->function(event, given, h->data) != 0)
            result = -1;
    Py_XDECREF(given);
    return result;
}

/* The tuple of a format; a single value becomes a tuple of it.  A new
   reference, or NULL with an exception. */
static PyObject *
build_tuple(const char *format, va_list va)
{
    PyObject *value = Py_VaBuildValue(format, va);

    if (value == NULL || PyTuple_Check(value))
        return value;
    PyObject *tuple = PyTuple_Pack(1, value);
    Py_DECREF(value);
    return tuple;
}

/* Without hooks nothing is made of the format. */
int
PySys_Audit(const char *event, const char *format, ...)
{
    va_list va;

    if (hooks == NULL)
        return 0;
    if (format == NULL || format[0] == '\0')
        return PySys_AuditTuple(event, NULL);
    va_start(va, format);
    PyObject *args = build_tuple(format, va);
    va_end(va);
    int result = args != NULL ? PySys_AuditTuple(event, args) : -1;
    Py_XDECREF(args);
    return result;
}

/* Do the hooks let another one be added?  1, or 0 if they fail with an
   Exception, which is dropped; -1 with any other one. */
static int
may_add(void)
{
    if (!Py_IsInitialized() || PySys_Audit("sys.addaudithook", NULL) == 0)
        return 1;
    if (!PyErr_ExceptionMatches(PyExc_Exception))
        return -1;
    PyErr_Clear();
    return 0;
}

int
PySys_AddAuditHook(Py_AuditHookFunction hook, void *data)
{
    struct hook **end = &hooks;
    int may = may_add();

    if (may <= 0)
        return may;
    struct hook *added = PyMem_RawMalloc(sizeof *added);
    if (added == NULL)
        return Py_IsInitialized() ? PYB_MEMORY_ERROR(-1) : -1;
    *added = (struct hook){hook, data, NULL};
    while (*end != NULL)
        end = &(*end)->next;
    *end = added;
    return 0;
}

void
pyb_sys_forget_hooks(void)
{
    while (hooks != NULL) {
        struct hook *first = hooks;
        hooks = first->next;
        PyMem_RawFree(first);
    }
}
