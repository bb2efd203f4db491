#!/bin/sh
# extensions.sh PROGRAM...: extension modules that others have written, or
# generators of binding code, are imported and driven.
#
# Binaries for the limited API are those that the distribution has installed;
# SWIG and pybind11 make theirs here, against the headers of this tree.  What
# is not installed is left out, and said; with EXTENSIONS=all it is a failure.
set -u

source=${srcdir-.}/t/extensions
build=$(mktemp -d) || exit
trap 'rm -rf "$build"' EXIT
status=0

# ready NAME COMMAND...: makes what the tests of NAME import.
ready() {
    name=$1
    shift
    if "$@" >"$build/$name.log" 2>&1; then
        return 0
    fi
    echo "not ok - $name: does not compile"
    grep -m 5 error "$build/$name.log" || tail -n 5 "$build/$name.log"
    status=1
    return 1
}

# there NAME COMMAND...: is this tool installed?
there() {
    name=$1
    shift
    "$@" >/dev/null 2>&1 && return 0
    test "${EXTENSIONS-}" != all || { status=1; printf 'not ok - '; }
    echo "$name is not installed: left out"
    return 1
}

# drive NAME PROGRAM: runs the tests, and says which have been left out.
drive() {
    PYBOEHM_PATH=$build:$modules:${CFFI_BACKEND-} CK_VERBOSITY=normal "$2" \
        >"$build/$1.log" 2>&1
    failed=$?
    sed -n 's/^# skip: //p' "$build/$1.log" | sort | uniq -c
    test $failed -eq 0 && echo "ok - $1" && return
    echo "not ok - $1"
    cat "$build/$1.log"
    status=1
}

compile="${CXX-c++} -std=c++17 -O1 -fPIC -shared -w -Werror=return-type \
    -I${srcdir-.}/include -Iinclude -I$source"
modules=${MODULES-/usr/lib/python3/dist-packages}

for program; do
    case $program in
    *_abi3)
        drive abi3 "$program"
        ;;
    *_cffi)
        drive cffi "$program"
        ;;
    *_swig)
        there SWIG swig -version &&
            ready swig swig -python -builtin -c++ "-I$source" \
                -o "$build/shapes_wrap.cxx" "$source/shapes.i" &&
            ready swig $compile -o "$build/_shapes.so" \
                "$build/shapes_wrap.cxx" &&
            drive swig "$program"
        ;;
    *_pybind)
        there pybind11 test -e /usr/include/pybind11/pybind11.h &&
            ready pybind $compile -o "$build/pybind_shapes.so" \
                "$source/pybind_shapes.cpp" &&
            drive pybind "$program"
        ;;
    esac
done
exit $status
