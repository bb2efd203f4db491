#!/bin/sh
# bench.sh: the benchmarks run: each row of bench/rows.txt once, on our side,
# with few objects; and the table says what it is given.  No time is tested.
set -u

: "${srcdir=.}" "${builddir=.}" "${AWK=awk}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0

# verdict WHAT: says whether the last command succeeded.
verdict() {
    if test $? = 0; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        cat "$work/table"
        status=1
    fi
}

# The plan, but trees have 6 levels, and what is many is 500.
sed 's/^#.*//; s/\(trees .*\) 16$/\1 6/; s/ [0-9]\{3,\}.*/ 500/' \
    "$srcdir/bench/rows.txt" >"$work/few.txt"

ALONE=1 PAIRS=1 BENCH_MILLISECONDS=0 ROWS= GNUPLOT=: \
    srcdir=$srcdir builddir=$builddir \
    sh "$srcdir/bench/run.sh" "$work/few.txt" >"$work/table" 2>&1
verdict 'each benchmark runs'

# Each row of the plan, with a figure in the table.
$AWK 'FNR == NR { shown[$1, $2] = $4; next }
NF && shown[$2, $3] !~ /^-?[0-9]+(\.[0-9]+)?$/ { missing = 1; print }
END { exit missing }' "$work/table" "$work/few.txt"
verdict 'each row has a figure'

# Medians 10 and 30, but ratios 2, 6 and 4; what is to be small, and is not; a
# ratio that is too small.
cat >"$work/given.txt" <<'PLAN'
cpython p a 3.5 7
cpython p b <=5 -
cpython p c 3 7
PLAN
cat >"$work/given.csv" <<'CSV'
against,program,row,size,pair,side,value,unit
cpython,p,a,7,1,ours,10,ns
cpython,p,a,7,1,theirs,20,ns
cpython,p,a,7,2,ours,5,ns
cpython,p,a,7,2,theirs,30,ns
cpython,p,a,7,3,ours,100,ns
cpython,p,a,7,3,theirs,400,ns
cpython,p,b,7,1,ours,5.5,bytes
cpython,p,c,7,1,ours,1,ns
cpython,p,c,7,1,theirs,2,ns
CSV
$AWK -v plan="$work/given.txt" -f "$srcdir/bench/median.awk" \
    -f "$srcdir/bench/table.awk" "$work/given.csv" |
    sed 1d | tr -s ' ' | sed 's/ $//' >"$work/table"
cat >"$work/expected" <<'TABLE'
p a 7 10.0 30.0 ns 4.00 3.5 reached
p b 7 5.50 - bytes - <=5 MISSED
p c 7 1.00 2.00 ns 2.00 3 MISSED
TABLE
diff "$work/expected" "$work/table"
verdict 'the table shows medians and goals'

# A row that another run had at 5, and one that it had at 2.1.
cat >"$work/before.csv" <<'CSV'
cpython,p,a,7,1,ours,10,ns
cpython,p,a,7,1,theirs,50,ns
cpython,p,c,7,1,ours,10,ns
cpython,p,c,7,1,theirs,21,ns
CSV
$AWK -v plan="$work/given.txt" -v before="$work/before.csv" \
    -f "$srcdir/bench/median.awk" -f "$srcdir/bench/table.awk" \
    "$work/given.csv" | sed -n 's/.* fell/fell/p; s/.*\(MISSED\) *$/\1/p' \
    >"$work/table"
cat >"$work/expected" <<'TABLE'
fell from 5.00
MISSED
MISSED
TABLE
diff "$work/expected" "$work/table"
verdict 'the table names the rows that fell'

exit $status
