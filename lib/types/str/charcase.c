/* charcase.c: characters in other cases, where one may become several.

   A character that folds to several becomes several in another case, too, if
   those begin like its simple mapping; chardata.py has checked this for all of
   Unicode's special casings. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/str/chardata.h"
#include "types/str/chars.h"

/* The characters that ch folds to if they are several; else 0. */
static int
fold_to_several(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST])
{
    int low = 0, high = pyb_chardata_fold_count;

    if (ch < pyb_chardata_folds[0][0])
        return 0;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (ch < pyb_chardata_folds[middle][0])
            high = middle;
        else
            low = middle;
    }
    PYB_ASSERT(low >= 0 && low < pyb_chardata_fold_count);
    const uint16_t *row = pyb_chardata_folds[low];
    PYB_ASSERT(ch >= row[0]);
    if (ch - row[0] >= row[1])
        return 0;
    out[0] = row[2] + ch - row[0];
    out[1] = row[3];
    out[2] = row[4];
    return out[2] == 0 ? 2 : 3;
}

/* Begins the full mapping of ch with its simple one.  Returns 0 if it must be
   derived from the folded characters, which are then in out. */
static int
begin(Py_UCS4 ch, Py_UCS4 (*simple)(Py_UCS4), Py_UCS4 out[PYB_CHARS_LONGEST],
      int *count)
{
    const Py_UCS4 one = simple(ch);

    *count = fold_to_several(ch, out);
    if (*count != 0 && one == simple(out[0]))
        return 0;
    out[0] = one;
    return 1;
}

int
pyb_chars_lower(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST])
{
    int count;

    return begin(ch, Py_UNICODE_TOLOWER, out, &count) ? 1 : count;
}

int
pyb_chars_upper(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST])
{
    int count;

    if (begin(ch, Py_UNICODE_TOUPPER, out, &count))
        return 1;
    for (int i = 0; i < count; i++)
        out[i] = Py_UNICODE_TOUPPER(out[i]);
    return count;
}

int
pyb_chars_title(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST])
{
    enum { IOTA = 0x3b9, IOTA_BELOW = 0x345 };
    int count, i = 0;

    if (begin(ch, Py_UNICODE_TOTITLE, out, &count))
        return 1;
    if (!Py_UNICODE_ISLOWER(out[0])) /* an apostrophe before the letter */
        i++;
    out[i] = Py_UNICODE_TOTITLE(out[i]);
    while (++i < count)
        if (out[i] == IOTA)
            out[i] = IOTA_BELOW;
    return count;
}

int
pyb_chars_fold(Py_UCS4 ch, Py_UCS4 out[PYB_CHARS_LONGEST])
{
    const int count = fold_to_several(ch, out);

    if (count != 0)
        return count;
    out[0] = pyb_chars_fold_one(ch);
    return 1;
}
