/* inttext.h: numbers as text, and back. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_INTTEXT_H
#define PYB_INTTEXT_H

/* Room for 64 binary digits, sign, prefix and NUL. */
#define PYB_INTTEXT_SIZE 72

/* pyb_inttext_format: the number in base 2 to 36, with "0b", "0o" or "0x" if
   prefix is set and the base has one.  Returns the beginning of the text in
   the buffer; the text ends at the buffer's end, with a NUL. */
char *pyb_inttext_format(int64_t v, int base, int prefix,
                         char buffer[PYB_INTTEXT_SIZE]);

/* A text that was read. */
struct pyb_inttext {
    int base; /* the one asked for, or the one named in the text */
    int negative;
    const char *digits; /* there may be underscores among them */
    size_t count;       /* of the digits alone */
    uint64_t magnitude; /* the number without its sign, unless */
    int large;          /* it has more than 64 bits */
    const char *end;    /* or the first character that does not belong there */
};

/* pyb_inttext_parse: reads a number from text in base 0 or 2 to 36, with white
   space around it.  0; or -1 if it is none, or has more behind it: then only
   base, end and count hold, and count is 0 if the digits were not read. */
int pyb_inttext_parse(const char *text, int base, struct pyb_inttext *out);

/* pyb_inttext_values: the values of the digits. */
void pyb_inttext_values(const struct pyb_inttext *text, unsigned char *values);

#endif /* PYB_INTTEXT_H */
