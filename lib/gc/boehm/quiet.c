/* quiet.c: collections of Boehm's that run no finalizers.  See quiet.h.

   All functions of Boehm's that collect at once run finalizers then, but for
   this: GC_collect_a_little, when it finds that a collection is due.  So much
   is said to have been allocated that one is; Boehm's sum of all allocations
   has it, too. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/boehm/boehm.h"
#include "gc/boehm/quiet.h"

/* Exported by all versions; the newer ones do not install the header.  NULL:
   not by this one. */
GC_API void GC_CALL GC_incr_bytes_allocd(size_t) __attribute__((weak));
GC_API int GC_CALL GC_get_disable_automatic_collection(void)
    __attribute__((weak));

/* Boehm collects when about so much was allocated as its heap is large, or
   as what it scans besides.  So often it is tried, with twice as many bytes
   each time. */
enum { ATTEMPTS = 10 };

/* Of the host's finalizers some were kept back.  The attached thread's. */
static int kept_back;

static void *GC_CALLBACK
pretend_allocated(void *bytes)
{
    GC_incr_bytes_allocd(*(size_t *)bytes);
    return NULL;
}

int
pyb_quiet_can(void)
{
    return GC_incr_bytes_allocd != NULL && !GC_is_incremental_mode() &&
           !GC_is_disabled() &&
           (GC_get_disable_automatic_collection == NULL ||
            !GC_get_disable_automatic_collection());
}

int
pyb_quiet_collect(void)
{
    unsigned long before = pyb_boehm_collections();
    size_t bytes = GC_get_heap_size();

    PYB_ASSERT(pyb_gil_is_held());
    if (!pyb_quiet_can())
        return 0;
    kept_back = 1;
    for (int i = 0; i < ATTEMPTS && pyb_boehm_collections() == before; i++) {
        GC_call_with_alloc_lock(pretend_allocated, &bytes);
        GC_collect_a_little();
        bytes *= 2;
    }
    PYB_ASSERT(pyb_boehm_collections() >= before);
    return pyb_boehm_collections() != before;
}

void
pyb_quiet_abandon(void)
{
    kept_back = 0;
}

void
pyb_boehm_run_finalizers(void)
{
    int were_kept_back = kept_back;

    PYB_ASSERT(pyb_gil_is_held());
    kept_back = 0;
    if (!were_kept_back || !GC_should_invoke_finalizers())
        return;
    if (!GC_get_finalize_on_demand())
        GC_invoke_finalizers();
    else if (GC_get_finalizer_notifier() != 0)
        GC_get_finalizer_notifier()();
}
