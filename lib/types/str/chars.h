/* chars.h: properties of characters beside Py_UNICODE_IS... and TO.... */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_CHARS_H
#define PYB_TYPES_STR_CHARS_H

#include "Python.h"

/* pyb_chars_fold_one: the character that ch folds to, if it is one. */
Py_UCS4 pyb_chars_fold_one(Py_UCS4 ch);

/* Is ch a letter with a case?  Is it ignored in the search for the end of a
   word? */
int pyb_chars_is_cased(Py_UCS4 ch);
int pyb_chars_is_ignorable(Py_UCS4 ch);

/* The full mappings: write the mapped characters of ch, and return their
   number. */
enum { PYB_CHARS_LONGEST = 3 };
typedef int (*pyb_chars_mapping)(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST]);
int pyb_chars_lower(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST]);
int pyb_chars_upper(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST]);
int pyb_chars_title(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST]);
int pyb_chars_fold(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST]);

#endif /* PYB_TYPES_STR_CHARS_H */
