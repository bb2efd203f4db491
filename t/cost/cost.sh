#!/bin/sh
# cost.sh: what the hot paths cost, in instructions, is at most what bounds.txt
# says.
#
# callgrind counts them, so neither the machine's speed nor its load matters.
# The counts repeat for one compiler, so the bounds are tight for those that
# bounds.txt knows: its figure, 2 % and half an instruction.  Where compiler,
# options or Boehm's collector are others: its largest figure and 25 %.
#
# "cost.sh bounds" (make cost-bounds) prints a new bounds.txt, in which the
# figures of this build's compiler are new.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${PKG_CONFIG=pkg-config}"
: "${AWK=awk}" "${STRIP=strip}" "${VALGRIND=valgrind}" "${COST_FLAGS=-O2}"
here=$srcdir/t/cost
bounds=$here/bounds.txt

skip() {
    echo "# skipped: $1"
    exit 77
}

# flag PATTERN: one of the build's options is like that.
flag() {
    for option in $COST_FLAGS; do
        case $option in
        $1) return 0 ;;
        esac
    done
    return 1
}

level=-O0
for option in $COST_FLAGS; do
    case $option in
    -O*) level=$option ;;
    esac
done
flag '-DPYBOEHM_CHECKS*' && skip 'this is a checked build'
flag '-DPYBOEHM_ASSERTIONS*' && skip 'this is a build with assertions'
flag '-fsanitize*' && skip 'this is a build with sanitizers'
flag '--coverage' && skip 'this build counts its lines'
test "$level" = -O2 || skip "the bounds are for -O2, this build has $level"
test "$(uname -m)" = x86_64 || skip 'the bounds are for x86-64'
command -v "$VALGRIND" >/dev/null ||
    skip 'there is no valgrind; on Debian: apt-get install valgrind'

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

# Without their debugging information, not all of which valgrind can read.
cp "$builddir"/.libs/libpyboehm.so.? "$work" 2>/dev/null
"$builddir/libtool" --quiet --mode=execute \
    cp "$builddir/t/cost/cost" "$work/cost" &&
    $STRIP --strip-debug "$work"/* || exit

# Nothing of the caller's environment, and no mark of Boehm's: when
# it collects is its own choice, and a few bytes more change that.
env -i PATH="$PATH" LD_LIBRARY_PATH="$work" LD_BIND_NOW=1 \
    GC_MARKERS=1 GC_DONT_GC=1 GC_INITIAL_HEAP_SIZE=128M \
    "$VALGRIND" --tool=callgrind --combine-dumps=yes \
    --dump-before=cost_mark --callgrind-out-file="$work/dump" \
    "$work/cost" >"$work/names" 2>"$work/log" &&
    $AWK -f "$here/cost.awk" "$work/names" "$work/dump" >"$work/costs" || {
    cat "$work/log"
    echo 'not ok - t/cost/cost could not be counted'
    exit 1
}

compiler=$($CC -dM -E -x c /dev/null | $AWK '
    $2 == "__GNUC__" { gcc = $3 }
    $2 == "__clang_major__" { clang = $3 }
    END { print clang ? "clang " clang : "gcc " gcc }')
boehm="bdw-gc $($PKG_CONFIG --modversion bdw-gc)"

if test "${1-}" = bounds; then
    exec $AWK -v compiler="$compiler" -v boehm="$boehm" -f "$here/bounds.awk" \
        "$bounds" "$work/costs"
fi

# Other options than these may change the code.
for option in $COST_FLAGS; do
    case $option in
    -g* | -O2 | -W* | -pipe) ;;
    *) compiler="$compiler with $option" ;;
    esac
done
$AWK -v compiler="$compiler" -v boehm="$boehm" -f "$here/judge.awk" \
    "$bounds" "$work/costs"
