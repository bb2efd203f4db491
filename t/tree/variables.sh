#!/bin/sh
# variables.sh: the makefiles use no variable that is not defined; make takes
# such a one for empty and says nothing.
set -u

: "${builddir=.}" "${MAKE=make}"
unset MAKEFLAGS MAKELEVEL

if ! $MAKE --version 2>/dev/null | grep -q '^GNU Make'; then
    echo "# only GNU make can tell"
    exit 77
fi

# Those that automake leaves undefined on purpose.
automake='AM_[A-Z]*FLAGS|[A-Za-z_0-9]*_DEPENDENCIES|[A-Z]*TAGS_[A-Z]*|am__[a-z_]*'
automake="$automake|BUILT_SOURCES|DESTDIR|INSTALL_STRIP_FLAG|LIBTOOLFLAGS|LISP"
automake="$automake|TEXINFOS|-\*-command-variables-\*-"
undefined=$(cd "$builddir" &&
    $MAKE --warn-undefined-variables -n all install demo 2>&1 |
    sed -n "s/.*warning: undefined variable '\(.*\)'.*/\1/p" | sort -u |
        grep -vxE "$automake")

if test -n "$undefined"; then
    echo "not ok - undefined variables:" $undefined
    exit 1
fi
echo 'ok - no variable is undefined'
