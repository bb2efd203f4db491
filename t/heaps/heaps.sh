#!/bin/sh
# heaps.sh [check]: programs made by chance for two heaps, without checks, with
# them, and with snapshots; each must do what the model says.  One that fails is
# made as short as it can be, and printed.  check has fixed seeds, and 5000
# that begin with SEED.
#
# Without an argument, a few of them, and those that have failed, for make
# check.
set -u

: "${builddir=.}"
heaps=$builddir/t/heaps/heaps
work=$(mktemp) || exit
trap 'rm -f "$work" "$work".*' EXIT
trap 'exit 1' HUP INT TERM

# run PYBOEHM_CHECK FIRST COUNT: the programs of so many seeds.
run() {
    PYBOEHM_CHECK=$1 "$heaps" run "$2" "$3" >"$work.$2" 2>&1 || {
        echo "not ok - two heaps, PYBOEHM_CHECK=$1"
        cat "$work.$2"
        return 1
    }
    echo "ok - two heaps, PYBOEHM_CHECK=$1: $(cat "$work.$2")"
}

snapshots() {
    PYBOEHM_SNAPSHOTS=2 run '' "$1" "$2"
}

# Each of these has failed once, as short as it could be made:
#   a block with a finalizer and an adopted object that lead to each other;
#   a block that waits, by order, for one that will never be finalized;
#   a dead object that leads to a block that leads to another dead object;
#   an ordered finalizer whose block leads to itself through a list.
failed_once='
010100000000000006000100040000000c0000000900000010040000
000000030102000006000000010200a0060101000000000001000000068ee81010040000
0004000000000000010100000b01000000000003000000110401000006000200
0000000b013e00b200040020020001000b00000000004f08000000850b0000000600020004000000
'

again() {
    for program in $failed_once; do
        "$heaps" bytes "$program" >"$work" 2>&1 || {
            echo "not ok - two heaps: $program"
            cat "$work"
            exit 1
        }
    done
    echo 'ok - two heaps: programs that have failed'
}

case ${1-small} in
small)
    again
    run '' 0 2000 && run 1 200000 400 && snapshots 300000 400
    ;;
check)
    run '' 0 56000 &
    run '' 56000 44000 && run 1 200000 8000 &&
        run '' "${SEED-1}000000" 5000 && snapshots 300000 12000 &&
        ! grep -q ' 0 snapshots' "$work.300000" && wait $! || {
        wait
        echo '0 passed, 1 failed'
        exit 1
    }
    echo '5 passed, 0 failed'
    ;;
esac
