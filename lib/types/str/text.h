/* text.h: a text that grows, for strings of unknown length. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_TEXT_H
#define PYB_TYPES_STR_TEXT_H

#include "Python.h"

/* struct pyb_text: a text; empty if all fields are zero.  Its content is
   trusted UTF-8 (utf8.h) unless it becomes bytes. */
struct pyb_text {
    char *data;
    Py_ssize_t size, room;
};

/* Appending: 0, or -1 with MemoryError. */
int pyb_text_bytes(struct pyb_text *text, const char *bytes, Py_ssize_t size);
int pyb_text_char(struct pyb_text *text, Py_UCS4 ch);
int pyb_text_repeat(struct pyb_text *text, char ascii, Py_ssize_t count);
int pyb_text_str(struct pyb_text *text, PyObject *str);

/* pyb_text_expand: appends bytes with spaces in place of tabs, up to the next
   column that is a multiple of tabsize; none if that is not above 0.  utf8: do
   columns count characters, not bytes?  0, or -1 with MemoryError. */
int pyb_text_expand(struct pyb_text *text, const char *bytes, Py_ssize_t size,
                    int tabsize, int utf8);

/* pyb_text_printf: appends a short formatted ASCII text, of at most 127
   bytes. */
int pyb_text_printf(struct pyb_text *text, const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 2, 3)));

/* pyb_text_room: makes room for size more bytes and returns their place; the
   caller adds the number of bytes written to text->size.  NULL with
   MemoryError. */
char *pyb_text_room(struct pyb_text *text, Py_ssize_t size);

/* pyb_text_finish: the str of the text, pyb_text_finish_bytes: bytes; both
   free the text.  A new reference, or NULL with MemoryError. */
PyObject *pyb_text_finish(struct pyb_text *text);
PyObject *pyb_text_finish_bytes(struct pyb_text *text);

/* pyb_text_end, pyb_text_end_bytes: the same unless writing the text failed;
   then they free it and return NULL. */
PyObject *pyb_text_end(struct pyb_text *text, int failed);
PyObject *pyb_text_end_bytes(struct pyb_text *text, int failed);

/* pyb_text_drop: frees the text. */
void pyb_text_drop(struct pyb_text *text);

#endif /* PYB_TYPES_STR_TEXT_H */
