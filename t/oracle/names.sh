#!/bin/sh
# names.sh: each public name of CPython's headers is in ours, or is one of the
# names that t/tree/api-absent.txt says are not there, or one of these, which
# are CPython's own affair.
set -u

: "${srcdir=.}" "${CC=cc}" "${PYTHON_CONFIG=python3-config}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

# What configures CPython, how its parser, its frames and its classes of
# characters are made, what earlier editions left behind.
internal='METH_STACKLESS PYOS_STACK_MARGIN PY_CTF_[A-Z]* PY_DWORD_MAX
PY_ITERSEARCH_[A-Z]* PY_PARSER_REQUIRES_FUTURE_KEYWORD PY_STDIOTEXTMODE
PyCodeAddressRange PyFrameConstructor PyFutureFeatures PyInit__imp PyTraceInfo
Py_FORCE_EXPANSION Py_TRASHCAN_BEGIN_CONDITION Py_ssize_clean_t
PY_CODE_LOCATION_INFO_[A-Z0-9_]* CO_NOFREE [A-Za-z_0-9]*_H'

# names FLAG...: the public names that the headers declare or define.
names() {
    printf '#include <%s>\n' Python.h structmember.h frameobject.h marshal.h \
        >"$work/all.c"
    $CC -E "$@" "$work/all.c" >"$work/declared" &&
        $CC -E -dM "$@" "$work/all.c" | sed 's/^#define //; s/[( ].*//' \
            >"$work/defined" || return
    cat "$work/declared" "$work/defined" | tr -c 'A-Za-z0-9_' '\n' |
        grep -E '^(Py[A-Z_]|PY|METH_|CO_|T_)' | sort -u
}

names -I"$srcdir/include" >"$work/ours" &&
    names $($PYTHON_CONFIG --includes) >"$work/cpython" || exit
# CPython's pyconfig.h is a record of its own configuration.
echo '#include <pyconfig.h>' >"$work/config.c"
$CC -E -dM $($PYTHON_CONFIG --includes) "$work/config.c" |
    sed 's/^#define //; s/[( ].*//' >"$work/excused"
grep -v '^\(#\|\[\|$\)' "$srcdir/t/tree/api-absent.txt" | tr -s ' ' '\n' \
    >>"$work/excused"

echo "# $(wc -l <"$work/cpython") names are in CPython's headers"
missing=$(comm -23 "$work/cpython" "$work/ours" |
    grep -vxF -f "$work/excused" |
    grep -vxE "$(echo $internal | tr ' ' '|')")
if test "$(wc -l <"$work/cpython")" -lt 1000; then
    echo 'not ok - oracle: the headers are not as they were'
    exit 1
elif test -n "$missing"; then
    echo "not ok - oracle: each name is in a header, or said to be absent:" \
        $missing
    exit 1
fi
echo 'ok - oracle: each name is in a header, or said to be absent'
