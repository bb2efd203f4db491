#!/bin/sh
# api.sh: the headers have CPython's API as the version that they claim has it,
# but for the names in api-absent.txt, which doc/stable-abi.md explains.
#
#   manual   each name of the manual of CPython 3.11 (PYTHON_MANUAL, Debian's
#            python3.11-doc; skipped where it is not) is in a header or in
#            api-absent.txt
#   newer    each name in api.txt is in a header
#   absent   no name in api-absent.txt is in a header, so that a source's own
#            fallback takes its place
#   said     doc/stable-abi.md has each family of api-absent.txt
set -u

: "${srcdir=.}" "${PYTHON_MANUAL=/usr/share/doc/python3.11/html}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
status=0

# none WHAT FILE: FILE names the offenders; it should be empty.
none() {
    if test -s "$2"; then
        echo "not ok - $1:" $(cat "$2")
        status=1
    else
        echo "ok - $1"
    fi
}

# names FILE: the names in a list, without comments and families.
names() {
    grep -v '^\(#\|\[\|$\)' "$1" | tr -s ' ' '\n' | sort
}

# The words of the headers' code.
sed -e 's,/\*.*\*/,,' -e '/\/\*/,/\*\//d' "$srcdir"/include/*.h \
    "$srcdir"/include/pyboehm/*.h | tr -c 'A-Za-z0-9_' '\n' | sort -u \
    >"$work/words"
names "$srcdir/t/tree/api.txt" >"$work/newer"
names "$srcdir/t/tree/api-absent.txt" >"$work/absent"
cat "$work/newer" "$work/absent" | sort | uniq -d >"$work/bad"
none 'each name is listed once' "$work/bad"

# PyCapsule is a type that CPython's headers do not declare either.
if test -d "$PYTHON_MANUAL/c-api"; then
    cat "$PYTHON_MANUAL"/c-api/*.html |
        grep -oE 'id="c\.[A-Za-z_0-9]+"' | sed 's/.*\.//; s/"//' |
        grep -vx PyCapsule | sort -u >"$work/manual"
    echo "# $(wc -l <"$work/manual") names are in the manual"
    test "$(wc -l <"$work/manual")" -gt 1000 ||
        { echo 'not ok - the manual is not as it was'; status=1; }
    comm -23 "$work/manual" "$work/words" | comm -23 - "$work/absent" \
        >"$work/bad"
    none 'each name of the manual is in a header, or said to be absent' \
        "$work/bad"
else
    echo "# skipped: $PYTHON_MANUAL is not there (Debian: python3.11-doc)"
fi

comm -23 "$work/newer" "$work/words" >"$work/bad"
none 'each newer name is in a header' "$work/bad"
comm -12 "$work/absent" "$work/words" >"$work/bad"
none 'what is said to be absent is (else: strike it in api-absent.txt)' \
    "$work/bad"

sed -n 's/^\[\(.*\)\]$/\1/p' "$srcdir/t/tree/api-absent.txt" |
    while read -r family; do
        grep -q "^- $family:" "$srcdir/doc/stable-abi.md" || echo "$family"
    done >"$work/bad"
none 'doc/stable-abi.md has each family' "$work/bad"
exit $status
