#!/bin/sh
# headers.sh: every public header compiles alone, in C11 and in C++17, with
# warnings as errors.
set -u

: "${srcdir=.}" "${CC=cc}" "${CXX=c++}"
warnings="-Wall -Wextra -Wpedantic -Wshadow -Werror"
status=0

# compiles HEADER LANGUAGE COMPILER...
compiles() {
    header=$1 language=$2
    shift 2
    if printf '#include "%s"\nextern int used;\n' "$header" |
        "$@" -I"$srcdir/include" $warnings -fsyntax-only -
    then
        echo "ok - $header compiles alone in $language"
    else
        echo "not ok - $header does not compile alone in $language"
        status=1
    fi
}

cxx=yes
echo '#include <cstddef>' | $CXX -x c++ -fsyntax-only - 2>/dev/null || cxx=no
test $cxx = yes || echo "# no C++ compiler ($CXX): C++17 is not tried"

for path in "$srcdir"/include/*.h "$srcdir"/include/*/*.h; do
    header=${path#"$srcdir"/include/}
    compiles "$header" C11 $CC -x c -std=c11
    test $cxx = no || compiles "$header" C++17 $CXX -x c++ -std=c++17
done
exit $status
