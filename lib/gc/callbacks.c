/* callbacks.c: functions that want to know of each collection. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/callbacks.h"
#include "gc/control.h"

struct callback {
    PyBoehm_GC_Callback function;
    void *arg;
};

static struct callback *callbacks;
static size_t n_callbacks;

int
PyBoehm_GC_AddCallback(PyBoehm_GC_Callback callback, void *arg)
{
    struct callback *grown;

    pyb_control_require(__func__);
    grown = realloc(callbacks, (n_callbacks + 1) * sizeof *callbacks);
    if (grown == NULL) {
        pyb_upcalls.no_memory();
        return -1;
    }
    callbacks = grown;
    callbacks[n_callbacks++] = (struct callback){callback, arg};
    return 0;
}

int
PyBoehm_GC_RemoveCallback(PyBoehm_GC_Callback callback, void *arg)
{
    pyb_control_require(__func__);
    for (size_t i = 0; i < n_callbacks; i++)
        if (callbacks[i].function == callback && callbacks[i].arg == arg) {
            n_callbacks--;
            memmove(&callbacks[i], &callbacks[i + 1],
                    (n_callbacks - i) * sizeof *callbacks);
            return 1;
        }
    return 0;
}

/* A callback may add and remove some: each step looks at the list anew.  After
   one that removes itself the next one is passed over. */
void
pyb_callbacks_call(const char *phase, const PyBoehm_GC_Info *info)
{
    PYB_ASSERT(n_callbacks == 0 || callbacks != NULL);
    for (size_t i = 0; i < n_callbacks; i++) {
        callbacks[i].function(phase, info, callbacks[i].arg);
        pyb_upcalls_report("a callback of the collector", NULL);
    }
}

void
pyb_callbacks_forget(void)
{
    free(callbacks);
    callbacks = NULL;
    n_callbacks = 0;
}
