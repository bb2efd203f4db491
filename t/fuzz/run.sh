#!/bin/sh
# run.sh build: builds the library and the fuzzers with clang, its libFuzzer
#   and sanitizers, in the directory check-fuzz of the build.
# run.sh run PROGRAM...: runs each fuzzer there, with as many inputs as FUZZ_RUNS
#   says, which the seed FUZZ_SEED makes from its corpus.
set -u

: "${srcdir=.}" "${MAKE=make}" "${FUZZ_CC=clang}"
: "${FUZZ_RUNS=20000}" "${FUZZ_SEED=1}"
what=$1
shift
source=$(cd "$srcdir" && pwd)
mkdir -p check-fuzz && cd check-fuzz || exit

build() {
    command -v "$FUZZ_CC" >/dev/null || {
        echo "there is no $FUZZ_CC; on Debian: apt-get install clang"
        return 1
    }
    test -e Makefile ||
        sh "$source/configure" --quiet --enable-sanitizers CC="$FUZZ_CC" \
            CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' || return
    unset MAKELEVEL
    $MAKE --no-print-directory fuzzers
}

# The input that failed is left in the directory; it belongs into the corpus.
fuzz() {
    log=$1.log
    corpus=$source/${1%/*}/corpus/${1##*/}
    work=$(mktemp -d) || return
    runs=$FUZZ_RUNS longest=160
    case $1 in
    # Each of its inputs takes a collection.
    */fuzz/spec) runs=$((runs / 10)) ;;
    # Its instructions have 4 bytes.
    */world/fuzz) longest=1200 ;;
    esac
    ./"$1" -seed="$FUZZ_SEED" -runs="$runs" -max_len="$longest" -timeout=20 \
        -rss_limit_mb=2048 -artifact_prefix="$1-" -verbosity=1 \
        -print_final_stats=1 "$work" "$corpus" >"$log" 2>&1
    result=$?
    rm -rf "$work"
    if test $result = 0; then
        echo "ok - $1," \
            "$(awk '/number_of_executed_units/ { print $2 }' "$log") inputs"
    else
        echo "not ok - $1"
        cat "$log"
        echo "# again: make check-fuzz fuzzers=$1" \
            "FUZZ_SEED=$FUZZ_SEED FUZZ_RUNS=$FUZZ_RUNS"
    fi
    return $result
}

ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:allocator_may_return_null=1
UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS
case $what in
build)
    build || {
        echo 'not ok - build the fuzzers'
        exit 1
    }
    ;;
run)
    status=0
    for program; do
        fuzz "$program" || status=1
    done
    exit $status
    ;;
esac
