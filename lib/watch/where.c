/* where.c: where in the program a function stands.  See where.h. */

#include "Python.h"

#include <dlfcn.h>
#include <string.h>

#include "watch/lines.h"
#include "watch/where.h"

/* A path's last part. */
static const char *
last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* The function's name.  The dynamic linker does not know a static function's,
   and its neighbour's would mislead: the offset is what addr2line takes. */
static void
print_function(const void *function, const Dl_info *info,
               const struct pyb_line *line, FILE *file)
{
    const char *library = last_part(info->dli_fname);

    if (line->function != NULL)
        fprintf(file, "%s in %s", line->function, library);
    else if (info->dli_sname != NULL && info->dli_saddr == function)
        fprintf(file, "%s in %s", info->dli_sname, library);
    else
        fprintf(file, "%s+0x%tx", library,
                (const char *)function - (const char *)info->dli_fbase);
}

void
pyb_where_print(const void *function, FILE *file)
{
    struct pyb_line line;
    Dl_info info;

    if (function == NULL || dladdr(function, &info) == 0 ||
        info.dli_fname == NULL)
        return;
    line = pyb_lines_find(function);
    fputs(" [", file);
    print_function(function, &info, &line, file);
    if (line.file != NULL)
        fprintf(file, ", %s:%d", last_part(line.file), line.number);
    putc(']', file);
}
