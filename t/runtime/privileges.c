/* privileges.c: a program for privileges.sh.  With an argument it becomes an
   ordinary user and executes that, else it says what it is and what the
   environment has done to it. */

#include <Python.h>
#include <pyboehm.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static int
become_ordinary(char **command)
{
    if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
        return 1;
    execv(command[0], command);
    return 1;
}

int
main(int argc, char **argv)
{
    if (argc > 1)
        return become_ordinary(argv + 1);
    printf("gained %d\n", getuid() != geteuid());
    Py_Initialize();

    PyObject *list = PyList_New(0), *path = PySys_GetObject("path");
    PyList_Append(list, list);
    Py_DECREF(list);
    PyGC_Collect();
    PyObject *module = PyImport_ImportModule("privileged");
    printf("path %zd\nimported %d\n", path != NULL ? PyList_Size(path) : -1,
           module != NULL);
    Py_XDECREF(module);
    PyErr_Clear();
    Py_Finalize();
    return 0;
}
