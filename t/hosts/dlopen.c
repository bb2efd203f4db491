/* dlopen.c: programs that are linked with neither this library nor Boehm's:
   they open one or both while they run, threads and all, close them and open
   them again.  A line "ok" or "not ok" for each. */

#include <Python.h>
#include <pyboehm.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/gc_mark.h>

#define OURS(NAME)                                                            \
    NAME(Py_Initialize)                                                       \
    NAME(Py_Finalize)                                                         \
    NAME(Py_IsInitialized)                                                    \
    NAME(Py_DecRef)                                                           \
    NAME(PyList_New)                                                          \
    NAME(PyList_Append)                                                       \
    NAME(PyList_Size)                                                         \
    NAME(PyGC_Collect)                                                        \
    NAME(PyBoehm_GC_CollectAll)
#define BOEHMS(NAME)                                                          \
    NAME(GC_init)                                                             \
    NAME(GC_malloc)                                                           \
    NAME(GC_gcollect)                                                         \
    NAME(GC_pthread_create)                                                   \
    NAME(GC_pthread_join)                                                     \
    NAME(GC_get_push_other_roots)                                             \
    NAME(GC_set_push_other_roots)

#define FIELD(name) __typeof__(name) *name;
static struct {
    OURS(FIELD)
} py;
static struct {
    BOEHMS(FIELD)
} gc;

/* ISO C has no cast from an object's address to a function's. */
#define FIND_OURS(name) find(library, #name, &py.name);
#define FIND_BOEHMS(name) find(library, #name, &gc.name);

static void
require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void
find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    require(*(void **)function != NULL, name);
}

static void *
open_library(const char *path, int mode)
{
    void *library = dlopen(path, mode);

    require(library != NULL, path);
    return library;
}

static void *
open_ours(void)
{
    static char path[4096];
    const char *builddir = getenv("builddir");

    snprintf(path, sizeof path, "%s/.libs/libpyboehm.so",
             builddir != NULL ? builddir : ".");
    void *library = open_library(path, RTLD_NOW | RTLD_LOCAL);
    OURS(FIND_OURS)
    return library;
}

static void
open_boehms(void)
{
    void *library = open_library("libgc.so.1", RTLD_NOW | RTLD_GLOBAL);

    BOEHMS(FIND_BOEHMS)
    gc.GC_init();
}

/* ------------------------------------------------------------------ */
/* What is done with the library                                       */

enum { LISTS = 100, MANY = 100000, ROUNDS = 60 };

static void
append_new(PyObject *list, PyObject *item)
{
    require(item != NULL && py.PyList_Append(list, item) == 0, "append");
    py.Py_DecRef(item);
}

static PyObject *
new_list(int n)
{
    PyObject *list = py.PyList_New(0);

    require(list != NULL, "list");
    for (int i = 0; i < n; i++)
        append_new(list, py.PyList_New(0));
    return list;
}

static void
collect_cycles(void)
{
    for (int i = 0; i < LISTS; i++) {
        PyObject *list = py.PyList_New(0);

        require(py.PyList_Append(list, list) == 0, "append");
        py.Py_DecRef(list);
    }
    require(py.PyGC_Collect() == LISTS, "PyGC_Collect");
}

/* The items of lists stand in malloc memory. */
static void
is_list(PyObject *list, int n)
{
    require(py.PyList_Size(list) == n, "size");
    for (int i = 0; i < n; i++) {
        PyObject *item = ((PyListObject *)list)->ob_item[i];

        require(py.PyList_Size(item) == 0 && Py_REFCNT(item) == 1, "item");
    }
}

static void
use_library(void)
{
    PyObject *list = new_list(MANY);

    py.PyBoehm_GC_CollectAll();
    is_list(list, MANY);
    py.Py_DecRef(list);
    collect_cycles();
}

/* ------------------------------------------------------------------ */
/* Threads of the program                                              */

static volatile int stop;

static void *
use_malloc(void *Py_UNUSED(arg))
{
    while (!stop) {
        free(malloc(100));
        usleep(100);
    }
    return NULL;
}

static void *
use_boehm(void *Py_UNUSED(arg))
{
    while (!stop) {
        memset(gc.GC_malloc(100), 'x', 100);
        usleep(100);
    }
    return NULL;
}

/* ------------------------------------------------------------------ */
/* The programs                                                        */

/* Round i, of ours. */
static void
open_use_and_close(int i)
{
    void *library = open_ours();

    py.Py_Initialize();
    if (i % 10 == 0)
        use_library();
    collect_cycles();
    py.Py_Finalize();
    dlclose(library);
}

/* Knows nothing of Boehm, and has a thread that Boehm knows nothing of. */
static void
plain_program(void)
{
    pthread_t thread;

    require(pthread_create(&thread, NULL, use_malloc, NULL) == 0, "thread");
    for (int i = 0; i < ROUNDS; i++)
        open_use_and_close(i);
    stop = 1;
    pthread_join(thread, NULL);
}

static void
boehm_host(void)
{
    pthread_t thread;

    open_boehms();
    require(gc.GC_pthread_create(&thread, NULL, use_boehm, NULL) == 0,
            "thread");
    for (int i = 0; i < ROUNDS; i++) {
        open_use_and_close(i);
        gc.GC_gcollect();
    }
    stop = 1;
    gc.GC_pthread_join(thread, NULL);
}

/* Closes the library without Py_Finalize: it is the same one when it is opened
   again, with its objects. */
static void
forgetful_host(void)
{
    PyObject *list = NULL;

    open_boehms();
    for (int i = 0; i < ROUNDS; i++) {
        void *library = open_ours();

        require(py.Py_IsInitialized() == (i > 0), "state");
        py.Py_Initialize();
        if (list == NULL)
            list = new_list(LISTS);
        is_list(list, LISTS);
        collect_cycles();
        dlclose(library);
        for (int k = 0; k < 1000; k++)
            memset(gc.GC_malloc(sizeof(PyListObject)), 'x',
                   sizeof(PyListObject));
        gc.GC_gcollect();
    }
    is_list(list, LISTS);
}

static GC_push_other_roots_proc next_push;
static int pushes;

static void
push(void)
{
    pushes++;
    next_push();
}

/* Its hook goes on calling ours, wherever that is. */
static void
host_with_a_hook(void)
{
    PyObject *list = NULL;

    open_boehms();
    for (int i = 0; i < ROUNDS; i++) {
        void *library = open_ours();

        py.Py_Initialize();
        if (i == 0) {
            next_push = gc.GC_get_push_other_roots();
            gc.GC_set_push_other_roots(push);
            list = new_list(LISTS);
        }
        is_list(list, LISTS);
        collect_cycles();
        py.Py_Finalize();
        dlclose(library);
        pushes = 0;
        gc.GC_gcollect();
        require(pushes == 1, "push");
    }
    is_list(list, LISTS);
}

/* Each in a process of its own. */
static int
run(const char *name, void (*program)(void))
{
    int status = 0;

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        program();
        exit(0);
    }
    require(child > 0 && waitpid(child, &status, 0) == child, "fork");
    printf("%s - %s\n", status == 0 ? "ok" : "not ok", name);
    return status != 0;
}

int
main(void)
{
    return run("a plain program", plain_program) |
           run("a Boehm host", boehm_host) |
           run("a host without Py_Finalize", forgetful_host) |
           run("a host with a hook", host_with_a_hook);
}
