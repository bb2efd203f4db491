/* leaks.c: what PYBOEHM_LEAKS says.  See leaks.h. */

#include "suite.h"

#include "leaks.h"
#include "watch_text.h"

/* Puts '#' for the bytes of each row, which are more with checks. */
static void
mask_bytes(char *line)
{
    enum { BYTES = 10, END = 21 };

    for (; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strlen(line) > END && line[0] == ' ' && line[BYTES - 2] >= '0' &&
            line[BYTES - 2] <= '9')
            memset(line + BYTES, '#', END - BYTES);
    }
}

void
leaks_mask(char *text)
{
    mask_addresses(text);
    mask_bytes(text);
}

char *
leaks_said(const char *wish, void (*program)(void))
{
    char *text;

    setenv("PYBOEHM_LEAKS", wish, 1);
    Py_Initialize();
    program();
    suite_catch_stderr();
    Py_Finalize();
    text = suite_caught_stderr();
    if (getenv("LEAKS_SHOW") != NULL)
        fputs(text, stderr);
    leaks_mask(text);
    return text;
}

void
leaks_say(void (*program)(void), const char *part)
{
    char *text = leaks_said("1", program);

    ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in:\n%s", part, text);
    free(text);
}
