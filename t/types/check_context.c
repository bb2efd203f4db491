/* check_context.c: context variables.  What the functions and methods say is
   in t/oracle/object/context_variables.c. */

#include "../support/suite.h"

#include <pthread.h>

static PyObject *
new_var(void)
{
    return suite_require(PyContextVar_New("x", NULL));
}

/* The variable has that value in the current context, NULL for none. */
static void
is_now(PyObject *var, PyObject *expected)
{
    PyObject *value;

    ck_assert_int_eq(PyContextVar_Get(var, NULL, &value), 0);
    ck_assert_ptr_eq(value, expected);
    Py_XDECREF(value);
}

static void
set(PyObject *var, PyObject *value)
{
    Py_DECREF(suite_require(PyContextVar_Set(var, value)));
}

START_TEST(references_end_where_values_do)
{
    PyObject *var = new_var(), *value = PyList_New(0), *found;
    PyObject *token = suite_require(PyContextVar_Set(var, value));

    ck_assert_int_eq(Py_REFCNT(value), 2);
    ck_assert_int_eq(PyContextVar_Get(var, NULL, &found), 0);
    ck_assert_int_eq(Py_REFCNT(value), 3);
    Py_DECREF(found);
    set(var, Py_None);
    ck_assert_int_eq(Py_REFCNT(value), 1);
    ck_assert_int_eq(PyContextVar_Reset(var, token), 0);
    is_now(var, NULL);
    suite_refused(PyObject_CallMethod(var, "reset", "O", token),
                  PyExc_RuntimeError, NULL);
    suite_refused(PyContextVar_Set(var, NULL), PyExc_SystemError,
                  "null argument to internal routine");
    ck_assert_int_eq(Py_REFCNT(token), 1);
    suite_drop(token, value, var);
}

/* A copy shares what is in it until one of the two changes; an iterator keeps
   what was there. */
START_TEST(changes_stay_in_one_context)
{
    PyObject *a = new_var(), *b = new_var(), *ctx = PyContext_New();

    ck_assert_int_eq(PyContext_Enter(ctx), 0);
    set(a, Py_True);
    PyObject *copy = suite_require(PyContext_Copy(ctx));
    PyObject *values = suite_require(PyObject_CallMethod(ctx, "values", NULL));
    set(b, Py_True);
    set(a, Py_False);
    ck_assert_int_eq(PyObject_Size(ctx), 2);
    ck_assert_int_eq(PyObject_Size(copy), 1);
    suite_new_same(PyObject_GetItem(copy, a), Py_True);
    suite_new_same(PyIter_Next(values), Py_True);
    ck_assert_ptr_null(PyIter_Next(values));
    ck_assert_int_eq(PyContext_Enter(copy), 0);
    set(a, Py_None);
    ck_assert_int_eq(PyContext_Exit(copy), 0);
    is_now(a, Py_False);
    ck_assert_int_eq(PyContext_Exit(ctx), 0);
    suite_drop(a, b, ctx, copy, values);
}

static void *
other_thread(void *var)
{
    PyGILState_STATE state = PyGILState_Ensure();

    is_now(var, NULL);
    set(var, Py_False);
    is_now(var, Py_False);
    PyGILState_Release(state);
    return NULL;
}

START_TEST(each_thread_has_a_context)
{
    PyObject *var = new_var();
    pthread_t thread;

    set(var, Py_True);
    Py_BEGIN_ALLOW_THREADS
    ck_assert_int_eq(pthread_create(&thread, NULL, other_thread, var), 0);
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    is_now(var, Py_True);

    PyThreadState *ts = PyThreadState_New(PyInterpreterState_Get());
    PyThreadState *mine = PyThreadState_Swap(ts);
    is_now(var, NULL);
    PyThreadState_Swap(mine);
    is_now(var, Py_True);
    PyThreadState_Clear(ts);
    PyThreadState_Delete(ts);
    Py_DECREF(var);
}

START_TEST(a_thread_state_gives_its_context_up)
{
    PyObject *var = new_var(), *value = PyList_New(0);
    PyThreadState *ts = PyThreadState_New(PyInterpreterState_Get());
    PyThreadState *mine = PyThreadState_Swap(ts);

    set(var, value);
    PyThreadState_Swap(mine);
    ck_assert_int_eq(Py_REFCNT(value), 2);
    PyThreadState_Clear(ts);
    ck_assert_int_eq(Py_REFCNT(value), 1);
    PyThreadState_Delete(ts);
    suite_drop(var, value);
}

/* A token of an entered context, and the module's names. */
START_TEST(a_token_is_a_context_manager)
{
    PyObject *var = new_var();
    PyObject *token = suite_require(PyContextVar_Set(var, Py_True));
    PyObject *module = suite_require(PyImport_ImportModule("contextvars"));

    suite_new_same(PyObject_CallMethod(token, "__enter__", NULL), token);
    suite_new_same(PyObject_CallMethod(token, "__exit__", "OOO", Py_None,
                                       Py_None, Py_None),
                   Py_None);
    is_now(var, NULL);
    suite_new_same(PyObject_GetAttrString(module, "Token"),
                   &PyContextToken_Type);
    PyObject *missing = suite_require(
        PyObject_GetAttrString((PyObject *)&PyContextToken_Type, "MISSING"));
    suite_repr(missing, "<Token.MISSING>");
    suite_new_same(PyObject_GetAttrString(token, "old_value"), missing);
    suite_drop(var, token, module, missing);
}

/* ------------------------------------------------------------------ */
/* Watchers                                                            */

static PyObject *seen; /* borrowed */
static int calls;

static int
watch(PyContextEvent event, PyObject *obj)
{
    ck_assert_int_eq(event, Py_CONTEXT_SWITCHED);
    ck_assert_ptr_null(PyErr_Occurred());
    seen = obj;
    calls++;
    return 0;
}

static int
complain(PyContextEvent Py_UNUSED(event), PyObject *Py_UNUSED(obj))
{
    PyErr_SetString(PyExc_ValueError, "no");
    return -1;
}

START_TEST(watchers_are_told_of_switches)
{
    PyObject *ctx = PyContext_New();
    int id = PyContext_AddWatcher(watch);

    ck_assert_int_ge(id, 0);
    ck_assert_int_eq(PyContext_Enter(ctx), 0);
    ck_assert_ptr_eq(seen, ctx);
    PyErr_SetString(PyExc_KeyError, "kept");
    ck_assert_int_eq(PyContext_Exit(ctx), 0);
    suite_exception(PyExc_KeyError, "'kept'");
    ck_assert_ptr_eq(seen, Py_None);
    ck_assert_int_eq(PyContext_ClearWatcher(id), 0);
    ck_assert_int_eq(PyContext_Enter(ctx), 0);
    ck_assert_int_eq(PyContext_Exit(ctx), 0);
    ck_assert_int_eq(calls, 2);

    PyContext_AddWatcher(complain);
    suite_catch_stderr();
    ck_assert_int_eq(PyContext_Enter(ctx), 0);
    char *text = suite_caught_stderr();
    ck_assert_ptr_nonnull(strstr(text, "Exception ignored in "
                                       "Py_CONTEXT_SWITCHED watcher callback "
                                       "for <_contextvars.Context object"));
    free(text);
    ck_assert_int_eq(PyContext_Exit(ctx), 0);
    Py_DECREF(ctx);
}

START_TEST(there_are_eight_watchers)
{
    for (int life = 0; life < 2; life++) {
        for (int i = 0; i < 8; i++)
            ck_assert_int_eq(PyContext_AddWatcher(watch), i);
        suite_failed(PyContext_AddWatcher(watch), PyExc_RuntimeError,
                     "no more context watcher IDs available");
        suite_failed(PyContext_ClearWatcher(8), PyExc_ValueError,
                     "Invalid context watcher ID 8");
        suite_failed(PyContext_ClearWatcher(-1), PyExc_ValueError,
                     "Invalid context watcher ID -1");
        ck_assert_int_eq(PyContext_ClearWatcher(3), 0);
        suite_failed(PyContext_ClearWatcher(3), PyExc_ValueError,
                     "No context watcher set for ID 3");
        Py_Finalize();
        Py_Initialize();
    }
}

/* ------------------------------------------------------------------ */
/* Code that runs in the middle                                        */

/* Garbage whose finalizer makes more garbage, whose finalizer sets busy_var:
   the first is collected when a token is made, the second when the shared dict
   is copied. */
static PyObject *busy_var, *busy_value; /* the latter borrowed, or NULL */
static int stage;
static PyTypeObject setting;

static void
make_garbage(void)
{
    PyObject *list = PyList_New(0), *op = setting.tp_alloc(&setting, 0);

    PyList_Append(list, list);
    PyList_Append(list, op);
    suite_drop(op, list);
}

static void
set_in_finalizer(PyObject *Py_UNUSED(op))
{
    if (stage-- > 0) {
        make_garbage();
        return;
    }
    busy_value = busy_value == Py_True ? Py_False : Py_True;
    set(busy_var, busy_value);
}

static int
visit_nothing(PyObject *Py_UNUSED(op), visitproc Py_UNUSED(visit),
              void *Py_UNUSED(arg))
{
    return 0;
}

static PyTypeObject setting = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "setting",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = visit_nothing,
    .tp_finalize = set_in_finalizer,
};

START_TEST(code_in_a_collection_may_set_one_too)
{
    Py_Finalize();
    setenv("PYBOEHM_STRESS", "1", 1);
    Py_Initialize();
    PyObject *ctx = PyContext_New();
    ck_assert_int_eq(PyType_Ready(&setting), 0);
    busy_var = new_var();
    ck_assert_int_eq(PyContext_Enter(ctx), 0);
    for (int i = 0; i < 100; i++) {
        PyObject *copy = PyContext_CopyCurrent(), *var = new_var();
        stage = 1;
        make_garbage();
        set(var, Py_True);
        is_now(var, Py_True);
        is_now(busy_var, busy_value);
        suite_drop(copy, var);
    }
    ck_assert_ptr_nonnull(busy_value);
    ck_assert_int_eq(PyObject_Size(ctx), 101);
    PyGC_Collect();
    ck_assert_int_eq(PyContext_Exit(ctx), 0);
    suite_drop(ctx, busy_var);
}
