#!/bin/sh
# editions.sh: t/modules/old_container.c compiles as the C of then and of today, and
# t/modules/new_container.c as C11 and C++17, with the whole API and with the limited
# ones of 3.11 and 3.15; each build of the latter works.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${CXX=c++}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
warnings="-Wall -Wextra -Wshadow -Werror"
status=0

# result WHAT: reports what the last command said of it, and says it again.
result() {
    if test $? -eq 0; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        status=1
        return 1
    fi
}

for std in gnu89 gnu99 gnu11 gnu17; do
    $CC -w -std=$std -I"$srcdir/include" -fsyntax-only \
        "$srcdir/t/modules/old_container.c"
    result "old_container.c compiles as $std"
done

# works LANGUAGE LEVEL COMPILER...: a module built so passes the tests.
works() {
    language=$1 level=$2
    shift 2
    set -- "$@" $warnings -I"$srcdir/include" ${level:+-DPy_LIMITED_API=$level}
    "$@" -shared -fPIC -o "$work/new_container.so" "$srcdir/t/modules/new_container.c"
    result "new_container.c compiles as $language${level:+, limited to $level}"
    PYBOEHM_TEST_MODULES=$work PYBOEHM_TEST_LEVEL=$level \
        CK_VERBOSITY=normal "$builddir/t/object/check_editions" >"$work/log" 2>&1
    result "new_container.c works as $language${level:+, limited to $level}" ||
        cat "$work/log"
    rm -f "$work/new_container.so"
}

cxx=yes
echo '#include <cstddef>' | $CXX -x c++ -fsyntax-only - 2>/dev/null || cxx=no
test $cxx = yes || echo "# no C++ compiler ($CXX): C++17 is not tried"

for level in '' 0x030B0000 0x030F0000; do
    works C11 "$level" $CC -x c -std=c11
    test $cxx = no || works C++17 "$level" $CXX -x c++ -std=c++17
done
exit $status
