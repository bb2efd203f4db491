# pyb_boehm_stack.m4: how much of the stack does Boehm use?

# PYB_BOEHM_STACK(VARIABLE): sets it to the bytes below a caller that
# allocations and collections of the Boehm collector in LIBS touch.  A stack is
# painted, and looked at after many of them.  If that cannot be run, or runs
# with another release than the one to be linked with, it is as much as the
# releases from 8.0 to 8.2 use at most.
AC_DEFUN([PYB_BOEHM_STACK],
[AC_CACHE_CHECK([how much of the stack Boehm uses], [pyb_cv_boehm_stack],
[pyb_save_cppflags=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $GC_CFLAGS"
pyb_cv_boehm_stack=26624
AC_RUN_IFELSE([AC_LANG_SOURCE([[
#include <gc/gc.h>
#include <gc/gc_inline.h>
#include <stdint.h>
#include <stdio.h>

#define HEADERS (GC_VERSION_MAJOR << 16 | GC_VERSION_MINOR << 8 | GC_VERSION_MICRO)

enum { AREA = 1 << 18, PAINT = 0x5a, TIMES = 20000 };

static volatile uintptr_t lowest;

__attribute__((noinline)) static void
paint(void)
{
    volatile char area[AREA];
    int i;

    for (i = 0; i < AREA; i++)
        area[i] = PAINT;
    lowest = (uintptr_t)area;
}

__attribute__((noinline)) static void
allocate(void)
{
    void *many = NULL;
    int i;

    for (i = 0; i < TIMES; i++) {
        GC_generic_malloc_many(64, GC_I_NORMAL, &many);
        if (i % 2000 == 0)
            GC_gcollect();
    }
}

int
main(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0), p;
    FILE *file = fopen("conftest.bytes", "w");

    GC_INIT();
    if (GC_get_version() != HEADERS || file == NULL)
        return 1;
    paint();
    allocate();
    for (p = lowest; p < frame && *(volatile char *)p == PAINT; p++)
        continue;
    return fprintf(file, "%lu\n", (unsigned long)(frame - p)) < 0;
}
]])],
  [pyb_cv_boehm_stack=`cat conftest.bytes`], [], [:])
rm -f conftest.bytes
CPPFLAGS=$pyb_save_cppflags])
$1=$pyb_cv_boehm_stack])
