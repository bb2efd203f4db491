/* state.c: the variables of the collector that many files share.

   They stand below all functions of lib/gc, so that no file needs one above it
   for its variable alone. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/control.h"
#include "gc/heap/heap.h"

#ifndef PYBOEHM_CHECKS
int pyb_checks;
#endif

struct pyb_adoption pyb_adoption;

struct pyb_control pyb_control;

struct pyb_heap pyb_heap;

struct pyb_upcalls pyb_upcalls;

const struct pyb_events *pyb_events;
