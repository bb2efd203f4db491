/* recipes.c: what owns a reference?  The three recipes of doc/hosts.md, and
   that each of them loses nothing and leaks nothing. */
#include <Python.h>
#include <gc/gc.h>
#include <pyboehm.h>
#include <stdlib.h>

/* Recipe 1: count.  The session lives in malloc memory, where Boehm does not
   look: what it refers to it owns. */
struct session {
    PyObject *user; /* owned */
};

static struct session *
session_new(PyObject *user)
{
    struct session *session = malloc(sizeof *session);

    if (session != NULL)
        session->user = Py_NewRef(user);
    return session;
}

static void
session_free(struct session *session)
{
    Py_DECREF(session->user);
    free(session);
}

/* Recipe 2: adopt.  Symbols live in Boehm's heap, and are not freed by hand:
   what they refer to is adopted, and lives as long as one of them leads to it.
 */
struct symbol {
    struct symbol *next;
    PyObject *value; /* adopted */
};

static struct symbol *
symbol_new(struct symbol *next, PyObject *value)
{
    struct symbol *symbol = GC_MALLOC(sizeof *symbol);

    if (symbol == NULL)
        return NULL;
    symbol->next = next;
    symbol->value = PyBoehm_Adopt(Py_NewRef(value));
    return symbol->value != NULL ? symbol : NULL;
}

/* Recipe 3: wrap.  A value of the host's language is a box with an object of
   any kind in it.  Those that are no containers come into one: numbers and
   strings live in malloc memory, where Boehm cannot see them. */
struct value {
    enum { VALUE_OBJECT, VALUE_CELL } kind;
    PyObject *op; /* adopted: the object, or a cell with it */
};

static struct value *
value_new(PyObject *op) /* takes the reference over; NULL: an exception */
{
    struct value *value = GC_MALLOC(sizeof *value);

    if (value == NULL || op == NULL) {
        Py_XDECREF(op);
        return op != NULL ? (struct value *)PyErr_NoMemory() : NULL;
    }
    if (PyObject_IS_GC(op)) {
        value->kind = VALUE_OBJECT;
        value->op = PyBoehm_Adopt(op);
    } else {
        value->kind = VALUE_CELL;
        value->op = PyBoehm_Adopt(PyCell_New(op));
        Py_DECREF(op);
    }
    return value->op != NULL ? value : NULL;
}

static PyObject *
value_get(const struct value *value) /* a borrowed reference */
{
    return value->kind == VALUE_CELL ? PyCell_GET(value->op) : value->op;
}

/* The other way round: an object that refers to a value.  The pointer stands
   in its body, where Boehm sees it; tp_traverse has nothing to visit.  With a
   value that leads back to the object this is a cycle through both heaps. */
typedef struct {
    PyObject_HEAD
    struct value *value; /* Boehm's */
} Holder;

static int
holder_traverse(PyObject *Py_UNUSED(self), visitproc Py_UNUSED(visit),
                void *Py_UNUSED(arg))
{
    return 0;
}

static int holders;

static void
holder_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    holders--;
    Py_TYPE(self)->tp_free(self);
}

static PyTypeObject HolderType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "recipes.Holder",
    .tp_basicsize = sizeof(Holder),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = holder_traverse,
    .tp_dealloc = holder_dealloc,
};

/* A value with a holder of the value itself. */
static struct value *
cycle_new(void)
{
    PyObject *op = PyType_GenericAlloc(&HolderType, 0);
    struct value *value = value_new(op);

    if (value != NULL) {
        holders++;
        ((Holder *)op)->value = value;
    }
    return value;
}

/* Makes as many cycles and forgets them. */
static void
make_cycles(int n)
{
    while (n-- > 0)
        if (cycle_new() == NULL)
            abort();
}

int
main(void)
{
    Py_Initialize();
    if (PyType_Ready(&HolderType) < 0)
        return 1;

    PyObject *user = PyUnicode_FromString("Ada");
    struct session *session = session_new(user);
    Py_DECREF(user);
    PyGC_Collect();
    printf("count: %s\n", PyUnicode_AsUTF8(session->user));
    session_free(session);

    PyObject *list = PyList_New(0);
    struct symbol *symbols = symbol_new(NULL, list);
    Py_DECREF(list);
    PyGC_Collect();
    printf("adopt: %s\n", Py_TYPE(symbols->value)->tp_name);

    struct value *seven = value_new(PyLong_FromLong(7));
    PyGC_Collect();
    printf("wrap: %ld\n", PyLong_AsLong(value_get(seven)));

    make_cycles(1000);
    PyGC_Collect();
    printf("cycles through both heaps: %s\n",
           holders < 50 ? "collected" : "left");
    Py_Finalize();
    return 0;
}
