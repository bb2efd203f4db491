/* rule_del_plain.c: breaks "do not use this for memory allocated by
   PyObject_New, PyObject_NewVar, or related allocation functions; use
   PyObject_Free instead".

   Fatal: PyObject_GC_Del knows its own memory. */

#include "../support/node.h"
#include "../support/suite.h"

static const char text[] = "PyObject_GC_Del of memory that PyObject_GC_New "
                           "did not give";

static void
del_memory_of_new(void)
{
    PyObject_GC_Del(PyObject_New(struct node, &node_type));
}

static void
del_memory_of_new_var(void)
{
    PyObject_GC_Del(PyObject_NewVar(PyBytesObject, &PyBytes_Type, 10));
}

static void
del_memory_of_malloc(void)
{
    PyObject_GC_Del(PyObject_Calloc(1, 100));
}

START_TEST(gc_del_refuses_plain_memory)
{
    node_reset();
    suite_fatal(del_memory_of_new, text, NULL);
    suite_fatal(del_memory_of_new_var, text, NULL);
    suite_fatal(del_memory_of_malloc, text, NULL);
}

START_TEST(object_free_takes_it)
{
    node_reset();
    PyObject_Free(PyObject_New(struct node, &node_type));
    PyObject_Free(PyObject_NewVar(PyBytesObject, &PyBytes_Type, 10));
    PyObject_Free(PyObject_Malloc(100));
}
