/* ownwords.c: no word of the library's own keeps a member of a set that Boehm
   is asked about: none in registers, in the frames from here up to the
   function that has begun the collection or teardown, or in the variables of a
   library that is shared.  What lies below is cleared before Boehm marks
   (pyb_threadstack_clear); the host's words may keep what they like.

   Manual: dl_iterate_phdr(3). */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/boehm/boehm.h"
#include "gc/check/ownwords.h"
#include "gc/control.h"

#ifdef HAVE_LINK_H
#include <link.h>
#endif

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

#ifdef HAVE_LINK_H
struct data {
    uintptr_t begin, end;
};

static int
has_code(const struct dl_phdr_info *info)
{
    uintptr_t here = (uintptr_t)pyb_ownwords_check - info->dlpi_addr;

    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            here - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz)
            return 1;
    return 0;
}

/* In a program that the library is part of, variables are not told apart; it
   has no name. */
static int
find_data(struct dl_phdr_info *info, size_t Py_UNUSED(size), void *found)
{
    struct data *data = found;

    if (!has_code(info))
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum && *info->dlpi_name != 0; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type == PT_LOAD && (part->p_flags & PF_W)) {
            data->begin = info->dlpi_addr + part->p_vaddr;
            data->end = data->begin + part->p_memsz;
        }
    }
    return 1;
}

static void
look_at_variables(const struct pyb_set *set)
{
    struct data data = {0, 0};
    const uintptr_t mask = sizeof(uintptr_t) - 1;

    dl_iterate_phdr(find_data, &data);
    look_at(set, (data.begin + mask) & ~mask, data.end, "variables");
}
#else
static void
look_at_variables(const struct pyb_set *Py_UNUSED(set))
{
}
#endif

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
    if (pyb_control.plain)
        return;
    look_at_frames(set);
    look_at_variables(set);
}
