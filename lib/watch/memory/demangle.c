/* demangle.c: names of C++ as people write them.  See demangle.h.
   Manual: the C++ ABI, abi::__cxa_demangle; dlsym(3). */

#include "Python.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "gc/base/fatal.h"
#include "watch/memory/demangle.h"

/* A longer one stays as it is. */
enum { MOST = 2000 };

typedef char *(*demangler)(const char *name, char *text, size_t *size,
                           int *status);

/* NULL where the program has no library of C++. */
static demangler
find_demangler(void)
{
    demangler function = NULL;

#ifdef HAVE_DLADDR
    *(void **)(void *)&function = dlsym(RTLD_DEFAULT, "__cxa_demangle");
#endif
    return function;
}

void
pyb_demangle(const char *name, size_t n, char *text, size_t room)
{
    demangler function = NULL;
    char whole[MOST + 1], *readable = NULL;
    int status;

    PYB_ASSERT(room > 0);
    if (n > 2 && n <= MOST && strncmp(name, "_Z", 2) == 0)
        function = find_demangler();
    if (function != NULL) {
        snprintf(whole, sizeof whole, "%.*s", (int)n, name);
        readable = function(whole, NULL, NULL, &status);
    }
    if (readable != NULL)
        snprintf(text, room, "%s", readable);
    else
        snprintf(text, room, "%.*s", (int)Py_MIN(n, room), name);
    free(readable);
}
