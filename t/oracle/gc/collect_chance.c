/* collect_chance.c: the numbers that collections return for graphs made by
   chance of what Python programs are made of: classes and their instances,
   modules with state, bound methods, weak references and proxies, lists,
   dicts, tuples, C objects.

   In every fourth round collections come by themselves, at other moments on
   either side: there only what is left in the end is said.

   Left out, since the numbers differ (doc/pyboehm.md, "What is not as in
   CPython"): weak references without callback to classes, which CPython's base
   classes own; tuples in tuples, of which a collection untracks one or two, by
   its order.
   Manual: "Controlling the Garbage Collector State", PyGC_Collect. */

#include "oracle.h"

#include <stdint.h>

enum { ROUNDS = 4000, ROOTS = 12, STEPS = 60 };

/* The seed of the round that is to be shown step by step: ORACLE_ROUND. */
static int shown;

static uint64_t state_of_chance;

static unsigned
below(unsigned n)
{
    state_of_chance ^= state_of_chance << 13;
    state_of_chance ^= state_of_chance >> 7;
    state_of_chance ^= state_of_chance << 17;
    return (unsigned)(state_of_chance % n);
}

static PyObject *roots[ROOTS];

/* The numbers of a step, drawn at once: what one side cannot do must not
   change what follows. */
static struct {
    unsigned what, kind, a, b, c, generation, bit, other_bit;
} drawn;

static void
draw(void)
{
    drawn.what = below(10);
    drawn.kind = below(10);
    drawn.a = below(ROOTS);
    drawn.b = below(ROOTS);
    drawn.c = below(ROOTS);
    drawn.generation = below(3);
    drawn.bit = below(2);
    drawn.other_bit = below(2);
}

/* ------------------------------------------------------------------ */
/* Modules                                                             */

struct module_state {
    PyObject *one, *other;
};

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct module_state *s = PyModule_GetState(module);

    Py_VISIT(s->one);
    Py_VISIT(s->other);
    return 0;
}

static int
module_clear(PyObject *module)
{
    struct module_state *s = PyModule_GetState(module);

    Py_CLEAR(s->one);
    Py_CLEAR(s->other);
    return 0;
}

static void
module_free(void *module)
{
    module_clear(module);
}

static PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "chance",
    .m_size = sizeof(struct module_state),
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

/* ------------------------------------------------------------------ */
/* C objects                                                           */

struct thing {
    PyObject_HEAD
    PyObject *to[2];
};

static int
thing_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct thing *)op)->to[0]);
    Py_VISIT(((struct thing *)op)->to[1]);
    return 0;
}

static int
thing_clear(PyObject *op)
{
    Py_CLEAR(((struct thing *)op)->to[0]);
    Py_CLEAR(((struct thing *)op)->to[1]);
    return 0;
}

static int things; /* alive */

static void
thing_dealloc(PyObject *op)
{
    things--;
    PyObject_GC_UnTrack(op);
    thing_clear(op);
    Py_TYPE(op)->tp_free(op);
}

static PyTypeObject thing_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "chance.Thing",
    .tp_basicsize = sizeof(struct thing),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = thing_traverse,
    .tp_clear = thing_clear,
    .tp_dealloc = thing_dealloc,
};

/* ------------------------------------------------------------------ */
/* Making                                                              */

static PyObject *
make_class(void)
{
    PyObject *base = roots[drawn.b];

    if (!PyType_Check(base) ||
        !PyType_HasFeature((PyTypeObject *)base, Py_TPFLAGS_HEAPTYPE))
        base = (PyObject *)&PyBaseObject_Type;
    return PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){}", "Chance",
                                 base);
}

static PyObject *
make_instance(void)
{
    PyObject *class = roots[drawn.b];

    return PyType_Check(class) ? PyObject_CallNoArgs(class) : make_class();
}

/* No tuple. */
static PyObject *
item(unsigned place)
{
    return PyTuple_CheckExact(roots[place]) ? Py_None : roots[place];
}

static PyObject *
make_weak(int proxy)
{
    PyObject *op = roots[drawn.b];

    if (op == Py_None || PyTuple_CheckExact(op) || PyList_CheckExact(op) ||
        PyDict_CheckExact(op) || PyWeakref_Check(op))
        return PyList_New(0);
    if (PyType_Check(op) && !proxy)
        return PyDict_New();
    return proxy ? PyWeakref_NewProxy(op, NULL) : PyWeakref_NewRef(op, NULL);
}

static PyObject *
make(unsigned kind)
{
    switch (kind) {
    case 0:
        return PyList_New(0);
    case 1:
        return PyDict_New();
    case 2:
        return PyTuple_Pack(2, item(drawn.b), item(drawn.c));
    case 3:
        return make_class();
    case 4:
        return make_instance();
    case 5:
        return PyMethod_New(roots[drawn.b], roots[drawn.c]);
    case 6:
        return make_weak(0);
    case 7:
        return make_weak(1);
    case 8:
        return PyModule_Create(&module_def);
    default:
        things++;
        return PyType_GenericAlloc(&thing_type, 0);
    }
}

/* ------------------------------------------------------------------ */
/* Linking                                                             */

static void
link_module(PyObject *module, PyObject *to)
{
    struct module_state *s = PyModule_GetState(module);

    if (drawn.bit)
        PyObject_SetAttrString(module, "to", to);
    else if (drawn.other_bit)
        Py_XSETREF(s->one, Py_NewRef(to));
    else
        Py_XSETREF(s->other, Py_NewRef(to));
}

static void
link_to(PyObject *from, PyObject *to)
{
    if (PyList_CheckExact(from))
        PyList_Append(from, to);
    else if (PyDict_CheckExact(from))
        PyDict_SetItemString(from, drawn.bit ? "a" : "b", to);
    else if (PyModule_CheckExact(from) && PyModule_GetDef(from) == &module_def)
        link_module(from, to);
    else if (PyWeakref_CheckRef(from) || PyWeakref_CheckProxy(from) ||
             PyTuple_CheckExact(from) || PyMethod_Check(from) ||
             from == Py_None)
        return;
    else if (Py_TYPE(from) == &thing_type)
        Py_XSETREF(((struct thing *)from)->to[drawn.bit], Py_NewRef(to));
    else
        PyObject_SetAttrString(from, drawn.bit ? "x" : "y", to);
    PyErr_Clear();
}

/* ------------------------------------------------------------------ */
/* A round                                                             */

static Py_ssize_t
collect_quietly(PyObject *gc, int generation)
{
    PyObject *found = PyObject_CallMethod(gc, "collect", "i", generation);
    Py_ssize_t n = PyLong_AsSsize_t(found);

    Py_XDECREF(found);
    return n;
}

static void
put(unsigned place, PyObject *op)
{
    if (op == NULL) {
        PyErr_Clear();
        op = Py_NewRef(Py_None);
    }
    Py_SETREF(roots[place], op);
}

static void
step(int round, PyObject *gc, char *line, size_t size)
{
    size_t length = strlen(line);

    draw();
    if (round == shown)
        say("%u %u %u %u %u %u: %s", drawn.what, drawn.kind, drawn.a, drawn.b,
            drawn.c, drawn.bit, Py_TYPE(roots[drawn.a])->tp_name);
    if (drawn.what < 4)
        put(drawn.a, make(drawn.kind));
    else if (drawn.what < 8)
        link_to(roots[drawn.a], roots[drawn.b]);
    else if (drawn.what == 8)
        put(drawn.a, Py_NewRef(Py_None));
    else if (drawn.kind < 3)
        snprintf(line + length, size - length, " %zd",
                 collect_quietly(gc, (int)drawn.generation));
}

static void
play(int round, PyObject *gc)
{
    int automatic = round % 4 == 3;
    char line[1000] = "";

    state_of_chance = 88172645463325252u + 7919u * (uint64_t)round;
    for (int i = 0; i < ROOTS; i++)
        roots[i] = Py_NewRef(Py_None);
    if (automatic)
        PyGC_Enable();
    for (int i = 0; i < STEPS; i++)
        step(round, gc, line, sizeof line);
    PyGC_Disable();
    for (int i = 0; i < ROOTS; i++)
        Py_CLEAR(roots[i]);
    Py_ssize_t found = collect_quietly(gc, 2), then = collect_quietly(gc, 2);
    if (round == 0) /* things are made that stay */
        return;
    if (automatic)
        say("%d: %zd; %d things", round, then, things);
    else
        say("%d:%s, %zd, %zd; %d things", round, line, found, then, things);
}

void
oracle_program(void)
{
    const char *wish = getenv("ORACLE_ROUND");
    PyObject *gc = PyImport_ImportModule("gc");

    PyType_Ready(&thing_type);
    shown = wish != NULL ? atoi(wish) : -1;
    Py_XDECREF(PyObject_CallMethod(gc, "set_threshold", "iii", 7, 2, 2));
    for (int round = 0; round <= ROUNDS; round++)
        play(round, gc);
    Py_DECREF(gc);
}
