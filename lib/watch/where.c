/* where.c: where in the program a function stands.  See where.h. */

#include "Python.h"

#include "watch/lines.h"
#include "watch/symbol.h"
#include "watch/where.h"

/* A neighbour's name would mislead: without its own, the function is the
   address that addr2line takes. */
void
pyb_where_print(const void *function, FILE *file)
{
    struct pyb_symbol symbol;
    struct pyb_line line;
    const char *name, *slash;

    if (function == NULL || pyb_symbol_find((uintptr_t)function, &symbol) < 0)
        return;
    line = pyb_lines_find_function(function);
    name = line.function;
    if (name == NULL && symbol.offset == 0 && *symbol.name != '\0')
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
