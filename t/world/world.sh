#!/bin/sh
# world.sh [check | soak SECONDS]: programs made by chance, on pyboehm and,
# where t/world/world-cpython was built, on CPython: each must do what the
# model says, and the transcripts must be the same.  A program that fails is
# made as short as it can be, and printed.  check has fixed seeds, and those
# that begin with SEED, if that is set.
#
# Without an argument, a few programs on pyboehm only, for make check.
set -u

: "${builddir=.}"
ours=$builddir/t/world/world
cpython=$builddir/t/world/world-cpython
test -x "$cpython" || cpython=
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
programs=0 operations=0 compared=0 failed=0

# run SIDE FIRST COUNT: the programs of so many seeds on one side.
run() {
    side=$1
    shift
    case $side in
    ours) "$ours" run "$@" "$work/ours" ;;
    checked) PYBOEHM_CHECK=1 "$ours" run "$@" "$work/checked" ;;
    cpython) "$cpython" run "$@" "$work/cpython" ;;
    esac >"$work/$side.out" 2>&1
    echo $? >"$work/$side.status"
}

# sum SIDE: adds up what it did; says what failed.
sum() {
    while read -r word1 word2 word3 _ word5 _; do
        case $word2 in
        programs,)
            programs=$((programs + word1))
            operations=$((operations + word3))
            test "$1" != ours || compared=$((compared + word5))
            ;;
        esac
    done <"$work/$1.out"
    test "$(cat "$work/$1.status")" -ne 0 || return 0
    failed=$((failed + 1))
    echo "on $1:"
    cat "$work/$1.out"
}

# Finds the programs that the two sides saw in different ways, and shows the
# first one.
differ() {
    seed=$(diff "$work/ours" "$work/cpython" |
        sed -n 's/^< \([0-9]*\) .*/\1/p' | head -n 1)
    test -n "$seed" || return 0
    failed=$((failed + 1))
    echo "seed $seed is seen in different ways"
    "$ours" shrink "$seed" "$cpython"
}

# both FIRST COUNT: the programs of so many seeds, on each side.
both() {
    run ours "$@" &
    test -z "$cpython" || run cpython "$@"
    wait
    sum ours
    test -n "$cpython" || return
    sum cpython
    test "$failed" -gt 0 || differ
}

# checked FIRST COUNT: the same on pyboehm with checks.
checked() {
    run checked "$@"
    sum checked
}

report() {
    echo "$programs programs, $operations operations," \
        "$compared of them compared with ${cpython:+CPython and }the model"
    echo "$programs passed, $failed failed"
    exit $((failed > 0))
}

# New seeds until the time is over.
soak() {
    first=$(date +%s)000000
    end=$(($(date +%s) + $1))
    while test "$(date +%s)" -lt "$end" && test $failed = 0; do
        echo "seeds from $first: $operations operations so far"
        both "$first" 8000
        first=$((first + 8000))
        test $failed != 0 || checked "$first" 1000
        first=$((first + 1000))
    done
}

test -n "$cpython" || test $# = 0 ||
    echo 'no CPython to compare with (python3-dev)'
case ${1-small} in
small)
    for side in ours checked; do
        run $side 1 500
        sum $side
    done
    if test $failed = 0; then
        echo "ok - $operations operations are as the model says"
    else
        echo "not ok - the random world"
    fi
    exit $failed
    ;;
check)
    both 1 20000
    test $failed != 0 || checked 200000 4000
    test $failed != 0 || test -z "${SEED-}" || both "${SEED}000000" 10000
    ;;
soak) soak "$2" ;;
esac
report
