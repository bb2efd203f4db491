/* family.c: somebody who has left should be gone, and is not.  doc/gdb.md asks
   gdb why. */
#include <Python.h>

#include <stddef.h>
#include <stdlib.h>

typedef struct {
    PyObject_HEAD
    PyObject *name;
    PyObject *parent; /* a Person, or NULL */
    PyObject *children;
} Person;

static PyObject *registry; /* persons by name */
static int alive;

static int person_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((Person *)self)->name);
    Py_VISIT(((Person *)self)->parent);
    Py_VISIT(((Person *)self)->children);
    return 0;
}

static int person_clear(PyObject *self)
{
    Py_CLEAR(((Person *)self)->name);
    Py_CLEAR(((Person *)self)->parent);
    Py_CLEAR(((Person *)self)->children);
    return 0;
}

static void person_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    person_clear(self);
    Py_TYPE(self)->tp_free(self);
    alive--;
}

static PyMemberDef person_members[] = {
    {"name", Py_T_OBJECT_EX, offsetof(Person, name), 0, NULL},
    {"parent", Py_T_OBJECT_EX, offsetof(Person, parent), 0, NULL},
    {"children", Py_T_OBJECT_EX, offsetof(Person, children), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject PersonType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "family.Person",
    .tp_basicsize = sizeof(Person),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = person_traverse,
    .tp_clear = person_clear,
    .tp_dealloc = person_dealloc,
    .tp_members = person_members,
};

static Person *born(const char *name, Person *parent)
{
    Person *person = (Person *)PyType_GenericAlloc(&PersonType, 0);

    person->name = PyUnicode_FromString(name);
    person->children = PyList_New(0);
    if (parent != NULL) {
        person->parent = Py_NewRef((PyObject *)parent);
        PyList_Append(parent->children, (PyObject *)person);
    }
    PyDict_SetItem(registry, person->name, (PyObject *)person);
    alive++;
    return person;
}

/* Takes over the caller's reference. */
static void leave(Person *person)
{
    PyObject *siblings = ((Person *)person->parent)->children;

    PySequence_DelItem(siblings,
                       PySequence_Index(siblings, (PyObject *)person));
    Py_CLEAR(person->parent);
    Py_DECREF(person);
}

int main(void)
{
    Py_Initialize();
    if (PyType_Ready(&PersonType) < 0)
        return 1;
    registry = PyDict_New();

    Person *ada = born("Ada", NULL);
    Person *byron = born("Byron", ada);
    Person *anne = born("Anne", ada);

    leave(byron);
    if (alive != 2)
        abort();
    leave(anne);
    Py_DECREF(ada);
    return 0;
}
