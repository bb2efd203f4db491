/* size.h: how many bytes an object takes. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_SIZE_H
#define PYB_WATCH_WHY_SIZE_H

#include <stddef.h>

#include "object.h"

/* pyb_size_plain: the bytes of an object that is not a container, without
   memory that it allocated, but for the text of a str. */
size_t pyb_size_plain(PyObject *op);

/* pyb_size_container: the bytes of a container's block, and of the tables that
   lists, dicts, sets and instances keep in malloc memory. */
size_t pyb_size_container(PyObject *op);

#endif /* PYB_WATCH_WHY_SIZE_H */
