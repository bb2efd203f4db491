/* environment.c: the variables of the environment.  See environment.h. */

#include "Python.h"

#include "gc/environment.h"

#include <unistd.h>

#ifndef HAVE_SECURE_GETENV
/* Systems without secure_getenv have this call, or tell by the user only. */
static int
has_gained_privileges(void)
{
#ifdef HAVE_ISSETUGID
    return issetugid();
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

static char *
secure_getenv(const char *name)
{
    return has_gained_privileges() ? NULL : getenv(name);
}
#endif

const char *
pyb_environment(const char *name)
{
    const char *value = secure_getenv(name);

    return value != NULL && *value != '\0' ? value : NULL;
}
