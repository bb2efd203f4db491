#!/bin/sh
# hostile.sh: an audit names each hostile type that it can, in one line, and none
# of the honest ones.
set -u

: "${srcdir=.}" "${builddir=.}"
program=$builddir/t/hostile/hostile
said=$(mktemp) || exit
trap 'rm -f "$said" "$said.rows"' EXIT
failed=0
ulimit -c 0
unset PYBOEHM_CHECK

# With checks the program ends at most of them; see t/hostile/table.txt.
test "$("$program" --build)" = ordinary || exit 77

# lines CASE: what an audit says; of a finding that it tells again, having seen
# more, the first line.
lines() {
    PYBOEHM_AUDIT=1 "$program" "$1" 2>&1 | sed -n 's/^pyboehm audit: //p' |
        awk '{ what = $0; sub(/ in [0-9]+ of .*/, "", what) }
            !told[what]++' >"$said"
}

# report NAME OK
report() {
    if test "$2" = yes; then
        echo "ok - audit of hostile types: $1"
    else
        echo "not ok - audit of hostile types: $1"
        cat "$said"
        failed=1
    fi
}

sed -n 's/ *| */|/; /^[A-Z]/p' "$srcdir/t/audit/hostile.txt" >"$said.rows"
while IFS='|' read -r name expected; do
    lines "$name"
    ok=no
    test "$(wc -l <"$said")" = 1 && case $(cat "$said") in
    "$expected"*) ok=yes ;;
    esac
    report "$name" $ok
done <"$said.rows"

for name in Honest-raised FreeLister BareFinalizer Yielding Outer \
    UntrackingDealloc RevivingFinalizer; do
    lines "$name"
    ok=no
    test -s "$said" || ok=yes
    report "$name: nothing" $ok
done
exit $failed
