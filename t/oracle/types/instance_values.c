/* instance_values.c: attributes of instances, set, deleted and asked for in
   orders made by chance, in instances of classes that have seen others.
   Manual: "Object Protocol", PyObject_GenericSetAttr, PyObject_GenericGetDict.
 */

#include "oracle.h"

enum { INSTANCES = 3, NAMES = 18, PROGRAMS = 120, STEPS = 40 };

static unsigned long seed;

static unsigned
chance(unsigned n)
{
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (unsigned)(seed >> 8) % n;
}

/* The names in use, few or many. */
static unsigned n_names;

static const char *
name_of(unsigned i)
{
    static char name[16];

    snprintf(name, sizeof name, "a%u", i);
    return name;
}

static PyObject *
new_class(void)
{
    return call_type(&PyType_Type, "s(){}", "C");
}

static void
set(PyObject *op, unsigned i)
{
    PyObject *value = PyLong_FromLong((long)chance(100));

    if (PyObject_SetAttrString(op, name_of(i), value) < 0)
        error();
    Py_DECREF(value);
}

static void delete (PyObject *op, unsigned i)
{
    if (PyObject_DelAttrString(op, name_of(i)) < 0)
        error();
}

/* By a name that is no other str. */
static void
get(PyObject *op, unsigned i)
{
    PyObject *name = PyUnicode_FromFormat("a%u", i);

    show(name_of(i), PyObject_GetAttr(op, name));
    Py_DECREF(name);
}

static void
step(PyObject **ops, PyObject *other)
{
    PyObject *op = ops[chance(INSTANCES)];
    unsigned i = chance(n_names);

    switch (chance(24)) {
    case 0:
        show("    dict", PyObject_GenericGetDict(op, NULL));
        break;
    case 1:
        if (PyObject_SetAttrString(op, "__class__", other) < 0)
            error();
        break;
    case 2:
        show("    state", PyObject_CallMethod(op, "__getstate__", NULL));
        break;
    case 3:
    case 4:
    case 5:
    case 6:
        delete (op, i);
        break;
    case 7:
    case 8:
    case 9:
    case 10:
        get(op, i);
        break;
    default:
        set(op, i);
    }
}

static void
run(unsigned program)
{
    PyObject *class = new_class(), *other = new_class(), *ops[INSTANCES];

    say("program %u", program);
    seed = program;
    n_names = 1 + chance(NAMES);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < INSTANCES; i++)
            ops[i] = need(PyObject_CallNoArgs(i < 2 ? class : other));
        for (int i = 0; i < STEPS; i++)
            step(ops, other);
        for (int i = 0; i < INSTANCES; i++) {
            show("    dict", PyObject_GenericGetDict(ops[i], NULL));
            Py_DECREF(ops[i]);
        }
    }
    drop_all(class, other);
    collect();
}

void
oracle_program(void)
{
    for (unsigned i = 0; i < PROGRAMS; i++)
        run(i);
}
