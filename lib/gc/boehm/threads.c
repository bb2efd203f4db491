/* threads.c: the threads that Boehm knows.  See boehm.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/boehm/private.h"

void
pyb_boehm_allow_threads(void)
{
    static int allowed;

    if (allowed)
        return;
    allowed = 1;
    GC_allow_register_threads();
}

/* Boehm is about to end the program.  It does so when it has not been told of
   threads, which only a thread that it knows may do. */
static void GC_CALLBACK
refuse_thread(const char *message)
{
    pyb_fatal_format("Py_Initialize",
                     "Boehm does not know this thread, and expects none (%s): "
                     "call GC_allow_register_threads before, in a thread that "
                     "Boehm knows",
                     message != NULL ? message : "it does not say why");
}

int
pyb_boehm_register_thread(int ending)
{
    struct GC_stack_base base;
    GC_abort_func before = GC_get_abort_func();
    int entered;

    if (!GC_is_init_called())
        GC_INIT(); /* this thread is Boehm's first */
    if (!ending && GC_thread_is_registered())
        return 0;
    if (GC_get_stack_base(&base) != GC_SUCCESS)
        return 0;
    GC_set_abort_func(refuse_thread);
    entered = GC_register_my_thread(&base) == GC_SUCCESS;
    GC_set_abort_func(before);
    return entered;
}

void
pyb_boehm_unregister_thread(void)
{
    PYB_ASSERT(GC_thread_is_registered());
    GC_unregister_my_thread();
}

void
pyb_boehm_let_signals(sigset_t *set)
{
    int numbers[] = {GC_get_suspend_signal(), GC_get_thr_restart_signal(),
                     SIGSEGV, SIGBUS};

    for (int i = 0; i < 4; i++)
        if (numbers[i] > 0)
            sigdelset(set, numbers[i]);
}
