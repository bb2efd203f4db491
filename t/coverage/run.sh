#!/bin/sh
# run.sh: make coverage.  Builds the library in coverage/ with gcc's counters,
# without optimization, and makes the targets there; then says of each file
# how many lines were run, and holds the figures against what is asked for.
# coverage/missing.txt has the lines that were not.
set -u

: "${abs_srcdir:?}" "${MAKE=make}" "${AWK=awk}"
: "${TARGETS=check check-oracle}"
: "${GCC=gcc}" "${GCOV=gcov}"
abs_srcdir=$(cd "$abs_srcdir" && pwd -P) || exit # as gcov prints it
here=$abs_srcdir/t/coverage

mkdir -p coverage && cd coverage || exit
sums=$(mktemp) || exit
trap 'rm -f "$sums"' EXIT

# build: the library and flush.o, which is linked into all that the linker
# makes; what libgcov.a defines is hidden from all others.
build() {
    { test -f Makefile ||
        "$abs_srcdir/configure" -q CC="$GCC" CFLAGS='-O0 -g'; } &&
        $GCC -O0 -fPIC -c -o flush.o "$here/flush.c" &&
        find lib -name '*.gcda' -exec rm -f {} + &&
        in_coverage all
}

# As many at a time as there are processors, unless an outer make says.
case ${MAKEFLAGS-} in
*jobserver*) jobs= ;;
*) jobs=-j$(nproc) ;;
esac

# in_coverage TARGET...: makes them here.  Threads and processes count in the
# same files: atomically, and to gcov's own locks.
in_coverage() {
    $MAKE --no-print-directory $jobs "$@" \
        COVERAGE_CFLAGS='--coverage -fprofile-update=atomic' \
        LDFLAGS="--coverage -Wl,$PWD/flush.o -Wl,--exclude-libs,libgcov.a"
}

# say RESULT: "ok - " or "not ok - ".
say() {
    echo "$*" | tee -a "$sums"
}

build >build.log 2>&1 || { cat build.log; exit 1; }
for target in $TARGETS; do
    if in_coverage "$target" >"$target.log" 2>&1; then
        say "ok - make $target with counters"
    else
        grep '^FAIL\|^ERROR\|^not ok\|:[FE]:' "$target.log"
        say "not ok - make $target with counters: see coverage/$target.log"
    fi
done

# In one call gcov adds up what several files have of a header.
find lib -name '*.gcda' | sort | xargs $GCOV -t -r -s "$abs_srcdir" |
    $AWK -f "$here/lines.awk" >lines.txt || exit
$AWK -v missing=missing.txt -f "$here/report.awk" lines.txt >report.txt
cat report.txt
grep '^ok \|^not ok ' report.txt >>"$sums"
$AWK -f "$abs_srcdir/t/count.awk" "$sums"
