/* type_ready_inherit.c: what PyType_Ready gives to a static type that leaves
   slots out: the flag, tp_traverse and tp_clear come together or not at all;
   tp_free goes with the flag.
   Manual: "Supporting Cyclic Garbage Collection", Py_TPFLAGS_HAVE_GC;
   "Type Objects", tp_free. */

#include "oracle.h"

static int
own_traverse(PyObject *op, visitproc visit, void *arg)
{
    return actor_traverse(op, visit, arg);
}

#define TYPE(NAME, ...)                                                       \
    static PyTypeObject NAME = {PyVarObject_HEAD_INIT(NULL, 0).tp_name =      \
                                    "oracle." #NAME,                          \
                                __VA_ARGS__}

TYPE(All, .tp_base = &Actor_Type);
TYPE(WithFlag, .tp_base = &Actor_Type,
     .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
     .tp_traverse = own_traverse);
TYPE(OnlyTraverse, .tp_base = &Actor_Type, .tp_flags = Py_TPFLAGS_DEFAULT,
     .tp_traverse = own_traverse);
TYPE(OnlyClear, .tp_base = &Actor_Type, .tp_flags = Py_TPFLAGS_DEFAULT,
     .tp_clear = actor_clear);
TYPE(Finalizes, .tp_base = &FinalActor_Type,
     .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
     .tp_traverse = own_traverse);
TYPE(Plain, .tp_basicsize = sizeof(PyObject), .tp_flags = Py_TPFLAGS_DEFAULT);
TYPE(GcOverPlain, .tp_basicsize = sizeof(struct actor),
     .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
     .tp_traverse = own_traverse);
TYPE(SubList, .tp_base = &PyList_Type, .tp_flags = Py_TPFLAGS_DEFAULT);
TYPE(SubInt, .tp_base = &PyLong_Type, .tp_flags = Py_TPFLAGS_DEFAULT);

static const char *
free_name(const PyTypeObject *type)
{
    if (type->tp_free == PyObject_GC_Del)
        return "PyObject_GC_Del";
    return type->tp_free == PyObject_Free ? "PyObject_Free" : "another";
}

static void
tell(PyTypeObject *type)
{
    if (PyType_Ready(type) < 0) {
        error();
        return;
    }
    say("%s: gc %d, base %s, basicsize %s, itemsize %s", type->tp_name,
        PyType_IS_GC(type), type->tp_base->tp_name,
        type->tp_basicsize == type->tp_base->tp_basicsize ? "same" : "own",
        type->tp_itemsize == type->tp_base->tp_itemsize ? "same" : "own");
    say("    traverse %s, clear %s, free %s, finalize %s",
        type->tp_traverse == NULL             ? "none"
        : type->tp_traverse == own_traverse   ? "own"
        : type->tp_traverse == actor_traverse ? "the actor's"
                                              : "another",
        type->tp_clear == NULL          ? "none"
        : type->tp_clear == actor_clear ? "the actor's"
                                        : "another",
        free_name(type),
        type->tp_finalize == actor_finalize ? "the actor's" : "none");
    say("    dealloc %s, alloc %s, new %s, weaklist %s, getattro %s, hash %s",
        type->tp_dealloc == type->tp_base->tp_dealloc ? "the base's" : "own",
        type->tp_alloc == PyType_GenericAlloc ? "generic" : "own",
        type->tp_new == NULL                    ? "none"
        : type->tp_new == type->tp_base->tp_new ? "the base's"
                                                : "own",
        type->tp_weaklistoffset != 0 ? "yes" : "no",
        type->tp_getattro == PyObject_GenericGetAttr ? "generic" : "own",
        type->tp_hash == type->tp_base->tp_hash ? "the base's" : "own");
    say("    ready %d, base type %d, heap type %d",
        PyType_HasFeature(type, Py_TPFLAGS_READY) != 0,
        PyType_HasFeature(type, Py_TPFLAGS_BASETYPE) != 0,
        PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) != 0);
    show_kept("    mro", type->tp_mro);
    show_kept("    bases", type->tp_bases);
}

void
oracle_program(void)
{
    PyTypeObject *all[] = {&All,         &WithFlag,  &OnlyTraverse,
                           &OnlyClear,   &Finalizes, &Plain,
                           &GcOverPlain, &SubList,   &SubInt};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        tell(all[i]);
    RESULT(PyType_Ready(&All));
    actor_new(&All, "a");
    actor_new(&WithFlag, "b");
}
