/* importlock.c: a module is loaded by one thread at a time.  See importlock.h.

   A module's own code may let other threads run.  A thread that imports the
   same module must not load it a second time, nor get it half made. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/module/importlock.h"
#include "runtime/threadstate.h"

#include <pthread.h>

/* The modules being loaded, in no order; only the attached thread may use
   it. */
static struct pyb_loading *all;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned long ends; /* modules that have been loaded */
} done = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static struct pyb_loading *
find(PyObject *name)
{
    struct pyb_loading *loading = all;

    while (loading != NULL && PyUnicode_Compare(loading->name, name) != 0)
        loading = loading->outer;
    return loading;
}

/* The module that the loading thread waits for, or NULL; the thread may still
   wait for one that has just been loaded. */
static struct pyb_loading *
awaited(const struct pyb_loading *loading)
{
    PyObject *name = loading->loader->awaited;

    return name != NULL ? find(name) : NULL;
}

/* Does the loading thread wait for a module that `self' loads, or that a
   thread loads which waits for `self' in turn? */
static int
waits_for(const struct pyb_loading *loading, const PyThreadState *self)
{
    while (loading != NULL && loading->loader != self)
        loading = awaited(loading);
    return loading != NULL;
}

/* Waits, detached, until some module has been loaded. */
static void
wait_for_an_end(void)
{
    unsigned long before = done.ends;

    Py_BEGIN_ALLOW_THREADS
    pthread_mutex_lock(&done.mutex);
    while (done.ends == before)
        pthread_cond_wait(&done.changed, &done.mutex);
    pthread_mutex_unlock(&done.mutex);
    Py_END_ALLOW_THREADS
}

void
pyb_importlock_wait(PyObject *name)
{
    PyThreadState *self = pyb_threadstate_thread()->attached;
    struct pyb_loading *loading;

    while (all != NULL && (loading = find(name)) != NULL &&
           !waits_for(loading, self)) {
        PYB_ASSERT(self->awaited == NULL && loading->loader != self);
        self->awaited = name;
        wait_for_an_end();
        self->awaited = NULL;
    }
}

void
pyb_importlock_begin(struct pyb_loading *loading, PyObject *name)
{
    loading->name = name;
    loading->loader = pyb_threadstate_thread()->attached;
    PYB_ASSERT(loading->loader != NULL && loading != all);
    PYB_ASSERT_OBJECT(PyUnicode_Check(name), name);
    loading->outer = all;
    all = loading;
}

void
pyb_importlock_end(struct pyb_loading *loading)
{
    struct pyb_loading **link = &all;

    while (*link != NULL && *link != loading)
        link = &(*link)->outer;
    if (*link != NULL)
        *link = loading->outer;
    pthread_mutex_lock(&done.mutex);
    done.ends++;
    pthread_cond_broadcast(&done.changed);
    pthread_mutex_unlock(&done.mutex);
}

static void
after_fork(void)
{
    pyb_importlock_forget(pyb_threadstate_thread()->latest);
}

int
pyb_importlock_init(void)
{
    static int watched;

    if (!watched && pthread_atfork(NULL, NULL, after_fork) != 0)
        return -1;
    watched = 1;
    return 0;
}

void
pyb_importlock_forget(const PyThreadState *but)
{
    struct pyb_loading **link = &all;

    pthread_mutex_init(&done.mutex, NULL);
    pthread_cond_init(&done.changed, NULL);
    while (*link != NULL)
        if ((*link)->loader == but)
            link = &(*link)->outer;
        else
            *link = (*link)->outer;
}
