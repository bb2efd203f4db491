/* environment.c: the variables of the environment.  See environment.h. */

#include "Python.h"

#include "gc/base/environment.h"

#include <string.h>
#include <unistd.h>

/* NULL in a process that gained privileges.  Systems without secure_getenv
   have issetugid, or tell by the user and the group only. */
static const char *
trusted_value(const char *name)
{
#if defined HAVE_SECURE_GETENV
    return secure_getenv(name);
#elif defined HAVE_ISSETUGID
    return issetugid() ? NULL : getenv(name);
#else
    return getuid() != geteuid() || getgid() != getegid() ? NULL
                                                          : getenv(name);
#endif
}

const char *
pyb_environment(const char *name)
{
    const char *value = trusted_value(name);

    return value != NULL && *value != '\0' ? value : NULL;
}

enum pyb_switch
pyb_environment_switch(const char *name)
{
    const char *value = pyb_environment(name);

    if (value != NULL && strcmp(value, "1") == 0)
        return PYB_ON;
    return value != NULL && strcmp(value, "error") == 0 ? PYB_ERROR : PYB_OFF;
}
