/* where.c: the place of a function in the program.  See where.h. */

#include "Python.h"

#include "watch/memory/demangle.h"
#include "watch/memory/srclines.h"
#include "watch/memory/symbol.h"
#include "watch/memory/where.h"

/* If the function's own name is not known, the address for addr2line is
   printed; the name of the function before it would mislead. */
void
pyb_where_print(const void *function, FILE *file)
{
    struct pyb_symbol symbol;
    struct pyb_srcline line;
    const char *name, *slash;

    if (function == NULL || pyb_symbol_find((uintptr_t)function, &symbol) < 0)
        return;
    line = pyb_srclines_find_function(function);
    name = line.function;
    if (name != NULL)
        pyb_demangle(name, strlen(name), symbol.name, sizeof symbol.name);
    if (name != NULL || (symbol.offset == 0 && *symbol.name != '\0'))
        name = symbol.name;
    if (name != NULL)
        fprintf(file, " [%s in %s", name, symbol.file);
    else
        fprintf(file, " [%s+0x%" PRIxPTR, symbol.file, symbol.in_file);
    if (line.file != NULL) {
        slash = strrchr(line.file, '/');
        fprintf(file, ", %s:%d", slash != NULL ? slash + 1 : line.file,
                line.number);
    }
    putc(']', file);
}
