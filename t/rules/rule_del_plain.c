/* rule_del_plain.c: breaks "do not use this for memory allocated by
   PyObject_New, PyObject_NewVar, or related allocation functions; use
   PyObject_Free instead".

   Fatal: PyObject_GC_Del knows its own memory. */

#include "../support/node.h"
#include "../support/suite.h"

static const char text[] = "PyObject_GC_Del of memory that PyObject_GC_New "
                           "did not give";

START_TEST(gc_del_refuses_plain_memory)
{
    node_reset();
    SUITE_FATAL(PyObject_GC_Del(PyObject_New(struct node, &node_type)), text);
    SUITE_FATAL(
        PyObject_GC_Del(PyObject_NewVar(PyBytesObject, &PyBytes_Type, 10)),
        text);
    SUITE_FATAL(PyObject_GC_Del(PyObject_Calloc(1, 100)), text);
}

START_TEST(object_free_takes_it)
{
    node_reset();
    PyObject_Free(PyObject_New(struct node, &node_type));
    PyObject_Free(PyObject_NewVar(PyBytesObject, &PyBytes_Type, 10));
    PyObject_Free(PyObject_Malloc(100));
}
