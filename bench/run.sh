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
#   BEFORE=FILE.csv          such a file of an earlier run: rows whose ratio is
#                            a tenth less than there are named
#
# make bench sets builddir and srcdir, where it made and found all, and AWK.
# The other side of the program P is P-cpython or P-plain; where that was not
# made, ours is measured alone.
set -uf

: "${builddir=.}" "${srcdir=.}" "${AWK=awk}" "${GNUPLOT=gnuplot}" \
    "${ROWS=}" "${ALONE=0}" "${BEFORE=}"
test "${QUICK:-0}" = 0 ||
    : "${PAIRS=3}" "${BENCH_MILLISECONDS=20}" "${MOST=4000000}"
: "${PAIRS=7}" "${BENCH_MILLISECONDS=200}" "${MOST=}"
export BENCH_MILLISECONDS
plan=${1-$srcdir/bench/rows.txt}

results=$builddir/bench/$(basename "$plan" .txt | sed 's/^rows$/results/')
csv=$results.csv
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tab=$(printf '\t')

# table CSV: what is measured there, with the goals.
table() {
    $AWK -v plan="$plan" -v before="$work/before" \
        -f "$srcdir/bench/median.awk" -f "$srcdir/bench/table.awk" "$1" |
        tee -a "$work/table"
}

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

# measure SIDE COMMAND...: runs it, and writes its lines as CSV.  With status
# 77 it says why it has none; that is shown once.
measure() {
    side=$1
    shift
    "$@" >"$work/lines" 2>"$work/said"
    status=$?
    if test $status = 77; then
        test "$pair" != 1 || echo "($*: $(cat "$work/said"))" >&2
        return 0
    fi
    cat "$work/said" >&2
    if test $status != 0; then
        echo "failed: $*" >&2
        return 1
    fi
    while IFS=$tab read -r name at value unit share; do
        echo "$against,$program,$name,$at,$pair,$side,$value,$unit,$share"
    done <"$work/lines"
}

# pair NUMBER ROW SIZE: both sides; they take turns in coming first.
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

# pairs ROW SIZE: all pairs.
pairs() {
    i=1
    while test "$i" -le "$PAIRS"; do
        pair "$i" "$@" || return
        i=$((i + 1))
    done
}

# rows: all rows of the plan.
rows() {
    while read -r against program row _ sizes; do
        case $against in '#'* | '') continue ;; esac
        wanted "$program" "$row" || continue
        for size in $sizes; do
            test "$size" != - || continue
            test -z "$MOST" || test "$size" -le "$MOST" || continue
            pairs "$row" "$size" >"$work/row" || return
            cat "$work/row" >>"$csv"
            table "$work/row"
        done
    done <"$plan"
}

cat ${BEFORE:+"$BEFORE"} </dev/null >"$work/before" || exit
echo against,program,row,size,pair,side,value,unit,share >"$csv"
table "$csv"
rows || exit
$AWK -v before="$BEFORE" '/ reached($| fell)/ { reached++ }
/ MISSED($| fell)/ { missed++ }
/ fell from / { fell++ }
END {
    printf "%d goals are reached, %d are not\n", reached, missed
    if (before != "")
        printf "%d rows are a tenth behind %s\n", fell, before
}' "$work/table"
echo "each measurement: $csv"
if ! command -v "$GNUPLOT" >/dev/null; then
    echo 'no plots, as there is no gnuplot'
else
    $AWK -v prefix="$results" -f "$srcdir/bench/median.awk" \
        -f "$srcdir/bench/plot.awk" "$csv" | "$GNUPLOT" &&
        echo "plots: $results-*.svg"
fi
