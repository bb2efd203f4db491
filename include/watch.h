/* watch.h: what people look at: is a type's tp_traverse right, who holds an
   object, what does the heap look like, what does the collector do.

   Part of pyboehm; included by pyboehm.h.  Nothing here is CPython's.  The
   functions need an initialised library and are called from the attached
   thread; those that look at the heap run tp_traverse of all containers. */

#ifndef PYBOEHM_WATCH_H
#define PYBOEHM_WATCH_H

#include <stdio.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif /* PYBOEHM_WATCH_H */
