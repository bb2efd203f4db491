/* symbol.c: what the program calls an address.  See symbol.h.

   The dynamic linker knows which file it is, and of names those that are
   exported; the file has static ones, too, unless it was stripped.

   Manual: dladdr(3), elf(5). */

#include "Python.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "watch/symbol.h"

/* A file in memory. */
struct image {
    const char *bytes;
    size_t size;
};

static struct image
map_file(const char *name)
{
    struct image image = {NULL, 0};
    int file = open(name, O_RDONLY | O_CLOEXEC);
    struct stat status;
    void *bytes;

    if (file < 0)
        return image;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE,
                     file, 0);
        if (bytes != MAP_FAILED)
            image = (struct image){bytes, (size_t)status.st_size};
    }
    close(file);
    return image;
}

/* So many bytes of the file, or NULL if it does not have them. */
static const void *
part(const struct image *image, size_t offset, size_t size)
{
    return offset <= image->size && size <= image->size - offset
               ? image->bytes + offset
               : NULL;
}

/* Does a symbol stand for what an address belongs to? */
static int
is_of(const ElfW(Sym) * symbol, uintptr_t in_file)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);

    return (type == STT_OBJECT || type == STT_FUNC) &&
           symbol->st_shndx != SHN_UNDEF &&
           in_file - symbol->st_value < symbol->st_size;
}

/* Looks through one table of symbols. */
static void
search_table(const struct image *image, const ElfW(Shdr) * table,
             const ElfW(Shdr) * names, struct pyb_symbol *to)
{
    const ElfW(Sym) *symbol = part(image, table->sh_offset, table->sh_size);
    const char *text = part(image, names->sh_offset, names->sh_size);
    size_t n = table->sh_size / sizeof *symbol;

    for (size_t i = 0; symbol != NULL && text != NULL && i < n; i++) {
        if (!is_of(&symbol[i], to->in_file) ||
            symbol[i].st_name >= names->sh_size)
            continue;
        snprintf(to->name, sizeof to->name, "%.*s",
                 (int)Py_MIN(names->sh_size - symbol[i].st_name, 100),
                 text + symbol[i].st_name);
        to->offset = to->in_file - symbol[i].st_value;
        return;
    }
}

static void
search_file(const struct image *image, struct pyb_symbol *to)
{
    const ElfW(Ehdr) *head = part(image, 0, sizeof *head);
    const ElfW(Shdr) * sections;

    if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof *sections)
        return;
    sections = part(image, head->e_shoff, head->e_shnum * sizeof *sections);
    for (size_t i = 0; sections != NULL && i < head->e_shnum; i++)
        if ((sections[i].sh_type == SHT_SYMTAB ||
             sections[i].sh_type == SHT_DYNSYM) &&
            *to->name == '\0' && sections[i].sh_link < head->e_shnum)
            search_table(image, &sections[i], &sections[sections[i].sh_link],
                         to);
}

/* The file of what is loaded there; the program may have been called by a name
   that no longer leads to it. */
static const char *
file_of(const Dl_info *info)
{
    Dl_info program;

    if (dladdr((void *)getauxval(AT_ENTRY), &program) != 0 &&
        program.dli_fbase == info->dli_fbase)
        return "/proc/self/exe";
    return info->dli_fname;
}

int
pyb_symbol_find(uintptr_t address, struct pyb_symbol *symbol)
{
    Dl_info info;
    struct image image;
    const char *slash;

    if (dladdr((void *)address, &info) == 0 || info.dli_fname == NULL)
        return -1;
    slash = strrchr(info.dli_fname, '/');
    *symbol =
        (struct pyb_symbol){.file = slash != NULL ? slash + 1 : info.dli_fname,
                            .in_file = address};
    if (((const ElfW(Ehdr) *)info.dli_fbase)->e_type == ET_DYN)
        symbol->in_file -= (uintptr_t)info.dli_fbase;
    image = map_file(file_of(&info));
    if (image.bytes != NULL) {
        search_file(&image, symbol);
        munmap((void *)image.bytes, image.size);
    }
    return 0;
}
