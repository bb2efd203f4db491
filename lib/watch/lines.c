/* lines.c: the source line of an address.  See lines.h.

   libdw of elfutils reads debugging information.  It is loaded when it is
   needed, and done without where it is not installed; what is used of it is
   declared here, as its interface, which has versions, has it.

   Manual: elfutils, libdwfl.h. */

#include "Python.h"

#include <dlfcn.h>
#include <unistd.h>

#include "watch/lines.h"

/* Of libdwfl.h. */
struct callbacks {
    int (*find_elf)(void);
    int (*find_debuginfo)(void);
    int (*section_address)(void);
    char **debuginfo_path;
};

/* Its functions. */
static struct {
    void *library;
    void *(*begin)(const struct callbacks *callbacks);
    void (*end)(void *dwfl);
    int (*linux_proc_report)(void *dwfl, pid_t pid);
    int (*report_end)(void *dwfl, int (*removed)(void), void *arg);
    void *(*addrmodule)(void *dwfl, uint64_t address);
    const char *(*module_addrname)(void *module, uint64_t address);
    void *(*module_getsrc)(void *module, uint64_t address);
    const char *(*lineinfo)(void *line, uint64_t *address, int *number,
                            int *column, void *mtime, void *length);
    struct callbacks callbacks;
} dw;

/* Functions of libdw and where their addresses go. */
static const struct {
    const char *name;
    void *where;
} functions[] = {
    {"dwfl_begin", &dw.begin},
    {"dwfl_end", &dw.end},
    {"dwfl_linux_proc_report", &dw.linux_proc_report},
    {"dwfl_report_end", &dw.report_end},
    {"dwfl_addrmodule", &dw.addrmodule},
    {"dwfl_module_addrname", &dw.module_addrname},
    {"dwfl_module_getsrc", &dw.module_getsrc},
    {"dwfl_lineinfo", &dw.lineinfo},
    {"dwfl_linux_proc_find_elf", &dw.callbacks.find_elf},
    {"dwfl_standard_find_debuginfo", &dw.callbacks.find_debuginfo},
};

static void *session; /* NULL: none is open */

static int
load(void)
{
    if (dw.library != NULL)
        return 0;
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);

    for (size_t i = 0; library != NULL && i < Py_ARRAY_LENGTH(functions);
         i++) {
        void *function = dlsym(library, functions[i].name);

        if (function == NULL) {
            dlclose(library);
            return -1;
        }
        memcpy(functions[i].where, &function, sizeof function);
    }
    dw.library = library;
    return library != NULL ? 0 : -1;
}

/* What is loaded in this process now. */
static int
open_session(void)
{
    if (session != NULL)
        return 0;
    if (load() < 0)
        return -1;
    session = dw.begin(&dw.callbacks);
    if (session == NULL)
        return -1;
    if (dw.linux_proc_report(session, getpid()) == 0 &&
        dw.report_end(session, NULL, NULL) == 0)
        return 0;
    pyb_lines_end();
    return -1;
}

struct pyb_line
pyb_lines_find(const void *address)
{
    struct pyb_line line = {NULL, NULL, 0};
    uint64_t where = (uintptr_t)address;
    void *module, *source;

    if (open_session() < 0)
        return line;
    module = dw.addrmodule(session, where);
    if (module == NULL)
        return line;
    line.function = dw.module_addrname(module, where);
    source = dw.module_getsrc(module, where);
    if (source != NULL)
        line.file = dw.lineinfo(source, NULL, &line.number, NULL, NULL, NULL);
    return line;
}

void
pyb_lines_end(void)
{
    if (session != NULL)
        dw.end(session);
    session = NULL;
}
