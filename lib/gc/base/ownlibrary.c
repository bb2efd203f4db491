/* ownlibrary.c: the variables of the library.  See ownlibrary.h.

   Manual: dl_iterate_phdr(3). */

#include "Python.h"

#include "gc/base/ownlibrary.h"

struct pyb_host_words pyb_host_words;

#ifdef HAVE_LINK_H
#include <link.h>

struct request {
    void (*part)(void *begin, void *end);
};

static int
is_ours(const struct dl_phdr_info *info)
{
    uintptr_t place = (uintptr_t)&pyb_host_words - info->dlpi_addr;

    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            place - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz)
            return 1;
    return 0;
}

/* Around the host's words, if they are there. */
static void
call_for(const struct request *request, char *begin, char *end)
{
    char *words = (char *)&pyb_host_words;

    if (begin <= words && words < end) {
        request->part(begin, words);
        begin = words + sizeof pyb_host_words;
    }
    request->part(begin, end);
}

/* A program has no name. */
static int
each_part(struct dl_phdr_info *info, size_t Py_UNUSED(size), void *request)
{
    if (!is_ours(info))
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum && *info->dlpi_name != 0; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        char *begin = (char *)(info->dlpi_addr + part->p_vaddr);

        if (part->p_type == PT_LOAD && (part->p_flags & PF_W))
            call_for(request, begin, begin + part->p_memsz);
    }
    return 1;
}

void
pyb_ownlibrary_each(void (*part)(void *begin, void *end))
{
    struct request request = {part};

    dl_iterate_phdr(each_part, &request);
}
#else
void
pyb_ownlibrary_each(void (*part)(void *begin, void *end))
{
    (void)part;
}
#endif
