/* inttext.h: 128-bit numbers as text, and back. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_INTTEXT_H
#define PYB_INTTEXT_H

#include "types/intmath.h"

/* Room for 128 binary digits, sign, prefix and NUL. */
#define PYB_INTTEXT_SIZE 136

/* pyb_inttext_format: the number in base 2 to 36, with "0b", "0o" or "0x" if
   prefix is set and the base has one.  Returns where in the buffer the text
   begins; it ends with the buffer, in a NUL. */
char *pyb_inttext_format(pyb_int128 v, int base, int prefix,
                         char buffer[PYB_INTTEXT_SIZE]);

enum pyb_inttext_result {
    PYB_INTTEXT_OK,
    PYB_INTTEXT_INVALID,
    PYB_INTTEXT_TOO_LARGE,
};

/* pyb_inttext_parse: reads the number that text spells in base 0 or 2 to 36,
   with white space around it.  *end gets the end of text or, when that is
   INVALID, the first character that does not belong there. */
enum pyb_inttext_result pyb_inttext_parse(const char *text, const char **end,
                                          int base, pyb_int128 *out);

#endif /* PYB_INTTEXT_H */
