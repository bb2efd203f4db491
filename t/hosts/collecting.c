/* collecting.c: Boehm collections at the library's allocations; linked with
   the library's parts and the linker's --wrap.

   A free list serves most containers, so the question whether an automatic
   collection is due, which comes before each, is the place; see host.c for how
   it comes to be asked. */

#include "Python.h"

#include "gc/boehm/boehm.h"
#include "gc/control.h"
#include "../support/host.h"

#include <gc/gc.h>

void __real_pyb_collect_automatic(void);
void *__real_pyb_boehm_alloc_many(size_t size);
void *__real_pyb_boehm_alloc(size_t size);
int __real_pyb_boehm_set_sentinel(void);
PyVarObject *__real__PyObject_GC_Resize(PyVarObject *op, Py_ssize_t nitems);

void __wrap_pyb_collect_automatic(void);
void *__wrap_pyb_boehm_alloc_many(size_t size);
void *__wrap_pyb_boehm_alloc(size_t size);
int __wrap_pyb_boehm_set_sentinel(void);
PyVarObject *__wrap__PyObject_GC_Resize(PyVarObject *op, Py_ssize_t nitems);

static void
collect(void)
{
    enum { SOME = 1000 };

    if (host_collecting == 0)
        return;
    if (host_collecting > 0 || host_collecting % SOME == 0)
        GC_gcollect();
    if (--host_collecting == 0)
        host_collecting--;
}

void
__wrap_pyb_collect_automatic(void)
{
    collect();
    __real_pyb_collect_automatic();
}

void *
__wrap_pyb_boehm_alloc_many(size_t size)
{
    collect();
    return __real_pyb_boehm_alloc_many(size);
}

void *
__wrap_pyb_boehm_alloc(size_t size)
{
    collect();
    return __real_pyb_boehm_alloc(size);
}

int
__wrap_pyb_boehm_set_sentinel(void)
{
    collect();
    return __real_pyb_boehm_set_sentinel();
}

PyVarObject *
__wrap__PyObject_GC_Resize(PyVarObject *op, Py_ssize_t nitems)
{
    collect();
    return __real__PyObject_GC_Resize(op, nitems);
}
