/* smallstack.h: calls on stacks that are small. */

#ifndef T_SMALLSTACK_H
#define T_SMALLSTACK_H

#include <stddef.h>

/* smallstack_thread: a thread with a stack of so many bytes calls function,
   attached.  smallstack_fiber: a fiber of this thread does, if fiber_can();
   smallstack_signal: so does the handler of a signal on an alternate stack.
   With sanitizers the stacks are four times as large, for frames are. */
void smallstack_thread(size_t size, void (*function)(void));
void smallstack_fiber(size_t size, void (*function)(void));
void smallstack_signal(size_t size, void (*function)(void));

#endif /* T_SMALLSTACK_H */
