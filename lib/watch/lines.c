/* lines.c: the source line of an address.  See lines.h.

   libdw of elfutils reads debugging information.  It is loaded when it is
   needed, and done without where it is not installed; what is used of it is
   declared here, as its interface, which has versions, has it.

   Manual: elfutils, libdwfl.h. */

#include "Python.h"

#include <dlfcn.h>
#include <unistd.h>

#include "watch/lines.h"

/* Of libdw.h: an entry of the debugging information. */
struct die {
    void *address, *unit, *abbreviation;
    long padding;
};

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
    struct die *(*module_addrdie)(void *module, uint64_t address,
                                  uint64_t *bias);
    struct die *(*module_nextcu)(void *module, struct die *last,
                                 uint64_t *bias);
    int (*haspc)(struct die *die, uint64_t address);
    int (*getscopes)(struct die *unit, uint64_t address, struct die **scopes);
    int (*getscopes_die)(struct die *die, struct die **scopes);
    int (*tag)(struct die *die);
    int (*decl_line)(struct die *die, int *number);
    const char *(*decl_file)(struct die *die);
    const char *(*diename)(struct die *die);
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
    {"dwfl_module_addrdie", &dw.module_addrdie},
    {"dwfl_module_nextcu", &dw.module_nextcu},
    {"dwarf_haspc", &dw.haspc},
    {"dwarf_getscopes", &dw.getscopes},
    {"dwarf_getscopes_die", &dw.getscopes_die},
    {"dwarf_tag", &dw.tag},
    {"dwarf_decl_line", &dw.decl_line},
    {"dwarf_decl_file", &dw.decl_file},
    {"dwarf_diename", &dw.diename},
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

/* What has code there, and the name of the function; NULL: nobody knows. */
static void *
find_module(uint64_t where, struct pyb_line *line)
{
    void *module = open_session() == 0 ? dw.addrmodule(session, where) : NULL;

    *line = (struct pyb_line){NULL, NULL, 0};
    if (module != NULL)
        line->function = dw.module_addrname(module, where);
    return module;
}

struct pyb_line
pyb_lines_find(const void *address)
{
    struct pyb_line line;
    void *module = find_module((uintptr_t)address, &line), *source;

    source =
        module != NULL ? dw.module_getsrc(module, (uintptr_t)address) : NULL;
    if (source != NULL)
        line.file = dw.lineinfo(source, NULL, &line.number, NULL, NULL, NULL);
    return line;
}

/* The file that the function is declared in.  Of the one that was compiled,
   which the outermost scope is named after, clang gives the number 0, and
   libdw no name. */
static const char *
file_of(struct die *function, struct die *outermost)
{
    const char *file = dw.decl_file(function);

    return file != NULL ? file : dw.diename(outermost);
}

/* The function that has the innermost scope. */
static void
find_declaration(struct die *innermost, struct pyb_line *line)
{
    enum { DW_TAG_SUBPROGRAM = 0x2e };
    struct die *scopes = NULL;
    int n = dw.getscopes_die(innermost, &scopes);

    for (int i = 0; i < n && line->file == NULL; i++)
        if (dw.tag(&scopes[i]) == DW_TAG_SUBPROGRAM &&
            dw.decl_line(&scopes[i], &line->number) == 0)
            line->file = file_of(&scopes[i], &scopes[n - 1]);
    if (n > 0)
        free(scopes);
}

/* The compiled file that an address is in.  Clang leaves out the table of
   that, so all may have to be asked. */
static struct die *
find_unit(void *module, uint64_t where, uint64_t *bias)
{
    struct die *unit = dw.module_addrdie(module, where, bias);

    if (unit != NULL)
        return unit;
    while ((unit = dw.module_nextcu(module, unit, bias)) != NULL)
        if (dw.haspc(unit, where - *bias) > 0)
            return unit;
    return NULL;
}

struct pyb_line
pyb_lines_find_function(const void *function)
{
    struct pyb_line line;
    void *module = find_module((uintptr_t)function, &line);
    struct die *unit, *scopes = NULL;
    uint64_t bias = 0;
    int n;

    unit =
        module != NULL ? find_unit(module, (uintptr_t)function, &bias) : NULL;
    n = unit != NULL ? dw.getscopes(unit, (uintptr_t)function - bias, &scopes)
                     : 0;
    if (n > 0) {
        find_declaration(&scopes[0], &line);
        free(scopes);
    }
    return line;
}

void
pyb_lines_end(void)
{
    if (session != NULL)
        dw.end(session);
    session = NULL;
}
