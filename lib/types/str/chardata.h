/* chardata.h: the tables of chardata.c, which chardata.py writes. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_CHARDATA_H
#define PYB_TYPES_STR_CHARDATA_H

#include "Python.h"

/* A character's record: flags, and the differences from the character to its
   upper and its lower case, from the upper to the title case, and from the
   lower to the folded one. */
enum {
    PYB_CHAR_FLAGS,
    PYB_CHAR_UPPER,
    PYB_CHAR_LOWER,
    PYB_CHAR_TITLE,
    PYB_CHAR_FOLD,
    PYB_CHAR_FIELDS
};
extern const int32_t pyb_chardata_records[][PYB_CHAR_FIELDS];

enum {
    PYB_CHAR_IS_ALPHA = 1,
    PYB_CHAR_IS_LOWER = 2,
    PYB_CHAR_IS_UPPER = 4,
    PYB_CHAR_IS_TITLE = 8,
    PYB_CHAR_IS_PRINTABLE = 0x10,
    PYB_CHAR_IS_IGNORABLE = 0x20, /* Case_Ignorable */
    PYB_CHAR_IS_START = 0x40,     /* XID_Start */
    PYB_CHAR_IS_CONTINUE = 0x80,  /* XID_Continue */
    PYB_CHAR_IS_NUMERIC = 0x100,
    PYB_CHAR_IS_DIGIT = 0x200,
    PYB_CHAR_IS_DECIMAL = 0x400, /* its value: its place in the run, mod 10 */
    /* Every other character of the run has the next record: upper and lower
       case letters alternate. */
    PYB_CHAR_ALTERNATE = 0x800
};

/* All characters, from the first to the last, in runs: the length, and the
   number of their record.  Each PYB_CHAR_BLOCK runs are a block.  The tables
   have the first character of each block, and the block in which each page of
   PYB_CHAR_PAGE characters begins; from PYB_CHAR_PAGED on there are few
   blocks, and no pages. */
enum { PYB_CHAR_BLOCK = 16, PYB_CHAR_PAGE = 512, PYB_CHAR_PAGED = 0x20000 };
extern const uint16_t pyb_chardata_runs[];
extern const Py_UCS4 pyb_chardata_blocks[]; /* and the end */
extern const uint8_t pyb_chardata_pages[];

/* Digits that are not decimal: the first of a sequence, its length, and the
   first one's value; each next digit is worth one more. */
extern const Py_UCS4 pyb_chardata_digits[][3];
extern const int pyb_chardata_digit_count;

/* Characters that fold to two or three: the first of a sequence, its length,
   and its folded text, with 0 behind it; in the texts of the next ones the
   first character is one more each time. */
enum { PYB_FOLD_FIELDS = 5 };
extern const uint16_t pyb_chardata_folds[][PYB_FOLD_FIELDS];
extern const int pyb_chardata_fold_count;

#endif /* PYB_TYPES_STR_CHARDATA_H */
