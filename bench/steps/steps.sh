#!/bin/sh
# steps.sh: make bench-steps: what each step of a collection and each hot path
# costs, in instructions and in cache misses, for three graphs; and what they
# would cost if memory were all there was to wait for.  Prints Markdown.
#
# OBJECTS says how many objects.  The caches simulated are D1 and LL, each as
# SIZE,ASSOCIATIVITY,LINE; by default this machine's first and second level:
# the last one is often shared by many, and larger than any heap here.
# callgrind knows no prefetch: a miss that was foreseen counts like any other.
set -u

: "${srcdir=.}" "${builddir=.}" "${OBJECTS=1000000}" "${AWK=awk}"
: "${STRIP=strip}" "${VALGRIND=valgrind}"
here=$srcdir/bench/steps

# cache LEVEL DEFAULT: what the system says of a cache.
cache() {
    size=$(getconf "$1_SIZE" 2>/dev/null)
    ways=$(getconf "$1_ASSOC" 2>/dev/null)
    line=$(getconf "$1_LINESIZE" 2>/dev/null)
    case "${size:-0} ${ways:-0} ${line:-0}" in
    *' 0 '* | '0 '* | *' 0') echo "$2" ;;
    *) echo "$size,$ways,$line" ;;
    esac
}
: "${D1=$(cache LEVEL1_DCACHE 32768,8,64)}"
: "${LL=$(cache LEVEL2_CACHE 2097152,16,64)}"

command -v "$VALGRIND" >/dev/null || {
    echo 'steps: there is no valgrind; on Debian: apt-get install valgrind' >&2
    exit 1
}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

# Without their debugging information, not all of which valgrind can read.
cp "$builddir"/.libs/libpyboehm.so.? "$work" 2>/dev/null
"$builddir/libtool" --quiet --mode=execute \
    cp "$builddir/bench/steps/steps" "$work/steps" &&
    $STRIP --strip-debug "$work"/* || exit

# run COMMAND...: with one thread, and nothing of the caller's environment.
run() {
    env -i PATH="$PATH" LD_LIBRARY_PATH="$work" LD_BIND_NOW=1 \
        GC_MARKERS=1 "$@"
}

# profile GRAPH: the profile's lines, and the time that it takes by itself, the
# least of three.
profile() {
    for round in 1 2 3; do
        run "$work/steps" "$1" "$OBJECTS" || return
    done >"$work/times"
    printf '%s\t%s\n' "$1" "$(sort -n "$work/times" | head -n 1)" >>"$work/ns"
    run "$VALGRIND" --tool=callgrind --cache-sim=yes --D1="$D1" --LL="$LL" \
        --separate-callers=6 --toggle-collect=steps_measured \
        --callgrind-out-file="$work/dump" \
        "$work/steps" "$1" "$OBJECTS" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        return 1
    }
    $AWK -v n="$OBJECTS" -f "$here/profile.awk" "$here/functions.txt" \
        "$work/dump" >"$work/$1"
}

# memory NAME BYTES: the machine's figures for a working set of so many for
# each object.
memory() {
    mib=$($AWK "BEGIN { print $OBJECTS * $2 / 1048576 }")
    "$builddir/bench/steps/bandwidth" "$mib" >"$work/$1"
}

# A node is 48 bytes; a gcref of 4 stands for each 32 of them.
memory bodies 48 && memory counts 6 || exit
for graph in chain random pairs; do
    echo "steps: $graph" >&2
    profile $graph || exit
done
$AWK -v n="$OBJECTS" -v body=48 -v d1_is="$D1" -v ll_is="$LL" \
    -f "$here/table.awk" "$work/chain" "$work/random" "$work/pairs" \
    "$work/ns" "$work/bodies" "$work/counts"
