#!/bin/sh
# run.sh: takes the modules out of the manual's tutorial, compiles each as it
# stands against the installed pyboehm, and runs the program that drives them.
# make demo calls it in the build directory.
set -eu

: "${srcdir=.}" "${CC=cc}" "${CFLAGS=-O2}" "${PKG_CONFIG=pkg-config}"
: "${TUTORIAL=/usr/share/doc/python3.11/html/extending/newtypes_tutorial.html}"
expected='custom custom2 custom3 custom4 sublist'
here=$srcdir/examples/tutorial
work=examples/tutorial/modules

PKG_CONFIG_PATH=${libdir+$libdir/pkgconfig:}${PKG_CONFIG_PATH-}
export PKG_CONFIG_PATH

die() {
    echo "demo: $*" >&2
    exit 1
}

$PKG_CONFIG --exists pyboehm ||
    die 'pyboehm is not installed; run make install first'
test -e "$TUTORIAL" ||
    die "no $TUTORIAL; on Debian: apt-get install python3.11-doc"

rm -rf "$work"
mkdir -p "$work"
names=$(awk -v dir="$work" -f "$here/listings.awk" "$TUTORIAL")
test "$(echo $names)" = "$expected" ||
    die "the tutorial should hold $expected; found:" $names
echo "Taken out of $TUTORIAL:"
wc -l $(printf "$work/%s.c " $names)

# Unmodified, with nothing but what pkg-config says.
cflags=$($PKG_CONFIG --cflags pyboehm)
for name in $names; do
    echo "  CC       $name.so"
    $CC -shared -fPIC $cflags "$work/$name.c" -o "$work/$name.so"
done

# The program has the first module built in as well, under another name.
echo "  CC       tutorial"
$CC -c -DPyInit_custom=PyInit_builtin_custom $cflags "$work/custom.c" \
    -o "$work/builtin_custom.o"
$CC $CFLAGS $cflags "$here/tutorial.c" "$work/builtin_custom.o" \
    -o "$work/tutorial" $($PKG_CONFIG --libs pyboehm) \
    -Wl,-rpath,"$($PKG_CONFIG --variable=libdir pyboehm)"

# These are right, as an audit sees it.
echo "  AUDIT    tutorial"
PYBOEHM_PATH=$work PYBOEHM_AUDIT=error "$work/tutorial" >/dev/null

echo
PYBOEHM_PATH=$work exec "$work/tutorial"
