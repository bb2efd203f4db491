/* field.h: in which part of its instances a type keeps a reference, and which
   of its bases answers for it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_FIELD_H
#define PYB_WATCH_FIELD_H

#include "watch/evidence.h"

enum pyb_part {
    PYB_PART_BODY,   /* at the offset */
    PYB_PART_ITEMS,  /* behind the body */
    PYB_PART_DICT,   /* the managed dictionary */
    PYB_PART_MALLOC, /* in malloc memory that the word at the offset leads to
                      */
    PYB_PART_STATE,  /* the same, of a module */
    PYB_PART_TYPE    /* the object's type */
};

struct pyb_field {
    PyTypeObject *type;
    enum pyb_part part;
    uint32_t offset; /* 0 where it says nothing */
    uint32_t inner;  /* the offset in an item; or in a structure in malloc
                        memory, which tells fields apart, and is not
                        told */
    traverseproc traverse; /* what should visit it */
    PyObject *module;      /* one with that state; borrowed */
};

/* pyb_field_of: the field that a word is in, of the type that should have
   visited it: the lowest of the bases with that field, unless its tp_traverse
   does visit it, and is not called. */
struct pyb_field pyb_field_of(const struct pyb_evidence *evidence,
                              const struct pyb_word *word);

int pyb_field_same(const struct pyb_field *a, const struct pyb_field *b);

/* pyb_field_instances: how many objects have it. */
size_t pyb_field_instances(const struct pyb_evidence *evidence,
                           const struct pyb_field *field);

/* pyb_field_print: "custom.Custom+24 (first)" into so many bytes of text. */
void pyb_field_print(const struct pyb_field *field, char *text, size_t size);

#endif /* PYB_WATCH_FIELD_H */
