/* symbol.c: the symbol at an address.  See symbol.h.

   The dynamic linker knows the file and its exported names; the file also has
   static names, unless it was stripped.

   Manual: dladdr(3). */

#include "Python.h"

#include <dlfcn.h>
#ifdef HAVE_GETAUXVAL
#include <sys/auxv.h>
#endif

#include "watch/memory/elf.h"
#include "watch/memory/symbol.h"

#ifdef HAVE_DLADDR

/* Is this the program itself?  Only Linux tells where it begins. */
static int
is_program(const Dl_info *info)
{
#ifdef HAVE_GETAUXVAL
    Dl_info program;

    return dladdr((void *)getauxval(AT_ENTRY), &program) != 0 &&
           program.dli_fbase == info->dli_fbase;
#else
    (void)info;
    return 0;
#endif
}

int
pyb_symbol_is_loaded(uintptr_t address)
{
    Dl_info info;

    return dladdr((void *)address, &info) != 0;
}

int
pyb_symbol_same_file(uintptr_t one, uintptr_t other)
{
    Dl_info first, second;

    return dladdr((void *)one, &first) != 0 &&
           dladdr((void *)other, &second) != 0 &&
           first.dli_fbase == second.dli_fbase;
}

/* The program's file is opened as /proc/self/exe, since the name by which it
   was started may have become invalid. */
int
pyb_symbol_find(uintptr_t address, struct pyb_symbol *symbol)
{
    Dl_info info;
    const char *slash;

    if (dladdr((void *)address, &info) == 0 || info.dli_fname == NULL)
        return -1;
    slash = strrchr(info.dli_fname, '/');
    *symbol =
        (struct pyb_symbol){.file = slash != NULL ? slash + 1 : info.dli_fname,
                            .in_file = address};
    pyb_elf_search(is_program(&info) ? "/proc/self/exe" : info.dli_fname,
                   info.dli_fbase, symbol);
    return 0;
}

#else /* without dladdr */

int
pyb_symbol_is_loaded(uintptr_t Py_UNUSED(address))
{
    return 0;
}

int
pyb_symbol_same_file(uintptr_t Py_UNUSED(one), uintptr_t Py_UNUSED(other))
{
    return 0;
}

int
pyb_symbol_find(uintptr_t Py_UNUSED(address),
                struct pyb_symbol *Py_UNUSED(symbol))
{
    return -1;
}

#endif
