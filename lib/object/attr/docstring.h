/* docstring.h: doc strings, taken apart. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_DOCSTRING_H
#define PYB_OBJECT_ATTR_DOCSTRING_H

#include "object.h"

/* pyb_docstring_text: the __doc__ of the C function or type of that name (the
   part up to the last dot is ignored): doc without the header
   "name(...)\n--\n\n", or None if nothing is left or doc is NULL.  A new
   reference, or NULL with an exception. */
PyObject *pyb_docstring_text(const char *name, const char *doc);

/* pyb_docstring_signature: likewise the "(...)" of that header, or None. */
PyObject *pyb_docstring_signature(const char *name, const char *doc);

#endif /* PYB_OBJECT_ATTR_DOCSTRING_H */
