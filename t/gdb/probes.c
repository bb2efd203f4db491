/* probes.c: what t/gdb/probes.sh has gdb watch: it says what each probe
   should. */

#include <Python.h>
#include <pyboehm.h>

void probes_ready(void);

/* gdb puts its breakpoints on the probes when this is called. */
__attribute__((noinline)) void
probes_ready(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
}

/* Two lists that refer to one another, and no more to be had. */
static void
drop_pair(void)
{
    PyObject *a = PyList_New(0), *b = PyList_New(0);

    PyList_Append(a, b);
    PyList_Append(b, a);
    Py_DECREF(a);
    Py_DECREF(b);
}

static void
collect(int generation)
{
    printf("expect gc__start %d\n", generation);
    printf("expect gc__teardown__start 2\n");
    printf("expect gc__teardown__done 2\n");
    printf("expect gc__done 2\n");
    drop_pair();
    PyBoehm_GC_Collect(generation);
}

int
main(void)
{
    Py_Initialize();
    PyGC_Disable();
    PyBoehm_GC_Collect(2);
    probes_ready();

    collect(1);
    collect(2);
    PyObject *op = PyList_New(0);
    printf("expect object__adopt %#lx\n", (unsigned long)op);
    PyBoehm_Adopt(op);
    printf("expect object__disown %#lx\n", (unsigned long)op);
    Py_DECREF(PyBoehm_Disown(op));
    printf("expect gc__start 2\n");
    printf("expect gc__done 0\n");
    printf("expect boehm__start\n");
    printf("expect boehm__done\n");
    PyBoehm_GC_CollectAll();
    _Exit(0);
}
