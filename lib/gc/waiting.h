/* waiting.h: the end of a condemned set.

   A set is torn down at once, or it waits until Boehm finalizes the sentinel.
   What no collection waits for is torn down in slices.

   internals: set-states */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_WAITING_H
#define PYB_GC_WAITING_H

#include "gc/condemned.h"

/* pyb_condemned_tear_down: tears the current set down at once, and whole. */
void pyb_condemned_tear_down(struct pyb_set *set);

/* pyb_waiting_abandon: a teardown has been left by a jump: what it has not
   freed lives on. */
void pyb_waiting_abandon(void);

/* pyb_waiting_leave: leaves the current set to Boehm, with what waits
   already.  0, or -1 if Boehm has no memory for the sentinel: the set is still
   the current one. */
int pyb_waiting_leave(struct pyb_set *set);

/* pyb_waiting_leave_in_steps: as pyb_waiting_leave, where none waits: at the
   next pyb_waiting_go_on Boehm collects, and calls the finalizer; at the one
   after that the set is torn down.  So each is a pause of its own. */
int pyb_waiting_leave_in_steps(struct pyb_set *set);

/* pyb_waiting_collect: leaves the current set to Boehm and has Boehm
   collect. The set is torn down when this returns: from the sentinel's
   finalizer, or here if Boehm could not call that.  No set waits. */
void pyb_waiting_collect(struct pyb_set *set);

/* pyb_waiting_any: is there a set for Boehm to find? */
int pyb_waiting_any(void);

/* pyb_waiting_tear_down: tears the waiting set down, if there is
   one, in place of Boehm's finalizer. */
void pyb_waiting_tear_down(void);

/* pyb_waiting_begin_teardown: the same, in slices, if the set may have some.
   pyb_waiting_go_on: the next step, or slices, at each allocation that makes a
   collection due; with as many members, at least, as objects were made since
   the last one, so that slices have an end.
   pyb_waiting_finish: all slices that are left.
   pyb_waiting_is_going_on: are there any? */
void pyb_waiting_begin_teardown(void);
void pyb_waiting_go_on(Py_ssize_t made);
void pyb_waiting_finish(void);
int pyb_waiting_is_going_on(void);

/* pyb_waiting_tear_down_due: pyb_waiting_begin_teardown, if the finalizer has
   been called and something was in its way. */
void pyb_waiting_tear_down_due(void);

/* pyb_waiting_finalize: what the sentinel's finalizer is for, in an
   attached thread.  In the middle of a teardown, a mark query, a census, or a
   collection of another thread it is put off to pyb_waiting_tear_down_due. */
void pyb_waiting_finalize(void);

#endif /* PYB_GC_WAITING_H */
