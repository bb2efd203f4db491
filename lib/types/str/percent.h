/* percent.h: the % operator, which has two kinds, for str and for bytes. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_PERCENT_H
#define PYB_TYPES_STR_PERCENT_H

#include "types/str/text.h"

/* struct pyb_percent: the state of one operation.  next is the number of the
   next argument; the arguments are the items of args, or args itself if
   single. */
struct pyb_percent {
    const struct pyb_percent_kind *kind;
    struct pyb_text out;
    const char *format, *p, *end; /* p: the rest of the format */
    const char *last;             /* where the last character was read */
    PyObject *args;               /* borrowed, or owned: see owns_args */
    int owns_args;
    int single;
    Py_ssize_t size, next;
    PyObject *mapping; /* the argument if it can be used as one; borrowed */
};

/* struct pyb_conversion: the part between '%' and the letter. */
struct pyb_conversion {
    int left, plus, blank, alternate, zero;
    Py_ssize_t width;
    int precision; /* -1: none */
    Py_UCS4 letter;
    const char *place; /* of the letter */
};

/* struct pyb_percent_kind: the operations that differ between str and
   bytes. */
struct pyb_percent_kind {
    /* Is the argument, which is not a tuple, a mapping for keys? */
    int (*is_mapping)(PyObject *args);
    /* The character at *p; moves *p behind it. */
    Py_UCS4 (*next)(const char **p);
    /* The number of characters in a text. */
    Py_ssize_t (*length)(const char *text, Py_ssize_t size);
    /* A key of the mapping; a new reference, or NULL with MemoryError. */
    PyObject *(*key)(const char *text, Py_ssize_t size);
    /* Appends an argument for a letter that does not ask for a number; 0, 1 if
       there is no such letter, or -1 with an exception. */
    int (*write)(struct pyb_percent *self,
                 const struct pyb_conversion *conversion, PyObject *op);
    /* Raises TypeError for an argument that is not a float. */
    void (*no_float)(PyObject *op);
    const char *precision_error, *unused_error;
};

/* pyb_percent_format: replaces the conversions in a text by the arguments.  0
   with self->out the result, or -1 with an exception. */
int pyb_percent_format(struct pyb_percent *self,
                       const struct pyb_percent_kind *kind, const char *format,
                       Py_ssize_t size, PyObject *args);

/* pyb_percent_write: appends text, filled up to the width.  0, or -1 with
   MemoryError. */
int pyb_percent_write(struct pyb_percent *self,
                      const struct pyb_conversion *conversion,
                      const char *text, Py_ssize_t size);

#endif /* PYB_TYPES_STR_PERCENT_H */
