/* field.h: the part of its instances where a type keeps a reference, and which
   of the type's bases should visit it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_FIELD_H
#define PYB_WATCH_WHY_FIELD_H

#include "watch/memory/evidence.h"

enum pyb_part {
    PYB_PART_BODY,   /* at the offset */
    PYB_PART_ITEMS,  /* behind the body */
    PYB_PART_DICT,   /* the managed dictionary */
    PYB_PART_MALLOC, /* in malloc memory; the word at the offset leads there */
    PYB_PART_STATE,  /* in the state of a module */
    PYB_PART_TYPE    /* the object's type */
};

struct pyb_field {
    PyTypeObject *type;
    enum pyb_part part;
    uint32_t offset; /* 0 for parts where it has no meaning */
    uint32_t inner;  /* the offset in an item, or in a structure in malloc
                        memory; the latter tells fields apart and is not
                        printed */
    traverseproc traverse; /* the function that should visit it */
    PyObject *module;      /* a module with that state */
};

/* pyb_field_of: the field that a word is in, and the type that should have
   visited it: the lowest base with that field, unless that base's tp_traverse
   visits the field and is just not called. */
struct pyb_field pyb_field_of(const struct pyb_evidence *evidence,
                              const struct pyb_word *word);

int pyb_field_same(const struct pyb_field *a, const struct pyb_field *b);

/* pyb_field_instances: the number of objects with this field. */
size_t pyb_field_instances(const struct pyb_evidence *evidence,
                           const struct pyb_field *field);

/* pyb_field_print: writes "custom.Custom+24 (first)" to text, which has room
   for size bytes. */
void pyb_field_print(const struct pyb_field *field, char *text, size_t size);

/* pyb_field_holding_at: the offset of the one field of the object's body that
   has the address; 0 if none has it, or several. */
uint32_t pyb_field_holding_at(PyObject *op, const void *address);

/* pyb_field_holding: as pyb_field_print, for the one field of the object's
   body that has the address; an empty text if none has it, or several. */
void pyb_field_holding(PyObject *op, const void *address, char *text,
                       size_t size);

#endif /* PYB_WATCH_WHY_FIELD_H */
