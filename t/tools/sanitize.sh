#!/bin/sh
# sanitize.sh DIRECTORY SANITIZER CONFIGURE-ARGUMENT...: the suite in a build of
# its own, in the directory, configured as this one with the sanitizer instead
# of this one's, and with the arguments.
set -u

: "${srcdir=.}" "${MAKE=make}"
directory=$1 sanitizer=$2
shift 2
source=$(cd "$srcdir" && pwd)
configuration=$(./config.status --config) || exit

mkdir -p "$directory" && cd "$directory" || exit
test -e Makefile ||
    eval "sh '$source/configure' --quiet $configuration" \
        "--enable-sanitizers=$sanitizer" '"$@"' || {
    echo "not ok - configure --enable-sanitizers=$sanitizer"
    exit 1
}
unset MAKELEVEL
$MAKE --no-print-directory all && $MAKE --no-print-directory check && exit
status=$?
cat test-suite.log
exit $status
