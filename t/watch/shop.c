/* shop.c: shop N WAY: a program with a cache of N orders, which
   t/watch/report.sh asks for reports.  It ends by Py_Finalize; as WAY, by exit
   without that ("exit"), with its thread detached ("detached"), while another
   one is attached ("thread"), in a child that ends first ("fork"); or it
   writes reports itself, before and after, to the next two arguments
   ("twice"). */

#include <Python.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pyboehm.h"

/* With names in every build. */
#define NAMED __attribute__((visibility("default"), noinline))
void shop_fill(PyObject *cache, int n);

static PyObject *cache;

static PyObject *
must(PyObject *op)
{
    if (op == NULL) {
        PyErr_Print();
        exit(1);
    }
    return op;
}

static PyObject *
new_order(PyObject *type, int i)
{
    PyObject *order = must(PyObject_CallNoArgs(type));
    PyObject *lines =
        must(Py_BuildValue("[i,(i,s)]", i, i + 1000, "</script>"));

    PyObject_SetAttrString(order, "lines", lines);
    Py_DECREF(lines);
    return order;
}

NAMED void
shop_fill(PyObject *orders, int n)
{
    PyObject *type = must(PyObject_CallFunction(
        (PyObject *)&PyType_Type, "s(O){}", "Order", &PyBaseObject_Type));

    for (int i = 0; i < n; i++) {
        PyObject *order = new_order(type, i);

        PyList_Append(orders, order);
        Py_DECREF(order);
    }
    Py_DECREF(type);
}

static void
write_report(const char *name)
{
    FILE *file = fopen(name, "w");

    if (file == NULL || PyBoehm_WriteReport(file, PyBoehm_REPORT_HTML) < 0)
        exit(1);
    fclose(file);
}

static void
end_as_child(void)
{
    int status;

    if (fork() == 0)
        exit(0);
    wait(&status);
    _exit(status != 0);
}

static void *
stay_attached(void *pipe)
{
    PyGILState_Ensure();
    if (write(((int *)pipe)[1], "", 1) == 1)
        pause();
    return NULL;
}

static void
attach_another(void)
{
    int ends[2];
    char byte;
    pthread_t thread;

    PyEval_SaveThread();
    if (pipe(ends) == 0 &&
        pthread_create(&thread, NULL, stay_attached, ends) == 0 &&
        read(ends[0], &byte, 1) == 1)
        exit(0);
    _exit(1);
}

int
main(int argc, char **argv)
{
    const char *way = argc > 2 ? argv[2] : "";

    Py_Initialize();
    cache = must(PyList_New(0));
    shop_fill(cache, argc > 1 ? atoi(argv[1]) : 10);
    if (strcmp(way, "twice") == 0 && argc > 4) {
        write_report(argv[3]);
        shop_fill(cache, 7);
        write_report(argv[4]);
    }
    if (strcmp(way, "detached") == 0)
        PyEval_SaveThread();
    if (strcmp(way, "thread") == 0)
        attach_another();
    if (strcmp(way, "exit") == 0 || strcmp(way, "detached") == 0)
        exit(0);
    if (strcmp(way, "fork") == 0)
        end_as_child();
    Py_Finalize();
    return 0;
}
