#!/bin/sh
# heaps.sh [check]: programs made by chance for two heaps, without checks of
# arguments and with them; each must do what the model says.  One that fails is
# made as short as it can be, and printed.
#
# Without an argument, a few of them, for make check.
set -u

: "${builddir=.}"
heaps=$builddir/t/heaps/heaps
work=$(mktemp) || exit
trap 'rm -f "$work"' EXIT
trap 'exit 1' HUP INT TERM

# run PYBOEHM_CHECK FIRST COUNT: the programs of so many seeds.
run() {
    PYBOEHM_CHECK=$1 "$heaps" run "$2" "$3" >"$work" 2>&1 || {
        echo "not ok - two heaps, PYBOEHM_CHECK=$1"
        cat "$work"
        exit 1
    }
    echo "ok - two heaps, PYBOEHM_CHECK=$1: $(cat "$work")"
}

case ${1-small} in
small)
    run '' 0 2000
    run 1 200000 400
    ;;
check)
    run '' 0 100000
    run 1 200000 8000
    echo '2 passed, 0 failed'
    ;;
esac
