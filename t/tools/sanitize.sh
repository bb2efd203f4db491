#!/bin/sh
# sanitize.sh DIRECTORY CONFIGURE-ARGUMENT...: the suite in a build of its own,
# in the directory, configured as this one with the sanitizers for addresses and
# for undefined behaviour instead of this one's, and with the arguments; but for
# the tests of the tree, which run none of it.
set -u

: "${srcdir=.}" "${MAKE=make}"
directory=$1
shift
source=$(cd "$srcdir" && pwd)
configuration=$(./config.status --config) || exit

mkdir -p "$directory" && cd "$directory" || exit
test -e Makefile ||
    eval "sh '$source/configure' --quiet $configuration" \
        "--enable-sanitizers" '"$@"' || {
    echo "not ok - configure --enable-sanitizers"
    exit 1
}
unset MAKELEVEL
export PYBOEHM_TEST_SLOW=1
tests=$(printf '%s\n' $TESTS | grep -v '^t/tree/' | tr '\n' ' ')
$MAKE --no-print-directory all &&
    $MAKE --no-print-directory check TESTS="$tests" && exit
status=$?
cat test-suite.log
exit $status
