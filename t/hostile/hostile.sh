#!/bin/sh
# hostile.sh: each hostile case, in a process of its own, does what table.txt
# says: in this build, and with PYBOEHM_CHECK=1 where that is another thing.
#
# With the program's twin for CPython in $CPYTHON_HOSTILE (make check-hostile
# does that) also: where CPython does not crash the ordinary build does not.
set -u

: "${srcdir=.}" "${builddir=.}"
table=$srcdir/t/hostile/table.txt
program=$builddir/t/hostile/hostile
cpython=${CPYTHON_HOSTILE-}
said=$(mktemp) || exit
trap 'rm -f "$said"' EXIT
asserting=
case ${checks-} in
*-DPYBOEHM_ASSERTIONS*) asserting=yes ;;
esac
failed=0
ulimit -c 0
unset PYBOEHM_CHECK

# report NAME OK: one line for the driver; what was said if it is not ok.
report() {
    if test "$2" = yes; then
        echo "ok - hostile: $1"
    else
        echo "not ok - hostile: $1"
        cat "$said"
        failed=1
    fi
}

# outcome STATUS: how a run ended; a crash is any signal but abort's.
outcome() {
    case $1 in
    0) echo ok ;;
    1) echo damage ;;
    134) echo fatal ;;
    *) echo crash ;;
    esac
}

# run PROGRAM CASE: runs it, and prints the outcome.
run() {
    (exec "$@") >"$said" 2>&1
    outcome $?
}

# expect NAME EXPECTED OUTCOME: was the run's outcome the one in the table?
expect() {
    ok=no
    case $2 in
    undefined) ok=yes ;;
    fatal\ *)
        line="^Fatal Python error: ${2#fatal }.*, object at 0x[0-9a-f]+\$"
        test "$3" = fatal && test "$(grep -cE "$line" "$said")" = 1 && ok=yes
        ;;
    *) test "$3" = "$2" && ok=yes ;;
    esac
    # Assertions may see damage that the build lives with.
    test "$2-$3" = ok-fatal && test -n "$asserting" && ok=yes
    report "$1: $2" $ok
}

# checks CASE EXPECTED: the verdicts with checks.
checks() {
    result=$(PYBOEHM_CHECK=1; export PYBOEHM_CHECK; run "$program" "$1")
    expect "$1, $with_checks" "$2" "$result"
}

# compare CASE EXPECTED OUTCOME: CPython fares no better than the ordinary
# build did, which is expected to end well or badly on purpose.
compare() {
    ours=$3
    theirs=$(run "$cpython" "$1")
    ok=yes
    case $theirs-$ours in
    ok-fatal | ok-crash | damage-fatal | damage-crash | fatal-crash) ok=no ;;
    esac
    report "$1, CPython: $theirs, ordinary build: $ours" $ok
}

with_checks='PYBOEHM_CHECK=1'
test "$("$program" --build)" = checked && with_checks='checked build'

sed -n 's/ *| */|/g; /^[A-Z]/p' "$table" >"$said.rows"
trap 'rm -f "$said" "$said.rows"' EXIT
listed=$(cut -d'|' -f1 "$said.rows")
"$program" >"$said"
ok=no
test "$listed" = "$(cat "$said")" && ok=yes
report 'the table has a row for each case' $ok

# Whether an address can be read, not every system tells.
unreadable='GarbageVisitor LowVisitor'
case ${functions-HAVE_PROCESS_VM_READV} in
*HAVE_PROCESS_VM_READV*) unreadable= ;;
esac

while IFS='|' read -r name _ ordinary with; do
    case " $unreadable " in
    *" $name "*)
        echo "# left out: $name: this system has no process_vm_readv"
        continue
        ;;
    esac
    if test "$with_checks" = PYBOEHM_CHECK=1; then
        result=$(run "$program" "$name")
        expect "$name, ordinary build" "$ordinary" "$result"
        test -z "$cpython" || compare "$name" "$ordinary" "$result"
    fi
    checks "$name" "$with"
done <"$said.rows"
exit $failed
