#!/bin/sh
# symbols.sh: libpyboehm exports what the public headers declare with
# PyAPI_FUNC and PyAPI_DATA, all of it, and nothing else; where debian/ is at
# hand, its list names the same.
set -u

: "${srcdir=.}" "${builddir=.}" "${NM=nm}"
library=$builddir/.libs/libpyboehm.so
if ! test -e "$library"; then
    echo "# no shared library: nothing to look at"
    exit 77
fi
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0

sh "$srcdir/t/declared.sh" "$srcdir"/include/*.h "$srcdir"/include/*/*.h >"$work/declared"

# The address sanitizer and the linker add names of their own.
$NM -D --defined-only "$library" | awk '{ print $NF }' | sed 's/@.*//' |
    grep -vE '^(__odr_asan.*|__bss_start|_edata|_end)$' |
    sort -u >"$work/exported"

# none WHAT FILE: FILE names the offenders; it should be empty.
none() {
    if test -s "$2"; then
        echo "not ok - $1:" $(cat "$2")
        status=1
    else
        echo "ok - $1"
    fi
}

comm -23 "$work/declared" "$work/exported" >"$work/missing"
comm -13 "$work/declared" "$work/exported" >"$work/extra"
grep -v '^_*Py' "$work/exported" >"$work/foreign"
echo "# $(wc -l <"$work/declared") names declared," \
    "$(wc -l <"$work/exported") exported"
test -s "$work/declared" || { echo 'not ok - no names found'; exit 1; }
none 'no name is declared and not exported' "$work/missing"
none 'no name is exported and not declared' "$work/extra"
none 'every exported name begins with Py or _Py' "$work/foreign"

listed=$srcdir/debian/libpyboehm0.symbols
if test -e "$listed"; then
    sed -n 's/^ \(.*\)@Base .*/\1/p' "$listed" | sort >"$work/listed"
    comm -3 "$work/listed" "$work/exported" >"$work/differing"
    none 'debian/ lists the exported names (else: make debian-symbols)' \
        "$work/differing"
fi
exit $status
