# pyb_boehm_stack.m4: how much of the stack does Boehm use?

# PYB_BOEHM_STACK(VARIABLE): sets it to the bytes below a caller that
# allocations and collections of the Boehm collector in LIBS touch.  A stack is
# painted, and looked at after many of them.  If that cannot be run, or tells
# nothing, it is what every release from 8.0 to 8.2 uses.
AC_DEFUN([PYB_BOEHM_STACK],
[AC_CACHE_CHECK([how much of the stack Boehm uses], [pyb_cv_boehm_stack],
[pyb_save_cppflags=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $GC_CFLAGS"
pyb_cv_boehm_stack=26624
AC_RUN_IFELSE([AC_LANG_SOURCE([[
#include <gc/gc.h>
#include <gc/gc_inline.h>
#include <stdio.h>

enum { AREA = 1 << 18, PAINT = 0x5a, TIMES = 20000 };

static char *volatile lowest;

__attribute__((noinline)) static void
paint(void)
{
    volatile char area[AREA];

    for (int i = 0; i < AREA; i++)
        area[i] = PAINT;
    lowest = (char *)area;
}

__attribute__((noinline)) static void
allocate(void)
{
    void *many = NULL;

    for (int i = 0; i < TIMES; i++) {
        GC_generic_malloc_many(64, GC_I_NORMAL, &many);
        if (i % 2000 == 0)
            GC_gcollect();
    }
}

int
main(void)
{
    char *frame = __builtin_frame_address(0);
    FILE *file = fopen("conftest.bytes", "w");

    GC_INIT();
    paint();
    allocate();
    for (volatile char *p = lowest; p < frame; p++)
        if (*p != PAINT)
            return file == NULL || p == lowest ||
                   fprintf(file, "%ld\n", (long)(frame - p)) < 0;
    return 1;
}
]])],
  [pyb_cv_boehm_stack=`cat conftest.bytes`], [], [:])
rm -f conftest.bytes
CPPFLAGS=$pyb_save_cppflags])
$1=$pyb_cv_boehm_stack])
