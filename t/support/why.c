/* why.c: what PyBoehm_WhyAlive says.  See why.h. */

#include "suite.h"

#include "pyboehm.h"
#include "watch_text.h"
#include "why.h"

char why_text[8000];

/* The same where at most the caller has the address. */
static const char *
tell(volatile uintptr_t hidden, int expected)
{
    FILE *file = tmpfile();
    int result = PyBoehm_WhyAlive(why_show(hidden), file);
    size_t n;

    rewind(file);
    n = fread(why_text, 1, sizeof why_text - 1, file);
    why_text[n] = '\0';
    fclose(file);
    ck_assert_int_eq(PyBoehm_WhyAlive(why_show(hidden), NULL), result);
    if (getenv("WHY_SHOW") != NULL)
        fprintf(stderr, "%s\n", why_text);
    mask_addresses(why_text);
    ck_assert_msg(result == expected, "%d: %s", result, why_text);
    return why_text;
}

const char *
why_told(PyObject *op, int expected)
{
    return tell(why_hide(op), expected);
}

/* Does this system tell all that there is to say of a place? */
static int
knows_places(void)
{
    return suite_has("PROCESS_VM_READV") && suite_has("PTHREAD_GETATTR_NP") &&
           suite_has("DLADDR") && suite_has("LINK_H");
}

static void
hidden_says(uintptr_t hidden, const char *part)
{
    tell(hidden, 1);
    if (!knows_places())
        return;
    ck_assert_msg(strstr(why_text, part) != NULL, "no \"%s\" in:\n%s", part,
                  why_text);
}

/* These have the registers somewhere else, too. */
void
why_is_nowhere(uintptr_t hidden)
{
    suite_forget_stack(); /* earlier calls may have left it there */
    if (!suite_knows_malloc())
        tell(hidden, 1);
    else
        hidden_says(
            hidden,
            "1 from outside\n    no location found: leaked reference\n");
}

void
why_is_on_stack(uintptr_t hidden)
{
    hidden_says(hidden, "1 from outside\n    0x# on the stack of this "
                        "thread\n");
}

void
why_says(PyObject *op, int expected, const char *part)
{
    const char *all = why_told(op, expected);

    if (!knows_places())
        return;
    ck_assert_msg(strstr(all, part) != NULL, "no \"%s\" in:\n%s", part, all);
}
