#!/bin/sh
# privileges.sh: what the environment says counts for nothing in a set-user-ID
# program: its caller can neither have it load a module nor write a file.  The
# same program without the bit obeys.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}"
status=0

skip() {
    echo "# $1"
    exit 77
}

# verdict WHAT: of the last command.
verdict() {
    if test $? = 0; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        status=1
    fi
}

test "$(id -u)" = 0 || skip 'only root can make a set-user-ID program of its own'
test -e "$builddir/.libs/libpyboehm.so" || skip 'no shared library'
case $CC in
*-fsanitize*) skip 'what sanitizers link with looks at the environment, too' ;;
esac

# Of what the other user is to find, all is readable.
umask 022
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/bin" "$work/modules" || exit
cp "$builddir"/.libs/libpyboehm.so* "$work/bin" || exit
cat >"$work/module.c" <<'END'
#include <Python.h>
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "privileged"};
PyMODINIT_FUNC PyInit_privileged(void) { return PyModule_Create(&def); }
END
$CC -w -fPIC -shared -I"$srcdir/include" "$work/module.c" \
    -o "$work/modules/privileged.so" || exit
# The loader obeys no environment there: the library's place is in the program.
$CC -w -I"$srcdir/include" "$srcdir/t/runtime/privileges.c" -o "$work/bin/obeys" \
    -L"$work/bin" -Wl,-rpath,"$work/bin" -lpyboehm || exit
cp "$work/bin/obeys" "$work/bin/refuses" && chmod 4755 "$work/bin/refuses" || exit

# run PROGRAM: as an ordinary user, who has a say in all the environment.
run() {
    rm -rf "$work/out"
    mkdir "$work/out" && chmod 777 "$work/out"
    env PYBOEHM_PATH="$work/modules" PYBOEHM_LOG="$work/out/log" \
        PYBOEHM_GRAPH="$work/out/graph.dot" \
        PYBOEHM_REPORT="$work/out/report.html" PYBOEHM_STATS=1 PYBOEHM_LEAKS=1 \
        PYBOEHM_AUDIT=1 PYBOEHM_TRACE=4 PYBOEHM_STRESS=1 PYBOEHM_CHECK=1 \
        "$work/bin/obeys" "$work/bin/$1" >"$work/said" 2>"$work/complained"
}

run obeys
grep -qx 'gained 0' "$work/said"
verdict 'without the bit no privileges are gained'
grep -qx 'path 1' "$work/said" && grep -qx 'imported 1' "$work/said"
verdict 'without them PYBOEHM_PATH counts'
test -s "$work/out/log" && test -s "$work/out/graph.dot" &&
    test -s "$work/out/report.html" && test -s "$work/complained"
verdict 'without them files are written, and reports'

run refuses
grep -qx 'gained 1' "$work/said" ||
    skip 'programs gain no privileges in this directory'
grep -qx 'path 0' "$work/said" && grep -qx 'imported 0' "$work/said"
verdict 'with them PYBOEHM_PATH does not count'
test -z "$(ls -A "$work/out")"
verdict 'with them no file is written'
test ! -s "$work/complained"
verdict 'with them nothing is reported'
exit $status
