/* why.c: what PyBoehm_WhyAlive says.  See why.h. */

#include "suite.h"

#include "pyboehm.h"
#include "watch_text.h"
#include "why.h"

char why_text[8000];

const char *
why_told(PyObject *op, int expected)
{
    FILE *file = tmpfile();
    int result = PyBoehm_WhyAlive(op, file);
    size_t n;

    rewind(file);
    n = fread(why_text, 1, sizeof why_text - 1, file);
    why_text[n] = '\0';
    fclose(file);
    ck_assert_int_eq(PyBoehm_WhyAlive(op, NULL), result);
    if (getenv("WHY_SHOW") != NULL)
        fprintf(stderr, "%s\n", why_text);
    mask_addresses(why_text);
    ck_assert_msg(result == expected, "%d: %s", result, why_text);
    return why_text;
}

void
why_says(PyObject *op, int expected, const char *part)
{
    const char *all = why_told(op, expected);

    ck_assert_msg(strstr(all, part) != NULL, "no \"%s\" in:\n%s", part, all);
}
