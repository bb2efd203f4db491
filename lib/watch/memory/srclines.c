/* srclines.c: the source line of an address.  See srclines.h.

   libdw of elfutils reads debugging information.  It is loaded on first use;
   where it is not installed, lines are unknown.  The declarations here follow
   its interface, which is versioned.  It takes more stack than some threads
   have.

   Manual: elfutils, libdwfl.h. */

#include "Python.h"

#include <dlfcn.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "watch/memory/bigstack.h"
#include "watch/memory/srclines.h"

/* From libdw.h: an entry of the debugging information. */
struct die {
    void *address, *unit, *abbreviation;
    long padding;
};

/* One of its attributes. */
struct attribute {
    unsigned code, form;
    void *value, *unit;
};

/* From libdwfl.h. */
struct callbacks {
    int (*find_elf)(void);
    int (*find_debuginfo)(void);
    int (*section_address)(void);
    char **debuginfo_path;
};

/* libdw's functions. */
static struct {
    void *library;
    void *(*begin)(const struct callbacks *callbacks);
    void (*end)(void *dwfl);
    int (*linux_proc_report)(void *dwfl, pid_t pid);
    int (*report_end)(void *dwfl, int (*removed)(void), void *arg);
    void *(*addrmodule)(void *dwfl, uint64_t address);
    const char *(*module_addrname)(void *module, uint64_t address);
    struct die *(*module_addrdie)(void *module, uint64_t address,
                                  uint64_t *bias);
    struct die *(*module_nextcu)(void *module, struct die *last,
                                 uint64_t *bias);
    int (*haspc)(struct die *die, uint64_t address);
    int (*child)(struct die *die, struct die *first);
    int (*siblingof)(struct die *die, struct die *next);
    int (*tag)(struct die *die);
    int (*decl_line)(struct die *die, int *number);
    const char *(*decl_file)(struct die *die);
    const char *(*diename)(struct die *die);
    void *(*getsrc_die)(struct die *unit, uint64_t address);
    int (*lineno)(void *line, int *number);
    const char *(*linesrc)(void *line, void *mtime, void *length);
    struct attribute *(*attr)(struct die *die, unsigned name,
                              struct attribute *room);
    int (*formudata)(struct attribute *attribute, uint64_t *value);
    int (*getsrcfiles)(struct die *unit, void **files, size_t *n);
    const char *(*filesrc)(void *files, size_t i, void *mtime, void *length);
    struct callbacks callbacks;
} dw;

/* The names of libdw's functions, and the variables for their addresses. */
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
    {"dwfl_module_addrdie", &dw.module_addrdie},
    {"dwfl_module_nextcu", &dw.module_nextcu},
    {"dwarf_haspc", &dw.haspc},
    {"dwarf_child", &dw.child},
    {"dwarf_siblingof", &dw.siblingof},
    {"dwarf_tag", &dw.tag},
    {"dwarf_decl_line", &dw.decl_line},
    {"dwarf_decl_file", &dw.decl_file},
    {"dwarf_diename", &dw.diename},
    {"dwarf_getsrc_die", &dw.getsrc_die},
    {"dwarf_lineno", &dw.lineno},
    {"dwarf_linesrc", &dw.linesrc},
    {"dwarf_attr", &dw.attr},
    {"dwarf_formudata", &dw.formudata},
    {"dwarf_getsrcfiles", &dw.getsrcfiles},
    {"dwarf_filesrc", &dw.filesrc},
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

/* Opens a session for the files that are loaded in this process now. */
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
    pyb_srclines_end();
    return -1;
}

/* The file loaded at an address, and the name of the function there; NULL if
   it is unknown. */
static void *
find_module(uint64_t where, struct pyb_srcline *line)
{
    void *module = open_session() == 0 ? dw.addrmodule(session, where) : NULL;

    *line = (struct pyb_srcline){NULL, NULL, 0};
    if (module != NULL)
        line->function = dw.module_addrname(module, where);
    return module;
}

/* The compilation unit that an address is in.  clang leaves out the table of
   address ranges, so all units may have to be searched. */
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

enum {
    DW_TAG_CLASS_TYPE = 0x02,
    DW_TAG_LEXICAL_BLOCK = 0x0b,
    DW_TAG_STRUCTURE_TYPE = 0x13,
    DW_TAG_INLINED_SUBROUTINE = 0x1d,
    DW_TAG_SUBPROGRAM = 0x2e,
    DW_TAG_NAMESPACE = 0x39,
};

/* May an entry have functions in it, but no addresses of its own? */
static int
is_named_scope(int tag)
{
    return tag == DW_TAG_NAMESPACE || tag == DW_TAG_CLASS_TYPE ||
           tag == DW_TAG_STRUCTURE_TYPE;
}

static int
is_code(int tag)
{
    return tag == DW_TAG_SUBPROGRAM || tag == DW_TAG_INLINED_SUBROUTINE ||
           tag == DW_TAG_LEXICAL_BLOCK;
}

/* The entries below one that an address is in, the outermost first, as many as
   there is room for.  libdw's dwarf_getscopes fails where a function of
   another unit is inlined, as all are that -flto inlines. */
static int
find_scopes(struct die *around, uint64_t where, struct die *scopes, int room)
{
    struct die at;

    if (room == 0 || dw.child(around, &at) != 0)
        return 0;
    do {
        int tag = dw.tag(&at);

        if (is_code(tag) && dw.haspc(&at, where) > 0) {
            scopes[0] = at;
            return 1 + find_scopes(&at, where, scopes + 1, room - 1);
        }
        int n =
            is_named_scope(tag) ? find_scopes(&at, where, scopes, room) : 0;
        if (n > 0)
            return n;
    } while (dw.siblingof(&at, &at) == 0);
    return 0;
}

enum { DEEPEST = 64 }; /* deeper ones are not looked for */

int
pyb_srclines_is_header(const char *file)
{
    size_t n = file != NULL ? strlen(file) : 0;

    return n > 2 && strcmp(file + n - 2, ".h") == 0;
}

/* 0 if there is no such attribute. */
static uint64_t
number_in(struct die *die, unsigned name)
{
    struct attribute room, *attribute = dw.attr(die, name, &room);
    uint64_t number = 0;

    return attribute != NULL && dw.formudata(attribute, &number) == 0 ? number
                                                                      : 0;
}

/* Where the inlined function was called. */
static void
find_call(struct die *unit, struct die *inlined, struct pyb_srcline *line)
{
    enum { DW_AT_CALL_FILE = 0x58, DW_AT_CALL_LINE = 0x59 };
    size_t file = number_in(inlined, DW_AT_CALL_FILE), n;
    void *files;

    if (dw.getsrcfiles(unit, &files, &n) != 0 || file >= n)
        return;
    line->file = dw.filesrc(files, file, NULL, NULL);
    line->number = (int)number_in(inlined, DW_AT_CALL_LINE);
}

/* The line of the instruction itself; of clang's files, which
   dwfl_module_getsrc does not find, by the unit. */
static void
find_line(struct die *unit, uint64_t where, struct pyb_srcline *line)
{
    void *source = dw.getsrc_die(unit, where);

    if (source != NULL && dw.lineno(source, &line->number) == 0)
        line->file = dw.linesrc(source, NULL, NULL);
}

struct lookup {
    const void *address;
    struct pyb_srcline *lines;
    int room, n;
};

/* What was inlined around the address, the innermost first.  A line of a
   header, of Py_DECREF for instance, is left out: the one that calls it
   stands for it. */
static void
add_inlined(struct lookup *lookup, struct die *unit, uint64_t where,
            struct pyb_srcline *line)
{
    struct die scopes[DEEPEST];

    for (int i = find_scopes(unit, where, scopes, DEEPEST); i-- > 0;) {
        if (dw.tag(&scopes[i]) != DW_TAG_INLINED_SUBROUTINE)
            continue;
        line->function = dw.diename(&scopes[i]);
        if (!pyb_srclines_is_header(line->file) &&
            lookup->n + 1 < lookup->room)
            lookup->lines[lookup->n++] = *line;
        find_call(unit, &scopes[i], line);
    }
}

static void
look_up(void *arg)
{
    struct lookup *lookup = arg;
    uint64_t where = (uintptr_t)lookup->address, bias = 0;
    struct pyb_srcline line;
    void *module = find_module(where, &line);
    struct die *unit = module != NULL ? find_unit(module, where, &bias) : NULL;
    const char *function = line.function;

    if (unit != NULL) {
        find_line(unit, where - bias, &line);
        add_inlined(lookup, unit, where - bias, &line);
    }
    line.function = function;
    PYB_ASSERT(lookup->n < lookup->room); /* room for it was left */
    lookup->lines[lookup->n++] = line;
}

int
pyb_srclines_find(const void *address, struct pyb_srcline *lines, int room)
{
    struct lookup lookup = {.address = address, .lines = lines, .room = room};

    PYB_ASSERT(room > 0);
    if (pyb_bigstack_call(look_up, &lookup) < 0)
        lines[lookup.n++] = (struct pyb_srcline){NULL, NULL, 0};
    PYB_ASSERT(lookup.n > 0 && lookup.n <= room);
    return lookup.n;
}

/* Where the function that begins the scopes is declared.  clang gives the
   compiled file, after which the unit is named, the number 0, and libdw then
   has no name for it. */
static void
find_declaration(struct die *unit, struct die *function,
                 struct pyb_srcline *line)
{
    if (dw.tag(function) != DW_TAG_SUBPROGRAM ||
        dw.decl_line(function, &line->number) != 0)
        return;
    line->file = dw.decl_file(function);
    if (line->file == NULL)
        line->file = dw.diename(unit);
}

/* What gcc made of two equal functions has no entry; its first line may be a
   header's, that of something inlined. */
static void
look_up_function(void *arg)
{
    struct lookup *lookup = arg;
    struct pyb_srcline *line = lookup->lines;
    uint64_t where = (uintptr_t)lookup->address, bias = 0;
    struct die scopes[DEEPEST];
    void *module = find_module(where, line);
    struct die *unit = module != NULL ? find_unit(module, where, &bias) : NULL;

    if (unit == NULL)
        return;
    if (find_scopes(unit, where - bias, scopes, DEEPEST) > 0) {
        find_declaration(unit, &scopes[0], line);
        return;
    }
    find_line(unit, where - bias, line);
    if (pyb_srclines_is_header(line->file))
        line->file = NULL;
}

struct pyb_srcline
pyb_srclines_find_function(const void *function)
{
    struct pyb_srcline line = {NULL, NULL, 0};
    struct lookup lookup = {.address = function, .lines = &line, .room = 1};

    (void)pyb_bigstack_call(look_up_function, &lookup);
    return line;
}

void
pyb_srclines_end(void)
{
    if (session != NULL)
        dw.end(session);
    session = NULL;
}
