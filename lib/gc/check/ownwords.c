/* ownwords.c: no word of the library's own keeps a member of a set that Boehm
   is asked about: none in registers, or in the frames from here up to the
   function that has begun the collection or teardown.  What lies below is
   cleared before Boehm marks (pyb_threadstack_clear); the variables of a
   shared library are no roots (ownlibrary.h); the host's words may keep what
   they like. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/boehm/boehm.h"
#include "gc/check/ownwords.h"
#include "gc/control.h"

/* Frames that are farther apart are of two stacks: a host has fibers. */
enum { FRAMES_BYTES = 1 << 20 };

/* The member in whose block the address is, as Boehm sees it, or NULL. */
static PyObject *
member_at(const struct pyb_set *set, uintptr_t address)
{
    void *op = NULL;

    if (pyb_region_of((void *)address) != NULL)
        op = pyb_boehm_base((void *)address);
    if (op == NULL || !pyb_sidetable_holds(op))
        return NULL;
    return pyb_line_members(pyb_line_of(op), set->state) & pyb_bit_of(op)
               ? op
               : NULL;
}

/* A sanitizer would not have words between variables read. */
__attribute__((no_sanitize("address"))) static void
look_at(const struct pyb_set *set, uintptr_t begin, uintptr_t end,
        const char *where)
{
    PYB_ASSERT(begin % sizeof(uintptr_t) == 0);
    for (; begin + sizeof(uintptr_t) <= end; begin += sizeof(uintptr_t)) {
        PyObject *op = member_at(set, *(uintptr_t *)begin);

        if (op == NULL)
            continue;
        if (pyb_events != NULL)
            pyb_events->places(op, stderr);
        pyb_fatal_type("PyBoehm_Adopt", NULL, op,
                       "a word in the library's %s, at %p, leads to it while "
                       "Boehm is asked",
                       where, (void *)begin);
    }
}

/* All that is above this function's own. */
__attribute__((noinline)) static void
look_at_frames(const struct pyb_set *set)
{
    uintptr_t begin = (uintptr_t)__builtin_frame_address(0);
    uintptr_t end = (uintptr_t)pyb_control.innermost;

    if (end - begin < FRAMES_BYTES)
        look_at(set, begin, end, "frames");
}

/* What registers have is in this frame then. */
__attribute__((noinline)) void
pyb_ownwords_check(const struct pyb_set *set)
{
    __builtin_unwind_init();
    if (pyb_control.malloc_only)
        return;
    look_at_frames(set);
}
