/* elf.c: reads the ELF files of programs and libraries.  See elf.h.
   Manual: elf(5), dl_iterate_phdr(3). */

#include "Python.h"

#include "gc/base/fatal.h"
#include "watch/memory/demangle.h"
#include "watch/memory/elf.h"

#ifdef HAVE_LINK_H

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file mapped into memory. */
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

/* A part of the file; NULL if the file ends before the part does. */
static const void *
part(const struct image *image, size_t offset, size_t size)
{
    return offset <= image->size && size <= image->size - offset
               ? image->bytes + offset
               : NULL;
}

/* Is the address within the symbol's object or function? */
static int
is_of(const ElfW(Sym) * symbol, uintptr_t in_file)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);

    return (type == STT_OBJECT || type == STT_FUNC) &&
           symbol->st_shndx != SHN_UNDEF &&
           in_file - symbol->st_value < symbol->st_size;
}

/* Searches one symbol table. */
static void
search_table(const struct image *image, const ElfW(Shdr) * table,
             const ElfW(Shdr) * names, struct pyb_symbol *to)
{
    const ElfW(Sym) *symbol = part(image, table->sh_offset, table->sh_size);
    const char *text = part(image, names->sh_offset, names->sh_size), *name;
    size_t n = table->sh_size / sizeof *symbol;

    for (size_t i = 0; symbol != NULL && text != NULL && i < n; i++) {
        if (!is_of(&symbol[i], to->in_file) ||
            symbol[i].st_name >= names->sh_size)
            continue;
        name = text + symbol[i].st_name;
        pyb_demangle(name, strnlen(name, names->sh_size - symbol[i].st_name),
                     to->name, sizeof to->name);
        to->offset = to->in_file - symbol[i].st_value;
        return;
    }
}

static void
search_image(const struct image *image, struct pyb_symbol *to)
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

void
pyb_elf_search(const char *name, const void *loaded, struct pyb_symbol *to)
{
    struct image image = map_file(name);

    PYB_ASSERT(to->in_file >= (uintptr_t)loaded && *to->name == '\0');
    if (((const ElfW(Ehdr) *)loaded)->e_type == ET_DYN)
        to->in_file -= (uintptr_t)loaded;
    if (image.bytes == NULL)
        return;
    search_image(&image, to);
    munmap((void *)image.bytes, image.size);
}

/* ------------------------------------------------------------------ */

struct range {
    uintptr_t code; /* that is looked for */
    uintptr_t low, high;
};

/* Is this the ELF object that contains this code?  The program itself has no
   name. */
static int
find_library(struct dl_phdr_info *info, size_t Py_UNUSED(size), void *found)
{
    uintptr_t here = ((struct range *)found)->code;
    struct range range = {here, UINTPTR_MAX, 0};

    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;

        if (part->p_type == PT_LOAD) {
            range.low = Py_MIN(range.low, begin);
            range.high = Py_MAX(range.high, begin + part->p_memsz);
        }
    }
    if (here < range.low || here >= range.high || *info->dlpi_name == '\0')
        return 0;
    *(struct range *)found = range;
    return 1;
}

void
pyb_elf_library(uintptr_t code, uintptr_t *low, uintptr_t *high)
{
    struct range range = {code, 0, 0};

    dl_iterate_phdr(find_library, &range);
    PYB_ASSERT(range.high == 0 || (range.low <= code && code < range.high));
    *low = range.low;
    *high = range.high;
}

#else /* without link.h */

void
pyb_elf_search(const char *Py_UNUSED(name), const void *loaded,
               struct pyb_symbol *to)
{
    to->in_file -= (uintptr_t)loaded;
}

void
pyb_elf_library(uintptr_t Py_UNUSED(code), uintptr_t *low, uintptr_t *high)
{
    *low = *high = 0;
}

#endif
