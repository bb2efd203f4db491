#!/bin/sh
# run.sh: ECL uses extension types through libpyboehm, which make check-ecl
# built in the build directory: test.lisp, with modules of the tutorial.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${ECL=ecl}"
: "${TUTORIAL=/usr/share/doc/python3.11/html/extending/newtypes_tutorial.html}"
modules=$builddir/examples/ecl/modules

skip() {
    echo "check-ecl: skipped: $*" >&2
    exit 77
}

command -v "$ECL" >/dev/null || skip 'no ecl; on Debian: apt-get install ecl'
test -e "$TUTORIAL" ||
    skip "no $TUTORIAL; on Debian: apt-get install python3.11-doc"

rm -rf "$modules"
mkdir -p "$modules" || exit
listings=$srcdir/examples/tutorial/listings.awk
awk -v dir="$modules" -f "$listings" "$TUTORIAL" >/dev/null || exit
for name in custom2 custom4; do
    $CC -shared -fPIC -I"$srcdir/include" "$modules/$name.c" \
        -o "$modules/$name.so" || exit
done

LC_ALL=C.UTF-8
PYBOEHM_PATH=$modules
PYBOEHM_LIBRARY=$builddir/.libs/libpyboehm.so
export LC_ALL PYBOEHM_PATH PYBOEHM_LIBRARY
exec "$ECL" --norc --shell "$srcdir/examples/ecl/test.lisp"
