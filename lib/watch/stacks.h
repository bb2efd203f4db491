/* stacks.h: whose stack an address is on. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_STACKS_H
#define PYB_WATCH_STACKS_H

#include <stddef.h>
#include <stdint.h>

struct pyb_stacks {
    size_t n;
    struct pyb_stack {
        long thread;               /* as gettid() has it */
        int mine;                  /* the thread that asked */
        uintptr_t begin, top, end; /* in use from top up to end */
    } all[64];                     /* of more threads nothing is known */
};

/* pyb_stacks_take: as they are now: this thread's, and of other threads those
   that wait. */
void pyb_stacks_take(struct pyb_stacks *stacks, uintptr_t ground);

/* pyb_stacks_find: the stack that an address is on, or NULL. */
const struct pyb_stack *pyb_stacks_find(const struct pyb_stacks *stacks,
                                        uintptr_t address);

#endif /* PYB_WATCH_STACKS_H */
