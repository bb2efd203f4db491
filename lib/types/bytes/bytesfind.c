/* bytesfind.c: searches bytes for bytes; see bytesfind.h. */

#define _GNU_SOURCE 1 /* memmem, memrchr */
#include "Python.h"

#include "gc/base/fatal.h"
#include "types/bytes/bytesfind.h"

const char *
pyb_bytesfind_first(struct pyb_span hay, struct pyb_span needle)
{
    PYB_ASSERT(hay.size >= 0 && needle.size >= 0);
    if (needle.size == 0)
        return hay.data;
    return memmem(hay.data, (size_t)hay.size, needle.data,
                  (size_t)needle.size);
}

const char *
pyb_bytesfind_last(struct pyb_span hay, struct pyb_span needle)
{
    Py_ssize_t room = hay.size - needle.size;

    PYB_ASSERT(hay.size >= 0 && needle.size >= 0);
    if (needle.size == 0)
        return hay.data + hay.size;
    for (; room >= 0; room--) {
        /* The last place of its first byte. */
        const char *place =
            memrchr(hay.data, needle.data[0], (size_t)room + 1);
        if (place == NULL)
            return NULL;
        if (memcmp(place, needle.data, (size_t)needle.size) == 0)
            return place;
        room = place - hay.data;
    }
    return NULL;
}

Py_ssize_t
pyb_bytesfind_count(struct pyb_span hay, struct pyb_span needle)
{
    Py_ssize_t count = 0;
    const char *place;

    PYB_ASSERT(needle.size > 0);
    while ((place = pyb_bytesfind_first(hay, needle)) != NULL) {
        count++;
        place += needle.size;
        hay.size -= place - hay.data;
        hay.data = place;
    }
    return count;
}

int
pyb_bytesfind_starts(struct pyb_span hay, struct pyb_span needle)
{
    return needle.size <= hay.size &&
           memcmp(hay.data, needle.data, (size_t)needle.size) == 0;
}

int
pyb_bytesfind_ends(struct pyb_span hay, struct pyb_span needle)
{
    return needle.size <= hay.size &&
           memcmp(hay.data + hay.size - needle.size, needle.data,
                  (size_t)needle.size) == 0;
}

void
pyb_bytesfind_adjust(Py_ssize_t *start, Py_ssize_t *end, Py_ssize_t length)
{
    PYB_ASSERT(length >= 0);
    if (*end > length)
        *end = length;
    else if (*end < 0)
        *end = Py_MAX(*end + length, 0);
    if (*start < 0)
        *start = Py_MAX(*start + length, 0);
}
