#!/bin/sh
# absent.sh DIRECTORY: the suite in a build of its own, in the directory,
# configured as this one but as if the system had nothing besides C11 and POSIX:
# each function and header that configure asks for is said to be missing.
# PROGRAMS are other ones than all.
#
# Before, each source of the library is compiled where headers declare nothing
# else, but MAP_ANONYMOUS, which came into POSIX later, and is everywhere.
set -u

: "${srcdir=.}" "${MAKE=make}" "${CC=cc}" "${GC_CFLAGS=}"
directory=$1
source=$(cd "$srcdir" && pwd)
configuration=$(./config.status --config) || exit

# What configure asks for leads to a flag in FUNCTIONS_CPPFLAGS.
absent=
for name in process_vm_readv pthread_getattr_np malloc_trim \
    malloc_usable_size dladdr getauxval gettid getrandom secure_getenv issetugid madvise \
    swapcontext _Unwind_Backtrace; do
    absent="$absent ac_cv_func_$name=no"
done
for name in link execinfo malloc; do
    absent="$absent ac_cv_header_${name}_h=no"
done

mkdir -p "$directory" && cd "$directory" || exit
test -e Makefile ||
    eval "sh '$source/configure' --quiet $configuration --without-dtrace" \
        "--enable-werror CFLAGS=-O1 TEST_CFLAGS=-O0 $absent" || {
    echo "not ok - configure with nothing but POSIX"
    exit 1
}
if left=$(grep '^FUNCTIONS_CPPFLAGS =.*HAVE_' Makefile); then
    echo "not ok - something is left: $left"
    exit 1
fi
echo "ok - nothing is left"

find "$source/lib" -name '*.c' | xargs -P "$(nproc)" -n 20 \
    $CC -std=c11 -fsyntax-only -Werror -D_XOPEN_SOURCE=700 -DMAP_ANONYMOUS=0 \
    -DPYBOEHM_BUILD -DPACKAGE_STRING=__VERSION__ \
    -DPYBOEHM_SUPPRESSIONS=__VERSION__ -DPYB_BOEHM_STACK=1 \
    -I"$source/include" -I"$source/lib" $GC_CFLAGS || {
    echo "not ok - not all sources are POSIX"
    exit 1
}
echo "ok - nothing else is declared"

: "${PROGRAMS=$(cd "$source" && echo t/gc/check_*.c t/rules/rule_*.c \
    t/runtime/check_*.c t/object/check_*.c t/types/check_*.c \
    t/watch/check_*.c)}"
programs=$(echo "$PROGRAMS" | sed 's/\.c//g')
unset MAKELEVEL
$MAKE --no-print-directory all &&
    $MAKE --no-print-directory check TESTS="$programs" \
        check_PROGRAMS="$programs" && exit
status=$?
cat test-suite.log
exit $status
