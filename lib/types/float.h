/* float.h: what the texts of float and complex have in common. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_FLOAT_H
#define PYB_TYPES_FLOAT_H

#include "object.h"

/* pyb_float_copy_digits: copies length bytes of text without the underscores
   between digits, and a NUL after them.  -1 if an underscore is anywhere else,
   or a NUL is in the text. */
int pyb_float_copy_digits(char *out, const char *text, Py_ssize_t length);

#endif /* PYB_TYPES_FLOAT_H */
