#!/bin/sh
# hostile.sh: an audit names each hostile type, in the lines of hostile.txt and
# no others, and none of the honest ones; every case is in one list or the
# other.
set -u

: "${srcdir=.}" "${builddir=.}"
program=$builddir/t/hostile/hostile
said=$(mktemp) || exit
trap 'rm -f "$said" "$said".*' EXIT
failed=0
ulimit -c 0
unset PYBOEHM_CHECK

# What PyType_Ready refuses, and what types may do.
refused='Smaller Headless NegativeItems NoTraverse'
honest='Honest-raised CollectingClear UntrackingDealloc RevivingFinalizer
    RevivingFinalizer-count OddItems FreeLister BareFinalizer
    FinalizerChain Yielding Outer'

# With checks the program ends at most of them; see t/hostile/table.txt.
test "$("$program" --build)" = ordinary || exit 77

# It looks through memory.
case ${functions-HAVE_PROCESS_VM_READV} in
*HAVE_PROCESS_VM_READV*) ;;
*)
    echo '# left out: this system has no process_vm_readv'
    exit 77
    ;;
esac

# lines CASE [N]: what an audit says; of a finding that it tells again, having
# seen more, the first line.
lines() {
    PYBOEHM_AUDIT=1 "$program" "$@" 2>&1 |
        sed '/^pyboehm audit: [0-9]* types*, [0-9]* objects*, /d
            /^pyboehm audit: [0-9]* types* of which no audit found /d' |
        awk '/^  [^ ]/ { sub(/^  /, "; "); line = line $0; next }
            { if (NR > 1) print line; line = $0 }
            END { print line }' |
        sed -n 's/^pyboehm audit: //p; /^Fatal Python error: /p' |
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
cut -d'|' -f1 "$said.rows" | uniq >"$said.cases"
while read -r name times; do
    lines "$name" ${times:+"$times"}
    ok=no
    awk -F'|' -v "row=$name${times:+ $times}" '
        NR == FNR { if ($1 == row) expected[++n] = $2; next }
        index($0, expected[++i]) != 1 { unexpected = 1 }
        END { exit unexpected || i != n || n == 0 }' "$said.rows" "$said" && ok=yes
    report "$name" $ok
done <"$said.cases"

# The function's own line, though its first instruction is another one's; where
# there is debugging information, and a library to read it.
case " ${CFLAGS-} $(ldconfig -p 2>/dev/null | tr '\n\t' '  ')" in
*' -g '*' libdw.so.1 '*)
    source=$srcdir/t/hostile/finalizers.c
    line=$(grep -n '^robbing_finalize(' "$source" | cut -d: -f1)
    lines RobbingFinalizer
    ok=no
    grep -q "\[robbing_finalize in hostile, finalizers.c:$line\]" "$said" &&
        ok=yes
    report 'where it is' $ok
    ;;
*) echo '# no -g, or no libdw: lines are not told' ;;
esac

for name in $refused $honest; do
    lines "$name"
    ok=no
    test -s "$said" || ok=yes
    report "$name: nothing" $ok
done

# An audit ends no program that would not end without it.
for name in $(awk -F'|' '/^[A-Z]/ && $3 ~ /^ *ok *$/ { print $1 }' \
    "$srcdir/t/hostile/table.txt"); do
    (PYBOEHM_AUDIT=1 exec "$program" "$name") >"$said" 2>&1
    test $? -lt 128 || report "$name: goes on" no
done

"$program" | sort >"$said.all"
{
    cut -d' ' -f1 "$said.cases"
    printf '%s\n' $refused $honest
} | sort -u >"$said.listed"
diff "$said.all" "$said.listed" >"$said"
ok=no
test -s "$said" || ok=yes
report 'every case is here' $ok
exit $failed
