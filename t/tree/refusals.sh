#!/bin/sh
# refusals.sh: what configure says where pyboehm cannot be built, in one
# sentence that names what was found and what is missing.
set -u

: "${srcdir=.}" "${CC=cc}"
srcdir=$(cd "$srcdir" && pwd)
status=0
if ! test -x "$srcdir/configure"; then
    echo '# no configure'
    exit 77
fi
case $CC in
*-fsanitize*)
    echo '# configure is the same there'
    exit 77
    ;;
esac
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
mkdir "$work/old" && cat >"$work/old/bdw-gc.pc" <<'END'
Name: bdw-gc
Description: an old one
Version: 7.6.4
Libs: -lgc
END

# As much of the source as configure looks at: where the tree itself is
# configured, one that is called elsewhere refuses to begin.
mkdir -p "$work/source/lib/gc" "$work/build" &&
    cp -R "$srcdir/configure" "$srcdir/build-aux" "$work/source" &&
    cp "$srcdir/lib/gc/cycle.c" "$work/source/lib/gc" || exit

# refuses TEXT ARGUMENT...: configure fails, and its error has the text.
refuses() {
    text=$1
    shift
    if (cd "$work/build" && env -u GC_CFLAGS -u GC_LIBS -u GMP_CFLAGS \
        -u GMP_LIBS ../source/configure \
        CC="$CC" "$@" >said 2>&1); then
        false
    else
        sed -n '/^configure: error: /,$p' "$work/build/said" | tr '\n' ' ' |
            tr -s ' ' | grep -q "$text"
    fi
    if test $? = 0; then
        echo "ok - $text"
    else
        echo "not ok - $text"
        status=1
    fi
}

refuses 'the Boehm collector found is bdw-gc 7.6.4; 8.0 or newer is needed' \
    PKG_CONFIG_LIBDIR="$work/old" PKG_CONFIG_PATH=
refuses 'the Boehm collector, bdw-gc 8.0 or newer, is missing' \
    PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH=
mkdir "$work/alone" && sed 's/7\.6\.4/8.2.2/' "$work/old/bdw-gc.pc" \
    >"$work/alone/bdw-gc.pc"
refuses 'the GNU multiple precision library, gmp 6.2 or newer, is missing' \
    PKG_CONFIG_LIBDIR="$work/alone" PKG_CONFIG_PATH= \
    ac_cv_func_GC_register_my_thread=yes
refuses 'pkg-config 0.29 or newer is missing' PKG_CONFIG=/nowhere/pkg-config
refuses 'pyboehm needs a platform with pointers of 64 bits' \
    ac_cv_sizeof_void_p=4
refuses 'found was built without threads' ac_cv_func_GC_register_my_thread=no
exit $status
