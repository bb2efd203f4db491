/* spec_errors.c: what PyType_FromSpec and its kin refuse, with the texts.
   Manual: "Creating Heap-Allocated Types". */

#include "oracle.h"

static PyType_Slot none[] = {{0, NULL}};
static PyType_Slot below_zero[] = {{-1, actor_dealloc}, {0, NULL}};
static PyType_Slot too_big[] = {{9999, actor_dealloc}, {0, NULL}};
static PyType_Slot final_base[] = {{Py_tp_base, &PyBool_Type}, {0, NULL}};
static PyType_Slot no_traverse[] = {{Py_tp_dealloc, actor_dealloc}, {0, NULL}};
static PyType_Slot bases_list[] = {{Py_tp_bases, NULL}, {0, NULL}};
static PyType_Slot doc[] = {{Py_tp_doc, "Doc(a)\n--\n\nWhat it is."},
                            {0, NULL}};

static void
make(const char *label, PyType_Spec *spec, PyObject *bases)
{
    show(label, PyType_FromSpecWithBases(spec, bases));
}

#define SPEC(NAME, SIZE, FLAGS, SLOTS)                                        \
    &(PyType_Spec)                                                            \
    {                                                                         \
        .name = NAME, .basicsize = SIZE, .flags = FLAGS, .slots = SLOTS       \
    }

static void
bad_slots(void)
{
    const unsigned plain = Py_TPFLAGS_DEFAULT;
    const int size = sizeof(struct actor);

    make("slot -1", SPEC("oracle.A", size, plain, below_zero), NULL);
    make("slot 9999", SPEC("oracle.A", size, plain, too_big), NULL);
    make("final base in a slot", SPEC("oracle.A", 0, plain, final_base), NULL);
    make("no traverse",
         SPEC("oracle.A", size, plain | Py_TPFLAGS_HAVE_GC, no_traverse),
         NULL);
    make("no slots", SPEC("oracle.A", size, plain, none), NULL);
    make("no name", SPEC(NULL, size, plain, none), NULL);
    bases_list[0].pfunc = PyList_New(0);
    make("list of bases in a slot", SPEC("oracle.A", size, plain, bases_list),
         NULL);
}

static void
no_type(const char *label, PyObject *bases)
{
    make("no new type", SPEC(NULL, 0, Py_TPFLAGS_DEFAULT, none), bases);
    PyType_FromSpecWithBases(SPEC("oracle.B", 0, Py_TPFLAGS_DEFAULT, none),
                             bases);
    say("%s", label);
    differs("since 3.12 the function finds the metaclass of the bases first",
            "TypeError: metaclass conflict: the metaclass of a derived class "
            "must be a (non-strict) subclass of the metaclasses of all its "
            "bases",
            "TypeError: bases must be types", error_text());
}

static void
too_small(void)
{
    PyObject *type =
        PyType_FromSpecWithBases(SPEC("oracle.B", 8, Py_TPFLAGS_DEFAULT, none),
                                 (PyObject *)&Actor_Type);

    differs("basicsize: less than the base's is an error since 3.12",
            "TypeError: tp_basicsize for type 'oracle.B' (8) is too small for "
            "base 'oracle.Actor' (88)",
            "no exception", error_text());
    Py_XDECREF(type);
    PyGC_Collect();
}

static void
bad_bases(void)
{
    const unsigned plain = Py_TPFLAGS_DEFAULT;
    PyObject *number = PyLong_FromLong(7);
    PyObject *numbers = need(PyTuple_Pack(1, number));
    PyObject *empty = PyTuple_New(0), *list = PyList_New(0);
    PyObject *ints = need(PyTuple_Pack(2, &PyLong_Type, &PyUnicode_Type));
    PyObject *twice = need(PyTuple_Pack(2, &Actor_Type, &Actor_Type));

    no_type("base 7", number);
    no_type("base (7,)", numbers);
    no_type("base list", list);
    make("int and str", SPEC("oracle.B", 0, plain, none), ints);
    make("twice", SPEC("oracle.B", 0, plain, none), twice);
    make("bool", SPEC("oracle.B", 0, plain, none), (PyObject *)&PyBool_Type);
    make("int", SPEC("oracle.B", 0, plain, none), (PyObject *)&PyLong_Type);
    drop_all(number, numbers, empty, list, ints, twice);
}

void
oracle_program(void)
{
    PyObject *type;

    bad_slots();
    PyGC_Collect(); /* what refused types leave behind is not compared */
    bad_bases();
    collect();
    too_small();
    type = need(PyType_FromSpec(SPEC("Doc", 0, Py_TPFLAGS_DEFAULT, doc)));
    SHOW(PyObject_GetAttrString(type, "__doc__"));
    SHOW(PyObject_GetAttrString(type, "__text_signature__"));
    SHOW(PyObject_GetAttrString(type, "__module__"));
    SHOW(PyObject_GetAttrString(type, "__name__"));
    Py_DECREF(type);
    collect();
}
