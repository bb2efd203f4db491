/* bold.c: headlines on a terminal.  See bold.h. */

#include "Python.h"

#include "gc/base/bold.h"
#include "gc/base/environment.h"

#include <unistd.h>

static int
is_wanted(FILE *file)
{
    const char *term = pyb_environment("TERM");
    int error = errno, terminal = isatty(fileno(file));

    errno = error;
    return terminal && pyb_environment("NO_COLOR") == NULL && term != NULL &&
           strcmp(term, "dumb") != 0;
}

const char *
pyb_bold(FILE *file)
{
    return is_wanted(file) ? "\033[1m" : "";
}

const char *
pyb_regular(FILE *file)
{
    return is_wanted(file) ? "\033[0m" : "";
}
