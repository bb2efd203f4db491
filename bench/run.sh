#!/bin/sh
# run.sh [PLAN]: measures the rows of the plan (bench/rows.txt), on both sides
# in turn, and shows a table of them with the goals; every measurement is in
# bench/results.csv, or for another plan NAME.txt in bench/NAME.csv, and where
# gnuplot is installed SVGs show how the cost of an object grows.
#
# In the environment:
#   ROWS='churn live/chain'  only these programs and rows; patterns will do
#   PAIRS=7                  how often each side runs; the ratio that counts is
#                            the median of the ratios of pairs
#   MOST=n                   leaves out larger sizes
#   QUICK=1                  3 pairs, 20 milliseconds each, MOST=4000000
#   BENCH_MILLISECONDS=200   how long each run measures, at least one round
#   ALONE=1                  our side only
#
# make bench sets builddir and srcdir, where it made and found all, and AWK.
# The other side of the program P is P-cpython or P-plain; where that was not
# made, ours is measured alone.
set -uf

: "${builddir=.}" "${srcdir=.}" "${AWK=awk}" "${GNUPLOT=gnuplot}" \
    "${ROWS=}" "${ALONE=0}"
test "${QUICK:-0}" = 0 ||
    : "${PAIRS=3}" "${BENCH_MILLISECONDS=20}" "${MOST=4000000}"
: "${PAIRS=7}" "${BENCH_MILLISECONDS=200}" "${MOST=}"
export BENCH_MILLISECONDS
plan=${1-$srcdir/bench/rows.txt}

name=$(basename "$plan" .txt)
test "$name" != rows || name=results
csv=$builddir/bench/$name.csv
lines=$(mktemp) || exit
trap 'rm -f "$lines"' EXIT
trap 'exit 1' HUP INT TERM
tab=$(printf '\t')

# wanted PROGRAM ROW: ROWS has it.
wanted() {
    test -n "$ROWS" || return 0
    for pattern in $ROWS; do
        case $1/$2 in
        $pattern | $pattern/*) return 0 ;;
        esac
    done
    return 1
}

# other AGAINST: how the other side's programs are called.
other() {
    case $1 in
    cpython) echo cpython ;;
    boehm) echo plain ;;
    esac
}

# measure SIDE COMMAND...: runs it; adds its lines to the CSV.
measure() {
    side=$1
    shift
    if ! "$@" >"$lines"; then
        echo "failed: $*" >&2
        return 1
    fi
    while IFS=$tab read -r line_row line_size value unit; do
        echo "$against,$program,$line_row,$line_size,$pair,$side,$value,$unit"
    done <"$lines"
}

# pair NUMBER ROW SIZE: both sides; who comes first changes.
pair() {
    pair=$1
    shift
    ours=$builddir/bench/$program
    theirs=$ours-$(other "$against")
    if test "$ALONE" != 0 || ! test -x "$theirs"; then
        measure ours "$ours" "$@"
    elif test $((pair % 2)) = 1; then
        measure ours "$ours" "$@" && measure theirs "$theirs" "$@"
    else
        measure theirs "$theirs" "$@" && measure ours "$ours" "$@"
    fi
}

# pairs ROW SIZE: all pairs.  The empty line says that a row is complete.
pairs() {
    i=1
    while test "$i" -le "$PAIRS"; do
        pair "$i" "$@" || return
        i=$((i + 1))
    done
    echo
}

# All rows of the plan.  A failure is the last line, as the pipe hides the
# status.
rows() {
    echo against,program,row,size,pair,side,value,unit
    while read -r against program row _ sizes; do
        case $against in '#'* | '') continue ;; esac
        wanted "$program" "$row" || continue
        for size in $sizes; do
            test "$size" != - || continue
            test -z "$MOST" || test "$size" -le "$MOST" || continue
            pairs "$row" "$size" || { echo failed; return; }
        done
    done <"$plan"
}

rows | $AWK -v plan="$plan" -v csv="$csv" -f "$srcdir/bench/median.awk" \
    -f "$srcdir/bench/table.awk"
status=$?
echo "each measurement: $csv"
if test $status != 0; then
    echo 'a program failed' >&2
elif ! command -v "$GNUPLOT" >/dev/null; then
    echo 'no plots, as there is no gnuplot'
else
    $AWK -v prefix="$builddir/bench/$name" -f "$srcdir/bench/median.awk" \
        -f "$srcdir/bench/plot.awk" "$csv" | "$GNUPLOT" && echo "plots: $builddir/bench/$name-*.svg"
fi
exit $status
