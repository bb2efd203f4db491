/* final_hook.c: what sys.unraisablehook is told, and what is written when
   there is none or it fails.
   Manual: "PyErr_WriteUnraisable"; "sys.unraisablehook". */

#include "oracle.h"

static void
say_part(PyObject *args, const char *name)
{
    PyObject *part = PyObject_GetAttrString(args, name);

    printf("    ");
    if (part != NULL && PyCFunction_Check(part))
        say("%s: a function", name); /* its repr has an address */
    else
        show_kept(name, part);
    Py_XDECREF(part);
}

static PyObject *
hook(PyObject *self, PyObject *args)
{
    const char *parts[] = {"exc_type", "exc_value", "exc_traceback", "err_msg",
                           "object"};

    say("hook, of an %s:", Py_TYPE(args)->tp_name);
    for (int i = 0; i < 5; i++)
        say_part(args, parts[i]);
    Py_RETURN_NONE;
}

static PyMethodDef hook_def = {"hook", hook, METH_O, NULL};

static PyObject *
failing_hook(PyObject *self, PyObject *args)
{
    PyErr_SetString(PyExc_RuntimeError, "the hook fails");
    return NULL;
}

static PyMethodDef failing_def = {"failing", failing_hook, METH_O, NULL};

static void
set_hook(PyMethodDef *def)
{
    PyObject *function = need(PyCFunction_New(def, NULL));

    PySys_SetObject("unraisablehook", function);
    Py_DECREF(function);
}

static void
write_unraisable(PyObject *object)
{
    PyErr_SetString(PyExc_ValueError, "spam");
    PyErr_WriteUnraisable(object);
    error();
}

/* The message that the hook gets, as text; NULL of a missing one. */
static char message[200];

static PyObject *
keep_message(PyObject *self, PyObject *args)
{
    PyObject *text_of = PyObject_GetAttrString(args, "err_msg");

    snprintf(message, sizeof message, "%s",
             text_of == Py_None ? "None" : PyUnicode_AsUTF8(text_of));
    Py_XDECREF(text_of);
    Py_RETURN_NONE;
}

static PyMethodDef keep_def = {"keep", keep_message, METH_O, NULL};

static void
raise(struct actor *a)
{
    PyErr_SetString(PyExc_ValueError, "raised");
}

static void
message_of_clear(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");

    a->on_clear = raise;
    actor_set(a, 0, a);
    Py_DECREF(a);
    collect();
    differs("the manual gives no text: ours is 3.13's, which names the type; "
            "3.11's hook gets it as the object",
            "Exception ignored in tp_clear of oracle.Actor",
            "Exception ignored in tp_clear of", message);
}

static void
message_of_callback(void)
{
    struct actor *a = actor_new(&Actor_Type, "a");
    PyObject *callback = need(PyCFunction_New(&failing_def, NULL));
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)a, callback));

    Py_DECREF(a);
    message[strcspn(message, "<")] = '\0'; /* the repr has an address */
    differs("the manual gives no text: ours is 3.14's, which says what was "
            "called; 3.11's hook gets it as the object",
            "Exception ignored while calling weakref callback ", "None",
            message);
    drop_all(weakref, callback);
}

static void
message_of_del(void)
{
    PyObject *del = need(PyCFunction_New(&failing_def, NULL));
    PyObject *type =
        call_type(&PyType_Type, "s(){sO}", "Class", "__del__", del);

    Py_DECREF(need(PyObject_CallNoArgs(type)));
    message[strcspn(message, "<")] = '\0';
    differs("the manual gives no text: ours is 3.14's, which says what was "
            "called; 3.11's hook gets it as the object",
            "Exception ignored while calling deallocator ", "None", message);
    drop_all(type, del);
}

void
oracle_program(void)
{
    PyObject *list = need(Py_BuildValue("[i]", 5));

    set_hook(&hook_def);
    write_unraisable(list);
    write_unraisable(NULL);
    write_unraisable(Py_None);
    set_hook(&failing_def);
    write_unraisable(list);
    set_hook(&keep_def);
    message_of_clear();
    message_of_callback();
    message_of_del();
    Py_DECREF(list);
}
