#!/bin/sh
# valgrind.sh PROGRAM...: runs the test programs of the build under memcheck,
# as many at a time as there are processors.
#
# Each test is a child of its program and reports for itself: an error, or a
# block of malloc that nothing refers to any more, fails the test in which it
# was.  Blocks that Boehm's heap refers to are found there.
#
# t/gc/check_gc_memory is left out: it has a malloc of its own, as memcheck has.
set -u

: "${srcdir=.}" "${VALGRIND=valgrind}" "${VALGRIND_JOBS=$(nproc)}"

if test "${1-}" != --one; then
    command -v "$VALGRIND" >/dev/null || {
        echo "not ok - there is no valgrind; on Debian: apt-get install valgrind"
        exit 1
    }
    PYBOEHM_TEST_SLOW=valgrind
    CK_TIMEOUT_MULTIPLIER=10
    export srcdir VALGRIND PYBOEHM_TEST_SLOW CK_TIMEOUT_MULTIPLIER
    printf '%s\n' "$@" | grep -v 't/gc/check_gc_memory' | xargs -P "$VALGRIND_JOBS" -n 1 sh "$0" --one
    exit
fi

program=$2
log=$program.valgrind
./libtool --mode=execute "$VALGRIND" --quiet --error-exitcode=99 \
    --suppressions="$srcdir/tools/pyboehm.supp" --num-callers=20 \
    --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite "$program" >"$log" 2>&1
status=$?
counts=$(grep '^[0-9]*%: Checks: ' "$log")
echo "$program"
echo "${counts:-not ok - $program did not count}"
test $status = 0 || {
    echo "# failed: $program"
    cat "$log"
    echo "# again: make check-valgrind VALGRIND_TESTS=$program"
}
exit $status
