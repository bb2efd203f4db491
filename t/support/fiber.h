/* fiber.h: stacks of a host's own, on which it runs what it likes.  Boehm
   looks at those that wait, too: calls of its own may stand there. */

#ifndef T_FIBER_H
#define T_FIBER_H

#include <stddef.h>
#include <ucontext.h>

struct fiber {
    ucontext_t inside, outside;
    char *memory;
    size_t size;
};

/* fiber_can: can Boehm be told which stack is in use?  If not, the log says
   so. */
int fiber_can(void);

/* fiber_begin: so many bytes of stack, below which is a page that cannot be
   read, for a call of function.
   fiber_end: gives them up, whatever is under way there. */
void fiber_begin(struct fiber *fiber, size_t size, void (*function)(void));
void fiber_end(struct fiber *fiber);

/* fiber_enter: goes on there, until the function returns or calls
   fiber_leave, and goes on here then.  Boehm is told. */
void fiber_enter(struct fiber *fiber);
void fiber_leave(struct fiber *fiber);

/* fiber_handle: its memory is an alternate signal stack, on which a handler
   calls the function. */
void fiber_handle(struct fiber *fiber, void (*function)(void));

#endif /* T_FIBER_H */
